//! Forces that know the motion: derivatives by differences, and motions that are known in closed form.
#![allow(non_snake_case)]

use carom_dynamics::{
    Configuration, Recording, Settings, Simulation, State, System, check_derivatives, scheme,
};
use carom_io::{LoadedModel, load_text};
use carom_model::Model;

/// Central differences with a step of 1e-6 are good to about 1e-9 of the values.
pub(crate) const TOLERANCE: f64 = 1e-6;

pub(crate) fn load(text: &str) -> LoadedModel {
    load_text("model.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs the model with a scheme and a step.
pub(crate) fn run(text: &str, name: &str, step: f64) -> Recording {
    let loaded = load(text);
    let any = loaded.build().unwrap_or_else(|e| panic!("{e}"));
    let model = any.system();
    let start = loaded.assemble(&any).unwrap_or_else(|e| panic!("{e}"));
    let asked = loaded.description.simulation();
    let settings = Settings { step, end: asked.end, accuracy: asked.accuracy, output: asked.output };
    let state = State::new(model, 0.0, start.q, start.v);
    let solver = carom_solve::solver(&asked.solver).unwrap();
    let mut simulation =
        Simulation::new(model, &*scheme(name, &[]).unwrap(), solver, state, settings).unwrap();
    let stop = simulation.run(|_| true);
    let recording = simulation.recording();
    let last = *recording.column("t").expect("time is recorded").last().expect("a run has samples");
    assert!((last - asked.end).abs() < 1e-9, "{name} stopped at {last}: {stop:?}");
    recording
}

/// Largest distance of a channel from a function of time.
pub(crate) fn off(recording: &Recording, channel: &str, exact: impl Fn(f64) -> f64) -> f64 {
    let t = recording.column("t").unwrap();
    let x = recording.column(channel).unwrap_or_else(|| panic!("no channel {channel}"));
    t.iter().zip(x.iter()).fold(0.0, |most: f64, (t, x)| most.max((x - exact(*t)).abs()))
}

/// Two bodies, a point, a guide and every kind of word.
const ALL: &str = r#"
units = { length = "cm", time = "ms", angle = "deg", force = "mN", mass = "g" }
[parameters]
k = 3
rate = 2
[ground.points]
pin = [0, 0]
rail = { at = [10, 20], angle = 25 }
[bodies.a]
mass = 200
inertia = 500
position = [10, 5]
angle = 20
points = { tip = { at = [8, 3], angle = 40 }, root = [-10, 1] }
[bodies.b]
mass = 100
inertia = 400
position = [35, 20]
points = { end = [-4, 2] }
[bodies.p]
mass = 50
position = [20, 40]
[joints.hinge]
type = "revolute"
between = ["a.tip", "b.end"]
[joints.slide]
type = "prismatic"
between = ["a.tip", "p"]
[forces.push]
type = "force"
on = "a.root"
force = ["k*b.vx*sin(t/7) - a.tip.y*a.root.vx/9", "sqrt(1 + b.end.vy^2)*hinge.rate - slide.position*p.vy"]
[forces.chase]
type = "force"
on = "b.end"
follows = true
force = ["distance(a.root, p)*distance_rate(b.end, ground.pin)", "=a.omega*a.angle/50 + slide.rate^2"]
[forces.turn]
type = "torque"
on = "a"
against = "b"
torque = "=-k*a.tip.vx*hinge.angle/20 + cos(p.x/30)"
[forces.rope]
type = "spring"
between = ["a.root", "ground.rail"]
length = 9
stiffness = 0.5
force = "rate*stretch^2/10 + length^1.5*a.omega + exp(-t/50)"
[forces.coil]
type = "torsion-spring"
between = ["ground", "b"]
angle = 10
torque = "(stretch/10)^3 + angle*rate/4"
[forces.hinge-motor]
type = "motor"
joint = "hinge"
torque = "=k*(30*sin(t) - angle)/10 - 0.2*rate*slide.position"
[forces.slide-motor]
type = "motor"
joint = "slide"
force = "=position*rate/3 - k*distance(p, b.end) + tanh(b.omega)"
"#;

/// Seeded numbers in −1 … 1.
pub(crate) fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[test]
fn tangents_are_those_of_differences_and_power_is_work() {
    let any = load(ALL).build().unwrap_or_else(|e| panic!("{e}"));
    let model: &Model = any.plane().expect("a model of the plane");
    let mut seed = 7;
    for _ in 0..20 {
        let q: Vec<f64> = model.described_position().iter().map(|q| q + 0.1 * random(&mut seed)).collect();
        let v: Vec<f64> = q.iter().map(|_| 2.0 * random(&mut seed)).collect();
        let wrong = check_derivatives(model, 0.3, &q, &v, TOLERANCE);
        assert!(wrong.is_empty(), "{wrong:#?}");
        // h·v = power − rate of what the stiffness of the rope stores
        let at = Configuration::new(model, 0.3, &q, &v);
        let mut h = vec![0.0; v.len()];
        model.force(&at, &mut h);
        let work: f64 = h.iter().zip(&v).map(|(h, v)| h * v).sum();
        let stored = |s: f64| {
            let moved: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + s * v).collect();
            model.energy(&Configuration::new(model, 0.3, &moved, &v)).strain
        };
        let power = model.power(&at).applied - (stored(1e-6) - stored(-1e-6)) / 2e-6;
        assert!((work - power).abs() <= 1e-7 * (1.0 + work.abs()), "{work} {power}");
    }
}

fn two_masses(force: &str) -> String {
    format!(
        r#"
gravity = [0, -9.81]
[parameters]
k = 40
c = 0.7
[ground.points]
pin = [0.1, 0]
[bodies.a]
mass = 1.5
inertia = 0.02
position = [0.6, 0]
angular_velocity = 3
points = {{ tip = [0.2, 0.1] }}
[forces.spring]
type = "spring"
between = ["ground.pin", "a.tip"]
length = 0.5
{force}
[simulation]
end = 1
output = 0.1
"#
    )
}

#[test]
fn a_spring_written_as_a_formula_is_the_spring() {
    for name in ["moreau-jean", "generalized-alpha", "half-explicit", "bathe"] {
        let built_in = run(&two_masses("stiffness = \"=k\"\ndamping = \"=c\""), name, 1e-3);
        let formula = run(&two_masses("force = \"k*stretch + c*rate\""), name, 1e-3);
        for channel in ["a.x", "a.y", "a.angle", "a.omega"] {
            let exact = built_in.column(channel).unwrap().to_vec();
            let x = formula.column(channel).unwrap();
            let off = x.iter().zip(&exact).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
            assert!(off < 1e-9, "{name} {channel}: {off}");
        }
    }
}

/// J φ'' = k (1 − φ) − d φ': 1 − φ = e^(−δt) (cos ωt + δ/ω sin ωt).
const CONTROLLED: &str = r#"
[parameters]
k = 20
d = 1.2
target = 1
[ground.points]
axle = [0, 0]
[bodies.arm]
mass = 2
inertia = 0.5
points = { hub = [0, 0] }
[joints.hinge]
type = "revolute"
between = ["ground.axle", "arm.hub"]
[forces.drive]
type = "motor"
joint = "hinge"
torque = "=k*(target - angle) - d*rate"
[simulation]
end = 2
output = 0.05
"#;

#[test]
fn a_controller_swings_in_like_a_damped_oscillator() {
    let (delta, w2) = (1.2 / (2.0 * 0.5), 20.0 / 0.5f64);
    let w = (w2 - delta * delta).sqrt();
    let exact = |t: f64| 1.0 - (-delta * t).exp() * ((w * t).cos() + delta / w * (w * t).sin());
    let error = |step: f64| off(&run(CONTROLLED, "generalized-alpha", step), "arm.angle", exact);
    let (coarse, fine) = (error(4e-3), error(2e-3));
    assert!(fine < 2e-4, "{fine}");
    assert!((coarse / fine).log2() > 1.8, "order {}", (coarse / fine).log2());
}

/// m v' = m g − c v²: v = v_t tanh(g t / v_t).
const FALL: &str = r#"
gravity = [0, -9.81]
[parameters]
c = 0.3
[bodies.ball]
mass = 2
position = [0, 0]
[forces.drag]
type = "force"
on = "ball"
force = ["-c*sqrt(ball.vx^2 + ball.vy^2)*ball.vx", "-c*sqrt(ball.vx^2 + ball.vy^2)*ball.vy"]
[simulation]
end = 3
output = 0.1
"#;

#[test]
fn drag_ends_the_acceleration() {
    let terminal = (2.0 * 9.81 / 0.3f64).sqrt();
    let exact = |t: f64| -terminal * (9.81 * t / terminal).tanh();
    let error = |step: f64| off(&run(FALL, "generalized-alpha", step), "ball.vy", exact);
    let (coarse, fine) = (error(2e-2), error(1e-2));
    assert!(fine < 1e-3, "{fine}");
    assert!((coarse / fine).log2() > 1.8, "order {}", (coarse / fine).log2());
}

/// J ω' = T0 (1 − ω/ω0): ω = ω0 (1 − e^(−t T0/(J ω0))).
#[test]
fn a_motor_runs_up_along_its_curve() {
    let text = CONTROLLED
        .replace("=k*(target - angle) - d*rate", "5*max(0, 1 - rate/40)")
        .replace("end = 2", "end = 10");
    let exact = |t: f64| 40.0 * (1.0 - (-t * 5.0 / (0.5 * 40.0)).exp());
    let error = off(&run(&text, "generalized-alpha", 1e-2), "arm.omega", exact);
    assert!(error < 1e-3, "{error}");
}

/// A mass flies off slack, is caught by a rope that only pulls, and comes back; without gravity. Slack for x < 1:
/// x = v t, then x = 1 + v/w sin w(t − 1/v) until π/w later, then back with −v.
const ROPE: &str = r#"
[ground.points]
hook = [0, 0]
[bodies.ball]
mass = 2
position = [0.5, 0]
velocity = [3, 0]
[forces.rope]
type = "spring"
between = ["ground.hook", "ball"]
length = 1
force = "max(0, 200*stretch)"
[simulation]
end = 0.6
output = 0.01
"#;

pub(crate) fn rope(t: f64) -> f64 {
    let (v, w) = (3.0, 10.0);
    let caught = 0.5 / v;
    let free = caught + std::f64::consts::PI / w;
    if t < caught {
        0.5 + v * t
    } else if t < free {
        1.0 + v / w * (w * (t - caught)).sin()
    } else {
        1.0 - v * (t - free)
    }
}

#[test]
fn a_rope_pulls_and_never_pushes() {
    let recording = run(ROPE, "moreau-jean", 1e-4);
    let error = off(&recording, "ball.x", rope);
    assert!(error < 1e-3, "{error}");
    // what the rope took it gave back: it is applied power, and the energy is that of the flight again
    let speed = *recording.column("ball.vx").unwrap().last().unwrap();
    assert!((speed + 3.0).abs() < 1e-2, "{speed}");
}

#[test]
fn events_know_distances_and_joints() {
    let text =
        format!("{ROPE}[events.taut]\nwhen = \"distance(ball, ground.hook) - 1\"\ndirection = \"rising\"\n");
    let recording = run(&text, "moreau-jean", 1e-3);
    let taut: Vec<f64> = recording.events.iter().filter(|e| e.subject == "taut").map(|e| e.t).collect();
    assert!(taut.len() == 1 && (taut[0] - 0.5 / 3.0).abs() < 2e-3, "{taut:?}");
}

#[track_caller]
pub(crate) fn refused(text: &str, says: &[&str]) {
    let loaded = load(text);
    let error = loaded.build().map(|_| ()).expect_err("it is wrong").to_string();
    says.iter().for_each(|word| assert!(error.contains(word), "no `{word}` in\n{error}"));
}

#[test]
fn what_cannot_be_is_refused() {
    let with = |formula: &str| FALL.replace("-c*sqrt(ball.vx^2 + ball.vy^2)*ball.vy", formula);
    refused(&with("-c*bal.vy"), &["bal.vy", "did you mean `ball.vy`"]);
    refused(&with("-c*ball.omega"), &["ball.omega"]);
    refused(&with("-c*sign(ball.vy)"), &["sign", "jumps", "friction"]);
    refused(&with("-c/ball.vy"), &["value at the start"]);
    refused(&with("sqrt(ball.y)"), &["slope at the start"]);
    refused(&with("energy.kinetic"), &["energy.kinetic", "cannot depend"]);
    refused(&with("distance(ball, ground.pin)"), &["ground.pin"]);
    refused(&with("distance(ball)"), &["two"]);
    refused(&with("-c*ball.vy +"), &["too early"]);
    refused(&CONTROLLED.replace("joint = \"hinge\"", "joint = \"hing\""), &["hing", "did you mean `hinge`"]);
    refused(&CONTROLLED.replace("torque = ", "force = "), &["force"]);
}
