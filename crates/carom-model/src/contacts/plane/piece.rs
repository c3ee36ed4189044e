//! One smooth piece of a path: a line, an arc, a parabola or a span of a spline between two ends.

use super::bounds::Bounds;
use super::parts::BLUNT;
use super::path::SMOOTH;
use super::{Cubic, Feature, Knots, Parabola, spans};
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};

#[derive(Clone, Debug)]
pub struct Piece {
    pub start: V2,
    pub end: V2,
    pub feature: Feature,
    /// Directions of walking at the two ends, unit.
    pub tangents: [V2; 2],
    /// An arc of more than half a turn.
    pub reflex: bool,
    /// An arc that is a whole circle.
    pub full: bool,
}

/// Where the foot of the perpendicular is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foot {
    Before,
    On,
    After,
}

impl Piece {
    pub fn line(start: V2, end: V2) -> Self {
        let e = scale(1.0 / norm(sub(end, start)), sub(end, start));
        let feature = Feature::Flat { through: start, normal: perp(e) };
        Self { start, end, feature, tangents: [e, e], reflex: false, full: false }
    }

    pub fn arc(start: V2, end: V2, centre: V2, counterclockwise: bool) -> Self {
        let (u, w) = (sub(start, centre), sub(end, centre));
        let radius = norm(u);
        let sense = if counterclockwise { 1.0 } else { -1.0 };
        let along = |d: V2| scale(sense / norm(d), perp(d));
        let full = norm(sub(end, start)) <= SMOOTH * radius;
        Self {
            start,
            end,
            feature: Feature::Round { centre, radius, outward: !counterclockwise },
            tangents: [along(u), along(w)],
            reflex: !full && sense * cross(u, w) < 0.0,
            full,
        }
    }

    pub fn parabola(start: V2, control: V2, end: V2) -> Self {
        let parabola = Parabola::through(start, control, end);
        Self {
            start,
            end,
            feature: Feature::Parabola(parabola),
            tangents: [start, end].map(|p| parabola.tangent(parabola.slope(p))),
            reflex: false,
            full: false,
        }
    }

    /// The spans of a spline; the caller has checked that it has no cusp.
    pub fn cubics(knots: &Knots) -> Vec<Self> {
        spans(knots).expect("splines are checked for cusps").into_iter().map(Self::cubic).collect()
    }

    fn cubic(span: Cubic) -> Self {
        let (start, end) = (span.point(0.0), span.point(1.0));
        if span.is_straight() {
            return Self::line(start, end);
        }
        let tangents = [span.tangent(0.0), span.tangent(1.0)];
        Self { start, end, feature: Feature::Cubic(span), tangents, reflex: false, full: false }
    }

    /// Slopes at the ends of a parabola, the smaller first.
    pub fn slopes(&self, parabola: &Parabola) -> [f64; 2] {
        let (a, b) = (parabola.slope(self.start), parabola.slope(self.end));
        [a.min(b), a.max(b)]
    }

    /// The place of a parabola that a point faces: the nearest, or one across its axis if only that is on the piece.
    fn facing_place(&self, parabola: Parabola, p: V2) -> Option<Parabola> {
        let [from, to] = self.slopes(&parabola);
        let on = |parabola: &Parabola| (from..=to).contains(&parabola.foot(p));
        let across = || Some(parabola.across()).filter(|across| across.has_across(p) && on(across));
        Some(parabola).filter(on).or_else(across)
    }

    /// Its feature where the point faces it.
    #[inline]
    pub fn seen(&self, p: V2) -> Feature {
        match self.feature {
            Feature::Parabola(parabola) => {
                Feature::Parabola(self.facing_place(parabola, p).unwrap_or(parabola))
            }
            feature => feature,
        }
    }

