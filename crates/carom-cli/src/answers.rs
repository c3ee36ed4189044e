//! The answers of commands as data, for programs that are not a shell.

use crate::digest::digest;
use crate::{check, modes, spectrum, sweep};
use carom::{Recording, Setup, Summary};
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

/// Numbers of a run as the table of `carom sweep` has them: t, steps, impacts, energy_loss, drift_length, drift_angle,
/// penetration; SI.
pub fn numbers(summary: &Summary) -> [f64; 7] {
    sweep::row::numbers(summary)
}

/// Names of [`numbers`].
pub const NUMBERS: [&str; 7] = sweep::row::NUMBERS;

/// A number of a recording, as `carom sweep --measure CHANNEL:HOW` says it; none if there is no such channel.
pub fn measure(recording: &Recording, text: &str) -> Result<Option<f64>, String> {
    let measure = sweep::measure::parse(text)?;
    Ok(recording.column(&measure.channel).map(|_| measure.of(recording)))
}

/// Digest of all that a run depends on: the model with what its files say, the start, the version of Carom.
pub fn fingerprint(setup: &Setup) -> String {
    let loaded = setup.loaded();
    let assembly = setup.assembly();
    let all = serde_json::json!([
        env!("CARGO_PKG_VERSION"),
        loaded.description,
        loaded.parameters,
        // to the bit
        assembly.q.iter().chain(&assembly.v).map(|x| x.to_bits()).collect::<Vec<_>>(),
    ]);
    digest(all.to_string().bytes())
}
