//! A cubic span and the spline that is made of them, free on the left of the way it is walked.
//!
//! **Spline.** Through points P_0 … P_n, as a function of the chord length u (h_i = |P_{i+1} − P_i|), twice continuously
//! differentiable. With M_i = r''(u_i)
//!
//! ```text
//!   h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 [(P_{i+1} − P_i)/h_i − (P_i − P_{i−1})/h_{i−1}]
//!   open end without a direction:  r''' is continuous at the point next to the end ("not a knot"),
//!                                  M_0 = M_1 + (h_0/h_1) (M_1 − M_2);   through three points one parabola
//!   open end with direction d:     2 h_0 M_0 + h_0 M_1 = 6 [(P_1 − P_0)/h_0 − r'(0)],   r'(0) = d |r'(0)| of the above
//!   closed:                        indices modulo n
//! ```
//!
//! In chord length the curve is off a smooth one by O(h⁴), its direction by O(h³) (test `circle`); with natural ends
//! (M_0 = 0) it would be O(h²) there.
//!
//! **Span.** The cubic between two points as a Bézier curve, s = 0 … 1,
//!
//! ```text
//!   r(s) = Σ B_i(s) P_i,   D_i = 3 (P_{i+1} − P_i),   κ = r'×r''/|r'|³,   κ > 0 hollow to the free side
//!   foot of p:     f(s) = (r − p)·r' = 0 and rising,  c_k = Σ_{i+j=k} C(3,i) C(2,j)/C(5,k) (P_i − p)·D_j
//!   normal n:      t×r' = 0,  t = n turned by −90°
//!   extremes of κ: (r'×r''') r'² − 3 (r'×r'')(r'·r'') = 0, of degree 5
//! ```
//!
//! Spans are cut where κ changes its sign and until each turns by less than a quarter turn ([`spans`]), so that on each
//! the direction determines the place.

use super::roots;
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};

/// One span, walked from s = 0 to s = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic {
    /// Bézier points.
    p: [V2; 4],
}

/// How far a span is prolonged on either side, in s.
const PROLONGED: f64 = 0.5;

/// A span turns by less than this (rad): a quarter turn with a margin for rounding.
const TURN: f64 = 1.5;

/// Halvings of a span before it counts as folded: a curve that turns by a quarter within 2⁻¹⁰ of a span has a cusp.
const FOLDED: usize = 10;

/// Inflections nearer to the end of a span than this are at its end.
const AT_END: f64 = 1e-9;

/// Distance of the Bézier points from the chord, relative to it, below which a span is a straight line: numbers typed with nine
/// digits are off it by more.
const STRAIGHT: f64 = 1e-10;

/// Sine of the angle between the directions of two spans where they meet, from rounding.
const JOINED: f64 = 1e-12;

const CHOOSE_3: [f64; 4] = [1.0, 3.0, 3.0, 1.0];
const CHOOSE_2: [f64; 3] = [1.0, 2.0, 1.0];
const CHOOSE_5: [f64; 6] = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0];

impl Cubic {
    /// Places and derivatives with respect to s at both ends.
    fn hermite(start: V2, start_slope: V2, end: V2, end_slope: V2) -> Self {
        let third = 1.0 / 3.0;
        Self { p: [start, add(start, scale(third, start_slope)), sub(end, scale(third, end_slope)), end] }
    }

    /// D.
    fn hodograph(&self) -> [V2; 3] {
        [0, 1, 2].map(|i| scale(3.0, sub(self.p[i + 1], self.p[i])))
    }

    pub fn point(&self, s: f64) -> V2 {
        let [a, b, c, d] = self.p;
        let r = 1.0 - s;
        let left = add(scale(r * r * r, a), scale(3.0 * r * r * s, b));
        add(left, add(scale(3.0 * r * s * s, c), scale(s * s * s, d)))
    }

    /// r'.
    pub fn slope(&self, s: f64) -> V2 {
        let [a, b, c] = self.hodograph();
        let r = 1.0 - s;
        add(scale(r * r, a), add(scale(2.0 * r * s, b), scale(s * s, c)))
    }

    /// r''.
    fn bend(&self, s: f64) -> V2 {
        let [a, b, c] = self.hodograph();
        scale(2.0, add(scale(1.0 - s, sub(b, a)), scale(s, sub(c, b))))
    }

    /// Direction of the walk, unit.
    pub fn tangent(&self, s: f64) -> V2 {
        let slope = self.slope(s);
        scale(1.0 / norm(slope), slope)
    }

