//! A run that stops on the way, and one that is taken up again with the same bits.
//!
//! A step of fixed size depends on the [`State`] and on the grid of times alone, so both are all there is to save. Schemes that
//! choose their steps, and steps by their error, carry more; there the save itself begins a new piece of integration, and the run
//! that is taken up begins the same one.

use super::{Simulation, Trail};
use crate::record::Stop;
use crate::scheme::Scheme;
use crate::stepping::Control;
use crate::{Configuration, Progress, Settings, StartError, State, System};
use carom_solve::ContactSolver;
use serde::{Deserialize, Serialize};

/// All that a run needs to go on with the same bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// Where it is.
    pub state: State,
    /// When it began (s): times of steps and samples are multiples from there.
    start: f64,
    /// How many steps of the nominal size that is from the start.
    nominal_steps: usize,
    /// How many intervals of samples the next sample is from the start.
    sample_number: f64,
}

impl<'s> Simulation<'s> {
    /// Runs until `t` (s): to the first step that reaches it where steps have one size, else to `t` itself. `watch` is called
    /// now and then and stops the run by answering false. Answers why the run is over, if it is.
    pub fn run_until(&mut self, t: f64, mut watch: impl FnMut(&Progress) -> bool) -> Option<Stop> {
        if t >= self.settings.end {
            return Some(self.run(watch));
        }
        let meets = self.owns_steps || self.settings.accuracy.is_some();
        let (close, end) = (1e-9 * self.settings.step, self.settings.end);
        if meets {
            self.settings.end = t;
        }
        while self.stop.is_none() && self.state.t < t - close {
            self.advance();
            if self.counters.steps.is_multiple_of(64) && !watch(&self.progress()) && self.stop.is_none() {
                self.close(Stop::Interrupted);
            }
        }
        self.settings.end = end;
        if meets && self.stop == Some(Stop::Done) && !self.recorder.is_stopped() {
            self.stop = None;
        }
        self.stop.clone()
    }

    /// Values of [`Structure::channels`](crate::Structure::channels) now.
    pub fn observe(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.system.structure().channels.len()];
        let at = Configuration::new(self.system, self.state.t, &self.state.q, &self.state.v);
        self.system.observe(&at, &mut values);
        values
    }

    /// Whether a step failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.stop, Some(Stop::Failed(_)))
    }

    /// Lets a run that was only interrupted go on.
    pub fn go_on(&mut self) {
        if self.stop == Some(Stop::Interrupted) {
            self.stop = None;
        }
    }

    /// What it needs to go on from here. `scheme` is the one that it runs with.
    pub fn save(&mut self, scheme: &dyn Scheme) -> Result<Saved, StartError> {
        if self.owns_steps || self.settings.accuracy.is_some() {
            self.begin_again(scheme).map(|_| ())?;
        }
        let Self { state, start, nominal_steps, sample_number, .. } = self;
        Ok(Saved {
            state: state.clone(),
            start: *start,
            nominal_steps: *nominal_steps,
            sample_number: *sample_number,
        })
    }

    /// A run that goes on from where another one was saved, with a recording of its own.
    pub fn take_up(
        system: &'s dyn System,
        scheme: &dyn Scheme,
        solver: Box<dyn ContactSolver>,
        saved: &Saved,
        settings: Settings,
    ) -> Result<Self, StartError> {
        let mut simulation = Self::new(system, scheme, solver, saved.state.clone(), settings)?;
        if !simulation.owns_steps {
            simulation.state.clone_from(&saved.state);
        }
        simulation.start = saved.start;
        simulation.nominal_steps = saved.nominal_steps;
        simulation.sample_number = saved.sample_number;
        simulation.next_sample = saved.start + saved.sample_number * simulation.sample_every;
        Ok(simulation)
    }

    /// Says that forces jumped between two steps, by a change from outside: what the scheme remembers of them is made anew.
    /// `scheme` is the one that it runs with.
    pub fn forces_jumped(&mut self, scheme: &dyn Scheme) -> Result<(), StartError> {
        let (P, P_b) = (self.state.P.clone(), self.state.P_b.clone());
        self.state.memory.clear();
        let memory = self.begin_again(scheme)?;
        self.state.memory = memory;
        // first guesses of the next step
        (self.state.P, self.state.P_b) = (P, P_b);
        Ok(())
    }

    /// Forgets what steps were like so far, as a new run does not know it. Answers what the scheme begins with in its memory.
    fn begin_again(&mut self, scheme: &dyn Scheme) -> Result<Vec<f64>, StartError> {
        let system = self.system;
        let saved = self.state.clone();
        self.stage.list_contacts(system, &mut self.state, self.settings.step);
        self.stepper = scheme
            .start(system, &mut self.stage, &mut self.state)
            .map_err(|e| StartError::Step(e.explain(system)))?;
        let memory = self.state.memory.clone();
        match self.stepper.own_steps() {
            Some(own) => {
                let Settings { accuracy, step, end, .. } = self.settings;
                own.control(Control { accuracy, step, start: self.state.t, end })?;
                if self.per_step {
                    own.bound_each_step();
                }
            }
            None => self.state.clone_from(&saved),
        }
        let duration = self.settings.end - self.state.t;
        self.dt = self.settings.step.min(duration);
        self.next_dt = self.dt;
        self.fastest = 0.0;
        self.first_half.clear();
        self.last_half.clear();
        self.half = 0.0;
        self.rough = None;
        debug_assert!(
            self.trail.as_ref().is_none_or(|trail: &Trail| trail.next().is_none()),
            "nobody saves an estimate"
        );
        Ok(memory)
    }
}
