//! Plane elastic solids: their meshes and material.

use super::floating::Carriage;
use super::{Damping, ElasticKind, Modes, Reference, positive, ratios, wrong};
use crate::bodies::Flexible;
use crate::build::{Builder, Built};
use crate::check::Check;
use crate::description::{Body, Point};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::kinds::Described;
use carom_elastic::{ElasticError, Element, Material, MeshError, PlaneElement, Properties};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A plane elastic solid of finite elements in a floating frame: large motion, small deformation. Its mesh is one of
/// `block`, `disk` and `mesh`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solid {
    /// A rectangle.
    #[serde(default)]
    pub block: Option<Block>,
    /// A disk around the origin of the frame.
    #[serde(default)]
    pub disk: Option<Disk>,
    /// Any shape.
    #[serde(default)]
    pub mesh: Option<Mesh>,
    /// Whether the four-node quadrilaterals of `mesh` have incompatible modes, as `q4-incompatible` has.
    #[serde(default)]
    pub incompatible: bool,
    /// What happens across the thickness.
    #[serde(default)]
    pub plane: Plane,
    /// Thickness (m).
    #[serde(default = "one")]
    pub thickness: f64,
    /// Young's modulus (Pa); with the thickness left out, stiffness per thickness (N/m).
    pub young: f64,
    /// Poisson's ratio, above -1 and below 0.5.
    pub poisson: f64,
    /// Density (kg/m³); with the thickness left out, mass per area (kg/m²).
    pub density: f64,
    /// How the frame is tied to the deformation. Pinned: the node nearest to the lower left corner of the body stays in
    /// its place, that nearest to the lower right at its height; clamped: that nearest to the upper left does not move
    /// along x either, instead of the lower right.
    #[serde(default = "pinned")]
    pub reference: Reference,
    /// Side whose nodes a clamped frame holds, all of them, as if it were welded to something rigid.
    #[serde(default)]
    pub clamp: Option<String>,
    /// Shapes to reduce the solid to; all nodal coordinates if left out.
    #[serde(default)]
    pub modes: Option<Modes>,
    /// Damping.
    #[serde(default)]
    pub damping: Damping,
    /// Damping as shares of critical damping, one for all modes or one for each; instead of `damping`.
    #[serde(default)]
    pub damping_ratios: Vec<f64>,
    /// Points of the body where stresses are recorded.
    #[serde(default)]
    pub stress: Vec<String>,
}

fn one() -> f64 {
    1.0
}

fn pinned() -> Reference {
    Reference::Pinned
}

/// A rectangle of equal elements, with sides `bottom`, `right`, `top`, `left`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Length and height (m).
    pub size: [f64; 2],
    /// Elements along and across; triangles come in pairs.
    pub elements: [usize; 2],
    /// Kind of the elements.
    #[serde(default)]
    pub element: ElementKind,
    /// Where the frame is.
    #[serde(default)]
    pub origin: Origin,
}

/// A disk of elements of about the same size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disk {
    /// Radius (m).
    pub radius: f64,
    /// Layers of elements from the middle to the rim, at least 2.
    pub rings: usize,
    /// Kind of the elements.
    #[serde(default)]
    pub element: ElementKind,
}

/// A mesh, from a file or written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Mesh {
    /// A Gmsh file (MSH 4.1 or 2.2, ASCII), seen from the folder of the model file. Physical curves name sides.
    File(String),
    /// Nodes and elements.
    Inline(InlineMesh),
}

/// Nodes and elements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InlineMesh {
    /// Places of the nodes (m).
    pub nodes: Vec<[f64; 2]>,
    /// Nodes of each element, numbered from 0: corners counter-clockwise, then mid-side nodes. 3, 4, 6 or 8 nodes make a
    /// `t3`, `q4`, `t6` or `q8`.
    pub elements: Vec<Vec<usize>>,
    /// Named sides by the corner nodes of their edges.
    #[serde(default)]
    pub sides: IndexMap<String, Vec<[usize; 2]>>,
}

/// Kind of plane elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ElementKind {
    /// Three-node triangles.
    T3,
    /// Four-node quadrilaterals; too stiff in bending.
    #[default]
    Q4,
    /// Four-node quadrilaterals with incompatible modes, right in bending.
    Q4Incompatible,
    /// Six-node triangles.
    T6,
    /// Eight-node quadrilaterals.
    Q8,
}

/// Where the frame of a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// In the middle.
    #[default]
    Center,
    /// In the lower left corner.
    Corner,
}

/// What happens across the thickness of a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Plane {
    /// No stress: thin plates.
    #[default]
    Stress,
    /// No strain: long prisms.
    Strain,
}

impl InlineMesh {
    /// Reads the text of a Gmsh file.
    pub fn from_gmsh(text: &str) -> Result<Self, MeshError> {
        let mesh = carom_elastic::Mesh::from_gmsh(text)?;
        let elements = mesh.elements.into_iter().map(|element| element.nodes).collect();
        Ok(Self { nodes: mesh.nodes, elements, sides: mesh.sides.into_iter().collect() })
    }
}

