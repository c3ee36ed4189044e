//! One step that is tried: its error, what happens inside it, and where it ends if something does.
//!
//! ```text
//!   try    (q, v) → (q, v) by the method; e over what the step may have, [`Driven::ratio`]
//!   look   the first event inside                             a step that is refused is tried again, shorter
//!   end    the step made again so that the event is at its end
//!   next   the size of the step to come
//! ```

use super::event_functions::{Found, Watched};
use super::workspace::Workspace;
use super::{Driven, REST_ACCURACY, locate};
use crate::chart::leaves;
use crate::methods::hermite;
use crate::motion::in_space;
use crate::stepping::{Advance, Control};
use crate::{ContactMode, ContactStage, Drift, StepError, System};

/// Errors of a step below this, relative to the coordinates, are round-off.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;
/// So many tries in a row whose error does not fall with this power of dt meet noise; a step with an error of up to so many times the accuracy is
/// then taken, and told; ten times that where steps before it were, so many times at most; and the next one is so much longer.
const FLAT: usize = 3;
const FALLS: f64 = 1.5;
const NOISE: f64 = 100.0;
const MOST_TENFOLD: i32 = 4;
const OUT: f64 = 4.0;
/// A step before that is shorter than this part of a step is not used for its error.
const SHORT: f64 = 0.1;
/// Events that follow each other without any time passing.
const MOST_EVENTS: usize = 1000;
/// So many of them are taken as they come; then what sees them is taken for too coarse, and steps shrink until time goes on.
const PATIENCE: usize = 4;
/// A step that fails is repeated with this part of it.
const AFTER_FAILURE: f64 = 0.25;
/// Corrections of the length of a step that ends at an event.
const MOST_CORRECTIONS: usize = 8;
/// Gaps that close at one event: what is left of the others is less than this part of accuracy · length, which no step can tell
/// from nothing. The corners of a block that lands flat hit together, whatever the last bits of its angle.
const TOGETHER: f64 = 1e-2;
/// A moment after an event, relative to the step that led to it.
const MOMENT: f64 = 1e-9;
/// A moment before the end of a step, as a part of it: the slope of a function there.
const BACK: f64 = 1e-3;

/// The tries that one step takes.
#[derive(Debug, Default)]
pub(super) struct Tries {
    /// What is told of the step.
    pub done: Advance,
    /// The step became shorter than was meant, not by an event.
    shortened: bool,
    /// Size and error of the try before that was above what it may have, and how many in a row did not fall.
    before: Option<(f64, f64)>,
    flat: usize,
}

/// A step that was made and may be taken.
#[derive(Clone, Copy, Debug)]
struct Made {
    dt: f64,
    error: f64,
    ratio: f64,
}

impl Driven {
    /// Tries a step. False where it has to be tried again, with another `next_dt`.
    pub(super) fn attempt(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        t: f64,
        dt: f64,
        tries: &mut Tries,
    ) -> Result<bool, StepError> {
        let (error, iterations) = match self.try_step(system, dt) {
            Ok(made) => made,
            Err(failure) => {
                if AFTER_FAILURE * dt < self.least {
                    return Err(failure);
                }
                tries.done.retries += 1;
                tries.shortened = true;
                self.next_dt = AFTER_FAILURE * dt;
                return Ok(false);
            }
        };
        tries.done.report.newton_iterations += iterations;
        // of the step just made: methods of several steps begin with another one
        let growth = self.method.most_growth();
        let (found, ends) = self.look_inside(system, stage)?;
        let (ratio, exponent) = self.ratio(error, dt);
        let kink = found.is_some_and(|f| matches!(f.kind, Watched::Switch(_) | Watched::Edge(_)));
        let noise = self.is_noise((dt, error, ratio), tries);
        if ratio > 1.0 && !kink && !noise && dt > self.least {
            self.reject(dt, (ratio, exponent), tries);
            return Ok(false);
        }
        let mut made = Made { dt, error, ratio };
        if let Some(theta) = ends {
            made.dt = (theta * dt).max(self.tolerance);
            self.try_step(system, made.dt)?;
        }
        if let Some(found) = found {
            match self.go_to(system, (t, dt), found, tries)? {
                Some(there) => made = there,
                None => return Ok(false),
            }
            self.found = Some(found);
            self.name_cause(system, found);
        }
        tries.done.event = found.is_some() || ends.is_some();
        self.choose_next((t, dt), made, (exponent, growth), tries)?;
        Ok(true)
    }

