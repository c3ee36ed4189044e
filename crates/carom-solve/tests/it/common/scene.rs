//! Rigid bodies in space that touch: problems by blocks with the structure of real ones, from fixed seeds.
#![allow(non_snake_case, dead_code, missing_docs)]

use super::Seeded;
use carom_solve::{BlockMatrix, ContactProblem, Law};
use std::collections::BTreeMap;

type V3 = [f64; 3];

pub struct Body {
    pub at: V3,
    pub inverse_mass: f64,
    pub inverse_inertia: f64,
    pub v: V3,
    pub spin: V3,
}

/// A point of contact with its normal, on body a and against b (none: the ground).
pub struct Touch {
    pub a: usize,
    pub b: Option<usize>,
    pub at: V3,
    pub normal: V3,
    pub friction: f64,
}

#[derive(Default)]
pub struct Scene {
    pub bodies: Vec<Body>,
    pub touches: Vec<Touch>,
}

pub struct BlockProblem {
    pub name: String,
    pub W_hat: BlockMatrix,
    pub U_free: Vec<f64>,
    pub laws: Vec<Law>,
}

impl BlockProblem {
    pub fn as_problem(&self) -> ContactProblem<'_> {
        ContactProblem { W_hat: &self.W_hat, U_free: &self.U_free, laws: &self.laws }
    }
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(a: V3) -> V3 {
    let norm = dot(a, a).sqrt();
    a.map(|x| x / norm)
}

impl Scene {
    pub fn body(&mut self, at: V3, mass: f64, size: f64, v: V3, spin: V3) -> usize {
        let inverse_inertia = 2.5 / (mass * size * size);
        self.bodies.push(Body { at, inverse_mass: 1.0 / mass, inverse_inertia, v, spin });
        self.bodies.len() - 1
    }

    pub fn touch(&mut self, a: usize, b: Option<usize>, at: V3, normal: V3, friction: f64) {
        self.touches.push(Touch { a, b, at, normal: unit(normal), friction });
    }

    /// Ŵ_cd = Σ over shared bodies of G_c M⁻¹ G_dᵀ, U_free = G v; the tangent frame of every contact turned by `turn`.
    pub fn problem(&self, name: &str, turn: f64) -> BlockProblem {
        let mut of_body: Vec<Vec<(usize, [[f64; 6]; 3])>> =
            (0..self.bodies.len()).map(|_| Vec::new()).collect();
        let mut U_free = vec![0.0; 3 * self.touches.len()];
        for (c, touch) in self.touches.iter().enumerate() {
            let n = touch.normal;
            let other = if n[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let (t1, (s, k)) = (unit(cross(n, other)), turn.sin_cos());
            let t2 = cross(n, t1);
            let turned: V3 = std::array::from_fn(|i| k * t1[i] + s * t2[i]);
            for (body, sign) in [(Some(touch.a), 1.0), (touch.b, -1.0)] {
                let Some(b) = body else { continue };
                let body = &self.bodies[b];
                let arm: V3 = std::array::from_fn(|i| touch.at[i] - body.at[i]);
                let mut G = [[0.0; 6]; 3];
                for (row, e) in G.iter_mut().zip([n, turned, cross(n, turned)]) {
                    let moment = cross(arm, e);
                    *row = std::array::from_fn(|i| sign * if i < 3 { e[i] } else { moment[i - 3] });
                }
                for i in 0..3 {
                    let twist = [body.v[0], body.v[1], body.v[2], body.spin[0], body.spin[1], body.spin[2]];
                    U_free[3 * c + i] += G[i].iter().zip(twist).map(|(g, v)| g * v).sum::<f64>();
                }
                of_body[b].push((c, G));
            }
        }
        let mut blocks: BTreeMap<(usize, usize), [f64; 9]> = BTreeMap::new();
        for (body, list) in self.bodies.iter().zip(&of_body) {
            for (c, G) in list {
                for (d, H) in list {
                    let block = blocks.entry((*c, *d)).or_insert([0.0; 9]);
                    for i in 0..3 {
                        for j in 0..3 {
                            block[3 * i + j] += (0..6)
                                .map(|k| {
                                    let m = if k < 3 { body.inverse_mass } else { body.inverse_inertia };
                                    G[i][k] * m * H[j][k]
                                })
                                .sum::<f64>();
                        }
                    }
                }
            }
        }
        let dims = vec![3; self.touches.len()];
        let given = blocks.iter().map(|(&(c, d), block)| (c, d, &block[..]));
        let W_hat = BlockMatrix::from_blocks(&dims, given).expect("blocks of three rows");
        let law = |touch: &Touch| Law::spatial_coulomb(touch.friction);
        BlockProblem { name: name.into(), W_hat, U_free, laws: self.touches.iter().map(law).collect() }
    }
}

/// Boxes on top of each other, four contacts per face; masses grow by this factor upwards.
pub fn stack(rng: &mut Seeded, height: usize, growth: f64, friction: f64) -> Scene {
    let mut scene = Scene::default();
    for k in 0..height {
        let v = [0.3 * rng.next(), 0.3 * rng.next(), -0.1];
        let spin = [0.1 * rng.next(), 0.1 * rng.next(), 0.1 * rng.next()];
        let a = scene.body([0.0, 0.0, k as f64 + 0.5], growth.powi(k as i32), 1.0, v, spin);
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            scene.touch(a, a.checked_sub(1), [x, y, k as f64], [0.0, 0.0, 1.0], friction);
        }
    }
    scene
}

