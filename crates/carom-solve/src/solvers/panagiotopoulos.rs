//! Pressure and friction in turn.                                                             [Panagiotopoulos1975]
//!
//! ```text
//!   P_T held:     P_N ← argmin ½ Pᵀ Ŵ P + U_freeᵀ P    over P_N ≥ 0
//!   P_N held:     Q_T ← argmin of the same             over |P_T| ≤ μ P_N          bilateral rows are free in both
//!   P_T ← P_T + ω (Q_T − P_T)
//! ```
//!
//! Each half is convex; where both stand still, the laws hold. The map from P_T to Q_T contracts when friction is small.
//! Elsewhere it may swing or creep, so ω follows Aitken: with r = Q_T − P_T of this turn and r' of the last,
//!
//! ```text
//!   ω ← −ω r' · (r − r') / |r − r'|²      norm Σ w |r_c|²
//! ```
//!
//! A half is solved by sweeps over its rows, which never raise its energy, and Newton steps on its rows of the Jean–Moreau
//! equation (the others stand still), projected, and taken only if the energy or what the half lacks falls. If the residual
//! no longer falls, the alternation ends and says so. It is here for comparison.

use crate::factor::block_lu::BlockLu;
use crate::limits::Deadline;
use crate::matrix::block_view::{Many, ManyFrame};
use crate::one_contact::equation::{Equation, JeanMoreau, Linear, ROWS};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Iteration, Method, Patience, Search, Step, Task, iterate};
use crate::solvers::newton::blocks::{linearise, merit, newton_step};
use crate::{Law, Normal, SolveReport};

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "panagiotopoulos",
    description: "pressure and friction in turn, each a convex problem; for comparison",
    takes: Takes::ONE_DISK,
    needs: Needs::Blocks,
    make: || Driver::boxed(&ENTRY, Panagiotopoulos::default()),
};

/// What a half must lose of what it lacks before the other's turn comes.
const HALF_DONE: f64 = 1e-2;
/// Sweeps and Newton steps of a half in one turn.
const MOST_STEPS: usize = 10;
/// Sweeps before each Newton step, to and fro.
const SWEEPS: usize = 4;
/// Halvings of a Newton step.
const HALVINGS: usize = 6;
/// A step that does not lower the energy must lower Σ w |F|² to this part: near the answer, rounding hides the energy.
const MERIT_FALLS: f64 = 0.25;
/// Regularises dependent contacts, relative to w; leaves answers where they are. Smaller ones let rounding wander along
/// directions of P_N that change no velocity but the bounds of friction: 1e-7 costs three digits.
const PROXIMAL: f64 = 1e-3;
/// Bounds of ω.
const RELAXATION: [f64; 2] = [0.05, 10.0];
/// When to give up; an iteration is a turn of two halves.
const PATIENCE: Patience = Patience { iterations: 1000, window: 30, progress: 0.9 };

/// The solver `panagiotopoulos`.
#[derive(Debug, Default)]
pub(crate) struct Panagiotopoulos {
    many: ManyFrame,
    memory: Memory,
    aitken: Aitken,
    best: Vec<f64>,
}

/// Q_T − P_T of this turn and the last, and P before the friction moved.
#[derive(Debug, Default)]
struct Aitken {
    r: Vec<f64>,
    r_before: Vec<f64>,
    held: Vec<f64>,
}

/// The point and what a half needs.
#[derive(Debug, Default)]
struct Memory {
    P: Vec<f64>,
    U: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    linear: Vec<Linear>,
    lu: BlockLu,
    /// Whether Ŵ can be factored in reasonable time; sweeps alone if not.
    factors: bool,
}

/// Which rows move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Half {
    Pressure,
    Friction,
}

impl Half {
    /// Whether row i of a contact with this law belongs to it.
    fn moves(self, law: &Law, i: usize) -> bool {
        match law.normal() {
            Normal::Free => true,
            Normal::Interval => self == Half::Friction,
            Normal::HalfLine => (self == Half::Pressure) == (i == 0),
        }
    }

