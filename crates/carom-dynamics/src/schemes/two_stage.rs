//! The Newton iteration of a method with two stages that hang together.
//!
//! A scheme gives v_c, δ_c and 𝔸; the step is, with s = 0, 1 and sums over the stages r,
//!
//! ```text
//!   v_s = v_c,s + 𝔸_sr a_r,      δ_s = δ_c,s + 𝔸_sr v_r,      q_s = q_n ⊕ δ_s
//!   M a = h + Gᵀ λ_b + W λ,      G v + ∂Φ/∂t = 0,      0 ≤ U ⊥ λ ≥ 0, friction        at both stages
//! ```
//!
//! Linearised and multiplied by 𝔸, with y = δv, r the residuals and c those of the joints,
//!
//! ```text
//!   (1⊗M + 𝔸⊗C + 𝔸²⊗K) y − Gᵀ 𝔸 δλ_b = 𝔸 (r + W λ),       G y = c
//! ```
//!
//! is a system of 2n unknowns that is not formed. Both 𝔸 and 𝔸² are replaced by lower triangular matrices whose diagonal
//! is the root of their determinant twice (the factor L of T 𝔸 T⁻¹ = L U, U with unit diagonal, T = [1 0; t 1]):
//!
//! ```text
//!   [ Â    ]        Â = M + γ C + γ² K,   γ² = det 𝔸        T drops out: it commutes with what stands on the left
//!   [ N  Â ]        N = l(𝔸) C + l(𝔸²) K                   l(B) = b₂₁ + t (b₁₁ − b₂₂) − t² b₁₂,  t = (b₁₁ − √det B)/b₁₂
//! ```
//!
//! so that one matrix of size n is factored. For large damping and for large stiffness the iteration matrix is nilpotent;
//! in between it contracts by |tr² 𝔸/4γ² − 1| at most, where springs and steps are of one size: 1/3 for the usual
//! parameters of ED-α. The residual is exact. Where h depends on time alone the stages are solved independently.

use super::implicit::{NEWTON_TOLERANCE, ROUND_OFF};
use crate::convergence::{Convergence, Rule, finite, not_converged};
use crate::{Configuration, ContactStage, Coupling, ImpulseKind, State, StepError, System};

/// More iterations than this count as failure: enough to round-off where springs contract by two thirds.
const MOST_ITERATIONS: usize = 100;
/// A contraction slower by this than springs alone can make it asks for a new factorisation.
const SLOW: f64 = 0.1;

/// Unknowns and work arrays of both stages; each of the size of v unless said otherwise.
#[derive(Debug)]
pub struct TwoStage {
    at: [Configuration; 2],
    /// Constants of the step, written by the scheme.
    pub v_c: [Vec<f64>; 2],
    /// Constants of the step, written by the scheme.
    pub delta_c: [Vec<f64>; 2],
    /// a: first guess on entry, solution on return.
    pub a: [Vec<f64>; 2],
    /// v on return.
    pub v: [Vec<f64>; 2],
    delta: [Vec<f64>; 2],
    h: [Vec<f64>; 2],
    y: [Vec<f64>; 2],
    /// λ_b, size of Φ.
    lambda_b: [Vec<f64>; 2],
    mu: [Vec<f64>; 2],
}

impl TwoStage {
    /// At a state.
    pub fn start(system: &dyn System, state: &State) -> Self {
        let sizes = system.structure().sizes;
        let of_v = || [vec![0.0; sizes.v], vec![0.0; sizes.v]];
        let of_b = || [vec![0.0; sizes.constraints], vec![0.0; sizes.constraints]];
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        Self {
            at: [at.clone(), at],
            v_c: of_v(),
            delta_c: of_v(),
            a: of_v(),
            v: of_v(),
            delta: of_v(),
            h: of_v(),
            y: of_v(),
            lambda_b: of_b(),
            mu: of_b(),
        }
    }

    /// Where the step ends.
    pub fn at_end(&mut self) -> &mut Configuration {
        &mut self.at[1]
    }

