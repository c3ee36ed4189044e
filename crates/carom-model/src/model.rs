//! A mechanism, checked and compiled.
//!
//! ```text
//!   q   in the plane (x, y, φ) of the centre of mass of each rigid body, (x, y) of each point mass, the coordinates of each
//!       flexible body, in order;   v = q̇
//!   q   in space (x, y, z) and a unit quaternion, or (x, y, z);   v = (ẋ, ẏ, ż) and the angular velocity in body axes
//!   M   block-diagonal: a diagonal for rigid bodies (in space with products of inertia), a block for each flexible one
//! ```

use crate::bodies::{Flexible, Local};
use crate::build::{Builder, SpaceBuilder};
use crate::description::{Description, Simulation, space};
use crate::error::ModelError;
use crate::events::Event;
use crate::expression::{Formula, Jet};
use crate::freedom::Freedom;
use crate::geometry::{Plane, Space, Vector, add, scale};
use crate::mechanics::Mechanics;
use crate::place::{Carried, Marker, Place};
use crate::system::recorded;
use carom_dynamics::{Configuration, Structure};
use std::ops::Range;
use std::sync::Arc;

/// A mechanism as a [`System`](carom_dynamics::System), planar unless said otherwise.
#[derive(Clone, Debug)]
pub struct Model<S: Mechanics = Plane> {
    pub(crate) title: String,
    pub(crate) simulation: Simulation,
    /// Sizes, patterns, names, laws and channels; complete when the model is.
    pub(crate) structure: Structure,
    pub(crate) bodies: Vec<Body<S>>,
    /// Numbers of those that are flexible.
    pub(crate) flexible_at: Vec<usize>,
    /// Initial coordinates and velocities as described, before assembly.
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    /// Diagonal of M at the start.
    pub(crate) mass: Vec<f64>,
    /// Values of M at the start; those of rigid bodies never change.
    pub(crate) mass_values: Vec<f64>,
    /// Products of inertia of rigid bodies: entries of M beside its diagonal, below it.
    pub(crate) products: Vec<(u32, u32, f64)>,
    /// Gravity's part of h, which never changes.
    pub(crate) weight: Vec<f64>,
    /// Joint elements with the first of their rows.
    pub(crate) joints: Vec<(u32, S::Joint)>,
    /// What is recorded of joints: the name of each and a coordinate of it.
    pub(crate) measured: Vec<(String, S::Coordinate)>,
    /// Joints that know time, by number.
    pub(crate) driven: Vec<usize>,
    pub(crate) forces: Vec<S::Force>,
    /// For each entry of K and C that the forces write its place in the pattern, where those of flexible bodies are first.
    pub(crate) scatter: Vec<u32>,
    pub(crate) contacts: S::Contacts,
    /// Pairs of toothed wheels, as they are recorded.
    pub(crate) gears: Vec<crate::gear::Told<S>>,
    /// Where in the description each contact comes from.
    pub(crate) contact_path: Vec<Vec<String>>,
    /// Functions of time, each with the place of its jet in `derived`.
    pub(crate) formulas: Vec<(u32, Formula)>,
    /// Functions of time whose sign tells on which side of a kink or jump the formulas are.
    pub(crate) switches: Vec<Formula>,
    /// The model's own events.
    pub(crate) events: Vec<Event<S>>,
    /// Measured joints whose angle events know, in the order of [`Structure::event_angles`].
    pub(crate) event_angles: Vec<usize>,
    /// Frames carried by shapes, each with its place in `derived`.
    pub(crate) carried: Vec<(u32, Arc<Carried<S>>)>,
    pub(crate) outlines: Vec<S::Outline>,
    pub(crate) layout: S::Layout,
}

/// A moving body.
#[derive(Clone, Debug)]
pub struct Body<S: Mechanics = Plane> {
    pub name: String,
    /// Its frame: of a flexible body the floating frame, or that of its first end.
    pub place: Place<S>,
    /// Its coordinates and its velocities.
    pub q: Range<usize>,
    pub v: Range<usize>,
    /// Its named points, if it is rigid.
    pub points: Vec<(String, Marker<S>)>,
    pub flexible: Option<Flexibility<S>>,
}

/// What a flexible body is, and where its things are.
#[derive(Clone, Debug)]
pub struct Flexibility<S: Mechanics = Plane> {
    pub body: Arc<dyn Flexible<S>>,
    /// Its entries of M, of the tangents, its derived numbers.
    pub mass: Range<usize>,
    pub tangent: Range<usize>,
    pub derived: Range<usize>,
    /// Its named points.
    pub points: Vec<(String, Place<S>)>,
    /// Points to draw; asked at samples only, so nothing of them is derived.
    pub shape: Vec<Carried<S>>,
    /// Whether the body can tell the stress there.
    pub knows_stress: bool,
    pub outputs: usize,
}

