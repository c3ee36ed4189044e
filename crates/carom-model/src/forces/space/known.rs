//! What formulas of forces know in space alone: coordinates of joints, and angular velocities.
//!
//! ```text
//!   joint    s = z(q) between two frames,   s_i = g·c_i,   ∂ṡ/∂δ_j = dg[c_j]·(ḋ, Ω_a, Ω_b) + g·∂c_j/∂δ
//!            ∂s_i/∂δ_j = c_i·dg[c_j] + g·∂c_i/∂δ_j                                    (`along.rs`)
//!   spin     ṡ = ω_k in the axes of the body, which is a velocity itself: s_i is constant. There is no s
//! ```

use super::along;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector};
use crate::joints::{Coordinate, Covector};
use crate::measure::Scalar;
use crate::place::Place;
use carom_dynamics::Configuration;

impl Scalar for Coordinate {
    fn value(&self, at: &Configuration) -> f64 {
        Coordinate::value(self, at)
    }

    fn row(&self, at: &Configuration, entry: &mut dyn FnMut(usize, f64)) {
        Coordinate::row(self, at, entry);
    }

    fn rate_row(&self, at: &Configuration, entry: &mut dyn FnMut(usize, f64)) {
        let (seen, motion, _, g) = self.state(at);
        let measure = self.measure;
        along::columns(&self.pair, at, &seen, measure.of_points(), |j, c_j, c_dot| {
            entry(j, measure.change(&seen, c_j).times(&motion) + g.times(c_dot));
        });
    }

    fn curvature(&self, at: &Configuration, entry: &mut dyn FnMut(usize, usize, f64)) {
        let (seen, _, _, g) = self.state(at);
        let measure = self.measure;
        along::tangents(
            &self.pair,
            at,
            &seen,
            &g,
            measure.of_points(),
            |c_j, _| (measure.change(&seen, c_j), Covector::ZERO),
            |i, j, value, _| entry(i, j, value),
        );
    }
}

/// One component of the angular velocity of a body, in its own axes.
#[derive(Clone, Debug)]
pub(crate) struct Spin {
    pub place: Place<Space>,
    pub axis: usize,
}

impl Scalar for Spin {
    /// Formulas name the rate alone.
    fn value(&self, _: &Configuration) -> f64 {
        f64::NAN
    }

    fn row(&self, at: &Configuration, entry: &mut dyn FnMut(usize, f64)) {
        let e = Space::turn(&self.place.frame(at), V3::axis(self.axis));
        self.place.turning_row(at, e, entry);
    }

    fn rate_row(&self, _: &Configuration, _: &mut dyn FnMut(usize, f64)) {}

    fn curvature(&self, _: &Configuration, _: &mut dyn FnMut(usize, usize, f64)) {}
}
