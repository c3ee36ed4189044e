//! What makes a body flexible.

use super::{Beam, ExactBeam, Solid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a body deforms. Its frame sits at the first end of a bar or beam, x along it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Elastic {
    /// Stretches and travels along its own straight line, which stays where it is.
    Bar(Bar),
    /// Bends and stretches a little in a floating frame that moves at will.
    Beam(Beam),
    /// A beam that bends, stretches and shears as far as it likes.
    ExactBeam(ExactBeam),
    /// A plane solid that deforms a little in a floating frame that moves at will.
    Solid(Box<Solid>),
}

impl Elastic {
    /// Points that span the undeformed body, in its frame (m).
    pub fn extent(&self) -> Vec<[f64; 2]> {
        match self {
            Elastic::Bar(bar) => vec![[0.0; 2], [bar.length, 0.0]],
            Elastic::Beam(beam) => vec![[0.0; 2], [beam.length, 0.0]],
            Elastic::ExactBeam(beam) => vec![[0.0; 2], [beam.length, 0.0]],
            Elastic::Solid(solid) => solid.extent(),
        }
    }
}

/// A bar of linear finite elements that moves along its own line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bar {
    /// Length (m).
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Area of the section (m²).
    pub area: f64,
    /// Density (kg/m³).
    pub density: f64,
    /// Whether the mass of an element sits in its nodes; if not, the mass matrix is consistent.
    #[serde(default)]
    pub lumped: bool,
    /// Damping.
    #[serde(default)]
    pub damping: Damping,
}

/// Internal damping, C = mass · M + stiffness · K; by these factors, or by the shares of critical damping at two frequencies.
///
/// A vibration of frequency ω has the share ξ = (mass/ω + stiffness · ω)/2: larger outside of the two frequencies than the larger one
/// there, and smaller between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Damping {
    /// Factor of M (1/s).
    pub mass: f64,
    /// Factor of K (s).
    pub stiffness: f64,
    /// Shares of critical damping at the two `frequencies`, in the place of `mass` and `stiffness`.
    pub ratios: Option<[f64; 2]>,
    /// The two frequencies (Hz).
    pub frequencies: Option<[f64; 2]>,
}

/// A factor below this part of what it is computed from is none.
const NOTHING: f64 = 1e-12;

impl Damping {
    /// Factors of M (1/s) and K (s).                                                     [Ebrahimi2007] (2.45)–(2.47)
    pub fn factors(&self) -> [f64; 2] {
        let (Some([xi_1, xi_2]), Some(frequencies)) = (self.ratios, self.frequencies) else {
            return [self.mass, self.stiffness];
        };
        let [omega_1, omega_2] = frequencies.map(|f| std::f64::consts::TAU * f);
        let difference =
            |a: f64, b: f64| if (a - b).abs() <= NOTHING * (a.abs() + b.abs()) { 0.0 } else { a - b };
        let per = 2.0 / ((omega_2 - omega_1) * (omega_2 + omega_1));
        let mass = per * omega_1 * omega_2 * difference(xi_1 * omega_2, xi_2 * omega_1);
        [mass, per * difference(xi_2 * omega_2, xi_1 * omega_1)]
    }
}
