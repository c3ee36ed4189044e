//! What runs say of their error, beside their error: the calibration of the verdict.
//!
//! ```text
//!   true     = max over samples and coordinates |q − q_exact|, lengths over the mechanism's size, angles in rad
//!   claimed  = what the estimate says, up to the time it says positions are lost
//!   hopeful  = true / claimed          gloomy = claimed / true
//! ```
//!
//! Errors below [`ROUND_OFF`] count as that, and so do those above the range of the motion as that range: who is off by all of it
//! knows nothing. Runs that stop with an error claim nothing and are counted apart.

mod cases;

use crate::figure::{PRINTED, Panel, logarithmic};
use crate::report::{Series, StudyReport};
use carom_dynamics::{Effort, Runs, SCHEMES, Settings, Simulation, State, Stop, scheme, weights};
use cases::{Case, Ready, Truth};
use rayon::prelude::*;

/// Errors below this are round-off.
const ROUND_OFF: f64 = 1e-12;
/// Tolerance of references, relative to the size.
const TIGHT: f64 = 1e-12;
/// Two references that are further apart than this are no reference.
const APART: f64 = 1e-8;
/// The bar: how hopeful a claim may be, and how gloomy in the median.
const BAR: f64 = 10.0;
/// Runs that are told one by one.
const TOLD: usize = 10;

/// One run.
#[derive(Clone, Debug)]
struct Claim {
    case: &'static str,
    kind: &'static str,
    scheme: String,
    settings: Settings,
    truth: f64,
    claimed: f64,
}

impl Claim {
    /// True over claimed.
    fn hopeful(&self) -> f64 {
        self.truth / self.claimed
    }
}

/// Where a reference is at the samples, and how far two are apart.
struct Known {
    q: Vec<Vec<f64>>,
    apart: f64,
    range: f64,
}

fn distance(a: &[f64], b: &[f64], weight: &[f64]) -> f64 {
    let larger = |most: f64, d: f64| if d <= most { most } else { d };
    a.iter().zip(b).zip(weight).map(|((a, b), w)| (a - b).abs() * w).fold(0.0, larger)
}

/// Places at the samples, of a run by `name`; as many as it reaches.
fn places(
    ready: &Ready,
    name: &str,
    parameters: &[(&str, f64)],
    settings: Settings,
    samples: usize,
) -> Result<Vec<Vec<f64>>, String> {
    let system = &*ready.system;
    let scheme = scheme(name, parameters).map_err(|e| e.to_string())?;
    let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
    let state = State::new(system, 0.0, ready.q.clone(), ready.v.clone());
    let mut run = Simulation::new(system, &*scheme, solver, state, settings).map_err(|e| e.to_string())?;
    let every = settings.end / samples as f64;
    run.leave_trail((1..=samples).map(|k| every * k as f64).collect());
    if let Stop::Failed(why) = run.run(|_| true) {
        return Err(why.to_string());
    }
    let trail = run.trail().expect("it was asked for");
    Ok((0..trail.len()).map(|k| trail.q(k).to_vec()).collect())
}

/// The motion at the samples.
fn known(case: &Case, ready: &Ready) -> Result<Known, String> {
    let every = case.end / case.samples as f64;
    let (q, apart) = match &case.truth {
        Truth::Exact(at) => ((1..=case.samples).map(|k| at(every * k as f64)).collect(), 0.0),
        Truth::Tight(names) => {
            let settings =
                Settings { step: 1e-3 * every, end: case.end, accuracy: Some(TIGHT), output: Some(every) };
            let mut both = Vec::new();
            for name in names {
                both.push(
                    places(ready, name, &[], settings, case.samples).map_err(|e| format!("{name}: {e}"))?,
                );
            }
            let weight = weights(&*ready.system);
            let apart =
                both[0].iter().zip(&both[1]).map(|(a, b)| distance(a, b, &weight)).fold(0.0, f64::max);
            (both.swap_remove(0), apart)
        }
    };
    let weight = weights(&*ready.system);
    let mut range = 0.0_f64;
    for (i, w) in weight.iter().enumerate() {
        let (low, high) = q
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), q: &Vec<f64>| (a.min(q[i]), b.max(q[i])));
        range = range.max((high - low) * w);
    }
    Ok(Known { q, apart, range })
}

