//! One contact with two disks, its neighbours held: u = W p + q with rows (N, T, R), N ≤ 5 of them in all.
//!
//! Open, or all sticking, is a sign and an N × N system. What slides or rolls is sought by semismooth Newton steps on the
//! Alart–Curnier equation, from where the contact was and from the friction that would stop it:
//!
//! ```text
//!   F(p) = p − A(z),   z = p − u/w,      p ← p − α J⁻¹ F,   J = 1 − A' (1 − W/w),      α = 1, ½, ¼ … until |F| falls
//! ```
//!
//! Where they do not settle there is a slower way that does: with p_N held, x = (p_T, m_R) is the one solution of a convex
//! problem over two disks, which alternate between them solves, and what is left is one equation in p_N, bisected:
//!
//! ```text
//!   x(p_N) = argmin ½ xᵀ W_xx x + xᵀ (q_x + W_xN p_N)   over |p_T| ≤ μ p_N, |m_R| ≤ μ_r p_N,      u_N(p_N) = 0
//! ```
//!
//! A block that is nearly singular is solved in proximal form, as in `warm.rs`. All answers but the first two are measured
//! and the best is taken. W is expected with rolling rows about as large as the others (`row_units.rs`).

use crate::matrix::dense_view::{Block, View};
use crate::{Disk, Law};
use carom_linear::dot_long;

type Matrix<const N: usize> = [[f64; N]; N];

/// Pivots of the block relative to its largest entry, below which the proximal form is used.
const NEARLY_SINGULAR: f64 = 1e-9;
/// δ of the proximal form.
const PROXIMAL: f64 = 1e-3;
/// Newton steps from one start.
const STEPS: usize = 20;
/// Halvings of a step.
const HALVINGS: usize = 12;
/// Natural map, relative to the size of p, at which an answer counts as found.
const FOUND: f64 = 1e-12;
/// Rounds between the two disks, bisections of p_N, and doublings before it counts as jammed.
const ROUNDS: usize = 100;
const BISECTIONS: usize = 60;
const DOUBLINGS: usize = 40;

/// One contact of a sweep over dense rows.
pub(crate) fn sweep_dense(law: &Law, block: &Block, view: &View<'_>, P: &mut [f64]) {
    match law.dim() {
        3 => sweep_rows::<3>(law, block, view, P),
        4 => sweep_rows::<4>(law, block, view, P),
        _ => sweep_rows::<5>(law, block, view, P),
    }
}

fn sweep_rows<const N: usize>(law: &Law, block: &Block, view: &View<'_>, P: &mut [f64]) {
    let rows = block.first..block.first + N;
    let old = array(&P[rows.clone()]);
    P[rows.clone()].fill(0.0);
    let q = std::array::from_fn(|k| dot_long(view.W.row(block.first + k), P) + view.U_free[block.first + k]);
    let W = std::array::from_fn(|k| array(&view.W.row(block.first + k)[rows.clone()]));
    P[rows].copy_from_slice(&solve::<N>(law, W, q, old));
}

/// P of one contact from its block (row by row), the velocity U there is, and the P it has.
pub(crate) fn solve_from(law: &Law, block: &[f64], U: &[f64], old: &[f64], new: &mut [f64]) {
    match law.dim() {
        3 => new.copy_from_slice(&from_velocity::<3>(law, block, array(U), array(old))),
        4 => new.copy_from_slice(&from_velocity::<4>(law, block, array(U), array(old))),
        _ => new.copy_from_slice(&from_velocity::<5>(law, block, array(U), array(old))),
    }
}

fn from_velocity<const N: usize>(law: &Law, block: &[f64], U: [f64; N], old: [f64; N]) -> [f64; N] {
    let W: Matrix<N> = std::array::from_fn(|k| array(&block[N * k..N * (k + 1)]));
    let own = times(&W, &old);
    solve(law, W, std::array::from_fn(|i| U[i] - own[i]), old)
}

/// P of a contact alone, from the P it had.
pub(crate) fn solve_alone(law: &Law, W: impl Fn(usize, usize) -> f64, q: &[f64], P: &mut [f64]) {
    fn rows<const N: usize>(law: &Law, W: impl Fn(usize, usize) -> f64, q: &[f64], P: &mut [f64]) {
        let W = std::array::from_fn(|i| std::array::from_fn(|j| W(i, j)));
        P.copy_from_slice(&solve::<N>(law, W, array(q), array(P)));
    }
    match law.dim() {
        3 => rows::<3>(law, W, q, P),
        4 => rows::<4>(law, W, q, P),
        _ => rows::<5>(law, W, q, P),
    }
}

