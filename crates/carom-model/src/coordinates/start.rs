//! From absolute coordinates to those of the joints, and back.
//!
//! A coordinate is read off the bodies on its two sides, exact where the joint is closed and its bodies move together. What the
//! coordinates then say of the bodies is compared with what was given: a start that they cannot express is refused.

use super::relative::Relative;
use super::tree::Hinge;
use super::{Unreachable, planar};
use crate::geometry::plane::{V2, add, dot, perp, scale, sub, turn};
use carom_dynamics::{Configuration, Quantity, System};

/// How far a joint of the tree may be open at the start: what the assembly leaves, relative to the length scale.
pub(super) const OPEN: f64 = 1e-8;

/// How far velocities may differ there, relative to the fastest of them.
pub(super) const APART: f64 = 1e-6;

impl Relative {
    /// q and v where the absolute ones are given.
    pub fn start(&self, q_abs: &[f64], v_abs: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Unreachable> {
        let (mut q, mut v) = (vec![0.0; self.structure.sizes.q], vec![0.0; self.structure.sizes.v]);
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
        let length = self.structure().length_scale;
        let fastest = |quantity: Quantity| {
            let of = |i: &usize| self.upon.model.structure().velocities[*i].quantity == quantity;
            (0..v_abs.len()).filter(of).fold(0.0, |most: f64, i| most.max(v_abs[i].abs()))
        };
        let (fast, fast_turning) = (fastest(Quantity::Length), fastest(Quantity::Angle));
        let speed = fast.max(length * fast_turning);
        self.ask(&at, |_, room| {
            for link in &self.tree.links {
                let Some(joint) = link.joint else { continue };
                for i in self.upon.model.bodies[link.body].v.clone() {
                    let quantity = self.upon.model.structure().velocities[i].quantity;
                    let unit = if quantity == Quantity::Length { length } else { 1.0 };
                    let moved = (room.inner.q()[i] - q_abs[i]).abs();
                    let faster = (room.inner.v[i] - v_abs[i]).abs();
                    for (of_velocity, difference, most) in
                        [(false, moved, OPEN * unit), (true, faster, APART * speed * unit / length)]
                    {
                        // what is not a number is not reached either
                        if difference.is_nan() || difference > most {
                            let body = self.upon.model.bodies[link.body].name.clone();
                            let joint = self.upon.model.structure().constraints[joint].name.clone();
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
}

/// A vector of a frame turned by θ.
fn turned(theta: f64, a: V2) -> V2 {
    let (sin, cos) = theta.sin_cos();
    turn(cos, sin, a)
}
