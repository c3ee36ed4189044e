//! What can be chosen of the frame of events, whatever the method.

use crate::{Drift, Parameter, Values};

/// A bounce that rises less than this part of accuracy · length is taken for rest, unless told otherwise.
const REST_PART: f64 = 1e-2;

pub const LEAST_STEP: Parameter =
    Parameter::number("least_step", "shortest step; 0: a ten-billionth of the run", 0.0, 0.0..=1e9)
        .in_unit("s");
pub const MOST_STEP: Parameter =
    Parameter::number("most_step", "longest step; 0: a twentieth of the run", 0.0, 0.0..=1e9).in_unit("s");
pub const EVENT_TOLERANCE: Parameter = Parameter::number(
    "event_tolerance",
    "tolerance on the times of events; 0: 1e-14 of the run",
    0.0,
    0.0..=1.0,
)
.in_unit("s");
pub const REST: Parameter = Parameter::number(
    "rest",
    "a bounce that rises less than this part of accuracy · size of the mechanism ends in rest; 0: none does, as published",
    REST_PART,
    0.0..=1.0,
);
/// Of methods that do not hold positions by themselves.
pub const PROJECTION: Parameter = Parameter::switch(
    "projection",
    "1: joints and closed contacts are projected after every step, in the metric of the mass; 0: they drift",
    true,
);
/// Of methods that hold accelerations alone.
pub const BAUMGARTE: Parameter = Parameter::number(
    "baumgarte",
    "rate of Baumgarte's stabilisation in the place of the projection; 0: none",
    0.0,
    0.0..=1e9,
)
.in_unit("1/s");

/// What can be chosen of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameOptions {
    /// Shortest step (s); 0: a ten-billionth of the run.
    pub least_step: f64,
    /// Longest step (s); 0: a twentieth of the run.
    pub most_step: f64,
    /// Tolerance on the times of events (s); 0: 1e-14 of the run.
    pub event_tolerance: f64,
    /// How rows are kept from drifting.
    pub drift: Drift,
    /// A bounce that rises less than this part of accuracy · length is taken for rest; 0: none is.
    pub rest: f64,
}

impl Default for FrameOptions {
    fn default() -> Self {
        Self {
            least_step: 0.0,
            most_step: 0.0,
            event_tolerance: 0.0,
            drift: Drift::Projection,
            rest: REST_PART,
        }
    }
}

impl FrameOptions {
    /// [`LEAST_STEP`], [`MOST_STEP`], [`EVENT_TOLERANCE`] and [`REST`], for a method that holds rows by itself.
    pub(crate) fn without_drift(values: &Values) -> Self {
        Self {
            least_step: values.number(&LEAST_STEP),
            most_step: values.number(&MOST_STEP),
            event_tolerance: values.number(&EVENT_TOLERANCE),
            drift: Drift::None,
            rest: values.number(&REST),
        }
    }

    /// The same with [`PROJECTION`].
    pub(crate) fn projected(values: &Values) -> Self {
        let drift = if values.switch(&PROJECTION) { Drift::Projection } else { Drift::None };
        Self { drift, ..Self::without_drift(values) }
    }

    /// The same with [`PROJECTION`] or [`BAUMGARTE`].
    pub(crate) fn stabilised(values: &Values) -> Self {
        match values.number(&BAUMGARTE) {
            rate if rate > 0.0 => Self { drift: Drift::Baumgarte { rate }, ..Self::without_drift(values) },
            _ => Self::projected(values),
        }
    }
}
