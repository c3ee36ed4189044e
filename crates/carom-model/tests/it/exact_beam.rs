//! The geometrically exact beam in motion: derivatives with all that can be fixed to it, conserved quantities, the rigid
//! limit, statics, and the swing of [Chen2013] §5.4 against an integration that shares no code (`gallery/reference.py`).
#![allow(non_snake_case)]

use crate::common::Random;
use carom_dynamics::{
    Configuration, EventKind, Settings, Simulation, State, Stop, System, check_derivatives, scheme,
};
use carom_model::Model;
use carom_model::description::{
    AppliedForce, Body, Contact, Damping, Description, Elastic, ExactBeam, Expression, Force, Joint, Point,
    Shape, Spring, Weld,
};
use std::f64::consts::FRAC_1_SQRT_2;

/// Soft enough that all of extension, shear and bending is large.
fn soft() -> ExactBeam {
    ExactBeam {
        length: 0.8,
        elements: 3,
        young: 900.0,
        poisson: 0.25,
        area: 0.1,
        second_moment: 2e-3,
        shear_area: None,
        density: 3.0,
        order: 1,
        lumped: false,
        damping: Damping::default(),
    }
}

/// [Chen2013] §5.4: 1 m of steel, 10 mm × 10 mm, four elements.
fn steel() -> ExactBeam {
    ExactBeam {
        length: 1.0,
        elements: 4,
        young: 2.1e11,
        poisson: 0.3,
        area: 1e-4,
        second_moment: 1e-8 / 12.0,
        shear_area: Some(5.0 / 6.0 * 1e-4),
        density: 7800.0,
        order: 1,
        lumped: false,
        damping: Damping::default(),
    }
}

fn body(beam: ExactBeam) -> Body {
    let points = [
        ("root".to_string(), Point::Node { node: 0, angle: 0.0 }),
        ("inner".to_string(), Point::At([0.3 * beam.length, 0.0])),
        ("tip".to_string(), Point::At([beam.length, 0.0])),
    ];
    Body { elastic: Some(Elastic::ExactBeam(beam)), points: points.into(), ..Body::default() }
}

fn alone(beam: ExactBeam, gravity: f64) -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -gravity], ..Description::default() };
    d.ground.points.insert("pivot".into(), Point::At([0.0, 0.0]));
    d.bodies.insert("beam".into(), body(beam));
    d
}

fn pendulum(beam: ExactBeam) -> Description {
    let mut d = alone(beam, 10.0);
    d.joints.insert("pivot".into(), Joint::revolute("ground.pivot", "beam.root"));
    d
}

fn with_stop(beam: ExactBeam) -> Description {
    let mut d = pendulum(beam);
    let stop = Shape::Line { through: [FRAC_1_SQRT_2, 0.0], normal: [1.0, 0.0] };
    d.ground.shapes.insert("stop".into(), stop);
    d.contacts
        .insert("stop".into(), Contact { restitution: 0.8, ..Contact::between("beam.tip", "ground.stop") });
    d
}

fn model(description: &Description) -> Model {
    Model::new(description).unwrap_or_else(|error| panic!("{error}"))
}

fn simulation<'s>(
    model: &'s Model,
    name: &str,
    parameters: &[(&str, f64)],
    step: f64,
    end: f64,
) -> Simulation<'s> {
    let state =
        State::new(model, 0.0, model.described_position().to_vec(), model.described_velocity().to_vec());
    let scheme = scheme(name, parameters).expect("a scheme of the registry");
    let solver = carom_solve::solver("auto").expect("a solver");
    let settings = Settings { step, end, accuracy: None, output: Some(step) };
    Simulation::new(model, &*scheme, solver, state, settings).expect("a good start")
}

fn run<'s>(model: &'s Model, name: &str, parameters: &[(&str, f64)], step: f64, end: f64) -> Simulation<'s> {
    let mut simulation = simulation(model, name, parameters, step, end);
    while !simulation.is_done() {
        simulation.advance();
    }
    assert_eq!(simulation.summary().stop, Stop::Done, "{name}");
    simulation
}

/// Values of a channel at the end.
fn value(model: &Model, state: &State, name: &str) -> f64 {
    let at = Configuration::new(model, state.t, &state.q, &state.v);
    let channels = &model.structure().channels;
    let mut out = vec![f64::NAN; channels.len()];
    model.observe(&at, &mut out);
    out[channels.iter().position(|c| c.name() == name).unwrap_or_else(|| panic!("no channel {name}"))]
}

