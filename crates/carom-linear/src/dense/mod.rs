//! Small full matrices, by rows: factors, smallest solutions, orthonormal bases, eigenvalues of symmetric ones.

mod cholesky;
mod lu;
mod matrix;
mod min_norm;
mod orthogonal;
mod span;
mod symmetric;

pub use cholesky::{Cholesky, backward, cholesky, forward, positive};
pub use lu::{lu, lu_solve};
pub use matrix::Matrix;
pub use min_norm::MinNorm;
pub use orthogonal::Orthogonal;
pub use span::{Span, eigen};
pub use symmetric::{NotDefinite, generalised, symmetric};
