//! `carom sweep`: right numbers, the same bytes for any number of threads, shards that make up the whole, mistakes before runs.

use crate::common::{self, BALL, carom, code, complaint, folder, said};
use std::fs;
use std::path::Path;

/// Cells of a CSV without quotes that matter here.
fn rows(file: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(file).unwrap();
    let cells = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
    let mut lines = text.lines();
    (cells(lines.next().unwrap()), lines.map(cells).collect())
}

fn column(file: &Path, name: &str) -> Vec<String> {
    let (head, rows) = rows(file);
    let i = head.iter().position(|h| h == name).unwrap_or_else(|| panic!("no column {name} in {head:?}"));
    rows.into_iter().map(|row| row[i].clone()).collect()
}

fn numbers(file: &Path, name: &str) -> Vec<f64> {
    column(file, name).iter().map(|x| x.parse().unwrap()).collect()
}

/// Falls 1 m under 10 m/s², hits with √20, leaves with e √20 and rises by e² m.
#[test]
fn a_ball_rebounds_as_newton_says() {
    let folder = folder("sweep-ball");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let args =
        ["sweep", "ball.toml", "--vary", "contacts.bounce.restitution=0.1:0.9:5", "--vary", "height=1.2,2.4"];
    let more = [
        "--scheme",
        "dopri5",
        "--set",
        "radius=0.2",
        "--measure",
        "ball.vy:max",
        "--end",
        "0.71",
        "--out",
        "out",
    ];
    let output = carom(&folder, &[&args[..], &more[..]].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let file = folder.join("out/sweep.csv");
    let (e, h) = (numbers(&file, "contacts.bounce.restitution"), numbers(&file, "height"));
    assert_eq!(e.len(), 10);
    assert_eq!((e[0], h[0], e[1], h[1]), (0.1, 1.2, 0.1, 2.4), "the last axis is the fastest");
    for ((e, h), v) in e.iter().zip(&h).zip(numbers(&file, "ball.vy:max")) {
        let fall = h - 0.2;
        // samples are 1e-3 s apart: the fastest one may be a sample after the impact
        let exact = e * (20.0 * fall).sqrt();
        assert!(exact - v < 10.0 * 1.1e-3 && v <= exact + 1e-6, "e = {e}, h = {h}: {v}, exact {exact}");
        let rise = v * v / 20.0;
        assert!((rise - e * e * fall).abs() < 5e-3 * fall, "rebound {rise}, exact {}", e * e * fall);
    }
    assert!(column(&file, "stop").iter().all(|stop| stop == "done"));
    let text = said(&output);
    assert!(text.contains("10 cases, all to the end") && text.contains("ball.vy:max: "), "{text}");
    assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 1, "only the table is kept");
}

#[test]
fn threads_and_shards_change_nothing() {
    let folder = folder("sweep-threads");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let sweep = |more: &[&str]| {
        let args = [
            "sweep",
            "ball.toml",
            "--vary",
            "height=0.5:2:7",
            "--measure",
            "ball.y:mean",
            "--end",
            "0.5",
            "-q",
        ];
        let output = carom(&folder, &[&args[..], more].concat());
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        assert_eq!(said(&output), "");
    };
    sweep(&["--jobs", "1", "--out", "one"]);
    sweep(&["--jobs", "3", "--out", "three"]);
    let whole = fs::read_to_string(folder.join("one/sweep.csv")).unwrap();
    assert_eq!(whole, fs::read_to_string(folder.join("three/sweep.csv")).unwrap());
    // shards together are the whole
    let mut lines = Vec::new();
    for k in 1..=3 {
        sweep(&["--shard", &format!("{k}/3"), "--out", "shards"]);
        let text = fs::read_to_string(folder.join(format!("shards/sweep-{k}-of-3.csv"))).unwrap();
        assert_eq!(text.lines().next(), whole.lines().next());
        lines.extend(text.lines().skip(1).map(String::from).collect::<Vec<_>>());
    }
    lines.sort();
    let mut all: Vec<String> = whole.lines().skip(1).map(String::from).collect();
    assert_eq!(all.len(), 7);
    all.sort();
    assert_eq!(lines, all);
    // and a case is the run that its row says
    let value = column(&folder.join("one/sweep.csv"), "height")[2].clone();
    let run =
        carom(&folder, &["run", "ball.toml", "--set", &format!("height={value}"), "--end", "0.5", "--json"]);
    let run: serde_json::Value = serde_json::from_str(&said(&run)).unwrap();
    assert_eq!(run["digest"], column(&folder.join("one/sweep.csv"), "digest")[2]);
}

