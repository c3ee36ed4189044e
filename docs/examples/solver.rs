//! Projected successive over-relaxation, as an example of a contact solver.                               [Cryer1971]
//!
//! ```text
//!   P_c ← A( P_c − (ω / w_c) U_c ),      U = Ŵ P + U_free with the newest P,      0 < ω < 2
//!   w_c = largest row sum of |Ŵ_cc|,     A the Alart–Curnier map of the law
//! ```
//!
//! Contact after contact, over and over. Without friction and with ω = 1 this is Gauss–Seidel; a larger ω goes further than
//! each contact asks for, which pays where contacts push on through each other. Linear convergence.
#![allow(non_snake_case)]

use carom_solve::{
    ContactProblem, ContactSolver, DEFAULT_TOLERANCE, Limits, SolveReport, SolveStatus, residual,
};
use std::time::Instant;

/// Sweeps between two looks at the residual, which costs as much as a sweep.
const LOOK: usize = 4;

/// The solver.
#[derive(Debug)]
pub struct OverRelaxation {
    /// ω.
    pub relaxation: f64,
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of sweeps.
    pub max_sweeps: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    /// Work array: the largest that was needed stays, so that steps do not allocate.
    best: Vec<f64>,
}

impl Default for OverRelaxation {
    fn default() -> Self {
        Self {
            relaxation: 1.3,
            tolerance: DEFAULT_TOLERANCE,
            max_sweeps: 20_000,
            max_seconds: f64::INFINITY,
            best: Vec::new(),
        }
    }
}

impl ContactSolver for OverRelaxation {
    fn name(&self) -> &'static str {
        "over-relaxation"
    }

    /// How good the answer has to be and how long it may take.
    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    /// P comes in as a first guess, the impulses of the last step, and leaves as the best answer found.
    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let start = Instant::now();
        let mut smallest = residual(problem, P);
        self.best.clear();
        self.best.extend_from_slice(P);
        let mut sweeps = 0;
        while smallest > self.tolerance && sweeps < self.max_sweeps && !late(start, self.max_seconds) {
            for _ in 0..LOOK {
                self.sweep(problem, P);
            }
            sweeps += LOOK;
            let now = residual(problem, P);
            if now < smallest {
                smallest = now;
                self.best.copy_from_slice(P);
            }
            if !now.is_finite() {
                break;
            }
        }
        P.copy_from_slice(&self.best);
        // not converging is a result, and is said: the stage then repeats the step smaller
        let status = match smallest {
            r if r <= self.tolerance => SolveStatus::Converged,
            r if r.is_finite() && late(start, self.max_seconds) => SolveStatus::TimeLimit,
            r if r.is_finite() => SolveStatus::IterationLimit,
            _ => SolveStatus::NotFinite,
        };
        SolveReport { status, residual: smallest, iterations: sweeps, solver: self.name(), fallbacks: 0 }
    }
}

/// Whether so many seconds have passed; never, if they are infinite.
fn late(start: Instant, seconds: f64) -> bool {
    start.elapsed().as_secs_f64() >= seconds
}

impl OverRelaxation {
    /// Every contact once, each with what the others have just become.
    fn sweep(&self, problem: &ContactProblem<'_>, P: &mut [f64]) {
        let W = problem.W_hat;
        let mut first = 0;
        for law in problem.laws {
            let rows = first..first + law.dim();
            let mut U = [0.0; 3];
            let mut w: f64 = 0.0;
            for (U, i) in U.iter_mut().zip(rows.clone()) {
                *U = problem.U_free[i] + P.iter().enumerate().map(|(j, p)| W.entry(i, j) * p).sum::<f64>();
                w = w.max(rows.clone().map(|j| W.entry(i, j).abs()).sum());
            }
            // a contact that nothing moves keeps its impulse
            if w > 0.0 {
                for (P, U) in P[rows.clone()].iter_mut().zip(U) {
                    *P -= self.relaxation / w * U;
                }
                law.alart_curnier(&mut P[rows]);
            }
            first += law.dim();
        }
    }
}
