//! Event-driven integration: a method for the smooth motion, events located, contacts settled, restart.  [Haddouni2015] §2.1.1
//!
//! ```text
//!   step      (q, v) → (q, v) by a method, dt from its error estimate
//!   watch     does a sign change inside? the first one is located on the Hermite polynomial; the step is made again, that long
//!   settle    impact, then accelerations decide what presses, sticks and slides; restart
//! ```
//!
//! The step that ends at an event is made anew instead of cut: its state then has the accuracy of the method, not that of an
//! interpolation, and nothing behind the event has had a say in it. Events closer to each other than the tolerance are settled
//! together. Rows of joints and of closed contacts are projected in the metric of the mass after every step, unless told
//! otherwise: [Haddouni2015] (2.12), (2.13).

mod hybrid;
mod locate;
mod pace;
mod settle;
mod watch;

pub use hybrid::{Hybrid, HybridOptions};

use crate::methods::{Knot, Level, Method, hermite};
use crate::own_steps::{Advance, Control, Happened, OwnSteps, Work};
use crate::{
    Configuration, ContactKind, ContactMode, ContactStage, Directions, Drift, EventKind, Formulation, Motion,
    Scheme, SchemeError, State, StepError, StepReport, System,
};
use pace::Pace;
use settle::{Cause, Rest, Settle};
use watch::{Found, Kind, Watch};

/// Longest step unless told otherwise, relative to the run: something may come and go inside a step without being seen.
const USUAL_MOST: f64 = 0.05;
/// Shortest step unless told otherwise, relative to the run.
const USUAL_LEAST: f64 = 1e-10;
/// Tolerance on the times of events unless told otherwise, relative to the run.
const USUAL_TOLERANCE: f64 = 1e-14;
/// Events that follow each other without any time passing.
const MOST_EVENTS: usize = 1000;
/// So many of them are taken as they come; then what sees them is taken for too coarse, and steps shrink until time goes on.
const PATIENCE: usize = 4;
/// A step that fails is repeated with this part of it.
const AFTER_FAILURE: f64 = 0.25;
/// Corrections of the length of a step that ends at an event.
const MOST_CORRECTIONS: usize = 8;
/// A bounce that rises less than this part of accuracy · length is taken for rest.
const REST: f64 = 1e-2;
/// The accuracy that takes its place where steps have one size.
const REST_ACCURACY: f64 = 1e-10;
/// Gaps that close at one event: what is left of the others is less than this part of accuracy · length, which no step can tell
/// from nothing. The corners of a block that lands flat hit together, whatever the last bits of its angle.
const TOGETHER: f64 = 1e-2;
/// A moment after an event, relative to the step that led to it.
const MOMENT: f64 = 1e-9;
/// A rest of the way shorter than this part of a step is added to the step.
const SLIVER: f64 = 1e-3;
/// Nodes and weights of Gauss' rule with three points on [0, 1].
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// What can be chosen of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameOptions {
    /// Shortest step (s); 0: a ten-billionth of the run.
    pub least_step: f64,
    /// Longest step (s); 0: a twentieth of the run.
    pub most_step: f64,
    /// Tolerance on the times of events (s); 0: 1e-14 of the run.
    pub event_tolerance: f64,
    /// How rows are kept from drifting.
    pub drift: Drift,
}

impl Default for FrameOptions {
    fn default() -> Self {
        Self { least_step: 0.0, most_step: 0.0, event_tolerance: 0.0, drift: Drift::Projection }
    }
}

/// Everything that is sized with the system.
#[derive(Debug)]
struct Parts {
    motion: Motion,
    watch: Watch,
    settle: Settle,
    at: Configuration,
    /// Where the step made last began and ended, and where the next one begins: they differ by what was resolved.
    from: Knot,
    to: Knot,
    now: Knot,
    rows: Vec<f64>,
    zero: Vec<f64>,
    x: Vec<f64>,
    lambda: Vec<f64>,
    gaps: Vec<f64>,
    pieces: Vec<u32>,
    W: Directions,
}