    /// Iterates, with stages at the times `times`. The active set is already in the stage.
    pub fn solve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        times: [f64; 2],
        A: [[f64; 2]; 2],
    ) -> Result<usize, StepError> {
        let t = state.t;
        let tangents = stage.operator.has_tangents();
        let changes = tangents || !system.structure().mass_is_constant;
        let weights = Weights::new(A);
        self.begin(system, stage, state, A);
        // ‖𝔸 a‖ of the first guess: at rest its round-off is all there is to compare with
        let mut guess = 0.0;
        // two parts of the change may shrink at different rates
        let rule = Rule { slower_of_two: true, ..Rule::to(NEWTON_TOLERANCE, SLOW + weights.springs()) };
        let mut convergence = Convergence::new(rule);
        let coupling = weights.coupling(tangents);
        let mut refactor = true;
        for iteration in 1..=MOST_ITERATIONS {
            for s in 0..2 {
                self.at[s].retract_to(system, times[s], &state.q, &self.delta[s]);
                self.residual(system, stage, t, s, (changes, iteration == 1))?;
            }
            stage.evaluate_directions_of_both(system, &self.at);
            stage.update_bounds_of_both(&self.lambda_b);
            if refactor && !stage.operator.factor(system, &self.at[1], weights.gamma, weights.determinant) {
                return Err(StepError::Singular { t });
            }
            stage.solve_two_stages(t, &coupling, &self.v, &mut self.y, &mut self.mu)?;
            if iteration == 1 {
                guess = self.size_of_guess(stage.operator.M_diag(), weights.determinant);
            }
            self.correct(&weights);
            if !changes && self.mu[0].is_empty() && !stage.is_active() {
                return Ok(iteration);
            }
            let (change, scale) = self.change(stage.operator.M_diag(), &state.v, weights.determinant);
            finite(t, change, scale, &self.v[1])?;
            let known = convergence.has_begun();
            let judged = convergence.judge(change, scale, ROUND_OFF * scale.max(guess));
            if judged.settled {
                return Ok(iteration);
            }
            refactor = known && judged.slower > rule.slow;
        }
        Err(not_converged(t, MOST_ITERATIONS, stage.operator.M_diag(), &self.y[1], &self.v[1]))
    }

    /// The contacts, λ_b, v and δ before the first iteration.
    fn begin(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State, A: [[f64; 2]; 2]) {
        if stage.is_active() {
            self.at[0].move_to_state(system, state);
            stage.prepare_two_stages(system, &self.at[0], state);
        }
        stage.operator.forget_jacobian();
        for lambda_b in &mut self.lambda_b {
            stage.operator.guess_reactions(&state.lambda_b, lambda_b);
        }
        for s in 0..2 {
            combine(&self.v_c[s], A[s], &self.a, &mut self.v[s]);
        }
        for s in 0..2 {
            combine(&self.delta_c[s], A[s], &self.v, &mut self.delta[s]);
        }
    }

    /// r = h − M a + Gᵀ λ_b in `y`,  c = −(G v + ∂Φ/∂t) in `mu`, of stage s where it is.
    fn residual(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        t: f64,
        s: usize,
        (changes, first): (bool, bool),
    ) -> Result<(), StepError> {
        let at = &mut self.at[s];
        if changes {
            at.v.copy_from_slice(&self.v[s]);
            if !stage.operator.evaluate_mass(system, at, false) {
                return Err(StepError::Singular { t });
            }
        }
        if changes || first {
            system.force(at, &mut self.h[s]);
        }
        stage.operator.mul_mass(&self.a[s], &mut self.y[s]);
        for (y, h) in self.y[s].iter_mut().zip(&self.h[s]) {
            *y = h - *y;
        }
        if !self.mu[s].is_empty() {
            stage.operator.evaluate_jacobian(system, at);
            stage.operator.add_reactions(&self.lambda_b[s], &mut self.y[s]);
            stage.operator.constraint_velocity(&self.v[s], &mut self.mu[s]);
            for c in &mut self.mu[s] {
                *c = -*c;
            }
        }
        Ok(())
    }

    /// v, a, λ_b and δ with δv = y, δa = 𝔸⁻¹ y, δλ_b = 𝔸⁻¹ μ.
    fn correct(&mut self, Weights { A, A_inv, .. }: &Weights) {
        for s in 0..2 {
            for i in 0..self.v[s].len() {
                self.v[s][i] += self.y[s][i];
                self.a[s][i] += A_inv[s][0] * self.y[0][i] + A_inv[s][1] * self.y[1][i];
            }
            for (row, lambda_b) in self.lambda_b[s].iter_mut().enumerate() {
                *lambda_b += A_inv[s][0] * self.mu[0][row] + A_inv[s][1] * self.mu[1][row];
            }
        }
        for s in 0..2 {
            combine(&self.delta_c[s], A[s], &self.v, &mut self.delta[s]);
        }
    }

    /// γ ‖a‖ in the metric of M.
    fn size_of_guess(&self, M: &[f64], determinant: f64) -> f64 {
        let size = |i: usize| self.a[0][i] * self.a[0][i] + self.a[1][i] * self.a[1][i];
        (determinant * (0..self.v[0].len()).map(|i| M[i] * size(i)).sum::<f64>()).sqrt()
    }

    /// ‖·‖ in the metric of M: the change, and the velocities it is compared with.
    fn change(&self, M: &[f64], v_n: &[f64], determinant: f64) -> (f64, f64) {
        let (mut change, mut new, mut old, mut push) = (0.0, 0.0, 0.0, 0.0_f64);
        for i in 0..v_n.len() {
            change += M[i] * (self.y[0][i] * self.y[0][i] + self.y[1][i] * self.y[1][i]);
            new += M[i] * self.v[1][i] * self.v[1][i];
            old += M[i] * v_n[i] * v_n[i];
            push += self.h[1][i] * self.h[1][i] / M[i];
        }
        let scale = f64::max(new, old).max(determinant * push).sqrt();
        (f64::sqrt(change), scale)
    }

    /// Writes the end of the step: q, v⁻, the forces of stage 1, and impulses dt/2 (λ_0 + λ_1).
    pub fn commit(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) {
        system.retract(&state.q, &self.delta[1], &mut end.q);
        end.v.copy_from_slice(&self.v[1]);
        end.lambda_b.copy_from_slice(&self.lambda_b[1]);
        for (row, P_b) in end.P_b.iter_mut().enumerate() {
            *P_b = 0.5 * dt * (self.lambda_b[0][row] + self.lambda_b[1][row]);
        }
        end.lambda.fill(0.0);
        end.P.fill(0.0);
        stage.scatter(1.0, &mut end.lambda);
        stage.scatter_both(0.5 * dt, &mut end.P);
        stage.record(ImpulseKind::Force, &self.v[1], &end.P);
    }
}

