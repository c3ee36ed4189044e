//! Two frames that a joint holds together.
//!
//! ```text
//!   on a place with axes A:   e_k = A A_0 e_k,     k = 0, 1, 2;  e_2 is the axis of the joint, turns are counted from e_0
//!   d = r_b − r_a,            motion (ḋ, Ω_a, Ω_b),   and the parts of (d̈, Ω̇_a, Ω̇_b) without accelerations
//! ```
//!
//! Whatever a joint measures is a function of d and the two triads. Its rate is a [`Covector`] on the motion,
//!
//! ```text
//!   ż = f·ḋ + m_a·Ω_a + m_b·Ω_b
//! ```
//!
//! so a reaction or a force λ along z is λ f on b, −λ f on a, and torques λ m_a, λ m_b.

use crate::geometry::space::{M3, V3, axes, axes_of, times};
use crate::geometry::{Geometry, Space, Vector, add, scale, sub};
use crate::place::{Marker, Place};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::Quaternion;

/// A point of a body with axes of its own.
#[derive(Clone, Debug)]
pub struct Framed {
    pub marker: Marker<Space>,
    /// A_0.
    pub rotation: Quaternion,
    /// The axes A_0 e_k in the frame of the place.
    held: M3,
}

impl Framed {
    /// `held` turns the axes of the place into those of the joint.
    pub fn new(marker: Marker<Space>, held: Quaternion) -> Self {
        let A = axes(held);
        Self { marker, rotation: held, held: [0, 1, 2].map(|k| [A[0][k], A[1][k], A[2][k]]) }
    }

    /// What carries it.
    pub fn place(&self) -> &Place<Space> {
        &self.marker.place
    }

    /// e_k in the frame of the place.
    #[inline]
    pub fn held(&self) -> &M3 {
        &self.held
    }

    /// r, the arm and e_k.
    #[inline]
    fn seen(&self, at: &Configuration) -> (V3, V3, M3) {
        let frame = self.marker.place.frame(at);
        let A = axes_of(&frame);
        let arm = times(&A, self.marker.local);
        (add(Space::origin(&frame), arm), arm, self.held.map(|e| times(&A, e)))
    }
}

/// The first frame a and the second frame b of a joint.
#[derive(Clone, Debug)]
pub struct Pair {
    pub a: Framed,
    pub b: Framed,
}

/// Two frames at one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub d: V3,
    /// e_k of a.
    pub a: M3,
    /// e_k of b.
    pub b: M3,
    pub arms: [V3; 2],
}

/// How two frames move against each other and in space: (ḋ, Ω_a, Ω_b), or any such increment.
#[derive(Clone, Copy, Debug)]
pub struct FrameRates {
    pub d: V3,
    pub a: V3,
    pub b: V3,
}

/// What takes a motion to a rate: (f, m_a, m_b).
#[derive(Clone, Copy, Debug)]
pub struct Covector {
    pub f: V3,
    pub a: V3,
    pub b: V3,
}

impl Covector {
    pub const ZERO: Self = Self { f: V3::ZERO, a: V3::ZERO, b: V3::ZERO };

    #[inline]
    pub fn times(&self, motion: &FrameRates) -> f64 {
        self.f.dot(motion.d) + self.a.dot(motion.a) + self.b.dot(motion.b)
    }

    /// self + s x.
    #[inline]
    pub fn plus(&self, s: f64, x: &Self) -> Self {
        let sum = |a: V3, b: V3| add(a, scale(s, b));
        Self { f: sum(self.f, x.f), a: sum(self.a, x.a), b: sum(self.b, x.b) }
    }
}

impl Pair {
    #[inline]
    pub fn seen(&self, at: &Configuration) -> Seen {
        let (r_a, arm_a, a) = self.a.seen(at);
        let (r_b, arm_b, b) = self.b.seen(at);
        Seen { d: sub(r_b, r_a), a, b, arms: [arm_a, arm_b] }
    }

    /// (ḋ, Ω_a, Ω_b).
    #[inline]
    pub fn motion(&self, at: &Configuration, seen: &Seen) -> FrameRates {
        let of = |place: &Place<Space>, arm: V3| {
            let omega = place.omega(at);
            (add(place.velocity(at), Space::swing(omega, arm)), omega)
        };
        let (a_dot, a) = of(self.a.place(), seen.arms[0]);
        let (b_dot, b) = of(self.b.place(), seen.arms[1]);
        FrameRates { d: sub(b_dot, a_dot), a, b }
    }

    /// The part of (d̈, Ω̇_a, Ω̇_b) without accelerations.
    #[inline]
    pub fn bias(&self, at: &Configuration, seen: &Seen, motion: &FrameRates) -> FrameRates {
        let of = |place: &Place<Space>, arm: V3, omega: V3| {
            let spin = place.spin_bias(at).unwrap_or(V3::ZERO);
            let turning = add(Space::swing_twice(omega, omega, arm), Space::swing(spin, arm));
            (add(place.bias(at), turning), spin)
        };
        let (a_bias, a) = of(self.a.place(), seen.arms[0], motion.a);
        let (b_bias, b) = of(self.b.place(), seen.arms[1], motion.b);
        FrameRates { d: sub(b_bias, a_bias), a, b }
    }

    /// Entries of a covector in the columns of the two places; `points` says whether f can differ from zero.
    #[inline]
    pub fn entries(
        &self,
        at: &Configuration,
        seen: &Seen,
        g: &Covector,
        points: bool,
        mut entry: impl FnMut(usize, f64),
    ) {
        if points {
            self.a.place().row(at, scale(-1.0, g.f), seen.arms[0], g.a, &mut entry);
            self.b.place().row(at, g.f, seen.arms[1], g.b, &mut entry);
        } else {
            self.a.place().turning_row(at, g.a, &mut entry);
            self.b.place().turning_row(at, g.b, &mut entry);
        }
    }
}
