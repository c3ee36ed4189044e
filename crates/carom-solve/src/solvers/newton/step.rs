//! One full Newton step on the Alart–Curnier equation P = A(P − U), with everything that is known left out.
//!
//! On the piece of A that z = P − ρ U lies in, the linearised equations of a contact are
//!
//! ```text
//!   open     P = 0
//!   closed   U = 0
//!   slide    U_N = 0,  P_T = μ P_N t + P_n n,  κ ρ U_n + (1 − κ) P_n = 0      t = z_T/|z_T|,  n ⊥ t,  κ = μ z_N/|z_T|
//!            (in the plane there is no n; at an end of an interval P is known)
//! ```
//!
//! with two disks the same twice, for P_T and for M_R. So only closed contacts bring unknowns: one each without friction or sliding in the plane, two sliding in space.
//! In the plane A is piecewise linear and a step that lands in the piece it started from is exact.

use crate::matrix::dense_view::{Block, View};
use crate::{Law, LawPiece, Normal};
use carom_linear::dense::MinNorm;
use carom_linear::dot_long;

/// A one-sided contact whose √w z_N is this fraction of the largest is open: touching without load, it would otherwise
/// open and close with the rounding, and every choice costs a step.
const NOISE: f64 = 1e-13;

/// An unknown, the equation that belongs to it, and how it enters P.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    kind: Role,
    /// First row it touches.
    i: usize,
    /// 1/√w: the unknown is x = √w P, its equation is divided by √w.
    s: f64,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// P_i, with U_i = 0.
    Plain,
    /// P_N sliding in the plane, which drags P_T = μ t P_N along, with U_N = 0.
    Line(f64),
    /// The same in space.
    Disk([f64; 2]),
    /// P_N with two disks, which drags what slides or rolls along: μ t in the rows that follow it, so many, 0 where it sticks.
    Disks([f64; 4], usize),
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
                Role::Plain => y(i),
                Role::Line(mu_t) => y(i) + mu_t * y(i + 1),
                Role::Disk(mu_t) => y(i) + mu_t[0] * y(i + 1) + mu_t[1] * y(i + 2),
                Role::Disks(d, rows) => (0..rows).fold(y(i), |sum, k| sum + d[k] * y(i + 1 + k)),
                Role::Across(n, _) => n[0] * y(i) + n[1] * y(i + 1),
            }
    }
}

impl Unknown {
    /// x at P.
    fn value(&self, P: &[f64]) -> f64 {
        let i = self.i;
        match self.kind {
            Role::Across(n, _) => (n[0] * P[i] + n[1] * P[i + 1]) / self.s,
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
        // Velocity at x = 0: the free one and that of the rows at an end of their interval.
        let free = |i: usize| view.U_free[i] + if known { dot_long(view.W.row(i), P_new) } else { 0.0 };
        for (k, unknown) in self.unknowns.iter().enumerate() {
            let (i, s) = (unknown.i, unknown.s);
            let out = self.system.row_mut(k);
            if let Role::Across(n, kappa) = unknown.kind {
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
                Role::Plain => P_new[i] = x,
                Role::Line(mu_t) => {
                    P_new[i] = x;
                    P_new[i + 1] = mu_t * x;
                }
                Role::Disk(mu_t) => {
                    P_new[i] = x;
                    P_new[i + 1] += mu_t[0] * x;
                    P_new[i + 2] += mu_t[1] * x;
                }
                Role::Disks(d, rows) => {
                    P_new[i] = x;
                    (0..rows).for_each(|k| P_new[i + 1 + k] += d[k] * x);
                }
                Role::Across(n, _) => {
                    P_new[i] += n[0] * x;
                    P_new[i + 1] += n[1] * x;
                }
            }
        }
    }

    /// Unknowns of a contact with two disks, one or both of them on their bound.
    #[inline(never)]
    fn disks(&mut self, law: &Law, on_bound: [bool; 2], z: &[f64], i: usize, s: f64) {
        let mut dragged = [0.0; 4];
        for (disk, _) in law.disks().zip(on_bound).filter(|(_, on_bound)| *on_bound) {
            let t = disk.direction(z);
            (0..disk.rows).for_each(|k| dragged[disk.first - 1 + k] = disk.mu * t[k]);
        }
        self.unknowns.push(Unknown { kind: Role::Disks(dragged, law.dim() - 1), i, s });
        for (disk, on_bound) in law.disks().zip(on_bound) {
            let i = i + disk.first;
            if !on_bound {
                self.unknowns.extend((i..i + disk.rows).map(|i| Unknown { kind: Role::Plain, i, s }));
            } else if disk.rows == 2 {
                let t = disk.direction(z);
                self.unknowns.push(Unknown { kind: Role::Across([-t[1], t[0]], disk.kappa(z)), i, s });
            }
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
            let piece = law.piece(&z[..dim]);
            let one_sided = law.normal() == Normal::HalfLine;
            if piece == LawPiece::Open || (one_sided && energy(block) <= noise) {
                continue;
            }
            let s = block.rho.sqrt();
            match piece {
                LawPiece::Open => {}
                LawPiece::Closed => {
                    self.unknowns.extend((i..i + dim).map(|i| Unknown { kind: Role::Plain, i, s }));
                }
                LawPiece::AtEnd(end) => {
                    P_new[i] = end;
                    known = true;
                }
                LawPiece::Slide(t) if dim == 2 => {
                    self.unknowns.push(Unknown { kind: Role::Line(law.friction() * t[0]), i, s });
                }
                LawPiece::Slide(t) => {
                    let friction = law.friction();
                    let mu_t = [friction * t[0], friction * t[1]];
                    let norm = z[1].hypot(z[2]);
                    let kappa = if norm > 0.0 { friction * z[0] / norm } else { 0.0 };
                    self.unknowns.push(Unknown { kind: Role::Disk(mu_t), i, s });
                    self.unknowns.push(Unknown { kind: Role::Across([-t[1], t[0]], kappa), i: i + 1, s });
                }
                LawPiece::OnDisks(on_bound) => self.disks(law, on_bound, &z, i, s),
            }
        }
        known
    }
}
