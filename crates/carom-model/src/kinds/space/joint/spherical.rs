//! A ball in a socket: exact, or with play.

use super::JointKind;
use crate::build::{Built, SpaceBuilder, framed};
use crate::check::{Check, number, surface};
use crate::contacts::space::ball_in_socket;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::joints::{Coincident, SpaceElement};
use crate::kinds::Described;
use crate::kinds::joint::{needs_clearance, not_negative};
use crate::layout::SpaceAnchor;
use crate::outline::space::Solid;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two points coincide; every rotation is free. The reaction has inertial components.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spherical {
    /// The two points: with clearance, socket first, ball second.
    pub between: [String; 2],
    /// Radial play (m). With it the joint is a ball in a socket: contact instead of constraint.
    pub clearance: Option<f64>,
    /// Radius of the ball (m): lever arm of the friction.
    #[serde(default)]
    pub radius: f64,
    /// Restitution of the ball in the socket (only with clearance).
    #[serde(default)]
    pub restitution: f64,
    /// Friction coefficient of the ball in the socket (only with clearance).
    #[serde(default)]
    pub friction: f64,
}

impl Described for Spherical {
    fn kind(&self) -> &'static str {
        "spherical"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, clearance, radius, restitution, friction } = self;
        see.all(clearance, Dimension::LENGTH);
        see.number(radius, Dimension::LENGTH);
        see.all([restitution, friction], Dimension::NONE);
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["joints", key, field];
        surface(&["joints", key], self.restitution, 0.0, self.friction)?;
        not_negative(key, &[("radius", "radius of the ball", self.radius)])?;
        if let Some(clearance) = self.clearance {
            return number(clearance, "clearance", &at("clearance")).positive();
        }
        if self.friction > 0.0 {
            let message = "friction from the load of a spherical joint acts about all axes at once, which is a law of contacts";
            let remedy = "give `clearance` and `radius`: the ball then rubs in its socket";
            let problem = Problem::BadJoint { message: message.into(), remedy: remedy.into() };
            return Err(ModelError::new(&at("friction"), problem));
        }
        if self.radius > 0.0 {
            let problem = Problem::Useless { key: "radius", without: "clearance" };
            return Err(ModelError::new(&at("radius"), problem));
        }
        needs_clearance(key, self.restitution, self.clearance)
    }
}

impl JointKind for Spherical {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, _: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let [first, second] = builder.pair("joints", key, &self.between)?;
        let anchors = vec![first.anchor.clone(), second.anchor.clone()];
        let Some(clearance) = self.clearance else {
            let ball = Coincident { first: first.marker, second: second.marker };
            builder.add_joint(key, vec![SpaceElement::Coincident(ball)]);
            return Ok(anchors);
        };
        let (socket, ball) = (framed(first), framed(second));
        let radius = self.radius;
        let facing = ball_in_socket(&socket.mount(), &ball.mount(), radius, clearance, self.friction > 0.0);
        let surface = [self.restitution, self.friction];
        builder.clearance(key, key.to_string(), vec![facing], surface, (&ball, [0.0; 3], radius));
        builder.draw(&socket, Solid::Sphere { radius: radius + clearance }, true);
        if radius > 0.0 {
            builder.draw(&ball, Solid::Sphere { radius }, false);
        }
        Ok(anchors)
    }
}