fn array<const N: usize>(x: &[f64]) -> [f64; N] {
    x.try_into().expect("as many rows as the law has")
}

fn times<const N: usize>(W: &Matrix<N>, p: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| (0..N).map(|j| W[i][j] * p[j]).sum())
}

/// P of one contact from its block, the velocity q it has without its own P, and the P it had.
fn solve<const N: usize>(law: &Law, mut W: Matrix<N>, mut q: [f64; N], old: [f64; N]) -> [f64; N] {
    if q[0] >= 0.0 {
        return [0.0; N];
    }
    let w = (0..N).map(|i| W[i][i].abs()).fold(0.0, f64::max);
    if w <= 0.0 || !w.is_finite() {
        return [0.0; N];
    }
    let mut stuck = solve_rows(W, q.map(|q| -q), NEARLY_SINGULAR * w);
    if stuck.is_none() {
        for i in 0..N {
            W[i][i] += PROXIMAL * w;
            q[i] -= PROXIMAL * w * old[i];
        }
        if q[0] >= 0.0 {
            return [0.0; N];
        }
        stuck = solve_rows(W, q.map(|q| -q), 0.0);
    }
    // all stick: W p = −q inside the cone
    if let Some(p) = stuck
        && p[0] >= 0.0
        && law.two_disks().iter().all(|disk| disk.norm(&p) <= disk.mu * p[0])
    {
        return p;
    }
    let contact = Contact { law, W: &W, q: &q, w };
    let mut best = ([0.0; N], f64::INFINITY);
    // where it was; then the normal alone, with the friction that stops as much as it can
    let mut stopped = stuck.unwrap_or([0.0; N]);
    stopped[0] = -q[0] / W[0][0].max(f64::MIN_POSITIVE);
    law.alart_curnier(&mut stopped);
    for start in [old, stopped] {
        if start[0] > 0.0 && contact.newton(start, &mut best) {
            return best.0;
        }
    }
    if let Some(p) = contact.bisected() {
        contact.newton(p, &mut best);
    }
    best.0
}

/// A contact with its measure.
struct Contact<'a, const N: usize> {
    law: &'a Law,
    W: &'a Matrix<N>,
    q: &'a [f64; N],
    w: f64,
}

