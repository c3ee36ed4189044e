//! A point of unit mass on a circle of unit radius, in Cartesian coordinates.
//!
//! ```text
//!   q = (x, y),   M = I,   h = (0, −g),   Φ = (x² + y² − 1)/2,   G = (x  y),   g = 9.81 m/s²
//! ```

use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, Energy, Pattern, Quantity, Sizes, Structure, System, VelocityInfo,
};

/// m/s².
const GRAVITY: f64 = 9.81;

/// Cartesian pendulum.
#[derive(Clone, Debug)]
pub struct Pendulum {
    structure: Structure,
}

impl Default for Pendulum {
    fn default() -> Self {
        let quantities = vec![(Quantity::Length, "force")];
        let sizes = Sizes { q: 2, v: 2, constraints: 1, contacts: 0 };
        let pattern =
            Pattern { mass: vec![(0, 0), (1, 1)], tangent: Vec::new(), jacobian: vec![(0, 0), (0, 1)] };
        let velocity =
            |name: &str| VelocityInfo { name: format!("point.{name}"), quantity: Quantity::Length };
        let structure = Structure {
            mass_is_constant: true,
            tangents_are_constant: true,
            constraints: vec![ConstraintInfo { name: "rod".into(), rows: 0..1, quantities }],
            channels: [("x", "m"), ("y", "m"), ("vx", "m/s"), ("vy", "m/s")]
                .map(|(name, unit)| Channel::new("point", name, unit))
                .into(),
            velocities: ["vx", "vy"].map(velocity).into(),
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { structure }
    }
}

impl System for Pendulum {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }

    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -GRAVITY]);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let q = at.q();
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        G.copy_from_slice(at.q());
        phi_t.fill(0.0);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = at.v[0] * at.v[0] + at.v[1] * at.v[1];
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let v = &at.v;
        Energy { kinetic: 0.5 * (v[0] * v[0] + v[1] * v[1]), potential: GRAVITY * at.q()[1], strain: 0.0 }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[..2].copy_from_slice(at.q());
        out[2..].copy_from_slice(&at.v);
    }
}
