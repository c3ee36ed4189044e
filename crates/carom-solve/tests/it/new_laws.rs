//! Laws that have no name and no code of their own, written as data: every solver that says it takes them solves them, the others
//! refuse. Truth comes from the definitions: all cases of stick and slide by hand for one contact, `law_violation` for several.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, distance, energy_scales, law_violation, mechanism, velocity};
use carom_solve::{Law, SOLVERS, SolveStatus, SquareMatrix, StoredProblem, residual};

/// Rolling resistance in the plane: rows (N, T, R).
fn planar_rolling(mu: f64, mu_r: f64) -> Law {
    Law::unilateral().and_disk(1, mu).and_disk(1, mu_r)
}

/// A⁻¹ b by elimination with pivoting.
fn solve_3(mut A: [[f64; 3]; 3], mut b: [f64; 3]) -> [f64; 3] {
    for k in 0..3 {
        let pivot = (k..3).max_by(|&i, &j| A[i][k].abs().total_cmp(&A[j][k].abs())).expect("three rows");
        A.swap(k, pivot);
        b.swap(k, pivot);
        for i in (0..3).filter(|&i| i != k) {
            let factor = A[i][k] / A[k][k];
            (k..3).for_each(|j| A[i][j] -= factor * A[k][j]);
            b[i] -= factor * b[k];
        }
    }
    std::array::from_fn(|k| b[k] / A[k][k])
}

/// All answers of one contact with rolling resistance in the plane: open, or the nine cases in which each of T and R sticks or moves
/// one way or the other. Row N says U_N = 0; a row that sticks says U = 0, one that moves towards s says P = −s μ P_N.
fn all_cases(W: &SquareMatrix, q: &[f64], mu: [f64; 2]) -> Vec<[f64; 3]> {
    let slack = 1e-10;
    let mut answers = Vec::new();
    if q[0] >= -slack {
        answers.push([0.0; 3]);
    }
    for (s_T, s_R) in [-1.0, 0.0, 1.0].into_iter().flat_map(|a| [-1.0, 0.0, 1.0].map(|b| (a, b))) {
        let mut A: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| W[(i, j)]));
        let mut b = [-q[0], -q[1], -q[2]];
        for (row, s, mu) in [(1, s_T, mu[0]), (2, s_R, mu[1])] {
            if s != 0.0 {
                A[row] = [s * mu, 0.0, 0.0];
                (A[row][row], b[row]) = (1.0, 0.0);
            }
        }
        let P = solve_3(A, b);
        let U: [f64; 3] = std::array::from_fn(|i| q[i] + (0..3).map(|j| W[(i, j)] * P[j]).sum::<f64>());
        let fits = |row: usize, s: f64, mu: f64| match s {
            0.0 => P[row].abs() <= mu * P[0] + slack,
            s => s * U[row] >= -slack,
        };
        if P[0] >= -slack && fits(1, s_T, mu[0]) && fits(2, s_R, mu[1]) {
            answers.push(P);
        }
    }
    answers
}

/// The free velocity that is stopped by −P.
fn velocity_of(W: &SquareMatrix, P: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|j| W[(i, j)] * P[j]).sum())
}

/// The answers of all solvers that take the laws; the others have refused.
fn solve_all(problem: &StoredProblem) -> Vec<(&'static str, Vec<f64>)> {
    let mut answers = Vec::new();
    for entry in SOLVERS {
        let mut P = vec![0.0; problem.U_free.len()];
        let report = (entry.make)().solve(&problem.as_problem(), &mut P);
        if !entry.takes.all(&problem.laws) {
            assert_eq!(report.status, SolveStatus::Unsupported, "{}: {report:?}", entry.name);
            continue;
        }
        assert_eq!(report.status, SolveStatus::Converged, "{}: {report:?} {problem:?}", entry.name);
        assert!(residual(&problem.as_problem(), &P) <= 1e-12, "{}", entry.name);
        answers.push((entry.name, P));
    }
    answers
}

/// Ŵ = G Gᵀ of rank 2 n, U_free random and closing.
fn random(rng: &mut Seeded, laws: Vec<Law>) -> StoredProblem {
    let n: usize = laws.iter().map(Law::dim).sum();
    let G: Vec<Vec<f64>> = (0..n).map(|_| (0..2 * n).map(|_| rng.next()).collect()).collect();
    let v: Vec<f64> = (0..2 * n).map(|_| rng.next()).collect();
    mechanism(&G, &vec![1.0; 2 * n], &v, laws)
}

#[test]
fn rolling_in_the_plane_one_contact_by_all_cases() {
    let mut rng = Seeded(71);
    let (mut moves, mut by) = ([0; 4], 0);
    for trial in 0..400 {
        // so small that the fixed point on the shift attracts, which `apgd` and `interior-point` are made of
        let mu = [0.05 + 0.15 * rng.unit(), 0.05 + 0.15 * rng.unit()];
        let mut problem = random(&mut rng, vec![planar_rolling(mu[0], mu[1])]);
        problem.U_free[0] -= 1.0;
        // every other time slow enough to stick
        if trial % 2 == 0 {
            let stuck = [-1.0, 0.02 * rng.next(), 0.02 * rng.next()];
            problem.U_free.copy_from_slice(&velocity_of(&problem.W_hat, &stuck));
        }
        let cases = all_cases(&problem.W_hat, &problem.U_free, mu);
        assert!(!cases.is_empty(), "{problem:?}");
        for (name, P) in solve_all(&problem) {
            let nearest = cases.iter().map(|case| distance(case, &P)).fold(f64::INFINITY, f64::min);
            // tolerance 1e-12 times the condition of blocks of six random rows, up to some thousands
            assert!(nearest < 1e-8 * (1.0 + P[0]), "{name}: {P:?} is none of {cases:?}");
            let on = |row: usize| usize::from(P[row].abs() >= (1.0 - 1e-9) * mu[row - 1] * P[0]);
            moves[on(1) + 2 * on(2)] += 1;
            by += 1;
        }
    }
    assert!(moves.iter().all(|&n| n > 100), "all cases were met: {moves:?}");
    assert_eq!(by % 400, 0);
    assert!(by / 400 >= 8, "{} solvers take it", by / 400);
}

