//! Contact forces that are constant over a step, so that its end is where the law holds.   [Ebrahimi2007] §5.2–§5.5
//!
//! With one λ for all stages of a Runge–Kutta method, q_{n+1} = W_q λ + w_q and v_{n+1} = W_v λ + w_v, and
//!
//! ```text
//!   position level, Euler:           0 ≤ g(q_n ⊕ (2 dt v_n + dt² a_n)) ⊥ λ_N ≥ 0                      (5.16)–(5.18)
//!   position level, RK4 and RADAU5:  0 ≤ g(q_{n+1}) ⊥ λ_N ≥ 0                          (5.20)–(5.22); (5.23), (5.24)
//!   velocity level, RK4:             0 ≤ W_Nᵀ v_{n+1} ⊥ λ_N ≥ 0   on { g(q_n) ≤ 0 }                   (5.35)–(5.37)
//!   friction, joints that rub:       −λ_T ∈ μ λ_N Sgn(W_Tᵀ v_{n+1})                                   (3.17), (3.18)
//! ```
//!
//! The iteration of §5.5: integrate with λ, take g, W and v where that ends, solve for a new λ, until it stays. In
//! P = dt λ, and gaps divided by dt/2 (Euler: dt), all these problems have one matrix,
//!
//! ```text
//!   U = Ŵ (P − P_k) + U_k,      Ŵ = Wᵀ Â⁻¹ W,      U_k = 2 g/dt or Wᵀ v,      Â = M, or M + dt/2 C + dt²/4 K for RADAU5
//! ```
//!
//! which is symmetric. The residual is exact; Ŵ leaves out that forces of springs follow λ within the step, so with
//! Runge–Kutta the iteration contracts by Ω²/12 at position level and Ω²/6 at velocity level, Ω = dt ω, where it takes
//! twice the time on a bar of 40 elements (study `contact-formulations`). A single vibration escapes the velocity level
//! at Ω = √6, where velocities do not answer to a constant force any more; the method itself is unstable from √8 on.
//!
//! Departs from the source: g is linearised where the iterate is, by its exact directions, instead of by Taylor series of
//! sine and cosine; friction is asked for velocities, which the source prefers (§3.2.3) but does not use in (5.33); the
//! method of the prediction is also that of the motion. Where the iteration does not converge the step is refused, where
//! the source goes on. No restitution: the source means elastic bodies, which give back what they stored. What becomes of
//! rigid ones, for whom the law says nothing about the rebound: Euler stops them, in two steps; the position level with
//! RK4 or RADAU5 throws them back with |1 − 2 g_n/(dt |U|)| of their speed, anything between nothing and all of it; the
//! velocity level stops them (`tests/it/formulations.rs`).

use super::SchemeInfo;
use super::implicit::report;
use super::radau::Radau;
use super::refusal::refuse;
use super::runge_kutta::{CLASSIC, ContactRungeKutta, Contacts, EULER};
use crate::{Configuration, ContactStage, Directions, Scheme, State, StepError, StepReport, Stepper, System};

/// The iteration stops when the contacts change the velocities by less than this, relatively; the change is still made. At the
/// position level gaps cannot be told from none below their round-off, and velocities not below 2/dt times that: on a path
/// of 35 m with steps of 1e-4 s that is 2e-9 m/s, more than this part of what slides there.
const TOLERANCE: f64 = 1e-10;
/// More iterations than this count as failure.
const MOST_ITERATIONS: usize = 60;

/// Entries of all directions up to which a system is small.
const SMALL: usize = 1 << 14;

/// Where the normal law holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

pub const POSITION_EULER: SchemeInfo = SchemeInfo {
    name: "position-lcp-euler",
    summary: "gaps two steps ahead linear in forces by explicit Euler; no restitution; order 1, for comparison",
    parameters: &[],
    make: |_| {
        Ok(Box::new(ConstantForce { name: "position-lcp-euler", level: Level::Position, over: Over::Euler }))
    },
};

