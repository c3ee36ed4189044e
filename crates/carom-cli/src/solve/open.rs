//! Contact problems from files, for `carom solve`: every format, told by what is in the file.

use crate::failure::Failure;
use carom::Topic;
use carom::fclib::{self, FclibProblem, StoredAnswer};
use carom::solve::files::{FileProblem, parse};
use carom::solve::{GlobalError, GlobalProblem, LocalForm, SparseMatrix, StoredProblem};
use std::borrow::Cow;
use std::path::Path;

/// A problem, in the form it came in, and answers that came with it.
pub struct Opened {
    /// Ŵ, or M and H.
    pub problem: FileProblem,
    /// What the file says P is.
    pub answers: Vec<StoredAnswer>,
}

impl From<FileProblem> for Opened {
    fn from(problem: FileProblem) -> Self {
        Self { problem, answers: Vec::new() }
    }
}

impl Opened {
    /// What is solved. Ŵ is formed at most once.
    pub fn local(self, name: &str) -> Result<LocalForm, Failure> {
        match self.problem {
            FileProblem::Local(problem) => Ok(LocalForm::Formed(problem)),
            FileProblem::Global(problem) => local_form(&problem, name),
        }
    }

    /// Ŵ entry by entry, to be written.
    pub fn formed(&self, name: &str) -> Result<Cow<'_, StoredProblem<SparseMatrix>>, Failure> {
        let global = match &self.problem {
            FileProblem::Local(problem) => return Ok(Cow::Borrowed(problem)),
            FileProblem::Global(problem) => problem,
        };
        match local_form(global, name)? {
            LocalForm::Formed(problem) => Ok(Cow::Owned(problem)),
            LocalForm::Bodies(problem) if problem.W_hat.can_be_formed() => {
                let W_hat = problem.W_hat.to_blocks().to_sparse();
                Ok(Cow::Owned(StoredProblem { W_hat, U_free: problem.U_free, laws: problem.laws }))
            }
            LocalForm::Bodies(problem) => Err(Failure::input(
                format!(
                    "{name}: its {} contacts act on few bodies, so that the matrix is too full to be formed",
                    problem.laws.len()
                ),
                "--storage global, which writes M and H",
                Topic::Solve,
            )),
        }
    }

    /// Rows of U and P.
    pub fn rows(&self) -> usize {
        match &self.problem {
            FileProblem::Local(problem) => problem.U_free.len(),
            FileProblem::Global(problem) => problem.b.len(),
        }
    }
}

fn local_form(problem: &GlobalProblem, name: &str) -> Result<LocalForm, Failure> {
    problem.factor().and_then(|factored| problem.local_form(&factored)).map_err(|e| {
        let right = match e {
            GlobalError::TooFull(_) => "fewer contacts, or bodies of few velocities each",
            _ => "M is positive definite",
        };
        Failure::input(format!("{name}: {e}"), right, Topic::Solve)
    })
}

/// Reads a problem: HDF5 by its first bytes, JSON by its brace, else text.
pub fn open(file: &Path) -> Result<Opened, Failure> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|e| {
        Failure::input(format!("cannot read {name}: {e}"), "the path of a problem file", Topic::Solve)
    })?;
    if fclib::is_hdf5(&bytes) {
        let FclibProblem { problem, answers } = fclib::parse(&bytes).map_err(|e| {
            Failure::input(format!("{name}: {e}"), "a problem in the layout of FCLIB", Topic::Solve)
        })?;
        return Ok(Opened { problem, answers });
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        Failure::input(format!("{name}:{line}: not text"), "a .dat, HDF5 or JSON file", Topic::Solve)
    })?;
    if text.trim_start().starts_with('{') {
        return json(&name.to_string(), &text);
    }
    let problem = parse(&text).map_err(|e| {
        let what = format!("{name}:{}: {}", e.line, e.what);
        Failure::input(what, "the layout is described in the book", Topic::Solve)
    })?;
    Ok(problem.into())
}

fn json(name: &str, text: &str) -> Result<Opened, Failure> {
    let right = "a stored problem: W_hat (n, data), U_free, laws";
    let problem: StoredProblem = serde_json::from_str(text)
        .map_err(|e| Failure::input(format!("{name}:{}: {e}", e.line()), right, Topic::Solve))?;
    problem.check().map_err(|what| Failure::input(format!("{name}: {what}"), right, Topic::Solve))?;
    Ok(FileProblem::Local(StoredProblem::from(&problem)).into())
}
