//! Kinds of flexible bodies.

mod bar;
mod beam;
mod damping;
mod exact_beam;
mod floating;
mod solid;

pub use bar::Bar;
pub use beam::{Beam, RotaryInertia};
pub use damping::Damping;
pub use exact_beam::ExactBeam;
pub use floating::{ChosenModes, Modes, Reference};
pub use solid::{Block, Disk, ElementKind, InlineMesh, Mesh, Origin, Plane, Solid};

use super::Described;
use crate::bodies::Flexible;
use crate::build::{Builder, Built};
use crate::check::{Check, number};
use crate::description::Body;
use crate::dimension::Numbers;
use crate::error::{ModelError, Problem};
use carom_elastic::ElasticError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a body deforms. Its frame sits at the first end of a bar or beam, x along it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Elastic {
    /// Stretches and travels along its own straight line, which stays where it is.
    Bar(Bar),
    /// Bends and stretches a little in a floating frame that moves at will.
    Beam(Beam),
    /// A beam that bends, stretches and shears as far as it likes.
    ExactBeam(ExactBeam),
    /// A plane solid that deforms a little in a floating frame that moves at will.
    Solid(Box<Solid>),
}

macro_rules! each {
    ($self:expr, $elastic:ident => $call:expr) => {
        match $self {
            Elastic::Bar($elastic) => $call,
            Elastic::Beam($elastic) => $call,
            Elastic::ExactBeam($elastic) => $call,
            Elastic::Solid($elastic) => $call,
        }
    };
}

/// What a kind of flexible body tells of itself.
pub(crate) trait ElasticKind: Described {
    /// Points that span the undeformed body, in its frame (m).
    fn extent(&self) -> Vec<[f64; 2]>;

    /// The body `key` that deforms so.
    fn build(&self, key: &str, body: &Body, builder: &Builder) -> Built<Arc<dyn Flexible>>;
}

impl Elastic {
    /// Its `type` in a model file.
    pub fn kind(&self) -> &'static str {
        each!(self, elastic => elastic.kind())
    }

    /// Points that span the undeformed body, in its frame (m).
    pub fn extent(&self) -> Vec<[f64; 2]> {
        each!(self, elastic => elastic.extent())
    }

    /// Shows every number with its dimension.
    pub fn quantities(&mut self, see: &mut dyn Numbers) {
        each!(self, elastic => elastic.quantities(see));
    }

    pub(crate) fn check(&self, key: &str) -> Check {
        each!(self, elastic => elastic.check(key))
    }

    pub(crate) fn build(&self, key: &str, body: &Body, builder: &Builder) -> Built<Arc<dyn Flexible>> {
        each!(self, elastic => elastic.build(key, body, builder))
    }
}

/// An error at `bodies.<key>.elastic.<fields>`.
fn wrong(key: &str, fields: &[&str], error: ElasticError) -> ModelError {
    let path = [&["bodies", key, "elastic"], fields].concat();
    ModelError::new(&path, Problem::Elastic(error))
}

/// Positive numbers at `bodies.<key>.elastic.<field>`: (field, name in messages, value).
fn positive(key: &str, numbers: &[(&str, &'static str, f64)]) -> Check {
    numbers.iter().try_for_each(|&(field, quantity, value)| {
        number(value, quantity, &["bodies", key, "elastic", field]).positive()
    })
}

fn elements(key: &str, count: usize) -> Check {
    if count == 0 {
        return Err(ModelError::new(&["bodies", key, "elastic", "elements"], Problem::NoElements));
    }
    Ok(())
}

fn ratios(key: &str, ratios: &[f64]) -> Check {
    ratios.iter().enumerate().try_for_each(|(i, &ratio)| {
        let at = ["bodies", key, "elastic", "damping_ratios", &i.to_string()];
        number(ratio, "damping ratio", &at).not_negative()
    })
}
