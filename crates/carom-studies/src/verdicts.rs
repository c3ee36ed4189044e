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

use crate::figure::{Panel, logarithmic};
use crate::report::{Series, StudyReport};
use carom_dynamics::{Effort, Quantity, Runs, SCHEMES, Settings, Simulation, State, StartError, Stop, System, scheme};
use cases::{Case, Ready, Truth};

/// Errors below this are round-off.
const ROUND_OFF: f64 = 1e-12;
/// Tolerance of references, relative to the size.
const TIGHT: f64 = 1e-12;
/// Two references that are further apart than this are no reference.
const APART: f64 = 1e-8;
/// The bar: how hopeful a claim may be, and how gloomy in the median.
const BAR: f64 = 10.0;

/// One run.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    case: &'static str,
    kind: &'static str,
    scheme: String,
    step: f64,
    truth: f64,
    claimed: f64,
    horizon: Option<f64>,
    chaotic: bool,
    verdict: String,
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

fn weights(system: &dyn System) -> Vec<f64> {
    let weight = |i| match system.velocity_quantity(i) {
        Quantity::Length => 1.0 / system.length_scale(),
        Quantity::Angle => 1.0,
    };
    (0..system.sizes().v).map(weight).collect()
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
    let mut run = Simulation::new(system, scheme, solver, state, settings).map_err(|e| e.to_string())?;
    let every = settings.end / samples as f64;
    run.leave_trail((1..=samples).map(|k| every * k as f64).collect());
    if let Stop::Failed(why) = run.run(|_| true) {
        return Err(why);
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
                both.push(places(ready, name, &[], settings, case.samples).map_err(|e| format!("{name}: {e}"))?);
            }
            let weight = weights(&*ready.system);
            let apart = both[0].iter().zip(&both[1]).map(|(a, b)| distance(a, b, &weight)).fold(0.0, f64::max);
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
    let runs = Runs {
        system,
        scheme: &|| scheme(name, &[]).map_err(|e| StartError::Scheme(e.to_string())),
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
        step: settings.step,
        truth: if truth.is_nan() { known.range } else { bounded(truth) },
        claimed: bounded(estimate.error),
        horizon: estimate.horizon,
        chaotic: estimate.chaotic,
        verdict: trusted.summary.audit.verdict,
    }))
}

/// All claims about a case, and how many runs stopped with an error.
#[derive(Clone, Debug, Default)]
struct Claims {
    made: Vec<Claim>,
    stopped: usize,
}

/// Runs a case with every scheme that takes it, at every step; `pick` says which runs, by their number.
fn calibrate(case: &Case, pick: &dyn Fn(usize) -> bool) -> Result<Claims, String> {
    let ready = case.build()?;
    let known = known(case, &ready)?;
    if known.apart > APART {
        return Err(format!("two references are {:.1e} apart", known.apart));
    }
    let mut claims = Claims::default();
    let every = case.end / case.samples as f64;
    let mut number = 0;
    for info in SCHEMES.iter().filter(|info| case.follows_its_law(info.name)) {
        for parts in case.parts {
            number += 1;
            if !pick(number) {
                continue;
            }
            let settings = Settings { step: every / parts as f64, end: case.end, accuracy: None, output: None };
            // schemes that do not take the mechanism say so before they begin
            match claim(case, &ready, &known, info.name, settings) {
                Ok(Some(claim)) => claims.made.push(claim),
                Ok(None) => claims.stopped += 1,
                Err(_) => {}
            }
        }
    }
    Ok(claims)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    #[allow(clippy::print_stdout)]
    fn dump() {
        use rayon::prelude::*;
        let only = std::env::var("ONLY").unwrap_or_default();let hold = std::env::var("HOLD").is_ok();
        cases::all().into_par_iter().filter(|c| c.name.contains(&only)).for_each(|mut case| { if hold { case.parts = case.parts.map(|p| p + p.div_ceil(2)); case.end *= 1.17; }
            let clock = std::time::Instant::now();
            match calibrate(&case, &|_| true) {
                Ok(claims) => {
                    let mut text = String::new();
                    for c in &claims.made {
                        text += &format!(
                            "RUN\t{}\t{}\t{}\t{:.1e}\t{:.2e}\t{:.2e}\t{:.2}\t{:?}\t{}\t{}\n",
                            c.kind, c.case, c.scheme, c.step, c.truth, c.claimed,
                            c.hopeful().log10(), c.horizon, c.chaotic, c.verdict
                        );
                    }
                    println!("{text}CASE\t{}\t{} runs, {} stopped, {:.1} s", case.name, claims.made.len(), claims.stopped, clock.elapsed().as_secs_f64());
                }
                Err(why) => println!("CASE\t{}\tFAILED {why}", case.name),
            }
        });
    }
}
