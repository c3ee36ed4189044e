//! `carom animate`.

use crate::common::{BALL, carom, code, command, complaint, folder, said};
use std::fs;
use std::path::{Path, PathBuf};

fn with_run(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("m.toml"), BALL).unwrap();
    let output = carom(&folder, &["run", "m.toml", "--out", "ball", "--no-report", "--quiet"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    folder
}

const SMALL: [&str; 4] = ["--size", "160x120", "--fps", "5"];

#[test]
fn a_clip_and_its_poster() {
    let folder = with_run("animate-gif");
    let args = |out: &'static str| [&["animate", "ball", "-o", out][..], &SMALL].concat();
    let output = carom(&folder, &args("a.gif"));
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert!(said(&output).contains("a.gif: ") && said(&output).contains("a.png"), "{}", said(&output));
    let gif = fs::read(folder.join("a.gif")).unwrap();
    assert!(gif.starts_with(b"GIF89a"));
    assert_eq!(gif[6..10], [160, 0, 120, 0]);
    assert!(fs::read(folder.join("a.png")).unwrap().starts_with(b"\x89PNG\r\n"));
    assert_eq!(code(&carom(&folder, &args("b.gif"))), 0);
    assert_eq!(fs::read(folder.join("b.gif")).unwrap(), gif, "same run, same bytes");
}

#[test]
fn images_one_by_one_and_a_poster_alone() {
    let folder = with_run("animate-frames");
    let output =
        carom(&folder, &[&["animate", "ball", "-o", "frames/", "--speed", "1"][..], &SMALL].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let mut names: Vec<String> = fs::read_dir(folder.join("frames"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names[0], "frame-0001.png");
    assert_eq!(names.last().unwrap(), "poster.png");
    assert!(said(&output).contains(&format!("{} frames", names.len() - 1)));
    let read = |name: &str| fs::read(folder.join("frames").join(name)).unwrap();
    assert_eq!(read("frame-0001.png"), read("poster.png"));

    let output = carom(&folder, &["animate", "ball", "-o", "later.png", "--at", "0.4", "--size", "160x120"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert_ne!(fs::read(folder.join("later.png")).unwrap(), read("poster.png"));
}

#[test]
fn wrong_wishes_get_help() {
    let folder = with_run("animate-wrong");
    for (args, words) in [
        (&["animate", "ball", "-o", "a.avi"][..], "a name that ends in .gif, .mp4 or .png, or a folder"),
        (&["animate", "ball", "-o", "a.gif", "--from", "100"], "the run goes from"),
        (&["animate", "ball", "-o", "a.gif", "--fps", "80"], "at most 50"),
        (&["animate", "ball", "-o", "a.gif", "--speed", "-1"], "above 0"),
        (&["animate", "nowhere", "-o", "a.gif"], "nowhere"),
    ] {
        let output = carom(&folder, args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(complaint(&output).contains(words), "{args:?} said:\n{}", complaint(&output));
    }
    assert!(!folder.join("a.gif").exists());
}

/// A program called ffmpeg that counts what it is given.
#[cfg(unix)]
fn encoder(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("ffmpeg"), format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(bin.join("ffmpeg"), fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

#[cfg(unix)]
#[test]
fn an_encoder_is_fed_if_there_is_one() {
    let folder = with_run("animate-mp4");
    let args = [&["animate", "ball", "-o", "a.mp4", "--speed", "1"][..], &SMALL].concat();
    let run = |path: String| command(&folder, &args).env("PATH", path).output().unwrap();
    let system = "/usr/bin:/bin";

    let output = run(folder.join("nothing").display().to_string());
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("install ffmpeg, or write a .gif"), "{}", complaint(&output));

    let bin = encoder(&folder, "for last; do :; done\nwc -c > \"$last\"");
    let output = run(format!("{}:{system}", bin.display()));
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let bytes: usize = fs::read_to_string(folder.join("a.mp4")).unwrap().trim().parse().unwrap();
    let frames: usize =
        said(&output).split("a.mp4: ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert_eq!(bytes, frames * 4 * 160 * 120);
    assert!(folder.join("a.png").is_file());

    fs::remove_file(folder.join("a.mp4")).unwrap();
    let bin = encoder(&folder, "cat > /dev/null\necho 'no such codec' >&2\nexit 1");
    let output = run(format!("{}:{system}", bin.display()));
    assert_eq!(code(&output), 1);
    assert!(complaint(&output).contains("no such codec"), "{}", complaint(&output));
    assert!(!folder.join("a.mp4").exists(), "half a clip is not left behind");
}
