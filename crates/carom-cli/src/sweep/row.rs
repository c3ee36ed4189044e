//! One case as a row: what was varied, how it ended, how far to trust it, what was measured. Nothing of the clock: the same
//! sweep gives the same bytes. A row holds the words of the table, so that one that was kept and read back is the same row.

use super::grid::Axis;
use super::measure::Measure;
use crate::table::short;
use carom::{Stop, Summary};
use serde::{Deserialize, Serialize};

/// Numbers of a run between `stop` and the measures. Lengths in m and rad, the time in s.
pub const NUMBERS: [&str; 7] =
    ["t", "steps", "impacts", "energy_loss", "drift_length", "drift_angle", "penetration"];

/// One case that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the case, from 0.
    pub index: usize,
    /// Values of the keys that are varied.
    values: Vec<String>,
    /// `NUMBERS`, measures and digest; none if it could not begin.
    ran: Option<Ran>,
    /// Why it failed; none if it did not.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Ran {
    numbers: Vec<String>,
    measures: Vec<String>,
    digest: String,
}

/// How a case ended.
#[derive(Debug)]
pub enum Outcome {
    /// It ran, to its end or until it failed.
    Ran { summary: Box<Summary>, measures: Vec<f64> },
    /// It could not begin.
    NotStarted(String),
}

/// The numbers of a run that the table shows, in the order of `NUMBERS`.
pub fn numbers(s: &Summary) -> [f64; 7] {
    let a = &s.audit;
    [
        s.t,
        s.steps as f64,
        s.impacts as f64,
        a.relative_numerical_loss(),
        a.drift_length.value,
        a.drift_angle.value,
        a.penetration.value,
    ]
}

impl Row {
    /// Of a case that is over.
    pub fn new(index: usize, values: Vec<String>, outcome: Outcome) -> Self {
        let words = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect();
        let (ran, reason) = match outcome {
            Outcome::NotStarted(why) => (None, Some(why)),
            Outcome::Ran { summary, measures } => {
                let reason = match &summary.stop {
                    Stop::Failed(why) => Some(why.to_string()),
                    _ => None,
                };
                let (numbers, measures) = (words(&numbers(&summary)), words(&measures));
                (Some(Ran { numbers, measures, digest: summary.digest }), reason)
            }
        };
        Self { index, values, ran, reason }
    }

    fn cells(&self, measures: usize) -> Vec<String> {
        let mut cells = vec![(self.index + 1).to_string()];
        cells.extend(self.values.iter().cloned());
        cells.push(if self.reason.is_some() { "failed" } else { "done" }.into());
        match &self.ran {
            Some(ran) => {
                cells.extend(ran.numbers.iter().chain(&ran.measures).cloned());
                cells.push(ran.digest.clone());
            }
            None => cells.extend(std::iter::repeat_n(String::new(), NUMBERS.len() + measures + 1)),
        }
        cells.push(self.reason.clone().unwrap_or_default());
        cells
    }

    /// For the printed table.
    pub fn short_cells(&self) -> Vec<String> {
        let shown = |word: &String| word.parse::<f64>().map_or_else(|_| word.clone(), short);
        let mut cells = vec![(self.index + 1).to_string()];
        cells.extend(self.values.iter().map(shown));
        if let Some(ran) = &self.ran {
            cells.extend(ran.numbers[1..3].iter().cloned());
            cells.push(shown(&ran.numbers[3]));
            cells.extend(ran.measures.iter().map(shown));
        }
        if let Some(why) = &self.reason {
            cells.push(format!("failed: {why}"));
        }
        cells
    }

    /// What was measured; none where it is no finite number.
    fn measured(&self, measure: usize) -> Option<f64> {
        self.ran.as_ref()?.measures.get(measure)?.parse().ok().filter(|x: &f64| x.is_finite())
    }
}

/// Names over the printed table.
pub fn short_head(axes: &[Axis], measures: &[Measure]) -> Vec<String> {
    let mut head = vec!["case".to_string()];
    head.extend(axes.iter().map(|axis| axis.key.clone()));
    head.extend(["steps", "impacts", "energy lost"].map(String::from));
    head.extend(measures.iter().map(Measure::to_string));
    head
}

/// All rows, comma separated: lengths of the audit in m and rad, the time in s, measures in the units of the model.
pub fn csv(axes: &[Axis], measures: &[Measure], rows: &[&Row]) -> String {
    let mut head = vec!["case".to_string()];
    head.extend(axes.iter().map(|axis| axis.key.clone()));
    head.push("stop".into());
    head.extend(NUMBERS.map(String::from));
    head.extend(measures.iter().map(Measure::to_string));
    head.extend(["digest", "reason"].map(String::from));
    let mut text = line(&head);
    for row in rows {
        text.push_str(&line(&row.cells(measures.len())));
    }
    text
}

fn line(cells: &[String]) -> String {
    let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// From where to where a measure goes, and in which cases.
pub fn span(axes: &[Axis], rows: &[&Row], measure: usize, name: &str) -> String {
    let mut found: Vec<(f64, &Row)> =
        rows.iter().filter_map(|row| Some((row.measured(measure)?, *row))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.index.cmp(&b.1.index)));
    let whose = |row: &Row| {
        let pairs = axes.iter().zip(&row.values).map(|(axis, v)| format!("{}={v}", axis.key));
        pairs.collect::<Vec<_>>().join(", ")
    };
    match (found.first(), found.last()) {
        (Some((a, first)), Some((b, last))) => {
            format!("{name}: {} ({}) to {} ({})\n", short(*a), whose(first), short(*b), whose(last))
        }
        _ => format!("{name}: no value\n"),
    }
}
