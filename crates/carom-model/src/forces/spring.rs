//! Spring and damper along the line between two points.
//!
//! ```text
//!   d = r_2 − r_1,  L = |d|,  n = d/L,  t = z×n,   J = ∂d/∂q
//!   F = k (L − L_0) + c L̇  (tension),    h = −F a,   a = n·J,  b = t·J
//!   K = aᵀ (k a + c ∂L̇/∂q) + F ∂a/∂q,    C = c aᵀ a
//!   ∂L̇/∂q_j = (t·ḋ) b_j / L + n·J̇_j,   ∂a_i/∂q_j = b_i b_j / L + n·∂²d/∂q_i∂q_j
//! ```
//!
//! Where the points coincide the direction is undefined: the force is zero, and a spring without free length keeps
//! its stiffness k JᵀJ there.

use crate::place::{Marker, Placed, V2, dot, norm, perp, scale, sub};
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub(crate) struct Spring {
    pub first: Marker,
    pub second: Marker,
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// L_0.
    pub length: f64,
}

struct State {
    n: V2,
    placed: [Placed; 2],
    d_dot: V2,
    length: f64,
    /// F.
    tension: f64,
}

impl Spring {
    #[inline]
    fn state(&self, at: &Configuration) -> State {
        let (first, second) = (self.first.at(at), self.second.at(at));
        let d = sub(second.r, first.r);
        let length = norm(d);
        let d_dot = sub(self.second.velocity(at, &second), self.first.velocity(at, &first));
        let placed = [first, second];
        if length == 0.0 {
            return State { n: [1.0, 0.0], placed, d_dot, length, tension: 0.0 };
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
        let t = perp(s.n);
        let (k, mut c) = (self.stiffness, self.damping);
        let (F, F_L, t_d_dot_L) = if s.length > 0.0 {
            (s.tension, s.tension / s.length, dot(t, s.d_dot) / s.length)
        } else {
            c = 0.0;
            (0.0, if self.length == 0.0 { k } else { 0.0 }, 0.0)
        };
        let k = if s.length > 0.0 || self.length == 0.0 { k } else { 0.0 };

        let ends = [(&self.first, s.placed[0], -1.0), (&self.second, s.placed[1], 1.0)];
        for (first, placed, sign) in &ends {
            first.columns(at, placed, |i| {
                let (a_i, b_i) = (sign * dot(s.n, i.J), sign * dot(t, i.J));
                for (second, placed, other) in &ends {
                    second.columns(at, placed, |j| {
                        let (a_j, b_j) = (other * dot(s.n, j.J), other * dot(t, j.J));
                        let rate = t_d_dot_L * b_j + other * dot(s.n, j.J_dot);
                        entry(i.index, j.index, a_i * (k * a_j + c * rate) + F_L * b_i * b_j, c * a_i * a_j);
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
