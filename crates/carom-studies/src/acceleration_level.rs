//! Generalized-α with the joint held in its acceleration, to show where its drift comes from.
//!
//! Model (b) of [RezaeiSchindler] §2.8, three masses with q3 held, linear:
//!
//! ```text
//!   m a_{i+1} + K q_{i+1} = m γ + λ e3,      a3_{i+1} = 0
//!   (1−α_m) A_{i+1} + α_m A_i = (1−α_f) a_{i+1} + α_f a_i
//!   q_{i+1} = q_i + dt v_i + dt² [(½−β) A_i + β A_{i+1}],     v_{i+1} = v_i + dt [(1−γ) A_i + γ A_{i+1}]
//!   published:   a_0 = A_0 = M⁻¹(h_0 − K q_0)      (25), without the force of the joint
//!   consistent:  a_0 = A_0 with a3_0 = 0
//! ```
//!
//! All of A3 sums up to the velocity that is left: with a3_0 = 0 there is none. The velocity-level variants are the
//! schemes of the registry.

use carom_dynamics::AlphaParameters;

/// Model (b).
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub k: f64,
    pub m: f64,
    pub gravity: f64,
}

impl Held {
    /// Runs `steps` steps and shows (t, q, v, a, λ), from the end of the first step on.
    pub fn run(
        &self,
        rho: f64,
        consistent: bool,
        dt: f64,
        steps: usize,
        see: &mut dyn FnMut(f64, [f64; 3], [f64; 3], [f64; 3], f64),
    ) {
        let Self { k, m, gravity } = *self;
        let AlphaParameters { alpha_m, alpha_f, beta, gamma } = AlphaParameters::generalized(rho);
        let share = (1.0 - alpha_f) / (1.0 - alpha_m);
        let c_a = dt * dt * beta * share;
        let (mut q, mut v) = ([0.0; 3], [0.0; 3]);
        let mut a = [gravity, gravity, if consistent { 0.0 } else { gravity }];
        let mut A = a;
        for n in 1..=steps {
            let mut A_c = [0.0; 3];
            let mut q_c = [0.0; 3];
            for i in 0..3 {
                A_c[i] = (alpha_f * a[i] - alpha_m * A[i]) / (1.0 - alpha_m);
                q_c[i] = q[i] + dt * v[i] + dt * dt * ((0.5 - beta) * A[i] + beta * A_c[i]);
            }
            // (m + c_a K) a = m γ − K q_c for the two free masses, a3 = 0
            let b = [
                m * gravity - k * (2.0 * q_c[0] - q_c[1]),
                m * gravity - k * (2.0 * q_c[1] - q_c[0] - q_c[2]),
            ];
            let (d, e) = (m + 2.0 * c_a * k, -c_a * k);
            let det = d * d - e * e;
            a = [(d * b[0] - e * b[1]) / det, (d * b[1] - e * b[0]) / det, 0.0];
            for i in 0..3 {
                let A_new = share * a[i] + A_c[i];
                q[i] = q_c[i] + c_a * a[i];
                v[i] += dt * ((1.0 - gamma) * A[i] + gamma * A_new);
                A[i] = A_new;
            }
            let lam = k * (q[2] - q[1]) - m * gravity;
            see(n as f64 * dt, q, v, a, lam);
        }
    }
}
