//! A joint at an end of its range.
//!
//! ```text
//!   pivot:   s = φ_2 − φ_1 + c            ṡ = ω_2 − ω_1                 s̈ bias = 0, turns are counted
//!   guide:   s = a·d,  d = r_2 − r_1      ṡ, s̈ as in `joints/plane/prismatic.rs`
//!
//!   g = ±ℓ (s − s_0),      U = ±ℓ ṡ,      + at the lower end, − at the upper one        (`JointStop`)
//! ```

use crate::geometry::plane::{dot, sub};
use crate::joints::Prismatic;
use crate::place::Place;
use carom_dynamics::{Configuration, Directions, JointStop};

/// The coordinate s of a joint with one freedom.
#[derive(Clone, Debug)]
pub enum Coordinate {
    /// Of a pivot; `offset` is c, the angle of the second frame against its body less that of the first.
    Angle { first: Place, second: Place, offset: f64 },
    /// Of a guide.
    Displacement(Prismatic),
}

/// What stops it.
#[derive(Clone, Debug)]
pub struct Stopped {
    pub coordinate: Coordinate,
    pub stop: JointStop,
}

impl Coordinate {
    /// s.
    #[inline]
    pub fn value(&self, at: &Configuration) -> f64 {
        match self {
            Coordinate::Angle { first, second, offset } => second.angle(at) - first.angle(at) + offset,
            Coordinate::Displacement(guide) => {
                dot(guide.inertial_axis(at), sub(guide.slider.at(at).r, guide.guide.at(at).r))
            }
        }
    }
}

impl Stopped {
    #[inline]
    pub fn gap(&self, at: &Configuration) -> f64 {
        self.stop.gap(self.coordinate.value(at))
    }

    /// ∂g/∂s = ±ℓ.
    #[inline]
    fn slope(&self) -> f64 {
        if self.stop.upper { -self.stop.arm } else { self.stop.arm }
    }

    #[inline]
    pub fn directions(&self, at: &Configuration, W: &mut Directions) {
        let slope = self.slope();
        W.begin_row(0.0);
        match &self.coordinate {
            Coordinate::Angle { first, second, .. } => {
                for (place, rate) in [(second, slope), (first, -slope)] {
                    place.turning_row(at, rate, |column, value| W.push(column, value));
                }
            }
            Coordinate::Displacement(guide) => {
                let axis = guide.inertial_axis(at);
                guide.row(at, axis, |column, value| W.push(column, slope * value));
            }
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration) -> f64 {
        match &self.coordinate {
            Coordinate::Angle { .. } => 0.0,
            Coordinate::Displacement(guide) => self.slope() * guide.row_bias(at, guide.inertial_axis(at)),
        }
    }
}
