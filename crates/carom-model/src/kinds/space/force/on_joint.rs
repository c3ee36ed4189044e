//! What acts on the coordinate of a joint: torsion springs and motors.

use super::ForceKind;
use crate::build::{Built, Gives, Sense, SpaceBuilder, Unit};
use crate::check::{Check, expression, number};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{CoordinateSpring, Drive, Motor as Element, SpaceForce};
use crate::joints::Coordinate;
use crate::kinds::Described;
use crate::law::Load;
use crate::layout::SpaceAnchor;
use crate::measure::Measure;
use carom_dynamics::{Configuration, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Spring and damper about the axis of a joint, for less than half a turn either way from where it is free of torque.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorsionSpring {
    /// The joint: revolute, cylindrical or screw.
    pub joint: String,
    /// Stiffness (N m/rad).
    #[serde(default)]
    pub stiffness: f64,
    /// Damping (N m s/rad).
    #[serde(default)]
    pub damping: f64,
    /// Angle of the joint without torque (rad).
    #[serde(default)]
    pub angle: f64,
    /// Torque (N m) besides that of stiffness and damping, a function of `angle` of the joint, `stretch` (that without the angle
    /// of no torque) and `rate`, of `t` and of the motion; above 0 it turns the second body back.
    pub torque: Option<Expression>,
}

/// A torque about the axis of a joint, or a force along it: on the second body, with its opposite on the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// The joint: revolute, prismatic, cylindrical or screw.
    pub joint: String,
    /// Torque about the axis (N m), a function of `angle` and `rate` of the joint, of `t` and of the motion.
    pub torque: Option<Expression>,
    /// Force along the axis (N), a function of `position` and `rate` of the joint, of `t` and of the motion.
    pub force: Option<Expression>,
}

impl Described for TorsionSpring {
    fn kind(&self) -> &'static str {
        "torsion-spring"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { joint: _, stiffness, damping, angle, torque } = self;
        see.number(stiffness, Dimension::TORQUE.per(Dimension::ANGLE));
        see.number(damping, Dimension::TORQUE.times(Dimension::TIME).per(Dimension::ANGLE));
        see.number(angle, Dimension::ANGLE);
        torque.iter_mut().for_each(|torque| see.law(torque, Dimension::TORQUE));
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["forces", key, field];
        number(self.stiffness, "stiffness", &at("stiffness")).not_negative()?;
        number(self.damping, "damping", &at("damping")).not_negative()?;
        self.torque.iter().try_for_each(|torque| expression(&at("torque"), "torque", torque))?;
        number(self.angle, "angle", &at("angle")).finite()
    }
}

impl ForceKind for TorsionSpring {
    fn between(&self) -> Vec<String> {
        vec![self.joint.clone()]
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let of = builder.coordinate(&self.joint, Quantity::Angle, &["forces", key, "joint"])?;
        let of = Coordinate { about: self.angle, ..of };
        let (stiffness, damping, rest) = (self.stiffness, self.damping, self.angle);
        if let Some(torque) = &self.torque {
            let along = Measure::Own(Arc::new(of.clone()));
            let [angle, rate] = Sense::pair(["angle", "rate"], &along, 0.0, Unit::Angle);
            let [stretch, _] = Sense::pair(["stretch", "rate"], &along, rest, Unit::Angle);
            let own = [angle, stretch, rate];
            let load = builder.load(torque, Gives::Torque, &own, &["forces", key, "torque"])?;
            builder.add_force(SpaceForce::Drive(Drive { along, load, pulls: true }));
        }
        if stiffness != 0.0 || damping != 0.0 {
            let spring = CoordinateSpring { of, stiffness, damping, rest };
            builder.add_force(SpaceForce::CoordinateSpring(spring));
        }
        Ok(Vec::new())
    }
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
        self.force.iter().try_for_each(|force| expression(&at("force"), "force", force))?;
        if self.torque.is_some() == self.force.is_some() {
            let message = match self.torque {
                Some(_) => "the motor has both a torque and a force",
                None => "the motor has neither torque nor force",
            };
            let problem = Problem::BadJoint {
                message: message.into(),
                remedy: "give `torque` about the axis, or `force` along it; for both take two motors".into(),
            };
            return Err(ModelError::new(&["forces", key], problem));
        }
        Ok(())
    }
}

impl ForceKind for Motor {
    fn between(&self) -> Vec<String> {
        vec![self.joint.clone()]
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let given = [(&self.torque, "torque", Quantity::Angle), (&self.force, "force", Quantity::Length)];
        for (expression, field, quantity) in given {
            if let Some(expression) = expression {
                let of = builder.coordinate(&self.joint, quantity, &["forces", key, "joint"])?;
                let (word, gives, unit) = match quantity {
                    Quantity::Angle => ("angle", Gives::Torque, Unit::Angle),
                    Quantity::Length => ("position", Gives::Force, Unit::Length),
                };
                let along = Measure::Own(Arc::new(of.clone()));
                let own = Sense::pair([word, "rate"], &along, 0.0, unit);
                let load = builder.load(expression, gives, &own, &["forces", key, field])?;
                builder.add_force(match load {
                    Load::Given(force) => SpaceForce::Motor(Element { of, force }),
                    load => SpaceForce::Drive(Drive { along, load, pulls: false }),
                });
            }
        }
        Ok(Vec::new())
    }
}
