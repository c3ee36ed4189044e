//! Joints with one axis that leave a turn about it, a way along it, or both.

use super::JointKind;
use crate::build::{Agree, Built, SpaceBuilder};
use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{Coordinate, Coupled, Holding, SpaceElement};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two points coincide, and the bodies turn against each other about z.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revolute {
    /// The two points.
    pub between: [String; 2],
}

/// The second point slides along z of the first frame; the bodies do not turn against each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prismatic {
    /// Guide first, slider second.
    pub between: [String; 2],
}

/// The second point slides along z of the first frame, and the bodies turn against each other about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cylindrical {
    /// The two points.
    pub between: [String; 2],
}

/// As cylindrical, with a thread: a whole turn of the second body against the first about z takes it one pitch along z.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Screw {
    /// The two points.
    pub between: [String; 2],
    /// Way along z per turn (m); negative for a left-handed thread.
    pub pitch: f64,
}

impl Described for Revolute {
    fn kind(&self) -> &'static str {
        "revolute"
    }

    fn quantities(&mut self, _: &mut dyn Numbers) {
        let Self { between: _ } = self;
    }

    fn check(&self, _: &str) -> Check {
        Ok(())
    }
}

impl Described for Prismatic {
    fn kind(&self) -> &'static str {
        "prismatic"
    }

    fn quantities(&mut self, _: &mut dyn Numbers) {
        let Self { between: _ } = self;
    }

    fn check(&self, _: &str) -> Check {
        Ok(())
    }
}

impl Described for Cylindrical {
    fn kind(&self) -> &'static str {
        "cylindrical"
    }

    fn quantities(&mut self, _: &mut dyn Numbers) {
        let Self { between: _ } = self;
    }

    fn check(&self, _: &str) -> Check {
        Ok(())
    }
}

impl Described for Screw {
    fn kind(&self) -> &'static str {
        "screw"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, pitch } = self;
        see.number(pitch, Dimension::LENGTH);
    }

    fn check(&self, key: &str) -> Check {
        let path = ["joints", key, "pitch"];
        number(self.pitch, "pitch", &path).finite()?;
        if self.pitch == 0.0 {
            let problem = Problem::NotPositive { quantity: "size of the pitch", value: 0.0 };
            return Err(ModelError::new(&path, problem));
        }
        Ok(())
    }
}

impl JointKind for Revolute {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        builder.measure(key, Coordinate::angle(joined.pair.clone(), 0.0));
        builder.add_joint(key, vec![SpaceElement::held(Holding::Revolute, joined.pair)]);
        Ok(joined.anchors.into())
    }
}

impl JointKind for Prismatic {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        builder.measure(key, Coordinate::displacement(joined.pair.clone()));
        builder.add_joint(key, vec![SpaceElement::held(Holding::Prismatic, joined.pair)]);
        Ok(joined.anchors.into())
    }
}

impl JointKind for Cylindrical {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        builder.measure(key, Coordinate::angle(joined.pair.clone(), 0.0));
        builder.measure(key, Coordinate::displacement(joined.pair.clone()));
        builder.add_joint(key, vec![SpaceElement::held(Holding::Cylindrical, joined.pair)]);
        Ok(joined.anchors.into())
    }
}

impl JointKind for Screw {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        let angle = Coordinate::angle(joined.pair.clone(), 0.0);
        let displacement = Coordinate::displacement(joined.pair.clone());
        // the thread fits where the bodies are at the start
        let turns = angle.value(start) / std::f64::consts::TAU;
        let offset = displacement.value(start) - self.pitch * turns;
        let thread = Coupled::screw(displacement.clone(), angle.clone(), self.pitch, offset);
        builder.measure(key, angle);
        builder.measure(key, displacement);
        let held = SpaceElement::held(Holding::Cylindrical, joined.pair);
        builder.add_joint(key, vec![held, SpaceElement::Coupled(thread)]);
        Ok(joined.anchors.into())
    }
}
