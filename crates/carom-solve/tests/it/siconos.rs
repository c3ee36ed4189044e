//! The measure of Siconos' numerics, against what its own functions say.
#![allow(non_snake_case, missing_docs)]

use crate::common::planar;
use carom_solve::files::{FileProblem, parse};
use carom_solve::{Law, SquareMatrix, StoredProblem, natural_map_error};

/// Two spatial contacts, two planar ones. The errors are those of `fc3d_compute_error` and `fc2d_compute_error` of Siconos
/// 4.4.0 on these very texts, at P_i = sin(1 + i) and with `norm` = |q|.
const CASES: [(&str, f64); 2] = [
    (
        "3 2 0 6 6 6 6  2 -0.5 0.25 0.5 0 0.1  -0.5 3 0.5 0 0.2 0  0.25 0.5 2.5 0.1 0 -0.3  0.5 0 0.1 1.5 0.25 0
         0 0.2 0 0.25 2 0.5  0.1 0 -0.3 0 0.5 1   -1 2 0.5 -3 1 -0.25   0.3 0.75",
        5.546859484006e-1,
    ),
    (
        "2 2 0 4 4 4 4  2 -0.5 0.25 0.5  -0.5 3 0.5 0  0.25 0.5 2.5 0.1  0.5 0 0.1 1.5   -1 2 -3 0.5   0.3 0.75",
        4.584589973236e-1,
    ),
];

#[test]
fn as_siconos_measures() {
    for (text, expected) in CASES {
        let Ok(FileProblem::Local(problem)) = parse(text) else { panic!("a local problem") };
        let P: Vec<f64> = (0..problem.U_free.len()).map(|i| (1.0 + i as f64).sin()).collect();
        let error = natural_map_error(&problem.as_problem(), &P);
        // Printed with thirteen digits.
        assert!((error - expected).abs() <= 1e-12 * expected, "{error:e} is not {expected:e}");
    }
}

/// Zero at an answer, infinite where numbers are not finite.
#[test]
fn ends_of_the_scale() {
    let slide = StoredProblem {
        W_hat: SquareMatrix::from_rows(&[vec![2.08, -1.44], vec![-1.44, 2.92]]),
        U_free: vec![-1.0, 2.0],
        laws: vec![planar(0.5)],
    };
    assert!(natural_map_error(&slide.as_problem(), &[5.0 / 14.0, -5.0 / 28.0]) < 1e-15);
    assert_eq!(natural_map_error(&slide.as_problem(), &[f64::NAN, 0.0]), f64::INFINITY);
    let rest =
        StoredProblem { W_hat: SquareMatrix::zeros(1), U_free: vec![0.0], laws: vec![Law::unilateral()] };
    assert_eq!(natural_map_error(&rest.as_problem(), &[0.0]), 0.0);
}
