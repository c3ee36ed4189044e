//! Kinds of joints in space.

mod coupling;
mod cylindrical;
mod distance;
mod motion;
mod plain;
mod point_on_curve;
mod prismatic;
mod range;
mod revolute;
mod screw;
mod spherical;

pub use crate::kinds::joint::Distance;
pub use coupling::{Gear, Rack};
pub use cylindrical::Cylindrical;
pub use motion::{Coordinate, Motion};
pub use plain::{ConstantVelocity, Planar, PointOnLine, PointOnPlane, Universal, Weld};
pub use point_on_curve::{Curve, PointOnCurve};
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use screw::Screw;
pub use spherical::Spherical;

use crate::build::{Built, SpaceBuilder};
use crate::check::Check;
use crate::dimension::Numbers;
use crate::kinds::Described;
use crate::layout::{Attachment, SpaceAnchor};
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint between two places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[allow(missing_docs)] // each kind is described in its file
pub enum Joint {
    Weld(Weld),
    Revolute(Revolute),
    Prismatic(Prismatic),
    Cylindrical(Cylindrical),
    Screw(Screw),
    Universal(Universal),
    ConstantVelocity(ConstantVelocity),
    Spherical(Spherical),
    Planar(Planar),
    PointOnLine(PointOnLine),
    PointOnPlane(PointOnPlane),
    PointOnCurve(PointOnCurve),
    Distance(Distance),
    Gear(Gear),
    Rack(Rack),
    Motion(Motion),
}

macro_rules! each {
    ($self:expr, $joint:ident => $call:expr) => {
        match $self {
            Joint::Weld($joint) => $call,
            Joint::Revolute($joint) => $call,
            Joint::Prismatic($joint) => $call,
            Joint::Cylindrical($joint) => $call,
            Joint::Screw($joint) => $call,
            Joint::Universal($joint) => $call,
            Joint::ConstantVelocity($joint) => $call,
            Joint::Spherical($joint) => $call,
            Joint::Planar($joint) => $call,
            Joint::PointOnLine($joint) => $call,
            Joint::PointOnPlane($joint) => $call,
            Joint::PointOnCurve($joint) => $call,
            Joint::Distance($joint) => $call,
            Joint::Gear($joint) => $call,
            Joint::Rack($joint) => $call,
            Joint::Motion($joint) => $call,
        }
    };
}

/// What a kind of joint tells of itself.
pub(crate) trait JointKind: Described {
    /// What it holds together, as described; the first carries its sign and its frame.
    fn between(&self) -> Vec<String>;

    /// Size of what it adds to its bodies (m).
    fn size(&self) -> f64 {
        0.0
    }

    /// Whether it names other joints, which must be there before it.
    fn refers_to_joints(&self) -> bool {
        false
    }

    /// Adds its rows, contacts and outlines to the model. Gives where it acts: first the place that carries its sign, then
    /// its partner if the eye is to be led there.
    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>>;
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

    pub(crate) fn refers_to_joints(&self) -> bool {
        each!(self, joint => joint.refers_to_joints())
    }

    pub(crate) fn check(&self, key: &str) -> Check {
        each!(self, joint => joint.check(key))
    }

    pub(crate) fn build(
        &self,
        key: &str,
        builder: &mut SpaceBuilder,
        start: &Configuration,
    ) -> Built<Attachment<SpaceAnchor>> {
        let anchors = each!(self, joint => joint.build(key, builder, start))?;
        Ok(Attachment { name: key.into(), kind: self.kind(), between: self.between(), anchors })
    }
}
