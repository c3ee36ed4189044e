//! The law asked for how velocities change instead of for velocities.
//!
//! ```text
//!   law(Wᵀ a + bias + asked, λ)
//! ```

use super::ContactStage;
use crate::{Configuration, System};

impl ContactStage {
    /// The law is asked for Wᵀ a + bias + `asked`, the latter with the rows of all contacts. After `prepare`, at the same
    /// configuration; `bias` is room for all rows and keeps the bias of the active ones.
    pub fn ask_for_rates(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        asked: &[f64],
        bias: &mut [f64],
    ) {
        if self.active.is_empty() {
            return;
        }
        let rows = self.W.rows();
        system.contact_bias(at, &self.active, &mut bias[..rows]);
        let mut row = 0;
        for &contact in &self.active {
            for i in 0..self.kinds[contact].dim() {
                // W.velocity adds the bias of velocities, which is no acceleration
                self.shift[row] = bias[row] - self.W.bias(row) + asked[self.offset[contact] + i];
                row += 1;
            }
        }
    }

    /// out = Wᵀ a + bias of the active rows, out holding the rows of all contacts.
    pub fn scatter_rates(&self, a: &[f64], bias: &[f64], out: &mut [f64]) {
        let mut row = 0;
        for &contact in &self.active {
            for i in 0..self.kinds[contact].dim() {
                out[self.offset[contact] + i] = self.W.velocity(row, a) - self.W.bias(row) + bias[row];
                row += 1;
            }
        }
    }
}
