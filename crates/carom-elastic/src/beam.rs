//! Straight beam of Euler–Bernoulli elements along the x axis of its frame, coordinates (u, w, w') at each node.
//!
//! ```text
//!   u(x, y) = (x, y) + (N_u u_n − y N_w' w_n,  N_w w_n)      N_u linear, N_w cubic (Hermite)       [RezaeiSchindler] (110)
//!   rotation of a section  w'
//!   U = ½∫EA u'² + ½∫EI w''²                                                                        (161), errata
//! ```
//!
//! The y axis is that of the centroids, so integrals linear in y vanish. Of those in y² three choices are kept apart
//! by [`RotaryInertia`]. All element integrals are of polynomials and are written out: they are exact.
//!
//! Section forces on the face that looks along +x:  N = EA u',  M = EI w'',  V = −EI w'''. Inside an element w'''' = 0,
//! so that these are the element's end forces K_e q_e too: there is nothing to choose between. Loads at nodes give the
//! exact values; a load (or inertia) spread over elements of length l leaves an error of order l² in M, and at the
//! ends of the beam of order l in N and V, which are those of the middle of the last element. At inner nodes the mean
//! of both sides is taken, with an error of order l² in all three.

mod stiffening;

pub use stiffening::Stiffening;

use crate::{
    ElasticError, FiniteElements, Gauge, Inertia, Material, Measure, Output, PointShapes, Reference, Skew,
    Symmetric, Unit,
};

/// Names of the coordinates of a node.
const COORDINATES: [&str; 3] = ["u", "w", "slope"];

/// How far beyond its ends a point still counts as on the beam, in lengths of the beam: round-off of a file's decimals.
const BEYOND: f64 = 1e-9;

/// Cross-section and material of a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// E (Pa).
    pub modulus: f64,
    /// A (m²).
    pub area: f64,
    /// I (m⁴), about the axis out of the plane.
    pub second_moment: f64,
    /// ρ (kg/m³).
    pub density: f64,
    /// Height in the plane (m), for stresses at the extreme fibres.
    pub height: Option<f64>,
}

impl Section {
    /// A rectangle, `height` in the plane and `width` out of it.
    pub fn rectangle(modulus: f64, density: f64, height: f64, width: f64) -> Self {
        let area = height * width;
        Self { modulus, area, second_moment: area * height * height / 12.0, density, height: Some(height) }
    }

    /// From the axis to the extreme fibre (m): half the height, or that of the rectangle with the same A and I.
    fn extreme_fibre(&self) -> f64 {
        self.height.map_or_else(|| crate::extreme_fibre(self.area, self.second_moment), |height| 0.5 * height)
    }

    fn check(&self) -> Result<(), ElasticError> {
        positive("modulus", self.modulus)?;
        positive("area", self.area)?;
        positive("second moment of area", self.second_moment)?;
        positive("density", self.density)?;
        self.height.map_or(Ok(()), |height| positive("height", height))
    }
}

/// Which of the terms in ∫ρ y² the inertia of a beam contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotaryInertia {
    /// None: the mass lies on the axis.
    #[default]
    None,
    /// Those of the rigid motion only: ∫ρ u_0·u_0 counts y², the deformation does not turn sections. The mixed model of
    /// [RezaeiSchindler], (134) beside (110).
    Rigid,
    /// All: sections turn by θ + w' (Rayleigh's beam).
    Full,
}

/// Straight beam of Euler–Bernoulli elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    nodes: Vec<[f64; 2]>,
    section: Section,
    rotary: RotaryInertia,
    watched: Vec<usize>,
}

impl Beam {
    /// A beam of equal elements.
    pub fn uniform(length: f64, elements: usize, section: Section) -> Result<Self, ElasticError> {
        positive("length", length)?;
        if elements == 0 {
            return Err(ElasticError::other("the beam has 0 elements", "it needs at least one"));
        }
        let x: Vec<f64> = (0..=elements).map(|i| length * i as f64 / elements as f64).collect();
        Self::new(&x, section)
    }

