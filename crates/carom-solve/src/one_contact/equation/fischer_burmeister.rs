//! The equation of Fischer and Burmeister on the friction cone.          [Fischer1992], [Fukushima2002], [DeSaxce1998]
//!
//! With the shift of de Saxcé, Ũ = V + μ |V_T| e_N, the laws say P ∈ K_μ, Ũ in its dual cone, P · Ũ = 0. In
//!
//! ```text
//!   x = (P_N, P_T / μ),      y = (Ũ_N, μ Ũ_T)
//! ```
//!
//! both cones are x_N ≥ |x_T|, whose Jordan product is x∘y = (x · y, x_N y_T + y_N x_T), and the laws are
//!
//! ```text
//!   F = φ(x, y) = x + y − z = 0,      z = (x∘x + y∘y)^½
//!   ∂φ/∂x = 1 − L_z⁻¹ L_x,            ∂φ/∂y = 1 − L_z⁻¹ L_y,            L_x y = x∘y
//! ```
//!
//! In one row this is x + y − √(x² + y²). With c the direction of (x∘x + y∘y)_T, the vectors (1, −c), (1, c) and (0, t),
//! t ⊥ c, are those of L_z, for the values
//!
//! ```text
//!   z₁ = √(|x_T − x_N c|² + |y_T − y_N c|²),      z₂ = √(|x_T + x_N c|² + |y_T + y_N c|²),      ½ (z₁ + z₂)
//! ```
//!
//! Written so, z₁ suffers no cancellation. Where z₁ = 0, x and y lie on one line of the surface of the cone (or are
//! zero), and φ has a kink. We take the limit from (x + ε e_N, y + ε e_N), ε → 0+, which is an element of the generalised
//! Jacobian: there x and y have ε, and z has √2 ε, along (1, −c). Where V_T = 0 the slope of |V_T| is taken as zero.
//!
//! Without friction the cone is a half line: one row of φ and P_T = 0. Bilateral: V = 0. Dry friction has no cone and keeps
//! its projection.

use super::{AlartCurnier, Equation, Linear, ROWS};
use crate::factor::block_lu::Block;
use crate::{Law, Normal};

/// z₁ below this part of z₂ is rounding.
const KINK: f64 = 1e-14;

/// See the head of the file.
#[derive(Debug, Default)]
pub(crate) struct FischerBurmeister;

impl Equation for FischerBurmeister {
    fn value(law: &Law, P: &[f64], V: &[f64]) -> [f64; ROWS] {
        let mut F = [0.0; ROWS];
        match cone(law) {
            Cone::None => return AlartCurnier::value(law, P, V),
            Cone::HalfLine => {
                F[..P.len()].copy_from_slice(P);
                F[0] = P[0] + V[0] - P[0].hypot(V[0]);
            }
            Cone::Friction(mu) => {
                let (x, y) = in_the_cone(mu, P, V);
                F = Root::of(&x, &y).phi(&x, &y);
            }
        }
        F
    }

    fn linear(law: &Law, P: &[f64], V: &[f64]) -> Linear {
        let mut linear = Linear { F: Self::value(law, P, V), ..Linear::default() };
        let Linear { F_P, F_V, .. } = &mut linear;
        match cone(law) {
            Cone::None => return AlartCurnier::linear(law, P, V),
            Cone::HalfLine => {
                let z = P[0].hypot(V[0]);
                (0..P.len()).for_each(|i| F_P[i][i] = 1.0);
                let part = |x: f64| if z > 0.0 { x / z } else { std::f64::consts::FRAC_1_SQRT_2 };
                F_P[0][0] -= part(P[0]);
                F_V[0][0] = 1.0 - part(V[0]);
            }
            Cone::Friction(mu) => {
                let (x, y) = in_the_cone(mu, P, V);
                let root = Root::of(&x, &y);
                (*F_P, *F_V) = (root.slope(&x, P.len()), root.slope(&y, P.len()));
                // ∂y/∂V = (1, μ tᵀ; 0, μ),  t = V_T / |V_T|
                let norm = V[1..].iter().map(|V| V * V).sum::<f64>().sqrt();
                for i in 0..P.len() {
                    let of_shift = F_V[i][0];
                    for j in 1..P.len() {
                        let t = if norm > 0.0 { V[j] / norm } else { 0.0 };
                        F_P[i][j] /= mu;
                        F_V[i][j] = mu * (F_V[i][j] + of_shift * t);
                    }
                }
            }
        }
        linear
    }
}