    /// Positive where it is hollow towards the free side.
    pub fn curvature(&self, s: f64) -> f64 {
        let slope = self.slope(s);
        cross(slope, self.bend(s)) / norm(slope).powi(3)
    }

    /// f and f'.
    fn approach(&self, p: V2, s: f64) -> [f64; 2] {
        let (d, slope) = (sub(self.point(s), p), self.slope(s));
        [dot(d, slope), dot(slope, slope) + dot(d, self.bend(s))]
    }

    /// The nearest place whose perpendicular goes through p; None if an end is nearer than any such place.
    pub fn foot(&self, p: V2) -> Option<f64> {
        let (q, D) = (self.p.map(|point| sub(point, p)), self.hodograph());
        let mut c = [0.0; 6];
        for i in 0..4 {
            for j in 0..3 {
                c[i + j] += CHOOSE_3[i] * CHOOSE_2[j] / CHOOSE_5[i + j] * dot(q[i], D[j]);
            }
        }
        let mut nearest = None;
        let mut least = norm(q[0]).min(norm(q[3]));
        roots::each(c, |s, rises| {
            let s = if rises { self.polished(p, s) } else { return };
            let distance = norm(sub(self.point(s), p));
            if distance <= least {
                (least, nearest) = (distance, Some(s));
            }
        });
        nearest
    }

    /// A last step of Newton's iteration with f as the difference of places, which is exact where p is near the curve.
    fn polished(&self, p: V2, s: f64) -> f64 {
        let [value, slope] = self.approach(p, s);
        if slope > 0.0 { (s - value / slope).clamp(0.0, 1.0) } else { s }
    }

    /// The foot of p on the same cubic prolonged by half a span at both ends; where there is none, the end of that.
    pub fn foot_prolonged(&self, p: V2) -> f64 {
        if let Some(s) = self.foot(p) {
            return s;
        }
        let (end, out) = if norm(sub(self.p[0], p)) <= norm(sub(self.p[3], p)) {
            (0.0, -PROLONGED)
        } else {
            (1.0, 1.0 + PROLONGED)
        };
        let f = |s: f64| self.approach(p, s);
        let (from, to) = if out < end { (out, end) } else { (end, out) };
        let beyond = |s: f64| if out < end { f(s)[0] <= 0.0 } else { f(s)[0] >= 0.0 };
        // at the end itself to rounding; else between it and where f has changed its sign
        if beyond(end) {
            end
        } else if beyond(out) {
            roots::bracketed(from, to, true, f)
        } else {
            out
        }
    }

    /// Where the normal to the left is n (unit); None if the span does not turn that far.
    pub fn extreme(&self, n: V2) -> Option<f64> {
        let (t, D) = (scale(-1.0, perp(n)), self.hodograph());
        let c = D.map(|d| cross(t, d));
        if dot(t, D[0]) <= 0.0 && dot(t, D[2]) <= 0.0 {
            return None;
        }
        if (c[0] < 0.0) != (c[2] < 0.0) {
            return Some(roots::bracketed(0.0, 1.0, c[0] < 0.0, |s| self.turned(t, s)));
        }
        // in the direction of an end to rounding: no direction is lost between two spans
        let along = |i: usize| c[i].abs() <= JOINED * norm(D[i]);
        if along(0) { Some(0.0) } else { along(2).then_some(1.0) }
    }

    /// t×r' and its derivative.
    fn turned(&self, t: V2, s: f64) -> [f64; 2] {
        [cross(t, self.slope(s)), cross(t, self.bend(s))]
    }

    /// The same on the cubic prolonged by half a span at both ends; where it is nowhere, the end of that.
    pub fn extreme_prolonged(&self, n: V2) -> f64 {
        if let Some(s) = self.extreme(n) {
            return s;
        }
        let t = scale(-1.0, perp(n));
        let along = |s: f64| dot(t, self.tangent(s));
        let (end, out) = if along(0.0) >= along(1.0) { (0.0, -PROLONGED) } else { (1.0, 1.0 + PROLONGED) };
        // t×r' is a quadratic: its root nearest to the end, as long as the curve goes on turning that far
        let ([value, slope], [_, slope_1]) = (self.turned(t, end), self.turned(t, end + 1.0));
        let half = 0.5 * (slope_1 - slope);
        let room = slope * slope - 4.0 * half * value;
        if room < 0.0 {
            return out;
        }
        let s = end - 2.0 * value / (slope + slope.signum() * room.sqrt());
        // back inside it would be another place
        if (s - end) * (out - end) >= 0.0 { s.clamp(-PROLONGED, 1.0 + PROLONGED) } else { end }
    }

