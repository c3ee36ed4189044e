//! Relative joint coordinates in space: Kane's equations on a spanning tree.                  [Haddouni2015] §1.2.2.2
//!
//! Every velocity e_i of a joint of the tree ([`super::tree`]) moves its subtree as a rigid body, with the screw (c_i, a_i) at r of
//! the link it moves first. Loops are closed by the rows of the joints that were cut. Of link k, below i,
//!
//! ```text
//!   (v, Ω) = B e:   B_ki = (c_i + a_i×(r_k − r_i), a_i),      0  where i is not on the way to k
//!   M_rel = Bᵀ M B,   h_rel = Bᵀ (h − M ν),   G_rel = G B,   W_rel = Bᵀ W,   biases + G ν,  + Wᵀ ν
//! ```
//!
//! B and its transpose are walks along the tree. ν = (ν, α) = Ḃ e goes from frame to frame; a group of velocities (three of a
//! ball, else one) moves with the twist (c, w) against the frame before it, which is seen at r_k:
//!
//! ```text
//!   Ω ← Ω + w,   v ← v + c,   α ← α + Ω×w,   ν ← ν + (2 Ω + w)×c              Ω before the group
//!   at a point d away:   v + Ω×d,   ν + α×d + Ω×(Ω×d)
//! ```
//!
//! The model's velocities of a body are (ṙ, ω), its torques in body axes: A_kᵀ of what is here. M⁻¹ is applied in O(n)
//! ([`super::articulated`]), M is by composite bodies ([`super::mass`]), tangents are exact ([`super::tangents`]).

use super::articulated;
use super::kinematics::{FRAME, Frames, SCREW, SIX, add6, dot6, halves, six};
use super::tree::{Link, Tree};
use crate::coordinates::base::{Upon, answers_of_the_model};
use crate::coordinates::cut;
use crate::coordinates::rows::KeptRows;
use crate::geometry::space::{V3, times, transposed_times};
use crate::geometry::{Space, Vector};
use crate::model::Model;
use carom_dynamics::{
    Configuration, Directions, Energy, Pattern, Power, Quantity, Rotation, Sizes, Structure, System,
    VelocityInfo,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A [`Model`] in space in relative joint coordinates.
#[derive(Clone, Debug)]
pub struct SpaceRelative {
    pub(super) upon: Upon<Space>,
    pub(super) tree: Tree,
    /// Where each absolute velocity is.
    pub(super) columns: Vec<Column>,
    pub(super) structure: Structure,
    kept: KeptRows,
    /// Where the entries of G B go.
    jacobian_scatter: Vec<u32>,
    pub(super) tangent_columns: super::tangents::Columns,
}

/// An absolute velocity: of a link ṙ, then ω.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub link: usize,
    pub component: usize,
}

impl SpaceRelative {
    /// Of a model, all of whose bodies are rigid or point masses.
    pub fn new(model: Arc<Model<Space>>) -> Self {
        let mut upon = Upon::new(model);
        let model = upon.model.clone();
        assert!(model.flexible_at.is_empty(), "flexible bodies in space have no relative coordinates");
        let tree = Tree::new(&model);
        let mut columns = vec![Column { link: 0, component: 0 }; upon.structure().sizes.v];
        for (number, link) in tree.links.iter().enumerate() {
            for component in 0..model.bodies[link.body].v.len() {
                columns[link.v_abs + component] = Column { link: number, component };
            }
        }
        let (kept, constraints) = KeptRows::new(upon.structure(), &tree.is_tree_joint);
        let contacts = model.structure().contacts.iter().map(|info| kept.renumbered(info)).collect();
        let rotation = |link: &Link| {
            let behind = link.way.hinge.quaternion()?;
            Some(Rotation { q: link.q.start + behind, v: link.v.start + behind })
        };
        let n = tree.coordinates.len();
        let of_model = upon.structure();
        let all_alone = tree.links.iter().all(Link::is_alone);
        let structure = Structure {
            sizes: Sizes {
                q: tree.q_len,
                v: n,
                constraints: kept.rows.len(),
                contacts: of_model.sizes.contacts,
            },
            pattern: Pattern::default(),
            derived_len: upon.kept() + FRAME * tree.links.len() + SCREW * n,
            rotations: tree.links.iter().filter_map(rotation).collect(),
            mass_is_constant: all_alone && of_model.mass_is_constant,
            tangents_are_constant: all_alone && of_model.tangents_are_constant,
            constraints,
            contacts,
            velocities: (0..n).map(|i| velocity(of_model, &tree, i)).collect(),
            ..of_model.clone()
        };
        let mut new = Self {
            upon: upon.clone(),
            tree,
            columns,
            structure,
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
    pub fn model(&self) -> &Arc<Model<Space>> {
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
            let [motion, nu] = self.motion(&mut room.work);
            self.bias(frames, &at.v, motion, nu);
            for (k, link) in self.tree.links.iter().enumerate() {
                let mut a = nu[k];
                self.tree.path(k).for_each(|i| add6(&mut a, e_dot[i], &self.column(frames, k, i)));
                out[link.v_abs..link.v_abs + 3].copy_from_slice(&a[..3]);
                if link.turns {
                    let alpha = transposed_times(&frames.A(k), halves(&a).1);
                    out[link.v_abs + 3..link.v_abs + 6].copy_from_slice(&alpha);
                }
            }
        });
    }

