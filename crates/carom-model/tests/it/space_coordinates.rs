//! Joint coordinates in space: against differences, against absolute coordinates, against an independent chain.
#![allow(non_snake_case)]

use super::common::Random;
use carom_dynamics::{Configuration, Settings, Simulation, State, System, check_derivatives, scheme};
use carom_model::description::Expression;
use carom_model::description::space::{
    Body, Coordinate, Cylindrical, Description, Force, Joint, Motion, Motor, Planar, Point, Prismatic,
    Revolute, Screw, Spherical, Spring, Universal, Weld,
};
use carom_model::{Model, Space, SpaceRelative};
use carom_solve::solver;
use std::sync::Arc;

fn point(at: [f64; 3], axis: [f64; 3]) -> Point {
    Point::Frame { at, axis: Some(axis), x: None, rotation: None }
}

fn between(a: &str, b: &str) -> [String; 2] {
    [a.into(), b.into()]
}

fn empty() -> Description {
    Description { space: true, version: 1, gravity: [0.3, -0.2, -9.81], ..Description::default() }
}

fn built(description: &Description) -> Arc<Model<Space>> {
    Arc::new(Model::in_space(description).unwrap_or_else(|error| panic!("{error}")))
}

/// Every kind of joint, named `kind`, between two points.
fn joint(kind: &str, a: &str, b: &str) -> Joint {
    let between = between(a, b);
    match kind {
        "weld" => Joint::Weld(Weld { between }),
        "revolute" => Joint::Revolute(Revolute { between, ..Revolute::default() }),
        "prismatic" => Joint::Prismatic(Prismatic { between, ..Prismatic::default() }),
        "cylindrical" => Joint::Cylindrical(Cylindrical { between, ..Cylindrical::default() }),
        "screw" => Joint::Screw(Screw { between, pitch: 0.2, ..Screw::default() }),
        "universal" => Joint::Universal(Universal { between }),
        "planar" => Joint::Planar(Planar { between }),
        _ => Joint::Spherical(Spherical { between, ..Spherical::default() }),
    }
}

/// A chain of bodies 0.4 m apart, one joint of each kind after the other; joints that are written from the child to the parent
/// with `backwards`. The first hangs on the ground at the origin, or floats.
fn chain(kinds: &[&str], backwards: bool, floats: bool) -> Description {
    let mut d = empty();
    let axes = [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [0.48, 0.6, 0.64]];
    d.ground.points.insert("out".into(), point([0.0; 3], axes[3]));
    for (i, kind) in kinds.iter().enumerate() {
        let x = 0.4 * i as f64 + 0.2;
        let inertia = [0.02 + 0.003 * i as f64, 0.03, 0.04];
        let mut body = Body::rigid(1.0 + 0.3 * i as f64, inertia, [x, 0.0, 0.0]);
        // joined where the axes agree at the start
        body.points.insert("in".into(), point([-0.2, 0.0, 0.0], axes[(i + 3) % 4]));
        body.points.insert("out".into(), point([0.2, 0.0, 0.0], axes[i % 4]));
        body.points.insert("aside".into(), Point::At([0.05, 0.1, -0.07]));
        d.bodies.insert(format!("b{i}"), body);
        let on = if i == 0 { "ground.out".into() } else { format!("b{}.out", i - 1) };
        let own = format!("b{i}.in");
        if i > 0 || !floats {
            let joint = if backwards { joint(kind, &own, &on) } else { joint(kind, &on, &own) };
            d.joints.insert(format!("j{i}"), joint);
        }
    }
    d
}

fn spring(a: &str, b: &str) -> Force {
    Force::Spring(Spring {
        between: between(a, b),
        stiffness: 40.0,
        damping: 1.5,
        length: Some(0.3),
        ..Spring::default()
    })
}

const KINDS: [&str; 8] =
    ["revolute", "spherical", "prismatic", "universal", "weld", "cylindrical", "screw", "planar"];

