//! `carom convergence`: the observed order of a scheme on a model.
//!
//! ```text
//!   ‖e‖₁ = Σ |f_i − f(t_i)| / Σ |f(t_i)|                      relative error of a channel      [Chen2013] (42)
//!   log ‖e‖₁ ≈ order · log h + constant                       least squares over the step sizes that can be told apart from f
//! ```
//!
//! f is the same model with a much smaller step, a polynomial between its samples (`reference.rs`). It has an error of its own,
//! of its step and of round-off: the same model with twice that step says how large. Step sizes whose errors are not above
//! that are left out of the fit; a scheme of order five is there soon. Where there are impacts the error jumps with the phase of
//! the step, so neighbouring sizes say nothing and the slope over many says a lot.

mod reference;

use crate::args;
use crate::failure::{self, Failure};
use crate::progress::Bar;
use crate::table::{say, say_json, table};
use crate::{interrupt, model};
use carom::{Channel, Done, Recording, Settings, Setup, Stop, Topic, suggest};
use reference::Reference;
use serde::Serialize;

/// The reference is this much finer than the finest step unless told otherwise.
const REFERENCE: f64 = 0.1;
/// How much coarser the run is that tells the error of the reference.
const COARSER: f64 = 2.0;
/// An error this many times that of the reference is of the step.
const ABOVE: f64 = 3.0;
/// Fewer sizes than this make no slope.
const FEWEST: usize = 3;
/// Most samples kept of a run and of the reference.
const SAMPLES: f64 = 20_000.0;
const REFERENCE_SAMPLES: f64 = 200_000.0;
/// A channel that stays below this fraction of the largest of its unit is round-off, or the drift of a joint.
const STILL: f64 = 1e-6;
/// Fewer sizes than this are too few where there are impacts.
const ENOUGH: usize = 10;
/// Channels with a column of their own in the table.
const SHOWN: usize = 6;

/// What came out.
#[derive(Debug, Serialize)]
struct Outcome {
    scheme: String,
    reference_step: f64,
    impacts: usize,
    channels: Vec<String>,
    /// Error of the reference itself, per channel and their mean.
    reference_errors: Vec<f64>,
    reference_mean: f64,
    runs: Vec<Line>,
    orders: Vec<Fit>,
    order: Fit,
}

/// One step size: the error of every channel and their mean.
#[derive(Debug, Serialize)]
struct Line {
    step: f64,
    errors: Vec<f64>,
    mean: f64,
}

/// A slope and the uncertainty of its fit (one standard deviation), which two points do not have, over so many sizes. No slope
/// where too few sizes have errors above that of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Fit {
    slope: Option<f64>,
    uncertainty: Option<f64>,
    sizes: usize,
}

/// Runs the model with every step size and compares.
pub fn convergence(args: &args::Convergence) -> Result<(), Failure> {
    let mut changes = args.model.set.clone();
    changes.extend(args.scheme.changes());
    let (_, setup) = model::open(&args.model.model, &changes)?;
    let second = setup.loaded().units.time.factor();
    let steps: Vec<f64> = sizes(args)?.iter().map(|h| h * second).collect();
    let finest = steps.last().copied().expect("there are at least two sizes");
    let reference_step = args.reference.map_or(REFERENCE * finest, |h| h * second);
    let end = setup.settings().end;
    if steps[0] > 0.5 * end {
        return Err(input(
            format!("the step {} s is too long for a run of {end} s", steps[0]),
            "a smaller one",
        ));
    }
    if reference_step >= finest {
        return Err(input(
            format!("the reference step {reference_step} s is not below the smallest step {finest} s"),
            "a tenth of the smallest step or less",
        ));
    }

    interrupt::listen();
    let bar = Bar::new(false);
    // time to run is proportional to 1/h
    let coarser_step = COARSER * reference_step;
    let work: f64 = steps.iter().chain([&reference_step, &coarser_step]).map(|h| 1.0 / h).sum();
    let (mut before, mut run, runs_in_all) = (0.0, 0, steps.len() + 2);
    let mut go = |step: f64, samples: f64| {
        run += 1;
        let about = || format!("run {run} of {runs_in_all}, step {step:.2e} s");
        let done = one(&setup, step, samples, |part| bar.part_with((before + part / step) / work, about));
        before += 1.0 / step;
        done
    };
    let reference = go(reference_step, REFERENCE_SAMPLES)?;
    let channels = channels(args, &setup, &reference.recording)?;
    let exact = Reference::new(&reference.recording);
    let compare = |step: f64, done: &Done| {
        let errors: Vec<f64> = channels.iter().map(|c| exact.error(&done.recording, c)).collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        Line { step, errors, mean }
    };
    let itself = compare(coarser_step, &go(coarser_step, SAMPLES)?);
    let mut runs = Vec::new();
    for &step in &steps {
        runs.push(compare(step, &go(step, SAMPLES)?));
    }
    bar.clear();
    let order_of = |f: &dyn Fn(&Line) -> f64| {
        let told = runs.iter().filter(|r| f(r) > ABOVE * f(&itself));
        fit(&told.map(|r| (r.step.ln(), f(r).ln())).collect::<Vec<_>>(), runs.len().min(FEWEST))
    };
    let outcome = Outcome {
        scheme: reference.summary.scheme.clone(),
        reference_step,
        impacts: reference.summary.impacts,
        orders: (0..channels.len()).map(|c| order_of(&|r: &Line| r.errors[c])).collect(),
        order: order_of(&|r: &Line| r.mean),
        reference_errors: itself.errors,
        reference_mean: itself.mean,
        channels,
        runs,
    };
    match (args.json, args.csv) {
        (true, _) => say_json(&outcome),
        (_, true) => say(&csv(&outcome)),
        _ => say(&text(&outcome)),
    }
}

