//! A coordinate that is driven.

use super::JointKind;
use crate::build::{Builder, Built};
use crate::check::{Check, expression};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{Along, Element, Turned};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A coordinate follows a function of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Body or point that is moved.
    pub of: String,
    /// Which coordinate: `x`, `y` or `angle`.
    pub coordinate: Coordinate,
    /// Function of `t` (m or rad), such as `"0.01*sin(10*t)"`.
    pub function: Expression,
}

/// A coordinate of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinate {
    /// Horizontal place (m).
    X,
    /// Vertical place (m).
    Y,
    /// Angle (rad).
    Angle,
}

impl Described for Motion {
    fn kind(&self) -> &'static str {
        "motion"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { of: _, coordinate, function } = self;
        let dimension = match coordinate {
            Coordinate::X | Coordinate::Y => Dimension::LENGTH,
            Coordinate::Angle => Dimension::ANGLE,
        };
        see.function(function, dimension);
    }

    fn check(&self, key: &str) -> Check {
        expression(&["joints", key, "function"], "function", &self.function)
    }
}

impl JointKind for Motion {
    fn between(&self) -> Vec<String> {
        vec!["ground".into(), self.of.clone()]
    }

    fn build(&self, key: &str, builder: &mut Builder, _: &Configuration) -> Built<Vec<Anchor>> {
        let path = ["joints", key, "of"];
        let frame = builder.frame(&self.of, &path)?;
        if !frame.marker.place.moves() {
            return Err(ModelError::new(&path, Problem::Immovable { name: self.of.clone() }));
        }
        if self.coordinate == Coordinate::Angle {
            builder.turning_place(&self.of, &path)?;
        }
        let function = builder.signal(&self.function, &["joints", key, "function"])?;
        let of = frame.marker;
        let element = match self.coordinate {
            Coordinate::X => Element::Along(Along { of, axis: [1.0, 0.0], function }),
            Coordinate::Y => Element::Along(Along { of, axis: [0.0, 1.0], function }),
            Coordinate::Angle => Element::Turned(Turned { of: of.place, offset: frame.angle, function }),
        };
        builder.add_driven_joint(key, element);
        Ok(vec![frame.anchor])
    }
}
