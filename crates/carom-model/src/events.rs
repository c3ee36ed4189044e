//! The model's own events: a formula of time and of quantities of the motion crosses zero.
//!
//! A quantity is looked up once, when the model is built, as a [`Probe`]; asking for its value then neither searches nor
//! allocates. All of them are continuous functions of (t, q, v) wherever the surfaces are.

use crate::expression::Formula;
use crate::joints::PointOnCurve;
use crate::model::Model;
use crate::place::{Marker, Place};
use carom_dynamics::Configuration;

/// How far beyond the end of its curve a point still counts as on it, relative to the length scale: numbers typed with nine digits.
const AT_END: f64 = 1e-9;

/// What happens.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// In the model's words.
    Formula(Crossed),
    /// A point comes to an end of the curve it is led on.
    End(PointOnCurve),
}

/// A formula of time and probes.
#[derive(Clone, Debug)]
pub(crate) struct Crossed {
    pub formula: Formula,
    /// What channel number i of the formula asks for, and its unit in SI.
    pub probes: Vec<(Probe, f64)>,
    /// Unit of time in s.
    pub second: f64,
}

/// A quantity of the motion.
#[derive(Clone, Debug)]
pub(crate) enum Probe {
    /// q_i.
    Coordinate(usize),
    /// v_i.
    Rate(usize),
    /// x, y, angle of a frame on a flexible body, then their rates.
    Frame(Place, usize),
    /// x, y of a point of a rigid body, then (from 3) their rates.
    Point(Marker, usize),
    /// Strain energy of body number i.
    Strain(usize),
    /// Gap of contact number i.
    Gap(usize),
}

impl Event {
    /// Value of the function.
    pub fn value(&self, model: &Model, at: &Configuration) -> f64 {
        match self {
            Event::Formula(crossed) => crossed.value(model, at),
            // a start at the very end counts as on the curve
            Event::End(joint) => {
                let left = joint.curve.before_end(joint.local(at)).unwrap_or(f64::INFINITY);
                left + AT_END * model.structure.length_scale
            }
        }
    }
}

impl Crossed {
    pub fn value(&self, model: &Model, at: &Configuration) -> f64 {
        let channel = |i: usize| {
            let (probe, unit) = &self.probes[i];
            probe.value(model, at) / unit
        };
        self.formula.value(at.t() / self.second, &channel)
    }
}

impl Probe {
    pub fn value(&self, model: &Model, at: &Configuration) -> f64 {
        match self {
            Probe::Coordinate(i) => at.q()[*i],
            Probe::Rate(i) => at.v[*i],
            Probe::Frame(place, quantity) => match quantity {
                0 | 1 => place.frame(at)[*quantity],
                2 => place.angle(at),
                3 | 4 => place.velocity(at)[*quantity - 3],
                _ => place.omega(at),
            },
            Probe::Point(marker, quantity) => {
                let placed = marker.at(at);
                match quantity {
                    0 | 1 => placed.r[*quantity],
                    _ => marker.velocity(at, &placed)[*quantity - 3],
                }
            }
            Probe::Strain(i) => {
                let body = &model.bodies[*i];
                body.flexible.as_ref().map_or(0.0, |flexible| flexible.body.strain(body.local(flexible, at)))
            }
            Probe::Gap(i) => model.named_gap(at, *i),
        }
    }
}
