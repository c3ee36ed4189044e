//! What to draw of a mechanism, in the frames of its bodies.

pub(crate) mod space;

use crate::contacts::{Knots, cubics};
use crate::description::{Description, Piece, Point, Shape};
use crate::geometry::plane::{V2, add, norm, perp, scale, sub, turn};

/// Polylines and circles fixed to one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// The body, or `ground`.
    pub body: String,
    /// Open or closed chains of points (m).
    pub polylines: Vec<Vec<[f64; 2]>>,
    /// Circles.
    pub circles: Vec<Circle>,
    /// Chains of points that move with the deformation of a flexible body: numbers n of the channels
    /// `<body>.shape.<n>.x` and `.y`. A closed chain repeats its first.
    pub deforming: Vec<Vec<usize>>,
    /// Places (m) of those points in the frame of the body, whose pose is in the channels `<body>.x`, `.y` and `.angle`,
    /// while nothing is deformed; the pose applied to them gives the shape points of the undeformed body.
    pub reference: Vec<[f64; 2]>,
}

/// A circle in the frame of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre (m).
    pub center: [f64; 2],
    /// Radius (m).
    pub radius: f64,
}

/// Chords per full turn of an arc.
const CHORDS: f64 = 96.0;

/// Chords of a parabola: it is off them by the distance of its control point from the chord of all, over 2000.
const PARABOLA_CHORDS: usize = 32;

/// Radius of the dot that stands for a point, relative to the length scale.
const DOT: f64 = 0.01;

/// Outlines of the bodies, ground last; joints add what is theirs.
pub(crate) fn outlines(description: &Description, length: f64) -> Vec<Outline> {
    let mut outlines: Vec<Outline> = Vec::with_capacity(description.bodies.len() + 1);
    for (name, body) in &description.bodies {
        let mut outline = Outline { body: name.clone(), ..Outline::default() };
        body.shapes.values().for_each(|shape| outline.add(shape, length));
        if body.shapes.is_empty() && body.elastic.is_none() {
            outline.skeleton(body.points.values().filter_map(Point::place).collect(), length);
        }
        outlines.push(outline);
    }
    let mut ground = Outline { body: "ground".into(), ..Outline::default() };
    description.ground.shapes.values().for_each(|shape| ground.add(shape, length));
    let points = description.ground.points.values().filter_map(Point::place);
    ground.circles.extend(points.map(|point| dot_at(point, length)));
    outlines.push(ground);
    outlines
}

fn dot_at(center: V2, length: f64) -> Circle {
    Circle { center, radius: DOT * length }
}

/// Corners, counter-clockwise from the lower left.
pub(crate) fn rectangle(center: V2, size: V2) -> [V2; 4] {
    [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]| add(center, [x * size[0], y * size[1]]))
}

/// A chain that returns to its first point.
pub(crate) fn closed(mut corners: Vec<V2>) -> Vec<V2> {
    corners.extend(corners.first().copied());
    corners
}

impl Outline {
    fn add(&mut self, shape: &Shape, length: f64) {
        match shape {
            Shape::Disk { center, radius } => {
                self.circles.push(Circle { center: *center, radius: *radius });
                // A spoke shows the turning.
                self.polylines.push(vec![*center, add(*center, [*radius, 0.0])]);
            }
            Shape::Line { through, normal } => {
                // A wall without end is drawn over twice the size of the mechanism to each side.
                let along = scale(2.0 * length / norm(*normal), perp(*normal));
                self.polylines.push(vec![add(*through, along), sub(*through, along)]);
            }
            Shape::Path { start, pieces } => self.polylines.push(walk(*start, pieces)),
            Shape::Rectangle { center, size } => {
                self.polylines.push(closed(rectangle(*center, *size).to_vec()));
            }
            Shape::Polygon { corners } => self.polylines.push(closed(corners.clone())),
            Shape::Spline { through, hole } => self.polylines.push(drawn(&through.around(*hole))),
            Shape::Ellipse { center, semi_axes: [a, b], angle } => {
                let (sin, cos) = angle.sin_cos();
                let at = |i: usize| {
                    let (s, c) = (std::f64::consts::TAU * i as f64 / CHORDS).sin_cos();
                    add(*center, turn(cos, sin, [a * c, b * s]))
                };
                self.polylines.push(closed((0..CHORDS as usize).map(at).collect()));
            }
            Shape::Capsule { from, to, radius } => {
                let (start, pieces) = capsule(*from, *to, *radius);
                self.polylines.push(walk(start, &pieces));
            }
        }
    }

