//! The joints of space.

use super::{Along, Coincident, Distance, Rows};
use crate::geometry::Space;
use carom_dynamics::{Configuration, Quantity};

/// Any joint element in space.
#[derive(Clone, Debug)]
pub enum SpaceElement {
    Coincident(Coincident<Space>),
    Distance(Distance<Space>),
    Along(Along<Space>),
}

macro_rules! each {
    ($self:expr, $joint:ident => $call:expr) => {
        match $self {
            SpaceElement::Coincident($joint) => $call,
            SpaceElement::Distance($joint) => $call,
            SpaceElement::Along($joint) => $call,
        }
    };
}

impl Rows for SpaceElement {
    fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        each!(self, joint => joint.quantities())
    }

    #[inline]
    fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        each!(self, joint => joint.residual(at, phi))
    }

    #[inline]
    fn jacobian(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64)) {
        each!(self, joint => joint.jacobian(at, entry))
    }

    #[inline]
    fn rate(&self, at: &Configuration, phi_t: &mut [f64]) {
        match self {
            SpaceElement::Along(joint) => joint.rate(at, phi_t),
            _ => phi_t.fill(0.0),
        }
    }

    #[inline]
    fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        each!(self, joint => joint.bias(at, bias))
    }
}
