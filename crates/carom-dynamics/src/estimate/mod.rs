//! How wrong the positions of a run may be: the run beside the same run made more coarsely.
//!
//! ```text
//!   d₁(t) = max_{s ≤ t} |q_h − q_{kh}|,   d₂(t) = max_{s ≤ t} |q_{kh} − q_{2kh}|          k = 2, for long runs 4
//!   steps that meet no impact:  2^p = d₂/d₁,  1/4 ≤ p ≤ 3 (5 where events are located)   e = 2 d₁ / (k^p − 1)
//!                               p ≤ 1, 2, 3 where d₂ > A/2, A/10, A/1000: 2kh resolves little
//!   steps that meet impacts:    p = 1                                                  e = 2 max(d₁, d₂/k) / (k − 1)
//!                               3 e where contacts are hit in one step whose order matters: no run sees it
//!   a tolerance:                                                                         e = d / 2,  d = |q_tol − q_{10 tol}|
//! ```
//!
//! Lengths relative to the mechanism's size, angles in rad. A difference of two runs does not see what both do alike, so the
//! estimate is not less than
//!
//! ```text
//!   the deepest penetration, the widest gap in a joint, round-off
//!   0.3 A ΔE₊/E                                  energy that was made
//!   h V √(ΔE₋/T)                                 energy that was lost: in vibrations that no step resolves
//!   b where b > A/20, b/8 where d₂ > A/1000      steps as long as a period
//! ```
//!
//! with A the range of the motion, b = |q_h − q_{2h}| half a coarse step after a common end of steps, E the energy that moved, T the largest kinetic energy, V the largest velocity. Energies count
//! where the coarser run made or lost about as much: what shrinks with the step is seen in the differences, if d₂ < A/1000.
//!
//! Beyond the last time at which d₁ is below a tenth of A, positions are lost. Whether a smaller step would help is asked of a twin: the
//! coarsest run with a step that is longer by 1e-8. The two part by s(t), as a power of t if the motion is regular, and
//! exponentially if it is chaotic: s(t) > 32 s(t/2), t⁵.
//!
//! What it cannot see: an obstacle or a load that all runs step over; what is wrong in the model.

mod bands;
mod runs;
mod trail;

pub use bands::bands;
pub use runs::{Effort, Runs};
pub use trail::Trail;

use crate::audit::plain;
use crate::{Audit, Quantity, System, json_nan};
use serde::{Deserialize, Serialize};

/// What a difference of runs is multiplied by: estimates are to be too gloomy rather than too hopeful.
const SAFETY: f64 = 2.0;
/// And by this where impacts of several contacts fall into one step, at least the second share of them: their order is not resolved.
const UNORDERED: f64 = 3.0;
const TOGETHER: f64 = 0.1;
/// Least and largest orders that are believed.
const ORDERS: (f64, f64) = (0.25, 3.0);
const ORDER_OF_EVENTS: f64 = 5.0;
/// Share of the range of motion from which on a difference of two runs means that positions are lost.
const LOST: f64 = 0.1;
/// Chaos with a tolerance: the difference grows by `FAST` over the last part of the way to there, from `BEFORE` of it on.
const FAST: f64 = 10.0;
const BEFORE: f64 = 0.6;
/// Chaos with a step: twins part by this much more in all of the time than in half of it, watched until they are `APART` of the range
/// from each other; distances below `TWIN_ROUND_OFF` are round-off. Runs that make this share of the energy are unstable instead.
const EXPONENTIAL: f64 = 32.0;
const APART: f64 = 0.01;
const TWIN_ROUND_OFF: f64 = 1e-13;
const UNSTABLE: f64 = 0.1;
/// Orders above the second are not believed where the coarsest runs differ by more than the first, a share of the range.
const UNSURE: [(f64, f64); 3] = [(0.5, 1.0), (0.1, 2.0), (0.001, 3.0)];
/// A horizon within this share of the run is none: all of it is lost.
const AT_ONCE: f64 = 0.05;
/// Energy that the coarser run made or lost so many times as much is on its way to nothing.
const SHRINKS: f64 = 1.7;
/// Share of the range by which a step that does not resolve the motion is told; and where the coarsest runs differ by the second, what
/// part of a difference inside steps is left at half the step, by a cubic and with some safety.
const UNRESOLVED: f64 = 0.05;
const VAGUE: f64 = 1e-3;
const CUBIC: f64 = 1.0 / 8.0;
/// Share of the energy made that counts.
const GAIN: f64 = 0.3;
/// Impacts are located to this share of the run.
const EVENT_TIME: f64 = 2e-14;
/// Share of the energy that round-off may take.
const ROUND_OFF: f64 = 1e-9;
/// A difference that becomes this small when one run is shifted in time is one of timing.
const SHIFTED: f64 = 0.3;

