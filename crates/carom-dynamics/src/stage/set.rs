//! The active set: which contacts of the step take part in its problem.

use super::ContactStage;
use crate::{Configuration, ContactKind, ContactTable, Directions, Extent, System};

/// A contact that pressed in the step before stays in the set while its gap is below this, relative to the mechanism's size:
/// steps in momenta move what slides by the mean of velocities at the centres of mass, which is that of the contact point to
/// O(dt³), and would let it go for a step now and then, and hit.
pub const DRIFT_OF_PRESSED: f64 = 1e-6;

/// The contacts of the step, their gaps, and which are active.
#[derive(Debug)]
pub(super) struct ActiveSet {
    pub contacts: ContactTable,
    /// Gaps at the point of the step where the scheme tests them — `look_at_gaps`.
    g_N: Vec<f64>,
    /// Contacts closed where the step began, and whether there are any — `remember_closed`.
    closed: Vec<bool>,
    any_closed: bool,
    /// Largest gap that counts as zero where gaps were evaluated last (m).
    round_off: f64,
    extent: Extent,
    /// Ascending, unless a scheme says otherwise.
    active: Vec<usize>,
}

impl ActiveSet {
    /// Nobody is active.
    pub fn new(system: &dyn System) -> Self {
        let (contacts, extent) = (ContactTable::new(system), Extent::new(system));
        Self {
            g_N: vec![0.0; contacts.len()],
            closed: vec![false; contacts.len()],
            any_closed: false,
            round_off: extent.grain(&[]),
            extent,
            active: Vec::with_capacity(contacts.len()),
            contacts,
        }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.active.clear();
        crate::poison(&mut self.g_N);
    }

    /// The contacts are others now.
    pub fn resize(&mut self) {
        self.g_N.resize(self.contacts.len(), f64::NAN);
        self.closed.resize(self.contacts.len(), false);
    }

    /// The active contacts.
    #[inline]
    pub fn active(&self) -> &[usize] {
        &self.active
    }

    /// Whether there are any.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// (first row in the problem, contact) of the active contacts.
    #[inline]
    pub fn each(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut next = 0;
        self.active.iter().map(move |&contact| {
            let row = next;
            next += self.contacts.dim(contact);
            (row, contact)
        })
    }

    /// (row in the problem, row among those of all contacts) of all active rows.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.each().flat_map(|(row, contact)| {
            let first = self.contacts.first_row(contact);
            (0..self.contacts.dim(contact)).map(move |i| (row + i, first + i))
        })
    }

    fn look_at_gaps(&mut self, system: &dyn System, at: &Configuration) {
        self.contacts.gaps(system, at, &mut self.g_N);
        self.round_off = self.extent.grain(at.q());
    }

    #[inline]
    fn activate(&mut self, system: &dyn System, at: &Configuration) {
        self.active.clear();
        if self.contacts.is_empty() {
            return;
        }
        self.look_at_gaps(system, at);
        for (contact, &g) in self.g_N.iter().enumerate() {
            if g <= self.round_off {
                self.active.push(contact);
            }
        }
    }

    fn retain_closed(&mut self, system: &dyn System, at: &Configuration) {
        if !self.active.is_empty() {
            self.look_at_gaps(system, at);
            let (g_N, round_off) = (&self.g_N, self.round_off);
            self.active.retain(|&contact| g_N[contact] <= round_off);
        }
    }

    fn retain_slow(&mut self, W: &Directions, v: &[f64], (least, most): (f64, f64)) {
        let contacts = &self.contacts;
        let mut next = 0;
        self.active.retain(|&contact| {
            let row = next;
            next += contacts.dim(contact);
            let U = W.velocity(row, v);
            !contacts.has_gap(contact) || (least <= U && U <= most)
        });
    }

    fn close(&mut self, contact: usize) {
        if let Err(place) = self.active.binary_search(&contact) {
            self.active.insert(place, contact);
        }
    }

    /// (first row in the problem, contact) of the active contacts that have a gap.
    pub fn normals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.each().filter(|&(_, contact)| self.contacts.has_gap(contact))
    }
}

/// What schemes do with the set.
impl ContactStage {
    /// Closes the contacts with g_N(at) ≤ 0. The only tolerance is what arithmetic cannot tell from zero,
    /// [`crate::GAP_ROUND_OFF`]: without it a body that lies on the ground may be let go for a step by the last bit of its
    /// gap, and slips by g dt². Joints that rub are always active.
    pub fn activate(&mut self, system: &dyn System, at: &Configuration) {
        self.set.activate(system, at);
    }

    /// Activates as [`Self::activate`]; whether a contact is among them that was open where the step began.
    pub fn activate_new(&mut self, system: &dyn System, at: &Configuration) -> bool {
        self.set.activate(system, at);
        self.set.active.iter().any(|&contact| !self.set.closed[contact])
    }

    /// Activates these contacts and no others; their rows follow in this order.
    pub fn set_active(&mut self, contacts: &[usize]) {
        self.set.active.clear();
        self.set.active.extend_from_slice(contacts);
    }

