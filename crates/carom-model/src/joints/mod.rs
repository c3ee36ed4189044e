//! Bilateral joints, each a file with its equations.
//!
//! What is written with points alone is here, for any geometry; what needs the angle of the plane is in [`plane`], what holds
//! frames in space in [`space`].

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

use crate::mechanics::Named;
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

/// A coordinate that a joint leaves free, as it is recorded.
pub trait Measured: Clone + Debug + Send + Sync + 'static {
    /// Word and unit of the value, then of its rate.
    fn names(&self) -> [Named; 2];

    /// Value and rate.
    fn values(&self, at: &Configuration) -> [f64; 2];
}

/// None: in the plane the coordinates of the bodies say it all.
#[derive(Clone, Copy, Debug)]
pub enum Unmeasured {}

impl Measured for Unmeasured {
    fn names(&self) -> [Named; 2] {
        match *self {}
    }

    fn values(&self, _: &Configuration) -> [f64; 2] {
        match *self {}
    }
}