    /// The first event inside the step made last; or, where reactions are not unique and their signs mean nothing, the part of it
    /// after which the contacts would not have it so any more.
    fn look_inside(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
    ) -> Result<(Option<Found>, Option<f64>), StepError> {
        let tolerance = self.tolerance;
        let redundant = self.parts.motion.is_redundant();
        let Workspace { motion, watch, settle, from, to, at, q, v, .. } = &mut *self.parts;
        let found = watch.find(system, motion, from, to, tolerance, !redundant)?;
        if !redundant {
            return Ok((found, None));
        }
        motion.place(system, to.t, &to.q, &to.v, at);
        if settle.agrees(system, stage, motion, at)? {
            return Ok((found, None));
        }
        let span = to.t - from.t;
        let theta = locate::locate((0.0, 1.0), (1.0, -1.0), tolerance / span, |theta| {
            hermite(system, from, to, theta, q, v, motion.room());
            motion.place(system, from.t + theta * span, q, v, at);
            Ok(if settle.agrees(system, stage, motion, at)? { 1.0 } else { -1.0 })
        })?;
        Ok(if found.is_none_or(|f| theta < f.theta) { (None, Some(theta)) } else { (found, None) })
    }

    /// Whether the error of a try is no error of the method, since it does not fall with dt: near singular joints it is noise of the
    /// accelerations.
    fn is_noise(&self, (dt, error, ratio): (f64, f64, f64), tries: &mut Tries) -> bool {
        if ratio > 1.0 {
            let falls =
                tries.before.is_none_or(|(dt_before, before)| error < before * (dt / dt_before).powf(FALLS));
            tries.flat = if falls { 0 } else { tries.flat + 1 };
            tries.before = Some((dt, error));
        }
        let most = NOISE * 10.0_f64.powi(self.unmet.min(MOST_TENFOLD));
        (tries.flat >= FLAT || self.unmet > 0)
            && self.control.accuracy.is_some_and(|accuracy| error <= most * accuracy)
    }

    /// The step is tried again, shorter.
    fn reject(&mut self, dt: f64, (ratio, exponent): (f64, f64), tries: &mut Tries) {
        tries.done.rejected += 1;
        self.next_dt = (dt * self.pace.rejected(ratio, exponent)).max(self.least);
        tries.shortened = true;
    }

    /// Ends the step of size dt from t where an event is; nothing where that has to be tried again.
    fn go_to(
        &mut self,
        system: &dyn System,
        (t, dt): (f64, f64),
        found: Found,
        tries: &mut Tries,
    ) -> Result<Option<Made>, StepError> {
        // a switch is left to be hopped over
        let first = if let Watched::Switch(_) = found.kind { self.hop(t) } else { 0.0 };
        if found.theta * dt <= first {
            // at once: nothing moved
            let parts = &mut *self.parts;
            parts.to.copy_from(&parts.from);
            parts.to.delta.fill(0.0);
            return Ok(Some(Made { dt: 0.0, error: 0.0, ratio: 0.0 }));
        }
        let (error, iterations, size) = self.end_at(system, found, dt)?;
        tries.done.report.newton_iterations += iterations;
        let (ratio, exponent) = self.ratio(error, size);
        // shorter every time, though the event may lie further than the step that found it
        if ratio > 1.0 && size.min(dt) > self.least {
            self.reject(size.min(dt), (ratio, exponent), tries);
            return Ok(None);
        }
        Ok(Some(Made { dt: size, error, ratio }))
    }

