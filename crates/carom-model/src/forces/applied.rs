//! A force on a point, with components of time in the inertial frame or in the frame of the body.
//!
//! ```text
//!   inertial:   h = (f, a×f),              K_φφ = a·f
//!   following:  h = (A f, l×f),            K_(x,y)φ = −z×(A f)
//! ```

use crate::marker::{Marker, V2, dot, perp, turn};
use crate::model::Signal;
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
        self.on.place.push(self.force(at), self.on.at(at).arm, h);
    }

    #[inline]
    pub fn tangents(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64, f64)) {
        if !self.on.place.turns() {
            return;
        }
        let f = self.force(at);
        let (v, angle) = (self.on.place.v as usize, self.on.place.angle_column());
        if self.follows {
            let turned = perp(f);
            entry(v, angle, -turned[0], 0.0);
            entry(v + 1, angle, -turned[1], 0.0);
        } else if self.on.has_arm() {
            entry(angle, angle, dot(self.on.at(at).arm, f), 0.0);
        }
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        dot(self.force(at), self.on.velocity(at, &self.on.at(at)))
    }
}
