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
//! One sweep reads every block once: for 20 000 spatial contacts with b neighbours each, 20 000 · (b + 1) · (72 + 4) bytes
//! of blocks and indices, and some 200 bytes of vectors per contact. `examples/sweep.rs` sets this against the measured
//! bandwidth. The residual would cost a second pass, so it is taken only when the change of a sweep says it may be
//! small enough, and at the ends of stretches. Thousands of contacts are swept by colour (`colours.rs`).

use crate::colours::{self, Colours};
use crate::limits::Deadline;
use crate::many::Many;
use crate::{Law, SolveStatus, body_sweeps, exact, rolling};

/// Sweeps between two looks at the residual, whatever the change of P says.
const STRETCH: usize = 16;
/// Stretches after which the residual must have fallen.
const WINDOW: usize = 24;
/// The factor by which it must have.
const PROGRESS: f64 = 0.97;

/// How sweeps follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// With the conjugate directions.
    Accelerated,
    /// Forwards and backwards in turn.
    ToAndFro,
    /// To and fro, half of each change.
    HeldBack,
}

/// One after the other until none makes progress.
const WAYS: [Way; 3] = [Way::Accelerated, Way::ToAndFro, Way::HeldBack];

/// Reusable memory of the iteration.
#[derive(Debug, Default)]
pub(crate) struct Sweeps {
    U: Vec<f64>,
    before: Vec<f64>,
    direction: Vec<f64>,
    best: Vec<f64>,
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
        let contacts = view.laws.len();
        if let Some(bodies) = view.bodies {
            let mut v = std::mem::take(&mut self.v);
            let over_bodies = |view: &Many<'_>, P: &mut [f64], back| match back {
                false => body_sweeps::sweep(view, bodies, P, &mut v, 0..contacts),
                true => body_sweeps::sweep(view, bodies, P, &mut v, (0..contacts).rev()),
            };
            let swept = self.run_by(view, P, tolerance, max_sweeps, deadline, over_bodies);
            self.v = v;
            return swept;
        }
        if Colours::suit(view) {
            let mut colours = std::mem::take(&mut self.colours);
            colours.colour(view, P);
            let (copy, start, Q) = colours.parts();
            let by_colour = |view: &Many<'_>, P: &mut [f64], back| colours::sweep(view, start, P, back);
            let swept = self.run_by(&copy, Q, tolerance, max_sweeps, deadline, by_colour);
            colours.write(P);
            self.colours = colours;
            return swept;
        }
        self.run_by(view, P, tolerance, max_sweeps, deadline, |view, P, back| match back {
            false => sweep(view, P, 0..contacts),
            true => sweep(view, P, (0..contacts).rev()),
        })
    }

    /// The iteration with this way to sweep, forwards or backwards.
    fn run_by(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        tolerance: f64,
        max_sweeps: usize,
        deadline: Deadline,
        mut sweep: impl FnMut(&Many<'_>, &mut [f64], bool),
    ) -> Swept {
        for array in [&mut self.U, &mut self.before, &mut self.direction, &mut self.best] {
            array.resize(P.len(), 0.0);
        }
        if P.iter().any(|P| !P.is_finite()) {
            P.fill(0.0);
        }
        view.velocity(P, &mut self.U);
        let mut smallest = view.residual(P, &self.U);
        self.best.copy_from_slice(P);
        let mut swept = Swept { residual: smallest, sweeps: 0, otherwise: SolveStatus::IterationLimit };
        for way in WAYS {
            if smallest <= tolerance || !smallest.is_finite() {
                break;
            }
            P.copy_from_slice(&self.best);
            self.direction.fill(0.0);
            // |g|² of the sweep before; change of P in proportion to the residual, as last seen
            let (mut g_before, mut ratio) = (f64::INFINITY, f64::INFINITY);
            let (mut window_start, mut stretches) = (smallest, 0);
            for k in 1.. {
                if swept.sweeps >= max_sweeps || deadline.passed() {
                    break;
                }
                self.before.copy_from_slice(P);
                sweep(view, P, way != Way::Accelerated && k % 2 == 0);
                swept.sweeps += 1;
                let (g, size) = change(view, P, &self.before);
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
                        break;
                    }
                }
                if k % STRETCH == 0 {
                    stretches += 1;
                    if stretches == WINDOW {
                        if smallest > PROGRESS * window_start {
                            break;
                        }
                        (window_start, stretches) = (smallest, 0);
                    }
                }
                match way {
                    Way::Accelerated => {
                        self.extrapolate(P, g / g_before);
                        g_before = g;
                    }
                    Way::ToAndFro => {}
                    Way::HeldBack => {
                        for (P, before) in P.iter_mut().zip(&self.before) {
                            *P = 0.5 * (*P + before);
                        }
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

/// One sweep over contacts in this order.
pub(crate) fn sweep(view: &Many<'_>, P: &mut [f64], order: impl Iterator<Item = usize>) {
    for c in order {
        let rows = view.W.rows_of(c);
        let law = &view.laws[c];
        if let Law::SpatialCoulomb { friction } = *law
            && let Some(U) = view.W.add_row_product_3(c, P, three(&view.U_free[rows.clone()]))
        {
            let new = spatial(friction, view.W.diagonal(c), U, three(&P[rows.clone()]));
            P[rows].copy_from_slice(&new);
            continue;
        }
        any_rows(view, c, P);
    }
}

/// One contact with any number of rows.
#[inline(never)]
fn any_rows(view: &Many<'_>, c: usize, P: &mut [f64]) {
    let (law, rows) = (&view.laws[c], view.W.rows_of(c));
    if let Law::SpatialRolling { .. } = law {
        return rolling::sweep_block(view, c, P);
    }
    let dim = rows.len();
    // the velocity there is, then the one without this contact's own P
    let (mut q, mut old) = ([0.0; 3], [0.0; 3]);
    q[..dim].copy_from_slice(&view.U_free[rows.clone()]);
    old[..dim].copy_from_slice(&P[rows.clone()]);
    view.W.add_row_product(c, P, &mut q[..dim]);
    let block = view.W.diagonal(c);
    for i in 0..dim {
        for j in 0..dim {
            q[i] -= block[i * dim + j] * old[j];
        }
    }
    let new = exact::solve(law, block, q, old);
    P[rows].copy_from_slice(&new[..dim]);
}

/// The contact with three rows, from the velocity U that there is.
#[inline]
pub(crate) fn spatial(friction: f64, block: &[f64], U: [f64; 3], old: [f64; 3]) -> [f64; 3] {
    let b: &[f64; 9] = block.try_into().expect("three rows and columns");
    let W = [[b[0], b[1], b[2]], [b[3], b[4], b[5]], [b[6], b[7], b[8]]];
    let q = std::array::from_fn(|i| U[i] - (W[i][0] * old[0] + W[i][1] * old[1] + W[i][2] * old[2]));
    exact::spatial(friction, W, q, old)
}

/// Three rows of a vector.
#[inline]
pub(crate) fn three(x: &[f64]) -> [f64; 3] {
    x.try_into().expect("three rows")
}

/// (Σ w |P − before|², Σ w |P|²), the second at least the tiniest number.
fn change(view: &Many<'_>, P: &[f64], before: &[f64]) -> (f64, f64) {
    let (mut g, mut size) = (0.0, f64::MIN_POSITIVE);
    for (c, w) in view.w.iter().enumerate() {
        for i in view.W.rows_of(c) {
            let step = P[i] - before[i];
            g += w * step * step;
            size += w * P[i] * P[i];
        }
    }
    (g, size)
}
