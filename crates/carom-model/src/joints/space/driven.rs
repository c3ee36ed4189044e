//! A joint coordinate follows a function of time.
//!
//! ```text
//!   Φ = z − f(t),    Φ_t = −f',    bias = (bias of z̈) − f''
//! ```
//!
//! The difference of angles is taken on the nearest branch, so the function may turn the joint as often as it likes.

use super::coordinate::{Coordinate, nearest};
use crate::model::Signal;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Driven {
    pub of: Coordinate,
    pub function: Signal,
}

impl Driven {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        match self.of.quantity() {
            Quantity::Length => &[(Quantity::Length, "force")],
            Quantity::Angle => &[(Quantity::Angle, "torque")],
        }
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = nearest(self.of.value(at) - self.function.jet(at).value, self.of.period());
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        self.of.row(at, |column, value| entry(0, column, value));
    }

    #[inline]
    pub fn rate(&self, at: &Configuration, phi_t: &mut [f64]) {
        phi_t[0] = -self.function.jet(at).first;
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = self.of.bias(at) - self.function.jet(at).second;
    }
}
