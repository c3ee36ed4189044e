//! Slider-crank in three angles with a guide that has no play: one degree of freedom, two rows.
//!
//! ```text
//!   Φ = (r_y, θ3) = (l1 sin θ1 + l2 sin θ2, θ3),      G = ⎛ l1 cos θ1   l2 cos θ2   0 ⎞
//!                                                         ⎝ 0           0           1 ⎠
//! ```
//!
//! What the four corners of `slider_crank_minimal.rs` hold for c = 0, as joints and without friction. Mechanics in
//! `slider_crank.rs`. [RezaeiSchindler] §4.1, [Schindler2015] §5.1. It starts consistent from θ1 and ω1:
//!
//! ```text
//!   θ2 = −asin(l1 sin θ1 / l2),   ω2 = −ω1 l1 cos θ1 / (l2 cos θ2),   θ3 = ω3 = 0
//! ```

use crate::sketch::crank_pins;
use crate::slider_crank::{Derived, Mechanics, SHARED};
use crate::{Sketch, SliderCrank, SystemParameter, Values};
use carom_dynamics::{Configuration, ConstraintInfo, Energy, Power, Quantity, Sizes, Structure, System};

/// Slider-crank in (θ1, θ2, θ3) without clearance.
#[derive(Clone, Debug)]
pub struct SliderCrankBilateral {
    mechanics: Mechanics,
    structure: Structure,
}

impl SliderCrankBilateral {
    /// The parameters: those of the slider-crank but for play, laws of contact, and what the joints determine.
    pub const PARAMETERS: &'static [SystemParameter] = &SHARED;

    /// With the data given; play, restitution, friction and the start of rod and slider do not matter.
    pub fn new(data: SliderCrank) -> Self {
        let guide = ConstraintInfo {
            name: "guide".into(),
            rows: 0..2,
            quantities: vec![(Quantity::Length, "normal"), (Quantity::Angle, "torque")],
        };
        let mechanics = Mechanics::new(SliderCrank { c: 0.0, ..data });
        let sizes = Sizes { q: 3, v: 3, constraints: 2, contacts: 0 };
        let structure = Structure {
            constraints: vec![guide],
            ..mechanics.structure(sizes, vec![(0, 0), (0, 1), (1, 2)])
        };
        Self { mechanics, structure }
    }

    /// The data that the parameters say.
    pub fn of(values: &Values) -> SliderCrank {
        let x = |name| values.get(name);
        SliderCrank {
            l1: x("l1"),
            l2: x("l2"),
            a: x("a"),
            b: x("b"),
            c: 0.0,
            m1: x("m1"),
            m2: x("m2"),
            m3: x("m3"),
            J1: x("J1"),
            J2: x("J2"),
            J3: x("J3"),
            gravity: x("gravity"),
            torque: x("torque"),
            angles: [x("angle1"), 0.0, 0.0],
            speeds: [x("omega1"), 0.0, 0.0],
            ..SliderCrank::default()
        }
    }

    /// The data.
    pub fn data(&self) -> &SliderCrank {
        &self.mechanics.data
    }

    /// (q, v) at the start, consistent with the joints; a rod that does not reach the guide, or stands across it while
    /// the crank turns, has none.
    pub fn start(&self) -> Result<(Vec<f64>, Vec<f64>), String> {
        let SliderCrank { l1, l2, angles: [angle1, ..], speeds: [omega1, ..], .. } = *self.data();
        let (s1, c1) = angle1.sin_cos();
        let s2 = -l1 * s1 / l2;
        if s2.abs() >= 1.0 {
            return Err(format!(
                "at angle1 = {angle1} the rod does not reach the guide; it must be longer than {} m",
                (l1 * s1).abs()
            ));
        }
        let angle2 = s2.asin();
        Ok((vec![angle1, angle2, 0.0], vec![omega1, -omega1 * l1 * c1 / (l2 * angle2.cos()), 0.0]))
    }

    /// What it looks like.
    pub fn sketch(&self) -> Sketch {
        let SliderCrank { l1, l2, .. } = *self.data();
        let pivots = crank_pins(0.5 * l1, 0.5 * l2, true);
        Sketch { parts: self.mechanics.parts(), pivots, ..Sketch::default() }
    }
}

impl System for SliderCrankBilateral {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, _: f64, q: &[f64], derived: &mut [f64]) {
        self.mechanics.derive(q, derived);
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        self.mechanics.mass(at, M);
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        self.mechanics.force(at, h);
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        self.mechanics.tangents(at, K, C);
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = self.mechanics.slider(&Derived::of(at))[1];
        phi[1] = at.q()[2];
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let d = Derived::of(at);
        G.copy_from_slice(&[d.l1c1, d.l2c2, 1.0]);
        phi_t.fill(0.0);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let d = Derived::of(at);
        bias[0] = -d.l1s1 * at.v[0] * at.v[0] - d.l2s2 * at.v[1] * at.v[1];
        bias[1] = 0.0;
    }

    fn energy(&self, at: &Configuration) -> Energy {
        self.mechanics.energy(at)
    }

    fn power(&self, at: &Configuration) -> Power {
        Power { applied: self.mechanics.data.torque * at.v[0], damping: 0.0 }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        self.mechanics.observe(at, out);
    }
}
