//! Geometric stiffening of a beam: what the axial strain of second order adds to the linear strain energy.
//!
//! ```text
//!   U = ½∫EA (u' + ½w'²)² + ½∫EI w''²
//!   per element, ½w'² by its mean:   ε = (u_2 − u_1)/l,   κ = ½ wᵀ G w / l,   G = ∫N_w' N_w'ᵀ
//!   U − U_linear = ½ EA l ((ε + κ)² − ε²)
//!     ∂/∂u = EA κ (−1, 1)            ∂/∂w = N G w,   N = EA (ε + κ)
//!     ∂²/∂u∂w = EA/l (−1, 1)ᵀ (G w)ᵀ     ∂²/∂w² = N G + EA/l (G w)(G w)ᵀ
//! ```
//!
//! The strain ε of linear u is constant over an element while ½w'² is a polynomial of degree four. Taken point by point
//! the two could cancel nowhere but on average, and a beam that bends without stretching would lock. The mean is what ε
//! can balance. A tension that varies along the beam enters by its mean over each element: order 2 in l.

use super::{Beam, hermite_slope};

/// Coordinates of an element in the order of `Element::gradient`: u_1, w_1, w_1', u_2, w_2, w_2'.
const LOCAL: usize = 6;

/// The terms that a beam's strain energy, forces and stiffness gain when stretching by bending counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiffening {
    elements: Vec<Element>,
    outputs: Vec<(usize, usize, f64)>,
}

/// One element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    l: f64,
    EA: f64,
    G: [[f64; 4]; 4],
}

/// What an element knows of its six coordinates.
struct Stretch {
    eps: f64,
    kappa: f64,
    Gw: [f64; 4],
}

impl Element {
    fn stretch(&self, q: &[f64; LOCAL]) -> Stretch {
        let w = [q[1], q[2], q[4], q[5]];
        let Gw = self.G.map(|row| row[0] * w[0] + row[1] * w[1] + row[2] * w[2] + row[3] * w[3]);
        let wGw = w[0] * Gw[0] + w[1] * Gw[1] + w[2] * Gw[2] + w[3] * Gw[3];
        Stretch { eps: (q[3] - q[0]) / self.l, kappa: 0.5 * wGw / self.l, Gw }
    }

    /// Energy beyond the linear one (J).
    pub fn energy(&self, q: &[f64; LOCAL]) -> f64 {
        let Stretch { eps, kappa, .. } = self.stretch(q);
        self.EA * self.l * kappa * (eps + 0.5 * kappa)
    }

    /// Its gradient.
    pub fn gradient(&self, q: &[f64; LOCAL]) -> [f64; LOCAL] {
        let Stretch { eps, kappa, Gw } = self.stretch(q);
        let (pull, N) = (self.EA * kappa, self.EA * (eps + kappa));
        [-pull, N * Gw[0], N * Gw[1], pull, N * Gw[2], N * Gw[3]]
    }

    /// Its second derivatives, symmetric.
    pub fn hessian(&self, q: &[f64; LOCAL]) -> [[f64; LOCAL]; LOCAL] {
        let Stretch { eps, kappa, Gw } = self.stretch(q);
        let (k, N) = (self.EA / self.l, self.EA * (eps + kappa));
        let at = [1, 2, 4, 5];
        let mut H = [[0.0; LOCAL]; LOCAL];
        for i in 0..4 {
            for (u, sign) in [(0, -k), (3, k)] {
                H[u][at[i]] = sign * Gw[i];
                H[at[i]][u] = sign * Gw[i];
            }
            for j in 0..4 {
                H[at[i]][at[j]] = N * self.G[i][j] + k * Gw[i] * Gw[j];
            }
        }
        H
    }

    /// EA κ: what bending adds to the normal force EA u'.
    pub fn added_tension(&self, q: &[f64; LOCAL]) -> f64 {
        self.EA * self.stretch(q).kappa
    }
}

impl Stiffening {
    pub(super) fn new(beam: &Beam) -> Self {
        let EA = beam.section.modulus * beam.section.area;
        let element = |e| {
            let (_, l) = beam.element(e);
            Element { l, EA, G: hermite_slope(l) }
        };
        // outputs come place by place: normal, shear, moment, and two stresses where there is a height
        let per_place = if beam.section.height.is_some() { 5 } else { 3 };
        let mut outputs = Vec::new();
        for (place, (node, _)) in beam.places().iter().enumerate() {
            let sides = beam.sides(*node);
            for &(e, _) in &sides {
                let share = 1.0 / sides.len() as f64;
                outputs.push((per_place * place, e, share));
                let stresses = per_place * place + 3..per_place * (place + 1);
                outputs.extend(stresses.map(|stress| (stress, e, share / beam.section.area)));
            }
        }
        Self { elements: (0..beam.elements()).map(element).collect(), outputs }
    }

    /// (number of an output of the beam, element, factor): the output gains factor times the added tension.
    pub fn outputs(&self) -> &[(usize, usize, f64)] {
        &self.outputs
    }

    /// First nodal coordinate of element e, which has it and the five after it, and the element.
    pub fn element(&self, e: usize) -> (usize, &Element) {
        (3 * e, &self.elements[e])
    }

    /// All elements so, in order.
    pub fn elements(&self) -> impl Iterator<Item = (usize, &Element)> {
        self.elements.iter().enumerate().map(|(e, element)| (3 * e, element))
    }

    /// Energy beyond the linear one (J), from all nodal coordinates.
    pub fn energy(&self, q: &[f64]) -> f64 {
        self.elements().fold(0.0, |sum, (from, element)| sum + element.energy(six(q, from)))
    }

    /// out += factor · gradient of the energy.
    pub fn add_gradient(&self, factor: f64, q: &[f64], out: &mut [f64]) {
        for (from, element) in self.elements() {
            let g = element.gradient(six(q, from));
            out[from..from + LOCAL].iter_mut().zip(g).for_each(|(out, g)| *out += factor * g);
        }
    }

    /// (row, column, value) of the lower triangle of the second derivatives, element by element; places where
    /// neighbours meet come twice and add up. Which entries come, and in which order, does not depend on q.
    pub fn hessian(&self, q: &[f64], mut entry: impl FnMut(usize, usize, f64)) {
        for (from, element) in self.elements() {
            let H = element.hessian(six(q, from));
            for i in 0..LOCAL {
                for j in 0..=i {
                    entry(from + i, from + j, H[i][j]);
                }
            }
        }
    }
}

fn six(q: &[f64], from: usize) -> &[f64; LOCAL] {
    q[from..from + LOCAL].try_into().expect("six coordinates")
}
