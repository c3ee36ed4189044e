//! Natural coordinates: a point and a unit vector per rigid body.                        [Haddouni2015] §1.1.3
//!
//! The vector u is fixed to the body, u = (cos φ, sin φ), and moves freely but for its length:
//!
//! ```text
//!   q = (x, y, u_x, u_y) of each rigid body; (x, y) of each point mass; flexible bodies as they are
//!   Φ_u = (u·u − 1)/2,    G_u = uᵀ,    bias = u̇·u̇
//! ```
//!
//! On the constraint u·u̇ = 0, so u̇ = φ̇ z×u and |u̇|² = φ̇²: the kinetic energy ½ m ẋ² + ½ J φ̇² of a body whose frame sits
//! in its centre of mass is ½ m ẋ² + ½ J |u̇|², and the mass matrix is diag(m, m, J, J), constant. There is no centrifugal
//! term; the multiplier of Φ_u holds u on its circle. Off the constraint, where iterations pass, the angle is the direction of u:
//!
//! ```text
//!   φ = arg u,   φ̇ = n·u̇,   n = z×u/s,   s = u·u              rows of B; the rest of B is one
//!   φ̈ = n·ü + ν_φ,   ν_φ = −2 (u·u̇) φ̇/s
//!   h = Bᵀ h_abs,   G = G_abs B,   W = Bᵀ W_abs,   biases + G_abs ν,  + W_absᵀ ν
//!   K = Bᵀ (K_abs B + C_abs ∂v/∂q) − τ ∂n/∂u,    C = Bᵀ C_abs B
//!   ∂φ̇/∂u = −(z×u̇)/s − 2 φ̇ u/s,    ∂n/∂u = Z/s − 2 (z×u) uᵀ/s²,   Z = z×,   τ the torque in h_abs
//! ```
//!
//! Angles count turns, which u forgets. So q ends with the angle of every rigid body, which moves with u to the branch
//! of arg u next to where it was (`retract`); v has no place for it.

use super::base::{Upon, answers_of_the_model};
use super::{cut, planar};
use crate::geometry::plane::{V2, cross, dot, perp, scale, sub};
use crate::model::Model;
use carom_dynamics::{
    Configuration, ConstraintInfo, Directions, Energy, Pattern, Power, Quantity, Scratch, Sizes, Structure,
    System, VelocityInfo,
};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A [`Model`] in natural coordinates.
#[derive(Clone, Debug)]
pub struct Natural {
    upon: Upon,
    structure: Structure,
    /// Where each absolute coordinate is.
    columns: Vec<Column>,
    /// First coordinate of u, and the absolute coordinate of the angle, of every rigid body.
    vectors: Vec<(usize, usize)>,
    /// Where the entries of Bᵀ K_abs B go, and then the 2×2 blocks of the torques.
    scatter: Vec<u32>,
    /// Whether a force can turn a body.
    torques: bool,
}

/// An absolute coordinate here.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// Coordinate number.
    Same(usize),
    /// The angle of the vector that begins there.
    Angle(usize),
}

impl Column {
    /// The coordinates that move it.
    fn moved_by(self) -> std::ops::Range<usize> {
        match self {
            Column::Same(i) => i..i + 1,
            Column::Angle(u) => u..u + 2,
        }
    }

    /// The entries of its row of B, u where `q` says.
    #[inline]
    fn entries(self, q: &[f64], mut entry: impl FnMut(usize, f64)) {
        match self {
            Column::Same(i) => entry(i, 1.0),
            Column::Angle(i) => {
                let n = normal(planar(&q[i..]));
                entry(i, n[0]);
                entry(i + 1, n[1]);
            }
        }
    }
}

/// n = z×u/s.
#[inline]
fn normal(u: V2) -> V2 {
    scale(1.0 / dot(u, u), perp(u))
}

/// The angle of u on the branch next to `near`.
fn branch(u: V2, near: f64) -> f64 {
    let angle = u[1].atan2(u[0]);
    angle + TAU * ((near - angle) / TAU).round()
}

