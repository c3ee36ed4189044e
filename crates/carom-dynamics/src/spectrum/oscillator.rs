//! The test equation q'' + 2ξΩ q' + Ω² q = 0 of spectral analysis, in units of the step: dt = 1, ω dt = Ω.

use crate::{Channel, Configuration, Energy, Pattern, Sizes, Structure, System};

/// A unit mass on a spring with a damper.
#[derive(Clone, Debug)]
pub struct Oscillator {
    /// Ω².
    pub stiffness: f64,
    /// 2ξΩ.
    pub damping: f64,
    structure: Structure,
}

impl Oscillator {
    /// With frequency Ω and damping ratio ξ.
    pub fn new(Omega: f64, xi: f64) -> Self {
        let sizes = Sizes { q: 1, v: 1, ..Sizes::default() };
        let pattern = Pattern { mass: vec![(0, 0)], tangent: vec![(0, 0)], ..Pattern::default() };
        let structure = Structure {
            mass_is_constant: true,
            channels: vec![Channel::new("mass", "x", "m")],
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { stiffness: Omega * Omega, damping: 2.0 * xi * Omega, structure }
    }
}

impl System for Oscillator {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M[0] = 1.0;
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h[0] = -self.stiffness * at.q()[0] - self.damping * at.v[0];
    }
    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K[0] = self.stiffness;
        C[0] = self.damping;
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let (q, v) = (at.q()[0], at.v[0]);
        Energy { kinetic: 0.5 * v * v, potential: 0.0, strain: 0.5 * self.stiffness * q * q }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[0] = at.q()[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_force() {
        let wrong = crate::check_derivatives(&Oscillator::new(0.7, 0.2), 0.0, &[0.3], &[-1.1], 1e-8);
        assert_eq!(wrong, Vec::<String>::new());
    }
}
