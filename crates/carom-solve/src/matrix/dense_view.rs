//! What every iterative solver first works out about a problem: where each contact starts and how large its block is.
//!
//! With w the largest diagonal entry of a contact's block, ρ = 1/w is the natural step of its projection, and √w P and
//! U/√w are of one kind for all contacts (see [`crate::residual()`]): thresholds on them mean the same for every mass,
//! length and time.

use crate::law::MOST_ROWS;
use crate::measure::residual::{Measure, block_scale, borrowed_scale};
use crate::{ContactProblem, Law, SquareMatrix};
use carom_linear::dot_long;

/// Where a contact is and how large its block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// First row.
    pub first: usize,
    /// Largest diagonal entry.
    pub w: f64,
    /// 1/w.
    pub rho: f64,
}

/// Reusable memory behind a [`View`].
#[derive(Debug, Default)]
pub(crate) struct Frame {
    blocks: Vec<Block>,
    /// Ŵ, when the problem does not store it dense.
    copy: SquareMatrix,
}

/// A problem with its blocks, ready to be iterated on.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub W: &'a SquareMatrix,
    pub U_free: &'a [f64],
    pub laws: &'a [Law],
    pub blocks: &'a [Block],
}

/// Rows up to which a problem that is not stored dense is copied into a dense matrix: 128 MB.
const MOST_DENSE: usize = 4000;

/// Whether the dense matrix is there or fits.
pub(crate) fn fits(problem: &ContactProblem<'_>) -> bool {
    problem.W_hat.dense().is_some() || problem.U_free.len() <= MOST_DENSE
}

impl Frame {
    /// Looks the problem over.
    pub fn view<'a>(&'a mut self, problem: &ContactProblem<'a>) -> View<'a> {
        debug_assert_eq!(problem.U_free.len(), problem.W_hat.rows(), "Ŵ and U_free have the same rows");
        debug_assert_eq!(
            problem.U_free.len(),
            problem.laws.iter().map(Law::dim).sum::<usize>(),
            "the laws cover all rows"
        );
        let W = match problem.W_hat.dense() {
            Some(W) => W,
            None => {
                let n = problem.U_free.len();
                self.copy.resize(n);
                match problem.W_hat.blocks() {
                    Some(blocks) => blocks.write_dense(&mut self.copy),
                    None => {
                        for i in 0..n {
                            for j in 0..n {
                                self.copy[(i, j)] = problem.W_hat.entry(i, j);
                            }
                        }
                    }
                }
                &self.copy
            }
        };
        self.blocks.clear();
        let mut first = 0;
        for law in problem.laws {
            let dim = law.dim();
            let mut w = block_scale(first, dim, |i| W[(i, i)]);
            if w <= 0.0 || !w.is_finite() {
                w = borrowed_scale(W);
            }
            self.blocks.push(Block { first, w, rho: 1.0 / w });
            first += dim;
        }
        View { W, U_free: problem.U_free, laws: problem.laws, blocks: &self.blocks }
    }
}

impl View<'_> {
    /// Rows of U and P.
    pub fn n(&self) -> usize {
        self.U_free.len()
    }

    /// Laws with their blocks, in order.
    #[inline]
    pub fn contacts(&self) -> impl Iterator<Item = (&Law, &Block)> {
        self.laws.iter().zip(self.blocks)
    }

    /// U = Ŵ P + U_free.
    #[inline(never)]
    pub fn velocity(&self, P: &[f64], U: &mut [f64]) {
        for (i, (U, U_free)) in U.iter_mut().zip(self.U_free).enumerate() {
            *U = dot_long(self.W.row(i), P) + U_free;
        }
    }

    /// The documented residual.
    pub fn residual(&self, P: &[f64], U: &[f64]) -> f64 {
        let mut measure = Measure::default();
        for (law, block) in self.contacts() {
            let rows = block.first..block.first + law.dim();
            let U_free = &self.U_free[rows.clone()];
            measure.add(law, block.w, block.rho, &U[rows.clone()], U_free, &P[rows]);
        }
        measure.residual()
    }

    /// Σ w |P − A(P − ρ U)|², the merit of the Alart–Curnier equation.
    pub fn merit(&self, P: &[f64], U: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (law, block) in self.contacts() {
            let dim = law.dim();
            let mut z = self.argument(law, block, P, U);
            law.alart_curnier(&mut z[..dim]);
            let P = &P[block.first..block.first + dim];
            sum += block.w * P.iter().zip(z).map(|(P, z)| (P - z) * (P - z)).sum::<f64>();
        }
        sum
    }

    /// z = P − ρ U of one contact.
    #[inline]
    pub fn argument(&self, law: &Law, block: &Block, P: &[f64], U: &[f64]) -> [f64; MOST_ROWS] {
        let mut z = [0.0; MOST_ROWS];
        let rows = block.first..block.first + law.dim();
        for ((z, P), U) in z.iter_mut().zip(&P[rows.clone()]).zip(&U[rows]) {
            *z = P - block.rho * U;
        }
        z
    }
}
