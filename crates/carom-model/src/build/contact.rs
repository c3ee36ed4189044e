//! Contacts between shapes.

use super::{Builder, Built};
use crate::contacts::{self, Feature, Path, Shape as Touched, Touch};
use crate::description::{Contact, Shape};
use crate::error::{ModelError, Problem};
use crate::marker::{Marker, Place, V2, norm, scale};
use crate::outline::rectangle;
use carom_dynamics::{ContactInfo, ContactKind};
use carom_elastic::Material;

/// A partner of a contact.
enum Partner {
    Point(Marker),
    Disk(Marker, f64),
    Line(Place, Feature),
    Path(Place, Path),
    Corners(Place, Vec<V2>, &'static str),
}

impl Partner {
    fn place(&self) -> &Place {
        match self {
            Partner::Point(marker) | Partner::Disk(marker, _) => &marker.place,
            Partner::Line(place, _) | Partner::Path(place, _) | Partner::Corners(place, ..) => place,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Partner::Point(_) => "point",
            Partner::Disk(..) => "disk",
            Partner::Line(..) => "line",
            Partner::Path(..) => "path",
            Partner::Corners(_, _, kind) => kind,
        }
    }

    /// Points and disks that touch: centre, radius.
    fn touching(&self) -> Vec<(Marker, f64)> {
        match self {
            Partner::Point(marker) => vec![(marker.clone(), 0.0)],
            Partner::Disk(marker, radius) => vec![(marker.clone(), *radius)],
            Partner::Corners(place, corners, _) => {
                let corner = |&local| (Marker { place: place.clone(), local }, 0.0);
                corners.iter().map(corner).collect()
            }
            Partner::Line(..) | Partner::Path(..) => Vec::new(),
        }
    }
}

/// What is touched: one feature or a path.
enum Surface {
    One(Feature),
    Path(Path),
}

/// The law of a contact: without friction it has one row.
pub(super) fn kind(restitution: f64, tangential_restitution: f64, friction: f64) -> ContactKind {
    if friction > 0.0 {
        ContactKind::Frictional { restitution, tangential_restitution, friction }
    } else {
        ContactKind::Unilateral { restitution }
    }
}

impl Builder<'_> {
    pub(super) fn contact(&mut self, key: &str, contact: &Contact) -> Built<()> {
        let first = self.partner(&contact.between[0], &["contacts", key, "between", "0"])?;
        let second = self.partner(&contact.between[1], &["contacts", key, "between", "1"])?;
        self.two_bodies(first.place(), second.place(), &["contacts", key, "between"])?;
        let kinds = (first.kind(), second.kind());
        // Point or disk on anything with a surface; corners on a wall or path. The order of the names is free.
        let touched = |partner: &Partner, by: &Partner| {
            let by_corners = matches!(by, Partner::Corners(..));
            match partner {
                Partner::Line(_, feature) => Some(Surface::One(*feature)),
                Partner::Path(_, path) => Some(Surface::Path(path.clone())),
                Partner::Disk(marker, radius) if !by_corners => {
                    let (centre, radius) = (marker.local, *radius);
                    Some(Surface::One(Feature::Round { centre, radius, outward: true }))
                }
                Partner::Corners(_, corners, _) if !by_corners => Some(Surface::Path(Path::around(corners))),
                _ => None,
            }
        };
        let can_touch = |partner: &Partner| !partner.touching().is_empty();
        let (touching, place, surface) = match (touched(&second, &first), touched(&first, &second)) {
            (Some(surface), _) if can_touch(&first) => (first.touching(), second.place().clone(), surface),
            (_, Some(surface)) if can_touch(&second) => (second.touching(), first.place().clone(), surface),
            _ => {
                let problem = Problem::UnsupportedPair { first: kinds.0, second: kinds.1 };
                return Err(ModelError::new(&["contacts", key, "between"], problem));
            }
        };
        let shapes = match surface {
            Surface::One(feature) => vec![Touched::One(feature)],
            Surface::Path(path) => {
                let (radius, arc) = (touching[0].1, path.tightest());
                if radius >= arc {
                    let problem = Problem::DoesNotFit { radius, arc };
                    return Err(ModelError::new(&["contacts", key, "between"], problem));
                }
                let number = self.model.paths.len();
                let shapes = if path.touched_once() {
                    vec![Touched::Nearest { path: number }]
                } else {
                    (0..path.len()).map(|piece| Touched::Piece { path: number, piece }).collect()
                };
                self.model.paths.push(path);
                shapes
            }
        };
        let several = (touching.len() > 1, shapes.len() > 1);
        for (corner, (marker, radius)) in touching.into_iter().enumerate() {
            for (piece, shape) in shapes.iter().enumerate() {
                let name = match several {
                    (false, false) => key.to_string(),
                    (true, false) => format!("{key}.{}", corner + 1),
                    (false, true) => format!("{key}.{}", piece + 1),
                    (true, true) => format!("{key}.{}.{}", corner + 1, piece + 1),
                };
                let touch = Touch {
                    touching: marker.clone(),
                    radius,
                    touched: place.clone(),
                    shape: shape.clone(),
                    rubs: contact.friction > 0.0,
                };
                let kind = kind(contact.restitution, contact.tangential_restitution, contact.friction);
                self.model.contacts.push(contacts::Element::Touch(touch));
                self.model.contact_info.push(ContactInfo { name, kind });
                self.model.contact_path.push(vec!["contacts".into(), key.into()]);
            }
        }
        Ok(())
    }

