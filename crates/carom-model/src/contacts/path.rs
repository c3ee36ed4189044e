//! A chain of straight pieces and arcs, free on its left.
//!
//! Between pieces the path bends away from the free side (convex corner), towards it (concave corner), or not at all.
//!
//! A path on which one disk can only touch one place at a time (no concave corner, and arcs that bend towards the free
//! side by less than half a turn in all) is **one** contact: its gap is the distance to the nearest place, corners
//! included, and is continuous wherever the nearest place is unique. Sliding from piece to piece keeps the contact.
//!
//! Any other path is one contact **per piece**, since a disk in a groove touches two at once. A piece answers
//!
//! - its own distance where it faces the point (the foot of the perpendicular lies on it);
//! - the distance to the corner at its end, where that is convex and neither neighbour faces the point; so also at
//!   the two ends of an open path. The distance to the pieces taken together is then continuous;
//! - the distance to the piece prolonged, behind a concave corner (behind this piece and its neighbour), so that a
//!   corner that is passed in one step is still seen;
//! - +∞ elsewhere, and where the point is behind the piece but nearer to another part: the far side of a solid.
//!
//! A path has one side only; nothing should come from behind around a free end.

use super::Feature;
use crate::marker::{V2, add, cross, dot, norm, perp, scale, sub};

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pieces: Vec<Piece>,
    closed: bool,
}

#[derive(Clone, Debug)]
struct Piece {
    start: V2,
    end: V2,
    feature: Feature,
    /// Directions of walking at the two ends, unit.
    tangents: [V2; 2],
    /// An arc of more than half a turn.
    reflex: bool,
    /// An arc that is a whole circle.
    full: bool,
}

/// Where the foot of the perpendicular is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foot {
    Before,
    On,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corner {
    Free,
    /// Or smooth.
    Convex,
    Concave,
}

/// Sine of the bend below which a corner counts as smooth: an arc typed with ten digits joins its line.
const SMOOTH: f64 = 1e-9;

