//! The angle of a joint that has a stop.
//!
//! ```text
//!   x = (X, Y, Z) the x-axis of the first body's mount, seen from that of the second;   φ = atan2(Y, X)
//!   g = reach − σ φ,     φ̇ = w·Ω_r,     w = x × t,   t = (−Y, X, 0)/(X² + Y²),   Ω_r = Ω_1 − Ω_2
//!   seen from the second:  ẋ = Ω_r × x,   ẇ = ẋ×t + x×ṫ
//! ```
//!
//! φ is measured from the middle of what the joint may do, where the x-axes agree, and stays within ±π: a stop is `reach` < π from
//! there. A joint need not hold the axis for this to be exact. Where X = Y = 0 there is no angle: φ = 0 and the stop is open.
//! A stop of a displacement is a point on a plane.

use super::Mount;
use super::rubbing::{spin_bias, spin_row};
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector, add, dot, scale, sub};
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, Directions};

#[derive(Clone, Debug)]
pub struct Limit {
    pub first: Mount,
    pub second: Mount,
    /// Farthest angle from the middle (rad).
    pub reach: f64,
    /// σ: the upper stop +1, the lower −1.
    pub sign: f64,
}

impl Limit {
    /// x.
    fn seen(&self, at: &Configuration) -> V3 {
        let (first, second) = (self.first.frame(at), self.second.frame(at));
        Space::to_local(&second, Space::turn(&first, V3::axis(0)))
    }

    pub fn gap(&self, at: &Configuration) -> f64 {
        let [X, Y, _] = self.seen(at);
        self.reach - self.sign * Y.atan2(X)
    }

    /// t.
    fn around([X, Y, _]: V3) -> V3 {
        let square = X * X + Y * Y;
        if square > 0.0 { [-Y / square, X / square, 0.0] } else { V3::ZERO }
    }

    pub fn directions(&self, at: &Configuration, W: &mut Directions) {
        let x = self.seen(at);
        let w = Space::turn(&self.second.frame(at), cross(x, Self::around(x)));
        W.begin_row(0.0);
        spin_row(at, &self.first.place, &self.second.place, scale(-self.sign, w), W);
    }

    pub fn bias(&self, at: &Configuration) -> f64 {
        let (first, second) = (&self.first.place, &self.second.place);
        let frame = self.second.frame(at);
        let omega_B = second.omega(at);
        let spin = sub(first.omega(at), omega_B);
        let (x, spin_B) = (self.seen(at), Space::to_local(&frame, spin));
        let x_dot = cross(spin_B, x);
        let t = Self::around(x);
        // t = (−Y, X, 0)/s with 1/s = t·t
        let s_dot = 2.0 * (x[0] * x_dot[0] + x[1] * x_dot[1]);
        let t_dot = scale(dot(t, t), sub([-x_dot[1], x_dot[0], 0.0], scale(s_dot, t)));
        let w = Space::turn(&frame, cross(x, t));
        let w_dot = add(cross(omega_B, w), Space::turn(&frame, add(cross(x_dot, t), cross(x, t_dot))));
        -self.sign * (dot(w_dot, spin) + dot(w, spin_bias(at, first, second)))
    }
}
