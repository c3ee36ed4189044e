//! Meshes, what is wrong with them, and their boundaries.

use super::MeshError;
use super::element::{Placed, det};
use super::kind::PlaneElement;
use std::collections::BTreeMap;

/// One element of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// What it is.
    pub kind: PlaneElement,
    /// Its nodes: corners counter-clockwise, then mid-side nodes, the first between the first two corners.
    pub nodes: Vec<usize>,
}

/// Nodes, elements and named parts of the boundary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Places of the nodes (m).
    pub nodes: Vec<[f64; 2]>,
    /// The elements.
    pub elements: Vec<Element>,
    /// Named sides by the corner nodes of their edges, in any order and sense.
    pub sides: Vec<(String, Vec<[usize; 2]>)>,
}

/// Edge from one corner to the next as its element walks it: the element, and the node in between.
type Edges = BTreeMap<[usize; 2], (usize, Option<usize>)>;

/// A determinant below this share of the square of the element's size counts as zero.
const FLAT: f64 = 1e-12;

impl Mesh {
    pub(super) fn placed(&self, element: usize) -> Placed {
        let Element { kind, nodes } = &self.elements[element];
        let mut x = [[0.0; 2]; 8];
        nodes.iter().enumerate().for_each(|(i, &node)| x[i] = self.nodes[node]);
        Placed { kind: *kind, x }
    }

    /// Lower left and upper right corner of the box around the nodes.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for x in &self.nodes {
            for c in 0..2 {
                low[c] = low[c].min(x[c]);
                high[c] = high[c].max(x[c]);
            }
        }
        [low, high]
    }

    /// Replaces four-node quadrilaterals by those with incompatible modes.
    pub fn with_incompatible_modes(mut self) -> Self {
        let quads = self.elements.iter_mut().filter(|element| element.kind == PlaneElement::Q4);
        quads.for_each(|element| element.kind = PlaneElement::Q4Incompatible);
        self
    }

    /// Adds a node in the middle of every edge; `place` moves those of the boundary, from the places of both ends.
    pub(super) fn quadratic(mut self, place: impl Fn([f64; 2], [f64; 2]) -> [f64; 2]) -> Self {
        let mut middle: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let inner: BTreeMap<[usize; 2], usize> =
            self.elements.iter().flat_map(edges_of).fold(BTreeMap::new(), |mut count, edge| {
                *count.entry(sorted(edge)).or_default() += 1;
                count
            });
        for element in &mut self.elements {
            for [a, b] in edges_of(element) {
                let node = *middle.entry(sorted([a, b])).or_insert_with(|| {
                    let (p, q) = (self.nodes[a], self.nodes[b]);
                    let half = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
                    self.nodes.push(if inner[&sorted([a, b])] == 1 { place(p, q) } else { half });
                    self.nodes.len() - 1
                });
                element.nodes.push(node);
            }
            element.kind = if element.kind.triangle() { PlaneElement::T6 } else { PlaneElement::Q8 };
        }
        self
    }

    /// Edges as the elements walk them; the first thing wrong with the mesh as an error.
    fn checked_edges(&self) -> Result<Edges, MeshError> {
        if self.elements.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(node) = self.nodes.iter().position(|x| !(x[0].is_finite() && x[1].is_finite())) {
            return Err(MeshError::NotFinite { node, at: self.nodes[node] });
        }
        let mut used = vec![false; self.nodes.len()];
        let mut edges = Edges::new();
        for (element, e) in self.elements.iter().enumerate() {
            let (expected, found) = (e.kind.nodes(), e.nodes.len());
            if expected != found {
                return Err(MeshError::NodeCount { element, kind: e.kind.name(), expected, found });
            }
            for &node in &e.nodes {
                let Some(used) = used.get_mut(node) else {
                    return Err(MeshError::NoNode {
                        element,
                        node,
                        last: self.nodes.len().saturating_sub(1),
                    });
                };
                *used = true;
            }
            self.check_shape(element)?;
            for (i, edge) in edges_of(e).into_iter().enumerate() {
                let middle = e.kind.quadratic().then(|| e.nodes[e.kind.corners() + i]);
                if let Some((first, _)) = edges.insert(edge, (element, middle)) {
                    return Err(MeshError::Overlap { edge, first, second: element });
                }
            }
        }
        if let Some(node) = used.iter().position(|used| !used) {
            return Err(MeshError::Unused { node, at: self.nodes[node] });
        }
        for (&[a, b], &(first, middle)) in &edges {
            if let Some(&(second, other)) = edges.get(&[b, a])
                && middle != other
            {
                return Err(MeshError::Unlike { edge: [a, b], first, second });
            }
        }
        self.check_whole(&edges)?;
        Ok(edges)
    }

    /// det J > 0 at the nodes and wherever it is needed.
    fn check_shape(&self, element: usize) -> Result<(), MeshError> {
        let placed = self.placed(element);
        let kind = placed.kind;
        let near = placed.near();
        let size = placed.x[..kind.nodes()]
            .iter()
            .map(|x| (x[0] - near[0]).hypot(x[1] - near[1]))
            .fold(0.0, f64::max);
        let points = kind.stiffness_rule().into_iter().chain(kind.mass_rule()).map(|(xi, _)| xi);
        let dets = points
            .chain((0..kind.nodes()).map(|i| kind.node(i)))
            .map(|xi| det(&placed.jacobian(&kind.shapes(xi))));
        let (least, most) =
            dets.fold((f64::INFINITY, 0.0_f64), |(least, most), det| (least.min(det), most.max(det.abs())));
        let zero = FLAT * size * size;
        if most <= zero {
            return Err(MeshError::NoArea { element, near });
        }
        if least <= zero {
            return Err(MeshError::Inverted { element, near });
        }
        Ok(())
    }

    /// One part, joined by edges: a single node would be a hinge.
    fn check_whole(&self, edges: &Edges) -> Result<(), MeshError> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.elements.len()];
        for (&[a, b], &(element, _)) in edges {
            if let Some(&(other, _)) = edges.get(&[b, a]) {
                next[element].push(other);
            }
        }
        let (mut part, mut parts) = (vec![usize::MAX; self.elements.len()], 0);
        while let Some(start) = part.iter().position(|&part| part == usize::MAX) {
            let mut todo = vec![start];
            while let Some(element) = todo.pop() {
                if part[element] == usize::MAX {
                    part[element] = parts;
                    todo.extend(&next[element]);
                }
            }
            parts += 1;
        }
        match part.iter().position(|&part| part == 1) {
            Some(second) => Err(MeshError::Disconnected { parts, second, near: self.placed(second).near() }),
            None => Ok(()),
        }
    }

    /// Closed chains of the boundary, mid-side nodes included, body on the left: the outer one first, then holes. Each
    /// begins at its lowest corner node and repeats it at the end. An error says what is wrong with the mesh.
    pub(super) fn loops(&self) -> Result<Vec<Boundary>, MeshError> {
        let edges = self.checked_edges()?;
        let mut open: BTreeMap<usize, Vec<(usize, Option<usize>)>> = BTreeMap::new();
        for (&[a, b], &(_, middle)) in &edges {
            if !edges.contains_key(&[b, a]) {
                open.entry(a).or_default().push((b, middle));
            }
        }
        let mut loops: Vec<Boundary> = Vec::new();
        while let Some((&start, _)) = open.iter().next() {
            let mut chain = Boundary { nodes: vec![start], corner: vec![true] };
            let mut at = start;
            while let Some(ways) = open.get_mut(&at) {
                let (to, middle) = ways.remove(0);
                if ways.is_empty() {
                    open.remove(&at);
                }
                if let Some(middle) = middle {
                    chain.push(middle, false);
                }
                chain.push(to, true);
                at = to;
                if at == start {
                    break;
                }
            }
            loops.push(chain);
        }
        let area = |chain: &Boundary| -> f64 {
            let pairs = chain.nodes.windows(2).map(|w| (self.nodes[w[0]], self.nodes[w[1]]));
            pairs.map(|(p, q)| 0.5 * (p[0] * q[1] - p[1] * q[0])).sum()
        };
        let outer = (0..loops.len()).max_by(|&a, &b| area(&loops[a]).total_cmp(&area(&loops[b])));
        loops.swap(0, outer.expect("elements have a boundary"));
        Ok(loops)
    }

    /// Chains of each named side along the boundary, several numbered from the second on: `top`, `top-2`.
    pub(super) fn side_chains(&self, loops: &[Boundary]) -> Result<Vec<(String, Vec<usize>)>, MeshError> {
        let mut named = Vec::new();
        let last = self.nodes.len() - 1;
        for (name, edges) in &self.sides {
            if let Some(&node) = edges.as_flattened().iter().find(|&&node| node > last) {
                return Err(MeshError::NoNodeOfSide { side: name.clone(), node, last });
            }
            let mut wanted: Vec<[usize; 2]> = edges.iter().map(|&edge| sorted(edge)).collect();
            wanted.sort_unstable();
            let on_side = |edge: &[usize]| {
                wanted.binary_search(&sorted([edge[0], *edge.last().expect("two ends")])).is_ok()
            };
            for (i, chain) in loops.iter().flat_map(|l| l.runs(on_side)).enumerate() {
                let name = if i == 0 { name.clone() } else { format!("{name}-{}", i + 1) };
                named.push((name, chain));
            }
        }
        Ok(named)
    }
}

