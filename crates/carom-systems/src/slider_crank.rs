//! The mechanics that the slider-cranks in three angles share: M, h, tangents, energy, places.
//!
//! ```text
//!   q = (θ1, θ2, θ3): inclinations of crank, rod and slider;  Δ = θ1 − θ2
//!   r = l1 (cos θ1, sin θ1) + l2 (cos θ2, sin θ2)                    centre of the slider
//!
//!       ⎛ I1         κ cos Δ   0  ⎞        ⎛ −κ sin Δ ω2² − γ1 cos θ1 + torque ⎞
//!   M = ⎜ κ cos Δ    I2        0  ⎟,   h = ⎜  κ sin Δ ω1² − γ2 cos θ2          ⎟
//!       ⎝ 0          0         J3 ⎠        ⎝  0                                ⎠
//!
//!   I1 = J1 + m1 l1²/4 + (m2 + m3) l1²       γ1 = g l1 (m1/2 + m2 + m3)
//!   I2 = J2 + m2 l2²/4 + m3 l2²              γ2 = g l2 (m2/2 + m3)              κ = l1 l2 (m2/2 + m3)
//! ```
//!
//! [RezaeiSchindler] App. C with a rigid rod. J1, J2, J3 are about the centres of mass; (144) prints l1²/2 and (169) a
//! sine: the parallel axis and the work of the weight give l1²/4 and the cosine used here.

use crate::sketch::{Part, bar, rectangle};
use crate::{SystemParameter, Values, planar};
use carom_dynamics::{Configuration, Energy, Pattern, Sizes, Structure};

/// Parameters that matter with and without play.
pub(crate) const SHARED: [SystemParameter; 14] = [
    SystemParameter::positive("l1", "m", 0.153, "length of the crank"),
    SystemParameter::positive("l2", "m", 0.306, "length of the rod"),
    SystemParameter::positive("a", "m", 0.05, "half length of the slider"),
    SystemParameter::positive("b", "m", 0.025, "half height of the slider"),
    SystemParameter::positive("m1", "kg", 0.038, "mass of the crank"),
    SystemParameter::positive("m2", "kg", 0.038, "mass of the rod"),
    SystemParameter::positive("m3", "kg", 0.076, "mass of the slider"),
    SystemParameter::positive("J1", "kg m^2", 7.4e-5, "inertia of the crank about its centre"),
    SystemParameter::positive("J2", "kg m^2", 5.9e-4, "inertia of the rod about its centre"),
    SystemParameter::positive("J3", "kg m^2", 2.7e-6, "inertia of the slider about its centre"),
    SystemParameter::any("gravity", "m/s^2", 9.81, "gravity, downwards"),
    SystemParameter::any("torque", "N m", 0.0, "torque on the crank"),
    SystemParameter::any("angle1", "rad", 0.0, "angle of the crank at the start"),
    SystemParameter::any("omega1", "rad/s", 150.0, "speed of the crank at the start"),
];

/// Parameters of the play, and of what moves because of it.
const PLAY: [SystemParameter; 8] = [
    SystemParameter::from_zero("c", "m", 0.001, f64::MAX, "play on each side of the slider"),
    SystemParameter::from_zero("restitution", "", 0.4, 1.0, "normal restitution of the corners"),
    SystemParameter {
        least: -1.0,
        ..SystemParameter::from_zero(
            "tangential_restitution",
            "",
            0.0,
            1.0,
            "tangential restitution of the corners",
        )
    },
    SystemParameter::from_zero("friction", "", 0.01, f64::MAX, "friction of the corners"),
    SystemParameter::any("angle2", "rad", 0.0, "angle of the rod at the start"),
    SystemParameter::any("angle3", "rad", 0.0, "angle of the slider at the start"),
    SystemParameter::any("omega2", "rad/s", -75.0, "speed of the rod at the start"),
    SystemParameter::any("omega3", "rad/s", 0.0, "speed of the slider at the start"),
];

/// Data of a slider-crank; the default is [RezaeiSchindler] Table 1 = [Schindler2015] Table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliderCrank {
    /// Length of the crank (m).
    pub l1: f64,
    /// Length of the rod (m).
    pub l2: f64,
    /// Half length of the slider (m).
    pub a: f64,
    /// Half height of the slider (m).
    pub b: f64,
    /// Play on each side of the slider (m): the notch is 2 (b + c) high.
    pub c: f64,
    /// Mass of the crank (kg).
    pub m1: f64,
    /// Mass of the rod (kg).
    pub m2: f64,
    /// Mass of the slider (kg).
    pub m3: f64,
    /// Inertia of the crank about its centre (kg m²).
    pub J1: f64,
    /// Inertia of the rod about its centre (kg m²).
    pub J2: f64,
    /// Inertia of the slider about its centre (kg m²).
    pub J3: f64,
    /// Gravity, downwards (m/s²).
    pub gravity: f64,
    /// Torque on the crank (N m).
    pub torque: f64,
    /// e_N of the corners.
    pub restitution: f64,
    /// e_T of the corners.
    pub tangential_restitution: f64,
    /// μ of the corners.
    pub friction: f64,
    /// θ at the start (rad).
    pub angles: [f64; 3],
    /// ω at the start (rad/s).
    pub speeds: [f64; 3],
}

