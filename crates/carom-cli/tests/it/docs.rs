//! The book as `carom docs` gives it: every page there, every link and picture found, sections named as mdBook names them.

use crate::common::{code, command, complaint, folder, said};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn docs(home: &Path, args: &[&str]) -> Output {
    let args: Vec<&str> = std::iter::once("docs").chain(args.iter().copied()).collect();
    command(home, &args).env("XDG_CACHE_HOME", home).output().unwrap()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

/// Every page that the summary links to, as `theory/audit`.
fn summary() -> Vec<String> {
    let text = fs::read_to_string(source().join("SUMMARY.md")).unwrap();
    text.split("](").skip(1).map(|rest| rest.split(".md)").next().unwrap().to_string()).collect()
}

/// Renders the book and returns its folder.
fn rendered(home: &Path) -> PathBuf {
    let output = docs(home, &[]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let page = PathBuf::from(said(&output).trim());
    assert!(page.starts_with(home) && page.is_file(), "{}", page.display());
    page.parent().unwrap().to_path_buf()
}

/// Values of an attribute, with the signs that HTML and addresses write differently put back.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let begin = format!(" {name}=\"");
    html.split(begin.as_str()).skip(1).map(|rest| decoded(rest.split('"').next().unwrap())).collect()
}

fn decoded(text: &str) -> String {
    let text = text.replace("&amp;", "&").replace("&#39;", "'");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_page_is_there_and_every_link_leads_somewhere() {
    let home = folder("docs_links");
    let book = rendered(&home);
    let pages: BTreeMap<String, String> = summary()
        .into_iter()
        .map(|name| {
            let html = fs::read_to_string(book.join(format!("{name}.html")))
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            (name, html)
        })
        .collect();
    assert!(pages.len() > 30, "only {} pages", pages.len());
    let (mut wrong, mut inside) = (Vec::new(), 0);
    for (name, html) in &pages {
        let folder = book.join(name).parent().unwrap().to_path_buf();
        assert!(!html.contains("{{"), "{name}: something is not filled in");
        for target in attributes(html, "href").into_iter().chain(attributes(html, "src")) {
            if target.starts_with("https://") {
                continue;
            }
            inside += 1;
            let (path, section) = target.split_once('#').unwrap_or((&target, ""));
            let file = if path.is_empty() { book.join(format!("{name}.html")) } else { folder.join(path) };
            let Ok(text) = fs::read(&file) else {
                wrong.push(format!("{name}: {target}"));
                continue;
            };
            let text = String::from_utf8_lossy(&text);
            if !section.is_empty() && !attributes(&text, "id").iter().any(|id| id == section) {
                wrong.push(format!("{name}: {target} has no such section"));
            }
        }
        // nothing comes from elsewhere
        for loaded in attributes(html, "src").iter().chain(&attributes(html, "rel")) {
            assert!(!loaded.contains("//"), "{name}: {loaded}");
        }
        let ids = attributes(html, "id");
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{name}: two sections of one name");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(inside > 1000, "only {inside} links were looked at");
}

/// Pages can be read on a code host: what they show of a file stands in them, behind the name of the file. To write it anew:
/// `CAROM_BOOK=write cargo test -p carom-cli --test it docs::`.
#[test]
fn shown_files_stand_in_their_pages() {
    const MARK: &str = "<!-- file: ";
    let home = folder("docs_files");
    let (mut seen, mut old) = (0, Vec::new());
    for name in summary() {
        let path = source().join(format!("{name}.md"));
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(said(&docs(&home, &["--print", &name])), text, "{name}: printed as it is");
        let mut parts = text.split(MARK);
        let mut whole = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (file, rest) = part.split_once(" -->\n").expect("a mark is closed");
            let (fence, rest) = rest.split_once('\n').expect("a fence follows");
            let (body, rest) = rest.split_once("\n```").expect("a fence is closed");
            assert!(fence.starts_with("```"), "{name}: a fence follows {file}");
            let kept = fs::read_to_string(path.parent().unwrap().join(file)).unwrap();
            let kept = kept.trim_end_matches('\n');
            if kept != body {
                old.push(format!("{name} shows an old {file}"));
            }
            whole += &format!("{MARK}{file} -->\n{fence}\n{kept}\n```{rest}");
            seen += 1;
        }
        if std::env::var("CAROM_BOOK").is_ok_and(|what| what == "write") {
            fs::write(&path, whole).unwrap();
        }
    }
    assert!(old.is_empty() && seen >= 5, "{seen} seen, {old:?}");
}

#[test]
fn sections_are_listed_as_they_are_anchored() {
    let home = folder("docs_list");
    let book = rendered(&home);
    let mut listed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut page = String::new();
    for line in said(&docs(&home, &["--list"])).lines() {
        let word = line.split_whitespace().next().unwrap_or("").to_string();
        match word.strip_prefix('#') {
            Some(id) if line.starts_with("  #") => listed.get_mut(&page).unwrap().push(id.into()),
            _ => {
                page = word.clone();
                listed.insert(word, Vec::new());
            }
        }
    }
    assert_eq!(listed.keys().cloned().collect::<BTreeSet<_>>(), summary().into_iter().collect());
    for (page, sections) in &listed {
        let html = fs::read_to_string(book.join(format!("{page}.html"))).unwrap();
        let heading = |rest: &str| {
            let level = rest.strip_prefix(|c: char| c.is_ascii_digit())?;
            Some(decoded(level.strip_prefix(" id=\"")?.split('"').next()?))
        };
        let anchored: Vec<String> = html.split("<h").skip(1).filter_map(heading).collect();
        assert_eq!(anchored[1..], sections[..], "{page}");
    }
    // names as mdBook 0.5 gave them to these headings
    let schemes = &listed["theory/schemes"];
    for id in ["a1-moreaujean-moreau-jean", "a5a-projection--projected", "newtons-iteration-of-a1-and-a6"] {
        assert!(schemes.iter().any(|s| s == id), "{id} is not among {schemes:?}");
    }
}

#[test]
fn pages_are_found_by_name() {
    let home = folder("docs_find");
    let path = |words: &str| said(&docs(&home, &[words])).trim().to_string();
    assert!(path("model-file").ends_with("model-file.html"));
    assert!(path("audit").ends_with("theory/audit.html"));
    assert!(path("theory/audit.md").ends_with("theory/audit.html"));
    assert!(path("audit#the-verdict").ends_with("theory/audit.html#the-verdict"));
    let section = said(&docs(&home, &["--print", "command-line#exit-codes"]));
    assert!(section.starts_with("## Exit codes\n") && !section.contains("## `carom run`"), "{section}");
    for (words, help) in [
        ("modelfile", "did you mean `model-file`?"),
        ("audit#the-verdikt", "did you mean `#the-verdict`?"),
        ("theory", "its pages: introduction"),
        ("../../etc/passwd", "the book has no page"),
    ] {
        let output = docs(&home, &[words]);
        assert_eq!(code(&output), 2, "{words}");
        assert!(complaint(&output).contains(help), "{words}: {}", complaint(&output));
        assert!(said(&output).is_empty());
    }
}

#[test]
fn a_damaged_page_is_mended() {
    let home = folder("docs_damaged");
    let book = rendered(&home);
    let page = book.join("limits.html");
    let whole = fs::read(&page).unwrap();
    fs::write(&page, &whole[..100]).unwrap();
    assert_eq!(rendered(&home), book);
    assert_eq!(fs::read(&page).unwrap(), whole);
}

#[test]
fn a_home_that_cannot_be_written_is_no_hindrance() {
    let home = folder("docs_home");
    fs::write(home.join("file"), "").unwrap();
    let output = command(&home, &["docs", "limits"])
        .env("XDG_CACHE_HOME", home.join("file"))
        .env("TMPDIR", &home)
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    #[cfg(unix)]
    assert!(Path::new(said(&output).trim()).starts_with(home.join("carom")), "{}", said(&output));
}
