//! Plane elastic solids: triangles and quadrilaterals in plane stress or plane strain.
//!
//! ```text
//!   u(x) = x + Σ N_i(x) (q_ix, q_iy)
//!   rotation = ½ (∂u_y/∂x − ∂u_x/∂y)
//! ```
//!
//! The coordinates are the displacements (x, y) of node 0, then node 1, ... All shape integrals come from the scalar
//! matrix m_ij = ∫ρ t N_i N_j, because u_0 = Σ N_i x_i is interpolated by the same functions:
//!
//! ```text
//!   ∫ρ u_0 = Σ m_ij x_j,   ∫ρ u_0·S_ix = Σ_j m_ij x_j,   ∫ρ (z×u_0)·S_ix = −Σ_j m_ij y_j,   B_(ix, jy) = m_ij
//! ```

mod element;
mod error;
mod generate;
mod gmsh;
mod kind;
mod topology;

pub use error::MeshError;
pub use generate::Origin;
pub use kind::PlaneElement;
pub use topology::{Element, Mesh};

use crate::{
    ElasticError, FiniteElements, Gauge, Inertia, Material, Measure, Output, PointShapes, Reference, Skew,
    Symmetric, Unit,
};
use element::Law;
use generate::positive;
use topology::Boundary;

/// What happens across the thickness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// Thin plates: no stress across.
    #[default]
    Stress,
    /// Long prisms: no strain across.
    Strain,
}

/// Material and thickness of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Plane stress or plane strain.
    pub plane: Plane,
    /// Thickness t (m).
    pub thickness: f64,
    /// Young's modulus E (Pa).
    pub young: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// Density ρ (kg/m³).
    pub density: f64,
}

/// A row over nodal coordinates: (coordinate, factor).
pub type Row = Vec<(u32, f64)>;

/// How far outside an element, in reference coordinates, a point still counts as on it.
const ON: f64 = 1e-6;

/// An elastic solid in the plane.
#[derive(Clone, Debug)]
pub struct Solid {
    mesh: Mesh,
    properties: Properties,
    law: Law,
    loops: Vec<Boundary>,
    sides: Vec<(String, Vec<usize>)>,
    /// (element, local number) of each node.
    around: Vec<Vec<(u32, u32)>>,
    clamped: Option<Vec<usize>>,
    outputs: Vec<Output>,
}

