//! Walks along the tree: places, velocities v = B e and biases ν from the ground to the leaves, Bᵀ back.
//!
//! The equations are those at the head of [`super::relative`].

use super::relative::{Column, Relative};
use super::tree::{Hinge, Link};
use super::{cut, planar};
use crate::geometry::plane::{V2, add, cross, dot, perp, scale, sub, turn};
use crate::model::Model;
use carom_dynamics::{Configuration, Scratch};

/// Derived numbers of a link: x, y, θ, cos θ, sin θ.
pub(super) const FRAME: usize = 5;

/// Derived numbers of a subtree: centre and moment of inertia about it.
pub(super) const COMPOSITE: usize = 3;

/// What depends on q alone.
#[derive(Clone, Copy)]
pub(super) struct Frames<'a> {
    links: &'a [f64],
    axes: &'a [f64],
    pub composites: &'a [f64],
}

impl Frames<'_> {
    /// r_k.
    #[inline]
    pub fn r(&self, link: usize) -> V2 {
        planar(&self.links[FRAME * link..])
    }

    /// r_k − r_P; the ground is at the origin.
    #[inline]
    pub fn arm(&self, link: &Link, k: usize) -> V2 {
        link.parent.map_or(self.r(k), |parent| sub(self.r(k), self.r(parent)))
    }

    /// p_i or a_i.
    #[inline]
    pub fn axis(&self, i: usize) -> V2 {
        planar(&self.axes[2 * i..])
    }
}

impl Relative {
    /// Places the links, and with them all that depends on q alone: absolute coordinates, axes, subtrees as one body.
    pub(super) fn place_all(&self, q: &[f64], derived: &mut [f64]) {
        let (abs, rest) = derived.split_at_mut(self.upon.kept());
        let (links, coordinates) = (self.tree.links.len(), self.tree.coordinates.len());
        let [frames, axes, composites] = cut(rest, [FRAME * links, 2 * coordinates, COMPOSITE * links]);
        for (k, link) in self.tree.links.iter().enumerate() {
            let parent = link.parent.map_or([0.0, 0.0, 0.0, 1.0, 0.0], |parent| {
                frames[FRAME * parent..][..FRAME].try_into().expect("a frame has five numbers")
            });
            let i = link.coordinates.start;
            let frame = self.place(link, parent, &q[link.coordinates.clone()]);
            frames[FRAME * k..][..FRAME].copy_from_slice(&frame);
            let [x_P, y_P, _, c_P, s_P] = parent;
            match link.hinge {
                Hinge::Floating => {
                    let all = [1.0, 0.0, 0.0, 1.0, frame[0], frame[1]];
                    let n = 2 * link.coordinates.len();
                    axes[2 * i..2 * i + n].copy_from_slice(&all[..n]);
                }
                Hinge::Revolute => {
                    let pivot = add([x_P, y_P], turn(c_P, s_P, link.on_parent));
                    axes[2 * i..2 * i + 2].copy_from_slice(&pivot);
                }
                Hinge::Guide { axis, .. } => {
                    axes[2 * i..2 * i + 2].copy_from_slice(&turn(c_P, s_P, axis));
                }
                Hinge::Weld { .. } => {}
            }
            abs[link.first..link.first + 2].copy_from_slice(&frame[..2]);
            if link.turns {
                abs[link.first + 2] = frame[2];
            }
            composites[COMPOSITE * k..][..COMPOSITE].copy_from_slice(&[frame[0], frame[1], link.inertia]);
        }
        for (i, &absolute) in self.own.iter().enumerate() {
            abs[absolute] = q[coordinates + i];
        }
        // every subtree as one body
        for (k, &(m_P, m)) in (0..links).rev().zip(&self.joined) {
            let Some(parent) = self.tree.links[k].parent else { continue };
            let [x, y, J] = [0, 1, 2].map(|n| composites[COMPOSITE * k + n]);
            let [x_P, y_P, J_P] = [0, 1, 2].map(|n| composites[COMPOSITE * parent + n]);
            let share = m / (m_P + m);
            let d = [x - x_P, y - y_P];
            let joined = [x_P + share * d[0], y_P + share * d[1], J_P + J + m_P * share * dot(d, d)];
            composites[COMPOSITE * parent..][..COMPOSITE].copy_from_slice(&joined);
        }
    }

    /// Where link k is.
    fn place(&self, link: &Link, parent: [f64; FRAME], e: &[f64]) -> [f64; FRAME] {
        let [x_P, y_P, theta_P, c_P, s_P] = parent;
        let (theta, along) = match link.hinge {
            Hinge::Floating => {
                let theta = if link.turns { e[2] } else { 0.0 };
                let (sin, cos) = theta.sin_cos();
                return [e[0], e[1], theta, cos, sin];
            }
            Hinge::Revolute => (theta_P + e[0], [0.0; 2]),
            Hinge::Guide { axis, offset } => (theta_P + offset, scale(e[0], axis)),
            Hinge::Weld { offset } => (theta_P + offset, [0.0; 2]),
        };
        let (sin, cos) = theta.sin_cos();
        let to = add([x_P, y_P], turn(c_P, s_P, add(link.on_parent, along)));
        let [x, y] = sub(to, turn(cos, sin, link.on_child));
        [x, y, theta, cos, sin]
    }