#[test]
fn a_case_that_fails_is_a_row_and_the_others_go_on() {
    let folder = folder("sweep-fails");
    // an explicit scheme on a spring: stable for the soft one, not for the stiff one
    let spring = "[forces.spring]\ntype = \"spring\"\nbetween = [\"ball\", \"ground.hook\"]\nstiffness = 1\n\
                  length = 0.9\n\n[ground.points]\nhook = [0.0, 2.2]\n\n[simulation]\n\
                  scheme = \"moreau-explicit\"\n";
    fs::write(folder.join("stiff.toml"), BALL.replace("[simulation]\n", spring)).unwrap();
    let output = carom(
        &folder,
        &["sweep", "stiff.toml", "--vary", "forces.spring.stiffness=10,1e12,100", "--end", "0.5", "--keep"],
    );
    assert_eq!(code(&output), 1, "{}", complaint(&output));
    assert!(complaint(&output).contains("1 of 3 cases failed"), "{}", complaint(&output));
    let file = folder.join("stiff.sweep/sweep.csv");
    assert_eq!(column(&file, "stop"), ["done", "failed", "done"]);
    assert!(fs::read_to_string(&file).unwrap().contains("ball.vy"), "the row says why");
    for case in ["case-0001", "case-0002", "case-0003"] {
        assert!(folder.join("stiff.sweep").join(case).join("summary.json").is_file(), "{case}");
    }
}

