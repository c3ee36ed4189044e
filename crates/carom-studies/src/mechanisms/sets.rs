//! The mechanisms: four sets with the ranges of [Haddouni2015] Table 3.6, from the gallery and by rule.
//!
//! ```text
//!   1   few bodies, open and closed chains           2   many bodies, closed and open trains
//!   3   impacts and friction                         4   elastic beams, some with impacts
//! ```
//!
//! The source's mechanisms belong to the tests of a program and are not printed; these are chosen. Runs end before neighbouring
//! motions have come apart: two tight runs by different methods agree to far less than the tolerances.

use crate::mechanism::Mechanism;
use std::fmt::Write as _;

/// Pairs of a key and a value.
type Changes = &'static [(&'static str, &'static str)];

/// A mechanism of a set.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name in the tables.
    pub name: String,
    /// 1 to 4.
    pub set: usize,
    /// End of the run (s).
    pub end: f64,
    text: String,
    changes: Vec<(String, String)>,
}

impl Case {
    fn written(set: usize, name: &str, end: f64, text: String) -> Self {
        Self { name: name.into(), set, end, text, changes: Vec::new() }
    }

    fn gallery(set: usize, name: &str, end: f64, text: &str, changes: Changes) -> Self {
        let changes = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Self { name: name.into(), set, end, text: text.into(), changes }
    }

    /// The model with its start.
    pub fn build(&self) -> Result<Mechanism, String> {
        let loaded = carom_io::load_text(&self.name, &self.text, &self.changes).map_err(|e| e.to_string())?;
        Mechanism::new(loaded.description.plane().expect("a model of the plane"))
    }
}

/// A guide of the slider without play.
const NO_PLAY: &str = "{ type = \"prismatic\", between = [\"ground.guide\", \"slider.wrist\"] }";

/// The text of a model of the gallery.
macro_rules! gallery {
    ($name:literal) => {
        const { carom_gallery::model($name) }
    };
}
pub(crate) use gallery;

/// Every mechanism, set by set.
pub fn all() -> Vec<Case> {
    let mut all = simple();
    all.extend(many());
    all.extend(impacts());
    all.extend(elastic());
    all
}

/// A uniform bar of unit mass per metre from one place to another, with points `foot`, `middle` and `head`.
fn bar(text: &mut String, name: &str, from: [f64; 2], to: [f64; 2]) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let (x, y) = (0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]));
    let (inertia, angle, half) = (length.powi(3) / 12.0, dy.atan2(dx), 0.5 * length);
    put(
        text,
        format!(
            "[bodies.{name}]\nmass = {length:?}\ninertia = {inertia:?}\nposition = [{x:?}, {y:?}]\nangle = {angle:?}\n\
             points = {{ foot = [{:?}, 0], middle = [0, 0], head = [{half:?}, 0] }}\n",
            -half
        ),
    );
}

fn put(text: &mut String, line: String) {
    writeln!(text, "{line}").expect("a string takes any text");
}

fn head(text: &mut String, points: &[(String, [f64; 2])]) {
    put(text, "version = 1\ngravity = [0, -9.81]\n[ground.points]".into());
    for (name, [x, y]) in points {
        put(text, format!("{name} = [{x:?}, {y:?}]"));
    }
}

fn pin(text: &mut String, name: &str, a: &str, b: &str) {
    put(text, format!("[joints.{name}]\ntype = \"revolute\"\nbetween = [\"{a}\", \"{b}\"]"));
}

/// n bars of 1/2 m hang from a pivot, the first at `angle` from the vertical, each next one `turn` further.
fn chain(n: usize, angle: f64, turn: f64) -> String {
    let mut text = String::new();
    head(&mut text, &[("pivot".into(), [0.0, 0.0])]);
    let mut from = [0.0, 0.0];
    for i in 0..n {
        let phi = angle + turn * i as f64;
        let to = [from[0] + 0.5 * phi.sin(), from[1] - 0.5 * phi.cos()];
        bar(&mut text, &format!("b{i}"), from, to);
        from = to;
    }
    for i in 0..n {
        let before = if i == 0 { "ground.pivot".to_string() } else { format!("b{}.head", i - 1) };
        pin(&mut text, &format!("p{i}"), &before, &format!("b{i}.foot"));
    }
    text
}

