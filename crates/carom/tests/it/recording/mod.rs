//! What a run records: forces, reactions, points, accelerations, momentum, the first sample, bands, events at an instant, and when.

mod bands;
mod curves;
mod events;
mod forces;
mod points;
mod reactions;
mod rest;
mod verdict;

use carom::{Done, Setup};

/// A run of a model, with some keys changed.
fn run(text: &str, changes: &[(&str, &str)]) -> Done {
    let setup = setup(text, changes);
    let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{changes:?}: {e}"));
    assert!(done.reached_end(), "{changes:?}: {:?}", done.summary.stop);
    done
}

fn setup(text: &str, changes: &[(&str, &str)]) -> Setup {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Setup::of_text("model.toml", text, &changes).unwrap_or_else(|wrong| panic!("{changes:?}:\n{wrong}"))
}

/// The same, or what is wrong with it.
fn opened(text: &str) -> Result<Setup, String> {
    Setup::of_text("model.toml", text, &[]).map_err(|wrong| wrong.to_string())
}

/// A channel.
fn column<'a>(done: &'a Done, name: &str) -> &'a [f64] {
    done.recording.column(name).unwrap_or_else(|| panic!("no channel {name}"))
}

/// Σ f (t_k − t_{k−1}) over the samples: what a force that is a mean over intervals has given.
fn total(done: &Done, force: &str) -> f64 {
    let (t, f) = (column(done, "t"), column(done, force));
    t.windows(2).zip(&f[1..]).map(|(t, f)| f * (t[1] - t[0])).sum()
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// The last number.
fn last(column: &[f64]) -> f64 {
    *column.last().expect("there is a sample")
}
