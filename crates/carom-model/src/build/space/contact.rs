//! Contacts between shapes in space.

use super::{SpaceBuilder, UNTURNED};
use crate::build::Built;
use crate::contacts::space::{Facing, Mount, Placement, Refused, Solid, elements};
use crate::description::space::{Contact, Material, Pairs, Shape};
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
pub(super) fn solid(shape: &Shape) -> Solid {
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

/// What two surfaces have together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    pub restitution: f64,
    pub friction: f64,
    pub rolling: f64,
    pub drilling: f64,
    /// Whether the contact itself says what resists turning.
    resists_by_itself: bool,
}

/// What resists turning, where friction holds what turns.
pub(super) fn resistance(key: &str, surface: &Surface) -> Built<Resistance> {
    let wrong = |field: &str, message: &str, remedy: &str| {
        let (message, remedy) = (message.into(), remedy.into());
        Err(ModelError::new(&["contacts", key, field], Problem::BadShape { message, remedy }))
    };
    let resistance = match (surface.rolling, surface.drilling) {
        (0.0, 0.0) => return Ok(Resistance::None),
        (rolling, 0.0) => Resistance::Rolling(rolling),
        (0.0, drilling) => Resistance::Drilling(drilling),
        _ => {
            let message =
                "this contact resists both rolling and drilling, and the laws of contacts carry one of them";
            return wrong("drilling", message, "keep the one that matters more");
        }
    };
    if surface.friction == 0.0 {
        if !surface.resists_by_itself {
            return Ok(Resistance::None);
        }
        let field = if surface.rolling > 0.0 { "rolling" } else { "drilling" };
        let message = "this contact resists turning and has no friction";
        return wrong(field, message, "give it `friction`: without it nothing makes a body roll");
    }
    Ok(resistance)
}

/// A partner of a contact: a shape or a point, and the material it is of.
struct Partner<'a> {
    name: String,
    placement: Placement,
    material: Option<&'a str>,
}

impl<'a> SpaceBuilder<'a> {
    /// Two shapes, or all shapes of two bodies.
    pub(super) fn contact(&mut self, key: &str, contact: &Contact) -> Built<()> {
        let path = ["contacts", key, "between"];
        for (given, field) in [
            (!contact.except.is_empty(), "except"),
            (contact.pairs != Pairs::default(), "pairs"),
            (contact.overlap != 0.0, "overlap"),
        ] {
            if given {
                let message = format!(
                    "`{field}` is for contacts between groups, and this one names two shapes or bodies"
                );
                let remedy = "name a group or `all` in `between`, or leave it out".to_string();
                return Err(ModelError::new(
                    &["contacts", key, field],
                    Problem::BadShape { message, remedy },
                ));
            }
        }
        let first = self.partner(&contact.between[0], &["contacts", key, "between", "0"])?;
        let second = self.partner(&contact.between[1], &["contacts", key, "between", "1"])?;
        let (mut all, mut laws) = (Vec::new(), Vec::new());
        for first in &first {
            for second in &second {
                let (a, b) = (&first.placement, &second.placement);
                self.two_bodies(&a.mount.place, &b.mount.place, &path)?;
                let names = [first.name.as_str(), second.name.as_str()];
                let surface = self.surface(key, contact, [first.material, second.material], names)?;
                let law = self.law(key, contact, &surface, [a, b])?;
                let pair =
                    elements(a, b, surface.friction > 0.0).map_err(|refused| refusal(refused, &path))?;
                laws.extend(pair.iter().map(|_| law.clone()));
                all.extend(pair);
            }
        }
        let (name, between) = (key.to_string(), contact.between.to_vec());
        let listed = Attachment { name, kind: "contact", between, anchors: Vec::new() };
        self.model.layout.contacts.push(listed);
        self.add_contacts(&["contacts", key], key, all, laws);
        Ok(())
    }

    /// The law of two surfaces.
    pub(super) fn law(
        &self,
        key: &str,
        contact: &Contact,
        surface: &Surface,
        two: [&Placement; 2],
    ) -> Built<ContactKind> {
        let resists = resistance(key, surface)?;
        if resists != Resistance::None && !two.into_iter().any(|placement| placement.mount.place.turns()) {
            let message = "neither partner of this contact turns, and it resists turning".to_string();
            let remedy = "give one of the bodies an `inertia`, or leave `rolling` and `drilling` out".into();
            return Err(ModelError::new(&["contacts", key], Problem::BadShape { message, remedy }));
        }
        let mut law = kind(surface.restitution, contact.tangential_restitution, surface.friction);
        if let ContactKind::Spatial { resistance: place, .. } = &mut law {
            *place = resists;
        }
        Ok(law)
    }

