//! Friction problems, local and global. Which of the two is not written down: after the first matrix there follows either
//! another one, three whole numbers of which the second is the size of the first matrix, or q.

use super::{FileProblem, NoLayout, Storage, TextError, Words, matrix, write_numbers};
use crate::{GlobalProblem, Law, SparseMatrix, StoredProblem};

/// Reads either.
pub(super) fn parse(text: &str) -> Result<FileProblem, TextError> {
    let mut words = Words::new(text);
    let dim_line = words.peek_line();
    let dim = words.count("the dimension")?;
    if ![2, 3, 5].contains(&dim) {
        let what =
            format!("the dimension is {dim}; it is 2 in the plane, 3 in space, 5 with rolling resistance");
        return Words::error_at(dim_line, what);
    }
    let contacts = words.count("the number of contacts")?;
    let line = words.peek_line();
    let W = matrix::parse(&mut words, "the matrix")?;
    if W.rows() != W.columns() {
        return Words::error_at(line, format!("the matrix is not square: {} × {}", W.rows(), W.columns()));
    }
    let Some(rows) = dim.checked_mul(contacts).filter(|rows| *rows <= words.most()) else {
        return Words::error_at(line, format!("{contacts} contacts are more than the file could fill"));
    };
    if matrix_follows(&words, W.rows(), rows) {
        let M = W;
        let line = words.peek_line();
        let H = matrix::parse(&mut words, "H")?;
        if (H.rows(), H.columns()) != (M.rows(), rows) {
            let what = format!(
                "H is {} × {}; {} velocities and {contacts} contacts of dimension {dim} make {} × {rows}",
                H.rows(),
                H.columns(),
                M.rows(),
                M.rows()
            );
            return Words::error_at(line, what);
        }
        let f = words.numbers(M.rows(), "q")?;
        let b = words.numbers(rows, "b")?;
        let laws = laws(&mut words, contacts, dim)?;
        return Ok(FileProblem::Global(GlobalProblem { M, H, f, b, laws }));
    }
    if W.rows() != rows {
        let what = format!(
            "the matrix has {} rows; {contacts} contacts of dimension {dim} make {rows} (or a second matrix, H, follows in \
             the global form)",
            W.rows()
        );
        return Words::error_at(line, what);
    }
    let U_free = words.numbers(rows, "q")?;
    let laws = laws(&mut words, contacts, dim)?;
    Ok(FileProblem::Local(StoredProblem { W_hat: W, U_free, laws }))
}

/// Whether a matrix of so many rows and columns begins here.
fn matrix_follows(words: &Words<'_>, rows: usize, columns: usize) -> bool {
    let mut ahead = words.clone();
    let mut next = || ahead.next_if_count();
    let (storage, size, fourth) = (next(), [next(), next()], [next(), next()]);
    let expected = [Some(rows), Some(columns)];
    size == expected && matches!(storage, Some(0..=2)) && (storage != Some(0) || fourth == expected)
}

/// mu, and with rolling resistance mu_r after it, a number per contact each.
fn laws(words: &mut Words<'_>, contacts: usize, dim: usize) -> Result<Vec<Law>, TextError> {
    let friction = coefficients(words, contacts, "friction coefficient")?;
    let rolling = if dim == 5 { coefficients(words, contacts, "rolling resistance")? } else { Vec::new() };
    Ok(friction_laws(dim, &friction, &rolling))
}

/// Laws of this dimension, 2, 3 or 5, from mu and, in the last case, mu_r.
pub fn friction_laws(dim: usize, friction: &[f64], rolling: &[f64]) -> Vec<Law> {
    let friction = friction.iter().copied();
    match dim {
        2 => friction.map(Law::planar_coulomb).collect(),
        3 => friction.map(Law::spatial_coulomb).collect(),
        _ => {
            let pairs = friction.zip(rolling);
            pairs.map(|(friction, &rolling)| Law::spatial_rolling(friction, rolling)).collect()
        }
    }
}

fn coefficients(words: &mut Words<'_>, contacts: usize, name: &str) -> Result<Vec<f64>, TextError> {
    let mut numbers = Vec::new();
    for contact in 1..=contacts {
        let line = words.peek_line();
        let number = words.number(&format!("the {name} of contact {contact}"))?;
        if number < 0.0 {
            let what = format!("the {name} of contact {contact} is {number}; it is never negative");
            return Words::error_at(line, what);
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// Dimension, if all contacts have the same.
pub fn friction_dimension(laws: &[Law]) -> Result<usize, NoLayout> {
    let all = |test: fn(&Law) -> bool| laws.iter().all(test);
    match laws {
        [] => Ok(3),
        _ if all(|law| law.disk_rows() == [1, 0]) => Ok(2),
        _ if all(|law| law.disk_rows() == [2, 0]) => Ok(3),
        _ if all(|law| law.disk_rows() == [2, 2]) => Ok(5),
        _ => {
            let what = "this layout knows contacts with friction, all of them planar, all spatial, or all with rolling \
                        resistance; this problem mixes laws (JSON holds it)";
            Err(NoLayout(what.into()))
        }
    }
}

/// mu, and mu_r where there is one.
fn write_laws(text: &mut String, laws: &[Law], dim: usize) {
    write_numbers(text, &laws.iter().map(Law::friction).collect::<Vec<f64>>());
    if dim == 5 {
        write_numbers(text, &laws.iter().map(Law::rolling).collect::<Vec<f64>>());
    }
}

fn block_ends(size: usize, block: usize) -> Vec<usize> {
    (1..=size / block).map(|k| k * block).collect()
}

/// Writes U = W P + q.
pub(super) fn write_local(
    problem: &StoredProblem<SparseMatrix>,
    storage: Storage,
) -> Result<String, NoLayout> {
    let dim = friction_dimension(&problem.laws)?;
    let mut text = format!("{dim}\n{}\n", problem.laws.len());
    let ends = block_ends(problem.U_free.len(), dim);
    matrix::write(&mut text, &problem.W_hat, storage, &ends, &ends);
    write_numbers(&mut text, &problem.U_free);
    write_laws(&mut text, &problem.laws, dim);
    Ok(text)
}

/// Writes M, H, q, b, mu; the matrices sparse.
pub(super) fn write_global(problem: &GlobalProblem) -> Result<String, NoLayout> {
    let dim = friction_dimension(&problem.laws)?;
    let mut text = format!("{dim}\n{}\n", problem.laws.len());
    matrix::write(&mut text, &problem.M, Storage::Sparse, &[], &[]);
    matrix::write(&mut text, &problem.H, Storage::Sparse, &[], &[]);
    write_numbers(&mut text, &problem.f);
    write_numbers(&mut text, &problem.b);
    write_laws(&mut text, &problem.laws, dim);
    Ok(text)
}
