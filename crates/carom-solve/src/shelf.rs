//! Keeps the problems that were hard: those that a solver gave up on before another solved them, and those nobody did.

use crate::{ContactProblem, ContactSolver, Limits, SolveReport, SolveStatus, SquareMatrix, StoredProblem};
use std::sync::{Arc, Mutex, PoisonError};

/// Problems kept at most: a run that fails at every step would fill the disk.
const MOST: usize = 200;

/// Where hard problems are put; clones share what is on it.
#[derive(Clone, Debug, Default)]
pub struct Shelf(Arc<Mutex<Vec<StoredProblem>>>);

impl Shelf {
    /// What was put there, in order; the first 200.
    pub fn problems(&self) -> Vec<StoredProblem> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same solver, which puts what it finds hard on this shelf.
    pub fn under(&self, solver: Box<dyn ContactSolver>) -> Box<dyn ContactSolver> {
        Box::new(Keeping { solver, shelf: self.clone() })
    }
}

/// A solver and its shelf.
#[derive(Debug)]
struct Keeping {
    solver: Box<dyn ContactSolver>,
    shelf: Shelf,
}

impl ContactSolver for Keeping {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn limit(&mut self, limits: Limits) {
        self.solver.limit(limits);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let report = self.solver.solve(problem, P);
        if report.fallbacks > 0 || report.status != SolveStatus::Converged {
            let mut kept = self.shelf.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < MOST {
                kept.push(stored(problem));
            }
        }
        report
    }
}

fn stored(problem: &ContactProblem<'_>) -> StoredProblem {
    let n = problem.U_free.len();
    let W_hat = problem.W_hat.dense().cloned().unwrap_or_else(|| {
        let mut W = SquareMatrix::zeros(n);
        for i in 0..n {
            W.row_mut(i).iter_mut().enumerate().for_each(|(j, w)| *w = problem.W_hat.entry(i, j));
        }
        W
    });
    StoredProblem { W_hat, U_free: problem.U_free.to_vec(), laws: problem.laws.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GaussSeidel, Law};

    /// A solved problem is not kept, one without answer is, as it was.
    #[test]
    fn only_hard_ones_are_kept() {
        let shelf = Shelf::default();
        let mut solver = shelf.under(Box::new(GaussSeidel::default()));
        let easy = StoredProblem {
            W_hat: SquareMatrix::from_rows(&[vec![1.0]]),
            U_free: vec![-1.0],
            laws: vec![Law::Unilateral],
        };
        solver.solve(&easy.as_problem(), &mut [0.0]);
        assert!(shelf.problems().is_empty());
        let jaws = StoredProblem {
            W_hat: SquareMatrix::from_rows(&[vec![1.0, -1.0], vec![-1.0, 1.0]]),
            U_free: vec![-1.0, -1.0],
            laws: vec![Law::Unilateral; 2],
        };
        solver.solve(&jaws.as_problem(), &mut [0.0; 2]);
        assert_eq!(shelf.problems(), [jaws]);
    }
}
