//! By how much a vibration grows in a step, whatever the scheme remembers.
//!
//! ```text
//!   ρ(A) where the step has an amplification matrix A; else (E_n / E_0)^(1/2n) over n steps,  E = ½ (v² + Ω² q²)
//! ```
//!
//! Beyond Ω = 1000 nothing changes but round-off, so it is asked no further.

use super::INFINITE;
use super::amplification::{Amplification, SpectrumError};
use super::oscillator::Oscillator;
use crate::{ContactStage, Scheme, State, StepError};

/// Steps over which growth is measured where there is no matrix: a method that looks back six steps has forgotten its start.
const STEPS: i32 = 100;

/// Growth per step of a vibration with Ω = ω dt and damping ratio ξ: infinite where numbers leave the range of arithmetic, NaN
/// where the step fails for another reason.
pub fn growth(scheme: &dyn Scheme, Omega: f64, xi: f64) -> f64 {
    let Omega = Omega.min(INFINITE);
    let failed = |error: &StepError| match error {
        StepError::NotFinite { .. } => f64::INFINITY,
        _ => f64::NAN,
    };
    if scheme.has_spectrum() {
        return match Amplification::new(scheme, Omega, xi) {
            Ok(amplification) => amplification.radius(),
            Err(SpectrumError::Step { source, .. }) => failed(&source),
            Err(_) => f64::NAN,
        };
    }
    let system = Oscillator::new(Omega, xi);
    let solver = carom_solve::solver("auto").expect("the solver `auto` is in the registry");
    let mut stage = ContactStage::new(&system, solver);
    let mut state = State::new(&system, 0.0, vec![1.0], vec![0.0]);
    let energy = |state: &State| state.v[0].powi(2) + (Omega * state.q[0]).powi(2);
    let first = energy(&state);
    let mut stepper = match scheme.start(&system, &mut stage, &mut state) {
        Ok(stepper) => stepper,
        Err(error) => return failed(&error),
    };
    for _ in 0..STEPS {
        if let Err(error) = stepper.step(&system, &mut stage, &mut state, 1.0) {
            return failed(&error);
        }
    }
    let grown = (energy(&state) / first).powf(0.5 / f64::from(STEPS));
    if grown.is_finite() { grown } else { f64::INFINITY }
}
