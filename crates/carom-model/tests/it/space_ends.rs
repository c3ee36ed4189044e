//! Limits, dry friction and clearance of joints in space: against closed forms, and against the plane.
#![allow(non_snake_case)]

use carom_dynamics::{
    Event, EventKind, Recording, SCHEMES, Settings, Simulation, State, Stop, System, scheme,
};
use carom_model::description as plane;
use carom_model::description::space::{
    Body, Cylindrical, Description, Joint, Point, Prismatic, Revolute, Screw, Spherical,
};
use carom_model::{Model, Space};
use std::f64::consts::TAU;

const G: f64 = 10.0;

fn point(at: [f64; 3], axis: [f64; 3]) -> Point {
    Point::Frame { at, axis: Some(axis), x: None, rotation: None }
}

fn between(a: &str, b: &str) -> [String; 2] {
    [a.into(), b.into()]
}

fn empty(gravity: [f64; 3]) -> Description {
    Description { space: true, version: 1, gravity, ..Description::default() }
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a}, expected {b}, off by {:e}", (a - b).abs());
}

fn record(
    system: &dyn System,
    start: (Vec<f64>, Vec<f64>),
    name: &str,
    step: f64,
    end: f64,
) -> (State, Recording) {
    let state = State::new(system, 0.0, start.0, start.1);
    let settings = Settings { step, end, output: None, accuracy: None };
    let scheme = scheme(name, &[]).expect("a known scheme");
    let solver = carom_solve::solver("auto").expect("a known solver");
    let mut simulation = Simulation::new(system, &*scheme, solver, state, settings)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(simulation.run(|_| true), Stop::Done, "{name}");
    (simulation.state().clone(), simulation.recording())
}

fn run(description: &Description, name: &str, step: f64, end: f64) -> (State, Recording) {
    let model = Model::in_space(description).expect("a good model");
    let assembly = model.assemble().expect("it fits");
    record(&model, (assembly.q, assembly.v), name, step, end)
}

fn run_plane(description: &plane::Description, name: &str, step: f64, end: f64) -> (State, Recording) {
    let model = Model::new(description).expect("a good model");
    let assembly = model.assemble().expect("it fits");
    record(&model, (assembly.q, assembly.v), name, step, end)
}

fn impacts(recording: &Recording) -> Vec<&Event> {
    recording.events.iter().filter(|event| event.kind == EventKind::Impact).collect()
}

fn last(recording: &Recording, name: &str) -> f64 {
    let column = recording.column(name).unwrap_or_else(|| {
        let names: Vec<String> = recording.channels.iter().map(|c| c.name().to_string()).collect();
        panic!("no channel {name} in {names:?}")
    });
    *column.last().expect("a sample")
}

fn names(description: &Description) -> Vec<String> {
    let model = Model::in_space(description).expect("a good model");
    let mut names: Vec<String> = model.structure().contacts.iter().map(|c| c.name.clone()).collect();
    names.dedup();
    names
}

// --- a rod in a hinge, in the plane and in space ---

const M: f64 = 2.0;
/// Half the length of the rod.
const L: f64 = 0.5;

/// The plane is x, y of space.
fn rod_in_plane(joint: plane::Joint, position: [f64; 2]) -> plane::Description {
    let rod = plane::Body {
        mass: M,
        inertia: Some(M * L * L / 3.0),
        position,
        points: [("end".to_string(), plane::Point::At([-L, 0.0]))].into(),
        ..Default::default()
    };
    plane::Description {
        version: 1,
        gravity: [0.0, -G],
        bodies: [("rod".to_string(), rod)].into(),
        joints: [("pivot".to_string(), joint)].into(),
        ..Default::default()
    }
}

fn rod_in_space(joint: Joint, position: [f64; 2]) -> Description {
    let mut description = empty([0.0, -G, 0.0]);
    let J = M * L * L / 3.0;
    let rod = Body::rigid(M, [J / 50.0, J, J], [position[0], position[1], 0.0]);
    description.bodies.insert("rod".into(), rod.with_point("end", [-L, 0.0, 0.0]));
    description.joints.insert("pivot".into(), joint);
    description
}

/// Place and angle about z of the rod.
fn pose(state: &State) -> [f64; 3] {
    [state.q[0], state.q[1], 2.0 * state.q[6].atan2(state.q[3])]
}

