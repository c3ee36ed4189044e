//! Interior point on the contact problem itself, the shift μ |U_T| inside.   [Acary2011], [Nesterov1997], [Mehrotra1992]
//!
//! In scaled rows (x = √w P, u = U/√w) and for a barrier τ that falls to zero,
//!
//! ```text
//!   y = u + μ ‖u_T‖ e_N,      u = Ŵ x + q,      x ∘ y = τ e,      x inside K, y inside K*
//! ```
//!
//! with ∘ the product of Lorentz' cone in x̂ = (μ x_N, x_T), ŷ = (y_N / μ, y_T). At τ = 0 this is the law of every contact, so no
//! fixed point is around it. Newton's step at the Nesterov–Todd point V (V x̂ = V⁻¹ ŷ = λ) takes one factor of Ŵ with something on
//! its diagonal, whatever the rank of Ŵ:
//!
//! ```text
//!   [Ŵ + S⁻¹ D V² D] dx = S⁻¹ (D V (λ \ c) + r),     S = 1 + κ μ e_N tᵀ,   t = u_T/‖u_T‖,   D = diag(μ, 1, 1),   r = y − u − μ ‖u_T‖ e_N
//!   c = −λ ∘ λ,  then  σ τ e − λ ∘ λ − (V⁻¹ dŷ) ∘ (V dx̂)                                      predictor, corrector
//! ```
//!
//! κ = 1 is Newton's method. The shift makes the problem nonmonotone: with much friction full knowledge of its slope can lead
//! astray where none (κ = 0, the convex problem of a shift held for one step) does not. So it is tried in several ways, from the same
//! start. Where contacts depend on each other the path ends in the middle of the answers; the last digits come from Newton steps
//! (`newton/blocks.rs`).

mod contact;

use crate::factor::block_lu::BlockLu;
use crate::limits::Deadline;
use crate::matrix::block_view::{Many, ManyFrame};
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::newton::blocks::BlockNewton;
use crate::{ContactSolver, SolveReport, SolveStatus};
use contact::Contact;

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "central-path",
    description: "interior point on the contact problem itself, one factor per step; large sets of dependent contacts",
    takes: Takes::ONE_DISK,
    needs: Needs::Blocks,
    make: || CentralPath::of_steps(MOST_STEPS),
};

/// How much of the slope of the shift a step knows.
#[derive(Clone, Copy, Debug)]
struct Way {
    kappa: f64,
    /// Less after short steps, more after long ones.
    adapts: bool,
    /// Begins near the best point, with this much room to the borders.
    room: Option<f64>,
}

/// One after the other until one arrives.
const WAYS: [Way; 8] = [
    Way { kappa: 1.0, adapts: false, room: None },
    Way { kappa: 1.0, adapts: true, room: None },
    Way { kappa: 0.0, adapts: true, room: None },
    Way { kappa: 0.5, adapts: false, room: None },
    Way { kappa: 1.0, adapts: false, room: Some(0.1) },
    Way { kappa: 0.0, adapts: true, room: Some(0.1) },
    Way { kappa: 1.0, adapts: false, room: Some(0.03) },
    Way { kappa: 0.0, adapts: true, room: Some(0.03) },
];
/// The first that begins near the best point. It comes first if the start has at most this residual.
const WARM: usize = 4;
const GOOD_START: f64 = 1e-3;
/// Largest number of steps, on all ways together.
const MOST_STEPS: usize = 500;
/// Steps on one way.
const STEPS: usize = 100;
/// Steps up to this share are short, from that on long; what they do to κ.
const SHORT: f64 = 0.3;
const LONG: f64 = 0.7;
const LESS: f64 = 0.5;
const MORE: f64 = 1.5;
/// Share of the way to the nearest border that a step goes.
const SHARE: f64 = 0.99;
/// Steps shorter than the first lead nowhere, nor do this many in a row that are shorter than the second.
const NO_STEP: f64 = 1e-7;
const TINY_STEP: f64 = 1e-2;
const TINY_STEPS: usize = 10;
/// Barrier below which Newton steps are tried first, and what it has to fall by before the next time.
const POLISH: f64 = 1e-6;
const POLISH_AGAIN: f64 = 1e-2;
/// Barrier at which only rounding is left.
const END: f64 = 1e-18;

