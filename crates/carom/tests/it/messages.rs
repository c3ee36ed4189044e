//! Every kind of mistake in a model file: the place is underlined, the way out is named, the book is linked.
//!
//! A wrong model is one of the models below with a piece replaced. What must be underlined stands between « and ».

use carom::{Diagnostic, Diagnostics, Setup, Severity, Topic};
use std::collections::BTreeSet;
use std::path::Path;

const BALL: &str = r#"version = 1
title = "球 in a box"
units = "SI"
gravity = [0.0, -10.0]

[parameters]
height = 1.2
radius = "=height / 6"

[ground.shapes.floor]
type = "line"
through = [0.0, 0.0]
normal = [0.0, 1.0]

[bodies.ball]
mass = 1.0
inertia = 0.1
position = [0.0, "=height"]
shapes.skin = { type = "disk", radius = "=radius" }

[contacts.bounce]
between = ["ball.skin", "ground.floor"]
restitution = 0.8
friction = 0.1

[events.top]
when = "ball.vy"

[simulation]
step = 1e-3
end = 2.0
"#;

const ARM: &str = r#"gravity = [0.0, -9.81]

[ground.points]
pivot = [0.0, 0.0]
far = [3.0, 0.0]

[bodies.arm]
mass = 2.0
inertia = 0.1
position = [0.5, 0.0]
points = { root = [-0.5, 0.0], tip = [0.5, 0.0] }

[bodies.bead]
mass = 0.1
position = [0.0, 2.0]

[joints.pivot]
type = "revolute"
between = ["ground.pivot", "arm.root"]

[forces.spring]
type = "spring"
between = ["arm.tip", "ground.far"]
stiffness = 10.0

[forces.motor]
type = "torque"
on = "arm"
torque = "2*sin(t)"

[simulation]
step = 1e-3
end = 0.1
"#;

const STRIP: &str = r#"[bodies.strip]
points = { root = [0, 0], tip = [1, 0] }

[bodies.strip.elastic]
type = "beam"
length = 1
elements = 4
young = 2e9
area = 1e-4
second_moment = 1e-9
density = 1200

[joints.pin]
type = "revolute"
between = ["ground", "strip.root"]

[simulation]
scheme = "bathe"
step = 2e-3
end = 0.1
"#;

