//! A pin in a hole: exact, or with play.

use super::{JointKind, Limits, limits, needs_clearance, not_negative};
use crate::build::{Builder, Built};
use crate::check::{Check, number, surface};
use crate::contacts::{self, Feature, Shape, Touch};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{self, Element};
use crate::kinds::Described;
use crate::layout::{Anchor, Mark};
use crate::outline::Circle;
use carom_dynamics::{Configuration, ContactKind, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two points coincide.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revolute {
    /// The two points: with clearance, hole first, pin second.
    pub between: [String; 2],
    /// Radial play (m). With it the joint is a pin in a hole: contact instead of constraint.
    pub clearance: Option<f64>,
    /// Restitution of the pin in the hole (only with clearance).
    #[serde(default)]
    pub restitution: f64,
    /// Friction coefficient: of the pin in the hole with clearance, of the bearing (times `pin_radius` and the
    /// joint force) without.
    #[serde(default)]
    pub friction: f64,
    /// Radius of the pin (m): lever arm of the friction.
    #[serde(default)]
    pub pin_radius: f64,
    /// Dry friction torque that does not depend on load (N m).
    #[serde(default)]
    pub friction_torque: f64,
    /// Lowest and highest angle of the second frame against the first (rad), turns counted: a stop at either end.
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
            restitution,
            friction,
            pin_radius,
            friction_torque,
            limits,
            limit_restitution,
        } = self;
        see.all(clearance, Dimension::LENGTH);
        see.all([restitution, friction], Dimension::NONE);
        see.number(pin_radius, Dimension::LENGTH);
        see.number(friction_torque, Dimension::TORQUE);
        limits::quantities(limits, limit_restitution, Quantity::Angle, see);
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["joints", key, field];
        surface(&["joints", key], self.restitution, 0.0, self.friction)?;
        not_negative(
            key,
            &[
                ("pin_radius", "pin radius", self.pin_radius),
                ("friction_torque", "friction torque", self.friction_torque),
            ],
        )?;
        if let Some(clearance) = self.clearance {
            number(clearance, "clearance", &at("clearance")).positive()?;
        } else if self.friction > 0.0 && self.pin_radius == 0.0 {
            let problem = Problem::Missing { key: "pin_radius", because: "friction" };
            return Err(ModelError::new(&at("friction"), problem));
        }
        limits::check(key, self.limits, self.limit_restitution, Quantity::Angle)?;
        needs_clearance(key, self.restitution, self.clearance)
    }
}

impl JointKind for Revolute {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, _: &Configuration) -> Built<Vec<Anchor>> {
        let [hole, pin] = builder.pair("joints", key, &self.between)?;
        let mut coefficient = 0.0;
        let mut rows = builder.no_rows();
        if let Some(clearance) = self.clearance {
            let radius = self.pin_radius + clearance;
            let feature = Feature::Round { centre: hole.marker.local, radius, outward: false };
            let touch = Touch {
                touching: pin.marker.clone(),
                radius: self.pin_radius,
                touched: hole.marker.place.clone(),
                shape: Shape::One(feature),
                rubs: self.friction > 0.0,
            };
            builder.clearance(key, key.to_string(), touch, self.restitution, self.friction);
            builder.outline(&hole, |outline, center, _| outline.circles.push(Circle { center, radius }));
            if self.pin_radius > 0.0 {
                let radius = self.pin_radius;
                builder.outline(&pin, |outline, center, _| outline.circles.push(Circle { center, radius }));
            }
            let shown = if pin.marker.place.moves() { &pin } else { &hole };
            builder.mark(Mark { subject: key.into(), at: shown.anchor.clone(), radius: self.pin_radius });
        } else {
            coefficient = self.friction * self.pin_radius;
            let revolute = joints::Coincident { first: hole.marker.clone(), second: pin.marker.clone() };
            rows = builder.add_joint(key, vec![Element::Coincident(revolute)]);
        }
        let (first, second) = (hole.marker.place, pin.marker.place);
        let rubs = coefficient > 0.0 || self.friction_torque > 0.0;
        let turns = if self.limits.is_some() {
            first.takes_torque() && second.takes_torque()
        } else {
            first.turns() || second.turns()
        };
        if (rubs || self.limits.is_some()) && !turns {
            let without = if first.takes_torque() { &second } else { &first };
            let body = builder.body_name(without).to_string();
            return Err(ModelError::new(&["joints", key], Problem::NoAngle { body }));
        }
        if let Some(limits) = Limits::of(self.limits, self.limit_restitution) {
            let offset = pin.angle - hole.angle;
            let coordinate =
                contacts::Coordinate::Angle { first: first.clone(), second: second.clone(), offset };
            builder.stops(key, &coordinate, &limits);
        }
        if rubs {
            let kind = ContactKind::Dry {
                constant: self.friction_torque,
                coefficient,
                rows,
                quantity: Quantity::Angle,
            };
            builder.dry(key, kind, contacts::Element::Turning { first, second });
        }
        Ok(vec![hole.anchor, pin.anchor])
    }
}
