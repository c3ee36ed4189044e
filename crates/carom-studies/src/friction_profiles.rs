//! Which solver for which contact problem: performance profiles over generated and kept problems.             [DolanMore2002]
//!
//! ```text
//!   solved to ε    residual(P) ≤ ε and natural_map_error(P) ≤ ε, computed here, whatever the solver says of itself
//!   ρ_s(τ)         share of the problems that s solves to ε within τ times the least time
//! ```
//!
//! Every solver of the registry is run from zero on every family of `carom_solve::generate` and on every problem that is kept
//! there, at three tolerances, with a limit of time per solve that grows with the contacts. Who was stopped by the clock is not asked again for a tighter answer: the
//! answer it had is what it has. An answer that is called converged and is not would be a row of its own.
//!
//! The largest problems, up to 20 000 contacts, are asked of `auto` alone, once, to 1e-8.
//!
//! Budget: about ten minutes of computing where nobody else does. Times differ from machine to machine, and limits of time are those
//! of the clock on the wall: beside other work, more solves are stopped. Iterations are the same everywhere.

mod attempt;
mod bars;
mod set;

use crate::figure::{Panel, linear, logarithmic};
use crate::profile::Profile;
use crate::report::{Series, StudyReport};
use attempt::Attempt;
use carom_solve::generate::{GENERATORS, KEPT, KeptProblem};
use carom_solve::{Limits, SOLVERS, SolveStatus};
use set::Case;
use std::collections::BTreeMap;

/// Residuals that are asked for.
const TOLERANCES: [f64; 3] = [1e-4, 1e-8, 1e-12];
/// Contacts, about: each family makes the smallest mechanism with at least so many.
const SIZES: [usize; 9] = [1, 2, 4, 8, 16, 40, 100, 250, 600];
/// Contacts of the problems that `auto` alone is asked.
const LARGE: [usize; 3] = [2000, 6000, 20_000];
/// Longest a solve may take: so much, and so much per contact (s); at most what `carom solve` allows.
const LIMIT: f64 = 0.5;
const LIMIT_PER_CONTACT: f64 = 5e-3;
const LONGEST: f64 = 60.0;
/// τ of the curves.
const MOST_TAU: f64 = 1e4;
const POINTS: usize = 80;
/// τ of the tables.
const TAUS: [f64; 4] = [1.0, 2.0, 10.0, 100.0];
/// More than so many times the limit of time is told.
const OVERRUN: f64 = 1.5;
/// How much of the work the problems for all solvers are.
const SMALL_PART: f64 = 0.4;
/// Shares of the set that `auto` has to solve.
const AUTO: [Option<f64>; 3] = [Some(1.0), Some(0.98), None];

/// How much is run.
#[derive(Clone, Copy, Debug)]
struct Budget<'a> {
    sizes: &'a [usize],
    /// Problems that were kept.
    kept: &'a [KeptProblem],
    /// Sizes that only `auto` is asked.
    large: &'a [usize],
    /// Contacts of the problems on which sweeps are timed.
    sweeps: &'a [usize],
    /// Whether short solves are repeated for their time.
    repeats: bool,
}

/// A problem with its attempts: solver by solver, tolerance by tolerance.
#[derive(Debug)]
struct Measured {
    name: String,
    /// Longest a solve may take (s).
    seconds: f64,
    attempts: Vec<Vec<Attempt>>,
}

/// A large problem and what `auto` made of it.
#[derive(Debug)]
struct Large {
    name: String,
    attempt: Attempt,
}

impl Measured {
    /// Times to a tolerance; infinite where it is not reached.
    fn times(&self, k: usize) -> Vec<f64> {
        let time = |attempts: &Vec<Attempt>| {
            let attempt = &attempts[k];
            if attempt.solves(TOLERANCES[k]) { attempt.seconds } else { f64::INFINITY }
        };
        self.attempts.iter().map(time).collect()
    }

    fn solved(&self, s: usize, k: usize) -> bool {
        self.attempts[s][k].solves(TOLERANCES[k])
    }
}

/// Runs the study.
pub fn run_study(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let budget =
        Budget { sizes: &SIZES, kept: KEPT, large: &LARGE, sweeps: &bars::SWEEP_SIZES, repeats: true };
    StudyReport::filled(progress, |report, progress| fill(report, budget, progress))
}

