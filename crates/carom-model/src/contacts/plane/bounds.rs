//! Boxes along the axes, which say at once what is too far away to be nearest.

use crate::geometry::plane::{V2, add, norm, scale, sub};

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub low: V2,
    pub high: V2,
}

impl Bounds {
    pub const NOTHING: Bounds = Bounds { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    pub fn with_point(self, p: V2) -> Self {
        self.with(Bounds { low: p, high: p })
    }

    pub fn with(self, other: Bounds) -> Self {
        Bounds {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }

    /// Distance of p, 0 inside.
    #[inline]
    pub fn distance(&self, p: V2) -> f64 {
        let out = |c: usize| (self.low[c] - p[c]).max(p[c] - self.high[c]).max(0.0);
        let (x, y) = (out(0), out(1));
        (x * x + y * y).sqrt()
    }

    pub fn diagonal(&self) -> f64 {
        norm(sub(self.high, self.low))
    }

    pub fn centre(&self) -> V2 {
        scale(0.5, add(self.low, self.high))
    }
}
