//! Step doubling: one step dt against two of dt/2, which are kept.                               [Haddouni2015] (2.118)
//!
//! ```text
//!   smooth:            max(|Δq|, τ |Δv|) ≤ A dt/T                    τ = min(1/fastest, T)
//!   through impacts:   |Δq| + dt |Δv| ≤ A/50
//! ```
//!
//! Errors of steps add up, so each has its share. Δ is the error of the longer step, and of the two halves where the order is
//! one. Velocities that differ are positions that will: contact forces and curved constraints show there first. Where an
//! impact, or a force that jumps, is in the step, a contact is new or Δv does not fall with dt as it does in smooth motion: then
//! what counts is how far things go wrong within the step. What both the step and its halves overlook is added: an impact that
//! they jump over, and contacts that let go or slip before its end, see `overlooked`.

use super::{SMALLEST_STEP, Simulation, stays_in_chart};
use crate::{Configuration, ContactKind, ContactRecord, Quantity, State, StepError, System};

/// With error control: safety factor, largest growth and shrinkage of the step from one to the next.
const SAFETY: f64 = 0.9;
const GROWTH: f64 = 2.0;
const SHRINKAGE: f64 = 0.2;
/// Where velocities of one step and two differ by less than dt to this power, motion is not smooth.
const SMOOTH: f64 = 1.5;
/// Steps that are longer by this than the one before tell smooth motion from one that is not.
const LONGER: f64 = 1.3;
/// The part of the accuracy that a step through an impact may have.
const THROUGH: f64 = 0.02;
/// Errors of a step below this, relative to the coordinates, are round-off.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// A try of a step with error control.
#[derive(Clone, Copy, Debug)]
struct Tried {
    /// How far things went wrong within it.
    error: f64,
    /// Δv.
    dv: f64,
    /// Errors over what is allowed: in smooth motion, and through impacts (infinite where there is none).
    smooth: f64,
    through: f64,
}

impl Tried {
    /// Whether it may be taken.
    fn stands(&self) -> bool {
        self.smooth.min(self.through) <= 1.0
    }

    /// What the step is to be multiplied by.
    fn factor(&self) -> f64 {
        if self.smooth <= self.through {
            SAFETY / self.smooth.sqrt()
        } else if self.through <= 1.0 {
            SAFETY / self.through.sqrt()
        } else {
            SAFETY / self.through
        }
    }
}

/// How far a step and its halves are apart.
#[derive(Clone, Copy, Debug)]
struct Apart {
    dq: f64,
    dv: f64,
    /// A contact was hit.
    hits: bool,
}

/// What the tries of one step have shown.
#[derive(Clone, Copy, Debug)]
struct Tries {
    /// Size and Δv of the try before.
    before: Option<(f64, f64)>,
    /// Motion is not smooth here.
    rough: bool,
}

impl Simulation<'_> {
    /// One accepted step.
    pub(super) fn controlled_step(&mut self, accuracy: f64) -> Result<(), StepError> {
        let smallest = SMALLEST_STEP * (self.settings.end - self.start);
        let mut tries = Tries { before: None, rough: self.rough.is_some() };
        loop {
            let left = self.settings.end - self.state.t;
            let wanted = self.next_dt.max(smallest).min(left);
            let (dt, meets) = self.cut_at_sample(wanted);
            self.before.clone_from(&self.state);
            self.coarse.clone_from(&self.state);
            self.recorder.mark();
            let counters = self.counters;
            let outcome = self.step_and_halves(dt).map(|apart| self.weigh(apart, dt, accuracy, &mut tries));
            let factor = outcome.as_ref().map_or(SHRINKAGE, Tried::factor).clamp(SHRINKAGE, GROWTH);
            match outcome {
                Ok(tried) if tried.stands() || dt <= smallest => {
                    // half and half may miss the end by a last bit that no further step can make up for
                    if dt >= left {
                        self.state.t = self.settings.end;
                    } else if meets {
                        self.state.t = self.next_sample;
                    }
                    self.take(dt, tried);
                    // what a sample cut says nothing against the size that was wanted
                    self.next_dt = if dt < wanted { wanted.max(dt * factor) } else { dt * factor };
                    return Ok(());
                }
                Err(e) if dt <= smallest => return Err(e),
                _ => {}
            }
            self.state.clone_from(&self.before);
            self.recorder.take_back();
            self.counters = counters;
            self.next_dt = dt * factor.min(SAFETY);
            if outcome.is_ok() {
                self.rejected += 1;
            } else {
                self.retries += 1;
                self.recorder.retry(self.state.t);
            }
        }
    }

    /// One step in `coarse`, two halves in the state.
    fn step_and_halves(&mut self, dt: f64) -> Result<Apart, StepError> {
        if self.half > 0.0 {
            self.stepper.stretch(&mut self.coarse, dt / self.half);
            self.stepper.stretch(&mut self.state, 0.5 * dt / self.half);
        }
        stays_in_chart(self.system, &self.coarse, dt)?;
        self.stepper.step(self.system, &mut self.stage, &mut self.coarse, dt)?;
        let mut hits = meets_new(self.stage.records(), &self.last_half);
        self.try_step(0.5 * dt)?;
        hits |= meets_new(self.stage.records(), &self.last_half);
        self.first_half.clear();
        self.first_half.extend_from_slice(self.stage.records());
        self.try_step(0.5 * dt)?;
        self.system.difference(&self.coarse.q, &self.state.q, &mut self.apart);
        let dq = largest_error(self.apart.iter().copied(), &self.weight);
        let dv = largest_error(apart(&self.coarse.v, &self.state.v), &self.weight);
        hits |= meets_new(self.stage.records(), &self.first_half);
        Ok(Apart { dq, dv, hits })
    }

    /// Errors of a try over what is allowed.
    fn weigh(&mut self, Apart { dq, dv, hits }: Apart, dt: f64, accuracy: f64, tries: &mut Tries) -> Tried {
        let span = self.settings.end - self.start;
        let length = self.system.structure().length_scale;
        // one step and two can both miss the same impact; how deep they went says so
        let deepening = self.recorder.deepening(self.system, &self.before, &self.state);
        let dq = dq.max(deepening / length);
        for v in [&self.before.v, &self.state.v] {
            self.fastest = self.fastest.max(largest(v, &self.weight));
        }
        let overlooked = overlooked(self.system, &self.first_half, self.stage.records(), 0.5 * dt);
        let dv = dv.max(overlooked / (length * self.lightest));
        // velocities that did not fall with dt as those of a smooth motion do
        let smooth_dv = |(dt_before, dv_before): (f64, f64)| dv_before * (dt / dt_before).powf(SMOOTH);
        if let Some(before) = tries.before {
            tries.rough |= dv > smooth_dv(before);
        } else if let Some(before) = self.rough.filter(|(dt_before, _)| dt > LONGER * dt_before) {
            // nor grew
            tries.rough = dv < smooth_dv(before);
        }
        tries.rough |= hits;
        tries.before = Some((dt, dv));
        let round_off = ROUND_OFF * largest(&self.state.q, &self.weight_q).max(1.0);
        let error = dq + dt * dv;
        if self.per_step {
            return Tried { error, dv, smooth: dq / accuracy, through: f64::INFINITY };
        }
        let smooth = dq.max(dv * span.min(1.0 / self.fastest)) / (accuracy * dt / span).max(round_off);
        let through = error / (THROUGH * accuracy).max(round_off);
        Tried { error, dv, smooth, through: if tries.rough { through } else { f64::INFINITY } }
    }

    /// Takes note of the step that was made.
    fn take(&mut self, dt: f64, tried: Tried) {
        if !tried.stands() {
            self.unmet(tried.error);
        }
        self.half = 0.5 * dt;
        self.last_half.clear();
        self.last_half.extend_from_slice(self.stage.records());
        self.rough = (tried.smooth > 1.0).then_some((dt, tried.dv));
    }
}

