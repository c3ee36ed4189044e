//! A fact that a run must meet. One of four kinds:
//!
//! ```text
//!   channel  at  value within | below     a channel, or a sum of channels with factors, at a time, or "start", "end",
//!                                         "min", "max", or "span" (max - min)
//!   event  of  nth  read  value within    the nth event of a kind: its "t", "before", "after", "impulse", or
//!                                         "restitution" = -after/before; of: contact, and those numbered below it
//!   event  of  count                      how many there are, [least, most]
//!   audit  below | value within           a number of the audit
//!   never_up  by                          a channel that does not grow by more than rounding and `by`
//! ```
//!
//! Numbers may be "=formulas" of the model's parameters. `with` changes the model for this fact.

use carom::{Event, Recording, Summary};
use carom_model::expression::Formula;
use indexmap::IndexMap;
use serde::Deserialize;

type Parameters = IndexMap<String, f64>;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fact {
    /// In words.
    pub what: String,
    /// Why it is true and why the tolerance is what it is.
    pub why: String,
    pub with: IndexMap<String, toml::Value>,
    pub channel: Option<Channel>,
    pub at: Option<Number>,
    pub event: Option<String>,
    pub of: Option<String>,
    pub nth: Option<usize>,
    pub read: Option<String>,
    pub count: Option<[usize; 2]>,
    pub audit: Option<String>,
    pub never_up: Option<String>,
    pub by: Option<Number>,
    pub value: Option<Number>,
    pub within: Option<Number>,
    pub below: Option<Number>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Channel {
    One(String),
    Sum(IndexMap<String, Number>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Number {
    Plain(f64),
    Text(String),
}

impl Number {
    fn get(&self, parameters: &Parameters) -> Result<f64, String> {
        match self {
            Number::Plain(x) => Ok(*x),
            Number::Text(text) => {
                let formula =
                    text.strip_prefix('=').ok_or(format!("`{text}` is no number and no =formula"))?;
                let parsed = Formula::parse(formula).map_err(|e| format!("{text}: {e}"))?;
                parsed.evaluate(&|name| parameters.get(name).copied()).map_err(|e| format!("{text}: {e}"))
            }
        }
    }
}

impl Fact {
    pub fn changes(&self) -> Vec<(String, String)> {
        let text = |value: &toml::Value| match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.with.iter().map(|(key, value)| (key.clone(), text(value))).collect()
    }

    /// What was found, or what is wrong.
    pub fn check(
        &self,
        parameters: &Parameters,
        run: &Recording,
        summary: &Summary,
    ) -> Result<String, String> {
        if self.what.is_empty() || self.why.is_empty() {
            return Err("a fact says what and why".into());
        }
        if let Some(name) = &self.never_up {
            return self.check_never_up(name, parameters, run);
        }
        if let (Some(kind), Some([least, most])) = (&self.event, self.count) {
            let n = self.events(kind, run)?.count();
            let sentence = format!("{}: {n} events, wanted {least} to {most}", self.what);
            return if (least..=most).contains(&n) { Ok(sentence) } else { Err(sentence) };
        }
        let found = match (&self.channel, &self.event, &self.audit) {
            (Some(channel), None, None) => {
                self.read_channel(&channel.series(parameters, run)?, parameters, run)?
            }
            (None, Some(kind), None) => self.read_event(kind, run)?,
            (None, None, Some(name)) => read_audit(name, summary)?,
            _ => return Err("a fact has one of channel, event, audit, never_up".into()),
        };
        self.compare(found, parameters)
    }

    fn compare(&self, found: f64, parameters: &Parameters) -> Result<String, String> {
        let number = |n: &Option<Number>| n.as_ref().map(|n| n.get(parameters)).transpose();
        let (met, sentence) = match (number(&self.value)?, number(&self.within)?, number(&self.below)?) {
            (Some(value), Some(within), None) => {
                let off = (found - value).abs();
                (
                    off <= within,
                    format!("{found:.9e}, wanted {value:.9e} within {within:.1e}, off by {off:.1e}"),
                )
            }
            (None, None, Some(below)) => (found < below, format!("{found:.3e}, wanted below {below:.3e}")),
            _ => return Err("a fact has `value` and `within`, or `below`".into()),
        };
        let sentence = format!("{}: {sentence}", self.what);
        if met { Ok(sentence) } else { Err(sentence) }
    }

    fn read_channel(&self, y: &[f64], parameters: &Parameters, run: &Recording) -> Result<f64, String> {
        let least = || y.iter().copied().fold(f64::INFINITY, f64::min);
        let most = || y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self.at.as_ref().ok_or("`at` is missing")? {
            Number::Text(word) if word == "start" => Ok(y[0]),
            Number::Text(word) if word == "end" => Ok(y[y.len() - 1]),
            Number::Text(word) if word == "min" => Ok(least()),
            Number::Text(word) if word == "max" => Ok(most()),
            Number::Text(word) if word == "span" => Ok(most() - least()),
            time => interpolate(run.column("t").ok_or("there is no time")?, y, time.get(parameters)?),
        }
    }

    fn events<'a>(
        &'a self,
        kind: &'a str,
        run: &'a Recording,
    ) -> Result<impl Iterator<Item = &'a Event>, String> {
        const KINDS: [&str; 5] = ["impact", "release", "stick", "slip", "retry"];
        if !KINDS.contains(&kind) {
            return Err(format!("there is no event `{kind}`; there are {}", KINDS.join(", ")));
        }
        let mine = |event: &Event| match &self.of {
            None => true,
            Some(of) => {
                event.subject.strip_prefix(of.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.'))
            }
        };
        Ok(run.events.iter().filter(move |event| word(event) == kind && mine(event)))
    }

    fn read_event(&self, kind: &str, run: &Recording) -> Result<f64, String> {
        let nth = self.nth.unwrap_or(1);
        let event = self.events(kind, run)?.nth(nth.checked_sub(1).ok_or("`nth` counts from 1")?);
        let event = event.ok_or(format!("there is no {kind} number {nth}"))?;
        match self.read.as_deref().unwrap_or("t") {
            "t" => Ok(event.t),
            "before" => Ok(event.before),
            "after" => Ok(event.after),
            "impulse" => Ok(event.impulse),
            "restitution" => Ok(-event.after / event.before),
            other => Err(format!("an event has no `{other}`")),
        }
    }

    fn check_never_up(&self, name: &str, parameters: &Parameters, run: &Recording) -> Result<String, String> {
        let y = run.column(name).ok_or(format!("there is no channel `{name}`"))?;
        let by = self.by.as_ref().map_or(Ok(0.0), |n| n.get(parameters))?;
        let size = y.iter().fold(0.0_f64, |size, y| size.max(y.abs()));
        // above the lowest value so far, so that a slow creep upwards is seen too
        let mut low = f64::INFINITY;
        let mut most = 0.0_f64;
        for &value in y {
            low = low.min(value);
            most = most.max(value - low);
        }
        let allowed = by + 1e-12 * size;
        let sentence = format!("{}: {name} rose by {most:.1e}, allowed {allowed:.1e}", self.what);
        if most <= allowed { Ok(sentence) } else { Err(sentence) }
    }
}

impl Channel {
    fn series(&self, parameters: &Parameters, run: &Recording) -> Result<Vec<f64>, String> {
        let column = |name: &str| run.column(name).ok_or(format!("there is no channel `{name}`"));
        match self {
            Channel::One(name) => Ok(column(name)?.to_vec()),
            Channel::Sum(terms) => {
                let mut sum = vec![0.0; run.samples()];
                for (name, factor) in terms {
                    let factor = factor.get(parameters)?;
                    column(name)?.iter().zip(&mut sum).for_each(|(y, sum)| *sum += factor * y);
                }
                Ok(sum)
            }
        }
    }
}

fn word(event: &Event) -> String {
    format!("{:?}", event.kind).to_lowercase()
}

fn read_audit(name: &str, summary: &Summary) -> Result<f64, String> {
    let audit = &summary.audit;
    Ok(match name {
        "drift_length" => audit.drift_length.value,
        "drift_angle" => audit.drift_angle.value,
        "penetration" => audit.penetration.value,
        "contact_residual" => audit.contact_residual.value,
        "numerical" => audit.relative_numerical_loss().abs(),
        "friction_loss" => audit.friction_loss,
        "impact_loss" => audit.impact_loss,
        "applied_work" => audit.applied_work,
        other => return Err(format!("the audit has no `{other}`")),
    })
}

fn interpolate(t: &[f64], y: &[f64], at: f64) -> Result<f64, String> {
    let (first, last) = (t[0], t[t.len() - 1]);
    if !(first..=last).contains(&at) {
        return Err(format!("{at} s is outside the run, {first} to {last} s"));
    }
    let i = t.partition_point(|&t| t < at).clamp(1, t.len() - 1);
    let share = (at - t[i - 1]) / (t[i] - t[i - 1]);
    Ok(y[i - 1] + share * (y[i] - y[i - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(text: &str) -> Fact {
        toml::from_str(&format!("what = 'w'\nwhy = 'y'\n{text}")).expect("a fact")
    }

    /// A ball that falls 1 m and rebounds with half its speed, sampled coarsely.
    fn run() -> (Recording, Summary) {
        let text = "gravity = [0, -2]\n[ground.shapes]\nf = { type = 'line', through = [0, 0], normal = [0, 1] }\n\
                    [bodies.b]\nmass = 1\nposition = [0, 1]\npoints.p = [0, 0]\n\
                    [contacts.c]\nbetween = ['b.p', 'ground.f']\nrestitution = 0.5\n\
                    [simulation]\nstep = 1e-3\nend = 1.5";
        let done = carom::Setup::of_text("b", text, &[]).unwrap().run(|_| true).unwrap();
        (done.recording, done.summary)
    }

    #[test]
    fn facts_can_be_true_and_false() {
        let (run, summary) = run();
        let parameters = Parameters::from([("e".to_string(), 0.5)]);
        let met = |text: &str| fact(text).check(&parameters, &run, &summary).is_ok();
        assert!(met("channel = 'b.y'\nat = 0.5\nvalue = 0.75\nwithin = 1e-9"));
        assert!(!met("channel = 'b.y'\nat = 0.5\nvalue = 0.76\nwithin = 1e-3"));
        assert!(met("channel = 'b.y'\nat = 'end'\nvalue = '=e/2'\nwithin = 0.01"));
        assert!(!met("channel = 'b.y'\nat = 'max'\nbelow = 0.9"));
        assert!(met("channel = { 'b.y' = 2, 'b.x' = '=e' }\nat = 'start'\nvalue = 2\nwithin = 0"));
        assert!(!met("channel = 'b.y'\nat = 1.6\nvalue = 0\nwithin = 9"));
        assert!(met("event = 'impact'\nof = 'c'\nvalue = 1\nwithin = 2e-3"));
        assert!(met("event = 'impact'\nread = 'restitution'\nvalue = '=e'\nwithin = 1e-3"));
        assert!(!met("event = 'impact'\nread = 'restitution'\nvalue = 0.4\nwithin = 1e-3"));
        assert!(!met("event = 'impact'\nof = 'other'\nvalue = 1\nwithin = 2e-3"));
        assert!(met("event = 'impact'\ncount = [1, 1]"));
        assert!(!met("event = 'impact'\ncount = [2, 9]"));
        assert!(!met("event = 'bang'\ncount = [0, 9]"));
        assert!(met("audit = 'numerical'\nbelow = 1e-2"));
        assert!(!met("audit = 'impact_loss'\nbelow = 1"));
        assert!(met("never_up = 'energy.total'\nby = 1e-12"));
        assert!(!met("never_up = 'b.vy'"));
        assert!(!met("channel = 'b.y'\nat = 'end'"));
    }
}
