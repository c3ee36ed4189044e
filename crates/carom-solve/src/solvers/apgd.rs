//! Accelerated projected gradient on the convexified problem, the de Saxcé shift renewed around it.
//! [Mazhar2015], [DeSaxce1998], restarts [ODonoghue2015]
//!
//! With the shift s_N = μ |U_T| + μ_r |Ω_R| held, the laws are the optimality conditions of a convex problem in x = √w P:
//!
//! ```text
//!   min ½ xᵀ Ŵ x + (q + s)ᵀ x   over x ∈ K                      Ŵ, q = U_free scaled by 1/√w
//!   x⁺ = proj_K(y − (Ŵ y + q + s)/L),    d = x⁺ − y,    L doubled while dᵀ Ŵ d > L dᵀ d
//!   y⁺ = x⁺ + β (x⁺ − x)                                        β Nesterov's, begun anew when a step turns around
//! ```
//!
//! The shift follows when the steps have become small against what it lacks. Ŵ x⁺ and Ŵ y⁺ follow from Ŵ d by sums: one
//! product per iteration and no factor. It needs as many iterations as the square root of the condition of Ŵ times the
//! digits, and where the fixed point of the shift does not attract, it stagnates and says so.

use crate::limits::Deadline;
use crate::matrix::block_view::ManyFrame;
use crate::matrix::row_units::{self, Even};
use crate::solvers::progress::Stall;
use crate::{ContactProblem, ContactSolver, Limits, SolveReport, SolveStatus};
use carom_linear::dot;

/// L shrinks by this each iteration, so that one steep place does not slow all that follow.
const RELAX: f64 = 0.98;
/// The shift follows when steps are this small against what it lacks.
const SETTLED: f64 = 0.3;
/// Iterations after which it follows in any case, and Ŵ x is computed afresh.
const MOST_INNER: usize = 200;
/// Iterations between two looks at whether the residual still falls.
const WINDOW: usize = 2000;
/// The factor by which it must have.
const PROGRESS: f64 = 0.9;

/// The solver `apgd`.
#[derive(Debug)]
pub struct Apgd {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    even: Even,
    many: ManyFrame,
    memory: Memory,
}

/// Vectors in scaled rows, but for P and U.
#[derive(Debug, Default)]
struct Memory {
    x: Vec<f64>,
    y: Vec<f64>,
    d: Vec<f64>,
    Wx: Vec<f64>,
    Wy: Vec<f64>,
    Wd: Vec<f64>,
    P: Vec<f64>,
    U: Vec<f64>,
    best: Vec<f64>,
    /// One per contact.
    shift: Vec<f64>,
    root: Vec<f64>,
}

impl Default for Apgd {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_iterations: 50_000,
            max_seconds: f64::INFINITY,
            even: Even::default(),
            many: ManyFrame::default(),
            memory: Memory::default(),
        }
    }
}

