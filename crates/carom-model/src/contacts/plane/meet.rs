//! Outline against outline.
//!
//! Two outlines touch where a convex corner of one meets a piece of the other, or where a curve meets a line or a curve.
//! So each convex corner and each **run** (convex curves that follow each other smoothly) of either outline is a thing
//! that touches the parts ([`parts`](super::parts)) of the other, with one contact for each part:
//!
//! ```text
//!   corner of either          on  lines and curves of the other
//!   run of the one named first    on  lines and curves of the other
//!   run of the one named second   on  lines and hollow curves of the other
//! ```
//!
//! This covers every pair once. Flat on flat is two contacts, at the ends of the overlap: each is a corner of one of
//! them on the other. Where two corners lie on each other, that of the outline named first touches.
//!
//! **Normals face each other.** A corner touches a piece only if the piece's normal, turned around, lies between the
//! normals of the two pieces that meet in the corner (that far and [`FLAT`] more on a line, since two corners of a
//! flat side touch together only if neither side is exact). A corner of a table edge therefore never catches the side of a box
//! that slides over it, though the side may be nearer than the bottom by a rounding error. Corner on corner has no normal
//! and is no contact: one of the corners comes to touch a piece of the other, and that piece has the normal. If both do,
//! both touch. Where both pieces that meet in a corner face the corner that comes, neither is touched within [`ROUNDING`] of
//! the size from where they meet: a box that slides over a slot and is sunk in by a rounding error, or by what a step
//! of a time-stepping scheme leaves, does not run against the far wall of the slot.
//!
//! With n from the touched to the touching body, x on the touching curve, g = n·(x − foot), ρ the radius of curvature of
//! the touching curve in x (0 of a corner), κ the curvature of the touched one in the foot (positive hollow), and u' the velocity of x
//! of the one body against the foot of the other, the normal turns with
//!
//! ```text
//!   ν = (ω_B − ρ κ ω_A + κ t·u')/(1 − κ (ρ + g))          x moves along the touching curve with ρ (ν − ω_A)
//! ```
//!
//! A circle and any curve: the foot of the centre. A curve and a line: the place of the curve with the line's normal.
//! Two other curves: with x(θ), y(θ) their places where their normals have the direction θ and face each other, t·(x − y) = 0,
//! by bisection and secants where it changes its sign.

use super::parts::{BLUNT, Parts, is_concave};
use super::path::{Foot, Path, Piece};
use super::{Feature, HIDDEN, Spot, Surfaces};
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub, turn};
use crate::place::Place;
use carom_dynamics::{Configuration, Directions, NEAREST};

/// A corner touches lines that are within this angle of its sides: 15°.
const FLAT: f64 = 0.2618;

/// A foot this share of the size of an outline beyond an end is still on the piece.
const BEYOND: f64 = 1e-9;

/// Corners this near to each other, in sizes of the outline, lie on each other.
const COINCIDE: f64 = 1e-6;

/// Corners are rounded off by this share of the size of the smaller outline, see above.
const ROUNDING: f64 = 1e-4;

/// Curvature (1/m) below which a curve is straight.
const STRAIGHT: f64 = 1e-9;

/// One thing that touches one part of an outline.
#[derive(Clone, Debug)]
pub(crate) struct Meet {
    pub touching: Place,
    pub touched: Place,
    /// Path of the touching and of the touched body, and how the latter is shared out.
    pub own: usize,
    pub path: usize,
    pub parts: usize,
    pub part: u32,
    pub by: Toucher,
    /// Whether the touching outline is the one named second.
    pub second: bool,
    /// Whether there is a tangential row.
    pub rubs: bool,
}

/// What touches, in the frame of its body.
#[derive(Clone, Debug)]
pub(crate) enum Toucher {
    Vertex(Vertex),
    Run(Run),
}

/// A convex corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub at: V2,
    /// Between the normals of its two sides.
    mid: V2,
    /// Cosine of half the angle between them; with [`FLAT`] added.
    cos: f64,
    cos_flat: f64,
}

/// Convex curves that follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pieces: Vec<usize>,
    /// Whether a line goes on smoothly before its start and after its end.
    flat: [bool; 2],
}

