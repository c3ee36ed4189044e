//! A run step by step.

#![allow(non_snake_case)]

use crate::callback::{Inputs, Raised};
use crate::errors::{error, guarded, model_error, value_error};
use crate::result::{Done, finish};
use crate::setup::Watch;
use carom::units::Dimension;
use carom::{Configuration, Diagnostics, Quantity, Saved, State, Stop};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use self_cell::self_cell;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// A step that took longer lets other Python threads run during the next one. Handing the interpreter over and back costs a
/// part of a microsecond, and milliseconds where others do not give it back at once.
const LONG: Duration = Duration::from_micros(50);
/// How far joints may be open where somebody puts a mechanism, relative to its size (angles: in rad).
const CLOSED: f64 = 1e-6;

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

/// The simulation, the inputs that its last step knew, and whether that was a long one.
struct Held {
    cell: Cell,
    seen: Vec<u64>,
    long: bool,
}

/// All that a run needs to go on: of which scheme and how many coordinates, where it is, its inputs now (bits) and at its last
/// step.
#[derive(Serialize, Deserialize)]
struct Kept {
    scheme: String,
    sizes: [usize; 4],
    run: Saved,
    inputs: Vec<u64>,
    seen: Vec<u64>,
}

impl Held {
    /// The simulation, told of inputs that were changed.
    fn ready<T>(
        &mut self,
        inputs: &Inputs,
        work: impl FnOnce(&mut Running<'_>, &mut bool) -> PyResult<T>,
    ) -> PyResult<T> {
        let changed = inputs.changed(&mut self.seen);
        let long = &mut self.long;
        self.cell.with_dependent_mut(|setup, running| {
            if changed && !running.is_done() {
                running.forces_jumped(setup.scheme()).map_err(|error| {
                    Python::attach(|py| model_error(py, &Diagnostics::from(setup.diagnose_start(&error))))
                })?;
            }
            work(running, long)
        })
    }
}

impl Simulation {
    /// At the first sample.
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
        let held = Held { cell, seen, long: false };
        Ok(Self { setup, raised, second, factors, inputs, cell: Mutex::new(held) })
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
            Err(TryLockError::WouldBlock) => Err(value_error(
                "the simulation is stepping already, in another thread or around this function",
            )),
            Err(TryLockError::Poisoned(_)) => Err(Python::attach(|py| {
                let message = "a bug in Carom ended this simulation; set its state, or make a new one";
                error(py, "InternalError", message, &PyDict::new(py))
            })),
        }
    }

    /// The same for whoever puts a new simulation in: what a bug left is no matter.
    fn lock_anew(&self) -> PyResult<MutexGuard<'_, Held>> {
        if self.cell.is_poisoned() {
            self.cell.clear_poison();
        }
        self.lock()
    }

    /// What is recorded so far.
    fn done(&self, running: &Running<'_>) -> Done {
        let mut summary = running.summary();
        // sentences in the units of the file, as `Setup::run_estimated` has them
        let units = &self.setup.loaded().units;
        summary.audit.verdict = units.speak(&summary.audit.verdict);
        if let Stop::Failed(why) = &mut summary.stop {
            why.wrong = units.speak(&why.wrong);
            why.remedy = why.remedy.as_deref().map(|remedy| units.speak(remedy));
        }
        let (recording, wall_seconds) = (running.recording(), f64::NAN);
        let done = carom::Done { recording, summary, wall_seconds, estimate_seconds: 0.0, beside: None };
        Done::new(self.setup.clone(), done)
    }

    /// Raises what ended the run, if it ended badly. Whoever was only interrupted may go on.
    fn judge(&self, py: Python<'_>, running: &mut Running<'_>, raised: Option<PyErr>) -> PyResult<()> {
        let raised = self.raised.take().or(raised);
        if raised.is_none() && !running.has_failed() {
            return Ok(());
        }
        let done = self.done(running);
        running.go_on();
        finish(py, done, raised).map(|_| ())
    }

    fn scheme(&self) -> String {
        self.setup.scheme().describe()
    }

    fn sizes(&self) -> [usize; 4] {
        let sizes = self.setup.system().structure().sizes;
        [sizes.q, sizes.v, sizes.constraints, sizes.contacts]
    }

    /// Complains of joints that are open at a state, and of velocities that tear them open.
    fn check_closed(&self, state: &State) -> PyResult<()> {
        let system = self.setup.system();
        let structure = system.structure();
        for rotation in &structure.rotations {
            let p = &state.q[rotation.q..rotation.q + 4];
            let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (length - 1.0).abs() > CLOSED {
                return Err(value_error(format!(
                    "q[{}:{}] is a quaternion of length {length}; divide it by its length",
                    rotation.q,
                    rotation.q + 4
                )));
            }
        }
        let rows = structure.sizes.constraints;
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        let (mut phi, mut phi_t) = (vec![0.0; rows], vec![0.0; rows]);
        let mut G = vec![0.0; structure.pattern.jacobian.len()];
        system.constraints(&at, &mut phi);
        system.jacobian(&at, &mut G, &mut phi_t);
        let (mut rate, mut size) = (phi_t.clone(), phi_t.iter().map(|x| x.abs()).collect::<Vec<_>>());
        for ((i, j), g) in structure.pattern.jacobian.iter().zip(&G) {
            rate[*i as usize] += g * state.v[*j as usize];
            size[*i as usize] += (g * state.v[*j as usize]).abs();
        }
        for joint in &structure.constraints {
            for (row, (quantity, _)) in joint.rows.clone().zip(&joint.quantities) {
                let (allowed, unit) = match quantity {
                    Quantity::Length => (CLOSED * structure.length_scale, "m"),
                    Quantity::Angle => (CLOSED, "rad"),
                };
                let name = &joint.name;
                if phi[row].abs() > allowed {
                    return Err(value_error(format!(
                        "joint `{name}` is open by {:.3e} {unit} there; give coordinates that close it",
                        phi[row].abs()
                    )));
                }
                if rate[row].abs() > CLOSED * size[row].max(allowed) {
                    return Err(value_error(format!(
                        "velocities there tear joint `{name}` open with {:.3e} {unit}/s; give some that it allows",
                        rate[row].abs()
                    )));
                }
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Simulation {
    /// Makes `n` steps, fewer if the run ends; answers whether it goes on.
    #[pyo3(signature = (n = 1))]
    fn step(&self, py: Python<'_>, n: usize) -> PyResult<bool> {
        guarded(py, || {
            let mut held = self.lock()?;
            held.ready(&self.inputs, |running, long| {
                let begin = Instant::now();
                let mut raised = None;
                if n == 1 && !*long {
                    running.advance();
                } else {
                    let mut watch = Watch::new(None, self.raised.clone());
                    py.detach(|| {
                        for _ in 0..n {
                            running.advance();
                            if running.is_done() || !watch.hear() {
                                break;
                            }
                        }
                    });
                    raised = watch.raised;
                }
                *long = begin.elapsed() > LONG * u32::try_from(n).unwrap_or(u32::MAX);
                if raised.is_some() || running.is_done() || self.raised.is_set() {
                    self.judge(py, running, raised)?;
                }
                Ok(!running.is_done())
            })
        })
    }

    /// Runs until t, in the unit of the file; answers whether the run goes on after it.
    fn run_until(&self, py: Python<'_>, t: f64) -> PyResult<bool> {
        if !t.is_finite() {
            return Err(value_error(format!("t must be finite, not {t}")));
        }
        guarded(py, || {
            let mut held = self.lock()?;
            let mut watch = Watch::new(None, self.raised.clone());
            held.ready(&self.inputs, |running, _| {
                py.detach(|| running.run_until(t * self.second, |progress| watch.look(progress)));
                self.judge(py, running, watch.raised.take())?;
                Ok(!running.is_done())
            })
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
        guarded(py, || {
            let mut values = self.lock()?.cell.with_dependent(|_, running| running.observe());
            if let Some(error) = self.raised.take() {
                return Err(error);
            }
            values.iter_mut().zip(&self.factors).for_each(|(x, factor)| *x /= factor);
            Ok(values.into_pyarray(py))
        })
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
        guarded(py, || {
            let mut held = self.lock()?;
            let saved = held.cell.with_dependent_mut(|setup, running| running.save(setup.scheme()));
            if let Some(error) = self.raised.take() {
                return Err(error);
            }
            let run = saved
                .map_err(|error| model_error(py, &Diagnostics::from(self.setup.diagnose_start(&error))))?;
            let (inputs, seen) = (self.inputs.bits(), held.seen.clone());
            let kept = Kept { scheme: self.scheme(), sizes: self.sizes(), run, inputs, seen };
            serde_json::to_string(&kept).map_err(|e| value_error(format!("this state cannot be kept: {e}")))
        })
    }

    /// Goes on from what was saved, with a recording of its own.
    fn restore(&self, py: Python<'_>, saved: &str) -> PyResult<()> {
        let kept: Kept =
            serde_json::from_str(saved).map_err(|e| value_error(format!("this is no saved state: {e}")))?;
        let Kept { scheme, sizes, run, inputs, seen } = kept;
        if sizes != self.sizes() || inputs.len() != self.inputs.len() {
            let counts = |s: [usize; 4], n: usize| {
                let [q, v, rows, contacts] = s;
                format!(
                    "{q} coordinates, {v} velocities, {rows} rows of joints, {contacts} contacts, {n} inputs"
                )
            };
            return Err(value_error(format!(
                "this state is of another model: it has {}; this one has {}",
                counts(sizes, inputs.len()),
                counts(self.sizes(), self.inputs.len())
            )));
        }
        if scheme != self.scheme() {
            return Err(value_error(format!(
                "this state was saved with `{scheme}` and this simulation runs with `{}`; `place` takes its q, v and t",
                self.scheme()
            )));
        }
        guarded(py, || {
            let mut held = self.lock_anew()?;
            self.inputs.set(&inputs);
            let cell = py.detach(|| Self::cell(&self.setup, Some(&run)));
            if let Some(error) = self.raised.take() {
                return Err(error);
            }
            held.cell = cell.map_err(|wrong| model_error(py, &wrong))?;
            held.seen = seen;
            Ok(())
        })
    }

    /// Puts it elsewhere: coordinates and velocities, SI; a recording of its own begins.
    fn place(&self, py: Python<'_>, q: Vec<f64>, v: Vec<f64>, t: f64) -> PyResult<()> {
        let system = self.setup.system();
        let sizes = system.structure().sizes;
        for (what, given, wanted) in [("q", &q, sizes.q), ("v", &v, sizes.v)] {
            if given.len() != wanted {
                return Err(value_error(format!("{what} has {wanted} numbers, not {}", given.len())));
            }
            if let Some(x) = given.iter().find(|x| !x.is_finite()) {
                return Err(value_error(format!("{what} holds {x}, not a finite number")));
            }
        }
        if !t.is_finite() {
            return Err(value_error(format!("t must be finite, not {t}")));
        }
        guarded(py, || {
            let state = State::new(system, t * self.second, q, v);
            self.check_closed(&state)?;
            let mut held = self.lock_anew()?;
            let cell = py.detach(|| {
                Cell::try_new(self.setup.clone(), |setup| {
                    setup
                        .simulation_from(state, setup.settings())
                        .map_err(|error| Diagnostics::from(setup.diagnose_start(&error)))
                })
            });
            if let Some(error) = self.raised.take() {
                return Err(error);
            }
            held.cell = cell.map_err(|wrong| model_error(py, &wrong))?;
            self.inputs.changed(&mut held.seen);
            Ok(())
        })
    }

    /// What is recorded so far.
    fn result(&self, py: Python<'_>) -> PyResult<Done> {
        guarded(py, || Ok(self.lock()?.cell.with_dependent(|_, running| self.done(running))))
    }

    /// Panics half way, so that tests see what becomes of the simulation.
    fn panic_for_tests(&self, py: Python<'_>) -> PyResult<()> {
        guarded(py, || {
            let mut held = self.lock()?;
            held.cell.with_dependent_mut(|_, running| panic!("half way at t = {}", running.state().t))
        })
    }
}
