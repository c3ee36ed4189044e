//! One generic test of every derivative a [`System`] claims, against central differences.

mod chart;

use crate::{Configuration, Directions, Quantity, System};

/// Difference steps: small against a radian and against the mechanism.
const EPS: f64 = 1e-6;
/// What moves more slowly than this is looked at as if it moved so fast.
const LEAST_SPEED: f64 = 1e-3;

/// Compares G, ∂Φ/∂t, the biases, K, C and the normal directions with central differences at (t, q, v) and returns a
/// sentence for each that is off by more than `tolerance`, relative to its size plus the size of its neighbours. Where bodies
/// turn in space the chart is compared too, away from its middle.
pub fn check_derivatives(system: &dyn System, t: f64, q: &[f64], v: &[f64], tolerance: f64) -> Vec<String> {
    let mut check = Check::new(system, (t, q, v), tolerance);
    check.joints();
    check.forces();
    check.normals();
    check.contact_biases();
    if !system.structure().is_flat() {
        check.chart();
    }
    check.wrong
}

/// A system at (t, q, v), and what was found wrong so far.
struct Check<'a> {
    system: &'a dyn System,
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    tolerance: f64,
    at: Configuration,
    /// The largest velocity, and the time in which it goes by a difference step.
    speed: f64,
    dt: f64,
    wrong: Vec<String>,
}

impl<'a> Check<'a> {
    fn new(system: &'a dyn System, (t, q, v): (f64, &'a [f64], &'a [f64]), tolerance: f64) -> Self {
        let speed = v.iter().fold(0.0, |m: f64, x| m.max(x.abs())).max(LEAST_SPEED);
        let at = Configuration::new(system, t, q, v);
        Self { system, t, q, v, tolerance, at, speed, dt: EPS / speed, wrong: Vec::new() }
    }

    fn compare(&mut self, what: impl FnOnce() -> String, exact: f64, difference: f64, size: f64) {
        if (exact - difference).abs() > self.tolerance * (exact.abs() + difference.abs() + size) {
            self.wrong.push(format!("{}: given {exact:e}, by differences {difference:e}", what()));
        }
    }

    /// What counts as large of a coordinate.
    fn size(&self, i: usize) -> f64 {
        match self.system.structure().velocities[i].quantity {
            Quantity::Length => self.system.structure().length_scale,
            Quantity::Angle => 1.0,
        }
    }

    fn step(&self, i: usize) -> f64 {
        EPS * self.size(i)
    }

    /// (t + by, q ⊕ δ).
    fn there(&self, by: f64, delta: &[f64]) -> Configuration {
        let mut other = self.at.clone();
        other.retract_to(self.system, self.t + by, self.q, delta);
        other
    }

    /// Coordinate i moved to both sides by its step.
    fn beside(&self, i: usize) -> [Configuration; 2] {
        [1.0, -1.0].map(|side| {
            let mut delta = vec![0.0; self.v.len()];
            delta[i] = side * self.step(i);
            self.there(0.0, &delta)
        })
    }

    /// A moment later and before along the motion: (t, q ⊕ ε v).
    fn along(&self) -> [Configuration; 2] {
        [self.dt, -self.dt].map(|by| {
            let delta: Vec<f64> = self.v.iter().map(|v| v * by).collect();
            self.there(by, &delta)
        })
    }

    /// G, ∂Φ/∂t and their bias.
    fn joints(&mut self) {
        let (system, v) = (self.system, self.v);
        let (sizes, jacobian) = (system.structure().sizes, &system.structure().pattern.jacobian);
        let nc = sizes.constraints;
        if nc == 0 {
            return;
        }
        let length = system.structure().length_scale;
        let constraints = |at: &Configuration| {
            let mut phi = vec![0.0; nc];
            system.constraints(at, &mut phi);
            phi
        };
        let (mut G, mut phi_t) = (vec![0.0; jacobian.len()], vec![0.0; nc]);
        system.jacobian(&self.at, &mut G, &mut phi_t);
        for j in 0..sizes.v {
            let [plus, minus] = self.beside(j).map(|at| constraints(&at));
            for i in 0..nc {
                let entry = jacobian.iter().position(|&p| p == (i as u32, j as u32));
                let (given, found) =
                    (entry.map_or(0.0, |k| G[k]), (plus[i] - minus[i]) / (2.0 * self.step(j)));
                self.compare(|| format!("G[{i},{j}]"), given, found, 1.0);
            }
        }
        let [plus, minus] = [self.dt, -self.dt].map(|by| {
            let mut other = self.at.clone();
            other.move_to(system, self.t + by, self.q);
            constraints(&other)
        });
        for i in 0..nc {
            let found = (plus[i] - minus[i]) / (2.0 * self.dt);
            self.compare(|| format!("phi_t[{i}]"), phi_t[i], found, self.speed * length);
        }
        let rate = |at: Configuration| {
            let (mut G, mut rate) = (vec![0.0; jacobian.len()], vec![0.0; nc]);
            system.jacobian(&at, &mut G, &mut rate);
            for (&(row, column), g) in jacobian.iter().zip(&G) {
                rate[row as usize] += g * v[column as usize];
            }
            rate
        };
        let mut bias = vec![0.0; nc];
        system.constraint_bias(&self.at, &mut bias);
        let [plus, minus] = self.along().map(rate);
        for i in 0..nc {
            let found = (plus[i] - minus[i]) / (2.0 * self.dt);
            let size = self.speed * self.speed * length;
            self.compare(|| format!("constraint_bias[{i}]"), bias[i], found, size);
        }
    }

