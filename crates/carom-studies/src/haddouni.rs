//! What the studies of [Haddouni2015] share: the published control of the step, runs by name, times and errors.
//!
//! ```text
//!   h_new = s h (tol / l)^{1/k},     l = ‖error estimate of q‖₂, absolute            (2.120), Table 3.1
//!   a step is made again if l > tol, or if |g| or |ġ| exceed what is allowed; h ≥ h_min
//! ```
//!
//! k is the power of h in the estimate; the source prints the order of the method, see its errata. Nothing is projected.

use crate::figure::{Panel, logarithmic};
use crate::report::{Series, StudyReport};
use crate::running::Trouble;
use carom_dynamics::{
    Configuration, Formulation, Integrator, Knot, Method, Motion, Settings, Simulation, State, StepError,
    Stop, Summary, System, scheme,
};
use std::time::{Duration, Instant};

/// A method with its name in the tables.
#[derive(Clone, Copy)]
pub struct Contestant {
    /// Name in the tables.
    pub label: &'static str,
    /// Name in the registry.
    pub scheme: &'static str,
    /// Other form of the equations than the usual one.
    pub form: Option<Formulation>,
    /// The method alone.
    pub method: fn() -> Box<dyn Method>,
    /// Its companion, where the published estimate is the difference of the two in q and v together.
    pub companion: Option<fn() -> Box<dyn Method>>,
}

/// The five of [Haddouni2015] §3.1.
pub const FIVE: [Contestant; 5] = [
    Contestant {
        label: "HEM5",
        scheme: "hem5",
        form: None,
        method: || Box::<carom_dynamics::Hem5>::default(),
        companion: None,
    },
    Contestant {
        label: "PHEM56",
        scheme: "phem56",
        form: None,
        method: || Box::<carom_dynamics::Phem56>::default(),
        companion: None,
    },
    Contestant {
        label: "RKF",
        scheme: "rkf45",
        form: None,
        method: || Box::new(carom_dynamics::RungeKutta::rkf45(false)),
        companion: Some(|| Box::new(carom_dynamics::RungeKutta::rkf45(true))),
    },
    Contestant {
        label: "alpha, position level",
        scheme: "alpha-dae",
        form: Some(Formulation::Index3),
        method: || {
            let mut method = carom_dynamics::Alpha::default();
            method.set_formulation(Formulation::Index3);
            Box::new(method)
        },
        companion: None,
    },
    Contestant {
        label: "alpha, velocity level",
        scheme: "alpha-dae",
        form: None,
        method: || Box::<carom_dynamics::Alpha>::default(),
        companion: None,
    },
];

/// The published control.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// tol.
    pub tolerance: f64,
    /// s.
    pub safety: f64,
    /// h_min (s).
    pub least: f64,
    /// Largest |g| and |ġ|.
    pub drift: [f64; 2],
    /// First step (s).
    pub first: f64,
    /// End (s).
    pub end: f64,
}

/// What a run leaves.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Accepted steps.
    pub accepted: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Mean of the accepted steps (s).
    pub mean: f64,
    /// Largest |g| and |ġ|, row by row.
    pub g: Vec<f64>,
    pub g_dot: Vec<f64>,
    /// State at the end.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// A step that cannot be made is tried again with this part of it; so is one that drifts too far.
const AGAIN: f64 = 0.5;
/// Shorter tries than this part of the least step end the run.
const HOPELESS: f64 = 1e-3;
/// Velocities "seen" so large that errors of velocities do not count: the published estimates are of q.
const ONLY_POSITIONS: f64 = 1e150;

