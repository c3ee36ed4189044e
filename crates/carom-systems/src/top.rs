//! Tops: a rigid body that turns in space, free, about a fixed point, or held there by a ball joint.
//!
//! Quaternion p = (w, x, y, z), rates ω in body axes, A(p) from body axes to those of space, z up. With J about the fixed
//! point (about the centre of mass where it is free), the centre at c = (0, 0, l) in body axes, γ = A(p)ᵀ (0, 0, −g):
//!
//! ```text
//!   minimal, q = p, v = ω:             J ω' = −ω × Jω + m c × γ
//!   K = −∂h/∂δ = m ((c·γ) 1 − γ cᵀ),      C = −∂h/∂ω = ω~ J − (Jω)~
//!   with a joint, q = (r, p), v = (ṙ, ω):  m r'' = m g + λ,   J_c ω' = −ω × J_c ω − c × Aᵀ λ,   J_c = J − m l² diag(1, 1, 0)
//!   Φ = r − A c,    G = [1, A c~],    bias = −A (ω × (ω × c))
//! ```
//!
//! c is zero for the free top: Euler's. Kept by the motion: energy; A Jω, or with gravity its vertical part; of a symmetric
//! top ω₃. A symmetric top precesses steadily at tilt θ with the rates Ω of A Ω² cos θ − C ω₃ Ω + m g l = 0.

use crate::{Coded, Form, Sketch, Solid, SystemParameter, Values};
use carom_dynamics::rotation::{Quaternion, Vector, cross, dot, turn, turn_back};
use carom_dynamics::{
    Channel, Configuration, ConstraintInfo, Energy, Pattern, Quantity, Rotation, Sizes, Structure, System,
    VelocityInfo,
};
use std::sync::Arc;

const fn rates(w: [f64; 3]) -> [SystemParameter; 3] {
    [
        SystemParameter::any("w1", "rad/s", w[0], "rate about the first body axis at the start"),
        SystemParameter::any("w2", "rad/s", w[1], "rate about the second body axis at the start"),
        SystemParameter::any("w3", "rad/s", w[2], "rate about the third body axis at the start"),
    ]
}

const fn inertias(J: [f64; 3]) -> [SystemParameter; 3] {
    [
        SystemParameter::positive("J1", "kg m^2", J[0], "inertia about the first body axis"),
        SystemParameter::positive("J2", "kg m^2", J[1], "inertia about the second body axis"),
        SystemParameter::positive("J3", "kg m^2", J[2], "inertia about the third body axis"),
    ]
}

const FREE_J: [SystemParameter; 3] = inertias([1.0, 2.0, 3.0]);
const FREE_W: [SystemParameter; 3] = rates([0.9, 0.01, 1.1]);
const HEAVY_J: [SystemParameter; 3] = inertias([0.02, 0.02, 0.01]);
/// Slow steady precession at 30°: (0, Ω sin θ, ω₃) with Ω = 0.65901487 rad/s.
const HEAVY_W: [SystemParameter; 3] = rates([0.0, 0.329_507_435, 150.0]);

/// Parameters of the free top: those of a tumbling brick, close to its unstable middle axis.
pub(crate) const FREE: &[SystemParameter] =
    &[FREE_J[0], FREE_J[1], FREE_J[2], FREE_W[0], FREE_W[1], FREE_W[2]];
/// Parameters of the heavy top; inertias about the fixed point.
pub(crate) const HEAVY: &[SystemParameter] = &[
    HEAVY_J[0],
    HEAVY_J[1],
    HEAVY_J[2],
    SystemParameter::positive("m", "kg", 1.0, "mass"),
    SystemParameter::positive("l", "m", 0.1, "distance of the centre of mass from the fixed point"),
    SystemParameter::any("gravity", "m/s^2", 9.81, "gravity, downwards"),
    SystemParameter::any("tilt", "rad", std::f64::consts::FRAC_PI_6, "tilt about the first body axis"),
    HEAVY_W[0],
    HEAVY_W[1],
    HEAVY_W[2],
];

