//! Charts of recorded channels: over time or against one another, of one run or of several.

use super::{Axis, Chart, Curve, Panel};
use crate::write::report::keep_with_band;
use carom_dynamics::Recording;
use carom_model::suggest::nearest;
use std::borrow::Cow;

/// Most points of a curve: two for every pixel column of a wide figure.
const POINTS: usize = 2400;
/// Most curves: more are not told apart.
const CURVES: usize = 28;
/// Height of each pane but the first (pixels), unless a size is given.
const PANE: f64 = 170.0;
/// Width and height of a figure (pixels), unless given.
const SIZE: [f64; 2] = [720.0, 400.0];
/// Paths longer than this in relation to their width are stretched: in their true shape they would be a line.
const FLATTEST: f64 = 20.0;
/// Words of units that are lengths.
const LENGTHS: [&str; 7] = ["m", "cm", "mm", "um", "km", "in", "ft"];

/// A run to be plotted.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// What distinguishes it from the others.
    pub label: String,
    /// What it recorded; the first column is time.
    pub recording: &'a Recording,
    /// Half-widths beside its samples, of a certified run.
    pub bands: Option<&'a Recording>,
}

/// What to plot.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Names of channels, in which `*` stands for anything.
    pub channels: Vec<String>,
    /// The channel across; time if left out.
    pub against: Option<String>,
    /// First instant, in the unit of the time.
    pub from: Option<f64>,
    /// Last instant.
    pub to: Option<f64>,
    /// Said above the chart; may be empty.
    pub title: String,
    /// Width and height (pixels).
    pub size: Option<[f64; 2]>,
    /// One pane for every unit, or for every channel if all have one.
    pub panes: bool,
}

/// A chart, and what should be said about it.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The chart.
    pub chart: Chart,
    /// Gaps, and channels that a run does not have.
    pub notes: Vec<String>,
}

/// Why there is no chart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wrong}\n  = help: {right}")]
pub struct PlotError {
    /// What is wrong.
    pub wrong: String,
    /// What would be right.
    pub right: String,
}

fn error<T>(wrong: impl Into<String>, right: impl Into<String>) -> Result<T, PlotError> {
    Err(PlotError { wrong: wrong.into(), right: right.into() })
}

/// Lays the channels of the first run out in panes, with those of the others beside them.
pub fn plot(sources: &[Source<'_>], wish: &Wish) -> Result<Plot, PlotError> {
    let Some(first) = sources.first() else {
        return error("there is no run to plot", "name a folder of results");
    };
    let names = named(first.recording, &wish.channels)?;
    if names.len() * sources.len() > CURVES {
        return error(
            format!("{} curves are more than a figure can show", names.len() * sources.len()),
            format!("choose channels for at most {CURVES} curves"),
        );
    }
    let time = first.recording.channels.first().map_or("t", |c| c.name());
    let across = match &wish.against {
        Some(name) => named(first.recording, std::slice::from_ref(name))?,
        None => vec![time.to_string()],
    };
    let [across] = &across[..] else {
        return error("`--against` takes one channel", format!("one of {}", across.join(", ")));
    };
    let shown = span(sources, wish)?;

    let figure = Figure { sources, names: &names, across, shown, units: units_of(first.recording, &names) };
    let mut notes = Vec::new();
    let panes = figure.panes(wish.panes)?;
    let panels: Vec<Panel> = panes
        .iter()
        .map(|pane| figure.panel(pane, wish.against.is_none(), &mut notes))
        .collect::<Result<_, _>>()?;
    let unit = |name: &str| unit_of(first.recording, name).unwrap_or_default();
    let equal = wish.against.is_some()
        && LENGTHS.contains(&unit(across))
        && figure.units.iter().all(|u| *u == unit(across))
        && flatness(&panels) < FLATTEST;
    let usual = [SIZE[0], SIZE[1] + (panels.len() - 1) as f64 * PANE];
    let size = if wish.against.is_some() && panels.len() == 1 { [560.0, 520.0] } else { usual };
    let chart = Chart {
        title: wish.title.clone(),
        columns: 1,
        size: Some(wish.size.unwrap_or(size)),
        common_x: true,
        equal,
        dashed: sources.len() > 1,
        ..Chart::new(panels)
    };
    Ok(Plot { chart, notes })
}

/// The units of channels, each once, in their order.
fn units_of<'r>(recording: &'r Recording, names: &[String]) -> Vec<&'r str> {
    let mut units: Vec<&str> = Vec::new();
    for unit in names.iter().map(|name| unit_of(recording, name).unwrap_or_default()) {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    units
}

/// What is drawn of some runs.
struct Figure<'a, 'r> {
    sources: &'a [Source<'r>],
    /// Channels up, and the one across.
    names: &'a [String],
    across: &'a str,
    /// From and to, across.
    shown: [f64; 2],
    units: Vec<&'a str>,
}

