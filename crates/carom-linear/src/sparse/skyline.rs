//! LDLᵀ of a sparse symmetric matrix inside its envelope.
//!
//! ```text
//!   Π A Πᵀ = L D Lᵀ          row i of L is kept from its first entry to the diagonal
//!   number of negative D = number of negative eigenvalues of A        (Sylvester)
//! ```
//!
//! The order Π is reverse Cuthill–McKee: beams get a band of a few entries, plane meshes one as wide as the mesh is
//! high. Rows are dense inside the envelope, so the factorisation is made of inner products over contiguous numbers;
//! nothing is pivoted, so that the same factor counts eigenvalues below a shift.

use super::Symmetric;
use crate::dot_8 as dot;

/// Pivots below this share of the diagonal they came from count as zero: some roundings.
const PIVOT_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// Factor of one matrix.
#[derive(Clone, Debug)]
pub struct Skyline {
    /// Position of unknown i.
    place: Vec<usize>,
    /// First column of each row, and where its numbers start; the row ends before the diagonal.
    first: Vec<usize>,
    start: Vec<usize>,
    l: Vec<f64>,
    d: Vec<f64>,
    /// Unknowns whose pivot vanished.
    singular: Vec<usize>,
}

impl Skyline {
    /// Factors the sum of factor · matrix over the terms (all of the same size); unknowns in `held` get the unit row.
    pub fn factor(terms: &[(f64, &Symmetric)], held: &[usize]) -> Self {
        let n = terms[0].1.n();
        let mut is_held = vec![false; n];
        held.iter().for_each(|&i| is_held[i] = true);
        let entries = || {
            terms.iter().flat_map(|&(factor, A)| A.entries().map(move |(i, j, a)| (i, j, factor * a))).filter(
                |&(i, j, a)| if i == j { !is_held[i] } else { a != 0.0 && !is_held[i] && !is_held[j] },
            )
        };
        let order = reverse_cuthill_mckee(n, entries().map(|(i, j, _)| (i, j)));
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(p, &i)| place[i] = p);

        let mut first: Vec<usize> = (0..n).collect();
        for (i, j, _) in entries() {
            let (row, column) = (place[i].max(place[j]), place[i].min(place[j]));
            first[row] = first[row].min(column);
        }
        let mut start = Vec::with_capacity(n + 1);
        let mut length = 0;
        for row in 0..n {
            start.push(length);
            length += row - first[row];
        }
        start.push(length);
        let mut l = vec![0.0; length];
        let mut d = vec![0.0; n];
        held.iter().for_each(|&i| d[place[i]] = 1.0);
        for (i, j, a) in entries() {
            let (row, column) = (place[i].max(place[j]), place[i].min(place[j]));
            if row == column {
                d[row] += a;
            } else {
                l[start[row] + column - first[row]] += a;
            }
        }

        let mut new = Self { place, first, start, l, d, singular: Vec::new() };
        new.eliminate(&order);
        new
    }

    fn eliminate(&mut self, order: &[usize]) {
        for i in 0..self.d.len() {
            let f_i = self.first[i];
            let (above, rest) = self.l.split_at_mut(self.start[i]);
            let row = &mut rest[..i - f_i];
            // u_ij = a_ij − Σ_k u_ik l_jk
            for j in f_i..i {
                let f_j = self.first[j];
                let from = f_i.max(f_j);
                let l_j = &above[self.start[j] + from - f_j..self.start[j + 1]];
                row[j - f_i] -= dot(&row[from - f_i..j - f_i], l_j);
            }
            // l_ij = u_ij / d_j,  d_i = a_ii − Σ_j u_ij l_ij
            let mut d_i = self.d[i];
            let mut size = d_i.abs();
            for (u, d_j) in row.iter_mut().zip(&self.d[f_i..i]) {
                let l = *u / d_j;
                d_i -= *u * l;
                size += (*u * l).abs();
                *u = l;
            }
            if d_i.is_nan() || d_i.abs() <= PIVOT_TOLERANCE * size {
                self.singular.push(order[i]);
                d_i = size.max(f64::MIN_POSITIVE);
            }
            self.d[i] = d_i;
        }
    }

    /// An unknown whose pivot is not positive, if there is one.
    pub fn not_positive(&self) -> Option<usize> {
        self.singular.first().copied().or_else(|| {
            let p = self.d.iter().position(|&d| d.is_nan() || d <= 0.0)?;
            self.place.iter().position(|&q| q == p)
        })
    }

    /// Number of negative pivots.
    pub fn negatives(&self) -> usize {
        self.d.iter().filter(|&&d| d < 0.0).count()
    }

    /// Solves A x = b in place; `scratch` has n numbers.
    pub fn solve(&self, x: &mut [f64], scratch: &mut [f64]) {
        for (i, &p) in self.place.iter().enumerate() {
            scratch[p] = x[i];
        }
        for i in 0..self.d.len() {
            let row = &self.l[self.start[i]..self.start[i + 1]];
            scratch[i] -= dot(row, &scratch[self.first[i]..i]);
        }
        for (y, d) in scratch.iter_mut().zip(&self.d) {
            *y /= d;
        }
        for i in (0..self.d.len()).rev() {
            let y_i = scratch[i];
            let row = &self.l[self.start[i]..self.start[i + 1]];
            for (y, l) in scratch[self.first[i]..i].iter_mut().zip(row) {
                *y -= l * y_i;
            }
        }
        for (i, &p) in self.place.iter().enumerate() {
            x[i] = scratch[p];
        }
    }
}

