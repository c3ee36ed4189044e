//! Geometrically exact beam in the plane, with shear and extension.                [Simo1985], [Reissner1972]
//!
//! ```text
//!   node i:   r_i = (x_i, y_i), φ_i  in the inertial frame       r(s) = Σ N_i r_i,   φ(s) = Σ N_i φ_i
//!   strains   Γ = A(φ)ᵀ r' − e_1,  κ = φ' − κ_0                  (0 under any rigid motion)
//!   U = ½ ∫ EA Γ_1² + GA Γ_2² + EI κ² ds                         order 1: 2 nodes, 1 Gauss point
//!   T = ½ ∫ ρA ṙ² + ρI φ̇² ds                                     order 2: 3 nodes, 2 Gauss points
//! ```
//!
//! One Gauss point less than nodes: the elements do not lock. M is constant and nothing of T is left to h. Rotations
//! are angles, so that any number of turns adds up. Nodal errors: order 1 O(1/n²), order 2 O(1/n⁴) for n elements.
//! A beam bent into a circle is a regular polygon here, closed, with exact angles (test `circle`).
//!
//! Coordinates run node by node, (x, y, φ). Values of tangents: windows of (3N)² numbers, one per element, in blocks of
//! 3×3, both row by row; windows of neighbours share the block of their node, so that no index is looked up.

mod element;

use crate::{ElasticError, Material, PointShapes, Symmetric};
use element::{Element, KEPT};

/// What a cross-section resists with and weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSection {
    /// Axial stiffness (N).
    pub EA: f64,
    /// Shear stiffness, with the reduced area (N).
    pub GA: f64,
    /// Bending stiffness (N m²).
    pub EI: f64,
    /// Mass per length (kg/m).
    pub rhoA: f64,
    /// Rotary inertia per length (kg m).
    pub rhoI: f64,
    /// Retardation time of Kelvin–Voigt damping: stress = C (strain + τ · rate of strain) (s).
    pub tau: f64,
}

impl CrossSection {
    /// Of one isotropic material.
    pub fn new(
        young: f64,
        poisson: f64,
        area: f64,
        second_moment: f64,
        shear_area: f64,
        density: f64,
    ) -> Result<Self, ElasticError> {
        for (quantity, value) in [
            ("Young's modulus", young),
            ("area of the section", area),
            ("second moment of area", second_moment),
            ("shear area", shear_area),
            ("density", density),
        ] {
            positive(quantity, value)?;
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(ElasticError::Poisson { value: poisson });
        }
        let shear = young / (2.0 * (1.0 + poisson));
        Ok(Self {
            EA: young * area,
            GA: shear * shear_area,
            EI: young * second_moment,
            rhoA: density * area,
            rhoI: density * second_moment,
            tau: 0.0,
        })
    }

    /// The same with Kelvin–Voigt damping.
    pub fn with_damping(self, tau: f64) -> Result<Self, ElasticError> {
        if tau >= 0.0 && tau.is_finite() {
            Ok(Self { tau, ..self })
        } else {
            Err(ElasticError::other(format!("the retardation time is {tau} s"), "it must be zero or greater"))
        }
    }

    /// τ C · rate.
    fn damping(&self, rate: [f64; 3]) -> [f64; 3] {
        [self.tau * self.EA * rate[0], self.tau * self.GA * rate[1], self.tau * self.EI * rate[2]]
    }
}

/// Degree of the shape functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Two nodes per element.
    Linear,
    /// Three nodes per element.
    Quadratic,
}

/// How mass is put on the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassKind {
    /// ∫ ρ N_i N_j.
    Consistent,
    /// Row sums: diagonal.
    Lumped,
}

/// Which end of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the arc length is 0.
    Root,
    /// Where it is the length.
    Tip,
}

#[derive(Clone, Debug, PartialEq)]
enum Elements {
    Linear(Vec<Element<2, 1>>),
    Quadratic(Vec<Element<3, 2>>),
}

/// The same expression over the elements of either order.
macro_rules! each {
    ($elements:expr, $all:ident => $body:expr) => {
        match $elements {
            Elements::Linear($all) => $body,
            Elements::Quadratic($all) => $body,
        }
    };
}

/// A chain of geometrically exact beam elements with one cross-section.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactBeam {
    section: CrossSection,
    elements: Elements,
    /// x, y, φ of the nodes of the stress-free beam.
    reference: Vec<f64>,
}

