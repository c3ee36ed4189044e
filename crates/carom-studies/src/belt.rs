//! A mass on a belt, held by a spring: stick-slip with a closed form.
//!
//! ```text
//!   m x'' = −k x + c (x' − v) + λ_T,   λ_T ∈ −μ m g Sgn(x' − v)           belt at speed v, from x = 0, x' = v
//! ```
//!
//! c ≥ 0 makes the friction fall with the sliding speed, |friction| = μ m g − c |x' − v|. The mass sticks until
//! k x = μ m g, at t_1 = μ m g / (k v). Sliding, u = v − x' obeys m u'' − c u' + k u = k v with u = u' = 0 at first, so
//!
//! ```text
//!   u(τ) = v [1 − e^{aτ} (cos ωτ − (a/ω) sin ωτ)],      a = c / 2m,  ω² = k/m − a²
//! ```
//!
//! until u(τ*) = 0 again, where the spring misses −m u'(τ*) of μ m g and the mass sticks for −m u'(τ*) / (k v).
//! For c = 0, τ* = 2π/ω and the mass sticks for no time: it touches the belt's speed once per period and goes on
//! along the same arc, spring force μ m g + k v/ω sin ωτ. For c > 0 the cycle of slip τ* and stick is a limit cycle
//! reached at the first slip.

use carom_dynamics::*;

/// The mass on the belt; q = (x, y).
#[derive(Clone, Debug)]
pub struct Belt {
    /// m (kg).
    pub mass: f64,
    /// k (N/m).
    pub stiffness: f64,
    /// c (N s/m).
    pub falling: f64,
    /// v (m/s).
    pub speed: f64,
    /// μ.
    pub friction: f64,
    /// g (m/s²).
    pub gravity: f64,
    structure: Structure,
}

/// The motion in closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// t_1 (s).
    pub first_slip: f64,
    /// τ* (s).
    pub slip: f64,
    /// Time stuck in every period (s).
    pub stick: f64,
    /// Smallest and largest stretch of the spring after t_1 (m).
    pub stretch: (f64, f64),
}

impl Belt {
    /// With the numbers of the study, and c.
    pub fn new(falling: f64) -> Self {
        let friction = 0.5;
        let kind = ContactKind::Frictional { restitution: 0.0, tangential_restitution: 0.0, friction };
        let contacts = vec![ContactInfo::new("belt", kind)];
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], tangent: vec![(0, 0)], jacobian: Vec::new() };
        let (mass, stiffness, gravity) = (1.0, 100.0, 10.0);
        let structure = Structure {
            mass_is_constant: true,
            contacts,
            channels: vec![Channel::new("mass", "x", "m")],
            ..Structure::new(sizes, pattern, friction * mass * gravity / stiffness)
        };
        Self { mass, stiffness, falling, speed: 0.1, friction, gravity, structure }
    }

    /// Largest friction, μ m g.
    pub fn bound(&self) -> f64 {
        self.friction * self.mass * self.gravity
    }

    /// The closed form of the file head.
    pub fn cycle(&self) -> Cycle {
        let (m, k, v) = (self.mass, self.stiffness, self.speed);
        let a = 0.5 * self.falling / m;
        let omega = (k / m - a * a).sqrt();
        let u = |tau: f64| {
            let (sin, cos) = (omega * tau).sin_cos();
            v * (1.0 - (a * tau).exp() * (cos - a / omega * sin))
        };
        // u' = v e^{aτ} (k/m)/ω sin ωτ: u rises to ωτ = π and falls after it
        let u_dot = |tau: f64| v * (a * tau).exp() * k / (m * omega) * (omega * tau).sin();
        let period = std::f64::consts::TAU / omega;
        let slip = if a == 0.0 { period } else { zero(0.5 * period, period, u) };
        let stick = if a == 0.0 { 0.0 } else { -m * u_dot(slip) / (k * v) };
        // k x = μ m g + m u' − c u is extreme where x' = v − u = 0: cos ωτ = (a/ω) sin ωτ
        let quarter = (omega / a).atan() / omega;
        let x = |tau: f64| (self.bound() + m * u_dot(tau) - self.falling * u(tau)) / k;
        let extremes = [x(quarter), x(quarter + 0.5 * period)];
        Cycle {
            first_slip: self.bound() / (k * v),
            slip,
            stick,
            stretch: (extremes[1].min(x(slip)), extremes[0].max(x(0.0))),
        }
    }
}

/// The zero of f between a and b, f(a) > 0 ≥ f(b).
fn zero(mut a: f64, mut b: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        if f(middle) > 0.0 { a = middle } else { b = middle }
    }
    b
}

impl System for Belt {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(self.mass);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h[0] = -self.stiffness * at.q()[0] + self.falling * (at.v[0] - self.speed);
        h[1] = -self.mass * self.gravity;
    }
    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K[0] = self.stiffness;
        C[0] = -self.falling;
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[1];
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            W.begin_row(0.0);
            W.push(1, 1.0);
            W.begin_row(-self.speed);
            W.push(0, 1.0);
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let (q, v) = (at.q(), &at.v);
        Energy {
            kinetic: 0.5 * self.mass * (v[0] * v[0] + v[1] * v[1]),
            potential: self.mass * self.gravity * q[1],
            strain: 0.5 * self.stiffness * q[0] * q[0],
        }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[0] = at.q()[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives() {
        let belt = Belt::new(2.0);
        let problems = check_derivatives(&belt, 0.3, &[0.02, 0.0], &[0.07, -0.2], 1e-6);
        assert!(problems.is_empty(), "{problems:?}");
    }

    /// Small steps of Runge–Kutta through one slip, started where the spring reaches the bound.
    #[test]
    fn slip_as_runge_kutta() {
        for falling in [0.0, 2.0] {
            let belt = Belt::new(falling);
            let cycle = belt.cycle();
            let rate = |(x, u): (f64, f64)| (belt.speed - u, 100.0 * x - 5.0 + falling * u);
            let (mut x, mut u) = (belt.bound() / belt.stiffness, 0.0);
            let n = 20000;
            let h = cycle.slip / f64::from(n);
            let (mut least, mut most) = (x, x);
            for _ in 0..n {
                let k1 = rate((x, u));
                let k2 = rate((x + 0.5 * h * k1.0, u + 0.5 * h * k1.1));
                let k3 = rate((x + 0.5 * h * k2.0, u + 0.5 * h * k2.1));
                let k4 = rate((x + h * k3.0, u + h * k3.1));
                x += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
                u += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
                (least, most) = (f64::min(least, x), f64::max(most, x));
            }
            assert!(u.abs() < 1e-10, "back at the belt's speed: {u}");
            let stick = (belt.bound() / belt.stiffness - x) / belt.speed;
            assert!((stick - cycle.stick).abs() < 1e-9, "{stick} {}", cycle.stick);
            assert!((least - cycle.stretch.0).abs() < 1e-7 && (most - cycle.stretch.1).abs() < 1e-7);
        }
    }
}
