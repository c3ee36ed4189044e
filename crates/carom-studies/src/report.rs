//! What a study answers: published beside ours, and the curves of its figures.

use crate::figure::Panel;
use serde::Serialize;

/// What came out of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StudyReport {
    /// Published | ours | verdict.
    pub rows: Vec<Row>,
    /// What a reader should know about the comparison, in plain sentences.
    pub notes: Vec<String>,
    /// Curves, for a page that draws the figures.
    pub series: Vec<Series>,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What is compared.
    pub what: String,
    /// What the source says, in its own precision; empty if it says nothing.
    pub published: String,
    /// What came out here.
    pub ours: String,
    /// Whether the two agree.
    pub verdict: Verdict,
}

/// Whether ours agrees with the published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Agrees,
    /// It does not; why, as far as we know.
    Differs(String),
    /// Nothing is published: a fact of our own.
    Ours,
}

/// Curves over a common abscissa: the first column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// What the curves show.
    pub name: String,
    /// Columns of one length.
    pub columns: Vec<Column>,
    /// How they are drawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub panels: Vec<Panel>,
}

/// A named column of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Name with unit, such as `t (s)`.
    pub name: String,
    /// Values.
    pub values: Vec<f64>,
}

impl Series {
    /// From names and columns of one length.
    pub(crate) fn new(name: &str, columns: impl IntoIterator<Item = (String, Vec<f64>)>) -> Self {
        let columns = columns.into_iter().map(|(name, values)| Column { name, values }).collect();
        Self { name: name.into(), columns, panels: Vec::new() }
    }

    /// Draws columns over the first one: `pick` says which, by their names, and what the legend calls them.
    pub(crate) fn drawn(mut self, mut panel: Panel, pick: impl Fn(&str) -> Option<String>) -> Self {
        for (i, column) in self.columns.iter().enumerate().skip(1) {
            if let Some(label) = pick(&column.name) {
                panel.add(label, 0, i);
            }
        }
        if !panel.curves.is_empty() {
            self.panels.push(panel);
        }
        self
    }

    /// Draws every column over the first one.
    pub(crate) fn all_drawn(self, panel: Panel) -> Self {
        self.drawn(panel, |name| Some(name.into()))
    }
}

impl StudyReport {
    /// The report that `fill` makes; a run that fails ends it and is its last row.
    pub(crate) fn filled<E: Into<String>>(
        progress: &mut dyn FnMut(f64),
        fill: impl FnOnce(&mut Self, &mut dyn FnMut(f64)) -> Result<(), E>,
    ) -> Self {
        let mut report = Self::default();
        if let Err(why) = fill(&mut report, progress) {
            report.compare("runs to the end", "yes", why, false, "a run failed");
        }
        progress(1.0);
        report
    }

    /// Adds a comparison: `agrees` decides, `reason` is said if it does not.
    pub(crate) fn compare(
        &mut self,
        what: impl Into<String>,
        published: impl Into<String>,
        ours: impl Into<String>,
        agrees: bool,
        reason: &str,
    ) {
        let verdict = if agrees { Verdict::Agrees } else { Verdict::Differs(reason.into()) };
        self.rows.push(Row { what: what.into(), published: published.into(), ours: ours.into(), verdict });
    }

    /// Adds a fact of our own.
    pub(crate) fn fact(&mut self, what: impl Into<String>, ours: impl Into<String>) {
        let row =
            Row { what: what.into(), published: String::new(), ours: ours.into(), verdict: Verdict::Ours };
        self.rows.push(row);
    }

    /// Adds a remark.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}
