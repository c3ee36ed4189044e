//! What a model file may name by its `type`: kinds of joints, forces and flexible bodies, each a file.
//!
//! The file of a kind holds all that the rest of the code knows of it: its data as a model file has them, the dimensions
//! of its numbers, what is wrong with them, and how it is built from elements, where it is attached and what is drawn of
//! it. The equations of the elements are in `joints/`, `forces/` and `bodies/`. A list of the kinds is in the `mod.rs`
//! beside them.

pub mod elastic;
pub mod force;
pub mod joint;
pub mod space;

use crate::check::Check;
use crate::dimension::Numbers;

/// What every kind tells of itself. `Clone`, `serde` and `schemars` give the rest.
pub(crate) trait Described {
    /// Its `type` in a model file.
    fn kind(&self) -> &'static str;

    /// Shows every number with its dimension. Take the data apart field by field, without `..`: then a field that is
    /// added and forgotten here does not compile.
    fn quantities(&mut self, see: &mut dyn Numbers);

    /// The first of its plain numbers that is wrong; `key` is its name.
    fn check(&self, key: &str) -> Check;
}
