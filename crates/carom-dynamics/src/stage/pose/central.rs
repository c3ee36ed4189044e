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

use super::{ContactStage, Force};
use crate::{Configuration, System};

impl ContactStage {
    /// W in the middle, and the law shifted to the velocities v at the end.
    pub fn evaluate_central(
        &mut self,
        system: &dyn System,
        middle: &Configuration,
        end: &Configuration,
        v: &[f64],
    ) {
        if self.set.is_empty() {
            return;
        }
        let pose = &mut self.pose;
        pose.W.clear();
        self.set.contacts.directions(system, middle, self.set.active(), &mut pose.W);
        pose.F.clear();
        self.set.contacts.directions(system, end, self.set.active(), &mut pose.F);
        pose.force = Force::Same;
        for (first, contact) in self.set.each() {
            let kind = self.set.contacts.kind(contact);
            for i in 0..kind.dim() {
                let row = first + i;
                let e = match i {
                    _ if !kind.has_gap() => 0.0,
                    // leaves by itself
                    0 if pose.U_minus[row] > 0.0 => 1.0,
                    0 => kind.restitution(),
                    1 | 2 => kind.tangential_restitution(),
                    // what resists turning gives nothing back
                    _ => 0.0,
                };
                let moved = pose.F.velocity(row, v) - pose.W.velocity(row, v);
                pose.shift[row] = e * pose.U_minus[row] + moved;
            }
        }
    }

    /// From now on the directions are those at the end.
    pub fn leave_middle(&mut self) {
        if !self.set.is_empty() {
            std::mem::swap(&mut self.pose.W, &mut self.pose.F);
        }
    }
}
