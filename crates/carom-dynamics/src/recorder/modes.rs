//! Who is closed, sticks or slides, and what happened: impacts, releases, the model's own events.

use crate::stepping::{EventRecord, OwnSteps};
use crate::{
    Configuration, ContactId, ContactMode, ContactRecord, ContactTable, Crossing, Directions, Event,
    EventKind, ImpulseKind, System,
};

/// What a contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Open,
    Stick,
    Slide,
}

/// Whose event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Contact(ContactId),
    /// One of the model's own events.
    Own(usize),
    Nobody,
}

/// An event, not yet with names.
#[derive(Clone, Copy, Debug)]
struct Happened {
    t: f64,
    kind: EventKind,
    subject: Subject,
    before: f64,
    after: f64,
    impulse: f64,
}

impl Happened {
    /// Without numbers.
    fn bare(t: f64, kind: EventKind, subject: Subject) -> Self {
        Self { t, kind, subject, before: 0.0, after: 0.0, impulse: 0.0 }
    }
}

/// What a step changes.
#[derive(Clone, Debug, Default)]
struct Marked {
    mode: Vec<Mode>,
    own: Vec<f64>,
    angles: Vec<f64>,
    happenings: usize,
    impacts: usize,
    stopped: bool,
}

/// Modes of all contacts, and the events so far.
#[derive(Debug)]
pub(super) struct Modes {
    /// Whose they are, where contacts come and go, and the number of that list.
    ids: Vec<ContactId>,
    generation: u64,
    old: Vec<(ContactId, Mode, f64)>,
    mode: Vec<Mode>,
    closed_now: Vec<bool>,
    /// Of joints that rub, and tangential ones of contacts that press.
    velocity: Vec<f64>,
    happenings: Vec<Happened>,
    impacts: usize,
    /// Values of the model's own events after the last step, and now.
    own: Vec<f64>,
    own_now: Vec<f64>,
    /// Angles that those know, turns counted.
    angles: Vec<f64>,
    stopped: bool,
    W: Directions,
    marked: Marked,
}

impl Modes {
    /// Where a run begins.
    pub fn new(system: &dyn System, table: &ContactTable, at: &Configuration) -> Self {
        let (contacts, events) = (table.len(), system.structure().events.len());
        let mut new = Self {
            ids: table.candidates().ids().to_vec(),
            generation: table.generation(),
            old: Vec::new(),
            mode: vec![Mode::Open; contacts],
            closed_now: vec![false; contacts],
            velocity: vec![0.0; contacts],
            happenings: Vec::with_capacity(1024),
            impacts: 0,
            own: vec![0.0; events],
            own_now: vec![0.0; events],
            angles: system.structure().event_angles.clone(),
            stopped: false,
            W: Directions::with_room(1, 64),
            marked: Marked::default(),
        };
        system.event_values(at, &mut new.angles, &mut new.own);
        new
    }

    /// Remembers where it is.
    pub fn mark(&mut self) {
        self.marked.mode.clone_from(&self.mode);
        self.marked.own.clone_from(&self.own);
        self.marked.angles.clone_from(&self.angles);
        self.marked.happenings = self.happenings.len();
        (self.marked.impacts, self.marked.stopped) = (self.impacts, self.stopped);
    }

    /// Goes back to the mark.
    pub fn take_back(&mut self) {
        self.mode.clone_from(&self.marked.mode);
        self.own.clone_from(&self.marked.own);
        self.angles.clone_from(&self.marked.angles);
        self.happenings.truncate(self.marked.happenings);
        (self.impacts, self.stopped) = (self.marked.impacts, self.marked.stopped);
    }

    /// Impacts so far.
    pub fn impacts(&self) -> usize {
        self.impacts
    }

    /// Velocities of the joints that rub, by contact.
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Whether anything hit, stuck, slipped or let go, or a load switched.
    pub fn saw_events(&self) -> bool {
        self.happenings.iter().any(|h| !matches!(h.kind, EventKind::Retry | EventKind::Event))
    }

