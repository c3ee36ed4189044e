//! What a coded system looks like: plain lines and disks fixed to bodies, moved by the channels `<body>.x`, `.y` and
//! `.angle`. Whoever writes pictures turns it into strokes.

/// Lines and disks of one body in its own frame (m); `ground` stands still.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Name of the body, as in its channels.
    pub body: &'static str,
    /// Open lines, point by point.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Closed and filled shapes, corner by corner.
    pub shapes: Vec<Vec<[f64; 2]>>,
    /// Centres and radii of circles.
    pub disks: Vec<([f64; 2], f64)>,
}

/// Where a contact is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// Name of the contact.
    pub contact: String,
    /// Name of the body that carries it.
    pub body: &'static str,
    /// Place in the body's frame (m).
    pub at: [f64; 2],
}

/// A place of a body, in its frame (m).
pub type Place = (&'static str, [f64; 2]);

/// Where a joint is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Pivot {
    /// Name of the joint: that of its constraint where it is one.
    pub name: &'static str,
    /// `revolute` or `prismatic`, as model files say it.
    pub kind: &'static str,
    /// One partner; of a slider the guide, which runs along x.
    pub of: Place,
    /// The other.
    pub to: Place,
}

impl Pivot {
    /// A pin.
    pub(crate) fn pin(name: &'static str, of: Place, to: Place) -> Self {
        Self { name, kind: "revolute", of, to }
    }
}

/// The three pins of a crank, a rod and a slider with frames in their middles, and the guide unless the slider has play
/// in it.
pub(crate) fn crank_pins(half_crank: f64, half_rod: f64, guided: bool) -> Vec<Pivot> {
    let mut pivots = vec![
        Pivot::pin("foot", ("ground", [0.0; 2]), ("crank", [-half_crank, 0.0])),
        Pivot::pin("pin", ("crank", [half_crank, 0.0]), ("rod", [-half_rod, 0.0])),
        Pivot::pin("wrist", ("rod", [half_rod, 0.0]), ("slider", [0.0; 2])),
    ];
    if guided {
        let (of, to) = (("ground", [0.0; 2]), ("slider", [0.0; 2]));
        pivots.push(Pivot { name: "guide", kind: "prismatic", of, to });
    }
    pivots
}

/// A plain solid around its middle, what has an axis along z (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Of this radius.
    Ball(f64),
    /// With these edges.
    Box([f64; 3]),
    /// Of this radius and length.
    Cylinder(f64, f64),
}

/// A solid of a body in space, moved by the channels `<body>.x .y .z` and `.qw .qx .qy .qz`.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Name of the body, as in its channels.
    pub body: &'static str,
    /// Its middle in the body's frame.
    pub at: [f64; 3],
    /// What it is.
    pub form: Form,
}

/// A coded system for the eye.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// One for each body, ground included.
    pub parts: Vec<Part>,
    /// One for each contact.
    pub corners: Vec<Corner>,
    /// One for each joint.
    pub pivots: Vec<Pivot>,
    /// Solids of a system in space.
    pub solids: Vec<Solid>,
    /// Where a point of a body is held in space: body and place (m).
    pub held: Option<(&'static str, [f64; 3])>,
}

/// The four corners of a rectangle around the origin.
pub(crate) fn rectangle(half_length: f64, half_height: f64) -> Vec<[f64; 2]> {
    let (a, b) = (half_length, half_height);
    vec![[-a, -b], [a, -b], [a, b], [-a, b]]
}

/// A bar around the origin with its two pins.
pub(crate) fn bar(body: &'static str, half: f64, thick: f64) -> Part {
    Part {
        body,
        shapes: vec![rectangle(half, 0.5 * thick)],
        disks: vec![([-half, 0.0], thick), ([half, 0.0], thick)],
        ..Part::default()
    }
}
