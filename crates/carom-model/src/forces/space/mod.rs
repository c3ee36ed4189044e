//! The forces of space.

mod gyroscopic;

pub(crate) use gyroscopic::Gyroscopic;

use super::{Applied, Drive, Smooth, Spring};
use crate::geometry::Space;
use carom_dynamics::{Configuration, Power};

/// Any force element in space.
#[derive(Clone, Debug)]
pub enum SpaceForce {
    Gyroscopic(Gyroscopic),
    Spring(Spring<Space>),
    Applied(Applied<Space>),
    Drive(Drive<Space>),
}

impl Smooth for SpaceForce {
    #[inline]
    fn add(&self, at: &Configuration, h: &mut [f64]) {
        match self {
            SpaceForce::Gyroscopic(force) => force.add(at, h),
            SpaceForce::Spring(force) => force.add(at, h),
            SpaceForce::Applied(force) => force.add(at, h),
            SpaceForce::Drive(force) => force.add(at, h),
        }
    }

    #[inline]
    fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        match self {
            SpaceForce::Gyroscopic(force) => force.tangents(at, entry),
            SpaceForce::Spring(force) => force.tangents(at, entry),
            SpaceForce::Applied(force) => force.tangents(at, entry),
            SpaceForce::Drive(force) => force.tangents(at, entry),
        }
    }

    fn strain(&self, at: &Configuration) -> f64 {
        match self {
            SpaceForce::Spring(force) => force.strain(at),
            SpaceForce::Gyroscopic(_) | SpaceForce::Applied(_) | SpaceForce::Drive(_) => 0.0,
        }
    }

    fn power(&self, at: &Configuration, power: &mut Power) {
        match self {
            SpaceForce::Gyroscopic(_) => {}
            SpaceForce::Spring(force) => power.damping -= force.loss(at),
            SpaceForce::Applied(force) => power.applied += force.power(at),
            SpaceForce::Drive(force) => power.applied += force.power(at),
        }
    }

    fn has_power(&self) -> bool {
        match self {
            SpaceForce::Gyroscopic(_) => false,
            SpaceForce::Spring(force) => force.damping != 0.0,
            SpaceForce::Applied(_) | SpaceForce::Drive(_) => true,
        }
    }
}
