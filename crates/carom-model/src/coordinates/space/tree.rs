//! The spanning tree of the bodies in space.                                           [Haddouni2015] §1.1.2, §1.2.2.2
//!
//! Bodies are reached ([`spanning`]) from the ground over the joints of the table. A joint that would close a loop is cut: it
//! stays rows of Φ, as do all that take part in no tree: distances, gears, racks, prescribed motions, points on lines, planes
//! and curves, constant-velocity joints, and joints whose reaction a friction law wants to know.
//!
//! ```text
//!   link k on parent P, frames of the joint (l_P, H_P), (l_k, H_k) on them:
//!   A_k H_k = A_P H_P R(e),     r_k + A_k l_k = r_P + A_P (l_P + H_P d(e))
//!
//!               R                d                        velocities, in groups
//!   weld        1                0                        –
//!   revolute    R_z(e)           0                        ė
//!   prismatic   1                (0, 0, e)                ė
//!   cylindrical R_z(e_2)         (0, 0, e_1)              ė_1; ė_2
//!   screw       R_z(e)           (0, 0, c + h e/2π)       ė
//!   universal   R_x(e_1) R_y(e_2) 0                       ė_1; ė_2
//!   planar      R_z(e_3)         (e_1, e_2, 0)            ė_1; ė_2; ė_3
//!   ball        A(p), H = 1      0                        ω of the child against the parent, in axes of the child
//!   free        r_k = (e_1, e_2, e_3),  A_k = A(p)        ṙ; ω in axes of the body: as in absolute coordinates
//! ```
//!
//! A point mass held by a joint goes with the frame of what holds it, so that every link has axes.

use crate::coordinates::spanning::{Edge, Spanned, spanning, unpressed};
use crate::geometry::Space;
use crate::geometry::space::{M3, V3, axes};
use crate::joints::{Coincident, Coupled, Framed, Held, Holding, SpaceElement};
use crate::model::Model;
use crate::place::{Carrier, Marker};
use carom_dynamics::rotation::{Quaternion, conjugate, product};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};
use std::ops::Range;

const UNTURNED: Quaternion = [1.0, 0.0, 0.0, 0.0];
/// A quarter turn about z: takes x to y.
const QUARTER: Quaternion = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];

/// How a link hangs on its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hinge {
    Free,
    /// A point mass that floats.
    FreePoint,
    Weld,
    Revolute,
    Prismatic,
    Cylindrical,
    /// h/2π and c.
    Screw {
        lead: f64,
        offset: f64,
    },
    Universal,
    Planar,
    Ball,
}

impl Hinge {
    /// Sizes of the groups of velocities, each with whether it turns.
    pub fn groups(self) -> &'static [(usize, bool)] {
        match self {
            Hinge::Free => &[(3, false), (3, true)],
            Hinge::FreePoint => &[(3, false)],
            Hinge::Weld => &[],
            Hinge::Revolute | Hinge::Screw { .. } => &[(1, true)],
            Hinge::Prismatic => &[(1, false)],
            Hinge::Cylindrical => &[(1, false), (1, true)],
            Hinge::Universal => &[(1, true), (1, true)],
            Hinge::Planar => &[(1, false), (1, false), (1, true)],
            Hinge::Ball => &[(3, true)],
        }
    }

    /// Where the quaternion is, behind how many coordinates.
    pub fn quaternion(self) -> Option<usize> {
        match self {
            Hinge::Free => Some(3),
            Hinge::Ball => Some(0),
            _ => None,
        }
    }

    /// It floats.
    pub fn is_free(self) -> bool {
        matches!(self, Hinge::Free | Hinge::FreePoint)
    }
}

/// A hinge with its frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub hinge: Hinge,
    /// l_P and l_k.
    pub on_parent: V3,
    pub on_child: V3,
    /// H_P, and H_k⁻¹.
    pub held: Quaternion,
    pub held_back: Quaternion,
}

impl Way {
    fn new(hinge: Hinge, parent: (V3, Quaternion), child: (V3, Quaternion)) -> Self {
        Self { hinge, on_parent: parent.0, on_child: child.0, held: parent.1, held_back: conjugate(child.1) }
    }
}

