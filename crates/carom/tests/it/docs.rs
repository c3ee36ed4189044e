//! Whatever the book names exists, whatever it shows runs, whatever it measures is measured again.
//!
//! Conventions of the pages in `docs/src`, all checked here:
//! - a fence ` ```toml model ` holds a complete model: it loads, assembles and runs ten steps;
//! - a fence ` ```diff ` changes one file (`+++ path`); its unchanged lines stand in that file, in order;
//! - `` `crates/…/file.rs` `` exists, `` `crates/…/file.rs: name` `` names a word of that file;
//! - a table row `` `NAME` | value | `file` | reason `` is a constant of that file;
//! - `` `carom word --option` `` is a command of the command line.
#![allow(clippy::print_stdout, non_snake_case)]

#[path = "../../../../docs/examples/joint.rs"]
mod joint;
#[path = "../../../../docs/examples/method.rs"]
mod method;
#[path = "../../../../docs/examples/scheme.rs"]
mod scheme;
#[path = "../../../../docs/examples/study.rs"]
mod study;
#[path = "../../../../docs/examples/system.rs"]
mod system;

use crate::pages::{self, Page, has_word, page, pages, plain, read, root};
use carom::{
    EventKind, PROJECTED, SCHEMES, SOLVERS, SYSTEMS, Settings, Setup, Simulation, State, Stop,
    check_derivatives,
};
use carom_dynamics::{EventDriven, Formulation, FrameOptions, Projected};
use carom_studies::{STUDIES, Verdict};
use std::collections::BTreeSet;
use std::fs;

// ------------------------------------------------------------------------------------------------ what the book names

#[test]
fn the_summary_lists_every_page_and_links_lead_somewhere() {
    let listed = page("SUMMARY.md");
    let all = pages();
    for page in &all {
        if page.path != "SUMMARY.md" {
            assert!(
                listed.text.contains(&format!("({})", page.path)),
                "SUMMARY.md does not list {}",
                page.path
            );
        }
        let folder = root().join("docs/src").join(&page.path);
        let folder = folder.parent().expect("a page lies in a folder");
        let prose = page.prose();
        for after in prose.split("](").skip(1) {
            let link = after.split(')').next().unwrap_or_default();
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            if file.starts_with("http") {
                continue;
            }
            let target =
                if file.is_empty() { root().join("docs/src").join(&page.path) } else { folder.join(file) };
            assert!(target.is_file(), "{}: the link {link} leads nowhere", page.path);
            if !place.is_empty() {
                let target = target.canonicalize().expect("just seen");
                let same = |p: &&Page| {
                    root().join("docs/src").join(&p.path).canonicalize().ok().as_ref() == Some(&target)
                };
                let there = all.iter().find(same).is_some_and(|p| p.anchors().iter().any(|a| a == place));
                assert!(there, "{}: the link {link} leads to no heading", page.path);
            }
        }
    }
}

#[test]
fn files_and_names_exist() {
    let mut files = 0;
    let mut names = 0;
    for page in pages() {
        for span in page.spans() {
            let (path, name) = match span.split_once(": ") {
                Some((path, name)) => (path, Some(name)),
                None => (span.as_str(), None),
            };
            let ours = ["crates/", "gallery/", "docs/", "benches/"].iter().any(|p| path.starts_with(p));
            if !ours || path.contains(char::is_whitespace) {
                continue;
            }
            assert!(root().join(path).exists(), "{}: there is no {path}", page.path);
            files += 1;
            if let Some(name) = name {
                assert!(has_word(&read(path), name), "{}: {path} does not know `{name}`", page.path);
                names += 1;
            }
        }
    }
    assert!(files > 60 && names > 30, "the pages name {files} files and {names} names in them");
}