/// A wall of bricks in running bond: each stands on two, with two contacts on each.
pub fn wall(rng: &mut Seeded, wide: usize, high: usize, friction: f64) -> Scene {
    let mut scene = Scene::default();
    let mut below: Vec<usize> = Vec::new();
    for k in 0..high {
        let shift = if k % 2 == 0 { 0.0 } else { 0.5 };
        let mut row = Vec::new();
        for i in 0..wide {
            let x = i as f64 + shift;
            let v = [0.05 * rng.next(), 0.05 * rng.next(), -0.1];
            let a = scene.body(
                [x, 0.0, 0.5 * k as f64 + 0.25],
                1.0,
                0.6,
                v,
                [0.02 * rng.next(), 0.0, 0.02 * rng.next()],
            );
            for (half, dx) in [(0, -0.25), (1, 0.25)] {
                let under = if k == 0 {
                    None
                } else {
                    // the outermost bricks overhang
                    match (i + half + k % 2).checked_sub(1).and_then(|index| below.get(index)) {
                        Some(&brick) => Some(brick),
                        None => continue,
                    }
                };
                for y in [-0.2, 0.2] {
                    scene.touch(a, under, [x + dx, y, 0.5 * k as f64], [0.0, 0.0, 1.0], friction);
                }
            }
            row.push(a);
        }
        below = row;
    }
    scene
}

/// Spheres on a shaken cubic lattice, each touching those around it and the floor, falling.
pub fn packing(rng: &mut Seeded, side: usize, friction: f64, masses: f64) -> Scene {
    let mut scene = Scene::default();
    let index = |x: usize, y: usize, z: usize| (z * side + y) * side + x;
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let at = [x as f64, y as f64, z as f64].map(|c| c + 0.1 * rng.next());
                let v = [0.2 * rng.next(), 0.2 * rng.next(), -0.3 + 0.2 * rng.next()];
                let spin = [rng.next(), rng.next(), rng.next()];
                scene.body(at, (masses * rng.next()).exp(), 0.5, v, spin);
            }
        }
    }
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let a = index(x, y, z);
                if z == 0 {
                    let at = scene.bodies[a].at;
                    scene.touch(a, None, [at[0], at[1], at[2] - 0.5], [0.0, 0.0, 1.0], friction);
                }
                for (dx, dy, dz) in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)] {
                    let (i, j, k) = (x + dx, y + dy, z + dz);
                    if i < side && j < side && k < side {
                        let b = index(i, j, k);
                        let (p, q) = (scene.bodies[a].at, scene.bodies[b].at);
                        let normal: V3 = std::array::from_fn(|m| p[m] - q[m]);
                        scene.touch(
                            a,
                            Some(b),
                            std::array::from_fn(|m| 0.5 * (p[m] + q[m])),
                            normal,
                            friction,
                        );
                    }
                }
            }
        }
    }
    scene
}

