//! The time series of a run: `series.csv`, or `series.npz` if there is no other.

use super::{ResultsError, archive, csv};
use carom_dynamics::{Channel, Recording};
use indexmap::IndexMap;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Names and columns, as they are in the file.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub names: Vec<String>,
    pub columns: Vec<Vec<f64>>,
}

pub(super) fn read(
    folder: &Path,
    units: &IndexMap<String, String>,
    problems: &mut Vec<String>,
) -> Result<Recording, ResultsError> {
    let mut why = None;
    for (name, parse) in
        [("series.csv", series as fn(&[u8], &mut Vec<String>) -> _), ("series.npz", archive::read)]
    {
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        let bytes = fs::read(&path).map_err(|e| {
            ResultsError::new(format!("cannot read {}: {e}", path.display()), "make it readable")
        })?;
        let read = parse(&bytes, problems).and_then(|columns| recording(name, columns, units, problems));
        match read {
            Ok(recording) => {
                problems.extend(why.map(|w| format!("series.csv cannot be used, series.npz is shown: {w}.")));
                return Ok(recording);
            }
            Err(wrong) => why = Some(wrong),
        }
    }
    Err(match why {
        Some(why) => ResultsError::new(
            format!("the series in {} cannot be used: {why}", folder.display()),
            "repeat the run: its command is in summary.json",
        ),
        None => ResultsError::new(
            format!("there is no series.csv in {}", folder.display()),
            "is it a folder written by `carom run`?",
        ),
    })
}

fn series(bytes: &[u8], problems: &mut Vec<String>) -> Result<Columns, String> {
    table("series.csv", bytes, problems)
}

/// A table of samples, `series.csv` for one: rows up to the first that is damaged. The error is a clause.
pub(super) fn table(file: &str, bytes: &[u8], problems: &mut Vec<String>) -> Result<Columns, String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let Some((names, mut rest)) = csv::record(bytes) else {
        return Err(if bytes.is_empty() {
            format!("{file} is empty")
        } else {
            format!("{file} ends within its first line")
        });
    };
    let header = &bytes[..bytes.len() - rest.len()];
    let mut line = header.iter().filter(|b| **b == b'\n').count();
    let mut columns = vec![Vec::new(); names.len()];
    let mut row = Vec::with_capacity(names.len());
    let mut last = f64::NEG_INFINITY;
    while let Some(end) = rest.iter().position(|b| *b == b'\n') {
        line += 1;
        let text = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        if let Err(wrong) = numbers(text, &names, &mut row, last) {
            let left = rest.iter().filter(|b| **b == b'\n').count();
            let lines = if left == 1 {
                "it is left out".into()
            } else {
                format!("it and the {} lines after it are left out", left - 1)
            };
            problems.push(format!("{file}, line {line}: {wrong}; {lines}."));
            return Ok(Columns { names, columns });
        }
        if last == f64::NEG_INFINITY {
            // rows are about as long as the first, which has a byte for every column at least
            let rows = rest.len() / (end + 1) + 1;
            columns.iter_mut().for_each(|column| column.reserve(rows));
        }
        last = row[0];
        columns.iter_mut().zip(&row).for_each(|(column, x)| column.push(*x));
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        problems.push(format!("{file} breaks off within line {}, which is left out.", line + 1));
    }
    Ok(Columns { names, columns })
}

/// The numbers of one row, whose time is not before that of the row before it. The error is a clause.
fn numbers(text: &[u8], names: &[String], row: &mut Vec<f64>, last: f64) -> Result<(), String> {
    row.clear();
    for field in text.split(|b| *b == b',') {
        let Some(x) = csv::number(field) else {
            return Err(format!("`{}` is not a number", shown(&String::from_utf8_lossy(field))));
        };
        row.push(x);
    }
    if row.len() != names.len() {
        return Err(format!("{} fields where there are {} columns", row.len(), names.len()));
    }
    match row[0] {
        t if t >= last => Ok(()),
        t if t.is_nan() => Err("the time is not a number".into()),
        t => Err(format!("the time goes back from {last} to {t}")),
    }
}

/// The beginning of what may be anything, fit for a message.
fn shown(text: &str) -> String {
    /// Characters.
    const MOST: usize = 40;
    let mut words: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        words.push('…');
    }
    words
}

/// The columns as channels: time first, each name once, those for drawing left out. The error is a clause.
fn recording(
    file: &str,
    read: Columns,
    units: &IndexMap<String, String>,
    problems: &mut Vec<String>,
) -> Result<Recording, String> {
    match read.names.first().map(String::as_str) {
        Some("t") => {}
        Some(other) => {
            return Err(format!("{file} begins with `{}` and not with the time, `t`", shown(other)));
        }
        None => return Err(format!("{file} has no columns")),
    }
    let mut recording = Recording::default();
    let mut known = HashSet::new();
    for (i, (name, column)) in read.names.into_iter().zip(read.columns).enumerate() {
        let unit = units.get(&name).map_or("", String::as_str);
        let channel = Channel::read(&name, unit);
        if !channel.is_plotted() {
            continue;
        }
        if name.is_empty() {
            problems.push(format!("Column {} of {file} has no name and is left out.", i + 1));
            continue;
        }
        if !known.insert(name.clone()) {
            problems.push(format!("{file} has `{name}` twice; column {} is left out.", i + 1));
            continue;
        }
        recording.channels.push(channel);
        recording.columns.push(column);
    }
    Ok(recording)
}
