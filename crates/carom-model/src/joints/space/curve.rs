//! Curves in space: a circle, and a spline through points.
//!
//! A curve c(u) shows to a point p its foot u, the nearest place, with c and three derivatives there, and two normals
//! n_0, n_1 with two derivatives, unit and square to c' and to each other.
//!
//! ```text
//!   circle    c = R (cos u, sin u, 0),     n_0 = (cos u, sin u, 0),   n_1 = e_2
//!   spline    cubic in the chord length u, twice continuously differentiable, with M_i = c''(u_i), h_i = |P_{i+1} − P_i|
//!               h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 [(P_{i+1} − P_i)/h_i − (P_i − P_{i−1})/h_{i−1}]
//!             open ends: c''' continuous at the point next to the end; closed: indices modulo n
//!             t = c'/|c'|,   n_0 = N − (N·t) t of unit length,   n_1 = t × n_0
//! ```
//!
//! N is linear in u between vectors N_i at the points: N_0 square to the curve, each next one turned with its direction (the turn
//! is the shortest; on a closed curve what is missing to the first is made up evenly along the way). So the normals
//! turn little against the matter, and what a point feels does not jump. Beyond an open end the last span goes on.

use crate::geometry::space::V3;
use crate::geometry::{Vector, add, norm, scale, sub};
use carom_dynamics::rotation::{cross, exp, turn};
use std::sync::Arc;

/// A curve in the frame that carries it.
#[derive(Clone, Debug)]
pub enum SpaceCurve {
    /// About e_2, around the origin.
    Circle {
        /// R.
        radius: f64,
    },
    Spline(Arc<SpaceSpline>),
}

/// What a curve shows to a point.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// u.
    pub u: f64,
    /// c, c', c'', c'''.
    pub c: [V3; 4],
    /// n, n', n'' of both normals.
    pub n: [[V3; 3]; 2],
}

/// A spline through points.
#[derive(Clone, Debug)]
pub struct SpaceSpline {
    /// u_i, one more than there are spans.
    at: Vec<f64>,
    /// P_i, M_i and N_i.
    point: Vec<V3>,
    bend: Vec<V3>,
    normal: Vec<V3>,
    closed: bool,
}

/// Why points do not make a spline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSpline {
    /// Fewer than two, or than three of a closed curve.
    TooFew,
    /// This point and the next are the same.
    Repeated(usize),
    /// The curve turns back at this point.
    Cusp(usize),
}

/// Steps of Newton's iteration for the foot; from the nearest of the places tried three or four do.
const STEPS: usize = 30;
/// Places tried on each span.
const TRIED: usize = 4;

/// The components of a vector that depends on u, with derivatives: product rules up to the second.
type Jet = [V3; 3];

fn dots(a: &Jet, b: &Jet) -> [f64; 3] {
    [a[0].dot(b[0]), a[1].dot(b[0]) + a[0].dot(b[1]), a[2].dot(b[0]) + 2.0 * a[1].dot(b[1]) + a[0].dot(b[2])]
}

fn scaled(s: [f64; 3], a: &Jet) -> Jet {
    let two = add(scale(s[2], a[0]), scale(2.0 * s[1], a[1]));
    [scale(s[0], a[0]), add(scale(s[1], a[0]), scale(s[0], a[1])), add(two, scale(s[0], a[2]))]
}

fn crossed(a: &Jet, b: &Jet) -> Jet {
    let two = add(cross(a[2], b[0]), scale(2.0, cross(a[1], b[1])));
    [cross(a[0], b[0]), add(cross(a[1], b[0]), cross(a[0], b[1])), add(two, cross(a[0], b[2]))]
}

/// Of unit length: s^(−1/2) a with s = a·a.
fn unit(a: &Jet) -> Jet {
    let s = dots(a, a);
    let root = 1.0 / s[0].sqrt();
    let first = -0.5 * root / s[0];
    scaled([root, first * s[1], first * s[2] - 1.5 * first / s[0] * s[1] * s[1]], a)
}

impl SpaceCurve {
    /// The foot of p.
    pub fn foot(&self, p: V3) -> Foot {
        match self {
            SpaceCurve::Circle { radius } => {
                let u = p[1].atan2(p[0]);
                let (s, c) = u.sin_cos();
                let (out, on) = ([c, s, 0.0], [-s, c, 0.0]);
                let R = *radius;
                let c = [scale(R, out), scale(R, on), scale(-R, out), scale(-R, on)];
                Foot { u, c, n: [[out, on, scale(-1.0, out)], [V3::axis(2), V3::ZERO, V3::ZERO]] }
            }
            SpaceCurve::Spline(spline) => spline.foot(p),
        }
    }