/// All contacts of one pair of outlines.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// Its contacts are these.
    pub first: usize,
    pub count: usize,
    pub places: [Place; 2],
    /// Circle around the first outline, in its frame.
    centre: V2,
    radius: f64,
    /// The other's path.
    path: usize,
    /// What is further apart than this is not looked at.
    reach: f64,
}

/// Where two outlines touch, in the frame of the touched body.
#[derive(Clone, Copy, Debug)]
struct Touching {
    n: V2,
    x: V2,
    g: f64,
    rho: f64,
    kappa: f64,
    number: u32,
}

/// The frame of the touching body in that of the touched one.
#[derive(Clone, Copy, Debug)]
struct Relative {
    c: f64,
    s: f64,
    d: V2,
}

impl Relative {
    fn between(touching: &Place, touched: &Place, at: &Configuration) -> Self {
        let [x_A, y_A, c_A, s_A] = touching.frame(at);
        let [x_B, y_B, c_B, s_B] = touched.frame(at);
        Self {
            c: c_B * c_A + s_B * s_A,
            s: c_B * s_A - s_B * c_A,
            d: turn(c_B, -s_B, [x_A - x_B, y_A - y_B]),
        }
    }

    fn place(&self, x: V2) -> V2 {
        add(self.d, self.direction(x))
    }

    fn direction(&self, a: V2) -> V2 {
        turn(self.c, self.s, a)
    }

    fn back(&self, x: V2) -> V2 {
        self.direction_back(sub(x, self.d))
    }

    fn direction_back(&self, a: V2) -> V2 {
        turn(self.c, -self.s, a)
    }
}

impl Meeting {
    pub fn new(first: usize, places: [Place; 2], paths: [&Path; 2], path: usize) -> Self {
        let bounds = paths[0].bounds;
        let endless = paths.iter().any(|path| path.is_endless());
        let reach = if endless { f64::INFINITY } else { paths[0].size().min(paths[1].size()) };
        let (centre, radius) = (bounds.centre(), 0.5 * bounds.diagonal());
        Self { first, count: 0, places, centre, radius, path, reach }
    }

    /// False only if the outlines are further apart than the smaller of them is large.
    #[inline]
    pub fn is_near(&self, at: &Configuration, surfaces: &Surfaces) -> bool {
        let relative = Relative::between(&self.places[0], &self.places[1], at);
        let centre = relative.place(self.centre);
        surfaces.paths[self.path].bounds.distance(centre) <= self.radius + self.reach
    }
}

impl Meeting {
    /// How far chords of the two outlines reach across each other at most, if they do.
    pub fn crossed(&self, at: &Configuration, surfaces: &Surfaces) -> Option<f64> {
        if !self.is_near(at, surfaces) {
            return None;
        }
        let relative = Relative::between(&self.places[0], &self.places[1], at);
        let chords = |path: &Path| path.pieces.iter().flat_map(|p| p.chords()).collect::<Vec<V2>>();
        let own: Vec<V2> =
            chords(&surfaces.paths[self.path - 1]).into_iter().map(|x| relative.place(x)).collect();
        let other = chords(&surfaces.paths[self.path]);
        let mut deepest: Option<f64> = None;
        for a in own.windows(2) {
            for b in other.windows(2) {
                if let Some(depth) = crossing([a[0], a[1]], [b[0], b[1]]) {
                    deepest = Some(deepest.map_or(depth, |deepest| deepest.max(depth)));
                }
            }
        }
        deepest
    }
}

/// If two segments cross: how far the nearest of their ends is from the line of the other.
pub(crate) fn crossing(a: [V2; 2], b: [V2; 2]) -> Option<f64> {
    let heights = |a: [V2; 2], b: [V2; 2]| {
        let u = sub(a[1], a[0]);
        let length = norm(u);
        b.map(|p| if length > 0.0 { cross(u, sub(p, a[0])) / length } else { 0.0 })
    };
    let (h, k) = (heights(a, b), heights(b, a));
    let across = h[0] * h[1] < 0.0 && k[0] * k[1] < 0.0;
    across.then(|| [h[0], h[1], k[0], k[1]].into_iter().map(f64::abs).fold(f64::INFINITY, f64::min))
}

impl Vertex {
    /// A corner from the normals of its sides and the direction it points to.
    fn new(at: V2, before: V2, mid: V2) -> Self {
        let mid = scale(1.0 / norm(mid), mid);
        let half = dot(mid, before).clamp(-1.0, 1.0).acos();
        let cos = |more: f64| (half + more).min(std::f64::consts::PI).cos();
        Self { at, mid, cos: cos(BEYOND), cos_flat: cos(FLAT) }
    }

