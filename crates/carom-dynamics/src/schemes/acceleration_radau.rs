//! Continual contact at acceleration level over RADAU5: the base of `acceleration-lcp-radau5`.   [Ebrahimi2007] §4.2–§4.4, (4.17), (A.15)
//!
//! ```text
//!   V_i = v_n + dt Σ 𝔸_ij a_j,       Q_i = q_n ⊕ (dt c_i v_n + dt² Σ (𝔸²)_ij a_j),      i = 1, 2, 3
//!   M a_i = h + Gᵀ λ_b,i + W λ_i,    G a_i + bias = 0,      law(dU/dt_i + asked_i, λ_i),      dU/dt = Wᵀ a + bias         at (Q_i, V_i)
//!   v_{n+1} = V_3,                   q_{n+1} = Q_3
//! ```
//!
//! asked_1 = asked_2 = U_n/dt and asked_3 = (U_n + dt Σ_{j<3} 𝔸_3j (dU/dt)_j)/(dt 𝔸_33): the law of `runge_kutta`, with which what comes to
//! rest within the step does so exactly, and a drift of the normal velocity is taken back. This is how the source integrates its
//! examples: stiff elastic blocks take steps of their motion, not of their vibrations.
//!
//! Order 5 in free flight and with joints (`tests/it/formulations.rs`, table of orders in the book); with a contact that slides in a bowl 4.84 was
//! fitted without friction and 4.73 with (`tests/it/mixed.rs`).
//!
//! The stages hang together. With r_i what the equations lack without the contacts, one after the other
//!
//! ```text
//!   (M + dt l_ii C + dt² m_ii K) δa_i − Gᵀ δλ_b,i = r_i + W λ_i − Σ_{j<i} (dt l_ij C + dt² m_ij K) δa_j,     G δa_i = −(G a_i + bias)
//! ```
//!
//! with the law of stage i, where 𝔸 = l u and 𝔸² = m u' with unit diagonals in u. For soft and for stiff springs, and for strong dampers, what
//! is left is nilpotent; in between it contracts by 0.52 at most (dampers of 𝔸: 0.24). The price is a factorisation for each stage.
//! Departs from the source in this iteration, which it leaves to a code for ordinary equations that calls the complementarity problem from
//! within, and in where friction switches, see `acceleration_lcp`.

use super::SchemeInfo;
use super::mixed::{Base, BaseStepper, Mixed, PARTS};
use super::mixed_alpha::consistent_forces;
use super::runge_kutta::begin_rows;
use crate::radau_iia::{A, C, Square, Stages, mix};
use crate::{Acceleration, Configuration, ContactStage, ImpulseKind, State, StepError, System};

/// The iteration stops when velocities change by less than this, relatively, or by the round-off of places and levers.
const TOLERANCE: f64 = 1e-12;
/// A change that stops shrinking below this has met round-off.
const ROUND_OFF: f64 = 1e-9;
/// Slower than this a change does not shrink.
const STALLS: f64 = 0.9;
/// More iterations than this count as failure: enough to the tolerance where springs contract least.
const MOST_ITERATIONS: usize = 100;

pub const INFO: SchemeInfo = SchemeInfo {
    name: "acceleration-lcp-radau5",
    summary: "mixed: RADAU5 with forces from a complementarity problem of accelerations, then impacts; stiff elastic bodies",
    parameters: &[PARTS],
    make: |values| Ok(Mixed::of(AccelerationRadau, values)),
};

#[derive(Clone, Copy, Debug)]
struct AccelerationRadau;

impl Base for AccelerationRadau {
    type Workspace = Workspace;

