//! From absolute coordinates to those of the joints, and back.
//!
//! A coordinate is read off the bodies on its two sides, exact where the joint is closed and its bodies move together. What the
//! coordinates then say of the bodies is compared with what was given: a start that they cannot express is refused.

use super::relative::SpaceRelative;
use super::tree::{Hinge, whole_turns};
use crate::coordinates::Unreachable;
use crate::coordinates::start::{APART, OPEN};
use crate::geometry::space::{V3, axes, matrix_product, times, transposed_times};
use crate::geometry::{Vector, add, sub};
use carom_dynamics::rotation::{Quaternion, conjugate, cross, difference, product};
use carom_dynamics::{Configuration, Quantity, System};
use std::f64::consts::TAU;

/// A body as given: r, p, ṙ, Ω.
type Given = (V3, Quaternion, V3, V3);

impl SpaceRelative {
    /// q and v where the absolute ones are given.
    pub fn start(&self, q_abs: &[f64], v_abs: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Unreachable> {
        let (mut q, mut v) = (vec![0.0; self.structure.sizes.q], vec![0.0; self.structure.sizes.v]);
        let ground: Given = ([0.0; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3], [0.0; 3]);
        let mut given: Vec<Given> = Vec::new();
        for link in &self.tree.links {
            let (r_P, p_P, v_P, omega_P) = link.parent.map_or(ground, |parent| given[parent]);
            let (r, r_dot) = (V3::read(&q_abs[link.q_abs..]), V3::read(&v_abs[link.v_abs..]));
            let (p, omega) = if link.turns {
                let p = [3, 4, 5, 6].map(|n| q_abs[link.q_abs + n]);
                (p, times(&axes(p), V3::read(&v_abs[link.v_abs + 3..])))
            } else {
                (p_P, omega_P)
            };
            given.push((r, p, r_dot, omega));
            let way = &link.way;
            // the joint: R = (A_P H_P)ᵀ A_k H_k and d, with their rates, in the axes of the joint on the parent
            let p_joint = product(p_P, way.held);
            let A_joint = axes(p_joint);
            let turn = product(conjugate(p_joint), product(p, conjugate(way.held_back)));
            let R = axes(turn);
            let (A_P, A) = (axes(p_P), axes(p));
            let (arm_P, arm) = (times(&A_P, way.on_parent), times(&A, way.on_child));
            let u = sub(add(r, arm), add(r_P, arm_P));
            let d = transposed_times(&A_joint, u);
            let u_dot =
                sub(sub(add(r_dot, cross(omega, arm)), add(v_P, cross(omega_P, arm_P))), cross(omega_P, u));
            let d_dot = transposed_times(&A_joint, u_dot);
            let against = sub(omega, omega_P);
            let w = transposed_times(&A_joint, against);
            let phi = R[1][0].atan2(R[0][0]);
            let (mut e, mut rate) = (Vec::new(), Vec::new());
            match way.hinge {
                Hinge::Free | Hinge::FreePoint => {
                    e.extend(r);
                    rate.extend(r_dot);
                    if way.hinge == Hinge::Free {
                        e.extend(p);
                        rate.extend(transposed_times(&A, omega));
                    }
                }
                Hinge::Weld => {}
                Hinge::Revolute => (e, rate) = (vec![phi], vec![w[2]]),
                Hinge::Prismatic => (e, rate) = (vec![d[2]], vec![d_dot[2]]),
                Hinge::Cylindrical => (e, rate) = (vec![d[2], phi], vec![d_dot[2], w[2]]),
                Hinge::Screw { lead, offset } => {
                    let angle = phi + TAU * whole_turns(lead, offset, phi, d[2]);
                    (e, rate) = (vec![angle], vec![w[2]]);
                }
                Hinge::Universal => {
                    e = vec![R[2][1].atan2(R[1][1]), R[0][2].atan2(R[0][0])];
                    // about y after the first turn
                    let y = [0.0, R[1][1], R[2][1]];
                    rate = vec![w[0], w.dot(y)];
                }
                Hinge::Planar => (e, rate) = (vec![d[0], d[1], phi], vec![d_dot[0], d_dot[1], w[2]]),
                Hinge::Ball => {
                    e.extend(turn);
                    rate.extend(transposed_times(&matrix_product(&A_joint, &R), against));
                }
            }
            q[link.q.clone()].copy_from_slice(&e);
            v[link.v.clone()].copy_from_slice(&rate);
        }
        self.check_start(&q, &v, q_abs, v_abs)?;
        Ok((q, v))
    }

    /// What the coordinates say of the bodies is what was given.
    fn check_start(&self, q: &[f64], v: &[f64], q_abs: &[f64], v_abs: &[f64]) -> Result<(), Unreachable> {
        let at = Configuration::new(self, 0.0, q, v);
        let structure = self.upon.model.structure();
        let length = structure.length_scale;
        let fastest = |quantity: Quantity| {
            let of = |i: &usize| structure.velocities[*i].quantity == quantity;
            (0..v_abs.len()).filter(of).fold(0.0, |most: f64, i| most.max(v_abs[i].abs()))
        };
        let speed = fastest(Quantity::Length).max(length * fastest(Quantity::Angle));
        self.ask(&at, |_, room| {
            for link in &self.tree.links {
                let Some(joint) = link.joint else { continue };
                let three = |x: &[f64], from: usize| V3::read(&x[from..]);
                let apart = |a: V3, b: V3| sub(a, b).norm();
                let four = |x: &[f64]| [3, 4, 5, 6].map(|n| x[link.q_abs + n]);
                let (q_here, v_here) = (room.inner.q(), &room.inner.v);
                let mut differences = vec![
                    (Quantity::Length, false, apart(three(q_here, link.q_abs), three(q_abs, link.q_abs))),
                    (Quantity::Length, true, apart(three(v_here, link.v_abs), three(v_abs, link.v_abs))),
                ];
                if link.turns {
                    let turned = difference(four(q_here), four(q_abs)).norm();
                    let from = link.v_abs + 3;
                    let faster = apart(three(v_here, from), three(v_abs, from));
                    differences.extend([(Quantity::Angle, false, turned), (Quantity::Angle, true, faster)]);
                }
                for (quantity, of_velocity, difference) in differences {
                    let unit = if quantity == Quantity::Length { length } else { 1.0 };
                    let most = if of_velocity { APART * speed * unit / length } else { OPEN * unit };
                    // what is not a number is not reached either
                    if difference.is_nan() || difference > most {
                        let body = self.upon.model.bodies[link.body].name.clone();
                        let joint = structure.constraints[joint].name.clone();
                        return Err(Unreachable { body, joint, difference, quantity, of_velocity });
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
}
