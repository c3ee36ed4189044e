//! The law on the impulse of a step whose rule takes part of it from where the step begins.
//!
//! ```text
//!   P_0 + P:  impulse of the step,   P_0 = c λ_i given,   P = c λ_{i+1} unknown
//!   U = Ŵ P + U_free  =  Ŵ (P_0 + P) + (U_free − Ŵ P_0),            law(U + max(U_i, 0), P_0 + P)
//! ```
//!
//! The sum is what pushes; its two parts may have any sign. A contact that is closed and leaves may be asked for U + U_i, twice
//! the mean velocity of a trapezoidal step: then P_0 + P does no work at it, while with U alone it would do ½ U_i (P_0 + P).
//! Joints that rub have their law at each instant, as before.

use super::{ContactStage, Pose};

impl ContactStage {
    /// After [`Self::prepare`]: the law holds for the impulses to be found and `scale` times λ together, λ with the rows of
    /// all contacts.
    pub fn carry(&mut self, scale: f64, lambda: &[f64]) {
        self.pose.carried.clear();
        for (_, contact) in self.set.each() {
            let from = self.set.contacts.first_row(contact);
            let dry = !self.set.contacts.has_gap(contact);
            for lambda in &lambda[from..from + self.set.contacts.dim(contact)] {
                self.pose.carried.push(if dry { 0.0 } else { scale * lambda });
            }
        }
    }

    /// After [`Self::prepare`]: contacts that leave are asked for U + U_i.
    pub fn let_leave(&mut self) {
        for (row, _) in self.set.normals() {
            self.pose.shift[row] = self.pose.U_minus[row].max(0.0);
        }
    }

    /// The law holds for the impulses to be found and the velocities again.
    pub fn carry_nothing(&mut self) {
        self.pose.carried.clear();
        self.pose.shift.fill(0.0);
    }
}

impl Pose {
    /// P_0 of an active row.
    pub fn carried(&self, row: usize) -> f64 {
        self.carried.get(row).copied().unwrap_or(0.0)
    }

    /// Whether impulses are counted in.
    pub fn carries(&self) -> bool {
        !self.carried.is_empty()
    }

    /// P_0 + P in the place of P, and U_free − Ŵ P_0 in that of U_free; `entry(i, j)` is Ŵ_ij.
    pub fn count_in_carried(&mut self, U_free: &mut [f64], entry: impl Fn(usize, usize) -> f64) {
        for (row, U_free) in U_free.iter_mut().enumerate() {
            for (column, &P_0) in self.carried.iter().enumerate() {
                if P_0 != 0.0 {
                    *U_free -= entry(row, column) * P_0;
                }
            }
        }
        for (P, P_0) in self.P.iter_mut().zip(&self.carried) {
            *P += P_0;
        }
    }

    /// P alone.
    pub fn count_out_carried(&mut self) {
        for (P, P_0) in self.P.iter_mut().zip(&self.carried) {
            *P -= P_0;
        }
    }
}
