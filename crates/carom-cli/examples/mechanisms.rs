//! Draws the performance profiles of the book's page on choosing from what `carom study mechanisms --json` printed.
//!
//! ```console
//! $ carom study mechanisms --json > mechanisms.json
//! $ cargo run --release -p carom-cli --example mechanisms mechanisms.json docs/src/mechanisms.svg
//! ```

use carom::chart::{Axis, Chart, Curve, Panel};
use serde_json::Value;
use std::error::Error;

/// The curves that are drawn, of all that were measured.
const DRAWN: [&str; 8] =
    ["hem5", "phem56", "rk4", "dopri5", "alpha-dae", "radau5", "adams-moulton", "moreau-jean"];
/// The profiles that are drawn.
const PANELS: [&str; 6] = [
    "set 1: least time for an error of 1e-4",
    "set 2: least time for an error of 1e-4",
    "set 3: least time for an error of 1e-4",
    "set 4: least time for an error of 1e-4",
    "all sets: least time for an error of 1e-2",
    "all sets: least time for an error of 1e-6",
];
/// Panels in a row, and the size of one (pixels).
const COLUMNS: usize = 2;
const SIZE: [f64; 2] = [430.0, 300.0];

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(from), Some(to)) = (words.next(), words.next()) else {
        return Err("two words are needed: the JSON of the study, and the SVG to write".into());
    };
    let study: Value = serde_json::from_str(&std::fs::read_to_string(from)?)?;
    let series = study["report"]["series"].as_array().ok_or("there are no series in it")?;
    let mut panels = Vec::new();
    for title in PANELS {
        let one = series.iter().find(|one| one["name"] == title).ok_or("a profile is missing")?;
        let columns = one["columns"].as_array().ok_or("a series without columns")?;
        let numbers = |column: &Value| -> Option<Vec<f64>> {
            column["values"].as_array()?.iter().map(Value::as_f64).collect()
        };
        let tau = numbers(&columns[0]).ok_or("no ratios")?;
        let mut panel = Panel {
            title: title.into(),
            x: Axis::logarithmic("time over the least"),
            y: Axis::linear("share of mechanisms").between(0.0, 1.0),
            curves: Vec::new(),
        };
        for name in DRAWN {
            let column = columns.iter().find(|column| column["name"] == name).ok_or("a scheme is missing")?;
            let rho = numbers(column).ok_or("no shares")?;
            // steps: a share holds until the next ratio
            let corners = (0..tau.len()).flat_map(|k| {
                let before = rho[k.saturating_sub(1)];
                [[tau[k], before], [tau[k], rho[k]]]
            });
            panel.curves.push(Curve::new(name, corners));
        }
        panels.push(panel);
    }
    let chart = Chart { columns: COLUMNS, panel_size: SIZE, ..Chart::new(panels) };
    std::fs::write(to, chart.svg())?;
    Ok(())
}