/// At some place, moving: δ from the start in all coordinates.
fn somewhere(relative: &SpaceRelative, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let model = relative.model();
    let (q, _) = relative.start(model.described_position(), model.described_velocity()).unwrap();
    let mut random = Random::new(seed);
    let n = relative.structure().sizes.v;
    let mut moved = q.clone();
    relative.retract(&q, &random.vector(n, 0.7), &mut moved);
    (moved, random.vector(n, 2.0))
}

/// Models that have everything together.
fn all() -> Vec<Description> {
    let mut list = Vec::new();
    for backwards in [false, true] {
        for floats in [false, true] {
            let mut d = chain(&KINDS, backwards, floats);
            d.forces.insert("s".into(), spring("b1.aside", "b6.aside"));
            d.forces.insert("t".into(), spring("ground", "b3.aside"));
            // a branch, a body that floats alone, a point mass on the tree
            let mut side = Body::rigid(0.8, [0.02, 0.03, 0.035], [0.4, 0.0, 0.5]);
            side.points.insert("in".into(), Point::At([0.0, 0.0, -0.5]));
            d.bodies.insert("side".into(), side);
            d.joints.insert("branch".into(), joint("spherical", "b0.out", "side.in"));
            let mut alone = Body::rigid(0.6, [0.01, 0.02, 0.025], [0.0, 1.0, 0.5]);
            alone.points.insert("hook".into(), Point::At([0.1, 0.1, 0.0]));
            d.bodies.insert("alone".into(), alone);
            d.forces.insert("u".into(), spring("alone.hook", "side"));
            d.bodies
                .insert("mass".into(), Body { mass: 0.4, position: [0.65, 0.1, -0.07], ..Body::default() });
            d.joints.insert("pin".into(), joint("spherical", "b1.aside", "mass"));
            // a loop, a driven joint
            let rod = carom_model::description::space::Distance {
                between: between("side", "b7.aside"),
                length: None,
            };
            d.joints.insert("rod".into(), Joint::Distance(rod));
            if !floats {
                let motion = Motion {
                    of: "j0".into(),
                    coordinate: Coordinate::Angle,
                    function: Expression::Formula("0.3*t^2".into()),
                };
                d.joints.insert("drive".into(), Joint::Motion(motion));
            }
            list.push(d);
        }
    }
    list
}

#[test]
fn derivatives_are_differences() {
    for (number, d) in all().iter().enumerate() {
        let relative = SpaceRelative::new(built(d));
        let rows: Vec<&str> = relative.joints_as_rows().collect();
        assert!(rows == ["rod", "drive"] || rows == ["rod"], "{rows:?}");
        for seed in 1..5 {
            let (q, v) = somewhere(&relative, seed);
            let wrong = check_derivatives(&relative, 0.4, &q, &v, 1e-6);
            assert!(wrong.is_empty(), "model {number}, seed {seed}: {wrong:#?}");
        }
    }
}

