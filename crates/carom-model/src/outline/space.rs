//! What to draw of a mechanism in space, in the frames of its bodies.

use crate::description::space::{Description, Point, Shape};
use crate::geometry::space::{V3, turn_z_to};
use crate::geometry::{Vector, sub};
use carom_dynamics::rotation::Quaternion;
use indexmap::IndexMap;

/// Solids fixed to one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpaceOutline {
    /// The body, or `ground`.
    pub body: String,
    /// Solids, walls and holes.
    pub solids: Vec<PlacedSolid>,
    /// Its named points (m).
    pub points: Vec<(String, [f64; 3])>,
}

/// A solid in the frame of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedSolid {
    /// What it is.
    pub solid: Solid,
    /// Its centre (m).
    pub at: [f64; 3],
    /// Unit quaternion w, x, y, z of its axes against the body.
    pub rotation: [f64; 4],
    /// Whether it is a hole.
    pub hole: bool,
}

/// A solid about its own centre and axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // lengths, in m
pub enum Solid {
    Sphere {
        radius: f64,
    },
    Box {
        size: [f64; 3],
    },
    /// Along its z.
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// Along its z; the length is that of the segment.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Around its z.
    Ring {
        circle: f64,
        radius: f64,
    },
    /// A wall without end; its z points to the free side.
    Plane,
}

const UNTURNED: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// Outlines of the bodies, ground last.
pub(crate) fn outlines(description: &Description) -> Vec<SpaceOutline> {
    let outline =
        |body: &str, shapes: &IndexMap<String, Shape>, points: &IndexMap<String, Point>| SpaceOutline {
            body: body.into(),
            solids: shapes.values().map(solid).collect(),
            points: points.iter().map(|(name, point)| (name.clone(), point.place())).collect(),
        };
    let bodies = description.bodies.iter().map(|(name, body)| outline(name, &body.shapes, &body.points));
    let ground = &description.ground;
    bodies.chain([outline("ground", &ground.shapes, &ground.points)]).collect()
}

/// A described shape as a solid.
pub(crate) fn solid(shape: &Shape) -> PlacedSolid {
    let along = |direction: V3| turn_z_to(direction).unwrap_or(UNTURNED);
    match shape {
        &Shape::Sphere { center, radius, hole } => {
            PlacedSolid { solid: Solid::Sphere { radius }, at: center, rotation: UNTURNED, hole }
        }
        &Shape::Plane { through, normal } => {
            PlacedSolid { solid: Solid::Plane, at: through, rotation: along(normal), hole: false }
        }
        Shape::Box { center, size, rotation } => {
            let rotation = rotation.as_ref().and_then(|r| r.quaternion().ok()).unwrap_or(UNTURNED);
            PlacedSolid { solid: Solid::Box { size: *size }, at: *center, rotation, hole: false }
        }
        &Shape::Cylinder { center, axis, radius, length, hole } => {
            let solid = Solid::Cylinder { radius, length };
            PlacedSolid { solid, at: center, rotation: along(axis), hole }
        }
        &Shape::Ring { center, axis, circle, radius } => {
            let solid = Solid::Ring { circle, radius };
            PlacedSolid { solid, at: center, rotation: along(axis), hole: false }
        }
        &Shape::Capsule { from, to, radius } => {
            let d = sub(to, from);
            let solid = Solid::Capsule { radius, length: d.norm() };
            let at = std::array::from_fn(|i| 0.5 * (from[i] + to[i]));
            PlacedSolid { solid, at, rotation: along(d), hole: false }
        }
    }
}
