//! Event-driven schemes and the hybrid against exact motions: when things hit, leave, stick, slip and come to rest.
//!
//! One file per kind of event. What is true of every event-driven scheme is asked of every one in the registry.

mod accuracy;
mod bounces;
mod corners;
mod energy;
mod forms;
mod friction;
mod hybrid;
mod joints_that_rub;
mod limits;
mod own_events;
mod paradox;
mod release;
mod space;
mod switches;
mod together;

use carom::{Done, Event, EventKind, SCHEMES, Setup, scheme};
use std::path::PathBuf;

/// A change of a key.
type Change<'a> = (&'a str, String);

/// Every scheme that chooses its own steps.
fn event_driven() -> Vec<&'static str> {
    let own = |name: &str| scheme(name, &[]).unwrap().owns_steps();
    let names: Vec<&str> = SCHEMES.iter().map(|s| s.name).filter(|name| own(name)).collect();
    assert!(names.len() >= 14, "{names:?}");
    names
}

/// Those that follow an accuracy far: the symplectic ones, of order 2, would take too many steps.
fn controlled() -> Vec<&'static str> {
    let without = ["verlet", "shake", "rattle"];
    event_driven().into_iter().filter(|name| !without.contains(name)).collect()
}

/// Those that hold contacts closed: Verlet's method moves what is free.
fn holding() -> Vec<&'static str> {
    event_driven().into_iter().filter(|&name| name != "verlet").collect()
}

/// How much less a method makes of the same accuracy than hem5 does: its error estimate is of a lower order, or it goes over more
/// steps.
fn slack(scheme: &str) -> f64 {
    match scheme {
        "alpha-dae" => 1e5,
        "rk4" | "rkf45" | "bdf" | "adams-bashforth" | "adams-moulton" => 100.0,
        _ => 1.0,
    }
}

fn own(changes: &[Change]) -> Vec<(String, String)> {
    changes.iter().map(|(k, v)| (k.to_string(), v.clone())).collect()
}

/// A model of the gallery.
fn gallery(name: &str, changes: &[Change]) -> Setup {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name).join("model.toml");
    Setup::open(&path, &own(changes)).unwrap_or_else(|wrong| panic!("{name} {changes:?}:\n{wrong}"))
}

/// A model from its text.
fn model(text: &str, changes: &[Change]) -> Setup {
    Setup::of_text("test.toml", text, &own(changes)).unwrap_or_else(|wrong| panic!("{changes:?}:\n{wrong}"))
}

/// How to run: a scheme, an accuracy or else a step, and the end.
fn how<'a>(scheme: &str, accuracy: Option<f64>, step: f64, end: f64) -> Vec<Change<'a>> {
    let mut changes = vec![
        ("simulation.scheme", scheme.into()),
        ("simulation.step", format!("{step:e}")),
        ("simulation.end", format!("{end:e}")),
    ];
    changes.extend(accuracy.map(|accuracy| ("simulation.accuracy", format!("{accuracy:e}"))));
    changes
}

/// Runs to the end.
fn run(setup: &Setup) -> Done {
    let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{e}"));
    assert!(done.reached_end(), "{}: {:?}", done.summary.scheme, done.summary.stop);
    done
}

/// Events of one kind.
fn events(done: &Done, kind: EventKind) -> Vec<&Event> {
    done.recording.events.iter().filter(|e| e.kind == kind).collect()
}

/// The last value of a channel.
fn last(done: &Done, channel: &str) -> f64 {
    *series(done, channel).last().unwrap()
}

fn series<'a>(done: &'a Done, channel: &str) -> &'a [f64] {
    done.recording.column(channel).unwrap_or_else(|| panic!("no channel {channel}"))
}

/// ∫ f over [a, b]: Gauss' rule with three points on a thousand parts, for smooth f as good as exact.
fn integral(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
    const PARTS: usize = 1000;
    let (h, node) = ((b - a) / PARTS as f64, 0.6_f64.sqrt());
    (0..PARTS)
        .map(|k| {
            let mid = a + (k as f64 + 0.5) * h;
            let ends = f(mid - 0.5 * h * node) + f(mid + 0.5 * h * node);
            h * (5.0 * ends + 8.0 * f(mid)) / 18.0
        })
        .sum()
}

/// Where f changes its sign in [a, b], by halving.
fn zero(mut a: f64, mut b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(a) > 0.0;
    assert!(sign != (f(b) > 0.0), "no change of sign between {a} and {b}");
    for _ in 0..200 {
        let mid = 0.5 * (a + b);
        if (f(mid) > 0.0) == sign { a = mid } else { b = mid }
    }
    0.5 * (a + b)
}
