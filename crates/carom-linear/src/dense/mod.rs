//! Small full matrices.

mod min_norm;

pub use min_norm::MinNorm;
