//! Spring and damper along the line between two points.
//!
//! ```text
//!   d = r_2 − r_1,  L = |d|,  n = d/L,  t = z×n,   J = ∂d/∂q
//!   F = k (L − L_0) + c L̇  (tension),    h = −F a,   a = n·J,  b = t·J
//!   K = aᵀ (k a + c ∂L̇/∂q) + F ∂a/∂q,    C = c aᵀ a
//!   ∂L̇/∂q_j = (t·ḋ) b_j / L + σ_j ω_j,   ∂a_i/∂q_j = b_i b_j / L + δ_ij σ_j
//! ```
//!
//! σ_j = n·∂J_j/∂q_j is the turning of the arm: −n·a_2 for the angle of body 2, n·a_1 for that of body 1, else 0.
//! Where the points coincide the direction is undefined: the force is zero, and a spring without free length keeps
//! its stiffness k JᵀJ there.

use crate::marker::{Marker, V2, cross, dot, norm, perp, scale, sub};
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
    arms: [V2; 2],
    d_dot: V2,
    length: f64,
    /// F.
    tension: f64,
}

/// A column of J = ∂d/∂q, seen along n and t.
struct Column {
    present: bool,
    index: usize,
    a: f64,
    b: f64,
    sigma: f64,
    omega: f64,
}

impl Spring {
    #[inline]
    fn state(&self, at: &Configuration) -> State {
        let (first, second) = (self.first.at(at), self.second.at(at));
        let d = sub(second.r, first.r);
        let length = norm(d);
        let d_dot = sub(self.second.velocity(at, &second), self.first.velocity(at, &first));
        let arms = [first.arm, second.arm];
        if length == 0.0 {
            return State { n: [1.0, 0.0], arms, d_dot, length, tension: 0.0 };
        }
        let n = scale(1.0 / length, d);
        let tension = self.stiffness * (length - self.length) + self.damping * dot(n, d_dot);
        State { n, arms, d_dot, length, tension }
    }

    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let s = self.state(at);
        let f = scale(s.tension, s.n);
        self.first.place.push(f, s.arms[0], h);
        self.second.place.push(scale(-1.0, f), s.arms[1], h);
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

        // Columns of J; those of ground and of angles without an arm are structurally zero.
        let ends = [(&self.first, s.arms[0], -1.0), (&self.second, s.arms[1], 1.0)];
        let columns = ends.map(|(marker, arm, sign)| {
            let v = marker.place.v as usize;
            let along = |i: usize| Column {
                present: marker.place.moves(),
                index: v + i,
                a: sign * s.n[i],
                b: sign * t[i],
                sigma: 0.0,
                omega: 0.0,
            };
            let turning = Column {
                present: marker.has_arm(),
                index: v + 2,
                a: sign * cross(arm, s.n),
                b: sign * cross(arm, t),
                sigma: -sign * dot(s.n, arm),
                omega: marker.place.omega(at),
            };
            [along(0), along(1), turning]
        });
        for i in columns.iter().flatten().filter(|column| column.present) {
            for j in columns.iter().flatten().filter(|column| column.present) {
                let rate = t_d_dot_L * j.b + j.sigma * j.omega;
                let turning = if i.index == j.index { F * i.sigma } else { 0.0 };
                let K = i.a * (k * j.a + c * rate) + F_L * i.b * j.b + turning;
                entry(i.index, j.index, K, c * i.a * j.a);
            }
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
