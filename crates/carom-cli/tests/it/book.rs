//! What the book says of the program, the program says and does.
//!
//! Texts in `docs/examples/tutorial` and `docs/examples/trouble` are the program's own words. To write them anew:
//! `CAROM_BOOK=write cargo test -p carom-cli --test it book::`.

use crate::common::{Series, carom, code, complaint, folder, said};
use crate::pages::{self, page, read, root};
use std::fs;
use std::path::Path;

pub(crate) const REFRESH: &str =
    "write it anew with CAROM_BOOK=write cargo test -p carom-cli --test it book::";

pub(crate) fn writes() -> bool {
    std::env::var("CAROM_BOOK").is_ok_and(|what| what == "write")
}

/// What was said must be what the file in `docs/examples` holds; times on the clock are left out.
pub(crate) fn transcript(file: &str, words: &str) {
    let path = root().join("docs/examples").join(file);
    let words = format!("{}\n", without_clock(words).trim_end());
    if writes() {
        fs::write(&path, &words).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, words, "{file} is old: {REFRESH}");
}

/// `in 1.8 ms` as `in … ms`.
fn without_clock(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_string).collect();
    for i in 2..words.len() {
        let unit = words[i].starts_with("ms") || words[i].starts_with("s,");
        if unit && words[i - 2] == "in" && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "…".into();
        }
    }
    words.join(" ")
}

/// Runs a command as the book shows it.
pub(crate) fn run(folder: &Path, line: &str) -> std::process::Output {
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[0], "carom", "{line}");
    carom(folder, &words[1..])
}

pub(crate) fn near(what: &str, ours: f64, exact: f64, within: f64) {
    assert!((ours - exact).abs() <= within, "{what}: {ours}, exactly {exact}");
}

/// Time, velocities before and after, and impulse of the first event of a kind and subject.
pub(crate) fn event(out: &Path, kind: &str, subject: &str) -> [f64; 4] {
    let text = fs::read_to_string(out.join("events.csv")).unwrap();
    let rows = text.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let row = rows.into_iter().find(|r| r[1] == kind && r[2] == subject).unwrap_or_else(|| panic!("{text}"));
    [0, 3, 4, 5].map(|i| row[i].parse().unwrap())
}

pub(crate) fn last(out: &Path, channel: &str) -> f64 {
    *Series::read(&out.join("series.csv")).column(channel).last().unwrap()
}

// ------------------------------------------------------------------------------------------------ the tutorial

/// A folder with the reader's files, and all commands of the tutorial run in it, in order.
#[test]
fn the_tutorial_can_be_followed() {
    let folder = folder("tutorial");
    for name in ["puck", "hammer", "strike"] {
        let file = format!("{name}.toml");
        fs::write(folder.join(&file), read(&format!("docs/examples/tutorial/{file}"))).unwrap();
    }
    let strike = read("docs/examples/tutorial/strike.toml");
    let wrong = strike.replace("\nrestitution = \"=e\"", "\nrestituton = \"=e\"");
    assert_ne!(strike, wrong);
    fs::write(folder.join("wrong.toml"), wrong).unwrap();
    let page = page("tutorial.md");
    let mut seen = 0;
    for line in page.commands().iter().filter(|line| line.starts_with("carom ")) {
        let output = run(&folder, line);
        let expected = if line.contains("wrong") { 2 } else { 0 };
        assert_eq!(code(&output), expected, "{line}: {}", complaint(&output));
        match line.as_str() {
            "carom check strike.toml" => transcript("tutorial/check.txt", &said(&output)),
            "carom run strike.toml" => transcript("tutorial/run.txt", &said(&output)),
            "carom run wrong.toml" => transcript("tutorial/wrong.txt", &complaint(&output)),
            _ => continue,
        }
        seen += 1;
    }
    assert_eq!(seen, 3, "every transcript was made");
    for file in ["ball.out/report.html", "softer/report.html", "comparison.html", "strike.svg", "phase.svg"] {
        assert!(folder.join(file).is_file(), "{file}");
        assert!(page.text.contains(file.rsplit('/').next().unwrap()), "{file}");
    }
    assert!(!folder.join("wrong.out").exists());
    // the figure on the page is the one that was just made
    let (made, shown) = (fs::read(folder.join("strike.svg")).unwrap(), root().join("docs/src/tutorial.svg"));
    if writes() {
        fs::write(&shown, &made).unwrap();
    }
    assert!(fs::read(&shown).unwrap() == made, "docs/src/tutorial.svg is old: {REFRESH}");
}

