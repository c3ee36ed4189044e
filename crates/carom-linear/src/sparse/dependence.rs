//! Which rows of a sparse matrix depend on rows before them, and on which.
//!
//! Rows are eliminated one after the other, each with its largest entry as pivot. A row of which nothing is left depends on
//! those before it, and going back through the eliminations tells on which.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A factor this small eliminates nothing of a row of length 1, not even in its last digit.
const NO_FACTOR: f64 = f64::EPSILON * 1e-3;

/// Rank, and the rows that depend on rows before them.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// Number of independent rows.
    pub rank: usize,
    /// Number of each dependent row, and the shares of all rows in it: 1 its own, the sum of the others gives it.
    pub dependent: Vec<(usize, Vec<f64>)>,
}

/// A reduced row with pivot 1, and how it came about: (row − Σ f_k P_k) / pivot.
struct Pivot {
    source: usize,
    entries: Vec<(usize, f64)>,
    pivot: f64,
    used: Vec<(usize, f64)>,
}

impl Dependence {
    /// Of rows of n columns, given by (column, value). Of rows of length 1 what is left counts as nothing below `nothing`.
    pub fn of(n: usize, rows: &[Vec<(usize, f64)>], nothing: f64) -> Self {
        let mut pivots: Vec<Pivot> = Vec::new();
        let mut pivot_of: Vec<Option<usize>> = vec![None; n];
        let mut work = vec![0.0; n];
        let mut inside = vec![false; n];
        let mut dependent = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let mut columns: Vec<usize> = Vec::new();
            let mut queue = BinaryHeap::new();
            let mut put =
                |work: &mut [f64], columns: &mut Vec<usize>, queue: &mut BinaryHeap<_>, j: usize, g: f64| {
                    if !inside[j] {
                        inside[j] = true;
                        columns.push(j);
                        queue.extend(pivot_of[j].map(Reverse));
                    }
                    work[j] += g;
                };
            for &(j, g) in row {
                put(&mut work, &mut columns, &mut queue, j, g);
            }
            // A pivot row holds no columns of earlier pivots, so going up in number meets each pivot once.
            let mut used = Vec::new();
            while let Some(Reverse(k)) = queue.pop() {
                let Pivot { entries, .. } = &pivots[k];
                let factor = work[entries[0].0];
                if factor.abs() <= NO_FACTOR {
                    work[entries[0].0] = 0.0;
                    continue;
                }
                for &(j, g) in entries {
                    put(&mut work, &mut columns, &mut queue, j, -factor * g);
                }
                work[entries[0].0] = 0.0;
                used.push((k, factor));
            }
            let pivot_column =
                columns.iter().copied().max_by(|&a, &b| work[a].abs().total_cmp(&work[b].abs()));
            match pivot_column.filter(|&j| work[j].abs() > nothing) {
                Some(pivot_column) => {
                    let pivot = work[pivot_column];
                    let others = columns.iter().filter(|&&j| j != pivot_column && work[j] != 0.0);
                    let mut entries = vec![(pivot_column, 1.0)];
                    entries.extend(others.map(|&j| (j, work[j] / pivot)));
                    pivot_of[pivot_column] = Some(pivots.len());
                    pivots.push(Pivot { source: i, entries, pivot, used });
                }
                None => dependent.push((i, shares(&pivots, rows.len(), i, &used))),
            }
            for j in columns {
                work[j] = 0.0;
                inside[j] = false;
            }
        }
        Self { rank: pivots.len(), dependent }
    }
}

/// Shares of all rows in row i: r_i = Σ w_k P_k, unrolled to the rows themselves.
fn shares(pivots: &[Pivot], rows: usize, i: usize, used: &[(usize, f64)]) -> Vec<f64> {
    let mut weight = vec![0.0; pivots.len()];
    for &(k, f) in used {
        weight[k] += f;
    }
    let mut share = vec![0.0; rows];
    share[i] = 1.0;
    for k in (0..pivots.len()).rev() {
        let w = weight[k] / pivots[k].pivot;
        share[pivots[k].source] = w;
        for &(j, f) in &pivots[k].used {
            weight[j] -= w * f;
        }
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row 2 is row 0 minus twice row 1; row 3 stands alone.
    #[test]
    fn names_the_rows_that_others_depend_on() {
        let rows = [
            vec![(0, 0.6), (1, 0.8)],
            vec![(1, 0.1), (2, 0.2)],
            vec![(0, 0.6), (1, 0.6), (2, -0.4)],
            vec![(3, 1.0)],
        ];
        let found = Dependence::of(4, &rows, 1e-9);
        assert_eq!(found.rank, 3);
        let [(2, share)] = &found.dependent[..] else { panic!("{found:?}") };
        let exact = [1.0, -2.0, 1.0, 0.0];
        share.iter().zip(exact).for_each(|(s, e)| assert!((s - e).abs() < 1e-14, "{share:?}"));
    }
}
