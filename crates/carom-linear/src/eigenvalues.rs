//! Eigenvalues of a small real matrix: balancing, elimination to Hessenberg form, shifted QR with rotations.
//!
//! ```text
//!   B = D⁻¹ A D,  D = diag(2^k),  rows and columns of equal size
//!   H = L⁻¹ B L,  zero below the subdiagonal
//!   H − σ = Q R,  H ← R Q + σ,  σ the eigenvalue of the last 2×2 block next to its corner, until the subdiagonal is zero
//! ```
//!
//! Amplification matrices have three to eight rows. A crate for large matrices would cost more to build than all of
//! Carom; balancing matters here, since accelerations are Ω² times positions.

use num_complex::Complex64;

/// More QR steps than this for one eigenvalue do not happen; the value is then what the matrix shows.
const MOST_STEPS: usize = 200;
/// A regular shift is replaced by another one after this many steps without success.
const STUCK: usize = 12;

/// Eigenvalues of the n×n matrix `A` (row after row), largest modulus first; of a complex pair the upper one first.
pub fn eigenvalues(n: usize, A: &[f64]) -> Vec<Complex64> {
    let mut A = A.to_vec();
    balance(n, &mut A);
    hessenberg(n, &mut A);
    let mut H: Vec<Complex64> = A.iter().map(|&a| a.into()).collect();
    let mut found = qr(n, &mut H);
    pair_up(&mut found);
    found.sort_by(|a, b| b.norm().total_cmp(&a.norm()).then(b.im.total_cmp(&a.im)));
    found
}

/// Makes conjugate pairs conjugate to the last bit and real values real, as those of a real matrix are.
fn pair_up(found: &mut [Complex64]) {
    let mut i = 0;
    while i < found.len() {
        let z = found[i];
        let apart = |w: Complex64| (w - z.conj()).norm();
        let partner = (i + 1..found.len()).min_by(|&j, &k| apart(found[j]).total_cmp(&apart(found[k])));
        match partner {
            Some(j) if apart(found[j]) < z.im.abs() => {
                let mean = 0.5 * (z + found[j].conj());
                found.swap(i + 1, j);
                (found[i], found[i + 1]) = (mean, mean.conj());
                i += 2;
            }
            _ => {
                found[i].im = 0.0;
                i += 1;
            }
        }
    }
}

/// Scales by powers of two until rows and columns are of one size.
fn balance(n: usize, A: &mut [f64]) {
    loop {
        let mut settled = true;
        for i in 0..n {
            let (mut row, mut column) = (0.0, 0.0);
            for j in (0..n).filter(|&j| j != i) {
                row += A[i * n + j].abs();
                column += A[j * n + i].abs();
            }
            if row == 0.0 || column == 0.0 {
                continue;
            }
            let f = 2f64.powi((0.5 * (row / column).log2()).round() as i32);
            if f != 1.0 && column * f + row / f < 0.95 * (column + row) {
                settled = false;
                for j in 0..n {
                    A[i * n + j] /= f;
                    A[j * n + i] *= f;
                }
            }
        }
        if settled {
            return;
        }
    }
}

/// Elimination with pivots below the subdiagonal, as a similarity.
fn hessenberg(n: usize, A: &mut [f64]) {
    for k in 1..n.saturating_sub(1) {
        let size = |A: &[f64], i: usize| A[i * n + k - 1].abs();
        let pivot = (k..n).max_by(|&i, &j| size(A, i).total_cmp(&size(A, j))).unwrap_or(k);
        if A[pivot * n + k - 1] == 0.0 {
            continue;
        }
        for j in 0..n {
            A.swap(pivot * n + j, k * n + j);
        }
        for i in 0..n {
            A.swap(i * n + pivot, i * n + k);
        }
        for i in k + 1..n {
            let f = A[i * n + k - 1] / A[k * n + k - 1];
            for j in 0..n {
                A[i * n + j] -= f * A[k * n + j];
            }
            for j in 0..n {
                A[j * n + k] += f * A[j * n + i];
            }
            A[i * n + k - 1] = 0.0;
        }
    }
}

