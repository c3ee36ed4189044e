//! All contacts of a planar model.

use super::{Element, HIDDEN, Meeting, Spot, Surfaces, Vicinity};
use crate::contacts::Contacts;
use crate::mechanics::Named;
use carom_dynamics::{Configuration, Directions};
use std::ops::Range;

/// The contacts of a planar model and what they are written against.
#[derive(Clone, Debug, Default)]
pub struct PlaneContacts {
    pub elements: Vec<Element>,
    pub surfaces: Surfaces,
    /// Contacts that have a place, each with the sign of its normal seen from the partner named first: + where that
    /// touches, − where it is touched.
    pub touches: Vec<(usize, f64)>,
}

impl PlaneContacts {
    #[inline]
    fn gaps_of(&self, at: &Configuration, contacts: Range<usize>, g_N: &mut [f64]) {
        let gaps = g_N[contacts.clone()].iter_mut();
        for (i, (contact, gap)) in contacts.clone().zip(self.elements[contacts].iter().zip(gaps)) {
            *gap = contact.gap(at, &self.surfaces, at.piece(i));
        }
    }

    /// Of the outlines whose contacts begin with this one: the contact with the least gap that something faces, and the sign of its
    /// normal seen from the partner named first.
    fn nearest_of(&self, at: &Configuration, first: usize) -> Option<(usize, f64)> {
        let meeting = self.meeting(first);
        let mut nearest = (f64::INFINITY, None);
        if meeting.is_near(at, &self.surfaces) {
            for i in meeting.first..meeting.first + meeting.count {
                let Element::Meet(meet) = &self.elements[i] else { continue };
                let gap = meet.gap(at, &self.surfaces, at.piece(i));
                if gap < nearest.0 {
                    nearest = (gap, Some((i, if meet.second { -1.0 } else { 1.0 })));
                }
            }
        }
        nearest.1
    }

    fn meeting(&self, first: usize) -> &Meeting {
        let meetings = &self.surfaces.meetings;
        meetings
            .iter()
            .find(|meeting| meeting.first == first)
            .expect("outlines meet where their contacts begin")
    }
}

impl Contacts for PlaneContacts {
    /// A positive `force_n` pushes the partner named **first** along `touch.angle`, and a positive `force_t` pushes it along
    /// `touch.angle` − 90°: n is the direction and t is n turned by −90° whichever partner is looked at (`contacts/plane/mod.rs`).
    /// The partner named second feels the opposite. Of a joint with clearance the hole or the guide is first. The place is
    /// that of the touching body, which matters only while the contact is open.
    const TOUCH: &'static [Named] = &[("touch.x", "m"), ("touch.y", "m"), ("touch.angle", "rad")];

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn has_pieces(&self) -> bool {
        self.elements.iter().any(|contact| contact.has_pieces(&self.surfaces))
    }

    fn pieces(&self, at: &Configuration, pieces: &mut [u32]) {
        let numbers = |pieces: &mut [u32], contacts: Range<usize>| {
            for (contact, piece) in self.elements[contacts.clone()].iter().zip(&mut pieces[contacts]) {
                *piece = contact.number(at, &self.surfaces);
            }
        };
        let mut done = 0;
        for meeting in &self.surfaces.meetings {
            numbers(pieces, done..meeting.first);
            done = meeting.first + meeting.count;
            if meeting.is_near(at, &self.surfaces) {
                numbers(pieces, meeting.first..done);
            } else {
                pieces[meeting.first..done].fill(HIDDEN);
            }
        }
        numbers(pieces, done..self.elements.len());
    }

    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let mut done = 0;
        // outlines that are far apart are asked once, not each of their contacts
        for meeting in &self.surfaces.meetings {
            self.gaps_of(at, done..meeting.first, g_N);
            done = meeting.first + meeting.count;
            if meeting.is_near(at, &self.surfaces) {
                self.gaps_of(at, meeting.first..done, g_N);
            } else {
                g_N[meeting.first..done].fill(f64::INFINITY);
            }
        }
        self.gaps_of(at, done..self.elements.len(), g_N);
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        for &i in active {
            self.elements[i].directions(at, &self.surfaces, at.piece(i), W);
        }
    }

    fn bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let mut row = 0;
        for &i in active {
            let rows = self.elements[i].rows();
            self.elements[i].bias(at, &self.surfaces, at.piece(i), &mut bias[row..row + rows]);
            row += rows;
        }
    }

    fn named_gap(&self, at: &Configuration, first: usize) -> f64 {
        match &self.elements[first] {
            Element::Meet(_) => match self.nearest_of(at, first) {
                Some((nearest, _)) => self.elements[nearest].gap(at, &self.surfaces, at.piece(nearest)),
                None => f64::INFINITY,
            },
            contact => contact.gap(at, &self.surfaces, at.piece(first)),
        }
    }

    fn crossed(&self, at: &Configuration, gaps: &[f64], touching: f64) -> Vec<(usize, f64)> {
        let mut crossed = Vec::new();
        // outlines that cross where no corner of one is in the other
        for meeting in &self.surfaces.meetings {
            let own = &gaps[meeting.first..meeting.first + meeting.count];
            let least = own.iter().copied().fold(f64::INFINITY, f64::min);
            if least > touching
                && let Some(depth) = meeting.crossed(at, &self.surfaces)
                && depth > touching
            {
                crossed.push((meeting.first, depth));
            }
        }
        crossed
    }

    fn placed(&self) -> impl Iterator<Item = usize> {
        self.touches.iter().map(|&(contact, _)| contact)
    }

    fn places(&self, at: &Configuration, reach: f64, out: &mut [f64]) {
        let mut near = Vicinity::default();
        for (&(contact, sign), out) in self.touches.iter().zip(out.chunks_mut(Self::TOUCH.len())) {
            let facing = match &self.elements[contact] {
                Element::Meet(_) => self.nearest_of(at, contact),
                _ => Some((contact, sign)),
            };
            let touch = facing.and_then(|(contact, sign)| {
                let element = &self.elements[contact];
                let spot = element.spot(at, &self.surfaces, at.piece(contact), reach, &mut near)?;
                let Spot { point: [x, y], n } = spot;
                Some([x, y, (sign * n[1]).atan2(sign * n[0])])
            });
            out.copy_from_slice(&touch.unwrap_or([f64::NAN; 3]));
        }
    }
}
