//! The forms in which Ŵ is stored, and above them the views of a problem that solvers iterate on.
//!
//! Stored: `dense`, `sparse`, `block`, `bodies`. They know nothing of problems. Made of problems: `global` (velocities not yet
//! eliminated) and `over_bodies`, `choose` (which form suits), `dense_view` and `block_view` (with scales, to iterate on), `row_units` and
//! `reorder` (the same problem in other units, in another order).

pub(crate) mod block;
pub(crate) mod bodies;
pub(crate) mod dense;
pub(crate) mod sparse;

pub(crate) mod block_view;
pub(crate) mod choose;
pub(crate) mod dense_view;
pub(crate) mod global;
mod over_bodies;
pub(crate) mod reorder;
pub(crate) mod row_units;

use block::BlockMatrix;
use bodies::Bodies;
use dense::SquareMatrix;

/// The Delassus operator Ŵ = Wᵀ Â⁻¹ W, however it is stored.
pub trait Delassus {
    /// Number of rows of U and P.
    fn rows(&self) -> usize;
    /// out = Ŵ P.
    fn apply(&self, P: &[f64], out: &mut [f64]);
    /// One entry Ŵ_ij.
    fn entry(&self, i: usize, j: usize) -> f64;
    /// The whole matrix, if it is stored dense: pivoting and Newton solvers need it.
    fn dense(&self) -> Option<&SquareMatrix>;
    /// The matrix by blocks of contacts, if it is stored so: what solvers for many contacts walk through.
    fn blocks(&self) -> Option<&BlockMatrix> {
        None
    }
    /// The factors over bodies, if it is not formed: what sweeps and gradients can do without it.
    fn bodies(&self) -> Option<&Bodies> {
        None
    }
}