/// A method in the frame of events.
#[derive(Debug)]
pub struct EventDriven {
    method: Box<dyn Method>,
    options: FrameOptions,
    control: Control,
    least: f64,
    most: f64,
    tolerance: f64,
    parts: Option<Box<Parts>>,
    pace: Pace,
    next_dt: f64,
    cause: Cause,
    found: Option<Found>,
    happened: Vec<Happened>,
    /// Model's own event that ends the run, once it happened.
    stops: Option<usize>,
    events_here: usize,
    /// Whether joints or surfaces are moved by prescribed motions.
    moves: bool,
    /// Modes before an event was resolved.
    before: Vec<ContactMode>,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl EventDriven {
    /// Puts a method into the frame.
    pub fn new(method: Box<dyn Method>, options: FrameOptions) -> Self {
        Self {
            method,
            options,
            control: Control { accuracy: None, step: 0.0, start: 0.0, end: 0.0 },
            least: 0.0,
            most: f64::INFINITY,
            tolerance: 0.0,
            parts: None,
            pace: Pace::default(),
            next_dt: f64::INFINITY,
            cause: Cause::default(),
            found: None,
            happened: Vec::with_capacity(16),
            stops: None,
            events_here: 0,
            moves: false,
            before: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
        }
    }

    /// The motion, once started: modes, rows, forms.
    pub fn motion(&self) -> Option<&Motion> {
        self.parts.as_ref().map(|parts| &parts.motion)
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

    /// Forgets where it was: the next step begins by settling the state it is given.
    pub(crate) fn forget(&mut self) {
        if let Some(parts) = &mut self.parts {
            parts.now.t = f64::NAN;
        }
    }

    fn rest(&self, system: &dyn System) -> Rest {
        let accuracy = self.control.accuracy.unwrap_or(REST_ACCURACY);
        Rest { height: REST * accuracy * system.length_scale(), time: self.least }
    }

    /// Takes a state that the steps did not lead to: the contacts are settled, the method begins anew.
    fn begin(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let rest = self.rest(system);
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, watch, settle, now, .. } = &mut **parts;
        now.t = state.t;
        now.q.copy_from_slice(&state.q);
        now.v.copy_from_slice(&state.v);
        now.a.fill(0.0);
        self.cause.closing.clear();
        self.cause.forced.clear();
        self.cause.edges.clear();
        if system.has_pieces() {
            motion.pieces.clear();
            motion.pieces.resize(system.sizes().contacts, crate::NEAREST);
        }
        // nothing is known of modes: everything open, and what touches is found
        let modes: Vec<ContactMode> = motion
            .modes()
            .iter()
            .enumerate()
            .map(|(contact, _)| match motion.kind(contact) {
                ContactKind::Dry { .. } => ContactMode::Stick,
                _ => ContactMode::Open,
            })
            .collect();
        motion.set_modes(&modes);
        settle.settle(system, stage, motion, now, &self.cause, rest)?;
        watch.arm(system, motion);
        // whoever led here may have left rows open a little
        if self.options.drift == Drift::Projection {
            parts.from.copy_from(&parts.now);
            parts.to.copy_from(&parts.now);
            parts.to.delta.fill(0.0);
            parts.complete(system, true, Level::Acceleration)?;
            parts.now.copy_from(&parts.to);
        }
        let Parts { motion, now, .. } = &mut **parts;
        self.method.restart(system, motion, now)?;
        state.q.copy_from_slice(&now.q);
        state.v.copy_from_slice(&now.v);
        write_forces(motion, &now.lambda, state);
        Ok(())
    }

    /// One step of the method, with a and λ at its end, projected. Returns its error and iterations.
    fn try_step(&mut self, system: &dyn System, dt: f64) -> Result<(f64, usize), StepError> {
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, from, to, .. } = &mut **parts;
        let estimate = self.method.step(system, motion, from, dt, to)?;
        if let Some(velocity) = to.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: from.t, velocity });
        }
        let project = self.options.drift == Drift::Projection;
        parts.complete(system, project, self.method.level())?;
        Ok((estimate.error, estimate.iterations))
    }

    /// Makes the step end where an event is; `theta` is a first guess of the part of the step made last. Returns its error,
    /// iterations and size.
    fn end_at(&mut self, system: &dyn System, found: Found, dt: f64) -> Result<(f64, usize, f64), StepError> {
        let mut dt = found.theta * dt;
        let mut iterations = 0;
        if !self.method.is_free_to_choose() {
            let parts = self.parts.as_mut().expect("a scheme is started before it steps");
            let Parts { motion, from, to, at, x, .. } = &mut **parts;
            let (mut q, mut v) = (to.q.clone(), to.v.clone());
            self.method.inside(system, motion, from, to, found.theta, &mut q, &mut v)?;
            // the increment of the interpolation, as good as the polynomial itself
            hermite_increment(from, to, found.theta, x);
            to.t = from.t + dt;
            to.q.copy_from_slice(&q);
            to.v.copy_from_slice(&v);
            to.delta.copy_from_slice(x);
            motion.place(system, to.t, &to.q, &to.v, at);
            motion.accelerations(system, at, &mut to.a, &mut to.lambda)?;
            return Ok((0.0, 0, dt));
        }
        let mut error = 0.0;
        for correction in 0..MOST_CORRECTIONS {
            (error, iterations) = {
                let (error, more) = self.try_step(system, dt)?;
                (error, iterations + more)
            };
            let parts = self.parts.as_mut().expect("a scheme is started before it steps");
            let Parts { motion, watch, from, to, .. } = &mut **parts;
            if matches!(found.kind, Kind::Edge(_)) && correction > 0 {
                break;
            }
            let f = watch.value_at(system, motion, to, found.index);
            if matches!(found.kind, Kind::Edge(_)) {
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
            let back = 1e-3;
            let slope = (f - watch.value(system, motion, from, to, found.index, 1.0 - back)?) / (back * dt);
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
        let together = TOGETHER * self.control.accuracy.unwrap_or(REST_ACCURACY) * system.length_scale();
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, from, to, at, x, pieces, .. } = &mut **parts;
        let cause = &mut self.cause;
        match found.kind {
            Kind::Gap(contact) => {
                cause.closing.push(contact);
                motion.place(system, to.t, &to.q, &to.v, at);
                parts.close_together(system, contact, tolerance, together, cause);
            }
            Kind::Press(contact, _) => cause.forced.push((contact, ContactMode::Open)),
            Kind::Hold(contact, row) => {
                cause.forced.push((contact, ContactMode::Slide(-to.lambda[row + 1].signum())));
            }
            Kind::Grip(contact, row) => {
                cause.forced.push((contact, ContactMode::Slide(-to.lambda[row].signum())));
            }
            Kind::Edge(contact) => {
                // the piece a moment later
                let ahead = tolerance.max(MOMENT * (to.t - from.t));
                for (x, v) in x.iter_mut().zip(&to.v) {
                    *x = ahead * v;
                }
                at.pieces.clear();
                at.retract_to(system, to.t + ahead, &to.q, x);
                system.pieces(at, pieces);
                cause.edges.push((contact, pieces[contact]));
            }
            Kind::Turn(_) | Kind::Switch(_) | Kind::Own(_) => {}
        }
    }
}

