//! How far two boxes overlap.
//!
//! ```text
//!   along a unit axis n:  o(n) = Σ_k a_k |n·x_k| + Σ_k b_k |n·y_k| − |n·(c_A − c_B)|
//! ```
//!
//! Boxes are apart if o(n) < 0 for one of 15 axes: their own, x_k and y_k, and all x_i × y_j. If they overlap, the least o(n) of these is
//! the shortest way apart.

use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector, add, dot, norm, scale, sub};
use carom_dynamics::rotation::cross;

/// A box: where its middle is in a frame, and half its sizes along the axes of that.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub frame: [f64; 12],
    pub middle: V3,
    pub half: V3,
}

/// Square of the sine below which axes are parallel; their own directions then say it all to round-off.
const PARALLEL: f64 = 1e-12;

impl Block {
    fn axis(&self, k: usize) -> V3 {
        Space::turn(&self.frame, V3::axis(k))
    }

    fn centre(&self) -> V3 {
        add(Space::origin(&self.frame), Space::turn(&self.frame, self.middle))
    }

    /// The least overlap of two boxes, negative where they are apart.
    pub fn overlap(&self, other: &Self) -> f64 {
        let (x, y) = ([0, 1, 2].map(|k| self.axis(k)), [0, 1, 2].map(|k| other.axis(k)));
        let apart = sub(self.centre(), other.centre());
        let reach = |axes: &[V3; 3], half: V3, n: V3| -> f64 {
            (0..3).map(|k| half[k] * dot(n, axes[k]).abs()).sum()
        };
        let along = |n: V3| reach(&x, self.half, n) + reach(&y, other.half, n) - dot(n, apart).abs();
        let mut least = x.iter().chain(&y).map(|&n| along(n)).fold(f64::INFINITY, f64::min);
        for x in x {
            for y in y {
                let n = cross(x, y);
                if dot(n, n) > PARALLEL {
                    least = least.min(along(scale(1.0 / norm(n), n)));
                }
            }
        }
        least
    }
}
