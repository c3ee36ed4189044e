//! The table of the rooms in the book is what the manifests say: every crate with what it stands on, and nothing stands on what is
//! listed above it.

use crate::pages::{page, plain, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A crate of the workspace: its name, and those of the workspace that it needs outside of its tests.
struct Room {
    name: String,
    needs: BTreeSet<String>,
}

/// All of them but the benchmarks, by folder.
fn rooms() -> BTreeMap<String, Room> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo answers in JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('\\', "/");
    let whole = text(&metadata["workspace_root"]);
    let packages = metadata["packages"].as_array().expect("a workspace has packages").iter();
    let needs = |package: &Value| {
        let all = package["dependencies"].as_array().cloned().unwrap_or_default();
        let needed = all.into_iter().filter(|d| !d["path"].is_null() && d["kind"] != "dev");
        needed.map(|dependency| text(&dependency["name"])).collect()
    };
    let room = |package: &Value| {
        let manifest = text(&package["manifest_path"]);
        let folder = manifest.strip_prefix(&format!("{whole}/"))?.strip_suffix("/Cargo.toml")?;
        (folder != "benches")
            .then(|| (folder.to_string(), Room { name: text(&package["name"]), needs: needs(package) }))
    };
    packages.filter_map(room).collect()
}

#[test]
fn the_rooms_stand_on_each_other_as_told() {
    let mut rooms = rooms();
    assert!(rooms.len() >= 13, "{:?}", rooms.keys());
    let mut above = BTreeSet::new();
    for row in page("introduction.md").rows() {
        let [folder, needs, knows] = row.as_slice() else { continue };
        let Some(folder) = plain(folder).filter(|_| !knows.is_empty()) else { continue };
        let Room { name, needs: found } = rooms
            .remove(&folder)
            .unwrap_or_else(|| panic!("there is no crate in {folder}, or it is told twice"));
        let told: BTreeSet<String> =
            needs.split(", ").filter(|need| *need != "–").map(str::to_string).collect();
        assert_eq!(found, told, "what {name} stands on: the manifest, and the book");
        above.insert(name.clone());
        let upwards: Vec<_> = told.intersection(&above).collect();
        assert!(upwards.is_empty(), "{name} stands on {upwards:?}, listed above it");
    }
    assert!(rooms.is_empty(), "the book does not tell of {:?}", rooms.keys());
}

/// A file of tests that no `main.rs` names is compiled by nobody and fails nowhere.
#[test]
fn every_file_of_tests_is_compiled() {
    let mut looked = 0;
    for folder in std::fs::read_dir(root().join("crates")).expect("the workspace has crates") {
        let tests = folder.expect("a folder can be read").path().join("tests/it");
        let Ok(main) = std::fs::read_to_string(tests.join("main.rs")) else { continue };
        for file in std::fs::read_dir(&tests).expect("a folder with a main.rs") {
            let path = file.expect("a file can be read").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
            assert!(
                name == "main" || main.lines().any(|line| line.ends_with(&format!("mod {name};"))),
                "{} is not named in the main.rs beside it",
                path.display()
            );
            looked += 1;
        }
    }
    assert!(looked > 100, "{looked} files");
}