/// Runs a method under the published control.
pub fn published(
    system: &dyn System,
    (q, v): (&[f64], &[f64]),
    contestant: Contestant,
    control: Control,
) -> Result<Outcome, Trouble> {
    let mut driver = Driver::new(system, (q, v), contestant)?;
    let Control { tolerance, safety, least, drift, first, end } = control;
    let k = driver.method.exponent();
    let mut out = Outcome {
        g: vec![0.0; driver.motion.rows()],
        g_dot: vec![0.0; driver.motion.rows()],
        ..Outcome::default()
    };
    let mut h = first;
    while driver.from.t < end * (1.0 - 1e-12) {
        let last = driver.from.t + h >= end;
        let dt = if last { end - driver.from.t } else { h };
        let made = driver.step(dt);
        let Ok(error) = made else {
            out.rejected += 1;
            h = AGAIN * dt;
            if h < HOPELESS * least {
                return Err(format!("no step can be made at {} s", driver.from.t));
            }
            continue;
        };
        let (g, g_dot) = driver.drift();
        let drifts = largest(&g) > drift[0] || largest(&g_dot) > drift[1];
        // a step of the least size is accepted whatever it is
        if (error > tolerance || drifts || !error.is_finite()) && dt > least {
            out.rejected += 1;
            h = if error > tolerance && error.is_finite() {
                safety * dt * (tolerance / error).powf(1.0 / k)
            } else {
                AGAIN * dt
            };
            h = h.max(least);
            continue;
        }
        out.accepted += 1;
        for (most, x) in out.g.iter_mut().zip(&g).chain(out.g_dot.iter_mut().zip(&g_dot)) {
            *most = most.max(x.abs());
        }
        driver.accept()?;
        if !last {
            h = (safety * dt * (tolerance / error.max(f64::MIN_POSITIVE)).powf(1.0 / k)).clamp(least, end);
        }
    }
    out.mean = end / out.accepted as f64;
    out.q = driver.from.q;
    out.v = driver.from.v;
    Ok(out)
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// A method stepping freely.
pub struct Driver<'s> {
    pub system: &'s dyn System,
    pub motion: Motion,
    pub method: Box<dyn Integrator>,
    pub from: Knot,
    pub to: Knot,
    companion: Option<(Box<dyn Integrator>, Knot)>,
    at: Configuration,
}

impl<'s> Driver<'s> {
    /// At a consistent start, t = 0.
    pub fn new(
        system: &'s dyn System,
        (q, v): (&[f64], &[f64]),
        contestant: Contestant,
    ) -> Result<Self, Trouble> {
        let mut driver = Self::with(system, (q, v), &*(contestant.method)())?;
        if let Some(companion) = contestant.companion {
            let say = |e: StepError| e.explain(system).to_string();
            let method = companion().begin(system, &mut driver.motion, &driver.from).map_err(say)?;
            driver.companion = Some((method, driver.from.clone()));
        }
        Ok(driver)
    }

    /// With a method of one's own.
    pub fn with(
        system: &'s dyn System,
        (q, v): (&[f64], &[f64]),
        method: &dyn Method,
    ) -> Result<Self, Trouble> {
        let mut motion = Motion::new(system);
        motion.drift = carom_dynamics::Drift::None;
        motion.see_velocities(&vec![ONLY_POSITIONS; v.len()]);
        let mut from = Knot::new(&motion);
        from.q.copy_from_slice(q);
        from.v.copy_from_slice(v);
        let at = motion.configuration(system, 0.0, q, v);
        let say = |e: StepError| e.explain(system).to_string();
        motion.accelerations(system, &at, &mut from.a, &mut from.lambda).map_err(say)?;
        let method = method.begin(system, &mut motion, &from).map_err(say)?;
        let to = from.clone();
        Ok(Self { system, motion, method, from, to, companion: None, at })
    }

    /// Tries a step; ‖estimate of its error‖₂.
    pub fn step(&mut self, dt: f64) -> Result<f64, StepError> {
        let Self { system, motion, method, from, to, companion, .. } = self;
        let estimate = method.step(*system, motion, from, dt, to)?;
        let Some((companion, other)) = companion else {
            // ours is a root of a mean over positions and velocities
            return Ok((2.0 * motion.nv() as f64).sqrt() * estimate.error);
        };
        companion.step(*system, motion, from, dt, other)?;
        let pairs = to.delta.iter().zip(&other.delta).chain(to.v.iter().zip(&other.v));
        Ok(pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt())
    }

