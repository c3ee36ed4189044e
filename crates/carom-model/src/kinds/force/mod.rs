//! Kinds of forces.

mod applied;
mod motor;
mod spring;
mod torque;
mod torsion_spring;

pub use applied::AppliedForce;
pub use motor::Motor;
pub use spring::Spring;
pub use torque::Torque;
pub use torsion_spring::TorsionSpring;

use super::Described;
use crate::build::{Builder, Built};
use crate::check::Check;
use crate::dimension::Numbers;
use crate::layout::{Anchor, Attachment};
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A force element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(missing_docs)] // each kind is described in its file
pub enum Force {
    Spring(Spring),
    TorsionSpring(TorsionSpring),
    Force(AppliedForce),
    Torque(Torque),
    Motor(Motor),
}

macro_rules! each {
    ($self:expr, $force:ident => $call:expr) => {
        match $self {
            Force::Spring($force) => $call,
            Force::TorsionSpring($force) => $call,
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
    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>>;
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

    pub(crate) fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Attachment> {
        let anchors = each!(self, force => force.build(key, builder, start))?;
        Ok(Attachment { name: key.into(), kind: self.kind(), between: self.between(), anchors })
    }
}
