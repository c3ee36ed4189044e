//! Bodies and contacts, and the global problem they make.

use crate::{GlobalProblem, Law, SparseMatrix};

pub(super) type Vec3 = [f64; 3];

/// Length of the step (s).
pub(super) const STEP: f64 = 0.005;
/// Gravity along the last axis (m/s²).
pub(super) const GRAVITY: f64 = 9.81;
/// Density (kg/m³, kg/m² in the plane).
pub(super) const DENSITY: f64 = 1000.0;

/// SplitMix64: the same numbers on every machine.
pub(crate) struct Seeded(pub u64);

impl Seeded {
    /// Uniform in [−1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + 0.5 * (self.next() + 1.0) * (high - low)
    }
}

/// A rigid body, its axes those of the world. In the plane it lives in x and z and turns about y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub centre: Vec3,
    pub mass: f64,
    /// About the three axes; in the plane only the second counts.
    pub inertia: Vec3,
    /// Velocity before the step.
    pub velocity: Vec3,
    pub spin: Vec3,
}

impl Body {
    pub fn sphere(centre: Vec3, radius: f64) -> Self {
        let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        Self { centre, mass, inertia: [0.4 * mass * radius * radius; 3], velocity: [0.0; 3], spin: [0.0; 3] }
    }

    pub fn disk(centre: Vec3, radius: f64) -> Self {
        let mass = DENSITY * std::f64::consts::PI * radius * radius;
        Self { centre, mass, inertia: [0.5 * mass * radius * radius; 3], velocity: [0.0; 3], spin: [0.0; 3] }
    }

    /// A box with these edges.
    pub fn block(centre: Vec3, edge: Vec3, density: f64) -> Self {
        let mass = density * edge[0] * edge[1] * edge[2];
        let about = |a: f64, b: f64| mass / 12.0 * (a * a + b * b);
        let inertia = [about(edge[1], edge[2]), about(edge[0], edge[2]), about(edge[0], edge[1])];
        Self { centre, mass, inertia, velocity: [0.0; 3], spin: [0.0; 3] }
    }
}

/// A point where a body touches another or the world; U is the velocity of `body` against `other`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub body: usize,
    pub other: Option<usize>,
    pub point: Vec3,
    /// From the other to the body; unit length.
    pub normal: Vec3,
    pub friction: f64,
}

/// A mechanism in one step.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub planar: bool,
    pub bodies: Vec<Body>,
    pub touches: Vec<Touch>,
    /// Ball joints: two bodies and the point they share. Three bilateral rows each.
    pub joints: Vec<(usize, usize, Vec3)>,
    /// Impulses of what pushes from outside, besides gravity.
    pub pushes: Vec<(usize, Vec3)>,
    pub weightless: bool,
    /// Rolling resistance of all contacts, a length, if they have it.
    pub rolling: Option<f64>,
}

