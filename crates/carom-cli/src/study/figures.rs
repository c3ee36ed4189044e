//! Figures of a study: its panels gathered from all of its series, as charts, slopes and CSV.

use carom::chart::{Axis, Chart, Curve, Look, Panel};
use carom_studies::{Order, Series};

/// Widths and heights of a frame (pixels): alone, beside another, and on a phone.
const ALONE: [f64; 2] = [800.0, 430.0];
const BESIDE: [f64; 2] = [500.0, 340.0];
const NARROW: [f64; 2] = [340.0, 290.0];
/// A line for an order lies this much below the curve it belongs to.
const BELOW: f64 = 0.5;
/// A slope is that of an order if it is this near.
const ABOUT: f64 = 0.35;
/// Points that a slope is fitted through, at least.
const FITTED: usize = 3;

/// A figure.
#[derive(Debug)]
pub struct Figure<'a> {
    /// What it redraws, or shows.
    pub caption: &'a str,
    frames: Vec<Frame<'a>>,
}

#[derive(Debug)]
struct Frame<'a> {
    title: &'a str,
    panel: &'a carom_studies::Panel,
    curves: Vec<Drawn<'a>>,
}

/// A curve with the series it comes from.
#[derive(Debug)]
struct Drawn<'a> {
    curve: &'a carom_studies::Curve,
    series: &'a Series,
    marked: bool,
}

/// All figures, in the order in which the study first names them.
pub fn gather(series: &[Series]) -> Vec<Figure<'_>> {
    let mut figures: Vec<Figure> = Vec::new();
    for series in series {
        for panel in &series.panels {
            let at = figures.iter().position(|f| f.caption == panel.figure).unwrap_or_else(|| {
                figures.push(Figure { caption: &panel.figure, frames: Vec::new() });
                figures.len() - 1
            });
            let frames = &mut figures[at].frames;
            let at = frames.iter().position(|f| f.title == panel.title).unwrap_or_else(|| {
                frames.push(Frame { title: &panel.title, panel, curves: Vec::new() });
                frames.len() - 1
            });
            let drawn = |curve| Drawn { curve, series, marked: panel.marked };
            frames[at].curves.extend(panel.curves.iter().map(drawn));
        }
    }
    figures
}

impl Drawn<'_> {
    fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        let column = |i: usize| self.series.columns[i].values.iter().copied();
        column(self.curve.x).zip(column(self.curve.y)).map(|(x, y)| [x, y])
    }

    /// The slope in logarithms, over the points that have one.
    fn slope(&self) -> Option<Order> {
        let sound = |p: &[f64; 2]| p.iter().all(|x| *x > 0.0 && x.is_finite());
        let (x, y): (Vec<f64>, Vec<f64>) = self.points().filter(sound).map(|[x, y]| (x, y)).unzip();
        (x.len() >= FITTED).then(|| Order::fit(&x, &y)).filter(|order| order.slope.is_finite())
    }
}

