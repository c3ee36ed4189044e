//! Anitescu–Potra: backward Euler with joints and contacts at velocity level, Poisson's impact law.
//! [Haddouni2015] (2.29), (2.30)
//!
//! ```text
//!   impact:  v_n → v_n⁺ by compression and decompression at q_n, see `poisson`
//!   step:    M (v_{n+1} − v_n⁺) = dt h(t_{n+1}, q_{n+1}, v_{n+1}) + Gᵀ P_b + W P,      q_{n+1} = q_n ⊕ dt v_{n+1}
//!            G v_{n+1} + ∂Φ/∂t = 0,     0 ≤ U_N ⊥ P_N ≥ 0,     −P_T ∈ μ P_N Sgn(U_T)
//! ```
//!
//! both on { g(q_n ⊕ dt/2 · v_n) ≤ 0 }, M, G, W of the step at q_{n+1}. The friction cone with its edges d and −d is in
//! the plane exactly Coulomb's.
//!
//! The source puts decompression behind the compression of the step (2.30), which holds forces and impact in one. Here
//! Poisson's compression is that of the impact alone: an impulse e m g dt given back in every step would throw up what
//! lies at rest. Where none approaches, or e = 0 for all,
//! there is only the step. Order 1; damps like implicit Euler.

use super::SchemeInfo;
use super::implicit::{Coefficients, Implicit, Joints, report};
use super::poisson::Poisson;
use super::refusal::refuse_tangential_restitution;
use crate::{ContactStage, Scheme, State, StepError, StepReport, Stepper, System};

const NAME: &str = "anitescu-potra";
/// An approach slower than this part of the velocities is stopped, not given back.
const APPROACHES: f64 = 1e-12;

pub const INFO: SchemeInfo = SchemeInfo {
    name: NAME,
    summary: "Anitescu–Potra; backward Euler, impacts by Poisson's law instead of Newton's; order 1",
    parameters: &[],
    make: |_| Ok(Box::new(AnitescuPotra)),
};

#[derive(Clone, Copy, Debug)]
struct AnitescuPotra;

impl Scheme for AnitescuPotra {
    fn describe(&self) -> String {
        NAME.into()
    }

    fn feeds_floating_frames(&self) -> bool {
        true
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        refuse_tangential_restitution(system, NAME)
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        self.check(system)?;
        let poisson = Poisson::start(system, stage, state)?;
        let implicit = Implicit::start(Joints::End, false, system, stage, state)?;
        state.memory.clear();
        state.memory.extend_from_slice(&implicit.x);
        state.memory.resize(3 * implicit.x.len(), 0.0);
        Ok(Box::new(Workspace { implicit, poisson, from: state.clone() }))
    }
}

/// Memory: a_n, then w/dt of the last step and its rate, all for first guesses.
#[derive(Debug)]
struct Workspace {
    implicit: Implicit,
    poisson: Poisson,
    /// Where the step begins: the state after the impact.
    from: State,
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let n = system.structure().sizes.v;
        let c = Coefficients { c_v: dt, c_a: dt * dt, c_w: dt, span: dt };
        let solve = &mut self.implicit;
        let from = &mut self.from;
        from.clone_from(state);
        stage.begin();
        // active: g(q_n ⊕ dt/2 · v_n) ≤ 0
        let mut hit = false;
        if stage.has_contacts() {
            for i in 0..n {
                solve.delta_c[i] = 0.5 * dt * state.v[i];
                solve.x[i] = 0.0;
                solve.w[i] = 0.0;
            }
            solve.predict(system, state, state.t + 0.5 * dt, c);
            stage.activate(system, solve.at());
            let speed = state.v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
            hit = self.poisson.hit(system, stage, from, APPROACHES * speed)?;
            solve.prepare_forces(system, stage, from, dt);
        }
        // constants, and the last step as first guess
        let (a_n, reactions) = from.memory.split_at(n);
        for i in 0..n {
            solve.v_c[i] = from.v[i];
            solve.delta_c[i] = dt * from.v[i];
            solve.x[i] = a_n[i];
        }
        solve.guess_reactions(dt, reactions);
        let iterations = solve.solve(system, stage, from, dt, c)?;
        solve.commit(system, stage, state, dt);
        if hit {
            for (P, more) in state.P.iter_mut().zip(&self.poisson.P) {
                *P += more;
            }
            for (P_b, more) in state.P_b.iter_mut().zip(&self.poisson.P_b) {
                *P_b += more;
            }
            state.spread_impulses(dt);
        }
        let (a_n, reactions) = state.memory.split_at_mut(n);
        a_n.copy_from_slice(&solve.x);
        solve.remember_reactions(system, stage, dt, reactions);
        Ok(report(stage, iterations))
    }
}
