//! Spring and damper between the angles of two bodies.
//!
//! ```text
//!   τ = k (φ_2 − φ_1 − φ_0) + c (ω_2 − ω_1):   h_1 = τ,  h_2 = −τ
//! ```

use crate::place::Place;
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct TorsionSpring {
    pub first: Place,
    pub second: Place,
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// φ_0.
    pub angle: f64,
}

impl TorsionSpring {
    fn stretch(&self, at: &Configuration) -> f64 {
        self.second.angle(at) - self.first.angle(at) - self.angle
    }

    fn rate(&self, at: &Configuration) -> f64 {
        self.second.omega(at) - self.first.omega(at)
    }

    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let torque = self.stiffness * self.stretch(at) + self.damping * self.rate(at);
        self.first.push_torque(at, torque, h);
        self.second.push_torque(at, -torque, h);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        let ends = [(&self.first, -1.0), (&self.second, 1.0)];
        for (first, sign) in ends {
            first.turning_row(at, 1.0, |row, a| {
                for (second, other) in ends {
                    second.turning_row(at, 1.0, |column, b| {
                        let ab = sign * a * other * b;
                        entry(row, column, ab * self.stiffness, ab * self.damping);
                    });
                }
            });
        }
    }

    pub fn strain(&self, at: &Configuration) -> f64 {
        let stretch = self.stretch(at);
        0.5 * self.stiffness * stretch * stretch
    }

    pub fn loss(&self, at: &Configuration) -> f64 {
        let rate = self.rate(at);
        self.damping * rate * rate
    }
}
