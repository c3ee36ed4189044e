//! A model that can be run.

use crate::callback::{self, Inputs, Raised};
use crate::errors::{self, entry, guarded, model_error, value_error};
use crate::result::{Done, finish};
use crate::simulation::Simulation;
use crate::system::PythonSystem;
use carom::{Diagnostics, Effort, Progress};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time between two looks at signals and two calls of a progress bar.
const LOOK: Duration = Duration::from_millis(40);

/// A model, read, built and assembled.
#[pyclass(frozen, module = "carom._carom")]
pub struct Setup {
    pub(crate) inner: Arc<carom::Setup>,
    pub(crate) raised: Raised,
    inputs: Inputs,
}

/// Keys and values that are changed.
pub type Changes = Vec<(String, String)>;

#[pymethods]
impl Setup {
    /// From the text of a model file. `path` is where it lies, `files` are texts that it names.
    #[staticmethod]
    #[pyo3(signature = (name, text, files, changes, functions))]
    fn of_text(
        py: Python<'_>,
        name: &str,
        text: &str,
        files: Option<Vec<(String, String)>>,
        changes: Changes,
        functions: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let raised = Raised::default();
        let (functions, inputs) = callback::functions(functions, &raised)?;
        let made = guarded(py, || {
            Ok(py.detach(|| {
                let loaded = match &files {
                    None => carom::load_text(name, text, &changes),
                    Some(files) => {
                        let files: Vec<(&str, &str)> =
                            files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
                        carom::load_texts(name, text, &files, &changes)
                    }
                };
                loaded.and_then(|loaded| carom::Setup::with_functions(loaded, functions, &changes))
            }))
        })?;
        Ok(Self { inputs, ..Self::made(py, made, raised)? })
    }

    /// A coded system.
    #[staticmethod]
    fn of_system(py: Python<'_>, name: &str, changes: Changes) -> PyResult<Self> {
        let info = carom::SystemInfo::find(name)
            .ok_or_else(|| value_error(format!("there is no coded system `{name}`")))?;
        let made = guarded(py, || Ok(carom::Setup::of_system(info, &changes)))?;
        Self::made(py, made, Raised::default())
    }

    /// A system of one's own, an object with the functions of `carom.System`.
    #[staticmethod]
    fn of_own(py: Python<'_>, name: &str, system: &Bound<'_, PyAny>, changes: Changes) -> PyResult<Self> {
        let raised = Raised::default();
        let own = PythonSystem::coded(system, &raised)?;
        let made = guarded(py, || Ok(py.detach(|| carom::Setup::of_own(name, own, &changes))))?;
        if let Some(error) = raised.take() {
            return Err(error);
        }
        Self::made(py, made, raised)
    }

    /// Runs to the end. `progress` is called now and then with t, the end, and what the run is for.
    #[pyo3(signature = (certify = None, estimate = true, progress = None))]
    fn run(
        &self,
        py: Python<'_>,
        certify: Option<f64>,
        estimate: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Py<Done>> {
        let effort = match certify {
            Some(target) => Effort::Certify(target),
            None if estimate => Effort::Usual,
            None => Effort::Nothing,
        };
        let mut watch = Watch::new(progress, self.raised.clone());
        let ended = guarded(py, || {
            let settings = self.inner.settings();
            Ok(py
                .detach(|| self.inner.run_estimated(settings, effort, None, |progress| watch.look(progress))))
        })?;
        let done = match ended {
            Ok(done) => done,
            Err(error) => {
                if let Some(error) = self.raised.take() {
                    return Err(error);
                }
                return Err(model_error(py, &Diagnostics::from(self.inner.diagnose_start(&error))));
            }
        };
        finish(py, Done::new(self.inner.clone(), done), self.raised.take().or(watch.raised))
    }

    /// A simulation that is run by hand.
    fn simulation(&self, py: Python<'_>) -> PyResult<Simulation> {
        guarded(py, || Simulation::start(py, self.inner.clone(), self.raised.clone(), self.inputs.clone()))
    }

    /// Warnings and notes: what is suspicious, what is good to know.
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = self.inner.warnings().into_iter().chain(self.inner.notes());
        let list = PyList::empty(py);
        for one in all {
            let fields = entry(py, &one)?;
            fields.set_item("words", one.in_a_line())?;
            list.append(fields)?;
        }
        Ok(list)
    }

