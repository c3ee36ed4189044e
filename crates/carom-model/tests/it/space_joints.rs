//! Joints and forces in space against closed forms.
#![allow(non_snake_case)]

use super::space::run;
use carom_dynamics::{Configuration, System};
use carom_model::description::Expression;
use carom_model::description::space::{
    Body, Bushing, Coordinate, Curve, Description, Force, Gear, Joint, Motion, Motor, Point, PointOnCurve,
    Prismatic, Rack, Revolute, Screw, Six, TorsionSpring, Universal, Weld,
};
use carom_model::{Model, Space};
use std::f64::consts::TAU;

const G: f64 = 9.81;

fn point(at: [f64; 3], axis: [f64; 3]) -> Point {
    Point::Frame { at, axis: Some(axis), x: None, rotation: None }
}

fn between(a: &str, b: &str) -> [String; 2] {
    [a.into(), b.into()]
}

fn revolute(a: &str, b: &str) -> Joint {
    Joint::Revolute(Revolute { between: between(a, b), ..Revolute::default() })
}

fn prismatic(a: &str, b: &str) -> Joint {
    Joint::Prismatic(Prismatic { between: between(a, b), ..Prismatic::default() })
}

fn empty() -> Description {
    Description { space: true, version: 1, gravity: [0.0, 0.0, -G], ..Description::default() }
}

/// The value of a channel after a run.
fn channel(model: &Model<Space>, t: f64, q: &[f64], v: &[f64], name: &str) -> f64 {
    let channels = &model.structure().channels;
    let at = Configuration::new(model, t, q, v);
    let mut out = vec![0.0; channels.len()];
    model.observe(&at, &mut out);
    let is = |c: &carom_dynamics::Channel| format!("{}.{}", c.subject(), c.quantity()) == name;
    out[channels.iter().position(is).unwrap_or_else(|| panic!("no channel {name}"))]
}

/// End of a run: the value of each channel.
fn end(description: &Description, step: f64, end: f64, names: &[&str]) -> Vec<f64> {
    let model = Model::in_space(description).unwrap();
    let state = run(&model, "generalized-alpha", step, end);
    assert!((state.t - end).abs() < 1e-9, "stopped at {}", state.t);
    names.iter().map(|name| channel(&model, state.t, &state.q, &state.v, name)).collect()
}

fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} {b}: off by {:e}", (a - b).abs());
}

/// x'' = f(x) by the classical method, from rest.
fn scalar(x: f64, end: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut x, mut v) = (x, 0.0);
    let n = 20_000;
    let h = end / n as f64;
    for _ in 0..n {
        let (k1, l1) = (v, f(x));
        let (k2, l2) = (v + 0.5 * h * l1, f(x + 0.5 * h * k1));
        let (k3, l3) = (v + 0.5 * h * l2, f(x + 0.5 * h * k2));
        let (k4, l4) = (v + h * l3, f(x + h * k3));
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    x
}

/// A body on an axis that leans by 0.4 from the horizontal swings as a pendulum under g cos 0.4.
#[test]
fn a_leaning_hinge_is_a_pendulum() {
    let (m, l, lean) = (2.0, 0.5, 0.4_f64);
    let axis = [0.0, lean.cos(), lean.sin()];
    let mut description = empty();
    description.ground.points.insert("pivot".into(), point([0.0; 3], axis));
    // out along x, square to the axis: a quarter turn from the lowest place
    let body = Body::rigid(m, [0.03, 0.05, 0.07], [l, 0.0, 0.0]).with_point("pivot", [-l, 0.0, 0.0]);
    description.bodies.insert("rod".into(), body);
    description.joints.insert("hinge".into(), revolute("ground.pivot", "rod.pivot"));
    let about = 0.05 * lean.cos().powi(2) + 0.07 * lean.sin().powi(2) + m * l * l;
    let exact = scalar(0.0, 1.0, |angle| m * G * lean.cos() * l * angle.cos() / about);
    let found = end(&description, 5e-4, 1.0, &["hinge.angle"])[0];
    near(found, exact, 3e-6);
}

