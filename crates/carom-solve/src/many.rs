//! A problem by blocks of contacts with the scale of each contact: what the solvers for many contacts iterate on.
//!
//! Problems that are stored in another way are copied into blocks once, so each of these solvers is written once.

use crate::equation::ROWS;
use crate::residual::{Measure, block_scale_of};
use crate::{BlockMatrix, ContactProblem, Law};

/// Reusable memory behind a [`Many`].
#[derive(Debug, Default)]
pub(crate) struct ManyFrame {
    copy: BlockMatrix,
    w: Vec<f64>,
}

/// A problem by blocks.
#[derive(Clone, Copy)]
pub(crate) struct Many<'a> {
    pub W: &'a BlockMatrix,
    pub U_free: &'a [f64],
    pub laws: &'a [Law],
    /// Largest diagonal entry of each contact's block: √w P and U/√w are of one kind for all contacts.
    pub w: &'a [f64],
}

impl ManyFrame {
    /// Looks the problem over.
    pub fn view<'a>(&'a mut self, problem: &ContactProblem<'a>) -> Many<'a> {
        debug_assert_eq!(problem.U_free.len(), problem.W_hat.rows(), "Ŵ and U_free have the same rows");
        let W = match problem.W_hat.blocks() {
            Some(W) => W,
            None => {
                self.copy.copy_from(problem.W_hat, problem.laws);
                &self.copy
            }
        };
        debug_assert!(
            W.contacts() == problem.laws.len()
                && problem.laws.iter().enumerate().all(|(c, law)| W.dim(c) == law.dim()),
            "blocks and laws agree on the rows of each contact"
        );
        self.w.clear();
        self.w.extend((0..W.contacts()).map(|c| block_scale_of(W, c)));
        Many { W, U_free: problem.U_free, laws: problem.laws, w: &self.w }
    }
}

impl Many<'_> {
    /// U = Ŵ P + U_free.
    pub fn velocity(&self, P: &[f64], U: &mut [f64]) {
        U.copy_from_slice(self.U_free);
        for c in 0..self.laws.len() {
            self.W.add_row_product(c, P, &mut U[self.W.rows_of(c)]);
        }
    }

    /// The documented residual.
    pub fn residual(&self, P: &[f64], U: &[f64]) -> f64 {
        let mut measure = Measure::default();
        for (c, (law, w)) in self.laws.iter().zip(self.w).enumerate() {
            let rows = self.W.rows_of(c);
            let U_free = &self.U_free[rows.clone()];
            measure.add(law, *w, 1.0 / w, &U[rows.clone()], U_free, &P[rows]);
        }
        measure.residual()
    }

    /// Whether no start at all, P = 0, is as good as this one or better, or this one is not finite.
    pub fn better_from_zero(&self, P: &[f64], U: &mut [f64]) -> bool {
        self.velocity(P, U);
        let given = self.residual(P, U);
        let mut measure = Measure::default();
        for (c, (law, w)) in self.laws.iter().zip(self.w).enumerate() {
            let U_free = &self.U_free[self.W.rows_of(c)];
            measure.add(law, *w, 1.0 / w, U_free, U_free, &NONE[..U_free.len()]);
        }
        measure.residual() <= given
    }
}

/// P = 0 of a contact.
const NONE: [f64; ROWS] = [0.0; ROWS];
