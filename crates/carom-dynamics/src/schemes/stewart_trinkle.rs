//! Stewart–Trinkle: inelastic contacts kept apart at position level, linearised.       [Haddouni2015] (2.27), (2.28)
//!
//! ```text
//!   M v_{n+1} = M v_n + dt h_n + Gᵀ P_b + W P,          q_{n+1} = q_n ⊕ dt v_{n+1}
//!   0 ≤ g_n + dt (W_Nᵀ v_{n+1} + ∂g/∂t) ⊥ P_N ≥ 0,      −P_T ∈ μ P_N Sgn(W_Tᵀ v_{n+1})
//!   Φ_n + dt (G v_{n+1} + ∂Φ/∂t) = 0
//! ```
//!
//! M, h, G, W at (t_n, q_n, v_n): semi-explicit as in practice, one mixed LCP per step, where (2.27) writes M and F at
//! the end of the step. The friction cone with its edges d and −d is in the plane exactly Coulomb's, so the polyhedral
//! cone (2.26) costs nothing here. α_0 of (2.28) is zero: g is measured from where contacts touch. Joints, which the
//! source leaves out, are treated like contacts, by their linearised position. Gaps and Φ are off by no more than the
//! curvature of the motion over a step, O(dt²), which the next step takes back (test `nothing_sinks_in`).
//!
//! On contacts within reach: closed at q_n, or at q_{n+1} if the step were made without impulses, or with those of the
//! others. Bodies do not bounce: contacts with restitution are refused. Order 1.

use super::SchemeInfo;
use super::implicit::report;
use super::impulse::Impulse;
use super::refusal::refuse;
use crate::{ContactKind, ContactStage, Scheme, State, StepError, StepReport, Stepper, System};

const NAME: &str = "stewart-trinkle";

pub const INFO: SchemeInfo = SchemeInfo {
    name: NAME,
    summary: "Stewart–Trinkle; semi-explicit, linearised position level, contacts without restitution only; order 1",
    parameters: &[],
    make: |_| Ok(Box::new(StewartTrinkle)),
};

#[derive(Clone, Copy, Debug)]
struct StewartTrinkle;

impl Scheme for StewartTrinkle {
    fn describe(&self) -> String {
        NAME.into()
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        refuse(
            system,
            NAME,
            "its contacts do not bounce, and this one has restitution",
            "set its restitution to 0, or take `anitescu-potra` or `moreau-jean`",
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
        state.memory.clear();
        let sizes = system.structure().sizes;
        Ok(Box::new(Workspace {
            impulse: Impulse::start(system, stage, state)?,
            v_free: vec![0.0; sizes.v],
            h: vec![0.0; sizes.v],
            delta: vec![0.0; sizes.v],
            q: vec![0.0; sizes.q],
            g_n: vec![0.0; sizes.contacts],
            reach: Vec::with_capacity(sizes.contacts),
        }))
    }
}

/// No memory.
#[derive(Debug)]
struct Workspace {
    impulse: Impulse,
    v_free: Vec<f64>,
    h: Vec<f64>,
    delta: Vec<f64>,
    q: Vec<f64>,
    /// g_n of all contacts, and the contacts within reach.
    g_n: Vec<f64>,
    reach: Vec<usize>,
}

impl Workspace {
    /// Takes into reach what is closed in the stage's gaps, deeper than `depth`; whether something came in.
    fn grow(&mut self, stage: &ContactStage, depth: f64) -> bool {
        let before = self.reach.len();
        for (contact, &g) in stage.gaps().iter().enumerate() {
            if g <= depth && !self.reach[..before].contains(&contact) {
                self.reach.push(contact);
            }
        }
        self.reach.sort_unstable();
        self.reach.len() > before
    }

    /// The step with the contacts within reach.
    fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<usize, StepError> {
        stage.set_active(&self.reach);
        let at = self.impulse.at();
        at.move_to_state(system, state);
        stage.prepare(system, at, false, &state.P, 1.0);
        let mut row = 0;
        for &contact in &self.reach {
            let kind = stage.kind(contact);
            let (dim, dry) = (kind.dim(), matches!(kind, ContactKind::Dry { .. }));
            if !dry {
                stage.shift_mut()[row] = self.g_n[contact] / dt;
            }
            row += dim;
        }
        self.impulse.v.copy_from_slice(&self.v_free);
        self.impulse.solve(system, stage, state.t, dt)
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
        let n = state.v.len();
        let t = state.t;
        stage.begin();
        // v_free = v_n + dt M⁻¹ h_n
        let at = self.impulse.at();
        at.move_to(system, t, &state.q);
        at.v.copy_from_slice(&state.v);
        if !stage.operator.evaluate_mass(system, at, false) {
            return Err(StepError::Singular { t });
        }
        system.force(at, &mut self.h);
        stage.operator.solve_mass(&self.h, &mut self.v_free);
        for i in 0..n {
            self.v_free[i] = state.v[i] + dt * self.v_free[i];
            self.delta[i] = dt * self.v_free[i];
        }
        self.impulse.close_joints(system, dt);
        // within reach: closed now, or at the end of a free step
        self.reach.clear();
        if stage.has_contacts() {
            stage.evaluate_gaps(system, self.impulse.at());
            self.g_n.copy_from_slice(stage.gaps());
            self.grow(stage, stage.round_off());
            let at = self.impulse.at();
            at.retract_to(system, t + dt, &state.q, &self.delta);
            stage.evaluate_gaps(system, at);
            self.grow(stage, stage.round_off());
        }
        // and whatever the impulses of the others drive together
        let mut iterations = 0;
        loop {
            iterations += self.solve(system, stage, state, dt)?;
            for i in 0..n {
                self.delta[i] = dt * self.impulse.v[i];
            }
            if self.reach.len() == self.g_n.len() {
                break;
            }
            let at = self.impulse.at();
            at.retract_to(system, t + dt, &state.q, &self.delta);
            stage.evaluate_gaps(system, at);
            if !self.grow(stage, -stage.round_off()) {
                break;
            }
        }
        // commit
        let v = &self.impulse.v;
        if let Some(velocity) = v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t, velocity });
        }
        system.retract(&state.q, &self.delta, &mut self.q);
        stage.finish(v, state);
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(v);
        state.P_b.copy_from_slice(&self.impulse.P_b);
        state.spread_impulses(dt);
        state.t += dt;
        Ok(report(stage, iterations))
    }
}
