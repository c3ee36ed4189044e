//! Watches a run: samples the channels, sees events, keeps the audit.
//!
//! What joints and contacts push with is in `channels`, where the energy went in `ledger`, what contacts do and what happened
//! in `modes`.

mod channels;
mod ledger;
mod modes;

use crate::accelerations::Accelerations;
use crate::chart::weights_of_q;
use crate::scheme::Reactions;
use crate::stepping::{OwnSteps, Work};
use crate::{
    Audit, Channel, Configuration, ContactStage, ContactTable, Quantity, Recording, State, StepError,
    StepReport, System,
};
pub use channels::recorded_channels;

use channels::Pushes;
use ledger::{Ledger, Peak};
use modes::Modes;

/// Places that moved by less than this of the size stayed where they were.
const STILL: f64 = 1e-4;

/// 1 over the error of a coordinate that counts as one: the mechanism's size, or 1 rad.
pub fn weights(system: &dyn System) -> Vec<f64> {
    let length = system.structure().length_scale;
    let weight = |i: usize| match system.structure().velocities[i].quantity {
        Quantity::Length => 1.0 / length,
        Quantity::Angle => 1.0,
    };
    (0..system.structure().sizes.v).map(weight).collect()
}

/// Works in the shadow of a simulation. Owns the columns until the run is over.
#[derive(Debug)]
pub struct Recorder {
    channels: Vec<Channel>,
    columns: Vec<Vec<f64>>,
    /// How many of the channels the system itself writes.
    system_channels: usize,
    at: Configuration,
    pushes: Pushes,
    modes: Modes,
    ledger: Ledger,
    /// If they are asked for.
    accelerations: Option<Accelerations>,
    row_quantity: Vec<Quantity>,
    g_N: Vec<f64>,
    g_N_before: Vec<f64>,
    phi: Vec<f64>,
    phi_t: Vec<f64>,
    phi_t_marked: Vec<f64>,
    line: Vec<f64>,
    /// Energy that the forces give in one step; what stays below it is at rest.
    stillness: f64,
    /// Coordinates at the start, what makes an error of them count, and how far they have gone in this measure.
    q_start: Vec<f64>,
    weight: Vec<f64>,
    moved: f64,
    drift_length: Peak,
    drift_angle: Peak,
    digest: u64,
    G: Vec<f64>,
}

