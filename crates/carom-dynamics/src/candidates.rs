//! Which contacts there may be in a step, and what is known of each.
//!
//! A system states laws between things that may touch ([`System::contact_info`]). Where a step begins it lists the places that
//! are within reach: its candidates, sorted by an id that stays the same as long as two features stay near each other. During
//! the step the list stands, and a *contact* is an index into it. What outlives a step (impulses, forces, who is closed, who
//! sticks) goes over from one list to the next by id. A system with one place per law has a list that never changes.

use crate::{Configuration, ContactKind, System};
use serde::{Deserialize, Serialize};

/// Which place of which pair of things a contact is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactId {
    /// Index into [`System::contact_info`].
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    ids: Vec<ContactId>,
}

impl Candidates {
    /// One per law: the list that never changes.
    pub fn one_per_law(laws: usize) -> Self {
        Self { ids: (0..laws).map(ContactId::only).collect() }
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
        let laws: Vec<ContactKind> = system.contact_info().iter().map(|c| c.kind.clone()).collect();
        let changes = system.contact_info().iter().any(|c| c.most != Some(1));
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

    /// Becomes the table of another one; nothing is done where it is that already.
    pub fn follow(&mut self, other: &Self) -> bool {
        if self.generation == other.generation {
            return false;
        }
        self.candidates.ids.clone_from(&other.candidates.ids);
        self.generation = other.generation;
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

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none.
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

    /// Index of its law in [`System::contact_info`].
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
