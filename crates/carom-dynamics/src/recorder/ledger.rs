//! Where the energy went.
//!
//! Energies are functions of the state and are asked at samples; the work of impulses is summed at every step:
//!
//! ```text
//!   normal:      −P_N ½ (U_N⁻ + U_N⁺)        tangential:  −P_T ½ (U_T⁻ + U_T⁺)
//!   motions:     −P_bᵀ ½ (∂Φ/∂t⁻ + ∂Φ/∂t⁺)   forces:      dt ½ (power⁻ + power⁺)
//! ```
//!
//! unless the scheme knows the work of its forces better. Damping of elastic bodies can be faster than the step, right after an
//! impact above all: dampers then take no more than the energy that is gone.

use crate::stepping::Work;
use crate::{Configuration, ContactKind, ContactRecord, Energy, Power, StepReport, System, Worst};

/// Dampers that would have taken so many times what is gone were faster than the step.
const OVERDAMPED: f64 = 2.0;

/// Largest value so far, by index of who had it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Peak {
    pub value: f64,
    who: usize,
    t: f64,
}

impl Peak {
    pub fn see(&mut self, value: f64, who: usize, t: f64) {
        if value > self.value {
            *self = Peak { value, who, t };
        }
    }

    pub fn named(&self, name: impl Fn(usize) -> String) -> Worst {
        let subject = if self.value > 0.0 { name(self.who) } else { String::new() };
        Worst { value: self.value, subject, t: self.t }
    }
}

/// What every step adds to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub power: Power,
    pub applied: f64,
    pub prescribed: f64,
    pub damping: f64,
    pub friction: f64,
    pub impact: f64,
    /// Made in contacts, step by step.
    pub made: f64,
    pub penetration: Peak,
    pub residual: Peak,
    pub contact_problems: usize,
    pub fallbacks: usize,
    /// Energy without what others than dampers brought, after the last step; only where it is needed.
    pub left: f64,
    // peaks since the last sample
    pub deepest: f64,
    pub newton_iterations: usize,
    pub contact_iterations: usize,
    pub worst_residual: f64,
}

impl Sums {
    /// Energy brought in by all but dampers.
    pub fn brought(&self) -> f64 {
        self.applied + self.prescribed - self.friction - self.impact
    }

    /// Work of the contacts, with its sign turned.
    pub fn lost_in_contacts(&self) -> f64 {
        self.friction + self.impact
    }

    /// What contacts have made since they had lost `before`, all of a step together.
    pub fn made_since(&mut self, before: f64) {
        self.made += (before - self.lost_in_contacts()).max(0.0);
    }

    /// A contact of this depth (m); below 0 it is open.
    pub fn penetrated(&mut self, depth: f64, contact: usize, t: f64) {
        self.penetration.see(depth, contact, t);
        self.deepest = self.deepest.max(depth);
    }
}

/// The largest rise and the largest fall of energies over any part of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Swing {
    lowest: f64,
    highest: f64,
    rise: f64,
    fall: f64,
}

impl Swing {
    /// What has been made so far, by the scheme and by contacts, and by the scheme alone; both net of losses.
    fn see(&mut self, made: f64, by_scheme: f64) {
        self.lowest = self.lowest.min(made);
        self.rise = self.rise.max(made - self.lowest);
        self.highest = self.highest.max(by_scheme);
        self.fall = self.fall.max(self.highest - by_scheme);
    }
}

/// The balance of a run.
#[derive(Debug)]
pub(super) struct Ledger {
    has_power: bool,
    /// Elastic bodies may have damping that is faster than a step.
    may_overdamp: bool,
    pub start: Energy,
    pub now: Energy,
    pub most_kinetic: f64,
    potential_range: (f64, f64),
    swing: Swing,
    pub sums: Sums,
    marked: Sums,
}

impl Ledger {
    /// Where a run begins.
    pub fn new(system: &dyn System, at: &Configuration) -> Self {
        let energy = system.energy(at);
        let has_power = system.structure().has_power;
        let stored = energy.potential + energy.strain;
        let power = if has_power { system.power(at) } else { Power::default() };
        Self {
            has_power,
            may_overdamp: has_power && system.momenta().is_some(),
            start: energy,
            now: energy,
            most_kinetic: energy.kinetic,
            potential_range: (stored, stored),
            swing: Swing::default(),
            sums: Sums { power, left: energy.total(), ..Default::default() },
            marked: Sums::default(),
        }
    }

    /// Remembers where it is.
    pub fn mark(&mut self) {
        self.marked = self.sums;
    }

    /// Goes back to the mark.
    pub fn take_back(&mut self) {
        self.sums = self.marked;
    }

    /// Whether forces without a potential are to be asked for.
    pub fn has_power(&self) -> bool {
        self.has_power
    }

