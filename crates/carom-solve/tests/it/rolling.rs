//! Rolling resistance: a ball that rolls to rest, answers known beforehand in every mode, limits that are other laws.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, distance, law_violation, mechanism, rolling, spatial, velocity};
use carom_solve::generate::generator;
use carom_solve::{
    ContactProblem, Law, Limits, SOLVERS, SolveReport, SolveStatus, SquareMatrix, StoredProblem,
    natural_map_error, residual, solver,
};

/// Solvers that have no form for this law and say so.
const REFUSE: &[&str] = &[
    "lemke",
    "polyhedral",
    "central-path",
    "newton-jean-moreau",
    "newton-fischer-burmeister",
    "panagiotopoulos",
];

fn solve(name: &str, problem: &ContactProblem<'_>, tolerance: f64) -> (SolveReport, Vec<f64>) {
    let mut P = vec![0.0; problem.U_free.len()];
    let mut by = solver(name).expect("a known name");
    by.limit(Limits { tolerance, ..Limits::default() });
    let report = by.solve(problem, &mut P);
    assert!((residual(problem, &P) - report.residual).abs() < 1e-13, "{name}: {report:?} is not true");
    (report, P)
}

/// By every solver that can.
fn by_all(problem: &ContactProblem<'_>, tolerance: f64, check: impl Fn(&str, SolveReport, &[f64])) {
    for entry in SOLVERS {
        let (report, P) = solve(entry.name, problem, tolerance);
        if REFUSE.contains(&entry.name) {
            let converged = report.residual <= tolerance;
            let expected = if converged { SolveStatus::Converged } else { SolveStatus::Unsupported };
            assert!(
                [expected, SolveStatus::Unsupported].contains(&report.status),
                "{}: {report:?}",
                entry.name
            );
        } else {
            check(entry.name, report, &P);
        }
    }
}

/// A ball of radius r on the floor; velocities (x, y, z, ω_x, ω_y, ω_z).
fn ball(mass: f64, r: f64, v: &[f64; 6], law: Law) -> StoredProblem {
    let G = [
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0, -r, 0.0],
        [0.0, 1.0, 0.0, r, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    ];
    let (m, I) = (1.0 / mass, 1.0 / (0.4 * mass * r * r));
    mechanism(&G.map(|row| row.to_vec()), &[m, m, m, I, I, I], v, vec![law])
}

/// v ← v + M⁻¹ Gᵀ P.
fn pushed(mass: f64, r: f64, v: &mut [f64; 6], P: &[f64]) {
    let (m, I) = (1.0 / mass, 1.0 / (0.4 * mass * r * r));
    let change = [m * P[1], m * P[2], m * P[0], I * (r * P[2] + P[3]), I * (P[4] - r * P[1]), 0.0];
    v.iter_mut().zip(change).for_each(|(v, change)| *v += change);
}

/// Rolling without sliding, ω falls by 5/7 μ_r g h / r² in every step of h, to exactly zero, and stays there.
#[test]
fn a_ball_rolls_to_rest() {
    let (mass, r, mu, mu_r, g, h): (f64, f64, f64, f64, f64, f64) = (0.17, 0.028, 0.2, 4e-4, 9.81, 0.01);
    let brake = 5.0 / 7.0 * mu_r * g * h / (r * r);
    for name in ["auto", "newton", "gauss-seidel", "admm", "prox", "apgd", "interior-point"] {
        // it rolls along (3, 4)
        let (mut omega, mut v) = (20.0 * brake + 0.3 * brake, [0.0; 6]);
        (v[3], v[4]) = (-0.8 * omega, 0.6 * omega);
        (v[0], v[1]) = (r * v[4], -r * v[3]);
        for step in 0..24 {
            v[2] -= g * h;
            let problem = ball(mass, r, &v, rolling(mu, mu_r));
            let (report, P) = solve(name, &problem.as_problem(), 1e-12);
            assert_eq!(report.status, SolveStatus::Converged, "{name}, step {step}: {report:?}");
            pushed(mass, r, &mut v, &P);
            omega = (omega - brake).max(0.0);
            let found = v[3].hypot(v[4]);
            assert!((found - omega).abs() < 1e-9 * brake, "{name}, step {step}: {found}, not {omega}");
            assert!((v[0] - r * v[4]).abs() + (v[1] + r * v[3]).abs() < 1e-12, "{name}: it slides: {v:?}");
        }
        assert!(v.iter().all(|v| v.abs() < 1e-9 * r * brake), "{name}: {v:?}");
    }
}

