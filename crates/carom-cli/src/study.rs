//! `carom study`: published | ours | verdict.

use crate::args;
use crate::failure::Failure;
use crate::list;
use crate::progress::Bar;
use crate::table::{ruled, say, say_json};
use carom_studies::{STUDIES, Study, StudyReport, Verdict};
use serde_json::json;

/// Widest cell (characters).
const FOLD: usize = 44;

/// Runs one study or all. A result that differs from the published one is a result: the exit code is 0.
pub fn study(args: &args::Study) -> Result<(), Failure> {
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else { return list::studies(args.json) };
    let chosen: Vec<&Study> = STUDIES.iter().filter(|s| name == "all" || s.name == name).collect();
    let mut data = Vec::new();
    for (i, study) in chosen.iter().enumerate() {
        let bar = Bar::new(false);
        let which = match chosen.len() {
            1 => String::new(),
            n => format!(", study {} of {n}", i + 1),
        };
        let report = (study.run)(&mut |part| bar.part(part, &format!("{}{which}", study.name)));
        bar.clear();
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
    let count = |f: fn(&Verdict) -> bool| report.rows.iter().filter(|r| f(&r.verdict)).count();
    let agrees = count(|v| *v == Verdict::Agrees);
    let differs = count(|v| matches!(v, Verdict::Differs(_)));
    let ours = count(|v| *v == Verdict::Ours);
    text.push_str(&format!("\n{agrees} agree, {differs} differ, {ours} without a published counterpart\n"));
    text
}
