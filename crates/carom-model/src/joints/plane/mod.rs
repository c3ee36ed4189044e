//! The joints of the plane.

mod angle;
mod point_on_curve;
mod prismatic;
mod rack;
mod turned;

pub(crate) use angle::Angle;
pub(crate) use point_on_curve::{Curve, Ellipse, PointOnCurve};
pub(crate) use prismatic::Prismatic;
pub(crate) use rack::Rack;
pub(crate) use turned::Turned;

use super::{Along, Coincident, Distance, Rows};
use crate::secant::Step;
use carom_dynamics::{Configuration, Quantity};

/// Any joint element. A revolute joint is two points that coincide, a weld that and a fixed relative angle.
#[derive(Clone, Debug)]
pub enum Element {
    Coincident(Coincident),
    Prismatic(Prismatic),
    Distance(Distance),
    Angle(Angle),
    Along(Along),
    Turned(Turned),
    Rack(Rack),
    PointOnCurve(PointOnCurve),
}

macro_rules! each {
    ($self:expr, $joint:ident => $call:expr) => {
        match $self {
            Element::Coincident($joint) => $call,
            Element::Prismatic($joint) => $call,
            Element::Distance($joint) => $call,
            Element::Angle($joint) => $call,
            Element::Along($joint) => $call,
            Element::Turned($joint) => $call,
            Element::Rack($joint) => $call,
            Element::PointOnCurve($joint) => $call,
        }
    };
}

impl Element {
    /// Calls `entry` for every entry of Ḡ, the difference quotient of Φ over a step, in the order of those of G.
    pub fn secant(&self, step: Step, entry: impl FnMut(usize, usize, f64)) {
        each!(self, joint => joint.secant(step, entry))
    }
}

impl Rows for Element {
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
            Element::Along(joint) => joint.rate(at, phi_t),
            Element::Turned(joint) => joint.rate(at, phi_t),
            _ => phi_t.fill(0.0),
        }
    }

    #[inline]
    fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        each!(self, joint => joint.bias(at, bias))
    }
}
