//! A run: steps, retries, error control, recording.

mod checks;
mod controlled;
mod resume;

pub use resume::Saved;

use crate::chart::{leaves, weights_of_q};
use crate::diagnostics::{energy_of_a_step, redundant_joints};
use crate::estimate::Trail;
use crate::first_forces::first_forces;
use crate::recorder::{Recorder, weights};
use crate::schemes::report;
use crate::stepping::Control;
use crate::{
    ContactRecord, ContactStage, ProblemWatch, Reactions, Recording, Scheme, StartError, State, StepError,
    StepReport, Stepper, Stop, Summary, System,
};
use carom_solve::ContactSolver;
use controlled::lightest;

/// A step that fails is repeated as 2, 4, ... smaller ones, up to 2 to this power.
const MOST_HALVINGS: u32 = 10;
/// Samples of a run for which no output interval was asked.
const USUAL_SAMPLES: f64 = 4000.0;
/// Samples that there is room for from the beginning, at most.
const MOST_ROOM: f64 = 1_048_576.0;
/// The smallest step of error control, relative to the length of the run: two impacts closer than this are one.
const SMALLEST_STEP: f64 = 1e-12;

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Step size, or the first one with `accuracy` (s).
    pub step: f64,
    /// End time (s).
    pub end: f64,
    /// Error allowed over the run in the coordinates, relative to the mechanism's size (angles: in rad); none: fixed step.
    pub accuracy: Option<f64>,
    /// Time between samples (s), met exactly with `accuracy`, and by the first step after it otherwise; none: some thousand
    /// samples over the run.
    pub output: Option<f64>,
}

impl Settings {
    /// Time between samples (s) of a run that begins at `start`.
    fn sample_every(&self, start: f64) -> f64 {
        let duration = self.end - start;
        match (self.output, self.accuracy) {
            (Some(output), _) => output,
            (None, Some(_)) => duration / USUAL_SAMPLES,
            // a whole number of steps
            (None, None) => self.step * (duration / self.step / USUAL_SAMPLES).ceil().max(1.0),
        }
    }
}

/// What a progress display may want to know.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Simulated time (s).
    pub t: f64,
    /// End time (s).
    pub end: f64,
    /// Accepted steps.
    pub steps: usize,
    /// Impacts so far.
    pub impacts: usize,
    /// Largest contact residual so far.
    pub worst_residual: f64,
    /// What the run is for; empty for the run itself.
    pub purpose: &'static str,
}

/// Sums over accepted steps.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    steps: usize,
    step_range: (f64, f64),
    newton_iterations: usize,
    contact_problems: usize,
    contact_iterations: usize,
}

