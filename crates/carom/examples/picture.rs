//! Draws the picture of a gallery model as its README asks, to standard output:
//!
//! ```text
//!   cargo run --release -p carom --example picture -- gallery/ball > gallery/ball/picture.svg
//! ```
//!
//! `[picture]` in the front matter: `frames` (instants of the mechanism, s) and `plot` (channels), or one of them;
//! `title` of the plot; `size` and `plot_size` of the two (pixels); `samples` over the run.

#![allow(clippy::print_stdout)]

use carom::{Setup, picture};
use std::error::Error;
use std::path::PathBuf;

/// Samples over the run; a picture has some hundred pixels to show them.
const SAMPLES: f64 = 800.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say which folder of the gallery")?);
    let readme = std::fs::read_to_string(folder.join("README.md"))?;
    let comment = readme.strip_prefix("<!--").and_then(|rest| rest.split_once("-->"));
    let card: toml::Table = toml::from_str(comment.ok_or("the README has no front matter")?.0)?;
    let wish = card["picture"].as_table().ok_or("`picture` is a table")?;

    let number = |v: &toml::Value| v.as_float().or(v.as_integer().map(|i| i as f64));
    let setup = Setup::open(&folder.join("model.toml"), &[])?;
    let mut settings = setup.settings();
    settings.output = Some(settings.end / wish.get("samples").and_then(number).unwrap_or(SAMPLES));
    let done = setup.run_with(settings, |_| true)?;
    let t = done.recording.column("t").ok_or("there is no time")?;
    let numbers = |key: &str| -> Vec<f64> {
        wish.get(key).and_then(|v| v.as_array()).map_or(Vec::new(), |a| a.iter().filter_map(number).collect())
    };
    let size_of = |key: &str, usual: [f64; 2]| numbers(key).try_into().unwrap_or(usual);

    let mut parts: Vec<([f64; 2], String)> = Vec::new();
    let frames: Vec<usize> =
        numbers("frames").iter().map(|&at| t.partition_point(|&t| t < at).min(t.len() - 1)).collect();
    if !frames.is_empty() {
        let size = size_of("size", [720.0, 360.0]);
        let drawing = setup.drawing();
        parts.push((size, picture::svg_poster(&drawing, &done.recording, &frames, size)));
    }
    if let Some(plot) = wish.get("plot").and_then(|v| v.as_array()) {
        let channels: Vec<&str> = plot.iter().filter_map(|v| v.as_str()).collect();
        let title = wish.get("title").and_then(|v| v.as_str()).unwrap_or("");
        let size = size_of("plot_size", [720.0, 240.0]);
        parts.push((size, picture::svg_plot(&done.recording, &channels, title, size)));
    }
    print!("{}", stack(&parts));
    Ok(())
}

/// One below the other, each in the middle.
fn stack(parts: &[([f64; 2], String)]) -> String {
    if let [(_, only)] = parts {
        return only.clone();
    }
    let width = parts.iter().fold(0.0_f64, |w, p| w.max(p.0[0]));
    let height: f64 = parts.iter().map(|p| p.0[1]).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n"
    );
    let mut y = 0.0;
    for (size, part) in parts {
        let x = 0.5 * (width - size[0]);
        svg.push_str(&part.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1));
        y += size[1];
    }
    svg.push_str("</svg>\n");
    svg
}
