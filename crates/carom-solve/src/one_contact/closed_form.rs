//! One contact, solved in closed form: u = W p + q with the contact's own block W.
//!
//! One row: a clamp. Plane: open, stick, slide either way, in this order, the first that obeys the law. Space: the same,
//! where sliding along t(θ) leaves one equation in the angle θ:
//!
//! ```text
//!   p = p_N (1, −μ t),   D(θ) p_N = −q_N,   D(θ) = W_NN − μ W_NT·t            (U_N = 0)
//!   G(θ) = D (q_T · t⊥) − q_N (W_TN − μ W_TT t) · t⊥ = 0                      (U_T parallel to t)
//!   H(θ) = D (q_T · t)  − q_N (W_TN − μ W_TT t) · t  ≥ 0,   D > 0             (U_T along +t)
//! ```
//!
//! G is a trigonometric polynomial of degree two, so it has at most four roots.
//!
//! A mechanism may hold the contact in some direction: a linkage that moves in a plane has no velocity across it. Then W is singular,
//! and what sticks does so with the least p: nothing acts along what cannot move.

use crate::{Law, Normal};

/// A block counts as singular when its determinant is this small relative to its diagonal: to the product, or in space to the
/// third power of the largest entry. An eigenvalue this small against the largest is zero.
const SINGULAR: f64 = 1e-13;
/// A velocity that is left over counts as none when it is this small against those there were.
const STOPS: f64 = 1e-12;
/// Angles at which G is sampled for sign changes; its four roots are found unless two are closer than 2π/32.
const SAMPLES: usize = 32;

/// P of one contact alone, from its block (rows of W) and the velocity q it has without its own P.
#[inline(always)]
pub(crate) fn solve(law: &Law, W: &[[f64; 3]; 3], q: &[f64; 3]) -> [f64; 3] {
    match law.disk_rows() {
        [0, _] => [scalar(law, W[0][0], q[0]), 0.0, 0.0],
        [1, 0] => {
            let p = planar(law.friction(), [[W[0][0], W[0][1]], [W[1][0], W[1][1]]], [q[0], q[1]]);
            [p[0], p[1], 0.0]
        }
        [_, 0] => spatial(law.friction(), W, q),
        _ => unreachable!("two disks are solved in `two_disks.rs`"),
    }
}

/// P of a contact with one row.
#[inline]
pub(crate) fn scalar(law: &Law, w: f64, q: f64) -> f64 {
    // A row that nothing moves: no finite P changes U, so the one nearest to zero that the law allows.
    let p = if w > 0.0 { -q / w } else { 0.0 };
    match (law.normal(), law.interval()) {
        (Normal::HalfLine, _) => p.max(0.0),
        (_, Some([low, high])) if w > 0.0 => p.clamp(low, high),
        (_, Some([low, high])) if q != 0.0 => {
            if q.is_sign_negative() {
                high
            } else {
                low
            }
        }
        (_, Some([low, high])) => 0.0_f64.clamp(low, high),
        _ => p,
    }
}

/// P = (P_N, P_T) of one planar Coulomb contact.
pub(crate) fn planar(mu: f64, W: [[f64; 2]; 2], q: [f64; 2]) -> [f64; 2] {
    let [[a, b], [c, d]] = W;
    let [q_N, q_T] = q;
    if q_N >= 0.0 {
        return [0.0, 0.0];
    }
    // Stick: W p = −q inside the cone.
    let det = a * d - b * c;
    if det > SINGULAR * (a * d).abs() {
        let p_N = (b * q_T - d * q_N) / det;
        let p_T = (c * q_N - a * q_T) / det;
        if p_N >= 0.0 && p_T.abs() <= mu * p_N {
            return [p_N, p_T];
        }
    } else if a > 0.0 {
        // Both rows move together: if U_N = 0 stops U_T as well, the smallest such p.
        let k = -q_N / (a * a + b * b);
        let p = [k * a, k * b];
        let u_T = q_T + c * p[0] + d * p[1];
        let stops = u_T.abs() <= 1e-13 * (q_T.abs() + (c * p[0]).abs() + (d * p[1]).abs());
        if stops && p[1].abs() <= mu * p[0] {
            return p;
        }
    }
    // Slide towards s: p_T = −s μ p_N. Rounding may leave both a hair off at the edge of the cone; take the better.
    let mut best = [0.0, 0.0];
    let mut smallest = f64::INFINITY;
    for s in [1f64.copysign(q_T), -1f64.copysign(q_T)] {
        let D = a - s * mu * b;
        if D > 0.0 {
            let p_N = -q_N / D;
            let wrong_way = -s * (q_T + (c - s * mu * d) * p_N);
            if wrong_way <= 0.0 {
                return [p_N, -s * mu * p_N];
            }
            if wrong_way < smallest {
                smallest = wrong_way;
                best = [p_N, -s * mu * p_N];
            }
        }
    }
    best
}

