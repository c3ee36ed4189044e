//! The problem in units of its own: every contact block of Ŵ has largest diagonal entry 1.
//!
//! ```text
//!   p = √w P,   u = U / √w,   w_ij = Ŵ_ij / √(w_i w_j),   u = w p + u_free
//! ```
//!
//! Laws keep their form (bounds of dry friction are scaled with p), thresholds mean the same for every mass, length
//! and time, and the residual is max |F| / max(|u_free|, |p|) with ρ = 1.

use crate::residual::{block_scale, borrowed_scale};
use crate::{ContactProblem, Law};

/// A scaled copy of a problem, reused from solve to solve.
#[derive(Debug, Default)]
pub(crate) struct Scaled {
    /// Rows of u and p.
    pub n: usize,
    /// The scaled Delassus matrix, row by row.
    pub W: Vec<f64>,
    /// u at p = 0.
    pub u_free: Vec<f64>,
    /// Laws in terms of u and p.
    pub laws: Vec<Law>,
    /// First row of each contact.
    pub first: Vec<usize>,
    /// 1/√w per row: P = s p.
    s: Vec<f64>,
}

impl Scaled {
    /// Copies and scales a problem.
    pub fn load(&mut self, problem: &ContactProblem<'_>) {
        let n = problem.U_free.len();
        debug_assert_eq!(n, problem.W_hat.rows(), "Ŵ and U_free have the same rows");
        debug_assert_eq!(n, problem.laws.iter().map(Law::dim).sum::<usize>(), "laws cover all rows");
        self.n = n;
        self.W.resize(n * n, 0.0);
        self.u_free.resize(n, 0.0);
        self.s.clear();
        self.laws.clear();
        self.first.clear();
        let dense = problem.W_hat.dense();
        let mut row = 0;
        for law in problem.laws {
            let dim = law.dim();
            let mut w = match dense {
                Some(W) => block_scale(row, dim, |i| W[(i, i)]),
                None => block_scale(row, dim, |i| problem.W_hat.entry(i, i)),
            };
            if w <= 0.0 || !w.is_finite() {
                w = borrowed_scale(problem.W_hat);
            }
            let root = w.sqrt();
            self.first.push(row);
            self.laws.push(match *law {
                Law::Dry { bound } => Law::Dry { bound: root * bound },
                other => other,
            });
            for _ in 0..dim {
                self.s.push(1.0 / root);
            }
            row += dim;
        }
        for i in 0..n {
            let s_i = self.s[i];
            self.u_free[i] = s_i * problem.U_free[i];
            let out = &mut self.W[i * n..(i + 1) * n];
            match dense {
                Some(W) => {
                    for ((out, w), s) in out.iter_mut().zip(W.row(i)).zip(&self.s) {
                        *out = s_i * w * s;
                    }
                }
                None => {
                    for (j, (out, s)) in out.iter_mut().zip(&self.s).enumerate() {
                        *out = s_i * problem.W_hat.entry(i, j) * s;
                    }
                }
            }
        }
    }

    /// p from P.
    pub fn scale(&self, P: &[f64], p: &mut [f64]) {
        for ((p, P), s) in p.iter_mut().zip(P).zip(&self.s) {
            *p = P / s;
        }
    }

    /// P from p.
    pub fn unscale(&self, p: &[f64], P: &mut [f64]) {
        for ((P, p), s) in P.iter_mut().zip(p).zip(&self.s) {
            *P = s * p;
        }
    }

    /// Row i of the matrix.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.W[i * self.n..(i + 1) * self.n]
    }

    /// u = w p + u_free.
    pub fn velocity(&self, p: &[f64], u: &mut [f64]) {
        for (i, u) in u.iter_mut().enumerate() {
            *u = self.row(i).iter().zip(p).map(|(w, p)| w * p).sum::<f64>() + self.u_free[i];
        }
    }

    /// The documented residual, here simply with ρ = 1 and w = 1.
    pub fn residual(&self, p: &[f64], u: &[f64]) -> f64 {
        let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
        for (law, &first) in self.laws.iter().zip(&self.first) {
            let rows = first..first + law.dim();
            let F = law.residual(&u[rows.clone()], &p[rows.clone()], 1.0);
            if !F.is_finite() {
                return f64::INFINITY;
            }
            worst = worst.max(F);
            let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
            scale = scale.max(square(&self.u_free[rows.clone()])).max(square(&p[rows]));
        }
        if worst == 0.0 { 0.0 } else { worst / scale.sqrt() }
    }

    /// |P − A(P − U)|, the merit of the Alart–Curnier equation.
    pub fn merit(&self, p: &[f64], u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (law, &first) in self.laws.iter().zip(&self.first) {
            let mut z = [0.0; 3];
            let dim = law.dim();
            for k in 0..dim {
                z[k] = p[first + k] - u[first + k];
            }
            law.alart_curnier(&mut z[..dim]);
            for k in 0..dim {
                sum += (p[first + k] - z[k]) * (p[first + k] - z[k]);
            }
        }
        f64::sqrt(sum)
    }
}