impl Parts {
    /// a and λ at the end of the step, and its projection onto the rows.
    fn complete(&mut self, system: &dyn System, project: bool, level: Level) -> Result<(), StepError> {
        let Self { motion, at, from, to, rows, zero, x, lambda, .. } = self;
        motion.place(system, to.t, &to.q, &to.v, at);
        motion.accelerations(system, at, &mut to.a, &mut to.lambda)?;
        let m = motion.rows();
        if !project || m == 0 || matches!(level, Level::Position | Level::Both) {
            return Ok(());
        }
        // with the factor at hand: M x = Gᵀ μ, G x = −Φ
        let small = 4.0 * f64::EPSILON * system.length_scale();
        for _ in 0..2 {
            motion.positions(system, at, rows);
            if rows[..m].iter().all(|phi| phi.abs() <= small) {
                break;
            }
            for phi in &mut rows[..m] {
                *phi = -*phi;
            }
            motion.solve(zero, &rows[..m], x, lambda);
            for (delta, x) in to.delta.iter_mut().zip(&*x) {
                *delta += x;
            }
            at.retract_to(system, to.t, &from.q, &to.delta);
        }
        to.q.copy_from_slice(at.q());
        motion.evaluate_rows(system, at);
        motion.velocities(&to.v, rows);
        for u in &mut rows[..m] {
            *u = -*u;
        }
        motion.solve(zero, &rows[..m], x, lambda);
        for (v, x) in to.v.iter_mut().zip(&*x) {
            *v += x;
        }
        at.v.copy_from_slice(&to.v);
        Ok(())
    }

