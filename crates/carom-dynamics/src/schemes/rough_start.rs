//! The step after velocities that jumped, where it does not resolve what they set going.            [Rannacher1984]
//!
//! ```text
//!   twice:  v ← v + dt/2 a,   q ← q ⊕ dt/2 v        M a = h + Gᵀ λ_b + W λ,   G v + ∂Φ/∂t = 0,   0 ≤ U ⊥ λ ≥ 0, friction,   at the end
//! ```
//!
//! A method that starts from a = M⁻¹ (h + …) right after an impact starts from D v and K q of motions that are over in far
//! less than a step: dt² a is a displacement of many times what the body really makes, and it is stretched by that much
//! (generalized-α on a beam with D = 1e-3 K: energy × 1e6). Half steps of implicit Euler take these motions away and can make no
//! energy: λ presses at the velocity where each of them ends. What they leave for the next step is smooth. Their error is of order
//! 2 in one step of many, which an impact has anyway.
//!
//! Only where the step is stiff, dt ‖M⁻¹C‖ + dt² ‖M⁻¹K‖ > 1 at the start of the run; elsewhere the method starts as published.

use super::implicit::{Coefficients, Implicit, Joints};
use crate::{Configuration, ContactStage, ImpulseKind, State, StepError, System};

/// Above this dt ‖M⁻¹C‖ + dt² ‖M⁻¹K‖ accelerations say nothing of the step to come.
const STIFF: f64 = 1.0;

/// Whether a step dt is stiff, with ‖M⁻¹C‖ and ‖M⁻¹K‖.
pub fn is_stiff((by_C, by_K): (f64, f64), dt: f64) -> bool {
    dt * by_C + dt * dt * by_K > STIFF
}

/// Two half steps of implicit Euler.
#[derive(Debug)]
pub struct RoughStart {
    implicit: Implicit,
    /// ‖M⁻¹ C‖ and ‖M⁻¹ K‖ where the run began.
    stiffness: (f64, f64),
    /// λ of the first half: joints, and rows of all contacts.
    lambda_b: Vec<f64>,
    lambda: Vec<f64>,
    /// a where the step ends, and the part of it that comes from reactions.
    pub a: Vec<f64>,
    pub r: Vec<f64>,
}

impl RoughStart {
    /// At a state.
    pub fn start(system: &dyn System, stage: &mut ContactStage, state: &State) -> Result<Self, StepError> {
        let implicit = Implicit::start(Joints::End, false, system, stage, state)?;
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        Ok(Self {
            implicit,
            stiffness: stage.operator.stiffness(system, &at),
            lambda_b: vec![0.0; state.lambda_b.len()],
            lambda: vec![0.0; state.lambda.len()],
            a: vec![0.0; state.v.len()],
            r: vec![0.0; state.v.len()],
        })
    }

    /// Whether a step of this length needs it.
    pub fn is_needed(&self, dt: f64) -> bool {
        is_stiff(self.stiffness, dt)
    }

    /// The step from `state` into `end`, but for its memory. The contacts closed at q_i are active in the stage.
    pub fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        let n = state.v.len();
        let half = 0.5 * dt;
        let c = Coefficients { c_v: half, c_a: half * half, c_w: half, span: half };
        let solve = &mut self.implicit;
        solve.v_c.copy_from_slice(&state.v);
        solve.x.fill(0.0);
        solve.w.fill(0.0);
        for i in 0..n {
            solve.delta_c[i] = half * state.v[i];
        }
        solve.prepare_forces(system, stage, state, 0.0);
        let first = solve.solve(system, stage, state, half, c)?;
        self.lambda.fill(0.0);
        stage.scatter(1.0 / half, &mut self.lambda);
        for (lambda_b, P_b) in self.lambda_b.iter_mut().zip(&solve.P_b) {
            *lambda_b = P_b / half;
        }
        for i in 0..n {
            solve.v_c[i] = solve.v[i];
            solve.delta_c[i] = solve.delta[i] + half * solve.v[i];
        }
        let second = solve.solve(system, stage, state, dt, c)?;
        let recorded = stage.records().len();
        solve.commit_forces(system, stage, state, dt, c.span, end);
        // the impulses are those of both halves
        stage.forget_records(recorded);
        for (row, P_b) in end.P_b.iter_mut().enumerate() {
            *P_b = half * (self.lambda_b[row] + end.lambda_b[row]);
        }
        for (row, P) in end.P.iter_mut().enumerate() {
            *P = half * (self.lambda[row] + end.lambda[row]);
        }
        stage.record(ImpulseKind::Force, &solve.v, &end.P);
        for i in 0..n {
            self.r[i] = solve.w[i] / half;
            self.a[i] = solve.x[i] + self.r[i];
        }
        Ok(first + second)
    }
}