    /// The size of the next step: as long as this one would have been where an event cut it. `dt` was tried.
    fn choose_next(
        &mut self,
        (t, dt): (f64, f64),
        made: Made,
        (exponent, growth): (f64, f64),
        tries: &mut Tries,
    ) -> Result<(), StepError> {
        let event = tries.done.event;
        self.events_here = if event && made.dt <= self.tolerance { self.events_here + 1 } else { 0 };
        if self.events_here > MOST_EVENTS {
            return Err(StepError::Endless { t, events: MOST_EVENTS });
        }
        let above = made.ratio > 1.0;
        if self.events_here > PATIENCE {
            self.next_dt = (AFTER_FAILURE * dt).max(self.least);
        } else if self.control.accuracy.is_some() {
            if above {
                // out of there
                self.next_dt = OUT * made.dt;
            } else if !event {
                self.next_dt = (made.dt * self.pace.accepted(made.ratio, exponent, growth)).max(self.least);
            } else if !tries.shortened {
                self.next_dt = dt.max(self.least);
            }
        } else {
            self.next_dt = f64::INFINITY;
        }
        tries.done.dt = made.dt;
        tries.done.unmet = if above { made.error } else { 0.0 };
        self.unmet = if above { self.unmet + 1 } else { 0 };
        Ok(())
    }

    /// Error that a step may have: its share of the accuracy, not less than round-off; and the power of dt in it.
    fn allowed(&self, dt: f64) -> Option<(f64, f64)> {
        let Control { accuracy, start, end, .. } = self.control;
        let parts = &self.parts;
        let each = parts.from.q.iter().zip(&parts.weight_q);
        let largest = each.fold(1.0, |most: f64, (q, w)| most.max((q * w).abs()));
        let (share, power) = match self.method.latitude() {
            _ if self.per_step => (1.0, 0.0),
            None => (dt / (end - start), 1.0),
            // what does not move has all the time
            Some(latitude) => ((latitude / (parts.motion.fastest() * (end - start))).min(1.0), 0.0),
        };
        accuracy.map(|accuracy| {
            let (allowed, least) = (accuracy * share, ROUND_OFF * largest);
            if allowed > least { (allowed, power) } else { (least, 0.0) }
        })
    }

    /// Error of a step over what it may be, and how the ratio goes with dt.
    fn ratio(&self, error: f64, dt: f64) -> (f64, f64) {
        let k = self.method.exponent();
        self.allowed(dt).map_or((0.0, k), |(allowed, power)| (error / allowed, (k - power).max(1.0)))
    }

    /// Error of the velocities of the step made last, by the quadratic through three accelerations.
    fn error_of_velocities(&self) -> f64 {
        let Workspace { motion, from, to, .. } = &*self.parts;
        let (dt, before) = (to.t - from.t, self.made);
        // a sliver before says nothing of a curvature
        if before < SHORT * dt {
            return 0.0;
        }
        let e_v = |i: usize| {
            let (a, a_1) = (from.a[i], to.a[i]);
            let bend = ((a_1 - a) / dt - (a - self.a_before[i]) / before) / (dt + before);
            to.v[i] - from.v[i] - 0.5 * dt * (a + a_1) + dt.powi(3) / 6.0 * bend
        };
        motion.error(|_| 0.0, e_v)
    }

