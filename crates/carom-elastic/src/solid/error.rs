//! What can be wrong with a mesh.

use crate::error::CORRECT;
use std::fmt;

/// What is wrong with a mesh, where, and what would be right.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshError {
    /// No element at all.
    Empty,
    /// An element with the wrong number of nodes.
    NodeCount {
        /// Number of the element, from 0.
        element: usize,
        /// What it is.
        kind: &'static str,
        /// Nodes it needs.
        expected: usize,
        /// Nodes it has.
        found: usize,
    },
    /// An element that names a node that is not there.
    NoNode {
        /// Number of the element, from 0.
        element: usize,
        /// Number of the node.
        node: usize,
        /// The largest there is.
        last: usize,
    },
    /// A side that names a node that is not there.
    NoNodeOfSide {
        /// Name of the side.
        side: String,
        /// Number of the node.
        node: usize,
        /// The largest there is.
        last: usize,
    },
    /// A node with a place that is no number.
    NotFinite {
        /// Number of the node, from 0.
        node: usize,
        /// Where it is said to be.
        at: [f64; 2],
    },
    /// An element without area.
    NoArea {
        /// Number of the element, from 0.
        element: usize,
        /// Mean of its corners (m).
        near: [f64; 2],
    },
    /// An element that is numbered clockwise or folded over itself.
    Inverted {
        /// Number of the element, from 0.
        element: usize,
        /// Mean of its corners (m).
        near: [f64; 2],
    },
    /// A node that belongs to no element.
    Unused {
        /// Number of the node, from 0.
        node: usize,
        /// Where it is (m).
        at: [f64; 2],
    },
    /// An edge that two elements walk the same way.
    Overlap {
        /// Corner nodes of the edge.
        edge: [usize; 2],
        /// One element.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Two elements that agree on the corners of an edge, not on the node in between.
    Unlike {
        /// Corner nodes of the edge.
        edge: [usize; 2],
        /// One element.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Elements in several parts that no edge joins.
    Disconnected {
        /// Number of parts.
        parts: usize,
        /// First element of the second part.
        second: usize,
        /// Mean of its corners (m).
        near: [f64; 2],
    },
    /// A generated mesh with a count that is too small.
    TooFew {
        /// What is counted.
        quantity: &'static str,
        /// How many.
        value: usize,
        /// How many there must be.
        least: usize,
    },
    /// A side that the mesh does not name.
    NoSide {
        /// The name asked for.
        name: String,
        /// Names there are.
        known: Vec<String>,
    },
    /// A Gmsh file that cannot be read.
    Gmsh {
        /// Line, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
        /// What would be right.
        remedy: &'static str,
    },
}

/// What would be right where a Gmsh file is damaged.
pub(super) const READABLE: &str = "a mesh that Gmsh can open, in ASCII";

impl MeshError {
    /// What is wrong.
    pub fn wrong(&self) -> String {
        let at = |[x, y]: &[f64; 2]| format!("({x}, {y})");
        match self {
            MeshError::Empty => "the mesh has no triangle and no quadrilateral".into(),
            MeshError::NodeCount { element, kind, expected, found } => {
                format!("element {element} is a {kind} and needs {expected} nodes, but has {found}")
            }
            MeshError::NoNode { element, node, last } => {
                format!("element {element} names node {node}, but nodes are numbered from 0 to {last}")
            }
            MeshError::NoNodeOfSide { side, node, last } => {
                format!("side `{side}` names node {node}, but nodes are numbered from 0 to {last}")
            }
            MeshError::NotFinite { node, at: place } => format!("node {node} is at {}", at(place)),
            MeshError::NoArea { element, near } => format!("element {element} near {} has no area", at(near)),
            MeshError::Inverted { element, near } => format!(
                "element {element} near {} is inverted (its Jacobian is not positive everywhere)",
                at(near)
            ),
            MeshError::Unused { node, at: place } => {
                format!("node {node} at {} belongs to no element", at(place))
            }
            MeshError::Overlap { edge: [a, b], first, second } => format!(
                "the edge from node {a} to node {b} belongs to elements {first} and {second} in the same sense: they overlap"
            ),
            MeshError::Unlike { edge: [a, b], first, second } => format!(
                "elements {first} and {second} share the edge between nodes {a} and {b} but not its mid-side node"
            ),
            MeshError::Disconnected { parts, second, near } => format!(
                "the mesh falls into {parts} parts that share no edge: element {second} near {} is not joined to element 0",
                at(near)
            ),
            MeshError::TooFew { quantity, value, .. } => format!("{quantity} is {value}"),
            MeshError::NoSide { name, .. } => format!("there is no side `{name}`"),
            MeshError::Gmsh { line, what, .. } => format!("line {line} of the Gmsh file: {what}"),
        }
    }

    /// What would be right.
    pub fn remedy(&self) -> String {
        let text = match self {
            MeshError::Empty => "mesh the surface of the body (in Gmsh: Mesh > 2D)",
            MeshError::NotFinite { .. } => "both must be finite numbers",
            MeshError::NoArea { .. } => "move its nodes apart or leave it out",
            MeshError::Inverted { .. } => {
                "number its nodes counter-clockwise, and keep quadrilaterals convex and mid-side nodes near the middle"
            }
            MeshError::Unused { .. } => "leave it out",
            MeshError::Overlap { .. } => "leave one out",
            MeshError::Unlike { .. } => "give both the same order",
            MeshError::Disconnected { .. } => {
                "join them (merge double nodes) or make them bodies of their own"
            }
            MeshError::TooFew { least, .. } => return format!("it must be at least {least}"),
            MeshError::NoSide { known, .. } => return format!("the body has {}", known.join(", ")),
            MeshError::Gmsh { remedy, .. } => remedy,
            MeshError::NodeCount { .. } | MeshError::NoNode { .. } | MeshError::NoNodeOfSide { .. } => {
                CORRECT
            }
        };
        text.into()
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.wrong(), self.remedy())
    }
}

impl std::error::Error for MeshError {}
