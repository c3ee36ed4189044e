//! The pages about space: the tutorial can be followed and tells the truth, and every joint has its picture.

#![allow(non_snake_case)]

use crate::book::{REFRESH, event, near, run, writes};
use crate::common::{Series, carom, code, complaint, folder};
use crate::pages::{page, read, root};
use std::fs;
use std::path::Path;

/// A picture of the book is the one that was just made.
fn shown(made: &Path, shown: &str) {
    let (made, path) = (fs::read(made).unwrap(), root().join("docs/src").join(shown));
    if writes() {
        fs::write(&path, &made).unwrap();
    }
    assert!(fs::read(&path).unwrap_or_default() == made, "docs/src/{shown} is old: {REFRESH}");
}

/// A folder with the files of the tutorial, in which its commands were run.
fn followed(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    for name in ["roll", "wheel", "gong"] {
        let file = format!("{name}.toml");
        fs::write(folder.join(&file), read(&format!("docs/examples/tutorial-space/{file}"))).unwrap();
    }
    for line in page("tutorial-space.md").commands().iter().filter(|line| line.starts_with("carom ")) {
        let output = run(&folder, line);
        assert_eq!(code(&output), 0, "{line}: {}", complaint(&output));
    }
    folder
}

#[test]
fn the_tutorial_in_space_can_be_followed() {
    let folder = followed("tutorial-space");
    shown(&folder.join("wheel.svg"), "tutorial-wheel.svg");
    shown(&folder.join("gong.svg"), "tutorial-gong.svg");
}

/// Against mechanics, and not against Carom.
#[test]
fn the_tutorial_in_space_tells_the_truth() {
    let folder = followed("tutorial-space-numbers");
    let text = page("tutorial-space.md").text;
    let stated = |what: &str, exact: f64, digits: usize, unit: &str| {
        let number = format!("{exact:.digits$} {unit}");
        assert!(text.contains(&number), "the tutorial does not say {what} {number}");
    };
    let series = |out: &str| Series::read(&folder.join(out).join("series.csv"));
    let g = 9.81;

    // the ball: slides for 2 v/(7 μ g), then rolls with 5 v/7
    let (v, mu, r) = (2.0, 0.2, 0.1);
    let (slides, rolls) = (2.0 * v / (7.0 * mu * g), 5.0 * v / 7.0);
    stated("how long it slides", slides, 3, "s");
    stated("how fast it rolls", rolls, 3, "m/s");
    let roll = series("roll.out");
    let (t, vx, wy) = (roll.column("t"), roll.column("ball.vx"), roll.column("ball.wy"));
    for i in 0..t.len() {
        let exact = if t[i] < slides { v - mu * g * t[i] } else { rolls };
        near("speed of the ball", vx[i], exact, 3e-3);
    }
    near("spin of the ball", *wy.last().unwrap(), rolls / r, 1e-9);

    // the wheel: Ω = m g l/(C ω), and it stays level
    let (l, C, spin) = (0.15, 0.5 * r * r, 300.0);
    let turn = g * l / (C * spin);
    stated("how fast it goes round", turn, 3, "rad/s");
    stated("how long a turn takes", std::f64::consts::TAU / turn, 3, "s");
    let wheel = series("wheel.out");
    let (t, x, y, z) =
        (wheel.column("t"), wheel.column("wheel.x"), wheel.column("wheel.y"), wheel.column("wheel.z"));
    for i in (0..t.len()).step_by(50) {
        near("x of the wheel", x[i], l * (turn * t[i]).cos(), 1e-4 * l);
        near("y of the wheel", y[i], l * (turn * t[i]).sin(), 1e-4 * l);
        near("z of the wheel", z[i], 0.0, 1e-4 * l);
    }

    // the gong: a mass J/h² at the height of the ball's centre
    let (h, e) = (0.55, 0.5);
    let J = 2.0 * (0.02 * 0.02 + 0.6 * 0.6) / 12.0 + 2.0 * 0.3 * 0.3;
    let mass = J / (h * h);
    stated("mass of the gong", mass, 3, "kg");
    let after = rolls * (1.0 - e * mass) / (1.0 + mass);
    let swing = rolls * (1.0 + e) / (1.0 + mass) / h;
    stated("speed after the blow", after, 3, "m/s");
    stated("swing of the gong", swing, 2, "rad/s");
    let slid = v * slides - 0.5 * mu * g * slides * slides;
    let meets = slides + (1.0 - r - slid) / rolls;
    stated("when they meet", meets, 3, "s");
    let [hit, before, apart, impulse] = event(&folder.join("gong.out"), "impact", "blow");
    stated("when the run has them meet", hit, 3, "s");
    near("time of the blow", hit, meets, 2e-3);
    near("speed of the blow", before, -rolls, 1e-9);
    near("speed apart", apart, e * rolls, 1e-9);
    near("impulse of the blow", impulse, rolls - after, 2e-3);
}

/// The models of the page on joints run, and their pictures are those of the page.
#[test]
fn every_joint_has_its_picture() {
    let text = page("theory/space.md").text;
    let work = folder("joints");
    let mut seen = 0;
    let mut files: Vec<_> = fs::read_dir(root().join("docs/examples/joints"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_string();
        let model = fs::read_to_string(&file).unwrap();
        assert!(model.contains(&format!("type = \"{name}\"")), "{name} shows itself");
        assert!(text.contains(&format!("joints/{name}.svg")), "{name} is in the page");
        fs::write(work.join(format!("{name}.toml")), &model).unwrap();
        let output =
            carom(&work, &["run", &format!("{name}.toml"), "--no-report", "--quiet", "--no-estimate"]);
        assert_eq!(code(&output), 0, "{name}: {}", complaint(&output));
        let end = model.lines().find_map(|line| line.strip_prefix("end = ")).expect("it says how long");
        let (out, picture) = (format!("{name}.out"), format!("{name}.svg"));
        let at = format!("0,{end}");
        let output = carom(&work, &["picture", &out, "--at", &at, "--size", "330x250", "-o", &picture]);
        assert_eq!(code(&output), 0, "{name}: {}", complaint(&output));
        shown(&work.join(&picture), &format!("joints/{name}.svg"));
        seen += 1;
    }
    assert_eq!(seen, 15, "joints with a picture");
}