#[test]
fn derivatives_with_joints_forces_and_contacts() {
    for (order, lumped) in [(1, false), (2, false), (1, true), (2, true)] {
        let damping = Damping { mass: 0.3, stiffness: 0.02, ..Damping::default() };
        let mut d = alone(ExactBeam { order, lumped, damping, ..soft() }, 9.81);
        d.bodies.insert("block".into(), Body::rigid(1.0, 0.1, [0.9, 0.4]).with_point("pin", [0.1, -0.1]));
        d.joints.insert(
            "clamp".into(),
            Joint::Weld(Weld { between: ["ground.pivot".into(), "beam.root".into()] }),
        );
        d.joints.insert("pin".into(), Joint::revolute("beam.tip", "block.pin"));
        d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -5.0], normal: [0.1, 1.0] });
        let friction = Contact { friction: 0.3, ..Contact::between("beam.inner", "ground.floor") };
        d.contacts.insert("floor".into(), friction);
        let spring = Force::Spring(Spring {
            between: ["beam.inner".into(), "block.pin".into()],
            stiffness: 50.0,
            damping: 0.5,
            length: Some(0.1),
            ..Spring::default()
        });
        d.forces.insert("tie".into(), spring);
        let push = [Expression::Constant(0.3), Expression::Constant(0.2)];
        d.forces.insert(
            "push".into(),
            Force::Force(AppliedForce { on: "beam.tip".into(), force: push, follows: true }),
        );
        let model = model(&d);
        for seed in 0..10 {
            let mut random = Random::new(seed + 1);
            let spread = random.vector(model.structure().sizes.q, 0.3);
            let q: Vec<f64> = model.described_position().iter().zip(spread).map(|(a, b)| a + b).collect();
            let wrong = check_derivatives(&model, 0.2, &q, &random.vector(q.len(), 2.0), 1e-6);
            assert!(wrong.is_empty(), "order {order}, lumped {lumped}, seed {seed}: {wrong:#?}");
        }
    }
}

/// A free beam, spinning and struck: momentum and moment of momentum stay, and the energy to the order of the step.
#[test]
fn free_flight_conserves() {
    for order in [1, 2] {
        let mut d = alone(ExactBeam { order, elements: 4, ..soft() }, 0.0);
        let beam = &mut d.bodies["beam"];
        (beam.velocity, beam.angular_velocity, beam.angle) = ([0.4, -0.3], 3.0, 0.5);
        let model = model(&d);
        let (q_0, mut v_0) = (model.described_position().to_vec(), model.described_velocity().to_vec());
        // a bending velocity on top
        for (i, v) in v_0.chunks_exact_mut(3).enumerate() {
            v[1] += 0.6 * (i as f64).cos();
            v[2] -= 1.5 * (0.7 * i as f64).sin();
        }
        let momentum = |q: &[f64], v: &[f64]| {
            let pattern = &model.structure().pattern.mass;
            let mut M = vec![0.0; pattern.len()];
            model.mass(&Configuration::new(&model, 0.0, q, v), &mut M);
            let mut p = vec![0.0; v.len()];
            for (&(i, j), m) in pattern.iter().zip(&M) {
                p[i as usize] += m * v[j as usize];
                if i != j {
                    p[j as usize] += m * v[i as usize];
                }
            }
            let nodes = q.chunks_exact(3).zip(p.chunks_exact(3));
            nodes.fold([0.0; 3], |s, (q, p)| {
                [s[0] + p[0], s[1] + p[1], s[2] + q[0] * p[1] - q[1] * p[0] + p[2]]
            })
        };
        let energy = |q: &[f64], v: &[f64]| model.energy(&Configuration::new(&model, 0.0, q, v)).total();
        let start = (momentum(&q_0, &v_0), energy(&q_0, &v_0));
        let mut drifts = Vec::new();
        for step in [2e-3, 1e-3] {
            let state = State::new(&model, 0.0, q_0.clone(), v_0.clone());
            let settings = Settings { step, end: 2.0, accuracy: None, output: Some(2.0) };
            let trapezoidal = scheme("moreau-jean", &[("theta", 0.5)]).expect("a scheme");
            let solver = carom_solve::solver("auto").expect("a solver");
            let mut simulation =
                Simulation::new(&model, &*trapezoidal, solver, state, settings).expect("a start");
            let (mut drift, mut swing) = (0.0_f64, 0.0_f64);
            while !simulation.is_done() {
                simulation.advance();
                let s = simulation.state();
                drift = drift.max((energy(&s.q, &s.v) / start.1 - 1.0).abs());
                let p = momentum(&s.q, &s.v);
                assert!((p[0] - start.0[0]).abs() + (p[1] - start.0[1]).abs() < 1e-9, "momentum {p:?}");
                swing = swing.max((p[2] / start.0[2] - 1.0).abs());
            }
            drifts.push([drift, swing]);
        }
        // both of second order, and small
        for (i, bound) in [(0, 2e-4), (1, 2e-4)] {
            assert!(drifts[1][i] < bound, "order {order}: {drifts:?}");
            assert!(drifts[0][i] > 2.5 * drifts[1][i], "order {order}: not of second order {drifts:?}");
        }
    }
}

