//! One run with error control (or a fixed step): what it cost, and where it went.
//!
//! ```text
//!   time    = by the clock; long runs by the processor time of the thread, where the system tells it
//!   error   = max over samples and positions |x − x_ref| / length (angles: in rad)
//! ```
//!
//! Samples of event-driven schemes are taken at multiples of the interval; those of time stepping at the first step after it, and
//! compared with the reference between its own samples, which lie closer by [`DENSE`].

use crate::mechanism::Mechanism;
use carom_dynamics::{Formulation, Recording, Settings, Simulation, State, Stop, Summary, System, scheme};
use std::time::{Duration, Instant};

/// Samples of a run.
pub const SAMPLES: usize = 16;
/// Samples of a reference per sample of a run.
pub const DENSE: usize = 1024;
/// Steps between looks at the clock.
const LOOK: usize = 16;

/// A scheme with its form and parameters, and its name in the tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contestant {
    /// Name in the tables.
    pub label: &'static str,
    /// Name in the registry.
    pub scheme: &'static str,
    /// Parameters.
    pub parameters: &'static [(&'static str, f64)],
    /// Form of the equations, if not the scheme's own.
    pub form: Option<Formulation>,
}

impl Contestant {
    /// With the scheme's own form and its defaults.
    pub const fn new(scheme: &'static str) -> Self {
        Self { label: scheme, scheme, parameters: &[], form: None }
    }
}

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// By the scheme's error estimate.
    Accuracy(f64),
    /// All alike (s).
    Fixed(f64),
}

/// What a run left.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it was not finished; none if it was.
    pub trouble: Option<String>,
    /// What it took (s).
    pub seconds: f64,
    /// Counters.
    pub summary: Summary,
    /// Time reached (s).
    pub t: f64,
    /// Of all positions and angles.
    pub track: Track,
    /// Everything recorded.
    pub recording: Recording,
}

impl Outcome {
    /// Mean step (s).
    pub fn mean_step(&self) -> f64 {
        self.t / self.summary.steps.max(1) as f64
    }
}

/// Positions and angles over time, each over its size.
#[derive(Clone, Debug, Default)]
pub struct Track {
    t: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Track {
    fn of(recording: &Recording, length: f64) -> Self {
        let mut track = Self { t: recording.columns[0].clone(), columns: Vec::new() };
        for (channel, column) in recording.channels.iter().zip(&recording.columns) {
            // where a contact acts jumps from piece to piece
            let size = match channel.quantity() {
                "x" | "y" => length,
                "angle" => 1.0,
                _ => continue,
            };
            track.columns.push(column.iter().map(|x| x / size).collect());
        }
        track
    }

    /// Largest distance from a reference at the samples taken here, by straight lines between those of the reference.
    pub fn distance(&self, reference: &Self) -> f64 {
        let mut most: f64 = 0.0;
        for (sample, &t) in self.t.iter().enumerate() {
            let after = reference.t.partition_point(|r| *r < t).clamp(1, reference.t.len() - 1);
            let (t_0, t_1) = (reference.t[after - 1], reference.t[after]);
            let part = ((t - t_0) / (t_1 - t_0)).clamp(0.0, 1.0);
            for (ours, theirs) in self.columns.iter().zip(&reference.columns) {
                let there = (1.0 - part) * theirs[after - 1] + part * theirs[after];
                let distance = (ours[sample] - there).abs();
                // what is not a number is far away
                most = if distance <= most { most } else { distance };
            }
        }
        if most.is_nan() { f64::INFINITY } else { most }
    }
}

/// Runs to `end` with so many samples, for `limit` at most.
pub fn run(
    mechanism: &Mechanism,
    contestant: Contestant,
    steps: Steps,
    end: f64,
    samples: usize,
    limit: Duration,
) -> Result<Outcome, String> {
    let model = &mechanism.model;
    let mut scheme = scheme(contestant.scheme, contestant.parameters).map_err(|e| e.to_string())?;
    if let Some(form) = contestant.form {
        scheme.set_formulation(form).map_err(|e| e.to_string())?;
    }
    let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
    let state = State::new(model, 0.0, mechanism.q.clone(), mechanism.v.clone());
    let (accuracy, step) = match steps {
        Steps::Accuracy(accuracy) => (Some(accuracy), FIRST * end),
        Steps::Fixed(step) => (None, step),
    };
    let settings = Settings { step, end, accuracy, output: Some(end / samples as f64) };
    let clock = Clock::start();
    let wall = Instant::now();
    let mut simulation =
        Simulation::new(model, &*scheme, solver, state, settings).map_err(|e| e.to_string())?;
    // as in the source
    simulation.bound_each_step();
    let mut trouble = None;
    let mut made = 0;
    while !simulation.is_done() {
        simulation.advance();
        made += 1;
        if made % LOOK == 0 && (clock.seconds() > limit.as_secs_f64() || wall.elapsed() > 20 * limit) {
            trouble = Some(format!("not over after {:.1} s of computing", limit.as_secs_f64()));
            break;
        }
    }
    let seconds = clock.seconds();
    let summary = simulation.summary();
    if let Stop::Failed(why) = &summary.stop {
        trouble = Some(why.to_string());
    }
    let recording = simulation.recording();
    let track = Track::of(&recording, model.structure().length_scale);
    Ok(Outcome { trouble, seconds, t: summary.t, summary, track, recording })
}

/// The first step, of the run.
const FIRST: f64 = 1e-3;

/// A clock that a busy machine does not disturb much: processor time counts in ticks of some milliseconds, so it serves long runs.
#[derive(Debug)]
struct Clock {
    wall: Instant,
    /// Nanoseconds on a processor at the start.
    ran: Option<u64>,
}

/// Ticks do not matter from here on (s).
const LONG: f64 = 0.2;

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), ran: ran() }
    }

    fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64();
        if wall < LONG {
            return wall;
        }
        match (self.ran, ran()) {
            (Some(before), Some(now)) if (now - before) as f64 * 1e-9 >= 0.5 * LONG => {
                (now - before) as f64 * 1e-9
            }
            _ => wall,
        }
    }
}

/// What Linux counts for a thread; none elsewhere.
fn ran() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
