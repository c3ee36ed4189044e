//! Pictures for pages of text: the mechanism at a few instants, and channels over time, as SVG. The text depends on
//! the recording alone, so a picture changes when the motion does and only then.

#![allow(non_snake_case)]

use crate::drawing::{Columns, Drawing, Posture, Stroke};
use crate::write::report::{escape, keep_peaks};
use crate::write::{push_number, rounded};
use carom_dynamics::Recording;
use std::fmt::Write;

/// Colours of bodies and curves: legible on white and on dark grey.
const TINTS: [&str; 8] =
    ["#3b82c4", "#e0712c", "#3f9b52", "#a05bb8", "#2a93a3", "#c2456f", "#7a9a2b", "#7b68c8"];
const QUIET: &str = "#8a8f98";
/// Pixels around a drawing.
const MARGIN: f64 = 24.0;

/// Several channels over time in one frame, with a legend; unknown names are left out. The horizontal axis is the
/// first column.
pub fn svg_plot(recording: &Recording, channels: &[&str], title: &str, size: [f64; 2]) -> String {
    let [width, height] = size;
    let found: Vec<usize> =
        channels.iter().filter_map(|name| recording.channels.iter().position(|c| c.name == *name)).collect();
    let none = Vec::new();
    let t = recording.columns.first().unwrap_or(&none);
    let x_range = range(t.iter().copied()).unwrap_or([0.0, 1.0]);
    let y_range = range(found.iter().flat_map(|&i| recording.columns[i].iter().copied()));
    let [low, high] = y_range.unwrap_or([0.0, 1.0]);
    let air = if high > low { 0.06 * (high - low) } else { 0.1 * low.abs().max(1e-300) };
    let y_range = [low - air, high + air];
    let (left, right, top, bottom) = (64.0, width - 14.0, 34.0, height - 34.0);
    let X =
        |x: f64| left + (x - x_range[0]) / (x_range[1] - x_range[0]).max(f64::MIN_POSITIVE) * (right - left);
    let Y = |y: f64| bottom - (y - y_range[0]) / (y_range[1] - y_range[0]) * (bottom - top);

    let mut svg = open(width, height);
    for y in ticks(y_range, (bottom - top) / 40.0) {
        line(&mut svg, [left, Y(y)], [right, Y(y)], QUIET, 0.25);
        label(&mut svg, [left - 6.0, Y(y) + 4.0], "end", &short(y));
    }
    for x in ticks(x_range, (right - left) / 90.0) {
        line(&mut svg, [X(x), top], [X(x), bottom], QUIET, 0.25);
        label(&mut svg, [X(x), bottom + 16.0], "middle", &short(x));
    }
    let time = recording.channels.first().map_or("t", |c| c.name.as_str());
    let unit = recording.channels.first().map_or("s", |c| c.unit.as_str());
    label(&mut svg, [right, height - 4.0], "end", &format!("{time} / {unit}"));
    label(&mut svg, [left, 16.0], "start", title);
    let mut legend = right;
    for (n, &i) in found.iter().enumerate().rev() {
        let channel = &recording.channels[i];
        let text = format!("{} / {}", channel.name, channel.unit);
        label_tinted(&mut svg, [legend, 16.0], "end", &text, TINTS[n % 8]);
        legend -= 7.0 * text.chars().count() as f64 + 14.0;
    }
    for (n, &i) in found.iter().enumerate() {
        let y = &recording.columns[i];
        let kept = keep_peaks(y, 1600);
        let points = kept.iter().filter(|&&k| y[k].is_finite()).map(|&k| [X(t[k]), Y(y[k])]);
        polyline(
            &mut svg,
            points,
            false,
            &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", TINTS[n % 8]),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The mechanism at the samples `frames`, the last one solid and the earlier ones as ghosts, with the trails of the
/// bodies up to it.
pub fn svg_poster(drawing: &Drawing, recording: &Recording, frames: &[usize], size: [f64; 2]) -> String {
    let [width, height] = size;
    let frames: Vec<usize> = frames.iter().copied().filter(|&k| k < recording.samples()).collect();
    let columns = Columns::new(recording);
    let bounds = bounds(drawing, &columns, &frames);
    let [[x0, y0], [x1, y1]] = bounds;
    let scale = ((width - 2.0 * MARGIN) / (x1 - x0)).min((height - 2.0 * MARGIN) / (y1 - y0));
    let (cx, cy) = (0.5 * (x0 + x1), 0.5 * (y0 + y1));
    let map = |p: [f64; 2]| [0.5 * width + scale * (p[0] - cx), 0.5 * height - scale * (p[1] - cy)];

    let mut svg = open(width, height);
    for figure in &drawing.figures {
        if columns.track(&figure.body).is_none() {
            strokes(&mut svg, &figure.strokes, &Posture::default(), &map, scale, QUIET, 1.0);
        }
    }
    let last = frames.last().copied().unwrap_or(0);
    let moving: Vec<_> =
        drawing.figures.iter().filter_map(|figure| Some((figure, columns.track(&figure.body)?))).collect();
    for (n, (_, track)) in moving.iter().enumerate() {
        if recording.samples() > 0 {
            let every = (last / 400).max(1);
            let points = (0..=last).step_by(every).map(|k| map(track.pose(k).at));
            let style = format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"1\" stroke-opacity=\"0.45\"",
                TINTS[n % 8]
            );
            polyline(&mut svg, points, false, &style);
        }
    }
    for (i, &k) in frames.iter().enumerate() {
        let opacity = if i + 1 == frames.len() { 1.0 } else { 0.15 + 0.3 * i as f64 / frames.len() as f64 };
        for (n, (figure, track)) in moving.iter().enumerate() {
            strokes(&mut svg, &figure.strokes, &track.posture(k), &map, scale, TINTS[n % 8], opacity);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn strokes(
    svg: &mut String,
    strokes: &[Stroke],
    posture: &Posture,
    map: &dyn Fn([f64; 2]) -> [f64; 2],
    scale: f64,
    tint: &str,
    opacity: f64,
) {
    let pose = &posture.pose;
    for stroke in strokes {
        match stroke {
            Stroke::Circle { center, radius } => {
                let c = map(pose.apply(*center));
                let _ = write!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"", fine(c[0]), fine(c[1]));
                push_number(svg, fine(radius * scale));
                let _ = writeln!(
                    svg,
                    "\" fill=\"{tint}\" fill-opacity=\"{}\" stroke=\"{tint}\" stroke-width=\"1.8\" stroke-opacity=\"{opacity:.3}\"/>",
                    rounded(0.18 * opacity, 3)
                );
                // A spoke shows the turning of what is more than a dot.
                if radius * scale < 7.0 {
                    continue;
                }
                let rim = map(pose.apply([center[0] + radius, center[1]]));
                let style =
                    format!("stroke=\"{tint}\" stroke-width=\"1.2\" stroke-opacity=\"{:.3}\"", 0.6 * opacity);
                polyline(svg, [c, rim].into_iter(), false, &style);
            }
            Stroke::Line { closed, .. } | Stroke::Shape { closed, .. } => {
                let fill = if *closed { tint } else { "none" };
                let thick = if *closed { 1.8 } else { 2.6 };
                let style = format!(
                    "fill=\"{fill}\" fill-opacity=\"{}\" stroke=\"{tint}\" stroke-width=\"{thick}\" stroke-opacity=\"{opacity:.3}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                    rounded(0.18 * opacity, 3)
                );
                polyline(svg, stroke.polyline(posture).0.into_iter().map(map), *closed, &style);
            }
        }
    }
}

/// The box that holds the bodies in the chosen frames, and the ground near them.
fn bounds(drawing: &Drawing, columns: &Columns<'_>, frames: &[usize]) -> [[f64; 2]; 2] {
    let mut held = Vec::new();
    let mut ground = Vec::new();
    for figure in &drawing.figures {
        let track = columns.track(&figure.body);
        for stroke in &figure.strokes {
            match &track {
                Some(track) => held.extend(frames.iter().flat_map(|&k| stroke.polyline(&track.posture(k)).0)),
                None => ground.extend(stroke.polyline(&Posture::default()).0),
            }
        }
        if let Some(track) = track {
            held.extend(frames.iter().map(|&k| track.pose(k).at));
        }
    }
    if held.is_empty() {
        held.append(&mut ground);
    }
    let hull = |points: &[[f64; 2]]| -> Option<[[f64; 2]; 2]> {
        let [x0, x1] = range(points.iter().map(|p| p[0]))?;
        let [y0, y1] = range(points.iter().map(|p| p[1]))?;
        Some([[x0, y0], [x1, y1]])
    };
    let Some([[x0, y0], [x1, y1]]) = hull(&held) else { return [[-1.0, -1.0], [1.0, 1.0]] };
    let reach = 0.4 * (x1 - x0).max(y1 - y0).max(f64::MIN_POSITIVE);
    let near =
        |p: &&[f64; 2]| p[0] >= x0 - reach && p[0] <= x1 + reach && p[1] >= y0 - reach && p[1] <= y1 + reach;
    let close: Vec<[f64; 2]> = ground.iter().filter(near).copied().collect();
    held.extend(close);
    let [mut a, mut b] = hull(&held).expect("it was not empty before");
    let least = 0.25 * (b[0] - a[0]).max(b[1] - a[1]).max(1e-12);
    for i in 0..2 {
        if b[i] - a[i] < least {
            let middle = 0.5 * (a[i] + b[i]);
            (a[i], b[i]) = (middle - 0.5 * least, middle + 0.5 * least);
        }
    }
    [a, b]
}

fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values
        .filter(|x| x.is_finite())
        .fold(None, |r, x| Some(r.map_or([x, x], |[low, high]: [f64; 2]| [low.min(x), high.max(x)])))
}

/// About `count` ticks at 1, 2 or 5 times a power of ten.
pub(crate) fn ticks([low, high]: [f64; 2], count: f64) -> Vec<f64> {
    let raw = (high - low) / count.max(1.0);
    if !(raw > 0.0 && raw.is_finite()) {
        return Vec::new();
    }
    let power = 10f64.powi(raw.log10().floor() as i32);
    let step = power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|i| rounded(i as f64 * step, 10)).collect()
}

/// Hundredths of a pixel are enough.
fn fine(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

fn short(x: f64) -> String {
    crate::write::number_text(rounded(x, 6))
}

fn open(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
    )
}

fn line(svg: &mut String, a: [f64; 2], b: [f64; 2], tint: &str, opacity: f64) {
    let style = format!("stroke=\"{tint}\" stroke-opacity=\"{opacity}\"");
    polyline(svg, [a, b].into_iter(), false, &style);
}

fn label(svg: &mut String, at: [f64; 2], anchor: &str, text: &str) {
    label_tinted(svg, at, anchor, text, QUIET);
}

fn label_tinted(svg: &mut String, at: [f64; 2], anchor: &str, text: &str, tint: &str) {
    let (x, y, text) = (fine(at[0]), fine(at[1]), escape(text));
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{tint}\">{text}</text>");
}

fn polyline(svg: &mut String, points: impl Iterator<Item = [f64; 2]>, closed: bool, style: &str) {
    svg.push_str("<path d=\"");
    for (i, p) in points.enumerate() {
        svg.push(if i == 0 { 'M' } else { 'L' });
        push_number(svg, fine(p[0]));
        svg.push(' ');
        push_number(svg, fine(p[1]));
    }
    svg.push_str(if closed { "Z\" " } else { "\" " });
    svg.push_str(style);
    svg.push_str("/>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks([0.0, 1.0], 5.0), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks([-3e-6, 9e-6], 4.0), [0.0, 5e-6]);
        assert!(ticks([1.0, 1.0], 4.0).is_empty());
    }
}
