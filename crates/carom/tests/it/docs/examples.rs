//! Whatever the book shows runs: its models, the code of its how-to pages, what its first pages print.

#[path = "../../../../../docs/examples/joint.rs"]
mod joint;
#[path = "../../../../../docs/examples/method.rs"]
mod method;
#[path = "../../../../../docs/examples/scheme.rs"]
mod scheme;
#[path = "../../../../../docs/examples/study.rs"]
mod study;
#[path = "../../../../../docs/examples/system.rs"]
mod system;

use super::exact::{ball_height, pendulum_angle, stopped_angle};
use super::orders::{l1, row_of_steps, slope};
use crate::pages::{page, pages};
use carom::{EventKind, Settings, Setup, Simulation, State, Stop, check_derivatives};
use carom_dynamics::{EventDriven, FrameOptions, Projected};
use carom_studies::{STUDIES, Verdict};

#[test]
fn models_run() {
    let reference = page("model-file.md");
    let channels = reference.text.split("## Channels").nth(1).expect("channels are explained");
    let channels: Vec<String> = channels.split('`').skip(1).step_by(2).map(str::to_string).collect();
    let mut count = 0;
    for page in pages() {
        for fence in page.fences().iter().filter(|f| f.info.starts_with("toml")) {
            assert_eq!(fence.info, "toml model", "{}: a model is complete, or not TOML", page.path);
        }
        for (k, text) in page.models().iter().enumerate() {
            let name = format!("{} model {}", page.path, k + 1);
            let setup = Setup::of_text(&name, text, &[]).unwrap_or_else(|e| panic!("{name}:\n{e}"));
            let settings = setup.settings();
            let done = setup
                .run_with(Settings { end: 10.0 * settings.step, ..settings }, |_| true)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(done.summary.stop, Stop::Done, "{name}");
            assert!(
                done.summary.steps >= 10 || settings.accuracy.is_some(),
                "{name}: {} steps",
                done.summary.steps
            );
            for channel in &done.recording.channels {
                // points of an outline have numbers
                let numbered =
                    |part: &'_ str| if part.parse::<u32>().is_ok() { "N" } else { part }.to_string();
                let name = channel.name().split('.').map(numbered).collect::<Vec<_>>().join(".");
                let known = |c: &String| match c.split_once('.') {
                    Some(("BODY" | "CONTACT" | "JOINT" | "GEAR", rest)) if rest.contains('.') => {
                        name.ends_with(&format!(".{rest}"))
                    }
                    Some(("BODY" | "CONTACT" | "JOINT" | "GEAR", rest)) => name.rsplit('.').next() == Some(rest),
                    _ => *c == name,
                };
                assert!(
                    channels.iter().any(known),
                    "model-file.md does not explain the channel {}",
                    channel.name()
                );
            }
            count += 1;
        }
    }
    assert!(count >= 14, "{count} models");
}

/// Runs a scheme that is in no registry.
fn run_with<'s>(
    system: &'s dyn carom::System,
    scheme: Box<dyn carom::Scheme>,
    (q, v): (&[f64], &[f64]),
    step: f64,
    end: f64,
) -> Simulation<'s> {
    let state = State::new(system, 0.0, q.to_vec(), v.to_vec());
    let solver = carom::solver("auto").expect("the default solver");
    let settings = Settings { step, end, accuracy: None, output: Some(step) };
    let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).expect("a good start");
    assert_eq!(simulation.run(|_| true), Stop::Done);
    simulation
}

