//! Forces that know the motion, in space: derivatives by differences, and motions that are known in closed form.
#![allow(non_snake_case)]

use crate::laws::{TOLERANCE, load, off, random, refused, rope, run};
use carom_dynamics::{Configuration, System, check_derivatives};

/// Three bodies, points, joints and every kind of word, in odd units.
const ALL: &str = r#"
space = true
units = { length = "cm", time = "ms", angle = "deg", force = "mN", mass = "g" }
[parameters]
k = 3
rate = 2
[ground.points]
pin = [0, 0, 0]
rail = { at = [10, 20, 5], axis = [1, 1, 0] }
[bodies.a]
mass = 200
inertia = [500, 600, 700, 20, 30, -40]
position = [10, 5, 2]
rotation = { axis = [1, 2, 3], angle = 20 }
points = { tip = { at = [8, 3, 1], axis = [0.2, 0.1, 1] }, root = [-10, 1, 3] }
[bodies.b]
mass = 100
inertia = [400, 300, 350]
position = [35, 20, -4]
points = { end = { at = [-4, 2, 0], axis = [0, 0.3, 1] } }
[bodies.c]
mass = 50
inertia = [90, 80, 70]
position = [20, 40, 3]
[joints.hinge]
type = "revolute"
between = ["a.tip", "b.end"]
[joints.slide]
type = "prismatic"
between = ["a.tip", "c"]
[joints.tube]
type = "cylindrical"
between = ["ground.rail", "b.end"]
[forces.push]
type = "force"
on = "a.root"
force = ["k*b.vx*sin(t/7) - a.tip.y*a.root.vz/9", "sqrt(1 + b.vy^2)*hinge.rate - slide.position*c.vy", "b.wx*a.wz/40 + t"]
[forces.chase]
type = "force"
on = "b.end"
follows = true
force = ["distance(a.root, c)*distance_rate(b.end, ground.pin)", "=a.wy*hinge.angle/50 + slide.rate^2", "tube.angle*tube.position_rate/30"]
[forces.turn]
type = "torque"
on = "a"
against = "b"
torque = ["=-k*a.tip.vx*hinge.angle/20 + cos(c.x/30)", 3, "a.wx*b.wy/10 - tube.angle_rate"]
[forces.screwed]
type = "torque"
on = "b"
follows = true
torque = ["-k*b.wx", "-k*b.wy + tube.position*b.vz/20", "t*slide.position"]
[forces.rope]
type = "spring"
between = ["a.root", "ground.rail"]
length = 9
stiffness = 0.5
force = "rate*stretch^2/10 + length^1.5*a.wx + exp(-t/50)"
[forces.coil]
type = "torsion-spring"
joint = "hinge"
angle = 10
stiffness = 2
torque = "(stretch/10)^3 + angle*rate/4"
[forces.hinge-motor]
type = "motor"
joint = "hinge"
torque = "=k*(30*sin(t) - angle)/10 - 0.2*rate*slide.position"
[forces.slide-motor]
type = "motor"
joint = "slide"
force = "=position*rate/3 - k*distance(c, b.end) + tanh(b.wz)"
[forces.tube-motor]
type = "motor"
joint = "tube"
force = "=position*rate/3 - tube.angle_rate"
"#;

#[test]
fn tangents_are_those_of_differences_and_power_is_work() {
    let any = load(ALL).build().unwrap_or_else(|e| panic!("{e}"));
    let model = any.space().expect("a model in space");
    let sizes = model.structure().sizes;
    let mut seed = 7;
    let moved = |q: &[f64], delta: &[f64]| {
        let mut out = vec![0.0; sizes.q];
        model.retract(q, delta, &mut out);
        out
    };
    for _ in 0..20 {
        let delta: Vec<f64> = (0..sizes.v).map(|_| 0.1 * random(&mut seed)).collect();
        let q = moved(model.described_position(), &delta);
        let v: Vec<f64> = delta.iter().map(|_| 2.0 * random(&mut seed)).collect();
        let wrong = check_derivatives(&**model, 0.3, &q, &v, TOLERANCE);
        assert!(wrong.is_empty(), "{wrong:#?}");
        // h·v = power − rate of what the stiffness of rope and coil stores
        let at = Configuration::new(&**model, 0.3, &q, &v);
        let mut h = vec![0.0; v.len()];
        model.force(&at, &mut h);
        let work: f64 = h.iter().zip(&v).map(|(h, v)| h * v).sum();
        let stored = |s: f64| {
            let delta: Vec<f64> = v.iter().map(|v| s * v).collect();
            model.energy(&Configuration::new(&**model, 0.3, &moved(&q, &delta), &v)).strain
        };
        let power = model.power(&at).applied - (stored(1e-6) - stored(-1e-6)) / 2e-6;
        assert!((work - power).abs() <= 1e-7 * (1.0 + work.abs()), "{work} {power}");
    }
}