pub const POSITION_RK4: SchemeInfo = SchemeInfo {
    name: "position-lcp-rk4",
    summary: "gaps at the end of the step by forces constant over it, Runge–Kutta of order 4; no restitution, elastic bodies",
    parameters: &[],
    make: |_| {
        Ok(Box::new(ConstantForce { name: "position-lcp-rk4", level: Level::Position, over: Over::Rk4 }))
    },
};

pub const POSITION_RADAU5: SchemeInfo = SchemeInfo {
    name: "position-lcp-radau5",
    summary: "gaps at the end of the step by forces constant over it, RADAU5; no restitution, stiff elastic bodies",
    parameters: &[],
    make: |_| {
        Ok(Box::new(ConstantForce {
            name: "position-lcp-radau5",
            level: Level::Position,
            over: Over::Radau5,
        }))
    },
};

pub const VELOCITY: SchemeInfo = SchemeInfo {
    name: "velocity-lcp",
    summary: "velocities at the end of the step by forces constant over it, Runge–Kutta of order 4; no restitution",
    parameters: &[],
    make: |_| Ok(Box::new(ConstantForce { name: "velocity-lcp", level: Level::Velocity, over: Over::Rk4 })),
};

/// The method of the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// One double step.
    Euler,
    Rk4,
    Radau5,
}

#[derive(Clone, Copy, Debug)]
struct ConstantForce {
    name: &'static str,
    level: Level,
    over: Over,
}

impl Scheme for ConstantForce {
    fn describe(&self) -> String {
        self.name.into()
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        refuse(
            system,
            self.name,
            "its contacts know no restitution: what bounces is the material of elastic bodies",
            "set its restitution to 0, or take `acceleration-lcp` or `moreau-jean`",
            |kind| kind.restitution() != 0.0 || kind.tangential_restitution() != 0.0,
        )
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        self.check(system)?;
        let sizes = system.structure().sizes;
        let of = |size: usize| vec![0.0; size];
        // large systems get their room as contacts close
        let entries = state.P.len() * sizes.v;
        let push = Push {
            contacts: Vec::with_capacity(sizes.contacts),
            lambda: of(state.P.len()),
            offset: system.structure().contact_rows(),
            W: Directions::with_room(state.P.len(), if entries <= SMALL { entries } else { 0 }),
        };
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        state.memory.clear();
        let method = match self.over {
            Over::Euler => Method::Explicit(Box::new(ContactRungeKutta::start(EULER, system, stage, state)?)),
            Over::Rk4 => Method::Explicit(Box::new(ContactRungeKutta::start(CLASSIC, system, stage, state)?)),
            Over::Radau5 => Method::Implicit(Box::new(Radau::start(system, stage, state)?)),
        };
        Ok(Box::new(Workspace {
            level: self.level,
            looks_ahead: self.over == Over::Euler,
            method,
            begin: at.clone(),
            ahead: at,
            push,
            heaviest: stage.operator.heaviest(system),
            dv: of(sizes.v),
            dP_b: of(sizes.constraints),
            delta: of(sizes.v),
            v: of(sizes.v),
            q: of(sizes.q),
        }))
    }
}

#[derive(Debug)]
enum Method {
    Explicit(Box<ContactRungeKutta>),
    Implicit(Box<Radau>),
}

/// Memory: that of RADAU5.
#[derive(Debug)]
struct Workspace {
    level: Level,
    /// Steps that g looks ahead: 2 for Euler, whose forces move q only then.
    looks_ahead: bool,
    method: Method,
    begin: Configuration,
    ahead: Configuration,
    push: Push,
    /// Largest mass on the diagonal of M, of velocities that are lengths.
    heaviest: f64,
    dv: Vec<f64>,
    dP_b: Vec<f64>,
    delta: Vec<f64>,
    v: Vec<f64>,
    q: Vec<f64>,
}

/// The force of the contacts.
#[derive(Debug)]
struct Push {
    contacts: Vec<usize>,
    /// λ, rows of all contacts, and where each contact's begin.
    lambda: Vec<f64>,
    offset: Vec<usize>,
    W: Directions,
}

