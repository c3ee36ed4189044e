//! Ŵ by blocks of contacts: what many contacts on many bodies need.
//!
//! Two contacts are coupled only if they share a body, so most blocks Ŵ_cd are zero and are not stored:
//!
//! ```text
//!   U_c = Σ_{d coupled with c} Ŵ_cd P_d + U_free,c          Ŵ_cd has d_c rows and d_d columns, row by row
//! ```
//!
//! Block rows follow each other and in them blocks by contact, both triangles, so a product or a sweep walks the numbers
//! once in the order of memory. Every contact has its diagonal block, of zeros if need be.

use crate::law::MOST_ROWS;
use crate::{Delassus, Law, SparseMatrix, SquareMatrix};
use thiserror::Error;

/// A block-sparse square matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockMatrix {
    /// First row of each contact, then the number of rows.
    first: Vec<usize>,
    /// First block of each contact, then the number of blocks.
    start: Vec<usize>,
    /// Contact whose P a block acts on.
    column: Vec<u32>,
    /// Where the numbers of a block begin, then their number.
    place: Vec<usize>,
    /// The diagonal block of each contact.
    diagonal: Vec<usize>,
    /// Most rows of a contact.
    widest: usize,
    data: Vec<f64>,
}

/// Why blocks do not make a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    /// A contact has no rows or too many.
    #[error("contact {contact} has {rows} rows; a contact has 1 to 5")]
    Rows {
        /// Which contact.
        contact: usize,
        /// Its rows.
        rows: usize,
    },
    /// A block of a contact that is not there.
    #[error("block {block} stands at ({row}, {column}), but there are {contacts} contacts, numbered from 0")]
    Outside {
        /// Position in the list of blocks.
        block: usize,
        /// Contact of its rows.
        row: usize,
        /// Contact of its columns.
        column: usize,
        /// Number of contacts.
        contacts: usize,
    },
    /// A block with the wrong number of numbers.
    #[error("block {block} at ({row}, {column}) has {found} numbers, not {expected}")]
    Size {
        /// Position in the list of blocks.
        block: usize,
        /// Contact of its rows.
        row: usize,
        /// Contact of its columns.
        column: usize,
        /// Numbers given.
        found: usize,
        /// Rows times columns.
        expected: usize,
    },
    /// Rows of the dense matrix and of the contacts differ.
    #[error("the matrix has {found} rows, the contacts together {expected}")]
    Total {
        /// Rows of the matrix.
        found: usize,
        /// Rows of the contacts.
        expected: usize,
    },
}

impl BlockMatrix {
    /// From blocks (row contact, column contact, numbers row by row), in any order; blocks at the same place add up.
    /// `dims` are the rows of each contact. Both triangles are expected.
    pub fn from_blocks<'a>(
        dims: &[usize],
        blocks: impl IntoIterator<Item = (usize, usize, &'a [f64])>,
    ) -> Result<Self, BlockError> {
        check_dims(dims)?;
        let contacts = dims.len();
        let mut given: Vec<(usize, usize, &[f64])> = Vec::new();
        for (block, (row, column, numbers)) in blocks.into_iter().enumerate() {
            if row >= contacts || column >= contacts {
                return Err(BlockError::Outside { block, row, column, contacts });
            }
            let (found, expected) = (numbers.len(), dims[row] * dims[column]);
            if found != expected {
                return Err(BlockError::Size { block, row, column, found, expected });
            }
            given.push((row, column, numbers));
        }
        // stable: what adds up does so in the order given
        given.sort_by_key(|&(row, column, _)| (row, column));
        let mut matrix = Self::default();
        matrix.begin(dims.iter().copied());
        let mut given = given.into_iter().peekable();
        for c in 0..contacts {
            while let Some(&(row, column, numbers)) = given.peek()
                && row == c
            {
                let at = matrix.block_at(c, column);
                for (a, x) in matrix.data[at..].iter_mut().zip(numbers) {
                    *a += x;
                }
                given.next();
            }
            matrix.end_row(c);
        }
        Ok(matrix)
    }

