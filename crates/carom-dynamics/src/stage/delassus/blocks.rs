//! Ŵ by blocks of contacts, where there are many and most of them share no body.
//!
//! ```text
//!   X_c = L⁻¹ F_c,   Z_c = L⁻¹ W_c,        zero outside R_c, what both reach in the elimination tree of K
//!   Ŵ_cd = Σ_{p ∈ R_c ∩ R_d}  Z_c(p)ᵀ D⁻¹(p) X_d(p)
//! ```
//!
//! A contact reaches the bodies it touches and, of the joints of these, what stands above them in the tree. Where no two
//! contacts share a place their block is zero and is not there: memory and time follow the number of blocks, not the
//! square of the number of contacts. Without F apart from W, Z = X and Ŵ is symmetric to the last bit.

use super::free::Free;
use crate::Directions;
use carom_linear::sparse::Ldl;
use carom_solve::{BlockMatrix, Law};

/// Contacts from which on blocks are looked for. In heaps of disks (`examples/heap_speed.rs`) they are as fast as the full
/// matrix at a dozen contacts, five times at thirty, thirty-five times at two hundred; mechanisms with fewer than these keep
/// their numbers to the last bit.
pub(super) const MANY: usize = 24;
/// Blocks, as part of all that a full matrix would have, from which on the full matrix is the better one.
const FULL: f64 = 0.25;

/// What is formed, and memory for it.
#[derive(Debug, Default)]
pub(in crate::stage) struct Blocks {
    /// Ŵ.
    pub W_hat: BlockMatrix,
    /// First row of each contact in the laws' order, then the number of rows.
    pub(super) first: Vec<u32>,
    /// R_c of all contacts, one after the other: where each begins, then the places, ascending.
    pub(super) start: Vec<u32>,
    pub(super) place: Vec<u32>,
    /// Where the numbers of contact c begin in X and Z: its rows side by side, place after place.
    pub(super) number: Vec<u32>,
    pub(super) X: Vec<f64>,
    Z: Vec<f64>,
    /// The same by place: where each begins, then (contact, where its numbers of this place begin).
    start_at: Vec<u32>,
    at: Vec<(u32, u32)>,
    /// Which contacts each is coupled with: where each begins, then the contacts, ascending.
    pub(super) start_of_row: Vec<u32>,
    pub(super) coupled: Vec<u32>,
    /// Marks of places and of contacts.
    seen: Vec<u32>,
    /// Right-hand sides of one contact, zero between two of them.
    work: Vec<f64>,
    /// Where the block of a contact begins in the row being written.
    offset: Vec<u32>,
    /// Of bodies that nothing holds.
    pub(super) free: Free,
}

impl Blocks {
    /// Forms X, Z and Ŵ for the laws, each of which has its rows of W after the one before it. `F` are the directions of the
    /// impulses where these differ from W. False, with nothing formed, where most contacts are coupled with most others.
    pub fn build(&mut self, ldl: &Ldl, laws: &[Law], W: &Directions, F: Option<&Directions>) -> bool {
        if ldl.is_in_order() || !self.find_blocks(ldl, laws, W, F) {
            return false;
        }
        self.substitute(ldl, F.unwrap_or(W), false);
        if F.is_some() {
            self.substitute(ldl, W, true);
        }
        let (start, coupled) = (&self.start_of_row, &self.coupled);
        self.W_hat.reset(laws.iter().map(Law::dim), |c| &coupled[start[c] as usize..start[c + 1] as usize]);
        self.multiply(ldl, F.is_some());
        true
    }

    /// U_free += Zᵀ D⁻¹ y.
    pub fn add_free_velocity(&self, ldl: &Ldl, y: &[f64], split: bool, U_free: &mut [f64]) {
        let Z = if split { &self.Z } else { &self.X };
        for c in 0..self.contacts() {
            let U = &mut U_free[self.first[c] as usize..self.first[c + 1] as usize];
            for (place, z) in self.lines(c, Z) {
                let y_d = y[place] * ldl.d_inv(place);
                for (U, z) in U.iter_mut().zip(z) {
                    *U += z * y_d;
                }
            }
        }
    }

    /// y += X P.
    pub fn add_impulses(&self, P: &[f64], y: &mut [f64]) {
        for c in 0..self.contacts() {
            let P = &P[self.first[c] as usize..self.first[c + 1] as usize];
            for (place, x) in self.lines(c, &self.X) {
                y[place] += x.iter().zip(P).map(|(x, p)| x * p).sum::<f64>();
            }
        }
    }

