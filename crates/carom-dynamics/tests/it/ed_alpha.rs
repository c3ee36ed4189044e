//! ED-α as base of a mixed scheme: order, damping, stiffness, contacts at both stages. [RezaeiSchindler] §2.7
#![allow(non_snake_case)]

use crate::common::*;
use carom_dynamics::*;

/// Twelve steps with ratio 0.7.
fn steps(from: f64) -> Vec<f64> {
    (0..12).map(|k| from * 0.7_f64.powi(k)).collect()
}

fn order(from: f64, error: &dyn Fn(f64) -> f64) -> f64 {
    let steps = steps(from);
    slope(&steps, &steps.iter().map(|&h| error(h)).collect::<Vec<_>>())
}

const CONSERVING: &[(&str, f64)] = &[("rho", 1.0), ("alpha_ar", 0.25)];
const SETTINGS: [&[(&str, f64)]; 4] = [&[], &[("rho", 0.8)], &[("alpha_ar", 0.3)], CONSERVING];

/// (θ, θ') of the free pendulum (1 + J/m l² = 1.1) by RK4 with a tiny step, in one coordinate.
fn pendulum(end: f64) -> (f64, f64) {
    let f = |a: f64, r: f64| (r, 10.0 / 1.1 * a.cos());
    let n = 20_000;
    let dt = end / f64::from(n);
    let (mut angle, mut rate) = (0.0, 0.0);
    for _ in 0..n {
        let k1 = f(angle, rate);
        let k2 = f(angle + 0.5 * dt * k1.0, rate + 0.5 * dt * k1.1);
        let k3 = f(angle + 0.5 * dt * k2.0, rate + 0.5 * dt * k2.1);
        let k4 = f(angle + dt * k3.0, rate + dt * k3.1);
        angle += dt / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        rate += dt / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    (angle, rate)
}

/// ρ = 1 damps nothing, not even errors of the reactions: they add up, and the order with joints is 1.
#[test]
fn order_with_joints() {
    let system = Pendulum::new(1, -5.0, 0.0);
    let (angle, rate) = pendulum(1.0);
    for parameters in SETTINGS {
        let end = |h: f64| {
            run(&system, "ed-alpha", parameters, &[1.0, 0.0, 0.0], &[0.0; 3], fixed(h, 1.0)).state().clone()
        };
        let of_q = order(0.005, &|h| (end(h).q[2] - angle).abs());
        let of_v = order(0.005, &|h| (end(h).v[2] - rate).abs());
        let expected = if parameters == CONSERVING { 1.0 } else { 2.0 };
        assert!(
            (of_q - expected).abs() < 0.1 && (of_v - expected).abs() < 0.1,
            "{parameters:?}: {of_q} in q, {of_v} in v"
        );
    }
}

/// x = ½ cos ωt on a floor without friction, where the contact is closed at both stages.
#[test]
fn third_order_on_a_linear_system() {
    let system = Slider::new(0.0, 0.0, 50.0, 0.0, 0.0);
    for (parameters, expected) in
        [(&[][..], 3.0), (&[("rho", 0.5)], 3.0), (&[("alpha_ar", 0.25)], 2.0), (&[("rho", 1.0)], 4.0)]
    {
        let end = |h: f64| {
            run(&system, "ed-alpha", parameters, &[0.5, 0.0], &[0.0; 2], fixed(h, 1.0)).state().clone()
        };
        let of_q = order(0.02, &|h| (end(h).q[0] - 0.5 * 5.0_f64.cos()).abs());
        let of_v = order(0.02, &|h| (end(h).v[0] + 2.5 * 5.0_f64.sin()).abs());
        assert!(
            (of_q - expected).abs() < 0.1 && (of_v - expected).abs() < 0.1,
            "{parameters:?}: {of_q} in q, {of_v} in v"
        );
    }
}

/// ω dt = 7e2: with ρ = 0 nothing is left after two steps, and the nilpotent iteration takes a handful of iterations.
#[test]
fn stiff_springs_and_dampers_go_at_once() {
    for (stiffness, damping) in [(1e12, 0.0), (1e12, 1e7), (0.0, 1e9)] {
        let system = Slider::new(0.0, 0.0, stiffness, damping, 0.0);
        let simulation = run(&system, "ed-alpha", &[], &[1.0, 0.0], &[1.0, 0.0], fixed(1e-3, 5e-3));
        let state = simulation.state();
        assert!(state.v[0].abs() < 1e-2, "{stiffness} {damping}: {state:?}");
        if stiffness > 0.0 {
            assert!(state.q[0].abs() < 1e-8, "{stiffness} {damping}: {state:?}");
        }
        let summary = simulation.summary();
        let mean = summary.newton_iterations as f64 / 5.0;
        assert!(mean <= 13.0, "{stiffness} {damping}: {mean} iterations per step");
    }
}

/// (84): α sets the radius at infinity, whatever α_AR.
#[test]
fn radius_at_infinity_is_the_parameter() {
    for alpha_ar in [0.1, 1.0 / 6.0, 1.0 / 3.0] {
        for rho in [0.0, 0.2, 0.5, 0.8, 1.0] {
            let scheme = scheme("ed-alpha", &[("rho", rho), ("alpha_ar", alpha_ar)]).unwrap();
            let found = spectrum(&*scheme, 0.0, &[0.01, 0.1, 1.0]).unwrap();
            let infinity = found.radius_at_infinity;
            assert!((infinity - rho).abs() < 2e-3, "ρ = {rho}, α_AR = {alpha_ar}: {infinity}");
            assert_eq!(found.stability, Stability::Always, "ρ = {rho}, α_AR = {alpha_ar}");
        }
    }
}

/// ρ = 1 conserves the energy of a linear system; ρ = 0 only takes.
#[test]
fn energy_is_kept_or_lost() {
    let system = Slider::new(0.0, 0.0, 5000.0, 0.0, 0.0);
    let loss = |rho: f64| {
        let parameters = [("rho", rho)];
        let run = run(&system, "ed-alpha", &parameters, &[0.5, 0.0], &[0.0; 2], fixed(1e-2, 10.0));
        run.summary().audit.relative_numerical_loss()
    };
    assert!(loss(1.0).abs() < 1e-7, "{}", loss(1.0));
    assert!(loss(0.0) > 1e-3, "{}", loss(0.0));
    assert!(loss(0.5) > 1e-3 && loss(0.5) < loss(0.0), "{}", loss(0.5));
}

/// The spring pulls less than friction holds: x does not move at all, and λ_T is what the spring pulls.
#[test]
fn a_block_held_by_friction_does_not_creep() {
    let system = Slider::new(0.3, 0.0, 40.0, 1.0, 0.0);
    for parameters in SETTINGS {
        let simulation = run(&system, "ed-alpha", parameters, &[0.1, 0.0], &[0.0; 2], fixed(1e-3, 2.0));
        let state = simulation.state();
        assert!((state.q[0] - 0.1).abs() < 1e-12 && state.q[1].abs() < 1e-12, "{parameters:?}: {state:?}");
        assert!((state.lambda[0] - 2.0 * 9.81).abs() < 1e-8, "{parameters:?}: {state:?}");
        assert!((state.lambda[1] - 4.0).abs() < 1e-8, "{parameters:?}: {state:?}");
        assert!((state.P[0] - 2.0 * 9.81 * 1e-3).abs() < 1e-11, "{parameters:?}: {state:?}");
    }
}

/// v = v_0 − μ g t exactly, then rest where v_0²/(2 μ g) says, but for the last step.
#[test]
fn sliding_friction_is_exact() {
    let system = Slider::new(0.2, 0.0, 0.0, 0.0, 0.0);
    let deceleration = 0.2 * Slider::GRAVITY;
    for parameters in SETTINGS {
        let at = |end: f64| {
            run(&system, "ed-alpha", parameters, &[0.0; 2], &[1.0, 0.0], fixed(1e-3, end)).state().clone()
        };
        let moving = at(0.4);
        assert!((moving.v[0] - (1.0 - 0.4 * deceleration)).abs() < 1e-10, "{parameters:?}: {moving:?}");
        assert!((moving.q[0] - (0.4 - 0.08 * deceleration)).abs() < 1e-10, "{parameters:?}: {moving:?}");
        let resting = at(1.0);
        assert!(resting.v[0].abs() < 1e-10, "{parameters:?}: {resting:?}");
        assert!(
            (resting.q[0] - 0.5 / deceleration).abs() < deceleration * 1e-6,
            "{parameters:?}: {resting:?}"
        );
    }
}

/// The rod falls against the stop and stays there: the stop carries m g / tan θ, and so does the pivot.
#[test]
fn a_joint_and_a_contact_share_the_load() {
    let stop = 0.5_f64.sqrt();
    for copies in [1, 2] {
        let system = Pendulum::new(copies, stop, 0.0);
        for parameters in &SETTINGS[..3] {
            let start = [1.0, 0.0, 0.0];
            let simulation = run(&system, "ed-alpha", parameters, &start, &[0.0; 3], fixed(1e-3, 2.0));
            let state = simulation.state();
            let balance = 10.0 / state.q[2].tan();
            assert!((state.lambda[0] - balance).abs() < 1e-6, "{copies} {parameters:?}: {state:?}");
            assert!(state.v.iter().all(|v| v.abs() < 1e-9), "{copies} {parameters:?}: {state:?}");
            let shared: f64 = state.lambda_b.iter().step_by(2).sum();
            assert!((shared + state.lambda[0]).abs() < 1e-6, "{copies} {parameters:?}: {state:?}");
            assert!((state.lambda_b[0] - shared / copies as f64).abs() < 1e-5, "{copies}: {state:?}");
        }
    }
}

#[test]
fn parameters_outside_their_range_are_refused() {
    for parameter in [("rho", -0.1), ("rho", 1.1), ("alpha_ar", 0.0), ("alpha_ar", -1.0)] {
        let error = scheme("ed-alpha", &[parameter]).unwrap_err().to_string();
        assert!(error.contains(parameter.0) && error.contains("must lie between"), "{error}");
    }
}
