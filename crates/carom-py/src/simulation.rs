//! A run step by step.

use crate::callback::{Inputs, Raised};
use crate::errors::{model_error, value_error};
use crate::result::{Done, finish};
use crate::setup::Watch;
use carom::units::Dimension;
use carom::{Diagnostics, Saved, Stop};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

type Running<'s> = carom::Simulation<'s>;

self_cell!(
    /// A simulation and the setup that it borrows from.
    struct Cell {
        owner: Arc<carom::Setup>,
        #[not_covariant]
        dependent: Running,
    }
);

/// A simulation that is run by hand.
#[pyclass(frozen, module = "carom._carom")]
pub struct Simulation {
    setup: Arc<carom::Setup>,
    raised: Raised,
    /// Seconds in a unit of time of the file.
    second: f64,
    /// One of the unit of each channel of the motion in SI.
    factors: Vec<f64>,
    inputs: Inputs,
    cell: Mutex<Held>,
}

/// The simulation, and the inputs that its last step knew.
struct Held {
    cell: Cell,
    seen: Vec<u64>,
}

impl Held {
    /// The simulation, told of inputs that were changed.
    fn ready<T>(
        &mut self,
        inputs: &Inputs,
        work: impl FnOnce(&mut Running<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let changed = inputs.changed(&mut self.seen);
        self.cell.with_dependent_mut(|setup, running| {
            if changed && !running.is_done() {
                running.forces_jumped(setup.scheme()).map_err(|error| {
                    Python::attach(|py| model_error(py, &Diagnostics::from(setup.diagnose_start(&error))))
                })?;
            }
            work(running)
        })
    }
}

impl Simulation {
    /// At the first sample, or where another one was saved.
    pub fn start(py: Python<'_>, setup: Arc<carom::Setup>, raised: Raised, inputs: Inputs) -> PyResult<Self> {
        let cell = py.detach(|| Self::cell(&setup, None));
        if let Some(error) = raised.take() {
            return Err(error);
        }
        let cell = cell.map_err(|wrong| model_error(py, &wrong))?;
        let units = setup.loaded().units;
        let second = units.factor(Dimension::TIME);
        let factor = |c: &carom::Channel| Dimension::of_unit(&c.unit).map_or(1.0, |d| units.factor(d));
        let factors = setup.system().structure().channels.iter().map(factor).collect();
        let mut seen = Vec::new();
        inputs.changed(&mut seen);
        Ok(Self { setup, raised, second, factors, inputs, cell: Mutex::new(Held { cell, seen }) })
    }

    fn cell(setup: &Arc<carom::Setup>, saved: Option<&Saved>) -> Result<Cell, Diagnostics> {
        Cell::try_new(setup.clone(), |setup| {
            let settings = setup.settings();
            let made = match saved {
                None => setup.simulation(settings),
                Some(saved) => setup.take_up(saved, settings),
            };
            made.map_err(|error| Diagnostics::from(setup.diagnose_start(&error)))
        })
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Held>> {
        match self.cell.try_lock() {
            Ok(cell) => Ok(cell),
            Err(TryLockError::WouldBlock) => {
                Err(pyo3::exceptions::PyRuntimeError::new_err("the simulation is stepping already"))
            }
            Err(TryLockError::Poisoned(cell)) => Ok(cell.into_inner()),
        }
    }

    /// What is recorded so far.
    fn done(&self, running: &Running<'_>) -> Done {
        let summary = running.summary();
        let (recording, wall_seconds) = (running.recording(), 0.0);
        let done = carom::Done { recording, summary, wall_seconds, estimate_seconds: 0.0, beside: None };
        Done::new(self.setup.clone(), done)
    }

    /// Raises what ended the run, if it ended badly.
    fn judge(&self, py: Python<'_>, running: &Running<'_>, raised: Option<PyErr>) -> PyResult<()> {
        let raised = self.raised.take().or(raised);
        if raised.is_none() && !running.has_failed() {
            return Ok(());
        }
        finish(py, &Py::new(py, self.done(running))?, raised)
    }
}

#[pymethods]
impl Simulation {
    /// Makes `n` steps, fewer if the run ends; answers whether it goes on.
    #[pyo3(signature = (n = 1))]
    fn step(&self, py: Python<'_>, n: usize) -> PyResult<bool> {
        let mut held = self.lock()?;
        held.ready(&self.inputs, |running| {
            // a step is short: other threads need not run meanwhile
            for _ in 0..n {
                if running.is_done() || self.raised.is_set() {
                    break;
                }
                running.advance();
            }
            if running.is_done() || self.raised.is_set() {
                self.judge(py, running, None)?;
            }
            Ok(!running.is_done())
        })
    }

