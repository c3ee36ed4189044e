//! Static equilibrium of a mechanism with joints, contacts and friction.
//!
//! ```text
//!   h(0,q,0) + Gᵀ λ + W_N λ_N + W_T λ_T = 0
//!   Φ(0,q) = 0,      0 ≤ g_N ⊥ λ_N ≥ 0,      |λ_T| ≤ μ λ_N
//! ```
//!
//! Without friction these are the conditions of a minimum of the potential energy under Φ = 0 and g_N ≥ 0. With friction there
//! are whole ranges of solutions; the one that is found is where the mechanism comes to rest when it *creeps* there from the start, in
//! a viscous medium, with Coulomb's law for each creeping step. A contact that can stick where it is does so.
//!
//! One step, with coordinates scaled by the square root of the diagonal of M, x = D^(1/2) δ, and w the rows of W:
//!
//! ```text
//!   (H + μ 1) x = h + Gᵀ λ + W P,         H = K − ∂(Gᵀ λ + W P)/∂q,       K = −∂h/∂q
//!   Φ + G x = 0                           by the shortest x in the rows of G; the rest in their null space
//!   U_N = g_N + w_N x,   U_T = w_T x      and a law per contact: the problem of carom-solve
//! ```
//!
//! μ is as large as it takes for H + μ to be positive definite and for the step to be short (pseudo-transient continuation), grows where a
//! step leads away and falls to nothing otherwise, so that the end is Newton's method. ∂(Gᵀ λ + W P)/∂q by central differences; the
//! residual, which decides, has no differences in it. Contacts that press are stiffened by ρ w wᵀ, which changes nothing at a solution
//! (U = 0 there) and lets Newton's method see the curvature along them only.
//!
//! Stability: the eigenvalues of H against M on what joints, pressing contacts and sticking friction leave free.

mod answer;
mod finder;
mod search;

use crate::{Complaint, System};
use finder::Finder;
use serde::Serialize;

/// Coordinates up to which dense matrices are made.
const MOST: usize = 1500;
/// Residual of the forces at which it counts as balanced, relative to the largest force that acts.
const BALANCED: f64 = 1e-10;
/// Misfit of joints and gaps, relative to the length scale.
const CLOSED: f64 = 1e-10;

/// How to look for an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Whether friction may hold; without it all contacts and joints are smooth.
    pub friction: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self { friction: true }
    }
}

/// A mechanism at rest.
#[derive(Clone, Debug, Serialize)]
pub struct Equilibrium {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Reactions of the joints, one for each row of Φ (N, N m).
    pub reactions: Vec<f64>,
    /// Contacts that are closed or that rub.
    pub contacts: Vec<ContactForce>,
    /// Whether friction was allowed to hold.
    pub friction: bool,
    /// What is left of the forces, relative to the largest that acts.
    pub residual: f64,
    /// Largest open joint or penetration, relative to the length scale.
    pub misfit: f64,
    /// Steps of the search.
    pub iterations: usize,
    /// Whether small disturbances stay small.
    pub stability: Balance,
    /// Whether rows of joints depend on each other: their reactions are then one choice among many.
    pub redundant: bool,
}

/// A contact at rest.
#[derive(Clone, Debug, Serialize)]
pub struct ContactForce {
    /// Its number.
    pub contact: usize,
    /// Its name.
    pub name: String,
    /// g_N (m; rad of a stop of an angle); nothing for a joint that rubs.
    pub gap: Option<f64>,
    /// λ_N (N; N m of a stop of an angle); nothing for a joint that rubs.
    pub force_n: Option<f64>,
    /// λ_T, or what the rubbing joint holds (N, N m); nothing where there is no friction.
    pub force_t: Option<f64>,
    /// The largest it could hold.
    pub bound: Option<f64>,
}

/// Whether an equilibrium is a minimum of the potential energy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// It is; the slowest vibration about it has this frequency (Hz), nothing where all is held.
    Stable {
        /// Hz.
        slowest: Option<f64>,
    },
    /// Some directions need no force: there are other equilibria beside this one.
    Neutral {
        /// Coordinates that can move, such as `ball.angle`, one list for each direction.
        free: Vec<Vec<String>>,
    },
    /// It is not: the mechanism leaves it at the smallest disturbance.
    Unstable {
        /// Coordinates that move first.
        along: Vec<String>,
        /// Rate at which the disturbance grows (1/s).
        growth: f64,
    },
}

/// Why there is no equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub enum EquilibriumError {
    /// A body goes away.
    Falls {
        /// The body.
        body: String,
        /// Falls or turns.
        how: &'static str,
        /// What is not balanced.
        force: f64,
        /// N or N m.
        unit: &'static str,
    },
    /// The search did not end.
    NotFound {
        /// Steps made.
        steps: usize,
        /// Where the residual is largest.
        coordinate: String,
        /// Relative.
        residual: f64,
        /// Relative.
        misfit: f64,
    },
    /// A contact or joint problem without answer.
    Jammed {
        /// A contact or joint.
        name: String,
        /// Relative.
        misfit: f64,
    },
    /// Dense matrices would not fit.
    TooLarge {
        /// Coordinates.
        n: usize,
        /// Most.
        most: usize,
    },
}

impl EquilibriumError {
    /// In words.
    pub fn complaint(&self) -> Complaint {
        match self {
            EquilibriumError::Falls { body, how, force, unit } => Complaint::new(format!(
                "there is no equilibrium: `{body}` {how}, nothing holds it against {force:.4e} {unit}"
            ))
            .or("add a joint, a spring or a contact that holds it")
            .about(body),
            EquilibriumError::NotFound { steps, coordinate, residual, misfit } => Complaint::new(format!(
                "no equilibrium was found in {steps} steps: at `{coordinate}` a share of {residual:.1e} of the forces is not \
                 balanced, joints and contacts are off by {misfit:.1e} of the mechanism's size"
            ))
            .or("start nearer to the equilibrium, or find the mechanism's rest by a run with damping"),
            EquilibriumError::Jammed { name, misfit } => Complaint::new(format!(
                "no equilibrium was found: contacts and joints contradict each other at `{name}`, off by {misfit:.1e} of the \
                 mechanism's size"
            ))
            .or("make room for the bodies between them")
            .about(name),
            EquilibriumError::TooLarge { n, most } => Complaint::new(format!(
                "the search for an equilibrium takes up to {most} coordinates, and these are {n}"
            ))
            .or("use fewer elements or modes"),
        }
    }
}

impl std::fmt::Display for EquilibriumError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.complaint().fmt(f)
    }
}

impl std::error::Error for EquilibriumError {}

/// Finds the equilibrium that the mechanism creeps to from q.
pub fn equilibrium(system: &dyn System, q: &[f64], search: Search) -> Result<Equilibrium, EquilibriumError> {
    let n = system.structure().sizes.v;
    if n > MOST {
        return Err(EquilibriumError::TooLarge { n, most: MOST });
    }
    Finder::new(system, q, search).find(q)
}
