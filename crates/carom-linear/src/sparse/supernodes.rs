//! Neighbouring columns of L with the same rows, eliminated together.
//!
//! Nodes with several coordinates, and the dense ends of every elimination, leave columns j, j+1, … with
//! rows(j) = {j+1} ∪ rows(j+1). A group of W of them subtracts W products at a time from each target:
//!
//! ```text
//!   y_a = column a − Σ_{b<a} l_ab y_b,      l_a = y_a / d_a,      target(p, q) ← target(p, q) − l_0[p] y_0[q] − … − l_{W−1}[p] y_{W−1}[q]
//! ```
//!
//! one visit and one index where column by column there would be W. The operations and their order are those of the
//! columns one by one, to the last bit. Columns with the same rows that do not touch each other (the rates of a body, whose M is diagonal)
//! are made such a group by zeros between them ([`join`]): products with zero change nothing.

use super::ldl::RANK_TOLERANCE;

/// Columns in a group at most.
pub const WIDEST: usize = 3;

/// Neighbouring columns: the first, and how many.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub first: u32,
    pub width: u32,
}

/// Gives neighbouring columns with the same rows the entries between them that make them a group.
pub fn join(columns: &mut [Vec<u32>]) {
    let mut first = 0;
    while first < columns.len() {
        let mut width = 1;
        while width < WIDEST && first + width < columns.len() {
            let next = (first + width) as u32;
            let last = &columns[first + width - 1];
            let touches = last.first() == Some(&next);
            if last.is_empty() || last[usize::from(touches)..] != columns[first + width] {
                break;
            }
            if !touches {
                for (before, column) in columns[first..first + width].iter_mut().enumerate() {
                    // behind the columns of the group that are in it already
                    column.insert(width - 1 - before, next);
                }
            }
            width += 1;
        }
        first += width;
    }
}

/// Cuts the columns of L, given by their rows, into groups.
pub fn groups(columns: &[Vec<u32>]) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut first = 0;
    while first < columns.len() {
        let mut width = 1;
        // what a column has besides its first row is among the rows of that one; as many are all of them
        while width < WIDEST
            && columns[first + width - 1].first() == Some(&((first + width) as u32))
            && columns[first + width - 1].len() == columns[first + width].len() + 1
        {
            width += 1;
        }
        groups.push(Group { first: first as u32, width: width as u32 });
        first += width;
    }
    groups
}

/// Where the products of all groups go: per row p of a group's last column its diagonal, at nnz + row, then the
/// entries (q, p) below it.
pub fn targets(
    columns: &[Vec<u32>],
    groups: &[Group],
    nnz: usize,
    position: impl Fn(u32, u32) -> usize,
) -> Vec<u32> {
    let mut targets = Vec::new();
    for group in groups {
        let rows = &columns[(group.first + group.width - 1) as usize];
        for (p, &row) in rows.iter().enumerate() {
            targets.push((nnz + row as usize) as u32);
            targets.extend(rows[p + 1..].iter().map(|&below| position(below, row) as u32));
        }
    }
    targets
}

/// An elimination under way.
pub struct Elimination<'a> {
    /// Where columns of L begin.
    pub start: &'a [u32],
    /// L D, then L, then the diagonal.
    pub values: &'a mut [f64],
    pub d_inv: &'a mut [f64],
    /// Whether a pivot belongs to a row of G; the sizes of what was added up in those that do.
    pub dual: &'a [bool],
    pub size: &'a mut [f64],
    pub deficient: &'a mut Vec<u32>,
    /// [`targets`], walked through.
    pub target: std::slice::Iter<'a, u32>,
    /// Room for the rows of a group.
    pub rows: &'a mut [[f64; WIDEST]],
}

