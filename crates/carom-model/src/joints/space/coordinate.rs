//! The coordinate of a joint: the angle about its axis or the displacement along it.
//!
//! ```text
//!   angle          φ of b against a about e_2            displacement   s = e_2a·d
//! ```
//!
//! An angle is known up to whole turns: configurations have no memory. Everything that uses one says about which value:
//! the coordinate is then within half a turn of it. Where only a difference counts, such as between a drive and the angle it
//! drives, that difference is taken on the nearest branch ([`nearest`]), and any number of turns is followed.

use super::framed::{Covector, FrameRates, Pair, Seen};
use super::measure::Measure;
use crate::joints::Measured;
use crate::mechanics::Named;
use carom_dynamics::{Configuration, Quantity};
use std::f64::consts::TAU;

/// x on the branch next to zero, of all x + n `period`; a period of zero: x.
#[inline]
pub fn nearest(x: f64, period: f64) -> f64 {
    if period == 0.0 { x } else { x - period * (x / period).round() }
}

/// A number between two frames with its rate, its row and the bias of the row.
#[derive(Clone, Debug)]
pub struct Coordinate {
    pub pair: Pair,
    pub measure: Measure,
    /// An angle is given within half a turn of this.
    pub about: f64,
}

impl Coordinate {
    /// The angle about the axis, within half a turn of `about`.
    pub fn angle(pair: Pair, about: f64) -> Self {
        Self { pair, measure: Measure::Angle, about }
    }

    /// The displacement along the axis.
    pub fn displacement(pair: Pair) -> Self {
        Self { pair, measure: Measure::Along(2), about: 0.0 }
    }

    /// What it counts in.
    pub fn quantity(&self) -> Quantity {
        match self.measure {
            Measure::Along(_) => Quantity::Length,
            Measure::Dot(..) | Measure::Angle => Quantity::Angle,
        }
    }

    /// After how much it is the same again; zero: never.
    pub fn period(&self) -> f64 {
        if self.measure == Measure::Angle { TAU } else { 0.0 }
    }

    #[inline]
    pub(super) fn measured(&self, seen: &Seen) -> f64 {
        self.about + nearest(self.measure.value(seen) - self.about, self.period())
    }

    #[inline]
    pub fn value(&self, at: &Configuration) -> f64 {
        self.measured(&self.pair.seen(at))
    }

    /// ż.
    #[inline]
    pub fn rate(&self, at: &Configuration) -> f64 {
        let seen = self.pair.seen(at);
        self.measure.gradient(&seen).times(&self.pair.motion(at, &seen))
    }

    /// Entries of the row of ż.
    #[inline]
    pub fn row(&self, at: &Configuration, entry: impl FnMut(usize, f64)) {
        let seen = self.pair.seen(at);
        let g = self.measure.gradient(&seen);
        self.pair.entries(at, &seen, &g, self.measure.of_points(), entry);
    }

    /// The part of z̈ without accelerations.
    #[inline]
    pub fn bias(&self, at: &Configuration) -> f64 {
        let seen = self.pair.seen(at);
        let motion = self.pair.motion(at, &seen);
        bias(self.measure, &seen, &motion, &self.pair.bias(at, &seen, &motion))
    }

    /// z, the covector and the motion.
    #[inline]
    pub(crate) fn state(&self, at: &Configuration) -> (Seen, FrameRates, f64, Covector) {
        let seen = self.pair.seen(at);
        let motion = self.pair.motion(at, &seen);
        (seen, motion, self.measured(&seen), self.measure.gradient(&seen))
    }
}

impl Measured for Coordinate {
    fn names(&self) -> [Named; 2] {
        match self.quantity() {
            Quantity::Angle => [("angle", "rad"), ("angle_rate", "rad/s")],
            Quantity::Length => [("position", "m"), ("position_rate", "m/s")],
        }
    }

    fn values(&self, at: &Configuration) -> [f64; 2] {
        let (_, motion, value, g) = self.state(at);
        [value, g.times(&motion)]
    }
}

/// The part of z̈ without accelerations, of the motion and that of (d̈, Ω̇_a, Ω̇_b).
#[inline]
pub(super) fn bias(measure: Measure, seen: &Seen, motion: &FrameRates, of_pair: &FrameRates) -> f64 {
    measure.gradient(seen).times(of_pair) + measure.change(seen, motion).times(motion)
}
