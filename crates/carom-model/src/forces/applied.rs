//! A force on a point, with components of time in the inertial frame or in the frame of the body.
//!
//! ```text
//!   h_i = f·∂r/∂q_i,    K_ij = −f·∂²r/∂q_i∂q_j,    following: f = A(φ) f_0, and K_ij −= (z×f)·∂r/∂q_i ∂φ/∂q_j
//! ```

use crate::model::Signal;
use crate::place::{Marker, V2, dot, perp, turn};
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub(crate) struct Applied {
    pub on: Marker,
    pub force: [Signal; 2],
    pub follows: bool,
}

impl Applied {
    /// Force in the inertial frame.
    #[inline]
    fn force(&self, at: &Configuration) -> V2 {
        let f = [self.force[0].jet(at).value, self.force[1].jet(at).value];
        if self.follows {
            let [_, _, c, s] = self.on.place.frame(at);
            turn(c, s, f)
        } else {
            f
        }
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
            let turned = perp(f);
            self.on.columns(at, &placed, |column| {
                let J = dot(turned, column.J);
                self.on.place.turning_row(|j, s| entry(column.index, j, -J * s, 0.0));
            });
        }
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        dot(self.force(at), self.on.velocity(at, &self.on.at(at)))
    }
}
