//! Errors of Carom as those of Python: classes of `carom._errors`. A panic is one of them, and says that it is a bug.

use carom::{Diagnostic, Diagnostics};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Mutex;

/// An error of class `name` with a message and fields.
pub fn error(py: Python<'_>, name: &str, message: &str, fields: &Bound<'_, PyDict>) -> PyErr {
    let make = || py.import("carom._errors")?.getattr(name)?.call((message,), Some(fields));
    match make() {
        Ok(value) => PyErr::from_value(value),
        Err(wrong) => wrong,
    }
}

/// What is wrong with a model: all of it as text, and every entry with file, line, column, message, remedy.
pub fn model_error(py: Python<'_>, wrong: &Diagnostics) -> PyErr {
    let fields = || -> PyResult<Bound<'_, PyDict>> {
        let entries = wrong.list.iter().map(|one| entry(py, one)).collect::<PyResult<Vec<_>>>()?;
        let fields = PyDict::new(py);
        fields.set_item("errors", PyList::new(py, entries)?)?;
        Ok(fields)
    };
    match fields() {
        Ok(fields) => error(py, "ModelError", wrong.to_string().trim_end(), &fields),
        Err(wrong) => wrong,
    }
}

/// One thing that is wrong, as a dictionary.
pub fn entry<'py>(py: Python<'py>, one: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("file", &one.file)?;
    entry.set_item("line", one.line)?;
    entry.set_item("column", one.column)?;
    entry.set_item("text", &one.text)?;
    entry.set_item("message", &one.message)?;
    entry.set_item("remedy", &*one.help)?;
    Ok(entry)
}

/// An argument that cannot be: `carom.InputError`.
pub fn value_error(message: impl AsRef<str>) -> PyErr {
    Python::attach(|py| error(py, "InputError", message.as_ref(), &PyDict::new(py)))
}

/// Where the last panic was and what it said. They come one at a time: whoever sees one ends.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps what a panic says instead of printing it.
pub fn keep_panics() {
    set_hook(Box::new(|info| {
        let mut kept = PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *kept = info.to_string();
    }));
}

/// Does `work`; a panic in it is raised as `carom.InternalError`.
pub fn guarded<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    // what the work left half done is guarded by a lock that knows it (`Simulation`), or is dropped
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let said = PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).replace('\n', " ");
        let message = format!(
            "this is a bug in Carom, not in the model: {said}. Please report it with the model (`model.text`)"
        );
        Err(error(py, "InternalError", &message, &PyDict::new(py)))
    })
}

/// Panics, so that tests see what becomes of it.
#[pyfunction]
pub fn panic_for_tests(py: Python<'_>, words: &str) -> PyResult<()> {
    guarded(py, || py.detach(|| panic!("{words}")))
}