/// A body in the tree.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub body: usize,
    /// Its first absolute coordinate and velocity, and whether it has axes of its own there.
    pub q_abs: usize,
    pub v_abs: usize,
    pub turns: bool,
    pub mass: f64,
    /// J in body axes.
    pub inertia: M3,
    /// Link number; none is the ground.
    pub parent: Option<usize>,
    pub way: Way,
    /// Columns of H_P: the axes of the joint in the frame of the parent; e_y of H_k in that of the child.
    pub axes: M3,
    pub child_y: V3,
    /// The joint that holds it, by its number in the constraint info.
    pub joint: Option<usize>,
    pub q: Range<usize>,
    /// Its velocities.
    pub v: Range<usize>,
    /// The links of its subtree, itself first.
    pub subtree: Range<usize>,
}

impl Link {
    /// Nothing hangs on it and it hangs on nothing: its coordinates are the absolute ones.
    pub fn is_alone(&self) -> bool {
        self.way.hinge.is_free() && self.subtree.len() == 1
    }

    /// The groups of its velocities.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let mut from = self.v.start;
        self.way.hinge.groups().iter().map(move |(size, _)| {
            from += size;
            from - size..from
        })
    }
}

/// A velocity of the tree.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    pub link: usize,
    /// Those that move it together with this one.
    pub group: Range<usize>,
    pub turns: bool,
    /// The one before it on the way from the ground.
    pub up: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub links: Vec<Link>,
    pub coordinates: Vec<Coordinate>,
    /// Joints that became coordinates, by their number in the constraint info.
    pub is_tree_joint: Vec<bool>,
    /// How many numbers q has.
    pub q_len: usize,
}

impl Tree {
    pub fn new(model: &Model<Space>) -> Self {
        let edges = edges(model);
        let is_tree_joint = vec![false; model.structure.constraints.len()];
        let mut tree = Self { links: Vec::new(), coordinates: Vec::new(), is_tree_joint, q_len: 0 };
        for spanned in spanning(model.bodies.len(), &edges, |body| model.bodies[body].flexible.is_none()) {
            let (joint, way) = match spanned.held {
                None => {
                    let turns = model.bodies[spanned.body].place.turns();
                    let hinge = if turns { Hinge::Free } else { Hinge::FreePoint };
                    (None, Way::new(hinge, ([0.0; 3], UNTURNED), ([0.0; 3], UNTURNED)))
                }
                Some((edge, way)) => {
                    let edge = &edges[edge];
                    tree.is_tree_joint[edge.joint] = true;
                    (Some(edge.joint), edge.ways[way].expect("the joint was used this way"))
                }
            };
            tree.push(model, &spanned, joint, way);
        }
        tree
    }

    fn push(&mut self, model: &Model<Space>, spanned: &Spanned, joint: Option<usize>, way: Way) {
        let (link, first) = (self.links.len(), self.coordinates.len());
        let of = &model.bodies[spanned.body];
        let turns = of.place.turns();
        let mut inertia = [[0.0; 3]; 3];
        if turns {
            let from = of.v.start + 3;
            (0..3).for_each(|k| inertia[k][k] = model.mass[from + k]);
            for &(i, j, value) in &model.products {
                if (from..from + 3).contains(&(i as usize)) {
                    let (i, j) = (i as usize - from, j as usize - from);
                    (inertia[i][j], inertia[j][i]) = (value, value);
                }
            }
        }
        let mut up = self.last_coordinate(spanned.parent);
        for &(size, turns) in way.hinge.groups() {
            let from = self.coordinates.len();
            for i in from..from + size {
                self.coordinates.push(Coordinate { link, group: from..from + size, turns, up });
                up = Some(i);
            }
        }
        let n = self.coordinates.len() - first;
        let q_len = n + usize::from(way.hinge.quaternion().is_some());
        let column = |A: M3, k: usize| [A[0][k], A[1][k], A[2][k]];
        let H_P = axes(way.held);
        self.links.push(Link {
            body: spanned.body,
            q_abs: of.q.start,
            v_abs: of.v.start,
            turns,
            mass: model.mass[of.v.start],
            inertia,
            parent: spanned.parent,
            axes: [0, 1, 2].map(|k| column(H_P, k)),
            child_y: column(axes(conjugate(way.held_back)), 1),
            way,
            joint,
            q: self.q_len..self.q_len + q_len,
            v: first..first + n,
            subtree: spanned.subtree.clone(),
        });
        self.q_len += q_len;
    }

    /// The last velocity that moves a link.
    pub fn last_coordinate(&self, mut link: Option<usize>) -> Option<usize> {
        while let Some(k) = link {
            if !self.links[k].v.is_empty() {
                return Some(self.links[k].v.end - 1);
            }
            link = self.links[k].parent;
        }
        None
    }

