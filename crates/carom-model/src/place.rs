//! Material frames and points of bodies, rigid or not.
//!
//! A [`Place`] is a frame that moves with the matter around it: origin x_P, axes A, angular velocity Ω. A [`Marker`] is a
//! point held rigidly by it, at l:
//!
//! ```text
//!   r = x_P + A l                         arm a = A l
//!   ṙ = ẋ_P + Ω×a                         column of the Jacobian for v_k:  ∂ẋ_P/∂v_k + s_k×a,   s_k = ∂Ω/∂v_k
//!   r̈ = Σ (column) v'_k + bias            bias of x_P, Ω×(Ω×a), and (bias of Ω)×a
//! ```
//!
//! The frame of a rigid body is its coordinates: s_k are its own axes, and biases of x_P and Ω are zero. A frame on a
//! flexible body is carried by shapes ([`carried`]). In the plane Ω and s_k are numbers, and × turns by +90°.
//!
//! Joints, forces and contacts know places and markers only. Every place has a slot of derived numbers that keeps its frame,
//! ground too, so that asking where it is needs no question about what it is on.

mod carried;
mod space;

pub use carried::{Base, Carried, Shape};

use crate::geometry::{Geometry, Plane, Vector, add, dot, scale};
use carom_dynamics::Configuration;
use std::sync::Arc;

/// A material frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<S: Geometry = Plane> {
    /// Number of the body; ground comes after the last.
    pub body: u32,
    /// Where its derived numbers begin.
    pub slot: u32,
    pub carrier: Carrier<S>,
}

/// What moves a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Carrier<S: Geometry = Plane> {
    Ground,
    /// A point mass: no rotation.
    Point(First),
    /// A rigid body: its place, then its orientation.
    Rigid(First),
    /// Shapes of a flexible body.
    Shapes(Arc<Carried<S>>),
}

/// The first coordinate and the first velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    pub q: u32,
    pub v: u32,
}

/// Column of the Jacobian of a marker.
#[derive(Clone, Copy, Debug)]
pub struct Column<S: Geometry = Plane> {
    pub index: usize,
    /// ∂ṙ/∂v_k.
    pub J: S::V,
    /// ∂ṙ/∂δ_k at q ⊕ δ, v fixed. In the plane this is the rate of J.
    pub J_dot: S::V,
    /// ∂Ω/∂v_k.
    pub s: S::W,
}

/// Entries of a vector, from column `first`.
#[inline]
fn put<V: Vector>(first: usize, x: V, entry: &mut impl FnMut(usize, f64)) {
    for (i, &x) in x.numbers().iter().enumerate() {
        entry(first + i, x);
    }
}

impl<S: Geometry> Place<S> {
    pub fn moves(&self) -> bool {
        self.carrier != Carrier::Ground
    }

