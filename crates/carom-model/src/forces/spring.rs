//! Spring and damper along the line between two points.
//!
//! ```text
//!   d = r_2 − r_1,  L = |d|,  n = d/L,   J = ∂ḋ/∂v
//!   F = k (L − L_0) + c L̇  (tension),    h = −F a,   a = n·J,  b = n×J
//!   K = aᵀ (k a + c ∂L̇/∂δ) + F ∂a/∂δ,    C = c aᵀ a
//!   ∂L̇/∂δ_j = (n×ḋ)·b_j / L + n·∂ḋ/∂δ_j,   ∂a_i/∂δ_j = b_i·b_j / L + n·∂J_i/∂δ_j
//! ```
//!
//! Where the points coincide the direction is undefined: the force is zero, and a spring without free length keeps
//! its stiffness k JᵀJ there.

use crate::geometry::{Geometry, Plane, Vector, dot, norm, scale, sub};
use crate::place::{Marker, Placed};
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct Spring<S: Geometry = Plane> {
    pub first: Marker<S>,
    pub second: Marker<S>,
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// L_0.
    pub length: f64,
}

struct State<S: Geometry> {
    n: S::V,
    placed: [Placed<S>; 2],
    d_dot: S::V,
    length: f64,
    /// F.
    tension: f64,
}

impl<S: Geometry> Spring<S> {
    #[inline]
    fn state(&self, at: &Configuration) -> State<S> {
        let (first, second) = (self.first.at(at), self.second.at(at));
        let d = sub(second.r, first.r);
        let length = norm(d);
        let d_dot = sub(self.second.velocity(at, &second), self.first.velocity(at, &first));
        let placed = [first, second];
        if length == 0.0 {
            return State { n: S::V::axis(0), placed, d_dot, length, tension: 0.0 };
        }
        let n = scale(1.0 / length, d);
        let tension = self.stiffness * (length - self.length) + self.damping * dot(n, d_dot);
        State { n, placed, d_dot, length, tension }
    }

    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let s = self.state(at);
        let f = scale(s.tension, s.n);
        self.first.place.push(at, f, s.placed[0].arm, h);
        self.second.place.push(at, scale(-1.0, f), s.placed[1].arm, h);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        let s = self.state(at);
        let across = S::moment(s.n, s.d_dot);
        let (k, mut c) = (self.stiffness, self.damping);
        let (F, F_L, across_L) = if s.length > 0.0 {
            (s.tension, s.tension / s.length, S::W::from_fn(|i| across.numbers()[i] / s.length))
        } else {
            c = 0.0;
            (0.0, if self.length == 0.0 { k } else { 0.0 }, S::W::ZERO)
        };
        let k = if s.length > 0.0 || self.length == 0.0 { k } else { 0.0 };

        let ends = [(&self.first, s.placed[0], -1.0), (&self.second, s.placed[1], 1.0)];
        for (first, placed, sign) in &ends {
            first.columns(at, placed, |i| {
                let (a_i, b_i) = (sign * dot(s.n, i.J), scale(*sign, S::moment(s.n, i.J)));
                for (second, placed, other) in &ends {
                    second.columns(at, placed, |j| {
                        let (a_j, b_j) = (other * dot(s.n, j.J), scale(*other, S::moment(s.n, j.J)));
                        let rate = dot(across_L, b_j) + other * dot(s.n, j.J_dot);
                        let stiffness = a_i * (k * a_j + c * rate) + dot(scale(F_L, b_i), b_j);
                        entry(i.index, j.index, stiffness, c * a_i * a_j);
                    });
                }
            });
            first.curvature(at, s.n, placed, |i, j, value| entry(i, j, sign * F * value, 0.0));
        }
    }

    pub fn strain(&self, at: &Configuration) -> f64 {
        let d = sub(self.second.at(at).r, self.first.at(at).r);
        let stretch = norm(d) - self.length;
        0.5 * self.stiffness * stretch * stretch
    }

    /// c L̇².
    pub fn loss(&self, at: &Configuration) -> f64 {
        let s = self.state(at);
        if s.length == 0.0 {
            return 0.0;
        }
        let rate = dot(s.n, s.d_dot);
        self.damping * rate * rate
    }
}
