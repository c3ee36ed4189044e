//! Where everything goes: legend on top, panels in rows, labels around each frame.

use super::axis::{Ruler, Ticks};
use super::band::{heights_of, outlines};
use super::{Chart, Look, Panel, mark};
use crate::shapes::font::Font;
use crate::shapes::{Anchor, COLORS, Color, INK, Pen, Picture, Shape, Style};

/// Dashes, so that many curves stay apart; up to [`SOLID`] of them are told apart by colour. Curves of the axis on the
/// right are dashed in any case.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 2.0], &[9.0, 3.0, 2.0, 3.0]];
const SOLID: usize = 4;
const GRID: Color = [0xe4, 0xe4, 0xe4];

/// Font sizes (pixels).
const TEXT: f64 = 12.0;
const SMALL: f64 = 10.5;
const TITLE: f64 = 14.0;
/// Around the figure (pixels).
const MARGIN: f64 = 12.0;
/// Line of a legend entry, and the space after its text (pixels).
const SAMPLE: f64 = 28.0;
const GAP: f64 = 18.0;
const LINE: f64 = 18.0;
/// Above a frame, with and without words there; below it, with and without labels (pixels).
const ABOVE: [f64; 2] = [28.0, 10.0];
const BELOW: [f64; 2] = [42.0, 8.0];
/// Beside a frame: for the label of an axis, and without one (pixels).
const BESIDE: [f64; 2] = [26.0, 16.0];
/// Between labels up an axis, and at least across (pixels).
const SPACING: [f64; 2] = [36.0, 56.0];
/// Points nearer than this to the line through their neighbours are not drawn (pixels).
const THINNING: f64 = 0.04;
/// Opacity of the band around a line.
const PALE: f64 = 0.22;

/// Lays out a chart.
pub fn lay_out(chart: &Chart) -> Picture {
    let font = Font::new();
    let columns = chart.columns.max(1);
    let rows = chart.panels.len().div_ceil(columns).max(1);
    let full = chart.size.map_or(2.0 * MARGIN + columns as f64 * chart.panel_size[0], |size| size[0]);
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for curve in chart.panels.iter().flat_map(|p| &p.curves) {
        let marked = curve.look != Look::Line;
        match entries.iter_mut().find(|e| e.label == curve.label) {
            Some(entry) => entry.marked |= marked,
            None => {
                let number = entries.len();
                let pen = Pen::new(COLORS[number % COLORS.len()], 1.7);
                entries.push(Entry { label: &curve.label, pen, number, marked });
            }
        }
    }
    let many = chart.dashed || entries.len() > SOLID;
    for (i, entry) in entries.iter_mut().enumerate() {
        let right = chart.panels.iter().flat_map(|p| &p.curves).any(|c| c.right && c.label == entry.label);
        entry.pen.dashes = match (many, right) {
            (true, _) => DASHES[i % DASHES.len()],
            (false, true) => DASHES[1],
            (false, false) => DASHES[0],
        };
    }
    let mut shapes = Vec::new();
    let mut top = MARGIN;
    if !chart.title.is_empty() {
        top += LINE + 2.0;
        let size = fitting(&font, &chart.title, TITLE, full - 2.0 * MARGIN);
        shapes.push(Shape::text([0.5 * full, top - 6.0], Anchor::Middle, &chart.title, size));
    }
    top = legend(&mut shapes, &font, &entries, full, top);

    let width = (full - 2.0 * MARGIN) / columns as f64;
    let saved = |row: usize| if chart.common_x && row + 1 < rows { BELOW[0] - BELOW[1] } else { 0.0 };
    let height = match chart.size {
        // frames are equally high, whether they are labelled below or not
        Some(size) => (size[1] - top - MARGIN + (0..rows).map(saved).sum::<f64>()) / rows as f64,
        None => chart.panel_size[1],
    };
    let mut y = top;
    let mut plans = Vec::new();
    for (i, panel) in chart.panels.iter().enumerate() {
        let (row, column) = (i / columns, i % columns);
        if row > 0 && column == 0 {
            y += height - saved(row - 1);
        }
        let x = MARGIN + column as f64 * width;
        plans.push(Plan::new(panel, &font, [x, y], [x + width, y + height - saved(row)], saved(row) == 0.0));
    }
    // frames below one another begin and end at the same place
    for column in 0..columns {
        let own = || (column..plans.len()).step_by(columns);
        // a widened range may have longer labels
        let spare = if chart.equal { 10.0 } else { 0.0 };
        let left = own().map(|i| plans[i].left).fold(0.0, f64::max) + spare;
        let right = own().map(|i| plans[i].right).fold(f64::INFINITY, f64::min);
        for i in own() {
            (plans[i].left, plans[i].right) = (left, right);
        }
    }
    for (panel, plan) in chart.panels.iter().zip(&plans) {
        draw(&mut shapes, &font, panel, &entries, plan, chart.equal);
    }
    Picture { size: [full, y + height + MARGIN], shapes }
}

