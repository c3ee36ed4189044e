//! One contact with its neighbours held, from where it was: u = W p + q, fast when little changes and right always.
//!
//! The equations are those of `closed_form.rs`. Four things are added:
//!
//! 1. The sliding direction is sought by Newton's method from the one before, turning a unit vector and never an angle:
//!    late in an iteration one or two steps of twenty products each.
//! 2. A block that is (nearly) singular is solved in proximal form, W + δ w with q − δ w p_old in place of q: regular, and
//!    its fixed points are those of the law. It is asked for only where the determinant says so.
//! 3. Where a block is diagonal and alike in all tangential directions, as between spheres, two divisions say it all.
//! 4. Every answer that did not come from the short way is measured; where rounding or an indefinite block spoils the
//!    closed form, projected steps p ← A(p − u/w) are tried and the better of both is taken.

use crate::Law;
use crate::one_contact::closed_form;

/// Relative determinant below which the proximal form is used.
const NEARLY_SINGULAR: f64 = 1e-9;
/// δ of the proximal form: a block of rank one keeps a determinant of δ², six digits, and in the regular directions a
/// thousandth of what is to be corrected is left to the next sweep.
const PROXIMAL: f64 = 1e-3;
/// Turns of the sliding direction before the closed form is asked.
const TURNS: usize = 10;
/// A turn after which the direction is right to the last digits, its square being rounding.
const SMALL_TURN: f64 = 1e-7;
/// Natural map, relative to the size of p, at which an answer counts as found.
const FOUND: f64 = 1e-11;
/// Entries beside the diagonal below this part of it are none, and so are differences between its tangential two: round-off of what
/// they are summed from.
const ISOTROPIC: f64 = 16.0 * f64::EPSILON;
/// Projected steps in the last resort.
const STEPS: usize = 40;

/// P of one contact from its block (row by row), the velocity q it has without its own P, and the P it had.
#[inline]
pub(crate) fn solve(law: &Law, block: &[f64], q: [f64; 3], old: [f64; 3]) -> [f64; 3] {
    match law.disk_rows() {
        [0, _] => [closed_form::scalar(law, block[0], q[0]), 0.0, 0.0],
        [1, 0] => {
            let W = [[block[0], block[1]], [block[2], block[3]]];
            let p = closed_form::planar(law.friction(), W, [q[0], q[1]]);
            [p[0], p[1], 0.0]
        }
        [_, 0] => {
            let b: &[f64; 9] = block.try_into().expect("three rows and columns");
            spatial(law.friction(), [[b[0], b[1], b[2]], [b[3], b[4], b[5]], [b[6], b[7], b[8]]], q, old)
        }
        _ => unreachable!("two disks are solved in `two_disks.rs`"),
    }
}

