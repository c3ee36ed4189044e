//! The solvers that replace or approach the friction cone, by interior points and by pyramids: answers of the true cone, the same
//! as Newton's method finds, and problems without answer named as such.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, distance, energy_scales, law_violation, mechanism, planar, spatial, velocity};
use carom_solve::generate::{GENERATORS, generator};
use carom_solve::{Law, Limits, SolveStatus, SquareMatrix, StoredProblem, residual, solver};

const BOTH: [&str; 2] = ["interior-point", "polyhedral"];

/// Solves to 1e-12 and returns P.
fn solve(name: &str, problem: &StoredProblem) -> Vec<f64> {
    let mut P = vec![0.0; problem.U_free.len()];
    let report = solver(name).expect("a known name").solve(&problem.as_problem(), &mut P);
    assert_eq!(report.status, SolveStatus::Converged, "{name}: {report:?} on {problem:?}");
    assert_eq!(report.solver, name);
    assert!(residual(&problem.as_problem(), &P) <= 1e-12);
    P
}

#[test]
fn random_spatial_problems_have_the_answer_of_newtons_method() {
    let mut rng = Seeded(101);
    for _ in 0..60 {
        let contacts = 1 + (6.0 * rng.unit()) as usize;
        let mut laws: Vec<Law> = (0..contacts).map(|_| spatial(0.3 * rng.unit())).collect();
        laws.extend([Law::bilateral(), Law::unilateral(), Law::dry(0.1 * rng.unit()), planar(0.2)]);
        let n: usize = laws.iter().map(Law::dim).sum();
        // More degrees of freedom than rows and little friction: one answer.
        let G: Vec<Vec<f64>> = (0..n).map(|_| (0..60).map(|_| rng.next()).collect()).collect();
        let inverse_mass: Vec<f64> = (0..60).map(|_| (2.0 * rng.next()).exp()).collect();
        let v: Vec<f64> = (0..60).map(|_| rng.next()).collect();
        let problem = mechanism(&G, &inverse_mass, &v, laws);
        let expected = solve("newton", &problem);
        let (speed, impulse) = energy_scales(&problem);
        for name in BOTH {
            let P = solve(name, &problem);
            // Residual 1e-12 times the condition of Ŵ, some hundreds.
            let apart = distance(&P, &expected) / impulse;
            assert!(apart < 1e-8, "{name} is {apart:e} away on {problem:?}");
            let broken = law_violation(&problem, &P, speed, impulse);
            assert!(broken < 1e-10, "{name} breaks a law by {broken:e} on {problem:?}");
        }
    }
}

#[test]
fn generated_problems_are_solved_in_the_cone() {
    for generator in GENERATORS {
        for contacts in [1, 8, 20] {
            let sparse = generator.problem(contacts).condense().expect("a mechanism");
            let dense = sparse.dense();
            let (speed, impulse) = energy_scales(&dense);
            // pyramids of friction do not roll
            for name in BOTH.into_iter().filter(|name| generator.dim < 5 || *name != "polyhedral") {
                let mut P = vec![0.0; dense.U_free.len()];
                let mut by = solver(name).expect("a known name");
                by.limit(Limits { tolerance: 1e-10, ..Limits::default() });
                let report = by.solve(&sparse.blocks().as_problem(), &mut P);
                let what = format!("{name} on {} with {contacts}: {report:?}", generator.name);
                assert_eq!(report.status, SolveStatus::Converged, "{what}");
                let size = P.iter().fold(impulse, |size, P| size.max(P.abs()));
                // Masses differ by up to a thousand, so w does.
                let broken = law_violation(&dense, &P, speed * size / impulse, size);
                assert!(broken < 1e-7, "{what} breaks a law by {broken:e}");
            }
        }
    }
}