impl ExactBeam {
    /// Along x from the origin, elements of equal length.
    pub fn straight(
        length: f64,
        elements: usize,
        order: Order,
        section: CrossSection,
    ) -> Result<Self, ElasticError> {
        positive("length of the beam", length)?;
        positive("number of elements", elements as f64)?;
        let intervals = elements * order.intervals();
        let nodes: Vec<[f64; 3]> =
            (0..=intervals).map(|i| [length * i as f64 / intervals as f64, 0.0, 0.0]).collect();
        Self::through(&nodes, order, section)
    }

    /// Stress-free through nodes with their section's angle, (x, y, φ) each; order 2 needs an odd number of them, the
    /// middle one of each element halfway along it.
    pub fn through(nodes: &[[f64; 3]], order: Order, section: CrossSection) -> Result<Self, ElasticError> {
        let steps = order.intervals();
        if nodes.len() < steps + 1 || !(nodes.len() - 1).is_multiple_of(steps) {
            return Err(ElasticError::other(
                format!(
                    "a beam with elements of {} nodes cannot have {} nodes in all",
                    steps + 1,
                    nodes.len()
                ),
                "it needs at least one element, and neighbours share a node",
            ));
        }
        let reference: Vec<f64> = nodes.iter().flatten().copied().collect();
        for (i, pair) in nodes.windows(2).enumerate() {
            let length = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            if !(length > 0.0 && length.is_finite()) {
                return Err(ElasticError::other(
                    format!("nodes {i} and {} of the beam are {length} m apart", i + 1),
                    "every element needs a length greater than zero",
                ));
            }
        }
        let window = |e: usize| &reference[3 * steps * e..3 * steps * (e + 1) + 3];
        let count = (nodes.len() - 1) / steps;
        let elements = match order {
            Order::Linear => Elements::Linear((0..count).map(|e| Element::new(window(e))).collect()),
            Order::Quadratic => Elements::Quadratic((0..count).map(|e| Element::new(window(e))).collect()),
        };
        Ok(Self { section, elements, reference })
    }

    /// Number of coordinates: three per node.
    pub fn dofs(&self) -> usize {
        self.reference.len()
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.reference.len() / 3
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        each!(&self.elements, all => all.len())
    }

    /// Degree of the shape functions.
    pub fn order(&self) -> Order {
        match self.elements {
            Elements::Linear(_) => Order::Linear,
            Elements::Quadratic(_) => Order::Quadratic,
        }
    }

    /// The cross-section.
    pub fn section(&self) -> &CrossSection {
        &self.section
    }

    /// Arc length of the stress-free beam (m).
    pub fn length(&self) -> f64 {
        each!(&self.elements, all => all.iter().map(|e| e.length).sum())
    }

    /// Coordinates of the stress-free beam: x, y, φ of each node.
    pub fn reference(&self) -> &[f64] {
        &self.reference
    }

    /// M, constant.
    pub fn mass(&self, kind: MassKind) -> Symmetric {
        let density = [self.section.rhoA, self.section.rhoA, self.section.rhoI];
        let mut triplets = Vec::new();
        each!(&self.elements, all => for (e, element) in all.iter().enumerate() {
            let first = e * self.order().intervals();
            for (i, row) in element.products().iter().enumerate() {
                for (j, &product) in row.iter().enumerate() {
                    let column = if kind == MassKind::Lumped { i } else { j };
                    if column <= i {
                        for a in 0..3 {
                            triplets.push((3 * (first + i) + a, 3 * (first + column) + a, density[a] * product));
                        }
                    }
                }
            }
        });
        Symmetric::from_triplets(self.dofs(), triplets)
    }

    /// (row, column) of the values of tangents.
    pub fn tangent_pattern(&self) -> Vec<(u32, u32)> {
        let steps = self.order().intervals();
        let mut at = Vec::new();
        for e in 0..self.elements() {
            let nodes = steps * e..=steps * (e + 1);
            for i in nodes.clone() {
                for j in nodes.clone() {
                    // the first block of an element is the last one of its neighbour
                    if e == 0 || (i, j) != (steps * e, steps * e) {
                        at.extend((0..9).map(|k| ((3 * i + k / 3) as u32, (3 * j + k % 3) as u32)));
                    }
                }
            }
        }
        at
    }

    /// How many numbers [`ExactBeam::derive`] keeps.
    pub fn derived_len(&self) -> usize {
        KEPT * each!(&self.elements, all => all.len() * (self.order().intervals()))
    }

    /// Keeps strains and stresses at q for all that follows.
    pub fn derive(&self, q: &[f64], kept: &mut [f64]) {
        each!(&self.elements, all => for (window, element) in Windows::of(all) {
            element.derive(&self.section, &q[window.q..], &mut kept[window.kept..window.kept_end]);
        });
    }

