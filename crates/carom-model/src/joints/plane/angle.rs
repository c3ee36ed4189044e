//! Angles of two bodies in a fixed ratio: gears, and the third row of welds and guides.
//!
//! ```text
//!   Φ = φ_1 + i φ_2 − c
//! ```

use crate::place::Place;
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Angle {
    pub first: Place,
    pub second: Place,
    /// i; −1 holds the relative angle.
    pub ratio: f64,
    /// c.
    pub offset: f64,
}

impl Angle {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Angle, "torque")]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = self.first.angle(at) + self.ratio * self.second.angle(at) - self.offset;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        self.first.turning_row(at, 1.0, |column, value| entry(0, column, value));
        self.second.turning_row(at, self.ratio, |column, value| entry(0, column, value));
    }

    /// The angles are linear: Ḡ = G.
    pub fn secant(&self, step: Step, entry: impl FnMut(usize, usize, f64)) {
        self.jacobian(step.to, entry);
    }

    #[inline]
    pub fn bias(&self, _: &Configuration, bias: &mut [f64]) {
        bias[0] = 0.0;
    }
}
