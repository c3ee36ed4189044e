//! Result folders read back: what was written, and what is left of it when files are damaged.

use crate::common::{self, data, directory};
use carom_dynamics::{Channel, EventKind, Recording, Stop, Summary};
use carom_io::facts::{BodyFacts, ContactFacts, JointFacts};
use carom_io::units::Units;
use carom_io::write::report::html;
use carom_io::{Facts, Formats, Results, RunInfo, Scene, Stored, results, write_results};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn facts() -> Facts {
    let between = vec!["ground.pivot".into(), "ball".into()];
    Facts {
        bodies: vec![BodyFacts {
            name: "ball".into(),
            kind: "rigid".into(),
            mass: 1.0,
            inertia: Some(1e-3),
            ..BodyFacts::default()
        }],
        joints: vec![JointFacts { name: "pivot".into(), kind: "revolute".into(), between, rows: 2 }],
        contacts: vec![ContactFacts { name: "floor".into(), count: 1, restitution: 0.8, friction: 0.0 }],
        coordinates: 3,
        degrees_of_freedom: 3,
        redundant: vec!["pivot.x".into()],
        size: 1.05,
    }
}

fn write_run(
    name: &str,
    recording: &Recording,
    summary: &Summary,
    run: &RunInfo,
    formats: &Formats,
) -> PathBuf {
    let (drawing, facts, path) = (common::drawing(), facts(), directory(name));
    let results = Results { recording, summary, run, drawing: &drawing, facts: Some(&facts), bands: None };
    write_results(&path, &results, formats).unwrap();
    path
}

fn write(name: &str, recording: &Recording) -> PathBuf {
    let formats = Formats { report: false, ..Formats::default() };
    write_run(name, recording, &common::summary(), &common::run_info(), &formats)
}

fn open(path: &Path) -> Stored {
    results::open(path).unwrap_or_else(|e| panic!("{e}"))
}

fn assert_same_bits(a: &Recording, b: &Recording) {
    assert_eq!(a.channels, b.channels);
    for ((a, b), channel) in a.columns.iter().zip(&b.columns).zip(&b.channels) {
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()), "{}", channel.name());
    }
    assert_eq!(a.events, b.events);
}

#[test]
fn what_was_written_is_read_back() {
    let mut recording = common::ball(500);
    recording.columns[4][7] = 5e-324;
    recording.columns[4][8] = -1.7976931348623157e300;
    let mut run = common::run_info();
    run.parameters.insert("höhe".into(), 1.0 / 3.0);
    run.scheme_parameters.insert("theta".into(), 0.1 + 0.2);
    run.scheme_choice = Some("auto took it: why not".into());
    for (name, units) in [("si", Units::si()), ("mm", Units::millimetres())] {
        let run = RunInfo { units, ..run.clone() };
        let summary = Summary { steps: 1999, t: 1.0 / 3.0, ..common::summary() };
        let formats = Formats { npz: true, ..Formats::default() };
        let path = write_run(&format!("back-{name}"), &recording, &summary, &run, &formats);
        let stored = open(&path);
        assert_eq!(stored.problems, Vec::<String>::new());
        assert_same_bits(&stored.recording, &units.present(&recording));
        assert_eq!(stored.summary.as_ref(), Some(&summary));
        assert_eq!(stored.run, run);
        assert_eq!(stored.facts, Some(facts()));
        assert_eq!(stored.scene, Some(Scene::of(&recording, &common::drawing())));
        // the page made from the folder has the same data as that made by the run, but for the folder
        let mut again = data(&html(&[stored.page()]));
        let first = data(&fs::read_to_string(path.join("report.html")).unwrap());
        again["runs"][0]["folder"] = serde_json::Value::Null;
        assert!(again == first);
        // the archive tells the same
        fs::remove_file(path.join("series.csv")).unwrap();
        assert_same_bits(&open(&path).recording, &units.present(&recording));
        fs::remove_dir_all(path).unwrap();
    }
}

