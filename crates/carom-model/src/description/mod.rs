//! A planar mechanism as plain data: what a model file says and what a program may build.
//!
//! Names are the keys of the maps and their order is the order of everything that follows: coordinates, rows,
//! channels. A reference such as `"crank.tip"` means point or shape `tip` of body `crank`; `"ground"` is a body that
//! is always there. All numbers are SI once the description is built into a `Model`.

mod elastic;
mod event;
mod exact_beam;
mod floating;
mod solid;
pub(crate) mod spline;

pub use elastic::{Bar, Damping, Elastic};
pub use event::{Crossing, Event, Terms};
pub use exact_beam::ExactBeam;
pub use floating::{Beam, ChosenModes, Modes, Reference, RotaryInertia};
pub use solid::{Block, Disk, ElementKind, InlineMesh, Mesh, Origin, Plane, Solid};
pub use spline::{AngleUnit, PointTable, Through};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Joints.
    pub joints: IndexMap<String, Joint>,
    /// Springs, dampers, applied forces and torques.
    pub forces: IndexMap<String, Force>,
    /// Contacts that may close.
    pub contacts: IndexMap<String, Contact>,
    /// What is to be found where it happens.
    pub events: IndexMap<String, Event>,
    /// How to run it.
    pub simulation: Simulation,
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

/// A joint between two places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Joint {
    /// Two points coincide.
    Revolute {
        /// The two points: with clearance, hole first, pin second.
        between: [String; 2],
        /// Radial play (m). With it the joint is a pin in a hole: contact instead of constraint.
        clearance: Option<f64>,
        /// Restitution of the pin in the hole (only with clearance).
        #[serde(default)]
        restitution: f64,
        /// Friction coefficient: of the pin in the hole with clearance, of the bearing (times `pin_radius` and the
        /// joint force) without.
        #[serde(default)]
        friction: f64,
        /// Radius of the pin (m): lever arm of the friction.
        #[serde(default)]
        pin_radius: f64,
        /// Dry friction torque that does not depend on load (N m).
        #[serde(default)]
        friction_torque: f64,
    },
    /// The second point slides along the axis (local x) of the first point's frame. The slider does not turn against the
    /// guide: their relative angle stays as it is at the start.
    Prismatic {
        /// Guide first, slider second.
        between: [String; 2],
        /// Play on each side (m). With it the slider is a rectangle between two walls: four corner contacts, numbered
        /// 1 upper left, 2 upper right, 3 lower left, 4 lower right.
        clearance: Option<f64>,
        /// Length and height of the slider (m), for clearance.
        size: Option<[f64; 2]>,
        /// Restitution of the corners (only with clearance).
        #[serde(default)]
        restitution: f64,
        /// Friction coefficient: of the corners with clearance, of the guide (times the normal force) without.
        #[serde(default)]
        friction: f64,
        /// Dry friction force that does not depend on load (N).
        #[serde(default)]
        friction_force: f64,
    },
    /// Two frames coincide.
    Weld {
        /// The two points.
        between: [String; 2],
    },
    /// Two points keep their distance.
    Distance {
        /// The two points.
        between: [String; 2],
        /// Distance (m); as it is at the start if left out.
        length: Option<f64>,
    },
    /// A coordinate follows a function of time.
    Motion {
        /// Body or point that is moved.
        of: String,
        /// Which coordinate: `x`, `y` or `angle`.
        coordinate: Coordinate,
        /// Function of `t` (m or rad), such as `"0.01*sin(10*t)"`.
        function: Expression,
    },
    /// Two bodies turn at a fixed ratio: angle of the first + ratio · angle of the second stays as it is.
    Gear {
        /// The two bodies.
        between: [String; 2],
        /// Ratio of the turning speeds; positive wheels turn against each other.
        ratio: f64,
    },
    /// A wheel rolls a rack along: displacement of the rack along its axis since the start = radius · angle the wheel
    /// has turned since the start.
    Rack {
        /// Wheel first, rack second.
        between: [String; 2],
        /// Direction of the rack in the inertial frame.
        axis: [f64; 2],
        /// Pitch radius (m).
        radius: f64,
    },
    /// A point stays on a curve that is a shape of another body or of ground: a line, a circle (of a disk), an ellipse, a path or a spline
    /// without corners. The point may turn. Where an open path ends, the run ends.
    PointOnCurve {
        /// The curve (a shape) and the point, in either order.
        between: [String; 2],
        /// Friction coefficient (times the normal force).
        #[serde(default)]
        friction: f64,
        /// Dry friction force that does not depend on load (N).
        #[serde(default)]
        friction_force: f64,
    },
}

/// A coordinate of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinate {
    /// Horizontal place (m).
    X,
    /// Vertical place (m).
    Y,
    /// Angle (rad).
    Angle,
}

/// A number, or a formula in `t` as a string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Expression {
    /// Always the same.
    Constant(f64),
    /// A formula in `t`; parameters are already put in.
    Formula(String),
}

/// A force element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Force {
    /// Spring and damper along the line between two points.
    Spring {
        /// The two points.
        between: [String; 2],
        /// Stiffness (N/m).
        #[serde(default)]
        stiffness: f64,
        /// Damping (N s/m).
        #[serde(default)]
        damping: f64,
        /// Free length (m); as it is at the start if left out.
        length: Option<f64>,
    },
    /// Spring and damper between the angles of two bodies.
    TorsionSpring {
        /// The two bodies.
        between: [String; 2],
        /// Stiffness (N m/rad).
        #[serde(default)]
        stiffness: f64,
        /// Damping (N m s/rad).
        #[serde(default)]
        damping: f64,
        /// Relative angle without torque (rad): angle of the second minus angle of the first.
        #[serde(default)]
        angle: f64,
    },
    /// A force on a point.
    Force {
        /// The point.
        on: String,
        /// Components (N), functions of `t`.
        force: [Expression; 2],
        /// Whether the components turn with the body; if not, they are inertial.
        #[serde(default)]
        follows: bool,
    },
    /// A torque on a body.
    Torque {
        /// The body.
        on: String,
        /// The body that feels the opposite torque; ground if left out.
        against: Option<String>,
        /// Torque (N m), a function of `t`.
        torque: Expression,
    },
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

/// How to run a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// Time integration scheme; `carom list schemes` names them.
    pub scheme: String,
    /// Parameters of the scheme, such as `theta` or `rho`.
    pub parameters: IndexMap<String, f64>,
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

impl Joint {
    /// Two points coincide: no clearance, no friction.
    pub fn revolute(first: &str, second: &str) -> Self {
        Self::Revolute {
            between: [first.into(), second.into()],
            clearance: None,
            restitution: 0.0,
            friction: 0.0,
            pin_radius: 0.0,
            friction_torque: 0.0,
        }
    }

    /// The second point slides along the axis of the first: no clearance, no friction.
    pub fn prismatic(guide: &str, slider: &str) -> Self {
        Self::Prismatic {
            between: [guide.into(), slider.into()],
            clearance: None,
            size: None,
            restitution: 0.0,
            friction: 0.0,
            friction_force: 0.0,
        }
    }

    /// A coordinate follows a formula in `t`.
    pub fn motion(of: &str, coordinate: Coordinate, function: &str) -> Self {
        Self::Motion { of: of.into(), coordinate, function: Expression::Formula(function.into()) }
    }
}

impl Contact {
    /// A plastic, frictionless contact.
    pub fn between(first: &str, second: &str) -> Self {
        Self { between: [first.into(), second.into()], ..Self::default() }
    }
}
