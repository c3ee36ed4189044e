//! The forces of the plane.
//!
//! An element adds to h and gives the entries of K = −∂h/∂q and C = −∂h/∂v in one fixed order whatever the
//! configuration, so the same function gives the pattern and the values. Gravity has no file: it is the constant part
//! of h.

mod torque;
mod torsion_spring;

pub(crate) use torque::Torque;
pub(crate) use torsion_spring::TorsionSpring;

use super::{Applied, Spring};
use carom_dynamics::{Configuration, Power};

/// Any force element.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Spring(Spring),
    TorsionSpring(TorsionSpring),
    Applied(Applied),
    Torque(Torque),
}

impl Element {
    /// h += force of the element.
    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        match self {
            Element::Spring(force) => force.add(at, h),
            Element::TorsionSpring(force) => force.add(at, h),
            Element::Applied(force) => force.add(at, h),
            Element::Torque(force) => force.add(at, h),
        }
    }

    /// Calls `entry(row, column, K, C)`.
    #[inline]
    pub fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        match self {
            Element::Spring(force) => force.tangents(at, entry),
            Element::TorsionSpring(force) => force.tangents(at, entry),
            Element::Applied(force) => force.tangents(at, entry),
            Element::Torque(_) => {}
        }
    }

    /// Strain energy.
    pub fn strain(&self, at: &Configuration) -> f64 {
        match self {
            Element::Spring(force) => force.strain(at),
            Element::TorsionSpring(force) => force.strain(at),
            Element::Applied(_) | Element::Torque(_) => 0.0,
        }
    }

    /// Adds the power of what has no energy.
    pub fn power(&self, at: &Configuration, power: &mut Power) {
        match self {
            Element::Spring(force) => power.damping -= force.loss(at),
            Element::TorsionSpring(force) => power.damping -= force.loss(at),
            Element::Applied(force) => power.applied += force.power(at),
            Element::Torque(force) => power.applied += force.power(at),
        }
    }

    pub fn has_power(&self) -> bool {
        match self {
            Element::Spring(force) => force.damping != 0.0,
            Element::TorsionSpring(force) => force.damping != 0.0,
            Element::Applied(_) | Element::Torque(_) => true,
        }
    }
}
