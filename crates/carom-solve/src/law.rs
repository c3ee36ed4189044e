//! What a contact obeys: a few small functions per law.
//!
//! With K the admissible set of P (a line, a half line, the friction cone K_μ = { |P_T| ≤ μ P_N }, a box, or the cone with
//! rolling resistance { |P_T| ≤ μ P_N, |M_R| ≤ μ_r P_N }), every law is the projection equation
//!
//! ```text
//!   P = proj_K( P − ρ (U + s e_N) ),      s = μ |U_T| + μ_r |Ω_R|,      any ρ > 0              [DeSaxce1998]
//! ```
//!
//! and, with z = P − ρ U, equally the Alart–Curnier equation P = A(z),                              [Alart1991]
//!
//! ```text
//!   A_N = max(0, z_N),      A_T = proj of z_T onto the disk of radius μ A_N,      A_R of z_R onto that of μ_r A_N.
//! ```
//!
//! A is piecewise smooth: [`Law::mode`] names the piece z lies in, which is all a Newton method needs to know.

use serde::{Deserialize, Serialize};

/// Most rows a contact has.
pub(crate) const MOST_ROWS: usize = 5;

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
    /// The same with rolling resistance, rows (N, T1, T2, R1, R2): P = (P_N, P_T, M_R), U = (U_N, U_T, Ω_R), where Ω_R is the
    /// tangential part of the relative angular velocity and M_R the moment against it, −M_R ∈ μ_r P_N ∂|Ω_R|.
    SpatialRolling {
        /// μ ≥ 0.
        friction: f64,
        /// μ_r ≥ 0, a length: the lever arm of the resistance.
        rolling: f64,
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
    /// With rolling resistance, U_N = 0 and one or both of P_T and M_R on their bound, pointing along z_T and z_R.
    SlideOrRoll {
        /// P_T is on its bound, else U_T = 0.
        slides: bool,
        /// M_R is on its bound, else Ω_R = 0.
        rolls: bool,
    },
}

impl Law {
    /// Rows of U and P.
    #[inline]
    pub fn dim(&self) -> usize {
        match self {
            Law::Bilateral | Law::Unilateral | Law::Dry { .. } => 1,
            Law::PlanarCoulomb { .. } => 2,
            Law::SpatialCoulomb { .. } => 3,
            Law::SpatialRolling { .. } => 5,
        }
    }

    /// Euclidean projection of P onto the admissible set K.
    #[inline]
    pub fn project(&self, P: &mut [f64]) {
        match *self {
            Law::Bilateral => {}
            Law::Unilateral => P[0] = P[0].max(0.0),
            Law::Dry { bound } => P[0] = P[0].clamp(-bound, bound),
            Law::PlanarCoulomb { friction } => project_planar(friction, P),
            Law::SpatialCoulomb { friction } => project_spatial(friction, P),
            Law::SpatialRolling { friction, rolling } => project_rolling(friction, rolling, P),
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
            (Mode::SlideOrRoll { slides, rolls }, law) => {
                for (bound, mu, at) in [(slides, law.friction(), 1), (rolls, law.rolling(), 3)] {
                    if bound {
                        let t = direction(z, at);
                        (z[at], z[at + 1]) = (mu * z[0] * t[0], mu * z[0] * t[1]);
                    }
                }
            }
            (Mode::Slide(_), _) => unreachable!("a frictionless law does not slide"),
        }
    }

    /// An element of the generalised Jacobian ∂A(z), as rows of a D × D matrix J, D ≥ dim (unused entries are zero).
    pub fn alart_curnier_jacobian<const D: usize>(&self, z: &[f64]) -> [[f64; D]; D] {
        let mut J = [[0.0; D]; D];
        match (self.mode(z), *self) {
            (Mode::Open, _) => {}
            (Mode::Closed, _) => (0..self.dim()).for_each(|i| J[i][i] = 1.0),
            (Mode::Slide(t), Law::PlanarCoulomb { friction }) => {
                J[0][0] = 1.0;
                J[1][0] = friction * t[0];
            }
            (Mode::Slide(t), Law::SpatialCoulomb { friction }) => {
                J[0][0] = 1.0;
                disk_jacobian(&mut J, friction, t, z, 1);
            }
            (Mode::SlideOrRoll { slides, rolls }, law) => {
                J[0][0] = 1.0;
                for (bound, mu, at) in [(slides, law.friction(), 1), (rolls, law.rolling(), 3)] {
                    match bound {
                        true => disk_jacobian(&mut J, mu, direction(z, at), z, at),
                        false => (at..at + 2).for_each(|i| J[i][i] = 1.0),
                    }
                }
            }
            (Mode::Slide(_), _) => {}
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
            Law::SpatialRolling { friction, rolling } => {
                if z[0] <= 0.0 {
                    return Mode::Open;
                }
                let slides = z[1].hypot(z[2]) >= friction * z[0];
                let rolls = z[3].hypot(z[4]) >= rolling * z[0];
                if slides || rolls { Mode::SlideOrRoll { slides, rolls } } else { Mode::Closed }
            }
        }
    }

