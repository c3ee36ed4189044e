//! Projections by property, the Alart–Curnier map by differences, and each law by pairs that do and do not obey it.
#![allow(non_snake_case, missing_docs)]

use crate::common::{self, Seeded, planar, rolling, spatial};
use carom_solve::{Law, LawPiece, Normal};

/// Every shape there is: the three intervals, and all disks of one row or two on a half line, with friction and without.
fn laws(rng: &mut Seeded) -> [Law; 14] {
    let mu = 2.0 * rng.unit();
    let mu_r = 2.0 * rng.unit();
    [
        Law::bilateral(),
        Law::unilateral(),
        planar(mu),
        spatial(mu),
        planar(0.0),
        spatial(0.0),
        Law::dry(mu),
        rolling(mu, mu_r),
        rolling(mu, 0.0),
        Law::limited(-0.3 * mu, mu),
        Law::limited(0.0, mu),
        Law::unilateral().and_disk(1, mu).and_disk(1, mu_r),
        Law::unilateral().and_disk(1, mu).and_disk(2, mu_r),
        Law::unilateral().and_disk(2, mu).and_disk(1, mu_r),
    ]
}

/// Is P in the admissible set, by its definition?
fn inside(law: &Law, P: &[f64], slack: f64) -> bool {
    let first = match (law.normal(), law.interval()) {
        (Normal::Free, _) => true,
        (_, Some([low, high])) => P[0] >= low - slack && P[0] <= high + slack,
        _ => P[0] >= -slack,
    };
    first
        && law.disks().all(|disk| {
            let size = P[disk.first..disk.first + disk.rows].iter().map(|p| p * p).sum::<f64>().sqrt();
            size <= disk.mu * P[0] + slack
        })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn projections_are_projections() {
    let mut rng = Seeded(7);
    for _ in 0..5000 {
        for law in laws(&mut rng) {
            let d = law.dim();
            let z: Vec<f64> = (0..d).map(|_| 3.0 * rng.next()).collect();
            let mut P = z.clone();
            law.project(&mut P);
            assert!(inside(&law, &P, 1e-15), "{law:?}: {z:?} goes to {P:?}, outside");
            let mut again = P.clone();
            law.project(&mut again);
            assert!(common::distance(&again, &P) < 1e-15, "{law:?}: not idempotent at {z:?}");
            // Nearest: (z − P) · (Q − P) ≤ 0 for every admissible Q.
            let rest: Vec<f64> = z.iter().zip(&P).map(|(z, P)| z - P).collect();
            let mut Q: Vec<f64> = (0..d).map(|_| 3.0 * rng.next()).collect();
            law.project(&mut Q);
            let toward: Vec<f64> = Q.iter().zip(&P).map(|(Q, P)| Q - P).collect();
            assert!(dot(&rest, &toward) < 1e-14, "{law:?}: {Q:?} is nearer to {z:?} than {P:?}");
            // Cones, Moreau: the rest is orthogonal to the projection and lies in the polar cone.
            if law.interval().is_none() {
                assert!(dot(&rest, &P).abs() < 1e-14, "{law:?}: {z:?} splits obliquely");
                assert!(dot(&rest, &Q) < 1e-14, "{law:?}: the rest of {z:?} is not polar");
            }
        }
    }
}

#[test]
fn jacobian_of_the_alart_curnier_map_against_differences() {
    let mut rng = Seeded(11);
    let h = 1e-6;
    let mut pieces = [0; 8];
    for _ in 0..3000 {
        for law in laws(&mut rng) {
            let d = law.dim();
            let z: Vec<f64> = (0..d).map(|_| rng.next()).collect();
            let J: [[f64; 5]; 5] = law.alart_curnier_jacobian(&z);
            let kind = |piece| match piece {
                LawPiece::Open => 0,
                LawPiece::Closed => 1,
                LawPiece::Slide(_) => 2,
                LawPiece::OnDisks([slides, rolls]) => 2 + usize::from(slides) + 2 * usize::from(rolls),
                LawPiece::AtEnd(end) => {
                    if end > 0.0 {
                        6
                    } else {
                        7
                    }
                }
            };
            for j in 0..d {
                let (mut plus, mut minus) = (z.clone(), z.clone());
                plus[j] += h;
                minus[j] -= h;
                // Away from kinks only, and away from the tip of the disk where t turns fast.
                let piece = kind(law.piece(&z));
                let near = kind(law.piece(&plus)) != piece || kind(law.piece(&minus)) != piece;
                let turning = law.disks().any(|disk| {
                    z[disk.first..disk.first + disk.rows].iter().map(|z| z * z).sum::<f64>() < 0.01
                });
                if near || turning {
                    continue;
                }
                pieces[piece] += 1;
                law.alart_curnier(&mut plus);
                law.alart_curnier(&mut minus);
                for i in 0..d {
                    let slope = (plus[i] - minus[i]) / (2.0 * h);
                    // Second differences: h² |A'''| ≤ 1e-12 · 2 μ / 0.1³, and rounding 1e-16 / h.
                    assert!(
                        (slope - J[i][j]).abs() < 1e-8,
                        "{law:?} at {z:?}: ∂{i}/∂{j} {slope}, not {}",
                        J[i][j]
                    );
                }
            }
        }
    }
    assert!(pieces.iter().all(|&n| n > 1000), "all pieces were met: {pieces:?}");
}

#[test]
fn both_equations_hold_exactly_for_pairs_that_obey_the_law() {
    let mut rng = Seeded(13);
    for _ in 0..3000 {
        let mu = 0.1 + rng.unit();
        let (angle, p_N, speed) = (6.0 * rng.unit(), 0.1 + rng.unit(), 0.1 + rng.unit());
        let (c, s) = (angle.cos(), angle.sin());
        let law = spatial(mu);
        let open = ([speed, c, s], [0.0; 3]);
        let stick = ([0.0; 3], [p_N, 0.9 * mu * p_N * c, 0.9 * mu * p_N * s]);
        let slide = ([0.0, speed * c, speed * s], [p_N, -mu * p_N * c, -mu * p_N * s]);
        for (U, P) in [open, stick, slide] {
            for rho in [0.1, 1.0, 10.0] {
                assert!(law.residual(&U, &P, rho) < 1e-14 * (1.0 + rho), "{law:?}: U = {U:?}, P = {P:?}");
                let mut z: [f64; 3] = std::array::from_fn(|i| P[i] - rho * U[i]);
                law.alart_curnier(&mut z);
                assert!(common::distance(&z, &P) < 1e-14 * (1.0 + rho), "{law:?}: U = {U:?}, P = {P:?}");
            }
        }
        // Sliding with the friction force along the velocity, or too small, is not Coulomb's law.
        let along = [p_N, mu * p_N * c, mu * p_N * s];
        let weak = [p_N, -0.5 * mu * p_N * c, -0.5 * mu * p_N * s];
        // Penetrating without a force, or pulling, is not Signorini's.
        let wrong =
            [(slide.0, along), (slide.0, weak), ([-speed, 0.0, 0.0], [0.0; 3]), ([0.0; 3], [-p_N, 0.0, 0.0])];
        for (U, P) in wrong {
            assert!(law.residual(&U, &P, 1.0) > 1e-3, "{law:?} accepts U = {U:?}, P = {P:?}");
        }
    }
}

/// Without friction the cone is the half line, also for a z that lies exactly on its backward extension.
#[test]
fn frictionless_cones_do_not_let_negative_impulses_through() {
    for (law, dim) in [(planar(0.0), 2), (spatial(0.0), 3)] {
        let (mut P, zeros) = (vec![0.0; dim], vec![0.0; dim]);
        P[0] = -1.0;
        let z = P.clone();
        law.project(&mut P);
        assert_eq!(P, zeros, "{law:?}");
        // A contact that opens, at rest along the tangent: U = (1, 0), P = 0.
        let U: Vec<f64> = z.iter().map(|z| -z).collect();
        assert_eq!(law.residual(&U, &zeros, 1.0), 0.0, "{law:?}");
    }
}
