//! Contacts between shapes in space.

use super::{SpaceBuilder, UNTURNED};
use crate::build::Built;
use crate::contacts::space::{Facing, Mount, Placement, Refused, Solid, elements};
use crate::description::space::{Contact, Shape};
use crate::error::{ModelError, Problem};
use crate::layout::Attachment;
use crate::outline;
use carom_dynamics::{ContactInfo, ContactKind, Resistance};

/// The law of a contact in space: without friction it has one row.
pub(crate) fn kind(restitution: f64, tangential_restitution: f64, friction: f64) -> ContactKind {
    if friction > 0.0 {
        let resistance = Resistance::None;
        ContactKind::Spatial { restitution, tangential_restitution, friction, resistance }
    } else {
        ContactKind::Unilateral { restitution }
    }
}

/// A described shape in its own axes.
fn solid(shape: &Shape) -> Solid {
    match *shape {
        Shape::Sphere { radius, hole: false, .. } => Solid::Sphere { radius },
        Shape::Sphere { radius, hole: true, .. } => Solid::Socket { radius },
        Shape::Plane { .. } => Solid::HalfSpace,
        Shape::Box { size, .. } => Solid::Box { half: size.map(|side| 0.5 * side) },
        Shape::Cylinder { radius, length, hole: false, .. } => Solid::Cylinder { radius, half: 0.5 * length },
        Shape::Cylinder { radius, length, hole: true, .. } => {
            Solid::Bore { radius, half: 0.5 * length, closed: false }
        }
        Shape::Ring { circle, radius, .. } => Solid::Ring { circle, radius },
        Shape::Capsule { from, to, radius } => {
            let half = 0.5 * (0..3).map(|i| (to[i] - from[i]).powi(2)).sum::<f64>().sqrt();
            Solid::Capsule { radius, half }
        }
    }
}

/// What resists turning, where friction holds what turns.
fn resistance(key: &str, contact: &Contact) -> Built<Resistance> {
    let wrong = |field: &str, message: &str, remedy: &str| {
        let (message, remedy) = (message.into(), remedy.into());
        Err(ModelError::new(&["contacts", key, field], Problem::BadShape { message, remedy }))
    };
    let resistance = match (contact.rolling, contact.drilling) {
        (0.0, 0.0) => return Ok(Resistance::None),
        (rolling, 0.0) => Resistance::Rolling(rolling),
        (0.0, drilling) => Resistance::Drilling(drilling),
        _ => {
            let message =
                "this contact resists both rolling and drilling, and the laws of contacts carry one of them";
            return wrong("drilling", message, "keep the one that matters more");
        }
    };
    if contact.friction == 0.0 {
        let field = if contact.rolling > 0.0 { "rolling" } else { "drilling" };
        let message = "this contact resists turning and has no friction";
        return wrong(field, message, "give it `friction`: without it nothing makes a body roll");
    }
    Ok(resistance)
}

impl SpaceBuilder<'_> {
    pub(super) fn contact(&mut self, key: &str, contact: &Contact) -> Built<()> {
        let first = self.partner(&contact.between[0], &["contacts", key, "between", "0"])?;
        let second = self.partner(&contact.between[1], &["contacts", key, "between", "1"])?;
        let path = ["contacts", key, "between"];
        self.two_bodies(&first.mount.place, &second.mount.place, &path)?;
        let resistance = resistance(key, contact)?;
        let turns = |placement: &Placement| placement.mount.place.turns();
        if resistance != Resistance::None && ![&first, &second].into_iter().any(turns) {
            let message = "neither partner of this contact turns, and it resists turning".to_string();
            let remedy = "give one of the bodies an `inertia`, or leave `rolling` and `drilling` out".into();
            return Err(ModelError::new(&["contacts", key], Problem::BadShape { message, remedy }));
        }
        let (e_N, e_T) = (contact.restitution, contact.tangential_restitution);
        let mut law = kind(e_N, e_T, contact.friction);
        if let ContactKind::Spatial { resistance: place, .. } = &mut law {
            *place = resistance;
        }
        let pair = elements(&first, &second, contact.friction > 0.0).map_err(|refused| match refused {
            Refused::Pair { first, second, instead } => {
                let message = format!("there is no contact between a {first} and a {second}");
                ModelError::new(&path, Problem::BadShape { message, remedy: instead.into() })
            }
            Refused::Size { of, what, value } => {
                let message = format!("the {what} of the {of} is {value}");
                ModelError::new(&path, Problem::BadShape { message, remedy: "a positive number".into() })
            }
        })?;
        let (name, between) = (key.to_string(), contact.between.to_vec());
        let listed = Attachment { name, kind: "contact", between, anchors: Vec::new() };
        self.model.layout.contacts.push(listed);
        self.add_contacts(&["contacts", key], key, pair, law);
        Ok(())
    }

    /// Contacts under one name, with one law.
    pub fn add_contacts(&mut self, path: &[&str], name: &str, pair: Vec<Facing>, law: ContactKind) {
        let numbers = self.model.contacts.add(pair);
        self.model.contacts.resist(numbers.clone(), law.resistance());
        for _ in numbers {
            self.model.structure.contacts.push(ContactInfo::new(name.to_string(), law.clone()));
            self.model.contact_path.push(path.iter().map(|word| (*word).to_string()).collect());
        }
    }

    /// A shape, a point, or a body: without shapes its centre of mass, with one that.
    fn partner(&self, reference: &str, path: &[&str]) -> Built<Placement> {
        let (body, name) = match reference.split_once('.') {
            Some((body, name)) => (body, Some(name)),
            None => (reference, None),
        };
        let place = self.place(body, path)?;
        let (points, shapes) = match self.description.bodies.get(body) {
            Some(body) => (&body.points, &body.shapes),
            None => (&self.description.ground.points, &self.description.ground.shapes),
        };
        let shape = match name {
            Some(name) => shapes.get(name),
            None if shapes.len() == 1 => shapes.values().next(),
            None => None,
        };
        if let Some(shape) = shape {
            let drawn = outline::space::solid(shape);
            let mount = Mount::new(place, drawn.at, drawn.rotation);
            return Ok(Placement { solid: solid(shape), mount });
        }
        let known = || {
            let of_body = points.keys().chain(shapes.keys());
            of_body.map(|name| format!("{body}.{name}")).collect::<Vec<_>>()
        };
        let local = match name {
            None if shapes.is_empty() && place.moves() => [0.0; 3],
            None => {
                let problem = Problem::WhichShape { body: body.into(), shapes: known() };
                return Err(ModelError::new(path, problem));
            }
            Some(name) => match points.get(name) {
                Some(point) => point.place(),
                None => {
                    let what = "shape or point";
                    let problem = Problem::Unknown { what, name: reference.into(), known: known() };
                    return Err(ModelError::new(path, problem));
                }
            },
        };
        Ok(Placement { solid: Solid::Point, mount: Mount::new(place, local, UNTURNED) })
    }
}
