//! Contact problems in the plane as one linear complementarity problem.              [Stewart1996], [Pang1996]
//!
//! With P_T = r₊ − r₋ and σ = |U_T|, a Coulomb contact is
//!
//! ```text
//!   0 ≤ U_N          ⊥ P_N ≥ 0        0 ≤  U_T + σ ⊥ r₊ ≥ 0
//!   0 ≤ μ P_N − r₊ − r₋ ⊥ σ ≥ 0       0 ≤ −U_T + σ ⊥ r₋ ≥ 0
//! ```
//!
//! a bilateral row is U ≥ 0 ⊥ P₊ ≥ 0, −U ≥ 0 ⊥ P₋ ≥ 0 with P = P₊ − P₋, and a row with P between a and b is
//! 0 ≤ U + σ ⊥ P − a ≥ 0, 0 ≤ b − P ⊥ σ ≥ 0. A second disk of one row is the same as the first, on the same P_N. For these forms M is copositive when Ŵ is positive semidefinite, so
//! Lemke's path ends in a solution whenever the frictional forces cannot jam. The pieces that the pivoting found are
//! then solved once more directly, which removes what rounding the pivots piled up. The disk of spatial friction is not
//! polyhedral: unsupported.

pub mod lcp;

use crate::limits::Deadline;
use crate::matrix::dense_view::{Frame, View};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::newton::step::{LinearSolve, Reduced};
use crate::{Disk, Law, Normal, SolveReport, SolveStatus, SquareMatrix};
use lcp::{LcpSolver, LcpStatus, Path};

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "lemke",
    description: "lexicographic pivoting on the complementarity form; everything but spatial friction",
    takes: Takes::LINES,
    needs: Needs::Dense,
    make: || Driver::boxed(&ENTRY, Lemke::default()),
};

/// The closing direct solves: one finds the answer, the others follow a piece misjudged by rounding, then with nearly
/// dependent contacts taken for independent. If all that is not enough, steps that stay near: where U_free has all sizes
/// from the largest down to rounding, dependent contacts let the smallest of them through.
const CLOSING: [LinearSolve; 7] = [
    LinearSolve { rank_tolerance: 1e-10, proximal: 0.0 },
    LinearSolve { rank_tolerance: 1e-10, proximal: 0.0 },
    LinearSolve { rank_tolerance: 1e-14, proximal: 0.0 },
    LinearSolve { rank_tolerance: 1e-14, proximal: 0.0 },
    LinearSolve { rank_tolerance: 1e-14, proximal: 1e-5 },
    LinearSolve { rank_tolerance: 1e-14, proximal: 1e-5 },
    LinearSolve { rank_tolerance: 1e-14, proximal: 1e-5 },
];
/// The paths that are tried in turn. Rounding can send a long path astray, on pivots that are nothing else, and where
/// contacts depend on each other it can circle at z₀ = 0; each of the others is less exact in one way and safer in another.
pub(crate) const PATHS: [Path; 6] = [
    lcp::PLAIN,
    Path { pivot: 1e-9, relative_pivot: 1e-9, spread: 0.0, arrived: 1e-12 },
    Path { pivot: 1e-9, relative_pivot: 1e-9, spread: 1.0, arrived: 1e-12 },
    Path { pivot: 1e-11, relative_pivot: 1e-11, spread: 1.0, arrived: 1e-12 },
    Path { pivot: 1e-8, relative_pivot: 1e-8, spread: 0.5, arrived: 1e-11 },
    Path { pivot: 1e-7, relative_pivot: 1e-7, spread: 4.0, arrived: 1e-10 },
];
/// Complementary pairs up to which a tableau is made: 150 MB.
const MOST_PAIRS: usize = 3000;
/// Residual at which there is nothing left to close.
const CLOSE_ENOUGH: f64 = 1e-15;

/// Largest number of pivots per row of the complementarity problem on each path, and the least that are allowed; one or two per row
/// are usual.
const PIVOTS_PER_ROW: usize = 6;
const LEAST_PIVOTS: usize = 1000;

