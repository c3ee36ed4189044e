//! A massless rod between two points.

use super::JointKind;
use crate::build::{Builder, Built, TOUCHING};
use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{norm, sub};
use crate::joints::{self, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two points keep their distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    /// The two points.
    pub between: [String; 2],
    /// Distance (m); as it is at the start if left out.
    pub length: Option<f64>,
}

impl Described for Distance {
    fn kind(&self) -> &'static str {
        "distance"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, length } = self;
        see.all(length, Dimension::LENGTH);
    }

    fn check(&self, key: &str) -> Check {
        self.length.map_or(Ok(()), |length| number(length, "length", &["joints", key, "length"]).positive())
    }
}

impl JointKind for Distance {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let [one, two] = builder.pair("joints", key, &self.between)?;
        let (first, second) = (one.marker, two.marker);
        let now = norm(sub(first.at(start).r, second.at(start).r));
        if now <= TOUCHING * builder.length_scale() {
            return Err(ModelError::new(&["joints", key, "between"], Problem::Coincident));
        }
        let length = self.length.unwrap_or(now);
        builder.add_joint(key, vec![Element::Distance(joints::Distance { first, second, length })]);
        Ok(vec![one.anchor, two.anchor])
    }
}
