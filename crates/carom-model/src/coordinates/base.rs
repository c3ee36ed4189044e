//! The model underneath, and how to ask it.
//!
//! `derived` of a system that stands upon a model begins with the absolute coordinates and what the model derives from
//! them; the room of the configuration holds a configuration of the model that is filled from there for every question.

use crate::geometry::Plane;
use crate::mechanics::Mechanics;
use crate::model::Model;
use carom_dynamics::{Configuration, Directions, Scratch, Structure, System};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct Upon<S: Mechanics = Plane> {
    pub model: Arc<Model<S>>,
    /// Room for answers.
    pub work: usize,
}

impl<S: Mechanics> Upon<S> {
    pub fn new(model: Arc<Model<S>>) -> Self {
        Self { work: 0, model }
    }

    /// That of the model.
    #[inline]
    pub fn structure(&self) -> &Structure {
        &self.model.structure
    }

    /// How many numbers in front of `derived` are the model's.
    pub fn kept(&self) -> usize {
        self.structure().sizes.q + self.structure().derived_len
    }

    /// Lets the model derive, with the absolute coordinates already in front of `derived`.
    pub fn derive(&self, t: f64, derived: &mut [f64]) {
        let (q, rest) = derived.split_at_mut(self.structure().sizes.q);
        self.model.derive(t, q, &mut rest[..self.structure().derived_len]);
    }

    /// Opens the room of a configuration with the model's configuration in place; velocities are left to `ask`.
    #[inline]
    pub fn ask<R>(&self, at: &Configuration, ask: impl FnOnce(&mut Scratch) -> R) -> R {
        let (q, rest) = at.derived().split_at(self.structure().sizes.q);
        let derived = &rest[..self.structure().derived_len];
        let make = || Scratch {
            inner: Configuration::new(&*self.model, at.t(), q, &vec![0.0; self.structure().sizes.v]),
            W: Directions::default(),
            work: vec![0.0; self.work],
        };
        at.enter(make, |room| {
            room.inner.move_with(at.t(), q, derived);
            room.inner.pieces.clone_from(&at.pieces);
            ask(room)
        })
    }
}

/// Answers that are the model's own, for a system with the field `upon` and the method `ask(at, |model, room| ..)`, which
/// opens the room with the velocities in place.
macro_rules! answers_of_the_model {
    () => {
        fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
            self.ask(at, |model, room| model.gaps(&room.inner, g_N));
        }

        fn pieces(&self, at: &Configuration, pieces: &mut [u32]) {
            self.ask(at, |model, room| model.pieces(&room.inner, pieces));
        }

        fn switch_values(&self, at: &Configuration, values: &mut [f64]) {
            self.ask(at, |model, room| model.switch_values(&room.inner, values));
        }

        fn event_values(&self, at: &Configuration, angles: &mut [f64], values: &mut [f64]) {
            self.ask(at, |model, room| model.event_values(&room.inner, angles, values));
        }

        fn power(&self, at: &Configuration) -> Power {
            self.ask(at, |model, room| model.power(&room.inner))
        }

        fn observe(&self, at: &Configuration, out: &mut [f64]) {
            self.ask(at, |model, room| model.observe(&room.inner, out));
        }

        fn observe_accelerations(&self, at: &Configuration, v_dot: &[f64], out: &mut [f64]) {
            // absolute accelerations, asked before the room is entered again
            let mut absolute = vec![0.0; self.upon.structure().sizes.v];
            self.absolute_acceleration(at, v_dot, &mut absolute);
            self.ask(at, |model, room| model.observe_accelerations(&room.inner, &absolute, out));
        }
    };
}
pub(super) use answers_of_the_model;
