//! What can be said of a problem before it is solved: cheap to find out, and true where it is said.
//!
//! - *frictionless*: no contact rubs; one convex problem.
//! - *hyperstatic*: rank of Ŵ below its rows. U is unique then (frictionless, or as far as friction is), P is not.
//! - *not positive semidefinite*: no mechanism gives such an Ŵ; solvers may fail and answers may not exist.
//! - *without answer*: some z, ≥ 0 in normal rows, free in bilateral ones and 0 in tangential ones, with
//!
//! ```text
//!   y = Ŵᵀ z:  yᵀ P ≤ 0 for all P that the laws admit        0 in bilateral and dry rows, y_N + μ |y_T| + μ_r |y_R| ≤ 0 elsewhere
//!   U_freeᵀ z < 0
//! ```
//!
//!   For every P then Uᵀ z ≤ U_freeᵀ z < 0, while the laws ask for U_N ≥ 0 and U = 0 in bilateral rows: walls that close on a
//!   rigid body, joints that contradict each other. Where Ŵ is that of a mechanism, y can only be 0; where it is not, one row
//!   that no P raises is enough.
//!
//! The rank comes from a pivoted Cholesky factorisation of the scaled symmetric part, for problems of moderate size; the
//! candidates for z are −U_free projected onto the null space of its normal rows, and single rows. So an answer may be missing
//! without this being noticed, but not the other way round.

use crate::{Bodies, ContactProblem, Law, Normal, SparseMatrix, SquareMatrix, StoredProblem};
use carom_linear::dot;

/// Rows up to which the factorisation is done.
pub const MOST_ROWS: usize = 600;
/// Pivots of the scaled matrix (diagonal 1) below this are zero.
const RANK: f64 = 1e-10;
/// Sums that should be 0 may be this large, relative to their largest term; entries of z of the wrong sign, relative to the
/// largest one.
const EXACT: f64 = 1e-9;
/// Entries of Ŵ that should be 0 may be this large, relative to those of the diagonal: some hundred roundings.
const NOISE: f64 = 1e-13;

/// Up to this asymmetry the rank of the symmetric part is taken for that of Ŵ; data of other programs have some.
const ALMOST_SYMMETRIC: f64 = 1e-2;

/// What a problem is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
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

