//! What joints measure between two frames, with first and second derivatives.
//!
//! ```text
//!   dot     z = x·y            x on a, y on b      m_a = x×y,  m_b = −x×y
//!   along   z = x·d            x on a              f = x,  m_a = x×d
//!   angle   z = atan2(e_1a·e_0b − e_0a·e_1b, e_0a·e_0b + e_1a·e_1b)
//!                                                  m_b = k,  m_a = −k,   k = (e_2a + e_2b)/(1 + e_2a·e_2b)
//!
//!   a motion w = (w_d, w_a, w_b) changes     x on a by w_a×x,  y on b by w_b×y,  d by w_d
//!   z̈ = (f, m_a, m_b)·(d̈, Ω̇_a, Ω̇_b) + (their change by the motion)·(ḋ, Ω_a, Ω_b)
//! ```
//!
//! The angle is that of the turn about the axis which is left when the shortest turn that takes one axis to the other is
//! taken away. It is undefined where the axes oppose each other.

use super::framed::{Covector, FrameRates, Seen};
use crate::geometry::space::V3;
use crate::geometry::{Vector, add, scale, sub};
use carom_dynamics::rotation::cross;

/// A number between two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// e_i of a · e_j of b.
    Dot(usize, usize),
    /// e_i of a · d.
    Along(usize),
    /// Of the turn about the axis, in (−π, π].
    Angle,
}

/// k and 1 + e_2a·e_2b.
#[inline]
fn bisector(seen: &Seen) -> (V3, f64) {
    let room = 1.0 + seen.a[2].dot(seen.b[2]);
    (scale(1.0 / room, add(seen.a[2], seen.b[2])), room)
}

impl Measure {
    /// Whether it looks at points, not at axes alone.
    #[inline]
    pub fn of_points(self) -> bool {
        matches!(self, Measure::Along(_))
    }

    #[inline]
    pub fn value(self, seen: &Seen) -> f64 {
        let Seen { a, b, .. } = seen;
        match self {
            Measure::Dot(i, j) => a[i].dot(b[j]),
            Measure::Along(i) => a[i].dot(seen.d),
            Measure::Angle => {
                let sine = a[1].dot(b[0]) - a[0].dot(b[1]);
                sine.atan2(a[0].dot(b[0]) + a[1].dot(b[1]))
            }
        }
    }

    /// (f, m_a, m_b).
    #[inline]
    pub fn gradient(self, seen: &Seen) -> Covector {
        match self {
            Measure::Dot(i, j) => turning(cross(seen.a[i], seen.b[j])),
            Measure::Along(i) => Covector { f: seen.a[i], a: cross(seen.a[i], seen.d), b: V3::ZERO },
            Measure::Angle => turning(scale(-1.0, bisector(seen).0)),
        }
    }

    /// The change of (f, m_a, m_b) by a motion.
    #[inline]
    pub fn change(self, seen: &Seen, w: &FrameRates) -> Covector {
        match self {
            Measure::Dot(i, j) => {
                let (x, y) = (seen.a[i], seen.b[j]);
                turning(add(cross(cross(w.a, x), y), cross(x, cross(w.b, y))))
            }
            Measure::Along(i) => {
                let x = seen.a[i];
                let x_dot = cross(w.a, x);
                Covector { f: x_dot, a: add(cross(x_dot, seen.d), cross(x, w.d)), b: V3::ZERO }
            }
            Measure::Angle => {
                let (k, room) = bisector(seen);
                let (x, y) = (seen.a[2], seen.b[2]);
                let (x_dot, y_dot) = (cross(w.a, x), cross(w.b, y));
                let room_dot = x_dot.dot(y) + x.dot(y_dot);
                turning(scale(-1.0 / room, sub(add(x_dot, y_dot), scale(room_dot, k))))
            }
        }
    }
}

/// m_a = m, m_b = −m.
#[inline]
fn turning(m: V3) -> Covector {
    Covector { f: V3::ZERO, a: m, b: scale(-1.0, m) }
}
