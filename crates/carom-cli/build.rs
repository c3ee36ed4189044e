//! Puts the gallery and the book into the binary, so that an installed `carom` can run the one and show the other:
//! lists of (name, text of model.toml) and of the tables and meshes beside them, the pages and their pictures. And what
//! `carom doctor` says of the build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../..");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    gallery(&root.join("gallery"), &out);
    book(&root.join("docs/src"), &out);
    facts();
}

fn gallery(gallery: &Path, out: &Path) {
    watch(gallery);
    let mut models: Vec<_> = fs::read_dir(gallery)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("model.toml"))
        .filter(|path| path.is_file())
        .collect();
    models.sort();
    let (mut list, mut beside) = (String::from("&[\n"), String::from("&[\n"));
    for path in models {
        let path = path.canonicalize().expect("a file that exists has a path");
        let folder = path.parent().expect("a model lies in a folder");
        let name = folder.file_name().expect("the folder has a name").to_string_lossy();
        writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("a string takes any text");
        let named = |file: &PathBuf| file.extension().is_some_and(|kind| kind == "csv" || kind == "msh");
        let mut files: Vec<_> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).filter(named).collect();
        files.sort();
        for file in files {
            let own = file.file_name().expect("a file has a name").to_string_lossy();
            writeln!(beside, "    ({name:?}, {own:?}, include_str!({file:?})),")
                .expect("a string takes any text");
        }
    }
    list.push_str("]\n");
    beside.push_str("]\n");
    write(&out.join("gallery.rs"), &list);
    write(&out.join("gallery_files.rs"), &beside);
}

/// Facts of the build as variables of the compiler.
fn facts() {
    let of = |name: &str| env::var(name).unwrap_or_default();
    let rustc = env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("--version").output().ok());
    let rustc = rustc.map_or("unknown".into(), |o| String::from_utf8_lossy(&o.stdout).trim().to_string());
    let features: Vec<String> = env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .collect();
    for (name, value) in [
        ("TARGET", of("TARGET")),
        ("PROFILE", of("PROFILE")),
        ("OPT_LEVEL", of("OPT_LEVEL")),
        ("FEATURES", features.join(", ")),
        ("RUSTC", rustc),
    ] {
        println!("cargo::rustc-env=CAROM_{name}={value}");
    }
}

/// Pages as (path, text) in `pages.rs`, everything else as (path, bytes) in `pictures.rs`.
fn book(src: &Path, out: &Path) {
    watch(src);
    let mut files = Vec::new();
    walk(src, &mut files);
    files.sort();
    let (mut pages, mut pictures) = (String::from("&[\n"), String::from("&[\n"));
    for path in &files {
        let name = path.strip_prefix(src).expect("it was found there").to_string_lossy().replace('\\', "/");
        if name.ends_with(".md") {
            let path = path.canonicalize().expect("a file that exists has a path");
            writeln!(pages, "    ({name:?}, include_str!({path:?})),").expect("a string takes any text");
        } else {
            let path = path.canonicalize().expect("a file that exists has a path");
            writeln!(pictures, "    ({name:?}, include_bytes!({path:?})),").expect("a string takes any text");
        }
    }
    write(&out.join("pages.rs"), &(pages + "]\n"));
    write(&out.join("pictures.rs"), &(pictures + "]\n"));
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { walk(&entry.path(), files) } else { files.push(entry.path()) }
    }
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the build directory can be written");
}
