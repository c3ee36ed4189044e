//! Contact and complementarity problems in files: as text in the layout of Siconos' numerics.
//!
//! Four kinds of problem share the ending `.dat` and have no name inside; [`parse`] tells them apart by their first numbers.
//! Words are separated by any white space.
//!
//! ```text
//!   friction, local      d  contacts  MATRIX W (rows = d · contacts)  q  mu  [mu_r]              U = W P + q
//!   friction, global     d  contacts  MATRIX M  MATRIX H  q  b  mu  [mu_r]                       M v = q + H P,  U = Hᵀ v + b
//!   complementarity      n  MATRIX M  q                                                          0 ≤ M z + q ⊥ z ≥ 0
//!   mixed                by_blocks  by_parts  n  m  …                                            see `complementarity.rs`
//!
//!   MATRIX               storage  rows  columns  …
//!     storage 0          rows  columns, then all entries, column by column
//!     storage 1          blocks of contacts, see `matrix.rs`
//!     storage 2          where it came from, a line about the library, a line about the size, then the entries
//! ```
//!
//! d is 2 or 3 and rows come as (N, T) or (N, T1, T2), as everywhere here; with rolling resistance it is 5, rows are
//! (N, T1, T2, R1, R2), and mu_r follows mu. (Siconos: numerics/src/FrictionContact/FrictionContactProblem.c,
//! GlobalFrictionContactProblem.c, numerics/src/RollingFrictionContact/RollingFrictionContactProblem.c; numerics/src/LCP, MLCP;
//! numerics/src/linalg/NumericsMatrix.c, SparseBlockMatrix.c, CSparseMatrix.c.)
//!
//! What follows the last number is not looked at: files in circulation end in remarks and old first guesses. Everything
//! before it is: sizes that disagree, numbers that are not finite, negative friction or rolling resistance and files that end too early are
//! errors with their line. Numbers are written with as many digits as bring them back to the last bit.
//!
//! This module turns texts into problems and back; opening files is the caller's business.

mod complementarity;
mod friction;
mod matrix;
mod words;

pub use friction::{friction_dimension, friction_laws};
pub use matrix::Storage;
use words::Words;

use crate::{GlobalProblem, Law, SparseMatrix, StoredProblem};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there, and what would be right.
    pub what: String,
}

/// A problem that cannot be written as text in this layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoLayout(pub String);

/// A problem as it stood in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileProblem {
    /// U = Ŵ P + U_free.
    Local(StoredProblem<SparseMatrix>),
    /// M v = f + H P, U = Hᵀ v + b.
    Global(GlobalProblem),
}

/// Reads a problem of any of the four kinds.
pub fn parse(text: &str) -> Result<FileProblem, TextError> {
    // some editors begin a text with a mark
    let text = text.trim_start_matches('\u{feff}');
    let kinds = kinds(text)?;
    let mut problems = kinds.iter().map(|kind| match kind {
        FileLayout::Friction => friction::parse(text),
        FileLayout::Complementarity => complementarity::parse(text).map(FileProblem::Local),
        FileLayout::Mixed => complementarity::parse_mixed(text).map(FileProblem::Local),
    });
    // the first numbers may suit two kinds: then the one that the rest suits as well
    let first = problems.next().expect("at least one kind");
    first.or_else(|error| problems.find_map(Result::ok).ok_or(error))
}

/// Writes a local problem: friction if all contacts have the same dimension, complementarity if none rubs.
pub fn write_local(problem: &StoredProblem<SparseMatrix>, storage: Storage) -> Result<String, NoLayout> {
    let all = |test: fn(&Law) -> bool| problem.laws.iter().all(test);
    if all(|law| *law == Law::unilateral()) && !problem.laws.is_empty() {
        Ok(complementarity::write(problem, storage))
    } else if all(|law| *law == Law::unilateral() || *law == Law::bilateral()) && !problem.laws.is_empty() {
        Ok(complementarity::write_mixed(problem, storage))
    } else {
        friction::write_local(problem, storage)
    }
}

/// Writes a global problem.
pub fn write_global(problem: &GlobalProblem) -> Result<String, NoLayout> {
    friction::write_global(problem)
}

enum FileLayout {
    Friction,
    Complementarity,
    Mixed,
}

/// The kinds that the first numbers suit, the likeliest first.
fn kinds(text: &str) -> Result<&'static [FileLayout], TextError> {
    let mut words = Words::new(text);
    let mut first = [None; 6];
    for slot in &mut first {
        *slot = words.next_if_count();
    }
    let [Some(a), Some(b), Some(c), Some(d), ..] = first else {
        let at = words.peek_line();
        return Err(TextError {
            line: at,
            what: "this is no problem file: it begins with whole numbers (dimension, number of contacts, storage 0, 1 or \
                   2, rows, columns for friction; number of rows, storage, rows, columns for complementarity)"
                .into(),
        });
    };
    // Mixed: two flags, sizes, and blocks that begin at row 0. One row alone would otherwise look like n = 1.
    if a <= 1 && b <= 1 && a + b > 0 && (a == 0 || first[4] == Some(0)) {
        return Ok(&[FileLayout::Mixed]);
    }
    let complementarity = b <= 2 && a == c && a == d;
    let friction = c <= 2 && first[4] == Some(d) && [2, 3, 5].contains(&a);
    Ok(match (complementarity, friction && a * b == d) {
        (true, true) => &[FileLayout::Friction, FileLayout::Complementarity],
        (true, false) => &[FileLayout::Complementarity],
        (false, _) => &[FileLayout::Friction],
    })
}

/// Numbers in a line, with all their digits.
fn write_numbers(text: &mut String, numbers: &[f64]) {
    use std::fmt::Write;
    for x in numbers {
        write!(text, "{x:e} ").expect("text grows");
    }
    text.push('\n');
}
