//! The two frames of a joint in space, from what its points say of their axes.
//!
//! z is the axis of the joint. A point that says nothing takes the axes of its partner as they are at the start; a point that
//! says its z alone has its x turned to that of its partner the shortest way, so that the angle of the joint is zero at the
//! start. Two points that say all of their axes are taken by their word: the angle is then what it is. Where neither says
//! anything, the axes are those of the first body if one end is a body or the ground as a whole; two points that a joint
//! with an axis would have to guess it for are refused.

use super::Built;
use super::space::{SpaceBuilder, SpaceFrame};
use crate::description::space::Point;
use crate::error::{ModelError, Problem};
use crate::geometry::Space;
use crate::geometry::space::{M3, V3, axes, axes_of, quaternion_of, times, transposed_times};
use crate::geometry::{Vector, add, scale};
use crate::joints::{Coordinate, Framed, Pair};
use crate::layout::SpaceAnchor;
use crate::place::Marker;
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, Quantity};

/// How much of the axes of a point a description says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Nothing,
    /// z.
    Axis,
    All,
}

impl Said {
    pub fn of(point: &Point) -> Self {
        match point {
            Point::Frame { rotation: Some(_), .. } | Point::Frame { axis: Some(_), x: Some(_), .. } => {
                Said::All
            }
            Point::Frame { axis: Some(_), .. } => Said::Axis,
            Point::At(_) | Point::Frame { .. } => Said::Nothing,
        }
    }
}

/// What a joint asks of its axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agree {
    /// They are to be one: the assembly turns the bodies until they are.
    Parallel,
    /// Any angle but half a turn is right.
    Bent,
    /// x of the first and y of the second are square.
    Crossed,
    /// The axes of the first alone count.
    First,
    /// The same, and z is nothing special: the body's own axes will do.
    FirstWhole,
    /// They are to be one, whatever they are.
    Whole,
}

impl Agree {
    /// Whether the axes of the second frame are without meaning.
    fn first_alone(self) -> bool {
        matches!(self, Agree::First | Agree::FirstWhole)
    }

    /// Whether z is the axis of the joint, so that somebody has to say where it points.
    fn has_axis(self) -> bool {
        !matches!(self, Agree::FirstWhole | Agree::Whole)
    }
}

/// The frames of a joint, and where to draw it.
pub(crate) struct Joined {
    pub pair: Pair,
    pub anchors: [SpaceAnchor; 2],
}

/// The least 1 + cos of the angle between two axes: nearer to half a turn the direction between them is lost.
const OPPOSED: f64 = 1e-6;

/// The same of axes that are to become parallel: nearer to a right angle nothing says which way they are to turn.
const SQUARE: f64 = 1.1;

/// Axes e_k of a frame at a configuration.
fn triad(frame: &SpaceFrame, at: &Configuration) -> M3 {
    let (A, H) = (axes_of(&frame.marker.place.frame(at)), axes(frame.held));
    [0, 1, 2].map(|k| times(&A, [H[0][k], H[1][k], H[2][k]]))
}

/// The shortest turn from x to y, of v.
fn turned(x: V3, y: V3, v: V3) -> V3 {
    let w = cross(x, y);
    let once = cross(w, v);
    add(add(v, once), scale(1.0 / (1.0 + x.dot(y)), cross(w, once)))
}

fn unit(v: V3) -> V3 {
    scale(1.0 / v.norm(), v)
}

/// A triad with axis z and the x that is nearest to the one given.
fn around(z: V3, x: V3) -> M3 {
    let y = unit(cross(z, x));
    [cross(y, z), y, z]
}

