//! Interior point on the convexified problem, with the fixed point on the shift around it.    [Acary2011]
//!
//! With the shift s_c = μ_c |U_T,c| + μ_r,c |Ω_R,c| held, the local problem is one second-order cone program,
//!
//! ```text
//!   min ½ Pᵀ Ŵ P + Pᵀ (U_free + s e_N)      |P_T,c| ≤ μ_c P_N,c,   |M_R,c| ≤ μ_r,c P_N,c,   bilateral rows free,   low ≤ P ≤ high in rows with both
//! ```
//!
//! which Clarabel solves whatever the rank of Ŵ. Its answer gives a new s; where s = G(s), the answer is that of the
//! contact problem. G contracts for little friction. After every program Newton steps from its answer are tried, because its
//! answer is often in the right pieces of the law before s has settled.
//!
//! The fixed point is plain. On 70 problems of `examples/success_rates.rs` it left one above 1e-8; with Anderson's
//! acceleration over the last 2 to 40 shifts three to five were left, with half steps where the change did not fall, three
//! (5 s each on a busy machine: the order is telling, the counts are small).
//!
//! A program can be unbounded: two walls close on a body, or jam it. Then the frictionless problem decides: if that is
//! unbounded as well, its ray z ≥ 0 has Ŵ z = 0 and U_freeᵀ z < 0, so Uᵀ z < 0 for every P and some U_N < 0: there is no
//! answer, and this is the proof. If it is not, |U_T| of its answer gives an s for which the program is bounded, for its own
//! U satisfies the constraints of the dual, and the fixed point goes on from there.
//!
//! Clarabel allocates: every solve does, before and in its iterations. Not for use inside a step that must not.

use crate::factor::block_lu::products_of;
use crate::limits::Deadline;
use crate::matrix::block_view::{Many, ManyFrame};
use crate::matrix::dense_view::Frame;
use crate::measure::diagnosis::proves_no_answer;
use crate::registry::{Needs, SolverEntry, Takes};
use crate::solvers::block_size::EitherNewton;
use crate::solvers::driver::{Driver, Method, Task};
use crate::solvers::gauss_seidel::sweeps::Sweeps;
use crate::solvers::polish::Polish;
use crate::{ContactProblem, Disk, Law, Normal, SolveReport, SolveStatus, residual};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

/// In the registry.
pub(crate) static ENTRY: SolverEntry = SolverEntry {
    name: "interior-point",
    description: "second-order cone programs with the fixed point on the sliding velocity around them; sturdy where contacts depend",
    takes: Takes::ALL,
    needs: Needs::Blocks,
    make: || Driver::boxed(&ENTRY, InteriorPoint::default()),
};

/// Largest number of cone programs.
const MOST_PROGRAMS: usize = 80;
/// Gap and infeasibility at which a program counts as solved, in its own scaled numbers: enough to know the pieces.
const PROGRAM: f64 = 1e-10;
/// Interior point steps per program; some fifteen were seen.
const PROGRAM_STEPS: u32 = 100;
/// Entries of Ŵ up to which its program is factored: some seconds per interior point step when they are all coupled.
const MOST_ENTRIES: usize = 4_000_000;
/// Rows up to which the last digits come from dense systems, which know the smallest of many solutions.
const DENSE_ROWS: usize = 300;
/// Residual from which sweeps can be expected to finish, and how many may.
const NEAR: f64 = 1e-7;
const SWEEPS: usize = 500;
/// Change of the shift, relative to its size, at which the fixed point is found and nothing more will come.
const SETTLED: f64 = 1e-11;

/// Multiplications in a factor of Ŵ for which a second must be left: with the cones around it that of a program has some times as many,
/// and there are tens of them.
const PRODUCTS_PER_SECOND: f64 = 1e8;

/// The solver `interior-point`.
#[derive(Debug, Default)]
pub(crate) struct InteriorPoint {
    many: ManyFrame,
    frame: Frame,
    newton: EitherNewton,
    polish: Polish,
    sweeps: Sweeps,
}

