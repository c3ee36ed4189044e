//! Watches a run: samples the channels, sees events, keeps the audit.
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
//!
//! Forces that a scheme knows are recorded as they are at a sample, with the largest normal force since the sample before.
//! Of impulses over steps their mean over the sample interval is recorded, see [`Mean`].

use crate::accelerations::Accelerations;
use crate::mean::Mean;
use crate::own_steps::{Happened, OwnSteps, Work};
use crate::scheme::Reactions;
use crate::{
    Audit, Channel, Configuration, ContactKind, ContactMode, ContactRecord, ContactStage, Crossing,
    Directions, Energy, Event, EventKind, Nature, Power, Quantity, Recording, State, StepError, StepReport,
    System, Worst,
};

/// Places that moved by less than this of the size stayed where they were.
const STILL: f64 = 1e-4;
/// Dampers that would have taken so many times what is gone were faster than the step.
const OVERDAMPED: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Open,
    Stick,
    Slide,
}

#[derive(Clone, Copy, Debug)]
struct Happening {
    t: f64,
    kind: EventKind,
    contact: usize,
    before: f64,
    after: f64,
    impulse: f64,
}

/// Largest value so far, by index of who had it.
#[derive(Clone, Copy, Debug, Default)]
struct Peak {
    value: f64,
    who: usize,
    t: f64,
}

impl Peak {
    fn see(&mut self, value: f64, who: usize, t: f64) {
        if value > self.value {
            *self = Peak { value, who, t };
        }
    }

    fn named(&self, name: impl Fn(usize) -> String) -> Worst {
        let subject = if self.value > 0.0 { name(self.who) } else { String::new() };
        Worst { value: self.value, subject, t: self.t }
    }
}

/// Which contacts have the name of the one before them: places of one pair that come and go. They are recorded together, by the
/// least gap, the sums of forces and impulses, and the largest peak.
fn joined(system: &dyn System) -> Vec<bool> {
    let all = system.contact_info();
    (0..all.len()).map(|i| i > 0 && all[i].name == all[i - 1].name).collect()
}

/// 1 over the error of a coordinate that counts as one: the mechanism's size, or 1 rad.
pub fn weights(system: &dyn System) -> Vec<f64> {
    let length = system.length_scale();
    let weight = |i| match system.velocity_quantity(i) {
        Quantity::Length => 1.0 / length,
        Quantity::Angle => 1.0,
    };
    (0..system.sizes().v).map(weight).collect()
}

/// Names and units of what the recorder adds to the system's own channels.
fn channels(system: &dyn System, peaks: bool) -> Vec<Channel> {
    let channel = |name: String, unit: &str| Channel { name, unit: unit.into() };
    let mut list = vec![channel("t".into(), "s")];
    list.extend(system.channels());
    list.extend(Accelerations::channels(system));
    for (contact, joined) in system.contact_info().iter().zip(joined(system)) {
        let name = &contact.name;
        if joined {
            continue;
        }
        match contact.kind {
            ContactKind::Dry { quantity: Quantity::Length, .. } => {
                list.push(channel(format!("{name}.velocity"), "m/s"));
                list.push(channel(format!("{name}.force"), "N"));
            }
            ContactKind::Dry { quantity: Quantity::Angle, .. } => {
                list.push(channel(format!("{name}.velocity"), "rad/s"));
                list.push(channel(format!("{name}.torque"), "N m"));
            }
            ContactKind::Unilateral { .. } | ContactKind::Frictional { .. } => {
                list.push(channel(format!("{name}.gap"), "m"));
                list.push(channel(format!("{name}.force_n"), "N"));
                list.push(channel(format!("{name}.impulse_n"), "N s"));
            }
        }
        if let ContactKind::Frictional { .. } = contact.kind {
            list.push(channel(format!("{name}.force_t"), "N"));
            list.push(channel(format!("{name}.impulse_t"), "N s"));
        }
        if peaks && !matches!(contact.kind, ContactKind::Dry { .. }) {
            list.push(channel(format!("{name}.peak"), "N"));
        }
    }
    for joint in system.constraint_info() {
        for (quantity, word) in &joint.quantities {
            list.push(match quantity {
                Quantity::Length if *word == "force" => channel(format!("{}.force", joint.name), "N"),
                Quantity::Length => channel(format!("{}.force_{word}", joint.name), "N"),
                Quantity::Angle => channel(format!("{}.torque", joint.name), "N m"),
            });
        }
    }
    for name in ["kinetic", "potential", "strain", "total"] {
        list.push(channel(format!("energy.{name}"), "J"));
    }
    for name in ["applied", "prescribed", "damping", "friction", "impact", "numerical"] {
        list.push(channel(format!("work.{name}"), "J"));
    }
    list.push(channel("audit.drift_length".into(), "m"));
    list.push(channel("audit.drift_angle".into(), "rad"));
    list.push(channel("audit.penetration".into(), "m"));
    list.push(channel("solver.step".into(), "s"));
    list.push(channel("solver.newton_iterations".into(), "1"));
    list.push(channel("solver.contact_iterations".into(), "1"));
    list.push(channel("solver.residual".into(), "1"));
    list
}

