//! A chain of straight pieces, arcs and parabolas, free on its left.
//!
//! Between pieces the path bends away from the free side (convex corner), towards it (concave corner), or not at all.
//! Its distance is that of the nearest place, with the sign of the side that place is seen from. Of a closed path that is
//! exactly inside and outside, however the outline winds: a point whose nearest place is a convex corner is outside, one
//! whose nearest place is a concave corner inside.
//!
//! A path on which one disk can only touch one place at a time (no concave corner, and curves that bend towards the free
//! side by less than half a turn in all) is **one** contact: its gap is the distance to the nearest place, corners
//! included, and is continuous wherever the nearest place is unique. Sliding from piece to piece keeps the contact.
//! Any other path is cut into parts that are one contact each ([`parts`](super::parts)).
//!
//! An open path has one side only and no thickness that would follow from its shape. What is further behind it than the path
//! is large has not come through it but around one of its ends, and sees nothing. (Less would do for small steps; but an
//! event-driven step may go far before it is found out.)
//!
//! **Numbers** of what a path shows, for steps that must see one smooth surface: piece i is 2 i, the corner after it
//! 2 i + 1, the free start of an open path of n pieces 2 n. At a smooth joint a piece follows on the other with no corner
//! between them. A piece that is asked for by its number is prolonged: a line without end, a full circle, a whole
//! parabola.

use super::meet::{Vertex, crossing};
use super::parts::BLUNT;
use super::{Cubic, Feature, Knots, Parabola, spans};
use crate::description::Piece as Described;
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub pieces: Vec<Piece>,
    pub closed: bool,
    /// Boxes around the pieces, and around [`GROUP`] of them each.
    pub boxes: Vec<Bounds>,
    groups: Vec<Bounds>,
    /// Box around all.
    pub bounds: Bounds,
}

#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub start: V2,
    pub end: V2,
    pub feature: Feature,
    /// Directions of walking at the two ends, unit.
    pub tangents: [V2; 2],
    /// An arc of more than half a turn.
    reflex: bool,
    /// An arc that is a whole circle.
    pub full: bool,
}

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub low: V2,
    pub high: V2,
}

/// Pieces per box; paths of no more are looked through piece by piece.
const GROUP: usize = 8;

/// Half the length of a line without end (m): further away than any mechanism.
const ENDLESS: f64 = 1e9;

/// Where the foot of the perpendicular is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foot {
    Before,
    On,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    Free,
    /// Or smooth.
    Convex,
    Concave,
}

/// Sine of the bend below which a corner counts as smooth: an arc typed with ten digits joins its line.
const SMOOTH: f64 = 1e-9;

