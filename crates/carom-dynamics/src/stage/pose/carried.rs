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

use super::ContactStage;
use crate::ContactKind;

impl ContactStage {
    /// After [`Self::prepare`]: the law holds for the impulses to be found and `scale` times λ together, λ with the rows of
    /// all contacts.
    pub fn carry(&mut self, scale: f64, lambda: &[f64]) {
        self.carried.clear();
        for &contact in &self.active {
            let from = self.offset[contact];
            let dim = self.kinds[contact].dim();
            let dry = matches!(self.kinds[contact], ContactKind::Dry { .. });
            for i in 0..dim {
                self.carried.push(if dry { 0.0 } else { scale * lambda[from + i] });
            }
        }
    }

    /// After [`Self::prepare`]: contacts that leave are asked for U + U_i.
    pub fn let_leave(&mut self) {
        let mut row = 0;
        for &contact in &self.active {
            if !matches!(self.kinds[contact], ContactKind::Dry { .. }) {
                self.shift[row] = self.U_minus[row].max(0.0);
            }
            row += self.kinds[contact].dim();
        }
    }

    /// The law holds for the impulses to be found and the velocities again.
    pub fn carry_nothing(&mut self) {
        self.carried.clear();
        self.shift.fill(0.0);
    }

    /// P_0 of an active row.
    pub(super) fn carried(&self, row: usize) -> f64 {
        self.carried.get(row).copied().unwrap_or(0.0)
    }

    /// P_0 + P in the place of P, and U_free − Ŵ P_0 in that of U_free.
    pub(super) fn count_in_carried(&mut self) {
        for (row, U_free) in self.U_free.iter_mut().enumerate() {
            for (column, &P_0) in self.carried.iter().enumerate() {
                if P_0 != 0.0 {
                    let W_hat = if self.by_blocks {
                        carom_solve::Delassus::entry(&self.sparse.W_hat, row, column)
                    } else {
                        self.W_hat[(row, column)]
                    };
                    *U_free -= W_hat * P_0;
                }
            }
        }
        for (P, P_0) in self.P.iter_mut().zip(&self.carried) {
            *P += P_0;
        }
    }

    /// P alone.
    pub(super) fn count_out_carried(&mut self) {
        for (P, P_0) in self.P.iter_mut().zip(&self.carried) {
            *P -= P_0;
        }
    }
}
