//! What is written into the folder of a run.

use crate::cells::open;
use crate::digest::Digest;
use crate::ends::GALLERY;
use crate::ledger::compare;
use carom::Formats;
use serde_json::Value;

/// Keys of `summary.json` that differ from run to run, from place to place or by their wording.
const LEFT_OUT: &[&str] =
    &["carom", "model", "command", "wall_seconds", "verdict", "based_on", "scheme_choice"];
/// Keys that count effort, which may become less.
const EFFORT: &[&str] =
    &["newton_iterations", "factorisations", "tangent_factorisations", "contact_iterations"];

fn thin(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !LEFT_OUT.contains(&&**key) && !EFFORT.contains(&&**key));
            map.values_mut().for_each(thin);
        }
        Value::Array(list) => list.iter_mut().for_each(thin),
        _ => {}
    }
}

/// Writes a short run as the command line does and pins every file.
pub fn of(name: &str) {
    let short = GALLERY.iter().find(|short| short.name == name).expect("a gallery model");
    let (step, end) = (format!("{:?}", short.step), format!("{:?}", short.end));
    let setup = open(name, &[("simulation.step", &*step), ("simulation.end", &*end)]).expect("it is sound");
    let done = setup.run(|_| true).expect("it starts");
    let folder = std::env::temp_dir().join(format!("carom-pins-{}-{name}", std::process::id()));
    let formats = Formats { report: false, npz: true, vtk: false, ..Formats::default() };
    setup.write(&folder, &done, "carom run", &formats).expect("the folder can be written");
    let mut found = Vec::new();
    for file in ["series.csv", "events.csv", "series.npz", "scene.json"] {
        let mut digest = Digest::new();
        digest.bytes(&std::fs::read(folder.join(file)).expect("the file was written"));
        found.push((file.to_string(), digest.word()));
    }
    let text = std::fs::read_to_string(folder.join("summary.json")).expect("the file was written");
    let mut summary: Value = serde_json::from_str(&text).expect("the summary is JSON");
    thin(&mut summary);
    let mut digest = Digest::new();
    digest.text(&summary.to_string());
    found.push(("summary.json".to_string(), digest.word()));
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    compare("files", name, &found);
}
