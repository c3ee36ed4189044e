//! An angle follows a function of time.
//!
//! ```text
//!   Φ = φ + α − f(t),    Φ_t = −f',    bias = −f''
//! ```

use crate::model::Signal;
use crate::place::Place;
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Turned {
    pub of: Place,
    /// α: angle of the frame on the body.
    pub offset: f64,
    pub function: Signal,
}

impl Turned {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Angle, "torque")]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = self.of.angle(at) + self.offset - self.function.jet(at).value;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        self.of.turning_row(at, 1.0, |column, value| entry(0, column, value));
    }

    /// The angle is linear: Ḡ = G.
    pub fn secant(&self, step: Step, entry: impl FnMut(usize, usize, f64)) {
        self.jacobian(step.to, entry);
    }

    #[inline]
    pub fn rate(&self, at: &Configuration, phi_t: &mut [f64]) {
        phi_t[0] = -self.function.jet(at).first;
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = 0.0 - self.function.jet(at).second;
    }
}
