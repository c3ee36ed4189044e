//! One Gauss–Seidel sweep over bodies: Ŵ is not formed, v = Gᵀ P is kept up to date contact by contact (`bodies.rs`).
//!
//! ```text
//!   q_c = U_free,c + G_c v − Ŵ_cc P_c,      P_c ← exact answer of contact c for (Ŵ_cc, q_c),      v ← v + G_cᵀ δP_c
//! ```
//!
//! v begins each sweep with a fresh sum, so that roundings do not pile up.

use crate::many::Many;
use crate::{Bodies, Law, exact, rolling};

/// Sweeps over contacts in this order.
pub(crate) fn sweep(
    view: &Many<'_>,
    bodies: &Bodies,
    P: &mut [f64],
    v: &mut Vec<f64>,
    order: impl Iterator<Item = usize>,
) {
    v.resize(bodies.velocities(), 0.0);
    bodies.momentum(P, v);
    for c in order {
        let rows = view.W.rows_of(c);
        let dim = rows.len();
        let law: &Law = &view.laws[c];
        if let Law::SpatialRolling { .. } = law {
            let (mut U, mut old) = ([0.0; 5], [0.0; 5]);
            U.copy_from_slice(&view.U_free[rows.clone()]);
            old.copy_from_slice(&P[rows.clone()]);
            bodies.pull(c, v, &mut U);
            let new = rolling::solve_from(law, view.W.diagonal(c), U, old);
            let change: [f64; 5] = std::array::from_fn(|i| new[i] - old[i]);
            bodies.push(c, &change, v);
            P[rows].copy_from_slice(&new);
            continue;
        }
        let (mut q, mut old) = ([0.0; 3], [0.0; 3]);
        q[..dim].copy_from_slice(&view.U_free[rows.clone()]);
        old[..dim].copy_from_slice(&P[rows.clone()]);
        bodies.pull(c, v, &mut q[..dim]);
        let block = view.W.diagonal(c);
        for i in 0..dim {
            for j in 0..dim {
                q[i] -= block[i * dim + j] * old[j];
            }
        }
        let new = exact::solve(law, block, q, old);
        let change: [f64; 3] = std::array::from_fn(|i| new[i] - old[i]);
        bodies.push(c, &change[..dim], v);
        P[rows].copy_from_slice(&new[..dim]);
    }
}
