//! The same model in other coordinates.                                        [Haddouni2015] §1.1, §1.2.2.2
//!
//! A [`Model`](crate::Model) is written in absolute coordinates: place and angle of every body. [`Relative`] and [`Natural`] are
//! systems that stand upon it: they know their own coordinates and how these move the absolute ones,
//!
//! ```text
//!   v = B(q) e,    v' = B e' + ν,   ν = Ḃ e                                                  [Haddouni2015] (1.43)
//! ```
//!
//! and ask the model for everything else. So forces, contacts, channels and energies are those of the model, and every
//! scheme and study runs on either of the three without knowing.

mod articulated;
mod kinematics;
mod natural;
mod relative;
mod start;
mod tangents;
mod tree;
mod upon;

pub use natural::Natural;
pub use relative::Relative;

use crate::geometry::plane::V2;
use carom_dynamics::Quantity;

/// A start that the coordinates cannot express: a joint of the tree is open, or its bodies move apart.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "in relative coordinates `{body}` is held by the joint `{joint}`, but its {what} differs by {difference:.3e} {unit}; \
     close the joint in the description, or use absolute coordinates",
    what = if *.of_velocity { "velocity" } else { "place" },
    unit = unit(*.quantity, *.of_velocity)
)]
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
