//! The forms in which Ŵ is stored, and the views of a problem that solvers iterate on.

pub(crate) mod block;
pub(crate) mod block_view;
pub(crate) mod bodies;
pub(crate) mod choose;
pub(crate) mod dense_view;
pub(crate) mod global;
pub(crate) mod reorder;
pub(crate) mod row_units;
pub(crate) mod sparse;
