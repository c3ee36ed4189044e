//! `summary.json` read back. Every part is read by itself, so that one that is damaged does not take the others along.

use super::text;
use crate::units::Units;
use crate::{Facts, RunInfo};
use carom_dynamics::Summary;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub run: RunInfo,
    pub summary: Option<Summary>,
    pub facts: Option<Facts>,
    /// Units of the channels, by name.
    pub units: IndexMap<String, String>,
    /// How many samples and events the run recorded.
    pub samples: Option<usize>,
    pub events: Option<usize>,
}

#[derive(Deserialize)]
struct Asked {
    title: String,
    model: String,
    command: String,
    step: f64,
    end: f64,
    solver: String,
    scheme_choice: Option<String>,
    scheme_parameters: IndexMap<String, f64>,
    parameters: IndexMap<String, f64>,
    wall_seconds: f64,
    units: ModelUnits,
}

#[derive(Deserialize)]
struct ModelUnits {
    model: Units,
}

pub(super) fn read(folder: &Path, problems: &mut Vec<String>) -> Record {
    const CONSEQUENCE: &str = "scheme, units, audit and the command of the run are not known";
    let Some(text) = text(folder, "summary.json", CONSEQUENCE, problems) else { return Record::default() };
    let json: Value = match serde_json::from_str(&text) {
        Ok(json) => json,
        Err(e) => {
            problems.push(format!("summary.json is damaged, so {CONSEQUENCE}: {e}."));
            return Record::default();
        }
    };
    let count = |key: &str| json[key].as_u64().and_then(|n| usize::try_from(n).ok());
    let asked = part::<Asked>(&json, "what the run was asked to do", problems);
    Record {
        run: asked.map(run_info).unwrap_or_default(),
        summary: part(&json, "counters and audit", problems),
        facts: json
            .get("facts")
            .filter(|facts| !facts.is_null())
            .and_then(|facts| part(facts, "what the mechanism is made of", problems)),
        units: serde_json::from_value(json["units"]["series"].clone()).unwrap_or_default(),
        samples: count("samples"),
        events: count("events"),
    }
}

fn part<T: DeserializeOwned>(json: &Value, what: &str, problems: &mut Vec<String>) -> Option<T> {
    T::deserialize(json).map_err(|e| problems.push(format!("summary.json does not tell {what}: {e}."))).ok()
}

fn run_info(asked: Asked) -> RunInfo {
    RunInfo {
        title: asked.title,
        model: asked.model,
        command: asked.command,
        step: asked.step,
        end: asked.end,
        solver: asked.solver,
        scheme_choice: asked.scheme_choice,
        scheme_parameters: asked.scheme_parameters,
        parameters: asked.parameters,
        units: asked.units.model,
        wall_seconds: asked.wall_seconds,
    }
}
