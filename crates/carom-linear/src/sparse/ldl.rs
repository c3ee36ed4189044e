//! Sparse LDLᵀ of saddle points with a fixed pattern.
//!
//! ```text
//!   K = [ A  Gᵀ ]  =  Πᵀ L D Lᵀ Π          A symmetric positive definite,  E ≥ 0 usually zero
//!       [ G  −E ]
//! ```
//!
//! The order Π is found once: least degree first, and a row of G only after every column it touches. All of A then
//! gives positive pivots and what is left is −(G A⁻¹ Gᵀ + E), negative definite if G has full rank, so no pivoting is
//! needed and chains and trees of joints factor without fill beyond their own structure, in time linear in their length.
//! A row of G that depends on rows before it shows as a pivot that cancels: [`Ldl::factor`] counts those.
//!
//! The numeric part is right-looking and knows in advance where every product goes: one list of targets, walked once,
//! no search, no allocation. That list is as long as the number of multiplications, the right trade for mechanisms and
//! chains, where columns are short. Neighbouring columns with the same rows are eliminated together (`supernodes`); long
//! chains without G keep their own order (`chains`).

use super::chains::{Chains, MOST_CHAINS};
use super::supernodes::{self, Elimination, Group};

/// Pivots of G rows smaller than this, relative to the sum of the terms that cancelled in them, count as zero. The
/// relative pivot is the squared sine of the angle between a row and the span of the rows before it, in the metric of
/// A⁻¹, so this is an angle of 1e-6; rounding leaves about 1e-15.
pub const RANK_TOLERANCE: f64 = 1e-12;

/// Unknowns from which on chains are treated as such.
const LONG: usize = 9;

/// Factored sparse saddle point. Unknowns `0..n_primal` belong to A, the rest to G.
#[derive(Clone, Debug)]
pub struct Ldl {
    n: usize,
    n_primal: usize,
    /// place[i] = position of unknown i in the elimination order.
    place: Vec<u32>,
    /// Column starts and rows of L below the diagonal.
    l_start: Vec<u32>,
    l_row: Vec<u32>,
    /// Columns that are eliminated together, and where the products of their entries (p, q ≥ p) are subtracted: the
    /// diagonal of row p first, at nnz + row, then the entries below it.
    groups: Vec<Group>,
    target: Vec<u32>,
    /// Whether the pivot at a place belongs to a row of G.
    dual: Vec<bool>,
    /// Lower triangle of ΠKΠᵀ at the positions of L, then its diagonal.
    a_value: Vec<f64>,
    /// The same of L D while it is made, then L.
    l_value: Vec<f64>,
    d_inv: Vec<f64>,
    /// Sum of the sizes of what was added up in a pivot.
    size: Vec<f64>,
    deficient: Vec<u32>,
    /// Room for a group.
    rows: Vec<[f64; supernodes::WIDEST]>,
    /// In place of L and D where K is made of chains.
    chains: Option<Chains>,
}

/// Where the value of one entry of K goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u32);