    /// Curvature at the foot of p.
    pub fn curvature_below(&self, p: V2) -> f64 {
        let s = self.foot_prolonged(p);
        // at an end that is no foot of p the curve goes on straight
        let (d, slope) = (sub(self.point(s), p), self.slope(s));
        let is_foot = dot(d, slope).abs() <= AT_END * norm(d) * norm(slope);
        if is_foot { self.curvature(s) } else { 0.0 }
    }

    /// Distance of p from the span prolonged, negative behind.
    pub fn distance(&self, p: V2) -> f64 {
        let s = self.foot_prolonged(p);
        dot(perp(self.tangent(s)), sub(p, self.point(s)))
    }

    /// n at the foot of p.
    pub fn normal(&self, p: V2) -> V2 {
        perp(self.tangent(self.foot_prolonged(p)))
    }

    /// Least and greatest corner of the smallest upright box around it.
    pub fn bounds(&self) -> [V2; 2] {
        let (a, b) = (self.p[0], self.p[3]);
        let (mut low, mut high) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
        let D = self.hodograph();
        for axis in 0..2 {
            roots::each(D.map(|d| d[axis]), |s, _| {
                let x = self.point(s)[axis];
                (low[axis], high[axis]) = (low[axis].min(x), high[axis].max(x));
            });
        }
        [low, high]
    }

    /// Least and greatest curvature.
    pub fn curvatures(&self) -> [f64; 2] {
        let [d0, d1, d2] = self.hodograph();
        // r' = a + b s + c s²
        let (a, b, c) = (d0, scale(2.0, sub(d1, d0)), add(sub(d0, d1), sub(d2, d1)));
        let turning = [cross(a, b), 2.0 * cross(a, c), cross(b, c)];
        let turning_rate = [2.0 * cross(a, c), 2.0 * cross(b, c)];
        let speed = [dot(a, a), 2.0 * dot(a, b), 2.0 * dot(a, c) + dot(b, b), 2.0 * dot(b, c), dot(c, c)];
        let half_speed_rate = [1, 2, 3, 4].map(|i| 0.5 * i as f64 * speed[i]);
        let mut power = [0.0; 6];
        for (i, x) in turning_rate.into_iter().enumerate() {
            speed.iter().enumerate().for_each(|(j, y)| power[i + j] += x * y);
        }
        for (i, x) in turning.into_iter().enumerate() {
            half_speed_rate.iter().enumerate().for_each(|(j, y)| power[i + j] -= 3.0 * x * y);
        }
        let ends = [self.curvature(0.0), self.curvature(1.0)];
        let (mut least, mut most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        roots::each(bernstein(power), |s, _| {
            let curvature = self.curvature(s);
            (least, most) = (least.min(curvature), most.max(curvature));
        });
        [least, most]
    }

    /// Whether it is a straight line to rounding.
    pub fn is_straight(&self) -> bool {
        let chord = sub(self.p[3], self.p[0]);
        let off = |i: usize| cross(chord, sub(self.p[i], self.p[0])).abs() <= STRAIGHT * dot(chord, chord);
        off(1) && off(2)
    }

    /// The part between two places.
    fn part(&self, from: f64, to: f64) -> Self {
        let length = to - from;
        Self::hermite(
            self.point(from),
            scale(length, self.slope(from)),
            self.point(to),
            scale(length, self.slope(to)),
        )
    }

    /// A bound of the angle between any two directions on it.
    pub fn turn(&self) -> f64 {
        let [a, b, c] = self.hodograph();
        let angle = |a, b| cross(a, b).atan2(dot(a, b)).abs();
        (angle(a, b) + angle(b, c)).max(angle(a, c))
    }

    /// Places inside where the curvature changes its sign.
    fn inflections(&self) -> impl Iterator<Item = f64> {
        let [d0, d1, d2] = self.hodograph();
        let (a, b, c) = (d0, scale(2.0, sub(d1, d0)), add(sub(d0, d1), sub(d2, d1)));
        let (k0, k1, k2) = (cross(a, b), 2.0 * cross(a, c), cross(b, c));
        let mut found = [f64::NAN; 2];
        let mut n = 0;
        if !self.is_straight() {
            roots::each([k0, k0 + 0.5 * k1, k0 + k1 + k2], |s, _| {
                found[n] = s;
                n += 1;
            });
        }
        found.into_iter().filter(|s| *s > AT_END && *s < 1.0 - AT_END)
    }
}

/// Bernstein coefficients of a polynomial of degree 5.
pub(super) fn bernstein(power: [f64; 6]) -> [f64; 6] {
    let choose = |k: usize, i: usize| (0..i).fold(1.0, |c, j| c * (k - j) as f64 / (j + 1) as f64);
    std::array::from_fn(|k| (0..=k).map(|i| choose(k, i) / CHOOSE_5[i] * power[i]).sum())
}

/// Where a spline cannot be followed: between this point and the next it folds back on itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    pub after: usize,
}

