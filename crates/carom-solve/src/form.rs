//! The form of a problem that solvers should be given.

use crate::{
    BlockMatrix, Bodies, ContactProblem, GlobalError, GlobalProblem, Law, SparseMatrix, StoredProblem,
};

/// Contacts up to which Ŵ is given dense, as a time step gives it: pivoting and smallest solutions of dense systems come first
/// there, and up to here both forms take the same time. With 60 contacts of the generated kinds blocks are four times as fast, with
/// 200 twenty times.
const FEW: usize = 30;

/// A problem with Ŵ stored as suits its size.
#[derive(Debug)]
pub enum SolverForm {
    /// Few contacts.
    Dense(StoredProblem),
    /// Many, by blocks of contacts.
    Blocks(StoredProblem<BlockMatrix>),
    /// Many on few bodies, not formed.
    Bodies(StoredProblem<Bodies>),
}

impl SolverForm {
    /// Borrows the data as a problem to solve.
    pub fn as_problem(&self) -> ContactProblem<'_> {
        match self {
            Self::Dense(problem) => problem.as_problem(),
            Self::Blocks(problem) => problem.as_problem(),
            Self::Bodies(problem) => problem.as_problem(),
        }
    }
}

/// Joints do not count.
fn contacts(laws: &[Law]) -> usize {
    laws.iter().filter(|law| !matches!(law, Law::Bilateral)).count()
}

impl GlobalProblem {
    /// The local problem as solvers should be given it.
    pub fn for_solvers(&self) -> Result<SolverForm, GlobalError> {
        if contacts(&self.laws) > FEW
            && let Some(over_bodies) = self.over_bodies()?
            && over_bodies.W_hat.is_fuller_formed()
        {
            return Ok(SolverForm::Bodies(over_bodies));
        }
        Ok(self.condense()?.for_solvers())
    }
}

impl StoredProblem<SparseMatrix> {
    /// The same as solvers should be given it. Panics unless the laws cover all rows.
    pub fn for_solvers(&self) -> SolverForm {
        match contacts(&self.laws) <= FEW {
            true => SolverForm::Dense(self.dense()),
            false => SolverForm::Blocks(self.blocks()),
        }
    }
}
