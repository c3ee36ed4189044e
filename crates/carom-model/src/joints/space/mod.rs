//! The joints of space.
//!
//! A ball joint is two points that coincide ([`Coincident`]): its rows and its reaction are in inertial axes, which is the
//! cheapest way to write them. All others have their reactions in the frame of the joint on the first body.

mod coordinate;
mod coupled;
mod curve;
mod driven;
mod framed;
mod held;
mod measure;
mod on_curve;
mod rigid;
#[cfg(test)]
mod tests;

pub(crate) use coordinate::{Coordinate, nearest};
pub(crate) use coupled::{Coupled, MOST_TEETH};
pub(crate) use curve::{NoSpline, SpaceCurve, SpaceSpline};
pub(crate) use driven::Driven;
pub(crate) use framed::{Covector, FrameRates, Framed, Pair, Seen};
pub(crate) use held::{Held, Holding};
pub(crate) use on_curve::OnCurve;

use super::{Along, Coincident, Distance, Rows};
use crate::geometry::Space;
use carom_dynamics::{Configuration, Quantity};

/// Any joint element of space.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // few, made once and read in order: a box would cost more than it saves
pub enum SpaceElement {
    Held(Held),
    Coincident(Coincident<Space>),
    Distance(Distance<Space>),
    Along(Along<Space>),
    Driven(Driven),
    Coupled(Coupled),
    OnCurve(OnCurve),
}

macro_rules! each {
    ($self:expr, $joint:ident => $call:expr) => {
        match $self {
            SpaceElement::Held($joint) => $call,
            SpaceElement::Coincident($joint) => $call,
            SpaceElement::Distance($joint) => $call,
            SpaceElement::Along($joint) => $call,
            SpaceElement::Driven($joint) => $call,
            SpaceElement::Coupled($joint) => $call,
            SpaceElement::OnCurve($joint) => $call,
        }
    };
}

impl SpaceElement {
    /// Two frames held together.
    pub fn held(holding: Holding, pair: Pair) -> Self {
        SpaceElement::Held(Held { pair, holding })
    }
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
            SpaceElement::Driven(joint) => joint.rate(at, phi_t),
            _ => phi_t.fill(0.0),
        }
    }

    #[inline]
    fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        each!(self, joint => joint.bias(at, bias))
    }
}