/// Which model, what is replaced by what, a word of the remedy, and the link.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    // no TOML
    (BALL, "mass = 1.0", "mass = «=» 1.0", "TOML", "model-file"),
    (BALL, "mass = 1.0", "mass = 1.0\n«mass» = 2.0", "each key once", "model-file"),
    (BALL, "title = \"球 in a box\"", "title = \"球 in a box«", "quote", "model-file"),
    (BALL, "step = 1e-3", "step = «99999999999999999999»", "18 digits", "model-file"),
    // keys
    (BALL, "mass = 1.0", "«mas» = 1.0", "did you mean `mass`", "model-file#bodies"),
    (BALL, "restitution = 0.8", "«cor» = 0.8", "did you mean `restitution`", "model-file#contacts"),
    (BALL, "[simulation]", "[«simulaton»]", "did you mean `simulation`", "model-file#top-level"),
    (BALL, "step = 1e-3", "\t«dt»\t=\t1e-3", "did you mean `step`", "model-file#simulation"),
    (BALL, "type = \"line\"\n", "", "`type = ...`", "model-file#shapes"),
    (BALL, "type = \"line\"", "type = «\"lime\"»", "did you mean `line`", "model-file#shapes"),
    (BALL, "radius = \"=radius\" }", "«radios» = \"=radius\" }", "radius", "model-file#shapes"),
    (BALL, "version = 1", "version = «7»", "`version = 1`", "model-file#top-level"),
    (BALL, "units = \"SI\"", "units = «\"inch\"»", "mm", "model-file#units"),
    (BALL, "units = \"SI\"", "units = { length = «\"yard\"» }", "ft", "model-file#units"),
    // kinds of values
    (BALL, "mass = 1.0", "mass = «true»", "number", "model-file#bodies"),
    (BALL, "mass = 1.0", "mass = «\"heavy\"»", "formula", "model-file#bodies"),
    (BALL, "mass = 1.0", "mass = «\"2.5\"»", "without quotes: 2.5", "model-file#bodies"),
    (BALL, "mass = 1.0", "mass = «nan»", "finite", "model-file#bodies"),
    (BALL, "normal = [0.0, 1.0]", "normal = «[0.0]»", "normal", "model-file#shapes"),
    (BALL, "normal = [0.0, 1.0]", "normal = [0.0, «\"up\"»]", "number", "model-file#shapes"),
    (BALL, "units = \"SI\"", "joints = «3»", "`joints`", "model-file#joints"),
    (BALL, "mass = 1.0", "mass = 1.0\n«events» = 3", "before the first `[table]`", "model-file#bodies"),
    (BALL, "end = 2.0", "end = «2024-01-01»", "number", "model-file#simulation"),
    // formulas
    (
        BALL,
        "position = [0.0, \"=height\"]",
        "position = [0.0, \"=«heigth» + 1\"]",
        "did you mean `height`",
        "model-file#parameters-and-formulas",
    ),
    (
        BALL,
        "position = [0.0, \"=height\"]",
        "position = [0.0, \"=(height + 1«\"»]",
        "expected",
        "model-file#parameters-and-formulas",
    ),
    (BALL, "mass = 1.0", "mass = \"=2*«t»\"", "parameters", "model-file#parameters-and-formulas"),
    (BALL, "mass = 1.0", "mass = «\"=1/0\"»", "division by zero", "model-file#parameters-and-formulas"),
    (BALL, "height = 1.2", "height = «\"=2*radius\"»", "as a number", "model-file#parameters-and-formulas"),
    (BALL, "height = 1.2", "height = 1.2\n«sin» = 2", "name", "model-file#parameters-and-formulas"),
    (BALL, "height = 1.2", "height = «[1.2]»", "such as 0.25", "model-file#parameters-and-formulas"),
    (ARM, "2*sin(t)", "2*sin(«w»*t)", "parameters", "model-file#forces"),
    (BALL, "when = \"ball.vy\"", "when = \"«ball.vyy»\"", "did you mean `ball.vy`", "model-file#events"),
    (BALL, "when = \"ball.vy\"", "when = «\"3 + 4\"»", "name `t` or a channel", "model-file#events"),
    // numbers out of range
    (BALL, "mass = 1.0", "mass = «-1.0»", "above 0", "model-file#bodies"),
    (BALL, "mass = 1.0", "mass = «0»", "mass above 0", "model-file#bodies"),
    (BALL, "inertia = 0.1", "inertia = «0»", "point mass", "model-file#bodies"),
    (BALL, "restitution = 0.8", "restitution = «1.5»", "between 0 and 1", "model-file#contacts"),
    (BALL, "friction = 0.1", "friction = «-0.1»", "0 or more", "model-file#contacts"),
    (BALL, "normal = [0.0, 1.0]", "normal = «[0.0, 0.0]»", "not zero", "model-file#shapes"),
    (BALL, "radius = \"=radius\" }", "radius = «\"=-radius\"» }", "above 0", "model-file#shapes"),
    (BALL, "step = 1e-3", "step = «0.0»", "above 0", "model-file#simulation"),
    (BALL, "step = 1e-3", "step = «1e-14»", "1e-12", "model-file#simulation"),
    (BALL, "end = 2.0", "end = «-2.0»", "above 0", "model-file#simulation"),
    (ARM, "stiffness = 10.0", "stiffness = «-10.0»", "0 or more", "model-file#forces"),
    (STRIP, "elements = 4", "elements = «0»", "at least", "model-file#flexible-bodies"),
    (STRIP, "young = 2e9", "young = «-2e9»", "above 0", "model-file#flexible-bodies"),
    (STRIP, "[bodies.strip]", "[bodies.strip]\nmass = «1»", "leave `mass` out", "model-file#bodies"),
    // names
    (ARM, "\"arm.root\"", "«\"arm.roof\"»", "did you mean `arm.root`", "model-file#joints"),
    (
        ARM,
        "[\"ground.pivot\", \"arm.root\"]",
        "«[\"arm.tip\", \"arm.root\"]»",
        "two different bodies",
        "model-file#joints",
    ),
    (ARM, "on = \"arm\"", "on = «\"bead\"»", "inertia", "model-file#forces"),
    (ARM, "on = \"arm\"", "on = «\"ground\"»", "name a body", "model-file#forces"),
    (ARM, "[joints.pivot]", "[joints.«arm»]", "another name", "model-file#joints"),
    (ARM, "[bodies.bead]", "[bodies.«energy»]", "are taken", "model-file#bodies"),
    (STRIP, "tip = [1, 0]", "touch = «[1, 0]»", "are taken", "model-file#bodies"),
    (
        BALL,
        "\"ball.skin\", \"ground.floor\"",
        "«\"ball\"», \"ground.floor\"",
        "`ball.skin`",
        "model-file#contacts",
    ),
    (STRIP, "\"strip.root\"", "«\"strip\"»", "`strip.root`", "model-file#joints"),
    // joints and contacts as a whole
    (BALL, "position = [0.0, \"=height\"]", "position = [0.0, 0.1]", "apart", "model-file#contacts"),
    (
        ARM,
        "type = \"revolute\"",
        "type = \"revolute\"\nrestitution = «0.5»",
        "clearance",
        "model-file#clearance",
    ),
    (
        ARM,
        "type = \"revolute\"",
        "type = \"revolute\"\nfriction = «0.5»",
        "pin_radius",
        "model-file#joints-that-rub",
    ),
    // how to run
    (
        BALL,
        "step = 1e-3",
        "scheme = «\"moreau-jan\"»",
        "did you mean `moreau-jean`",
        "choosing#which-scheme-for-what",
    ),
    (BALL, "step = 1e-3", "solver = «\"lemk\"»", "did you mean `lemke`", "model-file#simulation"),
    (BALL, "step = 1e-3", "parameters = { theta = «2.0» }", "between 0 and 1", "model-file#simulation"),
    (BALL, "step = 1e-3", "parameters = { rho = «0.5» }", "theta", "model-file#simulation"),
    (
        BALL,
        "step = 1e-3",
        "scheme = «\"stewart-trinkle\"»",
        "anitescu-potra",
        "choosing#which-scheme-for-what",
    ),
    (BALL, "step = 1e-3", "coordinates = «\"polar\"»", "relative", "theory/coordinates"),
    (BALL, "step = 1e-3", "formulation = «\"index-4\"»", "index-3", "model-file#simulation"),
];