    /// The part of Ŵ that belongs to the first rows of some contacts, given by ascending rows.
    pub fn normals(&mut self, rows: impl ExactSizeIterator<Item = usize> + Clone, out: &mut BlockMatrix) {
        let count = rows.len();
        let Self { W_hat, first, start_of_row, coupled, seen, .. } = self;
        let contact = |row: usize| first.partition_point(|&first| first <= row as u32) - 1;
        // the number of each contact among those asked for
        seen.fill(u32::MAX);
        for (i, row) in rows.clone().enumerate() {
            seen[contact(row)] = i as u32;
        }
        start_of_row.clear();
        coupled.clear();
        for row in rows.clone() {
            start_of_row.push(coupled.len() as u32);
            let neighbours = W_hat.neighbours(contact(row)).iter();
            coupled.extend(neighbours.map(|&d| seen[d as usize]).filter(|&j| j != u32::MAX));
        }
        start_of_row.push(coupled.len() as u32);
        let list = |i: usize| &coupled[start_of_row[i] as usize..start_of_row[i + 1] as usize];
        out.reset(std::iter::repeat_n(1, count), list);
        for (i, row) in rows.enumerate() {
            let blocks = W_hat.row(contact(row)).filter(|(d, _)| seen[*d] != u32::MAX);
            for (number, (_, block)) in out.row_mut(i).1.iter_mut().zip(blocks) {
                *number = block[0];
            }
        }
    }

    /// X of the first row of a contact, place by place.
    pub fn column(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let c = self.first.partition_point(|&first| first <= row as u32) - 1;
        self.lines(c, &self.X).map(|(place, x)| (place, x[0]))
    }

    /// Blocks from which on the full matrix is the better one.
    pub(super) fn most_coupled(contacts: usize) -> usize {
        (FULL * (contacts * contacts) as f64) as usize
    }

    fn contacts(&self) -> usize {
        self.first.len() - 1
    }

