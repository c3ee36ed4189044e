//! Two points keep their distance.
//!
//! ```text
//!   d = r_1 − r_2,  n = d/|d|:   Φ = |d| − L,   Φ̇ = n·ḋ,   Φ̈ = n·d̈ + |n×ḋ|²/|d|
//! ```

use crate::geometry::{Geometry, Plane, Vector, add, dot, norm, scale, sub};
use crate::place::{Marker, Placed};
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Distance<S: Geometry = Plane> {
    pub first: Marker<S>,
    pub second: Marker<S>,
    /// L > 0.
    pub length: f64,
}

impl<S: Geometry> Distance<S> {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "force")]
    }

    /// |d| and n; n is arbitrary where the points coincide, which a length L > 0 keeps them from.
    #[inline]
    fn direction(&self, first: &Placed<S>, second: &Placed<S>) -> (f64, S::V) {
        let d = sub(first.r, second.r);
        let length = norm(d);
        (length, if length > 0.0 { scale(1.0 / length, d) } else { S::V::axis(0) })
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = self.direction(&self.first.at(at), &self.second.at(at)).0 - self.length;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        let (first, second) = (self.first.at(at), self.second.at(at));
        let (_, n) = self.direction(&first, &second);
        let (none, against) = (S::W::ZERO, scale(-1.0, n));
        self.first.place.row(at, n, first.arm, none, |column, value| entry(0, column, value));
        self.second.place.row(at, against, second.arm, none, |column, value| entry(0, column, value));
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        let (first, second) = (self.first.at(at), self.second.at(at));
        let (length, n) = self.direction(&first, &second);
        let d_dot = sub(self.first.velocity(at, &first), self.second.velocity(at, &second));
        let d_bias = sub(self.first.bias(at, &first), self.second.bias(at, &second));
        let across = S::moment(n, d_dot);
        let turning = if length > 0.0 { dot(across, across) / length } else { 0.0 };
        bias[0] = dot(n, d_bias) + turning;
    }
}

impl Distance {
    /// Δ|d| = n̄·Δd with n̄ = (d_n + d_{n+1}) / (|d_n| + |d_{n+1}|).
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        let d = |at: &Configuration| sub(self.first.at(at).r, self.second.at(at).r);
        let (d_n, d_n1) = (d(step.from), d(step.to));
        let lengths = norm(d_n) + norm(d_n1);
        let n = if lengths > 0.0 { scale(1.0 / lengths, add(d_n, d_n1)) } else { [1.0, 0.0] };
        self.first.secant_row(step, n, |column, value| entry(0, column, value));
        self.second.secant_row(step, scale(-1.0, n), |column, value| entry(0, column, value));
    }
}
