//! Springs and dampers along a line.

use super::ForceKind;
use crate::build::{Builder, Built, Gives, Sense, Unit, Words};
use crate::check::{Check, expression, number};
use crate::description::Expression;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{self, Drive, Element};
use crate::geometry::plane::{norm, sub};
use crate::kinds::Described;
use crate::law::Load;
use crate::layout::Anchor;
use crate::measure::Measure;
use crate::place::Marker;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Spring and damper along the line between two points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// The two points.
    pub between: [String; 2],
    /// Stiffness (N/m).
    #[serde(default)]
    pub stiffness: f64,
    /// Damping (N s/m).
    #[serde(default)]
    pub damping: f64,
    /// Free length (m); as it is at the start if left out.
    pub length: Option<f64>,
    /// Tension (N) besides that of stiffness and damping, a function of `length`, `stretch` and `rate` of the spring, of `t` and
    /// of the motion; above 0 it pulls the points together.
    pub force: Option<Expression>,
}

impl Described for Spring {
    fn kind(&self) -> &'static str {
        "spring"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, stiffness, damping, length, force } = self;
        see.number(stiffness, Dimension::FORCE.per(Dimension::LENGTH));
        see.number(damping, Dimension::FORCE.per(Dimension::VELOCITY));
        see.all(length, Dimension::LENGTH);
        force.iter_mut().for_each(|force| see.law(force, Dimension::FORCE));
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["forces", key, field];
        number(self.stiffness, "stiffness", &at("stiffness")).not_negative()?;
        number(self.damping, "damping", &at("damping")).not_negative()?;
        self.force.iter().try_for_each(|force| expression(&at("force"), "force", force))?;
        self.length.map_or(Ok(()), |length| number(length, "length", &at("length")).not_negative())
    }
}

impl ForceKind for Spring {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let [one, two] = builder.pair("forces", key, &self.between)?;
        let (first, second) = (one.marker, two.marker);
        let now = norm(sub(first.at(start).r, second.at(start).r));
        let (stiffness, damping, length) = (self.stiffness, self.damping, self.length.unwrap_or(now));
        // Without a free length the force k d is smooth through d = 0; with one, or with damping, it has a
        // direction only if d ≠ 0.
        if now == 0.0 && (length > 0.0 || damping > 0.0 || self.force.is_some()) {
            return Err(ModelError::new(&["forces", key, "between"], Problem::Coincident));
        }
        if let Some((along, load)) = self.tension(key, builder, [&first, &second], length)? {
            builder.add_force(Element::Drive(Drive { along, load, pulls: true }));
        }
        if stiffness != 0.0 || damping != 0.0 {
            let spring = forces::Spring { first, second, stiffness, damping, length };
            builder.add_force(Element::Spring(spring));
        }
        Ok(vec![one.anchor, two.anchor])
    }
}

impl Spring {
    /// The tension that a formula gives, and the distance it acts along.
    pub(crate) fn tension<S: Words>(
        &self,
        key: &str,
        builder: &mut Builder<'_, S>,
        [first, second]: [&Marker<S>; 2],
        length: f64,
    ) -> Built<Option<(Measure<S>, Load<S>)>> {
        let Some(force) = &self.force else { return Ok(None) };
        let along = Measure::Distance([first.clone(), second.clone()]);
        let [of_length, rate] = Sense::pair(["length", "rate"], &along, 0.0, Unit::Length);
        let [stretch, _] = Sense::pair(["stretch", "rate"], &along, length, Unit::Length);
        let own = [of_length, stretch, rate];
        let load = builder.load(force, Gives::Force, &own, &["forces", key, "force"])?;
        Ok(Some((along, load)))
    }
}
