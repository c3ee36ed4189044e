//! Beams that bend a little in a floating frame.

use super::floating::Carriage;
use super::{Damping, ElasticKind, Modes, Reference, elements, positive, ratios, wrong};
use crate::bodies::Flexible;
use crate::build::{Builder, Built};
use crate::check::Check;
use crate::description::Body;
use crate::dimension::{Dimension, Numbers};
use crate::kinds::Described;
use carom_elastic::Section;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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

impl Described for Beam {
    fn kind(&self) -> &'static str {
        "beam"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            length,
            elements: _,
            young,
            area,
            second_moment,
            density,
            height,
            rotary_inertia: _,
            reference: _,
            stiffening: _,
            modes,
            damping,
            damping_ratios,
            section_forces: _,
        } = self;
        see.number(length, Dimension::LENGTH);
        see.number(young, Dimension::STRESS);
        see.number(area, Dimension::AREA);
        see.number(second_moment, Dimension::AREA.times(Dimension::AREA));
        see.number(density, Dimension::DENSITY);
        see.all(height, Dimension::LENGTH);
        see.all(damping_ratios, Dimension::NONE);
        modes.iter_mut().for_each(|modes| modes.quantities(see));
        damping.quantities(see);
    }

    fn check(&self, key: &str) -> Check {
        positive(
            key,
            &[
                ("length", "length", self.length),
                ("young", "Young's modulus", self.young),
                ("area", "area", self.area),
                ("second_moment", "second moment of area", self.second_moment),
                ("height", "height", self.height.unwrap_or(1.0)),
                ("density", "density", self.density),
            ],
        )?;
        elements(key, self.elements)?;
        self.damping.check(key)?;
        ratios(key, &self.damping_ratios)
    }
}

impl ElasticKind for Beam {
    fn extent(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2], [self.length, 0.0]]
    }

    fn build(&self, key: &str, body: &Body, builder: &Builder) -> Built<Arc<dyn Flexible>> {
        let section = Section {
            modulus: self.young,
            area: self.area,
            second_moment: self.second_moment,
            density: self.density,
            height: self.height,
        };
        let rotary = match self.rotary_inertia {
            RotaryInertia::None => carom_elastic::RotaryInertia::None,
            RotaryInertia::Rigid => carom_elastic::RotaryInertia::Rigid,
            RotaryInertia::Full => carom_elastic::RotaryInertia::Full,
        };
        let elements = carom_elastic::Beam::uniform(self.length, self.elements, section)
            .map_err(|error| wrong(key, &["elements"], error))?
            .with_rotary_inertia(rotary)
            .with_outputs_at(self.section_forces.clone())
            .map_err(|error| wrong(key, &["section_forces"], error))?;
        let carriage = Carriage {
            reference: self.reference,
            modes: self.modes.as_ref(),
            damping: &self.damping,
            damping_ratios: &self.damping_ratios,
            stiffening: self.stiffening,
        };
        carriage.build(key, body, Arc::new(elements), builder)
    }
}
