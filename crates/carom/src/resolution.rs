//! What a step makes of the vibrations of the elastic bodies, said before the run.
//!
//! ```text
//!   resolved:  Ω = ω dt ≤ 1, six steps and more in a period          ρ: growth per step of the scheme at Ω, ξ of the fastest
//!   note:      some are not resolved, and the scheme is stable there: ρ ≤ 1
//!   warning:   the scheme makes them grow: ρ^steps > GROWN; or it begins after an impact with accelerations that it must resolve,
//!              or makes energy there in its published form
//! ```
//!
//! Counted by the body's own matrices where the run begins (`carom_elastic::Vibrations`), which takes milliseconds. Not
//! said where an accuracy chooses the steps.
#![allow(non_snake_case)]

use crate::Setup;
use carom_dynamics::{Value, growth};
use carom_io::Diagnostic;
use carom_model::{AnyModel, BodyVibrations};

/// Ω up to which a vibration is resolved: the period is right to a tenth then.
const RESOLVED: f64 = 1.0;
/// Growth over the run that nobody wants.
const GROWN: f64 = 1.5;
/// A vibration that shrinks to this in a step is gone at once; one that keeps this much goes on for long.
const GONE: f64 = 0.5;
const KEPT: f64 = 0.999;

/// Frequencies between Ω = 1 and the fastest that are tried where stability may come back: methods that look back several steps.
const TRIED: usize = 12;
/// An Ω that stands for infinity, and growth there that is more than round-off.
const FAR: f64 = 100.0;
const ROUND_OFF: f64 = 1e-3;
/// Spectral radii below this overshoot in their first steps.
const LOW_RADIUS: f64 = 0.5;

/// An elastic body and what the scheme does to its fastest vibration.
struct Seen {
    body: BodyVibrations,
    /// Ω of the fastest.
    Omega: f64,
    /// Largest growth per step of those that it may have.
    growth: f64,
    /// Whether the scheme makes energy at impacts that are not resolved.
    jumps: bool,
    /// Whether the scheme is stable up to some Ω only.
    limited: bool,
}

impl Seen {
    fn unresolved(&self) -> usize {
        self.body.vibrations.count - self.body.vibrations.slow
    }
}

impl Setup {
    /// What is good to know about the run and no reason to suspect it.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for seen in self.elastic_bodies().into_iter().filter(|seen| !self.grows(seen) && !seen.jumps) {
            let (fast, count, name) = (seen.unresolved(), seen.body.vibrations.count, &seen.body.body);
            if fast == 0 {
                continue;
            }
            let what = match seen.growth {
                _ if seen.limited => "the scheme is near its limit of stability, and energies swing",
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
        found.extend(self.open_contacts());
        found.sort_by_key(|d| (d.line, d.column));
        found
    }

    /// The forms that hold contacts in positions do so for rigid bodies only.
    fn open_contacts(&self) -> Option<Diagnostic> {
        let s = self.loaded().description.simulation();
        let system = self.system();
        let holds = s.scheme.ends_with("-ggl")
            && self.switch("published") != Some(true)
            && system.momenta().is_some();
        (holds && !system.structure().contacts.is_empty()).then(|| {
            let message = format!(
                "`{}` holds joints in positions here, and contacts in velocities only: elastic bodies step in momenta",
                s.scheme
            );
            let help = "`published = 1` among the parameters holds contacts in positions too, and may make energy at impacts";
            self.loaded().diagnose(&["simulation", "scheme"], message, help).as_note()
        })
    }

