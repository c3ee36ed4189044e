//! Forces that act along measures between two frames, and what they add to the tangents.
//!
//! ```text
//!   measures z_k(q) with covectors g_k = (f, m_a, m_b),   ż_k = g_k·(ḋ, Ω_a, Ω_b),   forces F_k(t, z, ż)
//!   h_i = −F_k g_k·c_i                      c_i = ∂(ḋ, Ω_a, Ω_b)/∂v_i   the columns of the two places
//!   K_ij = c_i·(g_k ∂F_k/∂δ_j + F_k dg_k[c_j]) + F_k g_k·∂c_i/∂δ_j,        C_ij = c_i·g_k ∂F_k/∂v_j
//! ```
//!
//! dg[w] is the change of the covector by a motion w. A force says what stands in the brackets, column by column.

use crate::geometry::space::V3;
use crate::geometry::{Space, Vector, scale};
use crate::joints::{Covector, FrameRates, Pair, Seen};
use crate::place::{Column, Place};
use carom_dynamics::Configuration;

/// h −= F_k g_k·c_i, with the sum F_k g_k as one covector.
#[inline]
pub fn add(pair: &Pair, at: &Configuration, seen: &Seen, sum: &Covector, points: bool, h: &mut [f64]) {
    pair.entries(at, seen, sum, points, |i, value| h[i] -= value);
}

/// Calls `each(index, column, its change ∂(ḋ, Ω_a, Ω_b)/∂δ_j at fixed v)`; those that move nothing are left out.
#[inline]
pub fn columns(
    pair: &Pair,
    at: &Configuration,
    seen: &Seen,
    points: bool,
    mut each: impl FnMut(usize, &FrameRates, &FrameRates),
) {
    let ends = [(pair.a.place(), seen.arms[0], true), (pair.b.place(), seen.arms[1], false)];
    for (place, arm, first) in ends {
        place.columns(at, arm, |column: Column<Space>| {
            if !points && column.s == V3::ZERO {
                return;
            }
            let s_dot = Place::spin_rate(place, at, &column);
            let of = |J: V3, s: V3| {
                if first {
                    FrameRates { d: scale(-1.0, J), a: s, b: V3::ZERO }
                } else {
                    FrameRates { d: J, a: V3::ZERO, b: s }
                }
            };
            each(column.index, &of(column.J, column.s), &of(column.J_dot, s_dot));
        });
    }
}

/// Entries of K and C: `change(c_j, its change)` gives g_k ∂F_k/∂δ_j + F_k dg_k[c_j] and g_k ∂F_k/∂v_j.
#[inline]
pub fn tangents(
    pair: &Pair,
    at: &Configuration,
    seen: &Seen,
    sum: &Covector,
    points: bool,
    change: impl Fn(&FrameRates, &FrameRates) -> (Covector, Covector),
    mut entry: impl FnMut(usize, usize, f64, f64),
) {
    columns(pair, at, seen, points, |j, c_j, c_dot| {
        let (K, C) = change(c_j, c_dot);
        columns(pair, at, seen, points, |i, c_i, _| entry(i, j, K.times(c_i), C.times(c_i)));
    });
    let ends = [(&pair.a, -1.0, sum.a, seen.arms[0]), (&pair.b, 1.0, sum.b, seen.arms[1])];
    for (framed, sign, m, arm) in ends {
        let place = framed.place();
        if points {
            place.curvature(at, scale(sign, sum.f), arm, |i, j, value| entry(i, j, value, 0.0));
        }
        place.spin_curvature(at, m, |i, j, value| entry(i, j, value, 0.0));
    }
}
