//! Contact problems in the plane as one linear complementarity problem.              [Stewart1996], [Pang1996]
//!
//! With P_T = r₊ − r₋ and σ = |U_T|, a Coulomb contact is
//!
//! ```text
//!   0 ≤ U_N          ⊥ P_N ≥ 0        0 ≤  U_T + σ ⊥ r₊ ≥ 0
//!   0 ≤ μ P_N − r₊ − r₋ ⊥ σ ≥ 0       0 ≤ −U_T + σ ⊥ r₋ ≥ 0
//! ```
//!
//! a bilateral row is U ≥ 0 ⊥ P₊ ≥ 0, −U ≥ 0 ⊥ P₋ ≥ 0 with P = P₊ − P₋, and dry friction with bound b is
//! 0 ≤ U + σ ⊥ P + b ≥ 0, 0 ≤ b − P ⊥ σ ≥ 0. For these forms M is copositive when Ŵ is positive semidefinite, so
//! Lemke's path ends in a solution whenever the frictional forces cannot jam. The pieces that the pivoting found are
//! then solved once more directly, which removes what rounding the pivots piled up. The disk of spatial friction is not
//! polyhedral: unsupported.

use crate::lcp::{LcpSolver, LcpStatus};
use crate::reduced::Reduced;
use crate::scaled::Scaled;
use crate::{ContactProblem, ContactSolver, Law, SolveReport, SolveStatus, SquareMatrix, residual};

/// Rank tolerance of the closing direct solve.
const RANK_TOLERANCE: f64 = 1e-10;
/// Direct solves at the end: one finds the answer, a second and third follow a piece misjudged by rounding.
const CLOSING_STEPS: usize = 3;

/// The solver `lemke`.
#[derive(Debug)]
pub struct Lemke {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of pivots per row of the complementarity problem (and at least a thousand in all).
    pub max_pivots_per_row: usize,
    scaled: Scaled,
    lcp: LcpSolver,
    reduced: Reduced,
    slots: Vec<Slot>,
    M: SquareMatrix,
    q: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    u: Vec<f64>,
    p_new: Vec<f64>,
    u_new: Vec<f64>,
}

impl Default for Lemke {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_pivots_per_row: 50,
            scaled: Scaled::default(),
            lcp: LcpSolver::default(),
            reduced: Reduced::default(),
            slots: Vec::new(),
            M: SquareMatrix::default(),
            q: Vec::new(),
            z: Vec::new(),
            p: Vec::new(),
            u: Vec::new(),
            p_new: Vec::new(),
            u_new: Vec::new(),
        }
    }
}

/// A complementary pair (w_k, z_k).
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// p_row += sign · z_k, w_k = sign · u_row (+ z of `slip`).
    Velocity { row: usize, sign: f64, slip: Option<usize> },
    /// z_k = σ, w_k = μ z_{k−3} − z_{k−2} − z_{k−1}.
    Cone { mu: f64 },
    /// z_k = σ, w_k = width − z_{k−1}.
    Box { width: f64 },
}

impl ContactSolver for Lemke {
    fn name(&self) -> &'static str {
        "lemke"
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        if problem.laws.iter().any(|law| matches!(law, Law::SpatialCoulomb { .. })) {
            let residual = residual(problem, P);
            let status = SolveStatus::Unsupported;
            return SolveReport { status, residual, iterations: 0, solver: "lemke", fallbacks: 0 };
        }
        self.scaled.load(problem);
        // Relative to the largest free velocity, all data are of order one.
        let size = self.scaled.u_free.iter().fold(0.0_f64, |size, u| size.max(u.abs()));
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        self.pose(size);
        self.z.resize(self.slots.len(), 0.0);
        let max_pivots = (self.max_pivots_per_row * self.slots.len()).max(1000);
        let found = self.lcp.solve(&self.M, &self.q, &mut self.z, max_pivots);
        self.read(size);
        self.close();
        self.scaled.unscale(&self.p, P);
        let residual = residual(problem, P);
        let otherwise = match found.status {
            LcpStatus::Ray => SolveStatus::Ray,
            _ => SolveStatus::IterationLimit,
        };
        let status = SolveStatus::of(residual, self.tolerance, otherwise);
        SolveReport { status, residual, iterations: found.pivots, solver: "lemke", fallbacks: 0 }
    }
}

