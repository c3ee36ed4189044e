//! A force on a point, with components of time and motion in the inertial frame or in the frame of the body.
//!
//! ```text
//!   h_i = f·J_i,    K_ij = −f·∂J_i/∂δ_j,    following: f = A f_0, and K_ij −= (f×J_i)·s_j
//!   components of the motion, f = Σ f_k e_k:  K_ij −= e_k·J_i ∂f_k/∂δ_j,  C_ij = −e_k·J_i ∂f_k/∂v_j
//! ```

use crate::geometry::{Geometry, Plane, Vector, dot};
use crate::law::Load;
use crate::place::Marker;
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct Applied<S: Geometry = Plane> {
    pub on: Marker<S>,
    /// Its components.
    pub force: Vec<Load<S>>,
    pub follows: bool,
}

impl<S: Geometry> Applied<S> {
    /// Force in the inertial frame.
    #[inline]
    fn force(&self, at: &Configuration) -> S::V {
        let f = S::V::from_fn(|i| self.force[i].value(at));
        if self.follows { S::turn(&self.on.place.frame(at), f) } else { f }
    }

    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        self.on.place.push(at, self.force(at), self.on.at(at).arm, h);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        let (f, placed) = (self.force(at), self.on.at(at));
        self.on.curvature(at, f, &placed, |i, j, value| entry(i, j, -value, 0.0));
        if self.follows {
            self.on.columns(at, &placed, |column| {
                let turned = S::moment(f, column.J);
                self.on.place.turning_row(at, turned, |j, value| entry(column.index, j, -value, 0.0));
            });
        }
        for (k, load) in self.force.iter().enumerate() {
            let Load::Law(law) = load else { continue };
            let (slopes, e) = (law.slopes(at), S::V::axis(k));
            let e = if self.follows { S::turn(&self.on.place.frame(at), e) } else { e };
            self.on.columns(at, &placed, |i| {
                let along = dot(e, i.J);
                law.row(at, &slopes, |j, by_q, by_v| entry(i.index, j, -along * by_q, -along * by_v));
            });
        }
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        dot(self.force(at), self.on.velocity(at, &self.on.at(at)))
    }
}
