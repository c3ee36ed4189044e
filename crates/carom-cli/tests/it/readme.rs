//! Whatever the README names is there and does what it says.

use crate::common::{carom, code, complaint, folder, said};
use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn readme() -> String {
    fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap()
}

/// Code blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let parts: Vec<&str> = readme.split("```").collect();
    let fenced = parts.iter().skip(1).step_by(2);
    fenced.filter_map(|block| block.strip_prefix(&format!("{language}\n")).map(String::from)).collect()
}

#[test]
fn every_command_runs() {
    let folder = folder("readme");
    let blocks = blocks("sh");
    let mut commands: Vec<&str> = blocks.iter().flat_map(|block| block.lines()).collect();
    commands.iter_mut().for_each(|line| *line = line.split(" #").next().unwrap().trim());
    let mut run = 0;
    for line in commands {
        let carom_line = line.strip_prefix("cargo run --release -- ").or_else(|| line.strip_prefix("carom "));
        if let Some(rest) = carom_line {
            let args: Vec<&str> = rest.split_whitespace().collect();
            let output = carom(&folder, &args);
            assert_eq!(code(&output), 0, "{line}: {}", complaint(&output));
            assert!(!said(&output).is_empty(), "{line}");
            run += 1;
        }
    }
    assert!(run >= 10, "the commands were found");
    assert!(folder.join("slider-crank.out/report.html").is_file());
    assert!(folder.join("slider-crank.out/series.npz").is_file());
}

#[test]
fn the_model_runs() {
    let folder = folder("readme-model");
    let models = blocks("toml");
    assert_eq!(models.len(), 1);
    fs::write(folder.join("model.toml"), &models[0]).unwrap();
    let output = carom(&folder, &["run", "model.toml"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
}

#[test]
fn every_file_it_links_exists() {
    let readme = readme();
    let links: Vec<&str> = readme.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(links.len() >= 4);
    let heading = |anchor: &str| readme.to_lowercase().contains(&format!("\n## {anchor}\n"));
    for link in links.into_iter().filter(|link| !link.starts_with("http")) {
        let there = match link.strip_prefix('#') {
            Some(anchor) => heading(anchor),
            None => Path::new(ROOT).join(link).exists(),
        };
        assert!(there, "{link}");
    }
}
