//! Problem files kept: in every storage, read, compared with what makes them, and solved.
#![allow(non_snake_case, missing_docs)]

use carom_solve::files::{FileProblem, parse};
use carom_solve::generate::generator;
use carom_solve::{SolveStatus, SparseMatrix, StoredProblem, natural_map_error, solver};

fn read(name: &str) -> StoredProblem<SparseMatrix> {
    let path = format!("{}/tests/data/problems/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it can be read");
    if name.ends_with(".json") {
        let problem: StoredProblem = serde_json::from_str(&text).expect("a stored problem");
        return StoredProblem::from(&problem);
    }
    match parse(&text).expect("a problem file") {
        FileProblem::Local(problem) => problem,
        FileProblem::Global(problem) => problem.condense().expect("a mass matrix is positive definite"),
    }
}

#[test]
fn files_hold_what_the_generator_makes_and_are_solved() {
    let files = [
        ("boxes.dat", "boxes", 8),
        ("spheres.dat", "spheres", 20),
        ("arch.dat", "arch", 12),
        ("sliders.dat", "sliders", 10),
        ("grasp.dat", "grasp", 5),
        ("chain.json", "chain", 6),
    ];
    for (file, kind, contacts) in files {
        let problem = read(file);
        let made =
            generator(kind).expect("a known name").problem(contacts).condense().expect("it has masses");
        assert_eq!(problem.laws, made.laws, "{file}");
        // Sines differ in the last bit from machine to machine.
        let close = |a: f64, b: f64, size: f64| (a - b).abs() <= 1e-13 * size;
        let size = made.W_hat.largest();
        assert!(made.W_hat.triplets().all(|(i, j, w)| close(problem.W_hat.entry(i, j), w, size)), "{file}");
        assert!(problem.W_hat.triplets().all(|(i, j, w)| close(made.W_hat.entry(i, j), w, size)), "{file}");
        assert!(made.U_free.iter().zip(&problem.U_free).all(|(a, b)| close(*a, *b, 1.0)), "{file}");

        let dense = problem.dense();
        let mut P = vec![0.0; dense.U_free.len()];
        let report = solver("auto").expect("a known name").solve(&dense.as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::Converged, "{file}: {report:?}");
        assert!(natural_map_error(&dense.as_problem(), &P) < 1e-11, "{file}");
    }
}
