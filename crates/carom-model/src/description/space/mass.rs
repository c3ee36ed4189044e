//! Mass, centre of mass and inertia of solid shapes.
//!
//! ```text
//!   sphere      m = 4/3 π r³ ρ       J = 2/5 m r²
//!   box         m = a b c ρ          J_x = m (b² + c²)/12
//!   cylinder    m = π r² l ρ         J_z = m r²/2,   J_x = m (3 r² + l²)/12
//!   capsule     a cylinder of mass m_c and two half balls of mass m_s in all:
//!               J_z = m_c r²/2 + 2/5 m_s r²,   J_x = m_c (3 r² + l²)/12 + m_s (2/5 r² + l²/4 + 3/8 l r)
//! ```
//!
//! About another point: J + m (|d|² 1 − d dᵀ).

use super::Shape;
use crate::geometry::Vector;
use crate::geometry::space::{M3, V3, axes, matrix_product, turn_z_to};
use std::f64::consts::PI;

/// Mass (kg), centre of mass (m) and inertia about it (kg m²), in one set of axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// m.
    pub mass: f64,
    /// Place of the centre.
    pub center: [f64; 3],
    /// J, about the centre.
    pub inertia: [[f64; 3]; 3],
}

/// A diag(J) Aᵀ.
fn turned(A: &M3, J: V3) -> M3 {
    let scaled: M3 = std::array::from_fn(|i| std::array::from_fn(|j| A[i][j] * J[j]));
    let transposed: M3 = std::array::from_fn(|i| std::array::from_fn(|j| A[j][i]));
    matrix_product(&scaled, &transposed)
}

/// m (|d|² 1 − d dᵀ).
fn shifted(m: f64, d: V3) -> M3 {
    std::array::from_fn(|i| std::array::from_fn(|j| m * (if i == j { d.dot(d) } else { 0.0 } - d[i] * d[j])))
}

impl Shape {
    /// Of the solid with a density; none for holes and walls without end.
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        match *self {
            Shape::Sphere { center, radius: r, hole: false } => {
                let mass = 4.0 / 3.0 * PI * r * r * r * density;
                let J = 0.4 * mass * r * r;
                Some(MassProperties { mass, center, inertia: turned(&axes([1.0, 0.0, 0.0, 0.0]), [J; 3]) })
            }
            Shape::Box { center, size: [a, b, c], ref rotation } => {
                let mass = a * b * c * density;
                let J = [b * b + c * c, a * a + c * c, a * a + b * b].map(|x| mass * x / 12.0);
                let p = rotation.as_ref().and_then(|r| r.quaternion().ok()).unwrap_or([1.0, 0.0, 0.0, 0.0]);
                Some(MassProperties { mass, center, inertia: turned(&axes(p), J) })
            }
            Shape::Cylinder { center, axis, radius: r, length: l, hole: false } => {
                let mass = PI * r * r * l * density;
                let across = mass * (3.0 * r * r + l * l) / 12.0;
                let J = [across, across, 0.5 * mass * r * r];
                Some(MassProperties { mass, center, inertia: turned(&axes(turn_z_to(axis)?), J) })
            }
            Shape::Capsule { from, to, radius: r } => {
                let d: V3 = std::array::from_fn(|i| to[i] - from[i]);
                let l = d.norm();
                let (m_c, m_s) = (PI * r * r * l * density, 4.0 / 3.0 * PI * r * r * r * density);
                let across =
                    m_c * (3.0 * r * r + l * l) / 12.0 + m_s * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
                let J = [across, across, 0.5 * m_c * r * r + 0.4 * m_s * r * r];
                let center = std::array::from_fn(|i| 0.5 * (from[i] + to[i]));
                Some(MassProperties { mass: m_c + m_s, center, inertia: turned(&axes(turn_z_to(d)?), J) })
            }
            _ => None,
        }
    }
}

