//! The law asked for how velocities change instead of for velocities.
//!
//! ```text
//!   law(Wᵀ a + bias + asked, λ)
//! ```

use super::ContactStage;
use crate::{Configuration, System};

impl ContactStage {
    /// The law is asked for accelerations: Wᵀ a + bias in the normal direction, U_T + ε (Wᵀ a + bias) over ε in the
    /// tangential one. After `prepare`, at the same configuration; `bias` is room for all rows.
    pub fn ask_for_accelerations(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        moment: f64,
        bias: &mut [f64],
    ) {
        self.ask(system, at, bias, |stage, contact, i, row| {
            let normal = i == 0 && stage.has_gap(contact);
            if !normal && moment > 0.0 { stage.pose.U_minus[row] / moment } else { 0.0 }
        });
    }

    /// The law is asked for Wᵀ a + bias + `asked`, the latter with the rows of all contacts. After `prepare`, at the same
    /// configuration; `bias` is room for all rows and keeps the bias of the active ones.
    pub fn ask_for_rates(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        asked: &[f64],
        bias: &mut [f64],
    ) {
        self.ask(system, at, bias, |stage, contact, i, _| asked[stage.offset(contact) + i]);
    }

    /// The law is asked for Wᵀ a + bias + `more(contact, its row i, row)`.
    fn ask(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        bias: &mut [f64],
        more: impl Fn(&Self, usize, usize, usize) -> f64,
    ) {
        if self.set.is_empty() {
            return;
        }
        let rows = self.pose.W.rows();
        self.set.contacts.bias(system, at, self.set.active(), &mut bias[..rows]);
        let mut row = 0;
        for k in 0..self.set.active().len() {
            let contact = self.set.active()[k];
            for i in 0..self.set.contacts.dim(contact) {
                // W.velocity adds the bias of velocities, which is no acceleration
                self.pose.shift[row] = bias[row] - self.pose.W.bias(row) + more(self, contact, i, row);
                row += 1;
            }
        }
    }

    /// out = Wᵀ a + bias of the active rows, out holding the rows of all contacts.
    pub fn scatter_rates(&self, a: &[f64], bias: &[f64], out: &mut [f64]) {
        for (row, place) in self.set.rows() {
            out[place] = self.pose.W.velocity(row, a) - self.pose.W.bias(row) + bias[row];
        }
    }
}