/// The numbers of the tutorial, against mechanics and not against Carom.
#[test]
fn the_tutorial_tells_the_truth() {
    let folder = folder("tutorial-numbers");
    let text = page("tutorial.md").text;
    let stated = |number: &str| assert!(text.contains(number), "the tutorial does not say {number}");
    let out = |line: &str, out: &str| {
        let output = run(&folder, &format!("{line} --out {out}"));
        assert_eq!(code(&output), 0, "{line}: {}", complaint(&output));
        folder.join(out)
    };
    for name in ["puck", "hammer", "strike"] {
        let file = format!("{name}.toml");
        fs::write(folder.join(&file), read(&format!("docs/examples/tutorial/{file}"))).unwrap();
    }
    let g = 9.81;

    // the ball: rises to e² of the fall
    for (e, says) in [(0.8, "0.713 m"), (0.5, "0.400 m")] {
        let out = out(&format!("carom run ball --set e={e}"), &format!("ball-{e}"));
        let (t, y) = {
            let series = Series::read(&out.join("series.csv"));
            (series.column("t"), series.column("ball.y"))
        };
        let hit = (2.0 * 0.801_f64 / 10.0).sqrt();
        let highest = t.iter().zip(&y).filter(|(t, _)| **t > hit + 0.05).map(|(_, y)| *y).fold(0.0, f64::max);
        let exact = 0.2 + e * e * 0.801;
        near("height of the ball", highest, exact, 4e-3);
        assert_eq!(format!("{exact:.3} m"), says);
        stated(says);
    }
    stated("3.6 s");
    near("rest of the ball", (1.0 + 0.8) / (1.0 - 0.8) * (2.0 * 0.801_f64 / 10.0).sqrt(), 3.6, 0.01);

    // the puck: friction takes μ g
    let puck = out("carom run puck.toml", "puck");
    let (v, mu) = (1.5, 0.3);
    let (way, time) = (v * v / (2.0 * mu * g), v / (mu * g));
    assert_eq!((format!("{time:.3} s"), format!("{way:.3} m")), ("0.510 s".into(), "0.382 m".into()));
    stated("0.510 s");
    stated("0.382 m");
    stated("0.457 m");
    near("the puck stops", event(&puck, "stick", "rub.1")[0], time, 2e-3);
    near("the puck's way", last(&puck, "puck.x") - 0.075, way, 1e-3);

    // the hammer: height into speed, and a quarter of a large swing
    let hammer = out("carom run hammer.toml", "hammer");
    let (m, l, inertia) = (1.0, 0.5, 0.01);
    let omega = f64::sqrt(2.0 * m * g * l / (inertia + m * l * l));
    assert_eq!((format!("{omega:.2}"), format!("{:.2}", omega * l)), ("6.14".into(), "3.07".into()));
    stated("6.14 rad/s");
    stated("3.07 m/s");
    let fastest =
        Series::read(&hammer.join("series.csv")).column("hammer.omega").into_iter().fold(0.0, f64::max);
    near("the hammer at the bottom", fastest, omega, 1e-4);
    // K(sin 45°)/ω_0 with the complete elliptic integral by the arithmetic-geometric mean
    let (mut a, mut b) = (1.0, std::f64::consts::FRAC_1_SQRT_2);
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let fall = 0.5 * std::f64::consts::PI / a * f64::sqrt((inertia + m * l * l) / (m * g * l));
    assert_eq!((format!("{fall:.3}"), format!("{fall:.5}")), ("0.427".into(), "0.42687".into()));
    stated("0.427 s");
    stated("0.42687 s");

    // the strike: an impact between two masses, then friction
    let exact = out("carom run strike.toml --scheme hybrid --accuracy 1e-9", "exact");
    let coarse = out("carom run strike.toml", "coarse");
    let finer = out("carom run strike.toml --step 1e-4", "finer");
    let (m_eff, m_p, e, v_h) = ((inertia + m * l * l) / (l * l), 0.52, 0.5, omega * l);
    near("the mass felt", m_eff, 1.04, 1e-12);
    let v_p = (1.0 + e) * m_eff / (m_eff + m_p) * v_h;
    near("the puck's speed is the hammer's", v_p, v_h, 1e-12);
    let way = v_p * v_p / (2.0 * mu * g);
    near("the puck's way in other words", way, l / (m_eff * mu), 1e-12);
    assert_eq!((format!("{way:.3}"), format!("{way:.5}")), ("1.603".into(), "1.60256".into()));
    stated("1.603 m");
    stated("1.60256 m");
    let [t, before, after, _] = event(&exact, "impact", "blow");
    near("when it strikes", t, fall, 1e-7);
    near("how fast", -before, v_h, 1e-6);
    near("and leaves", after, e * v_h, 1e-6);
    let way_of = |out: &Path| last(out, "puck.x") - 0.075;
    near("the puck's way, found", way_of(&exact), way, 1e-7);
    let (off, less) = ((way_of(&coarse) - way).abs(), (way_of(&finer) - way).abs());
    assert!((4e-4..6e-4).contains(&off), "half a millimetre: {off}");
    assert!((0.08..0.12).contains(&(less / off)), "a tenth: {less} of {off}");
    near("when Moreau–Jean strikes", event(&coarse, "impact", "blow")[0], 0.428, 1e-9);
    for (channel, share) in [("work.impact", 0.25), ("work.friction", 0.5)] {
        near(channel, last(&exact, channel), share * m * g * l, 1e-6);
    }
    near(
        "a quarter stays",
        last(&exact, "energy.total") - m_p * g * 0.03 - m * g * 0.03,
        0.25 * m * g * l,
        1e-6,
    );
    stated("0.125 m");
    let y = Series::read(&exact.join("series.csv")).column("hammer.y");
    let x = Series::read(&exact.join("series.csv")).column("hammer.x");
    let highest = y.iter().zip(&x).filter(|(_, x)| **x > 0.05).map(|(y, _)| *y).fold(0.0, f64::max);
    near("the hammer swings on", highest - 0.03, 0.25 * l, 1e-4);

    // the heavier puck: the hammer comes back above (1 + e) m_p = m_eff + m_p, m_p = 2.08 kg
    for (mass, back) in [(2.0, false), (2.2, true)] {
        let out = out(
            &format!("carom run strike.toml --scheme hybrid --accuracy 1e-9 --set bodies.puck.mass={mass}"),
            &format!("mass-{mass}"),
        );
        let series = Series::read(&out.join("series.csv"));
        let behind = series.column("t").iter().position(|t| *t > fall + 5e-3).unwrap();
        assert_eq!(series.column("hammer.omega")[behind] < 0.0, back, "a puck of {mass} kg");
    }
    let play = "--set joints.pivot.clearance=1e-3 --set joints.pivot.pin_radius=0.01 --set joints.pivot.restitution=0.3";
    out(&format!("carom run strike.toml --step 1e-4 {play}"), "play");
}

