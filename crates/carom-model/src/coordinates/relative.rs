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
use super::base::{Upon, answers_of_the_model};
use super::kinematics::{COMPOSITE, FRAME, Frames};
use super::rows::KeptRows;
use super::tree::{Link, Tree};
use super::{cut, planar};
use crate::geometry::plane::{dot, perp, scale, sub};
use crate::model::Model;
use carom_dynamics::{
    Configuration, Directions, Energy, Pattern, Power, Quantity, Sizes, Structure, System, VelocityInfo,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A [`Model`] in relative joint coordinates.
#[derive(Clone, Debug)]
pub struct Relative {
    pub(super) upon: Upon,
    pub(super) tree: Tree,
    /// Where each absolute coordinate is.
    pub(super) columns: Vec<Column>,
    pub(super) structure: Structure,
    /// Absolute coordinate of each coordinate after those of the tree.
    pub(super) own: Vec<usize>,
    /// Masses of the parent's part and of the subtree of each link where the subtree joins the parent, last link first;
    /// and the mass of every subtree.
    pub(super) joined: Vec<(f64, f64)>,
    subtree_mass: Vec<f64>,
    kept: KeptRows,
    /// Where the entries of G B go.
    jacobian_scatter: Vec<u32>,
    pub(super) tangent_columns: super::tangents::Columns,
}

/// An absolute coordinate here.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// x, y or θ of a link.
    Link { link: usize, component: usize },
    /// Coordinate number.
    Own(usize),
}