/// The cone of P; two disks on one P_N are no cone of this kind and are refused.
enum Cone {
    None,
    HalfLine,
    Friction(f64),
}

fn cone(law: &Law) -> Cone {
    match law.normal() {
        Normal::Free | Normal::Interval => Cone::None,
        Normal::HalfLine if law.friction() > 0.0 => Cone::Friction(law.friction()),
        Normal::HalfLine => Cone::HalfLine,
    }
}

/// x and y.
fn in_the_cone(mu: f64, P: &[f64], V: &[f64]) -> ([f64; ROWS], [f64; ROWS]) {
    let (mut x, mut y) = ([0.0; ROWS], [0.0; ROWS]);
    let slides = V[1..].iter().map(|V| V * V).sum::<f64>().sqrt();
    (x[0], y[0]) = (P[0], V[0] + mu * slides);
    for i in 1..P.len() {
        (x[i], y[i]) = (P[i] / mu, mu * V[i]);
    }
    (x, y)
}

/// z by its values z₁, z₂ and the direction c, in the tangential rows of an array.
struct Root {
    z: [f64; 2],
    c: [f64; ROWS],
}

impl Root {
    fn of(x: &[f64; ROWS], y: &[f64; ROWS]) -> Self {
        let mut c: [f64; ROWS] = std::array::from_fn(|i| x[0] * x[i] + y[0] * y[i]);
        c[0] = 0.0;
        let norm = c.iter().map(|c| c * c).sum::<f64>().sqrt();
        if norm > 0.0 {
            c = c.map(|c| c / norm);
        } else {
            c[1] = 1.0;
        }
        let value = |sign: f64| {
            let squares = (1..ROWS).map(|i| {
                let (a, b) = (x[i] + sign * x[0] * c[i], y[i] + sign * y[0] * c[i]);
                a * a + b * b
            });
            squares.sum::<f64>().sqrt()
        };
        Self { z: [value(-1.0), value(1.0)], c }
    }

    /// φ = x + y − z, z = (½ (z₁ + z₂), ½ (z₂ − z₁) c).
    fn phi(&self, x: &[f64; ROWS], y: &[f64; ROWS]) -> [f64; ROWS] {
        let [z_1, z_2] = self.z;
        let mut F: [f64; ROWS] = std::array::from_fn(|i| x[i] + y[i] - 0.5 * (z_2 - z_1) * self.c[i]);
        F[0] -= 0.5 * (z_1 + z_2);
        F
    }

    /// 1 − L_z⁻¹ L_x in so many rows.
    fn slope(&self, x: &[f64; ROWS], dim: usize) -> Block {
        let ([z_1, z_2], c) = (self.z, &self.c);
        let mut slope = [[0.0; ROWS]; ROWS];
        (0..dim).for_each(|i| slope[i][i] = 1.0);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        if z_2 == 0.0 && z_1 == 0.0 {
            (0..dim).for_each(|i| slope[i][i] -= half);
            return slope;
        }
        // (1, ∓c)ᵀ L_x = (x_N ∓ c · x_T, x_T ∓ x_N c)
        let row = |sign: f64| -> [f64; ROWS] {
            let mut row: [f64; ROWS] = std::array::from_fn(|i| x[i] + sign * x[0] * c[i]);
            row[0] = (1..ROWS).map(|i| sign * c[i] * row[i]).sum();
            row
        };
        let (mut first, second) = (row(-1.0).map(|r| r / z_1), row(1.0).map(|r| r / z_2));
        if z_1 <= KINK * z_2 {
            first = c.map(|c| -half * c);
            first[0] = half;
        }
        // for (0, t): x_T's part across c over ½ (z₁ + z₂)
        let mean = 0.5 * (z_1 + z_2);
        let along: f64 = (1..ROWS).map(|i| c[i] * x[i]).sum();
        for j in 0..dim {
            slope[0][j] -= 0.5 * (first[j] + second[j]);
            for i in 1..dim {
                let across = if j == 0 {
                    x[i] - along * c[i]
                } else {
                    x[0] * (if i == j { 1.0 } else { 0.0 } - c[i] * c[j])
                };
                slope[i][j] -= 0.5 * (second[j] - first[j]) * c[i] + across / mean;
            }
        }
        slope
    }
}