impl ContactSolver for Apgd {
    fn name(&self) -> &'static str {
        "apgd"
    }

    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P_out: &mut [f64]) -> SolveReport {
        if row_units::uneven(problem) {
            return row_units::solve(self, |solver| &mut solver.even, problem, P_out);
        }
        let deadline = Deadline::after(self.max_seconds);
        let view = self.many.view_products(problem);
        let Memory { x, y, d, Wx, Wy, Wd, P, U, best, shift, root } = &mut self.memory;
        for array in [&mut *x, &mut *y, &mut *d, &mut *Wx, &mut *Wy, &mut *Wd, &mut *P, &mut *U, &mut *best] {
            array.resize(P_out.len(), 0.0);
        }
        shift.resize(view.laws.len(), 0.0);
        root.clear();
        root.extend(view.w.iter().map(|w| w.sqrt()));
        let contacts = || view.laws.iter().zip(&*root).enumerate();
        let mut smallest = view.start(P_out, U);
        P.copy_from_slice(P_out);
        best.copy_from_slice(P);
        let mut L = 1.0_f64;
        let mut iterations = 0;
        let mut stall = Stall::new(WINDOW, PROGRESS, smallest);
        let mut otherwise = SolveStatus::IterationLimit;
        'outer: while smallest > self.tolerance && smallest.is_finite() {
            // the shift of where we are, and all sums afresh
            view.velocity(P, U);
            for (c, (law, root)) in contacts() {
                let rows = view.W.rows_of(c);
                shift[c] = law.shift(&U[rows.clone()]) / root;
                for i in rows {
                    x[i] = root * P[i];
                    Wx[i] = (U[i] - view.U_free[i]) / root;
                }
            }
            y.copy_from_slice(x);
            Wy.copy_from_slice(Wx);
            let mut momentum = 1.0_f64;
            for _ in 0..MOST_INNER {
                if iterations >= self.max_iterations {
                    break 'outer;
                }
                if deadline.passed() {
                    otherwise = SolveStatus::TimeLimit;
                    break 'outer;
                }
                iterations += 1;
                // x⁺ by a step that L justifies
                loop {
                    for (c, (law, root)) in contacts() {
                        let rows = view.W.rows_of(c);
                        for i in rows.clone() {
                            let mut gradient = Wy[i] + view.U_free[i] / root;
                            if i == rows.start {
                                gradient += shift[c];
                            }
                            P[i] = (y[i] - gradient / L) / root;
                        }
                        law.project(&mut P[rows.clone()]);
                        for i in rows {
                            d[i] = root * P[i] - y[i];
                        }
                    }
                    // Ŵ d, scaled on both sides; U is free to hold d/√w meanwhile
                    for (c, (_, root)) in contacts() {
                        view.W.rows_of(c).for_each(|i| U[i] = d[i] / root);
                    }
                    Wd.fill(0.0);
                    view.add_product(U, Wd);
                    for (c, (_, root)) in contacts() {
                        Wd[view.W.rows_of(c)].iter_mut().for_each(|x| *x /= root);
                    }
                    let (curvature, length) = (dot(d, Wd), dot(d, d));
                    // room for the rounding of Ŵ d
                    if curvature <= L * length * (1.0 + 1e-9) || !curvature.is_finite() || length == 0.0 {
                        break;
                    }
                    L = (2.0 * L).min(1.1 * curvature / length).max(1.01 * L);
                }
                // y⁺ = x⁺ + β (x⁺ − x) and its product
                let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
                let mut beta = (momentum - 1.0) / next;
                let turn: f64 = (0..d.len()).map(|i| d[i] * (y[i] + d[i] - x[i])).sum();
                momentum = next;
                if turn < 0.0 {
                    (momentum, beta) = (1.0, 0.0);
                }
                for i in 0..d.len() {
                    let (x_new, Wx_new) = (y[i] + d[i], Wy[i] + Wd[i]);
                    y[i] = x_new + beta * (x_new - x[i]);
                    Wy[i] = Wx_new + beta * (Wx_new - Wx[i]);
                    (x[i], Wx[i]) = (x_new, Wx_new);
                }
                // how good it is, what the shift lacks, and what the steps still change
                let (mut lacks, mut moves) = (0.0_f64, 0.0_f64);
                for (c, (law, root)) in contacts() {
                    let rows = view.W.rows_of(c);
                    for i in rows.clone() {
                        U[i] = root * Wx[i] + view.U_free[i];
                        moves = moves.max(L * d[i].abs());
                    }
                    lacks = lacks.max((shift[c] - law.shift(&U[rows]) / root).abs());
                }
                let r = view.residual(P, U);
                if r < smallest {
                    smallest = r;
                    best.copy_from_slice(P);
                }
                if !r.is_finite() {
                    break 'outer;
                }
                if stall.look(smallest) {
                    otherwise = SolveStatus::Stalled;
                    break 'outer;
                }
                L *= RELAX;
                if smallest <= self.tolerance || (lacks > 0.0 && moves <= SETTLED * lacks) {
                    break;
                }
            }
        }
        P_out.copy_from_slice(best);
        SolveReport::measured("apgd", problem, P_out, self.tolerance, otherwise, iterations)
    }
}
