//! LU of matrices with the blocks of a [`BlockMatrix`], D × D blocks throughout: 3 × 3, or 5 × 5 with rolling resistance.
//!
//! ```text
//!   K = Πᵀ L U Π,      L_ik = K_ik D_k⁻¹,      K_ij ← K_ij − L_ik U_kj,      D_k the diagonal block when its turn comes
//! ```
//!
//! The pattern of K is symmetric, its values need not be. Contacts are ordered by approximate least degree [Amestoy1996],
//! pivoting happens inside the diagonal blocks only: right for Ŵ + ρ and for the Jacobians of semismooth Newton methods once a
//! proximal term stands on their diagonal. Contacts with fewer than D rows are filled up with ones on the diagonal.
//! The order is kept as long as the pattern stays; where most contacts are coupled none is sought.
//!
//! Neighbouring columns with nearly the same rows form a panel, up to [`WIDEST`] of them, stored as dense rows of L and of Uᵀ. All
//! work is then products of such rows, which lie in memory one after the other:
//!
//! ```text
//!   inside     L_ij ← L_ij − L_i,<j · Uᵀ_j,<j        Uᵀ_ij ← Uᵀ_ij − Uᵀ_i,<j · L_j,<j
//!   later      K_ij ← K_ij − L_i · Uᵀ_j               for rows i, j below the panel, in the panel of the earlier of them
//! ```

use crate::limits::Deadline;
use crate::{BlockMatrix, Delassus};
use carom_linear::dot;
use carom_linear::sparse::symbolic;

/// A D × D block, row by row.
pub(crate) type Block<const D: usize = 3> = [[f64; D]; D];

/// Contacts up to which the pattern is not looked at.
const FEW: usize = 24;
/// Columns of a panel at most: its rows stay in the nearest cache.
const WIDEST: usize = 24;
/// Share of a panel that may be zeros, so that columns with nearly the same rows get together.
const ZEROS: f64 = 0.2;
/// Products of numbers beyond which a factor is not worth its time: some ten seconds.
const MOST_PRODUCTS: usize = 27_000_000_000;
/// Blocks of L beyond which there is no memory for it: some gigabytes with U.
const MOST_BLOCKS: usize = 30_000_000;
/// Rows below a panel from which on the clock is looked at between two of them.
const LONG: usize = 64;

/// Neighbouring columns with the same rows.
#[derive(Clone, Copy, Debug)]
struct Panel {
    first: usize,
    width: usize,
    /// Rows below, in `row`.
    from: usize,
    to: usize,
    /// Where its numbers begin, in `lower` and `upper`.
    data: usize,
}

/// Factor and its memory.
#[derive(Debug, Default)]
pub(crate) struct BlockLu<const D: usize = 3> {
    contacts: usize,
    /// When a factor has to be given up.
    deadline: Deadline,
    /// The pattern that was analysed: neighbours of all contacts one after the other.
    pattern: Vec<u32>,
    dims: Vec<u8>,
    /// Contacts in the order of elimination, and where each stands in it.
    order: Vec<u32>,
    place: Vec<u32>,
    panels: Vec<Panel>,
    /// Panel of each column.
    panel: Vec<u32>,
    row: Vec<u32>,
    /// L and Uᵀ, panel by panel: own rows first, then those below.
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// D⁻¹.
    diagonal: Vec<Block<D>>,
    /// Where the rows below the panel at hand stand in another.
    spots: Vec<usize>,
    x: Vec<f64>,
}

impl<const D: usize> BlockLu<D> {
    /// From now on factors are given up at this time.
    pub fn until(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

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
        self.contacts = 0;
        self.panels.clear();
        self.order.clear();
        self.row.clear();
        let full = m <= FEW || W.blocks() > m * m / 2;
        let found = if full { self.all_coupled(m) } else { self.seek_order(W) };
        if !found {
            return false;
        }
        self.contacts = m;
        self.dims.clear();
        self.dims.extend((0..m).map(|c| W.dim(c) as u8));
        self.pattern.clear();
        self.pattern.extend((0..m).flat_map(|c| W.neighbours(c)));
        self.place.resize(m, 0);
        for (p, &c) in self.order.iter().enumerate() {
            self.place[c as usize] = p as u32;
        }
        self.panel.clear();
        let mut size = 0;
        for (k, panel) in self.panels.iter_mut().enumerate() {
            self.panel.resize(panel.first + panel.width, k as u32);
            panel.data = size;
            size += D * D * panel.width * (panel.width + panel.to - panel.from);
        }
        let longest = self.panels.iter().map(|panel| panel.to - panel.from).max().unwrap_or(0);
        self.spots.resize(longest.max(self.spots.len()), 0);
        self.lower.resize(size, 0.0);
        self.upper.resize(size, 0.0);
        self.diagonal.resize(m, [[0.0; D]; D]);
        self.x.resize(D * m, 0.0);
        true
    }

