//! Semismooth Newton for problems by blocks, on any equation of `one_contact/equation/mod.rs`.
//!
//! ```text
//!   F_c(P_c, V_c) = 0,      V = U/w,      K_cd = F_P 1_cd + F_V (Ŵ_cd / w_c + δ 1_cd)
//!   P ← P − α K⁻¹ F,        α = 1, ½, ¼ … until Σ w |F|² falls below the largest of the last few
//! ```
//!
//! δ is proximal: it regularises dependent contacts and leaves solutions where they are, for the price of a factor of
//! about δ in the speed of convergence. It differs from round to round: too small a one throws P far along directions that
//! change nothing. Each round begins where Gauss–Seidel sweeps have
//! got to, more of them each time: Newton's method is only as good as the pieces of F it starts in. Without
//! line search the last steps settle in the plane and converge quadratically in space.

use crate::factor::block_lu::{BlockLu, product};
use crate::limits::Deadline;
use crate::matrix::block_view::Many;
use crate::one_contact::equation::{AlartCurnier, Equation, Linear, ROWS};
use crate::solvers::gauss_seidel::sweeps::{Sweeps, Swept};
use crate::{Law, SolveStatus};
use std::marker::PhantomData;

/// δ, round by round.
const PROXIMAL: [f64; 8] = [1e-5, 1e-3, 1e-7, 1e-4, 1e-2, 1e-6, 1e-9, 1e-8];
/// Sweeps before the first round.
const SWEEPS: usize = 30;
/// Newton steps in a round.
const STEPS: usize = 25;
/// Halvings of a step.
const HALVINGS: usize = 8;
/// Merits that a new one is compared with.
const MEMORY: usize = 4;

/// Reusable memory of the iteration.
#[derive(Debug, Default)]
pub(crate) struct BlockNewton<E = AlartCurnier, const D: usize = ROWS> {
    lu: BlockLu<D>,
    sweeps: Sweeps,
    U: Vec<f64>,
    P: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    best: Vec<f64>,
    linear: Vec<Linear<D>>,
    equation: PhantomData<E>,
}

impl<E: Equation<D>, const D: usize> BlockNewton<E, D> {
    /// From P; P becomes the best point met. None if the factor would be too large.
    pub fn run(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        tolerance: f64,
        max_steps: usize,
        deadline: Deadline,
    ) -> Option<Swept> {
        self.lu.until(deadline);
        if !self.lu.analyse(view.W) {
            return None;
        }
        self.grow(view, P.len());
        let mut found = self.sweeps.run(view, P, tolerance, SWEEPS, deadline);
        (found.sweeps, found.otherwise) = (0, SolveStatus::IterationLimit);
        self.best.copy_from_slice(P);
        for (round, &proximal) in PROXIMAL.iter().enumerate() {
            if found.residual <= tolerance || !found.residual.is_finite() {
                break;
            }
            if deadline.passed() || found.sweeps >= max_steps {
                break;
            }
            self.P.copy_from_slice(P);
            let steps = STEPS.min(max_steps - found.sweeps);
            found.sweeps += self.round(view, proximal, tolerance, &mut found.residual, steps, deadline);
            if found.residual > tolerance {
                // on from where the sweeps were
                let swept = self.sweeps.run(view, P, tolerance, SWEEPS << (round + 1), deadline);
                if swept.residual < found.residual {
                    found.residual = swept.residual;
                    self.best.copy_from_slice(P);
                }
            }
        }
        if deadline.passed() {
            found.otherwise = SolveStatus::TimeLimit;
        }
        P.copy_from_slice(&self.best);
        Some(found)
    }

    /// Newton steps alone from P, which becomes the best point met if that is better than the residual given; returns
    /// the new residual.
    pub fn polish(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        mut residual: f64,
        tolerance: f64,
        deadline: Deadline,
    ) -> f64 {
        self.lu.until(deadline);
        if !self.lu.analyse(view.W) {
            return residual;
        }
        self.grow(view, P.len());
        self.P.copy_from_slice(P);
        self.best.copy_from_slice(P);
        self.round(view, PROXIMAL[0], tolerance, &mut residual, STEPS, deadline);
        P.copy_from_slice(&self.best);
        residual
    }

    fn grow(&mut self, view: &Many<'_>, n: usize) {
        for array in [&mut self.U, &mut self.P, &mut self.trial, &mut self.step, &mut self.best] {
            array.resize(n, 0.0);
        }
        self.linear.resize(view.laws.len(), Linear::default());
    }