/// A line of the legend.
struct Entry<'a> {
    label: &'a str,
    pen: Pen,
    /// Which mark it has, and whether it has one.
    number: usize,
    marked: bool,
}

/// The font size, or a smaller one if the text would not fit.
fn fitting(font: &Font, text: &str, size: f64, room: f64) -> f64 {
    let width = font.width(text, size);
    if width > room { (size * room / width).max(0.5 * size) } else { size }
}

/// Entries in centred lines that break where the figure ends; returns where the panels begin.
fn legend(shapes: &mut Vec<Shape>, font: &Font, entries: &[Entry<'_>], full: f64, top: f64) -> f64 {
    let room = full - 2.0 * MARGIN;
    let size = |label: &str| fitting(font, label, TEXT, room - SAMPLE - 6.0);
    let width = |label: &str| SAMPLE + 6.0 + font.width(label, size(label)) + GAP;
    let mut lines: Vec<(f64, Vec<&Entry<'_>>)> = Vec::new();
    for entry in entries.iter().filter(|entry| !entry.label.is_empty()) {
        let wide = width(entry.label);
        match lines.last_mut() {
            Some((taken, line)) if *taken + wide - GAP <= room => {
                *taken += wide;
                line.push(entry);
            }
            _ => lines.push((wide, vec![entry])),
        }
    }
    for (row, (taken, line)) in lines.iter().enumerate() {
        let y = top + (row as f64 + 0.5) * LINE;
        let mut x = 0.5 * (full - taken + GAP);
        for Entry { label, pen, number, marked } in line {
            shapes.push(Shape::line(vec![[x, y], [x + SAMPLE, y]], *pen));
            if *marked {
                let middle = std::iter::once(Some([x + 0.5 * SAMPLE, y]));
                let anywhere = [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]];
                shapes.extend(mark::outlines(middle, anywhere, Look::Marked, *number, *pen));
            }
            shapes.push(Shape::text([x + SAMPLE + 6.0, y + 4.0], Anchor::Start, label, size(label)));
            x += width(label);
        }
    }
    top + lines.len() as f64 * LINE + 4.0
}

/// Where the frame of a panel is, and whether the horizontal axis is labelled.
struct Plan {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    labelled: bool,
}

impl Plan {
    /// The labels of the vertical axes decide where the frame begins and ends.
    fn new(panel: &Panel, font: &Font, low: [f64; 2], high: [f64; 2], labelled: bool) -> Self {
        let bottom = high[1] - if labelled { BELOW[0] } else { BELOW[1] };
        let mut plan = Self { left: low[0], right: high[0], top: low[1] + ABOVE[0], bottom, labelled };
        let (up, right) = plan.vertical(panel);
        let words = !panel.title.is_empty()
            || !up.ticks(SPACING[0]).factor.is_empty()
            || right.as_ref().is_some_and(|r| !r.ticks(SPACING[0]).factor.is_empty());
        if !words {
            plan.top = low[1] + ABOVE[1];
        }
        let (up, right) = plan.vertical(panel);
        let beside = |label: &str, ruler: &Ruler| {
            let widest =
                ruler.ticks(SPACING[0]).labelled().map(|t| font.width(&t.label, SMALL)).fold(0.0, f64::max);
            widest + if label.is_empty() { BESIDE[1] } else { BESIDE[0] }
        };
        plan.left += beside(&panel.y.label, &up);
        plan.right -= match (&right, &panel.y.right) {
            (Some(ruler), Some(axis)) => beside(&axis.label, ruler),
            _ => 14.0,
        };
        plan
    }

    /// The rulers on the left and on the right.
    fn vertical(&self, panel: &Panel) -> (Ruler, Option<Ruler>) {
        let heights = |right: bool| {
            let curves = panel.curves.iter().filter(move |c| c.right == right);
            heights_of(curves)
        };
        let pixels = [self.bottom, self.top];
        let right = panel.y.right.as_ref().map(|axis| Ruler::new(axis, heights(true), pixels));
        (Ruler::new(&panel.y, heights(false), pixels), right)
    }
}

fn draw(
    shapes: &mut Vec<Shape>,
    font: &Font,
    panel: &Panel,
    entries: &[Entry<'_>],
    plan: &Plan,
    equal: bool,
) {
    let Plan { left, right, top, bottom, labelled } = *plan;
    let points = || panel.curves.iter().flat_map(|c| &c.points).filter(|p| p[1].is_finite());
    let (mut up, beside) = plan.vertical(panel);
    let mut across = Ruler::new(&panel.x, points().map(|p| p[0]), [left, right]);
    if equal {
        (across, up) = equally(across, up);
    }
    let up_ticks = up.ticks(SPACING[0]);
    let beside_ticks = beside.as_ref().map_or(Ticks::default(), |ruler| ruler.ticks(SPACING[0]));
    let across_ticks = spaced(font, &across);

    // grid and ticks
    let mut grid: Vec<_> = up_ticks.labelled().map(|t| vec![[left, t.at], [right, t.at]]).collect();
    grid.extend(across_ticks.labelled().map(|t| vec![[t.at, top], [t.at, bottom]]));
    shapes.push(Shape::lines(grid, Pen::new(GRID, 1.0)));
    let long = |label: &str| if label.is_empty() { 2.5 } else { 5.0 };
    let mut marks: Vec<_> =
        up_ticks.all.iter().map(|t| vec![[left, t.at], [left + long(&t.label), t.at]]).collect();
    marks.extend(beside_ticks.all.iter().map(|t| vec![[right, t.at], [right - long(&t.label), t.at]]));
    marks.extend(across_ticks.all.iter().map(|t| vec![[t.at, bottom], [t.at, bottom - long(&t.label)]]));
    for t in up_ticks.labelled() {
        shapes.push(Shape::text([left - 5.0, t.at + 3.8], Anchor::End, &t.label, SMALL));
    }
    for t in beside_ticks.labelled() {
        shapes.push(Shape::text([right + 5.0, t.at + 3.8], Anchor::Start, &t.label, SMALL));
    }
    for (x, anchor, ticks) in [(left, Anchor::Start, &up_ticks), (right, Anchor::End, &beside_ticks)] {
        if !ticks.factor.is_empty() {
            shapes.push(Shape::text([x, top - 6.0], anchor, &ticks.factor, SMALL));
        }
    }

    draw_curves(shapes, panel, entries, plan, &Rulers { across: &across, up: &up, beside: beside.as_ref() });
    marks.push(vec![[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]);
    shapes.push(Shape::lines(marks, Pen::new(INK, 1.0)));

    // words
    let (middle, center) = (0.5 * (left + right), 0.5 * (top + bottom));
    if labelled {
        for t in across_ticks.labelled() {
            shapes.push(Shape::text([t.at, bottom + 15.0], Anchor::Middle, &t.label, SMALL));
        }
        shapes.push(Shape::text([middle, bottom + 34.0], Anchor::Middle, &panel.x.label, TEXT));
        if !across_ticks.factor.is_empty() {
            shapes.push(Shape::text([right, bottom + 30.0], Anchor::End, &across_ticks.factor, SMALL));
        }
    }
    let widest = |ticks: &Ticks| ticks.labelled().map(|t| font.width(&t.label, SMALL)).fold(0.0, f64::max);
    let mut upright = |x: f64, text: &str| {
        let size = fitting(font, text, TEXT, bottom - top + ABOVE[1]);
        let (at, text) = ([x, center], text.to_string());
        shapes.push(Shape::Text { at, anchor: Anchor::Middle, text, size, color: INK, upright: true });
    };
    upright(left - widest(&up_ticks) - 12.0, &panel.y.label);
    if let Some(axis) = &panel.y.right {
        upright(right + widest(&beside_ticks) + 20.0, &axis.label);
    }
    if !panel.title.is_empty() {
        let size = fitting(font, &panel.title, TEXT, right - left);
        shapes.push(Shape::text([middle, top - 8.0], Anchor::Middle, &panel.title, size));
    }
}

/// The rulers of a panel.
struct Rulers<'a> {
    across: &'a Ruler,
    up: &'a Ruler,
    beside: Option<&'a Ruler>,
}

/// Bands, and the curves over them; the frame comes over their ends.
fn draw_curves(
    shapes: &mut Vec<Shape>,
    panel: &Panel,
    entries: &[Entry<'_>],
    plan: &Plan,
    &Rulers { across, up, beside }: &Rulers<'_>,
) {
    let Plan { left, right, top, bottom, .. } = *plan;
    let frame = [[left, top], [right, bottom]];
    for curve in panel.curves.iter().filter(|curve| !curve.band.is_empty()) {
        let Some(entry) = entries.iter().find(|e| e.label == curve.label) else { continue };
        let ruler = beside.filter(|_| curve.right).unwrap_or(up);
        // what has no logarithm is below the frame
        let place = |[x, y]: [f64; 2]| {
            let y = if y.is_finite() { ruler.pixel(y).unwrap_or(bottom) } else { return None };
            Some([across.pixel(x)?, y])
        };
        let edges = curve.edges().map(|[low, high]| Some([place(low)?, place(high)?]));
        let runs = outlines(edges, frame);
        if !runs.is_empty() {
            shapes.push(Shape::Path { runs, closed: true, style: Style::fill(entry.pen.color, PALE) });
        }
    }
    for curve in &panel.curves {
        let Some(entry) = entries.iter().find(|e| e.label == curve.label) else { continue };
        let ruler = beside.filter(|_| curve.right).unwrap_or(up);
        let places = || curve.points.iter().map(|p| Some([across.pixel(p[0])?, ruler.pixel(p[1])?]));
        let runs = if curve.look == Look::Marks { Vec::new() } else { runs(places(), frame) };
        if !runs.is_empty() {
            shapes.push(Shape::lines(runs, entry.pen));
        }
        shapes.extend(mark::outlines(places(), frame, curve.look, entry.number, entry.pen));
    }
}

/// Ticks across whose labels keep apart.
fn spaced(font: &Font, ruler: &Ruler) -> Ticks {
    let crowded = |ticks: &Ticks| {
        let labels: Vec<_> = ticks.labelled().map(|t| (t.at, font.width(&t.label, SMALL))).collect();
        labels.windows(2).any(|w| (w[1].0 - w[0].0).abs() < 0.5 * (w[0].1 + w[1].1) + 8.0)
    };
    let wider = |spacing: &f64| Some(1.3 * spacing);
    let tries = std::iter::successors(Some(SPACING[1]), wider).take(8).map(|spacing| ruler.ticks(spacing));
    let mut last = Ticks::default();
    for ticks in tries {
        last = ticks;
        if !crowded(&last) {
            break;
        }
    }
    last
}

/// Widens one of the ranges about its middle until both have the same scale.
fn equally(across: Ruler, up: Ruler) -> (Ruler, Ruler) {
    let widened = |ruler: Ruler, by: f64| {
        let [low, high] = ruler.range();
        let (middle, half) = (0.5 * (low + high), 0.5 * by * (high - low));
        ruler.over([middle - half, middle + half])
    };
    let (x, y) = (across.scale(), up.scale());
    if x > y { (across, widened(up, x / y)) } else { (widened(across, y / x), up) }
}

/// Unbroken pieces inside the frame, thinned.
fn runs(points: impl Iterator<Item = Option<[f64; 2]>>, frame: [[f64; 2]; 2]) -> Vec<Vec<[f64; 2]>> {
    let mut runs: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut before: Option<[f64; 2]> = None;
    let mut alone = false;
    for point in points.chain([None]) {
        match (before, point) {
            (Some(a), Some(b)) => {
                if let Some([a, b]) = cut(a, b, frame) {
                    match runs.last_mut() {
                        Some(run) if run.last() == Some(&a) => run.push(b),
                        _ => runs.push(vec![a, b]),
                    }
                }
            }
            // a point between two gaps is a dot
            (Some(a), None) if alone => {
                let inside = |i: usize| a[i] >= frame[0][i] && a[i] <= frame[1][i];
                if inside(0) && inside(1) {
                    runs.push(vec![a, a]);
                }
            }
            _ => {}
        }
        alone = before.is_none();
        before = point;
    }
    runs.iter().map(|run| thinned(run)).collect()
}

/// The part of a segment inside the frame (Liang and Barsky).
pub fn cut(a: [f64; 2], b: [f64; 2], [low, high]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
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
