//! Moreau's explicit schemes: forces where the step begins or at its middle, impulses by one contact problem.
//!
//! Classic, [Schindler2015] (29)–(33):
//!
//! ```text
//!   q_{n+1} = q_n ⊕ dt v_n
//!   v_{n+1} = v_n + dt M_n⁻¹ h_n + M_{n+1}⁻¹ (Gᵀ P_b + W P)_{n+1}
//! ```
//!
//! Midpoint, the rule behind [RezaeiSchindler] Table 4, with q_m = q_n ⊕ dt/2 · v_n, t_m = t_n + dt/2:
//!
//! ```text
//!   v_{n+1} = v_n + M_m⁻¹ [dt h(t_m, q_m, v_n) + Gᵀ P_b + W P]
//!   q_{n+1} = q_m ⊕ dt/2 · v_{n+1}
//! ```
//!
//! Both: G v_{n+1} + ∂Φ/∂t = 0 and 0 ≤ U_{n+1} + e U_n ⊥ P ≥ 0 on { g(q_n ⊕ dt/2 · v_n) ≤ 0 }, with G and W where M is.
//! Order 1; the midpoint rule has order 2 for forces without velocity, away from impacts and joints.

use super::SchemeInfo;
use super::implicit::report;
use super::impulse::Impulse;
use crate::{ContactStage, ContactsTaken, Scheme, State, StepError, StepReport, Stepper, System};

pub const CLASSIC: SchemeInfo = SchemeInfo {
    name: "moreau-explicit",
    summary: "Moreau's classic explicit scheme; cheapest step, for soft systems",
    parameters: &[],
    make: |_| Ok(Box::new(MoreauExplicit { rule: Rule::Classic })),
};

pub const MIDPOINT: SchemeInfo = SchemeInfo {
    name: "moreau-midpoint",
    summary: "Moreau's midpoint rule; explicit, order 2 in free flight",
    parameters: &[],
    make: |_| Ok(Box::new(MoreauExplicit { rule: Rule::Midpoint })),
};

/// Where forces and directions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Forces at the beginning, impulses at the end.
    Classic,
    /// Everything at the middle.
    Midpoint,
}

/// An explicit scheme of Moreau.
#[derive(Clone, Copy, Debug)]
struct MoreauExplicit {
    rule: Rule,
}

impl Scheme for MoreauExplicit {
    fn describe(&self) -> String {
        match self.rule {
            Rule::Classic => "moreau-explicit".into(),
            Rule::Midpoint => "moreau-midpoint".into(),
        }
    }

    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken { in_space: true, resisting: true, changing: true }
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        state.memory.clear();
        let sizes = system.structure().sizes;
        Ok(Box::new(Workspace {
            rule: self.rule,
            impulse: Impulse::start(system, stage, state)?,
            delta: vec![0.0; sizes.v],
            q: vec![0.0; sizes.q],
            h: vec![0.0; sizes.v],
        }))
    }
}

#[derive(Debug)]
struct Workspace {
    rule: Rule,
    impulse: Impulse,
    delta: Vec<f64>,
    q: Vec<f64>,
    h: Vec<f64>,
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
        for i in 0..n {
            self.delta[i] = 0.5 * dt * state.v[i];
        }
        // active: g(q_n ⊕ dt/2 · v_n) ≤ 0, with U_n at q_n
        if stage.has_contacts() {
            let at = self.impulse.at();
            at.retract_to(system, t + 0.5 * dt, &state.q, &self.delta);
            stage.activate(system, at);
            if stage.is_active() {
                at.move_to(system, t, &state.q);
                at.v.copy_from_slice(&state.v);
                stage.prepare(system, at, true, &state.P, 1.0);
            }
        }
        // free velocity
        let at = self.impulse.at();
        match self.rule {
            Rule::Classic => at.move_to(system, t, &state.q),
            Rule::Midpoint => at.retract_to(system, t + 0.5 * dt, &state.q, &self.delta),
        }
        at.v.copy_from_slice(&state.v);
        if !stage.operator.evaluate_mass(system, at, false) {
            return Err(StepError::Singular { t });
        }
        system.force(at, &mut self.h);
        stage.operator.solve_mass(&self.h, &mut self.impulse.v);
        for i in 0..n {
            self.impulse.v[i] = state.v[i] + dt * self.impulse.v[i];
        }
        // impulses
        if self.rule == Rule::Classic {
            for i in 0..n {
                self.delta[i] = dt * state.v[i];
            }
            self.impulse.at().retract_to(system, t + dt, &state.q, &self.delta);
        }
        let iterations = self.impulse.solve(system, stage, t, dt)?;
        // commit
        let v = &self.impulse.v;
        if let Some(velocity) = v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t, velocity });
        }
        if self.rule == Rule::Midpoint {
            for i in 0..n {
                self.delta[i] = 0.5 * dt * (state.v[i] + v[i]);
            }
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
