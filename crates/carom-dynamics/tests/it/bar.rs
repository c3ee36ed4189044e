//! An elastic bar: steps made outright, starts without a jump, waves.                              [Chen2013] §5.3
#![allow(non_snake_case)]

use crate::common::bar::Bar;
use crate::common::*;
use carom_dynamics::*;

const STEP: f64 = 2e-3;

/// Largest |a − b|.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// M⁻¹ h by a dense elimination of its own.
fn free_acceleration(bar: &Bar, u: &[f64]) -> Vec<f64> {
    let n = u.len();
    let at = Configuration::new(bar, 0.0, u, &vec![0.0; n]);
    let mut h = vec![0.0; n];
    bar.force(&at, &mut h);
    let mut M = vec![vec![0.0; n]; n];
    for i in 0..n {
        let (own, next) = bar.mass_entries(i);
        M[i][i] = own;
        if i + 1 < n {
            (M[i][i + 1], M[i + 1][i]) = (next, next);
        }
    }
    for k in 0..n {
        for i in k + 1..n {
            let factor = M[i][k] / M[k][k];
            for j in k..n {
                M[i][j] -= factor * M[k][j];
            }
            h[i] -= factor * h[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            h[k] -= M[k][j] * h[j];
        }
        h[k] /= M[k][k];
    }
    h
}

/// Told that its tangents are constant or not, with and without damping, with either mass: the same motion through an
/// impact. The iteration stops at 1e-10 of the velocities in every step; a hundredth of a millimetre per second is left.
#[test]
fn outright_is_what_the_iteration_converges_to() {
    let schemes: &[(&str, &[(&str, f64)])] = &[
        ("moreau-jean", &[]),
        ("moreau-jean", &[("theta", 1.0)]),
        ("generalized-alpha", &[]),
        ("generalized-alpha", &[("rho", 0.0)]),
        ("generalized-alpha", &[("rho", 1.0)]),
        ("hht", &[]),
        ("newmark", &[]),
        ("newmark", &[("gamma", 1.0)]),
        ("newmark-implicit", &[]),
        ("schatzman-paoli", &[]),
        ("mixed-alpha", &[]),
        ("bathe", &[]),
        ("ed-alpha", &[]),
    ];
    for (name, parameters) in schemes {
        for (lumped, rayleigh) in [(false, (0.0, 0.0)), (true, (0.0, 0.0)), (false, (0.3, 1e-3))] {
            let bars = [true, false].map(|says_constant| {
                let mut bar = Bar::new(40, 0.5);
                (bar.lumped, bar.rayleigh, bar.gravity) = (lumped, rayleigh, 10.0);
                bar.says_constant = says_constant;
                bar
            });
            let (mut q, v) = bars[0].thrown();
            q.fill(0.5);
            let [outright, iterated] =
                bars.each_ref().map(|bar| run(bar, name, parameters, &q, &v, fixed(STEP, 0.3)));
            let (a, b) = (outright.state(), iterated.state());
            assert!(outright.summary().impacts > 0, "{name}");
            assert!(distance(&a.q, &b.q) < 1e-7, "{name} {parameters:?}: u {:e}", distance(&a.q, &b.q));
            assert!(distance(&a.v, &b.v) < 1e-5, "{name} {parameters:?}: v {:e}", distance(&a.v, &b.v));
        }
    }
}

/// The work of a run with an impact: one pass per step and one matrix for all of them.
#[test]
fn one_pass_and_one_matrix() {
    let bar = Bar::new(50, 0.0);
    let (mut q, v) = bar.thrown();
    q.fill(0.5);
    for name in ["moreau-jean", "generalized-alpha", "hht", "newmark"] {
        let summary = run(&bar, name, &[], &q, &v, fixed(STEP, 0.4)).summary();
        assert_eq!(summary.newton_iterations, summary.steps, "{name}");
        assert_eq!(summary.factorisations, 1, "{name}");
    }
}

/// At rest on the floor, bent by nothing but its own weight: no scheme moves it, in the first step or later. What moves
/// is round-off: the weight is 100 N, the bar is pressed together by 0.55 m.
#[test]
fn a_standing_bar_stands() {
    let mut bar = Bar::new(40, 0.0);
    bar.gravity = 10.0;
    let u = bar.standing();
    let v = vec![0.0; u.len()];
    for (name, parameters) in inelastic() {
        // explicit schemes: below their limit of stability, 2 / ω_max = l √(ρ / 3 E)
        let simulation = run(&bar, name, parameters, &u, &v, fixed(1e-3, 0.05));
        let (q, v) = (&simulation.state().q, &simulation.state().v);
        assert!(distance(q, &u) < 1e-12, "{name} {parameters:?}: u {:e}", distance(q, &u));
        assert!(distance(v, &vec![0.0; u.len()]) < 1e-10, "{name} {parameters:?}: v {v:?}");
        let recording = simulation.recording();
        let force = recording.column("floor.force_n").expect("a channel");
        for (k, force) in force.iter().enumerate().skip(1) {
            assert!((force - 100.0).abs() < 1e-7, "{name} {parameters:?}: force {force} after step {k}");
        }
    }
}

/// Let go from a stretched state in flight: the first step has the acceleration M⁻¹ h, to first order in the step.
#[test]
fn a_stretched_bar_starts_with_its_acceleration() {
    let bar = Bar::new(20, 0.0);
    let u: Vec<f64> = (0..=20).map(|i| 5.0 + 0.1 * (f64::from(i) / 20.0).powi(2)).collect();
    let a = free_acceleration(&bar, &u);
    let scale = a.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
    for (name, parameters) in inelastic() {
        let error = |step: f64| {
            // its velocities are one step late
            let end = if *name == "schatzman-paoli" { 2.0 * step } else { step };
            let simulation = run(&bar, name, parameters, &u, &vec![0.0; u.len()], fixed(step, end));
            let rate: Vec<f64> = simulation.state().v.iter().map(|v| v / step).collect();
            distance(&rate, &a) / scale
        };
        // (ω_max dt)² is 0.04 and 0.0004
        let (coarse, fine) = (error(1e-3), error(1e-4));
        assert!(coarse < 0.05, "{name} {parameters:?}: {coarse}");
        assert!(fine < 5e-4, "{name} {parameters:?}: {fine}");
    }
}
