//! The position level: joints and contacts brought to Φ = 0 and g ≥ 0 with the operator of the velocities.
//!
//! ```text
//!   K (δξ, −δμ_b) = (r + W_N μ, c),       0 ≤ g + W_Nᵀ δξ  ⊥  μ − μ_least ≥ 0
//! ```
//!
//! K, W_N and so X = L⁻¹ W and Ŵ are those of the velocity problem solved last; only the normal rows take part.

use super::{Form, Forward};
use crate::StepError;
use crate::stage::ContactStage;
use crate::stage::solve::{Solver, converged};
use carom_solve::{BlockMatrix, ContactProblem, Delassus, Law, SquareMatrix};

/// Ŵ, free gaps, laws and multipliers of the normal rows.
#[derive(Debug, Default)]
pub(in crate::stage) struct PositionProblem {
    /// (row of W, contact) of the active contacts that have a gap.
    normals: Vec<(usize, usize)>,
    W_hat: SquareMatrix,
    /// Ŵ in place of the full one if that of the velocities is by blocks.
    blocks: BlockMatrix,
    g_free: Vec<f64>,
    laws: Vec<Law>,
    /// μ − μ_least.
    mu: Vec<f64>,
}

impl PositionProblem {
    /// With room for so many contacts.
    pub fn with_room(contacts: usize) -> Self {
        Self {
            normals: Vec::with_capacity(contacts),
            W_hat: SquareMatrix::zeros(0),
            blocks: BlockMatrix::default(),
            g_free: Vec::with_capacity(contacts),
            laws: Vec::with_capacity(contacts),
            mu: Vec::with_capacity(contacts),
        }
    }
}

impl ContactStage {
    /// Finds δξ and μ after a velocity problem with the same active contacts. On entry `xi` = r and `c`; on return `xi`
    /// = δξ. `gap`, `least` and `mu` have one number per contact of the system; `mu` comes in as first guess.
    pub fn solve_positions(
        &mut self,
        t: f64,
        gap: &[f64],
        least: &[f64],
        mu: &mut [f64],
        xi: &mut [f64],
        c: &mut [f64],
    ) -> Result<(), StepError> {
        let problem = &mut self.positions;
        problem.normals.clear();
        problem.normals.extend(self.set.normals());
        let mut forward = self.delassus.forward(&mut self.operator, xi, c);
        if !problem.normals.is_empty() {
            problem.begin(gap, least, mu);
            forward.form_normals(problem, least);
            problem.solve(t, forward.d.form, &mut self.solver)?;
            for (&(_, contact), above) in problem.normals.iter().zip(&problem.mu) {
                mu[contact] = least[contact] + above;
            }
            forward.add_normals(&problem.normals, mu);
        }
        forward.backward(xi, c);
        Ok(())
    }
}

impl PositionProblem {
    /// Gaps, laws and first guesses.
    fn begin(&mut self, gap: &[f64], least: &[f64], mu: &[f64]) {
        self.g_free.clear();
        self.laws.clear();
        self.mu.clear();
        for &(_, contact) in &self.normals {
            self.g_free.push(gap[contact]);
            self.laws.push(Law::unilateral());
            self.mu.push((mu[contact] - least[contact]).max(0.0));
        }
    }

    fn solve(&mut self, t: f64, form: Form, solver: &mut Solver) -> Result<(), StepError> {
        let residual = solver.work.residual;
        let W_hat: &dyn Delassus = match form {
            Form::Dense => &self.W_hat,
            Form::Blocks => &self.blocks,
        };
        let problem = ContactProblem { W_hat, U_free: &self.g_free, laws: &self.laws };
        let report = solver.solve(t, problem, &mut self.mu);
        solver.work.residual = residual.max(report.residual);
        // the deepest contact is the one to look at
        let g = &self.g_free;
        let deepest = || (0..g.len()).min_by(|&i, &j| g[i].total_cmp(&g[j])).unwrap_or(0);
        converged(t, &report, || self.normals[deepest()].1)
    }
}

impl Forward<'_> {
    /// The normal rows of Ŵ; g_free = g + Ŵ μ_least + Xᵀ D⁻¹ y.
    fn form_normals(&mut self, problem: &mut PositionProblem, least: &[f64]) {
        let (d, ldl) = (&mut *self.d, self.operator.ldl());
        let PositionProblem { normals, W_hat, blocks, g_free, .. } = problem;
        match d.form {
            Form::Blocks => {
                d.blocks.normals(normals.iter().map(|&(row, _)| row), blocks);
                for (i, &(row, _)) in normals.iter().enumerate() {
                    let g = &mut g_free[i];
                    for (j, w) in blocks.row(i) {
                        *g += w[0] * least[normals[j].1];
                    }
                    for (place, x) in d.blocks.column(row) {
                        *g += x * (d.y[place] * ldl.d_inv(place));
                    }
                }
            }
            Form::Dense => {
                W_hat.resize(normals.len());
                for (i, &(row, _)) in normals.iter().enumerate() {
                    for (j, &(other, its_contact)) in normals.iter().enumerate() {
                        W_hat[(i, j)] = d.dense.W_hat[(row, other)];
                        g_free[i] += d.dense.W_hat[(row, other)] * least[its_contact];
                    }
                }
                for (place, y) in d.y.iter().enumerate() {
                    if let Some(x) = d.dense.line(place) {
                        let y_d = y * ldl.d_inv(place);
                        for (g, &(row, _)) in g_free.iter_mut().zip(normals.iter()) {
                            *g += x[row] * y_d;
                        }
                    }
                }
            }
        }
    }

    /// y += X_N μ.
    fn add_normals(&mut self, normals: &[(usize, usize)], mu: &[f64]) {
        let d = &mut *self.d;
        match d.form {
            Form::Blocks => {
                for &(row, contact) in normals {
                    for (place, x) in d.blocks.column(row) {
                        d.y[place] += x * mu[contact];
                    }
                }
            }
            Form::Dense => {
                for (place, y) in d.y.iter_mut().enumerate() {
                    if let Some(x) = d.dense.line(place) {
                        *y += normals.iter().map(|&(row, contact)| x[row] * mu[contact]).sum::<f64>();
                    }
                }
            }
        }
    }
}
