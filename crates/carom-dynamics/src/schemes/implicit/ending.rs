//! How a step of the iteration ends: what is written into the state, and what the next step begins with.

use super::Implicit;
use crate::chart;
use crate::{ContactStage, ImpulseKind, State, System};

/// A mean reaction over a step that changed by this many times the usual accelerations was an impulse.
const IMPULSIVE: f64 = 3.0;

impl Implicit {
    /// Writes (t, q, v) and the impulses into the state. The scheme writes its own memory.
    pub fn commit(&mut self, system: &dyn System, stage: &mut ContactStage, state: &mut State, dt: f64) {
        stage.finish(&self.v, state);
        system.retract(&state.q, &self.delta, &mut self.q);
        // the old q is room for the next one
        std::mem::swap(&mut state.q, &mut self.q);
        state.v.copy_from_slice(&self.v);
        if !self.P_b.is_empty() {
            state.P_b.copy_from_slice(&self.P_b);
        }
        state.spread_impulses(dt);
        state.t += dt;
    }

    /// Writes the end of a step made with forces: q, v⁻, λ, and their impulses over the step by the trapezoidal rule.
    pub fn commit_forces(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        span: f64,
        end: &mut State,
    ) {
        system.retract(&state.q, &self.delta, &mut end.q);
        end.v.copy_from_slice(&self.v);
        for row in 0..self.P_b.len() {
            end.lambda_b[row] = self.P_b[row] / span;
            end.P_b[row] = 0.5 * dt * (state.lambda_b[row] + end.lambda_b[row]);
        }
        end.lambda.fill(0.0);
        stage.scatter(1.0 / span, &mut end.lambda);
        for row in 0..end.P.len() {
            end.P[row] = 0.5 * dt * (state.lambda[row] + end.lambda[row]);
        }
        stage.record(ImpulseKind::Force, &self.v, &end.P);
    }

    /// First guess of w: the reactions of the last step carried on along their trend. `memory` holds w/dt and its rate.
    pub fn guess_reactions(&mut self, dt: f64, memory: &[f64]) {
        let (mean, trend) = memory.split_at(self.w.len());
        for (w, (mean, trend)) in self.w.iter_mut().zip(mean.iter().zip(trend)) {
            *w = dt * (mean + dt * trend);
        }
    }

    /// Writes w/dt and its rate into `memory`, in the axes that bodies in space will have a step later: reactions stay in space
    /// rather than in the body. Nothing after an impulse, which does not go on.
    pub fn remember_reactions(&self, system: &dyn System, stage: &ContactStage, dt: f64, memory: &mut [f64]) {
        // nothing is guessed where nothing is iterated
        if self.is_linear(stage) {
            return;
        }
        let n = self.w.len();
        let (mean, trend) = memory.split_at_mut(n);
        let (w, x, mean, trend) = (&self.w[..n], &self.x[..n], &mut mean[..n], &mut trend[..n]);
        // the first mean has nothing before it to have a trend against
        let fresh = mean.iter().all(|m| *m == 0.0);
        if fresh && !self.has_reactions(stage) {
            trend.fill(0.0);
            return;
        }
        let impulsive = stage.has_closed_contacts() && {
            let M = &stage.operator.M_diag()[..n];
            let (mut jump, mut usual) = (0.0, 0.0);
            for i in 0..n {
                jump += M[i] * (w[i] / dt - mean[i]).powi(2);
                usual += M[i] * (mean[i].powi(2) + x[i].powi(2));
            }
            jump > IMPULSIVE * IMPULSIVE * usual
        };
        if impulsive {
            memory.fill(0.0);
            return;
        }
        for i in 0..n {
            let new = w[i] / dt;
            trend[i] = if fresh { 0.0 } else { (new - mean[i]) / dt };
            mean[i] = new;
        }
        if self.turned.is_some() {
            let rotations = &system.structure().rotations;
            chart::carry_on(rotations, dt, &self.v, mean);
            chart::carry_on(rotations, dt, &self.v, trend);
        }
    }

    /// M⁻¹ h at (t, q) with the velocities found, for methods that start the next step from there.
    pub fn acceleration(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        (t, q): (f64, &[f64]),
        out: &mut [f64],
    ) {
        let at = &mut self.at;
        at.move_to(system, t, q);
        at.v.copy_from_slice(&self.v);
        stage.operator.evaluate_mass(system, at, false);
        system.force(at, &mut self.h);
        stage.operator.solve_mass(&self.h, out);
    }
}
