//! A bead on a wire y = c x², as an example of what a joint owes: Φ, G and the bias of its second derivative.
//!
//! ```text
//!   Φ = y − c x²,      Φ̇ = G v,  G = (−2 c x, 1),      Φ̈ = G v̇ + bias,  bias = −2 c ẋ²
//! ```
#![allow(non_snake_case)]

use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, Energy, Pattern, Quantity, Sizes, Structure, System,
    check_derivatives,
};

/// A point mass on the wire, under gravity.
#[derive(Debug)]
pub struct Bead {
    mass: f64,
    gravity: f64,
    /// c (1/m).
    curve: f64,
    structure: Structure,
}

impl Bead {
    /// A bead on the wire y = c x².
    pub fn new(mass: f64, gravity: f64, curve: f64) -> Self {
        let wire =
            ConstraintInfo { name: "wire".into(), rows: 0..1, quantities: vec![(Quantity::Length, "force")] };
        let sizes = Sizes { q: 2, v: 2, constraints: 1, contacts: 0 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], tangent: vec![], jacobian: vec![(0, 0), (0, 1)] };
        let structure = Structure {
            mass_is_constant: true,
            constraints: vec![wire],
            channels: ["x", "y"].map(|quantity| Channel::new("bead", quantity, "m")).into(),
            ..Structure::new(sizes, pattern, 1.0 / curve)
        };
        Self { mass, gravity, curve, structure }
    }
}

impl System for Bead {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(self.mass);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -self.mass * self.gravity]);
    }
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = at.q()[1] - self.curve * at.q()[0].powi(2);
    }
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        G.copy_from_slice(&[-2.0 * self.curve * at.q()[0], 1.0]);
        phi_t[0] = 0.0;
    }
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = -2.0 * self.curve * at.v[0].powi(2);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let kinetic = 0.5 * self.mass * (at.v[0].powi(2) + at.v[1].powi(2));
        Energy { kinetic, potential: self.mass * self.gravity * at.q()[1], strain: 0.0 }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice(at.q());
    }
}

/// What is wrong with the derivatives at some place in general position; nothing, one hopes.
pub fn wrong_derivatives(bead: &Bead) -> Vec<String> {
    check_derivatives(bead, 0.3, &[0.7, -0.2], &[1.1, 0.4], 1e-6)
}
