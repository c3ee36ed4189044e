//! Results on disk: bytes, structure, and what a reader on the other side finds.

use crate::common::{self, directory};
use carom_dynamics::{Recording, Stop};
use carom_io::units::Units;
use carom_io::write::{csv, npz, vtk};
use carom_io::{Formats, Results, RunInfo, write_results};
use std::fs;

fn text(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_number_in_the_series_reads_back_to_the_same_bits() {
    let mut recording = common::ball(300);
    recording.columns[4][7] = 5e-324;
    recording.columns[4][8] = 1.0 / 3.0;
    recording.columns[4][9] = -1.7976931348623157e308;
    let csv = text(|out| csv::series(&recording, out));
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "t,ball.x,ball.y,ball.angle,ball.vy,floor.force_n,energy.kinetic,energy.potential,energy.total"
    );
    for (k, line) in lines.enumerate() {
        for (i, word) in line.split(',').enumerate() {
            assert_eq!(word.parse::<f64>().unwrap().to_bits(), recording.columns[i][k].to_bits(), "{word}");
        }
    }
    assert_eq!(csv.lines().count(), 301);
}

#[test]
fn events_carry_kind_name_and_jump() {
    let recording = common::ball(300);
    let csv = text(|out| csv::events(&recording, out));
    let first = csv.lines().nth(1).unwrap();
    // Fall from 1 m: t = √(2/g), v = −√(2 g).
    let fields: Vec<_> = first.split(',').collect();
    assert_eq!(&fields[1..3], ["impact", "floor"]);
    assert!((fields[0].parse::<f64>().unwrap() - (2.0 / 9.81f64).sqrt()).abs() < 1e-12);
    assert!((fields[3].parse::<f64>().unwrap() + (2.0 * 9.81f64).sqrt()).abs() < 1e-12);
}

#[test]
fn two_writes_give_the_same_bytes_and_no_half_files() {
    let (recording, summary, drawing) = (common::ball(500), common::summary(), common::drawing());
    let formats = Formats { npz: true, vtk: true, vtk_frames: 5, ..Formats::default() };
    let both = ["first", "second"].map(|name| {
        let path = directory(name);
        let wall_seconds = if name == "first" { 1.0 } else { 2.0 };
        let run = RunInfo { wall_seconds, ..common::run_info() };
        let results = Results {
            recording: &recording,
            summary: &summary,
            run: &run,
            drawing: &drawing,
            facts: None,
            bands: None,
        };
        write_results(&path, &results, &formats).unwrap();
        path
    });
    for name in [
        "series.csv",
        "events.csv",
        "scene.json",
        "series.npz",
        "series.pvd",
        "frames/00000.vtp",
        "frames/00004.vtp",
    ] {
        assert_eq!(fs::read(both[0].join(name)).unwrap(), fs::read(both[1].join(name)).unwrap(), "{name}");
    }
    let summaries = both.each_ref().map(|p| fs::read_to_string(p.join("summary.json")).unwrap());
    assert_ne!(summaries[0], summaries[1]);
    let [a, b] = summaries.map(|s| s.lines().filter(|l| !l.contains("wall_seconds")).collect::<String>());
    assert_eq!(a, b);
    for path in both {
        let mut names: Vec<_> =
            fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let expected = [
            "events.csv",
            "frames",
            "report.html",
            "scene.json",
            "series.csv",
            "series.npz",
            "series.pvd",
            "summary.json",
        ];
        assert_eq!(names, expected);
        fs::remove_dir_all(path).unwrap();
    }
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let file = directory("in-the-way");
    fs::write(&file, "not a directory").unwrap();
    let (recording, summary, drawing, run) =
        (common::ball(10), common::summary(), common::drawing(), common::run_info());
    let results = Results {
        recording: &recording,
        summary: &summary,
        run: &run,
        drawing: &drawing,
        facts: None,
        bands: None,
    };
    let error = write_results(&file, &results, &Formats::default()).unwrap_err();
    assert!(error.to_string().contains("series.csv"), "{error}");
    fs::remove_file(file).unwrap();
}

