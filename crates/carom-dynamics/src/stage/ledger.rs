//! What a step tells of its contacts.

use super::{ContactStage, ContactWork};
use crate::State;

/// A joint or contact whose tangential impulse is closer to its bound than this slides.
const AT_BOUND: f64 = 1e-9;

/// Most rows of a contact: one along the normal, two of friction, two of rolling resistance.
pub const MOST_ROWS: usize = 5;

/// What a contact record tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpulseKind {
    /// The impulse over a step, which may be a force, an impact, or both.
    Step,
    /// A force, integrated over the step.
    Force,
    /// An impact at the end of the step.
    Impact,
}

/// One active contact after a step, for the recorder. Numbers beyond its rows are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// Which one of the contacts of the step.
    pub contact: usize,
    /// What the impulse is.
    pub nature: ImpulseKind,
    /// How many rows it has.
    pub dim: usize,
    /// U at the beginning of the step, rows (N, T…) or the single row.
    pub U_minus: [f64; MOST_ROWS],
    /// U at its end.
    pub U_plus: [f64; MOST_ROWS],
    /// The part of U that does not come from v but from a surface that is moved.
    pub bias: [f64; MOST_ROWS],
    /// Impulse over the step.
    pub P: [f64; MOST_ROWS],
    /// Whether there is friction that could hold it.
    pub rubs: bool,
    /// Whether the tangential reaction is at its bound (Coulomb's, or that of a joint that rubs).
    pub slides: bool,
}

impl ContactRecord {
    /// The tangential part of U or P: its row, the length of its two rows, or the only row; without what resists turning.
    pub fn tangential(&self, x: &[f64; MOST_ROWS]) -> f64 {
        match self.dim {
            1 => x[0],
            2 => x[1],
            _ => x[1].hypot(x[2]),
        }
    }
}

/// The records of a step.
#[derive(Debug)]
pub(super) struct Ledger {
    records: Vec<ContactRecord>,
    /// U where the step began, rows of all contacts — `remember_begin`; NaN where it was not taken.
    U_begin: Vec<f64>,
}

impl Ledger {
    /// Room for so many contacts with so many rows.
    pub fn with_room(contacts: usize, rows: usize) -> Self {
        Self { records: Vec::with_capacity(2 * contacts), U_begin: vec![f64::NAN; rows] }
    }

    /// A step begins.
    pub fn begin(&mut self) {
        self.records.clear();
    }

    /// Contacts have so many rows now.
    pub fn resize(&mut self, rows: usize) {
        self.U_begin.resize(rows, f64::NAN);
    }
}

impl ContactStage {
    /// Writes the impulses into the state and the records of the active contacts; `v` is the new velocity.
    pub fn finish(&mut self, v: &[f64], state: &mut State) {
        state.P.fill(0.0);
        if self.set.is_empty() {
            return;
        }
        self.scatter(1.0, &mut state.P);
        self.record(ImpulseKind::Step, v, &state.P);
    }

    /// Records the active contacts; `v` is the new velocity, `impulses` are those of all contacts.
    pub fn record(&mut self, nature: ImpulseKind, v: &[f64], impulses: &[f64]) {
        let (pose, contacts) = (&self.pose, &self.set.contacts);
        for (k, (row, contact)) in self.set.each().enumerate() {
            let (dim, first) = (contacts.dim(contact), contacts.first_row(contact));
            let (mut U_minus, mut U_plus, mut bias, mut P) =
                ([0.0; MOST_ROWS], [0.0; MOST_ROWS], [0.0; MOST_ROWS], [0.0; MOST_ROWS]);
            for i in 0..dim {
                U_minus[i] = pose.U_minus(row + i);
                U_plus[i] = pose.W().velocity(row + i, v);
                bias[i] = pose.W().bias(row + i);
                P[i] = impulses[first + i];
            }
            let (bound, tangential) = pose.friction(k, row, dim);
            let (rubs, slides) = (bound > 0.0, tangential >= bound * (1.0 - AT_BOUND));
            let record = ContactRecord { contact, nature, dim, U_minus, U_plus, bias, P, rubs, slides };
            self.ledger.records.push(record);
        }
    }

    /// Records an impact that was not solved here.
    pub fn record_jump(
        &mut self,
        contact: usize,
        U_minus: [f64; MOST_ROWS],
        U_plus: [f64; MOST_ROWS],
        bias: [f64; MOST_ROWS],
        P: [f64; MOST_ROWS],
    ) {
        let (nature, dim) = (ImpulseKind::Impact, self.set.contacts.dim(contact));
        let (rubs, slides) = (false, false);
        let record = ContactRecord { contact, nature, dim, U_minus, U_plus, bias, P, rubs, slides };
        self.ledger.records.push(record);
    }

    /// U of the active contacts where the step begins, along the directions that impulses act along; for the records.
    pub fn remember_initial_velocities(&mut self, v: &[f64]) {
        for (row, place) in self.set.rows() {
            self.ledger.U_begin[place] = self.pose.force_velocity(row, v);
        }
    }

    /// Forgets what `remember_initial_velocities` took.
    pub fn forget_initial_velocities(&mut self) {
        self.ledger.U_begin.fill(f64::NAN);
    }

    /// The records' U⁻ are those of `remember_initial_velocities`, where there are any.
    pub fn restore_initial_velocities(&mut self) {
        for (row, place) in self.set.rows() {
            let U = self.ledger.U_begin[place];
            if U.is_finite() {
                self.pose.set_U_minus(row, U);
            }
        }
    }

    /// Drops the records of this step, but for the first `kept`.
    pub fn forget_records(&mut self, kept: usize) {
        self.ledger.records.truncate(kept);
    }

    /// The active contacts of the last step.
    pub fn records(&self) -> &[ContactRecord] {
        &self.ledger.records
    }

    /// Sums over the contact problems of the last step.
    pub fn work(&self) -> ContactWork {
        self.solver.work
    }
}
