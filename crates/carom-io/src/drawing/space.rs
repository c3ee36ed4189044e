//! What a mechanism in space looks like: solids fixed to bodies, moved by the channels `<body>.x .y .z` and
//! `.qw .qx .qy .qz`. Plain data: whoever knows a mechanism fills it in, and every writer draws it.
//!
//! ```
//! use carom_io::drawing::space::{Form, Solid, SpaceDrawing, SpaceFigure};
//! let arm = SpaceFigure::new("arm").solid(Form::Cylinder { radius: 0.02, length: 0.4 }).point("tip", [0.0, 0.0, 0.2]);
//! let table = SpaceFigure::new("ground").with(Solid::new(Form::Plane { size: [2.0, 2.0] }).at([0.0, 0.0, -0.5]));
//! let drawing = SpaceDrawing { bodies: vec![table, arm], ..SpaceDrawing::default() };
//! assert!(drawing.complaints().is_empty());
//! ```

use crate::block;
use carom_dynamics::rotation::{Quaternion, Vector, turn};
use serde::{Deserialize, Serialize};

/// No turn.
pub const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// A form around the origin of its own frame (m). What has an axis has it along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A box.
    Box {
        /// Whole edges along x, y and z.
        size: [f64; 3],
    },
    /// A cylinder.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Whole length.
        length: f64,
    },
    /// A cylinder with half a ball at either end.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylinder, without the caps.
        length: f64,
    },
    /// A cone: base at −length/2, tip at +length/2.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Whole length.
        length: f64,
    },
    /// A half-space below z = 0, of which a tile is drawn.
    Plane {
        /// Edges of the tile along x and y.
        size: [f64; 2],
    },
    /// A surface of triangles, seen from both sides.
    Mesh {
        /// Corners.
        #[serde(with = "block::triples")]
        vertices: Vec<[f32; 3]>,
        /// Three numbers of corners for each.
        #[serde(with = "block::corners")]
        triangles: Vec<[u32; 3]>,
    },
    /// Lines, each through its points.
    Lines {
        /// The lines.
        lines: Vec<Vec<[f64; 3]>>,
    },
}

/// A form and where its body has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Origin of the form in the body's frame (m).
    pub at: Vector,
    /// Quaternion (w, x, y, z) that turns the form's axes into the body's.
    pub turn: Quaternion,
    /// What it is.
    pub form: Form,
}

impl Solid {
    /// At the origin of the body, not turned.
    pub fn new(form: Form) -> Self {
        Self { at: [0.0; 3], turn: UPRIGHT, form }
    }

    /// Elsewhere.
    pub fn at(self, at: Vector) -> Self {
        Self { at, ..self }
    }

    /// Turned.
    pub fn turned(self, turn: Quaternion) -> Self {
        Self { turn, ..self }
    }
}

/// A named point of a body (m).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpacePoint {
    /// Its name in the body.
    pub name: String,
    /// Place in the body's frame.
    pub at: Vector,
}

/// One body; `ground` stands still. A body without solids is drawn as a ball with a rod to each of its points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceFigure {
    /// Name of the body, as in its channels.
    pub body: String,
    /// What it is made of.
    pub solids: Vec<Solid>,
    /// Its named points.
    #[serde(default)]
    pub points: Vec<SpacePoint>,
}

impl SpaceFigure {
    /// A body without anything.
    pub fn new(body: impl Into<String>) -> Self {
        Self { body: body.into(), ..Self::default() }
    }

    /// And a form at its origin.
    pub fn solid(self, form: Form) -> Self {
        self.with(Solid::new(form))
    }

    /// And a solid.
    pub fn with(mut self, solid: Solid) -> Self {
        self.solids.push(solid);
        self
    }

    /// And a point.
    pub fn point(mut self, name: impl Into<String>, at: Vector) -> Self {
        self.points.push(SpacePoint { name: name.into(), at });
        self
    }
}

