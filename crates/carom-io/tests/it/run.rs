//! From a model file to files of results: the numbers on disk are those of the mechanism, and the same twice.

use carom_dynamics::{Recording, Settings, Simulation, State, scheme};
use carom_io::{Formats, Results, load_text, write_results};
use std::fs;
use std::path::{Path, PathBuf};

/// Dropped from 1 m above contact, e = 0.8.
const BALL: &str = r#"title = "ball"
gravity = [0, -10]
[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]
[bodies.ball]
mass = 2
inertia = 0.008
position = [0, 1.1]
shapes.rim = { type = "disk", radius = 0.1 }
[contacts.bounce]
between = ["ball.rim", "ground.floor"]
restitution = 0.8
[simulation]
step = 1e-4
end = 1.2
output = 1e-3
"#;

/// The same in millimetres, grams and milliseconds.
const SMALL: &str = r#"title = "ball"
units = { length = "mm", mass = "g", time = "ms" }
gravity = [0, -1e-2]
[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]
[bodies.ball]
mass = 2000
inertia = 8e6
position = [0, 1100]
shapes.rim = { type = "disk", radius = 100 }
[contacts.bounce]
between = ["ball.rim", "ground.floor"]
restitution = 0.8
[simulation]
step = 0.1
end = 1200
output = 1
"#;

fn run(text: &str, directory: &str) -> (PathBuf, Recording) {
    let loaded = load_text("ball.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let any = loaded.build().unwrap_or_else(|e| panic!("{e}"));
    let model = any.system();
    let start = loaded.assemble(&any).unwrap_or_else(|e| panic!("{e}"));
    let asked = loaded.description.simulation();
    let settings =
        Settings { step: asked.step, end: asked.end, accuracy: asked.accuracy, output: asked.output };
    let state = State::new(model, 0.0, start.q, start.v);
    let solver = carom_solve::solver(&asked.solver).unwrap();
    let mut simulation =
        Simulation::new(model, &*scheme(&asked.scheme, &[]).unwrap(), solver, state, settings).unwrap();
    simulation.run(|_| true);
    let (recording, summary) = (simulation.recording(), simulation.summary());
    let path = std::env::temp_dir().join(format!("carom-io-run-{}-{directory}", std::process::id()));
    let (run, drawing) = (loaded.run_info(), loaded.drawing(&any));
    let results = Results {
        recording: &recording,
        summary: &summary,
        run: &run,
        drawing: &drawing,
        facts: None,
        bands: None,
    };
    write_results(&path, &results, &Formats::default()).unwrap();
    (path, recording)
}

fn column(directory: &Path, name: &str) -> Vec<f64> {
    let csv = fs::read_to_string(directory.join("series.csv")).unwrap();
    let mut lines = csv.lines();
    let i = lines.next().unwrap().split(',').position(|c| c == name).unwrap();
    lines.map(|l| l.split(',').nth(i).unwrap().parse().unwrap()).collect()
}

#[test]
fn the_rebound_on_disk_is_that_of_the_ball() {
    let (path, _) = run(BALL, "rebound");
    let (t, y) = (column(&path, "t"), column(&path, "ball.y"));
    // It falls √(2h/g), and rises to e² h while the scheme is late by at most one step of 1e-4 s at 4.5 m/s.
    let landing = (2.0f64 / 10.0).sqrt();
    let top = t.iter().zip(&y).filter(|(t, _)| **t > landing).map(|(_, y)| *y).fold(0.0, f64::max);
    assert!((top - 0.1 - 0.64).abs() < 1e-3, "{top}");
    let events = fs::read_to_string(path.join("events.csv")).unwrap();
    let first: Vec<_> = events.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(&first[1..3], ["impact", "bounce"]);
    assert!((first[0].parse::<f64>().unwrap() - landing).abs() < 2e-4);
    // 2 kg from −√20 to 0.8 √20 m/s.
    assert!((first[5].parse::<f64>().unwrap() - 2.0 * 1.8 * 20f64.sqrt()).abs() < 0.01);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn two_runs_give_the_same_bytes() {
    let paths = ["one", "two"].map(|name| run(BALL, name).0);
    for file in ["series.csv", "events.csv"] {
        let bytes = paths.each_ref().map(|p| fs::read(p.join(file)).unwrap());
        assert!(bytes[0] == bytes[1], "{file}");
    }
    paths.iter().for_each(|p| fs::remove_dir_all(p).unwrap());
}

#[test]
fn a_model_in_millimetres_gives_millimetres() {
    let (metres, _) = run(BALL, "metres");
    let (small, recording) = run(SMALL, "small");
    for (name, factor) in [("t", 1e3), ("ball.y", 1e3), ("ball.vy", 1.0), ("energy.total", 1e3)] {
        let (a, b) = (column(&metres, name), column(&small, name));
        let scale = a.iter().fold(0.0f64, |m, x| m.max(x.abs())) * factor;
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(&b) {
            assert!((a * factor - b).abs() <= 1e-9 * scale, "{name}: {a} {b}");
        }
    }
    assert!(recording.column("ball.y").unwrap()[0] == 1.1, "inside it is SI");
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(small.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["units"]["series"]["ball.vy"], "mm/ms");
    assert_eq!(summary["units"]["model"]["time"], "ms");
    fs::remove_dir_all(metres).unwrap();
    fs::remove_dir_all(small).unwrap();
}
