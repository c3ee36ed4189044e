//! All contacts of a spatial model.

use super::{Crowd, Element, Facing};
use crate::contacts::Contacts;
use crate::mechanics::Named;
use carom_dynamics::{Candidates, Configuration, ContactId, Directions, Resistance};
use std::ops::Range;

/// The contacts of a spatial model.
#[derive(Clone, Debug, Default)]
pub struct SpaceContacts {
    elements: Vec<Element>,
    /// Of each: + where the partner named first touches, − where it is touched.
    signs: Vec<f64>,
    /// What resists turning in each.
    resists: Vec<Resistance>,
    /// Contacts that share a name.
    named: Vec<Range<usize>>,
    /// Those that come and go; their laws have the numbers behind the contacts that stay.
    crowd: Option<Box<Crowd>>,
}

impl SpaceContacts {
    /// Contacts under one name; their numbers.
    pub fn add(&mut self, pair: Vec<Facing>) -> Range<usize> {
        let first = self.elements.len();
        for Facing { element, sign } in pair {
            self.elements.push(element);
            self.signs.push(sign);
            self.resists.push(Resistance::None);
        }
        let numbers = first..self.elements.len();
        if !numbers.is_empty() {
            self.named.push(numbers.clone());
        }
        numbers
    }

    /// These contacts resist turning.
    pub fn resist(&mut self, contacts: Range<usize>, resists: Resistance) {
        self.resists[contacts].fill(resists);
    }

    /// These come and go. No contact that stays may follow.
    pub fn set_crowd(&mut self, crowd: Crowd) {
        self.crowd = Some(Box::new(crowd));
    }

    /// The contact that stays, or none and the crowd of the one that does not.
    #[inline]
    fn stays(&self, id: ContactId) -> Result<usize, &Crowd> {
        match &self.crowd {
            Some(crowd) if id.law as usize >= self.elements.len() => Err(crowd),
            _ => Ok(id.law as usize),
        }
    }

    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Under the name that begins with this contact: the one with the least gap, and the gap.
    fn nearest_of(&self, at: &Configuration, first: usize) -> (usize, f64) {
        let group = self.named.binary_search_by_key(&first, |group| group.start);
        let group = self.named[group.expect("a name begins with its first contact")].clone();
        let gap = |i: usize| (i, self.elements[i].gap(at, at.piece(i)));
        group.map(gap).fold((first, f64::INFINITY), |least, next| if next.1 < least.1 { next } else { least })
    }

    /// The first contact of every name that has a place.
    fn first_placed(&self) -> impl Iterator<Item = usize> {
        let placed =
            |i: &usize| matches!(self.elements[*i], Element::Touch(_) | Element::Cross(_) | Element::Rim(_));
        self.named.iter().map(|group| group.start).filter(placed)
    }
}