impl Ldl {
    /// Analyses the pattern: `entries` are (row, column) of K in either triangle, each pair standing for both. Returns
    /// the factor and a slot per entry; entries that fall on the same place share a slot.
    pub fn new(n_primal: usize, n_dual: usize, entries: &[(u32, u32)]) -> (Self, Vec<Slot>) {
        let n = n_primal + n_dual;
        let stride = stride_of_chains(n, n_dual, entries);
        let order = if stride.is_some() { (0..n as u32).collect() } else { order(n, n_primal, entries) };
        let mut place = vec![0u32; n];
        for (p, &i) in order.iter().enumerate() {
            place[i as usize] = p as u32;
        }
        let columns = match stride {
            Some(s) => (s..n + s).map(|row| if row < n { vec![row as u32] } else { vec![] }).collect(),
            None => {
                let mut columns = symbolic(n, entries, &place);
                supernodes::join(&mut columns);
                columns
            }
        };

        let mut l_start = Vec::with_capacity(n + 1);
        let mut l_row = Vec::new();
        for column in &columns {
            l_start.push(l_row.len() as u32);
            l_row.extend_from_slice(column);
        }
        l_start.push(l_row.len() as u32);
        let nnz = l_row.len();
        let position = |row: u32, column: u32| {
            let from = l_start[column as usize] as usize;
            let to = l_start[column as usize + 1] as usize;
            from + l_row[from..to].binary_search(&row).expect("L has room for every product")
        };
        let groups = if stride.is_some() { vec![] } else { supernodes::groups(&columns) };
        let target = supernodes::targets(&columns, &groups, nnz, position);
        let longest = columns.iter().map(Vec::len).max().unwrap_or(0);

        let slots = entries
            .iter()
            .map(|&(i, j)| {
                let (pi, pj) = (place[i as usize], place[j as usize]);
                let (row, column) = (pi.max(pj), pi.min(pj));
                if row == column {
                    Slot((nnz + row as usize) as u32)
                } else {
                    Slot(position(row, column) as u32)
                }
            })
            .collect();
        let dual = order.iter().map(|&i| i as usize >= n_primal).collect();
        let ldl = Self {
            n,
            n_primal,
            place,
            l_start,
            l_row,
            groups,
            target,
            dual,
            a_value: vec![0.0; nnz + n],
            l_value: vec![0.0; nnz + n],
            d_inv: vec![0.0; n],
            size: vec![0.0; n],
            deficient: Vec::with_capacity(n_dual),
            rows: vec![[0.0; supernodes::WIDEST]; longest],
            chains: stride.map(|s| Chains::new(n, s)),
        };
        (ldl, slots)
    }

    /// Where the entry (i, j) of K goes, if L has room for it.
    pub fn slot(&self, i: usize, j: usize) -> Option<Slot> {
        let (row, column) = (self.place[i].max(self.place[j]), self.place[i].min(self.place[j]));
        let nnz = self.l_row.len();
        if row == column {
            return Some(Slot((nnz + row as usize) as u32));
        }
        let from = self.l_start[column as usize] as usize;
        let to = self.l_start[column as usize + 1] as usize;
        let at = self.l_row[from..to].binary_search(&row).ok()?;
        Some(Slot((from + at) as u32))
    }

    /// Number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Number of entries of L below the diagonal: what a factorisation costs.
    pub fn entries(&self) -> usize {
        self.l_row.len()
    }

    /// Position of unknown i in the vectors that `forward`, `divide` and `backward` work on.
    pub fn place(&self, i: usize) -> usize {
        self.place[i] as usize
    }

    /// Positions of all unknowns.
    pub fn places(&self) -> &[u32] {
        &self.place
    }

    /// Sets all of K to zero.
    pub fn clear(&mut self) {
        self.a_value.fill(0.0);
    }

    /// K += value at the slot.
    #[inline]
    pub fn add(&mut self, slot: Slot, value: f64) {
        self.a_value[slot.0 as usize] += value;
    }

    /// K = value at the slot.
    #[inline]
    pub fn set(&mut self, slot: Slot, value: f64) {
        self.a_value[slot.0 as usize] = value;
    }

    /// Factors K. Pivots of dependent rows of G are left out (their unknown becomes zero) and can be asked for with
    /// [`Ldl::deficient`]. False if A is not positive definite; then nothing may be solved.
    pub fn factor(&mut self) -> bool {
        self.deficient.clear();
        let nnz = self.l_row.len();
        if let Some(chains) = &mut self.chains {
            let (b, d) = self.a_value.split_at(nnz);
            let regular = chains.factor(b, d);
            self.d_inv.copy_from_slice(chains.d_inv());
            return regular;
        }
        self.l_value.copy_from_slice(&self.a_value);
        for (size, pivot) in self.size.iter_mut().zip(&self.l_value[nnz..]) {
            *size = pivot.abs();
        }
        let mut elimination = Elimination {
            start: &self.l_start,
            values: &mut self.l_value,
            d_inv: &mut self.d_inv,
            dual: &self.dual,
            size: &mut self.size,
            deficient: &mut self.deficient,
            target: self.target.iter(),
            rows: &mut self.rows,
        };
        self.groups.iter().all(|&group| elimination.eliminate(group))
    }

