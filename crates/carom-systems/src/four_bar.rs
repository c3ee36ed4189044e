//! Four-bar linkage in the angles of its three moving bars: one degree of freedom, two rows.
//!
//! ```text
//!   q = (φ1, φ2, φ3): inclinations of crank, coupler and rocker;  Δ = φ1 − φ2
//!
//!       ⎛ I1         κ cos Δ   0  ⎞        ⎛ −κ sin Δ ω2² − γ1 cos φ1 + torque ⎞
//!   M = ⎜ κ cos Δ    I2        0  ⎟,   h = ⎜  κ sin Δ ω1² − γ2 cos φ2          ⎟
//!       ⎝ 0          0         I3 ⎠        ⎝ −γ3 cos φ3                        ⎠
//!
//!   Φ = (l1 cos φ1 + l2 cos φ2 − l3 cos φ3 − d,  l1 sin φ1 + l2 sin φ2 − l3 sin φ3)
//!
//!   I1 = m1 l1²/3 + m2 l1²     I2 = m2 l2²/3     I3 = m3 l3²/3     κ = m2 l1 l2/2
//!   γ1 = g l1 (m1/2 + m2)      γ2 = g l2 m2/2    γ3 = g l3 m3/2
//! ```
//!
//! [Haddouni2015] (3.1)–(3.4), Table 3.2; uniform bars, so that the inertia about a centre is m l²/12. Two things differ
//! from what is printed: entry 22 of (3.2) has the mass of the crank where the coupler's belongs, equal for the data
//! used; and l2 = 360.55 mm is √0.13 m, with which the printed angles close the linkage (else 5e-6 m are missing). The steps
//! of Table 3.3 times its mean step make 3 s, but they are the steps of the printed 2 s (study `haddouni-four-bar`).
//!
//! It starts consistent from φ1 and ω1, with the pin of coupler and rocker above the line of their other ends:
//!
//! ```text
//!   ω2 = ω1 l1 sin(φ3 − φ1) / (l2 sin(φ2 − φ3)),   ω3 = ω1 l1 sin(φ2 − φ1) / (l3 sin(φ2 − φ3))
//! ```

use crate::sketch::{Part, Pivot, bar};
use crate::{Sketch, SystemParameter, Values, planar};
use carom_dynamics::{
    Configuration, ConstraintInfo, Energy, Pattern, Power, Quantity, Sizes, Structure, System,
};
use std::f64::consts::FRAC_PI_3;

/// Data of a four-bar linkage; the default is [Haddouni2015] Table 3.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBar {
    /// Lengths of crank, coupler and rocker (m).
    pub l: [f64; 3],
    /// Distance of the bearings (m).
    pub d: f64,
    /// Masses of crank, coupler and rocker (kg).
    pub m: [f64; 3],
    /// Gravity, downwards (m/s²).
    pub gravity: f64,
    /// Torque on the crank (N m).
    pub torque: f64,
    /// φ1 at the start (rad).
    pub angle1: f64,
    /// ω1 at the start (rad/s).
    pub omega1: f64,
}

impl FourBar {
    /// The parameters with their defaults and ranges.
    pub const PARAMETERS: &'static [SystemParameter] = &[
        SystemParameter::positive("l1", "m", 0.3, "length of the crank"),
        SystemParameter::positive("l2", "m", 0.360_555_127_546_398_96, "length of the coupler, sqrt(0.13)"),
        SystemParameter::positive("l3", "m", 0.4, "length of the rocker"),
        SystemParameter::positive("d", "m", 0.7, "distance of the bearings"),
        SystemParameter::positive("m1", "kg", 1.0, "mass of the crank"),
        SystemParameter::positive("m2", "kg", 1.0, "mass of the coupler"),
        SystemParameter::positive("m3", "kg", 1.0, "mass of the rocker"),
        SystemParameter::any("gravity", "m/s^2", 9.81, "gravity, downwards"),
        SystemParameter::any("torque", "N m", 6.0, "torque on the crank"),
        SystemParameter::any("angle1", "rad", FRAC_PI_3, "angle of the crank at the start"),
        SystemParameter::any("omega1", "rad/s", 0.0, "speed of the crank at the start"),
    ];

    /// The data that the parameters say.
    pub fn of(values: &Values) -> Self {
        let x = |name| values.get(name);
        Self {
            l: ["l1", "l2", "l3"].map(x),
            d: x("d"),
            m: ["m1", "m2", "m3"].map(x),
            gravity: x("gravity"),
            torque: x("torque"),
            angle1: x("angle1"),
            omega1: x("omega1"),
        }
    }
}

