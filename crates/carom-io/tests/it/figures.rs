//! Charts, pictures and clips: what is drawn is where the data are.

use crate::common;
use carom_dynamics::{Channel, Recording};
use carom_io::animation::{Clip, Wish as ClipWish};
use carom_io::chart::channels::{Plot, PlotError, Source, Wish, plot};
use carom_io::picture::{Action, Stage, poster};
use carom_io::scene::Touch;
use carom_io::{Scene, Stroke, Units};

const SIZE: [f64; 2] = [720.0, 400.0];

fn recording(channels: &[(&str, &str)], columns: Vec<Vec<f64>>) -> Recording {
    let channels = channels.iter().map(|(n, u)| Channel::read(n, u)).collect();
    Recording { channels, columns, events: Vec::new() }
}

fn drawn(
    recording: &Recording,
    channels: &[&str],
    change: impl FnOnce(&mut Wish),
) -> Result<Plot, PlotError> {
    let channels = channels.iter().map(|c| c.to_string()).collect();
    let mut wish = Wish { channels, size: Some(SIZE), ..Wish::default() };
    change(&mut wish);
    plot(&[Source { label: String::new(), recording, bands: None }], &wish)
}

/// A drawn line: its pieces.
type Drawn = Vec<Vec<[f64; 2]>>;

/// Pieces of every path whose line has this thickness.
fn paths(svg: &str, width: &str) -> Vec<Drawn> {
    let wanted = format!("stroke-width=\"{width}\"");
    let pair = |p: &str| {
        let (x, y) = p.split_once(' ').expect("x and y");
        [x.parse().expect("a number"), y.parse().expect("a number")]
    };
    let run = |run: &str| run.split('L').map(pair).collect();
    svg.lines()
        .filter(|line| line.contains(&wanted))
        .filter_map(|line| line.strip_prefix("<path d=\"")?.split('"').next())
        .map(|d| d.split('M').skip(1).map(run).collect())
        .collect()
}

/// Curves without the samples of the legend, and the corners of the frame.
fn curves(svg: &str) -> (Vec<Drawn>, [[f64; 2]; 2]) {
    let legend =
        |path: &Drawn| path.len() == 1 && path[0].len() == 2 && path[0][1][0] - path[0][0][0] == 28.0;
    let curves = paths(svg, "1.7").into_iter().filter(|p| !legend(p)).collect();
    let frame = paths(svg, "1").into_iter().flatten().find(|run| run.len() == 5).expect("a frame");
    (curves, [[frame[0][0], frame[2][1]], [frame[1][0], frame[0][1]]])
}

/// Where the value at `y` is between the lower and the upper edge, with 4 % of air on both sides.
fn height(y: f64, [low, high]: [f64; 2], [[_, bottom], [_, top]]: [[f64; 2]; 2]) -> f64 {
    let air = 0.04 * (high - low);
    bottom + (y - low + air) / (high - low + 2.0 * air) * (top - bottom)
}

#[test]
fn a_curve_read_back_from_the_figure_is_the_data() {
    let ball = common::ball(800);
    let svg = drawn(&ball, &["ball.y"], |_| ()).unwrap().chart.svg();
    let (curves, frame) = curves(&svg);
    let [piece] = &curves[0][..] else { panic!("one line") };
    let (t, y) = (ball.column("t").unwrap(), ball.column("ball.y").unwrap());
    let range = y.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], y| [a.min(*y), b.max(*y)]);
    let [[left, _], [right, _]] = frame;
    for k in 0..t.len() {
        let x = left + t[k] / 2.0 * (right - left);
        let i = piece.partition_point(|p| p[0] < x - 0.01).clamp(1, piece.len() - 1);
        let [a, b] = [piece[i - 1], piece[i]];
        let seen = a[1] + (x - a[0]) / (b[0] - a[0]).max(1e-9) * (b[1] - a[1]);
        assert!((seen - height(y[k], range, frame)).abs() < 0.5, "at t = {}: {seen}", t[k]);
    }
    assert!(
        svg.contains(">t (s)</text>") && svg.contains(">ball.y (m)</text>"),
        "axes say quantity and unit"
    );
}

#[test]
fn a_spike_of_one_sample_among_many_is_drawn() {
    let t: Vec<f64> = (0..100_000).map(|k| 1e-3 * f64::from(k)).collect();
    let mut y: Vec<f64> = t.iter().map(|t| t.sin()).collect();
    y[54_321] = 9.0;
    let many = recording(&[("t", "s"), ("a.force_n", "N")], vec![t, y]);
    let svg = drawn(&many, &["a.force_n"], |_| ()).unwrap().chart.svg();
    let (curves, frame) = curves(&svg);
    let goal = height(9.0, [-1.0, 9.0], frame);
    let x = frame[0][0] + 54.321 / 99.999 * (frame[1][0] - frame[0][0]);
    let hit = |p: &&[f64; 2]| (p[1] - goal).abs() < 0.02 && (p[0] - x).abs() < 0.02;
    assert_eq!(curves[0].iter().flatten().filter(hit).count(), 1);
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
}