/// Every row of the glossary names the field that holds the symbol.
#[test]
fn the_glossary_names_fields() {
    let glossary = page("glossary.md");
    let rows: Vec<_> = glossary.rows().into_iter().filter(|r| r.len() == 4).collect();
    assert!(rows.len() >= 30, "{} symbols", rows.len());
    for row in rows {
        let fields: Vec<&str> = row[3].split('`').skip(1).step_by(2).collect();
        assert!(!fields.is_empty() && fields.iter().all(|f| f.contains(".rs: ")), "no field in {row:?}");
        for field in fields {
            let (path, name) = field.split_once(": ").expect("just seen");
            let source = read(path);
            let declared =
                [format!("{name}:"), format!("fn {name}("), format!("fn {name}<"), format!("enum {name}")];
            let known = declared.iter().any(|d| source.contains(d.as_str()));
            assert!(known, "{path} declares no `{name}`, named by the glossary for {}", row[0]);
        }
    }
}

#[test]
fn constants_have_the_values_of_the_table() {
    let mut seen = 0;
    for row in page("limits.md").rows() {
        let [name, value, file, reason] = row.as_slice() else { continue };
        let (Some(name), Some(file)) = (plain(name), plain(file)) else { continue };
        if !file.ends_with(".rs") {
            continue;
        }
        let source = read(&file);
        let found = source.lines().find_map(|line| {
            let line = ["pub(crate) ", "pub(super) ", "pub "]
                .iter()
                .fold(line.trim(), |l, word| l.trim_start_matches(word));
            let (declared, found) = line.strip_prefix("const ")?.split_once(" = ")?;
            (declared.split(':').next() == Some(name.as_str()))
                .then(|| found.trim_end_matches(';').to_string())
        });
        let found = found.unwrap_or_else(|| panic!("{file} has no constant {name}"));
        // `16 ε` here is `16.0 * f64::EPSILON` there
        let number = |text: &str| match text.trim_end_matches(" * f64::EPSILON").trim_end_matches(" ε") {
            factor if factor.len() < text.len() => factor.parse::<f64>().ok().map(|x| x * f64::EPSILON),
            plain => plain.replace('_', "").parse::<f64>().ok(),
        };
        assert_eq!(number(&found), number(value), "{name} in {file} is {found}, the book says {value}");
        assert!(number(value).is_some() && !reason.is_empty(), "{row:?}");
        seen += 1;
    }
    assert!(seen >= 25, "{seen} constants");
}

#[test]
fn commands_and_options_exist() {
    let source = command_line();
    let commands: BTreeSet<String> = source
        .split_once("pub enum Command {")
        .and_then(|(_, rest)| rest.split_once("\n}"))
        .expect("the commands are an enum")
        .0
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split([' ', '(', ',', '{']).next())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(str::to_lowercase)
        .collect();
    assert!(commands.contains("run") && commands.contains("schema"), "{commands:?}");
    let mut seen = BTreeSet::new();
    for page in pages() {
        let mut lines = page.spans();
        lines.extend(page.commands());
        for line in lines {
            let line = line.replace("cargo run --release -- ", "carom ");
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.first() != Some(&"carom") {
                continue;
            }
            if let Some(word) = words.get(1).filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase())) {
                assert!(commands.contains(*word), "{}: there is no `carom {word}`", page.path);
                seen.insert((*word).to_string());
            }
            for option in words.iter().filter_map(|w| w.strip_prefix("--")) {
                let field = option.split('=').next().unwrap_or_default().replace('-', "_");
                let known = field == "help"
                    || source.contains(&format!("pub {field}:"))
                    || source.contains(&format!("{field}: bool"));
                assert!(known, "{}: there is no option --{option}", page.path);
            }
        }
    }
    assert_eq!(seen, commands, "the book shows every command");
    // and every option is described
    let reference = page("command-line.md").text;
    let mut long = false;
    for line in source.lines().map(str::trim) {
        long |= line.starts_with("#[arg(") && has_word(line, "long");
        let field = line.strip_prefix("pub ").unwrap_or(line).split_once(": ");
        let Some((field, _)) =
            field.filter(|(name, _)| name.chars().all(|c| c == '_' || c.is_alphanumeric()))
        else {
            continue;
        };
        if std::mem::take(&mut long) {
            let option = format!("--{}", field.replace('_', "-"));
            assert!(reference.contains(&option), "command-line.md does not describe {option}");
        }
    }
}

/// All that the command line is made of; each command has a file, and its options are fields there.
fn command_line() -> String {
    let sources = pages::files(&root().join("crates/carom-cli/src"), "rs");
    sources.iter().map(|path| fs::read_to_string(path).expect("a source is text")).collect()
}