    /// Opens the active contacts that are open at another configuration.
    pub fn retain_closed(&mut self, system: &dyn System, at: &Configuration) {
        self.set.retain_closed(system, at);
    }

    /// Opens the active contacts whose normal velocity is outside a range at a configuration with its velocities.
    pub fn retain_slow(&mut self, system: &dyn System, at: &Configuration, range: (f64, f64)) {
        if !self.set.is_empty() {
            self.pose.evaluate_directions(system, at, &self.set);
            self.set.retain_slow(self.pose.W(), &at.v, range);
        }
    }

    /// Opens all contacts, but not the joints that rub.
    pub fn open_all(&mut self) {
        let contacts = &self.set.contacts;
        self.set.active.retain(|&contact| !contacts.has_gap(contact));
    }

    /// Closes a contact that is not active, until the step ends. `prepare` must follow.
    pub fn close(&mut self, contact: usize) {
        self.set.close(contact);
    }

    /// Closes the contacts that pressed, with the impulses or forces of all rows given, and whose gap evaluated last is no
    /// more than `most` (m). What presses may be let go for a step by the drift of its gap, and would hit; a contact that
    /// leaves does not press any more, and is not kept.
    pub fn keep_pressed(&mut self, pressed: &[f64], most: f64) {
        for contact in 0..self.set.contacts.len() {
            if self.has_pressed(pressed, contact) && self.set.g_N[contact] <= most {
                self.set.close(contact);
            }
        }
    }

    /// Whether a contact that may open pressed, with the impulses or forces of all rows given.
    pub fn has_pressed(&self, pressed: &[f64], contact: usize) -> bool {
        let contacts = &self.set.contacts;
        contacts.has_gap(contact) && pressed[contacts.first_row(contact)] > 0.0
    }

    /// Takes the contacts active now for those that are closed where the step begins.
    pub fn remember_closed(&mut self) {
        let set = &mut self.set;
        set.any_closed = !set.active.is_empty();
        set.closed.fill(false);
        for &contact in &set.active {
            set.closed[contact] = true;
        }
    }

    /// Activates the contacts closed where the step began, of these only the ones closed at `at` too if it is given.
    pub fn activate_closed(&mut self, system: &dyn System, at: Option<&Configuration>) {
        let set = &mut self.set;
        set.active.clear();
        if !set.any_closed {
            return;
        }
        set.active.extend((0..set.closed.len()).filter(|&contact| set.closed[contact]));
        if let Some(at) = at {
            set.retain_closed(system, at);
        }
    }

    /// Counts a closed contact as open where the step begins: it approaches, and what comes is an impact.
    pub fn mark_as_impact(&mut self, contact: usize) {
        self.set.closed[contact] = false;
    }

    /// Evaluates all gaps, read by [`Self::gaps`], without a change of the active set.
    pub fn evaluate_gaps(&mut self, system: &dyn System, at: &Configuration) {
        if !self.set.contacts.is_empty() {
            self.set.look_at_gaps(system, at);
        }
    }

    /// Gaps evaluated last, of all contacts.
    pub fn gaps(&self) -> &[f64] {
        &self.set.g_N
    }

    /// Whether a contact is inside the other body at a configuration, by more than round-off.
    pub fn penetrates(&mut self, system: &dyn System, at: &Configuration) -> bool {
        if self.set.contacts.is_empty() {
            return false;
        }
        self.set.look_at_gaps(system, at);
        self.set.g_N.iter().any(|g| g.is_finite() && *g < -self.set.round_off)
    }

    /// Largest gap that counts as zero where gaps were evaluated last (m), [`crate::GAP_ROUND_OFF`] of the largest coordinate.
    pub fn round_off(&self) -> f64 {
        self.set.round_off
    }

    /// How large the numbers are that places are computed from.
    pub fn extent(&self) -> &Extent {
        &self.set.extent
    }

    /// Whether any contact is active.
    pub fn is_active(&self) -> bool {
        !self.set.is_empty()
    }

    /// The active contacts.
    pub fn active(&self) -> &[usize] {
        self.set.active()
    }

    /// Whether a contact that may open is active (not only joints that rub).
    pub fn has_closed_contacts(&self) -> bool {
        self.set.active.iter().any(|&contact| self.set.contacts.has_gap(contact))
    }

    /// (row of W, contact) of the active contacts that have a gap.
    pub fn normals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.set.normals()
    }

    /// The contacts of this step with their laws and rows.
    pub fn contacts(&self) -> &ContactTable {
        &self.set.contacts
    }

    /// Whether the system has contacts at all.
    pub fn has_contacts(&self) -> bool {
        !self.set.contacts.is_empty()
    }

    /// Whether a contact may open: it is no joint that rubs.
    pub fn has_gap(&self, contact: usize) -> bool {
        self.set.contacts.has_gap(contact)
    }

    /// Law and parameters of a contact.
    pub fn kind(&self, contact: usize) -> &ContactKind {
        self.set.contacts.kind(contact)
    }

    /// First row of a contact in [`crate::State::P`].
    pub fn offset(&self, contact: usize) -> usize {
        self.set.contacts.first_row(contact)
    }
}
