//! Problems as text: what is read from files written by hand, what comes back after writing, and what is refused where.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, planar, rolling, slider_corners, spatial};
use carom_solve::files::{FileProblem, Storage, parse, write_global, write_local};
use carom_solve::generate::generator;
use carom_solve::{Delassus, GlobalProblem, Law, SparseMatrix, StoredProblem};

fn local(text: &str) -> StoredProblem<SparseMatrix> {
    match parse(text) {
        Ok(FileProblem::Local(problem)) => problem,
        other => panic!("not a local problem: {other:?}"),
    }
}

fn refused(text: &str) -> (usize, String) {
    match parse(text) {
        Err(error) => (error.line, error.what),
        Ok(problem) => panic!("was read: {problem:?}"),
    }
}

/// One spatial contact, dense; the matrix stands column by column.
const DENSE: &str =
    "3\n1\n0\n3\n3\n3\t3\n15 -1 -2\n-1.5 14 1\n-2 1 16\n-1 2 3\n0.1\nwhat follows is a remark\n";
/// Two contacts with rolling resistance, sparse: mu, then mu_r.
const ROLLING: &str = "5\n2\n2\n10\n10\n1\nCSparse Version 3.2.0\ntriplet: 10-by-10, nzmax: 10 nnz: 10\n 0 0 : 1\n 1 1 : 1\n \
     2 2 : 1\n 3 3 : 25\n 4 4 : 25\n 5 5 : 2\n 6 6 : 2\n 7 7 : 2\n 8 8 : 50\n 9 9 : 50\n-1 0 0 2 0 -1 0 3 0 0\n0.5 0.25\n\
     0.01 0.02\n";
/// Two planar contacts by blocks: (0,0), (0,1), (1,1).
const BLOCKS: &str = "2\n2\n1\n4\n4\n3\n2\n2\n2\t4\t\n2\t4\t\n3\n3\n0\t2\t3\t\n0\t1\t1\t\n0\n1\n2\n3\n4\n1\n5\n6\n7\n8\n2\n9\n10\n11\n12\n\
     -1 0 -2 0\n0.5 0.25\n";

#[test]
fn dense_by_columns() {
    let problem = local(DENSE);
    assert_eq!((problem.W_hat.entry(0, 1), problem.W_hat.entry(1, 0)), (-1.5, -1.0));
    assert_eq!((&problem.U_free[..], &problem.laws[..]), (&[-1.0, 2.0, 3.0][..], &[spatial(0.1)][..]));
}

#[test]
fn rolling_resistance_follows_friction() {
    let problem = local(ROLLING);
    assert_eq!(problem.laws, [rolling(0.5, 0.01), rolling(0.25, 0.02)]);
    assert_eq!((problem.W_hat.entry(3, 3), problem.U_free[3]), (25.0, 2.0));
    for storage in [Storage::Dense, Storage::Blocks, Storage::Sparse] {
        let again = local(&write_local(&problem, storage).expect("one kind of contact"));
        assert_eq!((&again.U_free, &again.laws), (&problem.U_free, &problem.laws));
        assert_eq!(again.dense().W_hat, problem.dense().W_hat, "{storage:?}");
    }
    let global = generator("rolling").expect("a known name").problem(4);
    let text = write_global(&global).expect("one kind of contact");
    assert_eq!(parse(&text), Ok(FileProblem::Global(global)));
}

#[test]
fn blocks_by_columns() {
    let problem = local(BLOCKS);
    let rows = [[1.0, 3.0, 5.0, 7.0], [2.0, 4.0, 6.0, 8.0], [0.0, 0.0, 9.0, 11.0], [0.0, 0.0, 10.0, 12.0]];
    for (i, row) in rows.iter().enumerate() {
        let read: Vec<f64> = (0..4).map(|j| problem.W_hat.entry(i, j)).collect();
        assert_eq!(read, row, "row {i}");
    }
    assert_eq!(problem.laws, [planar(0.5), planar(0.25)]);
    // The same as a matrix by blocks.
    let blocks = problem.blocks();
    assert_eq!(blocks.W_hat.to_dense(), problem.dense().W_hat);
    assert_eq!(blocks.W_hat.blocks(), 3);
}

