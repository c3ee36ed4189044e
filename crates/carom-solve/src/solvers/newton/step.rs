//! One full Newton step on the Alart–Curnier equation P = A(P − U), with everything that is known left out.
//!
//! On the piece of A that z = P − ρ U lies in, the linearised equations of a contact are
//!
//! ```text
//!   open     P = 0
//!   closed   U = 0
//!   slide    U_N = 0,  P_T = μ P_N t + P_n n,  κ ρ U_n + (1 − κ) P_n = 0      t = z_T/|z_T|,  n ⊥ t,  κ = μ z_N/|z_T|
//!            (in the plane there is no n; dry friction: P = bound · t is known)
//! ```
//!
//! with rolling resistance the same twice, for P_T and for M_R: so only closed contacts bring unknowns: one each without friction or sliding in the plane, two sliding in space.
//! In the plane A is piecewise linear and a step that lands in the piece it started from is exact.

use crate::law::direction;
use crate::matrix::dense_view::{Block, View, dot};
use crate::min_norm::MinNorm;
use crate::{Law, Mode};

/// A one-sided contact whose √w z_N is this fraction of the largest is open: touching without load, it would otherwise
/// open and close with the rounding, and every choice costs a step.
const NOISE: f64 = 1e-13;

/// An unknown, the equation that belongs to it, and how it enters P.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    kind: Kind,
    /// First row it touches.
    i: usize,
    /// 1/√w: the unknown is x = √w P, its equation is divided by √w.
    s: f64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// P_i, with U_i = 0.
    Plain,
    /// P_N sliding in the plane, which drags P_T = μ t P_N along, with U_N = 0.
    Line(f64),
    /// The same in space.
    Disk([f64; 2]),
    /// P_N with rolling resistance, which drags what slides or rolls along: μ t in the rows that follow it, 0 where it sticks.
    Disks([f64; 4]),
    /// P_n across the sliding direction n, with κ U_n + (1 − κ) w P_n = 0; i is the first tangential row.
    Across([f64; 2], f64),
}

impl Unknown {
    /// Σ_j y_j ∂P_j/∂x.
    #[inline]
    fn along(&self, y: impl Fn(usize) -> f64) -> f64 {
        let i = self.i;
        self.s
            * match self.kind {
                Kind::Plain => y(i),
                Kind::Line(mu_t) => y(i) + mu_t * y(i + 1),
                Kind::Disk(mu_t) => y(i) + mu_t[0] * y(i + 1) + mu_t[1] * y(i + 2),
                Kind::Disks(d) => {
                    y(i) + d[0] * y(i + 1) + d[1] * y(i + 2) + d[2] * y(i + 3) + d[3] * y(i + 4)
                }
                Kind::Across(n, _) => n[0] * y(i) + n[1] * y(i + 1),
            }
    }
}

impl Unknown {
    /// x at P.
    fn value(&self, P: &[f64]) -> f64 {
        let i = self.i;
        match self.kind {
            Kind::Across(n, _) => (n[0] * P[i] + n[1] * P[i + 1]) / self.s,
            _ => P[i] / self.s,
        }
    }
}

/// How the linear system of a step is solved when it is (nearly) singular.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearSolve {
    /// Pivots below this fraction of the largest count as zero; the solution is then the smallest.
    pub rank_tolerance: f64,
    /// Weight δ of a term δ (x − x_old) added to every equation: 0 for the plain step.
    pub proximal: f64,
}

/// Workspace of the reduced step.
#[derive(Debug, Default)]
pub(crate) struct Reduced {
    /// Rows there is room for.
    rows: usize,
    unknowns: Vec<Unknown>,
    system: MinNorm,
    x: Vec<f64>,
}

impl Reduced {
    /// Makes room for problems of up to n rows, so that no step of theirs allocates.
    fn grow(&mut self, n: usize) {
        if n > self.rows {
            self.rows = n;
            self.unknowns.reserve(n.saturating_sub(self.unknowns.len()));
            self.x.reserve(n.saturating_sub(self.x.len()));
            self.system.grow(n);
        }
    }