    /// From a dense matrix, without its blocks of zeros. `dims` are the rows of each contact.
    pub fn from_dense(W: &SquareMatrix, dims: &[usize]) -> Result<Self, BlockError> {
        check_dims(dims)?;
        let expected = dims.iter().sum();
        if W.n() != expected {
            return Err(BlockError::Total { found: W.n(), expected });
        }
        let mut matrix = Self::default();
        matrix.begin(dims.iter().copied());
        matrix.fill(|i, j| W[(i, j)]);
        Ok(matrix)
    }

    /// Becomes equal to any operator, entry by entry, without its blocks of zeros and without giving memory back.
    pub(crate) fn copy_from(&mut self, W_hat: &dyn Delassus, laws: &[Law]) {
        self.begin(laws.iter().map(Law::dim));
        match W_hat.dense() {
            Some(W) => self.fill(|i, j| W[(i, j)]),
            None => self.fill(|i, j| W_hat.entry(i, j)),
        }
    }

    /// Becomes a matrix of zeros with these blocks, without giving memory back. `dims` are the rows of each contact,
    /// `coupled(c)` the contacts that contact c is coupled with, in ascending order; its own block is always there.
    pub fn reset<'a>(&mut self, dims: impl Iterator<Item = usize>, coupled: impl Fn(usize) -> &'a [u32]) {
        self.begin(dims);
        for c in 0..self.contacts() {
            for &d in coupled(c) {
                self.block_at(c, d as usize);
            }
            self.end_row(c);
        }
    }

    /// The contacts that a contact is coupled with and the numbers of these blocks, one after the other, to be written.
    pub fn row_mut(&mut self, contact: usize) -> (&[u32], &mut [f64]) {
        let blocks = self.start[contact]..self.start[contact + 1];
        let numbers = self.place[blocks.start]..self.place[blocks.end];
        (&self.column[blocks], &mut self.data[numbers])
    }

    fn begin(&mut self, dims: impl Iterator<Item = usize>) {
        self.start.clear();
        self.column.clear();
        self.place.clear();
        self.diagonal.clear();
        self.data.clear();
        self.first.clear();
        self.first.push(0);
        self.start.push(0);
        self.place.push(0);
        self.widest = 0;
        for dim in dims {
            self.widest = self.widest.max(dim);
            let next = self.first[self.first.len() - 1] + dim;
            self.first.push(next);
        }
    }

    /// Where the block of the row being written begins; made of zeros, after the diagonal if that comes first.
    fn block_at(&mut self, row: usize, column: usize) -> usize {
        if column > row && self.diagonal.len() == row {
            self.push_block(row, row);
        }
        let in_row = &self.column[self.start[row]..];
        if in_row.last() != Some(&(column as u32)) {
            self.push_block(row, column);
        }
        self.place[self.place.len() - 2]
    }

    fn push_block(&mut self, row: usize, column: usize) {
        if row == column {
            self.diagonal.push(self.column.len());
        }
        self.column.push(column as u32);
        let end = self.data.len() + self.dim(row) * self.dim(column);
        self.data.resize(end, 0.0);
        self.place.push(end);
    }

    fn end_row(&mut self, row: usize) {
        if self.diagonal.len() == row {
            self.push_block(row, row);
        }
        self.start.push(self.column.len());
    }

    fn fill(&mut self, entry: impl Fn(usize, usize) -> f64) {
        for c in 0..self.contacts() {
            for d in 0..self.contacts() {
                let (rows, columns) = (self.rows_of(c), self.rows_of(d));
                let zero = rows.clone().all(|i| columns.clone().all(|j| entry(i, j) == 0.0));
                if zero && c != d {
                    continue;
                }
                let mut at = self.block_at(c, d);
                for i in rows {
                    for j in columns.clone() {
                        self.data[at] = entry(i, j);
                        at += 1;
                    }
                }
            }
            self.end_row(c);
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Number of stored blocks, those of the diagonal included.
    pub fn blocks(&self) -> usize {
        self.column.len()
    }

    /// Rows of a contact.
    #[inline]
    pub fn dim(&self, contact: usize) -> usize {
        self.first[contact + 1] - self.first[contact]
    }

    /// Which rows of U and P are a contact's.
    #[inline]
    pub fn rows_of(&self, contact: usize) -> std::ops::Range<usize> {
        self.first[contact]..self.first[contact + 1]
    }

    /// The diagonal block of a contact, row by row.
    #[inline]
    pub fn diagonal(&self, contact: usize) -> &[f64] {
        self.numbers(self.diagonal[contact])
    }

    /// The blocks of a contact's rows, by contact: (contact they act on, numbers row by row).
    #[inline]
    pub fn row(&self, contact: usize) -> impl ExactSizeIterator<Item = (usize, &[f64])> {
        let range = self.start[contact]..self.start[contact + 1];
        range.map(|k| (self.column[k] as usize, self.numbers(k)))
    }

    /// The contacts that a contact is coupled with, itself included.
    #[inline]
    pub fn neighbours(&self, contact: usize) -> &[u32] {
        &self.column[self.start[contact]..self.start[contact + 1]]
    }

    /// The block of two contacts, if it is stored.
    pub fn block(&self, row: usize, column: usize) -> Option<&[f64]> {
        let k = self.neighbours(row).binary_search(&(column as u32)).ok()?;
        Some(self.numbers(self.start[row] + k))
    }

    #[inline]
    fn numbers(&self, block: usize) -> &[f64] {
        &self.data[self.place[block]..self.place[block + 1]]
    }

    /// out ← out + Σ_d Ŵ_cd P_d, the velocity that all contacts together give to contact c.
    #[inline]
    pub fn add_row_product(&self, contact: usize, P: &[f64], out: &mut [f64]) {
        let blocks = self.start[contact]..self.start[contact + 1];
        let mut data = &self.data[self.place[blocks.start]..self.place[blocks.end]];
        // Three rows each is what large problems are made of; of at most three it is three on average only if all have three.
        if self.widest == 3 && out.len() == 3 && data.len() == 9 * blocks.len() {
            let sum = sum_3([out[0], out[1], out[2]], data, &self.column[blocks], |d| {
                let at = self.first[d];
                P[at..at + 3].try_into().expect("three rows")
            });
            out.copy_from_slice(&sum);
            return;
        }
        for &column in &self.column[blocks] {
            let P = &P[self.rows_of(column as usize)];
            for out in out.iter_mut() {
                let (row, rest) = data.split_at(P.len());
                *out += row.iter().zip(P).map(|(w, p)| w * p).sum::<f64>();
                data = rest;
            }
        }
    }

    /// U_free,c + Σ_d Ŵ_cd P_d where all contacts have three rows: contact c begins at row 3 c and block k at number 9 k.
    #[inline(always)]
    pub(crate) fn row_velocity_3(&self, contact: usize, U_free: [f64; 3], P: &[[f64; 3]]) -> [f64; 3] {
        let blocks = self.start[contact]..self.start[contact + 1];
        let data = &self.data[9 * blocks.start..9 * blocks.end];
        sum_3(U_free, data, &self.column[blocks], |d| P[d])
    }

    /// The diagonal block where all contacts have three rows.
    #[inline(always)]
    pub(crate) fn diagonal_3(&self, contact: usize) -> [[f64; 3]; 3] {
        let at = 9 * self.diagonal[contact];
        let b: &[f64; 9] = self.data[at..at + 9].try_into().expect("nine numbers");
        [[b[0], b[1], b[2]], [b[3], b[4], b[5]], [b[6], b[7], b[8]]]
    }

    /// Becomes equal to another matrix with its contacts in this order; `place` is the inverse of `order`. The blocks of a row
    /// keep the order they had, so that rows are copied whole and sums have the same bits; [`Self::block`] does not serve here.
    pub(crate) fn copy_permuted(&mut self, other: &Self, order: &[u32], place: &[u32]) {
        self.begin(order.iter().map(|&c| other.dim(c as usize)));
        // all memory at once: growing would copy what is there again and again
        self.start.reserve(order.len());
        self.diagonal.reserve(order.len());
        self.column.reserve(other.column.len());
        self.place.reserve(other.column.len());
        self.data.reserve(other.data.len());
        for &c in order {
            let c = c as usize;
            let (blocks, at) = (other.start[c]..other.start[c + 1], self.column.len());
            let numbers = other.place[blocks.start]..other.place[blocks.end];
            self.diagonal.push(at + other.diagonal[c] - blocks.start);
            let ends = &other.place[blocks.start + 1..=blocks.end];
            self.place.extend(ends.iter().map(|end| self.data.len() + end - numbers.start));
            self.column.extend(other.column[blocks].iter().map(|&d| place[d as usize]));
            self.data.extend_from_slice(&other.data[numbers]);
            self.start.push(self.column.len());
        }
    }

    /// Becomes S W S for another matrix W and a diagonal S, without giving memory back.
    pub(crate) fn copy_scaled(&mut self, other: &Self, scale: &[f64]) {
        self.first.clone_from(&other.first);
        self.start.clone_from(&other.start);
        self.column.clone_from(&other.column);
        self.place.clone_from(&other.place);
        self.diagonal.clone_from(&other.diagonal);
        self.widest = other.widest;
        self.data.clear();
        for c in 0..other.contacts() {
            for (d, numbers) in other.row(c) {
                let columns = &scale[other.rows_of(d)];
                for (s, row) in scale[other.rows_of(c)].iter().zip(numbers.chunks_exact(columns.len())) {
                    self.data.extend(row.iter().zip(columns).map(|(w, t)| s * w * t));
                }
            }
        }
    }

    /// The matrix with all its zeros.
    pub fn to_dense(&self) -> SquareMatrix {
        let mut dense = SquareMatrix::zeros(self.rows());
        self.write_dense(&mut dense);
        dense
    }

    /// Its entries that are not zero.
    pub fn to_sparse(&self) -> SparseMatrix {
        let mut entries = Vec::new();
        for c in 0..self.contacts() {
            for (d, numbers) in self.row(c) {
                let places = self.rows_of(c).flat_map(|i| self.rows_of(d).map(move |j| (i as u32, j as u32)));
                entries.extend(places.zip(numbers).map(|((i, j), w)| (i, j, *w)).filter(|e| e.2 != 0.0));
            }
        }
        SparseMatrix::from_triplets(self.rows(), self.rows(), entries)
    }

    /// Writes the blocks into a matrix of zeros.
    pub(crate) fn write_dense(&self, dense: &mut SquareMatrix) {
        for c in 0..self.contacts() {
            for (d, numbers) in self.row(c) {
                let columns = self.rows_of(d);
                for (i, row) in self.rows_of(c).zip(numbers.chunks_exact(columns.len())) {
                    dense.row_mut(i)[columns.clone()].copy_from_slice(row);
                }
            }
        }
    }
}

/// U + Σ_d Ŵ_cd P_d over blocks of three rows and columns. The nine products of a block go into nine sums, two at a time for the
/// processor, and are folded into three at the end of the row.
#[inline(always)]
fn sum_3(U: [f64; 3], data: &[f64], columns: &[u32], P: impl Fn(usize) -> [f64; 3]) -> [f64; 3] {
    let mut sum = [U[0], 0.0, 0.0, U[1], 0.0, 0.0, U[2], 0.0, 0.0];
    for (block, &column) in data.as_chunks::<9>().0.iter().zip(columns) {
        let [x, y, z] = P(column as usize);
        let p = [x, y, z, x, y, z, x, y, z];
        for k in 0..9 {
            sum[k] += block[k] * p[k];
        }
    }
    fold(&sum)
}

/// Sums of three by three numbers. Not inlined: seeing the fold, the compiler would pair sums for it and shuffle every block.
#[inline(never)]
fn fold(sum: &[f64; 9]) -> [f64; 3] {
    [sum[0] + sum[1] + sum[2], sum[3] + sum[4] + sum[5], sum[6] + sum[7] + sum[8]]
}

fn check_dims(dims: &[usize]) -> Result<(), BlockError> {
    match dims.iter().position(|dim| !(1..=MOST_ROWS).contains(dim)) {
        Some(contact) => Err(BlockError::Rows { contact, rows: dims[contact] }),
        None => Ok(()),
    }
}

impl Delassus for BlockMatrix {
    fn rows(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }
    fn apply(&self, P: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for c in 0..self.contacts() {
            self.add_row_product(c, P, &mut out[self.rows_of(c)]);
        }
    }
    fn entry(&self, i: usize, j: usize) -> f64 {
        let contact = |row: usize| self.first.partition_point(|&first| first <= row) - 1;
        let (c, d) = (contact(i), contact(j));
        let at = (i - self.first[c]) * self.dim(d) + j - self.first[d];
        self.block(c, d).map_or(0.0, |block| block[at])
    }
    fn dense(&self) -> Option<&SquareMatrix> {
        None
    }
    fn blocks(&self) -> Option<&BlockMatrix> {
        Some(self)
    }
}
