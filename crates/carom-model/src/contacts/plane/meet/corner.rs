//! What a corner of one outline touches of the other.

use super::super::Feature;
use super::super::parts::{Parts, is_concave};
use super::super::path::Path;
use super::super::piece::Foot;
use super::relative::Relative;
use super::toucher::{BEYOND, Vertex};
use crate::geometry::plane::{V2, dot, norm, perp, scale, sub};

/// Corners are rounded off by this share of the size of the smaller outline, see above.
const ROUNDING: f64 = 1e-4;

/// What a corner touches.
pub struct Corner<'a> {
    pub path: &'a Path,
    pub parts: &'a Parts,
    /// None: any.
    pub part: Option<u32>,
    /// In the frame of the touched body.
    pub p: V2,
    pub vertex: Vertex,
    pub relative: Relative,
    /// Of the touching outline.
    pub size: f64,
}

impl Corner<'_> {
    fn mine(&self, i: usize) -> bool {
        self.part.is_none_or(|part| self.parts.of(i) == part)
    }

    fn admits(&self, i: usize, feature: &Feature) -> bool {
        let n = feature.normal(self.p);
        self.vertex.admits(self.relative.direction_back(n), self.path.pieces[i].is_flat())
            && !self.is_rounded_off(i, sub(self.p, scale(feature.distance(self.p), n)))
    }

    /// Whether a foot on piece i is so near to a convex corner that the piece behind it is meant as well.
    fn is_rounded_off(&self, i: usize, foot: V2) -> bool {
        let path = self.path;
        let rounding = ROUNDING * path.size().min(self.size);
        // the corner after piece `one`, and the direction of the neighbour there
        let near = |corner: V2, one: usize, t: V2| {
            norm(sub(foot, corner)) <= rounding
                && Vertex::after(path, one).is_some()
                && self.vertex.admits(self.relative.direction_back(perp(t)), false)
        };
        let piece = &path.pieces[i];
        path.next(i).is_some_and(|k| near(piece.end, i, path.pieces[k].tangents[0]))
            || path.previous(i).is_some_and(|k| near(piece.start, k, path.pieces[k].tangents[1]))
    }

    /// The piece that shows itself, what it shows, and the signed distance.
    pub fn shown(&self) -> Option<(usize, Feature, f64)> {
        let Self { path, p, .. } = *self;
        let (number, nearest) = path.nearest_numbered(p);
        let D = nearest.distance(p);
        if D < -path.depth(0.0) {
            return None;
        }
        let mut best: Option<(usize, Feature, f64)> = None;
        let mut see = |i: usize, feature: Feature, distance: f64| {
            if best.is_none_or(|best| distance < best.2) && self.mine(i) && self.admits(i, &feature) {
                best = Some((i, feature, distance));
            }
            best.map_or(f64::INFINITY, |best| best.2.max(0.0))
        };
        // in front
        let mut reach = f64::INFINITY;
        path.each_near(p, |i| {
            if self.mine(i) && path.pieces[i].foot(p) == Foot::On {
                let feature = path.pieces[i].seen(p);
                let distance = feature.distance(p);
                if distance >= 0.0 {
                    reach = see(i, feature, distance);
                }
            }
            reach
        });
        let (j, is_corner) = (number / 2, number % 2 == 1);
        let size = path.size();
        if j >= path.len() {
            return best;
        }
        let concave_after = is_concave(path, j);
        if D <= BEYOND * size && !(is_corner && concave_after) {
            self.see_behind(j, is_corner, &mut see);
        }
        self.see_past_concave(j, is_corner, D, &mut see);
        best
    }

    /// Behind: the nearest piece, or that across a corner if the nearest does not face the way it came.
    fn see_behind(&self, j: usize, is_corner: bool, see: &mut impl FnMut(usize, Feature, f64) -> f64) {
        let Self { path, p, .. } = *self;
        let (size, concave_after) = (path.size(), is_concave(path, j));
        let behind = |i: usize, joint: Option<V2>| {
            let piece = &path.pieces[i];
            let on = piece.foot(p) == Foot::On
                || joint.is_some_and(|joint| {
                    let past = sub(p, joint);
                    let along = if joint == piece.end {
                        dot(piece.tangents[1], past)
                    } else {
                        -dot(piece.tangents[0], past)
                    };
                    along <= BEYOND * size
                });
            let feature = if piece.foot(p) == Foot::On { piece.seen(p) } else { piece.feature };
            let distance = feature.distance(p);
            (on && distance < 0.0).then_some((feature, distance))
        };
        let near = |joint: V2, i: usize, k: usize| {
            let room = |i: usize| norm(sub(path.pieces[i].end, path.pieces[i].start));
            norm(sub(p, joint)) <= 0.5 * room(i).min(room(k))
        };
        let (before, after) = if is_corner { (None, path.next(j)) } else { (path.previous(j), path.next(j)) };
        let own = if is_corner { behind(j, Some(path.pieces[j].end)) } else { behind(j, None) };
        if self.admits(j, &path.pieces[j].seen(p)) {
            if let Some((feature, distance)) = own {
                see(j, feature, distance);
            }
        } else {
            if let Some(k) = after.filter(|&k| !concave_after && k != j) {
                let joint = path.pieces[j].end;
                if near(joint, j, k)
                    && let Some((feature, distance)) = behind(k, Some(path.pieces[k].start))
                {
                    see(k, feature, distance);
                }
            }
            if let Some(k) = before.filter(|&k| !is_concave(path, k) && k != j) {
                let joint = path.pieces[j].start;
                if near(joint, j, k)
                    && let Some((feature, distance)) = behind(k, Some(path.pieces[k].end))
                {
                    see(k, feature, distance);
                }
            }
        }
    }

    /// Past a concave corner: the pieces there, prolonged; D is how far the nearest place is.
    fn see_past_concave(
        &self,
        j: usize,
        is_corner: bool,
        D: f64,
        see: &mut impl FnMut(usize, Feature, f64) -> f64,
    ) {
        let Self { path, p, .. } = *self;
        let concave_after = is_concave(path, j);
        let mut prolonged = |i: usize| {
            if self.mine(i) && path.pieces[i].foot(p) != Foot::On {
                let feature = path.prolonged(i);
                let distance = feature.distance(p);
                if distance >= D {
                    see(i, feature, distance);
                }
            }
        };
        if is_corner && concave_after {
            prolonged(j);
        }
        if concave_after && let Some(next) = path.next(j) {
            prolonged(next);
        }
        if !is_corner
            && let Some(previous) = path.previous(j)
            && is_concave(path, previous)
        {
            prolonged(previous);
        }
    }
}