    /// A beam with nodes at these places, ascending from 0 to its length.
    pub fn new(x: &[f64], section: Section) -> Result<Self, ElasticError> {
        section.check()?;
        if x.len() < 2 {
            return Err(ElasticError::other(
                format!("the beam has {} nodes", x.len()),
                "it needs at least two",
            ));
        }
        if x[0] != 0.0 {
            let wrong = format!("the first node is at x = {}", x[0]);
            return Err(ElasticError::other(wrong, "a beam begins at 0, the origin of its frame"));
        }
        for (i, pair) in x.windows(2).enumerate() {
            let l = pair[1] - pair[0];
            if !(l > 0.0 && l.is_finite()) {
                return Err(ElasticError::other(
                    format!("element {i}, from x = {} to x = {}, has length {l}", pair[0], pair[1]),
                    "nodes must be in ascending order",
                ));
            }
        }
        let nodes = x.iter().map(|&x| [x, 0.0]).collect();
        Ok(Self { nodes, section, rotary: RotaryInertia::None, watched: Vec::new() })
    }

    /// The same beam with other terms of rotary inertia.
    pub fn with_rotary_inertia(self, rotary: RotaryInertia) -> Self {
        Self { rotary, ..self }
    }

    /// The same beam with section forces at these nodes among its outputs, after those of root and tip.
    pub fn with_outputs_at(self, watched: Vec<usize>) -> Result<Self, ElasticError> {
        watched.iter().try_for_each(|&node| self.check_node(node))?;
        Ok(Self { watched, ..self })
    }

    /// Length (m).
    pub fn length(&self) -> f64 {
        self.nodes[self.elements()][0]
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Cross-section and material.
    pub fn section(&self) -> &Section {
        &self.section
    }

    /// Place and length of element e.
    fn element(&self, e: usize) -> (f64, f64) {
        let from = self.nodes[e][0];
        (from, self.nodes[e + 1][0] - from)
    }

    fn check_node(&self, node: usize) -> Result<(), ElasticError> {
        let last = self.elements();
        if node > last { Err(ElasticError::NoNode { node, last }) } else { Ok(()) }
    }

    /// (element, ξ) of the sides of a node.
    fn sides(&self, node: usize) -> Vec<(usize, f64)> {
        let last = self.elements() - 1;
        match node {
            0 => vec![(0, 0.0)],
            node if node > last => vec![(last, 1.0)],
            node => vec![(node - 1, 1.0), (node, 0.0)],
        }
    }

    /// Nodes whose section forces are recorded, and their names.
    fn places(&self) -> Vec<(usize, String)> {
        let mut places = vec![(0, "root".to_string()), (self.elements(), "tip".to_string())];
        places.extend(self.watched.iter().map(|&node| (node, format!("node {node}"))));
        places
    }

    /// Section forces at a node as rows over the nodal coordinates, and stresses at the extreme fibres if the section
    /// has a height; names begin with `name`.
    pub fn section_outputs(&self, node: usize, name: &str) -> Result<Vec<Output>, ElasticError> {
        self.check_node(node)?;
        let sides = self.sides(node);
        let share = 1.0 / sides.len() as f64;
        let mut strain: Vec<(u32, f64)> = Vec::new();
        let mut curvature: Vec<(u32, f64)> = Vec::new();
        let mut third: Vec<(u32, f64)> = Vec::new();
        for (e, xi) in sides {
            let (_, l) = self.element(e);
            let k = |i: usize| (3 * e + i) as u32;
            accumulate(&mut strain, [(k(0), -share / l), (k(3), share / l)]);
            let bend = hermite_second(xi, l);
            let twist = hermite_third(l);
            accumulate(&mut curvature, [1, 2, 4, 5].map(k).into_iter().zip(bend.map(|b| share * b)));
            accumulate(&mut third, [1, 2, 4, 5].map(k).into_iter().zip(twist.map(|b| share * b)));
        }
        let Section { modulus: E, area: A, second_moment: I, height, .. } = self.section;
        let row = |terms: &[(&[(u32, f64)], f64)]| {
            let mut row = Vec::new();
            for &(part, factor) in terms {
                accumulate(&mut row, part.iter().map(|&(k, a)| (k, factor * a)));
            }
            row
        };
        let output = |word: &str, unit, row| Output { name: format!("{name}.{word}"), unit, row };
        let mut outputs = vec![
            output("normal", Unit::Force, row(&[(&strain, E * A)])),
            output("shear", Unit::Force, row(&[(&third, -E * I)])),
            output("moment", Unit::Moment, row(&[(&curvature, E * I)])),
        ];
        if let Some(height) = height {
            // σ = E (u' − y w'')
            for (word, y) in [("top_stress", 0.5 * height), ("bottom_stress", -0.5 * height)] {
                outputs.push(output(word, Unit::Stress, row(&[(&strain, E), (&curvature, -E * y)])));
            }
        }
        Ok(outputs)
    }
}

impl FiniteElements for Beam {
    fn dofs(&self) -> usize {
        3 * self.nodes.len()
    }

