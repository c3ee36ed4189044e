//! Forces in space that are given.

use super::ForceKind;
use crate::build::{Built, Gives, SpaceBuilder};
use crate::check::{Check, expression};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{Applied, SpaceForce};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A force on a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppliedForce {
    /// The point.
    pub on: String,
    /// Components (N), functions of `t` and of the motion.
    pub force: [Expression; 3],
    /// Whether the components turn with the body; if not, they are inertial.
    #[serde(default)]
    pub follows: bool,
}

impl Described for AppliedForce {
    fn kind(&self) -> &'static str {
        "force"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { on: _, force, follows: _ } = self;
        force.iter_mut().for_each(|component| see.law(component, Dimension::FORCE));
    }

    fn check(&self, key: &str) -> Check {
        self.force.iter().try_for_each(|component| expression(&["forces", key, "force"], "force", component))
    }
}

impl ForceKind for AppliedForce {
    fn between(&self) -> Vec<String> {
        vec![self.on.clone()]
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let path = ["forces", key, "on"];
        let on = builder.frame(&self.on, &path)?.marker;
        if !on.place.moves() {
            return Err(ModelError::new(&path, Problem::Immovable { name: self.on.clone() }));
        }
        let x = builder.load(&self.force[0], Gives::Force, &[], &["forces", key, "force", "0"])?;
        let y = builder.load(&self.force[1], Gives::Force, &[], &["forces", key, "force", "1"])?;
        let z = builder.load(&self.force[2], Gives::Force, &[], &["forces", key, "force", "2"])?;
        builder.add_force(SpaceForce::Applied(Applied { on, force: vec![x, y, z], follows: self.follows }));
        Ok(Vec::new())
    }
}