/// The spatial contact.
pub(crate) fn spatial(mu: f64, mut W: [[f64; 3]; 3], mut q: [f64; 3], old: [f64; 3]) -> [f64; 3] {
    if q[0] >= 0.0 {
        return [0.0; 3];
    }
    if mu == 0.0 {
        let p_N = if W[0][0] > 0.0 { -q[0] / W[0][0] } else { 0.0 };
        return [p_N, 0.0, 0.0];
    }
    let cross = |x: &[f64; 3], y: &[f64; 3]| {
        [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    };
    let dot3 = |x: &[f64; 3], y: &[f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    let w = W[0][0].abs().max(W[1][1].abs()).max(W[2][2].abs());
    if let Some(p) = isotropic(mu, w, &W, &q) {
        return p;
    }
    let mut r12 = cross(&W[1], &W[2]);
    let mut det = dot3(&W[0], &r12);
    if det <= NEARLY_SINGULAR * w * w * w {
        for i in 0..3 {
            W[i][i] += PROXIMAL * w;
            q[i] -= PROXIMAL * w * old[i];
        }
        if q[0] >= 0.0 {
            return [0.0; 3];
        }
        r12 = cross(&W[1], &W[2]);
        det = dot3(&W[0], &r12);
    }
    // stick: p = −W⁻¹ q inside the cone; the columns of W⁻¹ are cross products of rows over the determinant
    let (r20, r01) = (cross(&W[2], &W[0]), cross(&W[0], &W[1]));
    let p: [f64; 3] = std::array::from_fn(|i| -(r12[i] * q[0] + r20[i] * q[1] + r01[i] * q[2]));
    if det > 0.0 && p[0] >= 0.0 && p[1] * p[1] + p[2] * p[2] <= mu * mu * p[0] * p[0] {
        return p.map(|p| p / det);
    }
    // slide: against the friction there was, else along the velocity there would be
    let free = [q[1], q[2]];
    for start in [[-old[1], -old[2]], free] {
        if let Some(p) = slide(mu, &W, &q, start) {
            return p;
        }
    }
    by_all_means(mu, w, &W, &q, old)
}

/// Where nothing couples the directions and all tangential ones are alike, as between spheres: friction is against q_T, whatever its
/// size. None where the block is another.
#[inline]
fn isotropic(mu: f64, w: f64, W: &[[f64; 3]; 3], q: &[f64; 3]) -> Option<[f64; 3]> {
    let zero = ISOTROPIC * w;
    let coupled = [W[0][1], W[0][2], W[1][0], W[1][2], W[2][0], W[2][1], W[1][1] - W[2][2]];
    if W[0][0] <= zero || W[1][1] <= zero || coupled.iter().any(|x| x.abs() > zero) {
        return None;
    }
    let p_N = -q[0] / W[0][0];
    let bound = mu * p_N;
    let size = (q[1] * q[1] + q[2] * q[2]).sqrt();
    let scale = if size <= bound * W[1][1] { -1.0 / W[1][1] } else { -bound / size };
    Some([p_N, scale * q[1], scale * q[2]])
}

/// Newton's method on G(t) = 0 over unit vectors t; none if it does not end in an answer.
#[inline]
fn slide(mu: f64, W: &[[f64; 3]; 3], q: &[f64; 3], start: [f64; 2]) -> Option<[f64; 3]> {
    let inverse = 1.0 / (start[0] * start[0] + start[1] * start[1]).sqrt();
    if !inverse.is_finite() {
        return None;
    }
    let mut t = [start[0] * inverse, start[1] * inverse];
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    let (W_NT, W_TN, q_T) = ([W[0][1], W[0][2]], [W[1][0], W[2][0]], [q[1], q[2]]);
    let W_T = |x: [f64; 2]| [W[1][1] * x[0] + W[1][2] * x[1], W[2][1] * x[0] + W[2][2] * x[1]];
    // what G is made of, for the size of its rounding
    let size = (W[0][0].abs() + mu * (W_NT[0].abs() + W_NT[1].abs())) * (q_T[0].abs() + q_T[1].abs())
        + q[0].abs() * (W_TN[0].abs() + W_TN[1].abs() + mu * (W[1][1].abs() + W[2][2].abs()));
    for _ in 0..TURNS {
        let n = [-t[1], t[0]];
        let D = W[0][0] - mu * dot(W_NT, t);
        let W_t = W_T(t);
        let v = [W_TN[0] - mu * W_t[0], W_TN[1] - mu * W_t[1]];
        let G = D * dot(q_T, n) - q[0] * dot(v, n);
        let H = D * dot(q_T, t) - q[0] * dot(v, t);
        if G.abs() <= 4.0 * f64::EPSILON * size {
            let p_N = -q[0] / D;
            return (H >= 0.0 && D > 0.0).then_some([p_N, -mu * p_N * t[0], -mu * p_N * t[1]]);
        }
        // dG/dθ, where dt = n dθ and dn = −t dθ
        let dG = -mu * dot(W_NT, n) * dot(q_T, n) - H + q[0] * mu * dot(W_T(n), n);
        let turn = -G / dG;
        if !turn.is_finite() {
            return None;
        }
        // by twice the angle whose tangent is half the turn: a rotation with one division
        let half = 0.5 * turn.clamp(-0.5, 0.5);
        let scale = 1.0 / (1.0 + half * half);
        let (c, s) = ((1.0 - half * half) * scale, 2.0 * half * scale);
        t = [c * t[0] + s * n[0], c * t[1] + s * n[1]];
        if turn.abs() <= SMALL_TURN && H > 0.0 {
            let D = W[0][0] - mu * dot(W_NT, t);
            let p_N = -q[0] / D;
            return (D > 0.0).then_some([p_N, -mu * p_N * t[0], -mu * p_N * t[1]]);
        }
    }
    None
}

/// The closed form round the whole circle, measured; projected steps where that is not enough.
#[cold]
fn by_all_means(mu: f64, w: f64, W: &[[f64; 3]; 3], q: &[f64; 3], old: [f64; 3]) -> [f64; 3] {
    let law = Law::spatial_coulomb(mu);
    let size = |p: &[f64; 3]| {
        p.iter().map(|p| p.abs()).fold(q.iter().map(|q| q.abs() / w).fold(0.0, f64::max), f64::max)
    };
    let velocity = |p: &[f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| W[i][0] * p[0] + W[i][1] * p[1] + W[i][2] * p[2] + q[i])
    };
    let measure = |p: &[f64; 3]| law.residual(&velocity(p), p, 1.0 / w) / size(p);
    let mut best = closed_form::spatial(mu, W, q);
    let mut smallest = measure(&best);
    if smallest <= FOUND {
        return best;
    }
    for mut p in [best, old] {
        for _ in 0..STEPS {
            let u = velocity(&p);
            // the row sums of a positive semidefinite block are at most three times w
            p = std::array::from_fn(|i| p[i] - u[i] / (3.0 * w));
            law.alart_curnier(&mut p);
            let r = measure(&p);
            if r < smallest {
                (smallest, best) = (r, p);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64, uniform in [−1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// W = Σ over k directions of g gᵀ: rank k at most.
    fn block(seed: &mut u64, rank: usize) -> [[f64; 3]; 3] {
        let mut W = [[0.0; 3]; 3];
        for _ in 0..rank {
            let g: [f64; 3] = std::array::from_fn(|_| noise(seed));
            for i in 0..3 {
                (0..3).for_each(|j| W[i][j] += g[i] * g[j]);
            }
        }
        W
    }

    fn residual(mu: f64, W: &[[f64; 3]; 3], q: &[f64; 3], p: &[f64; 3]) -> f64 {
        let w = (0..3).map(|i| W[i][i]).fold(0.0, f64::max);
        let u: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| W[i][j] * p[j]).sum::<f64>() + q[i]);
        let size = p.iter().chain(q.iter()).fold(0.0_f64, |size, x| size.max(x.abs()));
        w * Law::spatial_coulomb(mu).residual(&u, p, 1.0 / w) / size
    }

    /// Diagonal blocks, alike in both tangential directions: the law holds to round-off, sticking and sliding.
    #[test]
    fn isotropic_blocks_obey_the_law() {
        let mut seed = 7;
        let (mut sticks, mut slides) = (0, 0);
        for _ in 0..20_000 {
            let (w_N, w_T) = (1.1 + noise(&mut seed), 1.1 + noise(&mut seed));
            let W = [[w_N, 0.0, 0.0], [0.0, w_T, 0.0], [0.0, 0.0, w_T]];
            let q = [noise(&mut seed) - 1.0, noise(&mut seed), noise(&mut seed)];
            let mu = 0.01 + 0.5 * (noise(&mut seed) + 1.0);
            let p = spatial(mu, W, q, [0.0; 3]);
            assert!(residual(mu, &W, &q, &p) < 1e-14, "{W:?} {q:?} {mu} {p:?}");
            let rest = 1.0 - p[1].hypot(p[2]) / (mu * p[0]);
            (sticks, slides) = (sticks + usize::from(rest > 1e-12), slides + usize::from(rest <= 1e-12));
        }
        assert!(sticks > 1000 && slides > 1000, "{sticks} {slides}");
    }

    /// Regular blocks: the law holds, from any start; and the answer is that of a search over all directions.
    #[test]
    fn regular_blocks_against_a_search_round_the_circle() {
        let mut seed = 41;
        let mut slides = 0;
        for trial in 0..20_000 {
            let W = block(&mut seed, 6);
            let q = [noise(&mut seed) - 0.5, noise(&mut seed), noise(&mut seed)];
            let mu = 0.05 + 0.5 * (noise(&mut seed) + 1.0);
            let old: [f64; 3] = std::array::from_fn(|_| noise(&mut seed));
            let p = spatial(mu, W, q, old);
            let measured = residual(mu, &W, &q, &p);
            assert!(
                measured < 1e-9,
                "trial {trial}: {measured:e} for W = {W:?}, q = {q:?}, mu = {mu}, {old:?}"
            );
            let sliding = p[0] > 0.0 && (p[1].hypot(p[2]) - mu * p[0]).abs() < 1e-12 * p[0];
            if !sliding || trial % 20 != 0 {
                continue;
            }
            // brute force: of all directions of sliding, the one whose answer obeys the law best
            let mut nearest = (f64::INFINITY, [0.0; 3]);
            for k in 0..20_000 {
                let (s, c) = (std::f64::consts::TAU * k as f64 / 20_000.0).sin_cos();
                let D = W[0][0] - mu * (W[0][1] * c + W[0][2] * s);
                if D > 0.0 {
                    let p_N = -q[0] / D;
                    let p = [p_N, -mu * p_N * c, -mu * p_N * s];
                    let r = residual(mu, &W, &q, &p);
                    if r < nearest.0 {
                        nearest = (r, p);
                    }
                }
            }
            let apart = (0..3).map(|i| (p[i] - nearest.1[i]).abs()).fold(0.0, f64::max);
            // strong friction on skew blocks may have two answers; both obey the law
            if mu < 0.3 {
                assert!(apart < 1e-2 * p[0].max(1.0), "trial {trial}: {p:?}, not {:?}", nearest.1);
                slides += 1;
            }
        }
        assert!(slides > 20, "{slides}");
    }

    /// Blocks of rank 1 and 2 that can stop what they meet: repeated from its own answer, the law holds.
    #[test]
    fn singular_blocks_settle() {
        let mut seed = 43;
        let mut unsolved = 0;
        for trial in 0..4000 {
            let W = block(&mut seed, 1 + trial % 2);
            // a velocity of the mechanism itself, so that some impulse can answer it
            let v: [f64; 3] = std::array::from_fn(|_| noise(&mut seed));
            let q: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| W[i][j] * v[j]).sum());
            let mu = 0.3 * (noise(&mut seed) + 1.0);
            let mut p = [0.0; 3];
            for _ in 0..60 {
                p = spatial(mu, W, q, p);
            }
            if residual(mu, &W, &q, &p) > 1e-9 {
                unsolved += 1;
            }
        }
        // the rest have blocks that jam: D ≤ 0 for the direction they slide
        assert!(unsolved <= 40, "{unsolved} of 4000");
    }

    /// Turning the tangent frame turns the answer and nothing else.
    #[test]
    fn the_tangent_frame_does_not_matter() {
        let mut seed = 47;
        for _ in 0..2000 {
            let W = block(&mut seed, 5);
            let q = [noise(&mut seed) - 0.5, noise(&mut seed), noise(&mut seed)];
            let (s, c) = (3.0 * noise(&mut seed)).sin_cos();
            let R = [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]];
            let turned =
                |x: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|i| (0..3).map(|j| R[i][j] * x[j]).sum()) };
            let RW: [[f64; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| R[i][k] * W[k][j]).sum()));
            let RWR: [[f64; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| RW[i][k] * R[j][k]).sum()));
            let (a, b) = (spatial(0.2, W, q, [0.0; 3]), spatial(0.2, RWR, turned(&q), [0.0; 3]));
            let a = turned(&a);
            let size = 1.0 + a.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            // condition of the blocks up to some thousands
            assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-9 * size), "{a:?}, not {b:?}");
        }
    }
}
