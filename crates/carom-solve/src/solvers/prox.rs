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

use crate::SolveReport;
use crate::matrix::dense_view::{Frame, View};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Iteration, Method, Patience, Search, Step, Task, iterate};

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "prox",
    description: "proximal point iteration, all contacts at once; simplest and slowest, for comparison",
    takes: Takes::ALL,
    needs: Needs::Dense,
    make: || Driver::boxed(&ENTRY, Prox::default()),
};

/// When to give up.
const PATIENCE: Patience = Patience { iterations: 50_000, window: 2000, progress: 0.9 };

/// The solver `prox`.
#[derive(Debug, Default)]
pub(crate) struct Prox {
    frame: Frame,
    /// r of each contact.
    r: Vec<f64>,
    U: Vec<f64>,
    Q: Vec<f64>,
    /// P of the iterate before.
    before: Vec<f64>,
    best: Vec<f64>,
}

impl Method for Prox {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Self { frame, r, U, Q, before, best } = self;
        let view = frame.view(task.problem);
        for array in [&mut *U, &mut *Q, &mut *before, &mut *best] {
            array.resize(P.len(), 0.0);
        }
        if P.iter().any(|P| !P.is_finite()) {
            P.fill(0.0);
        }
        steps(&view, r);
        view.velocity(P, U);
        let mut search = Search::from(task, best, P, view.residual(P, U));
        before.copy_from_slice(P);
        let otherwise =
            iterate(&mut Turns { view, r, P, U, Q, before, momentum: 1.0 }, &mut search, PATIENCE);
        P.copy_from_slice(search.best);
        task.measured(P, otherwise, search.iterations)
    }
}

/// r of each contact.
fn steps(view: &View<'_>, r: &mut Vec<f64>) {
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
}

/// The iteration.
struct Turns<'a> {
    view: View<'a>,
    r: &'a [f64],
    P: &'a mut [f64],
    U: &'a mut [f64],
    Q: &'a mut [f64],
    before: &'a mut [f64],
    momentum: f64,
}

impl Iteration for Turns<'_> {
    fn step(&mut self, search: &mut Search<'_>) -> Step {
        let Self { view, r, momentum, .. } = self;
        let (P, U, Q, before) = (&mut *self.P, &mut *self.U, &mut *self.Q, &mut *self.before);
        // Q = P + β (P − P_before)
        let next = 0.5 * (1.0 + (1.0 + 4.0 * *momentum * *momentum).sqrt());
        let beta = (*momentum - 1.0) / next;
        *momentum = next;
        for ((Q, P), before) in Q.iter_mut().zip(&*P).zip(&*before) {
            *Q = P + beta * (P - before);
        }
        before.copy_from_slice(P);
        view.velocity(Q, U);
        for ((law, block), r) in view.contacts().zip(*r) {
            let rows = block.first..block.first + law.dim();
            for i in rows.clone() {
                P[i] = Q[i] - r * U[i];
            }
            law.alart_curnier(&mut P[rows]);
        }
        // against the way that was gone: begin anew
        let turn: f64 = P.iter().zip(&*Q).zip(&*before).map(|((P, Q), b)| (Q - P) * (P - b)).sum();
        if turn > 0.0 {
            *momentum = 1.0;
        }
        view.velocity(P, U);
        search.offer(P, view.residual(P, U))
    }
}