/// Bodies with contacts at random points in random directions against each other and the ground.
pub fn tangle(rng: &mut Seeded, bodies: usize, touches: usize, friction: f64) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..bodies {
        let random = |rng: &mut Seeded| [rng.next(), rng.next(), rng.next()];
        let (at, v, spin) = (random(rng), random(rng), random(rng));
        scene.body(at, (2.0 * rng.next()).exp(), 0.5, v, spin);
    }
    for _ in 0..touches {
        let a = ((rng.unit() * bodies as f64) as usize).min(bodies - 1);
        let b = ((rng.unit() * (bodies + 1) as f64) as usize).min(bodies);
        let b = (b < bodies && b != a).then_some(b);
        let c = scene.bodies[a].at;
        let at = c.map(|c| c + 0.5 * rng.next());
        // the ground is below, other bodies anywhere: against the ground alone every body can leave
        let normal = match b {
            None => [0.5 * rng.next(), 0.5 * rng.next(), 1.0],
            Some(b) => {
                let other = scene.bodies[b].at;
                std::array::from_fn(|i| c[i] - other[i] + 0.2 * rng.next())
            }
        };
        let friction = friction * rng.unit();
        scene.touch(a, b, at, normal, friction);
    }
    scene
}

/// The whole set, small to middling, without those that have no answer.
pub fn set(seed: u64, rounds: usize) -> Vec<BlockProblem> {
    let mut rng = Seeded(seed);
    let mut all = Vec::new();
    for k in 0..rounds {
        let mu = [0.0, 0.1, 0.3, 0.6, 0.9][k % 5];
        let height = 1 + k % 7;
        all.push(stack(&mut rng, height, 1.0, mu).problem(&format!("stack {height} mu {mu}"), 0.0));
        all.push(stack(&mut rng, 3, 10.0, mu).problem(&format!("heavy stack mu {mu}"), 0.0));
        all.push(wall(&mut rng, 3 + k % 4, 2 + k % 5, mu).problem(&format!("wall {k} mu {mu}"), 0.0));
        let side = 2 + k % 3;
        all.push(packing(&mut rng, side, mu, 0.3).problem(&format!("packing {side} mu {mu}"), 0.0));
        all.push(packing(&mut rng, 3, mu, 3.0).problem(&format!("uneven packing mu {mu}"), 0.0));
        let bodies = 1 + k % 9;
        let loose = tangle(&mut rng, bodies, 2 * bodies, mu);
        all.push(loose.problem(&format!("loose tangle {bodies} mu {mu}"), 0.0));
        let tight = tangle(&mut rng, bodies, 5 * bodies, mu);
        all.push(tight.problem(&format!("tight tangle {bodies} mu {mu}"), 0.0));
    }
    all
}

/// Some hundred to some thousand contacts.
pub fn large(seed: u64) -> Vec<BlockProblem> {
    let mut rng = Seeded(seed);
    let mut all = Vec::new();
    for mu in [0.0, 0.3, 0.7] {
        all.push(stack(&mut rng, 60, 1.0, mu).problem(&format!("tall stack mu {mu}"), 0.0));
        all.push(wall(&mut rng, 20, 20, mu).problem(&format!("large wall mu {mu}"), 0.0));
        all.push(packing(&mut rng, 6, mu, 0.3).problem(&format!("packing 6 mu {mu}"), 0.0));
        all.push(packing(&mut rng, 9, mu, 0.3).problem(&format!("packing 9 mu {mu}"), 0.0));
        all.push(tangle(&mut rng, 200, 500, mu).problem(&format!("large tangle mu {mu}"), 0.0));
    }
    all
}
