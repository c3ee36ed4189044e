//! Kinds of forces in space.

mod applied;
mod bushing;
mod on_joint;
mod spring;
mod torque;

pub use crate::kinds::force::Spring;
pub use applied::AppliedForce;
pub use bushing::{Bushing, Six};
pub use on_joint::{Motor, TorsionSpring};
pub use torque::Torque;

use crate::build::{Built, SpaceBuilder};
use crate::check::Check;
use crate::dimension::Numbers;
use crate::kinds::Described;
use crate::layout::{Attachment, SpaceAnchor};
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A force element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(missing_docs)] // each kind is described in its file
#[allow(clippy::large_enum_variant)] // few, made once and read in order: a box would cost more than it saves
pub enum Force {
    Spring(Spring),
    TorsionSpring(TorsionSpring),
    Bushing(Bushing),
    Force(AppliedForce),
    Torque(Torque),
    Motor(Motor),
}

macro_rules! each {
    ($self:expr, $force:ident => $call:expr) => {
        match $self {
            Force::Spring($force) => $call,
            Force::TorsionSpring($force) => $call,
            Force::Bushing($force) => $call,
            Force::Force($force) => $call,
            Force::Torque($force) => $call,
            Force::Motor($force) => $call,
        }
    };
}

/// What a kind of force tells of itself.
pub(crate) trait ForceKind: Described {
    /// What it acts on, as described.
    fn between(&self) -> Vec<String>;

    /// Adds its elements to the model. Gives both ends if it acts along the line between them, else nothing.
    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>>;
}

impl Force {
    /// Its `type` in a model file.
    pub fn kind(&self) -> &'static str {
        each!(self, force => force.kind())
    }

    /// Bodies and points it refers to, as described.
    pub fn between(&self) -> Vec<String> {
        each!(self, force => force.between())
    }

    /// Shows every number with its dimension.
    pub fn quantities(&mut self, see: &mut dyn Numbers) {
        each!(self, force => force.quantities(see));
    }

    pub(crate) fn check(&self, key: &str) -> Check {
        each!(self, force => force.check(key))
    }

    pub(crate) fn build(
        &self,
        key: &str,
        builder: &mut SpaceBuilder,
        start: &Configuration,
    ) -> Built<Attachment<SpaceAnchor>> {
        let anchors = each!(self, force => force.build(key, builder, start))?;
        Ok(Attachment { name: key.into(), kind: self.kind(), between: self.between(), anchors })
    }
}
