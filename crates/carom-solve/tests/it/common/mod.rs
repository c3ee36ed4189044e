//! What several test files share: the table of known problems, mechanisms that give hard ones, a seeded generator.
#![allow(non_snake_case, dead_code, missing_docs)]

use carom_solve::{Delassus, Law, Normal, SquareMatrix, StoredProblem};
use serde::Deserialize;

pub mod scene;

#[derive(Deserialize)]
pub struct Table {
    pub lemke_pivots: PivotCounts,
    pub lcp: Vec<Lcp>,
    pub friction2d: Vec<Friction>,
    pub friction3d: Vec<Friction>,
}

#[derive(Deserialize)]
pub struct PivotCounts {
    pub n: Vec<usize>,
    pub pivots: Vec<usize>,
}

#[derive(Deserialize)]
pub struct Lcp {
    pub name: String,
    pub p_matrix: bool,
    pub solution_kind: String,
    pub lemke: String,
    pub lemke_pivots: usize,
    pub M: Vec<Vec<f64>>,
    pub q: Vec<f64>,
    pub solutions: Vec<Vec<f64>>,
    #[serde(default)]
    pub reactions: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
pub struct Friction {
    pub name: String,
    pub mu: Vec<f64>,
    pub W: Vec<Vec<f64>>,
    pub q: Vec<f64>,
    pub r: Vec<f64>,
    pub u: Vec<f64>,
}

impl Friction {
    pub fn problem(&self, law: fn(f64) -> Law) -> StoredProblem {
        StoredProblem {
            W_hat: SquareMatrix::from_rows(&self.W),
            U_free: self.q.clone(),
            laws: self.mu.iter().map(|&mu| law(mu)).collect(),
        }
    }
}

pub fn planar(friction: f64) -> Law {
    Law::planar_coulomb(friction)
}

pub fn spatial(friction: f64) -> Law {
    Law::spatial_coulomb(friction)
}

pub fn rolling(friction: f64, rolling: f64) -> Law {
    Law::spatial_rolling(friction, rolling)
}

pub fn table() -> Table {
    toml::from_str(include_str!("../../data/lcp_cases.toml")).expect("the table is well formed")
}

/// U = Ŵ P + U_free.
pub fn velocity(problem: &StoredProblem, P: &[f64]) -> Vec<f64> {
    let mut U = vec![0.0; P.len()];
    problem.W_hat.apply(P, &mut U);
    U.iter().zip(&problem.U_free).map(|(a, b)| a + b).collect()
}

pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// SplitMix64: the same numbers on every machine.
pub struct Seeded(pub u64);

impl Seeded {
    /// Uniform in [−1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        0.5 * (self.next() + 1.0)
    }
}

/// Ŵ = G M⁻¹ Gᵀ and U_free = G v for directions G (rows), inverse masses and a velocity: always a mechanism's problem.
pub fn mechanism(G: &[Vec<f64>], inverse_mass: &[f64], v: &[f64], laws: Vec<Law>) -> StoredProblem {
    let n = G.len();
    let mut W_hat = SquareMatrix::zeros(n);
    for i in 0..n {
        for j in 0..n {
            W_hat[(i, j)] = (0..v.len()).map(|k| G[i][k] * inverse_mass[k] * G[j][k]).sum();
        }
    }
    let U_free = G.iter().map(|g| g.iter().zip(v).map(|(g, v)| g * v).sum()).collect();
    StoredProblem { W_hat, U_free, laws }
}

/// A slider (half length a, half height b) whose four corners touch two parallel walls: 8 rows of rank 3.
pub fn slider_corners(friction: f64, v: [f64; 3]) -> StoredProblem {
    let (m, J, a, b) = (0.4, 0.4 / 3.0 * (0.025 * 0.025 + 0.05 * 0.05), 0.05, 0.025);
    let mut G = Vec::new();
    for (x, y) in [(-a, -b), (a, -b), (-a, b), (a, b)] {
        let side = if y < 0.0 { 1.0 } else { -1.0 };
        G.push(vec![0.0, side, side * x]);
        G.push(vec![1.0, 0.0, -y]);
    }
    mechanism(&G, &[1.0 / m, 1.0 / m, 1.0 / J], &v, vec![planar(friction); 4])
}

/// How far (U, P) is from its laws, row by row from their definitions: no projection, nothing of the crate but the data.
/// Velocities count relative to `speed`, impulses relative to `impulse`.
pub fn law_violation(problem: &StoredProblem, P: &[f64], speed: f64, impulse: f64) -> f64 {
    let U = velocity(problem, P);
    let mut worst = 0.0_f64;
    let mut i = 0;
    for law in &problem.laws {
        let (u, p) = (U[i] / speed, P[i] / impulse);
        match (law.normal(), law.interval()) {
            (Normal::Free, _) => worst = worst.max(u.abs()),
            (_, Some([low, high])) => {
                let (low, high) = (low / impulse, high / impulse);
                worst = worst.max(p - high).max(low - p);
                // Where it moves, P is at the end against U.
                worst = worst.max((u * (p - if u > 0.0 { low } else { high })).abs());
            }
            _ => worst = worst.max(-u).max(-p).max((u * p).abs()),
        }
        let mut disk = |rows: std::ops::Range<usize>, mu: f64| {
            let length = |x: &[f64]| x[rows.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
            let (u_T, p_T) = (length(&U) / speed, length(P) / impulse);
            worst = worst.max(p_T - mu * p);
            // Maximum dissipation: P_T · U_T = −μ P_N |U_T|.
            let power: f64 = rows.clone().map(|k| U[k] * P[k]).sum::<f64>() / speed / impulse;
            worst = worst.max((power + mu * p * u_T).abs());
        };
        law.disks().for_each(|d| disk(i + d.first..i + d.first + d.rows, d.mu));
        i += law.dim();
    }
    worst
}

/// The size of the velocities of a problem, and of the impulses they need.
pub fn energy_scales(problem: &StoredProblem) -> (f64, f64) {
    let n = problem.U_free.len();
    let speed = problem.U_free.iter().fold(0.0_f64, |size, u| size.max(u.abs()));
    let w = (0..n).map(|i| problem.W_hat[(i, i)]).fold(0.0, f64::max);
    (speed, speed / w)
}
