//! The smooth surfaces that a point or sphere may touch, in the axes of the shape they belong to.
//!
//! ```text
//!   plane:                D = n·(p − a)
//!   round about a point:  D = ±(|d| − R),  n = ±d/|d|,   d = p − c                                + outside, − inside
//!   round about a line:   the same with    d = (1 − eeᵀ)(p − a)
//!   round about a circle: the same with    d = p − c − S ρ,   ρ = y/|y|,  y = (1 − eeᵀ)(p − c),   S its radius; outside only
//!   gap of a sphere of radius ρ about p:   g = D − ρ
//! ```
//!
//! With w the velocity of p seen from the shape, n turns as
//!
//! ```text
//!   ṅ = ±(1 − nnᵀ) ḋ/|d|,     ḋ = w,   (1 − eeᵀ) w,   w − S (1 − ρρᵀ − eeᵀ) w/|y|
//! ```
//!
//! Where d = 0 the normal is undefined; it is set to one that is normal to what the surface is round about, at rest. Inside a
//! socket or bore the gap is widest there. A line or circle with R = 0 is an edge or a rim.

use crate::geometry::space::V3;
use crate::geometry::{Vector, add, dot, norm, scale, sub};

/// Number of an axis: 0, 1, 2.
pub type Axis = usize;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// Looks along ± an axis.
    Plane {
        through: V3,
        axis: Axis,
        sign: f64,
    },
    Point {
        centre: V3,
        radius: f64,
        outward: bool,
    },
    Line {
        through: V3,
        axis: Axis,
        radius: f64,
        outward: bool,
    },
    /// Around z.
    Circle {
        centre: V3,
        circle: f64,
        radius: f64,
    },
}

/// z.
const UP: Axis = 2;

/// a without its component along an axis.
#[inline]
fn across(axis: Axis, mut a: V3) -> V3 {
    a[axis] = 0.0;
    a
}

/// a/|a|, or `instead`.
#[inline]
fn unit(a: V3, instead: V3) -> V3 {
    let length = norm(a);
    if length > 0.0 { scale(1.0 / length, a) } else { instead }
}

impl Feature {
    /// d, from what the surface is round about, and the direction it has where it is zero.
    #[inline]
    fn offset(&self, p: V3) -> (V3, V3) {
        match *self {
            Feature::Plane { axis, .. } => (V3::axis(axis), V3::axis(axis)),
            Feature::Point { centre, .. } => (sub(p, centre), V3::axis(UP)),
            Feature::Line { through, axis, .. } => (across(axis, sub(p, through)), V3::axis((axis + 1) % 3)),
            Feature::Circle { centre, circle, .. } => {
                let to = sub(p, centre);
                let out = unit(across(UP, to), V3::axis(0));
                (sub(to, scale(circle, out)), out)
            }
        }
    }

    /// Distance of the point p to the surface, negative behind it.
    #[inline]
    pub fn distance(&self, p: V3) -> f64 {
        match *self {
            Feature::Plane { through, axis, sign } => sign * (p[axis] - through[axis]),
            Feature::Point { radius, outward, .. } | Feature::Line { radius, outward, .. } => {
                let D = norm(self.offset(p).0) - radius;
                if outward { D } else { -D }
            }
            Feature::Circle { radius, .. } => norm(self.offset(p).0) - radius,
        }
    }

    #[inline]
    fn sign(&self) -> f64 {
        match *self {
            Feature::Plane { sign, .. } => sign,
            Feature::Point { outward: false, .. } | Feature::Line { outward: false, .. } => -1.0,
            _ => 1.0,
        }
    }

    /// n.
    #[inline]
    pub fn normal(&self, p: V3) -> V3 {
        let (d, instead) = self.offset(p);
        scale(self.sign(), unit(d, instead))
    }

    /// ṅ seen from the shape, where p moves with w.
    #[inline]
    pub fn normal_rate(&self, p: V3, w: V3) -> V3 {
        let d_dot = match *self {
            Feature::Plane { .. } => return V3::ZERO,
            Feature::Point { .. } => w,
            Feature::Line { axis, .. } => across(axis, w),
            Feature::Circle { centre, circle, .. } => {
                let y = across(UP, sub(p, centre));
                let s = norm(y);
                if s == 0.0 {
                    return V3::ZERO;
                }
                let out = scale(1.0 / s, y);
                let around = sub(across(UP, w), scale(dot(out, w), out));
                sub(w, scale(circle / s, around))
            }
        };
        let (d, _) = self.offset(p);
        let length = norm(d);
        if length == 0.0 {
            return V3::ZERO;
        }
        let out = scale(1.0 / length, d);
        scale(self.sign() / length, add(d_dot, scale(-dot(out, d_dot), out)))
    }
}