impl Push {
    /// out += W λ at a configuration.
    fn add(&mut self, system: &dyn System, at: &Configuration, out: &mut [f64]) {
        if self.contacts.is_empty() {
            return;
        }
        self.W.clear();
        system.directions(at, &self.contacts, &mut self.W);
        let mut row = 0;
        for &contact in &self.contacts {
            for i in 0..system.structure().contacts[contact].kind.dim() {
                let lambda = self.lambda[self.offset[contact] + i];
                let (columns, values) = self.W.row(row);
                for (&column, w) in columns.iter().zip(values) {
                    out[column as usize] += w * lambda;
                }
                row += 1;
            }
        }
    }
}

impl Workspace {
    /// The motion with λ: v, δ, and `ahead` where the law is asked.
    fn integrate(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<usize, StepError> {
        stage.set_active(&[]);
        let push = &mut self.push;
        let ahead = &mut self.ahead;
        let mut add = |at: &Configuration, out: &mut [f64]| push.add(system, at, out);
        let iterations = match &mut self.method {
            Method::Explicit(method) => {
                method.step(system, stage, state, dt, Contacts::Press, |_, at, out| add(at, out))?;
                self.v.copy_from_slice(&method.v);
                self.delta.copy_from_slice(&method.delta);
                if self.looks_ahead {
                    for i in 0..self.dv.len() {
                        self.dv[i] = dt * (state.v[i] + method.v[i]);
                    }
                    ahead.retract_to(system, state.t + 2.0 * dt, &state.q, &self.dv);
                } else {
                    ahead.clone_position_from(method.at());
                }
                1
            }
            Method::Implicit(method) => {
                let iterations = method.step(system, stage, state, dt, add)?;
                self.v.copy_from_slice(&method.v);
                self.delta.copy_from_slice(&method.delta);
                ahead.clone_position_from(method.at());
                iterations
            }
        };
        if let Some(velocity) = self.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: state.t, velocity });
        }
        ahead.v.copy_from_slice(&self.v);
        Ok(iterations)
    }

    /// Impulses of the joints over the step.
    fn P_b(&self) -> &[f64] {
        match &self.method {
            Method::Explicit(method) => &method.P_b,
            Method::Implicit(method) => &method.P_b,
        }
    }

    /// Takes the contacts into the set that are inside where the law is asked; whether there were any.
    fn grow(&mut self, system: &dyn System, stage: &mut ContactStage) -> bool {
        let ahead = &self.ahead;
        stage.evaluate_gaps(system, ahead);
        let before = self.push.contacts.len();
        for (contact, &g) in stage.gaps().iter().enumerate() {
            if g < -stage.round_off()
                && let Err(place) = self.push.contacts.binary_search(&contact)
            {
                self.push.contacts.insert(place, contact);
            }
        }
        self.push.contacts.len() > before
    }

    /// The contact problem about the iterate. On return the stage holds P, and `dv` what it changes the velocities by;
    /// answers the size of that, in tolerances.
    fn correct(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<f64, StepError> {
        let begin = &self.begin;
        let ahead = &self.ahead;
        let t = state.t;
        stage.set_active(&self.push.contacts);
        stage.prepare(system, begin, false, &self.push.lambda, dt);
        stage.evaluate_directions(system, ahead);
        // velocities that the gaps cannot tell from none
        let mut grain = 0.0;
        if self.level == Level::Position {
            let per_gap = if self.looks_ahead { 1.0 / dt } else { 2.0 / dt };
            grain = per_gap * stage.round_off();
            let mut row = 0;
            for &contact in &self.push.contacts {
                if stage.has_gap(contact) {
                    let U = per_gap * stage.gaps()[contact] - stage.velocity(row, &self.v);
                    stage.shift_mut()[row] = U;
                }
                row += stage.kind(contact).dim();
            }
        }
        if !stage.operator.evaluate_mass(system, ahead, false) {
            return Err(StepError::Singular { t });
        }
        stage.operator.forget_jacobian();
        stage.operator.evaluate_jacobian(system, ahead);
        let (c_v, c_q) = match self.method {
            Method::Explicit(_) => (0.0, 0.0),
            Method::Implicit(_) => (0.5 * dt, 0.25 * dt * dt),
        };
        if !stage.operator.factor(system, ahead, c_v, c_q) {
            return Err(StepError::Singular { t });
        }
        // r = −W P_k
        self.dv.fill(0.0);
        stage.add_contact_impulses(&mut self.dv);
        let M = stage.operator.M_diag();
        let (mut old, mut new, mut pressed, mut change) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..self.dv.len() {
            pressed += self.dv[i] * self.dv[i] / M[i];
            self.dv[i] = -self.dv[i];
        }
        self.dP_b.fill(0.0);
        stage.update_bounds(dt, self.P_b());
        stage.solve(t, &self.v, &mut self.dv, &mut self.dP_b)?;
        let M = stage.operator.M_diag();
        for i in 0..self.dv.len() {
            change += M[i] * self.dv[i] * self.dv[i];
            old += M[i] * state.v[i] * state.v[i];
            new += M[i] * self.v[i] * self.v[i];
        }
        let size = old.max(new).max(pressed).sqrt();
        let tolerance = (TOLERANCE * size).max(grain * self.heaviest.sqrt());
        Ok(if change == 0.0 { 0.0 } else { change.sqrt() / tolerance })
    }
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let t = state.t;
        stage.begin();
        if let Method::Implicit(method) = &mut self.method {
            method.begin();
        }
        self.push.contacts.clear();
        self.push.lambda.fill(0.0);
        if stage.has_contacts() {
            let begin = &mut self.begin;
            begin.move_to(system, t, &state.q);
            begin.v.copy_from_slice(&state.v);
            stage.activate(system, begin);
            self.push.contacts.extend_from_slice(stage.active());
            // first guess: the forces of the step before
            for &contact in stage.active() {
                let from = stage.offset(contact);
                let rows = from..from + stage.kind(contact).dim();
                self.push.lambda[rows.clone()].copy_from_slice(&state.lambda[rows]);
            }
        }
        let (mut iterations, mut change) = (0, f64::INFINITY);
        for k in 1..=MOST_ITERATIONS {
            iterations += self.integrate(system, stage, state, dt)?;
            let grown = self.level == Level::Position && stage.has_contacts() && self.grow(system, stage);
            if self.push.contacts.is_empty() {
                change = 0.0;
                break;
            }
            change = self.correct(system, stage, state, dt)?;
            self.push.lambda.fill(0.0);
            stage.scatter(1.0 / dt, &mut self.push.lambda);
            // what is left of the change is made along Ŵ
            if change <= 1.0 && !grown {
                for i in 0..self.dv.len() {
                    self.v[i] += self.dv[i];
                    self.delta[i] += if self.looks_ahead { 0.0 } else { 0.5 * dt * self.dv[i] };
                }
                break;
            }
            if k == MOST_ITERATIONS {
                let size = |i: usize| self.dv[i].abs();
                let velocity = (0..self.dv.len()).max_by(|&i, &j| size(i).total_cmp(&size(j))).unwrap_or(0);
                let change = change * TOLERANCE;
                return Err(StepError::Newton { t, iterations: MOST_ITERATIONS, change, velocity });
            }
        }
        debug_assert!(change <= 1.0, "the loop ends converged or with an error");
        // commit
        system.retract(&state.q, &self.delta, &mut self.q);
        stage.finish(&self.v, state);
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.v);
        state.P_b.copy_from_slice(self.P_b());
        state.lambda.copy_from_slice(&self.push.lambda);
        match &self.method {
            Method::Explicit(method) => state.lambda_b.copy_from_slice(&method.lambda_b),
            Method::Implicit(method) => {
                state.lambda_b.copy_from_slice(&method.lambda_b);
                state.memory.copy_from_slice(method.memory());
            }
        }
        state.t += dt;
        Ok(report(stage, iterations))
    }
}
