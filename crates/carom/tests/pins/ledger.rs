//! The file of digests: `kind name scheme digest`, a line for each cell.

use crate::digest::libm;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Seek, Write as _};
use std::path::PathBuf;

/// Most cells that a failure names.
const SHOWN: usize = 20;

const HEAD: &str = "\
# What every run gives, by its bits; see main.rs beside this file. Written by CAROM_PINS=write, not by hand.
# kind name scheme digest
";

/// What a cell is: kind, name, scheme.
pub type Cell = [String; 3];

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pins/digests.txt")
}

fn parse(text: &str) -> BTreeMap<Cell, String> {
    let mut lines = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split(' ').collect();
        let [kind, name, scheme, digest] = words[..] else { panic!("not a line of four words: {line}") };
        lines.insert([kind.into(), name.into(), scheme.into()], digest.into());
    }
    lines
}

fn is_written() -> bool {
    std::env::var("CAROM_PINS").is_ok_and(|word| word == "write")
}

/// Puts the cells of one kind and name into the file, in the place of those there. Tests that do so at once wait for each other.
fn write(kind: &str, name: &str, found: &[(String, String)]) {
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path())
        .expect("the file can be written");
    file.lock().expect("the file can be locked");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("the file is text");
    let mut lines = parse(&text);
    lines.retain(|cell, _| !(cell[0] == kind && cell[1] == name));
    for (scheme, digest) in found {
        lines.insert([kind.into(), name.into(), scheme.clone()], digest.clone());
    }
    lines.insert(["libm".into(), "probe".into(), "-".into()], libm());
    let mut text = String::from(HEAD);
    for ([kind, name, scheme], digest) in &lines {
        writeln!(text, "{kind} {name} {scheme} {digest}").expect("a string takes any text");
    }
    file.set_len(0).and_then(|()| file.rewind()).expect("the file can be emptied");
    file.write_all(text.as_bytes()).expect("the file can be written");
}

/// Compares all cells of one kind and name, or writes them.
pub fn compare(kind: &str, name: &str, found: &[(String, String)]) {
    if is_written() {
        return write(kind, name, found);
    }
    let text = std::fs::read_to_string(path()).expect("digests.txt is there");
    let mut lines = parse(&text);
    let probe = ["libm", "probe", "-"].map(String::from);
    if lines.get(&probe) != Some(&libm()) {
        println!(
            "{kind} {name}: sin, exp and so on have other bits here than where the file was made; not compared"
        );
        return;
    }
    lines.retain(|cell, _| cell[0] == kind && cell[1] == name);
    let mut changed = Vec::new();
    for (scheme, digest) in found {
        match lines.remove(&[kind.into(), name.into(), scheme.clone()]) {
            Some(pinned) if pinned == *digest => {}
            Some(pinned) => changed.push(format!("{scheme}: {pinned} became {digest}")),
            None => changed.push(format!("{scheme}: {digest} is new")),
        }
    }
    changed.extend(lines.iter().map(|(cell, digest)| format!("{}: {digest} is gone", cell[2])));
    let shown = changed[..changed.len().min(SHOWN)].join("\n  ");
    assert!(
        changed.is_empty(),
        "{kind} {name}: {} of {} cells changed\n  {shown}",
        changed.len(),
        found.len()
    );
}
