//! A run and its coarser or finer companions.
//!
//! ```text
//!   a step h:        the run, then 2h and 4h (long runs 4h and 8h); 1.25 h where 2h fails; the coarsest with a twin where
//!                    positions are lost
//!   an accuracy A:   tolerance A, then 10 A; while the estimate is above 3 A: a tighter tolerance, beside the run before
//!   certified:       h, h/2, h/4, ... until the estimate is below what was asked; the last run counts
//! ```

use super::{Ends, ErrorEstimate, Relation, Seen, TOGETHER, Trail, is_chaotic};
use crate::{
    ProblemWatch, Progress, Recording, Scheme, Settings, Simulation, StartError, State, Stop, Summary, System,
};
use carom_solve::ContactSolver;

/// Places along a run at which it is compared.
const PLACES: usize = 400;
/// Steps times velocities above which a run is long, and its companions take steps of 4h and 8h.
const LONG: f64 = 2e6;
/// A coarser run whose step is not much coarser, where twice the step fails; its difference is multiplied by the second.
const SLIGHTLY: f64 = 1.25;
/// A run with so large a share of the steps of another has the same steps.
const SAME_STEPS: f64 = 0.8;
/// The step of a twin over that of the run it is compared with.
const TWIN: f64 = 1.0 + 1e-8;
/// Companions of a run with a tolerance have so many times the tolerance.
const LOOSER: f64 = 10.0;
/// An estimate of up to so many times the accuracy that was asked for meets it: estimates are gloomy.
const MEETS: f64 = 3.0;
/// Repetitions with a tighter tolerance, and how much tighter at most and at least.
const MOST_REPEATS: usize = 8;
const TIGHTER: (f64, f64) = (1e-3, 0.2);
/// No repetition is begun, and no run for an accuracy is finished, that would take more steps than this, or more steps times
/// velocities than the second, though never fewer steps than the third.
const MOST_STEPS: f64 = 3e6;
const MOST_WORK: f64 = 3e7;
const FEW_STEPS: f64 = 1e5;
/// A run that is this part of these steps on its way is judged by where it is: not if it would take `FAR` times as many.
const EARLY: f64 = 0.03;
const FAR: f64 = 10.0;
/// A tolerance that is too tight is loosened by this much at least and at most, and never beyond the third.
const LOOSENED: (f64, f64) = (10.0, 1e4);
const LOOSEST: f64 = 1e-2;
/// An estimate that a tighter tolerance leaves at more than this part of itself, twice, is not one of tolerance.
const STALLED: f64 = 0.7;
/// Positions that a tighter tolerance keeps this many times as long were not lost to chaos.
const PUT_OFF: f64 = 1.5;
/// Halvings of the step until a certified run gives up.
const MOST_HALVINGS: usize = 10;
/// The tightest tolerance of a step.
const TIGHTEST: f64 = 1e-14;

/// What to spend on the estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Effort {
    /// No estimate: the run and nothing else.
    Nothing,
    /// About the run's own effort.
    #[default]
    Usual,
    /// As many runs as it takes until the estimated error is below this.
    Certify(f64),
}

/// All that runs of one mechanism have in common.
pub struct Runs<'a> {
    /// The mechanism.
    pub system: &'a dyn System,
    /// The scheme.
    pub scheme: &'a dyn Scheme,
    /// A new contact solver.
    pub solver: &'a dyn Fn() -> Box<dyn ContactSolver>,
    /// Where they begin.
    pub state: State,
    /// How the run is to be made.
    pub settings: Settings,
}

/// A run that is over, with what is known of its error.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// Channels and events.
    pub recording: Recording,
    /// Counters, audit, estimate, verdict.
    pub summary: Summary,
    /// The settings of the run that counts.
    pub settings: Settings,
    /// The run before the last one, of a certified run.
    pub beside: Option<Recording>,
}

/// Somebody who is told how far a run is, and stops it by answering false.
type Watch<'w> = &'w mut dyn FnMut(&Progress) -> bool;

