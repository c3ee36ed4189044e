//! Walks along the tree: places, velocities v = B e and biases ν from the ground to the leaves, Bᵀ back.
//!
//! The equations are those at the head of [`super::relative`].

use super::relative::{Column, SpaceRelative};
use super::tree::{Hinge, Link};
use crate::coordinates::cut;
use crate::geometry::space::{M3, V3, axes, times, transposed_times};
use crate::geometry::{Space, Vector, add, scale, sub};
use crate::model::Model;
use carom_dynamics::rotation::{Quaternion, cross, product};
use carom_dynamics::{Configuration, Scratch};
use std::ops::Range;

/// Derived numbers of a link: r, the rows of A, its arm A l to the joint, and its quaternion.
pub(super) const FRAME: usize = 19;
/// Derived numbers of a velocity: c and a of its screw.
pub(super) const SCREW: usize = 6;
/// Six numbers: a twist (v, Ω) or (ν, α) at r_k, or a wrench (F, T) about it.
pub(super) const SIX: usize = 6;

/// Two vectors in one.
#[inline]
pub(super) fn six(a: V3, b: V3) -> [f64; 6] {
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

/// The first and the second of two vectors.
#[inline]
pub(super) fn halves(x: &[f64; 6]) -> (V3, V3) {
    ([x[0], x[1], x[2]], [x[3], x[4], x[5]])
}

#[inline]
pub(super) fn dot6(x: &[f64; 6], y: &[f64; 6]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5]
}

/// x += s y.
#[inline]
pub(super) fn add6(x: &mut [f64; 6], s: f64, y: &[f64; 6]) {
    (0..6).for_each(|n| x[n] += s * y[n]);
}

/// What depends on q alone.
#[derive(Clone, Copy)]
pub(super) struct Frames<'a> {
    links: &'a [[f64; FRAME]],
    screws: &'a [[f64; SCREW]],
}

impl Frames<'_> {
    /// r_k.
    #[inline]
    pub fn r(&self, k: usize) -> V3 {
        let f = &self.links[k];
        [f[0], f[1], f[2]]
    }

    /// A_k.
    #[inline]
    pub fn A(&self, k: usize) -> M3 {
        let f = &self.links[k];
        [[f[3], f[4], f[5]], [f[6], f[7], f[8]], [f[9], f[10], f[11]]]
    }

    /// A_k l_k.
    #[inline]
    pub fn to_joint(self, k: usize) -> V3 {
        let f = &self.links[k];
        [f[12], f[13], f[14]]
    }

    /// r_k − r_P; the ground is at the origin.
    #[inline]
    pub fn arm(&self, link: &Link, k: usize) -> V3 {
        link.parent.map_or(self.r(k), |parent| sub(self.r(k), self.r(parent)))
    }

    /// c_i and a_i: B_ki of the link that i moves first.
    #[inline]
    pub fn screw(&self, i: usize) -> &[f64; SCREW] {
        &self.screws[i]
    }
}

/// A frame that moves, at a point: v and Ω, and their biases ν and α.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moving {
    pub v: V3,
    pub omega: V3,
    pub nu: V3,
    pub alpha: V3,
}

impl Moving {
    /// At a point d away.
    #[inline]
    pub fn at(&self, d: V3) -> Self {
        let swung = cross(self.omega, d);
        Self {
            v: add(self.v, swung),
            nu: add(self.nu, add(cross(self.alpha, d), cross(self.omega, swung))),
            ..*self
        }
    }

    /// A frame that moves against this one with the twist (c, w).
    #[inline]
    pub fn and(&self, c: V3, w: V3) -> Self {
        // 2 Ω×c + w×c
        let coriolis = cross(add(scale(2.0, self.omega), w), c);
        Self {
            v: add(self.v, c),
            omega: add(self.omega, w),
            nu: add(self.nu, coriolis),
            alpha: add(self.alpha, cross(self.omega, w)),
        }
    }
}

