//! The impact equations at one configuration.
//!
//! ```text
//!   M (v − v_free) = Gᵀ P_b + W P,      G v + ∂Φ/∂t + s = 0,      law(Wᵀ v + bias + e ∘ U⁻, P)
//! ```
//!
//! s is zero unless a scheme wants joints to close with that velocity. One solve, unless joints are redundant (one
//! proximal refinement) or a bound of friction depends on a reaction (a fixed point on the bound).

use crate::convergence::left;
use crate::{Configuration, ContactStage, State, StepError, System};

/// Passes stop when what is still to come changes the velocity by less than this, relatively.
const PASS_TOLERANCE: f64 = 1e-10;
/// Each pass contracts by the turn of the joints' directions times a number of order 1; this is on the safe side.
const TURN_CONTRACTS: f64 = 10.0;
/// More passes than this count as failure.
const MOST_PASSES: usize = 200;
/// A change below this is round-off.
const ROUND_OFF: f64 = 1e-14;

/// Unknowns and work arrays.
#[derive(Debug)]
pub struct Impulse {
    /// Of the passes, relative; [`PASS_TOLERANCE`] unless a method asks for more.
    tolerance: f64,
    at: Configuration,
    /// v_free on entry of `solve`, first guess on entry of `iterate`; v on return.
    pub v: Vec<f64>,
    /// Joint impulses on return.
    pub P_b: Vec<f64>,
    s: Vec<f64>,
    /// An impulse given besides, for `iterate`; solving takes it.
    pub given: Vec<f64>,
    /// For `iterate`.
    pub v_free: Vec<f64>,
    dv: Vec<f64>,
    work: Vec<f64>,
    dP_b: Vec<f64>,
}

impl Impulse {
    /// At a state: sizes everything and evaluates M.
    pub fn start(system: &dyn System, stage: &mut ContactStage, state: &State) -> Result<Self, StepError> {
        Self::to_within(PASS_TOLERANCE, system, stage, state)
    }

    /// The same with passes to another tolerance.
    pub fn to_within(
        tolerance: f64,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
    ) -> Result<Self, StepError> {
        let sizes = system.structure().sizes;
        let at = stage.start_at(system, state)?;
        let (of_v, of_b) = (|| vec![0.0; sizes.v], || vec![0.0; sizes.constraints]);
        Ok(Self {
            tolerance,
            at,
            v: of_v(),
            P_b: of_b(),
            s: of_b(),
            given: of_v(),
            v_free: of_v(),
            dv: of_v(),
            work: of_v(),
            dP_b: of_b(),
        })
    }

    /// Where questions are asked; move it to where M, G, W are meant before `solve`.
    pub fn at(&mut self) -> &mut Configuration {
        &mut self.at
    }

    /// s = Φ/dt where questions are asked: joints close within dt, to first order.
    pub fn close_joints(&mut self, system: &dyn System, dt: f64) {
        if !self.s.is_empty() {
            let at = &self.at;
            system.constraints(at, &mut self.s);
            for s in &mut self.s {
                *s /= dt;
            }
        }
    }

    /// Where it was left.
    pub fn there(&self) -> &Configuration {
        &self.at
    }

    /// Solves; returns the number of passes.
    pub fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        t: f64,
        dt: f64,
    ) -> Result<usize, StepError> {
        self.P_b.fill(0.0);
        if self.P_b.is_empty() && !stage.is_active() {
            return Ok(1);
        }
        let at = &self.at;
        if !stage.operator.evaluate_mass(system, at, false) {
            return Err(StepError::Singular { t });
        }
        stage.operator.forget_jacobian();
        stage.operator.evaluate_jacobian(system, at);
        stage.evaluate_directions(system, at);
        if !stage.operator.factor(system, at, 0.0, 0.0) {
            return Err(StepError::Singular { t });
        }
        self.given.fill(0.0);
        self.v_free.copy_from_slice(&self.v);
        self.iterate(stage, t, dt, None)
    }

    /// M (v − v_free) = given + Gᵀ P_b + W P with everything evaluated and factored already. Impulses stand for forces
    /// over `dt`. With a `turn`, reactions act along directions that differ so much from those that velocities are held
    /// along; the solve is repeated until both fit.
    pub fn iterate(
        &mut self,
        stage: &mut ContactStage,
        t: f64,
        dt: f64,
        turn: Option<f64>,
    ) -> Result<usize, StepError> {
        let n = self.v.len();
        self.P_b.fill(0.0);
        let more = stage.operator.is_regularised() || stage.bounds_depend_on_reactions();
        let again = more || turn.is_some();
        // the contraction that is expected of the first pass, on the safe side
        let expected = if more { f64::INFINITY } else { turn.map_or(0.0, |turn| TURN_CONTRACTS * turn) };
        let mut before = f64::INFINITY;
        for pass in 1..=MOST_PASSES {
            stage.update_bounds(dt, &self.P_b);
            // r = given − M (v − v_free) + Gᵀ P_b,  c = −(G v + ∂Φ/∂t + s)
            if pass == 1 && self.v == self.v_free {
                self.dv.copy_from_slice(&self.given);
            } else {
                for ((work, v_free), v) in self.work.iter_mut().zip(&self.v_free).zip(&self.v) {
                    *work = v_free - v;
                }
                stage.operator.mul_mass(&self.work, &mut self.dv);
                for (dv, given) in self.dv.iter_mut().zip(&self.given) {
                    *dv += given;
                }
                if pass > 1 {
                    stage.operator.add_reactions(&self.P_b, &mut self.dv);
                }
            }
            stage.operator.constraint_velocity(&self.v, &mut self.dP_b);
            for (c, s) in self.dP_b.iter_mut().zip(&self.s) {
                *c = -(*c + s);
            }
            stage.solve(t, &self.v, &mut self.dv, &mut self.dP_b)?;
            for (P, dP) in self.P_b.iter_mut().zip(&self.dP_b) {
                *P += dP;
            }
            if !again {
                for i in 0..n {
                    self.v[i] += self.dv[i];
                }
                return Ok(pass);
            }
            let (mut change, mut size) = (0.0, 0.0);
            let M = stage.operator.M_diag();
            for i in 0..n {
                self.v[i] += self.dv[i];
                change += M[i] * self.dv[i].powi(2);
                let pushed = self.given[i] / M[i];
                size += M[i] * self.v[i].powi(2).max(self.v_free[i].powi(2)).max(pushed * pushed);
            }
            let (change, size) = (change.sqrt(), size.sqrt());
            // what is still to come is about ρ/(1 − ρ) times the last change, ρ the contraction seen or expected
            let rate = if pass == 1 { expected } else { change / before };
            // bounds of the first pass are those of no reactions: that nothing changed with them says nothing
            let settled = change <= ROUND_OFF * size && (pass > 1 || !more);
            if rate < 1.0 && left(rate, change) <= self.tolerance * size || settled {
                return Ok(pass);
            }
            before = change;
        }
        let velocity = (0..n).max_by(|&i, &j| self.dv[i].abs().total_cmp(&self.dv[j].abs())).unwrap_or(0);
        Err(StepError::Newton { t, iterations: MOST_PASSES, change: self.dv[velocity].abs(), velocity })
    }
}