    /// The corner after piece i, if it is convex.
    fn after(path: &Path, i: usize) -> Option<Self> {
        let (at, t) = (path.pieces[i].end, path.pieces[i].tangents[1]);
        let Some(next) = path.next(i) else {
            // a whole circle has no end
            return (!path.closed).then(|| Self::new(at, perp(t), t));
        };
        let w = path.pieces[next].tangents[0];
        let bend = cross(t, w);
        let convex = bend < -BLUNT || (dot(t, w) < 0.0 && bend <= 0.0);
        convex.then(|| Self::new(at, perp(t), add(add(perp(t), perp(w)), sub(t, w))))
    }

    /// All of a path, free ends included.
    pub fn of(path: &Path) -> Vec<Self> {
        let start = (!path.closed).then(|| {
            let t = path.pieces[0].tangents[0];
            Self::new(path.pieces[0].start, perp(t), scale(-1.0, t))
        });
        start.into_iter().chain((0..path.len()).filter_map(|i| Self::after(path, i))).collect()
    }

    /// Whether it may touch something with the normal n, in its own frame.
    fn admits(&self, n: V2, flat: bool) -> bool {
        -dot(n, self.mid) >= if flat { self.cos_flat } else { self.cos }
    }
}

impl Run {
    /// All of a path.
    pub fn of(path: &Path) -> Vec<Self> {
        let n = path.len();
        let convex = |i: usize| path.pieces[i].is_convex();
        let smooth = |i: usize| {
            path.next(i).is_some_and(|next| {
                let (a, b) = (path.pieces[i].tangents[1], path.pieces[next].tangents[0]);
                cross(a, b).abs() <= BLUNT && dot(a, b) > 0.0
            })
        };
        let follows = |i: usize| path.next(i).is_some_and(|next| convex(i) && convex(next) && smooth(i));
        let begin = if path.closed { (0..n).find(|&i| !follows(i)).map_or(0, |i| (i + 1) % n) } else { 0 };
        let mut runs: Vec<Vec<usize>> = vec![Vec::new()];
        for i in (begin..n).chain(0..begin) {
            if convex(i) {
                runs.last_mut().expect("there is one").push(i);
            }
            if !follows(i) {
                runs.push(Vec::new());
            }
        }
        let flat = |i: Option<usize>, smooth: bool| i.is_some_and(|i| smooth && path.pieces[i].is_flat());
        let run = |pieces: Vec<usize>| {
            let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
            let before = path.previous(first);
            let flat = [flat(before, before.is_some_and(smooth)), flat(path.next(last), smooth(last))];
            Self { pieces, flat }
        };
        runs.into_iter().filter(|run| !run.is_empty()).map(run).collect()
    }

    /// Least radius of curvature, and how far apart two places of it can be.
    fn sizes(&self, path: &Path) -> (f64, f64) {
        let bounds =
            self.pieces.iter().fold(super::path::Bounds::NOTHING, |b, &i| b.with(path.pieces[i].bounds()));
        let least = self.pieces.iter().map(|&i| path.pieces[i].convex_radius()).fold(f64::INFINITY, f64::min);
        (least, bounds.diagonal())
    }
}

/// Things of one outline that touch another, each with how the other is shared out for it.
pub(crate) fn touchers(own: &Path, other: &Path) -> Vec<(Toucher, Parts)> {
    let vertices = Vertex::of(own);
    let runs = Run::of(own);
    let for_points = (!vertices.is_empty()).then(|| Parts::new(other, 0.0, 0.0));
    let vertices = vertices
        .into_iter()
        .map(|vertex| (Toucher::Vertex(vertex), for_points.clone().expect("made for the corners there are")));
    let runs = runs.into_iter().map(|run| {
        let (rho, width) = run.sizes(own);
        let parts = Parts::new(other, rho, width);
        (Toucher::Run(run), parts)
    });
    vertices.chain(runs).collect()
}

