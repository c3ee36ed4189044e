//! Two points coincide.
//!
//! ```text
//!   Φ = r_1 − r_2,    d²Φ/dt² = r̈_1 − r̈_2
//! ```
//!
//! The reaction λ is the force on the first body.

use crate::place::{Marker, sub};
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub(crate) struct Revolute {
    pub first: Marker,
    pub second: Marker,
}

impl Revolute {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "x"), (Quantity::Length, "y")]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi.copy_from_slice(&sub(self.first.at(at).r, self.second.at(at).r));
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        for (marker, sign) in [(&self.first, 1.0), (&self.second, -1.0)] {
            marker.place.rows(at, marker.at(at).arm, |row, column, value| entry(row, column, sign * value));
        }
    }

    /// Ḡ Δq = Δr_1 − Δr_2.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        for (marker, sign) in [(&self.first, 1.0), (&self.second, -1.0)] {
            marker
                .place
                .secant_rows(step, marker.local, |row, column, value| entry(row, column, sign * value));
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        let first = self.first.bias(at, &self.first.at(at));
        let second = self.second.bias(at, &self.second.at(at));
        bias.copy_from_slice(&sub(first, second));
    }
}
