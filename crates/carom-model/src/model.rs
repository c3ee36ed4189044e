//! A planar mechanism, checked and compiled.
//!
//! ```text
//!   q = (x, y, φ) of the centre of mass of each rigid body, (x, y) of each point mass, in order;   v = q̇
//!   M diagonal and constant
//! ```

use crate::build::Builder;
use crate::contacts::{self, Path};
use crate::description::{Description, Simulation};
use crate::error::ModelError;
use crate::expression::{Formula, Jet};
use crate::freedom::Freedom;
use crate::marker::{Place, SLOT};
use crate::outline::Outline;
use crate::{forces, joints};
use carom_dynamics::{Configuration, ConstraintInfo, ContactInfo};
use std::ops::Range;

/// A planar mechanism as a [`System`](carom_dynamics::System).
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) title: String,
    pub(crate) simulation: Simulation,
    pub(crate) bodies: Vec<Body>,
    /// Initial coordinates and velocities as described, before assembly.
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// Diagonal of M.
    pub(crate) mass: Vec<f64>,
    /// Gravity's part of h, which never changes.
    pub(crate) weight: Vec<f64>,
    /// Joint elements with the first of their rows.
    pub(crate) joints: Vec<(u32, joints::Element)>,
    /// Joints that know time, by number.
    pub(crate) driven: Vec<usize>,
    pub(crate) constraint_info: Vec<ConstraintInfo>,
    pub(crate) forces: Vec<forces::Element>,
    /// Entries of K and C, each once, and for each entry that the forces write the place in that list.
    pub(crate) tangent: Vec<(u32, u32)>,
    pub(crate) scatter: Vec<u32>,
    pub(crate) contacts: Vec<contacts::Element>,
    pub(crate) contact_info: Vec<ContactInfo>,
    /// Where in the description each contact comes from.
    pub(crate) contact_path: Vec<Vec<String>>,
    pub(crate) paths: Vec<Path>,
    /// Functions of time; their jets follow the slots of the bodies in `derived`.
    pub(crate) formulas: Vec<Formula>,
    pub(crate) outlines: Vec<Outline>,
    pub(crate) length_scale: f64,
}

/// A moving body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub name: String,
    pub place: Place,
}

/// A number or a function of time, evaluated once per configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Signal {
    Constant(f64),
    /// Where in `derived` its jet stands.
    Derived(u32),
}

impl Signal {
    #[inline]
    pub fn jet(&self, at: &Configuration) -> Jet {
        match *self {
            Signal::Constant(value) => Jet::constant(value),
            Signal::Derived(from) => {
                let d = &at.derived()[from as usize..from as usize + 3];
                Jet { value: d[0], first: d[1], second: d[2] }
            }
        }
    }
}

impl Model {
    /// Checks a description and builds it; the first thing that is wrong is the error.
    pub fn new(description: &Description) -> Result<Self, ModelError> {
        Self::build(description).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Checks a description and builds it; the error is a list, never empty, of all that is wrong.
    pub fn build(description: &Description) -> Result<Self, Vec<ModelError>> {
        Builder::new(description).build()
    }

    /// One line for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// How the description wants it to be run.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Coordinates at the start as described, before assembly.
    pub fn described_position(&self) -> &[f64] {
        &self.q
    }

    /// Velocities at the start as described, before assembly.
    pub fn described_velocity(&self) -> &[f64] {
        &self.v
    }

    /// Names of the moving bodies, in order.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|b| b.name.as_str())
    }

    /// Where the coordinates of a body are in q and v.
    pub fn coordinates_of(&self, body: &str) -> Option<Range<usize>> {
        let body = self.bodies.iter().find(|b| b.name == body)?;
        let from = body.place.v as usize;
        Some(from..from + body.place.dofs as usize)
    }

    /// Mass in kg of every body, in order.
    pub fn masses(&self) -> impl Iterator<Item = (&str, f64)> {
        self.bodies.iter().map(|b| (b.name.as_str(), self.mass[b.place.v as usize]))
    }

    /// What to draw: an outline for every body in its own frame, ground last.
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// Degrees of freedom and redundant constraints at the coordinates given, usually those of the assembly.
    pub fn freedom(&self, q: &[f64]) -> Freedom {
        crate::freedom::freedom(self, q)
    }

    /// Where in `derived` the jet of formula `i` stands.
    pub(crate) fn formula_place(&self, i: usize) -> usize {
        SLOT * (self.bodies.len() + 1) + 3 * i
    }
}