/// What a corner touches.
struct Corner<'a> {
    path: &'a Path,
    parts: &'a Parts,
    /// None: any.
    part: Option<u32>,
    /// In the frame of the touched body.
    p: V2,
    vertex: Vertex,
    relative: Relative,
    /// Of the touching outline.
    size: f64,
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
    fn shown(&self) -> Option<(usize, Feature, f64)> {
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
            // behind: the nearest piece, or that across a corner if the nearest does not face the way it came
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
            let (before, after) =
                if is_corner { (None, path.next(j)) } else { (path.previous(j), path.next(j)) };
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
        // past a concave corner
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
        best
    }
}

impl Meet {
    /// Where it touches, if anywhere, on the pieces with this number, prolonged, or on the nearest.
    fn touching(&self, at: &Configuration, surfaces: &Surfaces, number: u32) -> Option<Touching> {
        let relative = Relative::between(&self.touching, &self.touched, at);
        let (own, path) = (&surfaces.paths[self.own], &surfaces.paths[self.path]);
        match (&self.by, number) {
            (_, HIDDEN) => None,
            (Toucher::Vertex(vertex), NEAREST) => self.vertex_shown(surfaces, relative, *vertex),
            (Toucher::Vertex(vertex), number) => {
                let p = relative.place(vertex.at);
                let feature = path.prolonged(number as usize);
                Some(Touching::of_point(p, feature, feature.distance(p), number as usize))
            }
            (Toucher::Run(run), NEAREST) => {
                self.run_shown(own, path, &surfaces.parts[self.parts], relative, run)
            }
            (Toucher::Run(run), number) => {
                let (a, e) = (number as usize / path.len(), number as usize % path.len());
                pair(&own.pieces[run.pieces[a]], &path.pieces[e], relative, true)
                    .map(|t| Touching { number, ..t })
            }
        }
    }

    fn vertex_shown(&self, surfaces: &Surfaces, relative: Relative, vertex: Vertex) -> Option<Touching> {
        let (own, path) = (&surfaces.paths[self.own], &surfaces.paths[self.path]);
        let p = relative.place(vertex.at);
        // a corner that is away from the other outline by half the size of the smaller one touches nothing
        let reach = if path.is_endless() { f64::INFINITY } else { 0.5 * own.size().min(path.size()) };
        if path.bounds.distance(p) > reach {
            return None;
        }
        let parts = &surfaces.parts[self.parts];
        let (i, feature, distance) =
            Corner { path, parts, part: Some(self.part), p, vertex, relative, size: own.size() }.shown()?;
        if self.second {
            // two corners on each other: the other one touches, if it does
            let size = path.size();
            let piece = &path.pieces[i];
            let lies_on = |corner: V2| norm(sub(corner, p)) <= COINCIDE * size;
            let other = if lies_on(piece.end) {
                Vertex::after(path, i)
            } else if lies_on(piece.start) {
                path.previous(i).and_then(|previous| Vertex::after(path, previous))
            } else {
                None
            };
            if let Some(other) = other {
                let back = Relative { c: relative.c, s: -relative.s, d: relative.back([0.0; 2]) };
                let corner = Corner {
                    path: own,
                    parts,
                    part: None,
                    p: back.place(other.at),
                    vertex: other,
                    relative: back,
                    size,
                };
                if corner.shown().is_some_and(|(_, _, g)| g <= COINCIDE * size) {
                    return None;
                }
            }
        }
        Some(Touching::of_point(p, feature, distance, i))
    }

    fn run_shown(
        &self,
        own: &Path,
        path: &Path,
        parts: &Parts,
        relative: Relative,
        run: &Run,
    ) -> Option<Touching> {
        let mut best: Option<Touching> = None;
        let size = path.size();
        let reach = if path.is_endless() { f64::INFINITY } else { 0.5 * own.size().min(size) };
        for e in 0..path.len() {
            let piece = &path.pieces[e];
            if parts.of(e) != self.part || (self.second && piece.is_convex()) {
                continue;
            }
            for (index, &a) in run.pieces.iter().enumerate() {
                // no nearer than the box of one and a circle around the other
                let (centre, radius) = (relative.place(own.boxes[a].centre()), 0.5 * own.boxes[a].diagonal());
                if path.boxes[e].distance(centre) - radius > best.map_or(reach, |best| best.g.max(0.0)) {
                    continue;
                }
                let ends = [index == 0 && run.flat[0], index + 1 == run.pieces.len() && run.flat[1]];
                let Some(found) = faces(&own.pieces[a], piece, relative, ends, size) else { continue };
                if best.is_some_and(|best| best.g <= found.g) {
                    continue;
                }
                if found.g < 0.0 && !self.is_inside(path, e, relative, own, run, &found) {
                    continue;
                }
                best = Some(Touching { number: (index * path.len() + e) as u32, ..found });
            }
        }
        best
    }