#[test]
fn what_is_no_number_is_a_gap_and_counted() {
    let t: Vec<f64> = (0..100).map(f64::from).collect();
    let mut y = t.clone();
    y[40..45].fill(f64::NAN);
    let gappy = recording(&[("t", "s"), ("a.x", "m")], vec![t, y]);
    let plot = drawn(&gappy, &["a.x"], |_| ()).unwrap();
    assert_eq!(curves(&plot.chart.svg()).0[0].len(), 2, "two pieces");
    assert_eq!(plot.notes, ["`a.x`: 5 of 100 samples are no numbers, gaps in the line"]);
    assert!(!plot.chart.svg().contains("NaN"));
}

#[test]
fn names_are_shown_literally() {
    let t = vec![0.0, 1.0, 2.0];
    let name = "<b>\"o'x\" & ü.x";
    let odd = recording(&[("t", "s"), (name, "m"), ("a.x", "m")], vec![t.clone(), t.clone(), t]);
    let svg =
        drawn(&odd, &[name, "a.x"], |w| w.title = "<script>alert(1)</script>".into()).unwrap().chart.svg();
    common::assert_well_formed(&svg);
    assert!(svg.contains("&lt;b&gt;&quot;o'x&quot; &amp; ü.x</text>"));
    assert!(!svg.contains("<script") && !svg.contains("<b>"));
}

#[test]
fn two_units_have_two_axes_and_three_need_panes() {
    let ball = common::ball(800);
    let two = drawn(&ball, &["ball.y", "ball.vy"], |_| ()).unwrap().chart;
    let svg = two.svg();
    assert!(svg.contains(">ball.y (m)</text>") && svg.contains(">ball.vy (m/s)</text>"));
    assert!(svg.contains(">ball.vy (right)</text>"));
    assert_eq!(two.svg(), svg, "same data, same bytes");
    assert_eq!(two.png(1.0), two.png(1.0));

    let three = ["ball.y", "ball.vy", "ball.angle", "ball.x"];
    let wrong = drawn(&ball, &three, |_| ()).unwrap_err();
    assert_eq!(wrong.wrong, "the channels have 3 units: `m`, `m/s`, `rad`");
    assert!(wrong.right.contains("--panes"));
    let panes = drawn(&ball, &three, |w| w.panes = true).unwrap().chart;
    assert_eq!(panes.panels.len(), 3);
    assert_eq!(panes.panels[0].curves.len(), 2, "both lengths");
    let svg = panes.svg();
    assert_eq!(svg.matches(">t (s)</text>").count(), 1, "one axis of time");
    // frames below one another begin and end at the same place
    let frames: Vec<_> = paths(&svg, "1").into_iter().flatten().filter(|run| run.len() == 5).collect();
    assert_eq!(frames.len(), 3);
    assert!(frames.iter().all(|f| f[0][0] == frames[0][0][0] && f[1][0] == frames[0][1][0]));
}

#[test]
fn a_path_is_drawn_in_its_shape() {
    let angle = (0..=360).map(|k| f64::from(k).to_radians());
    let (x, y): (Vec<f64>, Vec<f64>) = angle.clone().map(|a| (2.0 * a.cos(), a.sin())).unzip();
    let ellipse = recording(&[("t", "s"), ("a.x", "m"), ("a.y", "m")], vec![angle.collect(), x, y]);
    let svg = drawn(&ellipse, &["a.y"], |w| w.against = Some("a.x".into())).unwrap().chart.svg();
    let (curves, _) = curves(&svg);
    let extent = |i: usize| {
        let all = || curves[0].iter().flatten().map(|p| p[i]);
        all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
    };
    assert!((extent(0) / extent(1) - 2.0).abs() < 1e-3, "{} by {}", extent(0), extent(1));
    assert!(svg.contains(">a.x (m)</text>") && svg.contains(">a.y (m)</text>"));
}

