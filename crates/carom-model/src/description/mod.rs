//! A planar mechanism as plain data: what a model file says and what a program may build.
//!
//! Names are the keys of the maps and their order is the order of everything that follows: coordinates, rows,
//! channels. A reference such as `"crank.tip"` means point or shape `tip` of body `crank`; `"ground"` is a body that
//! is always there. All numbers are SI once the description is built into a `Model`.
//!
//! Kinds of joints, forces and flexible bodies have a file each in `kinds/`.

mod event;
mod gear;
mod quantities;
mod shape;
pub mod space;
pub(crate) mod spline;
mod table;

pub use crate::kinds::elastic::*;
pub use crate::kinds::force::*;
pub use crate::kinds::joint::*;
pub use event::{Crossing, Event, Terms};
pub use gear::{Flanks, GearLaw, GearPair, PlayFrom};
pub use shape::{Piece, Point, Shape};
pub use spline::{AngleUnit, PointTable, Through};
pub use table::Table;

use crate::outer::Functions;
use carom_dynamics::Value;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A planar mechanism and how to run it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Description {
    /// Version of this format; 1.
    pub version: u32,
    /// One line for people.
    pub title: String,
    /// Gravity (m/s²).
    pub gravity: [f64; 2],
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
}

/// A rigid body, a point mass or a flexible body. The frame of a rigid body sits in its centre of mass; `elastic` says
/// where that of a flexible one sits, and its points are places in the undeformed body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Body {
    /// Mass (kg).
    pub mass: f64,
    /// Moment of inertia about the centre of mass (kg m²). Leave it out for a point mass, which does not rotate.
    pub inertia: Option<f64>,
    /// Density (kg/m³), instead of mass and inertia: these follow from the shapes of the body, which enclose areas, and `thickness`.
    pub density: Option<f64>,
    /// Thickness of the shapes across the plane (m), with `density`.
    pub thickness: Option<f64>,
    /// How it deforms; left out, it does not.
    pub elastic: Option<Elastic>,
    /// Initial position of the frame (m).
    pub position: [f64; 2],
    /// Initial angle (rad).
    pub angle: f64,
    /// Initial velocity of the frame's origin (m/s).
    pub velocity: [f64; 2],
    /// Initial angular velocity (rad/s).
    pub angular_velocity: f64,
    /// Named points, in the body's frame.
    pub points: IndexMap<String, Point>,
    /// Named shapes, in the body's frame, drawn and touched.
    pub shapes: IndexMap<String, Shape>,
}

/// A number, or a formula in `t` as a string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Expression {
    /// Always the same.
    Constant(f64),
    /// A formula in `t` with the parameters put in; that of a force, torque or motor may also name parameters and quantities
    /// of the motion.
    Formula(String),
}

/// Two shapes, or a point and a shape, that may touch: a point or disk with a line, path, disk, rectangle or polygon;
/// the corners of a rectangle or polygon with a line or path. The order does not matter. A body without shapes stands
/// for its centre of mass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The two partners.
    pub between: [String; 2],
    /// Newton's coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Tangential restitution, -1 to 1.
    #[serde(default)]
    pub tangential_restitution: f64,
    /// Coulomb's coefficient of friction; without friction if 0.
    #[serde(default)]
    pub friction: f64,
    /// What happens to the velocity where the contact slides over a corner of a path; only event-driven schemes see the
    /// corner itself.
    #[serde(default)]
    pub corner: Corner,
}

/// A law for sliding over a corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// An impact with the restitution of the contact.
    #[default]
    Newton,
    /// The velocity is mirrored along the bisector of both normals; the kinetic energy stays.
    Reflection,
    /// The normal turns steadily from one to the other; the kinetic energy stays.
    TimeScaling,
}

/// What a parameter of a scheme looks like in a file.
struct NumberOrSwitch;

impl JsonSchema for NumberOrSwitch {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NumberOrSwitch".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "boolean"] })
    }
}

/// How to run a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// Time integration scheme; `carom list schemes` names them.
    pub scheme: String,
    /// Parameters of the scheme, such as `theta` or `rho`; numbers, or `true` and `false` for a switch.
    #[schemars(with = "IndexMap<String, NumberOrSwitch>")]
    pub parameters: IndexMap<String, Value>,
    /// Step size (s).
    pub step: f64,
    /// End time (s).
    pub end: f64,
    /// Contact solver; `carom list solvers` names them.
    pub solver: String,
    /// Relative accuracy per unit of motion; with it the steps are chosen by the error they make and `step` is the first.
    pub accuracy: Option<f64>,
    /// Time between recorded samples (s); chosen so that a run has at most some thousand samples if left out.
    pub output: Option<f64>,
    /// What is to be recorded besides the usual: `accelerations` of bodies and their points, and `momentum` of the whole.
    pub record: Vec<Record>,
    /// Form of the equations of the smooth motion, for schemes that take several: `index-3`, `index-2`, `index-1`, `null-space`,
    /// `partitioned` or `pseudo-inverse`; the usual one of the scheme if left out.
    pub formulation: Option<String>,
    /// Coordinates that the equations of motion are written in; what is recorded does not depend on them.
    pub coordinates: Coordinates,
    /// Where the run begins: as the bodies are given, or at rest in the static equilibrium that `carom static` finds from there.
    pub start: Start,
    /// Joints that hold only until the run begins: the equilibrium is found with them, and the run goes on without. Only with
    /// `start = "equilibrium"`.
    pub release: Vec<String>,
}

/// Where a run begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Positions and velocities as given, joints closed.
    #[default]
    Given,
    /// At rest in static equilibrium, found from the positions given.
    Equilibrium,
}

/// Something that is recorded on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// Accelerations of bodies and of their named points.
    Accelerations,
    /// Linear momentum of all bodies, and angular momentum about the origin.
    Momentum,
}

/// Coordinates of the equations of motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinates {
    /// Place and angle of every body.
    #[default]
    Absolute,
    /// Joint coordinates along a tree; only loops keep their constraints.
    Relative,
    /// A point and a unit vector per rigid body.
    Natural,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            scheme: "moreau-jean".into(),
            parameters: IndexMap::new(),
            step: 1e-3,
            end: 1.0,
            solver: "auto".into(),
            accuracy: None,
            output: None,
            record: Vec::new(),
            formulation: None,
            coordinates: Coordinates::Absolute,
            start: Start::Given,
            release: Vec::new(),
        }
    }
}

impl Body {
    /// `rigid`, `point`, or how it deforms, as a model file says it.
    pub fn kind(&self) -> &'static str {
        match (&self.elastic, self.inertia.or(self.density)) {
            (Some(elastic), _) => elastic.kind(),
            (None, Some(_)) => "rigid",
            (None, None) => "point",
        }
    }

    /// A rigid body at a place, at rest.
    pub fn rigid(mass: f64, inertia: f64, position: [f64; 2]) -> Self {
        Self { mass, inertia: Some(inertia), position, ..Self::default() }
    }

    /// A point mass at a place, at rest.
    pub fn point_mass(mass: f64, position: [f64; 2]) -> Self {
        Self { mass, position, ..Self::default() }
    }

    /// The body with one more named point.
    pub fn with_point(mut self, name: &str, at: [f64; 2]) -> Self {
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
