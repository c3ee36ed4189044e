//! What can be wrong with an elastic body.

use carom_linear::dense::NotDefinite;
use std::fmt;

/// What would be right, where there is nothing more to say.
pub(crate) const CORRECT: &str = "correct it in the model";

/// What is wrong with an elastic body. [`ElasticError::wrong`] says what is, [`ElasticError::remedy`] what would be right.
#[derive(Clone, Debug, PartialEq)]
pub enum ElasticError {
    /// A number that must be positive is not.
    NotPositive {
        /// Its name.
        quantity: &'static str,
        /// What it is.
        value: f64,
    },
    /// A node that is not there.
    NoNode {
        /// The number asked for.
        node: usize,
        /// The largest there is.
        last: usize,
    },
    /// A place outside the body.
    Outside {
        /// Place asked for (m).
        x: f64,
        /// Place asked for (m).
        y: f64,
        /// Lower left corner of the box around the body.
        low: [f64; 2],
        /// Upper right corner of the box around the body.
        high: [f64; 2],
    },
    /// Poisson's ratio of no material.
    Poisson {
        /// What it is.
        value: f64,
    },
    /// A mesh that cannot be computed with.
    Mesh(crate::MeshError),
    /// Anything else, said in full.
    Other {
        /// What is wrong.
        wrong: String,
        /// What would be right.
        remedy: String,
    },
}

impl ElasticError {
    /// Something that has no variant of its own.
    pub fn other(wrong: impl Into<String>, remedy: impl Into<String>) -> Self {
        ElasticError::Other { wrong: wrong.into(), remedy: remedy.into() }
    }

    /// What is wrong.
    pub fn wrong(&self) -> String {
        match self {
            ElasticError::NotPositive { quantity, value } => format!("{quantity} is {value}"),
            ElasticError::NoNode { node, .. } => format!("there is no node {node}"),
            ElasticError::Outside { x, y, low, high } => format!(
                "the point ({x}, {y}) is not on the body, which reaches from ({}, {}) to ({}, {})",
                low[0], low[1], high[0], high[1]
            ),
            ElasticError::Poisson { value } => format!("Poisson's ratio is {value}"),
            ElasticError::Mesh(error) => error.wrong(),
            ElasticError::Other { wrong, .. } => wrong.clone(),
        }
    }

    /// What would be right.
    pub fn remedy(&self) -> String {
        match self {
            ElasticError::NotPositive { .. } => "it must be greater than zero".into(),
            ElasticError::NoNode { last, .. } => format!("nodes are numbered from 0 to {last}"),
            ElasticError::Outside { .. } => "name a place inside the undeformed body, in its frame".into(),
            ElasticError::Poisson { .. } => "it must be greater than -1 and less than 0.5".into(),
            ElasticError::Mesh(error) => error.remedy(),
            ElasticError::Other { remedy, .. } => remedy.clone(),
        }
    }
}

impl fmt::Display for ElasticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.wrong(), self.remedy())
    }
}

impl std::error::Error for ElasticError {}

impl From<NotDefinite> for ElasticError {
    fn from(which: NotDefinite) -> Self {
        let name = match which {
            NotDefinite::Stiffness => "stiffness",
            NotDefinite::Mass => "mass",
        };
        Self::other(format!("the {name} matrix is not positive definite"), CORRECT)
    }
}