impl SliderCrank {
    /// The parameters with their defaults and ranges.
    pub const PARAMETERS: &'static [SystemParameter] = &{
        let mut all = [SHARED[0]; SHARED.len() + PLAY.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = if i < SHARED.len() { SHARED[i] } else { PLAY[i - SHARED.len()] };
            i += 1;
        }
        all
    };

    /// The data that the parameters say.
    pub fn of(values: &Values) -> Self {
        let x = |name| values.get(name);
        Self {
            l1: x("l1"),
            l2: x("l2"),
            a: x("a"),
            b: x("b"),
            c: x("c"),
            m1: x("m1"),
            m2: x("m2"),
            m3: x("m3"),
            J1: x("J1"),
            J2: x("J2"),
            J3: x("J3"),
            gravity: x("gravity"),
            torque: x("torque"),
            restitution: x("restitution"),
            tangential_restitution: x("tangential_restitution"),
            friction: x("friction"),
            angles: ["angle1", "angle2", "angle3"].map(x),
            speeds: ["omega1", "omega2", "omega3"].map(x),
        }
    }

    /// The motion changed to that of Table 2: from rest, driven by 1 N m, c = 0.5 mm, e_N = μ = 0.1.
    pub fn table_2() -> Self {
        let (c, torque, restitution, friction) = (5e-4, 1.0, 0.1, 0.1);
        Self { c, torque, restitution, friction, speeds: [0.0; 3], ..Self::default() }
    }
}

impl Default for SliderCrank {
    fn default() -> Self {
        Self::of(&Values::defaults(Self::PARAMETERS))
    }
}

/// Length of what is derived from q.
const DERIVED: usize = 8;

/// What is derived from q: l1 (cos, sin) θ1, l2 (cos, sin) θ2, (cos, sin) θ3, κ (cos, sin) Δ.
#[derive(Clone, Copy)]
pub(crate) struct Derived {
    pub l1c1: f64,
    pub l1s1: f64,
    pub l2c2: f64,
    pub l2s2: f64,
    pub c3: f64,
    pub s3: f64,
    pub kc: f64,
    pub ks: f64,
}

impl Derived {
    #[inline]
    pub fn of(at: &Configuration) -> Self {
        let d: &[f64; DERIVED] = at.derived().try_into().expect("the size that was asked for");
        Self { l1c1: d[0], l1s1: d[1], l2c2: d[2], l2s2: d[3], c3: d[4], s3: d[5], kc: d[6], ks: d[7] }
    }
}

/// Where the entries of M stand, and those of K and C.
const MASS: [(u32, u32); 4] = [(0, 0), (1, 0), (1, 1), (2, 2)];
const TANGENT: [(u32, u32); 4] = [(0, 0), (0, 1), (1, 0), (1, 1)];

/// The constants of M and h.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mechanics {
    pub data: SliderCrank,
    I1: f64,
    I2: f64,
    /// κ / (l1 l2).
    coupling: f64,
    /// γ1/l1 and γ2/l2.
    weight1: f64,
    weight2: f64,
}

impl Mechanics {
    pub fn new(data: SliderCrank) -> Self {
        let SliderCrank { l1, l2, m1, m2, m3, J1, J2, gravity: g, .. } = data;
        Self {
            data,
            I1: J1 + 0.25 * m1 * l1 * l1 + (m2 + m3) * l1 * l1,
            I2: J2 + 0.25 * m2 * l2 * l2 + m3 * l2 * l2,
            coupling: 0.5 * m2 + m3,
            weight1: g * (0.5 * m1 + m2 + m3),
            weight2: g * (0.5 * m2 + m3),
        }
    }

    #[inline]
    pub fn derive(&self, q: &[f64], derived: &mut [f64]) {
        let [(s1, c1), (s2, c2), (s3, c3)] = [q[0], q[1], q[2]].map(f64::sin_cos);
        let SliderCrank { l1, l2, .. } = self.data;
        let (l1c1, l1s1, l2c2, l2s2) = (l1 * c1, l1 * s1, l2 * c2, l2 * s2);
        let (kc, ks) = (l1c1 * l2c2 + l1s1 * l2s2, l1s1 * l2c2 - l1c1 * l2s2);
        derived.copy_from_slice(&[l1c1, l1s1, l2c2, l2s2, c3, s3, self.coupling * kc, self.coupling * ks]);
    }

