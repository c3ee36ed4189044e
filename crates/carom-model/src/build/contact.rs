//! Contacts between shapes.

use super::{Builder, Built};
use crate::contacts::Contacts;
use crate::contacts::{
    self, Chain, Feature, Meet, Meeting, OnChain, Parts, Path, Shape as Touched, Touch, touchers,
};
use crate::description::{Contact, Corner, Shape};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{V2, norm, scale, sub};
use crate::layout::{Anchor, Attachment, Mark};
use crate::outline::{capsule, rectangle};
use crate::place::{Carrier, Marker, Place};
use carom_dynamics::{ContactInfo, ContactKind};
use carom_elastic::Material;
use std::sync::Arc;

/// A partner of a contact.
enum Partner {
    Point(Marker),
    Disk(Marker, f64),
    Line(Place, Feature),
    Path(Place, Path),
    Corners(Place, Vec<V2>, &'static str),
    /// Nodes of a flexible body in order; a closed chain repeats its first.
    Boundary(Place, Vec<Place>),
}

impl Partner {
    fn place(&self) -> &Place {
        match self {
            Partner::Point(marker) | Partner::Disk(marker, _) => &marker.place,
            Partner::Line(place, _)
            | Partner::Path(place, _)
            | Partner::Corners(place, ..)
            | Partner::Boundary(place, _) => place,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Partner::Point(_) => "point",
            Partner::Disk(..) => "disk",
            Partner::Line(..) => "line",
            Partner::Path(..) => "path",
            Partner::Corners(_, _, kind) => kind,
            Partner::Boundary(..) => "boundary",
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
            Partner::Boundary(_, nodes) => {
                let closed = nodes.len() > 1 && nodes.first() == nodes.last();
                let node = |place: &Place| (Marker { place: place.clone(), local: [0.0; 2] }, 0.0);
                nodes.iter().skip(usize::from(closed)).map(node).collect()
            }
            Partner::Line(..) | Partner::Path(..) => Vec::new(),
        }
    }

    /// What points, disks and corners of another partner may touch. A disk touches a rectangle, not the other way round.
    fn surface(&self, by: &Partner) -> Option<Surface> {
        let by_corners = matches!(by, Partner::Corners(..));
        match self {
            Partner::Line(_, feature) => Some(Surface::One(*feature)),
            Partner::Path(_, path) => Some(Surface::Path(path.clone())),
            Partner::Disk(marker, radius) if !by_corners => {
                let (centre, radius) = (marker.local, *radius);
                Some(Surface::One(Feature::Round { centre, radius, outward: true }))
            }
            Partner::Corners(_, corners, _) if !by_corners => Some(Surface::Path(Path::around(corners))),
            Partner::Boundary(_, nodes) => Some(Surface::Chain(Arc::new(Chain::new(nodes.clone())))),
            _ => None,
        }
    }

    /// The outline of a shape that has one.
    fn outline(&self) -> Option<Path> {
        match self {
            Partner::Path(_, path) => Some(path.clone()),
            Partner::Corners(_, corners, _) => Some(Path::around(corners)),
            _ => None,
        }
    }

