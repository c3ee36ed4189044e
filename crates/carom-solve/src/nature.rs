//! What can be said of a problem before it is solved: cheap to find out, and true where it is said.
//!
//! - *frictionless*: no contact rubs; one convex problem.
//! - *hyperstatic*: rank of Ŵ below its rows. U is unique then (frictionless, or as far as friction is), P is not.
//! - *not positive semidefinite*: no mechanism gives such an Ŵ; solvers may fail and answers may not exist.
//! - *without answer*: some z, ≥ 0 in normal rows, free in bilateral ones and 0 in tangential ones, with Ŵᵀ z = 0 and
//!   U_freeᵀ z < 0. For every P then Uᵀ z = U_freeᵀ z < 0, while the laws ask for U_N ≥ 0 and U = 0 in bilateral rows: walls
//!   that close on a rigid body, joints that contradict each other.
//!
//! The rank and the certificate come from one pivoted Cholesky factorisation of the scaled symmetric part, for problems of
//! moderate size; the candidate for z is −U_free projected onto the null space, so an answer may be missing without this being
//! noticed, but not the other way round.

use crate::{Law, SparseMatrix, SquareMatrix, StoredProblem};

/// Rows up to which the factorisation is done.
pub const MOST_ROWS: usize = 600;
/// Pivots of the scaled matrix (diagonal 1) below this are zero.
const RANK: f64 = 1e-10;
/// Ŵᵀ z and entries of z of the wrong sign may be this large, relative to z.
const EXACT: f64 = 1e-9;

/// Up to this asymmetry the rank of the symmetric part is taken for that of Ŵ; data of other programs have some.
const ALMOST_SYMMETRIC: f64 = 1e-2;

/// What a problem is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Nature {
    /// Largest |Ŵ_ij − Ŵ_ji| relative to the largest entry.
    pub asymmetry: f64,
    /// No contact rubs.
    pub frictionless: bool,
    /// Rank of Ŵ, if it was computed and Ŵ is that of a mechanism: symmetric but for rounding of its data, and not indefinite.
    pub rank: Option<usize>,
    /// Whether the symmetric part of Ŵ has a negative eigenvalue for certain; of large problems only pairs of rows are looked at.
    pub indefinite: bool,
    /// Weights z that prove that there is no answer.
    pub impossible: Option<Vec<f64>>,
}

impl Nature {
    /// Looks a problem over.
    pub fn of(problem: &StoredProblem<SparseMatrix>) -> Self {
        let W = &problem.W_hat;
        let largest = W.largest();
        let asymmetry = if largest > 0.0 { W.asymmetry() / largest } else { 0.0 };
        let frictionless = problem.laws.iter().all(|law| !law.rubs() && !matches!(law, Law::Dry { .. }));
        let n = problem.U_free.len();
        let mut nature =
            Self { asymmetry, frictionless, rank: None, indefinite: !pairs_are_sound(W), impossible: None };
        if n <= MOST_ROWS {
            let scale = scales(W);
            let all: Vec<usize> = (0..n).collect();
            let (rank, indefinite) = Cholesky::of(W, &scale, &all).verdict();
            nature.indefinite |= indefinite;
            nature.rank = (!nature.indefinite && asymmetry <= ALMOST_SYMMETRIC).then_some(rank);
            nature.impossible = without_answer(problem, &scale);
        }
        nature
    }

    /// Whether contacts depend on each other, if that is known.
    pub fn hyperstatic(&self, rows: usize) -> Option<bool> {
        self.rank.map(|rank| rank < rows)
    }
}

/// 1/√w of each row; rows that nothing moves borrow the largest.
fn scales(W: &SparseMatrix) -> Vec<f64> {
    let diagonal: Vec<f64> = (0..W.rows()).map(|i| W.entry(i, i).abs()).collect();
    let largest = diagonal.iter().copied().fold(0.0, f64::max);
    let largest = if largest > 0.0 { largest } else { 1.0 };
    diagonal.into_iter().map(|w| 1.0 / if w > RANK * RANK * largest { w } else { largest }.sqrt()).collect()
}

/// W_ii ≥ 0 and |W_ij + W_ji| / 2 ≤ √(W_ii W_jj): what every positive semidefinite matrix has.
fn pairs_are_sound(W: &SparseMatrix) -> bool {
    let diagonal: Vec<f64> = (0..W.rows()).map(|i| W.entry(i, i)).collect();
    let largest = diagonal.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
    diagonal.iter().all(|&w| w >= -RANK * largest)
        && W.triplets().all(|(i, j, w)| {
            let mean = 0.5 * (w + W.entry(j, i)).abs();
            mean <= (1.0 + EXACT) * (diagonal[i].max(0.0) * diagonal[j].max(0.0)).sqrt() + RANK * largest
        })
}