// ------------------------------------------------------------------------------------------------ when something goes wrong

/// Every file in `docs/examples/trouble` ends as the page says, in the words of the page.
#[test]
fn messages_are_those_of_the_book() {
    let page = fs::read_to_string(root().join("docs/src/trouble.md")).unwrap();
    let models = pages::files(&root().join("docs/examples/trouble"), "toml");
    assert!(models.len() >= 6);
    for model in models {
        let name = model.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = folder(&format!("trouble-{name}"));
        fs::copy(&model, folder.join(format!("{name}.toml"))).unwrap();
        let output = carom(&folder, &["run", &format!("{name}.toml")]);
        let failed = name == "failed";
        assert_eq!(code(&output), if failed { 1 } else { 2 }, "{name}: {}", complaint(&output));
        assert_eq!(folder.join(format!("{name}.out/series.csv")).exists(), failed, "{name}: what is kept");
        transcript(&format!("trouble/{name}.txt"), &complaint(&output));
        assert!(page.contains(&format!("examples/trouble/{name}.txt")), "trouble.md shows {name}.txt");
    }
}

/// The table of exit codes is that of the program's own help.
#[test]
fn exit_codes_are_those_of_the_help() {
    let help = said(&carom(Path::new("."), &["--help"]));
    let codes: Vec<String> = page("trouble.md")
        .rows()
        .into_iter()
        .filter(|row| row.len() == 3 && row[0].parse::<u8>().is_ok())
        .map(|row| row[0].clone())
        .collect();
    assert_eq!(codes, ["0", "1", "2", "130"]);
    let (_, words) = help.split_once("Exit codes:").expect("the help has them");
    assert!(codes.iter().all(|code| words.contains(&format!("{code} "))), "{words}");
}

// ------------------------------------------------------------------------------------------------ file formats

