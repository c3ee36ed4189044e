//! What a simulation carries from step to step.

use crate::{ContactId, ContactTable, System};
use serde::{Deserialize, Serialize};

/// Plain, cloneable, serialisable: a run can be stopped, saved, and taken up again with the same bits.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Impulses of the joints over the last step, per row of Φ.
    pub P_b: Vec<f64>,
    /// Impulses of the contacts over the last step, per row, all contacts one after the other.
    pub P: Vec<f64>,
    /// Forces of the joints: at the end of the step where the scheme knows them, else the mean over the step.
    pub lambda_b: Vec<f64>,
    /// Forces of the contacts, likewise.
    pub lambda: Vec<f64>,
    /// Which contacts P and λ are those of, where they come and go; empty where their list never changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ContactId>,
    /// Contacts that the scheme has seen closed here, in order; what else is closed came so from outside the step.
    pub closed: Vec<usize>,
    /// What the scheme remembers (accelerations of multi-value methods).
    pub memory: Vec<f64>,
}

impl State {
    /// At (t, q, v) with nothing remembered.
    pub fn new(system: &dyn System, t: f64, q: Vec<f64>, v: Vec<f64>) -> Self {
        let rows = ContactTable::new(system).rows();
        let joints = system.structure().sizes.constraints;
        Self {
            t,
            q,
            v,
            P_b: vec![0.0; joints],
            P: vec![0.0; rows],
            lambda_b: vec![0.0; joints],
            lambda: vec![0.0; rows],
            contacts: Vec::new(),
            closed: Vec::with_capacity(system.structure().sizes.contacts),
            memory: Vec::new(),
        }
    }

    /// The mean forces that belong to the impulses of a step dt.
    pub fn spread_impulses(&mut self, dt: f64) {
        for (lambda, P) in self.lambda_b.iter_mut().zip(&self.P_b) {
            *lambda = P / dt;
        }
        for (lambda, P) in self.lambda.iter_mut().zip(&self.P) {
            *lambda = P / dt;
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        // with its room: contacts come and go
        let mut closed = Vec::with_capacity(self.closed.capacity());
        closed.extend_from_slice(&self.closed);
        Self {
            t: self.t,
            q: self.q.clone(),
            v: self.v.clone(),
            P_b: self.P_b.clone(),
            P: self.P.clone(),
            lambda_b: self.lambda_b.clone(),
            lambda: self.lambda.clone(),
            contacts: self.contacts.clone(),
            closed,
            memory: self.memory.clone(),
        }
    }

    /// Keeps the memory of the arrays: a step is taken back without allocating.
    fn clone_from(&mut self, other: &Self) {
        self.t = other.t;
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
        self.P_b.clone_from(&other.P_b);
        self.P.clone_from(&other.P);
        self.lambda_b.clone_from(&other.lambda_b);
        self.lambda.clone_from(&other.lambda);
        self.contacts.clone_from(&other.contacts);
        self.closed.clone_from(&other.closed);
        self.memory.clone_from(&other.memory);
    }
}
