//! Least changes that close constraints: the normal equations of G in the mass metric.
//!
//! ```text
//!   S = D G M⁻¹ Gᵀ D,   D so that S has a unit diagonal
//!   (S + μ I) λ = D r,    δ = M⁻¹ Gᵀ D λ       the smallest δ in the metric of M with G δ ≈ r
//! ```
//!
//! D makes rows of metres and of radians comparable. μ > 0 lets dependent rows pass. Few rows are factored, many go
//! through conjugate gradients, so that long chains do no dense work.

use crate::geometry::Vector;
use crate::mechanics::Mechanics;
use crate::model::Model;
use carom_dynamics::{Configuration, System};
use carom_linear::sparse::conjugate_gradients;
use std::collections::BTreeMap;

/// Rows up to which S is factored.
const DENSE: usize = 300;

/// Smallest μ: above the round-off of a Cholesky factorisation of a few hundred rows.
pub(crate) const LEAST_MU: f64 = 1e-13;

/// Conjugate gradients end after as many steps as there are rows, times this for what round-off spoils.
const ROUNDS: usize = 20;

/// How much less readily a deformation changes than the frame that floats with it.
const UNBENT: f64 = 1e-6;

/// What conjugate gradients leave of the right-hand side: round-off, with two digits to spare.
const LEAST_RESIDUAL: f64 = 1e-14;

/// Inertia with products: J = L Lᵀ. Without it the change would depend on how the axes lie in the body.
struct Block {
    /// Of its three velocities.
    first: usize,
    /// L⁻¹, lower.
    half: [[f64; 3]; 3],
}

impl Block {
    /// L⁻¹ from the lower triangle of J.
    fn new(first: usize, J: [[f64; 3]; 3]) -> Self {
        let (mut L, mut half) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        for i in 0..3 {
            for j in 0..=i {
                let s = J[i][j] - (0..j).map(|k| L[i][k] * L[j][k]).sum::<f64>();
                L[i][j] = if i == j { s.sqrt() } else { s / L[j][j] };
            }
            half[i][i] = 1.0 / L[i][i];
            for j in 0..i {
                half[i][j] = -(j..i).map(|k| L[i][k] * half[k][j]).sum::<f64>() / L[i][i];
            }
        }
        Self { first, half }
    }

    /// L⁻¹ of the three numbers of x that are its own.
    fn halve(&self, x: &mut [f64]) {
        let x = &mut x[self.first..self.first + 3];
        for i in (0..3).rev() {
            x[i] = (0..=i).map(|k| self.half[i][k] * x[k]).sum();
        }
    }

    /// L⁻ᵀ L⁻¹ of them.
    fn divide(&self, x: &mut [f64]) {
        self.halve(x);
        let x = &mut x[self.first..self.first + 3];
        for i in 0..3 {
            x[i] = (i..3).map(|k| self.half[k][i] * x[k]).sum();
        }
    }
}

/// Rows of G at one configuration.
pub(crate) struct Rows {
    m: usize,
    entries: Vec<(u32, u32)>,
    values: Vec<f64>,
    pub phi_t: Vec<f64>,
    /// 1/M where M is diagonal, 1 where a block takes its place.
    inverse_mass: Vec<f64>,
    /// Blocks of M with products of inertia.
    blocks: Vec<Block>,
    /// D.
    pub row_scale: Vec<f64>,
}

impl Rows {
    pub fn new<S: Mechanics>(model: &Model<S>) -> Self {
        let m = model.structure().sizes.constraints;
        let entries = model.structure().pattern.jacobian.clone();
        let mut inverse_mass: Vec<f64> = model.mass.iter().map(|mass| 1.0 / mass).collect();
        // bodies are moved rather than bent
        for (body, _) in model.flexible().filter(|(_, f)| f.body.floats()) {
            inverse_mass[body.v.start + S::RIGID.1..body.v.end].iter_mut().for_each(|m| *m *= UNBENT);
        }
        let mut blocks: Vec<Block> = Vec::new();
        for &(i, _, _) in &model.products {
            let first = model.body_of(i as usize).v.start + S::V::LEN;
            if blocks.iter().all(|block| block.first != first) {
                let mut J = [[0.0; 3]; 3];
                (0..3).for_each(|k| J[k][k] = model.mass[first + k]);
                for &(i, j, value) in &model.products {
                    let (i, j) = ((i as usize).wrapping_sub(first), (j as usize).wrapping_sub(first));
                    if i < 3 && j < 3 {
                        J[i.max(j)][i.min(j)] = value;
                    }
                }
                inverse_mass[first..first + 3].fill(1.0);
                blocks.push(Block::new(first, J));
            }
        }
        Self {
            m,
            blocks,
            values: vec![0.0; entries.len()],
            entries,
            phi_t: vec![0.0; m],
            inverse_mass,
            row_scale: vec![1.0; m],
        }
    }

