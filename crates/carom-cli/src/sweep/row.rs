//! One case as a row: what was varied, how it ended, how far to trust it, what was measured. Nothing of the clock: the same
//! sweep gives the same bytes.

use super::grid::Axis;
use super::measure::Measure;
use crate::table::short;
use carom::{Stop, Summary};

/// One case that is over.
#[derive(Debug)]
pub struct Row {
    /// Number of the case, from 0.
    pub index: usize,
    /// Values of the keys that are varied.
    pub values: Vec<String>,
    /// What came out.
    pub outcome: Outcome,
}

/// How a case ended.
#[derive(Debug)]
pub enum Outcome {
    /// It ran, to its end or until it failed.
    Ran { summary: Box<Summary>, measures: Vec<f64> },
    /// It could not begin.
    NotStarted(String),
}

impl Row {
    /// Why it failed; none if it did not.
    pub fn reason(&self) -> Option<String> {
        match &self.outcome {
            Outcome::NotStarted(why) => Some(why.clone()),
            Outcome::Ran { summary, .. } => match &summary.stop {
                Stop::Failed(why) => Some(why.to_string()),
                _ => None,
            },
        }
    }

    fn word(&self) -> &'static str {
        if self.reason().is_some() { "failed" } else { "done" }
    }

    fn cells(&self, measures: usize) -> Vec<String> {
        let mut cells = vec![(self.index + 1).to_string()];
        cells.extend(self.values.iter().cloned());
        cells.push(self.word().into());
        match &self.outcome {
            Outcome::Ran { summary: s, measures } => {
                cells.extend([s.t.to_string(), s.steps.to_string(), s.impacts.to_string()]);
                let a = &s.audit;
                let numbers = [
                    a.relative_numerical_loss(),
                    a.drift_length.value,
                    a.drift_angle.value,
                    a.penetration.value,
                ];
                cells.extend(numbers.iter().chain(measures).map(f64::to_string));
                cells.push(s.digest.clone());
            }
            Outcome::NotStarted(_) => cells.extend(std::iter::repeat_n(String::new(), 8 + measures)),
        }
        cells.push(self.reason().unwrap_or_default());
        cells
    }

    /// For the printed table.
    pub fn short_cells(&self) -> Vec<String> {
        let mut cells = vec![(self.index + 1).to_string()];
        cells.extend(self.values.iter().map(|v| v.parse::<f64>().map_or_else(|_| v.clone(), short)));
        match &self.outcome {
            Outcome::Ran { summary: s, measures } => {
                cells.extend([
                    s.steps.to_string(),
                    s.impacts.to_string(),
                    short(s.audit.relative_numerical_loss()),
                ]);
                cells.extend(measures.iter().map(|x| short(*x)));
            }
            Outcome::NotStarted(_) => {}
        }
        if let Some(why) = self.reason() {
            cells.push(format!("failed: {why}"));
        }
        cells
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
    let audit =
        ["stop", "t", "steps", "impacts", "energy_loss", "drift_length", "drift_angle", "penetration"];
    head.extend(audit.map(String::from));
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
    let value = |row: &&Row| match &row.outcome {
        Outcome::Ran { measures, .. } if measures[measure].is_finite() => Some(measures[measure]),
        _ => None,
    };
    let mut found: Vec<(f64, &Row)> = rows.iter().filter_map(|row| Some((value(row)?, *row))).collect();
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
