//! One solve, with what the study finds of the answer.

use super::set::Case;
use carom_solve::{
    Limits, SolveReport, SolveStatus, SolverEntry, natural_map_error_from, residual_from, solve_by_both,
};
use std::time::Instant;

/// What came out of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// Time (s), the fastest of some where it is short.
    pub seconds: f64,
    /// The residual, computed here from the answer, with an operator that no solver iterates on.
    pub residual: f64,
    /// The error as Siconos' numerics measures it.
    pub natural_map: f64,
    /// What the solver says.
    pub report: SolveReport,
}

/// Repeats of a solve that is soon over (s).
const REPEATS: usize = 3;
const SOON: f64 = 5e-3;
/// A claim is false where the residual is this many times the tolerance: the two sums of Ŵ P round differently.
const ROUNDING: f64 = 1.01;
/// Below this rounding decides over the residual: Ŵ P by the factors of M and by what a solver was given differ by up to half of it,
/// on problems of 600 contacts.
const UNIT: f64 = 1e-13;

impl Attempt {
    /// Solves from zero with new memory.
    pub fn make(entry: &SolverEntry, case: &Case, limits: Limits, repeats: bool) -> Self {
        let mut best = Self::once(entry, case, limits);
        for _ in 1..REPEATS {
            if !repeats || best.seconds > SOON {
                break;
            }
            best.seconds = best.seconds.min(Self::once(entry, case, limits).seconds);
        }
        best
    }

    fn once(entry: &SolverEntry, case: &Case, limits: Limits) -> Self {
        let mut solver = (entry.make)();
        let mut P = vec![0.0; case.rows()];
        let clock = Instant::now();
        let report = solve_by_both(&mut *solver, &case.given(), limits, &mut P).report;
        let seconds = clock.elapsed().as_secs_f64();
        let (residual, natural_map) = measure(case, &P);
        Self { seconds, residual, natural_map, report }
    }

    /// The same answer where a tighter one is asked for and there is no time for it.
    pub fn carried_over(mut self) -> Self {
        if self.report.status == SolveStatus::Converged {
            self.report.status = SolveStatus::TimeLimit;
        }
        self
    }

    /// The larger of the two measures.
    pub fn error(&self) -> f64 {
        self.residual.max(self.natural_map)
    }

    /// Whether the answer is as good as asked, by both measures.
    pub fn solves(&self, tolerance: f64) -> bool {
        self.error() <= ROUNDING * tolerance + UNIT
    }

    /// Whether the solver says that it converged, and did not.
    pub fn is_false_claim(&self, tolerance: f64) -> bool {
        self.report.status == SolveStatus::Converged && !self.solves(tolerance)
    }

    /// The status in words: `iteration limit`.
    pub fn label(&self) -> String {
        let mut words = String::new();
        for letter in format!("{:?}", self.report.status).chars() {
            if letter.is_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.extend(letter.to_lowercase());
        }
        words
    }
}

/// Residual and Siconos' error of an answer.
pub fn measure(case: &Case, P: &[f64]) -> (f64, f64) {
    let exact = case.exact();
    let mut W_hat_P = vec![0.0; P.len()];
    exact.W_hat.apply(P, &mut W_hat_P);
    let residual = residual_from(&exact, P, &W_hat_P);
    let U: Vec<f64> = W_hat_P.iter().zip(exact.U_free).map(|(w, free)| w + free).collect();
    (residual, natural_map_error_from(exact.laws, exact.U_free, P, &U))
}