    /// Rows of G (numbered from 0) that depend on others, as found by the last factorisation.
    pub fn deficient(&self) -> impl Iterator<Item = usize> + '_ {
        let n_primal = self.n_primal;
        self.deficient.iter().map(move |&p| {
            let i = self.place.iter().position(|&q| q == p).expect("every place has its unknown");
            i - n_primal
        })
    }

    /// Whether the last factorisation found dependent rows of G.
    pub fn is_deficient(&self) -> bool {
        !self.deficient.is_empty()
    }

    /// x ← L⁻¹ x, in places.
    pub fn forward(&self, x: &mut [f64]) {
        if let Some(chains) = &self.chains {
            return chains.forward(x);
        }
        supernodes::forward(&self.groups, &self.l_start, &self.l_row, &self.l_value, x);
    }

    /// L⁻¹ on k right-hand sides at once; `x` holds k numbers per place, `touched` says which places are not zero and
    /// is kept up to date.
    pub fn forward_block(&self, k: usize, x: &mut [f64], touched: &mut [bool]) {
        if let Some(chains) = &self.chains {
            for (j, row, l) in chains.columns() {
                if !touched[j] {
                    continue;
                }
                touched[row] = true;
                for i in 0..k {
                    x[row * k + i] -= l * x[j * k + i];
                }
            }
            return;
        }
        for j in 0..self.n {
            if !touched[j] {
                continue;
            }
            let (from, to) = (self.l_start[j] as usize, self.l_start[j + 1] as usize);
            let (done, rest) = x.split_at_mut((j + 1) * k);
            let x_j = &done[j * k..];
            for (row, &l) in self.l_row[from..to].iter().zip(&self.l_value[from..to]) {
                let row = *row as usize;
                touched[row] = true;
                let at = (row - j - 1) * k;
                for (x_i, x_j) in rest[at..at + k].iter_mut().zip(x_j) {
                    *x_i -= l * x_j;
                }
            }
        }
    }

    /// Completes `places` from index `from` on to all that L⁻¹ x touches where x is zero elsewhere, in ascending order: the
    /// ways up the elimination tree. `seen` is `mark` at the places given, at those found, and nowhere else.
    pub fn reach(&self, from: usize, places: &mut Vec<u32>, seen: &mut [u32], mark: u32) {
        let mut next = from;
        while let Some(&place) = places.get(next) {
            next += 1;
            let column = self.l_start[place as usize]..self.l_start[place as usize + 1];
            // the parent is the first row below the diagonal
            if !column.is_empty() {
                let parent = self.l_row[column.start as usize];
                if seen[parent as usize] != mark {
                    seen[parent as usize] = mark;
                    places.push(parent);
                }
            }
        }
        places[from..].sort_unstable();
    }

    /// L⁻¹ on k right-hand sides at once that are zero outside `places`, which [`Ldl::reach`] has completed; `x` holds k
    /// numbers per place of the whole. Not for chains ([`Ldl::is_in_order`]), where one reaches all.
    pub fn forward_within(&self, k: usize, places: &[u32], x: &mut [f64]) {
        debug_assert!(self.chains.is_none(), "chains have no columns of L");
        for &j in places {
            let j = j as usize;
            let (from, to) = (self.l_start[j] as usize, self.l_start[j + 1] as usize);
            let (done, rest) = x.split_at_mut((j + 1) * k);
            let x_j = &done[j * k..];
            for (row, &l) in self.l_row[from..to].iter().zip(&self.l_value[from..to]) {
                let at = (*row as usize - j - 1) * k;
                for (x_i, x_j) in rest[at..at + k].iter_mut().zip(x_j) {
                    *x_i -= l * x_j;
                }
            }
        }
    }

    /// D⁻¹ at a place; zero where a pivot was left out.
    pub fn d_inv(&self, place: usize) -> f64 {
        self.d_inv[place]
    }

    /// x ← D⁻¹ x.
    pub fn divide(&self, x: &mut [f64]) {
        for (x_j, d) in x.iter_mut().zip(&self.d_inv) {
            *x_j *= d;
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64]) {
        if let Some(chains) = &self.chains {
            return chains.backward(x);
        }
        supernodes::backward(&self.groups, &self.l_start, &self.l_row, &self.l_value, x);
    }

    /// x ← L⁻ᵀ D⁻¹ x.
    pub fn divide_backward(&self, x: &mut [f64]) {
        if let Some(chains) = &self.chains {
            return chains.divide_backward(x);
        }
        self.divide(x);
        self.backward(x);
    }

    /// Whether unknowns stand in their own order: place(i) = i.
    pub fn is_in_order(&self) -> bool {
        self.chains.is_some()
    }

    /// Whether K has a diagonal alone.
    pub fn is_diagonal(&self) -> bool {
        self.l_row.is_empty() && self.chains.is_none()
    }

    /// Solves K x = b, both in the order of the unknowns; `scratch` has n numbers.
    pub fn solve(&self, b: &[f64], x: &mut [f64], scratch: &mut [f64]) {
        if self.is_in_order() {
            x.copy_from_slice(b);
            self.forward(x);
            self.divide_backward(x);
            return;
        }
        for i in 0..self.n {
            scratch[self.place(i)] = b[i];
        }
        self.forward(scratch);
        self.divide_backward(scratch);
        for i in 0..self.n {
            x[i] = scratch[self.place(i)];
        }
    }
}

