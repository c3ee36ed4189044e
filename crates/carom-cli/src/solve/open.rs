//! Problems from files.

use crate::failure::Failure;
use carom::Topic;
use carom::solve::files::{FileProblem, parse};
use carom::solve::{GlobalProblem, SparseMatrix, StoredProblem};
use std::borrow::Cow;
use std::path::Path;

/// A problem, in the form it came in.
pub enum Opened {
    /// Ŵ.
    Local(StoredProblem<SparseMatrix>),
    /// M and H.
    Global(GlobalProblem),
}

impl Opened {
    /// Ŵ, formed if need be.
    pub fn local(&self, name: &str) -> Result<Cow<'_, StoredProblem<SparseMatrix>>, Failure> {
        match self {
            Self::Local(problem) => Ok(Cow::Borrowed(problem)),
            Self::Global(problem) => problem.condense().map(Cow::Owned).map_err(|e| {
                Failure::input(format!("{name}: {e}"), "M is symmetric and positive definite", Topic::Solve)
            }),
        }
    }
}

/// What every HDF5 file begins with.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Reads a problem; a text that begins with a brace is JSON.
pub fn open(file: &Path) -> Result<Opened, Failure> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|e| {
        Failure::input(format!("cannot read {name}: {e}"), "the path of a problem file", Topic::Solve)
    })?;
    if bytes.starts_with(HDF5) {
        return Err(Failure::input(
            format!("{name} is an HDF5 file, which is not read here"),
            "FCLIB and Siconos write such problems as text (.dat) too",
            Topic::Solve,
        ));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        Failure::input(format!("{name}:{line}: not text"), "a .dat or JSON file", Topic::Solve)
    })?;
    if text.trim_start().starts_with('{') {
        return json(&name.to_string(), &text);
    }
    match parse(&text) {
        Ok(FileProblem::Local(problem)) => Ok(Opened::Local(problem)),
        Ok(FileProblem::Global(problem)) => Ok(Opened::Global(problem)),
        Err(e) => Err(Failure::input(
            format!("{name}:{}: {}", e.line, e.what),
            "the layout is described in the book",
            Topic::Solve,
        )),
    }
}

fn json(name: &str, text: &str) -> Result<Opened, Failure> {
    let right = "a stored problem: W_hat (n, data), U_free, laws";
    let problem: StoredProblem = serde_json::from_str(text)
        .map_err(|e| Failure::input(format!("{name}:{}: {e}", e.line()), right, Topic::Solve))?;
    problem.check().map_err(|what| Failure::input(format!("{name}: {what}"), right, Topic::Solve))?;
    Ok(Opened::Local(StoredProblem::from(&problem)))
}