#[test]
fn wishes_that_cannot_be_met_are_explained() {
    let ball = common::ball(80);
    let wrong =
        |channels: &[&str], change: fn(&mut Wish)| drawn(&ball, channels, change).unwrap_err().to_string();
    assert!(
        wrong(&["bal.y"], |_| ()).contains("there is no channel `bal.y`\n  = help: did you mean `ball.y`?")
    );
    assert!(wrong(&["bal.y"], |_| ()).contains("--list"));
    assert!(wrong(&["x.*"], |_| ()).contains("there is no channel `x.*`"));
    assert!(wrong(&["ball.y"], |w| w.from = Some(5.0)).contains("the run goes from 0 to 2"));
    assert!(wrong(&["ball.y"], |w| w.against = Some("ball.*".into())).contains("takes one channel"));
    assert_eq!(drawn(&ball, &["ball.*", "ball.x"], |w| w.panes = true).unwrap().chart.panels.len(), 3);
}

#[test]
fn a_part_of_the_time_fills_the_frame() {
    let ball = common::ball(800);
    let svg = drawn(&ball, &["ball.y"], |w| (w.from, w.to) = (Some(0.5), Some(0.7))).unwrap().chart.svg();
    let (curves, [[left, _], [right, _]]) = curves(&svg);
    let ends = [curves[0][0][0][0], curves[0][0].last().unwrap()[0]];
    assert!((ends[0] - left).abs() < 0.02 && (ends[1] - right).abs() < 0.02, "{ends:?} {left} {right}");
    assert!(svg.contains(">0.5</text>") && svg.contains(">0.7</text>") && !svg.contains(">0.8</text>"));
}

#[test]
fn runs_in_other_units_are_not_overlaid() {
    let run = |time: &str, x: &str| {
        let columns = vec![vec![0.0, 1.0, 2.0]; 3];
        recording(&[("t", time), ("a.x", x), ("a.angle", "rad")], columns)
    };
    let first = run("s", "m");
    for (other, against, channel) in
        [(run("ms", "m"), None, "t"), (run("s", "mm"), Some("a.x".to_string()), "a.x")]
    {
        let wish = Wish { channels: vec!["a.angle".into()], against, ..Wish::default() };
        let sources = [("one", &first), ("two", &other)].map(|(l, recording)| Source {
            label: l.into(),
            recording,
            bands: None,
        });
        let wrong = plot(&sources, &wish).unwrap_err().wrong;
        assert!(wrong.starts_with(&format!("`{channel}` is in ")), "{wrong}");
    }
}

fn scene() -> Scene {
    Scene::of(&common::ball(800), &common::drawing())
}

#[test]
fn posters_are_well_formed_and_the_same_twice() {
    let scene = scene();
    let stage = Stage::new(&scene, Units::si());
    let draw = || poster(&stage, &[0.0, 0.5, 1.0, 2.0], [640.0, 360.0]).svg();
    let svg = draw();
    assert_eq!(svg, draw());
    common::assert_well_formed(&svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // four balls, each with its rim inside the picture
    let balls: Vec<&str> = svg.lines().filter(|l| l.starts_with("<circle")).collect();
    assert_eq!(balls.len(), 4);
    for ball in balls {
        let number = |key: &str| -> f64 {
            let text = ball.split(&format!(" {key}=\"")).nth(1).unwrap();
            text.split('"').next().unwrap().parse().unwrap()
        };
        let (x, y, r) = (number("cx"), number("cy"), number("r"));
        assert!(x > r && x < 640.0 - r && y > r && y < 360.0 - r, "{ball}");
    }
    assert!(svg.contains(">t = 0, 0.5, 1, 2 s</text>"));
}

#[test]
fn a_body_that_is_nowhere_is_not_drawn() {
    let mut ball = common::ball(100);
    let x = ball.channels.iter().position(|c| c.name() == "ball.x").unwrap();
    ball.columns[x][50..].fill(f64::NAN);
    let scene = Scene::of(&ball, &common::drawing());
    let stage = Stage::new(&scene, Units::si());
    let svg = poster(&stage, &[0.0, 2.0], [640.0, 360.0]).svg();
    assert_eq!(svg.lines().filter(|l| l.starts_with("<circle")).count(), 1);
    assert!(!svg.contains("NaN"));
    let clip = Clip::new(&stage, &ClipWish { size: [64, 48], fps: 5.0, ..ClipWish::default() }).unwrap();
    assert!(clip.gif(|_| true).unwrap().is_some());
}

#[test]
fn a_clip_read_back_has_its_frames_and_looks_like_the_poster() {
    let scene = scene();
    let stage = Stage::new(&scene, Units::si()).with_action(Action::of(&common::ball(800), &Units::si()));
    let wish = ClipWish { size: [320, 180], fps: 10.0, speed: Some(0.5), ..ClipWish::default() };
    let clip = Clip::new(&stage, &wish).unwrap();
    assert_eq!(clip.frames(), 41, "2 s at half the speed, first and last frame");
    let bytes = clip.gif(|_| true).unwrap().unwrap();
    assert_eq!(Some(&bytes), clip.gif(|_| true).unwrap().as_ref(), "same scene, same bytes");
    assert_eq!(clip.gif(|part| part < 0.5).unwrap(), None, "it can be stopped");

    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (320, 180));
    let mut screen: Vec<u8> = Vec::new();
    let mut frames = 0;
    let mut last = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 10, "a tenth of a second");
        if frames == 0 {
            screen = frame.buffer.to_vec();
        } else {
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] > 0) {
                let (w, at) =
                    (usize::from(frame.width), 4 * (usize::from(frame.top) * 320 + usize::from(frame.left)));
                let k = at + 4 * (i / w * 320 + i % w);
                screen[k..k + 4].copy_from_slice(pixel);
            }
        }
        for k in [0, clip.frames() - 1].into_iter().filter(|k| *k == frames) {
            let image = tiny_skia::Pixmap::decode_png(&clip.picture(clip.time(k)).png(1.0)).unwrap();
            let off = image.data().iter().zip(&screen).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(off < 30, "frame {k} is off by {off}");
        }
        frames += 1;
        last.clone_from(&screen);
    }
    assert_eq!(frames, clip.frames());
    assert_eq!(last.len(), 4 * 320 * 180);
}

