//! A slider in a guide: exact, or a rectangle between two walls with play.

use super::{JointKind, Limits, limits, needs_clearance, not_negative};
use crate::build::{Builder, Built, Frame, direction};
use crate::check::{Check, number, surface};
use crate::contacts::{self, Feature, Shape, Touch};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{add, norm, scale, turn};
use crate::joints::{self, Angle, Element};
use crate::kinds::Described;
use crate::layout::{Anchor, Mark};
use crate::outline::{closed, rectangle};
use crate::place::Marker;
use carom_dynamics::{Configuration, ContactKind, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Corners of the slider in the order of the slider-crank literature, seen along the axis of the guide: 1 upper left,
/// 2 upper right, 3 lower left, 4 lower right; (along, side).
const CORNERS: [(f64, f64); 4] = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];

/// The second point slides along the axis (local x) of the first point's frame. The slider does not turn against the
/// guide: their relative angle stays as it is at the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prismatic {
    /// Guide first, slider second.
    pub between: [String; 2],
    /// Play on each side (m). With it the slider is a rectangle between two walls: four corner contacts, numbered
    /// 1 upper left, 2 upper right, 3 lower left, 4 lower right.
    pub clearance: Option<f64>,
    /// Length and height of the slider (m), for clearance.
    pub size: Option<[f64; 2]>,
    /// Restitution of the corners (only with clearance).
    #[serde(default)]
    pub restitution: f64,
    /// Friction coefficient: of the corners with clearance, of the guide (times the normal force) without.
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
            number(clearance, "clearance", &at("clearance")).not_negative()?;
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

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let [guide, slider] = builder.pair("joints", key, &self.between)?;
        if !guide.marker.place.takes_torque() {
            let body = builder.body_name(&guide.marker.place).to_string();
            return Err(ModelError::new(&["joints", key, "between", "0"], Problem::NoAngle { body }));
        }
        let sliding = joints::Prismatic {
            guide: guide.marker.clone(),
            slider: slider.marker.clone(),
            axis: direction(guide.angle),
        };
        let mut coefficient = 0.0;
        let mut rows = builder.no_rows();
        if let (Some(clearance), Some(size)) = (self.clearance, self.size) {
            self.corners_in_guide(key, builder, [&guide, &slider], size, clearance);
        } else {
            coefficient = self.friction;
            let mut elements = vec![Element::Prismatic(sliding.clone())];
            if slider.marker.place.takes_torque() {
                // No turning: the relative angle stays as it is at the start.
                let (first, second) = (slider.marker.place.clone(), guide.marker.place.clone());
                let offset = first.angle(start) - second.angle(start);
                elements.push(Element::Angle(Angle { first, second, ratio: -1.0, offset }));
            }
            rows = builder.add_joint(key, elements);
            // The normal row alone presses slider and guide together.
            rows.end = rows.start + 1;
        }
        if let Some(limits) = Limits::of(self.limits, self.limit_restitution) {
            builder.stops(key, &contacts::Coordinate::Displacement(sliding.clone()), &limits);
        }
        if coefficient > 0.0 || self.friction_force > 0.0 {
            let constant = self.friction_force;
            let kind = ContactKind::Dry { constant, coefficient, rows, quantity: Quantity::Length };
            builder.dry(key, kind, contacts::Element::Sliding(sliding));
        }
        self.draw(builder, &guide, &slider);
        Ok(vec![guide.anchor, slider.anchor])
    }
}

impl Prismatic {
    /// A rectangle between two walls.
    fn corners_in_guide(
        &self,
        key: &str,
        builder: &mut Builder,
        [guide, slider]: [&Frame; 2],
        size: [f64; 2],
        clearance: f64,
    ) {
        let (axis, tilt) = (direction(guide.angle), direction(slider.angle));
        let up = [-axis[1], axis[0]];
        for (number, (along, side)) in CORNERS.iter().enumerate() {
            let corner = [0.5 * along * size[0], 0.5 * side * size[1]];
            let local = add(slider.marker.local, turn(tilt[0], tilt[1], corner));
            let wall = side * (0.5 * size[1] + clearance);
            let feature =
                Feature::Flat { through: add(guide.marker.local, scale(wall, up)), normal: scale(-side, up) };
            let touch = Touch {
                touching: Marker { place: slider.marker.place.clone(), local },
                radius: 0.0,
                touched: guide.marker.place.clone(),
                shape: Shape::One(feature),
                rubs: self.friction > 0.0,
            };
            let subject = format!("{key}.{}", number + 1);
            builder.clearance(key, subject.clone(), touch, self.restitution, self.friction);
            let at = Anchor { at: local, ..slider.anchor.clone() };
            builder.mark(Mark { subject, at, radius: 0.0 });
        }
    }

    /// The slider, and the walls if there is play.
    fn draw(&self, builder: &mut Builder, guide: &Frame, slider: &Frame) {
        let Some([l, h]) = self.size else { return };
        if let Some(play) = self.clearance {
            // Past both ends of the slider, and with the free side on the left like a path.
            let reach = builder.length_scale() + l;
            builder.outline(guide, |outline, at, [c, s]| {
                for side in [1.0, -1.0] {
                    let wall = side * (0.5 * h + play);
                    let ends = [side * reach, -side * reach].map(|x| add(at, turn(c, s, [x, wall])));
                    outline.polylines.push(ends.to_vec());
                }
            });
        }
        builder.outline(slider, |outline, at, [c, s]| {
            let corners = rectangle([0.0; 2], [l, h]);
            outline.polylines.push(closed(corners.map(|p| add(at, turn(c, s, p))).to_vec()));
        });
    }
}
