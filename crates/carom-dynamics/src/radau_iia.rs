//! The stages of the Radau IIA method that all who step with it have in common.            [Ebrahimi2007] (A.15)–(A.17)
//!
//! ```text
//!   V_i = v_n + dt Σ 𝔸_ij a_j,       δ_i = dt Σ 𝔸_ij V_j = dt c_i v_n + dt² Σ (𝔸²)_ij a_j,      Q_i = q_n ⊕ δ_i,      i = 1, 2, 3
//! ```
//!
//! Where bodies turn in space δ_i = dt Σ 𝔸_ij T⁻¹(δ_j) V_j. Three methods differ in how they find the a_j: `schemes/radau.rs` with
//! forces of contacts that are given, `schemes/acceleration_radau.rs` with contacts held at every stage, `methods/radau5.rs` along a
//! motion whose contacts do not change.

use crate::System;

/// Three rows of three.
pub(crate) type Square = [[f64; 3]; 3];

/// Times of the stages.
pub(crate) const C: [f64; 3] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0];
/// The tableau, s = √6: (88−7s)/360, (296−169s)/1800, ...; the last row holds the weights.
pub(crate) const A: Square = [
    [0.196_815_477_223_660_4, -0.065_535_425_850_198_39, 0.023_770_974_348_220_15],
    [0.394_424_314_739_087_3, 0.292_073_411_665_228_5, -0.041_548_752_125_997_93],
    [0.376_403_062_700_467_25, 0.512_485_826_188_421_6, 0.111_111_111_111_111_1],
];

/// Where the increments of the stages stand to round-off.
const STANDS: f64 = 4.0 * f64::EPSILON;
/// Passes over the increments; each contracts by some dt |ω|/4, and half a turn is the most that a step may make.
const MOST_PASSES: usize = 60;

/// c_1 x_1 + c_2 x_2 + c_3 x_3, component k.
#[inline]
pub(crate) fn mix(c: &[f64; 3], x: &[Vec<f64>; 3], k: usize) -> f64 {
    c[0] * x[0][k] + c[1] * x[1][k] + c[2] * x[2][k]
}

/// Where the stages of a step are.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    /// 𝔸².
    pub A_2: Square,
    curved: Increments,
}

impl Stages {
    /// For one system.
    pub fn new(system: &dyn System) -> Self {
        Self { A_2: product(&A, &A), curved: Increments::new(system) }
    }

    /// V_i of component k.
    #[inline]
    pub fn velocity(dt: f64, v_n: &[f64], a: &[Vec<f64>; 3], i: usize, k: usize) -> f64 {
        v_n[k] + dt * mix(&A[i], a, k)
    }

    /// The increments of all stages where bodies turn in space: call it before `place` when accelerations are others.
    pub fn turn(&mut self, system: &dyn System, dt: f64, v_n: &[f64], a: &[Vec<f64>; 3]) {
        if self.curved.are_curved() {
            self.curved.find(system, dt, |j, k| Self::velocity(dt, v_n, a, j, k));
        }
    }

    /// V_i and δ_i.
    pub fn place(&self, dt: f64, v_n: &[f64], a: &[Vec<f64>; 3], i: usize, V: &mut [f64], delta: &mut [f64]) {
        for k in 0..v_n.len() {
            V[k] = Self::velocity(dt, v_n, a, i, k);
            delta[k] = dt * C[i] * v_n[k] + dt * dt * mix(&self.A_2[i], a, k);
        }
        if self.curved.are_curved() {
            delta.copy_from_slice(&self.curved.delta[i]);
        }
    }

    /// V_i and δ_i of all stages whose positions move with V_i + w_i.
    pub fn place_all(
        &mut self,
        system: &dyn System,
        dt: f64,
        v_n: &[f64],
        (a, w): (&[Vec<f64>; 3], &[Vec<f64>; 3]),
        V: &mut [Vec<f64>; 3],
        delta: &mut [Vec<f64>; 3],
    ) {
        for i in 0..3 {
            for k in 0..v_n.len() {
                V[i][k] = Self::velocity(dt, v_n, a, i, k);
                delta[i][k] = dt * C[i] * v_n[k] + dt * dt * mix(&self.A_2[i], a, k) + dt * mix(&A[i], w, k);
            }
        }
        if self.curved.are_curved() {
            self.curved.find(system, dt, |j, k| V[j][k] + w[j][k]);
            for (delta, found) in delta.iter_mut().zip(&self.curved.delta) {
                delta.copy_from_slice(found);
            }
        }
    }
}

/// Increments of stages where bodies turn in space, by fixed point iteration. Empty, and not asked, in a vector space.
#[derive(Clone, Debug)]
struct Increments {
    /// δ_i on return.
    delta: [Vec<f64>; 3],
    rate: [Vec<f64>; 3],
}

impl Increments {
    /// For one system.
    fn new(system: &dyn System) -> Self {
        let structure = system.structure();
        let of_v = || vec![0.0; if structure.is_flat() { 0 } else { structure.sizes.v }];
        let three = || [of_v(), of_v(), of_v()];
        Self { delta: three(), rate: three() }
    }

    /// Whether there is something to find.
    fn are_curved(&self) -> bool {
        !self.delta[0].is_empty()
    }

    /// Finds them for the velocities V_j; those found last are the first guess.
    fn find(&mut self, system: &dyn System, dt: f64, V: impl Fn(usize, usize) -> f64) {
        for delta in &mut self.delta {
            if delta.iter().any(|x| !x.is_finite()) {
                delta.fill(0.0);
            }
        }
        for _ in 0..MOST_PASSES {
            for (j, (delta, rate)) in self.delta.iter().zip(&mut self.rate).enumerate() {
                for (k, rate) in rate.iter_mut().enumerate() {
                    *rate = V(j, k);
                }
                system.chart_rate(delta, rate);
            }
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (row, delta) in A.iter().zip(&mut self.delta) {
                for (k, delta) in delta.iter_mut().enumerate() {
                    let new = dt * mix(row, &self.rate, k);
                    change = change.max((new - *delta).abs());
                    size = size.max(new.abs());
                    *delta = new;
                }
            }
            // what is not a number does not come back
            if change <= STANDS * size || !size.is_finite() {
                break;
            }
        }
    }
}

/// a b.
pub(crate) fn product(a: &Square, b: &Square) -> Square {
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] = (0..3).map(|k| a[i][k] * b[k][j]).sum();
        }
    }
    out
}

/// a⁻¹, by cofactors.
pub(crate) fn inverse(a: &Square) -> Square {
    let minor = |i: usize, j: usize| {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]
    };
    let determinant: f64 = (0..3).map(|j| a[0][j] * minor(0, j)).sum();
    let mut out = [[0.0; 3]; 3];
    for (i, row) in out.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            *x = minor(j, i) / determinant;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C(3): Σ_j A_ij c_j^{k−1} = c_i^k / k; the inverse is one.
    #[test]
    fn coefficients() {
        for k in 1..=3 {
            for i in 0..3 {
                let sum: f64 = (0..3).map(|j| A[i][j] * C[j].powi(k - 1)).sum();
                assert!((sum - C[i].powi(k) / f64::from(k)).abs() < 1e-15);
            }
        }
        let one = product(&A, &inverse(&A));
        for i in 0..3 {
            for j in 0..3 {
                assert!((one[i][j] - f64::from(u8::from(i == j))).abs() < 1e-13);
            }
        }
    }
}
