//! Event-driven integration: a method for the smooth motion, events located, contacts settled, restart.  [Haddouni2015] §2.1.1
//!
//! ```text
//!   step      (q, v) → (q, v) by a method, dt from its error estimate:  e ≤ accuracy · dt/T  or  accuracy · min(1, ℓ τ/T)
//!   watch     does a sign change inside? the first one is located on the Hermite polynomial; the step is made again, that long
//!   settle    impact, then accelerations decide what presses, sticks and slides; restart
//! ```
//!
//! Errors of steps add up, so a step of a run of length T may use its share dt/T of the accuracy. Methods that go on with the
//! better of two results have an estimate that is larger than their error by about τ/dt, τ the time in which the fastest goes as far
//! as the mechanism is large, or 1 rad: it is compared with τ/T, times ℓ, the latitude of the method. Where an estimate is of positions alone that of velocities is added:
//!
//! ```text
//!   e_v = v_{n+1} − v_n − dt (a_n + a_{n+1})/2 + dt³/6 a[t_{n−1}, t_n, t_{n+1}] = O(dt³)
//! ```
//!
//! Near a position in which joints are singular accelerations are noise, and no step is short enough: a step is taken there all the
//! same, and told ([`Advance::unmet`]), unless its error is far above the accuracy.
//!
//! The step that ends at an event is made anew instead of cut: its state then has the accuracy of the method, not that of an
//! interpolation, and nothing behind the event has had a say in it. Where a load switches the step ends a few units in the last
//! place before, and the next one begins as much behind: no stage sees the other side. Events closer to each other than the tolerance are settled
//! together. Rows of joints and of closed contacts are projected in the metric of the mass after every step, unless told
//! otherwise: [Haddouni2015] (2.12), (2.13).

mod attempt;
mod event_functions;
mod hybrid;
mod impact_and_modes;
mod locate;
mod options;
mod records;
mod scheme;
mod step_control;
mod workspace;

pub use options::FrameOptions;
pub use scheme::EventDriven;

pub(crate) use hybrid::HYBRID;
pub(crate) use options::{BAUMGARTE, EVENT_TOLERANCE, LEAST_STEP, MOST_STEP, PROJECTION, REST};

use crate::methods::{Integrator, Knot, Level, Method};
use crate::stepping::{Advance, Control, EventRecord, OwnSteps, Work, drive};
use crate::{
    ContactMode, ContactStage, Drift, EventKind, StartError, State, StepError, StepReport, Stepper, System,
};
use attempt::Tries;
use event_functions::{Found, Watched};
use impact_and_modes::{Cause, Rest};
use records::{changes, hits, plain};
use step_control::StepControl;
use workspace::Workspace;

/// Longest step unless told otherwise, relative to the run: something may come and go inside a step without being seen.
const USUAL_MOST: f64 = 0.05;
/// Shortest step unless told otherwise, relative to the run.
const USUAL_LEAST: f64 = 1e-10;
/// Tolerance on the times of events unless told otherwise, relative to the run.
const USUAL_TOLERANCE: f64 = 1e-14;
/// Bounces that rise less than this part of the length cannot be told from round-off: gaps are known to a quarter of it.
const GRAIN: f64 = 4.0 * crate::GAP_ROUND_OFF;
/// The accuracy that takes its place where steps have one size.
const REST_ACCURACY: f64 = 1e-10;
/// What slides in space slower than this part of accuracy · fastest has no direction of its own; not less than the other, of the fastest.
const UNSTEADY: f64 = 1e-2;
const UNSTEADY_LEAST: f64 = 1e-12;
/// Steps in which something slides in space are at most so many times as long as it takes to stop or turn: a method that goes far beyond
/// makes directions of noise.
const STRAIGHT: f64 = 1.2;
/// Times that differ by this many units in the last place are different to a configuration.
const ANOTHER_TIME: f64 = 16.0;
/// A rest of the way shorter than this part of a step is added to the step.
const SLIVER: f64 = 1e-3;

