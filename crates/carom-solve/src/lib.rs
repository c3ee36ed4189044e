//! Contact and complementarity problems, their solvers, and factored operators.
//!
//! Every time-stepping scheme of nonsmooth mechanics ends in one local problem,
//!
//! ```text
//!   U = Ŵ P + U_free,      (U, P) satisfy a law per contact,
//! ```
//!
//! and this crate knows that problem and nothing of mechanics: [`ContactProblem`] is the data, [`Law`] says what
//! each contact obeys, [`residual()`] measures any answer in one documented way, and [`ContactSolver`]s find one.
//! What factors the saddle points that produce Ŵ is in carom-linear.
//!
//! ```
//! use carom_solve::{Law, SolveStatus, SquareMatrix, StoredProblem, solver};
//!
//! // The tip of a rod hits the ground and slides: rows (N, T), friction 1/2.
//! let problem = StoredProblem {
//!     W_hat: SquareMatrix::from_rows(&[vec![2.08, -1.44], vec![-1.44, 2.92]]),
//!     U_free: vec![-1.0, 2.0],
//!     laws: vec![Law::planar_coulomb(0.5)],
//! };
//! let mut P = vec![0.0; 2];
//! let report = solver("auto").expect("a known name").solve(&problem.as_problem(), &mut P);
//! assert_eq!(report.status, SolveStatus::Converged);
//! assert!((P[0] - 5.0 / 14.0).abs() < 1e-12 && (P[1] + 5.0 / 28.0).abs() < 1e-12);
//! ```
#![allow(non_snake_case)]

pub mod files;
pub mod generate;

mod factor;
mod law;
mod limits;
mod matrix;
mod measure;
mod one_contact;
mod problem;
mod registry;
mod report;
mod solvers;

pub use law::{Disk, Law, LawPiece, Normal};
pub use limits::Limits;
pub use matrix::Delassus;
pub use matrix::block::{BlockError, BlockMatrix};
pub use matrix::bodies::Bodies;
pub use matrix::choose::{LocalForm, SolverForm};
pub use matrix::dense::SquareMatrix;
pub use matrix::global::{Factored, GlobalError, GlobalProblem};
pub use matrix::sparse::SparseMatrix;
pub use measure::diagnosis::Diagnosis;
pub use measure::residual::{loading, residual, residual_from};
pub use measure::siconos::{natural_map_error, natural_map_error_from};
pub use measure::two_measures::{BothReport, solve_by_both};
pub use problem::{ContactProblem, StoredProblem};
pub use registry::{SolverEntry, Takes};
pub use report::{ContactSolver, SolveReport, SolveStatus};
pub use solvers::gauss_seidel::GaussSeidel;
pub use solvers::gauss_seidel::sweeps::Order;
pub use solvers::lemke::lcp;
pub use solvers::{SOLVERS, solver};

/// Residual at which solvers accept an answer unless told otherwise: some thousand roundings.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;
