//! Methods for the smooth motion between events, behind one interface: step, error estimate, dense output, restart.
//!
//! A method advances a [`Knot`] by one step of a [`Motion`](crate::Motion) and estimates its error. It knows nothing of
//! events, of the choice of steps, or of what is recorded: the event-driven frame does that for all of them.

pub(crate) mod adams;
pub(crate) mod alpha;
pub(crate) mod bdf;
pub(crate) mod explicit;
pub(crate) mod hem5;
mod hermite;
mod newton;
pub(crate) mod phem56;
pub(crate) mod radau5;
pub(crate) mod symplectic;

pub use adams::Adams;
pub use alpha::Alpha;
pub use bdf::Bdf;
pub use explicit::RungeKutta;
pub use hem5::Hem5;
pub use hermite::{hermite, hermite_room, hermite_velocity};
pub use phem56::Phem56;
pub use radau5::Radau5;
pub use symplectic::Symplectic;

use crate::{Formulation, Motion, StepError, System};
use std::fmt::Debug;

/// Where a step begins or ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knot {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// The increment that led here from the knot before: q = q_before ⊕ delta.
    pub delta: Vec<f64>,
    /// v' that belongs to (t, q, v), by the form of index 1.
    pub a: Vec<f64>,
    /// λ that belongs to it, rows of the motion; room for all that any mode has.
    pub lambda: Vec<f64>,
}

impl Knot {
    /// With room for a motion.
    pub fn new(motion: &Motion) -> Self {
        let n = motion.nv();
        Self {
            t: 0.0,
            q: vec![0.0; motion.nq()],
            v: vec![0.0; n],
            delta: vec![0.0; n],
            a: vec![0.0; n],
            lambda: vec![0.0; motion.most_rows()],
        }
    }

    /// Becomes equal to another one, keeps the memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.delta.copy_from_slice(&other.delta);
        self.a.copy_from_slice(&other.a);
        self.lambda.copy_from_slice(&other.lambda);
    }
}

/// What a method says of a step it made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Error of the step in the measure of [`Motion::error`]; 0 where the method has none.
    pub error: f64,
    /// Newton iterations; 1 for an explicit step.
    pub iterations: usize,
}

/// Which derivative of Φ a method holds by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Φ = 0: index 3.
    Position,
    /// dΦ/dt = 0: index 2.
    Velocity,
    /// Φ = 0 and dΦ/dt = 0: index 2 in the form of Gear, Gupta and Leimkuhler.
    Both,
    /// d²Φ/dt² = 0: index 1.
    Acceleration,
}

/// A method with its options: what it is, and what makes its steps.
pub trait Method: Debug + Send + Sync {
    /// Name with parameters, for reports.
    fn describe(&self) -> String;

    /// Whether the estimate is of velocities too; if not, the frame adds them.
    fn sees_velocities(&self) -> bool {
        true
    }

    /// What it holds by itself; the rest drifts by its error.
    fn level(&self) -> Level;

    /// The forms of the equations that it takes, the usual one first.
    fn formulations(&self) -> &'static [Formulation];

    /// Takes another of these forms.
    fn set_formulation(&mut self, formulation: Formulation) {
        let _ = formulation;
    }

    /// Whether it begins after an event with accelerations that its step must resolve, or else makes energy.
    fn needs_resolved_impacts(&self) -> bool {
        false
    }

    /// Whether it takes friction in space, whose directions turn with v.
    fn takes_space(&self) -> bool {
        true
    }

    /// Whether a step depends on where it begins alone: only then does it have a spectrum of its own.
    fn is_one_step(&self) -> bool {
        true
    }

    /// Refuses a system that it is not made for, whatever its contacts do.
    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        let _ = system;
        Ok(())
    }

    /// What makes its steps along a motion, near a knot: sizes everything for all the rows that the motion may ever have. Refuses
    /// rows that it cannot go with. [`Integrator::restart`] begins.
    fn start(
        &self,
        system: &dyn System,
        motion: &Motion,
        near: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError>;

    /// The same, begun at a knot with its a and λ.
    fn begin(
        &self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
    ) -> Result<Box<dyn Integrator>, StepError> {
        let mut integrator = self.start(system, motion, from)?;
        integrator.restart(system, motion, from)?;
        Ok(integrator)
    }
}

/// A method at work.
pub trait Integrator: Debug + Send {
    /// k where the error estimate behaves like dt^k: the controller of the step takes its k-th root. 0: no estimate.
    fn exponent(&self) -> f64;

    /// None: the estimate is the error of the step, which may use its share dt/T of the accuracy. Otherwise the method goes on with
    /// the better of two results, and its estimate is larger than its error by about τ/dt, τ the time of the motion: then the
    /// estimate may be so many times τ/T of the accuracy.
    fn latitude(&self) -> Option<f64> {
        None
    }

    /// How much longer than the step before a step may be; one that is longer still begins anew.
    fn most_growth(&self) -> f64 {
        f64::INFINITY
    }

    /// Begins anew at a knot, with its a and λ: when the run begins and after every event. Allocates nothing.
    fn restart(&mut self, system: &dyn System, motion: &mut Motion, from: &Knot) -> Result<(), StepError>;

    /// One step from a knot. Fills t, q, v and delta of `to`; a and λ there are found by the frame. Nothing is remembered of
    /// a step until it is accepted, so it may be repeated with another dt.
    fn step(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        dt: f64,
        to: &mut Knot,
    ) -> Result<Estimate, StepError>;

    /// The step made last is accepted, and ends at `to`, with its a and λ; the frame may have projected it.
    fn accept(&mut self, from: &Knot, to: &Knot) {
        let _ = (from, to);
    }

    /// (q, v) at t + θ dt inside the step made last, 0 ≤ θ ≤ 1. Unless a method has better: quintic Hermite interpolation.
    #[allow(clippy::too_many_arguments)]
    fn inside(
        &mut self,
        system: &dyn System,
        motion: &mut Motion,
        from: &Knot,
        to: &Knot,
        theta: f64,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<(), StepError> {
        hermite(system, from, to, theta, q, v, motion.room());
        Ok(())
    }

    /// λ at t + θ dt as the method itself found it, for the price of a sum; whether it has any there.
    fn own_multipliers(&self, theta: f64, lambda: &mut [f64]) -> bool {
        let _ = (theta, lambda);
        false
    }
}

/// Accelerations A and multipliers L of a stage so that `base` + span A holds the rows evaluated last; M, h and the rows that push are
/// evaluated. `right` is room.
fn hold_rows(
    motion: &mut Motion,
    t: f64,
    (base, span): (&[f64], f64),
    right: &mut [f64],
    A: &mut [f64],
    L: &mut [f64],
) -> Result<(), StepError> {
    if !motion.factor() {
        return Err(StepError::Singular { t });
    }
    motion.velocities(base, right);
    let right = &mut right[..motion.rows()];
    for right in &mut *right {
        *right /= -span;
    }
    motion.respond(t, right, A, L)?;
    match A.iter().position(|a| !a.is_finite()) {
        Some(velocity) => Err(StepError::NotFinite { t, velocity }),
        None => Ok(()),
    }
}
