//! A length typical of a mechanism.
//!
//! The diagonal of the box around all that has a place at the start: centres of mass, named points, shapes. It does
//! not depend on where the mechanism stands and scales with it. If there is only one place (a point mass alone), the
//! first of these that is not zero: its distance from the origin; the longest length written in joints and springs;
//! the height |v|²/g it can rise; the way |v| T or g T²/2 it can go until the end time T. A model without any length
//! gets 1, since nothing in it can be compared with a length.
//!
//! Beside it, how far from the origin all that reaches: the round-off of places is some ε of that, however small the mechanism.

pub(crate) mod space;

use crate::description::{Body, Description, Expression, Joint, Piece, Point, Shape};
use crate::dimension::{Dimension, Numbers};
use crate::geometry::plane::{V2, add, norm, scale, turn};
use crate::outline::on_parabola;

/// The typical length, and the largest coordinate of a place, at least that length (m).
pub(crate) fn scales(description: &Description) -> (f64, f64) {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let mut see = |p: V2| {
        for i in 0..2 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    };
    for body in description.bodies.values() {
        see(body.position);
        let place = |p: V2| {
            let (s, c) = body.angle.sin_cos();
            add(body.position, turn(c, s, p))
        };
        body.points.values().filter_map(Point::place).for_each(|point| see(place(point)));
        body.elastic.iter().flat_map(|e| e.extent()).for_each(|point| see(place(point)));
        body.shapes.values().for_each(|shape| corners(shape, &mut |p| see(place(p))));
    }
    description.ground.points.values().filter_map(Point::place).for_each(&mut see);
    description.ground.shapes.values().for_each(|shape| corners(shape, &mut see));
    let diagonal = (high[0] - low[0]).hypot(high[1] - low[1]);
    let size = description.joints.values().map(Joint::size).fold(0.0, f64::max);

    let largest = |f: &dyn Fn(&Body) -> f64| description.bodies.values().map(f).fold(0.0, f64::max);
    let speed = largest(&|b| norm(b.velocity));
    let gravity = norm(description.gravity);
    let end = description.simulation.end;
    let choices = [
        if diagonal.is_finite() { diagonal.max(size) } else { size },
        largest(&|b| norm(b.position)),
        written_lengths(description),
        if gravity > 0.0 { speed * speed / gravity } else { 0.0 },
        (speed * end).max(0.5 * gravity * end * end),
    ];
    let length = choices.into_iter().find(|&choice| choice > 0.0 && choice.is_finite()).unwrap_or(1.0);
    let coordinates = low.into_iter().chain(high).filter(|c| c.is_finite());
    (length, coordinates.fold(length, |most, c| most.max(c.abs())))
}

/// Directions in which a circle is widest.
const SIDES: [V2; 4] = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];

/// Points that span the shape. The wall without end counts by the point it goes through.
fn corners(shape: &Shape, see: &mut dyn FnMut(V2)) {
    match shape {
        Shape::Disk { center, radius } => {
            for d in SIDES {
                see(add(*center, scale(*radius, d)));
            }
        }
        Shape::Line { through, .. } => see(*through),
        Shape::Path { start, pieces } => {
            see(*start);
            let mut from = *start;
            for piece in pieces {
                match *piece {
                    Piece::SplineThrough(ref through) => {
                        through.places().into_iter().for_each(|place| {
                            see(place);
                            from = place;
                        });
                    }
                    Piece::LineTo(to) => from = to,
                    Piece::ArcTo { end, center, .. } => {
                        see(center);
                        from = end;
                    }
                    Piece::ParabolaTo { end, control } => {
                        see(on_parabola(from, control, end, 0.5));
                        from = end;
                    }
                }
                see(from);
            }
        }
        Shape::Ellipse { center, semi_axes: [a, b], angle } => {
            let (s, c) = angle.sin_cos();
            for d in SIDES {
                see(add(*center, turn(c, s, [a * d[0], b * d[1]])));
            }
        }
        Shape::Rectangle { center, size } => {
            for (x, y) in [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)] {
                see(add(*center, [x * size[0], y * size[1]]));
            }
        }
        Shape::Polygon { corners } => corners.iter().for_each(|c| see(*c)),
        Shape::Spline { through, .. } => through.places().into_iter().for_each(see),
        Shape::Capsule { from, to, radius } => {
            for (end, d) in [from, to].into_iter().flat_map(|end| SIDES.map(|d| (end, d))) {
                see(add(*end, scale(*radius, d)));
            }
        }
    }
}

/// The longest length written in joints and forces.
fn written_lengths(description: &Description) -> f64 {
    let mut longest = Longest(0.0);
    description.joints.values().for_each(|joint| joint.clone().quantities(&mut longest));
    description.forces.values().for_each(|force| force.clone().quantities(&mut longest));
    longest.0
}

/// The longest of the lengths it is shown.
struct Longest(f64);
impl Numbers for Longest {
    fn number(&mut self, x: &mut f64, dimension: Dimension) {
        if dimension == Dimension::LENGTH {
            self.0 = self.0.max(*x);
        }
    }

    fn function(&mut self, _: &mut Expression, _: Dimension) {}
}
