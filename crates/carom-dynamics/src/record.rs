//! What a run leaves behind: channels, events, and counters. Writers, plots and the report page read only this.

use crate::stepping::Phase;
use crate::{Audit, Channel, Complaint, ErrorEstimate, json_nan};
use serde::{Deserialize, Serialize};

/// Something that happened at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A gap closed with a velocity jump.
    Impact,
    /// A closed contact opened.
    Release,
    /// A sliding contact, or a joint that rubs, came to rest.
    Stick,
    /// A resting contact, or a joint that rubs, began to slide.
    Slip,
    /// A step did not converge and was repeated with smaller steps.
    Retry,
    /// A contact that slides came to another piece of its surface.
    Edge,
    /// A load switched.
    Switch,
    /// An event of the model's own.
    Event,
}

/// One event, with the normal (impact, release) or tangential (stick, slip) relative velocity around it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// End of the step in which it happened.
    pub t: f64,
    /// What.
    pub kind: EventKind,
    /// Name of the contact or joint; empty for a retry.
    pub subject: String,
    /// Relative velocity at the beginning of the step, m/s or rad/s.
    pub before: f64,
    /// Relative velocity at its end.
    pub after: f64,
    /// Impulse over the step along the same direction, N s or N m s.
    pub impulse: f64,
}

/// Time series and events of a run. Column i holds channel i; channel 0 is `t`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Recording {
    /// Names and units.
    pub channels: Vec<Channel>,
    /// One contiguous series per channel, all of one length.
    pub columns: Vec<Vec<f64>>,
    /// In order of time.
    pub events: Vec<Event>,
}

impl Recording {
    /// The series of a channel.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.channels.iter().position(|c| c.name() == name).map(|i| self.columns[i].as_slice())
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The end time was reached, or an event that the model ends at.
    Done,
    /// Somebody asked for it.
    Interrupted,
    /// A step failed after every retry: when, why, and at which body or contact.
    Failed(Complaint),
}

/// Counters and verdicts of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the scheme.
    pub scheme: String,
    /// Why it ended.
    pub stop: Stop,
    /// Time reached, s.
    #[serde(deserialize_with = "json_nan::one")]
    pub t: f64,
    /// Accepted steps.
    pub steps: usize,
    /// Smallest and largest accepted step, s; the first infinite if there was none.
    #[serde(deserialize_with = "json_nan::pair")]
    pub step_range: (f64, f64),
    /// Steps repeated because they did not converge.
    pub retries: usize,
    /// Steps repeated because the error estimate was too large.
    pub rejected: usize,
    /// Newton iterations of the implicit schemes.
    pub newton_iterations: usize,
    /// Factorisations of the effective matrix.
    pub factorisations: usize,
    /// Of these, with tangents: Newton's iteration. None means that implicit steps were soft enough for a fixed point.
    pub tangent_factorisations: usize,
    /// Contact problems solved.
    pub contact_problems: usize,
    /// Iterations inside the contact solvers.
    pub contact_iterations: usize,
    /// Impacts seen.
    pub impacts: usize,
    /// Where the energy went, how joints and contacts were kept.
    pub audit: Audit,
    /// How wrong the positions may be, if it was asked.
    #[serde(default)]
    pub estimate: Option<ErrorEstimate>,
    /// In which ways the run was made, where a scheme has several: time, steps, and why each began.
    pub phases: Vec<Phase>,
    /// Digest of the trajectory: equal if and only if every recorded state has the same bits.
    pub digest: String,
}

impl Summary {
    /// How the implicit steps were solved, in a few words; empty for explicit ones.
    pub fn iteration(&self) -> String {
        let per_step = self.newton_iterations as f64 / self.steps.max(1) as f64;
        match self.tangent_factorisations {
            _ if per_step < 1.05 => String::new(),
            0 => format!("{per_step:.1} iterations per step without tangents"),
            _ => format!("{per_step:.1} Newton iterations per step"),
        }
    }
}
