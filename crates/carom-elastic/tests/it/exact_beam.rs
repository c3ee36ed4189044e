//! The geometrically exact beam against closed forms, an ordinary differential equation solved otherwise, and itself
//! turned around.
#![allow(non_snake_case)]

use carom_elastic::{CrossSection, ElasticError, End, ExactBeam, MassKind, Material, Order};
use std::f64::consts::PI;

const ORDERS: [Order; 2] = [Order::Linear, Order::Quadratic];

/// Sections of numbers near one, so that extension, shear and bending all matter.
fn soft() -> CrossSection {
    CrossSection { EA: 50.0, GA: 20.0, EI: 1.0, rhoA: 1.0, rhoI: 0.02, tau: 0.0 }
}

/// Practically inextensible and stiff in shear.
fn slender() -> CrossSection {
    CrossSection { EA: 1e8, GA: 1e8, EI: 1.0, rhoA: 1.0, rhoI: 1e-8, tau: 0.0 }
}

fn kept(beam: &ExactBeam, q: &[f64]) -> Vec<f64> {
    let mut kept = vec![0.0; beam.derived_len()];
    beam.derive(q, &mut kept);
    kept
}

fn force(beam: &ExactBeam, q: &[f64]) -> Vec<f64> {
    let mut f = vec![0.0; beam.dofs()];
    beam.add_force(1.0, &kept(beam, q), &mut f);
    f
}

fn dense(beam: &ExactBeam, values: &[f64]) -> Vec<Vec<f64>> {
    let mut A = vec![vec![0.0; beam.dofs()]; beam.dofs()];
    for (&(i, j), a) in beam.tangent_pattern().iter().zip(values) {
        A[i as usize][j as usize] += a;
    }
    A
}

fn tangent(beam: &ExactBeam, q: &[f64]) -> Vec<Vec<f64>> {
    let mut K = vec![0.0; beam.tangent_pattern().len()];
    beam.add_tangent(&kept(beam, q), &mut K);
    dense(beam, &K)
}

/// Gauss elimination with the largest pivot.
fn solve(mut A: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| A[i][k].abs().total_cmp(&A[j][k].abs())).expect("rows are left");
        A.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let l = A[i][k] / A[k][k];
            for j in k..n {
                A[i][j] -= l * A[k][j];
            }
            b[i] -= l * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| A[k][j] * b[j]).sum::<f64>()) / A[k][k];
    }
    b
}

/// Newton on f(q) = load with the first node clamped, the load put on in `parts`; also how many iterations the last
/// part took.
fn cantilever(beam: &ExactBeam, load: &[f64], parts: usize) -> (Vec<f64>, usize) {
    let mut q = beam.reference().to_vec();
    let mut iterations = 0;
    for part in 1..=parts {
        iterations = 0;
        loop {
            let f = force(beam, &q);
            let scale = part as f64 / parts as f64;
            let r: Vec<f64> = (3..q.len()).map(|i| scale * load[i] - f[i]).collect();
            let K = tangent(beam, &q);
            let step = solve(K[3..].iter().map(|row| row[3..].to_vec()).collect(), r);
            let size = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            step.iter().enumerate().for_each(|(i, s)| q[i + 3] += s);
            iterations += 1;
            assert!(iterations < 60, "Newton does not converge: last step {size}");
            if size < 1e-12 {
                break;
            }
        }
    }
    (q, iterations)
}

/// A load on the last node.
fn tip(beam: &ExactBeam, load: [f64; 3]) -> Vec<f64> {
    let mut f = vec![0.0; beam.dofs()];
    f[beam.dofs() - 3..].copy_from_slice(&load);
    f
}

/// A deformed state without any symmetry.
fn bent(beam: &ExactBeam) -> Vec<f64> {
    let wave = |i: usize| (1.0 + 1.7 * i as f64).sin();
    beam.reference().iter().enumerate().map(|(i, q)| q + 0.15 * wave(i)).collect()
}

/// A quarter of a circle, stress-free.
fn arch(elements: usize, order: Order) -> ExactBeam {
    let n = elements * if order == Order::Linear { 1 } else { 2 };
    let nodes: Vec<[f64; 3]> = (0..=n)
        .map(|i| {
            let angle = 0.5 * PI * i as f64 / n as f64;
            [angle.sin(), 1.0 - angle.cos(), angle]
        })
        .collect();
    ExactBeam::through(&nodes, order, soft()).expect("an arch")
}