/// A method in the frame of events, at work.
#[derive(Debug)]
struct Driven {
    /// Name of the method, for messages; what it holds by itself, and whether its estimate is of velocities too.
    name: String,
    level: Level,
    sees_velocities: bool,
    method: Box<dyn Integrator>,
    options: FrameOptions,
    control: Control,
    least: f64,
    most: f64,
    tolerance: f64,
    parts: Box<Workspace>,
    pace: StepControl,
    next_dt: f64,
    /// Size of the step before; 0 after a restart.
    made: f64,
    /// v' where it began.
    a_before: Vec<f64>,
    /// The accuracy bounds the error of each step.
    per_step: bool,
    /// Steps in a row with an error above what they may have.
    unmet: i32,
    cause: Cause,
    found: Option<Found>,
    happened: Vec<EventRecord>,
    /// The fastest approach in the last of the impacts (m/s).
    approach: f64,
    /// Model's own event that ends the run, once it happened.
    stops: Option<usize>,
    events_here: usize,
    /// Whether joints or surfaces are moved by prescribed motions.
    moves: bool,
    /// Modes before an event was resolved.
    before: Vec<ContactMode>,
    /// Where the state comes from elsewhere: contacts that were closed there, the height that what leaves has to rise above (m), and the
    /// velocity up to which those contacts are at rest (m/s).
    kept: Vec<usize>,
    catch: (f64, f64),
}

