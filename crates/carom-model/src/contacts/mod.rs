//! Contacts: which places touch, and the rows they push along.
//!
//! What happens where two places touch in a point is one formula ([`touch`]); which point that is, is a matter of shapes, and
//! those of the plane are in [`plane`], those of space in [`space`].

mod plane;
pub(crate) mod space;
mod touch;

pub(crate) use plane::*;
pub(crate) use space::SpaceContacts;
pub(crate) use touch::ContactPoint;

use crate::mechanics::Named;
use carom_dynamics::{Candidates, Configuration, ContactId, Directions};
use std::fmt::Debug;

/// All contacts of a model, asked together: what is far apart is asked once.
pub trait Contacts: Clone + Debug + Default + Send + Sync {
    /// Where a contact acts and the direction of its normal, for pictures only.
    const TOUCH: &'static [Named];

    fn len(&self) -> usize;

    /// Whether any of them can come to another piece of its surface.
    fn has_pieces(&self) -> bool;

    /// The smooth pieces of the surfaces that the contacts are at.
    fn pieces(&self, at: &Configuration, pieces: &mut [u32]);

    /// g_N.
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]);

    /// W of some of them.
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions);

    /// The part of U̇ that contains no v', of some of them.
    fn bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]);

    /// The tangents of some of them, which rub in space; contacts of the plane have none.
    fn tangents(&self, at: &Configuration, active: &[usize], out: &mut Vec<[[f64; 3]; 2]>) {
        let _ = (at, active, out);
    }

    /// Lists what is within reach, where contacts come and go.
    fn candidates(&self, at: &Configuration, reach: f64, out: &mut Candidates) {
        let _ = (at, reach);
        (0..self.len()).for_each(|law| out.push(ContactId::only(law)));
    }

    /// g_N of what is listed.
    fn gaps_among(&self, at: &Configuration, among: &Candidates, g_N: &mut [f64]) {
        let _ = among;
        self.gaps(at, g_N);
    }

    /// W of some of what is listed.
    fn directions_among(&self, at: &Configuration, among: &Candidates, active: &[usize], W: &mut Directions) {
        let _ = among;
        self.directions(at, active, W);
    }

    /// The part of U̇ that contains no v', of some of what is listed.
    fn bias_among(&self, at: &Configuration, among: &Candidates, active: &[usize], bias: &mut [f64]) {
        let _ = among;
        self.bias(at, active, bias);
    }

    /// The gap under the name of a contact: the least of all contacts that have it.
    fn named_gap(&self, at: &Configuration, first: usize) -> f64;

    /// Contacts whose bodies reach across each other further than `touching` though no gap says so, and how far.
    fn crossed(&self, at: &Configuration, gaps: &[f64], touching: f64) -> Vec<(usize, f64)>;

    /// Pairs that come and go and overlap by more than `touching`: their law, their names and the depth, deepest first.
    fn overlaps(&self, at: &Configuration, touching: f64) -> Vec<(usize, [String; 2], f64)> {
        let _ = (at, touching);
        Vec::new()
    }

    /// Contacts that have a place.
    fn placed(&self) -> impl Iterator<Item = usize>;

    /// Their places as [`Self::TOUCH`] lists them, NaN where nothing faces what touches, and where a flexible boundary is
    /// further away than `reach`.
    fn places(&self, at: &Configuration, reach: f64, out: &mut [f64]);
}
