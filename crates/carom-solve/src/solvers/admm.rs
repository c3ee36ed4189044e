//! Alternating directions with an adaptive ρ, the de Saxcé shift renewed on the way.      [Boyd2011], [Carpentier2024]
//!
//! In x = √w P, with q = U_free/√w and Ŵ scaled likewise:
//!
//! ```text
//!   x ← (Ŵ + ρ)⁻¹ (ρ y − z − q − s(z)),      s_N = μ |z_T| + μ_r |z_R|        one solve with the factor
//!   x ← α x + (1 − α) y                                                       over-relaxation, α = 1.6
//!   y ← proj_K(x + z/ρ),      z ← z + ρ (x − y)                               contact by contact
//! ```
//!
//! At a fixed point z = −(U + s) and y = x obeys every law. ρ follows the ratio of |x − y| to ρ |y − y_before|: each
//! change costs a factorisation. Now and then a few Newton steps (`block_newton.rs`) are tried from y: when the pieces
//! are found, they end what would take thousands of iterations. Ŵ + ρ is regular whatever Ŵ, so dependent contacts are no special case.

use crate::limits::Deadline;
use crate::matrix::block_view::{self, ManyFrame};
use crate::matrix::row_units::{self, Even};
use crate::solvers::block_size::{EitherLu, EitherNewton};
use crate::solvers::progress::Stall;
use crate::{ContactProblem, ContactSolver, Limits, SolveReport, SolveStatus};

/// Over-relaxation.
const ALPHA: f64 = 1.6;
/// ρ at the start: between the largest and the small eigenvalues of Ŵ scaled to a diagonal of about one.
const RHO: f64 = 0.1;
/// Iterations between two looks at ρ, at first; then longer and longer.
const PATIENCE: usize = 12;
/// |x − y| and |y − y_before| may differ by this factor before ρ follows.
const UNBALANCED: f64 = 3.0;
/// Iterations between two looks at the residual.
const LOOK: usize = 4;
/// Iterations before the first Newton steps; each next time half as many again.
const POLISH: usize = 60;
/// Iterations between two looks at whether it still falls.
const WINDOW: usize = 2000;
/// The factor by which it must have.
const PROGRESS: f64 = 0.9;

/// The solver `admm`.
#[derive(Debug)]
pub struct Admm {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    even: Even,
    many: ManyFrame,
    lu: EitherLu,
    newton: EitherNewton,
    x: Vec<f64>,
    y: Vec<f64>,
    y_before: Vec<f64>,
    z: Vec<f64>,
    P: Vec<f64>,
    U: Vec<f64>,
    best: Vec<f64>,
}

