//! Which columns a run has, and the line of numbers at a sample.
//!
//! Forces that a scheme knows are recorded as they are at a sample, with the largest normal force since the sample before.
//! Of impulses over steps their mean over the sample interval is recorded, see [`Mean`].

use crate::accelerations::Accelerations;
use crate::mean::Mean;
use crate::scheme::Reactions;
use crate::{
    Channel, ContactKind, ContactRecord, ContactStage, ContactTable, Nature, Quantity, State, System,
};

/// Which contacts have the name of the one before them: places of one pair that come and go. They are recorded together, by the
/// least gap, the sums of forces and impulses, and the largest peak.
pub(super) fn joined(system: &dyn System) -> Vec<bool> {
    let all = system.contact_info();
    (0..all.len()).map(|i| i > 0 && all[i].name == all[i - 1].name).collect()
}

/// Names and units of what the recorder adds to the system's own channels.
pub(super) fn channels(system: &dyn System, peaks: bool) -> Vec<Channel> {
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
            ContactKind::Unilateral { .. } | ContactKind::Frictional { .. } | ContactKind::Spatial { .. } => {
                list.push(channel(format!("{name}.gap"), "m"));
                list.push(channel(format!("{name}.force_n"), "N"));
                list.push(channel(format!("{name}.impulse_n"), "N s"));
            }
        }
        if let ContactKind::Frictional { .. } | ContactKind::Spatial { .. } = contact.kind {
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
            joined: joined(system),
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
