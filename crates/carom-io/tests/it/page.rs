//! The data on the page: what a browser finds in `report.html`.

use crate::common::{self, data, f32s, f64s, u32s};
use carom_dynamics::{Channel, Recording, Stop, Summary};
use carom_io::units::Units;
use carom_io::write::report::{PageRun, html, names};
use carom_io::{RunInfo, Scene};
use std::time::Instant;

/// Decodes one channel: indices into the recording are those of `t`.
fn channel(run: &serde_json::Value, name: &str) -> (Vec<f64>, Vec<f32>, u64) {
    let t = f64s(&run["t"]);
    let channel = run["channels"].as_array().unwrap().iter().find(|c| c["name"] == name).expect(name);
    let y = f32s(&channel["y"]);
    let t = if channel["at"].is_null() {
        t
    } else {
        u32s(&channel["at"]).iter().map(|&k| t[k as usize]).collect()
    };
    assert_eq!(t.len(), y.len());
    (t, y, channel["nan"].as_u64().unwrap())
}

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let (recording, summary, drawing) = (common::ball(50_000), common::summary(), common::drawing());
    let title = "</script><!-- {{data}} \"bold\" & co";
    let run = RunInfo { title: title.into(), ..common::run_info() };
    let scene = Scene::of(&recording, &drawing);
    let page = html(&[PageRun::new(&recording, &summary, &run, None, &scene)]);
    for way_out in ["src=\"http", "href=\"http", "src=\"//", "@import", "url(http"] {
        assert!(!page.contains(way_out), "{way_out}");
    }
    assert!(page.contains("<title>&lt;/script&gt;&lt;!-- {{data}} &quot;bold&quot; &amp; co</title>"));
    let data = data(&page);
    assert_eq!(data["format"], 1);
    let run = &data["runs"][0];
    assert_eq!(run["title"], title);
    assert_eq!(run["name"], "moreau-jean");
    assert_eq!(run["problems"], serde_json::json!([]));
    assert_eq!(run["samples"], 50_000);
    assert_eq!(run["summary"]["audit"]["impact_loss"], 7.05);
    assert_eq!(run["events"]["total"], recording.events.len());
    assert_eq!(run["events"]["kind"][0], "impact");
    assert_eq!(run["events"]["before"][0], recording.events[0].before);
    assert!(page.len() < 3_000_000, "{}", page.len());
    // 50 000 samples of 8 channels are few enough to be there whole
    let (t, y, nan) = channel(run, "ball.y");
    assert_eq!(t, recording.columns[0]);
    assert!(y.iter().zip(&recording.columns[2]).all(|(a, b)| *a == *b as f32));
    assert_eq!(nan, 0);
}

