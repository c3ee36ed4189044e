//! A point stays on a curve that is fixed to another body.
//!
//! ```text
//!   p = A_Bᵀ (r − x_B)                     the point seen from the body of the curve
//!   D, n, κ                                distance of p from the curve, normal and curvature at its foot; t = n turned by −90°
//!   Φ  = D(p)
//!   Φ̇  = n·u,      u = ṙ − (ẋ_B + ω_B z×(r − x_B))
//!   Φ̈  = n·u̇ − ν t·u,      ν = ω_B + κ t·u/(1 − κ D)                   the rate at which n turns
//!   ṡ  = t·u                               sliding velocity, for dry friction
//!   s̈  = t·u̇ + ν n·u
//! ```
//!
//! D has the sign of the side (left of a path positive, outside of a circle or an ellipse positive), so that it is smooth across the curve.
//! Beyond the ends of an open path the curve goes on straight; a run ends where the point comes there (an event, `<joint>.end`).
//!
//! Over a step, D(p_1) − D(p_0) = n̄·Δp with the discrete gradient of [Gonzalez1996]: n̄ = n(p̄) + (ΔD − n(p̄)·Δp)/|Δp|² Δp.

use crate::contacts::{Feature, Path};
use crate::geometry::plane::{V2, add, dot, norm, perp, scale, sub, to_local, turn};
use crate::place::{Marker, Place};
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct PointOnCurve {
    pub point: Marker,
    /// The body of the curve.
    pub carrier: Place,
    pub curve: Curve,
}

/// A curve in the frame of its body.
#[derive(Clone, Debug)]
pub enum Curve {
    /// A line without end, or a full circle.
    Whole(Feature),
    Path(Arc<Path>),
    Ellipse(Ellipse),
}

/// All places with (ξ/a)² + (η/b)² = 1 along its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    pub center: V2,
    /// a and b.
    pub semi_axes: V2,
    /// Direction of the first axis, unit.
    pub axis: V2,
}

/// What a curve shows to a point.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// D.
    pub distance: f64,
    /// n, unit.
    pub normal: V2,
    /// κ.
    pub curvature: f64,
}

/// The step over which the correction of the midpoint normal is lost in round-off, relative to the place.
const SMALL: f64 = 1e-6;

impl Ellipse {
    /// The foot of p is (a² ξ/(s + a²), b² η/(s + b²)), with s the largest root of
    /// (a ξ/(s + a²))² + (b η/(s + b²))² = 1, which is found by Newton's method from the left, where the function is convex and falls.
    fn seen(&self, p: V2) -> Seen {
        let [c, s] = self.axis;
        let [xi, eta] = to_local(c, s, sub(p, self.center));
        let [a, b] = self.semi_axes;
        let (a2, b2) = (a * a, b * b);
        let (x, y) = (a * xi.abs(), b * eta.abs());
        // at this s one of the two terms alone is 1 already: the function is not below zero
        let mut root = (x - a2).max(y - b2);
        let least = a2.min(b2);
        for _ in 0..100 {
            let (u, w) = (x / (root + a2), y / (root + b2));
            let value = u * u + w * w - 1.0;
            let slope = -2.0 * (u * u / (root + a2) + w * w / (root + b2));
            let next = root - value / slope;
            // NaN in the centre, where any place will do
            if next.is_nan() || next <= root + f64::EPSILON * (root.abs() + least) {
                break;
            }
            root = next;
        }
        let share = |axis: f64, along: f64| if root + axis > 0.0 { along / (root + axis) } else { 0.0 };
        // foot/a², foot/b²: along the normal
        let mut gradient = [share(a2, xi), share(b2, eta)];
        if norm(gradient).is_nan() || norm(gradient) <= 0.0 {
            gradient = if a2 < b2 { [1.0 / a, 0.0] } else { [0.0, 1.0 / b] };
        }
        let length = norm(gradient);
        let foot = [a2 * gradient[0], b2 * gradient[1]];
        let normal = scale(1.0 / length, gradient);
        let distance = dot(normal, sub([xi, eta], foot));
        // ρ = a² b² |(ξ/a², η/b²)|³
        let curvature = -1.0 / (a2 * b2 * length.powi(3));
        Seen { distance, normal: turn(c, s, normal), curvature }
    }
}

