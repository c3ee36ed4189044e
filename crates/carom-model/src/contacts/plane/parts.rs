//! What of an outline one touching thing may touch at a time: its parts, each of them one contact.
//!
//! A disk in a groove touches several places at once, and each of them must be a contact of its own. An outline that is
//! not convex is cut at its concave corners, and wherever it has bent by half a turn to one side since the last cut,
//! into **stretches** on which one disk of radius ρ touches one place only. Hollows that are tighter than ρ are left
//! out: the disk cannot reach them. Two stretches may be touched together if they follow each other, or if they are
//! nearer to each other than the disk is wide (with half of that to spare). Stretches that are never touched together
//! may share a contact: they are coloured so that no two that are touched together have one colour, each in its turn with the
//! least colour that is free. A **part** is what has one colour. So a pin in a wheel with a hundred slots has three
//! contacts and not four hundred.
//!
//! To a point p, at the signed distance D of the whole outline, a part shows the nearest of
//!
//! - its pieces and corners that p is in front of (the foot of the perpendicular is on the piece);
//! - the nearest place of all, if p is behind that one and it belongs to the part: the way out is the shortest;
//! - the neighbour, prolonged, of the nearest piece at a concave corner that p has passed, as long as it is no
//!   deeper than the nearest place. So a corner that is passed in one step is still seen from both sides, and what
//!   rests in it keeps both its contacts when it sinks in by a rounding error;
//!
//! and +∞ if there is none. The far side of a solid is never shown, nor is anything beside it.

use super::Feature;
use super::path::{Corner, Path};
use super::piece::{Foot, Piece};
use crate::geometry::plane::{V2, add, cross, dot, norm, scale, sub};

/// How the stretches of one path are shared out.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Part of each piece; [`NONE`] for hollows that are too tight.
    of: Vec<u32>,
    /// Part that shows the corner after each piece.
    corner: Vec<u32>,
    pub count: usize,
}

/// What a part shows to a point.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// As [`Path::numbered`]; a smooth joint is a corner.
    pub number: usize,
    pub feature: Feature,
    /// Signed.
    pub distance: f64,
}

const NONE: u32 = u32::MAX;

/// Two stretches nearer than this many widths of what touches may be touched together.
const TOGETHER: f64 = 1.5;

/// π, with something to spare for walls that are parallel.
const HALF_TURN: f64 = std::f64::consts::PI - 2.0 * BLUNT;

/// Sine of the bend below which a joint does not cut: coordinates typed with six digits.
pub(crate) const BLUNT: f64 = 1e-5;

impl Parts {
    /// Parts of a path for something of radius ρ that touches no two places further apart than `width`.
    pub fn new(path: &Path, rho: f64, width: f64) -> Self {
        let n = path.len();
        let too_tight = |i: usize| path.pieces[i].hollow_radius() <= rho;
        let cut_after =
            |i: usize| path.next(i).is_none_or(|next| is_concave(path, i) || too_tight(i) || too_tight(next));
        // begin behind a cut, if there is one
        let begin = if path.closed { (0..n).find(|&i| cut_after(i)).map_or(0, |i| (i + 1) % n) } else { 0 };
        let hollow: f64 = path.pieces.iter().map(Piece::bend_inwards).sum();
        let convex = hollow < HALF_TURN && (0..n).all(|i| path.next(i).is_none() || !cut_after(i));
        let mut stretches: Vec<Vec<usize>> = vec![Vec::new()];
        // angles by which it has bent towards the free side and away from it
        let mut bent = [0.0; 2];
        for i in (begin..n).chain(0..begin) {
            let piece = &path.pieces[i];
            let bend = if piece.is_convex() { [0.0, piece.sweep()] } else { [piece.sweep(), 0.0] };
            let full = (0..2).any(|k| bent[k] + bend[k] > HALF_TURN + BLUNT);
            if !convex && full && !stretches.last().is_none_or(Vec::is_empty) {
                stretches.push(Vec::new());
                bent = [0.0; 2];
            }
            bent = [bent[0] + bend[0], bent[1] + bend[1]];
            stretches.last_mut().expect("there is one").push(i);
            if cut_after(i) {
                stretches.push(Vec::new());
                bent = [0.0; 2];
            } else if let Some(next) = path.next(i) {
                let (t, w) = (piece.tangents[1], path.pieces[next].tangents[0]);
                bent[1] += (-cross(t, w).atan2(dot(t, w))).max(0.0);
            }
        }
        stretches.retain(|stretch| !stretch.is_empty());
        let chords: Vec<Vec<V2>> = stretches
            .iter()
            .map(|stretch| stretch.iter().flat_map(|&i| path.pieces[i].chords()).collect())
            .collect();
        let mut colours: Vec<u32> = Vec::with_capacity(stretches.len());
        for (k, stretch) in stretches.iter().enumerate() {
            if too_tight(stretch[0]) {
                colours.push(NONE);
                continue;
            }
            let follows = |a: &[usize], b: &[usize]| follow(path, a, b, &too_tight);
            let meets = |j: usize| {
                let other = &stretches[j];
                follows(stretch, other)
                    || follows(other, stretch)
                    || distance(&chords[k], &chords[j]) <= TOGETHER * width
            };
            let taken: Vec<u32> =
                (0..k).filter(|&j| colours[j] != NONE && meets(j)).map(|j| colours[j]).collect();
            colours.push((0..).find(|colour| !taken.contains(colour)).expect("colours do not end"));
        }
        let mut of = vec![NONE; n];
        for (stretch, &colour) in stretches.iter().zip(&colours) {
            stretch.iter().for_each(|&i| of[i] = colour);
        }
        let corner = (0..n)
            .map(|i| if of[i] == NONE { path.next(i).map_or(NONE, |next| of[next]) } else { of[i] })
            .collect();
        let count = colours.iter().filter(|&&c| c != NONE).map(|&c| c as usize + 1).max().unwrap_or(0);
        Self { of, corner, count }
    }

