//! What never changes of a mechanism, as plain data: how many coordinates, which entries are nonzero, what things are called.
//!
//! A system makes its [`Structure`] once and answers [`System::structure`](crate::System::structure) with it. A small one
//! writes what differs from the usual:
//!
//! ```
//! # use carom_dynamics::{Pattern, Sizes, Structure};
//! let sizes = Sizes { q: 1, v: 1, ..Sizes::default() };
//! let pattern = Pattern { mass: vec![(0, 0)], ..Pattern::default() };
//! let structure = Structure { mass_is_constant: true, ..Structure::new(sizes, pattern, 0.5) };
//! assert_eq!(structure.velocities[0].name, "velocity 0");
//! ```

use crate::channel::Channel;
use crate::chart::Rotation;
use crate::system::{ConstraintInfo, ContactInfo, EventInfo, Quantity};
use serde::Serialize;

/// Numbers of things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Coordinates q.
    pub q: usize,
    /// Velocities v.
    pub v: usize,
    /// Rows of Φ.
    pub constraints: usize,
    /// Contacts that may close, and joints that rub.
    pub contacts: usize,
}

/// Where the entries of M, of the tangents and of G stand. Order of the lists = order of the values.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    /// (row, column) of M with row ≥ column: the lower triangle, diagonal included for every v.
    pub mass: Vec<(u32, u32)>,
    /// (row, column) of K = −∂h/∂q and C = −∂h/∂v, any entries, each once. Empty: h depends on t alone.
    pub tangent: Vec<(u32, u32)>,
    /// (row of Φ, column of v) of G. An entry may come twice, where a joint has both ends on one body; the values then
    /// add up.
    pub jacobian: Vec<(u32, u32)>,
}

/// One velocity as a scheme sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VelocityInfo {
    /// Name of the thing it belongs to, for messages.
    pub name: String,
    /// What it moves: a length or an angle. Error estimates are scaled by it.
    pub quantity: Quantity,
}

/// How far something may come in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Length by which turning moves what may touch: its distance from the middle of its body at most (m).
    pub lever: f64,
    /// What forces add to the way of a step, where the velocities do not know it yet (m).
    pub margin: f64,
}

/// Everything about a mechanism that does not depend on where it is.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Sizes of everything.
    pub sizes: Sizes,
    /// Sparsity of M, K, C, G.
    pub pattern: Pattern,
    /// Length of [`Configuration::derived`](crate::Configuration::derived).
    pub derived_len: usize,
    /// Rotations in space among the coordinates, in order. Without any, positions live in a vector space: increments are
    /// added and δ' = v. Coordinates behind those that velocities move (branches of angles) follow from them.
    pub rotations: Vec<Rotation>,
    /// Whether M never changes.
    pub mass_is_constant: bool,
    /// Whether K and C never change: h is affine in the increments of q and in v, whatever it does with t. With a
    /// constant M the effective matrix is then factored once, and a step without joints needs no iteration.
    pub tangents_are_constant: bool,
    /// Whether h depends on q and v by what turning bodies resist with alone, −ω × J ω of `rotations`.
    pub gyroscopic: bool,
    /// Whether M moves with elastic bodies in floating frames: accelerations of two instants must not be added up then.
    pub floats: bool,
    /// The joints and their rows, in order of rows.
    pub constraints: Vec<ConstraintInfo>,
    /// The contacts, in order.
    pub contacts: Vec<ContactInfo>,
    /// Whether any contact can come to another piece of its surface; without it `pieces` is not asked.
    pub has_pieces: bool,
    /// How many functions of the configuration tell by their sign on which side of a kink or jump a load is.
    pub switches: usize,
    /// The model's own events.
    pub events: Vec<EventInfo>,
    /// Angles that those events know and that a configuration gives up to whole turns only, as the run begins.
    pub event_angles: Vec<f64>,
    /// Whether `power` can be other than zero; without it the audit does not ask.
    pub has_power: bool,
    /// What to record of the motion itself, in the order `observe` writes it.
    pub channels: Vec<Channel>,
    /// Accelerations that are to be recorded, in the order `observe_accelerations` writes them, each with the number of the
    /// channel that is its velocity.
    pub accelerations: Vec<(Channel, usize)>,
    /// Name and kind of every velocity.
    pub velocities: Vec<VelocityInfo>,
    /// A length typical of the mechanism (m): what a tolerance on a gap or on Φ is relative to.
    pub length_scale: f64,
    /// Where contacts come and go: what decides how far one looks for them, if it is not the length scale.
    pub near: Option<Near>,
    /// The largest coordinate of anything that has a place (m), where it is more than the length scale: gaps and Φ have some ε of
    /// it as round-off. What the coordinates q themselves grow to is seen besides.
    pub far: f64,
}

impl Structure {
    /// With these sizes in a vector space, and nothing beyond: no names, no joints, no contacts, no channels.
    pub fn new(sizes: Sizes, pattern: Pattern, length_scale: f64) -> Self {
        let velocity = |i: usize| VelocityInfo { name: format!("velocity {i}"), quantity: Quantity::Length };
        Self {
            sizes,
            pattern,
            derived_len: 0,
            rotations: Vec::new(),
            mass_is_constant: false,
            tangents_are_constant: false,
            gyroscopic: false,
            floats: false,
            constraints: Vec::new(),
            contacts: Vec::new(),
            has_pieces: false,
            switches: 0,
            events: Vec::new(),
            event_angles: Vec::new(),
            has_power: false,
            channels: Vec::new(),
            accelerations: Vec::new(),
            velocities: (0..sizes.v).map(velocity).collect(),
            length_scale,
            near: None,
            far: length_scale,
        }
    }

    /// Whether positions live in a vector space, where all charts are trivial.
    pub fn is_flat(&self) -> bool {
        self.rotations.is_empty()
    }

    /// All velocities move angles.
    pub fn of_angles(mut self) -> Self {
        self.velocities.iter_mut().for_each(|v| v.quantity = Quantity::Angle);
        self
    }

    /// First row of each contact among the rows U of all contacts, and at last the number of rows.
    pub fn contact_rows(&self) -> Vec<usize> {
        let mut rows = vec![0];
        for contact in &self.contacts {
            rows.push(rows[rows.len() - 1] + contact.kind.dim());
        }
        rows
    }
}
