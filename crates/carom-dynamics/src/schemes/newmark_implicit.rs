//! Fully implicit Newmark: reactions are part of the acceleration.                     [Chen2013] §3, §5.1; γ = 1, β = 0.5625
//!
//! ```text
//!   M a_{n+1} = h + Gᵀ λ_b + W λ                                              at (t_{n+1}, q_{n+1}, v_{n+1})
//!   v_{n+1} = v_n + dt a_{n+1}
//!   q_{n+1} = q_n ⊕ (dt v_n + dt² (½−β) a_n + dt² β a_{n+1})
//!   G v_{n+1} + ∂Φ/∂t = 0,     0 ≤ U_{n+1} + e U_n ⊥ λ ≥ 0, friction, on { g(predicted q_{n+1}) ≤ 0 };     P = dt λ
//! ```
//!
//! It is the classical Newmark scheme, contacts written in velocities. A force that acts once, at an impact, is in a_{n+1} and
//! then in a_n of the next step: it moves q by β dt² a at once and by (½−β) dt² a, backwards, one step later. In
//! [`GeneralizedAlpha`](super::GeneralizedAlpha), of which Newmark with γ = 1 is a setting, reactions move q by ½ dt w in
//! their own step and are forgotten; the two agree only where nothing but reactions changes. γ must be 1: otherwise v
//! remembers a_n too, and a rebound is made twice ([Chen2013] Fig. 4, study `chen-ball`).
//!
//! Since dt a_{n+1} = v_{n+1} − v_n, this is implicit Euler in the velocities with a rule of three velocities for the positions,
//!
//! ```text
//!   M (v_{n+1} − v_n) = dt h + Gᵀ P_b + W P,      q_{n+1} = q_n ⊕ dt [β v_{n+1} + (3/2 − 2β) v_n + (β − ½) v_{n−1}],
//! ```
//!
//! of order 1, and unconditionally stable for β ≥ ½. With x = M⁻¹ h and w = dt M⁻¹ (Gᵀ λ_b + W λ) it is the iteration of
//! `implicit`, with c_a = c_v c_w: its matrix is exact.
//!
//! Departs from the source where the step changes, of which it does not speak: (½−β) dt² a_n is taken with the step in which a_n
//! was made. q then is ½ dt (v_n + v_{n+1}) added up, and (β−½) dt² a of its own step; with the new step an impact in a short step
//! would throw q back by dt/dt_n times too much in the long one after it. And in the prediction, which carries the smooth
//! accelerations on, as `generalized_alpha` does. a_0 contains the reactions of joints and of contacts that rest.
//!
//! Bodies whose M depends on q: one M meets one h, and a_n is that of the body with all its reactions, so that a clamped beam in a
//! floating frame makes no energy, as published (`crates/carom-model/tests/it/momenta.rs`; the nonsmooth family does). But joints
//! drift, and angular momentum is kept to first order only. Floating frames, and elastic bodies in joints, are therefore stepped in
//! `momentum` form with θ = ½, κ = β − ½, unless `published` = 1. It is this scheme, seen from q − κ dt² a.

use super::implicit::{Coefficients, Implicit, Joints, report};
use super::mixed_alpha::consistent_forces;
use super::momentum::{Momentum, PUBLISHED, Weights};
use super::{Parameter, SchemeInfo};
use crate::{Acceleration, ContactStage, Scheme, State, StepError, StepReport, Stepper, System};

/// β of the source: ¼ (γ + ½)² for γ = 1.
const AS_PUBLISHED: f64 = 0.5625;

const BETA: Parameter =
    Parameter::number("beta", "β: 1/2 no drag, 0.5625 as published", AS_PUBLISHED, 0.5..=1.0);

pub const INFO: SchemeInfo = SchemeInfo {
    name: "newmark-implicit",
    summary: "fully implicit Newmark, gamma = 1: reactions are part of the acceleration and drag into the next step; order 1",
    parameters: &[BETA, PUBLISHED],
    make: |values| {
        let (beta, published) = (values.number(&BETA), values.switch(&PUBLISHED));
        Ok(Box::new(NewmarkImplicit { beta, published }))
    },
};

