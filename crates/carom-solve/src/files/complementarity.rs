//! Complementarity problems, all rows unilateral or mixed with equations.
//!
//! ```text
//!   plain       n  MATRIX M  q
//!   mixed       by_blocks  by_parts  n  m                     flags 0 or 1; n equations, m complementary rows
//!   by_blocks   0 … n+m   1 …   MATRIX M   q                  where blocks of rows begin and the last ends; 1 where a
//!                                                             block is complementary, 0 where it is an equation
//!   by_parts    A  B  C  D  a  b                              row by row:  A u + C v + a = 0,
//!                                                             0 ≤ D u + B v + b ⊥ v ≥ 0
//! ```
//!
//! Both forms may stand in one file; the first is taken then.

use super::{Storage, TextError, Words, matrix, write_numbers};
use crate::{Law, SparseMatrix, StoredProblem};
use std::fmt::Write;

/// Reads M and q.
pub(super) fn parse(text: &str) -> Result<StoredProblem<SparseMatrix>, TextError> {
    let mut words = Words::new(text);
    let line = words.peek_line();
    let n = words.count("the number of rows")?;
    let M = square(&mut words, n, line)?;
    let q = words.numbers(n, "q")?;
    Ok(StoredProblem { W_hat: M, U_free: q, laws: vec![Law::unilateral(); n] })
}

fn square(words: &mut Words<'_>, n: usize, line: usize) -> Result<SparseMatrix, TextError> {
    let M = matrix::parse(words, "M")?;
    if (M.rows(), M.columns()) != (n, n) {
        let what = format!("M is {} × {}; {n} rows and unknowns need {n} × {n}", M.rows(), M.columns());
        return Words::error_at(line, what);
    }
    Ok(M)
}

/// Reads a mixed problem.
pub(super) fn parse_mixed(text: &str) -> Result<StoredProblem<SparseMatrix>, TextError> {
    let mut words = Words::new(text);
    let by_blocks = words.count("whether the problem is given by blocks (0 or 1)")? == 1;
    words.count("whether the problem is given by parts (0 or 1)")?;
    let n = words.count("the number of equations")?;
    let m = words.count("the number of complementary rows")?;
    let Some(rows) = n.checked_add(m).filter(|rows| *rows <= words.most()) else {
        return words
            .error(format!("{n} equations and {m} complementary rows are more than the file could fill"));
    };
    if !by_blocks {
        return by_parts(&mut words, n, m);
    }
    let line = words.peek_line();
    let mut ends = vec![words.count("the first row of a block")?];
    while ends.last().is_some_and(|last| *last < rows) {
        ends.push(words.count("the first row of a block")?);
    }
    if ends[0] != 0 || !ends.is_sorted_by(|a, b| a < b) || ends.last() != Some(&rows) {
        return Words::error_at(line, format!("the first rows of the blocks must rise from 0 to {rows}"));
    }
    let mut laws = Vec::new();
    for block in ends.windows(2) {
        let line = words.peek_line();
        let law = match words.count("whether a block is complementary (0 or 1)")? {
            0 => Law::bilateral(),
            1 => Law::unilateral(),
            other => {
                return Words::error_at(
                    line,
                    format!("{other} stands where 0 (equations) or 1 (complementary) should"),
                );
            }
        };
        laws.extend(std::iter::repeat_n(law, block[1] - block[0]));
    }
    let equations = laws.iter().filter(|law| **law == Law::bilateral()).count();
    if equations != n {
        return Words::error_at(line, format!("the blocks hold {equations} equations; the head says {n}"));
    }
    let line = words.peek_line();
    let M = square(&mut words, rows, line)?;
    let q = words.numbers(rows, "q")?;
    Ok(StoredProblem { W_hat: M, U_free: q, laws })
}

fn by_parts(words: &mut Words<'_>, n: usize, m: usize) -> Result<StoredProblem<SparseMatrix>, TextError> {
    let mut triplets = Vec::new();
    let parts = [("A", 0..n, 0..n), ("B", n..n + m, n..n + m), ("C", 0..n, n..n + m), ("D", n..n + m, 0..n)];
    for (name, rows, columns) in parts {
        for i in rows {
            for j in columns.clone() {
                let value = words.number(&format!("an entry of {name}"))?;
                if value != 0.0 {
                    triplets.push((i as u32, j as u32, value));
                }
            }
        }
    }
    let mut q = words.numbers(n, "a")?;
    q.extend(words.numbers(m, "b")?);
    let laws = (0..n + m).map(|i| if i < n { Law::bilateral() } else { Law::unilateral() }).collect();
    Ok(StoredProblem { W_hat: SparseMatrix::from_triplets(n + m, n + m, triplets), U_free: q, laws })
}

/// Blocks make sense for contacts only.
fn plain(storage: Storage) -> Storage {
    if storage == Storage::Dense { Storage::Dense } else { Storage::Sparse }
}

/// Writes M and q.
pub(super) fn write(problem: &StoredProblem<SparseMatrix>, storage: Storage) -> String {
    let mut text = format!("{}\n", problem.U_free.len());
    matrix::write(&mut text, &problem.W_hat, plain(storage), &[], &[]);
    write_numbers(&mut text, &problem.U_free);
    text
}

/// Writes a mixed problem by blocks.
pub(super) fn write_mixed(problem: &StoredProblem<SparseMatrix>, storage: Storage) -> String {
    let rows = problem.laws.len();
    let complementary: Vec<bool> = problem.laws.iter().map(|law| *law == Law::unilateral()).collect();
    let m = complementary.iter().filter(|c| **c).count();
    let mut text = format!("1\n0\n{}\n{m}\n", rows - m);
    let begins: Vec<usize> =
        (0..rows).filter(|&i| i == 0 || complementary[i] != complementary[i - 1]).collect();
    for begin in begins.iter().chain([&rows]) {
        write!(text, "{begin} ").expect("text grows");
    }
    text.push('\n');
    for begin in &begins {
        write!(text, "{} ", u8::from(complementary[*begin])).expect("text grows");
    }
    text.push('\n');
    matrix::write(&mut text, &problem.W_hat, plain(storage), &[], &[]);
    write_numbers(&mut text, &problem.U_free);
    text
}