    pub(super) fn frames<'a>(&self, at: &'a Configuration) -> Frames<'a> {
        let (links, rest) = at.derived()[self.upon.kept()..].split_at(FRAME * self.tree.links.len());
        let (axes, composites) = rest.split_at(2 * self.tree.coordinates.len());
        Frames { links, axes, composites }
    }

    /// B_ki, where i is on the way to k.
    #[inline]
    pub(super) fn column(&self, frames: Frames<'_>, k: usize, i: usize) -> [f64; 3] {
        let axis = frames.axis(i);
        if self.tree.coordinates[i].turns {
            let [x, y] = perp(sub(frames.r(k), axis));
            [x, y, 1.0]
        } else {
            [axis[0], axis[1], 0.0]
        }
    }

    /// The coordinates that move an absolute one.
    pub(super) fn movers(&self, column: Column) -> impl Iterator<Item = usize> + '_ {
        let (path, one) = match column {
            Column::Own(i) => (None, Some(i)),
            // a floating body: each coordinate its own
            Column::Link { link, component } if matches!(self.tree.links[link].hinge, Hinge::Floating) => {
                (None, Some(self.tree.links[link].coordinates.start + component))
            }
            Column::Link { link, .. } => (Some(self.tree.path(link)), None),
        };
        path.into_iter().flatten().chain(one)
    }

    /// The entry of B of one of its movers.
    #[inline]
    pub(super) fn entry(&self, frames: Frames<'_>, column: Column, i: usize) -> f64 {
        match column {
            Column::Own(_) => 1.0,
            Column::Link { link, component } => self.column(frames, link, i)[component],
        }
    }

    /// Velocities of the links and their biases.
    pub(super) fn motion_sizes(&self) -> [usize; 2] {
        [3 * self.tree.links.len(), 2 * self.tree.links.len()]
    }

    /// The room with the velocities v = B e in place, those of the links in front of the work.
    #[inline]
    pub(super) fn ask<R>(&self, at: &Configuration, ask: impl FnOnce(&Model, &mut Scratch) -> R) -> R {
        let frames = self.frames(at);
        self.upon.ask(at, |room| {
            for (k, link) in self.tree.links.iter().enumerate() {
                let [mut vx, mut vy, mut omega] = [0.0; 3];
                if let Some(parent) = link.parent {
                    let before = &room.work[3 * parent..3 * parent + 3];
                    let arm = frames.arm(link, k);
                    omega = before[2];
                    (vx, vy) = (before[0] - omega * arm[1], before[1] + omega * arm[0]);
                }
                for i in link.coordinates.clone() {
                    let [x, y, turning] = self.column(frames, k, i);
                    let e_dot = at.v[i];
                    (vx, vy, omega) = (vx + x * e_dot, vy + y * e_dot, omega + turning * e_dot);
                }
                room.work[3 * k..3 * k + 3].copy_from_slice(&[vx, vy, omega]);
                let own = 2 + usize::from(link.turns);
                room.inner.v[link.first..link.first + own].copy_from_slice(&[vx, vy, omega][..own]);
            }
            for (i, &absolute) in self.own.iter().enumerate() {
                room.inner.v[absolute] = at.v[self.tree.coordinates.len() + i];
            }
            ask(&self.upon.model, room)
        })
    }

    /// ν of the links.
    pub(super) fn bias(&self, frames: Frames<'_>, e_dot: &[f64], motion: &[f64], nu: &mut [f64]) {
        for (k, link) in self.tree.links.iter().enumerate() {
            let (mut bias, mut omega) = ([0.0; 2], 0.0);
            if let Some(parent) = link.parent {
                omega = motion[3 * parent + 2];
                bias = sub(planar(&nu[2 * parent..]), scale(omega * omega, frames.arm(link, k)));
            }
            for i in link.coordinates.clone() {
                let axis = frames.axis(i);
                if self.tree.coordinates[i].turns {
                    let after = omega + e_dot[i];
                    bias = add(bias, scale(omega * omega - after * after, sub(frames.r(k), axis)));
                    omega = after;
                } else {
                    bias = add(bias, scale(2.0 * omega * e_dot[i], perp(axis)));
                }
            }
            nu[2 * k..2 * k + 2].copy_from_slice(&bias);
        }
    }

    /// w = h − M ν of every link, as force and torque about r_k.
    pub(super) fn wrenches(&self, h_abs: &[f64], nu: &[f64], wrench: &mut [f64]) {
        for (k, link) in self.tree.links.iter().enumerate() {
            let torque = if link.turns { h_abs[link.first + 2] } else { 0.0 };
            let force = sub(planar(&h_abs[link.first..]), scale(link.mass, planar(&nu[2 * k..])));
            wrench[3 * k..3 * k + 3].copy_from_slice(&[force[0], force[1], torque]);
        }
    }

    /// What coordinate i feels of a wrench at link k.
    #[inline]
    pub(super) fn felt(&self, frames: Frames<'_>, wrench: &[f64], k: usize, i: usize) -> f64 {
        let [x, y, turning] = self.column(frames, k, i);
        x * wrench[0] + y * wrench[1] + turning * wrench[2]
    }

    /// Hands the wrench of a link to its parent and leaves none.
    #[inline]
    pub(super) fn hand_down(&self, frames: Frames<'_>, wrench: &mut [f64], k: usize) {
        let link = &self.tree.links[k];
        let [fx, fy, torque] = [wrench[3 * k], wrench[3 * k + 1], wrench[3 * k + 2]];
        wrench[3 * k..3 * k + 3].fill(0.0);
        if let Some(parent) = link.parent {
            let arm = frames.arm(link, k);
            wrench[3 * parent] += fx;
            wrench[3 * parent + 1] += fy;
            wrench[3 * parent + 2] += torque + cross(arm, [fx, fy]);
        }
    }
}