/// A closed chain of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Boundary {
    /// The nodes, the first one again at the end.
    pub nodes: Vec<usize>,
    /// Whether each is a corner of its element.
    corner: Vec<bool>,
}

impl Boundary {
    fn push(&mut self, node: usize, corner: bool) {
        self.nodes.push(node);
        self.corner.push(corner);
    }

    /// Longest chains of neighbouring edges that are wanted.
    fn runs(&self, wanted: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
        let corners: Vec<usize> = (0..self.nodes.len()).filter(|&i| self.corner[i]).collect();
        let edges: Vec<&[usize]> = corners.windows(2).map(|w| &self.nodes[w[0]..=w[1]]).collect();
        let take: Vec<bool> = edges.iter().map(|edge| wanted(edge)).collect();
        if take.iter().all(|&take| take) {
            return vec![self.nodes.clone()];
        }
        // begin behind an edge that is not taken, so that no run is cut in two
        let begin = take.iter().position(|&take| !take).expect("one is not") + 1;
        let mut runs: Vec<Vec<usize>> = Vec::new();
        let mut going = false;
        for i in (0..edges.len()).map(|i| (begin + i) % edges.len()) {
            if take[i] {
                if !going {
                    runs.push(vec![edges[i][0]]);
                }
                runs.last_mut().expect("a run is open").extend(&edges[i][1..]);
            }
            going = take[i];
        }
        runs
    }
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Corner nodes of the edges.
fn edges_of(element: &Element) -> Vec<[usize; 2]> {
    let corners = element.kind.corners();
    (0..corners).map(|i| [element.nodes[i], element.nodes[(i + 1) % corners]]).collect()
}