#[test]
fn an_impact_flashes_where_it_happens_and_fades() {
    let (scene, ball) = (scene(), common::ball(800));
    let stage = Stage::new(&scene, Units::si()).with_action(Action::of(&ball, &Units::si()));
    let clip = Clip::new(&stage, &ClipWish { speed: Some(1.0), ..ClipWish::default() }).unwrap();
    let flashes = |t: f64| clip.picture(t).svg().lines().filter(|l| l.contains("fill=\"#d55e00\"")).count();
    let hit = ball.events[0].t;
    assert_eq!([hit - 0.01, hit + 0.01, hit + 0.15, hit + 0.25].map(flashes), [0, 1, 1, 0]);
}

#[test]
fn clips_that_cannot_be_made_are_explained() {
    let scene = scene();
    let stage = Stage::new(&scene, Units::si());
    let wrong = |wish: ClipWish| Clip::new(&stage, &wish).unwrap_err().to_string();
    let usual = ClipWish::default();
    assert!(wrong(ClipWish { from: Some(3.0), ..usual }).contains("the run goes from 0 to 2 s"));
    assert!(wrong(ClipWish { size: [960, 9999], ..usual }).contains("960x9999 pixels is no size"));
    assert!(wrong(ClipWish { speed: Some(1e-6), ..usual }).contains("raise --speed"));
    let fast = Clip::new(&stage, &ClipWish { fps: 60.0, ..usual }).unwrap();
    assert!(fast.gif(|_| true).unwrap_err().to_string().contains("at most 50"));
    let empty = Scene::default();
    let none = Stage::new(&empty, Units::si());
    assert!(Clip::new(&none, &usual).unwrap_err().to_string().contains("nothing moves"));
}

#[test]
fn a_floor_goes_on_where_something_still_touches_it() {
    let ends = |touches: Vec<Touch>| {
        let mut scene = scene();
        let floor = Stroke::Line { points: vec![[-0.2, 0.0], [0.2, 0.0]], closed: false };
        scene.drawing.figures.iter_mut().find(|f| f.body == "ground").unwrap().strokes = vec![floor];
        scene.motion.touches = touches;
        let svg = poster(&Stage::new(&scene, Units::si()), &[0.0, 2.0], [640.0, 360.0]).svg();
        let floor = &paths(&svg, "2")[0][0];
        [floor[0][0], floor[1][0]]
    };
    let touch = |x: f32, y: f32, angle: f32| {
        let frames = scene().motion.frames();
        let (x, y, angle) = (vec![x; frames], vec![y; frames], vec![angle; frames]);
        vec![Touch { name: "floor".into(), x, y, angle }]
    };
    let up = std::f32::consts::FRAC_PI_2;
    let drawn = ends(Vec::new());
    assert!(drawn[1] < 600.0);
    assert_eq!(ends(touch(0.8, 0.0, up)), [drawn[0], 640.0], "to the edge of the paper");
    // the end of a table, a place above the floor, and one that something else holds are no reason
    assert_eq!(ends(touch(0.2, 0.0, up)), drawn);
    assert_eq!(ends(touch(0.8, 0.3, up)), drawn);
    assert_eq!(ends(touch(0.8, 0.0, up + 0.5)), drawn);
}
