//! A bushing: a linear law of six numbers between two frames.
//!
//! ```text
//!   x = Aᵀ d,  θ = log(Aᵀ B)              displacement and rotation vector of b seen from the frame a; A, B the triads
//!   z = (x, θ),   F = K z + D ż,   h = −F_k ∂ż_k/∂v
//!   ẋ_k = e_k·ḋ + (e_k×d)·Ω_a
//!   θ̇_k = m_k·(Ω_b − Ω_a),   m_k = A T⁻¹(θ) e_k
//!   a motion w changes m_k by  w_a×m_k + A (∂T⁻¹/∂θ·θ_w) e_k,     θ_w,k = m_k·(w_b − w_a)
//! ```
//!
//! With K symmetric the force has the potential ½ zᵀ K z, wherever the frames are: the turning of frame a with its body and the
//! curvature of θ are in ∂ż/∂v. A bushing is for less than half a turn: θ has no direction there.

use super::along;
use crate::geometry::space::{V3, quaternion_of, transposed_times};
use crate::geometry::{Vector, add, scale, sub};
use crate::joints::{Covector, FrameRates, Pair, Seen};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::{change_of_rate, cross, log, rate};

/// A 6×6 matrix by rows.
pub type M6 = [[f64; 6]; 6];

#[derive(Clone, Debug)]
pub struct Bushing {
    pub pair: Pair,
    /// K, symmetric.
    pub stiffness: M6,
    /// D, symmetric.
    pub damping: M6,
}

struct State {
    seen: Seen,
    motion: FrameRates,
    theta: V3,
    z: [f64; 6],
    z_dot: [f64; 6],
    g: [Covector; 6],
    /// F.
    force: [f64; 6],
}

#[inline]
fn product(A: &M6, x: &[f64; 6]) -> [f64; 6] {
    A.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
}

impl Bushing {
    fn state(&self, at: &Configuration) -> State {
        let seen = self.pair.seen(at);
        let motion = self.pair.motion(at, &seen);
        // Aᵀ B, by rows; the triads are kept as columns
        let theta = log(quaternion_of(&seen.a.map(|e| seen.b.map(|y| e.dot(y)))));
        let g: [Covector; 6] = std::array::from_fn(|k| match k {
            0..3 => Covector { f: seen.a[k], a: cross(seen.a[k], seen.d), b: V3::ZERO },
            _ => {
                let m = transposed_times(&seen.a, rate(theta, V3::axis(k - 3)));
                Covector { f: V3::ZERO, a: scale(-1.0, m), b: m }
            }
        });
        let z = std::array::from_fn(|k| if k < 3 { seen.a[k].dot(seen.d) } else { theta[k - 3] });
        let z_dot = g.map(|g| g.times(&motion));
        let (of_z, of_rate) = (product(&self.stiffness, &z), product(&self.damping, &z_dot));
        let force = std::array::from_fn(|k| of_z[k] + of_rate[k]);
        State { seen, motion, theta, z, z_dot, g, force }
    }

    /// dg_k[w].
    fn change(s: &State, k: usize, w: &FrameRates) -> Covector {
        if k < 3 {
            let x_dot = cross(w.a, s.seen.a[k]);
            let m = add(cross(x_dot, s.seen.d), cross(s.seen.a[k], w.d));
            return Covector { f: x_dot, a: m, b: V3::ZERO };
        }
        let turned = sub(w.b, w.a);
        let theta_w = V3::from_fn(|i| s.g[3 + i].b.dot(turned));
        let bent = change_of_rate(s.theta, theta_w, V3::axis(k - 3));
        let m = add(cross(w.a, s.g[k].b), transposed_times(&s.seen.a, bent));
        Covector { f: V3::ZERO, a: scale(-1.0, m), b: m }
    }

    fn sum(s: &State) -> Covector {
        (0..6).fold(Covector::ZERO, |sum, k| sum.plus(s.force[k], &s.g[k]))
    }

    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let s = self.state(at);
        along::add(&self.pair, at, &s.seen, &Self::sum(&s), true, h);
    }

    pub fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        let s = self.state(at);
        let change = |c_j: &FrameRates, c_dot: &FrameRates| {
            let turned: [Covector; 6] = std::array::from_fn(|k| Self::change(&s, k, c_j));
            let z_j = s.g.map(|g| g.times(c_j));
            let rate_j = std::array::from_fn(|k| turned[k].times(&s.motion) + s.g[k].times(c_dot));
            let (stiff, slow) = (product(&self.stiffness, &z_j), product(&self.damping, &rate_j));
            let damped = product(&self.damping, &z_j);
            (0..6).fold((Covector::ZERO, Covector::ZERO), |(K, C), k| {
                let K = K.plus(stiff[k] + slow[k], &s.g[k]).plus(s.force[k], &turned[k]);
                (K, C.plus(damped[k], &s.g[k]))
            })
        };
        along::tangents(&self.pair, at, &s.seen, &Self::sum(&s), true, change, entry);
    }

    pub fn strain(&self, at: &Configuration) -> f64 {
        let s = self.state(at);
        let force = product(&self.stiffness, &s.z);
        0.5 * force.iter().zip(&s.z).map(|(f, z)| f * z).sum::<f64>()
    }

    /// żᵀ D ż.
    pub fn loss(&self, at: &Configuration) -> f64 {
        let s = self.state(at);
        let force = product(&self.damping, &s.z_dot);
        force.iter().zip(&s.z_dot).map(|(f, z)| f * z).sum()
    }

    pub fn damps(&self) -> bool {
        self.damping.iter().flatten().any(|d| *d != 0.0)
    }
}
