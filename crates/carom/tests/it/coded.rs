//! The slider-crank in three angles and the one of the gallery in nine coordinates are one mechanism.

use carom::{Settings, Setup, SystemInfo};
use std::path::Path;

fn gallery(changes: &[(&str, &str)]) -> Setup {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/slider-crank/model.toml");
    Setup::open(&path, &owned(changes)).unwrap_or_else(|e| panic!("{e}"))
}

fn coded(changes: &[(&str, &str)]) -> Setup {
    let info = SystemInfo::find("slider-crank-minimal").expect("it is registered");
    Setup::of_system(info, &owned(changes)).unwrap_or_else(|e| panic!("{e}"))
}

fn owned(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
}

#[test]
fn parameters_and_energy_at_the_start_agree() {
    let (file, coded) = (gallery(&[]), coded(&[]));
    for (ours, theirs) in [
        ("l1", "l1"),
        ("l2", "l2"),
        ("a", "a"),
        ("b", "b"),
        ("c", "c"),
        ("m1", "m1"),
        ("m2", "m2"),
        ("m3", "m3"),
        ("J1", "J1"),
        ("J2", "J2"),
        ("J3", "J3"),
        ("gravity", "g"),
        ("restitution", "e"),
        ("friction", "mu"),
        ("omega1", "w1"),
        ("omega2", "w2"),
    ] {
        assert_eq!(coded.loaded().parameters[ours], file.loaded().parameters[theirs], "{ours}");
    }
    let energy = |setup: &Setup| {
        let settings = Settings { step: 1e-6, end: 1e-6, accuracy: None, output: None };
        setup.run_with(settings, |_| true).expect("a good start").summary.audit.energy_start
    };
    assert!((energy(&file) - energy(&coded)).abs() < 1e-13 * energy(&coded));
    let names: Vec<String> = coded.system().structure().contacts.iter().map(|c| c.name.clone()).collect();
    let theirs: Vec<String> = file.system().structure().contacts.iter().map(|c| c.name.clone()).collect();
    assert_eq!(names, theirs);
}

/// Before the first impact both are smooth and of second order: extrapolated, they meet.
#[test]
fn both_coordinates_fly_the_same_way() {
    // tilted and turning, so that all three angles and all four gaps are alive
    let file =
        gallery(&[("c", "0.02"), ("bodies.slider.angle", "0.1"), ("bodies.slider.angular_velocity", "-30")]);
    let coded = coded(&[("c", "0.02"), ("angle3", "0.1"), ("omega3", "-30")]);
    let end = 4e-3;
    let channels = [
        "crank.angle",
        "rod.angle",
        "slider.angle",
        "slider.x",
        "slider.y",
        "slider.vx",
        "slider.vy",
        "rod.x",
        "rod.vy",
        "crank.omega",
        "rod.omega",
        "guide.1.gap",
        "guide.2.gap",
        "guide.3.gap",
        "guide.4.gap",
    ];
    let last = |setup: &Setup, step: f64| {
        let settings = Settings { step, end, accuracy: None, output: Some(end) };
        let done = setup.run_with(settings, |_| true).expect("a good start");
        assert_eq!(done.summary.impacts, 0, "it still flies");
        channels.map(|c| *done.recording.column(c).expect(c).last().expect("a sample"))
    };
    // order 2: (4 fine − coarse) / 3 leaves terms of the fourth order in a step symmetric in time
    let limit = |setup: &Setup| {
        let (coarse, fine) = (last(setup, 4e-6), last(setup, 2e-6));
        std::array::from_fn::<f64, 15, _>(|i| (4.0 * fine[i] - coarse[i]) / 3.0)
    };
    let (nine, three) = (limit(&file), limit(&coded));
    for (i, name) in channels.iter().enumerate() {
        let size = if name.ends_with("omega") { 100.0 } else { 1.0 };
        assert!(
            (nine[i] - three[i]).abs() < 2e-9 * size,
            "{name}: {} in nine, {} in three",
            nine[i],
            three[i]
        );
    }
}

/// The whole motion, impacts and friction included, at a step where both have settled.
#[test]
fn both_coordinates_hit_the_same_way() {
    let settings = Settings { step: 1e-6, end: 0.02, accuracy: None, output: Some(1e-3) };
    let run = |setup: &Setup| setup.run_with(settings, |_| true).expect("a good start");
    let (nine, three) = (run(&gallery(&[])), run(&coded(&[])));
    for name in ["crank.angle", "slider.x", "slider.y"] {
        let (a, b) = (nine.recording.column(name).expect(name), three.recording.column(name).expect(name));
        let off = a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(off < 2e-5, "{name}: {off}");
    }
}
