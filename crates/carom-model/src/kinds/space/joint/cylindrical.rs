//! A pin that slides in its bearing: exact, or with play.

use super::{JointKind, range};
use crate::build::{ANGLE_LIMITS, Agree, Built, LIMITS, Rubbing, SpaceBuilder};
use crate::check::{Check, surface};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::norm;
use crate::joints::{Coordinate, Holding, SpaceElement};
use crate::kinds::Described;
use crate::kinds::joint::{limits, needs_clearance, not_negative};
use crate::layout::SpaceAnchor;
use crate::outline::space::Solid;
use carom_dynamics::{Configuration, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The second point slides along z of the first frame, and the bodies turn against each other about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cylindrical {
    /// The two points: with clearance, bearing first, pin second.
    pub between: [String; 2],
    /// Radial play (m). With it the joint is a pin in a bearing: its two ends touch the bore, in contacts 1 (towards −z) and 2.
    pub clearance: Option<f64>,
    /// Length of the pin (m), half of it to either side of the point, for clearance.
    pub length: Option<f64>,
    /// Restitution of the pin in the bearing (only with clearance).
    #[serde(default)]
    pub restitution: f64,
    /// Friction coefficient of the pin in the bearing (only with clearance).
    #[serde(default)]
    pub friction: f64,
    /// Radius of the pin (m), for clearance.
    #[serde(default)]
    pub pin_radius: f64,
    /// Dry friction force along the axis that does not depend on load (N).
    #[serde(default)]
    pub friction_force: f64,
    /// Dry friction torque about the axis that does not depend on load (N m).
    #[serde(default)]
    pub friction_torque: f64,
    /// Lowest and highest displacement along the axis (m): a stop at either end.
    pub limits: Option<[f64; 2]>,
    /// Lowest and highest angle of the second frame against the first (rad), at most 330° apart: stops `angle_lower` and
    /// `angle_upper`.
    pub angle_limits: Option<[f64; 2]>,
    /// Restitution of these stops, 0 to 1.
    #[serde(default)]
    pub limit_restitution: f64,
}

impl Described for Cylindrical {
    fn kind(&self) -> &'static str {
        "cylindrical"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            between: _,
            clearance,
            length,
            restitution,
            friction,
            pin_radius,
            friction_force,
            friction_torque,
            limits,
            angle_limits,
            limit_restitution,
        } = self;
        see.all(clearance.iter_mut().chain(length), Dimension::LENGTH);
        see.all([restitution, friction], Dimension::NONE);
        see.number(pin_radius, Dimension::LENGTH);
        see.number(friction_force, Dimension::FORCE);
        see.number(friction_torque, Dimension::TORQUE);
        limits::quantities(limits, limit_restitution, Quantity::Length, see);
        see.all(angle_limits.iter_mut().flatten(), Dimension::ANGLE);
    }

    fn check(&self, key: &str) -> Check {
        surface(&["joints", key], self.restitution, 0.0, self.friction)?;
        not_negative(
            key,
            &[
                ("pin_radius", "pin radius", self.pin_radius),
                ("friction_force", "friction force", self.friction_force),
                ("friction_torque", "friction torque", self.friction_torque),
            ],
        )?;
        range::pin(key, self.clearance, self.length)?;
        if self.clearance.is_none() && self.friction > 0.0 {
            let message =
                "friction from the load of a cylindrical joint acts along and about its axis at once, \
                           which is a law of contacts"
                    .into();
            let remedy = "give `clearance`, `length` and `pin_radius`, or `friction_force` and `friction_torque` that do not \
                          depend on load"
                .into();
            return Err(ModelError::new(&["joints", key, "friction"], Problem::BadJoint { message, remedy }));
        }
        let of_angle = if self.angle_limits.is_some() { self.limit_restitution } else { 0.0 };
        let of_way =
            if self.limits.is_some() || self.angle_limits.is_none() { self.limit_restitution } else { 0.0 };
        limits::check(key, self.limits, of_way, Quantity::Length)?;
        range::angle(key, &ANGLE_LIMITS, self.angle_limits, of_angle)?;
        needs_clearance(key, self.restitution, self.clearance)
    }
}

impl JointKind for Cylindrical {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn size(&self) -> f64 {
        self.length.map_or(0.0, |length| norm([2.0 * self.pin_radius, length]))
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        let pair = joined.pair;
        let angle = Coordinate::angle(pair.clone(), range::middle(self.angle_limits));
        let displacement = Coordinate::displacement(pair.clone());
        builder.measure(key, angle.clone());
        builder.measure(key, displacement.clone());
        if let (Some(clearance), Some(length)) = (self.clearance, self.length) {
            let size = [self.pin_radius, 0.5 * length];
            range::journal(key, builder, &pair, size, clearance, [self.restitution, self.friction]);
            // the bore has no end; past both ends of the pin is enough for the eye
            let bore = Solid::Cylinder { radius: self.pin_radius + clearance, length: 2.0 * length };
            builder.draw(&pair.a, bore, true);
        } else {
            builder.add_joint(key, vec![SpaceElement::held(Holding::Cylindrical, pair.clone())]);
        }
        if let Some(limits) = limits::Limits::of(self.limits, self.limit_restitution) {
            builder.stops(key, &LIMITS, displacement, &limits);
        }
        if let Some(limits) = limits::Limits::of(self.angle_limits, self.limit_restitution) {
            builder.stops(key, &ANGLE_LIMITS, angle, &limits);
        }
        let rows = builder.no_rows();
        let constant = |constant: f64| Rubbing { constant, coefficient: 0.0, rows: rows.clone() };
        builder.dry_sliding(key, "friction", &pair, constant(self.friction_force));
        builder.dry_turning(key, "friction_torque", &pair, constant(self.friction_torque));
        Ok(joined.anchors.into())
    }
}
