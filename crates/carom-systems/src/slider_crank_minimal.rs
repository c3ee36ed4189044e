//! Slider-crank in three angles; the slider has play in its guide, and its four corners hit and rub.
//!
//! ```text
//!   corner i at (x_i a, y_i b) of the slider,  (x_i, y_i) = (−1, 1), (1, 1), (−1, −1), (1, −1)
//!   g_N,i = d/2 − y_i (r_y + x_i a sin θ3) − b cos θ3,   d/2 = b + c                     [RezaeiSchindler] (171)–(174)
//!   g_T,i = r_x + x_i a cos θ3 − y_i b sin θ3                                            (175)–(178)
//!   W_N,i = ∂g_N,i/∂q,  W_T,i = ∂g_T,i/∂q                                                (179), (180)
//! ```
//!
//! Mechanics in `slider_crank.rs`. c = 0 is allowed: all four corners are then closed for good.

use crate::sketch::crank_pins;
use crate::slider_crank::{BODIES, Derived, Mechanics};
use crate::{Corner, Sketch, SliderCrank};
use carom_dynamics::{
    Configuration, ContactInfo, ContactKind, Directions, Energy, Power, Sizes, Structure, System,
};

/// Side of the slider: (x_i, y_i).
const CORNERS: [(f64, f64); 4] = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
/// A start deeper in a wall than this part of the mechanism's length is no round-off.
const DEPTH: f64 = 1e-12;

/// Slider-crank in (θ1, θ2, θ3) with four corners that may touch.
#[derive(Clone, Debug)]
pub struct SliderCrankMinimal {
    mechanics: Mechanics,
    structure: Structure,
}

impl SliderCrankMinimal {
    /// With the data given.
    pub fn new(data: SliderCrank) -> Self {
        let kind = ContactKind::Frictional {
            restitution: data.restitution,
            tangential_restitution: data.tangential_restitution,
            friction: data.friction,
        };
        let contact = |i| ContactInfo::new(format!("guide.{i}"), kind.clone());
        let mechanics = Mechanics::new(data);
        let sizes = Sizes { q: 3, v: 3, constraints: 0, contacts: 4 };
        let structure =
            Structure { contacts: (1..=4).map(contact).collect(), ..mechanics.structure(sizes, Vec::new()) };
        Self { mechanics, structure }
    }

    /// The data.
    pub fn data(&self) -> &SliderCrank {
        &self.mechanics.data
    }

    /// (q, v) at the start.
    pub fn start(&self) -> (Vec<f64>, Vec<f64>) {
        (self.data().angles.to_vec(), self.data().speeds.to_vec())
    }

    /// Whether no corner is inside a wall.
    pub(crate) fn admissible(&self, q: &[f64]) -> Result<(), String> {
        let mut g_N = [0.0; 4];
        self.gaps(&Configuration::new(self, 0.0, q, &[0.0; 3]), &mut g_N);
        for (gap, contact) in g_N.iter().zip(&self.structure.contacts) {
            if *gap < -DEPTH * self.structure.length_scale {
                return Err(format!(
                    "corner {} is {:.3e} m inside its wall; other angles, or more play c",
                    contact.name, -gap
                ));
            }
        }
        Ok(())
    }

    /// What it looks like.
    pub fn sketch(&self) -> Sketch {
        let SliderCrank { l1, l2, a, b, .. } = *self.data();
        let corner = |(contact, (x, y)): (&ContactInfo, (f64, f64))| Corner {
            contact: contact.name.clone(),
            body: BODIES[2],
            at: [x * a, y * b],
        };
        Sketch {
            parts: self.mechanics.parts(),
            corners: self.structure.contacts.iter().zip(CORNERS).map(corner).collect(),
            pivots: crank_pins(0.5 * l1, 0.5 * l2, false),
            ..Sketch::default()
        }
    }
}

impl System for SliderCrankMinimal {
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

    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let d = Derived::of(at);
        let SliderCrank { a, b, c, .. } = self.mechanics.data;
        // c + b (1 − cos θ3) is exactly c for a level slider
        let (room, height, tilt) = (c + b * (1.0 - d.c3), self.mechanics.slider(&d)[1], a * d.s3);
        g_N.copy_from_slice(&CORNERS.map(|(x, y)| room - y * (height + x * tilt)));
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let d = Derived::of(at);
        let SliderCrank { a, b, .. } = self.mechanics.data;
        for &contact in active {
            let (x, y) = CORNERS[contact];
            W.begin_row(0.0);
            W.push(0, -y * d.l1c1);
            W.push(1, -y * d.l2c2);
            W.push(2, b * d.s3 - x * y * a * d.c3);
            W.begin_row(0.0);
            W.push(0, -d.l1s1);
            W.push(1, -d.l2s2);
            W.push(2, -x * a * d.s3 - y * b * d.c3);
        }
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let d = Derived::of(at);
        let SliderCrank { a, b, .. } = self.mechanics.data;
        let [w1, w2, w3] = [0, 1, 2].map(|i| at.v[i] * at.v[i]);
        for (&contact, bias) in active.iter().zip(bias.chunks_exact_mut(2)) {
            let (x, y) = CORNERS[contact];
            bias[0] = y * (d.l1s1 * w1 + d.l2s2 * w2) + (x * y * a * d.s3 + b * d.c3) * w3;
            bias[1] = -d.l1c1 * w1 - d.l2c2 * w2 + (y * b * d.s3 - x * a * d.c3) * w3;
        }
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
