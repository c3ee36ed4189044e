//! How wrong the positions of a run may be: the run beside the same run made more coarsely.
//!
//! ```text
//!   d₁(t) = max_{s ≤ t} |q_h − q_{kh}|,   d₂(t) = max_{s ≤ t} |q_{kh} − q_{2kh}|          k = 2, for long runs 4
//!   steps that meet no impact:  2^p = d₂/d₁,  1/4 ≤ p ≤ 3 (5 where events are located)   e = 2 d₁ / (k^p − 1)
//!   steps that meet impacts:    p = 1                                                  e = 2 max(d₁, d₂/k) / (k − 1)
//!   a tolerance:                                                                         e = d / 2,  d = |q_tol − q_{10 tol}|
//! ```
//!
//! Lengths relative to the mechanism's size, angles in rad. A difference of two runs does not see what both do alike, so the
//! estimate is not less than
//!
//! ```text
//!   the deepest penetration, the widest gap in a joint, round-off
//!   A ΔE₊ / E             energy that was made
//!   min(A ΔE₋/E, h V √(ΔE₋/T)) 0.3      energy that was lost, where it may be in vibrations that the step does not resolve
//!   |q_h − q_{2h}| half a coarse step after a common time, where that is more than A/20: steps as long as the period
//! ```
//!
//! with A the range of the motion, E the energy that moved, T the largest kinetic energy, V the largest velocity. Beyond the
//! time at which d₁ is a tenth of A, positions are lost. Where d₁ comes to that within the last 2/5 of the way from a tenth of it,
//! and a halved step puts this time off by less than half, no step helps much: the motion is chaotic.
//!
//! What it cannot see: an obstacle or a load that all runs step over; what is wrong in the model.

mod runs;
mod trail;

pub use runs::{Effort, Runs, Trusted};
pub use trail::Trail;

use crate::audit::plain;
use crate::{Audit, Quantity, System, or_nan};
use serde::{Deserialize, Serialize};

/// What a difference of runs is multiplied by: estimates are to be too gloomy rather than too hopeful.
const SAFETY: f64 = 2.0;
/// Least and largest orders that are believed.
const ORDERS: (f64, f64) = (0.25, 3.0);
const ORDER_OF_EVENTS: f64 = 5.0;
/// Share of the range of motion from which on a difference of two runs means that positions are lost.
const LOST: f64 = 0.1;
/// Chaos: the difference grows by `FAST` over the last part of the way to there, from `BEFORE` of it on, and half the step puts
/// that time off by less than `PUT_OFF`.
const FAST: f64 = 10.0;
const BEFORE: f64 = 0.6;
const PUT_OFF: f64 = 1.5;
/// Share of the range by which a step that does not resolve the motion is told.
const UNRESOLVED: f64 = 0.05;
/// Share of the energy lost that counts: half an amplitude is lost with three quarters of the energy.
const LOSS: f64 = 0.3;
/// A difference that becomes this small when one run is shifted in time is one of timing.
const SHIFTED: f64 = 0.3;

/// How wrong the positions of a run may be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorEstimate {
    /// Error of the positions, up to `horizon` if there is one: lengths relative to the mechanism's size, angles in rad.
    #[serde(deserialize_with = "or_nan::one")]
    pub error: f64,
    /// The same in m or rad.
    #[serde(deserialize_with = "or_nan::one")]
    pub absolute: f64,
    /// Whether that is a length; an angle otherwise.
    pub is_length: bool,
    /// Whose position it is; empty if the estimate does not come from one.
    pub subject: String,
    /// When two runs differ the most (s).
    #[serde(deserialize_with = "or_nan::one")]
    pub t: f64,
    /// How far things moved, in the measure of `error`.
    #[serde(deserialize_with = "or_nan::one")]
    pub range: f64,
    /// Order that the differences show.
    pub order: Option<f64>,
    /// Time from which on positions are lost (s).
    pub horizon: Option<f64>,
    /// Whether no step would help much beyond the horizon.
    pub chaotic: bool,
    /// The error is mostly one of timing: how late (> 0) or early the run is (s).
    pub late: Option<f64>,
    /// What it is judged by, in words.
    pub based_on: String,
    /// The accuracy that was asked for and not met.
    pub missed: Option<f64>,
    /// How often the run was repeated with finer settings.
    pub repeats: usize,
}

