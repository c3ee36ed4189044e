//! Kinds of joints.

mod distance;
mod gear;
pub(crate) mod limits;
mod motion;
mod point_on_curve;
mod prismatic;
mod rack;
mod revolute;
mod weld;

pub use distance::Distance;
pub use gear::Gear;
pub(crate) use limits::Limits;
pub use motion::{Coordinate, Motion};
pub use point_on_curve::PointOnCurve;
pub use prismatic::Prismatic;
pub use rack::Rack;
pub use revolute::Revolute;
pub use weld::Weld;

use super::Described;
use crate::build::{Builder, Built};
use crate::check::{Check, number};
use crate::description::Expression;
use crate::dimension::Numbers;
use crate::error::{ModelError, Problem};
use crate::layout::{Anchor, Attachment};
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint between two places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(missing_docs)] // each kind is described in its file
pub enum Joint {
    Revolute(Revolute),
    Prismatic(Prismatic),
    Weld(Weld),
    Distance(Distance),
    Motion(Motion),
    Gear(Gear),
    Rack(Rack),
    PointOnCurve(PointOnCurve),
}

macro_rules! each {
    ($self:expr, $joint:ident => $call:expr) => {
        match $self {
            Joint::Revolute($joint) => $call,
            Joint::Prismatic($joint) => $call,
            Joint::Weld($joint) => $call,
            Joint::Distance($joint) => $call,
            Joint::Motion($joint) => $call,
            Joint::Gear($joint) => $call,
            Joint::Rack($joint) => $call,
            Joint::PointOnCurve($joint) => $call,
        }
    };
}

/// What a kind of joint tells of itself.
pub(crate) trait JointKind: Described {
    /// What it holds together, as described; the first carries its sign.
    fn between(&self) -> Vec<String>;

    /// Size of what it adds to its bodies, such as a slider (m).
    fn size(&self) -> f64 {
        0.0
    }

    /// Adds its rows, contacts and outlines to the model. Gives where it acts: first the place that carries its sign, then
    /// its partner if the eye is to be led there.
    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>>;
}

impl Joint {
    /// Its `type` in a model file.
    pub fn kind(&self) -> &'static str {
        each!(self, joint => joint.kind())
    }

    /// Bodies, points and shapes it refers to, as described.
    pub fn between(&self) -> Vec<String> {
        each!(self, joint => joint.between())
    }

    /// Shows every number with its dimension.
    pub fn quantities(&mut self, see: &mut dyn Numbers) {
        each!(self, joint => joint.quantities(see));
    }

    pub(crate) fn size(&self) -> f64 {
        each!(self, joint => joint.size())
    }

    pub(crate) fn check(&self, key: &str) -> Check {
        each!(self, joint => joint.check(key))
    }

    pub(crate) fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Attachment> {
        let anchors = each!(self, joint => joint.build(key, builder, start))?;
        Ok(Attachment { name: key.into(), kind: self.kind(), between: self.between(), anchors })
    }
}

impl Joint {
    /// Two points coincide: no clearance, no friction.
    pub fn revolute(first: &str, second: &str) -> Self {
        Self::Revolute(Revolute { between: [first.into(), second.into()], ..Revolute::default() })
    }

    /// The second point slides along the axis of the first: no clearance, no friction.
    pub fn prismatic(guide: &str, slider: &str) -> Self {
        Self::Prismatic(Prismatic { between: [guide.into(), slider.into()], ..Prismatic::default() })
    }

    /// A coordinate follows a formula in `t`.
    pub fn motion(of: &str, coordinate: Coordinate, function: &str) -> Self {
        Self::Motion(Motion { of: of.into(), coordinate, function: Expression::Formula(function.into()) })
    }
}

/// Numbers that are not negative: (field, name in messages, value).
pub(crate) fn not_negative(key: &str, numbers: &[(&str, &'static str, f64)]) -> Check {
    numbers.iter().try_for_each(|&(field, quantity, value)| {
        number(value, quantity, &["joints", key, field]).not_negative()
    })
}

/// A joint without clearance has nothing that rebounds.
pub(crate) fn needs_clearance(key: &str, restitution: f64, clearance: Option<f64>) -> Check {
    if restitution > 0.0 && clearance.is_none() {
        let problem = Problem::Useless { key: "restitution", without: "clearance" };
        return Err(ModelError::new(&["joints", key, "restitution"], problem));
    }
    Ok(())
}
