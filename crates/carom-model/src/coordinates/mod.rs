//! The same model in other coordinates.                                        [Haddouni2015] §1.1, §1.2.2.2
//!
//! A [`Model`](crate::Model) is written in absolute coordinates: place and angle of every body. [`Relative`], in space
//! [`SpaceRelative`], and [`Natural`] are systems that stand upon it: they know their own coordinates and how these move the absolute ones,
//!
//! ```text
//!   v = B(q) e,    v' = B e' + ν,   ν = Ḃ e                                                  [Haddouni2015] (1.43)
//! ```
//!
//! and ask the model for everything else. So forces, contacts, channels and energies are those of the model, and every
//! scheme and study runs on each of them without knowing.

mod articulated;
mod base;
mod kinematics;
mod natural;
mod relative;
mod rows;
mod space;
mod spanning;
mod start;
mod tangents;
mod tree;

pub use natural::Natural;
pub use relative::Relative;
pub use space::SpaceRelative;

use crate::geometry::plane::V2;
use carom_dynamics::{Complaint, Quantity};

/// A start that the coordinates cannot express: a joint of the tree is open, or its bodies move apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreachable {
    /// The body.
    pub body: String,
    /// The joint that holds it.
    pub joint: String,
    /// By how much.
    pub difference: f64,
    /// A length or an angle.
    pub quantity: Quantity,
    /// Whether it is the velocity that differs.
    pub of_velocity: bool,
}

impl Unreachable {
    /// In words.
    pub fn complaint(&self) -> Complaint {
        let what = if self.of_velocity { "velocity" } else { "place" };
        Complaint::new(format!(
            "in relative coordinates `{}` is held by the joint `{}`, but its {what} differs by {:.3e} {}",
            self.body,
            self.joint,
            self.difference,
            unit(self.quantity, self.of_velocity)
        ))
        .or("close the joint in the description, or use absolute coordinates")
        .about(&self.joint)
    }
}

impl std::fmt::Display for Unreachable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.complaint().fmt(f)
    }
}

impl std::error::Error for Unreachable {}

fn unit(quantity: Quantity, of_velocity: bool) -> &'static str {
    match (quantity, of_velocity) {
        (Quantity::Length, false) => "m",
        (Quantity::Length, true) => "m/s",
        (Quantity::Angle, false) => "rad",
        (Quantity::Angle, true) => "rad/s",
    }
}

/// Cuts the front of an array into pieces.
fn cut<const N: usize>(mut array: &mut [f64], sizes: [usize; N]) -> [&mut [f64]; N] {
    sizes.map(|size| {
        let (piece, rest) = std::mem::take(&mut array).split_at_mut(size);
        array = rest;
        piece
    })
}

/// The first two of three numbers.
fn planar(a: &[f64]) -> V2 {
    [a[0], a[1]]
}
