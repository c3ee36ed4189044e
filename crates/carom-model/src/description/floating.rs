//! Elastic bodies in a floating frame: beams, and what they share with other elements.

use super::Damping;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A straight beam of Euler–Bernoulli elements in a floating frame: large motion, small deformation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beam {
    /// Length (m).
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Area of the section (m²).
    pub area: f64,
    /// Second moment of area of the section (m⁴).
    pub second_moment: f64,
    /// Density (kg/m³).
    pub density: f64,
    /// Height of the section in the plane (m); with it, stresses at the extreme fibres are recorded.
    #[serde(default)]
    pub height: Option<f64>,
    /// Whether sections have rotary inertia.
    #[serde(default)]
    pub rotary_inertia: RotaryInertia,
    /// How the frame is tied to the deformation.
    #[serde(default)]
    pub reference: Reference,
    /// Whether stretching by bending counts, so that tension stiffens and pressure softens; for beams that turn fast.
    #[serde(default)]
    pub stiffening: bool,
    /// Shapes to reduce the beam to; all nodal coordinates if left out.
    #[serde(default)]
    pub modes: Option<Modes>,
    /// Damping.
    #[serde(default)]
    pub damping: Damping,
    /// Damping as shares of critical damping, one for all modes or one for each; instead of `damping`.
    #[serde(default)]
    pub damping_ratios: Vec<f64>,
    /// Nodes whose section forces are recorded, besides root and tip.
    #[serde(default)]
    pub section_forces: Vec<usize>,
}

/// How a floating frame is tied to the deformation of its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// Tangent at the first end: no displacement and no rotation there.
    #[default]
    Clamped,
    /// Its x axis goes through both ends.
    Pinned,
    /// No displacement at the first end, no angular momentum of the deformation about it.
    Articulated,
    /// No linear and no angular momentum of the deformation.
    MeanAxis,
}

/// Which rotary inertia the sections of a beam have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RotaryInertia {
    /// None: the mass lies on the axis.
    #[default]
    None,
    /// Sections turn with the frame, not with the deformation.
    Rigid,
    /// Sections turn with the frame and with the deformation.
    Full,
}

/// Shapes that an elastic body is reduced to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Modes {
    /// The first so many eigenmodes.
    Count(usize),
    /// Chosen shapes.
    Chosen(ChosenModes),
}

/// Chosen shapes: eigenmodes by one of `count`, `numbers`, `below`; all of them if none is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChosenModes {
    /// The first so many eigenmodes.
    pub count: Option<usize>,
    /// Eigenmodes by their numbers; the slowest is 1.
    pub numbers: Option<Vec<usize>>,
    /// All eigenmodes below a frequency (Hz).
    pub below: Option<f64>,
    /// Points of the body whose displacements are exact for forces there (Craig–Bampton); the eigenmodes are then those
    /// with these points held.
    pub interface: Vec<String>,
    /// Points of the body for which the static deflection that the eigenmodes miss is added.
    pub correction: Vec<String>,
}
