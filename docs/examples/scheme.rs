//! Symplectic Euler with impulses over the step, as an example of a scheme written against the public API.
//!
//! ```text
//!   v_{n+1} = v_n + M⁻¹ [dt h(t_n, q_n, v_n) + Gᵀ P_b + W P]              M, G, W at q_n
//!   q_{n+1} = q_n ⊕ dt v_{n+1}
//!   G v_{n+1} + ∂Φ/∂t = 0,     0 ≤ U_{n+1} + e U_n ⊥ P ≥ 0   on { g(q_n ⊕ dt/2 · v_n) ≤ 0 }
//! ```
//!
//! Order 1 everywhere. One linear solve and one contact problem per step, so dependent joints, and joints that rub with
//! a bound that depends on their own reaction, get one pass where the schemes of the registry iterate.
#![allow(non_snake_case)]

use carom_dynamics::write_a_scheme::{
    Configuration, ContactStage, Scheme, State, StepError, StepReport, Stepper, System,
};

/// What people choose. Parameters would stand here; this scheme has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymplecticEuler;

impl Scheme for SymplecticEuler {
    fn describe(&self) -> String {
        "symplectic-euler".into()
    }

    /// Makes the workspace of a run: the only place that allocates.
    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        let sizes = system.structure().sizes;
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        if !stage.operator.evaluate_mass(system, &at, true) {
            return Err(StepError::Singular { t: state.t });
        }
        state.memory.clear();
        Ok(Box::new(Workspace {
            at,
            dv: vec![0.0; sizes.v],
            P_b: vec![0.0; sizes.constraints],
            v: vec![0.0; sizes.v],
            delta: vec![0.0; sizes.v],
            q: vec![0.0; sizes.q],
        }))
    }
}

/// What makes the steps.
#[derive(Debug)]
struct Workspace {
    at: Configuration,
    /// r of the contact stage on entry, δv on return.
    dv: Vec<f64>,
    /// c of the contact stage on entry, the impulses of the joints on return.
    P_b: Vec<f64>,
    v: Vec<f64>,
    delta: Vec<f64>,
    q: Vec<f64>,
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        let at = &mut self.at;
        let n = state.v.len();
        stage.begin();
        // active: g(q_n ⊕ dt/2 · v_n) ≤ 0
        for i in 0..n {
            self.delta[i] = 0.5 * dt * state.v[i];
        }
        at.retract_to(system, state.t + 0.5 * dt, &state.q, &self.delta);
        stage.activate(system, at);
        // M, h, G, W and U_n at (t_n, q_n, v_n)
        at.move_to(system, state.t, &state.q);
        at.v.copy_from_slice(&state.v);
        stage.prepare(system, at, true, &state.P, 1.0);
        stage.operator.evaluate_mass(system, at, false);
        stage.operator.evaluate_jacobian(system, at);
        stage.evaluate_directions(system, at);
        stage.update_bounds(dt, &state.P_b);
        if !stage.operator.factor(system, at, 0.0, 0.0) {
            return Err(StepError::Singular { t: state.t });
        }
        // M δv − Gᵀ P_b = dt h + W P,   G δv = −(G v_n + ∂Φ/∂t)
        system.force(at, &mut self.dv);
        self.dv.iter_mut().for_each(|r| *r *= dt);
        stage.operator.constraint_velocity(&state.v, &mut self.P_b);
        self.P_b.iter_mut().for_each(|c| *c = -*c);
        stage.solve(state.t, &state.v, &mut self.dv, &mut self.P_b)?;
        for i in 0..n {
            self.v[i] = state.v[i] + self.dv[i];
            self.delta[i] = dt * self.v[i];
        }
        if let Some(velocity) = self.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: state.t, velocity });
        }
        // commit: nothing fails from here on
        system.retract(&state.q, &self.delta, &mut self.q);
        stage.finish(&self.v, state);
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.v);
        state.P_b.copy_from_slice(&self.P_b);
        state.spread_impulses(dt);
        state.t += dt;
        let work = stage.work();
        Ok(StepReport {
            newton_iterations: 1,
            contact_problems: work.problems,
            contact_iterations: work.iterations,
            fallbacks: work.fallbacks,
            contact_residual: work.residual,
            work: None,
        })
    }
}