    /// K = −∂h/∂q, C = −∂h/∂v.
    fn forces(&mut self) {
        let system = self.system;
        let (n, tangent) = (self.v.len(), &system.structure().pattern.tangent);
        let force = |at: &Configuration| {
            let mut h = vec![0.0; n];
            system.force(at, &mut h);
            h
        };
        let (mut K, mut C) = (vec![0.0; tangent.len()], vec![0.0; tangent.len()]);
        system.tangents(&self.at, &mut K, &mut C);
        let size = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let strength = size(&force(&self.at));
        let dv = EPS * self.speed;
        for j in 0..n {
            let [plus, minus] = self.beside(j).map(|at| force(&at));
            let [faster, slower] = [dv, -dv].map(|by| {
                let mut other = self.at.clone();
                other.v[j] += by;
                force(&other)
            });
            for i in 0..n {
                let entry = tangent.iter().position(|&p| p == (i as u32, j as u32));
                let (k, c) = entry.map_or((0.0, 0.0), |e| (K[e], C[e]));
                let by_q = -(plus[i] - minus[i]) / (2.0 * self.step(j));
                let by_v = -(faster[i] - slower[i]) / (2.0 * dv);
                self.compare(|| format!("K[{i},{j}]"), k, by_q, size(&K) + strength);
                self.compare(|| format!("C[{i},{j}]"), c, by_v, size(&C) + strength);
            }
        }
    }

    fn gaps(&self, at: &Configuration) -> Vec<f64> {
        let mut g = vec![0.0; self.system.structure().sizes.contacts];
        self.system.gaps(at, &mut g);
        g
    }

    /// W: the normal row is the gradient of the gap.
    fn normals(&mut self) {
        let now = self.gaps(&self.at);
        let mut W = Directions::default();
        for contact in (0..now.len()).filter(|&c| now[c].is_finite()) {
            W.clear();
            self.system.directions(&self.at, &[contact], &mut W);
            for j in 0..self.v.len() {
                let [plus, minus] = self.beside(j).map(|at| self.gaps(&at)[contact]);
                let (columns, values) = W.row(0);
                let own = columns.iter().zip(values).filter(|(c, _)| **c as usize == j);
                let (given, found) = (own.map(|(_, w)| w).sum(), (plus - minus) / (2.0 * self.step(j)));
                self.compare(|| format!("W_N of contact {contact}, column {j}"), given, found, 1.0);
            }
        }
    }

    /// Every row's rate is Wᵀ v' + contact_bias.
    fn contact_biases(&mut self) {
        let (system, v) = (self.system, self.v);
        let now = self.gaps(&self.at);
        for contact in (0..now.len()).filter(|&c| now[c] < f64::INFINITY || now[c].is_nan()) {
            let [plus, minus] = self.along().map(|at| {
                let mut W = Directions::default();
                system.directions(&at, &[contact], &mut W);
                (0..W.rows()).map(|row| W.velocity(row, v)).collect::<Vec<_>>()
            });
            let mut bias = vec![0.0; plus.len()];
            system.contact_bias(&self.at, &[contact], &mut bias);
            for row in 0..bias.len() {
                let found = (plus[row] - minus[row]) / (2.0 * self.dt);
                let size = self.speed * self.speed;
                self.compare(
                    || format!("contact_bias of contact {contact}, row {row}"),
                    bias[row],
                    found,
                    size,
                );
            }
        }
    }
}
