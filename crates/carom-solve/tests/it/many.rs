//! Problems by blocks: stacks, walls, packings and tangles of bodies in space, by the solvers for many contacts.
#![allow(non_snake_case, missing_docs)]

use crate::common;
use crate::common::scene::{BlockProblem, Scene, packing, set, stack, tangle};
use crate::common::{Seeded, distance, law_violation};
use carom_solve::{
    BlockMatrix, ContactProblem, Delassus, Law, Limits, SOLVERS, SolveReport, SolveStatus, StoredProblem,
    residual, solver,
};

/// Those that walk through blocks; the others copy them into a dense matrix.
const BY_BLOCKS: [&str; 5] = ["auto", "newton", "gauss-seidel", "admm", "apgd"];

fn solve(name: &str, problem: &BlockProblem, tolerance: f64) -> (SolveReport, Vec<f64>) {
    let mut P = vec![0.0; problem.U_free.len()];
    let mut solver = solver(name).expect("a known name");
    solver.limit(Limits { tolerance, seconds: 20.0 });
    let report = solver.solve(&problem.as_problem(), &mut P);
    // The report is true, whatever it says.
    let measured = residual(&problem.as_problem(), &P);
    assert!((measured - report.residual).abs() <= 1e-13 * (1.0 + measured), "{name}: {report:?}");
    assert_eq!(report.status == SolveStatus::Converged, report.residual <= tolerance, "{name}: {report:?}");
    (report, P)
}

fn velocity(problem: &BlockProblem, P: &[f64]) -> Vec<f64> {
    let mut U = vec![0.0; P.len()];
    problem.W_hat.apply(P, &mut U);
    U.iter().zip(&problem.U_free).map(|(a, b)| a + b).collect()
}

fn dense(problem: &BlockProblem) -> StoredProblem {
    let W_hat = problem.W_hat.to_dense();
    StoredProblem { W_hat, U_free: problem.U_free.clone(), laws: problem.laws.clone() }
}

/// Cone, complementarity and maximal dissipation from their definitions, and no energy from nowhere.
#[test]
fn the_set_is_solved_and_the_answers_are_physics() {
    let problems = set(97, 10);
    // of 420 problems 3 are left above 1e-8; of the 70 here one may be
    let mut given_up = 0;
    for problem in &problems {
        let (report, P) = solve("auto", problem, 1e-8);
        assert!(report.residual < 1e-4, "{}: {report:?}", problem.name);
        if report.status != SolveStatus::Converged {
            given_up += 1;
            continue;
        }
        let U = velocity(problem, &P);
        let size = |x: &[f64]| x.iter().fold(1e-3_f64, |size, x| size.max(x.abs()));
        let broken = law_violation(&dense(problem), &P, size(&U).max(size(&problem.U_free)), size(&P));
        // residual 1e-8 in the energy norm; w differs by up to e⁶ between contacts
        assert!(broken < 1e-5, "{}: a law is broken by {broken:e}", problem.name);
        // ½ (U + U_free)·P is the work of the impulses
        let work: f64 = U.iter().zip(&problem.U_free).zip(&P).map(|((u, f), p)| 0.5 * (u + f) * p).sum();
        let scale: f64 = problem.U_free.iter().zip(&P).map(|(f, p)| (f * p).abs()).sum();
        assert!(work <= 1e-7 * scale, "{}: energy grows by {work:e}", problem.name);
    }
    assert!(given_up <= 1, "{given_up} of {} given up", problems.len());
}

/// Success rates of each solver alone, at 1e-8: they may not fall.
#[test]
fn each_solver_alone() {
    let problems = set(101, 6);
    for (name, least) in [("newton", 0.92), ("gauss-seidel", 0.88), ("admm", 0.90), ("apgd", 0.88)] {
        let converged =
            |problem: &&BlockProblem| solve(name, problem, 1e-8).0.status == SolveStatus::Converged;
        let solved = problems.iter().filter(converged).count();
        assert!(solved as f64 >= least * problems.len() as f64, "{name}: {solved} of {}", problems.len());
    }
}

#[test]
fn solvers_agree_where_the_answer_is_unique() {
    let mut rng = Seeded(103);
    for trial in 0..40 {
        // without friction velocities are unique whatever depends on what; with some, on independent contacts, all is
        let (scene, unique_P) = match trial % 2 {
            0 => (packing(&mut rng, 2 + trial % 3, 0.0, 0.5), false),
            _ => (tangle(&mut rng, 1 + trial % 9, 2 + trial % 9, 0.3), true),
        };
        let problem = scene.problem("unique", 0.0);
        let (_, reference) = solve("auto", &problem, 1e-12);
        let U = velocity(&problem, &reference);
        for name in BY_BLOCKS {
            let (report, P) = solve(name, &problem, 1e-10);
            assert_eq!(report.status, SolveStatus::Converged, "trial {trial} by {name}: {report:?}");
            let apart = distance(&velocity(&problem, &P), &U);
            // |ΔU|² ≤ |ΔP| · residual where P is not unique
            let bound = if unique_P { 1e-6 } else { 1e-4 };
            assert!(apart < bound, "trial {trial} by {name}: {apart:e}");
        }
    }
}

