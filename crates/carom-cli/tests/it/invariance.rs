//! The same mechanism in another size or in other units moves in the same way.

use crate::common::{CRANK, Series, carom, code, complaint, folder};
use std::fs;
use std::path::Path;

fn run(folder: &Path, out: &str, args: &[&str]) -> Series {
    let output = carom(folder, &[&["run", "crank.toml", "--quiet", "--out", out], args].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    Series::read(&folder.join(out).join("series.csv"))
}

/// Largest difference of two columns over the largest value, or over `least` if nothing is as large.
fn apart(a: &[f64], b: &[f64], factor: f64, least: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    let most = a.iter().fold(least, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b * factor).abs())) / most
}

const LENGTHS: [&str; 4] = ["crank.x", "rod.y", "slider.x", "slider.y"];
const SPEEDS: [&str; 2] = ["slider.vx", "slider.vy"];
const ANGLES: [&str; 4] = ["crank.angle", "rod.angle", "slider.angle", "crank.omega"];

/// A mechanism a thousand times smaller, with gravity, inertias and torques to match, repeats the motion to 1e-9; one
/// that is smaller by a power of two repeats it to the bit, because nothing in the program is measured in metres.
#[test]
fn a_model_scaled_in_length() {
    let folder = folder("scaled");
    fs::write(folder.join("crank.toml"), CRANK).unwrap();
    for scheme in ["moreau-jean", "generalized-alpha", "moreau-midpoint-projected"] {
        let one = run(&folder, "one", &["--scheme", scheme]);
        assert!(one.column("guide.1.impulse_n").iter().any(|p| *p > 0.0), "{scheme}: there is contact");
        let small = run(&folder, "small", &["--scheme", scheme, "--set", "s=1e-3"]);
        for name in LENGTHS.iter().chain(&SPEEDS) {
            let apart = apart(&one.column(name), &small.column(name), 1e3, 0.0);
            assert!(apart < 1e-9, "{scheme}: {name} {apart:e}");
        }
        for name in ANGLES {
            // an angle of nothing but round-off is compared with a radian
            let apart = apart(&one.column(name), &small.column(name), 1.0, 1.0);
            assert!(apart < 1e-9, "{scheme}: {name} {apart:e}");
        }
        let exact = run(&folder, "exact", &["--scheme", scheme, "--set", "s=0.0009765625"]);
        for name in LENGTHS.iter().chain(&SPEEDS) {
            assert_eq!(apart(&one.column(name), &exact.column(name), 1024.0, 0.0), 0.0, "{scheme}: {name}");
        }
    }
}

/// The same numbers in millimetres, with `units = "mm"`: kg mm² for inertias, N/mm for stiffness, N mm for torques.
#[test]
fn the_twin_in_millimetres() {
    let folder = folder("millimetres");
    fs::write(folder.join("crank.toml"), CRANK).unwrap();
    let metres = run(&folder, "metres", &[]);
    let twin = CRANK
        .replace("version = 1\n", "version = 1\nunits = \"mm\"\n")
        .replace("s = 1\n", "s = 1000\n")
        .replace("stiffness = 40, damping = 0.3", "stiffness = 0.04, damping = 0.0003")
        .replace("0.05*s^2*sin", "0.05*s*sin");
    fs::write(folder.join("crank.toml"), twin).unwrap();
    let millimetres = run(&folder, "millimetres", &[]);
    assert_eq!(metres.column("t"), millimetres.column("t"));
    for name in LENGTHS.iter().chain(&SPEEDS) {
        let apart = apart(&metres.column(name), &millimetres.column(name), 1e-3, 0.0);
        assert!(apart < 1e-9, "{name}: {apart:e}");
    }
    // forces are newtons in both
    for name in ["wrist.force_x", "bearing.force_y"] {
        let apart = apart(&metres.column(name), &millimetres.column(name), 1.0, 0.0);
        assert!(apart < 1e-6, "{name}: {apart:e}");
    }
}