impl Path {
    /// A path from a start, then pieces. Ends of arcs must lie on their circle, control points off the line through the
    /// ends; the caller has checked.
    pub fn new(start: V2, pieces: &[Described]) -> Self {
        let mut from = start;
        let mut built = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                Described::LineTo(to) => built.push(Piece::line(from, *to)),
                Described::ArcTo { end, center, counterclockwise } => {
                    built.push(Piece::arc(from, *end, *center, *counterclockwise));
                }
                Described::ParabolaTo { end, control } => built.push(Piece::parabola(from, *control, *end)),
                Described::SplineThrough(through) => {
                    built.extend(Piece::cubics(&through.onwards(from, pieces.len() == 1)));
                }
            }
            from = built.last().map_or(from, |piece| piece.end);
        }
        let extent = built.iter().fold(0.0, |most: f64, p| most.max(norm(sub(p.end, start))));
        let closed = norm(sub(from, start)) <= SMOOTH * extent;
        Self::of(built, closed)
    }

    fn of(pieces: Vec<Piece>, closed: bool) -> Self {
        let boxes: Vec<Bounds> = pieces.iter().map(Piece::bounds).collect();
        let around = |boxes: &[Bounds]| boxes.iter().copied().fold(Bounds::NOTHING, Bounds::with);
        let (groups, bounds) = (boxes.chunks(GROUP).map(around).collect(), around(&boxes));
        Self { pieces, closed, boxes, groups, bounds }
    }

    /// How far behind it a disk of radius ρ may be and still be seen.
    #[inline]
    pub fn depth(&self, rho: f64) -> f64 {
        if self.closed { f64::INFINITY } else { rho.max(self.bounds.diagonal()) }
    }

    /// The boundary of a polygon given counter-clockwise, free outside: walked clockwise.
    pub fn around(corners: &[V2]) -> Self {
        let mut backwards = corners.iter().rev().copied();
        let start = backwards.next().expect("a polygon has corners");
        let lines: Vec<_> = backwards.chain([start]).map(Described::LineTo).collect();
        Self::new(start, &lines)
    }

    /// A closed spline.
    pub fn smooth(knots: &Knots) -> Self {
        Self::of(Piece::cubics(knots), true)
    }

    /// A line without end.
    pub fn half_plane(through: V2, normal: V2) -> Self {
        let e = scale(-1.0, perp(normal));
        let end = |far: f64| add(through, scale(far, e));
        let feature = Feature::Flat { through, normal };
        let line = Piece {
            start: end(-ENDLESS),
            end: end(ENDLESS),
            feature,
            tangents: [e, e],
            reflex: false,
            full: false,
        };
        Self::of(vec![line], true)
    }

    /// Its extent; 0 if it has none.
    pub fn size(&self) -> f64 {
        if self.is_endless() { 0.0 } else { self.bounds.diagonal() }
    }

    pub fn is_endless(&self) -> bool {
        self.bounds.diagonal() >= ENDLESS
    }

    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    pub fn has_splines(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece.feature, Feature::Cubic(_)))
    }

    /// Whether a convex arc is part of a disk that is inside the outline as a whole.
    fn is_disk(&self, piece: &Piece) -> bool {
        let Feature::Round { centre, radius, outward: true } = piece.feature else { return false };
        self.nearest(centre).distance(centre) <= -(1.0 - SMOOTH) * radius
    }

    /// Convex corners, with radius 0, and the disks that its arcs are part of.
    pub fn corners_and_disks(&self) -> Vec<(V2, f64)> {
        let corners = Vertex::of(self).into_iter().map(|vertex| (vertex.at, 0.0));
        let disks = self.pieces.iter().filter_map(|piece| match piece.feature {
            Feature::Round { centre, radius, .. } if self.is_disk(piece) => Some((centre, radius)),
            _ => None,
        });
        corners.chain(disks).collect()
    }

    /// Least radius of its convex curves that are not part of a disk inside it.
    pub fn sharpest(&self) -> f64 {
        let curves = self.pieces.iter().filter(|piece| piece.is_convex() && !self.is_disk(piece));
        curves.map(Piece::convex_radius).fold(f64::INFINITY, f64::min)
    }

    /// Two pieces that cross each other, or one that crosses itself; what the curves are off their chords is let pass.
    pub fn crossing_pieces(&self) -> Option<[usize; 2]> {
        let chords: Vec<Vec<V2>> = self.pieces.iter().map(Piece::chords).collect();
        let off = |i: usize| {
            let piece = &self.pieces[i];
            if piece.is_flat() { 0.0 } else { piece.distance(scale(0.5, add(chords[i][0], chords[i][1]))) }
        };
        let off: Vec<f64> = (0..self.len()).map(off).collect();
        for i in 0..self.len() {
            for j in 0..=i {
                let least = off[i] + off[j] + SMOOTH * self.size();
                let crossed = chords[i].windows(2).any(|a| {
                    let across = |b: &[V2]| crossing([a[0], a[1]], [b[0], b[1]]);
                    chords[j].windows(2).any(|b| across(b).is_some_and(|depth| depth > least))
                });
                if crossed {
                    return Some([j, i]);
                }
            }
        }
        None
    }

    /// Whether one disk can only touch one place at a time.
    pub fn touched_once(&self) -> bool {
        let corners = (0..self.len()).all(|i| self.corner_after(i) != Corner::Concave);
        corners && self.pieces.iter().map(Piece::bend_inwards).sum::<f64>() < std::f64::consts::PI - SMOOTH
    }

    /// Radius of curvature of the tightest curve that bends towards the free side; a disk must be smaller to fit.
    pub fn tightest(&self) -> f64 {
        self.pieces.iter().map(Piece::hollow_radius).fold(f64::INFINITY, f64::min)
    }

    /// Whether it is a full circle: one smooth piece without ends.
    pub fn is_circle(&self) -> bool {
        self.len() == 1 && self.pieces[0].full
    }

    pub fn corner_after(&self, i: usize) -> Corner {
        let Some(next) = self.next(i) else { return Corner::Free };
        let bend = cross(self.pieces[i].tangents[1], self.pieces[next].tangents[0]);
        let back = dot(self.pieces[i].tangents[1], self.pieces[next].tangents[0]) < 0.0;
        if bend > SMOOTH || (back && bend > 0.0) { Corner::Concave } else { Corner::Convex }
    }

    /// Whether piece i goes over into the next without a bend.
    pub fn is_smooth_after(&self, i: usize) -> bool {
        self.next(i).is_some_and(|next| {
            let (a, b) = (self.pieces[i].tangents[1], self.pieces[next].tangents[0]);
            cross(a, b).abs() <= SMOOTH && dot(a, b) > 0.0
        })
    }

    /// Whether there is a joint with a bend.
    pub fn has_corners(&self) -> bool {
        (0..self.len()).any(|i| self.next(i).is_some() && !self.is_smooth_after(i))
    }

    pub fn next(&self, i: usize) -> Option<usize> {
        if i + 1 < self.len() {
            Some(i + 1)
        } else if self.closed && self.len() > 1 {
            Some(0)
        } else {
            None
        }
    }

    pub fn previous(&self, i: usize) -> Option<usize> {
        if i > 0 {
            Some(i - 1)
        } else if self.closed && self.len() > 1 {
            Some(self.len() - 1)
        } else {
            None
        }
    }

    /// The corner after piece i as a feature: its distance is negative on the solid side of a smooth joint.
    pub fn corner(&self, i: usize, p: V2) -> Feature {
        let piece = &self.pieces[i];
        let outward = self.next(i).is_none_or(|next| {
            let bisector = add(perp(piece.tangents[1]), perp(self.pieces[next].tangents[0]));
            dot(bisector, sub(p, piece.end)) >= 0.0
        });
        Feature::Round { centre: piece.end, radius: 0.0, outward }
    }

    pub fn start_as_feature(&self, i: usize) -> Feature {
        Feature::Round { centre: self.pieces[i].start, radius: 0.0, outward: true }
    }

    /// The nearest place.
    #[inline]
    pub fn nearest(&self, p: V2) -> Feature {
        self.nearest_numbered(p).1
    }

    /// The nearest place with its number; a smooth joint is a corner here.
    #[inline]
    pub fn nearest_numbered(&self, p: V2) -> (usize, Feature) {
        let mut best = (f64::INFINITY, (0, self.pieces[0].feature));
        for (group, pieces) in self.pieces.chunks(GROUP).enumerate() {
            if self.groups.len() > 1 && self.groups[group].distance(p) > best.0 {
                continue;
            }
            for (i, piece) in (group * GROUP..).zip(pieces) {
                if self.groups.len() > 1 && self.boxes[i].distance(p) > best.0 {
                    continue;
                }
                let shown = match piece.foot(p) {
                    Foot::On => (2 * i, piece.seen(p)),
                    Foot::After => (2 * i + 1, self.corner(i, p)),
                    Foot::Before => match self.previous(i) {
                        Some(previous) => (2 * previous + 1, self.corner(previous, p)),
                        None => (2 * self.len(), self.start_as_feature(i)),
                    },
                };
                let distance = shown.1.distance(p).abs();
                if distance < best.0 {
                    best = (distance, shown);
                }
            }
        }
        best.1
    }

    /// Calls for each piece in a box that is no further from p than what the last call answered.
    #[inline]
    pub fn each_near(&self, p: V2, mut call: impl FnMut(usize) -> f64) {
        let mut reach = f64::INFINITY;
        for (group, pieces) in self.pieces.chunks(GROUP).enumerate() {
            if self.groups.len() > 1 && self.groups[group].distance(p) > reach {
                continue;
            }
            for i in group * GROUP..group * GROUP + pieces.len() {
                if self.groups.len() == 1 || self.boxes[i].distance(p) <= reach {
                    reach = call(i);
                }
            }
        }
    }

    /// What a point that is led along the path sees: the nearest piece, prolonged, and straight on beyond a free end.
    pub fn led(&self, p: V2) -> Feature {
        let straight = |end: V2, tangent: V2| Feature::Flat { through: end, normal: perp(tangent) };
        let (number, feature) = self.nearest_numbered(p);
        let i = number / 2;
        if i == self.len() {
            return straight(self.pieces[0].start, self.pieces[0].tangents[0]);
        }
        if number.is_multiple_of(2) {
            return feature;
        }
        match self.next(i) {
            None => straight(self.pieces[i].end, self.pieces[i].tangents[1]),
            Some(next) => {
                let past = dot(self.pieces[i].tangents[1], sub(p, self.pieces[i].end)) > 0.0;
                self.prolonged(if past { next } else { i })
            }
        }
    }

    /// How far a point on an open path is from its nearer end, negative beyond it.
    pub fn before_end(&self, p: V2) -> Option<f64> {
        if self.closed {
            return None;
        }
        let (first, last) = (&self.pieces[0], &self.pieces[self.len() - 1]);
        let (number, _) = self.nearest_numbered(p);
        let beyond = |end: V2, out: V2| -dot(out, sub(p, end)).max(0.0);
        Some(if number == 2 * self.len() {
            beyond(first.start, scale(-1.0, first.tangents[0]))
        } else if number == 2 * self.len() - 1 {
            beyond(last.end, last.tangents[1])
        } else {
            norm(sub(p, first.start)).min(norm(sub(p, last.end)))
        })
    }

    /// Number of the nearest place.
    pub fn number(&self, p: V2) -> u32 {
        self.joined(self.nearest_numbered(p).0, p)
    }

    /// The number where a smooth joint is no corner.
    pub fn joined(&self, number: usize, p: V2) -> u32 {
        let i = number / 2;
        if number.is_multiple_of(2) || !self.is_smooth_after(i) {
            return number as u32;
        }
        let next = self.next(i).expect("a joint has a next piece");
        let past = dot(self.pieces[i].tangents[1], sub(p, self.pieces[i].end)) > 0.0;
        2 * if past { next } else { i } as u32
    }

    /// What has this number, prolonged.
    pub fn numbered(&self, number: u32, p: V2) -> Feature {
        let i = number as usize / 2;
        match number % 2 {
            1 => self.corner(i, p),
            _ if i == self.len() => self.start_as_feature(0),
            _ => self.prolonged(i),
        }
    }

    /// Piece i without ends.
    pub fn prolonged(&self, i: usize) -> Feature {
        self.pieces[i].feature
    }
}