    /// The velocities that move a link, nearest first.
    pub fn path(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.last_coordinate(Some(link)), |&i| self.coordinates[i].up)
    }
}

/// The joints that can be coordinates.
fn edges(model: &Model<Space>) -> Vec<Edge<Way>> {
    let mut edges = Vec::new();
    for joint in unpressed(&model.structure) {
        let rows = &model.structure.constraints[joint].rows;
        let from = model.joints.partition_point(|(row, _)| (*row as usize) < rows.start);
        let of_joint = model.joints[from..].iter().take_while(|(row, _)| (*row as usize) < rows.end);
        let elements: Vec<&SpaceElement> = of_joint.map(|(_, element)| element).collect();
        let edge = match elements[..] {
            [SpaceElement::Coincident(ball)] => pivot(ball),
            [SpaceElement::Held(held)] => hold(held, None),
            [SpaceElement::Held(held), SpaceElement::Coupled(thread)] => hold(held, Some(thread)),
            _ => None,
        };
        if let Some((ends, ways)) = edge {
            edges.push(Edge { joint, ends, ways });
        }
    }
    edges
}

type Ways = ([Option<usize>; 2], [Option<Way>; 2]);

/// The link that a marker is on: none for ground. A flexible body is none of the tree's, and a point mass holds nothing
/// but at itself.
fn end(marker: &Marker<Space>) -> Option<Option<usize>> {
    match marker.place.carrier {
        Carrier::Ground => Some(None),
        Carrier::Rigid(_) => Some(Some(marker.place.body as usize)),
        Carrier::Point(_) if marker.local == [0.0; 3] => Some(Some(marker.place.body as usize)),
        Carrier::Point(_) | Carrier::Shapes(_) => None,
    }
}

/// Two points coincide; a point mass does not turn against what holds it.
fn pivot(ball: &Coincident<Space>) -> Option<Ways> {
    let (first, second) = (&ball.first, &ball.second);
    let ends = [end(first)?, end(second)?];
    let way = |parent: &Marker<Space>, child: &Marker<Space>| {
        let hinge = if child.place.turns() { Hinge::Ball } else { Hinge::Weld };
        Some(Way::new(hinge, (parent.local, UNTURNED), (child.local, UNTURNED)))
    };
    Some((ends, [way(first, second), way(second, first)]))
}

/// Two frames; seen from the second body, the transpose of R is of the same form.
fn hold(held: &Held, thread: Option<&Coupled>) -> Option<Ways> {
    let (a, b) = (&held.pair.a, &held.pair.b);
    if [a, b].iter().any(|framed| matches!(framed.place().carrier, Carrier::Point(_))) {
        return None;
    }
    let ends = [end(&a.marker)?, end(&b.marker)?];
    let frame = |framed: &Framed| (framed.marker.local, framed.rotation);
    let (forward, backward) = match (held.holding, thread) {
        (Holding::Cylindrical, Some(thread)) => {
            // s = c + h/2π φ; from the other side both change their sign
            let lead = -thread.ratio;
            (Hinge::Screw { lead, offset: thread.offset }, Hinge::Screw { lead, offset: -thread.offset })
        }
        (_, Some(_)) => return None,
        (Holding::Weld, None) => (Hinge::Weld, Hinge::Weld),
        (Holding::Revolute, None) => (Hinge::Revolute, Hinge::Revolute),
        (Holding::Prismatic, None) => (Hinge::Prismatic, Hinge::Prismatic),
        (Holding::Cylindrical, None) => (Hinge::Cylindrical, Hinge::Cylindrical),
        (Holding::Universal, None) => (Hinge::Universal, Hinge::Universal),
        (Holding::Planar, None) => (Hinge::Planar, Hinge::Planar),
        (Holding::ConstantVelocity | Holding::PointOnLine | Holding::PointOnPlane, None) => return None,
    };
    let mut back = [frame(b), frame(a)];
    if forward == Hinge::Universal {
        // (R_x R_y)ᵀ = R_y R_x: with x and y in each other's place
        back.iter_mut().for_each(|(_, held)| *held = product(*held, QUARTER));
    }
    Some((ends, [Some(Way::new(forward, frame(a), frame(b))), Some(Way::new(backward, back[0], back[1]))]))
}

/// How often a screw has turned, whose angle is φ and displacement s.
pub(super) fn whole_turns(lead: f64, offset: f64, phi: f64, s: f64) -> f64 {
    ((s - offset - lead * phi) / (TAU * lead)).round()
}
