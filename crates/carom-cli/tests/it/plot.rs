//! `carom plot` and `carom picture`.

use crate::common::{BALL, Series, carom, code, complaint, folder, said};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with the results of a ball in `ball` and of one with another step in `fine`.
fn with_runs(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("m.toml"), BALL).unwrap();
    for (out, more) in [("ball", &[][..]), ("fine", &["--step", "2e-3"])] {
        let output =
            carom(&folder, &[&["run", "m.toml", "--out", out, "--no-report", "--quiet"], more].concat());
        assert_eq!(code(&output), 0, "{}", complaint(&output));
    }
    folder
}

fn done(folder: &Path, args: &[&str]) -> String {
    let output = carom(folder, args);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    said(&output)
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let output = carom(folder, args);
    assert_eq!(code(&output), 2, "{}{}", said(&output), complaint(&output));
    complaint(&output)
}

#[test]
fn channels_become_a_figure() {
    let folder = with_runs("plot-figure");
    done(&folder, &["plot", "ball", "ball.y", "ball.vy", "--title", "a < b", "-o", "figures/a.svg"]);
    let svg = fs::read_to_string(folder.join("figures/a.svg")).unwrap();
    for part in [">t (s)<", ">ball.y (m)<", ">ball.vy (m/s)<", ">ball.vy (right)<", ">a &lt; b<"] {
        assert!(svg.contains(part), "{part} is missing");
    }
    done(&folder, &["plot", "ball", "ball.y", "--size", "300x200", "-o", "a.png"]);
    let png = fs::read(folder.join("a.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n"));
    assert_eq!(png[16..24], [0, 0, 2, 88, 0, 0, 1, 144], "twice the size");
    // the same again is the same file
    done(&folder, &["plot", "ball", "ball.y", "--size", "300x200", "-o", "b.png"]);
    assert_eq!(fs::read(folder.join("b.png")).unwrap(), png);
}

#[test]
fn runs_are_compared_by_what_differs() {
    let folder = with_runs("plot-with");
    done(&folder, &["plot", "ball", "ball.y", "--with", "fine", "-o", "a.svg"]);
    let svg = fs::read_to_string(folder.join("a.svg")).unwrap();
    assert!(svg.contains("step 2e-3 s<"), "the legend says what differs");
    assert_eq!(svg.matches("stroke-width=\"1.7\"").count(), 4, "two curves and two samples of them");
}

#[test]
fn the_list_has_units_and_ranges() {
    let folder = with_runs("plot-list");
    let series = Series::read(&folder.join("ball/series.csv"));
    for args in [&["plot", "ball", "--list"][..], &["plot", "ball"]] {
        let text = done(&folder, args);
        let line = text.lines().find(|l| l.starts_with("ball.y ")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1], "m");
        let y = series.column("ball.y");
        let highest = y.iter().copied().fold(f64::MIN, f64::max);
        assert!((words[3].parse::<f64>().unwrap() - highest).abs() < 1e-3 * highest);
        assert!(!text.contains(".touch.") && !text.contains(".shape."), "what is for drawing only is hidden");
    }
}

#[test]
fn wrong_wishes_get_help() {
    let folder = with_runs("plot-wrong");
    for (args, words) in [
        (&["plot", "ball", "bal.y", "-o", "a.svg"][..], "did you mean `ball.y`?"),
        (&["plot", "ball", "ball.y", "-o", "a.pdf"], "a name that ends in .svg or .png"),
        (&["plot", "ball", "ball.y"], "name one: -o FILE.svg"),
        (&["plot", "nowhere", "ball.y", "-o", "a.svg"], "nowhere"),
        (&["plot", "ball", "ball.y", "ball.vy", "bounce.force_n", "-o", "a.svg"], "--panes"),
        (&["plot", "ball", "ball.y", "--size", "12", "-o", "a.svg"], "as in 720x400"),
        (&["picture", "ball", "-o", "a.gif"], "a name that ends in .svg or .png"),
    ] {
        let complaint = refused(&folder, args);
        assert!(complaint.contains(words), "{args:?} said:\n{complaint}");
    }
    assert!(!folder.join("a.svg").exists());
    fs::remove_file(folder.join("ball/scene.json")).unwrap();
    let complaint = refused(&folder, &["picture", "ball", "-o", "a.svg"]);
    assert!(complaint.contains("scene.json") && complaint.contains("carom run"), "{complaint}");
}

/// What `gallery/pictures.sh` does: front matter in, picture out.
#[test]
fn the_picture_of_the_slider_crank_is_what_the_command_draws() {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/slider-crank");
    let readme = fs::read_to_string(gallery.join("README.md")).unwrap();
    let front = readme.strip_prefix("<!--").and_then(|r| r.split_once("-->")).unwrap().0;
    let card: toml::Table = toml::from_str(front).unwrap();
    let wish = card["picture"].as_table().unwrap();
    let list = |key: &str, between: &str| {
        let word = |v: &toml::Value| v.as_str().map_or_else(|| v.to_string(), String::from);
        wish[key].as_array().unwrap().iter().map(word).collect::<Vec<_>>().join(between)
    };
    let folder = folder("picture-slider-crank");
    done(&folder, &["run", "slider-crank", "--out", "run", "--no-report", "--quiet"]);
    let (at, size, plot) = (list("frames", ","), list("size", "x"), list("plot", ","));
    let title = wish["title"].as_str().unwrap();
    done(
        &folder,
        &["picture", "run", "--at", &at, "--size", &size, "--plot", &plot, "--title", title, "-o", "p.svg"],
    );
    let drawn = fs::read_to_string(folder.join("p.svg")).unwrap();
    let kept = fs::read_to_string(gallery.join("picture.svg")).unwrap();
    assert!(drawn == kept, "run gallery/pictures.sh slider-crank and look at the picture");
}