/// Data of a top; the default is Euler's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top {
    /// Principal inertias about the fixed point (kg m²), or about the centre of a free top.
    pub J: [f64; 3],
    /// Mass (kg).
    pub mass: f64,
    /// Distance of the centre from the fixed point along the third axis (m); 0 for a free top.
    pub l: f64,
    /// Gravity, downwards (m/s²).
    pub gravity: f64,
    /// Tilt about the first body axis at the start (rad).
    pub tilt: f64,
    /// Body rates at the start (rad/s).
    pub rates: [f64; 3],
}

impl Default for Top {
    fn default() -> Self {
        Self::free(&Values::defaults(FREE))
    }
}

impl Top {
    pub(crate) fn free(values: &Values) -> Self {
        let x = |name| values.get(name);
        let (J, rates) = (["J1", "J2", "J3"].map(x), ["w1", "w2", "w3"].map(x));
        Self { J, mass: 1.0, l: 0.0, gravity: 0.0, tilt: 0.0, rates }
    }

    pub(crate) fn heavy(values: &Values) -> Self {
        let x = |name| values.get(name);
        let (J, rates) = (["J1", "J2", "J3"].map(x), ["w1", "w2", "w3"].map(x));
        Self { J, mass: x("m"), l: x("l"), gravity: x("gravity"), tilt: x("tilt"), rates }
    }

    /// Quaternion at the start.
    fn orientation(&self) -> Quaternion {
        let (sin, cos) = (0.5 * self.tilt).sin_cos();
        [cos, sin, 0.0, 0.0]
    }
}

fn quaternion(q: &[f64]) -> Quaternion {
    [q[0], q[1], q[2], q[3]]
}

fn vector(x: &[f64]) -> Vector {
    [x[0], x[1], x[2]]
}

fn times(J: [f64; 3], w: Vector) -> Vector {
    [0, 1, 2].map(|i| J[i] * w[i])
}

/// Entries of a full 3×3 block from (row, column) on.
fn block(row: u32, column: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..9).map(move |k| (row + k / 3, column + k % 3))
}

/// a~, row by row.
fn skew(a: Vector) -> [[f64; 3]; 3] {
    [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]]
}

/// C = ω~ J − (Jω)~, row by row.
fn gyroscopic(J: [f64; 3], w: Vector, C: &mut [f64]) {
    let (of_w, of_L) = (skew(w), skew(times(J, w)));
    for k in 0..9 {
        C[k] = of_w[k / 3][k % 3] * J[k % 3] - of_L[k / 3][k % 3];
    }
}

fn channels(quantities: &[(&str, &str)]) -> Vec<Channel> {
    let channel = |(name, unit): &(&str, &str)| Channel::new("top", name, unit);
    quantities.iter().map(channel).collect()
}

fn velocities(names: &[&str], quantity: Quantity) -> Vec<VelocityInfo> {
    names.iter().map(|name| VelocityInfo { name: format!("top.{name}"), quantity }).collect()
}

/// A brick of even mass with the inertias of a free top: J₁ = m (b² + c²)/12 and so on, so a² = 6 (J₂ + J₃ − J₁)/m.
fn brick(data: &Top) -> Sketch {
    /// Least edge that is drawn, as a share of the longest: a plate has none, and inertias of no body less.
    const THINNEST: f64 = 0.05;
    let [J1, J2, J3] = data.J;
    let squares = [J2 + J3 - J1, J3 + J1 - J2, J1 + J2 - J3].map(|J| 6.0 * J / data.mass);
    let edges = squares.map(|a| a.max(0.0).sqrt());
    let longest = edges.iter().fold(0.0, |a: f64, b| a.max(*b));
    let size = edges.map(|a| a.max(THINNEST * longest));
    Sketch { solids: vec![Solid { body: "top", at: [0.0; 3], form: Form::Box(size) }], ..Sketch::default() }
}

