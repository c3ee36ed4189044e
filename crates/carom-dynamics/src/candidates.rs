//! Which contacts there may be in a step, and what is known of each.
//!
//! A system states laws between things that may touch ([`Structure::contacts`](crate::Structure::contacts)). Where a step begins it lists the places that
//! are within reach: its candidates, sorted by an id that stays the same as long as two features stay near each other. During
//! the step the list stands, and a *contact* is an index into it. What outlives a step (impulses, forces, who is closed, who
//! sticks) goes over from one list to the next by id. A system with one place per law has a list that never changes.

use crate::{Configuration, ContactKind, Directions, System};
use serde::{Deserialize, Serialize};
use std::any::Any;

/// Which place of which pair of things a contact is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactId {
    /// Index into [`Structure::contacts`](crate::Structure::contacts).
    pub law: u32,
    /// Which two things, as the system counts them.
    pub pair: u32,
    /// Which place of theirs: a corner, a pair of edges.
    pub feature: u32,
}

impl ContactId {
    /// The only contact of a law.
    pub fn only(law: usize) -> Self {
        Self { law: law as u32, pair: 0, feature: 0 }
    }
}

/// Contacts within reach, ascending by id.
#[derive(Debug, Default)]
pub struct Candidates {
    ids: Vec<ContactId>,
    /// Memory of whoever lists; it means nothing between two lists.
    room: Option<Box<dyn Any + Send + Sync>>,
}

impl Clone for Candidates {
    fn clone(&self) -> Self {
        Self { ids: self.ids.clone(), room: None }
    }
}

impl PartialEq for Candidates {
    fn eq(&self, other: &Self) -> bool {
        self.ids == other.ids
    }
}

impl Eq for Candidates {}

impl Candidates {
    /// One per law: the list that never changes.
    pub fn one_per_law(laws: usize) -> Self {
        Self { ids: (0..laws).map(ContactId::only).collect(), room: None }
    }

    /// Forgets all, keeps the memory.
    pub fn clear(&mut self) {
        self.ids.clear();
    }

    /// Adds one; ids come in ascending order.
    pub fn push(&mut self, id: ContactId) {
        debug_assert!(
            self.ids.last().is_none_or(|last| *last < id),
            "candidates come in the order of their ids"
        );
        self.ids.push(id);
    }

    /// Lists with memory of one's own, which stays from list to list so that listing takes none.
    pub fn list_with<T: Any + Send + Sync + Default>(&mut self, list: impl FnOnce(&mut Self, &mut T)) {
        let mut room = match self.room.take() {
            Some(room) if room.is::<T>() => room,
            _ => Box::<T>::default(),
        };
        list(self, room.downcast_mut().expect("it is made of this type"));
        self.room = Some(room);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// All ids, ascending.
    pub fn ids(&self) -> &[ContactId] {
        &self.ids
    }

    /// The id of a contact.
    pub fn id(&self, contact: usize) -> ContactId {
        self.ids[contact]
    }

    /// The contact with an id.
    pub fn find(&self, id: ContactId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }
}

/// The candidates of a step with their laws and rows.
#[derive(Clone, Debug, Default)]
pub struct ContactTable {
    laws: Vec<ContactKind>,
    candidates: Candidates,
    /// Law and first row of each contact among the rows of all of them, as in [`crate::State::P`].
    kinds: Vec<ContactKind>,
    first: Vec<usize>,
    rows: usize,
    /// Another number for every other list.
    generation: u64,
    /// Whether lists can change at all.
    changes: bool,
}

impl ContactTable {
    /// With the list of one contact per law, or an empty one where lists change.
    pub fn new(system: &dyn System) -> Self {
        let laws: Vec<ContactKind> = system.structure().contacts.iter().map(|c| c.kind.clone()).collect();
        let changes = system.structure().contacts.iter().any(|c| c.most != Some(1));
        let mut new = Self { laws, changes, ..Self::default() };
        if !changes {
            new.candidates = Candidates::one_per_law(new.laws.len());
            new.number();
        }
        new
    }

    /// Whether contacts come and go.
    pub fn changes(&self) -> bool {
        self.changes
    }

    /// Lists the contacts within `reach` (m) of a configuration. Whether the list is another one than before.
    pub fn list(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        reach: f64,
        room: &mut Candidates,
    ) -> bool {
        room.clear();
        system.candidates(at, reach, room);
        if *room == self.candidates {
            return false;
        }
        std::mem::swap(room, &mut self.candidates);
        self.generation += 1;
        self.number();
        true
    }

    fn number(&mut self) {
        self.kinds.clear();
        self.first.clear();
        self.rows = 0;
        for id in &self.candidates.ids {
            let kind = &self.laws[id.law as usize];
            self.first.push(self.rows);
            self.rows += kind.dim();
            self.kinds.push(kind.clone());
        }
    }