    /// The nearest point that this half allows; rows that are held stay.
    fn project(self, law: &Law, P: &mut [f64]) {
        match (self, law.normal()) {
            (Half::Friction, Normal::Interval) => law.project(P),
            (_, Normal::Free) | (Half::Pressure, Normal::Interval) => {}
            (Half::Pressure, Normal::HalfLine) => P[0] = P[0].max(0.0),
            (Half::Friction, Normal::HalfLine) => {
                let (radius, norm) = (law.friction() * P[0].max(0.0), length(&P[1..]));
                if norm > radius {
                    P[1..].iter_mut().for_each(|P| *P *= radius / norm);
                }
            }
        }
    }

    /// F of the rows that move, zero in the others.
    fn value(self, law: &Law, P: &[f64], V: &[f64]) -> [f64; ROWS] {
        let mut F = JeanMoreau::value(law, P, V);
        (0..P.len()).filter(|&i| !self.moves(law, i)).for_each(|i| F[i] = 0.0);
        F
    }

    /// The same with derivatives: rows that are held have δP = 0.
    fn linear(self, law: &Law, P: &[f64], V: &[f64]) -> Linear {
        let mut linear = JeanMoreau::linear(law, P, V);
        for i in (0..P.len()).filter(|&i| !self.moves(law, i)) {
            linear.F[i] = 0.0;
            linear.F_P[i].fill(0.0);
            linear.F_V[i].fill(0.0);
            linear.F_P[i][i] = 1.0;
        }
        linear
    }

    /// One contact moved down the energy: exactly in one row, by the steepest curvature of its block in two.
    fn relax(self, law: &Law, block: &[f64], U: &[f64], P: &mut [f64]) {
        let dim = P.len();
        let rows = if self == Half::Pressure || dim == 1 { 0..1 } else { 1..dim };
        if !self.moves(law, rows.start) {
            return;
        }
        let W = |i: usize, j: usize| block[i * dim + j];
        let steepest = match rows.len() {
            1 => W(rows.start, rows.start),
            _ => 0.5 * (W(1, 1) + W(2, 2)) + (0.5 * (W(1, 1) - W(2, 2))).hypot(W(1, 2)),
        };
        if steepest > 0.0 {
            rows.for_each(|i| P[i] -= U[i] / steepest);
        }
        self.project(law, P);
    }
}

impl Method for Panagiotopoulos {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Self { many, memory, aitken, best } = self;
        let view = many.view(task.problem);
        for array in [&mut aitken.r, &mut aitken.r_before, &mut aitken.held, &mut *best] {
            array.resize(P.len(), 0.0);
        }
        memory.lu.until(task.deadline);
        let smallest = memory.begin(&view, P);
        let mut search = Search::from(task, best, &memory.P, smallest);
        let otherwise = iterate(&mut Turns { view, memory, aitken, omega: 1.0 }, &mut search, PATIENCE);
        P.copy_from_slice(search.best);
        task.measured(P, otherwise, search.iterations)
    }
}

/// The iteration.
struct Turns<'a> {
    view: Many<'a>,
    memory: &'a mut Memory,
    aitken: &'a mut Aitken,
    omega: f64,
}

impl Iteration for Turns<'_> {
    fn step(&mut self, search: &mut Search<'_>) -> Step {
        let Self { view, memory, aitken, omega } = self;
        memory.solve_half(view, Half::Pressure, search.deadline);
        aitken.held.copy_from_slice(&memory.P);
        memory.solve_half(view, Half::Friction, search.deadline);
        let ended = search.offer(&memory.P, view.residual(&memory.P, &memory.U));
        aitken.relax(view, &mut memory.P, omega, search.iterations > 1);
        ended
    }
}

