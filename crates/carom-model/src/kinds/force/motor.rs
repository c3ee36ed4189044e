//! Motors in joints.

use super::ForceKind;
use crate::build::{Builder, Built, Gives, Sense, Unit};
use crate::check::{Check, expression};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{Drive, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A motor in a joint with one freedom: it pushes its coordinate, and the opposite acts on the other body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// The joint: revolute or prismatic.
    pub joint: String,
    /// Torque (N m) of the second body of a revolute joint against the first, a function of `angle` and `rate` of the joint, of
    /// `t` and of the motion.
    pub torque: Option<Expression>,
    /// Force (N) on the slider of a prismatic joint along its axis, a function of `position` and `rate` of the joint, of `t`
    /// and of the motion.
    pub force: Option<Expression>,
}

impl Described for Motor {
    fn kind(&self) -> &'static str {
        "motor"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { joint: _, torque, force } = self;
        torque.iter_mut().for_each(|torque| see.law(torque, Dimension::TORQUE));
        force.iter_mut().for_each(|force| see.law(force, Dimension::FORCE));
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["forces", key, field];
        self.torque.iter().try_for_each(|torque| expression(&at("torque"), "torque", torque))?;
        self.force.iter().try_for_each(|force| expression(&at("force"), "force", force))
    }
}

impl ForceKind for Motor {
    fn between(&self) -> Vec<String> {
        Vec::new()
    }

    fn build(&self, key: &str, builder: &mut Builder, _: &Configuration) -> Built<Vec<Anchor>> {
        let path = ["forces", key, "joint"];
        let (joint, along, less, unit) = builder.driven(&self.joint, &path)?;
        let (field, other, gives, word) = match unit {
            Unit::Angle => ("torque", "force", Gives::Torque, "angle"),
            Unit::Length => ("force", "torque", Gives::Force, "position"),
        };
        let (given, stray) = match unit {
            Unit::Angle => (&self.torque, &self.force),
            Unit::Length => (&self.force, &self.torque),
        };
        if stray.is_some() {
            let problem = Problem::Useless { key: other, without: joint };
            return Err(ModelError::new(&["forces", key, other], problem));
        }
        let Some(given) = given else {
            return Err(ModelError::new(&["forces", key], Problem::Missing { key: field, because: "motor" }));
        };
        let own = Sense::pair([word, "rate"], &along, less, unit);
        let load = builder.load(given, gives, &own, &["forces", key, field])?;
        builder.add_force(Element::Drive(Drive { along, load, pulls: false }));
        Ok(Vec::new())
    }
}
