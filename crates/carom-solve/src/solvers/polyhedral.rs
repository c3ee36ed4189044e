//! Spatial friction by pivoting: pyramids in place of cones, refined until the answer is that of the cones.
//!
//! The disk |P_T| ≤ μ P_N becomes a polygon with corners μ P_N d_i on it, P_T = Σ β_i d_i, and a contact           [Stewart1996]
//!
//! ```text
//!   0 ≤ U_N ⊥ P_N ≥ 0,      0 ≤ d_i·U_T + σ ⊥ β_i ≥ 0,      0 ≤ μ P_N − Σ β_i ⊥ σ ≥ 0
//! ```
//!
//! is linear: Lemke's method (`lcp.rs`) solves it. Its answer names the direction in which each contact slides, or is held
//! when it is about to. From there Newton steps go to the answer of the cones, or, where they do not arrive, the polygon is
//! turned so that a corner lies in the named direction, two more corners are set beside it at a quarter of the last
//! distance, and the pivoting is done again. The answer on a polygon whose corner is the true direction is exact, and one
//! between corners at distance h is wrong by h² in its bound.
//!
//! Other laws enter as in `lemke/mod.rs`, so problems in the plane are exact without refinement. A tableau of k facets and
//! n contacts has 2 (k + 2)² n² numbers and every pivot visits them: for some sixty contacts.

use crate::matrix::block_view::ManyFrame;
use crate::matrix::dense_view::{self, Frame, View};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::lemke::lcp::{LcpSolver, LcpStatus};
use crate::solvers::lemke::{Directions, Form, PATHS};
use crate::solvers::newton::blocks::BlockNewton;
use crate::solvers::polish::Polish;
use crate::{Law, SolveReport, SolveStatus};
use std::f64::consts::TAU;

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "polyhedral",
    description: "pivoting on pyramids of friction, refined to the cones; all laws but rolling resistance, some sixty contacts in space",
    takes: Takes::ONE_DISK,
    needs: Needs::Dense,
    make: || Driver::boxed(&ENTRY, Polyhedral::default()),
};

/// Facets of the first pyramid.
const FACETS: usize = 8;
/// Largest number of refinements along each path of pivots.
const MOST_REFINEMENTS: usize = 8;
/// Largest number of pivots per row of the complementarity problem and refinement, and the least that are allowed.
const PIVOTS_PER_ROW: usize = 6;
const LEAST_PIVOTS: usize = 1000;
/// Complementary pairs up to which a tableau is made.
const MOST_PAIRS: usize = 2000;
/// A contact whose √ρ |U_T| is this fraction of the largest velocity slides; its direction is more than rounding.
const SLIDES: f64 = 1e-9;
/// How much nearer the next two corners are set.
const NEARER: f64 = 0.25;

/// The solver `polyhedral`.
#[derive(Debug, Default)]
pub(crate) struct Polyhedral {
    frame: Frame,
    many: ManyFrame,
    form: Form,
    lcp: LcpSolver,
    polish: Polish,
    newton: BlockNewton,
    directions: Vec<Vec<[f64; 2]>>,
    U: Vec<f64>,
    trial: Vec<f64>,
}