#[test]
fn sparse_in_three_orders() {
    let (begin, end) = ("2\n1\n2\n2\n2\n", "-1 0\n0.3\n");
    let triplets = "1\nCSparse Version 3.1.9, May 4, 2016.\ntriplet: 2-by-2, nzmax: 4 nnz: 3\n    0 0 : 2\n    1 1 : 3e0\n    0 1 : -1\n";
    let columns = "2\nCSparse Version 3.1.9, May 4, 2016.\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\n    col 0 : locations 0 to 0\n      0 : 2\n    col 1 : locations 1 to 2\n      0 : -1\n      1 : 3\n";
    let rows = "3\nCSparse Version 3.1.9, May 4, 2016.\ncsr: 2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\n    row 0 : locations 0 to 1\n      0 : 2\n      1 : -1\n    row 1 : locations 2 to 2\n      1 : 3\n";
    for middle in [triplets, columns, rows] {
        let problem = local(&format!("{begin}{middle}{end}"));
        let W: Vec<f64> = (0..4).map(|k| problem.W_hat.entry(k / 2, k % 2)).collect();
        assert_eq!(W, [2.0, -1.0, 0.0, 3.0], "{middle}");
        assert_eq!(problem.U_free, [-1.0, 0.0]);
    }
}

/// M v = q + H P and U = Hᵀ v + b by hand: mass 2, one planar contact in the first two of three velocities.
#[test]
fn global_form() {
    let text = "2\n1\n0\n3\n3\n3\t3\n2 0 0\n0 2 0\n0 0 4\n0\n3\n2\n3\t2\n1 0 0\n0 1 1\n-2 4 8\n0.5 0\n0.3\n";
    let Ok(FileProblem::Global(problem)) = parse(text) else { panic!("a global problem") };
    assert_eq!((problem.velocities(), problem.H.columns()), (3, 2));
    let condensed = problem.condense().expect("a positive definite M");
    // W = Hᵀ M⁻¹ H = diag(1/2, 1/2 + 1/4), U_free = Hᵀ M⁻¹ q + b = (−1 + 0.5, 2 + 2)
    assert_eq!(
        condensed.dense().W_hat,
        carom_solve::SquareMatrix::from_rows(&[vec![0.5, 0.0], vec![0.0, 0.75]])
    );
    assert_eq!(condensed.U_free, [-0.5, 4.0]);
    assert_eq!(problem.laws, [planar(0.3)]);
    let Ok(FileProblem::Global(again)) = parse(&write_global(&problem).expect("friction everywhere")) else {
        panic!("a global problem comes back as one")
    };
    assert_eq!(again, problem);
}

#[test]
fn complementarity_and_mixed() {
    let lcp = local("2\n0\n2\n2\n2\t2\n2 1\n0 2\n-5 -6\n\n# from a book\n");
    assert_eq!((lcp.W_hat.entry(0, 0), lcp.W_hat.entry(1, 0), lcp.W_hat.entry(0, 1)), (2.0, 1.0, 0.0));
    assert_eq!(lcp.laws, [Law::unilateral(); 2]);
    let one = local("1\n0\n1\n1\n1\t1\n2\n-1\n");
    assert_eq!((one.laws.len(), one.U_free[0]), (1, -1.0));
    // Both forms of one mixed problem: u − v − 1 = 0, 0 ≤ v + 1 ⊥ v ≥ 0.
    let by_blocks = local("1\n0\n1\n1\n0 1 2\n0 1\n0\n2\n2\n2\t2\n1 0\n-1 1\n-1 1\n");
    let by_parts = local("0\n1\n1\n1\n1\n1\n-1\n0\n-1\n1\n");
    assert_eq!(by_blocks, by_parts);
    assert_eq!(by_blocks.laws, [Law::bilateral(), Law::unilateral()]);
    assert_eq!((by_blocks.W_hat.entry(0, 1), by_blocks.W_hat.entry(1, 0)), (-1.0, 0.0));
}

/// What is written comes back to the last bit, in every storage.
#[test]
fn round_trips() {
    let mut rng = Seeded(5);
    let mut problems = vec![StoredProblem::from(&slider_corners(0.5, [0.01, -0.1, 0.3]))];
    for (n, law) in [(7, spatial(0.3)), (4, planar(1.0 / 3.0)), (6, Law::unilateral())] {
        let rows = n * law.dim();
        let triplets = (0..rows * 4)
            .map(|_| ((rng.unit() * rows as f64) as u32, (rng.unit() * rows as f64) as u32, rng.next()));
        let W_hat = SparseMatrix::from_triplets(rows, rows, triplets.collect());
        problems.push(StoredProblem {
            W_hat,
            U_free: (0..rows).map(|_| rng.next()).collect(),
            laws: vec![law; n],
        });
    }
    let mixed = [
        Law::bilateral(),
        Law::unilateral(),
        Law::unilateral(),
        Law::bilateral(),
        Law::unilateral(),
        Law::unilateral(),
    ];
    problems.push(StoredProblem { laws: mixed.to_vec(), ..problems[3].clone() });
    for problem in problems {
        for storage in [Storage::Dense, Storage::Blocks, Storage::Sparse] {
            let again = local(&write_local(&problem, storage).expect("one kind of contact"));
            assert_eq!((&again.U_free, &again.laws), (&problem.U_free, &problem.laws));
            assert_eq!(again.dense().W_hat, problem.dense().W_hat, "{storage:?}");
        }
    }
}