    /// What a contact says of its surfaces, and what their materials say where it does not.
    pub(super) fn surface(
        &self,
        key: &str,
        contact: &Contact,
        of: [Option<&str>; 2],
        names: [&str; 2],
    ) -> Built<Surface> {
        let material = |name: &str| &self.description.materials[name];
        let both = match of {
            [Some(a), Some(b)] => material(a).with(material(b)),
            [None, None] => Material::default(),
            _ if contact.restitution.is_some() && contact.friction.is_some() => Material::default(),
            [first, _] => {
                let (with, without) = if first.is_some() { (0, 1) } else { (1, 0) };
                let message = format!("`{}` has a material and `{}` has none", names[with], names[without]);
                let remedy =
                    "give both a `material`, or give the contact `restitution` and `friction`".into();
                return Err(ModelError::new(&["contacts", key], Problem::BadShape { message, remedy }));
            }
        };
        // one resistance that the contact names takes the place of both
        let own = contact.rolling.is_some() || contact.drilling.is_some();
        let arm = |own_arm: Option<f64>, of_both: f64| if own { own_arm.unwrap_or(0.0) } else { of_both };
        Ok(Surface {
            restitution: contact.restitution.unwrap_or(both.restitution),
            friction: contact.friction.unwrap_or(both.friction),
            rolling: arm(contact.rolling, both.rolling),
            drilling: arm(contact.drilling, both.drilling),
            resists_by_itself: own,
        })
    }

    /// Contacts under one name, each with its law.
    pub fn add_contacts(&mut self, path: &[&str], name: &str, pair: Vec<Facing>, laws: Vec<ContactKind>) {
        let numbers = self.model.contacts.add(pair);
        for (i, law) in numbers.zip(laws) {
            self.model.contacts.resist(i..i + 1, law.resistance());
            self.model.structure.contacts.push(ContactInfo::new(name.to_string(), law));
            self.model.contact_path.push(path.iter().map(|word| (*word).to_string()).collect());
        }
    }

    /// A shape, a point, or a body: without shapes its centre of mass, else all its shapes.
    fn partner(&self, reference: &str, path: &[&str]) -> Built<Vec<Partner<'a>>> {
        let (body, name) = match reference.split_once('.') {
            Some((body, name)) => (body, Some(name)),
            None => (reference, None),
        };
        let place = self.place(body, path).map_err(|mut error| {
            if let Problem::Unknown { known, .. } = &mut error.problem {
                known.extend(self.description.groups.keys().cloned());
            }
            error
        })?;
        let (points, shapes) = match self.description.bodies.get(body) {
            Some(body) => (&body.points, &body.shapes),
            None => (&self.description.ground.points, &self.description.ground.shapes),
        };
        let meant = shapes.iter().filter(|(shape, _)| name.is_none_or(|name| name == shape.as_str()));
        let mut partners = Vec::new();
        for (shape_name, shape) in meant {
            let drawn = outline::space::solid(shape);
            let mount = Mount::new(place.clone(), drawn.at, drawn.rotation);
            let material = self.material_of(body, shape_name)?;
            let placement = Placement { solid: solid(shape), mount };
            partners.push(Partner { name: format!("{body}.{shape_name}"), placement, material });
        }
        if !partners.is_empty() {
            return Ok(partners);
        }
        let known = || {
            let of_body = points.keys().chain(shapes.keys());
            of_body.map(|name| format!("{body}.{name}")).collect::<Vec<_>>()
        };
        let local = match name {
            None if place.moves() => [0.0; 3],
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
        let placement = Placement { solid: Solid::Point, mount: Mount::new(place, local, UNTURNED) };
        Ok(vec![Partner { name: reference.into(), placement, material: None }])
    }
}

fn refusal(refused: Refused, path: &[&str]) -> ModelError {
    match refused {
        Refused::Pair { first, second, instead } => {
            let message = format!("there is no contact between a {first} and a {second}");
            ModelError::new(path, Problem::BadShape { message, remedy: instead.into() })
        }
        Refused::Size { of, what, value } => {
            let message = format!("the {what} of the {of} is {value}");
            ModelError::new(path, Problem::BadShape { message, remedy: "a positive number".into() })
        }
    }
}
