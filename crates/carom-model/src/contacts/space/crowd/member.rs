//! A shape that may touch many others.

use super::super::pairs::edges;
use super::super::{Feature, Mount, Placement, Shape, Solid, Straight};
use crate::geometry::space::V3;
use crate::geometry::{Vector, norm};

/// A shape with what is asked of it again and again.
#[derive(Clone, Debug)]
pub struct Member {
    /// Body and shape.
    pub name: String,
    pub placed: Placement,
    /// Radius of a ball about its middle that holds it all; infinite for a half space.
    pub bound: f64,
    /// Which row and column of the table of laws it has.
    pub class: u32,
    /// Of a box.
    pub edges: Box<[Straight]>,
}

impl Member {
    pub fn new(placed: Placement, class: u32, name: String) -> Self {
        let bound = match placed.solid {
            Solid::Point => 0.0,
            Solid::Sphere { radius } => radius,
            Solid::Capsule { radius, half } => half + radius,
            Solid::Box { half } => norm(half),
            Solid::Cylinder { radius, half } => radius.hypot(half),
            Solid::Ring { circle, radius } => circle + radius,
            Solid::HalfSpace | Solid::Socket { .. } | Solid::Bore { .. } => f64::INFINITY,
        };
        let edges = match placed.solid {
            Solid::Box { half } => edges(&placed.mount, half).into_boxed_slice(),
            _ => Box::default(),
        };
        Self { name, placed, bound, class, edges }
    }

    pub fn mount(&self) -> &Mount {
        &self.placed.mount
    }

    pub fn solid(&self) -> Solid {
        self.placed.solid
    }

    /// What a point or sphere touches, where that is one surface.
    pub fn surface(&self) -> Option<Shape> {
        Some(match self.placed.solid {
            Solid::Sphere { radius } => {
                Shape::One(Feature::Point { centre: V3::ZERO, radius, outward: true })
            }
            Solid::Socket { radius } => {
                Shape::One(Feature::Point { centre: V3::ZERO, radius, outward: false })
            }
            Solid::Capsule { radius, half } => Shape::Capsule { radius, half, ends: true },
            Solid::Box { half } => Shape::Box { half },
            Solid::Cylinder { radius, half } => Shape::Cylinder { radius, half },
            Solid::Ring { circle, radius } => {
                Shape::One(Feature::Circle { centre: V3::ZERO, circle, radius })
            }
            Solid::HalfSpace => super::super::pairs::FLOOR,
            Solid::Point | Solid::Bore { .. } => return None,
        })
    }
}
