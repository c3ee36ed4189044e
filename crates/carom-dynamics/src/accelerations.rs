//! Accelerations on request.
//!
//! ```text
//!   forces known:    M v' = h + Gᵀ λ_b + W λ             at the sample
//!   impulses known:  Δ(velocity) / Σ dt                  mean over the sample interval, impacts included
//! ```

use crate::{Configuration, ContactTable, Directions, Operator, System};

/// What is needed to tell accelerations.
#[derive(Debug)]
pub(crate) struct Accelerations {
    /// Which channel of the system is the velocity, and its value at the last sample.
    of: Vec<usize>,
    velocity: Vec<f64>,
    t: f64,
    /// As told last.
    values: Vec<f64>,
    /// v' where it is known, or was at the first sample.
    v_dot: Vec<f64>,
    h: Vec<f64>,
    operator: Operator,
    W: Directions,
}

impl Accelerations {
    /// None if none are asked for; `v_dot` is that of the first sample.
    pub fn new(system: &dyn System, at: &Configuration, v_dot: Vec<f64>) -> Option<Self> {
        let of: Vec<usize> = system.structure().accelerations.iter().map(|(_, velocity)| *velocity).collect();
        if of.is_empty() {
            return None;
        }
        let mut new = Self {
            velocity: vec![0.0; of.len()],
            values: vec![0.0; of.len()],
            of,
            t: at.t(),
            h: vec![0.0; v_dot.len()],
            v_dot,
            operator: Operator::new(system),
            W: Directions::with_room(2, 64),
        };
        new.operator.evaluate_mass(system, at, true);
        system.observe_accelerations(at, &new.v_dot, &mut new.values);
        Some(new)
    }

    /// Those of the first sample, where `observed` are the channels of the system.
    pub fn first(&mut self, observed: &[f64]) -> &[f64] {
        self.remember(observed);
        &self.values
    }

    /// Means since the last sample. At the same time once more they stay as they are.
    pub fn by_impulses(&mut self, t: f64, observed: &[f64]) -> &[f64] {
        if t > self.t {
            let time = t - self.t;
            for ((value, before), &of) in self.values.iter_mut().zip(&self.velocity).zip(&self.of) {
                *value = (observed[of] - before) / time;
            }
            self.t = t;
        }
        self.remember(observed);
        &self.values
    }

    /// Those that belong to forces.
    pub fn by_forces(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        observed: &[f64],
        contacts: &ContactTable,
        lambda: &[f64],
        lambda_b: &[f64],
    ) -> &[f64] {
        self.operator.evaluate_mass(system, at, false);
        self.operator.forget_jacobian();
        self.operator.evaluate_jacobian(system, at);
        system.force(at, &mut self.h);
        self.operator.add_reactions(lambda_b, &mut self.h);
        for contact in 0..contacts.len() {
            let row = contacts.first_row(contact);
            let own = &lambda[row..row + contacts.dim(contact)];
            if own.iter().all(|l| *l == 0.0) {
                continue;
            }
            self.W.clear();
            contacts.directions(system, at, &[contact], &mut self.W);
            for (i, l) in own.iter().enumerate() {
                let (columns, values) = self.W.row(i);
                columns.iter().zip(values).for_each(|(&c, w)| self.h[c as usize] += w * l);
            }
        }
        self.operator.solve_mass(&self.h, &mut self.v_dot);
        system.observe_accelerations(at, &self.v_dot, &mut self.values);
        self.t = at.t();
        self.remember(observed);
        &self.values
    }

    fn remember(&mut self, observed: &[f64]) {
        for (velocity, &of) in self.velocity.iter_mut().zip(&self.of) {
            *velocity = observed[of];
        }
    }
}
