//! Joints whose coordinates go together: gears, and a rack on a wheel.

use super::JointKind;
use crate::build::{Built, SpaceBuilder};
use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{Coupled, MOST_TEETH, SpaceElement};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::{Configuration, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two joints turn at a fixed ratio: angle of the first + ratio · angle of the second stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// The two joints that turn: revolute, cylindrical or screw.
    pub joints: [String; 2],
    /// Ratio of the turning speeds, that of two whole numbers (of teeth): positive wheels turn against each other.
    pub ratio: f64,
}

/// A wheel rolls a rack along: displacement of the rack − radius · angle of the wheel stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// The joint about which the wheel turns: revolute, cylindrical or screw.
    pub wheel: String,
    /// The joint along which the rack slides: prismatic, cylindrical or screw.
    pub rack: String,
    /// Radius of the wheel (m); negative if the rack goes the other way.
    pub radius: f64,
}

/// A number that may have any sign but is not zero.
fn not_zero(value: f64, quantity: &'static str, size: &'static str, path: &[&str]) -> Check {
    number(value, quantity, path).finite()?;
    if value == 0.0 {
        return Err(ModelError::new(path, Problem::NotPositive { quantity: size, value }));
    }
    Ok(())
}

impl Described for Gear {
    fn kind(&self) -> &'static str {
        "gear"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { joints: _, ratio } = self;
        see.number(ratio, Dimension::NONE);
    }

    fn check(&self, key: &str) -> Check {
        not_zero(self.ratio, "ratio", "size of the ratio", &["joints", key, "ratio"])
    }
}

impl Described for Rack {
    fn kind(&self) -> &'static str {
        "rack"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { wheel: _, rack: _, radius } = self;
        see.number(radius, Dimension::LENGTH);
    }

    fn check(&self, key: &str) -> Check {
        not_zero(self.radius, "radius", "size of the radius", &["joints", key, "radius"])
    }
}

impl JointKind for Gear {
    fn between(&self) -> Vec<String> {
        self.joints.to_vec()
    }

    fn refers_to_joints(&self) -> bool {
        true
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let of = |i: usize| {
            let path = ["joints", key, "joints", &i.to_string()];
            builder.coordinate(&self.joints[i], Quantity::Angle, &path)
        };
        let (first, second) = (of(0)?, of(1)?);
        if self.joints[0] == self.joints[1] {
            let message = format!("both joints are `{}`", self.joints[0]);
            let remedy = "name two different joints".into();
            return Err(ModelError::new(&["joints", key, "joints"], Problem::BadJoint { message, remedy }));
        }
        let anchors = [&first, &second].map(|c| builder.anchor_of(&c.pair.b));
        let offset = first.value(start) + self.ratio * second.value(start);
        let Some(gear) = Coupled::gear(first, second, self.ratio, offset) else {
            let message = format!("the ratio {} is not that of two whole numbers", self.ratio);
            let remedy = format!(
                "give the quotient of the numbers of teeth, at most {MOST_TEETH} each, with all digits or as a formula"
            );
            return Err(ModelError::new(&["joints", key, "ratio"], Problem::BadJoint { message, remedy }));
        };
        builder.add_joint(key, vec![SpaceElement::Coupled(gear)]);
        Ok(anchors.into())
    }
}

impl JointKind for Rack {
    fn between(&self) -> Vec<String> {
        vec![self.wheel.clone(), self.rack.clone()]
    }

    fn refers_to_joints(&self) -> bool {
        true
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let wheel = builder.coordinate(&self.wheel, Quantity::Angle, &["joints", key, "wheel"])?;
        let rack = builder.coordinate(&self.rack, Quantity::Length, &["joints", key, "rack"])?;
        let anchors = [&wheel, &rack].map(|c| builder.anchor_of(&c.pair.b));
        let offset = rack.value(start) - self.radius * wheel.value(start);
        let coupled = Coupled::rack(rack, wheel, self.radius, offset);
        builder.add_joint(key, vec![SpaceElement::Coupled(coupled)]);
        Ok(anchors.into())
    }
}
