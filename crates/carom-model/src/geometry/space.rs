//! Space: vectors of three numbers, unit quaternions.
//!
//! ```text
//!   q = (R, p) with p = (w, x, y, z) a unit quaternion,   v = (Ṙ, ω), ω in body axes
//!   a frame is kept as (R, rows of A)
//!   T_l(θ) = T(−θ) = 1 + (1−cos t)/t² θ~ + (t−sin t)/t³ θ~²,     t = |θ|
//! ```

use super::{Geometry, Vector, add, scale};
use carom_dynamics::rotation::{Quaternion, cross, exp, product};

/// The geometry of spatial mechanisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space;

/// A vector in space.
pub(crate) type V3 = [f64; 3];
/// Rows of a matrix.
pub(crate) type M3 = [V3; 3];

/// Below this angle (rad) two terms of the series of T_l and of its derivatives are exact to 1e-10 of what they multiply.
const SERIES: f64 = 1e-2;

/// A x.
#[inline]
pub(crate) fn times(A: &M3, x: V3) -> V3 {
    [A[0].dot(x), A[1].dot(x), A[2].dot(x)]
}

/// Aᵀ x.
#[inline]
pub(crate) fn transposed_times(A: &M3, x: V3) -> V3 {
    [0, 1, 2].map(|i| A[0][i] * x[0] + A[1][i] * x[1] + A[2][i] * x[2])
}

/// A B.
#[inline]
pub(crate) fn matrix_product(A: &M3, B: &M3) -> M3 {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j]))
}

/// A(p).
#[inline]
pub(crate) fn axes([w, x, y, z]: Quaternion) -> M3 {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The unit quaternion that turns z to a direction of any length the short way; none without a direction.
pub(crate) fn turn_z_to(direction: V3) -> Option<Quaternion> {
    let length = direction.norm();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let n = scale(1.0 / length, direction);
    // half way between z and n; straight down is half a turn about x
    let across = n[0] * n[0] + n[1] * n[1];
    let p = match n[2] < 0.0 {
        true if across == 0.0 => [0.0, 1.0, 0.0, 0.0],
        true => [across / (1.0 - n[2]), -n[1], n[0], 0.0],
        false => [1.0 + n[2], -n[1], n[0], 0.0],
    };
    let size = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
    Some(p.map(|x| x / size))
}

/// The unit quaternion of axes A.
pub(crate) fn quaternion_of(A: &M3) -> Quaternion {
    let trace = A[0][0] + A[1][1] + A[2][2];
    let p = if trace > 0.0 {
        [1.0 + trace, A[2][1] - A[1][2], A[0][2] - A[2][0], A[1][0] - A[0][1]]
    } else {
        let i = (0..3).max_by(|&i, &j| A[i][i].total_cmp(&A[j][j])).expect("three axes");
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut p = [0.0; 4];
        p[0] = A[k][j] - A[j][k];
        p[1 + i] = 1.0 + A[i][i] - A[j][j] - A[k][k];
        p[1 + j] = A[i][j] + A[j][i];
        p[1 + k] = A[i][k] + A[k][i];
        p
    };
    let size = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]).sqrt();
    p.map(|x| x / size)
}

/// x + a δ×x + b δ×(δ×x).
fn series(delta: V3, a: f64, b: f64, x: V3) -> V3 {
    let turned = cross(delta, x);
    add(x, add(scale(a, turned), scale(b, cross(delta, turned))))
}

/// (1−cos t)/t² and (t−sin t)/t³, and their derivatives over t.
fn coefficients(t: f64) -> [f64; 4] {
    if t < SERIES {
        let t2 = t * t;
        return [
            0.5 - t2 / 24.0,
            1.0 / 6.0 - t2 / 120.0,
            -1.0 / 12.0 + t2 / 180.0,
            -1.0 / 60.0 + t2 / 1260.0,
        ];
    }
    let (s, c) = t.sin_cos();
    let (t2, t3) = (t * t, t * t * t);
    [
        (1.0 - c) / t2,
        (t - s) / t3,
        (t * s - 2.0 * (1.0 - c)) / (t2 * t2),
        (t * (1.0 - c) - 3.0 * (t - s)) / (t2 * t3),
    ]
}

