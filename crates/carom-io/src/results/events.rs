//! `events.csv` read back.

use super::{csv, text};
use crate::write::csv::{EVENT_COLUMNS, kind_of};
use carom_dynamics::Event;
use std::path::Path;

/// The events, up to the first row that is damaged.
pub(super) fn read(folder: &Path, problems: &mut Vec<String>) -> Vec<Event> {
    const CONSEQUENCE: &str = "impacts and other events are not shown";
    let Some(text) = text(folder, "events.csv", CONSEQUENCE, problems) else { return Vec::new() };
    let bytes = text.trim_start_matches('\u{feff}').as_bytes();
    let Some((names, mut rest)) = csv::record(bytes).filter(|(names, _)| names.join(",") == EVENT_COLUMNS)
    else {
        problems
            .push(format!("events.csv does not begin with the line `{EVENT_COLUMNS}`, so {CONSEQUENCE}."));
        return Vec::new();
    };
    let mut events = Vec::new();
    while let Some((fields, after)) = csv::record(rest) {
        match event(&fields, names.len()) {
            Ok(event) => events.push(event),
            Err(wrong) => {
                let line = bytes[..bytes.len() - rest.len()].iter().filter(|b| **b == b'\n').count() + 1;
                problems.push(format!("events.csv, line {line}: {wrong}; it and what follows are left out."));
                return events;
            }
        }
        rest = after;
    }
    if !rest.is_empty() {
        problems.push("events.csv breaks off within its last line, which is left out.".into());
    }
    events
}

/// The error is a clause.
fn event(fields: &[String], columns: usize) -> Result<Event, String> {
    let [t, kind, subject, before, after, impulse] = fields else {
        return Err(format!("{} fields where there are {columns} columns", fields.len()));
    };
    let number =
        |field: &String| csv::number(field.as_bytes()).ok_or_else(|| format!("`{field}` is not a number"));
    let kind = kind_of(kind).ok_or_else(|| format!("`{kind}` is no kind of event"))?;
    Ok(Event {
        t: number(t)?,
        kind,
        subject: subject.clone(),
        before: number(before)?,
        after: number(after)?,
        impulse: number(impulse)?,
    })
}
