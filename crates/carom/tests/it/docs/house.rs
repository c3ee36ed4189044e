//! The table of the rooms in the book is what the manifests say: every crate with what it stands on, and nothing stands on what is
//! listed above it.

use crate::pages::{page, plain, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates of the workspace below `crates`, each with those of them that it needs outside of its tests.
fn crates() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo answers in JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('\\', "/");
    let packages = metadata["packages"].as_array().expect("a workspace has packages").iter();
    let ours = packages.filter(|package| text(&package["manifest_path"]).contains("/crates/"));
    let needs = |package: &Value| {
        let all = package["dependencies"].as_array().cloned().unwrap_or_default();
        let needed = all.into_iter().filter(|d| !d["path"].is_null() && d["kind"] != "dev");
        needed.map(|dependency| text(&dependency["name"])).collect()
    };
    ours.map(|package| (text(&package["name"]), needs(package))).collect()
}

#[test]
fn the_rooms_stand_on_each_other_as_told() {
    let mut crates = crates();
    assert!(crates.len() >= 11, "{crates:?}");
    let mut above = BTreeSet::new();
    for row in page("introduction.md").rows() {
        let [name, needs, knows] = row.as_slice() else { continue };
        let Some(name) = plain(name).and_then(|path| path.strip_prefix("crates/").map(str::to_string)) else {
            continue;
        };
        let told: BTreeSet<String> =
            needs.split(", ").filter(|need| *need != "–").map(str::to_string).collect();
        let found =
            crates.remove(&name).unwrap_or_else(|| panic!("there is no crate {name}, or it is told twice"));
        assert_eq!(found, told, "what {name} stands on: the manifest, and the book");
        above.insert(name.clone());
        let upwards: Vec<_> = told.intersection(&above).collect();
        assert!(upwards.is_empty(), "{name} stands on {upwards:?}, listed above it");
        assert!(!knows.is_empty());
    }
    assert!(crates.is_empty(), "the book does not tell of {:?}", crates.keys());
}
