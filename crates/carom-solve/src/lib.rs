//! Contact and complementarity problems, their solvers, and factored operators.
//!
//! Every time-stepping scheme of nonsmooth mechanics ends in one local problem,
//!
//! ```text
//!   U = Ŵ P + U_free,      (U, P) satisfy a law per contact,
//! ```
//!
//! and this crate knows that problem and nothing of mechanics: [`ContactProblem`] is the data, [`Law`] says what
//! each contact obeys, `residual` measures any answer in one documented way, and [`ContactSolver`]s find one.
//! [`ldl`] factors the sparse symmetric saddle points that produce Ŵ.
#![allow(non_snake_case)]

pub mod ldl;

mod auto;
mod frame;
mod gauss_seidel;
mod law;
pub mod lcp;
mod lemke;
mod local;
mod min_norm;
mod newton;
mod problem;
mod reduced;
mod registry;
mod report;
mod residual;

pub use auto::Auto;
pub use gauss_seidel::GaussSeidel;
pub use law::{Law, Mode};
pub use lemke::Lemke;
pub use newton::Newton;
pub use problem::{ContactProblem, Delassus, SquareMatrix, StoredProblem};
pub use registry::{SOLVERS, SolverEntry, solver};
pub use report::{ContactSolver, SolveReport, SolveStatus};
pub use residual::{residual, residual_from};

/// Residual at which solvers accept an answer unless told otherwise: some thousand roundings.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;
