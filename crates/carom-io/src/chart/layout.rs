//! Where everything goes: legend on top, panels in rows, labels around each frame.

use super::axis::Ruler;
use super::font::Font;
use super::mark;
use super::shape::{Anchor, INK, Picture, Shape, Stroke};
use super::{Chart, Look, Panel};

/// Colours that people with any colour vision tell apart (Okabe and Ito), without the yellow that white paper hides.
const COLORS: [[u8; 3]; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0x00, 0x00, 0x00],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
];
/// Dashes, so that the curves stay apart without colours.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 2.0], &[9.0, 3.0, 2.0, 3.0]];
const GRID: [u8; 3] = [0xe4, 0xe4, 0xe4];

/// Font sizes (pixels).
const TEXT: f64 = 12.0;
const SMALL: f64 = 10.5;
/// Around the figure (pixels).
const MARGIN: f64 = 12.0;
/// Line of a legend entry, and the space after its text (pixels).
const SAMPLE: f64 = 28.0;
const GAP: f64 = 18.0;
const LINE: f64 = 18.0;
/// Points nearer than this to the line through their neighbours are not drawn (pixels).
const THINNING: f64 = 0.04;

/// Lays out a chart.
pub fn lay_out(chart: &Chart) -> Picture {
    let font = Font::new();
    let columns = chart.columns.max(1);
    let [width, height] = chart.panel_size;
    let full = 2.0 * MARGIN + columns as f64 * width;
    let mut labels: Vec<&str> = Vec::new();
    let mut marked: Vec<bool> = Vec::new();
    for curve in chart.panels.iter().flat_map(|p| &p.curves) {
        let i = labels.iter().position(|label| *label == curve.label).unwrap_or_else(|| {
            labels.push(&curve.label);
            marked.push(false);
            labels.len() - 1
        });
        marked[i] |= curve.look != Look::Line;
    }
    let mut shapes = Vec::new();
    let mut top = MARGIN;
    if !chart.title.is_empty() {
        top += LINE;
        shapes.push(text([0.5 * full, top - 4.0], Anchor::Middle, &chart.title, TEXT + 2.0));
    }
    top = legend(&mut shapes, &font, &labels, &marked, full, top);
    for (i, panel) in chart.panels.iter().enumerate() {
        let corner = [MARGIN + (i % columns) as f64 * width, top + (i / columns) as f64 * height];
        draw(&mut shapes, &font, panel, &labels, corner, chart.panel_size);
    }
    let rows = chart.panels.len().div_ceil(columns);
    Picture { size: [full, top + rows as f64 * height + MARGIN], shapes }
}

fn pen(label: usize) -> Stroke {
    Stroke { color: COLORS[label % COLORS.len()], width: 1.7, dashes: DASHES[label % DASHES.len()] }
}

fn text(at: [f64; 2], anchor: Anchor, text: &str, size: f64) -> Shape {
    Shape::Text { at, anchor, text: text.into(), size, upright: false }
}

fn thin(color: [u8; 3], runs: Vec<Vec<[f64; 2]>>) -> Shape {
    Shape::Path { runs, stroke: Stroke { color, width: 1.0, dashes: &[] } }
}

