//! Continual contact at acceleration level: complementarity, or multipliers held.    [Ebrahimi2007] §3.2.2, §4.2, (4.17)
//!
//! ```text
//!   M a = h + Gᵀ λ_b + W_N λ_N + W_T λ_T,      g̈_N = W_Nᵀ a + w_N,     g̈_T = W_Tᵀ a + w_T            (4.12), (4.14)
//!   acceleration-lcp:   0 ≤ g̈_N ⊥ λ_N ≥ 0,     slides: λ_T = −μ λ_N sgn ġ_T,   sticks: −λ_T ∈ μ λ_N Sgn g̈_T     (4.17)
//!   multiplier:         g̈_N = 0,  λ_N a multiplier; let go where the next step would begin with λ_N < 0  (3.11), (3.12)
//! ```
//!
//! at every stage of the classic Runge–Kutta method, as base of a mixed scheme: impacts by Newton's law at the ends of
//! steps. Order 4 between impacts, stable while dt ω < 2.8; contacts are those closed at q_i.
//!
//! Departs from the source in three places. It integrates by RADAU5, as `acceleration-lcp-radau5` does (`acceleration_radau`), and
//! switches between sticking and sliding where |ġ_T| ≤ 1e-6; here both are one law asked for the end of the step (`runge_kutta`), so that what comes to rest does
//! so exactly. The decomposition (4.17) into λ_H⁺, λ_H⁻ and slacks is what `lemke` solves; other solvers find the same.
//! And contacts that press stay in the set although their gaps drift by the error of the method.
//!
//! A multiplier may pull for the rest of the step in which it changes its sign, so a contact opens up to a step late and
//! with a velocity of that order. Contacts that depend on each other share the load by least squares, where a
//! complementarity problem would rather find the one that presses.

use super::SchemeInfo;
use super::mixed::{Base, BaseStepper, Mixed, PARTS};
use super::mixed_alpha::consistent_forces;
use super::runge_kutta::{CLASSIC, ContactRungeKutta, Contacts};
use crate::{Acceleration, Configuration, ContactStage, State, StepError, System};

pub const INFO: SchemeInfo = SchemeInfo {
    name: "acceleration-lcp",
    summary: "mixed: Runge–Kutta of order 4 with forces from a complementarity problem of accelerations, then impacts",
    parameters: &[PARTS],
    make: |values| {
        Ok(Mixed::of(AccelerationLevel { name: "acceleration-lcp", contacts: Contacts::Press }, values))
    },
};

pub const MULTIPLIER: SchemeInfo = SchemeInfo {
    name: "multiplier",
    summary: "mixed: Runge–Kutta of order 4 with closed contacts held like joints until they pull, then impacts",
    parameters: &[PARTS],
    make: |values| Ok(Mixed::of(AccelerationLevel { name: "multiplier", contacts: Contacts::Held }, values)),
};

#[derive(Clone, Copy, Debug)]
struct AccelerationLevel {
    name: &'static str,
    contacts: Contacts,
}

impl Base for AccelerationLevel {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        self.name.into()
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Workspace, StepError> {
        let first = Acceleration::start(system, state);
        state.memory.clear();
        let method = ContactRungeKutta::start(CLASSIC, system, stage, state)?;
        Ok(Workspace { contacts: self.contacts, method, first })
    }
}

/// No memory.
#[derive(Debug)]
struct Workspace {
    contacts: Contacts,
    method: ContactRungeKutta,
    first: Acceleration,
}

impl BaseStepper for Workspace {
    /// Which contacts press after an impact is not what pressed before it.
    fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        consistent_forces(self.method.at(), &mut self.first, system, stage, state)
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        self.method.step(system, stage, state, dt, self.contacts, |_, _, _| {})?;
        self.method.finish(stage, end);
        Ok(1)
    }

    fn at_end(&self) -> Option<&Configuration> {
        Some(self.method.there())
    }

    fn keeps_pressed(&self) -> bool {
        true
    }
}
