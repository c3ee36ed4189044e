//! Joints that rub, run by every scheme against closed forms: a rotor in a bearing, a block in a guide.

use carom_dynamics::{EventKind, SCHEMES, Settings, Simulation, State, Stop, scheme};
use carom_model::description::{Body, Ground, Joint, Point, Prismatic, Revolute};
use carom_model::{Description, Model};

/// Takes no friction, and says so.
/// Schemes that take no friction, or no joints.
const NOT_FOR_THESE: [&str; 2] = ["half-explicit-acceleration", "verlet"];

fn run(description: &Description, name: &str, end: f64) -> (Vec<f64>, Vec<f64>, Vec<(EventKind, f64)>) {
    let model = Model::new(description).expect("a good model");
    let assembly = model.assemble().expect("it fits");
    let state = State::new(&model, 0.0, assembly.q, assembly.v);
    let settings = Settings { step: 1e-3, end, accuracy: None, output: None };
    let solver = carom_solve::solver("auto").expect("a known solver");
    let scheme = scheme(name, &[]).expect("a known scheme");
    let mut simulation = Simulation::new(&model, &*scheme, solver, state, settings).expect("a good start");
    assert_eq!(simulation.run(|_| true), Stop::Done);
    let events = simulation.recording().events.iter().map(|e| (e.kind, e.t)).collect();
    (simulation.state().q.clone(), simulation.state().v.clone(), events)
}

fn base() -> Description {
    Description {
        version: 1,
        gravity: [0.0, -10.0],
        ground: Ground {
            points: [("bearing".to_string(), Point::At([0.0, 0.0]))].into(),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// J ω' = −τ with τ constant, or μ r m g from the load: the rotor turns J ω₀²/(2τ), stops at J ω₀/τ, and stays.
#[test]
fn rotor_stops_in_its_bearing() {
    let (mass, inertia, omega) = (2.0, 0.5, 6.0);
    let rotor = Body {
        mass,
        inertia: Some(inertia),
        angular_velocity: omega,
        points: [("axis".to_string(), Point::At([0.0, 0.0]))].into(),
        ..Default::default()
    };
    for (torque, friction, pin_radius) in [(3.0, 0.0, 0.0), (0.0, 0.5, 0.3), (1.0, 0.2, 0.5)] {
        let bearing = Joint::Revolute(Revolute {
            between: ["ground.bearing".into(), "rotor.axis".into()],
            clearance: None,
            restitution: 0.0,
            friction,
            pin_radius,
            friction_torque: torque,
            ..Revolute::default()
        });
        let description = Description {
            bodies: [("rotor".to_string(), rotor.clone())].into(),
            joints: [("bearing".to_string(), bearing)].into(),
            ..base()
        };
        let bound = torque + friction * pin_radius * mass * 10.0;
        let (stop, angle) = (inertia * omega / bound, 0.5 * inertia * omega * omega / bound);
        for info in SCHEMES.iter().filter(|info| !NOT_FOR_THESE.contains(&info.name)) {
            let (q, v, events) = run(&description, info.name, 2.0 * stop);
            assert!((q[2] - angle).abs() < 1e-2 * angle, "{}: turned {} of {angle}", info.name, q[2]);
            assert!(v[2].abs() < 1e-12, "{}: still turns at {}", info.name, v[2]);
            let stick = events.iter().find(|e| e.0 == EventKind::Stick).expect("it comes to rest").1;
            assert!((stick - stop).abs() < 3e-3, "{}: rests at {stick}, expected {stop}", info.name);
        }
    }
}

/// A block on a horizontal guide: v' = −(F + μ m g)/m, it stops after v₀²/2 of that.
#[test]
fn block_stops_in_its_guide() {
    let (mass, speed) = (3.0, 2.0);
    let block = Body {
        mass,
        inertia: Some(0.1),
        velocity: [speed, 0.0],
        points: [("centre".to_string(), Point::At([0.0, 0.0]))].into(),
        ..Default::default()
    };
    for (force, friction) in [(6.0, 0.0), (0.0, 0.3), (4.0, 0.1)] {
        let guide = Joint::Prismatic(Prismatic {
            between: ["ground.bearing".into(), "block.centre".into()],
            clearance: None,
            size: None,
            restitution: 0.0,
            friction,
            friction_force: force,
            ..Prismatic::default()
        });
        let description = Description {
            bodies: [("block".to_string(), block.clone())].into(),
            joints: [("guide".to_string(), guide)].into(),
            ..base()
        };
        let deceleration = (force + friction * mass * 10.0) / mass;
        let distance = 0.5 * speed * speed / deceleration;
        for info in SCHEMES.iter().filter(|info| !NOT_FOR_THESE.contains(&info.name)) {
            let (q, v, _) = run(&description, info.name, 2.0 * speed / deceleration);
            assert!((q[0] - distance).abs() < 1e-2 * distance, "{}: went {} of {distance}", info.name, q[0]);
            assert!(v[0].abs() < 1e-12, "{}: still moves at {}", info.name, v[0]);
        }
    }
}
