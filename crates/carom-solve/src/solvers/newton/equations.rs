//! Newton by blocks on the equations that are here for comparison: `newton-jean-moreau`, `newton-fischer-burmeister`.
//!
//! The steps are those of `block_newton.rs`, whatever the storage of Ŵ. There is no dense form, and no second method behind
//! them but the sweeps that each round begins with.

use crate::limits::Deadline;
use crate::matrix::block_view::{self, ManyFrame};
use crate::one_contact::equation::{Equation, FischerBurmeister, JeanMoreau};
use crate::solvers::newton::blocks::BlockNewton;
use crate::{ContactProblem, ContactSolver, Law, Limits, SolveReport, SolveStatus};

/// Largest number of linear solves.
const MOST_STEPS: usize = 200;

/// A solver of this name on equation E.
#[derive(Debug)]
pub(crate) struct NewtonByBlocks<E> {
    name: &'static str,
    limits: Limits,
    many: ManyFrame,
    newton: BlockNewton<E>,
    U: Vec<f64>,
}

impl NewtonByBlocks<JeanMoreau> {
    /// The solver `newton-jean-moreau`.
    pub fn jean_moreau() -> Self {
        Self::named("newton-jean-moreau")
    }
}

impl NewtonByBlocks<FischerBurmeister> {
    /// The solver `newton-fischer-burmeister`.
    pub fn fischer_burmeister() -> Self {
        Self::named("newton-fischer-burmeister")
    }
}

impl<E: Equation> NewtonByBlocks<E> {
    fn named(name: &'static str) -> Self {
        let (limits, many) = (Limits::default(), ManyFrame::default());
        Self { name, limits, many, newton: BlockNewton::default(), U: Vec::new() }
    }
}

impl<E: Equation> ContactSolver for NewtonByBlocks<E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let Limits { tolerance, seconds } = self.limits;
        if problem.laws.iter().any(Law::has_two_disks) {
            return SolveReport::refusal(self.name, problem, P);
        }
        if let Some(refusal) = block_view::too_full(problem, P, self.name) {
            return refusal;
        }
        let deadline = Deadline::after(seconds);
        let view = self.many.view(problem);
        self.U.resize(P.len(), 0.0);
        view.start(P, &mut self.U);
        let found = self.newton.run(&view, P, tolerance, MOST_STEPS, deadline);
        let (iterations, otherwise) =
            found.map_or((0, SolveStatus::Unsupported), |found| (found.sweeps, found.otherwise));
        SolveReport::measured(self.name, problem, P, tolerance, otherwise, iterations)
    }
}
