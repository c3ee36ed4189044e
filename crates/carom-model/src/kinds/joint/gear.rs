//! Two wheels that turn together.

use super::JointKind;
use crate::build::{Builder, Built};
use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{Angle, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two bodies turn at a fixed ratio: angle of the first + ratio · angle of the second stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// The two bodies.
    pub between: [String; 2],
    /// Ratio of the turning speeds; positive wheels turn against each other.
    pub ratio: f64,
}

impl Described for Gear {
    fn kind(&self) -> &'static str {
        "gear"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, ratio } = self;
        see.number(ratio, Dimension::NONE);
    }

    fn check(&self, key: &str) -> Check {
        let path = ["joints", key, "ratio"];
        number(self.ratio, "ratio", &path).finite()?;
        if self.ratio == 0.0 {
            let problem = Problem::NotPositive { quantity: "size of the ratio", value: 0.0 };
            return Err(ModelError::new(&path, problem));
        }
        Ok(())
    }
}

impl JointKind for Gear {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let ([first, second], anchors) = builder.turning_pair("joints", key, &self.between)?;
        let offset = first.angle(start) + self.ratio * second.angle(start);
        builder.add_joint(key, vec![Element::Angle(Angle { first, second, ratio: self.ratio, offset })]);
        Ok(anchors.into())
    }
}