/// Pivoted Cholesky of some rows of the scaled symmetric part, S W S = L Lᵀ up to what is left.
struct Cholesky {
    /// Columns of L, each of all rows.
    L: Vec<Vec<f64>>,
    /// Smallest pivot met, or diagonal entry left.
    smallest: f64,
}

impl Cholesky {
    fn of(W: &SparseMatrix, scale: &[f64], rows: &[usize]) -> Self {
        let n = rows.len();
        let mut place = vec![usize::MAX; W.rows()];
        rows.iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let mut A = SquareMatrix::zeros(n);
        for (k, &i) in rows.iter().enumerate() {
            for (j, w) in W.row(i).filter(|(j, _)| place[*j] != usize::MAX) {
                let half = 0.5 * scale[i] * w * scale[j];
                A[(k, place[j])] += half;
                A[(place[j], k)] += half;
            }
        }
        let mut diagonal: Vec<f64> = (0..n).map(|k| A[(k, k)]).collect();
        let mut L: Vec<Vec<f64>> = Vec::new();
        let mut left: Vec<usize> = (0..n).collect();
        while let Some(at) = (0..left.len()).max_by(|&a, &b| diagonal[left[a]].total_cmp(&diagonal[left[b]]))
        {
            let p = left[at];
            if diagonal[p] <= RANK {
                break;
            }
            left.swap_remove(at);
            let root = diagonal[p].sqrt();
            let mut column = vec![0.0; n];
            column[p] = root;
            for &i in &left {
                let known: f64 = L.iter().map(|l| l[i] * l[p]).sum();
                column[i] = (A[(i, p)] - known) / root;
                diagonal[i] -= column[i] * column[i];
            }
            L.push(column);
        }
        let smallest = left.iter().map(|&i| diagonal[i]).fold(f64::INFINITY, f64::min);
        Self { L, smallest }
    }

    /// Rank, and whether something negative is left. What is left after the last pivot is at most RANK on the diagonal, and
    /// rounding leaves far less.
    fn verdict(&self) -> (usize, bool) {
        (self.L.len(), self.smallest < -RANK)
    }

    /// x ← x − its part in the range of L.
    fn remove_range(&self, x: &mut [f64]) {
        // Twice through an orthonormal basis of the range.
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for l in &self.L {
            let mut b = l.clone();
            for _ in 0..2 {
                for other in &basis {
                    let along = dot(&b, other);
                    b.iter_mut().zip(other).for_each(|(b, o)| *b -= along * o);
                }
            }
            let norm = dot(&b, &b).sqrt();
            b.iter_mut().for_each(|b| *b /= norm);
            basis.push(b);
        }
        for _ in 0..2 {
            for b in &basis {
                let along = dot(x, b);
                x.iter_mut().zip(b).for_each(|(x, b)| *x -= along * b);
            }
        }
    }
}

/// Looks for z and checks it.
fn without_answer(problem: &StoredProblem<SparseMatrix>, scale: &[f64]) -> Option<Vec<f64>> {
    // Normal and bilateral rows, and which of them are free in sign.
    let (mut rows, mut free, mut first) = (Vec::new(), Vec::new(), 0);
    for law in &problem.laws {
        match law {
            Law::Bilateral => (rows.push(first), free.push(true)),
            Law::Unilateral
            | Law::PlanarCoulomb { .. }
            | Law::SpatialCoulomb { .. }
            | Law::SpatialRolling { .. } => (rows.push(first), free.push(false)),
            // A bound on P is no condition on U.
            Law::Dry { .. } => ((), ()),
        };
        first += law.dim();
    }
    let q: Vec<f64> = rows.iter().map(|&i| scale[i] * problem.U_free[i]).collect();
    let size = q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    let mut z: Vec<f64> = q.iter().map(|q| -q).collect();
    Cholesky::of(&problem.W_hat, scale, &rows).remove_range(&mut z);
    let largest = z.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
    if largest <= EXACT.sqrt() * size || size == 0.0 {
        return None;
    }
    if z.iter().zip(&free).any(|(z, free)| !free && *z < -EXACT * largest) {
        return None;
    }
    // Whole and unscaled: weights of all rows.
    let mut weights = vec![0.0; problem.U_free.len()];
    for ((&i, z), free) in rows.iter().zip(&z).zip(&free) {
        weights[i] = scale[i] * if *free { *z } else { z.max(0.0) };
    }
    let mut moved = vec![0.0; weights.len()];
    for (i, j, w) in problem.W_hat.triplets() {
        moved[j] += w * weights[i];
    }
    let still = moved.iter().zip(scale).all(|(m, s)| (s * m).abs() <= EXACT * largest);
    let power: f64 = weights.iter().zip(&problem.U_free).map(|(z, u)| z * u).sum();
    (still && power < -EXACT.sqrt() * largest * size).then_some(weights)
}