impl Described for Solid {
    fn kind(&self) -> &'static str {
        "solid"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            block,
            disk,
            mesh,
            incompatible: _,
            plane: _,
            thickness,
            young,
            poisson,
            density,
            reference: _,
            clamp: _,
            modes,
            damping,
            damping_ratios,
            stress: _,
        } = self;
        if let Some(Block { size, elements: _, element: _, origin: _ }) = block {
            see.all(size, Dimension::LENGTH);
        }
        if let Some(Disk { radius, rings: _, element: _ }) = disk {
            see.number(radius, Dimension::LENGTH);
        }
        if let Some(Mesh::Inline(InlineMesh { nodes, elements: _, sides: _ })) = mesh {
            see.all(nodes.iter_mut().flatten(), Dimension::LENGTH);
        }
        see.number(thickness, Dimension::LENGTH);
        see.number(young, Dimension::STRESS);
        see.number(density, Dimension::DENSITY);
        see.number(poisson, Dimension::NONE);
        see.all(damping_ratios, Dimension::NONE);
        modes.iter_mut().for_each(|modes| modes.quantities(see));
        damping.quantities(see);
    }

    /// Shape and mesh are checked where they are built.
    fn check(&self, key: &str) -> Check {
        positive(
            key,
            &[
                ("thickness", "thickness", self.thickness),
                ("young", "Young's modulus", self.young),
                ("density", "density", self.density),
            ],
        )?;
        self.damping.check(key)?;
        ratios(key, &self.damping_ratios)
    }
}

impl ElasticKind for Solid {
    fn extent(&self) -> Vec<[f64; 2]> {
        if let Some(Block { size: [l, h], origin, .. }) = self.block {
            let low = if origin == Origin::Corner { [0.0; 2] } else { [-0.5 * l, -0.5 * h] };
            return vec![low, [low[0] + l, low[1] + h]];
        }
        if let Some(Disk { radius, .. }) = self.disk {
            return vec![[-radius; 2], [radius; 2]];
        }
        match &self.mesh {
            Some(Mesh::Inline(mesh)) => mesh.nodes.clone(),
            _ => Vec::new(),
        }
    }

    fn build(&self, key: &str, body: &Body, builder: &Builder) -> Built<Arc<dyn Flexible>> {
        let (source, mesh) = mesh(key, self)?;
        let properties = Properties {
            plane: match self.plane {
                Plane::Stress => carom_elastic::Plane::Stress,
                Plane::Strain => carom_elastic::Plane::Strain,
            },
            thickness: self.thickness,
            young: self.young,
            poisson: self.poisson,
            density: self.density,
        };
        let mut elements = carom_elastic::Solid::new(mesh, properties).map_err(|error| match error {
            ElasticError::Poisson { .. } => wrong(key, &["poisson"], error),
            other => wrong(key, &[source], other),
        })?;
        if self.clamp.is_some() && self.reference != Reference::Clamped {
            let problem = Problem::Useless { key: "clamp", without: "reference = \"clamped\"" };
            return Err(ModelError::new(&["bodies", key, "elastic", "clamp"], problem));
        }
        if let Some(side) = &self.clamp {
            elements = elements.clamped_at(side).map_err(|error| wrong(key, &["clamp"], error))?;
        }
        for (i, name) in self.stress.iter().enumerate() {
            let at = material(key, body, &["stress", &i.to_string()], name)?;
            elements = elements.with_stress(name, at).map_err(|error| {
                ModelError::new(&["bodies", key, "points", name], Problem::Elastic(error))
            })?;
        }
        let carriage = Carriage {
            reference: self.reference,
            modes: self.modes.as_ref(),
            damping: &self.damping,
            damping_ratios: &self.damping_ratios,
            stiffening: false,
        };
        carriage.build(key, body, Arc::new(elements), builder)
    }
}

fn kind(element: ElementKind) -> PlaneElement {
    match element {
        ElementKind::T3 => PlaneElement::T3,
        ElementKind::Q4 => PlaneElement::Q4,
        ElementKind::Q4Incompatible => PlaneElement::Q4Incompatible,
        ElementKind::T6 => PlaneElement::T6,
        ElementKind::Q8 => PlaneElement::Q8,
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
fn mesh(key: &str, solid: &Solid) -> Built<(&'static str, carom_elastic::Mesh)> {
    let at = |field| move |error: ElasticError| wrong(key, &[field], error);
    match (&solid.block, &solid.disk, &solid.mesh) {
        (Some(block), None, None) => {
            let origin = match block.origin {
                Origin::Center => carom_elastic::Origin::Centre,
                Origin::Corner => carom_elastic::Origin::Corner,
            };
            let mesh = carom_elastic::Mesh::block(block.size, block.elements, kind(block.element), origin);
            Ok(("block", mesh.map_err(at("block"))?))
        }
        (None, Some(disk), None) => Ok((
            "disk",
            carom_elastic::Mesh::disk(disk.radius, disk.rings, kind(disk.element)).map_err(at("disk"))?,
        )),
        (None, None, Some(Mesh::Inline(mesh))) => Ok(("mesh", inline(key, mesh, solid.incompatible)?)),
        (None, None, Some(Mesh::File(name))) => {
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

fn inline(key: &str, mesh: &InlineMesh, incompatible: bool) -> Built<carom_elastic::Mesh> {
    let mut elements = Vec::with_capacity(mesh.elements.len());
    for (i, nodes) in mesh.elements.iter().enumerate() {
        let kind = match nodes.len() {
            3 => PlaneElement::T3,
            4 if incompatible => PlaneElement::Q4Incompatible,
            4 => PlaneElement::Q4,
            6 => PlaneElement::T6,
            8 => PlaneElement::Q8,
            nodes => {
                let path = ["bodies", key, "elastic", "mesh", "elements", &i.to_string()];
                return Err(ModelError::new(&path, Problem::ElementNodes { nodes }));
            }
        };
        elements.push(Element { kind, nodes: nodes.clone() });
    }
    let sides = mesh.sides.iter().map(|(name, edges)| (name.clone(), edges.clone())).collect();
    Ok(carom_elastic::Mesh { nodes: mesh.nodes.clone(), elements, sides })
}
