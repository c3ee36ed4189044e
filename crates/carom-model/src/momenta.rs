//! The model's momenta: those of elastic bodies in floating frames, and M v of everything else.

use crate::bodies::{Floating, Local};
use crate::forces::Smooth;
use crate::model::{Body, Flexibility, Model};
use crate::secant::Step;
use carom_dynamics::{Configuration, Momenta};
use std::ops::Range;

impl Model {
    /// Whether its motion is to be told in momenta: an elastic body floats, or hangs in joints.
    pub(crate) fn has_momenta(&self) -> bool {
        !self.flexible_at.is_empty() && (!self.structure.mass_is_constant || !self.joints.is_empty())
    }

    /// Bodies in floating frames, with their range of v.
    fn floating(&self) -> impl Iterator<Item = (&Floating, Range<usize>, &Body, &Flexibility)> {
        self.flexible().filter_map(|(body, flexible)| {
            let own = body.v.clone();
            flexible.body.floating().map(|floating| (floating, own, body, flexible))
        })
    }
}

impl Momenta for Model {
    fn coordinates(&self, at: &Configuration, x: &mut [f64]) {
        x.copy_from_slice(at.q());
        for (floating, own, ..) in self.floating() {
            floating.to_centre(&at.q()[own.clone()], &mut x[own]);
        }
    }

    fn positions(&self, x: &[f64], q: &mut [f64]) {
        q.copy_from_slice(x);
        for (floating, own, ..) in self.floating() {
            floating.back_from_centre(&mut q[own]);
        }
    }

    fn rates(&self, at: &Configuration, v: &[f64], w: &mut [f64]) {
        w.copy_from_slice(v);
        for (floating, own, body, flexible) in self.floating() {
            let [x, y] = floating.centre_rate(body.local(flexible, at), &v[own.clone()]);
            w[own.start] += x;
            w[own.start + 1] += y;
        }
    }

    fn velocities(&self, at: &Configuration, w: &[f64], v: &mut [f64]) {
        v.copy_from_slice(w);
        for (floating, own, body, flexible) in self.floating() {
            let [x, y] = floating.centre_rate(body.local(flexible, at), &w[own.clone()]);
            v[own.start] -= x;
            v[own.start + 1] -= y;
        }
    }

    fn forces(&self, at: &Configuration, f: &mut [f64]) {
        f.copy_from_slice(&self.weight);
        for (body, flexible) in self.flexible() {
            flexible.body.add_load(body.local(flexible, at), &mut f[body.v.clone()]);
        }
        for force in &self.forces {
            force.add(at, f);
        }
        for (floating, own, body, flexible) in self.floating() {
            floating.rows_of_centre(body.local(flexible, at), &mut f[own]);
        }
    }

    fn add_secant_forces(&self, from: &Configuration, to: &Configuration, factor: f64, D: &mut [f64]) {
        for (floating, own, ..) in self.floating() {
            // of the shape alone: rows of q_f are those of x
            floating.add_secant_forces(&from.q()[own.clone()], &to.q()[own.clone()], factor, &mut D[own]);
        }
    }

    fn change(&self, from: &Configuration, to: &Configuration, dt: f64, D: &mut [f64]) {
        for body in &self.bodies {
            let own = body.v.clone();
            let Some(flexible) = &body.flexible else {
                for i in own {
                    D[i] = self.mass[i] * (to.v[i] - from.v[i]);
                }
                continue;
            };
            if let Some(floating) = flexible.body.floating() {
                let (from, to) = (body.local(flexible, from), body.local(flexible, to));
                floating.change(from, to, dt, &mut D[own]);
                continue;
            }
            // M is constant
            D[own].fill(0.0);
            let entries = self.structure.pattern.mass[flexible.mass.clone()]
                .iter()
                .zip(&self.mass_values[flexible.mass.clone()]);
            for (&(i, j), m) in entries {
                let (i, j) = (i as usize, j as usize);
                D[i] += m * (to.v[j] - from.v[j]);
                if i != j {
                    D[j] += m * (to.v[i] - from.v[i]);
                }
            }
        }
    }

    fn to_rows(&self, from: &Configuration, to: &Configuration, r: &mut [f64]) {
        for (floating, own, body, flexible) in self.floating() {
            let ends: [Local; 2] = [body.local(flexible, from), body.local(flexible, to)];
            floating.rows_of_frame(ends[0], ends[1], &mut r[own]);
        }
    }

    fn middle_to_rows(
        &self,
        from: &Configuration,
        to: &Configuration,
        middle: &Configuration,
        y: &mut [f64],
    ) {
        for (floating, own, body, flexible) in self.floating() {
            floating.rows_of_centre(body.local(flexible, middle), &mut y[own.clone()]);
            let ends: [Local; 2] = [body.local(flexible, from), body.local(flexible, to)];
            floating.rows_of_frame(ends[0], ends[1], &mut y[own]);
        }
    }

    fn secant(&self, from: &Configuration, to: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let mut places = G.iter_mut();
        for (_, joint) in &self.joints {
            joint.secant(Step { from, to }, |_, _, value| {
                *places.next().expect("the pattern was built from the same entries") = value;
            });
        }
        self.rates_of_joints(to, phi_t);
    }
}