impl Relative {
    /// Of a model.
    pub fn new(model: Arc<Model>) -> Self {
        let mut upon = Upon::new(model);
        let model = upon.model.clone();
        let tree = Tree::new(&model);
        let n_tree = tree.coordinates.len();

        let mut columns = vec![Column::Own(0); upon.structure().sizes.v];
        for (number, link) in tree.links.iter().enumerate() {
            for component in 0..model.bodies[link.body].v.len() {
                columns[link.first + component] = Column::Link { link: number, component };
            }
        }
        let flexible = model.bodies.iter().filter(|body| body.flexible.is_some());
        let own: Vec<usize> = flexible.flat_map(|body| body.v.clone()).collect();
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

        let (kept, constraints) = KeptRows::new(upon.structure(), &tree.is_tree_joint);
        let contacts = model.structure().contacts.iter().map(|info| kept.renumbered(info)).collect();

        let n = n_tree + own.len();
        let sizes =
            Sizes { q: n, v: n, constraints: kept.rows.len(), contacts: upon.structure().sizes.contacts };
        let all_alone = tree.links.iter().all(Link::is_alone);
        let of_model = upon.structure();
        let structure = Structure {
            sizes,
            pattern: Pattern::default(),
            derived_len: upon.kept() + (FRAME + COMPOSITE) * tree.links.len() + 2 * n_tree,
            mass_is_constant: all_alone && of_model.mass_is_constant,
            tangents_are_constant: all_alone && of_model.tangents_are_constant,
            constraints,
            contacts,
            velocities: (0..n).map(|i| velocity(of_model, &tree, &own, i)).collect(),
            ..of_model.clone()
        };
        let mut new = Self {
            upon: upon.clone(),
            tree,
            columns,
            structure,
            own,
            joined,
            subtree_mass,
            kept,
            jacobian_scatter: Vec::new(),
            tangent_columns: super::tangents::Columns::default(),
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
        self.structure.constraints.iter().map(|info| info.name.as_str())
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

    /// The largest room any question needs.
    fn room(&self) -> usize {
        let (links, n) = (self.tree.links.len(), self.structure.sizes.v);
        let motion: usize = self.motion_sizes().iter().sum();
        let abs = &self.upon.structure().pattern;
        let rows = self.upon.structure().sizes.constraints;
        let force = self.upon.structure().sizes.v + 3 * links;
        let joints = abs.jacobian.len() + rows;
        let tangents = force + self.tangent_room();
        let articulated = Articulated::<f64>::sizes(links, n).iter().sum();
        [force, joints, tangents, articulated, abs.mass.len()].into_iter().fold(0, usize::max) + motion
    }

    /// Entries of M: (j, i) for every i on the way to j; flexible bodies after them.
    fn mass_pattern(&mut self) {
        let mut mass = Vec::new();
        for j in 0..self.tree.coordinates.len() {
            mass.extend(self.above(j).map(|i| (j as u32, i as u32)));
        }
        for &(i, j) in &self.upon.structure().pattern.mass {
            if let (Column::Own(i), Column::Own(j)) = (self.columns[i as usize], self.columns[j as usize]) {
                mass.push((i as u32, j as u32));
            }
        }
        self.structure.pattern.mass = mass;
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
        for &(row, column) in &self.upon.structure().pattern.jacobian {
            let Some(row) = self.kept.row_of[row as usize] else { continue };
            for i in self.movers(self.columns[column as usize]) {
                let next = jacobian.len() as u32;
                let place = *known.entry((row, i as u32)).or_insert(next);
                if place == next {
                    jacobian.push((row, i as u32));
                }
                scatter.push(place);
            }
        }
        (self.structure.pattern.jacobian, self.jacobian_scatter) = (jacobian, scatter);
    }
}

/// Name and kind of velocity i: that of a joint, or of the model.
fn velocity(of_model: &Structure, tree: &Tree, own: &[usize], i: usize) -> VelocityInfo {
    let Some(coordinate) = tree.coordinates.get(i) else {
        return of_model.velocities[own[i - tree.coordinates.len()]].clone();
    };
    let link = &tree.links[coordinate.link];
    let name = match link.joint {
        None => of_model.velocities[link.first + i - link.coordinates.start].name.clone(),
        Some(joint) => {
            let rate = if coordinate.turns { "omega" } else { "v" };
            format!("{}.{rate}", of_model.constraints[joint].name)
        }
    };
    VelocityInfo { name, quantity: if coordinate.turns { Quantity::Angle } else { Quantity::Length } }
}

impl System for Relative {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        self.place_all(q, derived);
        self.upon.derive(t, &mut derived[..self.upon.kept()]);
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
            let [M_abs] = cut(&mut room.work, [self.upon.structure().pattern.mass.len()]);
            model.mass(&room.inner, M_abs);
            for (m, &(i, _)) in M_abs.iter().zip(&self.upon.structure().pattern.mass) {
                if let Column::Own(_) = self.columns[i as usize] {
                    write(*m);
                }
            }
        });
    }

    fn forward_dynamics(&self, at: &Configuration, force: &[f64], a: &mut [f64]) -> bool {
        Relative::forward_dynamics(self, at, force, a)
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let [m, n] = self.motion_sizes();
            let links = self.tree.links.len();
            let [motion, nu, h_abs, wrench] =
                cut(&mut room.work, [m, n, self.upon.structure().sizes.v, 3 * links]);
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

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        if self.kept.rows.is_empty() {
            return;
        }
        self.ask(at, |model, room| {
            let [phi_abs] = cut(&mut room.work, [self.upon.structure().sizes.constraints]);
            model.constraints(&room.inner, phi_abs);
            phi.iter_mut().zip(&self.kept.rows).for_each(|(phi, &row)| *phi = phi_abs[row]);
        });
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        if self.kept.rows.is_empty() {
            return;
        }
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let n = self.upon.structure().pattern.jacobian.len();
            let [G_abs, phi_t_abs] = cut(&mut room.work, [n, self.upon.structure().sizes.constraints]);
            model.jacobian(&room.inner, G_abs, phi_t_abs);
            phi_t.iter_mut().zip(&self.kept.rows).for_each(|(phi_t, &row)| *phi_t = phi_t_abs[row]);
            G.fill(0.0);
            let mut places = self.jacobian_scatter.iter();
            for (g, &(row, column)) in G_abs.iter().zip(&self.upon.structure().pattern.jacobian) {
                if self.kept.row_of[row as usize].is_none() {
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
        if self.kept.rows.is_empty() {
            return;
        }
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let ([m, n], nnz) = (self.motion_sizes(), self.upon.structure().pattern.jacobian.len());
            let [motion, nu, G_abs, rows] =
                cut(&mut room.work, [m, n, nnz, self.upon.structure().sizes.constraints]);
            // Φ_t is not asked for; the bias takes its place
            model.jacobian(&room.inner, G_abs, rows);
            model.constraint_bias(&room.inner, rows);
            bias.iter_mut().zip(&self.kept.rows).for_each(|(bias, &row)| *bias = rows[row]);
            self.bias(frames, &at.v, motion, nu);
            for (g, &(row, column)) in G_abs.iter().zip(&self.upon.structure().pattern.jacobian) {
                if let Some(row) = self.kept.row_of[row as usize] {
                    bias[row as usize] += g * self.bias_of(nu, column);
                }
            }
        });
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
