//! A copy of the workspace in which some files are others.

use crate::pages::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a build needs.
const NEEDED: [&str; 8] =
    ["Cargo.toml", "Cargo.lock", "README.md", "benches", "crates", "docs", "gallery", "rustfmt.toml"];

/// A file of the repository, if there is one.
pub fn source(path: &str) -> Option<String> {
    fs::read_to_string(root().join(path)).ok()
}

/// Makes `to` the workspace with the changed files; what is there and the same is left alone, with its time.
pub fn bring(to: &Path, changed: &BTreeMap<String, String>) {
    let mut files = Vec::new();
    NEEDED.iter().for_each(|name| walk(&root(), Path::new(name), &mut files));
    let mut wanted: BTreeSet<PathBuf> = files.iter().cloned().collect();
    for file in &files {
        if !changed.contains_key(&file.to_string_lossy().replace('\\', "/")) {
            let bytes = fs::read(root().join(file)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            write(&to.join(file), &bytes);
        }
    }
    for (path, text) in changed {
        write(&to.join(path), text.as_bytes());
        wanted.insert(path.into());
    }
    let mut there = Vec::new();
    NEEDED.iter().for_each(|name| walk(to, Path::new(name), &mut there));
    for file in there.iter().filter(|file| !wanted.contains(*file)) {
        fs::remove_file(to.join(file)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
}

fn write(path: &Path, bytes: &[u8]) {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return;
    }
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    fs::write(path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// All files below a path of a folder, relative to the folder.
fn walk(folder: &Path, path: &Path, found: &mut Vec<PathBuf>) {
    let whole = folder.join(path);
    if whole.is_file() {
        found.push(path.into());
    } else if whole.is_dir() && path.file_name().is_none_or(|name| name != "target") {
        let entries = fs::read_dir(&whole).unwrap_or_else(|e| panic!("{}: {e}", whole.display()));
        entries.flatten().for_each(|entry| walk(folder, &path.join(entry.file_name()), found));
    }
}
