//! Rows of G between two rigid bodies, or one and the ground: the same as by [`Pair::entries`], with the rates in body axes from the
//! beginning.
//!
//! ```text
//!   x = e_i of a, y = e_j of b;   u = r_b − R_a,  l = A_bᵀ (r_b − R_b),   R the places of the bodies
//!   along   z = x·d     a: (−x, −A_aᵀu × x_a)        b: (x, l × A_bᵀx)            x_a = A_aᵀ x, y_b = A_bᵀ y never change
//!   dot     z = x·y     a: (0, x_a × A_aᵀy)          b: (0, −A_bᵀx × y_b)
//! ```

use super::framed::Pair;
use super::measure::Measure;
use crate::geometry::space::{M3, V3, axes_of, times, transposed_times};
use crate::geometry::{Geometry, Space, Vector, add, scale, sub};
use crate::place::{Carrier, Place};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::cross;

/// Two rigid bodies at one configuration; of the ground there is no first velocity.
pub(super) struct Rigid<'a> {
    pair: &'a Pair,
    first: [Option<usize>; 2],
    A: M3,
    B: M3,
    /// e_i of a, and in axes of b.
    x: M3,
    x_of_b: M3,
    /// A_aᵀ u.
    lever: V3,
}

impl<'a> Rigid<'a> {
    /// None where a body is no rigid one.
    #[inline]
    pub fn new(pair: &'a Pair, at: &Configuration) -> Option<Self> {
        let first = |place: &Place<Space>| match &place.carrier {
            Carrier::Ground => Some(None),
            Carrier::Rigid(first) => Some(Some(first.v as usize)),
            Carrier::Point(_) | Carrier::Shapes(_) => None,
        };
        let (place_a, place_b) = (pair.a.place(), pair.b.place());
        let first = [first(place_a)?, first(place_b)?];
        let (a, b) = (place_a.frame(at), place_b.frame(at));
        let (A, B) = (axes_of(&a), axes_of(&b));
        let x = pair.a.held().map(|e| times(&A, e));
        let x_of_b = if first[1].is_some() { x.map(|x| transposed_times(&B, x)) } else { x };
        let lever = match first[0] {
            Some(_) => {
                let r_b = add(Space::origin(&b), times(&B, pair.b.marker.local));
                transposed_times(&A, sub(r_b, Space::origin(&a)))
            }
            None => V3::ZERO,
        };
        Some(Self { pair, first, A, B, x, x_of_b, lever })
    }

    /// Entries of sign · ż; false if this measure is none of these two.
    #[inline]
    pub fn row(&self, sign: f64, measure: Measure, mut entry: impl FnMut(usize, f64)) -> bool {
        let mut put = |first: usize, x: V3| (0..3).for_each(|i| entry(first + i, x[i]));
        let (a, b) = (&self.pair.a, &self.pair.b);
        match measure {
            Measure::Along(i) => {
                if let Some(v) = self.first[0] {
                    put(v, scale(-sign, self.x[i]));
                    put(v + 3, scale(-sign, cross(self.lever, a.held()[i])));
                }
                if let Some(v) = self.first[1] {
                    put(v, scale(sign, self.x[i]));
                    put(v + 3, scale(sign, cross(b.marker.local, self.x_of_b[i])));
                }
            }
            Measure::Dot(i, j) => {
                if let Some(v) = self.first[0] {
                    let y = transposed_times(&self.A, times(&self.B, b.held()[j]));
                    put(v + 3, scale(sign, cross(a.held()[i], y)));
                }
                if let Some(v) = self.first[1] {
                    put(v + 3, scale(-sign, cross(self.x_of_b[i], b.held()[j])));
                }
            }
            Measure::Angle => return false,
        }
        true
    }
}