/// The same motion, and nothing out of the plane.
fn same(space: &State, plane: &State, tolerance: f64, what: &str) {
    let (a, b) = (pose(space), [plane.q[0], plane.q[1], plane.q[2]]);
    for k in 0..3 {
        near(a[k], b[k], tolerance, what);
    }
    near(space.v[5], plane.v[2], 10.0 * tolerance, what);
    near(space.q[2].abs() + space.q[4].abs() + space.q[5].abs(), 0.0, tolerance, "out of the plane");
}

/// ∫_a^b f by Simpson's rule.
fn integral(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let n = 2000;
    let h = (b - a) / n as f64;
    let weight = |i: usize| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    (0..=n).map(|i| weight(i) * f(a + h * i as f64)).sum::<f64>() * h / 3.0
}

/// φ'² = 2 k sin φ from the level, k = 3 g/(4 L): hits the stop at φ_1 = 0.9 with that rate, and comes back with e of it.
#[test]
fn a_pendulum_falls_on_its_stop() {
    let (e, lower) = (0.5, 0.9_f64);
    let limits = Some([-lower, 2.0]);
    let joint = Joint::Revolute(Revolute {
        between: between("ground", "rod.end"),
        limits,
        limit_restitution: e,
        ..Default::default()
    });
    let space = rod_in_space(joint, [L, 0.0]);
    assert_eq!(names(&space), ["pivot.lower", "pivot.upper"]);
    let of_plane = plane::Joint::Revolute(plane::Revolute {
        between: between("ground", "rod.end"),
        limits,
        limit_restitution: e,
        ..Default::default()
    });
    let planar = rod_in_plane(of_plane, [L, 0.0]);
    let k = 0.75 * G / L;
    let time = integral(0.0, lower.sqrt(), |u| {
        if u == 0.0 { 2.0 / (2.0 * k).sqrt() } else { 2.0 * u / (2.0 * k * (u * u).sin()).sqrt() }
    });
    let rate = (2.0 * k * lower.sin()).sqrt();
    for name in ["hem5", "radau5", "dopri5"] {
        let (a, recording) = run(&space, name, 1e-3, 1.0);
        let (b, planar_recording) = run_plane(&planar, name, 1e-3, 1.0);
        same(&a, &b, 1e-10, name);
        let (hits, other) = (impacts(&recording), impacts(&planar_recording));
        assert!(hits.len() >= 2, "{name}");
        assert_eq!(hits.len(), other.len(), "{name}");
        assert_eq!(hits[0].subject, "pivot.lower");
        near(hits[0].t, time, 1e-7, name);
        near(hits[0].before, -rate, 1e-7, name);
        near(hits[0].after, e * rate, 1e-7, name);
        near(hits[0].impulse, other[0].impulse, 1e-9, name);
    }
    for name in ["moreau-jean", "generalized-alpha", "mixed-alpha", "penalty"] {
        let (a, _) = run(&space, name, 1e-3, 0.5);
        let (b, _) = run_plane(&planar, name, 1e-3, 0.5);
        same(&a, &b, 1e-8, name);
    }
}

/// Limits beyond half a turn, and on another branch than the angle at the start.
#[test]
fn the_range_decides_the_branch() {
    let hinge = |limits| {
        let joint = Revolute {
            between: between("ground.pivot", "rod.end"),
            limits: Some(limits),
            ..Default::default()
        };
        let mut description = rod_in_space(Joint::Revolute(joint), [L, 0.0]);
        description.gravity = [0.0; 3];
        description.ground.points.insert("pivot".into(), point([0.0; 3], [0.0, 0.0, 1.0]));
        description.bodies[0].velocity = [0.0, 4.0 * L, 0.0];
        description.bodies[0].angular_velocity = [0.0, 0.0, 4.0];
        description
    };
    // turns by 5 and rests there
    for limits in [[-0.5, 5.0], [-0.5 + TAU, 5.0 + TAU]] {
        let (state, recording) = run(&hinge(limits), "hem5", 1e-2, 2.0);
        near(last(&recording, "pivot.angle"), limits[1], 1e-9, "rests at its stop");
        near(state.v[5], 0.0, 1e-12, "rests");
        near(impacts(&recording)[0].t, 1.25, 1e-9, "hits");
    }
    let refused = |limits| {
        let problems = Model::<Space>::in_space(&hinge(limits)).expect_err("refused");
        problems.to_string()
    };
    assert!(refused([-3.0, 3.0]).contains("343.8° apart"), "{}", refused([-3.0, 3.0]));
    assert!(refused([0.2, 1.0]).contains("beyond `pivot.lower` at 0.2 rad"), "{}", refused([0.2, 1.0]));
    assert!(refused([1.0, 1.0]).contains("limit"), "{}", refused([1.0, 1.0]));
}

