//! The residual as a measure: no unit, small for right answers and large for wrong ones.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, mechanism, planar, slider_corners, table};
use carom_solve::{Delassus, Law, SquareMatrix, StoredProblem, residual, residual_from};

/// The same problem in other units of mass, velocity, and of length in the rows of torque.
fn rescaled(problem: &StoredProblem, row: &[f64], mass: f64, speed: f64) -> StoredProblem {
    let n = problem.U_free.len();
    let mut scaled = problem.clone();
    for i in 0..n {
        for j in 0..n {
            scaled.W_hat[(i, j)] *= row[i] * row[j] / mass;
        }
        scaled.U_free[i] *= row[i] * speed;
    }
    let mut i = 0;
    for law in &mut scaled.laws {
        if let Some(bound) = law.bound() {
            *law = Law::dry(bound * (mass * speed / row[i]));
        }
        i += law.dim();
    }
    scaled
}

#[test]
fn no_unit_enters() {
    let mut rng = Seeded(3);
    for _ in 0..300 {
        let laws = vec![planar(0.3), Law::unilateral(), Law::dry(rng.unit()), Law::bilateral()];
        let G: Vec<Vec<f64>> = (0..5).map(|_| (0..4).map(|_| rng.next()).collect()).collect();
        let v: Vec<f64> = (0..4).map(|_| rng.next()).collect();
        let problem = mechanism(&G, &[1.0, 2.0, 0.5, 3.0], &v, laws);
        let P: Vec<f64> = (0..5).map(|_| rng.next()).collect();
        let before = residual(&problem.as_problem(), &P);
        for (mass, speed, length) in [(1e6, 1.0, 1.0), (1.0, 1e-6, 1.0), (1.0, 1.0, 1e-3), (3e-5, 7e4, 1e3)] {
            // The dry row is a torque: its velocity is one over a length.
            let row = [1.0, 1.0, 1.0, 1.0 / length, 1.0];
            let scaled = rescaled(&problem, &row, mass, speed);
            let P: Vec<f64> = P.iter().zip(row).map(|(P, row)| P * mass * speed / row).collect();
            let after = residual(&scaled.as_problem(), &P);
            assert!((after - before).abs() < 1e-13 * before, "{before} became {after}");
        }
    }
}

#[test]
fn wrong_answers_measure_as_wrong() {
    for case in table().friction2d {
        let problem = case.problem(planar);
        for i in 0..case.r.len() {
            for factor in [1e-3, 1.0] {
                let size = case.r.iter().chain(&case.q).fold(0.0_f64, |size, x| size.max(x.abs()));
                let mut P = case.r.clone();
                P[i] += factor * size;
                let measured = residual(&problem.as_problem(), &P);
                assert!(
                    measured > 0.01 * factor,
                    "{}: error {factor} in row {i} measures {measured:e}",
                    case.name
                );
            }
        }
    }
}

#[test]
fn limits() {
    let rest = StoredProblem {
        W_hat: SquareMatrix::from_rows(&[vec![2.0, 0.0], vec![0.0, 1.0]]),
        U_free: vec![0.0, 0.0],
        laws: vec![planar(0.5)],
    };
    assert_eq!(residual(&rest.as_problem(), &[0.0, 0.0]), 0.0);
    // A push that nothing asked for is wrong by its own size.
    assert!(residual(&rest.as_problem(), &[1.0, 0.0]) > 0.5);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(residual(&rest.as_problem(), &[bad, 0.0]), f64::INFINITY);
        assert_eq!(residual(&rest.as_problem(), &[0.0, bad]), f64::INFINITY);
        let broken = StoredProblem { U_free: vec![bad, 0.0], ..rest.clone() };
        assert_eq!(residual(&broken.as_problem(), &[0.0, 0.0]), f64::INFINITY);
    }
    // A contact that nothing moves: fine if it separates, hopeless if it approaches.
    let fixed =
        |u| StoredProblem { W_hat: SquareMatrix::zeros(1), U_free: vec![u], laws: vec![Law::unilateral()] };
    assert_eq!(residual(&fixed(1.0).as_problem(), &[0.0]), 0.0);
    assert_eq!(residual(&fixed(-1.0).as_problem(), &[0.0]), 1.0);
}

/// Ŵ that only gives entries, as an operator that is not stored dense.
struct Entries(SquareMatrix);

impl Delassus for Entries {
    fn rows(&self) -> usize {
        self.0.n()
    }
    fn apply(&self, P: &[f64], out: &mut [f64]) {
        self.0.apply(P, out);
    }
    fn entry(&self, i: usize, j: usize) -> f64 {
        self.0[(i, j)]
    }
    fn dense(&self) -> Option<&SquareMatrix> {
        None
    }
}

#[test]
fn the_form_of_the_operator_does_not_matter() {
    let problem = slider_corners(0.3, [1.0, -0.2, 0.5]);
    let operator = Entries(problem.W_hat.clone());
    let mut view = problem.as_problem();
    let mut rng = Seeded(5);
    let P: Vec<f64> = (0..8).map(|_| rng.next()).collect();
    let dense = residual(&view, &P);
    view.W_hat = &operator;
    let mut product = vec![0.0; 8];
    operator.apply(&P, &mut product);
    assert!((residual(&view, &P) - dense).abs() < 1e-14);
    assert!((residual_from(&view, &P, &product) - dense).abs() < 1e-14);
    for entry in carom_solve::SOLVERS {
        let (mut a, mut b) = (vec![0.0; 8], vec![0.0; 8]);
        (entry.make)().solve(&problem.as_problem(), &mut a);
        (entry.make)().solve(&view, &mut b);
        assert_eq!(a, b, "{}", entry.name);
    }
}

/// A ball between jaws that close: no P answers, and one so large that the free velocity drowns in its rounding is no answer.
#[test]
fn impulses_that_drown_the_free_velocity_do_not_converge() {
    let entry = |i: usize, j: usize| match (i == j, i % 3 == j % 3) {
        (true, _) => 1.0,
        (false, true) => -1.0,
        (false, false) => 0.0,
    };
    let rows: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect();
    let problem = StoredProblem {
        W_hat: SquareMatrix::from_rows(&rows),
        U_free: vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0],
        laws: vec![Law::spatial_coulomb(0.3); 2],
    };
    for size in [1.0, 1e8, 1e17, 1e30] {
        let measured = residual(&problem.as_problem(), &[size, 0.0, 0.0, size, 0.0, 0.0]);
        assert!(measured > 5e-4, "P = {size:e}: {measured:e}");
    }
}
