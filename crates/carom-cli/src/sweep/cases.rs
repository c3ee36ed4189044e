//! The cases of a sweep: what each changes, and whether each is a model that can be run.

use super::each;
use super::grid::Axis;
use super::measure::Measure;
use crate::failure::Failure;
use crate::gallery::Found;
use crate::model;
use carom::{Diagnostic, Diagnostics, Topic, suggest};

/// More cases than this are a slip.
const MOST: usize = 1_000_000;
/// Complaints that are shown.
const SHOWN: usize = 8;

/// A model and the grid over it.
#[derive(Debug)]
pub struct Cases<'a> {
    pub found: &'a Found,
    /// Changes that all cases share.
    pub fixed: Vec<(String, String)>,
    pub axes: &'a [Axis],
}

impl Cases<'_> {
    /// How many.
    pub fn count(&self) -> Result<usize, Failure> {
        let count = self.axes.iter().try_fold(1_usize, |n, axis| n.checked_mul(axis.values.len()));
        count.filter(|n| *n <= MOST).ok_or_else(|| {
            let wrong = format!("the grid has more than {MOST} cases");
            Failure::input(wrong, "fewer values, or several sweeps", Topic::Sweep)
        })
    }

    /// Which value of each axis; the last axis is the fastest.
    fn places(&self, index: usize) -> Vec<usize> {
        let mut rest = index;
        let mut places = vec![0; self.axes.len()];
        for (place, axis) in places.iter_mut().zip(self.axes).rev() {
            *place = rest % axis.values.len();
            rest /= axis.values.len();
        }
        places
    }

    /// Values of the varied keys.
    pub fn values(&self, index: usize) -> Vec<String> {
        self.axes.iter().zip(self.places(index)).map(|(axis, i)| axis.values[i].0.clone()).collect()
    }

    /// All changes, the varied ones last so that they win.
    pub fn changes(&self, index: usize) -> Vec<(String, String)> {
        let mut changes = self.fixed.clone();
        changes.extend(self.axes.iter().map(|axis| axis.key.clone()).zip(self.values(index)));
        changes
    }

    /// Reads every case and makes it ready; what is wrong is shown with the words of `--vary` that lead there.
    pub fn check(&self, mine: &[usize], jobs: usize, measures: &[Measure]) -> Result<(), Failure> {
        let complaints = each(jobs, mine, |index| self.complaints(index, measures));
        let mut list: Vec<Diagnostic> = Vec::new();
        for one in complaints.into_iter().flatten() {
            if !list.contains(&one) {
                list.push(one);
            }
        }
        if list.is_empty() {
            return Ok(());
        }
        let more = list.len().saturating_sub(SHOWN);
        list.truncate(SHOWN);
        let cut = if more > 0 { format!("and {more} more of this kind\n") } else { String::new() };
        Err(Failure::Input(format!("{}{cut}", Diagnostics { list })))
    }

    fn complaints(&self, index: usize, measures: &[Measure]) -> Vec<Diagnostic> {
        let setup = match model::set_up(self.found, &self.changes(index)) {
            Ok(setup) => setup,
            Err(wrong) => return wrong.list.into_iter().flat_map(|one| self.at_vary(index, one)).collect(),
        };
        let simulation = match setup.simulation(setup.settings()) {
            Ok(simulation) => simulation,
            Err(error) => return self.at_vary(index, setup.diagnose_start(&error)),
        };
        let channels = simulation.recording().channels;
        let known: Vec<&str> = channels.iter().filter(|c| c.is_plotted()).map(|c| c.name()).collect();
        let missing = measures.iter().filter(|m| !known.contains(&m.channel.as_str()));
        missing
            .map(|m| {
                let text = m.to_string();
                let help = suggest::choices(&m.channel, "channels", &known);
                let message = format!("there is no channel `{}`", m.channel);
                Diagnostic::of_text("--measure", &text, &(0..m.channel.len()), message, help, Topic::Channels)
            })
            .collect()
    }

    /// A complaint about a change is shown at its `--vary`; one about a line of the file is shown at both, unless nothing that is
    /// varied brings it about.
    fn at_vary(&self, index: usize, one: Diagnostic) -> Vec<Diagnostic> {
        let places = self.places(index);
        for (axis, &i) in self.axes.iter().zip(&places) {
            let (value, range) = &axis.values[i];
            if one.file == "--set" && one.excerpt() == format!("{}={value}", axis.key) {
                let at_key = one.column <= axis.key.chars().count();
                let range = if at_key { 0..axis.key.len() } else { range.clone() };
                let Diagnostic { message, help, docs, .. } = one;
                return vec![Diagnostic::of_text("--vary", &axis.text, &range, message, help, docs)];
            }
        }
        if model::set_up(self.found, &self.fixed).is_err() {
            return vec![one];
        }
        // the axis whose value alone makes it wrong, or else the last one
        let alone = |axis: &Axis, i: usize| {
            let mut changes = self.fixed.clone();
            changes.push((axis.key.clone(), axis.values[i].0.clone()));
            model::set_up(self.found, &changes).is_err()
        };
        let guilty = (0..places.len()).find(|&a| alone(&self.axes[a], places[a])).unwrap_or(places.len() - 1);
        let axis = &self.axes[guilty];
        let (value, range) = &axis.values[places[guilty]];
        let message = format!("`{} = {value}` makes no model: {}", axis.key, one.message);
        let first =
            Diagnostic::of_text("--vary", &axis.text, range, message, one.help.clone(), grid_topic(&one));
        vec![first, one]
    }
}

fn grid_topic(one: &Diagnostic) -> Topic {
    match one.docs {
        Topic::Run => Topic::Sweep,
        docs => docs,
    }
}