#[test]
fn circle() {
    // M = 2π EI/L: angles are exact, Γ = 0, so that every linear element is a chord of length L/n in the direction of
    // its mean angle: a regular polygon, closed to round-off, whose corners come to the circle as 1/n²
    for order in ORDERS {
        for n in [3, 8, 16] {
            let beam = ExactBeam::straight(1.0, n, order, slender()).expect("a beam");
            let (q, iterations) = cantilever(&beam, &tip(&beam, [0.0, 0.0, 2.0 * PI]), 1);
            let last = &q[q.len() - 3..];
            assert!((last[2] - 2.0 * PI).abs() < 1e-11, "end angle {}", last[2]);
            assert!(last[0].abs() < 1e-8 && last[1].abs() < 1e-8, "{order:?} {n}: open by {last:?}");
            assert!(iterations <= 12, "{iterations} iterations");
            let mut worst: f64 = 0.0;
            for (i, node) in q.chunks_exact(3).enumerate() {
                let s = i as f64 / (beam.nodes() - 1) as f64;
                assert!((node[2] - 2.0 * PI * s).abs() < 1e-10, "angle of node {i}: {}", node[2]);
                let exact = [(2.0 * PI * s).sin() / (2.0 * PI), (1.0 - (2.0 * PI * s).cos()) / (2.0 * PI)];
                worst = worst.max((node[0] - exact[0]).hypot(node[1] - exact[1]));
                if order == Order::Linear {
                    // corner of the polygon: sum of the chords before it
                    let R = 0.5 / n as f64 / (PI / n as f64).sin();
                    let corner = [R * (2.0 * PI * s).sin(), R * (1.0 - (2.0 * PI * s).cos())];
                    let miss = (node[0] - corner[0]).hypot(node[1] - corner[1]);
                    assert!(miss < 1e-8, "corner {i} of {n} off by {miss}");
                }
            }
            // radius of the polygon less that of the circle, (π²/6n²)/2π, twice over the diameter
            let bound =
                if order == Order::Linear { 0.7 / (n * n) as f64 } else { 5.0 / (n * n * n * n) as f64 };
            assert!(worst < bound, "{order:?}, {n} elements: nodes {worst} from the circle, bound {bound}");
            // the energy of the exact solution, ½ M²L/EI
            let U = beam.energy(&kept(&beam, &q));
            assert!((U - 2.0 * PI * PI).abs() < 1e-8 * U, "energy {U}");
        }
    }
}

/// Tip (x, y, φ) of a cantilever of length 1 under a dead tip force P > 0 across, from the equations of the beam as an
/// initial value problem from the free tip, where M = 0, to the root, where φ = 0; the angle at the tip by bisection:
/// n constant, φ' = M/EI, r' = A(φ)(e_1 + C⁻¹ A(φ)ᵀ n), M' = −(r' × n).
fn shoot(section: &CrossSection, P: f64, steps: usize) -> [f64; 3] {
    let slope = |y: [f64; 4]| {
        let (s, c) = y[2].sin_cos();
        let strain = [1.0 + s * P / section.EA, c * P / section.GA];
        let r = [c * strain[0] - s * strain[1], s * strain[0] + c * strain[1]];
        [r[0], r[1], y[3] / section.EI, -r[0] * P]
    };
    // back along the beam by the classic rule of order 4
    let root = |phi: f64| {
        let mut y = [0.0, 0.0, phi, 0.0];
        let h = -1.0 / steps as f64;
        let go = |y: [f64; 4], k: [f64; 4], a: f64| std::array::from_fn(|i| y[i] + a * k[i]);
        for _ in 0..steps {
            let k_1 = slope(y);
            let k_2 = slope(go(y, k_1, 0.5 * h));
            let k_3 = slope(go(y, k_2, 0.5 * h));
            let k_4 = slope(go(y, k_3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k_1[i] + 2.0 * k_2[i] + 2.0 * k_3[i] + k_4[i]));
        }
        y
    };
    let (mut low, mut high) = (0.0, 0.5 * PI);
    for _ in 0..52 {
        let middle = 0.5 * (low + high);
        if root(middle)[2] > 0.0 { high = middle } else { low = middle }
    }
    let y = root(low);
    assert!(y[2].abs() < 1e-10, "angle at the root {}", y[2]);
    [-y[0], -y[1], low]
}

