//! Two frames are one: a pin, and a relative angle that stays.

use super::JointKind;
use crate::build::{Builder, Built};
use crate::check::Check;
use crate::dimension::Numbers;
use crate::joints::{Angle, Coincident, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Two frames coincide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weld {
    /// The two points.
    pub between: [String; 2],
}

impl Described for Weld {
    fn kind(&self) -> &'static str {
        "weld"
    }

    fn quantities(&mut self, _: &mut dyn Numbers) {
        let Self { between: _ } = self;
    }

    fn check(&self, _: &str) -> Check {
        Ok(())
    }
}

impl JointKind for Weld {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let [first, second] = builder.pair("joints", key, &self.between)?;
        let (one, two) = (first.marker.place.clone(), second.marker.place.clone());
        let revolute = Coincident { first: first.marker, second: second.marker };
        let mut elements = vec![Element::Coincident(revolute)];
        if one.takes_torque() && two.takes_torque() {
            // Frames coincide up to full turns.
            let apart = one.angle(start) + first.angle - two.angle(start) - second.angle;
            let turns = TAU * (apart / TAU).round();
            let offset = turns - first.angle + second.angle;
            elements.push(Element::Angle(Angle { first: one, second: two, ratio: -1.0, offset }));
        }
        builder.add_joint(key, elements);
        Ok(vec![first.anchor, second.anchor])
    }
}