impl Figure<'_> {
    /// For a wide window.
    pub fn wide(&self) -> String {
        let (columns, size) = if self.frames.len() > 1 { (2, BESIDE) } else { (1, ALONE) };
        self.chart(columns, size)
    }

    /// For a phone: the same curves, one frame under the other, letters of the same size.
    pub fn narrow(&self) -> String {
        self.chart(1, NARROW)
    }

    fn chart(&self, columns: usize, panel_size: [f64; 2]) -> String {
        let panels = self.frames.iter().map(Frame::draw).collect();
        Chart { columns, panel_size, dashed: true, ..Chart::new(panels) }.svg()
    }

    /// Whether printed values are among the curves.
    pub fn has_published(&self) -> bool {
        self.frames.iter().flat_map(|f| &f.curves).any(|drawn| drawn.curve.published)
    }

    /// Head and rows of a table of fitted slopes; none if no order is asked for.
    pub fn slopes(&self) -> Option<Vec<Vec<String>>> {
        let frames: Vec<&Frame> = self.frames.iter().filter(|f| !f.panel.orders.is_empty()).collect();
        let first = frames.first()?;
        let name = |f: &&Frame| if f.title.is_empty() { "slope".into() } else { f.title.to_string() };
        let mut rows =
            vec![std::iter::once(String::new()).chain(frames.iter().map(name)).collect::<Vec<_>>()];
        for drawn in first.curves.iter().filter(|drawn| !drawn.curve.published) {
            let label = &drawn.curve.label;
            let slope = |frame: &&Frame| {
                let same = frame.curves.iter().find(|d| d.curve.label == *label && !d.curve.published);
                same.and_then(Drawn::slope).map_or("–".into(), |order| order.to_string())
            };
            rows.push(std::iter::once(label.clone()).chain(frames.iter().map(slope)).collect());
        }
        Some(rows)
    }

    /// The numbers behind it: the columns that are drawn, side by side. Shorter ones end early.
    pub fn csv(&self) -> String {
        let mut used: Vec<(&Series, usize)> = Vec::new();
        for drawn in self.frames.iter().flat_map(|f| &f.curves) {
            for column in [drawn.curve.x, drawn.curve.y] {
                if !used.iter().any(|(s, c)| std::ptr::eq(*s, drawn.series) && *c == column) {
                    used.push((drawn.series, column));
                }
            }
        }
        let alone = used.iter().all(|(series, _)| std::ptr::eq(*series, used[0].0));
        let name = |(series, column): &(&Series, usize)| {
            let name = &series.columns[*column].name;
            let name = if alone { name.clone() } else { format!("{}: {name}", series.name) };
            format!("\"{}\"", name.replace('"', "\"\""))
        };
        let mut csv = used.iter().map(name).collect::<Vec<_>>().join(",") + "\n";
        let rows = used.iter().map(|(s, c)| s.columns[*c].values.len()).max().unwrap_or(0);
        for row in 0..rows {
            let cell = |(series, column): &(&Series, usize)| {
                series.columns[*column].values.get(row).map_or(String::new(), |x| number(*x))
            };
            csv.push_str(&used.iter().map(cell).collect::<Vec<_>>().join(","));
            csv.push('\n');
        }
        csv
    }
}

/// Nine digits: more than any figure shows, and pages stay small. All of them are in `carom study NAME --json`.
fn number(x: f64) -> String {
    let rounded: f64 = format!("{x:.8e}").parse().unwrap_or(x);
    let (plain, power) = (format!("{rounded}"), format!("{rounded:e}"));
    if power.len() < plain.len() { power } else { plain }
}

impl Frame<'_> {
    fn draw(&self) -> Panel {
        let mut curves: Vec<Curve> = self.curves.iter().map(draw).collect();
        curves.extend(self.panel.orders.iter().filter_map(|order| self.guide(*order)));
        let axis = |axis: &carom_studies::Axis| {
            let make = if axis.logarithmic { Axis::logarithmic } else { Axis::linear };
            let whole = make(&axis.label);
            axis.range.map_or(whole.clone(), |[low, high]| whole.between(low, high))
        };
        Panel { title: self.title.into(), x: axis(&self.panel.x), y: axis(&self.panel.y), curves }
    }

    /// A line of this slope under the right half of a curve that has it.
    fn guide(&self, order: f64) -> Option<Curve> {
        // of the curves that have about this slope, the one that goes furthest
        let span = |drawn: &Drawn| {
            let x = drawn.points().map(|p| p[0]);
            let (low, high) = x.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
            high / low
        };
        let fits = |drawn: &&Drawn| {
            let slope = drawn.slope().filter(|_| !drawn.curve.published);
            slope.is_some_and(|fitted| (fitted.slope - order).abs() < ABOUT)
        };
        let near = self.curves.iter().filter(fits);
        let drawn = near.max_by(|a, b| span(a).total_cmp(&span(b)))?;
        let points = || drawn.points().filter(|p| p.iter().all(|x| *x > 0.0 && x.is_finite()));
        let low = points().map(|p| p[0]).fold(f64::INFINITY, f64::min);
        let high = points().map(|p| p[0]).fold(0.0, f64::max);
        let middle = (low * high).sqrt();
        let right = points().filter(|p| p[0] >= middle);
        let factor = BELOW * right.map(|[x, y]| y / x.powf(order)).fold(f64::INFINITY, f64::min);
        let label = format!("order {}", (100.0 * order).round() / 100.0);
        Some(Curve::new(&label, [middle, high].map(|x| [x, factor * x.powf(order)])))
    }
}

fn draw(drawn: &Drawn) -> Curve {
    let look = match drawn {
        Drawn { curve, .. } if curve.published => Look::Marks,
        Drawn { marked: true, .. } => Look::Marked,
        _ => Look::Line,
    };
    Curve::new(&drawn.curve.label, drawn.points()).looking(look)
}
