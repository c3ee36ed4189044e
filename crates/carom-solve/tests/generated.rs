//! Generated problems are what they say: mechanisms with positive semidefinite Ŵ, sizes as asked, the same every time.
#![allow(non_snake_case, missing_docs)]

mod common;

use carom_solve::generate::{GENERATORS, generator};
use carom_solve::{Delassus, Law, SolveStatus, SquareMatrix, natural_map_error, solver};
use common::law_violation;

/// Number of pivots above rounding, and the smallest pivot relative to the largest.
fn rank(W: &SquareMatrix) -> (usize, f64) {
    let n = W.n();
    let (mut A, mut rank, mut smallest) = (W.clone(), 0, f64::INFINITY);
    let largest = (0..n).map(|i| W[(i, i)]).fold(0.0, f64::max);
    let mut left: Vec<usize> = (0..n).collect();
    while let Some((at, &p)) =
        left.iter().enumerate().max_by(|a, b| A[(*a.1, *a.1)].total_cmp(&A[(*b.1, *b.1)]))
    {
        let pivot = A[(p, p)];
        smallest = smallest.min(pivot);
        if pivot <= 1e-11 * largest {
            break;
        }
        rank += 1;
        left.remove(at);
        for &i in &left {
            let l = A[(i, p)] / pivot;
            for &j in &left {
                let update = l * A[(p, j)];
                A[(i, j)] -= update;
            }
        }
    }
    (rank, smallest / largest)
}

#[test]
fn sizes_and_ranks() {
    for g in GENERATORS {
        for contacts in [1, 12, 40] {
            let problem = g.problem(contacts);
            let local = problem.condense().expect("a mass matrix is positive definite");
            let touching = local.laws.iter().filter(|law| law.dim() == g.dim).count();
            assert!(
                (contacts..=3 * contacts + 30).contains(&touching),
                "{}:{contacts} has {touching}",
                g.name
            );
            assert_eq!(local.W_hat.asymmetry(), 0.0, "{}", g.name);
            let dense = local.dense();
            let (rank, smallest) = rank(&dense.W_hat);
            assert!(smallest > -1e-12, "{} is indefinite: {smallest:e}", g.name);
            assert!(rank <= problem.velocities().min(local.U_free.len()));
            if g.hyperstatic && contacts == 40 {
                assert!(rank < local.U_free.len(), "{}: {rank} of {}", g.name, local.U_free.len());
            }
            assert_eq!(problem, g.problem(contacts), "{} is the same every time", g.name);
        }
    }
}

/// Small ones are solved, and the answer obeys the laws as they are defined.
#[test]
fn small_ones_are_solved() {
    for g in GENERATORS {
        let problem = g.problem(8).condense().expect("a mass matrix is positive definite").dense();
        let mut P = vec![0.0; problem.U_free.len()];
        let report = solver("auto").expect("a known name").solve(&problem.as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::Converged, "{}: {report:?}", g.name);
        assert!(natural_map_error(&problem.as_problem(), &P) < 1e-10, "{}", g.name);
        let speed = problem.U_free.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        let impulse = P.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
        assert!(law_violation(&problem, &P, speed, impulse) < 1e-9, "{}", g.name);
    }
}

/// The lowest joint of a tower carries the weight of all boxes over one step.
#[test]
fn a_tower_carries_its_weight() {
    let global = generator("heavy-top").expect("a known name").problem(40);
    let local = global.condense().expect("a mass matrix is positive definite").dense();
    let mut P = vec![0.0; local.U_free.len()];
    let report = solver("auto").expect("a known name").solve(&local.as_problem(), &mut P);
    assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
    let ground: f64 = (0..4).map(|c| P[3 * c]).sum();
    // f holds −m g dt in the third velocity of each body, which is at rest.
    let weight: f64 = -global.f.iter().skip(2).step_by(6).sum::<f64>();
    assert!((ground - weight).abs() < 1e-9 * weight, "{ground} is not {weight}");
}

/// Many contacts in the time of few: nothing in the making is quadratic.
#[test]
fn twenty_thousand() {
    let problem = generator("spheres").expect("a known name").problem(20_000);
    let local = problem.condense().expect("a mass matrix is positive definite");
    assert!(
        local.laws.len() >= 20_000 && local.laws.iter().all(|law| matches!(law, Law::SpatialCoulomb { .. }))
    );
    let blocks = local.blocks();
    assert_eq!(blocks.W_hat.rows(), local.U_free.len());
    assert!(blocks.W_hat.blocks() < 40 * local.laws.len(), "{} blocks", blocks.W_hat.blocks());
}