/// The solver `lemke`.
#[derive(Debug, Default)]
pub(crate) struct Lemke {
    frame: Frame,
    form: Form,
    lcp: LcpSolver,
    closing: Closing,
}

/// The complementarity problem in numbers of order one: velocities in units of the largest √ρ |U_free|.
#[derive(Debug, Default)]
pub(crate) struct Form {
    slots: Vec<Slot>,
    pub M: SquareMatrix,
    pub q: Vec<f64>,
    pub z: Vec<f64>,
    /// P at z = 0: an interval starts at its low end.
    start: Vec<f64>,
    /// U at z = 0.
    U_start: Vec<f64>,
}

/// The closing direct solve.
#[derive(Debug, Default)]
struct Closing {
    reduced: Reduced,
    trial: Vec<f64>,
    U: Vec<f64>,
    P_new: Vec<f64>,
    U_new: Vec<f64>,
}

/// A complementary pair (w_k, z_k).
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// P_row.. += s d z_k, w_k = s d·U_row.. (+ z of `slip`), s = 1/√w; the second row only where d has two parts.
    Velocity { row: usize, s: f64, d: [f64; 2], slip: Option<usize> },
    /// z_k = σ, w_k = μ z_N less the sum of the z of so many directions, which come right before; `normal` is the place of z_N.
    Cone { mu: f64, normal: usize, directions: usize },
    /// z_k = σ, w_k = width − z_{k−1}.
    Box { width: f64 },
}

/// d·x at a row, in one or two rows.
#[inline]
fn along(d: [f64; 2], row: usize, x: impl Fn(usize) -> f64) -> f64 {
    if d[1] == 0.0 { d[0] * x(row) } else { d[0] * x(row) + d[1] * x(row + 1) }
}

/// The directions, as unit vectors, in which spatial contacts are held by friction: the corners of a polygon in the disk.
pub(crate) type Directions = [Vec<[f64; 2]>];

impl Method for Lemke {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Task { tolerance, deadline, .. } = *task;
        let Self { frame, form, lcp, closing } = self;
        let view = frame.view(task.problem);
        if form.count(view.laws, &[]) > MOST_PAIRS {
            return task.refusal(P);
        }
        let size = form.pose(&view, &[]);
        let max_pivots = (PIVOTS_PER_ROW * form.slots.len()).max(LEAST_PIVOTS);
        closing.trial.resize(P.len(), 0.0);
        let (mut residual, mut pivots) = (f64::INFINITY, 0);
        let mut status = LcpStatus::PivotLimit;
        for path in PATHS {
            let found = lcp.follow(path, &form.M, &form.q, &mut form.z, max_pivots, deadline);
            pivots += found.pivots;
            status = found.status;
            let r = closing.solve(&view, form, size, tolerance, deadline);
            if r < residual || residual.is_infinite() {
                residual = r;
                P.copy_from_slice(&closing.trial);
            }
            if residual <= tolerance || !residual.is_finite() || deadline.passed() {
                break;
            }
        }
        if !residual.is_finite() {
            P.fill(0.0);
        }
        let otherwise = match status {
            LcpStatus::Ray => SolveStatus::Ray,
            LcpStatus::PivotLimit if deadline.passed() => SolveStatus::TimeLimit,
            _ => SolveStatus::IterationLimit,
        };
        task.known(residual, otherwise, pivots)
    }
}

impl Form {
    /// Number of complementary pairs.
    pub fn count(&self, laws: &[Law], directions: &Directions) -> usize {
        let pairs = |(c, law): (usize, &Law)| match law.normal() {
            Normal::Free | Normal::Interval => 2,
            Normal::HalfLine => {
                let edges =
                    |disk: Disk| if disk.rows == 1 { 2 } else { directions.get(c).map_or(0, Vec::len) };
                1 + law.disks().map(|disk| edges(disk) + 1).sum::<usize>()
            }
        };
        laws.iter().enumerate().map(pairs).sum()
    }