#[test]
fn blocks_and_dense_give_the_same_velocities() {
    let mut rng = Seeded(107);
    for trial in 0..20 {
        let problem = tangle(&mut rng, 3 + trial % 5, 4 + trial % 5, 0.3).problem("tangle", 0.0);
        let stored = dense(&problem);
        for name in BY_BLOCKS {
            let (report, P) = solve(name, &problem, 1e-11);
            let mut Q = vec![0.0; P.len()];
            let mut solver = solver(name).expect("a known name");
            let other = solver.solve(&stored.as_problem(), &mut Q);
            if report.status == SolveStatus::Converged && other.status == SolveStatus::Converged {
                let apart = distance(&velocity(&problem, &P), &velocity(&problem, &Q));
                assert!(apart < 1e-6, "trial {trial} by {name}: {apart:e}");
            } else {
                assert_ne!(name, "auto", "trial {trial}: {report:?}, {other:?}");
            }
        }
    }
}

#[test]
fn turning_the_tangent_frames_changes_nothing() {
    let mut rng = Seeded(109);
    for trial in 0..20 {
        let scene = tangle(&mut rng, 4 + trial % 4, 5 + trial % 4, 0.4);
        let sizes = |turn: f64| {
            let problem = scene.problem("turned", turn);
            let (report, P) = solve("auto", &problem, 1e-12);
            assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
            let U = velocity(&problem, &P);
            let each = U.as_chunks::<3>().0.iter().flat_map(|u| [u[0], u[1].hypot(u[2])]);
            each.collect::<Vec<f64>>()
        };
        let apart = distance(&sizes(0.0), &sizes(0.7));
        assert!(apart < 1e-8, "trial {trial}: {apart:e}");
    }
}

/// A cube on four points of a floor, 12 rows of rank 6, step after step under gravity.
#[test]
fn a_resting_cube_takes_few_iterations() {
    let mut scene = Scene::default();
    let cube = scene.body([0.0, 0.0, 0.5], 1.0, 1.0, [0.0, 0.0, -0.00981], [0.0; 3]);
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
        scene.touch(cube, None, [x, y, 0.0], [0.0, 0.0, 1.0], 0.5);
    }
    for name in BY_BLOCKS {
        let mut solver = solver(name).expect("a known name");
        solver.limit(Limits { tolerance: 1e-10, seconds: 1.0 });
        let mut P = vec![0.0; 12];
        for step in 0..20 {
            // a push to the side that comes and goes, and a spin
            let body = &mut scene.bodies[cube];
            body.v = [0.001 * (0.5 * f64::from(step)).sin(), 0.0005, -0.00981];
            body.spin = [0.0, 0.001 * (0.3 * f64::from(step)).cos(), 0.001];
            let problem = scene.problem("cube", 0.0);
            let report = solver.solve(&problem.as_problem(), &mut P);
            assert_eq!(report.status, SolveStatus::Converged, "{name}, step {step}: {report:?}");
            // the first one is cold; sweeps converge linearly, and the loads change by a tenth each step
            let most = if matches!(name, "auto" | "newton") { 9 } else { 60 };
            assert!(step == 0 || report.iterations <= most, "{name}, step {step}: {report:?}");
            // at rest: the same loads again
            let report = solver.solve(&problem.as_problem(), &mut P);
            assert!(report.iterations < 10, "{name}, step {step}, at rest: {report:?}");
        }
    }
}

