//! Contact problems by themselves: those that were met and kept, and small ones of every generator, with every solver.

use crate::digest::Digest;
use crate::ledger::compare;
use carom::SOLVERS;
use carom::solve::generate::{GENERATORS, KEPT};
use carom::solve::{ContactProblem, SolveStatus};

/// Contacts of a generated problem, at least.
const CONTACTS: usize = 12;

fn solved(problem: &ContactProblem<'_>) -> Vec<(String, String)> {
    let size: usize = problem.laws.iter().map(carom::solve::Law::dim).sum();
    let one = |entry: &carom::SolverEntry| {
        let mut P = vec![0.0; size];
        let report = (entry.make)().solve(problem, &mut P);
        let mut digest = Digest::new();
        digest.numbers(&P);
        let word = digest.word();
        let is_good = report.status == SolveStatus::Converged;
        (entry.name.to_string(), if is_good { word } else { format!("failed-{word}") })
    };
    SOLVERS.iter().copied().map(one).collect()
}

pub fn all() {
    for kept in KEPT {
        compare("problem", kept.name, &solved(&kept.problem().as_problem()));
    }
    for generator in GENERATORS {
        let problem = generator.problem(CONTACTS).condense().expect("generated problems have a mass");
        compare("problem", generator.name, &solved(&problem.dense().as_problem()));
        compare("sparse-problem", generator.name, &solved(&problem.as_problem()));
    }
}