/// What the coordinates say of the bodies is what they are made of, at any place; and M a = f of articulated bodies.
#[test]
fn start_and_articulated_bodies_are_inverse() {
    for d in all() {
        let relative = SpaceRelative::new(built(&d));
        let pattern = &relative.structure().pattern.mass;
        for seed in 1..5 {
            let (q, v) = somewhere(&relative, seed);
            let (q_abs, v_abs) = relative.absolute(&q, &v);
            let (back, v_back) = relative.start(&q_abs, &v_abs).unwrap();
            let mut delta = vec![0.0; v.len()];
            relative.difference(&q, &back, &mut delta);
            assert!(delta.iter().all(|d| d.abs() < 1e-12), "{delta:?}");
            assert!(v.iter().zip(&v_back).all(|(a, b)| (a - b).abs() < 1e-12));

            let at = Configuration::new(&relative, 0.0, &q, &v);
            let force = Random::new(seed + 9).vector(v.len(), 3.0);
            let (mut a, mut M) = (vec![0.0; v.len()], vec![0.0; pattern.len()]);
            assert!(relative.forward_dynamics(&at, &force, &mut a));
            relative.mass(&at, &mut M);
            let mut product = vec![0.0; v.len()];
            for (&(i, j), m) in pattern.iter().zip(&M) {
                product[i as usize] += m * a[j as usize];
                if i != j {
                    product[j as usize] += m * a[i as usize];
                }
            }
            let size = a.iter().fold(1.0, |most: f64, a| most.max(a.abs()));
            for (p, f) in product.iter().zip(&force) {
                assert!((p - f).abs() < 1e-12 * size, "{p} {f}");
            }
            // ½ v·M v is the kinetic energy of the bodies
            let mut twice = 0.0;
            for (&(i, j), m) in pattern.iter().zip(&M) {
                twice += if i == j { 1.0 } else { 2.0 } * m * v[i as usize] * v[j as usize];
            }
            let kinetic = relative.energy(&at).kinetic;
            assert!((0.5 * twice - kinetic).abs() < 1e-12 * kinetic);
        }
    }
}

fn run(system: &dyn System, q: Vec<f64>, v: Vec<f64>, name: &str, step: f64, end: f64) -> State {
    let state = State::new(system, 0.0, q, v);
    let settings = Settings { step, end, output: None, accuracy: None };
    let scheme = scheme(name, &[]).unwrap();
    let mut simulation = Simulation::new(system, &*scheme, solver("auto").unwrap(), state, settings).unwrap();
    simulation.run(|_| true);
    let state = simulation.state().clone();
    assert!((state.t - end).abs() < 1e-9, "{name} stopped at {}", state.t);
    state
}

fn channels(system: &dyn System, state: &State) -> Vec<f64> {
    let at = Configuration::new(system, state.t, &state.q, &state.v);
    let mut out = vec![0.0; system.structure().channels.len()];
    system.observe(&at, &mut out);
    out
}

/// Largest difference of all channels at the end of a run in both coordinates, and how far the first moved.
fn both(d: &Description, name: &str, step: f64, end: f64) -> (f64, f64) {
    let model = built(d);
    let assembly = model.assemble().unwrap();
    let relative = SpaceRelative::new(model.clone());
    let (q, v) = relative.start(&assembly.q, &assembly.v).unwrap();
    let start = channels(&*model, &State::new(&*model, 0.0, assembly.q.clone(), assembly.v.clone()));
    let absolute = channels(&*model, &run(&*model, assembly.q, assembly.v, name, step, end));
    let same = channels(&relative, &run(&relative, q, v, name, step, end));
    let names = &relative.structure().channels;
    assert_eq!(names.len(), absolute.len());
    let largest = |a: &[f64], b: &[f64]| {
        let mut most = 0.0_f64;
        // a quaternion may have either sign
        for i in 0..a.len() {
            let off = (a[i] - b[i]).abs();
            let quaternion = names[i].quantity().len() == 2 && names[i].quantity().starts_with('q');
            most = most.max(if quaternion { off.min((a[i] + b[i]).abs()) } else { off });
        }
        most
    };
    (largest(&absolute, &same), largest(&absolute, &start))
}

fn same(d: &Description, name: &str, step: f64, end: f64, tolerance: f64) {
    let (off, moved) = both(d, name, step, end);
    assert!(off < tolerance, "{name}: off by {off:e}");
    assert!(moved > 0.1, "it moves");
}

#[test]
fn pendulums_and_balls_are_the_same() {
    same(&chain(&["revolute", "revolute"], false, false), "dopri5", 1e-3, 0.5, 1e-9);
    same(&chain(&["revolute", "universal", "revolute"], true, false), "dopri5", 1e-3, 0.5, 1e-9);
    same(&chain(&["spherical"; 5], false, false), "dopri5", 5e-4, 0.3, 1e-9);
    same(&chain(&KINDS, false, true), "rk4", 5e-4, 0.3, 1e-9);
}

