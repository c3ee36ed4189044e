//! ALPHA, the generalized-α method for joints and held contacts.       [Arnold2007], [Haddouni2015] (2.52)–(2.54), (2.75)–(2.85)
//!
//! ```text
//!   (1−α_m) a_{n+1} + α_m a_n = (1−α_f) x_{n+1} + α_f x_n,        M x = h + Fᵀ λ  at t_{n+1}
//!   v_{n+1} = v_n + dt (1−γ) a_n + dt γ a_{n+1},                  q_{n+1} = q_n ⊕ (dt v_n + dt² (½−β) a_n + dt² β a_{n+1})
//!   index 2:  G v_{n+1} + Φ_t = 0                                 index 3:  Φ(q_{n+1}) = 0
//! ```
//!
//! a_n stands for x(t_n + c dt), c = α_m − α_f. A start from a_0 = x_0 makes λ of the first steps wrong by O(dt); here
//! a_0 = x_0 + c (x_1 − x_0), with x_1 the unknown of the first step. Where the step changes, a_n ← x_n + (dt/dt_before) (a_n − x_n)
//! moves it to the time it then stands for, so order 2 in q and v belongs to any steps; where it more than doubles, the method begins
//! anew, which costs a step without numerical damping.
//!
//! Newton's iteration, with γ' = ∂v/∂x / dt and β' = ∂q/∂x / dt²:
//!
//! ```text
//!   [ M + dt γ' C + dt² β' K   Fᵀ ] (  δx )   ( r                                       )
//!   [ G                         0 ] ( −δλ ) = ( −(G v + Φ_t)/(dt γ')   or   −Φ/(dt² β') )
//! ```
//!
//! That is the matrix of δq, multiplied by dt² β' on the left and by 1/(dt² β') in the columns of λ, [Haddouni2015] (2.111): its
//! entries do not depend on dt, whatever the index. Rows without position are held in their velocity in index 3 too.
//!
//! Error estimate [Haddouni2015] (2.125), corrected: l = δ − dt v_n − dt²/3 x_n − dt²/6 x_{n+1} = O(dt³), of positions alone.
//! Order 2 in q, v and λ by the form of index 1 (`tests/it/methods_implicit.rs`). ρ_∞ = 1 damps nothing: in index 3 λ then oscillates for ever.

use super::newton::{Next, Watch, add, factor, largest, unbalanced};
use super::{Estimate, Integrator, Knot, Level, Method};
use crate::events::{EVENT_TOLERANCE, EventDriven, FrameOptions, LEAST_STEP, MOST_STEP, PROJECTION, REST};
use crate::schemes::RHO;
use crate::{Configuration, Formulation, Motion, SchemeInfo, StepError, System};

/// More iterations than this count as failure.
const MOST_ITERATIONS: usize = 50;
/// A step that is longer than the one before by more than this factor begins anew.
const MOST_GROWTH: f64 = 2.0;

