//! A pendulum that meets a wall, in its angle alone, as an example of a coded system.
//!
//! ```text
//!   J θ'' = −m g l sin θ,      J = m l²
//!   g_N = d + l sin θ          distance of the bob from a wall at x = −d
//! ```
#![allow(non_snake_case)]

use carom_dynamics::{
    Channel, Configuration, ContactInfo, ContactKind, Directions, Energy, Pattern, Sizes, Structure, System,
};

const GRAVITY: f64 = 9.81;

/// A point mass on a massless rod.
pub struct WallPendulum {
    mass: f64,
    length: f64,
    wall: f64,
    structure: Structure,
}

impl WallPendulum {
    /// Mass (kg), length (m), distance of the wall (m), restitution.
    pub fn new(mass: f64, length: f64, wall: f64, restitution: f64) -> Self {
        let kind = ContactKind::Unilateral { restitution };
        let channel = |quantity, unit| Channel::new("bob", quantity, unit);
        let sizes = Sizes { q: 1, v: 1, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0)], tangent: vec![(0, 0)], jacobian: Vec::new() };
        let structure = Structure {
            derived_len: 2,
            mass_is_constant: true,
            contacts: vec![ContactInfo::new("wall", kind)],
            channels: vec![channel("x", "m"), channel("y", "m"), channel("angle", "rad")],
            ..Structure::new(sizes, pattern, length).of_angles()
        };
        Self { mass, length, wall, structure }
    }
}

impl System for WallPendulum {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    // l sin θ and l cos θ once per configuration, for everything below
    fn derive(&self, _: f64, q: &[f64], derived: &mut [f64]) {
        let (sin, cos) = q[0].sin_cos();
        derived.copy_from_slice(&[self.length * sin, self.length * cos]);
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M[0] = self.mass * self.length * self.length;
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h[0] = -self.mass * GRAVITY * at.derived()[0];
    }
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K[0] = self.mass * GRAVITY * at.derived()[1];
        C[0] = 0.0;
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = self.wall + at.derived()[0];
    }
    // dg_N/dt = l cos θ θ', for each contact asked for
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            W.begin_row(0.0);
            W.push(0, at.derived()[1]);
        }
    }
    fn contact_bias(&self, at: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(-at.derived()[0] * at.v[0] * at.v[0]);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let speed = self.length * at.v[0];
        let height = -at.derived()[1];
        let (kinetic, potential) = (0.5 * self.mass * speed * speed, self.mass * GRAVITY * height);
        Energy { kinetic, potential, strain: 0.0 }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice(&[at.derived()[0], -at.derived()[1], at.q()[0]]);
    }
}
