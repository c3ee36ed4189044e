//! Where a shape sits on a body.
//!
//! Every shape has axes of its own, in which its formulas are short: what is long lies along z, what is flat looks to z. A mount
//! holds these axes on a place:
//!
//! ```text
//!   r = x + A o,     axes A A_0          x, A of the place;  o, A_0 held by it
//! ```

use crate::geometry::space::{M3, V3, axes, axes_of, frame_of, matrix_product, times};
use crate::geometry::{Geometry, Space, add};
use crate::place::{Marker, Place};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::{Quaternion, product};

/// The axes of a shape.
#[derive(Clone, Debug)]
pub struct Mount {
    pub place: Place<Space>,
    /// o.
    origin: V3,
    held: Quaternion,
    /// A_0.
    axes: M3,
}

impl Mount {
    pub fn new(place: Place<Space>, origin: V3, held: Quaternion) -> Self {
        let length = held.iter().map(|x| x * x).sum::<f64>().sqrt();
        let held = held.map(|x| x / length);
        Self { place, origin, held, axes: axes(held) }
    }

    /// The same axes in another place of the shape, and turned.
    pub fn moved(&self, to: V3, turned: Quaternion) -> Self {
        Self::new(self.place.clone(), self.out(to), product(self.held, turned))
    }

    /// A point of the shape, in the frame of the place.
    fn out(&self, point: V3) -> V3 {
        add(self.origin, times(&self.axes, point))
    }

    /// A direction of the shape, in the frame of the place.
    pub fn direction(&self, d: V3) -> V3 {
        times(&self.axes, d)
    }

    /// A point of the shape.
    pub fn marker(&self, point: V3) -> Marker<Space> {
        Marker { place: self.place.clone(), local: self.out(point) }
    }

    /// o.
    pub fn offset(&self) -> V3 {
        self.origin
    }

    /// Origin.
    #[inline]
    pub fn middle(&self, at: &Configuration) -> V3 {
        let frame = self.place.frame(at);
        if self.origin == [0.0; 3] {
            return Space::origin(&frame);
        }
        add(Space::origin(&frame), Space::turn(&frame, self.origin))
    }

    /// Origin and axes.
    #[inline]
    pub fn frame(&self, at: &Configuration) -> [f64; 12] {
        let frame = self.place.frame(at);
        let r = add(Space::origin(&frame), Space::turn(&frame, self.origin));
        frame_of(r, &matrix_product(&axes_of(&frame), &self.axes))
    }
}

/// The z-axis of a frame.
#[inline]
pub fn z_axis(frame: &[f64; 12]) -> V3 {
    [frame[5], frame[8], frame[11]]
}