impl<'a> Figure<'a, '_> {
    fn unit(&self, name: &str) -> &str {
        unit_of(self.sources[0].recording, name).unwrap_or_default()
    }

    /// The channels of each pane: one pane, or as many as there are units.
    fn panes(&self, several: bool) -> Result<Vec<Vec<&'a String>>, PlotError> {
        let (names, units) = (self.names, &self.units);
        match (several, units.len()) {
            (true, 1) => Ok(names.iter().map(|name| vec![name]).collect()),
            (true, _) => {
                let of = |unit: &str| names.iter().filter(|name| self.unit(name) == unit).collect();
                Ok(units.iter().map(|unit| of(unit)).collect())
            }
            (false, 1 | 2) => Ok(vec![names.iter().collect()]),
            (false, _) => {
                let words: Vec<String> = units.iter().map(|u| format!("`{u}`")).collect();
                error(
                    format!("the channels have {} units: {}", units.len(), words.join(", ")),
                    "one pane has two axes; ask for several with --panes, or choose fewer channels",
                )
            }
        }
    }

    /// One pane with its curves; across from the beginning to the end of what is shown if it is time.
    fn panel(&self, pane: &[&String], time: bool, notes: &mut Vec<String>) -> Result<Panel, PlotError> {
        let (sources, left) = (self.sources, self.unit(pane[0]));
        let mut curves = Vec::new();
        for name in pane {
            for source in sources {
                let found = points(source, &sources[0], self.across, name, self.shown, notes)?;
                let Some((points, band)) = found else { continue };
                let right = self.unit(name) != left;
                let mut label = match (sources.len(), self.names.len()) {
                    (1, 1) => String::new(),
                    (1, _) => (*name).clone(),
                    (_, 1) => source.label.clone(),
                    _ => format!("{name}, {}", source.label),
                };
                if right && !label.is_empty() {
                    label.push_str(" (right)");
                }
                curves.push(Curve { right, ..Curve::new(&label, points).with_band(band) });
            }
        }
        let of = |right: bool| -> Vec<&str> {
            pane.iter().map(|n| n.as_str()).filter(|n| (self.unit(n) != left) == right).collect()
        };
        let mut y = Axis::linear(&label(&of(false), left));
        let other = self.units.iter().find(|u| **u != left && pane.iter().any(|n| self.unit(n) == **u));
        if let Some(other) = other {
            y = y.with_right(Axis::linear(&label(&of(true), other)));
        }
        let mut x = Axis::linear(&label(&[self.across], self.unit(self.across)));
        if time {
            x = x.between(self.shown[0], self.shown[1]);
        }
        Ok(Panel { title: String::new(), x, y, curves })
    }
}

/// Longer over shorter side of all that is shown.
fn flatness(panels: &[Panel]) -> f64 {
    let extent = |i: usize| {
        let points = panels.iter().flat_map(|p| &p.curves).flat_map(|c| &c.points);
        let values = points.map(|p| p[i]).filter(|x| x.is_finite());
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        high - low
    };
    let (x, y) = (extent(0), extent(1));
    (x / y).max(y / x)
}

/// First and last instant to be shown.
fn span(sources: &[Source<'_>], wish: &Wish) -> Result<[f64; 2], PlotError> {
    let times =
        || sources.iter().flat_map(|s| s.recording.columns.first()).flatten().filter(|t| t.is_finite());
    let (low, high) = times().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), t| (a.min(*t), b.max(*t)));
    if low > high {
        return error("nothing was recorded", "run the model again");
    }
    let shown = [wish.from.unwrap_or(low), wish.to.unwrap_or(high)];
    if shown[1] <= shown[0] && high > low || !times().any(|t| (shown[0]..=shown[1]).contains(t)) {
        return error(
            format!("nothing was recorded from {} to {}", shown[0], shown[1]),
            format!("the run goes from {low} to {high}"),
        );
    }
    Ok(shown)
}

/// Points, and half-widths beside them.
type Band = (Vec<[f64; 2]>, Vec<f64>);