/// n bars between two pivots 1/2 m apart per two bars, hung in a zigzag.
fn bridge(n: usize) -> String {
    let mut text = String::new();
    let place = |i: usize| [0.4 * i as f64, if i.is_multiple_of(2) { 0.0 } else { -0.3 }];
    head(&mut text, &[("left".into(), place(0)), ("right".into(), place(n))]);
    for i in 0..n {
        bar(&mut text, &format!("b{i}"), place(i), place(i + 1));
    }
    for i in 0..=n {
        let before = if i == 0 { "ground.left".to_string() } else { format!("b{}.head", i - 1) };
        let after = if i == n { "ground.right".to_string() } else { format!("b{i}.foot") };
        pin(&mut text, &format!("p{i}"), &before, &after);
    }
    text
}

/// n rockers side by side, neighbours coupled: parallelograms, from a slope.
fn parallelograms(n: usize) -> String {
    let mut text = String::new();
    let (d, l, phi) = (0.5, 0.4, 0.9_f64);
    let pivots: Vec<_> = (0..n).map(|i| (format!("g{i}"), [d * i as f64, 0.0])).collect();
    head(&mut text, &pivots);
    let low = |i: usize| [d * i as f64 + l * phi.sin(), -l * phi.cos()];
    for i in 0..n {
        bar(&mut text, &format!("r{i}"), [d * i as f64, 0.0], low(i));
    }
    for i in 1..n {
        bar(&mut text, &format!("c{i}"), low(i - 1), low(i));
    }
    for i in 0..n {
        pin(&mut text, &format!("g{i}"), &format!("ground.g{i}"), &format!("r{i}.foot"));
    }
    for i in 1..n {
        pin(&mut text, &format!("a{i}"), &format!("r{}.head", i - 1), &format!("c{i}.foot"));
        pin(&mut text, &format!("b{i}"), &format!("c{i}.head"), &format!("r{i}.head"));
    }
    text
}

/// n crossed pairs of bars on a foot that is pinned and one that slides, folding under their weight.
fn scissors(n: usize) -> String {
    let mut text = String::new();
    let (w, h) = (0.4, 0.5);
    head(&mut text, &[("pivot".into(), [0.0, 0.0])]);
    for i in 0..n {
        let (low, high) = (h * i as f64, h * (i + 1) as f64);
        bar(&mut text, &format!("a{i}"), [0.0, low], [w, high]);
        bar(&mut text, &format!("b{i}"), [w, low], [0.0, high]);
    }
    pin(&mut text, "foot", "ground.pivot", "a0.foot");
    put(
        &mut text,
        "[joints.slide]\ntype = \"motion\"\nof = \"b0.foot\"\ncoordinate = \"y\"\nfunction = 0".into(),
    );
    for i in 0..n {
        pin(&mut text, &format!("cross{i}"), &format!("a{i}.middle"), &format!("b{i}.middle"));
    }
    for i in 1..n {
        pin(&mut text, &format!("left{i}"), &format!("b{}.head", i - 1), &format!("a{i}.foot"));
        pin(&mut text, &format!("right{i}"), &format!("a{}.head", i - 1), &format!("b{i}.foot"));
    }
    text
}