/// How wrong the positions of a run may be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorEstimate {
    /// Error of the positions, up to `horizon` if there is one: lengths relative to the mechanism's size, angles in rad.
    #[serde(deserialize_with = "json_nan::one")]
    pub error: f64,
    /// The same in m or rad.
    #[serde(deserialize_with = "json_nan::one")]
    pub absolute: f64,
    /// Whether that is a length; an angle otherwise.
    pub is_length: bool,
    /// Whose position it is; empty if the estimate does not come from one.
    pub subject: String,
    /// When two runs differ the most (s).
    #[serde(deserialize_with = "json_nan::one")]
    pub t: f64,
    /// How far things moved, in the measure of `error`.
    #[serde(deserialize_with = "json_nan::one")]
    pub range: f64,
    /// Order that the differences show.
    pub order: Option<f64>,
    /// What a difference of two runs was multiplied by.
    #[serde(default)]
    pub factor: f64,
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
            e if e >= LOST && self.horizon.is_some() => format!("Rough{until}"),
            e if e >= LOST => "Do not trust positions; take a smaller step".into(),
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

/// Which runs end a step at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ends {
    /// All of them.
    All,
    /// The run and its first companion.
    Near,
    /// The run alone: the others are inside a step.
    One,
}

/// Differences of two trails at the times they have in common.
#[derive(Clone, Debug, Default)]
struct Parting {
    /// (time, largest difference so far, whose and when it was), at times at which both runs end a step.
    grown: Vec<(f64, f64, (usize, f64))>,
    /// The same between such times.
    between: Vec<(f64, f64)>,
}

impl Parting {
    /// `is_common` tells times at which both end a step from those inside.
    fn of(a: &Trail, b: &Trail, is_common: impl Fn(usize) -> bool) -> Self {
        let mut parting = Parting::default();
        let mut most = (0.0, (0, 0.0));
        for i in 0..a.len().min(b.len()) {
            let d = a.difference(b, i);
            if !is_common(i) {
                parting.between.push((a.times()[i], d.0));
                continue;
            }
            if d.0 > most.0 {
                most = (d.0, (d.1, a.times()[i]));
            }
            parting.grown.push((a.times()[i], most.0, most.1));
        }
        parting
    }

    /// Largest difference up to t, whose, and when.
    fn until(&self, t: f64) -> (f64, (usize, f64)) {
        let last = self.grown.iter().take_while(|(s, ..)| *s <= t).last();
        last.map_or((0.0, (0, 0.0)), |(_, d, whose)| (*d, *whose))
    }

    /// Largest difference up to t between common ends of steps.
    fn between(&self, t: f64) -> f64 {
        self.between.iter().filter(|(s, _)| *s <= t).fold(0.0, |most, (_, d)| most.max(*d))
    }

    /// First time with a difference of this size.
    fn reaches(&self, size: f64) -> Option<f64> {
        self.grown.iter().find(|(_, d, _)| *d >= size).map(|(t, ..)| *t)
    }

    /// Last time before that.
    fn below(&self, size: f64) -> Option<f64> {
        let first = self.grown.iter().position(|(_, d, _)| *d >= size)?;
        Some(if first > 0 { self.grown[first - 1].0 } else { 0.0 })
    }
}

