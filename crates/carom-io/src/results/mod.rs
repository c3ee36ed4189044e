//! Result folders, read back. What is damaged or missing is left out and said; only a folder without any series is an
//! error.
//!
//! ```no_run
//! let stored = carom_io::results::open("ball.out".as_ref())?;
//! println!("{} samples of {}", stored.recording.samples(), stored.run.title);
//! stored.problems.iter().for_each(|problem| println!("{problem}"));
//! # Ok::<(), carom_io::results::ResultsError>(())
//! ```

mod archive;
mod bands;
mod csv;
mod events;
mod problems;
mod record;
mod series;

pub(crate) use problems::of_run;

use crate::{Facts, RunInfo, Scene};
use carom_dynamics::{Recording, Summary};
use record::Record;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a result folder holds.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Where it was.
    pub folder: PathBuf,
    /// Channels and events in the units of the model file, without the channels that are for drawing only. Units are
    /// empty where `summary.json` does not tell them. What is not a finite number is NaN.
    pub recording: Recording,
    /// Half-widths beside its samples, of a certified run.
    pub bands: Option<Recording>,
    /// Counters and audit.
    pub summary: Option<Summary>,
    /// What was asked for, as far as it is known.
    pub run: RunInfo,
    /// What the mechanism is made of.
    pub facts: Option<Facts>,
    /// What it looks like and how it moves, SI.
    pub scene: Option<Scene>,
    /// What is wrong or missing, in plain sentences.
    pub problems: Vec<String>,
}

/// A folder that cannot be read as results.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {help}")]
pub struct ResultsError {
    /// What is wrong, and where.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl ResultsError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Reads a folder that was written by `carom run`.
pub fn open(folder: &Path) -> Result<Stored, ResultsError> {
    if !folder.exists() {
        let help = "name a folder written by `carom run`, such as MODEL.out";
        return Err(ResultsError::new(format!("there is no folder {}", folder.display()), help));
    }
    if !folder.is_dir() {
        let help = "name the folder that it is in";
        return Err(ResultsError::new(format!("{} is not a folder", folder.display()), help));
    }
    let mut problems = Vec::new();
    let Record { mut run, summary, facts, units, samples, events } = record::read(folder, &mut problems);
    let mut recording = series::read(folder, &units, &mut problems)?;
    recording.events = events::read(folder, &mut problems);
    let bands = bands::read(folder, &recording, &mut problems);
    problems::compare("series", recording.samples(), "samples", samples, &mut problems);
    if folder.join("events.csv").exists() {
        problems::compare("events.csv", recording.events.len(), "events", events, &mut problems);
    }
    let scene = scene(folder, &mut problems);
    // a run that does not know what it is, is called by its folder
    if run.title.is_empty() && run.model.is_empty() {
        run.title = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    }
    // the most important first
    problems.splice(0..0, of_run(summary.as_ref(), &run, &recording));
    Ok(Stored { folder: folder.into(), recording, bands, summary, run, facts, scene, problems })
}

fn scene(folder: &Path, problems: &mut Vec<String>) -> Option<Scene> {
    let text = text(folder, "scene.json", "the motion cannot be shown", problems)?;
    match Scene::read(&text) {
        Ok(scene) => Some(scene),
        Err(why) => {
            problems.push(format!("scene.json is damaged, so the motion cannot be shown: {why}."));
            None
        }
    }
}

/// The text of a file; if there is none, what follows from that is said.
fn text(folder: &Path, name: &str, consequence: &str, problems: &mut Vec<String>) -> Option<String> {
    match fs::read(folder.join(name)) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(_) => {
                problems.push(format!("{name} is damaged, so {consequence}: it is not text in UTF-8."));
                None
            }
        },
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            problems.push(format!("There is no {name}, so {consequence}."));
            None
        }
        Err(e) => {
            problems.push(format!("{name} cannot be read, so {consequence}: {e}."));
            None
        }
    }
}