    /// Whether a velocity turns it.
    pub fn turns(&self) -> bool {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => false,
            Carrier::Rigid(_) => true,
            Carrier::Shapes(carried) => carried.floating.is_some() || carried.bends,
        }
    }

    /// Whether it can take a torque: it turns, or it is ground, which takes all.
    pub fn takes_torque(&self) -> bool {
        self.turns() || !self.moves()
    }

    pub fn is_flexible(&self) -> bool {
        matches!(self.carrier, Carrier::Shapes(_))
    }

    /// Origin and axes.
    #[inline]
    pub fn frame(&self, at: &Configuration) -> S::Frame {
        let from = self.slot as usize;
        S::read(&at.derived()[from..from + S::SLOT])
    }

    /// Ω.
    #[inline]
    pub fn omega(&self, at: &Configuration) -> S::W {
        match &self.carrier {
            Carrier::Rigid(first) => {
                let omega = S::W::read(&at.v[first.v as usize + S::V::LEN..]);
                S::turn_spin(|| self.frame(at), omega)
            }
            Carrier::Shapes(carried) => {
                let bending =
                    if carried.bends { carried.turned(at, carried.turning(&at.v)) } else { S::W::ZERO };
                add(carried.spin(at), bending)
            }
            Carrier::Ground | Carrier::Point(_) => S::W::ZERO,
        }
    }

    /// Velocity of the origin.
    #[inline]
    pub fn velocity(&self, at: &Configuration) -> S::V {
        match &self.carrier {
            Carrier::Ground => S::V::ZERO,
            Carrier::Point(first) | Carrier::Rigid(first) => S::V::read(&at.v[first.v as usize..]),
            Carrier::Shapes(carried) => {
                let (omega, deforming) = carried.motion(at);
                let Some(base) = carried.floating else { return deforming };
                let R_dot = S::V::read(&at.v[base.v as usize..]);
                add(add(R_dot, S::swing(omega, carried.lever(at, self.slot))), deforming)
            }
        }
    }

    /// The part of the acceleration of the origin that contains no v'.
    #[inline]
    pub fn bias(&self, at: &Configuration) -> S::V {
        match &self.carrier {
            Carrier::Shapes(carried) if carried.floating.is_some() => {
                let (omega, deforming) = carried.motion(at);
                let centripetal = S::swing_twice(omega, omega, carried.lever(at, self.slot));
                add(centripetal, S::swing(scale(2.0, omega), deforming))
            }
            _ => S::V::ZERO,
        }
    }

    /// The part of the angular acceleration that contains no v'; none where rotations commute.
    pub fn spin_bias(&self, at: &Configuration) -> Option<S::W> {
        match &self.carrier {
            Carrier::Shapes(carried) if carried.bends && !S::FLAT => {
                let theta_dot = carried.turning(&at.v);
                let (omega, w) = (carried.spin(at), carried.turned(at, theta_dot));
                Some(add(S::cross_spins(omega, w), carried.bent(at, theta_dot, theta_dot)))
            }
            _ => None,
        }
    }

    /// Entries of the row that measures the velocity along d of the material point at `arm`, plus `turn`·Ω.
    #[inline]
    pub fn row(&self, at: &Configuration, d: S::V, arm: S::V, turn: S::W, entry: impl FnMut(usize, f64)) {
        let carry = |carried: &Carried<S>| {
            let local = S::to_local(&carried.frame(at.derived()), d);
            (S::moment(carried.lever(at, self.slot), d), local)
        };
        self.walk(at, d, add(S::moment(arm, d), turn), carry, entry);
    }

    /// Goes through all that moves it: d on velocities of the origin, `moment` on Ω. What carries shapes has, besides, a
    /// moment of its own, and sees d as `carry` says.
    #[inline]
    pub(crate) fn walk(
        &self,
        at: &Configuration,
        d: S::V,
        moment: S::W,
        carry: impl FnOnce(&Carried<S>) -> (S::W, S::V),
        mut entry: impl FnMut(usize, f64),
    ) {
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(first) => put(first.v as usize, d, &mut entry),
            Carrier::Rigid(first) => {
                put(first.v as usize, d, &mut entry);
                let moment = S::spin_to_local(|| self.frame(at), moment);
                put(first.v as usize + S::V::LEN, moment, &mut entry);
            }
            Carrier::Shapes(carried) => {
                let (of_lever, local) = carry(carried);
                let to_local = |moment: S::W| S::spin_to_local(|| carried.frame(at.derived()), moment);
                if let Some(base) = carried.floating {
                    put(base.v as usize, d, &mut entry);
                    put(base.v as usize + S::V::LEN, to_local(add(of_lever, moment)), &mut entry);
                }
                let moment = to_local(moment);
                for shape in &carried.shapes {
                    let s = S::spin_of_rate(|| carried.theta(at.q()), shape.s);
                    entry(shape.column as usize, dot(local, shape.S) + dot(moment, s));
                }
            }
        }
    }

    /// Entries (row, column, value) of the rows that measure the velocity of the material point at `arm`, component by
    /// component.
    #[inline]
    pub fn rows(&self, at: &Configuration, arm: S::V, mut entry: impl FnMut(usize, usize, f64)) {
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(first) | Carrier::Rigid(first) => {
                let v = first.v as usize;
                (0..S::V::LEN).for_each(|i| entry(i, v + i, 1.0));
                if self.turns() {
                    for k in 0..S::W::LEN {
                        let axis = S::turn_spin(|| self.frame(at), S::W::axis(k));
                        let J = S::swing(axis, arm);
                        (0..S::V::LEN).for_each(|i| entry(i, v + S::V::LEN + k, J.numbers()[i]));
                    }
                }
            }
            Carrier::Shapes(_) => {
                for i in 0..S::V::LEN {
                    self.row(at, S::V::axis(i), arm, S::W::ZERO, |column, value| entry(i, column, value));
                }
            }
        }
    }

    /// Entries of w·Ω.
    #[inline]
    pub fn turning_row(&self, at: &Configuration, w: S::W, mut entry: impl FnMut(usize, f64)) {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => {}
            Carrier::Rigid(first) => {
                put(first.v as usize + S::V::LEN, S::spin_to_local(|| self.frame(at), w), &mut entry);
            }
            Carrier::Shapes(carried) => {
                let w = S::spin_to_local(|| carried.frame(at.derived()), w);
                if let Some(base) = carried.floating {
                    put(base.v as usize + S::V::LEN, w, &mut entry);
                }
                if carried.bends {
                    for shape in &carried.shapes {
                        let s = S::spin_of_rate(|| carried.theta(at.q()), shape.s);
                        entry(shape.column as usize, dot(w, s));
                    }
                }
            }
        }
    }

    /// Columns of the Jacobian of the material point at `arm`.
    #[inline]
    pub fn columns(&self, at: &Configuration, arm: S::V, mut each: impl FnMut(Column<S>)) {
        let along = |v: u32, each: &mut dyn FnMut(Column<S>)| {
            for i in 0..S::V::LEN {
                let J = S::V::axis(i);
                each(Column { index: v as usize + i, J, J_dot: S::V::ZERO, s: S::W::ZERO });
            }
        };
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(first) => along(first.v, &mut each),
            Carrier::Rigid(first) => {
                along(first.v, &mut each);
                let omega = self.omega(at);
                for k in 0..S::W::LEN {
                    let s = S::turn_spin(|| self.frame(at), S::W::axis(k));
                    let (J, J_dot) = (S::swing(s, arm), S::swing_twice(s, omega, arm));
                    each(Column { index: first.v as usize + S::V::LEN + k, J, J_dot, s });
                }
            }
            Carrier::Shapes(carried) => {
                let (omega, deforming) = carried.motion(at);
                let of_place = self.omega(at);
                let frame = carried.frame(at.derived());
                if let Some(base) = carried.floating {
                    along(base.v, &mut each);
                    // turning the frame turns r − R and its rate with it
                    let lever = carried.lever(at, self.slot);
                    let relative = add(add(S::swing(omega, lever), deforming), S::swing(of_place, arm));
                    for k in 0..S::W::LEN {
                        let s = S::turn_spin(|| frame, S::W::axis(k));
                        let (J, J_dot) = (S::swing(s, add(lever, arm)), S::swing(s, relative));
                        each(Column { index: base.v as usize + S::V::LEN + k, J, J_dot, s });
                    }
                }
                for shape in &carried.shapes {
                    let (S, s) = (S::turn(&frame, shape.S), carried.turned(at, shape.s));
                    let J = add(S, S::swing(s, arm));
                    let mut J_dot = add(S::swing(omega, S), S::swing_twice(of_place, s, arm));
                    if !S::FLAT && carried.bends {
                        J_dot = add(J_dot, S::swing(carried.bent(at, shape.s, carried.turning(&at.v)), arm));
                    }
                    each(Column { index: shape.column as usize, J, J_dot, s });
                }
            }
        }
    }

    /// Entries (i, j, d·∂J_i/∂δ_j) of the material point at `arm`; those that are always zero are left out.
    #[inline]
    pub fn curvature(
        &self,
        at: &Configuration,
        d: S::V,
        arm: S::V,
        mut entry: impl FnMut(usize, usize, f64),
    ) {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => {}
            Carrier::Rigid(first) => {
                let axis = |k: usize| S::turn_spin(|| self.frame(at), S::W::axis(k));
                let from = first.v as usize + S::V::LEN;
                for (i, j) in pairs(S::W::LEN) {
                    entry(from + i, from + j, S::along_swing_twice(d, axis(j), axis(i), arm));
                }
            }
            Carrier::Shapes(carried) => {
                if let Some(base) = carried.floating {
                    let frame = carried.frame(at.derived());
                    let axis = |k: usize| S::turn_spin(|| frame, S::W::axis(k));
                    let (from, lever) = (base.v as usize + S::V::LEN, carried.lever(at, self.slot));
                    for (i, j) in pairs(S::W::LEN) {
                        let of = |a: S::V| S::along_swing_twice(d, axis(j), axis(i), a);
                        entry(from + i, from + j, of(lever) + of(arm));
                    }
                    for shape in &carried.shapes {
                        let (S, s) = (S::turn(&frame, shape.S), carried.turned(at, shape.s));
                        for k in 0..S::W::LEN {
                            let value =
                                dot(d, S::swing(axis(k), S)) + S::along_swing_twice(d, axis(k), s, arm);
                            entry(from + k, shape.column as usize, value);
                            entry(shape.column as usize, from + k, value);
                        }
                    }
                }
                if carried.bends {
                    for i in &carried.shapes {
                        for j in &carried.shapes {
                            let (s_i, s_j) = (carried.turned(at, i.s), carried.turned(at, j.s));
                            let mut value = S::along_swing_twice(d, s_i, s_j, arm);
                            if !S::FLAT {
                                value += S::along_swing(d, carried.bent(at, j.s, i.s), arm);
                            }
                            entry(i.column as usize, j.column as usize, value);
                        }
                    }
                }
            }
        }
    }

    /// h += force f at `arm`.
    #[inline]
    pub fn push(&self, at: &Configuration, f: S::V, arm: S::V, h: &mut [f64]) {
        self.row(at, f, arm, S::W::ZERO, |i, value| h[i] += value);
    }

    /// h += torque.
    #[inline]
    pub fn push_torque(&self, at: &Configuration, torque: S::W, h: &mut [f64]) {
        self.turning_row(at, torque, |i, value| h[i] += value);
    }
}

