//! The spanning tree of the rigid bodies, from the ground.                             [Haddouni2015] §1.1.2, §1.2.2.2
//!
//! Bodies are reached ([`super::spanning`]) from the ground over revolute joints, guides and welds. A joint that would close a
//! loop is cut: it stays rows of Φ, as do all that take part in no tree: distances, gears, racks, prescribed motions,
//! joints of flexible bodies, and joints whose reaction a friction law wants to know.
//!
//! A point mass held by a joint goes with the frame of what holds it, so that every link has an angle θ.
//!
//! ```text
//!   link k on parent P, markers l_P and l_k, R = R(θ):
//!   revolute   p = r_P + R_P l_P,              θ_k = θ_P + e,    r_k = p − R_k l_k
//!   guide      a = R_P a_P,                    θ_k = θ_P + c,    r_k = r_P + R_P l_P + e a − R_k l_k
//!   weld                                       θ_k = θ_P + c,    r_k = r_P + R_P l_P − R_k l_k
//!   floating                                   r_k = (e_1, e_2),  θ_k = e_3
//! ```

use super::spanning::{Edge, Spanned, spanning, unpressed};
use crate::geometry::plane::{V2, scale, turn};
use crate::joints::{Angle, Coincident, Element, Prismatic};
use crate::model::Model;
use crate::place::{Carrier, Marker};
use std::ops::Range;

/// How a link hangs on its parent.
#[derive(Clone, Debug)]
pub(super) enum Hinge {
    Floating,
    Revolute,
    /// The axis in the frame of the parent, along which the coordinate moves the child.
    Guide {
        axis: V2,
        offset: f64,
    },
    Weld {
        offset: f64,
    },
}

/// A rigid body or point mass in the tree.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub body: usize,
    /// Its first absolute coordinate, and whether it has an angle of its own.
    pub first: usize,
    pub turns: bool,
    pub mass: f64,
    pub inertia: f64,
    /// Link number; none is the ground.
    pub parent: Option<usize>,
    pub hinge: Hinge,
    /// The joint that holds it, by its number in the constraint info.
    pub joint: Option<usize>,
    /// l_P and l_k.
    pub on_parent: V2,
    pub on_child: V2,
    pub coordinates: Range<usize>,
    /// The links of its subtree, itself first.
    pub subtree: Range<usize>,
}

/// A coordinate of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    pub link: usize,
    /// Turns its link about a pivot, or slides it along an axis.
    pub turns: bool,
    /// The coordinate before it on the way from the ground.
    pub up: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub links: Vec<Link>,
    pub coordinates: Vec<Coordinate>,
    /// Joints that became coordinates, by their number in the constraint info.
    pub is_tree_joint: Vec<bool>,
}

impl Link {
    /// Nothing hangs on it and it hangs on nothing: its coordinates are the absolute ones.
    pub fn is_alone(&self) -> bool {
        matches!(self.hinge, Hinge::Floating) && self.subtree.len() == 1
    }
}

impl Tree {
    pub fn new(model: &Model) -> Self {
        let edges = edges(model);
        let is_tree_joint = vec![false; model.structure.constraints.len()];
        let mut tree = Self { links: Vec::new(), coordinates: Vec::new(), is_tree_joint };
        for spanned in spanning(model.bodies.len(), &edges, |body| model.bodies[body].flexible.is_none()) {
            let (joint, (hinge, on_parent, on_child)) = match spanned.held {
                None => (None, (Hinge::Floating, [0.0; 2], [0.0; 2])),
                Some((edge, way)) => {
                    let edge = &edges[edge];
                    tree.is_tree_joint[edge.joint] = true;
                    (Some(edge.joint), edge.ways[way].clone().expect("the joint was used this way"))
                }
            };
            tree.push(model, &spanned, joint, hinge, on_parent, on_child);
        }
        tree
    }

    fn push(
        &mut self,
        model: &Model,
        spanned: &Spanned,
        joint: Option<usize>,
        hinge: Hinge,
        on_parent: V2,
        on_child: V2,
    ) {
        let (link, first) = (self.links.len(), self.coordinates.len());
        let (body, parent) = (spanned.body, spanned.parent);
        let of = &model.bodies[body];
        let turns = of.place.turns();
        let moves: &[bool] = match hinge {
            Hinge::Floating if turns => &[false, false, true],
            Hinge::Floating => &[false, false],
            Hinge::Revolute => &[true],
            Hinge::Guide { .. } => &[false],
            Hinge::Weld { .. } => &[],
        };
        let mut up = self.last_coordinate(parent);
        for &turns in moves {
            self.coordinates.push(Coordinate { link, turns, up });
            up = Some(self.coordinates.len() - 1);
        }
        self.links.push(Link {
            body,
            first: of.v.start,
            turns,
            mass: model.mass[of.v.start],
            inertia: if turns { model.mass[of.v.start + 2] } else { 0.0 },
            parent,
            hinge,
            joint,
            on_parent,
            on_child,
            coordinates: first..self.coordinates.len(),
            subtree: spanned.subtree.clone(),
        });
    }

