//! A point stays on a curve that a frame carries.
//!
//! ```text
//!   p = (e_0·d, e_1·d, e_2·d)             the point b seen from the frame a of the curve
//!   e = p − c(u),    e·c' = 0             the foot u(p) of it
//!   Φ_i = n_i·e                           n_i(u) the normals of the curve
//!   u̇ = c'·ṗ/r,   r = c'·c' − e·c''
//!   Φ̇_i = n_i·ṗ + (n_i'·e) u̇             so the row is that of ṗ along  n_i + (n_i'·e) c'/r
//!   Φ̈_i = n_i·p̈ + n_i'·(ṗ + ė) u̇ + (n_i''·e) u̇² + (n_i'·e) ü,     ė = ṗ − c' u̇
//!   r ü = c'·p̈ − (c'·c'') u̇² + 2 (ė·c'') u̇ + (e·c''') u̇²
//!
//!   ṗ = ḋ − Ω_a×d                         in the axes of a
//!   p̈ = d̈ − Ω̇_a×d − 2 Ω_a×ḋ + Ω_a×(Ω_a×d)
//!   sliding speed  |c'| u̇                 where the point is on the curve
//! ```

use super::curve::{Foot, SpaceCurve};
use super::framed::{Covector, Pair, Seen};
use crate::geometry::space::{M3, V3, times, transposed_times};
use crate::geometry::{Vector, add, scale, sub};
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub struct OnCurve {
    /// a carries the curve, b has the point.
    pub pair: Pair,
    pub curve: SpaceCurve,
}

/// e and r.
struct Offset {
    e: V3,
    room: f64,
}

impl OnCurve {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        &[(Quantity::Length, "normal_1"), (Quantity::Length, "normal_2")]
    }

    /// The point seen from the frame of the curve.
    #[inline]
    fn local(seen: &Seen) -> V3 {
        times(&seen.a, seen.d)
    }

    #[inline]
    fn look(&self, seen: &Seen) -> (Foot, Offset) {
        let p = Self::local(seen);
        let foot = self.curve.foot(p);
        let e = sub(p, foot.c[0]);
        let room = foot.c[1].dot(foot.c[1]) - e.dot(foot.c[2]);
        (foot, Offset { e, room })
    }

    /// Where on the curve the point is.
    pub fn parameter(&self, at: &Configuration) -> f64 {
        self.curve.foot(Self::local(&self.pair.seen(at))).u
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        let (foot, Offset { e, .. }) = self.look(&self.pair.seen(at));
        (0..2).for_each(|i| phi[i] = foot.n[i][0].dot(e));
    }

    /// The covector of x·ṗ for x in the axes of a.
    #[inline]
    fn covector(seen: &Seen, x: V3) -> Covector {
        let f = transposed_times(&seen.a as &M3, x);
        Covector { f, a: cross(f, seen.d), b: V3::ZERO }
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        let seen = self.pair.seen(at);
        let (foot, Offset { e, room }) = self.look(&seen);
        for i in 0..2 {
            let x = add(foot.n[i][0], scale(foot.n[i][1].dot(e) / room, foot.c[1]));
            let g = Self::covector(&seen, x);
            self.pair.entries(at, &seen, &g, true, |column, value| entry(i, column, value));
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        let seen = self.pair.seen(at);
        let motion = self.pair.motion(at, &seen);
        let of_pair = self.pair.bias(at, &seen, &motion);
        let (foot, Offset { e, room }) = self.look(&seen);
        let (omega, d) = (motion.a, seen.d);
        let p_dot = times(&seen.a, sub(motion.d, cross(omega, d)));
        let turning = sub(cross(omega, cross(omega, d)), scale(2.0, cross(omega, motion.d)));
        let p_bias = times(&seen.a, add(sub(of_pair.d, cross(of_pair.a, d)), turning));
        let [_, t, b, third] = foot.c;
        let u = t.dot(p_dot) / room;
        let e_dot = sub(p_dot, scale(u, t));
        let u_bias =
            (t.dot(p_bias) - t.dot(b) * u * u + 2.0 * e_dot.dot(b) * u + e.dot(third) * u * u) / room;
        for i in 0..2 {
            let [n, n_1, n_2] = foot.n[i];
            bias[i] =
                n.dot(p_bias) + n_1.dot(add(p_dot, e_dot)) * u + n_2.dot(e) * u * u + n_1.dot(e) * u_bias;
        }
    }
}
