//! Gauss–Seidel sweeps over blocks of contacts, accelerated.              [Jean1999], [SilcowitzHansen2010]
//!
//! ```text
//!   x = S(P),   S: for each contact c   P_c ← exact answer to U_free,c + Σ_{d ≠ c} Ŵ_cd P_d
//!   g = x − P,  β = |g|² / |g_before|²                                     norm |g|² = Σ w_c |g_c|²
//!   β ≤ 1:  P ← x + β d,  d ← β d + g          β > 1:  P ← x,  d ← 0
//! ```
//!
//! The second and third line are the Fletcher–Reeves recurrence with a sweep in place of the gradient; they cost a few
//! numbers per contact beside the blocks. Where that stops helping, the sweeps go on plainly to and fro, then held back
//! by half, each from the best point so far; when all three stagnate the iteration says so.
//!
//! Taking those contacts first that still move most saves a fifth of the sweeps (generated problems of 100 and 600 contacts
//! to 1e-6: 139 and 177 sweeps in the mean as given, 107 and 148 by residual; `examples/relaxation.rs`). Relaxation ω does
//! not: from 0.8 to 1.4 the accelerated sweeps change by a tenth either way, so it stays 1.
//!
//! One sweep reads every block once: for 20 000 spatial contacts with b neighbours each, 20 000 · (b + 1) · (72 + 4) bytes
//! of blocks and indices, and some 200 bytes of vectors per contact. `examples/sweep.rs` sets this against the measured
//! bandwidth. The residual would cost a second pass, so it is taken only when the change of a sweep says it may be
//! small enough, and at the ends of stretches. Thousands of contacts are swept by colour (`colours.rs`).

use crate::limits::Deadline;
use crate::matrix::block_view::Many;
use crate::solvers::gauss_seidel::colours::{self, Colours};
use crate::solvers::gauss_seidel::update::{self, Change};
use crate::solvers::progress::Stall;
use crate::{Bodies, SolveStatus};

/// Sweeps between two looks at the residual, whatever the change of P says.
const STRETCH: usize = 16;
/// Stretches after which the residual must have fallen.
const WINDOW: usize = 24;
/// The factor by which it must have.
const PROGRESS: f64 = 0.97;
/// Sweeps between two sortings by residual.
const SORTED_FOR: usize = 8;

/// The order in which a sweep takes the contacts, or the colours into which thousands of them are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they come.
    Given,
    /// First to last and last to first in turn.
    ToAndFro,
    /// Those contacts first whose P still changes most, √w |x − P|; sorted anew every few sweeps. Colours as they come:
    /// in each there are contacts of all kinds.
    #[default]
    ByResidual,
}

/// How sweeps follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// With the conjugate directions.
    pub accelerated: bool,
    pub order: Order,
    /// Relaxation of each contact's answer.
    pub omega: f64,
    /// What remains of the change of a sweep.
    pub kept: f64,
}

impl Default for Way {
    fn default() -> Self {
        Self { accelerated: true, order: Order::ByResidual, omega: 1.0, kept: 1.0 }
    }
}

/// What follows the first way, one after the other, until none makes progress.
const LATER: [Way; 2] = {
    let plain = Way { accelerated: false, order: Order::ToAndFro, omega: 1.0, kept: 1.0 };
    [plain, Way { kept: 0.5, ..plain }]
};

/// Reusable memory of the iteration.
#[derive(Debug, Default)]
pub(crate) struct Sweeps {
    /// The way to begin with.
    pub first: Way,
    U: Vec<f64>,
    before: Vec<f64>,
    direction: Vec<f64>,
    best: Vec<f64>,
    /// Contacts or colours in the order of the next sweep.
    order: Vec<u32>,
    /// How far each of them moved in the last one, w |x − P|².
    moved: Vec<f64>,
    colours: Colours,
    /// Velocities of bodies, where Ŵ is not formed.
    v: Vec<f64>,
}

/// How far the sweeps got.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept {
    pub residual: f64,
    pub sweeps: usize,
    /// Why they ended if not by the tolerance.
    pub otherwise: SolveStatus,
}