/// What the runs are to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    /// Steps k and 2k times as long, through impacts or not, with events located or not.
    Steps { k: f64, rough: bool, located: bool, together: bool },
    /// Ten times the tolerance.
    Tolerance,
}

/// Whether two runs that differ by next to nothing part exponentially; `range` is how far things move.
fn is_chaotic(a: &Trail, b: &Trail, range: f64, audit: &Audit) -> bool {
    let parting = Parting::of(a, b, |_| true);
    let Some((end, ..)) = parting.grown.last().copied() else { return false };
    let t = parting.reaches(APART * range).unwrap_or(end);
    let before = parting.until(0.5 * t).0.max(TWIN_ROUND_OFF * a.largest());
    parting.until(t).0 > EXPONENTIAL * before && audit.energy_made < UNSTABLE * audit.energy_scale
}

/// A run, seen from outside.
struct Seen<'a> {
    system: &'a dyn System,
    trail: &'a Trail,
    audit: &'a Audit,
    /// The balance of the coarser run, if it has the same steps all along.
    coarse: Option<&'a Audit>,
    /// Its longest step (s).
    dt: f64,
    steps: usize,
    /// Impacts, where they are located.
    located: usize,
}

impl Seen<'_> {
    /// The estimate by one or two coarser runs; `ends` says which runs end a step at a time of the trail.
    fn beside(
        &self,
        coarse: &Trail,
        coarser: Option<&Trail>,
        kind: Relation,
        ends: impl Fn(usize) -> Ends,
    ) -> ErrorEstimate {
        let range = self.trail.range();
        let is_common = |i: usize| ends(i) != Ends::One;
        let near = Parting::of(self.trail, coarse, is_common);
        let far = coarser.map(|coarser| Parting::of(coarse, coarser, |i| ends(i) == Ends::All));
        let (horizon, chaotic) = self.horizon(&near, range, kind);
        let until = horizon.unwrap_or(f64::INFINITY);
        let (d, (who, at)) = near.until(until);
        let d_far = far.as_ref().map_or(0.0, |far| far.until(until).0);
        let order = match kind {
            Relation::Steps { .. } if d > 0.0 && d_far > 0.0 => Some((d_far / d).log2()),
            _ => None,
        };
        let factor = match kind {
            Relation::Tolerance => 0.5,
            Relation::Steps { k, rough: true, together, .. } => {
                SAFETY / (k - 1.0) * if together { UNORDERED } else { 1.0 }
            }
            Relation::Steps { k, located, .. } => {
                let most = if located { ORDER_OF_EVENTS } else { ORDERS.1 };
                let unsure = UNSURE.iter().find(|(share, _)| d_far > share * range);
                let most = unsure.map_or(most, |(_, p)| p.min(most));
                // differences that are as large as the motion grow no further
                let least = if most > 1.0 { ORDERS.0 } else { 1.0 };
                let p = order.unwrap_or(1.0).clamp(least, most);
                SAFETY / (k.powf(p) - 1.0)
            }
        };
        let mut error = factor * d;
        if let Relation::Steps { k, rough: true, .. } = kind {
            // where positions are lost, the coarser run was lost before
            let d_far = if horizon.is_some() { d_far.min(2.0 * k * d) } else { d_far };
            error = error.max(factor * d_far / k);
        }
        let mut estimate =
            ErrorEstimate { error, t: at, range, order, horizon, chaotic, ..Default::default() };
        estimate.factor = if d > 0.0 { error / d } else { factor };
        self.name(&mut estimate, who);
        if horizon.is_none() {
            estimate.late = self.late(coarse, at, factor, &is_common);
        }
        let between = near.between(until);
        let share = match between {
            b if b > UNRESOLVED * range => 1.0,
            _ if d_far > VAGUE * range => CUBIC,
            _ => 0.0,
        };
        self.at_least(&mut estimate, share * between, d_far > VAGUE * range);
        estimate
    }

    /// The error in m or rad, and whose it is.
    fn name(&self, estimate: &mut ErrorEstimate, who: usize) {
        let moved_by = self.trail.moved_by(who);
        estimate.is_length = self.system.structure().velocities[moved_by].quantity == Quantity::Length;
        estimate.absolute = estimate.error / self.trail.weight_of_velocity(moved_by);
        let name = self.system.structure().velocities[moved_by].name.clone();
        estimate.subject = name.rsplit_once('.').map_or(name.as_str(), |(body, _)| body).into();
    }

    /// When positions are lost, and with a tolerance whether for good.
    fn horizon(&self, near: &Parting, range: f64, kind: Relation) -> (Option<f64>, bool) {
        let lost = LOST * range;
        let end = self.trail.times().last().copied().unwrap_or(0.0);
        let Some(t) = near.below(lost).filter(|t| range > 0.0 && *t > AT_ONCE * end) else {
            return (None, false);
        };
        // ten times the tolerance, and they part all the same
        (Some(t), kind == Relation::Tolerance && near.until(BEFORE * t).0 * FAST < lost)
    }

    /// What differences do not see.
    fn at_least(&self, estimate: &mut ErrorEstimate, between: f64, vague: bool) {
        let (audit, A, length) = (self.audit, estimate.range, self.system.structure().length_scale);
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
        // joints and contacts that are as wrong as the motion is large: all is lost
        if estimate.error > LOST * A
            && estimate.late.is_none()
            && estimate.t > estimate.horizon.unwrap_or(f64::INFINITY)
        {
            (estimate.horizon, estimate.chaotic) = (None, false);
        }
        // two runs with an accuracy may both go where no step is short enough
        raise(estimate, audit.unmet_error, "", audit.unmet_t, length);
        let E = audit.energy_scale;
        if E > 0.0 && estimate.horizon.is_none() {
            let shrinks =
                |energy: fn(&Audit) -> f64| self.coarse.is_some_and(|c| energy(c) > SHRINKS * energy(audit));
            let made = match shrinks(|audit| audit.energy_made) {
                false => GAIN * A * (audit.energy_made / E).min(1.0),
                true => 0.0,
            };
            let gone = (audit.energy_lost - ROUND_OFF * E).max(0.0);
            let lost = match shrinks(|audit| audit.energy_lost) && !vague {
                false if audit.most_kinetic > 0.0 => {
                    A.min(self.dt * self.trail.fastest() * (gone / audit.most_kinetic).sqrt())
                }
                _ => 0.0,
            };
            raise(estimate, made.max(lost), "", estimate.t, length);
        }
        raise(estimate, between, "", estimate.t, length);
        let end = self.trail.times().last().copied().unwrap_or(0.0);
        let round_off = f64::EPSILON * self.trail.largest() * (self.steps as f64).sqrt()
            + EVENT_TIME * end * self.trail.fastest() * self.located as f64;
        raise(estimate, round_off, "", estimate.t, length);
        if !estimate.error.is_finite() {
            (estimate.error, estimate.absolute) = (f64::INFINITY, f64::INFINITY);
        }
    }

    /// How late the run is, if a shift in time explains most of the difference to the coarser one where it is largest.
    fn late(&self, coarse: &Trail, at: f64, factor: f64, is_common: &impl Fn(usize) -> bool) -> Option<f64> {
        let (trail, weight) = (self.trail, self.trail.weight());
        let times = trail.times();
        let common: Vec<usize> = (0..trail.len().min(coarse.len())).filter(|i| is_common(*i)).collect();
        let here = *common.iter().find(|i| times[**i] == at)?;
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
            let shift = times[pair[0]] + s * (times[pair[1]] - times[pair[0]]) - at;
            // of several passes, the one nearest in time
            if left < SHIFTED * d && (best.1 == 0.0 || shift.abs() < f64::abs(best.1)) {
                best = (left, shift);
            }
        }
        // the coarse run passes there `shift` later, and this run later than the truth by a part of that
        (best.1 != 0.0).then(|| factor / SAFETY * best.1)
    }
}
