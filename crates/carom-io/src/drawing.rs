//! What a mechanism looks like: strokes fixed to bodies, moved by the channels `<body>.x`, `.y` and `.angle`; those of a
//! flexible body go through its points `<body>.shape.<n>`.

use carom_dynamics::{Channel, Recording};
use carom_model::description::{Body, Elastic, Force, Joint, Shape};
use carom_model::{Description, Outline};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One stroke, in the frame of its body (m).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stroke {
    /// Points joined by straight lines.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Whether the last is joined to the first and the inside filled.
        closed: bool,
    },
    /// Points of a flexible body joined by straight lines.
    Shape {
        /// Numbers of its shape points.
        points: Vec<usize>,
        /// Whether the last is joined to the first and the inside filled.
        closed: bool,
    },
    /// A full circle.
    Circle {
        /// Centre.
        center: [f64; 2],
        /// Radius.
        radius: f64,
    },
}

/// All strokes of one body; `ground` stands still.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Name of the body.
    pub body: String,
    /// What to draw.
    pub strokes: Vec<Stroke>,
    /// Places of the shape points in the body's frame while nothing is deformed; none for a rigid body.
    #[serde(default)]
    pub reference: Vec<[f64; 2]>,
}

/// Where a contact or joint is shown: a point of a body (m), with the size of the thing that touches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Name of the contact or joint.
    pub subject: String,
    /// Name of the body that carries it.
    pub body: String,
    /// Place in the body's frame.
    pub at: [f64; 2],
    /// Radius of the touching disk; 0 for a point.
    pub radius: f64,
}

/// A place of a body (m). A named point of a flexible body moves with the channels of its own: then `body` is
/// `<body>.<point>` and `at` is zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Name of the body; `ground` stands still.
    pub body: String,
    /// Place in its frame.
    pub at: [f64; 2],
}

/// A joint for the eye.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointMark {
    /// Name of the joint.
    pub name: String,
    /// What it is, as a model file says it: `revolute`, `prismatic`, `weld`, `distance`, `motion`, `gear`, `rack`
    /// or `point-on-curve`.
    pub kind: String,
    /// Name of the body that carries the sign: of the guide, if there is one.
    pub body: String,
    /// Place in the body's frame (m).
    pub at: [f64; 2],
    /// Angle of the sign against the body (rad): that of a guide's axis.
    pub angle: f64,
    /// The other partner; none if the joint moves one body alone.
    pub to: Option<Anchor>,
}

/// A spring, a damper or both, from one place to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpringMark {
    /// Name of the force.
    pub name: String,
    /// One end.
    pub from: Anchor,
    /// The other.
    pub to: Anchor,
}

/// A mechanism as strokes and marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// One per body, ground included.
    pub figures: Vec<Figure>,
    /// One per contact.
    pub marks: Vec<Mark>,
    /// One per joint.
    #[serde(default)]
    pub joints: Vec<JointMark>,
    /// One per spring or damper along a line.
    #[serde(default)]
    pub springs: Vec<SpringMark>,
}

impl Drawing {
    /// The drawing of a described mechanism with the outlines of its model.
    pub fn new(outlines: &[Outline], description: &Description) -> Self {
        Self {
            figures: outlines.iter().map(figure).collect(),
            marks: marks(description),
            joints: joints(description),
            springs: springs(description),
        }
    }
}

fn figure(outline: &Outline) -> Figure {
    let circles = outline.circles.iter();
    // Whoever draws a circle draws its spoke; the outline has one as well.
    let is_spoke = |line: &[[f64; 2]]| line.len() == 2 && circles.clone().any(|c| c.center == line[0]);
    let lines = outline.polylines.iter().filter(|line| !is_spoke(line)).map(|line| {
        let closed = line.len() > 2 && line.first() == line.last();
        let points = line[..line.len() - usize::from(closed)].to_vec();
        Stroke::Line { points, closed }
    });
    let circles = circles.clone().map(|c| Stroke::Circle { center: c.center, radius: c.radius });
    let shapes = outline.deforming.iter().map(|chain| {
        let closed = chain.len() > 2 && chain.first() == chain.last();
        Stroke::Shape { points: chain[..chain.len() - usize::from(closed)].to_vec(), closed }
    });
    Figure {
        body: outline.body.clone(),
        strokes: shapes.chain(lines).chain(circles).collect(),
        reference: outline.reference.clone(),
    }
}

