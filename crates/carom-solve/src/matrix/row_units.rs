//! Rows of a second disk in the units of the others.
//!
//! Ω_R is an angular velocity and M_R a moment, so their rows of Ŵ are larger or smaller than those of N and T by the square
//! of a length, and one step 1/w per contact would be wrong for some of them. Solvers therefore work on
//!
//! ```text
//!   M' = M_R / ℓ,   Ω' = ℓ Ω_R,   μ_r' = μ_r / ℓ,      ℓ = √(w / w_R)      w, w_R the largest diagonal entries of (N, T) and of R
//! ```
//!
//! which is the same problem, and whose blocks have w_R = w. Problems without second disks pass as they are.

use crate::measure::residual::two_disk_scale;
use crate::{BlockMatrix, Bodies, ContactProblem, Delassus, Law, SolveReport, SquareMatrix};

/// ℓ this near to 1 is 1.
const ROUNDING: f64 = 1e-9;

/// Memory for the problem in even rows.
#[derive(Debug, Default)]
pub(crate) struct RowUnits {
    dense: SquareMatrix,
    blocks: BlockMatrix,
    bodies: Bodies,
    U_free: Vec<f64>,
    laws: Vec<Law>,
    P: Vec<f64>,
    /// ℓ in rolling rows, 1 in the others.
    scale: Vec<f64>,
}

/// Whether some contact has rows in other units than its first.
#[inline]
pub(crate) fn uneven(problem: &ContactProblem<'_>) -> bool {
    problem.laws.iter().any(Law::has_two_disks) && has_lengths(problem)
}

#[inline(never)]
fn has_lengths(problem: &ContactProblem<'_>) -> bool {
    let mut first = 0;
    problem.laws.iter().any(|law| {
        let at = first;
        first += law.dim();
        (length(problem.W_hat, law, at) - 1.0).abs() > ROUNDING
    })
}

fn length(W_hat: &dyn Delassus, law: &Law, first: usize) -> f64 {
    if law.has_two_disks() { two_disk_scale(law, first, |i| W_hat.entry(i, i)).1 } else { 1.0 }
}

impl RowUnits {
    /// Solves in even rows; P comes and goes in its own.
    #[cold]
    pub fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        P: &mut [f64],
        solve: impl FnOnce(&ContactProblem<'_>, &mut [f64]) -> SolveReport,
    ) -> SolveReport {
        let Self { dense, blocks, bodies, U_free, laws, P: even, scale } = self;
        scale.clear();
        laws.clear();
        for law in problem.laws {
            let length = length(problem.W_hat, law, scale.len());
            let second = 1 + usize::from(law.disk_rows()[0]);
            scale.extend((0..law.dim()).map(|k| if k < second { 1.0 } else { length }));
            laws.push(law.with_length(length));
        }
        U_free.clear();
        U_free.extend(problem.U_free.iter().zip(&*scale).map(|(U, s)| U * s));
        even.clear();
        even.extend(P.iter().zip(&*scale).map(|(P, s)| P / s));
        let given = problem.W_hat;
        let W_hat: &dyn Delassus = match (given.dense(), given.blocks(), given.bodies()) {
            (Some(W), _, _) => {
                dense.copy_from(W);
                for (i, s) in scale.iter().enumerate() {
                    dense.row_mut(i).iter_mut().zip(&*scale).for_each(|(w, t)| *w *= s * t);
                }
                dense
            }
            (None, Some(W), _) => {
                blocks.copy_scaled(W, scale);
                blocks
            }
            (None, None, Some(W)) => {
                bodies.copy_scaled(W, scale);
                bodies
            }
            (None, None, None) => {
                let mut whole = BlockMatrix::default();
                whole.copy_from(problem.W_hat, problem.laws);
                blocks.copy_scaled(&whole, scale);
                blocks
            }
        };
        let report = solve(&ContactProblem { W_hat, U_free, laws }, even);
        P.iter_mut().zip(&*even).zip(&*scale).for_each(|((P, even), s)| *P = even * s);
        report
    }
}