    /// Both outlines, if two outlines meet or the curves of one meet a line.
    fn outlines(&self, other: &Partner) -> Option<[Path; 2]> {
        let line = |partner: &Partner| match partner {
            Partner::Line(_, Feature::Flat { through, normal }) => Some(Path::half_plane(*through, *normal)),
            _ => None,
        };
        match (self, other) {
            (Partner::Path(..), Partner::Line(..)) => Some([self.outline()?, line(other)?]),
            (Partner::Line(..), Partner::Path(..)) => Some([line(self)?, other.outline()?]),
            _ => Some([self.outline()?, other.outline()?]),
        }
    }
}

/// Places of a partner that the eye looks at: where it touches with something small.
struct Spots {
    places: Vec<(Anchor, f64)>,
    /// Whether there is something small, shown or not.
    small: bool,
    moves: bool,
}

impl Partner {
    /// `reference` is the partner as described.
    fn spots(&self, reference: &str) -> Spots {
        let (body, _) = reference.split_once('.').unwrap_or((reference, ""));
        let on = |at: V2| Anchor { body: body.into(), at, angle: 0.0 };
        let places = match self {
            // a named point of a flexible body has a track of its own; its disks and its boundary have none
            Partner::Point(marker) if marker.place.is_flexible() => {
                vec![(Anchor { body: reference.into(), ..Anchor::default() }, 0.0)]
            }
            Partner::Disk(marker, _) if marker.place.is_flexible() => Vec::new(),
            Partner::Point(marker) => vec![(on(marker.local), 0.0)],
            Partner::Disk(marker, radius) => vec![(on(marker.local), *radius)],
            Partner::Corners(_, corners, _) => corners.iter().map(|&corner| (on(corner), 0.0)).collect(),
            Partner::Line(..) | Partner::Path(..) | Partner::Boundary(..) => Vec::new(),
        };
        let small = !matches!(self, Partner::Line(..) | Partner::Path(..));
        Spots { places, small, moves: self.place().moves() }
    }
}

/// What is touched: one feature, a path, or the boundary of a flexible body.
enum Surface {
    One(Feature),
    Path(Path),
    Chain(Arc<Chain>),
}

/// Points and disks on one surface.
struct Side {
    touching: Vec<(Marker, f64)>,
    place: Place,
    surface: Surface,
    /// Sign of the normal seen from the partner named first.
    sign: f64,
}

impl Side {
    fn new(touching: &Partner, touched: &Partner, sign: f64) -> Option<Side> {
        let markers = match (touching, touched) {
            // corners, and arcs that are part of a whole disk of their body
            (Partner::Path(place, path), Partner::Boundary(..)) => {
                let marker = |(local, radius)| (Marker { place: place.clone(), local }, radius);
                path.corners_and_disks().into_iter().map(marker).collect()
            }
            _ => touching.touching(),
        };
        let surface = touched.surface(touching)?;
        let place = touched.place().clone();
        (!markers.is_empty()).then_some(Side { touching: markers, place, surface, sign })
    }
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
        self.show(key, contact, [&first, &second]);
        let bounded = |partner: &Partner| matches!(partner, Partner::Boundary(..));
        if first.place().body == second.place().body && (bounded(&first) || bounded(&second)) {
            let body = self.body_name(first.place()).to_string();
            return Err(ModelError::new(&["contacts", key, "between"], Problem::SameBody { body }));
        }
        for (i, partner) in [&first, &second].into_iter().enumerate() {
            let alone = matches!((&first, &second), (Partner::Line(..), _) | (_, Partner::Line(..)));
            // corners on a line without end need no inside
            if let (Some(outline), false) =
                (partner.outline(), alone && matches!(partner, Partner::Corners(..)))
                && let Some(pieces) = outline.crossing_pieces()
            {
                let name = contact.between[i].clone();
                // the spans of a spline are pieces too, which nobody has numbered
                let counted = matches!(partner, Partner::Path(..)) && !outline.has_splines();
                let pieces = counted.then(|| pieces.map(|piece| piece + 1));
                let problem = Problem::CrossesItself { name, pieces };
                return Err(ModelError::new(&["contacts", key, "between", &i.to_string()], problem));
            }
        }
        if let Some(outlines) = first.outlines(&second) {
            return self.meeting(key, contact, [first.place(), second.place()], outlines);
        }
        for (path, boundary) in [(&first, &second), (&second, &first)] {
            if let (Partner::Path(_, path), Partner::Boundary(_, nodes)) = (path, boundary) {
                let (radius, segment) = (path.sharpest(), longest(nodes));
                if radius < segment {
                    let problem = Problem::TooCoarse { radius, segment };
                    return Err(ModelError::new(&["contacts", key, "between"], problem));
                }
            }
        }
        let kinds = (first.kind(), second.kind());
        let sides = [Side::new(&first, &second, 1.0), Side::new(&second, &first, -1.0)];
        // Of a boundary the nodes touch, and it is touched between them. Otherwise once is enough, and the order of the
        // names is free.
        let both = bounded(&first) || bounded(&second);
        let sides: Vec<Side> = sides.into_iter().flatten().take(if both { 2 } else { 1 }).collect();
        if sides.is_empty() {
            let problem = Problem::UnsupportedPair { first: kinds.0, second: kinds.1 };
            return Err(ModelError::new(&["contacts", key, "between"], problem));
        }
        let has_corners = |side: &Side| matches!(&side.surface, Surface::Path(path) if path.has_corners());
        if contact.corner != Corner::Newton && !sides.iter().any(has_corners) {
            return Err(ModelError::new(&["contacts", key, "corner"], Problem::NoCorner));
        }
        let all = sides.iter().map(|side| side.touching.len()).sum();
        let mut number = 0;
        for side in sides {
            self.side(key, contact, side, &mut number, all)?;
        }
        Ok(())
    }

    /// Notes where a contact is shown: on the partner that touches with something small, rather on a body than on ground.
    fn show(&mut self, key: &str, contact: &Contact, partners: [&Partner; 2]) {
        let layout = &mut self.model.layout;
        let (name, between) = (key.to_string(), contact.between.to_vec());
        layout.contacts.push(Attachment { name, kind: "contact", between, anchors: Vec::new() });
        let both = [0, 1].map(|i| partners[i].spots(&contact.between[i]));
        let shown = both.into_iter().min_by_key(|spots| (!spots.small, !spots.moves));
        let places = shown.map(|spots| spots.places).unwrap_or_default();
        let several = places.len() > 1;
        for (i, (at, radius)) in places.into_iter().enumerate() {
            let subject = if several { format!("{key}.{}", i + 1) } else { key.to_string() };
            layout.contact_marks.push(Mark { subject, at, radius });
        }
    }