    /// The share of impacts that came at the same time as one of another contact.
    pub fn impacts_together(&self) -> f64 {
        let impacts: Vec<_> = self.happenings.iter().filter(|h| h.kind == EventKind::Impact).collect();
        let beside = |i: usize, j: usize| {
            impacts.get(j).is_some_and(|h| h.t == impacts[i].t && h.subject != impacts[i].subject)
        };
        let together =
            (0..impacts.len()).filter(|&i| beside(i, i + 1) || (i > 0 && beside(i, i - 1))).count();
        together as f64 / impacts.len().max(1) as f64
    }

    /// Begins a step that ends at t: nobody has been seen closed. Where the list of contacts is another one, modes go over by
    /// id; who is out of reach has let go.
    pub fn begin(&mut self, t: f64, table: &ContactTable) {
        if self.generation != table.generation() {
            self.follow_list(t, table);
        }
        self.closed_now.fill(false);
    }

    fn follow_list(&mut self, t: f64, table: &ContactTable) {
        let mut old = std::mem::take(&mut self.old);
        old.clear();
        old.extend((0..self.ids.len()).map(|k| (self.ids[k], self.mode[k], self.velocity[k])));
        self.generation = table.generation();
        self.ids.clear();
        self.ids.extend_from_slice(table.candidates().ids());
        self.mode.clear();
        self.mode.resize(self.ids.len(), Mode::Open);
        self.velocity.clear();
        self.velocity.resize(self.ids.len(), 0.0);
        self.closed_now.resize(self.ids.len(), false);
        for &(id, mode, velocity) in &old {
            match table.candidates().find(id) {
                Some(contact) => (self.mode[contact], self.velocity[contact]) = (mode, velocity),
                None if mode != Mode::Open => {
                    self.happenings.push(Happened::bare(t, EventKind::Release, Subject::Contact(id)));
                }
                None => {}
            }
        }
        self.old = old;
    }

    /// How many contacts of a law press.
    pub fn pressing(&self, table: &ContactTable, law: usize) -> usize {
        let known = self.generation == table.generation();
        table.of_law(law).filter(|&contact| known && self.mode[contact] != Mode::Open).count()
    }

    /// What a contact does after a step, and what is new of it.
    pub fn contact(&mut self, t: f64, table: &ContactTable, record: &ContactRecord) {
        let contact = record.contact;
        let dry = !table.has_gap(contact);
        let impulsive = record.nature != ImpulseKind::Force;
        if !dry && record.P[0] <= 0.0 {
            return;
        }
        self.closed_now[contact] = true;
        // an impact takes no time: a joint that rubs with a constant force is not held or let slip by it
        if dry && !record.rubs {
            return;
        }
        self.velocity[contact] = record.tangential(&record.U_plus);
        let now = if record.slides { Mode::Slide } else { Mode::Stick };
        let before = self.mode[contact];
        let subject = Subject::Contact(table.candidates().id(contact));
        if before == Mode::Open && !dry && impulsive {
            self.impacts += 1;
            let (before, after, impulse) = (record.U_minus[0], record.U_plus[0], record.P[0]);
            self.happenings.push(Happened { t, kind: EventKind::Impact, subject, before, after, impulse });
        } else if before != now && before != Mode::Open && record.rubs {
            let kind = if now == Mode::Stick { EventKind::Stick } else { EventKind::Slip };
            let [before, after, impulse] =
                [&record.U_minus, &record.U_plus, &record.P].map(|x| record.tangential(x));
            self.happenings.push(Happened { t, kind, subject, before, after, impulse });
        }
        self.mode[contact] = now;
    }

