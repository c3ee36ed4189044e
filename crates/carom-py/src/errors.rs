//! Errors of Carom as those of Python: classes of `carom._errors`.

use carom::{Diagnostic, Diagnostics};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

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

/// A plain `ValueError`.
pub fn value_error(message: impl Into<String>) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(message.into())
}
