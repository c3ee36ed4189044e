//! What can be wrong with a description: where, what, and the way out.

use crate::expression::FormulaError;
use crate::suggest::{nearest, some};
use carom_elastic::ElasticError;
use std::fmt;

/// A description that is no mechanism: the place in it, what is wrong there, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelError {
    /// Keys and indices from the top of the description, such as `["bodies", "crank", "mass"]`.
    pub path: Vec<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl ModelError {
    pub(crate) fn new<S: AsRef<str>>(path: &[S], problem: Problem) -> Self {
        Self { path: path.iter().map(|p| p.as_ref().to_string()).collect(), problem }
    }

    /// What would be right.
    pub fn remedy(&self) -> String {
        self.problem.remedy()
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.path.join("."), self.problem, self.remedy())
    }
}

impl std::error::Error for ModelError {}

/// The kinds of things that can be wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// The format is from another time.
    #[error("format version {version} is not known")]
    Version {
        /// Version asked for.
        version: u32,
    },
    /// A name that names nothing.
    #[error("there is no {what} `{name}`")]
    Unknown {
        /// Body, point, shape, ...
        what: &'static str,
        /// The name as written.
        name: String,
        /// Names that exist.
        known: Vec<String>,
    },
    /// A name without letters.
    #[error("a name is empty")]
    EmptyName,
    /// A name that cannot be referred to.
    #[error("the name `{name}` cannot be used")]
    BadName {
        /// The name.
        name: String,
    },
    /// A model without bodies.
    #[error("there are no bodies, so nothing can move")]
    NoBodies,
    /// Two things of one name.
    #[error("the name `{name}` is already taken by {other}")]
    DuplicateName {
        /// The name.
        name: String,
        /// What carries it already.
        other: &'static str,
    },
    /// NaN or infinity.
    #[error("the {quantity} is {value}, not a finite number")]
    NotFinite {
        /// Which number.
        quantity: &'static str,
        /// The number.
        value: f64,
    },
    /// A number that must be above zero.
    #[error("the {quantity} is {value}")]
    NotPositive {
        /// Which number.
        quantity: &'static str,
        /// The number.
        value: f64,
    },
    /// A number that must not be below zero.
    #[error("the {quantity} is {value}")]
    Negative {
        /// Which number.
        quantity: &'static str,
        /// The number.
        value: f64,
    },
    /// A number outside its range.
    #[error("the {quantity} is {value}")]
    OutOfRange {
        /// Which number.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// Lowest admissible value.
        low: f64,
        /// Highest admissible value.
        high: f64,
    },
    /// A body that can move but has no mass or no moment of inertia.
    #[error("the body `{body}` has no {quantity}, but can move")]
    NoInertia {
        /// The body.
        body: String,
        /// Mass or moment of inertia.
        quantity: &'static str,
    },
    /// A flexible body that is given what its material already gives it.
    #[error("`{body}` is flexible: its {quantity} follows from its size and density")]
    OwnInertia {
        /// The body.
        body: String,
        /// Mass or inertia.
        quantity: &'static str,
    },
    /// A flexible body that is referred to as a whole.
    #[error("`{body}` is flexible, and it is not said which point of it is meant")]
    WhichPoint {
        /// The body.
        body: String,
        /// Its points.
        points: Vec<String>,
    },
    /// A shape that does not deform on a body that does.
    #[error("`{body}` is flexible and cannot carry this shape")]
    RigidShape {
        /// The body.
        body: String,
    },
    /// A node of a body that has none.
    #[error("only flexible bodies have nodes")]
    NodeOfRigid,
    /// A flexible body without elements.
    #[error("the body has no elements")]
    NoElements,
    /// Something is wrong with the elements or a material point.
    #[error("{}", .0.wrong())]
    Elastic(ElasticError),
    /// A motion that the body cannot make.
    #[error("{message}")]
    Motion {
        /// What is asked for.
        message: String,
        /// What would be right.
        remedy: String,
    },
    /// Both ends on one body.
    #[error("both ends are on `{body}`")]
    SameBody {
        /// The body.
        body: String,
    },
    /// Something that acts on ground, which does not move.
    #[error("`{name}` is on ground, which does not move")]
    Immovable {
        /// The reference as written.
        name: String,
    },
    /// An angle is asked of a point mass or bar.
    #[error("`{body}` is a point mass or a bar and has no angle")]
    NoAngle {
        /// The body.
        body: String,
    },
    /// A solid without mesh, or with several.
    #[error("{}", if given.is_empty() { "the solid has no mesh".to_string() } else { format!("the solid has {} meshes: {}", given.len(), given.join(", ")) })]
    OneMesh {
        /// Keys that give one.
        given: Vec<&'static str>,
    },
    /// A mesh whose file has not been read.
    #[error("the mesh file `{name}` has not been read")]
    MeshNotRead {
        /// Its name.
        name: String,
    },
    /// An element with a number of nodes that no element has.
    #[error("an element has {nodes} nodes")]
    ElementNodes {
        /// How many.
        nodes: usize,
    },
    /// A contact between kinds that cannot be brought together.
    #[error("a contact of a {first} with a {second} is not possible")]
    UnsupportedPair {
        /// Kind of the first partner.
        first: &'static str,
        /// Kind of the second.
        second: &'static str,
    },
    /// A contact partner that names a body with shapes, but no shape.
    #[error("`{body}` has shapes, and it is not said which one touches")]
    WhichShape {
        /// The body.
        body: String,
        /// Its shapes.
        shapes: Vec<String>,
    },
    /// Shapes that may touch and are inside each other where the run begins.
    #[error("{}", overlaps(pairs))]
    Overlaps {
        /// Their names and how deep, deepest first (m).
        pairs: Vec<([String; 2], f64)>,
    },
    /// A joint that cannot be.
    #[error("{message}")]
    BadJoint {
        /// What is wrong with it.
        message: String,
        /// What would be right.
        remedy: String,
    },
    /// A shape that is none.
    #[error("{message}")]
    BadShape {
        /// What is wrong with it.
        message: String,
        /// What would be right.
        remedy: String,
    },
    /// A table that cannot be used.
    #[error("{message}")]
    BadTable {
        /// What is wrong with it.
        message: String,
        /// What would be right.
        remedy: String,
    },
    /// A disk larger than the arc or parabola it should run in.
    #[error("a disk of radius {radius} does not fit into a hollow of radius {arc}")]
    DoesNotFit {
        /// Radius of the disk.
        radius: f64,
        /// Radius of the arc, least radius of curvature of the parabola.
        arc: f64,
    },
    /// A curve that reaches in between two nodes of a boundary.
    #[error(
        "a curve of radius {radius} m would reach in between the nodes of the boundary, which are {segment} m apart"
    )]
    TooCoarse {
        /// Least radius of the curve (m).
        radius: f64,
        /// Distance of neighbouring nodes (m).
        segment: f64,
    },
    /// An outline without inside and outside.
    #[error("the outline of `{name}` crosses itself{}", which(.pieces))]
    CrossesItself {
        /// The shape.
        name: String,
        /// Numbers of the pieces of a path.
        pieces: Option<[usize; 2]>,
    },
    /// A law for corners where there are none.
    #[error("`corner` has no effect here: nothing that is touched has a corner")]
    NoCorner,
    /// A direction without length.
    #[error("the {quantity} has no length")]
    NoDirection {
        /// Which vector.
        quantity: &'static str,
    },
    /// Two points that must not coincide do.
    #[error("the two points coincide, so the line between them has no direction")]
    Coincident,
    /// A key that another key needs.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: &'static str,
        /// The key that needs it.
        because: &'static str,
    },
    /// A key that does nothing without another.
    #[error("`{key}` has no effect here")]
    Useless {
        /// The key.
        key: &'static str,
        /// The key it needs.
        without: &'static str,
    },
    /// A formula that cannot be read.
    #[error("the formula `{text}` cannot be read: at column {}, {}", error.column, error.message)]
    Formula {
        /// The formula.
        text: String,
        /// What is wrong and where.
        error: FormulaError,
    },
    /// A channel that an event cannot be a function of.
    #[error(
        "an event cannot depend on `{name}`: forces, impulses and energies come from the scheme and jump"
    )]
    ChannelJumps {
        /// The channel.
        name: String,
        /// Channels that can be used.
        usable: Vec<String>,
    },
    /// A function in an event that jumps.
    #[error(
        "an event cannot depend on `{name}`, which is not continuous: it would change its sign without a zero"
    )]
    FunctionJumps {
        /// The function.
        name: &'static str,
    },
    /// A channel that a force cannot be a function of.
    #[error("a force cannot depend on `{name}`")]
    NotForForces {
        /// The channel.
        name: String,
        /// Channels that can be used.
        usable: Vec<String>,
    },
    /// A function in a force that jumps as the motion goes on.
    #[error("a force cannot depend on the motion through `{name}`, which jumps: no step could end there")]
    ForceJumps {
        /// The function.
        name: &'static str,
    },
    /// A motor on a joint that has not one freedom.
    #[error("`{joint}` is no joint that a motor can drive")]
    NoDrive {
        /// The joint.
        joint: String,
    },
    /// An event that depends on nothing.
    #[error("the event depends neither on `t` nor on the motion, so it never happens")]
    NeverHappens,
    /// A contact that is closed beyond touching at the start.
    #[error("`{contact}` is penetrated by {depth:.6e} m at the start")]
    Penetration {
        /// The contact.
        contact: String,
        /// How far (m).
        depth: f64,
    },
    /// A joint that is beyond one of its limits at the start.
    #[error("the joint is at {value} {unit} at the start, beyond `{stop}` at {limit} {unit}")]
    BeyondLimit {
        /// Name of the stop.
        stop: String,
        /// Where the joint is (rad or m).
        value: f64,
        /// Its limit (rad or m).
        limit: f64,
        /// Unit of both.
        unit: &'static str,
    },
    /// Two keys of which one says what the other says.
    #[error("`{}` and `{}` are both given", keys[0], keys[1])]
    Both {
        /// The keys.
        keys: [&'static str; 2],
    },
    /// Shapes of even density whose centroid is not the origin of their frame.
    #[error(
        "the centre of mass of the shapes of `{body}` is at {:.9} m, {:.9} m of its frame, which sits in the centre of mass",
        centroid[0], centroid[1]
    )]
    OffCentre {
        /// The body.
        body: String,
        /// Where it is (m).
        centroid: [f64; 2],
        /// Where it is at the start, in the inertial frame (m).
        position: [f64; 2],
    },
    /// Limits without room between them.
    #[error("the lower limit {lower} {unit} is not below the upper limit {upper} {unit}")]
    NoRange {
        /// Lower limit.
        lower: f64,
        /// Upper limit.
        upper: f64,
        /// Unit of both.
        unit: &'static str,
    },
}