    /// Contacts of all that touches with one surface, numbered on from `number` of `all`.
    fn side(
        &mut self,
        key: &str,
        contact: &Contact,
        side: Side,
        number: &mut usize,
        all: usize,
    ) -> Built<()> {
        let Side { touching, place, surface, sign } = side;
        let rubs = contact.friction > 0.0;
        let shapes = match surface {
            Surface::One(feature) => vec![Touched::One(feature)],
            Surface::Path(path) => {
                let (radius, arc) = (touching[0].1, path.tightest());
                if radius >= arc {
                    let problem = Problem::DoesNotFit { radius, arc };
                    return Err(ModelError::new(&["contacts", key, "between"], problem));
                }
                let surfaces = &mut self.model.contacts.surfaces;
                let number = surfaces.paths.len();
                let shapes = if path.touched_once() {
                    vec![Touched::Nearest { path: number }]
                } else {
                    let parts = Parts::new(&path, radius, 2.0 * radius);
                    let shared = surfaces.parts.len();
                    let part = |part| Touched::Part { path: number, parts: shared, part };
                    let shapes = (0..parts.count as u32).map(part).collect();
                    surfaces.parts.push(parts);
                    shapes
                };
                surfaces.paths.push(path);
                shapes
            }
            Surface::Chain(chain) => {
                for (touching, radius) in touching {
                    *number += 1;
                    let name = if all > 1 { format!("{key}.{number}") } else { key.to_string() };
                    let on = OnChain { touching, radius, chain: chain.clone(), rubs };
                    self.add_contact(key, contact, name, contacts::Element::OnChain(on), sign);
                }
                return Ok(());
            }
        };
        let several = shapes.len() > 1;
        for (touching, radius) in touching {
            *number += 1;
            for (piece, shape) in shapes.iter().enumerate() {
                let name = match (all > 1, several) {
                    (false, false) => key.to_string(),
                    (true, false) => format!("{key}.{number}"),
                    (false, true) => format!("{key}.{}", piece + 1),
                    (true, true) => format!("{key}.{number}.{}", piece + 1),
                };
                let (touching, touched, shape) = (touching.clone(), place.clone(), shape.clone());
                let touch = Touch { touching, radius, touched, shape, rubs };
                self.add_contact(key, contact, name, contacts::Element::Touch(touch), sign);
            }
        }
        Ok(())
    }

    /// Contacts of two outlines: what is convex of one with the parts of the other, both ways.
    fn meeting(
        &mut self,
        key: &str,
        contact: &Contact,
        places: [&Place; 2],
        outlines: [Path; 2],
    ) -> Built<()> {
        if contact.corner != Corner::Newton && !outlines.iter().any(Path::has_corners) {
            return Err(ModelError::new(&["contacts", key, "corner"], Problem::NoCorner));
        }
        let rubs = contact.friction > 0.0;
        let first = self.model.contacts.len();
        let paths = [self.model.contacts.surfaces.paths.len(), self.model.contacts.surfaces.paths.len() + 1];
        let places = places.map(Place::clone);
        let [one, other] = &outlines;
        let mut meeting = Meeting::new(first, places.clone(), [one, other], paths[1]);
        for (own, sign) in [(0, 1.0), (1, -1.0)] {
            let touched = 1 - own;
            // a line without end touches nothing: it is touched
            let touching = if outlines[own].is_endless() {
                Vec::new()
            } else {
                touchers(&outlines[own], &outlines[touched])
            };
            for (by, parts) in touching {
                let shared = self.model.contacts.surfaces.parts.len();
                for part in 0..parts.count as u32 {
                    let meet = Meet {
                        touching: places[own].clone(),
                        touched: places[touched].clone(),
                        own: paths[own],
                        path: paths[touched],
                        parts: shared,
                        part,
                        by: by.clone(),
                        second: own == 1,
                        rubs,
                    };
                    meeting.count += 1;
                    self.add_contact(key, contact, key.into(), contacts::Element::Meet(meet), sign);
                }
                self.model.contacts.surfaces.parts.push(parts);
            }
        }
        self.model.contacts.surfaces.paths.extend(outlines);
        self.model.contacts.surfaces.meetings.push(meeting);
        Ok(())
    }

