//! A parabola, free on the left of the way it is walked: the one smooth piece whose curvature changes.
//!
//! In the frame of its vertex, x along the walk there and y to the free side, with ξ the slope,
//!
//! ```text
//!   y = κ x²/2,   ξ = κ x,   n = (−ξ, 1)/√(1+ξ²),   curvature κ/(1+ξ²)^{3/2},   κ > 0 hollow to the free side
//!   foot of (X, Y):   ξ³ + c ξ − d = 0,   c = 2 (1 − κ Y),   d = 2 κ X
//! ```
//!
//! For d > 0 the cubic is convex where ξ > 0 and has exactly one root there, and that is the nearest place: Newton's
//! iteration from above comes down to it without a test. Beyond the centre of curvature of the vertex (c < 0) there may
//! be a second place across the axis that is nearest among its neighbours; a piece that ends short of the nearest place
//! has to know it.
//!
//! A quadratic Bézier curve P_0, P_1, P_2 is a piece of a parabola: with b = P_1 − P_0, a = P_0 − 2 P_1 + P_2 it is
//! P_0 + 2 s b + s² a, the vertex is at s* = −a·b/a², w = b + s* a is the direction there, and κ = ±|a|/(2 w²).

use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola {
    vertex: V2,
    /// Direction of the walk at the vertex, unit.
    along: V2,
    /// κ.
    curvature: f64,
    /// Whether the place across the axis is meant, not the nearest.
    across: bool,
}

/// Newton's iteration ends when it no longer comes down; six steps are usual.
const STEPS: usize = 60;

impl Parabola {
    /// The parabola of a quadratic Bézier curve whose three points are not on a line.
    pub fn through(start: V2, control: V2, end: V2) -> Self {
        let b = sub(control, start);
        let a = add(sub(start, control), sub(end, control));
        let s = -dot(a, b) / dot(a, a);
        let w = add(b, scale(s, a));
        let along = scale(1.0 / norm(w), w);
        let curvature = norm(a) / (2.0 * dot(w, w));
        Self {
            vertex: add(add(start, scale(2.0 * s, b)), scale(s * s, a)),
            along,
            curvature: if cross(along, a) > 0.0 { curvature } else { -curvature },
            across: false,
        }
    }

    /// Seen at the place across the axis.
    pub fn across(self) -> Self {
        Self { across: true, ..self }
    }

    /// p in the frame of the vertex.
    fn local(&self, p: V2) -> V2 {
        let d = sub(p, self.vertex);
        [dot(self.along, d), cross(self.along, d)]
    }

    /// Slope ξ at a point of the curve.
    pub fn slope(&self, p: V2) -> f64 {
        self.curvature * self.local(p)[0]
    }

    /// ξ of the foot of p; of the place across the axis, if that is meant and there is one.
    pub fn foot(&self, p: V2) -> f64 {
        let [X, Y] = self.local(p);
        let (c, d) = (2.0 * (1.0 - self.curvature * Y), 2.0 * self.curvature * X);
        let sign = if d < 0.0 { -1.0 } else { 1.0 };
        if self.across && has_two(c, d.abs()) {
            return -sign * largest_root(c, -d.abs());
        }
        sign * largest_root(c, d.abs())
    }

    /// Whether there is a place across the axis.
    pub fn has_across(&self, p: V2) -> bool {
        let [X, Y] = self.local(p);
        has_two(2.0 * (1.0 - self.curvature * Y), 2.0 * (self.curvature * X).abs())
    }

    /// Distance of p, negative behind.
    pub fn distance(&self, p: V2) -> f64 {
        let [X, Y] = self.local(p);
        let xi = self.foot(p);
        let (x, y) = (xi / self.curvature, 0.5 * xi * xi / self.curvature);
        (Y - y - xi * (X - x)) / xi.hypot(1.0)
    }

    /// n at the foot of p.
    pub fn normal(&self, p: V2) -> V2 {
        perp(self.tangent(self.foot(p)))
    }

    /// Direction of the walk where the slope is ξ.
    pub fn tangent(&self, xi: f64) -> V2 {
        scale(1.0 / xi.hypot(1.0), add(self.along, scale(xi, perp(self.along))))
    }

    /// Curvature where the slope is ξ, positive towards the free side.
    pub fn curvature(&self, xi: f64) -> f64 {
        self.curvature / xi.hypot(1.0).powi(3)
    }

    /// The place where the slope is ξ.
    pub fn place(&self, xi: f64) -> V2 {
        let (x, y) = (xi / self.curvature, 0.5 * xi * xi / self.curvature);
        add(self.vertex, add(scale(x, self.along), scale(y, perp(self.along))))
    }

    /// ξ where the normal to the free side has the direction n; none where n points away from it.
    pub fn slope_of_normal(&self, n: V2) -> Option<f64> {
        // n ∝ (−ξ, 1)
        let up = cross(self.along, n);
        (up > 0.0).then(|| -dot(self.along, n) / up)
    }

    /// Whether it is hollow to the free side.
    pub fn is_hollow(&self) -> bool {
        self.curvature > 0.0
    }
}