#[test]
fn everything_with_a_name_is_in_the_book() {
    let all: String = pages().iter().map(|p| p.text.as_str()).collect();
    let schemes = SCHEMES.iter().map(|s| s.name).chain([PROJECTED]);
    let parameters = SCHEMES.iter().flat_map(|s| s.parameters).map(|p| p.name);
    let solvers = SOLVERS.iter().map(|s| s.name);
    let studies = STUDIES.iter().map(|s| s.name);
    for name in schemes.chain(parameters).chain(solvers).chain(studies) {
        assert!(all.contains(&format!("`{name}`")), "the book does not mention `{name}`");
    }
    let systems = page("systems.md").text;
    for info in SYSTEMS {
        for name in info.parameters.iter().map(|p| p.name).chain([info.name]) {
            assert!(systems.contains(&format!("`{name}`")), "systems.md does not mention `{name}`");
        }
    }
    let reference = page("model-file.md").text;
    for name in carom_model::expression::function_names() {
        assert!(
            reference.contains(&format!("`{name}(")),
            "model-file.md does not mention the function {name}"
        );
    }
    // every key of the format, from the schema that comes from the types
    let schema: serde_json::Value = serde_json::from_str(&carom::schema(false)).expect("the schema is JSON");
    let mut keys = BTreeSet::new();
    let mut words = BTreeSet::new();
    gather(&schema, &mut keys, &mut words);
    assert!(keys.contains("tangential_restitution") && keys.contains("arc-to"), "{keys:?}");
    assert!(words.contains("torsion-spring") && words.contains("rack"), "{words:?}");
    let known = |key: &&String| {
        reference.contains(&format!("`{key}`")) || reference.contains(&format!("`\"{key}\"`"))
    };
    let missing: Vec<_> = keys.iter().chain(&words).filter(|key| !known(key)).collect();
    assert!(missing.is_empty(), "model-file.md does not mention the keys or words {missing:?}");
}

/// Property names, and words that a property may be.
fn gather(schema: &serde_json::Value, keys: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(map) => {
            for (name, value) in map {
                if let ("properties", Some(properties)) = (name.as_str(), value.as_object()) {
                    keys.extend(properties.keys().cloned());
                }
                if let ("const", Some(word)) = (name.as_str(), value.as_str()) {
                    words.insert(word.into());
                }
                gather(value, keys, words);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| gather(value, keys, words)),
        _ => {}
    }
}

/// In the book, and at the heads of the source files.
#[test]
fn citations_have_their_entry() {
    let references = page("references.md").text;
    let mut seen = BTreeSet::new();
    let mut texts = pages();
    for path in pages::files(&root().join("crates"), "rs") {
        let text = fs::read_to_string(&path).expect("a source is text");
        texts.push(Page { path: path.display().to_string(), text });
    }
    for page in texts {
        for part in page.text.split('[').skip(1) {
            let key = part.split(']').next().unwrap_or_default();
            let plain = key.chars().all(|c| c.is_ascii_alphanumeric()) && key.starts_with(char::is_uppercase);
            let year = key.len() > 4 && key.bytes().rev().take(4).all(|c| c.is_ascii_digit());
            if plain && (year || key == "RezaeiSchindler") {
                assert!(
                    references.contains(&format!("**[{key}]**")),
                    "{}: [{key}] is not explained",
                    page.path
                );
                seen.insert(key.to_string());
            }
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
}

// ------------------------------------------------------------------------------------------------ what the book shows

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
                    Some(("BODY" | "CONTACT" | "JOINT" | "GEAR", rest)) => {
                        name.rsplit('.').next() == Some(rest)
                    }
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

// ------------------------------------------------------------------------------------------------ what the book measures

/// Twelve step sizes that are not multiples of each other.
fn row_of_steps(from: f64) -> Vec<f64> {
    (0..12).map(|k| from * 0.7_f64.powi(k)).collect()
}

/// Fitted slope of log error over log step.
fn slope(steps: &[f64], errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p.0 - x) * (p.1 - y)) / sum(&|p| (p.0 - x).powi(2))
}