/// The bar of the plane: two hundred contacts to machine precision, by pivots.
#[test]
fn two_hundred_planar_contacts_by_pivots() {
    for name in ["disks", "arch", "sliders"] {
        let sparse = generator(name).expect("a known kind").problem(200).condense().expect("a mechanism");
        let problem = sparse.dense();
        assert!(problem.laws.len() >= 200);
        let mut P = vec![0.0; problem.U_free.len()];
        let report = solver("lemke").expect("a known name").solve(&problem.as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::Converged, "{name}: {report:?}");
        // A P right to the last bit has a residual of some n·2⁻⁵³: 400 rows, 4e-14. Seen: 6e-15 to 8e-14.
        assert!(report.residual < 4e-13, "{name}: {report:?}");
    }
}

/// A cube on its four lower corners: twelve rows of rank six.
fn cube(v: [f64; 6], friction: f64) -> StoredProblem {
    let (a, mut G) = (0.5, Vec::new());
    for (x, y) in [(-a, -a), (a, -a), (-a, a), (a, a)] {
        // Velocity of the corner at r = (x, y, −a): v + ω × r, rows z, x, y.
        G.push(vec![0.0, 0.0, 1.0, y, -x, 0.0]);
        G.push(vec![1.0, 0.0, 0.0, 0.0, -a, -y]);
        G.push(vec![0.0, 1.0, 0.0, a, 0.0, x]);
    }
    mechanism(&G, &[1.0, 1.0, 1.0, 6.0, 6.0, 6.0], &v, vec![spatial(friction); 4])
}

#[test]
fn a_cube_on_four_corners() {
    let g_dt = 0.0981;
    for name in BOTH {
        // At rest: the corners carry its weight, whoever carries how much.
        let resting = cube([0.0, 0.0, -g_dt, 0.0, 0.0, 0.0], 0.5);
        let P = solve(name, &resting);
        let weight: f64 = P.iter().step_by(3).sum();
        assert!((weight - g_dt).abs() < 1e-12, "{name}: {weight}");
        assert!(velocity(&resting, &P).iter().all(|U| U.abs() < 1e-12), "{name}");
        // Sliding, not tipping: friction takes μ g dt off the speed along its direction.
        let sliding = cube([0.6, 0.8, -g_dt, 0.0, 0.0, 0.0], 0.1);
        let P = solve(name, &sliding);
        let U = velocity(&sliding, &P);
        let slower = 1.0 - 0.1 * g_dt;
        for corner in U.chunks(3) {
            let apart = distance(corner, &[0.0, 0.6 * slower, 0.8 * slower]);
            assert!(apart < 1e-11, "{name}: {corner:?}");
        }
        // Warm: the answer is recognised.
        let mut warm = P.clone();
        let report = solver(name).expect("a known name").solve(&sliding.as_problem(), &mut warm);
        assert_eq!(report.status, SolveStatus::Converged, "{name}: {report:?}");
    }
}

