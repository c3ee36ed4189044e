//! How many vibrations are slower than a limit and how fast the fastest is, without computing a mode.
//!
//! ```text
//!   number of ω_k < ω  =  number of negative D in L D Lᵀ = K − ω² M          (Sylvester), rigid motions taken off
//!   ω_max² = max xᵀKx / xᵀMx,     2 ξ ω_max = xᵀDx / xᵀMx       by x ← M⁻¹ K x from a fixed start
//! ```
//!
//! Two factorisations inside the envelope and some products: a body of thousands of coordinates takes milliseconds.

use crate::Symmetric;
use crate::eigen::count_below;
use carom_linear::sparse::Skyline;

/// Iterations for the fastest vibration: by Rayleigh's quotient it is met to a percent or so, from below.
const ITERATIONS: usize = 40;

/// No round number: a pivot of K − ω² M that is exactly zero would tell nothing.
const ODD: f64 = 1.0 + 1.234_567e-9;

/// The vibrations of one body, seen against a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vibrations {
    /// How many there are.
    pub count: usize,
    /// How many of them are slower than the limit.
    pub slow: usize,
    /// Angular frequency of the fastest (rad/s), about.
    pub fastest: f64,
    /// Its damping, as share of critical damping.
    pub damping: f64,
}

impl Vibrations {
    /// Of K φ = ω² M φ with damping D, and `rigid` motions that deform nothing, against the limit `omega` (rad/s).
    pub fn new(K: &Symmetric, M: &Symmetric, D: &Symmetric, rigid: usize, omega: f64) -> Self {
        let count = K.n().saturating_sub(rigid);
        let slow = if count == 0 { 0 } else { count_below(K, M, rigid, ODD * omega).min(count) };
        let (fastest, damping) = fastest(K, M, D);
        Self { count, slow, fastest, damping }
    }
}

/// √ of the largest ω², or infinity where M has a direction without mass; and ξ.
fn fastest(K: &Symmetric, M: &Symmetric, D: &Symmetric) -> (f64, f64) {
    let n = K.n();
    if n == 0 {
        return (0.0, 0.0);
    }
    let factor = Skyline::factor(&[(1.0, M)], &[]);
    if factor.not_positive().is_some() {
        return (f64::INFINITY, 0.0);
    }
    // a start without symmetry, scaled so that coordinates of any unit take part
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + 0.5 * (1.0 + i as f64).sin()).collect();
    for (i, j, m) in M.entries() {
        if i == j {
            x[i] /= m.sqrt();
        }
    }
    let mut scratch = vec![0.0; n];
    let (mut omega2, mut rate) = (0.0, 0.0);
    for _ in 0..ITERATIONS {
        let size = M.form(&x, &x).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            break;
        }
        x.iter_mut().for_each(|x| *x /= size);
        (omega2, rate) = (K.form(&x, &x).max(0.0), D.form(&x, &x).max(0.0));
        let mut Kx = vec![0.0; n];
        K.add_product(1.0, &x, &mut Kx);
        factor.solve(&mut Kx, &mut scratch);
        x = Kx;
    }
    let omega = omega2.sqrt();
    (omega, if omega > 0.0 { 0.5 * rate / omega } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A free chain of n equal masses and springs: ω_k = 2 √(k/m) sin(kπ/2n), k = 0 … n − 1.
    #[test]
    fn a_chain_has_the_frequencies_of_the_closed_form() {
        let (n, k, m) = (30usize, 5.0, 0.2);
        let mut springs = Vec::new();
        for i in 0..n - 1 {
            springs.extend([(i, i, k), (i + 1, i + 1, k), (i + 1, i, -k)]);
        }
        let K = Symmetric::from_triplets(n, springs);
        let M = Symmetric::from_triplets(n, (0..n).map(|i| (i, i, m)));
        let exact =
            |j: usize| 2.0 * (k / m).sqrt() * (0.5 * std::f64::consts::PI * j as f64 / n as f64).sin();
        // not where one of them is: 5
        for limit in [0.3, 2.0, 5.01, 9.0, 20.0] {
            let D = Symmetric::from_triplets(n, K.entries().map(|(i, j, k)| (i, j, 1e-3 * k)));
            let found = Vibrations::new(&K, &M, &D, 1, limit);
            assert_eq!(found.count, n - 1);
            assert_eq!(found.slow, (1..n).filter(|&j| exact(j) < limit).count(), "below {limit}");
            assert!((found.fastest / exact(n - 1) - 1.0).abs() < 0.01, "{}", found.fastest);
            assert!((found.damping / (0.5e-3 * found.fastest) - 1.0).abs() < 1e-9, "{}", found.damping);
        }
    }
}