impl Method for InteriorPoint {
    fn run(&mut self, task: &Task<'_>, P: &mut [f64]) -> SolveReport {
        let mut best = Best { residual: start(task.problem, P), P: P.to_vec() };
        let mut steps = 0;
        let mut otherwise = SolveStatus::IterationLimit;
        if best.residual > task.tolerance && best.residual.is_finite() {
            otherwise = self.programs(task, &mut best, &mut steps);
            self.last_digits(task, &mut best);
        }
        P.copy_from_slice(&best.P);
        task.known(best.residual, otherwise, steps)
    }
}

/// The best point so far.
struct Best {
    P: Vec<f64>,
    residual: f64,
}

impl Best {
    fn offer(&mut self, P: &[f64], residual: f64) {
        if residual < self.residual {
            self.residual = residual;
            self.P.copy_from_slice(P);
        }
    }
}

/// Makes P zero if that is the better start; returns its residual.
fn start(problem: &ContactProblem<'_>, P: &mut [f64]) -> f64 {
    let given = residual(problem, P);
    if P.iter().all(|&P| P == 0.0) {
        return given;
    }
    let zero = residual(problem, &vec![0.0; P.len()]);
    if zero < given || !given.is_finite() {
        P.fill(0.0);
        return zero;
    }
    given
}

impl InteriorPoint {
    /// Program after program; returns why they ended.
    fn programs(&mut self, task: &Task<'_>, best: &mut Best, steps: &mut usize) -> SolveStatus {
        let Task { problem, tolerance, deadline, .. } = *task;
        let Self { many, frame, newton, polish, .. } = self;
        let view = many.view(problem);
        let entries: usize = (0..view.laws.len()).flat_map(|c| view.W.row(c)).map(|(_, b)| b.len()).sum();
        if entries > MOST_ENTRIES {
            return SolveStatus::Unsupported;
        }
        // a factor of Clarabel's does not look at the clock
        let left = deadline.left();
        if left.is_finite() && products_of(view.W) > PRODUCTS_PER_SECOND * left {
            return SolveStatus::TimeLimit;
        }
        let n = view.U_free.len();
        let mut U = vec![0.0; n];
        view.velocity(&best.P, &mut U);
        let Some(mut program) = Program::new(&view, view.laws) else { return SolveStatus::NotFinite };
        let mut shift = program.shift(&view, &U);
        let mut answered = shift.clone();
        let mut P = vec![0.0; n];
        let mut frictionless_known = false;
        for _ in 0..MOST_PROGRAMS {
            if deadline.passed() {
                return SolveStatus::TimeLimit;
            }
            match program.solve(&shift, deadline, &mut P, steps) {
                Outcome::Answer => {}
                Outcome::TimeOver => return SolveStatus::TimeLimit,
                Outcome::Failed => return SolveStatus::IterationLimit,
                Outcome::Ray if frictionless_known => {
                    // more of a shift than this one and the last that had an answer
                    shift.iter_mut().zip(&answered).for_each(|(s, a)| *s = s.max(*a) * 1.5);
                    continue;
                }
                Outcome::Ray => {
                    frictionless_known = true;
                    let laws: Vec<Law> = view.laws.iter().map(|law| law.with_friction_times(0.0)).collect();
                    let Some(mut frictionless) = Program::new(&view, &laws) else {
                        return SolveStatus::NotFinite;
                    };
                    let none = vec![0.0; shift.len()];
                    match frictionless.solve(&none, deadline, &mut P, steps) {
                        Outcome::Answer => {}
                        Outcome::TimeOver => return SolveStatus::TimeLimit,
                        Outcome::Failed => return SolveStatus::IterationLimit,
                        Outcome::Ray if proves_no_answer(problem, &P) => return SolveStatus::Infeasible,
                        Outcome::Ray => return SolveStatus::Ray,
                    }
                    view.velocity(&P, &mut U);
                    shift = program.shift(&view, &U);
                    answered.copy_from_slice(&shift);
                    continue;
                }
            }
            answered.copy_from_slice(&shift);
            view.velocity(&P, &mut U);
            let next = program.shift(&view, &U);
            // The answer itself, then what Newton steps make of it.
            let mut r = view.residual(&P, &U);
            best.offer(&P, r);
            if best.residual > tolerance {
                r = newton.polish(&view, &mut P, r, tolerance, deadline);
                best.offer(&P, r);
            }
            if best.residual > tolerance && n <= DENSE_ROWS {
                r = polish.run(&frame.view(problem), &mut P, tolerance, deadline);
                best.offer(&P, r);
            }
            if best.residual <= tolerance {
                break;
            }
            let size = next.iter().fold(f64::MIN_POSITIVE, |size, s| size.max(s.abs()));
            if next.iter().zip(&shift).all(|(next, s)| (next - s).abs() <= SETTLED * size) {
                break;
            }
            shift = next;
        }
        SolveStatus::IterationLimit
    }
}

