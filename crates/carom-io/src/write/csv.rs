//! `series.csv` and `events.csv`: names in the first line, one row per sample or event, same bytes for same bits.

use super::number::push;
use carom_dynamics::{EventKind, Recording};
use std::io::{self, Write};

/// One row per sample; the first column is `t`. Channels for drawing only are left out.
pub fn series(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    let mut line = String::new();
    let named = recording.channels.iter().zip(&recording.columns);
    let shown: Vec<_> = named.filter(|(channel, _)| channel.is_plotted()).collect();
    for (i, (channel, _)) in shown.iter().enumerate() {
        if i > 0 {
            line.push(',');
        }
        push_field(&mut line, channel.name());
    }
    line.push('\n');
    out.write_all(line.as_bytes())?;
    for k in 0..recording.samples() {
        line.clear();
        for (i, (_, column)) in shown.iter().enumerate() {
            if i > 0 {
                line.push(',');
            }
            push(&mut line, column[k]);
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// First line of `events.csv`.
pub(crate) const EVENT_COLUMNS: &str = "t,kind,subject,before,after,impulse";

/// One row per event.
pub fn events(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{EVENT_COLUMNS}")?;
    let mut line = String::new();
    for event in &recording.events {
        line.clear();
        push(&mut line, event.t);
        line.push(',');
        line.push_str(kind_word(event.kind));
        line.push(',');
        push_field(&mut line, &event.subject);
        for x in [event.before, event.after, event.impulse] {
            line.push(',');
            push(&mut line, x);
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// The word for an event in files and on the page.
pub(crate) fn kind_word(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Impact => "impact",
        EventKind::Release => "release",
        EventKind::Stick => "stick",
        EventKind::Slip => "slip",
        EventKind::Retry => "retry",
        EventKind::Edge => "edge",
        EventKind::Switch => "switch",
        EventKind::Event => "event",
    }
}

/// The event a word stands for.
pub(crate) fn kind_of(word: &str) -> Option<EventKind> {
    use EventKind::*;
    [Impact, Release, Stick, Slip, Retry, Edge, Switch, Event].into_iter().find(|k| kind_word(*k) == word)
}

/// A name, quoted as RFC 4180 asks if it holds a separator.
fn push_field(line: &mut String, name: &str) {
    if name.contains([',', '"', '\n', '\r']) {
        line.push('"');
        line.push_str(&name.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(name);
    }
}
