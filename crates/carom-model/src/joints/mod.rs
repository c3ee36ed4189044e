//! Bilateral joints, each a file with its equations.
//!
//! What is written with points alone is here, for any geometry; what needs the angle of the plane is in [`plane`].

mod along;
mod coincident;
mod distance;
mod plane;
mod space;

pub(crate) use along::Along;
pub(crate) use coincident::Coincident;
pub(crate) use distance::Distance;
pub(crate) use plane::*;
pub(crate) use space::*;

use carom_dynamics::{Configuration, Quantity};
use std::fmt::Debug;

/// What a model asks of a joint: Φ, the entries of G, Φ_t and the bias of d²Φ/dt² of its own rows. The entries of G come in
/// one fixed order whatever the configuration, so the same function gives the pattern and the values.
pub trait Rows: Clone + Debug + Send + Sync + 'static {
    /// What each row measures and the word for its reaction.
    fn quantities(&self) -> &'static [(Quantity, &'static str)];

    fn residual(&self, at: &Configuration, phi: &mut [f64]);

    /// Calls `entry(row, column, value)` for every entry of G; rows count from the first row of the element.
    fn jacobian(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64));

    /// Φ_t; most joints do not know time.
    fn rate(&self, at: &Configuration, phi_t: &mut [f64]);

    fn bias(&self, at: &Configuration, bias: &mut [f64]);
}