    /// Whether a place that is behind piece e is inside the outline, and its way out is through e.
    fn is_inside(
        &self,
        path: &Path,
        e: usize,
        relative: Relative,
        own: &Path,
        run: &Run,
        found: &Touching,
    ) -> bool {
        let (number, feature) = path.nearest_numbered(found.x);
        let D = feature.distance(found.x);
        let size = path.size();
        if D > BEYOND * size || -D > path.depth(found.rho) {
            return false;
        }
        if number / 2 == e || -D >= -found.g * (1.0 - BEYOND) - BEYOND * size {
            return true;
        }
        // a piece across a corner is nearer, but does not face the run
        let j = number / 2;
        let joint = if path.next(e) == Some(j) {
            path.pieces[e].end
        } else if path.previous(e) == Some(j) {
            path.pieces[e].start
        } else {
            return false;
        };
        let room = |i: usize| norm(sub(path.pieces[i].end, path.pieces[i].start));
        let m = relative.direction_back(scale(-1.0, feature.normal(found.x)));
        let faces = run.pieces.iter().any(|&a| own.pieces[a].at_normal(m, false).is_some());
        !faces && norm(sub(found.x, joint)) <= 0.5 * room(e).min(room(j))
    }

    /// Where it touches, or, for a direction that is asked for where nothing is shown any more, would if the nearest piece went on.
    fn resolved(&self, at: &Configuration, surfaces: &Surfaces, number: u32) -> Touching {
        if let Some(touching) = self.touching(at, surfaces, number) {
            return touching;
        }
        let relative = Relative::between(&self.touching, &self.touched, at);
        let (own, path) = (&surfaces.paths[self.own], &surfaces.paths[self.path]);
        let parts = &surfaces.parts[self.parts];
        match &self.by {
            Toucher::Vertex(vertex) => {
                let p = relative.place(vertex.at);
                let i = parts.nearest_piece(path, self.part, p);
                let feature = path.prolonged(i);
                Touching::of_point(p, feature, feature.distance(p), i)
            }
            Toucher::Run(run) => {
                let middle = &own.pieces[run.pieces[run.pieces.len() / 2]];
                let p = relative.place(middle.start);
                let e = parts.nearest_piece(path, self.part, p);
                let n = path.prolonged(e).normal(p);
                let m = relative.direction_back(scale(-1.0, n));
                let found = run.pieces.iter().find(|&&a| own.pieces[a].at_normal(m, false).is_some());
                let pair = found.and_then(|&a| pair(&own.pieces[a], &path.pieces[e], relative, true));
                pair.unwrap_or_else(|| {
                    let feature = path.prolonged(e);
                    Touching::of_point(p, feature, feature.distance(p), e)
                })
            }
        }
    }

    /// The number of what it touches.
    pub fn number(&self, at: &Configuration, surfaces: &Surfaces) -> u32 {
        self.touching(at, surfaces, NEAREST).map_or(HIDDEN, |touching| touching.number)
    }

    /// g_N; +∞ where nothing faces it.
    pub fn gap(&self, at: &Configuration, surfaces: &Surfaces, number: u32) -> f64 {
        self.touching(at, surfaces, number).map_or(f64::INFINITY, |touching| touching.g)
    }

    /// Contact point and normal, if something faces it.
    pub fn spot(&self, at: &Configuration, surfaces: &Surfaces, number: u32) -> Option<Spot> {
        let Touching { n, x, .. } = self.touching(at, surfaces, number)?;
        let [x_B, y_B, c, s] = self.touched.frame(at);
        Some(Spot { point: add([x_B, y_B], turn(c, s, x)), n: turn(c, s, n) })
    }

    pub fn directions(&self, at: &Configuration, surfaces: &Surfaces, number: u32, W: &mut Directions) {
        let Touching { n, x, .. } = self.resolved(at, surfaces, number);
        let [x_B, y_B, c, s] = self.touched.frame(at);
        let [x_A, y_A, _, _] = self.touching.frame(at);
        let (n, p_B) = (turn(c, s, n), turn(c, s, x));
        let p_A = sub(add([x_B, y_B], p_B), [x_A, y_A]);
        let t = scale(-1.0, perp(n));
        for d in [n, t].into_iter().take(1 + self.rubs as usize) {
            W.begin_row(0.0);
            self.touching.row(at, d, p_A, 0.0, |column, value| W.push(column, value));
            self.touched.row(at, scale(-1.0, d), p_B, 0.0, |column, value| W.push(column, value));
        }
    }

