//! Mechanisms whose motion is known: in closed form, or by event-driven integration to 1e-11.
//!
//! ```text
//!   smooth      throw, spring, damped, pendulum, double pendulum, four-bar, crank
//!   stiff       three masses, wire (a stiff pendulum), damper faster than any step
//!   impacting   ball with e = 0.8, 1 and 0, oscillator, pendulum against a stop, box, oblique disk, slider with clearance
//!   sticking    block that slides and stops, spring with Coulomb's friction, belt
//!   flexible    cantilever, bar that hits, beam that swings against a stop, door-stop
//! ```
//!
//! Steps are the interval of the samples over `parts`: from ones that nobody should take to fine ones. Everything else is left as
//! a user finds it.

use crate::mechanism::Mechanism;
use crate::mechanisms::sets::gallery;
use crate::oscillator_exact::Exact;
use crate::stack::Stack;
use crate::stiff_exact::Modes;
use carom_dynamics::System;
use std::sync::Arc;

/// Where a mechanism is at a time, coordinate by coordinate.
type ClosedForm = Box<dyn Fn(f64) -> Vec<f64> + Send + Sync>;

/// How the motion is known.
pub enum Truth {
    /// In closed form.
    Exact(ClosedForm),
    /// By these two schemes with a tight tolerance; the second shows how far the first can be trusted.
    Tight([&'static str; 2]),
}

/// A mechanism, and how it is run.
pub struct Case {
    /// Name in the tables.
    pub name: &'static str,
    /// What it stands for.
    pub kind: &'static str,
    /// End of the run (s).
    pub end: f64,
    /// Samples at which it is compared.
    pub samples: usize,
    /// Steps per sample: coarse, middle, fine.
    pub parts: [usize; 3],
    /// How its motion is known.
    pub truth: Truth,
    made: Made,
}

type Changes = &'static [(&'static str, &'static str)];

/// What runs.
enum Made {
    Text(&'static str, Changes),
    Coded(&'static str, &'static [(&'static str, f64)]),
}

/// A system with its start.
pub struct Ready {
    pub system: Arc<dyn System>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// Cases with impacts of several contacts or with friction, where Poisson's law is not Newton's: Anitescu–Potra goes another way there.
const NOT_POISSON: [&str; 8] = [
    "oblique disk",
    "ball in a box",
    "slider-crank with clearance",
    "woodpecker",
    "three balls",
    "four-bar, three clearances",
    "Newton's cradle",
    "crank-slider, frictionless",
];

impl Case {
    /// Whether a scheme has the law of impacts that the reference has.
    pub fn follows_its_law(&self, scheme: &str) -> bool {
        scheme != "anitescu-potra" || !NOT_POISSON.contains(&self.name)
    }

    /// The system with its start.
    pub fn build(&self) -> Result<Ready, String> {
        match self.made {
            Made::Text(text, changes) => {
                let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
                let loaded = carom_io::load_text(self.name, text, &changes).map_err(|e| e.to_string())?;
                let Mechanism { model, q, v } =
                    Mechanism::new(loaded.description.plane().expect("a model of the plane"))?;
                Ok(Ready { system: Arc::new(model), q, v })
            }
            Made::Coded(name, parameters) => {
                let coded = carom_systems::system(name, parameters).map_err(|e| e.to_string())?;
                Ok(Ready { system: coded.system, q: coded.q, v: coded.v })
            }
        }
    }
}

/// Every case.
pub fn all() -> Vec<Case> {
    let mut all = smooth();
    all.extend(stiff());
    all.extend(impacting());
    all.extend(sticking());
    all.extend(flexible());
    all.extend(gallery());
    all
}

/// Models of the gallery, as they are but for their ends.
fn gallery() -> Vec<Case> {
    let case = |name, kind, end, samples, parts, truth, text, changes| Case {
        name,
        kind,
        end,
        samples,
        parts,
        truth: Truth::Tight(truth),
        made: Made::Text(text, changes),
    };
    let both = ["hem5", "radau5"];
    vec![
        case("gear and rack", "smooth", 1.0, 50, [1, 5, 30], both, gallery!("gear-rack"), &[]),
        case("woodpecker", "impacting", 0.12, 60, [2, 10, 50], both, gallery!("woodpecker"), &[]),
        case("three balls", "impacting", 0.5, 50, [2, 10, 50], both, gallery!("three-balls"), &[]),
        case("bead onto a plane", "impacting", 1.0, 50, [1, 5, 30], both, gallery!("parabola-plane"), &[]),
        case(
            "four-bar, three clearances",
            "impacting",
            0.03,
            60,
            [2, 10, 40],
            both,
            gallery!("four-bar-clearance"),
            &[],
        ),
        case("Newton's cradle", "impacting", 0.3, 60, [4, 20, 100], both, gallery!("newtons-cradle"), &[]),
        case(
            "crank-slider, frictionless",
            "impacting",
            0.02,
            50,
            [2, 10, 50],
            both,
            gallery!("crank-slider-rigid"),
            &[],
        ),
    ]
}

/// From rest or a velocity under a constant acceleration: x + v t + ½ a t².
fn flight(x: f64, v: f64, a: f64, t: f64) -> f64 {
    x + v * t + 0.5 * a * t * t
}

const THROW: &str = r#"
gravity = [0, -10]
[bodies.stick]
mass = 2
inertia = 0.1
position = [0, 1]
velocity = [3, 4]
angular_velocity = 5
"#;

const SPRING: &str = r#"
[parameters]
c = 0
[ground.points]
wall = [-0.5, 0]
[bodies.mass]
mass = 1
position = [0.1, 0]
[forces.spring]
type = "spring"
between = ["ground.wall", "mass"]
stiffness = 100
damping = "=c"
length = 0.5
"#;

const PENDULUM: &str = r#"
gravity = [0, -9.81]
[ground.points]
pivot = [0, 0]
[bodies.rod]
mass = 1
inertia = 0.08
position = [0, 0.5]
angle = 0.1
points.end = [0, -0.5]
[joints.pivot]
type = "revolute"
between = ["ground.pivot", "rod.end"]
"#;

const DOUBLE: &str = r#"
units = "mm"
gravity = [0, -9810]
[ground.points]
pivot = [0, 0]
[bodies.upper]
mass = 1
inertia = 833
position = [50, 0]
points = { start = [-50, 0], end = [50, 0] }
[bodies.lower]
mass = 1
inertia = 833
position = [100, 50]
angle = "=pi/2"
points = { start = [-50, 0] }
[joints]
shoulder = { type = "revolute", between = ["ground.pivot", "upper.start"] }
elbow = { type = "revolute", between = ["upper.end", "lower.start"] }
"#;

fn smooth() -> Vec<Case> {
    let case = |name, end, samples, parts, truth, made| Case {
        name,
        kind: "smooth",
        end,
        samples,
        parts,
        truth,
        made,
    };
    let throw = |t| vec![3.0 * t, flight(1.0, 4.0, -10.0, t), 5.0 * t];
    let spring = |t: f64| vec![0.1 * (10.0 * t).cos(), 0.0];
    // x'' + 2 ζω x' + ω² x = 0 with ω = 10, 2 ζω = 2
    let damped = |t: f64| {
        let omega = 99.0_f64.sqrt();
        vec![0.1 * (-t).exp() * ((omega * t).cos() + (omega * t).sin() / omega), 0.0]
    };
    vec![
        case("throw", 1.0, 20, [1, 5, 50], Truth::Exact(Box::new(throw)), Made::Text(THROW, &[])),
        case("spring", 3.0, 60, [1, 10, 100], Truth::Exact(Box::new(spring)), Made::Text(SPRING, &[])),
        case(
            "spring, steps of periods",
            61.0,
            10,
            [1, 2, 3],
            Truth::Exact(Box::new(spring)),
            Made::Text(SPRING, &[]),
        ),
        case(
            "spring with a damper",
            3.0,
            60,
            [1, 10, 100],
            Truth::Exact(Box::new(damped)),
            Made::Text(SPRING, &[("c", "2")]),
        ),
        case(
            "pendulum from the top",
            3.0,
            60,
            [1, 8, 60],
            Truth::Tight(["dopri5", "radau5"]),
            Made::Text(PENDULUM, &[]),
        ),
        case(
            "double pendulum",
            0.6,
            60,
            [1, 6, 40],
            Truth::Tight(["dopri5", "radau5"]),
            Made::Text(DOUBLE, &[]),
        ),
        case(
            "four-bar",
            1.5,
            150,
            [1, 5, 25],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("four-bar"), &[]),
        ),
        case(
            "slider-crank in two angles",
            1.0,
            50,
            [1, 5, 40],
            Truth::Tight(["dopri5", "radau5"]),
            Made::Coded("slider-crank-1dof", &[]),
        ),
    ]
}

/// A mass on a stiff wire that swings.
const WIRE: &str = r#"
gravity = [0, -9.81]
[ground.points]
hook = [0, 0]
[bodies.mass]
mass = 1
position = [0.8, -0.6]
[forces.wire]
type = "spring"
between = ["ground.hook", "mass"]
stiffness = 1e5
length = 1
"#;

const DAMPER: &str = r#"
gravity = [0, -9.81]
[ground.points]
hook = [0, 0]
[bodies.mass]
mass = 1
position = [0, -1]
velocity = [0, -2]
[forces.damper]
type = "spring"
between = ["ground.hook", "mass"]
stiffness = 100
damping = 1e4
length = 1
"#;

fn stiff() -> Vec<Case> {
    let case = |name, end, samples, parts, truth, made| Case {
        name,
        kind: "stiff",
        end,
        samples,
        parts,
        truth,
        made,
    };
    let modes = Modes::new(1.0, 1e5, 1.0, 9.81);
    let three = move |t| modes.at(t)[0].to_vec();
    // y = hook − 1 − s: s'' + c s' + k s = g, roots −a ± b
    let damper = |t: f64| {
        let (a, sag) = (0.5e4, 9.81 / 100.0);
        let b = (a * a - 100.0_f64).sqrt();
        // the slow root without cancellation
        let (slow, fast) = (-100.0 / (a + b), -a - b);
        let (s0, v0) = (-sag, 2.0);
        let first = (v0 - fast * s0) / (slow - fast);
        vec![0.0, -1.0 - sag - first * (slow * t).exp() - (s0 - first) * (fast * t).exp()]
    };
    vec![
        case(
            "three masses, one stiff",
            5.0,
            50,
            [1, 10, 100],
            Truth::Exact(Box::new(three)),
            Made::Coded("stiff-3dof-spring", &[("k0", 1e5)]),
        ),
        case("stiff wire", 1.0, 50, [1, 10, 100], Truth::Tight(["radau5", "dopri5"]), Made::Text(WIRE, &[])),
        case("fast damper", 2.0, 20, [1, 10, 100], Truth::Exact(Box::new(damper)), Made::Text(DAMPER, &[])),
    ]
}

const BALL: &str = r#"
gravity = [0, -10]
[parameters]
e = 0.8
[ground.shapes]
floor = { type = "line", through = [0, 0], normal = [0, 1] }
[bodies.ball]
mass = 1
position = [0, 1.2]
velocity = [1, 0]
shapes.skin = { type = "disk", radius = 0.2 }
[contacts]
floor = { between = ["ball.skin", "ground.floor"], restitution = "=e" }
"#;

/// A ball dropped from 1 m that bounces with e, exactly; it rests after the accumulation.
fn bounce(e: f64, t: f64) -> f64 {
    let g: f64 = 10.0;
    let mut at = (2.0 / g).sqrt();
    if t <= at {
        return flight(1.0, 0.0, -g, t);
    }
    let mut v = e * (2.0 * g).sqrt();
    loop {
        let lasts = 2.0 * v / g;
        if lasts < 1e-14 {
            return 0.0;
        }
        if t <= at + lasts {
            return flight(0.0, v, -g, t - at);
        }
        at += lasts;
        v *= e;
    }
}

fn ball(e: f64) -> Truth {
    Truth::Exact(Box::new(move |t| vec![t, 0.2 + bounce(e, t)]))
}

fn impacting() -> Vec<Case> {
    let case = |name, end, samples, parts, truth, made| Case {
        name,
        kind: "impacting",
        end,
        samples,
        parts,
        truth,
        made,
    };
    let exact = Exact::new(&Stack::oscillator(1.0, 10.0, 0.2, 0.8, (1e4, 1.0)), 0.8, [1.001, 2.001], 1.5);
    let oscillator = move |t| {
        let [lower, _, upper, _] = exact.at(t);
        vec![0.0, lower, 0.0, upper]
    };
    vec![
        case("ball, e = 0.8", 2.0, 40, [1, 10, 60], ball(0.8), Made::Text(BALL, &[])),
        case("ball, to rest", 5.0, 50, [2, 10, 50], ball(0.8), Made::Text(BALL, &[])),
        case("ball, e = 1", 3.0, 60, [1, 10, 60], ball(1.0), Made::Text(BALL, &[("e", "1")])),
        case("ball, e = 0", 1.0, 20, [1, 7, 60], ball(0.0), Made::Text(BALL, &[("e", "0")])),
        case(
            "oscillator",
            1.0,
            100,
            [2, 10, 50],
            Truth::Exact(Box::new(oscillator)),
            Made::Text(gallery!("oscillator"), &[]),
        ),
        case(
            "pendulum against a stop",
            2.0,
            100,
            [1, 5, 30],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("pendulum-stop"), &[]),
        ),
        case(
            "ball in a box",
            2.0,
            40,
            [2, 10, 60],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("ball-in-box"), &[("e", "0.9")]),
        ),
        case(
            "oblique disk",
            1.5,
            50,
            [2, 10, 50],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("oblique-disk"), &[]),
        ),
        case(
            "slider-crank with clearance",
            0.03,
            60,
            [2, 10, 50],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("slider-crank"), &[]),
        ),
    ]
}

const SLIDES: &str = r#"
units = "mm"
gravity = [0, -10000]
[ground.shapes]
floor = { type = "line", through = [0, 0], normal = [0, 1] }
[bodies.block]
mass = 1
inertia = 1000
position = [0, 50]
velocity = [2000, 0]
shapes.box = { type = "rectangle", size = [200, 100] }
[contacts]
floor = { between = ["block.box", "ground.floor"], friction = 0.5 }
"#;

const RUBS: &str = r#"
gravity = [0, -10]
[ground]
points.wall = [-1, 0]
shapes.floor = { type = "line", through = [0, 0], normal = [0, 1] }
[bodies.block]
mass = 1
position = [0.35, 0]
points.foot = [0, 0]
[forces.spring]
type = "spring"
between = ["ground.wall", "block"]
stiffness = 100
length = 1
[contacts]
floor = { between = ["block.foot", "ground.floor"], friction = 0.3 }
"#;

fn sticking() -> Vec<Case> {
    let case = |name, end, samples, parts, truth, made| Case {
        name,
        kind: "sticking",
        end,
        samples,
        parts,
        truth,
        made,
    };
    // 2 m/s at 5 m/s²: stops after 0.4 s and 0.4 m
    let slides = |t: f64| vec![flight(0.0, 2.0, -5.0, t.min(0.4)), 0.05, 0.0];
    // half swings about ± μ g/ω² = ± 0.03, from 0.35: 0.35, −0.29, 0.23, −0.17, 0.11, −0.05, and sticks below 0.03
    let rubs = |t: f64| {
        let (omega, off, half) = (10.0, 0.03, 0.1 * std::f64::consts::PI);
        let (mut amplitude, mut sign, mut t) = (0.35, 1.0, t);
        while amplitude > off {
            if t <= half {
                return vec![sign * (off + (amplitude - off) * (omega * t).cos()), 0.0];
            }
            t -= half;
            amplitude -= 2.0 * off;
            sign = -sign;
        }
        vec![sign * amplitude, 0.0]
    };
    vec![
        case(
            "block that stops",
            1.0,
            20,
            [1, 7, 50],
            Truth::Exact(Box::new(slides)),
            Made::Text(SLIDES, &[]),
        ),
        case(
            "spring with friction",
            3.0,
            60,
            [1, 10, 60],
            Truth::Exact(Box::new(rubs)),
            Made::Text(RUBS, &[]),
        ),
        case(
            "belt",
            2.6,
            52,
            [2, 10, 50],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("belt"), &[]),
        ),
        case(
            "block up an incline",
            1.0,
            40,
            [1, 5, 25],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(gallery!("incline"), &[]),
        ),
    ]
}

const CANTILEVER: &str = r#"
units = "mm"
gravity = [0, -9810]
[ground.points]
wall = [0, 0]
[bodies.ruler]
points = { root = [0, 0], tip = [300, 0] }
[bodies.ruler.elastic]
type = "beam"
length = 300
elements = 2
young = 210000
area = 20
second_moment = 6.7
density = 7.8e-6
[joints.clamp]
type = "weld"
between = ["ground.wall", "ruler.root"]
"#;

const STRIKES: &str = r#"
[ground.shapes]
wall = { type = "line", through = [0, 0], normal = [1, 0] }
[bodies.bar]
position = [0.1, 0]
velocity = [-1, 0]
elastic = { type = "bar", length = 1, elements = 8, young = 1e6, area = 1e-4, density = 1000 }
points.foot = [0, 0]
[contacts]
wall = { between = ["bar.foot", "ground.wall"] }
"#;

fn flexible() -> Vec<Case> {
    let case = |name, end, samples, parts, truth, made| Case {
        name,
        kind: "flexible",
        end,
        samples,
        parts,
        truth,
        made,
    };
    vec![
        case(
            "cantilever under its weight",
            0.3,
            60,
            [1, 5, 50],
            Truth::Tight(["radau5", "dopri5"]),
            Made::Text(CANTILEVER, &[]),
        ),
        case(
            "bar that strikes",
            0.3,
            60,
            [1, 5, 30],
            Truth::Tight(["hem5", "radau5"]),
            Made::Text(STRIKES, &[]),
        ),
        case(
            "beam against a stop",
            0.5,
            50,
            [2, 10, 50],
            Truth::Tight(["radau5", "hem5"]),
            Made::Text(gallery!("rotating-beam"), &[("E", "1e8"), ("bodies.beam.elastic.elements", "2")]),
        ),
        case(
            "door-stop",
            0.6,
            60,
            [4, 12, 40],
            Truth::Tight(["radau5", "hem5"]),
            Made::Text(gallery!("door-stop"), &[("E", "1e9"), ("bodies.blade.elastic.elements", "2")]),
        ),
    ]
}
