//! Models in space: what must not depend on where they stand, and closed forms.

use carom::description::space::{Description, Point, Rotation, Shape};
use carom::{
    AnyDescription, Model, Recording, Settings, Simulation, Space, State, Stop, load_text, scheme, solver,
};
use carom_dynamics::rotation::{Quaternion, exp, product, turn};

const BALL: &str = r#"
gravity = [0, 0, -9.81]
[ground.shapes.table]
type = "plane"
through = [0, 0, 0]
normal = [0, 0, 1]
[bodies.ball]
density = 1000
position = [0, 0, 0.1]
velocity = [2, 0, 0]
shapes.skin = { type = "sphere", radius = 0.1 }
[contacts.bounce]
between = ["ball.skin", "ground.table"]
friction = 0.2
"#;

const BOX: &str = r#"
gravity = [0, 0, -9.81]
[ground.shapes.table]
type = "plane"
through = [0, 0, 0]
normal = [0, 0, 1]
[bodies.die]
density = 1000
position = [0, 0, 0.3]
rotation = { angles = [0.3, 0.5, 0.2], order = "zyx" }
velocity = [1, 0.3, 0]
angular_velocity = [3, -2, 5]
shapes.block = { type = "box", size = [0.1, 0.08, 0.12] }
[contacts.bounce]
between = ["die.block", "ground.table"]
friction = 0.4
restitution = 0.3
"#;

const LINKAGE: &str = r#"
gravity = [0, 0, -9.81]
[ground.points]
hinge = { at = [0, 0, 1], axis = [0, 1, 0] }
[bodies.arm]
mass = 2
inertia = [0.05, 0.05, 0.005, 0.002, -0.001, 0.003]
position = [0, 0, 0.75]
points.top = { at = [0, 0, 0.25], axis = [0, 1, 0] }
points.end = { at = [0, 0, -0.25], axis = [1, 0, 0] }
[bodies.leg]
mass = 1
inertia = [0.02, 0.03, 0.02]
position = [0, 0, 0.3]
angular_velocity = [4, 0, 0]
velocity = [0, 0.8, 0]
points.top = { at = [0, 0, 0.2], axis = [1, 0, 0] }
points.foot = [0, 0, -0.2]
[joints.shoulder]
type = "revolute"
between = ["ground.hinge", "arm.top"]
[joints.elbow]
type = "revolute"
between = ["arm.end", "leg.top"]
[forces.string]
type = "spring"
between = ["leg.foot", "ground.hinge"]
stiffness = 20
damping = 0.1
length = 0.5
"#;

pub(crate) fn read(text: &str) -> Description {
    match load_text("model.toml", text, &[]).unwrap_or_else(|e| panic!("{e}")).description {
        AnyDescription::Space(description) => description,
        AnyDescription::Plane(_) => panic!("it is a model in space"),
    }
}

pub(crate) fn run(description: &Description, name: &str, step: f64, end: f64) -> Recording {
    let model: Model<Space> = Model::in_space(description).unwrap_or_else(|e| panic!("{e}"));
    let assembly = model.assemble().unwrap_or_else(|e| panic!("{e}"));
    let state = State::new(&model, 0.0, assembly.q, assembly.v);
    let settings = Settings { step, end, accuracy: None, output: Some(end) };
    let scheme = scheme(name, &[]).unwrap();
    let mut simulation = Simulation::new(&model, &*scheme, solver("auto").unwrap(), state, settings).unwrap();
    assert_eq!(simulation.run(|_| true), Stop::Done, "{name}");
    simulation.recording()
}

pub(crate) fn last(recording: &Recording, name: &str) -> f64 {
    *recording.column(name).unwrap_or_else(|| panic!("{name}")).last().unwrap()
}

pub(crate) fn numbers<const N: usize>(recording: &Recording, body: &str, names: [&str; N]) -> [f64; N] {
    names.map(|name| last(recording, &format!("{body}.{name}")))
}

/// The whole world turned by p, then shifted.
pub(crate) fn moved(description: &Description, p: Quaternion, shift: [f64; 3]) -> Description {
    let mut d = description.clone();
    let place = |at: [f64; 3]| {
        let r = turn(p, at);
        [0, 1, 2].map(|i| r[i] + shift[i])
    };
    let orientation = |rotation: Option<&Rotation>| {
        let old = rotation.map_or([1.0, 0.0, 0.0, 0.0], |r| r.quaternion().unwrap());
        Rotation::of_quaternion(product(p, old))
    };
    d.gravity = turn(p, d.gravity);
    for point in d.ground.points.values_mut() {
        match point {
            Point::At(at) => *at = place(*at),
            Point::Frame { at, axis, .. } => {
                *at = place(*at);
                *axis = axis.map(|axis| turn(p, axis));
            }
        }
    }
    for shape in d.ground.shapes.values_mut() {
        match shape {
            Shape::Plane { through, normal } => {
                *through = place(*through);
                *normal = turn(p, *normal);
            }
            other => panic!("the ground of these models is flat: {other:?}"),
        }
    }
    for body in d.bodies.values_mut() {
        body.position = place(body.position);
        body.velocity = turn(p, body.velocity);
        body.rotation = Some(orientation(body.rotation.as_ref()));
    }
    d
}

