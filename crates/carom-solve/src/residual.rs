//! The one measure of an answer, whoever found it.
//!
//! With U = Ŵ P + U_free and w_c > 0 the largest diagonal entry of the block of contact c,
//!
//! ```text
//!   F_c  = P_c − proj_K( P_c − (U_c + μ_c |U_T,c| e_N) / w_c )           natural map, de Saxcé shift   [DeSaxce1998]
//!   res  = max_c √w_c |F_c|  /  max_c max( |U_free,c| / √w_c , √w_c |P_c| )
//! ```
//!
//! √w |P| and |U| / √w are both square roots of an energy, so the quotient has no unit, even when rows of force and
//! of torque meet in one problem, and scaling mass, length or time changes nothing. The denominator contains P
//! because that is what the rounding of Ŵ P is relative to: for positive semidefinite Ŵ,
//! |Ŵ_ij| ≤ √(w_i w_j), so a P correct to the last bit has a residual of a few n·2⁻⁵³, however ill-conditioned Ŵ is,
//! and a residual r means that P solves exactly a problem whose data differ by about r.
//! A problem at rest with P = 0 has residual 0. Anything not finite has residual ∞.
//!
//! A contact that nothing moves (w_c = 0) borrows the largest w of the problem, or 1.

use crate::frame::dot;
use crate::{ContactProblem, Delassus, Law};

/// The documented, dimensionless residual of P. Allocates nothing.
pub fn residual(problem: &ContactProblem<'_>, P: &[f64]) -> f64 {
    match problem.W_hat.dense() {
        Some(W) => measure(problem, P, |i| dot(W.row(i), P), |i| W[(i, i)]),
        None => {
            let row = |i| P.iter().enumerate().map(|(j, p)| problem.W_hat.entry(i, j) * p).sum();
            measure(problem, P, row, |i| problem.W_hat.entry(i, i))
        }
    }
}

/// The same residual when Ŵ P is already known.
pub fn residual_from(problem: &ContactProblem<'_>, P: &[f64], W_hat_P: &[f64]) -> f64 {
    measure(problem, P, |i| W_hat_P[i], |i| problem.W_hat.entry(i, i))
}

/// Scale w of a contact from the diagonal of its block.
#[inline]
pub(crate) fn block_scale(first: usize, dim: usize, diagonal: impl Fn(usize) -> f64) -> f64 {
    (first..first + dim).map(|i| diagonal(i).abs()).fold(0.0, f64::max)
}

/// What a contact with w = 0 uses instead.
#[cold]
pub(crate) fn borrowed_scale(W_hat: &dyn Delassus) -> f64 {
    let largest = (0..W_hat.rows()).map(|i| W_hat.entry(i, i).abs()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// What one contact adds: w |F|², and max(|U_free|²/w, w |P|²), its size.
#[inline]
pub(crate) fn contact_term(law: &Law, w: f64, rho: f64, U: &[f64], U_free: &[f64], P: &[f64]) -> (f64, f64) {
    let F = law.residual(U, P, rho);
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    (w * F * F, (square(U_free) * rho).max(w * square(P)))
}

#[inline]
fn measure(
    problem: &ContactProblem<'_>,
    P: &[f64],
    W_hat_P: impl Fn(usize) -> f64,
    diagonal: impl Fn(usize) -> f64,
) -> f64 {
    let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
    let mut first = 0;
    for law in problem.laws {
        let dim = law.dim();
        let mut w = block_scale(first, dim, &diagonal);
        if w <= 0.0 || !w.is_finite() {
            w = borrowed_scale(problem.W_hat);
        }
        let rows = first..first + dim;
        let mut U = [0.0; 3];
        for (U, i) in U.iter_mut().zip(rows.clone()) {
            *U = W_hat_P(i) + problem.U_free[i];
        }
        let (F, size) = contact_term(law, w, 1.0 / w, &U[..dim], &problem.U_free[rows.clone()], &P[rows]);
        if !(F.is_finite() && size.is_finite()) {
            return f64::INFINITY;
        }
        worst = worst.max(F);
        scale = scale.max(size);
        first += dim;
    }
    if worst == 0.0 { 0.0 } else { (worst / scale).sqrt() }
}
