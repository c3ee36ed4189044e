//! Bathe's method as base of a mixed scheme: two solves, half a step each.            [RezaeiSchindler] §2.6, (56)–(76)
//!
//! ```text
//!   trapezoidal rule to t_{i+½}:       v_{i+½} = v⁺_i + dt/4 (a_i + a_{i+½}),    q_{i+½} = q_i ⊕ dt/4 (v⁺_i + v_{i+½})
//!   three-point backward Euler:        a_{i+1} = (v⁺_i − 4 v_{i+½} + 3 v⁻_{i+1}) / dt
//!                                      v⁻_{i+1} = (q_i − 4 q_{i+½} + 3 q_{i+1}) / dt
//!   at both:  M a = h + Gᵀ λ_b + W λ,    G v + ∂Φ/∂t = 0,    0 ≤ U ⊥ λ ≥ 0, friction, on { g(q_i) ≤ 0 }
//! ```
//!
//! Order 2, ρ_∞ = 0, no parameter. The second line in increments from q_i, which is how q moves here: with
//! q_{i+½} = q_i ⊕ δ_½ it is δ = 4/3 δ_½ + dt/3 v⁻_{i+1}. Departs from the source in a_0, as `mixed_alpha` does, and, unless
//! `published` is asked for, in the law of the first half where the step is stiff, dt ‖M⁻¹C‖ + dt² ‖M⁻¹K‖ > 1:
//!
//! ```text
//!   0 ≤ U_{i+½} + max(U⁺_i, 0) ⊥ λ_{i+½} + λ_i ≥ 0, friction of their sum                                       (`stage/pose/carried.rs`)
//! ```
//!
//! The trapezoidal rule pushes with the sum. After an impact λ_i holds D v of motions that are over in far less than a step, and the
//! rule wants λ_{i+½} ≈ −λ_i; the law of the source forbids that and throws the body off (a ball on a clamped beam, D = 1e-3 K, e = 0:
//! energy × 9e3). A contact that leaves and is still closed is not pushed on its way (e = ½: 14 % made). With the sum none of 200 runs made
//! energy. It costs nothing. Impulses of a step are dt/3 (λ_i + λ_{i+½} + λ_{i+1}), which is what the two rules give.

use super::SchemeInfo;
use super::implicit::{Coefficients, Implicit, Joints};
use super::mixed::{Base, BaseStepper, Mixed, PARTS, PUBLISHED, RESTART};
use super::mixed_alpha::consistent_forces;
use super::rough_start::is_stiff;
use crate::{Acceleration, ContactStage, ImpulseKind, State, StepError, System};

pub const INFO: SchemeInfo = SchemeInfo {
    name: "bathe",
    summary: "mixed: Bathe's two half steps with forces, then impacts; damps high frequencies most",
    parameters: &[PARTS, RESTART, PUBLISHED],
    make: |values| Ok(Mixed::with_restart(Bathe { published: values.switch(&PUBLISHED) }, values)),
};

#[derive(Clone, Copy, Debug)]
struct Bathe {
    /// The law of the first half holds for λ_{i+½} alone.
    published: bool,
}

impl Base for Bathe {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        "bathe".into()
    }

    fn takes_space(&self) -> bool {
        true
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Workspace, StepError> {
        let mut implicit = Implicit::start(Joints::End, false, system, stage, state)?;
        Ok(Workspace {
            published: self.published,
            first: Acceleration::start(system, state),
            stiffness: stage.operator.stiffness(system, implicit.at()),
            implicit,
            v_half: state.v.clone(),
            delta_half: state.v.clone(),
            lambda_half: state.lambda.clone(),
        })
    }
}

/// Memory: a and r, the part of it that comes from reactions.
#[derive(Debug)]
struct Workspace {
    published: bool,
    /// ‖M⁻¹ C‖ and ‖M⁻¹ K‖ where the run began.
    stiffness: (f64, f64),
    implicit: Implicit,
    first: Acceleration,
    v_half: Vec<f64>,
    delta_half: Vec<f64>,
    /// λ_{i+½}, rows of all contacts.
    lambda_half: Vec<f64>,
}

impl BaseStepper for Workspace {
    fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        consistent_forces(self.implicit.at(), &mut self.first, system, stage, state)?;
        state.memory.clear();
        state.memory.extend_from_slice(&self.first.a);
        state.memory.extend(self.first.a.iter().zip(&self.first.x).map(|(a, x)| a - x));
        Ok(())
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        let n = state.v.len();
        let solve = &mut self.implicit;
        let (a, r) = state.memory.split_at(n);
        let c_v = 0.25 * dt;
        let c = Coefficients { c_v, c_a: c_v * c_v, c_w: c_v, span: c_v };
        for i in 0..n {
            solve.v_c[i] = state.v[i] + c_v * a[i];
            solve.delta_c[i] = c_v * (state.v[i] + solve.v_c[i]);
            solve.x[i] = a[i] - r[i];
            solve.w[i] = c_v * r[i];
        }
        solve.prepare_forces(system, stage, state, c.span);
        let stiff = !self.published && is_stiff(self.stiffness, dt);
        if stiff {
            stage.carry(c.span, &state.lambda);
            stage.let_leave();
        }
        let first = solve.solve(system, stage, state, 0.5 * dt, c)?;
        self.v_half.copy_from_slice(&solve.v);
        self.delta_half.copy_from_slice(&solve.delta);
        self.lambda_half.fill(0.0);
        stage.scatter(1.0 / c.span, &mut self.lambda_half);

        let c_half = c_v;
        let c_v = dt / 3.0;
        let c = Coefficients { c_v, c_a: c_v * c_v, c_w: c_v, span: c_v };
        for i in 0..n {
            // carried on along the trend of the first half
            let (x, r_half) = (solve.x[i], solve.w[i] / c_half);
            solve.v_c[i] = (4.0 * self.v_half[i] - state.v[i]) / 3.0;
            solve.delta_c[i] = (4.0 * self.delta_half[i] + dt * solve.v_c[i]) / 3.0;
            solve.x[i] = 2.0 * x - (a[i] - r[i]);
            solve.w[i] = c_v * (2.0 * r_half - r[i]);
        }
        if stiff {
            stage.carry_nothing();
        }
        let second = solve.solve(system, stage, state, dt, c)?;
        let recorded = stage.records().len();
        solve.commit_forces(system, stage, state, dt, c.span, end);
        if stiff {
            stage.forget_records(recorded);
            for (row, P) in end.P.iter_mut().enumerate() {
                *P = dt / 3.0 * (state.lambda[row] + self.lambda_half[row] + end.lambda[row]);
            }
            stage.record(ImpulseKind::Force, &solve.v, &end.P);
        }
        let (a, r) = end.memory.split_at_mut(n);
        for i in 0..n {
            r[i] = solve.w[i] / c_v;
            a[i] = solve.x[i] + r[i];
        }
        Ok(first + second)
    }
}
