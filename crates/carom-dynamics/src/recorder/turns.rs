//! Angles that a configuration gives up to whole turns only, recorded with their turns counted from the start.
//!
//! ```text
//!   φ_n1 = φ_n + nearest(φ(q_n1) − φ_n, 2π)         right while φ moves by less than π between two looks
//!   |φ_n1 − φ_n| ≤ ∫ Σ |v_i| dt                     over the velocities v_i that are angular
//! ```
//!
//! So nobody looks before the sum has reached `AGAIN`: a look costs an observation, and most steps turn by little.

use crate::{Configuration, Quantity, State, System};
use std::f64::consts::TAU;

/// Turn (rad) that may have passed unseen; below π with room for velocities that move within a step.
const AGAIN: f64 = 2.0;

/// Angles of the channels that [`Structure::wrapped`](crate::Structure::wrapped) names, turns counted.
#[derive(Debug)]
pub(super) struct Turns {
    /// All channels as the system observes them.
    observed: Vec<f64>,
    seen: Counted,
    marked: Counted,
}

#[derive(Clone, Debug, Default)]
struct Counted {
    angles: Vec<f64>,
    t: f64,
    /// Σ |v_i| where it was seen last.
    speed: f64,
    /// The turn that may have passed since.
    unseen: f64,
}

impl Turns {
    /// Where a run begins; nothing where no angle needs it.
    pub fn new(system: &dyn System, at: &Configuration, state: &State) -> Option<Self> {
        let structure = system.structure();
        if structure.wrapped.is_empty() {
            return None;
        }
        let mut observed = vec![0.0; structure.channels.len()];
        system.observe(at, &mut observed);
        let angles = structure.wrapped.iter().map(|&channel| observed[channel]).collect();
        let seen = Counted { angles, t: state.t, speed: speed(system, &state.v), unseen: 0.0 };
        Some(Self { observed, marked: seen.clone(), seen })
    }

    /// Takes note of a step that ended in `state`; whether it is time to look.
    pub fn step(&mut self, system: &dyn System, state: &State) -> bool {
        let speed = speed(system, &state.v);
        let Counted { t, speed: before, unseen, .. } = &mut self.seen;
        *unseen += (state.t - *t) * before.max(speed);
        (*t, *before) = (state.t, speed);
        *unseen > AGAIN
    }

    /// Looks where they are.
    pub fn look(&mut self, system: &dyn System, at: &Configuration) {
        let Self { observed, seen, .. } = self;
        system.observe(at, observed);
        seen.follow(&system.structure().wrapped, observed);
    }

    /// Puts the turns into channels as the system observes them.
    pub fn count(&mut self, system: &dyn System, observed: &mut [f64]) {
        let wrapped = &system.structure().wrapped;
        self.seen.follow(wrapped, observed);
        for (&channel, &angle) in wrapped.iter().zip(&self.seen.angles) {
            observed[channel] = angle;
        }
    }

    /// Remembers where it is.
    pub fn mark(&mut self) {
        self.marked.clone_from(&self.seen);
    }

    /// Goes back to the mark.
    pub fn take_back(&mut self) {
        self.seen.clone_from(&self.marked);
    }
}

impl Counted {
    fn follow(&mut self, wrapped: &[usize], observed: &[f64]) {
        for (&channel, angle) in wrapped.iter().zip(&mut self.angles) {
            let away = observed[channel] - *angle;
            *angle += away - TAU * (away / TAU).round();
        }
        self.unseen = 0.0;
    }
}

/// Σ |v_i| over the velocities that are angular.
fn speed(system: &dyn System, v: &[f64]) -> f64 {
    let angular = system.structure().velocities.iter().zip(v);
    angular.filter(|(info, _)| info.quantity == Quantity::Angle).map(|(_, v)| v.abs()).sum()
}
