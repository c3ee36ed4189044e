//! `new`, `completions`, `man`, `doctor`, and what `check --json` says of mistakes.

use crate::common::{BALL, carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// Names in the list that `carom new` prints.
fn templates() -> Vec<String> {
    let list = said(&carom(&folder("new-list"), &["new"]));
    list.lines()
        .take_while(|line| !line.is_empty())
        .map(|l| l.split_whitespace().next().unwrap().into())
        .collect()
}

#[test]
fn every_template_is_a_good_model_with_comments() {
    let folder = folder("new");
    let names = templates();
    for name in ["slider-crank", "ball", "pendulum", "four-bar", "spring", "beam", "two-body"] {
        assert!(names.iter().any(|n| n == name), "{name} in {names:?}");
    }
    for name in &names {
        let output = carom(&folder, &["new", name]);
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        assert_eq!(said(&output), format!("Wrote {name}.toml. Next: carom run {name}.toml\n"));
        let file = format!("{name}.toml");
        let text = fs::read_to_string(folder.join(&file)).unwrap();
        // every block is explained: by a comment in it or above it
        for block in text.split("\n\n").filter(|block| block.contains('[')) {
            assert!(block.contains('#'), "{name}: no comment in\n{block}");
        }
        assert!(text.matches('#').count() >= 12, "{name} explains itself");
        let check = carom(&folder, &["check", &file, "--json"]);
        assert_eq!(code(&check), 0, "{}", complaint(&check));
        let check: Value = serde_json::from_str(&said(&check)).unwrap();
        assert_eq!(check["warnings"], Value::Array(vec![]), "{name}");
        let run = carom(&folder, &["run", &file, "--json"]);
        assert_eq!(code(&run), 0, "{name}: {}", complaint(&run));
        assert_eq!(complaint(&run), "", "{name}");
        let summary: Value = serde_json::from_str(&said(&run)).unwrap();
        assert_eq!(summary["stop"], "done", "{name}");
        let verdict = summary["audit"]["verdict"].as_str().unwrap();
        assert!(verdict.starts_with("Good to about"), "{name}: {verdict}");
        let failures = &summary["audit"]["failures"];
        assert_eq!(failures, 0, "{name}");
    }
    // those with a contact hit something
    for name in ["ball", "pendulum", "spring", "slider-crank"] {
        let text = fs::read_to_string(folder.join(format!("{name}.out/summary.json"))).unwrap();
        let summary: Value = serde_json::from_str(&text).unwrap();
        assert!(summary["impacts"].as_u64().unwrap() >= 3, "{name}: {}", summary["impacts"]);
    }
}

#[test]
fn a_template_does_not_overwrite() {
    let folder = folder("new-twice");
    fs::write(folder.join("mine.toml"), "precious").unwrap();
    let args = ["new", "ball", "--out", "mine.toml"];
    let output = carom(&folder, &args);
    assert_eq!(code(&output), 2);
    assert!(
        complaint(&output).contains("--force") && complaint(&output).contains("carom docs"),
        "{}",
        complaint(&output)
    );
    assert_eq!(fs::read_to_string(folder.join("mine.toml")).unwrap(), "precious");
    assert_eq!(code(&carom(&folder, &[&args[..], &["--force"]].concat())), 0);
    assert!(fs::read_to_string(folder.join("mine.toml")).unwrap().contains("Bouncing ball"));
    assert_eq!(code(&carom(&folder, &["new", "bal"])), 2);
    assert_eq!(code(&carom(&folder, &["new", "ball", "--out", "."])), 2);
}

/// Commands that `carom --help` names.
fn commands(help: &str) -> Vec<&str> {
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| {
            line.strip_prefix("  ")?.split_whitespace().next().filter(|_| !line.starts_with("   "))
        })
        .collect();
    assert!(commands.len() > 8, "{commands:?}");
    commands
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let folder = folder("man");
    let help = said(&carom(&folder, &["--help"]));
    assert_eq!(code(&carom(&folder, &["man", "--out", "man1"])), 0);
    let written = |name: &str| fs::read_to_string(folder.join("man1").join(name)).unwrap();
    assert!(written("carom.1").contains(".TH carom 1"));
    for command in commands(&help).into_iter().filter(|command| *command != "help") {
        let page = written(&format!("carom-{command}.1"));
        assert!(
            page.contains(&format!("carom\\-{command} \\- ")),
            "a name and a line for {command}:\n{page}"
        );
        assert_eq!(said(&carom(&folder, &["man", command])), page, "{command}");
    }
    assert!(written("carom-run.1").contains("\\fB\\-\\-step\\fR"), "{}", written("carom-run.1"));
    let output = carom(&folder, &["man", "rum"]);
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("did you mean `run`?"), "{}", complaint(&output));
    fs::write(folder.join("file"), "").unwrap();
    assert_eq!(code(&carom(&folder, &["man", "--out", "file"])), 2);
}

