//! Joints: drift, order, redundancy, projection, on the pendulum with a stop. [Chen2013] §5.5

use crate::common::*;
use carom_dynamics::*;

/// θ(t) of the free pendulum (1 + J/m l² = 1.1) by RK4 with a tiny step: an independent method in minimal coordinates.
fn reference(end: f64) -> f64 {
    let acceleration = |angle: f64| 10.0 / 1.1 * angle.cos();
    let n = 20_000;
    let dt = end / f64::from(n);
    let (mut angle, mut rate) = (0.0, 0.0);
    for _ in 0..n {
        let f = |a: f64, r: f64| (r, acceleration(a));
        let k1 = f(angle, rate);
        let k2 = f(angle + 0.5 * dt * k1.0, rate + 0.5 * dt * k1.1);
        let k3 = f(angle + 0.5 * dt * k2.0, rate + 0.5 * dt * k2.1);
        let k4 = f(angle + dt * k3.0, rate + dt * k3.1);
        angle += dt / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        rate += dt / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    angle
}

#[test]
fn derivatives_are_exact() {
    let pendulum = Pendulum::new(2, 0.5, 0.3);
    let wrong = check_derivatives(&pendulum, 0.0, &[0.4, -0.2, 1.1], &[0.3, 2.0, -1.5], 1e-6);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Orders with a joint, without impact, fitted over twelve step sizes: 2 for the rules that are of second order, 1 for
/// the others and for all of them with impulses along the directions at the end of the step, as published.
#[test]
fn orders() {
    let pendulum = Pendulum::new(1, -5.0, 0.0);
    let exact = reference(1.0);
    let order = |name: &str, parameters: &[(&str, f64)]| {
        let steps: Vec<f64> = (0..12).map(|k| 0.02 * 0.7_f64.powi(k)).collect();
        let error = |&step: &f64| {
            let simulation = run(&pendulum, name, parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(step, 1.0));
            (simulation.state().q[2] - exact).abs()
        };
        slope(&steps, &steps.iter().map(error).collect::<Vec<_>>())
    };
    // the nonsmooth Newmark rule with γ = 1 is of order 1 only for forces that change; the fully implicit one has the reaction
    // among them
    let expected = [2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 1.0];
    for ((name, parameters), expected) in ALL.iter().zip(expected) {
        let found = order(name, parameters);
        assert!((found - expected).abs() < 0.25, "{name} {parameters:?}: order {found}, expected {expected}");
        if !["moreau-explicit", "moreau-midpoint", "newmark-implicit"].contains(name) {
            let published = [parameters, &[("end_joints", 1.0)][..]].concat();
            let found = order(name, &published);
            assert!((found - 1.0).abs() < 0.1, "{name} {published:?}: order {found}");
        }
    }
}

/// Published: at h = 1e-3 the drift stays below 5e-6 m for generalized-α and Newmark and is larger for Moreau–Jean
/// with θ = 1; projected, nothing is left. [Chen2013] Fig. 13
#[test]
fn drift() {
    let pendulum = Pendulum::new(1, 0.5_f64.sqrt(), 0.8);
    let drift = |name: &str, parameters: &[(&str, f64)]| {
        let simulation = run(&pendulum, name, parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(1e-3, 2.0));
        simulation.summary().audit.drift_length.value
    };
    let alpha = drift("generalized-alpha", &[]);
    let newmark = drift("newmark-implicit", &[]);
    let euler = drift("moreau-jean", &[("theta", 1.0)]);

    assert!(alpha < 5e-6 && newmark < 5e-6 && euler > 5e-6);
    for (name, parameters) in ALL {
        let projected = drift(&format!("{name}-projected"), parameters);
        assert!(projected < 1e-12, "{name}: {projected:e}");
    }
}

/// A joint written three times: the same motion as one joint, the redundancy named, the reactions shared equally.
#[test]
fn redundant_joints_are_named_and_share_the_load() {
    let (once, thrice) = (Pendulum::new(1, 0.5_f64.sqrt(), 0.8), Pendulum::new(3, 0.5_f64.sqrt(), 0.8));
    for (name, parameters) in ALL {
        let a = run(&once, name, parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(1e-3, 1.0));
        let b = run(&thrice, name, parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(1e-3, 1.0));
        assert!(a.summary().audit.redundant.is_empty());
        let redundant = b.summary().audit.redundant;
        assert_eq!(redundant.len(), 4, "{redundant:?}");
        assert!(redundant.iter().all(|line| line.contains("pivot")), "{redundant:?}");
        for i in 0..3 {
            assert!(
                (a.state().q[i] - b.state().q[i]).abs() < 1e-7,
                "{name}: {:?} {:?}",
                a.state(),
                b.state()
            );
        }
        let (one, three) = (&a.state().P_b, &b.state().P_b);
        for row in 0..6 {
            let share = one[row % 2] / 3.0;
            assert!(
                (three[row] - share).abs() < 1e-4 * one[0].hypot(one[1]),
                "{name}: {three:?} against {one:?}"
            );
        }
    }
}

/// At the impact with the stop the velocity ratio is e, in the coordinate that the joint leaves free.
#[test]
fn restitution_through_a_joint() {
    let pendulum = Pendulum::new(1, 0.5_f64.sqrt(), 0.8);
    for (name, parameters) in one_step() {
        let simulation = run(&pendulum, name, parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(1e-3, 1.0));
        let recording = simulation.recording();
        let impact =
            recording.events.iter().find(|e| e.kind == EventKind::Impact).expect("the stop is reached");
        assert!((impact.after / impact.before + 0.8).abs() < 1e-9, "{name}: {impact:?}");
        // quarter-pi of fall: ½ 1.1 θ'² = 10 sin θ at θ = π/4, x' = −sin θ θ'
        let rate = (20.0 / 1.1 * 0.5_f64.sqrt()).sqrt();
        assert!((impact.before + rate * 0.5_f64.sqrt()).abs() < 0.05, "{name}: {impact:?}");
    }
}
