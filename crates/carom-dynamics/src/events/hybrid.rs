//! Hybrid: event-driven, and time stepping where events crowd.                            [Haddouni2015] §4.2, Algorithm 1
//!
//! ```text
//!   to stepping     (a) impacts closer to each other than h*, some in a row
//!                   (b) a contact sticks or slips             within h* of the last time one did, or always if asked
//!                   (c) the surface has an edge that cannot be settled, or the accelerations have no solution
//!                   (d) two contacts with friction in space are closed, or one if asked: as long as they are   [Haddouni2015] §4.2.1
//!   h* = max(h^{p+1}, h_min)                                  h the step of the method, p its order; U_N h* below the accuracy
//!                                                             unless h_min is given
//!   back            a contact comes so fast that a step would let it in deeper than the accuracy allows, or
//!                   contacts are open or closed for good: none has hit, opened, stuck or slipped for some steps
//! ```
//!
//! Stepping is Moreau–Jean's scheme with θ = 1/2 and the step h*. As in the source h_min rules in practice. Unless it is given, it
//! is the time in which the forces of the moment lift a body by what the accuracy allows:
//!
//! ```text
//!   ½ a h_min² = accuracy · length
//! ```
//!
//! so that whatever happens within one step stays below the accuracy. Departs from the source in (a): there two impacts are enough,
//! `crowd` = 1 here, and no bounce is taken for rest, `rest` = 0 here. One contact that comes to rest is done with sooner by its last bounces, each an event, than by a change of
//! scheme and back; only a longer row is a crowd. And in (b): transitions between sticking
//! and sliding in the plane are events like any other here, exact and cheap, and only crowds of them are stepped over;
//! `transitions` = 1 steps over each, as published. In space no sign announces that a slip ends: (d) with one contact is the source's
//! rule, and that of `transitions` = 1. Here one contact slides and sticks by events in space too; several may carry more than they need
//! to, and the motion then depends on how they share the load: they are stepped over. Without an accuracy steps are those of the run.

use super::impact_and_modes::strongest;
use super::options::{EVENT_TOLERANCE, LEAST_STEP, MOST_STEP, PROJECTION, REST};
use super::{Driven, EventDriven, FrameOptions, in_order};
use crate::methods::Hem5;
use crate::schemes::moreau_jean::{self, MoreauJean};
use crate::stepping::{Advance, Control, EventRecord, OwnSteps, Phase, Work, drive};
use crate::{
    Configuration, ContactKind, ContactMode, ContactStage, ContactsTaken, Directions, EventKind, Formulation,
    Joints, Parameter, Reactions, Scheme, SchemeError, SchemeInfo, StartError, State, StepError, StepReport,
    Stepper, System,
};

/// Steps without anything new before the event-driven method takes over again.
const QUIET: usize = 8;
/// A normal velocity below this part of the tangential one is what a surface that is not flat makes of sliding.
const ALONG: f64 = 1e-9;
/// h_min relative to the run, where the accuracy gives none.
const USUAL_LEAST: f64 = 1e-7;

/// Reasons that there are to begin.
const REASONS: usize = 7;

/// How the last steps were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Driven,
    Stepping,
}

const STEPPING: Parameter = Parameter::number(
    LEAST_STEP.name,
    "step of Moreau–Jean, which events closer than that are left to; 0: from the accuracy",
    0.0,
    0.0..=1e9,
)
.in_unit("s");
const TRANSITIONS: Parameter = Parameter::switch(
    "transitions",
    "1: every change between sticking and sliding, and friction in space, is stepped over, as published; 0: only crowds of them",
    false,
);
const CROWD: Parameter = Parameter::whole(
    "crowd",
    "impacts in a row, closer than that step, that are left to Moreau–Jean; 1 as published",
    12,
    1..=1_000_000,
);

pub const HYBRID: SchemeInfo = SchemeInfo {
    name: "hybrid",
    summary: "event-driven (hem5), and Moreau–Jean where events crowd; give it an accuracy",
    parameters: &[STEPPING, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, TRANSITIONS, CROWD],
    make: |values| {
        let frame = FrameOptions { least_step: 0.0, ..FrameOptions::projected(values) };
        Ok(Box::new(Hybrid {
            driven: EventDriven::new(Box::new(Hem5::default()), frame),
            options: HybridOptions {
                least_step: values.number(&STEPPING),
                transitions: values.switch(&TRANSITIONS),
                crowd: values.whole(&CROWD),
            },
        }))
    },
};

