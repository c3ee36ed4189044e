//! What can be wrong with an elastic body.

/// What is wrong with an elastic body, in words that say what would be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ElasticError {
    /// A number that must be positive is not.
    #[error("{quantity} is {value}; it must be greater than zero")]
    NotPositive {
        /// Its name.
        quantity: &'static str,
        /// What it is.
        value: f64,
    },
    /// A node that is not there.
    #[error("there is no node {node}; nodes are numbered from 0 to {last}")]
    NoNode {
        /// The number asked for.
        node: usize,
        /// The largest there is.
        last: usize,
    },
    /// A place outside the body.
    #[error("the point ({x}, {y}) is not on the body, which reaches from ({}, {}) to ({}, {})", low[0], low[1], high[0], high[1])]
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
    #[error("Poisson's ratio is {value}; it must be greater than -1 and less than 0.5")]
    Poisson {
        /// What it is.
        value: f64,
    },
    /// A mesh that cannot be computed with.
    #[error(transparent)]
    Mesh(crate::MeshError),
    /// Anything else, said in full.
    #[error("{0}")]
    Other(String),
}

impl ElasticError {
    /// What is wrong, and what would be right: a message tells them in this order, after the last semicolon.
    pub fn said(&self) -> (String, String) {
        let whole = self.to_string();
        match (self, whole.rsplit_once("; ")) {
            (_, Some((wrong, right))) => (wrong.into(), right.into()),
            (ElasticError::Outside { .. }, None) => {
                (whole, "name a place inside the undeformed body, in its frame".into())
            }
            (_, None) => (whole, "correct it in the model".into()),
        }
    }
}
