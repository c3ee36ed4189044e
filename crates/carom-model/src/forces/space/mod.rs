//! The forces of space.

mod along;
mod bushing;
mod coordinate_spring;
mod gyroscopic;
mod known;
mod motor;
#[cfg(test)]
mod tests;
mod torque;

pub(crate) use bushing::{Bushing, M6};
pub(crate) use coordinate_spring::CoordinateSpring;
pub(crate) use gyroscopic::Gyroscopic;
pub(crate) use known::Spin;
pub(crate) use motor::Motor;
pub(crate) use torque::SpaceTorque;

use super::{Applied, Drive, Smooth, Spring};
use crate::gear::Sprung;
use crate::geometry::Space;
use carom_dynamics::{Configuration, Power};

/// Any force element of space.
#[derive(Clone, Debug)]
pub enum SpaceForce {
    Gyroscopic(Gyroscopic),
    Spring(Spring<Space>),
    Applied(Applied<Space>),
    Torque(SpaceTorque),
    CoordinateSpring(CoordinateSpring),
    Motor(Motor),
    Bushing(Box<Bushing>),
    Drive(Drive<Space>),
    Gear(Box<Sprung<Space>>),
}

macro_rules! each {
    ($self:expr, $force:ident => $call:expr) => {
        match $self {
            SpaceForce::Gyroscopic($force) => $call,
            SpaceForce::Spring($force) => $call,
            SpaceForce::Applied($force) => $call,
            SpaceForce::Torque($force) => $call,
            SpaceForce::CoordinateSpring($force) => $call,
            SpaceForce::Motor($force) => $call,
            SpaceForce::Bushing($force) => $call,
            SpaceForce::Drive($force) => $call,
            SpaceForce::Gear($force) => $call,
        }
    };
}

impl Smooth for SpaceForce {
    #[inline]
    fn add(&self, at: &Configuration, h: &mut [f64]) {
        each!(self, force => force.add(at, h))
    }

    #[inline]
    fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        each!(self, force => force.tangents(at, entry))
    }

    fn strain(&self, at: &Configuration) -> f64 {
        match self {
            SpaceForce::Spring(force) => force.strain(at),
            SpaceForce::CoordinateSpring(force) => force.strain(at),
            SpaceForce::Bushing(force) => force.strain(at),
            SpaceForce::Gear(force) => force.strain(at),
            SpaceForce::Gyroscopic(_)
            | SpaceForce::Applied(_)
            | SpaceForce::Torque(_)
            | SpaceForce::Motor(_)
            | SpaceForce::Drive(_) => 0.0,
        }
    }

    fn power(&self, at: &Configuration, power: &mut Power) {
        match self {
            SpaceForce::Gyroscopic(_) => {}
            SpaceForce::Spring(force) => power.damping -= force.loss(at),
            SpaceForce::CoordinateSpring(force) => power.damping -= force.loss(at),
            SpaceForce::Bushing(force) => power.damping -= force.loss(at),
            SpaceForce::Applied(force) => power.applied += force.power(at),
            SpaceForce::Torque(force) => power.applied += force.power(at),
            SpaceForce::Motor(force) => power.applied += force.power(at),
            SpaceForce::Drive(force) => power.applied += force.power(at),
            SpaceForce::Gear(force) => force.power(at, power),
        }
    }

    fn is_gyroscopic(&self) -> bool {
        matches!(self, SpaceForce::Gyroscopic(_))
    }

    fn has_power(&self) -> bool {
        match self {
            SpaceForce::Gyroscopic(_) => false,
            SpaceForce::Spring(force) => force.damping != 0.0,
            SpaceForce::CoordinateSpring(force) => force.damping != 0.0,
            SpaceForce::Bushing(force) => force.damps(),
            SpaceForce::Gear(force) => force.has_power(),
            SpaceForce::Applied(_) | SpaceForce::Torque(_) | SpaceForce::Motor(_) | SpaceForce::Drive(_) => {
                true
            }
        }
    }
}