impl SpaceRelative {
    /// Places the links, and with them all that depends on q alone: absolute coordinates and screws.
    pub(super) fn place_all(&self, q: &[f64], derived: &mut [f64]) {
        let (abs, rest) = derived.split_at_mut(self.upon.kept());
        let [frames, screws] =
            cut(rest, [FRAME * self.tree.links.len(), SCREW * self.tree.coordinates.len()]);
        let (frames, screws) = (frames.as_chunks_mut::<FRAME>().0, screws.as_chunks_mut::<SCREW>().0);
        for (k, link) in self.tree.links.iter().enumerate() {
            const GROUND: (V3, M3, Quaternion) =
                ([0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 0.0, 0.0, 0.0]);
            let parent = link.parent.map_or(GROUND, |parent| {
                let f = &frames[parent];
                let A = [[f[3], f[4], f[5]], [f[6], f[7], f[8]], [f[9], f[10], f[11]]];
                ([f[0], f[1], f[2]], A, [f[15], f[16], f[17], f[18]])
            });
            let placed = place(link, &parent, &q[link.q.clone()], &mut screws[link.v.clone()]);
            frames[k] = placed;
            abs[link.q_abs..link.q_abs + 3].copy_from_slice(&placed[..3]);
            if link.turns {
                abs[link.q_abs + 3..link.q_abs + 7].copy_from_slice(&placed[15..]);
            }
        }
    }

