//! No contacts.

use super::Contacts;
use crate::mechanics::Named;
use carom_dynamics::{Configuration, Directions};

#[derive(Clone, Debug, Default)]
pub struct SpaceContacts;

impl Contacts for SpaceContacts {
    const TOUCH: &'static [Named] = &[];
    fn len(&self) -> usize {
        0
    }
    fn has_pieces(&self) -> bool {
        false
    }
    fn pieces(&self, _: &Configuration, _: &mut [u32]) {}
    fn gaps(&self, _: &Configuration, _: &mut [f64]) {}
    fn directions(&self, _: &Configuration, _: &[usize], _: &mut Directions) {}
    fn bias(&self, _: &Configuration, _: &[usize], _: &mut [f64]) {}
    fn named_gap(&self, _: &Configuration, _: usize) -> f64 {
        f64::INFINITY
    }
    fn crossed(&self, _: &Configuration, _: &[f64], _: f64) -> Vec<(usize, f64)> {
        Vec::new()
    }
    fn placed(&self) -> impl Iterator<Item = usize> {
        std::iter::empty()
    }
    fn places(&self, _: &Configuration, _: f64, _: &mut [f64]) {}
}
