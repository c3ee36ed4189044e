//! Matrices of one element.
//!
//! ```text
//!   m_ij = ∫ρ t N_i N_j,     K = ∫ Bᵀ D B t,     ε = (ε_xx, ε_yy, γ_xy) = B q,   σ = D ε
//!   D = E' / (1 − ν'²) [1 ν' 0; ν' 1 0; 0 0 (1 − ν')/2]
//!   plane stress E' = E, ν' = ν;   plane strain E' = E/(1 − ν²), ν' = ν/(1 − ν)
//! ```
//!
//! Incompatible modes: u = Σ N_i u_i + α_1 (1 − ξ²) + α_2 (1 − η²), with the gradient of the added modes taken with J
//! of the centre and scaled by det J_0/det J, so that constant strain stays exact in any quadrilateral
//! [Taylor1976]. α follows the nodes: α = −K_αα⁻¹ K_αu q.

use super::kind::{PlaneElement, Shapes};

/// Row of three stress or strain components over the coordinates of an element.
pub(super) type Rows = [[f64; 16]; 3];

/// Elasticity matrix D by E'/(1 − ν'²) and ν'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    pub modulus: f64,
    pub nu: f64,
}

impl Law {
    /// D ε.
    pub fn stress(&self, e: [f64; 3]) -> [f64; 3] {
        let Law { modulus, nu } = *self;
        [modulus * (e[0] + nu * e[1]), modulus * (nu * e[0] + e[1]), modulus * 0.5 * (1.0 - nu) * e[2]]
    }
}

/// An element with its nodes in place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub kind: PlaneElement,
    pub x: [[f64; 2]; 8],
}

/// Columns of B for a function with gradient d: the displacement (f, 0), then (0, f).
fn strains(d: [f64; 2]) -> [[f64; 3]; 2] {
    [[d[0], 0.0, d[1]], [0.0, d[1], d[0]]]
}

impl Placed {
    fn n(&self) -> usize {
        self.kind.nodes()
    }

    /// x at a reference place.
    pub fn at(&self, s: &Shapes) -> [f64; 2] {
        let sum = |c: usize| (0..self.n()).map(|i| s.N[i] * self.x[i][c]).sum();
        [sum(0), sum(1)]
    }

    /// J, J[a][c] = ∂x_c/∂ξ_a.
    pub fn jacobian(&self, s: &Shapes) -> [[f64; 2]; 2] {
        let sum = |a: usize, c: usize| (0..self.n()).map(|i| s.dN[i][a] * self.x[i][c]).sum();
        [[sum(0, 0), sum(0, 1)], [sum(1, 0), sum(1, 1)]]
    }

    /// N, ∂N/∂x and det J.
    pub fn map(&self, xi: [f64; 2]) -> (Shapes, f64) {
        let mut s = self.kind.shapes(xi);
        let J = self.jacobian(&s);
        for d in &mut s.dN[..self.n()] {
            *d = gradient(&J, *d);
        }
        (s, det(&J))
    }

    /// Mean of the corners.
    pub fn near(&self) -> [f64; 2] {
        let corners = self.kind.corners();
        [0, 1].map(|c| self.x[..corners].iter().map(|x| x[c]).sum::<f64>() / corners as f64)
    }

    /// m_ij, row by row, for the mass per area ρ t.
    pub fn mass(&self, per_area: f64) -> [[f64; 8]; 8] {
        let mut m = [[0.0; 8]; 8];
        for (xi, w) in self.kind.mass_rule() {
            let (s, det) = self.map(xi);
            for i in 0..self.n() {
                for j in 0..self.n() {
                    m[i][j] += w * det * per_area * s.N[i] * s.N[j];
                }
            }
        }
        m
    }

    /// K over (x, y) of each node.
    pub fn stiffness(&self, law: &Law, thickness: f64) -> [[f64; 16]; 16] {
        let mut K = [[0.0; 16]; 16];
        for (xi, w) in self.kind.stiffness_rule() {
            let (s, det) = self.map(xi);
            for i in 0..self.n() {
                for (a, strain) in strains(s.dN[i]).into_iter().enumerate() {
                    let stress = law.stress(strain).map(|x| w * det * thickness * x);
                    for j in 0..self.n() {
                        for (b, strain) in strains(s.dN[j]).into_iter().enumerate() {
                            K[2 * i + a][2 * j + b] += dot3(stress, strain);
                        }
                    }
                }
            }
        }
        if self.kind == PlaneElement::Q4Incompatible {
            // K − K_uα K_αα⁻¹ K_αu
            let (K_au, alpha) = self.bubbles(law);
            for i in 0..8 {
                for j in 0..8 {
                    K[i][j] += thickness * (0..4).map(|a| K_au[a][i] * alpha[a][j]).sum::<f64>();
                }
            }
        }
        K
    }

