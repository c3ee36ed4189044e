//! Newton steps from a point near the answer; the best point met is kept.
//!
//! An interior point or a pyramid of friction ends some digits away from the answer but mostly in the right pieces of the
//! Alart–Curnier equation; from there full steps (`reduced.rs`) are exact in the plane and quadratic in space.

use crate::limits::Deadline;
use crate::matrix::dense_view::View;
use crate::solvers::newton::step::{LinearSolve, Reduced};

/// Rank tolerances of the linear systems: nearly dependent contacts first as dependent, then as independent.
const RANKS: [f64; 2] = [1e-10, 1e-14];
/// Full steps with each; past these the start was not near.
const STEPS: usize = 10;
/// Residual below which steps only stir the rounding.
const CLOSE_ENOUGH: f64 = 1e-15;

/// Reusable memory of the steps.
#[derive(Debug, Default)]
pub(crate) struct Polish {
    reduced: Reduced,
    P: Vec<f64>,
    U: Vec<f64>,
    P_new: Vec<f64>,
    best: Vec<f64>,
}

impl Polish {
    /// Steps from P, which becomes the best point met; returns its residual.
    pub fn run(&mut self, view: &View<'_>, P: &mut [f64], tolerance: f64, deadline: Deadline) -> f64 {
        for array in [&mut self.P, &mut self.U, &mut self.P_new, &mut self.best] {
            array.resize(P.len(), 0.0);
        }
        self.best.copy_from_slice(P);
        view.velocity(P, &mut self.U);
        let mut smallest = view.residual(P, &self.U);
        for rank_tolerance in RANKS {
            if smallest <= tolerance.max(CLOSE_ENOUGH) || !smallest.is_finite() || deadline.passed() {
                break;
            }
            self.P.copy_from_slice(P);
            view.velocity(&self.P, &mut self.U);
            for _ in 0..STEPS {
                let by = LinearSolve { rank_tolerance, proximal: 0.0 };
                self.reduced.step(view, by, &self.P, &self.U, &mut self.P_new);
                let settled = self.P == self.P_new;
                std::mem::swap(&mut self.P, &mut self.P_new);
                view.velocity(&self.P, &mut self.U);
                let residual = view.residual(&self.P, &self.U);
                if residual < smallest {
                    smallest = residual;
                    self.best.copy_from_slice(&self.P);
                }
                if settled || smallest <= CLOSE_ENOUGH || !residual.is_finite() || deadline.passed() {
                    break;
                }
            }
        }
        P.copy_from_slice(&self.best);
        smallest
    }
}
