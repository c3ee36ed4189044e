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
use super::{Estimate, Knot, Level, Method};
use crate::{Configuration, Formulation, Motion, StepError, System};

/// More iterations than this count as failure.
const MOST_ITERATIONS: usize = 50;
/// A step that is longer than the one before by more than this factor begins anew.
const MOST_GROWTH: f64 = 2.0;

/// The method.
#[derive(Debug)]
pub struct Alpha {
    rho_inf: f64,
    formulation: Formulation,
    at: Option<Configuration>,
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

impl Default for Alpha {
    fn default() -> Self {
        Self::new(0.8)
    }
}

impl Alpha {
    /// With the spectral radius ρ_∞ at infinite frequency, 0 ≤ ρ_∞ ≤ 1.
    pub fn new(rho_inf: f64) -> Self {
        Self {
            rho_inf,
            formulation: Formulation::Index2,
            at: None,
            a_n: Vec::new(),
            x_n: Vec::new(),
            dt_n: 0.0,
            a_n1: Vec::new(),
            x_n1: Vec::new(),
            dt_n1: 0.0,
            x_from: Vec::new(),
            v_free: Vec::new(),
            delta_free: Vec::new(),
            lambda: Vec::new(),
            r: Vec::new(),
            c: Vec::new(),
            room: Vec::new(),
            dx: Vec::new(),
            dlambda: Vec::new(),
        }
    }

    /// λ of the step made last, as the method found it: of order 2; in index 3 only as long as the step is constant.
    pub fn multipliers(&self) -> &[f64] {
        &self.lambda
    }

    /// Right side of the rows: what δx has to do along them.
    fn rows(&mut self, system: &dyn System, motion: &mut Motion, at: &Configuration, c_v: f64, c_q: f64) {
        let m = motion.rows();
        motion.velocities(&at.v, &mut self.c);
        for c in &mut self.c[..m] {
            *c /= -c_v;
        }
        if self.formulation == Formulation::Index3 {
            motion.positions(system, at, &mut self.room);
            for row in 0..m {
                if motion.is_holonomic(row) {
                    self.c[row] = -self.room[row] / c_q;
                }
            }
        }
    }
}

impl Method for Alpha {
    fn describe(&self) -> String {
        format!("alpha (rho_inf {}, {})", self.rho_inf, self.formulation)
    }

    fn exponent(&self) -> f64 {
        3.0
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

    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError> {
        let (n, most) = (motion.nv(), motion.most_rows());
        self.dt_n = 0.0;
        for array in [
            &mut self.a_n,
            &mut self.x_n,
            &mut self.a_n1,
            &mut self.x_n1,
            &mut self.x_from,
            &mut self.v_free,
            &mut self.delta_free,
            &mut self.r,
            &mut self.dx,
        ] {
            array.resize(n, 0.0);
        }
        for array in [&mut self.lambda, &mut self.c, &mut self.room, &mut self.dlambda] {
            array.resize(most, 0.0);
        }
        motion.place_first(system, from, &mut self.at);
        Ok(())
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
        let Coefficients { alpha_m, alpha_f, beta, gamma } = Coefficients::new(self.rho_inf);
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
        let floor = if m > 0 && self.formulation == Formulation::Index3 { 8.0 } else { 0.0 };
        let mut watch =
            Watch::new(from.t, MOST_ITERATIONS).holding_positions(dt, floor, motion.grain_of_rows());
        watch.see(largest(motion.weight(), &from.v).0);
        let mut at = self.at.take().expect("a method is restarted before it steps");
        let mut next = Next::Factor;
        let outcome = loop {
            for i in 0..n {
                at.v[i] = self.v_free[i] + c_v * self.x_n1[i];
                to.delta[i] = self.delta_free[i] + c_q * self.x_n1[i];
            }
            at.retract_to(system, from.t + dt, &from.q, &to.delta);
            if next == Next::Stop {
                break Ok(());
            }
            unbalanced(system, motion, &at, &self.x_n1, &self.lambda, &mut self.r);
            watch.see(c_v * motion.push());
            self.rows(system, motion, &at, c_v, c_q);
            if next == Next::Factor && !factor(system, motion, from, &mut at, c_v, c_q) {
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
        to.q.copy_from_slice(at.q());
        to.v.copy_from_slice(&at.v);
        self.at = Some(at);
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