impl Lemke {
    /// Writes the complementarity problem.
    fn pose(&mut self, size: f64) {
        let Self { scaled, slots, M, q, p, .. } = self;
        // p at z = 0: dry friction starts at −bound.
        p.clear();
        p.resize(scaled.n, 0.0);
        slots.clear();
        for (law, &row) in scaled.laws.iter().zip(&scaled.first) {
            let plus = |row, slip| Slot::Velocity { row, sign: 1.0, slip };
            let minus = |row, slip| Slot::Velocity { row, sign: -1.0, slip };
            match *law {
                Law::Unilateral => slots.push(plus(row, None)),
                Law::PlanarCoulomb { friction } => {
                    let slip = Some(slots.len() + 3);
                    slots.push(plus(row, None));
                    slots.extend([plus(row + 1, slip), minus(row + 1, slip), Slot::Cone { mu: friction }]);
                }
                Law::Dry { bound } if bound.is_finite() => {
                    p[row] = -bound / size;
                    let slip = Some(slots.len() + 1);
                    slots.extend([plus(row, slip), Slot::Box { width: 2.0 * bound / size }]);
                }
                Law::Bilateral | Law::Dry { .. } => slots.extend([plus(row, None), minus(row, None)]),
                Law::SpatialCoulomb { .. } => unreachable!("refused above"),
            }
        }
        M.resize(slots.len());
        q.clear();
        for (k, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Velocity { row, sign, slip } => {
                    for (l, other) in slots.iter().enumerate() {
                        if let Slot::Velocity { row: column, sign: other, .. } = *other {
                            M[(k, l)] = sign * other * scaled.row(row)[column];
                        }
                    }
                    if let Some(slip) = slip {
                        M[(k, slip)] = 1.0;
                    }
                    let start: f64 = scaled.row(row).iter().zip(&*p).map(|(w, p)| w * p).sum();
                    q.push(sign * (scaled.u_free[row] / size + start));
                }
                Slot::Cone { mu } => {
                    M[(k, k - 3)] = mu;
                    M[(k, k - 2)] = -1.0;
                    M[(k, k - 1)] = -1.0;
                    q.push(0.0);
                }
                Slot::Box { width } => {
                    M[(k, k - 1)] = -1.0;
                    q.push(width);
                }
            }
        }
    }

    /// p from z, which adds to the start that [`Lemke::pose`] left in p.
    fn read(&mut self, size: f64) {
        for (slot, z) in self.slots.iter().zip(&self.z) {
            if let Slot::Velocity { row, sign, .. } = *slot {
                self.p[row] += sign * z;
            }
        }
        self.p.iter_mut().for_each(|p| *p *= size);
    }

    /// Solves the pieces found directly, as long as that lowers the residual.
    fn close(&mut self) {
        let Self { scaled, reduced, p, u, p_new, u_new, .. } = self;
        for x in [&mut *u, &mut *p_new, &mut *u_new] {
            x.resize(scaled.n, 0.0);
        }
        scaled.velocity(p, u);
        let mut smallest = scaled.residual(p, u);
        for _ in 0..CLOSING_STEPS {
            reduced.step(scaled, RANK_TOLERANCE, p, u, p_new);
            scaled.velocity(p_new, u_new);
            let r = scaled.residual(p_new, u_new);
            if r >= smallest {
                break;
            }
            smallest = r;
            std::mem::swap(p, p_new);
            std::mem::swap(u, u_new);
        }
    }
}
