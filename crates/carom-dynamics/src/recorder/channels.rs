//! Which columns a run has, and the line of numbers at a sample.
//!
//! Forces that a scheme knows are recorded as they are at a sample, with the largest normal force since the sample before.
//! Of impulses over steps their mean over the sample interval is recorded, see [`Mean`].

use crate::mean::Mean;
use crate::scheme::Reactions;
use crate::{
    Channel, ContactInfo, ContactKind, ContactRecord, ContactStage, ContactTable, Nature, Quantity, State,
    Structure, System,
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
        for (quantity, word) in &joint.quantities {
            list.push(match quantity {
                Quantity::Length if *word == "force" => Channel::new(&joint.name, "force", "N"),
                Quantity::Length => Channel::new(&joint.name, &format!("force_{word}"), "N"),
                Quantity::Angle => Channel::new(&joint.name, "torque", "N m"),
            });
        }
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
        ContactKind::Unilateral { .. } | ContactKind::Frictional { .. } | ContactKind::Spatial { .. } => {
            add("gap", "m");
            add("force_n", "N");
            add("impulse_n", "N s");
            if contact.kind.dim() > 1 {
                add("force_t", "N");
                add("impulse_t", "N s");
            }
            if peaks {
                add("peak", "N");
            }
        }
    }
}

/// What joints and contacts push with, between two samples.
#[derive(Debug)]
pub(super) struct Pushes {
    /// Laws that are recorded with the one before.
    joined: Vec<bool>,
    /// Impulses since the last sample, per row.
    impulse: Vec<f64>,
    /// Largest normal force since the last sample, per contact, where forces are known.
    peak: Vec<f64>,
    /// Whether there is a channel of it.
    peaks: bool,
    /// Impulses since the last sample, where they are all that is known.
    mean: Mean,
    /// Whether steps know impulses only, and whether the last step was one.
    steps_by_impulses: bool,
    by_impulses: bool,
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
        Self {
            joined: joined(system.contact_info()),
            impulse: vec![0.0; state.P.len()],
            peak: vec![0.0; system.contact_info().len()],
            peaks: reactions != Reactions::Impulses,
            mean: Mean::new(state),
            steps_by_impulses,
            by_impulses: false,
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
            self.mean.step(stage, P_b, dt);
        }
    }

    /// Takes note of forces that are known.
    pub fn see_forces(&mut self, table: &ContactTable, lambda: &[f64]) {
        if !self.peaks || self.by_impulses {
            return;
        }
        for (contact, peak) in self.peak.iter_mut().enumerate() {
            *peak = peak.max(lambda[table.first_row(contact)]);
        }
    }

    /// The impulse of a contact; what a scheme knows to be a force is none.
    pub fn contact(&mut self, table: &ContactTable, record: &ContactRecord) {
        if record.nature != Nature::Force {
            let row = table.first_row(record.contact);
            for i in 0..table.dim(record.contact) {
                self.impulse[row + i] += record.P[i];
            }
        }
    }

    /// Makes the forces of a sample.
    pub fn take(&mut self, state: &State) {
        if self.by_impulses { self.mean.take() } else { self.mean.set(state) }
    }

    /// Forces of the joints, by row.
    pub fn of_joints(&self) -> &[f64] {
        self.mean.force_b()
    }

    /// Numbers of all contacts at a sample, after [`Self::take`]: gaps, and velocities of joints that rub.
    pub fn sample(&mut self, table: &ContactTable, g_N: &[f64], velocity: &[f64], line: &mut Vec<f64>) {
        for contact in 0..table.len() {
            let (row, dim) = (table.first_row(contact), table.dim(contact));
            let from = line.len();
            let force = self.mean.force();
            if table.has_gap(contact) {
                line.push(g_N[contact]);
                line.extend([force[row], self.impulse[row]]);
                match dim {
                    1 => {}
                    2 => line.extend([force[row + 1], self.impulse[row + 1]]),
                    _ => line
                        .extend([norm(&force[row + 1..row + dim]), norm(&self.impulse[row + 1..row + dim])]),
                }
                if self.peaks {
                    // a sample with no force before it: NaN stays NaN
                    let peak = &mut self.peak[contact];
                    line.push(if *peak > force[row] { *peak } else { force[row] });
                    *peak = force[row].max(0.0);
                }
            } else {
                line.extend([velocity[contact], force[row]]);
            }
            if self.joined[table.law(contact)] {
                let last = line.len() - from - usize::from(self.peaks);
                let (before, own) = line.split_at_mut(from);
                let first = before.len() - own.len();
                before[first] = before[first].min(own[0]);
                for i in 1..last {
                    before[first + i] += own[i];
                }
                if self.peaks {
                    before[first + last] = before[first + last].max(own[last]);
                }
                line.truncate(from);
            }
            self.impulse[row..row + dim].fill(0.0);
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