/// A nut on an upright screw: z'' = −g m/(m + J (2π/h)²), through hundreds of turns.
#[test]
fn a_nut_runs_down_a_screw() {
    let (m, J, pitch) = (0.7, 2e-4, 0.01_f64);
    let mut description = empty();
    let mut nut = Body::rigid(m, [3e-4, 3e-4, J], [0.0, 0.0, 0.0]);
    nut.points.insert("thread".into(), Point::At([0.0; 3]));
    description.bodies.insert("nut".into(), nut);
    let screw = Joint::Screw(Screw { between: between("ground", "nut.thread"), pitch, ..Screw::default() });
    description.joints.insert("screw".into(), screw);
    let per = TAU / pitch;
    let fall = G * m / (m + J * per * per);
    let t = 4.0;
    let found = end(&description, 1e-3, t, &["screw.position", "screw.angle_rate", "nut.z"]);
    assert!(0.5 * fall * t * t * per > 40.0 * TAU, "many turns");
    near(found[0], -0.5 * fall * t * t, 1e-8);
    near(found[1], -fall * t * per, 1e-6);
    near(found[2], found[0], 1e-12);
}

fn wheels() -> Description {
    let mut description = Description { gravity: [0.0; 3], ..empty() };
    for (name, x, J) in [("one", 0.0, 0.02), ("two", 0.3, 0.05)] {
        description.ground.points.insert(name.into(), point([x, 0.0, 0.0], [0.0, 0.0, 1.0]));
        description.bodies.insert(name.into(), Body::rigid(1.0, [0.1, 0.1, J], [x, 0.0, 0.0]));
        description.joints.insert(format!("pin-{name}"), revolute(&format!("ground.{name}"), name));
    }
    description
}

/// A motor on the first of two wheels: φ_1'' = T/(J_1 + J_2/i²), φ_2 = −φ_1/i.
#[test]
fn a_motor_turns_two_wheels() {
    let mut description = wheels();
    let ratio = 17.0 / 40.0;
    // before the joints it names
    let gear = Joint::Gear(Gear { joints: between("pin-one", "pin-two"), ratio });
    description.joints.shift_insert(0, "gear".into(), gear);
    let motor = Motor { joint: "pin-one".into(), torque: Some(Expression::Constant(0.6)), force: None };
    description.forces.insert("motor".into(), Force::Motor(motor));
    let speed = 0.6 / (0.02 + 0.05 / (ratio * ratio)) * 20.0;
    let found = end(&description, 2e-3, 20.0, &["pin-one.angle_rate", "pin-two.angle_rate"]);
    near(found[0], speed, 1e-6 * speed);
    near(found[1], -speed / ratio, 1e-6 * speed / ratio);
}

/// A wheel with a rack on it: s'' = T R/(J + m R²) for a torque T.
#[test]
fn a_wheel_moves_a_rack() {
    let mut description = wheels();
    let mut rack = Body::rigid(3.0, [0.1; 3], [0.0, 0.2, 0.0]);
    rack.points.insert("way".into(), point([0.0; 3], [1.0, 0.0, 0.0]));
    description.bodies.insert("rack".into(), rack);
    description.joints.insert("guide".into(), prismatic("ground", "rack.way"));
    let coupled = Rack { wheel: "pin-one".into(), rack: "guide".into(), radius: 0.2 };
    description.joints.insert("teeth".into(), Joint::Rack(coupled));
    let motor = Motor { joint: "pin-one".into(), torque: Some(Expression::Constant(0.5)), force: None };
    description.forces.insert("motor".into(), Force::Motor(motor));
    let t = 10.0;
    let way = 0.5 * (0.5 * 0.2 / (0.02 + 3.0 * 0.04)) * t * t;
    let found = end(&description, 1e-3, t, &["rack.x", "guide.position", "guide.position_rate"]);
    near(found[0], way, 1e-7 * way);
    near(found[2], 2.0 * way / t, 1e-7 * way);
}