    /// |P − proj_K(P − ρ (U + s e_N))|, zero exactly when (U, P) obeys the law.
    #[inline]
    pub fn residual(&self, U: &[f64], P: &[f64], rho: f64) -> f64 {
        match *self {
            Law::Bilateral => rho * U[0].abs(),
            // Half line: P − max(0, P − ρ U) = min(P, ρ U), without the cancellation.
            Law::Unilateral => P[0].min(rho * U[0]).abs(),
            Law::Dry { bound } => (P[0] - (P[0] - rho * U[0]).clamp(-bound, bound)).abs(),
            Law::PlanarCoulomb { friction } => {
                let mut z = [P[0] - rho * (U[0] + friction * U[1].abs()), P[1] - rho * U[1]];
                project_planar(friction, &mut z);
                let (d_N, d_T) = (P[0] - z[0], P[1] - z[1]);
                (d_N * d_N + d_T * d_T).sqrt()
            }
            Law::SpatialCoulomb { friction } => {
                let shift = friction * U[1].hypot(U[2]);
                let mut z = [P[0] - rho * (U[0] + shift), P[1] - rho * U[1], P[2] - rho * U[2]];
                project_spatial(friction, &mut z);
                z.iter().zip(P).map(|(z, p)| (p - z) * (p - z)).sum::<f64>().sqrt()
            }
            Law::SpatialRolling { friction, rolling } => {
                rolling_residual(friction, rolling, self.shift(U), U, P, rho)
            }
        }
    }

    /// The shift s = μ |U_T| + μ_r |Ω_R| of de Saxcé; 0 without friction.
    #[inline]
    pub fn shift(&self, U: &[f64]) -> f64 {
        match *self {
            Law::PlanarCoulomb { friction } => friction * U[1].abs(),
            Law::SpatialCoulomb { friction } => friction * (U[1] * U[1] + U[2] * U[2]).sqrt(),
            Law::SpatialRolling { friction, rolling } => {
                friction * (U[1] * U[1] + U[2] * U[2]).sqrt() + rolling * (U[3] * U[3] + U[4] * U[4]).sqrt()
            }
            Law::Bilateral | Law::Unilateral | Law::Dry { .. } => 0.0,
        }
    }

    /// The same law with its coefficients of friction multiplied.
    pub(crate) fn with_friction_times(&self, factor: f64) -> Law {
        match *self {
            Law::PlanarCoulomb { friction } => Law::PlanarCoulomb { friction: factor * friction },
            Law::SpatialCoulomb { friction } => Law::SpatialCoulomb { friction: factor * friction },
            Law::SpatialRolling { friction, rolling } => {
                Law::SpatialRolling { friction: factor * friction, rolling: factor * rolling }
            }
            other => other,
        }
    }

    /// The same law with lengths of rolling rows in multiples of this one.
    pub(crate) fn with_length(&self, length: f64) -> Law {
        match *self {
            Law::SpatialRolling { friction, rolling } => {
                Law::SpatialRolling { friction, rolling: rolling / length }
            }
            other => other,
        }
    }

    /// Contacts among laws: joints do not count.
    pub fn contacts(laws: &[Law]) -> usize {
        laws.iter().filter(|law| !matches!(law, Law::Bilateral)).count()
    }

    /// μ of a Coulomb law, 0 of the others.
    #[inline]
    pub fn friction(&self) -> f64 {
        match *self {
            Law::PlanarCoulomb { friction }
            | Law::SpatialCoulomb { friction }
            | Law::SpatialRolling { friction, .. } => friction,
            Law::Bilateral | Law::Unilateral | Law::Dry { .. } => 0.0,
        }
    }

