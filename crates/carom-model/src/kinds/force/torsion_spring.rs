//! Springs and dampers between angles.

use super::ForceKind;
use crate::build::{Builder, Built, Gives, Sense, Unit};
use crate::check::{Check, expression, number};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::forces::{self, Drive, Element};
use crate::kinds::Described;
use crate::layout::Anchor;
use crate::measure::Measure;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Spring and damper between the angles of two bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorsionSpring {
    /// The two bodies.
    pub between: [String; 2],
    /// Stiffness (N m/rad).
    #[serde(default)]
    pub stiffness: f64,
    /// Damping (N m s/rad).
    #[serde(default)]
    pub damping: f64,
    /// Relative angle without torque (rad): angle of the second minus angle of the first.
    #[serde(default)]
    pub angle: f64,
    /// Torque (N m) besides that of stiffness and damping, a function of `angle` (of the second against the first), `stretch`
    /// (that without the angle of no torque) and `rate`, of `t` and of the motion; above 0 it turns the second back.
    pub torque: Option<Expression>,
}

impl Described for TorsionSpring {
    fn kind(&self) -> &'static str {
        "torsion-spring"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, stiffness, damping, angle, torque } = self;
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
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, _: &Configuration) -> Built<Vec<Anchor>> {
        let ([first, second], _) = builder.turning_pair("forces", key, &self.between)?;
        let (stiffness, damping, angle) = (self.stiffness, self.damping, self.angle);
        if let Some(torque) = &self.torque {
            let along = Measure::turned(first.clone(), second.clone());
            let [of_angle, rate] = Sense::pair(["angle", "rate"], &along, 0.0, Unit::Angle);
            let [stretch, _] = Sense::pair(["stretch", "rate"], &along, angle, Unit::Angle);
            let own = [of_angle, stretch, rate];
            let load = builder.load(torque, Gives::Torque, &own, &["forces", key, "torque"])?;
            builder.add_force(Element::Drive(Drive { along, load, pulls: true }));
        }
        if stiffness == 0.0 && damping == 0.0 && self.torque.is_some() {
            return Ok(Vec::new());
        }
        let spring = forces::TorsionSpring { first, second, stiffness, damping, angle };
        builder.add_force(Element::TorsionSpring(spring));
        Ok(Vec::new())
    }
}
