//! A sparse matrix, row by row: what problem files hold and global problems are made of.

use crate::{Delassus, SquareMatrix};
use serde::{Deserialize, Serialize};

/// Compressed rows; columns rise within a row and no place occurs twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SparseMatrix {
    columns: usize,
    start: Vec<usize>,
    column: Vec<u32>,
    value: Vec<f64>,
}

impl SparseMatrix {
    /// From (row, column, value); what falls on one place is added up, in the order given. Panics on a place outside.
    pub fn from_triplets(rows: usize, columns: usize, mut triplets: Vec<(u32, u32, f64)>) -> Self {
        triplets.sort_by_key(|&(i, j, _)| (i, j));
        let mut matrix = Self { columns, start: vec![0; rows + 1], column: Vec::new(), value: Vec::new() };
        let mut last = None;
        for (i, j, value) in triplets {
            assert!((i as usize) < rows && (j as usize) < columns, "every entry lies in the matrix");
            if last == Some((i, j)) {
                *matrix.value.last_mut().expect("an entry was just written") += value;
                continue;
            }
            matrix.column.push(j);
            matrix.value.push(value);
            matrix.start[i as usize + 1] += 1;
            last = Some((i, j));
        }
        for i in 0..rows {
            matrix.start[i + 1] += matrix.start[i];
        }
        matrix
    }

    /// The entries of a dense matrix that are not zero.
    pub fn from_dense(dense: &SquareMatrix) -> Self {
        let n = dense.n();
        let place = |i: usize| dense.row(i).iter().enumerate().map(move |(j, v)| (i as u32, j as u32, *v));
        let triplets = (0..n).flat_map(place).filter(|entry| entry.2 != 0.0).collect();
        Self::from_triplets(n, n, triplets)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.value.len()
    }

    /// Columns and values of row i.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[i]..self.start[i + 1];
        self.column[range.clone()].iter().zip(&self.value[range]).map(|(&j, &v)| (j as usize, v))
    }

    /// All entries as (row, column, value), row by row.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.rows()).flat_map(|i| self.row(i).map(move |(j, v)| (i, j, v)))
    }

    /// The entry at (i, j).
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        let range = self.start[i]..self.start[i + 1];
        let found = self.column[range.clone()].binary_search(&(j as u32));
        found.map_or(0.0, |k| self.value[range.start + k])
    }

    /// out = A x.
    pub fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.row(i).map(|(j, v)| v * x[j]).sum();
        }
    }

    /// Aᵀ.
    pub fn transposed(&self) -> Self {
        let triplets = self.triplets().map(|(i, j, v)| (j as u32, i as u32, v)).collect();
        Self::from_triplets(self.columns, self.rows(), triplets)
    }

    /// The same with every place stored; panics unless it is square.
    pub fn to_dense(&self) -> SquareMatrix {
        assert_eq!(self.rows(), self.columns, "a square matrix");
        let mut dense = SquareMatrix::zeros(self.columns);
        for (i, j, v) in self.triplets() {
            dense[(i, j)] = v;
        }
        dense
    }

    /// Largest |A_ij − A_ji|.
    pub fn asymmetry(&self) -> f64 {
        self.triplets().map(|(i, j, v)| (v - self.entry(j, i)).abs()).fold(0.0, f64::max)
    }

    /// Largest |A_ij|.
    pub fn largest(&self) -> f64 {
        self.value.iter().fold(0.0, |most, v| most.max(v.abs()))
    }
}

impl Delassus for SparseMatrix {
    fn rows(&self) -> usize {
        SparseMatrix::rows(self)
    }
    fn apply(&self, P: &[f64], out: &mut [f64]) {
        SparseMatrix::apply(self, P, out);
    }
    fn entry(&self, i: usize, j: usize) -> f64 {
        SparseMatrix::entry(self, i, j)
    }
    fn dense(&self) -> Option<&SquareMatrix> {
        None
    }
}
