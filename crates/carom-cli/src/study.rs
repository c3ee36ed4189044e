//! `carom study`: published | ours | verdict, as text, data or pages.

mod counts;
mod figures;
mod index;
mod page;

use crate::args;
use crate::failure::{self, Failure};
use crate::list;
use crate::progress::Bar;
use crate::table::{ruled, say, say_json};
use carom_studies::{STUDIES, Study, StudyReport, Verdict};
use counts::Counts;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Widest cell (characters).
const FOLD: usize = 44;

/// Runs one study or all. A result that differs from the published one is a result: the exit code is 0.
pub fn study(args: &args::Study) -> Result<(), Failure> {
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else { return list::studies(args.json) };
    let chosen: Vec<&Study> = STUDIES.iter().filter(|s| name == "all" || s.name == name).collect();
    if args.html {
        return pages(&chosen, args.out.as_deref(), name == "all");
    }
    let mut data = Vec::new();
    for (i, study) in chosen.iter().enumerate() {
        let report = run(study, i, chosen.len());
        if args.json {
            data.push(json!({
                "name": study.name, "title": study.title, "source": study.source, "report": report,
            }));
        } else {
            say(&text(study, &report))?;
        }
    }
    match (args.json, data.as_slice()) {
        (false, _) => Ok(()),
        (true, [one]) if name != "all" => say_json(one),
        (true, _) => say_json(&data),
    }
}

/// Runs study number `i` of `n`.
fn run(study: &Study, i: usize, n: usize) -> StudyReport {
    let bar = Bar::new(false);
    let which = if n > 1 { format!(", study {} of {n}", i + 1) } else { String::new() };
    let report = (study.run)(&mut |part| bar.part(part, &format!("{}{which}", study.name)));
    bar.clear();
    report
}

/// Writes a page for each study as soon as it is there, and one in front of all of them.
fn pages(chosen: &[&Study], out: Option<&Path>, all: bool) -> Result<(), Failure> {
    let write = |path: &Path, page: &str, words: &str| {
        carom::write_bytes(path, page.as_bytes()).map_err(|e| failure::wrong(e).run())?;
        say(&format!("{}: {words}", path.display()))
    };
    let folder = all.then(|| out.map_or_else(|| PathBuf::from("studies"), Path::to_path_buf));
    let mut counted = Vec::new();
    for (i, study) in chosen.iter().enumerate() {
        let file = || PathBuf::from(format!("{}.html", study.name));
        let path = match &folder {
            Some(folder) => folder.join(file()),
            None => out.map_or_else(file, Path::to_path_buf),
        };
        let report = run(study, i, chosen.len());
        let counts = Counts::of(&report);
        write(&path, &page::page(study, &report), &counts.words())?;
        counted.push((*study, counts));
    }
    match folder {
        Some(folder) => write(&folder.join("index.html"), &index::index(&counted), "all of them"),
        None => Ok(()),
    }
}

fn text(study: &Study, report: &StudyReport) -> String {
    let mut rows = vec![["", "published", "ours", "verdict"].map(String::from).to_vec()];
    for row in &report.rows {
        let verdict = match &row.verdict {
            Verdict::Agrees => "agrees".into(),
            Verdict::Differs(why) => format!("DIFFERS: {why}"),
            Verdict::Ours => "ours".to_string(),
        };
        rows.push(vec![row.what.clone(), row.published.clone(), row.ours.clone(), verdict]);
    }
    let mut text =
        format!("{}: {}\n{}\n\n{}", study.name, study.title, study.source, ruled(&rows, FOLD, " | "));
    if !report.notes.is_empty() {
        text.push('\n');
    }
    for note in &report.notes {
        text.push_str(&format!("- {note}\n"));
    }
    text.push_str(&format!("\n{}\n", Counts::of(report).words()));
    text
}
