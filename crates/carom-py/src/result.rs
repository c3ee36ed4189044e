//! What came out of a run: NumPy arrays over the memory of the recording.

use crate::errors::{error, value_error};
use carom::units::Dimension;
use carom::{Formats, Results, Stop, report_page, summary_json};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A run that is over, or as far as it is.
#[pyclass(frozen, module = "carom._carom")]
pub struct Done {
    setup: Arc<carom::Setup>,
    pub(crate) done: carom::Done,
    /// Samples in the units of the file, handed over to NumPy when first asked for.
    columns: OnceLock<Vec<Py<PyArray1<f64>>>>,
}

impl Done {
    /// Of this setup.
    pub fn new(setup: Arc<carom::Setup>, done: carom::Done) -> Self {
        Self { setup, done, columns: OnceLock::new() }
    }

    fn with_results<T>(&self, command: &str, use_them: impl FnOnce(&Results<'_>) -> T) -> T {
        let (run, drawing) = (self.setup.info(&self.done, command), self.setup.drawing());
        let (facts, bands) = (self.setup.facts(), self.done.bands());
        use_them(&Results {
            recording: &self.done.recording,
            summary: &self.done.summary,
            run: &run,
            drawing: &drawing,
            facts: Some(&facts),
            bands: bands.as_ref(),
        })
    }
}

#[pymethods]
impl Done {
    /// Name, unit, subject and quantity of every channel, and whether it is for plots.
    fn channels(&self) -> Vec<(String, String, String, String, bool)> {
        let shown = self.setup.loaded().units.present(&self.done.recording);
        let one = |c: &carom::Channel| {
            (c.name().into(), c.unit.clone(), c.subject().into(), c.quantity().into(), c.is_plotted())
        };
        shown.channels.iter().map(one).collect()
    }

    /// The samples of channel number `i`: always the same array, which cannot be written.
    fn column<'py>(&self, py: Python<'py>, i: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let columns = self.columns.get_or_init(|| {
            let shown = self.setup.loaded().units.present(&self.done.recording).into_owned();
            let hand_over = |column: Vec<f64>| {
                let array = column.into_pyarray(py);
                array.readwrite().make_nonwriteable();
                array.unbind()
            };
            shown.columns.into_iter().map(hand_over).collect()
        });
        columns
            .get(i)
            .map(|column| column.bind(py).clone())
            .ok_or_else(|| value_error(format!("there is no channel number {i}")))
    }