    /// Places of a contact with its numbers there.
    fn lines<'a>(&'a self, c: usize, numbers: &'a [f64]) -> impl Iterator<Item = (usize, &'a [f64])> {
        let dim = (self.first[c + 1] - self.first[c]) as usize;
        let places = &self.place[self.start[c] as usize..self.start[c + 1] as usize];
        let numbers = &numbers[self.number[c] as usize..][..dim * places.len()];
        places.iter().map(|&place| place as usize).zip(numbers.chunks_exact(dim))
    }

    /// R_c of all contacts, and which of them meet; false if too many do.
    fn find_blocks(&mut self, ldl: &Ldl, laws: &[Law], W: &Directions, F: Option<&Directions>) -> bool {
        let (n, contacts) = (ldl.n(), laws.len());
        let Self { first, start, place, number, start_at, at, start_of_row, coupled, seen, .. } = self;
        first.clear();
        first.push(0);
        first.extend(laws.iter().scan(0, |rows, law| {
            *rows += law.dim() as u32;
            Some(*rows)
        }));
        for list in [&mut *start, &mut *place, &mut *number, &mut *seen, &mut *start_at] {
            list.clear();
        }
        seen.resize(n.max(contacts), u32::MAX);
        start_at.resize(n + 1, 0);
        let mut numbers = 0;
        for c in 0..contacts {
            let from = place.len();
            start.push(from as u32);
            number.push(numbers);
            for row in first[c] as usize..first[c + 1] as usize {
                for directions in [Some(W), F].into_iter().flatten() {
                    for &column in directions.row(row).0 {
                        let p = ldl.place(column as usize);
                        if seen[p] != c as u32 {
                            seen[p] = c as u32;
                            place.push(p as u32);
                        }
                    }
                }
            }
            ldl.reach(from, place, seen, c as u32);
            numbers += (place.len() - from) as u32 * (first[c + 1] - first[c]);
            for &p in &place[from..] {
                start_at[p as usize + 1] += 1;
            }
        }
        start.push(place.len() as u32);
        // by place: contacts stay in order
        for p in 0..n {
            start_at[p + 1] += start_at[p];
        }
        at.clear();
        at.resize(place.len(), (0, 0));
        for c in 0..contacts {
            let mut number = number[c];
            for &p in &place[start[c] as usize..start[c + 1] as usize] {
                let next = &mut start_at[p as usize];
                at[*next as usize] = (c as u32, number);
                *next += 1;
                number += first[c + 1] - first[c];
            }
        }
        // each beginning has moved to the next one's
        start_at.rotate_right(1);
        start_at[0] = 0;
        // contacts that meet at a place
        let most = Self::most_coupled(contacts);
        start_of_row.clear();
        coupled.clear();
        seen.fill(u32::MAX);
        for c in 0..contacts {
            let from = coupled.len();
            start_of_row.push(from as u32);
            for &p in &place[start[c] as usize..start[c + 1] as usize] {
                for &(d, _) in &at[start_at[p as usize] as usize..start_at[p as usize + 1] as usize] {
                    if seen[d as usize] != c as u32 {
                        seen[d as usize] = c as u32;
                        coupled.push(d);
                    }
                }
            }
            coupled[from..].sort_unstable();
            if coupled.len() > most {
                return false;
            }
        }
        start_of_row.push(coupled.len() as u32);
        true
    }

    /// X or Z = L⁻¹ F, contact by contact.
    fn substitute(&mut self, ldl: &Ldl, F: &Directions, velocities: bool) {
        let Self { first, start, place, work, .. } = self;
        let out = if velocities { &mut self.Z } else { &mut self.X };
        out.clear();
        for c in 0..first.len() - 1 {
            let dim = (first[c + 1] - first[c]) as usize;
            let places = &place[start[c] as usize..start[c + 1] as usize];
            if work.len() < dim * ldl.n() {
                work.resize(dim * ldl.n(), 0.0);
            }
            for i in 0..dim {
                let (columns, values) = F.row(first[c] as usize + i);
                for (&column, &value) in columns.iter().zip(values) {
                    work[dim * ldl.place(column as usize) + i] += value;
                }
            }
            ldl.forward_within(dim, places, work);
            for &p in places {
                let line = &mut work[dim * p as usize..dim * (p as usize + 1)];
                out.extend_from_slice(line);
                line.fill(0.0);
            }
        }
    }

    /// Ŵ = Zᵀ D⁻¹ X, row by row of blocks.
    fn multiply(&mut self, ldl: &Ldl, split: bool) {
        let Self { W_hat, first, start, place, number, X, Z, start_at, at, offset, .. } = self;
        let Z = if split { &*Z } else { &*X };
        let contacts = first.len() - 1;
        let dim = |c: usize| (first[c + 1] - first[c]) as usize;
        offset.resize(contacts, 0);
        for c in 0..contacts {
            let rows = dim(c);
            let (coupled, numbers) = W_hat.row_mut(c);
            let mut next = 0;
            for &d in coupled {
                offset[d as usize] = next;
                next += (rows * dim(d as usize)) as u32;
            }
            let mut z_at = number[c] as usize;
            for &p in &place[start[c] as usize..start[c + 1] as usize] {
                let d_inv = ldl.d_inv(p as usize);
                let z = &Z[z_at..z_at + rows];
                z_at += rows;
                for &(d, x_at) in &at[start_at[p as usize] as usize..start_at[p as usize + 1] as usize] {
                    let columns = dim(d as usize);
                    let x = &X[x_at as usize..x_at as usize + columns];
                    let block = &mut numbers[offset[d as usize] as usize..][..rows * columns];
                    for (line, z) in block.chunks_exact_mut(columns).zip(z) {
                        for (w, x) in line.iter_mut().zip(x) {
                            // this order makes Ŵ_dc the transpose of Ŵ_cd
                            *w += z * x * d_inv;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::delassus::dense::{Dense, substitute};
    use carom_solve::Delassus;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Chains of three bodies with three velocities each, held together by two joints of two rows.
    fn chains(count: u32, seed: &mut u64) -> Ldl {
        let (nv, mut entries) = (9 * count, Vec::new());
        for body in 0..3 * count {
            for i in 0..3 {
                entries.extend((0..=i).map(|j| (3 * body + i, 3 * body + j)));
            }
        }
        for joint in 0..2 * count {
            let body = 3 * (joint / 2) + joint % 2;
            for row in 0..2 {
                entries.extend((0..6).map(|k| (nv + 2 * joint + row, 3 * body + k)));
            }
        }
        let (mut ldl, slots) = Ldl::new(nv as usize, 4 * count as usize, &entries);
        for (&(i, j), slot) in entries.iter().zip(slots) {
            ldl.add(slot, if i == j { 4.0 } else { noise(seed) });
        }
        assert!(ldl.factor() && !ldl.is_deficient());
        ldl
    }

    /// Contacts between random bodies of random chains, with one or two rows.
    fn directions(laws: &[Law], bodies: u64, seed: &mut u64, on: u64) -> Directions {
        let (mut W, mut on) = (Directions::default(), on);
        for law in laws {
            on = on.wrapping_mul(6364136223846793005).wrapping_add(1);
            let two = [(on >> 33) % bodies, (on >> 43) % bodies];
            for _ in 0..law.dim() {
                W.begin_row(0.0);
                for body in two {
                    (0..3).for_each(|k| W.push(3 * body as usize + k, noise(seed)));
                }
            }
        }
        W
    }

    /// Blocks, free velocities and what impulses do are those of the full matrix, with F apart from W and without.
    #[test]
    fn blocks_are_those_of_the_full_matrix() {
        let mut seed = 3;
        let mut sparse = Blocks::default();
        for (chains_count, contacts) in [(30, 60), (40, 20), (60, 90)] {
            let ldl = chains(chains_count, &mut seed);
            let law = |c: usize| {
                if c.is_multiple_of(3) { Law::unilateral() } else { Law::planar_coulomb(0.3) }
            };
            let laws: Vec<Law> = (0..contacts).map(law).collect();
            let bodies = 3 * u64::from(chains_count);
            let W = directions(&laws, bodies, &mut seed, 9);
            let other = directions(&laws, bodies, &mut seed, 9);
            let (n, rows) = (ldl.n(), W.rows());
            let y: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let P: Vec<f64> = (0..rows).map(|_| noise(&mut seed)).collect();
            for F in [None, Some(&other)] {
                assert!(sparse.build(&ldl, &laws, &W, F));
                let (mut X, mut Z) = (Vec::new(), Vec::new());
                let (mut touched, mut touched_z) = (vec![false; n], vec![false; n]);
                substitute(&ldl, F.unwrap_or(&W), rows, &mut X, &mut touched);
                substitute(&ldl, &W, rows, &mut Z, &mut touched_z);
                let mut U_free = vec![0.0; rows];
                sparse.add_free_velocity(&ldl, &y, F.is_some(), &mut U_free);
                let mut more = vec![0.0; n];
                sparse.add_impulses(&P, &mut more);
                for i in 0..rows {
                    let sum = |x: &[f64], at: &dyn Fn(usize) -> f64| -> f64 {
                        (0..n).map(|p| x[p * rows + i] * ldl.d_inv(p) * at(p)).sum()
                    };
                    let U = sum(&Z, &|p| y[p]);
                    assert!((U - U_free[i]).abs() < 1e-12, "row {i}: {U} is not {}", U_free[i]);
                    for j in 0..rows {
                        let w = sum(&Z, &|p| X[p * rows + j]);
                        let found = sparse.W_hat.entry(i, j);
                        assert!((w - found).abs() < 1e-12, "({i}, {j}): {found} is not {w}");
                    }
                }
                for p in 0..n {
                    let x: f64 = (0..rows).map(|i| X[p * rows + i] * P[i]).sum();
                    assert!((x - more[p]).abs() < 1e-12, "place {p}: {x} is not {}", more[p]);
                }
            }
            // the symmetric one again, as the stage forms it in full
            assert!(sparse.build(&ldl, &laws, &W, None));
            let (mut full, mut U_free) = (Dense::with_room(n, rows), vec![0.0; rows]);
            full.build(&ldl, &W, None, &y, &mut U_free);
            let full = full.W_hat;
            let dense = sparse.W_hat.to_dense();
            assert!((0..rows).all(|i| (0..rows).all(|j| (dense[(i, j)] - full[(i, j)]).abs() < 1e-12)));
            assert!(sparse.W_hat.blocks() < contacts * contacts / 4);
            assert_eq!(sparse.W_hat.to_sparse().asymmetry(), 0.0);
            // of the normals alone
            let first: Vec<usize> = sparse.first[..contacts].iter().map(|&r| r as usize).step_by(2).collect();
            let mut normals = BlockMatrix::default();
            sparse.normals(first.iter().copied(), &mut normals);
            for (i, &row) in first.iter().enumerate() {
                assert!((0..first.len()).all(|j| normals.entry(i, j) == dense[(row, first[j])]));
            }
        }
    }

    /// One chain couples all that touches it.
    #[test]
    fn what_is_coupled_throughout_stays_full() {
        let mut seed = 3;
        let ldl = chains(1, &mut seed);
        let laws = vec![Law::unilateral(); 50];
        let W = directions(&laws, 3, &mut seed, 9);
        assert!(!Blocks::default().build(&ldl, &laws, &W, None));
    }
}