    /// What `carom check --json` says.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        guarded(py, || {
            if let Err(error) = self.inner.simulation(self.inner.settings()).map(|_| ()) {
                return Err(model_error(py, &Diagnostics::from(self.inner.diagnose_start(&error))));
            }
            Ok(carom_cli::answers::check(&self.inner).to_string())
        })
    }

    /// Derivatives that are not those by differences at the start, a sentence each.
    fn wrong_derivatives(&self, py: Python<'_>, tolerance: f64) -> PyResult<Vec<String>> {
        guarded(py, || {
            let state = self.inner.state();
            let wrong = carom::check_derivatives(self.inner.system(), state.t, &state.q, &state.v, tolerance);
            self.raised.take().map_or(Ok(wrong), Err)
        })
    }

    /// What `carom modes --json` says.
    #[pyo3(signature = (body = None, count = None))]
    fn modes(&self, py: Python<'_>, body: Option<&str>, count: Option<u16>) -> PyResult<String> {
        guarded(py, || {
            carom_cli::answers::modes(&self.inner, body, count)
                .map(|value| value.to_string())
                .map_err(|wrong| errors::error(py, "ModelError", &wrong, &PyDict::new(py)))
        })
    }

    /// Digest of all that a run depends on, but for functions of Python.
    fn fingerprint(&self, py: Python<'_>) -> String {
        py.detach(|| carom_cli::answers::fingerprint(&self.inner))
    }

    /// Whether an accuracy is asked for: then a single run is no answer.
    fn is_accurate(&self) -> bool {
        self.inner.settings().accuracy.is_some()
    }

    /// Scheme, step, end, solver and title.
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let description = &self.inner.loaded().description;
        let s = description.simulation();
        let choices = PyDict::new(py);
        let time = self.inner.loaded().units.factor(carom::units::Dimension::TIME);
        choices.set_item("title", description.title())?;
        choices.set_item("in_space", description.space().is_some())?;
        choices.set_item("scheme", &s.scheme)?;
        choices.set_item("solver", &s.solver)?;
        choices.set_item("step", s.step / time)?;
        choices.set_item("end", s.end / time)?;
        choices.set_item("accuracy", s.accuracy)?;
        choices.set_item("bodies", description.bodies())?;
        choices.set_item("joints", description.joints())?;
        choices.set_item("contacts", description.contacts())?;
        let parameters = PyDict::new(py);
        for (name, value) in &self.inner.loaded().parameters {
            parameters.set_item(name, value)?;
        }
        choices.set_item("parameters", parameters)?;
        // scheme parameters in the file that the scheme of a change does not know
        choices.set_item("unused", self.inner.unused_parameters())?;
        Ok(choices)
    }
}

impl Setup {
    fn made(py: Python<'_>, made: Result<carom::Setup, Diagnostics>, raised: Raised) -> PyResult<Self> {
        if let Some(error) = raised.take() {
            return Err(error);
        }
        let inner = Arc::new(made.map_err(|wrong| model_error(py, &wrong))?);
        Ok(Self { inner, raised, inputs: Inputs::default() })
    }
}

/// Looks at signals and calls the progress bar, now and then.
pub struct Watch {
    progress: Option<Py<PyAny>>,
    last: Instant,
    functions: Raised,
    /// What a signal or the progress bar raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    /// For one run.
    pub fn new(progress: Option<Py<PyAny>>, functions: Raised) -> Self {
        Self { progress, last: Instant::now(), functions, raised: None }
    }

    /// Whether to go on; tells the progress bar too.
    pub fn look(&mut self, at: &Progress) -> bool {
        self.now_and_then(|progress, py| {
            progress
                .as_ref()
                .map_or(Ok(()), |f| f.call1(py, (at.t, at.end, at.steps, at.purpose)).map(|_| ()))
        })
    }

    /// Whether to go on.
    pub fn hear(&mut self) -> bool {
        self.now_and_then(|_, _| Ok(()))
    }

    fn now_and_then(&mut self, tell: impl FnOnce(&Option<Py<PyAny>>, Python<'_>) -> PyResult<()>) -> bool {
        if self.functions.is_set() || self.raised.is_some() {
            return false;
        }
        if self.last.elapsed() < LOOK {
            return true;
        }
        self.last = Instant::now();
        let heard = Python::attach(|py| py.check_signals().and_then(|()| tell(&self.progress, py)));
        self.raised = heard.err();
        self.raised.is_none()
    }
}