    /// The last coordinate that moves a link.
    pub fn last_coordinate(&self, mut link: Option<usize>) -> Option<usize> {
        while let Some(k) = link {
            if !self.links[k].coordinates.is_empty() {
                return Some(self.links[k].coordinates.end - 1);
            }
            link = self.links[k].parent;
        }
        None
    }

    /// The coordinates that move a link, nearest first.
    pub fn path(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.last_coordinate(Some(link)), |&i| self.coordinates[i].up)
    }
}

/// The joints that can be coordinates.
fn edges(model: &Model) -> Vec<Edge<Way>> {
    let mut edges = Vec::new();
    for joint in unpressed(&model.structure) {
        let info = &model.structure.constraints[joint];
        let from = model.joints.partition_point(|(row, _)| (*row as usize) < info.rows.start);
        let of_joint = model.joints[from..].iter().take_while(|(row, _)| (*row as usize) < info.rows.end);
        let elements: Vec<&Element> = of_joint.map(|(_, element)| element).collect();
        let edge = match elements[..] {
            [Element::Coincident(revolute)] => pivot(revolute),
            [Element::Coincident(revolute), Element::Angle(angle)] if angle.ratio == -1.0 => {
                weld(revolute, angle)
            }
            [Element::Prismatic(guide)] => slide(guide, None),
            [Element::Prismatic(guide), Element::Angle(angle)] if angle.ratio == -1.0 => {
                slide(guide, Some(angle))
            }
            _ => None,
        };
        if let Some((ends, ways)) = edge {
            edges.push(Edge { joint, ends, ways });
        }
    }
    edges
}

/// A hinge, l_P and l_k.
type Way = (Hinge, V2, V2);
type Ways = ([Option<usize>; 2], [Option<Way>; 2]);

/// The link that a marker is on: none for ground. A flexible body is none of the tree's, and a point mass holds nothing
/// but at itself.
fn end(marker: &Marker) -> Option<Option<usize>> {
    match marker.place.carrier {
        Carrier::Ground => Some(None),
        Carrier::Rigid(_) => Some(Some(marker.place.body as usize)),
        Carrier::Point(_) if marker.local == [0.0; 2] => Some(Some(marker.place.body as usize)),
        Carrier::Point(_) | Carrier::Shapes(_) => None,
    }
}

/// Two points coincide; a point mass does not turn against what holds it.
fn pivot(revolute: &Coincident) -> Option<Ways> {
    let (first, second) = (&revolute.first, &revolute.second);
    let hinge =
        |child: &Marker| if child.place.turns() { Hinge::Revolute } else { Hinge::Weld { offset: 0.0 } };
    let ways =
        [Some((hinge(second), first.local, second.local)), Some((hinge(first), second.local, first.local))];
    Some(([end(first)?, end(second)?], ways))
}

/// φ_1 − φ_2 = c.
fn weld(revolute: &Coincident, angle: &Angle) -> Option<Ways> {
    let (first, second) = (&revolute.first, &revolute.second);
    let c = if angle.first.body == first.place.body { angle.offset } else { -angle.offset };
    let ways = [
        Some((Hinge::Weld { offset: -c }, first.local, second.local)),
        Some((Hinge::Weld { offset: c }, second.local, first.local)),
    ];
    Some(([end(first)?, end(second)?], ways))
}

/// φ_slider − φ_guide = c. Seen from the slider the axis is fixed to the parent too, since neither turns against the other.
fn slide(guide: &Prismatic, angle: Option<&Angle>) -> Option<Ways> {
    let (ends, c) = ([end(&guide.guide)?, end(&guide.slider)?], angle.map_or(0.0, |angle| angle.offset));
    let forward = Hinge::Guide { axis: guide.axis, offset: c };
    let backward = angle.map(|_| {
        let axis = scale(-1.0, turn(c.cos(), -c.sin(), guide.axis));
        (Hinge::Guide { axis, offset: -c }, guide.slider.local, guide.guide.local)
    });
    Some((ends, [Some((forward, guide.guide.local, guide.slider.local)), backward]))
}
