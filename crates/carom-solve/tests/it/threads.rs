//! Thousands of contacts are swept by several threads: the same bits for any number of them.
#![allow(non_snake_case, missing_docs)]

use crate::common::Seeded;
use crate::common::scene::{BlockProblem, packing};
use carom_solve::{BlockMatrix, GaussSeidel, Law, Limits, Order, SolveReport, SolveStatus, residual};

/// Whether one, two and four threads end in the same bits after some sweeps.
fn same_bits(problem: &BlockProblem, residual_below: f64) {
    assert!(problem.laws.len() > 4000);
    let (report, P) = solve(problem, 1, 50, 1e-12);
    assert_eq!(report.residual, residual(&problem.as_problem(), &P));
    assert!(report.residual < residual_below, "{}: {report:?}", problem.name);
    for threads in [2, 4] {
        let (other, Q) = solve(problem, threads, 50, 1e-12);
        assert_eq!(report.residual.to_bits(), other.residual.to_bits(), "{threads} threads");
        assert!(P.iter().zip(&Q).all(|(p, q)| p.to_bits() == q.to_bits()), "{threads} threads");
    }
}

fn solve(problem: &BlockProblem, threads: usize, sweeps: usize, tolerance: f64) -> (SolveReport, Vec<f64>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut solver = GaussSeidel { max_sweeps: sweeps, ..GaussSeidel::default() }.solver();
    solver.limit(Limits { tolerance, ..Limits::default() });
    let mut P = vec![0.0; problem.U_free.len()];
    let report = pool.install(|| solver.solve(&problem.as_problem(), &mut P));
    (report, P)
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    same_bits(&packing(&mut Seeded(137), 10, 0.4, 0.3).problem("packing", 0.0), 1e-2);
}

/// Beads on a line, each coupled with its neighbours: planar friction, stops, joints and dry friction in turn.
fn beads(mixed: bool) -> BlockProblem {
    let mut rng = Seeded(149);
    let law = |c: usize| match c % 4 {
        1 if mixed => Law::unilateral(),
        2 if mixed => Law::bilateral(),
        3 if mixed => Law::dry(0.1),
        _ => Law::planar_coulomb(0.4),
    };
    let laws: Vec<Law> = (0..5000).map(law).collect();
    let dims: Vec<usize> = laws.iter().map(Law::dim).collect();
    // Ŵ = 2 on the diagonal, −0.6 between neighbours of the same direction, and some coupling of N with T
    let mut blocks: Vec<(usize, usize, Vec<f64>)> = Vec::new();
    for c in 0..laws.len() {
        for d in c.saturating_sub(1)..(c + 2).min(laws.len()) {
            let entry = |i: usize, j: usize| match (c == d, i == j) {
                (true, true) => 2.0,
                (true, false) => 0.3,
                (false, true) => -0.6,
                (false, false) => 0.0,
            };
            let numbers = (0..dims[c]).flat_map(|i| (0..dims[d]).map(move |j| entry(i, j))).collect();
            blocks.push((c, d, numbers));
        }
    }
    let given = blocks.iter().map(|(c, d, numbers)| (*c, *d, &numbers[..]));
    let W_hat = BlockMatrix::from_blocks(&dims, given).expect("blocks that fit");
    let U_free = (0..dims.iter().sum()).map(|_| rng.next() - 0.2).collect();
    BlockProblem { name: "beads".into(), W_hat, U_free, laws }
}

#[test]
fn planar_and_mixed_contacts_are_swept_by_colour_too() {
    for mixed in [false, true] {
        same_bits(&beads(mixed), 1e-9);
    }
}

/// Whatever the order and the relaxation: the same problem is solved, and threads change no bit of it. Ŵ is strictly
/// diagonally dominant, so the answer is one.
#[test]
fn orders_and_relaxation_end_in_one_answer() {
    let problem = beads(true);
    let mut first: Option<Vec<f64>> = None;
    for order in [Order::Given, Order::ToAndFro, Order::ByResidual] {
        for (omega, accelerated) in [(0.8, true), (1.0, true), (1.3, true), (1.3, false)] {
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let mut solver = GaussSeidel { order, omega, accelerated, ..GaussSeidel::default() }.solver();
                solver.limit(Limits { tolerance: 1e-11, ..Limits::default() });
                let mut P = vec![0.0; problem.U_free.len()];
                let report = pool.install(|| solver.solve(&problem.as_problem(), &mut P));
                assert_eq!(report.status, SolveStatus::Converged, "{order:?}, {omega}: {report:?}");
                P
            };
            let (P, Q) = (run(1), run(2));
            assert!(P.iter().zip(&Q).all(|(p, q)| p.to_bits() == q.to_bits()), "{order:?}, {omega}");
            let same = first.get_or_insert_with(|| P.clone());
            let apart = P.iter().zip(&*same).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-9, "{order:?}, {omega}: {apart:e}");
        }
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
    let largest = P.iter().copied().fold(1.0, f64::max);
    for i in (0..P.len()).step_by(3) {
        let u = U[i] + problem.U_free[i];
        assert!(
            P[i] >= 0.0 && u > -1e-6 && (u * P[i]).abs() < 1e-6 * largest,
            "row {i}: U = {u:e}, P = {:e}",
            P[i]
        );
    }
}
