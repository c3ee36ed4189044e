//! A force along a coordinate s of the motion: a tension between two points, a torque between two bodies, a drive along a
//! guide.
//!
//! ```text
//!   h_i = F s_i,    K_ij = −s_i ∂F/∂δ_j − F ∂s_i/∂δ_j,    C_ij = −s_i ∂F/∂v_j,    power F ṡ
//! ```

use crate::geometry::{Geometry, Plane};
use crate::law::Load;
use crate::measure::Measure;
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct Drive<S: Geometry = Plane> {
    pub along: Measure<S>,
    /// F, or −F where `pulls`: a tension makes a distance shorter.
    pub load: Load<S>,
    pub pulls: bool,
}

impl<S: Geometry> Drive<S> {
    fn sign(&self) -> f64 {
        if self.pulls { -1.0 } else { 1.0 }
    }

    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let F = self.sign() * self.load.value(at);
        self.along.row(at, |i, s_i| h[i] += F * s_i);
    }

    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        let sign = self.sign();
        if let Load::Law(law) = &self.load {
            let slopes = law.slopes(at);
            self.along.row(at, |i, s_i| {
                law.row(at, &slopes, |j, by_q, by_v| entry(i, j, -sign * s_i * by_q, -sign * s_i * by_v));
            });
        }
        let F = sign * self.load.value(at);
        self.along.curvature(at, |i, j, value| entry(i, j, -F * value, 0.0));
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        self.sign() * self.load.value(at) * self.along.rate(at)
    }
}