impl Default for Admm {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_iterations: 20_000,
            max_seconds: f64::INFINITY,
            even: Even::default(),
            many: ManyFrame::default(),
            lu: EitherLu::default(),
            newton: EitherNewton::default(),
            x: Vec::new(),
            y: Vec::new(),
            y_before: Vec::new(),
            z: Vec::new(),
            P: Vec::new(),
            U: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl ContactSolver for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P_out: &mut [f64]) -> SolveReport {
        if row_units::uneven(problem) {
            return row_units::solve(self, |solver| &mut solver.even, problem, P_out);
        }
        if let Some(refusal) = block_view::too_full(problem, P_out, "admm") {
            return refusal;
        }
        let deadline = Deadline::after(self.max_seconds);
        let Self { many, lu, newton, x, y, y_before, z, P, U, best, .. } = self;
        let view = many.view(problem);
        let report = |status, residual, iterations| SolveReport {
            status,
            residual,
            iterations,
            solver: "admm",
            fallbacks: 0,
        };
        for array in [&mut *x, &mut *y, &mut *y_before, &mut *z, &mut *P, &mut *U, &mut *best] {
            array.resize(P_out.len(), 0.0);
        }
        let mut smallest = view.start(P_out, U);
        if smallest <= self.tolerance || !smallest.is_finite() {
            return report(SolveStatus::of(smallest, self.tolerance, SolveStatus::NotFinite), smallest, 0);
        }
        lu.until(deadline);
        if !lu.analyse(&view) {
            return report(SolveStatus::Unsupported, smallest, 0);
        }
        best.copy_from_slice(P_out);
        // warm: y = √w P, z = −(U + s)/√w where the contact is loaded
        for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
            let (root, rows) = (w.sqrt(), view.W.rows_of(c));
            for i in rows.clone() {
                (y[i], z[i]) = (root * P_out[i], -U[i] / root);
            }
            z[rows.start] -= law.shift(&z[rows.clone()]);
        }
        if P_out.iter().all(|P| *P == 0.0) {
            z.fill(0.0);
        }
        let mut rho = RHO;
        let mut regular = lu.factor(&view, rho);
        let mut iterations = 0;
        let mut stall = Stall::new(WINDOW, PROGRESS, smallest);
        let (mut patience, mut waited, mut polish) = (PATIENCE, 0, POLISH);
        let mut otherwise = SolveStatus::IterationLimit;
        while regular && smallest > self.tolerance && iterations < self.max_iterations {
            if deadline.passed() {
                break;
            }
            iterations += 1;
            // x = (Ŵ + ρ)⁻¹ (ρ y − z − q − s)
            for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
                let (root, rows) = (w.sqrt(), view.W.rows_of(c));
                for i in rows.clone() {
                    x[i] = rho * y[i] - z[i] - view.U_free[i] / root;
                }
                x[rows.start] -= law.shift(&z[rows.clone()]);
            }
            lu.solve(view.W, x);
            // y = proj_K(x̂ + z/ρ), z += ρ (x̂ − y)
            y_before.copy_from_slice(y);
            let (mut apart, mut moved) = (0.0_f64, 0.0_f64);
            for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
                let (root, rows) = (w.sqrt(), view.W.rows_of(c));
                for i in rows.clone() {
                    x[i] = ALPHA * x[i] + (1.0 - ALPHA) * y[i];
                    P[i] = (x[i] + z[i] / rho) / root;
                }
                law.project(&mut P[rows.clone()]);
                for i in rows {
                    y[i] = root * P[i];
                    apart += (x[i] - y[i]) * (x[i] - y[i]);
                    moved += (y[i] - y_before[i]) * (y[i] - y_before[i]);
                    z[i] += rho * (x[i] - y[i]);
                }
            }
            if iterations % LOOK == 0 {
                view.velocity(P, U);
                let r = view.residual(P, U);
                if r < smallest {
                    smallest = r;
                    best.copy_from_slice(P);
                }
                if !r.is_finite() {
                    break;
                }
                if iterations >= polish && smallest > self.tolerance {
                    polish += polish / 2;
                    P.copy_from_slice(best);
                    smallest = newton.polish(&view, P, smallest, self.tolerance, deadline);
                    best.copy_from_slice(P);
                }
            }
            if stall.look(smallest) {
                otherwise = SolveStatus::Stalled;
                break;
            }
            waited += 1;
            if waited >= patience {
                // |x − y| against |y − y_before|: the dual residual is ρ times the second
                let balance = (apart / moved.max(f64::MIN_POSITIVE)).sqrt() / rho;
                let change = if balance > UNBALANCED {
                    (balance.sqrt()).min(10.0)
                } else if balance < 1.0 / UNBALANCED {
                    balance.sqrt().max(0.1)
                } else {
                    1.0
                };
                if change != 1.0 {
                    rho = (rho * change).clamp(1e-9, 1e6);
                    regular = lu.factor(&view, rho);
                    patience += patience / 2;
                }
                waited = 0;
            }
        }
        if deadline.passed() {
            otherwise = SolveStatus::TimeLimit;
        } else if !regular {
            otherwise = SolveStatus::NotFinite;
        }
        P_out.copy_from_slice(best);
        SolveReport::measured("admm", problem, P_out, self.tolerance, otherwise, iterations)
    }
}
