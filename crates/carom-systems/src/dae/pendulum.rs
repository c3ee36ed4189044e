//! A point of unit mass on a circle of unit radius, in Cartesian coordinates.
//!
//! ```text
//!   q = (x, y),   M = I,   h = (0, −g),   Φ = (x² + y² − 1)/2,   G = (x  y),   g = 9.81 m/s²
//! ```

use carom_dynamics::{Channel, Configuration, ConstraintInfo, Energy, Pattern, Quantity, Sizes, System};

/// m/s².
const GRAVITY: f64 = 9.81;

/// Cartesian pendulum.
#[derive(Clone, Debug)]
pub struct Pendulum {
    joints: [ConstraintInfo; 1],
}

impl Default for Pendulum {
    fn default() -> Self {
        let quantities = vec![(Quantity::Length, "force")];
        Self { joints: [ConstraintInfo { name: "rod".into(), rows: 0..1, quantities }] }
    }
}

impl System for Pendulum {
    fn sizes(&self) -> Sizes {
        Sizes { q: 2, v: 2, constraints: 1, contacts: 0 }
    }

    fn pattern(&self) -> Pattern {
        Pattern { mass: vec![(0, 0), (1, 1)], tangent: Vec::new(), jacobian: vec![(0, 0), (0, 1)] }
    }

    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }

    fn mass_is_constant(&self) -> bool {
        true
    }

    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -GRAVITY]);
    }

    fn tangents_are_constant(&self) -> bool {
        true
    }

    fn constraint_info(&self) -> &[ConstraintInfo] {
        &self.joints
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

    fn channels(&self) -> Vec<Channel> {
        [("x", "m"), ("y", "m"), ("vx", "m/s"), ("vy", "m/s")]
            .map(|(name, unit)| Channel { name: format!("point.{name}"), unit: unit.into() })
            .into()
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[..2].copy_from_slice(at.q());
        out[2..].copy_from_slice(&at.v);
    }

    fn velocity_name(&self, i: usize) -> String {
        ["point.vx", "point.vy"][i].into()
    }

    fn length_scale(&self) -> f64 {
        1.0
    }
}
