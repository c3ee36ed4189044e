//! A full matrix.

use crate::{axpy, dot};

/// A matrix row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Row after row.
    pub data: Vec<f64>,
}

impl Matrix {
    /// Zeros.
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, data: vec![0.0; rows * columns] }
    }

    /// Row i.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.columns..(i + 1) * self.columns]
    }

    /// Row i.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.columns..(i + 1) * self.columns]
    }

    /// A_ij and A_ji.
    pub fn set_pair(&mut self, i: usize, j: usize, value: f64) {
        self.data[i * self.columns + j] = value;
        self.data[j * self.columns + i] = value;
    }

    /// A x.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|i| dot(self.row(i), x)).collect()
    }

    /// Aᵀ x.
    pub fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        for i in 0..self.rows {
            axpy(x[i], self.row(i), &mut out);
        }
        out
    }

    /// Largest size of an entry.
    pub fn largest(&self) -> f64 {
        self.data.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    /// ½ (A + Aᵀ).
    pub fn symmetrise(&mut self) {
        for i in 0..self.rows {
            for j in 0..i {
                let mean = 0.5 * (self.data[i * self.columns + j] + self.data[j * self.columns + i]);
                self.set_pair(i, j, mean);
            }
        }
    }

    /// Z A Zᵀ, where the rows of Z are directions.
    pub fn seen_from(&self, Z: &Matrix) -> Matrix {
        let half: Vec<Vec<f64>> = (0..Z.rows).map(|i| self.times(Z.row(i))).collect();
        let mut out = Matrix::zero(Z.rows, Z.rows);
        for (j, column) in half.iter().enumerate() {
            for i in 0..Z.rows {
                out.row_mut(i)[j] = dot(Z.row(i), column);
            }
        }
        out
    }
}
