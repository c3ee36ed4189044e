//! Friction against closed forms, for every scheme.

use crate::common::*;
use carom_dynamics::*;

#[test]
fn derivatives_are_exact() {
    let slider = Slider::new(0.3, 0.0, 40.0, 3.0, 0.2);
    let wrong = check_derivatives(&slider, 0.7, &[0.1, 0.2], &[0.3, -0.1], 1e-6);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A box thrown along the floor stops after v²/(2 μ g) and then stays: order 1, and no creep at all.
#[test]
fn stops_where_it_should_and_stays() {
    let (mu, v0) = (0.3, 2.0);
    let slider = Slider::new(mu, 0.0, 0.0, 0.0, 0.0);
    let exact = v0 * v0 / (2.0 * mu * Slider::GRAVITY);
    for (name, parameters) in inelastic() {
        let x = |step: f64, end: f64| {
            run(&slider, name, parameters, &[0.0, 0.0], &[v0, 0.0], fixed(step, end)).state().q[0]
        };
        assert!((x(1e-3, 1.0) - exact).abs() < 3e-3, "{name}");
        assert!((x(1e-4, 1.0) - exact).abs() < 3e-4, "{name}");
        assert!((x(1e-3, 5.0) - x(1e-3, 1.0)).abs() < 1e-15, "{name}: creeps");
    }
}

/// Dragged by a spring whose end moves at speed c, the box sticks until k c t₁ = μ m g and then moves as
/// x = c τ − c/ω sin ω τ, τ = t − t₁: its velocity touches zero every 2π/ω.
#[test]
fn stick_slip_by_a_spring() {
    let (mu, k, c) = (0.3, 40.0, 0.2);
    let slider = Slider::new(mu, 0.0, k, 0.0, c);
    let omega = (k / Slider::MASS).sqrt();
    let t1 = mu * Slider::MASS * Slider::GRAVITY / (k * c);
    for (name, parameters) in inelastic() {
        let simulation = run(&slider, name, parameters, &[0.0, 0.0], &[0.0, 0.0], fixed(2e-4, 3.0));
        let recording = simulation.recording();
        let slip = recording.events.iter().find(|e| e.kind == EventKind::Slip).expect("it slips").t;
        assert!((slip - t1).abs() < 1e-3, "{name}: slip at {slip}, expected {t1}");
        let (t, x) = (recording.column("t").unwrap(), recording.column("box.x").unwrap());
        for (t, x) in t.iter().zip(x) {
            let tau = (t - t1).max(0.0);
            let exact = c * tau - c / omega * (omega * tau).sin();
            assert!((x - exact).abs() < 1e-3, "{name}: x({t}) = {x}, expected {exact}");
        }
    }
}

/// The audit closes: work of the hand = energy + damping + friction, for every scheme, better with smaller steps.
#[test]
fn energy_balance_closes() {
    let slider = Slider::new(0.2, 0.5, 40.0, 1.0, 0.5);
    for (name, parameters) in ALL {
        let loss = |step: f64| {
            let audit =
                run(&slider, name, parameters, &[0.0, 0.1], &[0.0, 0.0], fixed(step, 3.0)).summary().audit;
            assert!(audit.friction_loss > 0.0 && audit.damping_loss > 0.0 && audit.impact_loss > 0.0);
            audit.relative_numerical_loss().abs()
        };
        // where in its step an impact falls decides the sign of an error: the worst of three steps says its size
        let worst = |step: f64| [1.0, 0.9, 0.8].map(|part| loss(part * step)).into_iter().fold(0.0, f64::max);
        let (coarse, fine) = (worst(2e-3), worst(2e-4));

        assert!(fine < 5e-3 && fine < 0.5 * coarse + 1e-5, "{name}: {coarse:e} {fine:e}");
    }
}