    /// The place at u, and its direction, for drawing.
    pub fn point(&self, u: f64) -> V3 {
        match self {
            SpaceCurve::Circle { radius } => [radius * u.cos(), radius * u.sin(), 0.0],
            SpaceCurve::Spline(spline) => spline.place(spline.span(u), u)[0],
        }
    }

    /// The ends of an open curve in u.
    pub fn ends(&self) -> Option<[f64; 2]> {
        match self {
            SpaceCurve::Circle { .. } => None,
            SpaceCurve::Spline(spline) => (!spline.closed).then(|| [0.0, spline.length()]),
        }
    }
}

impl SpaceSpline {
    /// Through the points, and back to the first if it is closed.
    pub fn new(points: &[V3], closed: bool) -> Result<Self, NoSpline> {
        if points.len() < if closed { 3 } else { 2 } {
            return Err(NoSpline::TooFew);
        }
        let mut point = points.to_vec();
        if closed {
            point.push(points[0]);
        }
        let spans = point.len() - 1;
        let chord: Vec<V3> = (0..spans).map(|i| sub(point[i + 1], point[i])).collect();
        let h: Vec<f64> = chord.iter().map(|c| norm(*c)).collect();
        if let Some(i) = h.iter().position(|h| *h <= 0.0) {
            return Err(NoSpline::Repeated(i));
        }
        let mut at = vec![0.0; spans + 1];
        for i in 0..spans {
            at[i + 1] = at[i] + h[i];
        }
        let bend = bends(&h, &chord, closed);
        let mut spline = Self { at, point, bend, normal: Vec::new(), closed };
        spline.normal = spline.normals()?;
        Ok(spline)
    }

    /// Where u ends.
    pub fn length(&self) -> f64 {
        self.at[self.at.len() - 1]
    }

    /// The span that holds u; the first or last beyond the ends.
    fn span(&self, u: f64) -> usize {
        self.at.partition_point(|at| *at <= u).clamp(1, self.at.len() - 1) - 1
    }

    /// c, c', c'', c''' on a span.
    fn place(&self, i: usize, u: f64) -> [V3; 4] {
        let h = self.at[i + 1] - self.at[i];
        let (left, right) = (self.at[i + 1] - u, u - self.at[i]);
        let (P, M) = ([self.point[i], self.point[i + 1]], [self.bend[i], self.bend[i + 1]]);
        let mix = |a: f64, b: f64, c: f64, d: f64| {
            add(add(scale(a, P[0]), scale(b, P[1])), add(scale(c, M[0]), scale(d, M[1])))
        };
        let cube = |x: f64| (x * x * x / h - h * x) / 6.0;
        let slope = |x: f64| (3.0 * x * x / h - h) / 6.0;
        [
            mix(left / h, right / h, cube(left), cube(right)),
            mix(-1.0 / h, 1.0 / h, -slope(left), slope(right)),
            mix(0.0, 0.0, left / h, right / h),
            mix(0.0, 0.0, -1.0 / h, 1.0 / h),
        ]
    }

    /// N_i.
    fn normals(&self) -> Result<Vec<V3>, NoSpline> {
        let direction = |i: usize| {
            let slope = self.place(self.span(self.at[i]), self.at[i])[1];
            scale(1.0 / norm(slope), slope)
        };
        let [mut N, _] = <crate::geometry::Space as crate::geometry::Geometry>::tangents(direction(0));
        let mut all = vec![N];
        let last = self.at.len() - 1;
        for i in 0..last {
            let (from, to) = (direction(i), direction(if self.closed && i + 1 == last { 0 } else { i + 1 }));
            let room = 1.0 + from.dot(to);
            // the curve must not turn by more than a quarter over a span, or the normals between two points say little
            if room.is_nan() || room < 1.0 {
                return Err(NoSpline::Cusp(i));
            }
            let axis = cross(from, to);
            // the shortest turn: N + w×N + w×(w×N)/(1 + cos)
            let once = cross(axis, N);
            N = add(add(N, once), scale(1.0 / room, cross(axis, once)));
            all.push(N);
        }
        if self.closed {
            let t = direction(0);
            let missing = cross(N, all[0]).dot(t).atan2(N.dot(all[0]));
            for i in 0..=last {
                let share = missing * self.at[i] / self.length();
                all[i] = turn(exp(scale(share, direction(if i == last { 0 } else { i }))), all[i]);
            }
        }
        Ok(all)
    }