impl Driven {
    /// Puts a method into the frame, at a state.
    fn start(
        method: &dyn Method,
        options: FrameOptions,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Self, StepError> {
        let parts = Box::new(Workspace::new(system, stage, state, options.drift)?);
        let mut near = Knot::new(&parts.motion);
        near.t = state.t;
        near.q.copy_from_slice(&state.q);
        near.v.copy_from_slice(&state.v);
        let contacts = system.structure().sizes.contacts;
        let mut cause = Cause::default();
        cause.reserve(contacts);
        state.memory.clear();
        state.closed.clear();
        Ok(Self {
            name: method.describe(),
            level: method.level(),
            sees_velocities: method.sees_velocities(),
            method: method.start(system, &parts.motion, &near)?,
            options,
            control: Control { accuracy: None, step: 0.0, start: 0.0, end: 0.0 },
            least: 0.0,
            most: f64::INFINITY,
            tolerance: 0.0,
            parts,
            pace: StepControl::default(),
            next_dt: f64::INFINITY,
            made: 0.0,
            a_before: Vec::with_capacity(state.v.len()),
            per_step: false,
            unmet: 0,
            cause,
            found: None,
            happened: Vec::with_capacity(16),
            approach: 0.0,
            stops: None,
            events_here: 0,
            moves: false,
            before: Vec::with_capacity(contacts),
            kept: Vec::with_capacity(contacts),
            catch: (0.0, 0.0),
        })
    }

    /// Longest step (s).
    pub(crate) fn most(&self) -> f64 {
        self.most
    }

    /// Whether it goes on from a state, with the modes it has.
    fn is_at(&self, state: &State) -> bool {
        let now = &self.parts.now;
        now.t == state.t && now.q == state.q && now.v == state.v
    }

    /// Size of the step that will be tried next (s).
    pub(crate) fn next_dt(&self) -> f64 {
        self.next_dt
    }

    /// Power of dt in the error of the method.
    pub(crate) fn exponent(&self) -> f64 {
        self.method.exponent()
    }

    /// The event at the end of the step made last, before it is resolved, if it is an impact.
    pub(crate) fn ends_in_impact(&self) -> bool {
        !self.cause.closing.is_empty()
    }

    /// The fastest approach in the last of the impacts at the end of the step made last (m/s).
    pub(crate) fn approach(&self) -> f64 {
        self.approach
    }

    /// Forgets where it was: the next step begins by settling the state it is given. What leaves and rises less than `low` (m) is at
    /// rest, and so are contacts that were `closed` and are slower than `slow` (m/s).
    pub(crate) fn forget(&mut self, closed: impl Iterator<Item = usize>, low: f64, slow: f64) {
        self.kept.clear();
        self.kept.extend(closed);
        self.catch = (low, slow);
        self.parts.now.t = f64::NAN;
    }

    /// Counts the turns of a step that another scheme made.
    pub(crate) fn count_turns(&mut self, system: &dyn System, state: &State) {
        self.parts.watch.count_turns(system, state);
    }

    /// When something counts as at rest.
    fn rest(&self, system: &dyn System) -> Rest {
        let (length, accuracy) =
            (system.structure().length_scale, self.control.accuracy.unwrap_or(REST_ACCURACY));
        let grain = GRAIN * length;
        if self.options.rest == 0.0 {
            return Rest { height: 0.0, time: f64::NEG_INFINITY, catches: false, grain, slow: 0.0 };
        }
        let height = (self.options.rest * accuracy * length).max(grain);
        Rest { height, time: self.least, catches: false, grain, slow: 0.0 }
    }

    /// Takes a state that the steps did not lead to: the contacts are settled, the method begins anew.
    fn begin(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let mut rest = self.rest(system);
        rest.catches = true;
        let (low, slow) = std::mem::take(&mut self.catch);
        (rest.height, rest.slow) = (rest.height.max(low), slow);
        let parts = &mut *self.parts;
        let Workspace { motion, watch, settle, now, .. } = parts;
        now.t = state.t;
        now.q.copy_from_slice(&state.q);
        now.v.copy_from_slice(&state.v);
        now.a.fill(0.0);
        self.cause.clear();
        if system.structure().has_pieces {
            motion.pieces.clear();
            motion.pieces.resize(system.structure().sizes.contacts, crate::NEAREST);
        }
        // nothing is known of modes: everything open, and what touches is found
        motion.let_go();
        settle.accelerate(system, motion, now)?;
        self.cause.closing.append(&mut self.kept);
        settle.settle(system, stage, motion, now, &self.cause, rest)?;
        // what was closed already is pressed, not hit
        settle.hit.retain(|contact| !self.cause.closing.contains(contact));
        self.cause.clear();
        self.happened.extend(hits(state.t, &settle.hit, stage.records()));
        watch.arm(system, motion);
        watch.forget();
        // whoever led here may have left rows open a little
        if self.options.drift == Drift::Projection {
            parts.from.copy_from(&parts.now);
            parts.to.copy_from(&parts.now);
            parts.to.delta.fill(0.0);
            parts.complete(system, true, Level::Acceleration)?;
            parts.now.copy_from(&parts.to);
        }
        self.method.restart(system, &mut parts.motion, &parts.now)?;
        self.made = 0.0;
        state.q.copy_from_slice(&parts.now.q);
        state.v.copy_from_slice(&parts.now.v);
        parts.motion.write_forces(&parts.now.lambda, state);
        Ok(())
    }

    /// From just before a load switches to just after it: far enough that a configuration counts as another one.
    fn hop(&self, t: f64) -> f64 {
        (2.0 * self.tolerance).max(ANOTHER_TIME * f64::EPSILON * t.abs())
    }

    /// A step begins where the last one was resolved. Returns how long what slides in space may keep its direction.
    fn begin_step(&mut self, system: &dyn System) -> f64 {
        let Workspace { motion, watch, from, now, at, .. } = &mut *self.parts;
        from.copy_from(now);
        motion.see_positions(&from.q);
        motion.see_velocities(&from.v);
        let mut straight = f64::INFINITY;
        if motion.is_steered() {
            let slowest = UNSTEADY * self.control.accuracy.unwrap_or(REST_ACCURACY);
            let scale = motion.fastest() * system.structure().length_scale;
            motion.set_slowest(slowest.max(UNSTEADY_LEAST.max(motion.grain())) * scale);
            motion.place(system, from.t, &from.q, &from.v, at);
            motion.aim(system, at);
            straight = STRAIGHT * motion.turning_time(system, at, &from.a);
        }
        watch.begin(system, motion, from);
        straight
    }

    /// Takes the step that was made, of size dt: writes the state, the forces and the impulses of joints.
    fn commit(&mut self, system: &dyn System, state: &mut State, end: f64, dt: f64) {
        let parts = &mut *self.parts;
        let Workspace { motion, from, to, now, .. } = parts;
        // meets the end without a last bit to make up for
        if (end - to.t).abs() <= 4.0 * f64::EPSILON * end.abs() {
            to.t = end;
        }
        if dt > 0.0 {
            self.method.accept(from, to);
            self.made = dt;
            self.a_before.clear();
            self.a_before.extend_from_slice(&from.a);
        }
        now.copy_from(to);
        self.moves = motion.is_moved();
        for ((P, before), after) in state.P_b.iter_mut().zip(&from.lambda).zip(&to.lambda) {
            *P = 0.5 * dt * (before + after);
        }
        state.P.fill(0.0);
        state.t = to.t;
        state.q.copy_from_slice(&to.q);
        state.v.copy_from_slice(&to.v);
        motion.place(system, to.t, &to.q, &to.v, &mut parts.at);
        motion.look_at(system, &parts.at);
        motion.write_forces(&to.lambda, state);
    }
}

impl OwnSteps for Driven {
    fn bound_each_step(&mut self) {
        self.per_step = true;
    }