    /// g and ġ where the step ended.
    pub fn drift(&mut self) -> (Vec<f64>, Vec<f64>) {
        let rows = self.motion.rows();
        let (mut g, mut g_dot) = (vec![0.0; rows], vec![0.0; rows]);
        self.motion.place(self.system, self.to.t, &self.to.q, &self.to.v, &mut self.at);
        self.motion.positions(self.system, &self.at, &mut g);
        self.motion.evaluate_rows(self.system, &self.at);
        self.motion.velocities(&self.to.v, &mut g_dot);
        (g, g_dot)
    }

    /// v' and λ where the step ended.
    pub fn complete(&mut self) -> Result<(), Trouble> {
        self.motion.place(self.system, self.to.t, &self.to.q, &self.to.v, &mut self.at);
        self.motion
            .accelerations(self.system, &self.at, &mut self.to.a, &mut self.to.lambda)
            .map_err(|e| e.explain(self.system).to_string())
    }

    /// Goes on from where the step ended.
    pub fn accept(&mut self) -> Result<(), Trouble> {
        self.complete()?;
        self.method.accept(&self.from, &self.to);
        std::mem::swap(&mut self.from, &mut self.to);
        Ok(())
    }
}

/// A scheme of the registry at an accuracy, or with a step.
#[derive(Clone, Copy, Debug)]
pub struct Run<'p> {
    /// Name.
    pub scheme: &'static str,
    /// Parameters.
    pub parameters: &'p [(&'static str, f64)],
    /// Form, if not the usual one.
    pub form: Option<Formulation>,
    /// Accuracy, or a fixed step (s).
    pub accuracy: Result<f64, f64>,
    /// End (s).
    pub end: f64,
    /// Samples over the run.
    pub samples: usize,
}

impl Run<'_> {
    /// A simulation at its start.
    pub fn start<'s>(
        &self,
        system: &'s dyn System,
        (q, v): (&[f64], &[f64]),
    ) -> Result<Simulation<'s>, Trouble> {
        let mut scheme = scheme(self.scheme, self.parameters).map_err(|e| e.to_string())?;
        if let Some(form) = self.form {
            scheme.set_formulation(form).map_err(|e| e.to_string())?;
        }
        let (accuracy, step) = match self.accuracy {
            Ok(accuracy) => (Some(accuracy), self.end / 1000.0),
            Err(step) => (None, step),
        };
        let settings =
            Settings { step, end: self.end, accuracy, output: Some(self.end / self.samples as f64) };
        let state = State::new(system, 0.0, q.to_vec(), v.to_vec());
        let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
        let mut simulation =
            Simulation::new(system, &*scheme, solver, state, settings).map_err(|e| e.to_string())?;
        // as in the source
        simulation.bound_each_step();
        Ok(simulation)
    }

    /// Runs to the end, every state shown.
    pub fn watch(
        &self,
        system: &dyn System,
        start: (&[f64], &[f64]),
        mut see: impl FnMut(&State, &Simulation),
    ) -> Result<Summary, Trouble> {
        let mut simulation = self.start(system, start)?;
        see(simulation.state(), &simulation);
        while !simulation.is_done() {
            simulation.advance();
            see(simulation.state(), &simulation);
        }
        let summary = simulation.summary();
        match summary.stop {
            Stop::Done => Ok(summary),
            Stop::Interrupted => Err("interrupted".into()),
            Stop::Failed(why) => Err(why.to_string()),
        }
    }

    /// Runs to the end, with nobody watching.
    pub fn finished<'s>(
        &self,
        system: &'s dyn System,
        start: (&[f64], &[f64]),
    ) -> Result<Simulation<'s>, Trouble> {
        let mut simulation = self.start(system, start)?;
        match simulation.run(|_| true) {
            Stop::Done => Ok(simulation),
            Stop::Interrupted => Err("interrupted".into()),
            Stop::Failed(why) => Err(why.to_string()),
        }
    }
}

/// Runs of a contest are repeated at least so often, and until they took so long together, of each.
const REPEATS: usize = 3;
const LONG_ENOUGH: Duration = Duration::from_millis(60);
const MOST_REPEATS: usize = 40;