impl std::fmt::Debug for Runs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runs").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl<'a> Runs<'a> {
    /// Makes the run, and what it takes to say how wrong it is. `problems` sees the contact problems of the first run.
    pub fn run(
        &self,
        effort: Effort,
        problems: Option<Box<dyn ProblemWatch>>,
        watch: Watch<'_>,
    ) -> Result<Trusted, StartError> {
        match (effort, self.settings.accuracy) {
            (Effort::Certify(target), Some(accuracy)) => {
                return self.with_tolerance(target.min(accuracy), true, problems, watch);
            }
            (Effort::Usual, Some(accuracy)) => return self.with_tolerance(accuracy, false, problems, watch),
            _ => {}
        }
        let places = if effort == Effort::Nothing { None } else { Some(self.places(self.settings.step)) };
        let run = self.one(self.settings, places.as_ref(), problems, watch, "")?;
        match effort {
            Effort::Nothing => Ok(self.trusted(&run, None, None)),
            _ if interrupted(&run) => Ok(self.trusted(&run, None, None)),
            Effort::Certify(target) => self.certify(run, target, watch),
            Effort::Usual => {
                let estimate = self.beside_coarser(&run, watch)?;
                Ok(self.trusted(&run, estimate, None))
            }
        }
    }

    /// One run to its end.
    fn one(
        &self,
        settings: Settings,
        places: Option<&Places>,
        problems: Option<Box<dyn ProblemWatch>>,
        watch: Watch<'_>,
        purpose: &'static str,
    ) -> Result<Simulation<'a>, StartError> {
        let mut run =
            Simulation::new(self.system, self.scheme, (self.solver)(), self.state.clone(), settings)?;
        if let Some(places) = places {
            run.leave_trail(places.times.clone());
        }
        if let Some(problems) = problems {
            run.watch_problems(problems);
        }
        run.run(|progress| watch(&Progress { purpose, ..*progress }));
        Ok(run)
    }

    /// The same, given up where it would take too many steps: then also how many times too many, at least.
    fn one_in_time(
        &self,
        settings: Settings,
        places: &Places,
        problems: Option<Box<dyn ProblemWatch>>,
        watch: Watch<'_>,
        purpose: &'static str,
    ) -> Result<(Simulation<'a>, Option<f64>), StartError> {
        let (start, most) = (self.state.t, self.most_steps());
        let mut too_many = None;
        let run = self.one(
            settings,
            Some(places),
            problems,
            &mut |progress| {
                let steps = progress.steps as f64;
                let all = steps * (progress.end - start) / (progress.t - start);
                if steps > most || (steps > EARLY * most && all > FAR * most) {
                    too_many = Some((all / most).max(1.0));
                    return false;
                }
                watch(progress)
            },
            purpose,
        )?;
        let too_many = too_many.filter(|_| interrupted(&run));
        Ok((run, too_many))
    }

    /// Steps that a run for an accuracy may take.
    fn most_steps(&self) -> f64 {
        (MOST_WORK / self.system.structure().sizes.v.max(1) as f64).clamp(FEW_STEPS, MOST_STEPS)
    }

    /// The same with a step that is coarser or a tolerance that is looser; none if it was interrupted or could not begin.
    fn companion(&self, settings: Settings, places: &Places, watch: Watch<'_>) -> Option<Simulation<'a>> {
        // a companion has few samples on the way; where steps are chosen, none that cut its steps: cut alike, two runs err alike
        let few = (settings.end - self.state.t) / PLACES as f64;
        let output = settings.accuracy.is_none().then(|| settings.output.unwrap_or(few.max(settings.step)));
        let run =
            self.one(Settings { output, ..settings }, Some(places), None, watch, "error estimate").ok()?;
        (!interrupted(&run)).then_some(run)
    }

    /// A run to compare one with a tolerance with: ten times the tolerance, or where that changes the steps little, because events or the
    /// longest step make them, even steps that are twice as long in the mean. None if it was interrupted or could not begin.
    fn looser(
        &self,
        run: &Simulation<'a>,
        tolerance: f64,
        places: &Places,
        watch: Watch<'_>,
    ) -> Option<(Simulation<'a>, Relation)> {
        let with = Settings { accuracy: Some(LOOSER * tolerance), ..self.settings };
        let looser = self.companion(with, places, watch)?;
        if !has_same_steps(run, &looser) {
            return Some((looser, Relation::Tolerance));
        }
        let mean = (run.state().t - self.state.t) / run.summary().steps.max(1) as f64;
        let even =
            Settings { accuracy: None, step: 2.0 * mean, output: Some(run.sample_every()), ..self.settings };
        let kind = Relation::Steps { k: 2.0, rough: true, located: true, together: false };
        match self.companion(even, places, watch).filter(|even| went_as_far(even, run)) {
            Some(even) => Some((even, kind)),
            None => Some((looser, Relation::Tolerance)),
        }
    }

    /// k: companions take steps of k h and 2 k h.
    fn coarsening(&self, step: f64) -> f64 {
        let steps = (self.settings.end - self.state.t) / step;
        if steps * self.system.structure().sizes.v as f64 > LONG { 4.0 } else { 2.0 }
    }

    /// Where runs are compared: at common ends of steps, and half a step of the coarser one later; with a tolerance evenly.
    fn places(&self, step: f64) -> Places {
        let (start, end) = (self.state.t, self.settings.end);
        let mut times = Vec::with_capacity(4 * PLACES + 2);
        let mut common = Vec::with_capacity(4 * PLACES + 2);
        if self.settings.accuracy.is_some() {
            times.extend((1..PLACES).map(|i| start + (end - start) * i as f64 / PLACES as f64));
            common.resize(times.len(), Ends::All);
        } else {
            let k = self.coarsening(step);
            let cells = ((end - start) / (2.0 * k * step) * (1.0 + 1e-12)).floor() as usize;
            let stride = cells.div_ceil(PLACES).max(1);
            for cell in (0..=cells).step_by(stride) {
                let steps = 2.0 * k * cell as f64;
                for (later, ends) in [(0.0, Ends::All), (0.5 * k, Ends::One), (k, Ends::Near)] {
                    let t = start + (steps + later) * step;
                    if t > start && t < end - 1e-9 * step {
                        times.push(t);
                        common.push(ends);
                    }
                }
            }
        }
        times.push(end);
        common.push(Ends::All);
        Places { times, common }
    }

    /// The estimate of a run with a fixed step; none if it was interrupted.
    fn beside_coarser(
        &self,
        run: &Simulation<'a>,
        watch: Watch<'_>,
    ) -> Result<Option<ErrorEstimate>, StartError> {
        let (places, step) = (self.places(self.settings.step), self.settings.step);
        let k = self.coarsening(step);
        let with = |factor: f64| Settings { step: step * factor, ..self.settings };
        let Some(coarse) = self.companion(with(k), &places, watch) else { return Ok(None) };
        if !went_as_far(&coarse, run) {
            // the step is near the limit of the scheme: one that is a little longer
            let Some(near) = self.companion(with(SLIGHTLY), &places_of_end(run), watch) else {
                return Ok(None);
            };
            return Ok(Some(self.beside_slightly_coarser(run, &near)));
        }
        let Some(coarser) = self.companion(with(2.0 * k), &places, watch) else { return Ok(None) };
        let kind = steps_of(run, k);
        let far = went_as_far(&coarser, run).then(|| trail(&coarser));
        let audit = coarse.summary().audit;
        let mut estimate = self.seen(run, |seen| {
            Seen { coarse: Some(&audit), ..*seen }.beside(trail(&coarse), far, kind, |i| places.common[i])
        });
        if let (Some(_), Some(far)) = (estimate.horizon, far) {
            let Some(twin) = self.companion(with(2.0 * k * TWIN), &places, watch) else { return Ok(None) };
            estimate.chaotic = went_as_far(&twin, run)
                && is_chaotic(far, trail(&twin), estimate.range, &coarser.summary().audit);
        }
        let long = if k > 2.0 { "four and eight times as long" } else { "twice and four times as long" };
        estimate.based_on = format!("the same run with steps {long}");
        Ok(Some(estimate))
    }

    /// The estimate where twice the step fails.
    fn beside_slightly_coarser(&self, run: &Simulation<'a>, near: &Simulation<'a>) -> ErrorEstimate {
        let kind = Relation::Steps { k: SLIGHTLY, rough: true, located: false, together: false };
        let failed = !went_as_far(near, run);
        let mut estimate = self.seen(run, |seen| {
            let last = trail(run).len().saturating_sub(1);
            let mut end = trail(run).alike(vec![trail(run).times()[last]]);
            end.push(run.state());
            Seen { trail: &end, ..*seen }.beside(trail(near), None, kind, |_| Ends::All)
        });
        estimate.based_on =
            "the end of the same run with steps a quarter longer: with twice the step it fails".into();
        if failed {
            (estimate.error, estimate.absolute) = (f64::INFINITY, f64::INFINITY);
            estimate.based_on = "the same run with steps a quarter longer, which fails".into();
        }
        estimate
    }

    /// The first run that can be made in time, with the tolerance `given` or a looser one; that tolerance, and the steps that the
    /// one given would have taken if it was too many.
    fn first_in_time(
        &self,
        given: f64,
        places: &Places,
        mut problems: Option<Box<dyn ProblemWatch>>,
        watch: Watch<'_>,
    ) -> Result<(Simulation<'a>, f64, Option<f64>), StartError> {
        let with = |tolerance: f64| Settings { accuracy: Some(tolerance), ..self.settings };
        let (mut tolerance, mut steps_asked) = (given, None);
        loop {
            let (run, too_many) = self.one_in_time(with(tolerance), places, problems.take(), watch, "")?;
            let Some(times) = too_many else { return Ok((run, tolerance, steps_asked)) };
            steps_asked.get_or_insert(times * self.most_steps());
            // steps grow with the root of the tolerance at least
            tolerance *= (times * times).clamp(LOOSENED.0, LOOSENED.1);
            if tolerance >= LOOSEST {
                tolerance = LOOSEST.max(given);
                let run = self.one(with(tolerance), Some(places), None, watch, "")?;
                return Ok((run, tolerance, steps_asked));
            }
        }
    }

    /// Repeats a run with tighter tolerances until its estimate meets what was asked for. Where not even the first one can be made
    /// in time it is made with a looser tolerance, and misses what was asked for.
    fn with_tolerance(
        &self,
        asked: f64,
        certified: bool,
        problems: Option<Box<dyn ProblemWatch>>,
        watch: Watch<'_>,
    ) -> Result<Trusted, StartError> {
        let places = self.places(self.settings.step);
        let given = self.settings.accuracy.expect("a run with a tolerance");
        let with = |tolerance: f64| Settings { accuracy: Some(tolerance), ..self.settings };
        let (mut repeats, first) = (0, self.first_in_time(given, &places, problems, watch)?);
        let (mut run, mut tolerance, steps_asked) = first;
        if interrupted(&run) {
            return Ok(self.trusted(&run, None, None));
        }
        let Some((mut beside, mut kind)) = self.looser(&run, tolerance, &places, watch) else {
            return Ok(self.trusted(&run, None, None));
        };
        let (mut before, mut stalled, mut lost) = (f64::INFINITY, 0, None::<f64>);
        loop {
            let audit = beside.summary().audit;
            let mut estimate = self.seen(&run, |seen| {
                let seen = Seen { coarse: Some(&audit), ..*seen };
                seen.beside(trail(&beside), None, kind, |i| places.common[i])
            });
            estimate.repeats = repeats;
            estimate.based_on = looked_at(kind, repeats, steps_asked);
            let meets = estimate.error <= MEETS * asked && estimate.horizon.is_none();
            let factor = (0.5 * asked / estimate.error).clamp(TIGHTER.0, TIGHTER.1);
            // steps of the next one, as they grew from the last to this one
            let (few, many) = (beside.summary().steps as f64, run.summary().steps as f64);
            let growth = (many / few.max(1.0)).max(1.0).ln() / LOOSER.ln();
            let next = many * (1.0 / factor).powf(growth.max(0.1));
            let same = estimate.error > STALLED * before && estimate.horizon.is_none();
            stalled = if same { stalled + 1 } else { 0 };
            before = estimate.error;
            // chaos is what a tighter tolerance does not put off
            let put_off = |t: f64| lost.is_none_or(|earlier| t > PUT_OFF * earlier);
            let chaos = estimate.chaotic && !estimate.horizon.is_some_and(put_off);
            lost = estimate.horizon;
            let hopeless = repeats == MOST_REPEATS
                || next > self.most_steps()
                || tolerance * factor < TIGHTEST
                || stalled > 1
                || steps_asked.is_some()
                || chaos
                || !ended(&run);
            if meets || hopeless {
                estimate.missed = (!meets && ended(&run)).then_some(asked);
                let beside = certified.then(|| beside.recording());
                return Ok(self.trusted(&run, Some(estimate), beside));
            }
            tolerance *= factor;
            let (better, too_many) =
                self.one_in_time(with(tolerance), &places, None, watch, "repeated for the accuracy")?;
            if too_many.is_some() || interrupted(&better) || !went_as_far(&better, &run) {
                estimate.missed = Some(asked);
                return Ok(self.trusted(&run, Some(estimate), None));
            }
            let former = std::mem::replace(&mut run, better);
            if self.settings.output.is_some() || has_same_steps(&run, &former) {
                let Some(looser) = self.looser(&run, tolerance, &places, watch) else {
                    return Ok(self.trusted(&run, None, None));
                };
                (beside, kind) = looser;
            } else {
                (beside, kind) = (former, Relation::Tolerance);
            }
            repeats += 1;
        }
    }

    /// Halves the step until two runs agree.
    fn certify(&self, run: Simulation<'a>, target: f64, watch: Watch<'_>) -> Result<Trusted, StartError> {
        // all runs are compared where the first one ends its steps
        let places = self.places(self.settings.step);
        let (mut run, mut beside, mut coarser) = (run, None::<Simulation<'a>>, None::<Simulation<'a>>);
        let mut settings = self.settings;
        // samples of all runs at the same times
        settings.output = Some(run.sample_every());
        for halvings in 0.. {
            let mut estimate = None;
            if let Some(coarse) = &beside {
                let kind = steps_of(&run, 2.0);
                let far = coarser.as_ref().filter(|far| went_as_far(far, &run)).map(trail);
                let mut found =
                    self.seen(&run, |seen| seen.beside(trail(coarse), far, kind, |i| places.common[i]));
                found.repeats = halvings;
                found.based_on = format!("the same run with twice the step, after {halvings} halvings");
                estimate = Some(found);
            }
            let error = estimate.as_ref().map_or(f64::INFINITY, |e| e.error);
            let lost = estimate.as_ref().is_some_and(|e| e.horizon.is_some());
            let meets = error <= target && !lost;
            let steps = run.summary().steps as f64;
            if meets
                || halvings == MOST_HALVINGS
                || (halvings > 1 && 2.0 * steps > MOST_STEPS)
                || !ended(&run)
            {
                if let Some(estimate) = &mut estimate {
                    estimate.missed = (!meets).then_some(target);
                }
                let beside = beside.map(|beside| beside.recording());
                return Ok(self.trusted(&run, estimate, beside));
            }
            settings.step *= 0.5;
            let better = self.one(settings, Some(&places), None, watch, "repeated with half the step")?;
            if interrupted(&better) {
                return Ok(self.trusted(&run, estimate, None));
            }
            coarser = beside.replace(std::mem::replace(&mut run, better));
        }
        unreachable!("halvings are counted")
    }

    fn seen(&self, run: &Simulation<'a>, look: impl FnOnce(&Seen<'_>) -> ErrorEstimate) -> ErrorEstimate {
        let summary = run.summary();
        look(&Seen {
            system: self.system,
            trail: trail(run),
            audit: &summary.audit,
            coarse: None,
            dt: summary.step_range.1,
            steps: summary.steps,
            located: if run.owns_steps() { summary.impacts } else { 0 },
        })
    }

    fn trusted(
        &self,
        run: &Simulation<'a>,
        estimate: Option<ErrorEstimate>,
        beside: Option<Recording>,
    ) -> Trusted {
        let mut summary = run.summary();
        summary.audit.verdict =
            summary.audit.sentence(self.system.structure().length_scale, estimate.as_ref());
        summary.estimate = estimate;
        Trusted { recording: run.recording(), summary, settings: run.settings(), beside }
    }
}

