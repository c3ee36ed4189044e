//! Explicit Runge–Kutta methods over accelerations, joints and contacts included.      [Ebrahimi2007] (A.1)–(A.11), (4.17)
//!
//! ```text
//!   Q_j = q_n ⊕ dt c_j V_{j−1},      V_j = v_n + dt c_j a_{j−1},      M a_j = h + Gᵀ λ_b + W λ + push   at (Q_j, V_j)
//!   q_{n+1} = q_n ⊕ dt Σ b_j V_j,    v_{n+1} = v_n + dt Σ b_j a_j
//!   G a + bias = 0,                  law(dU/dt + asked_j, λ),         dU/dt = Wᵀ a + bias
//! ```
//!
//! The law is asked for the velocities where the step ends, as far as a stage can know them: asked_j = U_n/dt, and in the
//! last stage (U_n + dt Σ_{k<s} b_k (dU/dt)_k) / (dt b_s), with which it is U_{n+1} but for the error of the method.
//! On a contact that rests U_n is zero and this is the problem of accelerations itself. On one that slides it is a sign
//! that stays, unless the contact comes to rest within the step: then it does so exactly, where a law for accelerations
//! alone would let friction turn the motion around. A drift U_n ≠ 0 of the normal velocity is taken back in a step.

use crate::{Acceleration, Configuration, ContactStage, ImpulseKind, State, StepError, System};

/// c and b of a method in which every stage hangs on the one before alone.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    c: &'static [f64],
    b: &'static [f64],
}

/// Explicit Euler.
pub const EULER: Chain = Chain { c: &[0.0], b: &[1.0] };
/// The classic method of order 4.
pub const CLASSIC: Chain =
    Chain { c: &[0.0, 0.5, 0.5, 1.0], b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0] };

/// What the contacts that are active in the stage obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contacts {
    /// 0 ≤ U_N ⊥ λ_N ≥ 0.
    Press,
    /// U_N = 0; what would have to be pulled at the first stage is let go before the step.
    Held,
}

/// A method with its stages. Arrays have the size of v, or of all rows, unless said otherwise.
#[derive(Debug)]
pub struct ContactRungeKutta {
    method: Chain,
    acceleration: Acceleration,
    at: Configuration,
    /// V_j as the rate of the increment, and a_j, one stage after the other.
    V: Vec<f64>,
    a: Vec<f64>,
    /// (dU/dt)_j, rows of all contacts, one stage after the other.
    rates: Vec<f64>,
    U_n: Vec<f64>,
    asked: Vec<f64>,
    push: Vec<f64>,
    keep: Vec<usize>,
    /// v_{n+1} on return.
    pub v: Vec<f64>,
    /// q_n ⊕ δ = q_{n+1}, on return.
    pub delta: Vec<f64>,
    /// dt Σ b λ_b and λ_b of the last stage.
    pub P_b: Vec<f64>,
    /// λ_b of the last stage.
    pub lambda_b: Vec<f64>,
    /// dt Σ b λ of the contacts that are active in the stage.
    pub P: Vec<f64>,
}

impl ContactRungeKutta {
    /// With one of the methods, at a state: sizes everything and evaluates M.
    pub fn start(
        method: Chain,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
    ) -> Result<Self, StepError> {
        let at = stage.start_at(system, state)?;
        let (n, s) = (state.v.len(), method.b.len());
        let (rows, joints) = (state.P.len(), state.P_b.len());
        let zeros = |size: usize| vec![0.0; size];
        Ok(Self {
            method,
            acceleration: Acceleration::start(system, state),
            at,
            V: zeros(s * n),
            a: zeros(s * n),
            rates: zeros(s * rows),
            U_n: zeros(rows),
            asked: zeros(rows),
            push: zeros(n),
            keep: Vec::with_capacity(system.structure().sizes.contacts),
            v: zeros(n),
            delta: zeros(n),
            P_b: zeros(joints),
            lambda_b: zeros(joints),
            P: zeros(rows),
        })
    }

    /// Where questions are asked; after a step, where it ended, with v_{n+1}.
    pub fn at(&mut self) -> &mut Configuration {
        &mut self.at
    }

    /// Where it was left.
    pub fn there(&self) -> &Configuration {
        &self.at
    }

