//! What a mechanism looks like: strokes fixed to bodies, moved by the channels `<body>.x`, `.y` and `.angle`; those of a
//! flexible body go through its points `<body>.shape.<n>`. Mechanisms in space have solids: [`space`].

pub mod mesh;
pub mod space;
mod space_model;

use carom_dynamics::{Channel, Recording};
use carom_model::{Attachment, Model, Outline};
use serde::{Deserialize, Serialize};
use space::{SpaceDrawing, SpacePose};
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
    /// What it looks like in space; none for a mechanism in the plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceDrawing>,
}

impl From<SpaceDrawing> for Drawing {
    fn from(space: SpaceDrawing) -> Self {
        Self { space: Some(space), ..Self::default() }
    }
}

impl Drawing {
    /// The drawing of a model.
    pub fn new(model: &Model) -> Self {
        let layout = model.layout();
        let marks = layout.contact_marks.iter().chain(&layout.joint_marks);
        Self {
            figures: model.outlines().iter().map(figure).collect(),
            marks: marks.map(mark).collect(),
            joints: layout.joints.iter().filter_map(joint).collect(),
            springs: layout.forces.iter().filter_map(spring).collect(),
            space: None,
        }
    }
}

impl From<&carom_model::Anchor> for Anchor {
    fn from(anchor: &carom_model::Anchor) -> Self {
        Self { body: anchor.body.clone(), at: anchor.at }
    }
}

fn mark(mark: &carom_model::Mark) -> Mark {
    let Anchor { body, at } = Anchor::from(&mark.at);
    Mark { subject: mark.subject.clone(), body, at, radius: mark.radius }
}

/// A joint, at its first partner: a hole, a guide.
fn joint(joint: &Attachment) -> Option<JointMark> {
    let (first, others) = joint.anchors.split_first()?;
    let Anchor { body, at } = first.into();
    let to = others.first().map(Anchor::from);
    Some(JointMark { name: joint.name.clone(), kind: joint.kind.into(), body, at, angle: first.angle, to })
}

/// A spring or damper along the line between two points.
fn spring(force: &Attachment) -> Option<SpringMark> {
    let [from, to] = force.anchors.as_slice() else { return None };
    Some(SpringMark { name: force.name.clone(), from: from.into(), to: to.into() })
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

/// The columns of a recording that move one body in space; what is missing stands still.
#[derive(Clone, Copy, Debug)]
pub struct SpaceTrack<'a> {
    place: Option<[&'a [f64]; 3]>,
    turn: Option<[&'a [f64]; 4]>,
}

impl<'a> Columns<'a> {
    /// The track of a body in space; `None` if it stands still or was not recorded.
    pub fn space_track(&self, body: &str) -> Option<SpaceTrack<'a>> {
        let of = |what: &str| self.of(body, what);
        let place = || Some([of("x")?, of("y")?, of("z")?]);
        let turn = || Some([of("qw")?, of("qx")?, of("qy")?, of("qz")?]);
        let track = SpaceTrack { place: place(), turn: turn() };
        (track.place.is_some() || track.turn.is_some()).then_some(track)
    }
}

impl<'a> SpaceTrack<'a> {
    /// Columns of x, y and z; none for a body about a fixed point.
    pub fn place(&self) -> Option<[&'a [f64]; 3]> {
        self.place
    }

    /// Columns of the quaternion; none for a point mass.
    pub fn turn(&self) -> Option<[&'a [f64]; 4]> {
        self.turn
    }

    /// Where the body is in sample `k`.
    pub fn pose(&self, k: usize) -> SpacePose {
        let at = self.place.map_or([0.0; 3], |columns| columns.map(|column| column[k]));
        SpacePose::new(at, self.turn.map_or(space::UPRIGHT, |columns| columns.map(|column| column[k])))
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
