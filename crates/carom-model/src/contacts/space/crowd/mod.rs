//! Many shapes that may touch each other: contacts that come and go.
//!
//! ```text
//!   law       of two shapes, by their classes: a table
//!   id        (law, i · count + j with i < j, place of the pair)
//!   near      a ball about each shape, those within reach by a grid ([`grid`]); half spaces by themselves
//!   place     gap, normal, rows and biases are those of [`pair::element`], one condition each
//! ```
//!
//! What is listed is all that can touch within the reach, and more: what is seen of it, each place says by itself where it is asked.
//! So a list of all pairs moves the mechanism as a list of the near ones does, to the last bit.

mod boxes;
mod grid;
mod member;
mod pair;
#[cfg(test)]
mod tests;

pub(crate) use member::Member;
pub(crate) use pair::count as places_of;

use super::mount::z_axis;
use super::{Element, Solid, resisting};
use crate::contacts::ContactPoint;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, dot, norm, scale, sub};
use carom_dynamics::{Candidates, Configuration, ContactId, Directions, NEAREST, Resistance};
use grid::Grid;

/// No law: the two do not touch.
pub(crate) const NO_LAW: u32 = u32::MAX;
/// Most shapes: a pair has one number.
pub(crate) const MOST_MEMBERS: usize = u16::MAX as usize;

/// What a law of a crowd makes of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdLaw {
    /// Whether there are tangential rows.
    pub rubs: bool,
    /// What resists turning.
    pub resists: Resistance,
    /// How deep shapes may be inside each other where the run begins (m).
    pub overlap: f64,
}

/// Shapes, and who of them may touch whom.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    members: Vec<Member>,
    /// Those that a ball holds, and the others.
    finite: Vec<u32>,
    infinite: Vec<u32>,
    /// Laws, and the number of the first among all of the model.
    laws: Vec<CrowdLaw>,
    first_law: u32,
    /// Law of two classes, row by row.
    classes: u32,
    table: Vec<u32>,
    /// Bodies that do not touch each other, ascending, the lower number first.
    apart: Vec<(u32, u32)>,
}

/// Memory for a list.
#[derive(Debug, Default)]
struct Room {
    grid: Grid,
    keys: Vec<u64>,
}

impl Crowd {
    /// `table` has the law of two classes, or [`NO_LAW`], row by row; `apart` pairs of bodies.
    pub fn new(
        members: Vec<Member>,
        laws: Vec<CrowdLaw>,
        first_law: usize,
        (classes, table): (usize, Vec<u32>),
        apart: Vec<(u32, u32)>,
    ) -> Self {
        debug_assert!(members.len() <= MOST_MEMBERS && table.len() == classes * classes);
        let numbers = 0..members.len() as u32;
        let (finite, infinite) = numbers.partition(|&i| members[i as usize].bound < f64::INFINITY);
        let (first_law, classes) = (first_law as u32, classes as u32);
        Self { members, finite, infinite, laws, first_law, classes, table, apart }
    }

    /// Number of laws.
    pub fn laws(&self) -> usize {
        self.laws.len()
    }

    /// The two shapes of a contact, by number.
    pub fn two(&self, id: ContactId) -> [usize; 2] {
        let count = self.members.len() as u32;
        [(id.pair / count) as usize, (id.pair % count) as usize]
    }

    /// Number of the law of two shapes.
    fn law_of(&self, i: u32, j: u32) -> u32 {
        let (a, b) = (&self.members[i as usize], &self.members[j as usize]);
        let law = self.table[(a.class * self.classes + b.class) as usize];
        let bodies = (a.mount().place.body, b.mount().place.body);
        let bodies = (bodies.0.min(bodies.1), bodies.0.max(bodies.1));
        if law == NO_LAW || bodies.0 == bodies.1 || self.apart.binary_search(&bodies).is_ok() {
            return NO_LAW;
        }
        self.first_law + law
    }

    fn law(&self, id: ContactId) -> CrowdLaw {
        self.laws[(id.law - self.first_law) as usize]
    }