impl Curve {
    pub fn seen(&self, p: V2) -> Seen {
        let of = |feature: Feature| Seen {
            distance: feature.distance(p),
            normal: feature.normal(p),
            curvature: feature.curvature(p),
        };
        match self {
            Curve::Whole(feature) => of(*feature),
            Curve::Path(path) => of(path.led(p)),
            Curve::Ellipse(ellipse) => ellipse.seen(p),
        }
    }

    /// How far the point is from the nearer end of an open curve, negative beyond it; none without ends.
    pub fn before_end(&self, p: V2) -> Option<f64> {
        let Curve::Path(path) = self else { return None };
        path.before_end(p)
    }
}

impl PointOnCurve {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "normal")]
    }

    /// p.
    #[inline]
    pub fn local(&self, at: &Configuration) -> V2 {
        let [x, y, c, s] = self.carrier.frame(at);
        to_local(c, s, sub(self.point.at(at).r, [x, y]))
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = self.curve.seen(self.local(at)).distance;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        let [_, _, c, s] = self.carrier.frame(at);
        let n = turn(c, s, self.curve.seen(self.local(at)).normal);
        self.row(at, n, |column, value| entry(0, column, value));
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = self.biases(at)[0];
    }

    /// Entries of the row of ṡ.
    #[inline]
    pub fn sliding(&self, at: &Configuration, entry: impl FnMut(usize, f64)) {
        let [_, _, c, s] = self.carrier.frame(at);
        let n = turn(c, s, self.curve.seen(self.local(at)).normal);
        self.row(at, scale(-1.0, perp(n)), entry);
    }

    /// Entries of e·u.
    #[inline]
    fn row(&self, at: &Configuration, e: V2, mut entry: impl FnMut(usize, f64)) {
        let placed = self.point.at(at);
        self.point.place.row(at, e, placed.arm, 0.0, &mut entry);
        let [x, y, _, _] = self.carrier.frame(at);
        self.carrier.row(at, scale(-1.0, e), sub(placed.r, [x, y]), 0.0, &mut entry);
    }

    /// The parts of Φ̈ and s̈ without accelerations.
    pub fn biases(&self, at: &Configuration) -> [f64; 2] {
        let [x, y, c, s] = self.carrier.frame(at);
        let placed = self.point.at(at);
        let lever = sub(placed.r, [x, y]);
        let seen = self.curve.seen(to_local(c, s, lever));
        let n = turn(c, s, seen.normal);
        let t = scale(-1.0, perp(n));
        let r_dot = self.point.velocity(at, &placed);
        let (v_B, omega) = (self.carrier.velocity(at), self.carrier.omega(at));
        let u = sub(r_dot, add(v_B, scale(omega, perp(lever))));
        // in the centre of curvature the normal is undefined
        let room = 1.0 - seen.curvature * seen.distance;
        let nu = omega + if room == 0.0 { 0.0 } else { seen.curvature * dot(t, u) / room };
        let of_carrier = add(self.carrier.bias(at), scale(omega, perp(sub(r_dot, v_B))));
        let u_bias = sub(self.point.bias(at, &placed), of_carrier);
        [dot(n, u_bias) - nu * dot(t, u), dot(t, u_bias) + nu * dot(n, u)]
    }

    /// ΔD = n̄·Δp,  Δp = Āᵀ Δd + (A' Δφ)ᵀ d̄,  d = r − x_B.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        let d = |at: &Configuration| {
            let [x, y, _, _] = self.carrier.frame(at);
            sub(self.point.at(at).r, [x, y])
        };
        let (p_0, p_1) = (self.local(step.from), self.local(step.to));
        let (moved, middle) = (sub(p_1, p_0), scale(0.5, add(p_0, p_1)));
        let mut n = self.curve.seen(middle).normal;
        let far = norm(moved);
        if far > SMALL * (norm(p_0) + norm(p_1)) {
            let change = self.curve.seen(p_1).distance - self.curve.seen(p_0).distance;
            n = add(n, scale((change - dot(n, moved)) / (far * far), moved));
        }
        let d_mean = scale(0.5, add(d(step.from), d(step.to)));
        let turned = self.carrier.turn(step);
        let along = turned.mean_of(n);
        self.point.secant_row(step, along, |column, value| entry(0, column, value));
        let turning = dot(d_mean, turned.rate_of(n));
        let put = |column, value| entry(0, column, value);
        self.carrier.secant_row(step, scale(-1.0, along), [0.0; 2], turning, put);
    }
}