/// A system, a scheme, a contact solver and a state, run together.
///
/// ```
/// # use carom_dynamics::*;
/// # #[allow(non_snake_case)]
/// # mod ball {
/// #   use carom_dynamics::*;
/// #   pub struct Ball(pub Structure);
/// #   impl System for Ball {
/// #     fn structure(&self) -> &Structure { &self.0 }
/// #     fn mass(&self, _: &Configuration, M: &mut [f64]) { M[0] = 1.0 }
/// #     fn force(&self, _: &Configuration, h: &mut [f64]) { h[0] = -10.0 }
/// #     fn gaps(&self, at: &Configuration, g: &mut [f64]) { g[0] = at.q()[0] }
/// #     fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
/// #       for _ in active { W.begin_row(0.0); W.push(0, 1.0) }
/// #     }
/// #     fn energy(&self, at: &Configuration) -> Energy {
/// #       Energy { kinetic: 0.5 * at.v[0] * at.v[0], potential: 10.0 * at.q()[0], strain: 0.0 }
/// #     }
/// #     fn observe(&self, at: &Configuration, out: &mut [f64]) { out[0] = at.q()[0] }
/// #   }
/// # }
/// # let floor = ContactInfo::new("floor", ContactKind::Unilateral { restitution: 0.5 });
/// # let sizes = Sizes { q: 1, v: 1, constraints: 0, contacts: 1 };
/// # let pattern = Pattern { mass: vec![(0, 0)], ..Default::default() };
/// # let ball = ball::Ball(Structure {
/// #     mass_is_constant: true,
/// #     contacts: vec![floor],
/// #     channels: vec![Channel::new("ball", "y", "m")],
/// #     ..Structure::new(sizes, pattern, 1.0)
/// # });
/// let settings = Settings { step: 1e-3, end: 2.0, accuracy: None, output: None };
/// let state = State::new(&ball, 0.0, vec![1.0], vec![0.0]);
/// let scheme = scheme("moreau-jean", &[]).unwrap();
/// let solver = carom_solve::solver("auto").unwrap();
/// let mut simulation = Simulation::new(&ball, &*scheme, solver, state, settings).unwrap();
/// simulation.run(|_| true);
/// assert!(simulation.state().q[0].abs() < 1e-2);
/// ```
pub struct Simulation<'s> {
    system: &'s dyn System,
    /// The scheme with its parameters, in words, and what makes its steps.
    scheme: String,
    stepper: Box<dyn Stepper>,
    stage: ContactStage,
    state: State,
    settings: Settings,
    start: f64,
    recorder: Recorder,
    /// Copies of the state for retries and step doubling.
    before: State,
    coarse: State,
    /// 1 over the error that counts as one, per velocity.
    weight: Vec<f64>,
    /// The same per coordinate.
    weight_q: Vec<f64>,
    /// How far the step and its halves are apart.
    apart: Vec<f64>,
    /// The accuracy bounds the error of each step.
    per_step: bool,
    /// Where it was at times that somebody asks for.
    trail: Option<Trail>,
    /// Time of the next sample, and how many intervals that is from the start.
    next_sample: f64,
    sample_number: f64,
    sample_every: f64,
    /// Size of the last accepted step, and of the next one to try.
    dt: f64,
    next_dt: f64,
    nominal_steps: usize,
    counters: Counters,
    retries: usize,
    rejected: usize,
    /// With error control: the fastest velocity so far, weighted (1/s); the lightest that moves (kg); contacts in the first
    /// half of a step, and in the last half of the step before.
    fastest: f64,
    lightest: f64,
    first_half: Vec<ContactRecord>,
    last_half: Vec<ContactRecord>,
    /// Halves of the step before (s), 0 at first; its size and Δv where it was accepted as one through an impact.
    half: f64,
    rough: Option<(f64, f64)>,
    /// Steps with an error above what they may have: how many, the sum of their errors, when the first was.
    unmet: (usize, f64, f64),
    redundant: Vec<String>,
    /// Whether the scheme chooses its steps.
    owns_steps: bool,
    stop: Option<Stop>,
}

