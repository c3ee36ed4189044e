//! Ŵ with all its entries.

use super::Delassus;
use serde::{Deserialize, Serialize};

/// A dense square matrix, row by row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct SquareMatrix {
    n: usize,
    data: Vec<f64>,
}

/// A matrix as it stands in a file.
#[derive(Deserialize)]
struct Unchecked {
    n: usize,
    data: Vec<f64>,
}

impl TryFrom<Unchecked> for SquareMatrix {
    type Error = String;
    fn try_from(Unchecked { n, data }: Unchecked) -> Result<Self, String> {
        match n.checked_mul(n) {
            Some(entries) if entries == data.len() => Ok(Self { n, data }),
            _ => Err(format!("a matrix of {n} rows is not square with {} entries", data.len())),
        }
    }
}

impl SquareMatrix {
    /// An n × n matrix of zeros.
    pub fn zeros(n: usize) -> Self {
        Self { n, data: vec![0.0; n * n] }
    }

    /// From rows; panics unless they are n rows of n numbers.
    pub fn from_rows(rows: &[Vec<f64>]) -> Self {
        let n = rows.len();
        assert!(rows.iter().all(|r| r.len() == n), "a square matrix has as many columns as rows");
        Self { n, data: rows.concat() }
    }

    /// Makes this n × n and zero, without giving memory back.
    pub fn resize(&mut self, n: usize) {
        self.n = n;
        self.data.clear();
        self.data.resize(n * n, 0.0);
    }

    /// Becomes equal to another one, without giving memory back.
    pub fn copy_from(&mut self, other: &Self) {
        self.n = other.n;
        self.data.clone_from(&other.data);
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Row i.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.n..(i + 1) * self.n]
    }

    /// Row i, to be written.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.n..(i + 1) * self.n]
    }
}

impl std::ops::Index<(usize, usize)> for SquareMatrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.n + j]
    }
}

impl std::ops::IndexMut<(usize, usize)> for SquareMatrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.n + j]
    }
}

impl Delassus for SquareMatrix {
    fn rows(&self) -> usize {
        self.n
    }
    fn apply(&self, P: &[f64], out: &mut [f64]) {
        for (i, out_i) in out.iter_mut().enumerate() {
            *out_i = self.row(i).iter().zip(P).map(|(w, p)| w * p).sum();
        }
    }
    fn entry(&self, i: usize, j: usize) -> f64 {
        self[(i, j)]
    }
    fn dense(&self) -> Option<&SquareMatrix> {
        Some(self)
    }
}
