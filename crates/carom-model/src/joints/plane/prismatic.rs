//! A point slides along an axis fixed to another body.
//!
//! ```text
//!   a axis, n = z×a, both on the guide;   d = r_slider − r_guide
//!   Φ  = n·d                                   distance from the axis
//!   Φ̇  = n·ḋ − ω a·d
//!   Φ̈  = n·d̈ − ω̇ a·d − 2 ω a·ḋ − ω² n·d
//!   ṡ  = a·ḋ + ω n·d                           sliding velocity, for dry friction
//!   s̈  = a·d̈ + ω̇ n·d + 2 ω n·ḋ − ω² a·d
//! ```
//!
//! That the slider does not turn against the guide is a row of its own ([`super::Angle`]).

use crate::geometry::plane::{V2, add, cross, dot, perp, scale, sub, turn};
use crate::place::Marker;
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct Prismatic {
    pub guide: Marker,
    pub slider: Marker,
    /// a in the frame of the guide's body.
    pub axis: V2,
}

impl Prismatic {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "normal")]
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        let d = sub(self.slider.at(at).r, self.guide.at(at).r);
        phi[0] = dot(perp(self.inertial_axis(at)), d);
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        let n = perp(self.inertial_axis(at));
        self.row(at, n, |column, value| entry(0, column, value));
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = self.row_bias(at, perp(self.inertial_axis(at)));
    }

    /// ΔΦ = n̄·Δd + d̄·Δn,  Δn = A' n_0 Δφ of the guide.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        let d = |at: &Configuration| sub(self.slider.at(at).r, self.guide.at(at).r);
        let d_mean = scale(0.5, add(d(step.from), d(step.to)));
        let (turn, normal) = (self.guide.place.turn(step), perp(self.axis));
        let n = turn.mean_of(normal);
        self.slider.secant_row(step, n, |column, value| entry(0, column, value));
        let turning = dot(d_mean, turn.rate_of(normal));
        let guide = &self.guide;
        let put = |column, value| entry(0, column, value);
        guide.place.secant_row(step, scale(-1.0, n), guide.local, turning, put);
    }

    /// a in the inertial frame.
    #[inline]
    pub fn inertial_axis(&self, at: &Configuration) -> V2 {
        let [_, _, c, s] = self.guide.place.frame(at);
        turn(c, s, self.axis)
    }

    /// Entries of d/dt (e·d) for a direction e fixed to the guide.
    #[inline]
    pub fn row(&self, at: &Configuration, e: V2, mut entry: impl FnMut(usize, f64)) {
        let slider = self.slider.at(at);
        self.slider.place.row(at, e, slider.arm, 0.0, &mut entry);
        // The guide moves the axis under the slider: its material point at the slider's place counts.
        let [x, y, _, _] = self.guide.place.frame(at);
        let lever = sub(slider.r, [x, y]);
        self.guide.place.row(at, [-e[0], -e[1]], lever, 0.0, &mut entry);
    }

    /// The part of d²/dt² (e·d) without accelerations.
    #[inline]
    pub fn row_bias(&self, at: &Configuration, e: V2) -> f64 {
        let (guide, slider) = (self.guide.at(at), self.slider.at(at));
        let d = sub(slider.r, guide.r);
        let d_dot = sub(self.slider.velocity(at, &slider), self.guide.velocity(at, &guide));
        let d_bias = sub(self.slider.bias(at, &slider), self.guide.bias(at, &guide));
        let omega = self.guide.place.omega(at);
        // ė = ω z×e, ë = ω̇ z×e − ω² e, and (z×e)·x = e × x.
        dot(e, d_bias) + 2.0 * omega * cross(e, d_dot) - omega * omega * dot(e, d)
    }
}
