//! The version stands in `Cargo.toml`; wherever else it must stand, it is the same.

use crate::common::{carom, folder, said};
use std::fs;
use std::path::Path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

#[test]
fn the_command_says_it() {
    assert_eq!(said(&carom(&folder("version"), &["--version"])), format!("carom {VERSION}\n"));
}

#[test]
fn the_change_log_begins_with_it() {
    let log = read("CHANGELOG.md");
    let newest = log.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert_eq!(newest, VERSION);
}

#[test]
fn it_is_what_is_cited() {
    assert!(read("CITATION.cff").lines().any(|line| line == format!("version: {VERSION}")));
}

#[test]
fn crates_ask_for_one_another_by_it() {
    let workspace: toml::Table = read("Cargo.toml").parse().unwrap();
    let ours = workspace["workspace"]["dependencies"].as_table().unwrap().iter();
    let ours: Vec<_> = ours.filter_map(|(name, d)| d.get("path").map(|_| (name, d.get("version")))).collect();
    assert!(ours.len() > 10, "{ours:?}");
    for (name, version) in ours {
        assert_eq!(version.and_then(|v| v.as_str()), Some(VERSION), "{name}");
    }
}

#[test]
fn python_takes_it_from_there() {
    let project: toml::Table = read("pyproject.toml").parse().unwrap();
    let dynamic = project["project"]["dynamic"].as_array().unwrap();
    assert!(dynamic.iter().any(|key| key.as_str() == Some("version")));
    assert!(project["project"].get("version").is_none());
}