#[test]
fn a_world_turned_as_a_whole_turns_its_motion() {
    let (p, shift) = (exp([0.4, -0.9, 0.7]), [0.3, -0.2, 0.5]);
    let models = [(BALL, "ball", 0.5), (BOX, "die", 0.15), (LINKAGE, "leg", 0.5)];
    for (text, body, end) in models {
        let straight = read(text);
        let turned = moved(&straight, p, shift);
        for name in ["moreau-jean", "generalized-alpha", "half-explicit"] {
            let [a, b] = [&straight, &turned].map(|d| run(d, name, 1e-3, end));
            let (r, s) = (numbers(&a, body, ["x", "y", "z"]), numbers(&b, body, ["x", "y", "z"]));
            let wanted = turn(p, r);
            for i in 0..3 {
                let off = s[i] - wanted[i] - shift[i];
                assert!(off.abs() < 1e-10, "{body} {name}: {off:e}");
            }
            let (w, u) = (numbers(&a, body, ["wx", "wy", "wz"]), numbers(&b, body, ["wx", "wy", "wz"]));
            for i in 0..3 {
                assert!((w[i] - u[i]).abs() < 1e-8, "{body} {name}: {w:?} {u:?}");
            }
        }
    }
}

#[test]
fn a_ball_slides_then_rolls() {
    let description = read(BALL);
    // v0 = 2, μ = 0.2: slides for 2 v0/(7 μ g), then rolls with 5 v0/7
    let slides = 4.0 / (7.0 * 0.2 * 9.81);
    for name in ["moreau-jean", "generalized-alpha", "bathe", "half-explicit", "hybrid"] {
        let during = run(&description, name, 1e-4, 0.5 * slides);
        let v = last(&during, "ball.vx");
        assert!((v - (2.0 - 0.2 * 9.81 * 0.5 * slides)).abs() < 1e-3, "{name}: {v}");
        let after = run(&description, name, 1e-4, 1.0);
        let (v, w) = (last(&after, "ball.vx"), last(&after, "ball.wy"));
        assert!((v - 10.0 / 7.0).abs() < 1e-3 && (w - v / 0.1).abs() < 1e-2, "{name}: {v} {w}");
    }
}

/// Bennett: four hinges, one freedom, three rows too many; opposite links equal, sin α/a = sin β/b.
#[test]
fn a_bennett_linkage_has_one_freedom() {
    let text = bennett();
    let description = read(&text);
    let model = Model::in_space(&description).unwrap_or_else(|e| panic!("{e}"));
    let q = model.close_joints().unwrap_or_else(|e| panic!("{e}"));
    let freedom = model.freedom(&q);
    assert_eq!((freedom.degrees_of_freedom, freedom.redundant.len()), (1, 3), "{freedom:?}");
    assert!(freedom.redundant.iter().all(|r| r.joints.len() == 4), "{freedom:?}");
}

/// The linkage in the position θ_1 = 70°: hinges by Denavit and Hartenberg's numbers a, α.
fn bennett() -> String {
    let (a, alpha, b) = (1.0f64, 0.5f64, 1.4f64);
    let beta = (b * alpha.sin() / a).asin();
    let theta = 70f64.to_radians();
    // tan(θ_1/2) tan(θ_2/2) = sin((β + α)/2)/sin((β − α)/2)
    let ratio = (0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin();
    let other = 2.0 * (ratio / (0.5 * theta).tan()).atan();
    let lengths = [(a, alpha), (b, beta), (a, alpha), (b, beta)];
    // joint angles in turn; the last two are those of a closed loop
    let angles = [theta, other, -theta, -other];
    let (mut place, mut axes) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    let mut hinges = Vec::new();
    for ((length, twist), angle) in lengths.into_iter().zip(angles) {
        hinges.push((place, turn(axes, [0.0, 0.0, 1.0])));
        axes = product(axes, exp([0.0, 0.0, angle]));
        let step = turn(axes, [length, 0.0, 0.0]);
        place = [0, 1, 2].map(|i| place[i] + step[i]);
        axes = product(axes, exp([twist, 0.0, 0.0]));
    }
    assert!(place.iter().all(|x| x.abs() < 1e-9), "the loop closes: {place:?}");
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    let point = |(at, axis): ([f64; 3], [f64; 3])| format!("{{ at = {at:?}, axis = {axis:?} }}");
    text += &format!("[ground.points]\none = {}\ntwo = {}\n", point(hinges[0]), point(hinges[1]));
    for (name, from, to) in [("b", 1, 2), ("c", 2, 3), ("d", 3, 0)] {
        text += &format!(
            "[bodies.{name}]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\npoints.from = {}\npoints.to = {}\n",
            point(hinges[from]),
            point(hinges[to])
        );
    }
    let joints = [("ground.two", "b.from"), ("b.to", "c.from"), ("c.to", "d.from"), ("d.to", "ground.one")];
    for (i, (first, second)) in joints.into_iter().enumerate() {
        text += &format!("[joints.h{i}]\ntype = \"revolute\"\nbetween = [\"{first}\", \"{second}\"]\n");
    }
    text
}