    /// Gaps that are as good as closed when one of them closes: what is left of them goes within the tolerance.
    fn close_together(
        &mut self,
        system: &dyn System,
        first: usize,
        tolerance: f64,
        together: f64,
        cause: &mut Cause,
    ) {
        let Self { gaps, W, .. } = self;
        system.gaps(&self.at, gaps);
        let together = together.max(crate::GAP_ROUND_OFF * system.length_scale());
        for contact in 0..gaps.len() {
            if contact == first || self.motion.modes()[contact].is_closed() || !gaps[contact].is_finite() {
                continue;
            }
            W.clear();
            system.directions(&self.at, &[contact], W);
            let U_N = W.velocity(0, &self.to.v);
            // twice the tolerance: each was located to one
            if U_N < 0.0 && gaps[contact] <= together - 2.0 * tolerance * U_N {
                cause.closing.push(contact);
            }
        }
    }
}

/// δ(θ) of the Hermite polynomial.
fn hermite_increment(from: &Knot, to: &Knot, theta: f64, delta: &mut [f64]) {
    let (s, dt) = (theta, to.t - from.t);
    let (s2, s3, s4, s5) = (s * s, s * s * s, s.powi(4), s.powi(5));
    for i in 0..delta.len() {
        delta[i] = dt * (s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5) * from.v[i]
            + dt * dt * 0.5 * (s2 - 3.0 * s3 + 3.0 * s4 - s5) * from.a[i]
            + dt * dt * 0.5 * (s3 - 2.0 * s4 + s5) * to.a[i]
            + dt * (-4.0 * s3 + 7.0 * s4 - 3.0 * s5) * to.v[i]
            + (10.0 * s3 - 15.0 * s4 + 6.0 * s5) * to.delta[i];
    }
}

/// Forces of joints and contacts of a knot into a state.
fn write_forces(motion: &Motion, lambda: &[f64], state: &mut State) {
    let nc = motion.nc();
    state.lambda_b.copy_from_slice(&lambda[..nc]);
    state.lambda.fill(0.0);
    for row in nc..motion.rows() {
        let (contact, of_contact) = motion.held(row);
        let place = motion.first_row(contact);
        state.lambda[place + of_contact] = lambda[row];
        if let (ContactKind::Frictional { friction, .. }, ContactMode::Slide(sign)) =
            (motion.kind(contact), motion.modes()[contact])
        {
            state.lambda[place + 1] = -friction * sign * lambda[row];
        }
    }
    state.closed.clear();
    for (contact, mode) in motion.modes().iter().enumerate() {
        if let (ContactKind::Dry { .. }, ContactMode::Slide(sign)) = (motion.kind(contact), mode) {
            state.lambda[motion.first_row(contact)] = -sign * motion.bound(contact, lambda);
        }
        if mode.is_closed() {
            state.closed.push(contact);
        }
    }
}