/// Entries in centred lines that break where the figure ends; returns where the panels begin.
fn legend(
    shapes: &mut Vec<Shape>,
    font: &Font,
    labels: &[&str],
    marked: &[bool],
    full: f64,
    top: f64,
) -> f64 {
    let width = |label: &str| SAMPLE + 6.0 + font.width(label, TEXT) + GAP;
    let mut lines: Vec<(f64, Vec<usize>)> = Vec::new();
    for (i, label) in labels.iter().enumerate() {
        match lines.last_mut() {
            Some((taken, entries)) if *taken + width(label) <= full - 2.0 * MARGIN => {
                *taken += width(label);
                entries.push(i);
            }
            _ => lines.push((width(label), vec![i])),
        }
    }
    for (row, (taken, entries)) in lines.iter().enumerate() {
        let y = top + (row as f64 + 0.5) * LINE;
        let mut x = 0.5 * (full - taken + GAP);
        for &i in entries {
            shapes.push(Shape::Path { runs: vec![vec![[x, y], [x + SAMPLE, y]]], stroke: pen(i) });
            if marked[i] {
                let middle = [x + 0.5 * SAMPLE, y];
                let anywhere = [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]];
                shapes.extend(mark::outlines(
                    std::iter::once(Some(middle)),
                    anywhere,
                    Look::Marked,
                    i,
                    pen(i),
                ));
            }
            shapes.push(text([x + SAMPLE + 6.0, y + 4.0], Anchor::Start, labels[i], TEXT));
            x += width(labels[i]);
        }
    }
    top + lines.len() as f64 * LINE + 4.0
}

