//! Short runs of models and systems with every scheme.

use crate::digest::Digest;
use crate::ends::{GALLERY, SYSTEMS, Short};
use crate::ledger::compare;
use carom::{Done, PROJECTED, SCHEMES, SOLVERS, Setup, Stop, SystemInfo};
use std::path::PathBuf;

/// Of a step, for the schemes that can choose their steps.
const ACCURACY: f64 = 1e-5;
/// Steps after which a run is broken off; asked for every 64 steps.
const MOST_STEPS: usize = 256;
/// These can.
const CHOOSING: &[&str] = &[
    "hem5",
    "phem56",
    "rk4",
    "rkf45",
    "dopri5",
    "alpha-dae",
    "radau5",
    "bdf",
    "adams-bashforth",
    "adams-moulton",
    "verlet",
    "shake",
    "rattle",
    "hybrid",
];

pub fn gallery() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery")
}

fn find(table: &'static [Short], name: &str) -> &'static Short {
    table.iter().find(|short| short.name == name).expect("every model has a line in the table of ends")
}

/// The model as the gallery has it, with changes.
pub fn open(name: &str, changes: &[(&str, &str)]) -> Option<Setup> {
    let changes: Vec<(String, String)> = changes.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    Setup::open(&gallery().join(name).join("model.toml"), &changes).ok()
}

/// Step and end of a short run as changes of a model.
fn times(short: &Short, scheme: &str) -> [String; 2] {
    let usual = (short.step, short.end);
    let (step, end) = if CHOOSING.contains(&scheme) { short.driven.unwrap_or(usual) } else { usual };
    [format!("{step:?}"), format!("{end:?}")]
}

/// What a short run gave.
fn outcome(done: &Done, digest: &mut Digest) {
    digest.bytes(match done.summary.stop {
        Stop::Done => b"done",
        Stop::Interrupted => b"interrupted",
        Stop::Failed(_) => b"failed",
    });
    digest.bytes(&done.summary.steps.to_le_bytes());
    digest.recording(&done.recording);
}

/// One run of given steps; where the scheme can choose its steps, another in which it does.
fn runs(setup: Option<Setup>) -> String {
    let clock = std::time::Instant::now();
    let Some(setup) = setup else { return "refused".into() };
    let mut digest = Digest::new();
    let mut failed = false;
    let mut settings = setup.settings();
    settings.accuracy = None;
    let chooses = CHOOSING.contains(&&*setup.loaded().description.simulation().scheme);
    for accuracy in [None, Some(ACCURACY)].into_iter().take(1 + usize::from(chooses)) {
        settings.accuracy = accuracy;
        match setup.run_with(settings, |progress| progress.steps < MOST_STEPS) {
            Ok(done) => {
                failed |= matches!(done.summary.stop, Stop::Failed(_));
                outcome(&done, &mut digest);
            }
            Err(_) => return "refused".into(),
        }
    }
    let s = setup.loaded().description.simulation();
    println!(
        "{:.3} s: {} {} {:?}",
        clock.elapsed().as_secs_f64(),
        setup.loaded().description.title(),
        s.scheme,
        s.coordinates
    );
    let word = digest.word();
    if failed { format!("failed-{word}") } else { word }
}

/// All schemes, and two of them with their joints put back after every step.
fn schemes() -> impl Iterator<Item = String> {
    let projected = ["moreau-jean", "generalized-alpha"].map(|name| format!("{name}{PROJECTED}"));
    SCHEMES.iter().map(|info| info.name.to_string()).chain(projected)
}

/// A gallery model with every scheme, and as it stands with the estimate of its error.
pub fn model(name: &str) {
    let short = find(GALLERY, name);
    let mut found: Vec<(String, String)> = schemes()
        .map(|scheme| {
            let [step, end] = times(short, &scheme);
            let changes =
                [("simulation.step", &*step), ("simulation.end", &*end), ("simulation.scheme", &*scheme)];
            let digest = runs(open(name, &changes));
            (scheme, digest)
        })
        .collect();
    let [step, end] = times(short, "");
    let setup = open(name, &[("simulation.step", &*step), ("simulation.end", &*end)])
        .expect("a gallery model is sound");
    let done = setup.run(|_| true).expect("a gallery model starts");
    assert!(
        !short.touches || !done.recording.events.is_empty(),
        "{name}: nothing happens until {end} s; make the run longer"
    );
    let mut digest = Digest::new();
    outcome(&done, &mut digest);
    if let Some(estimate) = &done.summary.estimate {
        digest.numbers(&[
            estimate.error,
            estimate.absolute,
            estimate.t,
            estimate.range,
            estimate.late.unwrap_or(f64::NAN),
        ]);
    }
    found.push(("as-it-stands".into(), digest.word()));
    compare("gallery", name, &found);
}

/// A coded system with every scheme.
pub fn coded(name: &str) {
    let short = find(SYSTEMS, name);
    let info = SystemInfo::find(name).expect("a system of this name");
    let found: Vec<(String, String)> = schemes()
        .map(|scheme| {
            let [step, end] = times(short, &scheme);
            let changes = [("step", &step), ("end", &end), ("scheme", &scheme)]
                .map(|(key, value)| (format!("simulation.{key}"), value.clone()));
            let digest = runs(Setup::of_system(info, &changes).ok());
            (scheme, digest)
        })
        .collect();
    compare("system", name, &found);
}

/// A model in relative and in natural coordinates, with some schemes of every kind.
pub fn in_other_coordinates(name: &str) {
    const SOME: &[&str] = &[
        "moreau-jean",
        "schatzman-paoli",
        "generalized-alpha",
        "moreau-jean-ggl",
        "mixed-alpha",
        "bathe",
        "half-explicit",
        "velocity-lcp",
        "penalty",
        "hem5",
        "radau5",
        "bdf",
        "rattle",
        "hybrid",
    ];
    let short = find(GALLERY, name);
    for coordinates in ["relative", "natural"] {
        let found: Vec<(String, String)> = SOME
            .iter()
            .map(|scheme| {
                let [step, end] = times(short, scheme);
                let changes = [
                    ("simulation.step", &*step),
                    ("simulation.end", &*end),
                    ("simulation.scheme", scheme),
                    ("simulation.coordinates", coordinates),
                ];
                ((*scheme).to_string(), runs(open(name, &changes)))
            })
            .collect();
        compare(coordinates, name, &found);
    }
}

/// A model with every contact solver.
pub fn with_every_solver(name: &str) {
    let [step, end] = times(find(GALLERY, name), "moreau-jean");
    let found: Vec<(String, String)> = SOLVERS
        .iter()
        .map(|entry| {
            let changes = [
                ("simulation.step", &*step),
                ("simulation.end", &*end),
                ("simulation.scheme", "moreau-jean"),
                ("simulation.solver", entry.name),
            ];
            (entry.name.to_string(), runs(open(name, &changes)))
        })
        .collect();
    compare("solver", name, &found);
}
