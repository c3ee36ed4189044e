//! Small systems with known motions, shared by the tests.
#![allow(non_snake_case, dead_code)]

use carom_dynamics::*;

/// A ball of mass m above a floor at q = 0. [Chen2013] §5.1
pub struct Ball {
    pub mass: f64,
    pub gravity: f64,
    contacts: Vec<ContactInfo>,
}

impl Ball {
    pub fn new(mass: f64, gravity: f64, restitution: f64) -> Self {
        let kind = ContactKind::Unilateral { restitution };
        Self { mass, gravity, contacts: vec![ContactInfo { name: "floor".into(), kind }] }
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
    fn sizes(&self) -> Sizes {
        Sizes { q: 1, v: 1, constraints: 0, contacts: 1 }
    }
    fn pattern(&self) -> Pattern {
        Pattern { mass: vec![(0, 0)], ..Default::default() }
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M[0] = self.mass;
    }
    fn mass_is_constant(&self) -> bool {
        true
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h[0] = -self.mass * self.gravity;
    }
    fn contact_info(&self) -> &[ContactInfo] {
        &self.contacts
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
    fn channels(&self) -> Vec<Channel> {
        vec![
            Channel { name: "ball.y".into(), unit: "m".into() },
            Channel { name: "ball.vy".into(), unit: "m/s".into() },
        ]
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[0] = at.q()[0];
        out[1] = at.v[0];
    }
    fn length_scale(&self) -> f64 {
        1.0
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
    let mut simulation = Simulation::new(system, scheme, solver, state, settings).expect("a good start");
    let stop = simulation.run(|_| true);
    assert_eq!(stop, Stop::Done, "{name}");
    simulation
}

/// A fixed step, sampled at every step.
pub fn fixed(step: f64, end: f64) -> Settings {
    Settings { step, end, accuracy: None, output: Some(step) }
}

/// Every scheme with its settings of [Chen2013].
pub const ALL: &[(&str, &[(&str, f64)])] = &[
    ("moreau-jean", &[]),
    ("moreau-jean", &[("theta", 1.0)]),
    ("moreau-explicit", &[]),
    ("moreau-midpoint", &[]),
    ("generalized-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[]),
    ("newmark-implicit", &[]),
];

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
