//! Bands of certified runs against what is exact.

use super::setup;
use carom::{Done, Effort};

/// Share of the samples of a channel whose exact value is inside the band, and the widest place of the band.
fn inside(text: &str, changes: &[(&str, &str)], name: &str, exact: impl Fn(f64) -> f64) -> (f64, f64) {
    let setup = setup(text, changes);
    let done: Done = setup.run_estimated(setup.settings(), Effort::Certify(1e-3), None, |_| true).unwrap();
    assert_eq!(done.summary.estimate.as_ref().unwrap().missed, None, "{}", done.summary.audit.verdict);
    let bands = done.bands().expect("a certified run has bands");
    assert_eq!(bands.channels, done.recording.channels);
    assert_eq!(bands.columns[0], done.recording.columns[0]);
    let (y, b) = (done.recording.column(name).unwrap(), bands.column(name).unwrap());
    let t = &done.recording.columns[0];
    let good = (0..t.len()).filter(|&k| (y[k] - exact(t[k])).abs() <= b[k]).count();
    (good as f64 / t.len() as f64, b.iter().fold(0.0, |most, b| most.max(*b)))
}

const BALL: &str = r#"
    gravity = [0, -10]
    ground.shapes.floor = { type = "line", through = [0, 0], normal = [0, 1] }
    [bodies.ball]
    mass = 1
    position = [0, 1]
    shapes.rim = { type = "disk", radius = 0.2 }
    [contacts.floor]
    between = ["ball.rim", "ground.floor"]
    restitution = 0.8
    [simulation]
    scheme = "moreau-jean"
    step = 1e-3
    end = 4
"#;

/// With located events, a tolerance, and an end before the bounces run together at 3.6 s.
const EVENTS: &[(&str, &str)] =
    &[("simulation.scheme", "dopri5"), ("simulation.accuracy", "1e-5"), ("simulation.end", "3")];

/// Height and velocity of a ball that falls from 0.8 m above rest and leaves the floor with 0.8 of its velocity, until it rests.
fn ball(t: f64) -> [f64; 2] {
    let (g, e) = (10.0_f64, 0.8);
    let fall = (2.0 * 0.8 / g).sqrt();
    if t < fall {
        return [1.0 - 0.5 * g * t * t, -g * t];
    }
    let (mut begin, mut v) = (fall, e * g * fall);
    while v > 1e-9 {
        let s = t - begin;
        if s < 2.0 * v / g {
            return [0.2 + v * s - 0.5 * g * s * s, v - g * s];
        }
        (begin, v) = (begin + 2.0 * v / g, e * v);
    }
    [0.2, 0.0]
}

#[test]
fn the_exact_flight_of_a_ball_is_inside_the_bands() {
    for changes in [&[][..], EVENTS, &[("simulation.step", "7e-4")]] {
        let (share, widest) = inside(BALL, changes, "ball.y", |t| ball(t)[0]);
        assert!(share >= 0.99, "{changes:?}: {share}");
        assert!(widest < 2e-3, "{changes:?}: {widest}");
        let (share, widest) = inside(BALL, changes, "ball.vy", |t| ball(t)[1]);
        assert!(share >= 0.99, "{changes:?}: {share}");
        // no more than the jumps
        assert!(widest < 1.1 * 7.2, "{changes:?}: {widest}");
    }
}

const PENDULUM: &str = r#"
    units = "mm"
    gravity = [0, -9810]
    [ground]
    points.pivot = [0, 0]
    [bodies.rod]
    mass = 2
    inertia = 2000
    position = [300, 0]
    points.end = [-300, 0]
    [joints.pivot]
    type = "revolute"
    between = ["ground.pivot", "rod.end"]
    [simulation]
    step = 5e-3
    end = 2
"#;

#[test]
fn the_swing_of_a_pendulum_is_inside_the_bands() {
    // angle'' = -(m g l/(J + m l²)) cos(angle) from 0, by classical Runge-Kutta with steps that are far finer
    let w = 2.0 * 9.81 * 0.3 / (2e-3 + 2.0 * 0.09);
    let (n, h) = (200_000_usize, 1e-5);
    let mut path = vec![[0.0_f64, 0.0]];
    let f = |[a, v]: [f64; 2]| [v, -w * a.cos()];
    let add = |y: [f64; 2], k: [f64; 2], c: f64| [y[0] + c * k[0], y[1] + c * k[1]];
    for k in 0..n {
        let y = path[k];
        let k1 = f(y);
        let k2 = f(add(y, k1, 0.5 * h));
        let k3 = f(add(y, k2, 0.5 * h));
        let k4 = f(add(y, k3, h));
        path.push([0, 1].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])));
    }
    let exact = |t: f64, i: usize| path[(t / h).round() as usize][i];
    let tolerant = &[("simulation.scheme", "dopri5"), ("simulation.accuracy", "1e-3")][..];
    let stepping = [[("simulation.scheme", "moreau-jean")], [("simulation.scheme", "generalized-alpha")]];
    for changes in stepping.iter().map(|c| &c[..]).chain([tolerant]) {
        for (i, name) in ["rod.angle", "rod.omega"].into_iter().enumerate() {
            let (share, widest) = inside(PENDULUM, changes, name, |t| exact(t, i));
            assert!(share >= 0.99, "{changes:?} {name}: {share}");
            assert!(widest < 2e-2, "{changes:?} {name}: {widest}");
        }
    }
}

#[test]
fn steps_that_nobody_chose_give_bands_that_hold() {
    for step in ["5e-4", "9e-4", "1.3e-3", "2e-3", "3e-3", "1.1e-4"] {
        for name in ["ball.y", "ball.vy"] {
            let i = usize::from(name == "ball.vy");
            let (share, _) = inside(BALL, &[("simulation.step", step)], name, |t| ball(t)[i]);
            assert!(share >= 0.99, "{step} {name}: {share}");
        }
    }
}

#[test]
fn only_certified_runs_have_bands() {
    let setup = setup(BALL, &[]);
    for effort in [Effort::Nothing, Effort::Usual] {
        let done = setup.run_estimated(setup.settings(), effort, None, |_| true).unwrap();
        assert!(done.bands().is_none());
    }
}