    /// Newton steps from `self.P`; returns their number and keeps the best point.
    fn round(
        &mut self,
        view: &Many<'_>,
        proximal: f64,
        tolerance: f64,
        smallest: &mut f64,
        steps: usize,
        deadline: Deadline,
    ) -> usize {
        let Self { lu, U, P, trial, step, best, linear, .. } = self;
        view.velocity(P, U);
        let mut merits = [merit(view, P, U, E::value); MEMORY];
        for k in 1..=steps {
            linearise(view, P, U, linear, E::linear);
            if !newton_step(view, lu, linear, proximal, step) {
                return k;
            }
            // the longest of the steps 1, ½, ¼ … that is good enough
            let largest = merits.iter().fold(0.0_f64, |a, b| a.max(*b));
            let mut alpha = 1.0;
            let mut accepted = false;
            for _ in 0..HALVINGS {
                for ((t, P), s) in trial.iter_mut().zip(&*P).zip(&*step) {
                    *t = P + alpha * s;
                }
                view.velocity(trial, U);
                let merit = merit(view, trial, U, E::value);
                if merit < (1.0 - 1e-4 * alpha) * largest {
                    merits[k % MEMORY] = merit;
                    accepted = true;
                    break;
                }
                alpha *= 0.5;
            }
            if accepted {
                std::mem::swap(P, trial);
            }
            // also of a step that was refused: near the answer, rounding decides about the merit
            let at = if accepted { &*P } else { &*trial };
            let r = view.residual(at, U);
            if r < *smallest {
                *smallest = r;
                best.copy_from_slice(at);
            }
            if !accepted || *smallest <= tolerance || deadline.passed() {
                return k;
            }
        }
        steps
    }
}

/// Writes −K⁻¹ F of the contacts linearised here. False if K is singular or anything is not finite.
pub(crate) fn newton_step<const D: usize>(
    view: &Many<'_>,
    lu: &mut BlockLu<D>,
    linear: &[Linear<D>],
    proximal: f64,
    step: &mut [f64],
) -> bool {
    // scaled: √w F
    for (c, w) in view.w.iter().enumerate() {
        for (F, i) in linear[c].F.iter().zip(view.W.rows_of(c)) {
            step[i] = -w.sqrt() * F;
        }
    }
    lu.load(view.W, |c, d, block| {
        let scale = 1.0 / (view.w[c] * view.w[d]).sqrt();
        let mut K = block.map(|row| row.map(|x| scale * x));
        if c == d {
            (0..D).for_each(|i| K[i][i] += proximal);
        }
        let mut K = product(&linear[c].F_V, &K);
        if c == d {
            let F_P = linear[c].F_P.as_flattened();
            K.as_flattened_mut().iter_mut().zip(F_P).for_each(|(K, F_P)| *K += F_P);
        }
        K
    });
    if !lu.factor() {
        return false;
    }
    lu.solve(view.W, step);
    for (c, w) in view.w.iter().enumerate() {
        step[view.W.rows_of(c)].iter_mut().for_each(|x| *x /= w.sqrt());
    }
    step.iter().all(|x| x.is_finite())
}

/// F and its derivatives of every contact.
pub(crate) fn linearise<const D: usize>(
    view: &Many<'_>,
    P: &[f64],
    U: &[f64],
    linear: &mut [Linear<D>],
    of: impl Fn(&Law, &[f64], &[f64]) -> Linear<D>,
) {
    for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
        let rows = view.W.rows_of(c);
        let V: [f64; D] = scaled(&U[rows.clone()], w);
        linear[c] = of(law, &P[rows.clone()], &V[..rows.len()]);
    }
}

/// Σ w |F|².
pub(crate) fn merit<const D: usize>(
    view: &Many<'_>,
    P: &[f64],
    U: &[f64],
    value: impl Fn(&Law, &[f64], &[f64]) -> [f64; D],
) -> f64 {
    let mut sum = 0.0;
    for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
        let rows = view.W.rows_of(c);
        let V: [f64; D] = scaled(&U[rows.clone()], w);
        let F = value(law, &P[rows.clone()], &V[..rows.len()]);
        sum += w * F.iter().map(|F| F * F).sum::<f64>();
    }
    sum
}

/// V = U/w, filled up with zeros.
#[inline]
fn scaled<const D: usize>(U: &[f64], w: &f64) -> [f64; D] {
    let mut V = [0.0; D];
    for (V, U) in V.iter_mut().zip(U) {
        *V = U / w;
    }
    V
}
