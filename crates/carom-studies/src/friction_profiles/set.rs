//! The problems: every family of the generator, from one contact up, and the kept ones.

use carom_solve::generate::{Generator, KeptProblem};
use carom_solve::{
    ContactProblem, Factored, GlobalError, GlobalProblem, Law, SolverForm, SparseMatrix, StoredProblem,
};

/// A problem of the set.
#[derive(Debug)]
pub struct Case {
    /// Family and number of contacts.
    pub name: String,
    /// Contacts, joints not counted.
    pub contacts: usize,
    exact: Exact,
    given: SolverForm,
}

/// What answers are measured with, and no solver iterates on.
#[derive(Debug)]
enum Exact {
    /// Ŵ = Hᵀ M⁻¹ H, never formed.
    Factored(Box<StoredProblem<Factored>>),
    /// Ŵ entry by entry, where nothing else is known.
    Stored(StoredProblem<SparseMatrix>),
}

impl Case {
    /// The problem of a family with at least so many contacts.
    pub fn new(family: &Generator, contacts: usize) -> Result<Self, String> {
        Self::of(family.name, &family.problem(contacts))
    }

    /// A problem under a name.
    pub fn of(family: &str, problem: &GlobalProblem) -> Result<Self, String> {
        let wrong = |e: GlobalError| format!("{family}: {e}");
        let W_hat = problem.factor().map_err(wrong)?;
        let given = problem.local_form(&W_hat).map_err(wrong)?.for_solvers();
        let (U_free, laws) = (problem.free_velocity(&W_hat), problem.laws.clone());
        let contacts = Law::contacts(&laws);
        let exact = Exact::Factored(Box::new(StoredProblem { W_hat, U_free, laws }));
        Ok(Self { name: format!("{family} {contacts}"), contacts, exact, given })
    }

    /// A problem that was kept.
    pub fn kept(kept: &KeptProblem) -> Self {
        let exact = StoredProblem::from(&kept.problem());
        let (contacts, given) = (Law::contacts(&exact.laws), exact.for_solvers());
        Self { name: kept.name.into(), contacts, exact: Exact::Stored(exact), given }
    }

    /// What the solvers get.
    pub fn given(&self) -> ContactProblem<'_> {
        self.given.as_problem()
    }

    /// What answers are measured with.
    pub fn exact(&self) -> ContactProblem<'_> {
        match &self.exact {
            Exact::Factored(problem) => problem.as_problem(),
            Exact::Stored(problem) => problem.as_problem(),
        }
    }

    /// Rows of U and P.
    pub fn rows(&self) -> usize {
        self.exact().U_free.len()
    }
}
