//! Positions as increments δ in the chart at q: q ⊕ δ, δ' = T⁻¹(δ) v and back.
//!
//! Positions are numbers that are added to, and rotations in space, each a unit quaternion in q with three body rates in v
//! ([`rotation`](crate::rotation)). [`Rotation`] says where they are, so a system with rotations has nothing to write. In a
//! vector space there are none, and every function here but `retract` and `difference` does nothing.
//!
//! **The rule of every formula:** inside a step all positions are increments in the chart at q_n, and what a position
//! equation calls v is the rate δ' = T⁻¹(δ) v. A Runge–Kutta method of order 4 that adds up velocities instead is of order 2
//! where bodies turn in space.

use crate::rotation::{self, HALF_TURN};
use serde::Serialize;

/// A rotation in space among the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rotation {
    /// First of the four numbers of its quaternion in q.
    pub q: usize,
    /// First of its three rates in v.
    pub v: usize,
}

fn three(x: &[f64]) -> [f64; 3] {
    [x[0], x[1], x[2]]
}

fn four(x: &[f64]) -> [f64; 4] {
    [x[0], x[1], x[2], x[3]]
}

/// Calls `each` with the places in q and v and the number of coordinates between rotations, which are added to.
pub(crate) fn between(rotations: &[Rotation], nv: usize, mut each: impl FnMut(usize, usize, usize)) {
    let (mut q, mut v) = (0, 0);
    for rotation in rotations {
        each(q, v, rotation.v - v);
        (q, v) = (rotation.q + 4, rotation.v + 3);
    }
    each(q, v, nv - v);
}

/// out = q ⊕ δ. In a vector space a plain sum, inlined: small mechanisms move three times a step.
#[inline]
pub(crate) fn retract(rotations: &[Rotation], q: &[f64], delta: &[f64], out: &mut [f64]) {
    if rotations.is_empty() {
        for (out, (q, delta)) in out.iter_mut().zip(q.iter().zip(delta)) {
            *out = q + delta;
        }
    } else {
        retract_curved(rotations, q, delta, out);
    }
}

fn retract_curved(rotations: &[Rotation], q: &[f64], delta: &[f64], out: &mut [f64]) {
    between(rotations, delta.len(), |at_q, at_v, n| {
        let sum = q[at_q..].iter().zip(&delta[at_v..at_v + n]);
        for (out, (q, delta)) in out[at_q..].iter_mut().zip(sum) {
            *out = q + delta;
        }
    });
    for at in rotations {
        let turned = rotation::retract(four(&q[at.q..]), three(&delta[at.v..]));
        out[at.q..at.q + 4].copy_from_slice(&turned);
    }
}

/// δ with q_a ⊕ δ = q_b.
pub(crate) fn difference(rotations: &[Rotation], q_a: &[f64], q_b: &[f64], delta: &mut [f64]) {
    between(rotations, delta.len(), |at_q, at_v, n| {
        let both = q_a[at_q..].iter().zip(&q_b[at_q..]);
        for (delta, (a, b)) in delta[at_v..at_v + n].iter_mut().zip(both) {
            *delta = b - a;
        }
    });
    for at in rotations {
        let turn = rotation::difference(four(&q_a[at.q..]), four(&q_b[at.q..]));
        delta[at.v..at.v + 3].copy_from_slice(&turn);
    }
}

/// v becomes δ' = T⁻¹(δ) v.
pub(crate) fn rate(rotations: &[Rotation], delta: &[f64], v: &mut [f64]) {
    for at in rotations {
        let own = rotation::rate(three(&delta[at.v..]), three(&v[at.v..]));
        v[at.v..at.v + 3].copy_from_slice(&own);
    }
}

/// δ' becomes v = T(δ) δ'.
pub(crate) fn tangent(rotations: &[Rotation], delta: &[f64], rate: &mut [f64]) {
    for at in rotations {
        let own = rotation::tangent(three(&delta[at.v..]), three(&rate[at.v..]));
        rate[at.v..at.v + 3].copy_from_slice(&own);
    }
}

/// v' becomes δ''.
pub(crate) fn acceleration(rotations: &[Rotation], delta: &[f64], v: &[f64], a: &mut [f64]) {
    for at in rotations {
        let own = rotation::acceleration(three(&delta[at.v..]), three(&v[at.v..]), three(&a[at.v..]));
        a[at.v..at.v + 3].copy_from_slice(&own);
    }
}

/// x, of axes half a turn δ ago, in the axes of now: exp(−δ/2) x, short of δ³/48.
pub(crate) fn from_half_way(rotations: &[Rotation], delta: &[f64], x: &mut [f64]) {
    for at in rotations {
        let own = rotation::from_half_way(three(&delta[at.v..]), three(&x[at.v..]));
        x[at.v..at.v + 3].copy_from_slice(&own);
    }
}

/// x, fixed in space while bodies turn by dt ω, in the axes of then, short of |dt ω|³/12.
pub(crate) fn carry_on(rotations: &[Rotation], dt: f64, omega: &[f64], x: &mut [f64]) {
    for at in rotations {
        let own = rotation::carry_on(three(&omega[at.v..]).map(|w| dt * w), three(&x[at.v..]));
        x[at.v..at.v + 3].copy_from_slice(&own);
    }
}

/// The first rate of a rotation that δ times `span` turns further than the chart reaches.
pub(crate) fn leaves(rotations: &[Rotation], delta: &[f64], span: f64) -> Option<usize> {
    let far = |at: &&Rotation| {
        let own = three(&delta[at.v..]);
        // NaN is not within the chart either, but its own error says it better
        span * rotation::dot(own, own).sqrt() > HALF_TURN
    };
    rotations.iter().find(far).map(|at| at.v)
}

/// What each coordinate in q takes from the velocity that moves it: `of_v`, of each velocity, in order of q; a number of a
/// quaternion takes that of its rotation's first rate. Coordinates that only follow are left out.
pub(crate) fn in_order_of_q<T: Copy>(rotations: &[Rotation], of_v: &[T]) -> Vec<T> {
    let mut of_q = Vec::with_capacity(of_v.len() + rotations.len());
    let mut v = 0;
    for rotation in rotations {
        of_q.extend_from_slice(&of_v[v..rotation.v]);
        of_q.extend([of_v[rotation.v]; 4]);
        v = rotation.v + 3;
    }
    of_q.extend_from_slice(&of_v[v..]);
    of_q
}

/// 1 over the error that counts as one, of each coordinate, from those of the velocities. A quaternion moves by half of the
/// angle, so its numbers count twice.
pub(crate) fn weights_of_q(rotations: &[Rotation], of_v: &[f64]) -> Vec<f64> {
    let mut weights = in_order_of_q(rotations, of_v);
    for at in rotations {
        weights[at.q..at.q + 4].iter_mut().for_each(|w| *w *= 2.0);
    }
    weights
}

/// q' of the coordinates that velocities move.
pub(crate) fn coordinate_rates(rotations: &[Rotation], q: &[f64], v: &[f64], out: &mut [f64]) {
    between(rotations, v.len(), |at_q, at_v, n| {
        out[at_q..at_q + n].copy_from_slice(&v[at_v..at_v + n]);
    });
    for at in rotations {
        // p' = p ∘ (0, ω)/2
        let [x, y, z] = three(&v[at.v..]);
        let p_dot = rotation::product(four(&q[at.q..]), [0.0, 0.5 * x, 0.5 * y, 0.5 * z]);
        out[at.q..at.q + 4].copy_from_slice(&p_dot);
    }
}
