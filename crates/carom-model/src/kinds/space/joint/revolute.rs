//! A hinge: exact, or a pin in a bearing with play.

use super::JointKind;
use super::range;
use crate::build::{Agree, Built, LIMITS, Rubbing, SpaceBuilder};
use crate::check::{Check, number, surface};
use crate::contacts::space::thrust_faces;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::norm;
use crate::joints::{Coordinate, Holding, Pair, SpaceElement};
use crate::kinds::Described;
use crate::kinds::joint::{limits, needs_clearance, not_negative};
use crate::layout::SpaceAnchor;
use crate::outline::space::Solid;
use carom_dynamics::{Configuration, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two points coincide, and the bodies turn against each other about z.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revolute {
    /// The two points: with clearance, bearing first, pin second.
    pub between: [String; 2],
    /// Radial play (m). With it the joint is a pin in a bearing: its two ends touch the bore, in contacts 1 (towards −z) and 2, and
    /// their rims two thrust faces, in contacts `thrust_1` and `thrust_2`.
    pub clearance: Option<f64>,
    /// Length of the pin (m), half of it to either side of the point, for clearance.
    pub length: Option<f64>,
    /// Play along the axis to either side (m); that of `clearance` unless given.
    pub axial_clearance: Option<f64>,
    /// Restitution of the pin in the bearing (only with clearance).
    #[serde(default)]
    pub restitution: f64,
    /// Friction coefficient: of the pin in the bearing with clearance, of the bearing (times `pin_radius` and the joint force square
    /// to the axis) without. A force along the axis is not counted then.
    #[serde(default)]
    pub friction: f64,
    /// Radius of the pin (m): lever arm of the friction.
    #[serde(default)]
    pub pin_radius: f64,
    /// Dry friction torque that does not depend on load (N m).
    #[serde(default)]
    pub friction_torque: f64,
    /// Lowest and highest angle of the second frame against the first (rad), at most 330° apart: a stop at either end.
    pub limits: Option<[f64; 2]>,
    /// Restitution of these stops, 0 to 1.
    #[serde(default)]
    pub limit_restitution: f64,
}

impl Described for Revolute {
    fn kind(&self) -> &'static str {
        "revolute"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            between: _,
            clearance,
            length,
            axial_clearance,
            restitution,
            friction,
            pin_radius,
            friction_torque,
            limits,
            limit_restitution,
        } = self;
        see.all(clearance.iter_mut().chain(length).chain(axial_clearance), Dimension::LENGTH);
        see.all([restitution, friction], Dimension::NONE);
        see.number(pin_radius, Dimension::LENGTH);
        see.number(friction_torque, Dimension::TORQUE);
        limits::quantities(limits, limit_restitution, Quantity::Angle, see);
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["joints", key, field];
        surface(&["joints", key], self.restitution, 0.0, self.friction)?;
        let radius = ("pin_radius", "pin radius", self.pin_radius);
        not_negative(key, &[radius, ("friction_torque", "friction torque", self.friction_torque)])?;
        range::pin(key, self.clearance, self.length)?;
        match (self.clearance, self.axial_clearance) {
            (Some(_), Some(play)) => {
                number(play, "play along the axis", &at("axial_clearance")).not_negative()?;
            }
            (None, Some(_)) => {
                let problem = Problem::Useless { key: "axial_clearance", without: "clearance" };
                return Err(ModelError::new(&at("axial_clearance"), problem));
            }
            (_, None) => {}
        }
        if self.clearance.is_none() && self.friction > 0.0 && self.pin_radius == 0.0 {
            let problem = Problem::Missing { key: "pin_radius", because: "friction" };
            return Err(ModelError::new(&at("friction"), problem));
        }
        range::angle(key, &LIMITS, self.limits, self.limit_restitution)?;
        needs_clearance(key, self.restitution, self.clearance)
    }
}

impl JointKind for Revolute {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn size(&self) -> f64 {
        self.length.map_or(0.0, |length| norm([2.0 * self.pin_radius, length]))
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        let pair = joined.pair;
        let angle = Coordinate::angle(pair.clone(), range::middle(self.limits));
        builder.measure(key, angle.clone());
        let mut coefficient = 0.0;
        let mut rows = builder.no_rows();
        if let (Some(clearance), Some(length)) = (self.clearance, self.length) {
            self.bearing(key, builder, &pair, clearance, length);
        } else {
            coefficient = self.friction * self.pin_radius;
            rows = builder.add_joint(key, vec![SpaceElement::held(Holding::Revolute, pair.clone())]);
            // the force square to the axis presses pin and bearing together
            rows.end = rows.start + 2;
        }
        if let Some(limits) = limits::Limits::of(self.limits, self.limit_restitution) {
            builder.stops(key, &LIMITS, angle, &limits);
        }
        builder.dry_turning(
            key,
            "friction",
            &pair,
            Rubbing { constant: self.friction_torque, coefficient, rows },
        );
        Ok(joined.anchors.into())
    }
}

impl Revolute {
    fn bearing(&self, key: &str, builder: &mut SpaceBuilder, pair: &Pair, clearance: f64, length: f64) {
        let (bearing, pin) = (pair.a.mount(), pair.b.mount());
        let size = [self.pin_radius, 0.5 * length];
        range::journal(key, builder, pair, size, clearance, [self.restitution, self.friction]);
        let play = self.axial_clearance.unwrap_or(clearance);
        let rubs = self.friction > 0.0;
        let faces = thrust_faces(&bearing, &pin, size, play, rubs);
        for (number, facing) in faces.into_iter().enumerate() {
            let place = [0.0, 0.0, if number == 0 { -0.5 * length } else { 0.5 * length }];
            let name = format!("{key}.thrust_{}", number + 1);
            builder.clearance(
                key,
                name,
                facing,
                [self.restitution, self.friction],
                (&pair.b, place, self.pin_radius),
            );
        }
        let bore = Solid::Cylinder { radius: self.pin_radius + clearance, length: length + 2.0 * play };
        builder.draw(&pair.a, bore, true);
    }
}