/// One run and its claim; none if it stops with an error.
fn claim(
    case: &Case,
    ready: &Ready,
    known: &Known,
    name: &str,
    settings: Settings,
) -> Result<Option<Claim>, String> {
    let system = &*ready.system;
    let scheme = scheme(name, &[]).map_err(|e| e.to_string())?;
    let runs = Runs {
        system,
        scheme: &*scheme,
        solver: &|| carom_solve::solver("auto").expect("it is in the registry"),
        state: State::new(system, 0.0, ready.q.clone(), ready.v.clone()),
        settings,
    };
    let trusted = runs.run(Effort::Usual, None, &mut |_| true).map_err(|e| e.to_string())?;
    if trusted.summary.stop != Stop::Done {
        return Ok(None);
    }
    let estimate = trusted.summary.estimate.ok_or("no estimate")?;
    let places = places(ready, name, &[], trusted.settings, case.samples)?;
    let weight = weights(system);
    let every = case.end / case.samples as f64;
    let until = estimate.horizon.unwrap_or(f64::INFINITY);
    let larger = |most: f64, d: f64| if d <= most { most } else { d };
    let truth = (places.iter().zip(&known.q).enumerate())
        .filter(|(k, _)| every * (*k + 1) as f64 <= until)
        .map(|(_, (a, b))| distance(a, b, &weight))
        .fold(0.0, larger);
    let bounded = |error: f64| error.min(known.range).max(ROUND_OFF + 10.0 * known.apart);
    Ok(Some(Claim {
        case: case.name,
        kind: case.kind,
        scheme: name.into(),
        settings,
        truth: if truth.is_nan() { known.range } else { bounded(truth) },
        claimed: bounded(estimate.error),
    }))
}

/// Accuracies that a scheme is asked for: those that locate events more than one.
fn accuracies(name: &str) -> &'static [f64] {
    match name {
        "hem5" | "dopri5" | "phem56" | "radau5" | "hybrid" => &[1e-4, 1e-7],
        "moreau-jean" | "generalized-alpha" | "bathe" => &[1e-3],
        _ => &[],
    }
}

/// All claims about a case, and how many runs stopped with an error.
#[derive(Clone, Debug, Default)]
struct Claims {
    made: Vec<Claim>,
    stopped: usize,
}

/// Runs a case with every scheme that takes it, at every step; `pick` says which runs, by their number.
fn calibrate(case: &Case, pick: impl Fn(usize) -> bool) -> Result<Claims, String> {
    let ready = case.build()?;
    let known = known(case, &ready)?;
    if known.apart > APART {
        return Err(format!("two references are {:.1e} apart", known.apart));
    }
    let every = case.end / case.samples as f64;
    let schemes = SCHEMES.iter().filter(|info| case.follows_its_law(info.name));
    let fixed =
        |parts: usize| Settings { step: every / parts as f64, end: case.end, accuracy: None, output: None };
    let chosen = |accuracy: f64| Settings { accuracy: Some(accuracy), ..fixed(case.parts[1]) };
    let runs = schemes.flat_map(|info| {
        let fixed = case.parts.map(fixed).into_iter();
        let chosen = accuracies(info.name).iter().map(|accuracy| chosen(*accuracy));
        fixed.chain(chosen).map(|settings| (info.name, settings)).collect::<Vec<_>>()
    });
    let picked: Vec<_> = runs.enumerate().filter(|(i, _)| pick(*i)).collect();
    let outcomes: Vec<_> = picked
        .into_par_iter()
        .map(|(_, (name, settings))| claim(case, &ready, &known, name, settings))
        .collect();
    let mut claims = Claims::default();
    for outcome in outcomes {
        match outcome {
            Ok(Some(claim)) => claims.made.push(claim),
            Ok(None) => claims.stopped += 1,
            // schemes that do not take the mechanism say so before they begin
            Err(_) => {}
        }
    }
    Ok(claims)
}

/// The middle one of some numbers; the larger of two.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// What `carom study verdicts` answers.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| tell(report, progress, |_, _| true))
}

