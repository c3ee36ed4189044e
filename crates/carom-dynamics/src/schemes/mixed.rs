//! The frame of the mixed schemes: a step with forces, then an impact if one is due.  [RezaeiSchindler] §2.3,
//! [Schindler2015] §3.1, §4
//!
//! ```text
//!   base:    (q_i, v⁺_i) → (q_{i+1}, v⁻_{i+1})      contacts closed at t_i press with forces λ: 0 ≤ U ⊥ λ ≥ 0, friction
//!   impact:  if a contact is closed at q_{i+1} that was open at q_i, on all contacts closed at q_{i+1}
//!            M (v⁺ − v⁻) = Gᵀ Λ_b + W Λ,    G v⁺ + ∂Φ/∂t = 0,    law(U⁺ + e ∘ U⁻, Λ)
//!   else     v⁺_{i+1} = v⁻_{i+1}
//! ```
//!
//! Between impacts the step has the order of its [`Base`]; an impact is moved to the end of the step it falls into, which
//! makes the whole of order 1 (`tests/it/mixed.rs`). Forces λ and impulses Λ stay apart: channels `force_*` are λ,
//! `impulse_*` are Λ. Where a step ends in an impact it can be repeated in `parts` smaller ones ([Schindler2015] §6.2
//! takes ten), which divides the error of the impact's time.
//!
//! Departs from the sources in that a base with memory starts anew after an impact: accelerations remembered from before
//! it leave dt/2 (a⁺ − a⁻) in the velocity, which makes an impact two to four times less accurate.
//!
//! A contact that is closed and approaches, but was not closed by a step (when the run begins, or after a projection of the
//! coordinates), is about to hit: the step ends with its impact.

use super::implicit::report;
use super::impulse::Impulse;
use super::{Parameter, Values};
use crate::{
    Configuration, ContactKind, ContactStage, ContactsTaken, ImpulseKind, Reactions, Scheme, State,
    StepError, StepReport, Stepper, System,
};
use std::fmt::Debug;

/// A closed contact approaches if it does so by more than this part of the velocities.
const APPROACHES: f64 = 1e-9;

/// What presses stays closed however far its gap has drifted open (m): forces say it, and hold accelerations only.
const ANY_GAP: f64 = f64::INFINITY;

pub const PARTS: Parameter = Parameter::whole(
    "parts",
    "a step that ends in an impact is repeated in so many parts; 1: not at all",
    1,
    1..=1000,
);
/// Of bases that remember accelerations.
pub const RESTART: Parameter = Parameter::switch(
    "restart",
    "1: accelerations are computed anew after an impact; 0: those from before it are kept, as published",
    true,
);
/// Of implicit bases.
pub const PUBLISHED: Parameter = Parameter::switch(
    "published",
    "1: the law holds for forces where the step ends, accelerations right after an impact begin the next step, as published; 0: neither, which makes no energy",
    false,
);

/// A method for the motion between impacts, with its options.
pub trait Base: Debug + Send + Sync {
    /// What makes its steps.
    type Workspace: BaseStepper + 'static;

    /// Name with parameters, for reports.
    fn describe(&self) -> String;

    /// See [`Scheme::check`].
    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        let _ = system;
        Ok(())
    }

    /// Whether it takes contacts in space.
    fn takes_space(&self) -> bool {
        false
    }

    /// The workspace of a run; what the first step needs to remember comes by [`BaseStepper::restart`].
    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Self::Workspace, StepError>;
}

/// A base at work.
pub trait BaseStepper: Debug + Send {
    /// One step from `state` with forces alone. The contacts closed at q_i are active in the stage on entry. Fills `end`,
    /// which has the memory of `state` on entry and old values in the rest, with q_{i+1}, v⁻_{i+1}, the forces λ, their impulses P over the step, and the memory;
    /// records the contacts as [`ImpulseKind::Force`]. Returns the iterations.
    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<usize, StepError>;

