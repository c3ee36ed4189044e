//! LU of matrices with the blocks of a [`BlockMatrix`], D × D blocks throughout: 3 × 3, or 5 × 5 with rolling resistance.
//!
//! ```text
//!   K = Πᵀ L U Π,      L_ik = K_ik D_k⁻¹,      K_ij ← K_ij − L_ik U_kj,      D_k the diagonal block when its turn comes
//! ```
//!
//! The pattern of K is symmetric, its values need not be. Contacts are ordered by least degree (`ldl`), pivoting happens
//! inside the diagonal blocks only: right for Ŵ + ρ and for the Jacobians of semismooth Newton methods once a proximal
//! term stands on their diagonal. Contacts with fewer than D rows are filled up with ones on the diagonal.
//! The order is kept as long as the pattern stays; few contacts are taken for all coupled, which needs no order.

use crate::ldl::{order, symbolic};
use crate::{BlockMatrix, Delassus};

/// A D × D block, row by row.
pub(crate) type Block<const D: usize = 3> = [[f64; D]; D];

/// Contacts up to which the pattern is not looked at.
const FEW: usize = 24;
/// Products of blocks beyond which a factor is not worth its time: some ten seconds.
const MOST_PRODUCTS: usize = 400_000_000;
/// Contacts beyond which an order is not sought.
const MOST_CONTACTS: usize = 30_000;

/// Factor and its memory.
#[derive(Debug, Default)]
pub(crate) struct BlockLu<const D: usize = 3> {
    contacts: usize,
    /// The pattern that was analysed: neighbours of all contacts one after the other.
    pattern: Vec<u32>,
    dims: Vec<u8>,
    /// Contacts in the order of elimination, and where each stands in it.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Column starts and rows of L.
    start: Vec<usize>,
    row: Vec<u32>,
    lower: Vec<Block<D>>,
    upper: Vec<Block<D>>,
    /// D, then its inverse.
    diagonal: Vec<Block<D>>,
    x: Vec<[f64; D]>,
}

impl<const D: usize> BlockLu<D> {
    /// Looks at the pattern. False if the factor would be too large.
    pub fn analyse(&mut self, W: &BlockMatrix) -> bool {
        let m = W.contacts();
        debug_assert!((0..m).all(|c| W.dim(c) <= D), "contacts have at most D rows");
        let same = self.contacts == m
            && (0..m).all(|c| usize::from(self.dims[c]) == W.dim(c))
            && (0..m).flat_map(|c| W.neighbours(c)).eq(&self.pattern);
        if same {
            return true;
        }
        self.contacts = m;
        self.dims.clear();
        self.dims.extend((0..m).map(|c| W.dim(c) as u8));
        self.pattern.clear();
        self.pattern.extend((0..m).flat_map(|c| W.neighbours(c)));
        self.order.clear();
        self.start.clear();
        self.row.clear();
        if m <= FEW {
            self.order.extend(0..m as u32);
            for k in 0..m {
                self.start.push(self.row.len());
                self.row.extend(k as u32 + 1..m as u32);
            }
        } else {
            if m > MOST_CONTACTS {
                self.contacts = 0;
                return false;
            }
            let pairs = (0..m as u32).flat_map(|c| W.neighbours(c as usize).iter().map(move |&d| (c, d)));
            let entries: Vec<(u32, u32)> = pairs.collect();
            self.order = order(m, m, &entries);
            let mut place = vec![0; m];
            for (p, &c) in self.order.iter().enumerate() {
                place[c as usize] = p as u32;
            }
            let columns = symbolic(m, &entries, &place);
            let products: usize = columns.iter().map(|column| column.len() * column.len()).sum();
            if products > MOST_PRODUCTS {
                self.contacts = 0;
                return false;
            }
            for column in &columns {
                self.start.push(self.row.len());
                self.row.extend(column);
            }
        }
        self.start.push(self.row.len());
        self.place.resize(m, 0);
        for (p, &c) in self.order.iter().enumerate() {
            self.place[c as usize] = p as u32;
        }
        self.lower.resize(self.row.len(), [[0.0; D]; D]);
        self.upper.resize(self.row.len(), [[0.0; D]; D]);
        self.diagonal.resize(m, [[0.0; D]; D]);
        self.x.resize(m, [0.0; D]);
        true
    }

