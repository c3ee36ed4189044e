//! One mass, or two with a spring between them, above a floor.                                [Chen2013] §5.1, §5.2
//!
//! ```text
//!   m q_1'' = −m g + k (q_2 − q_1 − l),     m q_2'' = −m g − k (q_2 − q_1 − l),       g_N = q_1 − R ≥ 0
//! ```

use carom_dynamics::*;

/// One or two equal masses on a vertical line; the lower may touch the floor.
#[derive(Clone, Debug)]
pub struct Stack {
    masses: usize,
    /// m (kg).
    pub mass: f64,
    /// g (m/s²).
    pub gravity: f64,
    /// R (m).
    pub radius: f64,
    /// k (N/m) and l (m).
    pub spring: (f64, f64),
    structure: Structure,
}

fn structure(masses: usize, restitution: f64, length: f64) -> Structure {
    let sizes = Sizes { q: masses, v: masses, constraints: 0, contacts: 1 };
    let tangent = if masses == 2 { vec![(0, 0), (0, 1), (1, 0), (1, 1)] } else { Vec::new() };
    let mass = (0..masses as u32).map(|i| (i, i)).collect();
    let channel = |i: usize, what: &str, unit: &str| Channel::new(&format!("mass{}", i + 1), what, unit);
    Structure {
        mass_is_constant: true,
        contacts: vec![ContactInfo::new("floor", ContactKind::Unilateral { restitution })],
        channels: (0..masses).flat_map(|i| [channel(i, "y", "m"), channel(i, "vy", "m/s")]).collect(),
        ..Structure::new(sizes, Pattern { mass, tangent, jacobian: Vec::new() }, length)
    }
}

impl Stack {
    /// A ball alone; `length` is what tolerances are relative to.
    pub fn ball(mass: f64, gravity: f64, radius: f64, restitution: f64, length: f64) -> Self {
        let structure = structure(1, restitution, length);
        Self { masses: 1, mass, gravity, radius, spring: (0.0, 0.0), structure }
    }

    /// Two masses with a spring (k, l) between.
    pub fn oscillator(mass: f64, gravity: f64, radius: f64, restitution: f64, spring: (f64, f64)) -> Self {
        let structure = structure(2, restitution, spring.1);
        Self { masses: 2, mass, gravity, radius, spring, structure }
    }

    /// Kinetic + potential + strain at (q, v).
    pub fn total_energy(&self, q: &[f64], v: &[f64]) -> f64 {
        self.energy_at(q, v).total()
    }

    fn energy_at(&self, q: &[f64], v: &[f64]) -> Energy {
        let (k, l) = self.spring;
        Energy {
            kinetic: 0.5 * self.mass * v.iter().map(|v| v * v).sum::<f64>(),
            potential: self.mass * self.gravity * q.iter().sum::<f64>(),
            strain: q.windows(2).map(|q| 0.5 * k * (q[1] - q[0] - l).powi(2)).sum(),
        }
    }
}

impl System for Stack {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(self.mass);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let (k, l) = self.spring;
        h.fill(-self.mass * self.gravity);
        for (i, q) in at.q().windows(2).enumerate() {
            let f = k * (q[1] - q[0] - l);
            h[i] += f;
            h[i + 1] -= f;
        }
    }
    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        C.fill(0.0);
        if self.masses == 2 {
            let k = self.spring.0;
            K.copy_from_slice(&[k, -k, -k, k]);
        }
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[0] - self.radius;
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
        self.energy_at(at.q(), &at.v)
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        for i in 0..self.masses {
            out[2 * i] = at.q()[i];
            out[2 * i + 1] = at.v[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives() {
        let oscillator = Stack::oscillator(1.0, 10.0, 0.2, 0.8, (1e4, 1.0));
        let problems = check_derivatives(&oscillator, 0.0, &[0.7, 1.72], &[0.3, -2.0], 1e-6);
        assert!(problems.is_empty(), "{problems:?}");
    }
}
