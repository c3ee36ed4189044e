//! Nonsmooth Gauss–Seidel: contact by contact, each solved exactly with the others held.        [Jean1999]
//!
//! ```text
//!   q_c = U_free,c + Σ_{d ≠ c} Ŵ_cd P_d,      P_c ← closed form of (Ŵ_cc, q_c)
//! ```
//!
//! Converges linearly on positive semidefinite problems, dependent contacts included, and takes any warm start.
//! It stops when a window of sweeps no longer lowers the residual: an honest limit, not an answer. Problems that are
//! stored by blocks are swept block by block, and accelerated (`sweeps.rs`).

use crate::even::{self, Even};
use crate::frame::{Frame, View, dot};
use crate::limits::Deadline;
use crate::many::ManyFrame;
use crate::sweeps::Sweeps;
use crate::{ContactProblem, ContactSolver, Law, Limits, SolveReport, SolveStatus, local, residual, rolling};

/// Sweeps between two looks at whether the residual still falls.
const WINDOW: usize = 64;
/// A window must lower the smallest residual by this factor, or the iteration counts as stagnant.
const PROGRESS: f64 = 0.9;

/// The solver `gauss-seidel`.
#[derive(Debug)]
pub struct GaussSeidel {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of sweeps.
    pub max_sweeps: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    even: Even,
    many: ManyFrame,
    sweeps: Sweeps,
    frame: Frame,
    U: Vec<f64>,
    best: Vec<f64>,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_sweeps: 20_000,
            max_seconds: f64::INFINITY,
            even: Even::default(),
            many: ManyFrame::default(),
            sweeps: Sweeps::default(),
            frame: Frame::default(),
            U: Vec::new(),
            best: Vec::new(),
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
        if even::uneven(problem) {
            return even::solve(self, |solver| &mut solver.even, problem, P);
        }
        let deadline = Deadline::after(self.max_seconds);
        if problem.W_hat.dense().is_none() {
            let view = self.many.view_products(problem);
            let swept = self.sweeps.run(&view, P, self.tolerance, self.max_sweeps, deadline);
            // colours add up in another order than the problem does
            let residual = residual(problem, P);
            let status = SolveStatus::of(residual, self.tolerance, swept.otherwise);
            let iterations = swept.sweeps;
            return SolveReport { status, residual, iterations, solver: "gauss-seidel", fallbacks: 0 };
        }
        let Self { frame, U, best, .. } = self;
        let view = frame.view(problem);
        U.resize(P.len(), 0.0);
        best.resize(P.len(), 0.0);
        if P.iter().any(|P| !P.is_finite()) {
            P.fill(0.0);
        }
        view.velocity(P, U);
        let mut smallest = view.residual(P, U);
        best.copy_from_slice(P);
        let (mut sweeps, mut window_start) = (0, smallest);
        let mut otherwise = SolveStatus::IterationLimit;
        while smallest > self.tolerance && sweeps < self.max_sweeps {
            if deadline.passed() {
                otherwise = SolveStatus::TimeLimit;
                break;
            }
            sweep(&view, P);
            sweeps += 1;
            view.velocity(P, U);
            let r = view.residual(P, U);
            if r < smallest {
                smallest = r;
                best.copy_from_slice(P);
            }
            if !r.is_finite() {
                break;
            }
            if sweeps % WINDOW == 0 {
                if smallest > PROGRESS * window_start {
                    break;
                }
                window_start = smallest;
            }
        }
        P.copy_from_slice(best);
        let status = SolveStatus::of(smallest, self.tolerance, otherwise);
        SolveReport { status, residual: smallest, iterations: sweeps, solver: "gauss-seidel", fallbacks: 0 }
    }
}

/// One sweep over all contacts.
pub(crate) fn sweep(view: &View<'_>, P: &mut [f64]) {
    for (law, block) in view.contacts() {
        if let Law::SpatialRolling { .. } = law {
            rolling::sweep_dense(law, block, view, P);
            continue;
        }
        let (first, dim) = (block.first, law.dim());
        // The velocity this contact has without its own P.
        let (mut W, mut q) = ([[0.0; 3]; 3], [0.0; 3]);
        P[first..first + dim].fill(0.0);
        for k in 0..dim {
            let row = view.W.row(first + k);
            q[k] = dot(row, P) + view.U_free[first + k];
            W[k][..dim].copy_from_slice(&row[first..first + dim]);
        }
        let new = local::solve(law, &W, &q);
        P[first..first + dim].copy_from_slice(&new[..dim]);
    }
}