/// Where a reference moves: a named point of a flexible body with its own channels, anything else with its body's.
fn anchor(description: &Description, reference: &str) -> (Anchor, f64) {
    let (body, at, angle) = frame(description, reference);
    let flexible = description
        .bodies
        .get(body)
        .filter(|_| body != reference)
        .and_then(|b| Some((b, b.elastic.as_ref()?)));
    match flexible {
        // points of a bar do not turn and have no channel of an angle
        Some((bar, Elastic::Bar(_))) => (Anchor { body: reference.into(), at: [0.0; 2] }, bar.angle + angle),
        Some(_) => (Anchor { body: reference.into(), at: [0.0; 2] }, angle),
        None => (Anchor { body: body.into(), at }, angle),
    }
}

/// Every joint, at its first partner: a hole, a guide.
fn joints(description: &Description) -> Vec<JointMark> {
    let of = |(name, joint): (&String, &Joint)| {
        let (kind, first, second) = match joint {
            Joint::Revolute { between: [a, b], .. } => ("revolute", a, Some(b)),
            Joint::Prismatic { between: [a, b], .. } => ("prismatic", a, Some(b)),
            Joint::Weld { between: [a, b] } => ("weld", a, Some(b)),
            Joint::Distance { between: [a, b], .. } => ("distance", a, Some(b)),
            Joint::Gear { between: [a, b], .. } => ("gear", a, Some(b)),
            Joint::Rack { between: [a, b], .. } => ("rack", a, Some(b)),
            Joint::Motion { of, .. } => ("motion", of, None),
            // the sign is on the point; the curve is drawn as the shape it is
            Joint::PointOnCurve { between: [a, b], .. } => {
                let point = if is_shape(description, a) { b } else { a };
                ("point-on-curve", point, None)
            }
        };
        let (Anchor { body, at }, angle) = anchor(description, first);
        let to = second.map(|reference| anchor(description, reference).0);
        JointMark { name: name.clone(), kind: kind.into(), body, at, angle, to }
    };
    description.joints.iter().map(of).collect()
}

/// Whether a reference names a shape.
fn is_shape(description: &Description, reference: &str) -> bool {
    let Some((body, name)) = reference.split_once('.') else { return false };
    match description.bodies.get(body) {
        Some(body) => body.shapes.contains_key(name),
        None => description.ground.shapes.contains_key(name),
    }
}

/// Springs and dampers along the line between two points.
fn springs(description: &Description) -> Vec<SpringMark> {
    let of = |(name, force): (&String, &Force)| match force {
        Force::Spring { between: [a, b], .. } => Some(SpringMark {
            name: name.clone(),
            from: anchor(description, a).0,
            to: anchor(description, b).0,
        }),
        Force::TorsionSpring { .. } | Force::Force { .. } | Force::Torque { .. } => None,
    };
    description.forces.iter().filter_map(of).collect()
}

/// Where the contacts and the joints with clearance are shown.
fn marks(description: &Description) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (name, contact) in &description.contacts {
        // The partner that touches with something small is where the eye looks, rather on a body than on ground.
        let mut found: Vec<_> = contact.between.iter().map(|r| spots(description, r)).collect();
        found.sort_by_key(|(body, spots)| (spots.is_empty(), *body == "ground"));
        let Some((body, spots)) = found.into_iter().next() else { continue };
        if description.bodies.get(body).is_some_and(|b| b.elastic.is_some()) {
            // A named point of a flexible body has a track of its own; its boundary has many.
            let point = contact.between.iter().find(|r| r.starts_with(&format!("{body}.")));
            let named = |r: &&String| {
                r.split_once('.').is_some_and(|(_, p)| description.bodies[body].points.contains_key(p))
            };
            marks.extend(point.filter(named).map(|point| Mark {
                subject: name.clone(),
                body: point.clone(),
                at: [0.0; 2],
                radius: 0.0,
            }));
            continue;
        }
        for (i, &(at, radius)) in spots.iter().enumerate() {
            let subject = if spots.len() > 1 { format!("{name}.{}", i + 1) } else { name.clone() };
            marks.push(Mark { subject, body: body.into(), at, radius });
        }
    }
    for (name, joint) in &description.joints {
        match joint {
            Joint::Revolute { between: [hole, pin], clearance: Some(_), pin_radius, .. } => {
                let reference = if pin.starts_with("ground") { hole } else { pin };
                let (body, at, _) = frame(description, reference);
                marks.push(Mark { subject: name.clone(), body: body.into(), at, radius: *pin_radius });
            }
            Joint::Prismatic { between: [_, slider], clearance: Some(_), size: Some([l, h]), .. } => {
                let (body, at, angle) = frame(description, slider);
                let pose = Pose { at, angle };
                // Upper left, upper right, lower left, lower right: the order of the four contacts.
                let corners = [(-0.5, 0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)];
                marks.extend(corners.iter().enumerate().map(|(i, (along, side))| Mark {
                    subject: format!("{name}.{}", i + 1),
                    body: body.into(),
                    at: pose.apply([along * l, side * h]),
                    radius: 0.0,
                }));
            }
            _ => {}
        }
    }
    marks
}