fn fill(report: &mut StudyReport, budget: Budget<'_>, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let measured = measure(budget, progress)?;
    let large = measure_large(budget, progress)?;
    tell_solvers(report, &measured);
    tell_bars(report, &measured, &large);
    bars::resting_cube(report)?;
    bars::pivoting(report)?;
    bars::cost_of_a_sweep(report, budget.sweeps)?;
    tell_claims(report, &measured);
    tell_overruns(report, &measured);
    tell_profiles(report, &measured);
    tell_unsolved(report, &measured);
    report.note(format!(
        "{} problems of {} families, {} that were kept, and {} large ones for `auto` alone. A solve may take {LIMIT} s and {} ms per contact, \
         {LONGEST} s at most. Times are those of one solve from zero with new memory, the fastest of three where they are short; a \
         busy machine or another one changes them.",
        measured.len() - budget.kept.len(),
        GENERATORS.len(),
        budget.kept.len(),
        large.len(),
        1e3 * LIMIT_PER_CONTACT
    ));
    Ok(())
}

/// Every solver on every problem.
fn measure(budget: Budget<'_>, progress: &mut dyn FnMut(f64)) -> Result<Vec<Measured>, String> {
    let mut measured: Vec<Measured> = Vec::new();
    let count = GENERATORS.len() * budget.sizes.len() + budget.kept.len();
    let mut made = 0;
    for family in GENERATORS {
        let mut last = None;
        for &size in budget.sizes {
            let case = Case::new(family, size)?;
            made += 1;
            // small sizes of a family may be one and the same mechanism
            if last.replace(case.contacts) != Some(case.contacts) {
                measured.push(attempts(&case, budget.repeats));
            }
            progress(SMALL_PART * made as f64 / count as f64);
        }
    }
    for kept in budget.kept {
        measured.push(attempts(&Case::kept(kept), budget.repeats));
        made += 1;
        progress(SMALL_PART * made as f64 / count as f64);
    }
    Ok(measured)
}

/// `auto` on the largest of each family that has such.
fn measure_large(budget: Budget<'_>, progress: &mut dyn FnMut(f64)) -> Result<Vec<Large>, String> {
    let auto = &SOLVERS[auto_index()];
    let families = GENERATORS.iter().filter(|family| budget.large.iter().all(|size| family.most >= *size));
    let wanted: Vec<_> = families.flat_map(|f| budget.large.iter().map(move |size| (f, *size))).collect();
    let mut large = Vec::new();
    for (k, (family, size)) in wanted.iter().enumerate() {
        let case = Case::new(family, *size)?;
        let limits = Limits { tolerance: TOLERANCES[1], seconds: seconds_for(case.contacts) };
        large.push(Large { attempt: Attempt::make(auto, &case, limits, false), name: case.name });
        // the bars come after
        progress(SMALL_PART + (0.95 - SMALL_PART) * (k + 1) as f64 / wanted.len() as f64);
    }
    Ok(large)
}

/// Where `auto` stands in the registry.
fn auto_index() -> usize {
    SOLVERS.iter().position(|entry| entry.name == "auto").expect("the default solver is registered")
}

/// Longest a solve may take (s).
fn seconds_for(contacts: usize) -> f64 {
    (LIMIT + LIMIT_PER_CONTACT * contacts as f64).min(LONGEST)
}

/// Every solver at every tolerance.
fn attempts(case: &Case, repeats: bool) -> Measured {
    let seconds = seconds_for(case.contacts);
    let of = |entry| {
        let mut attempts: Vec<Attempt> = Vec::new();
        for tolerance in TOLERANCES {
            let stopped = |last: &&Attempt| {
                last.report.status == SolveStatus::Unsupported
                    || (last.seconds >= seconds && !last.solves(tolerance))
            };
            let next = match attempts.last().filter(stopped) {
                Some(last) => last.carried_over(),
                None => Attempt::make(entry, case, Limits { tolerance, seconds }, repeats),
            };
            attempts.push(next);
        }
        attempts
    };
    Measured { name: case.name.clone(), seconds, attempts: SOLVERS.iter().copied().map(of).collect() }
}

