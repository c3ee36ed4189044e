//! Picks a solver, falls back when it gives up, and says what it did.
//!
//! One contact is solved in closed form. Everything else goes through the solvers in turn until one converges; if none
//! does, the answer with the smallest residual is returned under the name and status of the solver that found it. All of the
//! set of `examples/success_rates.rs` (140 spatial problems by blocks) are solved to 1e-12, and of 15 large ones 12.

use crate::limits::Deadline;
use crate::matrix::reorder::Shuffled;
use crate::measure::diagnosis::impossible;
use crate::one_contact::{closed_form, two_disks};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::central_path::{self, CentralPath};
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::newton::{self, Newton, equations};
use crate::solvers::{admm, apgd, gauss_seidel, interior_point, lemke, polyhedral};
use crate::{
    Bodies, ContactProblem, ContactSolver, GaussSeidel, Limits, Normal, SolveReport, SolveStatus, residual,
};

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "auto",
    description: "closed form for one contact, else picks a solver and falls back, and says so",
    takes: Takes::ALL,
    needs: Needs::Products,
    make: || Driver::boxed(&ENTRY, Auto::default()),
};

/// Places of the solvers in the chains.
const NEWTON: usize = 0;
const LEMKE: usize = 1;
const SWEEPS: usize = 2;
const SPARSE: usize = 3;
const ADMM: usize = 4;
const APGD: usize = 5;
const PATH: usize = 6;
const QUICK: usize = 7;
const POLYHEDRAL: usize = 8;
const FISCHER: usize = 9;
const CONES: usize = 10;
const QUICK_DENSE: usize = 11;
const QUICK_PATH: usize = 12;
const BURST: usize = 13;

/// Where Ŵ is stored dense: few contacts, and what solves them to the last digit comes first.
const FEW: &[usize] = &[QUICK_DENSE, LEMKE, PATH, SWEEPS, NEWTON, ADMM, APGD, POLYHEDRAL, FISCHER, CONES];
/// Where Ŵ is stored by blocks: what costs little per contact first, dense systems last.
const MANY: &[usize] =
    &[QUICK, QUICK_PATH, SPARSE, PATH, ADMM, SWEEPS, APGD, PATH, LEMKE, FISCHER, ADMM, PATH, CONES, NEWTON];
/// Contacts from which on factors fill so much that sweeps come first, and the order from there.
const VERY_MANY: usize = 1000;
const SWEEPS_FIRST: &[usize] = &[SWEEPS, QUICK_PATH, CONES, PATH, APGD, SPARSE, ADMM];
/// Where Ŵ is over bodies and would be full: what needs products alone, before it is formed after all.
const PRODUCTS: &[usize] = &[SWEEPS, APGD];

/// Shares of the time that is left: of the solver that is asked first, which is quick or does not get there unless nothing else
/// is to come, and of the others.
const FIRST_SHARE: f64 = 0.2;
const SHARE: f64 = 0.5;

/// Sweeps that are tried first from the impulses of the step before, where all contacts have three rows: what lies still or hardly
/// changes needs a few, and a sweep costs less than a hundredth of a Newton step.
const BURST_SWEEPS: usize = 60;
/// So many contacts there must be: with fewer a Newton step costs little, and goes further.
const BURST_FROM: usize = 50;
/// Newton steps that are taken before something else is tried, by blocks and dense, where a step costs little.
const QUICK_STEPS: usize = 10;
const QUICK_DENSE_STEPS: usize = 40;
/// And steps on the central path.
const QUICK_PATH_STEPS: usize = 60;
/// And by the one that comes later.
const SPARSE_STEPS: usize = 150;

/// Other orders of the contacts that are tried last, if there is a time limit and it is not over.
const ORDERS: u64 = 6;

/// The solver `auto`.
#[derive(Debug)]
pub(crate) struct Auto {
    /// In their places.
    solvers: [Box<dyn ContactSolver>; 14],
    start: Vec<f64>,
    best: Vec<f64>,
}

