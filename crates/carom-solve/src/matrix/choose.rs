//! The form of a problem that solvers should be given.

use crate::{
    BlockMatrix, Bodies, ContactProblem, Factored, GlobalError, GlobalProblem, Law, SparseMatrix,
    StoredProblem,
};

/// Contacts up to which Ŵ is given dense, as a time step gives it: pivoting and smallest solutions of dense systems come first
/// there, and up to here both forms take the same time. With 60 contacts of the generated kinds blocks are four times as fast, with
/// 200 twenty times.
const FEW: usize = 30;
/// And rows, joints included.
const FEW_ROWS: usize = 300;
/// Most entries of an Ŵ that is formed entry by entry: 1.6 GB while that is done.
const MOST_ENTRIES: usize = 100_000_000;

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

/// A global problem with velocities eliminated: Ŵ formed, unless it would have many more numbers than what it is made of.
#[derive(Debug)]
pub enum LocalForm {
    /// Ŵ entry by entry.
    Formed(StoredProblem<SparseMatrix>),
    /// Ŵ over bodies.
    Bodies(Box<StoredProblem<Bodies>>),
}

impl LocalForm {
    /// The same as solvers should be given it.
    pub fn for_solvers(self) -> SolverForm {
        match self {
            Self::Formed(problem) => problem.for_solvers(),
            Self::Bodies(problem) => SolverForm::Bodies(*problem),
        }
    }
}

impl GlobalProblem {
    /// The local problem as solvers should be given it.
    pub fn for_solvers(&self) -> Result<SolverForm, GlobalError> {
        Ok(self.local_form(&self.factor()?)?.for_solvers())
    }

    /// The local problem, with M factored already. Ŵ is formed at most once, and never where there is no room for it and it can be
    /// taken over bodies; where it cannot, that is an error.
    pub fn local_form(&self, factored: &Factored) -> Result<LocalForm, GlobalError> {
        let unformed =
            |bodies: &StoredProblem<Bodies>| bodies.W_hat.is_fuller_formed() || !bodies.W_hat.can_be_formed();
        if Law::contacts(&self.laws) > FEW
            && let Some(over_bodies) = self.over_bodies_of(factored).filter(unformed)
        {
            return Ok(LocalForm::Bodies(Box::new(over_bodies)));
        }
        let entries = factored.entries_formed();
        if entries > MOST_ENTRIES {
            return Err(GlobalError::TooFull(entries));
        }
        let U_free = self.free_velocity(factored);
        Ok(LocalForm::Formed(StoredProblem { W_hat: factored.form(), U_free, laws: self.laws.clone() }))
    }
}

impl StoredProblem<SparseMatrix> {
    /// The same as solvers should be given it. Panics unless the laws cover all rows.
    pub fn for_solvers(&self) -> SolverForm {
        match Law::contacts(&self.laws) <= FEW && self.U_free.len() <= FEW_ROWS {
            true => SolverForm::Dense(self.dense()),
            false => SolverForm::Blocks(self.blocks()),
        }
    }
}
