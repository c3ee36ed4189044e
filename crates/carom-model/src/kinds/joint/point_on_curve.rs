//! A point that is led on a curve.

use super::{JointKind, not_negative};
use crate::build::{Builder, Built, Frame, TOUCHING, direction};
use crate::check::Check;
use crate::contacts::{self, Feature, Path};
use crate::description::Shape;
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::events::{AtEnd, Event};
use crate::geometry::plane::{norm, scale};
use crate::joints::{self, Curve, Element, Ellipse};
use crate::kinds::Described;
use crate::layout::Anchor;
use crate::place::Place;
use carom_dynamics::{Configuration, ContactKind, Crossing, EventInfo, Quantity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A point stays on a curve that is a shape of another body or of ground: a line, a circle (of a disk), an ellipse, a path or a spline
/// without corners. The point may turn. Where an open path ends, the run ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointOnCurve {
    /// The curve (a shape) and the point, in either order.
    pub between: [String; 2],
    /// Friction coefficient (times the normal force).
    #[serde(default)]
    pub friction: f64,
    /// Dry friction force that does not depend on load (N).
    #[serde(default)]
    pub friction_force: f64,
}

impl Described for PointOnCurve {
    fn kind(&self) -> &'static str {
        "point-on-curve"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, friction, friction_force } = self;
        see.number(friction, Dimension::NONE);
        see.number(friction_force, Dimension::FORCE);
    }

    fn check(&self, key: &str) -> Check {
        not_negative(
            key,
            &[
                ("friction", "friction", self.friction),
                ("friction_force", "friction force", self.friction_force),
            ],
        )
    }
}

impl JointKind for PointOnCurve {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut Builder, start: &Configuration) -> Built<Vec<Anchor>> {
        let Led { point, carrier, shape, reference, at } = self.led(key, builder)?;
        let path = ["joints", key, "between", at];
        let curve = curve(shape, reference, &path)?;
        let joint = joints::PointOnCurve { point: point.marker, carrier, curve };
        let p = joint.local(start);
        let reach = TOUCHING * builder.length_scale();
        let left = joint.curve.before_end(p);
        if let Some(left) = left
            && left < -reach
            && joint.curve.seen(p).distance.abs() <= reach
        {
            let message = format!("the point starts {:.6e} m beyond the end of `{reference}`", -left);
            return Err(bad(&path[..3], message, "begin on the curve, or make it longer"));
        }
        let rows = builder.add_joint(key, vec![Element::PointOnCurve(joint.clone())]);
        if self.friction > 0.0 || self.friction_force > 0.0 {
            let (constant, coefficient) = (self.friction_force, self.friction);
            let kind = ContactKind::Dry { constant, coefficient, rows, quantity: Quantity::Length };
            builder.dry(key, kind, contacts::Element::Along(joint.clone()));
        }
        if left.is_some() {
            let name = format!("{key}.end");
            let info = EventInfo { name, crossing: Crossing::Falling, stops: true };
            builder.add_event(Event::Own(AtEnd(joint)), info);
        }
        // the sign is on the point; the curve is drawn as the shape it is
        Ok(vec![point.anchor])
    }
}

fn bad(path: &[&str], message: String, remedy: &str) -> ModelError {
    ModelError::new(path, Problem::BadShape { message, remedy: remedy.into() })
}

/// What is led, and on what.
struct Led<'a> {
    point: Frame,
    carrier: Place,
    shape: &'a Shape,
    /// The shape as described, and which of the two partners it is.
    reference: &'a str,
    at: &'static str,
}

impl PointOnCurve {
    /// Which of the two is the curve, and whether it can lead a point.
    fn led<'a>(&'a self, key: &str, builder: &Builder<'a>) -> Built<Led<'a>> {
        let between = &self.between;
        let whole = ["joints", key, "between"];
        let (shape, [curve, point]) = match between.each_ref().map(|reference| builder.shape(reference)) {
            [Some(shape), None] => (shape, [0, 1]),
            [None, Some(shape)] => (shape, [1, 0]),
            [Some(_), Some(_)] => {
                let message = format!("`{}` and `{}` are both shapes", between[0], between[1]);
                return Err(bad(&whole, message, "name one shape, which is the curve, and one point"));
            }
            [None, None] => {
                // a name that is nothing at all is told first
                for (i, reference) in between.iter().enumerate() {
                    builder.frame(reference, &["joints", key, "between", &i.to_string()])?;
                }
                let message = format!("neither `{}` nor `{}` is a shape", between[0], between[1]);
                let remedy = "name a curve, such as `ground.wire` with `[ground.shapes.wire]`, and a point";
                return Err(bad(&whole, message, remedy));
            }
        };
        let [curve_at, point_at] = [curve, point].map(|i| ["0", "1"][i]);
        let path = ["joints", key, "between", curve_at];
        let reference = between[curve].as_str();
        let (body, _) = reference.split_once('.').unwrap_or((reference, ""));
        let carrier = builder.place(body, &path)?;
        if carrier.is_flexible() {
            let message = format!("`{body}` is flexible, and a curve on it would not know how to deform");
            return Err(bad(&path, message, "fix the curve to a rigid body or to ground"));
        }
        let point = builder.frame(&between[point], &["joints", key, "between", point_at])?;
        builder.two_bodies(&point.marker.place, &carrier, &whole)?;
        Ok(Led { point, carrier, shape, reference, at: curve_at })
    }
}

/// The curve of a shape, if a point can be led on it.
fn curve(shape: &Shape, reference: &str, path: &[&str]) -> Built<Curve> {
    let curve = match shape {
        Shape::Line { through, normal } => {
            let normal = scale(1.0 / norm(*normal), *normal);
            Curve::Whole(Feature::Flat { through: *through, normal })
        }
        Shape::Disk { center, radius } => {
            Curve::Whole(Feature::Round { centre: *center, radius: *radius, outward: true })
        }
        Shape::Ellipse { center, semi_axes, angle } => {
            Curve::Ellipse(Ellipse { center: *center, semi_axes: *semi_axes, axis: direction(*angle) })
        }
        Shape::Path { start, pieces } => Curve::Path(Arc::new(Path::new(*start, pieces))),
        Shape::Spline { through, hole } => Curve::Path(Arc::new(Path::smooth(&through.around(*hole)))),
        Shape::Capsule { from, to, radius } => {
            let (start, pieces) = crate::outline::capsule(*from, *to, *radius);
            Curve::Path(Arc::new(Path::new(start, &pieces)))
        }
        Shape::Rectangle { .. } | Shape::Polygon { .. } => {
            let message = format!("`{reference}` has corners, around which no point can be led");
            let remedy = "use a line, a circle, an ellipse, a spline or a path with rounded corners";
            return Err(bad(path, message, remedy));
        }
    };
    if let Curve::Path(path_of) = &curve {
        if path_of.has_corners() {
            let message = format!("`{reference}` has a corner, around which no point can be led");
            return Err(bad(path, message, "round it with an arc that joins both pieces smoothly"));
        }
        if path_of.crossing_pieces().is_some() {
            let message =
                format!("`{reference}` crosses itself, and the point would not know which way to go");
            return Err(bad(path, message, "give a curve that does not cross itself"));
        }
    }
    Ok(curve)
}
