//! Where two pieces face each other.
//!
//! A circle and any curve: the foot of the centre. A curve and a line: the place of the curve with the line's normal.
//! Two other curves: with x(θ), y(θ) their places where their normals have the direction θ and face each other, t·(x − y) = 0,
//! by bisection and secants where it changes its sign.

use super::super::Feature;
use super::super::piece::{Foot, Piece};
use super::relative::Relative;
use super::toucher::{BEYOND, FLAT};
use crate::geometry::plane::{V2, cross, dot, norm, perp, scale, sub, turn};

/// Curvature (1/m) below which a curve is straight.
const STRAIGHT: f64 = 1e-9;

/// Where two outlines touch, in the frame of the touched body.
#[derive(Clone, Copy, Debug)]
pub struct Touching {
    pub n: V2,
    pub x: V2,
    pub g: f64,
    pub rho: f64,
    pub kappa: f64,
    pub number: u32,
}

impl Touching {
    pub fn of_point(p: V2, feature: Feature, distance: f64, piece: usize) -> Self {
        let (n, kappa) = (feature.normal(p), feature.curvature(p));
        Self { n, x: p, g: distance, rho: 0.0, kappa, number: piece as u32 }
    }
}

/// Where piece a of the touching outline and e of the touched one face each other, both places on the pieces; `ends`: whether
/// a line goes on smoothly at the ends of a.
pub fn faces(a: &Piece, e: &Piece, relative: Relative, ends: [bool; 2], size: f64) -> Option<Touching> {
    let on = |touching: &Touching| {
        let foot = sub(touching.x, scale(touching.g, touching.n));
        match e.feature {
            Feature::Flat { .. } => {
                let t = e.tangents[0];
                dot(t, sub(foot, e.start)) >= -BEYOND * size && dot(t, sub(foot, e.end)) <= BEYOND * size
            }
            _ => e.at_normal(touching.n, false).is_some(),
        }
    };
    let in_sector = |n: V2| {
        let m = relative.direction_back(scale(-1.0, n));
        a.at_normal(m, false).is_some()
            || (e.is_flat() && (0..2).any(|k| ends[k] && dot(m, perp(a.tangents[k])) >= FLAT.cos()))
    };
    let touching = pair(a, e, relative, false).or_else(|| {
        // beyond the end of a, where a line goes on
        (e.is_flat() && (ends[0] || ends[1])).then(|| pair(a, e, relative, true)).flatten()
    })?;
    (in_sector(touching.n) && on(&touching)).then_some(touching)
}

/// Where a and e face each other; `beyond`: both prolonged.
pub fn pair(a: &Piece, e: &Piece, relative: Relative, beyond: bool) -> Option<Touching> {
    let new = |n: V2, x: V2, g: f64, rho: f64, kappa: f64| Touching { n, x, g, rho, kappa, number: 0 };
    match (a.feature, e.feature) {
        (Feature::Round { centre, radius, .. }, _) => {
            let r = relative.place(centre);
            if !beyond && e.foot(r) != Foot::On && !e.is_flat() {
                return None;
            }
            let feature = if beyond { e.feature } else { e.seen(r) };
            let (n, D) = (feature.normal(r), feature.distance(r));
            let kappa = feature.curvature(r);
            // a circle in a hollow that is tighter touches its ends, not its inside
            let fits = kappa <= 0.0 || kappa * radius < 1.0;
            (fits || beyond).then(|| new(n, sub(r, scale(radius, n)), D - radius, radius, kappa))
        }
        (_, Feature::Flat { through, normal }) => {
            let m = relative.direction_back(scale(-1.0, normal));
            let (x, kappa_A) = a.at_normal(m, beyond)?;
            let x = relative.place(x);
            Some(new(normal, x, dot(normal, sub(x, through)), radius_of(kappa_A), 0.0))
        }
        _ => curves(a, e, relative, beyond),
    }
}

/// Where two curves face each other.
fn curves(a: &Piece, e: &Piece, relative: Relative, beyond: bool) -> Option<Touching> {
    // normals of a in the frame of e, as angles around the middle of a's; e's are turned around
    let more = if beyond { 0.3 } else { 0.0 };
    let (mid_e, half_e) = e.normals();
    let (mid_a, half_a) = a.normals();
    let mid_a = relative.direction(mid_a);
    let mid_e = scale(-1.0, mid_e);
    let between = cross(mid_a, mid_e).atan2(dot(mid_a, mid_e));
    let mut nearest: Option<Touching> = None;
    for turns in [0.0, 1.0, -1.0] {
        let between = between + turns * std::f64::consts::TAU;
        let (low, high) = ((-half_a).max(between - half_e) - more, half_a.min(between + half_e) + more);
        if low <= high
            && let Some(found) = curves_within(a, e, relative, beyond, mid_a, [low, high])
            && nearest.is_none_or(|nearest| found.g < nearest.g)
        {
            nearest = Some(found);
        }
    }
    nearest
}

/// Where two curves face each other with a normal between two angles from `mid`.
fn curves_within(
    a: &Piece,
    e: &Piece,
    relative: Relative,
    beyond: bool,
    mid_a: V2,
    [mut low, mut high]: [f64; 2],
) -> Option<Touching> {
    let places = |theta: f64| {
        let (s, c) = theta.sin_cos();
        let m = turn(c, s, mid_a);
        let n = scale(-1.0, m);
        let (x, kappa_A) = a.at_normal(relative.direction_back(m), true)?;
        let (y, kappa_B) = e.at_normal(n, true)?;
        let x = relative.place(x);
        Some((n, x, y, kappa_A, kappa_B, dot(perp(n), sub(x, y))))
    };
    let value = |theta: f64| places(theta).map(|p| p.5);
    let (mut f_low, mut f_high) = (value(low)?, value(high)?);
    // at a joint of two pieces neither may have a change of sign to rounding
    let zero = BEYOND * norm(sub(a.end, a.start));
    if f_low * f_high > 0.0 && f_low.abs().min(f_high.abs()) > zero {
        return None;
    }
    let mut theta = low;
    if f_low * f_high > 0.0 {
        (low, high) = if f_low.abs() <= f_high.abs() { (low, low) } else { (high, high) };
        theta = low;
    }
    for step in 0..100 {
        if low == high {
            break;
        }
        // secants, and every third time the middle
        theta = if step % 3 == 2 || f_low == f_high {
            0.5 * (low + high)
        } else {
            (low * f_high - high * f_low) / (f_high - f_low)
        };
        let f = value(theta)?;
        if f == 0.0 || high - low <= 4.0 * f64::EPSILON {
            break;
        }
        if (f > 0.0) == (f_high > 0.0) {
            (high, f_high) = (theta, f);
        } else {
            (low, f_low) = (theta, f);
        }
    }
    let (n, x, y, kappa_A, kappa_B, _) = places(theta)?;
    let (rho, g) = (radius_of(kappa_A), dot(n, sub(x, y)));
    let fits = kappa_B <= 0.0 || kappa_B * rho < 1.0;
    (fits || beyond).then_some(Touching { n, x, g, rho, kappa: kappa_B, number: 0 })
}

/// Radius of a convex curve; where it goes over into a straight one it has none.
fn radius_of(kappa: f64) -> f64 {
    if kappa < -STRAIGHT { -1.0 / kappa } else { 1.0 / STRAIGHT }
}
