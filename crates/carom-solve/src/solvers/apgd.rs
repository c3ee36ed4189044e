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

use crate::SolveReport;
use crate::matrix::block_view::{Many, ManyFrame};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Iteration, Method, Patience, Search, Step, Task, iterate};
use carom_linear::dot;

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "apgd",
    description: "accelerated projected gradient, friction by a fixed point around it; no factor, cheap iterations",
    takes: Takes::ALL,
    needs: Needs::Products,
    make: || Driver::boxed(&ENTRY, Apgd::default()),
};

/// L shrinks by this each iteration, so that one steep place does not slow all that follow.
const RELAX: f64 = 0.98;
/// Room for the rounding of Ŵ d where its curvature is compared with L.
const ROUNDING: f64 = 1e-9;
/// The shift follows when steps are this small against what it lacks.
const SETTLED: f64 = 0.3;
/// Iterations after which it follows in any case, and Ŵ x is computed afresh.
const MOST_INNER: usize = 200;
/// When to give up.
const PATIENCE: Patience = Patience { iterations: 50_000, window: 2000, progress: 0.9 };

/// The solver `apgd`.
#[derive(Debug, Default)]
pub(crate) struct Apgd {
    many: ManyFrame,
    vectors: Vectors,
    best: Vec<f64>,
}

/// Vectors in scaled rows, but for P and U.
#[derive(Debug, Default)]
struct Vectors {
    x: Vec<f64>,
    y: Vec<f64>,
    d: Vec<f64>,
    Wx: Vec<f64>,
    Wy: Vec<f64>,
    Wd: Vec<f64>,
    P: Vec<f64>,
    U: Vec<f64>,
    /// One per contact: the shift that is held, and √w.
    shift: Vec<f64>,
    root: Vec<f64>,
}

impl Method for Apgd {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Self { many, vectors: at, best } = self;
        let view = many.view_products(task.problem);
        best.resize(P.len(), 0.0);
        at.size(&view, P.len());
        let smallest = view.start(P, &mut at.U);
        at.P.copy_from_slice(P);
        let mut search = Search::from(task, best, P, smallest);
        let otherwise =
            iterate(&mut Turns { view, at, L: 1.0, momentum: 1.0, left: 0 }, &mut search, PATIENCE);
        P.copy_from_slice(search.best);
        task.measured(P, otherwise, search.iterations)
    }
}

impl Vectors {
    fn size(&mut self, view: &Many<'_>, n: usize) {
        let Self { x, y, d, Wx, Wy, Wd, P, U, shift, root } = self;
        for array in [x, y, d, Wx, Wy, Wd, P, U] {
            array.resize(n, 0.0);
        }
        shift.resize(view.laws.len(), 0.0);
        root.clear();
        root.extend(view.w.iter().map(|w| w.sqrt()));
    }

    /// The shift of where we are, and all sums afresh.
    fn renew(&mut self, view: &Many<'_>) {
        let Self { x, y, Wx, Wy, P, U, shift, root, .. } = self;
        view.velocity(P, U);
        for (c, (law, root)) in view.laws.iter().zip(&*root).enumerate() {
            let rows = view.W.rows_of(c);
            shift[c] = law.shift(&U[rows.clone()]) / root;
            for i in rows {
                x[i] = root * P[i];
                Wx[i] = (U[i] - view.U_free[i]) / root;
            }
        }
        y.copy_from_slice(x);
        Wy.copy_from_slice(Wx);
    }

    /// x⁺ by a step of length 1/L, d and Ŵ d; returns dᵀ Ŵ d and dᵀ d.
    fn project(&mut self, view: &Many<'_>, L: f64) -> [f64; 2] {
        let Self { y, d, Wy, Wd, P, U, shift, root, .. } = self;
        let contacts = || view.laws.iter().zip(&*root).enumerate();
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
        [dot(d, Wd), dot(d, d)]
    }

    /// y⁺ = x⁺ + β (x⁺ − x) and its product.
    fn extrapolate(&mut self, beta: f64) {
        let Self { x, y, d, Wx, Wy, Wd, .. } = self;
        for i in 0..d.len() {
            let (x_new, Wx_new) = (y[i] + d[i], Wy[i] + Wd[i]);
            y[i] = x_new + beta * (x_new - x[i]);
            Wy[i] = Wx_new + beta * (Wx_new - Wx[i]);
            (x[i], Wx[i]) = (x_new, Wx_new);
        }
    }

    /// U of where we are; returns what the shift lacks and what the steps still change.
    fn look(&mut self, view: &Many<'_>, L: f64) -> [f64; 2] {
        let Self { d, Wx, U, shift, root, .. } = self;
        let (mut lacks, mut moves) = (0.0_f64, 0.0_f64);
        for (c, (law, root)) in view.laws.iter().zip(&*root).enumerate() {
            let rows = view.W.rows_of(c);
            for i in rows.clone() {
                U[i] = root * Wx[i] + view.U_free[i];
                moves = moves.max(L * d[i].abs());
            }
            lacks = lacks.max((shift[c] - law.shift(&U[rows]) / root).abs());
        }
        [lacks, moves]
    }
}

/// The iteration.
struct Turns<'a> {
    view: Many<'a>,
    at: &'a mut Vectors,
    L: f64,
    momentum: f64,
    /// Iterations until the shift follows in any case.
    left: usize,
}

impl Iteration for Turns<'_> {
    fn step(&mut self, search: &mut Search<'_>) -> Step {
        let Self { view, at, L, momentum, left } = self;
        if *left == 0 {
            at.renew(view);
            (*momentum, *left) = (1.0, MOST_INNER);
        }
        *left -= 1;
        // x⁺ by a step that L justifies
        loop {
            let [curvature, length] = at.project(view, *L);
            if curvature <= *L * length * (1.0 + ROUNDING) || !curvature.is_finite() || length == 0.0 {
                break;
            }
            *L = (2.0 * *L).min(1.1 * curvature / length).max(1.01 * *L);
        }
        let next = 0.5 * (1.0 + (1.0 + 4.0 * *momentum * *momentum).sqrt());
        let mut beta = (*momentum - 1.0) / next;
        let turn: f64 = (0..at.d.len()).map(|i| at.d[i] * (at.y[i] + at.d[i] - at.x[i])).sum();
        *momentum = next;
        if turn < 0.0 {
            (*momentum, beta) = (1.0, 0.0);
        }
        at.extrapolate(beta);
        let [lacks, moves] = at.look(view, *L);
        let ended = search.offer(&at.P, view.residual(&at.P, &at.U));
        *L *= RELAX;
        if lacks > 0.0 && moves <= SETTLED * lacks {
            *left = 0;
        }
        ended
    }
}
