//! How good an answer is, and what can be said of a problem before it is solved.

pub(crate) mod diagnosis;
pub(crate) mod residual;
pub(crate) mod siconos;
pub(crate) mod two_measures;
