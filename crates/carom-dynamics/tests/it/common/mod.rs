//! Small systems with known motions, shared by the tests.
#![allow(non_snake_case, dead_code)]

pub mod bar;
pub mod dae;
pub mod dae_implicit;
pub mod disks;
pub mod heap;

use carom_dynamics::*;

/// A ball of mass m above a floor at q = 0. [Chen2013] §5.1
pub struct Ball {
    pub mass: f64,
    pub gravity: f64,
    structure: Structure,
}

impl Ball {
    pub fn new(mass: f64, gravity: f64, restitution: f64) -> Self {
        let kind = ContactKind::Unilateral { restitution };
        let sizes = Sizes { q: 1, v: 1, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0)], ..Default::default() };
        let structure = Structure {
            mass_is_constant: true,
            contacts: vec![ContactInfo::new("floor", kind)],
            channels: vec![Channel::new("ball", "y", "m"), Channel::new("ball", "vy", "m/s")],
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { mass, gravity, structure }
    }

    /// Exact (q, v) of a ball dropped from h0 at rest. [Chen2013] (A.1)
    pub fn exact(h0: f64, g: f64, e: f64, t: f64) -> (f64, f64) {
        let fall = (2.0 * h0 / g).sqrt();
        if t < fall {
            return (h0 - 0.5 * g * t * t, -g * t);
        }
        let (mut start, mut speed) = (fall, e * g * fall);
        loop {
            let flight = 2.0 * speed / g;
            if flight < 1e-14 {
                return (0.0, 0.0);
            }
            if t < start + flight {
                let s = t - start;
                return (speed * s - 0.5 * g * s * s, speed - g * s);
            }
            start += flight;
            speed *= e;
        }
    }
}

impl System for Ball {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M[0] = self.mass;
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h[0] = -self.mass * self.gravity;
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
        Energy {
            kinetic: 0.5 * self.mass * at.v[0] * at.v[0],
            potential: self.mass * self.gravity * at.q()[0],
            strain: 0.0,
        }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[0] = at.q()[0];
        out[1] = at.v[0];
    }
}

/// Runs a scheme on a system and gives the simulation back when it is done.
pub fn run<'s>(
    system: &'s dyn System,
    name: &str,
    parameters: &[(&str, f64)],
    q: &[f64],
    v: &[f64],
    settings: Settings,
) -> Simulation<'s> {
    let state = State::new(system, 0.0, q.to_vec(), v.to_vec());
    let scheme = scheme(name, parameters).expect("a known scheme");
    let solver = carom_solve::solver("auto").expect("a known solver");
    let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).expect("a good start");
    let stop = simulation.run(|_| true);
    assert_eq!(stop, Stop::Done, "{name}");
    simulation
}

/// A fixed step, sampled at every step.
pub fn fixed(step: f64, end: f64) -> Settings {
    Settings { step, end, accuracy: None, output: Some(step) }
}

/// Every scheme that takes contacts with restitution, with its settings of [Chen2013].
pub const ALL: &[(&str, &[(&str, f64)])] = &[
    ("moreau-jean", &[]),
    ("moreau-jean", &[("theta", 1.0)]),
    ("moreau-explicit", &[]),
    ("moreau-midpoint", &[]),
    ("generalized-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[]),
    ("newmark", &[("gamma", 1.0)]),
    ("newmark-implicit", &[]),
    ("mixed-alpha", &[]),
    ("bathe", &[]),
    ("half-explicit", &[]),
    ("half-explicit", &[("predicted_contacts", 1.0), ("parts", 10.0)]),
    ("half-explicit-3", &[]),
    ("half-explicit-4", &[]),
    ("schatzman-paoli", &[]),
    ("anitescu-potra", &[]),
    ("moreau-jean-ggl", &[]),
    ("generalized-alpha-ggl", &[]),
    ("ed-alpha", &[]),
    ("acceleration-lcp", &[]),
    ("acceleration-lcp-radau5", &[]),
    ("multiplier", &[]),
];

/// Those that take contacts without restitution only.
pub const PLASTIC: &[(&str, &[(&str, f64)])] = &[
    ("stewart-trinkle", &[]),
    ("position-lcp-euler", &[]),
    ("position-lcp-rk4", &[]),
    ("position-lcp-radau5", &[]),
    ("velocity-lcp", &[]),
];

/// Those whose contacts are springs.
pub const SPRINGS: &[(&str, &[(&str, f64)])] = &[("penalty", &[]), ("hunt-crossley", &[])];

/// Those of them whose impacts are over within one step.
pub fn one_step() -> impl Iterator<Item = &'static (&'static str, &'static [(&'static str, f64)])> {
    ALL.iter().filter(|(name, _)| *name != "schatzman-paoli")
}

/// Every scheme that takes contacts without restitution.
pub fn inelastic() -> impl Iterator<Item = &'static (&'static str, &'static [(&'static str, f64)])> {
    ALL.iter().chain(PLASTIC)
}

/// Slope of log y over log x by least squares.
pub fn slope(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let lx: Vec<f64> = x.iter().map(|x| x.ln()).collect();
    let ly: Vec<f64> = y.iter().map(|y| y.ln()).collect();
    let (mx, my) = (lx.iter().sum::<f64>() / n, ly.iter().sum::<f64>() / n);
    let top: f64 = lx.iter().zip(&ly).map(|(x, y)| (x - mx) * (y - my)).sum();
    let bottom: f64 = lx.iter().map(|x| (x - mx).powi(2)).sum();
    top / bottom
}