/// Second disks in other units than the first, as moments are: the answer in one unit is that in another.
#[test]
fn the_unit_of_a_second_disk_does_not_matter() {
    let mut rng = Seeded(73);
    for _ in 0..40 {
        let laws = vec![planar_rolling(0.3, 0.2); 3];
        let problem = random(&mut rng, laws);
        let length = 1e3;
        let scale = |i: usize| if i % 3 == 2 { length } else { 1.0 };
        let mut other = problem.clone();
        for i in 0..9 {
            (0..9).for_each(|j| other.W_hat[(i, j)] *= scale(i) * scale(j));
            other.U_free[i] *= scale(i);
        }
        other.laws = vec![planar_rolling(0.3, 0.2 / length); 3];
        for ((name, P), (_, Q)) in solve_all(&problem).iter().zip(solve_all(&other)) {
            let back: Vec<f64> = Q.iter().enumerate().map(|(i, Q)| Q * scale(i)).collect();
            assert!(distance(&back, P) < 1e-8, "{name}: {P:?}, not {back:?}");
        }
    }
}

/// Several contacts, each with another law: disks of one row and two, intervals with two ends.
#[test]
fn several_contacts_with_laws_that_have_no_name() {
    let mut rng = Seeded(79);
    let sets = [
        vec![planar_rolling(0.3, 0.2), Law::planar_coulomb(0.3), Law::limited(-0.1, 0.3)],
        // drilling friction, a disk of one row beside one of two
        vec![Law::unilateral().and_disk(2, 0.3).and_disk(1, 0.1), Law::spatial_coulomb(0.2)],
        vec![Law::unilateral().and_disk(1, 0.3).and_disk(2, 0.1), Law::bilateral()],
        vec![Law::limited(0.0, 0.2), Law::limited(0.0, 0.2), Law::spatial_coulomb(0.2)],
    ];
    for laws in sets {
        for _ in 0..60 {
            let problem = random(&mut rng, laws.clone());
            let (speed, impulse) = energy_scales(&problem);
            let answers = solve_all(&problem);
            assert!(answers.len() >= 7, "{}", answers.len());
            for (name, P) in &answers {
                let wrong = law_violation(&problem, P, speed, impulse);
                assert!(wrong < 1e-10, "{name}: {wrong:e} for {problem:?}");
                // friction this small on blocks this regular has one answer
                let apart = distance(&velocity(&problem, P), &velocity(&problem, &answers[0].1));
                assert!(apart < 1e-8, "{name} and {}: {apart:e}", answers[0].0);
            }
        }
    }
}

/// A stop that gives way, Ŵ = 2 and U_free = −3: held at P = 3/2 below the limit, P = 1 and U = −1 at a limit of one.
#[test]
fn a_stop_that_gives_way() {
    for (most, answer) in [(2.0, 1.5), (1.0, 1.0)] {
        let W_hat = SquareMatrix::from_rows(&[vec![2.0]]);
        let problem = StoredProblem { W_hat, U_free: vec![-3.0], laws: vec![Law::limited(0.0, most)] };
        let answers = solve_all(&problem);
        assert_eq!(answers.len(), SOLVERS.len());
        for (name, P) in answers {
            assert!((P[0] - answer).abs() < 1e-11, "{name}: {P:?}");
        }
    }
}

/// JSON holds every law, as it was written and by the names that files had before.
#[test]
fn laws_in_files() {
    let named = [
        ("\"bilateral\"", Law::bilateral()),
        ("\"unilateral\"", Law::unilateral()),
        (r#"{"planar-coulomb":{"friction":0.5}}"#, Law::planar_coulomb(0.5)),
        (r#"{"spatial-coulomb":{"friction":0.5}}"#, Law::spatial_coulomb(0.5)),
        (r#"{"spatial-rolling":{"friction":0.5,"rolling":0.01}}"#, Law::spatial_rolling(0.5, 0.01)),
        (r#"{"dry":{"bound":2.0}}"#, Law::dry(2.0)),
        (r#"{"limited":{"low":0.0,"high":2.0}}"#, Law::limited(0.0, 2.0)),
        (r#"{"two-disks":{"rows":[1,1],"friction":[0.5,0.01]}}"#, planar_rolling(0.5, 0.01)),
    ];
    for (text, law) in named {
        assert_eq!(serde_json::to_string(&law).expect("a law is data"), text);
        assert_eq!(serde_json::from_str::<Law>(text).expect("it can be read"), law);
    }
    assert!(serde_json::from_str::<Law>(r#"{"two-disks":{"rows":[1,3],"friction":[0.5,0.1]}}"#).is_err());
}