impl Natural {
    /// Of a model.
    pub fn new(model: Arc<Model>) -> Self {
        let mut upon = Upon::new(model);
        let model = upon.model.clone();
        let (mut columns, mut vectors, mut n) = (Vec::new(), Vec::new(), 0);
        for body in &model.bodies {
            let rigid = body.flexible.is_none() && body.place.turns();
            for i in 0..body.v.len() {
                if rigid && i == 2 {
                    vectors.push((n, body.v.start + 2));
                    columns.push(Column::Angle(n));
                    n += 2;
                } else {
                    columns.push(Column::Same(n));
                    n += 1;
                }
            }
        }

        let mut constraint_info = model.structure().constraints.to_vec();
        let mut rows = upon.structure().sizes.constraints;
        for &(_, angle) in &vectors {
            let name = format!("{}.unit", model.body_of(angle).name);
            let quantities = vec![(Quantity::Angle, "torque")];
            constraint_info.push(ConstraintInfo { name, rows: rows..rows + 1, quantities });
            rows += 1;
        }

        let sizes = Sizes {
            q: n + vectors.len(),
            v: n,
            constraints: rows,
            contacts: upon.structure().sizes.contacts,
        };
        let torques = !model.forces.is_empty();
        let (pattern, scatter) = pattern(&upon, &columns, &vectors, torques);
        upon.work = upon.structure().sizes.v
            + upon.structure().pattern.jacobian.len()
            + 2 * upon.structure().pattern.tangent.len()
            + upon.structure().pattern.mass.len();
        let of_model = upon.structure();
        let structure = Structure {
            sizes,
            pattern,
            derived_len: upon.kept(),
            // what never turns a body keeps its tangents
            tangents_are_constant: !torques && of_model.tangents_are_constant,
            constraints: constraint_info,
            velocities: velocities(&model, &columns),
            ..of_model.clone()
        };
        Self { upon, structure, columns, vectors, scatter, torques }
    }

    /// The model underneath.
    pub fn model(&self) -> &Arc<Model> {
        &self.upon.model
    }

    /// q and v where the absolute ones are given.
    pub fn start(&self, q_abs: &[f64], v_abs: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; self.structure.sizes.q], vec![0.0; self.structure.sizes.v]);
        for (i, column) in self.columns.iter().enumerate() {
            match *column {
                Column::Same(to) => (q[to], v[to]) = (q_abs[i], v_abs[i]),
                Column::Angle(to) => {
                    let (sin, cos) = q_abs[i].sin_cos();
                    q[to..to + 2].copy_from_slice(&[cos, sin]);
                    v[to..to + 2].copy_from_slice(&scale(v_abs[i], [-sin, cos]));
                }
            }
        }
        for (number, &(_, angle)) in self.vectors.iter().enumerate() {
            q[self.structure.sizes.v + number] = q_abs[angle];
        }
        (q, v)
    }

    /// Absolute coordinates and velocities.
    pub fn absolute(&self, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = Configuration::new(self, 0.0, q, v);
        self.ask(&at, |_, room| (room.inner.q().to_vec(), room.inner.v.clone()))
    }

    /// Absolute accelerations B v' + ν.
    pub fn absolute_acceleration(&self, at: &Configuration, v_dot: &[f64], out: &mut [f64]) {
        for (out, column) in out.iter_mut().zip(&self.columns) {
            *out = self.bias(at, *column);
            column.entries(at.q(), |i, b| *out += b * v_dot[i]);
        }
    }

    /// ν of an absolute coordinate.
    #[inline]
    fn bias(&self, at: &Configuration, column: Column) -> f64 {
        match column {
            Column::Same(_) => 0.0,
            Column::Angle(i) => {
                let (u, u_dot) = (planar(&at.q()[i..]), planar(&at.v[i..]));
                let s = dot(u, u);
                -2.0 * dot(u, u_dot) * cross(u, u_dot) / (s * s)
            }
        }
    }

    /// The room with the velocities v = B e in place.
    #[inline]
    fn ask<R>(&self, at: &Configuration, ask: impl FnOnce(&Model, &mut Scratch) -> R) -> R {
        self.upon.ask(at, |room| {
            for (v, column) in room.inner.v.iter_mut().zip(&self.columns) {
                *v = 0.0;
                column.entries(at.q(), |i, b| *v += b * at.v[i]);
            }
            ask(&self.upon.model, room)
        })
    }
}

/// Names and kinds: those of the model, and two numbers of a vector where it has an angle.
fn velocities(model: &Model, columns: &[Column]) -> Vec<VelocityInfo> {
    let mut velocities = Vec::new();
    for (absolute, (info, column)) in model.structure.velocities.iter().zip(columns).enumerate() {
        match column {
            Column::Same(_) => velocities.push(info.clone()),
            Column::Angle(_) => velocities.extend(["ux", "uy"].map(|number| VelocityInfo {
                name: format!("{}.{number}", model.body_of(absolute).name),
                quantity: info.quantity,
            })),
        }
    }
    velocities
}