    pub fn bias(&self, at: &Configuration, surfaces: &Surfaces, number: u32, bias: &mut [f64]) {
        let Touching { n, x, g, rho, kappa, .. } = self.resolved(at, surfaces, number);
        let [x_B, y_B, c, s] = self.touched.frame(at);
        let [x_A, y_A, _, _] = self.touching.frame(at);
        let (n, p_B) = (turn(c, s, n), turn(c, s, x));
        let p_A = sub(add([x_B, y_B], p_B), [x_A, y_A]);
        let t = scale(-1.0, perp(n));
        let (v_A, omega_A) = (self.touching.velocity(at), self.touching.omega(at));
        let (v_B, omega_B) = (self.touched.velocity(at), self.touched.omega(at));
        let of_A = add(v_A, scale(omega_A, perp(p_A)));
        let u = sub(of_A, add(v_B, scale(omega_B, perp(p_B))));
        // seen at the foot: x − g n
        let u_foot = dot(t, u) - g * omega_B;
        // in the centre of curvature the normal is undefined
        let room = 1.0 - kappa * (rho + g);
        let nu =
            if room == 0.0 { omega_B } else { (omega_B - rho * kappa * omega_A + kappa * u_foot) / room };
        let p_dot = add(of_A, scale(rho * (nu - omega_A), t));
        let u_bias_A = add(self.touching.bias(at), scale(omega_A, perp(sub(p_dot, v_A))));
        let u_bias_B = add(self.touched.bias(at), scale(omega_B, perp(sub(p_dot, v_B))));
        let u_bias = sub(u_bias_A, u_bias_B);
        bias[0] = -nu * dot(t, u) + dot(n, u_bias);
        if self.rubs {
            bias[1] = nu * dot(n, u) + dot(t, u_bias);
        }
    }
}

impl Touching {
    fn of_point(p: V2, feature: Feature, distance: f64, piece: usize) -> Self {
        let (n, kappa) = (feature.normal(p), feature.curvature(p));
        Self { n, x: p, g: distance, rho: 0.0, kappa, number: piece as u32 }
    }
}

/// Where piece a of the touching outline and e of the touched one face each other, both places on the pieces; `ends`: whether
/// a line goes on smoothly at the ends of a.
fn faces(a: &Piece, e: &Piece, relative: Relative, ends: [bool; 2], size: f64) -> Option<Touching> {
    let on = |touching: &Touching| {
        let foot = sub(touching.x, scale(touching.g, touching.n));
        match e.feature {
            Feature::Flat { .. } => {
                let t = e.tangents[0];
                dot(t, sub(foot, e.start)) >= -BEYOND * size && dot(t, sub(foot, e.end)) <= BEYOND * size
            }
            _ => e.at_normal(touching.n, false).is_some(),
        }
    };
    let in_sector = |n: V2| {
        let m = relative.direction_back(scale(-1.0, n));
        a.at_normal(m, false).is_some()
            || (e.is_flat() && (0..2).any(|k| ends[k] && dot(m, perp(a.tangents[k])) >= FLAT.cos()))
    };
    let touching = pair(a, e, relative, false).or_else(|| {
        // beyond the end of a, where a line goes on
        (e.is_flat() && (ends[0] || ends[1])).then(|| pair(a, e, relative, true)).flatten()
    })?;
    (in_sector(touching.n) && on(&touching)).then_some(touching)
}