/// What a sweep is made of: contacts, or colours of contacts that are not coupled.
trait Turns {
    /// How many.
    fn count(&self) -> usize;
    /// A sweep begins at P.
    fn begin(&mut self, _P: &[f64]) {}
    /// One of them: its P becomes x, its `before` what P was.
    fn take(&mut self, k: usize, omega: f64, P: &mut [f64], before: &mut [f64]) -> Change;
}

/// Contact by contact.
struct OneByOne<'a> {
    view: &'a Many<'a>,
}

impl Turns for OneByOne<'_> {
    fn count(&self) -> usize {
        self.view.laws.len()
    }
    #[inline]
    fn take(&mut self, c: usize, omega: f64, P: &mut [f64], before: &mut [f64]) -> Change {
        let rows = self.view.W.rows_of(c);
        let new = &mut before[rows.clone()];
        let change = update::contact(self.view, omega, c, P, new);
        P[rows].swap_with_slice(new);
        change
    }
}

/// Colour by colour.
struct ByColour<'a> {
    view: &'a Many<'a>,
    start: &'a [usize],
}

impl Turns for ByColour<'_> {
    fn count(&self) -> usize {
        self.start.len() - 1
    }
    fn take(&mut self, k: usize, omega: f64, P: &mut [f64], before: &mut [f64]) -> Change {
        colours::sweep(self.view, omega, self.start[k]..self.start[k + 1], P, before)
    }
}

/// Contact by contact, Ŵ not formed: v = Gᵀ P is summed afresh for each sweep and kept up to date in it (`bodies.rs`).
struct OverBodies<'a> {
    view: &'a Many<'a>,
    bodies: &'a Bodies,
    v: &'a mut Vec<f64>,
}

impl Turns for OverBodies<'_> {
    fn count(&self) -> usize {
        self.view.laws.len()
    }
    fn begin(&mut self, P: &[f64]) {
        self.v.resize(self.bodies.velocities(), 0.0);
        self.bodies.momentum(P, self.v);
    }
    fn take(&mut self, c: usize, omega: f64, P: &mut [f64], before: &mut [f64]) -> Change {
        let rows = self.view.W.rows_of(c);
        let new = &mut before[rows.clone()];
        let change = update::over_bodies(self.view, self.bodies, omega, c, P, new, self.v);
        P[rows].swap_with_slice(new);
        change
    }
}

impl Sweeps {
    /// Sweeps from P until the residual is below the tolerance, progress or time ends. P becomes the best point met.
    pub fn run(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        tolerance: f64,
        max_sweeps: usize,
        deadline: Deadline,
    ) -> Swept {
        if let Some(bodies) = view.bodies {
            let mut v = std::mem::take(&mut self.v);
            let turns = &mut OverBodies { view, bodies, v: &mut v };
            let swept = self.run_by(view, P, tolerance, max_sweeps, deadline, self.first, turns);
            self.v = v;
            return swept;
        }
        if Colours::suit(view) {
            let mut first = self.first;
            if first.order == Order::ByResidual {
                first.order = Order::Given;
            }
            let mut colours = std::mem::take(&mut self.colours);
            let swept = colours::in_threads(|| {
                colours.colour(view, P);
                let (copy, start, Q) = colours.parts();
                let turns = &mut ByColour { view: &copy, start };
                let swept = self.run_by(&copy, Q, tolerance, max_sweeps, deadline, first, turns);
                colours.write(view, P);
                swept
            });
            self.colours = colours;
            return swept;
        }
        self.run_by(view, P, tolerance, max_sweeps, deadline, self.first, &mut OneByOne { view })
    }

