//! Bodies that turn in space: every scheme keeps the order that it has in the plane.
#![allow(non_snake_case, clippy::print_stdout)]

use crate::common::extrapolate;
use carom_dynamics::{Channel, Configuration, SCHEMES, Settings, Simulation, State, Stop, System, scheme};
use carom_systems::{Top, TopMinimal, TopOnBallJoint};

/// (q, v).
type Start = (Vec<f64>, Vec<f64>);
/// Name and parameters.
type Scheme = (&'static str, &'static [(&'static str, f64)]);

/// Asymmetric and heavy, turning by more than a radian in [`END`].
const HEAVY: Top =
    Top { J: [0.15, 0.19, 0.05], mass: 1.0, l: 0.3, gravity: 9.81, tilt: 0.9, rates: [1.0, 0.5, 4.0] };
/// s.
const END: f64 = 0.5;
/// Times at which motions are compared.
const TIMES: f64 = 5.0;
/// Steps over the run: multiples of these times, so that no dense output enters.
const STEPS: [usize; 10] = [40, 45, 50, 60, 70, 80, 95, 110, 130, 150];

fn run_with<'s>(
    system: &'s dyn System,
    (name, parameters): Scheme,
    (q, v): Start,
    settings: Settings,
) -> Simulation<'s> {
    let state = State::new(system, 0.0, q, v);
    let solver = carom_solve::solver("auto").expect("a known solver");
    let scheme = scheme(name, parameters).expect("a known scheme");
    let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).expect("a good start");
    assert_eq!(simulation.run(|_| true), Stop::Done, "{name}");
    simulation
}

fn run_for<'s>(system: &'s dyn System, scheme: Scheme, start: Start, step: f64, end: f64) -> Simulation<'s> {
    run_with(system, scheme, start, Settings { step, end, accuracy: None, output: Some(step) })
}

