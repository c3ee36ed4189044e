//! What of an outline touches: its convex corners, and its runs of convex curves.

use super::super::bounds::Bounds;
use super::super::parts::{BLUNT, Parts};
use super::super::path::Path;
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};

/// A corner touches lines that are within this angle of its sides: 15°.
pub(super) const FLAT: f64 = 0.2618;

/// A foot this share of the size of an outline beyond an end is still on the piece.
pub(super) const BEYOND: f64 = 1e-9;

/// What touches, in the frame of its body.
#[derive(Clone, Debug)]
pub enum Toucher {
    Vertex(Vertex),
    Run(Run),
}

/// A convex corner.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub at: V2,
    /// Between the normals of its two sides.
    mid: V2,
    /// Cosine of half the angle between them; with [`FLAT`] added.
    cos: f64,
    cos_flat: f64,
}

/// Convex curves that follow each other.
#[derive(Clone, Debug)]
pub struct Run {
    pub pieces: Vec<usize>,
    /// Whether a line goes on smoothly before its start and after its end.
    pub flat: [bool; 2],
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
    pub fn after(path: &Path, i: usize) -> Option<Self> {
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
    pub fn admits(&self, n: V2, flat: bool) -> bool {
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
        let bounds = self.pieces.iter().fold(Bounds::NOTHING, |b, &i| b.with(path.pieces[i].bounds()));
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
