//! Friction problems, local and global. Which of the two is not written down: after the first matrix there follows either
//! another one, three whole numbers of which the second is the size of the first matrix, or q.

use super::{FileProblem, NoLayout, Storage, TextError, Words, matrix, write_numbers};
use crate::{GlobalProblem, Law, SparseMatrix, StoredProblem};

/// Reads either.
pub(super) fn parse(text: &str) -> Result<FileProblem, TextError> {
    let mut words = Words::new(text);
    let dim_line = words.peek_line();
    let dim = words.count("the dimension")?;
    let law: fn(f64) -> Law = match dim {
        2 => |friction| Law::PlanarCoulomb { friction },
        3 => |friction| Law::SpatialCoulomb { friction },
        5 => {
            return Words::error_at(
                dim_line,
                "dimension 5 is friction with rolling resistance, which has no law here",
            );
        }
        _ => {
            return Words::error_at(
                dim_line,
                format!("the dimension is {dim}; it is 2 in the plane and 3 in space"),
            );
        }
    };
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
        let laws = laws(&mut words, contacts, law)?;
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
    let laws = laws(&mut words, contacts, law)?;
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

fn laws(words: &mut Words<'_>, contacts: usize, law: fn(f64) -> Law) -> Result<Vec<Law>, TextError> {
    let mut laws = Vec::new();
    for contact in 1..=contacts {
        let line = words.peek_line();
        let friction = words.number(&format!("the friction coefficient of contact {contact}"))?;
        if friction < 0.0 {
            return Words::error_at(
                line,
                format!("the friction coefficient of contact {contact} is {friction}; it is never negative"),
            );
        }
        laws.push(law(friction));
    }
    Ok(laws)
}

/// Dimension and coefficients, if all contacts have the same dimension.
pub(super) fn dimension(laws: &[Law]) -> Result<(usize, Vec<f64>), NoLayout> {
    let planar = |law: &Law| matches!(law, Law::PlanarCoulomb { .. });
    let spatial = |law: &Law| matches!(law, Law::SpatialCoulomb { .. });
    let dim = match laws {
        [] => 3,
        _ if laws.iter().all(planar) => 2,
        _ if laws.iter().all(spatial) => 3,
        _ => {
            let what = "this layout knows contacts with friction, all of them planar or all of them spatial; this problem \
                        mixes laws (JSON holds it)";
            return Err(NoLayout(what.into()));
        }
    };
    Ok((dim, laws.iter().map(Law::friction).collect()))
}

fn block_ends(size: usize, block: usize) -> Vec<usize> {
    (1..=size / block).map(|k| k * block).collect()
}

/// Writes U = W P + q.
pub(super) fn write_local(
    problem: &StoredProblem<SparseMatrix>,
    storage: Storage,
) -> Result<String, NoLayout> {
    let (dim, friction) = dimension(&problem.laws)?;
    let mut text = format!("{dim}\n{}\n", friction.len());
    let ends = block_ends(problem.U_free.len(), dim);
    matrix::write(&mut text, &problem.W_hat, storage, &ends, &ends);
    write_numbers(&mut text, &problem.U_free);
    write_numbers(&mut text, &friction);
    Ok(text)
}

/// Writes M, H, q, b, mu; the matrices sparse.
pub(super) fn write_global(problem: &GlobalProblem) -> Result<String, NoLayout> {
    let (dim, friction) = dimension(&problem.laws)?;
    let mut text = format!("{dim}\n{}\n", friction.len());
    matrix::write(&mut text, &problem.M, Storage::Sparse, &[], &[]);
    matrix::write(&mut text, &problem.H, Storage::Sparse, &[], &[]);
    write_numbers(&mut text, &problem.f);
    write_numbers(&mut text, &problem.b);
    write_numbers(&mut text, &friction);
    Ok(text)
}