/// The bar: 100 000 samples of 50 channels in less than 15 MB, quickly, and no peak is lost.
#[test]
fn a_large_run_fits_and_keeps_every_peak() {
    const SAMPLES: usize = 100_000;
    const CHANNELS: usize = 50;
    /// Samples in a bucket of which the highest and the lowest are kept: 100 000 over half of 12 000.
    const NEAR: usize = 17;
    let mut seed = 1u64;
    let mut random = move || {
        // xorshift64: noise without structure that thinning could use
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as f64 / u64::MAX as f64 - 0.5
    };
    let channels = (0..=CHANNELS)
        .map(|i| if i == 0 { Channel::new("", "t", "m") } else { Channel::new(&format!("c{i}"), "x", "m") })
        .collect();
    let mut columns = vec![(0..SAMPLES).map(|k| k as f64 * 1e-5).collect::<Vec<f64>>()];
    columns.extend((0..CHANNELS).map(|_| (0..SAMPLES).map(|_| random()).collect()));
    // a spike of one sample in each
    for i in 1..=CHANNELS {
        columns[i][(i * 1973) % SAMPLES] = 10.0 + i as f64;
        columns[i][(i * 1979) % SAMPLES] = -20.0 - i as f64;
    }
    let recording = Recording { channels, columns, events: Vec::new() };
    let (summary, run) = (common::summary(), common::run_info());
    let clock = Instant::now();
    let scene = Scene::of(&recording, &common::drawing());
    let page = html(&[PageRun::new(&recording, &summary, &run, None, &scene)]);
    let spent = clock.elapsed();
    assert!(page.len() < 14_000_000, "room for the page itself is left: {}", page.len());
    // Other tests share the processor, so the measure is the writing of the series as text.
    let clock = Instant::now();
    carom_io::write::csv::series(&recording, &mut std::io::sink()).unwrap();
    let writing = clock.elapsed();
    // it takes about as long; on a busy machine either may be held up
    assert!(spent < 10 * writing, "page {spent:?}, series {writing:?}");
    let data = data(&page);
    let run = &data["runs"][0];
    assert!(run["left_out"][0].as_str().unwrap().contains("every peak"), "{}", run["left_out"]);
    for i in 1..=CHANNELS {
        let (t, y, _) = channel(run, &format!("c{i}.x"));
        assert!(t.windows(2).all(|w| w[0] < w[1]));
        let all = &recording.columns[i];
        let most = all.iter().copied().fold(f64::MIN, f64::max) as f32;
        let least = all.iter().copied().fold(f64::MAX, f64::min) as f32;
        assert_eq!(y.iter().copied().fold(f32::MIN, f32::max), most);
        assert_eq!(y.iter().copied().fold(f32::MAX, f32::min), least);
        // and each where it was
        let at = y.iter().position(|y| *y == most).unwrap();
        assert_eq!(t[at], recording.columns[0][(i * 1973) % SAMPLES]);
        // and around every sample something at least as high, and as low, is shown
        let index: Vec<usize> = t.iter().map(|t| (t * 1e5).round() as usize).collect();
        for k in (0..SAMPLES).step_by(97) {
            let near = index.partition_point(|i| i + NEAR < k)..index.partition_point(|i| *i <= k + NEAR);
            assert!(y[near.clone()].iter().any(|y| *y >= all[k] as f32), "channel {i}, sample {k}");
            assert!(y[near].iter().any(|y| *y <= all[k] as f32), "channel {i}, sample {k}");
        }
    }
}

#[test]
fn what_is_no_number_is_a_gap_and_counted() {
    for samples in [200, 300_000] {
        let mut recording = common::ball(samples);
        recording.columns[2][20..23].fill(f64::NAN);
        recording.columns[2][40] = f64::INFINITY;
        let (summary, run) = (common::summary(), common::run_info());
        let scene = Scene::of(&recording, &common::drawing());
        let page = html(&[PageRun::new(&recording, &summary, &run, None, &scene)]);
        let data = data(&page);
        let (t, y, nan) = channel(&data["runs"][0], "ball.y");
        assert_eq!(nan, 4);
        for k in [20, 40] {
            let time = recording.columns[0][k];
            let near = t.iter().zip(&y).filter(|(t, _)| (*t - time).abs() < 0.03);
            assert!(near.clone().any(|(_, y)| y.is_nan()), "the line breaks near {time}");
            assert!(near.clone().any(|(_, y)| y.is_finite()), "and goes on");
        }
        assert!(y.iter().all(|y| !y.is_infinite()));
        let problem = data["runs"][0]["problems"][0].as_str().unwrap();
        assert!(problem.contains("4 values are not numbers") && problem.contains("ball.y"), "{problem}");
    }
}

#[test]
fn numbers_beyond_32_bits_keep_their_digits() {
    let (mut recording, summary, drawing) = (common::ball(5), common::summary(), common::drawing());
    let (large, small) = ([1e300, -2.5e40, 1.0, 0.0, f64::NAN], [3e-50, 0.0, -1e-50, 2e-50, 0.0]);
    recording.columns[1].copy_from_slice(&large);
    recording.columns[2].copy_from_slice(&small);
    let (run, scene) = (common::run_info(), Scene::of(&recording, &drawing));
    let data = data(&html(&[PageRun::new(&recording, &summary, &run, None, &scene)]));
    let shown = |name: &str| {
        let list = data["runs"][0]["channels"].as_array().unwrap();
        let channel = list.iter().find(|c| c["name"] == name).expect(name);
        let scale = channel["scale"].as_f64().unwrap();
        let y: Vec<f64> = f32s(&channel["y"]).iter().map(|y| f64::from(*y) * scale).collect();
        (y, channel["nan"].as_u64().unwrap())
    };
    let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 1e-7 * b.abs().max(1e-30 * scale);
    let (y, nan) = shown(recording.channels[1].name());
    assert!(near(y[0], 1e300, 1e300) && y[4].is_nan() && nan == 1, "{y:?} {nan}");
    let (y, nan) = shown(recording.channels[2].name());
    assert!(y.iter().zip(&small).all(|(a, b)| near(*a, *b, 3e-50)) && nan == 0, "{y:?} {nan}");
}

