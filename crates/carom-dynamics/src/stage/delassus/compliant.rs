//! Joints and contacts of a step whose reactions move velocities and positions unequally.
//!
//! ```text
//!   v_{n+1} = v + y + σ (w − w_old),      Â y = r + s (Ḡᵀ δP_b + W P),      w = M⁻¹ (Ḡᵀ P_b + W P),     s = 1 − σ
//!   G v_{n+1} + ∂Φ/∂t = 0,                law(Wᵀ v_{n+1} + bias + shift, P)
//! ```
//!
//! y is what the positions move by, over c_a/c_v. With P' = s P and ε = σ/s the joints are a saddle point with
//! E = ε Ḡ M⁻¹ Ḡᵀ (`operator/compliance.rs`), a contact is the column F = (W, −ε Ḡ M⁻¹ W) of it, and
//!
//! ```text
//!   Ŵ = s (Fᵀ K⁻¹ F + ε Wᵀ M⁻¹ W),
//! ```
//!
//! symmetric and positive. It is exact for any stiffness, where leaving σ out would ask for reactions that are too large
//! by the stiffness of the step.

use super::{ContactStage, substitute, symmetric_delassus};
use crate::{Directions, StepError};

/// M⁻¹ W, column by column, and a column of W.
#[derive(Debug, Default)]
pub(super) struct Unequal {
    M_inv_W: Vec<f64>,
    column: Vec<f64>,
    F: Directions,
}

impl ContactStage {
    /// Finds y, δP_b and P. On entry `dv` = r and `dP_b` = c; the law holds for `v` + y + σ M⁻¹ (Ḡᵀ δP_b + W P), and
    /// so does c. On return `dv` = y.
    pub fn solve_unequal(
        &mut self,
        t: f64,
        v: &[f64],
        sigma: f64,
        dv: &mut [f64],
        dP_b: &mut [f64],
    ) -> Result<(), StepError> {
        let share = 1.0 - sigma;
        let epsilon = sigma / share;
        self.substitute_forward(dv, dP_b);
        let rows = if self.active.is_empty() { 0 } else { self.W.rows() };
        if rows > 0 {
            self.extend_columns(epsilon);
            let ldl = self.operator.ldl();
            substitute(ldl, &self.unequal.F, rows, &mut self.X, &mut self.touched);
            self.by_blocks = false;
            self.W_hat.resize(rows);
            self.U_free.clear();
            for row in 0..rows {
                self.U_free.push(self.W.velocity(row, v) + self.shift[row]);
            }
            symmetric_delassus(ldl, (&self.X, &self.touched), &self.y, &mut self.W_hat, &mut self.U_free);
            let n = self.operator.nv();
            for i in 0..rows {
                let (columns, values) = self.W.row(i);
                for j in 0..rows {
                    let m = &self.unequal.M_inv_W[j * n..(j + 1) * n];
                    let mut sum = 0.0;
                    for (&column, w) in columns.iter().zip(values) {
                        sum += w * m[column as usize];
                    }
                    self.W_hat[(i, j)] = share * (self.W_hat[(i, j)] + epsilon * sum);
                }
            }
            self.solve_problem(t, v)?;
            for (place, y) in self.y.iter_mut().enumerate() {
                if self.touched[place] {
                    let x = &self.X[place * rows..(place + 1) * rows];
                    *y += share * x.iter().zip(&self.P).map(|(x, p)| x * p).sum::<f64>();
                }
            }
        }
        self.substitute_backward(dv, dP_b);
        for P in dP_b {
            *P /= share;
        }
        Ok(())
    }

    /// F = (W, −ε Ḡ M⁻¹ W).
    fn extend_columns(&mut self, epsilon: f64) {
        let (n, nc, rows) = (self.operator.nv(), self.operator.nc(), self.W.rows());
        let unequal = &mut self.unequal;
        unequal.M_inv_W.resize(n * rows, 0.0);
        unequal.column.resize(n.max(nc), 0.0);
        unequal.F.clear();
        for row in 0..rows {
            let (columns, values) = self.W.row(row);
            let column = &mut unequal.column[..n];
            column.fill(0.0);
            unequal.F.begin_row(0.0);
            for (&i, &w) in columns.iter().zip(values) {
                column[i as usize] += w;
                unequal.F.push(i as usize, w);
            }
            let m = &mut unequal.M_inv_W[row * n..(row + 1) * n];
            self.operator.solve_reaction_mass(column, m);
            let along = &mut unequal.column[..nc];
            self.operator.along_joints(m, along);
            for (joint, &g) in along.iter().enumerate() {
                if g != 0.0 {
                    unequal.F.push(n + joint, -epsilon * g);
                }
            }
        }
    }
}