impl Contacts for SpaceContacts {
    /// A positive `force_n` pushes the partner named **first** along `touch.n`; the partner named second feels the opposite. The
    /// place is that of the touching body, which matters only while the contact is open.
    const TOUCH: &'static [Named] = &[
        ("touch.x", "m"),
        ("touch.y", "m"),
        ("touch.z", "m"),
        ("touch.nx", "1"),
        ("touch.ny", "1"),
        ("touch.nz", "1"),
    ];

    fn len(&self) -> usize {
        self.elements.len() + self.crowd.as_ref().map_or(0, |crowd| crowd.laws())
    }

    fn has_pieces(&self) -> bool {
        self.elements.iter().any(Element::has_pieces)
    }

    fn pieces(&self, at: &Configuration, pieces: &mut [u32]) {
        for (element, piece) in self.elements.iter().zip(pieces) {
            *piece = element.number(at);
        }
    }

    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        // of laws between groups the pairs are asked, not the law
        g_N[self.elements.len()..].fill(f64::INFINITY);
        for (i, (element, gap)) in self.elements.iter().zip(g_N).enumerate() {
            *gap = element.gap(at, at.piece(i));
        }
    }

    fn candidates(&self, at: &Configuration, reach: f64, out: &mut Candidates) {
        (0..self.elements.len()).for_each(|law| out.push(ContactId::only(law)));
        if let Some(crowd) = &self.crowd {
            crowd.list(at, reach, out);
        }
    }

    fn gaps_among(&self, at: &Configuration, among: &Candidates, g_N: &mut [f64]) {
        for (&id, gap) in among.ids().iter().zip(g_N) {
            *gap = match self.stays(id) {
                Ok(i) => self.elements[i].gap(at, at.piece(i)),
                Err(crowd) => crowd.gap(at, id),
            };
        }
    }

    fn directions_among(&self, at: &Configuration, among: &Candidates, active: &[usize], W: &mut Directions) {
        for id in active.iter().map(|&contact| among.id(contact)) {
            match self.stays(id) {
                Ok(i) => self.elements[i].directions(at, at.piece(i), self.resists[i], W),
                Err(crowd) => crowd.directions(at, id, W),
            }
        }
    }

    fn bias_among(&self, at: &Configuration, among: &Candidates, active: &[usize], bias: &mut [f64]) {
        let mut row = 0;
        for id in active.iter().map(|&contact| among.id(contact)) {
            let from = row;
            match self.stays(id) {
                Ok(i) => {
                    row += self.elements[i].rows() + self.resists[i].dim();
                    self.elements[i].bias(at, at.piece(i), self.resists[i], &mut bias[from..row]);
                }
                Err(crowd) => {
                    row += crowd.rows(id);
                    crowd.bias(at, id, &mut bias[from..row]);
                }
            }
        }
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        for &i in active {
            self.elements[i].directions(at, at.piece(i), self.resists[i], W);
        }
    }

    fn bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let mut row = 0;
        for &i in active {
            let resists = self.resists[i];
            let rows = self.elements[i].rows() + resists.dim();
            self.elements[i].bias(at, at.piece(i), resists, &mut bias[row..row + rows]);
            row += rows;
        }
    }

    fn tangents(&self, at: &Configuration, active: &[usize], out: &mut Vec<[[f64; 3]; 2]>) {
        out.extend(active.iter().map(|&i| self.elements[i].tangents(at, at.piece(i))));
    }

    fn named_gap(&self, at: &Configuration, first: usize) -> f64 {
        self.nearest_of(at, first).1
    }

    fn crossed(&self, at: &Configuration, gaps: &[f64], touching: f64) -> Vec<(usize, f64)> {
        let mut crossed = Vec::new();
        // the line of a capsule that runs through a box: neither its ends nor an edge says so
        for group in &self.named {
            let least = gaps[group.clone()].iter().copied().fold(f64::INFINITY, f64::min);
            if least > touching {
                let depths = self.elements[group.clone()].iter().filter_map(|element| match element {
                    Element::Cross(cross) => cross.buried(at),
                    _ => None,
                });
                let deepest = depths.fold(0.0, f64::max);
                if deepest > touching {
                    crossed.push((group.start, deepest));
                }
            }
        }
        crossed
    }

    fn overlaps(&self, at: &Configuration, touching: f64) -> Vec<(usize, [String; 2], f64)> {
        self.crowd.as_ref().map_or_else(Vec::new, |crowd| crowd.overlaps(at, touching))
    }

    fn placed(&self) -> impl Iterator<Item = usize> {
        self.first_placed()
    }

    fn places(&self, at: &Configuration, _: f64, out: &mut [f64]) {
        for (first, out) in self.first_placed().zip(out.chunks_mut(Self::TOUCH.len())) {
            let (nearest, _) = self.nearest_of(at, first);
            let touch = self.elements[nearest].spot(at, at.piece(nearest)).map(|[p, n]| {
                let n = n.map(|n| self.signs[nearest] * n);
                [p[0], p[1], p[2], n[0], n[1], n[2]]
            });
            out.copy_from_slice(&touch.unwrap_or([f64::NAN; 6]));
        }
    }
}