/// The stride of chains if K is made of long ones, and not just a diagonal with a few entries beside it.
fn stride_of_chains(n: usize, n_dual: usize, entries: &[(u32, u32)]) -> Option<usize> {
    let stride = entries.iter().map(|(i, j)| i.abs_diff(*j) as usize).max()?;
    let coupled = entries.iter().filter(|(i, j)| i != j).map(|(i, j)| i.min(j));
    let chains = n >= LONG
        && n_dual == 0
        && (1..=MOST_CHAINS).contains(&stride)
        && entries.iter().all(|(i, j)| [0, stride].contains(&(i.abs_diff(*j) as usize)))
        && coupled.collect::<std::collections::BTreeSet<_>>().len() >= n / 2;
    chains.then_some(stride)
}

/// Elimination order: least degree among the unknowns that may go, a dual one only when no primal neighbour is left.
/// Ties go to the smaller index; a post-order of the elimination tree then brings what belongs together together.
pub(super) fn order(n: usize, n_primal: usize, entries: &[(u32, u32)]) -> Vec<u32> {
    let mut adjacent: Vec<Vec<u32>> = vec![Vec::new(); n];
    for &(i, j) in entries {
        if i != j {
            adjacent[i as usize].push(j);
            adjacent[j as usize].push(i);
        }
    }
    for list in &mut adjacent {
        list.sort_unstable();
        list.dedup();
    }
    let is_dual = |i: u32| i as usize >= n_primal;
    let primal_left = |adjacent: &[Vec<u32>], i: u32| adjacent[i as usize].iter().any(|&j| !is_dual(j));
    let mut queue: std::collections::BTreeSet<(usize, u32)> = (0..n as u32)
        .filter(|&i| !is_dual(i) || !primal_left(&adjacent, i))
        .map(|i| (adjacent[i as usize].len(), i))
        .collect();
    let mut eliminated = Vec::with_capacity(n);
    while let Some((_, i)) = queue.pop_first() {
        eliminated.push(i);
        let clique = std::mem::take(&mut adjacent[i as usize]);
        for &j in &clique {
            let before = adjacent[j as usize].len();
            queue.remove(&(before, j));
            let mut merged = Vec::with_capacity(before + clique.len());
            merge_without(&adjacent[j as usize], &clique, i, j, &mut merged);
            adjacent[j as usize] = merged;
        }
        for &j in &clique {
            if !is_dual(j) || !primal_left(&adjacent, j) {
                queue.insert((adjacent[j as usize].len(), j));
            }
        }
    }
    post_order(n, entries, &eliminated)
}