fn input(wrong: String, right: &str) -> Failure {
    Failure::input(wrong, right, Topic::Convergence)
}

/// Step sizes, largest first.
fn sizes(args: &args::Convergence) -> Result<Vec<f64>, Failure> {
    let mut sizes = match args.from {
        Some(from) => (0..args.count).map(|k| from * args.ratio.powi(i32::from(k))).collect(),
        None => args.steps.clone(),
    };
    sizes.sort_by(|a, b| b.total_cmp(a));
    sizes.dedup();
    if sizes.len() < 2 {
        return Err(input(
            "an order needs two step sizes or more".into(),
            "--from 1e-3 --ratio 0.7 --count 12",
        ));
    }
    Ok(sizes)
}

fn one(setup: &Setup, step: f64, samples: f64, show: impl Fn(f64)) -> Result<Done, Failure> {
    let end = setup.settings().end;
    let every = (end / step / samples).ceil().max(1.0) * step;
    let settings = Settings { step, end, accuracy: None, output: Some(every) };
    let done = setup
        .run_with(settings, |progress| {
            show(progress.t / progress.end);
            !interrupt::asked()
        })
        .map_err(|e| model::cannot_start(setup, &e))?;
    match &done.summary.stop {
        Stop::Done => Ok(done),
        Stop::Interrupted => Err(Failure::Interrupted("interrupted".into())),
        Stop::Failed(why) => {
            Err(failure::wrong(format_args!("the run with step {step} s failed {why}")).run())
        }
    }
}

/// The channels asked for, or places and angles that move. Points of rigid bodies say nothing that the bodies do not.
fn channels(args: &args::Convergence, setup: &Setup, reference: &Recording) -> Result<Vec<String>, Failure> {
    let plane = setup.loaded().description.plane();
    let of_rigid = |subject: &str| {
        let mut words = subject.split('.');
        let body = words.next().and_then(|body| plane?.bodies.get(body));
        words.count() > 0 && (plane.is_none() || body.is_some_and(|body| body.elastic.is_none()))
    };
    for name in &args.channel {
        if reference.column(name).is_none() {
            let known = reference.channels.iter().filter(|c| c.is_plotted());
            let known: Vec<&str> = known.map(Channel::name).collect();
            let help = suggest::choices(name, "channels", &known);
            return Err(input(format!("there is no channel `{name}`"), &help));
        }
        if mean_size(reference, name) == 0.0 {
            return Err(input(
                format!("channel `{name}` is zero throughout, so it has no relative error"),
                "a channel that moves",
            ));
        }
    }
    if !args.channel.is_empty() {
        return Ok(args.channel.clone());
    }
    let place = |c: &&Channel| {
        let named = ["x", "y", "angle"].contains(&c.quantity());
        named && ["m", "rad"].contains(&c.unit.as_str()) && !of_rigid(c.subject())
    };
    let places = || reference.channels.iter().filter(place);
    let largest = |unit: &str| {
        places().filter(|c| c.unit == unit).fold(0.0_f64, |m, c| m.max(mean_size(reference, c.name())))
    };
    let chosen: Vec<String> = places()
        .filter(|c| mean_size(reference, c.name()) > STILL * largest(&c.unit))
        .map(|c| c.name().to_string())
        .collect();
    if chosen.is_empty() {
        return Err(input("nothing moves in this model".into(), "name a channel with --channel"));
    }
    Ok(chosen)
}

