//! Shape integrals: all that a floating frame in the plane needs to know of the mass of an elastic body.

use crate::{Skew, Symmetric};

/// Integrals over the body of ρ times the products of u_0 and the columns S_k of S.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inertia {
    /// ∫ρ.
    pub mass: f64,
    /// ∫ρ u_0.
    pub first: [f64; 2],
    /// ∫ρ u_0·u_0, rotary inertia of sections included.
    pub second: f64,
    /// ∫ρ S_k.
    pub S: Vec<[f64; 2]>,
    /// ∫ρ u_0·S_k.
    pub along: Vec<f64>,
    /// ∫ρ (z×u_0)·S_k.
    pub across: Vec<f64>,
    /// M_jk = ∫ρ S_j·S_k.
    pub M: Symmetric,
    /// B_jk = ∫ρ (z×S_j)·S_k, so that q̇ᵀ B q̇' measures the turning of one deformation against another.
    pub B: Skew,
}
