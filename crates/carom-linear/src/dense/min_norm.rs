//! The smallest solution of a small, possibly singular linear system.
//!
//! Gauss–Jordan with complete pivoting stops at the first pivot below the rank tolerance and leaves
//!
//! ```text
//!   x_B + K x_F = b,      |x| smallest:   (1 + KᵀK) x_F = Kᵀ b
//! ```
//!
//! Equations left over are dropped: whether they were consistent shows in the residual of the contact problem. Dependent
//! contacts thus share what they carry evenly instead of at random.

use super::cholesky::{backward, cholesky, forward};

/// Workspace: fill with [`MinNorm::begin`] and [`MinNorm::row_mut`], then [`MinNorm::solve`].
#[derive(Debug, Default)]
pub struct MinNorm {
    n: usize,
    /// The system and its right-hand side, n rows of n + 1.
    A: Vec<f64>,
    /// Which unknown a column stands for.
    order: Vec<usize>,
    /// 1 + KᵀK, then its Cholesky factor.
    gram: Vec<f64>,
    x_F: Vec<f64>,
}

impl MinNorm {
    /// Makes room for systems of up to n unknowns of any rank.
    pub fn grow(&mut self, n: usize) {
        self.A.reserve((n * (n + 1)).saturating_sub(self.A.len()));
        self.order.reserve(n.saturating_sub(self.order.len()));
        self.gram.reserve((n * n).saturating_sub(self.gram.len()));
        self.x_F.reserve(n.saturating_sub(self.x_F.len()));
    }

    /// Starts a system of n unknowns; every row must then be written.
    #[inline]
    pub fn begin(&mut self, n: usize) {
        self.n = n;
        self.A.resize(n * (n + 1), 0.0);
    }

    /// Row i with its right-hand side last.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let width = self.n + 1;
        &mut self.A[i * width..(i + 1) * width]
    }

    /// Writes the smallest solution to x and returns the rank. Pivots below `tolerance` times the first count as zero.
    pub fn solve(&mut self, tolerance: f64, x: &mut Vec<f64>) -> usize {
        let (n, width) = (self.n, self.n + 1);
        self.order.clear();
        self.order.extend(0..n);
        x.resize(n, 0.0);
        let mut rank = 0;
        let mut threshold = 0.0;
        while rank < n {
            let (mut largest, mut at) = (0.0, (rank, rank));
            for i in rank..n {
                for (j, a) in self.A[i * width + rank..i * width + n].iter().enumerate() {
                    if a.abs() > largest {
                        largest = a.abs();
                        at = (i, rank + j);
                    }
                }
            }
            if largest <= threshold || largest == 0.0 {
                break;
            }
            if rank == 0 {
                threshold = tolerance * largest;
            }
            self.pivot(rank, at);
            rank += 1;
        }
        self.complete(rank);
        for k in 0..n {
            x[self.order[k]] = if k < rank { self.A[k * width + n] } else { self.x_F[k - rank] };
        }
        rank
    }

    /// Brings the pivot to (k, k), scales its row to one and clears its column above and below.
    fn pivot(&mut self, k: usize, (row, column): (usize, usize)) {
        let (n, width) = (self.n, self.n + 1);
        if row != k {
            let (upper, lower) = self.A.split_at_mut(row * width);
            upper[k * width..(k + 1) * width].swap_with_slice(&mut lower[..width]);
        }
        if column != k {
            for i in 0..n {
                self.A.swap(i * width + k, i * width + column);
            }
            self.order.swap(k, column);
        }
        let (above, rest) = self.A.split_at_mut(k * width);
        let (pivot_row, below) = rest.split_at_mut(width);
        let inverse = 1.0 / pivot_row[k];
        pivot_row[k + 1..].iter_mut().for_each(|a| *a *= inverse);
        for other in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let factor = other[k];
            if factor != 0.0 {
                for (a, p) in other[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                    *a -= factor * p;
                }
            }
        }
    }

    /// Chooses x_F and moves K x_F to the right-hand side.
    fn complete(&mut self, rank: usize) {
        let (n, width) = (self.n, self.n + 1);
        let free = n - rank;
        self.x_F.resize(free, 0.0);
        if free == 0 {
            return;
        }
        self.gram.resize(free * free, 0.0);
        let A = &self.A;
        let K = |k: usize, f: usize| A[k * width + rank + f];
        for i in 0..free {
            for j in 0..=i {
                let sum: f64 = (0..rank).map(|k| K(k, i) * K(k, j)).sum();
                self.gram[i * free + j] = if i == j { 1.0 + sum } else { sum };
            }
            self.x_F[i] = (0..rank).map(|k| K(k, i) * A[k * width + n]).sum();
        }
        // Cholesky: every pivot is at least 1.
        cholesky(&mut self.gram, free, |_, left| Some(left));
        forward(&self.gram, free, &mut self.x_F);
        backward(&self.gram, free, &mut self.x_F);
        for k in 0..rank {
            let moved: f64 = (0..free).map(|f| self.A[k * width + rank + f] * self.x_F[f]).sum();
            self.A[k * width + n] -= moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MinNorm;

    fn solve(rows: &[&[f64]]) -> (usize, Vec<f64>) {
        let mut system = MinNorm::default();
        let mut x = Vec::new();
        system.begin(rows.len());
        for (i, row) in rows.iter().enumerate() {
            system.row_mut(i).copy_from_slice(row);
        }
        (system.solve(1e-10, &mut x), x)
    }

    fn close(x: &[f64], expected: &[f64]) {
        assert!(x.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{x:?}, not {expected:?}");
    }

    #[test]
    fn regular_system() {
        // 2x + y = 3, x + 3y = 5
        let (rank, x) = solve(&[&[2.0, 1.0, 3.0], &[1.0, 3.0, 5.0]]);
        assert_eq!(rank, 2);
        close(&x, &[0.8, 1.4]);
    }

    #[test]
    fn dependent_rows_share_evenly() {
        // x + y + z = 3 three times: the smallest solution is (1, 1, 1).
        let row: &[f64] = &[1.0, 1.0, 1.0, 3.0];
        let (rank, x) = solve(&[row, row, row]);
        assert_eq!(rank, 1);
        close(&x, &[1.0, 1.0, 1.0]);
    }

    #[test]
    fn smallest_solution_is_orthogonal_to_the_null_space() {
        // Null space (1, −2, 1); the particular solution (1, 0, 0) minus its part along it.
        let (rank, x) = solve(&[&[1.0, 2.0, 3.0, 1.0], &[4.0, 5.0, 6.0, 4.0], &[7.0, 8.0, 9.0, 7.0]]);
        assert_eq!(rank, 2);
        close(&x, &[5.0 / 6.0, 1.0 / 3.0, -1.0 / 6.0]);
    }

    #[test]
    fn zero_system() {
        let (rank, x) = solve(&[&[0.0, 0.0, 0.0], &[0.0, 0.0, 0.0]]);
        assert_eq!(rank, 0);
        close(&x, &[0.0, 0.0]);
    }
}
