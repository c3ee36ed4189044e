//! Mass and moment of inertia of shapes of even density.
//!
//! With a boundary walked counter-clockwise (Green),
//!
//! ```text
//!   A     = ∮ (x dy − y dx)/2
//!   A c   = ∮ (x²/2 dy, −y²/2 dx)
//!   ∫ r²  = ∮ (x³ dy − y³ dx)/3
//! ```
//!
//! about a point of the boundary, so that a small shape far away keeps its digits. A boundary walked clockwise counts negatively. Lines,
//! parabolas and cubics are integrated exactly by Gauss' rule with six points (degree 11), arcs to the last digit in parts.

use crate::contacts::{Bounds, Path, cubics};
use crate::description::{Body, Piece, Shape};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub, turn};
use crate::outline::{capsule, on_parabola};
use std::f64::consts::{PI, TAU};

/// How far the centroid may be off the origin of the frame, relative to the size of the body: numbers typed with six digits pass.
const CENTRED: f64 = 1e-6;

/// How far two shapes may reach into each other, relative to the size of the body: numbers typed with nine digits.
const APART: f64 = 1e-9;

/// Parts of a full turn: over one of them Gauss' rule is exact to round-off.
const PARTS: f64 = 16.0;

/// Gauss' rule on [−1, 1]: places and weights, to both sides.
const GAUSS: [(f64, f64); 3] = [
    (0.238_619_186_083_196_9, 0.467_913_934_572_691_05),
    (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
    (0.932_469_514_203_152, 0.171_324_492_379_170_36),
];

/// An area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    /// A (m²).
    pub size: f64,
    /// c (m).
    pub centroid: V2,
    /// Polar second moment about the centroid (m⁴).
    pub polar: f64,
}

impl Area {
    /// The sum of two areas; by Steiner about the common centroid.
    fn and(self, other: Self) -> Self {
        let size = self.size + other.size;
        if size == 0.0 {
            return Self::default();
        }
        let weighed = |area: &Self| scale(area.size / size, area.centroid);
        let centroid = add(weighed(&self), weighed(&other));
        let moved = |area: &Self| {
            let d = sub(area.centroid, centroid);
            area.polar + area.size * dot(d, d)
        };
        Self { size, centroid, polar: moved(&self) + moved(&other) }
    }

    /// What is left out.
    fn negative(self) -> Self {
        Self { size: -self.size, polar: -self.polar, ..self }
    }
}

/// The integrals along a boundary, about `origin`.
struct Walk {
    origin: V2,
    size: f64,
    first: V2,
    second: f64,
}

impl Walk {
    fn from(origin: V2) -> Self {
        Self { origin, size: 0.0, first: [0.0; 2], second: 0.0 }
    }

    /// Along r(s), s from 0 to 1; `at` gives r and r'.
    fn along(&mut self, at: impl Fn(f64) -> (V2, V2)) {
        for (place, weight) in GAUSS.into_iter().flat_map(|(x, w)| [(x, w), (-x, w)]) {
            let (r, slope) = at(0.5 * (1.0 + place));
            let ([x, y], [dx, dy]) = (sub(r, self.origin), scale(0.5 * weight, slope));
            self.size += 0.5 * (x * dy - y * dx);
            self.first = add(self.first, [0.5 * x * x * dy, -0.5 * y * y * dx]);
            self.second += (x * x * x * dy - y * y * y * dx) / 3.0;
        }
    }

    fn line(&mut self, from: V2, to: V2) {
        let d = sub(to, from);
        self.along(|s| (add(from, scale(s, d)), d));
    }

