//! A torque of time on a body, and its opposite on another.

use crate::model::Signal;
use crate::place::Place;
use carom_dynamics::Configuration;

#[derive(Clone, Debug)]
pub struct Torque {
    pub on: Place,
    pub against: Place,
    pub torque: Signal,
}

impl Torque {
    #[inline]
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        let torque = self.torque.jet(at).value;
        self.on.push_torque(at, torque, h);
        self.against.push_torque(at, -torque, h);
    }

    pub fn power(&self, at: &Configuration) -> f64 {
        self.torque.jet(at).value * (self.on.omega(at) - self.against.omega(at))
    }
}
