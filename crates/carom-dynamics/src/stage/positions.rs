//! The position level: joints and contacts brought to Φ = 0 and g ≥ 0 with the operator of the velocities.
//!
//! ```text
//!   K (δξ, −δμ_b) = (r + W_N μ, c),       0 ≤ g + W_Nᵀ δξ  ⊥  μ − μ_least ≥ 0
//! ```
//!
//! K, W_N and so X = L⁻¹ W and Ŵ are those of the velocity problem solved last; only the normal rows take part.

use super::{ContactStage, watch};
use crate::{ContactKind, StepError};
use carom_solve::{BlockMatrix, ContactProblem, Delassus, Law, SolveStatus, SquareMatrix};

/// Ŵ, free gaps, laws and multipliers of the normal rows.
#[derive(Debug, Default)]
pub(super) struct PositionProblem {
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
    /// Closes a contact that is not active, until the step ends. `prepare` must follow.
    pub fn close(&mut self, contact: usize) {
        if let Err(place) = self.active.binary_search(&contact) {
            self.active.insert(place, contact);
        }
    }

    /// Whether a contact may open: it is no joint that rubs.
    pub fn has_gap(&self, contact: usize) -> bool {
        !matches!(self.kinds[contact], ContactKind::Dry { .. })
    }

    /// (row of W, contact) of the active contacts that have a gap.
    pub fn normals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut next = 0;
        self.active.iter().filter_map(move |&contact| {
            let row = next;
            next += self.kinds[contact].dim();
            self.has_gap(contact).then_some((row, contact))
        })
    }

    /// Impulse of an active row.
    pub fn impulse(&self, row: usize) -> f64 {
        self.P[row]
    }

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
        self.substitute_forward(xi, c);
        let mut problem = std::mem::take(&mut self.positions);
        problem.normals.clear();
        problem.normals.extend(self.normals());
        let outcome = self.push_out(t, &mut problem, gap, least, mu);
        self.positions = problem;
        outcome?;
        self.substitute_backward(xi, c);
        Ok(())
    }

    /// Solves for μ and adds X μ to y.
    fn push_out(
        &mut self,
        t: f64,
        problem: &mut PositionProblem,
        gap: &[f64],
        least: &[f64],
        mu: &mut [f64],
    ) -> Result<(), StepError> {
        let PositionProblem { normals, W_hat, blocks, g_free, laws, mu: above } = problem;
        if normals.is_empty() {
            return Ok(());
        }
        let (ldl, rows) = (self.operator.ldl(), self.W.rows());
        g_free.clear();
        laws.clear();
        above.clear();
        for &(_, contact) in normals.iter() {
            g_free.push(gap[contact]);
            laws.push(Law::unilateral());
            above.push((mu[contact] - least[contact]).max(0.0));
        }
        // the normal rows of Ŵ; g_free = g + Ŵ μ_least + Xᵀ D⁻¹ y
        if self.by_blocks {
            self.sparse.normals(normals.iter().map(|&(row, _)| row), blocks);
            for (i, &(row, _)) in normals.iter().enumerate() {
                let g = &mut g_free[i];
                for (j, w) in blocks.row(i) {
                    *g += w[0] * least[normals[j].1];
                }
                for (place, x) in self.sparse.column(row) {
                    *g += x * (self.y[place] * ldl.d_inv(place));
                }
            }
        } else {
            W_hat.resize(normals.len());
            for (i, &(row, _)) in normals.iter().enumerate() {
                for (j, &(other, its_contact)) in normals.iter().enumerate() {
                    W_hat[(i, j)] = self.W_hat[(row, other)];
                    g_free[i] += self.W_hat[(row, other)] * least[its_contact];
                }
            }
            for (place, y) in self.y.iter().enumerate() {
                if self.touched[place] {
                    let y_d = y * ldl.d_inv(place);
                    for (g, &(row, _)) in g_free.iter_mut().zip(normals.iter()) {
                        *g += self.X[place * rows + row] * y_d;
                    }
                }
            }
        }
        let W_hat: &dyn Delassus = if self.by_blocks { blocks } else { W_hat };
        let residual = self.work.residual;
        let problem = ContactProblem { W_hat, U_free: g_free, laws };
        let report = self.solver.solve(&problem, above);
        watch::show(&mut self.watch, (t, self.step), problem, above, report);
        self.count(&report);
        self.work.residual = residual.max(report.residual);
        if report.status != SolveStatus::Converged {
            // the deepest contact is the one to look at
            let deepest = (0..g_free.len()).min_by(|&i, &j| g_free[i].total_cmp(&g_free[j])).unwrap_or(0);
            return Err(StepError::Contact {
                t,
                contact: normals[deepest].1,
                solver: report.solver,
                residual: report.residual,
                iterations: report.iterations,
            });
        }
        for (&(_, contact), above) in normals.iter().zip(above.iter()) {
            mu[contact] = least[contact] + above;
        }
        if self.by_blocks {
            for &(row, contact) in normals.iter() {
                for (place, x) in self.sparse.column(row) {
                    self.y[place] += x * mu[contact];
                }
            }
            return Ok(());
        }
        for place in 0..self.y.len() {
            if self.touched[place] {
                let x = &self.X[place * rows..(place + 1) * rows];
                self.y[place] += normals.iter().map(|&(row, contact)| x[row] * mu[contact]).sum::<f64>();
            }
        }
        Ok(())
    }

    /// out += W_N μ, μ with one number per contact of the system.
    pub fn add_normals(&self, mu: &[f64], out: &mut [f64]) {
        for (row, contact) in self.normals() {
            let (columns, values) = self.W.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                out[column as usize] += w * mu[contact];
            }
        }
    }
}