/// What is wrong with a model, up to its first step.
fn complaints(text: &str) -> Vec<Diagnostic> {
    match Setup::of_text("model.toml", text, &[]) {
        Err(Diagnostics { list }) => list,
        Ok(setup) => match setup.simulation(setup.settings()) {
            Err(error) => vec![setup.diagnose_start(&error)],
            Ok(_) => Vec::new(),
        },
    }
}

/// Line and column of a byte.
fn place(text: &str, at: usize) -> (usize, usize) {
    let line_start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (text[..at].matches('\n').count() + 1, text[line_start..at].chars().count() + 1)
}

#[test]
fn every_mistake_is_underlined_with_a_way_out() {
    assert!(CASES.len() >= 40);
    for model in [BALL, ARM, STRIP] {
        assert_eq!(complaints(model), [], "the models are right as they are");
    }
    let mut wrong = Vec::new();
    for (model, from, to, word, link) in CASES {
        assert_eq!(model.matches(from).count(), 1, "`{from}` stands once in its model");
        let marked = model.replace(from, to);
        let start = marked.find('«');
        let text = marked.replace(['«', '»'], "");
        let found = complaints(&text);
        let mut fail = |why: String| {
            let said: Vec<String> = found.iter().map(ToString::to_string).collect();
            wrong.push(format!("{to}: {why}\n{}", said.join("\n")));
        };
        let Some(first) = found.first() else {
            fail("nothing is said".into());
            continue;
        };
        // the first complaint is the one, unless the mark says otherwise
        let one = found.iter().find(|d| d.docs.link() == *link && d.help.contains(word)).unwrap_or(first);
        if let Some(start) = start {
            if (one.line, one.column) != place(&text, start) {
                fail(format!("place {:?} was expected", place(&text, start)));
            }
            let piece = marked[start + '«'.len_utf8()..].split('»').next().unwrap_or_default();
            if marked.contains('»') && one.text != piece {
                fail(format!("`{piece}` was to be underlined, found `{}`", one.text));
            }
        } else if one.line == 0 {
            fail("no line".into());
        }
        if !one.help.contains(word) {
            fail(format!("`{word}` was to be in the help"));
        }
        if one.docs.link() != *link {
            fail(format!("link {link} was expected"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n\n{}", wrong.len(), CASES.len(), wrong.join("\n---\n"));
}

#[test]
fn several_mistakes_are_told_at_once_and_counted() {
    let text = BALL.replace("mass = 1.0", "mas = 1.0").replace("step = 1e-3", "step = true\nend_time = 3");
    let told = Setup::of_text("model.toml", &text, &[]).unwrap_err();
    assert_eq!(told.list.len(), 3);
    let lines: Vec<usize> = told.list.iter().map(|d| d.line).collect();
    assert!(lines.is_sorted(), "down the page: {lines:?}");
    assert!(told.to_string().ends_with("\n3 errors\n"), "{told}");
    let data = serde_json::to_value(&told).unwrap();
    assert_eq!(data[0]["docs"], "model-file#bodies");
    assert_eq!(data[0]["text"], "mas");
    assert_eq!(data[0]["severity"], "error");
}

#[test]
fn a_change_from_the_command_line_is_underlined_too() {
    let set = |key: &str, value: &str| {
        let told = Setup::of_text("model.toml", BALL, &[(key.into(), value.into())]).unwrap_err();
        told.list.into_iter().next().unwrap()
    };
    let one = set("heigth", "2");
    assert_eq!((one.file.as_str(), one.column, one.text.as_str()), ("--set", 1, "heigth"));
    assert!(one.help.contains("did you mean `height`") && one.docs == Topic::Run, "{one}");
    let one = set("bodies.ball.mass", "-3");
    assert_eq!((one.column, one.text.as_str()), (18, "-3"));
    assert_eq!(one.docs, Topic::Bodies);
}

/// A run that fails is blamed on the body or joint where it did.
#[test]
fn a_failure_points_at_the_body() {
    // an explicit scheme on a spring of period 6e-6 s
    let text = ARM
        .replace("stiffness = 10.0", "stiffness = 1e14")
        .replace("step = 1e-3\nend = 0.1", "scheme = \"moreau-explicit\"\nstep = 1e-3\nend = 2");
    let setup = Setup::of_text("model.toml", &text, &[]).unwrap();
    let done = setup.run(|_| true).unwrap();
    let told = setup.diagnose_failure(&done).expect("it fails");
    assert!(told.message.starts_with("the simulation failed at t = "), "{told}");
    assert_eq!((told.line, told.text.as_str()), (7, "arm"), "{told}");
    assert!(told.help.contains("smaller step"), "{told}");
    // and one that does not fail is not
    let setup = Setup::of_text("model.toml", ARM, &[]).unwrap();
    assert_eq!(setup.diagnose_failure(&setup.run(|_| true).unwrap()), None);
}

#[test]
fn what_is_suspicious_is_said_and_nothing_else() {
    let warned = |model: &str, from: &str, to: &str| -> Vec<(String, String)> {
        assert_eq!(model.matches(from).count(), 1, "{from}");
        let text = model.replace(from, to);
        let setup = Setup::of_text("model.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let told = setup.warnings();
        assert!(told.iter().all(|d| d.severity == Severity::Warning && d.line > 0 && !d.help.is_empty()));
        told.into_iter().map(|d| (d.text, d.message)).collect()
    };
    for model in [BALL, ARM, STRIP] {
        assert_eq!(Setup::of_text("model.toml", model, &[]).unwrap().warnings(), []);
    }
    for (model, from, to, text, word) in [
        (BALL, "height = 1.2", "height = 1.2\nspare = 3", "spare", "nothing uses"),
        (BALL, "gravity = [0.0, -10.0]", "gravity = [0.0, -9810.0]", "[0.0, -9810.0]", "1000"),
        (ARM, "position = [0.5, 0.0]", "position = [0.5, 0.0]\nangle = 360", "360", "degrees"),
        (ARM, "position = [0.0, 2.0]", "position = [0.0, 2.0]\nangular_velocity = 3", "3", "does not turn"),
        (BALL, "friction = 0.1", "tangential_restitution = 0.5", "0.5", "no friction"),
        (BALL, "[simulation]", "[simulation]\noutput = 1e-4", "1e-4", "samples"),
        (BALL, "step = 1e-3", "step = 3.0", "3.0", "one step"),
        (
            BALL,
            "[events.top]",
            "[contacts.again]\nbetween = [\"ground.floor\", \"ball.skin\"]\n[events.top]",
            "[\"ground.floor\", \"ball.skin\"]",
            "counts twice",
        ),
        (
            ARM,
            "[forces.spring]",
            "[joints.again]\ntype = \"revolute\"\nbetween = [\"ground.pivot\", \"arm.root\"]\n[forces.spring]",
            "again",
            "held already",
        ),
        (STRIP, "[joints.pin]", "[bodies.idle]\nmass = 1\n[joints.pin]", "idle", "never moves"),
    ] {
        let told = warned(model, from, to);
        assert!(
            !told.is_empty() && told.iter().all(|(t, m)| t == text && m.contains(word)),
            "{to}: {told:?}"
        );
    }
}

/// No model of the gallery is suspicious, but for the redundant rows of the Bennett and the Bricard linkage and published teeth.
#[test]
fn the_gallery_is_above_suspicion() {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let mut seen = 0;
    for entry in std::fs::read_dir(gallery).unwrap().flatten() {
        let file = entry.path().join("model.toml");
        if file.is_file() {
            let setup = Setup::open(&file, &[]).unwrap_or_else(|e| panic!("{e}"));
            let is = |name: &str| file.parent().is_some_and(|p| p.ends_with(name));
            // fourteen teeth are undercut, as published; so are tips that reach into a root of the gearbox
            let redundant = match () {
                () if is("bennett-linkage") => 3,
                () if is("gearbox") => 2,
                () => usize::from(["bricard-linkage", "gears-2", "gear-rattle"].into_iter().any(is)),
            };
            assert_eq!(setup.warnings().len(), redundant, "{}: {:?}", file.display(), setup.warnings());
            seen += 1;
        }
    }
    assert!(seen > 20);
}

/// Anchor of a heading as mdBook makes it: letters, digits, `-` and `_`, small, spaces as `-`.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}

#[test]
fn every_link_leads_to_a_heading_of_the_book() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut all = BTreeSet::new();
    for topic in Topic::ALL {
        let link = topic.link();
        assert!(all.insert(link), "{link} is there once");
        let (page, section) = link.split_once('#').unwrap_or((link, ""));
        let text = std::fs::read_to_string(book.join(format!("{page}.md")))
            .unwrap_or_else(|e| panic!("{link}: {e}"));
        let mut fenced = false;
        let headings = text.lines().filter(|line| {
            fenced ^= line.starts_with("```");
            !fenced && line.starts_with('#')
        });
        let anchors: Vec<String> = headings.map(|h| anchor(h.trim_start_matches('#'))).collect();
        assert!(section.is_empty() || anchors.iter().any(|a| a == section), "{link}: {anchors:?}");
    }
}
