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

/// A coded system for the eye.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// One for each body, ground included.
    pub parts: Vec<Part>,
    /// One for each contact.
    pub corners: Vec<Corner>,
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