    /// Panels where every contact is taken for coupled with every other.
    fn all_coupled(&mut self, m: usize) -> bool {
        if (m * m * m / 3).saturating_mul(D * D * D) > MOST_PRODUCTS {
            return false;
        }
        self.order.extend(0..m as u32);
        for first in (0..m).step_by(WIDEST) {
            let (width, from) = (WIDEST.min(m - first), self.row.len());
            self.row.extend((first + width) as u32..m as u32);
            self.panels.push(Panel { first, width, from, to: self.row.len(), data: 0 });
        }
        true
    }

    /// Panels from the pattern.
    fn seek_order(&mut self, W: &BlockMatrix) -> bool {
        let m = W.contacts();
        let Some((order, place, about)) = order_of(W) else { return false };
        if about.lnz > MOST_BLOCKS || about.n_mult_subs_ldl.saturating_mul(D * D * D) > MOST_PRODUCTS {
            return false;
        }
        self.order.extend(order.iter().map(|&c| c as u32));
        let place: Vec<u32> = place.iter().map(|&p| p as u32).collect();
        let pairs = (0..m as u32).flat_map(|c| W.neighbours(c as usize).iter().map(move |&d| (c, d)));
        let columns = symbolic(m, &pairs.collect::<Vec<_>>(), &place);
        let products: usize = columns.iter().map(|column| column.len() * column.len()).sum();
        if products.saturating_mul(D * D * D) > MOST_PRODUCTS {
            return false;
        }
        let mut first = 0;
        while first < m {
            let (mut width, mut filled) = (1, columns[first].len());
            // the next column joins if it is the first row below, and not too many zeros come with it
            while first + width < m
                && width < WIDEST
                && columns[first + width - 1].first() == Some(&((first + width) as u32))
            {
                let below = columns[first + width].len();
                let stored = (width + 1) * width / 2 + (width + 1) * below;
                if ((stored - filled - below) as f64) > ZEROS * stored as f64 {
                    break;
                }
                filled += below;
                width += 1;
            }
            let from = self.row.len();
            self.row.extend(&columns[first + width - 1]);
            self.panels.push(Panel { first, width, from, to: self.row.len(), data: 0 });
            first += width;
        }
        true
    }

    /// Writes K: `block` gives the block at (c, d) from that of W, for every stored one, filled up to D rows.
    pub fn load(&mut self, W: &BlockMatrix, block: impl Fn(usize, usize, &Block<D>) -> Block<D>) {
        self.lower.fill(0.0);
        self.upper.fill(0.0);
        for c in 0..self.contacts {
            let rows = W.dim(c);
            for (d, numbers) in W.row(c) {
                let columns = W.dim(d);
                let mut full = [[0.0; D]; D];
                for i in 0..rows {
                    full[i][..columns].copy_from_slice(&numbers[i * columns..(i + 1) * columns]);
                }
                let mut K = block(c, d, &full);
                if c == d {
                    (rows..D).for_each(|i| K[i][i] = 1.0);
                }
                let (p, q) = (self.place[c], self.place[d]);
                let (at, stride) = self.position(p.max(q), p.min(q));
                // Uᵀ holds what is right of the diagonal
                for i in 0..D {
                    for j in 0..D {
                        if p >= q {
                            self.lower[at + i * stride + j] = K[i][j];
                        } else {
                            self.upper[at + j * stride + i] = K[i][j];
                        }
                    }
                }
            }
        }
    }

    /// Where the block of a row in a column begins, and how far its rows are apart.
    fn position(&self, row: u32, column: u32) -> (usize, usize) {
        let panel = &self.panels[self.panel[column as usize] as usize];
        let (at, stride) = (row as usize - panel.first, D * panel.width);
        let at = if at < panel.width {
            at
        } else {
            let below = &self.row[panel.from..panel.to];
            panel.width + below.binary_search(&row).expect("L has room for every block")
        };
        (panel.data + at * D * stride + D * (column as usize - panel.first), stride)
    }

