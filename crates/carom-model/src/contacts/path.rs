//! A chain of straight pieces, arcs and parabolas, free on its left.
//!
//! Between pieces the path bends away from the free side (convex corner), towards it (concave corner), or not at all.
//!
//! A path on which one disk can only touch one place at a time (no concave corner, and curves that bend towards the free
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
//!
//! **Numbers** of what a path shows, for steps that must see one smooth surface. Of the nearest place: piece i is 2 i, the
//! corner after it 2 i + 1, the free start of an open path of n pieces 2 n. Of one piece: [`OWN`] itself, [`AFTER`] the
//! corner after it, [`START`] the free start of the path, [`HIDDEN`] nothing. At a smooth joint a piece follows on the
//! other with no corner between them. A piece that is asked for by its number is prolonged: a line without end, a full
//! circle, a whole parabola.

use super::{Feature, Parabola};
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

/// Numbers of what a single piece shows.
const OWN: u32 = 0;
const AFTER: u32 = 1;
const START: u32 = 2;
const HIDDEN: u32 = 3;

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
    /// A path from a start, then pieces. Ends of arcs must lie on their circle, control points off the line through the
    /// ends; the caller has checked.
    pub fn new(start: V2, pieces: &[crate::description::Piece]) -> Self {
        let mut from = start;
        let mut built = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let piece = match *piece {
                crate::description::Piece::LineTo(to) => Piece::line(from, to),
                crate::description::Piece::ArcTo { end, center, counterclockwise } => {
                    Piece::arc(from, end, center, counterclockwise)
                }
                crate::description::Piece::ParabolaTo { end, control } => Piece::parabola(from, control, end),
                crate::description::Piece::SplineThrough(_) => unreachable!("splines are refused"),
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

    /// Radius of curvature of the tightest curve that bends towards the free side; a disk must be smaller to fit.
    pub fn tightest(&self) -> f64 {
        self.pieces.iter().fold(f64::INFINITY, |least, piece| match piece.feature {
            Feature::Round { radius, outward: false, .. } => least.min(radius),
            Feature::Parabola(parabola) if parabola.is_hollow() => {
                let [from, to] = piece.slopes(&parabola);
                least.min(1.0 / parabola.curvature(0f64.clamp(from, to)))
            }
            _ => least,
        })
    }

    /// Whether it is a full circle: one smooth piece without ends.
    pub fn is_circle(&self) -> bool {
        self.len() == 1 && self.pieces[0].full
    }

    fn corner_after(&self, i: usize) -> Corner {
        let Some(next) = self.next(i) else { return Corner::Free };
        let bend = cross(self.pieces[i].tangents[1], self.pieces[next].tangents[0]);
        let back = dot(self.pieces[i].tangents[1], self.pieces[next].tangents[0]) < 0.0;
        if bend > SMOOTH || (back && bend > 0.0) { Corner::Concave } else { Corner::Convex }
    }

    /// Whether piece i goes over into the next without a bend.
    fn is_smooth_after(&self, i: usize) -> bool {
        self.next(i).is_some_and(|next| {
            let (a, b) = (self.pieces[i].tangents[1], self.pieces[next].tangents[0]);
            cross(a, b).abs() <= SMOOTH && dot(a, b) > 0.0
        })
    }

    /// Whether there is a joint with a bend.
    pub fn has_corners(&self) -> bool {
        (0..self.len()).any(|i| self.next(i).is_some() && !self.is_smooth_after(i))
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
    #[inline]
    pub fn nearest(&self, p: V2) -> Feature {
        self.nearest_numbered(p).1
    }

    /// The nearest place with its number; a smooth joint is a corner here.
    #[inline]
    fn nearest_numbered(&self, p: V2) -> (usize, Feature) {
        let mut best = (f64::INFINITY, (0, self.pieces[0].feature));
        for (i, piece) in self.pieces.iter().enumerate() {
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
        best.1
    }

    /// Number of the nearest place.
    pub fn number(&self, p: V2) -> u32 {
        let (number, _) = self.nearest_numbered(p);
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

    /// What piece i shows to the point, if anything.
    #[inline]
    pub fn facing(&self, i: usize, p: V2) -> Option<Feature> {
        self.shown(i, p).1
    }

    /// Number of what piece i shows to the point.
    pub fn number_shown(&self, i: usize, p: V2) -> u32 {
        match self.shown(i, p).0 {
            AFTER if self.is_smooth_after(i) => OWN,
            number => number,
        }
    }

    /// What piece i shows under this number, if anything.
    pub fn shown_as(&self, i: usize, number: u32, p: V2) -> Option<Feature> {
        match number {
            OWN => Some(self.prolonged(i)),
            AFTER => Some(self.corner(i, p)),
            START => Some(self.start_as_feature(i)),
            _ => None,
        }
    }

    /// What piece i shows to the point, if anything, with its number.
    #[inline]
    fn shown(&self, i: usize, p: V2) -> (u32, Option<Feature>) {
        let piece = &self.pieces[i];
        let own = match piece.foot(p) {
            Foot::On => Some(piece.seen(p)),
            Foot::After => match self.corner_after(i) {
                Corner::Free => return (AFTER, Some(self.corner(i, p))),
                Corner::Convex => {
                    let next = self.next(i).expect("a corner between pieces has a next piece");
                    if self.pieces[next].foot(p) == Foot::Before {
                        return (AFTER, Some(self.corner(i, p)));
                    }
                    None
                }
                Corner::Concave => self.behind_corner(i, self.next(i), p),
            },
            Foot::Before => match self.corner_before(i) {
                Corner::Free => return (START, Some(self.start_as_feature(i))),
                Corner::Convex => None,
                Corner::Concave => self.behind_corner(i, self.previous(i), p),
            },
        };
        let Some(own) = own else { return (HIDDEN, None) };
        let depth = -own.distance(p);
        if depth > 0.0 && self.hidden(i, p, depth) { (HIDDEN, None) } else { (OWN, Some(own)) }
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

    /// Slopes at the ends of a parabola, the smaller first.
    fn slopes(&self, parabola: &Parabola) -> [f64; 2] {
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
    fn seen(&self, p: V2) -> Feature {
        match self.feature {
            Feature::Parabola(parabola) => {
                Feature::Parabola(self.facing_place(parabola, p).unwrap_or(parabola))
            }
            feature => feature,
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
                if self.full || on { Foot::On } else { self.nearer_end(p) }
            }
            Feature::Parabola(parabola) => match self.facing_place(parabola, p) {
                Some(_) => Foot::On,
                None => self.nearer_end(p),
            },
        }
    }

    fn nearer_end(&self, p: V2) -> Foot {
        if norm(sub(p, self.start)) < norm(sub(p, self.end)) { Foot::Before } else { Foot::After }
    }

    /// Unsigned distance to the piece with its ends.
    fn distance(&self, p: V2) -> f64 {
        match self.foot(p) {
            Foot::On => self.seen(p).distance(p).abs(),
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
            Feature::Parabola(parabola) if parabola.is_hollow() => {
                let [from, to] = self.slopes(&parabola);
                to.atan() - from.atan()
            }
            _ => 0.0,
        }
    }
}
