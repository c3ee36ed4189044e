//! Teeth as points, for pictures and for the tests of the formulas.
//!
//! ```text
//!   involute     radius r_b √(1 + u²) at roll angle u, angle from the middle of the tooth  ±(e − inv),  inv = u − atan u
//!   below r_b    straight towards the centre, down to the dedendum circle
//! ```

use super::geometry::Geometry;
use std::f64::consts::TAU;

/// Points along a flank.
const FLANK: usize = 6;

/// The flank of a tooth from its foot to its tip: radius, and angle from the middle of the tooth; equal steps of roll angle.
pub fn flank(geometry: &Geometry, wheel: usize, points: usize) -> Vec<[f64; 2]> {
    let (base, tip) = (geometry.r_b[wheel].abs(), geometry.r_a[wheel].abs());
    let foot = geometry.r_f[wheel].abs();
    let roll = |radius: f64| ((radius / base).powi(2) - 1.0).max(0.0).sqrt();
    let (from, to) = (roll(foot), roll(tip));
    // the tooth of a ring is the space of a wheel
    let sign = geometry.r[wheel].signum();
    (0..points)
        .map(|i| {
            let u = from + (to - from) * i as f64 / (points - 1) as f64;
            let radius = base * (1.0 + u * u).sqrt();
            [radius, sign * (geometry.e[wheel] - super::involute::of_tangent(u))]
        })
        .collect()
}

/// The closed outline of a wheel with the middle of a tooth at an angle, counter-clockwise, in the transverse plane.
pub fn outline(geometry: &Geometry, wheel: usize, phase: f64) -> Vec<[f64; 2]> {
    let flank = flank(geometry, wheel, FLANK);
    let teeth = geometry.given.wheels[wheel].count.unsigned_abs();
    let foot = geometry.r_f[wheel].abs();
    let mut points = Vec::new();
    let mut put = |radius: f64, angle: f64| {
        let (sin, cos) = angle.sin_cos();
        points.push([radius * cos, radius * sin]);
    };
    for tooth in 0..teeth {
        let middle = phase + TAU * f64::from(tooth) / f64::from(teeth);
        // where teeth are pointed both flanks meet in the middle
        let half = |angle: f64| angle.max(0.0);
        if foot < flank[0][0] && geometry.r[wheel] > 0.0 {
            put(foot, middle - half(flank[0][1]));
        }
        flank.iter().for_each(|&[radius, angle]| put(radius, middle - half(angle)));
        flank.iter().rev().for_each(|&[radius, angle]| put(radius, middle + half(angle)));
        if foot < flank[0][0] && geometry.r[wheel] > 0.0 {
            put(foot, middle + half(flank[0][1]));
        }
    }
    points
}
