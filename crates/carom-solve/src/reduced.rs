//! One full Newton step on the Alart–Curnier equation P = A(P − U), with everything that is known left out.
//!
//! On the piece of A that z = p − u lies in, the linearised equations of a contact are
//!
//! ```text
//!   open     p = 0
//!   closed   u = 0
//!   slide    u_N = 0,  p_T = μ p_N t + p_n n,  κ u_n + (1 − κ) p_n = 0        t = z_T/|z_T|,  n ⊥ t,  κ = μ z_N/|z_T|
//!            (in the plane there is no n; dry friction: p = bound · t is known)
//! ```
//!
//! so only closed contacts bring unknowns: one each without friction or sliding in the plane, two sliding in space.
//! In the plane A is piecewise linear and a step that lands in the piece it started from is exact.

use crate::min_norm::MinNorm;
use crate::scaled::Scaled;
use crate::{Law, Mode};

/// An unknown, the equation that belongs to it, and how it enters p.
#[derive(Clone, Copy, Debug)]
enum Unknown {
    /// p_i, with u_i = 0.
    Plain { i: usize },
    /// p_N of a sliding contact, which drags p_T = μ p_N t along, with u_N = 0.
    Normal { i: usize, mu_t: [f64; 2], tangents: usize },
    /// p_n across the sliding direction, with κ u_n + (1 − κ) p_n = 0; i is the first tangential row.
    Across { i: usize, n: [f64; 2], kappa: f64 },
}

impl Unknown {
    /// Σ_j y_j ∂p_j/∂x.
    #[inline]
    fn along(&self, y: impl Fn(usize) -> f64) -> f64 {
        match *self {
            Unknown::Plain { i } => y(i),
            Unknown::Normal { i, mu_t, tangents: 1 } => y(i) + mu_t[0] * y(i + 1),
            Unknown::Normal { i, mu_t, .. } => y(i) + mu_t[0] * y(i + 1) + mu_t[1] * y(i + 2),
            Unknown::Across { i, n, .. } => n[0] * y(i) + n[1] * y(i + 1),
        }
    }
}

/// Workspace of the reduced step.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    unknowns: Vec<Unknown>,
    system: MinNorm,
    x: Vec<f64>,
}

impl Reduced {
    /// Takes the full step from (p, u) and writes the new p.
    pub fn step(&mut self, problem: &Scaled, rank_tolerance: f64, p: &[f64], u: &[f64], p_new: &mut [f64]) {
        p_new.fill(0.0);
        let known = self.sort(problem, p, u, p_new);
        let m = self.unknowns.len();
        if m == 0 {
            return;
        }
        self.system.begin(m);
        for (k, unknown) in self.unknowns.iter().enumerate() {
            let out = self.system.row_mut(k);
            // Velocity at x = 0: the free one and that of the dry rows which slide.
            let free = |i: usize| {
                let dry: f64 =
                    if known { problem.row(i).iter().zip(&*p_new).map(|(w, p)| w * p).sum() } else { 0.0 };
                problem.u_free[i] + dry
            };
            match *unknown {
                Unknown::Plain { i } | Unknown::Normal { i, .. } => {
                    let row = problem.row(i);
                    for (out, other) in out.iter_mut().zip(&self.unknowns) {
                        *out = other.along(|j| row[j]);
                    }
                    out[m] = -free(i);
                }
                Unknown::Across { i, n, kappa } => {
                    let (row_1, row_2) = (problem.row(i), problem.row(i + 1));
                    for (out, other) in out.iter_mut().zip(&self.unknowns) {
                        *out = kappa * other.along(|j| n[0] * row_1[j] + n[1] * row_2[j]);
                    }
                    out[k] += 1.0 - kappa;
                    out[m] = -kappa * (n[0] * free(i) + n[1] * free(i + 1));
                }
            }
        }
        self.system.solve(rank_tolerance, &mut self.x);
        for (x, unknown) in self.x.iter().zip(&self.unknowns) {
            match *unknown {
                Unknown::Plain { i } => p_new[i] = *x,
                Unknown::Normal { i, mu_t, tangents } => {
                    p_new[i] = *x;
                    for k in 0..tangents {
                        p_new[i + 1 + k] += mu_t[k] * x;
                    }
                }
                Unknown::Across { i, n, .. } => {
                    p_new[i] += n[0] * x;
                    p_new[i + 1] += n[1] * x;
                }
            }
        }
    }

    /// Lists the unknowns of the piece z = p − u lies in; returns whether any entry of p is already known not to be zero.
    fn sort(&mut self, problem: &Scaled, p: &[f64], u: &[f64], p_new: &mut [f64]) -> bool {
        self.unknowns.clear();
        let mut known = false;
        for (law, &i) in problem.laws.iter().zip(&problem.first) {
            let dim = law.dim();
            let mut z = [0.0; 3];
            for k in 0..dim {
                z[k] = p[i + k] - u[i + k];
            }
            match (law.mode(&z[..dim]), *law) {
                (Mode::Open, _) => {}
                (Mode::Closed, _) => self.unknowns.extend((i..i + dim).map(|i| Unknown::Plain { i })),
                (Mode::Slide(t), Law::Dry { bound }) => {
                    p_new[i] = bound * t[0];
                    known = true;
                }
                (Mode::Slide(t), _) => {
                    let mu = law.friction();
                    let mu_t = [mu * t[0], mu * t[1]];
                    self.unknowns.push(Unknown::Normal { i, mu_t, tangents: dim - 1 });
                    if dim == 3 {
                        let norm = z[1].hypot(z[2]);
                        let kappa = if norm > 0.0 { mu * z[0] / norm } else { 0.0 };
                        self.unknowns.push(Unknown::Across { i: i + 1, n: [-t[1], t[0]], kappa });
                    }
                }
            }
        }
        known
    }
}
