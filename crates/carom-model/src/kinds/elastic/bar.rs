//! Bars that move along their own line.

use super::{Damping, ElasticKind, elements, positive};
use crate::bodies::{self, Flexible};
use crate::build::{Builder, Built, direction};
use crate::check::Check;
use crate::description::Body;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{dot, norm};
use crate::kinds::Described;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Along what a bar may move at the start: its speed across, relative to its speed.
const ACROSS: f64 = 1e-9;

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

impl Described for Bar {
    fn kind(&self) -> &'static str {
        "bar"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { length, elements: _, young, area, density, lumped: _, damping } = self;
        see.number(length, Dimension::LENGTH);
        see.number(young, Dimension::STRESS);
        see.number(area, Dimension::AREA);
        see.number(density, Dimension::DENSITY);
        damping.quantities(see);
    }

    fn check(&self, key: &str) -> Check {
        positive(
            key,
            &[
                ("length", "length", self.length),
                ("young", "Young's modulus", self.young),
                ("area", "area", self.area),
                ("density", "density", self.density),
            ],
        )?;
        elements(key, self.elements)?;
        self.damping.check(key)
    }
}

impl ElasticKind for Bar {
    fn extent(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2], [self.length, 0.0]]
    }

    fn build(&self, key: &str, body: &Body, builder: &Builder) -> Built<Arc<dyn Flexible>> {
        let axis = direction(body.angle);
        let across = body.velocity[0] * axis[1] - body.velocity[1] * axis[0];
        if across.abs() > ACROSS * norm(body.velocity) || body.angular_velocity != 0.0 {
            let problem = Problem::Motion {
                message: "a bar moves along its own line only".into(),
                remedy: "give a velocity along it and no angular velocity, or use a beam".into(),
            };
            return Err(ModelError::new(&["bodies", key, "velocity"], problem));
        }
        let n = self.elements;
        let nodes: Vec<f64> = (0..=n).map(|i| self.length * i as f64 / n as f64).collect();
        Ok(Arc::new(bodies::Bar {
            axis,
            angle: body.angle,
            origin: body.position,
            stiffness: nodes.windows(2).map(|ends| self.young * self.area / (ends[1] - ends[0])).collect(),
            nodes,
            line_mass: self.density * self.area,
            area: self.area,
            lumped: self.lumped,
            rayleigh: self.damping.factors(),
            gravity: dot(builder.gravity(), axis),
        }))
    }
}