    fn control(&mut self, control: Control) -> Result<(), StartError> {
        let duration = control.end - control.start;
        let or = |given: f64, usual: f64| if given > 0.0 { given } else { usual * duration };
        self.least = or(self.options.least_step, USUAL_LEAST);
        // a step that is asked for is not cut unless a limit is asked for too
        self.most = match control.accuracy {
            None if self.options.most_step == 0.0 => f64::INFINITY,
            _ => or(self.options.most_step, USUAL_MOST),
        };
        if self.options.most_step == 0.0 {
            self.most = self.most.max(self.least);
        }
        in_order(self.least, self.most)?;
        self.tolerance = or(self.options.event_tolerance, USUAL_TOLERANCE);
        if control.accuracy.is_some() && self.method.exponent() == 0.0 {
            return Err(StartError::NoAccuracy {
                scheme: self.name.clone(),
                reason: "has no error estimate, so it cannot choose its steps",
                instead: "hem5",
            });
        }
        self.control = control;
        self.next_dt = if control.accuracy.is_some() { control.step } else { f64::INFINITY };
        Ok(())
    }

    fn advance(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        end: f64,
    ) -> Result<Advance, StepError> {
        stage.begin();
        self.happened.clear();
        self.parts.settle.joint_impulses.fill(0.0);
        self.found = None;
        self.cause.clear();
        if !self.is_at(state) {
            self.begin(system, stage, state)?;
        }
        let straight = self.begin_step(system);
        let mut tries = Tries::default();
        loop {
            let left = end - state.t;
            let mut dt = self.next_dt.min(self.most).min(left).min(straight.max(self.least));
            if left - dt < SLIVER * dt {
                dt = left;
            }
            if self.made > 0.0 && dt > (1.0 + SLIVER) * self.method.most_growth() * self.made {
                let parts = &mut *self.parts;
                self.method.restart(system, &mut parts.motion, &parts.from)?;
                self.made = 0.0;
            }
            if self.attempt(system, stage, state.t, dt, &mut tries)? {
                break;
            }
        }
        self.commit(system, state, end, tries.done.dt);
        Ok(tries.done)
    }