/// So stiff that it cannot bend, it swings as the rigid rod with the same mass and moment of inertia.
#[test]
fn stiff_limit_is_the_rigid_rod() {
    let beam = steel();
    let mass = beam.density * beam.area * beam.length;
    let J = mass / 12.0 + beam.density * beam.second_moment * beam.length;
    let flexible = model(&pendulum(ExactBeam { young: 1e4 * beam.young, ..beam }));
    let mut d = Description { version: 1, gravity: [0.0, -10.0], ..Description::default() };
    d.ground.points.insert("pivot".into(), Point::At([0.0, 0.0]));
    d.bodies.insert("beam".into(), Body::rigid(mass, J, [0.5, 0.0]).with_point("root", [-0.5, 0.0]));
    d.joints.insert("pivot".into(), Joint::revolute("ground.pivot", "beam.root"));
    let rigid = model(&d);
    let scheme = ("generalized-alpha", [("rho", 0.8)]);
    let end = run(&flexible, scheme.0, &scheme.1, 1e-3, 1.0);
    let angle = value(&flexible, end.state(), "beam.angle");
    let exact = run(&rigid, scheme.0, &scheme.1, 1e-3, 1.0).state().q[2];
    assert!((angle - exact).abs() < 2e-5 * exact.abs(), "{angle} against {exact}");
}

/// Clamped and left to its weight: the support carries it, N = Q = M = 0 at the free end, deflection of the linear theory
/// for what is almost linear, ρA g L⁴/8EI + ρA g L²/2GA.
#[test]
fn sag_of_a_cantilever() {
    let damping = Damping { mass: 20.0, stiffness: 0.01, ..Damping::default() };
    let beam = ExactBeam { order: 2, elements: 8, damping, ..soft() };
    let (EI, L, line) = (beam.young * beam.second_moment, beam.length, beam.density * beam.area);
    let GA = beam.young / (2.0 * (1.0 + beam.poisson)) * 5.0 / 6.0 * beam.area;
    let g = 0.1;
    let mut d = alone(beam, g);
    d.joints
        .insert("clamp".into(), Joint::Weld(Weld { between: ["ground.pivot".into(), "beam.root".into()] }));
    let model = model(&d);
    let end = run(&model, "moreau-jean", &[("theta", 1.0)], 0.02, 20.0);
    let read = |name: &str| value(&model, end.state(), name);
    let w = line * g * L.powi(4) / (8.0 * EI) + line * g * L * L / (2.0 * GA);
    assert!((read("beam.tip.y") / -w - 1.0).abs() < 1e-3, "{} for {}", read("beam.tip.y"), -w);
    // an element carries half of its own weight to each node, so the root sees the shear without that of its node
    let tributary = line * L / 8.0 / 6.0;
    let Q = -(line * L - tributary) * g;
    assert!((read("beam.root.shear") / Q - 1.0).abs() < 1e-4, "{} for {Q}", read("beam.root.shear"));
    assert!((read("beam.root.moment") / (-0.5 * line * g * L * L) - 1.0).abs() < 1e-3);
    assert!(read("beam.tip.moment").abs() < 1e-6 && read("beam.strain") > 0.0);
}

/// Until the tip meets the stop nothing depends on impacts. Reference: central differences with 5e-7 s.
#[test]
fn swing_and_first_impact() {
    let published = model(&with_stop(steel()));
    let end = run(&published, "generalized-alpha", &[("rho", 0.8)], 5e-4, 0.3);
    let tip = |m: &Model, s: &State| [value(m, s, "beam.tip.x"), value(m, s, "beam.tip.y")];
    let [x, y] = tip(&published, end.state());
    assert!((x - 0.786_927_616).abs() < 5e-6 && (y + 0.617_045_874).abs() < 5e-6, "({x}, {y})");
    // the same with the mass in the nodes: 12 mm off, see errata
    let lumped = model(&with_stop(ExactBeam { lumped: true, ..steel() }));
    let end = run(&lumped, "generalized-alpha", &[("rho", 0.8)], 5e-4, 0.3);
    let [x, _] = tip(&lumped, end.state());
    assert!((x - 0.799_009_195).abs() < 5e-6, "{x}");

    let end = run(&published, "generalized-alpha", &[("rho", 0.8)], 5e-5, 0.328);
    let impact = end.recording().events.iter().find(|e| e.kind == EventKind::Impact).expect("an impact").t;
    assert!((impact - 0.327_023_615).abs() < 5e-5, "{impact}");
}

/// The step of the paper, and twice that: the three schemes of [Chen2013] converge in every step of a second with dozens
/// of impacts, in few iterations.
#[test]
fn newton_converges_at_large_steps() {
    let model = model(&with_stop(steel()));
    for (name, parameters, most) in [
        ("generalized-alpha", &[("rho", 0.8)][..], [4.2, 5.3]),
        ("moreau-jean", &[("theta", 1.0)][..], [2.8, 3.5]),
        ("newmark-implicit", &[][..], [2.8, 3.5]),
    ] {
        for (step, most) in [5e-4, 1e-3].into_iter().zip(most) {
            let end = run(&model, name, parameters, step, 1.0);
            let summary = end.summary();
            assert_eq!(summary.audit.failures, 0, "{name} at {step}: {}", summary.audit.verdict);
            let iterations = summary.newton_iterations as f64 / summary.steps as f64;
            assert!(iterations < most, "{name} at {step}: {iterations} iterations per step");
            let rise = summary.audit.energy_end - summary.audit.energy_start;
            assert!(rise < 0.0, "{name} at {step} made energy: {rise}");
        }
    }
}
