//! The model answers a scheme.

use crate::marker::SLOT;
use crate::model::{Body, Model};
use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, ContactInfo, Directions, Energy, Pattern, Power, Quantity, Sizes,
    System,
};

/// Quantities of a body: name, unit, name of its rate, unit of its rate.
const QUANTITIES: [(&str, &str, &str, &str); 3] =
    [("x", "m", "vx", "m/s"), ("y", "m", "vy", "m/s"), ("angle", "rad", "omega", "rad/s")];

impl System for Model {
    fn sizes(&self) -> Sizes {
        Sizes {
            q: self.q.len(),
            v: self.v.len(),
            constraints: self.constraint_info.last().map_or(0, |info| info.rows.end),
            contacts: self.contacts.len(),
        }
    }

    fn pattern(&self) -> Pattern {
        let at = Configuration::new(self, 0.0, &self.q, &self.v);
        let mut jacobian = Vec::new();
        for (first_row, joint) in &self.joints {
            joint.jacobian(&at, |row, column, _| jacobian.push((first_row + row as u32, column as u32)));
        }
        let mass = (0..self.v.len() as u32).map(|i| (i, i)).collect();
        Pattern { mass, tangent: self.tangent.clone(), jacobian }
    }

    fn derived_len(&self) -> usize {
        self.formula_place(self.formulas.len())
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        let (slots, jets) = derived.split_at_mut(self.formula_place(0));
        for (body, slot) in self.bodies.iter().zip(slots.chunks_exact_mut(SLOT)) {
            let v = body.place.v as usize;
            let (sin, cos) = if body.place.turns() { q[v + 2].sin_cos() } else { (0.0, 1.0) };
            slot.copy_from_slice(&[q[v], q[v + 1], cos, sin]);
        }
        let ground = SLOT * self.bodies.len();
        slots[ground..].copy_from_slice(&[0.0, 0.0, 1.0, 0.0]);
        for (formula, jet) in self.formulas.iter().zip(jets.chunks_exact_mut(3)) {
            let f = formula.jet(t);
            jet.copy_from_slice(&[f.value, f.first, f.second]);
        }
    }

    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&self.mass);
    }

    fn mass_is_constant(&self) -> bool {
        true
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&self.weight);
        for force in &self.forces {
            force.add(at, h);
        }
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K.fill(0.0);
        C.fill(0.0);
        let mut places = self.scatter.iter();
        for force in &self.forces {
            force.tangents(at, |_, _, k, c| {
                let place = *places.next().expect("the pattern was built from the same entries") as usize;
                K[place] += k;
                C[place] += c;
            });
        }
    }

    fn constraint_info(&self) -> &[ConstraintInfo] {
        &self.constraint_info
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        for (row, joint) in &self.joints {
            let row = *row as usize;
            joint.residual(at, &mut phi[row..row + joint.quantities().len()]);
        }
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        // An iterator, not a counter: the optimiser takes minutes over the sums of a counter in bounds checks.
        let mut places = G.iter_mut();
        for (_, joint) in &self.joints {
            joint.jacobian(at, |_, _, value| {
                *places.next().expect("the pattern was built from the same entries") = value;
            });
        }
        phi_t.fill(0.0);
        for &driven in &self.driven {
            let (row, joint) = &self.joints[driven];
            joint.rate(at, &mut phi_t[*row as usize..*row as usize + 1]);
        }
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        for (row, joint) in &self.joints {
            let row = *row as usize;
            joint.bias(at, &mut bias[row..row + joint.quantities().len()]);
        }
    }

    fn contact_info(&self) -> &[ContactInfo] {
        &self.contact_info
    }

    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        for (contact, gap) in self.contacts.iter().zip(g_N) {
            *gap = contact.gap(at, &self.paths);
        }
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        for &i in active {
            self.contacts[i].directions(at, &self.paths, W);
        }
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let mut row = 0;
        for &i in active {
            let rows = self.contacts[i].rows();
            self.contacts[i].bias(at, &self.paths, &mut bias[row..row + rows]);
            row += rows;
        }
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let mut energy = Energy::default();
        for i in 0..self.v.len() {
            energy.kinetic += 0.5 * self.mass[i] * at.v[i] * at.v[i];
            energy.potential -= self.weight[i] * at.q()[i];
        }
        // not `sum`, which makes −0 of nothing
        energy.strain = self.forces.iter().fold(0.0, |sum, force| sum + force.strain(at));
        energy
    }

    fn power(&self, at: &Configuration) -> Power {
        let mut power = Power::default();
        for force in &self.forces {
            force.power(at, &mut power);
        }
        power
    }

    fn has_power(&self) -> bool {
        self.forces.iter().any(|force| force.has_power())
    }

    fn channels(&self) -> Vec<Channel> {
        let mut channels = Vec::new();
        for body in &self.bodies {
            let quantities = &QUANTITIES[..body.place.dofs as usize];
            let mut add = |quantity: &str, unit: &str| {
                channels.push(Channel { name: format!("{}.{quantity}", body.name), unit: unit.into() });
            };
            quantities.iter().for_each(|q| add(q.0, q.1));
            quantities.iter().for_each(|q| add(q.2, q.3));
        }
        channels
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        for body in &self.bodies {
            let (from, n) = (body.place.v as usize, body.place.dofs as usize);
            // Two numbers per coordinate, so the channels of a body begin at twice its first coordinate.
            out[2 * from..2 * from + n].copy_from_slice(&at.q()[from..from + n]);
            out[2 * from + n..2 * from + 2 * n].copy_from_slice(&at.v[from..from + n]);
        }
    }

    fn velocity_name(&self, i: usize) -> String {
        let body = self.body_of(i);
        format!("{}.{}", body.name, QUANTITIES[i - body.place.v as usize].2)
    }

    fn velocity_quantity(&self, i: usize) -> Quantity {
        if i - self.body_of(i).place.v as usize == 2 { Quantity::Angle } else { Quantity::Length }
    }

    fn length_scale(&self) -> f64 {
        self.length_scale
    }
}

impl Model {
    /// The body that velocity i belongs to.
    fn body_of(&self, i: usize) -> &Body {
        &self.bodies[self.bodies.partition_point(|body| body.place.v as usize <= i) - 1]
    }
}