    pub fn of(&self, piece: usize) -> u32 {
        self.of[piece]
    }

    /// What part number `part` shows to the point p; `depth` is how far behind an open path is still seen.
    #[inline]
    pub fn shown(&self, path: &Path, part: u32, p: V2, depth: f64) -> Option<Sight> {
        let (number, feature) = path.nearest_numbered(p);
        let D = feature.distance(p);
        if D < -depth {
            return None;
        }
        let mut best: Option<Sight> = None;
        let mut see = |number: usize, feature: Feature, distance: f64| {
            if best.is_none_or(|best| distance < best.distance) {
                best = Some(Sight { number, feature, distance });
            }
            best.map_or(f64::INFINITY, |best| best.distance.max(0.0))
        };
        // in front
        let mut reach = f64::INFINITY;
        path.each_near(p, |i| {
            let (own, corner) = (self.of[i] == part, self.corner[i] == part);
            if !own && !corner {
                return reach;
            }
            let piece = &path.pieces[i];
            match piece.foot(p) {
                Foot::On if own => {
                    let feature = piece.seen(p);
                    let distance = feature.distance(p);
                    if distance >= 0.0 {
                        reach = see(2 * i, feature, distance);
                    }
                }
                Foot::After if corner => {
                    let faces = match path.corner_after(i) {
                        Corner::Free => true,
                        Corner::Convex => {
                            path.next(i).is_some_and(|next| path.pieces[next].foot(p) == Foot::Before)
                        }
                        Corner::Concave => false,
                    };
                    let feature = path.corner(i, p);
                    let distance = feature.distance(p);
                    if faces && distance >= 0.0 {
                        reach = see(2 * i + 1, feature, distance);
                    }
                }
                Foot::Before if own && path.previous(i).is_none() => {
                    let feature = path.start_as_feature(i);
                    reach = see(2 * path.len(), feature, feature.distance(p));
                }
                _ => {}
            }
            reach
        });
        // behind the nearest place
        let j = number / 2;
        let is_corner = number % 2 == 1;
        let concave = is_corner && is_concave(path, j);
        if D < 0.0 && j < path.len() && !concave {
            let owner = if is_corner { self.corner[j] } else { self.of[j] };
            if owner == part {
                see(number, feature, D);
            }
        }
        if j < path.len() {
            self.see_past_concave(path, part, p, (number, D), &mut see);
        }
        best
    }

    /// Past a concave corner: the pieces there, prolonged; `number` is the nearest place, D away.
    fn see_past_concave(
        &self,
        path: &Path,
        part: u32,
        p: V2,
        (number, D): (usize, f64),
        see: &mut impl FnMut(usize, Feature, f64) -> f64,
    ) {
        let (j, is_corner) = (number / 2, number % 2 == 1);
        let mut prolonged = |i: usize| {
            if self.of[i] == part && path.pieces[i].foot(p) != Foot::On {
                let feature = path.prolonged(i);
                let distance = feature.distance(p);
                if distance >= D {
                    see(2 * i, feature, distance);
                }
            }
        };
        if is_corner && is_concave(path, j) {
            prolonged(j);
        }
        if is_concave(path, j)
            && let Some(next) = path.next(j)
        {
            prolonged(next);
        }
        if !is_corner
            && let Some(previous) = path.previous(j)
            && is_concave(path, previous)
        {
            prolonged(previous);
        }
    }

    /// The piece of a part that is nearest to p, wherever it faces, for a direction that is asked for where the part
    /// shows nothing.
    pub fn nearest_piece(&self, path: &Path, part: u32, p: V2) -> usize {
        let own = (0..path.len()).filter(|&i| self.of[i] == part);
        own.min_by(|&a, &b| path.pieces[a].distance(p).total_cmp(&path.pieces[b].distance(p)))
            .expect("a part has pieces")
    }
}

/// Whether the path bends towards the free side after piece i.
pub(crate) fn is_concave(path: &Path, i: usize) -> bool {
    path.next(i).is_some_and(|next| {
        let (a, b) = (path.pieces[i].tangents[1], path.pieces[next].tangents[0]);
        let bend = cross(a, b);
        bend > BLUNT || (dot(a, b) < 0.0 && bend > 0.0)
    })
}

/// Whether the second stretch follows on the first, at once or behind hollows that are left out.
fn follow(path: &Path, first: &[usize], second: &[usize], left_out: &dyn Fn(usize) -> bool) -> bool {
    let mut i = first[first.len() - 1];
    for _ in 0..path.len() {
        let Some(next) = path.next(i) else { return false };
        if !left_out(next) {
            return next == second[0];
        }
        i = next;
    }
    false
}

/// Distance of two chains of chords.
fn distance(a: &[V2], b: &[V2]) -> f64 {
    let to_segment = |p: V2, [from, to]: [V2; 2]| {
        let u = sub(to, from);
        let length_2 = dot(u, u);
        let s = if length_2 > 0.0 { (dot(u, sub(p, from)) / length_2).clamp(0.0, 1.0) } else { 0.0 };
        norm(sub(p, add(from, scale(s, u))))
    };
    // chords of one outline do not cross, so an end of one is nearest
    let one_way = |points: &[V2], chain: &[V2]| {
        points.iter().fold(f64::INFINITY, |least, &p| {
            chain.windows(2).fold(least, |least, pair| least.min(to_segment(p, [pair[0], pair[1]])))
        })
    };
    one_way(a, b).min(one_way(b, a))
}
