//! Work and precision: what an error costs, scheme by scheme, on five mechanisms.
//!
//! ```text
//!   error = Σ |f_i − f(t_i)| / Σ |f(t_i)|            against exact motions            [Chen2013] (42)
//!   time  = fastest of several runs in turn, block of steps by block, per simulated second
//!   time needed for ε: where log time over log error crosses ε for good: this step and all finer ones are below ε
//! ```
//!
//! Only ratios of times mean anything. `auto` is what `choose` takes at every step size.

mod cases;

use crate::figure::{Panel, logarithmic};
use crate::report::{Series, StudyReport};
use crate::running::{Method, Trouble, every_scheme, start};
use carom_dynamics::{State, choose};
use cases::Case;
use std::time::{Duration, Instant};

/// Steps per block: shorter than the turns that other programs get.
const BLOCK: usize = 250;
/// Runs per scheme and step, of which the fastest counts block by block; more of those that are soon over.
const REPEATS: usize = 5;
const MOST_REPEATS: usize = 60;
/// Steps that are made in all repeats together, at least, if `MOST_REPEATS` allow.
const ENOUGH: usize = 20_000;
/// Errors people ask for.
const WANTED: [f64; 4] = [1e-3, 1e-4, 1e-5, 1e-7];
/// A run that is off by more than this has failed.
const LOST: f64 = 1.0;
/// Errors that the figure shows.
const ERRORS: [f64; 2] = [1e-10, 1.0];

/// Steps with impacts repeated in parts, beside the plain schemes.
const IN_PARTS: [Method; 6] = [
    in_parts("half-explicit, parts = 10", "half-explicit", &[("parts", 10.0)]),
    in_parts("half-explicit, parts = 50", "half-explicit", &[("parts", 50.0)]),
    in_parts("half-explicit, parts = 100", "half-explicit", &[("parts", 100.0)]),
    in_parts("half-explicit-4, parts = 100", "half-explicit-4", &[("parts", 100.0)]),
    in_parts("mixed-alpha, parts = 10", "mixed-alpha", &[("parts", 10.0)]),
    in_parts("mixed-alpha, parts = 100", "mixed-alpha", &[("parts", 100.0)]),
];

const fn in_parts(
    label: &'static str,
    scheme: &'static str,
    parameters: &'static [(&'static str, f64)],
) -> Method {
    Method { label, scheme, parameters }
}

/// A run: step (s), time per simulated second (s), error.
#[derive(Clone, Copy, Debug)]
struct Run {
    step: f64,
    time: f64,
    error: f64,
}

/// The runs of a method that did not fail, by falling step.
#[derive(Clone, Debug)]
struct Curve {
    label: String,
    runs: Vec<Run>,
}

impl Curve {
    /// Time and step needed for an error below `wanted`, here and at every finer step; none if it is not reached.
    fn needs(&self, wanted: f64) -> Option<(f64, f64)> {
        let below = self.runs.iter().rev().take_while(|run| run.error <= wanted).count();
        let first = self.runs.len() - below;
        let at = self.runs.get(first)?;
        let Some(above) = first.checked_sub(1).map(|i| self.runs[i]) else { return Some((at.time, at.step)) };
        // between the last run above and the first below, along a straight line of logarithms
        let part = (above.error / wanted).ln() / (above.error / at.error).ln();
        let between = |a: f64, b: f64| a * (b / a).powf(part);
        Some((between(above.time, at.time), between(above.step, at.step)))
    }
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    let cases = cases::all()?;
    let count = cases.len() as f64;
    for (i, case) in cases.iter().enumerate() {
        let curves = curves(case, &case.steps, REPEATS, &mut |p| progress((i as f64 + p) / count));
        tell(report, case, &curves);
    }
    report.note(
        "Times are those of a whole simulation with audit, the fastest of the repeats block by block. A machine that is busy, or \
         another one, changes them; the ratios stay within some ten percent.",
    );
    report.note(
        "A scheme needs the time at which its error falls below the one wanted for good, at this and at all finer steps, by a straight \
         line between the two runs around it. Schemes that are not named do not reach it with the steps of the study, \
         or do not take the contacts of the mechanism.",
    );
    Ok(())
}

/// The methods that make sense on a case.
fn methods(case: &Case) -> Vec<Method> {
    let mut methods = every_scheme();
    if !case.system.structure().contacts.is_empty() {
        methods.extend(IN_PARTS);
    }
    methods
}

/// Every method at every step, and last what `auto` takes.
fn curves(case: &Case, steps: &[f64], repeats: usize, progress: &mut dyn FnMut(f64)) -> Vec<Curve> {
    let methods = methods(case);
    let curve = |m: &Method| Curve { label: m.label.into(), runs: Vec::new() };
    let mut curves: Vec<Curve> = methods.iter().map(curve).collect();
    let mut auto = Curve { label: "auto".into(), runs: Vec::new() };
    for (k, &step) in steps.iter().enumerate() {
        let errors: Vec<Option<f64>> = methods.iter().map(|m| case.error(*m, step)).collect();
        let times = times(case, &methods, &errors, step, repeats);
        let state = State::new(&*case.system, 0.0, case.q.clone(), case.v.clone());
        let choice = choose(&*case.system, &state, step, None);
        for (i, method) in methods.iter().enumerate() {
            let Some(error) = errors[i] else { continue };
            let run = Run { step, time: times[i], error };
            curves[i].runs.push(run);
            if choice.scheme == method.scheme && choice.parameters == method.parameters {
                auto.runs.push(run);
            }
        }
        progress((k + 1) as f64 / steps.len() as f64);
    }
    curves.push(auto);
    curves
}