/// A place of a body (m).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceAnchor {
    /// Name of the body; `ground` stands still.
    pub body: String,
    /// Place in its frame.
    pub at: Vector,
}

impl SpaceAnchor {
    /// A place of a body.
    pub fn new(body: impl Into<String>, at: Vector) -> Self {
        Self { body: body.into(), at }
    }
}

/// A joint for the eye.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceJointMark {
    /// Name of the joint.
    pub name: String,
    /// What it is, as a model file says it: `revolute`, `prismatic`, `cylindrical`, `universal`, `spherical`, `screw`,
    /// `planar`, `weld`, `distance` and so on. A word that is not known gets a plain sign.
    pub kind: String,
    /// Name of the body that carries the sign.
    pub body: String,
    /// Place in the body's frame (m).
    pub at: Vector,
    /// Quaternion of the joint's frame in the body; its axis is z of this frame.
    pub turn: Quaternion,
    /// The other partner; none if the joint moves one body alone.
    pub to: Option<SpaceAnchor>,
}

/// A spring, a damper or both, from one place to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpaceSpring {
    /// Name of the force.
    pub name: String,
    /// One end.
    pub from: SpaceAnchor,
    /// The other.
    pub to: SpaceAnchor,
}

/// A mechanism in space as solids and signs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceDrawing {
    /// One per body, ground included if it has something to show.
    pub bodies: Vec<SpaceFigure>,
    /// One per joint.
    #[serde(default)]
    pub joints: Vec<SpaceJointMark>,
    /// One per spring or damper along a line.
    #[serde(default)]
    pub springs: Vec<SpaceSpring>,
}

impl SpaceDrawing {
    /// What cannot be drawn as it is, in sentences: sizes that are no lengths, quaternions of length zero, triangles whose
    /// corners are not there. Empty for a drawing that is whole.
    pub fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        let proper = |p: &Quaternion| p.iter().all(|x| x.is_finite()) && p.iter().any(|x| *x != 0.0);
        for figure in &self.bodies {
            for solid in &figure.solids {
                let body = &figure.body;
                if !proper(&solid.turn) {
                    found.push(format!(
                        "a solid of `{body}` has the quaternion {:?}, which turns nothing",
                        solid.turn
                    ));
                }
                if let Some(wrong) = solid.form.misfit() {
                    found.push(format!("a solid of `{body}` {wrong}"));
                }
            }
        }
        for joint in self.joints.iter().filter(|j| !proper(&j.turn)) {
            found.push(format!(
                "joint `{}` has the quaternion {:?}, which turns nothing",
                joint.name, joint.turn
            ));
        }
        found
    }
}

impl Form {
    /// What is wrong with it, as a clause.
    fn misfit(&self) -> Option<String> {
        let sizes: Vec<f64> = match self {
            Self::Sphere { radius } => vec![*radius],
            Self::Box { size } => size.to_vec(),
            Self::Cylinder { radius, length } | Self::Cone { radius, length } => vec![*radius, *length],
            // a capsule without a cylinder is a ball
            Self::Capsule { radius, length } if *length == 0.0 => vec![*radius],
            Self::Capsule { radius, length } => vec![*radius, *length],
            Self::Plane { size } => size.to_vec(),
            Self::Mesh { vertices, triangles } => {
                let missing = triangles.iter().flatten().find(|&&k| k as usize >= vertices.len());
                return missing.map(|k| format!("has a triangle with corner {k} of {}", vertices.len()));
            }
            Self::Lines { .. } => return None,
        };
        let wrong = sizes.into_iter().find(|x| !x.is_finite() || *x <= 0.0);
        wrong.map(|x| format!("has the size {x} m; sizes are above zero"))
    }
}

/// Place and turn of a body in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpacePose {
    /// Origin of its frame (m).
    pub at: Vector,
    /// Unit quaternion (w, x, y, z) from body axes to those of space.
    pub turn: Quaternion,
}

