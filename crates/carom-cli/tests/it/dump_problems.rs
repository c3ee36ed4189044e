//! `carom run --dump-problems`: hard contact problems become files that `carom solve` reads.

use crate::common::{BALL, carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;

/// A thousand times heavier, twice: contact by contact is too slow for it, all contacts at once is not.
const HEAVY: &str = r#"version = 1
title = "A heavy disk on light ones"
gravity = [0.0, -10.0]

[ground.shapes.floor]
type = "line"
through = [0.0, 0.0]
normal = [0.0, 1.0]

[bodies.low]
mass = 1.0
position = [0.0, 0.1]
shapes.skin = { type = "disk", radius = 0.1 }

[bodies.middle]
mass = 1e3
position = [0.0, 0.3]
shapes.skin = { type = "disk", radius = 0.1 }

[bodies.top]
mass = 1e6
position = [0.0, 0.5]
shapes.skin = { type = "disk", radius = 0.1 }

[contacts]
floor = { between = ["low.skin", "ground.floor"] }
lower = { between = ["low.skin", "middle.skin"] }
upper = { between = ["middle.skin", "top.skin"] }

[simulation]
step = 1e-3
end = 0.01
"#;

#[test]
fn what_one_solver_cannot_solve_is_kept_for_the_others() {
    let folder = folder("dump-hard");
    fs::write(folder.join("heavy.toml"), HEAVY).unwrap();
    let run = |solver: &str, out: &str| {
        carom(&folder, &["run", "heavy.toml", "--no-report", "--solver", solver, "--dump-problems", out])
    };
    // nothing is hard for auto, and no folder is made
    let output = run("auto", "none");
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert!(said(&output).contains("No hard contact problems") && !folder.join("none").exists());
    // contact by contact the run fails, in whatever parts the step is tried
    let output = run("gauss-seidel", "hard");
    assert_eq!(code(&output), 1);
    assert!(complaint(&output).contains("hard contact problems are in hard"), "{}", complaint(&output));
    let mut files: Vec<String> = fs::read_dir(folder.join("hard"))
        .unwrap()
        .map(|entry| format!("hard/{}", entry.unwrap().file_name().into_string().unwrap()))
        .collect();
    files.sort();
    assert_eq!(files[0], "hard/step-0000001-t-0.000000e0-1.dat");
    // the same solver gives up on the file as it did in the run, and another one solves it
    let solve = |solver: &str| {
        let output = carom(&folder, &["solve", &files[0], "--solver", solver, "--tol", "1e-12", "--json"]);
        let text = said(&output);
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        (code(&output), answer)
    };
    assert_eq!(solve("auto").0, 0);
    assert_eq!(solve("gauss-seidel").0, 1);
}

#[test]
fn every_problem_is_kept_if_asked_for() {
    let folder = folder("dump-all");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let output =
        carom(&folder, &["run", "ball.toml", "--no-report", "--dump-problems", "all", "--all-problems"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let count = fs::read_dir(folder.join("all")).unwrap().count();
    assert!(count > 3 && said(&output).contains(&format!("{count} contact problems are in all")));
    // a file in the way
    let output = carom(&folder, &["run", "ball.toml", "--dump-problems", "ball.toml"]);
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("`ball.toml` is a file"), "{}", complaint(&output));
}
