//! `report.html`: one file that opens anywhere, without a network. This file makes the data, one JSON object; the
//! page (`report/page.html`, `.css`, `.js`) only draws it.
//!
//! Size is bounded: channels are thinned so that every peak stays (the smallest and the largest sample of each
//! bucket), motion is sampled evenly in time, events are cut after the first thousands, and what was left out is said.

use super::csv::kind_word;
use super::{Results, rounded};
use crate::drawing::{Columns, Drawing, Track, even_samples, is_hidden};
use crate::units::Dimension;
use carom_dynamics::{Recording, Summary};
use indexmap::IndexMap;
use serde::Serialize;

/// Most points of one plotted channel.
const CHANNEL_POINTS: usize = 2000;
/// Most points of all plotted channels together; many channels share it.
const ALL_POINTS: usize = 400_000;
/// Most channels that can be plotted.
const CHANNELS: usize = 800;
/// Most frames of the animation, and most numbers in it.
const FRAMES: usize = 1500;
const FRAME_NUMBERS: usize = 400_000;
/// Most events listed.
const EVENTS: usize = 4000;
/// Significant digits of plotted numbers: more than a screen has pixels.
const DIGITS: usize = 7;

/// What the page is given.
#[derive(Serialize)]
struct Data<'a> {
    carom: &'static str,
    title: &'a str,
    model: &'a str,
    command: &'a str,
    step: f64,
    end: f64,
    solver: &'a str,
    scheme_choice: Option<&'a str>,
    scheme_parameters: &'a IndexMap<String, f64>,
    parameters: &'a IndexMap<String, f64>,
    wall_seconds: f64,
    samples: usize,
    summary: &'a Summary,
    length: Scale,
    time: Scale,
    channels: Vec<Series>,
    motion: Motion,
    drawing: &'a Drawing,
    events: Vec<Happening<'a>>,
    left_out: Vec<String>,
}

/// A unit for what the page shows: its word, and one of it in SI.
#[derive(Serialize)]
struct Scale {
    unit: String,
    factor: f64,
}

/// A thinned channel, in the file's units.
#[derive(Serialize)]
struct Series {
    name: String,
    unit: String,
    t: Vec<f64>,
    y: Vec<f64>,
}

/// Bodies over time, SI.
#[derive(Serialize)]
struct Motion {
    t: Vec<f64>,
    bodies: Vec<Path>,
}

#[derive(Serialize)]
struct Path {
    name: String,
    x: Vec<f64>,
    y: Vec<f64>,
    angle: Option<Vec<f64>>,
    /// x and y of the shape points of a flexible body.
    shape: Vec<[Vec<f64>; 2]>,
}

/// An event: t (SI), kind, subject, velocities and impulse (file's units).
#[derive(Serialize)]
struct Happening<'a>(f64, &'static str, &'a str, f64, f64, f64);

/// The page with its data.
pub fn html(results: &Results<'_>) -> String {
    // In JSON `<` stands in texts only, and some of them (`</script`, `<!--`) mean something to an HTML reader.
    let data =
        serde_json::to_string(&data(results)).expect("plain data with text keys").replace('<', "\\u003c");
    let title = if results.run.title.is_empty() { "Carom" } else { &results.run.title };
    include_str!("report/page.html")
        .replace("{{title}}", &escape(title).replace('{', "&#123;"))
        .replace("{{style}}", include_str!("report/page.css"))
        .replace("{{script}}", include_str!("report/page.js"))
        .replace("{{data}}", &data)
}

fn data<'a>(results: &Results<'a>) -> Data<'a> {
    let Results { recording, summary, run, drawing } = *results;
    let mut left_out = Vec::new();
    let presented = run.units.present(recording);
    let all = presented.channels.iter().skip(1).filter(|c| !is_hidden(&c.name)).count();
    let shown = pick_channels(&presented);
    if shown.len() < all {
        left_out.push(format!("{} of {all} channels are plotted; all are in series.csv", shown.len()));
    }
    let points = (ALL_POINTS / shown.len().max(1)).min(CHANNEL_POINTS);
    let channels = shown.into_iter().map(|i| series(&presented, i, points)).collect();
    if recording.events.len() > EVENTS {
        left_out.push(format!(
            "the first {EVENTS} of {} events are shown; all are in events.csv",
            recording.events.len()
        ));
    }
    let events = recording.events.iter().zip(&presented.events).take(EVENTS);
    Data {
        carom: env!("CARGO_PKG_VERSION"),
        title: &run.title,
        model: &run.model,
        command: &run.command,
        step: run.step,
        end: run.end,
        solver: &run.solver,
        scheme_choice: run.scheme_choice.as_deref(),
        scheme_parameters: &run.scheme_parameters,
        parameters: &run.parameters,
        wall_seconds: run.wall_seconds,
        samples: recording.samples(),
        summary,
        length: Scale {
            unit: run.units.word(Dimension::LENGTH),
            factor: run.units.factor(Dimension::LENGTH),
        },
        time: Scale { unit: run.units.word(Dimension::TIME), factor: run.units.factor(Dimension::TIME) },
        channels,
        motion: motion(recording, drawing),
        drawing,
        events: events
            .map(|(e, p)| {
                Happening(
                    rounded(e.t, 10),
                    kind_word(e.kind),
                    &e.subject,
                    rounded(p.before, DIGITS),
                    rounded(p.after, DIGITS),
                    rounded(p.impulse, DIGITS),
                )
            })
            .collect(),
        left_out,
    }
}