/// A bead on a slanted rail: s = a t²/2 to the stop, then s_1 − e v τ + a τ²/2.
#[test]
fn a_bead_runs_to_its_stop() {
    let (slant, e, s1) = (0.4_f64, 0.6, 0.3);
    let mut description = empty([0.0, 0.0, -G]);
    let axis = [0.8 * slant.cos(), 0.6 * slant.cos(), -slant.sin()];
    description.ground.points.insert("rail".into(), point([0.1, 0.2, 0.3], axis));
    description.bodies.insert("bead".into(), Body::rigid(0.3, [1e-3, 2e-3, 2.5e-3], [0.1, 0.2, 0.3]));
    let joint = Prismatic {
        between: between("ground.rail", "bead"),
        limits: Some([-0.2, s1]),
        limit_restitution: e,
        ..Default::default()
    };
    description.joints.insert("rail".into(), Joint::Prismatic(joint));
    let a = G * slant.sin();
    let (hit, v) = ((2.0 * s1 / a).sqrt(), (2.0 * a * s1).sqrt());
    let end = hit + 0.2;
    let expected = s1 - e * v * 0.2 + 0.5 * a * 0.04;
    for (name, tolerance) in [("hem5", 1e-9), ("moreau-jean", 2e-3), ("schatzman-paoli", 4e-3)] {
        let (_, recording) = run(&description, name, 5e-4, end);
        near(last(&recording, "rail.position"), expected, tolerance, name);
        near(impacts(&recording)[0].t, hit, tolerance, name);
        assert_eq!(impacts(&recording)[0].subject, "rail.upper");
    }
}

/// A nut falls many turns down its thread to a stop, which counts them.
#[test]
fn a_screw_counts_its_turns() {
    for pitch in [0.01, -0.01] {
        let mut description = empty([0.0, 0.0, -G]);
        description.bodies.insert("nut".into(), Body::rigid(0.7, [3e-4, 3e-4, 2e-4], [0.0; 3]));
        let limits = Some(if pitch > 0.0 { [-40.0, 1.0] } else { [-1.0, 40.0] });
        let screw = Screw { between: between("ground", "nut"), pitch, limits, ..Default::default() };
        description.joints.insert("screw".into(), Joint::Screw(screw));
        let (state, recording) = run(&description, "hem5", 1e-3, 3.0);
        let per = TAU / pitch;
        let fall = G * 0.7 / (0.7 + 2e-4 * per * per);
        near(state.q[2], -40.0 * pitch.abs() / TAU, 1e-10, "rests at its stop");
        let hit = impacts(&recording)[0];
        assert_eq!(hit.subject, if pitch > 0.0 { "screw.lower" } else { "screw.upper" });
        near(hit.t, (2.0 * 40.0 * pitch.abs() / TAU / fall).sqrt(), 1e-8, "hits");
    }
}

/// Both ranges of a cylindrical joint.
#[test]
fn a_cylindrical_joint_has_two_ranges() {
    let mut description = empty([0.0; 3]);
    let mut body = Body::rigid(1.0, [0.1; 3], [0.0; 3]);
    body.velocity = [0.0, 0.0, 1.0];
    body.angular_velocity = [0.0, 0.0, -2.0];
    description.bodies.insert("body".into(), body);
    let joint = Cylindrical {
        between: between("ground", "body"),
        limits: Some([-0.5, 0.25]),
        angle_limits: Some([-0.8, 1.0]),
        limit_restitution: 0.5,
        ..Default::default()
    };
    description.joints.insert("c".into(), Joint::Cylindrical(joint));
    assert_eq!(names(&description), ["c.lower", "c.upper", "c.angle_lower", "c.angle_upper"]);
    let (_, recording) = run(&description, "hem5", 1e-2, 0.65);
    near(last(&recording, "c.position"), 0.25 - 0.5 * 0.4, 1e-10, "way");
    near(last(&recording, "c.angle"), -0.8 + 1.0 * 0.25, 1e-10, "angle");
}

// --- friction ---

