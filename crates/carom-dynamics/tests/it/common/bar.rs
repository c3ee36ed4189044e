//! A vertical elastic bar of linear finite elements above a floor.                     [Chen2013] §5.3
//!
//! ```text
//!   M ü + C u̇ + K u = f,      gap = u_0,      K_e = EA/l [1 −1; −1 1],      C = α M + β K
//!   M_e = ρA l/6 [2 1; 1 2] consistent, ρA l/2 [1 0; 0 1] lumped
//! ```
//!
//! u_i: displacement of node i, counted from below, where the undeformed bar stands on the floor.
#![allow(non_snake_case, dead_code)]

use carom_dynamics::*;
use std::sync::OnceLock;

pub struct Bar {
    pub elements: usize,
    /// Element's length, m; stiffness EA/l, N/m; mass ρA l, kg.
    pub length: f64,
    pub stiffness: f64,
    pub mass: f64,
    pub gravity: f64,
    pub lumped: bool,
    /// α, 1/s, and β, s.
    pub rayleigh: (f64, f64),
    /// Whether it tells that its tangents never change.
    pub says_constant: bool,
    contacts: Vec<ContactInfo>,
    /// Made of the above when first asked.
    structure: OnceLock<Structure>,
}

impl Bar {
    /// E = 900 Pa, ρ = 1 kg/m³, L = 10 m, unit section.
    pub fn new(elements: usize, restitution: f64) -> Self {
        let length = 10.0 / elements as f64;
        let kind = ContactKind::Unilateral { restitution };
        Self {
            elements,
            length,
            stiffness: 900.0 / length,
            mass: length,
            gravity: 0.0,
            lumped: false,
            rayleigh: (0.0, 0.0),
            says_constant: true,
            contacts: vec![ContactInfo::new("floor", kind)],
            structure: OnceLock::new(),
        }
    }

    fn make_structure(&self) -> Structure {
        let n = self.elements as u32;
        let sizes = Sizes { q: self.elements + 1, v: self.elements + 1, constraints: 0, contacts: 1 };
        let mut mass: Vec<(u32, u32)> = (0..=n).map(|i| (i, i)).collect();
        if !self.lumped {
            mass.extend((0..n).map(|i| (i + 1, i)));
        }
        let mut tangent: Vec<(u32, u32)> = (0..=n).map(|i| (i, i)).collect();
        tangent.extend((0..n).flat_map(|i| [(i + 1, i), (i, i + 1)]));
        Structure {
            mass_is_constant: true,
            tangents_are_constant: self.says_constant,
            contacts: self.contacts.clone(),
            has_power: self.rayleigh != (0.0, 0.0),
            channels: vec![Channel::new("bar", "bottom", "m")],
            ..Structure::new(sizes, Pattern { mass, tangent, jacobian: vec![] }, 10.0)
        }
    }

    /// 5 m above the floor, falling with 10 m/s.
    pub fn thrown(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![5.0; self.elements + 1], vec![-10.0; self.elements + 1])
    }

    /// At rest on the floor under its own weight: K u = f exactly, since element i carries what is above its middle.
    pub fn standing(&self) -> Vec<f64> {
        let mut u = vec![0.0; self.elements + 1];
        for i in 0..self.elements {
            let above = (self.elements - i) as f64 - 0.5;
            u[i + 1] = u[i] - self.mass * self.gravity * above / self.stiffness;
        }
        u
    }

    /// M_ii and M_{i,i+1}.
    pub fn mass_entries(&self, i: usize) -> (f64, f64) {
        let parts = if i == 0 || i == self.elements { 1.0 } else { 2.0 };
        let (own, next) =
            if self.lumped { (self.mass / 2.0, 0.0) } else { (self.mass / 3.0, self.mass / 6.0) };
        (parts * own, next)
    }

    fn mass_times(&self, x: &[f64], i: usize) -> f64 {
        let (own, next) = self.mass_entries(i);
        let mut sum = own * x[i];
        if i > 0 {
            sum += next * x[i - 1];
        }
        if i < self.elements {
            sum += next * x[i + 1];
        }
        sum
    }
}

impl System for Bar {
    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| self.make_structure())
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        let n = self.elements;
        for i in 0..=n {
            let (own, next) = self.mass_entries(i);
            M[i] = own;
            if !self.lumped && i < n {
                M[n + 1 + i] = next;
            }
        }
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let (alpha, beta) = self.rayleigh;
        let (u, v) = (at.q(), &at.v[..]);
        let weight = 0.5 * self.mass * self.gravity;
        h.fill(-2.0 * weight);
        h[0] = -weight;
        h[self.elements] = -weight;
        let mut below = 0.0;
        for i in 0..self.elements {
            let tension = self.stiffness * ((u[i + 1] - u[i]) + beta * (v[i + 1] - v[i]));
            h[i] += tension - below;
            below = tension;
        }
        h[self.elements] -= below;
        if alpha != 0.0 {
            for i in 0..=self.elements {
                h[i] -= alpha * self.mass_times(v, i);
            }
        }
    }
    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let n = self.elements;
        let (alpha, beta) = self.rayleigh;
        for i in 0..=n {
            let parts = if i == 0 || i == n { 1.0 } else { 2.0 };
            let (own, next) = self.mass_entries(i);
            K[i] = parts * self.stiffness;
            C[i] = alpha * own + beta * K[i];
            if i < n {
                for side in [n + 1 + 2 * i, n + 2 + 2 * i] {
                    K[side] = -self.stiffness;
                    C[side] = alpha * next + beta * K[side];
                }
            }
        }
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[0];
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            W.begin_row(0.0);
            W.push(0, 1.0);
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let mut energy = Energy::default();
        for i in 0..=self.elements {
            let parts = if i == 0 || i == self.elements { 0.5 } else { 1.0 };
            energy.kinetic += 0.5 * at.v[i] * self.mass_times(&at.v, i);
            energy.potential += parts * self.mass * self.gravity * at.q()[i];
            if i < self.elements {
                energy.strain += 0.5 * self.stiffness * (at.q()[i + 1] - at.q()[i]).powi(2);
            }
        }
        energy
    }
    fn power(&self, at: &Configuration) -> Power {
        let (alpha, beta) = self.rayleigh;
        let mut damping = 0.0;
        for i in 0..=self.elements {
            damping -= alpha * at.v[i] * self.mass_times(&at.v, i);
            if i < self.elements {
                damping -= beta * self.stiffness * (at.v[i + 1] - at.v[i]).powi(2);
            }
        }
        Power { applied: 0.0, damping }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[0] = at.q()[0];
    }
}
