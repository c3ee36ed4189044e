//! A thread.

use super::JointKind;
use crate::build::{Agree, Built, LIMITS, Rubbing, SpaceBuilder};
use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{Coordinate, Coupled, Holding, SpaceElement};
use crate::kinds::Described;
use crate::kinds::joint::{limits, not_negative};
use crate::layout::SpaceAnchor;
use carom_dynamics::{Configuration, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// As cylindrical, with a thread: a whole turn of the second body against the first about z takes it one pitch along z.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Screw {
    /// The two points.
    pub between: [String; 2],
    /// Way along z per turn (m); negative for a left-handed thread.
    pub pitch: f64,
    /// Dry friction torque about the axis that does not depend on load (N m).
    #[serde(default)]
    pub friction_torque: f64,
    /// Lowest and highest angle of the second frame against the first (rad): a stop at either end. Turns are counted from the
    /// start, by the way along z.
    pub limits: Option<[f64; 2]>,
    /// Restitution of these stops, 0 to 1.
    #[serde(default)]
    pub limit_restitution: f64,
}

impl Described for Screw {
    fn kind(&self) -> &'static str {
        "screw"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, pitch, friction_torque, limits, limit_restitution } = self;
        see.number(pitch, Dimension::LENGTH);
        see.number(friction_torque, Dimension::TORQUE);
        limits::quantities(limits, limit_restitution, Quantity::Angle, see);
    }

    fn check(&self, key: &str) -> Check {
        let path = ["joints", key, "pitch"];
        number(self.pitch, "pitch", &path).finite()?;
        if self.pitch == 0.0 {
            let problem = Problem::NotPositive { quantity: "size of the pitch", value: 0.0 };
            return Err(ModelError::new(&path, problem));
        }
        not_negative(key, &[("friction_torque", "friction torque", self.friction_torque)])?;
        limits::check(key, self.limits, self.limit_restitution, Quantity::Angle)
    }
}

impl JointKind for Screw {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        let pair = joined.pair;
        let angle = Coordinate::angle(pair.clone(), 0.0);
        let displacement = Coordinate::displacement(pair.clone());
        // the thread fits where the bodies are at the start
        let turns = angle.value(start) / TAU;
        let offset = displacement.value(start) - self.pitch * turns;
        let thread = Coupled::screw(displacement.clone(), angle.clone(), self.pitch, offset);
        builder.measure(key, angle);
        builder.measure(key, displacement.clone());
        let held = SpaceElement::held(Holding::Cylindrical, pair.clone());
        builder.add_joint(key, vec![held, SpaceElement::Coupled(thread)]);
        if let Some(limits) = limits::Limits::of(self.limits, self.limit_restitution) {
            // angle = 2π (s − offset)/pitch
            let gain = TAU / self.pitch;
            let line = [gain, -gain * offset];
            builder.stops_of(key, &LIMITS, displacement, line, Quantity::Angle, &limits);
        }
        let rubbing = Rubbing { constant: self.friction_torque, coefficient: 0.0, rows: builder.no_rows() };
        builder.dry_turning(key, "friction", &pair, rubbing);
        Ok(joined.anchors.into())
    }
}