    /// Lists what is within reach, behind what is listed already.
    pub fn list(&self, at: &Configuration, reach: f64, out: &mut Candidates) {
        out.list_with(|out, room: &mut Room| {
            let Room { grid, keys } = room;
            keys.clear();
            let count = self.members.len() as u64;
            let mut note = |i: u32, j: u32| {
                let (i, j) = (i.min(j), i.max(j));
                let law = self.law_of(i, j);
                if law != NO_LAW {
                    keys.push(u64::from(law) << 32 | (u64::from(i) * count + u64::from(j)));
                }
            };
            grid.clear();
            for &i in &self.finite {
                let member = &self.members[i as usize];
                grid.push(member.mount().middle(at), member.bound);
            }
            grid.pairs(reach, |a, b| note(self.finite[a as usize], self.finite[b as usize]));
            for &i in &self.infinite {
                let wall = &self.members[i as usize];
                let frame = wall.mount().frame(at);
                let (n, through) = (z_axis(&frame), Space::origin(&frame));
                let flat = wall.solid() == Solid::HalfSpace;
                for (ball, &j) in grid.balls.iter().zip(&self.finite) {
                    let height = dot(n, sub([ball[0], ball[1], ball[2]], through)) - ball[3];
                    if !flat || height <= reach {
                        note(i, j);
                    }
                }
            }
            keys.sort_unstable();
            for &key in keys.iter() {
                let (law, pair) = ((key >> 32) as u32, key as u32);
                self.places(at, ContactId { law, pair, feature: 0 }, reach, |feature| {
                    out.push(ContactId { law, pair, feature });
                });
            }
        });
    }

    /// Calls with the places of a pair that are to be listed, ascending.
    fn places(&self, at: &Configuration, id: ContactId, reach: f64, mut each: impl FnMut(u32)) {
        let [first, second] = self.two(id).map(|i| &self.members[i]);
        match (first.solid(), second.solid()) {
            // balls that are within reach are shapes that are
            (Solid::Sphere { .. }, Solid::Sphere { .. } | Solid::HalfSpace)
            | (Solid::HalfSpace, Solid::Sphere { .. }) => each(0),
            (Solid::Box { half }, Solid::Box { half: other }) => {
                let frames = [first, second].map(|member| member.mount().frame(at));
                boxes::near_places([&frames[0], &frames[1]], [half, other], reach, each);
            }
            _ => {
                let count = pair::count(first, second).expect("pairs of a crowd have closed forms");
                for feature in 0..count {
                    let listed = match pair::element(first, second, feature, false) {
                        // a point of a surface that is all seen, or else whatever may come to be seen
                        Element::Touch(touch) => {
                            let gap = touch.gap(at, NEAREST);
                            gap <= reach || gap == f64::INFINITY
                        }
                        _ => true,
                    };
                    if listed {
                        each(feature);
                    }
                }
            }
        }
    }

    /// Pairs that overlap by more than `touching`: law, names and depth, deepest first.
    pub fn overlaps(&self, at: &Configuration, touching: f64) -> Vec<(usize, [String; 2], f64)> {
        let mut near = Candidates::default();
        self.list(at, 0.0, &mut near);
        let mut found: Vec<(usize, [String; 2], f64)> = Vec::new();
        for pair in near.ids().chunk_by(|a, b| (a.law, a.pair) == (b.law, b.pair)) {
            let gap = pair.iter().map(|&id| self.gap(at, id)).fold(f64::INFINITY, f64::min);
            let mut depth = -gap;
            if gap > touching {
                // a line that runs through a box: neither its ends nor an edge says so
                let buried = pair.iter().filter_map(|&id| match self.element(id) {
                    Element::Cross(cross) => cross.buried(at),
                    _ => None,
                });
                depth = buried.fold(0.0, f64::max);
            }
            if depth > touching.max(self.law(pair[0]).overlap) {
                let names = self.two(pair[0]).map(|i| self.members[i].name.clone());
                found.push((pair[0].law as usize, names, depth));
            }
        }
        found.sort_by(|a, b| b.2.total_cmp(&a.2));
        found
    }