/// Relative L¹ error. [Chen2013] (42)
fn l1(t: &[f64], y: &[f64], exact: impl Fn(f64) -> f64) -> f64 {
    let difference: f64 = t.iter().zip(y).map(|(t, y)| (y - exact(*t)).abs()).sum();
    difference / t.iter().map(|t| exact(*t).abs()).sum::<f64>()
}

/// Exact height of the ball of the book above the floor: dropped from 0.801 m, g = 10 m/s², e = 0.8. [Chen2013] App. A
fn ball_height(t: f64) -> f64 {
    let (h0, g, e) = (0.801, 10.0, 0.8);
    let fall = f64::sqrt(2.0 * h0 / g);
    if t < fall {
        return h0 - 0.5 * g * t * t;
    }
    let (mut start, mut speed) = (fall, e * g * fall);
    while speed > 1e-13 {
        let flight = 2.0 * speed / g;
        if t < start + flight {
            return (speed - 0.5 * g * (t - start)) * (t - start);
        }
        start += flight;
        speed *= e;
    }
    0.0
}

/// Angle of the pendulum of the book by RK4 with a tiny step in one coordinate: (J + m l²) φ'' = −m g l cos φ.
fn pendulum_angle(end: f64) -> f64 {
    let n = 20_000;
    let dt = end / f64::from(n);
    let f = |s: [f64; 2]| [s[1], -10.0 / 1.1 * s[0].cos()];
    let along = |s: [f64; 2], k: [f64; 2], c: f64| [s[0] + c * k[0], s[1] + c * k[1]];
    let mut s = [0.0, 0.0];
    for _ in 0..n {
        let k1 = f(s);
        let k2 = f(along(s, k1, 0.5 * dt));
        let k3 = f(along(s, k2, 0.5 * dt));
        let k4 = f(along(s, k3, dt));
        for i in 0..2 {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    s[0]
}

/// Angle of the pendulum with a stop by RK4 with a tiny step in one coordinate, and when it hits: φ'' = −10/1.1 cos φ, thrown
/// back with half its speed where cos φ = 1/5.
fn stopped_angle(end: f64) -> (f64, f64) {
    let f = |s: [f64; 2]| [s[1], -10.0 / 1.1 * s[0].cos()];
    let along = |s: [f64; 2], k: [f64; 2], c: f64| [s[0] + c * k[0], s[1] + c * k[1]];
    let step = |s: [f64; 2], dt: f64| {
        let k1 = f(s);
        let k2 = f(along(s, k1, 0.5 * dt));
        let k3 = f(along(s, k2, 0.5 * dt));
        let k4 = f(along(s, k3, dt));
        [0, 1].map(|i| s[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    };
    let (mut t, mut s, mut hit) = (0.0, [0.0, 0.0], f64::NAN);
    let stop = -(0.2_f64).acos();
    while t < end {
        let dt = 1e-4_f64.min(end - t);
        let mut next = step(s, dt);
        let mut made = dt;
        if next[0] < stop {
            let (mut low, mut high) = (0.0, dt);
            for _ in 0..60 {
                made = 0.5 * (low + high);
                next = step(s, made);
                if next[0] < stop { high = made } else { low = made }
            }
            next[1] *= -0.5;
            assert!(hit.is_nan(), "it hits once");
            hit = t + made;
        }
        (t, s) = (t + made, next);
    }
    (s[0], hit)
}

/// Place and velocity of the mass of the book that a stop throws back with 0.8 of its speed: harmonic between impacts.
fn stopped_spring(end: f64) -> [f64; 2] {
    let (omega, wall, e) = (5.0, -0.2, 0.8);
    let (mut t, mut u, mut w) = (0.0, 0.5_f64, 0.0_f64);
    loop {
        // u = A cos(ω s + φ), down through the wall where that is acos(wall/A)
        let (A, phi) = (u.hypot(w / omega), (-w / omega).atan2(u));
        let hit = ((wall / A).acos() - phi).rem_euclid(2.0 * std::f64::consts::PI) / omega;
        if t + hit > end {
            let (sin, cos) = (omega * (end - t) + phi).sin_cos();
            return [1.0 + A * cos, -A * omega * sin];
        }
        (t, u, w) = (t + hit, wall, e * A * omega * (omega * hit + phi).sin());
    }
}

fn said_order(cell: &str) -> f64 {
    cell.parse().expect("an order")
}

/// The table of orders: `` `scheme` (`parameter` = value) `` | smooth | joint | impacts | energy lost | drift.
#[test]
fn orders_are_those_of_the_table() {
    let page = page("theory/schemes.md");
    let (spring, pendulum, ball) = (page.model("Spring"), page.model("Pendulum"), page.model("Ball"));
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    let angle = pendulum_angle(1.0);
    for row in page.rows().into_iter().filter(|r| r.len() == 6 && r[1].parse::<f64>().is_ok()) {
        let spans: Vec<&str> = row[0].split('`').skip(1).step_by(2).collect();
        let Some(info) = spans.first().and_then(|s| SCHEMES.iter().find(|i| i.name == *s)) else { continue };
        let mut changes = vec![("simulation.scheme".to_string(), info.name.to_string())];
        if let Some(parameter) = spans.get(1) {
            let value = row[0].split("= ").nth(1).expect("a value").trim_end_matches(')');
            changes.push((format!("simulation.parameters.{parameter}"), value.into()));
        }
        let setup =
            |text: &str| Setup::of_text("book", text, &changes).unwrap_or_else(|e| panic!("{row:?}: {e}"));
        let run = |setup: &Setup, step: f64, end: f64| {
            let settings = Settings { step, end, accuracy: None, output: Some(step) };
            let done = setup.run_with(settings, |_| true).expect("a good start");
            assert_eq!(done.summary.stop, Stop::Done);
            done
        };
        let last = |setup: &Setup, step: f64, channel: &str| {
            *run(setup, step, 1.0).recording.column(channel).expect("a channel").last().expect("a sample")
        };
        let order = |from: f64, error: &dyn Fn(f64) -> f64| {
            let steps = row_of_steps(from);
            slope(&steps, &steps.iter().map(|&h| error(h)).collect::<Vec<_>>())
        };
        let (spring, pendulum) = (setup(&spring), setup(&pendulum));
        // a dash: the scheme refuses a ball that bounces
        let bounces = row[3] != "–";
        let refused = Setup::of_text("book", &ball, &changes).is_err();
        assert_ne!(refused, bounces, "{row:?}: whether it takes restitution");
        let omega = 5.0_f64;
        // above order 3 errors reach round-off early
        let high = said_order(&row[1]) > 3.5;
        let from = if high { 1e-1 } else { 1e-2 };
        let smooth = order(from, &|h| (last(&spring, h, "mass.x") - (1.0 + 0.5 * omega.cos())).abs());
        let joints = order(from, &|h| (last(&pendulum, h, "rod.angle") - angle).abs());
        let impacts = bounces.then(|| {
            let ball = setup(&ball);
            order(4e-3, &|h| {
                let recording = run(&ball, h, 4.0).recording;
                l1(recording.column("t").unwrap(), recording.column("ball.y").unwrap(), ball_height)
            })
        });
        let impacts_text = impacts.map_or("–".into(), |order| format!("{order:.2}"));
        let lost = run(&spring, 1e-2, 4.0).summary.audit.relative_numerical_loss();
        let drift = run(&pendulum, 1e-3, 1.0).summary.audit.drift_length.value;
        println!("| {} | {smooth:.2} | {joints:.2} | {impacts_text} | {lost:.1e} | {drift:.1e} |", row[0]);
        let number = |cell: &String| if cell == "–" { f64::NAN } else { cell.parse().expect("a number") };
        let said: Vec<f64> = row[1..].iter().map(number).collect();
        for (what, ours, said) in [
            ("smooth", Some(smooth), said[0]),
            ("joint", Some(joints), said[1]),
            ("impacts", impacts, said[2]),
        ] {
            let Some(ours) = ours else { continue };
            if (ours - said).abs() > 0.02 {
                wrong.push(format!("{}: order {what} is {ours:.3}, the book says {said}", row[0]));
            }
        }
        for (what, ours, said) in [("energy lost", lost, said[3]), ("drift", drift, said[4])] {
            let same = (ours - said).abs() <= 0.06 * said.abs() || ours.abs().max(said.abs()) < 1e-9;
            if !same {
                wrong.push(format!("{}: {what} is {ours:e}, the book says {said}", row[0]));
            }
        }
        seen.insert(info.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let stepping: BTreeSet<&str> =
        SCHEMES.iter().map(|s| s.name).filter(|name| !is_event_driven(name)).collect();
    assert_eq!(seen, stepping, "every scheme that does not choose its steps has a row");
}

fn is_event_driven(name: &str) -> bool {
    carom::scheme(name, &[]).expect("a registered scheme").owns_steps()
}

/// Every solver has a row in the measured table of its page. A run of the study takes an hour, so the numbers are those of the run that the
/// page names; what they say must go together: shares are counts of the problems in the head, and what fails at 1e-8 is what is not
/// solved there.
#[test]
fn solvers_are_measured() {
    let page = page("theory/solvers.md");
    let text = page.prose();
    let problems = text.split("failures at 1e-8, of ").nth(1).and_then(|rest| rest.split(' ').next());
    let problems: f64 = problems.and_then(|n| n.parse().ok()).expect("the head says of how many problems");
    assert!(text.contains("numbers of this section are those of one run"), "the run is named");
    let rows = page.rows();
    for entry in SOLVERS {
        let row = rows.iter().find(|r| r.len() == 6 && plain(&r[0]).as_deref() == Some(entry.name));
        let row = row.unwrap_or_else(|| panic!("{} is not in the table of theory/solvers.md", entry.name));
        let solved = [1, 2, 3].map(|k| {
            let share = row[k].strip_suffix(" %").and_then(|share| share.parse::<f64>().ok());
            let count = 1e-2 * share.unwrap_or_else(|| panic!("{row:?}")) * problems;
            // a digit behind the point of a percentage
            assert!((count - count.round()).abs() <= 5.1e-4 * problems, "{row:?}: {count} problems");
            count.round()
        });
        // "stalled 21, iteration limit 2"
        let failed: f64 = row[5].split([' ', ',']).filter_map(|word| word.parse::<f64>().ok()).sum();
        assert_eq!(solved[1] + failed, problems, "{row:?}");
    }
}

/// The table of forms: every event-driven scheme with the forms it takes, and no others.
#[test]
fn schemes_take_the_forms_of_the_table() {
    let rows = page("theory/methods.md").rows();
    for name in SCHEMES.iter().map(|s| s.name).filter(|name| is_event_driven(name)) {
        let row = rows.iter().find(|r| r.len() == 3 && plain(&r[0]).as_deref() == Some(name));
        let row = row.unwrap_or_else(|| panic!("the forms of {name} are not in the table"));
        for form in Formulation::ALL {
            let mut scheme = carom::scheme(name, &[]).expect("a registered scheme");
            let (takes, said) = (scheme.set_formulation(form).is_ok(), row[1].contains(&format!("`{form}`")));
            assert_eq!(takes, said, "{name} in the form {form}");
        }
    }
}

/// The table of methods: `` `scheme` (`parameter` = value) `` | smooth | joint | stop | energy lost | drift.
#[test]
fn orders_of_methods_are_those_of_the_table() {
    let (schemes, page) = (page("theory/schemes.md"), page("theory/methods.md"));
    let (spring, pendulum, stop) = (schemes.model("Spring"), schemes.model("Pendulum"), page.model("Stop"));
    // ½ φ'² = −10/1.1 sin φ, on its way down
    let angle = pendulum_angle(1.0);
    let angle = [angle, -(-20.0 / 1.1 * angle.sin()).sqrt()];
    let free = [1.0 + 0.5 * 5.0_f64.cos(), -2.5 * 5.0_f64.sin()];
    let stopped = stopped_spring(2.0);
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in page.rows().into_iter().filter(|r| r.len() == 6 && r[1].parse::<f64>().is_ok()) {
        let spans: Vec<&str> = row[0].split('`').skip(1).step_by(2).collect();
        let info = SCHEMES.iter().find(|i| i.name == spans[0]).unwrap_or_else(|| panic!("{row:?}"));
        let mut changes = vec![("simulation.scheme".to_string(), info.name.to_string())];
        if let Some(parameter) = spans.get(1) {
            let value = row[0].split("= ").nth(1).expect("a value").trim_end_matches(')');
            changes.push((format!("simulation.parameters.{parameter}"), value.into()));
        }
        let run = |text: &str, more: &[(String, String)], step: f64, end: f64| {
            let changes: Vec<_> = changes.iter().chain(more).cloned().collect();
            let setup = Setup::of_text("book", text, &changes).unwrap_or_else(|e| panic!("{row:?}: {e}"));
            let settings = Settings { step, end, accuracy: None, output: Some(step) };
            setup.run_with(settings, |_| true).expect("a good start")
        };
        // above order 3 errors reach round-off early
        let (first, ratio) = match said_order(&row[1]) {
            order if order > 4.5 => (21.0, 0.87_f64),
            order if order > 3.5 => (60.0, 0.87),
            _ => (100.0, 0.7),
        };
        let steps: Vec<f64> = (0..12).map(|k| 1.0 / (first / ratio.powi(k)).round()).collect();
        // of position and velocity, at the end
        let order = |text: &str, end: f64, channels: [&str; 2], exact: [f64; 2]| {
            let errors = steps.iter().map(|&step| {
                let done = run(text, &[], step, end);
                assert_eq!(done.summary.stop, Stop::Done, "{row:?}");
                let last =
                    |name: &str| *done.recording.column(name).expect("a channel").last().expect("a row");
                (last(channels[0]) - exact[0]).hypot(last(channels[1]) - exact[1])
            });
            slope(&steps, &errors.collect::<Vec<_>>())
        };
        let smooth = order(&spring, 1.0, ["mass.x", "mass.vx"], free);
        let stopped = order(&stop, 2.0, ["mass.x", "mass.vx"], stopped);
        // a dash: the scheme takes no joints
        let refused = Setup::of_text("book", &pendulum, &changes).is_err();
        assert_eq!(refused, row[2] == "–", "{row:?}: whether it takes joints");
        let joint = (!refused).then(|| order(&pendulum, 1.0, ["rod.angle", "rod.omega"], angle));
        let lost = run(&spring, &[], 1e-2, 4.0).summary.audit.relative_numerical_loss();
        let drift = (!refused).then(|| {
            let has = info.parameters.iter().any(|p| p.name == "projection");
            let free = ("simulation.parameters.projection".to_string(), "0".to_string());
            let free: &[_] = if has { &[free] } else { &[] };
            run(&pendulum, free, 1e-2, 1.0).summary.audit.drift_length.value
        });
        let text = |x: Option<f64>| x.map_or("–".to_string(), |x| format!("{x:.2}"));
        let small = drift.map_or("–".to_string(), |x| format!("{x:.1e}"));
        println!("| {} | {smooth:.2} | {} | {stopped:.2} | {lost:.1e} | {small} |", row[0], text(joint));
        let number = |cell: &String| if cell == "–" { f64::NAN } else { cell.parse().expect("a number") };
        let said: Vec<f64> = row[1..].iter().map(number).collect();
        for (what, ours, said) in
            [("smooth", Some(smooth), said[0]), ("joint", joint, said[1]), ("stop", Some(stopped), said[2])]
        {
            if ours.is_some_and(|ours| (ours - said).abs() > 0.05) {
                wrong.push(format!("{}: order {what} is {ours:?}, the book says {said}", row[0]));
            }
        }
        for (what, ours, said) in [("energy lost", Some(lost), said[3]), ("drift", drift, said[4])] {
            let Some(ours) = ours else { continue };
            let same = (ours - said).abs() <= 0.06 * said.abs() || ours.abs().max(said.abs()) < 1e-12;
            if !same {
                wrong.push(format!("{}: {what} is {ours:e}, the book says {said}", row[0]));
            }
        }
        seen.insert(info.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let driven: BTreeSet<&str> =
        SCHEMES.iter().map(|s| s.name).filter(|name| is_event_driven(name)).collect();
    assert_eq!(seen, driven, "every scheme that chooses its steps has a row");
}