    /// Takes note of what the solvers say of a step.
    pub fn count(&mut self, t: f64, report: &StepReport) {
        let sums = &mut self.sums;
        sums.newton_iterations = sums.newton_iterations.max(report.newton_iterations);
        sums.contact_iterations = sums.contact_iterations.max(report.contact_iterations);
        sums.fallbacks += report.fallbacks;
        sums.contact_problems += report.contact_problems;
        if report.contact_problems > 0 {
            sums.worst_residual = sums.worst_residual.max(report.contact_residual);
            sums.residual.see(report.contact_residual, 0, t);
        }
    }

    /// Work of a contact over a step.
    pub fn contact(&mut self, kind: &ContactKind, record: &ContactRecord) {
        let ContactRecord { U_minus, U_plus, P, bias, .. } = record;
        let mean = |i: usize| 0.5 * (U_minus[i] + U_plus[i]);
        self.sums.prescribed -= (0..kind.dim()).map(|i| P[i] * bias[i]).sum::<f64>();
        match kind {
            ContactKind::Dry { .. } => self.sums.friction -= P[0] * mean(0),
            _ => self.sums.impact -= P[0] * mean(0),
        }
        for i in 1..kind.dim() {
            self.sums.friction -= P[i] * mean(i);
        }
    }

    /// Work of a prescribed motion by a joint row: its impulse, ∂Φ/∂t before and after.
    pub fn prescribed(&mut self, P_b: f64, before: f64, after: f64) {
        self.sums.prescribed -= P_b * 0.5 * (before + after);
    }

    /// Adds the work of smooth forces that a scheme knows better than the ends of its steps tell.
    pub fn add(&mut self, work: &Work) {
        self.sums.applied += work.applied;
        self.sums.damping += work.damping;
        self.sums.friction += work.friction;
        self.sums.prescribed += work.prescribed;
    }

    /// Work of forces without a potential over a step that ends at `at` with its velocities.
    pub fn forces(&mut self, system: &dyn System, at: &Configuration, dt: f64, report: &StepReport) {
        let power = system.power(at);
        let sums = &mut self.sums;
        let work = report.work.unwrap_or(Power {
            applied: 0.5 * dt * (sums.power.applied + power.applied),
            damping: 0.5 * dt * (sums.power.damping + power.damping),
        });
        sums.applied += work.applied;
        let mut damped = -work.damping;
        if self.may_overdamp && report.work.is_none() {
            let left = system.energy(at).total() - sums.brought();
            let dropped = (sums.left - left).max(0.0);
            if damped > OVERDAMPED * dropped {
                damped = dropped;
            }
            sums.left = left;
        }
        sums.damping += damped;
        sums.power = power;
    }

    /// Where the next step begins, after one whose work was added.
    pub fn begin_anew(&mut self, system: &dyn System, at: &Configuration) {
        if self.has_power {
            self.sums.power = system.power(at);
        }
        if self.may_overdamp {
            self.sums.left = system.energy(at).total() - self.sums.brought();
        }
    }

    /// Energies at a sample, then work; numbers of the channels `energy.*` and `work.*`.
    pub fn sample(&mut self, energy: Energy, line: &mut Vec<f64>) {
        self.now = energy;
        let stored = energy.potential + energy.strain;
        self.most_kinetic = self.most_kinetic.max(energy.kinetic);
        self.potential_range = (self.potential_range.0.min(stored), self.potential_range.1.max(stored));
        line.extend([energy.kinetic, energy.potential, energy.strain, energy.total()]);
        let numerical = self.numerical_loss();
        let sums = &self.sums;
        self.swing.see(sums.made - numerical, -numerical);
        line.extend([sums.applied, sums.prescribed, sums.damping, sums.friction, sums.impact, numerical]);
    }

    /// Peaks begin anew after a sample.
    pub fn forget_peaks(&mut self) {
        (self.sums.newton_iterations, self.sums.contact_iterations) = (0, 0);
        (self.sums.worst_residual, self.sums.deepest) = (0.0, 0.0);
    }

    /// What is left of the balance.
    pub fn numerical_loss(&self) -> f64 {
        let change = self.now.total() - self.start.total();
        self.sums.applied + self.sums.prescribed
            - self.sums.damping
            - self.sums.friction
            - self.sums.impact
            - change
    }

    /// The largest energy that moved, kinetic or stored.
    pub fn moved(&self) -> f64 {
        self.most_kinetic.max(self.potential_range.1 - self.potential_range.0)
    }

    /// The largest rise of energy over any part of the run, and the largest fall by the scheme.
    pub fn made_and_lost(&self) -> (f64, f64) {
        (self.swing.rise, self.swing.fall)
    }
}
