//! Eigenmodes of grids of springs, whose eigenvalues are known: λ = Σ 2 − 2 cos(π k / n) over the directions.
#![allow(non_snake_case)]

use carom_elastic::{Symmetric, residual, slowest};
use std::f64::consts::PI;

/// Unit springs between neighbours of a grid, `ground` to the ground.
fn grid(size: &[usize], ground: f64) -> Symmetric {
    let n: usize = size.iter().product();
    let mut triplets = Vec::new();
    for i in 0..n {
        triplets.push((i, i, ground));
        let (mut stride, mut rest) = (1, i);
        for &length in size {
            if rest % length + 1 < length {
                let j = i + stride;
                triplets.extend([(i, i, 1.0), (j, j, 1.0), (j, i, -1.0)]);
            }
            rest /= length;
            stride *= length;
        }
    }
    Symmetric::from_triplets(n, triplets)
}

fn unit_masses(n: usize) -> Symmetric {
    Symmetric::from_triplets(n, (0..n).map(|i| (i, i, 1.0)))
}

/// All eigenvalues of the grid, ascending.
fn exact(size: &[usize], ground: f64) -> Vec<f64> {
    let mut all = vec![ground];
    for &length in size {
        let part = |k: usize| 2.0 - 2.0 * (PI * k as f64 / length as f64).cos();
        all = all.iter().flat_map(|sum| (0..length).map(move |k| sum + part(k))).collect();
    }
    all.sort_by(f64::total_cmp);
    all
}

fn worst(found: &[f64], exact: &[f64]) -> f64 {
    found.iter().zip(exact).map(|(f, e)| (f / e - 1.0).abs()).fold(0.0, f64::max)
}

fn orthonormality(M: &Symmetric, phi: &[Vec<f64>]) -> f64 {
    let mut worst = 0.0f64;
    for (j, a) in phi.iter().enumerate() {
        for (k, b) in phi.iter().enumerate() {
            worst = worst.max((M.form(a, b) - f64::from(u8::from(j == k))).abs());
        }
    }
    worst
}

/// A square plate of springs has every frequency twice but those on its diagonal; large enough for the sparse way.
#[test]
fn double_eigenvalues_are_found_twice() {
    let size = [30, 30];
    let (K, M) = (grid(&size, 0.01), unit_masses(900));
    for count in [1, 2, 5, 24, 60] {
        let modes = slowest(&K, &M, &[], count).unwrap();
        assert!(worst(&modes.omega2, &exact(&size, 0.01)) < 1e-10, "{count}: {:?}", modes.omega2);
        assert!(orthonormality(&M, &modes.phi) < 1e-11);
        assert!(modes.residual < 1e-9, "{}", modes.residual);
    }
}

/// A cube has eigenvalues three and six times, more than the two vectors that the search begins with.
#[test]
fn sixfold_eigenvalues_are_found_six_times() {
    let size = [8, 8, 8];
    let (K, M) = (grid(&size, 0.1), unit_masses(512));
    for count in [3, 4, 11, 50] {
        let modes = slowest(&K, &M, &[], count).unwrap();
        assert!(worst(&modes.omega2, &exact(&size, 0.1)) < 1e-10, "{count}: {:?}", modes.omega2);
        assert!(orthonormality(&M, &modes.phi) < 1e-11);
    }
}

/// The floating grid without the motion that costs nothing.
#[test]
fn rigid_motions_are_left_out() {
    for size in [vec![7, 6], vec![25, 20]] {
        let n: usize = size.iter().product();
        let (K, M) = (grid(&size, 0.0), unit_masses(n));
        let modes = slowest(&K, &M, &[vec![1.0; n]], 12).unwrap();
        assert!(worst(&modes.omega2, &exact(&size, 0.0)[1..]) < 1e-10, "{:?}", modes.omega2);
        for phi in &modes.phi {
            assert!(phi.iter().sum::<f64>().abs() < 1e-11);
        }
    }
}