    /// Writes the complementarity problem and returns the unit of its velocities. Spatial contacts rub along the
    /// directions given for each contact.
    pub fn pose(&mut self, view: &View<'_>, directions: &Directions) -> f64 {
        let size = self.list(view, directions);
        let Self { slots, M, q, z, start, U_start } = self;
        view.velocity(start, U_start);
        M.resize(slots.len());
        q.clear();
        z.resize(slots.len(), 0.0);
        for (k, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Velocity { row, s, d, slip } => {
                    for (l, other) in slots.iter().enumerate() {
                        if let Slot::Velocity { row: column, s: s_other, d: other, .. } = *other {
                            M[(k, l)] =
                                s * s_other * along(d, row, |i| along(other, column, |j| view.W[(i, j)]));
                        }
                    }
                    if let Some(slip) = slip {
                        M[(k, slip)] = 1.0;
                    }
                    q.push(s * along(d, row, |i| U_start[i]) / size);
                }
                Slot::Cone { mu, normal, directions } => {
                    M[(k, normal)] = mu;
                    (k - directions..k).for_each(|l| M[(k, l)] = -1.0);
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

    /// Lists the pairs and returns the unit of velocities.
    fn list(&mut self, view: &View<'_>, directions: &Directions) -> f64 {
        let Self { slots, start, U_start, .. } = self;
        start.clear();
        start.resize(view.n(), 0.0);
        U_start.resize(view.n(), 0.0);
        slots.clear();
        let mut size = 0.0_f64;
        for (c, (law, block)) in view.contacts().enumerate() {
            let (row, s) = (block.first, block.rho.sqrt());
            size = (row..row + law.dim()).fold(size, |size, i| size.max(s * view.U_free[i].abs()));
            let velocity = |row, d, slip| Slot::Velocity { row, s, d, slip };
            const PLUS: [f64; 2] = [1.0, 0.0];
            const MINUS: [f64; 2] = [-1.0, 0.0];
            match (law.normal(), law.interval()) {
                (Normal::HalfLine, _) => {
                    let normal = slots.len();
                    slots.push(velocity(row, PLUS, None));
                    for Disk { first, rows, mu } in law.disks() {
                        let edges = if rows == 1 { &[PLUS, MINUS] } else { &directions[c][..] };
                        let slip = Some(slots.len() + edges.len());
                        slots.extend(edges.iter().map(|&d| velocity(row + first, d, slip)));
                        slots.push(Slot::Cone { mu, normal, directions: edges.len() });
                    }
                }
                (_, Some([low, high])) if low.is_finite() => {
                    start[row] = low;
                    let slip = Some(slots.len() + 1);
                    slots.extend([velocity(row, PLUS, slip), Slot::Box { width: (high - low) / s }]);
                }
                _ => slots.extend([PLUS, MINUS].map(|d| velocity(row, d, None))),
            }
        }
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    }

    /// P from z.
    pub fn read(&self, size: f64, P: &mut [f64]) {
        P.copy_from_slice(&self.start);
        for (slot, z) in self.slots.iter().zip(&self.z) {
            if let Slot::Velocity { row, s, d, .. } = *slot {
                P[row] += s * size * d[0] * z;
                if d[1] != 0.0 {
                    P[row + 1] += s * size * d[1] * z;
                }
            }
        }
    }
}

impl Closing {
    /// Solves the pieces found directly, as long as that lowers the residual; returns it, with its P in `trial`.
    fn solve(&mut self, view: &View<'_>, form: &Form, size: f64, tolerance: f64, deadline: Deadline) -> f64 {
        let Self { reduced, trial, U, P_new, U_new } = self;
        for x in [&mut *U, &mut *P_new, &mut *U_new] {
            x.resize(trial.len(), 0.0);
        }
        form.read(size, trial);
        view.velocity(trial, U);
        let mut smallest = view.residual(trial, U);
        for by in CLOSING {
            let enough = if by.proximal > 0.0 { tolerance } else { CLOSE_ENOUGH };
            if smallest <= enough || deadline.passed() {
                break;
            }
            reduced.step(view, by, trial, U, P_new);
            view.velocity(P_new, U_new);
            let r = view.residual(P_new, U_new);
            if r < smallest {
                smallest = r;
                trial.copy_from_slice(P_new);
                std::mem::swap(U, U_new);
            }
        }
        smallest
    }
}