impl Solid {
    /// Checks mesh and material.
    pub fn new(mesh: Mesh, properties: Properties) -> Result<Self, ElasticError> {
        let Properties { plane, thickness, young, poisson, density } = properties;
        positive("the thickness", thickness)?;
        positive("Young's modulus", young)?;
        positive("the density", density)?;
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(ElasticError::Poisson { value: poisson });
        }
        let loops = mesh.loops()?;
        let sides = mesh.side_chains(&loops).map_err(ElasticError::Mesh)?;
        let mut around = vec![Vec::new(); mesh.nodes.len()];
        for (e, element) in mesh.elements.iter().enumerate() {
            element.nodes.iter().enumerate().for_each(|(i, &node)| around[node].push((e as u32, i as u32)));
        }
        let (E, nu) = match plane {
            Plane::Stress => (young, poisson),
            Plane::Strain => (young / (1.0 - poisson * poisson), poisson / (1.0 - poisson)),
        };
        let law = Law { modulus: E / (1.0 - nu * nu), nu };
        Ok(Self { mesh, properties, law, loops, sides, around, clamped: None, outputs: Vec::new() })
    }

    /// Lets [`Reference::Clamped`] hold all nodes of a named side, as if it were welded to something rigid that
    /// carries the frame.
    pub fn clamped_at(mut self, side: &str) -> Result<Self, ElasticError> {
        let boundaries = self.boundaries();
        let Some((_, nodes)) = boundaries.iter().find(|(name, _)| name == side) else {
            let known = boundaries.into_iter().map(|(name, _)| name).collect();
            return Err(MeshError::NoSide { name: side.into(), known }.into());
        };
        let mut nodes = nodes.clone();
        nodes.sort_unstable();
        nodes.dedup();
        self.clamped = Some(nodes);
        Ok(self)
    }

    /// Records σ_xx, σ_yy, σ_xy at a point as `name.stress_xx`, ...
    pub fn with_stress(mut self, name: &str, at: Material) -> Result<Self, ElasticError> {
        for (component, row) in ["xx", "yy", "xy"].into_iter().zip(self.stress_at(at)?) {
            self.outputs.push(Output { name: format!("{name}.stress_{component}"), unit: Unit::Stress, row });
        }
        Ok(self)
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Material and thickness.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Rows of σ_xx, σ_yy, σ_xy in the body's frame at a point; at a node or on an edge the mean of the elements there.
    pub fn stress_at(&self, at: Material) -> Result<[Row; 3], ElasticError> {
        let places = self.locate(at)?;
        let mut columns: Vec<(u32, [f64; 3])> = Vec::new();
        for &(e, xi) in &places {
            let placed = self.mesh.placed(e);
            let strain = placed.strain(&self.law, xi);
            for (i, &node) in self.mesh.elements[e].nodes.iter().enumerate() {
                for c in 0..2 {
                    let k = 2 * i + c;
                    let stress = self.law.stress([strain[0][k], strain[1][k], strain[2][k]]);
                    columns.push(((2 * node + c) as u32, stress.map(|s| s / places.len() as f64)));
                }
            }
        }
        let columns = merged(columns);
        Ok([0, 1, 2].map(|c| columns.iter().map(|&(k, s)| (k, s[c])).collect()))
    }

    /// Elements at a point with its reference place in each.
    fn locate(&self, at: Material) -> Result<Vec<(usize, [f64; 2])>, ElasticError> {
        match at {
            Material::Node(node) => {
                let Some(around) = self.around.get(node) else {
                    return Err(ElasticError::NoNode { node, last: self.mesh.nodes.len() - 1 });
                };
                let place =
                    |&(e, i): &(u32, u32)| (e as usize, self.mesh.elements[e as usize].kind.node(i as usize));
                Ok(around.iter().map(place).collect())
            }
            Material::At(p) => {
                let on = |e: usize| {
                    let placed = self.mesh.placed(e);
                    // the box of the nodes, widened for curved sides
                    let nodes = &placed.x[..placed.kind.nodes()];
                    let inside = (0..2).all(|c| {
                        let (low, high) = nodes
                            .iter()
                            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x[c]), h.max(x[c])));
                        let wide = 0.25 * (high - low);
                        p[c] >= low - wide && p[c] <= high + wide
                    });
                    let xi = inside.then(|| placed.inverse(p))??;
                    (placed.kind.excess(xi) <= ON).then_some((e, xi))
                };
                let found: Vec<_> = (0..self.mesh.elements.len()).filter_map(on).collect();
                if found.is_empty() {
                    let [low, high] = self.mesh.bounds();
                    return Err(ElasticError::Outside { x: p[0], y: p[1], low, high });
                }
                Ok(found)
            }
        }
    }

    /// Nodes that hold the frame: the one nearest to the lower left corner of the box around the body, to the lower
    /// right (at least half the length away from the first) and to the upper left (at least half the height away).
    fn anchors(&self) -> [usize; 3] {
        let [low, high] = self.mesh.bounds();
        let nodes = &self.mesh.nodes;
        let nearest = |to: [f64; 2], allowed: &dyn Fn([f64; 2]) -> bool| {
            let distance = |i: &usize| (nodes[*i][0] - to[0]).hypot(nodes[*i][1] - to[1]);
            let all = (0..nodes.len()).filter(|&i| allowed(nodes[i]));
            all.min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("an end is half the body away")
        };
        let first = nearest(low, &|_| true);
        let away = |c: usize| move |x: [f64; 2]| (x[c] - nodes[first][c]).abs() >= 0.5 * (high[c] - low[c]);
        [first, nearest([high[0], low[1]], &away(0)), nearest([low[0], high[1]], &away(1))]
    }
}

impl From<MeshError> for ElasticError {
    fn from(error: MeshError) -> Self {
        ElasticError::Mesh(error)
    }
}

/// Sorts by coordinate and adds up what belongs to one.
fn merged<const N: usize>(mut columns: Vec<(u32, [f64; N])>) -> Vec<(u32, [f64; N])> {
    columns.sort_by_key(|&(k, _)| k);
    let mut sums: Vec<(u32, [f64; N])> = Vec::with_capacity(columns.len());
    for (k, value) in columns {
        match sums.last_mut() {
            Some((last, sum)) if *last == k => (0..N).for_each(|c| sum[c] += value[c]),
            _ => sums.push((k, value)),
        }
    }
    sums
}

impl FiniteElements for Solid {
    fn dofs(&self) -> usize {
        2 * self.mesh.nodes.len()
    }

    fn unit(&self, _: usize) -> Unit {
        Unit::Length
    }

    fn dof_name(&self, i: usize) -> String {
        format!("node {}.{}", i / 2, ["x", "y"][i % 2])
    }

