//! The answers of commands as data, for programs that are not a shell.

use crate::{check, modes, spectrum};
use carom::Setup;
use serde_json::Value;

/// What `carom check --json` says of a model that can be run.
pub fn check(setup: &Setup) -> Value {
    check::data(setup)
}

/// What `carom modes --json` says: of one body or of all, the slowest `count` modes. The error is what is wrong and what would
/// be right.
pub fn modes(setup: &Setup, body: Option<&str>, count: Option<u16>) -> Result<Value, String> {
    modes::of_setup(setup, body, count, None)
        .map(|answers| modes::data(&answers))
        .map_err(|failure| failure.message().to_string())
}

/// What `carom spectrum --json` says of schemes such as `hht:alpha=0.1`, over steps in periods.
pub fn spectrum(schemes: &[String], damping: f64, steps: &[f64]) -> Result<Value, String> {
    spectrum::of_schemes(schemes, &[], damping, steps)
        .map(|answers| spectrum::data(&answers, damping))
        .map_err(|failure| failure.message().to_string())
}
