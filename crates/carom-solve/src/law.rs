//! What a contact obeys: a few small functions per law.
//!
//! With K the admissible set of P (a line, a half line, the friction cone K_μ = { |P_T| ≤ μ P_N }, or a box),
//! every law is the projection equation
//!
//! ```text
//!   P = proj_K( P − ρ (U + μ |U_T| e_N) ),      any ρ > 0              [DeSaxce1998]
//! ```
//!
//! and, with z = P − ρ U, equally the Alart–Curnier equation P = A(z),                              [Alart1991]
//!
//! ```text
//!   A_N = max(0, z_N),      A_T = proj of z_T onto the disk of radius μ A_N.
//! ```
//!
//! A is piecewise smooth: [`Law::mode`] names the piece z lies in, which is all a Newton method needs to know.

use serde::{Deserialize, Serialize};

/// The law of one contact, in its own rows of (U, P).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// U = 0, P free. One row.
    Bilateral,
    /// 0 ≤ U ⊥ P ≥ 0. One row.
    Unilateral,
    /// Signorini and Coulomb in the plane, rows (N, T): 0 ≤ U_N ⊥ P_N ≥ 0, −P_T ∈ μ P_N Sgn(U_T).
    PlanarCoulomb {
        /// μ ≥ 0.
        friction: f64,
    },
    /// Signorini and Coulomb in space, rows (N, T1, T2): the friction disk.
    SpatialCoulomb {
        /// μ ≥ 0.
        friction: f64,
    },
    /// Dry friction with a given bound: −P ∈ bound · Sgn(U). One row; joints that rub.
    Dry {
        /// Largest |P|, ≥ 0.
        bound: f64,
    },
}

/// The smooth piece of the Alart–Curnier map that a point z = P − ρ U lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// P = 0.
    Open,
    /// U = 0 in every row: a closed frictionless contact, or one that sticks.
    Closed,
    /// U_N = 0 and P_T on its bound, pointing along this unit vector (against the sliding velocity).
    Slide([f64; 2]),
}

impl Law {
    /// Rows of U and P.
    #[inline]
    pub fn dim(&self) -> usize {
        match self {
            Law::Bilateral | Law::Unilateral | Law::Dry { .. } => 1,
            Law::PlanarCoulomb { .. } => 2,
            Law::SpatialCoulomb { .. } => 3,
        }
    }

    /// Euclidean projection of P onto the admissible set K.
    #[inline]
    pub fn project(&self, P: &mut [f64]) {
        match *self {
            Law::Bilateral => {}
            Law::Unilateral => P[0] = P[0].max(0.0),
            Law::Dry { bound } => P[0] = P[0].clamp(-bound, bound),
            Law::PlanarCoulomb { friction } => {
                let (p_N, p_t) = project_cone(friction, P[0], P[1].abs());
                (P[0], P[1]) = (p_N, p_t.copysign(P[1]));
            }
            Law::SpatialCoulomb { friction } => {
                let norm = P[1].hypot(P[2]);
                let (p_N, p_t) = project_cone(friction, P[0], norm);
                let shrink = if norm > 0.0 { p_t / norm } else { 0.0 };
                (P[0], P[1], P[2]) = (p_N, shrink * P[1], shrink * P[2]);
            }
        }
    }

    /// The Alart–Curnier map: overwrites z = P − ρ U by A(z). A contact obeys its law exactly when A(z) = P.
    pub fn alart_curnier(&self, z: &mut [f64]) {
        match (self.mode(z), *self) {
            (Mode::Open, _) => z[..self.dim()].fill(0.0),
            (Mode::Closed, _) => {}
            (Mode::Slide(t), Law::Dry { bound }) => z[0] = bound * t[0],
            (Mode::Slide(t), Law::PlanarCoulomb { friction }) => z[1] = friction * z[0] * t[0],
            (Mode::Slide(t), Law::SpatialCoulomb { friction }) => {
                z[1] = friction * z[0] * t[0];
                z[2] = friction * z[0] * t[1];
            }
            (Mode::Slide(_), Law::Bilateral | Law::Unilateral) => {
                unreachable!("a frictionless law does not slide")
            }
        }
    }