    /// Factors K. False if a diagonal block is singular or not finite, or time is over; then nothing may be solved.
    pub fn factor(&mut self) -> bool {
        for k in 0..self.panels.len() {
            if self.deadline.passed() || !self.factor_inside(k) || !self.subtract_from_later(k) {
                return false;
            }
        }
        true
    }

    /// The columns of a panel, one after the other.
    fn factor_inside(&mut self, k: usize) -> bool {
        let panel = self.panels[k];
        let stride = D * panel.width;
        let height = panel.width + panel.to - panel.from;
        let lower = &mut self.lower[panel.data..panel.data + D * height * stride];
        let upper = &mut self.upper[panel.data..panel.data + D * height * stride];
        for j in 0..panel.width {
            let done = D * j;
            // what the columns before take from this one
            for i in j..height {
                let at = i * D * stride;
                let sums = dots::<D>(&lower[at..], &upper[j * D * stride..], stride, done);
                take(&mut lower[at + done..], stride, &sums);
                if i > j {
                    let sums = dots::<D>(&upper[at..], &lower[j * D * stride..], stride, done);
                    take(&mut upper[at + done..], stride, &sums);
                }
            }
            let at = j * D * stride + done;
            let D_j: Block<D> = std::array::from_fn(|r| std::array::from_fn(|c| lower[at + r * stride + c]));
            let Some(inverse) = inverse(&D_j) else { return false };
            self.diagonal[panel.first + j] = inverse;
            for i in D * (j + 1)..D * height {
                let row: &mut [f64; D] =
                    (&mut lower[i * stride + done..][..D]).try_into().expect("a block has D columns");
                let old = *row;
                *row = std::array::from_fn(|c| (0..D).map(|r| old[r] * inverse[r][c]).sum());
            }
        }
        true
    }

    /// What a panel takes from those after it. False if time is over.
    fn subtract_from_later(&mut self, k: usize) -> bool {
        let panel = self.panels[k];
        let (stride, below) = (D * panel.width, &self.row[panel.from..panel.to]);
        let end = panel.data + D * stride * (panel.width + below.len());
        let ((lower, later_lower), (upper, later_upper)) =
            (self.lower.split_at_mut(end), self.upper.split_at_mut(end));
        let start = panel.data + D * stride * panel.width;
        let (lower, upper) = (&lower[start..], &upper[start..]);
        let mut known = usize::MAX;
        for (j, &column) in below.iter().enumerate() {
            let to = self.panel[column as usize] as usize;
            let target = self.panels[to];
            if to != known {
                known = to;
                let mut at = target.from;
                for (spot, &row) in self.spots[j..].iter_mut().zip(&below[j..]) {
                    *spot = if (row as usize) < target.first + target.width {
                        row as usize - target.first
                    } else {
                        while self.row[at] < row {
                            at += 1;
                        }
                        target.width + at - target.from
                    };
                }
            }
            let target_stride = D * target.width;
            let left = target.data + D * (column as usize - target.first) - end;
            for i in j..below.len() {
                let at = left + self.spots[i] * D * target_stride;
                let sums = dots::<D>(&lower[i * D * stride..], &upper[j * D * stride..], stride, stride);
                take(&mut later_lower[at..], target_stride, &sums);
                if i > j {
                    let sums = dots::<D>(&upper[i * D * stride..], &lower[j * D * stride..], stride, stride);
                    take(&mut later_upper[at..], target_stride, &sums);
                }
            }
            if below.len() > LONG && self.deadline.passed() {
                return false;
            }
        }
        true
    }

