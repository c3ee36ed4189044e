//! Three masses in a row between walls, soft springs, and at the last mass a stiff spring (a) or a joint (b).
//!
//! ```text
//!        ⎛ 2k  −k    0    ⎞
//!   m q̈ +⎜ −k  2k   −k    ⎟ q = m γ (1, 1, 1)ᵀ  (+ λ e3),    (a) k̂ = k0      (b) k̂ = 0,  Φ = q3 = 0
//!        ⎝ 0   −k  k + k̂ ⎠
//! ```
//!
//! [RezaeiSchindler] (91), §2.8, at rest at the start. Highest frequencies: (a) √((k0 + k)/m)/2π = 503.3 Hz,
//! (b) √(3k/m)/2π = 0.8717 Hz. The latter, and the printed Δt/T, need k = 10 N/m where 1 N/m is printed; model (b) has
//! 10 by default, model (a) the printed 1, for which 503.3 Hz holds as well.

use crate::{Coded, Part, Sketch, SystemParameter, Values};
use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, Energy, Pattern, Quantity, Sizes, Structure, System, VelocityInfo,
};
use std::sync::Arc;

const K0: SystemParameter = SystemParameter::from_zero("k0", "N/m", 1e7, f64::MAX, "stiff spring");
const MASS: SystemParameter = SystemParameter::positive("m", "kg", 1.0, "each of the masses");
const GRAVITY: SystemParameter = SystemParameter::any("gravity", "m/s^2", 9.81, "gravity, along q");

const fn soft(default: f64) -> SystemParameter {
    SystemParameter::positive("k", "N/m", default, "each of the three soft springs")
}

/// Parameters of model (a).
pub(crate) const WITH_SPRING: &[SystemParameter] = &[soft(1.0), K0, MASS, GRAVITY];
/// Parameters of model (b).
pub(crate) const WITH_JOINT: &[SystemParameter] = &[soft(10.0), MASS, GRAVITY];

/// What holds the last mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wall {
    /// A spring of this stiffness (N/m): model (a).
    Spring(f64),
    /// A joint: model (b).
    Joint,
}

/// Three masses on springs in their displacements.
#[derive(Clone, Debug)]
pub struct Stiff3Dof {
    k: f64,
    m: f64,
    gravity: f64,
    wall: Wall,
    structure: Structure,
}

/// Static displacement of the first two masses, m γ / k: the size of the motion; 1 m without gravity.
fn sag(k: f64, m: f64, gravity: f64) -> f64 {
    let sag = (m * gravity / k).abs();
    if sag > 0.0 { sag } else { 1.0 }
}

impl Stiff3Dof {
    /// With soft springs `k` (N/m), masses `m` (kg), gravity (m/s²) and what holds the last mass.
    pub fn new(k: f64, m: f64, gravity: f64, wall: Wall) -> Self {
        let quantities = vec![(Quantity::Length, "force")];
        let joint = ConstraintInfo { name: "wall".into(), rows: 0..1, quantities };
        let joints = if wall == Wall::Joint { vec![joint] } else { Vec::new() };
        let sizes = Sizes { q: 3, v: 3, constraints: joints.len(), contacts: 0 };
        let pattern = Pattern {
            mass: vec![(0, 0), (1, 1), (2, 2)],
            tangent: vec![(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)],
            jacobian: joints.iter().map(|_| (0, 2)).collect(),
        };
        let quantities = [("q", "m"), ("v", "m/s"), ("x", "m"), ("y", "m")];
        let channel = |body: &str, (quantity, unit): (&str, &str)| Channel::new(body, quantity, unit);
        let velocity = |body| VelocityInfo { name: format!("{body}.v"), quantity: Quantity::Length };
        let structure = Structure {
            mass_is_constant: true,
            constraints: joints,
            channels: BODIES.iter().flat_map(|body| quantities.map(|q| channel(body, q))).collect(),
            velocities: BODIES.map(velocity).into(),
            ..Structure::new(sizes, pattern, sag(k, m, gravity))
        };
        Self { k, m, gravity, wall, structure }
    }

    /// Model (a) with the parameters of the registry.
    pub(crate) fn with_spring(values: &Values) -> Self {
        let x = |name| values.get(name);
        Self::new(x("k"), x("m"), x("gravity"), Wall::Spring(x("k0")))
    }

    /// Model (b) with the parameters of the registry.
    pub(crate) fn with_joint(values: &Values) -> Self {
        let x = |name| values.get(name);
        Self::new(x("k"), x("m"), x("gravity"), Wall::Joint)
    }

    pub(crate) fn coded(self) -> Coded {
        let sketch = self.sketch();
        Coded { system: Arc::new(self), q: vec![0.0; 3], v: vec![0.0; 3], sketch }
    }

    /// k̂.
    fn k_wall(&self) -> f64 {
        match self.wall {
            Wall::Spring(k0) => k0,
            Wall::Joint => 0.0,
        }
    }

    /// The size of the motion.
    fn size(&self) -> f64 {
        self.structure.length_scale
    }

    /// Where mass `i` hangs for q = 0, below the upper wall: far enough apart not to meet.
    fn place(&self, i: usize) -> f64 {
        2.0 * self.size() * (i + 1) as f64
    }

    /// Discs under each other between two walls; springs are left to the imagination.
    pub fn sketch(&self) -> Sketch {
        let radius = 0.2 * self.size();
        let disk = |body| Part { body, disks: vec![([0.0; 2], radius)], ..Part::default() };
        let bottom = self.place(2) + radius;
        let wall = |y: f64| vec![[-4.0 * radius, y], [4.0 * radius, y]];
        let lines = vec![wall(0.0), wall(-bottom)];
        let mut parts: Vec<Part> = BODIES.map(disk).into();
        parts.push(Part { body: "ground", lines, ..Part::default() });
        Sketch { parts, ..Sketch::default() }
    }
}

const BODIES: [&str; 3] = ["mass1", "mass2", "mass3"];

impl System for Stiff3Dof {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(self.m);
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let (q, k, weight) = (at.q(), self.k, self.m * self.gravity);
        h[0] = weight - k * (2.0 * q[0] - q[1]);
        h[1] = weight - k * (2.0 * q[1] - q[0] - q[2]);
        h[2] = weight - k * (q[2] - q[1]) - self.k_wall() * q[2];
    }

    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let k = self.k;
        K.copy_from_slice(&[2.0 * k, -k, -k, 2.0 * k, -k, -k, k + self.k_wall()]);
        C.fill(0.0);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        phi.fill(at.q()[2]);
    }

    fn jacobian(&self, _: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        G.fill(1.0);
        phi_t.fill(0.0);
    }

    fn constraint_bias(&self, _: &Configuration, bias: &mut [f64]) {
        bias.fill(0.0);
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let q = at.q();
        let stretch = [q[0], q[1] - q[0], q[2] - q[1]];
        let soft: f64 = stretch.iter().map(|s| s * s).sum();
        Energy {
            kinetic: 0.5 * self.m * at.v.iter().map(|v| v * v).sum::<f64>(),
            potential: -self.m * self.gravity * q.iter().sum::<f64>(),
            strain: 0.5 * (self.k * soft + self.k_wall() * q[2] * q[2]),
        }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        for i in 0..3 {
            let q = at.q()[i];
            out[4 * i..4 * i + 4].copy_from_slice(&[q, at.v[i], 0.0, -self.place(i) - q]);
        }
    }
}