    fn piece(&mut self, from: V2, piece: &Piece, alone: bool) -> V2 {
        match piece {
            Piece::LineTo(to) => {
                self.line(from, *to);
                *to
            }
            Piece::ArcTo { end, center, counterclockwise } => {
                let (a, b) = (sub(from, *center), sub(*end, *center));
                let sign = if *counterclockwise { 1.0 } else { -1.0 };
                let swept = sign * cross(a, b).atan2(dot(a, b));
                // from a point to itself: a full circle
                let swept = sign * if from == *end || swept <= 0.0 { swept + TAU } else { swept };
                let parts = (PARTS * swept.abs() / TAU).ceil().max(1.0);
                for k in 0..parts as usize {
                    self.along(|s| {
                        let (sin, cos) = (swept * (k as f64 + s) / parts).sin_cos();
                        let arm = turn(cos, sin, a);
                        (add(*center, arm), scale(swept / parts, perp(arm)))
                    });
                }
                *end
            }
            Piece::ParabolaTo { end, control } => {
                let (a, b) = (sub(*control, from), sub(*end, *control));
                let slope = |s: f64| scale(2.0, add(scale(1.0 - s, a), scale(s, b)));
                self.along(|s| (on_parabola(from, *control, *end, s), slope(s)));
                *end
            }
            Piece::SplineThrough(through) => {
                let spans = cubics(&through.onwards(from, alone));
                spans.iter().for_each(|span| self.along(|s| (span.point(s), span.slope(s))));
                spans.last().map_or(from, |span| span.point(1.0))
            }
        }
    }

    fn pieces(start: V2, pieces: &[Piece]) -> Self {
        let mut walk = Self::from(start);
        let mut from = start;
        for piece in pieces {
            from = walk.piece(from, piece, pieces.len() == 1);
        }
        walk
    }

    /// The area, positive if it was walked counter-clockwise.
    fn area(self) -> Area {
        let c = scale(1.0 / self.size, self.first);
        Area { size: self.size, centroid: add(self.origin, c), polar: self.second - self.size * dot(c, c) }
    }
}

/// The area of a shape, negative of a hole, and a box around it; none if it encloses nothing.
fn of_shape(shape: &Shape) -> Option<(Area, Bounds)> {
    let boxed = |center: V2, half: V2| Bounds { low: sub(center, half), high: add(center, half) };
    Some(match shape {
        Shape::Disk { center, radius: r } => {
            let size = PI * r * r;
            (Area { size, centroid: *center, polar: 0.5 * size * r * r }, boxed(*center, [*r; 2]))
        }
        Shape::Rectangle { center, size: [a, b] } => {
            let polar = a * b * (a * a + b * b) / 12.0;
            (Area { size: a * b, centroid: *center, polar }, boxed(*center, [0.5 * a, 0.5 * b]))
        }
        Shape::Ellipse { center, semi_axes: [a, b], angle } => {
            let size = PI * a * b;
            let (sin, cos) = angle.sin_cos();
            let half = [(a * cos).hypot(b * sin), (a * sin).hypot(b * cos)];
            (Area { size, centroid: *center, polar: 0.25 * size * (a * a + b * b) }, boxed(*center, half))
        }
        Shape::Polygon { corners } => {
            let mut walk = Walk::from(corners[0]);
            for (i, corner) in corners.iter().enumerate() {
                walk.line(*corner, corners[(i + 1) % corners.len()]);
            }
            let bounds = corners.iter().fold(Bounds::NOTHING, |all, corner| all.with_point(*corner));
            (walk.area(), bounds)
        }
        Shape::Capsule { from, to, radius } => {
            let (start, pieces) = capsule(*from, *to, *radius);
            let ends = boxed(*from, [*radius; 2]).with(boxed(*to, [*radius; 2]));
            // a solid is walked clockwise
            (solid(Walk::pieces(start, &pieces)), ends)
        }
        Shape::Spline { through, hole } => {
            let knots = through.around(*hole);
            let spans = cubics(&knots);
            let mut walk = Walk::from(spans.first()?.point(0.0));
            spans.iter().for_each(|span| walk.along(|s| (span.point(s), span.slope(s))));
            (solid(walk), Path::smooth(&knots).bounds)
        }
        Shape::Path { start, pieces } => {
            let path = Path::new(*start, pieces);
            if !path.closed {
                return None;
            }
            (solid(Walk::pieces(*start, pieces)), path.bounds)
        }
        Shape::Line { .. } => return None,
    })
}

