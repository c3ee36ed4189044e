//! `carom spectrum`.

use crate::common::{carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;

#[test]
fn a_table_says_what_a_scheme_does() {
    let folder = folder("spectrum-table");
    let output = carom(&folder, &["spectrum", "generalized-alpha", "moreau-midpoint", "--set", "rho=0.5"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let text = said(&output);
    assert!(text.contains("generalized-alpha (rho = 0.5): stable at every step"), "{text}");
    assert!(text.contains("spectral radius at infinity 0.5."), "{text}");
    assert!(text.contains("moreau-midpoint: stable up to ω dt = 2.0000, which is dt = 0.3183 T."), "{text}");
    // the row at dt/T = 0.01: Ω = 0.0628, period error −Ω²/24
    let row = text.lines().filter(|l| l.starts_with("0.01 ")).nth(1).expect("a row at 0.01");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["0.01", "1.000000", "0", "-1.645e-4"]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is written unless asked for");
}

#[test]
fn parameters_are_per_scheme_or_for_all_that_have_them() {
    let folder = folder("spectrum-parameters");
    let args =
        ["spectrum", "generalized-alpha:rho=0.2", "generalized-alpha", "hht", "--set", "rho=0.9", "--json"];
    let output = carom(&folder, &[&args[..], &["--points", "7", "--damping", "0.05"]].concat());
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!(data["damping"], 0.05);
    let names: Vec<&str> =
        data["schemes"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["generalized-alpha (rho = 0.2)", "generalized-alpha (rho = 0.9)", "hht (alpha = 0.1)"]
    );
    let scheme = &data["schemes"][1];
    assert_eq!(scheme["stability"], "always");
    assert!((scheme["radius_at_infinity"].as_f64().unwrap() - 0.9).abs() < 1e-2);
    let point = &scheme["points"][0];
    assert_eq!(scheme["points"].as_array().unwrap().len(), 7);
    assert_eq!(point["step"], 1e-3);
    // the damper of the oscillator, at a step that resolves it
    assert!((point["damping"].as_f64().unwrap() - 0.05).abs() < 1e-5, "{point}");
    assert!(point["eigenvalues"].as_array().unwrap().len() >= 3);
}

#[test]
fn curves_and_figures_are_written() {
    let folder = folder("spectrum-files");
    let args = ["spectrum", "newmark", "hht", "--out", "a.csv", "--out", "figures/a.svg", "--out", "a.png"];
    let output = carom(&folder, &args);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let csv = fs::read_to_string(folder.join("a.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("scheme,dt/T,spectral_radius,damping_ratio,period_error"));
    assert_eq!(lines.clone().count(), 2 * 241);
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(first[..2], ["\"newmark (gamma = 0.5)\"", "0.001"]);
    assert!((first[2].parse::<f64>().unwrap() - 1.0).abs() < 1e-12);
    let svg = fs::read_to_string(folder.join("figures/a.svg")).unwrap();
    for part in ["<svg ", ">hht (alpha = 0.1)</text>", ">Δt/T</text>", ">spectral radius</text>", "</svg>"] {
        assert!(svg.contains(part), "{part} is missing");
    }
    assert!(fs::read(folder.join("a.png")).unwrap().starts_with(b"\x89PNG\r\n"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let folder = folder("spectrum-bad");
    for (args, says) in [
        (&["nosuch"][..], "there is no scheme `nosuch`; the schemes are moreau-jean"),
        (&["hht:rho=0.5"], "scheme `hht` has no parameter `rho`; it has alpha"),
        (&["hht", "--set", "rho=0.5"], "scheme `hht` has no parameter `rho`"),
        (&["generalized-alpha:rho=1.5"], "it must lie between 0 and 1"),
        (&["hht:alpha"], "`alpha` is not KEY=VALUE with a number"),
        (&["hht", "--damping", "-1"], "it must be at least 0 and below 1"),
        (&["hht", "--from", "1", "--to", "0.1"], "a larger `--to`"),
        (&["hht", "--out", "figure.pdf"], "a name that ends in .csv, .svg or .png"),
        (&["hht", "--points", "1"], "1 is not in 2..=10000"),
        (&[], "SCHEME"),
    ] {
        let output = carom(&folder, &[&["spectrum", "--out", "a.csv"], args].concat());
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(complaint(&output).contains(says), "{args:?}: {}", complaint(&output));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // a place where nothing can be written is no usage error
    let output = carom(&folder, &["spectrum", "hht", "--out", "/dev/null/a.csv"]);
    assert_eq!(code(&output), 1, "{}", complaint(&output));
}
