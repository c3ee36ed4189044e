//! Sparse LU of saddle points that are not symmetric, with a symmetric fixed pattern.
//!
//! ```text
//!   K = [ A  Fᵀ ]  =  Πᵀ L U Π          A + Aᵀ positive definite,  F and G close to each other,  E ≥ 0 usually zero
//!       [ G  −E ]
//! ```
//!
//! Half-explicit methods push along the directions F where a stage begins and hold velocities along G where it ends. The
//! order Π is that of [`Ldl`](super::Ldl): a row of G only after every column it touches, so no pivoting is needed as long
//! as the directions turn by less than a right angle within a stage. A row that depends on rows before it shows as a pivot
//! that cancels, and is left out; so is none that the caller regularises with E.

use super::ldl::{RANK_TOLERANCE, order, symbolic};

/// Factored sparse matrix. Unknowns `0..n_primal` belong to A, the rest to G.
#[derive(Clone, Debug)]
pub struct Lu {
    n: usize,
    place: Vec<u32>,
    /// Column starts and rows of L below the diagonal; the rows of U are the same, mirrored.
    start: Vec<u32>,
    row: Vec<u32>,
    /// For every column k and every pair a > b of its rows: the position of (row_a, row_b).
    target: Vec<u32>,
    dual: Vec<bool>,
    /// K: lower entries, upper entries at the mirrored positions, diagonal.
    a_value: Vec<f64>,
    /// The same of L (unit diagonal) and U.
    value: Vec<f64>,
    d_inv: Vec<f64>,
    size: Vec<f64>,
    deficient: bool,
    scratch: Vec<f64>,
}

/// Where the value of one entry of K goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LuSlot(u32);

impl Lu {
    /// Analyses the pattern: `entries` are (row, column) of K; where one stands its mirror image may too. Returns the
    /// factor and a slot per entry; entries that fall on the same place share a slot.
    pub fn new(n_primal: usize, n_dual: usize, entries: &[(u32, u32)]) -> (Self, Vec<LuSlot>) {
        let n = n_primal + n_dual;
        let order = order(n, n_primal, entries);
        let mut place = vec![0u32; n];
        for (p, &i) in order.iter().enumerate() {
            place[i as usize] = p as u32;
        }
        let columns = symbolic(n, entries, &place);
        let mut start = Vec::with_capacity(n + 1);
        let mut row = Vec::new();
        for column in &columns {
            start.push(row.len() as u32);
            row.extend_from_slice(column);
        }
        start.push(row.len() as u32);
        let nnz = row.len();
        let position = |r: u32, c: u32| {
            let (from, to) = (start[c as usize] as usize, start[c as usize + 1] as usize);
            from + row[from..to].binary_search(&r).expect("L has room for every product")
        };
        let mut target = Vec::new();
        for column in &columns {
            for (a, &r) in column.iter().enumerate() {
                target.extend(column[..a].iter().map(|&c| position(r, c) as u32));
            }
        }
        let slots = entries
            .iter()
            .map(|&(i, j)| {
                let (r, c) = (place[i as usize], place[j as usize]);
                LuSlot(match r.cmp(&c) {
                    std::cmp::Ordering::Equal => 2 * nnz as u32 + r,
                    std::cmp::Ordering::Greater => position(r, c) as u32,
                    std::cmp::Ordering::Less => (nnz + position(c, r)) as u32,
                })
            })
            .collect();
        let lu = Self {
            n,
            start,
            row,
            target,
            dual: order.iter().map(|&i| i as usize >= n_primal).collect(),
            place,
            a_value: vec![0.0; 2 * nnz + n],
            value: vec![0.0; 2 * nnz + n],
            d_inv: vec![0.0; n],
            size: vec![0.0; n],
            deficient: false,
            scratch: vec![0.0; n],
        };
        (lu, slots)
    }

    /// Number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Sets all of K to zero.
    pub fn clear(&mut self) {
        self.a_value.fill(0.0);
    }

    /// K += value at the slot.
    #[inline]
    pub fn add(&mut self, slot: LuSlot, value: f64) {
        self.a_value[slot.0 as usize] += value;
    }

    /// K = value at the slot.
    #[inline]
    pub fn set(&mut self, slot: LuSlot, value: f64) {
        self.a_value[slot.0 as usize] = value;
    }

