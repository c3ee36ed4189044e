//! The solvers. A new one is its file, and here its module and its line in the list.

mod admm;
mod apgd;
mod auto;
mod central_path;
pub(crate) mod gauss_seidel;
mod interior_point;
pub(crate) mod lemke;
mod newton;
mod panagiotopoulos;
mod polyhedral;
mod prox;

// what several of them use
mod block_size;
mod driver;
mod polish;
mod progress;

use crate::ContactSolver;
use crate::registry::SolverEntry;

/// All solvers, the default first.
pub static SOLVERS: &[&SolverEntry] = &[
    &auto::ENTRY,
    &newton::ENTRY,
    &newton::equations::JEAN_MOREAU,
    &newton::equations::FISCHER_BURMEISTER,
    &lemke::ENTRY,
    &gauss_seidel::ENTRY,
    &admm::ENTRY,
    &apgd::ENTRY,
    &central_path::ENTRY,
    &interior_point::ENTRY,
    &polyhedral::ENTRY,
    &panagiotopoulos::ENTRY,
    &prox::ENTRY,
];

/// The solver of this name, with default settings.
pub fn solver(name: &str) -> Option<Box<dyn ContactSolver>> {
    SOLVERS.iter().find(|entry| entry.name == name).map(|entry| (entry.make)())
}