/// Schemes that take no friction, or no joints.
const NOT_FOR_THESE: [&str; 2] = ["half-explicit-acceleration", "verlet"];

/// J ω' = −τ with τ constant, or μ r m g from the load: stops at J ω₀/τ after J ω₀²/(2τ), and stays.
#[test]
fn a_rotor_stops_in_its_bearing() {
    let (mass, J, omega) = (2.0, 0.5, 6.0);
    for (friction_torque, friction, pin_radius) in [(3.0, 0.0, 0.0), (0.0, 0.5, 0.3), (1.0, 0.2, 0.5)] {
        let mut description = empty([0.0, 0.0, -G]);
        description.ground.points.insert("bearing".into(), point([0.0; 3], [1.0, 0.0, 0.0]));
        let mut rotor = Body::rigid(mass, [J, 0.4, 0.3], [0.0; 3]);
        rotor.angular_velocity = [omega, 0.0, 0.0];
        description.bodies.insert("rotor".into(), rotor);
        let joint = Revolute {
            between: between("ground.bearing", "rotor"),
            friction_torque,
            friction,
            pin_radius,
            ..Default::default()
        };
        description.joints.insert("bearing".into(), Joint::Revolute(joint));
        let bound = friction_torque + friction * pin_radius * mass * G;
        let (stop, angle) = (J * omega / bound, 0.5 * J * omega * omega / bound);
        for info in SCHEMES.iter().filter(|info| !NOT_FOR_THESE.contains(&info.name)) {
            let (state, recording) = run(&description, info.name, 1e-3, 2.0 * stop);
            let turned = 2.0 * state.q[4].atan2(state.q[3]).abs();
            near(turned, angle, 1e-2 * angle, info.name);
            near(state.v[3], 0.0, 1e-12, info.name);
            let stick =
                recording.events.iter().find(|e| e.kind == EventKind::Stick).expect("it comes to rest");
            assert_eq!(stick.subject, "bearing.friction");
            near(stick.t, stop, 3e-3, info.name);
        }
    }
}

/// A block on a level guide that is turned about its axis: the load is the same whichever way x and y point.
#[test]
fn a_block_stops_in_its_guide() {
    let (mass, speed) = (3.0, 2.0);
    for (friction_force, friction) in [(6.0, 0.0), (0.0, 0.3), (4.0, 0.1)] {
        let mut description = empty([0.0, 0.0, -G]);
        let guide = Point::Frame {
            at: [0.0; 3],
            axis: Some([1.0, 0.0, 0.0]),
            x: Some([0.0, 0.8, 0.7]),
            rotation: None,
        };
        description.ground.points.insert("guide".into(), guide);
        let mut block = Body::rigid(mass, [0.1, 0.2, 0.25], [0.0; 3]);
        block.velocity = [speed, 0.0, 0.0];
        description.bodies.insert("block".into(), block);
        let joint = Prismatic {
            between: between("ground.guide", "block"),
            friction_force,
            friction,
            ..Default::default()
        };
        description.joints.insert("guide".into(), Joint::Prismatic(joint));
        let deceleration = (friction_force + friction * mass * G) / mass;
        let distance = 0.5 * speed * speed / deceleration;
        for info in SCHEMES.iter().filter(|info| !NOT_FOR_THESE.contains(&info.name)) {
            let (state, _) = run(&description, info.name, 1e-3, 2.0 * speed / deceleration);
            near(state.q[0], distance, 1e-2 * distance, info.name);
            near(state.v[0], 0.0, 1e-12, info.name);
        }
    }
}

/// The bound follows the reaction of the swinging rod, in space as in the plane.
#[test]
fn a_hinge_rubs_as_in_the_plane() {
    let joint = Revolute {
        between: between("ground", "rod.end"),
        friction: 0.3,
        pin_radius: 0.1,
        friction_torque: 0.2,
        ..Default::default()
    };
    let space = rod_in_space(Joint::Revolute(joint), [L, 0.0]);
    let of_plane = plane::Joint::Revolute(plane::Revolute {
        between: between("ground", "rod.end"),
        friction: 0.3,
        pin_radius: 0.1,
        friction_torque: 0.2,
        ..Default::default()
    });
    let planar = rod_in_plane(of_plane, [L, 0.0]);
    for (name, tolerance) in [("hem5", 1e-10), ("moreau-jean", 1e-8), ("generalized-alpha", 1e-8)] {
        let (a, _) = run(&space, name, 1e-3, 1.5);
        let (b, _) = run_plane(&planar, name, 1e-3, 1.5);
        same(&a, &b, tolerance, name);
    }
}

