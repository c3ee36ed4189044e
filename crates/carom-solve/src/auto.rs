//! Picks a solver, falls back when it gives up, and says what it did.
//!
//! One contact is solved in closed form. Everything else goes through the solvers in turn until one converges; if none
//! does, the answer with the smallest residual is returned under the name and status of the solver that found it.

use crate::{
    ContactProblem, ContactSolver, GaussSeidel, Lemke, Newton, SolveReport, SolveStatus, local, residual,
};

/// The solver `auto`.
#[derive(Debug)]
pub struct Auto {
    /// Residual at which an answer is accepted.
    pub tolerance: f64,
    newton: Newton,
    lemke: Lemke,
    gauss_seidel: GaussSeidel,
    start: Vec<f64>,
    best: Vec<f64>,
}

impl Default for Auto {
    fn default() -> Self {
        Self {
            tolerance: crate::DEFAULT_TOLERANCE,
            newton: Newton::default(),
            lemke: Lemke::default(),
            gauss_seidel: GaussSeidel::default(),
            start: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl ContactSolver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(&mut self, problem: &ContactProblem<'_>, P: &mut [f64]) -> SolveReport {
        let mut fallbacks = 0;
        if problem.laws.len() == 1 {
            closed_form(problem, P);
            let residual = residual(problem, P);
            if residual <= self.tolerance {
                return SolveReport {
                    status: SolveStatus::Converged,
                    residual,
                    iterations: 0,
                    solver: "closed-form",
                    fallbacks,
                };
            }
            fallbacks += 1;
        }
        self.start.clear();
        self.start.extend_from_slice(P);
        self.best.clear();
        self.best.extend_from_slice(P);
        let mut answer: Option<SolveReport> = None;
        self.newton.tolerance = self.tolerance;
        self.lemke.tolerance = self.tolerance;
        self.gauss_seidel.tolerance = self.tolerance;
        let chain: [&mut dyn ContactSolver; 3] = [&mut self.newton, &mut self.lemke, &mut self.gauss_seidel];
        for solver in chain {
            P.copy_from_slice(&self.start);
            let mut report = solver.solve(problem, P);
            report.fallbacks = fallbacks;
            if answer.is_none_or(|best| report.residual < best.residual) {
                self.best.copy_from_slice(P);
                answer = Some(report);
            }
            if report.status == SolveStatus::Converged {
                break;
            }
            fallbacks += 1;
        }
        P.copy_from_slice(&self.best);
        answer.expect("at least one solver was tried")
    }
}

/// One contact alone.
fn closed_form(problem: &ContactProblem<'_>, P: &mut [f64]) {
    let (law, q) = (&problem.laws[0], problem.U_free);
    let mut W = [[0.0; 3]; 3];
    let dim = law.dim();
    if dim == 1 {
        P[0] = local::scalar(law, problem.W_hat.entry(0, 0), q[0]);
        return;
    }
    for i in 0..dim {
        for j in 0..dim {
            W[i][j] = problem.W_hat.entry(i, j);
        }
    }
    let q: [f64; 3] = std::array::from_fn(|i| if i < dim { q[i] } else { 0.0 });
    P.copy_from_slice(&local::solve(law, &W, &q)[..dim]);
}
