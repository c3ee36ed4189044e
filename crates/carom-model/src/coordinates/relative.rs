//! Relative joint coordinates: Maggi's and Kane's equations on a spanning tree.           [Haddouni2015] §1.2.2.2
//!
//! Every joint of the tree ([`super::tree`]) is a coordinate e_i; it turns its subtree about a pivot p_i or slides it along an
//! axis a_i. Loops are closed by the rows of the joints that were cut. Of link k at r_k, below coordinate i,
//!
//! ```text
//!   v = B e:    B_ki = (z×(r_k − p_i), 1)  turning,   (a_i, 0)  sliding,   0  where i is not on the way to k
//!   M_rel = Bᵀ M B,   h_rel = Bᵀ (h − M ν),   G_rel = G B,   W_rel = Bᵀ W,   biases + G ν,  + Wᵀ ν
//! ```
//!
//! B and its transpose are walks along the tree. ν = Ḃ e follows from the parent, ω⁻ before and ω⁺ after the coordinate:
//!
//! ```text
//!   ν_k = ν_P − ω_P² (r_k − r_P) + Σ_i { (ω⁻² − ω⁺²)(r_k − p_i)  turning,   2 ω⁻ ė_i z×a_i  sliding }
//! ```
//!
//! and M_ij with i above j needs the mass, centre and inertia of the subtree of j only (composite bodies). Tangents are exact
//! ([`super::tangents`]). M⁻¹ is applied in O(n) by articulated bodies ([`super::articulated`]).
//!
//! Prescribed motions stay rows of Φ. Flexible bodies keep their coordinates, after those of the tree, and their joints stay rows.

use super::articulated::{Articulated, Step};
use super::tree::{Hinge, Link, Tree};
use super::upon::{Upon, answers_of_the_model};
use super::{Unreachable, cut, planar};
use crate::marker::{V2, add, cross, dot, perp, scale, sub, turn};
use crate::model::Model;
use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, ContactInfo, ContactKind, Directions, Energy, EventInfo, Pattern,
    Power, Quantity, Room, Sizes, System,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far a joint of the tree may be open at the start: what the assembly leaves, relative to the length scale.
const OPEN: f64 = 1e-8;

/// How far velocities may differ there, relative to the fastest of them.
const APART: f64 = 1e-6;

/// Derived numbers of a link: x, y, θ, cos θ, sin θ.
const FRAME: usize = 5;

/// Derived numbers of a subtree: centre and moment of inertia about it.
const COMPOSITE: usize = 3;

/// A [`Model`] in relative joint coordinates.
#[derive(Clone, Debug)]
pub struct Relative {
    pub(super) upon: Upon,
    pub(super) tree: Tree,
    /// Where each absolute coordinate is.
    pub(super) columns: Vec<Column>,
    sizes: Sizes,
    pub(super) pattern: Pattern,
    /// Absolute coordinate of each coordinate after those of the tree.
    own: Vec<usize>,
    /// Masses of the parent's part and of the subtree of each link where the subtree joins the parent, last link first;
    /// and the mass of every subtree.
    joined: Vec<(f64, f64)>,
    subtree_mass: Vec<f64>,
    constraint_info: Vec<ConstraintInfo>,
    contact_info: Vec<ContactInfo>,
    /// Rows of the model that are rows here, in order, and for every row of the model its number here.
    rows: Vec<usize>,
    row_of: Vec<Option<u32>>,
    /// Where the entries of G B go.
    jacobian_scatter: Vec<u32>,
    pub(super) tangent_columns: super::tangents::Columns,
    /// Whether no link has a subtree or a parent.
    all_alone: bool,
}

/// An absolute coordinate here.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// x, y or θ of a link.
    Link { link: usize, component: usize },
    /// Coordinate number.
    Own(usize),
}