/// Constant friction of a cylindrical joint along and about its axis; of a screw about it.
#[test]
fn way_and_turn_rub_apart() {
    let mut description = empty([0.0; 3]);
    let mut body = Body::rigid(2.0, [0.1; 3], [0.0; 3]);
    body.velocity = [0.0, 0.0, 1.0];
    body.angular_velocity = [0.0, 0.0, -2.0];
    description.bodies.insert("body".into(), body);
    let joint = Cylindrical {
        between: between("ground", "body"),
        friction_force: 4.0,
        friction_torque: 0.4,
        ..Default::default()
    };
    description.joints.insert("c".into(), Joint::Cylindrical(joint));
    let (state, recording) = run(&description, "hem5", 1e-2, 1.0);
    near(last(&recording, "c.position"), 0.25, 1e-10, "way");
    near(last(&recording, "c.angle"), -0.5, 1e-10, "angle");
    near(state.v[2].abs() + state.v[5].abs(), 0.0, 1e-13, "rests");
}

// --- clearance ---

/// A mass runs round in a hollow ball: at the angle θ below its middle with φ'² = g/(c cos θ), on one level.
#[test]
fn a_ball_runs_round_in_its_socket() {
    let (c, theta) = (0.8, 0.6_f64);
    let rate = (G / (c * theta.cos())).sqrt();
    let mut description = empty([0.0, 0.0, -G]);
    let mut ball = Body::point_mass(0.3, [c * theta.sin(), 0.0, -c * theta.cos()]);
    ball.velocity = [0.0, rate * c * theta.sin(), 0.0];
    description.bodies.insert("ball".into(), ball);
    let joint = Spherical { between: between("ground", "ball"), clearance: Some(c), ..Default::default() };
    description.joints.insert("socket".into(), Joint::Spherical(joint));
    assert_eq!(names(&description), ["socket"]);
    let (state, recording) = run(&description, "hem5", 1e-3, TAU / rate);
    for (k, expected) in [c * theta.sin(), 0.0, -c * theta.cos()].into_iter().enumerate() {
        near(state.q[k], expected, 1e-8, "back where it was");
    }
    near(last(&recording, "socket.force_n"), 0.3 * G / theta.cos(), 1e-6, "the wall carries it");
}

/// A rod in a hinge with play, in space as in the plane: it falls through the play, hits, bounces and swings. A ball
/// in its socket does the same.
#[test]
fn a_rod_with_play_swings_as_in_the_plane() {
    let (clearance, restitution) = (Some(0.02), 0.4);
    let ball = Joint::Spherical(Spherical {
        between: between("ground", "rod.end"),
        clearance,
        restitution,
        ..Default::default()
    });
    let of_plane = plane::Joint::Revolute(plane::Revolute {
        between: between("ground", "rod.end"),
        clearance,
        restitution,
        ..Default::default()
    });
    let planar = rod_in_plane(of_plane, [L + 0.01, 0.005]);
    // two circles at one place of the axis press as one
    let pin = Joint::Revolute(Revolute {
        between: between("ground", "rod.end"),
        clearance,
        restitution,
        length: Some(0.2),
        ..Default::default()
    });
    let (b, _) = run_plane(&planar, "moreau-jean", 1e-3, 0.5);
    for (joint, what) in [(ball, "ball"), (pin, "pin")] {
        let space = rod_in_space(joint, [L + 0.01, 0.005]);
        let (a, recording) = run(&space, "moreau-jean", 1e-3, 0.5);
        assert!(!impacts(&recording).is_empty());
        same(&a, &b, 1e-9, what);
    }
}