/// A Cardan shaft bent by β, its first arm square to both shafts at the start: tan φ_2 = tan φ_1 cos β, through many turns.
#[test]
fn a_universal_joint_turns_unevenly() {
    let bend = 0.6_f64;
    let mut description = Description { gravity: [0.0; 3], ..empty() };
    let second = [bend.sin(), 0.0, bend.cos()];
    description.ground.points.insert("in".into(), point([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]));
    description.ground.points.insert("out".into(), point(second, second));
    let mut shaft = Body::rigid(1.0, [0.02, 0.02, 0.01], [0.0, 0.0, -0.5]);
    shaft.points.insert("start".into(), point([0.0, 0.0, -0.5], [0.0, 0.0, 1.0]));
    shaft.points.insert("cross".into(), point([0.0, 0.0, 0.5], [0.0, 0.0, 1.0]));
    description.bodies.insert("drive".into(), shaft);
    let mut shaft = Body::rigid(1.0, [0.02, 0.02, 0.01], second.map(|x| 0.5 * x));
    shaft.points.insert("cross".into(), point(second.map(|x| -0.5 * x), second));
    shaft.points.insert("stop".into(), point(second.map(|x| 0.5 * x), second));
    description.bodies.insert("driven".into(), shaft);
    description.joints.insert("in".into(), revolute("ground.in", "drive.start"));
    let cross = Universal { between: between("drive.cross", "driven.cross") };
    description.joints.insert("cross".into(), Joint::Universal(cross));
    // the shaft is led along its own axis by a bearing that lets it slide, so that nothing is held twice
    let bearing =
        carom_model::description::space::PointOnLine { between: between("ground.out", "driven.stop") };
    description.joints.insert("out".into(), Joint::PointOnLine(bearing));
    let motion = Motion {
        of: "in".into(),
        coordinate: Coordinate::Angle,
        function: Expression::Formula("3*t".into()),
    };
    description.joints.insert("motor".into(), Joint::Motion(motion));
    description.bodies["drive"].angular_velocity = [0.0, 0.0, 3.0];
    let model = Model::in_space(&description).unwrap();
    assert_eq!(model.freedom(model.described_position()).degrees_of_freedom, 0);
    for t in [0.9, 7.1] {
        let state = run(&model, "generalized-alpha", 1e-3, t);
        let q = &state.q[7..14];
        // angle of the driven shaft about its own axis against the start
        let along = q[4] * second[0] + q[5] * second[1] + q[6] * second[2];
        let found = 2.0 * along.atan2(q[3]);
        // the arm of the first shaft is square to both shafts at the start
        let (s, c) = (3.0 * t).sin_cos();
        let exact = (s * bend.cos()).atan2(c);
        // measured: half of 2.3e-8 at 1 s and of 5.2e-7 at 7.3 s; the joints alone fix the angle, so this is what the scheme leaves
        // of them, and why it grows is not known
        let off = (0.5 * (found - exact)).sin().abs();
        assert!(off < 1e-6, "{found} {exact}");
        assert!((exact - s.atan2(c * bend.cos())).abs() > 0.05, "the other arm would turn otherwise");
    }
}

/// φ = φ_0 cos √(k/J) t on a torsion spring.
#[test]
fn a_torsion_spring_swings() {
    let mut description = wheels();
    let spring =
        TorsionSpring { joint: "pin-one".into(), stiffness: 0.8, damping: 0.0, angle: 1.3, torque: None };
    description.forces.insert("spring".into(), Force::TorsionSpring(spring));
    let t = 2.0;
    let exact = 1.3 - 1.3 * ((0.8_f64 / 0.02).sqrt() * t).cos();
    near(end(&description, 2e-4, t, &["pin-one.angle"])[0], exact, 2e-5);
}

/// A body in a bushing of diagonal stiffness: each direction swings for itself.
#[test]
fn a_bushing_holds_all_round() {
    let mut description = Description { gravity: [0.0; 3], ..empty() };
    let mut body = Body::rigid(2.0, [0.1; 3], [0.0; 3]);
    body.velocity = [0.3, -0.2, 0.5];
    description.bodies.insert("body".into(), body);
    let bushing = Bushing {
        between: between("ground", "body"),
        stiffness: Six::Diagonal([50.0, 80.0, 200.0, 3.0, 3.0, 3.0]),
        damping: None,
    };
    description.forces.insert("bushing".into(), Force::Bushing(bushing));
    let t = 1.0;
    let found = end(&description, 2e-4, t, &["body.x", "body.y", "body.z"]);
    for (k, (stiffness, v)) in [(50.0_f64, 0.3), (80.0, -0.2), (200.0, 0.5)].into_iter().enumerate() {
        let omega = (stiffness / 2.0).sqrt();
        near(found[k], v / omega * (omega * t).sin(), 1e-6);
    }
}

