//! Sweeps by colour: contacts of one colour are not coupled, so threads may take them in any order.
//!
//! Each contact gets the smallest colour that none of its neighbours before it has. The problem is then copied colour by
//! colour, so the P of a colour is one stretch of memory. New P are written beside the old ones and change places with
//! them when the colour is done: what a contact computes depends on nothing that its colour writes, and sums over contacts
//! are taken by halves that do not ask who takes them. So the answer has the same bits for any number of threads.

use crate::matrix::block_view::{Many, all_spatial};
use crate::solvers::gauss_seidel::update::{self, Change, TOGETHER};
use crate::{BlockMatrix, Law};
use std::ops::Range;

/// Contacts from which on threads are worth their while: a colour then takes longer than waking them.
pub(crate) const MANY: usize = 4000;

/// A problem in the order of its colours.
#[derive(Debug, Default)]
pub(crate) struct Colours {
    /// Contacts, colour by colour.
    order: Vec<u32>,
    /// First contact of each colour, then their number.
    start: Vec<usize>,
    W: BlockMatrix,
    U_free: Vec<f64>,
    laws: Vec<Law>,
    w: Vec<f64>,
    P: Vec<f64>,
    /// Colour of each contact, in the order given.
    colour: Vec<u32>,
    /// Place of each contact in `order`.
    place: Vec<u32>,
    /// By colour: the last contact, plus one, with a neighbour of that colour; then the place of its next contact.
    taken: Vec<usize>,
}

impl Colours {
    /// Whether a problem is one for threads.
    pub fn suit(view: &Many<'_>) -> bool {
        view.laws.len() >= MANY
    }

    /// Colours the contacts and copies the problem.
    pub fn colour(&mut self, view: &Many<'_>, P: &[f64]) {
        let m = view.laws.len();
        let Self { order, start, colour, place, taken, .. } = self;
        colour.clear();
        colour.resize(m, u32::MAX);
        taken.clear();
        // start[k + 1] counts colour k, then says where it ends
        start.clear();
        start.push(0);
        for c in 0..m {
            for &d in view.W.neighbours(c) {
                if let Some(mark) = taken.get_mut(colour[d as usize] as usize) {
                    *mark = c + 1;
                }
            }
            let free = taken.iter().position(|&mark| mark != c + 1).unwrap_or(taken.len());
            if free == taken.len() {
                taken.push(0);
                start.push(0);
            }
            colour[c] = free as u32;
            start[free + 1] += 1;
        }
        for k in 1..start.len() {
            start[k] += start[k - 1];
        }
        taken.clone_from(start);
        order.resize(m, 0);
        place.resize(m, 0);
        for c in 0..m {
            let at = &mut taken[colour[c] as usize];
            order[*at] = c as u32;
            place[c] = *at as u32;
            *at += 1;
        }
        self.W.copy_permuted(view.W, &self.order, &self.place);
        self.U_free.clear();
        self.laws.clear();
        self.w.clear();
        self.P.clear();
        for &c in &self.order {
            let rows = view.W.rows_of(c as usize);
            self.U_free.extend_from_slice(&view.U_free[rows.clone()]);
            self.P.extend_from_slice(&P[rows]);
            self.laws.push(view.laws[c as usize]);
            self.w.push(view.w[c as usize]);
        }
    }

    /// The copy, where its colours begin, and its P.
    pub fn parts(&mut self) -> (Many<'_>, &[usize], &mut [f64]) {
        let Self { start, W, U_free, laws, w, P, .. } = self;
        let all_spatial = all_spatial(laws);
        (Many { W, bodies: None, U_free, laws, w, all_spatial }, start, P)
    }

    /// Brings P back into the order it came in.
    pub fn write(&self, view: &Many<'_>, P: &mut [f64]) {
        for (at, &c) in self.order.iter().enumerate() {
            P[view.W.rows_of(c as usize)].copy_from_slice(&self.P[self.W.rows_of(at)]);
        }
    }
}

/// Does all of this on a thread of the pool: handing over every colour would cost more than sweeping it.
pub(crate) fn in_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| work())
}

/// Sweeps the contacts of one colour; P becomes x, `before` what P was.
pub(crate) fn sweep(
    view: &Many<'_>,
    omega: f64,
    contacts: Range<usize>,
    P: &mut [f64],
    before: &mut [f64],
) -> Change {
    let rows = view.W.rows_of(contacts.start).start..view.W.rows_of(contacts.end - 1).end;
    let new = &mut before[rows.clone()];
    let change = by_halves(view, omega, contacts, P, new);
    P[rows].swap_with_slice(new);
    change
}

/// Contacts of one colour by halves, which threads share; the halves are the same whoever takes them, and so are sums.
fn by_halves(view: &Many<'_>, omega: f64, contacts: Range<usize>, P: &[f64], new: &mut [f64]) -> Change {
    if contacts.len() <= TOGETHER {
        return update::uncoupled(view, omega, contacts, P, new);
    }
    let middle = contacts.start + (contacts.len() / 2).next_multiple_of(TOGETHER);
    let rows = view.W.rows_of(middle).start - view.W.rows_of(contacts.start).start;
    let (left, right) = new.split_at_mut(rows);
    let (a, b) = rayon::join(
        || by_halves(view, omega, contacts.start..middle, P, left),
        || by_halves(view, omega, middle..contacts.end, P, right),
    );
    a + b
}