/// Fills the report with the runs that are picked, by the numbers of case and run.
fn tell(
    report: &mut StudyReport,
    progress: &mut dyn FnMut(f64),
    pick: impl Fn(usize, usize) -> bool,
) -> Result<(), String> {
    let cases = cases::all();
    let (mut all, mut stopped) = (Vec::new(), 0);
    for (i, case) in cases.iter().enumerate() {
        let claims = calibrate(case, |run| pick(i, run)).map_err(|why| format!("{}: {why}", case.name))?;
        stopped += claims.stopped;
        tell_case(report, case, &claims);
        all.extend(claims.made);
        progress((i + 1) as f64 / (cases.len() + 1) as f64);
    }
    let (hopeful, gloomy) = (most_hopeful(&all).hopeful(), median(all.iter().map(|c| 1.0 / c.hopeful())));
    report.compare(
        format!("all {} runs: most hopeful, true over claimed", all.len()),
        format!("at most {BAR}"),
        format!("{hopeful:.1}"),
        hopeful <= BAR,
        "a claim is too hopeful",
    );
    report.compare(
        "all runs: gloomy in the median, claimed over true",
        format!("at most {BAR}"),
        format!("{gloomy:.1}"),
        gloomy <= BAR,
        "claims are too gloomy",
    );
    let gloomier = all.iter().filter(|c| c.hopeful() < 1.0 / BAR).count();
    report.fact("runs whose claim is more than 10 times too gloomy", format!("{gloomier}"));
    report.fact("runs that stopped with an error, and claim nothing", format!("{stopped}"));
    all.sort_by(|a, b| b.hopeful().total_cmp(&a.hopeful()));
    for claim in all.iter().take(TOLD) {
        let steps = match claim.settings.accuracy {
            Some(accuracy) => format!("accuracy {accuracy:.0e}"),
            None => format!("step {:.1e} s", claim.settings.step),
        };
        report.fact(
            format!("among the most hopeful: {}, {}, {steps}", claim.case, claim.scheme),
            format!("true {:.1e}, claimed {:.1e}", claim.truth, claim.claimed),
        );
    }
    for kind in ["smooth", "stiff", "impacting", "sticking", "flexible"] {
        draw(report, &all, kind);
    }
    report.note(
        "Errors are those of positions over the run, lengths relative to the mechanism's size, angles in rad. Errors above the range \
         of the motion count as that range, those below 1e-12 as that.",
    );
    report.note(
        "Where a run says that positions are lost beyond some time, it is judged up to that time. Anitescu-Potra is left out where \
         Poisson's law of impacts is not Newton's.",
    );
    Ok(())
}

fn most_hopeful(claims: &[Claim]) -> &Claim {
    claims.iter().max_by(|a, b| a.hopeful().total_cmp(&b.hopeful())).expect("a case has runs")
}

/// The row of a case.
fn tell_case(report: &mut StudyReport, case: &Case, claims: &Claims) {
    let Claims { made, stopped } = claims;
    if made.is_empty() {
        return;
    }
    let range = |of: fn(&Claim) -> f64| {
        let (low, high) =
            made.iter().map(of).fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
        format!("{low:.0e} to {high:.0e}")
    };
    let worst = most_hopeful(made);
    let gloomy = median(made.iter().map(|c| 1.0 / c.hopeful()));
    let stops = if *stopped > 0 { format!(", {stopped} more stopped") } else { String::new() };
    report.compare(
        format!("{}: {}", case.kind, case.name),
        format!("true {}", range(|c| c.truth)),
        format!(
            "{} runs{stops}: claimed {}; most hopeful {:.1} ({}), gloomy in the median {gloomy:.1}",
            made.len(),
            range(|c| c.claimed),
            worst.hopeful(),
            worst.scheme
        ),
        worst.hopeful() <= BAR,
        "a claim is too hopeful",
    );
}

/// Claimed over true, a mark for each run.
fn draw(report: &mut StudyReport, claims: &[Claim], kind: &str) {
    let mut marks: Vec<_> = claims.iter().filter(|c| c.kind == kind).map(|c| (c.truth, c.claimed)).collect();
    if marks.is_empty() {
        return;
    }
    marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let columns = [
        ("true error".to_string(), marks.iter().map(|m| m.0).collect()),
        (kind.to_string(), marks.iter().map(|m| m.1).collect()),
        ("claimed = true".to_string(), marks.iter().map(|m| m.0).collect()),
    ];
    let mut panel = Panel::new(
        "Verdicts",
        "What runs claim over what is true",
        logarithmic("true error"),
        logarithmic("claimed error"),
    );
    panel.add(format!("{kind}{PRINTED}"), 0, 1);
    panel.add("claimed = true".into(), 0, 2);
    let mut series = Series::new(&format!("claims about {kind} motions"), columns);
    series.panels.push(panel);
    report.series.push(series);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    /// A thirteenth of the runs, others for every case: no claim is more than ten times too hopeful.
    #[test]
    fn a_sample_of_claims() {
        let mut report = StudyReport::default();
        tell(&mut report, &mut |_| (), |case, run| (run + 5 * case) % 13 == 0).expect("references are known");
        let wrong: Vec<_> =
            report.rows.iter().filter(|row| matches!(row.verdict, Verdict::Differs(_))).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(report.rows.len() > cases::all().len());
    }
}