impl Default for FourBar {
    fn default() -> Self {
        Self::of(&Values::defaults(Self::PARAMETERS))
    }
}

/// Four-bar linkage in (φ1, φ2, φ3).
#[derive(Clone, Debug)]
pub struct FourBarMinimal {
    data: FourBar,
    /// I1, I2, I3.
    inertia: [f64; 3],
    /// κ / (l1 l2).
    coupling: f64,
    /// γ1/l1, γ2/l2, γ3/l3.
    weight: [f64; 3],
    structure: Structure,
}

const BODIES: [&str; 3] = ["crank", "coupler", "rocker"];

/// What is derived from q: l_i cos φ_i, l_i sin φ_i.
#[derive(Clone, Copy)]
struct Derived {
    c: [f64; 3],
    s: [f64; 3],
}

impl Derived {
    fn of(at: &Configuration) -> Self {
        let d: &[f64; 6] = at.derived().try_into().expect("the size that was asked for");
        Self { c: [d[0], d[1], d[2]], s: [d[3], d[4], d[5]] }
    }
}

impl FourBarMinimal {
    /// With the data given.
    pub fn new(data: FourBar) -> Self {
        let FourBar { l: [l1, l2, l3], m: [m1, m2, m3], gravity: g, .. } = data;
        let pin = ConstraintInfo {
            name: "pin".into(),
            rows: 0..2,
            quantities: vec![(Quantity::Length, "x"), (Quantity::Length, "y")],
        };
        let sizes = Sizes { q: 3, v: 3, constraints: 2, contacts: 0 };
        let pattern = Pattern {
            mass: vec![(0, 0), (1, 0), (1, 1), (2, 2)],
            tangent: vec![(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)],
            jacobian: vec![(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)],
        };
        let structure = Structure {
            derived_len: 6,
            constraints: vec![pin],
            has_power: data.torque != 0.0,
            channels: planar::channels(&BODIES),
            velocities: planar::turning(&BODIES),
            ..Structure::new(sizes, pattern, data.l.iter().sum())
        };
        Self {
            data,
            inertia: [(m1 / 3.0 + m2) * l1 * l1, m2 / 3.0 * l2 * l2, m3 / 3.0 * l3 * l3],
            coupling: 0.5 * m2,
            weight: [g * (0.5 * m1 + m2), 0.5 * g * m2, 0.5 * g * m3],
            structure,
        }
    }

    /// The data.
    pub fn data(&self) -> &FourBar {
        &self.data
    }

    /// (q, v) at the start, consistent with the pin; bars that do not reach each other have none, nor has a crank that
    /// turns while coupler and rocker are in line.
    pub fn start(&self) -> Result<(Vec<f64>, Vec<f64>), String> {
        let FourBar { l: [l1, l2, l3], d, angle1, omega1, .. } = self.data;
        let crank = [l1 * angle1.cos(), l1 * angle1.sin()];
        let across = [d - crank[0], -crank[1]];
        let r = across[0].hypot(across[1]);
        let cosine = (l2 * l2 + r * r - l3 * l3) / (2.0 * l2 * r);
        if cosine.is_nan() || cosine.abs() >= 1.0 {
            return Err(format!(
                "at angle1 = {angle1} coupler and rocker would have to bridge {r} m; they reach from {} to {} m",
                (l2 - l3).abs(),
                l2 + l3
            ));
        }
        let angle2 = across[1].atan2(across[0]) + cosine.acos();
        let angle3 = (l2 * angle2.sin() - across[1]).atan2(l2 * angle2.cos() - across[0]);
        let sine = (angle2 - angle3).sin();
        let omega2 = omega1 * l1 * (angle3 - angle1).sin() / (l2 * sine);
        let omega3 = omega1 * l1 * (angle2 - angle1).sin() / (l3 * sine);
        Ok((vec![angle1, angle2, angle3], vec![omega1, omega2, omega3]))
    }

