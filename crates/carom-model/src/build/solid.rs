//! Elastic solids, from their description.

use super::floating::{Carriage, wrong};
use super::{Builder, Built};
use crate::bodies::Floating;
use crate::description::{self, Body, ElementKind, InlineMesh, Point, Reference, Solid};
use crate::error::{ModelError, Problem};
use carom_elastic::{ElasticError, Element, Kind, Material, Mesh, Origin, Plane, Properties};
use std::sync::Arc;

fn kind(element: ElementKind) -> Kind {
    match element {
        ElementKind::T3 => Kind::T3,
        ElementKind::Q4 => Kind::Q4,
        ElementKind::Q4Incompatible => Kind::Q4Incompatible,
        ElementKind::T6 => Kind::T6,
        ElementKind::Q8 => Kind::Q8,
    }
}

impl Builder<'_> {
    pub(super) fn solid(&self, key: &str, body: &Body, solid: &Solid) -> Built<Floating> {
        let (source, mesh) = mesh(key, solid)?;
        let properties = Properties {
            plane: match solid.plane {
                description::Plane::Stress => Plane::Stress,
                description::Plane::Strain => Plane::Strain,
            },
            thickness: solid.thickness,
            young: solid.young,
            poisson: solid.poisson,
            density: solid.density,
        };
        let mut elements = carom_elastic::Solid::new(mesh, properties).map_err(|error| match error {
            ElasticError::Poisson { .. } => wrong(key, &["poisson"], error),
            other => wrong(key, &[source], other),
        })?;
        if solid.clamp.is_some() && solid.reference != Reference::Clamped {
            let problem = Problem::Useless { key: "clamp", without: "reference = \"clamped\"" };
            return Err(ModelError::new(&["bodies", key, "elastic", "clamp"], problem));
        }
        if let Some(side) = &solid.clamp {
            elements = elements.clamped_at(side).map_err(|error| wrong(key, &["clamp"], error))?;
        }
        for (i, name) in solid.stress.iter().enumerate() {
            let at = material(key, body, &["stress", &i.to_string()], name)?;
            elements = elements.with_stress(name, at).map_err(|error| {
                ModelError::new(&["bodies", key, "points", name], Problem::Elastic(error))
            })?;
        }
        let carriage = Carriage {
            reference: solid.reference,
            modes: solid.modes.as_ref(),
            damping: &solid.damping,
            damping_ratios: &solid.damping_ratios,
            stiffening: false,
        };
        self.floating(key, body, Arc::new(elements), &carriage)
    }
}

/// A named point of the body.
fn material(key: &str, body: &Body, fields: &[&str], name: &str) -> Built<Material> {
    match body.points.get(name) {
        Some(Point::At(at) | Point::Frame { at, .. }) => Ok(Material::At(*at)),
        Some(Point::Node { node, .. }) => Ok(Material::Node(*node)),
        None => {
            let known = body.points.keys().cloned().collect();
            let problem = Problem::Unknown { what: "point", name: name.into(), known };
            Err(ModelError::new(&[&["bodies", key, "elastic"], fields].concat(), problem))
        }
    }
}

/// The one mesh of a solid, and the key it comes from.
fn mesh(key: &str, solid: &Solid) -> Built<(&'static str, Mesh)> {
    let at = |field| move |error: ElasticError| wrong(key, &[field], error);
    match (&solid.block, &solid.disk, &solid.mesh) {
        (Some(block), None, None) => {
            let origin = match block.origin {
                description::Origin::Center => Origin::Centre,
                description::Origin::Corner => Origin::Corner,
            };
            let mesh = Mesh::block(block.size, block.elements, kind(block.element), origin);
            Ok(("block", mesh.map_err(at("block"))?))
        }
        (None, Some(disk), None) => {
            Ok(("disk", Mesh::disk(disk.radius, disk.rings, kind(disk.element)).map_err(at("disk"))?))
        }
        (None, None, Some(description::Mesh::Inline(mesh))) => {
            Ok(("mesh", inline(key, mesh, solid.incompatible)?))
        }
        (None, None, Some(description::Mesh::File(name))) => {
            let problem = Problem::MeshNotRead { name: name.clone() };
            Err(ModelError::new(&["bodies", key, "elastic", "mesh"], problem))
        }
        (block, disk, mesh) => {
            let given = [("block", block.is_some()), ("disk", disk.is_some()), ("mesh", mesh.is_some())];
            let given = given.into_iter().filter(|g| g.1).map(|g| g.0).collect();
            Err(ModelError::new(&["bodies", key, "elastic"], Problem::OneMesh { given }))
        }
    }
}

fn inline(key: &str, mesh: &InlineMesh, incompatible: bool) -> Built<Mesh> {
    let mut elements = Vec::with_capacity(mesh.elements.len());
    for (i, nodes) in mesh.elements.iter().enumerate() {
        let kind = match nodes.len() {
            3 => Kind::T3,
            4 if incompatible => Kind::Q4Incompatible,
            4 => Kind::Q4,
            6 => Kind::T6,
            8 => Kind::Q8,
            nodes => {
                let path = ["bodies", key, "elastic", "mesh", "elements", &i.to_string()];
                return Err(ModelError::new(&path, Problem::ElementNodes { nodes }));
            }
        };
        elements.push(Element { kind, nodes: nodes.clone() });
    }
    let sides = mesh.sides.iter().map(|(name, edges)| (name.clone(), edges.clone())).collect();
    Ok(Mesh { nodes: mesh.nodes.clone(), elements, sides })
}