/// The scheme of the book: restitution to round-off, order 1 through impacts, joints kept, projection on top.
#[test]
fn the_scheme_of_the_book_works() {
    let schemes = page("theory/schemes.md");
    let ball = Setup::of_text("ball", &schemes.model("Ball"), &[]).expect("a good model");
    let new = || Box::new(scheme::SymplecticEuler);
    let steps = row_of_steps(4e-3);
    let mut errors = Vec::new();
    for &step in &steps {
        let start = ball.assembly();
        let simulation = run_with(ball.system(), new(), (&start.q, &start.v), step, 4.0);
        let recording = simulation.recording();
        let impact = recording.events.iter().find(|e| e.kind == EventKind::Impact).expect("it bounces");
        assert!((impact.after / impact.before + 0.8).abs() < 1e-12, "{impact:?}");
        errors.push(l1(recording.column("t").unwrap(), recording.column("ball.y").unwrap(), ball_height));
    }
    let order = slope(&steps, &errors);
    println!("symplectic Euler on the ball: order {order:.2}, {errors:?}");
    assert!((0.85..1.25).contains(&order), "order {order}");

    let pendulum = Setup::of_text("pendulum", &schemes.model("Pendulum"), &[]).expect("a good model");
    let (q, v) = (&pendulum.assembly().q[..], &pendulum.assembly().v[..]);
    let steps = row_of_steps(1e-2);
    let exact = pendulum_angle(1.0);
    let end = |step| run_with(pendulum.system(), new(), (q, v), step, 1.0).state().q[2];
    let errors: Vec<f64> = steps.iter().map(|&h| (end(h) - exact).abs()).collect();
    let order = slope(&steps, &errors);
    assert!((0.9..1.2).contains(&order), "with a joint: order {order}, {errors:?}");
    let projected = run_with(pendulum.system(), Box::new(Projected::new(new())), (q, v), 1e-2, 1.0);
    assert!(projected.summary().audit.drift_length.value < 1e-12);
}

/// The method of the book: order 2 with a joint and through an impact, restitution to round-off, no drift; its estimate
/// chooses steps that keep to an accuracy.
#[test]
fn the_method_of_the_book_works() {
    let setup = Setup::of_text("stop", &page("extend/method.md").model("A pendulum with a stop"), &[])
        .expect("a good model");
    let start = setup.assembly();
    let run = |step: f64, accuracy: Option<f64>| {
        let new: Box<dyn carom::Scheme> =
            Box::new(EventDriven::new(Box::new(method::Heun), FrameOptions::default()));
        let state = State::new(setup.system(), 0.0, start.q.clone(), start.v.clone());
        let settings = Settings { step, end: 1.0, accuracy, output: None };
        let solver = carom::solver("auto").expect("the default solver");
        let mut simulation =
            Simulation::new(setup.system(), &*new, solver, state, settings).expect("a good start");
        assert_eq!(simulation.run(|_| true), Stop::Done);
        let drift = simulation.summary().audit.drift_length.value;
        assert!(drift < 1e-11, "{drift:e}");
        let recording = simulation.recording();
        let impact = recording.events.iter().find(|e| e.kind == EventKind::Impact).expect("it hits");
        assert!((impact.after / impact.before + 0.5).abs() < 1e-12, "{impact:?}");
        (simulation.state().q[2], impact.t)
    };
    let (exact, hit) = stopped_angle(1.0);
    let steps = row_of_steps(1e-2);
    let errors: Vec<f64> = steps.iter().map(|&h| (run(h, None).0 - exact).abs()).collect();
    let times: Vec<f64> = steps.iter().map(|&h| (run(h, None).1 - hit).abs()).collect();
    println!("Heun: {:.3} {:.3}, {errors:?} {times:?}", slope(&steps, &errors), slope(&steps, &times));
    for errors in [&errors, &times] {
        let order = slope(&steps, errors);
        assert!((1.9..2.1).contains(&order), "order {order}, {errors:?}");
    }
    let error = (run(1e-2, Some(1e-6)).0 - exact).abs();
    assert!(error < 1e-4, "{error:e} with an accuracy of 1e-6");
}

