//! Generalized-α as base of a mixed scheme.                                      [RezaeiSchindler] §2.4, (20)–(38)
//!
//! ```text
//!   M a_{i+1} = h + Gᵀ λ_b + W λ                             at (t_{i+1}, q_{i+1}, v⁻_{i+1})
//!   (1−α_m) A_{i+1} + α_m A_i = (1−α_f) a_{i+1} + α_f a_i
//!   v⁻_{i+1} = v⁺_i + dt [(1−γ) A_i + γ A_{i+1}]
//!   q_{i+1} = q_i ⊕ (dt v⁺_i + dt² [(½−β) A_i + β A_{i+1}])
//!   G v⁻_{i+1} + ∂Φ/∂t = 0,      0 ≤ U⁻_{i+1} ⊥ λ ≥ 0, friction, on { g(q_i) ≤ 0 }
//! ```
//!
//! Unlike in `generalized_alpha`, reactions are part of the acceleration and so of order 2. With
//! x = M⁻¹ h and w = c_v M⁻¹ (Gᵀ λ_b + W λ), c_v = ∂v/∂a, this is the iteration of `implicit`.
//!
//! Departs from the source in a_0, which contains the reactions here; without them a joint begins with a jump. And, unless
//! `published` is asked for, in two places that make energy where a step is stiff:
//!
//! ```text
//!   law on the impulse of the step:   0 ≤ U⁻_{i+1} ⊥ λ_{i+1} + λ_i ≥ 0, friction of their sum                        (`stage/pose/carried.rs`)
//!   after an impact, and at the start of the run, two half steps of implicit Euler                                   (`rough_start.rs`)
//! ```
//!
//! As published a ball on a clamped beam makes energy in 96 of 100 runs, up to 1e6 times what there was; with both, in none of 240
//! (ρ_∞ 1 to 0, D to 1e-3 K, Ω dt to 1e3). Cost: one more solution in the step after an impact, where the step is stiff.

use super::SchemeInfo;
use super::generalized_alpha::{ALPHA_F, ALPHA_M, AlphaParameters, BETA, GAMMA, RHO, family};
use super::implicit::{Coefficients, Implicit, Joints};
use super::mixed::{Base, BaseStepper, Mixed, PARTS, PUBLISHED, RESTART};
use super::rough_start::RoughStart;
use crate::{Acceleration, Configuration, ContactStage, Pressing, State, StepError, System};

pub const INFO: SchemeInfo = SchemeInfo {
    name: "mixed-alpha",
    summary: "mixed: generalized-α with forces, then impacts; second order with contacts and joints between impacts",
    parameters: &[RHO, PARTS, RESTART, PUBLISHED, ALPHA_M, ALPHA_F, GAMMA, BETA],
    make: |values| {
        let (name, p) = family(values)?;
        let base = MixedAlpha { name, p, published: values.switch(&PUBLISHED) };
        Ok(Mixed::with_restart(base, values))
    },
};

#[derive(Clone, Debug)]
struct MixedAlpha {
    /// How reports call it.
    name: String,
    p: AlphaParameters,
    /// The law holds for λ_{i+1} alone.
    published: bool,
}

impl Base for MixedAlpha {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        self.name.clone()
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
        let implicit = Implicit::start(Joints::End, false, system, stage, state)?;
        let first = Acceleration::start(system, state);
        let rough = RoughStart::start(system, stage, state)?;
        state.memory.reserve(3 * state.v.len());
        Ok(Workspace { p: self.p, published: self.published, implicit, first, rough })
    }
}

/// Memory: A, a, and r, the part of a that comes from reactions; without A where the velocities are new.
#[derive(Debug)]
struct Workspace {
    p: AlphaParameters,
    published: bool,
    implicit: Implicit,
    first: Acceleration,
    rough: RoughStart,
}

impl BaseStepper for Workspace {
    fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        consistent_forces(self.implicit.at(), &mut self.first, system, stage, state)?;
        // without A: the velocities are new
        state.memory.clear();
        state.memory.extend_from_slice(&self.first.a);
        state.memory.extend(self.first.a.iter().zip(&self.first.x).map(|(a, x)| a - x));
        Ok(())
    }

    /// A_n ← a_n + ratio (A_n − a_n), unless it begins anew.
    fn stretch(&self, state: &mut State, ratio: f64) {
        let n = state.v.len();
        if state.memory.len() == 3 * n {
            let (A, rest) = state.memory.split_at_mut(n);
            for (A, a) in A.iter_mut().zip(&rest[..n]) {
                *A = a + ratio * (*A - a);
            }
        }
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        let AlphaParameters { alpha_m, alpha_f, beta, gamma } = self.p;
        let n = state.v.len();
        let share = (1.0 - alpha_f) / (1.0 - alpha_m);
        let c_v = dt * gamma * share;
        let c = Coefficients { c_v, c_a: dt * dt * beta * share, c_w: dt * beta / gamma, span: c_v };
        let fresh = state.memory.len() < 3 * n;
        let stiff = !self.published && self.rough.is_needed(dt);
        if fresh && stiff {
            let iterations = self.rough.step(system, stage, state, dt, end)?;
            end.memory.clear();
            for part in [&self.rough.a, &self.rough.a, &self.rough.r] {
                end.memory.extend_from_slice(part);
            }
            return Ok(iterations);
        }
        let solve = &mut self.implicit;
        let (a, r) = state.memory[state.memory.len() - 2 * n..].split_at(n);
        let A = if fresh { a } else { &state.memory[..n] };
        for i in 0..n {
            let A_c = (alpha_f * a[i] - alpha_m * A[i]) / (1.0 - alpha_m);
            solve.v_c[i] = state.v[i] + dt * ((1.0 - gamma) * A[i] + gamma * A_c);
            solve.delta_c[i] = dt * state.v[i] + dt * dt * ((0.5 - beta) * A[i] + beta * A_c);
            solve.x[i] = a[i] - r[i];
            solve.w[i] = c_v * r[i];
        }
        solve.prepare_forces(system, stage, state, c.span);
        if stiff {
            stage.carry(c.span, &state.lambda);
        }
        let iterations = solve.solve(system, stage, state, dt, c)?;
        solve.commit_forces(system, stage, state, dt, c.span, end);
        end.memory.resize(3 * n, 0.0);
        for i in 0..n {
            let r_new = solve.w[i] / c_v;
            let a_new = solve.x[i] + r_new;
            end.memory[i] = share * a_new + (alpha_f * a[i] - alpha_m * A[i]) / (1.0 - alpha_m);
            end.memory[n + i] = a_new;
            end.memory[2 * n + i] = r_new;
        }
        Ok(iterations)
    }
}

/// Accelerations and forces of the joints and contacts at the state, into `first` and the state.
pub fn consistent_forces(
    at: &mut Configuration,
    first: &mut Acceleration,
    system: &dyn System,
    stage: &mut ContactStage,
    state: &mut State,
) -> Result<(), StepError> {
    at.move_to_state(system, state);
    first.solve(system, stage, at, Pressing::Resting)?;
    state.lambda_b.copy_from_slice(&first.lambda_b);
    state.lambda.copy_from_slice(&first.lambda);
    Ok(())
}