/// Numbering by breadth-first levels from the edge of the graph, then turned around: a narrow envelope.
fn reverse_cuthill_mckee(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut adjacent: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, j) in pairs {
        if i != j {
            adjacent[i].push(j);
            adjacent[j].push(i);
        }
    }
    for list in &mut adjacent {
        list.sort_unstable();
        list.dedup();
    }
    let degree: Vec<usize> = adjacent.iter().map(Vec::len).collect();
    for list in &mut adjacent {
        list.sort_by_key(|&j| (degree[j], j));
    }
    let mut seen = vec![usize::MAX; n];
    let mut sweep = 0;
    // breadth-first from `root`; returns the order and the number of levels
    let levels = |root: usize, mark: usize, seen: &mut Vec<usize>| {
        let (mut order, mut depth, mut from) = (vec![root], 0, 0);
        seen[root] = mark;
        while from < order.len() {
            let to = order.len();
            depth += 1;
            for at in from..to {
                for &j in &adjacent[order[at]] {
                    if seen[j] != mark {
                        seen[j] = mark;
                        order.push(j);
                    }
                }
            }
            from = to;
        }
        (order, depth)
    };
    let mut done = vec![false; n];
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        if done[i] {
            continue;
        }
        // walk to an unknown from which the graph is deep
        let (mut order, mut depth) = levels(i, sweep, &mut seen);
        loop {
            sweep += 1;
            let far = order[order.len() - 1];
            let (next, deeper) = levels(far, sweep, &mut seen);
            let better = deeper > depth;
            (order, depth) = (next, deeper);
            if !better {
                break;
            }
        }
        sweep += 1;
        order.iter().for_each(|&j| done[j] = true);
        all.extend(order);
    }
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of springs, each unknown tied to its neighbours and to the ground, numbered by columns of stride 7.
    fn grid(width: usize, height: usize, ground: f64) -> Symmetric {
        let n = width * height;
        let number = |x: usize, y: usize| (7 * (x + width * y)) % n;
        let mut triplets = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let i = number(x, y);
                triplets.push((i, i, ground));
                for (a, b) in [(x + 1, y), (x, y + 1)] {
                    if a < width && b < height {
                        let j = number(a, b);
                        triplets.extend([(i, i, 1.0), (j, j, 1.0), (i, j, -1.0)]);
                    }
                }
            }
        }
        Symmetric::from_triplets(n, triplets)
    }

    #[test]
    fn solves_what_it_factored() {
        let A = grid(9, 11, 0.3);
        let factor = Skyline::factor(&[(1.0, &A)], &[]);
        assert_eq!(factor.not_positive(), None);
        let x: Vec<f64> = (0..99).map(|i| (i as f64 * 0.7).sin()).collect();
        let mut b = vec![0.0; 99];
        A.add_product(1.0, &x, &mut b);
        factor.solve(&mut b, &mut [0.0; 99]);
        for (x, b) in x.iter().zip(&b) {
            assert!((x - b).abs() < 1e-12, "{x} {b}");
        }
    }

    /// The envelope of a scrambled strip is as narrow as the strip.
    #[test]
    fn the_envelope_is_narrow() {
        let factor = Skyline::factor(&[(1.0, &grid(5, 101, 1.0))], &[]);
        assert!(factor.l.len() <= 505 * 8, "{}", factor.l.len());
    }

    /// Eigenvalues of the grid are known: 2 − 2 cos(πi/w) + 2 − 2 cos(πj/h). Negative pivots count those below a shift.
    #[test]
    fn counts_eigenvalues_below_a_shift() {
        let (w, h) = (5usize, 9usize);
        let A = grid(w, h, 0.0);
        let one = Symmetric::from_triplets(w * h, (0..w * h).map(|i| (i, i, 1.0)));
        let mut exact = Vec::new();
        for i in 0..w {
            for j in 0..h {
                let part =
                    |k: usize, n: usize| 2.0 - 2.0 * (std::f64::consts::PI * k as f64 / n as f64).cos();
                exact.push(part(i, w) + part(j, h));
            }
        }
        for shift in [-0.1, 0.05, 0.77, 2.03, 5.1, 9.0] {
            let factor = Skyline::factor(&[(1.0, &A), (-shift, &one)], &[]);
            assert_eq!(factor.negatives(), exact.iter().filter(|&&e| e < shift).count(), "below {shift}");
        }
    }

    /// A floating grid is singular, and says where; held at one place it is not.
    #[test]
    fn a_floating_grid_is_singular() {
        let A = grid(4, 5, 0.0);
        assert!(Skyline::factor(&[(1.0, &A)], &[]).not_positive().is_some());
        assert_eq!(Skyline::factor(&[(1.0, &A)], &[3]).not_positive(), None);
    }
}
