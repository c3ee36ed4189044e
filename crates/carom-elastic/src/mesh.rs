//! What finite elements tell about a body, whatever the elements.

use crate::{ElasticError, Gauge, Inertia, Stiffening, Symmetric};
use std::fmt::Debug;

/// Where a material point is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Material {
    /// Place in the undeformed body (m), in its frame.
    At([f64; 2]),
    /// A node, numbered from 0.
    Node(usize),
}

/// Place and shape functions of a material point:  u = u_0 + Σ S_k q_k,  rotation = Σ s_k q_k.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointShapes {
    /// u_0 (m).
    pub u_0: [f64; 2],
    /// (k, S_k, s_k) of the coordinates that move it, k ascending.
    pub columns: Vec<(u32, [f64; 2], f64)>,
}

/// How the body's frame is tied to its deformation, so that the elements cannot move rigidly in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The frame is fixed to the first end: no displacement and no rotation there (clamped–free).
    Clamped,
    /// The frame's x axis goes through both ends: no displacement at the first, none across at the last.
    Pinned,
    /// No displacement at the first end, no angular momentum of the deformation about it, ∫ρ (z×u_0)·S q = 0: pinned–free
    /// with the rigid rotation taken away, so that the frame's turning and small deformations do not know each other.
    Articulated,
    /// The mean axis: no linear and no angular momentum of the deformation (free–free).
    MeanAxis,
}

impl Reference {
    /// All of them.
    pub const ALL: [Reference; 4] =
        [Reference::Clamped, Reference::Pinned, Reference::Articulated, Reference::MeanAxis];

    /// What it is called in model files.
    pub fn name(self) -> &'static str {
        match self {
            Reference::Clamped => "clamped",
            Reference::Pinned => "pinned",
            Reference::Articulated => "articulated",
            Reference::MeanAxis => "mean-axis",
        }
    }
}

/// What a coordinate or an output is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// m.
    Length,
    /// rad.
    Angle,
    /// N.
    Force,
    /// N m.
    Moment,
    /// Pa.
    Stress,
    /// m √kg: the amplitude of a mass-normalised mode.
    Amplitude,
}

/// A linear function of the elastic coordinates to be recorded: a section force, a stress.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Last part of the channel's name, such as `root.moment`.
    pub name: String,
    /// Unit of the value.
    pub unit: Unit,
    /// (coordinate, factor).
    pub row: Vec<(u32, f64)>,
}

/// Finite elements of one body, in its frame, with all nodal coordinates free.
pub trait FiniteElements: Debug + Send + Sync {
    /// Number of nodal coordinates.
    fn dofs(&self) -> usize;

    /// What coordinate i measures: length or angle.
    fn unit(&self, i: usize) -> Unit;

    /// Name of coordinate i, such as `node 3.x`.
    fn dof_name(&self, i: usize) -> String;

    /// Shape integrals over the nodal coordinates.
    fn inertia(&self) -> Inertia;

    /// K over the nodal coordinates; singular by the three rigid motions.
    fn stiffness(&self) -> Symmetric;

    /// Shape functions of a material point.
    fn point(&self, at: Material) -> Result<PointShapes, ElasticError>;

    /// Places of the nodes in the undeformed body (m).
    fn nodes(&self) -> &[[f64; 2]];

    /// Chains of nodes to draw; a closed one repeats its first node.
    fn outline(&self) -> Vec<Vec<usize>>;

    /// Named chains of nodes that may touch, free side on the right of the way they are walked (counter-clockwise
    /// around the body). The first is the whole boundary.
    fn boundaries(&self) -> Vec<(String, Vec<usize>)> {
        Vec::new()
    }

    /// Nodal coordinates that a reference condition holds at zero. An error where the condition makes no sense for the
    /// body. The articulated frame holds two and the mean axis none: the rest are conditions on sums, which the
    /// reduction of the body takes care of.
    fn held(&self, reference: Reference) -> Result<Vec<usize>, ElasticError>;

    /// Section forces, stresses: what can be recorded of the deformation.
    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    /// How hard the material is worked at a node; `None` where the elements cannot tell.
    fn gauge(&self, node: usize) -> Option<Gauge> {
        let _ = node;
        None
    }

    /// Terms of second order in the strain, where the elements have them.
    fn stiffening(&self) -> Option<Stiffening> {
        None
    }
}
