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

use super::bounds::Bounds;
use super::meet::{Vertex, crossing};
use super::piece::{Foot, Piece};
use super::{Feature, Knots};
use crate::description::Piece as Described;
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};

#[derive(Clone, Debug)]
pub struct Path {
    pub pieces: Vec<Piece>,
    pub closed: bool,
    /// Boxes around the pieces, and around [`GROUP`] of them each.
    pub boxes: Vec<Bounds>,
    groups: Vec<Bounds>,
    /// Box around all.
    pub bounds: Bounds,
}

/// Pieces per box; paths of no more are looked through piece by piece.
const GROUP: usize = 8;

/// Half the length of a line without end (m): further away than any mechanism.
const ENDLESS: f64 = 1e9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    Free,
    /// Or smooth.
    Convex,
    Concave,
}

/// Sine of the bend below which a corner counts as smooth: an arc typed with ten digits joins its line.
pub(super) const SMOOTH: f64 = 1e-9;

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