/// The pattern and, for the tangents, where each entry goes.
fn pattern(
    upon: &Upon,
    columns: &[Column],
    vectors: &[(usize, usize)],
    torques: bool,
) -> (Pattern, Vec<u32>) {
    let abs = &upon.structure().pattern;
    let mut pattern = Pattern::default();
    // rigid bodies have a diagonal, others keep their entries
    for &(i, j) in &abs.mass {
        for (i, j) in columns[i as usize].moved_by().zip(columns[j as usize].moved_by()) {
            pattern.mass.push((i as u32, j as u32));
        }
    }
    for &(row, j) in &abs.jacobian {
        pattern.jacobian.extend(columns[j as usize].moved_by().map(|j| (row, j as u32)));
    }
    for (number, &(u, _)) in vectors.iter().enumerate() {
        let row = (upon.structure().sizes.constraints + number) as u32;
        pattern.jacobian.extend([(row, u as u32), (row, u as u32 + 1)]);
    }
    let mut known = BTreeMap::new();
    let mut scatter = Vec::new();
    let mut entry = |i: usize, j: usize| {
        let next = pattern.tangent.len() as u32;
        let place = *known.entry((i, j)).or_insert(next);
        if place == next {
            pattern.tangent.push((i as u32, j as u32));
        }
        scatter.push(place);
    };
    for &(i, j) in &abs.tangent {
        for i in columns[i as usize].moved_by() {
            columns[j as usize].moved_by().for_each(|j| entry(i, j));
        }
    }
    for &(u, _) in vectors.iter().filter(|_| torques) {
        for i in u..u + 2 {
            (u..u + 2).for_each(|j| entry(i, j));
        }
    }
    (pattern, scatter)
}

