//! Schemes that choose their steps themselves: event-driven ones, and the hybrid.
//!
//! A run asks for one step after the other, at most to the next sample that must be met exactly; the step ends early where
//! something happens. The motion inside the step made last can be asked for, and the work of the smooth forces there, so
//! samples do not cut steps. What happened at its end is resolved last: an impact, a contact that opens, sticks or slips.

use crate::schemes::report;
use crate::{ContactMode, ContactStage, EventKind, StartError, State, StepError, StepReport, System};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a scheme is asked to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Error allowed over the run; none: steps of one size.
    pub accuracy: Option<f64>,
    /// That size, or the first one tried (s).
    pub step: f64,
    /// Beginning of the run (s).
    pub start: f64,
    /// End of the run (s).
    pub end: f64,
}

/// Something that happened, at the end of the step made last or where it began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventRecord {
    /// When (s).
    pub t: f64,
    /// What.
    pub kind: EventKind,
    /// Index of the contact, or of the model's own event.
    pub subject: usize,
    /// Relative velocity before.
    pub before: f64,
    /// Relative velocity after.
    pub after: f64,
    /// Impulse along the same direction.
    pub impulse: f64,
}

/// How a step was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    /// What it cost.
    pub report: StepReport,
    /// Its size (s).
    pub dt: f64,
    /// Tries that were too inaccurate.
    pub rejected: usize,
    /// Tries that failed.
    pub retries: usize,
    /// Its error, where that is above what was allowed and a shorter step was not made; else 0.
    pub unmet: f64,
    /// Whether something happens at its end, to be resolved.
    pub event: bool,
    /// Whether it was made by time stepping: impulses over the step, and no dense output to speak of.
    pub stepping: bool,
}

/// Work of smooth forces over a time (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Of applied forces, into the mechanism.
    pub applied: f64,
    /// Lost in dampers.
    pub damping: f64,
    /// Lost in friction.
    pub friction: f64,
    /// Of prescribed motions, into the mechanism.
    pub prescribed: f64,
}

/// A part of a run that was made in one way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// In which way.
    pub name: String,
    /// Simulated time spent so (s).
    pub time: f64,
    /// Steps made so.
    pub steps: usize,
    /// How often it began, with the reason.
    pub began: Vec<(String, usize)>,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let began: Vec<String> = self
            .began
            .iter()
            .map(|(why, times)| if *times > 1 { format!("{why}, {times} times") } else { why.clone() })
            .collect();
        write!(f, "{} for {:.3e} s in {} steps ({})", self.name, self.time, self.steps, began.join("; "))
    }
}

/// A scheme that chooses its steps.
pub trait OwnSteps {
    /// Says how to go, before the first step. The answer of a scheme that cannot is a sentence: what is wrong; what would be
    /// right.
    fn control(&mut self, control: Control) -> Result<(), StartError>;

    /// From now on the accuracy bounds the error of each step, not that of the result.
    fn bound_each_step(&mut self) {}

    /// The next sample that is to be met (s). Steps that can be asked for the motion inside need not end there.
    fn meet(&mut self, t: f64) {
        let _ = t;
    }

    /// One step, to `end` at most. On `Err` the state is as it was.
    fn advance(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        end: f64,
    ) -> Result<Advance, StepError>;

    /// The state at a time inside the step made last, before its end is resolved.
    fn inside(&mut self, system: &dyn System, t: f64, state: &mut State) -> Result<(), StepError>;

    /// Work between two times inside the step made last, before its end is resolved.
    fn work(&mut self, system: &dyn System, from: f64, to: f64) -> Result<Work, StepError>;

    /// Resolves what happens at the end of the step made last.
    fn resolve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError>;

    /// What happened when the step made last was resolved.
    fn happened(&self) -> &[EventRecord];

    /// What every contact does now.
    fn modes(&self) -> &[ContactMode];

    /// Impulses of the joints in the impacts at the end of the step made last.
    fn joint_impulses(&self) -> &[f64];

    /// The model's own event that ended the run, if one did.
    fn stopped_by(&self) -> Option<usize> {
        None
    }
}

/// Goes to `end` step by step, each with what happens at its end resolved; reports all iterations.
pub(crate) fn drive(
    own: &mut dyn OwnSteps,
    system: &dyn System,
    stage: &mut ContactStage,
    state: &mut State,
    end: f64,
) -> Result<StepReport, StepError> {
    let mut iterations = 0;
    while state.t < end {
        let advance = own.advance(system, stage, state, end)?;
        iterations += advance.report.newton_iterations;
        if advance.event {
            own.resolve(system, stage, state)?;
        }
    }
    Ok(report(stage, iterations))
}
