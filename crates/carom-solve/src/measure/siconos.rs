//! The measure that Siconos' numerics puts on an answer, so that figures of the two compare.
//!
//! ```text
//!   U   = Ŵ P + U_free
//!   F_c = P_c − proj_K( P_c − (U_c + s_c e_N) ),   s = μ |U_T| + μ_r |Ω_R|      natural map with ρ = 1, de Saxcé shift  [DeSaxce1998]
//!   err = √(Σ_c |F_c|²)  /  max( |U_free|, |P|, |U| )                 Euclidean norms over all rows
//! ```
//!
//! This is `fc3d_compute_error`, `fc2d_compute_error` and, with rolling resistance, `rolling_friction_3d_compute_error`
//! (Siconos: numerics/src/FrictionContact/fc3d_compute_error.c, fc2d_compute_error.c and
//! numerics/src/RollingFrictionContact/rolling_friction_3d_compute_error.c, with their argument `norm` = |q|). A denominator below the rounding unit is left out, as there.
//! Rows of other laws enter with their own natural map: |U| of a bilateral row, |min(P, U)| of a unilateral one.
//!
//! The sum P − U adds impulses and velocities, so this number changes with the units of mass, and it forgives much where
//! impulses are large; [`residual`](crate::residual()) does neither. It is there to be compared, not to be believed.

use crate::{ContactProblem, Law};

/// The relative error of P as Siconos' numerics measures it; ∞ if anything is not finite.
pub fn natural_map_error(problem: &ContactProblem<'_>, P: &[f64]) -> f64 {
    let mut U = vec![0.0; P.len()];
    problem.W_hat.apply(P, &mut U);
    U.iter_mut().zip(problem.U_free).for_each(|(U, free)| *U += free);
    natural_map_error_from(problem.laws, problem.U_free, P, &U)
}

/// The same when U is already known.
pub fn natural_map_error_from(laws: &[Law], U_free: &[f64], P: &[f64], U: &[f64]) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let (mut sum, mut first) = (0.0, 0);
    for law in laws {
        let rows = first..first + law.dim();
        let F = law.residual(&U[rows.clone()], &P[rows.clone()], 1.0);
        sum += F * F;
        first = rows.end;
    }
    let (free, P, U) = (square(U_free).sqrt(), square(P).sqrt(), square(U).sqrt());
    let scale = free.max(P).max(U);
    let error = if scale > f64::EPSILON { sum.sqrt() / scale } else { sum.sqrt() };
    if (error + free + P + U).is_finite() { error } else { f64::INFINITY }
}