/// A wheel on an axle with the inertia of a heavy top about its axis, J₃ = m R²/2; `foot` is the fixed point in body axes.
fn wheel(data: &Top, foot: f64) -> Sketch {
    let radius = (2.0 * data.J[2] / data.mass).sqrt();
    // the rest are looks, in parts of the wheel: thickness, axle, how far the axle stands out, a knob that shows the spin
    let (thick, axle, out, knob) = (0.12 * radius, 0.05 * radius, 0.45 * radius, 0.08 * radius);
    let middle = foot + data.l;
    let solid = |at, form| Solid { body: "top", at, form };
    let length = data.l + out;
    Sketch {
        solids: vec![
            solid([0.0, 0.0, middle], Form::Cylinder(radius, thick)),
            solid([0.0, 0.0, foot + 0.5 * length], Form::Cylinder(axle, length)),
            solid([0.75 * radius, 0.0, middle + 0.5 * thick], Form::Ball(knob)),
        ],
        held: Some(("top", [0.0, 0.0, foot])),
        ..Sketch::default()
    }
}

const TURNS: [(&str, &str); 7] =
    [("qw", ""), ("qx", ""), ("qy", ""), ("qz", ""), ("wx", "rad/s"), ("wy", "rad/s"), ("wz", "rad/s")];

/// A top in its quaternion alone: free, or about a fixed point.
#[derive(Clone, Debug)]
pub struct TopMinimal {
    data: Top,
    structure: Structure,
}

impl TopMinimal {
    /// With the data given.
    pub fn new(data: Top) -> Self {
        let sizes = Sizes { q: 4, v: 3, ..Sizes::default() };
        let mass = vec![(0, 0), (1, 1), (2, 2)];
        let pattern = Pattern { mass, tangent: block(0, 0).collect(), jacobian: Vec::new() };
        let length = if data.l > 0.0 { data.l } else { 1.0 };
        let structure = Structure {
            rotations: vec![Rotation { q: 0, v: 0 }],
            mass_is_constant: true,
            channels: channels(&TURNS),
            velocities: velocities(&["wx", "wy", "wz"], Quantity::Angle),
            ..Structure::new(sizes, pattern, length)
        };
        Self { data, structure }
    }

    /// (q, v) at the start.
    pub fn start(&self) -> (Vec<f64>, Vec<f64>) {
        (self.data.orientation().to_vec(), self.data.rates.to_vec())
    }

    /// Angular momentum about the fixed point, in axes of space.
    pub fn momentum(&self, q: &[f64], v: &[f64]) -> Vector {
        turn(quaternion(q), times(self.data.J, vector(v)))
    }

    /// γ m, the weight in body axes.
    fn weight(&self, at: &Configuration) -> Vector {
        turn_back(quaternion(at.q()), [0.0, 0.0, -self.data.mass * self.data.gravity])
    }

    pub(crate) fn coded(data: Top) -> Coded {
        let system = Self::new(data);
        let (q, v) = system.start();
        let sketch = if data.l > 0.0 { wheel(&data, 0.0) } else { brick(&data) };
        Coded { system: Arc::new(system), q, v, sketch }
    }
}

impl System for TopMinimal {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&self.data.J);
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let w = vector(&at.v);
        let gyroscopic = cross(times(self.data.J, w), w);
        let moment = cross([0.0, 0.0, self.data.l], self.weight(at));
        for i in 0..3 {
            h[i] = gyroscopic[i] + moment[i];
        }
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        gyroscopic(self.data.J, vector(&at.v), C);
        let (weight, c) = (self.weight(at), [0.0, 0.0, self.data.l]);
        for k in 0..9 {
            let (i, j) = (k / 3, k % 3);
            K[k] = if i == j { dot(c, weight) } else { 0.0 } - weight[i] * c[j];
        }
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let w = vector(&at.v);
        Energy {
            kinetic: 0.5 * dot(w, times(self.data.J, w)),
            potential: -dot(self.weight(at), [0.0, 0.0, self.data.l]),
            strain: 0.0,
        }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[..4].copy_from_slice(at.q());
        out[4..].copy_from_slice(&at.v);
    }
}

/// A heavy top as a free body, held at its fixed point by a ball joint.
#[derive(Clone, Debug)]
pub struct TopOnBallJoint {
    data: Top,
    /// J_c.
    J: [f64; 3],
    structure: Structure,
}

