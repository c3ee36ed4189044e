//! Geometric stiffening: derivatives, no locking, rotating beams, buckling.
#![allow(non_snake_case)]

use crate::beam_dense::{Matrix, eigenvalues, free, full, slope, solve_held};
use carom_elastic::{Beam, FiniteElements, Section};
use std::f64::consts::PI;

/// E I = ρ A = L = 1; r² = I/A small, as the tables for rotating beams suppose.
const SLENDER: Section = Section { modulus: 1e8, area: 1.0, second_moment: 1e-8, density: 1.0, height: None };

fn tangent(beam: &Beam, q: &[f64]) -> Matrix {
    let mut K = full(&beam.stiffness());
    beam.stiffening().unwrap().hessian(q, |i, j, k| {
        K[i][j] += k;
        if i != j {
            K[j][i] += k;
        }
    });
    K
}

/// Out-of-plane frequency squared of a beam clamped at the axis of rotation, by the tension of its own rotation.
fn flapping(n: usize, Omega: f64, modes: usize) -> Vec<f64> {
    let beam = Beam::uniform(1.0, n, SLENDER).unwrap();
    let inertia = beam.inertia();
    let pull: Vec<f64> = inertia.along.iter().map(|a| Omega * Omega * a).collect();
    let q = solve_held(&full(&beam.stiffness()), &pull, &[0, 1, 2]);
    let mut held: Vec<usize> = (0..beam.dofs()).step_by(3).collect();
    held.extend([1, 2]);
    let mut omega = eigenvalues(&free(&tangent(&beam, &q), &held), &free(&full(&inertia.M), &held));
    omega.truncate(modes);
    omega
}

#[test]
fn derivatives_are_exact() {
    let section = Section { modulus: 3.0, area: 2.0, second_moment: 0.5, density: 1.0, height: None };
    let beam = Beam::new(&[0.0, 0.4, 1.1, 1.5], section).unwrap();
    let extra = beam.stiffening().unwrap();
    let n = beam.dofs();
    let q: Vec<f64> = (0..n).map(|i| 0.3 * (1.7 * i as f64 + 0.4).sin()).collect();
    let gradient = |q: &[f64]| {
        let mut g = vec![0.0; n];
        extra.add_gradient(1.0, q, &mut g);
        g
    };
    let mut H = vec![vec![0.0; n]; n];
    extra.hessian(&q, |i, j, k| {
        H[i][j] += k;
        if i != j {
            H[j][i] += k;
        }
    });
    let (g, step) = (gradient(&q), 1e-5);
    for j in 0..n {
        let moved = |s: f64| (0..n).map(|i| q[i] + if i == j { s } else { 0.0 }).collect::<Vec<_>>();
        let (plus, minus) = (moved(step), moved(-step));
        let slope = (extra.energy(&plus) - extra.energy(&minus)) / (2.0 * step);
        assert!((g[j] - slope).abs() < 1e-8, "gradient {j}: {} and {slope}", g[j]);
        let (plus, minus) = (gradient(&plus), gradient(&minus));
        for i in 0..n {
            let slope = (plus[i] - minus[i]) / (2.0 * step);
            assert!((H[i][j] - slope).abs() < 1e-8, "hessian {i}, {j}: {} and {slope}", H[i][j]);
        }
    }
}

#[test]
fn energy_is_that_of_the_strain_of_second_order() {
    // w' constant over an element: u' + ½w'² is constant too, and its mean is no approximation
    let beam = Beam::new(&[0.0, 0.4, 1.1], SLENDER).unwrap();
    let (eps, psi) = (2e-4, 0.03);
    let q: Vec<f64> = beam.nodes().iter().flat_map(|n| [eps * n[0], psi * n[0], psi]).collect();
    let total = 0.5 * beam.stiffness().form(&q, &q) + beam.stiffening().unwrap().energy(&q);
    let exact = 0.5 * 1e8 * 1.1 * (eps + 0.5 * psi * psi).powi(2);
    assert!((total / exact - 1.0).abs() < 1e-12, "{total} and {exact}");
}