    /// What it looks like.
    pub fn sketch(&self) -> Sketch {
        let FourBar { l, d, .. } = self.data;
        let thick = 0.07 * l[0];
        let mut parts: Vec<Part> = (0..3).map(|i| bar(BODIES[i], 0.5 * l[i], thick)).collect();
        let bearings = vec![([0.0; 2], 1.5 * thick), ([d, 0.0], 1.5 * thick)];
        parts.push(Part { body: "ground", disks: bearings, ..Part::default() });
        let ends = |i: usize| [(BODIES[i], [-0.5 * l[i], 0.0]), (BODIES[i], [0.5 * l[i], 0.0])];
        let [crank, coupler, rocker] = [ends(0), ends(1), ends(2)];
        let pivots = vec![
            Pivot::pin("foot", ("ground", [0.0; 2]), crank[0]),
            Pivot::pin("knee", crank[1], coupler[0]),
            Pivot::pin("pin", coupler[1], rocker[1]),
            Pivot::pin("bearing", ("ground", [d, 0.0]), rocker[0]),
        ];
        Sketch { parts, pivots, ..Sketch::default() }
    }

    /// κ cos Δ and κ sin Δ.
    fn coupled(&self, d: &Derived) -> (f64, f64) {
        let Derived { c, s } = d;
        (self.coupling * (c[0] * c[1] + s[0] * s[1]), self.coupling * (s[0] * c[1] - c[0] * s[1]))
    }
}

impl System for FourBarMinimal {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, _: f64, q: &[f64], derived: &mut [f64]) {
        for i in 0..3 {
            let (s, c) = q[i].sin_cos();
            derived[i] = self.data.l[i] * c;
            derived[3 + i] = self.data.l[i] * s;
        }
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        let (kc, _) = self.coupled(&Derived::of(at));
        let [I1, I2, I3] = self.inertia;
        M.copy_from_slice(&[I1, kc, I2, I3]);
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let d = Derived::of(at);
        let (_, ks) = self.coupled(&d);
        h[0] = self.data.torque - ks * at.v[1] * at.v[1] - self.weight[0] * d.c[0];
        h[1] = ks * at.v[0] * at.v[0] - self.weight[1] * d.c[1];
        h[2] = -self.weight[2] * d.c[2];
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let d = Derived::of(at);
        let (kc, ks) = self.coupled(&d);
        let (w1, w2) = (at.v[0], at.v[1]);
        let (k1, k2) = (kc * w2 * w2, kc * w1 * w1);
        let weight = |i: usize| self.weight[i] * d.s[i];
        K.copy_from_slice(&[k1 - weight(0), -k1, -k2, k2 - weight(1), -weight(2)]);
        C.copy_from_slice(&[0.0, 2.0 * ks * w2, -2.0 * ks * w1, 0.0, 0.0]);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let Derived { c, s } = Derived::of(at);
        phi[0] = c[0] + c[1] - c[2] - self.data.d;
        phi[1] = s[0] + s[1] - s[2];
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let Derived { c, s } = Derived::of(at);
        G.copy_from_slice(&[-s[0], -s[1], s[2], c[0], c[1], -c[2]]);
        phi_t.fill(0.0);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let Derived { c, s } = Derived::of(at);
        let w = [at.v[0] * at.v[0], at.v[1] * at.v[1], at.v[2] * at.v[2]];
        bias[0] = -c[0] * w[0] - c[1] * w[1] + c[2] * w[2];
        bias[1] = -s[0] * w[0] - s[1] * w[1] + s[2] * w[2];
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let d = Derived::of(at);
        let (kc, _) = self.coupled(&d);
        let sum = |f: &dyn Fn(usize) -> f64| f(0) + f(1) + f(2);
        Energy {
            kinetic: 0.5 * sum(&|i| self.inertia[i] * at.v[i] * at.v[i]) + kc * at.v[0] * at.v[1],
            potential: sum(&|i| self.weight[i] * d.s[i]),
            strain: 0.0,
        }
    }

    fn power(&self, at: &Configuration) -> Power {
        Power { applied: self.data.torque * at.v[0], damping: 0.0 }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        let Derived { c, s } = Derived::of(at);
        // where each bar begins, and how fast that point is
        let begins = [
            ([0.0; 2], [0.0; 2]),
            ([c[0], s[0]], [-s[0] * at.v[0], c[0] * at.v[0]]),
            ([self.data.d, 0.0], [0.0; 2]),
        ];
        for (i, (place, speed)) in begins.into_iter().enumerate() {
            let w = at.v[i];
            out[6 * i..6 * i + 6].copy_from_slice(&[
                place[0] + 0.5 * c[i],
                place[1] + 0.5 * s[i],
                at.q()[i],
                speed[0] - 0.5 * s[i] * w,
                speed[1] + 0.5 * c[i] * w,
                w,
            ]);
        }
    }
}