    /// Brings numbers of all rows over from another list, by id; what is new begins with zero.
    pub fn carry(&self, from: &[ContactId], values: &mut Vec<f64>, room: &mut Vec<f64>) {
        room.clear();
        room.resize(self.rows, 0.0);
        let (mut old, mut row) = (0, 0);
        for (contact, id) in self.candidates.ids.iter().enumerate() {
            while old < from.len() && from[old] < *id {
                row += self.laws[from[old].law as usize].dim();
                old += 1;
            }
            if from.get(old) == Some(id) {
                let (to, dim) = (self.first[contact], self.kinds[contact].dim());
                room[to..to + dim].copy_from_slice(&values[row..row + dim]);
            }
        }
        std::mem::swap(values, room);
    }

    /// g_N of every contact.
    #[inline]
    pub fn gaps(&self, system: &dyn System, at: &Configuration, g_N: &mut [f64]) {
        match self.changes {
            false => system.gaps(at, g_N),
            true => system.gaps_among(at, &self.candidates, g_N),
        }
    }

    /// Pushes the rows of Wᵀ of some contacts.
    #[inline]
    pub fn directions(&self, system: &dyn System, at: &Configuration, active: &[usize], W: &mut Directions) {
        match self.changes {
            false => system.directions(at, active, W),
            true => system.directions_among(at, &self.candidates, active, W),
        }
    }

    /// The part of dU/dt of some contacts that does not contain v'.
    pub fn bias(&self, system: &dyn System, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        match self.changes {
            false => system.contact_bias(at, active, bias),
            true => system.contact_bias_among(at, &self.candidates, active, bias),
        }
    }

    /// The contacts of a law.
    pub fn of_law(&self, law: usize) -> std::ops::Range<usize> {
        if !self.changes {
            return law..law + 1;
        }
        let from = self.candidates.ids.partition_point(|id| (id.law as usize) < law);
        from..self.candidates.ids.partition_point(|id| id.law as usize <= law)
    }

    /// A law.
    pub fn law_kind(&self, law: usize) -> &ContactKind {
        &self.laws[law]
    }

    /// Number of laws.
    pub fn laws(&self) -> usize {
        self.laws.len()
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none in this step.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Number of rows of all contacts.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Law and parameters of a contact.
    #[inline]
    pub fn kind(&self, contact: usize) -> &ContactKind {
        &self.kinds[contact]
    }

    /// Laws of all contacts.
    pub fn kinds(&self) -> &[ContactKind] {
        &self.kinds
    }

    /// Rows of a contact.
    #[inline]
    pub fn dim(&self, contact: usize) -> usize {
        self.kinds[contact].dim()
    }

    /// Its first row among those of all contacts.
    #[inline]
    pub fn first_row(&self, contact: usize) -> usize {
        self.first[contact]
    }

    /// Whether it may open: it is no joint that rubs.
    #[inline]
    pub fn has_gap(&self, contact: usize) -> bool {
        self.kinds[contact].has_gap()
    }

    /// Index of its law in [`Structure::contacts`](crate::Structure::contacts).
    pub fn law(&self, contact: usize) -> usize {
        self.candidates.id(contact).law as usize
    }

    /// The list.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Number of the list.
    pub fn generation(&self) -> u64 {
        self.generation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(law: u32, pair: u32, feature: u32) -> ContactId {
        ContactId { law, pair, feature }
    }

    fn table(ids: &[ContactId]) -> ContactTable {
        let laws = vec![
            ContactKind::Unilateral { restitution: 0.0 },
            ContactKind::Frictional { restitution: 0.0, tangential_restitution: 0.0, friction: 0.1 },
        ];
        let mut table = ContactTable { laws, changes: true, ..ContactTable::default() };
        ids.iter().for_each(|&id| table.candidates.push(id));
        table.number();
        table
    }

    /// Numbers follow their ids, whatever comes and goes around them; what is new begins with zero.
    #[test]
    fn numbers_go_over_by_id() {
        let old = [id(0, 1, 0), id(0, 4, 0), id(1, 0, 2), id(1, 3, 0)];
        let new = table(&[id(0, 0, 0), id(0, 4, 0), id(1, 0, 1), id(1, 0, 2), id(1, 3, 0), id(1, 3, 1)]);
        let mut values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        new.carry(&old, &mut values, &mut Vec::new());
        assert_eq!(values, [0.0, 2.0, 0.0, 0.0, 3.0, 4.0, 5.0, 6.0, 0.0, 0.0]);
        assert_eq!((new.of_law(0), new.of_law(1), new.rows()), (0..2, 2..6, 10));
        let none = table(&[]);
        none.carry(&old, &mut vec![0.0; 6], &mut values);
        assert_eq!(none.of_law(1), 0..0);
    }
}