impl<const N: usize> Contact<'_, N> {
    fn velocity(&self, p: &[f64; N]) -> [f64; N] {
        let u = times(self.W, p);
        std::array::from_fn(|i| u[i] + self.q[i])
    }

    /// z = p − u/w.
    fn argument(&self, p: &[f64; N]) -> [f64; N] {
        let u = self.velocity(p);
        std::array::from_fn(|i| p[i] - u[i] / self.w)
    }

    /// F(p) and |F|².
    fn equation(&self, p: &[f64; N]) -> ([f64; N], f64) {
        let mut z = self.argument(p);
        self.law.alart_curnier(&mut z);
        let F: [f64; N] = std::array::from_fn(|i| p[i] - z[i]);
        (F, F.iter().map(|F| F * F).sum())
    }

    /// The natural map relative to the impulses.
    fn measure(&self, p: &[f64; N]) -> f64 {
        let largest = |x: &[f64; N]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        self.law.residual(&self.velocity(p), p, 1.0 / self.w) / largest(p).max(largest(self.q) / self.w)
    }

    /// Steps from p; keeps the best point met and says whether it is the answer.
    fn newton(&self, mut p: [f64; N], best: &mut ([f64; N], f64)) -> bool {
        let (mut F, mut merit) = self.equation(&p);
        for _ in 0..STEPS {
            let A: Matrix<N> = self.law.alart_curnier_jacobian(&self.argument(&p));
            let mut J = [[0.0; N]; N];
            for i in 0..N {
                for j in 0..N {
                    let through: f64 = (0..N).map(|k| A[i][k] * self.W[k][j]).sum();
                    J[i][j] = f64::from(u8::from(i == j)) - A[i][j] + through / self.w;
                }
            }
            let Some(step) = solve_rows(J, F, 0.0) else { break };
            let (mut alpha, mut accepted) = (1.0, false);
            for _ in 0..HALVINGS {
                let trial = std::array::from_fn(|i| p[i] - alpha * step[i]);
                let (F_trial, merit_trial) = self.equation(&trial);
                if merit_trial < merit {
                    (p, F, merit, accepted) = (trial, F_trial, merit_trial, true);
                    break;
                }
                alpha *= 0.5;
            }
            let measured = self.measure(&p);
            if measured < best.1 {
                *best = (p, measured);
            }
            // on until it settles: the last step costs little and doubles the digits
            if !accepted || merit == 0.0 {
                break;
            }
            if measured <= 1e-2 * FOUND {
                return true;
            }
        }
        let measured = self.measure(&p);
        if measured < best.1 {
            *best = (p, measured);
        }
        best.1 <= FOUND
    }

    /// p_N by bisection; none if no p_N stops the approach.
    #[cold]
    fn bisected(&self) -> Option<[f64; N]> {
        let (mut low, mut high) = (0.0, -self.q[0] / self.W[0][0]);
        let mut p = [0.0; N];
        for _ in 0..DOUBLINGS {
            if !high.is_finite() {
                return None;
            }
            self.within(high, &mut p);
            if self.velocity(&p)[0] >= 0.0 {
                for _ in 0..BISECTIONS {
                    let middle = 0.5 * (low + high);
                    self.within(middle, &mut p);
                    if self.velocity(&p)[0] < 0.0 { low = middle } else { high = middle }
                }
                self.within(high, &mut p);
                return Some(p);
            }
            (low, high) = (high, 2.0 * high);
        }
        None
    }

    /// x(p_N) by turns in the two disks, from the x there is.
    fn within(&self, p_N: f64, p: &mut [f64; N]) {
        p[0] = p_N;
        for _ in 0..ROUNDS {
            let before = *p;
            for Disk { first: at, rows, mu } in self.law.two_disks() {
                p[at..at + rows].fill(0.0);
                let u = self.velocity(p);
                if rows == 1 {
                    p[at] = in_interval(self.W[at][at], u[at], mu * p_N);
                    continue;
                }
                let A =
                    [self.W[at][at], 0.5 * (self.W[at][at + 1] + self.W[at + 1][at]), self.W[at + 1][at + 1]];
                [p[at], p[at + 1]] = in_disk(A, [u[at], u[at + 1]], mu * p_N);
            }
            let moved = (1..N).map(|i| (p[i] - before[i]).abs()).fold(0.0, f64::max);
            if moved <= f64::EPSILON * p_N {
                break;
            }
        }
    }
}

/// argmin ½ a x² + b x over |x| ≤ R, a ≥ 0.
fn in_interval(a: f64, b: f64, R: f64) -> f64 {
    if R <= 0.0 || b == 0.0 {
        return 0.0;
    }
    let x = -b / a;
    if x.abs() <= R { x } else { -R.copysign(b) }
}

/// argmin ½ xᵀ A x + bᵀ x over |x| ≤ R, A = (a, h; h, d) positive semidefinite: x = −(A + λ)⁻¹ b with λ = 0, or the λ for
/// which |x| = R, by Newton's method on 1/|x| − 1/R, which comes from the left and does not overshoot.
fn in_disk([a, h, d]: [f64; 3], b: [f64; 2], R: f64) -> [f64; 2] {
    if R <= 0.0 || b == [0.0; 2] {
        return [0.0; 2];
    }
    // a hair of λ where A is singular
    let mut lambda = f64::EPSILON * (a + d);
    let mut x = [0.0; 2];
    for _ in 0..60 {
        let (a, d) = (a + lambda, d + lambda);
        let det = a * d - h * h;
        x = [(h * b[1] - d * b[0]) / det, (h * b[0] - a * b[1]) / det];
        let norm = x[0].hypot(x[1]);
        if norm <= R * (1.0 + 4.0 * f64::EPSILON) {
            break;
        }
        // d|x|/dλ = −xᵀ (A + λ)⁻¹ x / |x|
        let slope = (d * x[0] * x[0] - 2.0 * h * x[0] * x[1] + a * x[1] * x[1]) / det;
        lambda += (norm - R) / R * norm * norm / slope;
    }
    x
}

