//! Points and shapes of bodies in space.

use super::Rotation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material point, with a frame of its own if one is needed (the axis of a joint).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // few, made once and read in order: a box would cost more than it saves
pub enum Point {
    /// `[x, y, z]` (m).
    At([f64; 3]),
    /// With a frame of its own.
    Frame {
        /// Place (m).
        at: [f64; 3],
        /// Direction of its z axis in the body's frame, of any length: the axis of a joint. With it its x axis is `x`, made
        /// normal to it, or chosen.
        #[serde(default)]
        axis: Option<[f64; 3]>,
        /// Direction of its x axis in the body's frame, with `axis`.
        #[serde(default)]
        x: Option<[f64; 3]>,
        /// Orientation of its frame against the body's, instead of `axis`.
        #[serde(default)]
        rotation: Option<Rotation>,
    },
}

impl Point {
    /// Place in the body's frame.
    pub fn place(&self) -> [f64; 3] {
        match *self {
            Point::At(at) | Point::Frame { at, .. } => at,
        }
    }
}

/// Geometry fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// A full ball, or a round hole.
    Sphere {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 3],
        /// Radius (m).
        radius: f64,
        /// Whether it is a hole: free inside.
        #[serde(default)]
        hole: bool,
    },
    /// A flat wall without end.
    Plane {
        /// A point of it (m).
        through: [f64; 3],
        /// Points to the free side; any length.
        normal: [f64; 3],
    },
    /// A solid box.
    Box {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 3],
        /// Lengths of its edges (m).
        size: [f64; 3],
        /// Orientation against the body.
        #[serde(default)]
        rotation: Option<Rotation>,
    },
    /// A solid cylinder, or a bore.
    Cylinder {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 3],
        /// Its axis, of any length; z if left out.
        #[serde(default = "z_axis")]
        axis: [f64; 3],
        /// Radius (m).
        radius: f64,
        /// Length along the axis (m).
        length: f64,
        /// Whether it is a hole: free inside.
        #[serde(default)]
        hole: bool,
    },
    /// A tire: all places within the radius of a circle.
    Ring {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 3],
        /// Axis of the circle, of any length; z if left out.
        #[serde(default = "z_axis")]
        axis: [f64; 3],
        /// Radius of the circle (m).
        circle: f64,
        /// Radius of the cross-section (m).
        radius: f64,
    },
    /// A straight bar with round ends: all places within the radius of a segment.
    Capsule {
        /// One end of the segment, centre of one round end (m).
        from: [f64; 3],
        /// The other end (m).
        to: [f64; 3],
        /// Radius (m).
        radius: f64,
    },
}

fn z_axis() -> [f64; 3] {
    [0.0, 0.0, 1.0]
}

impl Shape {
    /// Its `type` in a model file.
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::Sphere { .. } => "sphere",
            Shape::Plane { .. } => "plane",
            Shape::Box { .. } => "box",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Ring { .. } => "ring",
            Shape::Capsule { .. } => "capsule",
        }
    }
}
