//! What the rows of a motion push with, and the work of it.

use super::{HeldRow, Motion, add_row};
use crate::{ContactKind, State};

impl Motion {
    /// Whether anything slides with friction.
    pub fn slides(&self) -> bool {
        !self.rubbing.is_empty() || self.held.iter().any(HeldRow::slides)
    }

    /// Whether a row evaluated last is moved by a prescribed motion.
    pub fn is_moved(&self) -> bool {
        self.to.phi_t.iter().any(|&rate| rate != 0.0)
            || (0..self.to.W.rows()).any(|row| self.to.W.bias(row) != 0.0)
    }

    /// Power lost in friction, and that of prescribed motions into the mechanism, with the rows evaluated last.
    pub fn reaction_power(&self, v: &[f64], lambda: &[f64]) -> (f64, f64) {
        let (mut friction, mut prescribed) = (0.0, 0.0);
        for (rate, lambda) in self.to.phi_t.iter().zip(lambda) {
            prescribed -= rate * lambda;
        }
        for (held, lambda) in self.held.iter().zip(&lambda[self.nc..]) {
            prescribed -= lambda * self.to.W.bias(held.w);
            for (row, slope) in held.friction() {
                let lambda_T = slope * lambda;
                friction -= lambda_T * self.to.W.velocity(row, v);
                prescribed -= lambda_T * self.to.W.bias(row);
            }
        }
        for rubbing in &self.rubbing {
            let force = -rubbing.sign * self.bound(rubbing.contact, lambda);
            friction -= force * self.to.W.velocity(rubbing.w, v);
            prescribed -= force * self.to.W.bias(rubbing.w);
        }
        (friction, prescribed)
    }

    /// Bound of a joint that rubs, from the reactions of its rows.
    pub fn bound(&self, contact: usize, lambda: &[f64]) -> f64 {
        self.bound_over(1.0, contact, lambda)
    }

    pub(super) fn bound_over(&self, span: f64, contact: usize, lambda: &[f64]) -> f64 {
        match &self.kinds[contact] {
            ContactKind::Dry { constant, coefficient, rows, .. } => {
                let pressed = lambda[rows.clone()].iter().map(|l| l * l).sum::<f64>().sqrt();
                span * constant + coefficient * pressed
            }
            _ => 0.0,
        }
    }

    /// out += Fᵀ λ and what joints that rub push with; F where forces act.
    pub fn add_reactions(&self, lambda: &[f64], out: &mut [f64]) {
        self.saddle.add_reactions(&self.from.G, 1.0, lambda, out);
        for (held, lambda) in self.held.iter().zip(&lambda[self.nc..]) {
            add_row(&self.from.W, held.w, *lambda, out);
            for (row, slope) in held.friction() {
                add_row(&self.from.W, row, slope * lambda, out);
            }
        }
        for rubbing in &self.rubbing {
            add_row(&self.from.W, rubbing.w, -rubbing.sign * self.bound(rubbing.contact, lambda), out);
        }
    }

    /// Forces of joints and contacts into a state, and which contacts are closed.
    pub fn write_forces(&self, lambda: &[f64], state: &mut State) {
        state.lambda_b.copy_from_slice(&lambda[..self.nc]);
        state.lambda.fill(0.0);
        for (held, &lambda) in self.held.iter().zip(&lambda[self.nc..]) {
            let place = self.offset[held.contact];
            state.lambda[place + held.of_contact] = lambda;
            if held.slides() {
                state.lambda[place + 1] = held.slope[0] * lambda;
                if self.kinds[held.contact].dim() == 3 {
                    state.lambda[place + 2] = held.slope[1] * lambda;
                }
            }
        }
        for rubbing in &self.rubbing {
            state.lambda[self.offset[rubbing.contact]] = -rubbing.sign * self.bound(rubbing.contact, lambda);
        }
        state.closed.clear();
        state.closed.extend_from_slice(&self.closed);
    }
}