impl Default for SpacePose {
    fn default() -> Self {
        Self { at: [0.0; 3], turn: UPRIGHT }
    }
}

impl SpacePose {
    /// A pose with its quaternion brought to unit length; one of length zero turns nothing.
    pub fn new(at: Vector, p: Quaternion) -> Self {
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        Self { at, turn: if length > 0.0 { p.map(|x| x / length) } else { UPRIGHT } }
    }

    /// A point of the body in the inertial frame.
    pub fn apply(&self, p: Vector) -> Vector {
        let q = self.direct(p);
        [0, 1, 2].map(|i| self.at[i] + q[i])
    }

    /// A direction of the body in the inertial frame.
    pub fn direct(&self, p: Vector) -> Vector {
        turn(self.turn, p)
    }

    /// A frame fixed to this one, in the inertial frame.
    pub fn then(&self, at: Vector, p: Quaternion) -> Self {
        Self::new(self.apply(at), times(self.turn, p))
    }

    /// Between this pose and another, `share` from 0 to 1: straight, and along the shorter turn.
    pub fn toward(&self, other: &Self, share: f64) -> Self {
        let along = (0..4).map(|i| self.turn[i] * other.turn[i]).sum::<f64>();
        let sign = if along < 0.0 { -1.0 } else { 1.0 };
        let mix = |a: f64, b: f64| a + share * (b - a);
        Self::new(
            [0, 1, 2].map(|i| mix(self.at[i], other.at[i])),
            [0, 1, 2, 3].map(|i| mix(self.turn[i], sign * other.turn[i])),
        )
    }

    /// Whether it is somewhere.
    pub fn is_finite(&self) -> bool {
        self.at.iter().chain(&self.turn).all(|x| x.is_finite())
    }
}

/// Product of two quaternions: first the second, then the first.
pub(crate) fn times(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

    fn near(a: Vector, b: Vector) {
        assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-15), "{a:?} is not {b:?}");
    }

    #[test]
    fn two_quarter_turns_in_their_order() {
        let about_z = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
        let about_x = [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0];
        // first about x, which takes y to z and leaves it there for the turn about z
        let pose = SpacePose::new([1.0, 2.0, 3.0], about_z).then([0.0; 3], about_x);
        near(pose.apply([0.0, 1.0, 0.0]), [1.0, 2.0, 4.0]);
        near(pose.apply([1.0, 0.0, 0.0]), [1.0, 3.0, 3.0]);
    }

    #[test]
    fn half_way_is_half_the_turn_whatever_the_sign_of_the_quaternion() {
        let (sin, cos) = (0.5 * FRAC_PI_2).sin_cos();
        let quarter = SpacePose::new([2.0, 0.0, 0.0], [-cos, 0.0, 0.0, -sin]);
        let middle = SpacePose::default().toward(&quarter, 0.5);
        near(middle.at, [1.0, 0.0, 0.0]);
        let (sin, cos) = (0.5 * FRAC_PI_2).sin_cos();
        near(middle.direct([1.0, 0.0, 0.0]), [cos, sin, 0.0]);
    }

    #[test]
    fn what_cannot_be_drawn_is_said() {
        let wrong = |form: Form| {
            let drawing =
                SpaceDrawing { bodies: vec![SpaceFigure::new("a").solid(form)], ..SpaceDrawing::default() };
            drawing.complaints()
        };
        assert_eq!(
            wrong(Form::Sphere { radius: -1.0 }),
            ["a solid of `a` has the size -1 m; sizes are above zero"]
        );
        let mesh = Form::Mesh { vertices: vec![[0.0; 3]; 2], triangles: vec![[0, 1, 2]] };
        assert_eq!(wrong(mesh), ["a solid of `a` has a triangle with corner 2 of 2"]);
        assert!(wrong(Form::Capsule { radius: 1.0, length: 0.0 }).is_empty());
    }
}
