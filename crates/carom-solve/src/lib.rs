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
//! [`ldl`] factors the sparse symmetric saddle points that produce Ŵ.
//!
//! ```
//! use carom_solve::{Law, SolveStatus, SquareMatrix, StoredProblem, solver};
//!
//! // The tip of a rod hits the ground and slides: rows (N, T), friction 1/2.
//! let problem = StoredProblem {
//!     W_hat: SquareMatrix::from_rows(&[vec![2.08, -1.44], vec![-1.44, 2.92]]),
//!     U_free: vec![-1.0, 2.0],
//!     laws: vec![Law::PlanarCoulomb { friction: 0.5 }],
//! };
//! let mut P = vec![0.0; 2];
//! let report = solver("auto").expect("a known name").solve(&problem.as_problem(), &mut P);
//! assert_eq!(report.status, SolveStatus::Converged);
//! assert!((P[0] - 5.0 / 14.0).abs() < 1e-12 && (P[1] + 5.0 / 28.0).abs() < 1e-12);
//! ```
#![allow(non_snake_case)]

pub mod files;
pub mod generate;
pub mod ldl;
pub mod lu;

mod admm;
mod apgd;
mod auto;
mod block_lu;
mod block_matrix;
mod block_newton;
mod bodies;
mod both;
mod central_path;
mod chains;
mod colours;
mod either;
mod equation;
mod even;
mod exact;
mod form;
mod frame;
mod gauss_seidel;
mod global;
mod groups;
mod interior_point;
mod law;
pub mod lcp;
mod lemke;
mod limits;
mod local;
mod many;
mod min_norm;
mod natural_map;
mod nature;
mod newton;
mod newton_by_blocks;
mod panagiotopoulos;
mod polish;
mod polyhedral;
mod problem;
mod prox;
mod reduced;
mod registry;
mod report;
mod residual;
mod rolling;
mod shuffle;
mod sparse;
mod stall;
mod sweeps;
mod update;

pub use admm::Admm;
pub use apgd::Apgd;
pub use auto::Auto;
pub use block_matrix::{BlockError, BlockMatrix};
pub use bodies::Bodies;
pub use both::{BothReport, solve_by_both};
pub use central_path::CentralPath;
pub use form::{LocalForm, SolverForm};
pub use gauss_seidel::GaussSeidel;
pub use global::{Factored, GlobalError, GlobalProblem};
pub use interior_point::InteriorPoint;
pub use law::{Law, Mode};
pub use lemke::Lemke;
pub use limits::Limits;
pub use natural_map::{natural_map_error, natural_map_error_from};
pub use nature::Nature;
pub use newton::Newton;
pub use panagiotopoulos::Panagiotopoulos;
pub use polyhedral::Polyhedral;
pub use problem::{ContactProblem, Delassus, SquareMatrix, StoredProblem};
pub use prox::Prox;
pub use registry::{SOLVERS, SolverEntry, solver};
pub use report::{ContactSolver, SolveReport, SolveStatus};
pub use residual::{loading, residual, residual_from};
pub use sparse::SparseMatrix;
pub use sweeps::Order;

/// Residual at which solvers accept an answer unless told otherwise: some thousand roundings.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;