impl Path {
    /// A path from a start, then lines and arcs. Ends of arcs must lie on their circle; the caller has checked.
    pub fn new(start: V2, pieces: &[crate::description::Piece]) -> Self {
        let mut from = start;
        let mut built = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let piece = match *piece {
                crate::description::Piece::LineTo(to) => Piece::line(from, to),
                crate::description::Piece::ArcTo { end, center, counterclockwise } => {
                    Piece::arc(from, end, center, counterclockwise)
                }
            };
            from = piece.end;
            built.push(piece);
        }
        let extent = built.iter().fold(0.0, |most: f64, p| most.max(norm(sub(p.end, start))));
        let closed = norm(sub(from, start)) <= SMOOTH * extent;
        Self { pieces: built, closed }
    }

    /// The boundary of a polygon given counter-clockwise, free outside: walked clockwise.
    pub fn around(corners: &[V2]) -> Self {
        let mut backwards = corners.iter().rev().copied();
        let start = backwards.next().expect("a polygon has corners");
        let lines: Vec<_> = backwards.chain([start]).map(crate::description::Piece::LineTo).collect();
        Self::new(start, &lines)
    }

    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether one disk can only touch one place at a time.
    pub fn touched_once(&self) -> bool {
        let corners = (0..self.len()).all(|i| self.corner_after(i) != Corner::Concave);
        corners && self.pieces.iter().map(Piece::bend_inwards).sum::<f64>() < std::f64::consts::PI - SMOOTH
    }

    /// Radius of the tightest arc that bends towards the free side; a disk must be smaller to fit.
    pub fn tightest(&self) -> f64 {
        self.pieces.iter().fold(f64::INFINITY, |least, piece| match piece.feature {
            Feature::Round { radius, outward: false, .. } => least.min(radius),
            _ => least,
        })
    }

    fn corner_after(&self, i: usize) -> Corner {
        let Some(next) = self.next(i) else { return Corner::Free };
        let bend = cross(self.pieces[i].tangents[1], self.pieces[next].tangents[0]);
        let back = dot(self.pieces[i].tangents[1], self.pieces[next].tangents[0]) < 0.0;
        if bend > SMOOTH || (back && bend > 0.0) { Corner::Concave } else { Corner::Convex }
    }

    fn corner_before(&self, i: usize) -> Corner {
        self.previous(i).map_or(Corner::Free, |previous| self.corner_after(previous))
    }

    fn next(&self, i: usize) -> Option<usize> {
        if i + 1 < self.len() {
            Some(i + 1)
        } else if self.closed && self.len() > 1 {
            Some(0)
        } else {
            None
        }
    }

    fn previous(&self, i: usize) -> Option<usize> {
        if i > 0 {
            Some(i - 1)
        } else if self.closed && self.len() > 1 {
            Some(self.len() - 1)
        } else {
            None
        }
    }

    /// The corner after piece i as a feature: its distance is negative on the solid side of a smooth joint.
    fn corner(&self, i: usize, p: V2) -> Feature {
        let piece = &self.pieces[i];
        let outward = self.next(i).is_none_or(|next| {
            let bisector = add(perp(piece.tangents[1]), perp(self.pieces[next].tangents[0]));
            dot(bisector, sub(p, piece.end)) >= 0.0
        });
        Feature::Round { centre: piece.end, radius: 0.0, outward }
    }

    fn start_as_feature(&self, i: usize) -> Feature {
        Feature::Round { centre: self.pieces[i].start, radius: 0.0, outward: true }
    }

    /// The nearest place.
    pub fn nearest(&self, p: V2) -> Feature {
        let mut best = (f64::INFINITY, self.pieces[0].feature);
        for (i, piece) in self.pieces.iter().enumerate() {
            let feature = match piece.foot(p) {
                Foot::On => piece.feature,
                Foot::After => self.corner(i, p),
                Foot::Before => match self.previous(i) {
                    Some(previous) => self.corner(previous, p),
                    None => self.start_as_feature(i),
                },
            };
            let distance = feature.distance(p).abs();
            if distance < best.0 {
                best = (distance, feature);
            }
        }
        best.1
    }

    /// What piece i shows to the point, if anything.
    pub fn facing(&self, i: usize, p: V2) -> Option<Feature> {
        let piece = &self.pieces[i];
        let shown = match piece.foot(p) {
            Foot::On => piece.feature,
            Foot::After => match self.corner_after(i) {
                Corner::Free => return Some(self.corner(i, p)),
                Corner::Convex => {
                    let next = self.next(i).expect("a corner between pieces has a next piece");
                    return (self.pieces[next].foot(p) == Foot::Before).then(|| self.corner(i, p));
                }
                Corner::Concave => self.behind_corner(i, self.next(i), p)?,
            },
            Foot::Before => match self.corner_before(i) {
                Corner::Free => return Some(self.start_as_feature(i)),
                Corner::Convex => return None,
                Corner::Concave => self.behind_corner(i, self.previous(i), p)?,
            },
        };
        let depth = -shown.distance(p);
        if depth > 0.0 && self.hidden(i, p, depth) { None } else { Some(shown) }
    }

    /// Piece i prolonged, if the point is behind it and behind its neighbour at a concave corner.
    fn behind_corner(&self, i: usize, neighbour: Option<usize>, p: V2) -> Option<Feature> {
        let neighbour = &self.pieces[neighbour.expect("a corner between pieces has a neighbour")];
        let own = self.pieces[i].feature;
        (own.distance(p) <= 0.0 && neighbour.feature.distance(p) <= 0.0).then_some(own)
    }

    /// Whether a part of the path that does not meet piece i in a concave corner is nearer than `depth`.
    fn hidden(&self, i: usize, p: V2, depth: f64) -> bool {
        let neighbour = |corner, j: Option<usize>| if corner == Corner::Concave { j } else { None };
        let after = neighbour(self.corner_after(i), self.next(i));
        let before = neighbour(self.corner_before(i), self.previous(i));
        (0..self.len())
            .filter(|&j| j != i && Some(j) != after && Some(j) != before)
            .any(|j| self.pieces[j].distance(p) < depth)
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

    #[inline]
    fn foot(&self, p: V2) -> Foot {
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
                if self.full || on {
                    Foot::On
                } else if norm(sub(p, self.start)) < norm(sub(p, self.end)) {
                    Foot::Before
                } else {
                    Foot::After
                }
            }
        }
    }

    /// Unsigned distance to the piece with its ends.
    fn distance(&self, p: V2) -> f64 {
        match self.foot(p) {
            Foot::On => self.feature.distance(p).abs(),
            Foot::Before => norm(sub(p, self.start)),
            Foot::After => norm(sub(p, self.end)),
        }
    }

    /// Angle by which the piece turns towards the free side.
    fn bend_inwards(&self) -> f64 {
        match self.feature {
            Feature::Round { outward: false, .. } if self.full => std::f64::consts::TAU,
            Feature::Round { outward: false, .. } => {
                let [a, b] = self.tangents;
                cross(a, b).atan2(dot(a, b)).rem_euclid(std::f64::consts::TAU)
            }
            _ => 0.0,
        }
    }
}