/// P and U that obey the law in mode k: open, then stick or slide, stick or roll.
fn pair(rng: &mut Seeded, k: usize, mu: f64, mu_r: f64) -> ([f64; 5], [f64; 5]) {
    let (mut P, mut U) = ([0.0; 5], [0.0; 5]);
    if k == 4 {
        U = std::array::from_fn(|_| rng.next());
        U[0] = U[0].abs() + 0.1;
        return (P, U);
    }
    P[0] = 0.2 + rng.unit();
    for (at, mu, moves) in [(1, mu, k % 2 == 1), (3, mu_r, k / 2 == 1)] {
        let (s, c) = (7.0 * rng.unit()).sin_cos();
        let length = if moves { mu } else { 0.9 * mu * rng.unit() } * P[0];
        let speed = if moves { 0.1 + rng.unit() } else { 0.0 };
        (P[at], P[at + 1]) = (length * c, length * s);
        (U[at], U[at + 1]) = (-speed * c, -speed * s);
    }
    (P, U)
}

fn laws(rng: &mut Seeded, contacts: usize, most: f64) -> Vec<Law> {
    (0..contacts).map(|_| rolling(most * (0.1 + rng.unit()), most * (0.1 + rng.unit()))).collect()
}

/// Answers made beforehand, in all five modes: every solver finds them, and they alone have residual zero.
#[test]
fn made_answers_are_found() {
    let mut rng = Seeded(211);
    for trial in 0..60 {
        let contacts = 1 + trial % 4;
        let laws = laws(&mut rng, contacts, 0.2);
        let n = 5 * contacts;
        let G: Vec<Vec<f64>> = (0..n).map(|_| (0..50).map(|_| rng.next()).collect()).collect();
        let mut problem = mechanism(&G, &[1.0; 50], &[0.0; 50], laws);
        let (mut P, mut U) = (Vec::new(), Vec::new());
        for (c, law) in problem.laws.iter().enumerate() {
            let (p, u) = pair(&mut rng, (trial + c) % 5, law.friction(), law.rolling());
            P.extend(p);
            U.extend(u);
        }
        let W_P = velocity(&problem, &P);
        problem.U_free = U.iter().zip(&W_P).map(|(U, W_P)| U - W_P).collect();
        assert!(residual(&problem.as_problem(), &P) < 1e-14);
        for i in 0..n {
            let mut wrong = P.clone();
            wrong[i] += 1e-3;
            assert!(residual(&problem.as_problem(), &wrong) > 1e-6, "P_{i} does not matter in {problem:?}");
        }
        by_all(&problem.as_problem(), 1e-12, |name, report, found| {
            assert_eq!(report.status, SolveStatus::Converged, "{name}: {report:?} on {problem:?}");
            assert!(distance(found, &P) < 1e-9, "{name}: {found:?}, not {P:?}");
        });
    }
}

/// The projection against the smallest distance over P_N by golden section, the rest cut to its disks.
#[test]
fn projection_against_a_search() {
    let mut rng = Seeded(223);
    for _ in 0..2000 {
        let (mu, mu_r) = (3.0 * rng.unit(), 3.0 * rng.unit());
        let z: [f64; 5] = std::array::from_fn(|_| 2.0 * rng.next());
        let mut P = z;
        rolling(mu, mu_r).project(&mut P);
        let (t, r) = (z[1].hypot(z[2]), z[3].hypot(z[4]));
        let square =
            |p: f64| (p - z[0]).powi(2) + (t - mu * p).max(0.0).powi(2) + (r - mu_r * p).max(0.0).powi(2);
        let (mut low, mut high) = (0.0, 10.0);
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        for _ in 0..100 {
            let (a, b) = (high - golden * (high - low), low + golden * (high - low));
            if square(a) < square(b) { high = b } else { low = a }
        }
        let nearest = square(0.5 * (low + high)).min(square(0.0));
        let found: f64 = z.iter().zip(P).map(|(z, P)| (z - P) * (z - P)).sum();
        assert!((found - nearest).abs() < 1e-12 * (1.0 + nearest), "{z:?}: {found}, not {nearest}");
    }
}