impl OwnSteps for EventDriven {
    fn control(&mut self, control: Control) -> Result<(), String> {
        let duration = control.end - control.start;
        let or = |given: f64, usual: f64| if given > 0.0 { given } else { usual * duration };
        self.least = or(self.options.least_step, USUAL_LEAST);
        self.most = or(self.options.most_step, USUAL_MOST);
        if self.options.most_step == 0.0 {
            self.most = self.most.max(self.least);
        }
        if self.least > self.most {
            return Err(format!(
                "the least step {} s is longer than the longest {} s; parameter `least_step` must not exceed `most_step`",
                self.least, self.most
            ));
        }
        self.tolerance = or(self.options.event_tolerance, USUAL_TOLERANCE);
        if control.accuracy.is_some() && self.method.exponent() == 0.0 {
            return Err(format!(
                "{} has no error estimate, so it cannot choose its steps; give a step instead of an accuracy, or take hem5",
                self.method.describe()
            ));
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
        if let Some(parts) = &mut self.parts {
            parts.settle.joint_impulses.fill(0.0);
        }
        self.found = None;
        self.cause.closing.clear();
        self.cause.forced.clear();
        self.cause.edges.clear();
        let mut done = Advance::default();
        {
            let parts = self.parts.as_ref().expect("a scheme is started before it steps");
            let now = &parts.now;
            if now.t != state.t || now.q != state.q || now.v != state.v {
                self.begin(system, stage, state)?;
            }
        }
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, watch, from, now, .. } = &mut **parts;
        from.copy_from(now);
        motion.see_velocities(&from.v);
        watch.begin(system, motion, from);
        let mut shortened = false;
        loop {
            let t = state.t;
            let left = end - t;
            let mut dt = self.next_dt.min(self.most).min(left);
            if left - dt < SLIVER * dt {
                dt = left;
            }
            let (error, iterations) = match self.try_step(system, dt) {
                Ok(made) => made,
                Err(failure) => {
                    if AFTER_FAILURE * dt < self.least {
                        return Err(failure);
                    }
                    done.retries += 1;
                    shortened = true;
                    self.next_dt = AFTER_FAILURE * dt;
                    continue;
                }
            };
            done.report.newton_iterations += iterations;
            // of the step just made: methods of several steps begin with another one
            let exponent = self.method.exponent();
            let parts = self.parts.as_mut().expect("a scheme is started before it steps");
            let redundant = parts.motion.is_redundant();
            let Parts { motion, watch, settle, from, to, at, .. } = &mut **parts;
            let mut found = watch.find(system, motion, from, to, self.tolerance, !redundant)?;
            // where reactions are not unique their signs mean nothing: the contacts are asked
            let mut ends = None;
            if redundant {
                motion.place(system, to.t, &to.q, &to.v, at);
                if !settle.agrees(system, stage, motion, at)? {
                    let span = to.t - from.t;
                    let (mut q, mut v) = (to.q.clone(), to.v.clone());
                    let least = self.tolerance / span;
                    let theta = locate::locate((0.0, 1.0), (1.0, -1.0), least, |theta| {
                        hermite(system, from, to, theta, &mut q, &mut v);
                        motion.place(system, from.t + theta * span, &q, &v, at);
                        Ok(if settle.agrees(system, stage, motion, at)? { 1.0 } else { -1.0 })
                    })?;
                    if found.is_none_or(|f| theta < f.theta) {
                        ends = Some(theta);
                        found = None;
                    }
                }
            }
            let ratio = self.control.accuracy.map_or(0.0, |accuracy| error / accuracy);
            let kink = found.is_some_and(|f| matches!(f.kind, Kind::Switch(_) | Kind::Edge(_)));
            if ratio > 1.0 && !kink && dt > self.least {
                done.rejected += 1;
                self.next_dt = (dt * self.pace.rejected(ratio, exponent)).max(self.least);
                shortened = true;
                continue;
            }
            let (mut made, mut ratio) = (dt, ratio);
            if let Some(theta) = ends {
                made = (theta * dt).max(self.tolerance);
                self.try_step(system, made)?;
            }
            if let Some(found) = found {
                if found.theta > 0.0 {
                    let (error, iterations, size) = self.end_at(system, found, dt)?;
                    done.report.newton_iterations += iterations;
                    made = size;
                    let again = self.control.accuracy.map_or(0.0, |accuracy| error / accuracy);
                    // shorter every time, though the event may lie further than the step that found it
                    if again > 1.0 && made.min(dt) > self.least {
                        done.rejected += 1;
                        self.next_dt = (made.min(dt) * self.pace.rejected(again, exponent)).max(self.least);
                        shortened = true;
                        continue;
                    }
                    ratio = again;
                } else {
                    // at once: nothing moved
                    let parts = self.parts.as_mut().expect("a scheme is started before it steps");
                    parts.to.copy_from(&parts.from);
                    parts.to.delta.fill(0.0);
                    made = 0.0;
                }
                self.found = Some(found);
                self.name_cause(system, found);
            }
            done.event = self.found.is_some() || ends.is_some();
            self.events_here = if done.event && made <= self.tolerance { self.events_here + 1 } else { 0 };
            if self.events_here > MOST_EVENTS {
                return Err(StepError::Endless { t: state.t, events: MOST_EVENTS });
            }
            // the next step: as long as this one would have been where an event cut it
            if self.events_here > PATIENCE {
                self.next_dt = (AFTER_FAILURE * dt).max(self.least);
            } else if self.control.accuracy.is_some() {
                if !done.event {
                    self.next_dt = (made * self.pace.accepted(ratio, exponent)).max(self.least);
                } else if !shortened {
                    self.next_dt = dt.max(self.least);
                }
            } else {
                self.next_dt = f64::INFINITY;
            }
            done.dt = made;
            break;
        }
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, from, to, now, .. } = &mut **parts;
        // meets the end without a last bit to make up for
        if (end - to.t).abs() <= 4.0 * f64::EPSILON * end.abs() {
            to.t = end;
        }
        self.method.accept(from, to);
        now.copy_from(to);
        self.moves = motion.is_moved();
        for ((P, before), after) in state.P_b.iter_mut().zip(&from.lambda).zip(&to.lambda) {
            *P = 0.5 * done.dt * (before + after);
        }
        state.P.fill(0.0);
        state.t = to.t;
        state.q.copy_from_slice(&to.q);
        state.v.copy_from_slice(&to.v);
        write_forces(motion, &to.lambda, state);
        Ok(done)
    }

    fn inside(&mut self, system: &dyn System, t: f64, state: &mut State) -> Result<(), StepError> {
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, from, to, at, x, lambda, .. } = &mut **parts;
        let theta = (t - from.t) / (to.t - from.t);
        self.method.inside(system, motion, from, to, theta, &mut state.q, &mut state.v)?;
        state.t = t;
        motion.place(system, t, &state.q, &state.v, at);
        if motion.rows() > 0 {
            motion.accelerations(system, at, x, lambda)?;
            write_forces(motion, lambda, state);
        }
        Ok(())
    }

    fn work(&mut self, system: &dyn System, from: f64, to: f64) -> Result<Work, StepError> {
        let mut work = Work::default();
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let with_forces = self.moves || parts.motion.slides();
        if !with_forces && !system.has_power() {
            return Ok(work);
        }
        let Parts { motion, at, from: begin, to: end, x, lambda, .. } = &mut **parts;
        let (mut q, mut v) = (std::mem::take(&mut self.q), std::mem::take(&mut self.v));
        q.resize(motion.nq(), 0.0);
        v.resize(motion.nv(), 0.0);
        let span = end.t - begin.t;
        let mut outcome = Ok(());
        for (node, weight) in GAUSS {
            let t = from + node * (to - from);
            let dt = weight * (to - from);
            hermite(system, begin, end, (t - begin.t) / span, &mut q, &mut v);
            motion.place(system, t, &q, &v, at);
            if system.has_power() {
                let power = system.power(at);
                work.applied += dt * power.applied;
                work.damping -= dt * power.damping;
            }
            if with_forces {
                outcome = motion.accelerations(system, at, x, lambda);
                if outcome.is_err() {
                    break;
                }
                let (friction, prescribed) = motion.reaction_power(&at.v, lambda);
                work.friction += dt * friction;
                work.prescribed += dt * prescribed;
            }
        }
        (self.q, self.v) = (q, v);
        outcome.map(|()| work)
    }

    fn resolve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let found = self.found.take();
        if let Some(Found { kind: Kind::Own(own), .. }) = found {
            self.happened.push(plain(EventKind::Event, own));
            if system.event_info()[own].stops {
                self.stops = Some(own);
            }
            // nothing of the motion changes: the method goes on
            return Ok(());
        }
        let rest = self.rest(system);
        let parts = self.parts.as_mut().expect("a scheme is started before it steps");
        let Parts { motion, watch, settle, now, .. } = &mut **parts;
        self.before.clear();
        self.before.extend_from_slice(motion.modes());
        settle.settle(system, stage, motion, now, &self.cause, rest)?;
        watch.arm(system, motion);
        self.method.restart(system, motion, now)?;
        state.v.copy_from_slice(&now.v);
        write_forces(motion, &now.lambda, state);
        // what changed, in words
        match found.map(|f| f.kind) {
            Some(Kind::Edge(contact)) => self.happened.push(plain(EventKind::Edge, contact)),
            Some(Kind::Switch(_)) => self.happened.push(plain(EventKind::Switch, usize::MAX)),
            _ => {}
        }
        for &contact in &settle.hit {
            let record = stage.records().iter().rev().find(|record| record.contact == contact);
            let (before, after, impulse) =
                record.map_or((0.0, 0.0, 0.0), |r| (r.U_minus[0], r.U_plus[0], r.P[0]));
            // a contact that was closed already is pressed, not hit
            if !self.before[contact].is_closed() {
                self.happened.push(Happened {
                    kind: EventKind::Impact,
                    subject: contact,
                    before,
                    after,
                    impulse,
                });
            }
        }
        for (contact, (&was, &is)) in self.before.iter().zip(motion.modes()).enumerate() {
            use ContactMode::{Open, Slide, Stick};
            let kind = match (was, is) {
                (was, Open) if was.is_closed() => EventKind::Release,
                (Slide(_), Stick) => EventKind::Stick,
                (Stick, Slide(_)) => EventKind::Slip,
                (Slide(a), Slide(b)) if a != b => EventKind::Slip,
                _ => continue,
            };
            self.happened.push(plain(kind, contact));
        }
        Ok(())
    }

    fn happened(&self) -> &[Happened] {
        &self.happened
    }

    fn modes(&self) -> &[ContactMode] {
        self.parts.as_ref().map_or(&[], |parts| parts.motion.modes())
    }

    fn joint_impulses(&self) -> &[f64] {
        self.parts.as_ref().map_or(&[], |parts| &parts.settle.joint_impulses)
    }

    fn stopped_by(&self) -> Option<usize> {
        self.stops
    }
}