#[test]
fn what_has_no_answer_is_said_so() {
    // A ball between two planes that close in on it, whatever P.
    let mut scene = Scene::default();
    let ball = scene.body([0.0; 3], 1.0, 0.5, [0.1, 0.2, 0.0], [0.0; 3]);
    scene.touch(ball, None, [0.0, 0.0, -0.5], [0.0, 0.0, 1.0], 0.3);
    scene.touch(ball, None, [0.0, 0.0, 0.5], [0.0, 0.0, -1.0], 0.3);
    let mut jaws = scene.problem("jaws", 0.0);
    (jaws.U_free[0], jaws.U_free[3]) = (-1.0, -1.0);
    let mut broken = scene.problem("broken", 0.0);
    broken.U_free[1] = f64::NAN;
    // Not positive semidefinite: pushing draws the contacts together.
    let negative = [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0];
    let blocks = [(0, 0, &negative[..]), (1, 1, &negative), (0, 1, &negative), (1, 0, &negative)];
    let indefinite = BlockProblem {
        name: "indefinite".into(),
        W_hat: BlockMatrix::from_blocks(&[3, 3], blocks).expect("it fits"),
        U_free: vec![-1.0, 0.3, 0.0, -0.5, 0.1, 0.0],
        laws: vec![Law::spatial_coulomb(0.5); 2],
    };
    for entry in SOLVERS {
        let (report, P) = solve(entry.name, &jaws, 1e-8);
        assert_ne!(report.status, SolveStatus::Converged, "{report:?}");
        assert!(P.iter().all(|P| P.is_finite()) && report.residual > 1e-4, "{report:?}");
        // whatever it says is true, and it ends
        solve(entry.name, &indefinite, 1e-8);
        let mut P = vec![0.0; 6];
        let report = (entry.make)().solve(&broken.as_problem(), &mut P);
        let expected = matches!(report.status, SolveStatus::NotFinite | SolveStatus::Unsupported);
        assert!(expected && report.residual.is_infinite(), "{}: {report:?}", entry.name);
    }
}

#[test]
fn time_that_is_over_ends_a_solve() {
    let problem = packing(&mut Seeded(113), 5, 0.6, 1.0).problem("packing", 0.0);
    for name in BY_BLOCKS {
        let mut solver = solver(name).expect("a known name");
        solver.limit(Limits { tolerance: 1e-12, seconds: 0.0 });
        let mut P = vec![0.0; problem.U_free.len()];
        let report = solver.solve(&problem.as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::TimeLimit, "{name}: {report:?}");
        assert_eq!(report.residual, residual(&problem.as_problem(), &P));
    }
}

/// All laws in one problem, with blocks that are not square.
#[test]
fn mixed_laws() {
    let mut rng = Seeded(127);
    for trial in 0..60 {
        let laws: Vec<Law> = (0..8)
            .map(|c| match (c + trial) % 5 {
                0 => Law::bilateral(),
                1 => Law::dry(0.2),
                2 => Law::unilateral(),
                3 => Law::planar_coulomb(0.3),
                _ => Law::spatial_coulomb(0.3),
            })
            .collect();
        let n: usize = laws.iter().map(Law::dim).sum();
        let G: Vec<Vec<f64>> = (0..n).map(|_| (0..30).map(|_| rng.next()).collect()).collect();
        let v: Vec<f64> = (0..30).map(|_| rng.next()).collect();
        let stored = common::mechanism(&G, &[1.0; 30], &v, laws);
        let dims: Vec<usize> = stored.laws.iter().map(Law::dim).collect();
        let W = BlockMatrix::from_dense(&stored.W_hat, &dims).expect("it fits");
        let problem = ContactProblem { W_hat: &W, ..stored.as_problem() };
        let mut reference = vec![0.0; n];
        solver("auto").expect("a known name").solve(&stored.as_problem(), &mut reference);
        for name in BY_BLOCKS {
            let mut P = vec![0.0; n];
            let report = solver(name).expect("a known name").solve(&problem, &mut P);
            assert_eq!(report.status, SolveStatus::Converged, "trial {trial} by {name}: {report:?}");
            assert!(distance(&P, &reference) < 1e-8, "trial {trial} by {name}");
        }
    }
}

/// The same stack as one problem and as ten that know nothing of each other.
#[test]
fn what_is_not_coupled_does_not_meet() {
    let mut rng = Seeded(131);
    // without friction velocities are unique
    let one = stack(&mut rng, 2, 1.0, 0.0).problem("one", 0.0);
    let (_, P) = solve("gauss-seidel", &one, 1e-12);
    let (m, copies) = (one.laws.len(), 10);
    let mut blocks = Vec::new();
    for k in 0..copies {
        for c in 0..m {
            blocks.extend(one.W_hat.row(c).map(|(d, block)| (k * m + c, k * m + d, block)));
        }
    }
    let ten = BlockProblem {
        name: "ten".into(),
        W_hat: BlockMatrix::from_blocks(&vec![3; m * copies], blocks).expect("it fits"),
        U_free: one.U_free.repeat(copies),
        laws: one.laws.repeat(copies),
    };
    assert_eq!(ten.W_hat.blocks(), copies * one.W_hat.blocks());
    for name in BY_BLOCKS {
        let (report, Q) = solve(name, &ten, 1e-10);
        assert_eq!(report.status, SolveStatus::Converged, "{name}: {report:?}");
        let U = velocity(&one, &P);
        for part in velocity(&ten, &Q).chunks(3 * m) {
            assert!(distance(part, &U) < 1e-6, "{name}");
        }
    }
}