    fn foot(&self, p: V3) -> Foot {
        let mut u = self.near(p);
        for _ in 0..STEPS {
            let [c, t, b, _] = self.place(self.span(u), u);
            let e = sub(p, c);
            // the slope of −e·t; its convex part alone where the point is beyond the centre of curvature
            let room = t.dot(t) - e.dot(b);
            let step = e.dot(t) / if room > 0.0 { room } else { t.dot(t) };
            u = self.around(u + step);
            if step.abs() <= 4.0 * f64::EPSILON * self.length() {
                break;
            }
        }
        let i = self.span(u);
        let c = self.place(i, u);
        let t = unit(&[c[1], c[2], c[3]]);
        let h = self.at[i + 1] - self.at[i];
        let N_dot = scale(1.0 / h, sub(self.normal[i + 1], self.normal[i]));
        let N = [add(self.normal[i], scale(u - self.at[i], N_dot)), N_dot, V3::ZERO];
        let along = scaled(dots(&N, &t), &t);
        let first = unit(&[0, 1, 2].map(|k| sub(N[k], along[k])));
        Foot { u, c, n: [first, crossed(&t, &first)] }
    }

    /// u within the way of a closed curve.
    fn around(&self, u: f64) -> f64 {
        if self.closed { u.rem_euclid(self.length()) } else { u }
    }

    /// The nearest of the places tried.
    fn near(&self, p: V3) -> f64 {
        let (mut best, mut least) = (0.0, f64::INFINITY);
        for i in 0..self.at.len() - 1 {
            for k in 0..=TRIED {
                let u = self.at[i] + (self.at[i + 1] - self.at[i]) * k as f64 / TRIED as f64;
                let e = sub(p, self.place(i, u)[0]);
                let distance = e.dot(e);
                if distance < least {
                    (best, least) = (u, distance);
                }
            }
        }
        best
    }
}

/// M_i: a few dense equations, solved once.
fn bends(h: &[f64], chord: &[V3], closed: bool) -> Vec<V3> {
    let n = h.len();
    if n == 1 {
        return vec![V3::ZERO; 2];
    }
    let slope = |i: usize| scale(1.0 / h[i], chord[i]);
    // unknowns M_0 … M_n; of a closed curve M_n = M_0 is the last equation
    let size = n + 1;
    let (mut A, mut b) = (vec![0.0; size * size], vec![V3::ZERO; size]);
    let first = if closed { 0 } else { 1 };
    for i in first..n {
        let (before, left) = if i == 0 { (n - 1, n - 1) } else { (i - 1, i - 1) };
        A[i * size + left] += h[before];
        A[i * size + i] += 2.0 * (h[before] + h[i]);
        A[i * size + i + 1] += h[i];
        b[i] = scale(6.0, sub(slope(i), slope(before)));
    }
    if closed {
        A[n * size] = 1.0;
        A[n * size + n] = -1.0;
    } else if n == 2 {
        // one parabola
        (A[0], A[1]) = (1.0, -1.0);
        (A[n * size + 1], A[n * size + 2]) = (1.0, -1.0);
    } else {
        (A[0], A[1], A[2]) = (h[1], -h[0] - h[1], h[0]);
        let last = n * size + n;
        (A[last], A[last - 1], A[last - 2]) = (h[n - 2], -h[n - 1] - h[n - 2], h[n - 1]);
    }
    eliminate(&mut A, &mut b);
    b
}

/// A x = b by elimination with the largest pivot of each column; x in place of b.
fn eliminate(A: &mut [f64], b: &mut [V3]) {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| A[i * n + k].abs().total_cmp(&A[j * n + k].abs())).unwrap_or(k);
        if pivot != k {
            (0..n).for_each(|j| A.swap(k * n + j, pivot * n + j));
            b.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = A[i * n + k] / A[k * n + k];
            if factor != 0.0 {
                (k..n).for_each(|j| A[i * n + j] -= factor * A[k * n + j]);
                b[i] = sub(b[i], scale(factor, b[k]));
            }
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] = sub(b[k], scale(A[k * n + j], b[j]));
        }
        b[k] = scale(1.0 / A[k * n + k], b[k]);
    }
}