    fn inside(&mut self, system: &dyn System, t: f64, state: &mut State) -> Result<(), StepError> {
        let parts = &mut *self.parts;
        let Workspace { motion, from, to, at, x, lambda, .. } = parts;
        let theta = (t - from.t) / (to.t - from.t);
        self.method.inside(system, motion, from, to, theta, &mut state.q, &mut state.v)?;
        state.t = t;
        motion.place(system, t, &state.q, &state.v, at);
        if motion.rows() > 0 {
            motion.accelerations(system, at, x, lambda)?;
            motion.write_forces(lambda, state);
        }
        Ok(())
    }

    fn work(&mut self, system: &dyn System, from: f64, to: f64) -> Result<Work, StepError> {
        self.parts.work(system, from, to, self.moves)
    }

    fn resolve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let found = self.found.take();
        if let Some(Found { kind: Watched::Own(own), .. }) = found {
            self.happened.push(plain(state.t, EventKind::Event, own));
            if system.structure().events[own].stops {
                self.stops = Some(own);
            }
            // nothing of the motion changes: the method goes on
            return Ok(());
        }
        if let Some(Found { kind: Watched::Turn(contact), .. }) = found
            && self.parts.motion.kind(contact).dim() == 3
            && self.cause.ended.is_empty()
        {
            return Ok(());
        }
        let (rest, hop) = (self.rest(system), self.hop(state.t));
        let parts = &mut *self.parts;
        let Workspace { motion, watch, settle, now, .. } = parts;
        let earlier = stage.records().len();
        self.before.clear();
        self.before.extend_from_slice(motion.modes());
        if let Some(Found { kind: Watched::Switch(_), .. }) = found {
            now.t += 2.0 * hop;
            state.t = now.t;
        }
        settle.hold(system, motion, now)?;
        settle.settle(system, stage, motion, now, &self.cause, rest)?;
        watch.arm(system, motion);
        self.method.restart(system, motion, now)?;
        self.made = 0.0;
        state.v.copy_from_slice(&now.v);
        motion.write_forces(&now.lambda, state);
        // what changed, in words
        match found.map(|f| f.kind) {
            Some(Watched::Edge(contact)) => self.happened.push(plain(state.t, EventKind::Edge, contact)),
            Some(Watched::Switch(_)) => self.happened.push(plain(state.t, EventKind::Switch, usize::MAX)),
            _ => {}
        }
        // a contact that was closed already is pressed, not hit
        settle.hit.retain(|&contact| !self.before[contact].is_closed());
        let records = &stage.records()[earlier..];
        self.happened.extend(hits(state.t, &settle.hit, records));
        self.approach = settle.hit.iter().fold(0.0, |most: f64, &contact| {
            let last = records.iter().rev().find(|record| record.contact == contact);
            most.max(last.map_or(0.0, |record| record.U_minus[0].abs()))
        });
        let handed = |contact| self.cause.handed.iter().any(|&(from, ..)| from == contact);
        self.happened.extend(changes(state.t, &self.before, motion.modes(), handed));
        Ok(())
    }

    fn happened(&self) -> &[EventRecord] {
        &self.happened
    }

    fn modes(&self) -> &[ContactMode] {
        self.parts.motion.modes()
    }

    fn joint_impulses(&self) -> &[f64] {
        &self.parts.settle.joint_impulses
    }

    fn stopped_by(&self) -> Option<usize> {
        self.stops
    }
}

/// Whether the shortest step is not longer than the longest.
fn in_order(least: f64, most: f64) -> Result<(), StartError> {
    if least <= most { Ok(()) } else { Err(StartError::Limits { least, most }) }
}

impl Stepper for Driven {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        // one step of the method, in parts where something happens
        if self.control.end <= self.control.start {
            self.least = USUAL_LEAST * dt;
            self.tolerance = USUAL_TOLERANCE * dt;
        }
        // a failure is told, not mended by smaller steps
        let least = std::mem::replace(&mut self.least, dt);
        let outcome = drive(self, system, stage, state, state.t + dt);
        self.least = least;
        outcome
    }

    fn factorisations(&self) -> usize {
        self.parts.motion.factorisations()
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        Some(self)
    }
}
