//! Contacts that press in the middle of a step and are asked at its end.
//!
//! ```text
//!   impulses W(q̄) P,      law(U + e ∘ U⁻, P) with U = W(q_{n+1})ᵀ v_{n+1}
//! ```
//!
//! Ŵ stays symmetric, with W(q̄) on both sides; U is made right by what the two differ by at the iterate, which is found
//! anew in every iteration.
//!
//! A contact that leaves, U⁻ > 0, while it is still closed may be pushed by its neighbours' waves. With the restitution e its
//! impulse would do the work ½ (1 − e) U⁻ P > 0: a soft block on its edge, whose vibrations the step does not resolve, gained
//! 40 % of its energy so. Such a contact may come back as fast as it left, e = 1, which does no work.

use super::ContactStage;
use crate::{Configuration, ContactKind, System};

impl ContactStage {
    /// W in the middle, and the law shifted to the velocities v at the end.
    pub fn evaluate_central(
        &mut self,
        system: &dyn System,
        middle: &Configuration,
        end: &Configuration,
        v: &[f64],
    ) {
        if self.active.is_empty() {
            return;
        }
        self.W.clear();
        system.directions(middle, &self.active, &mut self.W);
        self.F.clear();
        system.directions(end, &self.active, &mut self.F);
        self.split = false;
        let mut row = 0;
        for &contact in &self.active {
            let kind = &self.kinds[contact];
            for i in 0..kind.dim() {
                let e = match (kind, i) {
                    (ContactKind::Dry { .. }, _) => 0.0,
                    // leaves by itself
                    (_, 0) if self.U_minus[row] > 0.0 => 1.0,
                    (_, 0) => kind.restitution(),
                    _ => kind.tangential_restitution(),
                };
                let moved = self.F.velocity(row, v) - self.W.velocity(row, v);
                self.shift[row] = e * self.U_minus[row] + moved;
                row += 1;
            }
        }
    }

    /// From now on the directions are those at the end.
    pub fn leave_middle(&mut self) {
        if !self.active.is_empty() {
            std::mem::swap(&mut self.W, &mut self.F);
        }
    }
}