    /// Strain energy.
    pub fn energy(&self, kept: &[f64]) -> f64 {
        each!(&self.elements, all => Windows::of(all)
            .map(|(window, element)| element.energy(&self.section, &kept[window.kept..window.kept_end]))
            .sum())
    }

    /// out += factor · ∂U/∂q.
    pub fn add_force(&self, factor: f64, kept: &[f64], out: &mut [f64]) {
        each!(&self.elements, all => for (window, element) in Windows::of(all) {
            element.add_force(factor, &kept[window.kept..window.kept_end], &mut out[window.q..]);
        });
    }

    /// K += ∂²U/∂q², in the order of [`ExactBeam::tangent_pattern`].
    pub fn add_tangent(&self, kept: &[f64], K: &mut [f64]) {
        each!(&self.elements, all => for (window, element) in Windows::of(all) {
            element.add_tangent(&self.section, &kept[window.kept..window.kept_end], &mut K[window.values..]);
        });
    }

    /// out += factor · force of the strain rates; nothing without damping.
    pub fn add_damping(&self, factor: f64, kept: &[f64], v: &[f64], out: &mut [f64]) {
        if self.section.tau > 0.0 {
            each!(&self.elements, all => for (window, element) in Windows::of(all) {
                let kept = &kept[window.kept..window.kept_end];
                element.add_damping(&self.section, factor, kept, &v[window.q..], &mut out[window.q..]);
            });
        }
    }

    /// K += ∂/∂q and C += ∂/∂v of the force of the strain rates; nothing without damping.
    pub fn add_damping_tangents(&self, kept: &[f64], v: &[f64], K: &mut [f64], C: &mut [f64]) {
        if self.section.tau > 0.0 {
            each!(&self.elements, all => for (window, element) in Windows::of(all) {
                let (kept, values) = (&kept[window.kept..window.kept_end], window.values);
                let (K, C) = (&mut K[values..], &mut C[values..]);
                element.add_damping_tangents(&self.section, kept, &v[window.q..], K, C);
            });
        }
    }

    /// Power lost to damping, ≥ 0 (W).
    pub fn dissipation(&self, kept: &[f64], v: &[f64]) -> f64 {
        if self.section.tau == 0.0 {
            return 0.0;
        }
        each!(&self.elements, all => Windows::of(all)
            .map(|(window, element)| {
                element.dissipation(&self.section, &kept[window.kept..window.kept_end], &v[window.q..])
            })
            .sum())
    }

    /// (N, Q, M) at Gauss point `i` of the chain, without damping.
    pub fn stress(&self, kept: &[f64], i: usize) -> [f64; 3] {
        let from = KEPT * i + 4;
        kept[from..from + 3].try_into().expect("three stresses")
    }

    /// (N, M) at a node, without damping at inner ones: there the line through the Gauss points of each element next to it,
    /// or the value at its only one, and the mean of both sides; at the ends the forces of [`ExactBeam::end_stress`].
    pub fn node_stress(&self, node: usize, q: &[f64], v: &[f64], kept: &[f64]) -> [f64; 2] {
        if node == 0 || node + 1 == self.nodes() {
            let end = if node == 0 { End::Root } else { End::Tip };
            let [n, _, m] = self.end_stress(end, q, v, kept);
            return [n, m];
        }
        let at = |i: usize| {
            let [n, _, m] = self.stress(kept, i);
            [n, m]
        };
        let blend = |a: [f64; 2], b: [f64; 2], s: f64| [0, 1].map(|c| a[c] + s * (b[c] - a[c]));
        match self.order() {
            Order::Linear => blend(at(node - 1), at(node), 0.5),
            Order::Quadratic if node % 2 == 1 => blend(at(node - 1), at(node), 0.5),
            Order::Quadratic => {
                // Gauss points at ∓1/√3 on [−1, 1]: the ends are (√3 − 1)/2 of their distance beyond them
                let beyond = 0.5 * (3f64.sqrt() - 1.0);
                let before = blend(at(node - 2), at(node - 1), 1.0 + beyond);
                let after = blend(at(node), at(node + 1), -beyond);
                blend(before, after, 0.5)
            }
        }
    }

