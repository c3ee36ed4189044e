//! Puts the gallery into the binary, so that an installed `carom` can run it: a list of (name, text of model.toml).

use std::fmt::Write as _;
use std::path::Path;
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
}
