//! What a solver is and what it says when it returns.

use crate::{ContactProblem, Limits, residual};
use serde::Serialize;
use std::fmt::Debug;

/// How a solve ended. Not converging is a result, not an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolveStatus {
    /// The residual is below the tolerance.
    Converged,
    /// The iteration limit was reached first.
    IterationLimit,
    /// The time limit was reached first.
    TimeLimit,
    /// The residual did not fall any more.
    Stalled,
    /// Pivoting ended on a secondary ray: no solution, or none this method can reach.
    Ray,
    /// It is proved that there is no answer: some weights of the rows are against every velocity the laws allow.
    Infeasible,
    /// The solver cannot treat this kind of problem (say, Lemke on a spatial cone).
    Unsupported,
    /// Non-finite numbers appeared.
    NotFinite,
}

impl SolveStatus {
    /// Converged if the residual is below the tolerance, not finite if it is not, else what the solver says.
    pub(crate) fn of(residual: f64, tolerance: f64, otherwise: SolveStatus) -> SolveStatus {
        if residual <= tolerance {
            SolveStatus::Converged
        } else if !residual.is_finite() {
            SolveStatus::NotFinite
        } else {
            otherwise
        }
    }
}

/// What a solve did. The residual is `residual` of the returned P, whoever computed it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SolveReport {
    /// How it ended.
    pub status: SolveStatus,
    /// The one documented measure, at the returned P.
    pub residual: f64,
    /// Iterations (sweeps, Newton steps or pivots) of the solver that answered.
    pub iterations: usize,
    /// Name of the solver that answered.
    pub solver: &'static str,
    /// How many solvers gave up before it.
    pub fallbacks: usize,
}

impl SolveReport {
    /// Of an iteration that has ended with this P, measured as everybody does it: sums in another order may differ in their last
    /// digits.
    pub(crate) fn measured(
        solver: &'static str,
        problem: &ContactProblem<'_>,
        P: &[f64],
        tolerance: f64,
        otherwise: SolveStatus,
        iterations: usize,
    ) -> Self {
        let residual = residual(problem, P);
        let status = SolveStatus::of(residual, tolerance, otherwise);
        Self { status, residual, iterations, solver, fallbacks: 0 }
    }

    /// Of a solver that does not treat this kind of problem.
    pub(crate) fn refusal(solver: &'static str, problem: &ContactProblem<'_>, P: &[f64]) -> Self {
        let (status, residual) = (SolveStatus::Unsupported, residual(problem, P));
        Self { status, residual, iterations: 0, solver, fallbacks: 0 }
    }
}

/// Finds P for a [`ContactProblem`].
pub trait ContactSolver: Debug + Send {
    /// Name in the registry.
    fn name(&self) -> &'static str;
    /// Says how good the answer has to be and how long it may take.
    fn limit(&mut self, limits: Limits);
    /// Solves for P. On entry P is a first guess (zeros will do); on return it is the best answer found.
    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport;
}