    #[inline]
    pub fn foot(&self, p: V2) -> Foot {
        match self.feature {
            Feature::Flat { .. } => {
                let e = self.tangents[0];
                if dot(e, sub(p, self.start)) < 0.0 {
                    Foot::Before
                } else if dot(e, sub(p, self.end)) > 0.0 {
                    Foot::After
                } else {
                    Foot::On
                }
            }
            Feature::Round { centre, .. } => {
                let d = sub(p, centre);
                // Past the start and not past the end, looking along the walk.
                let past_start = dot(self.tangents[0], d) >= 0.0;
                let before_end = dot(self.tangents[1], d) <= 0.0;
                let on = if self.reflex { past_start || before_end } else { past_start && before_end };
                if self.full || on { Foot::On } else { self.nearer_end(p) }
            }
            Feature::Parabola(parabola) => match self.facing_place(parabola, p) {
                Some(_) => Foot::On,
                None => self.nearer_end(p),
            },
            Feature::Cubic(span) => match span.foot(p) {
                Some(_) => Foot::On,
                None => self.nearer_end(p),
            },
        }
    }

    fn nearer_end(&self, p: V2) -> Foot {
        if norm(sub(p, self.start)) < norm(sub(p, self.end)) { Foot::Before } else { Foot::After }
    }

    /// Unsigned distance to the piece with its ends.
    pub fn distance(&self, p: V2) -> f64 {
        match self.foot(p) {
            Foot::On => self.seen(p).distance(p).abs(),
            Foot::Before => norm(sub(p, self.start)),
            Foot::After => norm(sub(p, self.end)),
        }
    }

    /// A box around it.
    pub fn bounds(&self) -> Bounds {
        let ends = Bounds::NOTHING.with_point(self.start).with_point(self.end);
        match self.feature {
            Feature::Flat { .. } => ends,
            Feature::Round { centre, radius, .. } => {
                let axes = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
                let places = axes.map(|axis| add(centre, scale(radius, axis)));
                let on = places.into_iter().filter(|&p| self.foot(p) == Foot::On);
                on.fold(ends, Bounds::with_point)
            }
            Feature::Parabola(parabola) => {
                let [from, to] = self.slopes(&parabola);
                let axes = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
                let slopes = axes.into_iter().filter_map(|axis| parabola.slope_of_normal(axis));
                slopes
                    .filter(|xi| (from..=to).contains(xi))
                    .fold(ends, |b, xi| b.with_point(parabola.place(xi)))
            }
            Feature::Cubic(span) => span.bounds().into_iter().fold(ends, Bounds::with_point),
        }
    }

    /// Points along it, its ends included, such that it is off the chords by little.
    pub fn chords(&self) -> Vec<V2> {
        let count = match self.feature {
            Feature::Flat { .. } => 1,
            Feature::Round { .. } | Feature::Parabola(_) => 16,
            Feature::Cubic(_) => 4,
        };
        let between = |i: usize| self.along(i as f64 / count as f64);
        (0..=count)
            .map(|i| {
                if i == 0 {
                    self.start
                } else if i == count {
                    self.end
                } else {
                    between(i)
                }
            })
            .collect()
    }

    /// The place at a share of its way.
    fn along(&self, share: f64) -> V2 {
        match self.feature {
            Feature::Flat { .. } => add(self.start, scale(share, sub(self.end, self.start))),
            Feature::Round { centre, outward, .. } => {
                let sweep = self.sweep();
                let (s, c) = (if outward { -share } else { share } * sweep).sin_cos();
                add(centre, crate::geometry::plane::turn(c, s, sub(self.start, centre)))
            }
            Feature::Parabola(parabola) => {
                let (a, b) = (parabola.slope(self.start), parabola.slope(self.end));
                parabola.place(a + share * (b - a))
            }
            Feature::Cubic(span) => span.point(share),
        }
    }

