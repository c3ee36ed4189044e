//! A wheel and a rack.

use super::JointKind;
use crate::build::{Builder, Built};
use crate::check::{Check, finite_pair, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{dot, norm, scale};
use crate::joints::{self, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A wheel rolls a rack along: displacement of the rack along its axis since the start = radius · angle the wheel
/// has turned since the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// Wheel first, rack second.
    pub between: [String; 2],
    /// Direction of the rack in the inertial frame.
    pub axis: [f64; 2],
    /// Pitch radius (m).
    pub radius: f64,
}

impl Described for Rack {
    fn kind(&self) -> &'static str {
        "rack"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, axis, radius } = self;
        see.all(axis, Dimension::NONE);
        // Displacement per radian, in any units.
        see.number(radius, Dimension::LENGTH);
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["joints", key, field];
        finite_pair(self.axis, "axis", &at("axis"))?;
        if norm(self.axis) == 0.0 {
            return Err(ModelError::new(&at("axis"), Problem::NoDirection { quantity: "axis" }));
        }
        number(self.radius, "radius", &at("radius")).positive()
    }
}

impl JointKind for Rack {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let (wheel, at) = builder.turning_place(&self.between[0], &["joints", key, "between", "0"])?;
        let to = builder.frame(&self.between[1], &["joints", key, "between", "1"])?;
        let (rack, radius) = (to.marker, self.radius);
        builder.two_bodies(&wheel, &rack.place, &["joints", key, "between"])?;
        let axis = scale(1.0 / norm(self.axis), self.axis);
        let offset = dot(axis, rack.at(start).r) - radius * wheel.angle(start);
        builder.add_joint(key, vec![Element::Rack(joints::Rack { wheel, rack, axis, radius, offset })]);
        Ok(vec![at, to.anchor])
    }
}