/// A shaft lies in its bearing with its centre of mass off the middle of the pin: each end carries its share.
#[test]
fn a_journal_shares_its_weight() {
    let (m, radius, length, c, off) = (4.0, 0.02, 0.2, 1e-4, 0.03);
    let mut description = empty([0.0, 0.0, -G]);
    description.ground.points.insert("bearing".into(), point([0.0; 3], [1.0, 0.0, 0.0]));
    let shaft = Body::rigid(m, [0.01, 0.02, 0.02], [off, 0.0, -c]);
    description.bodies.insert("shaft".into(), shaft.with_point("pin", [-off, 0.0, 0.0]));
    let joint = Revolute {
        between: between("ground.bearing", "shaft.pin"),
        clearance: Some(c),
        pin_radius: radius,
        length: Some(length),
        friction: 0.1,
        ..Default::default()
    };
    description.joints.insert("b".into(), Joint::Revolute(joint));
    assert_eq!(names(&description), ["b.1", "b.2", "b.thrust_1", "b.thrust_2"]);
    let (state, recording) = run(&description, "moreau-jean", 1e-4, 0.02);
    near(last(&recording, "b.1.force_n"), m * G * (0.5 - off / length), 1e-8, "first end");
    near(last(&recording, "b.2.force_n"), m * G * (0.5 + off / length), 1e-8, "second end");
    near(last(&recording, "b.thrust_1.force_n"), 0.0, 1e-12, "thrust");
    near(state.q[2], -c, 1e-12, "lies still");

    // stood on its end it comes to rest on a thrust face, `play` below
    let mut upright = description.clone();
    upright.gravity = [-G, 0.0, 0.0];
    upright.bodies[0].position = [off, 0.0, 0.0];
    let Joint::Revolute(joint) = &mut upright.joints[0] else { panic!("a hinge") };
    joint.axial_clearance = Some(3e-4);
    let (state, recording) = run(&upright, "moreau-jean", 1e-4, 0.05);
    near(last(&recording, "b.thrust_1.force_n"), m * G, 1e-8, "stands on the lower face");
    near(state.q[0], off - 3e-4, 1e-6, "play");
}

/// A box slides in its guide: the corners below carry it and rub, μ g stops it.
#[test]
fn a_box_slides_in_its_guide() {
    let (m, mu, c) = (1.5, 0.2, 1e-3);
    let mut description = empty([0.0, 0.0, -G]);
    let guide =
        Point::Frame { at: [0.0; 3], axis: Some([1.0, 0.0, 0.0]), x: Some([0.0, 1.0, 0.0]), rotation: None };
    description.ground.points.insert("guide".into(), guide);
    let mut slider = Body::rigid(m, [0.01, 0.02, 0.02], [0.0, 0.0, -c]);
    slider.velocity = [1.0, 0.0, 0.0];
    description.bodies.insert("slider".into(), slider);
    let joint = Prismatic {
        between: between("ground.guide", "slider"),
        clearance: Some(c),
        size: Some([0.1, 0.06, 0.3]),
        friction: mu,
        ..Default::default()
    };
    description.joints.insert("g".into(), Joint::Prismatic(joint));
    assert_eq!(names(&description), (1..=8).map(|k| format!("g.{k}")).collect::<Vec<_>>());
    let (state, recording) = run(&description, "moreau-jean", 1e-3, 0.7);
    near(state.q[0], 0.5 / (mu * G), 1e-3, "way");
    near(state.v[0], 0.0, 1e-12, "rests");
    let carried: f64 = (1..=8).map(|k| last(&recording, &format!("g.{k}.force_n"))).sum();
    near(carried, m * G, 1e-7, "the corners carry it");
}

#[test]
fn what_cannot_rub_or_play_is_refused() {
    let reason = |joint: Joint| {
        let problems = Model::<Space>::in_space(&rod_in_space(joint, [L, 0.0])).expect_err("refused");
        problems.to_string()
    };
    let between = between("ground", "rod.end");
    let spherical = Spherical { between: between.clone(), friction: 0.1, ..Default::default() };
    assert!(reason(Joint::Spherical(spherical)).contains("about all axes at once"));
    let cylindrical = Cylindrical { between: between.clone(), friction: 0.1, ..Default::default() };
    assert!(reason(Joint::Cylindrical(cylindrical)).contains("along and about its axis at once"));
    let pin = Revolute { between: between.clone(), clearance: Some(0.1), ..Default::default() };
    assert!(reason(Joint::Revolute(pin)).contains("length"));
    let dry = Revolute { between: between.clone(), friction: 0.1, ..Default::default() };
    assert!(reason(Joint::Revolute(dry)).contains("pin_radius"));
    let rebound = Prismatic { between: between.clone(), limit_restitution: 0.5, ..Default::default() };
    assert!(reason(Joint::Prismatic(rebound)).contains("limits"));
    let small = Prismatic { between, clearance: Some(0.1), ..Default::default() };
    assert!(reason(Joint::Prismatic(small)).contains("size"));
}
