//! Plane elastic solids: their meshes and material.

use super::{Damping, Modes, Reference};
use carom_elastic::MeshError;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

impl Solid {
    /// Points that span the undeformed body, in its frame (m).
    pub(super) fn extent(&self) -> Vec<[f64; 2]> {
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
}