fn percent(count: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of.max(1) as f64)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// The table: solver | solved | median time and iterations | failures by label.
fn tell_solvers(report: &mut StudyReport, measured: &[Measured]) {
    for (s, entry) in SOLVERS.iter().enumerate() {
        let solved: Vec<String> = (0..TOLERANCES.len())
            .map(|k| {
                let count = measured.iter().filter(|one| one.solved(s, k)).count();
                format!("{} at {:.0e}", percent(count, measured.len()), TOLERANCES[k])
            })
            .collect();
        let at = |k: usize, of: fn(&Attempt) -> f64| {
            median(
                measured.iter().filter(|one| one.solved(s, k)).map(|one| of(&one.attempts[s][k])).collect(),
            )
        };
        let middle = match (at(1, |a| a.seconds), at(1, |a| a.report.iterations as f64)) {
            (Some(seconds), Some(iterations)) => {
                format!("median {:.2} ms and {iterations:.0} iterations to 1e-8", 1e3 * seconds)
            }
            _ => "none to 1e-8".into(),
        };
        let mut failures: BTreeMap<String, usize> = BTreeMap::new();
        for one in measured.iter().filter(|one| !one.solved(s, 1)) {
            *failures.entry(one.attempts[s][1].label()).or_default() += 1;
        }
        let failures: Vec<String> =
            failures.iter().map(|(label, count)| format!("{label} {count}")).collect();
        let failures = if failures.is_empty() { "no failures".into() } else { failures.join(", ") };
        report.fact(
            format!("{}: solved, cost, failures at 1e-8", entry.name),
            format!("{}; {middle}; {failures}", solved.join(", ")),
        );
    }
}

/// How much of the set `auto` has to solve, small and large.
fn tell_bars(report: &mut StudyReport, measured: &[Measured], large: &[Large]) {
    let s = auto_index();
    let all = measured.len() + large.len();
    for (k, bar) in AUTO.iter().enumerate() {
        let Some(bar) = bar else { continue };
        let small = measured.iter().map(|one| (&one.name, &one.attempts[s][k]));
        let left: Vec<String> = small
            .chain(large.iter().map(|one| (&one.name, &one.attempt)))
            .filter(|(_, attempt)| !attempt.solves(TOLERANCES[k]))
            .map(|(name, attempt)| format!("{name}: {} at {:.1e}", attempt.label(), attempt.error()))
            .collect();
        let solved = all - left.len();
        report.compare(
            format!("`auto` solves to {:.0e} by both measures", TOLERANCES[k]),
            format!("{} % (our own bar)", 100.0 * bar),
            format!("{} ({solved} of {all})", percent(solved, all)),
            solved as f64 >= bar * all as f64,
            &left.join("; "),
        );
    }
    for one in large {
        let Attempt { seconds, report: answer, .. } = one.attempt;
        let error = one.attempt.error();
        let told = format!("{}, {error:.1e} in {seconds:.1} s by {}", one.attempt.label(), answer.solver);
        report.fact(format!("`auto` on {}", one.name), told);
    }
}

/// Answers that are called converged and are not.
fn tell_claims(report: &mut StudyReport, measured: &[Measured]) {
    let mut wrong: Vec<String> = Vec::new();
    for one in measured {
        for (entry, attempts) in SOLVERS.iter().zip(&one.attempts) {
            for (attempt, tolerance) in attempts.iter().zip(TOLERANCES) {
                if attempt.is_false_claim(tolerance) {
                    wrong.push(format!(
                        "{} on {} at {tolerance:.0e}: {:.1e}",
                        entry.name, one.name, attempt.residual
                    ));
                }
            }
        }
    }
    report.compare(
        "answers called converged that are not",
        "none",
        if wrong.is_empty() { "none".into() } else { wrong.len().to_string() },
        wrong.is_empty(),
        &wrong.join("; "),
    );
}