/// The scheme where events crowd.
const STEPPER: MoreauJean =
    MoreauJean { theta: 0.5, joints: Joints::Mean, positions: false, published: false };

#[derive(Clone, Copy, Debug, PartialEq)]
struct HybridOptions {
    /// h_min (s); 0: from the accuracy.
    least_step: f64,
    /// Impacts in a row, each within h* of the one before, that make a crowd; 1 as published.
    crowd: usize,
    /// Whether every change between sticking and sliding is stepped over, as published.
    transitions: bool,
}

/// Event-driven until events crowd.
#[derive(Debug)]
struct Hybrid {
    driven: EventDriven,
    options: HybridOptions,
}

impl Scheme for Hybrid {
    fn describe(&self) -> String {
        format!("hybrid ({}, Moreau–Jean where events crowd)", self.driven.describe())
    }

    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken { in_space: true, ..ContactsTaken::default() }
    }

    fn owns_steps(&self) -> bool {
        true
    }

    fn reactions(&self) -> Reactions {
        Reactions::Forces
    }

    fn formulations(&self) -> &'static [Formulation] {
        self.driven.formulations()
    }

    fn set_formulation(&mut self, formulation: Formulation) -> Result<(), SchemeError> {
        self.driven.set_formulation(formulation)
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        self.driven.check(system)?;
        STEPPER.check(system)
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        let driven = self.driven.driven(system, stage, state)?;
        let contacts = system.structure().sizes.contacts;
        let room = Room {
            at: Configuration::new(system, state.t, &state.q, &state.v),
            h: vec![0.0; state.v.len()],
            a: vec![0.0; state.v.len()],
            contacts: (0..contacts).collect(),
            gaps: vec![0.0; contacts],
            W: Directions::with_room(state.P.len(), state.P.len() * state.v.len().min(64)),
        };
        let nothing = || Spent { time: 0.0, steps: 0, began: Vec::with_capacity(REASONS) };
        let mut spent = [nothing(), nothing()];
        spent[0].began.push(("start", 1));
        Ok(Box::new(Workspace {
            driven,
            // it begins anew where it is needed
            stepper: moreau_jean::Workspace::start(STEPPER, system, stage, state)?,
            options: self.options,
            control: Control { accuracy: None, step: 0.0, start: 0.0, end: 0.0 },
            mode: Mode::Driven,
            fresh: false,
            h_star: 0.0,
            sample: f64::NEG_INFINITY,
            low: 0.0,
            slow: 0.0,
            stopped: 0.0,
            in_space: in_space(system),
            last_impact: f64::NEG_INFINITY,
            row: 0,
            last_transition: f64::NEG_INFINITY,
            quiet: 0,
            seen: Vec::with_capacity(2 * contacts),
            now: Vec::with_capacity(2 * contacts),
            room,
            spent,
        }))
    }
}

/// What was done in one way, and why it began.
#[derive(Clone, Debug)]
struct Spent {
    time: f64,
    steps: usize,
    began: Vec<(&'static str, usize)>,
}

impl Spent {
    fn step(&mut self, dt: f64) {
        self.time += dt;
        self.steps += 1;
    }

