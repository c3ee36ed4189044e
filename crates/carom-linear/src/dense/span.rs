//! What rows span, and what is orthogonal to all of them: orthonormal bases by Gram–Schmidt.

use super::Matrix;
use crate::{axpy, dot};

/// Rows G = L Y with orthonormal rows Y, and what is orthogonal to all of them, Z.
#[derive(Clone, Debug)]
pub struct Span {
    /// Orthonormal, as many as independent rows.
    pub Y: Matrix,
    /// Orthonormal.
    pub Z: Matrix,
    /// Numbers of the rows that Y was made from, in order.
    pub chosen: Vec<usize>,
    /// L of the chosen rows, lower triangular, and of the others, full.
    L: Matrix,
}

/// What is left of a row of length 1 that counts as nothing.
const DEPENDENT: f64 = 1e-9;

impl Span {
    /// Gram–Schmidt, twice each, always with the row of which most is left.
    pub fn new(G: &Matrix) -> Self {
        let (m, n) = (G.rows, G.columns);
        let size: Vec<f64> = (0..m).map(|i| dot(G.row(i), G.row(i)).sqrt()).collect();
        let mut left = G.clone();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let mut chosen = Vec::new();
        let mut open: Vec<usize> = (0..m).filter(|&i| size[i] > 0.0).collect();
        while !open.is_empty() && basis.len() < n {
            let share = |i: usize| dot(left.row(i), left.row(i)).sqrt() / size[i];
            let (place, best) = (0..open.len())
                .map(|k| (k, share(open[k])))
                .fold((0, -1.0), |best, next| if next.1 > best.1 { next } else { best });
            if best <= DEPENDENT {
                break;
            }
            let i = open.remove(place);
            let mut y = left.row(i).to_vec();
            orthonormalise(&basis, &mut y);
            for &k in &open {
                let along = dot(left.row(k), &y);
                axpy(-along, &y, left.row_mut(k));
            }
            basis.push(y);
            chosen.push(i);
        }
        let rank = basis.len();
        // the rest of the space: unit vectors, the one of which most is left first
        let mut outside = vec![1.0; n];
        for y in &basis {
            outside.iter_mut().zip(y).for_each(|(left, y)| *left -= y * y);
        }
        let mut Z = Matrix::zero(n - rank, n);
        for k in 0..n - rank {
            let best = (0..n).fold(0, |best, j| if outside[j] > outside[best] { j } else { best });
            let mut z = vec![0.0; n];
            z[best] = 1.0;
            orthonormalise(&basis, &mut z);
            outside.iter_mut().zip(&z).for_each(|(left, z)| *left -= z * z);
            Z.row_mut(k).copy_from_slice(&z);
            basis.push(z);
        }
        let mut Y = Matrix::zero(rank, n);
        for (k, y) in basis.iter().take(rank).enumerate() {
            Y.row_mut(k).copy_from_slice(y);
        }
        let mut L = Matrix::zero(m, rank);
        for i in 0..m {
            for k in 0..rank {
                L.row_mut(i)[k] = dot(G.row(i), Y.row(k));
            }
        }
        Self { Y, Z, chosen, L }
    }

    /// The shortest x with G x = r for the chosen rows.
    pub fn reach(&self, r: &[f64]) -> Vec<f64> {
        let rank = self.chosen.len();
        let mut y = vec![0.0; rank];
        for k in 0..rank {
            let row = self.L.row(self.chosen[k]);
            y[k] = (r[self.chosen[k]] - dot(&row[..k], &y[..k])) / row[k];
        }
        self.Y.transposed_times(&y)
    }