    /// μ_r of a contact with rolling resistance, 0 of the others.
    #[inline]
    pub fn rolling(&self) -> f64 {
        if let Law::SpatialRolling { rolling, .. } = *self { rolling } else { 0.0 }
    }

    /// Whether P_N lends something to other rows: |P_T| ≤ μ P_N with μ > 0, or |M_R| ≤ μ_r P_N with μ_r > 0.
    #[inline]
    pub(crate) fn rubs(&self) -> bool {
        self.friction() > 0.0 || self.rolling() > 0.0
    }
}

/// The unit vector along two rows of z, any if they are zero.
pub(crate) fn direction(z: &[f64], at: usize) -> [f64; 2] {
    let norm = z[at].hypot(z[at + 1]);
    if norm > 0.0 { [z[at] / norm, z[at + 1] / norm] } else { [1.0, 0.0] }
}

/// Rows and columns of ∂A where two rows from `at` on lie on their disk: A = μ z_N t, ∂t/∂z = (1 − t tᵀ) / |z|.
fn disk_jacobian<const D: usize>(J: &mut [[f64; D]; D], mu: f64, t: [f64; 2], z: &[f64], at: usize) {
    let norm = z[at].hypot(z[at + 1]);
    let kappa = if norm > 0.0 { mu * z[0] / norm } else { 0.0 };
    for i in 0..2 {
        J[at + i][0] = mu * t[i];
        for j in 0..2 {
            J[at + i][at + j] = kappa * (f64::from(u8::from(i == j)) - t[i] * t[j]);
        }
    }
}

/// Projects (P_N, P_T) onto the cone in the plane.
#[inline(always)]
fn project_planar(mu: f64, P: &mut [f64]) {
    let (p_N, p_t) = project_cone(mu, P[0], P[1].abs());
    (P[0], P[1]) = (p_N, p_t.copysign(P[1]));
}

/// Projects (P_N, P_T) onto the cone in space.
#[inline(always)]
fn project_spatial(mu: f64, P: &mut [f64]) {
    let norm = P[1].hypot(P[2]);
    let (p_N, p_t) = project_cone(mu, P[0], norm);
    let shrink = if norm > 0.0 { p_t / norm } else { 0.0 };
    (P[0], P[1], P[2]) = (p_N, shrink * P[1], shrink * P[2]);
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

/// Projects (z_N, z_T, z_R) onto { |P_T| ≤ μ p, |M_R| ≤ μ_r p, p ≥ 0 }. With p given, the rest is cut to its disks, so
/// p is where the increasing function
///
/// ```text
///   g(p) = p − z_N − μ (|z_T| − μ p)⁺ − μ_r (|z_R| − μ_r p)⁺
/// ```
///
/// has its root, or 0 if that is negative. g is the smallest of four increasing lines, so its root is the largest of theirs.
#[inline(never)]
fn project_rolling(mu: f64, mu_r: f64, z: &mut [f64]) {
    let (t, r) = (z[1].hypot(z[2]), z[3].hypot(z[4]));
    let slide = (z[0] + mu * t) / (1.0 + mu * mu);
    let roll = (z[0] + mu_r * r) / (1.0 + mu_r * mu_r);
    let both = (z[0] + mu * t + mu_r * r) / (1.0 + mu * mu + mu_r * mu_r);
    let p = z[0].max(slide).max(roll).max(both).max(0.0);
    let cut = |norm: f64, radius: f64| if norm > radius { radius / norm } else { 1.0 };
    let (cut_t, cut_r) = (cut(t, mu * p), cut(r, mu_r * p));
    z[0] = p;
    (z[1], z[2]) = (cut_t * z[1], cut_t * z[2]);
    (z[3], z[4]) = (cut_r * z[3], cut_r * z[4]);
}

/// |P − proj_K(P − ρ (U + s e_N))| with the shift s.
#[inline(never)]
fn rolling_residual(mu: f64, mu_r: f64, s: f64, U: &[f64], P: &[f64], rho: f64) -> f64 {
    let mut z: [f64; 5] = std::array::from_fn(|i| P[i] - rho * U[i]);
    z[0] -= rho * s;
    project_rolling(mu, mu_r, &mut z);
    z.iter().zip(P).map(|(z, p)| (p - z) * (p - z)).sum::<f64>().sqrt()
}