impl Diagnosis {
    /// Looks a problem over.
    pub fn of(problem: &StoredProblem<SparseMatrix>) -> Self {
        let W = &problem.W_hat;
        let largest = W.largest();
        let asymmetry = if largest > 0.0 { W.asymmetry() / largest } else { 0.0 };
        let frictionless = frictionless(&problem.laws);
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

    /// Looks a problem over bodies over, whose Ŵ is symmetric and positive semidefinite by construction. It is formed only where it is
    /// of moderate size.
    pub fn over_bodies(problem: &StoredProblem<Bodies>) -> Self {
        if problem.U_free.len() <= MOST_ROWS {
            return Self::of(&StoredProblem::from(&problem.as_problem()));
        }
        let frictionless = frictionless(&problem.laws);
        Self { asymmetry: 0.0, frictionless, rank: None, indefinite: false, impossible: None }
    }

    /// Whether contacts depend on each other, if that is known.
    pub fn hyperstatic(&self, rows: usize) -> Option<bool> {
        self.rank.map(|rank| rank < rows)
    }
}

fn frictionless(laws: &[Law]) -> bool {
    laws.iter().all(|law| !law.rubs() && law.normal() != Normal::Interval)
}

/// 1/√w of each row; rows that nothing moves borrow the largest.
fn scales(W: &SparseMatrix) -> Vec<f64> {
    scales_of(&(0..W.rows()).map(|i| W.entry(i, i).abs()).collect::<Vec<_>>())
}

fn scales_of(diagonal: &[f64]) -> Vec<f64> {
    let largest = diagonal.iter().copied().fold(0.0, f64::max);
    let largest = if largest > 0.0 { largest } else { 1.0 };
    diagonal.iter().map(|&w| 1.0 / if w > RANK * RANK * largest { w } else { largest }.sqrt()).collect()
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

/// Whether there is certainly no answer. False says nothing: the problem is too large to be looked at, or no proof was found.
pub(crate) fn impossible(problem: &ContactProblem<'_>) -> bool {
    problem.U_free.len() <= MOST_ROWS && {
        let stored = StoredProblem::<SparseMatrix>::from(problem);
        without_answer(&stored, &scales(&stored.W_hat)).is_some()
    }
}

/// Whether z proves that there is no answer, beyond doubt: with entries that are within rounding of 0 taken for 0, an answer
/// would still need impulses some ten thousand times those that the free velocity asks for. Problems of any size by blocks or over
/// bodies; of moderate size in other forms.
pub(crate) fn proves_no_answer(problem: &ContactProblem<'_>, z: &[f64]) -> bool {
    let W = problem.W_hat;
    let stored = W.dense().is_some() || W.blocks().is_some() || W.bodies().is_some();
    if z.len() != problem.U_free.len() || !(stored || z.len() <= MOST_ROWS) {
        return false;
    }
    let w: Vec<f64> = (0..z.len()).map(|i| W.entry(i, i).abs()).collect();
    let scale = scales_of(&w);
    // ζ = z in scaled rows, and the largest
    let largest = z.iter().zip(&scale).fold(0.0, |most: f64, (z, s)| most.max((z / s).abs()));
    let Some(z) = admissible(problem.laws, z, &scale, EXACT * largest) else { return false };
    let power: f64 = z.iter().zip(problem.U_free).map(|(z, u)| z * u).sum();
    let free = scale.iter().zip(problem.U_free).fold(0.0, |most: f64, (s, u)| most.max((s * u).abs()));
    if power.is_nan() || power >= -EXACT.sqrt() * largest * free {
        return false;
    }
    let heaviest = z.iter().zip(&w).fold(0.0, |most: f64, (z, w)| most.max(w.sqrt() * z.abs()));
    let y = Transposed::product(problem, &z);
    let still = |i: usize| {
        let rounding = NOISE * w[i].sqrt() * heaviest;
        // Ŵ over bodies is semidefinite by construction: a term is at most √(w_i w_j) |z_j|
        let terms = y.largest.as_ref().map_or(w[i].sqrt() * heaviest, |largest| largest[i]);
        EXACT * terms + rounding
    };
    let mut first = 0;
    problem.laws.iter().all(|law| {
        let rows = first..first + law.dim();
        first = rows.end;
        let most: f64 = rows.clone().map(still).fold(0.0, f64::max);
        pushes(law, &y.sum[rows]) <= most
    })
}

/// The largest yᵀ P for P_N = 1, or for |P| = 1 in rows without sign.
fn pushes(law: &Law, y: &[f64]) -> f64 {
    // any friction of nothing is nothing
    let rubbing = |mu: f64, y: &[f64]| {
        let size = y.iter().map(|y| y * y).sum::<f64>().sqrt();
        if size == 0.0 { 0.0 } else { mu * size }
    };
    match law.normal() {
        Normal::Free | Normal::Interval => y[0].abs(),
        Normal::HalfLine => {
            law.disks().fold(y[0], |sum, disk| sum + rubbing(disk.mu, &y[disk.first..disk.first + disk.rows]))
        }
    }
}

/// z without entries below the rounding; none if others are not of their sign.
fn admissible(laws: &[Law], z: &[f64], scale: &[f64], rounding: f64) -> Option<Vec<f64>> {
    let (mut clean, mut first) = (vec![0.0; z.len()], 0);
    for law in laws {
        for i in first..first + law.dim() {
            let size = z[i] / scale[i];
            if size.abs() <= rounding {
                continue;
            }
            let allowed = match law.normal() {
                Normal::Free => size.is_finite(),
                Normal::Interval => false,
                Normal::HalfLine => i == first && size > 0.0 && size.is_finite(),
            };
            if !allowed {
                return None;
            }
            clean[i] = z[i];
        }
        first += law.dim();
    }
    Some(clean)
}

/// y = Ŵᵀ z with the largest term of each sum, where Ŵ is formed.
struct Transposed {
    sum: Vec<f64>,
    largest: Option<Vec<f64>>,
}

impl Transposed {
    fn product(problem: &ContactProblem<'_>, z: &[f64]) -> Self {
        let (W, n) = (problem.W_hat, z.len());
        let (mut sum, mut largest) = (vec![0.0; n], vec![0.0_f64; n]);
        if W.bodies().is_some() {
            // symmetric
            W.apply(z, &mut sum);
            return Self { sum, largest: None };
        }
        let mut add = |j: usize, term: f64| {
            sum[j] += term;
            largest[j] = largest[j].max(term.abs());
        };
        if let Some(blocks) = W.blocks() {
            for c in 0..blocks.contacts() {
                for (d, block) in blocks.row(c) {
                    let columns = blocks.rows_of(d);
                    for (i, row) in blocks.rows_of(c).zip(block.chunks_exact(columns.len())) {
                        columns.clone().zip(row).for_each(|(j, w)| add(j, w * z[i]));
                    }
                }
            }
        } else {
            for i in (0..n).filter(|&i| z[i] != 0.0) {
                (0..n).for_each(|j| add(j, W.entry(i, j) * z[i]));
            }
        }
        Self { sum, largest: Some(largest) }
    }
}

/// Looks for z and checks it.
fn without_answer(problem: &StoredProblem<SparseMatrix>, scale: &[f64]) -> Option<Vec<f64>> {
    // Normal and bilateral rows, and which of them are free in sign.
    let (mut rows, mut free, mut first) = (Vec::new(), Vec::new(), 0);
    for law in &problem.laws {
        // A bound on P is no condition on U.
        if law.normal() != Normal::Interval {
            rows.push(first);
            free.push(law.normal() == Normal::Free);
        }
        first += law.dim();
    }
    let proof = |z: &Vec<f64>| proves_no_answer(&problem.as_problem(), z);
    // What of −U_free nothing can move.
    let mut still: Vec<f64> = rows.iter().map(|&i| -scale[i] * problem.U_free[i]).collect();
    Cholesky::of(&problem.W_hat, scale, &rows).remove_range(&mut still);
    let mut z = vec![0.0; problem.U_free.len()];
    rows.iter().zip(&still).for_each(|(&i, still)| z[i] = scale[i] * still);
    if proof(&z) {
        return Some(z);
    }
    // Rows that nothing raises; in a mechanism they would have been found.
    let falling = rows.iter().zip(&free).filter(|(i, free)| !**free && problem.U_free[**i] < 0.0);
    falling
        .filter(|(i, _)| problem.W_hat.entry(**i, **i) <= 0.0)
        .map(|(&i, _)| (0..z.len()).map(|j| if j == i { 1.0 } else { 0.0 }).collect())
        .find(proof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockMatrix, GlobalProblem};

    /// A ball between two walls that close, in every form: the proof is checked, and found.
    #[test]
    fn jaws_in_every_form() {
        // M = 1, one velocity, which the walls see with opposite signs
        let ball = |b: [f64; 2]| GlobalProblem {
            M: SparseMatrix::from_triplets(1, 1, vec![(0, 0, 1.0)]),
            H: SparseMatrix::from_triplets(1, 2, vec![(0, 0, 1.0), (0, 1, -1.0)]),
            f: vec![0.0],
            b: b.to_vec(),
            laws: vec![Law::unilateral(); 2],
        };
        for (b, without) in [([-1.0, -0.5], true), ([-1.0, 1.0], false), ([-1.0, 1.5], false)] {
            let global = ball(b);
            let sparse = global.condense().expect("a ball has mass");
            let (dense, blocks) = (sparse.dense(), sparse.blocks());
            let bodies = global.over_bodies().expect("a ball has mass").expect("a ball is a body");
            let factored = global.factor().expect("a ball has mass");
            let of_factored = ContactProblem { W_hat: &factored, ..sparse.as_problem() };
            let forms = [
                sparse.as_problem(),
                dense.as_problem(),
                blocks.as_problem(),
                bodies.as_problem(),
                of_factored,
            ];
            for problem in forms {
                assert_eq!(proves_no_answer(&problem, &[2.0, 2.0]), without);
                assert_eq!(impossible(&problem), without);
                // no proofs: a wrong sign, no null vector, nothing, no numbers
                for z in [[-2.0, -2.0], [2.0, 0.0], [2.0, 2.1], [0.0, 0.0], [f64::NAN, 1.0]] {
                    assert!(!proves_no_answer(&problem, &z), "{b:?} {z:?}");
                }
            }
        }
    }

    /// Blocks are walked transposed: the row that nothing raises, not the column.
    #[test]
    fn a_row_by_blocks() {
        let W = SquareMatrix::from_rows(&[vec![0.0, 1.0, -1.0], vec![-1.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0]]);
        let W_hat = BlockMatrix::from_dense(&W, &[1; 3]).expect("rows of one contact each");
        let problem =
            StoredProblem { W_hat, U_free: vec![-1e-4, -1.0, 1.0], laws: vec![Law::unilateral(); 3] };
        assert!(proves_no_answer(&problem.as_problem(), &[0.0, 1.0, 0.0]));
        assert!(!proves_no_answer(&problem.as_problem(), &[1.0, 0.0, 0.0]));
        assert!(impossible(&problem.as_problem()));
    }
}