/// The smallest mass, or inertia over the square of the mechanism's size (kg).
pub(super) fn lightest(system: &dyn System, state: &State) -> f64 {
    let at = Configuration::new(system, state.t, &state.q, &state.v);
    let places = &system.structure().pattern.mass;
    let mut M = vec![0.0; places.len()];
    system.mass(&at, &mut M);
    let length = system.structure().length_scale;
    let each = places.iter().zip(&M).filter(|((i, j), m)| i == j && **m > 0.0);
    each.fold(f64::INFINITY, |least: f64, ((i, _), m)| {
        match system.structure().velocities[*i as usize].quantity {
            Quantity::Length => least.min(*m),
            _ => least.min(m / (length * length)),
        }
    })
}

/// Whether a contact presses that did not before: it was hit.
fn meets_new(now: &[ContactRecord], before: &[ContactRecord]) -> bool {
    let presses = |r: &ContactRecord| r.P[0] > 0.0;
    now.iter().any(|r| presses(r) && !before.iter().any(|b| b.contact == r.contact && presses(b)))
}

/// Impulse (N s) that two halves of a step, each `dt` long, overlook where a contact that holds lets go or begins to slip before their
/// end. Forces are prolonged from the means of the halves; the smallest f is where they break a bound, s its slope:
///
/// ```text
///   λ(end) = λ_2 + (λ_2 − λ_1)/2,     f = λ_N   or   μ λ_N − |λ_T|,      f(end) < 0:   p = f² / 2s
/// ```
fn overlooked(system: &dyn System, first: &[ContactRecord], second: &[ContactRecord], dt: f64) -> f64 {
    let mut most = 0.0_f64;
    for record in second {
        let Some(before) = first.iter().find(|r| r.contact == record.contact) else { continue };
        let mu = match system.structure().contacts[record.contact].kind {
            ContactKind::Unilateral { .. } => 0.0,
            ContactKind::Frictional { friction, .. } | ContactKind::Spatial { friction, .. } => friction,
            ContactKind::Dry { .. } => continue,
        };
        let end = |row: usize| (1.5 * record.P[row] - 0.5 * before.P[row]) / dt;
        let slope = |row: usize| (record.P[row] - before.P[row]).abs() / (dt * dt);
        let mut break_of = |f: f64, s: f64| {
            if f < 0.0 {
                most = most.max(0.5 * -f * (-f / s).min(dt));
            }
        };
        break_of(end(0), slope(0));
        if mu > 0.0 && !record.slides {
            let tangential = |of: &dyn Fn(usize) -> f64| match record.dim {
                3.. => of(1).hypot(of(2)),
                _ => of(1).abs(),
            };
            break_of(mu * end(0) - tangential(&end), mu * slope(0) + tangential(&slope));
        }
    }
    most
}

/// Largest weighted component.
fn largest(x: &[f64], weight: &[f64]) -> f64 {
    x.iter().zip(weight).fold(0.0, |most: f64, (x, w)| most.max((x * w).abs()))
}

fn apart(a: &[f64], b: &[f64]) -> impl Iterator<Item = f64> {
    a.iter().zip(b).map(|(a, b)| b - a)
}

/// Largest weighted error.
fn largest_error(errors: impl Iterator<Item = f64>, weight: &[f64]) -> f64 {
    // what is not a number is no small error, which `max` would make of it
    let larger = |most: f64, error: f64| if error <= most { most } else { error };
    let most = errors.zip(weight).map(|(error, w)| error.abs() * w).fold(0.0, larger);
    if most.is_nan() { f64::INFINITY } else { most }
}
