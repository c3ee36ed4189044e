//! The amplification matrix of a scheme, by differentiating its implemented step.               [RezaeiSchindler] App. A
//!
//! ```text
//!   X = (q, v, memory),      X_{n+1} = step(X_n) = A X_n        on q'' + 2ξΩ q' + Ω² q = 0 with dt = 1
//!   A e_j = step(X_rest + e_j) − step(X_rest)
//! ```
//!
//! The step is a linear map, so a difference with a unit vector is its derivative without error of truncation, and there
//! is no second formula that could differ from the code. With dt = 1 the state is (q, dt v, dt² a) of the literature.
//! X_rest is a step from rest, so that a memory that holds more than mechanics (a step size) stands at its usual value.
//! Memory that only feeds first guesses does not act on (q, v): it adds eigenvalues 0.

use super::oscillator::Oscillator;
use crate::{ContactStage, Scheme, State, StepError};
use carom_linear::eigenvalues;
use num_complex::Complex64;
use thiserror::Error;

/// Why there is no spectrum.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpectrumError {
    /// The step failed on the test equation.
    #[error("the step failed on the oscillator with ω dt = {Omega}: {source}")]
    Step {
        /// ω dt.
        Omega: f64,
        /// Why.
        source: StepError,
    },
    /// The step depends on steps before it.
    #[error(
        "{scheme} looks back on steps before the last one, so its step has no amplification matrix; methods of one step have, such \
         as hem5, radau5 or generalized-alpha"
    )]
    Memory {
        /// The scheme.
        scheme: String,
    },
    /// Something asked for makes no sense.
    #[error("{what} is {value}; it must be {right}")]
    Input {
        /// What was given.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        right: &'static str,
    },
}

/// The amplification matrix of a scheme at one ω dt.
#[derive(Clone, Debug, PartialEq)]
pub struct Amplification {
    /// Rows and columns: q, dt v, then what the scheme remembers, as it would be for dt = 1.
    pub size: usize,
    /// Entries, row after row.
    pub A: Vec<f64>,
    /// How far the step is from linear: |step(x) − A x| over |x_i| + Σ |A_ij x_j|, the largest row of three trials.
    pub nonlinearity: f64,
}

impl Amplification {
    /// Of a scheme at Ω = ω dt with damping ratio ξ.
    pub fn new(scheme: &dyn Scheme, Omega: f64, xi: f64) -> Result<Self, SpectrumError> {
        if !scheme.has_spectrum() {
            return Err(SpectrumError::Memory { scheme: scheme.describe() });
        }
        let system = Oscillator::new(Omega, xi);
        let solver = carom_solve::solver("auto").expect("the solver `auto` is in the registry");
        let mut stage = ContactStage::new(&system, solver);
        let mut rest = State::new(&system, 0.0, vec![0.0], vec![0.0]);
        let failed = |source| SpectrumError::Step { Omega, source };
        let mut stepper = scheme.start(&system, &mut stage, &mut rest).map_err(failed)?;
        stepper.step(&system, &mut stage, &mut rest, 1.0).map_err(failed)?;
        let size = 2 + rest.memory.len();
        // step(X_rest + x)
        let mut image = |x: &dyn Fn(usize) -> f64| -> Result<Vec<f64>, SpectrumError> {
            let mut state = rest.clone();
            state.q[0] += x(0);
            state.v[0] += x(1);
            for (i, m) in state.memory.iter_mut().enumerate() {
                *m += x(2 + i);
            }
            stepper.step(&system, &mut stage, &mut state, 1.0).map_err(failed)?;
            Ok([&state.q[..], &state.v[..], &state.memory[..]].concat())
        };
        let origin = image(&|_| 0.0)?;
        let mut A = vec![0.0; size * size];
        for j in 0..size {
            let column = image(&|i| f64::from(i == j))?;
            for i in 0..size {
                A[i * size + j] = column[i] - origin[i];
            }
        }
        // trials with all components of one size; a result smaller than what it came from has the round-off of that
        let mut nonlinearity: f64 = 0.0;
        for trial in 1..=3 {
            let x = |i: usize| (f64::from(trial) * (1.0 + i as f64)).cos() * f64::from(trial);
            let found = image(&x)?;
            for i in 0..size {
                let parts = |j: usize| A[i * size + j] * x(j);
                let linear: f64 = (0..size).map(parts).sum();
                let scale: f64 = (0..size).map(|j| parts(j).abs()).sum::<f64>() + x(i).abs();
                nonlinearity = nonlinearity.max((found[i] - origin[i] - linear).abs() / scale);
            }
        }
        Ok(Self { size, A, nonlinearity })
    }

    /// Eigenvalues, largest modulus first.
    pub fn eigenvalues(&self) -> Vec<Complex64> {
        eigenvalues(self.size, &self.A)
    }

    /// Spectral radius ρ: the largest modulus.
    pub fn radius(&self) -> f64 {
        self.eigenvalues().first().map_or(0.0, |z| z.norm())
    }
}