    /// An element of the generalised Jacobian ∂A(z), as rows of the d × d matrix J (unused entries are zero).
    pub fn alart_curnier_jacobian(&self, z: &[f64]) -> [[f64; 3]; 3] {
        let mut J = [[0.0; 3]; 3];
        match self.mode(z) {
            Mode::Open => {}
            Mode::Closed => (0..self.dim()).for_each(|i| J[i][i] = 1.0),
            Mode::Slide(t) => match *self {
                Law::PlanarCoulomb { friction } => {
                    J[0][0] = 1.0;
                    J[1][0] = friction * t[0];
                }
                Law::SpatialCoulomb { friction } => {
                    // A_T = μ z_N t,  ∂t/∂z_T = (1 − t tᵀ) / |z_T|
                    J[0][0] = 1.0;
                    let kappa = friction * z[0] / z[1].hypot(z[2]);
                    for i in 0..2 {
                        J[i + 1][0] = friction * t[i];
                        for j in 0..2 {
                            J[i + 1][j + 1] = kappa * (f64::from(u8::from(i == j)) - t[i] * t[j]);
                        }
                    }
                }
                Law::Bilateral | Law::Unilateral | Law::Dry { .. } => {}
            },
        }
        J
    }

    /// The piece of the Alart–Curnier map that z = P − ρ U lies in; boundaries count as open or sliding.
    #[inline]
    pub fn mode(&self, z: &[f64]) -> Mode {
        match *self {
            Law::Bilateral => Mode::Closed,
            Law::Unilateral => {
                if z[0] > 0.0 {
                    Mode::Closed
                } else {
                    Mode::Open
                }
            }
            Law::Dry { bound } => {
                if z[0].abs() < bound {
                    Mode::Closed
                } else {
                    Mode::Slide([1f64.copysign(z[0]), 0.0])
                }
            }
            Law::PlanarCoulomb { friction } => {
                if z[0] <= 0.0 {
                    Mode::Open
                } else if z[1].abs() < friction * z[0] {
                    Mode::Closed
                } else {
                    Mode::Slide([1f64.copysign(z[1]), 0.0])
                }
            }
            Law::SpatialCoulomb { friction } => {
                let norm = z[1].hypot(z[2]);
                if z[0] <= 0.0 {
                    Mode::Open
                } else if norm < friction * z[0] {
                    Mode::Closed
                } else if norm > 0.0 {
                    Mode::Slide([z[1] / norm, z[2] / norm])
                } else {
                    Mode::Slide([1.0, 0.0])
                }
            }
        }
    }

    /// |P − proj_K(P − ρ (U + μ |U_T| e_N))|, zero exactly when (U, P) obeys the law.
    #[inline]
    pub fn residual(&self, U: &[f64], P: &[f64], rho: f64) -> f64 {
        match *self {
            Law::Bilateral => rho * U[0].abs(),
            // Half line: P − max(0, P − ρ U) = min(P, ρ U), without the cancellation.
            Law::Unilateral => P[0].min(rho * U[0]).abs(),
            Law::Dry { bound } => (P[0] - (P[0] - rho * U[0]).clamp(-bound, bound)).abs(),
            Law::PlanarCoulomb { friction } => {
                let mut z = [P[0] - rho * (U[0] + friction * U[1].abs()), P[1] - rho * U[1]];
                self.project(&mut z);
                let (d_N, d_T) = (P[0] - z[0], P[1] - z[1]);
                (d_N * d_N + d_T * d_T).sqrt()
            }
            Law::SpatialCoulomb { friction } => {
                let shift = friction * U[1].hypot(U[2]);
                let mut z = [P[0] - rho * (U[0] + shift), P[1] - rho * U[1], P[2] - rho * U[2]];
                self.project(&mut z);
                z.iter().zip(P).map(|(z, p)| (p - z) * (p - z)).sum::<f64>().sqrt()
            }
        }
    }

    /// The same law with its friction coefficient multiplied.
    pub(crate) fn with_friction_times(&self, factor: f64) -> Law {
        match *self {
            Law::PlanarCoulomb { friction } => Law::PlanarCoulomb { friction: factor * friction },
            Law::SpatialCoulomb { friction } => Law::SpatialCoulomb { friction: factor * friction },
            other => other,
        }
    }

    /// μ of a Coulomb law, 0 of the others.
    #[inline]
    pub fn friction(&self) -> f64 {
        match *self {
            Law::PlanarCoulomb { friction } | Law::SpatialCoulomb { friction } => friction,
            Law::Bilateral | Law::Unilateral | Law::Dry { .. } => 0.0,
        }
    }
}

/// Projects (z_N, |z_T|) onto the cone |P_T| ≤ μ P_N: inside it stays, in the polar cone it goes to the tip,
/// between them to the nearest point of the boundary ray (1, μ).
#[inline]
fn project_cone(mu: f64, z_N: f64, z_t: f64) -> (f64, f64) {
    // the polar cone first: with μ = 0 and z_t = 0 the test for the inside holds for negative z_N as well
    if mu * z_t <= -z_N {
        (0.0, 0.0)
    } else if z_t <= mu * z_N {
        (z_N, z_t)
    } else {
        let p_N = (z_N + mu * z_t) / (1.0 + mu * mu);
        (p_N, mu * p_N)
    }
}