impl ErrorEstimate {
    /// Digits that are good.
    pub fn digits(&self) -> usize {
        // what is not a number has none
        if self.error < 1.0 { (-self.error.max(1e-16).log10() + 0.01).floor() as usize } else { 0 }
    }
}

impl ErrorEstimate {
    /// A grade and the numbers behind it.
    pub(crate) fn sentence(&self, at_rest: bool) -> String {
        let what = format!("judged by {}", self.based_on);
        if !self.error.is_finite() {
            return format!("Do not trust this; take a smaller step, {what}.");
        }
        if at_rest {
            return format!("Nothing moved, {what}.");
        }
        let digits = match self.digits() {
            1 => "about one digit".to_string(),
            n => format!("about {n} digits"),
        };
        let until = self.horizon.map_or(String::new(), |t| format!(" up to t = {} s", plain(t)));
        let grade = match self.error {
            e if e >= LOST => format!("Do not trust positions{until}; take a smaller step"),
            _ => format!("Good to {digits} in position{until}"),
        };
        let unit = if self.is_length { "m" } else { "rad" };
        let size = if self.is_length {
            format!(", {:.1e} of the mechanism's size", self.error)
        } else {
            String::new()
        };
        let whose = match (&self.subject, self.error >= f64::EPSILON) {
            (subject, true) if !subject.is_empty() => format!(" ({subject}, t = {} s)", plain(self.t)),
            _ => String::new(),
        };
        let mut text = format!("{grade}: off by at most {:.1e} {unit}{whose}{size}, {what}.", self.absolute);
        if let Some(late) = self.late.filter(|late| late.is_finite()) {
            let word = if late > 0.0 { "late" } else { "early" };
            text.push_str(&format!(
                " Most of it is timing: the run is {word} by about {:.1e} s.",
                late.abs()
            ));
        }
        if self.horizon.is_none() && self.error > LOST * self.range && self.error < LOST {
            let share = (100.0 * self.error / self.range).min(100.0);
            text.push_str(&format!(" That is {share:.0} % of the way that things moved."));
        }
        if let Some(t) = self.horizon.map(plain) {
            text.push_str(&if self.chaotic {
                format!(" The motion is chaotic: single positions and impacts cannot be predicted beyond t = {t} s; averages can.")
            } else {
                format!(" Beyond t = {t} s positions are lost; a smaller step goes further.")
            });
        }
        if let Some(asked) = self.missed {
            text.push_str(&format!(" The accuracy of {asked:.1e} was not met."));
        }
        text
    }
}

/// Differences of two trails at the times they have in common.
#[derive(Clone, Debug, Default)]
struct Parting {
    /// (time, largest difference so far, whose), at times at which both runs end a step.
    grown: Vec<(f64, f64, usize)>,
    /// When the largest difference was.
    at: f64,
    /// Largest difference between such times.
    between: f64,
}

impl Parting {
    /// `is_common` tells times at which both end a step from those inside.
    fn of(a: &Trail, b: &Trail, is_common: impl Fn(usize) -> bool) -> Self {
        let mut parting = Parting::default();
        let mut most = (0.0, 0);
        for i in 0..a.len().min(b.len()) {
            let d = a.difference(b, i);
            if !is_common(i) {
                parting.between = parting.between.max(d.0);
                continue;
            }
            if d.0 > most.0 {
                most = d;
                parting.at = a.times()[i];
            }
            parting.grown.push((a.times()[i], most.0, most.1));
        }
        parting
    }