/// merged = (a ∪ b) without i and j, sorted.
fn merge_without(a: &[u32], b: &[u32], i: u32, j: u32, merged: &mut Vec<u32>) {
    let (mut x, mut y) = (0, 0);
    while x < a.len() || y < b.len() {
        let next = match (a.get(x), b.get(y)) {
            (Some(&p), Some(&q)) if p == q => {
                x += 1;
                y += 1;
                p
            }
            (Some(&p), Some(&q)) if p < q => {
                x += 1;
                p
            }
            (Some(&p), None) => {
                x += 1;
                p
            }
            (_, Some(&q)) => {
                y += 1;
                q
            }
            (None, None) => unreachable!("the loop ends when both lists do"),
        };
        if next != i && next != j {
            merged.push(next);
        }
    }
}

/// The same elimination tree, children right before their parents.
fn post_order(n: usize, entries: &[(u32, u32)], eliminated: &[u32]) -> Vec<u32> {
    let mut place = vec![0u32; n];
    for (p, &i) in eliminated.iter().enumerate() {
        place[i as usize] = p as u32;
    }
    let columns = symbolic(n, entries, &place);
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut stack = Vec::new();
    for (k, column) in columns.iter().enumerate() {
        match column.first() {
            Some(&parent) => children[parent as usize].push(k as u32),
            None => stack.push((k as u32, 0usize)),
        }
    }
    stack.reverse();
    let mut ordered = Vec::with_capacity(n);
    while let Some((k, next)) = stack.pop() {
        match children[k as usize].get(next) {
            Some(&child) => {
                stack.push((k, next + 1));
                stack.push((child, 0));
            }
            None => ordered.push(eliminated[k as usize]),
        }
    }
    ordered
}