/// A bead on a helix: u'' = −g c/(R² + c²) for (R cos u, R sin u, c u); the spline through its points is off by O(h⁴).
#[test]
fn a_bead_runs_down_a_helix() {
    let (R, c) = (0.5, 0.1);
    let place = |u: f64| [R * u.cos(), R * u.sin(), c * u];
    let through: Vec<[f64; 3]> = (-70..=10).map(|i| place(0.15 * f64::from(i))).collect();
    let mut description = empty();
    description.bodies.insert("bead".into(), Body::point_mass(0.3, place(0.0)));
    let curve = Curve::Spline { through, closed: false };
    let joint = PointOnCurve { between: between("ground", "bead"), curve };
    description.joints.insert("wire".into(), Joint::PointOnCurve(joint));
    let t = 1.5;
    let u = -0.5 * G * c / (R * R + c * c) * t * t;
    let found = end(&description, 1e-3, t, &["bead.x", "bead.y", "bead.z"]);
    for (found, exact) in found.into_iter().zip(place(u)) {
        near(found, exact, 3e-5);
    }
}

/// A door on two hinges: five of ten rows are redundant, and the door still swings as one on a single hinge.
#[test]
fn a_door_on_two_hinges_names_what_is_redundant() {
    let mut description = Description { gravity: [0.0, -G, 0.0], ..empty() };
    let mut door = Body::rigid(20.0, [2.0, 3.0, 1.1], [0.4, 0.0, 1.0]);
    for (name, z) in [("low", 0.2), ("high", 1.8)] {
        description.ground.points.insert(name.into(), point([0.0, 0.0, z], [0.0, 0.0, 1.0]));
        door.points.insert(name.into(), point([-0.4, 0.0, z - 1.0], [0.0, 0.0, 1.0]));
    }
    description.bodies.insert("door".into(), door);
    for name in ["low", "high"] {
        description.joints.insert(name.into(), revolute(&format!("ground.{name}"), &format!("door.{name}")));
    }
    let model = Model::in_space(&description).unwrap();
    let freedom = model.freedom(model.described_position());
    assert_eq!((freedom.degrees_of_freedom, freedom.redundant.len()), (1, 5));
    assert!(freedom.redundant.iter().all(|r| r.joints == ["low", "high"]), "{:?}", freedom.redundant);
    let about = 1.1 + 20.0 * 0.16;
    let exact = scalar(0.0, 1.0, |angle| -20.0 * G * 0.4 * angle.cos() / about);
    near(end(&description, 5e-4, 1.0, &["low.angle"])[0], exact, 5e-6);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let message = |description: &Description| Model::in_space(description).unwrap_err().to_string();
    let mut opposed = wheels();
    opposed.bodies["one"].points.insert("down".into(), point([0.0; 3], [0.0, 0.0, -1.0]));
    opposed.joints.insert("pin-one".into(), revolute("ground.one", "one.down"));
    assert!(message(&opposed).contains("180.0° apart"), "{}", message(&opposed));
    let mut odd = wheels();
    let gear = Gear { joints: between("pin-one", "pin-two"), ratio: 2.0_f64.sqrt() };
    odd.joints.insert("gear".into(), Joint::Gear(gear));
    assert!(message(&odd).contains("not that of two whole numbers"), "{}", message(&odd));
    let mut light = wheels();
    light.bodies.insert("mass".into(), Body::point_mass(1.0, [0.0; 3]));
    light.joints.insert("glue".into(), Joint::Weld(Weld { between: between("one", "mass") }));
    assert!(message(&light).contains("has no angle"), "{}", message(&light));
    let mut skew = wheels();
    let mut rows = [[0.0; 6]; 6];
    (0..6).for_each(|i| rows[i][i] = 1.0);
    rows[0][1] = 0.5;
    let bushing = Bushing { between: between("ground", "one"), stiffness: Six::Full(rows), damping: None };
    skew.forces.insert("bushing".into(), Force::Bushing(bushing));
    assert!(message(&skew).contains("not symmetric"), "{}", message(&skew));
}
