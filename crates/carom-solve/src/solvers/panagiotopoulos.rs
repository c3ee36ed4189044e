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
use crate::matrix::block_view::{self, Many, ManyFrame};
use crate::one_contact::equation::{Equation, JeanMoreau, Linear, ROWS};
use crate::solvers::newton::blocks::{linearise, merit, newton_step};
use crate::solvers::progress::Stall;
use crate::{ContactProblem, ContactSolver, Law, Limits, Normal, SolveReport, SolveStatus};

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
/// Turns after which the residual must have fallen.
const WINDOW: usize = 30;
/// The factor by which it must have.
const PROGRESS: f64 = 0.9;

/// The solver `panagiotopoulos`.
#[derive(Debug)]
pub struct Panagiotopoulos {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of turns, two halves each.
    pub max_turns: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    many: ManyFrame,
    memory: Memory,
    /// Q_T − P_T of this turn and the last, and where the best point is kept.
    r: Vec<f64>,
    r_before: Vec<f64>,
    held: Vec<f64>,
    best: Vec<f64>,
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

impl Default for Panagiotopoulos {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_turns: 1000,
            max_seconds: f64::INFINITY,
            many: ManyFrame::default(),
            memory: Memory::default(),
            r: Vec::new(),
            r_before: Vec::new(),
            held: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl ContactSolver for Panagiotopoulos {
    fn name(&self) -> &'static str {
        "panagiotopoulos"
    }

    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P_out: &mut [f64]) -> SolveReport {
        if problem.laws.iter().any(Law::has_two_disks) {
            return SolveReport::refusal("panagiotopoulos", problem, P_out);
        }
        if let Some(refusal) = block_view::too_full(problem, P_out, "panagiotopoulos") {
            return refusal;
        }
        let deadline = Deadline::after(self.max_seconds);
        let view = self.many.view(problem);
        let Self { memory, r, r_before, held, best, .. } = self;
        for array in [&mut *r, &mut *r_before, &mut *held, &mut *best] {
            array.resize(P_out.len(), 0.0);
        }
        memory.lu.until(deadline);
        let mut smallest = memory.begin(&view, P_out);
        best.copy_from_slice(&memory.P);
        let mut omega = 1.0;
        let mut stall = Stall::new(WINDOW, PROGRESS, smallest);
        let mut otherwise = SolveStatus::IterationLimit;
        let mut turns = 0;
        while smallest > self.tolerance && smallest.is_finite() && turns < self.max_turns {
            if deadline.passed() {
                otherwise = SolveStatus::TimeLimit;
                break;
            }
            turns += 1;
            memory.solve_half(&view, Half::Pressure, deadline);
            held.copy_from_slice(&memory.P);
            memory.solve_half(&view, Half::Friction, deadline);
            let P = &mut memory.P;
            let now = view.residual(P, &memory.U);
            if now < smallest {
                smallest = now;
                best.copy_from_slice(P);
            }
            if !now.is_finite() {
                break;
            }
            if stall.look(smallest) {
                otherwise = SolveStatus::Stalled;
                break;
            }
            // ω by Aitken, then P_T of the next turn
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
            if turns > 1 && size > 0.0 {
                omega = (-omega * along / size).clamp(RELAXATION[0], RELAXATION[1]);
            }
            for ((P, held), r) in P.iter_mut().zip(&*held).zip(&*r) {
                *P = held + omega * r;
            }
        }
        P_out.copy_from_slice(best);
        SolveReport::measured("panagiotopoulos", problem, P_out, self.tolerance, otherwise, turns)
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
