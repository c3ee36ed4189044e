//! What a solver says of itself: its name, what it takes, what it asks of Ŵ. The list is in `solvers/mod.rs`.

use crate::matrix::{block_view, dense_view};
use crate::{ContactProblem, ContactSolver, Law};
use std::fmt;

/// One solver as the command line and the documentation know it; stands at the head of its file.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// What people write.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// The laws that it solves. Problems with others are refused before it sees them.
    pub takes: Takes,
    /// What it asks of Ŵ.
    pub(crate) needs: Needs,
    /// Makes one with default settings.
    pub make: fn() -> Box<dyn ContactSolver>,
}

/// Which laws a solver takes: all intervals, and so many disks of so many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Most disks of a contact.
    pub disks: usize,
    /// Most rows of a disk.
    pub rows: usize,
}

impl Takes {
    /// Every law.
    pub const ALL: Self = Self { disks: 2, rows: 2 };
    /// One disk at most: no rolling resistance.
    pub const ONE_DISK: Self = Self { disks: 1, rows: 2 };
    /// Disks of one row: what is made of straight lines.
    pub const LINES: Self = Self { disks: 2, rows: 1 };

    /// Whether this law is among them.
    pub fn law(&self, law: &Law) -> bool {
        law.disks().count() <= self.disks && law.disks().all(|disk| disk.rows <= self.rows)
    }

    /// Whether all of these are.
    #[inline]
    pub fn all(&self, laws: &[Law]) -> bool {
        *self == Self::ALL || laws.iter().all(|law| self.law(law))
    }
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.disks, self.rows) {
            (2, 2) => "all laws",
            (2, _) => "laws with disks of one row",
            (1, 2) => "laws with at most one disk",
            (1, _) => "laws with at most one disk, of one row",
            _ => "laws without friction",
        })
    }
}

/// What a solver asks of Ŵ. Where that would not fit into memory, the problem is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Products and diagonal blocks.
    Products,
    /// All blocks.
    Blocks,
    /// All entries.
    Dense,
    /// All entries, or all blocks where it is stored by blocks or over bodies.
    AsStored,
}

impl Needs {
    /// Whether it is there or can be formed.
    #[inline]
    pub fn can_be_had(self, problem: &ContactProblem<'_>) -> bool {
        self == Self::Products || self.fits(problem)
    }

    fn fits(self, problem: &ContactProblem<'_>) -> bool {
        match self {
            Self::Products => true,
            Self::Blocks => block_view::fits(problem),
            Self::Dense => dense_view::fits(problem),
            Self::AsStored if problem.W_hat.blocks().is_some() || problem.W_hat.bodies().is_some() => {
                block_view::fits(problem)
            }
            Self::AsStored => dense_view::fits(problem),
        }
    }
}