/// All (i, j) below n.
#[inline]
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)))
}

impl Place<Plane> {
    /// φ, which is linear in q for every body; the angle of a point mass stays 0.
    #[inline]
    pub fn angle(&self, at: &Configuration) -> f64 {
        match &self.carrier {
            Carrier::Rigid(first) => at.q()[first.q as usize + 2],
            Carrier::Shapes(carried) => {
                let frame = carried.floating.map_or(0.0, |base| at.q()[base.q as usize + 2]);
                frame + carried.held.angle + if carried.bends { carried.theta(at.q()) } else { 0.0 }
            }
            Carrier::Ground | Carrier::Point(_) => 0.0,
        }
    }
}

/// A point held by a place, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker<S: Geometry = Plane> {
    pub place: Place<S>,
    pub local: S::V,
}

/// A marker at one configuration.
#[derive(Clone, Copy, Debug)]
pub struct Placed<S: Geometry = Plane> {
    /// r.
    pub r: S::V,
    /// A l.
    pub arm: S::V,
}

impl<S: Geometry> Marker<S> {
    #[inline]
    pub fn at(&self, at: &Configuration) -> Placed<S> {
        let frame = self.place.frame(at);
        let arm = S::turn(&frame, self.local);
        Placed { r: add(S::origin(&frame), arm), arm }
    }