    /// A shape or a point; a body without shapes stands for its centre of mass.
    fn partner(&mut self, reference: &str, path: &[&str]) -> Built<Partner> {
        let (body, name) = reference.split_once('.').unwrap_or((reference, ""));
        let place = self.place(body, path)?;
        let (points, shapes) = match self.description.bodies.get(body) {
            Some(body) => (&body.points, &body.shapes),
            None => (&self.description.ground.points, &self.description.ground.shapes),
        };
        if name.is_empty() {
            if shapes.is_empty() && place.moves() {
                return Ok(Partner::Point(self.frame(reference, path)?.marker));
            }
            let shapes = shapes.keys().cloned().collect();
            return Err(ModelError::new(path, Problem::WhichShape { body: body.into(), shapes }));
        }
        let Some(shape) = shapes.get(name) else {
            if points.contains_key(name) {
                return Ok(Partner::Point(self.frame(reference, path)?.marker));
            }
            let known = shapes.keys().chain(points.keys()).map(|n| format!("{body}.{n}")).collect();
            let problem = Problem::Unknown { what: "shape or point", name: reference.into(), known };
            return Err(ModelError::new(path, problem));
        };
        if let Some(flexible) = self.model.bodies.get(place.body as usize).and_then(|b| b.flexible.as_ref()) {
            // A disk rides on the material point in its centre; other shapes would not know how to deform.
            let (path, wrong) = (["bodies", body, "shapes", name], Problem::Elastic);
            let Shape::Disk { center, radius } = shape else {
                return Err(ModelError::new(&path, Problem::RigidShape { body: body.into() }));
            };
            let point =
                flexible.body.point(Material::At(*center)).map_err(|e| ModelError::new(&path, wrong(e)))?;
            let place = self.carry(place.body, point, true);
            return Ok(Partner::Disk(Marker { place, local: [0.0; 2] }, *radius));
        }
        Ok(match shape {
            Shape::Disk { center, radius } => Partner::Disk(Marker { place, local: *center }, *radius),
            Shape::Line { through, normal } => {
                let normal = scale(1.0 / norm(*normal), *normal);
                Partner::Line(place, Feature::Flat { through: *through, normal })
            }
            Shape::Path { start, pieces } => Partner::Path(place, Path::new(*start, pieces)),
            Shape::Rectangle { center, size } => {
                Partner::Corners(place, rectangle(*center, *size).to_vec(), "rectangle")
            }
            Shape::Polygon { corners } => Partner::Corners(place, corners.clone(), "polygon"),
        })
    }
}