/// The bead of the book: exact derivatives, and at the bottom of the wire all height is speed.
#[test]
fn the_joint_of_the_book_works() {
    let (g, c, x0) = (9.81, 0.8, 0.5);
    let bead = joint::Bead::new(0.3, g, c);
    assert_eq!(joint::wrong_derivatives(&bead), Vec::<String>::new());
    for name in ["moreau-jean", "generalized-alpha-projected"] {
        let scheme = carom::scheme(name, &[]).expect("a known scheme");
        let simulation = run_with(&bead, scheme, (&[x0, c * x0 * x0], &[0.0, 0.0]), 1e-4, 2.0);
        let fastest =
            simulation.recording().column("energy.kinetic").unwrap().iter().fold(0.0_f64, |m, k| m.max(*k));
        let exact = 0.3 * g * c * x0 * x0;
        assert!((fastest / exact - 1.0).abs() < 1e-3, "{name}: {fastest} J of {exact} J");
    }
}

#[test]
fn the_study_of_the_book_works() {
    let mut last = 0.0;
    let report = (study::PENDULUM.run)(&mut |part| last = part);
    assert_eq!(last, 1.0);
    for row in &report.rows {
        println!("{} | {} | {}", row.what, row.published, row.ours);
        assert_eq!(row.verdict, Verdict::Agrees, "{row:?}");
    }
    assert!(STUDIES.iter().all(|s| s.name != study::PENDULUM.name));
}

/// The system of the book: exact derivatives, and speeds at the wall as heights and restitution have them.
#[test]
fn the_system_of_the_book_works() {
    let (length, wall, e, start) = (0.8, 0.3, 0.6, 1.2_f64);
    let pendulum = system::WallPendulum::new(0.5, length, wall, e);
    assert_eq!(check_derivatives(&pendulum, 0.0, &[0.7], &[-2.1], 1e-6), Vec::<String>::new());
    let at_wall = (1.0 - (wall / length).powi(2)).sqrt();
    let exact = (2.0 * 9.81 / length * (at_wall - start.cos())).sqrt() * length * at_wall;
    for name in ["moreau-jean", "generalized-alpha"] {
        let scheme = carom::scheme(name, &[]).expect("a known scheme");
        let simulation = run_with(&pendulum, scheme, (&[start], &[0.0]), 1e-5, 1.0);
        let recording = simulation.recording();
        let impact = recording.events.iter().find(|e| e.kind == EventKind::Impact).expect("it gets there");
        assert!((impact.before / exact + 1.0).abs() < 1e-4, "{name}: {impact:?}, exactly {exact}");
        assert!((impact.after / impact.before + e).abs() < 1e-8, "{name}: {impact:?}");
    }
}

/// What the first page prints of its first run is what the run says; time on the clock may differ.
#[test]
fn the_first_run_says_what_the_page_says() {
    let page = page("getting-started.md");
    let done = Setup::of_text("ball.toml", &page.model("A ball on a floor"), &[])
        .expect("a good model")
        .run(|_| true)
        .expect("a good start");
    let fences = page.fences();
    let printed = fences.iter().find(|f| f.info == "text").expect("what a run says");
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let (printed, verdict) = (words(&printed.body).join(" "), words(&done.summary.audit.verdict).join(" "));
    assert!(printed.contains(&verdict), "{verdict}");
    let counted = format!("{} steps to t = {} s", done.summary.steps, done.summary.t);
    assert!(printed.contains(&counted), "{counted}");
    assert!(
        printed.contains(&format!(", {} impacts", done.summary.impacts)),
        "{} impacts",
        done.summary.impacts
    );
}

/// What the page on assembly says of its four-bar.
#[test]
fn the_four_bar_is_assembled_as_told() {
    let text = page("theory/assembly.md").model("A four-bar to be assembled");
    let setup = Setup::of_text("four-bar", &text, &[]).expect("a good model");
    let assembly = setup.assembly();
    let worst = assembly.misfits.iter().find(|m| m.joint == "b").expect("it does not fit");
    assert!((worst.residual - 7.3e-4).abs() < 1e-5, "{worst:?}");
    let coupler = assembly.moved.iter().find(|m| m.body == "coupler").expect("it is turned");
    assert!((coupler.rotation - 3.7e-3).abs() < 1e-4, "{coupler:?}");
    assert!((assembly.v[2] - 0.66).abs() < 0.01, "{:?}", assembly.v);
}