/// out = c + 𝔸_s0 x_0 + 𝔸_s1 x_1.
fn combine(c: &[f64], A_s: [f64; 2], x: &[Vec<f64>; 2], out: &mut [f64]) {
    for i in 0..out.len() {
        out[i] = c[i] + A_s[0] * x[0][i] + A_s[1] * x[1][i];
    }
}

/// 𝔸 and what the iteration makes of it.
struct Weights {
    A: [[f64; 2]; 2],
    A_inv: [[f64; 2]; 2],
    determinant: f64,
    gamma: f64,
}

impl Weights {
    fn new(A: [[f64; 2]; 2]) -> Self {
        let determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
        let A_inv = [
            [A[1][1] / determinant, -A[0][1] / determinant],
            [-A[1][0] / determinant, A[0][0] / determinant],
        ];
        Self { A, A_inv, determinant, gamma: determinant.sqrt() }
    }

    /// What springs contract by where they contract least.
    fn springs(&self) -> f64 {
        let trace = self.A[0][0] + self.A[1][1];
        (trace * trace / (4.0 * self.determinant) - 1.0).abs()
    }

    fn coupling(&self, tangents: bool) -> Coupling {
        let A = self.A;
        if tangents {
            Coupling { A, n_v: lower(A), n_q: lower(times_itself(A)) }
        } else {
            Coupling { A, n_v: 0.0, n_q: 0.0 }
        }
    }
}

fn times_itself(B: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let entry = |i: usize, j: usize| B[i][0] * B[0][j] + B[i][1] * B[1][j];
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

/// l(B): the entry below the diagonal of L.
fn lower(B: [[f64; 2]; 2]) -> f64 {
    let root = (B[0][0] * B[1][1] - B[0][1] * B[1][0]).sqrt();
    let t = (B[0][0] - root) / B[0][1];
    B[1][0] + t * (B[0][0] - B[1][1]) - t * t * B[0][1]
}
