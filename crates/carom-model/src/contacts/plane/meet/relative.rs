//! Two places seen from each other.

use crate::geometry::plane::{V2, add, sub, turn};
use crate::place::Place;
use carom_dynamics::Configuration;

/// The frame of the touching body in that of the touched one.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    pub c: f64,
    pub s: f64,
    pub d: V2,
}

impl Relative {
    pub fn between(touching: &Place, touched: &Place, at: &Configuration) -> Self {
        let [x_A, y_A, c_A, s_A] = touching.frame(at);
        let [x_B, y_B, c_B, s_B] = touched.frame(at);
        Self {
            c: c_B * c_A + s_B * s_A,
            s: c_B * s_A - s_B * c_A,
            d: turn(c_B, -s_B, [x_A - x_B, y_A - y_B]),
        }
    }

    pub fn place(&self, x: V2) -> V2 {
        add(self.d, self.direction(x))
    }

    pub fn direction(&self, a: V2) -> V2 {
        turn(self.c, self.s, a)
    }

    pub fn back(&self, x: V2) -> V2 {
        self.direction_back(sub(x, self.d))
    }

    pub fn direction_back(&self, a: V2) -> V2 {
        turn(self.c, -self.s, a)
    }
}