/// What every step adds to.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    power: Power,
    applied: f64,
    prescribed: f64,
    damping: f64,
    friction: f64,
    impact: f64,
    /// Made in contacts, step by step.
    made: f64,
    penetration: Peak,
    residual: Peak,
    contact_problems: usize,
    fallbacks: usize,
    impacts: usize,
    /// Energy without what others than dampers brought, after the last step; only where it is needed.
    left: f64,
    // peaks since the last sample
    deepest: f64,
    newton_iterations: usize,
    contact_iterations: usize,
    worst_residual: f64,
}

impl Sums {
    /// Energy brought in by all but dampers.
    fn brought(&self) -> f64 {
        self.applied + self.prescribed - self.friction - self.impact
    }

    /// Work of the contacts, with its sign turned.
    fn lost_in_contacts(&self) -> f64 {
        self.friction + self.impact
    }

    /// What contacts have made since they had lost `before`, all of a step together.
    fn made_since(&mut self, before: f64) {
        self.made += (before - self.lost_in_contacts()).max(0.0);
    }

    /// A contact of this depth (m); below 0 it is open.
    fn penetrated(&mut self, depth: f64, contact: usize, t: f64) {
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

/// Everything a step changes, to go back to.
#[derive(Clone, Debug, Default)]
struct Mark {
    sums: Sums,
    mode: Vec<Mode>,
    impulse: Vec<f64>,
    peak: Vec<f64>,
    mean: Mean,
    phi_t: Vec<f64>,
    happenings: usize,
    own: Vec<f64>,
    stopped: bool,
}

/// Works in the shadow of a simulation. Owns the columns until the run is over.
#[derive(Debug)]
pub struct Recorder {
    channels: Vec<Channel>,
    columns: Vec<Vec<f64>>,
    /// How many of the channels the system itself writes.
    system_channels: usize,
    happenings: Vec<Happening>,
    at: Configuration,
    kinds: Vec<ContactKind>,
    /// Contacts that are recorded with the one before.
    joined: Vec<bool>,
    row_quantity: Vec<Quantity>,
    // per contact and per row of contact
    mode: Vec<Mode>,
    closed_now: Vec<bool>,
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    /// Largest normal force since the last sample, where forces are known.
    peak: Vec<f64>,
    /// Whether there is a channel of it.
    peaks: bool,
    /// Impulses since the last sample, where they are all that is known.
    mean: Mean,
    /// If they are asked for.
    accelerations: Option<Accelerations>,
    /// Whether [`Recorder::step`] is told of steps that know impulses only, and whether the last step was one.
    steps_by_impulses: bool,
    by_impulses: bool,
    g_N: Vec<f64>,
    g_N_before: Vec<f64>,
    phi: Vec<f64>,
    phi_t: Vec<f64>,
    line: Vec<f64>,
    has_power: bool,
    /// Elastic bodies may have damping that is faster than a step.
    may_overdamp: bool,
    energy_start: Energy,
    energy: Energy,
    /// Energy that the forces give in one step; what stays below it is at rest.
    stillness: f64,
    most_kinetic: f64,
    potential_range: (f64, f64),
    swing: Swing,
    /// Coordinates at the start, what makes an error of them count, and how far they have gone in this measure.
    q_start: Vec<f64>,
    weight: Vec<f64>,
    moved: f64,
    sums: Sums,
    marked: Mark,
    drift_length: Peak,
    drift_angle: Peak,
    digest: u64,
    stopped: bool,
    /// Values of the model's own events after the last step.
    own: Vec<f64>,
    own_now: Vec<f64>,
    // room
    G: Vec<f64>,
    W: Directions,
}

impl Recorder {
    /// Takes the first sample, with the forces that `state` comes with and the accelerations `v_dot`. `steps_by_impulses`: what
    /// [`Recorder::step`] is told of are impulses over steps.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        system: &dyn System,
        state: &State,
        samples: usize,
        stillness: f64,
        reactions: Reactions,
        steps_by_impulses: bool,
        v_dot: Vec<f64>,
    ) -> Self {
        let peaks = reactions != Reactions::Impulses;
        let channels = channels(system, peaks);
        let sizes = system.sizes();
        let kinds: Vec<ContactKind> = system.contact_info().iter().map(|c| c.kind.clone()).collect();
        let row_quantity =
            system.constraint_info().iter().flat_map(|j| j.quantities.iter().map(|q| q.0)).collect();
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        let energy = system.energy(&at);
        let has_power = system.has_power();
        let mut phi_t = vec![0.0; sizes.constraints];
        if sizes.constraints > 0 {
            system.jacobian(&at, &mut vec![0.0; system.pattern().jacobian.len()], &mut phi_t);
        }
        let mut new = Self {
            columns: channels.iter().map(|_| Vec::with_capacity(samples)).collect(),
            // one joined contact more than there are channels
            line: Vec::with_capacity(channels.len() + 6),
            system_channels: system.channels().len(),
            channels,
            happenings: Vec::with_capacity(1024),
            mode: vec![Mode::Open; kinds.len()],
            closed_now: vec![false; kinds.len()],
            velocity: vec![0.0; kinds.len()],
            impulse: vec![0.0; state.P.len()],
            peak: vec![0.0; kinds.len()],
            peaks,
            mean: Mean::new(state),
            accelerations: Accelerations::new(system, &at, v_dot),
            steps_by_impulses,
            by_impulses: false,
            g_N: vec![0.0; kinds.len()],
            g_N_before: vec![0.0; kinds.len()],
            phi: vec![0.0; sizes.constraints],
            phi_t,
            kinds,
            joined: joined(system),
            row_quantity,
            sums: Sums {
                power: if has_power { system.power(&at) } else { Power::default() },
                left: energy.total(),
                ..Default::default()
            },
            marked: Mark::default(),
            has_power,
            may_overdamp: has_power && system.momenta().is_some(),
            energy_start: energy,
            energy,
            stillness,
            most_kinetic: energy.kinetic,
            potential_range: (energy.potential + energy.strain, energy.potential + energy.strain),
            swing: Swing::default(),
            q_start: state.q.clone(),
            weight: weights(system),
            moved: 0.0,
            drift_length: Peak::default(),
            drift_angle: Peak::default(),
            digest: 0xcbf2_9ce4_8422_2325,
            stopped: false,
            own: vec![0.0; system.event_info().len()],
            own_now: vec![0.0; system.event_info().len()],
            G: vec![0.0; if sizes.constraints > 0 { system.pattern().jacobian.len() } else { 0 }],
            W: Directions::with_room(1, 64),
            at,
        };
        system.event_values(&new.at, &mut new.own);
        new.sample(system, state, 0.0);
        new
    }

    /// Largest contact residual so far.
    pub fn worst_residual(&self) -> f64 {
        self.sums.residual.value
    }

    /// Impacts so far.
    pub fn impacts(&self) -> usize {
        self.sums.impacts
    }

    /// Whether anything hit, stuck, slipped or let go, or a load switched.
    pub fn saw_events(&self) -> bool {
        self.happenings.iter().any(|h| !matches!(h.kind, EventKind::Retry | EventKind::Event))
    }

    /// What is plainly wrong in the last sample: numbers that are not finite, or a joint as open as the mechanism is large.
    pub fn plainly_wrong(&self, system: &dyn System, state: &State) -> Option<StepError> {
        let t = state.t;
        if let Some(velocity) =
            state.v.iter().zip(&state.q).position(|(v, q)| !(v.is_finite() && q.is_finite()))
        {
            return Some(StepError::NotFinite { t, velocity });
        }
        if !self.energy.total().is_finite() {
            let speed = |i: &usize| state.v[*i].abs();
            let fastest = (0..state.v.len()).max_by(|a, b| speed(a).total_cmp(&speed(b)));
            return Some(StepError::NotFinite { t, velocity: fastest.unwrap_or(0) });
        }
        let lengths = self.phi.iter().zip(&self.row_quantity).enumerate();
        let (row, drift) = lengths
            .filter(|(_, (_, quantity))| **quantity == Quantity::Length)
            .map(|(row, (phi, _))| (row, phi.abs()))
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        if drift < system.length_scale() {
            return None;
        }
        let name = |j: &crate::ConstraintInfo| j.rows.contains(&row).then(|| j.name.clone());
        let joint = system.constraint_info().iter().find_map(name).unwrap_or_default();
        Some(StepError::Open { t, joint, drift })
    }

    /// The share of impacts that came at the same time as one of another contact.
    pub fn impacts_together(&self) -> f64 {
        let impacts: Vec<_> = self.happenings.iter().filter(|h| h.kind == EventKind::Impact).collect();
        let beside = |i: usize, j: usize| {
            impacts.get(j).is_some_and(|h| h.t == impacts[i].t && h.contact != impacts[i].contact)
        };
        let together =
            (0..impacts.len()).filter(|&i| beside(i, i + 1) || (i > 0 && beside(i, i - 1))).count();
        together as f64 / impacts.len().max(1) as f64
    }

    /// How much deeper the worst contact is after a step than before it (m): an impact that was jumped over.
    pub fn deepening(&mut self, system: &dyn System, before: &State, after: &State) -> f64 {
        if self.kinds.is_empty() {
            return 0.0;
        }
        self.at.move_to(system, before.t, &before.q);
        system.gaps(&self.at, &mut self.g_N_before);
        self.at.move_to(system, after.t, &after.q);
        system.gaps(&self.at, &mut self.g_N);
        let depth = |g: f64| if g.is_finite() { (-g).max(0.0) } else { 0.0 };
        let pairs = self.g_N.iter().zip(&self.g_N_before);
        pairs.fold(0.0, |most: f64, (g, g_before)| most.max(depth(*g) - depth(*g_before)))
    }

    /// Remembers where it is, so that steps made from here on can be taken back.
    pub fn mark(&mut self) {
        self.marked.sums = self.sums;
        self.marked.mode.clone_from(&self.mode);
        self.marked.impulse.clone_from(&self.impulse);
        self.marked.peak.clone_from(&self.peak);
        self.marked.mean.clone_from(&self.mean);
        self.marked.phi_t.clone_from(&self.phi_t);
        self.marked.happenings = self.happenings.len();
        self.marked.own.clone_from(&self.own);
        self.marked.stopped = self.stopped;
    }

    /// Goes back to the mark.
    pub fn take_back(&mut self) {
        self.sums = self.marked.sums;
        self.mode.clone_from(&self.marked.mode);
        self.impulse.clone_from(&self.marked.impulse);
        self.peak.clone_from(&self.marked.peak);
        self.mean.clone_from(&self.marked.mean);
        self.phi_t.clone_from(&self.marked.phi_t);
        self.happenings.truncate(self.marked.happenings);
        self.own.clone_from(&self.marked.own);
        self.stopped = self.marked.stopped;
    }

    /// Takes note of a step.
    pub fn step(
        &mut self,
        system: &dyn System,
        stage: &ContactStage,
        state: &State,
        dt: f64,
        report: &StepReport,
    ) {
        self.count(state.t, report);
        self.by_impulses = self.steps_by_impulses;
        if self.by_impulses {
            self.mean.step(stage, &state.P_b, dt);
        }
        if !self.kinds.is_empty() {
            self.contacts(stage, state.t);
            self.see_forces(state);
        }
        if !self.phi_t.is_empty() {
            for (row, &phi_t) in stage.operator.phi_t().iter().enumerate() {
                self.sums.prescribed -= state.P_b[row] * 0.5 * (self.phi_t[row] + phi_t);
                self.phi_t[row] = phi_t;
            }
        }
        let touching = !stage.records().is_empty();
        if touching || self.has_power {
            self.at.move_to(system, state.t, &state.q);
        }
        if touching {
            system.gaps(&self.at, &mut self.g_N);
            for record in stage.records() {
                if !matches!(self.kinds[record.contact], ContactKind::Dry { .. }) {
                    self.sums.penetrated(-self.g_N[record.contact], record.contact, state.t);
                }
            }
        }
        if !self.own.is_empty() {
            self.own_events(system, state);
        }
        if self.has_power {
            self.at.v.copy_from_slice(&state.v);
            let power = system.power(&self.at);
            let work = report.work.unwrap_or(Power {
                applied: 0.5 * dt * (self.sums.power.applied + power.applied),
                damping: 0.5 * dt * (self.sums.power.damping + power.damping),
            });
            self.sums.applied += work.applied;
            let mut damped = -work.damping;
            if self.may_overdamp && report.work.is_none() {
                let left = system.energy(&self.at).total() - self.sums.brought();
                let dropped = (self.sums.left - left).max(0.0);
                if damped > OVERDAMPED * dropped {
                    damped = dropped;
                }
                self.sums.left = left;
            }
            self.sums.damping += damped;
            self.sums.power = power;
        }
    }

    /// Takes note of forces that are known.
    pub fn see_forces(&mut self, state: &State) {
        if !self.peaks || self.by_impulses {
            return;
        }
        let mut row = 0;
        for (peak, kind) in self.peak.iter_mut().zip(&self.kinds) {
            *peak = peak.max(state.lambda[row]);
            row += kind.dim();
        }
    }

    /// From here on the state comes with forces.
    pub fn knows_forces(&mut self) {
        self.by_impulses = false;
    }

    fn count(&mut self, t: f64, report: &StepReport) {
        self.sums.newton_iterations = self.sums.newton_iterations.max(report.newton_iterations);
        self.sums.contact_iterations = self.sums.contact_iterations.max(report.contact_iterations);
        self.sums.fallbacks += report.fallbacks;
        self.sums.contact_problems += report.contact_problems;
        if report.contact_problems > 0 {
            self.sums.worst_residual = self.sums.worst_residual.max(report.contact_residual);
            self.sums.residual.see(report.contact_residual, 0, t);
        }
    }

    /// Adds the work of smooth forces that a scheme knows better than the ends of its steps tell.
    pub fn add_work(&mut self, work: &Work) {
        self.sums.applied += work.applied;
        self.sums.damping += work.damping;
        self.sums.friction += work.friction;
        self.sums.prescribed += work.prescribed;
    }

    /// Takes note of a step of a scheme that says itself what happened, and whose work was added before.
    pub fn own_step(
        &mut self,
        system: &dyn System,
        stage: &ContactStage,
        state: &State,
        report: &StepReport,
        own: &dyn OwnSteps,
    ) {
        self.count(state.t, report);
        let (happened, modes) = (own.happened(), own.modes());
        for h in happened {
            // of a contact that time stepping has seen closed this is known
            if h.t < state.t && h.kind == EventKind::Impact && self.mode[h.subject] != Mode::Open {
                continue;
            }
            self.sums.impacts += usize::from(h.kind == EventKind::Impact);
            let Happened { t, kind, subject: contact, before, after, impulse } = *h;
            self.happenings.push(Happening { t, kind, contact, before, after, impulse });
        }
        let lost = self.sums.lost_in_contacts();
        for record in stage.records() {
            self.impulses(stage, record);
        }
        self.sums.made_since(lost);
        self.see_forces(state);
        self.at.move_to(system, state.t, &state.q);
        self.at.v.copy_from_slice(&state.v);
        let touching = modes.iter().any(|mode| mode.is_closed());
        if touching {
            system.gaps(&self.at, &mut self.g_N);
        }
        for (contact, mode) in modes.iter().enumerate() {
            let dry = matches!(self.kinds[contact], ContactKind::Dry { .. });
            if mode.is_closed() && !dry {
                self.sums.penetrated(-self.g_N[contact], contact, state.t);
            }
            self.mode[contact] = match mode {
                ContactMode::Open => Mode::Open,
                ContactMode::Stick => Mode::Stick,
                ContactMode::Closed | ContactMode::Slide(_) => Mode::Slide,
            };
            if dry {
                self.W.clear();
                system.directions(&self.at, &[contact], &mut self.W);
                self.velocity[contact] = self.W.velocity(0, &state.v);
            }
        }
        // where the next step of another kind begins
        if !self.own.is_empty() {
            system.event_values(&self.at, &mut self.own);
        }
        if self.has_power {
            self.sums.power = system.power(&self.at);
        }
        if self.may_overdamp {
            self.sums.left = system.energy(&self.at).total() - self.sums.brought();
        }
        if !self.phi_t.is_empty() {
            system.jacobian(&self.at, &mut self.G, &mut self.phi_t);
            for (rate, P_b) in self.phi_t.iter().zip(own.joint_impulses()) {
                self.sums.prescribed -= rate * P_b;
            }
        }
    }

    /// The model's own events, seen at the end of the step in which they happened.
    fn own_events(&mut self, system: &dyn System, state: &State) {
        self.at.move_to(system, state.t, &state.q);
        self.at.v.copy_from_slice(&state.v);
        system.event_values(&self.at, &mut self.own_now);
        for (own, info) in system.event_info().iter().enumerate() {
            let (was, is) = (self.own[own], self.own_now[own]);
            let crosses = match info.crossing {
                Crossing::Rising => was < 0.0 && is >= 0.0,
                Crossing::Falling => was > 0.0 && is <= 0.0,
                Crossing::Any => (was < 0.0 && is >= 0.0) || (was > 0.0 && is <= 0.0),
            };
            if crosses {
                let kind = EventKind::Event;
                self.happenings.push(Happening {
                    t: state.t,
                    kind,
                    contact: own,
                    before: 0.0,
                    after: 0.0,
                    impulse: 0.0,
                });
                self.stopped |= info.stops;
            }
        }
        self.own.copy_from_slice(&self.own_now);
    }

    /// The run ends here because the model says so.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether an event of the model's own has ended the run.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Impulse and work of a contact over a step.
    fn impulses(&mut self, stage: &ContactStage, record: &ContactRecord) {
        let row = stage.offset(record.contact);
        let mean = |i: usize| 0.5 * (record.U_minus[i] + record.U_plus[i]);
        // what a scheme knows to be a force is not an impulse
        let impulsive = record.nature != Nature::Force;
        if impulsive {
            self.impulse[row] += record.P[0];
        }
        self.sums.prescribed -= record.P[0] * record.bias[0] + record.P[1] * record.bias[1];
        match self.kinds[record.contact] {
            ContactKind::Dry { .. } => self.sums.friction -= record.P[0] * mean(0),
            _ => self.sums.impact -= record.P[0] * mean(0),
        }
        if let ContactKind::Frictional { .. } = self.kinds[record.contact] {
            self.sums.friction -= record.P[1] * mean(1);
            if impulsive {
                self.impulse[row + 1] += record.P[1];
            }
        }
    }

    /// Work of the contact impulses, and what changed: closed, opened, stuck, slipped.
    fn contacts(&mut self, stage: &ContactStage, t: f64) {
        self.closed_now.fill(false);
        let lost = self.sums.lost_in_contacts();
        for record in stage.records() {
            self.impulses(stage, record);
            let contact = record.contact;
            let dry = matches!(self.kinds[contact], ContactKind::Dry { .. });
            let impulsive = record.nature != Nature::Force;
            if !dry && record.P[0] <= 0.0 {
                continue;
            }
            // an impact takes no time: a joint that rubs with a constant force is not held or let slip by it
            if dry && !record.rubs {
                self.closed_now[contact] = true;
                continue;
            }
            self.closed_now[contact] = true;
            let tangential = usize::from(!dry);
            self.velocity[contact] = record.U_plus[tangential];
            let now = if record.slides { Mode::Slide } else { Mode::Stick };
            let before = self.mode[contact];
            let note = |kind, i: usize| Happening {
                t,
                kind,
                contact,
                before: record.U_minus[i],
                after: record.U_plus[i],
                impulse: record.P[i],
            };
            if before == Mode::Open && !dry && impulsive {
                self.sums.impacts += 1;
                self.happenings.push(note(EventKind::Impact, 0));
            } else if before != now && before != Mode::Open && record.rubs {
                let kind = if now == Mode::Stick { EventKind::Stick } else { EventKind::Slip };
                self.happenings.push(note(kind, tangential));
            }
            self.mode[contact] = now;
        }
        self.sums.made_since(lost);
        for contact in 0..self.mode.len() {
            if self.mode[contact] != Mode::Open && !self.closed_now[contact] {
                self.mode[contact] = Mode::Open;
                self.happenings.push(Happening {
                    t,
                    kind: EventKind::Release,
                    contact,
                    before: 0.0,
                    after: 0.0,
                    impulse: 0.0,
                });
            }
        }
    }

    /// Takes note of a step that had to be repeated.
    pub fn retry(&mut self, t: f64) {
        let kind = EventKind::Retry;
        self.happenings.push(Happening {
            t,
            kind,
            contact: usize::MAX,
            before: 0.0,
            after: 0.0,
            impulse: 0.0,
        });
    }

    /// Records one line.
    pub fn sample(&mut self, system: &dyn System, state: &State, dt: f64) {
        let t = state.t;
        self.at.move_to(system, t, &state.q);
        self.at.v.copy_from_slice(&state.v);
        for bits in std::iter::once(&t).chain(&state.q).chain(&state.v).map(|x| x.to_bits()) {
            self.digest = (self.digest ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        let ways = state.q.iter().zip(&self.q_start).zip(&self.weight);
        self.moved = ways.map(|((q, start), w)| (q - start).abs() * w).fold(self.moved, f64::max);
        self.line.clear();
        self.line.push(t);
        self.line.resize(1 + self.system_channels, 0.0);
        system.observe(&self.at, &mut self.line[1..]);
        if let Some(accelerations) = &mut self.accelerations {
            let (first, observed) = (self.columns[0].is_empty(), &self.line[1..]);
            let values = if first {
                accelerations.first(observed)
            } else if self.by_impulses {
                accelerations.by_impulses(t, observed)
            } else {
                let State { lambda, lambda_b, .. } = state;
                accelerations.by_forces(system, &self.at, observed, &self.kinds, lambda, lambda_b)
            };
            self.line.extend(values);
        }

        // contacts
        if !self.kinds.is_empty() {
            system.gaps(&self.at, &mut self.g_N);
        }
        if self.by_impulses {
            self.mean.take();
        } else {
            self.mean.set(state);
        }
        let (force, force_b) = (self.mean.force(), self.mean.force_b());
        let mut row = 0;
        for contact in 0..self.kinds.len() {
            let dim = self.kinds[contact].dim();
            if let ContactKind::Dry { .. } = self.kinds[contact] {
                self.line.push(self.velocity[contact]);
                self.line.push(force[row]);
            } else {
                let g = self.g_N[contact];
                self.sums.penetrated(-g, contact, t);
                self.line.push(g);
                for i in row..row + dim {
                    self.line.push(force[i]);
                    self.line.push(self.impulse[i]);
                }
                if self.peaks {
                    // a sample with no force before it: NaN stays NaN
                    self.line.push(if self.peak[contact] > force[row] {
                        self.peak[contact]
                    } else {
                        force[row]
                    });
                    self.peak[contact] = force[row].max(0.0);
                }
            }
            if self.joined[contact] {
                let at = self.line.len() - (1 + 2 * dim + usize::from(self.peaks));
                let (before, own) = self.line.split_at_mut(at);
                let first = before.len() - own.len();
                before[first] = before[first].min(own[0]);
                for i in 1..=2 * dim {
                    before[first + i] += own[i];
                }
                if self.peaks {
                    let peak = 1 + 2 * dim;
                    before[first + peak] = before[first + peak].max(own[peak]);
                }
                self.line.truncate(at);
            }
            self.impulse[row..row + dim].fill(0.0);
            row += dim;
        }
        // joints
        self.line.extend(force_b);
        let (mut most_length, mut most_angle) = (0.0_f64, 0.0_f64);
        if !self.phi.is_empty() {
            system.constraints(&self.at, &mut self.phi);
            for (row, &phi) in self.phi.iter().enumerate() {
                match self.row_quantity[row] {
                    Quantity::Length => {
                        most_length = most_length.max(phi.abs());
                        self.drift_length.see(phi.abs(), row, t);
                    }
                    Quantity::Angle => {
                        most_angle = most_angle.max(phi.abs());
                        self.drift_angle.see(phi.abs(), row, t);
                    }
                }
            }
        }
        // energies
        self.energy = system.energy(&self.at);
        let stored = self.energy.potential + self.energy.strain;
        self.most_kinetic = self.most_kinetic.max(self.energy.kinetic);
        self.potential_range = (self.potential_range.0.min(stored), self.potential_range.1.max(stored));
        let e = self.energy;
        self.line.extend([e.kinetic, e.potential, e.strain, e.total()]);
        let numerical = self.numerical_loss();
        self.swing.see(self.sums.made - numerical, -numerical);
        self.line.extend([
            self.sums.applied,
            self.sums.prescribed,
            self.sums.damping,
            self.sums.friction,
            self.sums.impact,
            numerical,
        ]);
        self.line.extend([most_length, most_angle, self.sums.deepest, dt]);
        self.line.extend([
            self.sums.newton_iterations as f64,
            self.sums.contact_iterations as f64,
            self.sums.worst_residual,
        ]);
        debug_assert_eq!(self.line.len(), self.columns.len(), "a line has a number for every channel");
        for (column, value) in self.columns.iter_mut().zip(&self.line) {
            column.push(*value);
        }
        (self.sums.newton_iterations, self.sums.contact_iterations) = (0, 0);
        (self.sums.worst_residual, self.sums.deepest) = (0.0, 0.0);
    }

    /// What is left of the balance.
    fn numerical_loss(&self) -> f64 {
        let change = self.energy.total() - self.energy_start.total();
        self.sums.applied + self.sums.prescribed
            - self.sums.damping
            - self.sums.friction
            - self.sums.impact
            - change
    }

    /// The columns and events so far.
    pub fn recording(&self, system: &dyn System) -> Recording {
        let events = self
            .happenings
            .iter()
            .map(|h| Event {
                t: h.t,
                kind: h.kind,
                subject: match h.kind {
                    EventKind::Event => system.event_info()[h.contact].name.clone(),
                    _ => system.contact_info().get(h.contact).map_or(String::new(), |c| c.name.clone()),
                },
                before: h.before,
                after: h.after,
                impulse: h.impulse,
            })
            .collect();
        Recording { channels: self.channels.clone(), columns: self.columns.clone(), events }
    }

    /// Digest of the samples, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// The balance sheet.
    pub fn audit(&self, system: &dyn System, failures: usize, redundant: Vec<String>) -> Audit {
        let moved = self.most_kinetic.max(self.potential_range.1 - self.potential_range.0);
        let joint = |row: usize| {
            let name = |j: &crate::ConstraintInfo| j.rows.contains(&row).then(|| j.name.clone());
            system.constraint_info().iter().find_map(name).unwrap_or_default()
        };
        let contact = |i: usize| system.contact_info().get(i).map_or(String::new(), |c| c.name.clone());
        Audit {
            energy_start: self.energy_start.total(),
            energy_end: self.energy.total(),
            energy_scale: moved.max(self.stillness),
            most_kinetic: self.most_kinetic,
            at_rest: moved <= self.stillness && self.moved <= STILL,
            applied_work: self.sums.applied,
            prescribed_work: self.sums.prescribed,
            damping_loss: self.sums.damping,
            friction_loss: self.sums.friction,
            impact_loss: self.sums.impact,
            numerical_loss: self.numerical_loss(),
            energy_made: self.swing.rise,
            energy_lost: self.swing.fall,
            made_in_contacts: self.sums.made,
            drift_length: self.drift_length.named(joint),
            drift_angle: self.drift_angle.named(joint),
            penetration: self.sums.penetration.named(contact),
            contact_residual: self.sums.residual.named(|_| String::new()),
            contact_problems: self.sums.contact_problems,
            fallbacks: self.sums.fallbacks,
            failures,
            unmet: 0,
            unmet_error: 0.0,
            unmet_t: 0.0,
            redundant,
            verdict: String::new(),
        }
    }
}