    fn describe(&self) -> String {
        "acceleration-lcp-radau5".into()
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Workspace, StepError> {
        let (n, rows, joints) = (state.v.len(), state.P.len(), state.P_b.len());
        let of = |size: usize| vec![0.0; size];
        let three = |size: usize| [of(size), of(size), of(size)];
        let at = stage.start_at(system, state)?;
        state.memory.clear();
        state.memory.resize(n, 0.0);
        let stages = Stages::new(system);
        Ok(Workspace {
            at,
            first: Acceleration::start(system, state),
            l: lower(&A),
            m: lower(&stages.A_2),
            stages,
            a: three(n),
            da: three(n),
            lambda_b: three(joints),
            lambda: three(rows),
            rates: three(rows),
            U_n: of(rows),
            asked: of(rows),
            bias: of(rows),
            bias_b: of(joints),
            c: of(joints),
            h: of(n),
            v: of(n),
            delta: of(n),
            pushed: 0.0,
        })
    }
}

/// Memory: a where the last step ended, first guess of the next. Arrays of the size of v unless said otherwise.
#[derive(Debug)]
struct Workspace {
    at: Configuration,
    first: Acceleration,
    stages: Stages,
    /// l and m.
    l: Square,
    m: Square,
    a: [Vec<f64>; 3],
    da: [Vec<f64>; 3],
    /// λ_b, size of Φ.
    lambda_b: [Vec<f64>; 3],
    /// λ and dU/dt, rows of all contacts.
    lambda: [Vec<f64>; 3],
    rates: [Vec<f64>; 3],
    U_n: Vec<f64>,
    asked: Vec<f64>,
    bias: Vec<f64>,
    bias_b: Vec<f64>,
    c: Vec<f64>,
    h: Vec<f64>,
    v: Vec<f64>,
    delta: Vec<f64>,
    /// ‖M⁻¹ h‖ at the last stage: at rest forces cancel, and round-off is some ε of this.
    pushed: f64,
}

/// The lower triangle of B = L U with a unit diagonal in U.
fn lower(B: &Square) -> Square {
    let (mut L, mut U) = (Square::default(), Square::default());
    for j in 0..3 {
        for i in j..3 {
            L[i][j] = B[i][j] - (0..j).map(|k| L[i][k] * U[k][j]).sum::<f64>();
        }
        for i in j..3 {
            U[j][i] = (B[j][i] - (0..j).map(|k| L[j][k] * U[k][i]).sum::<f64>()) / L[j][j];
        }
    }
    L
}

impl Workspace {
    /// δ_i = dt c_i v_n + dt² Σ (𝔸²)_ij a_j and V_i; moves there.
    fn place(&mut self, system: &dyn System, state: &State, dt: f64, i: usize) {
        let at = &mut self.at;
        self.stages.turn(system, dt, &state.v, &self.a);
        self.stages.place(dt, &state.v, &self.a, i, &mut at.v, &mut self.delta);
        at.retract_to(system, state.t + dt * C[i], &state.q, &self.delta);
    }

    /// δa_i, λ_i and dU/dt of a stage; a_i and λ_b,i are moved.
    fn correct(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        i: usize,
    ) -> Result<(), StepError> {
        let t = state.t;
        self.place(system, state, dt, i);
        let at = &self.at;
        if !stage.operator.evaluate_mass(system, at, false) {
            return Err(StepError::Singular { t });
        }
        stage.operator.forget_jacobian();
        stage.operator.evaluate_jacobian(system, at);
        let tangents = stage.operator.has_tangents();
        let (c_v, c_q) = if tangents { (dt * self.l[i][i], dt * dt * self.m[i][i]) } else { (0.0, 0.0) };
        if !stage.operator.factor(system, at, c_v, c_q) {
            return Err(StepError::Singular { t });
        }
        // r = h + Gᵀ λ_b − M a, and what earlier stages have changed already
        system.force(at, &mut self.h);
        let M = stage.operator.M_diag();
        self.pushed = self.h.iter().zip(M).map(|(h, M)| h * h / M).sum::<f64>().sqrt();
        stage.operator.mul_mass(&self.a[i], &mut self.v);
        for k in 0..self.h.len() {
            self.h[k] -= self.v[k];
        }
        stage.operator.add_reactions(&self.lambda_b[i], &mut self.h);
        if tangents {
            // r is evaluated with the a_j of now, in which δa_j is contained with the weights of 𝔸 and not of l
            for j in 0..i {
                let (of_v, of_q) =
                    (dt * (self.l[i][j] - A[i][j]), dt * dt * (self.m[i][j] - self.stages.A_2[i][j]));
                stage.operator.add_tangents(-of_v, -of_q, &self.da[j], &mut self.h);
            }
        }
        if !self.c.is_empty() {
            system.constraint_bias(at, &mut self.bias_b);
            stage.operator.lacking_accelerations(&self.a[i], &self.bias_b, &mut self.c);
        }
        if stage.is_active() {
            for row in 0..self.asked.len() {
                self.asked[row] = if i < 2 {
                    self.U_n[row] / dt
                } else {
                    let made = A[2][0] * self.rates[0][row] + A[2][1] * self.rates[1][row];
                    (self.U_n[row] + dt * made) / (dt * A[2][2])
                };
            }
            stage.prepare(system, at, false, &self.lambda[i], 1.0);
            stage.ask_for_rates(system, at, &self.asked, &mut self.bias);
            stage.update_bounds(1.0, &self.lambda_b[i]);
        }
        self.da[i].copy_from_slice(&self.h);
        stage.solve(t, &self.a[i], &mut self.da[i], &mut self.c)?;
        for (a, da) in self.a[i].iter_mut().zip(&self.da[i]) {
            *a += da;
        }
        for (lambda, c) in self.lambda_b[i].iter_mut().zip(&self.c) {
            *lambda += c;
        }
        if stage.is_active() {
            self.lambda[i].fill(0.0);
            stage.scatter(1.0, &mut self.lambda[i]);
            stage.scatter_rates(&self.a[i], &self.bias, &mut self.rates[i]);
        }
        Ok(())
    }

