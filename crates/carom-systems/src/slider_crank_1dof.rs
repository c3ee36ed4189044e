//! Slider-crank in the angles of crank and rod: one degree of freedom, one row.
//!
//! ```text
//!   q = (α1, α2),  Δ = α1 − α2,      Φ = l1 sin α1 + l2 sin α2          height of the slider
//!
//!   M = ⎛ I1        κ cos Δ ⎞        h = ⎛ −κ sin Δ ω2² − γ1 cos α1 ⎞
//!       ⎝ κ cos Δ   I2      ⎠            ⎝  κ sin Δ ω1² − γ2 cos α2 ⎠
//!
//!   I1 = m1 l1²/3 + (m2 + m3) l1²     γ1 = g l1 (m1/2 + m2 + m3)
//!   I2 = m2 l2²/3 + m3 l2²            γ2 = g l2 (m2/2 + m3)              κ = l1 l2 (m2/2 + m3)
//! ```
//!
//! [Haddouni2015] (3.5)–(3.9), Table 3.4; uniform bars. Entry 22 of (3.7) is printed with m2/2 where the parallel axis
//! gives m2/4. Table 3.4 prints l1 = l2 = 1 m with the speeds (4, −2), which no slider-crank with equal bars has. Three
//! readings make sense: l2 = 2 m, the default here; l2 = 1 m with the speeds (4, −4); l2 = 1 m with the printed speeds
//! projected. All are reached by parameters, since speeds that do not fit are brought to the nearest that do:
//!
//! ```text
//!   v = v0 − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G v0           nearest in kinetic energy
//! ```

use crate::sketch::{Part, bar, crank_pins, rectangle};
use crate::{Sketch, SystemParameter, Values, planar};
use carom_dynamics::{Configuration, ConstraintInfo, Energy, Pattern, Quantity, Sizes, Structure, System};

/// Slider-crank in (α1, α2).
#[derive(Clone, Debug)]
pub struct SliderCrank1Dof {
    /// l1, l2.
    l: [f64; 2],
    inertia: [f64; 2],
    /// κ / (l1 l2).
    coupling: f64,
    /// γ1/l1, γ2/l2.
    weight: [f64; 2],
    angle1: f64,
    /// ω at the start, as asked for.
    speeds: [f64; 2],
    structure: Structure,
}

const BODIES: [&str; 3] = ["crank", "rod", "slider"];

/// What is derived from q: l1 (cos, sin) α1, l2 (cos, sin) α2, κ (cos, sin) Δ.
#[derive(Clone, Copy)]
struct Derived {
    c: [f64; 2],
    s: [f64; 2],
    kc: f64,
    ks: f64,
}

impl Derived {
    fn of(at: &Configuration) -> Self {
        let d: &[f64; 6] = at.derived().try_into().expect("the size that was asked for");
        Self { c: [d[0], d[1]], s: [d[2], d[3]], kc: d[4], ks: d[5] }
    }
}

impl SliderCrank1Dof {
    /// The parameters with their defaults and ranges.
    pub const PARAMETERS: &'static [SystemParameter] = &[
        SystemParameter::positive("l1", "m", 1.0, "length of the crank"),
        SystemParameter::positive("l2", "m", 2.0, "length of the rod"),
        SystemParameter::positive("m1", "kg", 1.0, "mass of the crank"),
        SystemParameter::positive("m2", "kg", 1.0, "mass of the rod"),
        SystemParameter::positive("m3", "kg", 1.0, "mass of the slider"),
        SystemParameter::any("gravity", "m/s^2", 9.81, "gravity, downwards"),
        SystemParameter::any("angle1", "rad", 0.0, "angle of the crank at the start"),
        SystemParameter::any("omega1", "rad/s", 4.0, "speed of the crank at the start"),
        SystemParameter::any("omega2", "rad/s", -2.0, "speed of the rod at the start"),
    ];

    /// With the parameters of the registry.
    pub fn of(values: &Values) -> Self {
        let x = |name| values.get(name);
        let ([l1, l2], [m1, m2, m3], g) = (["l1", "l2"].map(x), ["m1", "m2", "m3"].map(x), x("gravity"));
        let guide = ConstraintInfo {
            name: "guide".into(),
            rows: 0..1,
            quantities: vec![(Quantity::Length, "normal")],
        };
        let sizes = Sizes { q: 2, v: 2, constraints: 1, contacts: 0 };
        let pattern = Pattern {
            mass: vec![(0, 0), (1, 0), (1, 1)],
            tangent: vec![(0, 0), (0, 1), (1, 0), (1, 1)],
            jacobian: vec![(0, 0), (0, 1)],
        };
        let structure = Structure {
            derived_len: 6,
            constraints: vec![guide],
            channels: planar::channels(&BODIES),
            velocities: planar::turning(&BODIES[..2]),
            ..Structure::new(sizes, pattern, l1 + l2)
        };
        Self {
            l: [l1, l2],
            inertia: [(m1 / 3.0 + m2 + m3) * l1 * l1, (m2 / 3.0 + m3) * l2 * l2],
            coupling: 0.5 * m2 + m3,
            weight: [g * (0.5 * m1 + m2 + m3), g * (0.5 * m2 + m3)],
            angle1: x("angle1"),
            speeds: ["omega1", "omega2"].map(x),
            structure,
        }
    }

    /// (q, v) at the start, consistent with the guide; a rod that does not reach it has none.
    pub fn start(&self) -> Result<(Vec<f64>, Vec<f64>), String> {
        let ([l1, l2], angle1) = (self.l, self.angle1);
        let s2 = -l1 * angle1.sin() / l2;
        if s2.abs() >= 1.0 {
            return Err(format!(
                "at angle1 = {angle1} the rod does not reach the guide; it must be longer than {} m",
                (l1 * angle1.sin()).abs()
            ));
        }
        let q = vec![angle1, s2.asin()];
        let mut derived = [0.0; 6];
        self.derive(0.0, &q, &mut derived);
        let ([g1, g2], kc, [I1, I2]) = ([derived[0], derived[1]], derived[4], self.inertia);
        // M⁻¹ Gᵀ up to the determinant of M, which cancels
        let w = [I2 * g1 - kc * g2, I1 * g2 - kc * g1];
        let [w1, w2] = self.speeds;
        let excess = (g1 * w1 + g2 * w2) / (g1 * w[0] + g2 * w[1]);
        Ok((q, vec![w1 - w[0] * excess, w2 - w[1] * excess]))
    }

    /// What it looks like.
    pub fn sketch(&self) -> Sketch {
        let [l1, l2] = self.l;
        let thick = 0.07 * l1;
        let slider = Part { body: BODIES[2], shapes: vec![rectangle(0.2 * l1, 0.1 * l1)], ..Part::default() };
        let reach = [(l2 - l1).abs() - 0.3 * l1, l1 + l2 + 0.3 * l1];
        let wall = |y: f64| vec![[reach[0], y], [reach[1], y]];
        let lines = vec![wall(0.1 * l1), wall(-0.1 * l1)];
        let ground = Part { body: "ground", lines, ..Part::default() };
        let parts =
            vec![bar(BODIES[0], 0.5 * l1, thick), bar(BODIES[1], 0.5 * l2, 0.8 * thick), slider, ground];
        Sketch { parts, pivots: crank_pins(0.5 * l1, 0.5 * l2, true), ..Sketch::default() }
    }
}