    /// Runs until t, in the unit of the file; answers whether the run goes on after it.
    fn run_until(&self, py: Python<'_>, t: f64) -> PyResult<bool> {
        if !t.is_finite() {
            return Err(value_error(format!("t must be finite, not {t}")));
        }
        let mut held = self.lock()?;
        let mut watch = Watch::new(None, self.raised.clone());
        held.ready(&self.inputs, |running| {
            let stop = py.detach(|| running.run_until(t * self.second, |progress| watch.look(progress)));
            self.judge(py, running, watch.raised.take())?;
            Ok(!matches!(stop, Some(Stop::Done | Stop::Interrupted | Stop::Failed(_))))
        })
    }

    /// Time, in the unit of the file.
    #[getter]
    fn t(&self) -> PyResult<f64> {
        Ok(self.lock()?.cell.with_dependent(|_, running| running.state().t) / self.second)
    }

    /// Whether the run is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        Ok(self.lock()?.cell.with_dependent(|_, running| running.is_done()))
    }

    /// Names of the channels that `values` answers: those of the motion itself.
    fn channels(&self) -> Vec<String> {
        self.setup.system().structure().channels.iter().map(|c| c.name().to_string()).collect()
    }

    /// Values of all channels of the motion now, in the units of the file.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = self.lock()?.cell.with_dependent(|_, running| running.observe());
        let shown: Vec<f64> = values.iter().zip(&self.factors).map(|(x, factor)| x / factor).collect();
        Ok(shown.into_pyarray(py))
    }

    /// Coordinates, SI.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.lock()?.cell.with_dependent(|_, running| running.state().q.clone()).into_pyarray(py))
    }

    /// Velocities, SI.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.lock()?.cell.with_dependent(|_, running| running.state().v.clone()).into_pyarray(py))
    }

    /// All that it needs to go on from here, as text.
    fn save(&self, py: Python<'_>) -> PyResult<String> {
        let mut held = self.lock()?;
        let saved = held.cell.with_dependent_mut(|setup, running| running.save(setup.scheme()));
        let saved =
            saved.map_err(|error| model_error(py, &Diagnostics::from(self.setup.diagnose_start(&error))))?;
        serde_json::to_string(&saved).map_err(|e| value_error(e.to_string()))
    }

    /// Goes on from what was saved, with a recording of its own.
    fn restore(&self, py: Python<'_>, saved: &str) -> PyResult<()> {
        let saved: Saved =
            serde_json::from_str(saved).map_err(|e| value_error(format!("this is no saved state: {e}")))?;
        let mut held = self.lock()?;
        held.cell =
            py.detach(|| Self::cell(&self.setup, Some(&saved))).map_err(|wrong| model_error(py, &wrong))?;
        Ok(())
    }

    /// Puts it elsewhere: coordinates and velocities, SI; a recording of its own begins.
    fn place(&self, py: Python<'_>, q: Vec<f64>, v: Vec<f64>, t: f64) -> PyResult<()> {
        let system = self.setup.system();
        let sizes = system.structure().sizes;
        for (what, given, wanted) in [("q", &q, sizes.q), ("v", &v, sizes.v)] {
            if given.len() != wanted {
                return Err(value_error(format!("{what} has {} numbers, not {}", wanted, given.len())));
            }
            if let Some(x) = given.iter().find(|x| !x.is_finite()) {
                return Err(value_error(format!("{what} holds {x}, not a finite number")));
            }
        }
        let state = carom::State::new(system, t * self.second, q, v);
        let mut held = self.lock()?;
        held.cell = py
            .detach(|| {
                Cell::try_new(self.setup.clone(), |setup| {
                    setup
                        .simulation_from(state, setup.settings())
                        .map_err(|error| Diagnostics::from(setup.diagnose_start(&error)))
                })
            })
            .map_err(|wrong| model_error(py, &wrong))?;
        Ok(())
    }

    /// What is recorded so far.
    fn result(&self) -> PyResult<Done> {
        Ok(self.lock()?.cell.with_dependent(|_, running| self.done(running)))
    }
}
