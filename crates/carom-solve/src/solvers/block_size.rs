//! Three rows per contact or five: what works on blocks of one size, in both sizes.
//!
//! Two disks can need 5 × 5 blocks. All other problems keep the smaller ones, which cost a quarter in a factor.

use crate::factor::block_lu::BlockLu;
use crate::limits::Deadline;
use crate::matrix::block_view::Many;
use crate::one_contact::equation::AlartCurnier;
use crate::solvers::gauss_seidel::sweeps::Swept;
use crate::solvers::newton::blocks::BlockNewton;
use crate::{BlockMatrix, Law};

/// Whether a problem needs five rows per contact.
#[inline]
fn needs_five(laws: &[Law]) -> bool {
    laws.iter().any(|law| law.dim() > 3)
}

/// Newton's method by blocks.
#[derive(Debug, Default)]
pub(crate) struct EitherNewton {
    three: BlockNewton,
    five: BlockNewton<AlartCurnier, 5>,
}

impl EitherNewton {
    /// See [`BlockNewton::run`].
    pub fn run(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        tolerance: f64,
        max_steps: usize,
        deadline: Deadline,
    ) -> Option<Swept> {
        match needs_five(view.laws) {
            false => self.three.run(view, P, tolerance, max_steps, deadline),
            true => self.five.run(view, P, tolerance, max_steps, deadline),
        }
    }

    /// See [`BlockNewton::polish`].
    pub fn polish(
        &mut self,
        view: &Many<'_>,
        P: &mut [f64],
        residual: f64,
        tolerance: f64,
        deadline: Deadline,
    ) -> f64 {
        match needs_five(view.laws) {
            false => self.three.polish(view, P, residual, tolerance, deadline),
            true => self.five.polish(view, P, residual, tolerance, deadline),
        }
    }
}

/// The factor of Ŵ + ρ in rows scaled by 1/√w.
#[derive(Debug, Default)]
pub(crate) struct EitherLu {
    three: BlockLu,
    five: BlockLu<5>,
    /// Which of the two the problem at hand uses.
    five_rows: bool,
}

impl EitherLu {
    /// See [`BlockLu::until`].
    pub fn until(&mut self, deadline: Deadline) {
        self.three.until(deadline);
        self.five.until(deadline);
    }

    /// Looks at the pattern. False if the factor would be too large.
    pub fn analyse(&mut self, view: &Many<'_>) -> bool {
        self.five_rows = needs_five(view.laws);
        if self.five_rows { self.five.analyse(view.W) } else { self.three.analyse(view.W) }
    }

    /// Factors Ŵ + ρ. False if that is singular.
    pub fn factor(&mut self, view: &Many<'_>, rho: f64) -> bool {
        if self.five_rows { factor(&mut self.five, view, rho) } else { factor(&mut self.three, view, rho) }
    }

    /// x ← (Ŵ + ρ)⁻¹ x.
    pub fn solve(&mut self, W: &BlockMatrix, x: &mut [f64]) {
        if self.five_rows { self.five.solve(W, x) } else { self.three.solve(W, x) }
    }
}

fn factor<const D: usize>(lu: &mut BlockLu<D>, view: &Many<'_>, rho: f64) -> bool {
    lu.load(view.W, |c, d, block| {
        let scale = 1.0 / (view.w[c] * view.w[d]).sqrt();
        let mut K = block.map(|row| row.map(|x| scale * x));
        if c == d {
            (0..D).for_each(|i| K[i][i] += rho);
        }
        K
    });
    lu.factor()
}
