//! Beams that bend as far as they like.

use super::Damping;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A geometrically exact beam (Timoshenko, finite rotation) along x from its first end. Its nodes move in the inertial
/// frame; nothing is small.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactBeam {
    /// Length (m).
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio, for the shear modulus.
    #[serde(default = "poisson")]
    pub poisson: f64,
    /// Area of the section (m²).
    pub area: f64,
    /// Second moment of area (m⁴).
    pub second_moment: f64,
    /// Area that carries shear (m²); 5/6 of the area, as in a rectangle, if not given.
    pub shear_area: Option<f64>,
    /// Density (kg/m³).
    pub density: f64,
    /// Degree of the shape functions: 1 for elements of two nodes, 2 for elements of three.
    #[serde(default = "first")]
    pub order: u8,
    /// Whether the mass of an element sits in its nodes; if not, the mass matrix is consistent.
    #[serde(default)]
    pub lumped: bool,
    /// Damping; that by stiffness acts on the rates of strain and lets rigid motion alone.
    #[serde(default)]
    pub damping: Damping,
}

fn poisson() -> f64 {
    0.3
}

fn first() -> u8 {
    1
}
