//! Somebody who looks at contact problems as they are solved, to keep the hard ones.

use super::ContactStage;
use carom_solve::{ContactProblem, SolveReport, SolveStatus};
use std::fmt::Debug;

/// A contact problem that was just solved, or was not.
#[derive(Clone, Copy)]
pub struct SeenProblem<'a> {
    /// Time that the step asks about (s).
    pub t: f64,
    /// Steps begun so far, this one included; those that were tried again count.
    pub step: usize,
    /// The problem.
    pub problem: ContactProblem<'a>,
    /// The answer.
    pub P: &'a [f64],
    /// What the solver says of it.
    pub report: SolveReport,
}

impl SeenProblem<'_> {
    /// Whether the first solver gave up, or all of them.
    pub fn is_hard(&self) -> bool {
        self.report.fallbacks > 0 || self.report.status != SolveStatus::Converged
    }
}

/// Looks at every contact problem of a run.
pub trait ProblemWatch: Debug + Send {
    /// Called after each solve.
    fn see(&mut self, seen: &SeenProblem<'_>);
}

impl ContactStage {
    /// Shows every contact problem from now on to `watch`.
    pub fn watch_problems(&mut self, watch: Box<dyn ProblemWatch>) {
        self.solver.observer = Some(watch);
    }
}