impl System for Natural {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        for (out, column) in derived.iter_mut().zip(&self.columns) {
            if let Column::Same(i) = *column {
                *out = q[i];
            }
        }
        for (&(_, angle), phi) in self.vectors.iter().zip(&q[self.structure.sizes.v..]) {
            derived[angle] = *phi;
        }
        self.upon.derive(t, derived);
    }

    fn retract(&self, q: &[f64], delta: &[f64], out: &mut [f64]) {
        for (out, (q, delta)) in out.iter_mut().zip(q.iter().zip(delta)) {
            *out = q + delta;
        }
        for (number, &(u, _)) in self.vectors.iter().enumerate() {
            let angle = self.structure.sizes.v + number;
            out[angle] = branch(planar(&out[u..]), q[angle]);
        }
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        self.ask(at, |model, room| {
            let [M_abs] = cut(&mut room.work, [self.upon.structure().pattern.mass.len()]);
            model.mass(&room.inner, M_abs);
            let mut out = M.iter_mut();
            for (m, &(i, _)) in M_abs.iter().zip(&self.upon.structure().pattern.mass) {
                for _ in self.columns[i as usize].moved_by() {
                    *out.next().expect("the pattern was built from the same entries") = *m;
                }
            }
        });
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        self.ask(at, |model, room| {
            let [h_abs] = cut(&mut room.work, [self.upon.structure().sizes.v]);
            model.force(&room.inner, h_abs);
            for (f, column) in h_abs.iter().zip(&self.columns) {
                column.entries(at.q(), |i, b| h[i] = b * f);
            }
        });
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K.fill(0.0);
        C.fill(0.0);
        let n = self.upon.structure().pattern.tangent.len();
        self.ask(at, |model, room| {
            let [h_abs, K_abs, C_abs] = cut(&mut room.work, [self.upon.structure().sizes.v, n, n]);
            model.tangents(&room.inner, K_abs, C_abs);
            let mut places = self.scatter.iter().map(|place| *place as usize);
            let mut next = || places.next().expect("the pattern was built from the same entries");
            // Bᵀ (K_abs B + C_abs ∂v/∂q),  Bᵀ C_abs B
            for (&(row, column), (k, c)) in
                self.upon.structure().pattern.tangent.iter().zip(K_abs.iter().zip(&*C_abs))
            {
                let column = self.columns[column as usize];
                self.columns[row as usize].entries(at.q(), |_, b_row| {
                    column.entries(at.q(), |j, b| {
                        let place = next();
                        K[place] += b_row * (k * b + c * rate_slope(at, column, j));
                        C[place] += b_row * c * b;
                    });
                });
            }
            if !self.torques {
                return;
            }
            // −τ ∂n/∂u
            model.force(&room.inner, h_abs);
            for &(i, angle) in &self.vectors {
                let u = planar(&at.q()[i..]);
                let s = dot(u, u);
                let Z = [[0.0, -1.0], [1.0, 0.0]];
                let across = perp(u);
                for row in 0..2 {
                    for column in 0..2 {
                        let slope = Z[row][column] / s - 2.0 * across[row] * u[column] / (s * s);
                        K[next()] -= h_abs[angle] * slope;
                    }
                }
            }
        });
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let (joints, units) = phi.split_at_mut(self.upon.structure().sizes.constraints);
        self.ask(at, |model, room| model.constraints(&room.inner, joints));
        for (phi, &(u, _)) in units.iter_mut().zip(&self.vectors) {
            let u = planar(&at.q()[u..]);
            *phi = 0.5 * (dot(u, u) - 1.0);
        }
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let (joints, units) = phi_t.split_at_mut(self.upon.structure().sizes.constraints);
        units.fill(0.0);
        self.ask(at, |model, room| {
            let [G_abs] = cut(&mut room.work, [self.upon.structure().pattern.jacobian.len()]);
            model.jacobian(&room.inner, G_abs, joints);
            let mut out = G.iter_mut();
            let mut write = |value| *out.next().expect("the pattern was built from the same entries") = value;
            for (g, &(_, column)) in G_abs.iter().zip(&self.upon.structure().pattern.jacobian) {
                self.columns[column as usize].entries(at.q(), |_, b| write(g * b));
            }
            for &(u, _) in &self.vectors {
                at.q()[u..u + 2].iter().for_each(|u| write(*u));
            }
        });
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let (joints, units) = bias.split_at_mut(self.upon.structure().sizes.constraints);
        self.ask(at, |model, room| {
            let [G_abs] = cut(&mut room.work, [self.upon.structure().pattern.jacobian.len()]);
            // Φ_t is not asked for; the bias takes its place
            model.jacobian(&room.inner, G_abs, joints);
            model.constraint_bias(&room.inner, joints);
            for (g, &(row, column)) in G_abs.iter().zip(&self.upon.structure().pattern.jacobian) {
                joints[row as usize] += g * self.bias(at, self.columns[column as usize]);
            }
        });
        for (bias, &(u, _)) in units.iter_mut().zip(&self.vectors) {
            let u_dot = planar(&at.v[u..]);
            *bias = dot(u_dot, u_dot);
        }
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        self.ask(at, |model, room| {
            room.W.clear();
            model.directions(&room.inner, active, &mut room.W);
            for row in 0..room.W.rows() {
                W.begin_row(room.W.bias(row));
                let (columns, values) = room.W.row(row);
                for (&column, w) in columns.iter().zip(values) {
                    self.columns[column as usize].entries(at.q(), |i, b| W.push(i, w * b));
                }
            }
        });
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        self.ask(at, |model, room| {
            room.W.clear();
            model.directions(&room.inner, active, &mut room.W);
            model.contact_bias(&room.inner, active, bias);
            for (row, bias) in bias.iter_mut().enumerate().take(room.W.rows()) {
                let (columns, values) = room.W.row(row);
                for (&column, w) in columns.iter().zip(values) {
                    *bias += w * self.bias(at, self.columns[column as usize]);
                }
            }
        });
    }

    fn energy(&self, at: &Configuration) -> Energy {
        self.ask(at, |model, room| {
            let mut energy = model.energy(&room.inner);
            // ½ vᵀ M v, which is what a step keeps where u has drifted from its circle
            for &(i, angle) in &self.vectors {
                let (u_dot, omega) = (planar(&at.v[i..]), room.inner.v[angle]);
                energy.kinetic += 0.5 * model.mass[angle] * (dot(u_dot, u_dot) - omega * omega);
            }
            energy
        })
    }

    answers_of_the_model!();
}

/// ∂v/∂q_j of an absolute coordinate.
#[inline]
fn rate_slope(at: &Configuration, column: Column, j: usize) -> f64 {
    match column {
        Column::Same(_) => 0.0,
        Column::Angle(i) => {
            let (u, u_dot) = (planar(&at.q()[i..]), planar(&at.v[i..]));
            let s = dot(u, u);
            let slope = sub(scale(-1.0 / s, perp(u_dot)), scale(2.0 * cross(u, u_dot) / (s * s), u));
            slope[j - i]
        }
    }
}