/// A⁻¹ b by elimination with row pivoting; none if a pivot is at most this small.
fn solve_rows<const N: usize>(mut A: Matrix<N>, mut b: [f64; N], smallest: f64) -> Option<[f64; N]> {
    for k in 0..N {
        let pivot = (k..N).max_by(|&i, &j| A[i][k].abs().total_cmp(&A[j][k].abs()))?;
        A.swap(k, pivot);
        b.swap(k, pivot);
        if A[k][k].abs() <= smallest || !A[k][k].is_finite() {
            return None;
        }
        for i in k + 1..N {
            let factor = A[i][k] / A[k][k];
            for j in k..N {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..N).rev() {
        for j in k + 1..N {
            b[k] -= A[k][j] * b[j];
        }
        b[k] /= A[k][k];
    }
    b.iter().all(|x| x.is_finite()).then_some(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Seeded;

    fn law(friction: f64, rolling: f64) -> Law {
        Law::spatial_rolling(friction, rolling)
    }

    /// W = Σ over k directions of g gᵀ: rank k at most.
    fn block(rng: &mut Seeded, rank: usize) -> Matrix<5> {
        let mut W = [[0.0; 5]; 5];
        for _ in 0..rank {
            let g: [f64; 5] = std::array::from_fn(|_| rng.next());
            for i in 0..5 {
                (0..5).for_each(|j| W[i][j] += g[i] * g[j]);
            }
        }
        W
    }

    fn measured(law: &Law, W: &Matrix<5>, q: &[f64; 5], p: &[f64; 5]) -> f64 {
        let w = (0..5).map(|i| W[i][i]).fold(0.0, f64::max);
        Contact { law, W, q, w }.measure(p)
    }

    /// Which of open, stick or slide, stick or roll an answer is.
    fn kind(law: &Law, p: &[f64; 5]) -> usize {
        let on = |mu: f64, x: f64, y: f64| usize::from(x.hypot(y) > (1.0 - 1e-9) * mu * p[0]);
        if p[0] == 0.0 { 4 } else { on(law.friction(), p[1], p[2]) + 2 * on(law.rolling(), p[3], p[4]) }
    }

    /// Regular blocks, friction as it is among bodies: the law holds, from any start, and all modes are met.
    #[test]
    fn regular_blocks_obey_the_law() {
        let mut rng = Seeded(53);
        let mut met = [0; 5];
        for trial in 0..20_000 {
            let W = block(&mut rng, 8);
            let q: [f64; 5] = std::array::from_fn(|i| rng.next() - if i == 0 { 0.5 } else { 0.0 });
            let law = law(rng.between(0.05, 0.6), rng.between(0.05, 0.6));
            let old: [f64; 5] = std::array::from_fn(|_| rng.next());
            let p = solve(&law, W, q, old);
            let r = measured(&law, &W, &q, &p);
            met[kind(&law, &p)] += 1;
            assert!(r < 1e-9, "trial {trial}: {r:e} for {law:?}, W = {W:?}, q = {q:?}, {old:?}");
        }
        assert!(met.iter().all(|&n| n > 100), "{met:?}");
    }

    /// The two ways, Newton's steps and bisection, lead to the same place where there is only one.
    #[test]
    fn both_ways_agree() {
        let mut rng = Seeded(59);
        for trial in 0..2000 {
            let W = block(&mut rng, 12);
            let q: [f64; 5] = std::array::from_fn(|i| if i == 0 { -1.0 } else { rng.next() });
            let law = law(rng.between(0.02, 0.2), rng.between(0.02, 0.2));
            let p = solve(&law, W, q, [0.0; 5]);
            let w = (0..5).map(|i| W[i][i]).fold(0.0, f64::max);
            let other = Contact { law: &law, W: &W, q: &q, w }.bisected().expect("nothing jams");
            let apart = (0..5).map(|i| (p[i] - other[i]).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-8 * p[0], "trial {trial}: {p:?}, not {other:?}");
        }
    }

    /// Blocks of every lower rank that can stop what they meet: repeated from its own answer, the law holds.
    #[test]
    fn singular_blocks_settle() {
        let mut rng = Seeded(61);
        let mut unsolved = 0;
        for trial in 0..2000 {
            let W = block(&mut rng, 1 + trial % 4);
            let v: [f64; 5] = std::array::from_fn(|_| rng.next());
            let q = times(&W, &v);
            let law = law(rng.between(0.0, 0.5), rng.between(0.0, 0.5));
            let mut p = [0.0; 5];
            for _ in 0..60 {
                p = solve(&law, W, q, p);
            }
            unsolved += usize::from(measured(&law, &W, &q, &p) > 1e-9);
        }
        // the rest jam
        assert!(unsolved <= 60, "{unsolved} of 2000");
    }
}