    fn as_phase(&self, name: &str) -> Phase {
        let began = self.began.iter().map(|&(why, count)| (why.to_string(), count)).collect();
        Phase { name: name.into(), time: self.time, steps: self.steps, began }
    }
}

/// Where forces are asked how strong they are.
#[derive(Debug)]
struct Room {
    at: Configuration,
    h: Vec<f64>,
    a: Vec<f64>,
    /// All contacts, their gaps and rows.
    contacts: Vec<usize>,
    gaps: Vec<f64>,
    W: Directions,
}

#[derive(Debug)]
struct Workspace {
    driven: Driven,
    stepper: moreau_jean::Workspace,
    options: HybridOptions,
    control: Control,
    mode: Mode,
    /// Whether the stepper was started for where the run is.
    fresh: bool,
    h_star: f64,
    /// The next sample that is to be met (s).
    sample: f64,
    /// Bounces lower than this are over within a step of the stepper, or taken for rest by the event-driven method (m), and the normal
    /// velocities that go with them (m/s).
    low: f64,
    slow: f64,
    /// Normal velocities below this are stopped by the event-driven method's rule of rest (m/s).
    stopped: f64,
    /// Contacts with friction in space.
    in_space: Vec<usize>,
    last_impact: f64,
    /// Impacts in a row that each followed the one before within h*.
    row: usize,
    last_transition: f64,
    quiet: usize,
    /// Contacts closed after the last step of the stepper, whether they are joints that rub, and whether they slid.
    seen: Vec<(usize, bool, bool)>,
    now: Vec<(usize, bool, bool)>,
    room: Room,
    spent: [Spent; 2],
}

impl Workspace {
    /// h* at a state.
    fn h_star(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State) -> f64 {
        let room = &mut self.room;
        room.at.move_to_state(system, state);
        let most = strongest(system, stage, &room.at, &mut room.h, &mut room.a).unwrap_or(0.0);
        let length = system.structure().length_scale;
        let height = self.driven.rest(system).height;
        self.stopped = (2.0 * most * length * height).sqrt();
        let usual = USUAL_LEAST * (self.control.end - self.control.start);
        let least = match self.control.accuracy {
            _ if self.options.least_step > 0.0 => self.options.least_step,
            Some(accuracy) if most > 0.0 => (2.0 * accuracy / most).sqrt().min(self.control.step),
            _ => usual,
        };
        let h = self.driven.next_dt();
        let power = if h < 1.0 { h.powf(self.driven.exponent() + 1.0) } else { 0.0 };
        let h_star = power.max(least);
        // without a rule of rest: a bounce that is over within a step, a h*²/8 high
        self.low = if height > 0.0 { height } else { most * length * h_star * h_star / 8.0 };
        self.slow = (2.0 * most * length * self.low).sqrt();
        h_star
    }