#[test]
fn shooting_meets_the_elliptic_integrals() {
    // [Mattiasson1981], five digits: 1 − x/L, y/L, φ of the tip at P L²/EI = 1 and 10
    for (P, published) in [(1.0, [0.05643, 0.30172, 0.46135]), (10.0, [0.55500, 0.81061, 1.43029])] {
        let tip = shoot(&slender(), P, 2000);
        for (ours, published) in [1.0 - tip[0], tip[1], tip[2]].into_iter().zip(published) {
            assert!((ours - published).abs() < 6e-6, "P = {P}: {ours}, published {published}");
        }
    }
}

#[test]
fn elastica_and_its_orders() {
    // nodal errors at the tip over five meshes; the slope of the fit is the order
    for (section, P) in [(slender(), 10.0), (soft(), 5.0)] {
        let exact = shoot(&section, P, 2000);
        let finer = shoot(&section, P, 4000);
        assert!((0..3).all(|i| (exact[i] - finer[i]).abs() < 1e-10), "the reference is not settled");
        for (order, expected, meshes) in
            [(Order::Linear, 2.0, [10, 14, 20, 28, 40]), (Order::Quadratic, 4.0, [5, 7, 10, 14, 20])]
        {
            let errors: Vec<(f64, f64)> = meshes
                .iter()
                .map(|&n| {
                    let beam = ExactBeam::straight(1.0, n, order, section).expect("a beam");
                    let (q, _) = cantilever(&beam, &tip(&beam, [0.0, P, 0.0]), 4);
                    let error = (0..3).map(|i| (q[q.len() - 3 + i] - exact[i]).abs()).fold(0.0, f64::max);
                    ((n as f64).ln(), error.ln())
                })
                .collect();
            let slope = fitted(&errors);
            assert!((slope + expected).abs() < 0.15, "{order:?}: order {:.3}, errors {errors:?}", -slope);
            let last = errors[4].1.exp();
            let bound = if order == Order::Linear { 2e-3 } else { 2e-5 };
            assert!(last < bound, "{order:?}: error {last} on the finest mesh");
        }
    }
}

/// Slope of the straight line nearest to the points.
fn fitted(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let (top, bottom) =
        points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - x) * (p.1 - y), s.1 + (p.0 - x).powi(2)));
    top / bottom
}

