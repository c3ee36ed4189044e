//! A joint motor: a torque of time about the axis of a joint, or a force along it.
//!
//! ```text
//!   h = F ∂ż/∂v      F > 0 makes the coordinate grow: it acts on the second body, its opposite on the first
//! ```

use super::along;
use crate::joints::{Coordinate, Covector};
use crate::model::Signal;
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct Motor {
    pub of: Coordinate,
    pub force: Signal,
}

impl Motor {
    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let force = self.force.jet(at).value;
        self.of.row(at, |i, value| h[i] += force * value);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        let (seen, _, _, g) = self.of.state(at);
        let (F, measure) = (-self.force.jet(at).value, self.of.measure);
        let sum = Covector::ZERO.plus(F, &g);
        along::tangents(
            &self.of.pair,
            at,
            &seen,
            &sum,
            measure.of_points(),
            |c_j, _| (Covector::ZERO.plus(F, &measure.change(&seen, c_j)), Covector::ZERO),
            entry,
        );
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        self.force.jet(at).value * self.of.rate(at)
    }
}