impl InteriorPoint {
    /// Where forces and velocities vanish together, the pieces of the law stay unknown and Newton steps do not help: sweeps.
    fn last_digits(&mut self, task: &Task<'_>, best: &mut Best) {
        let Task { problem, tolerance, deadline, .. } = *task;
        if best.residual <= tolerance || best.residual > NEAR || deadline.passed() {
            return;
        }
        let view = self.many.view(problem);
        let mut P = best.P.clone();
        let swept = self.sweeps.run(&view, &mut P, tolerance, SWEEPS, deadline);
        best.offer(&P, swept.residual);
        if best.residual > tolerance && P.len() <= DENSE_ROWS {
            let r = self.polish.run(&self.frame.view(problem), &mut P, tolerance, deadline);
            best.offer(&P, r);
        }
    }
}

/// How a program ended.
enum Outcome {
    /// P is its answer, as good as it could be found.
    Answer,
    /// P is a ray along which it falls for ever.
    Ray,
    TimeOver,
    Failed,
}

/// The cone program in numbers of order one: x = √w P / size, velocities U / (√w size), size the largest of U_free.
struct Program {
    solver: DefaultSolver<f64>,
    /// U_free in these numbers.
    free: Vec<f64>,
    /// The same with the shift.
    q: Vec<f64>,
    /// P of x = 1 in each row.
    unit: Vec<f64>,
    /// First row and law of each contact.
    contacts: Vec<(usize, Law)>,
}

impl Program {
    /// None if Clarabel refuses the data.
    fn new(view: &Many<'_>, laws: &[Law]) -> Option<Self> {
        let n = view.U_free.len();
        let mut scale = vec![0.0; n];
        for (c, w) in view.w.iter().enumerate() {
            scale[view.W.rows_of(c)].fill(1.0 / w.sqrt());
        }
        let size = view.U_free.iter().zip(&scale).fold(0.0_f64, |size, (U, s)| size.max(s * U.abs()));
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        let free: Vec<f64> = view.U_free.iter().zip(&scale).map(|(U, s)| s * U / size).collect();
        let unit: Vec<f64> = scale.iter().map(|s| s * size).collect();
        let contacts: Vec<(usize, Law)> =
            laws.iter().enumerate().map(|(c, law)| (view.W.rows_of(c).start, *law)).collect();
        let W = upper_triangle(view, &scale);
        let (A, b, cones) = constraints(n, &contacts, &unit);
        let settings = DefaultSettings {
            verbose: false,
            presolve_enable: false,
            max_threads: 1,
            max_iter: PROGRAM_STEPS,
            tol_gap_abs: PROGRAM,
            tol_gap_rel: PROGRAM,
            tol_feas: PROGRAM,
            ..DefaultSettings::default()
        };
        let solver = DefaultSolver::new(&W, &free, &A, &b, &cones, settings).ok()?;
        Some(Self { solver, q: free.clone(), free, unit, contacts })
    }

    /// The shift of every contact, in the numbers of the program.
    fn shift(&self, view: &Many<'_>, U: &[f64]) -> Vec<f64> {
        let size = |c: usize| self.unit[self.contacts[c].0] * view.w[c];
        let laws = view.laws.iter().enumerate();
        laws.map(|(c, law)| law.shift(&U[view.W.rows_of(c)]) / size(c)).collect()
    }

