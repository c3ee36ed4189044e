//! The local contact problem as plain data.                       U = Ŵ P + U_free,  a law per contact

use crate::{BlockMatrix, Delassus, Law, SparseMatrix, SquareMatrix};
use serde::{Deserialize, Serialize};

/// U = Ŵ P + U_free with one law per contact. Contacts follow each other; contact c owns `laws[c].dim()` rows,
/// normal first. Restitution is already in `U_free` (it holds the free velocity plus e ∘ U⁻), so every law speaks
/// about the same shifted U.
#[derive(Clone, Copy)]
pub struct ContactProblem<'a> {
    /// Ŵ.
    pub W_hat: &'a dyn Delassus,
    /// U for P = 0, restitution included.
    pub U_free: &'a [f64],
    /// What each contact obeys.
    pub laws: &'a [Law],
}

/// A contact problem that owns its data: written to disk, sent in a bug report, kept as a test. Ŵ is dense unless said
/// otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredProblem<W = SquareMatrix> {
    /// Ŵ.
    pub W_hat: W,
    /// U for P = 0, restitution included.
    pub U_free: Vec<f64>,
    /// What each contact obeys.
    pub laws: Vec<Law>,
}

impl<W: Delassus> StoredProblem<W> {
    /// Borrows the data as a problem to solve.
    pub fn as_problem(&self) -> ContactProblem<'_> {
        ContactProblem { W_hat: &self.W_hat, U_free: &self.U_free, laws: &self.laws }
    }

    /// Whether the parts fit each other and all numbers make sense; what is wrong if not.
    pub fn check(&self) -> Result<(), String> {
        let (n, rows) = (self.U_free.len(), self.laws.iter().map(Law::dim).sum::<usize>());
        if self.W_hat.rows() != n || rows != n {
            return Err(format!(
                "W_hat has {} rows, U_free {n}, the laws together {rows}: they must agree",
                self.W_hat.rows()
            ));
        }
        if let Some(i) = (0..n).find(|&i| !self.U_free[i].is_finite()) {
            return Err(format!("U_free has {} in row {}, not a finite number", self.U_free[i], i + 1));
        }
        for (contact, law) in self.laws.iter().enumerate() {
            if let Some((name, value, rule)) = law.fault() {
                return Err(format!("the {name} of contact {} is {value}; {rule}", contact + 1));
            }
        }
        // Every entry that is not finite shows in the product with ones.
        let mut sums = vec![0.0; n];
        self.W_hat.apply(&vec![1.0; n], &mut sums);
        match sums.iter().position(|sum| !sum.is_finite()) {
            Some(i) => Err(format!("row {} of W_hat has an entry that is not a finite number", i + 1)),
            None => Ok(()),
        }
    }
}

impl StoredProblem<SparseMatrix> {
    /// The same with all entries stored, for pivoting and Newton.
    pub fn dense(&self) -> StoredProblem {
        let (U_free, laws) = (self.U_free.clone(), self.laws.clone());
        StoredProblem { W_hat: self.W_hat.to_dense(), U_free, laws }
    }

    /// The same by blocks of contacts, for sweeps over many of them. Panics unless the laws cover all rows.
    pub fn blocks(&self) -> StoredProblem<BlockMatrix> {
        let dims: Vec<usize> = self.laws.iter().map(Law::dim).collect();
        let contact_of: Vec<usize> =
            dims.iter().enumerate().flat_map(|(c, dim)| std::iter::repeat_n(c, *dim)).collect();
        let first: Vec<usize> =
            dims.iter().scan(0, |at, dim| Some(std::mem::replace(at, *at + dim))).collect();
        // Row by row: the blocks that its entries fall into.
        let mut blocks: Vec<(usize, usize, Vec<f64>)> = Vec::new();
        for c in 0..dims.len() {
            let mut in_row: std::collections::BTreeMap<usize, Vec<f64>> = std::collections::BTreeMap::new();
            for k in 0..dims[c] {
                for (j, value) in self.W_hat.row(first[c] + k) {
                    let d = contact_of[j];
                    let block = in_row.entry(d).or_insert_with(|| vec![0.0; dims[c] * dims[d]]);
                    block[k * dims[d] + j - first[d]] += value;
                }
            }
            blocks.extend(in_row.into_iter().map(|(d, block)| (c, d, block)));
        }
        let W_hat = BlockMatrix::from_blocks(&dims, blocks.iter().map(|(c, d, b)| (*c, *d, &b[..])))
            .expect("blocks are cut to the laws");
        StoredProblem { W_hat, U_free: self.U_free.clone(), laws: self.laws.clone() }
    }
}

impl From<&ContactProblem<'_>> for StoredProblem<SparseMatrix> {
    /// A copy to keep, of a problem in whatever form.
    fn from(problem: &ContactProblem<'_>) -> Self {
        let n = problem.U_free.len();
        let W_hat = match (problem.W_hat.dense(), problem.W_hat.blocks()) {
            (Some(dense), _) => SparseMatrix::from_dense(dense),
            (None, Some(blocks)) => blocks.to_sparse(),
            (None, None) => {
                let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
                let entries = places.map(|(i, j)| (i as u32, j as u32, problem.W_hat.entry(i, j)));
                SparseMatrix::from_triplets(n, n, entries.filter(|entry| entry.2 != 0.0).collect())
            }
        };
        Self { W_hat, U_free: problem.U_free.to_vec(), laws: problem.laws.to_vec() }
    }
}

impl From<&StoredProblem> for StoredProblem<SparseMatrix> {
    fn from(problem: &StoredProblem) -> Self {
        let (U_free, laws) = (problem.U_free.clone(), problem.laws.clone());
        Self { W_hat: SparseMatrix::from_dense(&problem.W_hat), U_free, laws }
    }
}