/// P = (P_N, P_T1, P_T2) of one spatial Coulomb contact.
pub(crate) fn spatial(mu: f64, W: &[[f64; 3]; 3], q: &[f64; 3]) -> [f64; 3] {
    if q[0] >= 0.0 {
        return [0.0; 3];
    }
    if let Some(p) = solve_3(W, q).or_else(|| least(W, q))
        && p[0] >= 0.0
        && p[1].hypot(p[2]) <= mu * p[0]
    {
        return p;
    }
    // G and its derivative by the angle, H and D, at the direction t.
    let at = |t: [f64; 2]| {
        let n = [-t[1], t[0]];
        let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
        let W_T = |x: [f64; 2]| [W[1][1] * x[0] + W[1][2] * x[1], W[2][1] * x[0] + W[2][2] * x[1]];
        let (W_NT, W_TN, q_T) = ([W[0][1], W[0][2]], [W[1][0], W[2][0]], [q[1], q[2]]);
        let D = W[0][0] - mu * dot(W_NT, t);
        let (W_t, W_n) = (W_T(t), W_T(n));
        let v = [W_TN[0] - mu * W_t[0], W_TN[1] - mu * W_t[1]];
        let G = D * dot(q_T, n) - q[0] * dot(v, n);
        let H = D * dot(q_T, t) - q[0] * dot(v, t);
        let dD = -mu * dot(W_NT, n);
        let dG = dD * dot(q_T, n) - D * dot(q_T, t) - q[0] * (-mu * dot(W_n, n) - dot(v, t));
        (G, dG, H, D)
    };
    let answer = |t: [f64; 2], D: f64| {
        let p_N = -q[0] / D;
        [p_N, -mu * p_N * t[0], -mu * p_N * t[1]]
    };
    let size = (W[0][0].abs() + mu * (W[0][1].abs() + W[0][2].abs())) * q[1].hypot(q[2])
        + q[0].abs() * ((W[1][0].abs() + W[2][0].abs()) + mu * (W[1][1].abs() + W[2][2].abs()));
    // Newton in θ from the direction of the free sliding velocity finds most roots in a few steps.
    let mut theta = if q[1] == 0.0 && q[2] == 0.0 { W[2][0].atan2(W[1][0]) } else { q[2].atan2(q[1]) };
    for _ in 0..12 {
        let t = [theta.cos(), theta.sin()];
        let (G, dG, H, D) = at(t);
        if G.abs() <= 4.0 * f64::EPSILON * size {
            if H >= 0.0 && D > 0.0 {
                return answer(t, D);
            }
            break;
        }
        let step = -G / dG;
        if !step.is_finite() {
            break;
        }
        theta += step.clamp(-0.5, 0.5);
    }
    // All sign changes of G round the circle, each closed by bisection; the one that slides most against its impulse.
    let mut best = [0.0; 3];
    let mut found = f64::NEG_INFINITY;
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / SAMPLES as f64;
    let value = |theta: f64| at([theta.cos(), theta.sin()]).0;
    for k in 0..SAMPLES {
        let (mut lo, mut hi) = (angle(k), angle(k + 1));
        let (G_lo, G_hi) = (value(lo), value(hi));
        if (G_lo > 0.0) == (G_hi > 0.0) {
            continue;
        }
        for _ in 0..60 {
            let mid = 0.5 * (lo + hi);
            if (value(mid) > 0.0) == (G_lo > 0.0) {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        let theta = 0.5 * (lo + hi);
        let t = [theta.cos(), theta.sin()];
        let (_, _, H, D) = at(t);
        if D > 0.0 && H > found {
            found = H;
            best = answer(t, D);
        }
    }
    best
}

/// −W⁻¹ q for a 3 × 3 block, unless it is singular.
fn solve_3(W: &[[f64; 3]; 3], q: &[f64; 3]) -> Option<[f64; 3]> {
    let cross = |x: &[f64; 3], y: &[f64; 3]| {
        [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    };
    let (r12, r20, r01) = (cross(&W[1], &W[2]), cross(&W[2], &W[0]), cross(&W[0], &W[1]));
    let det: f64 = (0..3).map(|i| W[0][i] * r12[i]).sum();
    // against the largest entry: a row that nothing moves is round-off of any size
    let w = W[0][0].abs().max(W[1][1].abs()).max(W[2][2].abs());
    if det <= SINGULAR * (w * w * w) {
        return None;
    }
    // The columns of W⁻¹ are the cross products of the rows over the determinant.
    Some(std::array::from_fn(|i| -(r12[i] * q[0] + r20[i] * q[1] + r01[i] * q[2]) / det))
}

/// Sweeps that diagonalise a 3 × 3 matrix; they converge quadratically.
const SWEEPS: usize = 12;

/// The shortest p with W p = −q for a symmetric block that is singular; none where there is no such p.
#[cold]
fn least(W: &[[f64; 3]; 3], q: &[f64; 3]) -> Option<[f64; 3]> {
    // Jacobi's method: A ← Rᵀ A R until it is diagonal, V ← V R
    let mut A: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (W[i][j] + W[j][i])));
    let mut V = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if A[i][j] == 0.0 {
                continue;
            }
            let theta = 0.5 * (A[j][j] - A[i][i]) / A[i][j];
            let t = 1f64.copysign(theta) / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for k in 0..3 {
                (A[k][i], A[k][j]) = (c * A[k][i] - s * A[k][j], s * A[k][i] + c * A[k][j]);
                (V[k][i], V[k][j]) = (c * V[k][i] - s * V[k][j], s * V[k][i] + c * V[k][j]);
            }
            for k in 0..3 {
                (A[i][k], A[j][k]) = (c * A[i][k] - s * A[j][k], s * A[i][k] + c * A[j][k]);
            }
        }
    }
    let largest = A[0][0].max(A[1][1]).max(A[2][2]);
    let mut p = [0.0; 3];
    for k in (0..3).filter(|&k| A[k][k] > SINGULAR * largest) {
        let along = -(0..3).map(|i| V[i][k] * q[i]).sum::<f64>() / A[k][k];
        (0..3).for_each(|i| p[i] += along * V[i][k]);
    }
    let size = q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    let stays = (0..3).all(|i| {
        let U = q[i] + (0..3).map(|j| W[i][j] * p[j]).sum::<f64>();
        U.abs() <= STOPS * size
    });
    (largest > 0.0 && stays).then_some(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linkage that moves in the plane of N and a direction in the plane of contact, seen from tangents turned by any angle.
    #[test]
    fn nothing_acts_along_what_cannot_move() {
        for turned in [0.0f64, 0.3, 1.1, 2.9] {
            let (c, s) = (turned.cos(), turned.sin());
            for across in [0.0, 1e-18] {
                // rows N, along, across
                let plain = [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, across]];
                let R = [[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]];
                let W = std::array::from_fn(|i| {
                    std::array::from_fn(|j| {
                        (0..9).map(|k| R[i][k / 3] * plain[k / 3][k % 3] * R[j][k % 3]).sum()
                    })
                });
                let q = [-1.0, 0.1 * c, -0.1 * s];
                let p = spatial(0.7, &W, &q);
                // 2 N + T/2 = 1, N/2 + T = −0.1
                let (N, T) = (0.6, -0.4);
                for (p, exact) in p.into_iter().zip([N, T * c, -T * s]) {
                    assert!((p - exact).abs() < 1e-12, "{turned} {across}: {p} {exact}");
                }
                // it slides along what moves: U_N = 0, T = −μ N against the velocity
                let p = spatial(0.2, &W, &[-1.0, 5.0 * c, -5.0 * s]);
                let N = 1.0 / (2.0 - 0.5 * 0.2);
                for (p, exact) in p.into_iter().zip([N, -0.2 * N * c, 0.2 * N * s]) {
                    assert!((p - exact).abs() < 1e-12, "{turned} {across}: {p} {exact}");
                }
            }
        }
    }
}