    /// Solves with this shift; P becomes the answer, inside its cones, or the ray.
    fn solve(&mut self, shift: &[f64], deadline: Deadline, P: &mut [f64], steps: &mut usize) -> Outcome {
        self.q.copy_from_slice(&self.free);
        for ((row, _), s) in self.contacts.iter().zip(shift) {
            self.q[*row] += s;
        }
        if self.solver.update_q(&self.q).is_err() {
            return Outcome::Failed;
        }
        let mut settings = self.solver.settings().clone();
        settings.time_limit = deadline.left();
        if self.solver.update_settings(settings).is_err() {
            return Outcome::Failed;
        }
        self.solver.solve();
        let solution = &self.solver.solution;
        *steps += solution.iterations as usize;
        if solution.x.iter().any(|x| !x.is_finite()) {
            return Outcome::Failed;
        }
        P.iter_mut().zip(&solution.x).zip(&self.unit).for_each(|((P, x), unit)| *P = x * unit);
        if matches!(solution.status, SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible) {
            return Outcome::Ray;
        }
        if solution.status == SolverStatus::MaxTime {
            return Outcome::TimeOver;
        }
        for (row, law) in &self.contacts {
            law.project(&mut P[*row..row + law.dim()]);
        }
        Outcome::Answer
    }
}

/// The upper triangle of the scaled symmetric part of Ŵ.
fn upper_triangle(view: &Many<'_>, scale: &[f64]) -> CscMatrix<f64> {
    let n = scale.len();
    let (mut start, mut row, mut value) = (vec![0], Vec::new(), Vec::new());
    for d in 0..view.laws.len() {
        let columns = view.W.rows_of(d);
        for j in columns.clone() {
            for (c, numbers) in view.W.row(d).filter(|(c, _)| *c <= d) {
                let (rows, dim) = (view.W.rows_of(c), view.W.dim(c));
                let other = view.W.block(c, d);
                for i in rows.clone().filter(|&i| i <= j) {
                    let (k, l) = (i - rows.start, j - columns.start);
                    let W_ji = numbers[l * dim + k];
                    let W_ij = other.map_or(0.0, |block| block[k * columns.len() + l]);
                    row.push(i);
                    value.push(0.5 * scale[i] * (W_ij + W_ji) * scale[j]);
                }
            }
            start.push(row.len());
        }
    }
    CscMatrix::new(n, n, start, row, value)
}

/// The cones as b − A x ∈ cones.
fn constraints(
    n: usize,
    contacts: &[(usize, Law)],
    unit: &[f64],
) -> (CscMatrix<f64>, Vec<f64>, Vec<SupportedConeT<f64>>) {
    use SupportedConeT::{NonnegativeConeT, SecondOrderConeT, ZeroConeT};
    let mut cones = Vec::new();
    let mut b: Vec<f64> = Vec::new();
    // (row, column, value) of A
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    for &(i, law) in contacts {
        let mut rows = |right: &[f64], values: &[(usize, usize, f64)]| {
            entries.extend(values.iter().map(|(k, j, a)| (b.len() + k, i + j, *a)));
            b.extend_from_slice(right);
        };
        if let Some([low, high]) = law.interval() {
            if low.is_finite() {
                rows(&[high / unit[i], -low / unit[i]], &[(0, 0, 1.0), (1, 0, -1.0)]);
                cones.push(NonnegativeConeT(2));
            }
            continue;
        }
        if law.normal() == Normal::Free {
            continue;
        }
        // one disk says P_N ≥ 0 as well; no disk, or two on one P_N, do not
        if law.has_two_disks() || law.friction() == 0.0 {
            rows(&[0.0], &[(0, 0, -1.0)]);
            cones.push(NonnegativeConeT(1));
        }
        for Disk { first: at, rows: tangents, mu } in law.disks() {
            if mu == 0.0 {
                rows(&[0.0; 2][..tangents], &[(0, at, 1.0), (1, at + 1, 1.0)][..tangents]);
                cones.push(ZeroConeT(tangents));
            } else if tangents == 1 {
                rows(&[0.0; 2], &[(0, 0, -mu), (0, at, -1.0), (1, 0, -mu), (1, at, 1.0)]);
                cones.push(NonnegativeConeT(2));
            } else {
                rows(&[0.0; 3], &[(0, 0, -mu), (1, at, -1.0), (2, at + 1, -1.0)]);
                cones.push(SecondOrderConeT(3));
            }
        }
    }
    let (rows, (columns, values)): (Vec<_>, (Vec<_>, Vec<_>)) =
        entries.into_iter().map(|(i, j, a)| (i, (j, a))).unzip();
    (CscMatrix::new_from_triplets(b.len(), n, rows, columns, values), b, cones)
}