/// n sliders on one shaft, evenly turned, driven by a torque.
fn bank(n: usize) -> String {
    let mut text = String::new();
    let (l_1, l_2) = (0.1, 0.3);
    let angle = |i: usize| 0.3 + std::f64::consts::TAU * i as f64 / n as f64;
    head(&mut text, &[("axis".into(), [0.0, 0.0])]);
    let pins: Vec<String> =
        (0..n).map(|i| format!("p{i} = [{:?}, {:?}]", l_1 * angle(i).cos(), l_1 * angle(i).sin())).collect();
    put(
        &mut text,
        format!(
            "[bodies.shaft]\nmass = 2\ninertia = 0.01\nangular_velocity = 20\npoints = {{ axis = [0, 0], {} }}",
            pins.join(", ")
        ),
    );
    pin(&mut text, "axis", "ground.axis", "shaft.axis");
    for i in 0..n {
        let pin_at = [l_1 * angle(i).cos(), l_1 * angle(i).sin()];
        let wrist = [pin_at[0] + (l_2 * l_2 - pin_at[1] * pin_at[1]).sqrt(), 0.0];
        bar(&mut text, &format!("rod{i}"), pin_at, wrist);
        put(
            &mut text,
            format!(
                "[bodies.slider{i}]\nmass = 0.5\ninertia = 1e-3\nposition = [{:?}, 0]\npoints.wrist = [0, 0]",
                wrist[0]
            ),
        );
        pin(&mut text, &format!("pin{i}"), &format!("shaft.p{i}"), &format!("rod{i}.foot"));
        pin(&mut text, &format!("wrist{i}"), &format!("rod{i}.head"), &format!("slider{i}.wrist"));
        put(
            &mut text,
            format!(
                "[joints.guide{i}]\ntype = \"prismatic\"\nbetween = [\"ground.axis\", \"slider{i}.wrist\"]"
            ),
        );
    }
    put(&mut text, "[forces.motor]\ntype = \"torque\"\non = \"shaft\"\ntorque = 2".into());
    text
}

/// A cart on a spring carries a pendulum.
fn cart() -> String {
    let mut text = String::new();
    head(&mut text, &[("rail".into(), [0.0, 0.0]), ("wall".into(), [-1.0, 0.0])]);
    put(
        &mut text,
        "[bodies.cart]\nmass = 1\ninertia = 0.1\nposition = [0.2, 0]\npoints.hook = [0, 0]".into(),
    );
    bar(&mut text, "rod", [0.2, 0.0], [0.9, 0.3]);
    put(
        &mut text,
        "[joints.rail]\ntype = \"prismatic\"\nbetween = [\"ground.rail\", \"cart.hook\"]\n\
         [forces.spring]\ntype = \"spring\"\nbetween = [\"ground.wall\", \"cart\"]\nstiffness = 50\nlength = 1"
            .into(),
    );
    pin(&mut text, "hook", "cart.hook", "rod.foot");
    text
}

/// Set 1.
fn simple() -> Vec<Case> {
    let pendulum = gallery!("pendulum-stop");
    let four_bar = gallery!("four-bar");
    let slider_crank = gallery!("slider-crank");
    vec![
        Case::gallery(1, "pendulum", 5.0, pendulum, &[("contacts", "{}")]),
        Case::written(1, "double pendulum", 2.0, chain(2, 1.2, 0.6)),
        Case::written(1, "triple pendulum", 1.5, chain(3, 0.8, 0.5)),
        Case::written(1, "cart and pendulum", 5.0, cart()),
        Case::gallery(1, "four-bar linkage, driven", 2.0, four_bar, &[]),
        Case::gallery(1, "four-bar linkage, falling", 1.5, four_bar, &[("forces.motor.torque", "0")]),
        Case::gallery(1, "slider-crank at 150 rad/s", 0.2, slider_crank, &[("joints.guide", NO_PLAY)]),
        Case::gallery(
            1,
            "slider-crank at 15 rad/s",
            1.0,
            slider_crank,
            &[("w1", "15"), ("joints.guide", NO_PLAY)],
        ),
    ]
}

/// Set 2.
fn many() -> Vec<Case> {
    vec![
        Case::written(2, "chain of 5 bars", 1.2, chain(5, 0.4, 0.25)),
        Case::written(2, "chain of 10 bars", 1.0, chain(10, 0.3, 0.15)),
        Case::written(2, "chain of 18 bars", 0.8, chain(18, 0.3, 0.08)),
        Case::written(2, "bridge of 8 bars", 0.6, bridge(8)),
        Case::written(2, "train of 6 parallelograms", 5.0, parallelograms(7)),
        Case::written(2, "train of 10 parallelograms", 5.0, parallelograms(11)),
        Case::written(2, "scissors of 3 pairs", 0.25, scissors(3)),
        Case::written(2, "scissors of 6 pairs", 0.3, scissors(6)),
        Case::written(2, "bank of 3 slider-cranks", 1.0, bank(3)),
        Case::written(2, "bank of 6 slider-cranks", 1.0, bank(6)),
    ]
}

