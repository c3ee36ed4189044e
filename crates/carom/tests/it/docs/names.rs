//! Whatever the book names exists: pages, files and names in them, constants, commands, keys, sources.

use crate::pages::{self, Page, has_word, page, pages, plain, read, root};
use carom::{PROJECTED, SCHEMES, SOLVERS, SYSTEMS};
use carom_studies::STUDIES;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn the_summary_lists_every_page_and_links_lead_somewhere() {
    let listed = page("SUMMARY.md");
    let all = pages();
    for page in &all {
        if page.path != "SUMMARY.md" {
            assert!(
                listed.text.contains(&format!("({})", page.path)),
                "SUMMARY.md does not list {}",
                page.path
            );
        }
        let folder = root().join("docs/src").join(&page.path);
        let folder = folder.parent().expect("a page lies in a folder");
        let prose = page.prose();
        for after in prose.split("](").skip(1) {
            let link = after.split(')').next().unwrap_or_default();
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            if file.starts_with("http") {
                continue;
            }
            let target =
                if file.is_empty() { root().join("docs/src").join(&page.path) } else { folder.join(file) };
            assert!(target.is_file(), "{}: the link {link} leads nowhere", page.path);
            if !place.is_empty() {
                let target = target.canonicalize().expect("just seen");
                let same = |p: &&Page| {
                    root().join("docs/src").join(&p.path).canonicalize().ok().as_ref() == Some(&target)
                };
                let there = all.iter().find(same).is_some_and(|p| p.anchors().iter().any(|a| a == place));
                assert!(there, "{}: the link {link} leads to no heading", page.path);
            }
        }
    }
}

#[test]
fn files_and_names_exist() {
    let mut files = 0;
    let mut names = 0;
    for page in pages() {
        for span in page.spans() {
            let (path, name) = match span.split_once(": ") {
                Some((path, name)) => (path, Some(name)),
                None => (span.as_str(), None),
            };
            let folders = ["crates/", "gallery/", "docs/", "benches/", "python/"];
            let ours = folders.iter().any(|p| path.starts_with(p));
            if !ours || path.contains(char::is_whitespace) {
                continue;
            }
            assert!(root().join(path).exists(), "{}: there is no {path}", page.path);
            files += 1;
            if let Some(name) = name {
                assert!(has_word(&read(path), name), "{}: {path} does not know `{name}`", page.path);
                names += 1;
            }
        }
    }
    assert!(files > 60 && names > 30, "the pages name {files} files and {names} names in them");
}

/// Comments in the sources name files by the end of their path: such a file exists.
#[test]
fn files_named_in_comments_exist() {
    let folders = ["crates", "benches", "docs/examples"];
    let sources: Vec<_> =
        folders.iter().flat_map(|folder| pages::files(&root().join(folder), "rs")).collect();
    let paths: Vec<String> =
        sources.iter().map(|path| path.display().to_string().replace('\\', "/")).collect();
    // made by a build script
    let generated = ["pages.rs", "pictures.rs", "gallery.rs", "gallery_files.rs"];
    let mut seen = 0;
    for (source, path) in sources.iter().zip(&paths) {
        let text = fs::read_to_string(source).expect("a source is text");
        for line in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            for span in line.split('`').skip(1).step_by(2) {
                let file = span.split(": ").next().unwrap_or_default();
                let plain = file.chars().all(|c| c.is_ascii_alphanumeric() || "/_-.".contains(c));
                if !file.ends_with(".rs") || !plain || generated.contains(&file) {
                    continue;
                }
                let there = paths.iter().any(|p| p.ends_with(&format!("/{file}")));
                assert!(there, "{path} speaks of {file}, which does not exist");
                seen += 1;
            }
        }
    }
    assert!(seen > 60, "comments name {seen} files");
}

