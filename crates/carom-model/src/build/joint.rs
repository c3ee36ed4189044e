//! Joints, exact or with clearance.

use super::{Builder, Built, Frame, direction};
use crate::contacts::Contacts;
use crate::contacts::{self, Feature, Path, Shape, Touch};
use crate::description::{Coordinate, Joint, Shape as Described};
use crate::error::{ModelError, Problem};
use crate::events::{AtEnd, Event};
use crate::geometry::plane::{add, dot, norm, scale, sub, turn};
use crate::joints::Rows;
use crate::joints::{
    Along, Angle, Coincident, Curve, Distance, Element, Ellipse, PointOnCurve, Prismatic, Rack, Turned,
};
use crate::place::{Marker, Place};
use carom_dynamics::{
    Configuration, ConstraintInfo, ContactInfo, ContactKind, Crossing, EventInfo, Quantity,
};
use std::ops::Range;
use std::sync::Arc;

impl Builder<'_> {
    pub(super) fn joint(&mut self, key: &str, joint: &Joint, start: &Configuration) -> Built<()> {
        match joint {
            Joint::Revolute { between, clearance, restitution, friction, pin_radius, friction_torque } => {
                let [first, second] = self.pair("joints", key, between)?;
                let (first, second) = (first.marker, second.marker);
                let mut coefficient = 0.0;
                let mut rows = self.rows..self.rows;
                if let Some(clearance) = clearance {
                    let feature = Feature::Round {
                        centre: first.local,
                        radius: pin_radius + clearance,
                        outward: false,
                    };
                    let touch = Touch {
                        touching: second.clone(),
                        radius: *pin_radius,
                        touched: first.place.clone(),
                        shape: Shape::One(feature),
                        rubs: *friction > 0.0,
                    };
                    self.clearance(key, key.to_string(), touch, *restitution, *friction);
                } else {
                    coefficient = friction * pin_radius;
                    let revolute = Coincident { first: first.clone(), second: second.clone() };
                    rows = self.add_joint(key, vec![Element::Coincident(revolute)]);
                }
                if coefficient > 0.0 || *friction_torque > 0.0 {
                    let (first, second) = (first.place, second.place);
                    if !first.turns() && !second.turns() {
                        let body = self.body_name(if first.moves() { &first } else { &second }).to_string();
                        return Err(ModelError::new(&["joints", key], Problem::NoAngle { body }));
                    }
                    let kind = ContactKind::Dry {
                        constant: *friction_torque,
                        coefficient,
                        rows,
                        quantity: Quantity::Angle,
                    };
                    self.dry(key, kind, contacts::Element::Turning { first, second });
                }
                Ok(())
            }
            Joint::Prismatic { between, clearance, size, restitution, friction, friction_force } => {
                let [guide, slider] = self.pair("joints", key, between)?;
                if !guide.marker.place.takes_torque() {
                    let body = self.body_name(&guide.marker.place).to_string();
                    let path = ["joints", key, "between", "0"];
                    return Err(ModelError::new(&path, Problem::NoAngle { body }));
                }
                let sliding = Prismatic {
                    guide: guide.marker.clone(),
                    slider: slider.marker.clone(),
                    axis: direction(guide.angle),
                };
                let mut coefficient = 0.0;
                let mut rows = self.rows..self.rows;
                if let (Some(clearance), Some(size)) = (clearance, size) {
                    self.corners_in_guide(key, &guide, &slider, *size, *clearance, *restitution, *friction);
                } else {
                    coefficient = *friction;
                    let mut elements = vec![Element::Prismatic(sliding.clone())];
                    if slider.marker.place.takes_torque() {
                        // No turning: the relative angle stays as it is at the start.
                        let (first, second) = (slider.marker.place, guide.marker.place);
                        let offset = first.angle(start) - second.angle(start);
                        elements.push(Element::Angle(Angle { first, second, ratio: -1.0, offset }));
                    }
                    rows = self.add_joint(key, elements);
                    // The normal row alone presses slider and guide together.
                    rows.end = rows.start + 1;
                }
                if coefficient > 0.0 || *friction_force > 0.0 {
                    let kind = ContactKind::Dry {
                        constant: *friction_force,
                        coefficient,
                        rows,
                        quantity: Quantity::Length,
                    };
                    self.dry(key, kind, contacts::Element::Sliding(sliding));
                }
                Ok(())
            }
            Joint::Weld { between } => {
                let [first, second] = self.pair("joints", key, between)?;
                let (one, two) = (first.marker.place.clone(), second.marker.place.clone());
                let revolute = Coincident { first: first.marker, second: second.marker };
                let mut elements = vec![Element::Coincident(revolute)];
                if one.takes_torque() && two.takes_torque() {
                    // Frames coincide up to full turns.
                    let apart = one.angle(start) + first.angle - two.angle(start) - second.angle;
                    let turns = std::f64::consts::TAU * (apart / std::f64::consts::TAU).round();
                    let offset = turns - first.angle + second.angle;
                    elements.push(Element::Angle(Angle { first: one, second: two, ratio: -1.0, offset }));
                }
                self.add_joint(key, elements);
                Ok(())
            }
            Joint::Distance { between, length } => {
                let [first, second] = self.pair("joints", key, between)?;
                let (first, second) = (first.marker, second.marker);
                let now = norm(sub(first.at(start).r, second.at(start).r));
                if now <= super::TOUCHING * self.model.structure.length_scale {
                    return Err(ModelError::new(&["joints", key, "between"], Problem::Coincident));
                }
                let length = length.unwrap_or(now);
                self.add_joint(key, vec![Element::Distance(Distance { first, second, length })]);
                Ok(())
            }
            Joint::Motion { of, coordinate, function } => {
                let path = ["joints", key, "of"];
                let frame = self.frame(of, &path)?;
                if !frame.marker.place.moves() {
                    return Err(ModelError::new(&path, Problem::Immovable { name: of.clone() }));
                }
                if *coordinate == Coordinate::Angle {
                    self.turning_place(of, &path)?;
                }
                let function = self.signal(function, &["joints", key, "function"])?;
                let along = |axis| Element::Along(Along { of: frame.marker.clone(), axis, function });
                let motion = match coordinate {
                    Coordinate::X => along([1.0, 0.0]),
                    Coordinate::Y => along([0.0, 1.0]),
                    Coordinate::Angle => {
                        let (of, offset) = (frame.marker.place.clone(), frame.angle);
                        Element::Turned(Turned { of, offset, function })
                    }
                };
                self.model.driven.push(self.model.joints.len());
                self.add_joint(key, vec![motion]);
                Ok(())
            }
            Joint::Gear { between, ratio } => {
                let [first, second] = self.turning_pair("joints", key, between)?;
                let offset = first.angle(start) + ratio * second.angle(start);
                let gear = Angle { first, second, ratio: *ratio, offset };
                self.add_joint(key, vec![Element::Angle(gear)]);
                Ok(())
            }
            Joint::Rack { between, axis, radius } => {
                let wheel = self.turning_place(&between[0], &["joints", key, "between", "0"])?;
                let rack = self.frame(&between[1], &["joints", key, "between", "1"])?.marker;
                self.two_bodies(&wheel, &rack.place, &["joints", key, "between"])?;
                let axis = scale(1.0 / norm(*axis), *axis);
                let offset = dot(axis, rack.at(start).r) - radius * wheel.angle(start);
                self.add_joint(key, vec![Element::Rack(Rack { wheel, rack, axis, radius: *radius, offset })]);
                Ok(())
            }
            Joint::PointOnCurve { between, friction, friction_force } => {
                let joint = self.point_on_curve(key, between, start)?;
                let rows = self.add_joint(key, vec![Element::PointOnCurve(joint.clone())]);
                if *friction > 0.0 || *friction_force > 0.0 {
                    let kind = ContactKind::Dry {
                        constant: *friction_force,
                        coefficient: *friction,
                        rows,
                        quantity: Quantity::Length,
                    };
                    self.dry(key, kind, contacts::Element::Along(joint.clone()));
                }
                if joint.curve.before_end(joint.local(start)).is_some() {
                    let name = format!("{key}.end");
                    let info = EventInfo { name, crossing: Crossing::Falling, stops: true };
                    self.model.events.push(Event::Own(AtEnd(joint)));
                    self.model.structure.events.push(info);
                }
                Ok(())
            }
        }
    }

    pub(super) fn turning_pair(&self, section: &str, key: &str, between: &[String; 2]) -> Built<[Place; 2]> {
        let first = self.turning_place(&between[0], &[section, key, "between", "0"])?;
        let second = self.turning_place(&between[1], &[section, key, "between", "1"])?;
        self.two_bodies(&first, &second, &[section, key, "between"])?;
        Ok([first, second])
    }

    /// Which of the two is the curve, and whether a point can be led on it.
    fn point_on_curve(&self, key: &str, between: &[String; 2], start: &Configuration) -> Built<PointOnCurve> {
        let whole = ["joints", key, "between"];
        let bad = |path: &[&str], message: String, remedy: &str| {
            ModelError::new(path, Problem::BadShape { message, remedy: remedy.into() })
        };
        let shape = |reference: &String| {
            let (body, name) = reference.split_once('.')?;
            match self.description.bodies.get(body) {
                Some(body) => body.shapes.get(name),
                None if body == "ground" => self.description.ground.shapes.get(name),
                None => None,
            }
        };
        let (curve, point) = match between.each_ref().map(shape) {
            [Some(_), None] => (0, 1),
            [None, Some(_)] => (1, 0),
            [Some(_), Some(_)] => {
                let message = format!("`{}` and `{}` are both shapes", between[0], between[1]);
                return Err(bad(&whole, message, "name one shape, which is the curve, and one point"));
            }
            [None, None] => {
                // a name that is nothing at all is told first
                for (i, reference) in between.iter().enumerate() {
                    self.frame(reference, &["joints", key, "between", &i.to_string()])?;
                }
                let message = format!("neither `{}` nor `{}` is a shape", between[0], between[1]);
                let remedy = "name a curve, such as `ground.wire` with `[ground.shapes.wire]`, and a point";
                return Err(bad(&whole, message, remedy));
            }
        };
        let (curve_at, point_at) = (curve.to_string(), point.to_string());
        let path = ["joints", key, "between", curve_at.as_str()];
        let reference = &between[curve];
        let (body, _) = reference.split_once('.').unwrap_or((reference, ""));
        let carrier = self.place(body, &path)?;
        if carrier.is_flexible() {
            let message = format!("`{body}` is flexible, and a curve on it would not know how to deform");
            return Err(bad(&path, message, "fix the curve to a rigid body or to ground"));
        }
        let point = self.frame(&between[point], &["joints", key, "between", point_at.as_str()])?.marker;
        self.two_bodies(&point.place, &carrier, &whole)?;
        let curve = match shape(reference).expect("it was found to be a shape") {
            Described::Line { through, normal } => {
                let normal = scale(1.0 / norm(*normal), *normal);
                Curve::Whole(Feature::Flat { through: *through, normal })
            }
            Described::Disk { center, radius } => {
                Curve::Whole(Feature::Round { centre: *center, radius: *radius, outward: true })
            }
            Described::Ellipse { center, semi_axes, angle } => {
                Curve::Ellipse(Ellipse { center: *center, semi_axes: *semi_axes, axis: direction(*angle) })
            }
            Described::Path { start, pieces } => Curve::Path(Arc::new(Path::new(*start, pieces))),
            Described::Spline { through, hole } => {
                Curve::Path(Arc::new(Path::smooth(&through.around(*hole))))
            }
            Described::Capsule { from, to, radius } => {
                let (start, pieces) = crate::outline::capsule(*from, *to, *radius);
                Curve::Path(Arc::new(Path::new(start, &pieces)))
            }
            Described::Rectangle { .. } | Described::Polygon { .. } => {
                let message = format!("`{reference}` has corners, around which no point can be led");
                return Err(bad(
                    &path,
                    message,
                    "use a line, a circle, an ellipse, a spline or a path with rounded corners",
                ));
            }
        };
        if let Curve::Path(path_of) = &curve {
            if path_of.has_corners() {
                let message = format!("`{reference}` has a corner, around which no point can be led");
                return Err(bad(&path, message, "round it with an arc that joins both pieces smoothly"));
            }
            if path_of.crossing_pieces().is_some() {
                let message =
                    format!("`{reference}` crosses itself, and the point would not know which way to go");
                return Err(bad(&path, message, "give a curve that does not cross itself"));
            }
        }
        let joint = PointOnCurve { point, carrier, curve };
        let p = joint.local(start);
        let reach = super::TOUCHING * self.model.structure.length_scale;
        if let Some(left) = joint.curve.before_end(p)
            && left < -reach
            && joint.curve.seen(p).distance.abs() <= reach
        {
            let message = format!("the point starts {:.6e} m beyond the end of `{reference}`", -left);
            return Err(bad(&whole, message, "begin on the curve, or make it longer"));
        }
        Ok(joint)
    }

    fn add_joint(&mut self, key: &str, elements: Vec<Element>) -> Range<usize> {
        let first_row = self.rows;
        let mut quantities = Vec::new();
        for element in elements {
            let row = self.rows as u32;
            self.rows += element.quantities().len();
            quantities.extend_from_slice(element.quantities());
            self.model.joints.push((row, element));
        }
        let rows = first_row..self.rows;
        self.model.structure.constraints.push(ConstraintInfo {
            name: key.into(),
            rows: rows.clone(),
            quantities,
        });
        rows
    }

    fn dry(&mut self, key: &str, kind: ContactKind, element: contacts::Element) {
        self.model.contacts.elements.push(element);
        self.model.structure.contacts.push(ContactInfo::new(format!("{key}.friction"), kind));
        self.model.contact_path.push(vec!["joints".into(), key.into()]);
    }

    fn clearance(&mut self, key: &str, name: String, touch: Touch, restitution: f64, friction: f64) {
        // pin and slider touch and are named second
        self.model.contacts.touches.push((self.model.contacts.len(), -1.0));
        self.model.contacts.elements.push(contacts::Element::Touch(touch));
        let kind = super::contact::kind(restitution, 0.0, friction);
        self.model.structure.contacts.push(ContactInfo::new(name, kind));
        self.model.contact_path.push(vec!["joints".into(), key.into(), "clearance".into()]);
    }

    /// A rectangle between two walls. Corners in the order of the slider-crank literature: 1 upper left, 2 upper
    /// right, 3 lower left, 4 lower right, seen along the axis of the guide.
    fn corners_in_guide(
        &mut self,
        key: &str,
        guide: &Frame,
        slider: &Frame,
        size: [f64; 2],
        clearance: f64,
        restitution: f64,
        friction: f64,
    ) {
        let (axis, tilt) = (direction(guide.angle), direction(slider.angle));
        let up = [-axis[1], axis[0]];
        for (number, (along, side)) in [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].iter().enumerate()
        {
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
                rubs: friction > 0.0,
            };
            self.clearance(key, format!("{key}.{}", number + 1), touch, restitution, friction);
        }
    }
}
