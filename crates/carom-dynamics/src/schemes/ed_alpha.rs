//! ED-α ("energy decaying") as base of a mixed scheme.                            [RezaeiSchindler] §2.7, (77)–(90)
//!
//! ```text
//!   stages j at t_i⁺ and + at t_{i+1}, solved together; α = (1 − ρ)/(1 + ρ)
//!   v_j = v⁺_i + dt α_AR [α (a_j − a_i) − a_+ + a_i]             v_+ = v⁺_i + dt/2 (a_j + a_+)                 (79), (80)
//!   q_j = q_i ⊕ dt α_AR [α (v_j − v⁺_i) − v_+ + v⁺_i]            q_+ = q_i ⊕ dt/2 (v_j + v_+)                  (81), (82)
//!   M a = h + Gᵀ λ_b + W λ,    G v + ∂Φ/∂t = 0,    0 ≤ U ⊥ λ ≥ 0, friction, on { g(q_i) ≤ 0 }, at both stages
//! ```
//!
//! Order 2; 3 on a linear system for α_AR = 1/6 (`tests/it/ed_alpha.rs`). With 𝔸 = dt [α_AR α, −α_AR; ½, ½] this is the
//! iteration of `two_stage`, in terms of (79)–(82) themselves: (90), which solves them for a and q, has two misprints
//! and (86), (87) lack the damping. The jump from v⁺_i to v_j is what damps: none for ρ = 1, all for ρ = 0, where a_i
//! drops out. ρ = 1 keeps the errors of reactions too: order 1 with joints, and contacts may find no solution after an
//! impact without rebound, since 𝔸₁₁ = 0. α_AR is held between 0.1 and 1/3, where the iteration converges for any
//! stiffness. Departs from the source in a_0, as `mixed_alpha` does. For ρ > 0, which looks at a_i, a stiff step after an impact is two
//! half steps of implicit Euler (`rough_start.rs`) unless `published` is asked for; ρ = 0 stays as it is: it made no energy in any
//! of 200 runs of a ball on a clamped beam with any damping, while ρ = 0.8 did in 91 of 100.

use super::generalized_alpha::RHO;
use super::mixed::{Base, BaseStepper, Mixed, PARTS, PUBLISHED, RESTART};
use super::mixed_alpha::consistent_forces;
use super::rough_start::RoughStart;
use super::two_stage::TwoStage;
use super::{Parameter, SchemeInfo};
use crate::{Acceleration, ContactStage, State, StepError, System};

const DAMPED: Parameter = Parameter::number(RHO.name, RHO.meaning, 0.0, 0.0..=1.0);
const ALPHA_AR: Parameter = Parameter::number(
    "alpha_ar",
    "where damping sets in: the larger, the lower the frequency; 1/6 has the smallest error of the period",
    1.0 / 6.0,
    0.1..=1.0 / 3.0,
);

pub const INFO: SchemeInfo = SchemeInfo {
    name: "ed-alpha",
    summary: "mixed: ED-α, two stages solved together, then impacts; third order on linear systems, damps as asked",
    parameters: &[DAMPED, ALPHA_AR, PARTS, RESTART, PUBLISHED],
    make: |values| {
        let base = EdAlpha {
            rho: values.number(&DAMPED),
            alpha_ar: values.number(&ALPHA_AR),
            published: values.switch(&PUBLISHED),
        };
        Ok(Mixed::with_restart(base, values))
    },
};

#[derive(Clone, Copy, Debug)]
struct EdAlpha {
    /// ρ_∞ in [0, 1].
    rho: f64,
    /// α_AR > 0.
    alpha_ar: f64,
    /// The step after an impact begins with the accelerations there.
    published: bool,
}

impl Base for EdAlpha {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        format!("ed-alpha (rho = {}, alpha_ar = {})", self.rho, self.alpha_ar)
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
        let stages = TwoStage::start(system, state);
        stage.make_room_for_two_stages();
        let first = Acceleration::start(system, state);
        let rough = RoughStart::start(system, stage, state)?;
        state.memory.reserve(2 * state.v.len());
        Ok(Workspace { options: *self, stages, first, rough })
    }
}

/// Memory: a_i, and a_j of the step before, for a first guess; without a_j where the velocities are new.
#[derive(Debug)]
struct Workspace {
    options: EdAlpha,
    stages: TwoStage,
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
        consistent_forces(self.stages.at_end(), &mut self.first, system, stage, state)?;
        // without a_j: the velocities are new
        state.memory.clear();
        state.memory.extend_from_slice(&self.first.a);
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
        let EdAlpha { rho, alpha_ar, published } = self.options;
        let alpha = (1.0 - rho) / (1.0 + rho);
        let jump = dt * alpha_ar;
        let A = [[jump * alpha, -jump], [0.5 * dt, 0.5 * dt]];
        let fresh = state.memory.len() < 2 * n;
        // ρ = 0 does not look at a_i
        if fresh && !published && rho > 0.0 && self.rough.is_needed(dt) {
            let iterations = self.rough.step(system, stage, state, dt, end)?;
            end.memory.clear();
            end.memory.extend_from_slice(&self.rough.a);
            end.memory.extend_from_slice(&self.rough.a);
            return Ok(iterations);
        }
        let a_i = &state.memory[..n];
        let a_j = if fresh { a_i } else { &state.memory[n..] };
        let stages = &mut self.stages;
        for i in 0..n {
            stages.v_c[0][i] = state.v[i] + jump * (1.0 - alpha) * a_i[i];
            stages.v_c[1][i] = state.v[i];
            stages.delta_c[0][i] = jump * (1.0 - alpha) * state.v[i];
            // the trend of the last step goes on
            stages.a[0][i] = a_i[i];
            stages.a[1][i] = 2.0 * a_i[i] - a_j[i];
        }
        let iterations = stages.solve(system, stage, state, [state.t, state.t + dt], A)?;
        stages.commit(system, stage, state, dt, end);
        end.memory.clear();
        end.memory.extend_from_slice(&stages.a[1]);
        end.memory.extend_from_slice(&stages.a[0]);
        Ok(iterations)
    }
}