impl TopOnBallJoint {
    /// With the data given; inertias that leave nothing about the centre of mass are refused.
    pub fn new(data: Top) -> Result<Self, String> {
        let shift = data.mass * data.l * data.l;
        let J = [data.J[0] - shift, data.J[1] - shift, data.J[2]];
        if J.iter().any(|J| *J <= 0.0) {
            return Err(format!("J1 and J2 must be above m l² = {shift} kg m²; a longer top, or less mass"));
        }
        let sizes = Sizes { q: 7, v: 6, constraints: 3, contacts: 0 };
        let pattern = Pattern {
            mass: (0..6).map(|i| (i, i)).collect(),
            tangent: block(3, 3).collect(),
            jacobian: (0..3).map(|i| (i, i)).chain(block(0, 3)).collect(),
        };
        let quantities = ["x", "y", "z"].map(|name| (Quantity::Length, name)).into();
        let places = [("x", "m"), ("y", "m"), ("z", "m"), ("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s")];
        let structure = Structure {
            rotations: vec![Rotation { q: 3, v: 3 }],
            mass_is_constant: true,
            constraints: vec![ConstraintInfo { name: "ball".into(), rows: 0..3, quantities }],
            channels: [channels(&places), channels(&TURNS)].concat(),
            velocities: [
                velocities(&["vx", "vy", "vz"], Quantity::Length),
                velocities(&["wx", "wy", "wz"], Quantity::Angle),
            ]
            .concat(),
            ..Structure::new(sizes, pattern, data.l)
        };
        Ok(Self { data, J, structure })
    }

    /// (q, v) at the start.
    pub fn start(&self) -> (Vec<f64>, Vec<f64>) {
        let (p, w) = (self.data.orientation(), self.data.rates);
        let c = [0.0, 0.0, self.data.l];
        ([&turn(p, c)[..], &p].concat(), [&turn(p, cross(w, c))[..], &w].concat())
    }

    /// Angular momentum about the fixed point, in axes of space.
    pub fn momentum(&self, q: &[f64], v: &[f64]) -> Vector {
        let spin = turn(quaternion(&q[3..]), times(self.J, vector(&v[3..])));
        let orbit = cross(vector(q), vector(v));
        [0, 1, 2].map(|i| spin[i] + self.data.mass * orbit[i])
    }

    pub(crate) fn coded(data: Top) -> Result<Coded, String> {
        let system = Self::new(data)?;
        let (q, v) = system.start();
        Ok(Coded { system: Arc::new(system), q, v, sketch: wheel(&data, -data.l) })
    }
}

impl System for TopOnBallJoint {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M[..3].fill(self.data.mass);
        M[3..].copy_from_slice(&self.J);
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let w = vector(&at.v[3..]);
        h[..3].copy_from_slice(&[0.0, 0.0, -self.data.mass * self.data.gravity]);
        h[3..].copy_from_slice(&cross(times(self.J, w), w));
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        K.fill(0.0);
        gyroscopic(self.J, vector(&at.v[3..]), C);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let c = turn(quaternion(&at.q()[3..]), [0.0, 0.0, self.data.l]);
        for i in 0..3 {
            phi[i] = at.q()[i] - c[i];
        }
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        phi_t.fill(0.0);
        G[..3].fill(1.0);
        // columns of A c~: A (c × e_j)
        for j in 0..3 {
            let mut e = [0.0; 3];
            e[j] = 1.0;
            let column = turn(quaternion(&at.q()[3..]), cross([0.0, 0.0, self.data.l], e));
            for i in 0..3 {
                G[3 + 3 * i + j] = column[i];
            }
        }
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let w = vector(&at.v[3..]);
        let c = [0.0, 0.0, self.data.l];
        let inwards = turn(quaternion(&at.q()[3..]), cross(w, cross(w, c)));
        for i in 0..3 {
            bias[i] = -inwards[i];
        }
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let (v, w) = (vector(&at.v), vector(&at.v[3..]));
        Energy {
            kinetic: 0.5 * (self.data.mass * dot(v, v) + dot(w, times(self.J, w))),
            potential: self.data.mass * self.data.gravity * at.q()[2],
            strain: 0.0,
        }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[..3].copy_from_slice(&at.q()[..3]);
        out[3..6].copy_from_slice(&at.v[..3]);
        out[6..10].copy_from_slice(&at.q()[3..]);
        out[10..].copy_from_slice(&at.v[3..]);
    }
}