/// Where a and e face each other; `beyond`: both prolonged.
fn pair(a: &Piece, e: &Piece, relative: Relative, beyond: bool) -> Option<Touching> {
    let new = |n: V2, x: V2, g: f64, rho: f64, kappa: f64| Touching { n, x, g, rho, kappa, number: 0 };
    match (a.feature, e.feature) {
        (Feature::Round { centre, radius, .. }, _) => {
            let r = relative.place(centre);
            if !beyond && e.foot(r) != Foot::On && !e.is_flat() {
                return None;
            }
            let feature = if beyond { e.feature } else { e.seen(r) };
            let (n, D) = (feature.normal(r), feature.distance(r));
            let kappa = feature.curvature(r);
            // a circle in a hollow that is tighter touches its ends, not its inside
            let fits = kappa <= 0.0 || kappa * radius < 1.0;
            (fits || beyond).then(|| new(n, sub(r, scale(radius, n)), D - radius, radius, kappa))
        }
        (_, Feature::Flat { through, normal }) => {
            let m = relative.direction_back(scale(-1.0, normal));
            let (x, kappa_A) = a.at_normal(m, beyond)?;
            let x = relative.place(x);
            Some(new(normal, x, dot(normal, sub(x, through)), radius_of(kappa_A), 0.0))
        }
        _ => curves(a, e, relative, beyond),
    }
}

/// Where two curves face each other.
fn curves(a: &Piece, e: &Piece, relative: Relative, beyond: bool) -> Option<Touching> {
    // normals of a in the frame of e, as angles around the middle of a's; e's are turned around
    let more = if beyond { 0.3 } else { 0.0 };
    let (mid_e, half_e) = e.normals();
    let (mid_a, half_a) = a.normals();
    let mid_a = relative.direction(mid_a);
    let mid_e = scale(-1.0, mid_e);
    let between = cross(mid_a, mid_e).atan2(dot(mid_a, mid_e));
    let mut nearest: Option<Touching> = None;
    for turns in [0.0, 1.0, -1.0] {
        let between = between + turns * std::f64::consts::TAU;
        let (low, high) = ((-half_a).max(between - half_e) - more, half_a.min(between + half_e) + more);
        if low <= high
            && let Some(found) = curves_within(a, e, relative, beyond, mid_a, [low, high])
            && nearest.is_none_or(|nearest| found.g < nearest.g)
        {
            nearest = Some(found);
        }
    }
    nearest
}

/// Where two curves face each other with a normal between two angles from `mid`.
fn curves_within(
    a: &Piece,
    e: &Piece,
    relative: Relative,
    beyond: bool,
    mid_a: V2,
    [mut low, mut high]: [f64; 2],
) -> Option<Touching> {
    let places = |theta: f64| {
        let (s, c) = theta.sin_cos();
        let m = turn(c, s, mid_a);
        let n = scale(-1.0, m);
        let (x, kappa_A) = a.at_normal(relative.direction_back(m), true)?;
        let (y, kappa_B) = e.at_normal(n, true)?;
        let x = relative.place(x);
        Some((n, x, y, kappa_A, kappa_B, dot(perp(n), sub(x, y))))
    };
    let value = |theta: f64| places(theta).map(|p| p.5);
    let (mut f_low, mut f_high) = (value(low)?, value(high)?);
    // at a joint of two pieces neither may have a change of sign to rounding
    let zero = BEYOND * norm(sub(a.end, a.start));
    if f_low * f_high > 0.0 && f_low.abs().min(f_high.abs()) > zero {
        return None;
    }
    let mut theta = low;
    if f_low * f_high > 0.0 {
        (low, high) = if f_low.abs() <= f_high.abs() { (low, low) } else { (high, high) };
        theta = low;
    }
    for step in 0..100 {
        if low == high {
            break;
        }
        // secants, and every third time the middle
        theta = if step % 3 == 2 || f_low == f_high {
            0.5 * (low + high)
        } else {
            (low * f_high - high * f_low) / (f_high - f_low)
        };
        let f = value(theta)?;
        if f == 0.0 || high - low <= 4.0 * f64::EPSILON {
            break;
        }
        if (f > 0.0) == (f_high > 0.0) {
            (high, f_high) = (theta, f);
        } else {
            (low, f_low) = (theta, f);
        }
    }
    let (n, x, y, kappa_A, kappa_B, _) = places(theta)?;
    let (rho, g) = (radius_of(kappa_A), dot(n, sub(x, y)));
    let fits = kappa_B <= 0.0 || kappa_B * rho < 1.0;
    (fits || beyond).then_some(Touching { n, x, g, rho, kappa: kappa_B, number: 0 })
}

/// Radius of a convex curve; where it goes over into a straight one it has none.
fn radius_of(kappa: f64) -> f64 {
    if kappa < -STRAIGHT { -1.0 / kappa } else { 1.0 / STRAIGHT }
}
