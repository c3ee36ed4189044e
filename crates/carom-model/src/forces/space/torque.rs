//! A torque on a body with components of time and motion, in inertial axes or in those of the body, and its opposite on another.
//!
//! ```text
//!   h_i = τ·(s_i of on − s_i of against),   K_ij = −τ·∂s_i/∂δ_j,   following: τ = A τ_0, and K_ij −= (s_j×τ)·s_i
//!   components of the motion, τ = Σ τ_k e_k:  K_ij −= e_k·s_i ∂τ_k/∂δ_j,  C_ij = −e_k·s_i ∂τ_k/∂v_j
//! ```

use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector, dot, scale, sub};
use crate::law::Load;
use crate::place::{Column, Place};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::cross;

#[derive(Clone, Debug)]
pub struct SpaceTorque {
    pub on: Place<Space>,
    pub against: Place<Space>,
    /// Its components.
    pub torque: [Load<Space>; 3],
    /// Whether they are along the axes of the body that it acts on.
    pub follows: bool,
}

impl SpaceTorque {
    #[inline]
    fn torque(&self, at: &Configuration) -> V3 {
        let torque = V3::from_fn(|i| self.torque[i].value(at));
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
            for (k, load) in self.torque.iter().enumerate() {
                let Load::Law(law) = load else { continue };
                let (slopes, e) = (law.slopes(at), V3::axis(k));
                let e = if self.follows { Space::turn(&self.on.frame(at), e) } else { e };
                place.turning_row(at, e, |i, along| {
                    let along = sign * along;
                    law.row(at, &slopes, |j, by_q, by_v| entry(i, j, -along * by_q, -along * by_v));
                });
            }
        }
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        dot(self.torque(at), sub(self.on.omega(at), self.against.omega(at)))
    }
}
