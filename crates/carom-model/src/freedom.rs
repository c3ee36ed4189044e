//! Degrees of freedom and redundant constraints.
//!
//! Columns of G are scaled by M^(-1/2) and rows to length 1, so that the result does not depend on units; then
//! [`Dependence`] finds the rows that depend on rows before them, and on which.

use crate::linear::Rows;
use crate::mechanics::Mechanics;
use crate::model::Model;
use carom_dynamics::{Configuration, System};
use carom_linear::sparse::Dependence;

/// What is left of a row of length 1 that counts as nothing.
const DEPENDENT: f64 = 1e-9;

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

pub(crate) fn freedom(model: &Model<impl Mechanics>, q: &[f64]) -> Freedom {
    let at = Configuration::new(model, 0.0, q, &model.v);
    let mut rows = Rows::new(model);
    rows.update(model, &at);
    let (m, n) = (model.structure().sizes.constraints, model.v.len());
    let mut by_row: Vec<Vec<(usize, f64)>> = vec![Vec::new(); m];
    for (i, j, g) in rows.entries() {
        by_row[i].push((j, g * rows.row_scale[i] / model.mass[j].sqrt()));
    }

    let Dependence { rank, dependent } = Dependence::of(n, &by_row, DEPENDENT);
    let redundant = dependent.iter().map(|(row, share)| redundancy(model, *row, share)).collect();
    Freedom { degrees_of_freedom: n - rank, rank, redundant }
}

/// Names the joints that row i depends on, by the shares of all rows in it.
fn redundancy(model: &Model<impl Mechanics>, i: usize, share: &[f64]) -> Redundancy {
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