pub const INFO: SchemeInfo = SchemeInfo {
    name: "alpha-dae",
    summary: "event-driven: generalized-α for joints in velocities (index-2) or positions (index-3); stiff systems, order 2",
    parameters: &[RHO, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
    make: |values| Ok(EventDriven::boxed(Alpha::new(values.number(&RHO)), FrameOptions::projected(values))),
};

/// The method.
#[derive(Clone, Copy, Debug)]
pub struct Alpha {
    rho_inf: f64,
    formulation: Formulation,
}

impl Default for Alpha {
    fn default() -> Self {
        Self::new(0.8)
    }
}

impl Alpha {
    /// With the spectral radius ρ_∞ at infinite frequency, 0 ≤ ρ_∞ ≤ 1.
    pub fn new(rho_inf: f64) -> Self {
        Self { rho_inf, formulation: Formulation::Index2 }
    }
}

impl Method for Alpha {
    fn describe(&self) -> String {
        format!("alpha (rho_inf {}, {})", self.rho_inf, self.formulation)
    }

    fn is_one_step(&self) -> bool {
        false
    }

    fn needs_resolved_impacts(&self) -> bool {
        true
    }

    fn sees_velocities(&self) -> bool {
        false
    }

    fn level(&self) -> Level {
        match self.formulation {
            Formulation::Index3 => Level::Position,
            _ => Level::Velocity,
        }
    }

    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index2, Formulation::Index3]
    }

    fn set_formulation(&mut self, formulation: Formulation) {
        self.formulation = formulation;
    }

    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        let (n, most) = (motion.nv(), motion.most_rows());
        let of = |size: usize| vec![0.0; size];
        Ok(Box::new(Workspace {
            options: *self,
            at: motion.configuration(system, near.t, &near.q, &near.v),
            a_n: of(n),
            x_n: of(n),
            dt_n: 0.0,
            a_n1: of(n),
            x_n1: of(n),
            dt_n1: 0.0,
            x_from: of(n),
            v_free: of(n),
            delta_free: of(n),
            lambda: of(most),
            r: of(n),
            c: of(most),
            room: of(most),
            dx: of(n),
            dlambda: of(most),
        }))
    }
}

/// α_m, α_f, β, γ of [Haddouni2015] (2.54).
#[derive(Clone, Copy, Debug)]
struct Coefficients {
    alpha_m: f64,
    alpha_f: f64,
    beta: f64,
    gamma: f64,
}

impl Coefficients {
    fn new(rho_inf: f64) -> Self {
        let alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
        let alpha_f = rho_inf / (rho_inf + 1.0);
        let gamma = 0.5 - alpha_m + alpha_f;
        Self { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }
}

#[derive(Debug)]
struct Workspace {
    options: Alpha,
    at: Configuration,
    /// Of the step accepted last: a_n, x_n and its size, 0 after a restart.
    a_n: Vec<f64>,
    x_n: Vec<f64>,
    dt_n: f64,
    /// Of the step made last: a_{n+1}, x_{n+1}.
    a_n1: Vec<f64>,
    x_n1: Vec<f64>,
    dt_n1: f64,
    /// x_n as this step takes it.
    x_from: Vec<f64>,
    /// v_{n+1} and δ but for what x_{n+1} adds.
    v_free: Vec<f64>,
    delta_free: Vec<f64>,
    lambda: Vec<f64>,
    r: Vec<f64>,
    c: Vec<f64>,
    room: Vec<f64>,
    dx: Vec<f64>,
    dlambda: Vec<f64>,
}

impl Workspace {
    /// Right side of the rows: what δx has to do along them.
    fn rows(&mut self, system: &dyn System, motion: &mut Motion, c_v: f64, c_q: f64) {
        let (at, m) = (&self.at, motion.rows());
        motion.velocities(&at.v, &mut self.c);
        for c in &mut self.c[..m] {
            *c /= -c_v;
        }
        if self.options.formulation == Formulation::Index3 {
            motion.positions(system, at, &mut self.room);
            for row in 0..m {
                if motion.is_holonomic(row) {
                    self.c[row] = -self.room[row] / c_q;
                }
            }
        }
    }
}

impl Integrator for Workspace {
    fn exponent(&self) -> f64 {
        3.0
    }

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        self.dt_n = 0.0;
        motion.place(system, from.t, &from.q, &from.v, &mut self.at);
        Ok(())
    }

    fn own_multipliers(&self, theta: f64, lambda: &mut [f64]) -> bool {
        if theta != 1.0 {
            return false;
        }
        // of order 2; in index 3 only as long as the step is constant
        lambda.iter_mut().zip(&self.lambda).for_each(|(out, own)| *out = *own);
        true
    }

