//! Toothed wheels: involute geometry, stiffness of teeth, and two wheels on bodies of a model.
//!
//! Levels of one pair on the same geometry: flanks that push without giving way (`hard`: contacts with restitution and friction),
//! and flanks on springs (`spring`: a force). What is ideal, without play, is the joint `gear`.

mod doubts;
mod geometry;
mod involute;
mod mesh;
mod outline;
mod pair;
mod stiffness;
#[cfg(test)]
mod tests;

pub(crate) use geometry::{Geometry, Given, Teeth};

pub(crate) use mesh::{Mesh, Slice, Springs};
pub(crate) use outline::outline;
pub(crate) use pair::{Pair, Seat};
pub(crate) use stiffness::Parabola;

use crate::geometry::Geometry as Algebra;
use carom_dynamics::{Configuration, Directions, Power};
use std::sync::Arc;

/// Flanks on springs.
#[derive(Clone, Debug)]
pub struct Sprung<S: Algebra> {
    pub pair: Arc<Pair<S>>,
    pub springs: Springs,
}

/// Flanks of one side that do not give way.
#[derive(Clone, Debug)]
pub struct Flank<S: Algebra> {
    pub pair: Arc<Pair<S>>,
    /// σ.
    pub side: f64,
    /// How several pairs share the load, where they rub.
    pub rubs: Option<Parabola>,
}

impl<S: Algebra> Sprung<S> {
    pub fn add(&self, at: &Configuration, h: &mut [f64]) {
        self.pair.push(at, &self.springs, h);
    }

    pub fn tangents(&self, at: &Configuration, entry: impl FnMut(usize, usize, f64, f64)) {
        self.pair.tangents(at, &self.springs, entry);
    }

    pub fn strain(&self, at: &Configuration) -> f64 {
        self.pair.told(at, &self.springs).strain
    }

    pub fn power(&self, at: &Configuration, power: &mut Power) {
        power.damping -= self.pair.told(at, &self.springs).loss;
    }

    pub fn has_power(&self) -> bool {
        self.springs.damping > 0.0 || self.springs.friction > 0.0
    }
}

impl<S: Algebra> Flank<S> {
    pub fn rows(&self) -> usize {
        1 + usize::from(self.rubs.is_some())
    }

    pub fn gap(&self, at: &Configuration) -> f64 {
        self.pair.gap(at, self.side)
    }

    pub fn directions(&self, at: &Configuration, W: &mut Directions) {
        self.pair.directions(at, self.side, self.rubs.as_ref(), W);
    }

    pub fn bias(&self, at: &Configuration, bias: &mut [f64]) {
        self.pair.bias(at, self.side, self.rubs.as_ref(), bias);
    }
}

/// What is recorded of a pair of wheels.
#[derive(Clone, Debug)]
pub struct Told<S: Algebra> {
    pub name: String,
    /// The wheels, as described.
    pub between: [String; 2],
    /// Distance of the centres at the start.
    pub distance: f64,
    pub pair: Arc<Pair<S>>,
    pub parabola: Parabola,
    /// Of flanks on springs.
    pub springs: Option<Springs>,
}

impl<S: Algebra> Told<S> {
    /// Names and units, in the order of [`Self::values`].
    pub fn channels(&self) -> &'static [(&'static str, &'static str)] {
        const ALL: &[(&str, &str)] = &[("error", "m"), ("pairs", "1"), ("position", "m"), ("force", "N")];
        if self.springs.is_some() { ALL } else { &ALL[..3] }
    }

    /// Transmission error Δ along the line of action; how many pairs of the nearer side are on the path; the place of the one
    /// nearest to the pitch point, seen from there; the normal force, positive where the flanks push by which a first wheel that
    /// turns positively drives.
    pub fn values(&self, at: &Configuration) -> [f64; 4] {
        let here = self.pair.here(at);
        let nearer = if here.delta < 0.0 { -1.0 } else { 1.0 };
        let (mut pairs, mut place) = (0.0, f64::NAN);
        self.pair.mesh.in_contact(
            &here,
            &self.parabola,
            &Slice { z: 0.0, share: 1.0, stretch: 0.0 },
            |xi, side, _| {
                if side == nearer {
                    pairs += 1.0;
                    if place.is_nan() || xi.abs() < f64::abs(place) {
                        place = xi;
                    }
                }
            },
        );
        let force = self.springs.as_ref().map_or(0.0, |springs| {
            let [forward, backward] = self.pair.told(at, springs).normal;
            forward - backward
        });
        [here.delta, pairs, place, force]
    }
}
