//! Which smooth piece of a shape faces a point.
//!
//! A shape is the union of the regions that see one of its pieces best; in the region of a piece its [`Feature`] is the distance to
//! the shape. Pieces have numbers, by which a contact can be held to one of them, prolonged.
//!
//! ```text
//!   box             3 × 3 × 3 regions: beyond which of its faces the point is; a face, an edge or a corner. Inside: the nearest face
//!   cylinder        side, two ends, two rims. Inside: the nearest of side and ends
//!   capsule         side, two ends
//!   bore            side, seen from inside, and the two rims it ends with
//! ```

use super::feature::Feature;
use super::{HIDDEN, LEAN};
use crate::geometry::Vector;
use crate::geometry::space::V3;

/// What a touching point or sphere may touch; long shapes lie along z, all have their middle in the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// One feature everywhere.
    One(Feature),
    /// A box with these half sizes.
    Box { half: V3 },
    /// A massive cylinder.
    Cylinder { radius: f64, half: f64 },
    /// A capsule, `half` from its middle to the centre of an end. Without `ends` only its side is seen.
    Capsule { radius: f64, half: f64, ends: bool },
    /// A bore that is open at both ends. Its wall has no other side: a point further behind it than the radius sees nothing.
    Bore { radius: f64, half: f64 },
    /// The side of a bore, seen from inside between its ends only. What is further than `reach` from its axis is not in it: a
    /// shaft that has left its bearing touches it no more, wherever its axis points.
    Liner { radius: f64, half: f64, reach: f64 },
}

/// Pieces of what is round about z; its ends are two numbers from here, + first.
const SIDE: u32 = 0;
const END: u32 = 1;
const RIM: u32 = 3;

/// A corner that is beyond a face by less than this part of the size still counts as over the box, so that boxes of one size stack.
const SLACK: f64 = 1.0 + 1e-9;

/// The inside of a box, which is no piece.
const INSIDE: u32 = 13;

/// A number from which face along each axis the point is beyond: −1, 0, 1.
fn region(beyond: [i32; 3]) -> u32 {
    beyond.iter().rev().fold(0, |code, &s| 3 * code + (s + 1) as u32)
}

fn beyond(region: u32) -> [f64; 3] {
    [region % 3, region / 3 % 3, region / 9].map(|digit| digit as f64 - 1.0)
}

/// 0 for the upper, 1 for the lower.
fn lower(z: f64) -> u32 {
    (z < 0.0) as u32
}

/// The place of an end on z.
fn at_end(half: f64, number: u32) -> V3 {
    [0.0, 0.0, if number == 0 { half } else { -half }]
}

impl Shape {
    /// The piece that faces p, [`HIDDEN`] if none does. A corner of another body that has come into a box is at a face it can have
    /// come through; `cone` are the outward normals of the faces that meet in it.
    #[inline]
    pub fn number(&self, p: V3, cone: Option<[V3; 3]>) -> u32 {
        let s = p[0].hypot(p[1]);
        match *self {
            Shape::One(_) => 0,
            Shape::Box { half } => {
                let slack = if cone.is_some() { SLACK } else { 1.0 };
                let of =
                    |k: usize| if p[k].abs() > slack * half[k] { 1.0f64.copysign(p[k]) as i32 } else { 0 };
                match region([of(0), of(1), of(2)]) {
                    INSIDE => {
                        // the axes by depth; n·c ≤ 0 for all that is outward at the corner, but for a lean
                        let depth = |k: usize| half[k] - p[k].abs();
                        let mut axes = [0, 1, 2];
                        axes.sort_by(|&i, &j| depth(i).total_cmp(&depth(j)));
                        let faces = |k: usize| {
                            let out = 1.0f64.copysign(p[k]);
                            cone.is_none_or(|cone| cone.iter().all(|c| out * c[k] <= LEAN))
                        };
                        let axis = axes.into_iter().find(|&k| faces(k)).unwrap_or(axes[0]);
                        let mut beyond = [0; 3];
                        beyond[axis] = 1.0f64.copysign(p[axis]) as i32;
                        region(beyond)
                    }
                    outside => outside,
                }
            }
            Shape::Cylinder { radius, half } => match (s > radius, p[2].abs() > half) {
                (true, true) => RIM + lower(p[2]),
                (false, true) => END + lower(p[2]),
                (true, false) => SIDE,
                (false, false) if half - p[2].abs() < radius - s => END + lower(p[2]),
                (false, false) => SIDE,
            },
            Shape::Capsule { half, .. } if p[2].abs() <= half => SIDE,
            Shape::Capsule { ends: true, .. } => END + lower(p[2]),
            Shape::Capsule { ends: false, .. } => HIDDEN,
            Shape::Bore { half, .. } if p[2].abs() > half => RIM + lower(p[2]),
            Shape::Bore { radius, half } if half < f64::INFINITY && s > 2.0 * radius => HIDDEN,
            Shape::Bore { .. } => SIDE,
            Shape::Liner { half, .. } if p[2].abs() > half => HIDDEN,
            Shape::Liner { half, reach, .. } if half < f64::INFINITY && s > reach => HIDDEN,
            Shape::Liner { .. } => SIDE,
        }
    }

    /// Whether that number can change.
    pub fn has_pieces(&self) -> bool {
        match *self {
            Shape::One(_) => false,
            Shape::Box { .. } => true,
            Shape::Cylinder { half, .. }
            | Shape::Capsule { half, .. }
            | Shape::Bore { half, .. }
            | Shape::Liner { half, .. } => half < f64::INFINITY,
        }
    }

    /// A piece by its number, prolonged; what is nearest where nothing faces p.
    #[inline]
    pub fn numbered(&self, number: u32, p: V3) -> Feature {
        let side = |radius: f64, outward: bool| Feature::Line { through: V3::ZERO, axis: 2, radius, outward };
        match *self {
            Shape::One(feature) => feature,
            Shape::Box { half } => {
                let number = if number == HIDDEN { self.number(p, None) } else { number };
                let out = beyond(number);
                let corner = [0, 1, 2].map(|k| out[k] * half[k]);
                let flat = |k: &usize| out[*k] == 0.0;
                match (0..3).filter(flat).count() {
                    0 => Feature::Point { centre: corner, radius: 0.0, outward: true },
                    1 => {
                        let axis = (0..3).find(flat).expect("an edge runs along an axis");
                        Feature::Line { through: corner, axis, radius: 0.0, outward: true }
                    }
                    _ => {
                        let axis = (0..3).find(|k| !flat(k)).expect("a face looks along an axis");
                        Feature::Plane { through: corner, axis, sign: out[axis] }
                    }
                }
            }
            Shape::Cylinder { radius, half } => match number {
                SIDE | HIDDEN => side(radius, true),
                RIM.. => Feature::Circle { centre: at_end(half, number - RIM), circle: radius, radius: 0.0 },
                _ => {
                    let through = at_end(half, number - END);
                    Feature::Plane { through, axis: 2, sign: 1.0f64.copysign(through[2]) }
                }
            },
            Shape::Capsule { radius, half, .. } => match number {
                SIDE | HIDDEN => side(radius, true),
                _ => Feature::Point { centre: at_end(half, number - END), radius, outward: true },
            },
            Shape::Bore { radius, half } => match number {
                SIDE | HIDDEN => side(radius, false),
                _ => Feature::Circle { centre: at_end(half, number - RIM), circle: radius, radius: 0.0 },
            },
            Shape::Liner { radius, .. } => side(radius, false),
        }
    }
}