    fn step(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
    ) -> Result<Estimate, StepError> {
        let (n, m) = (motion.nv(), motion.rows());
        let Coefficients { alpha_m, alpha_f, beta, gamma } = Coefficients::new(self.options.rho_inf);
        let c = alpha_m - alpha_f;
        // a_n = (what is known) + s x_{n+1}
        let begins = dt > MOST_GROWTH * self.dt_n;
        let s = if begins { c } else { 0.0 };
        self.x_from.copy_from_slice(if begins { &from.a } else { &self.x_n });
        let kappa = (1.0 - alpha_f - alpha_m * s) / (1.0 - alpha_m);
        for i in 0..n {
            let x = self.x_from[i];
            let a = if begins { (1.0 - c) * x } else { x + dt / self.dt_n * (self.a_n[i] - x) };
            // of a_{n+1}, to which κ x_{n+1} is added
            self.a_n1[i] = (alpha_f * x - alpha_m * a) / (1.0 - alpha_m);
            self.v_free[i] = from.v[i] + dt * ((1.0 - gamma) * a + gamma * self.a_n1[i]);
            self.delta_free[i] = dt * from.v[i] + dt * dt * ((0.5 - beta) * a + beta * self.a_n1[i]);
        }
        let c_v = dt * ((1.0 - gamma) * s + gamma * kappa);
        let c_q = dt * dt * ((0.5 - beta) * s + beta * kappa);
        self.x_n1.copy_from_slice(&self.x_from);
        self.lambda[..m].copy_from_slice(&from.lambda[..m]);
        // whatever is held, round-off in positions makes velocities: at rest there are no others
        let floor = if m > 0 && self.options.formulation == Formulation::Index3 { 8.0 } else { 0.0 };
        let mut watch =
            Watch::new(from.t, MOST_ITERATIONS).holding_positions(dt, floor, motion.grain_of_rows());
        watch.see(largest(motion.weight(), &from.v).0);
        let mut next = Next::Factor;
        let outcome = loop {
            for i in 0..n {
                self.at.v[i] = self.v_free[i] + c_v * self.x_n1[i];
                to.delta[i] = self.delta_free[i] + c_q * self.x_n1[i];
            }
            self.at.retract_to(system, from.t + dt, &from.q, &to.delta);
            if next == Next::Stop {
                break Ok(());
            }
            unbalanced(system, motion, &self.at, &self.x_n1, &self.lambda, &mut self.r);
            watch.see(c_v * motion.push());
            self.rows(system, motion, c_v, c_q);
            if next == Next::Factor && !factor(system, motion, from, &mut self.at, c_v, c_q) {
                break Err(StepError::Singular { t: from.t });
            }
            motion.solve(&self.r, &self.c[..m], &mut self.dx, &mut self.dlambda[..m]);
            add(1.0, &self.dx, &mut self.x_n1);
            add(1.0, &self.dlambda[..m], &mut self.lambda);
            let (change, velocity) = largest(motion.weight(), &self.dx);
            watch.see(c_v * largest(motion.weight(), &self.x_n1).0);
            match watch.judge(c_v * change, velocity) {
                Ok(found) => next = found,
                Err(error) => break Err(error),
            }
        };
        to.t = from.t + dt;
        to.q.copy_from_slice(self.at.q());
        to.v.copy_from_slice(&self.at.v);
        outcome?;
        add(kappa, &self.x_n1, &mut self.a_n1);
        self.dt_n1 = dt;
        motion.see_velocities(&to.v);
        let l =
            |i: usize| to.delta[i] - dt * from.v[i] - dt * dt * (2.0 * self.x_from[i] + self.x_n1[i]) / 6.0;
        Ok(Estimate { error: motion.error(l, |_| 0.0), iterations: watch.iterations() })
    }

    fn accept(&mut self, _: &Knot, _: &Knot) {
        std::mem::swap(&mut self.a_n, &mut self.a_n1);
        std::mem::swap(&mut self.x_n, &mut self.x_n1);
        self.dt_n = self.dt_n1;
    }
}