/// What an estimate of a run with a tolerance is based on.
fn looked_at(kind: Relation, repeats: usize, steps_asked: Option<f64>) -> String {
    let mut text = if kind != Relation::Tolerance {
        "the same run with even steps, twice as long in the mean".into()
    } else if repeats > 0 {
        format!("a run with a looser tolerance; {repeats} times repeated with a tighter one")
    } else {
        "the same run with ten times the tolerance".to_string()
    };
    if let Some(steps) = steps_asked {
        text += &format!("; the accuracy would take some {steps:.0e} steps");
    }
    text
}

/// Times at which runs are compared, and which of them end a step there.
struct Places {
    times: Vec<f64>,
    common: Vec<Ends>,
}

/// The end of a run only.
fn places_of_end(run: &Simulation<'_>) -> Places {
    Places { times: vec![run.state().t], common: vec![Ends::All] }
}

fn trail<'r>(run: &'r Simulation<'_>) -> &'r Trail {
    run.trail().expect("all runs that are compared leave a trail")
}

fn interrupted(run: &Simulation<'_>) -> bool {
    run.summary().stop == Stop::Interrupted
}

fn ended(run: &Simulation<'_>) -> bool {
    run.summary().stop == Stop::Done
}

/// Whether a looser tolerance did not make steps much fewer.
fn has_same_steps(run: &Simulation<'_>, looser: &Simulation<'_>) -> bool {
    looser.summary().steps as f64 > SAME_STEPS * run.summary().steps as f64
}

/// Whether a run came as far as another, with finite numbers.
fn went_as_far(run: &Simulation<'_>, as_this: &Simulation<'_>) -> bool {
    let state = run.state();
    trail(run).len() >= trail(as_this).len() && state.q.iter().chain(&state.v).all(|x| x.is_finite())
}

/// What a run is to one with k times the step.
fn steps_of(run: &Simulation<'_>, k: f64) -> Relation {
    Relation::Steps {
        k,
        // velocities jump inside steps, or forces do
        rough: !run.owns_steps() && run.saw_events(),
        located: run.owns_steps(),
        together: run.impacts_together() > TOGETHER,
    }
}