impl Piece {
    fn line(start: V2, end: V2) -> Self {
        let e = scale(1.0 / norm(sub(end, start)), sub(end, start));
        let feature = Feature::Flat { through: start, normal: perp(e) };
        Self { start, end, feature, tangents: [e, e], reflex: false, full: false }
    }

    fn arc(start: V2, end: V2, centre: V2, counterclockwise: bool) -> Self {
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

    fn parabola(start: V2, control: V2, end: V2) -> Self {
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
    fn cubics(knots: &Knots) -> Vec<Self> {
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

impl Bounds {
    pub const NOTHING: Bounds = Bounds { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    pub fn with_point(self, p: V2) -> Self {
        self.with(Bounds { low: p, high: p })
    }

    pub fn with(self, other: Bounds) -> Self {
        Bounds {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }

    /// Distance of p, 0 inside.
    #[inline]
    pub fn distance(&self, p: V2) -> f64 {
        let out = |c: usize| (self.low[c] - p[c]).max(p[c] - self.high[c]).max(0.0);
        let (x, y) = (out(0), out(1));
        (x * x + y * y).sqrt()
    }

    pub fn diagonal(&self) -> f64 {
        norm(sub(self.high, self.low))
    }

    pub fn centre(&self) -> V2 {
        scale(0.5, add(self.low, self.high))
    }
}