/// What depends on q alone.
#[derive(Clone, Copy)]
pub(super) struct Frames<'a> {
    links: &'a [f64],
    axes: &'a [f64],
    composites: &'a [f64],
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
    /// Of a model.
    pub fn new(model: Arc<Model>) -> Self {
        let mut upon = Upon::new(model);
        let model = upon.model.clone();
        let tree = Tree::new(&model);
        let n_tree = tree.coordinates.len();

        let mut columns = vec![Column::Own(0); upon.sizes.v];
        for (number, link) in tree.links.iter().enumerate() {
            for component in 0..model.bodies[link.body].dofs {
                columns[link.first + component] = Column::Link { link: number, component };
            }
        }
        let flexible = model.bodies.iter().filter(|body| body.flexible.is_some());
        let own: Vec<usize> = flexible.flat_map(|body| body.first..body.first + body.dofs).collect();
        own.iter().enumerate().for_each(|(i, &absolute)| columns[absolute] = Column::Own(n_tree + i));

        let mut subtree_mass: Vec<f64> = tree.links.iter().map(|link| link.mass).collect();
        let mut joined = Vec::new();
        for (k, link) in tree.links.iter().enumerate().rev() {
            if let Some(parent) = link.parent {
                joined.push((subtree_mass[parent], subtree_mass[k]));
                subtree_mass[parent] += subtree_mass[k];
            } else {
                joined.push((0.0, 0.0));
            }
        }

        // rows of joints that are no coordinates
        let (mut rows, mut row_of) = (Vec::new(), vec![None; upon.sizes.constraints]);
        let mut constraint_info = Vec::new();
        for (joint, info) in model.constraint_info().iter().enumerate() {
            if tree.is_tree_joint[joint] {
                continue;
            }
            let from = rows.len();
            for row in info.rows.clone() {
                row_of[row] = Some(rows.len() as u32);
                rows.push(row);
            }
            constraint_info.push(ConstraintInfo { rows: from..rows.len(), ..info.clone() });
        }
        let contact_info = model.contact_info().iter().map(|info| renumbered(info, &row_of)).collect();

        let n = n_tree + own.len();
        let sizes = Sizes { q: n, v: n, constraints: rows.len(), contacts: upon.sizes.contacts };
        let all_alone = tree.links.iter().all(Link::is_alone);
        let mut new = Self {
            upon: upon.clone(),
            tree,
            columns,
            sizes,
            pattern: Pattern::default(),
            own,
            joined,
            subtree_mass,
            constraint_info,
            contact_info,
            rows,
            row_of,
            jacobian_scatter: Vec::new(),
            tangent_columns: super::tangents::Columns::default(),
            all_alone,
        };
        new.mass_pattern();
        new.jacobian_pattern();
        new.tangent_pattern();
        upon.work = new.room();
        new.upon = upon;
        new
    }

    /// The model underneath.
    pub fn model(&self) -> &Arc<Model> {
        &self.upon.model
    }

    /// Names of the joints that were cut or cannot be coordinates, and so are rows of Φ.
    pub fn joints_as_rows(&self) -> impl Iterator<Item = &str> {
        self.constraint_info.iter().map(|info| info.name.as_str())
    }

    /// q and v where the absolute ones are given.
    pub fn start(&self, q_abs: &[f64], v_abs: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Unreachable> {
        let (mut q, mut v) = (vec![0.0; self.sizes.q], vec![0.0; self.sizes.v]);
        for (i, &absolute) in self.own.iter().enumerate() {
            let i = self.tree.coordinates.len() + i;
            (q[i], v[i]) = (q_abs[absolute], v_abs[absolute]);
        }
        // place, angle, velocity and angular velocity of each link as given; those of the ground
        let ground = ([0.0; 2], 0.0, [0.0; 2], 0.0);
        let mut given: Vec<(V2, f64, V2, f64)> = Vec::new();
        for link in &self.tree.links {
            let (r_P, theta_P, v_P, omega_P) = link.parent.map_or(ground, |parent| given[parent]);
            let (r, r_dot) = (planar(&q_abs[link.first..]), planar(&v_abs[link.first..]));
            let (theta, omega) = match link.hinge {
                _ if link.turns => (q_abs[link.first + 2], v_abs[link.first + 2]),
                Hinge::Guide { offset, .. } | Hinge::Weld { offset } => (theta_P + offset, omega_P),
                Hinge::Floating | Hinge::Revolute => (0.0, 0.0),
            };
            given.push((r, theta, r_dot, omega));
            let i = link.coordinates.start;
            match link.hinge {
                Hinge::Floating => {
                    let n = link.coordinates.len();
                    q[i..i + n].copy_from_slice(&[r[0], r[1], theta][..n]);
                    v[i..i + n].copy_from_slice(&[r_dot[0], r_dot[1], omega][..n]);
                }
                Hinge::Revolute => (q[i], v[i]) = (theta - theta_P, omega - omega_P),
                Hinge::Guide { axis, .. } => {
                    let (arm_P, arm) = (turned(theta_P, link.on_parent), turned(theta, link.on_child));
                    let a = turned(theta_P, axis);
                    let d = sub(add(r, arm), add(r_P, arm_P));
                    let d_dot =
                        sub(add(r_dot, scale(omega, perp(arm))), add(v_P, scale(omega_P, perp(arm_P))));
                    q[i] = dot(a, d);
                    v[i] = dot(a, d_dot) + omega_P * dot(perp(a), d);
                }
                Hinge::Weld { .. } => {}
            }
        }
        self.check_start(&q, &v, q_abs, v_abs)?;
        Ok((q, v))
    }

    /// What the coordinates say of the bodies is what was given.
    fn check_start(&self, q: &[f64], v: &[f64], q_abs: &[f64], v_abs: &[f64]) -> Result<(), Unreachable> {
        let at = Configuration::new(self, 0.0, q, v);
        let length = self.length_scale();
        let fastest = |quantity: Quantity| {
            let of = |i: &usize| self.upon.model.velocity_quantity(*i) == quantity;
            (0..v_abs.len()).filter(of).fold(0.0, |most: f64, i| most.max(v_abs[i].abs()))
        };
        let (fast, fast_turning) = (fastest(Quantity::Length), fastest(Quantity::Angle));
        let speed = fast.max(length * fast_turning);
        self.ask(&at, |_, room| {
            for link in &self.tree.links {
                let Some(joint) = link.joint else { continue };
                for i in link.first..link.first + self.upon.model.bodies[link.body].dofs {
                    let quantity = self.upon.model.velocity_quantity(i);
                    let unit = if quantity == Quantity::Length { length } else { 1.0 };
                    let moved = (room.inner.q()[i] - q_abs[i]).abs();
                    let faster = (room.inner.v[i] - v_abs[i]).abs();
                    for (of_velocity, difference, most) in
                        [(false, moved, OPEN * unit), (true, faster, APART * speed * unit / length)]
                    {
                        // what is not a number is not reached either
                        if difference.is_nan() || difference > most {
                            let body = self.upon.model.bodies[link.body].name.clone();
                            let joint = self.upon.model.constraint_info()[joint].name.clone();
                            return Err(Unreachable { body, joint, difference, quantity, of_velocity });
                        }
                    }
                }
            }
            Ok(())
        })
    }

    /// Absolute coordinates and velocities.
    pub fn absolute(&self, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = Configuration::new(self, 0.0, q, v);
        self.ask(&at, |_, room| (room.inner.q().to_vec(), room.inner.v.clone()))
    }

    /// Absolute accelerations B e' + ν.
    pub fn absolute_acceleration(&self, at: &Configuration, e_dot: &[f64], out: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |_, room| {
            let [motion, nu] = cut(&mut room.work, self.motion_sizes());
            self.bias(frames, &at.v, motion, nu);
            for (out, column) in out.iter_mut().zip(&self.columns) {
                *out = match *column {
                    Column::Own(i) => e_dot[i],
                    Column::Link { link, component } => {
                        let bias = if component < 2 { nu[2 * link + component] } else { 0.0 };
                        let path = self.tree.path(link);
                        path.fold(bias, |sum, i| sum + self.column(frames, link, i)[component] * e_dot[i])
                    }
                };
            }
        });
    }

    /// a = M⁻¹ force in O(n) by articulated bodies; false where a flexible body has a mass of its own.
    pub fn forward_dynamics(&self, at: &Configuration, force: &[f64], a: &mut [f64]) -> bool {
        if !self.own.is_empty() {
            return false;
        }
        let frames = self.frames(at);
        self.upon.ask(at, |room| {
            let (links, coordinates) = (self.tree.links.len(), self.tree.coordinates.len());
            let sizes = Articulated::<f64>::sizes(links, coordinates);
            let [inertia, pull, eliminated] = cut(&mut room.work, sizes);
            let mut articulated = Articulated { inertia, pull, eliminated };
            articulated.solve(&self.tree, |k| self.step(frames, k), |i| self.screw(frames, i), force, a);
        });
        true
    }

    /// A link as the articulated bodies see it.
    fn step(&self, frames: Frames<'_>, k: usize) -> Step<f64> {
        let link = &self.tree.links[k];
        Step { mass: link.mass, inertia: link.inertia, arm: frames.arm(link, k) }
    }

    /// B_ki of the link that coordinate i moves first.
    #[inline]
    fn screw(&self, frames: Frames<'_>, i: usize) -> [f64; 3] {
        self.column(frames, self.tree.coordinates[i].link, i)
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
    fn entry(&self, frames: Frames<'_>, column: Column, i: usize) -> f64 {
        match column {
            Column::Own(_) => 1.0,
            Column::Link { link, component } => self.column(frames, link, i)[component],
        }
    }

    /// Velocities of the links and their biases.
    pub(super) fn motion_sizes(&self) -> [usize; 2] {
        [3 * self.tree.links.len(), 2 * self.tree.links.len()]
    }

    /// The largest room any question needs.
    fn room(&self) -> usize {
        let (links, n) = (self.tree.links.len(), self.sizes.v);
        let motion: usize = self.motion_sizes().iter().sum();
        let abs = &self.upon.pattern;
        let rows = self.upon.sizes.constraints;
        let force = self.upon.sizes.v + 3 * links;
        let joints = abs.jacobian.len() + rows;
        let tangents = force + self.tangent_room();
        let articulated = Articulated::<f64>::sizes(links, n).iter().sum();
        [force, joints, tangents, articulated, abs.mass.len()].into_iter().fold(0, usize::max) + motion
    }

    /// The room with the velocities v = B e in place, those of the links in front of the work.
    #[inline]
    pub(super) fn ask<R>(&self, at: &Configuration, ask: impl FnOnce(&Model, &mut Room) -> R) -> R {
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

    /// Entries of M: (j, i) for every i on the way to j; flexible bodies after them.
    fn mass_pattern(&mut self) {
        let mut mass = Vec::new();
        for j in 0..self.tree.coordinates.len() {
            mass.extend(self.above(j).map(|i| (j as u32, i as u32)));
        }
        for &(i, j) in &self.upon.pattern.mass {
            if let (Column::Own(i), Column::Own(j)) = (self.columns[i as usize], self.columns[j as usize]) {
                mass.push((i as u32, j as u32));
            }
        }
        self.pattern.mass = mass;
    }

    /// Coordinate j and those above it that it can be coupled with; a body that floats alone has a diagonal mass.
    pub(super) fn above(&self, j: usize) -> impl Iterator<Item = usize> + '_ {
        let alone = self.tree.links[self.tree.coordinates[j].link].is_alone();
        let all = std::iter::successors(Some(j), |&i| self.tree.coordinates[i].up);
        all.take(if alone { 1 } else { usize::MAX })
    }

    fn jacobian_pattern(&mut self) {
        let mut known: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let (mut jacobian, mut scatter) = (Vec::new(), Vec::new());
        for &(row, column) in &self.upon.pattern.jacobian {
            let Some(row) = self.row_of[row as usize] else { continue };
            for i in self.movers(self.columns[column as usize]) {
                let next = jacobian.len() as u32;
                let place = *known.entry((row, i as u32)).or_insert(next);
                if place == next {
                    jacobian.push((row, i as u32));
                }
                scatter.push(place);
            }
        }
        (self.pattern.jacobian, self.jacobian_scatter) = (jacobian, scatter);
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
}

/// A vector of a frame turned by θ.
fn turned(theta: f64, a: V2) -> V2 {
    let (sin, cos) = theta.sin_cos();
    turn(cos, sin, a)
}

/// A contact whose law asks for rows of joints by their numbers here.
fn renumbered(info: &ContactInfo, row_of: &[Option<u32>]) -> ContactInfo {
    let mut info = info.clone();
    if let ContactKind::Dry { rows, .. } = &mut info.kind {
        // a joint of the tree has no rows; its law asks for none, or it would not be in the tree
        let first = row_of.get(rows.start).copied().flatten().filter(|_| rows.start < rows.end);
        *rows = first.map_or(0..0, |first| first as usize..first as usize + rows.len());
    }
    info
}

impl System for Relative {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn pattern(&self) -> Pattern {
        self.pattern.clone()
    }

    fn derived_len(&self) -> usize {
        self.upon.kept() + (FRAME + COMPOSITE) * self.tree.links.len() + 2 * self.tree.coordinates.len()
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
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
        self.upon.derive(t, abs);
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        let frames = self.frames(at);
        let mut out = M.iter_mut();
        let mut write = |value| *out.next().expect("the pattern was built in the same order") = value;
        for (j, coordinate) in self.tree.coordinates.iter().enumerate() {
            // momentum of the subtree that moves with coordinate j, about its centre
            let composite = &frames.composites[COMPOSITE * coordinate.link..][..COMPOSITE];
            let c = planar(composite);
            let rate = |i: usize| {
                let axis = frames.axis(i);
                if self.tree.coordinates[i].turns { (perp(sub(c, axis)), 1.0) } else { (axis, 0.0) }
            };
            let (velocity, turning) = rate(j);
            let p = scale(self.subtree_mass[coordinate.link], velocity);
            let L = composite[2] * turning;
            for i in self.above(j) {
                let (velocity, turning) = rate(i);
                write(dot(velocity, p) + turning * L);
            }
        }
        if self.own.is_empty() {
            return;
        }
        self.ask(at, |model, room| {
            let [M_abs] = cut(&mut room.work, [self.upon.pattern.mass.len()]);
            model.mass(&room.inner, M_abs);
            for (m, &(i, _)) in M_abs.iter().zip(&self.upon.pattern.mass) {
                if let Column::Own(_) = self.columns[i as usize] {
                    write(*m);
                }
            }
        });
    }

    fn mass_is_constant(&self) -> bool {
        self.all_alone && self.upon.model.mass_is_constant()
    }

    fn forward_dynamics(&self, at: &Configuration, force: &[f64], a: &mut [f64]) -> bool {
        Relative::forward_dynamics(self, at, force, a)
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let [m, n] = self.motion_sizes();
            let links = self.tree.links.len();
            let [motion, nu, h_abs, wrench] = cut(&mut room.work, [m, n, self.upon.sizes.v, 3 * links]);
            model.force(&room.inner, h_abs);
            self.bias(frames, &at.v, motion, nu);
            self.wrenches(h_abs, nu, wrench);
            for k in (0..links).rev() {
                for i in self.tree.links[k].coordinates.clone() {
                    h[i] = self.felt(frames, &wrench[3 * k..], k, i);
                }
                self.hand_down(frames, wrench, k);
            }
            for (i, &absolute) in self.own.iter().enumerate() {
                h[self.tree.coordinates.len() + i] = h_abs[absolute];
            }
        });
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        self.exact_tangents(at, K, C);
    }

    fn tangents_are_constant(&self) -> bool {
        self.all_alone && self.upon.model.tangents_are_constant()
    }

    fn constraint_info(&self) -> &[ConstraintInfo] {
        &self.constraint_info
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        if self.rows.is_empty() {
            return;
        }
        self.ask(at, |model, room| {
            let [phi_abs] = cut(&mut room.work, [self.upon.sizes.constraints]);
            model.constraints(&room.inner, phi_abs);
            phi.iter_mut().zip(&self.rows).for_each(|(phi, &row)| *phi = phi_abs[row]);
        });
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        if self.rows.is_empty() {
            return;
        }
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let n = self.upon.pattern.jacobian.len();
            let [G_abs, phi_t_abs] = cut(&mut room.work, [n, self.upon.sizes.constraints]);
            model.jacobian(&room.inner, G_abs, phi_t_abs);
            phi_t.iter_mut().zip(&self.rows).for_each(|(phi_t, &row)| *phi_t = phi_t_abs[row]);
            G.fill(0.0);
            let mut places = self.jacobian_scatter.iter();
            for (g, &(row, column)) in G_abs.iter().zip(&self.upon.pattern.jacobian) {
                if self.row_of[row as usize].is_none() {
                    continue;
                }
                let column = self.columns[column as usize];
                for i in self.movers(column) {
                    let place = *places.next().expect("the pattern was built from the same entries");
                    G[place as usize] += g * self.entry(frames, column, i);
                }
            }
        });
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        if self.rows.is_empty() {
            return;
        }
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let ([m, n], nnz) = (self.motion_sizes(), self.upon.pattern.jacobian.len());
            let [motion, nu, G_abs, rows] = cut(&mut room.work, [m, n, nnz, self.upon.sizes.constraints]);
            // Φ_t is not asked for; the bias takes its place
            model.jacobian(&room.inner, G_abs, rows);
            model.constraint_bias(&room.inner, rows);
            bias.iter_mut().zip(&self.rows).for_each(|(bias, &row)| *bias = rows[row]);
            self.bias(frames, &at.v, motion, nu);
            for (g, &(row, column)) in G_abs.iter().zip(&self.upon.pattern.jacobian) {
                if let Some(row) = self.row_of[row as usize] {
                    bias[row as usize] += g * self.bias_of(nu, column);
                }
            }
        });
    }

    fn contact_info(&self) -> &[ContactInfo] {
        &self.contact_info
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            room.W.clear();
            model.directions(&room.inner, active, &mut room.W);
            for row in 0..room.W.rows() {
                W.begin_row(room.W.bias(row));
                let (columns, values) = room.W.row(row);
                // entries of one body come together: its wrench is felt along its path
                let mut wrench: Option<(usize, [f64; 3])> = None;
                let feel = |wrench: Option<(usize, [f64; 3])>, W: &mut Directions| {
                    if let Some((k, wrench)) = wrench {
                        self.tree.path(k).for_each(|i| W.push(i, self.felt(frames, &wrench, k, i)));
                    }
                };
                for (&column, w) in columns.iter().zip(values) {
                    match self.columns[column as usize] {
                        Column::Own(i) => W.push(i, *w),
                        Column::Link { link, component } => {
                            if wrench.is_none_or(|(k, _)| k != link) {
                                feel(wrench.replace((link, [0.0; 3])), W);
                            }
                            if let Some((_, wrench)) = &mut wrench {
                                wrench[component] += w;
                            }
                        }
                    }
                }
                feel(wrench, W);
            }
        });
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            room.W.clear();
            model.directions(&room.inner, active, &mut room.W);
            model.contact_bias(&room.inner, active, bias);
            let [motion, nu] = cut(&mut room.work, self.motion_sizes());
            self.bias(frames, &at.v, motion, nu);
            for (row, bias) in bias.iter_mut().enumerate().take(room.W.rows()) {
                let (columns, values) = room.W.row(row);
                *bias +=
                    columns.iter().zip(values).map(|(&column, w)| w * self.bias_of(nu, column)).sum::<f64>();
            }
        });
    }

    fn energy(&self, at: &Configuration) -> Energy {
        self.ask(at, |model, room| model.energy(&room.inner))
    }

    fn velocity_name(&self, i: usize) -> String {
        let model = &self.upon.model;
        let Some(coordinate) = self.tree.coordinates.get(i) else {
            return model.velocity_name(self.own[i - self.tree.coordinates.len()]);
        };
        let link = &self.tree.links[coordinate.link];
        match link.joint {
            None => model.velocity_name(link.first + i - link.coordinates.start),
            Some(joint) => {
                let rate = if coordinate.turns { "omega" } else { "v" };
                format!("{}.{rate}", model.constraint_info()[joint].name)
            }
        }
    }

    fn velocity_quantity(&self, i: usize) -> Quantity {
        match self.tree.coordinates.get(i) {
            None => self.upon.model.velocity_quantity(self.own[i - self.tree.coordinates.len()]),
            Some(coordinate) if coordinate.turns => Quantity::Angle,
            Some(_) => Quantity::Length,
        }
    }

    answers_of_the_model!();
}

impl Relative {
    /// ν of an absolute coordinate.
    #[inline]
    fn bias_of(&self, nu: &[f64], column: u32) -> f64 {
        match self.columns[column as usize] {
            Column::Link { link, component } if component < 2 => nu[2 * link + component],
            _ => 0.0,
        }
    }
}