#[test]
fn a_run_without_a_step_reads_back() {
    // no step: the smallest is infinite, which JSON cannot say
    let recording = Recording { columns: vec![Vec::new(); 9], events: vec![], ..common::ball(2) };
    let stop = Stop::Failed(String::from("at t = 0: body ball: not a number").into());
    let summary = Summary { stop, t: 0.0, step_range: (f64::INFINITY, 0.0), ..common::summary() };
    let path = write_run("no-step", &recording, &summary, &common::run_info(), &Formats::default());
    let stored = open(&path);
    assert_eq!(stored.problems, ["The run stopped at t = 0 of 2 s: body ball: not a number."]);
    assert!(stored.summary.unwrap().step_range.0.is_nan());
    assert_eq!(stored.recording.samples(), 0);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn wherever_the_series_breaks_off_the_rows_before_are_kept() {
    let recording = common::ball(12);
    let path = write("cut-series", &recording);
    let whole = fs::read(path.join("series.csv")).unwrap();
    let header = whole.iter().position(|b| *b == b'\n').unwrap();
    for cut in 0..whole.len() {
        fs::write(path.join("series.csv"), &whole[..cut]).unwrap();
        match results::open(&path) {
            Err(error) => {
                assert!(cut <= header && error.to_string().contains("series.csv"), "{cut}: {error}")
            }
            Ok(stored) => {
                let rows = whole[..cut].iter().filter(|b| **b == b'\n').count() - 1;
                assert_eq!(stored.recording.samples(), rows, "{cut}");
                assert_eq!(stored.recording.columns[2], recording.columns[2][..rows]);
                let said = stored.problems.join(" ");
                let within = whole[cut - 1] != b'\n';
                assert_eq!(said.contains(&format!("breaks off within line {}", rows + 2)), within, "{said}");
                assert_eq!(said.contains(&format!("{rows} samples, and the run recorded 12")), rows < 12);
            }
        }
    }
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn wherever_another_file_breaks_off_the_series_is_there() {
    let recording = common::ball(40);
    let path = write("cut-others", &recording);
    for name in ["summary.json", "scene.json", "events.csv"] {
        let whole = fs::read(path.join(name)).unwrap();
        // the last byte is a line break, without which JSON is still whole
        for cut in (0..whole.len() - 1).step_by(11) {
            fs::write(path.join(name), &whole[..cut]).unwrap();
            let stored = open(&path);
            assert_eq!(stored.recording.samples(), 40);
            assert!(stored.problems.iter().any(|p| p.contains(name)), "{name} {cut}: {:?}", stored.problems);
            html(&[stored.page()]);
        }
        fs::write(path.join(name), whole).unwrap();
    }
    assert_eq!(open(&path).problems, Vec::<String>::new());
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn wherever_the_archive_breaks_off_the_arrays_before_are_kept() {
    let recording = common::ball(40);
    let path = write_run(
        "cut-npz",
        &recording,
        &common::summary(),
        &common::run_info(),
        &Formats { npz: true, ..Formats::default() },
    );
    fs::remove_file(path.join("series.csv")).unwrap();
    let whole = fs::read(path.join("series.npz")).unwrap();
    let mut most = 0;
    for cut in (0..whole.len()).step_by(13) {
        fs::write(path.join("series.npz"), &whole[..cut]).unwrap();
        let Ok(stored) = results::open(&path) else { continue };
        most = most.max(stored.recording.channels.len());
        assert_eq!(stored.recording.columns[0], recording.columns[0]);
        assert_eq!(stored.recording.channels, recording.channels[..stored.recording.channels.len()]);
    }
    assert_eq!(most, recording.channels.len());
    // a bit that fell over in the second array, `ball.x`
    let mut damaged = whole.clone();
    damaged[800] ^= 1;
    fs::write(path.join("series.npz"), damaged).unwrap();
    let stored = open(&path);
    assert_eq!(stored.problems, ["Array `ball.x` in series.npz is damaged and left out."]);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_damaged_row_ends_the_series_and_is_named() {
    let recording = common::ball(40);
    let path = write("rows", &recording);
    let whole = fs::read_to_string(path.join("series.csv")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    for (row, wrong) in [
        ("1,2,3", "3 fields where there are 9 columns"),
        ("9,9,9,9,9,9,9,9,9,9", "10 fields"),
        ("1.5,0,0,0,0,0,0,0,much", "`much` is not a number"),
        ("-7,0,0,0,0,0,0,0,0", "the time goes back"),
        ("NaN,0,0,0,0,0,0,0,0", "the time is not a number"),
        ("", "1 fields"),
    ] {
        let mut damaged = lines.clone();
        damaged[11] = row;
        fs::write(path.join("series.csv"), damaged.join("\n") + "\n").unwrap();
        let stored = open(&path);
        assert_eq!(stored.recording.samples(), 10);
        let said = &stored.problems[0];
        let place = "series.csv, line 12: ";
        assert!(said.contains(place) && said.contains(wrong), "{said}");
        assert!(said.contains("it and the 29 lines after it are left out"), "{said}");
    }
    // line ends of Windows, a mark of the byte order, and a gap are no damage
    let friendly = format!("\u{feff}{}\r\n", whole.trim_end().replace("\n", "\r\n"));
    fs::write(path.join("series.csv"), friendly).unwrap();
    assert_same_bits(&open(&path).recording, &recording);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_missing_file_is_said_and_the_rest_is_shown() {
    let recording = common::ball(40);
    let path = write("missing", &recording);
    for (name, consequence) in [
        ("scene.json", "the motion cannot be shown"),
        ("summary.json", "scheme, units, audit"),
        ("events.csv", "events are not shown"),
    ] {
        let kept = fs::read(path.join(name)).unwrap();
        fs::remove_file(path.join(name)).unwrap();
        let stored = open(&path);
        let said = stored.problems.join(" ");
        assert!(said.contains(&format!("There is no {name}")) && said.contains(consequence), "{said}");
        assert_eq!(stored.recording.columns, recording.columns);
        html(&[stored.page()]);
        fs::write(path.join(name), kept).unwrap();
    }
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn damaged_json_of_the_right_shape_is_said() {
    let path = write("shape", &common::ball(40));
    let replace = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(path.join(name)).unwrap();
        assert!(text.contains(from));
        fs::write(path.join(name), text.replace(from, to)).unwrap();
        let stored = open(&path);
        fs::write(path.join(name), text).unwrap();
        stored
    };
    let stored = replace("summary.json", "\"digest\"", "\"digestive\"");
    assert!(stored.summary.is_none() && stored.run == common::run_info() && stored.facts.is_some());
    assert!(stored.problems[0].contains("does not tell counters and audit"), "{:?}", stored.problems);
    let stored = replace("summary.json", "\"solver\": \"auto\"", "\"solver\": 7");
    assert!(stored.summary.is_some() && stored.run.step == 0.0);
    assert_eq!(stored.run.title, path.file_name().unwrap().to_string_lossy(), "better than nothing");
    let stored = replace("scene.json", "\"format\":1", "\"format\":99");
    assert!(stored.problems[0].contains("format 99 is not known"), "{:?}", stored.problems);
    // one frame more than the bodies have
    let stored = replace("scene.json", "\"t\":\"", "\"t\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    assert!(stored.problems[0].contains("`ball` do not have one number per frame"), "{:?}", stored.problems);
    let stored = replace("events.csv", ",impact,", ",catastrophe,");
    assert!(stored.problems[0].contains("events.csv, line 2: `catastrophe`"), "{:?}", stored.problems);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn names_of_any_kind_come_back_as_they_are() {
    let odd = [
        "a,b",
        "say \"hi\"",
        "two\nlines",
        "</script><script>alert(1)</script>",
        "球.高さ",
        "&lt;",
        " x ",
        "\u{1F3B1}",
    ];
    let mut recording = common::ball(40);
    for (i, name) in odd.iter().enumerate() {
        let unit = recording.channels[i + 1].unit.clone();
        recording.channels[i + 1] = Channel::read(name, &unit);
    }
    recording.events[0].subject = "a,\"b\"\n</script>".into();
    let run = RunInfo { title: "Kugel <b>\"rot\"</b> ñ 球".into(), ..common::run_info() };
    let path = write_run("odd", &recording, &common::summary(), &run, &Formats::default());
    let stored = open(&path);
    assert_eq!(stored.problems, Vec::<String>::new());
    assert_same_bits(&stored.recording, &recording);
    let page = html(&[stored.page()]);
    assert!(!page.contains("<script>alert") && !page.contains("<b>"));
    let data = data(&page);
    let names: Vec<&str> =
        data["runs"][0]["channels"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, odd);
    assert_eq!(data["runs"][0]["events"]["subject"][0], "a,\"b\"\n</script>");
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn gaps_are_counted_and_doubles_left_out() {
    let mut recording = common::ball(40);
    recording.columns[2][3..6].fill(f64::NAN);
    recording.columns[4][9] = f64::NEG_INFINITY;
    recording.channels[7] = Channel::new("ball", "x", &recording.channels[7].unit);
    let stored = open(&write("gaps", &recording));
    assert_eq!(
        stored.problems,
        [
            "4 values are not numbers and are shown as gaps: in ball.y, ball.vy.",
            "series.csv has `ball.x` twice; column 8 is left out."
        ]
    );
    assert_eq!(stored.recording.channels.len(), 8);
    assert!(stored.recording.columns[4][9].is_nan());
    fs::remove_dir_all(stored.folder).unwrap();
}

#[test]
fn what_is_no_result_folder_is_an_error_with_a_remedy() {
    let path = directory("no-results");
    let error = results::open(&path).unwrap_err().to_string();
    assert!(error.contains("there is no folder") && error.contains("carom run"), "{error}");
    fs::create_dir_all(&path).unwrap();
    let error = results::open(&path).unwrap_err().to_string();
    assert!(
        error.contains("there is no series.csv in") && error.contains("written by `carom run`?"),
        "{error}"
    );
    fs::write(path.join("series.csv"), "x,y\n1,2\n").unwrap();
    let error = results::open(&path).unwrap_err().to_string();
    assert!(error.contains("begins with `x`"), "{error}");
    let error = results::open(&path.join("series.csv")).unwrap_err().to_string();
    assert!(error.contains("is not a folder"), "{error}");
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn events_of_every_kind_come_back() {
    use EventKind::*;
    let mut recording = common::ball(40);
    let first = recording.events[0].clone();
    recording.events = [Impact, Release, Stick, Slip, Retry, Edge, Switch, Event]
        .map(|kind| carom_dynamics::Event { kind, ..first.clone() })
        .into();
    let stored = open(&write("kinds", &recording));
    assert_eq!(stored.recording.events, recording.events);
    fs::remove_dir_all(stored.folder).unwrap();
}

#[test]
fn a_large_series_is_read_in_a_moment() {
    let mut recording = common::ball(100_000);
    for i in recording.channels.len()..51 {
        recording.channels.push(Channel::new("", &format!("c{i}"), "m"));
        recording.columns.push(recording.columns[1 + i % 8].iter().map(|x| x / i as f64).collect());
    }
    let clock = Instant::now();
    let path = write("large", &recording);
    let writing = clock.elapsed();
    let clock = Instant::now();
    let stored = open(&path);
    let reading = clock.elapsed();
    assert_same_bits(&stored.recording, &recording);
    // Other tests share the processor, so the measure is the writing; reading takes about half of it.
    assert!(reading < 3 * writing, "written in {writing:?}, read in {reading:?}");
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn bands_are_read_back_and_told_when_they_do_not_fit() {
    let recording = common::ball(200);
    let half = |column: &Vec<f64>| column.iter().enumerate().map(|(k, _)| 1e-3 * k as f64).collect();
    let mut bands = Recording { events: vec![], ..recording.clone() };
    bands.columns = bands.columns.iter().map(half).collect();
    bands.columns[0] = recording.columns[0].clone();
    bands.columns[2][3] = f64::NAN;
    let (drawing, summary, path) = (common::drawing(), common::summary(), directory("bands"));
    let run = RunInfo { units: Units::millimetres(), ..common::run_info() };
    let write = |bands: Option<&Recording>| {
        let results = Results {
            recording: &recording,
            summary: &summary,
            run: &run,
            drawing: &drawing,
            facts: None,
            bands,
        };
        write_results(&path, &results, &Formats { report: false, ..Formats::default() }).unwrap();
    };
    write(Some(&bands));
    let read = open(&path).bands.unwrap();
    let presented = run.units.present(&bands);
    assert_eq!(read.channels, presented.channels);
    for (a, b) in read.columns.iter().zip(&presented.columns) {
        assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())));
    }
    // 1 mm for 1e-3 m, on the page too
    assert_eq!(read.columns[2][1], 1.0);
    let page = data(&html(&[open(&path).page()]));
    assert!(page["runs"][0]["channels"][1]["band"].is_string());

    // a file that breaks off covers what it can, one of another run nothing
    let text = fs::read_to_string(path.join("bands.csv")).unwrap();
    fs::write(path.join("bands.csv"), text.lines().take(100).map(|l| format!("{l}\n")).collect::<String>())
        .unwrap();
    let cut = open(&path).bands.unwrap();
    assert_eq!(cut.samples(), 200);
    assert!(cut.columns[1][98].is_finite() && cut.columns[1][99..].iter().all(|b| b.is_nan()));
    fs::write(path.join("bands.csv"), "t,ball.x\n0.5,1\n").unwrap();
    let other = open(&path);
    assert!(other.bands.is_none());
    assert!(other.problems.iter().any(|p| p.contains("bands.csv has other times")), "{:?}", other.problems);

    // the next run in the same folder was not certified
    write(None);
    let plain = open(&path);
    assert!(plain.bands.is_none() && !path.join("bands.csv").exists());
    assert!(data(&html(&[plain.page()]))["runs"][0]["channels"][1].get("band").is_none());
    fs::remove_dir_all(path).unwrap();
}
