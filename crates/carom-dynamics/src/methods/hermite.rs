//! Quintic Hermite interpolation between two knots.                                       [Haddouni2015] (2.131)–(2.134)
//!
//! ```text
//!   δ(s) = H1 dt v_0 + H2 dt² a_0 + H3 dt² a_1 + H4 dt v_1 + H5 δ_1,      q(s) = q_0 ⊕ δ(s),      v(s) = δ'(s)/dt
//!   H1 = s − 6s³ + 8s⁴ − 3s⁵,            H2 = (s² − 3s³ + 3s⁴ − s⁵)/2,    H3 = (s³ − 2s⁴ + s⁵)/2
//!   H4 = −4s³ + 7s⁴ − 3s⁵,               H5 = 10s³ − 15s⁴ + 6s⁵
//! ```
//!
//! Where bodies turn in space, v_1 and a_1 in δ(s) are δ' and δ'' at the end, and v(s) = T(δ) δ'(s)/dt; v_0 and a_0 are
//! themselves, for T(0) = 1 and δ' × v = 0 there.
//!
//! Error O(dt⁶) in q and O(dt⁵) in v where the knots are as good as that. The source leaves out dt in front of v and a;
//! see its errata. Where positions are of a lower order than the polynomial, v(s) swings by what they miss; the cubic through
//! v and a alone does not, with an error of O(dt⁴):
//!
//! ```text
//!   v(s) = (1 − 3s² + 2s³) v_0 + (s − 2s² + s³) dt a_0 + (3s² − 2s³) v_1 + (s³ − s²) dt a_1
//! ```

use crate::System;
use crate::methods::Knot;

/// Room for [`hermite`]: three times the size of v where bodies turn in space.
pub fn hermite_room(system: &dyn System) -> Vec<f64> {
    vec![0.0; if system.structure().is_flat() { 0 } else { 3 * system.structure().sizes.v }]
}

/// (q, v) at s = θ between two knots; `room` is that of `hermite_room`.
pub fn hermite(
    system: &dyn System,
    from: &Knot,
    to: &Knot,
    theta: f64,
    q: &mut [f64],
    v: &mut [f64],
    room: &mut [f64],
) {
    let (s, dt) = (theta, to.t - from.t);
    let (s2, s3, s4, s5) = (s * s, s * s * s, s.powi(4), s.powi(5));
    let H = [
        dt * (s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5),
        dt * dt * 0.5 * (s2 - 3.0 * s3 + 3.0 * s4 - s5),
        dt * dt * 0.5 * (s3 - 2.0 * s4 + s5),
        dt * (-4.0 * s3 + 7.0 * s4 - 3.0 * s5),
        10.0 * s3 - 15.0 * s4 + 6.0 * s5,
    ];
    let H_dot = [
        1.0 - 18.0 * s2 + 32.0 * s3 - 15.0 * s4,
        dt * 0.5 * (2.0 * s - 9.0 * s2 + 12.0 * s3 - 5.0 * s4),
        dt * 0.5 * (3.0 * s2 - 8.0 * s3 + 5.0 * s4),
        -12.0 * s2 + 28.0 * s3 - 15.0 * s4,
        (30.0 * s2 - 60.0 * s3 + 30.0 * s4) / dt,
    ];
    let n = v.len();
    let curved = !system.structure().is_flat();
    let (v_1, rest) = room.split_at_mut(if curved { n } else { 0 });
    let (a_1, delta) = rest.split_at_mut(if curved { n } else { 0 });
    if curved {
        v_1.copy_from_slice(&to.v);
        a_1.copy_from_slice(&to.a);
        system.chart_acceleration(&to.delta, &to.v, a_1);
        system.chart_rate(&to.delta, v_1);
    }
    let (v_1, a_1): (&[f64], &[f64]) = if curved { (v_1, a_1) } else { (&to.v, &to.a) };
    let mix = |H: &[f64; 5], i: usize| {
        H[0] * from.v[i] + H[1] * from.a[i] + H[2] * a_1[i] + H[3] * v_1[i] + H[4] * to.delta[i]
    };
    // v is room for the increment until it is its own
    for i in 0..n {
        v[i] = mix(&H, i);
    }
    system.retract(&from.q, v, q);
    if curved {
        delta[..n].copy_from_slice(v);
    }
    for i in 0..n {
        v[i] = mix(&H_dot, i);
    }
    if curved {
        system.chart_tangent(delta, v);
    }
}

/// v at s = θ between two knots by the cubic, which knows nothing of positions.
pub fn hermite_velocity(from: &Knot, to: &Knot, theta: f64, v: &mut [f64]) {
    let (s, dt) = (theta, to.t - from.t);
    let (s2, s3) = (s * s, s * s * s);
    let H = [1.0 - 3.0 * s2 + 2.0 * s3, dt * (s - 2.0 * s2 + s3), 3.0 * s2 - 2.0 * s3, dt * (s3 - s2)];
    for i in 0..v.len() {
        v[i] = H[0] * from.v[i] + H[1] * from.a[i] + H[2] * to.v[i] + H[3] * to.a[i];
    }
}
