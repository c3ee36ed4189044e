//! A point follows a function of time along a direction.
//!
//! ```text
//!   Φ = e·r − f(t),    Φ_t = −f',    bias = e·(bias of r̈) − f''
//! ```

use crate::geometry::{Geometry, Plane, Vector, dot};
use crate::model::Signal;
use crate::place::Marker;
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Along<S: Geometry = Plane> {
    pub of: Marker<S>,
    /// e, unit, inertial.
    pub axis: S::V,
    pub function: Signal,
}

impl<S: Geometry> Along<S> {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "force")]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = dot(self.axis, self.of.at(at).r) - self.function.jet(at).value;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        let arm = self.of.at(at).arm;
        self.of.place.row(at, self.axis, arm, S::W::ZERO, |column, value| entry(0, column, value));
    }

    #[inline]
    pub fn rate(&self, at: &Configuration, phi_t: &mut [f64]) {
        phi_t[0] = -self.function.jet(at).first;
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = dot(self.axis, self.of.bias(at, &self.of.at(at))) - self.function.jet(at).second;
    }
}

impl Along {
    /// Ḡ Δq = e·Δr.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        self.of.secant_row(step, self.axis, |column, value| entry(0, column, value));
    }
}