    /// x ← K⁻¹ x, rows as those of the matrix that was analysed.
    pub fn solve(&mut self, W: &BlockMatrix, x: &mut [f64]) {
        let y = &mut self.x[..D * self.contacts];
        for (own, &c) in y.chunks_exact_mut(D).zip(&self.order) {
            let from = &x[W.rows_of(c as usize)];
            own.fill(0.0);
            own[..from.len()].copy_from_slice(from);
        }
        for panel in &self.panels {
            let stride = D * panel.width;
            let (before, after) = y.split_at_mut(D * (panel.first + panel.width));
            let own = &mut before[D * panel.first..];
            let lower = &self.lower[panel.data..];
            for i in D..stride {
                // rows of its own block are D⁻¹, not L
                let known = i / D * D;
                let sum = dot(&lower[i * stride..][..known], &own[..known]);
                own[i] -= sum;
            }
            for (i, &row) in self.row[panel.from..panel.to].iter().enumerate() {
                for r in 0..D {
                    let numbers = &lower[((panel.width + i) * D + r) * stride..][..stride];
                    after[D * (row as usize - panel.first - panel.width) + r] -= dot(numbers, own);
                }
            }
        }
        for panel in self.panels.iter().rev() {
            let stride = D * panel.width;
            let (before, after) = y.split_at_mut(D * (panel.first + panel.width));
            let own = &mut before[D * panel.first..];
            let upper = &self.upper[panel.data..];
            for (i, &row) in self.row[panel.from..panel.to].iter().enumerate() {
                for r in 0..D {
                    let known = after[D * (row as usize - panel.first - panel.width) + r];
                    let numbers = &upper[((panel.width + i) * D + r) * stride..][..stride];
                    own.iter_mut().zip(numbers).for_each(|(x, u)| *x -= u * known);
                }
            }
            for j in (0..panel.width).rev() {
                let (earlier, rest) = own.split_at_mut(D * j);
                let sum: [f64; D] = std::array::from_fn(|r| rest[r]);
                let inverse = &self.diagonal[panel.first + j];
                for r in 0..D {
                    rest[r] = dot(&inverse[r], &sum);
                    let numbers = &upper[(D * j + r) * stride..][..D * j];
                    earlier.iter_mut().zip(numbers).for_each(|(x, u)| *x -= u * rest[r]);
                }
            }
        }
        for (own, &c) in y.chunks_exact(D).zip(&self.order) {
            let rows = W.rows_of(c as usize);
            let dim = rows.len();
            x[rows].copy_from_slice(&own[..dim]);
        }
        debug_assert_eq!(x.len(), W.rows());
    }
}

/// C ← C − sums, for the first block of C.
#[inline(always)]
fn take<const D: usize>(C: &mut [f64], stride: usize, sums: &Block<D>) {
    for (r, sums) in sums.iter().enumerate() {
        C[r * stride..][..D].iter_mut().zip(sums).for_each(|(x, s)| *x -= s);
    }
}

/// Order of elimination, its inverse, and what a factor in that order would be like.
fn order_of(W: &BlockMatrix) -> Option<(Vec<usize>, Vec<usize>, amd::Info)> {
    let m = W.contacts();
    let starts: Vec<usize> = (0..=m)
        .scan(0, |at, c| {
            let now = *at;
            *at += if c < m { W.neighbours(c).len() } else { 0 };
            Some(now)
        })
        .collect();
    let columns: Vec<usize> = (0..m).flat_map(|c| W.neighbours(c)).map(|&d| d as usize).collect();
    amd::order(m, &starts, &columns, &amd::Control::default()).ok()
}

/// Multiplications that a factor of W takes, about, from the order of elimination alone.
pub(crate) fn products_of(W: &BlockMatrix) -> f64 {
    let rows = (0..W.contacts()).map(|c| W.dim(c)).max().unwrap_or(0);
    order_of(W)
        .map_or(f64::INFINITY, |(_, _, about)| about.n_mult_subs_ldl as f64 * (rows * rows * rows) as f64)
}

/// The products of the first D rows of A with those of B, each of this length; two sums at a time.
#[inline(always)]
fn dots<const D: usize>(A: &[f64], B: &[f64], stride: usize, length: usize) -> Block<D> {
    let pairs = length / 2;
    let a: [&[[f64; 2]]; D] = std::array::from_fn(|i| &A[i * stride..][..length].as_chunks::<2>().0[..pairs]);
    let b: [&[[f64; 2]]; D] = std::array::from_fn(|j| &B[j * stride..][..length].as_chunks::<2>().0[..pairs]);
    let mut sums = [[[0.0; 2]; D]; D];
    for k in 0..pairs {
        for i in 0..D {
            for j in 0..D {
                for l in 0..2 {
                    sums[i][j][l] += a[i][k][l] * b[j][k][l];
                }
            }
        }
    }
    // the compiler must not pair sums of different entries instead: it would shuffle more than it adds
    let sums = std::hint::black_box(sums);
    let mut sums: Block<D> = std::array::from_fn(|i| std::array::from_fn(|j| sums[i][j][0] + sums[i][j][1]));
    if length % 2 == 1 {
        for i in 0..D {
            for j in 0..D {
                sums[i][j] += A[i * stride + length - 1] * B[j * stride + length - 1];
            }
        }
    }
    sums
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
