//! A wheel rolls a rack along.
//!
//! ```text
//!   Φ = e·r_rack − R φ_wheel − c
//! ```

use crate::geometry::plane::{V2, dot};
use crate::place::{Marker, Place};
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Rack {
    pub wheel: Place,
    pub rack: Marker,
    /// e, unit, inertial.
    pub axis: V2,
    /// R.
    pub radius: f64,
    /// c.
    pub offset: f64,
}

impl Rack {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "force")]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = dot(self.axis, self.rack.at(at).r) - self.radius * self.wheel.angle(at) - self.offset;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        self.wheel.turning_row(at, -self.radius, |column, value| entry(0, column, value));
        self.rack
            .place
            .row(at, self.axis, self.rack.at(at).arm, 0.0, |column, value| entry(0, column, value));
    }

    /// Ḡ Δq = e·Δr_rack − R Δφ_wheel.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        self.wheel.turning_row(step.to, -self.radius, |column, value| entry(0, column, value));
        self.rack.secant_row(step, self.axis, |column, value| entry(0, column, value));
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = dot(self.axis, self.rack.bias(at, &self.rack.at(at)));
    }
}
