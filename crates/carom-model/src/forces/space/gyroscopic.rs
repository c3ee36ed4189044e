//! What a turning body resists with.
//!
//! ```text
//!   h_ω = −ω × J ω          ω and J in body axes
//!   C   = −∂h/∂ω = ω~ J − (J ω)~
//! ```

use crate::geometry::Vector;
use crate::geometry::space::{M3, V3, times};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::cross;

#[derive(Clone, Debug)]
pub struct Gyroscopic {
    /// The first of the three velocities ω.
    pub first: u32,
    /// J.
    pub inertia: M3,
}

impl Gyroscopic {
    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let first = self.first as usize;
        let omega = V3::read(&at.v[first..]);
        let torque = cross(omega, times(&self.inertia, omega));
        (0..3).for_each(|k| h[first + k] -= torque[k]);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        let first = self.first as usize;
        let omega = V3::read(&at.v[first..]);
        let spin = times(&self.inertia, omega);
        for k in 0..3 {
            let e = V3::axis(k);
            let (turned, of_e) = (cross(omega, times(&self.inertia, e)), cross(spin, e));
            (0..3).for_each(|i| entry(first + i, first + k, 0.0, turned[i] - of_e[i]));
        }
    }
}
