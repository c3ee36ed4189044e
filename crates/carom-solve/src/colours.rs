//! Sweeps by colour: contacts of one colour are not coupled, so threads may take them in any order.
//!
//! Each contact gets the smallest colour that none of its neighbours before it has. The problem is then copied colour by
//! colour, so the P of a colour is one stretch of memory: it is written in parts, everything before and after it is only
//! read. What a contact computes depends on nothing that its colour writes, so the answer has the same bits for
//! any number of threads. Sums over all contacts stay with one thread.

use crate::many::Many;
use crate::sweeps::{spatial, three};
use crate::{BlockMatrix, Law};
use rayon::prelude::*;

/// Contacts from which on threads are worth their while: a colour then takes longer than waking them.
pub(crate) const MANY: usize = 4000;
/// Contacts of a colour that a thread takes at a time.
const PART: usize = 64;

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
}

impl Colours {
    /// Whether a problem is one for threads: many contacts, all spatial.
    pub fn suit(view: &Many<'_>) -> bool {
        view.laws.len() >= MANY && view.laws.iter().all(|law| matches!(law, Law::SpatialCoulomb { .. }))
    }

    /// Colours the contacts and copies the problem.
    pub fn colour(&mut self, view: &Many<'_>, P: &[f64]) {
        let m = view.laws.len();
        let mut colour = vec![u32::MAX; m];
        let mut taken: Vec<usize> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        for c in 0..m {
            for &d in view.W.neighbours(c) {
                if let Some(mark) = taken.get_mut(colour[d as usize] as usize) {
                    *mark = c + 1;
                }
            }
            let free = taken.iter().position(|&mark| mark != c + 1).unwrap_or(taken.len());
            if free == taken.len() {
                taken.push(0);
                counts.push(0);
            }
            colour[c] = free as u32;
            counts[free] += 1;
        }
        self.start.clear();
        self.start.push(0);
        for count in &counts {
            self.start.push(self.start[self.start.len() - 1] + count);
        }
        let mut next = self.start.clone();
        self.order.resize(m, 0);
        let mut place = vec![0u32; m];
        for c in 0..m {
            let at = &mut next[colour[c] as usize];
            self.order[*at] = c as u32;
            place[c] = *at as u32;
            *at += 1;
        }
        self.W.copy_permuted(view.W, &self.order, &place);
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
        (Many { W, bodies: None, U_free, laws, w }, start, P)
    }

    /// Brings P back into the order it came in.
    pub fn write(&self, P: &mut [f64]) {
        for (at, &c) in self.order.iter().enumerate() {
            let c = c as usize;
            P[3 * c..3 * c + 3].copy_from_slice(&self.P[3 * at..3 * at + 3]);
        }
    }
}

/// One sweep over all colours, first to last or backwards.
pub(crate) fn sweep(view: &Many<'_>, start: &[usize], P: &mut [f64], backwards: bool) {
    let colours = start.len() - 1;
    for k in 0..colours {
        let k = if backwards { colours - 1 - k } else { k };
        let (from, to) = (start[k], start[k + 1]);
        let (before, rest) = P.split_at_mut(3 * from);
        let (own, after) = rest.split_at_mut(3 * (to - from));
        let (before, after) = (before.as_chunks::<3>().0, after.as_chunks::<3>().0);
        own.par_chunks_mut(3 * PART).enumerate().for_each(|(part, own)| {
            for (k, own) in own.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let c = from + PART * part + k;
                let mut U = three(&view.U_free[3 * c..3 * c + 3]);
                for (block, &column) in view.W.row_blocks_3(c) {
                    let d = column as usize;
                    let p = if d < from {
                        &before[d]
                    } else if d >= to {
                        &after[d - to]
                    } else {
                        // a colour has no coupled contacts: this is the contact itself
                        &*own
                    };
                    for i in 0..3 {
                        U[i] += block[3 * i] * p[0] + block[3 * i + 1] * p[1] + block[3 * i + 2] * p[2];
                    }
                }
                *own = spatial(view.laws[c].friction(), view.W.diagonal(c), U, *own);
            }
        });
    }
}
