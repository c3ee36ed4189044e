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
//! normals of the two pieces that meet in the corner (that far and [`FLAT`](toucher) more on a line, since two corners of a
//! flat side touch together only if neither side is exact). A corner of a table edge therefore never catches the side of a box
//! that slides over it, though the side may be nearer than the bottom by a rounding error. Corner on corner has no normal
//! and is no contact: one of the corners comes to touch a piece of the other, and that piece has the normal. If both do,
//! both touch. Where both pieces that meet in a corner face the corner that comes, neither is touched within [`ROUNDING`](corner) of
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

mod corner;
mod facing;
mod meeting;
mod relative;
mod toucher;

pub(crate) use meeting::{Meeting, crossing};
pub(crate) use toucher::{Toucher, Vertex, touchers};

use self::corner::Corner;
use self::facing::{Touching, faces, pair};
use self::relative::Relative;
use self::toucher::{BEYOND, Run};
use super::parts::Parts;
use super::path::Path;
use super::{HIDDEN, Spot, Surfaces};
use crate::contacts::ContactPoint;
use crate::contacts::touch::TouchVelocities;
use crate::geometry::plane::{V2, add, dot, norm, perp, scale, sub, turn};
use crate::place::Place;
use carom_dynamics::{Configuration, Directions, NEAREST};

/// Corners this near to each other, in sizes of the outline, lie on each other.
const COINCIDE: f64 = 1e-6;

/// One thing that touches one part of an outline.
#[derive(Clone, Debug)]
pub struct Meet {
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

    /// The contact point of what touches.
    fn point(&self, at: &Configuration, touching: &Touching) -> ContactPoint<'_> {
        let [x_B, y_B, c, s] = self.touched.frame(at);
        let [x_A, y_A, _, _] = self.touching.frame(at);
        let p_B = turn(c, s, touching.x);
        ContactPoint {
            touching: &self.touching,
            touched: &self.touched,
            n: turn(c, s, touching.n),
            p_A: sub(add([x_B, y_B], p_B), [x_A, y_A]),
            p_B,
            rubs: self.rubs,
        }
    }

    pub fn directions(&self, at: &Configuration, surfaces: &Surfaces, number: u32, W: &mut Directions) {
        self.point(at, &self.resolved(at, surfaces, number)).directions(at, W);
    }

    pub fn bias(&self, at: &Configuration, surfaces: &Surfaces, number: u32, bias: &mut [f64]) {
        let touching = self.resolved(at, surfaces, number);
        let Touching { g, rho, kappa, .. } = touching;
        let point = self.point(at, &touching);
        let motion = point.motion(at);
        let TouchVelocities { v_A, omega_A, omega_B, .. } = motion;
        let t = scale(-1.0, perp(point.n));
        // seen at the foot: x − g n
        let u_foot = dot(t, point.relative(&motion)) - g * omega_B;
        // in the centre of curvature the normal is undefined
        let room = 1.0 - kappa * (rho + g);
        let nu =
            if room == 0.0 { omega_B } else { (omega_B - rho * kappa * omega_A + kappa * u_foot) / room };
        let of_A = add(v_A, scale(omega_A, perp(point.p_A)));
        let p_dot = add(of_A, scale(rho * (nu - omega_A), t));
        point.bias(at, &motion, nu, p_dot, bias);
    }
}