/// Body, place and angle of a reference; the centre of mass if it names no point.
fn frame<'a>(description: &Description, reference: &'a str) -> (&'a str, [f64; 2], f64) {
    let (body, name) = reference.split_once('.').unwrap_or((reference, ""));
    let points = if body == "ground" {
        Some(&description.ground.points)
    } else {
        description.bodies.get(body).map(|b: &Body| &b.points)
    };
    match points.and_then(|p| p.get(name)) {
        Some(point) => (body, point.place().unwrap_or_default(), point.angle()),
        None => (body, [0.0; 2], 0.0),
    }
}

/// Body and touching places (with radius) of a contact partner; none for walls.
fn spots<'a>(description: &Description, reference: &'a str) -> (&'a str, Vec<([f64; 2], f64)>) {
    let (body, name) = reference.split_once('.').unwrap_or((reference, ""));
    let shapes = if body == "ground" {
        Some(&description.ground.shapes)
    } else {
        description.bodies.get(body).map(|b| &b.shapes)
    };
    let list = match shapes.and_then(|s| s.get(name)) {
        None => vec![(frame(description, reference).1, 0.0)],
        Some(Shape::Disk { center, radius }) => vec![(*center, *radius)],
        Some(Shape::Rectangle { center: [x, y], size: [l, h] }) => {
            let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
            corners.iter().map(|(a, b)| ([x + a * l, y + b * h], 0.0)).collect()
        }
        Some(Shape::Polygon { corners }) => corners.iter().map(|&c| (c, 0.0)).collect(),
        Some(
            Shape::Line { .. }
            | Shape::Path { .. }
            | Shape::Spline { .. }
            | Shape::Capsule { .. }
            | Shape::Ellipse { .. },
        ) => Vec::new(),
    };
    (body, list)
}

/// Place and angle of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Centre of mass (m).
    pub at: [f64; 2],
    /// Angle (rad).
    pub angle: f64,
}

impl Pose {
    /// A point of the body in the inertial frame.
    pub fn apply(&self, p: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        [self.at[0] + cos * p[0] - sin * p[1], self.at[1] + sin * p[0] + cos * p[1]]
    }
}

/// Where a body is and, if it is flexible, its shape points in the inertial frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posture {
    /// Of its frame.
    pub pose: Pose,
    /// Shape points (m).
    pub shape: Vec<[f64; 2]>,
}

/// The columns of a recording that move one body.
#[derive(Clone, Debug)]
pub struct Track<'a> {
    x: &'a [f64],
    y: &'a [f64],
    angle: Option<&'a [f64]>,
    shape: Vec<[&'a [f64]; 2]>,
}

/// The columns of a recording by subject and quantity: thousands of bodies are looked up without walking all channels each time.
#[derive(Clone, Debug)]
pub struct Columns<'a> {
    of: HashMap<(&'a str, &'a str), &'a [f64]>,
}

impl<'a> Columns<'a> {
    /// Notes where every channel is; of two with one name the first counts.
    pub fn new(recording: &'a Recording) -> Self {
        let named = recording.channels.iter().zip(&recording.columns);
        let column =
            |(c, column): (&'a Channel, &'a Vec<f64>)| ((c.subject(), c.quantity()), column.as_slice());
        Self { of: named.rev().map(column).collect() }
    }