    fn unit(&self, i: usize) -> Unit {
        if i % 3 == 2 { Unit::Angle } else { Unit::Length }
    }

    fn dof_name(&self, i: usize) -> String {
        format!("node {}.{}", i / 3, COORDINATES[i % 3])
    }

    fn inertia(&self) -> Inertia {
        let n = self.dofs();
        let Section { area, second_moment, density, .. } = self.section;
        let (rho_A, rho_I) = (density * area, density * second_moment);
        let rigid = if self.rotary == RotaryInertia::None { 0.0 } else { rho_I };
        let elastic = if self.rotary == RotaryInertia::Full { rho_I } else { 0.0 };
        let L = self.length();
        let mut inertia = Inertia {
            mass: rho_A * L,
            first: [0.5 * rho_A * L * L, 0.0],
            second: rho_A * L * L * L / 3.0 + rigid * L,
            S: vec![[0.0; 2]; n],
            along: vec![0.0; n],
            across: vec![0.0; n],
            ..Inertia::default()
        };
        let (mut M, mut B) = (Vec::new(), Vec::new());
        for e in 0..self.elements() {
            let (x, l) = self.element(e);
            let m = rho_A * l;
            let (axial, bending) = ([3 * e, 3 * e + 3], [3 * e + 1, 3 * e + 2, 3 * e + 4, 3 * e + 5]);
            // ∫N and ∫ξN over ξ
            let N_u = [0.5, 0.5];
            let xi_N_u = [1.0 / 6.0, 1.0 / 3.0];
            let N_w = [0.5, l / 12.0, 0.5, -l / 12.0];
            let xi_N_w = [0.15, l / 30.0, 0.35, -l / 20.0];
            for (i, &k) in axial.iter().enumerate() {
                inertia.S[k][0] += m * N_u[i];
                inertia.along[k] += m * (x * N_u[i] + l * xi_N_u[i]);
            }
            // ∫N_w' = N_w(1) − N_w(0)
            let ends = [-1.0, 0.0, 1.0, 0.0];
            for (i, &k) in bending.iter().enumerate() {
                inertia.S[k][1] += m * N_w[i];
                inertia.across[k] += m * (x * N_w[i] + l * xi_N_w[i]) + elastic * ends[i];
            }
            lower(&mut M, &axial, |i, j| m * if i == j { 1.0 / 3.0 } else { 1.0 / 6.0 });
            let (cubic, slope) = (hermite_mass(l), hermite_slope(l));
            lower(&mut M, &bending, |i, j| m * cubic[i][j] + elastic * slope[i][j]);
            // (z×S_u)·S_w = N_u N_w,  N_u = 1 − ξ at the first node and ξ at the second
            for (j, &k) in bending.iter().enumerate() {
                B.push((axial[0], k, m * (N_w[j] - xi_N_w[j])));
                B.push((axial[1], k, m * xi_N_w[j]));
            }
        }
        inertia.B = Skew::from_triplets(B);
        inertia.M = Symmetric::from_triplets(n, M);
        inertia
    }