    fn element(&self, id: ContactId) -> Element {
        let [first, second] = self.two(id).map(|i| &self.members[i]);
        pair::element(first, second, id.feature, self.law(id).rubs)
    }

    /// g_N of a place.
    pub fn gap(&self, at: &Configuration, id: ContactId) -> f64 {
        let [first, second] = self.two(id).map(|i| &self.members[i]);
        match ball_of(first, second) {
            Some(ball) => ball.gap(at),
            None => self.element(id).gap(at, NEAREST),
        }
    }

    /// Pushes the rows of Wᵀ of a place.
    pub fn directions(&self, at: &Configuration, id: ContactId, W: &mut Directions) {
        let CrowdLaw { rubs, resists, .. } = self.law(id);
        let [first, second] = self.two(id).map(|i| &self.members[i]);
        match ball_of(first, second) {
            Some(ball) => {
                let point = ball.point(at, rubs);
                point.directions(at, W);
                resisting::directions(&point, resists, at, W);
            }
            None => self.element(id).directions(at, NEAREST, resists, W),
        }
    }

    /// Rows of a place.
    pub fn rows(&self, id: ContactId) -> usize {
        let CrowdLaw { rubs, resists, .. } = self.law(id);
        resists.dim() + if rubs { 3 } else { 1 }
    }

    /// The part of U̇ that contains no v'.
    pub fn bias(&self, at: &Configuration, id: ContactId, bias: &mut [f64]) {
        self.element(id).bias(at, NEAREST, self.law(id).resists, bias);
    }
}

/// A sphere on a sphere or on a half space: what heaps are made of, without the detour by pieces of surfaces.
struct Ball<'a> {
    sphere: &'a Member,
    radius: f64,
    other: &'a Member,
    /// Of the other sphere; a half space has none.
    other_radius: Option<f64>,
}

#[inline]
fn ball_of<'a>(first: &'a Member, second: &'a Member) -> Option<Ball<'a>> {
    match (first.solid(), second.solid()) {
        (Solid::Sphere { radius }, Solid::Sphere { radius: R }) => {
            Some(Ball { sphere: first, radius, other: second, other_radius: Some(R) })
        }
        (Solid::Sphere { radius }, Solid::HalfSpace) => {
            Some(Ball { sphere: first, radius, other: second, other_radius: None })
        }
        (Solid::HalfSpace, Solid::Sphere { radius }) => {
            Some(Ball { sphere: second, radius, other: first, other_radius: None })
        }
        _ => None,
    }
}

impl<'a> Ball<'a> {
    /// g_N.
    #[inline]
    fn gap(&self, at: &Configuration) -> f64 {
        let r = self.sphere.mount().middle(at);
        match self.other_radius {
            Some(R) => norm(sub(r, self.other.mount().middle(at))) - R - self.radius,
            None => {
                let frame = self.other.mount().frame(at);
                dot(z_axis(&frame), sub(r, Space::origin(&frame))) - self.radius
            }
        }
    }

    #[inline]
    fn point(&self, at: &Configuration, rubs: bool) -> ContactPoint<'a, Space> {
        let r = self.sphere.mount().middle(at);
        let (touching, touched) = (&self.sphere.mount().place, &self.other.mount().place);
        let n: V3 = match self.other_radius {
            Some(_) => {
                let d = sub(r, self.other.mount().middle(at));
                let length = norm(d);
                // centres on each other have no direction; any will part them
                if length > 0.0 { scale(1.0 / length, d) } else { [0.0, 0.0, 1.0] }
            }
            None => z_axis(&self.other.mount().frame(at)),
        };
        let p = sub(r, scale(self.radius, n));
        let from = |place: &crate::place::Place<Space>| sub(p, Space::origin(&place.frame(at)));
        ContactPoint { touching, touched, n, p_A: from(touching), p_B: from(touched), rubs }
    }
}
