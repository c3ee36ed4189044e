//! Coded systems by name: run, check, list, convergence, and what is refused.

use crate::common::{Series, carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;

fn json(output: &std::process::Output) -> Value {
    assert_eq!(code(output), 0, "{}", complaint(output));
    serde_json::from_str(&said(output)).unwrap()
}

#[test]
fn every_system_runs_by_name_and_leaves_its_results() {
    let folder = folder("systems");
    let listed = json(&carom(&folder, &["list", "systems", "--json"]));
    let gallery = json(&carom(&folder, &["list", "gallery", "--json"]));
    let systems = listed.as_array().unwrap();
    assert_eq!(systems.len(), 10);
    for system in systems {
        let name = system["name"].as_str().unwrap();
        assert!(gallery.as_array().unwrap().iter().all(|m| m["name"] != name), "{name} is taken twice");
        let end = 20.0 * system["step"].as_f64().unwrap();
        let output = carom(&folder, &["run", name, "--end", &format!("{end:e}"), "--json"]);
        let summary = json(&output);
        assert_eq!(summary["stop"], "done");
        assert_eq!(summary["steps"], 20);
        for file in ["series.csv", "events.csv", "summary.json", "report.html"] {
            assert!(folder.join(format!("{name}.out")).join(file).is_file(), "{name}: {file}");
        }
        // every body of the drawing is in the page
        let page = fs::read_to_string(folder.join(format!("{name}.out/report.html"))).unwrap();
        let drawn = match name.split('-').next() {
            Some("stiff") => r#"{"body":"mass3","strokes":[{"#,
            Some("four") => r#"{"body":"rocker","strokes":[{"#,
            // bodies in space have no sketch: their channels are there to be plotted
            Some("euler" | "heavy") => r#""name":"top.qw""#,
            _ => r#"{"body":"slider","strokes":[{"#,
        };
        assert!(page.contains(drawn), "{name}: {drawn} is in the page");
        assert_eq!(code(&carom(&folder, &["check", name])), 0, "{name}");
        assert!(said(&carom(&folder, &["list", "systems"])).contains(name));
        assert!(said(&carom(&folder, &["list", "gallery"])).contains(name), "one list shows both");
    }
}

#[test]
fn parameters_and_choices_are_changed() {
    let folder = folder("system-set");
    let args =
        ["run", "slider-crank-minimal", "--scheme", "moreau-midpoint", "--step", "1e-5", "--end", "1e-3"];
    let set = ["--set", "c=5e-4", "--set", "angle3=1e-3", "--set", "torque==2*m1", "--json"];
    let summary = json(&carom(&folder, &[&args[..], &set[..]].concat()));
    assert_eq!(summary["parameters"]["c"], 5e-4);
    assert_eq!(summary["parameters"]["torque"], 0.076, "formulas work here too");
    assert_eq!(summary["scheme"], "moreau-midpoint");
    let series = Series::read(&folder.join("slider-crank-minimal.out/series.csv"));
    // corner 1 is the upper left one: c + b (1 − cos) + a sin
    let gap = 5e-4 + 0.025 * (1.0 - 1e-3_f64.cos()) + 0.05 * 1e-3_f64.sin();
    assert!((series.column("guide.1.gap")[0] - gap).abs() < 1e-15);
    assert_eq!(series.column("slider.angle")[0], 1e-3);
    let data = json(&carom(&folder, &["check", "stiff-3dof-constraint", "--set", "k=1", "--json"]));
    assert_eq!((&data["degrees_of_freedom"], &data["parameters"]["k"]), (&2.into(), &1.0.into()));
}

#[test]
fn what_is_wrong_is_said_and_nothing_written() {
    let folder = folder("system-bad");
    for (set, words) in [
        ("cc=1", &["`cc`", "tangential_restitution", "help"][..]),
        ("bodies.crank.mass=1", &["bodies.crank.mass", "l1, l2"]),
        ("restitution=2", &["restitution", "between 0 and 1"]),
        ("m3=0", &["m3", "above 0", "mass of the slider"]),
        ("c=-1e-3", &["at least 0"]),
        ("c=wide", &["finite number"]),
        ("angle1=0.1", &["guide.1", "inside its wall", "more play"]),
        ("simulation.stepp=1", &["did you mean `step`"]),
        ("simulation.parameters.rho=2", &["rho"]),
    ] {
        for command in ["run", "check"] {
            let output = carom(&folder, &[command, "slider-crank-minimal", "--set", set]);
            assert_eq!(code(&output), 2, "{set}");
            for word in words {
                assert!(complaint(&output).contains(word), "{set}: `{word}` in\n{}", complaint(&output));
            }
        }
    }
    let output = carom(&folder, &["run", "slider-crank-minimum"]);
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("did you mean `slider-crank-minimal`"), "{}", complaint(&output));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is written");
}

#[test]
fn the_order_on_a_system_is_measured() {
    let folder = folder("system-order");
    // linear, undamped, a fine reference: the trapezoidal rule is of order 2
    let args = [
        "convergence",
        "stiff-3dof-constraint",
        "--scheme",
        "moreau-jean",
        "--from",
        "0.05",
        "--count",
        "10",
    ];
    let more = ["--end", "2", "--reference", "2e-5", "--channel", "mass1.q", "--json"];
    let data = json(&carom(&folder, &[&args[..], &more[..]].concat()));
    let order = data["order"]["slope"].as_f64().unwrap();
    assert!((order - 2.0).abs() < 0.05, "{order}");
    // a slider that its guide holds does not move up and down: what is left there is drift, and is not compared
    let args = ["convergence", "slider-crank-bilateral", "--steps", "2e-4,1e-4", "--end", "0.01", "--json"];
    let channels = &json(&carom(&folder, &args))["channels"];
    let names: Vec<&str> = channels.as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    assert!(names.contains(&"slider.x") && !names.contains(&"slider.y"), "{names:?}");
}
