//! Smooth forces, each a file with its equations.
//!
//! What is written with points alone is here, for any geometry; what needs the angle of the plane is in [`plane`], what needs
//! frames in space in [`space`].

mod applied;
mod drive;
mod plane;
mod space;
mod spring;

pub(crate) use applied::Applied;
pub(crate) use drive::Drive;
pub(crate) use plane::*;
pub(crate) use space::*;
pub(crate) use spring::Spring;

use carom_dynamics::{Configuration, Power};
use std::fmt::Debug;

/// What a model asks of a force. An element adds to h and gives the entries of K = −∂h/∂q and C = −∂h/∂v in one fixed order
/// whatever the configuration, so the same function gives the pattern and the values. Gravity has no file: it is the
/// constant part of h.
pub trait Smooth: Clone + Debug + Send + Sync + 'static {
    /// h += force of the element.
    fn add(&self, at: &Configuration, h: &mut [f64]);

    /// Calls `entry(row, column, K, C)`.
    fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64));

    /// Strain energy.
    fn strain(&self, at: &Configuration) -> f64;

    /// Adds the power of what has no energy.
    fn power(&self, at: &Configuration, power: &mut Power);

    fn has_power(&self) -> bool;

    /// Whether it is what a turning body resists with.
    fn is_gyroscopic(&self) -> bool {
        false
    }
}
