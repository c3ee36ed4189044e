//! Dense matrices, slow and independent of the crate: elimination, Cholesky, Jacobi.
#![allow(dead_code, non_snake_case)]

use carom_elastic::Symmetric;

pub type Matrix = Vec<Vec<f64>>;

/// All entries.
pub fn full(A: &Symmetric) -> Matrix {
    let mut out = vec![vec![0.0; A.n()]; A.n()];
    for (i, j, a) in A.entries() {
        out[i][j] = a;
        out[j][i] = a;
    }
    out
}

/// Rows and columns that are not held.
pub fn free(A: &Matrix, held: &[usize]) -> Matrix {
    let kept: Vec<usize> = (0..A.len()).filter(|i| !held.contains(i)).collect();
    kept.iter().map(|&i| kept.iter().map(|&j| A[i][j]).collect()).collect()
}

/// x with A x = b where coordinates not held, and x = 0 where held.
pub fn solve_held(A: &Matrix, b: &[f64], held: &[usize]) -> Vec<f64> {
    let kept: Vec<usize> = (0..A.len()).filter(|i| !held.contains(i)).collect();
    let x = solve(free(A, held), kept.iter().map(|&i| b[i]).collect());
    let mut out = vec![0.0; A.len()];
    kept.iter().zip(x).for_each(|(&i, x)| out[i] = x);
    out
}

fn solve(mut A: Matrix, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| A[i][k].abs().total_cmp(&A[j][k].abs())).unwrap();
        A.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = A[i][k] / A[k][k];
            for j in k..n {
                A[i][j] -= f * A[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| A[k][j] * b[j]).sum::<f64>()) / A[k][k];
    }
    b
}

/// Eigenvalues of K x = λ M x, ascending: Cholesky of M, then Jacobi's rotations.
pub fn eigenvalues(K: &Matrix, M: &Matrix) -> Vec<f64> {
    let n = K.len();
    let mut L = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s = M[i][j] - (0..j).map(|k| L[i][k] * L[j][k]).sum::<f64>();
            L[i][j] = if i == j { s.sqrt() } else { s / L[j][j] };
        }
    }
    // A = L⁻¹ K L⁻ᵀ, by forward substitution from both sides
    let below = |X: &Matrix| {
        let mut Y = X.clone();
        for c in 0..n {
            for i in 0..n {
                let s = X[i][c] - (0..i).map(|k| L[i][k] * Y[k][c]).sum::<f64>();
                Y[i][c] = s / L[i][i];
            }
        }
        Y
    };
    let transpose = |X: &Matrix| -> Matrix { (0..n).map(|i| (0..n).map(|j| X[j][i]).collect()).collect() };
    let mut A = below(&transpose(&below(K)));
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| A[i][j] * A[i][j]).sum();
        let diagonal: f64 = (0..n).map(|i| A[i][i] * A[i][i]).sum();
        if off <= 1e-36 * diagonal {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if A[p][q] == 0.0 {
                    continue;
                }
                let tau = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
                let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (a, b) = (A[k][p], A[k][q]);
                    A[k][p] = c * a - s * b;
                    A[k][q] = s * a + c * b;
                }
                for k in 0..n {
                    let (a, b) = (A[p][k], A[q][k]);
                    A[p][k] = c * a - s * b;
                    A[q][k] = s * a + c * b;
                }
            }
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| A[i][i]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Slope of the least-squares line through (ln x, ln y).
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x.ln() / n, b + y.ln() / n));
    let (sxy, sxx) = points
        .iter()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + (x.ln() - mx) * (y.ln() - my), b + (x.ln() - mx).powi(2)));
    sxy / sxx
}
