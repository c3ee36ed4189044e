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
//! change costs a factorisation. Now and then a few Newton steps (`newton/blocks.rs`) are tried from y: when the pieces
//! are found, they end what would take thousands of iterations. Ŵ + ρ is regular whatever Ŵ, so dependent contacts are no special case.

use crate::matrix::block_view::{Many, ManyFrame};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::block_size::{EitherLu, EitherNewton};
use crate::solvers::driver::{Driver, Iteration, Method, Patience, Search, Step, Task, iterate};
use crate::{SolveReport, SolveStatus};

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "admm",
    description: "alternating directions with one factor of Ŵ + ρ; dependent and ill-conditioned contacts",
    takes: Takes::ALL,
    needs: Needs::Blocks,
    make: || Driver::boxed(&ENTRY, Admm::default()),
};

/// Over-relaxation.
const ALPHA: f64 = 1.6;
/// ρ at the start: between the largest and the small eigenvalues of Ŵ scaled to a diagonal of about one.
const RHO: f64 = 0.1;
/// Iterations between two looks at ρ, at first; then longer and longer.
const BALANCED_FOR: usize = 12;
/// |x − y| and |y − y_before| may differ by this factor before ρ follows.
const UNBALANCED: f64 = 3.0;
/// The most that one change multiplies ρ by, and how far it may go.
const LARGEST_CHANGE: f64 = 10.0;
const RHO_RANGE: [f64; 2] = [1e-9, 1e6];
/// Iterations between two looks at the residual.
const LOOK: usize = 4;
/// Iterations before the first Newton steps; each next time half as many again.
const POLISH: usize = 60;
/// When to give up.
const PATIENCE: Patience = Patience { iterations: 20_000, window: 2000, progress: 0.9 };

/// The solver `admm`.
#[derive(Debug, Default)]
pub(crate) struct Admm {
    many: ManyFrame,
    lu: EitherLu,
    newton: EitherNewton,
    at: Point,
    U: Vec<f64>,
    best: Vec<f64>,
}

/// Where the iteration is, in scaled rows but for P.
#[derive(Debug, Default)]
struct Point {
    x: Vec<f64>,
    y: Vec<f64>,
    y_before: Vec<f64>,
    z: Vec<f64>,
    P: Vec<f64>,
}

impl Method for Admm {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Self { many, lu, newton, at, U, best } = self;
        let view = many.view(task.problem);
        for array in [&mut at.x, &mut at.y, &mut at.y_before, &mut at.z, &mut at.P, &mut *U, &mut *best] {
            array.resize(P.len(), 0.0);
        }
        let smallest = view.start(P, U);
        if smallest <= task.tolerance || !smallest.is_finite() {
            return task.known(smallest, SolveStatus::NotFinite, 0);
        }
        lu.until(task.deadline);
        if !lu.analyse(&view) {
            return task.known(smallest, SolveStatus::Unsupported, 0);
        }
        let mut search = Search::from(task, best, P, smallest);
        at.begin(&view, P, U);
        let otherwise = if lu.factor(&view, RHO) {
            let mut turns = Turns {
                view,
                lu,
                newton,
                at,
                U,
                rho: RHO,
                patience: BALANCED_FOR,
                waited: 0,
                polish: POLISH,
            };
            iterate(&mut turns, &mut search, PATIENCE)
        } else if task.deadline.passed() {
            SolveStatus::TimeLimit
        } else {
            SolveStatus::NotFinite
        };
        P.copy_from_slice(search.best);
        task.measured(P, otherwise, search.iterations)
    }
}

impl Point {
    /// Warm: y = √w P, z = −(U + s)/√w where the contact is loaded.
    fn begin(&mut self, view: &Many<'_>, P: &[f64], U: &[f64]) {
        let Self { y, z, .. } = self;
        for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
            let (root, rows) = (w.sqrt(), view.W.rows_of(c));
            for i in rows.clone() {
                (y[i], z[i]) = (root * P[i], -U[i] / root);
            }
            z[rows.start] -= law.shift(&z[rows.clone()]);
        }
        if P.iter().all(|P| *P == 0.0) {
            z.fill(0.0);
        }
    }

    /// x = ρ y − z − q − s, to be solved for.
    fn right(&mut self, view: &Many<'_>, rho: f64) {
        let Self { x, y, z, .. } = self;
        for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
            let (root, rows) = (w.sqrt(), view.W.rows_of(c));
            for i in rows.clone() {
                x[i] = rho * y[i] - z[i] - view.U_free[i] / root;
            }
            x[rows.start] -= law.shift(&z[rows.clone()]);
        }
    }

    /// y = proj_K(x̂ + z/ρ), z += ρ (x̂ − y); returns |x̂ − y|² and |y − y_before|².
    fn project(&mut self, view: &Many<'_>, rho: f64) -> [f64; 2] {
        let Self { x, y, y_before, z, P } = self;
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
        [apart, moved]
    }
}

/// The iteration.
struct Turns<'a> {
    view: Many<'a>,
    lu: &'a mut EitherLu,
    newton: &'a mut EitherNewton,
    at: &'a mut Point,
    U: &'a mut [f64],
    rho: f64,
    /// Iterations between two looks at ρ, and since the last.
    patience: usize,
    waited: usize,
    /// The iteration from which on Newton steps are tried again.
    polish: usize,
}

impl Iteration for Turns<'_> {
    fn step(&mut self, search: &mut Search<'_>) -> Step {
        self.at.right(&self.view, self.rho);
        self.lu.solve(self.view.W, &mut self.at.x);
        let [apart, moved] = self.at.project(&self.view, self.rho);
        if search.iterations.is_multiple_of(LOOK) {
            let P = &mut self.at.P;
            self.view.velocity(P, self.U);
            let ended = search.offer(P, self.view.residual(P, self.U));
            if ended != Step::Next {
                return ended;
            }
            if search.iterations >= self.polish && search.smallest > search.tolerance {
                self.polish += self.polish / 2;
                P.copy_from_slice(search.best);
                let Search { smallest, tolerance, deadline, .. } = *search;
                search.smallest = self.newton.polish(&self.view, P, smallest, tolerance, deadline);
                search.best.copy_from_slice(P);
            }
        }
        self.waited += 1;
        if self.waited >= self.patience && !self.balance(apart, moved) {
            return Step::End(SolveStatus::NotFinite);
        }
        Step::Next
    }
}

impl Turns<'_> {
    /// ρ follows |x − y| against |y − y_before|: the dual residual is ρ times the second. False if Ŵ + ρ is singular.
    fn balance(&mut self, apart: f64, moved: f64) -> bool {
        self.waited = 0;
        let balance = (apart / moved.max(f64::MIN_POSITIVE)).sqrt() / self.rho;
        let change = if balance > UNBALANCED {
            balance.sqrt().min(LARGEST_CHANGE)
        } else if balance < 1.0 / UNBALANCED {
            balance.sqrt().max(1.0 / LARGEST_CHANGE)
        } else {
            1.0
        };
        if change == 1.0 {
            return true;
        }
        self.rho = (self.rho * change).clamp(RHO_RANGE[0], RHO_RANGE[1]);
        self.patience += self.patience / 2;
        self.lu.factor(&self.view, self.rho)
    }
}
