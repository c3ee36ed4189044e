//! Semismooth Newton on the Alart–Curnier equation P = A(P − ρ U), ρ = 1/w per contact.          [Alart1991]
//!
//! Three kinds of move, each from the best point so far, round after round until the residual is below the tolerance:
//!
//! 1. full steps (finite in the plane when they settle, quadratic in space; most problems end here),
//! 2. steps shortened until the merit |P − A(P − ρ U)| falls (Armijo),
//! 3. Gauss–Seidel sweeps, twice as many each round, which leave any point where Newton circles.
//!
//! The linear systems are solved to the smallest solution ([`crate::min_norm`]), so dependent contacts are no special
//! case. What counts as dependent alternates between two tolerances from round to round: a generous one that
//! recognises rounded zeros of Ŵ, and a tight one for contacts that are nearly but not quite dependent.

use crate::frame::{Frame, View};
use crate::reduced::Reduced;
use crate::{ContactProblem, ContactSolver, SolveReport, SolveStatus, gauss_seidel};

/// Pivots relative to the largest one below which equations count as dependent, round by round.
const RANK_TOLERANCES: [f64; 2] = [1e-10, 1e-14];
/// Full steps per round; pieces visited in the plane rarely exceed a few.
const FULL_STEPS: usize = 12;
/// Damped steps per round.
const DAMPED_STEPS: usize = 12;
/// Halvings of a damped step before it counts as failed.
const HALVINGS: usize = 10;
/// Armijo: fraction of the predicted decrease that is asked for.
const DECREASE: f64 = 1e-4;
/// Gauss–Seidel sweeps after the first round.
const SWEEPS: usize = 8;

/// The solver `newton`.
#[derive(Debug)]
pub struct Newton {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Largest number of linear solves.
    pub max_steps: usize,
    frame: Frame,
    path: Path,
}

/// Points and memory of the iteration.
#[derive(Debug, Default)]
struct Path {
    reduced: Reduced,
    at: Point,
    best: Point,
    trial: Point,
}

/// A point with its velocity and residual.
#[derive(Debug, Default)]
struct Point {
    P: Vec<f64>,
    U: Vec<f64>,
    residual: f64,
}

impl Point {
    /// Brings U and the residual up to date with P.
    fn update(&mut self, view: &View<'_>) {
        view.velocity(&self.P, &mut self.U);
        self.residual = view.residual(&self.P, &self.U);
    }

    fn copy_from(&mut self, other: &Point) {
        self.P.copy_from_slice(&other.P);
        self.U.copy_from_slice(&other.U);
        self.residual = other.residual;
    }
}

impl Default for Newton {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_steps: 200,
            frame: Frame::default(),
            path: Path::default(),
        }
    }
}

impl ContactSolver for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let Self { tolerance, max_steps, ref mut frame, ref mut path } = *self;
        let view = frame.view(problem);
        path.start(&view, P);
        let mut steps = 0;
        let mut round = 0;
        while path.best.residual > tolerance && steps < max_steps {
            let rank_tolerance = RANK_TOLERANCES[round % RANK_TOLERANCES.len()];
            steps += path.full_steps(&view, rank_tolerance, tolerance);
            if path.best.residual <= tolerance {
                break;
            }
            steps += path.damped_steps(&view, rank_tolerance, tolerance);
            if path.best.residual <= tolerance {
                break;
            }
            path.sweeps(&view, SWEEPS << round.min(10));
            round += 1;
        }
        P.copy_from_slice(&path.best.P);
        let residual = path.best.residual;
        let status = SolveStatus::of(residual, tolerance, SolveStatus::IterationLimit);
        SolveReport { status, residual, iterations: steps, solver: "newton", fallbacks: 0 }
    }
}

impl Path {
    fn start(&mut self, view: &View<'_>, P: &[f64]) {
        for point in [&mut self.at, &mut self.best, &mut self.trial] {
            point.P.resize(P.len(), 0.0);
            point.U.resize(P.len(), 0.0);
        }
        self.at.P.copy_from_slice(P);
        if P.iter().any(|P| !P.is_finite()) {
            self.at.P.fill(0.0);
        }
        view.velocity(&self.at.P, &mut self.at.U);
        // The first full step is taken unseen: with a good start it ends the solve.
        self.best.residual = f64::INFINITY;
    }

    fn full_steps(&mut self, view: &View<'_>, rank_tolerance: f64, tolerance: f64) -> usize {
        let Self { reduced, at, best, trial } = self;
        for k in 1..=FULL_STEPS {
            reduced.step(view, rank_tolerance, &at.P, &at.U, &mut trial.P);
            trial.update(view);
            let settled = trial.P == at.P;
            std::mem::swap(at, trial);
            if at.residual <= tolerance {
                std::mem::swap(at, best);
                return k;
            }
            if at.residual < best.residual {
                best.copy_from(at);
            }
            if settled || !at.residual.is_finite() {
                return k;
            }
        }
        FULL_STEPS
    }

    fn damped_steps(&mut self, view: &View<'_>, rank_tolerance: f64, tolerance: f64) -> usize {
        let Self { reduced, at, best, trial } = self;
        at.copy_from(best);
        let mut merit = view.merit(&at.P, &at.U);
        for k in 1..=DAMPED_STEPS {
            reduced.step(view, rank_tolerance, &at.P, &at.U, &mut trial.P);
            let mut accepted = false;
            for _ in 0..HALVINGS {
                trial.update(view);
                let new = view.merit(&trial.P, &trial.U);
                // α is implicit: trial = at + α (step − at).
                if new < (1.0 - DECREASE) * merit {
                    merit = new;
                    accepted = true;
                    break;
                }
                for (t, a) in trial.P.iter_mut().zip(&at.P) {
                    *t = 0.5 * (*t + a);
                }
            }
            if !accepted {
                return k;
            }
            std::mem::swap(at, trial);
            if at.residual < best.residual {
                best.copy_from(at);
            }
            if best.residual <= tolerance {
                return k;
            }
        }
        DAMPED_STEPS
    }

    fn sweeps(&mut self, view: &View<'_>, count: usize) {
        let Self { at, best, .. } = self;
        at.copy_from(best);
        for _ in 0..count {
            gauss_seidel::sweep(view, &mut at.P);
        }
        at.update(view);
        if at.residual < best.residual {
            best.copy_from(at);
        }
    }
}
