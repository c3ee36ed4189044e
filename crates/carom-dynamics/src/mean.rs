//! Reactions of schemes that know impulses only.
//!
//! An impulse over a step says what acted in the mean and not when, and at an impact P/dt grows as the step shrinks. So what
//! is recorded is the mean over the sample interval,
//!
//! ```text
//!   contacts:  force = Σ P / Σ dt              over the steps since the last sample: Σ force · interval is the impulse
//!   joints:    force = Σ P_b / Σ dt            over the same steps; where that is one step, over the last two
//! ```
//!
//! Schemes that close the joints in the velocities have reactions that may alternate from step to step around the true
//! ones; a mean over two steps is without that, and agrees with the force in its middle to second order.

/// Impulses since the last sample, and the forces recorded last.
#[derive(Debug, Default)]
pub(crate) struct Mean {
    /// Σ P, rows of all contacts; Σ P_b.
    sum: Vec<f64>,
    sum_b: Vec<f64>,
    /// Σ dt (s), and of how many steps.
    time: f64,
    steps: usize,
    /// The last step: P_b, dt.
    last_b: Vec<f64>,
    last_dt: f64,
    /// The last step before the sample.
    before_b: Vec<f64>,
    before_dt: f64,
    /// What was recorded last.
    force: Vec<f64>,
    force_b: Vec<f64>,
}

impl Mean {
    /// Nothing happened yet.
    pub fn new(rows: usize, joints: usize) -> Self {
        let (rows, joints) = (vec![0.0; rows], vec![0.0; joints]);
        Self {
            sum: rows.clone(),
            force: rows,
            sum_b: joints.clone(),
            last_b: joints.clone(),
            before_b: joints.clone(),
            force_b: joints,
            ..Self::default()
        }
    }

    /// Adds the impulses of a step, those of contacts with the row that each begins at.
    pub fn step<'a>(&mut self, contacts: impl Iterator<Item = (usize, &'a [f64])>, P_b: &[f64], dt: f64) {
        self.time += dt;
        self.steps += 1;
        for (row, P) in contacts {
            for (sum, P) in self.sum[row..].iter_mut().zip(P) {
                *sum += P;
            }
        }
        for ((sum, last), P_b) in self.sum_b.iter_mut().zip(&mut self.last_b).zip(P_b) {
            *sum += P_b;
            *last = *P_b;
        }
        self.last_dt = dt;
    }

    /// Makes the forces of a sample. Without a step since the one before they stay as they are.
    pub fn take(&mut self) {
        if self.steps == 0 {
            return;
        }
        for (force, sum) in self.force.iter_mut().zip(&mut self.sum) {
            *force = std::mem::take(sum) / self.time;
        }
        let two = self.steps == 1 && self.before_dt > 0.0;
        let time = self.time + if two { self.before_dt } else { 0.0 };
        for (row, force) in self.force_b.iter_mut().enumerate() {
            let before = if two { self.before_b[row] } else { 0.0 };
            *force = (std::mem::take(&mut self.sum_b[row]) + before) / time;
        }
        self.before_b.copy_from_slice(&self.last_b);
        self.before_dt = self.last_dt;
        (self.time, self.steps) = (0.0, 0);
    }

    /// Takes forces that are known; impulses of steps before are of an interval that is over.
    pub fn set(&mut self, lambda: &[f64], lambda_b: &[f64]) {
        self.force.copy_from_slice(lambda);
        self.force_b.copy_from_slice(lambda_b);
        if self.steps > 0 || self.before_dt > 0.0 {
            self.sum.fill(0.0);
            self.sum_b.fill(0.0);
            (self.time, self.steps, self.before_dt) = (0.0, 0, 0.0);
        }
    }

    /// Of the contacts, by row.
    pub fn force(&self) -> &[f64] {
        &self.force
    }

    /// Of the joints, by row.
    pub fn force_b(&self) -> &[f64] {
        &self.force_b
    }
}

impl Clone for Mean {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps the memory of the arrays: a step is taken back without allocating.
    fn clone_from(&mut self, other: &Self) {
        self.sum.clone_from(&other.sum);
        self.sum_b.clone_from(&other.sum_b);
        self.last_b.clone_from(&other.last_b);
        self.before_b.clone_from(&other.before_b);
        self.force.clone_from(&other.force);
        self.force_b.clone_from(&other.force_b);
        (self.time, self.steps) = (other.time, other.steps);
        (self.last_dt, self.before_dt) = (other.last_dt, other.before_dt);
    }
}
