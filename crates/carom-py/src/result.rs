//! What came out of a run: NumPy arrays that look into the memory of the recording.

use crate::errors::{error, guarded, value_error};
use carom::units::Dimension;
use carom::{Event, EventKind, Formats, Recording, Results, Stop, report_page, summary_json};
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A run that is over, or as far as it is.
#[pyclass(frozen, module = "carom._carom")]
pub struct Done {
    setup: Arc<carom::Setup>,
    pub(crate) done: carom::Done,
    /// Channels and events in the units of the file, without samples.
    shown: OnceLock<Recording>,
    /// Samples in the units of the file, column by column; none where these are SI.
    converted: Vec<OnceLock<Option<Vec<f64>>>>,
    /// Half-widths of a certified run, in the units of the file.
    bands: OnceLock<Option<Recording>>,
}

impl Done {
    /// Of this setup.
    pub fn new(setup: Arc<carom::Setup>, done: carom::Done) -> Self {
        let converted = done.recording.columns.iter().map(|_| OnceLock::new()).collect();
        Self { setup, done, shown: OnceLock::new(), converted, bands: OnceLock::new() }
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

    /// Channels and events in the units of the file.
    fn shown(&self) -> &Recording {
        self.shown.get_or_init(|| {
            let Recording { channels, events, .. } = &self.done.recording;
            let bare = Recording { channels: channels.clone(), columns: Vec::new(), events: events.clone() };
            self.setup.loaded().units.present(&bare).into_owned()
        })
    }

    /// The samples of a channel in the units of the file.
    fn samples(&self, i: usize) -> Option<&[f64]> {
        let recorded = self.done.recording.columns.get(i)?;
        let converted = self.converted[i].get_or_init(|| {
            let dimension = Dimension::of_unit(&self.done.recording.channels[i].unit)?;
            let factor = self.setup.loaded().units.factor(dimension);
            // as `Units::present` has it
            (factor != 1.0).then(|| recorded.iter().map(|x| x / factor).collect())
        });
        Some(converted.as_ref().unwrap_or(recorded))
    }

    /// The half-widths of a channel in the units of the file.
    fn half_widths(&self, i: usize) -> Option<&[f64]> {
        let bands = self.bands.get_or_init(|| {
            let bands = self.done.bands()?;
            Some(self.setup.loaded().units.present(&bands).into_owned())
        });
        bands.as_ref()?.columns.get(i).map(Vec::as_slice)
    }

    /// An array over memory of `this`, which it keeps alive and cannot write.
    #[allow(unsafe_code)]
    fn view<'py>(this: &Bound<'py, Self>, samples: &[f64]) -> Bound<'py, PyArray1<f64>> {
        // SAFETY: `samples` lies in the heap of a frozen object that nobody changes once it is there, the array holds a
        // reference to that object, and nobody writes through the array: it is made read-only before anybody else sees it.
        let array =
            unsafe { PyArray1::borrow_from_array(&ArrayView1::from(samples), this.clone().into_any()) };
        array.readwrite().make_nonwriteable();
        array
    }
}

#[pymethods]
impl Done {
    /// Name, unit, subject and quantity of every channel, and whether it is for plots.
    fn channels(&self) -> Vec<(String, String, String, String, bool)> {
        let one = |c: &carom::Channel| {
            (c.name().into(), c.unit.clone(), c.subject().into(), c.quantity().into(), c.is_plotted())
        };
        self.shown().channels.iter().map(one).collect()
    }

    /// The samples of channel number `i`: a view that cannot be written.
    fn column<'py>(this: &Bound<'py, Self>, i: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let samples = this.get().samples(i);
        samples
            .map(|samples| Self::view(this, samples))
            .ok_or_else(|| value_error(format!("there is no channel number {i}")))
    }

    /// Half-widths of channel number `i` of a certified run: a view likewise.
    fn band<'py>(this: &Bound<'py, Self>, i: usize) -> Option<Bound<'py, PyArray1<f64>>> {
        this.get().half_widths(i).map(|samples| Self::view(this, samples))
    }

    /// The columns of the events, as in `events.csv`.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let events = &self.shown().events;
        let numbers = |of: fn(&Event) -> f64| PyArray1::from_iter(py, events.iter().map(of));
        let words = |kind: EventKind| match serde_json::to_value(kind) {
            Ok(serde_json::Value::String(word)) => word,
            other => unreachable!("a kind of event is a word, not {other:?}"),
        };
        let columns = PyDict::new(py);
        columns.set_item("t", numbers(|e| e.t))?;
        columns.set_item("kind", events.iter().map(|e| words(e.kind)).collect::<Vec<_>>())?;
        columns.set_item("subject", events.iter().map(|e| e.subject.as_str()).collect::<Vec<_>>())?;
        columns.set_item("before", numbers(|e| e.before))?;
        columns.set_item("after", numbers(|e| e.after))?;
        columns.set_item("impulse", numbers(|e| e.impulse))?;
        Ok(columns)
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
        let bands = Recording { channels, columns, events: Vec::new() };
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
    fn html(&self, py: Python<'_>, command: &str) -> PyResult<String> {
        guarded(py, || Ok(py.detach(|| self.with_results(command, report_page))))
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
        guarded(py, || {
            py.detach(|| self.setup.write(&folder, &self.done, command, &formats))
                .map_err(|e| pyo3::exceptions::PyOSError::new_err(e.to_string()))
        })
    }
}

/// Hands over a run that is over, or raises what ended it early, with what was recorded: an error of a function, Ctrl-C, a step
/// that failed.
pub fn finish(py: Python<'_>, mut done: Done, raised: Option<PyErr>) -> PyResult<Py<Done>> {
    let is_interrupted = |raised: &PyErr| raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
    if raised.as_ref().is_some_and(is_interrupted) {
        // Ctrl-C inside a function lets the step fail, and is no failure
        done.done.summary.stop = Stop::Interrupted;
    }
    let result = Py::new(py, done)?;
    let this = result.get();
    let units = &this.setup.loaded().units;
    let second = units.factor(Dimension::TIME);
    let fields = PyDict::new(py);
    fields.set_item("result", &result)?;
    if let Some(raised) = raised {
        let now = format!("t = {} {}", this.done.summary.t / second, units.word(Dimension::TIME));
        if is_interrupted(&raised) {
            let stopped = error(py, "Interrupted", &format!("interrupted at {now}"), &fields);
            stopped.set_cause(py, Some(raised));
            return Err(stopped);
        }
        // the traceback of the function is what people need; the recording goes with it
        py.import("carom._errors")?.getattr("keep_result")?.call1((raised.value(py), &result, now))?;
        return Err(raised);
    }
    let Stop::Failed(why) = &this.done.summary.stop else { return Ok(result) };
    fields.set_item("time", why.t.unwrap_or(this.done.summary.t) / second)?;
    fields.set_item("subject", &why.subject)?;
    let said = this.setup.diagnose_failure(&this.done);
    fields.set_item("remedy", said.as_ref().map(|d| d.help.to_string()))?;
    let message = said.map_or_else(|| why.wrong.clone(), |d| d.to_string());
    Err(error(py, "SimulationError", message.trim_end(), &fields))
}