/// Every row of the glossary names the field that holds the symbol.
#[test]
fn the_glossary_names_fields() {
    let glossary = page("glossary.md");
    let rows: Vec<_> = glossary.rows().into_iter().filter(|r| r.len() == 4).collect();
    assert!(rows.len() >= 30, "{} symbols", rows.len());
    for row in rows {
        let fields: Vec<&str> = row[3].split('`').skip(1).step_by(2).collect();
        assert!(!fields.is_empty() && fields.iter().all(|f| f.contains(".rs: ")), "no field in {row:?}");
        for field in fields {
            let (path, name) = field.split_once(": ").expect("just seen");
            let source = read(path);
            let declared =
                [format!("{name}:"), format!("fn {name}("), format!("fn {name}<"), format!("enum {name}")];
            let known = declared.iter().any(|d| source.contains(d.as_str()));
            assert!(known, "{path} declares no `{name}`, named by the glossary for {}", row[0]);
        }
    }
}

#[test]
fn constants_have_the_values_of_the_table() {
    let mut seen = 0;
    for row in page("limits.md").rows() {
        let [name, value, file, reason] = row.as_slice() else { continue };
        let (Some(name), Some(file)) = (plain(name), plain(file)) else { continue };
        if !file.ends_with(".rs") {
            continue;
        }
        let source = read(&file);
        let found = source.lines().find_map(|line| {
            let line = ["pub(crate) ", "pub(super) ", "pub "]
                .iter()
                .fold(line.trim(), |l, word| l.trim_start_matches(word));
            let (declared, found) = line.strip_prefix("const ")?.split_once(" = ")?;
            (declared.split(':').next() == Some(name.as_str()))
                .then(|| found.trim_end_matches(';').to_string())
        });
        let found = found.unwrap_or_else(|| panic!("{file} has no constant {name}"));
        // `16 ε` here is `16.0 * f64::EPSILON` there
        let number = |text: &str| match text.trim_end_matches(" * f64::EPSILON").trim_end_matches(" ε") {
            factor if factor.len() < text.len() => factor.parse::<f64>().ok().map(|x| x * f64::EPSILON),
            plain => plain.replace('_', "").parse::<f64>().ok(),
        };
        assert_eq!(number(&found), number(value), "{name} in {file} is {found}, the book says {value}");
        assert!(number(value).is_some() && !reason.is_empty(), "{row:?}");
        seen += 1;
    }
    assert!(seen >= 25, "{seen} constants");
}

#[test]
fn commands_and_options_exist() {
    let source = command_line();
    let commands: BTreeSet<String> = source
        .split_once("pub enum Command {")
        .and_then(|(_, rest)| rest.split_once("\n}"))
        .expect("the commands are an enum")
        .0
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split([' ', '(', ',', '{']).next())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(str::to_lowercase)
        .collect();
    assert!(commands.contains("run") && commands.contains("schema"), "{commands:?}");
    let mut seen = BTreeSet::new();
    for page in pages() {
        let mut lines = page.spans();
        lines.extend(page.commands());
        for line in lines {
            let line = line.replace("cargo run --release -- ", "carom ");
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first() != Some(&"carom") {
                continue;
            }
            if let Some(word) = words.get(1).filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase())) {
                assert!(commands.contains(*word), "{}: there is no `carom {word}`", page.path);
                seen.insert((*word).to_string());
            }
            for option in words.iter().filter_map(|w| w.strip_prefix("--")) {
                let field = option.split('=').next().unwrap_or_default().replace('-', "_");
                let known = ["help", "version"].contains(&field.as_str())
                    || source.contains(&format!("pub {field}:"))
                    || source.contains(&format!("{field}: bool"));
                assert!(known, "{}: there is no option --{option}", page.path);
            }
        }
    }
    assert_eq!(seen, commands, "the book shows every command");
    // and every option is described
    let reference = page("command-line.md").text;
    let mut long = false;
    for line in source.lines().map(str::trim) {
        long |= line.starts_with("#[arg(") && has_word(line, "long");
        let field = line.strip_prefix("pub ").unwrap_or(line).split_once(": ");
        let Some((field, _)) =
            field.filter(|(name, _)| name.chars().all(|c| c == '_' || c.is_alphanumeric()))
        else {
            continue;
        };
        if std::mem::take(&mut long) {
            let option = format!("--{}", field.replace('_', "-"));
            assert!(reference.contains(&option), "command-line.md does not describe {option}");
        }
    }
}