/// Which channels are plotted: all, or of too many the first and those about the mechanism as a whole.
fn pick_channels(recording: &Recording) -> Vec<usize> {
    let plotted = |i: &usize| !is_hidden(&recording.channels[*i].name);
    let all = (1..recording.channels.len().max(1)).filter(plotted);
    let whole = |i: &usize| {
        let name = &recording.channels[*i].name;
        ["energy.", "work.", "audit.", "solver."].iter().any(|w| name.starts_with(w))
    };
    let (whole, part): (Vec<_>, Vec<_>) = all.partition(whole);
    let room = CHANNELS.saturating_sub(whole.len());
    part.into_iter().take(room).chain(whole).collect()
}

fn series(recording: &Recording, i: usize, points: usize) -> Series {
    let (t, y) = (&recording.columns[0], &recording.columns[i]);
    let kept = keep_peaks(y, points);
    Series {
        name: recording.channels[i].name.clone(),
        unit: recording.channels[i].unit.clone(),
        t: kept.iter().map(|&k| rounded(t[k], 10)).collect(),
        y: kept.iter().map(|&k| rounded(y[k], DIGITS)).collect(),
    }
}

/// Indices of at most `points` samples that keep the first, the last, and in each bucket the smallest and the largest.
pub(crate) fn keep_peaks(y: &[f64], points: usize) -> Vec<usize> {
    if y.len() <= points.max(4) {
        return (0..y.len()).collect();
    }
    let buckets = (points.max(4) - 2) / 2;
    let inner = y.len() - 2;
    let mut kept = vec![0];
    for b in 0..buckets {
        let range = 1 + b * inner / buckets..1 + (b + 1) * inner / buckets;
        let (mut low, mut high) = (range.start, range.start);
        for k in range {
            // Not-a-number loses every comparison, so it never wins a bucket that has a number.
            if y[k] < y[low] || y[low].is_nan() {
                low = k;
            }
            if y[k] > y[high] || y[high].is_nan() {
                high = k;
            }
        }
        kept.push(low.min(high));
        if low != high {
            kept.push(low.max(high));
        }
    }
    kept.push(y.len() - 1);
    kept
}

/// Bodies, and points of flexible bodies that are marked.
fn motion(recording: &Recording, drawing: &Drawing) -> Motion {
    let columns = Columns::new(recording);
    let tracks: Vec<_> = recording
        .channels
        .iter()
        .filter_map(|c| c.name.strip_suffix(".x"))
        .filter(|name| !name.contains('.') || drawing.marks.iter().any(|mark| mark.body == *name))
        .filter_map(|body| Some((body, columns.track(body)?)))
        .collect();
    let numbers: usize = tracks.iter().map(|(_, track)| 3 + 2 * track.shape().len()).sum();
    let frames = (FRAME_NUMBERS / numbers.max(1)).clamp(60, FRAMES);
    let t = recording.columns.first().map_or(&[][..], Vec::as_slice);
    let picked = even_samples(t, frames);
    let pick = |column: &[f64]| picked.iter().map(|&k| rounded(column[k], DIGITS)).collect::<Vec<_>>();
    let path = |(body, track): &(&str, Track<'_>)| {
        let (x, y, angle) = track.columns();
        let shape = track.shape().iter().map(|[x, y]| [pick(x), pick(y)]).collect();
        Path { name: (*body).into(), x: pick(x), y: pick(y), angle: angle.map(pick), shape }
    };
    Motion {
        t: picked.iter().map(|&k| rounded(t[k], 10)).collect(),
        bodies: tracks.iter().map(path).collect(),
    }
}

/// Text for HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_spike_survives_thinning() {
        let mut y = vec![0.0; 100_000];
        y[77_777] = 1.0;
        y[77_778] = -2.0;
        let kept = keep_peaks(&y, 2000);
        assert!(kept.len() <= 2000);
        assert!(kept.contains(&77_777) && kept.contains(&77_778));
        assert_eq!((kept[0], *kept.last().unwrap()), (0, 99_999));
        assert!(kept.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn a_bucket_of_nothing_but_nan_is_no_reason_to_stop() {
        let mut y: Vec<f64> = (0..10_000).map(f64::from).collect();
        y[5000..6000].fill(f64::NAN);
        let kept = keep_peaks(&y, 100);
        assert!(kept.len() <= 100 && kept.windows(2).all(|w| w[0] < w[1]));
    }
}
