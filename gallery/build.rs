//! Lists what lies in the folders beside this file: (name, text of model.toml), and the tables and meshes that models name as
//! (model, name, text).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let gallery = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    println!("cargo::rerun-if-changed={}", gallery.display());
    let (mut models, mut beside) = (String::from("&[\n"), String::from("&[\n"));
    for folder in entries(&gallery).into_iter().filter(|folder| folder.join("model.toml").is_file()) {
        let name = last(&folder);
        line(&mut models, &[&name], &folder.join("model.toml"));
        let named = |file: &PathBuf| file.extension().is_some_and(|kind| kind == "csv" || kind == "msh");
        for file in entries(&folder).into_iter().filter(named) {
            line(&mut beside, &[&name, &last(&file)], &file);
        }
    }
    for (name, list) in [("models.rs", models), ("files.rs", beside)] {
        fs::write(out.join(name), list + "]\n").expect("the build directory can be written");
    }
}

/// What lies in a folder, in alphabetical order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

fn last(path: &Path) -> String {
    path.file_name().expect("an entry of a folder has a name").to_string_lossy().into_owned()
}

/// A row of a list: words, and the text of a file.
fn line(list: &mut String, words: &[&str], file: &Path) {
    let words: String = words.iter().map(|word| format!("{word:?}, ")).collect();
    writeln!(list, "    ({words}include_str!({file:?})),").expect("a string takes any text");
}