    fn stiffness(&self) -> Symmetric {
        let Section { modulus: E, area: A, second_moment: I, .. } = self.section;
        let mut K = Vec::new();
        for e in 0..self.elements() {
            let (_, l) = self.element(e);
            let (axial, bending) = ([3 * e, 3 * e + 3], [3 * e + 1, 3 * e + 2, 3 * e + 4, 3 * e + 5]);
            lower(&mut K, &axial, |i, j| E * A / l * if i == j { 1.0 } else { -1.0 });
            let k = [
                [12.0, 6.0 * l, -12.0, 6.0 * l],
                [6.0 * l, 4.0 * l * l, -6.0 * l, 2.0 * l * l],
                [-12.0, -6.0 * l, 12.0, -6.0 * l],
                [6.0 * l, 2.0 * l * l, -6.0 * l, 4.0 * l * l],
            ];
            lower(&mut K, &bending, |i, j| E * I / (l * l * l) * k[i][j]);
        }
        Symmetric::from_triplets(self.dofs(), K)
    }

    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        let (e, xi, y) = match at {
            Material::Node(node) => {
                self.check_node(node)?;
                let e = node.min(self.elements() - 1);
                (e, (node - e) as f64, 0.0)
            }
            Material::At([x, y]) => {
                let (L, slack) = (self.length(), BEYOND * self.length());
                if !(x >= -slack && x <= L + slack && y.is_finite()) {
                    return Err(ElasticError::Outside { x, y, low: [0.0; 2], high: [L, 0.0] });
                }
                let x = x.clamp(0.0, L);
                let e = self.nodes.partition_point(|node| node[0] <= x).clamp(1, self.elements()) - 1;
                let (from, l) = self.element(e);
                (e, (x - from) / l, y)
            }
        };
        let (from, l) = self.element(e);
        let (w, slope) = (hermite(xi, l), hermite_first(xi, l));
        let bend = |i: usize| ([-y * slope[i], w[i]], slope[i]);
        let columns = [([1.0 - xi, 0.0], 0.0), bend(0), bend(1), ([xi, 0.0], 0.0), bend(2), bend(3)];
        let columns = columns.into_iter().enumerate().map(|(i, (S, s))| ((3 * e + i) as u32, S, s));
        // a node is moved by its own coordinates only
        let columns = columns.filter(|&(_, S, s)| S != [0.0; 2] || s != 0.0).collect();
        Ok(PointShapes { u_0: [from + xi * l, y], columns })
    }

    fn nodes(&self) -> &[[f64; 2]] {
        &self.nodes
    }

    fn outline(&self) -> Vec<Vec<usize>> {
        vec![(0..self.nodes.len()).collect()]
    }

    fn boundaries(&self) -> Vec<(String, Vec<usize>)> {
        let bottom: Vec<usize> = (0..self.nodes.len()).collect();
        let top: Vec<usize> = bottom.iter().rev().copied().collect();
        // no whole: both sides of a line without thickness would touch at once
        vec![("bottom".into(), bottom), ("top".into(), top)]
    }

    fn held(&self, reference: Reference) -> Result<Vec<usize>, ElasticError> {
        Ok(match reference {
            Reference::Clamped => vec![0, 1, 2],
            Reference::Pinned => vec![0, 1, self.dofs() - 2],
            Reference::Articulated => vec![0, 1],
            Reference::MeanAxis => Vec::new(),
        })
    }

    fn outputs(&self) -> Vec<Output> {
        let places = self.places();
        let known = "the nodes were checked when they were asked for";
        places.iter().flat_map(|(node, name)| self.section_outputs(*node, name).expect(known)).collect()
    }