    /// Angle by which the direction of the walk turns, positive whichever way.
    pub fn sweep(&self) -> f64 {
        let [a, b] = self.tangents;
        match self.feature {
            Feature::Flat { .. } => 0.0,
            Feature::Round { .. } if self.full => std::f64::consts::TAU,
            Feature::Round { outward, .. } => {
                let turned = cross(a, b).atan2(dot(a, b));
                (if outward { -turned } else { turned }).rem_euclid(std::f64::consts::TAU)
            }
            Feature::Cubic(_) => cross(a, b).atan2(dot(a, b)).abs(),
            Feature::Parabola(parabola) => {
                let [from, to] = self.slopes(&parabola);
                to.atan() - from.atan()
            }
        }
    }

    /// Whether it bends away from the free side.
    pub fn is_convex(&self) -> bool {
        match self.feature {
            Feature::Flat { .. } => false,
            Feature::Round { outward, .. } => outward,
            Feature::Parabola(parabola) => !parabola.is_hollow(),
            Feature::Cubic(_) => cross(self.tangents[0], self.tangents[1]) < 0.0,
        }
    }

    pub fn is_flat(&self) -> bool {
        matches!(self.feature, Feature::Flat { .. })
    }

    /// Least radius of curvature of a convex curve.
    pub fn convex_radius(&self) -> f64 {
        match self.feature {
            Feature::Round { radius, outward: true, .. } => radius,
            Feature::Parabola(parabola) if !parabola.is_hollow() => {
                let [from, to] = self.slopes(&parabola);
                -1.0 / parabola.curvature(0f64.clamp(from, to))
            }
            Feature::Cubic(span) if self.is_convex() => -1.0 / span.curvatures()[0],
            _ => f64::INFINITY,
        }
    }

    /// The place of a curve whose normal is n, and the curvature there (positive hollow); on the piece, with [`BLUNT`] to
    /// spare at its ends, or on its prolongation too.
    pub fn at_normal(&self, n: V2, beyond: bool) -> Option<(V2, f64)> {
        let at_end =
            || self.tangents.iter().any(|&t| cross(n, perp(t)).abs() <= BLUNT && dot(n, perp(t)) > 0.0);
        match self.feature {
            Feature::Flat { .. } => None,
            Feature::Round { centre, radius, outward } => {
                let sign = if outward { 1.0 } else { -1.0 };
                let x = add(centre, scale(sign * radius, n));
                let on = beyond || self.foot(x) == Foot::On || at_end();
                on.then_some((x, -sign / radius))
            }
            Feature::Parabola(parabola) => {
                let xi = parabola.slope_of_normal(n)?;
                let [from, to] = self.slopes(&parabola);
                let on = beyond || (from..=to).contains(&xi) || at_end();
                on.then(|| (parabola.place(xi), parabola.curvature(xi)))
            }
            Feature::Cubic(span) => {
                let on = || (beyond || at_end()).then(|| span.extreme_prolonged(n));
                // the prolongation may end before it turns that far
                let faces = |s: &f64| cross(n, perp(span.tangent(*s))).abs() <= SMOOTH;
                let s = span.extreme(n).or_else(on).filter(faces)?;
                Some((span.point(s), span.curvature(s)))
            }
        }
    }

    /// The middle of its normals, and the angle from there to those at its ends.
    pub fn normals(&self) -> (V2, f64) {
        let half = 0.5 * self.sweep();
        let (s, c) = if self.is_convex() { -half } else { half }.sin_cos();
        (perp(crate::geometry::plane::turn(c, s, self.tangents[0])), half)
    }

    /// Least radius of curvature, if it is hollow to the free side.
    pub fn hollow_radius(&self) -> f64 {
        match self.feature {
            Feature::Round { radius, outward: false, .. } => radius,
            Feature::Parabola(parabola) if parabola.is_hollow() => {
                let [from, to] = self.slopes(&parabola);
                1.0 / parabola.curvature(0f64.clamp(from, to))
            }
            Feature::Cubic(span) if !self.is_convex() => 1.0 / span.curvatures()[1],
            _ => f64::INFINITY,
        }
    }

    /// Angle by which the piece turns towards the free side.
    pub fn bend_inwards(&self) -> f64 {
        if self.is_flat() || self.is_convex() { 0.0 } else { self.sweep() }
    }
}
