//! `report.html`: one file that opens anywhere, without a network. The page (`report/page.html`) is built from `web/` and
//! only draws; this makes its data, one JSON object.
//!
//! Size is bounded: many samples are thinned so that every peak and every gap stays, motion is sampled evenly in time,
//! events are cut after the first thousands, and what was left out is said.

mod compare;
mod data;
mod decimate;

pub use compare::{names, notes};
pub(crate) use decimate::keep_with_band;

use crate::results::{Stored, of_run};
use crate::{Facts, RunInfo, Scene};
use carom_dynamics::{Recording, Summary};

/// One run on a page.
#[derive(Clone, Debug)]
pub struct PageRun<'a> {
    /// Where it was read from.
    pub folder: Option<String>,
    /// Channels and events in the units of the model file; those for drawing only are passed over.
    pub recording: &'a Recording,
    /// Half-widths beside its samples, of a certified run.
    pub bands: Option<&'a Recording>,
    /// Counters and audit.
    pub summary: Option<&'a Summary>,
    /// What was asked for.
    pub run: &'a RunInfo,
    /// What the mechanism is made of.
    pub facts: Option<&'a Facts>,
    /// What it looks like and how it moves, SI.
    pub scene: Option<&'a Scene>,
    /// What is wrong or missing, in plain sentences.
    pub problems: Vec<String>,
}

impl<'a> PageRun<'a> {
    /// A run that has just ended; `presented` is its recording in the units of the model file.
    pub fn new(
        presented: &'a Recording,
        summary: &'a Summary,
        run: &'a RunInfo,
        facts: Option<&'a Facts>,
        scene: &'a Scene,
    ) -> Self {
        let problems = of_run(Some(summary), run, presented);
        Self {
            folder: None,
            recording: presented,
            bands: None,
            summary: Some(summary),
            run,
            facts,
            scene: Some(scene),
            problems,
        }
    }
}

impl Stored {
    /// This run on a page.
    pub fn page(&self) -> PageRun<'_> {
        PageRun {
            folder: Some(self.folder.display().to_string()),
            recording: &self.recording,
            bands: self.bands.as_ref(),
            summary: self.summary.as_ref(),
            run: &self.run,
            facts: self.facts.as_ref(),
            scene: self.scene.as_ref(),
            problems: self.problems.clone(),
        }
    }
}

/// The page of one run, or of several to compare.
pub fn html(runs: &[PageRun<'_>]) -> String {
    let page = data::page(runs, names(runs), notes(runs));
    // In JSON `<` stands in texts only, and some of them (`</script`, `<!--`) mean something to an HTML reader.
    let data = serde_json::to_string(&page).expect("plain data with text keys").replace('<', "\\u003c");
    let title = escape(&title(runs));
    // Filled in order of place, so that nothing in a title is taken for a place.
    let (before, rest) = ASSET.split_once("{{title}}").expect("the page has a place for its title");
    let (between, rest) = rest.split_once("{{data}}").expect("the page has a place for its data");
    let (then, after) = rest.split_once("{{space}}").expect("the page has a place for what draws in space");
    let spatial = runs.iter().any(|run| run.scene.is_some_and(Scene::is_spatial));
    let space = if spatial { SPACE } else { "" };
    [before, &title, between, &data, then, space, after].concat()
}

const ASSET: &str = include_str!("report/page.html");
/// What draws in space; a page in the plane goes without.
const SPACE: &str = include_str!("report/space.html");

fn title(runs: &[PageRun<'_>]) -> String {
    let first = runs.first().map_or("", |r| r.run.title.as_str());
    let same = !first.is_empty() && runs.iter().all(|r| r.run.title == first);
    match runs.len() {
        0 | 1 if first.is_empty() => "Carom".into(),
        0 | 1 => first.into(),
        n if same => format!("{first}: {n} runs"),
        n => format!("{n} runs"),
    }
}

/// Text for HTML and SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
