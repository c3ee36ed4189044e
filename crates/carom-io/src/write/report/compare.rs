//! Several runs on one page: what each is called, and what a reader should know before comparing them.

use super::PageRun;
use crate::units::Dimension;
use crate::write::number_text;
use std::collections::HashSet;
use std::path::Path;

/// A short name for each run, unique: what distinguishes it from the others, or its folder.
pub fn names(runs: &[PageRun<'_>]) -> Vec<String> {
    let scheme = |r: &PageRun<'_>| r.summary.map_or(String::new(), |s| s.scheme.clone());
    if let [one] = runs {
        let known = [scheme(one), last(one), one.run.title.clone()];
        return vec![known.into_iter().find(|word| !word.is_empty()).unwrap_or_else(|| "run".into())];
    }
    let step = |r: &PageRun<'_>| {
        let units = &r.run.units;
        let step = r.run.step / units.factor(Dimension::TIME);
        format!("step {} {}", short(step), units.word(Dimension::TIME))
    };
    let solver = |r: &PageRun<'_>| format!("solver {}", r.run.solver);
    let end = |r: &PageRun<'_>| format!("to {} s", short(r.run.end));
    let mut parts: Vec<Vec<String>> = [
        runs.iter().map(|r| r.run.model.clone()).collect(),
        runs.iter().map(scheme).collect(),
        runs.iter().map(step).collect(),
        runs.iter().map(solver).collect(),
        runs.iter().map(end).collect(),
    ]
    .into_iter()
    .filter(|words: &Vec<String>| differ(words))
    .collect();
    parts.extend(parameters(runs));
    let mut names: Vec<String> = (0..runs.len())
        .map(|i| {
            let words: Vec<&str> = parts.iter().map(|p| p[i].as_str()).filter(|w| !w.is_empty()).collect();
            words.join(", ")
        })
        .collect();
    // a long list tells less than the folder, which somebody has named
    const LONGEST: usize = 60;
    if names.iter().any(|name| name.is_empty() || name.chars().count() > LONGEST) || !unique(&names) {
        names = runs.iter().map(last).collect();
    }
    if names.iter().any(String::is_empty) || !unique(&names) {
        names = runs.iter().map(|r| r.folder.clone().unwrap_or_default()).collect();
    }
    if names.iter().any(String::is_empty) || !unique(&names) {
        names.iter_mut().zip(1..).for_each(|(name, n)| *name = format!("{n} {name}").trim_end().into());
    }
    names
}

/// Parameters that are not the same in all runs, one list of words for each.
fn parameters(runs: &[PageRun<'_>]) -> Vec<Vec<String>> {
    let all = runs.iter().flat_map(|r| r.run.parameters.keys());
    let mut seen = HashSet::new();
    let keys: Vec<&String> = all.filter(|key| seen.insert(*key)).collect();
    let word = |r: &PageRun<'_>, key: &String| {
        r.run.parameters.get(key).map_or(String::new(), |x| format!("{key} = {}", short(*x)))
    };
    let words = keys.into_iter().map(|key| runs.iter().map(|r| word(r, key)).collect());
    words.filter(|words: &Vec<String>| differ(words)).collect()
}

/// What makes a run hard to compare with the first.
pub fn notes(runs: &[PageRun<'_>]) -> Vec<Vec<String>> {
    let Some(first) = runs.first() else { return Vec::new() };
    let note = |r: &PageRun<'_>| {
        let mut notes = Vec::new();
        let what = |r: &PageRun<'_>| format!("`{}` ({})", r.run.title, r.run.model);
        if (&r.run.title, &r.run.model) != (&first.run.title, &first.run.model) {
            notes.push(format!(
                "This is another model than that of the first run: {}, not {}.",
                what(r),
                what(first)
            ));
        }
        if r.run.units != first.run.units {
            notes.push(
                "This model has other units than that of the first run; numbers of channels do not compare."
                    .into(),
            );
        }
        notes
    };
    runs.iter().map(note).collect()
}

fn differ(words: &[String]) -> bool {
    words.iter().any(|word| *word != words[0])
}

fn unique(words: &[String]) -> bool {
    let mut seen = HashSet::new();
    words.iter().all(|word| seen.insert(word))
}

/// Name of the folder alone.
fn last(run: &PageRun<'_>) -> String {
    let folder = run.folder.as_deref().unwrap_or_default();
    Path::new(folder).file_name().map_or_else(|| folder.into(), |name| name.to_string_lossy().into_owned())
}

/// As people write it: 0.0001 as 1e-4.
fn short(x: f64) -> String {
    let (plain, scientific) = (number_text(x), format!("{x:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}
