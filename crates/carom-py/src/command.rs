//! The command line from Python, and lists of what there is.

use crate::errors::{guarded, value_error};
use carom_studies::STUDIES;
use pyo3::prelude::*;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

/// Exit code of a Rust program that panicked.
const PANICKED: i32 = 101;

/// Runs the `carom` command with these words and ends the process with its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<String>) -> i32 {
    // a bug is told on the terminal, as by the program itself
    let _ = std::panic::take_hook();
    let run = || carom_cli::run_command(words.into_iter().map(Into::into));
    let Ok(code) = py.detach(|| std::panic::catch_unwind(run)) else { return PANICKED };
    // an ExitCode tells nobody its number
    (0..=255).find(|&n| ExitCode::from(n) == code).map_or(1, i32::from)
}

/// Names and words of all there is of a kind: `schemes`, `solvers`, `systems`, `studies`, `gallery`.
#[pyfunction]
pub fn listed(what: &str) -> PyResult<Vec<(String, String)>> {
    let of = |name: &str, words: &str| (name.to_string(), words.to_string());
    Ok(match what {
        "schemes" => carom::SCHEMES.iter().map(|s| of(s.name, s.summary)).collect(),
        "solvers" => carom::SOLVERS.iter().map(|s| of(s.name, s.description)).collect(),
        "systems" => carom::SYSTEMS.iter().map(|s| of(s.name, s.title)).collect(),
        "studies" => STUDIES.iter().map(|s| of(s.name, s.title)).collect(),
        "gallery" => carom_cli::GALLERY.iter().map(|(name, text)| of(name, title(text))).collect(),
        _ => return Err(value_error(format!("there is no list of `{what}`"))),
    })
}

fn title(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("title"));
    line.and_then(|line| line.split('"').nth(1)).unwrap_or_default()
}

/// Text of a gallery model and the files that it names; none if there is no such model.
#[pyfunction]
pub fn gallery(name: &str) -> Option<(String, Vec<(String, String)>)> {
    let (_, text) = carom_cli::GALLERY.iter().find(|(known, _)| *known == name)?;
    let files = carom_cli::FILES.iter().filter(|(of, ..)| *of == name);
    Some((text.to_string(), files.map(|(_, file, text)| (file.to_string(), text.to_string())).collect()))
}

/// Runs a study and answers its report as JSON.
#[pyfunction]
#[pyo3(signature = (name, progress = None))]
pub fn study(py: Python<'_>, name: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
    let study = STUDIES
        .iter()
        .find(|s| s.name == name)
        .ok_or_else(|| value_error(format!("there is no study `{name}`; carom.studies() lists them")))?;
    let raised = Arc::new(Mutex::new(None));
    let run = || {
        (study.run)(&mut |part| {
            if let Some(progress) = &progress {
                let told = Python::attach(|py| progress.call1(py, (part,)).map(|_| ()));
                if let Err(error) = told {
                    raised.lock().expect("nothing panics while it is held").get_or_insert(error);
                }
            }
        })
    };
    let report = guarded(py, || Ok(py.detach(run)))?;
    if let Some(error) = raised.lock().expect("nothing panics while it is held").take() {
        return Err(error);
    }
    serde_json::to_string(&report).map_err(|e| value_error(e.to_string()))
}

/// What `carom spectrum --json` says of schemes, over steps in periods.
#[pyfunction]
pub fn spectrum(py: Python<'_>, schemes: Vec<String>, damping: f64, steps: Vec<f64>) -> PyResult<String> {
    guarded(py, || {
        carom_cli::answers::spectrum(&schemes, damping, &steps).map(|v| v.to_string()).map_err(value_error)
    })
}
