//! Nonsmooth Gauss–Seidel: contact by contact, each solved exactly with the others held.        [Jean1999]
//!
//! ```text
//!   q_c = U_free,c + Σ_{d ≠ c} Ŵ_cd P_d,      P_c ← closed form of (Ŵ_cc, q_c)
//! ```
//!
//! Converges linearly on positive semidefinite problems, dependent contacts included, and takes any warm start.
//! It stops when a window of sweeps no longer lowers the residual: an honest limit, not an answer.

use crate::scaled::Scaled;
use crate::{ContactProblem, ContactSolver, SolveReport, SolveStatus, local, residual};

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
    scaled: Scaled,
    p: Vec<f64>,
    u: Vec<f64>,
    best: Vec<f64>,
}

impl Default for GaussSeidel {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_sweeps: 20_000,
            scaled: Scaled::default(),
            p: Vec::new(),
            u: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let n = P.len();
        let Self { scaled, p, u, best, .. } = self;
        scaled.load(problem);
        p.resize(n, 0.0);
        u.resize(n, 0.0);
        best.resize(n, 0.0);
        scaled.scale(P, p);
        if p.iter().any(|p| !p.is_finite()) {
            p.fill(0.0);
        }
        scaled.velocity(p, u);
        let mut smallest = scaled.residual(p, u);
        best.copy_from_slice(p);
        let (mut sweeps, mut window_start) = (0, smallest);
        while smallest > self.tolerance && sweeps < self.max_sweeps {
            sweep(scaled, p);
            sweeps += 1;
            scaled.velocity(p, u);
            let r = scaled.residual(p, u);
            if r < smallest {
                smallest = r;
                best.copy_from_slice(p);
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
        scaled.unscale(best, P);
        let residual = residual(problem, P);
        let status = SolveStatus::of(residual, self.tolerance, SolveStatus::IterationLimit);
        SolveReport { status, residual, iterations: sweeps, solver: "gauss-seidel", fallbacks: 0 }
    }
}

/// One sweep over all contacts.
pub(crate) fn sweep(problem: &Scaled, p: &mut [f64]) {
    for (law, &first) in problem.laws.iter().zip(&problem.first) {
        let dim = law.dim();
        if dim == 1 {
            // u of the row with everything, minus its own share.
            let row = problem.row(first);
            let u = row.iter().zip(&*p).map(|(w, p)| w * p).sum::<f64>() + problem.u_free[first];
            let w = row[first];
            p[first] = local::scalar(law, w, u - w * p[first]);
            continue;
        }
        let (mut W, mut q) = ([[0.0; 3]; 3], [0.0; 3]);
        p[first..first + dim].fill(0.0);
        for k in 0..dim {
            let row = problem.row(first + k);
            q[k] = row.iter().zip(&*p).map(|(w, p)| w * p).sum::<f64>() + problem.u_free[first + k];
            W[k][..dim].copy_from_slice(&row[first..first + dim]);
        }
        let new = local::solve(law, &W, &q);
        p[first..first + dim].copy_from_slice(&new[..dim]);
    }
}
