//! `carom modes`.

use crate::common::{carom, code, complaint, folder, said};
use serde_json::Value;
use std::f64::consts::{PI, TAU};
use std::fs;
use std::path::Path;

/// A beam with E I = ρ A = L = 1 and E A = 4e4: bending at ω = (βL)², stretching at odd multiples of 100 π; and a rigid
/// ball, which has no modes.
const MODEL: &str = r#"
[bodies.rod]
elastic = { type = "beam", length = 1, elements = 12, young = 4e4, area = 1, second_moment = 2.5e-5, density = 1 }

[bodies.blade]
elastic = { type = "beam", length = 1, elements = 6, young = 4e4, area = 1, second_moment = 2.5e-5, density = 1, reference = "mean-axis", modes = 3 }

[bodies.ball]
mass = 1
position = [3, 0]

[simulation]
step = 1e-3
end = 1
"#;

fn with_model(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    fs::write(folder.join("m.toml"), MODEL).unwrap();
    folder
}

fn data(folder: &Path, args: &[&str]) -> Value {
    let output = carom(folder, &[&["modes", "m.toml", "--json"], args].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    serde_json::from_str(&said(&output)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_table_shows_frequencies_and_shares_of_the_mass() {
    let folder = with_model("modes-table");
    let output = carom(&folder, &["modes", "m.toml"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let text = said(&output);
    assert!(
        text.contains("rod: the slowest modes of 39 nodal coordinates, reference condition clamped"),
        "{text}"
    );
    assert!(
        text.contains("blade: its own shapes of 21 nodal coordinates, reference condition mean-axis"),
        "{text}"
    );
    // clamped-free: β₁² / 2π Hz, and 61.31 % of the mass
    let first: Vec<&str> =
        text.lines().find(|l| l.starts_with("mode 1 ")).unwrap().split_whitespace().collect();
    assert!((first[2].parse::<f64>().unwrap() - 1.8751f64.powi(2) / TAU).abs() < 1e-3, "{first:?}");
    assert_eq!((first[3], first[6]), ("0", "bending"), "{first:?}");
    assert!((first[4].parse::<f64>().unwrap() - 61.31).abs() < 0.02, "{first:?}");
    assert!(text.contains("stretching"), "{text}");
    assert!(text.contains("no mode has momentum"), "{text}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is written unless asked for");
}

#[test]
fn body_count_and_reference_can_be_chosen() {
    let folder = with_model("modes-json");
    let all = data(&folder, &["--body", "rod", "--count", "36"]);
    assert_eq!(all["bodies"].as_array().unwrap().len(), 1);
    let modes = all["bodies"][0]["modes"].as_array().unwrap();
    assert_eq!(modes.len(), 36);
    // together, all modes take all of the mass that is not held: of the moment of inertia, all but that of rigid turning
    // at the clamped end's node
    let sum = |key: &str| modes.iter().map(|m| number(&m["mass_share"][key])).sum::<f64>();
    for key in ["x", "y", "turning"] {
        assert!(sum(key) > 0.9 && sum(key) < 1.0 + 1e-9, "{key}: {}", sum(key));
    }
    // the shape of a clamped beam begins where the beam begins
    assert_eq!(modes[0]["shape"][0][0], serde_json::json!([0.0, 0.0]));

    let pinned = data(&folder, &["--body", "blade", "--reference", "pinned", "--count", "2"]);
    let modes = &pinned["bodies"][0]["modes"];
    assert_eq!(pinned["bodies"][0]["reference"], "pinned");
    assert!((number(&modes[0]["frequency"]) - PI * PI / TAU).abs() < 1e-3);
    assert!((number(&modes[1]["frequency"]) - 4.0 * PI * PI / TAU).abs() < 1e-2);
    // what a key changes is shown
    let thicker =
        data(&folder, &["--body", "rod", "--count", "1", "--set", "bodies.rod.elastic.second_moment=1e-4"]);
    assert!(
        (number(&thicker["bodies"][0]["modes"][0]["frequency"]) - 2.0 * 1.8751f64.powi(2) / TAU).abs() < 1e-3
    );
}

#[test]
fn numbers_and_figures_are_written() {
    let folder = with_model("modes-files");
    let args = ["modes", "m.toml", "--out", "a.csv", "--out", "figures/a.svg", "--out", "a.png"];
    let output = carom(&folder, &args);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let csv = fs::read_to_string(folder.join("a.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("body,shape,frequency,mass_share_x,mass_share_y,turning_share,along_x"));
    assert_eq!(lines.count(), 10 + 3);
    let svg = fs::read_to_string(folder.join("figures/a.svg")).unwrap();
    for part in [
        "<svg ",
        ">mode shape</text>",
        ">undeformed</text>",
        ">rod mode 1: 0.5596 Hz</text>",
        ">x (m)</text>",
        "</svg>",
    ] {
        assert!(svg.contains(part), "{part} is missing");
    }
    assert!(fs::read(folder.join("a.png")).unwrap().starts_with(b"\x89PNG\r\n"));
    assert_eq!(carom(&folder, &args).stdout, output.stdout, "the same every time");
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let folder = with_model("modes-bad");
    for (args, says) in [
        (&["m.toml", "--body", "nosuch"][..], "there is no body `nosuch`"),
        (&["m.toml", "--body", "ball"], "the bodies with modes are rod, blade"),
        (&["m.toml", "--body", "rod", "--count", "37"], "37 modes are asked for, but the body has only 36"),
        (&["m.toml", "--count", "0"], "0 is not in 1.."),
        (&["m.toml", "--reference", "loose"], "possible values: clamped, pinned, articulated, mean-axis"),
        (&["m.toml", "--out", "figure.pdf"], "a name that ends in .csv, .svg or .png"),
        (&["ball"], "no body of the model has modes"),
        (&["stiff-3dof-constraint"], "a coded system has no elastic bodies"),
        (
            &["m.toml", "--set", "bodies.blade.elastic.modes=99"],
            "99 modes are asked for, but the body has only 18",
        ),
    ] {
        let output = carom(&folder, &[&["modes", "--out", "a.csv"], args].concat());
        assert_eq!(code(&output), 2, "{args:?}: {}", said(&output));
        assert!(complaint(&output).contains(says), "{args:?}: {}", complaint(&output));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}