    /// First guesses, and U_n of the active contacts.
    fn begin(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State) {
        for i in 0..3 {
            self.a[i].copy_from_slice(&state.memory);
            self.lambda[i].copy_from_slice(&state.lambda);
            self.rates[i].fill(0.0);
            stage.operator.guess_reactions(&state.lambda_b, &mut self.lambda_b[i]);
        }
        stage.forget_initial_velocities();
        self.U_n.fill(0.0);
        if stage.is_active() {
            let at = &mut self.at;
            at.move_to_state(system, state);
            begin_rows(system, stage, at, &mut self.U_n);
        }
    }

    /// Corrects the stages one after the other until they stand. Returns the iterations.
    fn iterate(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<usize, StepError> {
        let (n, t) = (state.v.len(), state.t);
        let held = stage.is_active() || !state.P_b.is_empty();
        let grain = if held { stage.extent().relative(&state.q) } else { 0.0 };
        let (tolerance, round_off) = (TOLERANCE.max(grain), ROUND_OFF.max(16.0 * grain));
        // the largest seen in this step, the first guess included: what comes to rest has no size of its own
        let M = stage.operator.M_diag();
        let guess = state.memory.iter().zip(M).map(|(a, M)| M * a * a).sum::<f64>().sqrt();
        let (mut before, mut last, mut seen) = (f64::INFINITY, f64::INFINITY, dt * guess);
        for iterations in 1..=MOST_ITERATIONS {
            // ‖·‖ in the metric of M: change, and the velocities it is compared with
            let (mut change, mut push) = (0.0_f64, 0.0_f64);
            for i in 0..3 {
                self.correct(system, stage, state, dt, i)?;
                let M = stage.operator.M_diag();
                let (mut of_change, mut of_a, mut of_v) = (0.0, 0.0, 0.0);
                for k in 0..n {
                    of_change += M[k] * self.da[i][k].powi(2);
                    of_a += M[k] * self.a[i][k].powi(2);
                    of_v += M[k] * state.v[k].powi(2);
                }
                change = change.max(dt * of_change.sqrt());
                seen = seen.max(dt * of_a.sqrt()).max(of_v.sqrt());
                push = push.max(dt * self.pushed);
            }
            // forces of now only: those of a first guess are far too large where springs are stiff
            let size = seen.max(push);
            if !(change.is_finite() && size.is_finite()) {
                let velocity = self.a[2].iter().position(|a| !a.is_finite()).unwrap_or(0);
                return Err(StepError::NotFinite { t, velocity });
            }
            let stalls = change > STALLS * before && change <= round_off * size;
            if change <= tolerance * size || stalls {
                return Ok(iterations);
            }
            (before, last) = (change, change / size);
        }
        let most = |i: &usize| self.da[2][*i].abs();
        let velocity = (0..n).max_by(|i, j| most(i).total_cmp(&most(j))).unwrap_or(0);
        Err(StepError::Newton { t, iterations: MOST_ITERATIONS, change: last, velocity })
    }

    /// Writes the end of the step and the impulses dt Σ 𝔸_3j λ_j.
    fn commit(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) {
        self.place(system, state, dt, 2);
        let at = &self.at;
        end.q.copy_from_slice(at.q());
        end.v.copy_from_slice(&at.v);
        end.lambda_b.copy_from_slice(&self.lambda_b[2]);
        end.memory.copy_from_slice(&self.a[2]);
        for (row, P) in end.P_b.iter_mut().enumerate() {
            *P = dt * mix(&A[2], &self.lambda_b, row);
        }
        end.lambda.fill(0.0);
        end.P.fill(0.0);
        if stage.is_active() {
            end.lambda.copy_from_slice(&self.lambda[2]);
            for (row, P) in end.P.iter_mut().enumerate() {
                *P = dt * mix(&A[2], &self.lambda, row);
            }
            stage.restore_initial_velocities();
        }
        stage.record(ImpulseKind::Force, &end.v, &end.P);
    }
}

impl BaseStepper for Workspace {
    /// Which contacts press after an impact is not what pressed before it.
    fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let at = &mut self.at;
        consistent_forces(at, &mut self.first, system, stage, state)?;
        state.memory.copy_from_slice(&self.first.a);
        Ok(())
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError> {
        self.begin(system, stage, state);
        let iterations = self.iterate(system, stage, state, dt)?;
        self.commit(system, stage, state, dt, end);
        Ok(iterations)
    }

    fn at_end(&self) -> Option<&Configuration> {
        Some(&self.at)
    }

    fn keeps_pressed(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::radau_iia::{inverse, product};

    /// What is left of stiff springs and of strong dampers is nilpotent: 𝔸 − L is L times a matrix above the diagonal.
    #[test]
    fn the_triangle_leaves_what_is_nilpotent() {
        for B in [A, product(&A, &A)] {
            let L = lower(&B);
            let rest = product(&inverse(&L), &B);
            for i in 0..3 {
                assert!((rest[i][i] - 1.0).abs() < 1e-13);
                assert!((0..i).all(|j| rest[i][j].abs() < 1e-13));
            }
        }
    }
}