#[test]
fn a_run_that_stopped_at_once_can_be_written() {
    let recording = Recording { columns: vec![Vec::new(); 9], events: vec![], ..common::ball(2) };
    let summary = carom_dynamics::Summary {
        stop: Stop::Failed(String::from("body ball: not a number").into()),
        ..common::summary()
    };
    let (drawing, run, path) = (common::drawing(), common::run_info(), directory("empty"));
    let results = Results {
        recording: &recording,
        summary: &summary,
        run: &run,
        drawing: &drawing,
        facts: None,
        bands: None,
    };
    let formats = Formats { npz: true, vtk: true, ..Formats::default() };
    write_results(&path, &results, &formats).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join("summary.json")).unwrap()).unwrap();
    assert_eq!(json["stop"]["failed"], "body ball: not a number");
    assert_eq!(json["samples"], 0);
    fs::remove_dir_all(path).unwrap();
}

#[test]
fn the_archive_holds_one_array_per_channel() {
    let recording = common::ball(123);
    let mut bytes = Vec::new();
    npz::series(&recording, &mut bytes).unwrap();
    // End of central directory, then walk the directory as a zip reader does.
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]) as usize;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(half(end + 10), recording.channels.len());
    let mut at = word(end + 16);
    for (channel, column) in recording.channels.iter().zip(&recording.columns) {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (size, name, offset) = (word(at + 24), half(at + 28), word(at + 42));
        assert_eq!(&bytes[at + 46..at + 46 + name], format!("{}.npy", channel.name()).as_bytes());
        let data = offset + 30 + half(offset + 26) + half(offset + 28);
        let array = &bytes[data..data + size];
        assert_eq!(&array[..8], b"\x93NUMPY\x01\x00");
        let body = 10 + u16::from_le_bytes([array[8], array[9]]) as usize;
        assert!(std::str::from_utf8(&array[10..body]).unwrap().contains("'<f8'"));
        let values: Vec<f64> =
            array[body..].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();
        assert_eq!(&values, column);
        at += 46 + name;
    }
    assert_eq!(at, end);
}

#[test]
fn frames_move_the_outlines() {
    let (recording, drawing) = (common::ball(500), common::drawing());
    let files: Vec<_> = vtk::collection(&recording, &drawing, 3).collect();
    let paths: Vec<_> = files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["frames/00000.vtp", "frames/00001.vtp", "frames/00002.vtp", "series.pvd"]);
    for file in &files {
        common::assert_well_formed(&file.content);
    }
    // The first point of the ball is its centre: at the start 1 m above contact.
    let points: Vec<&str> =
        files[0].content.lines().skip_while(|l| !l.contains("NumberOfComponents")).collect();
    assert_eq!(points[3], "0 1.05 0");
    assert!(files[3].content.contains("timestep=\"2\""));
    let count: usize = files[0]
        .content
        .split("NumberOfPoints=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(count, points.iter().skip(1).take_while(|l| !l.starts_with('<')).count());
}

#[test]
fn series_come_out_in_the_units_of_the_file() {
    let recording = common::ball(11);
    let units = Units {
        length: carom_io::units::Length::Millimetre,
        time: carom_io::units::Time::Millisecond,
        angle: carom_io::units::Angle::Degree,
        ..Units::si()
    };
    let shown = units.present(&recording);
    let unit = |name: &str| &shown.channels.iter().find(|c| c.name() == name).unwrap().unit;
    assert_eq!([unit("t"), unit("ball.y"), unit("ball.angle")], ["ms", "mm", "deg"]);
    assert_eq!([unit("ball.vy"), unit("energy.total")], ["mm/ms", "N mm"]);
    let at = |name: &str| (shown.column(name).unwrap()[10], recording.column(name).unwrap()[10]);
    let (t, t_si) = at("t");
    assert_eq!(t, t_si * 1000.0);
    let (angle, angle_si) = at("ball.angle");
    assert!((angle - angle_si.to_degrees()).abs() < 1e-9);
    let (vy, vy_si) = at("ball.vy");
    assert!((vy - vy_si).abs() < 1e-12, "mm/ms is m/s");
    let (e, e_si) = at("energy.total");
    assert!((e - 1000.0 * e_si).abs() < 1e-9);
    assert!((shown.events[0].impulse - 1000.0 * recording.events[0].impulse).abs() < 1e-9, "N ms");
}
