//! The how-to pages of the book (`docs/src/extend`) are followed to the letter: what they change is changed in a copy of
//! the workspace, all of it together, and the copy must compile.
//!
//! Conventions of these pages:
//! - a fence ` ```diff ` changes one file, `+++ path`. Each part after `@@` has lines that stay (a blank first), that go
//!   (`-`) and that come (`+`); what stays and goes stands in the file in one piece, and only once;
//! - a fence ` ```rust,ignore file=path ` is a new file. Where it names its own crate (`carom_solve::`), the copy says
//!   `crate::`, so that an example which is compiled against the public API can be the file of the recipe.
//!
//! The copy lies under `target/tmp` and stays there; only files that differ are written, so that a second run compiles
//! what has changed since.

mod copy;
mod recipe;

#[path = "../it/pages.rs"]
mod pages;

use recipe::{Recipe, apply};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Source files that one more of a kind may cost, its own included; tests and pages of the book apart.
const COSTS: [(&str, usize); 2] = [("extend/joint.md", 4), ("extend/body.md", 4)];

/// Crates that see everything, with the tests of the crates that recipes add tests to.
fn check(workspace: &Path, tests_of: &[String]) {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let run = |arguments: &[&str]| {
        let out = Command::new(&cargo)
            .args(["check", "--offline", "--quiet", "--color", "never"])
            .args(arguments)
            .current_dir(workspace)
            .env("CARGO_TARGET_DIR", workspace.with_file_name("target"))
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .output()
            .expect("cargo can be started");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "the recipes of the book do not compile:\n{said}");
        // a recipe that leaves something unused is not complete
        assert!(!said.contains("warning:"), "the recipes of the book leave warnings:\n{said}");
    };
    let mut arguments = vec!["--package", "carom-cli"];
    run(&arguments);
    arguments.clear();
    tests_of.iter().for_each(|name| arguments.extend(["--package", name]));
    if !arguments.is_empty() {
        arguments.push("--tests");
        run(&arguments);
    }
}

#[test]
fn the_recipes_of_the_book_compile() {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recipes/workspace");
    let pages = pages::pages();
    let recipes: Vec<(&str, Vec<Recipe>)> = pages
        .iter()
        .filter(|page| page.path.starts_with("extend/"))
        .map(|page| (page.path.as_str(), recipe::of_page(page)))
        .collect();
    let mut changed: BTreeMap<String, String> = BTreeMap::new();
    for (page, changes) in &recipes {
        for change in changes {
            let path = change.path();
            let before = changed.get(path).cloned().or_else(|| copy::source(path));
            let after = apply(change, before.as_deref()).unwrap_or_else(|wrong| panic!("{page}: {wrong}"));
            changed.insert(path.to_string(), after);
        }
    }
    assert!(changed.len() >= 8, "{} files are changed by recipes", changed.len());
    for (page, most) in COSTS {
        let changes = recipes.iter().find(|(path, _)| *path == page).map_or(&[][..], |(_, changes)| changes);
        let mut files: Vec<&str> = changes.iter().map(Recipe::path).filter(|p| p.contains("/src/")).collect();
        files.sort_unstable();
        files.dedup();
        assert!((1..=most).contains(&files.len()), "{page} costs {} files: {files:?}", files.len());
    }
    let crate_of_test = |path: &String| {
        let (name, _) = path.strip_prefix("crates/")?.split_once("/tests/")?;
        Some(name.to_string())
    };
    let mut tests_of: Vec<String> = changed.keys().filter_map(crate_of_test).collect();
    tests_of.dedup();
    copy::bring(&workspace, &changed);
    check(&workspace, &tests_of);
}