    /// Velocities of the links and their biases, in front of the work.
    fn motion<'a>(&self, work: &'a mut [f64]) -> [&'a mut [[f64; SIX]]; 2] {
        let links = SIX * self.tree.links.len();
        cut(work, [links, links]).map(|array| array.as_chunks_mut().0)
    }

    /// The largest room any question needs.
    fn room(&self) -> usize {
        let links = self.tree.links.len();
        let abs = self.upon.structure();
        let force = abs.sizes.v + SIX * links;
        let joints = abs.pattern.jacobian.len() + abs.sizes.constraints;
        let tangents = force + self.tangent_room();
        let articulated = articulated::room(links, self.tree.coordinates.len());
        let own = [force, joints, tangents, articulated, self.mass_room()];
        own.into_iter().fold(0, usize::max) + 2 * SIX * links
    }

    /// Entries of M: (j, i) for every i on the way to j.
    fn mass_pattern(&mut self) {
        let entries = |j: usize| self.above(j).map(move |i| (j as u32, i as u32));
        self.structure.pattern.mass = (0..self.tree.coordinates.len()).flat_map(entries).collect();
    }

    /// Velocity j and those above it that it can be coupled with; a body that floats alone has the mass it always had.
    pub(super) fn above(&self, j: usize) -> impl Iterator<Item = usize> + '_ {
        let coordinate = &self.tree.coordinates[j];
        let link = &self.tree.links[coordinate.link];
        let alone = link.is_alone();
        let coupled = move |i: &usize| {
            let own = |i: usize| i - coordinate.group.start;
            let inside = coordinate.turns && coordinate.group.contains(i);
            !alone || *i == j || (inside && link.inertia[own(j)][own(*i)] != 0.0)
        };
        std::iter::successors(Some(j), |&i| self.tree.coordinates[i].up).filter(coupled)
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

    /// ν of an absolute velocity.
    #[inline]
    fn bias_of(&self, frames: Frames<'_>, nu: &[[f64; 6]], column: u32) -> f64 {
        let Column { link, component } = self.columns[column as usize];
        let nu = &nu[link];
        if component < 3 {
            return nu[component];
        }
        let (A, k) = (frames.A(link), component - 3);
        A[0][k] * nu[3] + A[1][k] * nu[4] + A[2][k] * nu[5]
    }
}

/// Name and kind of velocity i: that of a joint, or of the model.
fn velocity(of_model: &Structure, tree: &Tree, i: usize) -> VelocityInfo {
    let coordinate = &tree.coordinates[i];
    let link = &tree.links[coordinate.link];
    let own = i - link.v.start;
    let name = match link.joint {
        None => of_model.velocities[link.v_abs + own].name.clone(),
        Some(joint) => {
            let joint = &of_model.constraints[joint].name;
            let rate = if coordinate.turns { "omega" } else { "v" };
            let several = link.v.clone().filter(|i| tree.coordinates[*i].turns == coordinate.turns).count();
            match several {
                1 => format!("{joint}.{rate}"),
                _ => format!("{joint}.{rate}{}", ["x", "y", "z"][own]),
            }
        }
    };
    VelocityInfo { name, quantity: if coordinate.turns { Quantity::Angle } else { Quantity::Length } }
}