    /// Largest difference up to t, and whose.
    fn until(&self, t: f64) -> (f64, usize) {
        let last = self.grown.iter().take_while(|(s, ..)| *s <= t).last();
        last.map_or((0.0, 0), |(_, d, who)| (*d, *who))
    }

    /// First time with a difference of this size.
    fn reaches(&self, size: f64) -> Option<f64> {
        self.grown.iter().find(|(_, d, _)| *d >= size).map(|(t, ..)| *t)
    }
}

/// What the runs are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Steps k and 2k times as long, through impacts or not, with events located or not.
    Steps { k: f64, rough: bool, located: bool },
    /// Ten times the tolerance.
    Tolerance,
}

/// A run, seen from outside.
struct Seen<'a> {
    system: &'a dyn System,
    trail: &'a Trail,
    audit: &'a Audit,
    /// Its longest step (s).
    dt: f64,
    steps: usize,
}

impl Seen<'_> {
    /// The estimate by one or two coarser runs; `is_common` says at which times of the trail all runs end a step.
    fn beside(
        &self,
        coarse: &Trail,
        coarser: Option<&Trail>,
        kind: Kind,
        is_common: impl Fn(usize) -> bool,
    ) -> ErrorEstimate {
        let range = self.trail.range();
        let near = Parting::of(self.trail, coarse, &is_common);
        let far = coarser.map(|coarser| Parting::of(coarse, coarser, &is_common));
        let (horizon, chaotic) = self.horizon(&near, far.as_ref(), range, kind);
        let until = horizon.unwrap_or(f64::INFINITY);
        let (d, who) = near.until(until);
        let d_far = far.as_ref().map_or(0.0, |far| far.until(until).0);
        let order = match kind {
            Kind::Steps { .. } if d > 0.0 && d_far > 0.0 => Some((d_far / d).log2()),
            _ => None,
        };
        let factor = match kind {
            Kind::Tolerance => 0.5,
            Kind::Steps { k, rough: true, .. } => SAFETY / (k - 1.0),
            Kind::Steps { k, located, .. } => {
                let most = if located { ORDER_OF_EVENTS } else { ORDERS.1 };
                let p = order.unwrap_or(1.0).clamp(ORDERS.0, most);
                SAFETY / (k.powf(p) - 1.0)
            }
        };
        let mut error = factor * d;
        if let Kind::Steps { k, rough: true, .. } = kind {
            error = error.max(factor * d_far / k);
        }
        let mut estimate =
            ErrorEstimate { error, t: near.at, range, order, horizon, chaotic, ..Default::default() };
        self.name(&mut estimate, who);
        if horizon.is_none() {
            estimate.late = self.late(coarse, &near, factor, &is_common);
        }
        self.at_least(&mut estimate, near.between);
        estimate
    }

    /// The error in m or rad, and whose it is.
    fn name(&self, estimate: &mut ErrorEstimate, who: usize) {
        estimate.is_length = self.system.velocity_quantity(who) == Quantity::Length;
        estimate.absolute = estimate.error / self.trail.weight()[who];
        let name = self.system.velocity_name(who);
        estimate.subject = name.rsplit_once('.').map_or(name.as_str(), |(body, _)| body).into();
    }

    /// When positions are lost, and whether for good.
    fn horizon(&self, near: &Parting, far: Option<&Parting>, range: f64, kind: Kind) -> (Option<f64>, bool) {
        let lost = LOST * range;
        let Some(t) = near.reaches(lost).filter(|_| range > 0.0) else { return (None, false) };
        let fast = near.until(BEFORE * t).0 * FAST < lost;
        let put_off = far.and_then(|far| far.reaches(lost)).map(|earlier| t / earlier);
        let stubborn = match kind {
            Kind::Steps { .. } => put_off.is_some_and(|ratio| ratio < PUT_OFF),
            // ten times the tolerance, and they part all the same
            Kind::Tolerance => true,
        };
        (Some(t), fast && stubborn)
    }

    /// What differences do not see.
    fn at_least(&self, estimate: &mut ErrorEstimate, between: f64) {
        let (audit, A, length) = (self.audit, estimate.range, self.system.length_scale());
        let raise = |estimate: &mut ErrorEstimate, error: f64, subject: &str, t: f64, factor: f64| {
            // what is no number is worst
            if estimate.error >= error || error == 0.0 {
                return;
            }
            estimate.error = error;
            estimate.absolute = error * factor;
            estimate.is_length = factor != 1.0 || subject.is_empty();
            estimate.subject = subject.into();
            estimate.t = t;
            estimate.late = None;
        };
        for worst in [&audit.penetration, &audit.drift_length] {
            raise(estimate, worst.value / length, &worst.subject, worst.t, length);
        }
        raise(estimate, audit.drift_angle.value, &audit.drift_angle.subject, audit.drift_angle.t, 1.0);
        // two runs with an accuracy may both go where no step is short enough
        raise(estimate, audit.unmet_error, "", audit.unmet_t, length);
        let E = audit.energy_scale;
        if E > 0.0 {
            let made = LOSS * A * (audit.energy_made / E).min(1.0);
            let gone = audit.energy_lost.max(0.0);
            let shaken = match audit.most_kinetic > 0.0 {
                true => self.dt * self.trail.fastest() * (gone / audit.most_kinetic).sqrt(),
                false => f64::INFINITY,
            };
            let lost = LOSS * (A * (gone / E).min(1.0)).min(shaken);
            raise(estimate, made.max(lost), "", estimate.t, length);
        }
        if between > UNRESOLVED * A {
            raise(estimate, between, "", estimate.t, length);
        }
        let round_off = f64::EPSILON * self.trail.largest() * (self.steps as f64).sqrt();
        raise(estimate, round_off, "", estimate.t, length);
        if !estimate.error.is_finite() {
            (estimate.error, estimate.absolute) = (f64::INFINITY, f64::INFINITY);
        }
    }

    /// How late the run is, if a shift in time explains most of the difference to the coarser one where it is largest.
    fn late(
        &self,
        coarse: &Trail,
        near: &Parting,
        factor: f64,
        is_common: &impl Fn(usize) -> bool,
    ) -> Option<f64> {
        let (trail, weight) = (self.trail, self.trail.weight());
        let times = trail.times();
        let common: Vec<usize> = (0..trail.len().min(coarse.len())).filter(|i| is_common(*i)).collect();
        let here = *common.iter().find(|i| times[**i] == near.at)?;
        let d = trail.difference(coarse, here).0;
        // the point nearest to q(t) on the coarse path, between neighbours in time
        let mut best = (d, 0.0);
        for pair in common.windows(2) {
            let (a, b) = (coarse.q(pair[0]), coarse.q(pair[1]));
            let (mut along, mut length) = (0.0, 0.0);
            for (i, w) in weight.iter().enumerate() {
                along += (trail.q(here)[i] - a[i]) * (b[i] - a[i]) * w * w;
                length += ((b[i] - a[i]) * w).powi(2);
            }
            let s = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
            let far = |i: usize| (trail.q(here)[i] - a[i] - s * (b[i] - a[i])).abs() * weight[i];
            let left = (0..weight.len()).map(far).fold(0.0, f64::max);
            let shift = times[pair[0]] + s * (times[pair[1]] - times[pair[0]]) - near.at;
            // of several passes, the one nearest in time
            if left < SHIFTED * d && (best.1 == 0.0 || shift.abs() < f64::abs(best.1)) {
                best = (left, shift);
            }
        }
        // the coarse run passes there `shift` later, and this run later than the truth by a part of that
        (best.1 != 0.0).then(|| factor / SAFETY * best.1)
    }
}