    fn add_contact(
        &mut self,
        key: &str,
        contact: &Contact,
        name: String,
        element: contacts::Element,
        sign: f64,
    ) {
        let kind = kind(contact.restitution, contact.tangential_restitution, contact.friction);
        let corner = match contact.corner {
            Corner::Newton => carom_dynamics::Corner::Newton,
            Corner::Reflection => carom_dynamics::Corner::Reflection,
            Corner::TimeScaling => carom_dynamics::Corner::TimeScaling,
        };
        // of a pair of outlines the nearest place is drawn
        let joined = self.model.structure.contacts.last().is_some_and(|last| last.name == name);
        if !joined {
            self.model.contacts.touches.push((self.model.contacts.len(), sign));
        }
        self.model.contacts.elements.push(element);
        self.model.structure.contacts.push(ContactInfo { name, kind, corner, most: Some(1), stop: None });
        self.model.contact_path.push(vec!["contacts".into(), key.into()]);
    }

    /// Named boundaries of a flexible body.
    fn boundaries(&self, body: u32) -> Vec<(String, Vec<usize>)> {
        let flexible = self.model.bodies.get(body as usize).and_then(|body| body.flexible.as_ref());
        flexible.map_or_else(Vec::new, |flexible| flexible.body.boundaries())
    }

    /// The place of a node that may touch, the same for all contacts that name it.
    fn touching_node(&mut self, body: u32, node: usize) -> Place {
        if let Some(place) = self.touching_nodes.get(&(body, node)) {
            return place.clone();
        }
        let flexible = self.model.bodies[body as usize].flexible.as_ref().expect("it has boundaries");
        let point = flexible.body.point(Material::Node(node)).expect("boundaries are made of nodes");
        let place = self.carry(body, point, false);
        self.touching_nodes.insert((body, node), place.clone());
        place
    }

    /// A shape, a point or a boundary; a rigid body without shapes stands for its centre of mass.
    fn partner(&mut self, reference: &str, path: &[&str]) -> Built<Partner> {
        let (body, name) = reference.split_once('.').unwrap_or((reference, ""));
        let place = self.place(body, path)?;
        let (points, shapes) = match self.description.bodies.get(body) {
            Some(body) => (&body.points, &body.shapes),
            None => (&self.description.ground.points, &self.description.ground.shapes),
        };
        if name.is_empty() {
            if shapes.is_empty() && place.moves() && self.boundaries(place.body).is_empty() {
                return Ok(Partner::Point(self.frame(reference, path)?.marker));
            }
            let boundaries = self.boundaries(place.body).into_iter().map(|(name, _)| name);
            let shapes = shapes.keys().cloned().chain(boundaries).collect();
            return Err(ModelError::new(path, Problem::WhichShape { body: body.into(), shapes }));
        }
        let Some(shape) = shapes.get(name) else {
            if points.contains_key(name) {
                return Ok(Partner::Point(self.frame(reference, path)?.marker));
            }
            let boundaries = self.boundaries(place.body);
            if let Some((_, nodes)) = boundaries.iter().find(|(boundary, _)| boundary == name) {
                let nodes = nodes.iter().map(|&node| self.touching_node(place.body, node)).collect();
                return Ok(Partner::Boundary(place, nodes));
            }
            let known = shapes.keys().chain(points.keys()).chain(boundaries.iter().map(|b| &b.0));
            let known = known.map(|n| format!("{body}.{n}")).collect();
            let what = if boundaries.is_empty() { "shape or point" } else { "shape, point or boundary" };
            return Err(ModelError::new(path, Problem::Unknown { what, name: reference.into(), known }));
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
            Shape::Spline { through, hole } => Partner::Path(place, Path::smooth(&through.around(*hole))),
            Shape::Disk { center, radius } => Partner::Disk(Marker { place, local: *center }, *radius),
            Shape::Line { through, normal } => {
                let normal = scale(1.0 / norm(*normal), *normal);
                Partner::Line(place, Feature::Flat { through: *through, normal })
            }
            Shape::Path { start, pieces } => Partner::Path(place, Path::new(*start, pieces)),
            Shape::Capsule { from, to, radius } => {
                let (start, pieces) = capsule(*from, *to, *radius);
                Partner::Path(place, Path::new(start, &pieces))
            }
            Shape::Ellipse { .. } => {
                let problem = Problem::BadShape {
                    message: format!("`{reference}` is an ellipse, which leads points and does not touch"),
                    remedy: "for a contact use a spline through places of it, or a path of arcs".into(),
                };
                return Err(ModelError::new(path, problem));
            }
            Shape::Rectangle { center, size } => {
                Partner::Corners(place, rectangle(*center, *size).to_vec(), "rectangle")
            }
            Shape::Polygon { corners } => Partner::Corners(place, corners.clone(), "polygon"),
        })
    }
}

/// Length of the longest segment of a boundary before anything moves.
fn longest(nodes: &[Place]) -> f64 {
    let origin = |place: &Place| match &place.carrier {
        Carrier::Shapes(carried) => carried.origin,
        _ => [0.0; 2],
    };
    nodes.windows(2).map(|pair| norm(sub(origin(&pair[1]), origin(&pair[0])))).fold(0.0, f64::max)
}