#[test]
fn completions_know_every_command() {
    let folder = folder("completions");
    let help = said(&carom(&folder, &["--help"]));
    let commands = commands(&help);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = carom(&folder, &["completions", shell]);
        assert_eq!(code(&output), 0, "{shell}");
        let script = said(&output);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let script = folder.join("carom.bash");
    fs::write(&script, said(&carom(&folder, &["completions", "bash"]))).unwrap();
    let parsed = Command::new("bash").arg("-n").arg(&script).output().unwrap();
    assert!(parsed.status.success(), "{}", String::from_utf8_lossy(&parsed.stderr));
    // and it completes: a command, and a model of the gallery
    for (words, expected) in
        [("carom conv", "convergence"), ("carom run slider-crank-m", "slider-crank-modal")]
    {
        let list: Vec<&str> = words.split(' ').collect();
        let line = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD={}; _carom_models carom '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            script.display(),
            list.len() - 1,
            list[list.len() - 1],
            list[list.len() - 2]
        );
        let output = Command::new("bash").args(["-c", &line]).output().unwrap();
        let answers = String::from_utf8(output.stdout).unwrap();
        assert!(
            answers.lines().any(|l| l == expected),
            "{words}: {answers} {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn the_doctor_finds_all_well() {
    let folder = folder("doctor");
    let output = carom(&folder, &["doctor"]);
    assert_eq!(code(&output), 0, "{}{}", said(&output), complaint(&output));
    let text = said(&output);
    for word in ["version", "0.1.0", "target", "threads", "encoder", "self-check", "All is well."] {
        assert!(text.contains(word), "{word} in\n{text}");
    }
    let data: Value = serde_json::from_str(&said(&carom(&folder, &["doctor", "--json"]))).unwrap();
    assert_eq!(data["ok"], true);
    assert!(data["findings"].as_array().unwrap().iter().all(|f| f["ok"] == true && f["found"] != ""));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn mistakes_as_data_and_without_colour() {
    let folder = folder("check-json");
    fs::write(
        folder.join("bad.toml"),
        BALL.replace("mass = 1.0", "mas = 1.0").replace("step = 1e-3", "dt = 1e-3"),
    )
    .unwrap();
    let output = carom(&folder, &["check", "bad.toml", "--json"]);
    assert_eq!(code(&output), 2);
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    let errors = data["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 2);
    assert_eq!((&errors[0]["line"], &errors[0]["text"]), (&Value::from(15), &Value::from("mas")));
    assert_eq!(errors[1]["docs"], "model-file#simulation");
    let told = complaint(&output);
    assert!(!told.contains('\x1b') && told.trim_end().ends_with("2 errors"), "{told}");
    // a warning before a run, in a line
    fs::write(folder.join("odd.toml"), BALL.replace("height = 1.2", "height = 1.2\nspare = 2")).unwrap();
    let output = carom(&folder, &["run", "odd.toml", "--end", "0.1"]);
    assert_eq!(code(&output), 0);
    assert!(
        complaint(&output).starts_with("warning: odd.toml:7: nothing uses the parameter `spare`;"),
        "{}",
        complaint(&output)
    );
    assert_eq!(complaint(&carom(&folder, &["run", "odd.toml", "--end", "0.1", "--quiet"])), "");
}
