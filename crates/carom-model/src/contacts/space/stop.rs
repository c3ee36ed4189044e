//! A joint at an end of its range.
//!
//! ```text
//!   z = γ s + z_1          s the coordinate of a joint (`joints/space/coordinate.rs`): an angle about its axis, a way along it
//!   g = ±ℓ (z − z_0),      U = ±ℓ γ ṡ,      + at the lower end, − at the upper one                    (`JointStop`)
//! ```
//!
//! γ = 1 and z_1 = 0, but for a screw: its angle z is that of its way, so its turns are counted. The angle of a hinge is known up
//! to whole turns, and is taken within half a turn of the middle of its range: behind each stop there is half of what a
//! whole turn leaves, at least [`BEHIND`].

use crate::joints::Coordinate;
use carom_dynamics::{Configuration, Directions, JointStop};
use std::f64::consts::{PI, TAU};

/// Least angle (rad) behind a stop in which a joint beyond it is still known to be beyond it: what a step may overshoot.
const BEHIND: f64 = PI / 12.0;

/// Widest range of an angle (rad).
pub const WIDEST: f64 = TAU - 2.0 * BEHIND;

#[derive(Clone, Debug)]
pub struct Stopped {
    pub coordinate: Coordinate,
    /// γ.
    pub gain: f64,
    /// z_1.
    pub shift: f64,
    pub stop: JointStop,
}

impl Stopped {
    #[inline]
    pub fn gap(&self, at: &Configuration) -> f64 {
        self.stop.gap(self.gain * self.coordinate.value(at) + self.shift)
    }

    /// ∂g/∂s = ±ℓ γ.
    #[inline]
    fn slope(&self) -> f64 {
        self.gain * if self.stop.upper { -self.stop.arm } else { self.stop.arm }
    }

    #[inline]
    pub fn directions(&self, at: &Configuration, W: &mut Directions) {
        let slope = self.slope();
        W.begin_row(0.0);
        self.coordinate.row(at, |column, value| W.push(column, slope * value));
    }

    #[inline]
    pub fn bias(&self, at: &Configuration) -> f64 {
        self.slope() * self.coordinate.bias(at)
    }
}
