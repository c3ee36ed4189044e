//! What a step makes of the vibrations of the elastic bodies, said before the run.
//!
//! ```text
//!   resolved:  Ω = ω dt ≤ 1, six steps and more in a period          ρ: growth per step of the scheme at Ω, ξ of the fastest
//!   note:      some are not resolved, and the scheme is stable there: ρ ≤ 1
//!   warning:   the scheme makes the fastest grow: ρ^steps > GROWN
//! ```
//!
//! Counted by the body's own matrices where the run begins (`carom_elastic::Vibrations`), which takes milliseconds. Not
//! said where an accuracy chooses the steps.
#![allow(non_snake_case)]

use crate::Setup;
use carom_dynamics::growth;
use carom_io::Diagnostic;
use carom_model::BodyVibrations;

/// Ω up to which a vibration is resolved: the period is right to a tenth then.
const RESOLVED: f64 = 1.0;
/// Growth over the run that nobody wants.
const GROWN: f64 = 1.5;
/// A vibration that shrinks to this in a step is gone at once; one that keeps this much goes on for long.
const GONE: f64 = 0.5;
const KEPT: f64 = 0.999;

/// An elastic body and what the scheme does to its fastest vibration.
struct Seen {
    body: BodyVibrations,
    /// Ω of the fastest.
    Omega: f64,
    /// Its growth per step.
    growth: f64,
}

impl Setup {
    /// What is good to know about the run and no reason to suspect it.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for seen in self.elastic_bodies().into_iter().filter(|seen| !self.grows(seen)) {
            let v = seen.body.vibrations;
            let (fast, count, name) = (v.count - v.slow, v.count, &seen.body.body);
            if fast == 0 {
                continue;
            }
            let what = match seen.growth {
                g if g > KEPT => "they go on undamped, at wrong frequencies",
                g if g > GONE => "they are damped from step to step",
                _ => "they are damped away at once",
            };
            let subject = if fast == count && count == 1 {
                format!("the one vibration of `{name}` is")
            } else if fast == 1 {
                format!("1 of {count} vibrations of `{name}` is")
            } else {
                format!("{fast} of {count} vibrations of `{name}` are")
            };
            let message = format!(
                "{subject} faster than the step resolves, the fastest with Ω dt = {}: {what}",
                digits(seen.Omega)
            );
            let path = ["bodies", name.as_str(), "elastic"];
            found.push(self.loaded().diagnose_key(&path, message, self.remedy(&seen)).as_note());
        }
        found.sort_by_key(|d| (d.line, d.column));
        found
    }

    /// Elastic bodies whose fastest vibration the scheme makes grow.
    pub(crate) fn unstable_bodies(&self) -> Vec<Diagnostic> {
        let s = &self.loaded().description.simulation;
        let one = |seen: Seen| {
            let (name, Omega) = (&seen.body.body, digits(seen.Omega));
            let factor = if seen.growth < 1e3 {
                format!("by {:.4} in every step", seen.growth)
            } else {
                "without bound".into()
            };
            let message = format!(
                "`{}` is not made for this step: the fastest vibration of `{name}` has Ω dt = {Omega}, and it grows {factor}",
                s.scheme
            );
            let help = format!(
                "`generalized-alpha`, `bathe` or `moreau-jean`, which are stable there; or {}",
                self.remedy(&seen)
            );
            self.loaded().diagnose(&["simulation", "scheme"], message, help)
        };
        self.elastic_bodies().into_iter().filter(|seen| self.grows(seen)).map(one).collect()
    }

    fn grows(&self, seen: &Seen) -> bool {
        let s = self.settings();
        seen.growth > 1.0 && seen.growth.ln() * (s.end / s.step) > GROWN.ln()
    }

    /// Fewer modes, or a smaller step.
    fn remedy(&self, seen: &Seen) -> String {
        let v = seen.body.vibrations;
        let unit = &self.loaded().units.time;
        let step = digits(RESOLVED / v.fastest / unit.factor());
        let resolve = format!("a step of {step} {} resolves all of them", unit.word());
        match v.slow {
            slow if slow > 0 && slow < v.count && seen.body.reducible => {
                format!("`modes = {slow}` keeps those that the step resolves; {resolve}")
            }
            _ => resolve,
        }
    }

    fn elastic_bodies(&self) -> Vec<Seen> {
        let Some(model) = self.model() else { return Vec::new() };
        let settings = self.settings();
        if settings.accuracy.is_some() || settings.step <= 0.0 {
            return Vec::new();
        }
        let bodies = model.vibrations(&self.assembly().q, RESOLVED / settings.step);
        let Some(mut scheme) = self.scheme_alone().filter(|_| !bodies.is_empty()) else { return Vec::new() };
        let seen = |body: BodyVibrations| {
            let Omega = body.vibrations.fastest * settings.step;
            let growth = growth(&mut *scheme, Omega, body.vibrations.damping);
            Seen { body, Omega, growth }
        };
        bodies.into_iter().filter(|body| body.vibrations.count > 0).map(seen).collect()
    }
}

/// Two digits, without a power of ten where it reads well.
fn digits(x: f64) -> String {
    if !(1e-2..1e5).contains(&x) {
        return format!("{x:.1e}");
    }
    let decimals = 1 - x.log10().floor() as i32;
    format!("{:.*}", decimals.max(0) as usize, x)
}