    fn turn_to(&mut self, mode: Mode, why: &'static str) {
        self.mode = mode;
        (self.quiet, self.row) = (0, 0);
        self.fresh = true;
        let began = &mut self.spent[mode as usize].began;
        match began.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, count)) => *count += 1,
            None => began.push((why, 1)),
        }
    }

    /// The fastest approach of a gap that is open and would close within a time (m/s).
    fn fastest_coming(&mut self, system: &dyn System, state: &State, dt: f64) -> f64 {
        let room = &mut self.room;
        room.at.move_to(system, state.t, &state.q);
        system.gaps(&room.at, &mut room.gaps);
        room.W.clear();
        system.directions(&room.at, &room.contacts, &mut room.W);
        let mut row = 0;
        room.contacts.iter().fold(0.0, |fastest: f64, &contact| {
            let (g, U_N) = (room.gaps[contact], room.W.velocity(row, &state.v));
            row += system.structure().contacts[contact].kind.dim();
            // joints that rub have no gap
            if g > 0.0 && g + U_N * dt < 0.0 { fastest.max(-U_N) } else { fastest }
        })
    }

    /// Whether a contact would close within a step and go deeper than the accuracy allows.
    fn comes_fast(&mut self, system: &dyn System, state: &State, dt: f64) -> bool {
        let deep = self
            .control
            .accuracy
            .map_or(f64::INFINITY, |accuracy| accuracy * system.structure().length_scale);
        deep.is_finite() && dt * self.fastest_coming(system, state, dt) > deep
    }

    /// The event-driven method goes on with the contacts that the stepper has closed.
    fn give_back(&mut self) {
        let closed = self.seen.iter().filter(|(_, rubs, _)| !rubs).map(|(contact, ..)| *contact);
        self.driven.forget(closed, self.low, self.slow);
    }

    /// Whether contacts with friction in space that are to be stepped over are closed where the event-driven method would go on. Where it has not been yet, what
    /// touches is taken for closed.
    fn rubs_in_space(&mut self, system: &dyn System, stage: &ContactStage, state: &State) -> bool {
        if self.in_space.is_empty() {
            return false;
        }
        if self.driven.is_at(state) {
            let modes = self.driven.modes();
            return self
                .are_many(self.in_space.iter().filter(|&&contact| modes[contact].is_closed()).count());
        }
        let room = &mut self.room;
        room.at.move_to(system, state.t, &state.q);
        system.gaps(&room.at, &mut room.gaps);
        let touching = stage.extent().grain(&state.q);
        let touch = self.in_space.iter().filter(|&&contact| room.gaps[contact] <= touching).count();
        self.are_many(touch)
    }

    /// Whether so many closed contacts with friction in space are stepped over.
    fn are_many(&self, closed: usize) -> bool {
        closed > usize::from(!self.options.transitions)
    }

    /// Whether the stepper has such contacts closed.
    fn holds_in_space(&self) -> bool {
        self.are_many(self.seen.iter().filter(|(contact, ..)| self.in_space.contains(contact)).count())
    }

    /// Step of the stepper where a contact with friction in space is closed: for as long as that lasts, so it is not the least one.
    fn h_in_space(&mut self, system: &dyn System, stage: &mut ContactStage, state: &State) -> f64 {
        let h_star = self.h_star(system, stage, state);
        match self.control.accuracy {
            None if self.options.least_step == 0.0 && self.control.step > 0.0 => self.control.step,
            _ => h_star,
        }
    }

    /// Whether the stepper's contacts did anything new in its last step.
    fn is_quiet(&mut self, stage: &ContactStage) -> bool {
        self.now.clear();
        let mut calm = true;
        for record in stage.records() {
            if record.P[0] > 0.0 || record.rubs {
                self.now.push((record.contact, record.rubs, record.slides));
                // what presses neither hits nor leaves
                let scale = record.U_minus[0].abs().max(record.U_plus[0].abs());
                let along = if record.dim >= 3 {
                    record.tangential(&record.U_minus)
                } else {
                    record.U_minus[1].abs()
                };
                calm &= record.rubs || scale <= self.slow || record.U_plus[0].abs() <= ALONG * along;
            }
        }
        let same = self.now == self.seen;
        std::mem::swap(&mut self.now, &mut self.seen);
        same && calm
    }
}

/// The contacts with friction in space.
fn in_space(system: &dyn System) -> Vec<usize> {
    let rubs = |kind: &ContactKind| matches!(kind, ContactKind::Spatial { friction, .. } if *friction > 0.0);
    let all = system.structure().contacts.iter().enumerate();
    all.filter(|(_, info)| rubs(&info.kind)).map(|(contact, _)| contact).collect()
}

impl OwnSteps for Workspace {
    fn bound_each_step(&mut self) {
        self.driven.bound_each_step();
    }

    fn control(&mut self, control: Control) -> Result<(), StartError> {
        self.control = control;
        self.driven.control(control)?;
        let (least, most) = (self.options.least_step, self.driven.most());
        in_order(least, most)
    }

    fn meet(&mut self, t: f64) {
        self.sample = t;
    }

    fn advance(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        end: f64,
    ) -> Result<Advance, StepError> {
        if self.mode == Mode::Driven && self.rubs_in_space(system, stage, state) {
            self.turn_to(Mode::Stepping, "friction in space");
            self.h_star = self.h_in_space(system, stage, state);
        }
        if self.mode == Mode::Driven {
            match self.driven.advance(system, stage, state, end) {
                Ok(advance) => {
                    self.spent[0].step(advance.dt);
                    return Ok(advance);
                }
                Err(StepError::Endless { .. }) => self.turn_to(Mode::Stepping, "events without end"),
                Err(StepError::Paradox { .. }) => {
                    self.turn_to(Mode::Stepping, "accelerations without solution")
                }
                Err(StepError::Undecided { .. }) => self.turn_to(Mode::Stepping, "friction in space"),
                Err(error) => return Err(error),
            }
            self.h_star = self.h_star(system, stage, state);
        }
        let first = std::mem::take(&mut self.fresh);
        if first {
            // what was remembered of another step is no guess for this one
            state.P_b.fill(0.0);
            state.P.fill(0.0);
            self.stepper.restart(system, stage, state)?;
            self.seen.clear();
        }
        // nothing can be asked inside these steps
        let stop = if self.sample > state.t { end.min(self.sample) } else { end };
        let left = stop - state.t;
        let dt = if left < 1.001 * self.h_star { left } else { self.h_star };
        let rubs = self.holds_in_space();
        if !first && !rubs && self.comes_fast(system, state, dt) {
            self.turn_to(Mode::Driven, "a fast contact comes");
            self.give_back();
            return self.advance(system, stage, state, end);
        }
        let report = self.stepper.step(system, stage, state, dt)?;
        if dt == left {
            state.t = stop;
        }
        self.driven.count_turns(system, state);
        self.spent[1].step(dt);
        self.quiet = if self.is_quiet(stage) { self.quiet + 1 } else { 0 };
        if self.quiet >= QUIET && !self.holds_in_space() {
            self.turn_to(Mode::Driven, "contacts settled");
            self.give_back();
        }
        Ok(Advance { report, dt, stepping: true, ..Advance::default() })
    }

