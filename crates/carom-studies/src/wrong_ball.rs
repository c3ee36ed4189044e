//! Inconsistent integrators of the bouncing ball, to show that and why they fail.               [Chen2013] §5.1, Fig. 4
//!
//! All use the Newmark formulae with a_{n+1} from (1−α_m) a_{n+1} + α_m a_n = (1−α_f) x_{n+1} + α_f x_n, and, where the
//! prediction touches the floor, a reaction chosen by complementarity at velocity level (v_{n+1} + e v_n ≥ 0) or at
//! position level (q_{n+1} ≥ R). The reaction acts
//!
//! ```text
//!   smooth:     m x_{n+1} = −m g + λ                            the impulse is remembered by a_{n+1} and x_{n+1}
//!   impulsive:  v_{n+1} += w,  q_{n+1} += dt/2 · w,  m x = −m g     (nonsmooth generalized-α)
//! ```
//!
//! Smooth at velocity level, γ = 1, α_m = α_f = 0 is the fully implicit Newmark scheme of the source, the one
//! combination that is consistent: v then remembers nothing of a_n. With γ < 1 the next step adds dt (1−γ) a_{n+1} =
//! O(1) once more. At position level the rebound depends on where in its step the ball arrives, whatever e says.

use crate::chen_ball::{GRAVITY, HEIGHT, RADIUS, RESTITUTION};

/// α_m, α_f, β, γ.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub beta: f64,
    pub gamma: f64,
}

impl Parameters {
    /// Optimal generalized-α.
    pub fn generalized(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5).powi(2), gamma }
    }
}

/// How the reaction is integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Treatment {
    /// Like any force.
    Smooth,
    /// As an impulse of its step.
    Impulsive,
}

/// Where the contact is enforced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// v_{n+1} + e v_n ≥ 0.
    Velocity,
    /// q_{n+1} ≥ R.
    Position,
}

/// One of the integrators.
#[derive(Clone, Copy, Debug)]
pub struct WrongBall {
    pub parameters: Parameters,
    pub treatment: Treatment,
    pub level: Level,
}

impl WrongBall {
    /// Runs the whole steps before `end` and shows (t, q, v), the start included.
    pub fn run(&self, dt: f64, end: f64, see: &mut dyn FnMut(f64, f64, f64)) {
        let Parameters { alpha_m, alpha_f, beta, gamma } = self.parameters;
        let (mut q, mut v, mut a, mut x) = (HEIGHT, 0.0, -GRAVITY, -GRAVITY);
        see(0.0, q, v);
        for n in 1..=(end / dt * (1.0 + 1e-12)) as usize {
            let remembered =
                |x_new: f64| ((1.0 - alpha_f) * x_new + alpha_f * x - alpha_m * a) / (1.0 - alpha_m);
            let velocity = |a_new: f64| v + dt * ((1.0 - gamma) * a + gamma * a_new);
            let position = |a_new: f64| q + dt * v + dt * dt * ((0.5 - beta) * a + beta * a_new);
            let (mut x_new, mut w) = (-GRAVITY, 0.0);
            let free = remembered(x_new);
            let (q_free, v_free) = (position(free), velocity(free));
            if q_free <= RADIUS {
                // what is missing, and how much of it one unit of x or w makes good
                let share = (1.0 - alpha_f) / (1.0 - alpha_m);
                let (missing, by_x, by_w) = match self.level {
                    Level::Velocity => (-RESTITUTION * v - v_free, dt * gamma * share, 1.0),
                    Level::Position => (RADIUS - q_free, dt * dt * beta * share, 0.5 * dt),
                };
                if missing > 0.0 {
                    match self.treatment {
                        Treatment::Smooth => x_new += missing / by_x,
                        Treatment::Impulsive => w = missing / by_w,
                    }
                }
            }
            let a_new = remembered(x_new);
            (q, v) = (position(a_new) + 0.5 * dt * w, velocity(a_new) + w);
            (a, x) = (a_new, x_new);
            see(n as f64 * dt, q, v);
        }
    }
}
