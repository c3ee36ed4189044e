//! The plane: vectors of two numbers, one angle.
//!
//! A rigid body has q = (x, y, φ) and v = q̇; a frame is kept as (x, y, cos φ, sin φ).

use super::{Geometry, Vector};

pub(crate) use super::{add, dot, norm, scale, sub};

/// The geometry of planar mechanisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane;

/// A vector of the plane.
pub(crate) type V2 = [f64; 2];

/// z-component of a × b.
#[inline]
pub(crate) fn cross(a: V2, b: V2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// z × a: a turned by +90°.
#[inline]
pub(crate) fn perp(a: V2) -> V2 {
    [-a[1], a[0]]
}

/// a turned by the angle with cosine c and sine s.
#[inline]
pub(crate) fn turn(c: f64, s: f64, a: V2) -> V2 {
    [c * a[0] - s * a[1], s * a[0] + c * a[1]]
}

/// a seen from a frame turned by the angle with cosine c and sine s.
#[inline]
pub(crate) fn to_local(c: f64, s: f64, a: V2) -> V2 {
    turn(c, -s, a)
}

impl Vector for V2 {
    const LEN: usize = 2;
    const ZERO: V2 = [0.0; 2];

    #[inline]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        [component(0), component(1)]
    }

    #[inline]
    fn numbers(&self) -> &[f64] {
        self
    }

    #[inline]
    fn dot(self, b: Self) -> f64 {
        self[0] * b[0] + self[1] * b[1]
    }

    #[inline]
    fn norm(self) -> f64 {
        self[0].hypot(self[1])
    }
}

impl Vector for f64 {
    const LEN: usize = 1;
    const ZERO: f64 = 0.0;

    #[inline]
    fn from_fn(mut component: impl FnMut(usize) -> f64) -> Self {
        component(0)
    }

    #[inline]
    fn numbers(&self) -> &[f64] {
        std::slice::from_ref(self)
    }

    #[inline]
    fn dot(self, b: Self) -> f64 {
        self * b
    }

    #[inline]
    fn norm(self) -> f64 {
        self.abs()
    }
}

/// An angle with its cosine and sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    /// In rad.
    pub angle: f64,
    /// cos, sin.
    pub turned: V2,
}

impl Angle {
    pub(crate) fn new(angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { angle, turned: [cos, sin] }
    }
}

impl Geometry for Plane {
    type V = V2;
    type W = f64;
    type Frame = [f64; 4];
    type Held = Angle;
    type Tangents = [V2; 1];

    const SLOT: usize = 4;
    const RIGID: (usize, usize) = (3, 3);
    const FLAT: bool = true;
    const INERTIAL: [f64; 4] = [0.0, 0.0, 1.0, 0.0];

    #[inline]
    fn read(slot: &[f64]) -> Self::Frame {
        slot.try_into().expect("a slot has four numbers")
    }

    #[inline]
    fn of_rigid(q: &[f64]) -> Self::Frame {
        let (sin, cos) = q[2].sin_cos();
        [q[0], q[1], cos, sin]
    }

    #[inline]
    fn of_point(r: V2) -> Self::Frame {
        [r[0], r[1], 1.0, 0.0]
    }

    #[inline]
    fn origin(frame: &Self::Frame) -> V2 {
        [frame[0], frame[1]]
    }

    #[inline]
    fn turn(frame: &Self::Frame, a: V2) -> V2 {
        turn(frame[2], frame[3], a)
    }

    #[inline]
    fn to_local(frame: &Self::Frame, a: V2) -> V2 {
        to_local(frame[2], frame[3], a)
    }

    #[inline]
    fn turn_spin(_: impl FnOnce() -> Self::Frame, omega: f64) -> f64 {
        omega
    }

    #[inline]
    fn spin_to_local(_: impl FnOnce() -> Self::Frame, omega: f64) -> f64 {
        omega
    }

    #[inline]
    fn swing(omega: f64, a: V2) -> V2 {
        scale(omega, perp(a))
    }

    #[inline]
    fn swing_twice(u: f64, w: f64, a: V2) -> V2 {
        scale(-u * w, a)
    }

    #[inline]
    fn along_swing_twice(d: V2, u: f64, w: f64, a: V2) -> f64 {
        -u * w * dot(d, a)
    }

    #[inline]
    fn along_swing(u: V2, omega: f64, d: V2) -> f64 {
        omega * dot(perp(d), u)
    }

    fn cross_spins(_: f64, _: f64) -> f64 {
        0.0
    }

    #[inline]
    fn moment(a: V2, f: V2) -> f64 {
        cross(a, f)
    }

    /// n turned by −90°: on a floor n = (0, 1) and t = (1, 0).
    #[inline]
    fn tangents(n: V2) -> Self::Tangents {
        [[n[1], -n[0]]]
    }

    #[inline]
    fn basis_spin(_: V2, nu: f64) -> f64 {
        nu
    }

    fn carried(
        frame: &Self::Frame,
        coordinates: Option<&[f64]>,
        theta: Option<f64>,
        held: &Angle,
        r: V2,
    ) -> Self::Frame {
        let [cos, sin] = match theta {
            Some(theta) => {
                let (sin, cos) = (coordinates.map_or(0.0, |q| q[2]) + held.angle + theta).sin_cos();
                [cos, sin]
            }
            None => Self::turn(frame, held.turned),
        };
        [r[0], r[1], cos, sin]
    }

    #[inline]
    fn spin_of_rate(_: impl FnOnce() -> f64, s: f64) -> f64 {
        s
    }

    fn rate_of_spin(_: f64, _: f64, _: f64) -> f64 {
        0.0
    }
}