/// Time per simulated second of every method that has an error.
fn times(case: &Case, methods: &[Method], errors: &[Option<f64>], step: f64, repeats: usize) -> Vec<f64> {
    let mut best: Vec<Vec<Duration>> = vec![Vec::new(); methods.len()];
    let mut steps = (case.end / step * (1.0 + 1e-12)) as usize;
    let repeats = if repeats > 1 { repeats.max((ENOUGH / steps).min(MOST_REPEATS)) } else { 1 };
    for _ in 0..repeats {
        for (i, method) in methods.iter().enumerate().filter(|(i, _)| errors[*i].is_some()) {
            let Ok(mut simulation) = start(&*case.system, *method, (&case.q, &case.v), step, case.end) else {
                continue;
            };
            let mut done = 0;
            for block in 0.. {
                if simulation.is_done() {
                    break;
                }
                let clock = Instant::now();
                for _ in 0..BLOCK {
                    if simulation.is_done() {
                        break;
                    }
                    simulation.advance();
                    done += 1;
                }
                let took = clock.elapsed();
                match best[i].get_mut(block) {
                    Some(least) => *least = took.min(*least),
                    None => best[i].push(took),
                }
            }
            steps = done.max(1);
        }
    }
    let simulated = steps as f64 * step;
    best.iter().map(|blocks| blocks.iter().sum::<Duration>().as_secs_f64() / simulated).collect()
}

/// Who needs least, and the curves.
fn tell(report: &mut StudyReport, case: &Case, curves: &[Curve]) {
    for wanted in WANTED {
        let mut needs: Vec<(&str, f64, f64)> = curves
            .iter()
            .filter_map(|c| c.needs(wanted).map(|(time, step)| (c.label.as_str(), time, step)))
            .collect();
        needs.sort_by(|a, b| a.1.total_cmp(&b.1));
        let least = needs.iter().find(|n| n.0 != "auto").map_or(f64::NAN, |n| n.1);
        let one =
            |(label, time, step): &(&str, f64, f64)| format!("{label} {:.2} at {step:.1e} s", time / least);
        let ours = match needs.as_slice() {
            [] => "nobody reaches it with these steps".into(),
            all => {
                let list: Vec<String> = all.iter().map(one).collect();
                format!("{:.2e} s per simulated second = 1: {}", least, list.join("; "))
            }
        };
        report.fact(format!("{}: time for an error of {wanted:.0e}", case.name), ours);
    }
    for curve in curves.iter().filter(|c| !c.runs.is_empty()) {
        let column = |name: &str, f: fn(&Run) -> f64| (name.to_string(), curve.runs.iter().map(f).collect());
        let panel = Panel::new(
            &format!("{}: what an error costs", case.name),
            "",
            logarithmic("relative error").between(ERRORS[0], ERRORS[1]),
            logarithmic("time per simulated second (s)"),
        );
        let series = Series::new(
            &format!("{}: {}", case.name, curve.label),
            [
                column("error", |r| r.error),
                column("time per simulated second (s)", |r| r.time),
                column("dt (s)", |r| r.step),
            ],
        );
        let label = |name: &str| name.starts_with("time").then(|| curve.label.clone());
        report.series.push(series.drawn(panel.marked(), label));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_needed_is_read_off_the_line() {
        let run = |step, time, error| Run { step, time, error };
        let curve = |runs: &[Run]| Curve { label: String::new(), runs: runs.to_vec() };
        let line = curve(&[run(1e-2, 1.0, 1e-2), run(1e-3, 10.0, 1e-4), run(1e-4, 100.0, 1e-6)]);
        let (time, step) = line.needs(1e-3).expect("it gets there");
        assert!(
            (time / 10f64.sqrt() - 1.0).abs() < 1e-12 && (step * 10f64.sqrt() / 1e-2 - 1.0).abs() < 1e-12
        );
        // coarse enough from the start, never fine enough, and a lucky run that does not count
        assert_eq!(line.needs(0.1), Some((1.0, 1e-2)));
        assert_eq!(line.needs(1e-7), None);
        let lucky = curve(&[run(1e-2, 1.0, 1e-9), run(1e-3, 10.0, 1e-4), run(1e-4, 100.0, 1e-6)]);
        assert!(lucky.needs(1e-5).is_some_and(|(time, _)| time > 10.0));
    }

    /// Sampled: at two steps of each case, errors fall with the step as orders have it, and `auto` takes a scheme that
    /// is on the table and whose error is no worse than that of the default.
    #[test]
    fn errors_fall_and_auto_takes_what_is_measured() {
        for case in cases::all().expect("the cases stand") {
            let (from, to) = case.sample;
            let curves = curves(&case, &[from, to], 1, &mut |_| ());
            let of = |label: &str| curves.iter().find(|c| c.label == label).expect("it is measured");
            let auto = of("auto");
            assert_eq!(auto.runs.len(), 2, "{}: auto runs at both steps", case.name);
            let falls = (auto.runs[0].error / auto.runs[1].error).ln() / (from / to).ln();
            assert!(falls > 0.7, "{}: {:?}", case.name, auto.runs);
            let default = of("moreau-jean");
            assert!(auto.runs[1].error < 2.0 * default.runs[1].error, "{}: {auto:?} {default:?}", case.name);
        }
    }
}
