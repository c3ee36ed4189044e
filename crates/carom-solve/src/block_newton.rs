//! Semismooth Newton on the Alart–Curnier equation for problems by blocks.                              [Alart1991]
//!
//! ```text
//!   F_c(P) = P_c − A(z_c),      z = P − U/w,      J_cd = (1 − A') 1_cd + A' (Ŵ_cd / w_c + δ 1_cd)
//!   P ← P − α J⁻¹ F,            α = 1, ½, ¼ … until Σ w |F|² falls below the largest of the last few
//! ```
//!
//! δ is proximal: it regularises dependent contacts and leaves solutions where they are, for the price of a factor of
//! about δ in the speed of convergence. It differs from round to round: too small a one throws P far along directions that
//! change nothing. Each round begins with Gauss–Seidel sweeps
//! from the best point so far, more each time: Newton's method is only as good as the pieces of A it starts in. Without
//! line search the last steps settle in the plane and converge quadratically in space.

use crate::SolveStatus;
use crate::block_lu::{Block, BlockLu, product};
use crate::limits::Deadline;
use crate::many::Many;
use crate::sweeps::{Sweeps, Swept};

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
pub(crate) struct BlockNewton {
    lu: BlockLu,
    sweeps: Sweeps,
    U: Vec<f64>,
    P: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    best: Vec<f64>,
    jacobians: Vec<Block>,
}

impl BlockNewton {
    /// From P; P becomes the best point met. None if the factor would be too large.
    pub fn run(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        tolerance: f64,
        max_steps: usize,
        deadline: Deadline,
    ) -> Option<Swept> {
        if !self.lu.analyse(view.W) {
            return None;
        }
        self.grow(view, P.len());
        let mut found = self.sweeps.run(view, P, tolerance, SWEEPS, deadline);
        found.sweeps = 0;
        self.best.copy_from_slice(P);
        for (round, &proximal) in PROXIMAL.iter().enumerate() {
            if found.residual <= tolerance || !found.residual.is_finite() {
                break;
            }
            if deadline.passed() {
                found.otherwise = SolveStatus::TimeLimit;
                break;
            }
            if found.sweeps >= max_steps {
                found.otherwise = SolveStatus::IterationLimit;
                break;
            }
            self.P.copy_from_slice(P);
            found.sweeps += self.round(view, proximal, tolerance, &mut found.residual, deadline);
            if found.residual > tolerance {
                // on from where the sweeps were, and from the best point if that is better
                let swept = self.sweeps.run(view, P, tolerance, SWEEPS << (round + 1), deadline);
                if swept.residual < found.residual {
                    found.residual = swept.residual;
                    self.best.copy_from_slice(P);
                }
            }
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
        if !self.lu.analyse(view.W) {
            return residual;
        }
        self.grow(view, P.len());
        self.P.copy_from_slice(P);
        self.best.copy_from_slice(P);
        self.round(view, PROXIMAL[0], tolerance, &mut residual, deadline);
        P.copy_from_slice(&self.best);
        residual
    }

    fn grow(&mut self, view: &Many<'_>, n: usize) {
        for array in [&mut self.U, &mut self.P, &mut self.trial, &mut self.step, &mut self.best] {
            array.resize(n, 0.0);
        }
        self.jacobians.resize(view.laws.len(), [0.0; 9]);
    }

    /// Newton steps from `self.P`; returns their number and keeps the best point.
    fn round(
        &mut self,
        view: &Many<'_>,
        proximal: f64,
        tolerance: f64,
        smallest: &mut f64,
        deadline: Deadline,
    ) -> usize {
        let Self { lu, U, P, trial, step, best, jacobians, .. } = self;
        view.velocity(P, U);
        let mut merits = [view.merit(P, U); MEMORY];
        for k in 1..=STEPS {
            // F and A' of every contact
            for (c, (law, w)) in view.laws.iter().zip(view.w).enumerate() {
                let rows = view.W.rows_of(c);
                let dim = rows.len();
                let mut z = [0.0; 3];
                for (z, i) in z.iter_mut().zip(rows.clone()) {
                    *z = P[i] - U[i] / w;
                }
                let J: [[f64; 3]; 3] = law.alart_curnier_jacobian(&z[..dim]);
                jacobians[c] = std::array::from_fn(|k| J[k / 3][k % 3]);
                law.alart_curnier(&mut z[..dim]);
                // scaled: √w F
                for (z, i) in z.iter().zip(rows) {
                    step[i] = w.sqrt() * (z - P[i]);
                }
            }
            lu.load(view.W, |c, d, block| {
                let scale = 1.0 / (view.w[c] * view.w[d]).sqrt();
                let mut K = block.map(|x| scale * x);
                if c == d {
                    (0..3).for_each(|i| K[4 * i] += proximal);
                }
                let mut K = product(&jacobians[c], &K);
                if c == d {
                    (0..9).for_each(|k| K[k] -= jacobians[c][k]);
                    (0..3).for_each(|i| K[4 * i] += 1.0);
                }
                K
            });
            if !lu.factor() {
                return k;
            }
            lu.solve(view.W, step);
            if step.iter().any(|x| !x.is_finite()) {
                return k;
            }
            for (c, w) in view.w.iter().enumerate() {
                step[view.W.rows_of(c)].iter_mut().for_each(|x| *x /= w.sqrt());
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
                let merit = view.merit(trial, U);
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
        STEPS
    }
}