    fn inertia(&self) -> Inertia {
        let n = self.dofs();
        let x = &self.mesh.nodes;
        let mut all =
            Inertia { S: vec![[0.0; 2]; n], along: vec![0.0; n], across: vec![0.0; n], ..Inertia::default() };
        let (mut M, mut B) = (Vec::new(), Vec::new());
        let per_area = self.properties.density * self.properties.thickness;
        for (e, element) in self.mesh.elements.iter().enumerate() {
            let m = self.mesh.placed(e).mass(per_area);
            for (i, &j) in element.nodes.iter().enumerate() {
                for (l, &k) in element.nodes.iter().enumerate() {
                    let m = m[i][l];
                    all.mass += m;
                    all.second += m * (x[j][0] * x[k][0] + x[j][1] * x[k][1]);
                    for c in 0..2 {
                        all.first[c] += m * x[k][c];
                        all.S[2 * j + c][c] += m;
                        all.along[2 * j + c] += m * x[k][c];
                    }
                    all.across[2 * j] -= m * x[k][1];
                    all.across[2 * j + 1] += m * x[k][0];
                    B.push((2 * j, 2 * k + 1, m));
                    if l <= i {
                        M.extend([(2 * j, 2 * k, m), (2 * j + 1, 2 * k + 1, m)]);
                    }
                }
            }
        }
        all.M = Symmetric::from_triplets(n, M);
        all.B = Skew::from_triplets(B);
        all
    }

    fn stiffness(&self) -> Symmetric {
        let mut triplets = Vec::new();
        for (e, element) in self.mesh.elements.iter().enumerate() {
            let K = self.mesh.placed(e).stiffness(&self.law, self.properties.thickness);
            let of = |i: usize| 2 * element.nodes[i / 2] + i % 2;
            for i in 0..2 * element.nodes.len() {
                triplets.extend((0..=i).map(|j| (of(i), of(j), K[i][j])));
            }
        }
        Symmetric::from_triplets(self.dofs(), triplets)
    }

    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        let places = self.locate(at)?;
        let share = 1.0 / places.len() as f64;
        let mut columns: Vec<(u32, [f64; 3])> = Vec::new();
        for &(e, xi) in &places {
            let (s, _) = self.mesh.placed(e).map(xi);
            for (i, &node) in self.mesh.elements[e].nodes.iter().enumerate() {
                let (N, [dx, dy]) = (share * s.N[i], s.dN[i]);
                columns.push((2 * node as u32, [N, 0.0, -0.5 * share * dy]));
                columns.push((2 * node as u32 + 1, [0.0, N, 0.5 * share * dx]));
            }
        }
        let u_0 = match at {
            Material::Node(node) => self.mesh.nodes[node],
            Material::At(p) => p,
        };
        let columns = merged(columns).into_iter().map(|(k, [x, y, s])| (k, [x, y], s)).collect();
        Ok(PointShapes { u_0, columns })
    }

    fn nodes(&self) -> &[[f64; 2]] {
        &self.mesh.nodes
    }

    fn outline(&self) -> Vec<Vec<usize>> {
        self.loops.iter().map(|chain| chain.nodes.clone()).collect()
    }

    /// `boundary`, closed, then holes `hole`, `hole-2`, ..., then the named sides of the mesh.
    fn boundaries(&self) -> Vec<(String, Vec<usize>)> {
        let name = |i: usize| match i {
            0 => "boundary".to_string(),
            1 => "hole".to_string(),
            _ => format!("hole-{i}"),
        };
        let loops = self.loops.iter().enumerate().map(|(i, chain)| (name(i), chain.nodes.clone()));
        loops.chain(self.sides.iter().cloned()).collect()
    }

    /// Three coordinates, so that the body is held without stress. Pinned: both of the node nearest to the lower left
    /// corner of the box around the body, and y of the node nearest to the lower right, as [Ebrahimi2007] (4.21)
    /// does. Clamped: both of the first, and x of the node nearest to the upper left, so that the left end does not
    /// turn; or all nodes of the side chosen with [`Solid::clamped_at`]. Articulated: both of the first.
    fn held(&self, reference: Reference) -> Result<Vec<usize>, ElasticError> {
        let [first, right, up] = self.anchors();
        let mut held = match (reference, &self.clamped) {
            (Reference::Clamped, Some(nodes)) => {
                nodes.iter().flat_map(|&node| [2 * node, 2 * node + 1]).collect()
            }
            (Reference::Clamped, None) => vec![2 * first, 2 * first + 1, 2 * up],
            (Reference::Pinned, _) => vec![2 * first, 2 * first + 1, 2 * right + 1],
            (Reference::Articulated, _) => vec![2 * first, 2 * first + 1],
            (Reference::MeanAxis, _) => Vec::new(),
        };
        held.sort_unstable();
        Ok(held)
    }

    fn outputs(&self) -> Vec<Output> {
        self.outputs.clone()
    }

    fn gauge(&self, node: usize) -> Option<Gauge> {
        let measure = match self.properties.plane {
            Plane::Stress => Measure::PlaneStress,
            Plane::Strain => Measure::PlaneStrain { poisson: self.properties.poisson },
        };
        Some(Gauge::of_rows(self.stress_at(Material::Node(node)).ok()?, measure))
    }
}
