//! How large the numbers are that places are computed from: what their round-off is some ε of.
//!
//! ```text
//!   length:   max(far, |q_i| of lengths, L |q_i| of angles)      far: of everything that has a place at the start
//!   angle:    max(1, |q_i| of angles)                            L: the mechanism's length scale
//! ```
//!
//! A mechanism of a millimetre that stands 100 m from the origin has gaps with the round-off of 100 m, and a wheel that has turned a
//! thousand times has that of a thousand turns. No tolerance on gaps, on Φ, or on velocities that follow from them over a
//! step lies below [`GAP_ROUND_OFF`] times this; near the origin tolerances are what they are without it.

use crate::chart::in_order_of_q;
use crate::{GAP_ROUND_OFF, Quantity, System};

/// Sizes of places and angles.
#[derive(Clone, Debug, Default)]
pub struct Extent {
    length: f64,
    far: f64,
    /// Per coordinate: whether it is an angle; empty where coordinates are not those of the velocities.
    angles: Vec<bool>,
}

impl Extent {
    /// Of a system.
    pub fn new(system: &dyn System) -> Self {
        let (sizes, length) = (system.structure().sizes, system.structure().length_scale);
        let angle = |i: usize| system.structure().velocities[i].quantity == Quantity::Angle;
        let rotations = &system.structure().rotations;
        let angles = if sizes.q == sizes.v + rotations.len() {
            in_order_of_q(rotations, &(0..sizes.v).map(angle).collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        Self { length, far: system.structure().far.max(length), angles }
    }

    /// The largest length (m) and the largest angle (rad, at least 1) at coordinates q.
    pub fn at(&self, q: &[f64]) -> (f64, f64) {
        let (mut length, mut angle) = (self.far, 1.0_f64);
        for (q, &is_angle) in q.iter().zip(&self.angles) {
            if is_angle {
                angle = angle.max(q.abs());
            } else {
                length = length.max(q.abs());
            }
        }
        (length.max(self.length * angle), angle)
    }

    /// Round-off of lengths (m) at coordinates q.
    pub fn grain(&self, q: &[f64]) -> f64 {
        GAP_ROUND_OFF * self.at(q).0
    }

    /// Round-off of lengths relative to the mechanism, at coordinates q: at least [`GAP_ROUND_OFF`].
    pub fn relative(&self, q: &[f64]) -> f64 {
        self.grain(q) / self.length
    }

    /// Round-off of a row that measures this, at coordinates q.
    pub fn of(&self, quantity: Quantity, q: &[f64]) -> f64 {
        match quantity {
            Quantity::Length => self.grain(q),
            Quantity::Angle => GAP_ROUND_OFF * self.at(q).1,
        }
    }
}