/// Rows of every column of L: column k is that of ΠKΠᵀ joined with those of its children in the elimination tree.
pub fn symbolic(n: usize, entries: &[(u32, u32)], place: &[u32]) -> Vec<Vec<u32>> {
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    for &(i, j) in entries {
        let (pi, pj) = (place[i as usize], place[j as usize]);
        if pi != pj {
            columns[pi.min(pj) as usize].push(pi.max(pj));
        }
    }
    for k in 0..n {
        let mut column = std::mem::take(&mut columns[k]);
        column.sort_unstable();
        column.dedup();
        if let Some(&parent) = column.first() {
            columns[parent as usize].extend(&column[1..]);
        }
        columns[k] = column;
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small reproducible generator: uniform in [-1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Random sparse saddle points: the product with the dense matrix gives the right-hand side back.
    #[test]
    fn solves_random_saddle_points() {
        let mut seed = 1;
        for case in 0..50 {
            let (n_primal, n_dual) = (5 + case % 17, case % 5);
            let n = n_primal + n_dual;
            let mut dense = vec![vec![0.0; n]; n];
            let mut entries = Vec::new();
            for i in 0..n_primal {
                for j in 0..=i {
                    if i == j || noise(&mut seed) > 0.6 {
                        let value = if i == j { 4.0 + n as f64 } else { noise(&mut seed) };
                        dense[i][j] = value;
                        dense[j][i] = value;
                        entries.push((i as u32, j as u32));
                    }
                }
            }
            for i in n_primal..n {
                for j in 0..n_primal {
                    if j == i - n_primal || noise(&mut seed) > 0.5 {
                        let value = noise(&mut seed);
                        dense[i][j] = value;
                        dense[j][i] = value;
                        entries.push((j as u32, i as u32));
                    }
                }
            }
            let (mut ldl, slots) = Ldl::new(n_primal, n_dual, &entries);
            for (&(i, j), &slot) in entries.iter().zip(&slots) {
                ldl.add(slot, dense[i as usize][j as usize]);
            }
            assert!(ldl.factor());
            assert!(!ldl.is_deficient());
            let b: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let (mut x, mut scratch) = (vec![0.0; n], vec![0.0; n]);
            ldl.solve(&b, &mut x, &mut scratch);
            for i in 0..n {
                let sum: f64 = (0..n).map(|j| dense[i][j] * x[j]).sum();
                assert!((sum - b[i]).abs() < 1e-10, "case {case} row {i}: {sum} is not {}", b[i]);
            }
        }
    }

    /// Nodes in a row with k coordinates each, the first of them held by as many rows of G as asked: groups of columns
    /// of every width, with and without rows of G among them.
    #[test]
    fn solves_rows_of_nodes() {
        let mut seed = 7;
        for (nodes, k, held) in [(7, 1, 1), (6, 2, 0), (6, 2, 2), (5, 3, 0), (9, 3, 2), (5, 4, 3), (4, 7, 1)]
        {
            let (n_primal, n) = (nodes * k, nodes * k + held);
            let mut entries = Vec::new();
            for i in 0..n_primal {
                for j in 0..=i {
                    if i / k - j / k <= 1 {
                        entries.push((i as u32, j as u32));
                    }
                }
            }
            entries.extend((0..held).map(|row| ((n_primal + row) as u32, row as u32)));
            let (mut ldl, slots) = Ldl::new(n_primal, held, &entries);
            let mut dense = vec![vec![0.0; n]; n];
            for (&(i, j), &slot) in entries.iter().zip(&slots) {
                let (i, j) = (i as usize, j as usize);
                let value = if i == j { 4.0 * k as f64 } else { noise(&mut seed) };
                (dense[i][j], dense[j][i]) = (value, value);
                ldl.add(slot, value);
            }
            assert!(ldl.factor() && !ldl.is_deficient(), "{nodes} nodes, {k} coordinates");
            let b: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let (mut x, mut scratch) = (vec![0.0; n], vec![0.0; n]);
            ldl.solve(&b, &mut x, &mut scratch);
            for i in 0..n {
                let sum: f64 = (0..n).map(|j| dense[i][j] * x[j]).sum();
                assert!((sum - b[i]).abs() < 1e-11, "{nodes} nodes, {k} coordinates, row {i}: {sum}");
            }
        }
    }

    /// A chain of n links (three velocities, two joint rows each) factors in linear time: the entries of L per link do
    /// not grow.
    #[test]
    fn chains_do_not_fill() {
        let entries_per_link = |links: u32| {
            let mut entries: Vec<(u32, u32)> = (0..3 * links).map(|i| (i, i)).collect();
            for link in 0..links {
                for row in 0..2 {
                    let joint = 3 * links + 2 * link + row;
                    entries.push((joint, 3 * link + row));
                    entries.push((joint, 3 * link + 2));
                    if link > 0 {
                        entries.push((joint, 3 * (link - 1) + row));
                        entries.push((joint, 3 * (link - 1) + 2));
                    }
                }
            }
            Ldl::new(3 * links as usize, 2 * links as usize, &entries).0.entries() as f64 / f64::from(links)
        };
        assert!(entries_per_link(1000) <= 14.0, "{}", entries_per_link(1000));
        assert!((entries_per_link(1000) - entries_per_link(100)).abs() < 0.5);
    }

    /// The same joint twice: one dependent row is found, and the answer still satisfies the constraint.
    #[test]
    fn names_dependent_rows() {
        let entries = [(0, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)];
        let values = [2.0, 3.0, 1.0, 1.0, 2.0, 2.0];
        let (mut ldl, slots) = Ldl::new(2, 2, &entries);
        for (slot, value) in slots.iter().zip(values) {
            ldl.add(*slot, value);
        }
        assert!(ldl.factor());
        assert_eq!(ldl.deficient().count(), 1);
        let (mut x, mut scratch) = ([0.0; 4], [0.0; 4]);
        ldl.solve(&[1.0, 0.0, 0.5, 1.0], &mut x, &mut scratch);
        assert!((x[0] + x[1] - 0.5).abs() < 1e-14);
    }

    /// An indefinite A is refused.
    #[test]
    fn refuses_an_indefinite_block() {
        let (mut ldl, slots) = Ldl::new(1, 0, &[(0, 0)]);
        ldl.add(slots[0], -1.0);
        assert!(!ldl.factor());
    }
}