impl Scene {
    pub fn add(&mut self, body: Body) -> usize {
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    pub fn touch(&mut self, body: usize, other: Option<usize>, point: Vec3, normal: Vec3, friction: f64) {
        self.touches.push(Touch { body, other, point, normal, friction });
    }

    /// M as triplets, and f: momenta, weights over the step, pushes.
    fn momenta(&self, per_body: usize) -> (Vec<(u32, u32, f64)>, Vec<f64>) {
        let (mut M, mut f) = (Vec::new(), vec![0.0; per_body * self.bodies.len()]);
        for (k, body) in self.bodies.iter().enumerate() {
            let weight = if self.weightless { 0.0 } else { body.mass * GRAVITY * STEP };
            let mass_and_speed: Vec<(f64, f64)> = if self.planar {
                vec![
                    (body.mass, body.velocity[0]),
                    (body.mass, body.velocity[2]),
                    (body.inertia[1], body.spin[1]),
                ]
            } else {
                (0..6)
                    .map(|i| {
                        if i < 3 {
                            (body.mass, body.velocity[i])
                        } else {
                            (body.inertia[i - 3], body.spin[i - 3])
                        }
                    })
                    .collect()
            };
            for (i, (mass, speed)) in mass_and_speed.into_iter().enumerate() {
                let at = per_body * k + i;
                M.push((at as u32, at as u32, mass));
                f[at] = mass * speed;
            }
            f[per_body * k + if self.planar { 1 } else { 2 }] -= weight;
        }
        for &(body, impulse) in &self.pushes {
            let axes: &[usize] = if self.planar { &[0, 2] } else { &[0, 1, 2] };
            for (i, &axis) in axes.iter().enumerate() {
                f[per_body * body + i] += impulse[axis];
            }
        }
        (M, f)
    }

    /// M, H, f, b and the laws.
    pub fn problem(&self) -> GlobalProblem {
        let per_body = if self.planar { 3 } else { 6 };
        let n = per_body * self.bodies.len();
        let (M, f) = self.momenta(per_body);
        let (mut H, mut laws) = (Vec::new(), Vec::new());
        let mut column = 0;
        // the velocity of a point along a direction, or, without a point, the turning about it
        let mut row =
            |H: &mut Vec<_>, body: usize, other: Option<usize>, at: Option<Vec3>, direction: Vec3| {
                for (body, sign) in [Some(body), other].into_iter().zip([1.0, -1.0]) {
                    let Some(body) = body else { continue };
                    let arm = |point| cross(minus(point, self.bodies[body].centre), direction);
                    let (moves, turns) = at.map_or(([0.0; 3], direction), |point| (direction, arm(point)));
                    let entries: Vec<f64> = if self.planar {
                        vec![moves[0], moves[2], turns[1]]
                    } else {
                        moves.iter().chain(&turns).copied().collect()
                    };
                    for (i, value) in entries.into_iter().enumerate().filter(|(_, value)| *value != 0.0) {
                        H.push(((per_body * body + i) as u32, column, sign * value));
                    }
                }
                column += 1;
            };
        for &(a, b, point) in &self.joints {
            for axis in 0..3 {
                let mut direction = [0.0; 3];
                direction[axis] = 1.0;
                row(&mut H, a, Some(b), Some(point), direction);
                laws.push(Law::bilateral());
            }
        }
        for touch in &self.touches {
            let [t1, t2] = tangents(touch.normal, self.planar);
            row(&mut H, touch.body, touch.other, Some(touch.point), touch.normal);
            row(&mut H, touch.body, touch.other, Some(touch.point), t1);
            if self.planar {
                laws.push(Law::planar_coulomb(touch.friction));
            } else {
                row(&mut H, touch.body, touch.other, Some(touch.point), t2);
                let friction = touch.friction;
                laws.push(match self.rolling {
                    Some(rolling) => Law::spatial_rolling(friction, rolling),
                    None => Law::spatial_coulomb(friction),
                });
            }
            if self.rolling.is_some() {
                row(&mut H, touch.body, touch.other, None, t1);
                row(&mut H, touch.body, touch.other, None, t2);
            }
        }
        let columns = column as usize;
        GlobalProblem {
            M: SparseMatrix::from_triplets(n, n, M),
            H: SparseMatrix::from_triplets(n, columns, H),
            f,
            b: vec![0.0; columns],
            laws,
        }
    }
}

/// Two directions at right angles to the normal; in the plane the first lies in it.
fn tangents(normal: Vec3, planar: bool) -> [Vec3; 2] {
    if planar {
        return [[normal[2], 0.0, -normal[0]], [0.0, 1.0, 0.0]];
    }
    let helper = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let t1 = unit(cross(normal, helper));
    [t1, cross(normal, t1)]
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn minus(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn plus(a: Vec3, scale: f64, b: Vec3) -> Vec3 {
    [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]]
}

pub(super) fn length(a: Vec3) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

pub(super) fn unit(a: Vec3) -> Vec3 {
    let norm = length(a);
    [a[0] / norm, a[1] / norm, a[2] / norm]
}