#[test]
fn outputs_gain_the_tension_of_second_order() {
    let section = Section { height: Some(0.01), ..SLENDER };
    let beam = Beam::new(&[0.0, 0.4, 1.1], section).unwrap().with_outputs_at(vec![1]).unwrap();
    let extra = beam.stiffening().unwrap();
    let psi = 0.03;
    let q: Vec<f64> = beam.nodes().iter().flat_map(|n| [0.0, psi * n[0], psi]).collect();
    let mut gained = vec![0.0; beam.outputs().len()];
    for &(output, e, factor) in extra.outputs() {
        let (from, element) = extra.element(e);
        gained[output] += factor * element.added_tension(q[from..from + 6].try_into().unwrap());
    }
    for (output, gained) in beam.outputs().iter().zip(gained) {
        let stress = 0.5 * psi * psi * 1e8;
        let expected = match output.name.rsplit_once('.').unwrap().1 {
            "normal" | "top_stress" | "bottom_stress" => stress,
            _ => 0.0,
        };
        assert!((gained - expected).abs() < 1e-9 * stress, "{}: {gained} and {expected}", output.name);
    }
}

#[test]
fn bending_without_stretching_does_not_lock() {
    // an arc of a circle to second order, u' = −½w'²; the strain left must cost nothing beside bending, however stiff EA
    let kappa = 0.05;
    let beam = Beam::uniform(1.0, 2, SLENDER).unwrap();
    let field = |x: f64| [-kappa * kappa * x.powi(3) / 6.0, 0.5 * kappa * x * x, kappa * x];
    let q: Vec<f64> = beam.nodes().iter().flat_map(|n| field(n[0])).collect();
    let total = 0.5 * beam.stiffness().form(&q, &q) + beam.stiffening().unwrap().energy(&q);
    let bending = 0.5 * kappa * kappa;
    assert!((total / bending - 1.0).abs() < 1e-6, "{total} and {bending}");
}

#[test]
fn rotating_beam_has_the_tabulated_frequencies() {
    // flapping ω L² √(ρA/EI) for λ = Ω L² √(ρA/EI), uniform beam without hub: first and second
    let table = [
        (0.0, 3.5160, 22.0345),
        (1.0, 3.6816, 22.1810),
        (2.0, 4.1373, 22.6149),
        (3.0, 4.7973, 23.3203),
        (4.0, 5.5850, 24.2734),
        (5.0, 6.4495, 25.4461),
        (6.0, 7.3604, 26.8091),
        (8.0, 9.2568, 29.9954),
        (10.0, 11.2023, 33.6404),
        (12.0, 13.1702, 37.6031),
    ];
    for (lambda, first, second) in table {
        let omega = flapping(40, lambda, 2);
        for (omega, exact, share) in [(omega[0], first, 1e-4), (omega[1], second, 3e-4)] {
            let error = omega.sqrt() / exact - 1.0;
            // half a unit of the last digit, and the piecewise constant tension of 40 elements
            assert!(
                error.abs() < 0.5e-4 / exact + share,
                "λ = {lambda}: {} instead of {exact}",
                omega.sqrt()
            );
        }
    }
}

#[test]
fn tension_by_its_mean_converges_with_order_two() {
    let fine = flapping(64, 10.0, 1)[0].sqrt();
    let meshes = [4, 5, 6, 8, 10, 12];
    let errors: Vec<(f64, f64)> =
        meshes.iter().map(|&n| (n as f64, (flapping(n, 10.0, 1)[0].sqrt() / fine - 1.0).abs())).collect();
    let order = -slope(&errors);
    assert!((order - 2.0).abs() < 0.25, "order {order}: {errors:?}");
}

#[test]
fn pressed_beam_buckles_at_eulers_load() {
    // pinned–pinned under N = −p: the lowest frequency squared is π⁴ (1 − p/π²), zero at Euler's load
    let beam = Beam::uniform(1.0, 8, SLENDER).unwrap();
    let mut held: Vec<usize> = (0..beam.dofs()).step_by(3).collect();
    held.extend([1, beam.dofs() - 2]);
    for share in [0.0, 0.5, 0.9, 1.0, -2.0] {
        let p = share * PI * PI;
        let q: Vec<f64> = beam.nodes().iter().flat_map(|n| [-p * n[0] / 1e8, 0.0, 0.0]).collect();
        let omega = eigenvalues(&free(&tangent(&beam, &q), &held), &free(&full(&beam.inertia().M), &held))[0];
        let exact = PI.powi(4) * (1.0 - share);
        assert!(
            (omega - exact).abs() < 1e-3 * PI.powi(4),
            "p = {share} of Euler's load: {omega} and {exact}"
        );
    }
}