/// An event without velocities.
fn plain(kind: EventKind, subject: usize) -> Happened {
    Happened { kind, subject, before: 0.0, after: 0.0, impulse: 0.0 }
}

impl Scheme for EventDriven {
    fn describe(&self) -> String {
        let drift = match self.options.drift {
            Drift::None => ", rows not projected".into(),
            Drift::Projection => String::new(),
            Drift::Baumgarte { rate } => format!(", Baumgarte with {rate} 1/s"),
        };
        format!("{}, event-driven{drift}", self.method.describe())
    }

    fn start(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let mut motion = Motion::new(system);
        motion.drift = self.options.drift;
        let settle = Settle::new(system, stage, &motion, state)?;
        let mut now = Knot::new(&motion);
        now.t = f64::NAN;
        let m = motion.most_rows();
        self.parts = Some(Box::new(Parts {
            watch: Watch::new(system, &motion),
            settle,
            at: motion.configuration(system, state.t, &state.q, &state.v),
            from: Knot::new(&motion),
            to: Knot::new(&motion),
            now,
            rows: vec![0.0; m],
            zero: vec![0.0; motion.nv()],
            x: vec![0.0; motion.nv()],
            lambda: vec![0.0; m],
            gaps: vec![0.0; system.sizes().contacts],
            pieces: vec![0; system.sizes().contacts],
            W: Directions::with_room(2, 2 * motion.nv()),
            motion,
        }));
        self.before.reserve(system.sizes().contacts);
        state.memory.clear();
        state.closed.clear();
        Ok(())
    }

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
        let end = state.t + dt;
        let mut report = StepReport::default();
        // a failure is told, not mended by smaller steps
        let least = std::mem::replace(&mut self.least, dt);
        let mut go = || {
            while state.t < end {
                let advance = self.advance(system, stage, state, end)?;
                report.newton_iterations += advance.report.newton_iterations;
                if advance.event {
                    self.resolve(system, stage, state)?;
                }
            }
            Ok(())
        };
        let outcome = go();
        self.least = least;
        outcome?;
        let work = stage.work();
        report.contact_problems = work.problems;
        report.contact_iterations = work.iterations;
        report.fallbacks = work.fallbacks;
        report.contact_residual = work.residual;
        Ok(report)
    }

    fn has_spectrum(&self) -> bool {
        self.method.is_one_step()
    }

    fn set_formulation(&mut self, formulation: Formulation) -> Result<(), SchemeError> {
        let known = self.method.formulations();
        if !known.contains(&formulation) {
            return Err(SchemeError::Formulation {
                scheme: self.method.describe(),
                asked: formulation,
                known: known.iter().map(|f| f.name()).collect::<Vec<_>>().join(", "),
            });
        }
        self.method.set_formulation(formulation);
        Ok(())
    }

    fn factorisations(&self) -> usize {
        self.parts.as_ref().map_or(0, |parts| parts.motion.factorisations())
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        Some(self)
    }
}