    /// λ with Gᵀ λ = f in the span of the rows; rows that depend on others take nothing.
    pub fn carry(&self, f: &[f64]) -> Vec<f64> {
        let rank = self.chosen.len();
        let along = self.Y.times(f);
        let mut lambda = vec![0.0; self.L.rows];
        for k in (0..rank).rev() {
            let later: f64 =
                (k + 1..rank).map(|j| self.L.row(self.chosen[j])[k] * lambda[self.chosen[j]]).sum();
            lambda[self.chosen[k]] = (along[k] - later) / self.L.row(self.chosen[k])[k];
        }
        lambda
    }
}

fn orthonormalise(basis: &[Vec<f64>], x: &mut [f64]) {
    for _ in 0..2 {
        for y in basis {
            let along = dot(y, x);
            axpy(-along, y, x);
        }
        let size = dot(x, x).sqrt();
        x.iter_mut().for_each(|x| *x /= size);
    }
}

/// Eigenvalues of a symmetric matrix, the least first, and their vectors as rows: cyclic rotations of Jacobi.
pub fn eigen(mut A: Matrix) -> (Vec<f64>, Matrix) {
    let n = A.rows;
    let mut V = Matrix::zero(n, n);
    (0..n).for_each(|i| V.row_mut(i)[i] = 1.0);
    for _ in 0..50 {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| A.row(i)[j].powi(2)).sum();
        let all: f64 = (0..n).map(|i| A.row(i)[i].powi(2)).sum();
        if off <= 1e-32 * all || off == 0.0 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let (app, aqq, apq) = (A.row(p)[p], A.row(q)[q], A.row(p)[q]);
                if apq == 0.0 {
                    continue;
                }
                let theta = 0.5 * (aqq - app) / apq;
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (A.row(k)[p], A.row(k)[q]);
                    A.row_mut(k)[p] = c * x - s * y;
                    A.row_mut(k)[q] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (A.row(p)[k], A.row(q)[k]);
                    A.row_mut(p)[k] = c * x - s * y;
                    A.row_mut(q)[k] = s * x + c * y;
                    let (x, y) = (V.row(p)[k], V.row(q)[k]);
                    V.row_mut(p)[k] = c * x - s * y;
                    V.row_mut(q)[k] = s * x + c * y;
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| A.row(a)[a].total_cmp(&A.row(b)[b]));
    let mut vectors = Matrix::zero(n, n);
    for (k, &i) in order.iter().enumerate() {
        vectors.row_mut(k).copy_from_slice(V.row(i));
    }
    (order.iter().map(|&i| A.row(i)[i]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(rows: usize, columns: usize, seed: u64) -> Matrix {
        let mut state = seed;
        let mut A = Matrix::zero(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                A.row_mut(i)[j] = (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
            }
        }
        A
    }

    #[test]
    fn rows_that_depend_are_found() {
        let mut G = sample(4, 7, 3);
        let sum: Vec<f64> = G.row(0).iter().zip(G.row(2)).map(|(a, b)| 2.0 * a - b).collect();
        G.row_mut(3).copy_from_slice(&sum);
        let rows = Span::new(&G);
        assert_eq!((rows.Y.rows, rows.Z.rows), (3, 4));
        for i in 0..4 {
            for k in 0..4 {
                assert!(dot(G.row(i), rows.Z.row(k)).abs() < 1e-14);
            }
        }
        let r = G.times(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        let x = rows.reach(&r);
        G.times(&x).iter().zip(&r).for_each(|(a, b)| assert!((a - b).abs() < 1e-13));
        let f = G.transposed_times(&[0.3, -1.0, 2.0, 0.7]);
        let again = G.transposed_times(&rows.carry(&f));
        again.iter().zip(&f).for_each(|(a, b)| assert!((a - b).abs() < 1e-13));
    }

    #[test]
    fn eigenvectors_are_eigenvectors() {
        let mut A = sample(6, 6, 11);
        A.symmetrise();
        let (values, V) = eigen(A.clone());
        for k in 0..6 {
            let Av = A.times(V.row(k));
            Av.iter().zip(V.row(k)).for_each(|(a, v)| assert!((a - values[k] * v).abs() < 1e-13));
        }
        assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