/// The frame at r with axes A.
#[inline]
pub(crate) fn frame_of(r: V3, A: &M3) -> [f64; 12] {
    let [a, b, c] = A;
    [r[0], r[1], r[2], a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
}

/// The axes of a frame.
#[inline]
pub(crate) fn axes_of(frame: &[f64; 12]) -> M3 {
    [[frame[3], frame[4], frame[5]], [frame[6], frame[7], frame[8]], [frame[9], frame[10], frame[11]]]
}

impl Geometry for Space {
    type V = V3;
    type W = V3;
    type Frame = [f64; 12];
    type Held = Quaternion;
    type Tangents = [V3; 2];

    const SLOT: usize = 12;
    const RIGID: (usize, usize) = (7, 6);
    const FLAT: bool = false;
    const INERTIAL: [f64; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

    #[inline]
    fn read(slot: &[f64]) -> Self::Frame {
        slot.try_into().expect("a slot has twelve numbers")
    }

    #[inline]
    fn of_rigid(q: &[f64]) -> Self::Frame {
        frame_of(V3::read(q), &axes([q[3], q[4], q[5], q[6]]))
    }

    #[inline]
    fn of_point(r: V3) -> Self::Frame {
        let mut frame = Self::INERTIAL;
        frame[..3].copy_from_slice(&r);
        frame
    }

    #[inline]
    fn origin(frame: &Self::Frame) -> V3 {
        V3::read(frame)
    }

    #[inline]
    fn turn(frame: &Self::Frame, a: V3) -> V3 {
        times(&axes_of(frame), a)
    }

    #[inline]
    fn to_local(frame: &Self::Frame, a: V3) -> V3 {
        transposed_times(&axes_of(frame), a)
    }

    #[inline]
    fn turn_spin(frame: impl FnOnce() -> Self::Frame, omega: V3) -> V3 {
        Self::turn(&frame(), omega)
    }

    #[inline]
    fn spin_to_local(frame: impl FnOnce() -> Self::Frame, omega: V3) -> V3 {
        Self::to_local(&frame(), omega)
    }

    #[inline]
    fn swing(omega: V3, a: V3) -> V3 {
        cross(omega, a)
    }

    #[inline]
    fn swing_twice(u: V3, w: V3, a: V3) -> V3 {
        cross(u, cross(w, a))
    }

    #[inline]
    fn along_swing_twice(d: V3, u: V3, w: V3, a: V3) -> f64 {
        d.dot(cross(u, cross(w, a)))
    }

    #[inline]
    fn along_swing(u: V3, omega: V3, d: V3) -> f64 {
        u.dot(cross(omega, d))
    }

    #[inline]
    fn cross_spins(u: V3, w: V3) -> V3 {
        cross(u, w)
    }

    #[inline]
    fn moment(a: V3, f: V3) -> V3 {
        cross(a, f)
    }

    /// Continuous but where n_z changes its sign; t_1 × t_2 = n. On a floor n = (0, 0, 1), t_1 = x and t_2 = y.
    #[inline]
    fn tangents(n: V3) -> Self::Tangents {
        let s = 1.0f64.copysign(n[2]);
        let a = -1.0 / (s + n[2]);
        let b = n[0] * n[1] * a;
        [[1.0 + s * n[0] * n[0] * a, s * b, -s * n[0]], [b, s + n[1] * n[1] * a, -n[1]]]
    }

    fn carried(
        frame: &Self::Frame,
        _: Option<&[f64]>,
        theta: Option<V3>,
        held: &Quaternion,
        r: V3,
    ) -> Self::Frame {
        let turned = theta.map_or(*held, |theta| product(exp(theta), *held));
        frame_of(r, &matrix_product(&axes_of(frame), &axes(turned)))
    }

    fn spin_of_rate(theta: impl FnOnce() -> V3, s: V3) -> V3 {
        let theta = theta();
        let [a, b, ..] = coefficients(theta.norm());
        series(theta, a, b, s)
    }

    fn rate_of_spin(theta: V3, eta: V3, s: V3) -> V3 {
        let [a, b, a_t, b_t] = coefficients(theta.norm());
        let (along, turned) = (theta.dot(eta), cross(theta, s));
        let of_a = add(scale(a_t * along, turned), scale(a, cross(eta, s)));
        let twice = add(cross(eta, turned), cross(theta, cross(eta, s)));
        add(of_a, add(scale(b_t * along, cross(theta, turned)), scale(b, twice)))
    }
}