/// β ≥ ½; accelerations are added up whatever the bodies are, or momenta where they are elastic.
#[derive(Clone, Copy, Debug)]
struct NewmarkImplicit {
    beta: f64,
    published: bool,
}

impl Scheme for NewmarkImplicit {
    fn describe(&self) -> String {
        match self.beta {
            AS_PUBLISHED => "newmark-implicit".into(),
            beta => format!("newmark-implicit (beta = {beta})"),
        }
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        if self.published { Ok(()) } else { Momentum::check(system, &self.describe()) }
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        let (beta, name) = (self.beta, self.describe());
        if !self.published
            && let Some(momentum) = Momentum::start(system, stage, state, &name)?
        {
            return Ok(Box::new(InMomenta { beta, momentum }));
        }
        let mut implicit = Implicit::start(Joints::End, false, system, stage, state)?;
        let mut first = Acceleration::start(system, state);
        // a_0 is wanted only, the state tells no forces before a step; where there is none (a paradox of friction) nothing drags
        let mut probe = state.clone();
        if consistent_forces(implicit.at(), &mut first, system, stage, &mut probe).is_err() {
            first.a.fill(0.0);
        }
        let n = state.v.len();
        state.memory.clear();
        state.memory.extend_from_slice(&implicit.x);
        state.memory.resize(3 * n, 0.0);
        state.memory.extend_from_slice(&first.a);
        state.memory.push(0.0);
        Ok(Box::new(InAccelerations { beta, implicit }))
    }
}

/// Momenta are added up over the step.
#[derive(Debug)]
struct InMomenta {
    beta: f64,
    momentum: Momentum,
}

impl Stepper for InMomenta {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let kappa = self.beta - 0.5;
        let weights = Weights { theta: 0.5, gamma: 1.0, alpha_m: 0.0, alpha_f: 0.0, kappa };
        self.momentum.step(system, stage, state, dt, weights)
    }
}

/// Accelerations are. Memory: x_n, w/dt of the last step and its rate, then (β−½) dt² a_n, dt the step in which a_n was made. Before
/// the first step, when there is none, a_0 stands there, and one number more behind it says so.
#[derive(Debug)]
struct InAccelerations {
    beta: f64,
    implicit: Implicit,
}

impl Stepper for InAccelerations {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let beta = self.beta;
        let n = state.v.len();
        let c = Coefficients { c_v: dt, c_a: dt * dt * beta, c_w: dt * beta, span: dt };
        let solve = &mut self.implicit;
        // κ dt² a_n was given in the step before, and is taken back
        let kappa = beta - 0.5;
        let given = if state.memory.len() > 4 * n { kappa * dt * dt } else { 1.0 };
        let (x_n, v_n, drag) = (&state.memory[..n], &state.v[..n], &state.memory[3 * n..4 * n]);
        for i in 0..n {
            solve.v_c[i] = v_n[i];
            solve.delta_c[i] = dt * v_n[i] - given * drag[i];
        }
        solve.x.copy_from_slice(x_n);
        stage.begin();
        // active: g(predicted q_{n+1}) ≤ 0, predicted without reactions: a contact must not hold itself open
        solve.activate_predicted(system, stage, state, dt, c);
        solve.guess_reactions(dt, &state.memory[n..3 * n]);
        let iterations = solve.solve(system, stage, state, dt, c)?;
        solve.commit(system, stage, state, dt);
        state.memory.truncate(4 * n);
        state.memory[..n].copy_from_slice(&solve.x);
        solve.remember_reactions(system, stage, dt, &mut state.memory[n..3 * n]);
        for i in 0..n {
            state.memory[3 * n + i] = kappa * dt * (dt * solve.x[i] + solve.w[i]);
        }
        Ok(report(stage, iterations))
    }
}