impl Method for Polyhedral {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Task { tolerance, deadline, .. } = *task;
        let Self { frame, many, form, lcp, polish, newton, directions, U, trial } = self;
        let (view, blocks) = (frame.view(task.problem), many.view(task.problem));
        for array in [&mut *U, &mut *trial] {
            array.resize(P.len(), 0.0);
        }
        begin(directions, &view);
        if form.count(view.laws, directions) > MOST_PAIRS {
            return task.refusal(P);
        }
        trial.fill(0.0);
        view.velocity(trial, U);
        if !view.residual(trial, U).is_finite() {
            P.fill(0.0);
            return task.known(f64::INFINITY, SolveStatus::NotFinite, 0);
        }
        let (mut smallest, mut pivots) = (f64::INFINITY, 0);
        let mut otherwise = SolveStatus::IterationLimit;
        let spatial = directions.iter().take(view.laws.len()).any(|d| !d.is_empty());
        'paths: for path in PATHS {
            // From the first polygons again: another path may lead to another answer.
            begin(directions, &view);
            for refinements in 1..=MOST_REFINEMENTS + 1 {
                let size = form.pose(&view, directions);
                let max_pivots = (PIVOTS_PER_ROW * form.q.len()).max(LEAST_PIVOTS);
                let found = lcp.follow(path, &form.M, &form.q, &mut form.z, max_pivots, deadline);
                pivots += found.pivots;
                form.read(size, trial);
                view.velocity(trial, U);
                refine(directions, &view, trial, U, refinements);
                let mut r = polish.run(&view, trial, tolerance, deadline);
                if r > tolerance {
                    r = newton.polish(&blocks, trial, r, tolerance, deadline);
                }
                if r < smallest || smallest.is_infinite() {
                    smallest = r;
                    P.copy_from_slice(trial);
                }
                if smallest <= tolerance || !smallest.is_finite() {
                    break 'paths;
                }
                if deadline.passed() {
                    otherwise = SolveStatus::TimeLimit;
                    break 'paths;
                }
                if found.status == LcpStatus::Ray {
                    otherwise = SolveStatus::Ray;
                }
                let arrived = matches!(found.status, LcpStatus::Solution | LcpStatus::Trivial);
                if !arrived || !spatial || form.count(view.laws, directions) > MOST_PAIRS {
                    break;
                }
            }
        }
        task.known(smallest, otherwise, pivots)
    }
}

/// The first polygons: regular, a corner against the free velocity.
fn begin(directions: &mut Vec<Vec<[f64; 2]>>, view: &View<'_>) {
    if directions.len() < view.laws.len() {
        directions.resize(view.laws.len(), Vec::new());
    }
    for ((law, block), directions) in view.contacts().zip(directions) {
        directions.clear();
        if law.disk_rows() == [2, 0] && law.friction() > 0.0 {
            let U_T = &view.U_free[block.first + 1..block.first + 3];
            let norm = U_T[0].hypot(U_T[1]);
            let corner = if norm > 0.0 { [-U_T[0] / norm, -U_T[1] / norm] } else { [1.0, 0.0] };
            regular(directions, corner);
        }
    }
}

/// The corners of a regular polygon, the first of them given.
fn regular(directions: &mut Vec<[f64; 2]>, corner: [f64; 2]) {
    directions.clear();
    let angles = (0..FACETS).map(|k| TAU * k as f64 / FACETS as f64);
    directions.extend(angles.map(|angle| turned(corner, angle)));
}

fn turned(d: [f64; 2], angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [c * d[0] - s * d[1], s * d[0] + c * d[1]]
}

/// Turns the polygons so that a corner lies where the friction acts, and sets more corners beside it.
fn refine(directions: &mut Directions, view: &View<'_>, P: &[f64], U: &[f64], refinements: usize) {
    let speed = |(law, block): (&Law, &dense_view::Block)| {
        let rows = block.first..block.first + law.dim();
        rows.fold(0.0_f64, |speed, i| speed.max(view.U_free[i].abs())) * block.rho.sqrt()
    };
    let fastest = view.contacts().map(speed).fold(0.0, f64::max);
    for ((law, block), directions) in view.contacts().zip(directions) {
        let i = block.first;
        if directions.is_empty() || P[i] <= 0.0 {
            continue;
        }
        let (U_t, P_t) = (U[i + 1].hypot(U[i + 2]), P[i + 1].hypot(P[i + 2]));
        // Held well inside the polygon: nothing to refine.
        let inside = (0.5 * TAU / FACETS as f64).cos() * law.friction() * P[i];
        let corner = if U_t * block.rho.sqrt() > SLIDES * fastest {
            [-U[i + 1] / U_t, -U[i + 2] / U_t]
        } else if P_t >= 0.9 * inside && P_t > 0.0 {
            [P[i + 1] / P_t, P[i + 2] / P_t]
        } else {
            continue;
        };
        regular(directions, corner);
        let mut beside = TAU / FACETS as f64;
        for _ in 0..refinements {
            beside *= NEARER;
            directions.extend([turned(corner, beside), turned(corner, -beside)]);
        }
    }
}
