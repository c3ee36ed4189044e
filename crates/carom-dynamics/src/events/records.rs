//! What an event is told as: records of impacts, of contacts that change their mode, and of events that have no velocities.

use crate::stepping::EventRecord;
use crate::{ContactMode, ContactRecord, EventKind};

/// An event without velocities.
pub fn plain(t: f64, kind: EventKind, subject: usize) -> EventRecord {
    EventRecord { t, kind, subject, before: 0.0, after: 0.0, impulse: 0.0 }
}

/// The impacts at an instant. Impacts that follow each other there, until nothing approaches any more, are one per contact:
/// from the first velocity to the last, with the sum of the impulses.
pub fn hits<'a>(
    t: f64,
    hit: &'a [usize],
    records: &'a [ContactRecord],
) -> impl Iterator<Item = EventRecord> + 'a {
    let first = |&(k, contact): &(usize, &usize)| !hit[..k].contains(contact);
    hit.iter().enumerate().filter(first).map(move |(_, &subject)| {
        let own = || records.iter().filter(move |record| record.contact == subject);
        EventRecord {
            t,
            kind: EventKind::Impact,
            subject,
            before: own().next().map_or(0.0, |record| record.U_minus[0]),
            after: own().next_back().map_or(0.0, |record| record.U_plus[0]),
            impulse: own().map(|record| record.P[0]).sum(),
        }
    })
}

/// Contacts that let go, stick or slip, between the modes `before` an event and `after` it. Whoever was handed on to a neighbour
/// did not let go.
pub fn changes<'a>(
    t: f64,
    before: &'a [ContactMode],
    after: &'a [ContactMode],
    handed: impl Fn(usize) -> bool + 'a,
) -> impl Iterator<Item = EventRecord> + 'a {
    use ContactMode::{Open, Slide, SlideAlong, Stick};
    let kind = move |contact: usize, was: ContactMode, is: ContactMode| match (was, is) {
        (was, Open) if was.is_closed() && !handed(contact) => Some(EventKind::Release),
        (Slide(_) | SlideAlong(_), Stick) => Some(EventKind::Stick),
        (Stick, Slide(_) | SlideAlong(_)) => Some(EventKind::Slip),
        (SlideAlong(a), SlideAlong(b)) if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.0 => {
            Some(EventKind::Slip)
        }
        (Slide(a), Slide(b)) if a != b => Some(EventKind::Slip),
        _ => None,
    };
    let modes = before.iter().zip(after).enumerate();
    modes.filter_map(move |(contact, (&was, &is))| Some(plain(t, kind(contact, was, is)?, contact)))
}
