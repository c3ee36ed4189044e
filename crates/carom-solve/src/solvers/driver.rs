//! What every solver does before and after its iteration, and what iterations have in common: each solver writes only its own.
//!
//! Before: a law that the solver does not take, or a matrix that it would have to form and cannot, is refused; rows of a second disk
//! get the unit of the others; the clock is started. After: the answer is measured as everybody does it. Both ends are here
//! and nowhere else.
//!
//! ```text
//!   Driver            refuse · even rows · deadline · Method::run · report
//!   iterate           while smallest > tolerance:   Iteration::step · best point so far · stalled? · time over?
//! ```

use crate::limits::Deadline;
use crate::matrix::row_units::{self, RowUnits};
use crate::registry::SolverEntry;
use crate::solvers::progress::Stall;
use crate::{ContactProblem, ContactSolver, Limits, SolveReport, SolveStatus};
use std::fmt::Debug;

/// The inside of a solver: its iteration, with the memory that it reuses.
pub(crate) trait Method: Debug + Send {
    /// Solves for P, which is a first guess. The laws are among those that its entry takes, Ŵ can be formed as far as it says.
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport;
}

/// What a method is asked.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// Name of the solver.
    pub name: &'static str,
    pub problem: &'a ContactProblem<'a>,
    /// Residual at which an answer is accepted.
    pub tolerance: f64,
    pub deadline: Deadline,
}

impl Task<'_> {
    /// Ended with this P, to be measured as everybody does it: sums in another order may differ in their last digits.
    pub fn measured(&self, P: &[f64], otherwise: SolveStatus, iterations: usize) -> SolveReport {
        SolveReport::measured(self.name, self.problem, P, self.tolerance, otherwise, iterations)
    }

    /// Ended with a P whose residual is known.
    pub fn known(&self, residual: f64, otherwise: SolveStatus, iterations: usize) -> SolveReport {
        let status = SolveStatus::of(residual, self.tolerance, otherwise);
        SolveReport { status, residual, iterations, solver: self.name, fallbacks: 0 }
    }

    /// Not begun.
    pub fn refusal(&self, P: &[f64]) -> SolveReport {
        SolveReport::refusal(self.name, self.problem, P)
    }
}

/// A method as a solver.
#[derive(Debug)]
pub(crate) struct Driver<M> {
    entry: &'static SolverEntry,
    limits: Limits,
    row_units: RowUnits,
    method: M,
}

impl<M: Method + 'static> Driver<M> {
    /// The solver of this entry.
    pub fn boxed(entry: &'static SolverEntry, method: M) -> Box<dyn ContactSolver> {
        let (limits, row_units) = (Limits::default(), RowUnits::default());
        Box::new(Self { entry, limits, row_units, method })
    }
}

impl<M: Method> ContactSolver for Driver<M> {
    fn name(&self) -> &'static str {
        self.entry.name
    }

    fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        if row_units::uneven(problem) {
            return self.solve_even(problem, P);
        }
        let Self { entry, limits, method, .. } = self;
        if !entry.takes.all(problem.laws) || !entry.needs.can_be_had(problem) {
            return SolveReport::refusal(entry.name, problem, P);
        }
        let deadline = Deadline::after(limits.seconds);
        method.run(&Task { name: entry.name, problem, tolerance: limits.tolerance, deadline }, P)
    }
}

impl<M: Method> Driver<M> {
    /// With the rows of second disks in the unit of the others.
    #[cold]
    fn solve_even(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        if !self.entry.takes.all(problem.laws) {
            return SolveReport::refusal(self.entry.name, problem, P);
        }
        let mut row_units = std::mem::take(&mut self.row_units);
        let report = row_units.solve(problem, P, |problem, P| self.solve(problem, P));
        self.row_units = row_units;
        report
    }
}

/// One iteration of a solver that looks at its residual as it goes.
pub(crate) trait Iteration {
    /// Goes one further, and offers the points that it has measured.
    fn step(&mut self, search: &mut Search<'_>) -> Step;
}

/// What follows an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Next,
    /// No more, for this reason.
    End(SolveStatus),
}

/// How far an iteration has come.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    /// The best point so far and its residual.
    pub best: &'a mut [f64],
    pub smallest: f64,
    pub iterations: usize,
    pub tolerance: f64,
    pub deadline: Deadline,
}

impl<'a> Search<'a> {
    /// From this point; `best` is memory for it.
    pub fn from(task: &Task<'_>, best: &'a mut [f64], P: &[f64], residual: f64) -> Self {
        best.copy_from_slice(P);
        let Task { tolerance, deadline, .. } = *task;
        Self { best, smallest: residual, iterations: 0, tolerance, deadline }
    }

    /// A point that was measured; the iteration ends where that gave no number.
    pub fn offer(&mut self, P: &[f64], residual: f64) -> Step {
        if residual < self.smallest {
            self.smallest = residual;
            self.best.copy_from_slice(P);
        }
        if residual.is_finite() { Step::Next } else { Step::End(SolveStatus::IterationLimit) }
    }
}

/// How long an iteration may go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Largest number of iterations.
    pub iterations: usize,
    /// Iterations after which the smallest residual must have fallen, and the factor by which.
    pub window: usize,
    pub progress: f64,
}

/// Iterates until the tolerance is met, progress, patience or time ends; says which.
pub(crate) fn iterate(
    iteration: &mut impl Iteration,
    search: &mut Search<'_>,
    patience: Patience,
) -> SolveStatus {
    let mut stall = Stall::new(patience.window, patience.progress, search.smallest);
    while search.smallest > search.tolerance
        && search.smallest.is_finite()
        && search.iterations < patience.iterations
    {
        if search.deadline.passed() {
            return SolveStatus::TimeLimit;
        }
        search.iterations += 1;
        if let Step::End(status) = iteration.step(search) {
            return if search.deadline.passed() { SolveStatus::TimeLimit } else { status };
        }
        if stall.look(search.smallest) {
            return SolveStatus::Stalled;
        }
    }
    if search.deadline.passed() { SolveStatus::TimeLimit } else { SolveStatus::IterationLimit }
}
