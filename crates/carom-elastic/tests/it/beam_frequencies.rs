//! Natural frequencies of beams against the roots of their characteristic equations.
#![allow(non_snake_case)]

use crate::beam_dense::{eigenvalues, free, full, slope};
use carom_elastic::{Beam, FiniteElements, Reference, RotaryInertia, Section};
use std::f64::consts::PI;

/// E I = ρ A = L = 1, so that ω = (βL)²; slender, so that no axial frequency comes among the first.
const SLENDER: Section = Section { modulus: 1e4, area: 1.0, second_moment: 1e-4, density: 1.0, height: None };

fn frequencies(beam: &Beam, held: &[usize]) -> Vec<f64> {
    let (K, M) = (full(&beam.stiffness()), full(&beam.inertia().M));
    eigenvalues(&free(&K, held), &free(&M, held)).iter().map(|l| l.max(0.0).sqrt()).collect()
}

/// The root of f between a and b.
fn root(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    assert!(f(a) * f(b) < 0.0);
    for _ in 0..200 {
        let c = 0.5 * (a + b);
        if f(a) * f(c) <= 0.0 { b = c } else { a = c }
    }
    a
}

/// βL of the first three modes that bend, and how many rigid ones come before.
fn exact(ends: &str) -> ([f64; 3], usize) {
    // divided by cosh to keep the numbers small
    let like = |sign: f64| move |b: f64| b.cos() + sign / b.cosh();
    let tangent = |b: f64| b.sin() - b.cos() * b.tanh();
    let near =
        |f: &dyn Fn(f64) -> f64, centres: [f64; 3]| centres.map(|c| root(f, (c - 0.4) * PI, (c + 0.4) * PI));
    match ends {
        "clamped-free" => (near(&like(1.0), [0.7, 1.5, 2.5]), 0),
        "free-free" => (near(&like(-1.0), [1.5, 2.5, 3.5]), 3),
        "pinned-pinned" => ([PI, 2.0 * PI, 3.0 * PI], 0),
        "clamped-pinned" => (near(&tangent, [1.25, 2.25, 3.25]), 0),
        "pinned-free" => (near(&tangent, [1.25, 2.25, 3.25]), 1),
        other => panic!("{other}"),
    }
}

#[test]
fn roots_are_the_tabulated_ones() {
    assert!((exact("clamped-free").0[0] - 1.875104068711961).abs() < 1e-14);
    assert!((exact("free-free").0[0] - 4.730040744862704).abs() < 1e-14);
    assert!((exact("clamped-pinned").0[0] - 3.926602312047919).abs() < 1e-14);
}

#[test]
fn natural_frequencies_converge_with_order_four() {
    for ends in ["clamped-free", "pinned-pinned", "clamped-pinned", "free-free", "pinned-free"] {
        let (beta, rigid) = exact(ends);
        let mut errors: [Vec<(f64, f64)>; 3] = Default::default();
        for n in [4, 5, 6, 8, 10, 12, 15, 19] {
            let beam = Beam::uniform(1.0, n, SLENDER).unwrap();
            let w = beam.dofs() - 2;
            let held = match ends {
                "clamped-free" => beam.held(Reference::Clamped).unwrap(),
                "pinned-pinned" => beam.held(Reference::Pinned).unwrap(),
                "clamped-pinned" => vec![0, 1, 2, w],
                "free-free" => beam.held(Reference::MeanAxis).unwrap(),
                _ => beam.held(Reference::Articulated).unwrap(),
            };
            let omega = frequencies(&beam, &held);
            // what does not strain has frequency zero, to the round-off of the largest
            for rigid in &omega[..rigid] {
                assert!(rigid / omega[omega.len() - 1] < 1e-7, "{ends}: rigid motion at {rigid}");
            }
            for mode in 0..3 {
                let error = omega[rigid + mode] / beta[mode].powi(2) - 1.0;
                assert!(
                    error > 0.0 || error.abs() < 1e-8,
                    "{ends}, mode {mode}: consistent mass gives too low {error}"
                );
                // leading error of cubic elements:  (β l)⁴ / 1440 in ω
                let bound = 1.5 * (beta[mode] / n as f64).powi(4) / 1440.0 + 1e-8;
                assert!(error < bound, "{ends}, mode {mode}, {n} elements: {error} above {bound}");
                errors[mode].push((n as f64, error));
            }
        }
        // once a wave has five elements or more
        for mode in 0..3 {
            let seen: Vec<_> = errors[mode].iter().copied().filter(|e| beta[mode] / e.0 < 1.2).collect();
            assert!(seen.len() >= 4);
            let order = -slope(&seen);
            assert!((order - 4.0).abs() < 0.15, "{ends}, mode {mode}: order {order}");
        }
    }
}

#[test]
fn axial_frequencies_are_those_of_a_bar() {
    // fixed–free: ω_k = (k − ½) π c/L; linear elements with consistent mass err by (ω l/c)²/24
    let stubby = Section { modulus: 1.0, area: 1.0, second_moment: 1e6, density: 1.0, height: None };
    let beam = Beam::uniform(1.0, 40, stubby).unwrap();
    let omega = frequencies(&beam, &[0, 1, 2]);
    for k in 0..3 {
        let exact = (k as f64 + 0.5) * PI;
        let error = omega[k] / exact - 1.0;
        let leading = (exact / 40.0).powi(2) / 24.0;
        assert!((error / leading - 1.0).abs() < 0.02, "axial mode {k}: {error} beside {leading}");
    }
}

#[test]
fn rotary_inertia_lowers_frequencies_as_in_rayleighs_beam() {
    // pinned–pinned: ω² = (EI/ρA) k⁴ / (1 + (I/A) k²),  k = nπ/L
    let section = Section { second_moment: 1e-2, modulus: 1e2, ..SLENDER };
    let beam = Beam::uniform(1.0, 16, section).unwrap().with_rotary_inertia(RotaryInertia::Full);
    let (K, M) = (full(&beam.stiffness()), full(&beam.inertia().M));
    // bending alone: the axial coordinates are of no concern here
    let mut held: Vec<usize> = (0..beam.dofs()).step_by(3).collect();
    held.extend([1, beam.dofs() - 2]);
    let omega = eigenvalues(&free(&K, &held), &free(&M, &held));
    for n in 0..3 {
        let k = (n + 1) as f64 * PI;
        let exact = k.powi(4) / (1.0 + 1e-2 * k * k);
        assert!((omega[n] / exact - 1.0).abs() < 1e-4 * (n + 1) as f64, "mode {n}: {} and {exact}", omega[n]);
    }
}

#[test]
fn rod_of_twenty_elements_has_the_published_spectrum() {
    // [RezaeiSchindler] §4.5: 52 modes below 1e7 Hz
    let (l, m, J, rho) = (0.306f64, 0.038, 5.9e-4, 7800.0);
    let D = (12.0 * J / m - l * l).sqrt();
    let section = Section::rectangle(2e11, rho, D, m / (rho * l * D));
    let beam = Beam::uniform(l, 20, section).unwrap().with_rotary_inertia(RotaryInertia::Rigid);
    let omega = frequencies(&beam, &beam.held(Reference::Clamped).unwrap());
    let below = omega.iter().filter(|&&omega| omega / (2.0 * PI) < 1e7).count();
    assert_eq!((below, omega.len()), (52, 60));
}