fn draw(
    shapes: &mut Vec<Shape>,
    font: &Font,
    panel: &Panel,
    labels: &[&str],
    [x0, y0]: [f64; 2],
    [width, height]: [f64; 2],
) {
    let points = || panel.curves.iter().flat_map(|c| &c.points);
    let top = y0 + if panel.title.is_empty() { 10.0 } else { 28.0 };
    let bottom = y0 + height - 42.0;
    // the labels of the vertical axis decide where the frame begins
    let up = Ruler::new(&panel.y, points().map(|p| p[1]), [bottom, top]);
    let up_ticks = up.ticks();
    let widest = up_ticks.iter().map(|t| font.width(&t.label, SMALL)).fold(0.0, f64::max);
    let (left, right) = (x0 + 24.0 + widest, x0 + width - 14.0);
    let across = Ruler::new(&panel.x, points().map(|p| p[0]), [left, right]);
    let across_ticks = across.ticks();

    // grid and ticks
    let labelled = |t: &&super::axis::Tick| !t.label.is_empty();
    let mut grid: Vec<_> =
        up_ticks.iter().filter(labelled).map(|t| vec![[left, t.at], [right, t.at]]).collect();
    grid.extend(across_ticks.iter().filter(labelled).map(|t| vec![[t.at, top], [t.at, bottom]]));
    shapes.push(thin(GRID, grid));
    let long = |label: &str| if label.is_empty() { 2.5 } else { 5.0 };
    let mut marks: Vec<_> =
        up_ticks.iter().map(|t| vec![[left, t.at], [left + long(&t.label), t.at]]).collect();
    marks.extend(across_ticks.iter().map(|t| vec![[t.at, bottom], [t.at, bottom - long(&t.label)]]));
    for t in up_ticks.iter().filter(labelled) {
        shapes.push(text([left - 5.0, t.at + 3.8], Anchor::End, &t.label, SMALL));
    }
    for t in across_ticks.iter().filter(labelled) {
        shapes.push(text([t.at, bottom + 15.0], Anchor::Middle, &t.label, SMALL));
    }

    // curves, then the frame over their ends
    let frame = [[left, top], [right, bottom]];
    for curve in &panel.curves {
        let label = labels.iter().position(|l| *l == curve.label).unwrap_or(0);
        let places = || curve.points.iter().map(|p| Some([across.pixel(p[0])?, up.pixel(p[1])?]));
        let runs = if curve.look == Look::Marks { Vec::new() } else { runs(places(), frame) };
        if !runs.is_empty() {
            shapes.push(Shape::Path { runs, stroke: pen(label) });
        }
        shapes.extend(mark::outlines(places(), frame, curve.look, label, pen(label)));
    }
    marks.push(vec![[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]);
    shapes.push(thin(INK, marks));
    shapes.push(text([0.5 * (left + right), y0 + height - 8.0], Anchor::Middle, &panel.x.label, TEXT));
    let at = [x0 + 10.0, 0.5 * (top + bottom)];
    let label = panel.y.label.clone();
    shapes.push(Shape::Text { at, anchor: Anchor::Middle, text: label, size: TEXT, upright: true });
    if !panel.title.is_empty() {
        shapes.push(text([0.5 * (left + right), top - 8.0], Anchor::Middle, &panel.title, TEXT));
    }
}

/// Unbroken pieces inside the frame, thinned.
fn runs(points: impl Iterator<Item = Option<[f64; 2]>>, frame: [[f64; 2]; 2]) -> Vec<Vec<[f64; 2]>> {
    let mut runs: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut before: Option<[f64; 2]> = None;
    for point in points {
        if let (Some(a), Some(b)) = (before, point)
            && let Some([a, b]) = cut(a, b, frame)
        {
            match runs.last_mut() {
                Some(run) if run.last() == Some(&a) => run.push(b),
                _ => runs.push(vec![a, b]),
            }
        }
        before = point;
    }
    runs.iter().map(|run| thinned(run)).collect()
}

/// The part of a segment inside the frame (Liang and Barsky).
fn cut(a: [f64; 2], b: [f64; 2], [low, high]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let (mut from, mut to) = (0.0, 1.0);
    for i in 0..2 {
        let d = b[i] - a[i];
        for (distance, slope) in [(a[i] - low[i], -d), (high[i] - a[i], d)] {
            if slope == 0.0 {
                if distance < 0.0 {
                    return None;
                }
            } else if slope < 0.0 {
                from = f64::max(from, distance / slope);
            } else {
                to = f64::min(to, distance / slope);
            }
        }
    }
    let at = |s: f64| [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
    // ends that were inside stay as they are, to the last bit
    (from < to).then(|| [if from == 0.0 { a } else { at(from) }, if to == 1.0 { b } else { at(to) }])
}

/// Leaves out what the eye cannot see missing (Ramer, Douglas and Peucker).
fn thinned(run: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut keep = vec![false; run.len()];
    let mut open = vec![(0, run.len() - 1)];
    while let Some((i, j)) = open.pop() {
        (keep[i], keep[j]) = (true, true);
        let (dx, dy) = (run[j][0] - run[i][0], run[j][1] - run[i][1]);
        let length = dx.hypot(dy);
        let off = |p: [f64; 2]| {
            let (px, py) = (p[0] - run[i][0], p[1] - run[i][1]);
            if length == 0.0 { px.hypot(py) } else { (px * dy - py * dx).abs() / length }
        };
        let worst = (i + 1..j).max_by(|&k, &l| off(run[k]).total_cmp(&off(run[l])));
        if let Some(k) = worst.filter(|&k| off(run[k]) > THINNING) {
            open.extend([(i, k), (k, j)]);
        }
    }
    run.iter().zip(keep).filter(|(_, keep)| *keep).map(|(p, _)| *p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: [[f64; 2]; 2] = [[0.0, 0.0], [10.0, 10.0]];

    #[test]
    fn curves_are_cut_at_the_frame_and_broken_at_gaps() {
        // through the whole frame from outside to outside
        assert_eq!(cut([-10.0, 5.0], [20.0, 5.0], FRAME), Some([[0.0, 5.0], [10.0, 5.0]]));
        assert_eq!(cut([-1.0, 12.0], [11.0, 12.0], FRAME), None);
        let points =
            [Some([1.0, 1.0]), Some([2.0, 4.0]), None, Some([3.0, 3.0]), Some([3.0, 30.0]), Some([4.0, 2.0])];
        let found = runs(points.into_iter(), FRAME);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], [[1.0, 1.0], [2.0, 4.0]]);
        assert_eq!(found[1], [[3.0, 3.0], [3.0, 10.0]]);
        assert_eq!(found[2][1], [4.0, 2.0]);
    }

    #[test]
    fn thinning_keeps_corners() {
        let line: Vec<[f64; 2]> = (0..=100).map(|k| [f64::from(k), (f64::from(k) - 50.0).abs()]).collect();
        assert_eq!(thinned(&line), [[0.0, 50.0], [50.0, 0.0], [100.0, 50.0]]);
    }
}
