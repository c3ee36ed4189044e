//! RADAU5, the Radau IIA method with three stages.                                       [Ebrahimi2007] (A.15)–(A.17)
//!
//! ```text
//!   V_i = v_n + dt Σ A_ij a_j,      Q_i = q_n ⊕ (dt c_i v_n + dt² Σ (A²)_ij a_j)
//!   M a_i = h + Gᵀ λ_b + push,      G a_i + bias = 0                            at (Q_i, V_i), i = 1, 2, 3
//!   v_{n+1} = V_3,                  q_{n+1} = Q_3
//! ```
//!
//! Order 5, L-stable. With r_i the residuals, δa solves (1⊗M + dt 𝔸⊗C + dt² 𝔸²⊗K) δa = r. The source iterates on
//! the functions themselves, (A.16), which takes steps no longer than explicit methods do. Here one matrix of size n is
//! factored, Â = M + γ dt C + γ² dt² K, and the equation is blended with itself times γ² 𝔸⁻²:
//!
//! ```text
//!   δa = S (M S (r − s) + s),      s = γ² 𝔸⁻² r,      S the inverse of Â on the joints, whose λ_b,i follow from both solves
//! ```
//!
//! exact for soft and for stiff springs. In between, with μ an eigenvalue of 𝔸²/γ² and z = γ dt ω, it contracts by
//! z² |2 − μ − 1/μ| / (1 + z²)², 0.57 at most for γ² = |μ| of the complex pair; for strong dampers by 0.82.

use crate::convergence::{Convergence, Rule, Stall, finite};
use crate::radau_iia::{A, C, Square, Stages, inverse, mix};
use crate::{Configuration, ContactStage, State, StepError, System};

/// The square of the modulus of the complex eigenvalues of 𝔸, γ².
const GAMMA_2: f64 = 0.060_630_570_879_074_93;
/// The iteration stops when velocities change by less than this, relatively.
const TOLERANCE: f64 = 1e-12;
/// More iterations than this count as failure.
const MOST_ITERATIONS: usize = 200;
/// A change that stops shrinking below this has met round-off.
const ROUND_OFF: f64 = 1e-9;
/// Slower than this a change does not shrink at all.
const STALLS: f64 = 0.9;

/// Unknowns and work arrays; of the size of v unless said otherwise.
#[derive(Debug)]
pub struct Radau {
    at: Configuration,
    stages: Stages,
    /// γ² 𝔸⁻².
    blend: Square,
    /// a_i: first guess on entry, kept between calls for one step.
    a: [Vec<f64>; 3],
    r: [Vec<f64>; 3],
    h: Vec<f64>,
    work: Vec<f64>,
    da: Vec<f64>,
    bias_b: Vec<f64>,
    /// Residuals of the joints and λ_b, size of Φ.
    c: [Vec<f64>; 3],
    lambda: [Vec<f64>; 3],
    none: Vec<f64>,
    /// ‖M⁻¹ h‖ at the last stage: at rest there is nothing else to compare with.
    pushed: f64,
    /// Whether `a` belongs to the step that is made.
    begun: bool,
    /// v_{n+1}.
    pub v: Vec<f64>,
    /// q_n ⊕ δ = q_{n+1}.
    pub delta: Vec<f64>,
    /// dt Σ b λ_b.
    pub P_b: Vec<f64>,
    /// λ_b where the step ends.
    pub lambda_b: Vec<f64>,
}

impl Radau {
    /// At a state. Memory: a where the last step ended, first guess of the next.
    pub fn start(
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Self, StepError> {
        let (of_v, of_b) = (|| vec![0.0; state.v.len()], || vec![0.0; state.P_b.len()]);
        let stages = Stages::new(system);
        let at = stage.start_at(system, state)?;
        let (mut h, mut a) = (of_v(), of_v());
        system.force(&at, &mut h);
        stage.operator.solve_mass(&h, &mut a);
        state.memory.clear();
        state.memory.extend_from_slice(&a);
        Ok(Self {
            at,
            blend: inverse(&stages.A_2).map(|row| row.map(|x| GAMMA_2 * x)),
            stages,
            a: [of_v(), of_v(), a],
            r: [of_v(), of_v(), of_v()],
            h,
            work: of_v(),
            da: of_v(),
            bias_b: of_b(),
            c: [of_b(), of_b(), of_b()],
            lambda: [of_b(), of_b(), of_b()],
            none: of_b(),
            pushed: 0.0,
            begun: false,
            v: of_v(),
            delta: of_v(),
            P_b: of_b(),
            lambda_b: of_b(),
        })
    }

    /// Where the step ended.
    pub fn at(&mut self) -> &mut Configuration {
        &mut self.at
    }

    /// What the next step begins with.
    pub fn memory(&self) -> &[f64] {
        &self.a[2]
    }

    /// A new step begins: the stages of the last one are forgotten.
    pub fn begin(&mut self) {
        self.begun = false;
    }

    /// One step without contacts but those in `push`, which adds forces at a stage. Returns the iterations.
    pub fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        mut push: impl FnMut(&Configuration, &mut [f64]),
    ) -> Result<usize, StepError> {
        let n = state.v.len();
        let t = state.t;
        if !std::mem::replace(&mut self.begun, true) {
            for (a, lambda) in self.a.iter_mut().zip(&mut self.lambda) {
                a.copy_from_slice(&state.memory);
                stage.operator.guess_reactions(&state.lambda_b, lambda);
            }
        }
        let gamma = GAMMA_2.sqrt() * dt;
        let tangents = stage.operator.has_tangents();
        // levers have the round-off of places
        let held = stage.has_contacts() || !state.P_b.is_empty();
        let grain = if held { stage.extent().relative(&state.q) } else { 0.0 };
        // the largest size seen in this step: what comes to rest has none of its own
        let stall = Stall { after: 1, rate: STALLS, below: ROUND_OFF.max(16.0 * grain), both: false };
        let mut convergence = Convergence::new(Rule { stall, ..Rule::to(0.0, f64::INFINITY) });
        let mut size = 0.0_f64;
        for iteration in 1..=MOST_ITERATIONS {
            self.stages.turn(system, dt, &state.v, &self.a);
            for i in 0..3 {
                self.evaluate(system, stage, state, dt, i, &mut push)?;
            }
            let at = &self.at;
            if iteration == 1 {
                let (c_v, c_q) = if tangents { (gamma, gamma * gamma) } else { (0.0, 0.0) };
                if !stage.operator.factor(system, at, c_v, c_q) {
                    return Err(StepError::Singular { t });
                }
            }
            // ‖·‖² in the metric of M: change, and the velocities it is compared with
            let mut change = 0.0_f64;
            for i in 0..3 {
                self.correct(stage, t, i, tangents)?;
                let M = stage.operator.M_diag();
                let (mut of_change, mut of_size, mut of_v) = (0.0, 0.0, 0.0);
                for k in 0..n {
                    of_size += M[k] * self.a[i][k] * self.a[i][k];
                    self.a[i][k] += self.da[k];
                    of_change += M[k] * self.da[k] * self.da[k];
                    of_v += M[k] * state.v[k] * state.v[k];
                }
                change = change.max(dt * of_change.sqrt());
                size = size.max(dt * of_size.sqrt()).max(of_v.sqrt()).max(dt * self.pushed);
            }
            finite(t, change, size, &self.a[2])?;
            if convergence.judge(change, size, TOLERANCE.max(grain) * size).settled {
                self.finish(system, state, dt);
                return Ok(iteration);
            }
        }
        let velocity = (0..n).max_by(|&i, &j| self.da[i].abs().total_cmp(&self.da[j].abs())).unwrap_or(0);
        let change = convergence.last_change();
        Err(StepError::Newton { t, iterations: MOST_ITERATIONS, change, velocity })
    }