    /// Writes K: `block` gives the block at (c, d) from that of W, for every stored one, filled up to D rows.
    pub fn load(&mut self, W: &BlockMatrix, block: impl Fn(usize, usize, &Block<D>) -> Block<D>) {
        self.lower.fill([[0.0; D]; D]);
        self.upper.fill([[0.0; D]; D]);
        for c in 0..self.contacts {
            let rows = W.dim(c);
            for (d, numbers) in W.row(c) {
                let columns = W.dim(d);
                let mut full = [[0.0; D]; D];
                for i in 0..rows {
                    full[i][..columns].copy_from_slice(&numbers[i * columns..(i + 1) * columns]);
                }
                let mut K = block(c, d, &full);
                let (p, q) = (self.place[c], self.place[d]);
                match p.cmp(&q) {
                    std::cmp::Ordering::Equal => {
                        (rows..D).for_each(|i| K[i][i] = 1.0);
                        self.diagonal[p as usize] = K;
                    }
                    std::cmp::Ordering::Greater => {
                        let at = self.position(p, q);
                        self.lower[at] = K;
                    }
                    std::cmp::Ordering::Less => {
                        let at = self.position(q, p);
                        self.upper[at] = K;
                    }
                }
            }
        }
    }

    fn position(&self, row: u32, column: u32) -> usize {
        let (from, to) = (self.start[column as usize], self.start[column as usize + 1]);
        from + self.row[from..to].binary_search(&row).expect("L has room for every block")
    }

    /// Factors K. False if a diagonal block is singular or not finite; then nothing may be solved.
    pub fn factor(&mut self) -> bool {
        for k in 0..self.contacts {
            let Some(inverse) = inverse(&self.diagonal[k]) else { return false };
            self.diagonal[k] = inverse;
            let (from, to) = (self.start[k], self.start[k + 1]);
            for a in from..to {
                self.lower[a] = product(&self.lower[a], &inverse);
            }
            for b in from..to {
                let column = self.row[b] as usize;
                let (L_b, U_b) = (self.lower[b], self.upper[b]);
                subtract(&mut self.diagonal[column], &L_b, &U_b);
                // the rows after b are among those of its column, in the same order
                let mut at = self.start[column];
                for a in b + 1..to {
                    while self.row[at] < self.row[a] {
                        at += 1;
                    }
                    let (L_a, U_a) = (self.lower[a], self.upper[a]);
                    subtract(&mut self.lower[at], &L_a, &U_b);
                    subtract(&mut self.upper[at], &L_b, &U_a);
                }
            }
        }
        true
    }

    /// x ← K⁻¹ x, rows as those of the matrix that was analysed.
    pub fn solve(&mut self, W: &BlockMatrix, x: &mut [f64]) {
        for (p, &c) in self.order.iter().enumerate() {
            let from = &x[W.rows_of(c as usize)];
            self.x[p] = [0.0; D];
            self.x[p][..from.len()].copy_from_slice(from);
        }
        for k in 0..self.contacts {
            let x_k = self.x[k];
            for a in self.start[k]..self.start[k + 1] {
                subtract_from(&mut self.x[self.row[a] as usize], &self.lower[a], &x_k);
            }
        }
        for k in (0..self.contacts).rev() {
            let mut sum = self.x[k];
            for a in self.start[k]..self.start[k + 1] {
                subtract_from(&mut sum, &self.upper[a], &self.x[self.row[a] as usize]);
            }
            let inverse = &self.diagonal[k];
            self.x[k] = std::array::from_fn(|i| row_times(&inverse[i], &sum));
        }
        for (p, &c) in self.order.iter().enumerate() {
            let rows = W.rows_of(c as usize);
            let dim = rows.len();
            x[rows].copy_from_slice(&self.x[p][..dim]);
        }
        debug_assert_eq!(x.len(), W.rows());
    }
}

/// a · b, summed from the first entry on.
#[inline]
fn row_times<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let mut sum = a[0] * b[0];
    for k in 1..D {
        sum += a[k] * b[k];
    }
    sum
}