    fn gauge(&self, node: usize) -> Option<Gauge> {
        let forces = self.section_outputs(node, "").ok()?;
        let Section { area, second_moment, .. } = self.section;
        let [normal, _, moment, ..] = &forces[..] else { return None };
        let row = |force: &Output, factor: f64| force.row.iter().map(|&(k, a)| (k, factor * a)).collect();
        let fibre = self.section.extreme_fibre() / second_moment;
        let rows = [row(normal, 1.0 / area), row(moment, fibre), Vec::new()];
        let sides = self.sides(node);
        let share = 1.0 / (sides.len() as f64 * area);
        let stretched = sides.into_iter().map(|(e, _)| (e, share)).collect();
        Some(Gauge { stretched, ..Gauge::of_rows(rows, Measure::Fibre) })
    }

    fn stiffening(&self) -> Option<Stiffening> {
        Some(Stiffening::new(self))
    }
}

/// N_w at ξ: displacement and slope of the first node, then of the second.
fn hermite(xi: f64, l: f64) -> [f64; 4] {
    let (xi2, xi3) = (xi * xi, xi * xi * xi);
    [1.0 - 3.0 * xi2 + 2.0 * xi3, l * (xi - 2.0 * xi2 + xi3), 3.0 * xi2 - 2.0 * xi3, l * (xi3 - xi2)]
}

/// N_w'.
fn hermite_first(xi: f64, l: f64) -> [f64; 4] {
    let xi2 = xi * xi;
    let rise = 6.0 * (xi - xi2) / l;
    [-rise, 1.0 - 4.0 * xi + 3.0 * xi2, rise, 3.0 * xi2 - 2.0 * xi]
}

/// N_w''.
fn hermite_second(xi: f64, l: f64) -> [f64; 4] {
    let rise = (6.0 - 12.0 * xi) / (l * l);
    [-rise, (6.0 * xi - 4.0) / l, rise, (6.0 * xi - 2.0) / l]
}

/// N_w'''.
fn hermite_third(l: f64) -> [f64; 4] {
    let (rise, turn) = (12.0 / (l * l * l), 6.0 / (l * l));
    [rise, turn, -rise, turn]
}

/// (1/l) ∫N_w N_wᵀ.
fn hermite_mass(l: f64) -> [[f64; 4]; 4] {
    [
        [156.0, 22.0 * l, 54.0, -13.0 * l],
        [22.0 * l, 4.0 * l * l, 13.0 * l, -3.0 * l * l],
        [54.0, 13.0 * l, 156.0, -22.0 * l],
        [-13.0 * l, -3.0 * l * l, -22.0 * l, 4.0 * l * l],
    ]
    .map(|row| row.map(|a| a / 420.0))
}

/// ∫N_w' N_w'ᵀ.
fn hermite_slope(l: f64) -> [[f64; 4]; 4] {
    [
        [36.0, 3.0 * l, -36.0, 3.0 * l],
        [3.0 * l, 4.0 * l * l, -3.0 * l, -l * l],
        [-36.0, -3.0 * l, 36.0, -3.0 * l],
        [3.0 * l, -l * l, -3.0 * l, 4.0 * l * l],
    ]
    .map(|row| row.map(|a| a / (30.0 * l)))
}

/// Triplets of the lower triangle of a symmetric element matrix; `at` ascends.
fn lower(out: &mut Vec<(usize, usize, f64)>, at: &[usize], entry: impl Fn(usize, usize) -> f64) {
    for i in 0..at.len() {
        for j in 0..=i {
            out.push((at[i], at[j], entry(i, j)));
        }
    }
}

/// row += terms, coordinates ascending, each once.
fn accumulate(row: &mut Vec<(u32, f64)>, terms: impl IntoIterator<Item = (u32, f64)>) {
    for (k, a) in terms {
        match row.binary_search_by_key(&k, |term| term.0) {
            Ok(i) => row[i].1 += a,
            Err(i) => row.insert(i, (k, a)),
        }
    }
}

fn positive(quantity: &'static str, value: f64) -> Result<(), ElasticError> {
    if value == f64::INFINITY {
        return Err(ElasticError::other(format!("{quantity} is infinite"), "it must be a number"));
    }
    if value > 0.0 { Ok(()) } else { Err(ElasticError::NotPositive { quantity, value }) }
}