/// The solver `central-path`.
#[derive(Debug)]
pub(crate) struct CentralPath {
    /// Largest number of steps.
    max_steps: usize,
    many: ManyFrame,
    path: Path,
}

/// Memory of the iteration.
#[derive(Debug, Default)]
struct Path {
    lu: BlockLu,
    newton: BlockNewton,
    contacts: Vec<Contact>,
    step: Vec<f64>,
    P: Vec<f64>,
    U: Vec<f64>,
    best: Vec<f64>,
    smallest: f64,
    steps: usize,
}

impl CentralPath {
    /// One that gives up after so many steps.
    pub fn of_steps(max_steps: usize) -> Box<dyn ContactSolver> {
        let (many, path) = (ManyFrame::default(), Path::default());
        Driver::boxed(&ENTRY, Self { max_steps, many, path })
    }
}

impl Method for CentralPath {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let Task { tolerance, deadline, .. } = *task;
        let view = self.many.view(task.problem);
        let path = &mut self.path;
        path.lu.until(deadline);
        let started = path.start(&view, P);
        let mut otherwise = SolveStatus::IterationLimit;
        if path.smallest > tolerance && path.smallest.is_finite() {
            if started {
                let first = if path.smallest <= GOOD_START { WARM } else { 0 };
                for way in WAYS[first..].iter().chain(&WAYS[..first]) {
                    let steps = STEPS.min(self.max_steps - path.steps);
                    path.follow(&view, *way, tolerance, steps, deadline);
                    // without friction all ways are one
                    let alone = view.laws.iter().all(|law| law.friction() == 0.0);
                    if path.smallest <= tolerance || deadline.passed() || alone || steps == 0 {
                        break;
                    }
                }
                if deadline.passed() {
                    otherwise = SolveStatus::TimeLimit;
                }
            } else {
                otherwise = SolveStatus::Unsupported;
            }
        }
        P.copy_from_slice(&path.best);
        task.measured(P, otherwise, path.steps)
    }
}

impl Path {
    /// Sizes everything and looks at P. False if the factor would be too large.
    fn start(&mut self, view: &Many<'_>, P: &[f64]) -> bool {
        for array in [&mut self.step, &mut self.P, &mut self.U, &mut self.best] {
            array.resize(P.len(), 0.0);
        }
        self.steps = 0;
        self.best.copy_from_slice(P);
        if P.iter().any(|P| !P.is_finite()) {
            self.best.fill(0.0);
        }
        view.velocity(&self.best, &mut self.U);
        self.smallest = view.residual(&self.best, &self.U);
        self.lu.analyse(view.W)
    }

    /// Follows the path until the tolerance is met, steps become short, or time is over.
    fn follow(&mut self, view: &Many<'_>, way: Way, tolerance: f64, max_steps: usize, deadline: Deadline) {
        // the unit of x, u and y
        let rows = || view.w.iter().enumerate().flat_map(|(c, w)| view.W.rows_of(c).map(move |i| (i, w)));
        let unit = rows().map(|(i, w)| view.U_free[i].abs() / w.sqrt()).fold(0.0, f64::max);
        let unit = if unit > 0.0 { unit } else { 1.0 };
        self.contacts.clear();
        let laws = view.laws.iter().zip(view.w);
        self.contacts.extend(laws.map(|(law, w)| Contact::new(law, w.sqrt() / unit)));
        if let Some(room) = way.room {
            self.P.copy_from_slice(&self.best);
            view.velocity(&self.P, &mut self.U);
            for ((c, w), contact) in view.w.iter().enumerate().zip(&mut self.contacts) {
                let (mut x, mut u) = ([0.0; 3], [0.0; 3]);
                for (k, i) in view.W.rows_of(c).enumerate() {
                    (x[k], u[k]) = (self.P[i] * w.sqrt() / unit, self.U[i] / (w.sqrt() * unit));
                }
                contact.near(x, u, room);
            }
        }
        let products: f64 = self.contacts.iter().map(Contact::degree).sum();
        let degree = products.max(1.0);
        let (mut kappa, mut polish, mut tiny_steps) = (way.kappa, POLISH, 0);
        for _ in 0..max_steps {
            self.look(view, unit);
            let tau = self.contacts.iter().map(|contact| contact.gap(0.0)).sum::<f64>() / degree;
            let ended = products > 0.0 && tau < END;
            if self.smallest <= tolerance || !tau.is_finite() || ended || deadline.passed() {
                return;
            }
            let lacks = self.contacts.iter().flat_map(|c| c.lack(tau)).fold(0.0, |a: f64, r| a.max(r.abs()));
            if tau <= polish && lacks <= polish.sqrt() {
                polish = POLISH_AGAIN * tau;
                self.polish(view, tolerance, deadline);
                if self.smallest <= tolerance {
                    return;
                }
            }
            self.steps += 1;
            let Some(alpha) = self.advance(view, tau, degree, kappa) else { return };
            tiny_steps = if alpha < TINY_STEP { tiny_steps + 1 } else { 0 };
            if alpha < NO_STEP || tiny_steps > TINY_STEPS {
                break;
            }
            if way.adapts && alpha < SHORT {
                kappa *= LESS;
            } else if way.adapts && alpha > LONG {
                kappa = (MORE * kappa + 0.05).min(1.0);
            }
        }
        // it did not arrive: the best point may still be in the right pieces
        self.P.copy_from_slice(&self.best);
        self.polish(view, tolerance, deadline);
    }

