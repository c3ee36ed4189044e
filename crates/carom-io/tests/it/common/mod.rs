//! A ball that falls on the ground, known in closed form: what the writers are fed with.
#![allow(dead_code)] // each test file uses its part

use carom_dynamics::{Audit, Channel, Event, EventKind, Recording, Stop, Summary, Worst};
use carom_io::{Drawing, Figure, Mark, RunInfo, Stroke};
use std::fs;
use std::path::PathBuf;

/// Radius of the ball (m).
pub const RADIUS: f64 = 0.05;

/// The recording of a ball dropped from 1 m that bounces with e = 0.8 and drifts to the right.
pub fn ball(samples: usize) -> Recording {
    let (g, e, end) = (9.81, 0.8, 2.0);
    let names = [
        ("t", "s"),
        ("ball.x", "m"),
        ("ball.y", "m"),
        ("ball.angle", "rad"),
        ("ball.vy", "m/s"),
        ("floor.force_n", "N"),
        ("energy.kinetic", "J"),
        ("energy.potential", "J"),
        ("energy.total", "J"),
    ];
    let channels: Vec<_> = names.iter().map(|(n, u)| Channel::read(n, u)).collect();
    let mut columns = vec![Vec::new(); channels.len()];
    let mut events = Vec::new();
    // Start of the present flight, height above contact and velocity there.
    let (mut from, mut height, mut velocity) = (0.0, 1.0, 0.0);
    for k in 0..samples {
        let t = end * k as f64 / (samples - 1) as f64;
        loop {
            let landing = from + (velocity + f64::sqrt(velocity * velocity + 2.0 * g * height)) / g;
            if t < landing {
                break;
            }
            let before = velocity - g * (landing - from);
            (from, height, velocity) = (landing, 0.0, -e * before);
            events.push(Event {
                t: landing,
                kind: EventKind::Impact,
                subject: "floor".into(),
                before,
                after: velocity,
                impulse: velocity - before,
            });
        }
        let s = t - from;
        let (y, vy) = (height + velocity * s - 0.5 * g * s * s, velocity - g * s);
        let (kinetic, potential) = (0.5 * vy * vy, g * (y + RADIUS));
        let row =
            [t, 0.4 * t, y + RADIUS, -0.4 * t / RADIUS, vy, 0.0, kinetic, potential, kinetic + potential];
        for (column, x) in columns.iter_mut().zip(row) {
            column.push(x);
        }
    }
    Recording { channels, columns, events }
}

/// A summary to go with it.
pub fn summary() -> Summary {
    Summary {
        estimate: None,
        scheme: "moreau-jean".into(),
        stop: Stop::Done,
        t: 2.0,
        steps: 2000,
        step_range: (1e-3, 1e-3),
        retries: 0,
        rejected: 0,
        newton_iterations: 2000,
        factorisations: 1,
        tangent_factorisations: 0,
        contact_problems: 420,
        contact_iterations: 420,
        impacts: 3,
        audit: Audit {
            energy_start: 10.3,
            energy_end: 3.21,
            energy_scale: 10.3,
            impact_loss: 7.05,
            numerical_loss: 0.04,
            penetration: Worst { value: 1.2e-4, subject: "floor".into(), t: 0.452 },
            contact_residual: Worst { value: 3e-15, subject: "floor".into(), t: 1.2 },
            verdict: "The balance closes to 0.4 %; penetration stays below 0.12 mm.".into(),
            ..Audit::default()
        },
        phases: Vec::new(),
        digest: "9f3c1a".into(),
    }
}

/// What it was asked to do.
pub fn run_info() -> RunInfo {
    RunInfo {
        title: "A ball that falls & bounces".into(),
        model: "ball.toml".into(),
        command: "carom run ball.toml --step 1e-3".into(),
        step: 1e-3,
        end: 2.0,
        solver: "auto".into(),
        wall_seconds: 0.0123,
        ..RunInfo::default()
    }
}

/// What it looks like.
pub fn drawing() -> Drawing {
    Drawing {
        figures: vec![
            Figure {
                body: "ground".into(),
                strokes: vec![Stroke::Line { points: vec![[-20.0, 0.0], [20.0, 0.0]], closed: false }],
                ..Figure::default()
            },
            Figure {
                body: "ball".into(),
                strokes: vec![Stroke::Circle { center: [0.0, 0.0], radius: RADIUS }],
                ..Figure::default()
            },
        ],
        marks: vec![Mark { subject: "floor".into(), body: "ball".into(), at: [0.0, 0.0], radius: RADIUS }],
        ..Drawing::default()
    }
}

/// Every element that opens closes, in order.
pub fn assert_well_formed(xml: &str) {
    let mut open = Vec::new();
    for tag in xml.split('<').skip(1) {
        let tag = &tag[..tag.find('>').expect("a tag ends")];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') && !tag.starts_with('?') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// A folder of its own for a test, not there yet.
pub fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("carom-io-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

/// The data of a page.
pub fn data(page: &str) -> serde_json::Value {
    let start = page.find("id=\"data\">").expect("the page has data") + 10;
    let length = page[start..].find("</script>").expect("the data ends");
    serde_json::from_str(&page[start..start + length]).expect("the data is JSON")
}

/// Bytes of a base64 text, by another way than the writer's: bit by bit.
pub fn bytes(block: &serde_json::Value) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0);
    for letter in block.as_str().expect("a block is a string").trim_end_matches('=').chars() {
        let value = match letter {
            'A'..='Z' => letter as u32 - 65,
            'a'..='z' => letter as u32 - 71,
            '0'..='9' => letter as u32 + 4,
            '+' => 62,
            '/' => 63,
            other => panic!("{other} is not base64"),
        };
        bits = (bits << 6 | value) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

/// A block of float32.
pub fn f32s(block: &serde_json::Value) -> Vec<f32> {
    bytes(block).chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// A block of float64.
pub fn f64s(block: &serde_json::Value) -> Vec<f64> {
    bytes(block).chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

/// A block of whole numbers.
pub fn u32s(block: &serde_json::Value) -> Vec<u32> {
    bytes(block).chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}