    /// V_i, Q_i, and the residuals there.
    fn evaluate(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        i: usize,
        push: &mut impl FnMut(&Configuration, &mut [f64]),
    ) -> Result<(), StepError> {
        let at = &mut self.at;
        self.stages.place(dt, &state.v, &self.a, i, &mut at.v, &mut self.delta);
        at.retract_to(system, state.t + dt * C[i], &state.q, &self.delta);
        if !stage.operator.evaluate_mass(system, at, false) {
            return Err(StepError::Singular { t: state.t });
        }
        // r = h + Gᵀ λ_b + push − M a
        system.force(at, &mut self.h);
        let M = stage.operator.M_diag();
        self.pushed = self.h.iter().zip(M).map(|(h, M)| h * h / M).sum::<f64>().sqrt();
        push(at, &mut self.h);
        stage.operator.mul_mass(&self.a[i], &mut self.r[i]);
        for (r, h) in self.r[i].iter_mut().zip(&self.h) {
            *r = h - *r;
        }
        if !self.none.is_empty() {
            stage.operator.forget_jacobian();
            stage.operator.evaluate_jacobian(system, at);
            stage.operator.add_reactions(&self.lambda[i], &mut self.r[i]);
            system.constraint_bias(at, &mut self.bias_b);
            stage.operator.lacking_accelerations(&self.a[i], &self.bias_b, &mut self.c[i]);
        }
        Ok(())
    }

    /// δa_i.
    fn correct(
        &mut self,
        stage: &mut ContactStage,
        t: f64,
        i: usize,
        tangents: bool,
    ) -> Result<(), StepError> {
        let n = self.da.len();
        if tangents {
            let blend = &self.blend[i];
            for k in 0..n {
                self.h[k] = mix(blend, &self.r, k);
                self.work[k] = self.r[i][k] - self.h[k];
            }
            self.none.fill(0.0);
            stage.solve(t, &self.v, &mut self.work, &mut self.none)?;
            add(&self.none, &mut self.lambda[i]);
            stage.operator.mul_mass(&self.work, &mut self.da);
            for (da, s) in self.da.iter_mut().zip(&self.h) {
                *da += s;
            }
        } else {
            self.da.copy_from_slice(&self.r[i]);
        }
        self.none.copy_from_slice(&self.c[i]);
        stage.solve(t, &self.v, &mut self.da, &mut self.none)?;
        // of both solves together: s shares out among the stages what is no matter of springs
        add(&self.none, &mut self.lambda[i]);
        Ok(())
    }

    /// v_{n+1}, δ and the forces of the joints.
    fn finish(&mut self, system: &dyn System, state: &State, dt: f64) {
        for row in 0..self.P_b.len() {
            self.P_b[row] = dt * mix(&A[2], &self.lambda, row);
        }
        self.lambda_b.copy_from_slice(&self.lambda[2]);
        self.stages.turn(system, dt, &state.v, &self.a);
        self.stages.place(dt, &state.v, &self.a, 2, &mut self.v, &mut self.delta);
        self.at.retract_to(system, state.t + dt, &state.q, &self.delta);
    }
}

/// sum += x.
fn add(x: &[f64], sum: &mut [f64]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// γ⁴ = |eigenvalue of 𝔸|⁴ = det / real eigenvalue.
    #[test]
    fn gamma_belongs_to_the_complex_pair() {
        // 1/γ̂ is the real eigenvalue of 𝔸, det 𝔸 = 1/60
        let real = (6.0 + 81_f64.cbrt() - 9_f64.cbrt()) / 30.0;
        assert!((GAMMA_2 - 1.0 / 60.0 / real).abs() < 1e-15);
    }
}
