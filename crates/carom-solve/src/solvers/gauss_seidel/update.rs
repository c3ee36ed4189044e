//! A contact's turn in a sweep.
//!
//! ```text
//!   q = U_free,c + Σ_{d ≠ c} Ŵ_cd P_d,      x = exact answer to (Ŵ_cc, q),      P_c ← proj_K( P_c + ω (x − P_c) )
//! ```
//!
//! Contacts with three rows, of which large problems are made, have a way of their own; all others share the general one.
//! Contacts that are not coupled may be taken together by any thread. Each is finished before the next one begins: reading
//! all their rows first and answering them afterwards was slower by a sixth, because the processor fetches the next row
//! while it computes.

use crate::law::MOST_ROWS;
use crate::matrix::block_view::Many;
use crate::one_contact::{two_disks, warm};
use crate::{Bodies, Law};
use std::ops::{Add, Range};

/// Contacts that a thread takes at a time.
pub(crate) const TOGETHER: usize = 64;

/// How far P moved: (Σ w |x − P|², Σ w |x|²).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change {
    pub step: f64,
    pub size: f64,
}

impl Add for Change {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { step: self.step + other.step, size: self.size + other.size }
    }
}

impl Change {
    #[inline]
    fn of(w: f64, old: &[f64], new: &[f64]) -> Self {
        let (mut step, mut size) = (0.0, 0.0);
        for (old, new) in old.iter().zip(new) {
            step += (new - old) * (new - old);
            size += new * new;
        }
        Self { step: w * step, size: w * size }
    }
}

/// The new P of one contact, written into `new`, and how far it is from the old one.
#[inline]
pub(crate) fn contact(view: &Many<'_>, omega: f64, c: usize, P: &[f64], new: &mut [f64]) -> Change {
    if view.all_spatial {
        let (P, new) = (P.as_chunks::<3>().0, new.as_chunks_mut::<3>().0);
        let U = velocity_3(view, c, P);
        new[0] = answer_3(view, omega, c, U, &P[c]);
        return Change::of(view.w[c], &P[c], &new[0]);
    }
    general(view, omega, c, P, new)
}

/// The new P of contacts that are not coupled with each other, written into `new`.
pub(crate) fn uncoupled(
    view: &Many<'_>,
    omega: f64,
    contacts: Range<usize>,
    P: &[f64],
    new: &mut [f64],
) -> Change {
    let mut change = Change::default();
    if !view.all_spatial {
        let start = view.W.rows_of(contacts.start).start;
        for c in contacts {
            let rows = view.W.rows_of(c);
            change = change + general(view, omega, c, P, &mut new[rows.start - start..rows.end - start]);
        }
        return change;
    }
    let (P, new) = (P.as_chunks::<3>().0, new.as_chunks_mut::<3>().0);
    for (c, new) in contacts.zip(new) {
        let U = velocity_3(view, c, P);
        *new = answer_3(view, omega, c, U, &P[c]);
        change = change + Change::of(view.w[c], &P[c], new);
    }
    change
}

/// The velocity there is.
#[inline(always)]
fn velocity_3(view: &Many<'_>, c: usize, P: &[[f64; 3]]) -> [f64; 3] {
    view.W.row_velocity_3(c, view.U_free.as_chunks::<3>().0[c], P)
}

/// The new P from the velocity there is.
#[inline(always)]
fn answer_3(view: &Many<'_>, omega: f64, c: usize, U: [f64; 3], old: &[f64; 3]) -> [f64; 3] {
    let W = view.W.diagonal_3(c);
    let q = std::array::from_fn(|i| U[i] - (W[i][0] * old[0] + W[i][1] * old[1] + W[i][2] * old[2]));
    let law = &view.laws[c];
    let mut new = warm::spatial(law.friction(), W, q, *old);
    relax(law, omega, old, &mut new);
    new
}

/// Whatever law and neighbours a contact has.
fn general(view: &Many<'_>, omega: f64, c: usize, P: &[f64], new: &mut [f64]) -> Change {
    let rows = view.W.rows_of(c);
    let mut U = [0.0; MOST_ROWS];
    let U = &mut U[..rows.len()];
    U.copy_from_slice(&view.U_free[rows.clone()]);
    view.W.add_row_product(c, P, U);
    answer(view, omega, c, U, &P[rows], new)
}

/// The same where Ŵ is not formed: v = Gᵀ P is known and kept up to date.
pub(crate) fn over_bodies(
    view: &Many<'_>,
    bodies: &Bodies,
    omega: f64,
    c: usize,
    P: &[f64],
    new: &mut [f64],
    v: &mut [f64],
) -> Change {
    let rows = view.W.rows_of(c);
    let (mut U, mut step) = ([0.0; MOST_ROWS], [0.0; MOST_ROWS]);
    let (U, step) = (&mut U[..rows.len()], &mut step[..rows.len()]);
    U.copy_from_slice(&view.U_free[rows.clone()]);
    bodies.pull(c, v, U);
    let change = answer(view, omega, c, U, &P[rows.clone()], new);
    for ((step, new), old) in step.iter_mut().zip(new).zip(&P[rows]) {
        *step = *new - old;
    }
    bodies.push(c, step, v);
    change
}

/// The new P from the velocity U that there is.
fn answer(view: &Many<'_>, omega: f64, c: usize, U: &[f64], old: &[f64], new: &mut [f64]) -> Change {
    let (law, block, dim) = (&view.laws[c], view.W.diagonal(c), new.len());
    if law.has_two_disks() {
        two_disks::solve_from(law, block, U, old, new);
    } else {
        // the velocity without this contact's own P
        let (mut q, mut start) = ([0.0; 3], [0.0; 3]);
        start[..dim].copy_from_slice(old);
        for i in 0..dim {
            q[i] = U[i] - (0..dim).map(|j| block[i * dim + j] * old[j]).sum::<f64>();
        }
        new.copy_from_slice(&warm::solve(law, block, q, start)[..dim]);
    }
    relax(law, omega, old, new);
    Change::of(view.w[c], old, new)
}

/// x ← proj_K( P + ω (x − P) ).
#[inline(always)]
fn relax(law: &Law, omega: f64, old: &[f64], new: &mut [f64]) {
    if omega == 1.0 {
        return;
    }
    for (new, old) in new.iter_mut().zip(old) {
        *new = old + omega * (*new - old);
    }
    law.project(new);
}
