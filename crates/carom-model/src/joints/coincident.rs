//! Two points coincide: a revolute joint of the plane, a ball joint in space.
//!
//! ```text
//!   Φ = r_1 − r_2,    d²Φ/dt² = r̈_1 − r̈_2
//! ```
//!
//! The reaction λ is the force on the first body.

use crate::geometry::{Geometry, Plane, Vector, sub};
use crate::place::Marker;
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

/// What the rows measure and the words for their reactions.
const COMPONENTS: [(Quantity, &str); 3] =
    [(Quantity::Length, "x"), (Quantity::Length, "y"), (Quantity::Length, "z")];

#[derive(Clone, Debug)]
pub struct Coincident<S: Geometry = Plane> {
    pub first: Marker<S>,
    pub second: Marker<S>,
}

impl<S: Geometry> Coincident<S> {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &COMPONENTS[..S::V::LEN]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi.copy_from_slice(sub(self.first.at(at).r, self.second.at(at).r).numbers());
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        for (marker, sign) in [(&self.first, 1.0), (&self.second, -1.0)] {
            marker.place.rows(at, marker.at(at).arm, |row, column, value| entry(row, column, sign * value));
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        let first = self.first.bias(at, &self.first.at(at));
        let second = self.second.bias(at, &self.second.at(at));
        bias.copy_from_slice(sub(first, second).numbers());
    }
}

impl Coincident {
    /// Ḡ Δq = Δr_1 − Δr_2.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        for (marker, sign) in [(&self.first, 1.0), (&self.second, -1.0)] {
            marker
                .place
                .secant_rows(step, marker.local, |row, column, value| entry(row, column, sign * value));
        }
    }
}