    /// One step of the method, with a and λ at its end, projected. Returns its error and iterations.
    fn try_step(&mut self, system: &dyn System, dt: f64) -> Result<(f64, usize), StepError> {
        let parts = &mut *self.parts;
        let Workspace { motion, from, to, .. } = parts;
        let estimate = self.method.step(system, motion, from, dt, to)?;
        if let Some(velocity) = to.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: from.t, velocity });
        }
        if let Some(velocity) = leaves(&system.structure().rotations, &to.delta, 1.0) {
            return Err(StepError::TurnsTooFar { t: from.t, velocity });
        }
        let project = self.options.drift == Drift::Projection;
        parts.complete(system, project, self.level)?;
        let more = match self.control.accuracy {
            Some(_) if !self.per_step && !self.sees_velocities => self.error_of_velocities(),
            _ => 0.0,
        };
        Ok((estimate.error + more, estimate.iterations))
    }

    /// Makes the step end where an event is; `theta` is a first guess of the part of the step made last. Returns its error,
    /// iterations and size.
    fn end_at(&mut self, system: &dyn System, found: Found, dt: f64) -> Result<(f64, usize, f64), StepError> {
        let mut dt = found.theta * dt;
        let mut iterations = 0;
        if let Watched::Switch(_) = found.kind {
            // no stage of the step sees what comes after
            let t = self.parts.from.t + dt;
            dt -= self.hop(t);
            let (error, iterations) = self.try_step(system, dt)?;
            return Ok((error, iterations, dt));
        }
        let mut error = 0.0;
        for correction in 0..MOST_CORRECTIONS {
            (error, iterations) = {
                let (error, more) = self.try_step(system, dt)?;
                (error, iterations + more)
            };
            let parts = &mut *self.parts;
            let Workspace { motion, watch, from, to, .. } = parts;
            if matches!(found.kind, Watched::Edge(_)) && correction > 0 {
                break;
            }
            let f = watch.value_at(system, motion, to, found.index);
            if matches!(found.kind, Watched::Edge(_)) {
                // yes or no: halve once more on the better polynomial of the shorter step, then take it
                if f > 0.0 {
                    break;
                }
                let again = watch.find(system, motion, from, to, self.tolerance, false)?;
                match again {
                    Some(again) if again.index == found.index && again.theta < 1.0 => {
                        dt *= again.theta;
                        continue;
                    }
                    _ => break,
                }
            }
            // slope at the end, from the polynomial of this step
            let slope = (f - watch.value(system, motion, from, to, found.index, 1.0 - BACK)?) / (BACK * dt);
            let change = -f / slope;
            let settled = f.abs() <= watch.noise(found.index) && f <= 0.0;
            if settled || !change.is_finite() || change.abs() <= self.tolerance || slope >= 0.0 {
                break;
            }
            dt = (dt + change).clamp(0.5 * dt, 1.5 * dt);
        }
        Ok((error, iterations, dt))
    }

    /// What the event at the end of the step asks to be settled. Other gaps that close within the tolerance close with it.
    fn name_cause(&mut self, system: &dyn System, found: Found) {
        let tolerance = self.tolerance;
        let together =
            TOGETHER * self.control.accuracy.unwrap_or(REST_ACCURACY) * system.structure().length_scale;
        let parts = &mut *self.parts;
        let cause = &mut self.cause;
        parts.watch.pass(found.kind);
        match found.kind {
            Watched::Gap(contact) => {
                cause.closing.push(contact);
                let Workspace { motion, to, at, .. } = &mut *parts;
                motion.place(system, to.t, &to.q, &to.v, at);
                parts.close_together(system, contact, tolerance, together, cause);
            }
            Watched::Press(contact, _) => cause.forced.push((contact, ContactMode::Open)),
            Watched::Hold(contact, row) if parts.motion.kind(contact).dim() == 3 => {
                let Workspace { motion, to, at, basis, .. } = &mut *parts;
                motion.place(system, to.t, &to.q, &to.v, at);
                basis.clear();
                system.contact_tangents(at, &[contact], basis);
                let size = -to.lambda[row + 1].hypot(to.lambda[row + 2]);
                let e = [to.lambda[row + 1] / size, to.lambda[row + 2] / size];
                cause.forced.push((contact, ContactMode::SlideAlong(in_space(e, &basis[0]))));
            }
            Watched::Hold(contact, row) => {
                cause.forced.push((contact, ContactMode::Slide(-parts.to.lambda[row + 1].signum())));
            }
            Watched::Turn(contact) if parts.motion.kind(contact).dim() == 3 => {
                let Workspace { motion, settle, to, at, .. } = &mut *parts;
                motion.place(system, to.t, &to.q, &to.v, at);
                // a direction that turns by a right angle is no event: the next step has another reference
                if settle.rests(system, motion, at, contact) {
                    cause.ended.push(contact);
                }
            }
            Watched::Grip(contact, row) => {
                cause.forced.push((contact, ContactMode::Slide(-parts.to.lambda[row].signum())));
            }
            Watched::Edge(contact) => {
                // the piece a moment later
                let Workspace { from, to, at, x, pieces, .. } = &mut *parts;
                let ahead = tolerance.max(MOMENT * (to.t - from.t));
                for (x, v) in x.iter_mut().zip(&to.v) {
                    *x = ahead * v;
                }
                at.pieces.clear();
                at.retract_to(system, to.t + ahead, &to.q, x);
                system.pieces(at, pieces);
                parts.pass_edge(system, contact, together, cause);
            }
            Watched::Turn(_) | Watched::Switch(_) | Watched::Own(_) => {}
        }
    }
}
