//! The proximal point iteration: all contacts at once, each projected onto what it may do.   [Ebrahimi2007] (3.20)–(3.25)
//!
//! ```text
//!   P^{k+1} = A(Q^k − r (Ŵ Q^k + U_free)),      Q^k = P^k + β_k (P^k − P^{k−1})
//!   A the projection of the law (`law.rs`),     1/r_c = max_{i of c} Σ_j |Ŵ_ij| √(w_i/w_j)
//! ```
//!
//! No pivot and no factorisation, and the slowest answer of all: it needs as many iterations as the square root of the
//! condition of Ŵ times the digits. The source chooses one r by experience: small ones are slow, large ones burst. Here w
//! is the diagonal of a contact, 1/r − Ŵ is diagonally dominant whatever the units, and so the plain iteration, β = 0,
//! does not burst. β is Nesterov's, begun anew whenever a step turns around.                          [Nesterov1983]

use crate::limits::Deadline;
use crate::matrix::dense_view::{self, Frame};
use crate::matrix::row_units::{self, Even};
use crate::solvers::progress::Stall;
use crate::{ContactProblem, ContactSolver, Limits, SolveReport, SolveStatus};

/// Iterations between two looks at whether the residual still falls.
const WINDOW: usize = 2000;
/// A window must lower the smallest residual by this factor, or the iteration counts as stagnant.
const PROGRESS: f64 = 0.9;

/// The solver `prox`.
#[derive(Debug)]
pub struct Prox {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    even: Even,
    frame: Frame,
    /// r of each contact.
    r: Vec<f64>,
    U: Vec<f64>,
    Q: Vec<f64>,
    /// P and U of the iterate before.
    before: Vec<f64>,
    best: Vec<f64>,
}

impl Default for Prox {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_iterations: 50_000,
            max_seconds: f64::INFINITY,
            even: Even::default(),
            frame: Frame::default(),
            r: Vec::new(),
            U: Vec::new(),
            Q: Vec::new(),
            before: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl ContactSolver for Prox {
    fn name(&self) -> &'static str {
        "prox"
    }

    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        if row_units::uneven(problem) {
            return row_units::solve(self, |solver| &mut solver.even, problem, P);
        }
        let deadline = Deadline::after(self.max_seconds);
        if let Some(refusal) = dense_view::too_large(problem, P, "prox") {
            return refusal;
        }
        let Self { frame, r, U, Q, before, best, .. } = self;
        let view = frame.view(problem);
        for array in [&mut *U, &mut *Q, &mut *before, &mut *best] {
            array.resize(P.len(), 0.0);
        }
        if P.iter().any(|P| !P.is_finite()) {
            P.fill(0.0);
        }
        r.clear();
        for (law, block) in view.contacts() {
            let mut most = block.w;
            for i in block.first..block.first + law.dim() {
                let mut sum = 0.0;
                for (law, other) in view.contacts() {
                    let row = &view.W.row(i)[other.first..other.first + law.dim()];
                    sum += row.iter().map(|w| w.abs()).sum::<f64>() * (block.w / other.w).sqrt();
                }
                most = most.max(sum);
            }
            r.push(1.0 / most);
        }
        view.velocity(P, U);
        let mut smallest = view.residual(P, U);
        best.copy_from_slice(P);
        before.copy_from_slice(P);
        let (mut iterations, mut momentum) = (0, 1.0_f64);
        let mut stall = Stall::new(WINDOW, PROGRESS, smallest);
        let mut otherwise = SolveStatus::IterationLimit;
        while smallest > self.tolerance && iterations < self.max_iterations {
            if deadline.passed() {
                otherwise = SolveStatus::TimeLimit;
                break;
            }
            iterations += 1;
            // Q = P + β (P − P_before)
            let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
            let beta = (momentum - 1.0) / next;
            momentum = next;
            for ((Q, P), before) in Q.iter_mut().zip(&*P).zip(&*before) {
                *Q = P + beta * (P - before);
            }
            before.copy_from_slice(P);
            view.velocity(Q, U);
            for ((law, block), r) in view.contacts().zip(&*r) {
                let rows = block.first..block.first + law.dim();
                for i in rows.clone() {
                    P[i] = Q[i] - r * U[i];
                }
                law.alart_curnier(&mut P[rows]);
            }
            // against the way that was gone: begin anew
            let turn: f64 = P.iter().zip(&*Q).zip(&*before).map(|((P, Q), b)| (Q - P) * (P - b)).sum();
            if turn > 0.0 {
                momentum = 1.0;
            }
            view.velocity(P, U);
            let residual = view.residual(P, U);
            if residual < smallest {
                smallest = residual;
                best.copy_from_slice(P);
            }
            if !residual.is_finite() {
                break;
            }
            if stall.look(smallest) {
                otherwise = SolveStatus::Stalled;
                break;
            }
        }
        P.copy_from_slice(best);
        SolveReport::measured("prox", problem, P, self.tolerance, otherwise, iterations)
    }
}
