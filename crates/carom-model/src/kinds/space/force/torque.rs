//! Torques in space that are given.

use super::ForceKind;
use crate::build::{Built, Gives, SpaceBuilder};
use crate::check::{Check, expression};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{SpaceForce, SpaceTorque};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
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
    /// Components (N m), functions of `t` and of the motion.
    pub torque: [Expression; 3],
    /// Whether the components turn with the body; if not, they are inertial.
    #[serde(default)]
    pub follows: bool,
}

impl Described for Torque {
    fn kind(&self) -> &'static str {
        "torque"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { on: _, against: _, torque, follows: _ } = self;
        torque.iter_mut().for_each(|component| see.law(component, Dimension::TORQUE));
    }

    fn check(&self, key: &str) -> Check {
        let path = ["forces", key, "torque"];
        self.torque.iter().try_for_each(|component| expression(&path, "torque", component))
    }
}

impl ForceKind for Torque {
    fn between(&self) -> Vec<String> {
        [&self.on].into_iter().chain(&self.against).cloned().collect()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let against = self.against.as_deref().unwrap_or("ground");
        let mut places = Vec::new();
        for (reference, field) in [(self.on.as_str(), "on"), (against, "against")] {
            let path = ["forces", key, field];
            let place = builder.frame(reference, &path)?.marker.place;
            if !place.takes_torque() {
                let body = builder.body_name(&place).to_string();
                return Err(ModelError::new(&path, Problem::NoAngle { body }));
            }
            places.push(place);
        }
        let (against, on) = (places.remove(1), places.remove(0));
        let path = ["forces", key, "on"];
        if !on.moves() {
            return Err(ModelError::new(&path, Problem::Immovable { name: self.on.clone() }));
        }
        builder.two_bodies(&on, &against, &path)?;
        let mut component = |i: usize| {
            builder.load(&self.torque[i], Gives::Torque, &[], &["forces", key, "torque", &i.to_string()])
        };
        let torque = [component(0)?, component(1)?, component(2)?];
        builder.add_force(SpaceForce::Torque(SpaceTorque { on, against, torque, follows: self.follows }));
        Ok(Vec::new())
    }
}
