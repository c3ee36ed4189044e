//! A torque of time on a body, in inertial axes or in those of the body, and its opposite on another.
//!
//! ```text
//!   h_i = τ·(s_i of on − s_i of against),   K_ij = −τ·∂s_i/∂δ_j,   following: τ = A τ_0, and K_ij −= (s_j×τ)·s_i
//! ```

use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector, dot, scale, sub};
use crate::model::Signal;
use crate::place::{Column, Place};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::cross;

#[derive(Clone, Debug)]
pub struct SpaceTorque {
    pub on: Place<Space>,
    pub against: Place<Space>,
    /// Its components.
    pub torque: [Signal; 3],
    /// Whether they are along the axes of the body that it acts on.
    pub follows: bool,
}

impl SpaceTorque {
    #[inline]
    fn torque(&self, at: &Configuration) -> V3 {
        let torque = V3::from_fn(|i| self.torque[i].jet(at).value);
        if self.follows { Space::turn(&self.on.frame(at), torque) } else { torque }
    }

    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let torque = self.torque(at);
        self.on.push_torque(at, torque, h);
        self.against.push_torque(at, scale(-1.0, torque), h);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        let torque = self.torque(at);
        for (place, sign) in [(&self.on, 1.0), (&self.against, -1.0)] {
            place.spin_curvature(at, torque, |i, j, value| entry(i, j, -sign * value, 0.0));
            if self.follows {
                self.on.columns(at, V3::ZERO, |column: Column<Space>| {
                    if column.s != V3::ZERO {
                        let turned = cross(column.s, torque);
                        place.turning_row(at, turned, |i, value| entry(i, column.index, -sign * value, 0.0));
                    }
                });
            }
        }
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        dot(self.torque(at), sub(self.on.omega(at), self.against.omega(at)))
    }
}