impl System for SpaceRelative {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        self.place_all(q, derived);
        self.upon.derive(t, &mut derived[..self.upon.kept()]);
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        let frames = self.frames(at);
        self.upon.ask(at, |room| self.composite_mass(frames, &mut room.work, M));
    }

    fn forward_dynamics(&self, at: &Configuration, force: &[f64], a: &mut [f64]) -> bool {
        let frames = self.frames(at);
        self.upon.ask(at, |room| articulated::solve(&self.tree, frames, &mut room.work, force, a));
        true
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let frames = self.frames(at);
        self.ask(at, |model, room| {
            let links = SIX * self.tree.links.len();
            let [motion, nu, wrench, h_abs] =
                cut(&mut room.work, [links, links, links, self.upon.structure().sizes.v]);
            let [motion, nu, wrench] = [motion, nu, wrench].map(|array| array.as_chunks_mut().0);
            model.force(&room.inner, h_abs);
            self.bias(frames, &at.v, motion, nu);
            self.wrenches(frames, h_abs, nu, wrench);
            for (k, link) in self.tree.links.iter().enumerate().rev() {
                link.v.clone().for_each(|i| h[i] = dot6(frames.screw(i), &wrench[k]));
                self.hand_down(frames, wrench, k);
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
        self.upon.ask(at, |room| {
            let [phi_abs] = cut(&mut room.work, [self.upon.structure().sizes.constraints]);
            self.upon.model.constraints(&room.inner, phi_abs);
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
            let (links, nnz) = (SIX * self.tree.links.len(), self.upon.structure().pattern.jacobian.len());
            let [motion, nu, G_abs, rows] =
                cut(&mut room.work, [links, links, nnz, self.upon.structure().sizes.constraints]);
            let [motion, nu] = [motion, nu].map(|array| array.as_chunks_mut().0);
            // Φ_t is not asked for; the bias takes its place
            model.jacobian(&room.inner, G_abs, rows);
            model.constraint_bias(&room.inner, rows);
            bias.iter_mut().zip(&self.kept.rows).for_each(|(bias, &row)| *bias = rows[row]);
            self.bias(frames, &at.v, motion, nu);
            for (g, &(row, column)) in G_abs.iter().zip(&self.upon.structure().pattern.jacobian) {
                if let Some(row) = self.kept.row_of[row as usize] {
                    bias[row as usize] += g * self.bias_of(frames, nu, column);
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
                // entries of one body come together: its wrench, the torque in body axes, is felt along its path
                let mut wrench: Option<(usize, [f64; 6])> = None;
                let feel = |wrench: Option<(usize, [f64; 6])>, W: &mut Directions| {
                    let Some((k, wrench)) = wrench else { return };
                    let (F, T) = halves(&wrench);
                    let wrench = six(F, times(&frames.A(k), T));
                    self.tree.path(k).for_each(|i| W.push(i, dot6(&self.column(frames, k, i), &wrench)));
                };
                for (&column, w) in columns.iter().zip(values) {
                    let Column { link, component } = self.columns[column as usize];
                    if wrench.is_none_or(|(k, _)| k != link) {
                        feel(wrench.replace((link, [0.0; 6])), W);
                    }
                    if let Some((_, wrench)) = &mut wrench {
                        wrench[component] += w;
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
            let [motion, nu] = self.motion(&mut room.work);
            self.bias(frames, &at.v, motion, nu);
            for (row, bias) in bias.iter_mut().enumerate().take(room.W.rows()) {
                let (columns, values) = room.W.row(row);
                let felt =
                    columns.iter().zip(values).map(|(&column, w)| w * self.bias_of(frames, nu, column));
                *bias += felt.sum::<f64>();
            }
        });
    }

    fn energy(&self, at: &Configuration) -> Energy {
        self.ask(at, |model, room| model.energy(&room.inner))
    }

    answers_of_the_model!();
}

/// Three numbers of a slice, for the tangents.
#[inline]
pub(super) fn three(x: &[f64]) -> V3 {
    V3::read(x)
}