    /// ṙ.
    #[inline]
    pub fn velocity(&self, at: &Configuration, placed: &Placed<S>) -> S::V {
        add(self.place.velocity(at), S::swing(self.place.omega(at), placed.arm))
    }

    /// The part of r̈ that contains no v'.
    #[inline]
    pub fn bias(&self, at: &Configuration, placed: &Placed<S>) -> S::V {
        let omega = self.place.omega(at);
        let bias = add(self.place.bias(at), S::swing_twice(omega, omega, placed.arm));
        match self.place.spin_bias(at) {
            Some(spin_bias) => add(bias, S::swing(spin_bias, placed.arm)),
            None => bias,
        }
    }

    /// Whether it sits in the origin of a rigid body, so that turning does not move it.
    fn is_centre(&self) -> bool {
        self.local == S::V::ZERO && matches!(self.place.carrier, Carrier::Rigid(_))
    }

    /// Columns of its Jacobian; those of rotations that do not move it are left out.
    #[inline]
    pub fn columns(&self, at: &Configuration, placed: &Placed<S>, mut each: impl FnMut(Column<S>)) {
        let centre = self.is_centre();
        self.place.columns(at, placed.arm, |column| {
            if !(centre && column.s != S::W::ZERO) {
                each(column);
            }
        });
    }

    /// Entries (i, j, d·∂J_i/∂δ_j); those that are always zero are left out.
    #[inline]
    pub fn curvature(
        &self,
        at: &Configuration,
        d: S::V,
        placed: &Placed<S>,
        entry: impl FnMut(usize, usize, f64),
    ) {
        if !self.is_centre() {
            self.place.curvature(at, d, placed.arm, entry);
        }
    }
}
