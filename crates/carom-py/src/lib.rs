//! Carom for Python: thin classes around the crates, with NumPy arrays at the border. What people see is in `python/carom`.
//!
//! Python threads run while Carom computes. Errors of Carom become those of `carom._errors`; a panic is an exception.

mod callback;
mod command;
mod contact;
mod errors;
mod result;
mod setup;
mod simulation;
mod system;

use pyo3::prelude::*;

/// What `python/carom` is made of.
#[pymodule]
fn _carom(m: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::keep_panics();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<callback::Input>()?;
    m.add_class::<setup::Setup>()?;
    m.add_class::<result::Done>()?;
    m.add_class::<simulation::Simulation>()?;
    m.add_function(wrap_pyfunction!(command::main, m)?)?;
    m.add_function(wrap_pyfunction!(command::listed, m)?)?;
    m.add_function(wrap_pyfunction!(command::gallery, m)?)?;
    m.add_function(wrap_pyfunction!(command::study, m)?)?;
    m.add_function(wrap_pyfunction!(command::spectrum, m)?)?;
    m.add_function(wrap_pyfunction!(contact::solve, m)?)?;
    m.add_function(wrap_pyfunction!(contact::residual, m)?)?;
    m.add_function(wrap_pyfunction!(errors::panic_for_tests, m)?)?;
    Ok(())
}
