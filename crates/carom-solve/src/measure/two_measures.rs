//! Answers that are good by both measures, for figures that are compared with others.
//!
//! A solver stops by the [`residual`](crate::residual()). The error of Siconos' numerics weighs rows differently, and may still
//! be above the tolerance; then the solver goes on from its answer, with a tolerance as much smaller as is missing:
//!
//! ```text
//!   ε₀ = ε,      ε_k+1 = ½ min(ε_k, res_k) · ε / err_k       while res_k ≤ ε_k and err_k > ε
//! ```

use crate::limits::Deadline;
use crate::{ContactProblem, ContactSolver, Limits, SolveReport, SolveStatus, natural_map_error};

/// Rounds with a smaller tolerance.
const TIGHTER: usize = 3;
/// What each round aims at, of what is missing.
const MARGIN: f64 = 0.5;

/// A report with the second measure.
#[derive(Clone, Copy, Debug)]
pub struct BothReport {
    /// What the solver says, iterations of all rounds together. Converged if both measures are below the tolerance.
    pub report: SolveReport,
    /// [`natural_map_error`] of the answer.
    pub natural_map_error: f64,
}

/// Solves until both measures are below the tolerance, or the solver gives up. P becomes the best answer, by the larger of the
/// two measures.
pub fn solve_by_both(
    solver: &mut dyn ContactSolver,
    problem: &ContactProblem<'_>,
    limits: Limits,
    P: &mut [f64],
) -> BothReport {
    let deadline = Deadline::after(limits.seconds);
    let mut next = limits;
    let mut best: Option<(BothReport, Vec<f64>)> = None;
    let mut iterations = 0;
    for _ in 0..=TIGHTER {
        solver.limit(next);
        let report = solver.solve(problem, P);
        iterations += report.iterations;
        let error = natural_map_error(problem, P);
        let worse = |both: &BothReport| both.report.residual.max(both.natural_map_error);
        if best.as_ref().is_none_or(|(both, _)| report.residual.max(error) < worse(both)) {
            best = Some((BothReport { report, natural_map_error: error }, P.to_vec()));
        }
        let converged = report.status == SolveStatus::Converged;
        if !converged || error <= limits.tolerance || deadline.passed() {
            // the status of the round that ended it, whichever was the best
            let otherwise = if converged { SolveStatus::TimeLimit } else { report.status };
            return concluded(best, limits, otherwise, iterations, P);
        }
        next.tolerance = report.residual.min(next.tolerance) * MARGIN * limits.tolerance / error;
        next.seconds = deadline.left();
    }
    concluded(best, limits, SolveStatus::IterationLimit, iterations, P)
}

/// The best round, under an honest status.
fn concluded(
    best: Option<(BothReport, Vec<f64>)>,
    limits: Limits,
    otherwise: SolveStatus,
    iterations: usize,
    P: &mut [f64],
) -> BothReport {
    let (mut both, answer) = best.expect("at least one round");
    P.copy_from_slice(&answer);
    let larger = both.report.residual.max(both.natural_map_error);
    both.report.status = SolveStatus::of(larger, limits.tolerance, otherwise);
    both.report.iterations = iterations;
    both
}
