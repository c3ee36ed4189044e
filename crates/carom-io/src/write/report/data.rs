//! The data of the page: one JSON object, the same for a run that has just ended and for one that was read back.

use super::PageRun;
use super::decimate::{Channels, Series, channels};
use crate::units::Dimension;
use crate::write::csv::kind_word;
use crate::{Facts, Scene};
use carom_dynamics::{Recording, Summary};
use indexmap::IndexMap;
use serde::Serialize;
use std::borrow::Cow;

/// Version of the data.
const FORMAT: u32 = 1;
/// Most events listed.
const EVENTS: usize = 10_000;
/// Most numbers of motion on a page with several runs, and fewest frames of each.
const MOTION_NUMBERS: usize = 800_000;
const FEWEST_FRAMES: usize = 60;

/// What the page is given.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    format: u32,
    carom: &'static str,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    name: String,
    title: &'a str,
    model: &'a str,
    command: &'a str,
    folder: Option<&'a str>,
    problems: Vec<String>,
    left_out: Vec<String>,
    step: f64,
    end: f64,
    wall_seconds: f64,
    solver: &'a str,
    scheme_choice: Option<&'a str>,
    scheme_parameters: &'a IndexMap<String, f64>,
    parameters: &'a IndexMap<String, f64>,
    samples: usize,
    summary: Option<&'a Summary>,
    facts: Option<&'a Facts>,
    length: Scale,
    time: Scale,
    t: String,
    channels: Vec<Series>,
    scene: Option<Cow<'a, Scene>>,
    events: Events<'a>,
}

/// A unit for what the page shows: its word, and one of it in SI.
#[derive(Serialize)]
struct Scale {
    unit: String,
    factor: f64,
}

/// Events in the file's units, in columns.
#[derive(Serialize)]
struct Events<'a> {
    t: Vec<f64>,
    kind: Vec<&'static str>,
    subject: Vec<&'a str>,
    before: Vec<f64>,
    after: Vec<f64>,
    impulse: Vec<f64>,
    total: usize,
}

/// All runs, each with its name and what sets it apart in ways that a reader should know.
pub(super) fn page<'a>(runs: &'a [PageRun<'a>], names: Vec<String>, notes: Vec<Vec<String>>) -> Page<'a> {
    let named = runs.iter().zip(names).zip(notes);
    let runs = named.map(|((run, name), notes)| data(run, name, notes, runs.len())).collect();
    Page { format: FORMAT, carom: env!("CARGO_PKG_VERSION"), runs }
}

fn data<'a>(page_run: &'a PageRun<'a>, name: String, notes: Vec<String>, runs: usize) -> Run<'a> {
    let PageRun { folder, recording, bands, summary, run, facts, scene, problems } = page_run;
    let mut left_out = Vec::new();
    let Channels { t, series } = channels(recording, *bands, runs, &mut left_out);
    let scale = |dimension| Scale { unit: run.units.word(dimension), factor: run.units.factor(dimension) };
    Run {
        name,
        title: &run.title,
        model: &run.model,
        command: &run.command,
        folder: folder.as_deref(),
        problems: problems.iter().cloned().chain(notes).collect(),
        step: run.step,
        end: run.end,
        wall_seconds: run.wall_seconds,
        solver: &run.solver,
        scheme_choice: run.scheme_choice.as_deref(),
        scheme_parameters: &run.scheme_parameters,
        parameters: &run.parameters,
        samples: recording.samples(),
        summary: *summary,
        facts: *facts,
        length: scale(Dimension::LENGTH),
        time: scale(Dimension::TIME),
        t,
        channels: series,
        scene: scene.filter(|scene| !scene.is_empty()).map(|scene| fit(scene, runs)),
        events: events(recording, &mut left_out),
        left_out,
    }
}

fn events<'a>(recording: &'a Recording, left_out: &mut Vec<String>) -> Events<'a> {
    let total = recording.events.len();
    if total > EVENTS {
        left_out.push(format!("The first {EVENTS} of {total} events are shown; all are in events.csv."));
    }
    let shown = &recording.events[..total.min(EVENTS)];
    Events {
        t: shown.iter().map(|e| e.t).collect(),
        kind: shown.iter().map(|e| kind_word(e.kind)).collect(),
        subject: shown.iter().map(|e| e.subject.as_str()).collect(),
        before: shown.iter().map(|e| e.before).collect(),
        after: shown.iter().map(|e| e.after).collect(),
        impulse: shown.iter().map(|e| e.impulse).collect(),
        total,
    }
}

/// The scene of one of `runs` runs: many share the room there is.
fn fit(scene: &Scene, runs: usize) -> Cow<'_, Scene> {
    let frames = scene.motion.frames();
    let most = (MOTION_NUMBERS / runs / scene.motion.numbers_per_frame().max(1)).max(FEWEST_FRAMES);
    if frames <= most {
        return Cow::Borrowed(scene);
    }
    Cow::Owned(Scene { drawing: scene.drawing.clone(), motion: scene.motion.thinned(most) })
}
