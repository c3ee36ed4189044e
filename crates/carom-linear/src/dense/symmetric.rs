//! Eigenvalues of small dense symmetric matrices.
//!
//! ```text
//!   A = Qᵀ T Q        Householder reflections to a tridiagonal T
//!   T = Zᵀ diag(λ) Z  implicit QR steps with Wilkinson's shift       [GolubVanLoan] §8.3
//!
//!   K φ = ω² M φ      from  L⁻¹ M L⁻ᵀ y = y / ω²,  K = L Lᵀ   for the slow half,
//!                     from  L⁻¹ K L⁻ᵀ y = ω² y,    M = L Lᵀ   for the fast half
//! ```
//!
//! An eigenvalue comes out with an error of some roundings of the largest one. The range of ω² in a beam is easily
//! 1e12, so each half is taken from the matrix in which it is the large one.

use super::Matrix;
use crate::{axpy, dot_8 as dot};

/// Ratio of largest to smallest ω² above which the fast half is computed on its own.
const WIDE: f64 = 1e6;

/// A matrix that had to be positive definite and is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotDefinite {
    /// K.
    Stiffness,
    /// M.
    Mass,
}

impl Matrix {
    /// Lower triangle replaced by L of A = L Lᵀ; false if A is not positive definite.
    fn cholesky(&mut self) -> bool {
        let n = self.rows;
        for i in 0..n {
            let (above, rest) = self.data.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in 0..i {
                let l_j = &above[j * n..j * n + j + 1];
                row[j] = (row[j] - dot(&row[..j], &l_j[..j])) / l_j[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= 0.0 {
                return false;
            }
            row[i] = pivot.sqrt();
        }
        true
    }

    /// L⁻¹ B L⁻ᵀ for symmetric B, this being L.
    fn congruence(&self, B: &Matrix) -> Matrix {
        let n = self.rows;
        let half = |B: &Matrix| {
            // rows of L⁻¹ B, transposed
            let mut X = B.clone();
            for i in 0..n {
                let (above, rest) = X.data.split_at_mut(i * n);
                let row = &mut rest[..n];
                for j in 0..i {
                    axpy(-self.data[i * n + j], &above[j * n..(j + 1) * n], row);
                }
                let inverse = 1.0 / self.data[i * n + i];
                row.iter_mut().for_each(|x| *x *= inverse);
            }
            let mut transposed = Matrix::zero(n, n);
            for i in 0..n {
                for j in 0..n {
                    transposed.data[j * n + i] = X.data[i * n + j];
                }
            }
            transposed
        };
        let mut C = half(&half(B));
        C.symmetrise();
        C
    }

    /// y ← L⁻ᵀ y, this being L.
    fn backward(&self, y: &mut [f64]) {
        let n = self.rows;
        for i in (0..n).rev() {
            y[i] /= self.data[i * n + i];
            let y_i = y[i];
            axpy(-y_i, &self.data[i * n..i * n + i], &mut y[..i]);
        }
    }
}

/// Eigenvalues in ascending order and, as rows, orthonormal eigenvectors of a symmetric matrix.
pub fn symmetric(mut A: Matrix) -> (Vec<f64>, Matrix) {
    let n = A.rows;
    let mut reflections: Vec<(f64, Vec<f64>)> = Vec::with_capacity(n);
    let mut p = vec![0.0; n];
    for k in 0..n.saturating_sub(2) {
        // reflection I − β v vᵀ that leaves of column k below the diagonal its first entry only
        let mut v: Vec<f64> = (k + 1..n).map(|i| A.data[i * n + k]).collect();
        let beyond = dot(&v[1..], &v[1..]);
        if beyond == 0.0 {
            reflections.push((0.0, v));
            continue;
        }
        let alpha = -(v[0] * v[0] + beyond).sqrt().copysign(v[0]);
        v[0] -= alpha;
        let beta = 2.0 / (v[0] * v[0] + beyond);
        A.set_pair(k + 1, k, alpha);
        for i in k + 2..n {
            A.set_pair(i, k, 0.0);
        }
        // A ← A − v wᵀ − w vᵀ,  w = p − β/2 (pᵀv) v,  p = β A v
        let p = &mut p[..n - k - 1];
        for (p, i) in p.iter_mut().zip(k + 1..n) {
            *p = beta * dot(&A.data[i * n + k + 1..(i + 1) * n], &v);
        }
        let half = 0.5 * beta * dot(p, &v);
        axpy(-half, &v, p);
        for (i, (&v_i, &w_i)) in v.iter().zip(&*p).enumerate() {
            let row = &mut A.data[(k + 1 + i) * n + k + 1..(k + 2 + i) * n];
            for ((a, v_j), w_j) in row.iter_mut().zip(&v).zip(&*p) {
                *a -= v_i * w_j + w_i * v_j;
            }
        }
        reflections.push((beta, v));
    }
    let mut d: Vec<f64> = (0..n).map(|i| A.data[i * n + i]).collect();
    let mut e: Vec<f64> = (1..n).map(|i| A.data[i * n + i - 1]).collect();

    let mut Z = A;
    Z.data.fill(0.0);
    (0..n).for_each(|i| Z.data[i * n + i] = 1.0);
    tridiagonal(&mut d, &mut e, &mut Z);
    for (k, (beta, v)) in reflections.iter().enumerate().rev() {
        for i in 0..n {
            let z = &mut Z.data[i * n + k + 1..(i + 1) * n];
            let along = beta * dot(z, v);
            axpy(-along, v, z);
        }
    }

    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[i].total_cmp(&d[j]));
    let mut sorted = Matrix::zero(n, n);
    for (to, &from) in order.iter().enumerate() {
        sorted.row_mut(to).copy_from_slice(Z.row(from));
    }
    (order.iter().map(|&i| d[i]).collect(), sorted)
}

/// QR iteration on the tridiagonal matrix with diagonal d and off-diagonal e; rows of Z take part.
fn tridiagonal(d: &mut [f64], e: &mut [f64], Z: &mut Matrix) {
    let n = d.len();
    let mut high = n.saturating_sub(1);
    // two steps or so per eigenvalue; without the bound, a matrix that is not a number would never end
    for _ in 0..60 * n {
        if high == 0 {
            break;
        }
        let negligible =
            |d: &[f64], e: &[f64], k: usize| e[k].abs() <= f64::EPSILON * (d[k].abs() + d[k + 1].abs());
        if negligible(d, e, high - 1) {
            e[high - 1] = 0.0;
            high -= 1;
            continue;
        }
        let mut low = high - 1;
        while low > 0 && !negligible(d, e, low - 1) {
            low -= 1;
        }
        // the eigenvalue of the last two rows that is nearer to the last entry
        let half = 0.5 * (d[high - 1] - d[high]);
        let off = e[high - 1];
        let shift = d[high] - off * off / (half + half.hypot(off).copysign(half));
        let (mut x, mut bulge) = (d[low] - shift, e[low]);
        for k in low..high {
            // rotation of rows k, k+1 that sends (x, bulge) to (r, 0)
            let r = x.hypot(bulge);
            let (c, s) = if r == 0.0 { (1.0, 0.0) } else { (x / r, bulge / r) };
            if k > low {
                e[k - 1] = r;
            }
            let (a, b, f) = (d[k], d[k + 1], e[k]);
            d[k] = c * c * a + 2.0 * c * s * f + s * s * b;
            d[k + 1] = s * s * a - 2.0 * c * s * f + c * c * b;
            e[k] = c * s * (b - a) + (c * c - s * s) * f;
            if k + 1 < high {
                x = e[k];
                bulge = s * e[k + 1];
                e[k + 1] *= c;
            }
            let (upper, lower) = Z.data[k * Z.rows..(k + 2) * Z.rows].split_at_mut(Z.rows);
            for (u, l) in upper.iter_mut().zip(lower) {
                (*u, *l) = (c * *u + s * *l, c * *l - s * *u);
            }
        }
    }
}

/// All (ω², φ) of K φ = ω² M φ, ascending, φᵀMφ = 1; rows of the second are the φ.
pub fn generalised(K: &Matrix, M: &Matrix) -> Result<(Vec<f64>, Matrix), NotDefinite> {
    let n = K.rows;
    let mut L = K.clone();
    if !L.cholesky() {
        return Err(NotDefinite::Stiffness);
    }
    let (theta, mut Y) = symmetric(L.congruence(M));
    if theta.first().is_some_and(|&theta| theta.is_nan()) {
        return Err(NotDefinite::Mass);
    }
    // φ = L⁻ᵀ y / √θ, from the slowest on
    let mut omega2: Vec<f64> = theta.iter().rev().map(|theta| 1.0 / theta).collect();
    let mut phi = Matrix::zero(n, n);
    for k in 0..n {
        let y = Y.row_mut(n - 1 - k);
        L.backward(y);
        let scale = 1.0 / theta[n - 1 - k].abs().sqrt();
        phi.row_mut(k).iter_mut().zip(&*y).for_each(|(phi, y)| *phi = scale * y);
    }
    let wide = n > 1 && theta[0] * WIDE < theta[n - 1];
    if wide {
        let mut L = M.clone();
        if !L.cholesky() {
            return Err(NotDefinite::Mass);
        }
        let (fast, mut Y) = symmetric(L.congruence(K));
        // cut where the geometric mean is, at the widest gap nearby
        let middle = (fast[n - 1] * omega2[0]).sqrt();
        let centre = fast.partition_point(|&w| w < middle).clamp(1, n - 1);
        let reach = (n / 8).max(1);
        let gap = |k: usize| fast[k] / fast[k - 1].abs().max(f64::MIN_POSITIVE);
        let cut = (centre.saturating_sub(reach).max(1)..=(centre + reach).min(n - 1))
            .max_by(|&i, &j| gap(i).total_cmp(&gap(j)))
            .unwrap_or(centre);
        for k in cut..n {
            omega2[k] = fast[k];
            L.backward(Y.row_mut(k));
            phi.row_mut(k).copy_from_slice(Y.row(k));
        }
    }
    Ok((omega2, phi))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(n: usize) -> Matrix {
        let mut A = Matrix::zero(n, n);
        for i in 0..n {
            A.set_pair(i, i, 2.0);
            if i > 0 {
                A.set_pair(i, i - 1, -1.0);
            }
        }
        A
    }

    /// λ_k = 2 − 2 cos(kπ/(n+1)) of the fixed chain, scrambled by a dense reflection.
    #[test]
    fn finds_the_eigenvalues_of_a_chain() {
        let n = 60;
        let mut A = chain(n);
        let v: Vec<f64> = (0..n).map(|i| (1.3 * i as f64).sin()).collect();
        let beta = 2.0 / dot(&v, &v);
        for _ in 0..2 {
            // A (I − β v vᵀ), then transposed: twice gives the congruence
            let mut next = Matrix::zero(n, n);
            for i in 0..n {
                let along = beta * dot(A.row(i), &v);
                for j in 0..n {
                    next.data[j * n + i] = A.data[i * n + j] - along * v[j];
                }
            }
            A = next;
        }
        let (lambda, Z) = symmetric(A.clone());
        for (k, l) in lambda.iter().enumerate() {
            let exact = 2.0 - 2.0 * (std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64).cos();
            assert!((l - exact).abs() < 1e-13 * 4.0 * 10.0, "{l} {exact}");
            let residual: f64 = (0..n).map(|i| (dot(A.row(i), Z.row(k)) - l * Z.row(k)[i]).abs()).sum();
            assert!(residual < 1e-12, "{residual}");
        }
    }

    /// Masses over twelve decades: ω² = 1/m_k of uncoupled oscillators come out to the last digits at both ends.
    #[test]
    fn both_ends_of_a_wide_spectrum_are_sharp() {
        let n = 13;
        let (mut K, mut M) = (Matrix::zero(n, n), Matrix::zero(n, n));
        // oscillators seen through a unimodular shear, so that nothing is diagonal
        for k in 0..n {
            let w2 = 10f64.powi(k as i32);
            for (i, s_i) in [(k, 1.0), ((k + 1) % n, if k + 1 < n { 0.5 } else { 0.0 })] {
                for (j, s_j) in [(k, 1.0), ((k + 1) % n, if k + 1 < n { 0.5 } else { 0.0 })] {
                    K.data[i * n + j] += w2 * s_i * s_j;
                    M.data[i * n + j] += s_i * s_j;
                }
            }
        }
        let (omega2, _) = generalised(&K, &M).expect("definite");
        for (k, w2) in omega2.iter().enumerate() {
            let exact = 10f64.powi(k as i32);
            assert!((w2 / exact - 1.0).abs() < 1e-9, "{w2} {exact}");
        }
    }
}