    /// P, U and u of where the path is, and how good that is.
    fn look(&mut self, view: &Many<'_>, unit: f64) {
        for ((c, w), contact) in view.w.iter().enumerate().zip(&self.contacts) {
            for (i, x) in view.W.rows_of(c).zip(contact.x) {
                self.P[i] = x * unit / w.sqrt();
            }
        }
        view.velocity(&self.P, &mut self.U);
        for ((c, w), contact) in view.w.iter().enumerate().zip(&mut self.contacts) {
            for (i, u) in view.W.rows_of(c).zip(&mut contact.u) {
                *u = self.U[i] / (w.sqrt() * unit);
            }
        }
        let residual = view.residual(&self.P, &self.U);
        self.keep(residual);
    }

    fn keep(&mut self, residual: f64) {
        if residual < self.smallest {
            self.smallest = residual;
            self.best.copy_from_slice(&self.P);
        }
    }

    /// Newton steps from P.
    fn polish(&mut self, view: &Many<'_>, tolerance: f64, deadline: Deadline) {
        view.velocity(&self.P, &mut self.U);
        let residual = view.residual(&self.P, &self.U);
        let residual = self.newton.polish(view, &mut self.P, residual, tolerance, deadline);
        self.keep(residual);
    }

    /// Predictor and corrector; the share of the step that was gone, or none where there is no step.
    fn advance(&mut self, view: &Many<'_>, tau: f64, degree: f64, kappa: f64) -> Option<f64> {
        let Self { lu, contacts, step, .. } = self;
        contacts.iter_mut().for_each(|contact| contact.scale(tau, kappa));
        lu.load(view.W, |c, d, block| {
            let scale = 1.0 / (view.w[c] * view.w[d]).sqrt();
            std::array::from_fn(|i| {
                let scale = if contacts[c].fixed(i) { 0.0 } else { scale };
                let own = if c == d { contacts[c].theta[i] } else { [0.0; 3] };
                std::array::from_fn(|j| scale * block[i][j] + own[j])
            })
        });
        if !lu.factor() {
            return None;
        }
        let (mut goal, mut alpha) = (0.0, 0.0);
        for corrector in [false, true] {
            for (c, contact) in contacts.iter().enumerate() {
                let right = contact.right(goal, corrector, tau);
                step[view.W.rows_of(c)].iter_mut().zip(right).for_each(|(step, r)| *step = r);
            }
            lu.solve(view.W, step);
            if step.iter().any(|x| !x.is_finite()) {
                return None;
            }
            for (c, contact) in contacts.iter_mut().enumerate() {
                let mut dx = [0.0; 3];
                dx.iter_mut().zip(&step[view.W.rows_of(c)]).for_each(|(dx, step)| *dx = *step);
                contact.step(dx, goal, corrector);
            }
            alpha = SHARE * contacts.iter().map(Contact::longest).fold(1.0 / SHARE, f64::min);
            if !corrector {
                // σ = (what the predictor would leave of τ)³
                let left = contacts.iter().map(|contact| contact.gap(alpha)).sum::<f64>() / degree;
                goal = if tau > 0.0 { (left / tau).clamp(1e-6, 1.0).powi(3) * tau } else { 0.0 };
            }
        }
        contacts.iter_mut().for_each(|contact| contact.go(alpha));
        Some(alpha)
    }
}
