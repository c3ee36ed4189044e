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

use crate::frame::{self, Frame, View};
use crate::lcp::{LcpSolver, LcpStatus};
use crate::limits::Deadline;
use crate::reduced::{LinearSolve, Reduced};
use crate::{ContactProblem, ContactSolver, Law, Limits, SolveReport, SolveStatus, SquareMatrix, residual};

/// Rank tolerances of the closing direct solves: one finds the answer, the others follow a piece misjudged by rounding, at last with
/// nearly dependent contacts taken for independent.
const CLOSING: [f64; 4] = [1e-10, 1e-10, 1e-14, 1e-14];
/// Residual at which there is nothing left to close.
const CLOSE_ENOUGH: f64 = 1e-15;

/// The solver `lemke`.
#[derive(Debug)]
pub struct Lemke {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of pivots per row of the complementarity problem (and at least a thousand in all).
    pub max_pivots_per_row: usize,
    /// Longest time in seconds.
    pub max_seconds: f64,
    frame: Frame,
    form: Form,
    lcp: LcpSolver,
    closing: Closing,
}

/// The complementarity problem in numbers of order one: velocities in units of the largest √ρ |U_free|.
#[derive(Debug, Default)]
struct Form {
    slots: Vec<Slot>,
    M: SquareMatrix,
    q: Vec<f64>,
    z: Vec<f64>,
    /// P at z = 0: dry friction starts at −bound.
    start: Vec<f64>,
    /// U at z = 0.
    U_start: Vec<f64>,
}

/// The closing direct solve.
#[derive(Debug, Default)]
struct Closing {
    reduced: Reduced,
    U: Vec<f64>,
    P_new: Vec<f64>,
    U_new: Vec<f64>,
}

impl Default for Lemke {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_pivots_per_row: 50,
            max_seconds: f64::INFINITY,
            frame: Frame::default(),
            form: Form::default(),
            lcp: LcpSolver::default(),
            closing: Closing::default(),
        }
    }
}

/// A complementary pair (w_k, z_k).
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// P_row += sign · s z_k, w_k = sign · s U_row (+ z of `slip`), s = 1/√w.
    Velocity { row: usize, s: f64, sign: f64, slip: Option<usize> },
    /// z_k = σ, w_k = μ z_{k−3} − z_{k−2} − z_{k−1}.
    Cone { mu: f64 },
    /// z_k = σ, w_k = width − z_{k−1}.
    Box { width: f64 },
}

impl ContactSolver for Lemke {
    fn name(&self) -> &'static str {
        "lemke"
    }

    fn limit(&mut self, limits: Limits) {
        (self.tolerance, self.max_seconds) = (limits.tolerance, limits.seconds);
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        if problem.laws.iter().any(|law| matches!(law, Law::SpatialCoulomb { .. })) {
            let residual = residual(problem, P);
            let status = SolveStatus::Unsupported;
            return SolveReport { status, residual, iterations: 0, solver: "lemke", fallbacks: 0 };
        }
        if let Some(refusal) = frame::too_large(problem, P, "lemke") {
            return refusal;
        }
        let deadline = Deadline::after(self.max_seconds);
        let Self { frame, form, lcp, closing, .. } = self;
        let view = frame.view(problem);
        let size = form.pose(&view);
        let max_pivots = (self.max_pivots_per_row * form.slots.len()).max(1000);
        let found = lcp.solve_until(&form.M, &form.q, &mut form.z, max_pivots, deadline);
        form.read(size, P);
        let residual = closing.solve(&view, P);
        let otherwise = match found.status {
            LcpStatus::Ray => SolveStatus::Ray,
            LcpStatus::PivotLimit if deadline.passed() => SolveStatus::TimeLimit,
            _ => SolveStatus::IterationLimit,
        };
        let status = SolveStatus::of(residual, self.tolerance, otherwise);
        SolveReport { status, residual, iterations: found.pivots, solver: "lemke", fallbacks: 0 }
    }
}

impl Form {
    /// Writes the complementarity problem and returns the unit of its velocities.
    fn pose(&mut self, view: &View<'_>) -> f64 {
        let Self { slots, M, q, z, start, U_start } = self;
        start.clear();
        start.resize(view.n(), 0.0);
        U_start.resize(view.n(), 0.0);
        slots.clear();
        let mut size = 0.0_f64;
        for (law, block) in view.contacts() {
            let (row, s) = (block.first, block.rho.sqrt());
            size = (row..row + law.dim()).fold(size, |size, i| size.max(s * view.U_free[i].abs()));
            let plus = |row, slip| Slot::Velocity { row, s, sign: 1.0, slip };
            let minus = |row, slip| Slot::Velocity { row, s, sign: -1.0, slip };
            match *law {
                Law::Unilateral => slots.push(plus(row, None)),
                Law::PlanarCoulomb { friction } => {
                    let slip = Some(slots.len() + 3);
                    slots.push(plus(row, None));
                    slots.extend([plus(row + 1, slip), minus(row + 1, slip), Slot::Cone { mu: friction }]);
                }
                Law::Dry { bound } if bound.is_finite() => {
                    start[row] = -bound;
                    let slip = Some(slots.len() + 1);
                    slots.extend([plus(row, slip), Slot::Box { width: 2.0 * bound / s }]);
                }
                Law::Bilateral | Law::Dry { .. } => slots.extend([plus(row, None), minus(row, None)]),
                Law::SpatialCoulomb { .. } => unreachable!("refused before"),
            }
        }
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        view.velocity(start, U_start);
        M.resize(slots.len());
        q.clear();
        z.resize(slots.len(), 0.0);
        for (k, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Velocity { row, s, sign, slip } => {
                    for (l, other) in slots.iter().enumerate() {
                        if let Slot::Velocity { row: column, s: s_other, sign: other, .. } = *other {
                            M[(k, l)] = sign * other * (s * view.W[(row, column)] * s_other);
                        }
                    }
                    if let Some(slip) = slip {
                        M[(k, slip)] = 1.0;
                    }
                    q.push(sign * s * U_start[row] / size);
                }
                Slot::Cone { mu } => {
                    M[(k, k - 3)] = mu;
                    M[(k, k - 2)] = -1.0;
                    M[(k, k - 1)] = -1.0;
                    q.push(0.0);
                }
                Slot::Box { width } => {
                    M[(k, k - 1)] = -1.0;
                    q.push(width / size);
                }
            }
        }
        size
    }

    /// P from z.
    fn read(&self, size: f64, P: &mut [f64]) {
        P.copy_from_slice(&self.start);
        for (slot, z) in self.slots.iter().zip(&self.z) {
            if let Slot::Velocity { row, s, sign, .. } = *slot {
                P[row] += sign * s * size * z;
            }
        }
    }
}

impl Closing {
    /// Solves the pieces found directly, as long as that lowers the residual; returns it.
    fn solve(&mut self, view: &View<'_>, P: &mut [f64]) -> f64 {
        let Self { reduced, U, P_new, U_new } = self;
        for x in [&mut *U, &mut *P_new, &mut *U_new] {
            x.resize(P.len(), 0.0);
        }
        view.velocity(P, U);
        let mut smallest = view.residual(P, U);
        for rank_tolerance in CLOSING {
            if smallest <= CLOSE_ENOUGH {
                break;
            }
            reduced.step(view, LinearSolve { rank_tolerance, proximal: 0.0 }, P, U, P_new);
            view.velocity(P_new, U_new);
            let r = view.residual(P_new, U_new);
            if r < smallest {
                smallest = r;
                P.copy_from_slice(P_new);
                std::mem::swap(U, U_new);
            }
        }
        smallest
    }
}
