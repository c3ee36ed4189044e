//! A coordinate that is driven.

use super::JointKind;
use crate::build::{Built, SpaceBuilder};
use crate::check::{Check, expression};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::Vector;
use crate::joints::{Along, Driven, SpaceElement};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::{Configuration, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A coordinate follows a function of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// What is moved: a body or point for `x`, `y` and `z`, a joint for `angle` and `position`.
    pub of: String,
    /// Which coordinate.
    pub coordinate: Coordinate,
    /// Function of `t` (m or rad), such as `"0.01*sin(10*t)"`. An angle may go through any number of turns.
    pub function: Expression,
}

/// A coordinate of a body or joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinate {
    /// Place of a body or point along x (m).
    X,
    /// Place along y (m).
    Y,
    /// Place along z (m).
    Z,
    /// Angle of a joint about its axis (rad).
    Angle,
    /// Displacement of a joint along its axis (m).
    Position,
}

impl Described for Motion {
    fn kind(&self) -> &'static str {
        "motion"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { of: _, coordinate, function } = self;
        let dimension = if *coordinate == Coordinate::Angle { Dimension::ANGLE } else { Dimension::LENGTH };
        see.function(function, dimension);
    }

    fn check(&self, key: &str) -> Check {
        expression(&["joints", key, "function"], "function", &self.function)
    }
}

impl JointKind for Motion {
    fn between(&self) -> Vec<String> {
        match self.coordinate {
            Coordinate::X | Coordinate::Y | Coordinate::Z => vec!["ground".into(), self.of.clone()],
            Coordinate::Angle | Coordinate::Position => vec![self.of.clone()],
        }
    }

    fn refers_to_joints(&self) -> bool {
        matches!(self.coordinate, Coordinate::Angle | Coordinate::Position)
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let path = ["joints", key, "of"];
        let function = builder.signal(&self.function, &["joints", key, "function"])?;
        let axis = match self.coordinate {
            Coordinate::X => 0,
            Coordinate::Y => 1,
            Coordinate::Z => 2,
            Coordinate::Angle | Coordinate::Position => {
                let angle = self.coordinate == Coordinate::Angle;
                let quantity = if angle { Quantity::Angle } else { Quantity::Length };
                let of = builder.coordinate(&self.of, quantity, &path)?;
                let anchor = builder.anchor_of(&of.pair.b);
                builder.add_driven_joint(key, SpaceElement::Driven(Driven { of, function }));
                return Ok(vec![anchor]);
            }
        };
        let frame = builder.frame(&self.of, &path)?;
        if !frame.marker.place.moves() {
            return Err(ModelError::new(&path, Problem::Immovable { name: self.of.clone() }));
        }
        let along = Along { of: frame.marker, axis: Vector::axis(axis), function };
        builder.add_driven_joint(key, SpaceElement::Along(along));
        Ok(vec![frame.anchor])
    }
}
