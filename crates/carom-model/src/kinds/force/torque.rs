//! Torques that are given.

use super::ForceKind;
use crate::build::{Builder, Built, Gives};
use crate::check::{Check, expression};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{self, Drive, Element};
use crate::kinds::Described;
use crate::law::Load;
use crate::layout::Anchor;
use crate::measure::Measure;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A torque on a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Torque {
    /// The body.
    pub on: String,
    /// The body that feels the opposite torque; ground if left out.
    pub against: Option<String>,
    /// Torque (N m), a function of `t` and of the motion.
    pub torque: Expression,
}

impl Described for Torque {
    fn kind(&self) -> &'static str {
        "torque"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { on: _, against: _, torque } = self;
        see.law(torque, Dimension::TORQUE);
    }

    fn check(&self, key: &str) -> Check {
        expression(&["forces", key, "torque"], "torque", &self.torque)
    }
}

impl ForceKind for Torque {
    fn between(&self) -> Vec<String> {
        [&self.on].into_iter().chain(&self.against).cloned().collect()
    }

    fn build(&self, key: &str, builder: &mut Builder, _: &Configuration) -> Built<Vec<Anchor>> {
        let path = ["forces", key, "on"];
        let (on, _) = builder.turning_place(&self.on, &path)?;
        let against = self.against.as_deref().unwrap_or("ground");
        let (against, _) = builder.turning_place(against, &["forces", key, "against"])?;
        if !on.moves() {
            return Err(ModelError::new(&path, Problem::Immovable { name: self.on.clone() }));
        }
        builder.two_bodies(&on, &against, &path)?;
        let load = builder.load(&self.torque, Gives::Torque, &[], &["forces", key, "torque"])?;
        builder.add_force(match load {
            Load::Given(torque) => Element::Torque(forces::Torque { on, against, torque }),
            load => Element::Drive(Drive { along: Measure::turned(against, on), load, pulls: false }),
        });
        Ok(Vec::new())
    }
}
