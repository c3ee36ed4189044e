//! A coordinate follows a function of time.
//!
//! ```text
//!   Φ = e·r − f(t)   or   φ + α − f(t),    Φ_t = −f',    bias = e·(bias of r̈) − f''
//! ```

use crate::model::Signal;
use crate::place::{Marker, V2, dot};
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub of: Marker,
    pub coordinate: Coordinate,
    pub function: Signal,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Coordinate {
    /// Along the unit vector e.
    Along(V2),
    /// Angle of the body plus that of the frame on it, α.
    Angle(f64),
}

impl Motion {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        match self.coordinate {
            Coordinate::Along(_) => &[(Quantity::Length, "force")],
            Coordinate::Angle(_) => &[(Quantity::Angle, "torque")],
        }
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        let value = match self.coordinate {
            Coordinate::Along(e) => dot(e, self.of.at(at).r),
            Coordinate::Angle(alpha) => self.of.place.angle(at) + alpha,
        };
        phi[0] = value - self.function.jet(at).value;
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        match self.coordinate {
            Coordinate::Along(e) => {
                self.of.place.row(at, e, self.of.at(at).arm, 0.0, |column, value| entry(0, column, value));
            }
            Coordinate::Angle(_) => self.of.place.turning_row(|column, value| entry(0, column, value)),
        }
    }

    /// Ḡ Δq = e·Δr or Δφ.
    pub fn secant(&self, step: Step, mut entry: impl FnMut(usize, usize, f64)) {
        match self.coordinate {
            Coordinate::Along(e) => self.of.secant_row(step, e, |column, value| entry(0, column, value)),
            Coordinate::Angle(_) => self.of.place.turning_row(|column, value| entry(0, column, value)),
        }
    }

    #[inline]
    pub fn rate(&self, at: &Configuration, phi_t: &mut [f64]) {
        phi_t[0] = -self.function.jet(at).first;
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        let turning = match self.coordinate {
            Coordinate::Along(e) => dot(e, self.of.bias(at, &self.of.at(at))),
            Coordinate::Angle(_) => 0.0,
        };
        bias[0] = turning - self.function.jet(at).second;
    }
}