impl Problem {
    /// What is wrong inside a formula: its column from 1, if known, or else the word.
    pub fn inside(&self) -> Option<(Option<usize>, &str)> {
        match self {
            Problem::Formula { error, .. } => Some((Some(error.column), "")),
            Problem::Unknown { name, .. }
            | Problem::ChannelJumps { name, .. }
            | Problem::NotForForces { name, .. } => Some((None, name)),
            Problem::FunctionJumps { name } | Problem::ForceJumps { name } => Some((None, name)),
            _ => None,
        }
    }

    /// What would be right, as a sentence.
    pub fn remedy(&self) -> String {
        match self {
            Problem::Version { .. } => "use version = 1".into(),
            Problem::Unknown { what, name, known } => match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "there is none to refer to; define it first".into(),
                None if *what == crate::build::CHANNEL_OR_PARAMETER => {
                    format!("give it in `[parameters]`, or use one of: {}", some(known))
                }
                None => format!("use one of: {}", some(known)),
            },
            Problem::EmptyName => "give it a name".into(),
            Problem::BadName { .. } => {
                "use letters, digits, `-` and `_`; `ground` and `energy` are taken, `momentum` where it is recorded, and \
                 `shape` and `touch` for points of bodies"
                    .into()
            }
            Problem::NoBodies => {
                "add one, such as `[bodies.ball]` with `mass = 1` and `position = [0, 1]`; `carom new` writes a model to \
                 begin with"
                    .into()
            }
            Problem::DuplicateName { .. } => {
                "choose another name; bodies, joints and contacts share their names".into()
            }
            Problem::NotFinite { .. } => "give a finite number".into(),
            Problem::NotPositive { quantity, .. } => format!("the {quantity} must be above 0"),
            Problem::Negative { quantity, .. } => format!("the {quantity} must be 0 or more"),
            Problem::OutOfRange { quantity, low, high, .. } => {
                format!("the {quantity} must be between {low} and {high}")
            }
            Problem::NoInertia { quantity: "mass", .. } => {
                "give it a mass above 0, or fix its points to ground instead".into()
            }
            Problem::NoInertia { .. } => {
                "give it a moment of inertia above 0, or leave `inertia` out for a point mass".into()
            }
            Problem::OwnInertia { quantity, .. } => format!("leave `{quantity}` out"),
            Problem::WhichPoint { body, points } if points.is_empty() => {
                format!("give `{body}` a point, such as `points = {{ tip = [1, 0] }}`, and say `{body}.tip`")
            }
            Problem::WhichPoint { body, points } => {
                let all: Vec<_> = points.iter().map(|p| format!("`{body}.{p}`")).collect();
                format!("say {}", all.join(" or "))
            }
            Problem::RigidShape { .. } => "use a disk, a point or the boundary of the body".into(),
            Problem::NodeOfRigid => "give a place, such as `[0.1, 0]`".into(),
            Problem::NoElements => "give at least one".into(),
            Problem::Elastic(error) => error.remedy(),
            Problem::Motion { remedy, .. } => remedy.clone(),
            Problem::SameBody { .. } => "name places on two different bodies, or on a body and ground".into(),
            Problem::Immovable { .. } => "name a body or a point of a body".into(),
            Problem::NoAngle { body } => {
                format!("name another body, or, if it is a point mass, give `{body}` an `inertia`")
            }
            Problem::OneMesh { .. } => "give one of `block`, `disk` and `mesh`".into(),
            Problem::MeshNotRead { .. } => {
                "load the model from its file, or write nodes and elements into `mesh`".into()
            }
            Problem::ElementNodes { .. } => "give 3, 4, 6 or 8 nodes for a t3, q4, t6 or q8".into(),
            Problem::UnsupportedPair { .. } => {
                "possible are: a disk, rectangle, polygon, capsule, path or spline with any of them or with a line; a point \
                 with any of them but a point; the boundary of a flexible body with any of them"
                    .into()
            }
            Problem::Overlaps { pairs } => {
                let ([first, _], depth) = &pairs[0];
                format!("move `{first}` away by {depth:.3e} m and the others likewise, or give the contact an `overlap` that is let pass")
            }
            Problem::WhichShape { body, shapes } => {
                let all: Vec<_> = shapes.iter().map(|s| format!("`{body}.{s}`")).collect();
                format!("say {}", all.join(" or "))
            }
            Problem::BadJoint { remedy, .. }
            | Problem::BadShape { remedy, .. }
            | Problem::BadTable { remedy, .. } => remedy.clone(),
            Problem::DoesNotFit { .. } => "make the disk smaller than the hollow".into(),
            Problem::TooCoarse { .. } => {
                "take more elements along the boundary, or round the shape with arcs that join it smoothly".into()
            }
            Problem::CrossesItself { .. } => {
                "put its corners or pieces in the order of the boundary, so that no two of them cross".into()
            }
            Problem::NoCorner => {
                "leave `corner` out, or touch a path, rectangle or polygon that has corners".into()
            }
            Problem::NoDirection { .. } => "give a vector that is not zero".into(),
            Problem::Coincident => "place them apart, or use a revolute joint to hold them together".into(),
            Problem::Missing { key, because } => format!("give `{key}`, or leave `{because}` out"),
            Problem::Useless { key, without } => format!("give `{without}` too, or leave `{key}` out"),
            Problem::Formula { error, .. } => format!("expected {}", error.expected),
            Problem::ChannelJumps { usable, .. } => {
                format!("use places, angles, velocities or gaps: {}", some(usable))
            }
            Problem::FunctionJumps { name: "step" | "sign" } => {
                "write what stands in the brackets: the event is where it crosses zero".into()
            }
            Problem::FunctionJumps { name: "floor" | "ceil" | "mod" } => {
                "use a function that crosses zero at each jump, such as sin(pi*x) for whole numbers x".into()
            }
            Problem::FunctionJumps { name: "atan2" } => "use sin or cos of the angle, or y and x".into(),
            Problem::FunctionJumps { .. } => "use a continuous function, such as sin instead of tan".into(),
            Problem::NotForForces { usable, .. } => {
                format!("use places, angles, their rates, distances and joint coordinates: {}", some(usable))
            }
            Problem::ForceJumps { name: "step" | "sign" } => {
                "use min, max or abs, tanh for a steep passage, a contact for a stop or `friction` of a joint for dry friction; \
                 jumps in `t` alone are allowed"
                    .into()
            }
            Problem::ForceJumps { .. } => {
                "use a continuous function of the motion, such as sin; jumps in `t` alone are allowed".into()
            }
            Problem::NoDrive { .. } => {
                "name a revolute joint between bodies that turn, with `torque`, or a prismatic one, with `force`".into()
            }
            Problem::NeverHappens => {
                "name `t` or a channel, such as `crank.angle`, in the formula".into()
            }
            Problem::BeyondLimit { stop, value, unit, .. } => {
                let end = if stop.ends_with("upper") { "upper" } else { "lower" };
                format!("start within the limits, or let the {end} limit be at {value} {unit} or beyond")
            }
            Problem::Both { keys: [first, second] } => {
                format!("leave out `{first}` or `{second}`: each says the mass")
            }
            Problem::OffCentre { centroid: [x, y], position: [p_x, p_y], .. } => format!(
                "shift its shapes and points by {:.9} m, {:.9} m, and let its position be {p_x:.9} m, {p_y:.9} m",
                -x, -y
            ),
            Problem::NoRange { .. } => {
                "write limits = [lower, upper]; to hold the joint still, use a weld".into()
            }
            Problem::Penetration { depth, .. } => {
                format!(
                    "move the bodies apart by at least {depth:.6e} m, or check the free side of the shape"
                )
            }
        }
    }
}

/// The pieces that cross, in words.
fn which(pieces: &Option<[usize; 2]>) -> String {
    match pieces {
        Some([a, b]) if a == b => format!(", in its piece {a}"),
        Some([a, b]) => format!(", in its pieces {a} and {b}"),
        None => String::new(),
    }
}

/// Most pairs in a message.
const MOST_LISTED: usize = 12;

/// Pairs that overlap, deepest first.
fn overlaps(pairs: &[([String; 2], f64)]) -> String {
    let one = |([a, b], depth): &([String; 2], f64)| format!("`{a}` and `{b}` by {depth:.3e} m");
    let listed: Vec<String> = pairs.iter().take(MOST_LISTED).map(one).collect();
    let more = match pairs.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("shapes overlap where the run begins: {}{more}", listed.join(", "))
}