/// A heavy top: a ball joint below the centre of mass.
#[test]
fn a_heavy_top_is_the_same() {
    let mut d = empty();
    d.gravity = [0.0, 0.0, -9.81];
    let mut top = Body::rigid(1.0, [0.02, 0.02, 0.01], [0.06, 0.0, 0.08]);
    top.points.insert("tip".into(), Point::At([-0.06, 0.0, -0.08]));
    top.angular_velocity = [3.0, 0.0, 20.0];
    top.velocity = [0.0, 1.2 - 0.24, 0.0];
    d.bodies.insert("top".into(), top);
    d.joints.insert("tip".into(), joint("spherical", "ground", "top.tip"));
    same(&d, "dopri5", 5e-4, 0.5, 1e-8);
}

/// An arm on a slide, with motors.
fn robot() -> Description {
    let mut d = chain(&["prismatic", "revolute", "revolute"], false, false);
    for (joint, torque, force) in [("j1", Some("2*sin(3*t)"), None), ("j0", None, Some("4*cos(5*t)"))] {
        let formula = |text: &str| Expression::Formula(text.into());
        let motor = Motor { joint: joint.into(), torque: torque.map(formula), force: force.map(formula) };
        d.forces.insert(format!("motor {joint}").replace(' ', "-"), Force::Motor(motor));
    }
    d
}

#[test]
fn a_robot_on_a_slide_is_the_same() {
    same(&robot(), "dopri5", 1e-3, 0.5, 1e-9);
}

/// A loop, cut at one joint: a slider-crank in space with ball joints and a rod.
#[test]
fn a_loop_is_the_same() {
    let mut d = empty();
    d.ground.points.insert("axle".into(), point([0.0; 3], [1.0, 0.0, 0.0]));
    d.ground.points.insert("guide".into(), point([0.4, 0.0, 0.0], [0.0, 1.0, 0.0]));
    let mut crank = Body::rigid(0.5, [0.01, 0.012, 0.013], [0.0, 0.05, 0.0]);
    crank.points.insert("axle".into(), point([0.0, -0.05, 0.0], [1.0, 0.0, 0.0]));
    crank.points.insert("pin".into(), Point::At([0.0, 0.05, 0.0]));
    d.bodies.insert("crank".into(), crank);
    let mut rod = Body::rigid(0.7, [0.02, 0.025, 0.03], [0.2, 0.05, 0.0]);
    rod.points.insert("a".into(), Point::At([-0.2, 0.05, 0.0]));
    rod.points.insert("b".into(), Point::At([0.2, -0.05, 0.0]));
    d.bodies.insert("rod".into(), rod);
    let mut slider = Body::rigid(0.9, [0.01; 3], [0.4, 0.0, 0.0]);
    slider.points.insert("way".into(), point([0.0; 3], [0.0, 1.0, 0.0]));
    slider.points.insert("end".into(), Point::At([0.0; 3]));
    d.bodies.insert("slider".into(), slider);
    d.joints.insert("axle".into(), joint("revolute", "ground.axle", "crank.axle"));
    d.joints.insert("pin".into(), joint("spherical", "crank.pin", "rod.a"));
    d.joints.insert("end".into(), joint("spherical", "rod.b", "slider.end"));
    d.joints.insert("guide".into(), joint("prismatic", "ground.guide", "slider.way"));
    let relative = SpaceRelative::new(built(&d));
    assert_eq!(relative.joints_as_rows().count(), 1);
    let (off, _) = both(&d, "dopri5", 5e-4, 0.2);
    assert!(off < 1e-8, "{off:e}");
    let (off, _) = both(&d, "generalized-alpha", 2.5e-4, 0.2);
    assert!(off < 2e-5, "{off:e}");
}
