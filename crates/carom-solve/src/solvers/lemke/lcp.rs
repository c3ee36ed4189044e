//! Linear complementarity by Lemke's method.                                            \[Lemke1965\], \[Cottle2009\] 4.4
//!
//! ```text
//!   w = M z + q,   w ≥ 0,   z ≥ 0,   wᵀ z = 0
//! ```
//!
//! The covering vector is all ones. Ties in the ratio test are broken lexicographically by the rows of the basis inverse,
//! so the path never repeats; z₀ has no precedence. A pivot is z₀ entering, a complement entering, or z₀ leaving.

use crate::SquareMatrix;
use crate::limits::Deadline;

/// How a path is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// Entries of a column below this do not limit the entering variable; data are expected to be of order one.
    pub pivot: f64,
    /// The same relative to the largest entry of the column: what is below may be rounding alone.
    pub relative_pivot: f64,
    /// How far the covering vector is from all ones, as a fraction.
    pub spread: f64,
    /// z₀ at which the path has arrived: where many solutions meet, z₀ may stay at the rounding and never leave.
    pub arrived: f64,
}

/// The path of the textbook: covering vector of ones.
pub(crate) const PLAIN: Path = Path { pivot: 1e-11, relative_pivot: 0.0, spread: 0.0, arrived: 0.0 };
/// Ratios closer than this, relative to the larger of them and one, are ties.
const TIE: f64 = 1e-13;

/// How a complementarity problem ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcpStatus {
    /// q ≥ 0: z = 0 solves it.
    Trivial,
    /// A complementary solution was found.
    Solution,
    /// A secondary ray: no solution for many classes of M, none within reach for the others.
    Ray,
    /// Too many pivots.
    PivotLimit,
}

/// How a complementarity problem ended, and after how many pivots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LcpReport {
    /// How it ended.
    pub status: LcpStatus,
    /// z₀ entering and leaving included.
    pub pivots: usize,
}

/// Lexicographic Lemke with a reusable tableau.
#[derive(Debug, Default)]
pub struct LcpSolver {
    /// [ B⁻¹ | −B⁻¹M | −B⁻¹e | B⁻¹q ], n rows of 2n + 2.
    tableau: Vec<f64>,
    /// Basic variable of each row: w_i is i, z_i is n + i, z₀ is 2n.
    basis: Vec<usize>,
}

impl LcpSolver {
    /// Solves for z, in at most `max_pivots`. On a ray or at the limit, z is where the path ended.
    pub fn solve(&mut self, M: &SquareMatrix, q: &[f64], z: &mut [f64], max_pivots: usize) -> LcpReport {
        self.follow(PLAIN, M, q, z, max_pivots, Deadline::after(f64::INFINITY))
    }

    /// The same along a path of choice; time that is over counts as too many pivots.
    pub(crate) fn follow(
        &mut self,
        path: Path,
        M: &SquareMatrix,
        q: &[f64],
        z: &mut [f64],
        max_pivots: usize,
        deadline: Deadline,
    ) -> LcpReport {
        let n = q.len();
        z.fill(0.0);
        if q.iter().all(|&q| q >= 0.0) {
            return LcpReport { status: LcpStatus::Trivial, pivots: 0 };
        }
        self.load(M, q, path.spread);
        // z₀ enters where q/d is smallest; of equal rows, the last has the lexicographically smallest row of B⁻¹ = 1.
        let mut row = 0;
        for i in 1..n {
            if q[i] / covering(path.spread, i) <= q[row] / covering(path.spread, row) {
                row = i;
            }
        }
        let mut entering = 2 * n;
        let mut pivots = 0;
        let status = loop {
            let leaving = self.pivot(n, row, entering);
            pivots += 1;
            if leaving == 2 * n {
                break LcpStatus::Solution;
            }
            if self.arrived(n, path) {
                break LcpStatus::Solution;
            }
            if pivots >= max_pivots || deadline.passed() {
                break LcpStatus::PivotLimit;
            }
            // The complement of what left enters.
            entering = if leaving < n { leaving + n } else { leaving - n };
            match self.ratio_test(n, entering, path) {
                Some(next) => row = next,
                None => break LcpStatus::Ray,
            }
        };
        let width = 2 * n + 2;
        for (i, &variable) in self.basis.iter().enumerate() {
            if (n..2 * n).contains(&variable) {
                z[variable - n] = self.tableau[i * width + width - 1].max(0.0);
            }
        }
        LcpReport { status, pivots }
    }

    /// Whether z₀ is zero but for rounding.
    fn arrived(&self, n: usize, path: Path) -> bool {
        let width = 2 * n + 2;
        path.arrived > 0.0
            && self.basis.iter().position(|&variable| variable == 2 * n).is_some_and(|row| {
                let z_0 = self.tableau[row * width + width - 1];
                z_0.abs() <= path.arrived
            })
    }

    fn load(&mut self, M: &SquareMatrix, q: &[f64], spread: f64) {
        let n = q.len();
        let width = 2 * n + 2;
        self.tableau.clear();
        self.tableau.resize(n * width, 0.0);
        self.basis.clear();
        self.basis.extend(0..n);
        for (i, row) in self.tableau.chunks_exact_mut(width).enumerate() {
            row[i] = 1.0;
            for (out, m) in row[n..2 * n].iter_mut().zip(M.row(i)) {
                *out = -m;
            }
            row[2 * n] = -covering(spread, i);
            row[2 * n + 1] = q[i];
        }
    }

    /// Brings `entering` into the basis in this row and returns what left.
    fn pivot(&mut self, n: usize, row: usize, entering: usize) -> usize {
        let width = 2 * n + 2;
        let (above, rest) = self.tableau.split_at_mut(row * width);
        let (pivot_row, below) = rest.split_at_mut(width);
        let inverse = 1.0 / pivot_row[entering];
        pivot_row.iter_mut().for_each(|a| *a *= inverse);
        pivot_row[entering] = 1.0;
        for other in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let factor = other[entering];
            if factor != 0.0 {
                for (a, p) in other.iter_mut().zip(&*pivot_row) {
                    *a -= factor * p;
                }
                other[entering] = 0.0;
            }
        }
        std::mem::replace(&mut self.basis[row], entering)
    }

    /// The row that limits the entering variable first, lexicographically; none on a ray.
    fn ratio_test(&self, n: usize, entering: usize, path: Path) -> Option<usize> {
        let width = 2 * n + 2;
        let row = |i: usize| &self.tableau[i * width..(i + 1) * width];
        let largest = (0..n).fold(0.0_f64, |largest, i| largest.max(row(i)[entering].abs()));
        let smallest = path.pivot.max(path.relative_pivot * largest);
        let tie = |a: f64, b: f64| (a - b).abs() <= TIE * a.abs().max(b.abs()).max(1.0);
        let mut best: Option<usize> = None;
        for i in (0..n).filter(|&i| row(i)[entering] > smallest) {
            let Some(k) = best else {
                best = Some(i);
                continue;
            };
            let ratio = |i: usize, column: usize| row(i)[column] / row(i)[entering];
            let (new, old) = (ratio(i, width - 1), ratio(k, width - 1));
            let better = if !tie(new, old) {
                new < old
            } else {
                let first = (0..n).map(|c| (ratio(i, c), ratio(k, c))).find(|&(new, old)| !tie(new, old));
                first.is_some_and(|(new, old)| new < old)
            };
            if better {
                best = Some(i);
            }
        }
        best
    }
}

/// Entry i of the covering vector: the golden ratio spreads them evenly and in no order.
fn covering(spread: f64, i: usize) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    1.0 + spread * ((i + 1) as f64 * GOLDEN).fract()
}
