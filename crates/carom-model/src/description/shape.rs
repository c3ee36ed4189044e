//! Points and shapes of bodies.

use super::Through;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A material point, with a direction if one is needed (the axis of a slider).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Point {
    /// `[x, y]` (m).
    At([f64; 2]),
    /// A node of a flexible body.
    Node {
        /// Its number, from 0.
        node: usize,
        /// Angle of the frame against the body (rad).
        #[serde(default)]
        angle: f64,
    },
    /// With a frame of its own.
    Frame {
        /// Place (m).
        at: [f64; 2],
        /// Angle of the frame against the body (rad).
        #[serde(default)]
        angle: f64,
    },
}

impl Point {
    /// Place in the body's frame; a node has none of its own.
    pub fn place(&self) -> Option<[f64; 2]> {
        match *self {
            Point::At(at) | Point::Frame { at, .. } => Some(at),
            Point::Node { .. } => None,
        }
    }

    /// Angle of its frame against the body.
    pub fn angle(&self) -> f64 {
        match *self {
            Point::At(_) => 0.0,
            Point::Frame { angle, .. } | Point::Node { angle, .. } => angle,
        }
    }
}

/// Geometry fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// A full disk.
    Disk {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 2],
        /// Radius (m).
        radius: f64,
    },
    /// A straight wall without end.
    Line {
        /// A point of it (m).
        through: [f64; 2],
        /// Points to the free side; any length.
        normal: [f64; 2],
    },
    /// A chain of straight pieces, arcs, parabolas and splines; the free side is on the left of the way it is walked.
    Path {
        /// Where it begins (m).
        start: [f64; 2],
        /// Pieces, each from the end of the one before.
        pieces: Vec<Piece>,
    },
    /// A solid rectangle.
    Rectangle {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 2],
        /// Length along x and height along y (m).
        size: [f64; 2],
    },
    /// A solid polygon, convex or not.
    Polygon {
        /// Corners, counter-clockwise (m).
        corners: Vec<[f64; 2]>,
    },
    /// A closed smooth curve through points, such as a cam: solid inside, whichever way the points run.
    Spline {
        /// At least three points, the first not repeated at the end or repeated: a list (m), or a table from a file.
        through: Through,
        /// Whether it is a hole: free inside.
        #[serde(default)]
        hole: bool,
    },
    /// A straight bar with round ends: all places within the radius of a segment.
    Capsule {
        /// One end of the segment, centre of one round end (m).
        from: [f64; 2],
        /// The other end (m).
        to: [f64; 2],
        /// Radius of the ends, half the width (m).
        radius: f64,
    },
    /// An ellipse: a curve for a point to be led on (joint `point-on-curve`); it does not touch.
    Ellipse {
        /// Centre (m).
        #[serde(default)]
        center: [f64; 2],
        /// Half its length along its first axis and half its width across (m).
        semi_axes: [f64; 2],
        /// Angle of its first axis against the body's x (rad).
        #[serde(default)]
        angle: f64,
    },
}

/// A piece of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Piece {
    /// Straight to a point (m).
    LineTo([f64; 2]),
    /// Along a circle to a point.
    ArcTo {
        /// End (m).
        end: [f64; 2],
        /// Centre of the circle (m).
        center: [f64; 2],
        /// Whether it turns left; if not, clockwise.
        counterclockwise: bool,
    },
    /// Along a parabola to a point: the quadratic Bézier curve with this control point.
    ParabolaTo {
        /// End (m).
        end: [f64; 2],
        /// Where the tangents at both ends meet (m).
        control: [f64; 2],
    },
    /// Along a smooth curve through points, to the last of them: a cubic spline, twice continuously differentiable. If
    /// it is the only piece and returns to the start of the path, it is smooth there too.
    SplineThrough(Through),
}