/// A B.
#[inline]
pub(crate) fn product<const D: usize>(A: &Block<D>, B: &Block<D>) -> Block<D> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut sum = A[i][0] * B[0][j];
            for k in 1..D {
                sum += A[i][k] * B[k][j];
            }
            sum
        })
    })
}

/// C ← C − A B.
#[inline]
fn subtract<const D: usize>(C: &mut Block<D>, A: &Block<D>, B: &Block<D>) {
    let AB = product(A, B);
    for (c, ab) in C.as_flattened_mut().iter_mut().zip(AB.as_flattened()) {
        *c -= ab;
    }
}

/// x ← x − A y.
#[inline]
fn subtract_from<const D: usize>(x: &mut [f64; D], A: &Block<D>, y: &[f64; D]) {
    for (x, row) in x.iter_mut().zip(A) {
        *x -= row_times(row, y);
    }
}

/// The inverse by Gauss–Jordan with row pivoting, if there is one.
fn inverse<const D: usize>(A: &Block<D>) -> Option<Block<D>> {
    // [A, 1] becomes [1, A⁻¹]
    let mut rows: [[[f64; D]; 2]; D] = std::array::from_fn(|i| {
        let mut unit = [0.0; D];
        unit[i] = 1.0;
        [A[i], unit]
    });
    for k in 0..D {
        let pivot = (k..D).max_by(|&i, &j| rows[i][0][k].abs().total_cmp(&rows[j][0][k].abs()))?;
        rows.swap(k, pivot);
        let scale = 1.0 / rows[k][0][k];
        if !scale.is_finite() || scale == 0.0 {
            return None;
        }
        rows[k].as_flattened_mut().iter_mut().for_each(|a| *a *= scale);
        let pivot_row = rows[k];
        for (i, row) in rows.iter_mut().enumerate() {
            if i != k {
                let factor = row[0][k];
                let pivots = pivot_row.as_flattened();
                row.as_flattened_mut().iter_mut().zip(pivots).for_each(|(a, p)| *a -= factor * p);
            }
        }
    }
    let inverse: Block<D> = std::array::from_fn(|i| rows[i][1]);
    inverse.as_flattened().iter().all(|a| a.is_finite()).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Delassus;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Rings of contacts with 1 to D rows, few and many, unsymmetric values: the product gives the right-hand side back.
    #[test]
    fn solves() {
        rings::<3>();
        rings::<5>();
    }

    fn rings<const D: usize>() {
        let mut seed = 5;
        let mut lu = BlockLu::<D>::default();
        for contacts in [1, 2, 3, 7, 24, 25, 60, 200] {
            let dims: Vec<usize> = (0..contacts).map(|c| 1 + c % D).collect();
            let mut blocks = Vec::new();
            for c in 0..contacts {
                for d in [c, (c + 1) % contacts, (c + 7) % contacts] {
                    let mut block = |c: usize, d: usize| -> Vec<f64> {
                        let mut x: Vec<f64> = (0..dims[c] * dims[d]).map(|_| noise(&mut seed)).collect();
                        if c == d {
                            (0..dims[c]).for_each(|i| x[i * (dims[c] + 1)] += 20.0);
                        }
                        x
                    };
                    blocks.push((c, d, block(c, d)));
                    if c != d {
                        blocks.push((d, c, block(d, c)));
                    }
                }
            }
            let given = blocks.iter().map(|(c, d, x)| (*c, *d, &x[..]));
            let W = BlockMatrix::from_blocks(&dims, given).expect("it fits");
            assert!(lu.analyse(&W));
            lu.load(&W, |_, _, block| *block);
            assert!(lu.factor());
            let b: Vec<f64> = (0..W.rows()).map(|_| noise(&mut seed)).collect();
            let mut x = b.clone();
            lu.solve(&W, &mut x);
            let mut back = vec![0.0; b.len()];
            W.apply(&x, &mut back);
            let apart = back.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-13, "{contacts} contacts: {apart:e}");
        }
    }

    #[test]
    fn refuses_singular_blocks() {
        let W = BlockMatrix::from_blocks(&[1, 3], [(0, 0, &[1.0][..])]).expect("it fits");
        let mut lu = BlockLu::<3>::default();
        assert!(lu.analyse(&W));
        lu.load(&W, |_, _, block| *block);
        assert!(!lu.factor());
    }
}
