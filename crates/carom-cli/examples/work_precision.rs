//! Draws the figure of the book's page on choosing from what `carom study work-precision --json` printed.
//!
//! ```console
//! $ carom study work-precision --json > work-precision.json
//! $ cargo run --release -p carom-cli --example work_precision work-precision.json docs/src/work-precision.svg
//! ```

use carom::chart::{Axis, Chart, Curve, Panel};
use serde_json::Value;
use std::error::Error;

/// The curves that are drawn, of all that were measured: the best of each family, and the default.
const DRAWN: [&str; 10] = [
    "moreau-jean",
    "moreau-explicit",
    "generalized-alpha",
    "moreau-jean-ggl",
    "mixed-alpha",
    "ed-alpha",
    "half-explicit",
    "half-explicit-4",
    "half-explicit, parts = 100",
    "half-explicit-4, parts = 100",
];
/// Panels in a row, and the size of one (pixels).
const COLUMNS: usize = 2;
const SIZE: [f64; 2] = [430.0, 330.0];
/// Errors that are shown.
const ERRORS: [f64; 2] = [1e-8, 1.0];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(from), Some(to)) = (words.next(), words.next()) else {
        return Err("two words are needed: the JSON of the study, and the SVG to write".into());
    };
    let study: Value = serde_json::from_str(&std::fs::read_to_string(from)?)?;
    let series = study["report"]["series"].as_array().ok_or("there are no series in it")?;
    let mut panels: Vec<Panel> = Vec::new();
    for one in series {
        // named `mechanism: scheme`
        let (mechanism, scheme) =
            one["name"].as_str().and_then(|name| name.split_once(": ")).ok_or("a series without a name")?;
        if !DRAWN.contains(&scheme) {
            continue;
        }
        let numbers = |i: usize| -> Option<Vec<f64>> {
            one["columns"][i]["values"].as_array()?.iter().map(Value::as_f64).collect()
        };
        let (errors, times) = (numbers(0).ok_or("no errors")?, numbers(1).ok_or("no times")?);
        if panels.last().is_none_or(|panel| panel.title != mechanism) {
            panels.push(Panel {
                title: mechanism.into(),
                x: Axis::logarithmic("relative error").between(ERRORS[0], ERRORS[1]),
                y: Axis::logarithmic("time per simulated second (s)"),
                curves: Vec::new(),
            });
        }
        let points = errors.iter().zip(&times).map(|(error, time)| [*error, *time]);
        panels.last_mut().expect("just pushed").curves.push(Curve::new(scheme, points));
    }
    let chart = Chart { columns: COLUMNS, panel_size: SIZE, ..Chart::new(panels) };
    std::fs::write(to, chart.svg())?;
    Ok(())
}
