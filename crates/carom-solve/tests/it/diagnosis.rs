//! What is said of a problem before it is solved is true.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, planar, slider_corners, spatial};
use carom_solve::generate::{GENERATORS, generator};
use carom_solve::{Diagnosis, Law, SparseMatrix, SquareMatrix, StoredProblem};

fn nature(rows: &[Vec<f64>], U_free: &[f64], laws: &[Law]) -> Diagnosis {
    let problem =
        StoredProblem { W_hat: SquareMatrix::from_rows(rows), U_free: U_free.to_vec(), laws: laws.to_vec() };
    Diagnosis::of(&StoredProblem::from(&problem))
}

/// A slider between two walls has three velocities and eight rows.
#[test]
fn ranks_are_known() {
    let slider = Diagnosis::of(&StoredProblem::from(&slider_corners(0.3, [0.1, 0.0, 0.2])));
    assert_eq!((slider.rank, slider.hyperstatic(8)), (Some(3), Some(true)));
    assert!(!slider.indefinite && !slider.frictionless && slider.impossible.is_none());
    // A plate has six velocities, of which feet on a floor hold all.
    let table = generator("table").expect("a known name").problem(20).condense().expect("a plate has mass");
    assert_eq!(Diagnosis::of(&table).rank, Some(6));
    // Over bodies the same is said of it, and of many feet what is true by construction.
    let over_bodies = |contacts: usize| {
        let table = generator("table").expect("a known name").problem(contacts);
        Diagnosis::over_bodies(&table.over_bodies().expect("a plate has mass").expect("a plate is a body"))
    };
    assert_eq!(over_bodies(20), Diagnosis::of(&table));
    let many = over_bodies(20_000);
    assert_eq!((many.rank, many.asymmetry, many.indefinite), (None, 0.0, false));
}

/// A ball between two walls that close, without and with friction; walls that open; a joint that is torn apart.
#[test]
fn problems_without_answer() {
    let jaws = [vec![1.0, -1.0], vec![-1.0, 1.0]];
    let z = nature(&jaws, &[-1.0, -0.5], &[Law::unilateral(); 2]).impossible.expect("no P opens both");
    assert!((z[0] - z[1]).abs() < 1e-12 && z[0] > 0.0);
    assert_eq!(nature(&jaws, &[-1.0, 1.0], &[Law::unilateral(); 2]).impossible, None);
    assert_eq!(nature(&jaws, &[-1.0, 2.0], &[Law::unilateral(); 2]).impossible, None);
    assert!(nature(&jaws, &[-1.0, 2.0], &[Law::bilateral(); 2]).impossible.is_some());
    assert!(nature(&[vec![0.0]], &[-1.0], &[Law::unilateral()]).impossible.is_some());
    assert_eq!(nature(&[vec![0.0]], &[1.0], &[Law::unilateral()]).impossible, None);
    // Friction rows are turned with the walls: U_N = ±v_x, U_T = v_y.
    let W: Vec<Vec<f64>> =
        [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
            .map(|row| row.to_vec())
            .to_vec();
    assert!(nature(&W, &[-1.0, 0.3, -1.0, 0.3], &[planar(0.5); 2]).impossible.is_some());
    assert_eq!(nature(&W, &[-1.0, 0.3, 1.0, 0.3], &[planar(0.5); 2]).impossible, None);
}

/// A row that no P raises has no answer, where Ŵ is that of no mechanism; rows that some P raises do, however little or much it has
/// to be.
#[test]
fn rows_that_nothing_raises() {
    let game = [vec![0.0, 1.0, -1.0], vec![-1.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0]];
    let proof = nature(&game, &[-1e-4, -1.0, 1.0], &[Law::unilateral(); 3]).impossible;
    assert_eq!(proof, Some(vec![0.0, 1.0, 0.0]));
    // P = (0, 1, 0) and U = (0, 0, 1) once the second row may fall no more.
    assert_eq!(nature(&game, &[-1.0, 0.0, 1.0], &[Law::unilateral(); 3]).impossible, None);
    // A bilateral P may be negative.
    let laws = [Law::bilateral(), Law::unilateral(), Law::unilateral()];
    assert_eq!(nature(&game, &[-1e-4, -1.0, 1.0], &laws).impossible, None);
    // The friction of the first contact raises the second row: −P_N + P_T with P_T up to μ P_N.
    let rubbed = [vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![-1.0, 1.0, 0.0]];
    for (mu, without) in [(0.5, true), (1.5, false)] {
        let found = nature(&rubbed, &[-1.0, 0.0, -1.0], &[planar(mu), Law::unilateral()]).impossible;
        assert_eq!(found.is_some(), without, "{mu}");
    }
    // Almost dependent: P = 10⁷ (1, 1) is an answer.
    let almost = [vec![1.0, -1.0 + 1e-7], vec![-1.0 + 1e-7, 1.0]];
    assert_eq!(nature(&almost, &[-1.0; 2], &[Law::unilateral(); 2]).impossible, None);
    // A stiff spring held by a bound, as conditions of a quadratic program: P = (1, 10¹⁰) is the answer.
    let program = [vec![1e10, -1.0], vec![1.0, 0.0]];
    assert_eq!(nature(&program, &[0.0, -1.0], &[Law::unilateral(); 2]).impossible, None);
}

/// Mechanisms that only gravity pulls at have an answer, and no Ŵ of a mechanism is indefinite.
#[test]
fn nothing_is_said_of_sound_problems() {
    for g in GENERATORS {
        let problem = g.problem(30).condense().expect("a mass matrix is positive definite");
        let nature = Diagnosis::of(&problem);
        assert!(
            !nature.indefinite && nature.impossible.is_none() && nature.asymmetry == 0.0,
            "{}: {nature:?}",
            g.name
        );
        if nature.rank.is_some() {
            assert_eq!(
                nature.hyperstatic(problem.U_free.len()),
                Some(g.hyperstatic),
                "{}: {:?}",
                g.name,
                nature.rank
            );
        }
    }
}

#[test]
fn indefinite_matrices_are_named() {
    assert!(nature(&[vec![-1.0]], &[0.0], &[Law::unilateral()]).indefinite);
    assert!(nature(&[vec![1.0, 2.0], vec![2.0, 1.0]], &[0.0; 2], &[Law::unilateral(); 2]).indefinite);
    // Pairs are sound, the three together are not: eigenvalues 1.9, 1.9 and −0.8.
    let three = [vec![1.0, -0.9, -0.9], vec![-0.9, 1.0, -0.9], vec![-0.9, -0.9, 1.0]];
    assert!(nature(&three, &[0.0; 3], &[spatial(0.3)]).indefinite);
    // Random Gram matrices of any rank are not.
    let mut rng = Seeded(3);
    for rank in 1..12 {
        let G: Vec<Vec<f64>> = (0..12).map(|_| (0..rank).map(|_| rng.next()).collect()).collect();
        let entry = |i: usize, j: usize| -> f64 { G[i].iter().zip(&G[j]).map(|(a, b)| a * b).sum() };
        let triplets = (0..144).map(|k| (k / 12, k % 12, entry(k as usize / 12, k as usize % 12))).collect();
        let W_hat = SparseMatrix::from_triplets(12, 12, triplets);
        let problem = StoredProblem { W_hat, U_free: vec![-1.0; 12], laws: vec![spatial(0.5); 4] };
        let nature = Diagnosis::of(&problem);
        assert_eq!((nature.rank, nature.indefinite), (Some(rank), false));
    }
}