impl<'s> Simulation<'s> {
    /// Checks the settings, sizes everything and takes the first sample.
    pub fn new(
        system: &'s dyn System,
        scheme: &dyn Scheme,
        solver: Box<dyn ContactSolver>,
        mut state: State,
        settings: Settings,
    ) -> Result<Self, StartError> {
        checks::settings(system, scheme, &state, settings)?;
        checks::laws(system, &*solver)?;
        let mut stage = ContactStage::new(system, solver);
        let explained = |e: StepError| StartError::Step(e.explain(system));
        checks::contacts(system, scheme, settings.accuracy.is_some()).map_err(explained)?;
        stage.list_contacts(system, &mut state, settings.step);
        let mut stepper = scheme.start(system, &mut stage, &mut state).map_err(explained)?;
        let mut owns_steps = false;
        if let Some(own) = stepper.own_steps() {
            let Settings { accuracy, step, end, .. } = settings;
            own.control(Control { accuracy, step, start: state.t, end })?;
            owns_steps = true;
        }
        let redundant = redundant_joints(&mut stage.operator, system, &state);
        let sample_every = settings.sample_every(state.t);
        let recorder = first_sample(system, scheme, &mut stage, &state, settings, owns_steps);
        let dt = settings.step.min(settings.end - state.t);
        Ok(Self {
            system,
            scheme: scheme.describe(),
            stepper,
            stage,
            start: state.t,
            before: state.clone(),
            coarse: state.clone(),
            next_sample: state.t + sample_every,
            sample_number: 1.0,
            lightest: lightest(system, &state),
            state,
            settings,
            recorder,
            weight: weights(system),
            weight_q: weights_of_q(&system.structure().rotations, &weights(system)),
            apart: vec![0.0; system.structure().sizes.v],
            per_step: false,
            trail: None,
            sample_every,
            dt,
            next_dt: dt,
            nominal_steps: 0,
            counters: Counters { step_range: (f64::INFINITY, 0.0), ..Default::default() },
            retries: 0,
            rejected: 0,
            fastest: 0.0,
            first_half: Vec::new(),
            last_half: Vec::new(),
            half: 0.0,
            rough: None,
            unmet: (0, 0.0, 0.0),
            redundant,
            owns_steps,
            stop: None,
        })
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The contact stage, with the records of the last step.
    pub fn stage(&self) -> &ContactStage {
        &self.stage
    }

    /// Shows every contact problem from now on to `watch`.
    pub fn watch_problems(&mut self, watch: Box<dyn ProblemWatch>) {
        self.stage.watch_problems(watch);
    }

    /// Looks for blocks of Ŵ from so many contacts on; the answers are the same to the tolerance of the solver.
    pub fn look_for_blocks_from(&mut self, contacts: usize) {
        self.stage.look_for_blocks_from(contacts);
    }

    /// From now on the accuracy bounds the error of each step, as in the literature, not that of the result.
    pub fn bound_each_step(&mut self) {
        self.per_step = true;
        if let Some(own) = self.stepper.own_steps() {
            own.bound_each_step();
        }
    }

    /// Remembers where it is at these times from now on, in order.
    pub fn leave_trail(&mut self, times: Vec<f64>) {
        self.trail = Some(Trail::new(times, &self.weight, &self.system.structure().rotations));
    }

    /// Where it was at the times asked for.
    pub fn trail(&self) -> Option<&Trail> {
        self.trail.as_ref()
    }

    /// What it was asked for.
    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Time between samples (s).
    pub(crate) fn sample_every(&self) -> f64 {
        self.sample_every
    }

    /// Whether anything hit, stuck, slipped or let go.
    pub(crate) fn saw_events(&self) -> bool {
        self.recorder.saw_events()
    }

    /// The share of impacts that came at the same time as one of another contact.
    pub(crate) fn impacts_together(&self) -> f64 {
        self.recorder.impacts_together()
    }

    /// Whether the scheme locates what happens.
    pub(crate) fn owns_steps(&self) -> bool {
        self.owns_steps
    }

    /// Everything recorded so far.
    pub fn recording(&self) -> Recording {
        self.recorder.recording(self.system)
    }

    /// Whether the run is over.
    pub fn is_done(&self) -> bool {
        self.stop.is_some()
    }

    /// Runs to the end. `watch` is called now and then and stops the run by answering false.
    pub fn run(&mut self, mut watch: impl FnMut(&Progress) -> bool) -> Stop {
        while self.stop.is_none() {
            self.advance();
            if self.counters.steps.is_multiple_of(64) && !watch(&self.progress()) && self.stop.is_none() {
                self.close(Stop::Interrupted);
            }
        }
        watch(&self.progress());
        self.stop.clone().expect("the loop ends when there is a reason to stop")
    }

    /// One nominal step (with whatever retries it needs), or one accepted step of error control.
    pub fn advance(&mut self) {
        if self.stop.is_some() {
            return;
        }
        let result = match self.settings.accuracy {
            _ if self.owns_steps => self.own_step(),
            None => self.fixed_step(),
            Some(accuracy) => self.controlled_step(accuracy),
        };
        match result {
            Err(error) => self.close(Stop::Failed(error.explain(self.system))),
            Ok(()) => {
                if let Some(trail) = &mut self.trail {
                    trail.see(&self.before, &self.state);
                }
                let round = 1e-9 * self.dt.min(self.sample_every);
                let over = self.state.t >= self.settings.end - round || self.recorder.is_stopped();
                if self.state.t >= self.next_sample - round || over {
                    self.sample();
                    self.pass_samples(round);
                }
                if over {
                    let wrong = self.recorder.plainly_wrong(self.system, &self.state);
                    self.stop =
                        Some(wrong.map_or(Stop::Done, |wrong| Stop::Failed(wrong.explain(self.system))));
                }
            }
        }
    }

    /// The next sample is the first one after now. Multiples of the interval, not sums of it; an interval below the step leaves
    /// some out.
    fn pass_samples(&mut self, round: f64) {
        let passed = ((self.state.t + round - self.start) / self.sample_every).floor();
        self.sample_number = passed.max(self.sample_number) + 1.0;
        self.next_sample = self.start + self.sample_number * self.sample_every;
    }

    /// One step of a scheme that chooses its steps: to the next multiple of the step where they have one size, to the end at
    /// most. Samples inside are taken from inside the step.
    fn own_step(&mut self) -> Result<(), StepError> {
        let target = match self.settings.accuracy {
            Some(_) => self.settings.end,
            None => {
                let close = 1e-9 * self.settings.step;
                if self.state.t >= self.start + self.nominal_steps as f64 * self.settings.step - close {
                    self.nominal_steps += 1;
                }
                let target = self.start + self.nominal_steps as f64 * self.settings.step;
                if self.settings.end - target < close { self.settings.end } else { target }
            }
        };
        let meets = self.meets_samples();
        let own = self.stepper.own_steps().expect("asked when the run began");
        if meets {
            own.meet(self.next_sample);
        }
        self.before.clone_from(&self.state);
        let advance = own.advance(self.system, &mut self.stage, &mut self.state, target)?;
        self.retries += advance.retries;
        self.rejected += advance.rejected;
        if advance.unmet > 0.0 {
            self.unmet(advance.unmet);
        }
        if advance.stepping {
            self.accept(advance.dt, &advance.report);
            return Ok(());
        }
        self.recorder.knows_forces();
        // samples inside, each with the work since the one before
        let (mut from, round) = (self.before.t, 1e-9 * advance.dt.min(self.sample_every));
        while self.next_sample < self.state.t - round {
            let t = self.next_sample;
            let own = self.stepper.own_steps().expect("asked when the run began");
            self.recorder.add_work(&own.work(self.system, from, t)?);
            own.inside(self.system, t, &mut self.before)?;
            self.recorder.sample(self.system, self.stage.contacts(), &self.before, advance.dt);
            from = t;
            self.sample_number += 1.0;
            self.next_sample = self.start + self.sample_number * self.sample_every;
        }
        if let Some(trail) = &mut self.trail {
            while let Some(t) = trail.next().filter(|t| *t < self.state.t - round) {
                let own = self.stepper.own_steps().expect("asked when the run began");
                own.inside(self.system, t, &mut self.coarse)?;
                trail.push(&self.coarse);
            }
        }
        self.recorder.see_forces(self.stage.contacts(), &self.state);
        let own = self.stepper.own_steps().expect("asked when the run began");
        if self.state.t > from {
            self.recorder.add_work(&own.work(self.system, from, self.state.t)?);
        }
        let outcome =
            if advance.event { own.resolve(self.system, &mut self.stage, &mut self.state) } else { Ok(()) };
        let report = report(&self.stage, advance.report.newton_iterations);
        self.count(advance.dt, &report);
        let own = self.stepper.own_steps().expect("asked when the run began");
        self.recorder.own_step(self.system, &self.stage, &self.state, &report, own);
        if own.stopped_by().is_some() {
            self.recorder.stop();
        }
        outcome
    }

    fn fixed_step(&mut self) -> Result<(), StepError> {
        // times are multiples of the step, not sums of it
        let target =
            (self.start + (self.nominal_steps + 1) as f64 * self.settings.step).min(self.settings.end);
        let close = 1e-9 * self.settings.step;
        let target = if self.settings.end - target < close { self.settings.end } else { target };
        let nominal = target - self.state.t;
        let dt = if (nominal - self.settings.step).abs() < close { self.settings.step } else { nominal };
        self.nominal_steps += 1;
        if self.trail.as_ref().and_then(Trail::next).is_some_and(|t| t < target - close) {
            self.before.clone_from(&self.state);
        }
        let mut error = match self.try_step(dt) {
            Ok(()) => {
                self.state.t = target;
                return Ok(());
            }
            Err(error) => error,
        };
        // the whole step again in 2, 4, 8, ... parts
        for halvings in 1..=MOST_HALVINGS {
            self.retries += 1;
            self.recorder.retry(self.state.t);
            let parts = 1u32 << halvings;
            let part = (target - self.state.t) / f64::from(parts);
            let outcome = (0..parts).try_for_each(|_| self.try_step(part));
            match outcome {
                Ok(()) => {
                    self.state.t = target;
                    return Ok(());
                }
                // parts that were made stay made: they are good steps
                Err(e) => error = e,
            }
            if target - self.state.t < close {
                return Ok(());
            }
        }
        Err(error)
    }

    /// One step; the state is as before if it fails.
    #[inline]
    fn try_step(&mut self, dt: f64) -> Result<(), StepError> {
        stays_in_chart(self.system, &self.state, dt)?;
        self.stage.list_contacts(self.system, &mut self.state, dt);
        let report = self.stepper.step(self.system, &mut self.stage, &mut self.state, dt)?;
        self.accept(dt, &report);
        Ok(())
    }

    fn accept(&mut self, dt: f64, report: &StepReport) {
        self.count(dt, report);
        self.recorder.step(self.system, &self.stage, &self.state, dt, report);
    }

    fn count(&mut self, dt: f64, report: &StepReport) {
        self.dt = dt;
        let sum = &mut self.counters;
        sum.steps += 1;
        sum.step_range = (sum.step_range.0.min(dt), sum.step_range.1.max(dt));
        sum.newton_iterations += report.newton_iterations;
        sum.contact_problems += report.contact_problems;
        sum.contact_iterations += report.contact_iterations;
    }

    /// Takes note of a step that ended here with an error above what it may have.
    fn unmet(&mut self, error: f64) {
        if self.unmet.0 == 0 {
            self.unmet.2 = self.state.t;
        }
        self.unmet.0 += 1;
        self.unmet.1 += error;
    }

    /// Whether samples were asked for that steps are to end at; not where no step is as short as the interval.
    fn meets_samples(&self) -> bool {
        let shortest = SMALLEST_STEP * (self.settings.end - self.start);
        self.settings.accuracy.is_some() && self.settings.output.is_some_and(|every| every > shortest)
    }

    /// A step that would pass a sample that was asked for ends there, and one that would leave a sliver before it goes half the
    /// way. Whether it ends there.
    fn cut_at_sample(&self, dt: f64) -> (f64, bool) {
        let way = self.next_sample - self.state.t;
        match self.meets_samples() {
            true if dt >= way * (1.0 - 1e-9) => (way, true),
            true if dt > 0.5 * way => (0.5 * way, false),
            _ => (dt, false),
        }
    }

    fn sample(&mut self) {
        self.recorder.sample(self.system, self.stage.contacts(), &self.state, self.dt);
    }

    fn close(&mut self, stop: Stop) {
        self.sample();
        self.stop = Some(stop);
    }

    fn progress(&self) -> Progress {
        Progress {
            t: self.state.t,
            end: self.settings.end,
            steps: self.counters.steps,
            impacts: self.recorder.impacts(),
            worst_residual: self.recorder.worst_residual(),
            purpose: "",
        }
    }

    /// Counters and verdicts.
    pub fn summary(&self) -> Summary {
        let stop = self.stop.clone().unwrap_or(Stop::Interrupted);
        let failures = self.retries + usize::from(matches!(stop, Stop::Failed(_)));
        Summary {
            scheme: self.scheme.clone(),
            stop,
            t: self.state.t,
            steps: self.counters.steps,
            step_range: self.counters.step_range,
            retries: self.retries,
            rejected: self.rejected,
            newton_iterations: self.counters.newton_iterations,
            factorisations: self.stage.operator.factorisations() + self.stepper.factorisations(),
            tangent_factorisations: self.stage.operator.tangent_factorisations(),
            contact_problems: self.counters.contact_problems,
            contact_iterations: self.counters.contact_iterations,
            impacts: self.recorder.impacts(),
            audit: {
                let mut audit = self.recorder.audit(self.system, failures, self.redundant.clone());
                (audit.unmet, audit.unmet_error, audit.unmet_t) = self.unmet;
                audit.verdict = audit.sentence(self.system.structure().length_scale, None);
                audit
            },
            estimate: None,
            phases: self.stepper.phases(),
            digest: self.recorder.digest(),
        }
    }
}

/// The recorder with the first sample, and the forces where the run begins.
fn first_sample(
    system: &dyn System,
    scheme: &dyn Scheme,
    stage: &mut ContactStage,
    state: &State,
    settings: Settings,
    owns_steps: bool,
) -> Recorder {
    // room for the samples of a usual run; no output interval asks for more than memory holds
    let samples = ((settings.end - state.t) / settings.sample_every(state.t)).min(MOST_ROOM) as usize + 3;
    let stillness = energy_of_a_step(&mut stage.operator, system, state, settings.step);
    let reactions = scheme.reactions();
    let mut first = state.clone();
    let v_dot = first_forces(system, &mut first, settings.step, reactions);
    let by_impulses = owns_steps || reactions == Reactions::Impulses;
    Recorder::new(system, stage.contacts(), &first, samples, stillness, reactions, by_impulses, v_dot)
}

/// Whether no body turns by more than half a turn in a step.
fn stays_in_chart(system: &dyn System, state: &State, dt: f64) -> Result<(), StepError> {
    let rotations = &system.structure().rotations;
    if rotations.is_empty() {
        return Ok(());
    }
    match leaves(rotations, &state.v, dt) {
        Some(velocity) => Err(StepError::TurnsTooFar { t: state.t, velocity }),
        None => Ok(()),
    }
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("scheme", &self.scheme)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
