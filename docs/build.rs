//! Lists the files below `src`: pages as (path, text), everything else as (path, bytes).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let src = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("src");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    println!("cargo::rerun-if-changed={}", src.display());
    let mut files = Vec::new();
    walk(&src, &mut files);
    files.sort();
    let (mut pages, mut pictures) = (String::from("&[\n"), String::from("&[\n"));
    for file in &files {
        let name = file.strip_prefix(&src).expect("it was found there").to_string_lossy().replace('\\', "/");
        let (list, include) =
            if name.ends_with(".md") { (&mut pages, "str") } else { (&mut pictures, "bytes") };
        writeln!(list, "    ({name:?}, include_{include}!({file:?})),").expect("a string takes any text");
    }
    for (name, list) in [("pages.rs", pages), ("pictures.rs", pictures)] {
        fs::write(out.join(name), list + "]\n").expect("the build directory can be written");
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { walk(&entry.path(), files) } else { files.push(entry.path()) }
    }
}