/// Set 3.
fn impacts() -> Vec<Case> {
    let ball = gallery!("ball");
    let stop = gallery!("pendulum-stop");
    let smooth = gallery!("crank-slider-rigid");
    let rough = gallery!("slider-crank");
    vec![
        Case::gallery(3, "ball", 3.0, ball, &[]),
        Case::gallery(3, "ball, e = 0.5", 3.0, ball, &[("e", "0.5")]),
        Case::gallery(3, "ball in a box", 2.0, gallery!("ball-in-box"), &[]),
        Case::gallery(3, "ball in a box, e = 0.9", 2.0, gallery!("ball-in-box"), &[("e", "0.9")]),
        Case::gallery(3, "three balls", 0.8, gallery!("three-balls"), &[]),
        Case::gallery(3, "oscillator", 2.0, gallery!("oscillator"), &[]),
        Case::gallery(3, "pendulum with a stop", 5.0, stop, &[]),
        Case::gallery(3, "pendulum with a stop, e = 0.4", 5.0, stop, &[("e", "0.4")]),
        Case::gallery(3, "Newton's cradle", 0.6, gallery!("newtons-cradle"), &[]),
        Case::gallery(3, "slider-crank with play", 0.06, smooth, &[]),
        Case::gallery(3, "slider-crank with play, e = 0.1", 0.06, smooth, &[("e", "0.1")]),
        Case::gallery(3, "slider-crank with play and friction", 0.06, rough, &[]),
        Case::gallery(
            3,
            "slider-crank with friction 0.1, play 0.5 mm",
            0.04,
            rough,
            &[("mu", "0.1"), ("c", "5e-4")],
        ),
        Case::gallery(3, "four-bar linkage with play", 0.15, gallery!("four-bar-clearance"), &[]),
        Case::gallery(
            3,
            "four-bar linkage with play, e = 0, mu = 0",
            0.15,
            gallery!("four-bar-clearance"),
            &[("e", "0"), ("mu", "0")],
        ),
        Case::gallery(3, "woodpecker", 0.3, gallery!("woodpecker"), &[]),
    ]
}

/// Set 4.
fn elastic() -> Vec<Case> {
    let beam = gallery!("rotating-beam");
    let floating = gallery!("slider-crank-ffr");
    let exact = gallery!("crank-slider-flex");
    let turning = gallery!("eccentric-beam");
    vec![
        Case::gallery(4, "elastic pendulum, E = 2e7", 0.3, beam, &[("E", "2.1e7"), ("contacts", "{}")]),
        Case::gallery(4, "elastic pendulum, E = 2e9", 0.1, beam, &[("E", "2.1e9"), ("contacts", "{}")]),
        Case::gallery(
            4,
            "elastic pendulum with a stop, E = 2e7",
            0.6,
            beam,
            &[("E", "2.1e7"), ("bodies.beam.elastic.elements", "2")],
        ),
        Case::gallery(
            4,
            "slider-crank, elastic rod",
            0.02,
            floating,
            &[("joints.guide", NO_PLAY), ("E", "2e9"), ("bodies.rod.elastic.elements", "2")],
        ),
        Case::gallery(
            4,
            "slider-crank, elastic rod, 4 elements",
            0.02,
            floating,
            &[("joints.guide", NO_PLAY), ("E", "2e9")],
        ),
        Case::gallery(
            4,
            "slider-crank, elastic rod, play",
            0.01,
            floating,
            &[("E", "2e9"), ("bodies.rod.elastic.elements", "2"), ("mu", "0")],
        ),
        Case::gallery(
            4,
            "slider-crank, exact beams, E = 2e9",
            0.02,
            exact,
            &[("E", "2.1e9"), ("joints.guide", NO_PLAY)],
        ),
        Case::gallery(
            4,
            "eccentric beam",
            0.5,
            turning,
            &[("bodies.beam.elastic.damping", "{ stiffness = 1e-5 }")],
        ),
        Case::gallery(
            4,
            "eccentric beam, 4 elements",
            1.0,
            turning,
            &[("bodies.beam.elastic.elements", "4")],
        ),
    ]
}
