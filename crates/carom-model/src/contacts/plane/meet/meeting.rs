//! All contacts of one pair of outlines, asked together while they are far apart.

use super::super::{Path, Surfaces};
use super::relative::Relative;
use crate::geometry::plane::{V2, cross, norm, sub};
use crate::place::Place;
use carom_dynamics::Configuration;

/// All contacts of one pair of outlines.
#[derive(Clone, Debug)]
pub struct Meeting {
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