#[test]
fn small_tip_load_on_a_beam_that_shears() {
    // w = P L³/3EI + P L/GA, φ = P L²/2EI. Order 2 meets both at its nodes. Order 1 meets the angle; its deflection is
    // the trapezoidal rule of the angle: bending part less by the factor 1 − 1/4n²
    let section = soft();
    let P = 1e-7;
    for order in ORDERS {
        for n in [1, 2, 5] {
            let beam = ExactBeam::straight(1.0, n, order, section).expect("a beam");
            let (q, _) = cantilever(&beam, &tip(&beam, [0.0, P, 0.0]), 1);
            let less = if order == Order::Linear { 0.25 / (n * n) as f64 } else { 0.0 };
            let w = P / (3.0 * section.EI) * (1.0 - less) + P / section.GA;
            let [_, y, phi] = q[q.len() - 3..] else { unreachable!() };
            assert!((y / w - 1.0).abs() < 1e-9, "{order:?}, {n} elements: {y} for {w}");
            assert!((phi / (0.5 * P / section.EI) - 1.0).abs() < 1e-9, "angle {phi}");
            // section forces of the cantilever: shear P all along, moment P L at the root, none at the tip
            let (kept, v) = (kept(&beam, &q), vec![0.0; q.len()]);
            let root = beam.end_stress(End::Root, &q, &v, &kept);
            let free = beam.end_stress(End::Tip, &q, &v, &kept);
            assert!((root[1] / P - 1.0).abs() < 1e-6 && (root[2] / P - 1.0).abs() < 1e-6, "root {root:?}");
            assert!((free[1] / P - 1.0).abs() < 1e-6 && free[2].abs() < 1e-6 * P, "tip {free:?}");
            assert!((beam.stress(&kept, 0)[1] / P - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn no_locking() {
    // tip deflection of a beam a million times stiffer in shear and extension than in bending, against the closed form
    let beam = |order| ExactBeam::straight(1.0, 1, order, slender()).expect("a beam");
    let w = |order| {
        cantilever(&beam(order), &tip(&beam(order), [0.0, 1e-6, 0.0]), 1).0[beam(order).dofs() - 2] * 3e6
    };
    assert!((w(Order::Linear) - 0.75).abs() < 1e-6, "one linear element: {}", w(Order::Linear));
    assert!((w(Order::Quadratic) - 1.0).abs() < 1e-6, "one quadratic element: {}", w(Order::Quadratic));
}

#[test]
fn a_rigid_motion_strains_nothing() {
    for order in ORDERS {
        for beam in [ExactBeam::straight(2.0, 3, order, soft()).expect("a beam"), arch(3, order)] {
            for angle in [0.3, 2.0, -7.0, 100.0] {
                let turned = rigid(beam.reference(), angle, [3.0, -4.0]);
                let f = force(&beam, &turned);
                assert!(beam.energy(&kept(&beam, &turned)) < 1e-20);
                assert!(f.iter().all(|f| f.abs() < 1e-10), "{order:?} turned by {angle}: {f:?}");
                // of a deformed beam: same energy, forces turned with it
                let q = bent(&beam);
                let moved = rigid(&q, angle, [3.0, -4.0]);
                let (U, U_moved) = (beam.energy(&kept(&beam, &q)), beam.energy(&kept(&beam, &moved)));
                assert!((U - U_moved).abs() < 1e-11 * U, "{U} {U_moved}");
                let along = rigid(&force(&beam, &q), angle, [0.0; 2]);
                let f = force(&beam, &moved);
                assert!((0..f.len()).filter(|i| i % 3 < 2).all(|i| (f[i] - along[i]).abs() < 1e-10));
            }
        }
    }
}

/// Turned about the origin, then shifted.
fn rigid(q: &[f64], angle: f64, shift: [f64; 2]) -> Vec<f64> {
    let (s, c) = angle.sin_cos();
    q.chunks_exact(3)
        .flat_map(|n| [shift[0] + c * n[0] - s * n[1], shift[1] + s * n[0] + c * n[1], n[2] + angle])
        .collect()
}

#[test]
fn inner_forces_balance() {
    // no resultant, no moment: Σ f = 0, Σ r × f + m = 0; damping as well
    for order in ORDERS {
        let beam =
            ExactBeam::straight(2.0, 4, order, soft().with_damping(0.3).expect("a time")).expect("a beam");
        let q = bent(&beam);
        let v: Vec<f64> = (0..q.len()).map(|i| (2.0 + 0.9 * i as f64).cos()).collect();
        let mut f = force(&beam, &q);
        beam.add_damping(1.0, &kept(&beam, &q), &v, &mut f);
        let mut sum = [0.0; 3];
        for (r, f) in q.chunks_exact(3).zip(f.chunks_exact(3)) {
            sum[0] += f[0];
            sum[1] += f[1];
            sum[2] += r[0] * f[1] - r[1] * f[0] + f[2];
        }
        assert!(sum.iter().all(|s| s.abs() < 1e-11), "{sum:?}");
    }
}

#[test]
fn derivatives() {
    for order in ORDERS {
        for beam in [
            ExactBeam::straight(2.0, 3, order, soft().with_damping(0.3).expect("a time")).expect("a beam"),
            arch(3, order),
        ] {
            let q = bent(&beam);
            let v: Vec<f64> = (0..q.len()).map(|i| (2.0 + 0.9 * i as f64).cos()).collect();
            let all = |q: &[f64], v: &[f64]| {
                let mut f = force(&beam, q);
                beam.add_damping(1.0, &kept(&beam, q), v, &mut f);
                f
            };
            let mut K = vec![0.0; beam.tangent_pattern().len()];
            let mut C = K.clone();
            beam.add_tangent(&kept(&beam, &q), &mut K);
            let elastic = dense(&beam, &K);
            beam.add_damping_tangents(&kept(&beam, &q), &v, &mut K, &mut C);
            let (K, C) = (dense(&beam, &K), dense(&beam, &C));
            let (f, eps) = (force(&beam, &q), 1e-5);
            for j in 0..q.len() {
                let at = |x: &[f64], s: f64| {
                    let mut x = x.to_vec();
                    x[j] += s * eps;
                    x
                };
                let U = |s| beam.energy(&kept(&beam, &at(&q, s)));
                let slope = (U(1.0) - U(-1.0)) / (2.0 * eps);
                assert!((slope - f[j]).abs() < 1e-7 * (1.0 + f[j].abs()), "force {j}: {} for {slope}", f[j]);
                let [q_p, q_m] = [1.0, -1.0].map(|s| all(&at(&q, s), &v));
                let [v_p, v_m] = [1.0, -1.0].map(|s| all(&q, &at(&v, s)));
                for i in 0..q.len() {
                    let (k, c) = ((q_p[i] - q_m[i]) / (2.0 * eps), (v_p[i] - v_m[i]) / (2.0 * eps));
                    assert!((k - K[i][j]).abs() < 1e-6 * (10.0 + k.abs()), "K {i} {j}: {} for {k}", K[i][j]);
                    assert!((c - C[i][j]).abs() < 1e-6 * (10.0 + c.abs()), "C {i} {j}: {} for {c}", C[i][j]);
                    assert!((elastic[i][j] - elastic[j][i]).abs() < 1e-12 * (1.0 + k.abs()));
                }
            }
        }
    }
}

#[test]
fn damping_takes_what_it_says() {
    let beam = ExactBeam::straight(1.0, 2, Order::Quadratic, soft().with_damping(0.1).expect("a time"))
        .expect("a beam");
    let q = bent(&beam);
    let v: Vec<f64> = (0..q.len()).map(|i| (0.4 + 1.3 * i as f64).sin()).collect();
    let mut f = vec![0.0; q.len()];
    beam.add_damping(-1.0, &kept(&beam, &q), &v, &mut f);
    let power: f64 = f.iter().zip(&v).map(|(f, v)| f * v).sum();
    let lost = beam.dissipation(&kept(&beam, &q), &v);
    assert!(lost > 0.0 && (power + lost).abs() < 1e-12 * lost, "{power} {lost}");
    // the same along U: dU/dt over τ is the power of C ε ε̇, so a rigid turn loses nothing
    let turn: Vec<f64> = q.chunks_exact(3).flat_map(|n| [-n[1], n[0], 1.0]).collect();
    assert!(beam.dissipation(&kept(&beam, &q), &turn) < 1e-25);
}

#[test]
fn masses() {
    let section = soft();
    for order in ORDERS {
        let beam = ExactBeam::straight(3.0, 4, order, section).expect("a beam");
        for kind in [MassKind::Consistent, MassKind::Lumped] {
            let M = beam.mass(kind);
            let q = beam.reference();
            let x: Vec<f64> = q.chunks_exact(3).flat_map(|_| [1.0, 0.0, 0.0]).collect();
            assert!((M.form(&x, &x) - 3.0 * section.rhoA).abs() < 1e-13, "mass");
            // spin about the root: ρA L³/3 + ρI L; lumped linear elements add ρA L³/6n²
            let spin: Vec<f64> = q.chunks_exact(3).flat_map(|n| [-n[1], n[0], 1.0]).collect();
            let more =
                if (order, kind) == (Order::Linear, MassKind::Lumped) { 27.0 / (6.0 * 16.0) } else { 0.0 };
            let J = section.rhoA * (9.0 + more) + 3.0 * section.rhoI;
            assert!((M.form(&spin, &spin) - J).abs() < 1e-12, "{order:?} {kind:?} {}", M.form(&spin, &spin));
            if kind == MassKind::Lumped {
                assert!(M.entries().all(|(i, j, m)| i == j && m > 0.0));
            }
        }
    }
}

#[test]
fn frequencies_of_a_clamped_slender_beam() {
    // ω_k = β_k² √(EI/ρA) / L², cos β cosh β = −1
    let beta = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613];
    let errors = |order: Order, n: usize| -> [f64; 3] {
        let beam = ExactBeam::straight(1.0, n, order, slender()).expect("a beam");
        let K: Vec<Vec<f64>> =
            tangent(&beam, beam.reference())[3..].iter().map(|r| r[3..].to_vec()).collect();
        let M = beam.mass(MassKind::Consistent);
        let full = |x: &[f64]| -> Vec<f64> {
            let mut all = vec![0.0; 3];
            all.extend(x);
            let mut out = vec![0.0; all.len()];
            M.add_product(1.0, &all, &mut out);
            out[3..].to_vec()
        };
        // inverse iteration, made orthogonal to the modes found
        let mut found: Vec<Vec<f64>> = Vec::new();
        std::array::from_fn(|k| {
            let mut x: Vec<f64> = (0..K.len()).map(|i| (0.3 + i as f64 * (k + 1) as f64).sin()).collect();
            let mut omega_2 = 0.0;
            for _ in 0..40 {
                for mode in &found {
                    let part: f64 = full(&x).iter().zip(mode).map(|(a, b)| a * b).sum();
                    x.iter_mut().zip(mode).for_each(|(x, m)| *x -= part * m);
                }
                let norm = full(&x).iter().zip(&x).map(|(a, b)| a * b).sum::<f64>().sqrt();
                x.iter_mut().for_each(|x| *x /= norm);
                let y = solve(K.clone(), full(&x));
                omega_2 = 1.0 / full(&x).iter().zip(&y).map(|(a, b)| a * b).sum::<f64>();
                x = y;
            }
            let norm = full(&x).iter().zip(&x).map(|(a, b)| a * b).sum::<f64>().sqrt();
            found.push(x.iter().map(|x| x / norm).collect());
            (omega_2.sqrt() / (beta[k] * beta[k]) - 1.0).abs()
        })
    };
    for (order, expected, coarse) in [(Order::Linear, 2.0, 10), (Order::Quadratic, 4.0, 5)] {
        let (e, finer) = (errors(order, coarse), errors(order, 2 * coarse));
        for k in 0..3 {
            let observed = (e[k] / finer[k]).log2();
            assert!(
                (observed - expected).abs() < 0.35,
                "{order:?}, mode {k}: order {observed:.2}, {e:?} {finer:?}"
            );
        }
        let bound = if order == Order::Linear { 3e-3 } else { 2e-5 };
        assert!(finer[0] < bound, "{order:?}: first frequency off by {}", finer[0]);
    }
}

#[test]
fn points_between_nodes() {
    for order in ORDERS {
        for beam in [ExactBeam::straight(2.0, 3, order, soft()).expect("a beam"), arch(3, order)] {
            let q = beam.reference();
            for node in 0..beam.nodes() {
                let place = [q[3 * node], q[3 * node + 1]];
                let by_place = beam.point(Material::At(place)).expect("a point");
                let mut r = by_place.u_0;
                let mut angle = 0.0;
                for (k, S, s) in by_place.columns {
                    r = [r[0] + S[0] * q[k as usize], r[1] + S[1] * q[k as usize]];
                    angle += s * q[k as usize];
                }
                let miss = (r[0] - place[0]).hypot(r[1] - place[1]);
                assert!(miss < 1e-12 && (angle - q[3 * node + 2]).abs() < 1e-12, "node {node}");
            }
        }
        let beam = ExactBeam::straight(2.0, 3, order, soft()).expect("a beam");
        let point = beam.point(Material::At([1.25, 0.0])).expect("a point");
        let x: f64 = point.columns.iter().map(|&(k, S, _)| S[0] * beam.reference()[k as usize]).sum();
        assert!((x - 1.25).abs() < 1e-14);
        assert!(matches!(beam.point(Material::At([1.0, 0.1])), Err(ElasticError::Outside { .. })));
        assert!(matches!(beam.point(Material::At([2.1, 0.0])), Err(ElasticError::Outside { .. })));
        let last = beam.nodes() - 1;
        let wrong = beam.point(Material::Node(last + 1));
        assert_eq!(wrong, Err(ElasticError::NoNode { node: last + 1, last }));
    }
}

#[test]
fn nonsense_is_refused() {
    let straight = |length, n| ExactBeam::straight(length, n, Order::Linear, soft()).map(|_| ()).unwrap_err();
    assert!(straight(0.0, 2).to_string().contains("length"));
    assert!(straight(1.0, 0).to_string().contains("elements"));
    let twice = ExactBeam::through(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], Order::Linear, soft());
    assert!(twice.unwrap_err().to_string().contains("nodes 1 and 2"));
    let even = ExactBeam::through(&[[0.0; 3], [1.0, 0.0, 0.0]], Order::Quadratic, soft());
    assert!(even.unwrap_err().to_string().contains("3 nodes"));
    let section =
        |E, nu, rho| CrossSection::new(E, nu, 1e-4, 1e-9, 1e-4, rho).map(|_| ()).unwrap_err().to_string();
    assert!(section(0.0, 0.3, 1.0).contains("Young"));
    assert!(section(1.0, 0.7, 1.0).contains("Poisson"));
    assert!(section(1.0, 0.3, -1.0).contains("density"));
    assert!(soft().with_damping(-1.0).is_err());
}
