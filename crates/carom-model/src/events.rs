//! The model's own events: a formula of time and of quantities of the motion crosses zero.
//!
//! A quantity is looked up once, when the model is built, as a [`Probe`]; asking for its value then neither searches nor
//! allocates. All of them are continuous functions of (t, q, v) wherever the surfaces are.

use crate::contacts::Contacts;
use crate::expression::Formula;
use crate::geometry::{Geometry, Plane, Vector};
use crate::joints::{Measured, PointOnCurve};
use crate::law::Known;
use crate::mechanics::{Mechanics, twist};
use crate::model::Model;
use crate::place::{Marker, Place};
use carom_dynamics::Configuration;

/// How far beyond the end of its curve a point still counts as on it, relative to the length scale: numbers typed with nine digits.
const AT_END: f64 = 1e-9;

/// What happens.
#[derive(Clone, Debug)]
pub enum Event<S: Mechanics = Plane> {
    /// In the model's words.
    Formula(Crossed<S>),
    /// What no formula says.
    Own(S::Condition),
}

/// A condition that crosses zero and that no formula says.
pub trait Condition: Clone + std::fmt::Debug + Send + Sync {
    /// Value of the function, in a mechanism of a typical length.
    fn value(&self, at: &Configuration, length_scale: f64) -> f64;
}

/// Nothing but formulas makes events in space.
#[derive(Clone, Debug)]
pub enum Never {}

impl Condition for Never {
    fn value(&self, _: &Configuration, _: f64) -> f64 {
        match *self {}
    }
}

/// A point comes to an end of the curve it is led on.
#[derive(Clone, Debug)]
pub struct AtEnd(pub PointOnCurve);

impl Condition for AtEnd {
    fn value(&self, at: &Configuration, length_scale: f64) -> f64 {
        let AtEnd(joint) = self;
        // a start at the very end counts as on the curve
        joint.curve.before_end(joint.local(at)).unwrap_or(f64::INFINITY) + AT_END * length_scale
    }
}

/// A formula of time and probes.
#[derive(Clone, Debug)]
pub struct Crossed<S: Geometry = Plane> {
    pub formula: Formula,
    /// What channel number i of the formula asks for, and its unit in SI.
    pub probes: Vec<(Probe<S>, f64)>,
    /// Unit of time in s.
    pub second: f64,
}

/// A quantity of the motion.
#[derive(Clone, Debug)]
pub enum Probe<S: Geometry = Plane> {
    /// q_i.
    Coordinate(usize),
    /// v_i.
    Rate(usize),
    /// Number i of the pose of a frame on a flexible body.
    Pose(Place<S>, usize),
    /// Number i of its velocity and angular velocity.
    Twist(Place<S>, usize),
    /// Component i of the place of a point.
    Point(Marker<S>, usize),
    /// Component i of its velocity.
    Velocity(Marker<S>, usize),
    /// Coordinate of a joint, or distance of two points.
    Known(Known<S>),
    /// Number i of what is recorded of a joint: a coordinate, its rate.
    Measured(usize, usize),
    /// Angle number i of those whose turns are counted.
    Angle(usize),
    /// Strain energy of body number i.
    Strain(usize),
    /// Gap of contact number i, of a stop of an angle an angle.
    Gap(usize),
}

impl<S: Mechanics> Event<S> {
    /// Value of the function, with the angles of [`Model::event_angles`], turns counted.
    pub fn value(&self, model: &Model<S>, at: &Configuration, angles: &[f64]) -> f64 {
        match self {
            Event::Formula(crossed) => crossed.value(model, at, angles),
            Event::Own(condition) => condition.value(at, model.structure.length_scale),
        }
    }
}

impl<S: Mechanics> Crossed<S> {
    pub fn value(&self, model: &Model<S>, at: &Configuration, angles: &[f64]) -> f64 {
        let channel = |i: usize| {
            let (probe, unit) = &self.probes[i];
            probe.value(model, at, angles) / unit
        };
        self.formula.value(at.t() / self.second, &channel)
    }
}

impl<S: Mechanics> Probe<S> {
    pub fn value(&self, model: &Model<S>, at: &Configuration, angles: &[f64]) -> f64 {
        match self {
            Probe::Coordinate(i) => at.q()[*i],
            Probe::Rate(i) => at.v[*i],
            Probe::Pose(place, i) => S::pose(place, at).as_ref()[*i],
            Probe::Twist(place, i) => twist::<S>(place.velocity(at), place.omega(at)).numbers()[*i],
            Probe::Point(marker, i) => marker.at(at).r.numbers()[*i],
            Probe::Velocity(marker, i) => marker.velocity(at, &marker.at(at)).numbers()[*i],
            Probe::Known(known) => known.value(at),
            Probe::Measured(joint, i) => model.measured[*joint].1.values(at)[*i],
            Probe::Angle(i) => angles[*i],
            Probe::Strain(i) => {
                let body = &model.bodies[*i];
                body.flexible.as_ref().map_or(0.0, |flexible| flexible.body.strain(body.local(flexible, at)))
            }
            Probe::Gap(i) => model.contacts.named_gap(at, *i) / model.structure.contacts[*i].arm(),
        }
    }
}
