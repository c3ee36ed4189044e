//! Newton by blocks on the equations that are here for comparison: `newton-jean-moreau`, `newton-fischer-burmeister`.
//!
//! The steps are those of `blocks.rs`, whatever the storage of Ŵ. There is no dense form, and no second method behind
//! them but the sweeps that each round begins with.

use crate::matrix::block_view::ManyFrame;
use crate::one_contact::equation::{Equation, FischerBurmeister, JeanMoreau};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::newton::blocks::BlockNewton;
use crate::{SolveReport, SolveStatus};

/// In the registry.
pub(crate) static JEAN_MOREAU: SolverEntry = SolverEntry {
    name: "newton-jean-moreau",
    description: "semismooth Newton by blocks on the Jean–Moreau equation, for comparison",
    takes: Takes::ONE_DISK,
    needs: Needs::Blocks,
    make: || Driver::boxed(&JEAN_MOREAU, NewtonByBlocks::<JeanMoreau>::default()),
};

/// In the registry.
pub(crate) static FISCHER_BURMEISTER: SolverEntry = SolverEntry {
    name: "newton-fischer-burmeister",
    description: "semismooth Newton by blocks on the Fischer–Burmeister equation of the cones, for comparison",
    takes: Takes::ONE_DISK,
    needs: Needs::Blocks,
    make: || Driver::boxed(&FISCHER_BURMEISTER, NewtonByBlocks::<FischerBurmeister>::default()),
};

/// Largest number of linear solves.
const MOST_STEPS: usize = 200;

/// The solver on equation E.
#[derive(Debug, Default)]
struct NewtonByBlocks<E> {
    many: ManyFrame,
    newton: BlockNewton<E>,
    U: Vec<f64>,
}

impl<E: Equation> Method for NewtonByBlocks<E> {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let view = self.many.view(task.problem);
        self.U.resize(P.len(), 0.0);
        view.start(P, &mut self.U);
        let found = self.newton.run(&view, P, task.tolerance, MOST_STEPS, task.deadline);
        let (iterations, otherwise) =
            found.map_or((0, SolveStatus::Unsupported), |found| (found.sweeps, found.otherwise));
        task.measured(P, otherwise, iterations)
    }
}
