//! Every problem of the table of known solutions, by every solver that treats it.
#![allow(non_snake_case, missing_docs)]

use crate::common::{distance, planar, spatial, table, velocity};
use carom_solve::lcp::{LcpSolver, LcpStatus};
use carom_solve::{Law, SOLVERS, SolveStatus, SquareMatrix, StoredProblem, residual};

#[test]
fn friction_reactions_and_velocities() {
    let table = table();
    let planar = table.friction2d.iter().map(|case| (case, case.problem(planar)));
    let spatial = table.friction3d.iter().map(|case| (case, case.problem(spatial)));
    let mut checked = 0;
    for (case, problem) in planar.chain(spatial) {
        // The published answer itself, rounded to doubles, measures as correct.
        let measured = residual(&problem.as_problem(), &case.r);
        assert!(measured < 1e-15 * 10.0, "{}: the table's answer has residual {measured:e}", case.name);
        for entry in SOLVERS {
            let mut P = vec![0.0; case.r.len()];
            let report = (entry.make)().solve(&problem.as_problem(), &mut P);
            if report.status == SolveStatus::Unsupported {
                continue;
            }
            checked += 1;
            let what = format!("{} by {}: {report:?}", case.name, entry.name);
            assert_eq!(report.status, SolveStatus::Converged, "{what}");
            // Tolerance 1e-12 of the solver times the condition of these blocks (below 30).
            assert!(distance(&P, &case.r) < 3e-11, "{what}: P = {P:?}, not {:?}", case.r);
            assert!(distance(&velocity(&problem, &P), &case.u) < 3e-11, "{what}");
        }
    }
    assert!(checked > 20);
}

#[test]
fn complementarity_problems_with_their_pivot_counts() {
    let mut solver = LcpSolver::default();
    for case in table().lcp {
        let M = SquareMatrix::from_rows(&case.M);
        let mut z = vec![0.0; case.q.len()];
        let report = solver.solve(&M, &case.q, &mut z, 10_000);
        let expected = match case.lemke.as_str() {
            "trivial" => LcpStatus::Trivial,
            "solution" => LcpStatus::Solution,
            "ray" => LcpStatus::Ray,
            other => panic!("unknown outcome {other}"),
        };
        assert_eq!((report.status, report.pivots), (expected, case.lemke_pivots), "{}", case.name);
        if expected == LcpStatus::Ray {
            continue;
        }
        // Complementary, and, where the table lists all of them, one of the solutions.
        for i in 0..z.len() {
            let w: f64 = case.q[i] + case.M[i].iter().zip(&z).map(|(m, z)| m * z).sum::<f64>();
            assert!(w > -1e-12 && z[i] >= 0.0 && (w * z[i]).abs() < 1e-12, "{}: w_{i} = {w}", case.name);
        }
        if matches!(case.solution_kind.as_str(), "unique" | "isolated") {
            let nearest = case.solutions.iter().map(|s| distance(s, &z)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-12, "{}: {z:?} is none of the listed solutions", case.name);
        }
    }
}

#[test]
fn exponential_family_takes_the_published_number_of_pivots() {
    let counts = table().lemke_pivots;
    for (&n, &pivots) in counts.n.iter().zip(&counts.pivots) {
        let mut M = SquareMatrix::zeros(n);
        for i in 0..n {
            M[(i, i)] = 1.0;
            (i + 1..n).for_each(|j| M[(i, j)] = 2.0);
        }
        let q: Vec<f64> = (0..n).map(|i| (1u32 << i) as f64 - (1u32 << n) as f64).collect();
        let mut z = vec![0.0; n];
        let report = LcpSolver::default().solve(&M, &q, &mut z, 10_000);
        assert_eq!((report.status, report.pivots), (LcpStatus::Solution, pivots), "n = {n}");
    }
}

#[test]
fn complementarity_problems_as_frictionless_contacts() {
    // Those with a positive semidefinite matrix are contact problems that every solver treats.
    let names = ["fathi_5", "degenerate_2", "degenerate_4", "obstacle_6", "segment_2"];
    let table = table();
    for name in names {
        let case = table.lcp.iter().find(|case| case.name == name).expect("the table has this problem");
        let problem = StoredProblem {
            W_hat: SquareMatrix::from_rows(&case.M),
            U_free: case.q.clone(),
            laws: vec![Law::unilateral(); case.q.len()],
        };
        let truth = velocity(&problem, &case.solutions[0]);
        for entry in SOLVERS {
            let mut P = vec![0.0; case.q.len()];
            let report = (entry.make)().solve(&problem.as_problem(), &mut P);
            assert_eq!(report.status, SolveStatus::Converged, "{name} by {}: {report:?}", entry.name);
            // U is unique even where P is not. fathi_5 has condition 1e4.
            assert!(distance(&velocity(&problem, &P), &truth) < 1e-10, "{name} by {}", entry.name);
            if case.solution_kind == "unique" {
                assert!(distance(&P, &case.solutions[0]) < 1e-7, "{name} by {}: {P:?}", entry.name);
            }
        }
    }
}