impl<S: Mechanics> Body<S> {
    /// Frames of a flexible body that are recorded, each with how many numbers of position and of rate.
    pub fn recorded<'a>(
        &'a self,
        flexibility: &'a Flexibility<S>,
    ) -> impl Iterator<Item = (&'a Place<S>, (usize, usize))> {
        let points = flexibility.points.iter().map(|(_, place)| (place, recorded(place)));
        std::iter::once((&self.place, S::RIGID)).chain(points)
    }

    /// What its flexible part may know.
    #[inline]
    pub fn local<'a>(&self, flexibility: &Flexibility<S>, at: &'a Configuration) -> Local<'a> {
        Local {
            q: &at.q()[self.q.clone()],
            v: &at.v[self.v.clone()],
            derived: &at.derived()[flexibility.derived.clone()],
        }
    }
}

/// A number or a function of time, evaluated once per configuration.
#[derive(Clone, Copy, Debug)]
pub enum Signal {
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
        Builder::<Plane>::new(description).build()
    }
}

impl Model<Space> {
    /// Checks a description in space and builds it; the first thing that is wrong is the error.
    pub fn in_space(description: &space::Description) -> Result<Self, ModelError> {
        Self::build_in_space(description).map_err(|mut errors| errors.swap_remove(0))
    }

    /// Checks a description in space and builds it; the error is a list, never empty, of all that is wrong.
    pub fn build_in_space(description: &space::Description) -> Result<Self, Vec<ModelError>> {
        if description.has_repeats() {
            let expanded = description.expanded().map_err(|error| vec![error])?;
            return SpaceBuilder::new(&expanded).build();
        }
        SpaceBuilder::new(description).build()
    }
}

impl<S: Mechanics> Model<S> {
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

    /// What deforms in the floating frame of a body, if it has one.
    pub fn elastic(&self, body: &str) -> Option<&S::Elastic> {
        let body = self.bodies.iter().find(|b| b.name == body)?;
        body.flexible.as_ref()?.body.elastic()
    }

    /// Where the coordinates of a body are in q.
    pub fn coordinates_of(&self, body: &str) -> Option<Range<usize>> {
        let body = self.bodies.iter().find(|b| b.name == body)?;
        Some(body.q.clone())
    }

    /// Mass in kg of every body, in order.
    pub fn masses(&self) -> impl Iterator<Item = (&str, f64)> {
        let mass = |b: &Body<S>| b.flexible.as_ref().map_or(self.mass[b.v.start], |f| f.body.total_mass());
        self.bodies.iter().map(move |b| (b.name.as_str(), mass(b)))
    }

    /// Centre of mass of the whole at the coordinates given; none where a body deforms, and its centre with it.
    pub fn centre_of_mass(&self, q: &[f64]) -> Option<S::V> {
        let (mut mass, mut centre) = (0.0, S::V::ZERO);
        for body in &self.bodies {
            if body.flexible.is_some() {
                return None;
            }
            let m = self.mass[body.v.start];
            mass += m;
            centre = add(centre, scale(m, S::V::read(&q[body.q.start..])));
        }
        Some(scale(1.0 / mass, centre))
    }

    /// What to draw: an outline for every body in its own frame, ground last.
    pub fn outlines(&self) -> &[S::Outline] {
        &self.outlines
    }

    /// Where bodies, joints, forces and contacts are attached, by name.
    pub fn layout(&self) -> &S::Layout {
        &self.layout
    }

    /// What is doubtful about the teeth of gears: the pair, what it is, what would help.
    pub fn doubtful_gears(&self) -> Vec<(&str, String, String)> {
        self.gears
            .iter()
            .flat_map(|gear| {
                let doubts = gear.doubts();
                doubts.into_iter().map(move |(what, help)| (gear.name.as_str(), what, help))
            })
            .collect()
    }

    /// Degrees of freedom and redundant constraints at the coordinates given, usually those of the assembly.
    pub fn freedom(&self, q: &[f64]) -> Freedom {
        crate::freedom::freedom(self, q)
    }

    /// Flexible bodies.
    pub(crate) fn flexible(&self) -> impl Iterator<Item = (&Body<S>, &Flexibility<S>)> {
        let known = |i: &usize| {
            let body = &self.bodies[*i];
            body.flexible.as_ref().map(|flexible| (body, flexible))
        };
        self.flexible_at.iter().filter_map(known)
    }

    /// Makes room for `n` derived numbers and says where.
    pub(crate) fn room(&mut self, n: usize) -> u32 {
        let from = self.structure.derived_len as u32;
        self.structure.derived_len += n;
        from
    }
}