    #[inline]
    pub fn mass(&self, at: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&[self.I1, Derived::of(at).kc, self.I2, self.data.J3]);
    }

    #[inline]
    pub fn force(&self, at: &Configuration, h: &mut [f64]) {
        let d = Derived::of(at);
        h.copy_from_slice(&[
            self.data.torque - d.ks * at.v[1] * at.v[1] - self.weight1 * d.l1c1,
            d.ks * at.v[0] * at.v[0] - self.weight2 * d.l2c2,
            0.0,
        ]);
    }

    /// K = −∂h/∂q and C = −∂h/∂v.
    #[inline]
    pub fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let d = Derived::of(at);
        let (w1, w2) = (at.v[0], at.v[1]);
        let (k1, k2) = (d.kc * w2 * w2, d.kc * w1 * w1);
        K.copy_from_slice(&[k1 - self.weight1 * d.l1s1, -k1, -k2, k2 - self.weight2 * d.l2s2]);
        C.copy_from_slice(&[0.0, 2.0 * d.ks * w2, -2.0 * d.ks * w1, 0.0]);
    }

    pub fn energy(&self, at: &Configuration) -> Energy {
        let d = Derived::of(at);
        let [w1, w2, w3] = [at.v[0], at.v[1], at.v[2]];
        Energy {
            kinetic: 0.5 * (self.I1 * w1 * w1 + self.I2 * w2 * w2 + self.data.J3 * w3 * w3) + d.kc * w1 * w2,
            potential: self.weight1 * d.l1s1 + self.weight2 * d.l2s2,
            strain: 0.0,
        }
    }

    /// Centre of the slider.
    #[inline]
    pub fn slider(&self, d: &Derived) -> [f64; 2] {
        [d.l1c1 + d.l2c2, d.l1s1 + d.l2s2]
    }

    /// Place, angle and velocities of the three bodies, as an assembled model has them.
    pub fn observe(&self, at: &Configuration, out: &mut [f64]) {
        let d = Derived::of(at);
        let [w1, w2, w3] = [at.v[0], at.v[1], at.v[2]];
        let pin = ([d.l1c1, d.l1s1], [-d.l1s1 * w1, d.l1c1 * w1]);
        let rod = ([d.l2c2, d.l2s2], [-d.l2s2 * w2, d.l2c2 * w2]);
        let centres = [
            (0.5, 0.0), // crank: half of its own way
            (1.0, 0.5), // rod: the pin, and half of its own
            (1.0, 1.0),
        ];
        for (i, (part1, part2)) in centres.into_iter().enumerate() {
            let sum = |x: f64, y: f64| part1 * x + part2 * y;
            out[6 * i..6 * i + 6].copy_from_slice(&[
                sum(pin.0[0], rod.0[0]),
                sum(pin.0[1], rod.0[1]),
                at.q()[i],
                sum(pin.1[0], rod.1[0]),
                sum(pin.1[1], rod.1[1]),
                [w1, w2, w3][i],
            ]);
        }
    }

    /// What both slider-cranks have in common.
    pub fn structure(&self, sizes: Sizes, jacobian: Vec<(u32, u32)>) -> Structure {
        let pattern = Pattern { mass: MASS.to_vec(), tangent: TANGENT.to_vec(), jacobian };
        Structure {
            derived_len: DERIVED,
            has_power: self.data.torque != 0.0,
            channels: planar::channels(&BODIES),
            velocities: planar::turning(&BODIES),
            ..Structure::new(sizes, pattern, self.data.l1 + self.data.l2)
        }
    }

    /// Crank and rod as bars with their pins, the slider as a rectangle, the walls of the guide.
    pub fn parts(&self) -> Vec<Part> {
        let SliderCrank { l1, l2, a, b, c, .. } = self.data;
        // bars and pins in proportion
        let thick = 0.07 * l1;
        let slider = Part { body: "slider", shapes: vec![rectangle(a, b)], ..Part::default() };
        let reach = [(l2 - l1).abs() - 1.5 * a, l1 + l2 + 1.5 * a];
        let wall = |y: f64| vec![[reach[0], y], [reach[1], y]];
        let ground = Part { body: "ground", lines: vec![wall(b + c), wall(-b - c)], ..Part::default() };
        vec![bar(BODIES[0], 0.5 * l1, thick), bar(BODIES[1], 0.5 * l2, 0.8 * thick), slider, ground]
    }
}

/// The bodies in order.
pub(crate) const BODIES: [&str; 3] = ["crank", "rod", "slider"];