#[test]
fn a_run_that_failed_says_when_and_why() {
    let (recording, scene) = (common::ball(50), Scene::default());
    let stop = Stop::Failed(
        String::from("at t = 0.5: the numbers leave the range of arithmetic, ball.vy first").into(),
    );
    let summary = Summary { stop, t: 0.5, ..common::summary() };
    let run = common::run_info();
    let page = data(&html(&[PageRun::new(&recording, &summary, &run, None, &scene)]));
    assert_eq!(
        page["runs"][0]["problems"][0],
        "The run stopped at t = 0.5 of 2 s: the numbers leave the range of arithmetic, ball.vy first."
    );
}

#[test]
fn frames_are_even_and_meet_the_impacts() {
    let recording = common::ball(50_000);
    let motion = Scene::of(&recording, &common::drawing()).motion;
    assert!(motion.frames() <= 1501 && motion.frames() > 1400, "{}", motion.frames());
    let t = &recording.columns[0];
    assert_eq!((motion.t[0], *motion.t.last().unwrap()), (t[0], t[t.len() - 1]));
    assert!(motion.t.windows(2).all(|w| w[0] < w[1] && w[1] - w[0] < 2.0 * 2.0 / 1400.0));
    for impact in &recording.events {
        let nearest = motion.t.iter().map(|t| (t - impact.t).abs()).fold(f64::INFINITY, f64::min);
        assert!(nearest <= 2.0 / 49_999.0, "a frame is one sample from the impact at {}", impact.t);
    }
    let frame = motion.frame_at(1.0);
    let posture = motion.body("ball").unwrap().posture(frame);
    assert!((posture.pose.at[0] - 0.4 * motion.t[frame]).abs() < 1e-6);
}

#[test]
fn runs_are_named_by_what_tells_them_apart() {
    let (recording, scene) = (common::ball(10), Scene::default());
    let summaries = ["moreau-jean", "bathe"].map(|s| Summary { scheme: s.into(), ..common::summary() });
    let page_run = |s: usize, run: &'static RunInfo, folder: &str| PageRun {
        folder: Some(folder.into()),
        ..PageRun::new(
            Box::leak(Box::new(recording.clone())),
            Box::leak(Box::new(summaries[s].clone())),
            run,
            None,
            Box::leak(Box::new(scene.clone())),
        )
    };
    let info = |change: fn(&mut RunInfo)| -> &'static RunInfo {
        let mut run = common::run_info();
        run.parameters.insert("l1".into(), 0.2);
        change(&mut run);
        Box::leak(Box::new(run))
    };
    let same = info(|_| ());
    let fine = info(|r| r.step = 1e-4);
    let ms = info(|r| r.units = Units { time: carom_io::units::Time::Millisecond, ..Units::si() });
    let long = info(|r| r.parameters["l1"] = 0.3);
    assert_eq!(names(&[page_run(0, same, "a"), page_run(1, same, "b")]), ["moreau-jean", "bathe"]);
    assert_eq!(names(&[page_run(0, same, "a"), page_run(0, fine, "b")]), ["step 1e-3 s", "step 1e-4 s"]);
    assert_eq!(names(&[page_run(0, same, "a"), page_run(0, long, "b")]), ["l1 = 0.2", "l1 = 0.3"]);
    assert_eq!(
        names(&[page_run(0, same, "a"), page_run(1, fine, "b"), page_run(1, same, "b")]),
        ["moreau-jean, step 1e-3 s", "bathe, step 1e-4 s", "bathe, step 1e-3 s"]
    );
    assert_eq!(names(&[page_run(0, same, "x/a"), page_run(0, same, "x/b")]), ["a", "b"]);
    assert_eq!(names(&[page_run(0, same, "x/a"), page_run(0, same, "y/a")]), ["x/a", "y/a"]);
    assert_eq!(names(&[page_run(0, same, "a"), page_run(0, same, "a")]), ["1 a", "2 a"]);
    let page = data(&html(&[page_run(0, same, "a"), page_run(0, ms, "b")]));
    let problem = page["runs"][1]["problems"][0].as_str().unwrap();
    assert!(problem.contains("other units"), "{problem}");
    assert_eq!(page["runs"][0]["problems"], serde_json::json!([]));
}
