//! Python functions that formulas call, and inputs that are held until somebody changes them.

use crate::errors::value_error;
use carom::OuterFunction;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// What the first function that failed raised. A run that sees it set ends.
#[derive(Clone, Debug, Default)]
pub struct Raised(Arc<RaisedInner>);

#[derive(Debug, Default)]
struct RaisedInner {
    any: AtomicBool,
    what: Mutex<Option<PyErr>>,
}

impl Raised {
    /// Keeps the first one.
    pub fn keep(&self, error: PyErr) {
        let mut what = self.0.what.lock().expect("nothing panics while it is held");
        if what.is_none() {
            *what = Some(error);
        }
        self.0.any.store(true, Ordering::Release);
    }

    /// Whether there is one.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.any.load(Ordering::Acquire)
    }

    /// Takes it.
    pub fn take(&self) -> Option<PyErr> {
        let mut what = self.0.what.lock().expect("nothing panics while it is held");
        self.0.any.store(false, Ordering::Release);
        what.take()
    }
}

/// A Python function of numbers. What it raises is kept, and the run ends on NaN.
#[derive(Debug)]
pub struct Callback {
    name: String,
    function: Py<PyAny>,
    arguments: usize,
    raised: Raised,
}

impl Callback {
    /// Takes so many numbers; formulas call it `name`.
    pub fn new(name: &str, function: Py<PyAny>, arguments: usize, raised: Raised) -> Self {
        Self { name: name.into(), function, arguments, raised }
    }
}

impl OuterFunction for Callback {
    fn arguments(&self) -> usize {
        self.arguments
    }

    fn call(&self, x: &[f64]) -> f64 {
        // a step that runs away leaves the numbers: that is for the scheme to see
        if self.raised.is_set() || x.iter().any(|x| !x.is_finite()) {
            return f64::NAN;
        }
        Python::attach(|py| {
            let call = || -> PyResult<f64> {
                let function = self.function.bind(py);
                let answer = match *x {
                    [] => function.call0(),
                    [a] => function.call1((a,)),
                    [a, b] => function.call1((a, b)),
                    [a, b, c] => function.call1((a, b, c)),
                    _ => function.call1(PyTuple::new(py, x)?),
                }?;
                match answer.extract::<f64>() {
                    Ok(value) if !value.is_nan() => Ok(value),
                    _ => {
                        let (name, answer) = (&self.name, answer.repr()?);
                        Err(value_error(format!("`{name}` answered {answer} at {x:?}, not a number")))
                    }
                }
            };
            call().unwrap_or_else(|error| {
                self.raised.keep(error);
                f64::NAN
            })
        })
    }
}

/// A number that formulas call by name, `"=push()"`, and that is held until it is set anew.
#[pyclass(frozen, module = "carom")]
#[derive(Debug)]
pub struct Input(Arc<AtomicU64>);

#[pymethods]
impl Input {
    #[new]
    #[pyo3(signature = (value = 0.0))]
    fn new(value: f64) -> Self {
        Self(Arc::new(AtomicU64::new(value.to_bits())))
    }

    /// The number.
    #[getter]
    fn value(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[setter]
    fn set_value(&self, value: f64) -> PyResult<()> {
        if !value.is_finite() {
            return Err(value_error(format!("an input must be finite, not {value}")));
        }
        self.0.store(value.to_bits(), Ordering::Relaxed);
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Input({:?})", self.value())
    }
}

#[derive(Debug)]
struct Held(Arc<AtomicU64>);

impl OuterFunction for Held {
    fn arguments(&self) -> usize {
        0
    }

    fn call(&self, _: &[f64]) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

/// The inputs of a model, to see whether one was changed.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<Arc<AtomicU64>>);

impl Inputs {
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Their values, bit by bit.
    pub fn bits(&self) -> Vec<u64> {
        self.0.iter().map(|input| input.load(Ordering::Relaxed)).collect()
    }

    /// Gives each a value.
    pub fn set(&self, bits: &[u64]) {
        self.0.iter().zip(bits).for_each(|(input, bits)| input.store(*bits, Ordering::Relaxed));
    }

    /// Writes down their values and answers whether they are others than those written down.
    pub fn changed(&self, seen: &mut Vec<u64>) -> bool {
        let mut changed = seen.len() != self.0.len();
        seen.resize(self.0.len(), 0);
        for (seen, input) in seen.iter_mut().zip(&self.0) {
            let now = input.load(Ordering::Relaxed);
            changed |= *seen != now;
            *seen = now;
        }
        changed
    }
}

/// The functions of a dictionary: an [`Input`], or a pair of a callable and its number of arguments.
pub fn functions(given: &Bound<'_, PyDict>, raised: &Raised) -> PyResult<(carom::Functions, Inputs)> {
    let (mut functions, mut inputs) = (carom::Functions::default(), Inputs::default());
    for (name, value) in given {
        let name: String = name.extract()?;
        let function: Arc<dyn OuterFunction> = match value.cast::<Input>() {
            Ok(input) => {
                inputs.0.push(input.get().0.clone());
                Arc::new(Held(input.get().0.clone()))
            }
            Err(_) => {
                let (function, arguments): (Py<PyAny>, usize) = value.extract()?;
                Arc::new(Callback::new(&name, function, arguments, raised.clone()))
            }
        };
        functions.0.insert(name, function);
    }
    Ok((functions, inputs))
}
