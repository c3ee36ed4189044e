//! The form of a problem that solvers should be given.

use crate::{BlockMatrix, ContactProblem, Law, SparseMatrix, StoredProblem};

/// Contacts up to which Ŵ is given dense, as a time step gives it: pivoting and smallest solutions of dense systems come first
/// there, and up to here both forms take the same time. With 60 contacts of the generated kinds blocks are four times as fast, with
/// 200 twenty times.
const FEW: usize = 30;

/// A problem with Ŵ stored as suits its size.
#[derive(Clone, Debug)]
pub enum SolverForm {
    /// Few contacts.
    Dense(StoredProblem),
    /// Many, by blocks of contacts.
    Blocks(StoredProblem<BlockMatrix>),
}

impl SolverForm {
    /// Borrows the data as a problem to solve.
    pub fn as_problem(&self) -> ContactProblem<'_> {
        match self {
            Self::Dense(problem) => problem.as_problem(),
            Self::Blocks(problem) => problem.as_problem(),
        }
    }
}

impl StoredProblem<SparseMatrix> {
    /// The same as solvers should be given it. Joints do not count as contacts. Panics unless the laws cover all rows.
    pub fn for_solvers(&self) -> SolverForm {
        let contacts = self.laws.iter().filter(|law| !matches!(law, Law::Bilateral)).count();
        if contacts <= FEW { SolverForm::Dense(self.dense()) } else { SolverForm::Blocks(self.blocks()) }
    }
}
