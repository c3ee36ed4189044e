//! The list of contacts, made anew where a step begins.
//!
//! What is within reach of a step cannot close unseen: gaps shrink by no more than twice the fastest velocity (angular ones
//! times the size of what turns) in a step. Twice the largest change of a velocity in the step before is for those that change
//! in this one, and a margin for what forces add in the first. Impulses, forces and who is closed go
//! over to the new list by id; what went out of reach is forgotten.

use super::ContactStage;
use crate::{Candidates, Configuration, Near, Quantity, State, System};

/// What forces may add to the way of a step, relative to the mechanism's size.
const MARGIN: f64 = 1e-2;

/// Memory for it, and what it has cost.
#[derive(Debug)]
pub(super) struct Listing {
    at: Configuration,
    room: Candidates,
    rows: Vec<f64>,
    /// Length that a velocity of 1 moves something by in 1 s (m).
    lever: Vec<f64>,
    /// The longest list so far, and how often one was longer than all before.
    longest: usize,
    growths: usize,
}

impl Listing {
    fn new(system: &dyn System, state: &State) -> Self {
        let length = near_of(system).lever;
        let lever = |i: usize| match system.structure().velocities[i].quantity {
            Quantity::Length => 1.0,
            Quantity::Angle => length,
        };
        Self {
            at: Configuration::new(system, state.t, &state.q, &state.v),
            room: Candidates::default(),
            rows: Vec::new(),
            lever: (0..state.v.len()).map(lever).collect(),
            longest: 0,
            growths: 0,
        }
    }
}

/// How far one looks for contacts beyond what velocities say.
fn near_of(system: &dyn System) -> Near {
    let length = system.structure().length_scale;
    system.structure().near.unwrap_or(Near { lever: length, margin: MARGIN * length })
}

impl ContactStage {
    /// Lists the contacts within reach of a step dt from a state, and brings what the state knows of them over. Nothing to do
    /// for systems whose list never changes. Call it before every step.
    #[inline]
    pub fn list_contacts(&mut self, system: &dyn System, state: &mut State, dt: f64) {
        if self.set.contacts.changes() {
            self.list_anew(system, state, dt);
        }
    }

    fn list_anew(&mut self, system: &dyn System, state: &mut State, dt: f64) {
        let contacts = &mut self.set.contacts;
        let listing = self.listing.get_or_insert_with(|| Box::new(Listing::new(system, state)));
        let Listing { at, room, rows, lever, longest, growths } = &mut **listing;
        let (mut fastest, mut pushed) = (0.0_f64, 0.0_f64);
        for ((v, before), lever) in state.v.iter().zip(&at.v).zip(&*lever) {
            fastest = fastest.max((v * lever).abs());
            pushed = pushed.max(((v - before) * lever).abs());
        }
        at.move_to_state(system, state);
        contacts.list(system, at, 2.0 * dt * (fastest + pushed) + near_of(system).margin, room);
        if contacts.len() > *longest {
            (*longest, *growths) = (contacts.len(), *growths + 1);
        }
        if state.contacts != contacts.candidates().ids() {
            contacts.carry(&state.contacts, &mut state.P, rows);
            contacts.carry(&state.contacts, &mut state.lambda, rows);
            let old = &state.contacts;
            state.closed.retain_mut(|contact| match contacts.candidates().find(old[*contact]) {
                Some(now) => {
                    *contact = now;
                    true
                }
                None => false,
            });
            state.contacts.clear();
            state.contacts.extend_from_slice(contacts.candidates().ids());
        }
        self.set.resize();
        self.ledger.resize(self.set.contacts.rows());
    }

    /// How often the list of contacts became longer than all before it: where memory may have been taken.
    pub fn growths(&self) -> usize {
        self.listing.as_ref().map_or(0, |listing| listing.growths)
    }
}