    /// The column of a quantity of a subject.
    pub fn of(&self, subject: &str, quantity: &str) -> Option<&'a [f64]> {
        self.of.get(&(subject, quantity)).copied()
    }

    /// The track of a body; `None` if it stands still or was not recorded.
    pub fn track(&self, body: &str) -> Option<Track<'a>> {
        let point = |n: usize| {
            Some([self.of(body, &format!("shape.{n}.x"))?, self.of(body, &format!("shape.{n}.y"))?])
        };
        let shape = (0..).map_while(point).collect();
        Some(Track { x: self.of(body, "x")?, y: self.of(body, "y")?, angle: self.of(body, "angle"), shape })
    }
}

impl<'a> Track<'a> {
    /// Horizontal and vertical place and, unless it is a point mass, the angle.
    pub fn columns(&self) -> (&'a [f64], &'a [f64], Option<&'a [f64]>) {
        (self.x, self.y, self.angle)
    }

    /// Columns of x and y of the shape points.
    pub fn shape(&self) -> &[[&'a [f64]; 2]] {
        &self.shape
    }

    /// Where the body and its shape points are in sample `k`.
    pub fn posture(&self, k: usize) -> Posture {
        Posture { pose: self.pose(k), shape: self.shape.iter().map(|[x, y]| [x[k], y[k]]).collect() }
    }

    /// Where the body is in sample `k`.
    pub fn pose(&self, k: usize) -> Pose {
        Pose { at: [self.x[k], self.y[k]], angle: self.angle.map_or(0.0, |a| a[k]) }
    }
}

/// Corners of a circle drawn as a polygon.
pub(crate) const CIRCLE_CORNERS: usize = 48;

impl Stroke {
    /// The stroke as a chain of points in the inertial frame, and whether it is closed. A circle gets a spoke, so
    /// that its turning can be seen.
    pub(crate) fn polyline(&self, posture: &Posture) -> (Vec<[f64; 2]>, bool) {
        let pose = &posture.pose;
        match self {
            Stroke::Shape { points, closed } => {
                (points.iter().filter_map(|&n| posture.shape.get(n).copied()).collect(), *closed)
            }
            Stroke::Line { points, closed } => (points.iter().map(|&p| pose.apply(p)).collect(), *closed),
            Stroke::Circle { center, radius } => {
                let corner = |i: usize| {
                    let (sin, cos) = (std::f64::consts::TAU * i as f64 / CIRCLE_CORNERS as f64).sin_cos();
                    pose.apply([center[0] + radius * cos, center[1] + radius * sin])
                };
                let mut points = vec![pose.apply(*center)];
                points.extend((0..=CIRCLE_CORNERS).map(corner));
                (points, false)
            }
        }
    }
}

/// Indices of at most `count` samples, spread evenly over time; first and last are among them.
pub(crate) fn even_samples(t: &[f64], count: usize) -> Vec<usize> {
    let (Some(first), Some(last)) = (t.first(), t.last()) else { return Vec::new() };
    if t.len() <= count.max(2) {
        return (0..t.len()).collect();
    }
    let mut picked = Vec::with_capacity(count);
    for i in 0..count.max(2) {
        let goal = first + (last - first) * i as f64 / (count.max(2) - 1) as f64;
        // The sample nearest to the goal: t never falls.
        let after = t.partition_point(|&x| x < goal).min(t.len() - 1);
        let k = if after > 0 && goal - t[after - 1] < t[after] - goal { after - 1 } else { after };
        if picked.last().is_none_or(|&p| p < k) {
            picked.push(k);
        }
    }
    if picked.last() != Some(&(t.len() - 1)) {
        picked.push(t.len() - 1);
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_moves_x_to_y() {
        let p = Pose { at: [1.0, 2.0], angle: std::f64::consts::FRAC_PI_2 }.apply([3.0, 0.0]);
        assert!((p[0] - 1.0).abs() < 1e-15 && (p[1] - 5.0).abs() < 1e-15);
    }

    #[test]
    fn samples_are_even_in_time_not_in_number() {
        // Dense in the first tenth: a choice by number would sit there.
        let mut t: Vec<f64> = (0..900).map(|i| 0.1 * i as f64 / 900.0).collect();
        t.extend((0..=100).map(|i| 0.1 + 0.9 * i as f64 / 100.0));
        let picked = even_samples(&t, 11);
        assert_eq!(picked.len(), 11);
        assert_eq!((picked[0], picked[10]), (0, t.len() - 1));
        for (i, &k) in picked.iter().enumerate() {
            assert!((t[k] - 0.1 * i as f64).abs() < 0.01);
        }
    }
}
