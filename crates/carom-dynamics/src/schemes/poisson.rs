//! An impact by Poisson's law: compression, then decompression.                  [Haddouni2015] §2.1.2.2, [Glocker1995]
//!
//! ```text
//!   compression      M (v_c − v⁻) = Gᵀ P_b + W P_c,      0 ≤ U_N,c ⊥ P_N,c ≥ 0,     −P_T,c ∈ μ P_N,c Sgn(U_T,c)
//!   decompression    M (v⁺ − v_c) = Gᵀ P_b + W P_d,      P_N,d = e P_N,c + P_x,     0 ≤ U_N⁺ ⊥ P_x ≥ 0,
//!                                                        −P_T,d ∈ μ P_N,d Sgn(U_T⁺)
//! ```
//!
//! A single contact without friction leaves with −e times the velocity it came with, as by Newton's law. Several
//! contacts with different e, or friction that turns around, make a difference: by Poisson's law a contact gives back
//! what was stored in it, whether it approached or not.

use super::impulse::Impulse;
use crate::{ContactStage, ImpulseKind, State, StepError, System};

/// Unknowns and work arrays.
#[derive(Debug)]
pub struct Poisson {
    impulse: Impulse,
    /// Impulses of both phases, rows of all contacts.
    pub P: Vec<f64>,
    /// Impulses of both phases, joints.
    pub P_b: Vec<f64>,
    given: Vec<f64>,
    dv: Vec<f64>,
}

impl Poisson {
    /// At a state.
    pub fn start(system: &dyn System, stage: &mut ContactStage, state: &State) -> Result<Self, StepError> {
        Ok(Self {
            impulse: Impulse::start(system, stage, state)?,
            P: vec![0.0; state.P.len()],
            P_b: vec![0.0; state.P_b.len()],
            given: vec![0.0; state.v.len()],
            dv: vec![0.0; state.v.len()],
        })
    }

    /// The impact at a state, on the active contacts; changes its v and records the impact. Nothing happens, and false
    /// is returned, unless a contact approaches faster than `speed` and there is restitution.
    pub fn hit(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        speed: f64,
    ) -> Result<bool, StepError> {
        self.P.fill(0.0);
        self.P_b.fill(0.0);
        if !stage.is_active() {
            return Ok(false);
        }
        let at = self.impulse.at();
        at.move_to_state(system, state);
        stage.prepare(system, at, false, &state.P, 1.0);
        if !stage.bounces(speed) {
            return Ok(false);
        }
        // an impact takes no time: dt = 0
        self.impulse.v.copy_from_slice(&state.v);
        self.impulse.solve(system, stage, state.t, 0.0)?;
        self.P_b.copy_from_slice(&self.impulse.P_b);

        self.given.fill(0.0);
        stage.decompress(&mut self.given);
        stage.operator.solve_mass(&self.given, &mut self.dv);
        for (v, dv) in self.impulse.v.iter_mut().zip(&self.dv) {
            *v += dv;
        }
        self.impulse.solve(system, stage, state.t, 0.0)?;
        for (P_b, more) in self.P_b.iter_mut().zip(&self.impulse.P_b) {
            *P_b += more;
        }
        stage.recompose(&self.P_b);
        stage.scatter(1.0, &mut self.P);
        stage.record(ImpulseKind::Impact, &self.impulse.v, &self.P);
        state.v.copy_from_slice(&self.impulse.v);
        Ok(true)
    }
}
