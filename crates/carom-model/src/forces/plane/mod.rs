//! The forces of the plane.

mod torque;
mod torsion_spring;

pub(crate) use torque::Torque;
pub(crate) use torsion_spring::TorsionSpring;

use super::{Applied, Drive, Smooth, Spring};
use crate::gear::Sprung;
use crate::geometry::Plane;
use carom_dynamics::{Configuration, Power};

/// Any force element.
#[derive(Clone, Debug)]
pub enum Element {
    Spring(Spring),
    TorsionSpring(TorsionSpring),
    Applied(Applied),
    Torque(Torque),
    Drive(Drive),
    Gear(Box<Sprung<Plane>>),
}

impl Smooth for Element {
    #[inline]
    fn add(&self, at: &Configuration, h: &mut [f64]) {
        match self {
            Element::Spring(force) => force.add(at, h),
            Element::TorsionSpring(force) => force.add(at, h),
            Element::Applied(force) => force.add(at, h),
            Element::Torque(force) => force.add(at, h),
            Element::Drive(force) => force.add(at, h),
            Element::Gear(force) => force.add(at, h),
        }
    }

    #[inline]
    fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        match self {
            Element::Spring(force) => force.tangents(at, entry),
            Element::TorsionSpring(force) => force.tangents(at, entry),
            Element::Applied(force) => force.tangents(at, entry),
            Element::Torque(_) => {}
            Element::Drive(force) => force.tangents(at, entry),
            Element::Gear(force) => force.tangents(at, entry),
        }
    }

    fn strain(&self, at: &Configuration) -> f64 {
        match self {
            Element::Spring(force) => force.strain(at),
            Element::TorsionSpring(force) => force.strain(at),
            Element::Gear(force) => force.strain(at),
            Element::Applied(_) | Element::Torque(_) | Element::Drive(_) => 0.0,
        }
    }

    fn power(&self, at: &Configuration, power: &mut Power) {
        match self {
            Element::Spring(force) => power.damping -= force.loss(at),
            Element::TorsionSpring(force) => power.damping -= force.loss(at),
            Element::Applied(force) => power.applied += force.power(at),
            Element::Torque(force) => power.applied += force.power(at),
            Element::Drive(force) => power.applied += force.power(at),
            Element::Gear(force) => force.power(at, power),
        }
    }

    fn has_power(&self) -> bool {
        match self {
            Element::Spring(force) => force.damping != 0.0,
            Element::TorsionSpring(force) => force.damping != 0.0,
            Element::Gear(force) => force.has_power(),
            Element::Applied(_) | Element::Torque(_) | Element::Drive(_) => true,
        }
    }
}
