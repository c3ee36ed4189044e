//! Where a system is asked.

use crate::{Directions, State, System};
use std::cell::RefCell;

/// Time, coordinates, velocities, and what the system derived from (t, q): the argument of every question to a
/// [`System`]. Moving it is the only way to change t and q, so what is derived can never be stale.
#[derive(Clone, Debug)]
pub struct Configuration {
    t: f64,
    q: Vec<f64>,
    derived: Vec<f64>,
    /// Velocities; free to change, nothing derived depends on them.
    pub v: Vec<f64>,
    /// The piece of its surface, prolonged, that each contact is to be seen on, [`NEAREST`] for the nearest place; empty
    /// for the nearest place of all. An event-driven scheme sets it, so that a step that ends at a corner knows nothing
    /// of what lies behind it.
    pub pieces: Vec<u32>,
    /// Room for a system that stands upon another one; made at its first question.
    room: RefCell<Option<Box<Scratch>>>,
}

/// Where a system that stands upon another one (the same mechanism in other coordinates) asks that one: nothing of it
/// outlives the question, but the memory stays.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// The other system's configuration.
    pub inner: Configuration,
    /// Its contact directions.
    pub W: Directions,
    /// Its answers and whatever else the question needs.
    pub work: Vec<f64>,
}

/// In [`Configuration::pieces`]: the nearest place, whatever piece it is on.
pub const NEAREST: u32 = u32::MAX;

impl Configuration {
    /// At (t, q, v).
    pub fn new(system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> Self {
        let mut new = Self {
            t,
            q: q.to_vec(),
            v: v.to_vec(),
            derived: vec![0.0; system.structure().derived_len],
            pieces: Vec::new(),
            room: RefCell::new(None),
        };
        system.derive(t, &new.q, &mut new.derived);
        new
    }

    /// Goes to (t, q); v stays.
    pub fn move_to(&mut self, system: &dyn System, t: f64, q: &[f64]) {
        // times are multiples of the step and sums of it: the same up to round-off
        if (t - self.t).abs() <= 4.0 * f64::EPSILON * t.abs() && q == self.q {
            return;
        }
        self.t = t;
        self.q.copy_from_slice(q);
        crate::poison(&mut self.derived);
        system.derive(t, &self.q, &mut self.derived);
    }

    /// Goes where a state is, its velocities too.
    pub fn move_to_state(&mut self, system: &dyn System, state: &State) {
        self.move_to(system, state.t, &state.q);
        self.v.copy_from_slice(&state.v);
    }

    /// Goes to (t, q ⊕ δ) from q; v stays.
    pub fn retract_to(&mut self, system: &dyn System, t: f64, q: &[f64], delta: &[f64]) {
        self.t = t;
        crate::poison(&mut self.q);
        system.retract(q, delta, &mut self.q);
        crate::poison(&mut self.derived);
        system.derive(t, &self.q, &mut self.derived);
    }

    /// Goes where another one is; v stays.
    pub fn clone_position_from(&mut self, other: &Self) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.derived.copy_from_slice(&other.derived);
    }

    /// Goes to (t, q) where another place already keeps what is derived there; v stays.
    pub fn move_with(&mut self, t: f64, q: &[f64], derived: &[f64]) {
        self.t = t;
        self.q.copy_from_slice(q);
        self.derived.copy_from_slice(derived);
    }

    /// Opens the room for a system that stands upon another one; `make` furnishes it at the first question. A question
    /// must not ask at the same configuration again from inside the room.
    pub fn enter<R>(&self, make: impl FnOnce() -> Scratch, ask: impl FnOnce(&mut Scratch) -> R) -> R {
        let mut room = self.room.borrow_mut();
        ask(room.get_or_insert_with(|| Box::new(make())))
    }

    /// Time.
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Coordinates.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// The piece that a contact is to be seen on, [`NEAREST`] if any.
    #[inline]
    pub fn piece(&self, contact: usize) -> u32 {
        self.pieces.get(contact).copied().unwrap_or(NEAREST)
    }

    /// What [`System::derive`] wrote.
    pub fn derived(&self) -> &[f64] {
        &self.derived
    }
}
