//! A problem by blocks of contacts with the scale of each contact: what the solvers for many contacts iterate on.
//!
//! Problems that are stored in another way are copied into blocks once, so each of these solvers is written once. Sweeps and
//! gradients can do without: over bodies they get the diagonal blocks and products.

use crate::law::MOST_ROWS;
use crate::measure::residual::{Measure, block_scale_of};
use crate::{BlockMatrix, Bodies, ContactProblem, Law};

/// Reusable memory behind a [`Many`].
#[derive(Debug, Default)]
pub(crate) struct ManyFrame {
    copy: BlockMatrix,
    w: Vec<f64>,
}

/// Whether all blocks are there or fit.
pub(crate) fn fits(problem: &ContactProblem<'_>) -> bool {
    problem.W_hat.bodies().is_none_or(Bodies::can_be_formed)
}

/// A problem by blocks.
#[derive(Clone, Copy)]
pub(crate) struct Many<'a> {
    /// All blocks, or where there are `bodies` those on the diagonal alone.
    pub W: &'a BlockMatrix,
    pub bodies: Option<&'a Bodies>,
    pub U_free: &'a [f64],
    pub laws: &'a [Law],
    /// Largest diagonal entry of each contact's block: √w P and U/√w are of one kind for all contacts.
    pub w: &'a [f64],
    /// Whether all contacts have one disk of two rows, as most large problems do: their sweeps have a way of their own.
    pub all_spatial: bool,
}

/// Whether all laws have one disk of two rows.
pub(crate) fn all_spatial(laws: &[Law]) -> bool {
    laws.iter().all(|law| law.disk_rows() == [2, 0])
}

impl ManyFrame {
    /// Looks the problem over, all blocks at hand.
    pub fn view<'a>(&'a mut self, problem: &ContactProblem<'a>) -> Many<'a> {
        if let Some(bodies) = problem.W_hat.bodies() {
            self.copy = bodies.to_blocks();
        } else if problem.W_hat.blocks().is_none() {
            self.copy.copy_from(problem.W_hat, problem.laws);
        }
        Self::of(problem, problem.W_hat.blocks().unwrap_or(&self.copy), None, &mut self.w)
    }

    /// Looks the problem over, for those who ask for products only: over bodies nothing is formed.
    pub fn view_products<'a>(&'a mut self, problem: &ContactProblem<'a>) -> Many<'a> {
        match problem.W_hat.bodies() {
            Some(bodies) => Self::of(problem, bodies.diagonal(), Some(bodies), &mut self.w),
            None => self.view(problem),
        }
    }

    fn of<'a>(
        problem: &ContactProblem<'a>,
        W: &'a BlockMatrix,
        bodies: Option<&'a Bodies>,
        w: &'a mut Vec<f64>,
    ) -> Many<'a> {
        debug_assert_eq!(problem.U_free.len(), problem.W_hat.rows(), "Ŵ and U_free have the same rows");
        debug_assert!(
            W.contacts() == problem.laws.len()
                && problem.laws.iter().enumerate().all(|(c, law)| W.dim(c) == law.dim()),
            "blocks and laws agree on the rows of each contact"
        );
        w.clear();
        w.extend((0..W.contacts()).map(|c| block_scale_of(W, c)));
        let all_spatial = all_spatial(problem.laws);
        Many { W, bodies, U_free: problem.U_free, laws: problem.laws, w, all_spatial }
    }
}

impl Many<'_> {
    /// U = Ŵ P + U_free.
    pub fn velocity(&self, P: &[f64], U: &mut [f64]) {
        U.copy_from_slice(self.U_free);
        self.add_product(P, U);
    }

    /// out ← out + Ŵ x.
    pub fn add_product(&self, x: &[f64], out: &mut [f64]) {
        if let Some(bodies) = self.bodies {
            return bodies.add_product(x, out);
        }
        for c in 0..self.laws.len() {
            self.W.add_row_product(c, x, &mut out[self.W.rows_of(c)]);
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

    /// A start that is worse than none, or not finite, becomes none, P = 0; U and the residual of what it is.
    pub fn start(&self, P: &mut [f64], U: &mut [f64]) -> f64 {
        self.velocity(P, U);
        let given = self.residual(P, U);
        let mut measure = Measure::default();
        for (c, (law, w)) in self.laws.iter().zip(self.w).enumerate() {
            let U_free = &self.U_free[self.W.rows_of(c)];
            measure.add(law, *w, 1.0 / w, U_free, U_free, &NONE[..U_free.len()]);
        }
        let zero = measure.residual();
        if zero < given || !given.is_finite() {
            P.fill(0.0);
            U.copy_from_slice(self.U_free);
            return zero;
        }
        given
    }
}

/// P = 0 of a contact.
const NONE: [f64; MOST_ROWS] = [0.0; MOST_ROWS];