    /// What the scheme is not made for among the elastic bodies at this step.
    pub(crate) fn unstable_bodies(&self) -> Vec<Diagnostic> {
        let s = self.loaded().description.simulation();
        let path = ["simulation", "scheme"];
        let mut found = Vec::new();
        let bodies = self.elastic_bodies();
        for seen in &bodies {
            let (scheme, name, Omega) = (&s.scheme, &seen.body.body, digits(seen.Omega));
            let message = if self.grows(seen) {
                let factor = if seen.growth < 1e3 {
                    format!("by {:.4} in every step", seen.growth)
                } else {
                    "without bound".into()
                };
                format!(
                    "`{scheme}` is not made for this step: the fastest vibration of `{name}` has Ω dt = {Omega}, and such grow {factor}"
                )
            } else if seen.jumps && self.switch("published") == Some(true) {
                format!(
                    "`{scheme}` as published makes energy where vibrations are not resolved: {} of {} of `{name}` are not, the fastest \
                     with Ω dt = {Omega}",
                    seen.unresolved(),
                    seen.body.vibrations.count
                )
            } else if seen.jumps && seen.unresolved() == 0 {
                format!("`{scheme}` makes energy in `{name}` while it turns, in proportion to the step")
            } else if seen.jumps {
                format!(
                    "`{scheme}` is not made for impacts at this step: {} of {} vibrations of `{name}` are faster than it resolves, the \
                     fastest with Ω dt = {Omega}, and what an impact sets going among them makes energy",
                    seen.unresolved(),
                    seen.body.vibrations.count
                )
            } else {
                continue;
            };
            let help = format!(
                "`generalized-alpha`, `bathe` or `moreau-jean`, which are stable there; or {}",
                self.remedy(seen)
            );
            found.push(self.loaded().diagnose(&path, message, help));
        }
        let low = s.parameters.get("rho").and_then(Value::number).filter(|rho| *rho < LOW_RADIUS);
        let fastest =
            bodies.iter().filter(|seen| seen.unresolved() > 0).max_by(|a, b| a.Omega.total_cmp(&b.Omega));
        if let (Some(rho), Some(seen), true) = (low, fastest, s.scheme.starts_with("generalized-alpha")) {
            let message = format!(
                "`{}` with rho = {rho} overshoots in its first steps where vibrations are not resolved: `{}` has Ω dt = {}",
                s.scheme,
                seen.body.body,
                digits(seen.Omega)
            );
            let help = format!(
                "a `rho` of {LOW_RADIUS} or more, or `mixed-alpha`, which starts softly; or {}",
                self.remedy(seen)
            );
            found.push(self.loaded().diagnose(&["simulation", "parameters"], message, help));
        }
        found
    }

    /// A parameter of the scheme that is given and switches something.
    fn switch(&self, name: &str) -> Option<bool> {
        self.loaded()
            .description
            .simulation()
            .parameters
            .get(name)
            .and_then(Value::number)
            .map(|value| value != 0.0)
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
        let Some(model) = self.model().and_then(AnyModel::plane) else { return Vec::new() };
        let settings = self.settings();
        if settings.accuracy.is_some() || settings.step <= 0.0 {
            return Vec::new();
        }
        let bodies = model.vibrations(&self.assembly().q, RESOLVED / settings.step);
        if bodies.is_empty() {
            return Vec::new();
        }
        let scheme = self.scheme();
        let touches = !self.system().structure().contacts.is_empty();
        let published = self.switch("published") == Some(true);
        let kept = self.switch("restart") == Some(false);
        let seen = |body: BodyVibrations| {
            let Omega = body.vibrations.fastest * settings.step;
            let xi = body.vibrations.damping;
            let mut most = growth(scheme, Omega, xi);
            if !scheme.has_spectrum() && Omega > RESOLVED {
                for k in 0..TRIED {
                    let between = RESOLVED * (Omega / RESOLVED).powf(k as f64 / TRIED as f64);
                    // damping by stiffness grows with the frequency
                    most = most.max(growth(scheme, between, xi * between / Omega));
                }
            }
            let fast = body.vibrations.count > body.vibrations.slow;
            let jumps =
                fast && (published || touches && (kept || scheme.needs_resolved_impacts(self.system())));
            let jumps = jumps || scheme.feeds_floating_frames() && self.system().structure().floats;
            let limited = growth(scheme, FAR, 0.0) > 1.0 + ROUND_OFF;
            Seen { body, Omega, growth: most, jumps, limited }
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