impl Recorder {
    /// Takes the first sample, with the forces that `state` comes with and the accelerations `v_dot`. `steps_by_impulses`: what
    /// [`Recorder::step`] is told of are impulses over steps.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        system: &dyn System,
        contacts: &ContactTable,
        state: &State,
        samples: usize,
        stillness: f64,
        reactions: Reactions,
        steps_by_impulses: bool,
        v_dot: Vec<f64>,
    ) -> Self {
        let channels = recorded_channels(system.structure(), reactions != Reactions::Impulses);
        let sizes = system.structure().sizes;
        let row_quantity =
            system.structure().constraints.iter().flat_map(|j| j.quantities.iter().map(|q| q.0)).collect();
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        let entries = if sizes.constraints > 0 { system.structure().pattern.jacobian.len() } else { 0 };
        let mut new = Self {
            columns: channels.iter().map(|_| Vec::with_capacity(samples)).collect(),
            // one joined contact more than there are channels
            line: Vec::with_capacity(channels.len() + 6),
            system_channels: system.structure().channels.len(),
            channels,
            pushes: Pushes::new(system, state, reactions, steps_by_impulses),
            modes: Modes::new(system, contacts, &at),
            ledger: Ledger::new(system, &at),
            accelerations: Accelerations::new(system, &at, v_dot),
            g_N: vec![0.0; contacts.len()],
            g_N_before: vec![0.0; contacts.len()],
            phi: vec![0.0; sizes.constraints],
            phi_t: vec![0.0; sizes.constraints],
            phi_t_marked: vec![0.0; sizes.constraints],
            row_quantity,
            stillness,
            q_start: state.q.clone(),
            weight: weights_of_q(&system.structure().rotations, &weights(system)),
            moved: 0.0,
            drift_length: Peak::default(),
            drift_angle: Peak::default(),
            digest: 0xcbf2_9ce4_8422_2325,
            G: vec![0.0; entries],
            at,
        };
        if sizes.constraints > 0 {
            system.jacobian(&new.at, &mut new.G, &mut new.phi_t);
        }
        new.sample(system, contacts, state, 0.0);
        new
    }

    /// Largest contact residual so far.
    pub fn worst_residual(&self) -> f64 {
        self.ledger.sums.residual.value
    }

    /// Impacts so far.
    pub fn impacts(&self) -> usize {
        self.modes.impacts()
    }

    /// Whether anything hit, stuck, slipped or let go, or a load switched.
    pub fn saw_events(&self) -> bool {
        self.modes.saw_events()
    }

    /// The share of impacts that came at the same time as one of another contact.
    pub fn impacts_together(&self) -> f64 {
        self.modes.impacts_together()
    }

    /// What is plainly wrong in the last sample: numbers that are not finite, or a joint as open as the mechanism is large.
    pub fn plainly_wrong(&self, system: &dyn System, state: &State) -> Option<StepError> {
        let t = state.t;
        if let Some(velocity) =
            state.v.iter().zip(&state.q).position(|(v, q)| !(v.is_finite() && q.is_finite()))
        {
            return Some(StepError::NotFinite { t, velocity });
        }
        if !self.ledger.now.total().is_finite() {
            let speed = |i: &usize| state.v[*i].abs();
            let fastest = (0..state.v.len()).max_by(|a, b| speed(a).total_cmp(&speed(b)));
            return Some(StepError::NotFinite { t, velocity: fastest.unwrap_or(0) });
        }
        let lengths = self.phi.iter().zip(&self.row_quantity).enumerate();
        let (row, drift) = lengths
            .filter(|(_, (_, quantity))| **quantity == Quantity::Length)
            .map(|(row, (phi, _))| (row, phi.abs()))
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        if drift < system.structure().length_scale {
            return None;
        }
        let name = |j: &crate::ConstraintInfo| j.rows.contains(&row).then(|| j.name.clone());
        let joint = system.structure().constraints.iter().find_map(name).unwrap_or_default();
        Some(StepError::Open { t, joint, drift })
    }

    /// How much deeper the worst contact is after a step than before it (m): an impact that was jumped over.
    pub fn deepening(&mut self, system: &dyn System, before: &State, after: &State) -> f64 {
        if self.g_N.is_empty() {
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

    /// The contacts are those of this step.
    fn resize(&mut self, contacts: &ContactTable) {
        self.g_N.resize(contacts.len(), f64::NAN);
    }

    /// Remembers where it is, so that steps made from here on can be taken back.
    pub fn mark(&mut self) {
        self.ledger.mark();
        self.modes.mark();
        self.pushes.mark();
        self.phi_t_marked.clone_from(&self.phi_t);
    }

    /// Goes back to the mark.
    pub fn take_back(&mut self) {
        self.ledger.take_back();
        self.modes.take_back();
        self.pushes.take_back();
        self.phi_t.clone_from(&self.phi_t_marked);
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
        let contacts = stage.contacts();
        self.resize(contacts);
        self.ledger.count(state.t, report);
        self.pushes.step(stage, &state.P_b, dt);
        if contacts.laws() > 0 {
            self.modes.begin(state.t, contacts);
            let lost = self.ledger.sums.lost_in_contacts();
            for record in stage.records() {
                self.ledger.contact(contacts.kind(record.contact), record);
                self.pushes.contact(contacts, record);
                self.modes.contact(state.t, contacts, record);
            }
            self.ledger.sums.made_since(lost);
            self.modes.end(state.t, contacts);
            self.pushes.see_forces(contacts, &state.lambda);
        }
        for (row, &phi_t) in stage.operator.phi_t().iter().enumerate() {
            self.ledger.prescribed(state.P_b[row], self.phi_t[row], phi_t);
            self.phi_t[row] = phi_t;
        }
        let touching = !stage.records().is_empty();
        if touching || self.ledger.has_power() || self.modes.has_own() {
            self.at.move_to_state(system, state);
        }
        if touching {
            contacts.gaps(system, &self.at, &mut self.g_N);
            for record in stage.records() {
                if contacts.has_gap(record.contact) {
                    let law = contacts.law(record.contact);
                    self.ledger.sums.penetrated(-self.g_N[record.contact], law, state.t);
                }
            }
        }
        if self.modes.has_own() {
            self.modes.own_events(system, &self.at);
        }
        if self.ledger.has_power() {
            self.ledger.forces(system, &self.at, dt, report);
        }
    }

    /// Takes note of forces that are known.
    pub fn see_forces(&mut self, contacts: &ContactTable, state: &State) {
        self.pushes.see_forces(contacts, &state.lambda);
    }

    /// From here on the state comes with forces.
    pub fn knows_forces(&mut self) {
        self.pushes.knows_forces();
    }

    /// Adds the work of smooth forces that a scheme knows better than the ends of its steps tell.
    pub fn add_work(&mut self, work: &Work) {
        self.ledger.add(work);
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
        let contacts = stage.contacts();
        self.ledger.count(state.t, report);
        self.modes.told(state.t, contacts, own.happened());
        let lost = self.ledger.sums.lost_in_contacts();
        for record in stage.records() {
            self.ledger.contact(contacts.kind(record.contact), record);
            self.pushes.contact(contacts, record);
        }
        self.ledger.sums.made_since(lost);
        self.see_forces(contacts, state);
        self.at.move_to_state(system, state);
        if own.modes().iter().any(|mode| mode.is_closed()) {
            contacts.gaps(system, &self.at, &mut self.g_N);
        }
        for (contact, mode) in own.modes().iter().enumerate() {
            if mode.is_closed() && contacts.has_gap(contact) {
                let law = contacts.law(contact);
                self.ledger.sums.penetrated(-self.g_N[contact], law, state.t);
            }
        }
        self.modes.follow(system, &self.at, contacts, own);
        self.ledger.begin_anew(system, &self.at);
        if !self.phi_t.is_empty() {
            system.jacobian(&self.at, &mut self.G, &mut self.phi_t);
            for (rate, P_b) in self.phi_t.iter().zip(own.joint_impulses()) {
                self.ledger.sums.prescribed -= rate * P_b;
            }
        }
    }

    /// The run ends here because the model says so.
    pub fn stop(&mut self) {
        self.modes.stop();
    }

    /// Whether an event of the model's own has ended the run.
    pub fn is_stopped(&self) -> bool {
        self.modes.is_stopped()
    }

    /// Takes note of a step that had to be repeated.
    pub fn retry(&mut self, t: f64) {
        self.modes.retry(t);
    }

    /// Records one line.
    pub fn sample(&mut self, system: &dyn System, contacts: &ContactTable, state: &State, dt: f64) {
        let t = state.t;
        self.resize(contacts);
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
            } else if self.pushes.by_impulses() {
                accelerations.by_impulses(t, observed)
            } else {
                let State { lambda, lambda_b, .. } = state;
                accelerations.by_forces(system, &self.at, observed, contacts, lambda, lambda_b)
            };
            self.line.extend(values);
        }

        // contacts
        if !contacts.is_empty() {
            contacts.gaps(system, &self.at, &mut self.g_N);
            for contact in 0..contacts.len() {
                if contacts.has_gap(contact) {
                    let law = contacts.law(contact);
                    self.ledger.sums.penetrated(-self.g_N[contact], law, t);
                }
            }
        }
        self.pushes.take(contacts, state);
        self.pushes.sample(contacts, &self.g_N, &self.modes, &mut self.line);
        // joints
        self.line.extend(self.pushes.of_joints());
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
        self.ledger.sample(system.energy(&self.at), &mut self.line);
        let sums = &self.ledger.sums;
        self.line.extend([most_length, most_angle, sums.deepest, dt]);
        self.line.extend([
            sums.newton_iterations as f64,
            sums.contact_iterations as f64,
            sums.worst_residual,
        ]);
        debug_assert_eq!(self.line.len(), self.columns.len(), "a line has a number for every channel");
        for (column, value) in self.columns.iter_mut().zip(&self.line) {
            column.push(*value);
        }
        self.ledger.forget_peaks();
    }

    /// The columns and events so far.
    pub fn recording(&self, system: &dyn System) -> Recording {
        let events = self.modes.events(system);
        Recording { channels: self.channels.clone(), columns: self.columns.clone(), events }
    }

    /// Digest of the samples, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// The balance sheet.
    pub fn audit(&self, system: &dyn System, failures: usize, redundant: Vec<String>) -> Audit {
        let moved = self.ledger.moved();
        let sums = &self.ledger.sums;
        let (energy_made, energy_lost) = self.ledger.made_and_lost();
        let joint = |row: usize| {
            let name = |j: &crate::ConstraintInfo| j.rows.contains(&row).then(|| j.name.clone());
            system.structure().constraints.iter().find_map(name).unwrap_or_default()
        };
        let contact =
            |law: usize| system.structure().contacts.get(law).map_or(String::new(), |c| c.name.clone());
        Audit {
            energy_start: self.ledger.start.total(),
            energy_end: self.ledger.now.total(),
            energy_scale: moved.max(self.stillness),
            most_kinetic: self.ledger.most_kinetic,
            at_rest: moved <= self.stillness && self.moved <= STILL,
            applied_work: sums.applied,
            prescribed_work: sums.prescribed,
            damping_loss: sums.damping,
            friction_loss: sums.friction,
            impact_loss: sums.impact,
            numerical_loss: self.ledger.numerical_loss(),
            energy_made,
            energy_lost,
            made_in_contacts: sums.made,
            drift_length: self.drift_length.named(joint),
            drift_angle: self.drift_angle.named(joint),
            penetration: sums.penetration.named(contact),
            contact_residual: sums.residual.named(|_| String::new()),
            contact_problems: sums.contact_problems,
            fallbacks: sums.fallbacks,
            failures,
            unmet: 0,
            unmet_error: 0.0,
            unmet_t: 0.0,
            redundant,
            verdict: String::new(),
        }
    }
}