/// Heaps, dense and by blocks: each solver's answer obeys the laws as they are defined, and the velocities agree.
#[test]
fn heaps_by_all_solvers() {
    let heap = generator("rolling").expect("a known name");
    for contacts in [1, 10, 25] {
        let sparse = heap.problem(contacts).condense().expect("a mechanism");
        let (dense, blocks) = (sparse.dense(), sparse.blocks());
        let (_, expected) = solve("newton", &dense.as_problem(), 1e-12);
        let U = velocity(&dense, &expected);
        let speed = dense.U_free.iter().fold(0.0_f64, |size, u| size.max(u.abs()));
        for problem in [dense.as_problem(), blocks.as_problem()] {
            by_all(&problem, 1e-11, |name, report, P| {
                assert_eq!(report.status, SolveStatus::Converged, "{name} on {contacts}: {report:?}");
                let impulse = P.iter().fold(0.0_f64, |size, p| size.max(p.abs()));
                let broken = law_violation(&dense, P, speed, impulse);
                assert!(broken < 1e-9, "{name} on {contacts} breaks a law by {broken:e}");
                assert!(natural_map_error(&problem, P) < 1e-10, "{name}");
                let apart = distance(&velocity(&dense, P), &U) / speed;
                assert!(apart < 1e-6, "{name} on {contacts}: velocities differ by {apart:e}");
            });
        }
    }
}

/// The problem with some rows of every contact of five, in their order, under other laws.
fn with_rows(problem: &StoredProblem, rows: &[usize], laws: &[Law]) -> StoredProblem {
    let contacts = problem.laws.len();
    let kept: Vec<usize> = (0..contacts).flat_map(|c| rows.iter().map(move |k| 5 * c + k)).collect();
    let entry = |&i: &usize| kept.iter().map(|&j| problem.W_hat[(i, j)]).collect::<Vec<f64>>();
    StoredProblem {
        W_hat: SquareMatrix::from_rows(&kept.iter().map(entry).collect::<Vec<_>>()),
        U_free: kept.iter().map(|&i| problem.U_free[i]).collect(),
        laws: (0..contacts).flat_map(|_| laws.to_vec()).collect(),
    }
}

/// Without rolling resistance, without friction, without either, and with so much that nothing rolls: the known laws.
#[test]
fn limits_are_other_laws() {
    let mut rng = Seeded(227);
    let mut loaded = 0;
    for trial in 0..200 {
        let contacts = 1 + trial % 4;
        let mu = 0.3 * rng.unit();
        let n = 5 * contacts;
        let G: Vec<Vec<f64>> = (0..n).map(|_| (0..40).map(|_| rng.next()).collect()).collect();
        let v: Vec<f64> = (0..40).map(|_| rng.next()).collect();
        let five = |law: Law| mechanism(&G, &[1.0; 40], &v, vec![law; contacts]);
        let same = |law: Law, rows: &[usize], laws: &[Law]| {
            let problem = five(law);
            let other = with_rows(&problem, rows, laws);
            let (_, expected) = solve("newton", &other.as_problem(), 1e-12);
            for name in ["auto", "gauss-seidel", "interior-point"] {
                let (report, P) = solve(name, &problem.as_problem(), 1e-12);
                assert_eq!(report.status, SolveStatus::Converged, "{name} with {law:?}: {report:?}");
                for i in 0..n {
                    let at = rows.iter().position(|k| *k == i % 5).map(|k| i / 5 * rows.len() + k);
                    let expected = at.map_or(0.0, |at| expected[at]);
                    assert!((P[i] - expected).abs() < 1e-9, "{name} with {law:?}: {} not {expected}", P[i]);
                }
            }
        };
        same(rolling(mu, 0.0), &[0, 1, 2], &[spatial(mu)]);
        same(rolling(0.0, mu), &[0, 3, 4], &[spatial(mu)]);
        same(rolling(0.0, 0.0), &[0], &[Law::unilateral()]);
        // much resistance is a joint of the rolling rows: where all contacts are loaded, its answer is one here as well (others may
        // obey the law, too: so much resistance is like much friction)
        let joint = [spatial(mu), Law::bilateral(), Law::bilateral()];
        let joined = with_rows(&five(rolling(mu, 0.0)), &[0, 1, 2, 3, 4], &joint);
        let (_, P) = solve("newton", &joined.as_problem(), 1e-12);
        if P.chunks(5).all(|P| P[0] > 0.01 && P[3].hypot(P[4]) < 90.0 * P[0]) {
            loaded += 1;
            let r = residual(&five(rolling(mu, 100.0)).as_problem(), &P);
            assert!(r < 1e-9, "{r:e}");
        }
    }
    assert!(loaded > 20, "{loaded}");
}