    /// Half-widths of channel number `i` of a certified run.
    fn band<'py>(&self, py: Python<'py>, i: usize) -> Option<Bound<'py, PyArray1<f64>>> {
        let bands = self.done.bands()?;
        let shown = self.setup.loaded().units.present(&bands).into_owned();
        shown.columns.into_iter().nth(i).map(|column| column.into_pyarray(py))
    }

    /// Columns of the events: t, kind, subject, before, after, impulse and so on, as CSV has them.
    fn events_csv(&self) -> PyResult<String> {
        let shown = self.setup.loaded().units.present(&self.done.recording);
        let mut text = Vec::new();
        carom::events_csv(&shown, &mut text).map_err(|e| value_error(e.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// `summary.json`.
    fn summary(&self) -> String {
        self.with_results("", |r| summary_json(r.recording, r.summary, r.run, r.facts))
    }

    /// How wrong it may be, in a sentence.
    #[getter]
    fn verdict(&self) -> &str {
        &self.done.summary.audit.verdict
    }

    /// Why it ended: `done`, `interrupted` or `failed`.
    #[getter]
    fn stop(&self) -> &'static str {
        match self.done.summary.stop {
            Stop::Done => "done",
            Stop::Interrupted => "interrupted",
            Stop::Failed(_) => "failed",
        }
    }

    /// Digest of the recording: equal bits, equal digest.
    #[getter]
    fn digest(&self) -> String {
        self.done.summary.digest.to_string()
    }

    /// Time on the clock (s).
    #[getter]
    fn wall_seconds(&self) -> f64 {
        self.done.wall_seconds
    }

    /// Numbers of the run as the table of `carom sweep` has them, by name.
    fn numbers(&self) -> Vec<(&'static str, f64)> {
        let numbers = carom_cli::answers::numbers(&self.done.summary);
        carom_cli::answers::NUMBERS.into_iter().zip(numbers).collect()
    }

    /// Measures such as `ball.y:max`, in the units of the file; none for a channel that is not there.
    fn measures(&self, texts: Vec<String>) -> PyResult<Vec<Option<f64>>> {
        let shown = self.setup.loaded().units.present(&self.done.recording);
        texts
            .iter()
            .map(|text| carom_cli::answers::measure(&shown, text))
            .collect::<Result<_, _>>()
            .map_err(value_error)
    }

    /// The report page with bands of somebody else's: half-widths in the units of the file, by number of the channel, and what
    /// they are, in a sentence before the verdict.
    fn html_with_bands(
        &self,
        py: Python<'_>,
        bands: Vec<(usize, Vec<f64>)>,
        words: &str,
    ) -> PyResult<String> {
        let recording = &self.done.recording;
        let (samples, units) = (recording.samples(), self.setup.loaded().units);
        let (mut channels, mut columns) = (Vec::new(), Vec::new());
        for (i, band) in bands {
            let Some(channel) = recording.channels.get(i).filter(|_| band.len() == samples) else {
                return Err(value_error(format!("band {i} has {} samples, not {samples}", band.len())));
            };
            let factor = Dimension::of_unit(&channel.unit).map_or(1.0, |d| units.factor(d));
            channels.push(channel.clone());
            columns.push(band.into_iter().map(|x| x * factor).collect());
        }
        let bands = carom::Recording { channels, columns, events: Vec::new() };
        let mut summary = self.done.summary.clone();
        summary.audit.verdict = format!("{words} {}", summary.audit.verdict);
        Ok(py.detach(|| {
            let (run, drawing) = (self.setup.info(&self.done, ""), self.setup.drawing());
            let facts = self.setup.facts();
            report_page(&Results {
                recording,
                summary: &summary,
                run: &run,
                drawing: &drawing,
                facts: Some(&facts),
                bands: Some(&bands),
            })
        }))
    }

    /// The report page.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.with_results("", report_page))
    }

    /// Writes the files into a folder and answers their paths.
    #[pyo3(signature = (folder, command, csv = true, report = true, npz = false, vtk = false, gltf = false))]
    fn write(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        command: &str,
        csv: bool,
        report: bool,
        npz: bool,
        vtk: bool,
        gltf: bool,
    ) -> PyResult<Vec<PathBuf>> {
        let formats = Formats { csv, report, npz, vtk, gltf, ..Formats::default() };
        py.detach(|| self.setup.write(&folder, &self.done, command, &formats))
            .map_err(|e| pyo3::exceptions::PyOSError::new_err(e.to_string()))
    }
}

/// Raises what ended a run early, with what was recorded: an error of a function, Ctrl-C, a step that failed.
pub fn finish(py: Python<'_>, result: &Py<Done>, raised: Option<PyErr>) -> PyResult<()> {
    let this = result.get();
    let fields = PyDict::new(py);
    fields.set_item("result", result)?;
    if let Some(raised) = raised {
        if raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) {
            let said = format!("interrupted at t = {} s", this.done.summary.t);
            return Err(error(py, "Interrupted", &said, &fields));
        }
        // the traceback of the function is what people need; the recording goes with it
        let _ = raised
            .value(py)
            .setattr("result", py.import("carom._result")?.getattr("Result")?.call1((result,))?);
        return Err(raised);
    }
    let Stop::Failed(why) = &this.done.summary.stop else { return Ok(()) };
    fields.set_item("t", why.t)?;
    fields.set_item("subject", &why.subject)?;
    let said = this.setup.diagnose_failure(&this.done);
    fields.set_item("remedy", said.as_ref().map(|d| d.help.to_string()))?;
    let message = said.map_or_else(|| why.wrong.clone(), |d| d.to_string());
    Err(error(py, "SimulationError", message.trim_end(), &fields))
}