    /// Computes what the base remembers of accelerations and forces, when the run begins and anew after an impact: then it
    /// belongs to the velocities before it.
    fn restart(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<(), StepError> {
        let _ = (system, stage, state);
        Ok(())
    }

    /// See [`Stepper::stretch`].
    fn stretch(&self, state: &mut State, ratio: f64) {
        let _ = (state, ratio);
    }

    /// A configuration at (t_{i+1}, q_{i+1}) after the step, if the base happens to have one.
    fn at_end(&self) -> Option<&Configuration> {
        None
    }

    /// Whether a step that ends in an impact has no contact forces by definition.
    fn lets_go(&self) -> bool {
        false
    }

    /// Whether contacts that pressed where a step ended stay closed, even if the drift of their gaps has opened them. For
    /// a base that holds accelerations; one that holds velocities needs it not.
    fn keeps_pressed(&self) -> bool {
        false
    }

    /// v⁻ again, without contact forces, at the positions found; for a base that [lets go](BaseStepper::lets_go).
    fn let_go(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
        end: &mut State,
    ) -> Result<(), StepError> {
        let _ = (system, stage, state, dt, end);
        Ok(())
    }
}

/// A base step, then the impact.
#[derive(Clone, Copy, Debug)]
pub struct Mixed<B> {
    base: B,
    /// Parts of a step that ends in an impact.
    parts: usize,
    /// Whether the base starts anew after an impact; goes on with what it remembers from before if not, as published.
    restarts: bool,
}

impl<B: Base + 'static> Mixed<B> {
    /// Puts a base into the frame, with [`PARTS`].
    pub fn of(base: B, values: &Values) -> Box<dyn Scheme> {
        Box::new(Self { base, parts: values.whole(&PARTS), restarts: true })
    }

    /// The same with [`RESTART`].
    pub fn with_restart(base: B, values: &Values) -> Box<dyn Scheme> {
        Box::new(Self { base, parts: values.whole(&PARTS), restarts: values.switch(&RESTART) })
    }
}

impl<B: Base> Scheme for Mixed<B> {
    fn describe(&self) -> String {
        match self.parts {
            1 => self.base.describe(),
            parts => format!("{}, steps with impacts in {parts} parts", self.base.describe()),
        }
    }

    fn takes_contacts(&self) -> ContactsTaken {
        ContactsTaken {
            in_space: self.base.takes_space(),
            resisting: self.base.takes_space(),
            changing: false,
        }
    }

    fn reactions(&self) -> Reactions {
        Reactions::Forces
    }

    fn check(&self, system: &dyn System) -> Result<(), StepError> {
        self.base.check(system)
    }

    fn start(
        &self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
    ) -> Result<Box<dyn Stepper>, StepError> {
        let impulse = Impulse::start(system, stage, state)?;
        let mut base = self.base.start(system, stage, state)?;
        stage.begin();
        base.restart(system, stage, state)?;
        state.closed.clear();
        Ok(Box::new(Workspace {
            step: OneStep {
                base,
                restarts: self.restarts,
                impulse,
                end: state.clone(),
                jump: Vec::with_capacity(state.P.len()),
                recorded: 0,
            },
            parts: self.parts,
            part: state.clone(),
            sum_b: vec![0.0; state.P_b.len()],
            sum: vec![0.0; state.P.len()],
        }))
    }
}

/// Memory: that of the base.
#[derive(Debug)]
struct Workspace<B> {
    step: OneStep<B>,
    parts: usize,
    /// Where a step that is made in parts has come to.
    part: State,
    /// Impulses of the parts made so far: joints, contacts.
    sum_b: Vec<f64>,
    sum: Vec<f64>,
}

/// A step, or a part of one: the base, then the impact.
#[derive(Debug)]
struct OneStep<B> {
    base: B,
    restarts: bool,
    impulse: Impulse,
    end: State,
    jump: Vec<f64>,
    /// Records made before the base step.
    recorded: usize,
}

impl<B: BaseStepper> OneStep<B> {
    /// The base step from `state` into `self.end`. Whether it ends in an impact, which is then still to come.
    fn base_step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<(bool, usize), StepError> {
        let end = &mut self.end;
        end.memory.clone_from(&state.memory);
        let at = self.impulse.at();
        if stage.has_contacts() {
            at.move_to(system, state.t, &state.q);
            stage.activate(system, at);
            if self.base.keeps_pressed() {
                stage.keep_pressed(&state.lambda, ANY_GAP);
            }
            stage.remember_closed();
            // closed, but not by the step before: it may be about to hit
            if stage.active() != state.closed && stage.is_active() {
                at.v.copy_from_slice(&state.v);
                expect_impacts(system, stage, at, state);
                stage.activate_closed(system, None);
            }
        }
        self.recorded = stage.records().len();
        let iterations = self.base.step(system, stage, state, dt, end)?;
        end.t = state.t + dt;
        if let Some(velocity) = end.v.iter().position(|v| !v.is_finite()) {
            return Err(StepError::NotFinite { t: state.t, velocity });
        }
        let hits = stage.has_contacts() && {
            match self.base.at_end() {
                Some(there) => at.clone_position_from(there),
                None => at.move_to(system, end.t, &end.q),
            }
            let hits = stage.activate_new(system, at);
            if self.base.keeps_pressed() {
                stage.keep_pressed(&end.lambda, ANY_GAP);
            }
            end.closed.clear();
            end.closed.extend_from_slice(stage.active());
            hits
        };
        Ok((hits, iterations))
    }