    /// The iteration with these turns.
    #[allow(clippy::too_many_arguments)]
    fn run_by(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        tolerance: f64,
        max_sweeps: usize,
        deadline: Deadline,
        first: Way,
        turns: &mut impl Turns,
    ) -> Swept {
        for array in [&mut self.U, &mut self.before, &mut self.direction, &mut self.best] {
            array.resize(P.len(), 0.0);
        }
        self.moved.resize(turns.count(), 0.0);
        if P.iter().any(|P| !P.is_finite()) {
            P.fill(0.0);
        }
        view.velocity(P, &mut self.U);
        let mut smallest = view.residual(P, &self.U);
        self.best.copy_from_slice(P);
        let mut swept = Swept { residual: smallest, sweeps: 0, otherwise: SolveStatus::IterationLimit };
        for way in std::iter::once(first).chain(LATER) {
            if smallest <= tolerance || !smallest.is_finite() {
                break;
            }
            swept.otherwise = SolveStatus::IterationLimit;
            P.copy_from_slice(&self.best);
            self.direction.fill(0.0);
            self.order.clear();
            self.order.extend(0..turns.count() as u32);
            // |g|² of the sweep before; change of P in proportion to the residual, as last seen
            let (mut g_before, mut ratio) = (f64::INFINITY, f64::INFINITY);
            let mut stall = Stall::new(WINDOW, PROGRESS, smallest);
            for k in 1.. {
                if swept.sweeps >= max_sweeps || deadline.passed() {
                    break;
                }
                let change = self.sweep(way, k, P, turns);
                swept.sweeps += 1;
                let (g, size) = (change.step, change.size.max(f64::MIN_POSITIVE));
                let quiet = (g / size).sqrt() <= ratio.min(1.0) * tolerance;
                let last = swept.sweeps == max_sweeps;
                if g == 0.0 || quiet || last || k % STRETCH == 0 || !g.is_finite() {
                    view.velocity(P, &mut self.U);
                    let r = view.residual(P, &self.U);
                    if r < smallest {
                        smallest = r;
                        self.best.copy_from_slice(P);
                    }
                    // wait until the change has fallen as far as the residual still has to
                    ratio = 0.5 * (g / size).sqrt() / r;
                    if smallest <= tolerance || g == 0.0 || !r.is_finite() {
                        // nothing moves
                        swept.otherwise = SolveStatus::Stalled;
                        break;
                    }
                }
                if k % STRETCH == 0 && stall.look(smallest) {
                    swept.otherwise = SolveStatus::Stalled;
                    break;
                }
                if way.accelerated {
                    self.extrapolate(P, g / g_before);
                    g_before = g;
                }
                if way.kept != 1.0 {
                    for (P, before) in P.iter_mut().zip(&self.before) {
                        *P = before + way.kept * (*P - before);
                    }
                }
            }
            if deadline.passed() {
                swept.otherwise = SolveStatus::TimeLimit;
                break;
            }
        }
        P.copy_from_slice(&self.best);
        swept.residual = smallest;
        swept
    }

    /// The k-th sweep of a way.
    fn sweep(&mut self, way: Way, k: usize, P: &mut [f64], turns: &mut impl Turns) -> Change {
        let Self { before, order, moved, .. } = self;
        match way.order {
            Order::Given => {}
            Order::ToAndFro if k == 1 => {}
            Order::ToAndFro => order.reverse(),
            Order::ByResidual => {
                if k.is_multiple_of(SORTED_FOR) {
                    let falling = |&a: &u32, &b: &u32| moved[b as usize].total_cmp(&moved[a as usize]);
                    order.sort_unstable_by(|a, b| falling(a, b).then(a.cmp(b)));
                }
            }
        }
        turns.begin(P);
        let mut change = Change::default();
        for &k in &*order {
            let of_part = turns.take(k as usize, way.omega, P, before);
            if way.order == Order::ByResidual {
                moved[k as usize] = of_part.step;
            }
            change = change + of_part;
        }
        change
    }

    /// P ← x + β d, d ← β d + (x − P_before).
    fn extrapolate(&mut self, P: &mut [f64], beta: f64) {
        if beta > 1.0 || !beta.is_finite() {
            self.direction.fill(0.0);
            return;
        }
        for ((P, d), before) in P.iter_mut().zip(&mut self.direction).zip(&self.before) {
            let g = *P - before;
            *P += beta * *d;
            *d = beta * *d + g;
        }
    }
}
