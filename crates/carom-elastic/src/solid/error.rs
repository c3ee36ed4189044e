//! What can be wrong with a mesh.

/// What is wrong with a mesh, where, and what would be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// No element at all.
    #[error(
        "the mesh has no triangle and no quadrilateral; mesh the surface of the body (in Gmsh: Mesh > 2D)"
    )]
    Empty,
    /// An element with the wrong number of nodes.
    #[error("element {element} is a {kind} and needs {expected} nodes, but has {found}")]
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
    #[error("element {element} names node {node}, but nodes are numbered from 0 to {last}")]
    NoNode {
        /// Number of the element, from 0.
        element: usize,
        /// Number of the node.
        node: usize,
        /// The largest there is.
        last: usize,
    },
    /// A side that names a node that is not there.
    #[error("side `{side}` names node {node}, but nodes are numbered from 0 to {last}")]
    NoNodeOfSide {
        /// Name of the side.
        side: String,
        /// Number of the node.
        node: usize,
        /// The largest there is.
        last: usize,
    },
    /// A node with a place that is no number.
    #[error("node {node} is at ({}, {}); both must be finite numbers", at[0], at[1])]
    NotFinite {
        /// Number of the node, from 0.
        node: usize,
        /// Where it is said to be.
        at: [f64; 2],
    },
    /// An element without area.
    #[error("element {element} near ({}, {}) has no area; move its nodes apart or leave it out", near[0], near[1])]
    NoArea {
        /// Number of the element, from 0.
        element: usize,
        /// Mean of its corners (m).
        near: [f64; 2],
    },
    /// An element that is numbered clockwise or folded over itself.
    #[error("element {element} near ({}, {}) is inverted (its Jacobian is not positive everywhere); number its \
             nodes counter-clockwise, and keep quadrilaterals convex and mid-side nodes near the middle", near[0], near[1])]
    Inverted {
        /// Number of the element, from 0.
        element: usize,
        /// Mean of its corners (m).
        near: [f64; 2],
    },
    /// A node that belongs to no element.
    #[error("node {node} at ({}, {}) belongs to no element; leave it out", at[0], at[1])]
    Unused {
        /// Number of the node, from 0.
        node: usize,
        /// Where it is (m).
        at: [f64; 2],
    },
    /// An edge that two elements walk the same way.
    #[error("the edge from node {} to node {} belongs to elements {first} and {second} in the same sense: they \
             overlap; leave one out", edge[0], edge[1])]
    Overlap {
        /// Corner nodes of the edge.
        edge: [usize; 2],
        /// One element.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Two elements that agree on the corners of an edge, not on the node in between.
    #[error("elements {first} and {second} share the edge between nodes {} and {} but not its mid-side node; give \
             both the same order", edge[0], edge[1])]
    Unlike {
        /// Corner nodes of the edge.
        edge: [usize; 2],
        /// One element.
        first: usize,
        /// The other.
        second: usize,
    },
    /// Elements in several parts that no edge joins.
    #[error("the mesh falls into {parts} parts that share no edge: element {second} near ({}, {}) is not joined to \
             element 0; join them (merge double nodes) or make them bodies of their own", near[0], near[1])]
    Disconnected {
        /// Number of parts.
        parts: usize,
        /// First element of the second part.
        second: usize,
        /// Mean of its corners (m).
        near: [f64; 2],
    },
    /// A generated mesh with a count that is too small.
    #[error("{quantity} is {value}; it must be at least {least}")]
    TooFew {
        /// What is counted.
        quantity: &'static str,
        /// How many.
        value: usize,
        /// How many there must be.
        least: usize,
    },
    /// A side that the mesh does not name.
    #[error("there is no side `{name}`; the body has {}", known.join(", "))]
    NoSide {
        /// The name asked for.
        name: String,
        /// Names there are.
        known: Vec<String>,
    },
    /// A Gmsh file that cannot be read.
    #[error("line {line} of the Gmsh file: {what}")]
    Gmsh {
        /// Line, from 1.
        line: usize,
        /// What is wrong there and what would be right.
        what: String,
    },
}