/// All that the command line is made of; each command has a file, and its options are fields there.
fn command_line() -> String {
    let sources = pages::files(&root().join("crates/carom-cli/src"), "rs");
    sources.iter().map(|path| fs::read_to_string(path).expect("a source is text")).collect()
}

#[test]
fn everything_with_a_name_is_in_the_book() {
    let all: String = pages().iter().map(|p| p.text.as_str()).collect();
    let schemes = SCHEMES.iter().map(|s| s.name).chain([PROJECTED]);
    let parameters = SCHEMES.iter().flat_map(|s| s.parameters).map(|p| p.name);
    let solvers = SOLVERS.iter().map(|s| s.name);
    let studies = STUDIES.iter().map(|s| s.name);
    for name in schemes.chain(parameters).chain(solvers).chain(studies) {
        assert!(all.contains(&format!("`{name}`")), "the book does not mention `{name}`");
    }
    let systems = page("systems.md").text;
    for info in SYSTEMS {
        for name in info.parameters.iter().map(|p| p.name).chain([info.name]) {
            assert!(systems.contains(&format!("`{name}`")), "systems.md does not mention `{name}`");
        }
    }
    let reference = page("model-file.md").text;
    for name in carom_model::expression::function_names() {
        assert!(
            reference.contains(&format!("`{name}(")),
            "model-file.md does not mention the function {name}"
        );
    }
    // every key of the format, from the schema that comes from the types
    let schema: serde_json::Value = serde_json::from_str(&carom::schema(false)).expect("the schema is JSON");
    let mut keys = BTreeSet::new();
    let mut words = BTreeSet::new();
    gather(&schema, &mut keys, &mut words);
    assert!(keys.contains("tangential_restitution") && keys.contains("arc-to"), "{keys:?}");
    assert!(words.contains("torsion-spring") && words.contains("rack"), "{words:?}");
    let known = |key: &&String| {
        reference.contains(&format!("`{key}`")) || reference.contains(&format!("`\"{key}\"`"))
    };
    let missing: Vec<_> = keys.iter().chain(&words).filter(|key| !known(key)).collect();
    assert!(missing.is_empty(), "model-file.md does not mention the keys or words {missing:?}");
}

/// Property names, and words that a property may be.
fn gather(schema: &serde_json::Value, keys: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(map) => {
            for (name, value) in map {
                if let ("properties", Some(properties)) = (name.as_str(), value.as_object()) {
                    keys.extend(properties.keys().cloned());
                }
                if let ("const", Some(word)) = (name.as_str(), value.as_str()) {
                    words.insert(word.into());
                }
                gather(value, keys, words);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| gather(value, keys, words)),
        _ => {}
    }
}

/// In the book, and at the heads of the source files.
#[test]
fn citations_have_their_entry() {
    let references = page("references.md").text;
    let mut seen = BTreeSet::new();
    let mut texts = pages();
    for path in pages::files(&root().join("crates"), "rs") {
        let text = fs::read_to_string(&path).expect("a source is text");
        texts.push(Page { path: path.display().to_string(), text });
    }
    for page in texts {
        for part in page.text.split('[').skip(1) {
            let key = part.split(']').next().unwrap_or_default();
            let plain = key.chars().all(|c| c.is_ascii_alphanumeric()) && key.starts_with(char::is_uppercase);
            let year = key.len() > 4 && key.bytes().rev().take(4).all(|c| c.is_ascii_digit());
            if plain && (year || key == "RezaeiSchindler") {
                assert!(
                    references.contains(&format!("**[{key}]**")),
                    "{}: [{key}] is not explained",
                    page.path
                );
                seen.insert(key.to_string());
            }
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
}
