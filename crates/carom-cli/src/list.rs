//! `carom list`.

use crate::args::Listed;
use crate::failure::Failure;
use crate::gallery::GALLERY;
use crate::table::{say, say_json, short, table};
use carom::{AUTO, PROJECTED, SCHEMES, SOLVERS, SYSTEMS};
use carom_studies::STUDIES;
use serde_json::json;

/// Widest description on a line (characters).
const FOLD: usize = 80;

/// What is said of `auto`.
const ABOUT_AUTO: &str =
    "one of the schemes below, chosen for the mechanism and the step; the run says which and why";

/// Lists what there is.
pub fn list(what: Listed, json: bool) -> Result<(), Failure> {
    match what {
        Listed::Schemes => schemes(json),
        Listed::Solvers => {
            plain(json, &SOLVERS.iter().map(|s| (s.name, s.description.to_string())).collect::<Vec<_>>())
        }
        Listed::Studies => studies(json),
        Listed::Gallery => gallery(json),
        Listed::Systems => systems(json),
    }
}

/// Models by file; people who look for a mechanism here should hear of the coded ones.
fn gallery(json: bool) -> Result<(), Failure> {
    let models: Vec<_> = GALLERY.iter().map(|(name, text)| (*name, title(name, text))).collect();
    plain(json, &models)?;
    if json {
        return Ok(());
    }
    let rows: Vec<_> = SYSTEMS.iter().map(|s| vec![s.name.into(), s.title.into()]).collect();
    say(&format!("\nCoded systems (`carom list systems`), run by name as well:\n\n{}", table(&rows, FOLD)))
}

/// Coded systems with title, source and parameters.
fn systems(json: bool) -> Result<(), Failure> {
    if json {
        let data: Vec<_> = SYSTEMS
            .iter()
            .map(|s| {
                let parameters: Vec<_> = s
                    .parameters
                    .iter()
                    .map(|p| {
                        json!({
                            "name": p.name, "meaning": p.meaning, "unit": p.unit, "default": p.default,
                            "range": p.range(),
                        })
                    })
                    .collect();
                json!({
                    "name": s.name, "title": s.title, "source": s.source, "scheme": s.scheme, "step": s.step,
                    "end": s.end, "parameters": parameters,
                })
            })
            .collect();
        return say_json(&data);
    }
    let mut text = String::new();
    for s in SYSTEMS {
        text.push_str(&format!("{}\n  {}\n  {}\n", s.name, s.title, s.source));
        let rows: Vec<Vec<String>> = s
            .parameters
            .iter()
            .map(|p| {
                let default = format!("{} {}", short(p.default), p.unit).trim_end().to_string();
                vec!["   ".into(), p.name.into(), default, p.range(), p.meaning.into()]
            })
            .collect();
        text.push_str(&table(&rows, FOLD));
        text.push('\n');
    }
    say(&(text + "Parameters: --set NAME=VALUE\n"))
}

/// Names and a line about each.
fn plain(json: bool, entries: &[(&str, String)]) -> Result<(), Failure> {
    if json {
        let data: Vec<_> =
            entries.iter().map(|(name, text)| json!({ "name": name, "description": text })).collect();
        return say_json(&data);
    }
    let rows: Vec<_> = entries.iter().map(|(name, text)| vec![(*name).into(), text.clone()]).collect();
    say(&table(&rows, FOLD))
}

fn schemes(json: bool) -> Result<(), Failure> {
    if json {
        let mut data = vec![json!({ "name": AUTO, "description": ABOUT_AUTO, "parameters": [] })];
        data.extend(SCHEMES.iter().map(|s| {
            let parameters: Vec<_> = s
                .parameters
                .iter()
                .map(|p| {
                    let range = p.range();
                    json!({
                        "name": p.name, "meaning": p.meaning, "kind": p.kind.name(), "unit": p.unit_in_words(),
                        "default": p.default(), "least": range.start(), "most": range.end(),
                    })
                })
                .collect();
            json!({ "name": s.name, "description": s.summary, "parameters": parameters })
        }));
        return say_json(&data);
    }
    let mut rows = vec![vec![AUTO.into(), ABOUT_AUTO.into()]];
    for s in SCHEMES {
        rows.push(vec![s.name.into(), s.summary.into()]);
        for p in s.parameters {
            let (range, default) = (p.range(), p.default().map_or("from the others".into(), short));
            let unit = if p.unit.is_empty() { String::new() } else { format!(" {}", p.unit_in_words()) };
            let range =
                format!("{} to {}{unit}, default {default}", short(*range.start()), short(*range.end()));
            rows.push(vec![String::new(), format!("{} ({range}): {}", p.name, p.meaning)]);
        }
    }
    let more = format!(
        "With `{PROJECTED}` appended, the coordinates are put back onto the joints after every step.\n\
         Parameters: --set simulation.parameters.NAME=VALUE\n"
    );
    say(&(table(&rows, FOLD) + "\n" + &more))
}

/// Names, titles and sources.
pub fn studies(json: bool) -> Result<(), Failure> {
    if json {
        let data: Vec<_> =
            STUDIES.iter().map(|s| json!({ "name": s.name, "title": s.title, "source": s.source })).collect();
        return say_json(&data);
    }
    let rows: Vec<_> = STUDIES.iter().map(|s| vec![s.name.into(), s.title.into(), s.source.into()]).collect();
    say(&table(&rows, FOLD))
}

/// The title line of a gallery model.
fn title(name: &str, text: &str) -> String {
    carom::load_text(name, text, &[])
        .map_or_else(|_| String::new(), |model| model.description.title().to_string())
}
