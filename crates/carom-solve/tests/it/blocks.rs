//! Ŵ by blocks is the same operator as Ŵ dense, and bad blocks are refused with their place.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, distance, mechanism, planar, spatial};
use carom_solve::{BlockError, BlockMatrix, Delassus, Law, SquareMatrix, residual};

/// Contacts with all kinds of laws on bodies of their own and shared ones: many blocks of Ŵ are zero.
fn sparse_problem(rng: &mut Seeded, contacts: usize) -> carom_solve::StoredProblem {
    let bodies = contacts.div_ceil(2) + 1;
    let dof = 3 * bodies;
    let mut G = Vec::new();
    let mut laws = Vec::new();
    for c in 0..contacts {
        let law = match c % 4 {
            0 => spatial(0.4),
            1 => planar(0.3),
            2 => Law::unilateral(),
            _ => Law::bilateral(),
        };
        let (a, b) = (c % bodies, (c * c + 1) % bodies);
        for _ in 0..law.dim() {
            let mut row = vec![0.0; dof];
            for k in 0..3 {
                row[3 * a + k] += rng.next();
                row[3 * b + k] += rng.next();
            }
            G.push(row);
        }
        laws.push(law);
    }
    let v: Vec<f64> = (0..dof).map(|_| rng.next()).collect();
    mechanism(&G, &vec![1.0; dof], &v, laws)
}

#[test]
fn blocks_are_the_dense_matrix() {
    let mut rng = Seeded(31);
    for contacts in 1..20 {
        let problem = sparse_problem(&mut rng, contacts);
        let dims: Vec<usize> = problem.laws.iter().map(Law::dim).collect();
        let W = BlockMatrix::from_dense(&problem.W_hat, &dims).expect("it fits");
        assert_eq!(W.to_dense(), problem.W_hat);
        assert!(contacts < 10 || W.blocks() < contacts * contacts);
        let n = W.rows();
        for i in 0..n {
            (0..n).for_each(|j| assert_eq!(W.entry(i, j), problem.W_hat[(i, j)]));
        }
        let P: Vec<f64> = (0..n).map(|_| rng.next()).collect();
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        W.apply(&P, &mut a);
        problem.W_hat.apply(&P, &mut b);
        assert!(distance(&a, &b) < 1e-13);
        // from its own blocks, in a scrambled order, each in two halves
        let mut halves = Vec::new();
        for c in (0..contacts).rev() {
            for (d, block) in W.row(c) {
                halves.push((c, d, block.iter().map(|x| 0.5 * x).collect::<Vec<f64>>()));
            }
        }
        let twice = halves.iter().chain(&halves).map(|(c, d, x)| (*c, *d, &x[..]));
        assert_eq!(BlockMatrix::from_blocks(&dims, twice).expect("it fits"), W);
        let mut view = problem.as_problem();
        let dense = residual(&view, &P);
        view.W_hat = &W;
        assert!((residual(&view, &P) - dense).abs() < 1e-14 * (1.0 + dense));
    }
}

#[test]
fn every_contact_has_its_diagonal_block() {
    let empty = BlockMatrix::from_blocks(&[3, 1, 2], []).expect("three contacts that nothing moves");
    assert_eq!((empty.contacts(), empty.blocks(), empty.rows()), (3, 3, 6));
    assert!((0..3).all(|c| empty.diagonal(c).iter().all(|&x| x == 0.0)));
    let off = BlockMatrix::from_blocks(&[1, 1], [(0, 1, &[2.0][..]), (1, 0, &[2.0])]).expect("it fits");
    assert_eq!(off.to_dense(), SquareMatrix::from_rows(&[vec![0.0, 2.0], vec![2.0, 0.0]]));
}

#[test]
fn bad_blocks_are_named() {
    let from = |dims: &[usize], c, d, x: &[f64]| BlockMatrix::from_blocks(dims, [(c, d, x)]).unwrap_err();
    assert_eq!(from(&[1, 6], 0, 0, &[1.0]), BlockError::Rows { contact: 1, rows: 6 });
    let outside = BlockError::Outside { block: 0, row: 0, column: 2, contacts: 2 };
    assert_eq!(from(&[1, 3], 0, 2, &[1.0]), outside);
    let size = from(&[1, 3], 1, 0, &[1.0]);
    assert_eq!(size.to_string(), "block 0 at (1, 0) has 1 numbers, not 3");
    let total = BlockMatrix::from_dense(&SquareMatrix::zeros(3), &[1, 1]).unwrap_err();
    assert_eq!(total, BlockError::Total { found: 3, expected: 2 });
}
