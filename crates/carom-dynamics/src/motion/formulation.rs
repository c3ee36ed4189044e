//! Forms of the equations of the smooth motion, by name.                                     [Haddouni2015] §1.2

use std::fmt;

/// How joints and held contacts enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulation {
    /// Multipliers, Φ = 0.
    Index3,
    /// Multipliers, G v + Φ_t = 0.
    Index2,
    /// Multipliers, G v' + bias = 0.
    Index1,
    /// No multipliers: accelerations along a basis of the null space of G.
    NullSpace,
    /// No multipliers: independent coordinates are integrated, the others follow from Φ = 0.
    Partitioned,
    /// No multipliers: Udwadia and Kalaba's pseudo-inverse.
    PseudoInverse,
}

impl Formulation {
    /// Every one.
    pub const ALL: [Formulation; 6] = [
        Formulation::Index3,
        Formulation::Index2,
        Formulation::Index1,
        Formulation::NullSpace,
        Formulation::Partitioned,
        Formulation::PseudoInverse,
    ];

    /// Name, as in `simulation.formulation`.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Index3 => "index-3",
            Formulation::Index2 => "index-2",
            Formulation::Index1 => "index-1",
            Formulation::NullSpace => "null-space",
            Formulation::Partitioned => "partitioned",
            Formulation::PseudoInverse => "pseudo-inverse",
        }
    }

    /// The one of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }
}

impl fmt::Display for Formulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
