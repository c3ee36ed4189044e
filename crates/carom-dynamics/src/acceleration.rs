//! Accelerations and forces at one instant, joints and contacts included.
//!
//! ```text
//!   M a = h + Gᵀ λ_b + W λ,      G a = −bias_b,      0 ≤ Wᵀ_N a + bias_N ⊥ λ_N ≥ 0   on { g_N ≤ 0, U_N ≤ 0 }
//!   λ_T ∈ −μ λ_N Sgn(U_T + ε (W_Tᵀ a + bias_T))
//! ```
//!
//! The friction law is asked a moment ε later: what slides goes on sliding that way, what rests may begin to move. ε is
//! the time in which the forces change the velocities by a billionth. A method that knows where its step ends asks later
//! still, [`Acceleration::solve_active`]: what comes to rest within the step then does so exactly.

use crate::{Configuration, ContactStage, State, StepError, System};

/// Change of the velocities in ε, and the approach that still counts as none, relative to the velocities.
const MOMENT: f64 = 1e-9;

/// Passes over the bounds of friction where contacts are held: each contracts by μ times how normal and tangential
/// rows are coupled.
const HELD_PASSES: usize = 50;

/// Which contacts press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressing {
    /// None; joints that rub do.
    None,
    /// Those that are closed and neither open nor approach: what approaches is about to hit.
    Resting,
    /// Those that are closed and do not open.
    Closed,
}

/// Unknowns and work arrays.
#[derive(Debug)]
pub struct Acceleration {
    /// a.
    pub a: Vec<f64>,
    /// M⁻¹ h: what a would be without joints and contacts.
    pub x: Vec<f64>,
    /// λ_b.
    pub lambda_b: Vec<f64>,
    /// λ, rows of all contacts.
    pub lambda: Vec<f64>,
    /// dU/dt = Wᵀ a + bias, rows of all contacts; of those that were active in `solve_active`.
    pub rates: Vec<f64>,
    h: Vec<f64>,
    bias_b: Vec<f64>,
    bias: Vec<f64>,
    dv: Vec<f64>,
    dP_b: Vec<f64>,
}

impl Acceleration {
    /// With the sizes of a system and its state.
    pub fn start(system: &dyn System, state: &State) -> Self {
        let sizes = system.structure().sizes;
        let (of_v, of_b, rows) = (|| vec![0.0; sizes.v], || vec![0.0; sizes.constraints], state.P.len());
        Self {
            a: of_v(),
            x: of_v(),
            lambda_b: of_b(),
            lambda: vec![0.0; rows],
            rates: vec![0.0; rows],
            h: of_v(),
            bias_b: of_b(),
            bias: vec![0.0; rows],
            dv: of_v(),
            dP_b: of_b(),
        }
    }

    /// Solves at `at` with its velocities. Active in the stage on return: the contacts that press.
    pub fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        at: &Configuration,
        pressing: Pressing,
    ) -> Result<(), StepError> {
        self.evaluate(system, stage, at, &[])?;
        self.lambda_b.fill(0.0);
        self.lambda.fill(0.0);
        stage.activate(system, at);
        let mut speed = at.v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        match pressing {
            Pressing::None => stage.open_all(),
            Pressing::Resting => stage.retain_slow(system, at, (-MOMENT * speed, MOMENT * speed)),
            Pressing::Closed => stage.retain_slow(system, at, (f64::NEG_INFINITY, MOMENT * speed)),
        }
        if self.lambda_b.is_empty() && !stage.is_active() {
            self.a.copy_from_slice(&self.x);
            return Ok(());
        }
        stage.prepare(system, at, false, &self.lambda, 0.0);
        let push = self.x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        // a surface may move while nothing else does
        speed = speed.max(stage.fastest());
        let moment = if push > 0.0 { MOMENT * speed / push } else { MOMENT };
        stage.ask_for_accelerations(system, at, moment, &mut self.bias);
        self.balance(system, stage, at)
    }

    /// Solves with the contacts that are active in the stage, and the force `push` besides (empty: none). The law is asked
    /// for Wᵀ a + bias + `asked` in all rows: with U/τ there, for the velocities a time τ later. With `held` the normal
    /// rows are joints, whatever the sign of λ_N. `asked` has the rows of all contacts; λ comes in as first guess.
    #[allow(clippy::too_many_arguments)]
    pub fn solve_active(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        at: &Configuration,
        push: &[f64],
        asked: &[f64],
        held: bool,
    ) -> Result<(), StepError> {
        self.evaluate(system, stage, at, push)?;
        if self.lambda_b.is_empty() && !stage.is_active() {
            self.a.copy_from_slice(&self.x);
            self.lambda.fill(0.0);
            return Ok(());
        }
        stage.prepare(system, at, false, &self.lambda, 1.0);
        stage.ask_for_rates(system, at, asked, &mut self.bias);
        self.lambda_b.fill(0.0);
        self.lambda.fill(0.0);
        if held {
            stage.make_bilateral();
        }
        self.balance(system, stage, at)?;
        stage.scatter_rates(&self.a, &self.bias, &mut self.rates);
        Ok(())
    }

    /// M, G, h and M⁻¹ (h + push) at a configuration.
    fn evaluate(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        at: &Configuration,
        push: &[f64],
    ) -> Result<(), StepError> {
        if !stage.operator.evaluate_mass(system, at, false) {
            return Err(StepError::Singular { t: at.t() });
        }
        stage.operator.forget_jacobian();
        stage.operator.evaluate_jacobian(system, at);
        system.force(at, &mut self.h);
        for (h, push) in self.h.iter_mut().zip(push) {
            *h += push;
        }
        stage.operator.solve_mass(&self.h, &mut self.x);
        Ok(())
    }

    /// a, λ_b and λ with everything evaluated and the law prepared.
    fn balance(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        at: &Configuration,
    ) -> Result<(), StepError> {
        let (n, t) = (self.a.len(), at.t());
        system.constraint_bias(at, &mut self.bias_b);
        if !stage.operator.factor(system, at, 0.0, 0.0) {
            return Err(StepError::Singular { t });
        }
        self.a.fill(0.0);
        // a second pass where dependent joints made the matrix regularised, or a bound depends on a reaction
        let passes = 1
            + usize::from(stage.operator.is_regularised())
            + 3 * usize::from(stage.bounds_depend_on_joints());
        for pass in 1..=passes.max(if stage.is_bilateral() { HELD_PASSES } else { 1 }) {
            let settled = stage.update_bounds(1.0, &self.lambda_b);
            if pass > passes && settled {
                break;
            }
            stage.operator.mul_mass(&self.a, &mut self.dv);
            for i in 0..n {
                self.dv[i] = self.h[i] - self.dv[i];
            }
            stage.operator.add_reactions(&self.lambda_b, &mut self.dv);
            stage.operator.lacking_accelerations(&self.a, &self.bias_b, &mut self.dP_b);
            stage.solve(t, &self.a, &mut self.dv, &mut self.dP_b)?;
            for i in 0..n {
                self.a[i] += self.dv[i];
            }
            for (lambda, d) in self.lambda_b.iter_mut().zip(&self.dP_b) {
                *lambda += d;
            }
        }
        stage.make_unilateral();
        stage.scatter(1.0, &mut self.lambda);
        Ok(())
    }
}