impl Aitken {
    /// ω of this turn, from the second on, then P_T of the next.
    fn relax(&mut self, view: &Many<'_>, P: &mut [f64], omega: &mut f64, knows_two: bool) {
        let Self { r, r_before, held } = self;
        std::mem::swap(r, r_before);
        for ((r, P), held) in r.iter_mut().zip(&*P).zip(&*held) {
            *r = P - held;
        }
        let (mut along, mut size) = (0.0, 0.0);
        for (c, w) in view.w.iter().enumerate() {
            for i in view.W.rows_of(c) {
                along += w * r_before[i] * (r[i] - r_before[i]);
                size += w * (r[i] - r_before[i]) * (r[i] - r_before[i]);
            }
        }
        if knows_two && size > 0.0 {
            *omega = (-*omega * along / size).clamp(RELAXATION[0], RELAXATION[1]);
        }
        for ((P, held), r) in P.iter_mut().zip(&*held).zip(&*r) {
            *P = held + *omega * r;
        }
    }
}

impl Memory {
    /// From this P, or from zero if that is better; returns the residual.
    fn begin(&mut self, view: &Many<'_>, P: &[f64]) -> f64 {
        for array in [&mut self.P, &mut self.U, &mut self.trial, &mut self.step] {
            array.resize(P.len(), 0.0);
        }
        self.linear.resize(view.laws.len(), Linear::default());
        self.factors = self.lu.analyse(view.W);
        self.P.copy_from_slice(P);
        view.start(&mut self.P, &mut self.U)
    }

    /// Moves the rows of this half from P until what they lack is small; U is that of P in the end.
    fn solve_half(&mut self, view: &Many<'_>, half: Half, deadline: Deadline) {
        let Self { P, U, trial, step, linear, lu, factors } = self;
        for (c, law) in view.laws.iter().enumerate() {
            half.project(law, &mut P[view.W.rows_of(c)]);
        }
        view.velocity(P, U);
        // Σ w |F|² over the rows that move
        let lack = |P: &[f64], U: &[f64]| merit(view, P, U, |law, P, V| half.value(law, P, V));
        let mut lacks = lack(P, U);
        let enough = HALF_DONE * HALF_DONE * lacks;
        for _ in 0..MOST_STEPS {
            for k in 0..SWEEPS {
                match k % 2 {
                    0 => (0..view.laws.len()).for_each(|c| relax(view, half, P, c)),
                    _ => (0..view.laws.len()).rev().for_each(|c| relax(view, half, P, c)),
                }
            }
            view.velocity(P, U);
            lacks = lack(P, U);
            if lacks <= enough || deadline.passed() {
                return;
            }
            if !*factors {
                continue;
            }
            linearise(view, P, U, linear, |law, P, V| half.linear(law, P, V));
            if !newton_step(view, lu, linear, PROXIMAL, step) {
                continue;
            }
            let before = energy(view, P, U);
            let mut alpha = 1.0;
            let mut taken = false;
            for _ in 0..HALVINGS {
                for (c, law) in view.laws.iter().enumerate() {
                    let rows = view.W.rows_of(c);
                    for i in rows.clone() {
                        trial[i] = P[i] + alpha * step[i];
                    }
                    half.project(law, &mut trial[rows]);
                }
                view.velocity(trial, U);
                let still = lack(trial, U);
                if still < MERIT_FALLS * lacks || energy(view, trial, U) < before {
                    (taken, lacks) = (true, still);
                    break;
                }
                alpha *= 0.5;
            }
            if taken {
                std::mem::swap(P, trial);
            } else {
                view.velocity(P, U);
            }
            if lacks <= enough {
                return;
            }
        }
    }
}

/// Contact c of a sweep.
fn relax(view: &Many<'_>, half: Half, P: &mut [f64], c: usize) {
    let rows = view.W.rows_of(c);
    let mut U = [0.0; ROWS];
    let U = &mut U[..rows.len()];
    U.copy_from_slice(&view.U_free[rows.clone()]);
    view.W.add_row_product(c, P, U);
    half.relax(&view.laws[c], view.W.diagonal(c), U, &mut P[rows]);
}

/// ½ Pᵀ Ŵ P + U_freeᵀ P = ½ Pᵀ (U + U_free).
fn energy(view: &Many<'_>, P: &[f64], U: &[f64]) -> f64 {
    0.5 * P.iter().zip(U).zip(view.U_free).map(|((P, U), free)| P * (U + free)).sum::<f64>()
}

/// |x|.
fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
