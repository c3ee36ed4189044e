//! Which columns a run has, and the line of numbers at a sample.
//!
//! Forces that a scheme knows are recorded as they are at a sample, with the largest normal force since the sample before.
//! Of impulses over steps their mean over the sample interval is recorded, see [`Mean`].

use super::modes::Modes;
use crate::mean::Mean;
use crate::scheme::Reactions;
use crate::{
    Channel, ContactInfo, ContactKind, ContactRecord, ContactStage, ContactTable, ImpulseKind, Quantity,
    Resistance, State, Structure, System,
};

/// Which contacts have the name of the one before them: places of one pair that come and go. They are recorded together, by the
/// least gap, the sums of forces and impulses, and the largest peak.
pub(super) fn joined(all: &[ContactInfo]) -> Vec<bool> {
    (0..all.len()).map(|i| i > 0 && all[i].name == all[i - 1].name).collect()
}

/// All channels of a run: the time, the system's own, and what the recorder adds. `peaks`: with the largest contact forces between
/// samples, where a scheme knows them.
pub fn recorded_channels(structure: &Structure, peaks: bool) -> Vec<Channel> {
    let mut list = vec![Channel::time()];
    list.extend(structure.channels.iter().cloned());
    list.extend(structure.accelerations.iter().map(|(channel, _)| channel.clone()));
    let joined = joined(&structure.contacts);
    for (contact, _) in structure.contacts.iter().zip(joined).filter(|(_, joined)| !joined) {
        contact_channels(contact, peaks, &mut list);
    }
    for joint in &structure.constraints {
        list.extend(joint.reactions());
    }
    let energies = ["kinetic", "potential", "strain", "total"];
    list.extend(energies.map(|word| Channel::new("energy", word, "J")));
    let works = ["applied", "prescribed", "damping", "friction", "impact", "numerical"];
    list.extend(works.map(|word| Channel::new("work", word, "J")));
    let audits = [("drift_length", "m"), ("drift_angle", "rad"), ("penetration", "m")];
    list.extend(audits.map(|(word, unit)| Channel::new("audit", word, unit)));
    let solver = [("step", "s"), ("newton_iterations", "1"), ("contact_iterations", "1"), ("residual", "1")];
    list.extend(solver.map(|(word, unit)| Channel::new("solver", word, unit)));
    list
}

/// What is recorded of one contact, or of a joint that rubs.
fn contact_channels(contact: &ContactInfo, peaks: bool, list: &mut Vec<Channel>) {
    let mut add = |quantity: &str, unit: &str| list.push(Channel::new(&contact.name, quantity, unit));
    match contact.kind {
        ContactKind::Dry { quantity: Quantity::Length, .. } => {
            add("velocity", "m/s");
            add("force", "N");
        }
        ContactKind::Dry { quantity: Quantity::Angle, .. } => {
            add("velocity", "rad/s");
            add("torque", "N m");
        }
        ContactKind::Unilateral { .. } if contact.stops_an_angle() => {
            add("gap", "rad");
            add("torque", "N m");
            add("impulse", "N m s");
            if peaks {
                add("peak", "N m");
            }
        }
        ContactKind::Unilateral { .. } | ContactKind::Frictional { .. } | ContactKind::Spatial { .. } => {
            add("gap", "m");
            add("force_n", "N");
            add("impulse_n", "N s");
            if contact.most != Some(1) {
                add("count", "1");
            } else if contact.kind.dim() > 1 {
                add("force_t", "N");
                add("impulse_t", "N s");
                if contact.kind.resistance() != Resistance::None {
                    add("torque", "N m");
                }
            }
            if peaks {
                add("peak", "N");
            }
        }
    }
}

/// What joints and contacts push with, between two samples: of a law, since its contacts may come and go meanwhile. The rows
/// of a law are those of one contact; numbers of several add up.
#[derive(Debug)]
pub(super) struct Pushes {
    /// Laws that are recorded with the one before.
    joined: Vec<bool>,
    /// Laws whose contacts come and go.
    many: Vec<bool>,
    /// Length of the arm at which a law acts, see [`ContactInfo::arm`].
    arm: Vec<f64>,
    /// First row of each law.
    first: Vec<usize>,
    /// Impulses since the last sample, per row.
    impulse: Vec<f64>,
    /// Largest normal force since the last sample, per law, where forces are known.
    peak: Vec<f64>,
    /// Whether there is a channel of it.
    peaks: bool,
    /// Impulses since the last sample, where they are all that is known.
    mean: Mean,
    /// Whether steps know impulses only, and whether the last step was one.
    steps_by_impulses: bool,
    by_impulses: bool,
    /// Forces by law.
    force: Vec<f64>,
    marked: Marked,
}

/// What a step changes.
#[derive(Clone, Debug, Default)]
struct Marked {
    impulse: Vec<f64>,
    peak: Vec<f64>,
    mean: Mean,
}

impl Pushes {
    /// Nothing has pushed yet.
    pub fn new(system: &dyn System, state: &State, reactions: Reactions, steps_by_impulses: bool) -> Self {
        let laws = &system.structure().contacts;
        let (mut rows, mut first) = (0, Vec::with_capacity(laws.len()));
        for law in laws {
            first.push(rows);
            rows += law.kind.dim();
        }
        Self {
            joined: joined(laws),
            many: laws.iter().map(|law| law.most != Some(1)).collect(),
            arm: laws.iter().map(ContactInfo::arm).collect(),
            first,
            impulse: vec![0.0; rows],
            peak: vec![0.0; laws.len()],
            peaks: reactions != Reactions::Impulses,
            mean: Mean::new(rows, state.P_b.len()),
            steps_by_impulses,
            by_impulses: false,
            force: vec![0.0; rows],
            marked: Marked::default(),
        }
    }