#[test]
fn mistakes_are_told_before_the_first_run() {
    let folder = folder("sweep-mistakes");
    fs::write(folder.join("ball.toml"), BALL.replace("restitution = 0.8", "restitution = \"=height/2\""))
        .unwrap();
    for (args, words) in [
        (
            &["--vary", "heigth=1,2"][..],
            &["--vary:1:1", "heigth=1,2\n", "^^^^^^", "did you mean `height`", "carom docs"][..],
        ),
        (
            &["--vary", "bodies.ball.mass=1,-2,3"],
            &["--vary:1:20", "\n  |                    ^^\n", "above 0", "model-file#bodies"],
        ),
        (
            &["--vary", "height=1,5"],
            &["--vary:1:10", "`height = 5` makes no model", "ball.toml:21:", "between 0 and 1"],
        ),
        (&["--vary", "simulation.scheme=hht,moreau"], &["--vary:1:23", "there is no scheme"]),
        (&["--vary", "height=1:2"], &["from:to:count", "carom docs command-line#carom-sweep"]),
        (&["--vary", "height=1,2", "--vary", "height=3"], &["varied twice"]),
        (
            &["--vary", "height=1,1.5", "--measure", "ball.yy:max"],
            &["--measure:1:1", "did you mean `ball.y`"],
        ),
        (&["--vary", "height=1", "--measure", "ball.y:top"], &["max, min, last"]),
        (&["--vary", "height=1", "--shard", "3/2"], &["K/N"]),
        (&["--vary", "height=1", "--jobs", "0"], &["--jobs"]),
        (&[], &["--vary"]),
    ] {
        let output = carom(&folder, &[&["sweep", "ball.toml"][..], args].concat());
        let told = complaint(&output);
        assert_eq!(code(&output), 2, "{args:?}: {told}");
        for word in words {
            assert!(told.contains(word), "{args:?}: `{word}` in\n{told}");
        }
        assert_eq!(said(&output), "", "{args:?}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is written");
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_keeps_its_finished_rows() {
    use std::process::{Command, Stdio};
    let folder = folder("sweep-interrupted");
    fs::write(folder.join("ball.toml"), BALL.replace("end = 2.0", "end = 2.0\noutput = 0.1")).unwrap();
    // a short case and then a day of simulated time
    let mut child = common::command(
        &folder,
        &["sweep", "ball.toml", "--vary", "simulation.end=0.1,86400", "--jobs", "1"],
    )
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let end = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(end.elapsed().as_secs() < 20, "it stops soon");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", complaint(&output));
    assert_eq!(column(&folder.join("ball.sweep/sweep.csv"), "simulation.end"), ["0.1"]);
}

/// Killed without warning in the middle of a row, a sweep goes on from the rows before it; the table is that of one that was
/// not; a table that is complete is not run again; rows of another sweep are not taken for its own.
#[test]
fn a_sweep_that_was_cut_off_goes_on() {
    let folder = folder("sweep-resume");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    let sweep = |out: &str, more: &[&str]| {
        let vary =
            ["--vary", "height=0.5:2:8", "--measure", "ball.y:mean", "--end", "0.3", "-q", "--out", out];
        carom(&folder, &[&["sweep", "ball.toml"][..], &vary, more].concat())
    };
    assert_eq!(code(&sweep("whole", &[])), 0);
    let whole = fs::read_to_string(folder.join("whole/sweep.csv")).unwrap();
    let output = sweep("part", &["--resume"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert_eq!(fs::read_to_string(folder.join("part/sweep.csv")).unwrap(), whole);

    // what a kill leaves behind: the head, three rows and a piece of one, no table
    let rows = folder.join("part/sweep.csv.rows");
    let kept = fs::read_to_string(&rows).unwrap();
    let lines: Vec<&str> = kept.lines().collect();
    assert_eq!(lines.len(), 9, "a head and eight rows");
    // a row that is marked shows that it was not run again
    let marked = lines[2].replacen("\"reason\":null", "\"reason\":\"kept\"", 1);
    assert_ne!(marked, lines[2]);
    let index: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
    let index = index["index"].as_u64().unwrap();
    fs::write(&rows, [lines[0], lines[1], &marked, lines[3], &lines[4][..20]].join("\n")).unwrap();
    fs::remove_file(folder.join("part/sweep.csv")).unwrap();
    let output = sweep("part", &["--resume"]);
    assert_eq!(code(&output), 1, "the marked row says that it failed: {}", complaint(&output));
    let again = fs::read_to_string(folder.join("part/sweep.csv")).unwrap();
    let marks: Vec<usize> =
        again.lines().enumerate().filter(|(_, line)| line.ends_with(",kept")).map(|(i, _)| i).collect();
    assert_eq!(marks, [index as usize + 1]);
    assert_eq!(again.replace(",failed,", ",done,").replace(",kept\n", ",\n"), whole);
    assert_eq!(fs::read_to_string(&rows).unwrap().lines().count(), 9, "nothing is counted twice");

    // complete: the clock says that nothing runs, and the rows say so too
    let before = fs::read_to_string(&rows).unwrap();
    assert_eq!(code(&sweep("part", &["--resume"])), 1);
    assert_eq!(fs::read_to_string(&rows).unwrap().lines().count(), before.lines().count());

    for other in
        [&["--measure", "ball.y:max"][..], &["--set", "radius=0.1"], &["--shard", "1/1", "--step", "1e-4"]]
    {
        let output = sweep("part", &[other, &["--resume"]].concat());
        // a shard has rows of its own
        let expected = if other[0] == "--shard" { 0 } else { 2 };
        assert_eq!(code(&output), expected, "{other:?}: {}", complaint(&output));
        assert!(
            expected == 0 || complaint(&output).contains("rows of another sweep"),
            "{}",
            complaint(&output)
        );
    }
    fs::write(folder.join("ball.toml"), BALL.replace("mass = ", "mass = 1")).unwrap();
    let output = sweep("part", &["--resume"]);
    assert_eq!(code(&output), 2, "another model: {}", complaint(&output));
}
