//! A ball in a socket.

use super::JointKind;
use crate::build::{Built, SpaceBuilder};
use crate::check::Check;
use crate::dimension::Numbers;
use crate::joints::{Coincident, SpaceElement};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two points coincide; every rotation is free. The reaction has inertial components.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spherical {
    /// The two points.
    pub between: [String; 2],
}

impl Described for Spherical {
    fn kind(&self) -> &'static str {
        "spherical"
    }

    fn quantities(&mut self, _: &mut dyn Numbers) {
        let Self { between: _ } = self;
    }

    fn check(&self, _: &str) -> Check {
        Ok(())
    }
}

impl JointKind for Spherical {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let [first, second] = builder.pair("joints", key, &self.between)?;
        let ball = Coincident { first: first.marker, second: second.marker };
        builder.add_joint(key, vec![SpaceElement::Coincident(ball)]);
        Ok(vec![first.anchor, second.anchor])
    }
}