/// A pendulum in (x, y, θ) with Φ = (x − l cos θ, y + l sin θ), each row written `copies` times, and a stop at
/// x = stop. [Chen2013] §5.5
pub struct Pendulum {
    pub copies: usize,
    pub stop: f64,
    structure: Structure,
}

impl Pendulum {
    pub const MASS: f64 = 1.0;
    pub const INERTIA: f64 = 0.1;
    pub const LENGTH: f64 = 1.0;
    pub const GRAVITY: f64 = 10.0;

    pub fn new(copies: usize, stop: f64, restitution: f64) -> Self {
        let joints = (0..copies)
            .map(|k| ConstraintInfo {
                name: format!("pivot{k}"),
                rows: 2 * k..2 * k + 2,
                quantities: vec![(Quantity::Length, "x"), (Quantity::Length, "y")],
            })
            .collect();
        let kind = ContactKind::Unilateral { restitution };
        let sizes = Sizes { q: 3, v: 3, constraints: 2 * copies, contacts: 1 };
        let mut pattern = Pattern { mass: vec![(0, 0), (1, 1), (2, 2)], ..Default::default() };
        for k in 0..copies as u32 {
            pattern.jacobian.extend([(2 * k, 0), (2 * k, 2), (2 * k + 1, 1), (2 * k + 1, 2)]);
        }
        let channel = |(n, unit): (&str, &str)| Channel::new("bob", n, unit);
        let mut structure = Structure {
            derived_len: 2,
            mass_is_constant: true,
            constraints: joints,
            contacts: vec![ContactInfo::new("stop", kind)],
            channels: [("x", "m"), ("y", "m"), ("angle", "rad")].map(channel).into(),
            ..Structure::new(sizes, pattern, 1.0)
        };
        structure.velocities[2].quantity = Quantity::Angle;
        Self { copies, stop, structure }
    }
}

impl System for Pendulum {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn derive(&self, _: f64, q: &[f64], derived: &mut [f64]) {
        (derived[0], derived[1]) = q[2].sin_cos();
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&[Self::MASS, Self::MASS, Self::INERTIA]);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -Self::MASS * Self::GRAVITY, 0.0]);
    }
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let (sin, cos) = (at.derived()[0], at.derived()[1]);
        for k in 0..self.copies {
            phi[2 * k] = at.q()[0] - Self::LENGTH * cos;
            phi[2 * k + 1] = at.q()[1] + Self::LENGTH * sin;
        }
    }
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let (sin, cos) = (at.derived()[0], at.derived()[1]);
        phi_t.fill(0.0);
        for k in 0..self.copies {
            G[4 * k..4 * k + 4].copy_from_slice(&[1.0, Self::LENGTH * sin, 1.0, Self::LENGTH * cos]);
        }
    }
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let (sin, cos) = (at.derived()[0], at.derived()[1]);
        for k in 0..self.copies {
            bias[2 * k] = Self::LENGTH * cos * at.v[2].powi(2);
            bias[2 * k + 1] = -Self::LENGTH * sin * at.v[2].powi(2);
        }
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[0] - self.stop;
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
        let v = &at.v;
        Energy {
            kinetic: 0.5 * (Self::MASS * (v[0] * v[0] + v[1] * v[1]) + Self::INERTIA * v[2] * v[2]),
            potential: Self::MASS * Self::GRAVITY * at.q()[1],
            strain: 0.0,
        }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice(at.q());
    }
}

/// A mass on a plane that may slide, pulled by a spring whose end moves: q = (x, y), floor at y = 0.
pub struct Slider {
    pub stiffness: f64,
    pub damping: f64,
    /// Velocity of the far end of the spring, which starts relaxed at x = 0.
    pub pull: f64,
    structure: Structure,
}

impl Slider {
    pub const MASS: f64 = 2.0;
    pub const GRAVITY: f64 = 9.81;

    pub fn new(friction: f64, restitution: f64, stiffness: f64, damping: f64, pull: f64) -> Self {
        let kind = ContactKind::Frictional { restitution, tangential_restitution: 0.0, friction };
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], tangent: vec![(0, 0)], ..Default::default() };
        let channel = |n: &str| Channel::new("box", n, "");
        let structure = Structure {
            mass_is_constant: true,
            contacts: vec![ContactInfo::new("floor", kind)],
            has_power: true,
            channels: ["x", "y", "vx", "vy"].map(channel).into(),
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { stiffness, damping, pull, structure }
    }
}

impl System for Slider {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(Self::MASS);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let end = self.pull * at.t();
        h[0] = self.stiffness * (end - at.q()[0]) + self.damping * (self.pull - at.v[0]);
        h[1] = -Self::MASS * Self::GRAVITY;
    }
    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K[0] = self.stiffness;
        C[0] = self.damping;
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[1];
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            W.begin_row(0.0);
            W.push(1, 1.0);
            W.begin_row(0.0);
            W.push(0, 1.0);
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let stretch = self.pull * at.t() - at.q()[0];
        Energy {
            kinetic: 0.5 * Self::MASS * (at.v[0].powi(2) + at.v[1].powi(2)),
            potential: Self::MASS * Self::GRAVITY * at.q()[1],
            strain: 0.5 * self.stiffness * stretch.powi(2),
        }
    }
    fn power(&self, at: &Configuration) -> Power {
        // the hand at the far end works against spring and damper
        let stretch = self.pull * at.t() - at.q()[0];
        let slip = self.pull - at.v[0];
        let applied = (self.stiffness * stretch + self.damping * slip) * self.pull;
        Power { applied, damping: -self.damping * slip * slip }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[..2].copy_from_slice(at.q());
        out[2..].copy_from_slice(&at.v);
    }
}