    #[inline]
    pub(super) fn frames<'a>(&self, at: &'a Configuration) -> Frames<'a> {
        let (links, rest) = at.derived()[self.upon.kept()..].split_at(FRAME * self.tree.links.len());
        Frames {
            links: links.as_chunks().0,
            screws: rest[..SCREW * self.tree.coordinates.len()].as_chunks().0,
        }
    }

    /// B_ki in inertial components, where i is on the way to k.
    #[inline]
    pub(super) fn column(&self, frames: Frames<'_>, k: usize, i: usize) -> [f64; 6] {
        let (c, a) = halves(frames.screw(i));
        let top = self.tree.coordinates[i].link;
        if top == k {
            return *frames.screw(i);
        }
        six(add(c, cross(a, sub(frames.r(k), frames.r(top)))), a)
    }

    /// The velocities that move an absolute one.
    pub(super) fn movers(&self, column: Column) -> impl Iterator<Item = usize> + '_ {
        let link = &self.tree.links[column.link];
        // a body that floats: each its own
        let free = link.way.hinge.is_free();
        let one = free.then(|| link.v.start + column.component);
        let path = (!free).then(|| self.tree.path(column.link));
        path.into_iter().flatten().chain(one)
    }

    /// The entry of B of one of its movers.
    #[inline]
    pub(super) fn entry(&self, frames: Frames<'_>, column: Column, i: usize) -> f64 {
        if self.tree.links[column.link].way.hinge.is_free() {
            return 1.0;
        }
        let B = self.column(frames, column.link, i);
        if column.component < 3 {
            return B[column.component];
        }
        let (A, k) = (frames.A(column.link), column.component - 3);
        A[0][k] * B[3] + A[1][k] * B[4] + A[2][k] * B[5]
    }

    /// The room with the velocities v = B e in place, those of the links in front of the work.
    #[inline]
    pub(super) fn ask<R>(&self, at: &Configuration, ask: impl FnOnce(&Model<Space>, &mut Scratch) -> R) -> R {
        let frames = self.frames(at);
        self.upon.ask(at, |room| {
            let motion = room.work[..SIX * self.tree.links.len()].as_chunks_mut::<SIX>().0;
            for (k, link) in self.tree.links.iter().enumerate() {
                let mut V = [0.0; 6];
                if let Some(parent) = link.parent {
                    let (v, omega) = halves(&motion[parent]);
                    V = six(add(v, cross(omega, frames.arm(link, k))), omega);
                }
                let e = &at.v[link.v.clone()];
                for (e, screw) in e.iter().zip(&frames.screws[link.v.clone()]) {
                    add6(&mut V, *e, screw);
                }
                motion[k] = V;
                room.inner.v[link.v_abs..link.v_abs + 3].copy_from_slice(&V[..3]);
                if link.turns {
                    let omega = transposed_times(&frames.A(k), [V[3], V[4], V[5]]);
                    room.inner.v[link.v_abs + 3..link.v_abs + 6].copy_from_slice(&omega);
                }
            }
            ask(&self.upon.model, room)
        })
    }

    /// The twist (c, w) of a group of velocities against the frame before it.
    #[inline]
    pub(super) fn twist(frames: Frames<'_>, e: &[f64], group: Range<usize>) -> (V3, V3) {
        let mut twist = [0.0; 6];
        for (e, screw) in e[group.clone()].iter().zip(&frames.screws[group]) {
            add6(&mut twist, *e, screw);
        }
        halves(&twist)
    }

    /// The frame of the parent of a link, at r_k.
    #[inline]
    pub(super) fn before(
        &self,
        frames: Frames<'_>,
        motion: &[[f64; 6]],
        nu: &[[f64; 6]],
        k: usize,
    ) -> Moving {
        let link = &self.tree.links[k];
        let Some(parent) = link.parent else { return Moving::default() };
        let ((v, omega), (nu, alpha)) = (halves(&motion[parent]), halves(&nu[parent]));
        Moving { v, omega, nu, alpha }.at(frames.arm(link, k))
    }

    /// (ν, α) of the links.
    pub(super) fn bias(&self, frames: Frames<'_>, e: &[f64], motion: &[[f64; 6]], nu: &mut [[f64; 6]]) {
        for (k, link) in self.tree.links.iter().enumerate() {
            if link.way.hinge.is_free() {
                nu[k] = [0.0; 6];
                continue;
            }
            let mut moving = self.before(frames, motion, nu, k);
            for group in link.groups() {
                let (c, w) = Self::twist(frames, e, group);
                moving = moving.and(c, w);
            }
            nu[k] = six(moving.nu, moving.alpha);
        }
    }

    /// A J Aᵀ x.
    #[inline]
    pub(super) fn inertia_times(link: &Link, A: &M3, x: V3) -> V3 {
        times(A, times(&link.inertia, transposed_times(A, x)))
    }

    /// w = h − M ν of every link, as force and torque about r_k in inertial components.
    pub(super) fn wrenches(
        &self,
        frames: Frames<'_>,
        h_abs: &[f64],
        nu: &[[f64; 6]],
        wrench: &mut [[f64; 6]],
    ) {
        for (k, link) in self.tree.links.iter().enumerate() {
            let (nu, alpha) = halves(&nu[k]);
            let F = sub(V3::read(&h_abs[link.v_abs..]), scale(link.mass, nu));
            let T = if link.turns {
                let A = frames.A(k);
                let own = times(&link.inertia, transposed_times(&A, alpha));
                times(&A, sub(V3::read(&h_abs[link.v_abs + 3..]), own))
            } else {
                [0.0; 3]
            };
            wrench[k] = six(F, T);
        }
    }

    /// Hands the wrench of a link to its parent and leaves none.
    #[inline]
    pub(super) fn hand_down(&self, frames: Frames<'_>, wrench: &mut [[f64; 6]], k: usize) {
        let link = &self.tree.links[k];
        let given = std::mem::take(&mut wrench[k]);
        if let Some(parent) = link.parent {
            let (F, T) = halves(&given);
            add6(&mut wrench[parent], 1.0, &six(F, add(T, cross(frames.arm(link, k), F))));
        }
    }
}

