//! Thousands of contacts are swept by several threads: the same bits for any number of them.
#![allow(non_snake_case, missing_docs)]

mod common;

use carom_solve::{ContactSolver, GaussSeidel, SolveReport, SolveStatus, residual};
use common::Seeded;
use common::scene::{BlockProblem, packing};

fn solve(problem: &BlockProblem, threads: usize, sweeps: usize, tolerance: f64) -> (SolveReport, Vec<f64>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut solver = GaussSeidel::default();
    (solver.max_sweeps, solver.tolerance) = (sweeps, tolerance);
    let mut P = vec![0.0; problem.U_free.len()];
    let report = pool.install(|| solver.solve(&problem.as_problem(), &mut P));
    (report, P)
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let problem = packing(&mut Seeded(137), 10, 0.4, 0.3).problem("packing", 0.0);
    assert!(problem.laws.len() > 4000);
    let (report, P) = solve(&problem, 1, 50, 1e-12);
    assert_eq!(report.residual, residual(&problem.as_problem(), &P));
    assert!(report.residual < 1e-2, "{report:?}");
    for threads in [2, 4] {
        let (other, Q) = solve(&problem, threads, 50, 1e-12);
        assert_eq!(report.residual.to_bits(), other.residual.to_bits(), "{threads} threads");
        assert!(P.iter().zip(&Q).all(|(p, q)| p.to_bits() == q.to_bits()), "{threads} threads");
    }
}

/// Colours sweep in another order and end in the same velocities: without friction these are unique.
#[test]
fn sweeps_by_colour_solve_the_same_problem() {
    let problem = packing(&mut Seeded(139), 10, 0.0, 0.1).problem("packing", 0.0);
    let (report, P) = solve(&problem, 2, 20_000, 1e-8);
    assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
    // each normal row obeys its law: U ≥ 0, P ≥ 0, one of them zero
    let mut U = vec![0.0; P.len()];
    carom_solve::Delassus::apply(&problem.W_hat, &P, &mut U);
    for i in (0..P.len()).step_by(3) {
        let u = U[i] + problem.U_free[i];
        assert!(P[i] >= 0.0 && u > -1e-6 && (u * P[i]).abs() < 1e-6, "row {i}: U = {u:e}, P = {:e}", P[i]);
    }
}
