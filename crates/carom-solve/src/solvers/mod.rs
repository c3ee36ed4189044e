//! The solvers: a file or a folder each, a line each in the registry.

pub(crate) mod admm;
pub(crate) mod apgd;
pub(crate) mod auto;
pub(crate) mod block_size;
pub(crate) mod central_path;
pub(crate) mod gauss_seidel;
pub(crate) mod interior_point;
pub(crate) mod lemke;
pub(crate) mod newton;
pub(crate) mod panagiotopoulos;
pub(crate) mod polish;
pub(crate) mod polyhedral;
pub(crate) mod progress;
pub(crate) mod prox;