    /// The impact at the end of the base step.
    fn impact(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<(), StepError> {
        let end = &mut self.end;
        if self.base.lets_go() {
            stage.forget_records(self.recorded);
            self.base.let_go(system, stage, state, dt, end)?;
        }
        let at = self.impulse.at();
        at.move_to_state(system, end);
        stage.activate(system, at);
        if self.base.keeps_pressed() {
            stage.keep_pressed(&end.lambda, ANY_GAP);
        }
        self.jump.clear();
        self.jump.resize(end.P.len(), 0.0);
        stage.prepare(system, at, true, &self.jump, 0.0);
        self.impulse.v.copy_from_slice(&end.v);
        // over no time: what rubs with a constant force gives no impulse
        self.impulse.solve(system, stage, state.t, 0.0)?;
        stage.scatter(1.0, &mut self.jump);
        stage.record(ImpulseKind::Impact, &self.impulse.v, &self.jump);
        end.v.copy_from_slice(&self.impulse.v);
        for (P, Lambda) in end.P_b.iter_mut().zip(&self.impulse.P_b) {
            *P += Lambda;
        }
        for (P, Lambda) in end.P.iter_mut().zip(&self.jump) {
            *P += Lambda;
        }
        if self.restarts { self.base.restart(system, stage, end) } else { Ok(()) }
    }
}

impl<B: BaseStepper> Workspace<B> {
    /// The step in parts, each with its own impact if it has one.
    fn in_parts(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &State,
        dt: f64,
    ) -> Result<usize, StepError> {
        let Self { step, parts, part, sum_b, sum } = self;
        part.clone_from(state);
        sum_b.fill(0.0);
        sum.fill(0.0);
        let mut total = 0;
        for _ in 0..*parts {
            let (hits, iterations) = step.base_step(system, stage, part, dt / *parts as f64)?;
            if hits {
                step.impact(system, stage, part, dt / *parts as f64)?;
            }
            part.clone_from(&step.end);
            for (sum, P) in sum_b.iter_mut().zip(&part.P_b).chain(sum.iter_mut().zip(&part.P)) {
                *sum += P;
            }
            total += iterations;
        }
        // the impulses of a step are those of all its parts
        step.end.P_b.copy_from_slice(sum_b);
        step.end.P.copy_from_slice(sum);
        Ok(total)
    }
}

impl<B: BaseStepper> Stepper for Workspace<B> {
    fn stretch(&self, state: &mut State, ratio: f64) {
        self.step.base.stretch(state, ratio);
    }

    fn step(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        state: &mut State,
        dt: f64,
    ) -> Result<StepReport, StepError> {
        stage.begin();
        let (hits, mut iterations) = self.step.base_step(system, stage, state, dt)?;
        if hits && self.parts > 1 {
            stage.forget_records(0);
            iterations += self.in_parts(system, stage, state, dt)?;
        } else if hits {
            self.step.impact(system, stage, state, dt)?;
        }
        // the old state becomes room for the next end
        std::mem::swap(state, &mut self.step.end);
        Ok(report(stage, iterations))
    }
}

/// Closed contacts that the step before did not see closed, and that approach, are counted as open: their impact is due.
fn expect_impacts(system: &dyn System, stage: &mut ContactStage, at: &Configuration, state: &State) {
    stage.prepare(system, at, false, &state.P, 0.0);
    let fastest = state.v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    let mut row = 0;
    for k in 0..stage.active().len() {
        let contact = stage.active()[k];
        let dry = matches!(stage.kind(contact), ContactKind::Dry { .. });
        let new = !state.closed.contains(&contact);
        if new && !dry && stage.velocity(row, &state.v) < -APPROACHES * fastest {
            stage.mark_as_impact(contact);
        }
        row += stage.kind(contact).dim();
    }
}
