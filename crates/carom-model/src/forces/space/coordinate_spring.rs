//! Spring and damper on a joint coordinate: torsion about the axis, or along it.
//!
//! ```text
//!   F = k (z − z_0) + c ż,    h = −F ∂ż/∂v
//! ```
//!
//! An angle is known within half a turn of z_0 ([`Coordinate`]): beyond, the torque would jump to that of the other
//! side. A torsion spring is for less than half a turn either way.

use super::along;
use crate::joints::{Coordinate, Covector};
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct CoordinateSpring {
    /// Angles about z_0.
    pub of: Coordinate,
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// z_0.
    pub rest: f64,
}

impl CoordinateSpring {
    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let (seen, motion, z, g) = self.of.state(at);
        let F = self.stiffness * (z - self.rest) + self.damping * g.times(&motion);
        along::add(&self.of.pair, at, &seen, &Covector::ZERO.plus(F, &g), self.of.measure.of_points(), h);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        let (seen, motion, z, g) = self.of.state(at);
        let (k, c, measure) = (self.stiffness, self.damping, self.of.measure);
        let F = k * (z - self.rest) + c * g.times(&motion);
        along::tangents(
            &self.of.pair,
            at,
            &seen,
            &Covector::ZERO.plus(F, &g),
            measure.of_points(),
            |c_j, c_dot| {
                let turned = measure.change(&seen, c_j);
                let along = g.times(c_j);
                let F_j = k * along + c * (turned.times(&motion) + g.times(c_dot));
                (Covector::ZERO.plus(F_j, &g).plus(F, &turned), Covector::ZERO.plus(c * along, &g))
            },
            entry,
        );
    }

    pub fn strain(&self, at: &Configuration) -> f64 {
        let stretch = self.of.value(at) - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }

    /// c ż².
    pub fn loss(&self, at: &Configuration) -> f64 {
        let rate = self.of.rate(at);
        self.damping * rate * rate
    }
}