    /// One step with the contacts that are active in the stage; `push` adds the forces of a stage, whose weight
    /// in the step is dt b_j, to zeros.
    pub fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        contacts: Contacts,
        mut push: impl FnMut(f64, &Configuration, &mut [f64]),
    ) -> Result<(), StepError> {
        let b = self.method.b;
        let last = b.len() - 1;
        self.v.copy_from_slice(&state.v);
        self.delta.fill(0.0);
        self.P_b.fill(0.0);
        self.P.fill(0.0);
        self.rates.fill(0.0);
        self.acceleration.lambda.copy_from_slice(&state.lambda);
        stage.forget_initial_velocities();
        for j in 0..=last {
            self.place(system, state, dt, j);
            self.push.fill(0.0);
            push(dt * b[j], &self.at, &mut self.push);
            if j == 0 && stage.is_active() {
                begin_rows(system, stage, &self.at, &mut self.U_n);
            }
            if stage.is_active() {
                self.ask(dt, j);
            }
            let held = contacts == Contacts::Held;
            let (solve, at) = (&mut self.acceleration, &self.at);
            solve.solve_active(system, stage, at, &self.push, &self.asked, held)?;
            // what only a pull would hold is let go, and the rest holds alone
            while held && j == 0 && let_go_of_pulls(stage, &solve.lambda, &mut self.keep) {
                solve.solve_active(system, stage, at, &self.push, &self.asked, held)?;
            }
            self.add(dt * b[j], j, stage.is_active());
        }
        self.lambda_b.copy_from_slice(&self.acceleration.lambda_b);
        let at = &mut self.at;
        at.retract_to(system, state.t + dt, &state.q, &self.delta);
        at.v.copy_from_slice(&self.v);
        Ok(())
    }

    /// Goes to Q_j with V_j.
    fn place(&mut self, system: &dyn System, state: &State, dt: f64, j: usize) {
        let n = state.v.len();
        let at = &mut self.at;
        if j == 0 {
            at.move_to_state(system, state);
            self.V[..n].copy_from_slice(&state.v);
            return;
        }
        let step = dt * self.method.c[j];
        for (i, k) in ((j - 1) * n..j * n).enumerate() {
            at.v[i] = state.v[i] + step * self.a[k];
            // the place of the forces is free until the stage is known
            self.push[i] = step * self.V[k];
        }
        at.retract_to(system, state.t + step, &state.q, &self.push);
        let V = &mut self.V[j * n..(j + 1) * n];
        V.copy_from_slice(&at.v);
        system.chart_rate(&self.push, V);
    }

    /// What the law of stage j is asked for: U_n + dt Σ b dU/dt, over the time it has.
    fn ask(&mut self, dt: f64, j: usize) {
        let (b, rows) = (self.method.b, self.asked.len());
        let last = b.len() - 1;
        let span = if j == last { dt * b[last] } else { dt };
        for row in 0..rows {
            let mut U = self.U_n[row];
            if j == last {
                for k in 0..last {
                    U += dt * b[k] * self.rates[k * rows + row];
                }
            }
            self.asked[row] = U / span;
        }
    }

    /// Adds stage j, as it was solved, to the step.
    fn add(&mut self, weight: f64, j: usize, touches: bool) {
        let (n, rows, solved) = (self.v.len(), self.P.len(), &self.acceleration);
        self.a[j * n..(j + 1) * n].copy_from_slice(&solved.a);
        if touches {
            self.rates[j * rows..(j + 1) * rows].copy_from_slice(&solved.rates);
            for (P, lambda) in self.P.iter_mut().zip(&solved.lambda) {
                *P += weight * lambda;
            }
        }
        for i in 0..n {
            self.v[i] += weight * solved.a[i];
            self.delta[i] += weight * self.V[j * n + i];
        }
        for (P, lambda) in self.P_b.iter_mut().zip(&solved.lambda_b) {
            *P += weight * lambda;
        }
    }

    /// λ of the last stage, rows of all contacts.
    pub fn lambda(&self) -> &[f64] {
        &self.acceleration.lambda
    }

    /// Writes q, v, λ_b, P_b into the end of the step, and of the contacts that were active λ, P and the records.
    pub fn finish(&mut self, stage: &mut ContactStage, end: &mut State) {
        let at = &self.at;
        end.q.copy_from_slice(at.q());
        end.v.copy_from_slice(&self.v);
        end.P_b.copy_from_slice(&self.P_b);
        end.lambda_b.copy_from_slice(&self.lambda_b);
        end.P.copy_from_slice(&self.P);
        end.lambda.copy_from_slice(&self.acceleration.lambda);
        if stage.is_active() {
            stage.restore_initial_velocities();
        }
        stage.record(ImpulseKind::Force, &end.v, &end.P);
    }
}

/// U_n of the active rows, and remembered for the records.
pub(super) fn begin_rows(system: &dyn System, stage: &mut ContactStage, at: &Configuration, U_n: &mut [f64]) {
    stage.evaluate_directions(system, at);
    stage.set_force_directions(system, at);
    stage.remember_initial_velocities(&at.v);
    let mut row = 0;
    for k in 0..stage.active().len() {
        let contact = stage.active()[k];
        let from = stage.offset(contact);
        for i in 0..stage.kind(contact).dim() {
            U_n[from + i] = stage.velocity(row, &at.v);
            row += 1;
        }
    }
}

/// Opens the contacts with λ_N < 0; whether there were any.
fn let_go_of_pulls(stage: &mut ContactStage, lambda: &[f64], keep: &mut Vec<usize>) -> bool {
    keep.clear();
    let pulls = |&&contact: &&usize| stage.has_gap(contact) && lambda[stage.offset(contact)] < 0.0;
    keep.extend(stage.active().iter().filter(|contact| !pulls(contact)));
    let some = keep.len() < stage.active().len();
    if some {
        stage.set_active(keep);
    }
    some
}
