//! The half-explicit trapezoidal rule with forces from accelerations, as base of a mixed scheme. [Schindler2015] §3
//!
//! ```text
//!   λ⁺ at (q_i, v⁺_i):        M V'_0 = h + Gᵀ λ_b + W λ,     G V'_0 + bias = 0,     0 ≤ g̈ ⊥ λ ≥ 0   on { g ≤ 0, ġ ≤ 0 }
//!   V_1 = v⁺_i + dt V'_0,     q_{i+1} = q_i ⊕ dt/2 (v⁺_i + V_1)
//!   λ⁻ at (q_{i+1}, V_1):     the same for V'_1
//!   v⁻_{i+1} = v⁺_i + dt/2 (V'_0 + V'_1)                     V' without contact forces if the step ends in an impact
//! ```
//!
//! Order 2, cheap, and instructive rather than robust: joints and contacts are held in their accelerations only, so both
//! velocities and positions drift. No friction, as in the source.

use super::SchemeInfo;
use super::mixed::{Base, BaseStepper, Mixed, PARTS};
use super::refusal::refuse;
use crate::{
    Acceleration, Configuration, ContactKind, ContactStage, ImpulseKind, Pressing, State, StepError, System,
};

pub const INFO: SchemeInfo = SchemeInfo {
    name: "half-explicit-acceleration",
    summary: "mixed: half-explicit trapezoidal rule with forces from accelerations; frictionless, drifts, for comparison",
    parameters: &[PARTS],
    make: |values| Ok(Mixed::of(HalfExplicitAcceleration, values)),
};

#[derive(Clone, Copy, Debug)]
struct HalfExplicitAcceleration;

impl Base for HalfExplicitAcceleration {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        "half-explicit-acceleration".into()
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        refuse(
            system,
            "half-explicit-acceleration",
            "it has friction, and accelerations alone do not say whether it sticks or slides",
            "take `half-explicit`",
            |kind| match kind {
                ContactKind::Unilateral { .. } => false,
                ContactKind::Frictional { friction, .. } | ContactKind::Spatial { friction, .. } => {
                    *friction > 0.0
                }
                ContactKind::Dry { .. } => true,
            },
        )
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Workspace, StepError> {
        self.check(system)?;
        state.memory.clear();
        let at = stage.start_at(system, state)?;
        Ok(Workspace {
            at,
            first: Acceleration::start(system, state),
            second: Acceleration::start(system, state),
            delta: vec![0.0; state.v.len()],
            V: vec![0.0; state.v.len()],
        })
    }
}

/// Memory: none.
#[derive(Debug)]
struct Workspace {
    at: Configuration,
    first: Acceleration,
    second: Acceleration,
    delta: Vec<f64>,
    /// V_1.
    V: Vec<f64>,
}

impl Workspace {
    fn finish(&self, state: &State, dt: f64, end: &mut State) {
        let half = 0.5 * dt;
        for i in 0..state.v.len() {
            end.v[i] = state.v[i] + half * (self.first.a[i] + self.second.a[i]);
        }
        for (row, P) in end.P_b.iter_mut().enumerate() {
            *P = half * (self.first.lambda_b[row] + self.second.lambda_b[row]);
        }
        for (row, P) in end.P.iter_mut().enumerate() {
            *P = half * (self.first.lambda[row] + self.second.lambda[row]);
        }
        end.lambda_b.copy_from_slice(&self.second.lambda_b);
        end.lambda.copy_from_slice(&self.second.lambda);
    }

    /// V'_0 at the beginning, then V'_1 at the end where `self.V` is.
    fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        pressing: Pressing,
    ) -> Result<(), StepError> {
        let at = &mut self.at;
        at.move_to_state(system, state);
        self.first.solve(system, stage, at, pressing)?;
        if pressing != Pressing::None {
            for i in 0..state.v.len() {
                self.V[i] = state.v[i] + dt * self.first.a[i];
                self.delta[i] = 0.5 * dt * (state.v[i] + self.V[i]);
            }
        }
        at.retract_to(system, state.t + dt, &state.q, &self.delta);
        at.v.copy_from_slice(&self.V);
        self.second.solve(system, stage, at, pressing)
    }
}

impl BaseStepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        self.solve(system, stage, state, dt, Pressing::Closed)?;
        end.q.copy_from_slice(self.at.q());
        self.finish(state, dt, end);
        stage.record(ImpulseKind::Force, &end.v, &end.P);
        Ok(1)
    }

    fn lets_go(&self) -> bool {
        true
    }

    fn let_go(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<(), StepError> {
        self.solve(system, stage, state, dt, Pressing::None)?;
        self.finish(state, dt, end);
        Ok(())
    }
}