/// The least time of each of several runs (s), which take turns.
pub fn times(contest: &mut [Box<dyn FnMut() -> Result<(), Trouble> + '_>]) -> Result<Vec<f64>, Trouble> {
    let mut least = vec![Duration::MAX; contest.len()];
    let mut spent = vec![Duration::ZERO; contest.len()];
    for repeat in 0..MOST_REPEATS {
        for (i, run) in contest.iter_mut().enumerate() {
            if repeat >= REPEATS && spent[i] >= LONG_ENOUGH {
                continue;
            }
            let clock = Instant::now();
            run()?;
            let time = clock.elapsed();
            least[i] = least[i].min(time);
            spent[i] += time;
        }
    }
    Ok(least.iter().map(Duration::as_secs_f64).collect())
}

/// Error and time of the runs of a scheme, by falling tolerance.
pub type Curve = Vec<(f64, f64)>;

/// Time that an error below `wanted` takes for good, on a straight line of logarithms; none if it is not reached.
pub fn time_for(curve: &Curve, wanted: f64) -> Option<f64> {
    let below = curve.iter().rev().take_while(|(error, _)| *error <= wanted).count();
    let first = curve.len() - below;
    let &(error, time) = curve.get(first)?;
    let Some(&(above, shorter)) = first.checked_sub(1).map(|i| &curve[i]) else { return Some(time) };
    let part = (above / wanted).ln() / (above / error.max(f64::MIN_POSITIVE)).ln();
    Some(shorter * (time / shorter).powf(part))
}

/// Errors and times of several runs per accuracy, in turn; a run that fails leaves no point.
pub fn diagram<'p, const N: usize>(
    system: &dyn System,
    start: (&[f64], &[f64]),
    accuracies: &[f64],
    runs: &dyn Fn(f64) -> [Run<'p>; N],
    error: &dyn Fn(&Simulation) -> f64,
    progress: &mut dyn FnMut(f64),
) -> Result<[Curve; N], Trouble> {
    let mut curves = [(); N].map(|()| Curve::new());
    for (i, &accuracy) in accuracies.iter().enumerate() {
        let runs = runs(accuracy);
        let errors = runs.map(|run| run.finished(system, start).ok().map(|done| error(&done)));
        let mut contest: Vec<Box<dyn FnMut() -> Result<(), Trouble>>> = Vec::new();
        for (run, error) in runs.iter().zip(&errors) {
            if error.is_some() {
                // samples cost time and change nothing
                let run = Run { samples: 1, ..*run };
                contest.push(Box::new(move || run.finished(system, start).map(|_| ())));
            }
        }
        let mut times = times(&mut contest)?.into_iter();
        for (curve, error) in curves.iter_mut().zip(errors) {
            if let (Some(error), Some(time)) = (error, error.and_then(|_| times.next())) {
                curve.push((error, time));
            }
        }
        progress((i + 1) as f64 / accuracies.len() as f64);
    }
    Ok(curves)
}

/// Puts the curves of a diagram into a report, and what errors cost.
pub fn tell(report: &mut StudyReport, figure: &str, unit: &str, labels: &[&str], curves: &[Curve]) {
    for (label, curve) in labels.iter().zip(curves).filter(|(_, curve)| !curve.is_empty()) {
        let (error, time): (Vec<f64>, Vec<f64>) = curve.iter().copied().unzip();
        let columns = [(format!("error ({unit})"), error), ("time (s)".to_string(), time)];
        let title =
            if figure.starts_with("Fig.") { format!("[Haddouni2015] {figure}") } else { figure.into() };
        let panel = Panel::new(
            &format!("{title}: what an error costs"),
            "",
            logarithmic(&format!("error ({unit})")),
            logarithmic("time (s)"),
        );
        let series = Series::new(&format!("{figure}, work and precision: {label}"), columns);
        report.series.push(series.drawn(panel.marked(), |_| Some(label.to_string())));
    }
    for wanted in [1e-3, 1e-5, 1e-7] {
        let mut found: Vec<(f64, &str)> = labels
            .iter()
            .zip(curves)
            .filter_map(|(label, curve)| Some((time_for(curve, wanted)?, *label)))
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(&(best, _)) = found.first() else { continue };
        let words: Vec<String> =
            found.iter().map(|(time, label)| format!("{label} {:.1}", time / best)).collect();
        report.fact(
            format!(
                "{figure}: time for an error of {wanted:.0e} {unit}, relative to the fastest ({:.2} ms)",
                1e3 * best
            ),
            words.join(", "),
        );
    }
}

/// Mean error of a channel's samples against an exact motion, of all channels the largest.
pub fn path_error(done: &Simulation, exact: &[(&str, &dyn Fn(f64) -> f64)]) -> f64 {
    let recording = done.recording();
    let t = recording.column("t").unwrap_or(&[]);
    exact.iter().fold(0.0, |most: f64, (name, exact)| {
        let x = recording.column(name).unwrap_or(&[]);
        let sum: f64 = t.iter().zip(x).map(|(t, x)| (x - exact(*t)).abs()).sum();
        most.max(if x.is_empty() { f64::INFINITY } else { sum / x.len() as f64 })
    })
}

/// The rule of the source: two impacts within h* are an accumulation, no bounce is taken for rest, nothing is projected.
pub const RULE: [(&str, f64); 3] = [("crowd", 1.0), ("rest", 0.0), ("projection", 0.0)];

/// The hybrid and its two parts at one accuracy.
pub fn parts(accuracy: f64, end: f64, samples: usize) -> [Run<'static>; 3] {
    let run = |scheme| Run { scheme, parameters: &[], form: None, accuracy: Ok(accuracy), end, samples };
    [run("hybrid"), run("hem5"), run("moreau-jean")]
}

/// The same, and the hybrid with the published rule.
pub fn parts_and<'p>(
    published: &'p [(&'static str, f64)],
    accuracy: f64,
    end: f64,
    samples: usize,
) -> [Run<'p>; 4] {
    let [hybrid, hem5, stepping] = parts(accuracy, end, samples);
    [hybrid, hem5, stepping, Run { parameters: published, ..hybrid }]
}

