//! What a system with elastic bodies can tell besides: momenta, and difference quotients over a step.
//!
//! A body in a floating frame has a mass matrix that moves with it. Accelerations M⁻¹h of two instants must not be added
//! up then: the difference of two M, times forces that only its own reactions would cancel, stays. Momenta and forces may
//! be. They are told in coordinates x in which the kinetic energy knows no place,
//!
//! ```text
//!   x = X(q): the place of a floating body is its centre of mass, all else as in q;      w = ẋ = T(q) v
//!   p = T⁻ᵀ M v,      f = T⁻ᵀ (h without forces of inertia)
//! ```
//!
//! and over a step from q_n to q_{n+1} by difference quotients, which end where the step ends whatever its size:
//!
//! ```text
//!   T̄ Δq = Δx,      Ḡ Δq = ΔΦ,      D = Δp − dt ∂/∂x ½ w_nᵀ M_x(x) w_{n+1},      w̄ᵀ D = ΔT  where Δx = dt w̄
//! ```
//!
//! T̄, like T, differs from 1 in the rows of the centres of mass alone. Rows of momenta in x come back to rows in q by T̄ᵀ:
//! that keeps the sparse M of q as the matrix of an iteration, and impulses Ḡᵀ P_b as they stand. See `schemes/momentum.rs`
//! for what is made of it.

use crate::Configuration;

/// A system's momenta. Everything has the size of v; configurations come with their velocities where they are asked for.
pub trait Momenta {
    /// x = X(q).
    fn coordinates(&self, at: &Configuration, x: &mut [f64]);

    /// q with X(q) = x.
    fn positions(&self, x: &[f64], q: &mut [f64]);

    /// w = T(q) v, whatever the velocities of the configuration.
    fn rates(&self, at: &Configuration, v: &[f64], w: &mut [f64]);

    /// v with T(q) v = w.
    fn velocities(&self, at: &Configuration, w: &[f64], v: &mut [f64]);

    /// f at (t, q, v): applied, elastic and damping forces, in the rows of x, without those of `add_secant_forces`.
    fn forces(&self, at: &Configuration, f: &mut [f64]);

    /// D += factor · f̄: forces whose potential is not quadratic, and which are not among `forces`, by the difference quotient
    /// of it: f̄·Δx = −ΔU.
    fn add_secant_forces(&self, from: &Configuration, to: &Configuration, factor: f64, D: &mut [f64]);

    /// D over a step dt, in the rows of x.
    fn change(&self, from: &Configuration, to: &Configuration, dt: f64, D: &mut [f64]);

    /// r ← T̄ᵀ r: rows of x become rows of q.
    fn to_rows(&self, from: &Configuration, to: &Configuration, r: &mut [f64]);

    /// y ← T̄ᵀ T(q̄)⁻ᵀ y: impulses that act at the configuration in the middle, in rows of q there, become rows of q here.
    fn middle_to_rows(&self, from: &Configuration, to: &Configuration, middle: &Configuration, y: &mut [f64]);

    /// Ḡ in the order of the pattern of G, and ∂Φ/∂t where the step ends.
    fn secant(&self, from: &Configuration, to: &Configuration, G: &mut [f64], phi_t: &mut [f64]);
}