/// Where a link is, and the screws of its velocities at r_k.
#[inline]
fn place(link: &Link, parent: &(V3, M3, Quaternion), e: &[f64], screws: &mut [[f64; SCREW]]) -> [f64; FRAME] {
    let (r_P, A_P, p_P) = parent;
    let way = &link.way;
    let mut along = way.on_parent;
    let about = |half: f64, k: usize| {
        let (sin, cos) = half.sin_cos();
        let mut p = [cos, 0.0, 0.0, 0.0];
        p[1 + k] = sin;
        p
    };
    // the turn of the joint, and the displacement in the frame of the parent
    let turn = match way.hinge {
        Hinge::Free | Hinge::FreePoint => {
            for (k, screw) in screws.iter_mut().take(3).enumerate() {
                *screw = [0.0; 6];
                screw[k] = 1.0;
            }
            let p = if way.hinge == Hinge::Free { [e[3], e[4], e[5], e[6]] } else { *p_P };
            let A = axes(p);
            if way.hinge == Hinge::Free {
                (0..3).for_each(|k| screws[3 + k] = [0.0, 0.0, 0.0, A[0][k], A[1][k], A[2][k]]);
            }
            return framed([e[0], e[1], e[2]], &A, [0.0; 3], p);
        }
        Hinge::Ball => {
            let p = unit(product(*p_P, [e[0], e[1], e[2], e[3]]));
            let A = axes(p);
            let to_joint = times(&A, way.on_child);
            for (k, screw) in screws.iter_mut().enumerate() {
                let a = [A[0][k], A[1][k], A[2][k]];
                *screw = six(cross(to_joint, a), a);
            }
            let joint = add(*r_P, times(A_P, along));
            return framed(sub(joint, to_joint), &A, to_joint, p);
        }
        Hinge::Weld => [1.0, 0.0, 0.0, 0.0],
        Hinge::Revolute => about(0.5 * e[0], 2),
        Hinge::Prismatic => {
            along = add(along, scale(e[0], link.axes[2]));
            [1.0, 0.0, 0.0, 0.0]
        }
        Hinge::Cylindrical => {
            along = add(along, scale(e[0], link.axes[2]));
            about(0.5 * e[1], 2)
        }
        Hinge::Screw { lead, offset } => {
            along = add(along, scale(offset + lead * e[0], link.axes[2]));
            about(0.5 * e[0], 2)
        }
        Hinge::Universal => product(about(0.5 * e[0], 0), about(0.5 * e[1], 1)),
        Hinge::Planar => {
            along = add(along, add(scale(e[0], link.axes[0]), scale(e[1], link.axes[1])));
            about(0.5 * e[2], 2)
        }
    };
    let p = unit(product(product(product(*p_P, way.held), turn), way.held_back));
    let A = axes(p);
    let to_joint = times(&A, way.on_child);
    screws_of(link, A_P, &A, to_joint, screws);
    let joint = add(*r_P, times(A_P, along));
    framed(sub(joint, to_joint), &A, to_joint, p)
}

/// The screws of a joint with the axes of the parent and of the child.
#[inline]
fn screws_of(link: &Link, A_P: &M3, A: &M3, to_joint: V3, screws: &mut [[f64; SCREW]]) {
    let z = times(A_P, link.axes[2]);
    let turns = |a: V3| six(cross(to_joint, a), a);
    let slides = |a: V3| six(a, [0.0; 3]);
    match link.way.hinge {
        Hinge::Free | Hinge::FreePoint | Hinge::Ball | Hinge::Weld => {}
        Hinge::Revolute => screws[0] = turns(z),
        Hinge::Prismatic => screws[0] = slides(z),
        Hinge::Cylindrical => (screws[0], screws[1]) = (slides(z), turns(z)),
        Hinge::Screw { lead, .. } => {
            screws[0] = turns(z);
            add6(&mut screws[0], lead, &slides(z));
        }
        Hinge::Universal => {
            screws[0] = turns(times(A_P, link.axes[0]));
            screws[1] = turns(times(A, link.child_y));
        }
        Hinge::Planar => {
            screws[0] = slides(times(A_P, link.axes[0]));
            screws[1] = slides(times(A_P, link.axes[1]));
            screws[2] = turns(z);
        }
    }
}

/// Of unit length again, where round-off alone has changed it.
#[inline]
fn unit(p: Quaternion) -> Quaternion {
    let s = 1.5 - 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    p.map(|x| s * x)
}

#[inline]
fn framed(r: V3, A: &M3, to_joint: V3, p: Quaternion) -> [f64; FRAME] {
    let [a, b, c] = A;
    [
        r[0],
        r[1],
        r[2],
        a[0],
        a[1],
        a[2],
        b[0],
        b[1],
        b[2],
        c[0],
        c[1],
        c[2],
        to_joint[0],
        to_joint[1],
        to_joint[2],
        p[0],
        p[1],
        p[2],
        p[3],
    ]
}
