//! What a contact obeys: a few small functions per law.

use serde::{Deserialize, Serialize};

/// The law of one contact, in its own rows of (U, P).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// U = 0, P free. One row.
    Bilateral,
    /// 0 ≤ U ⊥ P ≥ 0. One row.
    Unilateral,
    /// Signorini and Coulomb in the plane, rows (N, T): 0 ≤ U_N ⊥ P_N ≥ 0, −P_T ∈ μ P_N Sgn(U_T).
    PlanarCoulomb {
        /// μ ≥ 0.
        friction: f64,
    },
    /// Signorini and Coulomb in space, rows (N, T1, T2): the friction disk.
    SpatialCoulomb {
        /// μ ≥ 0.
        friction: f64,
    },
    /// Dry friction with a given bound: −P ∈ bound · Sgn(U). One row; joints that rub.
    Dry {
        /// Largest |P|, ≥ 0.
        bound: f64,
    },
}

impl Law {
    /// Rows of U and P.
    pub fn dim(&self) -> usize {
        match self {
            Law::Bilateral | Law::Unilateral | Law::Dry { .. } => 1,
            Law::PlanarCoulomb { .. } => 2,
            Law::SpatialCoulomb { .. } => 3,
        }
    }
}
