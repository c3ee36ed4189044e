//! The contact solver of a stage, who looks at its problems, and what it has done in this step.

use super::observer::{ProblemWatch, SeenProblem};
use crate::StepError;
use carom_solve::{ContactProblem, ContactSolver, SolveReport, SolveStatus};

/// Sums over the contact problems of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactWork {
    /// Contact problems solved.
    pub problems: usize,
    /// Iterations inside the solvers.
    pub iterations: usize,
    /// Problems answered by a fallback.
    pub fallbacks: usize,
    /// Residual of the last problem.
    pub residual: f64,
}

/// Solves, shows, counts.
#[derive(Debug)]
pub(super) struct Solver {
    solver: Box<dyn ContactSolver>,
    pub observer: Option<Box<dyn ProblemWatch>>,
    /// Steps begun.
    step: usize,
    pub work: ContactWork,
}

impl Solver {
    /// Before the first step.
    pub fn new(solver: Box<dyn ContactSolver>) -> Self {
        Self { solver, observer: None, step: 0, work: ContactWork::default() }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.step += 1;
        self.work = ContactWork::default();
    }

    /// Finds P from a first guess.
    pub fn solve(&mut self, t: f64, problem: ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let report = self.solver.solve(&problem, P);
        if let Some(observer) = &mut self.observer {
            observer.see(&SeenProblem { t, step: self.step, problem, P, report });
        }
        self.work.problems += 1;
        self.work.iterations += report.iterations;
        self.work.fallbacks += usize::from(report.fallbacks > 0);
        self.work.residual = report.residual;
        report
    }
}

/// Whether a problem was solved; `worst` is the contact to look at where it was not.
pub(super) fn converged(t: f64, report: &SolveReport, worst: impl Fn() -> usize) -> Result<(), StepError> {
    if report.status == SolveStatus::Converged {
        return Ok(());
    }
    let SolveReport { solver, residual, iterations, .. } = *report;
    Err(StepError::Contact { t, contact: worst(), solver, residual, iterations })
}
