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
    pub fn tangents(&self, at: &Configuration, entry: &mut dyn FnMut(usize, usize, f64, f64)) {
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

        // Columns of J that are not structurally zero: index, a, b, σ, ω.
        let mut columns = [(0usize, 0.0, 0.0, 0.0, 0.0); 6];
        let mut count = 0;
        for (marker, arm, sign) in [(&self.first, s.arms[0], -1.0), (&self.second, s.arms[1], 1.0)] {
            if !marker.place.moves() {
                continue;
            }
            let v = marker.place.v as usize;
            for i in 0..2 {
                columns[count] = (v + i, sign * s.n[i], sign * t[i], 0.0, 0.0);
                count += 1;
            }
            if marker.has_arm() {
                let omega = marker.place.omega(at);
                let (a, b) = (sign * cross(arm, s.n), sign * cross(arm, t));
                columns[count] = (v + 2, a, b, -sign * dot(s.n, arm), omega);
                count += 1;
            }
        }
        for i in 0..count {
            let (row, a_i, b_i, sigma, _) = columns[i];
            for j in 0..count {
                let (column, a_j, b_j, sigma_j, omega_j) = columns[j];
                let rate = t_d_dot_L * b_j + sigma_j * omega_j;
                let turning = if i == j { F * sigma } else { 0.0 };
                entry(row, column, a_i * (k * a_j + c * rate) + F_L * b_i * b_j + turning, c * a_i * a_j);
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
