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

use super::Form;
use crate::stage::ContactStage;
use crate::{Directions, Operator, StepError};

/// M⁻¹ W, column by column, and a column of W.
#[derive(Debug, Default)]
pub(super) struct Compliant {
    M_inv_W: Vec<f64>,
    column: Vec<f64>,
    F: Directions,
}

impl ContactStage {
    /// Finds y, δP_b and P. On entry `dv` = r and `dP_b` = c; the law holds for `v` + y + σ M⁻¹ (Ḡᵀ δP_b + W P), and
    /// so does c. On return `dv` = y.
    pub fn solve_compliant(
        &mut self,
        t: f64,
        v: &[f64],
        sigma: f64,
        dv: &mut [f64],
        dP_b: &mut [f64],
    ) -> Result<(), StepError> {
        let Self { operator, pose, set, delassus, solver, .. } = self;
        let share = 1.0 - sigma;
        let epsilon = sigma / share;
        let rows = pose.rows(set);
        if rows > 0 {
            delassus.compliant.extend(operator, pose.W(), epsilon);
        }
        let forward = delassus.forward(operator, dv, dP_b);
        if rows > 0 {
            let (d, n) = (&mut *forward.d, forward.operator.nv());
            d.U_free.clear();
            d.U_free.extend((0..rows).map(|row| pose.asked(row, v)));
            d.form = Form::Dense;
            d.dense.build_symmetric(forward.operator.ldl(), &d.compliant.F, &d.y, &mut d.U_free);
            let W_hat = &mut d.dense.W_hat;
            for i in 0..rows {
                let (columns, values) = pose.W().row(i);
                for j in 0..rows {
                    let m = &d.compliant.M_inv_W[j * n..(j + 1) * n];
                    let mut sum = 0.0;
                    for (&column, w) in columns.iter().zip(values) {
                        sum += w * m[column as usize];
                    }
                    W_hat[(i, j)] = share * (W_hat[(i, j)] + epsilon * sum);
                }
            }
            d.solve_problem((t, v), (set, pose), solver)?;
            d.dense.add_impulses(share, &pose.P, &mut d.y);
        }
        forward.backward(dv, dP_b);
        for P in dP_b {
            *P /= share;
        }
        Ok(())
    }
}

impl Compliant {
    /// F = (W, −ε Ḡ M⁻¹ W).
    fn extend(&mut self, operator: &mut Operator, W: &Directions, epsilon: f64) {
        let (n, nc, rows) = (operator.nv(), operator.nc(), W.rows());
        self.M_inv_W.resize(n * rows, 0.0);
        self.column.resize(n.max(nc), 0.0);
        self.F.clear();
        for row in 0..rows {
            let (columns, values) = W.row(row);
            let column = &mut self.column[..n];
            column.fill(0.0);
            self.F.begin_row(0.0);
            for (&i, &w) in columns.iter().zip(values) {
                column[i as usize] += w;
                self.F.push(i as usize, w);
            }
            let m = &mut self.M_inv_W[row * n..(row + 1) * n];
            operator.solve_reaction_mass(column, m);
            let along = &mut self.column[..nc];
            operator.along_joints(m, along);
            for (joint, &g) in along.iter().enumerate() {
                if g != 0.0 {
                    self.F.push(n + joint, -epsilon * g);
                }
            }
        }
    }
}
