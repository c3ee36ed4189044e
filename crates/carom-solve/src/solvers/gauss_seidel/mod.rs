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

use crate::matrix::block_view::ManyFrame;
use crate::matrix::dense_view::View;
use crate::one_contact::{closed_form, two_disks};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::gauss_seidel::sweeps::{Order, Sweeps, Way};
use crate::{ContactSolver, SolveReport};
use carom_linear::dot_long;

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "gauss-seidel",
    description: "contact by contact, each in closed form; simple and sturdy, linear convergence",
    takes: Takes::ALL,
    needs: Needs::Products,
    make: || GaussSeidel::default().solver(),
};

/// Settings of the solver `gauss-seidel`.
///
/// ```
/// use carom_solve::{BlockMatrix, GaussSeidel, Law, Order, SolveStatus, StoredProblem};
///
/// // Two contacts that push each other apart, each free to slide.
/// let blocks = [(0, 0, [2.0]), (0, 1, [-1.0]), (1, 0, [-1.0]), (1, 1, [2.0])];
/// let problem = StoredProblem {
///     W_hat: BlockMatrix::from_blocks(&[1, 1], blocks.iter().map(|(c, d, b)| (*c, *d, &b[..]))).expect("blocks that fit"),
///     U_free: vec![-1.0, 0.25],
///     laws: vec![Law::unilateral(); 2],
/// };
/// let settings = GaussSeidel { omega: 1.2, order: Order::ToAndFro, accelerated: false, ..GaussSeidel::default() };
/// let mut P = vec![0.0; 2];
/// let report = settings.solver().solve(&problem.as_problem(), &mut P);
/// assert_eq!(report.status, SolveStatus::Converged);
/// assert!((P[0] - 7.0 / 12.0).abs() < 1e-11 && (P[1] - 1.0 / 6.0).abs() < 1e-11);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GaussSeidel {
    /// Largest number of sweeps.
    pub max_sweeps: usize,
    /// Relaxation ω, 0 < ω < 2 (anything else counts as 1): a contact goes ω times the way to its answer, then onto its cone.
    pub omega: f64,
    /// The order of a sweep. Where sweeps with these three settings stall, others are tried (`sweeps.rs`).
    pub order: Order,
    /// Whether sweeps are extrapolated along conjugate directions.
    pub accelerated: bool,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self { max_sweeps: 20_000, omega: 1.0, order: Order::ByResidual, accelerated: true }
    }
}

impl GaussSeidel {
    /// The solver with these settings.
    pub fn solver(self) -> Box<dyn ContactSolver> {
        let (many, sweeps) = (ManyFrame::default(), Sweeps::default());
        Driver::boxed(&ENTRY, Sweeping { settings: self, many, sweeps })
    }
}

/// The solver `gauss-seidel`.
#[derive(Debug)]
struct Sweeping {
    settings: GaussSeidel,
    many: ManyFrame,
    sweeps: Sweeps,
}

impl Method for Sweeping {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let GaussSeidel { max_sweeps, omega, order, accelerated } = self.settings;
        let omega = if omega > 0.0 && omega < 2.0 { omega } else { 1.0 };
        self.sweeps.first = Way { accelerated, order, omega, kept: 1.0 };
        let view = self.many.view_products(task.problem);
        let swept = self.sweeps.run(&view, P, task.tolerance, max_sweeps, task.deadline);
        task.measured(P, swept.otherwise, swept.sweeps)
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