#[test]
fn mixed_laws_have_no_layout() {
    let mut problem = local(BLOCKS);
    problem.laws = vec![planar(0.5), Law::unilateral(), Law::bilateral()];
    assert!(
        write_local(&problem, Storage::Dense)
            .expect_err("not in this layout")
            .to_string()
            .contains("mixes laws")
    );
}

/// Every fault with its line.
#[test]
fn faults_have_lines() {
    let swap = |from: &str, to: &str| DENSE.replacen(from, to, 1);
    let cases = [
        (String::new(), 1, "no problem file"),
        ("hello world".into(), 1, "no problem file"),
        (swap("3\t3", "3\t4"), 6, "must agree"),
        (swap("3\n3\n3\t3", "3\n4\n3\t4"), 3, "not square"),
        (swap("14", "NaN"), 8, "not a finite number"),
        (swap("14", "inf"), 8, "not a finite number"),
        (swap("14", "fourteen"), 8, "`fourteen` stands where entry (2, 2)"),
        (swap("0.1", "-0.1"), 11, "never negative"),
        (swap("3\n1\n0", "3\n2\n0"), 3, "2 contacts of dimension 3 make 6"),
        (swap("3\n1\n0", "3\n1\n7"), 3, "storage 7"),
        (swap("3\n1\n0", "5\n1\n0"), 3, "dimension 5 make 5"),
        (swap("3\n1\n0", "4\n1\n0"), 1, "5 with rolling resistance"),
        (ROLLING.replacen("0.01", "-0.01", 1), 21, "the rolling resistance of contact 1 is -0.01"),
        (ROLLING.replacen("0.02", "", 1), 22, "the rolling resistance of contact 2"),
        (DENSE[..40].into(), 9, "the file ends where"),
        (
            "3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n0 0 0\n".into(),
            9,
            "ends where the friction coefficient of contact 1",
        ),
        (BLOCKS.replacen("2\t4\t\n", "2\t5\t\n", 1), 9, "must rise to 4"),
        (BLOCKS.replacen("0\t1\t1", "0\t1\t9", 1), 14, "block column 9"),
        (BLOCKS.replacen("0\t2\t3", "0\t9\t3", 1), 13, "rise from 0 to 3"),
        (BLOCKS.replacen("4\n1\n5", "4\n1.5\n1\n5", 1), 20, "stands where the number of block 1"),
        (
            "2\n1\n2\n2\n2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 0 2 : 1\n0 0\n1\n".into(),
            9,
            "outside",
        ),
        ("2\n1\n2\n2\n2\n1\nCSparse\nnonsense\n 0 1 : 1\n0 0\n1\n".into(), 8, "should be the size"),
        (
            "3\n99999999999999\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n0 0 0\n".into(),
            3,
            "more than the file could fill",
        ),
        ("2\n0\n2\n2\n2\t2\n2 1\n0 2\n-5\n".into(), 9, "number 2 of the 2 of q"),
    ];
    for (text, line, what) in cases {
        let (found, message) = refused(&text);
        assert!(message.contains(what), "line {found}: {message}, expected {what}");
        assert_eq!(found, line, "{message}");
    }
}

/// Every beginning of a good file is refused, without a panic.
#[test]
fn truncated_anywhere() {
    let last = DENSE.find("0.1").expect("it is there");
    (0..last).for_each(|end| drop(refused(&DENSE[..end])));
    let last = ROLLING.rfind("0.02").expect("it is there");
    (0..last).for_each(|end| drop(refused(&ROLLING[..end])));
    let last = BLOCKS.rfind("0.25").expect("it is there");
    (0..last).for_each(|end| drop(refused(&BLOCKS[..end])));
}