/// Their names.
pub const PARTS: [&str; 4] = ["hybrid", "hem5", "adaptive moreau-jean", "hybrid with the published rule"];

/// How long, and in how many steps, a hybrid stepped in each way, and why it began to.
pub fn phases(summary: &Summary) -> String {
    let phase = |phase: &carom_dynamics::Phase| {
        let began: Vec<String> =
            phase.began.iter().map(|(why, count)| format!("{why} {count} times")).collect();
        let began = if began.is_empty() { "never begun".into() } else { began.join(", ") };
        format!("{}: {} steps, {:.2e} s ({began})", phase.name, phase.steps, phase.time)
    };
    summary.phases.iter().map(phase).collect::<Vec<_>>().join("; ")
}

/// Rows on the published rule beside adaptive Moreau–Jean at equal tolerance; `least` is what the claim makes of the quotient.
pub fn against_stepping(
    report: &mut StudyReport,
    (claim, least): (&str, f64),
    accuracies: &[f64],
    stepping: &Curve,
    published: &Curve,
) {
    for (i, accuracy) in accuracies.iter().enumerate() {
        let (Some(h), Some(m)) = (published.get(i), stepping.get(i)) else { continue };
        let ratio = m.1 / h.1;
        report.compare(
            format!("time of adaptive moreau-jean over that of hybrid with the published rule at tolerance {accuracy:.0e}"),
            format!("{claim}: at least {least} is asked for"),
            format!("{ratio:.1} (errors {:.1e} and {:.1e})", m.0, h.0),
            ratio >= least,
            "not at equal tolerance; tolerances of the two are not errors of the same size",
        );
    }
}

/// What the hybrid costs beside its parts, at equal error: of our own, the source has no such comparison.
pub fn costs(report: &mut StudyReport, curves: &[Curve; 3], unit: &str) {
    let [hybrid, hem5, stepping] = curves;
    for wanted in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
        let Some(hybrid) = time_for(hybrid, wanted) else { continue };
        let over = |name: &str, time: Option<f64>| {
            time.map_or(format!("{name} does not get there"), |time| {
                format!("{:.2} of {name}", hybrid / time)
            })
        };
        let words =
            [over("hem5", time_for(hem5, wanted)), over("adaptive moreau-jean", time_for(stepping, wanted))];
        report.fact(format!("time of hybrid, for an error of {wanted:.0e} {unit}"), words.join(", "));
    }
}