/// Joints, planar contacts and dry rows beside rolling ones.
#[test]
fn mixed_with_other_laws() {
    let mut rng = Seeded(229);
    for _ in 0..40 {
        let mut laws = laws(&mut rng, 2, 0.2);
        laws.extend([Law::bilateral(), spatial(0.2), Law::dry(0.1), Law::unilateral()]);
        laws.extend([Law::planar_coulomb(0.2), rolling(0.1, 0.1)]);
        let n: usize = laws.iter().map(Law::dim).sum();
        let G: Vec<Vec<f64>> = (0..n).map(|_| (0..60).map(|_| rng.next()).collect()).collect();
        let v: Vec<f64> = (0..60).map(|_| rng.next()).collect();
        let problem = mechanism(&G, &[1.0; 60], &v, laws);
        let (_, expected) = solve("newton", &problem.as_problem(), 1e-12);
        by_all(&problem.as_problem(), 1e-12, |name, report, P| {
            assert_eq!(report.status, SolveStatus::Converged, "{name}: {report:?} on {problem:?}");
            assert!(distance(P, &expected) < 1e-9, "{name}: {P:?}, not {expected:?}");
        });
    }
}

/// Another unit of length changes the rolling rows alone, and neither the residual nor what solvers do.
#[test]
fn no_length_enters() {
    let mut rng = Seeded(233);
    for _ in 0..50 {
        let law = rolling(0.3 * rng.unit(), 0.3 * rng.unit());
        let G: Vec<Vec<f64>> = (0..10).map(|_| (0..8).map(|_| rng.next()).collect()).collect();
        let v: Vec<f64> = (0..8).map(|_| rng.next()).collect();
        let problem = mechanism(&G, &[1.0; 8], &v, vec![law; 2]);
        let P: Vec<f64> = (0..10).map(|_| rng.next()).collect();
        for length in [1e-4, 1e3] {
            let scale = |i: usize| if i % 5 < 3 { 1.0 } else { 1.0 / length };
            let mut scaled = problem.clone();
            for i in 0..10 {
                for j in 0..10 {
                    scaled.W_hat[(i, j)] *= scale(i) * scale(j);
                }
                scaled.U_free[i] *= scale(i);
            }
            scaled.laws = vec![rolling(law.friction(), law.rolling() * length); 2];
            let P: Vec<f64> = P.iter().enumerate().map(|(i, P)| P / scale(i)).collect();
            let unscaled: Vec<f64> = P.iter().enumerate().map(|(i, P)| P * scale(i)).collect();
            let before = residual(&problem.as_problem(), &unscaled);
            let after = residual(&scaled.as_problem(), &P);
            assert!((after - before).abs() < 1e-12 * before, "{before} became {after}");
            for name in ["prox", "newton", "gauss-seidel"] {
                let (a, _) = solve(name, &problem.as_problem(), 1e-10);
                let (b, _) = solve(name, &scaled.as_problem(), 1e-10);
                let apart = a.iterations.abs_diff(b.iterations);
                assert!(apart <= 1 + a.iterations / 50, "{name}: {a:?} became {b:?}");
            }
        }
    }
}

#[test]
fn impossible_coefficients_are_named() {
    for (bad, what) in [(-0.1, "-0.1"), (f64::NAN, "NaN")] {
        let problem = ball(1.0, 0.1, &[0.0; 6], rolling(0.3, bad));
        let error = problem.check().expect_err("it is wrong");
        assert_eq!(error, format!("the rolling resistance of contact 1 is {what}; it is never negative"));
    }
    let problem = ball(1.0, 0.1, &[0.0; 6], rolling(-0.5, 0.1));
    assert!(problem.check().expect_err("it is wrong").contains("friction"));
    assert_eq!(ball(1.0, 0.1, &[0.0; 6], rolling(0.5, 0.1)).check(), Ok(()));
}
