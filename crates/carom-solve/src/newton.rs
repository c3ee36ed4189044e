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

use crate::reduced::Reduced;
use crate::scaled::Scaled;
use crate::{ContactProblem, ContactSolver, SolveReport, SolveStatus, gauss_seidel, residual};

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
    scaled: Scaled,
    reduced: Reduced,
    at: Point,
    best: Point,
    trial: Point,
}

/// A point with its velocity and residual.
#[derive(Debug, Default)]
struct Point {
    p: Vec<f64>,
    u: Vec<f64>,
    residual: f64,
}

impl Point {
    fn resize(&mut self, n: usize) {
        self.p.resize(n, 0.0);
        self.u.resize(n, 0.0);
    }

    /// Brings u and the residual up to date with p.
    fn update(&mut self, problem: &Scaled) {
        problem.velocity(&self.p, &mut self.u);
        self.residual = problem.residual(&self.p, &self.u);
    }

    fn copy_from(&mut self, other: &Point) {
        self.p.copy_from_slice(&other.p);
        self.u.copy_from_slice(&other.u);
        self.residual = other.residual;
    }
}

impl Default for Newton {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            max_steps: 200,
            scaled: Scaled::default(),
            reduced: Reduced::default(),
            at: Point::default(),
            best: Point::default(),
            trial: Point::default(),
        }
    }
}

impl ContactSolver for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        self.start(problem, P);
        let mut steps = 0;
        let mut round = 0;
        while self.best.residual > self.tolerance && steps < self.max_steps {
            let rank_tolerance = RANK_TOLERANCES[round % RANK_TOLERANCES.len()];
            steps += self.full_steps(rank_tolerance);
            if self.best.residual <= self.tolerance {
                break;
            }
            steps += self.damped_steps(rank_tolerance);
            if self.best.residual <= self.tolerance {
                break;
            }
            self.sweeps(SWEEPS << round.min(10));
            round += 1;
        }
        self.scaled.unscale(&self.best.p, P);
        let residual = residual(problem, P);
        let status = SolveStatus::of(residual, self.tolerance, SolveStatus::IterationLimit);
        SolveReport { status, residual, iterations: steps, solver: "newton", fallbacks: 0 }
    }
}

impl Newton {
    fn start(&mut self, problem: &ContactProblem<'_>, P: &[f64]) {
        let Self { scaled, at, best, trial, .. } = self;
        scaled.load(problem);
        for point in [&mut *at, &mut *best, trial] {
            point.resize(P.len());
        }
        scaled.scale(P, &mut at.p);
        if at.p.iter().any(|p| !p.is_finite()) {
            at.p.fill(0.0);
        }
        at.update(scaled);
        best.copy_from(at);
    }

    fn full_steps(&mut self, rank_tolerance: f64) -> usize {
        let Self { scaled, reduced, at, best, trial, .. } = self;
        for k in 1..=FULL_STEPS {
            reduced.step(scaled, rank_tolerance, &at.p, &at.u, &mut trial.p);
            trial.update(scaled);
            let settled = trial.p == at.p;
            std::mem::swap(at, trial);
            if at.residual < best.residual {
                best.copy_from(at);
            }
            if best.residual <= self.tolerance || settled || !at.residual.is_finite() {
                return k;
            }
        }
        FULL_STEPS
    }

    fn damped_steps(&mut self, rank_tolerance: f64) -> usize {
        let Self { scaled, reduced, at, best, trial, .. } = self;
        at.copy_from(best);
        let mut merit = scaled.merit(&at.p, &at.u);
        for k in 1..=DAMPED_STEPS {
            reduced.step(scaled, rank_tolerance, &at.p, &at.u, &mut trial.p);
            let mut accepted = false;
            for _ in 0..HALVINGS {
                trial.update(scaled);
                let new = scaled.merit(&trial.p, &trial.u);
                // α is implicit: trial = at + α (step − at).
                if new < (1.0 - DECREASE) * merit {
                    merit = new;
                    accepted = true;
                    break;
                }
                for (t, a) in trial.p.iter_mut().zip(&at.p) {
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
            if best.residual <= self.tolerance {
                return k;
            }
        }
        DAMPED_STEPS
    }

    fn sweeps(&mut self, count: usize) {
        let Self { scaled, at, best, .. } = self;
        at.copy_from(best);
        for _ in 0..count {
            gauss_seidel::sweep(scaled, &mut at.p);
        }
        at.update(scaled);
        if at.residual < best.residual {
            best.copy_from(at);
        }
    }
}
