//! Puts the gallery into the binary, so that an installed `carom` can run it: a list of (name, text of model.toml). And what
//! `carom doctor` says of the build.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    let gallery = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../gallery");
    println!("cargo::rerun-if-changed={}", gallery.display());
    let mut models: Vec<_> = fs::read_dir(&gallery)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("model.toml"))
        .filter(|path| path.is_file())
        .collect();
    models.sort();
    let mut list = String::from("&[\n");
    for path in models {
        let path = path.canonicalize().expect("a file that exists has a path");
        let name =
            path.parent().and_then(Path::file_name).expect("a model lies in a folder").to_string_lossy();
        writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("a string takes any text");
    }
    list.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("gallery.rs");
    fs::write(out, list).expect("the build directory can be written");
    facts();
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
