//! A mechanism in space as plain data: what a model file says and what a program may build.
//!
//! The words are those of the plane; every vector has three numbers. Orientations are [`Rotation`]s, angular velocities are
//! given in the axes of the body, as they are recorded. Kinds of joints and forces have a file each in `kinds/space/`.

mod mass;
mod quantities;
mod repeat;
mod rotation;
mod shape;
mod touching;

pub use crate::kinds::space::force::*;
pub use crate::kinds::space::joint::*;
pub use mass::MassProperties;
pub use repeat::{MOST_BODIES, Repeat};
pub use rotation::{Rotation, RotationError};
pub use shape::{Point, Shape};
pub use touching::{Except, Material, Pairs, is_meant};

use super::{Event, GearPair, Simulation, Table, Terms};
use crate::outer::Functions;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mechanism in space and how to run it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Description {
    /// Version of this format; 1.
    pub version: u32,
    /// One line for people.
    pub title: String,
    /// Whether the model is one in space. A gravity of three numbers says so too.
    pub space: bool,
    /// Gravity (m/s²).
    pub gravity: [f64; 3],
    /// Points and shapes of the body that does not move.
    pub ground: Ground,
    /// Moving bodies.
    pub bodies: IndexMap<String, Body>,
    /// Curves that formulas of forces may call.
    pub tables: IndexMap<String, Table>,
    /// Functions of the program around that formulas of forces and events may call; no file has them.
    #[serde(skip)]
    pub functions: Functions,
    /// Joints.
    pub joints: IndexMap<String, Joint>,
    /// Springs, dampers, applied forces and torques.
    pub forces: IndexMap<String, Force>,
    /// What surfaces are like.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub materials: IndexMap<String, Material>,
    /// Names for several bodies and shapes at once; a `*` in them stands for any letters.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub groups: IndexMap<String, Vec<String>>,
    /// Contacts that may close.
    pub contacts: IndexMap<String, Contact>,
    /// Pairs of toothed wheels.
    pub gears: IndexMap<String, GearPair>,
    /// What is to be found where it happens.
    pub events: IndexMap<String, Event>,
    /// How to run it.
    pub simulation: Simulation,
    /// What the words of formulas of forces mean, as the file has it.
    #[serde(skip_serializing_if = "Terms::is_default")]
    #[schemars(skip)]
    pub terms: Terms,
}

/// The body that does not move; its frame is the inertial frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Ground {
    /// Named points.
    pub points: IndexMap<String, Point>,
    /// Named shapes, drawn and touched.
    pub shapes: IndexMap<String, Shape>,
    /// What its surfaces are of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
}

/// A rigid body or a point mass. The frame of a rigid body sits in its centre of mass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Body {
    /// Mass (kg). Left out where `density` gives it.
    pub mass: f64,
    /// Moments of inertia about the centre of mass in the axes of the body (kg m²): three principal ones, or six numbers xx,
    /// yy, zz, xy, xz, yz of the matrix. Leave it out for a point mass, which does not rotate.
    pub inertia: Option<Vec<f64>>,
    /// Density (kg/m^3) of all shapes of the body, which then give its mass and inertia.
    pub density: Option<f64>,
    /// Initial position of the frame (m).
    pub position: [f64; 3],
    /// Initial orientation; left out, the axes of the body are those of space.
    pub rotation: Option<Rotation>,
    /// Initial velocity of the frame's origin (m/s).
    pub velocity: [f64; 3],
    /// Initial angular velocity in the axes of the body (rad/s).
    pub angular_velocity: [f64; 3],
    /// Named points, in the body's frame.
    pub points: IndexMap<String, Point>,
    /// Named shapes, in the body's frame, drawn and touched.
    pub shapes: IndexMap<String, Shape>,
    /// What its surfaces are of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// A block of such bodies in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
}

/// Two shapes, a point and a shape, two bodies, or groups of these, that may touch. The order does not matter. A body without
/// shapes stands for its centre of mass. What is not said of the surfaces follows from their materials; without any it is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The two partners: shapes, points, bodies, groups, or `all`.
    pub between: [String; 2],
    /// Newton's coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: Option<f64>,
    /// Tangential restitution, -1 to 1.
    #[serde(default)]
    pub tangential_restitution: f64,
    /// Coulomb's coefficient of friction; without friction if 0.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Rolling resistance: lever arm of the largest moment against rolling (m), times the normal force; with friction only.
    #[serde(default)]
    pub rolling: Option<f64>,
    /// Drilling resistance: lever arm of the largest moment against turning about the normal (m); not with `rolling`.
    #[serde(default)]
    pub drilling: Option<f64>,
    /// Of groups: what does not touch, a name or a pair of names. Bodies that share a joint never do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<Except>,
    /// Of groups: which pairs are looked at.
    #[serde(default)]
    pub pairs: Pairs,
    /// Of groups: how deep two shapes may be inside each other where the run begins (m). A packing that another program has made is
    /// seldom exact; such shapes are not pushed apart, they just do not come closer.
    #[serde(default)]
    pub overlap: f64,
}

impl Body {
    /// `rigid` or `point`, as a model file says it.
    pub fn kind(&self) -> &'static str {
        if self.turns() { "rigid" } else { "point" }
    }

    /// Whether it has an orientation.
    pub fn turns(&self) -> bool {
        self.inertia.is_some() || self.density.is_some()
    }

    /// A rigid body at a place, at rest, by its principal moments of inertia.
    pub fn rigid(mass: f64, inertia: [f64; 3], position: [f64; 3]) -> Self {
        Self { mass, inertia: Some(inertia.to_vec()), position, ..Self::default() }
    }

    /// A point mass at a place, at rest.
    pub fn point_mass(mass: f64, position: [f64; 3]) -> Self {
        Self { mass, position, ..Self::default() }
    }

    /// The body with one more named point.
    pub fn with_point(mut self, name: &str, at: [f64; 3]) -> Self {
        self.points.insert(name.into(), Point::At(at));
        self
    }

    /// The body with one more named shape.
    pub fn with_shape(mut self, name: &str, shape: Shape) -> Self {
        self.shapes.insert(name.into(), shape);
        self
    }
}

impl Contact {
    /// A plastic, frictionless contact.
    pub fn between(first: &str, second: &str) -> Self {
        Self { between: [first.into(), second.into()], ..Self::default() }
    }
}
