//! `carom run`: what it writes, says and answers.

use crate::common::{BALL, CRANK, Series, carom, code, command, complaint, folder, said};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn summary(directory: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(directory.join("summary.json")).unwrap()).unwrap()
}

fn files(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_writes_its_results_and_says_how_good_they_are() {
    let folder = folder("good");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let output = carom(&folder, &["run", "ball.toml"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert_eq!(complaint(&output), "", "no bar in a pipe");
    let said = said(&output);
    for word in
        ["Bouncing ball", "The scheme lost", "2000 steps to t = 2 s", "impacts", "ball.out/report.html"]
    {
        assert!(said.contains(word), "`{word}` in\n{said}");
    }
    let out = folder.join("ball.out");
    assert_eq!(files(&out), ["events.csv", "report.html", "scene.json", "series.csv", "summary.json"]);
    // free fall of 1 m under 10 m/s²: impact at √0.2 s, reported at the end of its step
    let events = fs::read_to_string(out.join("events.csv")).unwrap();
    let first: Vec<&str> = events.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(first[1..3], ["impact", "bounce"]);
    assert!((first[0].parse::<f64>().unwrap() - 0.2_f64.sqrt()).abs() < 2e-3);
    let series = Series::read(&out.join("series.csv"));
    assert_eq!(series.column("t").len(), 2001);
    assert!((series.column("ball.y")[200] - (1.2 - 5.0 * 0.2 * 0.2)).abs() < 1e-9);
}

#[test]
fn two_runs_have_the_same_bytes() {
    let folder = folder("twice");
    fs::write(folder.join("crank.toml"), CRANK).unwrap();
    for out in ["a", "b"] {
        let output = carom(&folder, &["run", "crank.toml", "--out", out, "--quiet"]);
        assert_eq!((code(&output), said(&output).as_str()), (0, ""), "{}", complaint(&output));
    }
    for file in ["series.csv", "events.csv"] {
        let read = |out: &str| fs::read(folder.join(out).join(file)).unwrap();
        assert!(read("a") == read("b"), "{file}");
    }
    let digest = |out: &str| summary(&folder.join(out))["digest"].clone();
    assert_eq!(digest("a"), digest("b"));
    // and the digest notices a change in the last place
    let nudged =
        carom(&folder, &["run", "crank.toml", "--out", "c", "--quiet", "--set", "s=1.0000000000000002"]);
    assert_eq!(code(&nudged), 0);
    assert_ne!(digest("a"), digest("c"));
}

#[test]
fn json_alone_on_standard_output() {
    let folder = folder("json");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let output =
        carom(&folder, &["run", "ball.toml", "--json", "--scheme", "generalized-alpha", "--step", "2e-3"]);
    assert_eq!(code(&output), 0);
    let printed: Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!(printed, summary(&folder.join("ball.out")));
    assert_eq!(printed["steps"], 1000);
    assert_eq!(printed["scheme"], "generalized-alpha (rho = 0.8)");
    assert_eq!(printed["stop"], "done");
    assert_eq!(printed["parameters"]["height"], 1.2);
    assert_eq!(printed["command"], "carom run ball.toml --scheme generalized-alpha --step 0.002");
}

#[test]
fn the_command_in_the_summary_repeats_the_run() {
    let folder = folder("repeat");
    fs::write(folder.join("my ball.toml"), BALL).unwrap();
    let set = ["--set", "height=\"=0.5 + 0.7\"", "--set", "simulation.output=0.01"];
    let first = carom(&folder, &[&["run", "my ball.toml", "--json", "--end", "0.5"], &set[..]].concat());
    assert_eq!(code(&first), 0, "{}", complaint(&first));
    let first: Value = serde_json::from_str(&said(&first)).unwrap();
    let line = first["command"].as_str().unwrap().replacen("carom", env!("CARGO_BIN_EXE_carom"), 1);
    let again = std::process::Command::new("sh").current_dir(&folder).args(["-c", &line]).output().unwrap();
    assert_eq!(code(&again), 0, "{line}: {}", complaint(&again));
    assert_eq!(summary(&folder.join("my ball.out"))["digest"], first["digest"]);
}

#[test]
fn formats_on_request() {
    let folder = folder("formats");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let args = ["run", "ball.toml", "--format", "npz", "--format", "vtk", "--no-report", "--end", "0.1"];
    let output = carom(&folder, &args);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let files = files(&folder.join("ball.out"));
    assert!(files.contains(&"series.npz".into()) && files.contains(&"series.pvd".into()), "{files:?}");
    assert!(!files.contains(&"series.csv".into()) && !files.contains(&"report.html".into()), "{files:?}");
}

#[test]
fn another_scheme_needs_no_other_change() {
    let folder = folder("word");
    let model =
        BALL.replace("step = 1e-3", "step = 1e-3\nscheme = \"moreau-jean\"\nparameters = { theta = 1.0 }");
    fs::write(folder.join("ball.toml"), model).unwrap();
    let output = carom(&folder, &["run", "ball.toml", "--scheme", "hht-projected"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert!(said(&output).contains("Not used by hht-projected: parameter theta"), "{}", said(&output));
    // what is asked for on the command line itself is not overlooked
    let args = ["run", "ball.toml", "--scheme", "hht", "--set", "simulation.parameters.theta=1"];
    assert_eq!(code(&carom(&folder, &args)), 2);
}

#[test]
fn accuracy_chooses_the_steps() {
    let folder = folder("accuracy");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let mut error = Vec::new();
    for accuracy in ["1e-4", "1e-6"] {
        let output = carom(&folder, &["run", "ball.toml", "--accuracy", accuracy, "--json", "--end", "0.8"]);
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        let y = *Series::read(&folder.join("ball.out/series.csv")).column("ball.y").last().unwrap();
        // one impact at t1 = √0.2 with rebound 0.8 · √20
        let after = 0.8 - 0.2_f64.sqrt();
        error.push((y - (0.2 + 0.8 * 20.0_f64.sqrt() * after - 5.0 * after * after)).abs());
    }
    // of a mechanism of about a metre
    assert!(error[0] < 1e-3 && error[1] < 1e-5, "{error:?}");
}

#[test]
fn a_failing_run_keeps_what_it_recorded() {
    let folder = folder("failing");
    // an explicit scheme on a spring of period 6e-6 s: every step multiplies the velocity by k dt²/m
    let spring = "[forces.spring]\ntype = \"spring\"\nbetween = [\"ball\", \"ground.hook\"]\nstiffness = 1e12\n\
                  length = 0.9\n\n[ground.points]\nhook = [0.0, 2.2]\n\n[simulation]\n\
                  scheme = \"moreau-explicit\"\noutput = 1e-3\n";
    fs::write(folder.join("stiff.toml"), BALL.replace("[simulation]\n", spring)).unwrap();
    let output = carom(&folder, &["run", "stiff.toml"]);
    let complaint = complaint(&output);
    assert_eq!(code(&output), 1, "{complaint}");
    for word in ["failed", "t = 0.", "ball.vy", "stiff.out"] {
        assert!(complaint.contains(word), "`{word}` in\n{complaint}");
    }
    let out = folder.join("stiff.out");
    assert_eq!(files(&out), ["events.csv", "report.html", "scene.json", "series.csv", "summary.json"]);
    let stop = &summary(&out)["stop"];
    assert!(stop["failed"].as_str().is_some_and(|why| why.contains("ball.vy")), "{stop}");
    let series = Series::read(&out.join("series.csv"));
    let (t, y) = (series.column("t"), series.column("ball.y"));
    assert!(t.len() > 2 && t.iter().chain(&y).all(|x| x.is_finite()), "the last good states are there");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_it_recorded() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = folder("interrupted");
    // a day of simulated time: nobody waits for its end
    fs::write(folder.join("ball.toml"), BALL.replace("end = 2.0", "end = 86400.0\noutput = 0.1")).unwrap();
    let mut child = command(&folder, &["run", "ball.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the title comes after the ear is open
    let mut first = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", complaint(&output));
    assert!(complaint(&output).contains("interrupted at t = "), "{}", complaint(&output));
    let out = folder.join("ball.out");
    assert_eq!(summary(&out)["stop"], "interrupted");
    let series = Series::read(&out.join("series.csv"));
    let last = *series.column("t").last().unwrap();
    let reached = summary(&out)["t"].as_f64().unwrap();
    assert!(0.0 < reached && reached < 86400.0, "{reached}");
    assert!(
        (last - reached).abs() < 1e-12 * reached,
        "the last sample, {last}, is where it stopped, {reached}"
    );
}

#[test]
fn what_was_changed_for_assembly_is_said() {
    let folder = folder("assembled");
    let model = CRANK.replace("position = [\"=l1 + l2\", 0]", "position = [\"=l1 + l2 + 1e-3\", 0]");
    fs::write(folder.join("crank.toml"), model).unwrap();
    for command in ["run", "check"] {
        let output = carom(&folder, &[command, "crank.toml"]);
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        let said = said(&output);
        assert!(said.contains("joint wrist did not fit by 1.00e-3 m"), "{said}");
        assert!(said.contains("slider was adjusted: moved by"), "{said}");
    }
}

#[test]
fn results_that_cannot_be_written_are_an_error() {
    let folder = folder("unwritable");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    fs::write(folder.join("file"), "").unwrap();
    // before anything is computed: this run would take for ever
    let slow = ["run", "ball.toml", "--out", "file/results", "--step", "1e-9", "--end", "1e3"];
    let output = carom(&folder, &slow);
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("file/results"), "{}", complaint(&output));
    // a folder that was made for nothing is taken away again
    let output = carom(&folder, &["run", "ball.toml", "--out", "new/results", "--step", "-1"]);
    assert_eq!(code(&output), 2);
    assert!(!folder.join("new").exists());
    let long = ["run", "ball.toml", "--out", "new/results", "--step", "1e-14"];
    assert_eq!(code(&carom(&folder, &long)), 2);
    assert!(!folder.join("new").exists());
}

/// The folder goes away while the run is made, and a file stands in its place: the results are kept elsewhere.
#[test]
fn what_was_computed_is_kept_where_it_can_be() {
    let folder = folder("rescued");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let slow = ["run", "ball.toml", "--out", "here", "--step", "1e-6", "--end", "6", "--quiet"];
    let child = command(&folder, &slow).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !folder.join("here").is_dir() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // the folder is tried before the run, which takes seconds
    std::thread::sleep(std::time::Duration::from_millis(200));
    while fs::remove_dir(folder.join("here")).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    fs::write(folder.join("here"), "in the way").unwrap();
    let id = child.id();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 1, "{}", complaint(&output));
    let kept = folder.join(format!("here.rescued-{id}"));
    assert!(complaint(&output).contains("is in here.rescued-"), "{}", complaint(&output));
    assert!(kept.join("series.csv").is_file() && kept.join("summary.json").is_file());
}

/// `units = "mm"`: what is said is in mm.
#[test]
fn messages_are_in_the_units_of_the_file() {
    let folder = folder("millimetres");
    let model = |height: f64, mass: f64| {
        format!(
            "units = \"mm\"\ngravity = [0, -9810]\n[ground.shapes.floor]\ntype = \"line\"\nthrough = [0, 0]\nnormal = [0, 1]\n\
             [bodies.ball]\nmass = {mass}\nposition = [0, {height}]\nshapes.rim = {{ type = \"disk\", radius = 10 }}\n\
             [contacts.bounce]\nbetween = [\"ball.rim\", \"ground.floor\"]\n"
        )
    };
    let complaint_of = |text: String| {
        fs::write(folder.join("m.toml"), text).unwrap();
        let output = carom(&folder, &["run", "m.toml"]);
        (code(&output), complaint(&output) + &said(&output))
    };
    let (exit, words) = complaint_of(model(8.0, 1.0));
    assert!(
        exit == 2
            && words.contains("penetrated by 2.000000e0 mm")
            && words.contains("at least 2.000000e0 mm"),
        "{words}"
    );
    let (exit, words) = complaint_of(model(50.0, 1.0).replace("radius = 10", "radius = -10"));
    assert!(exit == 2 && words.contains("is -10"), "{words}");
    let (exit, words) = complaint_of(model(50.0, 1.0));
    assert!(exit == 0 && words.contains(" mm (bounce)") && words.contains(" N mm)"), "{words}");
    assert!(!words.contains(" m ("), "{words}");
    let output = said(&carom(&folder, &["check", "m.toml"]));
    assert!(output.contains("0, -9810 mm/s²"), "{output}");
}

#[test]
fn a_model_without_bodies_is_an_error() {
    let folder = folder("empty");
    fs::write(folder.join("empty.toml"), "title = \"nothing\"\n").unwrap();
    for command in ["run", "check"] {
        let output = carom(&folder, &[command, "empty.toml"]);
        assert_eq!(code(&output), 2);
        assert!(complaint(&output).contains("no bodies") && complaint(&output).contains("[bodies.ball]"));
    }
    assert!(!folder.join("empty.out").exists());
}

/// `none` takes away what the file says.
#[test]
fn none_unsets_a_key() {
    let folder = folder("none");
    fs::write(
        folder.join("ball.toml"),
        BALL.replace("[simulation]", "[simulation]\naccuracy = 1e-4\noutput = 0.1"),
    )
    .unwrap();
    let steps = |more: &[&str]| {
        let output = carom(&folder, &[&["run", "ball.toml", "--json"], more].concat());
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        let data: Value = serde_json::from_str(&said(&output)).unwrap();
        (
            data["step_range"][1].as_f64().unwrap() / data["step_range"][0].as_f64().unwrap(),
            data["samples"].as_u64().unwrap(),
            data["impacts"].as_u64().unwrap(),
        )
    };
    let controlled = steps(&[]);
    assert!(controlled.0 > 2.0, "{controlled:?}");
    let fixed = steps(&["--set", "simulation.accuracy=none"]);
    assert!(fixed.0 < 1.001 && fixed.1 < 50, "{fixed:?}");
    let all = steps(&["--set", "simulation.accuracy=none", "--set", "simulation.output=none"]);
    assert!(all.1 > 100, "{all:?}");
    let through = steps(&["--set", "simulation.accuracy=none", "--set", "contacts.bounce=none"]);
    assert_eq!(through.2, 0, "{through:?}");
    // what takes any text takes this too
    let output =
        carom(&folder, &["run", "ball.toml", "--set", "title=none", "--set", "simulation.formulation=none"]);
    assert!(code(&output) == 0 && said(&output).starts_with("none\n"), "{}", complaint(&output));
}

/// `--scheme auto`: the closing lines, the summary, the page and the check say what was taken and why, in the same words, and
/// the command to repeat asks for it again.
#[test]
fn auto_says_what_it_took_and_why() {
    let folder = folder("auto");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let output = carom(&folder, &["run", "ball.toml", "--scheme", "auto"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let summary = summary(&folder.join("ball.out"));
    let choice = summary["scheme_choice"].as_str().expect("it is in the summary");
    assert!(
        choice.starts_with("auto took half-explicit (parts = 50): ") && choice.contains("one contact"),
        "{choice}"
    );
    assert!(said(&output).contains(choice), "{}", said(&output));
    assert!(summary["scheme"].as_str().unwrap().starts_with("half-explicit"), "{}", summary["scheme"]);
    assert_eq!(summary["command"], "carom run ball.toml --scheme auto");
    let page = fs::read_to_string(folder.join("ball.out/report.html")).unwrap();
    assert!(page.contains(&format!("\"scheme_choice\":\"{choice}\"")));

    let check = carom(&folder, &["check", "ball.toml", "--set", "simulation.scheme=auto", "--json"]);
    let check: Value = serde_json::from_str(&said(&check)).unwrap();
    assert_eq!(check["scheme_choice"], choice);
    assert_eq!(check["scheme"], "half-explicit");
    // a scheme by name was nobody's choice
    let named = carom(&folder, &["run", "ball.toml", "--json"]);
    let named: Value = serde_json::from_str(&said(&named)).unwrap();
    assert!(named["scheme_choice"].is_null());
    let list = carom(&folder, &["list", "schemes"]);
    assert!(said(&list).lines().next().is_some_and(|line| line.starts_with("auto ")), "{}", said(&list));
}
