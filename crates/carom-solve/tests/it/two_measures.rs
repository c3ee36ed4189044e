//! Answers that are good by both measures.
#![allow(non_snake_case, missing_docs)]

use carom_solve::generate::generator;
use carom_solve::{GaussSeidel, Limits, SolveStatus, natural_map_error, residual, solve_by_both, solver};

/// Heavy bodies: impulses are large numbers, velocities small ones, and the error of Siconos' numerics asks for less than the
/// residual does; light bodies the other way round. Both are met whatever the unit of mass.
#[test]
fn whatever_the_unit_of_mass() {
    for mass in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
        let mut stored =
            generator("spheres").expect("a kind").problem(40).condense().expect("a mechanism").dense();
        for i in 0..stored.U_free.len() {
            stored.W_hat.row_mut(i).iter_mut().for_each(|w| *w /= mass);
        }
        let problem = stored.as_problem();
        let limits = Limits { tolerance: 1e-8, seconds: 10.0 };
        for name in ["auto", "admm"] {
            let mut P = vec![0.0; stored.U_free.len()];
            let both = solve_by_both(&mut *solver(name).expect("a solver"), &problem, limits, &mut P);
            assert_eq!(both.report.status, SolveStatus::Converged, "{name}, mass {mass}: {both:?}");
            assert!(residual(&problem, &P) <= 1e-8 && natural_map_error(&problem, &P) <= 1e-8);
            assert_eq!(both.natural_map_error, natural_map_error(&problem, &P));
        }
    }
}

/// What cannot be reached by one of the two is not called converged.
#[test]
fn one_of_two_is_not_enough() {
    let stored = generator("spheres").expect("a kind").problem(40).condense().expect("a mechanism").dense();
    let mut sweeps = GaussSeidel { max_sweeps: 3, ..GaussSeidel::default() }.solver();
    let mut P = vec![0.0; stored.U_free.len()];
    let limits = Limits { tolerance: 1e-8, seconds: 10.0 };
    let both = solve_by_both(&mut *sweeps, &stored.as_problem(), limits, &mut P);
    assert_eq!(both.report.status, SolveStatus::IterationLimit, "{both:?}");
    assert_eq!(both.report.residual, residual(&stored.as_problem(), &P));
}
