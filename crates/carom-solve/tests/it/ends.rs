//! Every solve ends: with numbers that are none, in time, and never with a refusal in the place of an answer.
#![allow(non_snake_case, missing_docs)]

use crate::common::spatial;
use carom_solve::generate::generator;
use carom_solve::{
    Bodies, Delassus, GlobalProblem, Law, Limits, SOLVERS, SolveStatus, SparseMatrix, SquareMatrix,
    StoredProblem, solver,
};
use std::time::Instant;

fn global(name: &str, contacts: usize) -> GlobalProblem {
    generator(name).expect("a kind").problem(contacts)
}

fn dense(name: &str, contacts: usize) -> StoredProblem {
    global(name, contacts).condense().expect("a mechanism").dense()
}

/// Where something is no number, nobody looks for an answer for long: a few iterations, and P as it was or zero.
#[test]
fn what_is_no_number_is_seen_at_once() {
    for good in [dense("spheres", 30), dense("disks", 20)] {
        look(&good);
    }
}

fn look(good: &StoredProblem) {
    let mut bad_U = good.clone();
    bad_U.U_free[7] = f64::NAN;
    let mut bad_W = good.clone();
    bad_W.W_hat[(3, 4)] = f64::INFINITY;
    for entry in SOLVERS {
        let mut solver = (entry.make)();
        // something else before, which must not come back
        let mut P = vec![0.0; good.U_free.len()];
        solver.solve(&good.as_problem(), &mut P);
        for bad in [&bad_U, &bad_W] {
            let mut P = vec![0.0; bad.U_free.len()];
            let report = solver.solve(&bad.as_problem(), &mut P);
            let said = matches!(report.status, SolveStatus::NotFinite | SolveStatus::Unsupported);
            assert!(said && report.iterations <= 300, "{}: {report:?}", entry.name);
            assert!(P.iter().all(|P| *P == 0.0), "{}: {P:?}", entry.name);
        }
    }
}

/// A limit that runs out on the way. Without it each of these takes minutes or reaches its iteration limit, which it says.
#[test]
fn time_limits_are_kept() {
    let (limit, slack) = (0.1, 5.0);
    let planks = global("planks", 150).condense().expect("a mechanism");
    let (dense, blocks) = (planks.dense(), planks.blocks());
    for entry in SOLVERS {
        for problem in [dense.as_problem(), blocks.as_problem()] {
            let mut solver = (entry.make)();
            solver.limit(Limits { tolerance: 1e-300, seconds: limit });
            let mut P = vec![0.0; problem.U_free.len()];
            let clock = Instant::now();
            let report = solver.solve(&problem, &mut P);
            let seconds = clock.elapsed().as_secs_f64();
            assert!(seconds < limit + slack, "{}: {seconds} s, {report:?}", entry.name);
            assert_ne!(report.status, SolveStatus::Converged, "{}", entry.name);
        }
    }
}

/// `lemke` refuses contacts in space; `auto` asks it on the way and must not take that for an answer.
#[test]
fn a_refusal_is_no_answer() {
    // two contacts that exclude each other: nobody finds an answer
    let mut W_hat = SquareMatrix::zeros(6);
    let towards = [1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    for i in 0..6 {
        for j in 0..6 {
            W_hat[(i, j)] = towards[i] * towards[j];
        }
    }
    let U_free = vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
    let problem = StoredProblem { W_hat, U_free, laws: vec![spatial(0.3); 2] };
    let mut P = vec![0.0; 6];
    let report = solver("auto").expect("a solver").solve(&problem.as_problem(), &mut P);
    assert!(!matches!(report.status, SolveStatus::Converged | SolveStatus::Unsupported), "{report:?}");
}

/// Zeros that a file stores between bodies do not make one of them.
#[test]
fn stored_zeros_do_not_couple() {
    let mut M: Vec<(u32, u32, f64)> = (0..5).map(|i| (i, i, 2.0)).collect();
    // bodies (0, 1) and (2, 3, 4), and zeros between them
    M.extend([(0, 1, 1.0), (1, 0, 1.0), (2, 4, 1.0), (4, 2, 1.0), (3, 4, 1.0), (4, 3, 1.0)]);
    let coupled = SparseMatrix::from_triplets(5, 5, M.clone());
    M.extend([(0, 4, 0.0), (4, 0, 0.0), (1, 3, 0.0), (3, 1, 0.0)]);
    let with = |M| GlobalProblem {
        M,
        H: SparseMatrix::from_triplets(5, 2, vec![(0, 0, 1.0), (4, 0, -1.0), (1, 1, 1.0)]),
        f: vec![1.0; 5],
        b: vec![0.0; 2],
        laws: vec![Law::unilateral(); 2],
    };
    let (without, with) = (with(coupled), with(SparseMatrix::from_triplets(5, 5, M)));
    let (a, b) = (without.condense().expect("a mass matrix"), with.condense().expect("a mass matrix"));
    assert_eq!(a, b);
}

/// One body with so many contacts that Ŵ does not fit: sweeps and gradients go on, whoever needs Ŵ refuses.
#[test]
fn more_than_can_be_formed() {
    let contacts = 2600;
    let feet = (0..contacts as u32).flat_map(|c| {
        // point (x, y) of a plate with velocities (z, turning about x, about y)
        let (x, y) = (f64::from(c % 51) / 25.0 - 1.0, f64::from(c / 51) / 25.0 - 1.0);
        [(0, c, 1.0), (1, c, y), (2, c, -x)]
    });
    let problem = GlobalProblem {
        M: SparseMatrix::from_triplets(3, 3, vec![(0, 0, 1.0), (1, 1, 0.3), (2, 2, 0.3)]),
        H: SparseMatrix::from_triplets(3, contacts, feet.collect()),
        f: vec![-1.0, 0.0, 0.0],
        b: vec![0.0; contacts],
        laws: vec![Law::unilateral(); contacts],
    };
    let plate: StoredProblem<Bodies> = problem.over_bodies().expect("a mass matrix").expect("a body");
    assert!(!plate.W_hat.can_be_formed());
    // pivoting and proximal points take so many rows dense, for what it costs
    for entry in SOLVERS.iter().filter(|entry| !["lemke", "polyhedral", "prox"].contains(&entry.name)) {
        let mut solver = (entry.make)();
        solver.limit(Limits { tolerance: 1e-8, seconds: 20.0 });
        let mut P = vec![0.0; plate.W_hat.rows()];
        let report = solver.solve(&plate.as_problem(), &mut P);
        let products_do = ["auto", "gauss-seidel", "apgd"].contains(&entry.name);
        let wanted = if products_do { SolveStatus::Converged } else { SolveStatus::Unsupported };
        assert_eq!(report.status, wanted, "{}: {report:?}", entry.name);
    }
}
