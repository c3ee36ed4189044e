//! A bar that moves and stretches along its own straight line: linear elements.
//!
//! ```text
//!   x(X) = x_0 + (X + u) e,   e fixed,   u linear between nodes,   q = u at the nodes, u_0 included: the bar may travel
//!   element of length l:   K_e = EA/l [1 −1; −1 1],   M_e = ρA l/6 [2 1; 1 2]  or, lumped,  ρA l/2 [1 0; 0 1]
//!   h = ρA g·e − K q − C q̇,   C = α M + β K
//! ```
//!
//! M, K and C are tridiagonal and never change, so a step of constant length factors them once. What the ground
//! measures is the force of the contact; the *pressure* of the literature is that force over the section.

use super::{Flexible, Local, Start};
use carom_dynamics::Quantity;
use carom_elastic::{ElasticError, Material, PointShapes};

/// Outlines have no more pieces than this.
const PIECES: usize = 40;

/// How far beyond an end, in lengths of the bar, or beside a node, in lengths of its element, a point still counts as there:
/// numbers typed with nine digits.
const AT_NODE: f64 = 1e-9;

#[derive(Clone, Debug)]
pub struct Bar {
    /// Unit vector along the bar and its angle, and the inertial place of its first end without displacement.
    pub axis: [f64; 2],
    pub angle: f64,
    pub origin: [f64; 2],
    /// Undeformed places X of the nodes, ascending from 0.
    pub nodes: Vec<f64>,
    /// EA/l of every element, and ρA.
    pub stiffness: Vec<f64>,
    pub line_mass: f64,
    /// A.
    pub area: f64,
    pub lumped: bool,
    /// α and β.
    pub rayleigh: [f64; 2],
    /// Gravity along the bar.
    pub gravity: f64,
}

impl Bar {
    /// Length of element e.
    fn element(&self, e: usize) -> f64 {
        self.nodes[e + 1] - self.nodes[e]
    }

    fn elements(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Diagonal and coupling of the element mass matrix.
    fn element_mass(&self, e: usize) -> (f64, f64) {
        let m = self.line_mass * self.element(e);
        if self.lumped { (0.5 * m, 0.0) } else { (m / 3.0, m / 6.0) }
    }

    fn element_stiffness(&self, e: usize) -> f64 {
        self.stiffness[e]
    }

    /// EA u' of element e.
    fn tension(&self, at: Local, e: usize) -> f64 {
        self.element_stiffness(e) * (at.q[e + 1] - at.q[e])
    }

    /// Nodes of the outline.
    fn drawn(&self) -> impl Iterator<Item = usize> {
        let step = self.elements().div_ceil(PIECES);
        (0..self.elements()).step_by(step).chain([self.elements()])
    }

    /// xᵀ K x.
    fn stretch_form(&self, x: &[f64]) -> f64 {
        (0..self.elements()).map(|e| self.element_stiffness(e) * (x[e + 1] - x[e]).powi(2)).sum()
    }

    /// xᵀ M x.
    fn mass_form(&self, x: &[f64]) -> f64 {
        let one = |e: usize| {
            let (d, c) = self.element_mass(e);
            d * (x[e] * x[e] + x[e + 1] * x[e + 1]) + 2.0 * c * x[e] * x[e + 1]
        };
        (0..self.elements()).map(one).sum()
    }
}

impl Flexible for Bar {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn floats(&self) -> bool {
        false
    }

    fn rigid_motions(&self) -> usize {
        1
    }

    fn frame_angle(&self) -> f64 {
        self.angle
    }

    fn start(&self, start: &Start) -> (Vec<f64>, Vec<f64>) {
        let speed = start.velocity[0] * self.axis[0] + start.velocity[1] * self.axis[1];
        (vec![0.0; self.len()], vec![speed; self.len()])
    }

    fn total_mass(&self) -> f64 {
        self.line_mass * self.nodes[self.elements()]
    }

    fn mass_pattern(&self) -> Vec<(u32, u32)> {
        let n = self.len() as u32;
        if self.lumped {
            return (0..n).map(|i| (i, i)).collect();
        }
        (0..n).flat_map(|i| [(i, i), (i + 1, i)]).filter(|&(i, _)| i < n).collect()
    }

    fn mass_is_constant(&self) -> bool {
        true
    }

    fn mass(&self, _: Local, M: &mut [f64]) {
        M.fill(0.0);
        let stride = if self.lumped { 1 } else { 2 };
        for e in 0..self.elements() {
            let (d, c) = self.element_mass(e);
            M[stride * e] += d;
            M[stride * (e + 1)] += d;
            if !self.lumped {
                M[2 * e + 1] += c;
            }
        }
    }

    fn add_force(&self, at: Local, h: &mut [f64]) {
        let [alpha, beta] = self.rayleigh;
        let n = self.elements();
        // one end of every element, then the other: loops without dependencies between their turns
        let tension =
            |k: f64, low: (&f64, &f64), high: (&f64, &f64)| k * (high.0 - low.0 + beta * (high.1 - low.1));
        let (low, high) = (|| at.q[..n].iter().zip(&at.v[..n]), || at.q[1..].iter().zip(&at.v[1..]));
        for (h, ((k, low), high)) in h[..n].iter_mut().zip(self.stiffness.iter().zip(low()).zip(high())) {
            *h += tension(*k, low, high);
        }
        for (h, ((k, low), high)) in h[1..].iter_mut().zip(self.stiffness.iter().zip(low()).zip(high())) {
            *h -= tension(*k, low, high);
        }
        if self.gravity != 0.0 {
            for e in 0..n {
                let half = 0.5 * self.line_mass * self.element(e) * self.gravity;
                h[e] += half;
                h[e + 1] += half;
            }
        }
        if alpha != 0.0 {
            for e in 0..self.elements() {
                let (d, c) = self.element_mass(e);
                h[e] -= alpha * (d * at.v[e] + c * at.v[e + 1]);
                h[e + 1] -= alpha * (c * at.v[e] + d * at.v[e + 1]);
            }
        }
    }

