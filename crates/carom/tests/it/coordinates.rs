//! The mechanisms of the gallery in absolute, relative and natural coordinates: one motion.
//!
//! Every form is integrated with the same scheme and step. Their errors differ, so their results differ by a term of the
//! order of the scheme: the order is fitted over ten step sizes that are not multiples of each other.
#![allow(clippy::print_stdout)]

mod far;

use carom::{Done, EventKind, SCHEMES, Setup, SystemInfo};
use std::path::PathBuf;

/// Steps per run, growing by about 4/3.
const STEPS: [usize; 10] = [40, 53, 71, 94, 126, 168, 224, 299, 398, 531];

const FORMS: [&str; 2] = ["relative", "natural"];

fn setup(name: &str, changes: &[(&str, String)]) -> Setup {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name).join("model.toml");
    let changes: Vec<(String, String)> = changes.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    Setup::open(&path, &changes).unwrap_or_else(|wrong| panic!("{name} {changes:?}:\n{wrong}"))
}

fn run(name: &str, form: &str, scheme: &str, step: f64, end: f64) -> Done {
    let setup = setup(
        name,
        &[
            ("simulation.coordinates", form.into()),
            ("simulation.scheme", scheme.into()),
            ("simulation.step", format!("{step:e}")),
            ("simulation.end", format!("{end:e}")),
        ],
    );
    let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{name} {form}: {e}"));
    assert!(done.reached_end(), "{name} {form} {scheme} stopped: {:?}", done.summary.stop);
    assert_eq!(done.summary.audit.failures, 0, "{name} {form} {scheme}");
    done
}

/// Places, angles and velocities of all bodies at the end of a run, by name.
fn last(done: &Done, name: &str) -> Vec<f64> {
    let model = setup(name, &[]);
    let bodies: Vec<String> = model.loaded().description.bodies().into_iter().map(str::to_string).collect();
    let mut values = Vec::new();
    for body in &bodies {
        for quantity in ["x", "y", "angle", "vx", "vy", "omega"] {
            values.extend(done.recording.column(&format!("{body}.{quantity}")).map(|c| *c.last().unwrap()));
        }
    }
    assert!(values.len() >= 4 * bodies.len());
    values
}

/// Largest difference, relative to the largest value.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / size).fold(0.0, f64::max)
}

/// Slope of log y over log x.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (mx, my) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (num, den) =
        logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx).powi(2)));
    num / den
}

/// Fits the order at which each form comes to the absolute one at time `end`.
fn orders(name: &str, scheme: &str, end: f64, least: f64) {
    for form in FORMS {
        let points: Vec<(f64, f64)> = STEPS
            .iter()
            .map(|&n| {
                let step = end / n as f64;
                let [a, b] = ["absolute", form].map(|form| last(&run(name, form, scheme, step, end), name));
                (step, distance(&a, &b))
            })
            .collect();
        let finest = points[STEPS.len() - 1].1;
        let order = slope(&points);
        println!("{name} {scheme} {form}: order {order:.2}, finest {finest:.2e}");
        // where the coordinates are the same ones, so is every bit
        if points.iter().all(|p| p.1 <= 1e-12) {
            continue;
        }
        assert!(order >= least, "{name} {scheme} {form}: order {order:.2}, {points:?}");
    }
}

/// Both schemes are of order 2 between impacts.
fn second_order(name: &str, end: f64) {
    for scheme in ["moreau-jean", "generalized-alpha"] {
        orders(name, scheme, end, 1.9);
    }
}

#[test]
fn four_bar() {
    second_order("four-bar", 0.2);
}

#[test]
fn slider_crank() {
    second_order("slider-crank", 0.0025);
}

#[test]
fn crank_slider_rigid() {
    second_order("crank-slider-rigid", 0.0025);
}

#[test]
fn pendulum_stop() {
    second_order("pendulum-stop", 0.4);
}

#[test]
fn woodpecker() {
    // stands on its lower contact, with friction
    second_order("woodpecker", 0.02);
}

#[test]
fn four_bar_clearance() {
    second_order("four-bar-clearance", 0.0045);
}

#[test]
fn oblique_disk() {
    second_order("oblique-disk", 0.3);
}

#[test]
fn gear_rack() {
    second_order("gear-rack", 0.1);
}

#[test]
fn flexible_bodies_keep_their_coordinates() {
    // their joints stay rows; the stiff modes are followed with a step of a fraction of their period
    for form in FORMS {
        let [a, b] = ["absolute", form].map(|form| run("slider-crank-ffr", form, "bathe", 1e-6, 5e-4));
        let difference = distance(&last(&a, "slider-crank-ffr"), &last(&b, "slider-crank-ffr"));
        println!("slider-crank-ffr {form}: {difference:.2e}");
        assert!(difference > 0.0 && difference < 1e-6, "{form}: {difference:e}");
    }
}