fn mean_size(recording: &Recording, name: &str) -> f64 {
    let column = recording.column(name).unwrap_or_default();
    column.iter().map(|x| x.abs()).sum::<f64>() / column.len().max(1) as f64
}

/// Straight line by least squares over so many points at least.
fn fit(points: &[(f64, f64)], fewest: usize) -> Fit {
    let sizes = points.len();
    if sizes < fewest {
        return Fit { slope: None, uncertainty: None, sizes };
    }
    let n = sizes as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let xx = mean(&|p| (p.0 - x) * (p.0 - x));
    let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / xx;
    let left = mean(&|p| (p.1 - y - slope * (p.0 - x)).powi(2));
    let uncertainty = (n > 2.0).then(|| (left / xx / (n - 2.0)).sqrt());
    Fit { slope: Some(slope), uncertainty, sizes }
}

fn text(outcome: &Outcome) -> String {
    // few channels have a column each, several have their mean
    let each = if outcome.channels.len() <= SHOWN { outcome.channels.len() } else { 0 };
    let mean = usize::from(outcome.channels.len() > 1);
    let mut head = vec!["step (s)".to_string()];
    head.extend(outcome.channels[..each].iter().cloned());
    head.extend([format!("mean of {}", outcome.channels.len())].into_iter().take(mean));
    let mut rows = vec![head];
    for run in &outcome.runs {
        let mut row = vec![format!("{:.3e}", run.step)];
        let errors = run.errors[..each].iter().chain([&run.mean].into_iter().take(mean));
        row.extend(errors.map(|e| format!("{e:.3e}")));
        rows.push(row);
    }
    let mut last = vec!["order".to_string()];
    let fits = outcome.orders[..each].iter().chain([&outcome.order].into_iter().take(mean));
    last.extend(fits.map(|f| match (f.slope, f.uncertainty) {
        (Some(slope), Some(uncertainty)) => format!("{slope:.2} ± {uncertainty:.2}"),
        (Some(slope), None) => format!("{slope:.2}"),
        (None, _) => "unknown".into(),
    }));
    let mut own = vec!["reference".to_string()];
    let errors =
        outcome.reference_errors[..each].iter().chain([&outcome.reference_mean].into_iter().take(mean));
    own.extend(errors.map(|e| format!("{e:.1e}")));
    rows.push(own);
    rows.push(last);
    let mut text = format!(
        "{}: relative L1 errors against step {:.3e} s, order by least squares over {} step sizes\n\n{}",
        outcome.scheme,
        outcome.reference_step,
        outcome.runs.len(),
        table(&rows, 40)
    );
    let left_out = outcome.runs.len() - outcome.order.sizes;
    if left_out > 0 {
        let sizes = if left_out == 1 { "step size is" } else { "step sizes are" };
        let what =
            if outcome.order.slope.is_none() { "; larger steps, or a smaller --reference" } else { "" };
        text.push_str(&format!(
            "\n{left_out} {sizes} left out of the fit of the mean: the error is not above that of the reference, which is of its \
             step and of round-off{what}.\n"
        ));
    }
    if outcome.impacts > 0 && outcome.runs.len() < ENOUGH {
        text.push_str(
            "\nThere are impacts: errors jump with the phase of the step. Fit ten or more step sizes that are not \
             multiples of each other, such as --from 1e-3 --ratio 0.7 --count 12.\n",
        );
    }
    text
}

fn csv(outcome: &Outcome) -> String {
    let mut text = format!("step,{},mean\n", outcome.channels.join(","));
    for run in &outcome.runs {
        let numbers: Vec<String> =
            [&run.step].into_iter().chain(&run.errors).chain([&run.mean]).map(f64::to_string).collect();
        text.push_str(&numbers.join(","));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_fitted_exactly() {
        let points: Vec<_> = (0..12).map(|k| 0.7_f64.powi(k).ln()).map(|x| (x, 1.5 * x + 0.3)).collect();
        let fit = fit(&points, 3);
        assert!((fit.slope.unwrap() - 1.5).abs() < 1e-12 && fit.uncertainty.unwrap() < 1e-12);
    }
}
