//! Cholesky factors of small full matrices, by rows: A = L Lᵀ.

use super::Matrix;
use crate::{axpy, dot};

/// L in the place of the lower triangle of the n × n matrix A. `pivot` is told the number of a row and what is left on its
/// diagonal, and answers the pivot to take, or none if A is not positive definite; then false is returned.
pub fn cholesky(A: &mut [f64], n: usize, mut pivot: impl FnMut(usize, f64) -> Option<f64>) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let left = A[i * n + j] - dot(&A[i * n..][..j], &A[j * n..][..j]);
            if j < i {
                A[i * n + j] = left / A[j * n + j];
            } else if let Some(left) = pivot(i, left) {
                A[i * n + i] = left.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

/// The pivot, if it is positive and finite: the usual answer in [`cholesky`].
#[inline]
pub fn positive(_row: usize, left: f64) -> Option<f64> {
    (left > 0.0 && left.is_finite()).then_some(left)
}

/// x = L⁻¹ x.
pub fn forward(L: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] = (x[i] - dot(&L[i * n..][..i], &x[..i])) / L[i * n + i];
    }
}

/// x = L⁻ᵀ x.
pub fn backward(L: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| L[j * n + i] * x[j]).sum();
        x[i] = (x[i] - sum) / L[i * n + i];
    }
}

/// A = L Lᵀ with memory of its own.
#[derive(Clone, Debug)]
pub struct Cholesky {
    L: Matrix,
}

impl Cholesky {
    /// Of a positive definite matrix. A pivot of which rounding may be the whole is none.
    pub fn new(A: &Matrix) -> Option<Self> {
        let mut L = A.clone();
        let pivot = |i: usize, left: f64| {
            let rounding = 4.0 * f64::EPSILON * A.row(i)[i].abs();
            (!left.is_nan() && left > rounding).then_some(left)
        };
        cholesky(&mut L.data, A.rows, pivot).then_some(Self { L })
    }

    /// L⁻¹ x.
    pub fn forward(&self, x: &mut [f64]) {
        forward(&self.L.data, self.L.rows, x);
    }

    /// L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64]) {
        for i in (0..x.len()).rev() {
            x[i] /= self.L.row(i)[i];
            let (value, row) = (x[i], self.L.row(i));
            axpy(-value, &row[..i], &mut x[..i]);
        }
    }

    /// A⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }
}