impl Default for Auto {
    fn default() -> Self {
        Self {
            solvers: [
                (newton::ENTRY.make)(),
                (lemke::ENTRY.make)(),
                (gauss_seidel::ENTRY.make)(),
                Newton::without_dense_systems(SPARSE_STEPS),
                (admm::ENTRY.make)(),
                (apgd::ENTRY.make)(),
                (central_path::ENTRY.make)(),
                Newton::without_dense_systems(QUICK_STEPS),
                (polyhedral::ENTRY.make)(),
                (equations::FISCHER_BURMEISTER.make)(),
                (interior_point::ENTRY.make)(),
                Newton::quick(QUICK_DENSE_STEPS),
                CentralPath::of_steps(QUICK_PATH_STEPS),
                GaussSeidel { max_sweeps: BURST_SWEEPS, ..GaussSeidel::default() }.solver(),
            ],
            start: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl Method for Auto {
    // one contact takes some hundred instructions: a call more or less shows
    #[inline(always)]
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Task { problem, tolerance, deadline, .. } = *task;
        let mut fallbacks = 0;
        if problem.laws.len() <= 1 {
            let residual = closed_form(problem, P);
            if residual <= tolerance {
                let status = SolveStatus::Converged;
                return SolveReport { status, residual, iterations: 0, solver: "closed-form", fallbacks: 0 };
            }
            fallbacks += 1;
        }
        let mut asked = Asked { tolerance, deadline, fallbacks, answer: None, impossible: false };
        self.start.clear();
        self.start.extend_from_slice(P);
        self.best.resize(P.len(), 0.0);
        let converged = match problem.W_hat.bodies() {
            Some(bodies) => self.over_bodies(bodies, problem, P, &mut asked),
            None => self.ask_in_all_orders(problem, P, &mut asked),
        };
        converged.unwrap_or_else(|| {
            P.copy_from_slice(&self.best);
            let mut answer = asked.answer.expect("at least one solver was tried");
            // All gave up: the others count as having done so before the one whose answer is the least bad.
            answer.fallbacks = asked.fallbacks - 1;
            if asked.impossible {
                answer.status = SolveStatus::Infeasible;
            }
            answer
        })
    }
}

/// How far the solvers have come together.
struct Asked {
    tolerance: f64,
    deadline: Deadline,
    /// Solvers that gave up.
    fallbacks: usize,
    /// The best of their answers.
    answer: Option<SolveReport>,
    /// It is proved that there is none.
    impossible: bool,
}

/// Who is asked, in which order.
fn chain(problem: &ContactProblem<'_>) -> &'static [usize] {
    match problem.W_hat.blocks() {
        Some(blocks) if blocks.contacts() >= VERY_MANY => SWEEPS_FIRST,
        Some(_) => MANY,
        None => FEW,
    }
}

impl Auto {
    /// With products as long as Ŵ would be full, then with Ŵ formed if it can be.
    fn over_bodies(
        &mut self,
        bodies: &Bodies,
        problem: &ContactProblem<'_>,
        P: &mut [f64],
        asked: &mut Asked,
    ) -> Option<SolveReport> {
        let can_be_formed = bodies.can_be_formed();
        if bodies.is_fuller_formed() || !can_be_formed {
            let last_share = if can_be_formed { SHARE } else { 1.0 };
            let report = self.ask(PRODUCTS, [SHARE, last_share], problem, P, asked);
            if report.is_some() || !can_be_formed {
                return report;
            }
        }
        let formed = bodies.to_blocks();
        let problem = ContactProblem { W_hat: &formed, ..*problem };
        self.ask_in_all_orders(&problem, P, asked)
    }

    /// A few sweeps from where the step before ended; P is as it was where they do not get there.
    fn burst(&mut self, problem: &ContactProblem<'_>, P: &mut [f64], asked: &Asked) -> Option<SolveReport> {
        // few contacts have something better, and very many begin with sweeps anyway
        let some = BURST_FROM..VERY_MANY;
        let others = problem.W_hat.blocks().is_none_or(|blocks| !some.contains(&blocks.contacts()));
        let cold = P.iter().all(|P| *P == 0.0);
        if others || cold || problem.laws.iter().any(|law| law.dim() != 3) {
            return None;
        }
        let solver = &mut self.solvers[BURST];
        solver.limit(Limits { tolerance: asked.tolerance, seconds: FIRST_SHARE * asked.deadline.left() });
        let report = solver.solve(problem, P);
        if report.status == SolveStatus::Converged {
            return Some(report);
        }
        P.copy_from_slice(&self.start);
        None
    }

    /// The chain, then again with contacts counted in other orders, from the start.
    fn ask_in_all_orders(
        &mut self,
        problem: &ContactProblem<'_>,
        P: &mut [f64],
        asked: &mut Asked,
    ) -> Option<SolveReport> {
        if let Some(report) = self.burst(problem, P, asked) {
            return Some(report);
        }
        let chain = chain(problem);
        let limited = asked.deadline.left().is_finite();
        let shares = [FIRST_SHARE, if limited { SHARE } else { 1.0 }];
        let report = self.ask(chain, shares, problem, P, asked);
        let numbers = asked.answer.is_some_and(|answer| answer.residual.is_finite());
        asked.impossible = report.is_none() && numbers && impossible(problem);
        if report.is_some() || !limited || !numbers || asked.impossible {
            return report;
        }
        let mut Q = vec![0.0; P.len()];
        for number in 1..=ORDERS {
            if asked.deadline.passed() {
                break;
            }
            let other = Shuffled::of(problem, number);
            let (answer, best) = (asked.answer.take(), self.best.clone());
            self.start.fill(0.0);
            Q.fill(0.0);
            let converged = self.ask(chain, shares, &other.problem(), &mut Q, asked);
            other.put_back(if converged.is_some() { &Q } else { &self.best }, P);
            // sums in another order: what was just below the tolerance may be just above
            let mut report = converged.or(asked.answer).expect("at least one solver was tried");
            report.residual = residual(problem, P);
            if converged.is_some() && report.residual <= asked.tolerance {
                return Some(report);
            }
            if report.status == SolveStatus::Converged {
                report.status = SolveStatus::Stalled;
            }
            if answer.is_some_and(|answer| answer.residual <= report.residual) {
                (self.best, asked.answer) = (best, answer);
            } else {
                self.best.copy_from_slice(P);
                asked.answer = Some(report);
            }
        }
        None
    }

    /// Asks the solvers of a chain in turn; the report of the first that converges.
    fn ask(
        &mut self,
        chain: &[usize],
        [first_share, last_share]: [f64; 2],
        problem: &ContactProblem<'_>,
        P: &mut [f64],
        asked: &mut Asked,
    ) -> Option<SolveReport> {
        let Asked { tolerance, deadline, fallbacks, answer, .. } = asked;
        for (at, &which) in chain.iter().enumerate() {
            if deadline.passed() && answer.is_some() {
                break;
            }
            let solver = &mut self.solvers[which];
            // a limited time is shared: so much of what is left to each
            let share = match at + 1 == chain.len() {
                true => last_share,
                false if at == 0 => first_share,
                false => SHARE,
            };
            // most go on from the best point so far; some begin where everybody did, the central path the second time
            let times = chain[..at].iter().filter(|before| **before == which).count();
            if (which == PATH && times == 1) || ([ADMM, SPARSE, CONES].contains(&which) && times == 0) {
                P.copy_from_slice(&self.start);
            }
            solver.limit(Limits { tolerance: *tolerance, seconds: share * deadline.left() });
            let mut report = solver.solve(problem, P);
            report.fallbacks = *fallbacks;
            if report.status == SolveStatus::Converged {
                return Some(report);
            }
            // a refusal is no answer
            let refused = report.status == SolveStatus::Unsupported;
            let better = |best: SolveReport| {
                !refused && (best.status == SolveStatus::Unsupported || report.residual < best.residual)
            };
            if answer.is_none_or(better) {
                self.best.copy_from_slice(P);
                *answer = Some(report);
            }
            // many contacts: on from the best point so far, which cost something
            let many = problem.W_hat.dense().is_none();
            P.copy_from_slice(if many { &self.best } else { &self.start });
            *fallbacks += 1;
        }
        None
    }
}

/// One contact alone, or none; returns the residual.
fn closed_form(problem: &ContactProblem<'_>, P: &mut [f64]) -> f64 {
    let Some(law) = problem.laws.first() else { return 0.0 };
    let U_free = problem.U_free;
    let dim = law.dim();
    if dim == 1 {
        let w = problem.W_hat.entry(0, 0);
        P[0] = closed_form::scalar(law, w, U_free[0]);
        let U = w * P[0] + U_free[0];
        // Exactly as in the residual, without its divisions where the law holds to the last bit.
        let exact = U == 0.0 || (law.normal() == Normal::HalfLine && P[0] == 0.0 && U > 0.0);
        return if exact && U.is_finite() { 0.0 } else { residual(problem, P) };
    }
    if law.has_two_disks() {
        two_disks::solve_alone(law, |i, j| problem.W_hat.entry(i, j), U_free, P);
        return residual(problem, P);
    }
    let mut W = [[0.0; 3]; 3];
    for i in 0..dim {
        match problem.W_hat.dense() {
            Some(dense) => W[i][..dim].copy_from_slice(dense.row(i)),
            None => (0..dim).for_each(|j| W[i][j] = problem.W_hat.entry(i, j)),
        }
    }
    let q: [f64; 3] = std::array::from_fn(|i| if i < dim { U_free[i] } else { 0.0 });
    P.copy_from_slice(&closed_form::solve(law, &W, &q)[..dim]);
    residual(problem, P)
}