/// Shifted QR on a Hessenberg matrix, with deflation from the end.
fn qr(n: usize, H: &mut [Complex64]) -> Vec<Complex64> {
    let size = |z: Complex64| z.re.abs() + z.im.abs();
    let mut found = Vec::with_capacity(n);
    let mut last = n;
    let mut steps = 0;
    while last > 0 {
        let m = last - 1;
        // where the block that ends at m begins
        let small = |H: &[Complex64], k: usize| {
            size(H[k * n + k - 1]) <= f64::EPSILON * (size(H[(k - 1) * n + k - 1]) + size(H[k * n + k]))
        };
        let first = (1..=m).rev().find(|&k| small(H, k)).unwrap_or(0);
        if first == m || steps == MOST_STEPS {
            found.push(H[m * n + m]);
            last = m;
            steps = 0;
            continue;
        }
        steps += 1;
        let shift = if steps % STUCK == 0 { H[m * n + m] + H[m * n + m - 1] } else { wilkinson(H, n, m) };
        for i in first..=m {
            H[i * n + i] -= shift;
        }
        // R = Gₘ … G₁ H by rotations of neighbouring rows, then R G₁* … Gₘ*
        let mut rotations = Vec::with_capacity(m - first);
        for k in first..m {
            let (a, b) = (H[k * n + k], H[(k + 1) * n + k]);
            let r = a.norm().hypot(b.norm());
            let (c, s) = if r == 0.0 { (1.0.into(), 0.0.into()) } else { (a / r, b / r) };
            for j in k..=m {
                let (x, y) = (H[k * n + j], H[(k + 1) * n + j]);
                H[k * n + j] = c.conj() * x + s.conj() * y;
                H[(k + 1) * n + j] = c * y - s * x;
            }
            rotations.push((c, s));
        }
        for (k, (c, s)) in (first..m).zip(rotations) {
            for i in first..=(k + 1) {
                let (x, y) = (H[i * n + k], H[i * n + k + 1]);
                H[i * n + k] = x * c + y * s;
                H[i * n + k + 1] = y * c.conj() - x * s.conj();
            }
        }
        for i in first..=m {
            H[i * n + i] += shift;
        }
    }
    found
}

/// The eigenvalue of the block (m−1, m) that lies next to its last entry.
fn wilkinson(H: &[Complex64], n: usize, m: usize) -> Complex64 {
    let (a, b) = (H[(m - 1) * n + m - 1], H[(m - 1) * n + m]);
    let (c, d) = (H[m * n + m - 1], H[m * n + m]);
    let half = 0.5 * (a - d);
    let root = (half * half + b * c).sqrt();
    let root = if (half.conj() * root).re < 0.0 { -root } else { root };
    let far = half + root;
    if far.norm() == 0.0 { d } else { d - b * c / far }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[Complex64], expected: &[(f64, f64)], tolerance: f64) {
        assert_eq!(found.len(), expected.len());
        for (re, im) in expected {
            let nearest =
                found.iter().map(|z| (z - Complex64::new(*re, *im)).norm()).fold(f64::INFINITY, f64::min);
            assert!(nearest < tolerance, "{re} + {im} i is missing by {nearest:e} in {found:?}");
        }
    }

    /// Companion matrices: the roots of the polynomial are known beforehand.
    #[test]
    fn roots_of_polynomials() {
        // (x − 1)(x − 2)(x − 3)(x − 4)
        let A = [10.0, -35.0, 50.0, -24.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        close(&eigenvalues(4, &A), &[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)], 1e-11);
        // (x² + 1)(x² − 2x + 5): i, −i, 1 + 2i, 1 − 2i
        let A = [2.0, -6.0, 2.0, -5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        close(&eigenvalues(4, &A), &[(0.0, 1.0), (0.0, -1.0), (1.0, 2.0), (1.0, -2.0)], 1e-13);
        // x⁵ − 1: a cyclic permutation, on which unshifted QR stands still
        let mut A = [0.0; 25];
        for i in 0..5 {
            A[i * 5 + (i + 4) % 5] = 1.0;
        }
        let roots: Vec<(f64, f64)> =
            (0..5).map(|k| (std::f64::consts::TAU * k as f64 / 5.0).sin_cos()).collect();
        let roots: Vec<(f64, f64)> = roots.iter().map(|(s, c)| (*c, *s)).collect();
        close(&eigenvalues(5, &A), &roots, 1e-13);
    }

    #[test]
    fn badly_scaled_defective_and_empty() {
        // a rotation by 1e-4 in units that differ by 1e12
        let (s, c) = 1e-4f64.sin_cos();
        let found = eigenvalues(2, &[c, s * 1e12, -s * 1e-12, c]);
        close(&found, &[(c, s), (c, -s)], 1e-15);
        assert!((found[0].arg() - 1e-4).abs() < 1e-15 && found[0].im > 0.0);
        // nilpotent: exactly zero, since nothing is rounded
        close(&eigenvalues(3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), &[(0.0, 0.0); 3], 1e-300);
        assert!(eigenvalues(0, &[]).is_empty());
        assert_eq!(eigenvalues(1, &[-3.0]), [Complex64::new(-3.0, 0.0)]);
    }

    /// Random matrices: the sum is the trace, the sum of squares the trace of the square.
    #[test]
    fn traces_agree() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / 2f64.powi(30) - 1.0
        };
        for case in 0..500 {
            let n = 2 + case % 7;
            let A: Vec<f64> = (0..n * n).map(|_| random()).collect();
            let found = eigenvalues(n, &A);
            let trace: f64 = (0..n).map(|i| A[i * n + i]).sum();
            let square: f64 = (0..n * n).map(|k| A[k] * A[k % n * n + k / n]).sum();
            let sum: Complex64 = found.iter().sum();
            let squares: Complex64 = found.iter().map(|z| z * z).sum();
            assert!((sum - trace).norm() < 1e-12, "n = {n}: {sum} and {trace}");
            assert!((squares - square).norm() < 1e-12, "n = {n}: {squares} and {square}");
        }
    }
}
