//! `summary.json`: what was run, how it went, how far to trust it. Numbers of the run itself are SI; the units of
//! `series.csv` and `events.csv` stand in `units`.

use crate::Facts;
use crate::units::{Dimension, Units};
use carom_dynamics::{Recording, Summary};
use indexmap::IndexMap;
use serde::Serialize;

/// What a run was asked to do, for the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// Title of the model.
    pub title: String,
    /// File the model came from.
    pub model: String,
    /// Command that repeats the run.
    pub command: String,
    /// Step size asked for (s).
    pub step: f64,
    /// End time asked for (s).
    pub end: f64,
    /// Contact solver.
    pub solver: String,
    /// What `auto` took and why; none if the scheme was given by name.
    pub scheme_choice: Option<String>,
    /// Parameters of the scheme that were set.
    pub scheme_parameters: IndexMap<String, f64>,
    /// Parameters of the model, in the file's units.
    pub parameters: IndexMap<String, f64>,
    /// Units of the model file, used for everything written but the summary.
    pub units: Units,
    /// Time the run took on the clock (s).
    pub wall_seconds: f64,
}

#[derive(Serialize)]
struct Document<'a> {
    carom: &'static str,
    title: &'a str,
    model: &'a str,
    command: &'a str,
    #[serde(flatten)]
    summary: &'a Summary,
    step: f64,
    end: f64,
    solver: &'a str,
    scheme_choice: Option<&'a str>,
    scheme_parameters: &'a IndexMap<String, f64>,
    parameters: &'a IndexMap<String, f64>,
    samples: usize,
    events: usize,
    wall_seconds: f64,
    units: UnitsOfFiles,
    facts: Option<&'a Facts>,
}

#[derive(Serialize)]
struct UnitsOfFiles {
    summary: &'static str,
    model: Units,
    series: IndexMap<String, String>,
    events: IndexMap<&'static str, String>,
}

/// The text of `summary.json`.
pub fn json(recording: &Recording, summary: &Summary, run: &RunInfo, facts: Option<&Facts>) -> String {
    let plotted = recording.channels.iter().filter(|c| c.is_plotted());
    let velocity = Dimension::LENGTH.per(Dimension::TIME);
    let impulse = Dimension::FORCE.times(Dimension::TIME);
    let torsional = impulse.times(Dimension::LENGTH);
    let spin = Dimension::ANGLE.per(Dimension::TIME);
    let either = |a, b| format!("{} (turning: {})", run.units.word(a), run.units.word(b));
    let word = |unit: &str| match Dimension::of_unit(unit) {
        Some(dimension) if run.units != Units::si() => run.units.word(dimension),
        _ => unit.to_string(),
    };
    let document = Document {
        carom: env!("CARGO_PKG_VERSION"),
        title: &run.title,
        model: &run.model,
        command: &run.command,
        summary,
        step: run.step,
        end: run.end,
        solver: &run.solver,
        scheme_choice: run.scheme_choice.as_deref(),
        scheme_parameters: &run.scheme_parameters,
        parameters: &run.parameters,
        samples: recording.samples(),
        events: recording.events.len(),
        wall_seconds: run.wall_seconds,
        units: UnitsOfFiles {
            summary: "SI",
            model: run.units,
            series: plotted.map(|c| (c.name().into(), word(&c.unit))).collect(),
            events: IndexMap::from([
                ("t", run.units.word(Dimension::TIME)),
                ("before", either(velocity, spin)),
                ("after", either(velocity, spin)),
                ("impulse", either(impulse, torsional)),
            ]),
        },
        facts,
    };
    let mut text = serde_json::to_string_pretty(&document).expect("a summary is plain data with text keys");
    text.push('\n');
    text
}