impl SpaceBuilder<'_> {
    /// The frames of a joint.
    pub fn joined(
        &self,
        section: &str,
        key: &str,
        between: &[String; 2],
        start: &Configuration,
        agree: Agree,
    ) -> Built<Joined> {
        let [first, second] = self.pair(section, key, between)?;
        for (i, frame) in [&first, &second].into_iter().enumerate() {
            if !frame.marker.place.takes_torque() && (i == 0 || !agree.first_alone()) {
                let body = self.body_name(&frame.marker.place).to_string();
                let path = [section, key, "between", &i.to_string()];
                return Err(ModelError::new(&path, Problem::NoAngle { body }));
            }
        }
        if section == "joints" && agree.has_axis() {
            let ends = if agree.first_alone() { 1 } else { 2 };
            // a body as a whole has the axes of its frame
            let guess =
                |(name, frame): (&String, &SpaceFrame)| name.contains('.') && frame.said == Said::Nothing;
            if between.iter().zip([&first, &second]).take(ends).all(guess) {
                return Err(ModelError::new(&[section, key, "between"], without_axis(&between[..ends])));
            }
        }
        let (mut a, mut b) = (triad(&first, start), triad(&second, start));
        match (first.said, second.said) {
            _ if agree.first_alone() => b = a,
            (_, Said::Nothing) => b = a,
            (Said::Nothing, _) => a = b,
            (one, two) => {
                let room = 1.0 + a[2].dot(b[2]);
                let least = if matches!(agree, Agree::Parallel | Agree::Whole) { SQUARE } else { OPPOSED };
                if room < least {
                    return Err(ModelError::new(&[section, key, "between"], opposed(between, room)));
                }
                match (agree, one, two) {
                    (_, Said::All, Said::All) => {}
                    (Agree::Crossed, ..) => (a, b) = crossed(a, b, one, two),
                    (_, _, Said::All) => a = [0, 1, 2].map(|k| turned(b[2], a[2], b[k])),
                    _ => b = [0, 1, 2].map(|k| turned(a[2], b[2], a[k])),
                }
            }
        }
        let held = |frame: SpaceFrame, e: M3| {
            let A = axes_of(&frame.marker.place.frame(start));
            let e = e.map(|e| transposed_times(&A, e));
            let rotation = quaternion_of(&[0, 1, 2].map(|i| [e[0][i], e[1][i], e[2][i]]));
            (Framed::new(frame.marker, rotation), SpaceAnchor { rotation, ..frame.anchor })
        };
        let ((a, at), (b, to)) = (held(first, a), held(second, b));
        Ok(Joined { pair: Pair { a, b }, anchors: [at, to] })
    }

    /// Notes a coordinate that a joint leaves free: it is recorded, and drives, couplings, motors and springs may use it.
    pub fn measure(&mut self, key: &str, coordinate: Coordinate) {
        self.model.measured.push((key.into(), coordinate));
    }

    /// A coordinate of a joint by the joint's name.
    pub fn coordinate(&self, joint: &str, quantity: Quantity, path: &[&str]) -> Built<Coordinate> {
        let all = &self.model.measured;
        let of = |name: &str, coordinate: &Coordinate| name == joint && coordinate.quantity() == quantity;
        if let Some((_, found)) = all.iter().find(|(name, coordinate)| of(name, coordinate)) {
            return Ok(found.clone());
        }
        let usable = all.iter().filter(|(_, coordinate)| coordinate.quantity() == quantity);
        let known: Vec<String> = usable.map(|(name, _)| name.clone()).collect();
        if self.description.joints.contains_key(joint) {
            let (what, kinds) = match quantity {
                Quantity::Angle => ("angle", "a revolute, cylindrical or screw joint"),
                Quantity::Length => ("displacement", "a prismatic, cylindrical or screw joint"),
            };
            let message = format!("the joint `{joint}` has no {what}");
            return Err(ModelError::new(
                path,
                Problem::BadJoint { message, remedy: format!("name {kinds}") },
            ));
        }
        Err(ModelError::new(path, Problem::Unknown { what: "joint", name: joint.into(), known }))
    }

    /// Where a frame of a joint is drawn.
    pub fn anchor_of(&self, framed: &Framed) -> SpaceAnchor {
        let Marker::<Space> { place, local } = &framed.marker;
        SpaceAnchor { body: self.body_name(place).into(), at: *local, rotation: framed.rotation }
    }
}

/// x of a and y of b square to each other; what is not said is chosen so.
fn crossed(a: M3, b: M3, one: Said, two: Said) -> (M3, M3) {
    let across = cross(a[2], b[2]);
    match (one, two) {
        (Said::All, _) => {
            let y = unit(cross(b[2], a[0]));
            (a, [cross(y, b[2]), y, b[2]])
        }
        (_, Said::All) => (around(a[2], unit(cross(b[1], a[2]))), b),
        // both arms square to the plane of the axes, and in it
        _ => {
            let x = if across.norm() > OPPOSED { unit(across) } else { a[0] };
            (around(a[2], x), around(b[2], x))
        }
    }
}

fn opposed(between: &[String; 2], room: f64) -> Problem {
    let angle = (room - 1.0).clamp(-1.0, 1.0).acos().to_degrees();
    let message =
        format!("the axes of `{}` and `{}` are {angle:.1}° apart at the start", between[0], between[1]);
    let remedy =
        "let both point the same way: turn one axis around, or place the bodies nearer to where they fit";
    Problem::BadJoint { message, remedy: remedy.into() }
}

/// No point of the joint says where its axis points.
fn without_axis(ends: &[String]) -> Problem {
    let message = match ends {
        [one, two] => format!("neither `{one}` nor `{two}` says where the axis of the joint points"),
        _ => format!("`{}` does not say where the axis of the joint points", ends[0]),
    };
    let name = ends[0].rsplit('.').next().unwrap_or_default();
    let remedy = format!("write the point with its axis: {name} = {{ at = [x, y, z], axis = [0, 0, 1] }}");
    Problem::BadJoint { message, remedy }
}