impl MassProperties {
    /// Of several solids together; none of nothing.
    pub fn sum(parts: &[Self]) -> Option<Self> {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if mass <= 0.0 {
            return None;
        }
        let center: V3 =
            std::array::from_fn(|i| parts.iter().map(|part| part.mass * part.center[i]).sum::<f64>() / mass);
        let mut inertia = [[0.0; 3]; 3];
        for part in parts {
            let shift = shifted(part.mass, std::array::from_fn(|i| part.center[i] - center[i]));
            for i in 0..3 {
                for j in 0..3 {
                    inertia[i][j] += part.inertia[i][j] + shift[i][j];
                }
            }
        }
        Some(Self { mass, center, inertia })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::space::Rotation;

    /// Sums over a fine grid of points inside the shape, by a test of its own.
    fn by_sum(inside: impl Fn(V3) -> bool, half: f64) -> MassProperties {
        const N: usize = 160;
        let step = 2.0 * half / N as f64;
        let place = |i: usize| -half + (i as f64 + 0.5) * step;
        let (mut mass, mut first, mut second) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
        for i in 0..N * N * N {
            let p = [place(i / (N * N)), place(i / N % N), place(i % N)];
            if inside(p) {
                mass += 1.0;
                (0..3).for_each(|k| first[k] += p[k]);
                let shift = shifted(1.0, p);
                (0..9).for_each(|k| second[k / 3][k % 3] += shift[k / 3][k % 3]);
            }
        }
        let cell = step * step * step;
        let center = first.map(|x| x / mass);
        let back = shifted(mass, center);
        let inertia = std::array::from_fn(|i| std::array::from_fn(|j| cell * (second[i][j] - back[i][j])));
        MassProperties { mass: cell * mass, center, inertia }
    }

    fn close(a: &MassProperties, b: &MassProperties) {
        assert!((a.mass / b.mass - 1.0).abs() < 5e-3, "{a:?} {b:?}");
        let size = b.inertia[0][0] + b.inertia[1][1] + b.inertia[2][2];
        for i in 0..3 {
            assert!((a.center[i] - b.center[i]).abs() < 2e-3, "{a:?} {b:?}");
            for j in 0..3 {
                assert!((a.inertia[i][j] - b.inertia[i][j]).abs() < 5e-3 * size, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn solids_weigh_what_their_points_do() {
        let d = [0.3, -0.2, 0.1];
        let minus = |p: V3, c: V3| [p[0] - c[0], p[1] - c[1], p[2] - c[2]];
        let axis = [0.6, 0.0, 0.8];
        let capsule = Shape::Capsule { from: [-0.3, 0.2, 0.1], to: [0.4, 0.1, 0.5], radius: 0.3 };
        let to_segment = |p: V3| {
            let (a, u) = (minus(p, [-0.3, 0.2, 0.1]), [0.7, -0.1, 0.4]);
            let s = (a.dot(u) / u.dot(u)).clamp(0.0, 1.0);
            minus(a, u.map(|x| s * x)).norm()
        };
        close(&capsule.mass_properties(1.0).unwrap(), &by_sum(|p| to_segment(p) < 0.3, 1.0));
        let cylinder =
            Shape::Cylinder { center: d, axis: [3.0, 0.0, 4.0], radius: 0.4, length: 0.9, hole: false };
        let in_cylinder = |p: V3| {
            let a = minus(p, d);
            let z = a.dot(axis);
            z.abs() < 0.45 && a.dot(a) - z * z < 0.16
        };
        close(&cylinder.mass_properties(1.0).unwrap(), &by_sum(in_cylinder, 1.0));
        let rotation = Rotation::about([0.0, 1.0, 0.0], 0.4);
        let block = Shape::Box { center: d, size: [0.5, 0.8, 0.3], rotation: Some(rotation) };
        let in_box = |p: V3| {
            let (s, c) = 0.4f64.sin_cos();
            let a = minus(p, d);
            let b = [c * a[0] - s * a[2], a[1], s * a[0] + c * a[2]];
            b[0].abs() < 0.25 && b[1].abs() < 0.4 && b[2].abs() < 0.15
        };
        close(&block.mass_properties(1.0).unwrap(), &by_sum(in_box, 1.0));
        let both = [block, capsule].map(|s| s.mass_properties(1.0).unwrap());
        let ball = Shape::Sphere { center: d, radius: 0.5, hole: false }.mass_properties(1.0).unwrap();
        close(&ball, &by_sum(|p| minus(p, d).norm() < 0.5, 1.0));
        let sum = MassProperties::sum(&both).unwrap();
        assert!((sum.mass - both[0].mass - both[1].mass).abs() < 1e-15);
        // two balls on a line, as everybody knows it
        let balls = [-1.0, 1.0].map(|x| MassProperties { center: [x, 0.0, 0.0], ..ball });
        let sum = MassProperties::sum(&balls).unwrap();
        assert!((sum.inertia[1][1] - 2.0 * (ball.inertia[1][1] + ball.mass)).abs() < 1e-14);
    }
}