/// Whether ξ³ + c ξ + d, d ≥ 0, has a positive root.
fn has_two(c: f64, d: f64) -> bool {
    let s = (-c / 3.0).max(0.0).sqrt();
    c < 0.0 && d < 2.0 * s * s * s
}

/// The largest root of ξ³ + c ξ − d, which has one that is not negative: d ≥ 0, or c < 0 and d not far below 0.
fn largest_root(c: f64, d: f64) -> f64 {
    // at or right of the root, where the cubic rises and is convex
    let mut xi = if c > 0.0 { (d / c).min(d.cbrt()) } else { (-c).sqrt() + d.max(0.0).cbrt() };
    for _ in 0..STEPS {
        let next = xi - ((xi * xi + c) * xi - d) / (3.0 * xi * xi + c);
        // not a number where c and d are zero
        if next.is_nan() || next >= xi {
            break;
        }
        xi = next;
    }
    xi
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = x²/2 walked to the right.
    fn unit() -> Parabola {
        Parabola::through([-1.0, 0.5], [0.0, -0.5], [1.0, 0.5])
    }

    #[test]
    fn the_curve_of_three_points() {
        let parabola = unit();
        assert_eq!(parabola.vertex, [0.0, 0.0]);
        assert_eq!((parabola.along, parabola.curvature), ([1.0, 0.0], 1.0));
        // an oblique piece away from the vertex: points of the Bézier curve are points of the parabola
        let (p0, p1, p2) = ([0.3, -0.2], [1.7, 0.4], [1.1, 2.0]);
        let parabola = Parabola::through(p0, p1, p2);
        for s in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let blend =
                |i: usize| (1.0 - s) * (1.0 - s) * p0[i] + 2.0 * s * (1.0 - s) * p1[i] + s * s * p2[i];
            let p = [blend(0), blend(1)];
            let q = parabola.place(parabola.slope(p));
            assert!(norm(sub(p, q)) < 1e-14, "{p:?} {q:?}");
            assert!(parabola.distance(p).abs() < 1e-14);
        }
        // the ends point to the control point
        let t = parabola.tangent(parabola.slope(p0));
        assert!(cross(t, sub(p1, p0)).abs() < 1e-14 && dot(t, sub(p1, p0)) > 0.0);
    }

    #[test]
    fn feet_along_normals_are_found_again() {
        // from a place of y = x²/2 along its normal by D, less than the radius of curvature (1 + x²)^{3/2}
        let parabola = unit();
        for i in -40..=40 {
            let x = 0.11 * f64::from(i);
            let radius = (1.0 + x * x).powf(1.5);
            for share in [-3.0, -0.5, -1e-7, 0.0, 1e-9, 0.4, 0.9] {
                // the nearest place of the whole curve: no further than the axis
                let D = share * radius.min((1.0 + x * x).sqrt());
                let n = scale(1.0 / x.hypot(1.0), [-x, 1.0]);
                let p = add([x, 0.5 * x * x], scale(D, n));
                assert!(
                    (parabola.foot(p) - x).abs() < 1e-9 * (1.0 + x.abs()),
                    "{x} {D}: {}",
                    parabola.foot(p)
                );
                assert!((parabola.distance(p) - D).abs() < 1e-13 * (1.0 + D.abs() + x * x), "{x} {D}");
                assert!(norm(sub(parabola.normal(p), n)) < 1e-9);
            }
        }
    }

    #[test]
    fn beyond_the_centre_of_curvature_there_are_two_places() {
        let parabola = unit();
        // on the axis at height h > 1 the feet are x = ±√(2h − 2), at distance √(2h − 1)
        let p = [0.0, 3.0];
        assert!(parabola.has_across(p));
        assert!((parabola.distance(p) - 5f64.sqrt()).abs() < 1e-15);
        let (near, far) = (parabola.foot([0.3, 3.0]), parabola.across().foot([0.3, 3.0]));
        assert!(near > 2.0 && far < -1.9, "{near} {far}");
        for xi in [near, far] {
            assert!((xi * xi * xi - 4.0 * xi - 0.6).abs() < 1e-14);
        }
        assert!(parabola.across().distance([0.3, 3.0]) > parabola.distance([0.3, 3.0]));
        assert!(!parabola.has_across([0.3, 0.9]));
        // the centre of curvature itself
        assert_eq!(parabola.foot([0.0, 1.0]), 0.0);
        assert_eq!(parabola.distance([0.0, 1.0]), 1.0);
    }

    #[test]
    fn far_away_and_far_out() {
        for p in [[1e8, 3.0], [-1e8, -1e8], [1e-12, -1e6], [3.0, 1e9], [-1e-300, 5.0]] {
            let parabola = unit();
            let xi = parabola.foot(p);
            // the line from the foot to p is normal to the curve
            let d = sub(p, parabola.place(xi));
            assert!(dot(d, parabola.tangent(xi)).abs() < 1e-6 * norm(d), "{p:?} {xi}");
        }
    }
}
