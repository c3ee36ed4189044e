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

mod law;
pub mod ldl;
mod problem;
mod report;

pub use law::Law;
pub use problem::{ContactProblem, Delassus, SquareMatrix, StoredProblem};
pub use report::{ContactSolver, SolveReport, SolveStatus};