/// What a spline goes through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knots {
    /// The points; neighbours differ. A closed spline does not repeat its first.
    pub points: Vec<V2>,
    /// Whether it goes on from the last point to the first, smoothly.
    pub closed: bool,
    /// Directions at the start and at the end of an open one; any length.
    pub directions: [Option<V2>; 2],
}

/// The cubics of a spline, one between two points each.
pub(crate) fn cubics(knots: &Knots) -> Vec<Cubic> {
    let Knots { points, closed, directions } = knots;
    let n = points.len();
    let spans = if *closed { n } else { n - 1 };
    let next = |i: usize| (i + 1) % n;
    let h: Vec<f64> = (0..spans).map(|i| norm(sub(points[next(i)], points[i]))).collect();
    let chord: Vec<V2> = (0..spans).map(|i| scale(1.0 / h[i], sub(points[next(i)], points[i]))).collect();
    let M = if *closed {
        closed_bends(&h, &chord)
    } else {
        let M = open_bends(&h, &chord, [None; 2]);
        if directions.iter().all(Option::is_none) {
            M
        } else {
            // the speed at an end is that of the spline without a direction
            let speeds = [start_slope(&h, &chord, &M, 0), end_slope(&h, &chord, &M, spans - 1)].map(norm);
            let slopes = [0, 1].map(|i| directions[i].map(|d| scale(speeds[i] / norm(d), d)));
            open_bends(&h, &chord, slopes)
        }
    };
    let m = M.len();
    (0..spans)
        .map(|i| {
            let pair = [M[i], M[(i + 1) % m]];
            let slope = |sign: f64, near: V2, far: V2| {
                add(chord[i], scale(sign * h[i] / 6.0, add(scale(2.0, near), far)))
            };
            let (first, last) = (slope(-1.0, pair[0], pair[1]), slope(1.0, pair[1], pair[0]));
            Cubic::hermite(points[i], scale(h[i], first), points[next(i)], scale(h[i], last))
        })
        .collect()
}

fn start_slope(h: &[f64], chord: &[V2], M: &[V2], i: usize) -> V2 {
    sub(chord[i], scale(h[i] / 6.0, add(scale(2.0, M[i]), M[i + 1])))
}

fn end_slope(h: &[f64], chord: &[V2], M: &[V2], i: usize) -> V2 {
    add(chord[i], scale(h[i] / 6.0, add(scale(2.0, M[i + 1]), M[i])))
}