    /// Ends a step: who was closed and is not any more lets go.
    pub fn end(&mut self, t: f64, table: &ContactTable) {
        for contact in 0..self.mode.len() {
            if self.mode[contact] != Mode::Open && !self.closed_now[contact] {
                self.mode[contact] = Mode::Open;
                let subject = Subject::Contact(table.candidates().id(contact));
                self.happenings.push(Happened::bare(t, EventKind::Release, subject));
            }
        }
    }

    /// What a scheme says itself that happened up to t.
    pub fn told(&mut self, t: f64, table: &ContactTable, happened: &[EventRecord]) {
        for h in happened {
            // of a contact that time stepping has seen closed this is known
            if h.t < t && h.kind == EventKind::Impact && self.mode[h.subject] != Mode::Open {
                continue;
            }
            self.impacts += usize::from(h.kind == EventKind::Impact);
            let EventRecord { t, kind, before, after, impulse, .. } = *h;
            let subject = match kind {
                EventKind::Event => Subject::Own(h.subject),
                _ if h.subject < table.len() => Subject::Contact(table.candidates().id(h.subject)),
                _ => Subject::Nobody,
            };
            self.happenings.push(Happened { t, kind, subject, before, after, impulse });
        }
    }

    /// The modes of a scheme that knows them; those of joints that rub with their velocities.
    pub fn follow(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        table: &ContactTable,
        own: &dyn OwnSteps,
    ) {
        for (contact, mode) in own.modes().iter().enumerate() {
            self.mode[contact] = match mode {
                ContactMode::Open => Mode::Open,
                ContactMode::Stick => Mode::Stick,
                ContactMode::Closed | ContactMode::Slide(_) | ContactMode::SlideAlong(_) => Mode::Slide,
            };
            if !table.has_gap(contact) {
                self.W.clear();
                system.directions(at, &[contact], &mut self.W);
                self.velocity[contact] = self.W.velocity(0, &at.v);
            }
        }
        // where the next step of another kind begins
        if !self.own.is_empty() {
            system.event_values(at, &mut self.angles, &mut self.own);
        }
    }

    /// Whether the model has events of its own.
    pub fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// The model's own events, seen at the end of the step in which they happened.
    pub fn own_events(&mut self, system: &dyn System, at: &Configuration) {
        system.event_values(at, &mut self.angles, &mut self.own_now);
        for (own, info) in system.structure().events.iter().enumerate() {
            let (was, is) = (self.own[own], self.own_now[own]);
            let crosses = match info.crossing {
                Crossing::Rising => was < 0.0 && is >= 0.0,
                Crossing::Falling => was > 0.0 && is <= 0.0,
                Crossing::Any => (was < 0.0 && is >= 0.0) || (was > 0.0 && is <= 0.0),
            };
            if crosses {
                self.happenings.push(Happened::bare(at.t(), EventKind::Event, Subject::Own(own)));
                self.stopped |= info.stops;
            }
        }
        self.own.copy_from_slice(&self.own_now);
    }

    /// The run ends here because the model says so.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether an event of the model's own has ended the run.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Takes note of a step that had to be repeated.
    pub fn retry(&mut self, t: f64) {
        self.happenings.push(Happened::bare(t, EventKind::Retry, Subject::Nobody));
    }

    /// The events so far, with names.
    pub fn events(&self, system: &dyn System) -> Vec<Event> {
        let name = |subject: Subject| match subject {
            Subject::Own(own) => system.structure().events[own].name.clone(),
            Subject::Contact(id) => system.structure().contacts[id.law as usize].name.clone(),
            Subject::Nobody => String::new(),
        };
        let arm = |subject: Subject| match subject {
            Subject::Contact(id) => system.structure().contacts[id.law as usize].arm(),
            Subject::Own(_) | Subject::Nobody => 1.0,
        };
        let event = |h: &Happened| Event {
            t: h.t,
            kind: h.kind,
            subject: name(h.subject),
            before: h.before / arm(h.subject),
            after: h.after / arm(h.subject),
            impulse: h.impulse * arm(h.subject),
        };
        self.happenings.iter().map(event).collect()
    }
}