    /// Takes the full step from (P, U) and writes the new P.
    pub fn step(&mut self, view: &View<'_>, by: LinearSolve, P: &[f64], U: &[f64], P_new: &mut [f64]) {
        self.grow(view.n());
        P_new.fill(0.0);
        let known = self.sort(view, P, U, P_new);
        let m = self.unknowns.len();
        if m == 0 {
            return;
        }
        self.system.begin(m);
        // Velocity at x = 0: the free one and that of the dry rows which slide.
        let free = |i: usize| view.U_free[i] + if known { dot(view.W.row(i), P_new) } else { 0.0 };
        for (k, unknown) in self.unknowns.iter().enumerate() {
            let (i, s) = (unknown.i, unknown.s);
            let out = self.system.row_mut(k);
            if let Kind::Across(n, kappa) = unknown.kind {
                let (row_1, row_2) = (view.W.row(i), view.W.row(i + 1));
                for (out, other) in out.iter_mut().zip(&self.unknowns) {
                    *out = kappa * s * other.along(|j| n[0] * row_1[j] + n[1] * row_2[j]);
                }
                out[k] += 1.0 - kappa;
                out[m] = -kappa * s * (n[0] * free(i) + n[1] * free(i + 1));
            } else {
                let row = view.W.row(i);
                for (out, other) in out.iter_mut().zip(&self.unknowns) {
                    *out = s * other.along(|j| row[j]);
                }
                out[m] = -s * free(i);
            }
            if by.proximal > 0.0 {
                out[k] += by.proximal;
                out[m] += by.proximal * unknown.value(P);
            }
        }
        self.system.solve(by.rank_tolerance, &mut self.x);
        for (x, unknown) in self.x.iter().zip(&self.unknowns) {
            let (i, x) = (unknown.i, unknown.s * x);
            match unknown.kind {
                Kind::Plain => P_new[i] = x,
                Kind::Line(mu_t) => {
                    P_new[i] = x;
                    P_new[i + 1] = mu_t * x;
                }
                Kind::Disk(mu_t) => {
                    P_new[i] = x;
                    P_new[i + 1] += mu_t[0] * x;
                    P_new[i + 2] += mu_t[1] * x;
                }
                Kind::Disks(d) => {
                    P_new[i] = x;
                    (0..4).for_each(|k| P_new[i + 1 + k] += d[k] * x);
                }
                Kind::Across(n, _) => {
                    P_new[i] += n[0] * x;
                    P_new[i + 1] += n[1] * x;
                }
            }
        }
    }

    /// Unknowns of a contact with rolling resistance that slides or rolls or both.
    #[inline(never)]
    fn disks(&mut self, law: &Law, on_bound: [bool; 2], z: &[f64], i: usize, s: f64) {
        let (mu, t) = ([law.friction(), law.rolling()], [direction(z, 1), direction(z, 3)]);
        let dragged = |k: usize| if on_bound[k / 2] { mu[k / 2] * t[k / 2][k % 2] } else { 0.0 };
        self.unknowns.push(Unknown { kind: Kind::Disks(std::array::from_fn(dragged)), i, s });
        for (((mu, t), on_bound), i_T) in mu.into_iter().zip(t).zip(on_bound).zip([1, 3]) {
            let i = i + i_T;
            if !on_bound {
                self.unknowns.extend((i..i + 2).map(|i| Unknown { kind: Kind::Plain, i, s }));
                continue;
            }
            let norm = z[i_T].hypot(z[i_T + 1]);
            let kappa = if norm > 0.0 { mu * z[0] / norm } else { 0.0 };
            self.unknowns.push(Unknown { kind: Kind::Across([-t[1], t[0]], kappa), i, s });
        }
    }

    /// Lists the unknowns of the piece z = P − ρ U lies in; returns whether some P is already known not to be zero.
    fn sort(&mut self, view: &View<'_>, P: &[f64], U: &[f64], P_new: &mut [f64]) -> bool {
        self.unknowns.clear();
        let mut known = false;
        let energy = |block: &Block| {
            let z_N = P[block.first] - block.rho * U[block.first];
            block.w * z_N * z_N
        };
        let noise = NOISE * NOISE * view.blocks.iter().map(energy).fold(0.0, f64::max);
        for (law, block) in view.contacts() {
            let (dim, i) = (law.dim(), block.first);
            let z = view.argument(law, block, P, U);
            let mode = law.mode(&z[..dim]);
            let one_sided = !matches!(law, Law::Bilateral | Law::Dry { .. });
            if mode == Mode::Open || (one_sided && energy(block) <= noise) {
                continue;
            }
            let s = block.rho.sqrt();
            match (mode, *law) {
                (Mode::Open, _) => {}
                (Mode::Closed, _) => {
                    self.unknowns.extend((i..i + dim).map(|i| Unknown { kind: Kind::Plain, i, s }));
                }
                (Mode::Slide(t), Law::Dry { bound }) => {
                    P_new[i] = bound * t[0];
                    known = true;
                }
                (Mode::Slide(t), Law::SpatialCoulomb { friction }) => {
                    let mu_t = [friction * t[0], friction * t[1]];
                    let norm = z[1].hypot(z[2]);
                    let kappa = if norm > 0.0 { friction * z[0] / norm } else { 0.0 };
                    self.unknowns.push(Unknown { kind: Kind::Disk(mu_t), i, s });
                    self.unknowns.push(Unknown { kind: Kind::Across([-t[1], t[0]], kappa), i: i + 1, s });
                }
                (Mode::SlideOrRoll { slides, rolls }, _) => self.disks(law, [slides, rolls], &z, i, s),
                (Mode::Slide(t), _) => {
                    self.unknowns.push(Unknown { kind: Kind::Line(law.friction() * t[0]), i, s });
                }
            }
        }
        known
    }
}
