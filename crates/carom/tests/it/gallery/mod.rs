//! Every model of the gallery runs as it is and meets the facts that its README promises.

// What was found is shown for a test that fails, or with --nocapture.
#![allow(clippy::print_stdout)]

mod card;
mod fact;

use card::Card;
use carom::{Done, Setup};
use std::path::PathBuf;

/// Pictures are shown on pages that load many of them.
const LARGEST_PICTURE: u64 = 100_000;

fn gallery() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery")
}

/// Keys and values as given to `--set`.
type Changes = Vec<(String, String)>;

fn run(name: &str, changes: &[(String, String)]) -> (Setup, Done) {
    let path = gallery().join(name).join("model.toml");
    let setup = Setup::open(&path, changes).unwrap_or_else(|wrong| panic!("{name} {changes:?}:\n{wrong}"));
    let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{name} {changes:?}: {e}"));
    assert!(done.reached_end(), "{name} {changes:?} stopped: {:?}", done.summary.stop);
    (setup, done)
}

/// Runs the model once for every set of changes among its facts and collects all that is not met.
fn meets_its_facts(name: &str) {
    let folder = gallery().join(name);
    let readme = std::fs::read_to_string(folder.join("README.md")).expect("every model has a README");
    let card = Card::of_readme(&readme).unwrap_or_else(|e| panic!("{name}/README.md: {e}"));
    let (setup, _) = run(name, &[]);
    assert!(!setup.assembly().changed(), "{name} does not fit together as written: {:?}", setup.assembly());
    assert_eq!(card.title, setup.loaded().description.title(), "README and model of {name} differ in title");
    assert!(readme.contains(&format!("carom run {name}")), "the README of {name} says how to run it");
    assert!(card.fact.len() >= 3, "{name} has {} facts; it should have three", card.fact.len());

    let mut runs: Vec<(Changes, (Setup, Done))> = Vec::new();
    let mut broken = Vec::new();
    for fact in &card.fact {
        let changes = fact.changes();
        let known = runs.iter().position(|(c, _)| *c == changes).unwrap_or_else(|| {
            runs.push((changes.clone(), run(name, &changes)));
            runs.len() - 1
        });
        let (setup, done) = &runs[known].1;
        match fact.check(&setup.loaded().parameters, &done.recording, &done.summary) {
            Ok(found) => println!("{name}: {found}"),
            Err(wrong) => broken.push(format!("{} {changes:?}: {wrong}", fact.what)),
        }
    }
    assert!(broken.is_empty(), "{name}:\n  {}", broken.join("\n  "));
    // two dominoes touch corner on corner once, change their edge to and fro, and that step is made in two
    let again = usize::from(name == "dominoes");
    for (changes, (_, done)) in &runs {
        assert!(done.summary.audit.failures <= again, "{name} {changes:?} had steps that failed");
    }
}

macro_rules! models {
    ($all:ident: $($test:ident $name:literal)*) => {
        const $all: &[&str] = &[$($name),*];
        $(#[test]
        fn $test() {
            meets_its_facts($name);
        })*
    };
}

include!("../../shared/gallery_models.rs");
for_each_gallery_model! { models PLANE: }
for_each_spatial_model! { models SPACE: }

fn tested() -> Vec<&'static str> {
    let mut all = [PLANE, SPACE].concat();
    all.sort_unstable();
    all
}

#[test]
fn every_folder_is_tested_and_has_its_files() {
    let mut folders: Vec<String> = std::fs::read_dir(gallery())
        .expect("there is a gallery")
        .map(|entry| entry.expect("it can be read"))
        .filter(|entry| entry.path().join("model.toml").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort();
    assert_eq!(folders, tested());
    let index = std::fs::read_to_string(gallery().join("README.md")).expect("the gallery has an index");
    for name in tested() {
        let folder = gallery().join(name);
        let picture = std::fs::metadata(folder.join("picture.svg")).expect("every model has a picture");
        assert!(picture.len() < LARGEST_PICTURE, "the picture of {name} has {} bytes", picture.len());
        let svg = std::fs::read_to_string(folder.join("picture.svg")).expect("a picture is text");
        assert_well_formed(name, &svg);
        let readme = std::fs::read_to_string(folder.join("README.md")).expect("every model has a README");
        assert!(readme.contains("](picture.svg)"), "the README of {name} shows its picture");
        assert!(index.contains(&format!("({name}/README.md)")), "the index of the gallery lists {name}");
    }
}

/// Every tag of a picture is closed, every quote, and no place in it is no number.
fn assert_well_formed(name: &str, svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let tag = &tag[..tag.find('>').expect("a tag ends")];
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: {tag}");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{name}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
    }
    assert!(open.is_empty() && svg.starts_with("<svg "), "{name}: {open:?}");
    assert!(!svg.contains("NaN"), "{name}");
}

/// What `carom run NAME --set K=V --step H ...` in a README changes.
fn changes_of(command: &str) -> Changes {
    let mut words = command.split_whitespace().map(|word| word.trim_matches('\''));
    let mut changes = Changes::new();
    while let Some(word) = words.next() {
        let (key, value) = match (word, words.next()) {
            ("--set", Some(pair)) => pair.split_once('=').expect("--set takes key=value"),
            ("--scheme", Some(name)) => ("simulation.scheme", name),
            ("--step", Some(step)) => ("simulation.step", step),
            ("--end", Some(end)) => ("simulation.end", end),
            other => panic!("`{command}` has an option this test does not know: {other:?}"),
        };
        changes.push((key.into(), value.into()));
    }
    changes
}

#[test]
fn every_command_in_a_readme_is_one_that_works() {
    for name in tested() {
        let readme = std::fs::read_to_string(gallery().join(name).join("README.md")).expect("a README");
        let start = format!("    carom run {name}");
        for line in readme.lines().filter_map(|line| line.strip_prefix(&start)) {
            let path = gallery().join(name).join("model.toml");
            let changes = changes_of(line);
            Setup::open(&path, &changes).unwrap_or_else(|wrong| panic!("{name} {changes:?}:\n{wrong}"));
        }
        // also those in running text
        for change in readme.split("`--set ").skip(1).filter_map(|rest| rest.split('`').next()) {
            let changes = changes_of(&format!("--set {change}"));
            let path = gallery().join(name).join("model.toml");
            Setup::open(&path, &changes).unwrap_or_else(|wrong| panic!("{name} {changes:?}:\n{wrong}"));
        }
    }
}