    fn inside(&mut self, system: &dyn System, t: f64, state: &mut State) -> Result<(), StepError> {
        self.driven.inside(system, t, state)
    }

    fn work(&mut self, system: &dyn System, from: f64, to: f64) -> Result<Work, StepError> {
        self.driven.work(system, from, to)
    }

    fn resolve(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let impact = self.driven.ends_in_impact();
        match self.driven.resolve(system, stage, state) {
            Ok(()) => {}
            Err(
                error @ (StepError::Paradox { .. }
                | StepError::Accumulation { .. }
                | StepError::Undecided { .. }),
            ) => {
                self.h_star = self.h_star(system, stage, state);
                let why = match error {
                    StepError::Paradox { .. } => "accelerations without solution",
                    StepError::Undecided { .. } => "friction in space",
                    _ => "impacts accumulate",
                };
                self.turn_to(Mode::Stepping, why);
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        let transition =
            self.driven.happened().iter().any(|h| matches!(h.kind, EventKind::Stick | EventKind::Slip));
        if !impact && !transition {
            return Ok(());
        }
        let mut h_star = self.h_star(system, stage, state);
        if impact {
            // no deeper into each other than the accuracy allows
            if let Some(accuracy) = self.control.accuracy.filter(|_| self.options.least_step == 0.0) {
                let fastest = self.driven.approach().max(self.fastest_coming(system, state, h_star));
                h_star = h_star.min(accuracy * system.structure().length_scale / fastest);
            }
            self.row = if state.t - self.last_impact <= h_star { self.row + 1 } else { 0 };
            self.last_impact = state.t;
            // what came to rest will not hit again
            let slow = self.stopped;
            if self.row >= self.options.crowd.max(1)
                && self
                    .driven
                    .happened()
                    .iter()
                    .any(|h| h.t == state.t && h.kind == EventKind::Impact && h.after > slow)
            {
                self.h_star = h_star;
                self.turn_to(Mode::Stepping, "impacts crowd");
            }
        }
        if transition {
            let crowd = self.options.transitions || state.t - self.last_transition <= h_star;
            self.last_transition = state.t;
            if crowd && self.mode == Mode::Driven {
                self.h_star = h_star;
                self.turn_to(Mode::Stepping, "sticking and sliding alternate");
            }
        }
        Ok(())
    }

    fn happened(&self) -> &[EventRecord] {
        self.driven.happened()
    }

    fn modes(&self) -> &[ContactMode] {
        self.driven.modes()
    }

    fn joint_impulses(&self) -> &[f64] {
        self.driven.joint_impulses()
    }

    fn stopped_by(&self) -> Option<usize> {
        self.driven.stopped_by()
    }
}

impl Stepper for Workspace {
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        drive(self, system, stage, state, state.t + dt)
    }

    fn phases(&self) -> Vec<Phase> {
        vec![self.spent[0].as_phase("event-driven"), self.spent[1].as_phase("time stepping")]
    }

    fn factorisations(&self) -> usize {
        self.driven.factorisations()
    }

    fn own_steps(&mut self) -> Option<&mut dyn OwnSteps> {
        Some(self)
    }
}