    /// A body without shapes: its points joined, centre of mass included if there are fewer than two.
    fn skeleton(&mut self, mut points: Vec<V2>, length: f64) {
        if points.len() == 1 && points[0] != [0.0; 2] {
            points.insert(0, [0.0; 2]);
        }
        match points.len() {
            0 | 1 => self.circles.push(dot_at(points.first().copied().unwrap_or([0.0; 2]), length)),
            2 => self.polylines.push(points),
            _ => self.polylines.push(closed(points)),
        }
    }
}

/// (1−s)² P_0 + 2 s (1−s) P_1 + s² P_2.
pub(crate) fn on_parabola(start: V2, control: V2, end: V2, s: f64) -> V2 {
    let (a, b, c) = ((1.0 - s) * (1.0 - s), 2.0 * s * (1.0 - s), s * s);
    add(add(scale(a, start), scale(b, control)), scale(c, end))
}

/// The boundary of a capsule, free outside: walked clockwise.
pub(crate) fn capsule(from: V2, to: V2, radius: f64) -> (V2, [Piece; 4]) {
    let along = sub(to, from);
    let left = scale(radius / norm(along), perp(along));
    let arc = |center: V2, end: V2| Piece::ArcTo { end, center, counterclockwise: false };
    let start = add(from, left);
    let pieces = [
        Piece::LineTo(add(to, left)),
        arc(to, sub(to, left)),
        Piece::LineTo(sub(from, left)),
        arc(from, start),
    ];
    (start, pieces)
}

/// Points of a spline, closer where it bends; a closed one repeats its first.
fn drawn(knots: &Knots) -> Vec<V2> {
    let mut points = vec![knots.points[0]];
    for span in cubics(knots) {
        let chords = (span.turn() / std::f64::consts::TAU * CHORDS).ceil().max(1.0) as usize;
        points.extend((1..=chords).map(|i| span.point(i as f64 / chords as f64)));
    }
    points
}

fn walk(start: V2, pieces: &[Piece]) -> Vec<V2> {
    let mut points = vec![start];
    let mut from = start;
    for piece in pieces {
        match *piece {
            Piece::SplineThrough(ref through) => {
                points.extend(drawn(&through.onwards(from, pieces.len() == 1)).into_iter().skip(1));
            }
            Piece::LineTo(to) => points.push(to),
            Piece::ArcTo { end, center, counterclockwise } => {
                let (u, w) = (sub(from, center), sub(end, center));
                let sense = if counterclockwise { 1.0 } else { -1.0 };
                let turned = sense * (u[0] * w[1] - u[1] * w[0]).atan2(u[0] * w[0] + u[1] * w[1]);
                let sweep = if turned <= 1e-9 { turned + std::f64::consts::TAU } else { turned };
                let chords = (sweep / std::f64::consts::TAU * CHORDS).ceil().max(1.0) as usize;
                for i in 1..chords {
                    let (s, c) = (sense * sweep * i as f64 / chords as f64).sin_cos();
                    points.push(add(center, turn(c, s, u)));
                }
                points.push(end);
            }
            Piece::ParabolaTo { end, control } => {
                let chords = PARABOLA_CHORDS;
                points
                    .extend((1..=chords).map(|i| on_parabola(from, control, end, i as f64 / chords as f64)));
            }
        }
        from = *points.last().expect("a path has points");
    }
    points
}