    pub fn update(&mut self, model: &Model<impl Mechanics>, at: &Configuration) {
        model.jacobian(at, &mut self.values, &mut self.phi_t);
        let mut diagonal = vec![0.0; self.m];
        for (&(i, j), g) in self.entries.iter().zip(&self.values) {
            diagonal[i as usize] += g * g * self.inverse_mass[j as usize];
        }
        self.diagonal_of_blocks(&mut diagonal);
        for i in 0..self.m {
            self.row_scale[i] = if diagonal[i] > 0.0 { 1.0 / diagonal[i].sqrt() } else { 0.0 };
        }
    }

    /// |L⁻¹ g|² in place of |g|².
    fn diagonal_of_blocks(&self, diagonal: &mut [f64]) {
        if self.blocks.is_empty() {
            return;
        }
        let mut own: BTreeMap<(usize, usize), [f64; 3]> = BTreeMap::new();
        for (i, j, g) in self.entries() {
            let block = self.blocks.partition_point(|block| block.first <= j);
            if block > 0 && j < self.blocks[block - 1].first + 3 {
                own.entry((i, block - 1)).or_default()[j - self.blocks[block - 1].first] += g;
                diagonal[i] -= g * g;
            }
        }
        for ((i, block), g) in own {
            let half = self.blocks[block].half;
            diagonal[i] += half
                .map(|row| row[0] * g[0] + row[1] * g[1] + row[2] * g[2])
                .iter()
                .map(|x| x * x)
                .sum::<f64>();
        }
    }

    /// (row, column, value) of every entry.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.entries.iter().zip(&self.values).map(|(&(i, j), &g)| (i as usize, j as usize, g))
    }

    /// G x.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.m];
        for (i, j, g) in self.entries() {
            out[i] += g * x[j];
        }
        out
    }

    /// M⁻¹ Gᵀ D λ.
    fn spread(&self, lambda: &[f64], n: usize) -> Vec<f64> {
        let mut out = vec![0.0; n];
        for (i, j, g) in self.entries() {
            out[j] += g * self.row_scale[i] * lambda[i];
        }
        for j in 0..n {
            out[j] *= self.inverse_mass[j];
        }
        self.blocks.iter().for_each(|block| block.divide(&mut out));
        out
    }

    /// The δ that takes r away: G δ = r for μ → 0, in the sense of least squares if r is not reachable.
    pub fn correction(&self, r: &[f64], mu: f64) -> Vec<f64> {
        let right: Vec<f64> = r.iter().zip(&self.row_scale).map(|(r, d)| r * d).collect();
        let lambda = if self.m <= DENSE { self.factored(right, mu) } else { self.iterated(&right, mu) };
        self.spread(&lambda, self.inverse_mass.len())
    }

    fn factored(&self, mut x: Vec<f64>, mu: f64) -> Vec<f64> {
        let (m, n) = (self.m, self.inverse_mass.len());
        let mut B = vec![0.0; m * n];
        for (i, j, g) in self.entries() {
            B[i * n + j] += g * self.row_scale[i] * self.inverse_mass[j].sqrt();
        }
        for row in B.chunks_mut(n.max(1)) {
            self.blocks.iter().for_each(|block| block.halve(row));
        }
        let row = |i: usize| &B[i * n..(i + 1) * n];
        // S + μ I = L Lᵀ, row by row.
        let mut L = vec![0.0; m * m];
        for i in 0..m {
            for j in 0..=i {
                let mut s: f64 = row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum();
                if i == j {
                    s += mu;
                }
                for k in 0..j {
                    s -= L[i * m + k] * L[j * m + k];
                }
                // A pivot lost to round-off is a dependent row: μ takes its place.
                L[i * m + j] = if i == j { s.max(mu).sqrt() } else { s / L[j * m + j] };
            }
        }
        for i in 0..m {
            let s: f64 = (0..i).map(|k| L[i * m + k] * x[k]).sum();
            x[i] = (x[i] - s) / L[i * m + i];
        }
        for i in (0..m).rev() {
            let s: f64 = (i + 1..m).map(|k| L[k * m + i] * x[k]).sum();
            x[i] = (x[i] - s) / L[i * m + i];
        }
        x
    }

    /// Conjugate gradients; they stay in the range of S and so give the shortest λ where rows depend.
    fn iterated(&self, right: &[f64], mu: f64) -> Vec<f64> {
        let apply = |p: &[f64]| {
            let mut Sp = self.times(&self.spread(p, self.inverse_mass.len()));
            for i in 0..self.m {
                Sp[i] = Sp[i] * self.row_scale[i] + mu * p[i];
            }
            Sp
        };
        conjugate_gradients(apply, right, LEAST_RESIDUAL, ROUNDS * self.m)
    }
}