/// By how much solvers overrun their time, which they look at between iterations.
fn tell_overruns(report: &mut StudyReport, measured: &[Measured]) {
    let mut told = Vec::new();
    for (s, entry) in SOLVERS.iter().enumerate() {
        let longest = measured
            .iter()
            .flat_map(|one| one.attempts[s].iter().map(move |a| (a.seconds / one.seconds, &one.name)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((part, name)) = longest.filter(|(part, _)| *part > OVERRUN) {
            told.push(format!("{} {part:.1} times on {name}", entry.name));
        }
    }
    let told = if told.is_empty() { "nobody".into() } else { told.join(", ") };
    report.fact(format!("who takes more than {OVERRUN} times the limit of time"), told);
}

/// Profiles as tables and curves.
fn tell_profiles(report: &mut StudyReport, measured: &[Measured]) {
    let taus: Vec<f64> = (0..POINTS).map(|k| MOST_TAU.powf(k as f64 / (POINTS - 1) as f64)).collect();
    for (k, tolerance) in TOLERANCES.iter().enumerate() {
        let times: Vec<Vec<f64>> = measured.iter().map(|one| one.times(k)).collect();
        let profile = Profile::new(times.iter().map(Vec::as_slice));
        let mut columns = vec![("tau".to_string(), taus.clone())];
        let mut told = Vec::new();
        for (s, entry) in SOLVERS.iter().enumerate() {
            columns.push((entry.name.into(), taus.iter().map(|tau| profile.rho(s, *tau)).collect()));
            let rho: Vec<String> = TAUS.iter().map(|tau| format!("{:.2}", profile.rho(s, *tau))).collect();
            told.push(format!("{} {}", entry.name, rho.join(" ")));
        }
        report.fact(format!("rho at 1, 2, 10, 100; time to {tolerance:.0e}"), told.join("; "));
        let panel = Panel::new(
            "Performance profiles of the solvers",
            &format!("residual {tolerance:.0e}"),
            logarithmic("τ: time over that of the fastest"),
            linear("share of problems"),
        );
        report.series.push(Series::new(&format!("time to {tolerance:.0e}"), columns).all_drawn(panel));
    }
}

/// What nobody solves.
fn tell_unsolved(report: &mut StudyReport, measured: &[Measured]) {
    for (k, tolerance) in TOLERANCES.iter().enumerate() {
        let nobody = |one: &&Measured| !(0..SOLVERS.len()).any(|s| one.solved(s, k));
        let names: Vec<String> = measured
            .iter()
            .filter(nobody)
            .map(|one| {
                let least = one.attempts.iter().map(|a| a[k].residual).fold(f64::INFINITY, f64::min);
                format!("{} (best {least:.1e})", one.name)
            })
            .collect();
        let told = if names.is_empty() { "none".into() } else { names.join(", ") };
        report.note(format!("Solved to {tolerance:.0e} by nobody: {told}."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    /// Small problems of every family, and those that were kept: `auto` solves them all, and nobody claims what is not so. Only what the clock decides is
    /// left out.
    #[test]
    fn a_sample_of_every_family() {
        let mut report = StudyReport::default();
        let sizes = &[1, 4, 10];
        let budget = Budget { sizes, kept: KEPT, large: &[60], sweeps: &[50, 100, 200], repeats: false };
        fill(&mut report, budget, &mut |_| ()).expect("every problem can be made");
        let of = |what: &str| report.rows.iter().find(|row| row.what.starts_with(what)).expect("it is told");
        for what in ["`auto` solves to 1e-4", "`auto` solves to 1e-8", "answers called converged"] {
            assert_eq!(of(what).verdict, Verdict::Agrees, "{:?}", of(what));
        }
        for entry in SOLVERS {
            let told = &of(&format!("{}: solved", entry.name)).ours;
            assert!(told.contains("at 1e-12"), "{told}");
        }
        // a figure for each tolerance, and the time of a sweep
        assert_eq!(report.series.len(), TOLERANCES.len() + 1);
    }

    /// A wrong answer under a good name is seen.
    #[test]
    fn a_false_claim_is_told() {
        let case = Case::new(&GENERATORS[0], 4).expect("it can be made");
        let mut one = attempts(&case, false);
        let attempt = &mut one.attempts[0][1];
        (attempt.report.status, attempt.residual) = (SolveStatus::Converged, 1e-3);
        let mut report = StudyReport::default();
        tell_claims(&mut report, &[one]);
        let Verdict::Differs(why) = &report.rows[0].verdict else { panic!("{:?}", report.rows) };
        assert!(why.contains("auto on spheres") && why.contains("1.0e-3"), "{why}");
    }
}