    /// Remembers where it is.
    pub fn mark(&mut self) {
        self.marked.impulse.clone_from(&self.impulse);
        self.marked.peak.clone_from(&self.peak);
        self.marked.mean.clone_from(&self.mean);
    }

    /// Goes back to the mark.
    pub fn take_back(&mut self) {
        self.impulse.clone_from(&self.marked.impulse);
        self.peak.clone_from(&self.marked.peak);
        self.mean.clone_from(&self.marked.mean);
    }

    /// Whether the last step knew impulses only.
    pub fn by_impulses(&self) -> bool {
        self.by_impulses
    }

    /// From here on the state comes with forces.
    pub fn knows_forces(&mut self) {
        self.by_impulses = false;
    }

    /// A step with its impulses.
    pub fn step(&mut self, stage: &ContactStage, P_b: &[f64], dt: f64) {
        self.by_impulses = self.steps_by_impulses;
        if self.by_impulses {
            let (table, first) = (stage.contacts(), &self.first);
            let rows = stage.records().iter().map(|r| (first[table.law(r.contact)], &r.P[..r.dim]));
            self.mean.step(rows, P_b, dt);
        }
    }

    /// Takes note of forces that are known.
    #[inline]
    pub fn see_forces(&mut self, table: &ContactTable, lambda: &[f64]) {
        if self.peaks && !self.by_impulses {
            self.see_peaks(table, lambda);
        }
    }

    fn see_peaks(&mut self, table: &ContactTable, lambda: &[f64]) {
        for (law, peak) in self.peak.iter_mut().enumerate() {
            let mut forces = table.of_law(law).map(|contact| lambda[table.first_row(contact)]);
            *peak = peak.max(if self.many[law] { forces.sum() } else { forces.next().unwrap_or(0.0) });
        }
    }

    /// The impulse of a contact; what a scheme knows to be a force is none.
    pub fn contact(&mut self, table: &ContactTable, record: &ContactRecord) {
        if record.nature != ImpulseKind::Force {
            let row = self.first[table.law(record.contact)];
            for i in 0..record.dim {
                self.impulse[row + i] += record.P[i];
            }
        }
    }

    /// Makes the forces of a sample.
    pub fn take(&mut self, table: &ContactTable, state: &State) {
        if self.by_impulses {
            return self.mean.take();
        }
        if !table.changes() {
            return self.mean.set(&state.lambda, &state.lambda_b);
        }
        self.force.fill(0.0);
        for contact in 0..table.len() {
            let (from, to) = (table.first_row(contact), self.first[table.law(contact)]);
            for i in 0..table.dim(contact) {
                self.force[to + i] += state.lambda[from + i];
            }
        }
        self.mean.set(&self.force, &state.lambda_b);
    }

    /// Forces of the joints, by row.
    pub fn of_joints(&self) -> &[f64] {
        self.mean.force_b()
    }

    /// Numbers of all laws at a sample, after [`Self::take`].
    pub fn sample(&mut self, table: &ContactTable, g_N: &[f64], modes: &Modes, line: &mut Vec<f64>) {
        for law in 0..table.laws() {
            let kind = table.law_kind(law);
            let (row, dim) = (self.first[law], kind.dim());
            let from = line.len();
            let force = self.mean.force();
            if self.many[law] {
                // NaN where nothing is near
                let least = table.of_law(law).map(|c| g_N[c]).fold(f64::NAN, f64::min);
                line.extend([least, force[row], self.impulse[row], modes.pressing(table, law) as f64]);
            } else if kind.has_gap() {
                line.extend([g_N[table.of_law(law).start], force[row], self.impulse[row]]);
                match dim {
                    1 => {}
                    2 => line.extend([force[row + 1], self.impulse[row + 1]]),
                    _ => {
                        let (sliding, turning) = (row + 1..row + 3, row + 3..row + dim);
                        line.extend([&force[sliding.clone()], &self.impulse[sliding]].map(norm));
                        if !turning.is_empty() {
                            line.push(norm(&force[turning]));
                        }
                    }
                }
            } else {
                line.extend([modes.velocity()[table.of_law(law).start], force[row]]);
            }
            if self.peaks && kind.has_gap() {
                // a sample with no force before it: NaN stays NaN
                let peak = &mut self.peak[law];
                line.push(if *peak > force[row] { *peak } else { force[row] });
                *peak = force[row].max(0.0);
            }
            let arm = self.arm[law];
            if arm != 1.0 {
                line[from] /= arm;
                line[from + 1..].iter_mut().for_each(|push| *push *= arm);
            }
            if self.joined[law] {
                join(line, from, self.peaks);
            }
            self.impulse[row..row + dim].fill(0.0);
        }
    }
}

/// Adds the numbers of a law to those of the one before: the least gap, sums, the largest peak.
fn join(line: &mut Vec<f64>, from: usize, peaks: bool) {
    let last = line.len() - from - usize::from(peaks);
    let (before, own) = line.split_at_mut(from);
    let first = before.len() - own.len();
    before[first] = before[first].min(own[0]);
    for i in 1..last {
        before[first + i] += own[i];
    }
    if peaks {
        before[first + last] = before[first + last].max(own[last]);
    }
    line.truncate(from);
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