/// M of an open spline, with the slopes at its ends where they are given.
fn open_bends(h: &[f64], chord: &[V2], slopes: [Option<V2>; 2]) -> Vec<V2> {
    let n = h.len();
    // one span: a line, or the cubic of the slopes; a free end of it has M_0 = M_1
    let mut low = vec![0.0; n + 1];
    let mut diagonal = vec![1.0; n + 1];
    let mut up = vec![0.0; n + 1];
    let mut right = vec![[0.0; 2]; n + 1];
    for i in 1..n {
        (low[i], diagonal[i], up[i]) = (h[i - 1], 2.0 * (h[i - 1] + h[i]), h[i]);
        right[i] = scale(6.0, sub(chord[i], chord[i - 1]));
    }
    match slopes[0] {
        Some(slope) => {
            (diagonal[0], up[0]) = (2.0 * h[0], h[0]);
            right[0] = scale(6.0, sub(chord[0], slope));
        }
        None if n > 2 => {
            // M_0 = (1 + q) M_1 − q M_2 put into the next row; row 0 is solved last
            let q = h[0] / h[1];
            diagonal[1] += low[1] * (1.0 + q);
            up[1] -= low[1] * q;
            low[1] = 0.0;
        }
        None => up[0] = -1.0,
    }
    match slopes[1] {
        Some(slope) => {
            (low[n], diagonal[n]) = (h[n - 1], 2.0 * h[n - 1]);
            right[n] = scale(6.0, sub(slope, chord[n - 1]));
        }
        None if n > 2 => {
            let q = h[n - 1] / h[n - 2];
            diagonal[n - 1] += up[n - 1] * (1.0 + q);
            low[n - 1] -= up[n - 1] * q;
            up[n - 1] = 0.0;
        }
        // two free ends of one span: no bend at all
        None if n == 1 && slopes[0].is_none() => up[0] = 0.0,
        None => low[n] = -1.0,
    }
    let mut M = right;
    tridiagonal(&low, &diagonal, &up, &mut M);
    if slopes[0].is_none() && n > 2 {
        let q = h[0] / h[1];
        M[0] = add(M[1], scale(q, sub(M[1], M[2])));
    }
    if slopes[1].is_none() && n > 2 {
        let q = h[n - 1] / h[n - 2];
        M[n] = add(M[n - 1], scale(q, sub(M[n - 1], M[n - 2])));
    }
    M
}

/// M of a closed spline: the matrix is tridiagonal but for two corners, which are a change of rank one.
fn closed_bends(h: &[f64], chord: &[V2]) -> Vec<V2> {
    let n = h.len();
    let before = |i: usize| (i + n - 1) % n;
    let low: Vec<f64> = (0..n).map(|i| h[before(i)]).collect();
    let up = h.to_vec();
    let mut diagonal: Vec<f64> = (0..n).map(|i| 2.0 * (h[before(i)] + h[i])).collect();
    let mut M: Vec<V2> = (0..n).map(|i| scale(6.0, sub(chord[i], chord[before(i)]))).collect();
    // both corners are h_{n−1}; with u = (γ, 0, …, h_{n−1}), w = (1, 0, …, h_{n−1}/γ) they are u wᵀ
    let corner = h[n - 1];
    let gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    let mut u = vec![[0.0; 2]; n];
    u[0] = [gamma; 2];
    u[n - 1] = [corner; 2];
    tridiagonal(&low, &diagonal, &up, &mut M);
    tridiagonal(&low, &diagonal, &up, &mut u);
    let ratio = corner / gamma;
    let share = 1.0 / (1.0 + u[0][0] + ratio * u[n - 1][0]);
    let along = scale(share, add(M[0], scale(ratio, M[n - 1])));
    (0..n).map(|i| sub(M[i], scale(u[i][0], along))).collect()
}

/// Solves in place; the matrices of splines are diagonally dominant, so no pivots are sought.
fn tridiagonal(low: &[f64], diagonal: &[f64], up: &[f64], x: &mut [V2]) {
    let n = x.len();
    let mut pivot = diagonal.to_vec();
    for i in 1..n {
        let factor = low[i] / pivot[i - 1];
        pivot[i] -= factor * up[i - 1];
        x[i] = sub(x[i], scale(factor, x[i - 1]));
    }
    x[n - 1] = scale(1.0 / pivot[n - 1], x[n - 1]);
    for i in (0..n - 1).rev() {
        x[i] = scale(1.0 / pivot[i], sub(x[i], scale(up[i], x[i + 1])));
    }
}

/// The spans of a spline in order, cut at inflections and until each turns by less than a quarter turn.
pub(crate) fn spans(knots: &Knots) -> Result<Vec<Cubic>, Folded> {
    let mut all = Vec::new();
    for (after, cubic) in cubics(knots).into_iter().enumerate() {
        let mut from = 0.0;
        for to in cubic.inflections().chain([1.0]) {
            let part = if (from, to) == (0.0, 1.0) { cubic } else { cubic.part(from, to) };
            cut(part, 0, &mut all).map_err(|()| Folded { after })?;
            from = to;
        }
    }
    Ok(all)
}

fn cut(cubic: Cubic, depth: usize, all: &mut Vec<Cubic>) -> Result<(), ()> {
    if cubic.turn() < TURN {
        all.push(cubic);
        return Ok(());
    }
    if depth == FOLDED {
        return Err(());
    }
    cut(cubic.part(0.0, 0.5), depth + 1, all)?;
    cut(cubic.part(0.5, 1.0), depth + 1, all)
}

#[cfg(test)]
mod tests;