impl Elimination<'_> {
    /// Eliminates a group; false if its block of A is not positive definite.
    pub fn eliminate(&mut self, group: Group) -> bool {
        let first = group.first as usize;
        match group.width {
            1 => self.one(first),
            2 => self.several::<2>(first),
            _ => self.several::<3>(first),
        }
        .is_some()
    }

    #[inline]
    fn one(&mut self, j: usize) -> Option<()> {
        let nnz = self.values.len() - self.d_inv.len();
        let (from, to) = (self.start[j] as usize, self.start[j + 1] as usize);
        let inverse = invert(j, self.values[nnz + j], self.dual, self.size, self.deficient)?;
        self.d_inv[j] = inverse;
        let (left, right) = self.values.split_at_mut(to);
        let column = &mut left[from..];
        for p in 0..column.len() {
            let scaled = column[p];
            let l = scaled * inverse;
            let term = l * scaled;
            let &diagonal = self.target.next()?;
            right[diagonal as usize - to] -= term;
            if self.dual[diagonal as usize - nnz] {
                self.size[diagonal as usize - nnz] += term.abs();
            }
            let rest = &column[p + 1..];
            for (value, &target) in rest.iter().zip(&mut self.target) {
                right[target as usize - to] -= l * value;
            }
            column[p] = l;
        }
        Some(())
    }

    #[inline]
    fn several<const W: usize>(&mut self, j: usize) -> Option<()> {
        let nnz = self.values.len() - self.d_inv.len();
        let (from, to) = (self.start[j] as usize, self.start[j + W] as usize);
        let m = to - self.start[j + W - 1] as usize;
        let (left, right) = self.values.split_at_mut(to);
        let right = &mut right[..];
        // the columns: rows among themselves, then the rows below
        let mut tail = &mut left[from..];
        let columns: [(&mut [f64], &mut [f64]); W] = std::array::from_fn(|a| {
            let (inner, rest) = std::mem::take(&mut tail).split_at_mut(W - 1 - a);
            let (below, rest) = rest.split_at_mut(m);
            tail = rest;
            (inner, below)
        });
        // among themselves: d on the diagonal, L D, then L beside it
        let pivots = &mut right[nnz + j - to..][..W];
        let mut inner = [[0.0; W]; W];
        for a in 0..W {
            inner[a][a] = pivots[a];
            for b in a + 1..W {
                inner[a][b] = columns[a].0[b - a - 1];
            }
        }
        let mut inverse = [0.0; W];
        for a in 0..W {
            inverse[a] = invert(j + a, inner[a][a], self.dual, self.size, self.deficient)?;
            for b in a + 1..W {
                let scaled = inner[a][b];
                let l = scaled * inverse[a];
                let term = l * scaled;
                inner[b][b] -= term;
                if self.dual[j + b] {
                    self.size[j + b] += term.abs();
                }
                for c in b + 1..W {
                    inner[b][c] -= l * inner[a][c];
                }
                inner[a][b] = l;
                columns[a].0[b - a - 1] = l;
            }
        }
        self.d_inv[j..j + W].copy_from_slice(&inverse);
        // y of the rows below
        let rows = &mut self.rows[..m];
        for (k, y) in rows.iter_mut().enumerate() {
            for a in 0..W {
                let mut value = columns[a].1[k];
                for b in 0..a {
                    value -= inner[b][a] * y[b];
                }
                y[a] = value;
            }
        }
        let target = &mut self.target;
        for p in 0..m {
            let y = rows[p];
            let diagonal = *target.next()? as usize;
            let mut pivot = right[diagonal - to];
            let dual = self.dual[diagonal - nnz];
            let mut l = [0.0; W];
            for a in 0..W {
                l[a] = y[a] * inverse[a];
                let term = l[a] * y[a];
                pivot -= term;
                if dual {
                    self.size[diagonal - nnz] += term.abs();
                }
                columns[a].1[p] = l[a];
            }
            right[diagonal - to] = pivot;
            for (y, &target) in rows[p + 1..].iter().zip(&mut *target) {
                let mut value = right[target as usize - to];
                for a in 0..W {
                    value -= l[a] * y[a];
                }
                right[target as usize - to] = value;
            }
        }
        Some(())
    }
}

/// 1 / pivot; 0 for a row of G that depends on others, none where A is not positive definite.
#[inline]
fn invert(j: usize, pivot: f64, dual: &[bool], size: &[f64], deficient: &mut Vec<u32>) -> Option<f64> {
    let inverse = 1.0 / pivot;
    if dual[j] {
        if pivot.abs() <= RANK_TOLERANCE * size[j] {
            deficient.push(j as u32);
            return Some(0.0);
        }
    } else if !(pivot > 0.0 && inverse > 0.0) {
        return None;
    }
    Some(inverse)
}

/// x ← L⁻¹ x.
pub fn forward(groups: &[Group], start: &[u32], row: &[u32], l: &[f64], x: &mut [f64]) {
    for group in groups {
        let j = group.first as usize;
        match group.width {
            1 => forward_by::<1>(j, start, row, l, x),
            2 => forward_by::<2>(j, start, row, l, x),
            _ => forward_by::<3>(j, start, row, l, x),
        }
    }
}

/// The rows below a group and the W columns of L there.
#[inline(always)]
fn below<'a, const W: usize>(
    j: usize,
    start: &[u32],
    row: &'a [u32],
    l: &'a [f64],
) -> (&'a [u32], [&'a [f64]; W]) {
    let (last, to) = (start[j + W - 1] as usize, start[j + W] as usize);
    let m = to - last;
    let columns = std::array::from_fn(|a| {
        let from = start[j + a] as usize + W - 1 - a;
        &l[from..from + m]
    });
    (&row[last..to], columns)
}

#[inline]
fn forward_by<const W: usize>(j: usize, start: &[u32], row: &[u32], l: &[f64], x: &mut [f64]) {
    let mut own: [f64; W] = std::array::from_fn(|a| x[j + a]);
    if own == [0.0; W] {
        return;
    }
    for a in 0..W {
        for b in a + 1..W {
            own[b] -= l[start[j + a] as usize + b - a - 1] * own[a];
        }
        x[j + a] = own[a];
    }
    let (rows, columns) = below::<W>(j, start, row, l);
    // slices of one length: the loop needs no checks
    let columns = columns.map(|column| &column[..rows.len()]);
    for k in 0..rows.len() {
        let value = &mut x[rows[k] as usize];
        for a in 0..W {
            *value -= columns[a][k] * own[a];
        }
    }
}

/// x ← L⁻ᵀ x.
pub fn backward(groups: &[Group], start: &[u32], row: &[u32], l: &[f64], x: &mut [f64]) {
    for group in groups.iter().rev() {
        let j = group.first as usize;
        match group.width {
            1 => backward_by::<1>(j, start, row, l, x),
            2 => backward_by::<2>(j, start, row, l, x),
            _ => backward_by::<3>(j, start, row, l, x),
        }
    }
}

#[inline]
fn backward_by<const W: usize>(j: usize, start: &[u32], row: &[u32], l: &[f64], x: &mut [f64]) {
    let (rows, columns) = below::<W>(j, start, row, l);
    let mut own: [f64; W] = std::array::from_fn(|a| x[j + a]);
    for a in (0..W).rev() {
        for b in a + 1..W {
            own[a] -= l[start[j + a] as usize + b - a - 1] * own[b];
        }
        for (&row, l) in rows.iter().zip(columns[a]) {
            own[a] -= l * x[row as usize];
        }
        x[j + a] = own[a];
    }
}