/// Names of all keys of a JSON value, but for those that are names of the model's own things.
fn keys(value: &serde_json::Value, own: &[&str], found: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                found.insert(key.clone());
                if !own.contains(&key.as_str()) {
                    keys(value, own, found);
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| keys(value, own, found)),
        _ => {}
    }
}

/// Whatever a run writes is on the page of formats: files, keys, columns, kinds of events.
#[test]
fn every_file_and_key_is_explained() {
    let folder = folder("formats");
    let page = page("file-formats.md");
    let spans = page.spans();
    let told = |word: &str| {
        let quoted = format!("\"{word}\"");
        spans.iter().any(|s| s == word || *s == quoted)
    };
    for (model, scheme) in [("slider-crank-modal", "bathe"), ("ball", "hybrid"), ("block-path", "auto")] {
        let output = run(
            &folder,
            &format!(
                "carom run {model} --scheme {scheme} --end 0.02 --format csv --format npz --format vtk --out {model}"
            ),
        );
        assert_eq!(code(&output), 0, "{model}: {}", complaint(&output));
        let out = folder.join(model);
        for file in fs::read_dir(&out).unwrap().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            let name = if file.path().is_dir() { format!("{name}/") } else { name };
            let known = spans.iter().any(|s| s.split(", ").any(|part| part.trim_matches('`') == name));
            assert!(known, "file-formats.md does not explain {name}");
        }
        // of the user's own words only the tables themselves are keys of the format
        let own = ["series", "parameters", "scheme_parameters"];
        for file in ["summary.json", "scene.json", "report.html"] {
            let text = fs::read_to_string(out.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
            let inside = text.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>"));
            let text = inside.map_or(text.as_str(), |(data, _)| data);
            let value: serde_json::Value =
                serde_json::from_str(text).unwrap_or_else(|e| panic!("{file}: {e}"));
            let mut found = std::collections::BTreeSet::new();
            keys(&value, &own, &mut found);
            let missing: Vec<_> = found.iter().filter(|key| !told(key)).collect();
            assert!(missing.is_empty(), "file-formats.md does not explain the keys {missing:?} of {file}");
        }
        let head = fs::read_to_string(out.join("events.csv")).unwrap();
        let head: Vec<&str> = head.lines().next().unwrap().split(',').collect();
        assert!(head.iter().all(|column| told(column)), "{head:?}");
    }
    let record = read("crates/carom-dynamics/src/record.rs");
    let (_, kinds) = record.split_once("pub enum EventKind {").unwrap();
    let (kinds, _) = kinds.split_once("\n}").unwrap();
    let kinds: Vec<String> = kinds
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| line.trim_end_matches(',').to_lowercase())
        .collect();
    assert!(kinds.len() >= 8);
    let rows = page.rows();
    for kind in kinds {
        let row = rows.iter().any(|row| row[0] == format!("`{kind}`") && row.len() == 2);
        assert!(row, "file-formats.md does not explain the event {kind}");
    }
}

// ------------------------------------------------------------------------------------------------ looking at results

/// Keys of the report page: those of its source.
#[test]
fn keys_of_the_page_are_those_of_the_book() {
    let source = read("web/src/keys.ts");
    let (_, words) = source.split_once("const WORDS").expect("the keys are a list");
    let (_, words) = words.split_once('=').expect("a list");
    let (words, _) = words.split_once("];\n").expect("the list ends");
    let texts: Vec<&str> = words.split('"').skip(1).step_by(2).collect();
    let rows = page("results.md").rows();
    assert!(texts.len() >= 20);
    for pair in texts.chunks(2) {
        let row = rows.iter().find(|row| row[0] == format!("`{}`", pair[0]));
        let row = row.unwrap_or_else(|| panic!("results.md has no row for the key {}", pair[0]));
        assert_eq!(row[1], pair[1], "the key {}", pair[0]);
    }
}

/// Commands of the pages for users run, in the order of each page, and in one folder.
#[test]
fn commands_of_the_pages_run() {
    for name in ["results.md", "sweeps.md", "python/clusters.md"] {
        let folder = folder(&format!("commands-{}", name.trim_end_matches(".md").replace('/', "-")));
        for line in page(name).commands() {
            // words in quotes are one word
            let mut words: Vec<String> = Vec::new();
            for (i, part) in line.split('"').enumerate() {
                match i % 2 {
                    0 => words.extend(part.split_whitespace().map(str::to_string)),
                    _ => words.push(part.into()),
                }
            }
            let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            let output = carom(&folder, &words);
            assert_eq!(code(&output), 0, "{name}: {line}: {}", complaint(&output));
        }
    }
}
