//! The shapes every contact comes down to, in the frame of the touched body.
//!
//! ```text
//!   flat:           g = n·(p − a) − ρ
//!   round, outside: g = |p − c| − R − ρ,   n =  (p − c)/|p − c|
//!   round, inside:  g = R − |p − c| − ρ,   n = −(p − c)/|p − c|
//!   parabola, span of a spline: g = n·(p − foot) − ρ,   n at the foot ([`parabola`](super::parabola), [`spline`](super::spline))
//! ```
//!
//! In the centre of a circle the normal is undefined; it is set to (0, 1), and the gap of a hole is widest there.

use super::{Cubic, Parabola};
use crate::geometry::plane::{V2, dot, norm, scale, sub};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    Flat { through: V2, normal: V2 },
    Round { centre: V2, radius: f64, outward: bool },
    Parabola(Parabola),
    Cubic(Cubic),
}

impl Feature {
    /// Distance of the point p to the surface, negative behind it.
    #[inline]
    pub fn distance(&self, p: V2) -> f64 {
        match *self {
            Feature::Flat { through, normal } => dot(normal, sub(p, through)),
            Feature::Round { centre, radius, outward: true } => norm(sub(p, centre)) - radius,
            Feature::Round { centre, radius, outward: false } => radius - norm(sub(p, centre)),
            Feature::Parabola(parabola) => parabola.distance(p),
            Feature::Cubic(span) => span.distance(p),
        }
    }

    /// Gap of a disk of radius rho around p.
    #[inline]
    pub fn gap(&self, p: V2, rho: f64) -> f64 {
        self.distance(p) - rho
    }

    /// n.
    #[inline]
    pub fn normal(&self, p: V2) -> V2 {
        match *self {
            Feature::Flat { normal, .. } => normal,
            Feature::Round { centre, outward, .. } => {
                let d = sub(p, centre);
                let length = norm(d);
                if length == 0.0 {
                    return [0.0, 1.0];
                }
                scale(if outward { 1.0 } else { -1.0 } / length, d)
            }
            Feature::Parabola(parabola) => parabola.normal(p),
            Feature::Cubic(span) => span.normal(p),
        }
    }

    /// Curvature at the foot of p, positive hollow.
    #[inline]
    pub fn curvature(&self, p: V2) -> f64 {
        match *self {
            Feature::Flat { .. } => 0.0,
            // a corner: n turns with the direction of p alone
            Feature::Round { radius, outward, .. } => (if outward { -1.0 } else { 1.0 }) / radius,
            Feature::Parabola(parabola) => parabola.curvature(parabola.foot(p)),
            Feature::Cubic(span) => span.curvature_below(p),
        }
    }
}
