//! Beams that bend as far as they like.

use super::{Damping, ElasticKind, elements, positive, wrong};
use crate::bodies::{self, Flexible};
use crate::build::{Builder, Built};
use crate::check::Check;
use crate::description::Body;
use crate::dimension::{Dimension, Numbers};
use crate::kinds::Described;
use carom_elastic::{CrossSection, ElasticError, MassKind, Order};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What carries shear in a rectangle, of its area.
const SHEAR_SHARE: f64 = 5.0 / 6.0;

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

impl Described for ExactBeam {
    fn kind(&self) -> &'static str {
        "exact-beam"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            length,
            elements: _,
            young,
            poisson,
            area,
            second_moment,
            shear_area,
            density,
            order: _,
            lumped: _,
            damping,
        } = self;
        see.number(length, Dimension::LENGTH);
        see.number(young, Dimension::STRESS);
        see.number(poisson, Dimension::NONE);
        see.number(area, Dimension::AREA);
        see.number(second_moment, Dimension::AREA.times(Dimension::AREA));
        see.all(shear_area, Dimension::AREA);
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
                ("second_moment", "second moment of area", self.second_moment),
                ("shear_area", "shear area", self.shear_area.unwrap_or(self.area)),
                ("density", "density", self.density),
            ],
        )?;
        elements(key, self.elements)?;
        self.damping.check(key)
    }
}

impl ElasticKind for ExactBeam {
    fn extent(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2], [self.length, 0.0]]
    }

    fn build(&self, key: &str, _: &Body, builder: &Builder) -> Built<Arc<dyn Flexible>> {
        let order = match self.order {
            1 => Order::Linear,
            2 => Order::Quadratic,
            other => {
                let error = ElasticError::other(
                    format!("there are no beam elements of order {other}"),
                    "use 1 for elements of two nodes or 2 for elements of three",
                );
                return Err(wrong(key, &["order"], error));
            }
        };
        let [alpha, beta] = self.damping.factors();
        let shear_area = self.shear_area.unwrap_or(SHEAR_SHARE * self.area);
        let (E, nu, I) = (self.young, self.poisson, self.second_moment);
        let section = CrossSection::new(E, nu, self.area, I, shear_area, self.density)
            .and_then(|section| section.with_damping(beta))
            .map_err(|error| wrong(key, &["poisson"], error))?;
        let elements = carom_elastic::ExactBeam::straight(self.length, self.elements, order, section)
            .map_err(|error| wrong(key, &["elements"], error))?;
        let mass = if self.lumped { MassKind::Lumped } else { MassKind::Consistent };
        let g = builder.gravity();
        Ok(Arc::new(bodies::ExactBeam::new(elements, mass, alpha, g, self.area, I)))
    }
}
