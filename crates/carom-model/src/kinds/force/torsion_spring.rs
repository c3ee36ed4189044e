//! Springs and dampers between angles.

use super::ForceKind;
use crate::build::{Builder, Built};
use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::forces::{self, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Spring and damper between the angles of two bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorsionSpring {
    /// The two bodies.
    pub between: [String; 2],
    /// Stiffness (N m/rad).
    #[serde(default)]
    pub stiffness: f64,
    /// Damping (N m s/rad).
    #[serde(default)]
    pub damping: f64,
    /// Relative angle without torque (rad): angle of the second minus angle of the first.
    #[serde(default)]
    pub angle: f64,
}

impl Described for TorsionSpring {
    fn kind(&self) -> &'static str {
        "torsion-spring"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, stiffness, damping, angle } = self;
        see.number(stiffness, Dimension::TORQUE.per(Dimension::ANGLE));
        see.number(damping, Dimension::TORQUE.times(Dimension::TIME).per(Dimension::ANGLE));
        see.number(angle, Dimension::ANGLE);
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["forces", key, field];
        number(self.stiffness, "stiffness", &at("stiffness")).not_negative()?;
        number(self.damping, "damping", &at("damping")).not_negative()?;
        number(self.angle, "angle", &at("angle")).finite()
    }
}

impl ForceKind for TorsionSpring {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, _: &Configuration) -> Built<Vec<Anchor>> {
        let ([first, second], _) = builder.turning_pair("forces", key, &self.between)?;
        let (stiffness, damping, angle) = (self.stiffness, self.damping, self.angle);
        let spring = forces::TorsionSpring { first, second, stiffness, damping, angle };
        builder.add_force(Element::TorsionSpring(spring));
        Ok(Vec::new())
    }
}