    fn tangent_pattern(&self) -> Vec<(u32, u32)> {
        let n = self.len() as u32;
        let row = |i: u32| [i.checked_sub(1), Some(i), (i + 1 < n).then_some(i + 1)].into_iter().flatten();
        (0..n).flat_map(|i| row(i).map(move |j| (i, j))).collect()
    }

    fn tangents_are_constant(&self) -> bool {
        true
    }

    fn tangents(&self, _: Local, K: &mut [f64], C: &mut [f64]) {
        K.fill(0.0);
        C.fill(0.0);
        let [alpha, beta] = self.rayleigh;
        // Row i begins at 3 i − 1, the first at 0; entries (i, i−1), (i, i), (i, i+1).
        for e in 0..self.elements() {
            let k = self.element_stiffness(e);
            let (d, c) = self.element_mass(e);
            for (place, stiffness, mass) in
                [(3 * e, k, d), (3 * e + 1, -k, c), (3 * e + 2, -k, c), (3 * e + 3, k, d)]
            {
                K[place] += stiffness;
                C[place] += alpha * mass + beta * stiffness;
            }
        }
    }

    fn kinetic(&self, at: Local) -> f64 {
        0.5 * self.mass_form(at.v)
    }

    fn potential(&self, at: Local) -> f64 {
        let place = |e: usize| 0.5 * (self.nodes[e] + at.q[e] + self.nodes[e + 1] + at.q[e + 1]);
        let along: f64 = (0..self.elements()).map(|e| self.line_mass * self.element(e) * place(e)).sum();
        -self.gravity * along
    }

    fn strain(&self, at: Local) -> f64 {
        0.5 * self.stretch_form(at.q)
    }

    fn has_damping(&self) -> bool {
        self.rayleigh != [0.0; 2]
    }

    fn loss(&self, at: Local) -> f64 {
        self.rayleigh[0] * self.mass_form(at.v) + self.rayleigh[1] * self.stretch_form(at.v)
    }

    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        let e_S = |k: usize, N: f64| (k as u32, [N * self.axis[0], N * self.axis[1]], 0.0);
        let place = |X: f64| [self.origin[0] + X * self.axis[0], self.origin[1] + X * self.axis[1]];
        match at {
            Material::Node(node) => {
                let last = self.elements();
                let X = *self.nodes.get(node).ok_or(ElasticError::NoNode { node, last })?;
                Ok(PointShapes { u_0: place(X), columns: vec![e_S(node, 1.0)] })
            }
            Material::At([X, y]) => {
                let length = self.nodes[self.elements()];
                let slack = AT_NODE * length;
                if y != 0.0 || X < -slack || X > length + slack {
                    return Err(ElasticError::Outside { x: X, y, low: [0.0; 2], high: [length, 0.0] });
                }
                let e = self.nodes.partition_point(|&node| node <= X).clamp(1, self.elements()) - 1;
                let s = (X - self.nodes[e]) / self.element(e);
                let near = |s: f64| s.abs() < AT_NODE;
                let columns = if near(s) {
                    vec![e_S(e, 1.0)]
                } else if near(1.0 - s) {
                    vec![e_S(e + 1, 1.0)]
                } else {
                    vec![e_S(e, 1.0 - s), e_S(e + 1, s)]
                };
                Ok(PointShapes { u_0: place(X), columns })
            }
        }
    }

    fn carries(&self, _: Local, _: usize) -> [f64; 3] {
        let [x, y] = self.axis;
        // all of it moves along one line
        [x, y, self.origin[0] * y - self.origin[1] * x]
    }

    fn quantity(&self, _: usize) -> Quantity {
        Quantity::Length
    }

    fn coordinate_name(&self, i: usize) -> String {
        format!("node {i}")
    }

    fn outline(&self) -> Vec<Vec<Material>> {
        vec![self.drawn().map(Material::Node).collect()]
    }

    fn knows_stress(&self) -> bool {
        true
    }

    fn stresses(&self, at: Local, out: &mut [f64]) {
        for (out, node) in out.iter_mut().zip(self.drawn()) {
            // the mean of the elements on both sides
            let (before, after) = (node.max(1) - 1, node.min(self.elements() - 1));
            *out = (0.5 * (self.tension(at, before) + self.tension(at, after)) / self.area).abs();
        }
    }

    fn outputs(&self) -> Vec<(String, &'static str)> {
        vec![("strain".into(), "J"), ("first.tension".into(), "N"), ("last.tension".into(), "N")]
    }

    fn observe(&self, at: Local, out: &mut [f64]) {
        let last = self.elements() - 1;
        out.copy_from_slice(&[self.strain(at), self.tension(at, 0), self.tension(at, last)]);
    }
}