/// Many modes are computed dense, few sparse: the same frequencies and the same vectors, also where two modes share a
/// frequency and any combination would do.
#[test]
fn dense_and_sparse_agree() {
    let size = [16, 16];
    let n = 256;
    let K = grid(&size, 0.05);
    // uneven masses that keep the symmetry of the square, coupled like consistent ones
    let mut triplets = Vec::new();
    for (i, j, k) in grid(&size, 0.0).entries() {
        let place = |i: usize| [(i % 16) as f64 - 7.5, (i / 16) as f64 - 7.5];
        let weight = |i: usize| 1.0 + 0.01 * place(i).iter().map(|x| x * x).sum::<f64>();
        triplets.push((i, j, if i == j { weight(i) } else { -0.1 * k }));
    }
    let M = Symmetric::from_triplets(n, triplets);
    let few = slowest(&K, &M, &[], 20).unwrap();
    let many = slowest(&K, &M, &[], 200).unwrap();
    assert!(
        few.omega2.windows(2).any(|w| w[1] / w[0] < 1.0 + 1e-9),
        "no double frequency in {:?}",
        few.omega2
    );
    assert!(worst(&few.omega2, &many.omega2) < 1e-11);
    // the last one may have lost its twin
    for (k, (a, b)) in few.phi[..19].iter().zip(&many.phi).enumerate() {
        let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "mode {k}: {apart}");
    }
    assert!(many.residual < 1e-9, "{}", many.residual);
    assert!(orthonormality(&M, &many.phi) < 1e-9);
}

/// A chain of springs a million times stiffer beside a soft one, not coupled: both come out, each to its own digits.
#[test]
fn parts_that_are_not_coupled_do_not_disturb_each_other() {
    let n = 200;
    let soft = grid(&[n], 1e-3);
    let triplets = soft.entries().flat_map(|(i, j, k)| [(2 * i, 2 * j, k), (2 * i + 1, 2 * j + 1, 1e12 * k)]);
    let K = Symmetric::from_triplets(2 * n, triplets);
    let modes = slowest(&K, &unit_masses(2 * n), &[], 2 * n).unwrap();
    let one = exact(&[n], 1e-3);
    let both: Vec<f64> = one.iter().copied().chain(one.iter().map(|e| 1e12 * e)).collect();
    assert!(worst(&modes.omega2, &both) < 1e-9, "{}", worst(&modes.omega2, &both));
}

/// The residual measures: it is small for a mode, and the size of the share for a mode with a share of another.
#[test]
fn a_wrong_mode_has_a_residual() {
    let (K, M) = (grid(&[12, 9], 0.2), unit_masses(108));
    let modes = slowest(&K, &M, &[], 9).unwrap();
    assert!(residual(&K, &M, modes.omega2[0], &modes.phi[0]) < 1e-12);
    let mixed: Vec<f64> = modes.phi[0].iter().zip(&modes.phi[8]).map(|(a, b)| a + 1e-3 * b).collect();
    let r = residual(&K, &M, modes.omega2[0], &mixed);
    assert!((1e-4..1e-2).contains(&r), "{r}");
}

#[test]
fn what_cannot_be_is_said() {
    let (K, M) = (grid(&[5, 4], 0.0), unit_masses(20));
    let words = |error: carom_elastic::ElasticError| error.to_string();
    let loose = words(slowest(&K, &M, &[], 3).unwrap_err());
    assert!(loose.contains("can still move without being deformed"), "{loose}");
    let many = words(slowest(&K, &M, &[vec![1.0; 20]], 20).unwrap_err());
    assert!(many.contains("20 modes are asked for") && many.contains("only 19"), "{many}");
    assert_eq!(slowest(&K, &M, &[vec![1.0; 20]], 19).unwrap().omega2.len(), 19);
}

/// Twice the same bits.
#[test]
fn modes_are_the_same_every_time() {
    let (K, M) = (grid(&[20, 20], 0.01), unit_masses(400));
    assert_eq!(slowest(&K, &M, &[], 30).unwrap(), slowest(&K, &M, &[], 30).unwrap());
}