    /// (N, Q, M) in the end section: what the last element asks of its end node, in that section's frame. It equals
    /// the support's reaction up to the inertia of the node, and is exact at a free or pinned end where the value at a
    /// Gauss point is not.
    pub fn end_stress(&self, end: End, q: &[f64], v: &[f64], kept: &[f64]) -> [f64; 3] {
        let mut f = [0.0; 9];
        let (node, sign) = match end {
            End::Root => (0, -1.0),
            End::Tip => (self.nodes() - 1, 1.0),
        };
        let first = each!(&self.elements, all => {
            let pick = if end == End::Root { 0 } else { all.len() - 1 };
            let (window, element) = Windows::of(all).nth(pick).expect("a beam has an element");
            let kept = &kept[window.kept..window.kept_end];
            element.add_force(sign, kept, &mut f);
            element.add_damping(&self.section, sign, kept, &v[window.q..], &mut f);
            window.q
        });
        let f = &f[3 * node - first..][..3];
        let (s, c) = q[3 * node + 2].sin_cos();
        [c * f[0] + s * f[1], c * f[1] - s * f[0], f[2]]
    }

    /// Place and section angle of a material point on the axis, r = Σ N_i r_i and φ = Σ N_i φ_i; there is no u_0.
    /// A place is looked for along the stress-free axis.
    pub fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        let shapes = match at {
            Material::Node(node) if node < self.nodes() => vec![(node, 1.0)],
            Material::Node(node) => return Err(ElasticError::NoNode { node, last: self.nodes() - 1 }),
            Material::At(place) => self.find(place)?,
        };
        let columns = shapes
            .into_iter()
            .filter(|&(_, shape)| shape != 0.0)
            .flat_map(|(node, shape)| {
                let k = 3 * node as u32;
                [(k, [shape, 0.0], 0.0), (k + 1, [0.0, shape], 0.0), (k + 2, [0.0, 0.0], shape)]
            })
            .collect();
        Ok(PointShapes { u_0: [0.0; 2], columns })
    }

    /// Nodes and shape functions of the point of the stress-free axis at `place`.
    fn find(&self, place: [f64; 2]) -> Result<Vec<(usize, f64)>, ElasticError> {
        // a billionth of the length is how far a place written with nine digits may miss the axis
        let tolerance = 1e-9 * self.length();
        let steps = self.order().intervals();
        for e in 0..self.elements() {
            let nodes = &self.reference[3 * steps * e..3 * steps * (e + 1) + 3];
            let shapes = |xi: f64| match self.order() {
                Order::Linear => {
                    let (N, dN) = element::shapes::<2>(xi);
                    (N.to_vec(), dN.to_vec())
                }
                Order::Quadratic => {
                    let (N, dN) = element::shapes::<3>(xi);
                    (N.to_vec(), dN.to_vec())
                }
            };
            let sum =
                |a: usize, of: &[f64]| of.iter().enumerate().map(|(i, n)| n * nodes[3 * i + a]).sum::<f64>();
            // Gauss–Newton on the distance: one step for straight elements
            let mut xi: f64 = 0.0;
            for _ in 0..20 {
                let (N, dN) = shapes(xi);
                let miss = [place[0] - sum(0, &N), place[1] - sum(1, &N)];
                let slope = [sum(0, &dN), sum(1, &dN)];
                xi += (miss[0] * slope[0] + miss[1] * slope[1]) / (slope[0] * slope[0] + slope[1] * slope[1]);
            }
            let (N, _) = shapes(xi.clamp(-1.0, 1.0));
            if (place[0] - sum(0, &N)).hypot(place[1] - sum(1, &N)) <= tolerance {
                return Ok(N.into_iter().enumerate().map(|(i, n)| (steps * e + i, n)).collect());
            }
        }
        let bound = |a: usize, pick: fn(f64, f64) -> f64| {
            self.reference.iter().skip(a).step_by(3).copied().reduce(pick).expect("a beam has nodes")
        };
        Err(ElasticError::Outside {
            x: place[0],
            y: place[1],
            low: [bound(0, f64::min), bound(1, f64::min)],
            high: [bound(0, f64::max), bound(1, f64::max)],
        })
    }
}

impl Order {
    /// Intervals between the nodes of an element, and Gauss points.
    fn intervals(self) -> usize {
        match self {
            Order::Linear => 1,
            Order::Quadratic => 2,
        }
    }
}

/// Where the numbers of an element begin.
struct Window {
    q: usize,
    kept: usize,
    kept_end: usize,
    values: usize,
}

/// The elements with where their numbers begin.
struct Windows;

impl Windows {
    fn of<const N: usize, const G: usize>(
        all: &[Element<N, G>],
    ) -> impl Iterator<Item = (Window, &Element<N, G>)> {
        all.iter().enumerate().map(|(e, element)| {
            let kept = KEPT * G * e;
            let values = (Element::<N, G>::WINDOW - 9) * e;
            (Window { q: 3 * (N - 1) * e, kept, kept_end: kept + KEPT * G, values }, element)
        })
    }
}

fn positive(quantity: &'static str, value: f64) -> Result<(), ElasticError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ElasticError::NotPositive { quantity, value }) }
}