/// Ŵ as an operator over bodies and Ŵ formed are the same matrix.
#[test]
fn factored_equals_formed() {
    let mut rng = Seeded(11);
    // Two parts of M of 3 and 5 velocities and a single one; contacts across them.
    let n = 9;
    let mut M = vec![(8, 8, 2.0)];
    for (first, size) in [(0, 3), (3, 5)] {
        for i in 0..size {
            M.push((first + i, first + i, 8.0));
            for j in 0..i {
                let value = rng.next();
                M.extend([(first + i, first + j, value), (first + j, first + i, value)]);
            }
        }
    }
    let laws = vec![spatial(0.3), planar(0.2), Law::bilateral(), Law::unilateral()];
    let rows: usize = laws.iter().map(Law::dim).sum();
    let H = (0..n).flat_map(|i| (0..rows as u32).map(move |j| (i, j))).filter(|(i, j)| (i + 2 * j) % 3 != 0);
    let H = H.map(|(i, j)| (i, j, rng.next())).collect();
    let problem = GlobalProblem {
        M: SparseMatrix::from_triplets(9, 9, M),
        H: SparseMatrix::from_triplets(9, rows, H),
        f: (0..n).map(|i| f64::from(i) - 3.0).collect(),
        b: vec![0.1; rows],
        laws,
    };
    let factored = problem.factor().expect("diagonally dominant");
    let formed = problem.condense().expect("diagonally dominant");
    let P: Vec<f64> = (0..rows).map(|_| rng.next()).collect();
    let (mut a, mut b) = (vec![0.0; rows], vec![0.0; rows]);
    factored.apply(&P, &mut a);
    formed.W_hat.apply(&P, &mut b);
    for i in 0..rows {
        assert!((a[i] - b[i]).abs() < 1e-13, "{a:?} {b:?}");
        for j in 0..rows {
            assert!((factored.entry(i, j) - formed.W_hat.entry(i, j)).abs() < 1e-14);
        }
    }
    // U = Ŵ P + U_free is Hᵀ v + b with M v = f + H P.
    let v = problem.velocity(&factored, &P);
    let mut Mv = vec![0.0; 9];
    problem.M.apply(&v, &mut Mv);
    let mut right = vec![0.0; 9];
    problem.H.apply(&P, &mut right);
    for i in 0..9 {
        assert!((Mv[i] - right[i] - problem.f[i]).abs() < 1e-13);
    }
    problem.H.transposed().apply(&v, &mut a);
    for i in 0..rows {
        assert!((a[i] + problem.b[i] - b[i] - formed.U_free[i]).abs() < 1e-13);
    }
}

/// M as an implicit step with gyroscopic terms has it, the inverse by hand: 1/5 (2 −1; 1 2).
#[test]
fn a_mass_matrix_that_is_not_symmetric() {
    let problem = GlobalProblem {
        M: SparseMatrix::from_triplets(2, 2, vec![(0, 0, 2.0), (0, 1, 1.0), (1, 0, -1.0), (1, 1, 2.0)]),
        H: SparseMatrix::from_triplets(2, 2, vec![(0, 0, 1.0), (1, 1, 1.0)]),
        f: vec![5.0, 0.0],
        b: vec![0.0; 2],
        laws: vec![Law::unilateral(); 2],
    };
    let local = problem.condense().expect("positive definite");
    let factored = problem.factor().expect("positive definite");
    for (i, j, inverse) in [(0, 0, 0.4), (0, 1, -0.2), (1, 0, 0.2), (1, 1, 0.4)] {
        assert!((local.W_hat.entry(i, j) - inverse).abs() < 1e-15);
        assert!((factored.entry(i, j) - inverse).abs() < 1e-15);
    }
    assert!((local.U_free[0] - 2.0).abs() < 1e-15 && (local.U_free[1] - 1.0).abs() < 1e-15);
    assert!(problem.over_bodies().expect("positive definite").is_none());
}

#[test]
fn global_faults() {
    let good = GlobalProblem {
        M: SparseMatrix::from_triplets(2, 2, vec![(0, 0, 1.0), (1, 1, 1.0), (0, 1, 0.5), (1, 0, 0.5)]),
        H: SparseMatrix::from_triplets(2, 1, vec![(0, 0, 1.0)]),
        f: vec![0.0; 2],
        b: vec![0.0],
        laws: vec![Law::unilateral()],
    };
    assert!(good.condense().is_ok());
    let message = |problem: GlobalProblem| problem.condense().expect_err("at fault").to_string();
    assert!(message(GlobalProblem { b: vec![], ..good.clone() }).contains("do not fit"));
    let M = SparseMatrix::from_triplets(2, 2, vec![(0, 0, 1.0), (1, 1, -1.0)]);
    assert!(message(GlobalProblem { M, ..good }).contains("not positive definite (the part with velocity 1"));
}