impl System for SliderCrank1Dof {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, _: f64, q: &[f64], derived: &mut [f64]) {
        let [(s1, c1), (s2, c2)] = [q[0], q[1]].map(f64::sin_cos);
        let ([l1, l2], k) = (self.l, self.coupling * self.l[0] * self.l[1]);
        let (kc, ks) = (k * (c1 * c2 + s1 * s2), k * (s1 * c2 - c1 * s2));
        derived.copy_from_slice(&[l1 * c1, l2 * c2, l1 * s1, l2 * s2, kc, ks]);
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&[self.inertia[0], Derived::of(at).kc, self.inertia[1]]);
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let d = Derived::of(at);
        h[0] = -d.ks * at.v[1] * at.v[1] - self.weight[0] * d.c[0];
        h[1] = d.ks * at.v[0] * at.v[0] - self.weight[1] * d.c[1];
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let d = Derived::of(at);
        let (w1, w2) = (at.v[0], at.v[1]);
        let (k1, k2) = (d.kc * w2 * w2, d.kc * w1 * w1);
        K.copy_from_slice(&[k1 - self.weight[0] * d.s[0], -k1, -k2, k2 - self.weight[1] * d.s[1]]);
        C.copy_from_slice(&[0.0, 2.0 * d.ks * w2, -2.0 * d.ks * w1, 0.0]);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let s = Derived::of(at).s;
        phi[0] = s[0] + s[1];
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        G.copy_from_slice(&Derived::of(at).c);
        phi_t.fill(0.0);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let s = Derived::of(at).s;
        bias[0] = -s[0] * at.v[0] * at.v[0] - s[1] * at.v[1] * at.v[1];
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let d = Derived::of(at);
        let ([I1, I2], [w1, w2]) = (self.inertia, [at.v[0], at.v[1]]);
        Energy {
            kinetic: 0.5 * (I1 * w1 * w1 + I2 * w2 * w2) + d.kc * w1 * w2,
            potential: self.weight[0] * d.s[0] + self.weight[1] * d.s[1],
            strain: 0.0,
        }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        let Derived { c, s, .. } = Derived::of(at);
        let v = [[-s[0] * at.v[0], c[0] * at.v[0]], [-s[1] * at.v[1], c[1] * at.v[1]]];
        let angles = [(at.q()[0], at.v[0]), (at.q()[1], at.v[1]), (0.0, 0.0)];
        // crank: half of its own way; rod: the pin and half of its own; slider: both
        for (i, (part1, part2)) in [(0.5, 0.0), (1.0, 0.5), (1.0, 1.0)].into_iter().enumerate() {
            let sum = |x: f64, y: f64| part1 * x + part2 * y;
            out[6 * i..6 * i + 6].copy_from_slice(&[
                sum(c[0], c[1]),
                sum(s[0], s[1]),
                angles[i].0,
                sum(v[0][0], v[1][0]),
                sum(v[0][1], v[1][1]),
                angles[i].1,
            ]);
        }
    }
}