#[test]
fn what_has_no_answer_is_proved_to_have_none() {
    // Two walls that close in on a mass between them, rubbing or not: U_N of both add up to −2 whatever P.
    let W = [
        [1.0, 0.0, 0.0, -1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
        [-1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
    ];
    for friction in [0.0, 0.4] {
        let jaws = StoredProblem {
            W_hat: SquareMatrix::from_rows(&W.map(|row| row.to_vec())),
            U_free: vec![-1.0, 0.3, 0.0, -1.0, 0.3, 0.0],
            laws: vec![spatial(friction); 2],
        };
        let mut P = vec![0.0; 6];
        let report = solver("interior-point").expect("a known name").solve(&jaws.as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::Infeasible, "{report:?}");
        assert!(P.iter().all(|P| P.is_finite()));
        let report = solver("polyhedral").expect("a known name").solve(&jaws.as_problem(), &mut P);
        assert!(!matches!(report.status, SolveStatus::Converged | SolveStatus::NotFinite), "{report:?}");
        // Walls that stand still: there is an answer, and the cone program without shift has it too.
        let still = StoredProblem { U_free: vec![-1.0, 0.3, 0.0, 1.0, 0.3, 0.0], ..jaws };
        for name in BOTH {
            solve(name, &still);
        }
    }
}

/// A ball between two walls that close, each turned up by 0.3: with little friction it is squeezed out, with tan 0.3 < μ the
/// walls hold it, although a way out exists for its velocity.
#[test]
fn a_ball_between_closing_walls_gets_out_or_jams() {
    let (sin, cos) = 0.3_f64.sin_cos();
    let mut G = Vec::new();
    for side in [1.0, -1.0] {
        G.extend([vec![side * cos, sin, 0.0], vec![-side * sin, cos, 0.0], vec![0.0, 0.0, 1.0]]);
    }
    let mut problem = mechanism(&G, &[1.0; 3], &[0.0; 3], vec![spatial(0.1); 2]);
    problem.U_free = [-cos, sin, 0.0].repeat(2);
    for name in BOTH {
        let P = solve(name, &problem);
        // It leaves with U_N = 0, so upwards with cot 0.3; half the impulse comes from each wall, less the friction.
        let P_N = cos / sin / (2.0 * (sin - 0.1 * cos));
        let expected = [P_N, -0.1 * P_N, 0.0].repeat(2);
        assert!(distance(&P, &expected) < 1e-10 * P_N, "{name}: {P:?}");
    }
    problem.laws = vec![spatial(0.5); 2];
    for name in BOTH {
        let mut P = vec![0.0; 6];
        let report = solver(name).expect("a known name").solve(&problem.as_problem(), &mut P);
        // Not solved, and not said to be impossible by the velocities alone: that would be no proof.
        let said = matches!(report.status, SolveStatus::IterationLimit | SolveStatus::Ray);
        assert!(said && report.residual > 1e-6, "{name}: {report:?}");
        assert!(P.iter().all(|P| P.is_finite()));
    }
}

#[test]
fn limits_are_kept_and_said() {
    let problem = generator("spheres").expect("a known kind").problem(60).condense().expect("a mechanism");
    for name in BOTH {
        let mut P = vec![0.0; problem.U_free.len()];
        let mut by = solver(name).expect("a known name");
        by.limit(Limits { tolerance: 1e-12, seconds: 0.0 });
        let report = by.solve(&problem.blocks().as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::TimeLimit, "{name}: {report:?}");
        assert!(P.iter().all(|P| P.is_finite()));
    }
    // Far too many contacts for pivoting: refused, not tried.
    let many = generator("spheres").expect("a known kind").problem(600).condense().expect("a mechanism");
    let mut P = vec![0.0; many.U_free.len()];
    let report = solver("polyhedral").expect("a known name").solve(&many.blocks().as_problem(), &mut P);
    assert_eq!(report.status, SolveStatus::Unsupported, "{report:?}");
}

/// A matrix that no mechanism has: an honest end, whatever it is.
#[test]
fn an_indefinite_matrix_does_no_harm() {
    let mut rng = Seeded(103);
    for _ in 0..30 {
        let n = 9;
        let mut W_hat = SquareMatrix::zeros(n);
        for i in 0..n {
            for j in 0..=i {
                W_hat[(i, j)] = rng.next();
                W_hat[(j, i)] = W_hat[(i, j)];
            }
        }
        let U_free = (0..n).map(|_| rng.next()).collect();
        let problem = StoredProblem { W_hat, U_free, laws: vec![spatial(0.4); 3] };
        for name in BOTH {
            let mut P = vec![0.0; n];
            let report = solver(name).expect("a known name").solve(&problem.as_problem(), &mut P);
            let measured = residual(&problem.as_problem(), &P);
            assert!((measured - report.residual).abs() <= 1e-12 * (1.0 + measured), "{report:?}");
            assert_eq!(report.status == SolveStatus::Converged, measured <= 1e-12, "{report:?}");
        }
    }
}
