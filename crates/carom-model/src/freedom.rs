//! Degrees of freedom and redundant constraints.
//!
//! Rows of G are eliminated one after the other, sparse, each with its largest entry as pivot; columns are scaled by
//! M^(-1/2) and rows to length 1, so that the result does not depend on units. A row of which nothing is left depends on
//! those before it, and going back through the eliminations tells on which.

use crate::linear::Rows;
use crate::mechanics::Mechanics;
use crate::model::Model;
use carom_dynamics::{Configuration, System};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is left of a row of length 1 that counts as nothing.
const DEPENDENT: f64 = 1e-9;

/// A factor this small eliminates nothing of a row of length 1, not even in its last digit.
const NO_FACTOR: f64 = 1e-3 * f64::EPSILON;

/// A row with less than this share of the largest is not among those that a redundant one depends on: round-off of the elimination
/// is far below, what a joint really takes part with far above.
const INVOLVED: f64 = 1e-6;

/// Degrees of freedom, and which constraints are redundant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Velocities minus independent constraints.
    pub degrees_of_freedom: usize,
    /// Independent constraints.
    pub rank: usize,
    /// Rows that depend on rows before them.
    pub redundant: Vec<Redundancy>,
}

/// A row of a joint that other rows imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// The row of Φ.
    pub row: usize,
    /// Its joint and reaction, such as `rod.x`.
    pub name: String,
    /// All joints involved, in order, the joint itself included.
    pub joints: Vec<String>,
}

/// A reduced row with pivot 1, and how it came about: (row − Σ f_k P_k) / pivot.
struct Pivot {
    source: usize,
    entries: Vec<(usize, f64)>,
    pivot: f64,
    used: Vec<(usize, f64)>,
}

pub(crate) fn freedom(model: &Model<impl Mechanics>, q: &[f64]) -> Freedom {
    let at = Configuration::new(model, 0.0, q, &model.v);
    let mut rows = Rows::new(model);
    rows.update(model, &at);
    let (m, n) = (model.sizes().constraints, model.v.len());
    let mut by_row: Vec<Vec<(usize, f64)>> = vec![Vec::new(); m];
    for (i, j, g) in rows.entries() {
        by_row[i].push((j, g * rows.row_scale[i] / model.mass[j].sqrt()));
    }

    let mut pivots: Vec<Pivot> = Vec::new();
    let mut pivot_of: Vec<Option<usize>> = vec![None; n];
    let mut work = vec![0.0; n];
    let mut inside = vec![false; n];
    let mut redundant = Vec::new();
    for (i, row) in by_row.iter().enumerate() {
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
        let pivot_column = columns.iter().copied().max_by(|&a, &b| work[a].abs().total_cmp(&work[b].abs()));
        match pivot_column.filter(|&j| work[j].abs() > DEPENDENT) {
            Some(pivot_column) => {
                let pivot = work[pivot_column];
                let others = columns.iter().filter(|&&j| j != pivot_column && work[j] != 0.0);
                let mut entries = vec![(pivot_column, 1.0)];
                entries.extend(others.map(|&j| (j, work[j] / pivot)));
                pivot_of[pivot_column] = Some(pivots.len());
                pivots.push(Pivot { source: i, entries, pivot, used });
            }
            None => redundant.push(redundancy(model, &pivots, i, &used)),
        }
        for j in columns {
            work[j] = 0.0;
            inside[j] = false;
        }
    }
    Freedom { degrees_of_freedom: n - pivots.len(), rank: pivots.len(), redundant }
}

/// Names the joints that row i depends on: r_i = Σ w_k P_k, unrolled to the rows themselves.
fn redundancy(
    model: &Model<impl Mechanics>,
    pivots: &[Pivot],
    i: usize,
    used: &[(usize, f64)],
) -> Redundancy {
    let mut weight = vec![0.0; pivots.len()];
    for &(k, f) in used {
        weight[k] += f;
    }
    let mut share = vec![0.0; model.sizes().constraints];
    share[i] = 1.0;
    for k in (0..pivots.len()).rev() {
        let w = weight[k] / pivots[k].pivot;
        share[pivots[k].source] = w;
        for &(j, f) in &pivots[k].used {
            weight[j] -= w * f;
        }
    }
    let most = share.iter().fold(0.0, |m: f64, s| m.max(s.abs()));
    let involved = |rows: std::ops::Range<usize>| rows.into_iter().any(|r| share[r].abs() > INVOLVED * most);
    let infos = model.structure.constraints.iter();
    let joints = infos.filter(|c| involved(c.rows.clone())).map(|c| c.name.clone()).collect();
    let info = model
        .structure
        .constraints
        .iter()
        .find(|c| c.rows.contains(&i))
        .expect("every row belongs to a joint");
    let name = format!("{}.{}", info.name, info.quantities[i - info.rows.start].1);
    Redundancy { row: i, name, joints }
}
