//! Nonsmooth Gauss–Seidel: contact by contact, each solved exactly with the others held.        [Jean1999]
//!
//! ```text
//!   q_c = U_free,c + Σ_{d ≠ c} Ŵ_cd P_d,      P_c ← closed form of (Ŵ_cc, q_c)
//! ```
//!
//! Converges linearly on positive semidefinite problems, dependent contacts included, and takes any warm start.
//! It stops when a window of sweeps no longer lowers the residual: an honest limit, not an answer. Sweeps go block by block,
//! accelerated (`sweeps.rs`); a matrix that is stored dense is copied into blocks once.

pub(crate) mod colours;
pub(crate) mod sweeps;
pub(crate) mod update;

use crate::limits::Deadline;
use crate::matrix::block_view::ManyFrame;
use crate::matrix::dense_view::View;
use crate::matrix::row_units::{self, Even};
use crate::one_contact::{closed_form, two_disks};
use crate::solvers::gauss_seidel::sweeps::{Order, Sweeps, Way};
use crate::{ContactProblem, ContactSolver, Limits, SolveReport};
use carom_linear::dot_long;

/// The solver `gauss-seidel`.
///
/// ```
/// use carom_solve::{BlockMatrix, ContactSolver, GaussSeidel, Law, Order, SolveStatus, StoredProblem};
///
/// // Two contacts that push each other apart, each free to slide.
/// let blocks = [(0, 0, [2.0]), (0, 1, [-1.0]), (1, 0, [-1.0]), (1, 1, [2.0])];
/// let problem = StoredProblem {
///     W_hat: BlockMatrix::from_blocks(&[1, 1], blocks.iter().map(|(c, d, b)| (*c, *d, &b[..]))).expect("blocks that fit"),
///     U_free: vec![-1.0, 0.25],
///     laws: vec![Law::unilateral(); 2],
/// };
/// let mut solver = GaussSeidel::default();
/// (solver.omega, solver.order, solver.accelerated) = (1.2, Order::ToAndFro, false);
/// let mut P = vec![0.0; 2];
/// let report = solver.solve(&problem.as_problem(), &mut P);
/// assert_eq!(report.status, SolveStatus::Converged);
/// assert!((P[0] - 7.0 / 12.0).abs() < 1e-11 && (P[1] - 1.0 / 6.0).abs() < 1e-11);
/// ```
#[derive(Debug)]
pub struct GaussSeidel {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of sweeps.
    pub max_sweeps: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    /// Relaxation ω, 0 < ω < 2 (anything else counts as 1): a contact goes ω times the way to its answer, then onto its cone.
    pub omega: f64,
    /// The order of a sweep. Where sweeps with these three settings stall, others are tried (`sweeps.rs`).
    pub order: Order,
    /// Whether sweeps are extrapolated along conjugate directions.
    pub accelerated: bool,
    even: Even,
    many: ManyFrame,
    sweeps: Sweeps,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_sweeps: 20_000,
            max_seconds: f64::INFINITY,
            omega: 1.0,
            order: Order::ByResidual,
            accelerated: true,
            even: Even::default(),
            many: ManyFrame::default(),
            sweeps: Sweeps::default(),
        }
    }
}

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        if row_units::uneven(problem) {
            return row_units::solve(self, |solver| &mut solver.even, problem, P);
        }
        let deadline = Deadline::after(self.max_seconds);
        let omega = if self.omega > 0.0 && self.omega < 2.0 { self.omega } else { 1.0 };
        self.sweeps.first = Way { accelerated: self.accelerated, order: self.order, omega, kept: 1.0 };
        let view = self.many.view_products(problem);
        let swept = self.sweeps.run(&view, P, self.tolerance, self.max_sweeps, deadline);
        SolveReport::measured("gauss-seidel", problem, P, self.tolerance, swept.otherwise, swept.sweeps)
    }
}

/// One sweep over all contacts.
pub(crate) fn sweep(view: &View<'_>, P: &mut [f64]) {
    for (law, block) in view.contacts() {
        if law.has_two_disks() {
            two_disks::sweep_dense(law, block, view, P);
            continue;
        }
        let (first, dim) = (block.first, law.dim());
        // The velocity this contact has without its own P.
        let (mut W, mut q) = ([[0.0; 3]; 3], [0.0; 3]);
        P[first..first + dim].fill(0.0);
        for k in 0..dim {
            let row = view.W.row(first + k);
            q[k] = dot_long(row, P) + view.U_free[first + k];
            W[k][..dim].copy_from_slice(&row[first..first + dim]);
        }
        let new = closed_form::solve(law, &W, &q);
        P[first..first + dim].copy_from_slice(&new[..dim]);
    }
}