/// Free on the left: the solid is on the other side.
fn solid(walk: Walk) -> Area {
    walk.area().negative()
}

/// Mass (kg) and moment of inertia about the centre of mass (kg m²) of a rigid body: as given, or by the density of its shapes.
pub(crate) fn mass_and_inertia(key: &str, body: &Body) -> Result<(f64, Option<f64>), ModelError> {
    let (Some(density), Some(thickness)) = (body.density, body.thickness) else {
        return Ok((body.mass, body.inertia));
    };
    let area = of_body(key, body)?;
    let surface = density * thickness;
    Ok((surface * area.size, Some(surface * area.polar)))
}

/// All shapes of a body, holes cut out.
fn of_body(key: &str, body: &Body) -> Result<Area, ModelError> {
    let wrong = |shape: &str, message: String, remedy: &str| {
        let problem = Problem::BadShape { message, remedy: remedy.into() };
        ModelError::new(&["bodies", key, "shapes", shape], problem)
    };
    if body.shapes.is_empty() {
        let problem = Problem::Missing { key: "shapes", because: "density" };
        return Err(ModelError::new(&["bodies", key, "density"], problem));
    }
    let mut all: Vec<(&str, Area, Bounds)> = Vec::new();
    for (name, shape) in &body.shapes {
        let Some((area, bounds)) = of_shape(shape) else {
            let message = format!("`{name}` encloses no area, so `density` gives it no mass");
            return Err(wrong(name, message, "close it, or give `mass` and `inertia` instead of `density`"));
        };
        all.push((name, area, bounds));
    }
    let around = all.iter().fold(Bounds::NOTHING, |around, (_, _, bounds)| around.with(*bounds));
    let far = around.diagonal();
    for (i, (name, area, bounds)) in all.iter().enumerate() {
        let solids = all.iter().enumerate().filter(|(j, other)| *j != i && other.1.size > 0.0);
        if area.size > 0.0 {
            // boxes that are apart say that the shapes are
            let across =
                solids.take_while(|(j, _)| *j < i).find(|(_, other)| meet(bounds, &other.2, APART * far));
            if let Some((_, (other, ..))) = across {
                let message = format!("`{name}` and `{other}` may overlap, which would count twice");
                let remedy = "give one outline of both, or `mass` and `inertia` instead of `density`";
                return Err(wrong(name, message, remedy));
            }
        } else if !solids.map(|(_, other)| other.2).any(|other| holds(&other, bounds, APART * far)) {
            let message = format!("the hole `{name}` is in none of the other shapes");
            return Err(wrong(name, message, "walk it clockwise to make it solid, or move it"));
        }
    }
    let area = all.iter().fold(Area::default(), |sum, (_, area, _)| sum.and(*area));
    if !(area.size > 0.0 && area.polar > 0.0) {
        let problem = Problem::NotPositive { quantity: "area of the shapes", value: area.size };
        return Err(ModelError::new(&["bodies", key, "shapes"], problem));
    }
    if norm(area.centroid) > CENTRED * far {
        let (sin, cos) = body.angle.sin_cos();
        let position = add(body.position, turn(cos, sin, area.centroid));
        let problem = Problem::OffCentre { body: key.into(), centroid: area.centroid, position };
        return Err(ModelError::new(&["bodies", key, "density"], problem));
    }
    Ok(area)
}

/// Whether two boxes have more than `margin` in common.
fn meet(a: &Bounds, b: &Bounds, margin: f64) -> bool {
    (0..2).all(|c| a.high[c].min(b.high[c]) - a.low[c].max(b.low[c]) > margin)
}

/// Whether the first box holds the second.
fn holds(outer: &Bounds, inner: &Bounds, margin: f64) -> bool {
    (0..2).all(|c| inner.low[c] >= outer.low[c] - margin && inner.high[c] <= outer.high[c] + margin)
}