fn slope(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (lx, ly): (Vec<f64>, Vec<f64>) =
        (x.iter().map(|x| x.ln()).collect(), y.iter().map(|y| y.ln()).collect());
    let (mx, my) = (lx.iter().sum::<f64>() / n, ly.iter().sum::<f64>() / n);
    let top: f64 = lx.iter().zip(&ly).map(|(x, y)| (x - mx) * (y - my)).sum();
    top / lx.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

/// Whether a channel is a velocity.
fn is_rate(channel: &Channel) -> bool {
    channel.quantity().starts_with(['v', 'w'])
}

/// What is recorded at the times asked for, from an independent integration.
fn reference(system: &dyn System, start: &Start) -> Vec<Vec<f64>> {
    let mut state = start.clone();
    let mut line = || {
        state = extrapolate(system, std::mem::take(&mut state), END / TIMES, 6, 8);
        let mut out = vec![0.0; system.structure().channels.len()];
        system.observe(&Configuration::new(system, 0.0, &state.0, &state.1), &mut out);
        out
    };
    (0..TIMES as usize).map(|_| line()).collect()
}

/// Fitted orders of positions and of velocities, and the last error of positions; errors are added up over times and
/// channels, so that none is seen where it happens to vanish.
fn orders(system: &dyn System, scheme: Scheme, start: &Start, exact: &[Vec<f64>]) -> ([f64; 2], f64) {
    let mut errors = [Vec::new(), Vec::new()];
    for steps in STEPS {
        let settings =
            Settings { step: END / steps as f64, end: END, accuracy: None, output: Some(END / TIMES) };
        let simulation = run_with(system, scheme, start.clone(), settings);
        let recording = simulation.recording();
        let mut sums = [0.0; 2];
        for (i, channel) in system.structure().channels.iter().enumerate() {
            let column = recording.column(channel.name()).expect("a channel");
            for (k, exact) in exact.iter().enumerate() {
                sums[usize::from(is_rate(channel))] += (column[k + 1] - exact[i]).abs();
            }
        }
        errors[0].push(sums[0]);
        errors[1].push(sums[1]);
    }
    let x = STEPS.map(|n| 1.0 / n as f64);
    (errors.each_ref().map(|y| slope(&x, y)), errors[0][STEPS.len() - 1])
}

/// Orders of q and v that every scheme has in the plane, smooth and with joints.
/// Name, parameters, order.
type Case = (&'static str, &'static [(&'static str, f64)], f64);
const ORDERS: &[Case] = &[
    ("moreau-jean", &[], 2.0),
    ("moreau-explicit", &[], 1.0),
    ("moreau-midpoint", &[], 1.0),
    ("schatzman-paoli", &[], 1.0),
    ("stewart-trinkle", &[], 1.0),
    ("anitescu-potra", &[], 1.0),
    ("generalized-alpha", &[], 2.0),
    ("hht", &[], 2.0),
    ("newmark", &[], 2.0),
    ("newmark-implicit", &[], 1.0),
    ("moreau-jean-ggl", &[], 2.0),
    ("generalized-alpha-ggl", &[], 2.0),
    ("mixed-alpha", &[], 2.0),
    ("bathe", &[], 2.0),
    ("ed-alpha", &[], 2.0),
    ("half-explicit", &[], 2.0),
    ("half-explicit-acceleration", &[], 2.0),
    ("half-explicit-3", &[], 3.0),
    ("half-explicit-4", &[], 4.0),
    ("acceleration-lcp", &[], 4.0),
    ("acceleration-lcp-radau5", &[], 5.0),
    ("multiplier", &[], 4.0),
    ("position-lcp-euler", &[], 1.0),
    ("position-lcp-rk4", &[], 4.0),
    ("position-lcp-radau5", &[], 5.0),
    ("velocity-lcp", &[], 4.0),
    ("penalty", &[], 4.0),
    ("hunt-crossley", &[], 4.0),
    ("hem5", &[], 5.0),
    ("phem56", &[], 5.0),
    ("rk4", &[], 4.0),
    ("rkf45", &[], 4.0),
    ("rkf45", &[("order", 5.0)], 5.0),
    ("dopri5", &[], 5.0),
    ("alpha-dae", &[], 2.0),
    ("radau5", &[], 5.0),
    ("bdf", &[("order", 2.0)], 2.0),
    ("bdf", &[("order", 3.0)], 3.0),
    ("bdf", &[("order", 4.0)], 4.0),
    ("bdf", &[("order", 5.0)], 5.0),
    ("bdf", &[("order", 6.0)], 6.0),
    ("adams-bashforth", &[("order", 1.0)], 1.0),
    ("adams-bashforth", &[("order", 2.0)], 2.0),
    ("adams-bashforth", &[("order", 3.0)], 3.0),
    ("adams-bashforth", &[("order", 4.0)], 4.0),
    ("adams-bashforth", &[("order", 5.0)], 5.0),
    ("adams-moulton", &[("order", 1.0)], 1.0),
    ("adams-moulton", &[("order", 2.0)], 2.0),
    ("adams-moulton", &[("order", 3.0)], 3.0),
    ("adams-moulton", &[("order", 4.0)], 4.0),
    ("adams-moulton", &[("order", 5.0)], 5.0),
    ("verlet", &[], 2.0),
    ("shake", &[], 2.0),
    ("rattle", &[], 2.0),
    ("hybrid", &[], 5.0),
];

/// A fitted order may be below the true one by this, of positions and of velocities: errors of two powers of the step mix. Those of
/// DOPRI5 in ω are n⁻⁵ (c − 20 c/n) here; at 150 steps they still fit to 4.6.
const BELOW: [f64; 2] = [0.3, 0.5];

#[test]
fn every_scheme_keeps_its_order() {
    let minimal = TopMinimal::new(HEAVY);
    let joint = TopOnBallJoint::new(HEAVY).expect("it has inertia left about its centre");
    let (exact, exact_joint) = (reference(&minimal, &minimal.start()), reference(&joint, &joint.start()));
    for (own, held) in exact.iter().zip(&exact_joint) {
        assert!(apart(own, &held[6..]) < 1e-13, "both tops are one");
    }
    for info in SCHEMES {
        assert!(ORDERS.iter().any(|(name, ..)| *name == info.name), "`{}` has no row", info.name);
    }
    for &(name, parameters, expected) in ORDERS {
        let own = orders(&minimal, (name, parameters), &minimal.start(), &exact);
        println!("{name} {parameters:?}: {:.2} {:.2}, off by {:.1e}", own.0[0], own.0[1], own.1);
        let mut all = vec![own];
        // Verlet takes no joints
        if name != "verlet" {
            let held = orders(&joint, (name, parameters), &joint.start(), &exact_joint);
            println!("    on a ball joint: {:.2} {:.2}, off by {:.1e}", held.0[0], held.0[1], held.1);
            all.push(held);
        }
        for (found, _) in all {
            for (order, below) in found.iter().zip(BELOW) {
                assert!(*order > expected - below, "{name} {parameters:?}: {found:?}, expected {expected}");
            }
        }
    }
}

/// Euler's top after 10 s, by Jacobi's elliptic functions; energy and momentum in space are kept by the equations.
#[test]
fn eulers_top_tumbles_as_jacobi_says() {
    let top = TopMinimal::new(Top::default());
    let (q, v) = extrapolate(&top, top.start(), 10.0, 400, 6);
    assert!(apart(&v, &[-0.521_092_23, -0.733_868_44, 1.015_141_55]) < 6e-9, "{v:?}");
    assert!(apart(&q, &[0.934_165_47, -0.227_074_8, 0.239_976_8, -0.134_844_52]) < 6e-9, "{q:?}");
    let energy = top.energy(&Configuration::new(&top, 0.0, &q, &v)).total();
    assert!((energy - 2.2201).abs() < 1e-12, "{energy}");
    assert!(apart(&top.momentum(&q, &v), &top.momentum(&top.start().0, &top.start().1)) < 1e-12);
}

/// Steady precession of a symmetric top: A Ω² cos θ − C ω₃ Ω + m g l = 0.
#[test]
fn a_symmetric_top_precesses_steadily() {
    for precession in [0.659_014_87, 85.943_5] {
        let tilt = std::f64::consts::FRAC_PI_6;
        let data = Top {
            J: [0.02, 0.02, 0.01],
            mass: 1.0,
            l: 0.1,
            gravity: 9.81,
            tilt,
            rates: [0.0, precession * tilt.sin(), 150.0],
        };
        let system = TopOnBallJoint::new(data).expect("it has inertia left about its centre");
        let simulation = run_for(&system, ("phem56", &[]), system.start(), 5e-4, 0.1);
        let q = &simulation.state().q;
        // the axis leans to −y at the start and goes round
        let (lean, turned) = (tilt.sin() * 0.1, 0.1 * precession);
        let expected = [lean * turned.sin(), -lean * turned.cos(), tilt.cos() * 0.1];
        assert!(apart(&q[..3], &expected) < 2e-8 * precession.max(1.0), "{q:?}, {expected:?}");
    }
}

/// Energy, and momentum about the vertical, over a second: to round-off by methods of order 5, to (ω dt)² by RATTLE.
#[test]
fn invariants_are_kept() {
    let top = TopMinimal::new(HEAVY);
    let energy = |q: &[f64], v: &[f64]| top.energy(&Configuration::new(&top, 0.0, q, v)).total();
    let (q, v) = top.start();
    let (E, L) = (energy(&q, &v), top.momentum(&q, &v)[2]);
    for (name, allowed) in [("radau5", 1e-12), ("dopri5", 1e-12), ("rattle", 1e-5)] {
        let simulation = run_for(&top, (name, &[]), top.start(), 1e-3, 1.0);
        let State { q, v, .. } = simulation.state();
        assert!((energy(q, v) - E).abs() < allowed * E.abs().max(1.0), "{name}: {}", energy(q, v) - E);
        assert!((top.momentum(q, v)[2] - L).abs() < allowed, "{name}");
        let length: f64 = q.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-15, "a quaternion of length one");
    }
}

/// Dense output of order 4 and better: samples inside long steps.
#[test]
fn dense_output_keeps_its_order() {
    let top = TopMinimal::new(HEAVY);
    let t = END / 3.0;
    let exact = extrapolate(&top, top.start(), t, 100, 6);
    for name in ["hem5", "phem56", "dopri5", "radau5"] {
        let mut errors = Vec::new();
        // the time asked for is never the end of a step
        let steps = [10, 11, 13, 16, 19, 22, 26, 31, 37, 44];
        for n in steps {
            let settings = Settings { step: END / n as f64, end: END, accuracy: None, output: Some(t) };
            let simulation = run_with(&top, (name, &[]), top.start(), settings);
            let recording = simulation.recording();
            let at = |name: &str| recording.column(name).expect("a channel")[1];
            assert!((recording.columns[0][1] - t).abs() < 1e-12);
            let q = ["qw", "qx", "qy", "qz"].map(|c| at(&format!("top.{c}")));
            errors.push(apart(&q, &exact.0));
        }
        let order = slope(&steps.map(|n| 1.0 / f64::from(n)), &errors);
        assert!(order > 4.0 - BELOW[0], "{name}: {order}, {errors:?}");
    }
}

/// A step that turns a body by more than half a turn is made in parts, or refused with a reason.
#[test]
fn half_a_turn_is_the_most() {
    let top = TopMinimal::new(Top { rates: [0.0, 0.0, 30.0], ..Top::default() });
    let settings = Settings { step: 0.2, end: 1.0, accuracy: None, output: None };
    for name in ["moreau-jean", "dopri5"] {
        let state = State::new(&top, 0.0, top.start().0, top.start().1);
        let solver = carom_solve::solver("auto").expect("a known solver");
        let scheme = scheme(name, &[]).expect("a known scheme");
        let mut simulation = Simulation::new(&top, &*scheme, solver, state, settings).expect("a good start");
        match simulation.run(|_| true) {
            // about its axis the motion is exact: 30 rad
            Stop::Done => {
                let q = &simulation.state().q;
                let exact = [15.0_f64.cos(), 0.0, 0.0, 15.0_f64.sin()];
                assert!(apart(q, &exact) < 1e-12, "{name}: {q:?}");
                assert!(simulation.summary().steps >= 10, "{name}: in parts");
            }
            Stop::Failed(why) => assert!(why.to_string().contains("half a turn"), "{name}: {why}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// Halving the step on request works on rotations: the error is that of the accuracy asked for.
#[test]
fn error_control_knows_rotations() {
    let top = TopOnBallJoint::new(HEAVY).expect("it has inertia left about its centre");
    let exact = extrapolate(&top, top.start(), END, 200, 6);
    for name in ["moreau-jean", "bathe", "phem56", "adams-moulton"] {
        let settings = Settings { step: 1e-3, end: END, accuracy: Some(1e-5), output: None };
        let simulation = run_with(&top, (name, &[]), top.start(), settings);
        let error = apart(&simulation.state().q, &exact.0);
        assert!(error < 1e-5, "{name}: {error:e}");
    }
}