/// The points of a curve and its band over time, thinned so that peaks and gaps stay; none if the run does not have the channel.
fn points(
    source: &Source<'_>,
    first: &Source<'_>,
    across: &str,
    name: &str,
    [from, to]: [f64; 2],
    notes: &mut Vec<String>,
) -> Result<Option<Band>, PlotError> {
    let Source { label, recording, bands } = source;
    let missing = [across, name].into_iter().find(|n| recording.column(n).is_none());
    let (Some(x), Some(y)) = (recording.column(across), recording.column(name)) else {
        notes.push(format!("{label} has no channel `{}`", missing.unwrap_or(name)));
        return Ok(None);
    };
    for name in [recording.channels[0].name(), across, name] {
        let [unit, own] = [first.recording, recording].map(|r| unit_of(r, name).unwrap_or_default());
        if own != unit {
            return error(
                format!("`{name}` is in `{unit}` in the first run and in `{own}` in {label}"),
                "compare runs of model files with the same units",
            );
        }
    }
    // the samples shown, and one on each side for the lines to the frame
    let t = &recording.columns[0];
    let begin = t.partition_point(|t| *t < from).saturating_sub(1);
    let end = (t.partition_point(|t| *t <= to) + 1).min(t.len());
    let (x, y) = (&x[begin..end], &y[begin..end]);
    let nan = y.iter().filter(|y| !y.is_finite()).count();
    if nan > 0 {
        let of = if label.is_empty() { String::new() } else { format!(" of {label}") };
        notes.push(format!("`{name}`{of}: {nan} of {} samples are no numbers, gaps in the line", y.len()));
    }
    let over_time = across == recording.channels[0].name();
    let band = bands.filter(|_| over_time).and_then(|bands| bands.column(name)).map(|band| &band[begin..end]);
    let kept = if over_time { keep_with_band(y, band, POINTS) } else { (0..y.len()).collect() };
    let band = band.map_or(Vec::new(), |band| kept.iter().map(|&k| band[k]).collect());
    Ok(Some((kept.into_iter().map(|k| [x[k], y[k]]).collect(), band)))
}

fn unit_of<'a>(recording: &'a Recording, name: &str) -> Option<&'a str> {
    recording.channels.iter().find(|c| c.name() == name).map(|c| c.unit.as_str())
}

/// Quantity and unit: what the names have in common, `y (m)`, or the unit alone.
fn label(names: &[&str], unit: &str) -> String {
    let ends = |end: fn(&str) -> &str| -> Vec<&str> {
        let mut found = Vec::new();
        for name in names {
            if !found.contains(&end(name)) {
                found.push(end(name));
            }
        }
        found
    };
    let last = ends(|name| name.rsplit_once('.').map_or(name, |(_, last)| last));
    let first = ends(|name| name.split_once('.').map_or("", |(first, _)| first));
    let quantity = match (names, &last[..], &first[..]) {
        ([name], ..) => Cow::Borrowed(*name),
        (_, [quantity], _) => Cow::Borrowed(*quantity),
        (_, [a, b], _) => Cow::Owned(format!("{a}, {b}")),
        (_, _, [whole]) => Cow::Borrowed(*whole),
        _ => Cow::Borrowed(""),
    };
    match (quantity.as_ref(), unit) {
        (quantity, "" | "1") => quantity.into(),
        ("", unit) => format!("({unit})"),
        (quantity, unit) => format!("{quantity} ({unit})"),
    }
}

/// The channels that are meant, each once, in the order they are asked for.
pub fn named(recording: &Recording, patterns: &[String]) -> Result<Vec<String>, PlotError> {
    let known = || recording.channels.iter().map(|c| c.name());
    let mut found: Vec<String> = Vec::new();
    for pattern in patterns {
        let exact = known().any(|name| name == pattern);
        let fits: Vec<&str> =
            known().filter(|name| if exact { name == pattern } else { matches(pattern, name) }).collect();
        if fits.is_empty() {
            let near = if pattern.contains('*') { None } else { likely(pattern, known()) };
            let hint = near.map_or(String::new(), |name| format!("did you mean `{name}`? "));
            return error(
                format!("there is no channel `{pattern}`"),
                format!("{hint}`carom plot DIR --list` lists the {} channels there are", known().count()),
            );
        }
        for name in fits {
            if !found.iter().any(|f| f == name) {
                found.push(name.into());
            }
        }
    }
    Ok(found)
}

/// The nearest name, or the only one that ends or begins as asked: `y` for `ball.y`.
fn likely<'a>(word: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    nearest(word, names.clone()).or_else(|| {
        let part = |name: &str| name.ends_with(&format!(".{word}")) || name.starts_with(&format!("{word}."));
        names.clone().find(|name| part(name))
    })
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices().map(|(i, _)| i).chain([tail.len()]).any(|i| matches(rest, &tail[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, fits) in [
            ("ball.*", "ball.x", true),
            ("ball.*", "ballast.x", false),
            ("*.x", "a.b.x", true),
            ("*", "", true),
            ("a*b*c", "a--b--b-c", true),
            ("a*b*c", "a--c", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn axes_say_what_the_channels_have_in_common() {
        assert_eq!(label(&["ball.y"], "m"), "ball.y (m)");
        assert_eq!(label(&["guide.1.gap", "guide.3.gap"], "mm"), "gap (mm)");
        assert_eq!(label(&["ball.x", "ball.y"], "m"), "x, y (m)");
        assert_eq!(label(&["energy.kinetic", "energy.strain", "energy.total"], "J"), "energy (J)");
        assert_eq!(label(&["a.x", "b.y", "c.gap"], "m"), "(m)");
        assert_eq!(label(&["solver.residual"], "1"), "solver.residual");
    }
}
