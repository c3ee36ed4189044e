//! `check`, `list`, `study`, `convergence`, `schema`.

use crate::common::{self, BALL, CRANK, carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;

fn json(output: &std::process::Output) -> Value {
    assert_eq!(code(output), 0, "{}", complaint(output));
    serde_json::from_str(&said(output)).unwrap()
}

#[test]
fn check_counts_what_can_move() {
    let folder = folder("check");
    fs::write(folder.join("crank.toml"), CRANK).unwrap();
    let data = json(&carom(&folder, &["check", "crank.toml", "--json"]));
    // three bodies of three, three pins of two: 9 - 6; the guide has clearance and takes nothing away
    assert_eq!(data["degrees_of_freedom"], 3);
    assert_eq!(data["redundant"], Value::Array(vec![]));
    assert_eq!(data["contacts"].as_array().unwrap().len(), 4);
    assert_eq!(data["bodies"][2]["mass"], 0.076);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is written");

    // without clearance it is a machine of one degree of freedom
    let tight = CRANK.replace("clearance = \"=0.001*s\"\n", "").replace("restitution = 0.4\n", "");
    let tight = tight.replace("size = [\"=0.1*s\", \"=0.05*s\"]\n", "");
    fs::write(folder.join("tight.toml"), tight).unwrap();
    let data = json(&carom(&folder, &["check", "tight.toml", "--json"]));
    assert_eq!(data["degrees_of_freedom"], 1);
}

#[test]
fn check_names_redundant_joints() {
    let folder = folder("redundant");
    // a platform on three parallel rods of one length: the third holds what the two others hold
    let mut model = String::from(
        "[ground.points]\na0 = [0, 0]\nb0 = [1, 0]\nc0 = [2, 0]\n[bodies.platform]\nmass = 1\ninertia = 1\n\
         position = [1, 1]\npoints = { a1 = [-1, 0], b1 = [0, 0], c1 = [1, 0] }\n[simulation]\nend = 0.1\n",
    );
    for rod in ["a", "b", "c"] {
        model.push_str(&format!(
            "[joints.rod_{rod}]\ntype = \"distance\"\nbetween = [\"ground.{rod}0\", \"platform.{rod}1\"]\n"
        ));
    }
    fs::write(folder.join("platform.toml"), model).unwrap();
    let data = json(&carom(&folder, &["check", "platform.toml", "--json"]));
    assert_eq!(data["degrees_of_freedom"], 1);
    assert_eq!(data["redundant"][0]["joints"], serde_json::json!(["rod_a", "rod_b", "rod_c"]));
    let text = said(&carom(&folder, &["check", "platform.toml"]));
    assert!(text.contains("implied by rod_a, rod_b"), "{text}");
}

#[test]
fn every_list_has_its_entries() {
    let folder = folder("lists");
    for (what, name) in [("schemes", "generalized-alpha"), ("solvers", "lemke"), ("studies", "chen-ball")] {
        assert!(said(&carom(&folder, &["list", what])).contains(name), "{what}");
        let data = json(&carom(&folder, &["list", what, "--json"]));
        assert!(data.as_array().unwrap().iter().any(|entry| entry["name"] == name), "{what}");
    }
    assert_eq!(carom(&folder, &["study", "--list"]).stdout, carom(&folder, &["list", "studies"]).stdout);
}

#[test]
fn every_gallery_model_is_in_the_binary_and_fits() {
    let folder = folder("gallery");
    let data = json(&carom(&folder, &["list", "gallery", "--json"]));
    let listed: Vec<&str> = data.as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    let mut lying: Vec<String> = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../gallery"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("model.toml").is_file())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    lying.sort();
    assert_eq!(listed, lying);
    for model in &listed {
        let output = carom(&folder, &["check", model]);
        assert_eq!(code(&output), 0, "{model}: {}", complaint(&output));
    }
    // results of a gallery model go to the folder one stands in
    if let Some(model) = listed.first() {
        let output = carom(&folder, &["run", model, "--quiet", "--no-report"]);
        assert_eq!(code(&output), 0, "{model}: {}", complaint(&output));
        assert!(folder.join(format!("{model}.out/series.csv")).is_file());
    }
}

#[test]
fn the_order_of_a_scheme_is_measured() {
    let folder = folder("order");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    // before the impact at 0.447 s theta = 1 is implicit Euler, exactly of order 1
    let args = ["convergence", "ball.toml", "--from", "1e-2", "--count", "10", "--end", "0.4", "--json"];
    // a reference so fine that its own error, of the same order, does not tilt the line
    let args = [&args[..], &["--reference", "2e-6"]].concat();
    let euler = json(&carom(&folder, &[&args[..], &["--set", "simulation.parameters.theta=1"]].concat()));
    let order = euler["order"]["slope"].as_f64().unwrap();
    assert!((order - 1.0).abs() < 0.01, "{order}");
    assert_eq!(euler["channels"], serde_json::json!(["ball.y"]));
    assert_eq!(euler["runs"].as_array().unwrap().len(), 10);
    let text = said(&carom(&folder, &["convergence", "ball.toml", "--steps", "1e-2,7e-3"]));
    assert!(text.contains("order") && text.contains("There are impacts"), "{text}");
    let csv = said(&carom(&folder, &["convergence", "ball.toml", "--steps", "1e-2,7e-3", "--csv"]));
    assert!(csv.starts_with("step,ball.y,mean\n0.01,"), "{csv}");
}

/// Orders of several schemes on smooth motions and through impacts. A scheme of order five is at the round-off of the reference
/// after a few sizes, and a straight line between samples would be seen at once.
#[test]
fn the_order_is_found_whatever_it_is() {
    let folder = folder("orders");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let order = |args: &[&str]| {
        let data = json(&carom(&folder, &[&["convergence"], args, &["--json"]].concat()));
        (data["order"]["slope"].as_f64().unwrap(), data["order"]["sizes"].as_u64().unwrap())
    };
    let four_bar = ["four-bar", "--end", "0.5", "--from", "1e-2", "--count", "10", "--scheme"];
    for (scheme, expected, tolerance) in
        [("hem5", 5.0, 0.1), ("generalized-alpha", 2.0, 0.1), ("newmark", 2.0, 0.1)]
    {
        let (slope, sizes) = order(&[&four_bar[..], &[scheme]].concat());
        assert!((slope - expected).abs() < tolerance && sizes >= 5, "{scheme}: {slope} over {sizes}");
    }
    // θ = 1 makes errors between the impacts too: order 1 through all of them
    let euler = ["--set", "simulation.parameters.theta=1"];
    let (slope, _) = order(&[&["ball.toml", "--from", "1e-2", "--count", "12"], &euler[..]].concat());
    assert!((slope - 1.0).abs() < 0.25, "{slope}");
}

#[test]
fn a_reader_that_goes_away_ends_every_command_quietly() {
    let folder = folder("pipes");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    for args in [
        &["list", "gallery"][..],
        &["list", "schemes", "--json"],
        &["run", "ball.toml"],
        &["check", "ball.toml"],
        &["docs", "--list"],
        &["--help"],
    ] {
        let mut command = common::command(&folder, args);
        let mut child = command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let words = complaint(&output);
        assert!(!words.contains("panicked") && !words.contains("ipe"), "{args:?}: {words}");
        assert!(output.status.code().is_some_and(|c| c <= 2), "{args:?}: {:?}", output.status);
    }
    // nor does it matter that nobody hears complaints
    let mut child = common::command(&folder, &["run", "missing.toml"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn the_schema_is_json_and_a_reader_may_go_away() {
    let folder = folder("schema");
    let schema = json(&carom(&folder, &["schema"]));
    assert!(schema["properties"]["bodies"].is_object());
    let mut child =
        common::command(&folder, &["schema"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}