    /// Strain rows at a reference place.
    pub fn strain(&self, law: &Law, xi: [f64; 2]) -> Rows {
        let (s, det) = self.map(xi);
        let mut rows = [[0.0; 16]; 3];
        for i in 0..self.n() {
            for (a, strain) in strains(s.dN[i]).into_iter().enumerate() {
                for c in 0..3 {
                    rows[c][2 * i + a] = strain[c];
                }
            }
        }
        if self.kind == PlaneElement::Q4Incompatible {
            let (_, alpha) = self.bubbles(law);
            for (a, strain) in self.bubble_strains(xi, det).into_iter().enumerate() {
                for c in 0..3 {
                    (0..8).for_each(|j| rows[c][j] += strain[c] * alpha[a][j]);
                }
            }
        }
        rows
    }

    /// B of the four added modes.
    fn bubble_strains(&self, xi: [f64; 2], det_here: f64) -> [[f64; 3]; 4] {
        let J = self.jacobian(&self.kind.shapes(self.kind.centre()));
        let factor = det(&J) / det_here;
        let [a, b] =
            [[-2.0 * xi[0], 0.0], [0.0, -2.0 * xi[1]]].map(|d| strains(gradient(&J, d).map(|x| factor * x)));
        [a[0], a[1], b[0], b[1]]
    }

    /// K_αu and the rows of α = −K_αα⁻¹ K_αu q, for unit thickness.
    fn bubbles(&self, law: &Law) -> ([[f64; 8]; 4], [[f64; 8]; 4]) {
        let (mut K_aa, mut K_au) = ([[0.0; 4]; 4], [[0.0; 8]; 4]);
        for (xi, w) in self.kind.stiffness_rule() {
            let (s, det) = self.map(xi);
            let bubble = self.bubble_strains(xi, det);
            for a in 0..4 {
                let stress = law.stress(bubble[a]).map(|x| w * det * x);
                (0..4).for_each(|b| K_aa[a][b] += dot3(stress, bubble[b]));
                for j in 0..4 {
                    for (c, strain) in strains(s.dN[j]).into_iter().enumerate() {
                        K_au[a][2 * j + c] += dot3(stress, strain);
                    }
                }
            }
        }
        // Gauss elimination without pivoting: K_αα is positive definite
        let mut alpha = K_au.map(|row| row.map(|x| -x));
        for p in 0..4 {
            for r in (0..4).filter(|&r| r != p) {
                let f = K_aa[r][p] / K_aa[p][p];
                (p..4).for_each(|c| K_aa[r][c] -= f * K_aa[p][c]);
                (0..8).for_each(|c| alpha[r][c] -= f * alpha[p][c]);
            }
        }
        for p in 0..4 {
            alpha[p] = alpha[p].map(|x| x / K_aa[p][p]);
        }
        (K_au, alpha)
    }

    /// Reference place of a point, by Newton's method; None if it does not come to rest.
    pub fn inverse(&self, p: [f64; 2]) -> Option<[f64; 2]> {
        let mut xi = self.kind.centre();
        for _ in 0..30 {
            let s = self.kind.shapes(xi);
            let (at, J) = (self.at(&s), self.jacobian(&s));
            let r = [p[0] - at[0], p[1] - at[1]];
            let d = det(&J);
            // x_ξ δξ + x_η δη = r
            let step = [(r[0] * J[1][1] - r[1] * J[1][0]) / d, (r[1] * J[0][0] - r[0] * J[0][1]) / d];
            xi = [xi[0] + step[0], xi[1] + step[1]];
            if step[0].abs() + step[1].abs() < 1e-14 {
                return Some(xi);
            }
            // far away, or no number
            if xi[0].abs().max(xi[1].abs()) > 1e3 || (xi[0] + xi[1]).is_nan() {
                return None;
            }
        }
        // round-off keeps the last digit moving in long thin elements
        let at = self.at(&self.kind.shapes(xi));
        let size = (self.x[1][0] - self.x[0][0]).hypot(self.x[1][1] - self.x[0][1]);
        ((at[0] - p[0]).hypot(at[1] - p[1]) < 1e-10 * size).then_some(xi)
    }
}

pub(super) fn det(J: &[[f64; 2]; 2]) -> f64 {
    J[0][0] * J[1][1] - J[0][1] * J[1][0]
}

/// J⁻¹ d: from reference to place derivatives.
fn gradient(J: &[[f64; 2]; 2], d: [f64; 2]) -> [f64; 2] {
    let det = det(J);
    [(J[1][1] * d[0] - J[0][1] * d[1]) / det, (J[0][0] * d[1] - J[1][0] * d[0]) / det]
}

fn dot3(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