/// The first impacts are the same ones, at the same time and as hard.
#[test]
fn first_impacts() {
    for (name, step, end) in [
        ("slider-crank", 2e-6, 0.012),
        ("crank-slider-rigid", 2e-6, 0.012),
        ("pendulum-stop", 1e-4, 2.5),
        ("four-bar-clearance", 1e-5, 0.02),
    ] {
        let impacts = |form: &str| {
            let done = run(name, form, "moreau-jean", step, end);
            let events = done.recording.events.iter().filter(|e| e.kind == EventKind::Impact);
            events.map(|e| (e.subject.clone(), e.t, e.before, e.impulse)).take(3).collect::<Vec<_>>()
        };
        let expected = impacts("absolute");
        assert_eq!(expected.len(), 3, "{name} has impacts");
        let hardest = expected.iter().fold(0.0, |m: f64, e| m.max(e.2.abs()));
        let strongest = expected.iter().fold(0.0, |m: f64, e| m.max(e.3.abs()));
        for form in FORMS {
            for (a, b) in expected.iter().zip(impacts(form)) {
                assert_eq!(a.0, b.0, "{name} {form}");
                // an impact is seen at the end of its step, which another form may put on the other side
                assert!((a.1 - b.1).abs() < 1.5 * step, "{name} {form}: {a:?} {b:?}");
                assert!((a.2 - b.2).abs() < 2e-2 * hardest, "{name} {form}: {a:?} {b:?}");
                assert!((a.3 - b.3).abs() < 2e-2 * strongest, "{name} {form}: {a:?} {b:?}");
            }
        }
    }
}

/// Every scheme takes every form: what is new in a scheme cannot forget that q moves by `retract` and M may change.
#[test]
fn every_scheme() {
    let end = 0.1;
    // Verlet moves what is free
    for scheme in SCHEMES.iter().filter(|scheme| scheme.name != "verlet") {
        for form in FORMS {
            let [a, b] = ["absolute", form]
                .map(|form| last(&run("four-bar", form, scheme.name, end / 500.0, end), "four-bar"));
            let difference = distance(&a, &b);
            // first order: a few times the step over the time, 1/500, times the turn of 0.3 rad
            assert!(difference < 1e-3, "{} {form}: {difference:e}", scheme.name);
        }
    }
}

#[test]
fn runge_kutta_agrees_to_round_off() {
    // order 4: a step of 1e-3 of the motion leaves nothing of the scheme
    for form in FORMS {
        let [a, b] = ["absolute", form]
            .map(|form| last(&run("four-bar", form, "half-explicit-4", 2e-4, 0.1), "four-bar"));
        assert!(distance(&a, &b) < 1e-12, "{form}: {:e}", distance(&a, &b));
    }
}

#[test]
fn words() {
    let open = |value: &str| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery/four-bar/model.toml");
        Setup::open(&path, &[("simulation.coordinates".into(), value.into())])
    };
    let wrong = open("polar").unwrap_err().to_string();
    for word in ["polar", "absolute", "relative", "natural"] {
        assert!(wrong.contains(word), "{wrong}");
    }
    assert_eq!(open("absolute").unwrap().system().structure().sizes.v, 9);
    assert_eq!(open("relative").unwrap().system().structure().sizes.v, 3);
    let natural = open("natural").unwrap();
    assert_eq!(natural.system().structure().sizes.v, 12);
    // the model underneath and its assembly stay absolute
    assert_eq!((natural.assembly().q.len(), natural.state().q.len()), (9, 15));
    assert_eq!(
        &natural.system().structure().channels,
        &open("absolute").unwrap().system().structure().channels
    );

    let info = SystemInfo::find("stiff-3dof-constraint").unwrap();
    let wrong = Setup::of_system(info, &[("simulation.coordinates".into(), "relative".into())]).unwrap_err();
    assert!(wrong.to_string().contains("coordinates of its own"), "{wrong}");
}

/// Added up in other coordinates, the accelerations of floating frames would make energy: refused with a way out.
#[test]
fn schemes_in_momenta_want_absolute_coordinates() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery/slider-crank-ffr/model.toml");
    for form in FORMS {
        let changes = [("simulation.coordinates", form), ("simulation.scheme", "moreau-jean")];
        let changes = changes.map(|(key, value)| (key.to_string(), value.to_string()));
        let Err(error) = Setup::open(&path, &changes) else { panic!("{form}: not refused") };
        let error = error.to_string();
        assert!(error.contains("absolute") && error.contains("bathe"), "{error}");
    }
}
