//! Gear–Gupta–Leimkuhler form: joints and contacts hold in positions and velocities of the same step.

use crate::common::*;
use carom_dynamics::*;

const GGL: &[(&str, &[(&str, f64)])] = &[
    ("moreau-jean-ggl", &[]),
    ("moreau-jean-ggl", &[("theta", 1.0)]),
    ("generalized-alpha-ggl", &[]),
    ("generalized-alpha-ggl", &[("rho", 0.0)]),
];

/// The pendulum with a stop, once and with every row written twice: nothing drifts, nothing penetrates, and the
/// velocities before and after the first impact are in the ratio e.
#[test]
fn joints_and_contacts_hold_in_the_positions() {
    for copies in [1, 2] {
        let pendulum = Pendulum::new(copies, 0.5_f64.sqrt(), 0.8);
        for (name, parameters) in GGL {
            let simulation = run(&pendulum, name, parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(1e-3, 4.0));
            let audit = simulation.summary().audit;
            assert!(audit.drift_length.value < 1e-12, "{name} {parameters:?}: {audit:?}");
            assert!(audit.penetration.value < 1e-12, "{name} {parameters:?}: {audit:?}");
            assert_eq!(audit.failures, 0, "{name} {parameters:?}: {audit:?}");
            let recording = simulation.recording();
            let impact = recording.events.iter().find(|e| e.kind == EventKind::Impact).expect("an impact");
            assert!((impact.after / impact.before + 0.8).abs() < 1e-9, "{name} {parameters:?}: {impact:?}");
        }
    }
}

/// A box that is dropped and pushed sideways with a force below the friction bound bounces, comes to rest at g = 0 and
/// stays there: no creep, no hovering, no chatter.
#[test]
fn what_rests_stays_where_it_is() {
    // 5 N (1 − v) against μ m g = 5.9 N
    let slider = Slider::new(0.3, 0.5, 0.0, 5.0, 1.0);
    for (name, parameters) in GGL {
        let run = |end| run(&slider, name, parameters, &[0.0, 0.02], &[0.0; 2], fixed(1e-3, end));
        let (early, late) = (run(2.0), run(6.0));
        let (a, b) = (early.state(), late.state());
        assert!((a.q[0] - b.q[0]).abs() < 1e-15, "{name} {parameters:?}: creeps from {:?} to {:?}", a.q, b.q);
        assert!(b.q[1].abs() < 1e-13, "{name} {parameters:?}: rests at {:e}", b.q[1]);
        assert!(late.summary().audit.penetration.value < 1e-13, "{name} {parameters:?}");
        let restless = late.recording().events.iter().filter(|e| e.t > 2.0).count();
        assert_eq!(restless, 0, "{name} {parameters:?}");
        // N = m g, T = −5 N
        let force = [b.P[0] / 1e-3, b.P[1] / 1e-3];
        assert!((force[0] - Slider::MASS * Slider::GRAVITY).abs() < 1e-9, "{name} {parameters:?}: {force:?}");
        assert!((force[1] + 5.0).abs() < 1e-9, "{name} {parameters:?}: {force:?}");
    }
}

/// The pendulum lies against its stop, pressed by nothing but the reaction of its joint: along the stop's direction no
/// force acts on the bob, so a prediction without reactions sees no contact. It must be held all the same, with the
/// force that statics gives: x = sin 45°, moments about the pivot: N y = m g x.
#[test]
fn a_contact_pressed_by_a_joint_is_held() {
    let x = 0.5_f64.sqrt();
    let pendulum = Pendulum::new(1, x, 0.0);
    let angle = std::f64::consts::FRAC_PI_4;
    for (name, parameters) in GGL {
        let q = [angle.cos(), -angle.sin(), angle];
        let mut simulation = {
            let state = State::new(&pendulum, 0.0, q.to_vec(), vec![0.0; 3]);
            let solver = carom_solve::solver("auto").unwrap();
            let scheme = scheme(name, parameters).unwrap();
            Simulation::new(&pendulum, &*scheme, solver, state, fixed(1e-3, 2.0)).unwrap()
        };
        while !simulation.is_done() {
            simulation.advance();
            let force = simulation.state().P[0] / 1e-3;
            assert!((force - 10.0).abs() < 1e-6, "{name} {parameters:?}: {force}");
        }
        for i in 0..3 {
            assert!((simulation.state().q[i] - q[i]).abs() < 1e-13, "{name} {parameters:?}");
        }
    }
}

/// What was inside a wall, or off its joint, when the run began is not when the first step is done; no velocity is made
/// by moving it.
#[test]
fn a_bad_start_is_mended_without_a_kick() {
    let pendulum = Pendulum::new(1, 0.9, 0.5);
    for (name, parameters) in GGL {
        // 3 mm off the joint and 2 cm inside the stop
        let simulation = run(&pendulum, name, parameters, &[0.88, -0.473, 0.5], &[0.0; 3], fixed(1e-4, 1e-4));
        let q = &simulation.state().q;
        assert!((q[0] - q[2].cos()).abs() < 1e-12 && (q[1] + q[2].sin()).abs() < 1e-12, "{name}: {q:?}");
        assert!(q[0] >= 0.9 - 1e-12, "{name}: {q:?}");
        // one step of gravity
        assert!(simulation.state().v.iter().all(|v| v.abs() <= 1e-3), "{name}: {:?}", simulation.state().v);
    }
}

/// Bounces of a ball end in the range of the exact solution: no energy is made or lost beyond the place of the impact
/// in its step, whatever e, and none at all for e = 1.
#[test]
fn energy_at_impacts() {
    for (e, bound) in [(1.0, 1e-12), (0.8, 1e-3), (0.0, 2e-3)] {
        let ball = Ball::new(1.0, 10.0, e);
        for (name, parameters) in [("moreau-jean-ggl", &[][..]), ("generalized-alpha-ggl", &[])] {
            let audit = run(&ball, name, parameters, &[0.801], &[0.0], fixed(1e-3, 4.0)).summary().audit;
            let loss = audit.relative_numerical_loss().abs();
            assert!(loss < bound, "{name}, e = {e}: {loss:e}");
        }
    }
}