/// J φ'' = k (1 − φ) − d φ' about a leaning hinge: 1 − φ = e^(−δt) (cos ωt + δ/ω sin ωt).
const CONTROLLED: &str = r#"
space = true
[parameters]
k = 20
d = 1.2
target = 1
[ground.points]
axle = { at = [0, 0, 0], axis = [1, 2, 2] }
[bodies.arm]
mass = 2
inertia = [0.5, 0.5, 0.5]
points.hub = { at = [0, 0, 0], axis = [1, 2, 2] }
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
    let error = |text: &str, step: f64| off(&run(text, "generalized-alpha", step), "hinge.angle", exact);
    let (coarse, fine) = (error(CONTROLLED, 4e-3), error(CONTROLLED, 2e-3));
    assert!(fine < 2e-4, "{fine}");
    assert!((coarse / fine).log2() > 1.8, "order {}", (coarse / fine).log2());
    // the same by the rate of the body about its axis, by a torsion spring and by a torque in inertial axes
    let drive =
        &CONTROLLED[CONTROLLED.find("[forces.drive]").unwrap()..CONTROLLED.find("[simulation]").unwrap()];
    for other in [
        "type = \"motor\"\njoint = \"hinge\"\ntorque = \"k*(target - hinge.angle) - d*(arm.wx + 2*arm.wy + 2*arm.wz)/3\"",
        "type = \"torsion-spring\"\njoint = \"hinge\"\nangle = 1\ntorque = \"k*stretch + d*rate\"",
        "type = \"torque\"\non = \"arm\"\ntorque = [\"k*(target - hinge.angle)/3\", \"2*k*(target - hinge.angle)/3\", \"2*k*(target - hinge.angle)/3 - 1.5*d*hinge.rate\"]",
    ] {
        let text = CONTROLLED.replace(drive, &format!("[forces.drive]\n{other}\n"));
        let error = error(&text, 2e-3);
        assert!(error < 2e-4, "{other}: {error}");
    }
}

/// By every kind of scheme: implicit, half-explicit, event-driven.
#[test]
fn a_controller_by_other_schemes() {
    let (delta, w2) = (1.2 / (2.0 * 0.5), 20.0 / 0.5f64);
    let w = (w2 - delta * delta).sqrt();
    let exact = |t: f64| 1.0 - (-delta * t).exp() * ((w * t).cos() + delta / w * (w * t).sin());
    for (scheme, step, within) in [
        ("moreau-jean", 2e-3, 2e-3),
        ("bathe", 2e-3, 2e-4),
        ("hem5", 1e-2, 1e-6),
        ("dopri5", 1e-2, 1e-6),
        ("radau5", 1e-2, 1e-6),
    ] {
        let error = off(&run(CONTROLLED, scheme, step), "hinge.angle", exact);
        assert!(error < within, "{scheme}: {error}");
    }
}

/// m v' = m g − c v²: v = v_t tanh(g t / v_t).
#[test]
fn drag_ends_the_acceleration() {
    let text = r#"
    gravity = [0, 0, -9.81]
    [parameters]
    c = 0.3
    [bodies.ball]
    mass = 2
    [forces.drag]
    type = "force"
    on = "ball"
    force = ["-c*sqrt(ball.vx^2 + ball.vy^2 + ball.vz^2)*ball.vx", "-c*sqrt(ball.vx^2 + ball.vy^2 + ball.vz^2)*ball.vy", "-c*sqrt(ball.vx^2 + ball.vy^2 + ball.vz^2)*ball.vz"]
    [simulation]
    end = 3
    output = 0.1
    "#;
    // the root has no slope at rest: thrown, a little
    let text = text.replace("mass = 2", "mass = 2\nvelocity = [0, 0, -1e-3]");
    let terminal = (2.0 * 9.81 / 0.3f64).sqrt();
    let exact = |t: f64| -terminal * ((9.81 * t / terminal) + (1e-3 / terminal).atanh()).tanh();
    let error = off(&run(&text, "generalized-alpha", 1e-2), "ball.vz", exact);
    assert!(error < 1e-3, "{error}");
}

/// J ω' = −c ω in the axes of the body: every component dies as e^(−ct/J).
#[test]
fn a_brake_of_three_axes() {
    let text = r#"
    space = true
    [bodies.ball]
    mass = 2
    inertia = [0.5, 0.5, 0.5]
    angular_velocity = [1, -2, 3]
    [forces.air]
    type = "torque"
    on = "ball"
    follows = true
    torque = ["-0.4*ball.wx", "-0.4*ball.wy", "-0.4*ball.wz"]
    [simulation]
    end = 2
    output = 0.1
    "#;
    let recording = run(text, "generalized-alpha", 5e-3);
    for (word, start) in [("wx", 1.0), ("wy", -2.0), ("wz", 3.0)] {
        let error = off(&recording, &format!("ball.{word}"), |t| start * (-0.8 * t).exp());
        assert!(error < 1e-4, "{word}: {error}");
    }
}

/// The rope of the plane along a direction in space.
#[test]
fn a_rope_pulls_and_never_pushes() {
    let text = r#"
    space = true
    [ground.points]
    hook = [0, 0, 0]
    [bodies.ball]
    mass = 2
    position = ["=0.5/3", "=1/3", "=1/3"]
    velocity = [1, 2, 2]
    [forces.rope]
    type = "spring"
    between = ["ground.hook", "ball"]
    length = 1
    force = "max(0, 200*stretch)"
    [simulation]
    end = 0.6
    output = 0.01
    "#;
    let error = off(&run(text, "moreau-jean", 1e-4), "ball.x", |t| rope(t) / 3.0);
    assert!(error < 1e-3, "{error}");
}

#[test]
fn what_cannot_be_is_refused() {
    let with = |formula: &str| CONTROLLED.replace("=k*(target - angle) - d*rate", formula);
    refused(&with("-d*arm.omega"), &["arm.omega"]);
    refused(&with("-d*arm.qw"), &["arm.qw", "cannot depend"]);
    refused(&with("-d*hing.rate"), &["hing.rate", "did you mean `hinge.rate`"]);
    refused(&with("-d*sign(rate)"), &["sign", "jumps", "friction"]);
    refused(&with("-d*position"), &["position"]);
    refused(&with("1/angle"), &["value at the start"]);
}
