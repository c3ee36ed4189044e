//! Ŵ over bodies is the Ŵ that is formed, and what sweeps and gradients find with it is an answer of that.
#![allow(non_snake_case, missing_docs)]

use carom_solve::generate::{GENERATORS, generator};
use carom_solve::{Bodies, Delassus, Limits, SolveStatus, StoredProblem, residual, solver};

fn over_bodies(name: &str, contacts: usize) -> StoredProblem<Bodies> {
    let problem = generator(name).expect("a kind").problem(contacts);
    problem.over_bodies().expect("M is fine").expect("bodies are small")
}

/// Entry by entry, as a product and by blocks.
#[test]
fn the_same_operator() {
    for family in GENERATORS.iter().filter(|family| family.name != "mesh") {
        let global = family.problem(12);
        let formed = global.condense().expect("M is fine");
        let free = global.over_bodies().expect("M is fine").expect("bodies are small");
        assert_eq!(formed.U_free, free.U_free);
        let n = formed.U_free.len();
        assert_eq!(free.W_hat.rows(), n);
        let largest = formed.W_hat.largest();
        let blocks = free.W_hat.to_blocks();
        let P: Vec<f64> = (0..n).map(|i| (1.0 + i as f64).sin()).collect();
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        formed.W_hat.apply(&P, &mut a);
        free.W_hat.apply(&P, &mut b);
        for i in 0..n {
            assert!((a[i] - b[i]).abs() <= 1e-13 * n as f64 * largest, "{}: row {i}", family.name);
            for j in 0..n {
                let (w, bodies) = (formed.W_hat.entry(i, j), free.W_hat.entry(i, j));
                assert!((w - bodies).abs() <= 1e-13 * largest, "{}: ({i}, {j})", family.name);
                assert!((w - blocks.entry(i, j)).abs() <= 1e-13 * largest, "{}: ({i}, {j})", family.name);
            }
        }
    }
}

/// An elastic mesh is one large part of M.
#[test]
fn a_mesh_is_no_body() {
    let mesh = generator("mesh").expect("a kind").problem(60);
    assert!(mesh.over_bodies().expect("M is fine").is_none());
}

/// Answers over bodies hold for the operator that is formed.
#[test]
fn solvers_over_bodies() {
    for (name, contacts) in
        [("spheres", 200), ("disks", 200), ("table", 150), ("chain", 60), ("grasp", 60), ("rolling", 100)]
    {
        let free = over_bodies(name, contacts);
        let formed = generator(name).expect("a kind").problem(contacts).condense().expect("M is fine");
        for solver_name in ["gauss-seidel", "apgd", "newton", "admm", "auto"] {
            let mut solver = solver(solver_name).expect("a solver");
            solver.limit(Limits { tolerance: 1e-6, seconds: 20.0 });
            let mut P = vec![0.0; free.U_free.len()];
            let report = solver.solve(&free.as_problem(), &mut P);
            let true_residual = residual(&formed.blocks().as_problem(), &P);
            assert!((report.residual - true_residual).abs() <= 1e-11, "{solver_name} on {name}: {report:?}");
            // sweeps stagnate where all fingers hold one ball, and say so
            if (solver_name, name) != ("gauss-seidel", "grasp") {
                assert_eq!(report.status, SolveStatus::Converged, "{solver_name} on {name}: {report:?}");
            }
        }
    }
}
