//! The problems: every family of the generator, from one contact up.

use carom_solve::generate::Generator;
use carom_solve::{ContactProblem, GlobalError, GlobalProblem, Law, SolverForm, SparseMatrix, StoredProblem};

/// A problem of the set.
#[derive(Debug)]
pub struct Case {
    /// Family and number of contacts.
    pub name: String,
    /// Contacts, joints not counted.
    pub contacts: usize,
    /// Ŵ entry by entry: what answers are measured with, whatever the solvers iterate on.
    pub exact: StoredProblem<SparseMatrix>,
    given: SolverForm,
}

impl Case {
    /// The problem of a family with at least so many contacts.
    pub fn new(family: &Generator, contacts: usize) -> Result<Self, String> {
        Self::of(family.name, &family.problem(contacts))
    }

    /// A problem under a name.
    pub fn of(family: &str, problem: &GlobalProblem) -> Result<Self, String> {
        let contacts = problem.laws.iter().filter(|law| !matches!(law, Law::Bilateral)).count();
        let wrong = |e: GlobalError| format!("{family}: {e}");
        let (exact, given) = (problem.condense().map_err(wrong)?, problem.for_solvers().map_err(wrong)?);
        Ok(Self { name: format!("{family} {contacts}"), contacts, exact, given })
    }

    /// What the solvers get.
    pub fn given(&self) -> ContactProblem<'_> {
        self.given.as_problem()
    }

    /// Rows of U and P.
    pub fn rows(&self) -> usize {
        self.exact.U_free.len()
    }
}
