//! What joints of space have besides rows: stops, dry friction, contacts where there is clearance.

use super::{SpaceBuilder, contact};
use crate::contacts::space::{Element, Facing, Mount, Sliding, Stopped, Turning};
use crate::geometry::Vector;
use crate::geometry::space::V3;
use crate::joints::{Coordinate, Framed, Pair};
use crate::kinds::joint::Limits;
use crate::layout::Mark;
use crate::outline::space::{PlacedSolid, Solid};
use carom_dynamics::{ContactInfo, ContactKind, JointStop, Quantity};
use std::ops::Range;

/// The range of a coordinate: which keys say it, and how its stops are called.
pub(crate) struct Ends {
    pub key: &'static str,
    pub names: [&'static str; 2],
}

/// Of the only freedom of a joint, and of the displacement where there are two.
pub(crate) const LIMITS: Ends = Ends { key: "limits", names: ["lower", "upper"] };
/// Of the angle where there is a displacement, too.
pub(crate) const ANGLE_LIMITS: Ends = Ends { key: "angle_limits", names: ["angle_lower", "angle_upper"] };

/// What presses a joint together, and what holds without.
pub(crate) struct Rubbing {
    /// N or N m.
    pub constant: f64,
    /// μ, or μ times a radius.
    pub coefficient: f64,
    /// Rows of Φ.
    pub rows: Range<usize>,
}

impl Rubbing {
    pub fn none(&self) -> bool {
        self.constant == 0.0 && self.coefficient == 0.0
    }
}

impl Framed {
    /// Its axes, for shapes.
    pub fn mount(&self) -> Mount {
        Mount::new(self.marker.place.clone(), self.marker.local, self.rotation)
    }
}

impl SpaceBuilder<'_> {
    /// The stops of a coordinate.
    pub fn stops(&mut self, key: &str, ends: &Ends, coordinate: Coordinate, limits: &Limits) {
        let quantity = coordinate.quantity();
        self.stops_of(key, ends, coordinate, [1.0, 0.0], quantity, limits);
    }

    /// The stops of γ s + z_1 where s is a coordinate.
    pub fn stops_of(
        &mut self,
        key: &str,
        ends: &Ends,
        coordinate: Coordinate,
        [gain, shift]: [f64; 2],
        quantity: Quantity,
        limits: &Limits,
    ) {
        let arm = match quantity {
            Quantity::Angle => self.length_scale(),
            Quantity::Length => 1.0,
        };
        for (upper, end) in ends.names.into_iter().enumerate() {
            let stop = JointStop { quantity, arm, limit: limits.range[upper], upper: upper == 1 };
            let element = Element::Stop(Stopped { coordinate: coordinate.clone(), gain, shift, stop });
            self.model.contacts.add(vec![Facing { element, sign: 1.0 }]);
            let kind = ContactKind::Unilateral { restitution: limits.restitution };
            let info = ContactInfo { stop: Some(stop), ..ContactInfo::new(format!("{key}.{end}"), kind) };
            self.model.structure.contacts.push(info);
            self.model.contact_path.push(vec!["joints".into(), key.into(), ends.key.into()]);
        }
    }

    /// Dry friction about the axis of the first frame.
    pub fn dry_turning(&mut self, key: &str, name: &str, pair: &Pair, rubbing: Rubbing) {
        let axis = pair.a.mount().direction(V3::axis(2));
        let (first, second) = (pair.a.place().clone(), pair.b.place().clone());
        self.dry(key, name, Quantity::Angle, Element::Turning(Turning { first, second, axis }), rubbing);
    }

    /// Dry friction along the axis of the first frame.
    pub fn dry_sliding(&mut self, key: &str, name: &str, pair: &Pair, rubbing: Rubbing) {
        let sliding = Sliding { slider: pair.b.marker.clone(), guide: pair.a.mount() };
        self.dry(key, name, Quantity::Length, Element::Sliding(sliding), rubbing);
    }

    fn dry(&mut self, key: &str, name: &str, quantity: Quantity, element: Element, rubbing: Rubbing) {
        if rubbing.none() {
            return;
        }
        let Rubbing { constant, coefficient, rows } = rubbing;
        let kind = ContactKind::Dry { constant, coefficient, rows, quantity };
        let facing = Facing { element, sign: 1.0 };
        self.add_contacts(&["joints", key], &format!("{key}.{name}"), vec![facing], vec![kind]);
    }

    /// Contacts inside of a joint, under one name, marked on what touches: at a place of the second frame.
    pub fn clearance(
        &mut self,
        key: &str,
        name: String,
        facing: Vec<Facing>,
        [restitution, friction]: [f64; 2],
        (on, place, radius): (&Framed, V3, f64),
    ) {
        let law = contact::kind(restitution, 0.0, friction);
        let laws = vec![law; facing.len()];
        self.add_contacts(&["joints", key, "clearance"], &name, facing, laws);
        let mut at = self.anchor_of(on);
        at.at = on.mount().marker(place).local;
        self.model.layout.joint_marks.push(Mark { subject: name, at, radius });
    }

    /// Adds a solid to what is drawn of a body, in the axes of a frame.
    pub fn draw(&mut self, frame: &Framed, solid: Solid, hole: bool) {
        let place = &frame.marker.place;
        let solid = PlacedSolid { solid, at: frame.marker.local, rotation: frame.rotation, hole };
        let name = self.body_name(place).to_string();
        if let Some(outline) = self.model.outlines.iter_mut().find(|outline| outline.body == name) {
            outline.solids.push(solid);
        }
    }
}

/// A frame without axes of its own: of a point.
pub(crate) fn framed(frame: super::SpaceFrame) -> Framed {
    Framed::new(frame.marker, frame.held)
}