    /// Factors K. False if a pivot of A is not positive, or a number is not finite; then nothing may be solved.
    pub fn factor(&mut self) -> bool {
        let nnz = self.row.len();
        self.value.copy_from_slice(&self.a_value);
        self.deficient = false;
        let (lower, rest) = self.value.split_at_mut(nnz);
        let (upper, diagonal) = rest.split_at_mut(nnz);
        for (size, pivot) in self.size.iter_mut().zip(&*diagonal) {
            *size = pivot.abs();
        }
        let mut target = self.target.iter();
        for k in 0..self.n {
            let pivot = diagonal[k];
            if !pivot.is_finite() || (!self.dual[k] && pivot <= 0.0) {
                return false;
            }
            let cancels = self.dual[k] && pivot.abs() <= RANK_TOLERANCE * self.size[k];
            self.deficient |= cancels;
            let d_inv = if cancels { 0.0 } else { 1.0 / pivot };
            self.d_inv[k] = d_inv;
            let (from, to) = (self.start[k] as usize, self.start[k + 1] as usize);
            for a in from..to {
                lower[a] *= d_inv;
                let (l_a, u_a) = (lower[a], upper[a]);
                let r = self.row[a] as usize;
                diagonal[r] -= l_a * u_a;
                self.size[r] += (l_a * u_a).abs();
                for b in from..a {
                    let at = *target.next().expect("one target per pair") as usize;
                    lower[at] -= l_a * upper[b];
                    upper[at] -= lower[b] * u_a;
                }
            }
        }
        true
    }

    /// Whether the last factorisation left out a pivot that cancelled.
    pub fn is_deficient(&self) -> bool {
        self.deficient
    }

    /// x ← K⁻¹ x, in the order of the unknowns.
    pub fn solve(&mut self, x: &mut [f64]) {
        let mut y = std::mem::take(&mut self.scratch);
        self.solve_with(x, &mut y);
        self.scratch = y;
    }

    /// The same with memory of the caller, n numbers.
    pub fn solve_with(&self, x: &mut [f64], y: &mut [f64]) {
        let nnz = self.row.len();
        let (lower, upper) = (&self.value[..nnz], &self.value[nnz..2 * nnz]);
        for (x, &p) in x.iter().zip(&self.place) {
            y[p as usize] = *x;
        }
        for k in 0..self.n {
            let y_k = y[k];
            if y_k != 0.0 {
                let (from, to) = (self.start[k] as usize, self.start[k + 1] as usize);
                for (&r, l) in self.row[from..to].iter().zip(&lower[from..to]) {
                    y[r as usize] -= l * y_k;
                }
            }
        }
        for k in (0..self.n).rev() {
            let (from, to) = (self.start[k] as usize, self.start[k + 1] as usize);
            let mut sum = y[k];
            for (&c, u) in self.row[from..to].iter().zip(&upper[from..to]) {
                sum -= u * y[c as usize];
            }
            y[k] = sum * self.d_inv[k];
        }
        for (x, &p) in x.iter_mut().zip(&self.place) {
            *x = y[p as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small reproducible generator: uniform in [-1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Random saddle points with F ≠ G: the product with the dense matrix gives the right-hand side back.
    #[test]
    fn solves_random_unsymmetric_saddle_points() {
        let mut seed = 3;
        for case in 0..50 {
            let (n_primal, n_dual) = (5 + case % 17, case % 5);
            let n = n_primal + n_dual;
            let mut dense = vec![vec![0.0; n]; n];
            let mut entries = Vec::new();
            for i in 0..n {
                for j in 0..n {
                    let (dual_i, dual_j) = (i >= n_primal, j >= n_primal);
                    if dual_i && dual_j || (i != j && noise(&mut seed) < 0.5) {
                        continue;
                    }
                    entries.push((i as u32, j as u32));
                    let value = noise(&mut seed);
                    dense[i][j] = match (dual_i, dual_j) {
                        (false, false) if i == j => 4.0 + n as f64,
                        // rows of G near those of F
                        (true, false) => dense[j][i] + 0.1 * value,
                        _ => value,
                    };
                }
            }
            // every row of G has an entry of its own
            for i in n_primal..n {
                let j = i - n_primal;
                for (r, c) in [(i, j), (j, i)] {
                    if !entries.contains(&(r as u32, c as u32)) {
                        entries.push((r as u32, c as u32));
                    }
                    dense[r][c] = 3.0;
                }
            }
            let (mut lu, slots) = Lu::new(n_primal, n_dual, &entries);
            for (&(i, j), &slot) in entries.iter().zip(&slots) {
                lu.add(slot, dense[i as usize][j as usize]);
            }
            assert!(lu.factor() && !lu.is_deficient(), "case {case}");
            let b: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let mut x = b.clone();
            lu.solve(&mut x);
            for i in 0..n {
                let sum: f64 = (0..n).map(|j| dense[i][j] * x[j]).sum();
                assert!((sum - b[i]).abs() < 1e-10, "case {case} row {i}: {sum} is not {}", b[i]);
            }
        }
    }

    /// The same row of G twice: it is seen, and the answer still satisfies it.
    #[test]
    fn leaves_out_dependent_rows() {
        let entries = [(0, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (0, 2), (1, 2), (0, 3), (1, 3)];
        let values = [2.0, 3.0, 1.0, 1.0, 2.0, 2.0, 1.0, 0.9, 2.0, 1.8];
        let (mut lu, slots) = Lu::new(2, 2, &entries);
        for (slot, value) in slots.iter().zip(values) {
            lu.add(*slot, value);
        }
        assert!(lu.factor() && lu.is_deficient());
        let mut x = [1.0, 0.0, 0.5, 1.0];
        lu.solve(&mut x);
        assert!((x[0] + x[1] - 0.5).abs() < 1e-14);
    }
}
