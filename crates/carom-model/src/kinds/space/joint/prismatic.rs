//! A slider in a guide: exact, or a box in a box with play.

use super::JointKind;
use crate::build::{Agree, Built, LIMITS, Rubbing, SpaceBuilder};
use crate::check::{Check, number, surface};
use crate::contacts::space::box_in_guide;
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

/// The second point slides along z of the first frame; the bodies do not turn against each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prismatic {
    /// Guide first, slider second.
    pub between: [String; 2],
    /// Play on each side (m). With it the slider is a box in a box without ends: eight corners, contacts 1 to 8, each on two walls.
    pub clearance: Option<f64>,
    /// Sizes of the slider along x, y and z of its frame (m), for clearance; it slides along z.
    pub size: Option<[f64; 3]>,
    /// Restitution of the corners (only with clearance).
    #[serde(default)]
    pub restitution: f64,
    /// Friction coefficient: of the corners with clearance, of the guide (times the joint force square to the axis; its torques are
    /// not counted) without.
    #[serde(default)]
    pub friction: f64,
    /// Dry friction force that does not depend on load (N).
    #[serde(default)]
    pub friction_force: f64,
    /// Lowest and highest displacement of the slider along the axis, from the first point (m): a stop at either end.
    pub limits: Option<[f64; 2]>,
    /// Restitution of these stops, 0 to 1.
    #[serde(default)]
    pub limit_restitution: f64,
}

impl Described for Prismatic {
    fn kind(&self) -> &'static str {
        "prismatic"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            between: _,
            clearance,
            size,
            restitution,
            friction,
            friction_force,
            limits,
            limit_restitution,
        } = self;
        see.all(clearance, Dimension::LENGTH);
        see.all(size.iter_mut().flatten(), Dimension::LENGTH);
        see.all([restitution, friction], Dimension::NONE);
        see.number(friction_force, Dimension::FORCE);
        limits::quantities(limits, limit_restitution, Quantity::Length, see);
    }

    fn check(&self, key: &str) -> Check {
        let at = |field| ["joints", key, field];
        surface(&["joints", key], self.restitution, 0.0, self.friction)?;
        not_negative(key, &[("friction_force", "friction force", self.friction_force)])?;
        for side in self.size.iter().flatten() {
            number(*side, "size", &at("size")).positive()?;
        }
        if let Some(clearance) = self.clearance {
            number(clearance, "clearance", &at("clearance")).positive()?;
            if self.size.is_none() {
                let problem = Problem::Missing { key: "size", because: "clearance" };
                return Err(ModelError::new(&at("clearance"), problem));
            }
        }
        limits::check(key, self.limits, self.limit_restitution, Quantity::Length)?;
        needs_clearance(key, self.restitution, self.clearance)
    }
}

impl JointKind for Prismatic {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn size(&self) -> f64 {
        self.size.map_or(0.0, norm)
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::Parallel)?;
        let pair = joined.pair;
        let displacement = Coordinate::displacement(pair.clone());
        builder.measure(key, displacement.clone());
        let mut coefficient = 0.0;
        let mut rows = builder.no_rows();
        if let (Some(clearance), Some(size)) = (self.clearance, self.size) {
            self.corners(key, builder, &pair, clearance, size);
        } else {
            coefficient = self.friction;
            rows = builder.add_joint(key, vec![SpaceElement::held(Holding::Prismatic, pair.clone())]);
            // the force square to the axis presses slider and guide together
            rows.end = rows.start + 2;
        }
        if let Some(size) = self.size {
            builder.draw(&pair.b, Solid::Box { size }, false);
        }
        if let Some(limits) = limits::Limits::of(self.limits, self.limit_restitution) {
            builder.stops(key, &LIMITS, displacement, &limits);
        }
        let rubbing = Rubbing { constant: self.friction_force, coefficient, rows };
        builder.dry_sliding(key, "friction", &pair, rubbing);
        Ok(joined.anchors.into())
    }
}

impl Prismatic {
    fn corners(&self, key: &str, builder: &mut SpaceBuilder, pair: &Pair, clearance: f64, size: [f64; 3]) {
        let half = size.map(|side| 0.5 * side);
        let corners = box_in_guide(&pair.a.mount(), &pair.b.mount(), half, clearance, self.friction > 0.0);
        for (number, (corner, facing)) in corners.into_iter().enumerate() {
            let surface = [self.restitution, self.friction];
            builder.clearance(
                key,
                format!("{key}.{}", number + 1),
                facing.into(),
                surface,
                (&pair.b, corner, 0.0),
            );
        }
    }
}
